"""The statuses of a claim as a page shows them: a sign and words beside the colour, never merged. Standard library only."""

from __future__ import annotations

from dataclasses import dataclass

from lnsym.errors import LnsymError


@dataclass(frozen=True)
class Status:
    """One status: `key` is its CSS class, `sign` its mark without colour, `text` its usual words."""

    key: str
    sign: str
    text: str


STATUSES = {
    status.key: status
    for status in (
        Status("proved", "■", "proved for every d"),
        Status("sympy", "◆", "proved at d = 1..4 by SymPy"),
        Status("checked", "≈", "checked by mpmath at 60 digits"),
        Status("calculus", "∫", "scalar calculus"),
        Status("evaluated", "●", "evaluated exactly"),
        Status("refuted", "✕", "refuted at a point"),
        Status("principle", "◇", "rests on a principle of analysis"),
        Status("record", "○", "bibliographic record"),
        Status("not-run", "–", "not run"),
        Status("undecided", "?", "undecided"),
    )
}


def status(key: str) -> Status:
    """The status with this key."""
    if key not in STATUSES:
        raise LnsymError(f"expected a status among {', '.join(STATUSES)}, got {key!r}; add it to lnsym/view/status.py or use one of these")
    return STATUSES[key]
