"""The subject's side of the exchange: load the subject, then answer calls until the audit hangs up. Imports the wire and the subjects."""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from typing import Any, NoReturn

import numpy as np

from lnsym.audit import wire
from lnsym.audit.session import Answer, advice, answer
from lnsym.audit.subject import Subject, SubjectError
from lnsym.errors import LnsymError, MissingTool

_LOAD_LIMIT = 90  # seconds after which loading ends by itself: an orphan whose import hangs ends too
_GRACE = 5  # seconds after which a call ends the process by itself, counted from when the audit should have ended it


def main() -> NoReturn:
    """Run in a process of its own: `python -c ... FD`; the first message says what to load."""
    link = socket.socket(fileno=int(sys.argv[1]))
    request = wire.loads(wire.receive(link))
    sys.argv = [request["spec"].partition(":")[0]]
    sys.dont_write_bytecode = True  # an audit leaves nothing in the folder of its subject
    sys.path[:] = request["path"]

    def make() -> Subject:
        from lnsym.audit.subjects import from_request

        return from_request(request)

    serve(link, make, request["limit"])


def serve(link: socket.socket, make: Callable[[], Subject], limit: float) -> NoReturn:
    """Make the subject and answer for it. Never returns: the process ends when the audit does, or when the subject ends it."""
    os.set_inheritable(link.fileno(), False)
    sys.stdin, sys.stdout, sys.stderr = (open(k, mode, errors="backslashreplace", closefd=False) for k, mode in enumerate("rww"))  # noqa: SIM115
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    try:
        signal.alarm(_LOAD_LIMIT)
        subject = _made(link, make)
        signal.alarm(0)
        if subject is not None:
            _answer_calls(link, subject, limit)
    except (EOFError, ConnectionError):
        os._exit(0)
    except SystemExit as request:
        _flush(sys.stdout, sys.stderr)
        os._exit(request.code if isinstance(request.code, int) else 0 if request.code is None else 1)
    except BaseException:  # noqa: BLE001 the subject may raise anything; the audit sees how the process ended
        traceback.print_exc()
        _flush(sys.stdout, sys.stderr)
    os._exit(1)


def _made(link: socket.socket, make: Callable[[], Subject]) -> Subject | None:
    try:
        subject = make()
    except LnsymError as error:
        kind = "missing" if isinstance(error, MissingTool) else "subject" if isinstance(error, SubjectError) else "bug"
        wire.send(link, wire.dumps((kind, str(error))))
        return None
    except Exception:  # noqa: BLE001 a mistake of ours; the other side reports it with this text
        wire.send(link, wire.dumps(("bug", traceback.format_exc())))
        return None
    _flush(sys.stdout, sys.stderr)  # or the first call would seem to have printed it
    wire.send(link, wire.dumps(("ready", _plain(subject))))
    return subject


def _answer_calls(link: socket.socket, subject: Subject, limit: float) -> NoReturn:
    stdout, stderr = sys.stdout, sys.stderr
    libc = ctypes.CDLL(None)
    earlier: object = None
    copy = np.empty(0)
    while True:
        verb, arguments = wire.loads(wire.receive(link))
        signal.alarm(max(1, int(limit)) + _GRACE)  # an orphan that hangs ends too
        found = answer(subject, verb, arguments)
        signal.alarm(0)
        overwritten = earlier if isinstance(earlier, np.ndarray) and earlier.tobytes() != copy.tobytes() else None
        message = _packed(found, _plain(subject), overwritten)
        earlier = found.value
        copy = earlier.copy() if isinstance(earlier, np.ndarray) else np.empty(0)
        _flush(stdout, stderr, sys.stdout, sys.stderr)
        libc.fflush(None)
        wire.send(link, message)


def _packed(found: Answer, about: dict[str, Any], overwritten: object) -> bytes:
    """The answer, what is known of the subject, and the result before this one if the subject has written into it since."""
    try:
        return wire.dumps((vars(found), about, overwritten))
    except Exception as error:  # noqa: BLE001 anything may have come back
        what = str(error) if isinstance(error, wire.Unsendable) else f"a {type(found.value).__name__}"
        found.value, found.error = None, ("type", f"expected an array of numbers, got {what}{advice(found.value)}")
        return wire.dumps((vars(found), about, None))


def _plain(subject: Subject) -> dict[str, Any]:
    return asdict(subject.about)


def _flush(*streams: Any) -> None:
    for stream in streams:
        with suppress(Exception):  # the subject may have closed or replaced it
            stream.flush()
