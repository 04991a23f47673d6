"""What keeps a campaign safe: backups, packing, mending, older formats, crash reports."""
