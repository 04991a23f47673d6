"""What stands on a screen: each panel shows one record of its own and draws only the lines that differ."""
