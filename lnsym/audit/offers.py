"""What a subject answers and offers, found by ordinary calls before any check. Imports the records and inputs of the checks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from lnsym.audit.asked import Options
from lnsym.audit.call import Call
from lnsym.audit.checks.inputs import gains, like, make, offsets
from lnsym.audit.session import Answer, Runner, Session
from lnsym.audit.subject import About, SubjectError, SubjectFailed

FORMATS = ("float64", "float32", "float16", "bfloat16")
HALF = ("float16", "bfloat16")  # audited only where asked for, or where the subject takes nothing else
NO_GRADIENT = "does not require grad"  # what torch says of an output that no gradient flows through
LACKS = {
    "weight": "it takes no weight",
    "bias": "it takes no bias",
    "eps": "it takes no eps",
    "axis": "it takes no axis",
    "mask": "it takes no mask",
    "vjp": "no gradient given: add --grad FILE.py:function",
    "jvp": "it has no derivative along a direction",
    "double": "it has no double backward",
    "widths": "it takes one width only",
    "half": "half formats were not asked for: add --dtype float64,float32,float16",
    "several": "it takes one format only",
}

ORDINARY = np.array([[1.0, 2.0, 4.0, 9.0], [0.0, 3.0, 3.0, -5.0]])


def session_of(runner: Runner, options: Options, formats: tuple[str, ...] = ("float64",)) -> Session:
    """A session for these options."""
    return Session(runner, options.seed, formats, options.eps, options.axis, options.full_range)


def ordinary(session: Session, fmt: str, rank: int | None = None) -> Call:
    """A call that every layer norm of its width answers, if it takes so many axes."""
    others = None if rank is None else rank - len(session.axis)
    batch = None if others is None else (2, *[1] * (others - 1)) if others else ()
    return make(session, ORDINARY, eps=session.eps, fmt=fmt, batch=batch)


@dataclass
class _OneRank:
    """A subject that answers one number of axes only."""

    runner: Runner
    rank: int

    @property
    def about(self) -> About:
        return replace(self.runner.about, rank=self.rank)

    def ask(self, verb: str, arguments: Sequence[Any]) -> Answer:
        return self.runner.ask(verb, arguments)

    def close(self) -> None:
        self.runner.close()


def _narrowed(session: Session, fmt: str) -> None:
    """Note it where the subject takes matrices only, or arrays of one, three or four axes only: the others it may refuse."""
    if session.about.rank is not None:
        return
    least = max(len(session.axis), *(axis + 1 if axis >= 0 else -axis for axis in session.axis))
    answers = {rank: _refusal(session, ordinary(session, fmt, rank)) for rank in (2, 1, 3, 4) if rank >= least}
    if answers.get(2) == "raised" and len(session.axis) == 1:
        square = make(session, np.resize(ORDINARY, (4, 4)), eps=session.eps, fmt=fmt, batch=(4,))
        if not _refusal(session, square):
            return  # it is no number of axes that it refuses: an axis that was dropped fits a square by chance
    if answers.pop(2, "shape") in ("raised", "shape"):
        taken = [rank for rank in (1, 3, 4) if answers.get(rank) == ""]
    else:
        taken = [2] if set(answers.values()) == {"raised"} else []
    if len(taken) == 1:
        session.runner = _OneRank(session.runner, taken[0])


def _refusal(session: Session, call: Call) -> str:
    """How a call fails: raised, shape, ...; nothing where it is answered."""
    try:
        session.forward(call)
    except SubjectFailed as error:
        return error.kind
    return ""


def formats_of(session: Session, options: Options) -> tuple[tuple[str, ...], list[str], str]:
    """The formats to audit, what is to be said about the others, and why the subject cannot be audited at all."""
    whole = tuple(one for one in session.about.formats if one not in HALF)
    wanted = options.formats or whole or session.about.formats
    if unknown := [one for one in wanted if one not in FORMATS]:
        raise SubjectError(f"--dtype {unknown[0]}: expected one of {', '.join(FORMATS)}")
    answered: list[str] = []
    notes: list[str] = []
    broken = ""
    for fmt in wanted:
        try:
            if not answered:
                _narrowed(session, fmt)
            answer = session.forward(ordinary(session, fmt))
        except SubjectFailed as error:
            broken = broken or str(error)
            if fmt == wanted[0] and (options.formats or error.kind != "raised"):
                break
            notes.append(f"{fmt} was not audited: {error}")
            continue
        except ModuleNotFoundError:
            notes.append(f"{fmt} was not audited: ml_dtypes is missing, pip install ml-dtypes")
            continue
        if answer.dtype.name != fmt and not options.formats and answered:
            notes.append(f"{fmt} was not audited: it answers {fmt} in {answer.dtype.name}; ask for it with --dtype {fmt}")
            continue
        answered.append(fmt)
    return (tuple(answered), notes, "") if answered else (wanted[:1], [], broken)


def offers_of(session: Session, broken: str = "") -> tuple[frozenset[str], dict[str, str]]:
    """What the subject offers, in the words of a check's needs; and of which derivatives it refuses even an ordinary one, and how."""
    about = session.about
    refused = {} if broken else _refused(session)
    offered = set(about.takes) | (set(about.gradients) - set(refused))
    if about.width is None:
        offered.add("widths")
    if about.rank is None:
        offered.add("ranks")
    if any(one in HALF for one in session.formats):
        offered.add("half")
    if len(session.formats) > 1:
        offered.add("several")
    return frozenset(offered), refused


def _refused(session: Session) -> dict[str, str]:
    """The derivatives that raise for ordinary rows with a weight and a bias. A gradient may raise where the output carries none."""
    rows = make(session, ORDINARY, gains(4), offsets(4), 0.25)
    dy = like(rows, rows.flat(np.ones(rows.x.shape)))
    derivatives: dict[str, Callable[[], object]] = {
        "vjp": lambda: session.gradient(rows, dy),
        "jvp": lambda: session.jvp(rows, dy),
        "double": lambda: session.double(rows, dy, dy),
    }
    refused: dict[str, str] = {}
    for need, derivative in derivatives.items():
        if need not in session.about.gradients:
            continue
        try:
            derivative()
        except SubjectFailed as error:
            if error.kind == "raised" and (need != "vjp" or NO_GRADIENT in str(error)):
                refused[need] = f"{LACKS[need].partition(':')[0]}: {error}"
    return refused


def lacks(need: str, session: Session) -> str:
    """Why a check is not run on a subject that does not offer what the check needs."""
    if need == "vjp" and session.about.framework == "onnx":
        return "an ONNX file has no gradient"
    if need == "ranks":
        return f"it takes inputs of {session.about.rank} {'axis' if session.about.rank == 1 else 'axes'} only"
    return LACKS.get(need, f"it has no {need}")


def how_it_was_called(session: Session) -> list[str]:
    """What to say where an ordinary call is refused: with what shapes, and whether one along axis 1 is not, as in images."""
    call = ordinary(session, session.format)
    shape = tuple(call.x.shape[axis] for axis in call.axes)
    given = " and ".join(word for word in ("weight", "bias") if word in session.about.takes)
    notes = [f"it was called with x of shape {call.x.shape}" + (f", {given} of shape {shape}, where it needs them" if given else "")]
    other = replace(session, axis=(1,))
    ranks = [rank for rank in (4, 3) if session.axis == (-1,) and not _refusal(other, ordinary(other, session.format, rank))]
    notes += [f"it answers inputs of {rank} axes along axis 1; if that is the axis that it normalizes: --axis 1" for rank in ranks[:1]]
    return notes
