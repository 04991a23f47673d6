"""The disk: campaign TOML, the log file, now.toml, themes; problems with file and line."""
