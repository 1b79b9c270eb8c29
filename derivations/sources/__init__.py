"""Chapter: sources."""

TITLE = "Sources"
NUMBER = 11
