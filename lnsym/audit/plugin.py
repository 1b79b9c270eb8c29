"""A pytest plugin: one test for each check of an audit. Imports pytest and the standard library; the audit itself when a test needs it.

`pytest --lnsym-audit mynorm.py:layer_norm` collects them for a subject, and so does each line of the ini option lnsym_audit, which may
end in options of `lnsym audit`. `@pytest.mark.lnsym_audit(subject=function)` on a test with the argument lnsym_check makes one test per
check of the function. (pytest takes a mark that is called with nothing but a function for the mark of that function, hence `subject=`.)
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

if TYPE_CHECKING:
    from lnsym.audit.result import CheckResult, Result

NAME, ARGUMENT = "lnsym_audit", "lnsym_check"
_FOUND = pytest.StashKey["dict[object, Audited]"]()


class Audited:
    """One subject with its options; the audit runs when the first of its checks is asked for."""

    def __init__(self, subject: Any, options: dict[str, Any]) -> None:
        self.subject, self.options = subject, options
        self._result: Result | None = None
        self._refusal = ""

    @property
    def result(self) -> Result:
        """The audit's result. Where the subject cannot be read, one test says so and the others are skipped."""
        from lnsym.audit import audit
        from lnsym.errors import LnsymError

        if self._refusal:
            pytest.skip(f"the subject could not be audited: {self._refusal}")
        if self._result is None:
            try:
                self._result = audit(self.subject, **self.options)
            except LnsymError as error:
                self._refusal = str(error)
        if self._result is None:  # told outside the handler, or pytest would tell it twice
            pytest.fail(self._refusal, pytrace=False)
        return self._result


class AuditCheck:
    """What a test gets as `lnsym_check`: one check of the audit of the marked subject."""

    def __init__(self, audited: Audited, code: str) -> None:
        self.audited, self.code = audited, code

    @property
    def result(self) -> CheckResult:
        """What came of the check: status, reason, evidence."""
        return next(one for one in self.audited.result.checks if one.check.code == self.code)

    def raise_if_failed(self) -> None:
        """Fail the test with the smallest input and the mistake, if the check failed."""
        if self.result.status == "failed":
            pytest.fail("\n".join(_failure(self.result, self.audited.result)), pytrace=False)

    def __repr__(self) -> str:
        return self.code


def _failure(one: CheckResult, result: Result) -> Iterator[str]:
    from lnsym.audit.text import evidence_lines

    yield f"{result.about.name}: {one.check.code}, {one.check.title}: {one.reason}"
    if one.evidence is not None:
        yield from evidence_lines(one.evidence)
    for mistake in result.named:
        yield f"  {mistake.fault.code}  {mistake.title}"
        beside = "" if mistake.beside is None else f", and {mistake.beside.code} was made too"
        yield f"     It computes {mistake.words}{beside}: lnsym explain {mistake.fault.code}"
    if one.check.theorem:
        yield f"  The theorem: lnsym show {one.check.theorem}"
    if result.command and one.evidence is not None:
        yield f"  Reproduce: {result.command} --case {one.evidence.id}"


# ---------------------------------------------------------------- options


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option and the ini option."""
    parser.getgroup("lnsym").addoption(
        "--lnsym-audit", dest=NAME, action="append", default=[], metavar="SUBJECT",
        help="Audit a layer norm, one test per check: FILE.py:function, and options of `lnsym audit` in the same word; may be repeated.",
    )  # fmt: skip
    parser.addini(NAME, "Subjects of --lnsym-audit, one a line, for runs that name no files or tests.", type="linelist", default=[])


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known, and refuse what cannot be read before any test is made of it, and any worker of pytest-xdist started."""
    config.addinivalue_line("markers", f"{NAME}(subject=..., **options): one test per check of lnsym.audit(subject, **options)")
    config.stash[_FOUND] = {}
    if not hasattr(config, "workerinput"):
        for line, from_ini in _lines(config):
            name, _ = _read(line)
            _look_at(_located(name, config.rootpath) if from_ini else name)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a worker of pytest-xdist, which is always given files, what the main process collects."""
    node.workerinput[NAME] = _lines(node.config)


def _lines(config: pytest.Config) -> list[tuple[str, bool]]:
    """The subjects as written, each with whether it comes from the ini file."""
    worker = getattr(config, "workerinput", None)
    if worker is not None:
        return [(text, own) for text, own in worker[NAME]]
    named = config.args_source is pytest.Config.ArgsSource.ARGS
    return [(line, True) for line in ([] if named else config.getini(NAME))] + [(line, False) for line in config.getoption(NAME)]


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise pytest.UsageError(f"{NAME}: {message}")


def _read(line: str) -> tuple[str, dict[str, Any]]:
    """The subject and the options of a line, in the words of `lnsym audit`."""
    parser = _Parser(prog=NAME, add_help=False, allow_abbrev=False)
    parser.add_argument("subject")
    for name in ("--grad", "--framework", "--dtype"):
        parser.add_argument(name, default=argparse.SUPPRESS)
    parser.add_argument("--map", dest="mapping", default=argparse.SUPPRESS)
    parser.add_argument("--eps", type=float, default=argparse.SUPPRESS)
    parser.add_argument("--axis", type=lambda text: [int(part) for part in text.split(",")], default=argparse.SUPPRESS)
    parser.add_argument("--range", dest="full_range", choices=("ordinary", "full"), default=argparse.SUPPRESS)
    parser.add_argument("--seed", type=int, default=argparse.SUPPRESS)
    parser.add_argument("--time-limit", type=float, default=argparse.SUPPRESS)
    parser.add_argument("--only", action="append", default=argparse.SUPPRESS)
    parser.add_argument("--expect-fail", action="append", default=argparse.SUPPRESS)
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise pytest.UsageError(f"{NAME}: {line!r}: {error}") from None
    options = vars(parser.parse_args(words))
    if "full_range" in options:
        options["full_range"] = options["full_range"] == "full"
    subject: str = options.pop("subject")
    return subject, options


# ---------------------------------------------------------------- collection


class SubjectCollector(pytest.Collector):
    """A subject of the command line or the ini file: as many tests as there are checks."""

    def __init__(self, *, audited: Audited, codes: list[str], **more: Any) -> None:
        super().__init__(**more)
        self.audited, self.codes = audited, codes

    def collect(self) -> Iterator[CheckItem]:
        """One test for each check."""
        for code in self.codes:
            yield CheckItem.from_parent(self, name=code, check=AuditCheck(self.audited, code))


class CheckItem(pytest.Item):
    """One check of one subject as a test."""

    def __init__(self, *, check: AuditCheck, **more: Any) -> None:
        super().__init__(**more)
        self.check = check
        if self.config.pluginmanager.hasplugin("xdist"):  # with --dist loadgroup the audit runs in one worker
            self.add_marker(pytest.mark.xdist_group(check.audited.subject))

    def runtest(self) -> None:
        """Fail if the check failed."""
        self.check.raise_if_failed()

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where it is said to be: at the start of the subject's file."""
        subject: str = self.check.audited.subject
        return self.config.invocation_params.dir / subject.partition(":")[0], 0, f"{subject} {self.name}"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Add the subjects asked for, before tests are chosen by -k and -m."""
    lines = _lines(config)
    if not lines:
        return
    codes = _codes()
    for line, from_ini in lines:
        name, options = _read(line)
        subject = _located(name, config.rootpath) if from_ini else name
        audited = _audited(config, subject, options)
        collector = SubjectCollector.from_parent(session, name=name, nodeid=name, audited=audited, codes=codes)
        items.extend(session.genitems(collector))


def _look_at(subject: str) -> None:
    """Refuse a subject whose file or name cannot be right."""
    from lnsym.audit.locate import read
    from lnsym.audit.subject import SubjectError

    try:
        read(subject)
    except SubjectError as error:
        raise pytest.UsageError(f"{NAME}: {error}") from None


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test per check where a test takes `lnsym_check`."""
    if ARGUMENT not in metafunc.fixturenames:
        return
    mark = metafunc.definition.get_closest_marker(NAME)
    options = dict(mark.kwargs) if mark is not None else {}
    subjects = [*(mark.args if mark is not None else ()), *([options.pop("subject")] if "subject" in options else [])]
    if len(subjects) != 1:
        raise pytest.UsageError(
            f"{metafunc.definition.nodeid} takes {ARGUMENT}: mark it with @pytest.mark.{NAME}(subject=...), a function or FILE.py:function"
        )
    audited = _audited(metafunc.config, subjects[0], options)
    metafunc.parametrize(ARGUMENT, [AuditCheck(audited, code) for code in _codes()], ids=str)


def _codes() -> list[str]:
    from lnsym.audit.check import checks

    return list(checks())


def _audited(config: pytest.Config, subject: Any, options: dict[str, Any]) -> Audited:
    """The audit of this subject with these options, shared by all tests that ask for it."""
    key = (subject if isinstance(subject, str) else id(subject), repr(sorted(options.items())))
    return config.stash[_FOUND].setdefault(key, Audited(subject, options))


def _located(subject: str, root: Path) -> str:
    """A subject of the ini file: its file is found from the ini file's folder."""
    file, colon, name = subject.partition(":")
    return f"{root / file}{colon}{name}" if (root / file).is_file() else subject


# ---------------------------------------------------------------- running


def _check_of(item: pytest.Item) -> AuditCheck | None:
    if isinstance(item, CheckItem):
        return item.check
    found = getattr(getattr(item, "callspec", None), "params", {}).get(ARGUMENT)
    return found if isinstance(found, AuditCheck) else None


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """A check that was not run skips its test, and an expected failure is marked as one."""
    check = _check_of(item)
    if check is None:
        return
    found = check.result
    if found.status == "not_run":
        item.add_marker(pytest.mark.skip(reason=found.reason))
    elif found.expected:
        item.add_marker(pytest.mark.xfail(reason=found.expected, raises=pytest.fail.Exception))


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Iterator[None]:
    """A marked test that says nothing of the check fails with it all the same."""
    done = yield
    check = _check_of(pyfuncitem)
    if check is not None:
        check.raise_if_failed()
    return done
