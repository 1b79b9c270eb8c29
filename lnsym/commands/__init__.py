"""The verbs of the command line, one file each: run(...) prints the result and returns the exit code."""
