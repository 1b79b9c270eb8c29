"""The checks, one file per family, found by scanning: each file has CHECKS."""
