"""Chapter: the Jacobian."""

TITLE = "The Jacobian and sensitivity"
NUMBER = 5
