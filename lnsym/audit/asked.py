"""What a person asks of an audit, on the command line or in Python, checked and brought to one form. Imports checks and catalogue."""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from lnsym.audit.check import checks
from lnsym.audit.fault import faults
from lnsym.audit.locate import missing
from lnsym.audit.subject import SubjectError

LONGEST = 86400.0  # seconds, a day
AXES = 8  # no axis is further from either end


@dataclass(frozen=True)
class Options:
    """What an audit was asked to do."""

    eps: float = 1e-5
    axis: tuple[int, ...] = (-1,)
    formats: tuple[str, ...] = ()  # empty: those that the subject answers in
    full_range: bool = False
    seed: int = 0
    only: tuple[str, ...] = ()  # codes of checks; empty for all
    exit_first: bool = False  # whether to stop at the first failure that was not expected
    expect_fail: Mapping[str, str] = field(default_factory=dict)
    command: str = ""


def options(
    *, eps: Any, axis: Any, dtype: Any, full_range: bool, seed: Any, only: Any, expect_fail: Mapping[str, str] | Sequence[str],
    exit_first: bool, command: str,
) -> Options:  # fmt: skip
    """The options of an audit from what was given: text as on the command line, or values as in Python."""
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise SubjectError(f"seed: expected a whole number >= 0, got {seed!r}")
    pairs = [f"{code}={reason}" for code, reason in expect_fail.items()] if isinstance(expect_fail, Mapping) else expect_fail
    return Options(
        _eps(eps), axes(axis), formats(dtype) or (), bool(full_range), seed, codes(only), bool(exit_first), expectations(pairs), command,
    )  # fmt: skip


def _eps(given: Any) -> float:
    if given is None:
        return 1e-5
    if not _is_number(given):
        raise SubjectError(f"eps: expected a number > 0, got {given!r}")
    if given == math.inf:
        raise SubjectError("eps: expected a finite number > 0, got inf")
    if not given > 0:
        raise SubjectError(f"eps: expected a number > 0, got {given}; with eps = 0 a layer norm is defined only where the row varies")
    return float(given)


def axes(given: Any) -> tuple[int, ...]:
    """The axes: a number, several, or text such as "-1" or "1,2"."""
    parts = given.split(",") if isinstance(given, str) else [given] if isinstance(given, int) else given
    try:
        found = tuple(int(part) if isinstance(part, str) else part.__index__() for part in parts)
    except (AttributeError, TypeError, ValueError):
        raise SubjectError(f"--axis {given!r}: expected an integer, or several separated by commas, as in -1 or 1,2") from None
    if not found or any(not -AXES <= one < AXES for one in found):
        raise SubjectError(f"--axis {_text(given)}: expected axes from {-AXES} to {AXES - 1}, as in -1 or 1,2")
    if len({one % AXES for one in found}) < len(found) or (len(found) > 1 and min(found) < 0 <= max(found)):
        raise SubjectError(f"--axis {_text(given)}: expected different axes, all counted from one end, as in -1,-2 or 1,2")
    return found


def formats(given: Any) -> tuple[str, ...] | None:
    """The formats by name, each once: text separated by commas, types or names; None for those that the subject answers in."""
    if given is None:
        return None
    parts = given.split(",") if isinstance(given, str) else given if isinstance(given, (list, tuple)) else [given]
    names = [str(getattr(one, "__name__", one)).rpartition(".")[2].strip().lower() for one in parts]
    if "bfloat16" in names and find_spec("ml_dtypes") is None:
        raise missing("ml_dtypes", "--dtype bfloat16")
    return tuple(dict.fromkeys(names))


def codes(given: str | Sequence[str]) -> tuple[str, ...]:
    """The codes of checks: one, several, or text separated by commas."""
    texts = [given] if isinstance(given, str) else given
    found = tuple(part.strip().upper() for text in texts for part in str(text).split(","))
    if mistakes := [code for code in found if code in faults()]:
        raise SubjectError(f"--only {mistakes[0]}: this is a mistake, not a check such as V01; `lnsym audit --list` shows all")
    if unknown := [code for code in found if code not in checks()]:
        near = get_close_matches(unknown[0], checks(), 3) or list(checks())[:3]
        code = unknown[0] or "without a code"
        raise SubjectError(f"--only: there is no check {code}; did you mean {', '.join(near)}? `lnsym audit --list` shows all")
    return found


def expectations(texts: Sequence[str]) -> dict[str, str]:
    """What --expect-fail says: reasons by the code of the check, from texts ID=reason."""
    found: dict[str, str] = {}
    for text in texts:
        code, _, reason = (part.strip() for part in text.partition("="))
        code = code.upper()
        if not (code and reason):
            raise SubjectError(f"--expect-fail {text}: expected ID=reason, as in --expect-fail F03='half sums by design'")
        if code not in checks():
            near = get_close_matches(code, checks(), 3) or list(checks())[:3]
            raise SubjectError(f"--expect-fail: there is no check {code}; did you mean {', '.join(near)}? `lnsym audit --list` shows all")
        found[code] = reason
    return found


def seconds(given: Any) -> float:
    """A time limit."""
    if not _is_number(given) or not 0 < given <= LONGEST:
        raise SubjectError(f"--time-limit {_text(given)}: expected a number of seconds > 0, at most {LONGEST:g}")
    return float(given)


def subject(given: Any, grad: Any, mapping: Any) -> None:
    """Refuse what can be no subject, gradient or map."""
    if not isinstance(given, (str, Path)) and not callable(given) and not hasattr(given, "forward"):
        kind = type(given).__name__
        raise SubjectError(f'expected a function, class or module, or text such as "mynorm.py:layer_norm"; got an object of type {kind}')
    if grad is not None and not isinstance(grad, (str, Path)) and not callable(grad):
        raise SubjectError(f'grad: expected a function or text such as "mynorm.py:grad", got an object of type {type(grad).__name__}')
    if mapping is not None and not isinstance(mapping, (str, Mapping)):
        raise SubjectError(f'mapping: expected text such as "x=h,weight=a", or a mapping; got an object of type {type(mapping).__name__}')


def command(
    given: str | Path | Callable[..., Any], *, grad: Any = None, mapping: Any = None, framework: str | None = None, eps: Any = None,
    axis: Any = -1, dtype: Any = None, full_range: bool = False, seed: int = 0, time_limit: float = 10.0,
) -> str:  # fmt: skip
    """The command line that repeats an audit; empty where the subject or its gradient is an object of this process."""
    if not isinstance(given, (str, Path)) or not (grad is None or isinstance(grad, (str, Path))):
        return ""
    pairs = mapping.items() if isinstance(mapping, Mapping) else ()
    mapped = ",".join(f"{word}={'none' if one is None else one}" for word, one in pairs) or mapping or None
    names = formats(dtype)
    words = {
        "--grad": grad,
        "--map": mapped,
        "--framework": framework,
        "--eps": None if eps is None else f"{eps!r}",
        "--axis": None if axes(axis) == (-1,) else ",".join(map(str, axes(axis))),
        "--dtype": None if names is None else ",".join(names),
        "--range": "full" if full_range else None,
        "--seed": str(seed) if seed else None,
        "--time-limit": None if time_limit == 10 else f"{time_limit:g}",
    }
    asked = [f"{name} {shlex.quote(str(value))}" for name, value in words.items() if value is not None]
    return " ".join(["lnsym audit", shlex.quote(str(given)), *asked])


def _is_number(given: Any) -> bool:
    return isinstance(given, (int, float)) and not isinstance(given, bool) and not math.isnan(given)


def _text(given: Any) -> str:
    return f"{given:g}" if isinstance(given, float) else given if isinstance(given, str) else repr(given)
