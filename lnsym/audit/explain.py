"""What is to be said of a mistake, a check or a theorem by its code or name, as data and as text. Imports the catalogue and the book."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from lnsym import library
from lnsym.audit.check import Check, checks
from lnsym.audit.fault import Fault, Witness, faults
from lnsym.audit.formula import unmarked
from lnsym.audit.subject import SubjectError

SCHEMA = "lnsym.explain/1"
COLUMNS = 80
LONGEST = 8  # characters of something that may be meant for a code
RIGHT = {  # the right formula in one line, by what the mistake speaks of
    "y": "weight*(x - mean)/sqrt(var + eps) + bias",
    "dx": "dx = rstd*(g - mean(g) - u*mean(g*u)), with g = weight*dy",
    "dweight": "dweight = sum over rows of dy*u",
    "dbias": "dbias = sum over rows of dy",
}
NEEDS = {
    "weight": "a weight", "bias": "a bias", "eps": "an eps", "axis": "an axis", "mask": "a mask", "vjp": "gradients",
    "jvp": "a derivative along a direction", "double": "a double backward", "widths": "rows of any width", "ranks": "more axes than two",
    "half": "a half format", "several": "several formats",
}  # fmt: skip
Data = Mapping[str, Any]


def explain(code: str) -> Data:
    """What is to be said of a code or name; SubjectError with the nearest ones if there is none."""
    if (fault := faults().get(code.upper())) is not None:
        return _fault(fault)
    if (check := checks().get(code.upper())) is not None:
        return _check(check)
    book = library.book()
    known = {name: one.title for name, (_, one) in book.derivations.items()} | {name: one.title for name, (_, one) in book.records.items()}
    if code in known:
        return {"schema": SCHEMA, "code": code, "is": "theorem", "title": known[code], "next": [f"lnsym show {code}"]}
    near = _near(code.upper(), [*faults(), *checks()]) or get_close_matches(code, known, 3, 0.5)
    hint = f"did you mean {', '.join(near)}?" if near else "`lnsym audit --list` shows all"
    raise SubjectError(f"explain: there is no mistake, check or theorem {code[:60]!r}; {hint}")


def _near(code: str, known: Sequence[str]) -> list[str]:
    """The three codes that begin most like this one."""
    begins = {one: max(n for n in range(len(one) + 1) if code.startswith(one[:n])) for one in known}
    alike = [one for one in known if begins[one] > len(one.rstrip("0123456789"))]  # more than the letters
    return sorted(alike, key=lambda one: (-begins[one], one))[:3] if len(code) < LONGEST else []


def _fault(fault: Fault) -> Data:
    signs = [one.code for one in checks().values() if one.raising == fault.code]
    theorem = next(iter(fault.theorems), "")
    return {
        "schema": SCHEMA,
        "code": fault.code,
        "is": "mistake",
        "kind": fault.kind,
        "title": unfitted(fault.title),
        "computes": {"text": unfitted(fault.words), "latex": unmarked(fault.computes)},
        "right": {"text": right_formula(fault), "latex": unmarked(fault.instead_of)},
        "slips_through": fault.slips,
        "repair": fault.repair,
        "witness": None if fault.witness is None else _witness(fault.witness),
        "theorems": list(fault.theorems),
        "reports": list(fault.reports),
        "checks": signs,
        "next": [f"lnsym show {theorem}" if theorem else "lnsym audit --list"],
    }


def right_formula(fault: Fault) -> str:
    """The right formula as text, where the mistake is one of a formula."""
    if fault.kind == "function":
        return RIGHT["y"]
    if fault.kind != "gradient":
        return ""
    gradients = [name for name in RIGHT if name != "y"]
    named = [name for name in gradients if f"{name} =" in fault.words] or [name for name in gradients if name in fault.title] or ["dx"]
    return "; ".join(RIGHT[name] for name in named)


def _check(check: Check) -> Data:
    found = library.book().derivations.get(check.theorem)
    return {
        "schema": SCHEMA,
        "code": check.code,
        "is": "check",
        "title": check.title,
        "theorem": {"name": check.theorem, "title": found[1].title if found else ""},
        "needs": sorted(check.needs),
        "range": "full" if check.strict else "ordinary",
        "mistake": check.raising,
        "next": [f"lnsym audit FILE.py:function --only {check.code}", *([f"lnsym show {check.theorem}"] if found else [])],
    }


def unfitted(text: str) -> str:
    """A text of the catalogue with the names of its constants in place of their values."""
    return re.sub(r"\{(\w+)(?::[^{}]*)?\}", r"\1", text)


def _witness(witness: Witness) -> dict[str, Any]:
    given = {name: _plain(getattr(witness, name)) for name in ("x", "weight", "bias", "dy") if getattr(witness, name)}
    return {
        **given,
        "eps": witness.eps,
        "quantity": witness.quantity,
        "yours": _plain(witness.yours),
        "exact": _plain(witness.exact),
    }


def _plain(value: object) -> Any:
    return [_plain(one) for one in value] if isinstance(value, tuple) else str(value)


# ---------------------------------------------------------------- text


def lines(found: Data) -> Iterator[str]:
    """The explanation at 80 columns."""
    yield from _wrapped(f"{found['code']}  ", found["title"])
    if found["is"] in ("theorem", "lesson"):
        place = {"theorem": "theorem of the book", "lesson": "lesson of the course"}[found["is"]]
        yield from _wrapped("  ", f"This is a {place}, not a code of the audit.")
    elif found["is"] == "check":
        yield from _check_lines(found)
    else:
        yield from _fault_lines(found)
    yield ""
    yield from (f"{'Next:' if number == 0 else '     '} {text}" for number, text in enumerate(found["next"]))


def _check_lines(found: Data) -> Iterator[str]:
    yield ""
    if found["theorem"]["name"]:
        said = f": {found['theorem']['title']}" if found["theorem"]["title"] else ""
        yield from _wrapped("By the theorem  ", f"{found['theorem']['name']}{said}")
    if found["needs"]:
        yield from _wrapped("It needs  ", f"a subject with {_listed([NEEDS.get(one, one) for one in found['needs']])}")
    if found["range"] == "full":
        yield from _wrapped("", "It asks for more than ordinary code gives: a failure counts with --range full only.")
    if found["mistake"]:
        title = unfitted(faults()[found["mistake"]].title) if found["mistake"] in faults() else ""
        yield from _wrapped("A failure is the sign of  ", f"{found['mistake']} {title}".strip())


def _fault_lines(found: Data) -> Iterator[str]:
    yield ""
    yield from _wrapped("It computes  " if found["kind"] in ("function", "gradient") else "In words     ", found["computes"]["text"])
    if found["right"]["text"]:
        yield from _wrapped("Right is     ", found["right"]["text"])
    yield from _wrapped("In LaTeX     ", found["computes"]["latex"])
    yield from _wrapped("in place of  ", found["right"]["latex"])
    yield ""
    yield "Why it slips through"
    yield from _wrapped("  ", found["slips_through"])
    yield "Repair"
    yield from _wrapped("  ", found["repair"])
    if found["witness"]:
        yield ""
        yield from _witness_lines(found["witness"])
    if found["checks"] or found["theorems"] or found["reports"]:
        yield ""
    if found["checks"]:
        yield from _wrapped("Seen by   ", f"{_listed(found['checks'])}")
    if found["theorems"]:
        yield from _wrapped("Theorems  ", ", ".join(found["theorems"]))
    if found["reports"]:
        yield from _wrapped("Reports   ", ", ".join(found["reports"]))


def _witness_lines(witness: Data) -> Iterator[str]:
    names = [name for name in ("x", "weight", "bias", "dy", "eps") if name in witness]
    yield from _wrapped("Smallest exact witness: ", ", ".join(f"{name} = {_written(witness[name])}" for name in names))
    table = [("", "yours", "exact")]
    exact = dict(_entries(witness["exact"]))
    table += [(f"{witness['quantity']}{place}", yours, exact.get(place, "")) for place, yours in _entries(witness["yours"])]
    widths = [max(len(row[column]) for row in table) for column in range(3)]
    yield from (
        "  " + "  ".join(cell.rjust(width) if k else cell.ljust(width) for k, (cell, width) in enumerate(zip(row, widths, strict=True)))
        for row in table
    )


def _entries(values: Sequence[Any], before: tuple[int, ...] = ()) -> Iterator[tuple[str, str]]:
    """Every number with its place, as in [0, 1]."""
    for number, one in enumerate(values):
        place = (*before, number)
        if isinstance(one, list):
            yield from _entries(one, place)
        else:
            yield f"[{', '.join(map(str, place))}]", one


def _written(value: Any) -> str:
    return f"({', '.join(map(_written, value))})" if isinstance(value, list) else str(value)


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _wrapped(first: str, text: str) -> list[str]:
    """A text in lines, the first after `first`, the others below its text."""
    pad = " " * len(first)
    return textwrap.wrap(text, COLUMNS, initial_indent=first, subsequent_indent=pad, break_long_words=False, break_on_hyphens=False)
