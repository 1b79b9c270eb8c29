"""The book: the definitions, and one folder of theorem files for each chapter. At run time it is `lnsym.derivations`."""
