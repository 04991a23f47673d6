"""What is the user's own: settings, themes, and where things are."""
