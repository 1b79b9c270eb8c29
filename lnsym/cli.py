"""The command line. Each verb imports what it needs inside its function, so that help and completion stay fast."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click

from lnsym.errors import LnsymError

_INTERRUPTED, _PIPE_CLOSED, _OUR_BUG, _MISSING, _BAD_INPUT = 130, 141, 70, 4, 2
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
_FORMATS = ("html", "tex", "pdf")

Item = TypeVar("Item")


# ---------------------------------------------------------------- what all verbs share


@contextmanager
def _reader_may_leave() -> Iterator[None]:
    """Ends quietly when the reader of the output has left, as in `lnsym list | head`."""
    try:
        yield
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise click.exceptions.Exit(_PIPE_CLOSED) from None


class _Command(click.Command):
    """A command whose every usage error knows its own help."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx
            raise


class _Group(click.Group):
    """A group that bears a reader who leaves; help and version are printed while the context is made."""

    command_class, group_class = _Command, type

    def make_context(self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any) -> click.Context:
        with _reader_may_leave():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> object:
        with _reader_may_leave():
            return super().invoke(ctx)


class _Formats(click.ParamType[tuple[str, ...]]):
    name = "formats"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        asked = str(value).split(",")
        for word in asked:
            if word not in _FORMATS:
                self.fail(f"'{word}' is none of {', '.join(_FORMATS)}; separate several by commas", param, ctx)
        return tuple(form for form in _FORMATS if form in asked)

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:  # noqa: ARG002 - the signature is click's
        return ",".join(_FORMATS)


class _Names(click.ParamType[tuple[str, ...]]):
    name = "names"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        names = tuple(name.strip() for name in str(value).split(","))
        if not all(names):
            self.fail("a name is missing; separate several by commas, as in layer_norm,layer_norm_vjp", param, ctx)
        return names


def _version(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked:
        import lnsym

        click.echo(f"lnsym {lnsym.__version__}")
        ctx.exit()


def _colour_off(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked:
        ctx.color = False


def _colour_wanted() -> bool | None:
    """What the environment says about colour; None leaves it to whether the output is a terminal."""
    if os.environ.get("NO_COLOR"):
        return False
    return True if os.environ.get("FORCE_COLOR") else None


_no_color = click.option("--no-color", is_flag=True, expose_value=False, callback=_colour_off, help="No colours (also: NO_COLOR=1).")
_as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")


@contextmanager
def progress(items: Iterable[Item], length: int, label: str) -> Iterator[Iterator[Item]]:
    """The items, with a bar on stderr while they are gone through; no bar when stderr is not a terminal."""
    with click.progressbar(items, length=length, label=label, file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:
        yield iter(bar)


def _theorem_names(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    """Completion of theorem names: the names of the files, so that nothing is imported."""
    import lnsym.derivations

    files = (path for folder in lnsym.derivations.__path__ for path in Path(folder).glob("*/*.py"))
    return sorted(path.stem for path in files if path.stem.startswith(incomplete) and not path.stem.startswith("_"))


# ---------------------------------------------------------------- the verbs


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Print the version.")
@_no_color
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Layer normalization with epsilon: derived, proved for every d, and checked by counterexample search.

    Exit codes: 0 all held, 1 a disagreement, 2 bad input, 3 undecided, 4 an optional tool is missing, 70 a bug in lnsym,
    130 interrupted.
    """
    if ctx.color is None:
        ctx.color = _colour_wanted()


@cli.command("list")
@_as_json
@_no_color
def list_(as_json: bool) -> int:
    """List the chapters, theorems and records of the book."""
    from lnsym.commands import listing

    return listing.run(as_json=as_json)


@cli.command()
@click.argument("name", shell_complete=_theorem_names)
@click.option("--at", metavar="POINT", help='Put numbers beside each step: --at "z=(1,2,3), eps=1/3".')
@click.option(
    "--format",
    "fmt",
    type=click.Choice(["text", "latex", "sympy", "json"]),
    default="text",
    show_default=True,
    help="Text, LaTeX, Python that makes the claims in SymPy, or the certificate.",
)
@_no_color
def show(name: str, at: str | None, fmt: str) -> int:
    """Show the derivation of theorem NAME, step by step."""
    from lnsym.commands import show as command

    return command.run(name=name, at=at, fmt=fmt)


@cli.command()
@click.argument("names", nargs=-1, metavar="[NAME]...", shell_complete=_theorem_names)
@click.option("--with", "second_opinion", type=click.Choice(["sympy"]), help="Ask for a second opinion at d = 1 to 4.")
@_as_json
@_no_color
def prove(names: tuple[str, ...], second_opinion: str | None, as_json: bool) -> int:
    """Prove the theorems named, or the whole book."""
    from lnsym.commands import prove as command

    return command.run(names=names, second_opinion=second_opinion, as_json=as_json)


_WORDS = """\b
The words of a statement:
  scalars    d mu q sigma eps s r rho a c t, of a second input mu' q' s'
  vectors    z v u y w h g gamma beta one, z' v' u', and those of --vector
  entries    z_i or z[i], u_1, J[i,j], delta[i,j]
  functions  mean var cov dot norm total sqrt, sum_i(...), D(a, z_j),
             core(x), core(x, eps), rms(x)
  matrices   P J I outer(x,y) diag(x) transpose(J) trace(J), J(h), P @ J
  signs      + - * / ^ and = <= >= < > !=
Numbers are exact, as 1/10. A relation between vectors means every coordinate."""


@cli.command(
    short_help="Decide a statement: proved, refuted or undecided.",
    epilog=_WORDS,
    context_settings={"ignore_unknown_options": True},  # a statement may begin with a minus sign
)
@click.argument("statement")
@click.option("--given", multiple=True, metavar="RELATION", help='A hypothesis, such as "q > 0"; may be repeated.')
@click.option("--vector", "vectors", multiple=True, metavar="NAME", help="A further vector's name; may be repeated.")
@_as_json
@_no_color
def check(statement: str, given: tuple[str, ...], vectors: tuple[str, ...], as_json: bool) -> int:
    """Decide STATEMENT, such as "mean(u^2) = q/(q+eps)": proved, refuted with a point, or undecided."""
    from lnsym.commands import check as command

    return command.run(statement=statement, given=given, vectors=vectors, as_json=as_json)


@cli.command()
@click.option(
    "-o",
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("reports"),
    show_default=True,
    metavar="DIR",
    help="The folder; an empty one, or one with a report.",
)
@click.option(
    "--only", multiple=True, metavar="NAME", shell_complete=_theorem_names, help="This theorem only, with what it cites; may be repeated."
)
@click.option(
    "--notation",
    type=click.Choice(["index", "matrix", "both"]),
    default="both",
    show_default=True,
    help="Formulas with indices, with vectors and matrices, or both where they differ.",
)
@click.option("--format", "formats", type=_Formats(), default="html,tex", show_default=True, help="What to write, separated by commas.")
@click.option("--quick", is_flag=True, help="Leave SymPy's opinions out.")
@click.option("--check", is_flag=True, help="Write nothing; compare with what lies in DIR, exit 1 where it differs.")
@_no_color
def report(out: Path, only: tuple[str, ...], notation: str, formats: tuple[str, ...], quick: bool, check: bool) -> int:
    """Write the derivation report."""
    from lnsym.commands import report as command

    return command.run(out=out, only=only, notation=notation, formats=formats, quick=quick, check=check)


@cli.command(short_help="Write verified numeric code.")
@click.argument("target", required=False)
@click.option("--op", "lists", type=_Names(), multiple=True, metavar="NAME,NAME", help="The functions, separated by commas; default all.")
@click.option("--tier", default="safe", show_default=True, metavar="TIER", help="safe, exact or plain.")
@click.option("-o", "--out", type=click.Path(path_type=Path), metavar="FILE", help="Write into FILE instead of to the terminal.")
@click.option("--force", is_flag=True, help="Overwrite FILE even if lnsym did not write it.")
@click.option("--list", "listing", is_flag=True, help="List operations, tiers and targets with their theorems.")
@click.option(
    "--variance",
    type=click.Choice(["two-pass", "one-pass"]),
    default="two-pass",
    show_default=True,
    help="one-pass is refused, with the reason.",
)
@_as_json
@_no_color
def emit(
    target: str | None,
    lists: tuple[tuple[str, ...], ...],
    tier: str,
    out: Path | None,
    force: bool,
    listing: bool,
    variance: str,
    as_json: bool,
) -> int:
    """Write one module for TARGET, such as numpy, from theorems that are proved in this process."""
    from lnsym.commands import emit as command

    ops = tuple(name for names in lists for name in names)
    return command.run(
        language=target, ops=ops, tier=tier, out=out, as_json=as_json, force=force, listing=listing, variance=variance
    )  # fmt: skip


@cli.command(short_help="Judge somebody's layer norm and name its mistake.")
@click.argument("subject", required=False)
@click.option("--grad", metavar="FILE.py:FUNCTION", help="A hand-written gradient (dy, x, weight, eps) -> (dx, dweight, dbias).")
@click.option("--map", "mapping", metavar="x=h,weight=a,...", help="Which argument is which, by name or by position from 0.")
@click.option("--framework", type=click.Choice(["numpy", "torch", "jax", "onnx"]), help="Told from the subject if left out.")
@click.option("--eps", type=float, metavar="NUMBER", help="The usual eps, and the one of a subject that takes none; default 1e-5.")
@click.option("--axis", default="-1", show_default=True, metavar="N[,N]", help="The axis or axes that are normalized.")
@click.option("--dtype", metavar="FORMAT[,FORMAT]", help="Of float64, float32, float16, bfloat16; default the first two.")
@click.option(
    "--range",
    "reach",
    type=click.Choice(["ordinary", "full"]),
    default="ordinary",
    show_default=True,
    help="full: also count what careful two-pass code fails, such as squares that overflow.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the random inputs.")
@click.option("--only", multiple=True, metavar="ID[,ID]", help="These checks only, as in V01; may be repeated.")
@click.option("-x", "--exit-first", is_flag=True, help="Stop at the first failure.")
@click.option("--expect-fail", multiple=True, metavar="ID=REASON", help="A check that is known to fail, and why; may be repeated.")
@click.option("--time-limit", type=float, default=10.0, show_default=True, metavar="SECONDS", help="For one call of the subject.")
@click.option("--case", metavar="ID", help="One input of one check again, as in V01.3.")
@click.option("--why-tol", is_flag=True, help="Show how the tolerance is derived.")
@click.option("--html", type=click.Path(path_type=Path), metavar="FILE", help="Write a page with error curves as well.")
@click.option("--force", is_flag=True, help="Overwrite FILE even if lnsym did not write it.")
@click.option("--list", "listing", is_flag=True, help="List checks and mistakes.")
@click.option("--known", is_flag=True, help="Measure what is installed of the known implementations, and write the table.")
@click.option(
    "-o",
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("reports"),
    show_default=True,
    metavar="DIR",
    help="Where --known writes.",
)
@click.option("-v", "--verbose", is_flag=True, help="Show every check.")
@_as_json
@_no_color
def audit(**options: Any) -> int:
    """Audit SUBJECT: FILE.py:function, package.module:object, a class or module, or FILE.onnx.

    It runs in a process of its own and is compared with the exact oracle and with the laws of the book.
    """
    from lnsym.commands import audit as command

    return command.run(**options)


def _codes(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    """Completion of the codes of mistakes: the names of the files, so that nothing is imported."""
    files = (Path(__file__).parent / "audit" / "faults").glob("ln[0-9]*_*.py")
    return sorted(code for path in files if (code := path.stem.partition("_")[0].upper()).startswith(incomplete.upper()))


@cli.command(short_help="Explain a mistake such as LN101, or a check such as V01.")
@click.argument("code", shell_complete=_codes)
@_as_json
@_no_color
def explain(code: str, as_json: bool) -> int:
    """Explain CODE: a mistake such as LN101, a check such as V01, or the name of a theorem or lesson."""
    from lnsym.commands import explain as command

    return command.run(code=code, as_json=as_json)


def _lesson_names(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    """Completion of lesson names: the names of the files, so that nothing is imported."""
    files = (Path(__file__).parent / "lesson" / "course").glob("l[0-9]*_*.py")
    return [name for path in sorted(files) if (name := path.stem.partition("_")[2]).startswith(incomplete)]


@cli.command(short_help="Learn it, lesson by lesson.")
@click.argument("lesson", required=False, metavar="[NAME|NUMBER]", shell_complete=_lesson_names)
@click.option("--depth", type=click.IntRange(1, 3), help="1 the idea with numbers, 2 the derivation, 3 with lines to fill in.")
@click.option("--step", is_flag=True, help="Wait for Enter between steps.")
@click.option("--again", is_flag=True, help="Ask the tasks again that are solved.")
@click.option("--from", "own", type=click.Path(path_type=Path), metavar="FILE.py", help="A lesson of your own.")
@click.option("--web", is_flag=True, help="Write one offline page instead.")
@click.option("--notebook", is_flag=True, help="Write a Jupyter notebook instead.")
@click.option("-o", "--out", type=click.Path(path_type=Path), metavar="FILE", help="Where to write; default learn.html or learn.ipynb.")
@click.option("--force", is_flag=True, help="Overwrite FILE even if it is not as lnsym wrote it.")
@_no_color
def learn(**options: Any) -> int:
    """Show the course, or teach one lesson in the terminal: its idea, then tasks whose answers are marked by proof.

    Progress is kept after each answer. In a task, ? gives a hint and = the solution.
    """
    from lnsym.commands import learn as command

    return command.run(**options)


@cli.group(short_help="Handouts of the lessons.")
def lesson() -> None:
    """Lessons as handouts."""


@lesson.command("export")
@click.argument("name", metavar="NAME|FILE.py", shell_complete=_lesson_names)
@click.option("--format", "fmt", type=click.Choice(["md", "tex"]), default="md", show_default=True)
@click.option("--solutions", is_flag=True, help="With the whole derivation and the solutions.")
@click.option("-o", "--out", type=click.Path(path_type=Path), metavar="FILE", help="Write into FILE instead of to the terminal.")
@click.option("--force", is_flag=True, help="Overwrite FILE even if lnsym did not write it.")
@_no_color
def lesson_export(name: str, fmt: str, solutions: bool, out: Path | None, force: bool) -> int:
    """Print lesson NAME as a handout: Markdown, or LaTeX for pdflatex."""
    from lnsym.commands import lesson as command

    return command.run(name=name, fmt=fmt, solutions=solutions, out=out, force=force)


@cli.command()
@_as_json
@_no_color
def doctor(as_json: bool) -> int:
    """Tell which optional tools are here, and how to get them."""
    from lnsym import doctor as command

    return command.run(as_json=as_json)


# ---------------------------------------------------------------- the one way in and out


def main(args: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; an error becomes one line on stderr."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the caller, as in `lnsym list >&-`
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - for as long as the process runs
        reconfigure = getattr(getattr(sys, name), "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")  # a terminal without Unicode shows escapes instead of failing
    try:
        return int(cli.main(args=None if args is None else list(args), prog_name="lnsym", standalone_mode=False) or 0)
    except LnsymError as error:
        _say(str(error))
        return error.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return _BAD_INPUT
    except click.ClickException as error:
        context = getattr(error, "ctx", None)
        _say(f"{error.format_message().rstrip('.')}; see {context.command_path if context else 'lnsym'} --help")
        return _BAD_INPUT
    except (click.Abort, KeyboardInterrupt):
        _say("interrupted")
        return _INTERRUPTED
    except Exception as error:  # noqa: BLE001 - the last resort: a reader gets a sentence, the log gets the traceback
        if isinstance(error, ModuleNotFoundError) and error.name and error.name.split(".")[0] != "lnsym":
            _say(f"the package {error.name} is missing from this Python; `lnsym doctor` tells how to get what is missing")
            return _MISSING
        if isinstance(error, OSError) and error.errno in _NO_ROOM:
            _say(f"the output cannot be written: {error.strerror}; make room, or write elsewhere")
            return _BAD_INPUT
        _say(f"a bug in lnsym ({type(error).__name__}), not in your input; please report it with {_save_log(error)}.")
        return _OUR_BUG


def _say(message: str) -> None:
    click.echo(f"lnsym: {' '.join(message.split())}", err=True)


def _save_log(error: Exception) -> str:
    """Save the traceback; returns how to speak of the file."""
    import platform
    import tempfile
    import traceback

    import lnsym

    text = "".join(traceback.format_exception(error))
    head = f"lnsym {lnsym.__version__}, Python {platform.python_version()}, arguments {sys.argv[1:]!r}\n\n"
    try:
        with tempfile.NamedTemporaryFile("w", prefix="lnsym-", suffix=".log", delete=False, encoding="utf-8") as log:
            log.write(head + text)
    except OSError:
        return f"the last line of its traceback, since no log could be saved: {' '.join(text.splitlines()[-1].split())}"
    return f"the log {log.name}"
