"""`lnsym audit`: judge somebody's layer norm, name its mistake, write the page or the table. Imports up to the audit."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import click

from lnsym.audit import asked
from lnsym.audit.asked import Options
from lnsym.audit.check import checks
from lnsym.audit.fault import faults, filled
from lnsym.audit.result import CheckResult, Result
from lnsym.audit.run import one_case
from lnsym.audit.run import run as run_checks
from lnsym.audit.session import Runner
from lnsym.audit.subject import SubjectError
from lnsym.audit.subjects import open_subject
from lnsym.audit.text import evidence_lines, lines, wrapped
from lnsym.commands.output import refuse, write

_TITLE = 60  # characters of a check's title on the line of progress
EXIT_CODES = {"held": 0, "failed": 1, "undecided": 3}


def run(
    *, subject: str | None, grad: str | None, mapping: str | None, framework: str | None, eps: float | None, axis: str, dtype: str | None,
    reach: str, seed: int, only: tuple[str, ...], exit_first: bool, expect_fail: tuple[str, ...], time_limit: float, case: str | None,
    why_tol: bool, html: Path | None, force: bool, as_json: bool, verbose: bool, listing: bool, known: bool, out: Path,
) -> int:  # fmt: skip
    """Audit one subject, or list what is checked, or measure the known implementations."""
    if listing:
        _say(json.dumps(_listed(), indent=1) if as_json else "\n".join(_list_lines()))
        return 0
    if known:
        from lnsym.audit.known import write

        return write(out, as_json=as_json)
    if subject is None:
        raise SubjectError("expected what to audit: lnsym audit mynorm.py:layer_norm; `lnsym audit --list` shows what is checked")
    limit = asked.seconds(time_limit)
    command = asked.command(
        subject, grad=grad, mapping=mapping, framework=framework, eps=eps, axis=axis, dtype=dtype, full_range=reach == "full", seed=seed,
        time_limit=limit,
    )  # fmt: skip
    options = asked.options(
        eps=eps, axis=axis, dtype=dtype, full_range=reach == "full", seed=seed, only=only, expect_fail=expect_fail, exit_first=exit_first,
        command=command,
    )  # fmt: skip
    if html is not None:
        if case is not None:
            raise SubjectError("--html shows a whole audit: leave --case away, or --html")
        refuse(
            html,
            lambda content: b"lnsym audit" in content[:4000],
            force,
            "audit.html",
            option="--html",
            otherwise="was not written by lnsym audit",
        )
    runner = open_subject(subject, mapping=mapping, grad=grad, framework=framework, eps=options.eps, time_limit=limit)
    try:
        if case is not None:
            return _case(runner, options, case.upper(), why_tol, as_json)
        try:
            result = run_checks(runner, options, _progress())
        finally:
            _progress_done()
        _show(result, options, verbose, why_tol, as_json)
        if html is not None:
            _page(html, runner, result, options)
            click.echo(f"wrote {html}", err=as_json)
    finally:
        runner.close()
    return EXIT_CODES[result.verdict]


def _show(result: Result, options: Options, verbose: bool, why_tol: bool, as_json: bool) -> None:
    if as_json:
        _say(json.dumps(result.as_dict(), indent=1))
        return
    _say("\n".join(_coloured(line) for line in lines(result, verbose)))
    if why_tol:
        _say("\n" + _why(result, options))


# ---------------------------------------------------------------- one case


def _case(runner: Runner, options: Options, case: str, why_tol: bool, as_json: bool) -> int:
    found = one_case(runner, options, case)
    if as_json:
        _say(json.dumps({"schema": "lnsym.audit-case/1", "subject": runner.about.name, **found.as_dict()}, indent=1))
    else:
        _say("\n".join(_case_lines(case, found)))
        if why_tol and found.evidence is not None:
            from lnsym.audit.tolerance import why

            call = found.evidence.case.call
            _say("\n" + why(call, call.x.dtype.name))
        elif why_tol:
            _say("  --why-tol shows the tolerance of a failure; without --case, that of an ordinary row")
    return {"held": 0, "failed": 1, "not_run": 3}[found.status]


def _case_lines(case: str, found: CheckResult) -> Iterable[str]:
    said = "held on this input" if found.status == "held" else f"{found.status.replace('_', ' ')}: {found.reason}"
    yield from wrapped(f"{case}  ", f"{found.check.title}: {said}")
    if found.evidence is not None:
        yield from evidence_lines(found.evidence)
    yield f"  Why: lnsym explain {found.fault or found.check.code}"


def _why(result: Result, options: Options) -> str:
    """How the tolerance of the failure that is shown comes about, or that of an ordinary row."""
    import numpy as np

    from lnsym.audit.call import Call
    from lnsym.audit.checks.inputs import number_type
    from lnsym.audit.tolerance import why

    main = result.main
    if main is not None and main.evidence is not None:
        call = main.evidence.case.call
    else:
        call = Call(np.array([[1.0, 2.0, 4.0, 9.0]], dtype=number_type(result.formats[0])), eps=options.eps)
    return why(call, call.x.dtype.name)


# ---------------------------------------------------------------- the list


def _listed() -> dict[str, object]:
    return {
        "schema": "lnsym.audit-list/1",
        "checks": [
            {
                "id": one.code,
                "title": one.title,
                "theorem": one.theorem,
                "needs": sorted(one.needs),
                "range": "full" if one.strict else "ordinary",
            }
            for one in checks().values()
        ],
        "mistakes": [{"code": one.code, "title": filled(one.title, {}), "kind": one.kind} for one in faults().values()],
    }


def _list_lines() -> list[str]:
    found = ["checks"]
    for one in checks().values():
        needs = f"  needs {', '.join(sorted(one.needs))}" if one.needs else ""
        found.append(f"  {one.code}  {one.title}  [{one.theorem}]{needs}{'  (--range full)' if one.strict else ''}")
    found += ["", "mistakes"]
    found += [f"  {one.code}  {filled(one.title, {})}" for one in faults().values()]
    return [*found, "", "Next: lnsym audit FILE.py:function, lnsym explain CODE"]


# ---------------------------------------------------------------- page, progress, colour


def _page(html: Path, runner: Runner, result: Result, options: Options) -> None:
    from lnsym.audit.curves import measure
    from lnsym.audit.offers import session_of
    from lnsym.audit.page import page

    text = page(result, measure(session_of(runner, options, result.formats)))
    write(html, text, "--html")


def _progress() -> Callable[[str], None]:
    """Say on stderr which check is running, if that is a terminal."""
    shown = sys.stderr.isatty()

    def show(code: str) -> None:
        if shown:
            click.echo(f"\r{code}  {checks()[code].title:<{_TITLE}.{_TITLE}}", err=True, nl=False)

    return show


def _progress_done() -> None:
    if sys.stderr.isatty():
        click.echo(f"\r{' ' * (_TITLE + 5)}\r", err=True, nl=False)


def _say(text: str) -> None:
    """Print a result; where the output has no Unicode, plain signs and escapes stand for it, since click would send UTF-8 all the same."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = text.replace(" · ", ", ").encode("ascii", "backslashreplace").decode("ascii")
    click.echo(text)


def _coloured(line: str) -> str:
    if line.startswith("  FAIL"):
        return click.style(line, fg="red", bold=True)
    if line.startswith(("held:", "failed:", "undecided:")):
        return click.style(line, bold=True)
    return line
