"""Opening subjects in tests: whatever is opened is closed, and no process is left."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from lnsym.audit.call import Array, Call
from lnsym.audit.session import Runner, Session
from lnsym.audit.subjects import open_subject

Open = Callable[..., Session]


@pytest.fixture
def opened() -> Iterator[Open]:
    """`open_subject` that gives a session."""
    runners: list[Runner] = []

    def open_one(what: object, **options: object) -> Session:
        runners.append(open_subject(what, **options))  # type: ignore[arg-type]
        return Session(runners[-1])

    yield open_one
    for runner in runners:
        runner.close()
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


@pytest.fixture
def call() -> Call:
    """Three rows with a weight that is not 1 and a bias that is not 0."""
    return Call(rows(3, 6), rows(6) + 1, rows(6), 0.25)


def rows(*shape: int, seed: int = 0) -> Array:
    """Random numbers."""
    return np.random.default_rng((seed, *shape)).normal(size=shape)
