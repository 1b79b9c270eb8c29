"""Runners that keep the subject in a process of its own: time limits, crashes and prints of the subject are results. Imports the wire."""

from __future__ import annotations

import os
import select
import signal
import socket
import subprocess
import sys
import time
import warnings
import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from lnsym.audit import wire
from lnsym.audit.session import Answer
from lnsym.audit.subject import About, Subject, SubjectError
from lnsym.errors import MissingTool

LOAD_LIMIT = 60.0  # seconds; frameworks take some
PATIENCE = 3  # after so many ends of the process no further one is started
_KEPT = 2000  # bytes of what the subject prints in one call
_ONE_THREAD = {  # a run repeats, and two audits do not fight for the processor
    **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS", "NUMEXPR_NUM_THREADS"), "1"),
    "TF_CPP_MIN_LOG_LEVEL": "3",
}


class _Ended(Exception):
    """The process is gone, or was ended; kind and message are those of SubjectFailed."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind, self.message = kind, message


class Process(Protocol):
    """What is needed of a process."""

    pid: int

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end; the exit code, negative for a signal. TimeoutExpired where it does not end."""


class Link:
    """One running process of a subject: messages over a socket, what it prints over two pipes."""

    def __init__(self, start: Callable[[socket.socket, int, int], Process]) -> None:
        self._socket, theirs = socket.socketpair()
        (self._out, out), (self._err, err) = os.pipe(), os.pipe()
        try:
            self._process = start(theirs, out, err)
        except BaseException:
            self._close()
            raise
        finally:
            theirs.close()
            os.close(out)
            os.close(err)
        self._owner, self._open = os.getpid(), True
        self._printed = {self._out: bytearray(), self._err: bytearray()}
        self._listening = set(self._printed)

    def ask(self, message: bytes, limit: float) -> bytes:
        """Send a message and wait for the answer; _Ended where none comes, and then the process is gone."""
        for text in self._printed.values():
            text.clear()
        deadline = time.monotonic() + limit
        try:
            self._socket.settimeout(limit)
            wire.send(self._socket, message)
            while not self._wait(deadline):
                pass
            self._socket.settimeout(max(deadline - time.monotonic(), 0.1))
            reply = wire.receive(self._socket)
            while self._read(0):
                pass
        except TimeoutError:
            self.end()
            raise _Ended("hung", f"no answer within {limit:g} s") from None
        except (EOFError, ConnectionError):
            raise _Ended("crashed", self._how_it_ended()) from None
        except BaseException:
            self.end()
            raise
        return reply

    @property
    def printed(self) -> str:
        """What was printed during the last call."""
        return self._printed[self._out].decode(errors="replace")

    def end(self) -> int | None:
        """End the process with all that it started, and wait for it."""
        if not self._open or os.getpid() != self._owner:
            return None
        self._open = False
        for kill in (os.killpg, os.kill):
            with suppress(ProcessLookupError, PermissionError):
                kill(self._process.pid, signal.SIGKILL)
        code = self._process.wait()
        self._close()
        return code

    def _wait(self, deadline: float) -> bool:
        """Wait until the answer begins to arrive, reading what is printed meanwhile."""
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return self._socket.fileno() in self._read(left)

    def _read(self, seconds: float) -> set[int]:
        """Read what was printed, if anything comes within some seconds; which of our ends had something to read."""
        poll = select.poll()
        for fd in (*self._listening, *([self._socket.fileno()] if seconds else [])):
            poll.register(fd, select.POLLIN)
        ready = {fd for fd, _ in poll.poll(seconds * 1000)}
        for fd in ready & self._listening:
            text = os.read(fd, 1 << 16)
            kept = self._printed[fd]
            kept += text[: max(_KEPT - len(kept), 0)]
            if not text:  # closed on the other side
                self._listening.discard(fd)
        return ready

    def _how_it_ended(self) -> str:
        try:
            code = self._process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            self.end()
            return "the process closed its connection to the audit"
        while self._read(0):
            pass
        said = self._printed[self._err].decode(errors="replace").strip().splitlines()
        self.end()
        how = f"signal {-code} ({signal.Signals(-code).name})" if code < 0 else f"exit code {code}"
        return f"the process ended with {how}{f': {said[-1].strip()}' if said else ''}"

    def _close(self) -> None:
        self._socket.close()
        os.close(self._out)
        os.close(self._err)


class Apart(ABC):
    """A runner whose subject lives in another process, which is started again when the subject has brought it down."""

    def __init__(self, name: str, time_limit: float) -> None:
        self.name, self.time_limit = name, time_limit
        self._ends = self._answers = 0
        self._last: _Ended | None = None
        self._link: Link | None = None
        self._earlier: object = None
        self._about = self._begin()

    @abstractmethod
    def start(self, theirs: socket.socket, out: int, err: int) -> Process:
        """Start the process with its end of the socket, and the pipes in place of stdout and stderr."""

    @abstractmethod
    def request(self) -> bytes:
        """The first message: what to load."""

    @property
    def about(self) -> About:
        """What the subject is and takes, as of its last answer."""
        return self._about

    def ask(self, verb: str, arguments: Sequence[Any]) -> Answer:
        """Call the subject; no answer in time and the end of its process are answers too."""
        if self._last is not None and (self._ends >= PATIENCE or self._hangs_always):
            return Answer(error=(self._last.kind, self._last.message))
        message = wire.dumps((verb, tuple(arguments)))
        try:
            if self._link is None:
                self._about = self._begin()
            assert self._link is not None
            found, about, overwritten = wire.loads(self._link.ask(message, self.time_limit))
        except _Ended as end:
            return self._ended(end, self._link.printed if self._link else "")
        except SubjectError as error:  # it could be loaded once, and now cannot
            return self._ended(_Ended("crashed", str(error)), "")
        except BaseException:
            self.close()
            raise
        self._answers += 1
        self._about = About(**about)
        answer = Answer(**found)
        answer.printed = self._link.printed
        if overwritten is not None and isinstance(self._earlier, np.ndarray) and self._earlier.flags.writeable:
            self._earlier[...] = overwritten  # here as there, or nobody would see it
        self._earlier = answer.value
        return answer

    @property
    def _hangs_always(self) -> bool:
        """Whether the first call hung: to wait for further ones would only take time."""
        return self._answers == 0 and self._last is not None and self._last.kind == "hung"

    def close(self) -> None:
        """End the process."""
        if self._link is not None:
            self._link.end()
            self._link = None

    def _ended(self, end: _Ended, printed: str) -> Answer:
        self.close()
        self._earlier = None
        self._ends, self._last = self._ends + 1, end
        return Answer(error=(end.kind, end.message), printed=printed)

    def _begin(self) -> About:
        """Start a process and wait until the subject is loaded."""
        self._link = Link(self.start)
        weakref.finalize(self, self._link.end)
        try:
            kind, found = wire.loads(self._link.ask(self.request(), LOAD_LIMIT))
        except _Ended as end:
            self.close()
            if end.kind == "hung":
                raise SubjectError(f"{self.name} was not loaded within {LOAD_LIMIT:g} s: what does it do when it is imported?") from None
            raise SubjectError(f"{self.name} cannot be loaded: {end.message}") from None
        except BaseException:
            self.close()
            raise
        if kind == "ready":
            return About(**found)
        self.close()
        raise MissingTool(found) if kind == "missing" else SubjectError(found) if kind == "subject" else RuntimeError(found)


class Child(Apart):
    """A subject that is loaded by a fresh Python: nothing of this process is in its memory."""

    def __init__(self, request: Mapping[str, Any], name: str, time_limit: float = 10.0) -> None:
        self._request = wire.dumps({**request, "limit": time_limit})
        super().__init__(name, time_limit)

    def request(self) -> bytes:
        """What to load."""
        return self._request

    def start(self, theirs: socket.socket, out: int, err: int) -> Process:
        """Start Python on the serving module; -P keeps files of this folder from taking the place of the standard library."""
        here = str(Path(__file__).resolve().parents[2])  # where lnsym lies
        path = os.pathsep.join(filter(None, (os.environ.get("PYTHONPATH"), here)))
        return subprocess.Popen(
            [sys.executable, "-P", "-W", "ignore", "-c", "from lnsym.audit.serve import main; main()", str(theirs.fileno())],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            pass_fds=(theirs.fileno(),),
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": path, **{key: os.environ.get(key, value) for key, value in _ONE_THREAD.items()}},
        )


class Forked(Apart):
    """A callable of this process in a copy of it, for callables that have no place from which a fresh Python could load them."""

    def __init__(self, make: Callable[[], Subject], name: str, time_limit: float = 10.0) -> None:
        self._make = make
        super().__init__(name, time_limit)

    def request(self) -> bytes:
        """Nothing: the copy knows what it is."""
        return b""

    def start(self, theirs: socket.socket, out: int, err: int) -> Process:
        """Fork, and serve in the copy."""
        from lnsym.audit.serve import serve

        sys.stdout.flush()
        sys.stderr.flush()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about threads, of which NumPy's know what to do
            pid = os.fork()
        if pid:
            return _Copy(pid)
        try:
            os.setsid()
            nothing = os.open(os.devnull, os.O_RDONLY)
            for k, fd in enumerate((nothing, out, err)):
                os.dup2(fd, k)
            warnings.simplefilter("ignore")
            wire.receive(theirs)
            serve(theirs, self._make, self.time_limit)
        finally:
            os._exit(1)


class _Copy:
    """A forked process."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._code: int | None = None

    def wait(self, timeout: float | None = None) -> int:
        deadline = None if timeout is None else time.monotonic() + timeout
        while self._code is None:
            pid, status = os.waitpid(self.pid, 0 if deadline is None else os.WNOHANG)
            if pid:
                self._code = os.waitstatus_to_exitcode(status)
            elif deadline is not None and time.monotonic() > deadline:
                raise subprocess.TimeoutExpired("the subject", timeout or 0)
            else:
                time.sleep(0.002)
        return self._code
