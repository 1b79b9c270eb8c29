"""Printers of terms: LaTeX and text, each in index and in matrix notation. Imports the kernel's terms and errors only."""

from lnsym.notation.latex import latex
from lnsym.notation.text import text

__all__ = ["latex", "text"]
