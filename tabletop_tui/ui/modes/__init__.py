"""Ways to be at a table: each filters commands by what they change, and may have some of its own."""
