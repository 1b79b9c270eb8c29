"""A pseudo-terminal of 80 columns in which a command runs, for tests that type as a learner does. Standard library only."""

from __future__ import annotations

import fcntl
import os
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping, Sequence

PROMPT = r"(?:> |: )$"
_TAKE = "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"
"""Makes the terminal the one whose keys send signals, then becomes the command. pty.fork would do both, in a copy of this
process; but one in which a framework has started threads must not be copied."""
_CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r")


class Terminal:
    """A process on a terminal of its own; `said` is all that it printed, without control sequences."""

    def __init__(self, argv: Sequence[str], environment: Mapping[str, str], columns: int = 80) -> None:
        self.raw, self.code = "", -1
        self.seen = 0
        self.screen, theirs = os.openpty()
        fcntl.ioctl(self.screen, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _TAKE, *argv],
            stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True, env={**environment, "TERM": "dumb"},
        )  # fmt: skip
        os.close(theirs)

    @property
    def said(self) -> str:
        """All that was printed."""
        return _CONTROL.sub("", self.raw)

    def until(self, expected: str = PROMPT, timeout: float = 60) -> str:
        """Wait until the text, a pattern, was printed since the last call; what was printed since then."""
        start, end = self.seen, time.monotonic() + timeout
        while not re.search(expected, self.said[start:]):
            if time.monotonic() > end or not self._read(end - time.monotonic()):
                raise AssertionError(f"waited for {expected!r}; the terminal says:\n{self.said[start:]}")
        self.seen = len(self.said)
        return self.said[start:]

    def type(self, line: str, expected: str = PROMPT) -> str:
        """Type a line and wait for what comes; what was printed."""
        os.write(self.screen, line.encode() + b"\n")
        return self.until(expected)

    def press(self, key: bytes) -> None:
        """Press one key; Ctrl-C and Ctrl-D have the numbers 3 and 4. Python sees a signal only once it waits for a key."""
        time.sleep(0.5)
        os.write(self.screen, key)

    def end(self, timeout: float = 30) -> int:
        """Wait for the end; the exit code."""
        end = time.monotonic() + timeout
        while self._read(end - time.monotonic()):
            if time.monotonic() > end:
                self._process.kill()
        self.code = self._process.wait()
        os.close(self.screen)
        return self.code

    def stop(self) -> None:
        """End a process that still runs."""
        self._process.kill()
        self._process.wait()
        os.close(self.screen)

    def _read(self, wait: float) -> bool:
        """Read what is there; False at the end."""
        ready, _, _ = select.select([self.screen], [], [], max(0.0, wait))
        try:
            data = os.read(self.screen, 65536) if ready else b""
        except OSError:  # Linux says so when the other side has closed
            return False
        self.raw += data.decode("utf-8", "replace")
        return bool(data) or not ready
