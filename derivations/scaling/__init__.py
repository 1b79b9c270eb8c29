"""Chapter: scaling."""

TITLE = "Scaling"
NUMBER = 4
