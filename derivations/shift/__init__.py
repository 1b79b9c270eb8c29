"""Chapter: common shifts."""

TITLE = "Common shifts"
NUMBER = 3
