"""Preparing at the table: people, scenes and what is in them added, and any value of a file changed."""
