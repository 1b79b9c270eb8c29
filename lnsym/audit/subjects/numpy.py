"""NumPy: functions, classes and factories that take and return NumPy arrays, and whatever else is callable. Imports the shared adapter."""

from __future__ import annotations

from lnsym.audit.adapted import Adapted

make = Adapted
FRAMEWORK = "numpy"
LAST = True  # it claims what nobody else does


def claims(thing: object) -> bool:
    """Anything that can be called."""
    return callable(thing) or hasattr(thing, "forward")
