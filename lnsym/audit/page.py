"""An audit as one offline page: verdict, smallest input, mistake, figures, every check. Imports the view; Jinja2 when called."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from lnsym.audit.call import Array
from lnsym.audit.formula import MARK, marked
from lnsym.audit.plot import svg
from lnsym.audit.result import CheckResult, Diagnosis, Evidence, Result
from lnsym.audit.text import numbers, unexplained
from lnsym.view.figures import Table
from lnsym.view.shell import Link, environment
from lnsym.view.shell import page as shell

TEMPLATES = Path(__file__).parent / "templates"
SHOWN = 8  # components of a witness
SYMBOLS = ("eps", "x", "y", "d", "u", "dx", "dy", "dweight", "dbias", "rstd", "jvp")
KINDS = {  # the status that a page knows, and the word
    "held": ("proved", "held"),
    "failed": ("refuted", "failed"),
    "not_run": ("not-run", "not run"),
    "undecided": ("undecided", "undecided"),
}


def page(result: Result, tables: Sequence[Table] = ()) -> str:
    """The page; `tables` are the two of lnsym.audit.curves, or none."""
    from markupsafe import Markup

    main = result.main
    mistakes = [_mistake(one) for one in result.named]
    body = environment(TEMPLATES).get_template("audit.html.j2").render(
        style=Markup((TEMPLATES / "audit.css").read_text(encoding="utf-8")),
        result=result,
        verdict=_verdict(result),
        counts=[
            {"status": status, "kind": KINDS[status][0], "text": KINDS[status][1], "number": number}
            for status, number in result.counts.items()
        ],
        main=_witness(main, result) if main is not None and main.evidence is not None else None,
        mistakes=mistakes,
        tables=list(tables),
        draw=svg,
        checks=[_check(one, result) for one in result.checks],
        facts=list(_facts(result)),
        notes=result.notes,
    )  # fmt: skip
    links = [Link("page-title", "Verdict")]
    links += [Link("witness", "The smallest input found")] if main is not None and main.evidence is not None else []
    links += [Link("mistake", "The mistake" if len(mistakes) == 1 else "The mistakes")] if mistakes else []
    links += [Link("figures", "How far off, and where")] if tables else []
    links += [Link("checks", "Every check"), Link("repeat", "To repeat it")]
    footer = f"<p>Written by lnsym audit with seed {result.seed}. The same command finds the same.</p>"
    title = f"Audit of {result.about.name}"
    said = f"{title}, written by lnsym audit: {KINDS[result.verdict][1]}"
    return shell(title=title, description=said, body=body, navigation=links, footer=footer)


# ---------------------------------------------------------------- the verdict


def _verdict(result: Result) -> dict[str, str]:
    kind, word = KINDS[result.verdict]
    return {"kind": kind, "word": word.capitalize(), "sentence": _sentence(result), "more": _more(result)}


def _sentence(result: Result) -> str:
    counts = result.counts
    ran = counts["held"] + counts["failed"]
    if result.verdict == "undecided":
        return "Nothing could be checked."
    if result.verdict == "held":
        known = sum(bool(one.expected) for one in result.checks)
        but = f", but for {known} that {'was' if known == 1 else 'were'} expected to fail" if known else ""
        return f"It does what a layer norm does in {_counted(ran, 'check')}{but}."
    if result.named:
        return " ".join(f"`{one.fault.code}`: {one.title}." for one in result.named)
    main = result.main
    return f"It fails {len(result.failed)} of {_counted(ran, 'check')}" + (f", first `{main.check.code}`: {main.reason}." if main else ".")


def _more(result: Result) -> str:
    if result.verdict == "undecided":
        reasons = dict.fromkeys(one.reason for one in result.checks)
        return _capital("; ".join(list(reasons)[:3])) + "."
    if result.verdict == "held":
        return "" if not result.counts["not_run"] else "What could not be run stands below with its reason."
    if result.possible:
        return f"There are too few answers to tell which mistake it is; these fit them all: {_listed(result.possible)}."
    what = unexplained(result)
    if what is None:
        several = len(result.named) > 1
        formula = any(one.fault.kind != "behaviour" for one in result.named)
        explains = f"{'Together they explain' if several else 'It explains'} all wrong numbers that were seen. " if formula else ""
        return f"{explains}What failed stands below, each check with its smallest input."
    if not result.near:
        return f"No mistake of the catalogue explains {what}."
    return f"No mistake of the catalogue explains {what}; nearest: {_listed(result.near)}."


def _listed(mistakes: Sequence[Diagnosis]) -> str:
    return ", ".join(f"`{one.fault.code}` {one.title} ({one.explains} of {one.of})" for one in mistakes)


def _mistake(one: Diagnosis) -> dict[str, Any]:
    return {
        "code": one.fault.code,
        "title": _capital(one.title),
        "explains": f"explains {'all ' if one.of > 1 else ''}{_counted(one.of, 'probe')} of {one.about}{_beside(one)}",
        "computes": marked(one.fault.computes),
        "instead_of": marked(one.fault.instead_of),
        "marked": MARK in one.fault.computes,
        "words": one.words,
        "slips": one.fault.slips,
        "repair": one.fault.repair,
        "theorems": one.fault.theorems,
        "reports": [(text, _link(text)) for text in one.fault.reports],
    }


def _beside(one: Diagnosis) -> str:
    return "" if one.beside is None else f", together with {one.beside.code}"


def _link(report: str) -> str:
    """Where a public report lies, if it is written as owner/name#number."""
    found = re.fullmatch(r"([\w.-]+/[\w.-]+)#(\d+)", report)
    return f"https://github.com/{found[1]}/issues/{found[2]}" if found else ""


# ---------------------------------------------------------------- checks and witnesses


def _check(one: CheckResult, result: Result) -> dict[str, Any]:
    kind, text = KINDS[one.status]
    if one.expected:
        kind, text = "principle", "failed as expected"
    reason = "; ".join(filter(None, (one.expected, one.reason, one.note)))
    shown = one.evidence is not None and one is not result.main
    return {
        "code": one.check.code,
        "title": _capital(one.check.title),
        "theorem": one.check.theorem,
        "status": one.status,
        "badge": {"kind": kind, "text": text},
        "reason": reason,
        "witness": _witness(one, result) if shown else None,
    }


def _witness(one: CheckResult, result: Result) -> dict[str, Any]:
    evidence = one.evidence
    assert evidence is not None
    rows, has_x = _rows(evidence)
    cut = f", {SHOWN} of {evidence.yours.size} components" if evidence.yours is not None and evidence.yours.size > SHOWN else ""
    says = "; ".join(filter(None, (evidence.reason or (_off(evidence.factor) if rows else ""), evidence.stage)))
    return {
        "code": one.check.code,
        "title": one.check.title,
        "given": list(given(evidence)),
        "rows": rows,
        "has_x": has_x,
        "right": _capital(evidence.right),
        "caption": f"{evidence.quantity}{cut}; the error in units of what is allowed",
        "says": _capital(says) + "." if says else "",
        "command": f"{result.command or 'lnsym audit ' + result.about.name} --case {evidence.id}",
    }


def given(evidence: Evidence) -> Iterator[tuple[str, str]]:
    """The input of a witness: names and values as text."""
    case, call = evidence.case, evidence.case.call
    yield "x", numbers(call.x)
    for name, array in (("weight", call.weight), ("bias", call.bias), ("mask", call.mask), ("dy", case.dy)):
        if array is not None:
            yield name, numbers(array)
    yield "eps", f"{call.eps:g}"
    if call.axis != (-1,):
        yield "axis", ", ".join(map(str, call.axis))
    yield "format", call.x.dtype.name
    for name, value in case.more.items():
        if not name.startswith("_"):
            yield name, numbers(value) if isinstance(value, np.ndarray) else f"{value:g}" if isinstance(value, float) else str(value)


def _rows(evidence: Evidence) -> tuple[list[dict[str, Any]], bool]:
    """The components to show, in their order and with the worst among them; and whether x stands beside them."""
    yours, exact = evidence.yours, evidence.exact
    if yours is None or exact is None or not yours.size:
        return [], False
    x, worst = evidence.case.call.x, evidence.worst
    beside = x.shape == yours.shape
    with np.errstate(all="ignore"):
        gap = np.abs(yours.astype(np.float64) - exact.astype(np.float64))
        off = gap / np.broadcast_to(np.asarray(evidence.tolerance, dtype=np.float64), yours.shape)
    first = int(np.ravel_multi_index(worst, yours.shape)) if yours.ndim else 0
    start = min(max(first - SHOWN // 2, 0), max(yours.size - SHOWN, 0))
    places = [np.unravel_index(k, yours.shape) for k in range(start, min(start + SHOWN, yours.size))]
    rows = [
        {
            "place": evidence.quantity + (f"[{', '.join(str(int(k)) for k in place)}]" if place else ""),
            "x": _number(x[place]) if beside else "",
            "yours": _number(yours[place]),
            "exact": _number(exact[place]),
            "off": _times(float(off[place]), float(gap[place])),
            "worst": tuple(map(int, place)) == worst,
        }
        for place in places
    ]
    return rows, beside


def _number(value: Array) -> str:
    return f"{float(value):.9g}"


def _times(off: float, gap: float) -> str:
    """An error in units of what is allowed."""
    if gap == 0:
        return "0"
    return "not a number" if np.isnan(off) else "no bound" if np.isinf(off) else f"{off:.3g}"


def _off(factor: str) -> str:
    return f"yours is {factor}" if factor else ""


# ---------------------------------------------------------------- facts


def _facts(result: Result) -> Iterator[tuple[str, str]]:
    about = result.about
    yield "framework", about.framework
    yield "arguments", ", ".join(("x", *(word for word in ("weight", "bias", "eps", "axis", "mask") if word in about.takes)))
    if renamed := [f"{ours} is its {theirs}" for ours, theirs in about.arguments if ours != theirs]:
        yield "names", ", ".join(renamed)
    if about.gradients:
        yield "gradients", ", ".join(sorted(about.gradients))
    yield "formats", ", ".join(result.formats)
    yield "eps", f"{result.eps:g}"
    yield "range", "full" if result.full_range else "ordinary: rows in which two-pass arithmetic of the format is accurate"
    yield "seed", str(result.seed)


def _counted(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _capital(text: str) -> str:
    """The text as a sentence begins; a symbol or a formula stays small."""
    first = text.split(" ", 1)[0].rstrip(",:")
    return text[:1].upper() + text[1:] if first.isalpha() and first not in SYMBOLS else text
