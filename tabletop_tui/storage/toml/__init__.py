"""TOML: read with every problem at its line, and changed value by value without touching the rest."""
