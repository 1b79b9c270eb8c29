"""Chapter: definitions and convention."""

TITLE = "Definitions and convention"
NUMBER = 1
