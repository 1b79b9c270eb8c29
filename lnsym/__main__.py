"""`python -m lnsym` is the command `lnsym`. Imports the command line only."""

import sys

from lnsym.cli import main

if __name__ == "__main__":
    sys.exit(main())
