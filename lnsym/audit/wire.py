"""Messages between the audit and a subject's process: builtins, arrays with their memory layout, and calls; nothing else gets through.

No message names a class, so that a subject which takes modules away or replaces them cannot disturb the exchange. Imports the calls.
"""

from __future__ import annotations

import ctypes
import io
import pickle
import socket
from dataclasses import fields
from typing import Any

import numpy as np

from lnsym.audit.call import Array, Call

_LENGTH = 8
_ALIGNED = 64  # an array starts as far from a multiple of this as it did on the other side


class Unsendable(TypeError):
    """A value that is neither a builtin nor an array of numbers; the text describes it."""


def dumps(message: object) -> bytes:
    """The message as bytes; Unsendable where it holds anything else than builtins, arrays and calls."""
    stream = io.BytesIO()
    _Pickler(stream, protocol=5).dump(message)
    return stream.getvalue()


def loads(data: bytes) -> Any:
    """The message that `dumps` wrote."""
    return _Unpickler(io.BytesIO(data)).load()


def send(link: socket.socket, data: bytes) -> None:
    """Write one message."""
    link.sendall(len(data).to_bytes(_LENGTH, "big") + data)


def receive(link: socket.socket) -> bytes:
    """Read one message; EOFError where the other side is gone."""
    return _exactly(link, int.from_bytes(_exactly(link, _LENGTH), "big"))


def _exactly(link: socket.socket, size: int) -> bytes:
    data = bytearray(size)
    view, got = memoryview(data), 0
    while got < size:
        more = link.recv_into(view[got:])
        if not more:
            raise EOFError
        got += more
    return bytes(data)


class _Pickler(pickle.Pickler):
    def persistent_id(self, value: object) -> object:
        if isinstance(value, (np.ndarray, np.generic)):
            return "array", *_laid_out(np.asarray(value))
        if type(value) is Call:
            return "call", {one.name: getattr(value, one.name) for one in fields(Call)}
        return None

    def reducer_override(self, value: object) -> Any:
        raise Unsendable(f"a {type(value).__name__}")


class _Unpickler(pickle.Unpickler):
    def persistent_load(self, value: Any) -> object:
        kind, *parts = value
        return _array(*parts) if kind == "array" else Call(**parts[0])

    def find_class(self, module: str, name: str) -> Any:
        raise pickle.UnpicklingError(f"{module}.{name} does not belong into a message")


def _laid_out(array: Array) -> tuple[object, ...]:
    """Type, shape and strides, and the memory from the first to the last byte that belongs to the array."""
    if array.dtype.hasobject or array.dtype.names is not None:
        raise Unsendable(f"an array of {array.dtype}")
    name = array.dtype.name if array.dtype.kind == "V" else array.dtype.str
    low, high = np.lib.array_utils.byte_bounds(array) if array.size else (array.ctypes.data, array.ctypes.data)
    start = array.__array_interface__["data"][0] - low
    return name, array.shape, array.strides, start, low % _ALIGNED, array.flags.writeable, ctypes.string_at(low, high - low)


def _array(name: str, shape: tuple[int, ...], strides: tuple[int, ...], start: int, past: int, writeable: bool, data: bytes) -> Array:
    if name == "bfloat16":
        import ml_dtypes  # noqa: F401 NumPy knows the name once this is imported
    memory = np.empty(len(data) + _ALIGNED, np.uint8)
    skip = (past - memory.ctypes.data) % _ALIGNED
    memory[skip : skip + len(data)] = np.frombuffer(data, np.uint8)
    array: Array = np.ndarray(shape, np.dtype(name), memory, skip + start, strides)
    array.flags.writeable = writeable
    return array
