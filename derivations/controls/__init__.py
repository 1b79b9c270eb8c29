"""Chapter: wrong formulas, refuted."""

TITLE = "Wrong formulas, refuted"
NUMBER = 12
