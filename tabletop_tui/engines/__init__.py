"""The games that ship with the program; each is found through its entry point, as a stranger's is."""
