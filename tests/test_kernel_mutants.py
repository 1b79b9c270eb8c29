"""Every rule of the kernel is watched: with one of them weakened, the table of tests/kernel/battery.py no longer holds."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

import lnsym.kernel.normal
from tests.kernel.battery import ROWS_OF_TABLE, Kernel
from tests.kernel.mutants import MUTANTS, Mutant, modules


def failures(kernel: Kernel) -> Iterator[str]:
    """The rows of the table that do not hold, one after another; a kernel that breaks down holds none."""
    for row in ROWS_OF_TABLE:
        try:
            got = row.run(kernel)
        except Exception as error:  # noqa: BLE001 - a mutant may break in any way
            got = type(error).__name__
        if got != row.wanted:
            yield f"{row.name}: {got} instead of {row.wanted}"


def test_the_kernel_itself_passes() -> None:
    assert list(failures(Kernel(*modules()))) == []


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_mutant_is_killed(mutant: Mutant) -> None:
    assert next(failures(Kernel(*modules(mutant))), None), f"survives: {mutant.name}"


def test_a_mutant_leaves_the_kernel_alone() -> None:
    before = sys.modules["lnsym.kernel.normal"]
    modules(MUTANTS[0])
    assert sys.modules["lnsym.kernel.normal"] is before is lnsym.kernel.normal


def test_the_mutants_are_many_and_differ() -> None:
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS) >= 100
    assert all(mutant.old != mutant.new for mutant in MUTANTS)
