"""Lessons made from the proofs: tasks, marking, the terminal, the page, the notebook. Imports up to the audit's catalogue."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lnsym.lesson.notebook import answer

__all__ = ["answer"]


if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """`answer`, which the cells of a notebook call, loaded when it is first used."""
        if name != "answer":
            raise AttributeError(f"module 'lnsym.lesson' has no attribute '{name}'")
        from lnsym.lesson.notebook import answer

        return answer
