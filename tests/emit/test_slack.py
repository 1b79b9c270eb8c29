"""The rounding tests of the exact tier: none lets a wrong component through, and the table of their slack is that of the emitted text."""

from __future__ import annotations

import json

import pytest

from tests.emit import slack
from tests.emit.modules import source
from tests.emit.mutate import failure, loaded

REMEDY = "the exact tier has changed: run `python -m tests.emit.slack`, look at the table, and commit it"
TEXT = """\
_U = 2.0**-53
_A_SLACK = 4.0
_B_ERROR = _U * 8.0
_OTHER = 3.0


def _layer_norm_rows(x):
    return _bound(x) + _A_SLACK * _U * x + _B_ERROR


def _bound(x):
    return 5.0 * _U * _U * x * _OTHER


def _unused(x):
    return _U
"""


def table() -> dict[str, dict[str, object]]:
    """The committed rows by name."""
    return {row["name"]: row for row in json.loads(slack.TABLE.read_text(encoding="utf-8"))["constants"]}


def test_the_constants_are_found_and_scaled() -> None:
    found = {one.name: one for one in slack.constants(TEXT)}
    assert {name: one.value for name, one in found.items()} == {
        "_A_SLACK": "4.0",
        "_B_ERROR": "_U * 8.0",
        "_layer_norm_rows 1": "_A_SLACK * _U * x",
        "_bound 1": "5.0 * _U * _U * x * _OTHER",
    }
    unit, x = 2.0**-53, 3.0
    values = {name: loaded(one.scaled(0.5))["_layer_norm_rows"](x) / unit for name, one in found.items()}
    square = 45 * unit
    assert values == {
        "_A_SLACK": pytest.approx(14 + square),
        "_B_ERROR": pytest.approx(16 + square),
        "_layer_norm_rows 1": pytest.approx(14 + square),
        "_bound 1": pytest.approx(20 + square / 2),
    }


def test_the_first_wrong_power_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    one = next(slack.constants(TEXT))
    for first, expected in ((1, 1), (7, 7), (slack.LAST, slack.LAST)):
        monkeypatch.setattr(slack, "wrong_at", lambda _, factor, __, first=first: factor <= 2.0**-first)
        assert slack.first_wrong(one, []) == expected
    monkeypatch.setattr(slack, "wrong_at", lambda _, factor, __: factor == 0)
    assert slack.first_wrong(one, []) == slack.LAST + 1
    monkeypatch.setattr(slack, "wrong_at", lambda *_: False)
    assert slack.first_wrong(one, []) is None


def test_the_table_is_that_of_the_emitted_text() -> None:
    assert {name: row["value"] for name, row in table().items()} == {one.name: one.value for one in slack.choices(source("exact"))}, REMEDY
    assert all(row["wrong at"] is None or 1 <= row["wrong at"] <= slack.LAST + 1 for row in table().values())  # type: ignore[operator]


def test_no_component_is_wrong_at_the_derived_constants_and_some_are_without_them() -> None:
    """The rows are near enough to rounding boundaries: without all bounds at once, the float64 and the float32 stages are found out."""
    for form in ("float64", "float32"):
        probes = slack.battery(16, (form,))
        assert failure(loaded(compile(source("exact"), "<exact>", "exec")), "exact", probes) is None
        assert failure(loaded(slack.together(source("exact")).scaled(0.0)), "exact", probes)


@pytest.mark.full
def test_no_component_of_the_whole_battery_is_wrong() -> None:
    assert failure(loaded(compile(source("exact"), "<exact>", "exec")), "exact", slack.battery()) is None
