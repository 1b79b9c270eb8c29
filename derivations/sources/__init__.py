"""Chapter: sources."""

TITLE = "Sources"
NUMBER = 13
