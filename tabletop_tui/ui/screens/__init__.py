"""The screens: a table, Home, help. Each is a list of commands, a host for questions, and panels."""
