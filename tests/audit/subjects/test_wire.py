"""Messages keep values, memory layout and alignment, and let nothing through that runs code."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from lnsym.audit import wire
from lnsym.audit.call import Array, Call

BASE = np.arange(40.0).reshape(5, 8)
ARRAYS = {
    "plain": BASE,
    "transposed": BASE.T,
    "backwards": BASE[::-1, ::-1],
    "a view": BASE[1:3, 3:7:2],
    "expanded": np.broadcast_to(BASE[0], (3, 8)),
    "empty": BASE[:0],
    "a number": np.asarray(3.0),
    "big-endian": BASE.astype(">f4"),
    "booleans": BASE > 7,
    "halves": BASE.astype(np.float16)[:, 1:],
}


@pytest.mark.parametrize("name", ARRAYS)
def test_an_array_arrives_as_it_lay(name: str) -> None:
    array: Array = ARRAYS[name]
    found = wire.loads(wire.dumps((array,)))[0]
    assert found.tobytes() == array.tobytes()
    assert (found.shape, found.strides, found.dtype) == (array.shape, array.strides, array.dtype)
    assert found.flags.writeable == array.flags.writeable
    assert not array.size or (found.ctypes.data - array.ctypes.data) % 64 == 0


def test_what_lies_between_the_entries_of_a_view_travels_too() -> None:
    found = wire.loads(wire.dumps(BASE[:2, ::2]))
    beside = np.lib.stride_tricks.as_strided(found, (2, 7), (64, 8))
    assert (beside == BASE[:2, :7]).all()


def test_bfloat16_arrives() -> None:
    import ml_dtypes

    array = BASE.astype(ml_dtypes.bfloat16)
    found = wire.loads(wire.dumps(array))
    assert found.dtype == array.dtype
    assert (found == array).all()


def test_calls_and_builtins_arrive() -> None:
    call = Call(BASE, weight=BASE[0], eps=0.25, axis=(0, 1))
    found, more = wire.loads(wire.dumps((call, {"a": [1, None, 2.5, "b", b"c", frozenset({"d"})]})))
    assert type(found) is Call
    assert (found.x == BASE).all()
    assert (found.eps, found.axis, found.bias) == (0.25, (0, 1), None)
    assert more == {"a": [1, None, 2.5, "b", b"c", frozenset({"d"})]}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (object(), "a object"),
        ((k for k in "ab"), "a generator"),
        (print, "a builtin_function_or_method"),
        (np.array([None]), "an array of object"),
        ([Call], "a type"),
    ],
)
def test_anything_else_is_not_sent(value: object, text: str) -> None:
    with pytest.raises(wire.Unsendable) as error:
        wire.dumps(value)
    assert str(error.value) == text


def test_a_message_cannot_name_code() -> None:
    with pytest.raises(pickle.UnpicklingError, match="does not belong into a message"):
        wire.loads(pickle.dumps(print))
