"""Subjects that misbehave, each in one way. Imports NumPy and what the misbehaviour needs."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def right(x: Array, eps: float = 1e-5) -> Array:
    """The layer norm that the others disturb."""
    centered = x - x.mean(-1, keepdims=True)
    core: Array = centered / np.sqrt((centered**2).mean(-1, keepdims=True) + eps)
    return core


def prints(x: Array) -> Array:
    print("hello", x.shape)  # noqa: T201
    sys.stderr.write("unheard")
    return right(x)


def prints_in_c(x: Array) -> Array:
    ctypes.CDLL(None).puts(b"from C")
    return right(x)


def prints_a_lot(x: Array) -> Array:
    os.write(1, b"y" * 5_000_000)
    return right(x)


def raises(x: Array) -> Array:
    raise ValueError("two\nlines")


def asks(x: Array) -> str:
    return input("your name?")


def recurses(x: Array) -> Array:
    return recurses(x)


def wants_too_much(x: Array) -> Array:
    return np.ones(1 << 55, np.uint8)


def gives_a_list(x: Array) -> Any:
    return right(x).tolist()


def gives_nothing(x: Array) -> None:
    pass


def gives_text(x: Array) -> str:
    return "y"


def gives_complex(x: Array) -> Array:
    return right(x) + 0j


def gives_objects(x: Array) -> Array:
    return right(x).astype(object)


def gives_a_generator(x: Array) -> Iterator[Array]:
    return (row for row in x)


def gives_a_function(x: Array) -> Any:
    return lambda: x


def gives_means(x: Array) -> Array:
    means: Array = x.mean(-1)
    return means


def writes(x: Array) -> Array:
    y = right(x)
    x[0] = 0
    return y


def in_place(x: Array) -> Array:
    x[...] = right(x)
    return x


_BUFFER = np.zeros((3, 6))


def reuses_its_result(x: Array) -> Array:
    _BUFFER[...] = right(x)
    return _BUFFER


def hangs(x: Array) -> Array:
    while True:
        pass


def hangs_in_c(x: Array) -> Array:
    ctypes.CDLL(None).sleep(1000)
    return x


def is_slow(x: Array) -> Array:
    time.sleep(0.2)
    return right(x)


def kills_itself(x: Array) -> Array:
    os.kill(os.getpid(), signal.SIGKILL)
    return x


def reads_address_0(x: Array) -> Array:
    ctypes.string_at(0)
    return x


def aborts(x: Array) -> Array:
    sys.stderr.write("kernel.c:12: width must be even\n")
    sys.stderr.flush()
    os.abort()


def exits(x: Array) -> Array:
    sys.exit(3)


def ends_at_once(x: Array) -> Array:
    os._exit(5)


def interrupts(x: Array) -> Array:
    raise KeyboardInterrupt


def goes_elsewhere(x: Array) -> Array:
    os.chdir("/")
    return right(x)


def takes_modules_away(x: Array) -> Array:
    y = right(x)
    sys.modules.clear()
    return y


def changes_numpy(x: Array) -> Array:
    y = right(x)
    np.sqrt = np.abs  # type: ignore[assignment]
    return y


def closes_its_output(x: Array) -> Array:
    sys.stdout.close()
    sys.stderr = None
    os.close(1)
    return right(x)


def closes_everything(x: Array) -> Array:
    os.closerange(3, 200)
    return right(x)


def starts_a_process(x: Array) -> Array:
    if os.fork() == 0:
        time.sleep(1000)
    return right(x)


class Random:
    """Another answer for every call."""

    def __call__(self, x: Array) -> Array:
        noise: Array = right(x) + np.random.default_rng().normal(size=x.shape)
        return noise
