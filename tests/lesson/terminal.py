"""A pseudo-terminal of 80 columns in which a command runs, for tests that type as a learner does. Standard library only."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
from collections.abc import Mapping, Sequence

PROMPT = r"(?:> |: )$"
_CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r")


class Terminal:
    """A process on a terminal of its own; `said` is all that it printed, without control sequences."""

    def __init__(self, argv: Sequence[str], environment: Mapping[str, str], columns: int = 80) -> None:
        self.raw, self.code = "", -1
        self.seen = 0
        self.pid, self.screen = pty.fork()
        if self.pid == 0:
            os.execve(argv[0], list(argv), {**environment, "TERM": "dumb"})
        fcntl.ioctl(self.screen, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))

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
                os.kill(self.pid, signal.SIGKILL)
        _, status = os.waitpid(self.pid, 0)
        os.close(self.screen)
        self.code = os.waitstatus_to_exitcode(status)
        return self.code

    def stop(self) -> None:
        """End a process that still runs."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
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
