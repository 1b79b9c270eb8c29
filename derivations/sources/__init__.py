"""Chapter: sources."""

TITLE = "Sources"
NUMBER = 14
