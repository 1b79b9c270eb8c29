"""The trusted kernel: terms, their normal form, and proofs. Standard library and lnsym.errors only."""
