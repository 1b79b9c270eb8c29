"""An audit as a terminal shows it: verdict, the mistake, the smallest input, what failed and what was not run. Imports the result."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator

import numpy as np

from lnsym.audit.call import Array
from lnsym.audit.explain import right_formula
from lnsym.audit.result import CheckResult, Evidence, Result
from lnsym.audit.tolerance import condition

WIDTH = 80
FEW = 6
DERIVATIVES = {"vjp": "VJP", "jvp": "JVP", "double": "double backward"}
NUMBERS = (  # what is shown as numbers
    "y", "mean", "rstd", "variance", "jvp", "dx", "dweight", "dbias", "double dy", "double x", "double weight", "euler", "dot",
)  # fmt: skip


def lines(result: Result, verbose: bool = False) -> Iterator[str]:
    """The whole text, at 80 columns."""
    yield from wrapped("", _head(result), 4)
    main = result.main
    mark = "FAIL " if main is not None else "known"  # every failure was expected
    for mistake in result.named:
        yield from wrapped(f"  {mark} {mistake.fault.code}  ", mistake.title)
    if main is not None and not result.named:
        yield from wrapped(f"  {mark} {main.check.code}  ", f"{main.check.title}: {main.reason}")
    if main is not None and main.evidence is not None:
        yield from evidence_lines(main.evidence)
    yield from _explained(result, main)
    others = [one for one in result.checks if one.status == "failed" and (one is not main or verbose)]
    if others:
        yield "  Failed checks:"
        shown = others if verbose else others[:FEW]
        for one in shown:
            yield from wrapped(f"    {_identity(one):<7} ", _line(one))
        if len(shown) < len(others):
            yield f"    and {len(others) - len(shown)} more: --verbose shows all"
    if verbose:
        for one in result.checks:
            if one.status != "failed":
                yield from wrapped(f"  {one.status.replace('_', ' '):<8} {one.check.code}  ", f"{one.check.title}: {one.reason}")
    else:
        yield from _not_run(result)
    for note in result.notes:
        yield from wrapped("  note  ", note)
    yield from _next(result, main)
    yield _counts(result)


def _head(result: Result) -> str:
    about = result.about
    own = {ours: theirs for ours, theirs in about.arguments if theirs.isidentifier() and not theirs.startswith("argument")}
    words = ["x", *(word for word in ("weight", "bias", "eps", "axis", "mask") if word in about.takes)]
    args = ", ".join(word if own.get(word, word) == word else f"{word}={own[word]}" for word in words)
    given = [text for name, text in DERIVATIVES.items() if name in about.gradients]
    derivatives = f", derivatives {', '.join(given)}" if given else ""
    return f"{about.name}  {about.framework} {', '.join(result.formats)}, args {args}{derivatives}"


def evidence_lines(evidence: Evidence) -> Iterator[str]:
    """The smallest input: what went in, yours and the exact answer, one below the other."""
    case, call = evidence.case, evidence.case.call
    given: dict[str, object] = {"x": numbers(call.x)}
    if call.weight is not None and (call.weight != 1).any():
        given["weight"] = numbers(call.weight)
    if call.bias is not None and call.bias.any():
        given["bias"] = numbers(call.bias)
    if call.mask is not None:
        given["mask"] = numbers(call.mask)
    if case.dy is not None and evidence.quantity not in ("y", "mean", "rstd"):
        given["dy"] = numbers(case.dy)
    given["eps"] = f"{call.eps:g}"
    if call.axis != (-1,):
        given["axis"] = call.axis[0] if len(call.axis) == 1 else call.axis
    given |= {name: _value(value) for name, value in case.more.items() if not name.startswith("_")}
    yield from wrapped("  Smallest input found: ", ", ".join(f"{name} = {value}" for name, value in given.items()))
    if evidence.yours is None or evidence.exact is None:
        yield from wrapped("     ", evidence.reason)
        return
    if evidence.quantity in NUMBERS:
        digits = next((k for k in (9, 17) if numbers(evidence.yours, k) != numbers(evidence.exact, k)), 17)
        right, wide = evidence.right, max(len(evidence.right), len("yours"))
        yield from wrapped(f"     {'yours':<{wide}} {evidence.quantity:<4} ", numbers(evidence.yours, digits))
        factor = f"    {evidence.factor}" if evidence.factor and not evidence.reason else ""
        yield from wrapped(f"     {right:<{wide}} {evidence.quantity:<4} ", numbers(evidence.exact, digits) + factor)
    if evidence.reason:
        yield from wrapped("     ", evidence.reason)
    if evidence.stage:
        yield from wrapped("     ", evidence.stage)


def _units(evidence: Evidence) -> str:
    """The worst error in units of the last place, beside the condition number of its row; empty where there is none."""
    yours, exact = evidence.yours, evidence.exact
    if yours is None or exact is None or evidence.quantity != "y" or yours.dtype.kind != "f" or yours.shape != evidence.case.call.x.shape:
        return ""
    place = evidence.worst
    if not np.isfinite(yours[place]):
        return ""
    unit = float(np.spacing(np.abs(exact[place]).astype(yours.dtype)))
    units = abs(float(yours[place]) - float(exact[place])) / unit
    worst = float(condition(evidence.case.call).max())
    return f"{units:.3g} units in the last place. The condition number of the row, sqrt(1 + mean^2/var), is {worst:.3g}"


def numbers(array: Array, digits: int = 9) -> str:
    """An array on one line; long ones are cut in the middle."""
    values = array if array.dtype.kind in "biu" else array.astype(np.float64)
    shown = np.array2string(values, precision=digits, separator=", ", threshold=40, edgeitems=3, max_line_width=10**6, floatmode="maxprec")
    shape = f" of shape {array.shape}" if array.size > 40 or not array.size else ""
    return " ".join(shown.split()).replace("[ ", "[") + shape


def _value(value: object) -> str:
    return numbers(value) if isinstance(value, np.ndarray) else f"{value:g}" if isinstance(value, float) else str(value)


def _explained(result: Result, main: CheckResult | None) -> Iterator[str]:
    pair = [one for one in result.named if one.beside is not None]
    if pair:
        alone = "; ".join(f"{one.fault.code} alone gives {one.words}" for one in pair)
        rule = right_formula(pair[0].fault)
        yield from wrapped("  ", f"Two mistakes together explain all {pair[0].of} probes. {alone}; the rule is {rule}.")
    for one in result.named:
        if one.fault.kind in ("function", "gradient") and one.beside is None:
            probes = f"All {one.of} probes match" if one.of > 1 else "The one probe matches"
            yield from wrapped("  ", f"{probes} {one.words}; the rule is {right_formula(one.fault)}.")
        elif one.fault.kind == "arithmetic" and one.beside is None:
            answers = f"all {one.of} answers" if one.of > 1 else "the one answer"
            yield from wrapped("  ", f"The right function with poor arithmetic: {one.words}. It explains {answers}.")
            if main is not None and main.evidence is not None and (units := _units(main.evidence)):
                yield from wrapped("  ", f"The error here is {units}.")
    fitted = any(one.check.fits and one.status != "not_run" for one in result.checks)
    if result.possible:
        yield from wrapped("  ", "There are too few answers to tell which mistake it is. These fit them all:")
        for one in result.possible:
            yield from wrapped(f"    {one.fault.code}  ", one.title)
    elif result.verdict == "failed" and not result.named and not fitted:
        yield from wrapped("  ", "The checks that were run show no formula to name a mistake by.")
    elif (what := unexplained(result)) is not None:
        yield from wrapped("  ", f"No mistake of the catalogue explains {what}{'; nearest:' if result.near else '.'}")
        for one in result.near:
            yield from wrapped(f"    {one.fault.code}  ", f"{one.title} ({one.explains} of {one.of} probes)")


def unexplained(result: Result) -> str | None:
    """What no mistake of the catalogue explains, in words; None where all is explained."""
    if result.verdict != "failed" or (result.named and not result.unexplained):
        return None
    if not result.named:
        return "all that was seen" if result.near else "what was seen"
    return f"the wrong {', '.join('output' if one == 'y' else one for one in result.unexplained)}"


def _not_run(result: Result) -> Iterator[str]:
    """How many checks were not run, reason by reason."""
    reasons = Counter(_short(one.reason) for one in result.checks if one.status == "not_run")
    if not reasons:
        return
    yield "  Not run:"
    for reason, number in reasons.most_common():
        yield from wrapped(f"    {number:>3}  ", reason)


def _short(reason: str) -> str:
    """A reason without what is particular to one check, or told above."""
    for common in ("--range full", "an ordinary call"):
        head, found, _ = reason.partition(common)
        if found:
            return head + found
    return reason


def _next(result: Result, main: CheckResult | None) -> Iterator[str]:
    """What to do next."""
    if main is not None and main.evidence is not None:
        name = result.about.name if result.about.name.isidentifier() else "f"
        again = f"{result.command} --case {main.evidence.id}" if result.command else f"lnsym.audit({name}, only='{main.check.code}')"
        yield f"  Reproduce: {again}"
    if result.named:
        yield f"  Why: lnsym explain {result.named[0].fault.code}"
    elif main is not None:
        yield f"  Why: lnsym explain {main.check.code}"
    elif result.command and result.verdict == "held":
        yield f"  Next: {result.command} --html audit.html"


def _identity(one: CheckResult) -> str:
    return one.evidence.id if one.evidence is not None else one.check.code


def _line(one: CheckResult) -> str:
    expected = f" (expected: {one.expected})" if one.expected else ""
    return f"{one.check.title}: {one.reason}{expected}"


def _counts(result: Result) -> str:
    counts = result.counts
    known = sum(bool(one.expected) for one in result.checks)
    expected = f" ({known} as expected)" if known else ""
    text = f"{result.verdict}: held {counts['held']} · failed {counts['failed']}{expected} · not run {counts['not_run']}"
    return f"{text}    seed {result.seed}  {result.seconds:.1f} s"


def wrapped(first: str, text: str, indent: int | None = None) -> Iterator[str]:
    """A text at 80 columns: the first line after `first`, the others indented."""
    pad = " " * (min(len(first), 12) if indent is None else indent)
    found = textwrap.wrap(text, WIDTH, initial_indent=first, subsequent_indent=pad, break_long_words=False, break_on_hyphens=False)
    yield from found or [first]
