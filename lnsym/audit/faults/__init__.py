"""The catalogue of mistakes, one file each, found by scanning: each file has FAULT."""
