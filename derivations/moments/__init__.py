"""Chapter: the moments of the core."""

TITLE = "Moments of the core"
NUMBER = 2
