"""`lnsym check`: what it prints, the JSON, the exit codes, and the caret under bad input."""

from __future__ import annotations

import json

import pytest

from lnsym.cli import main


def run(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    code = main(["check", *args])
    out, err = capsys.readouterr()
    return code, out, err


def test_proved(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "mean(u^2) = q/(q+eps)")
    assert (code, err) == (0, "")
    assert out.startswith("proved for every d >= 1 and eps > 0: mean(u^2) = q/(q+eps)\n")
    assert "next: lnsym " in out


def test_proved_with_needs(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "a*c/c = a")
    assert code == 0
    assert "  needs  c != 0\n" in out
    assert "next: state what is needed: lnsym check 'a*c/c = a' --given 'c != 0'\n" in out


def test_the_next_command_works(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "a*c/c = a", "--given", "c != 0")
    assert code == 0
    assert "needs" not in out


def test_refuted(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "rho <= 1/2")
    assert (code, err) == (1, "")
    assert out.splitlines() == [
        "refuted: rho <= 1/2",
        "  at     d = 2, z = (0, 2), eps = 1/2",
        "  left   2/3",
        "  right  1/2",
        "next: if a hypothesis is missing, give it: lnsym check 'rho <= 1/2' --given \"...\"",
    ]


def test_undecided(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "a > 0", "--given", "a > 0", "--given", "a < 0")
    assert (code, err) == (3, "")
    assert out.startswith("undecided: a > 0\n")
    assert "contradict each other?" in out
    assert "--given 'a > 0' --given 'a < 0'" in out


def test_a_vector_of_ones_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "norm(P(x))^2 <= norm(x)^2", "--vector", "x")[0] == 0


@pytest.mark.parametrize(
    ("statement", "given", "message", "column"),
    [("q = 0.5", (), "column 5: decimal number '0.5'", 5), ("q + = 1", (), "column 5: expected an operand", 5),
     ("u = 0", ("d >= 1, eps < 0",), "eps must be > 0, found eps < 0", 9), ("z = P", (), "unequal shapes", 3)],
)  # fmt: skip
def test_bad_input_shows_where(
    capsys: pytest.CaptureFixture[str], statement: str, given: tuple[str, ...], message: str, column: int
) -> None:
    code, out, err = run(capsys, statement, *(x for g in given for x in ("--given", g)))
    first, text, caret = err.splitlines()
    assert (code, out) == (2, "")
    assert first.startswith("lnsym: ")
    assert message in first
    assert text == (given[0] if given else statement)
    assert caret.index("^") == column - 1


def test_bad_input_without_a_place_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, " ")[2].count("\n") == 1  # where nothing was written, nothing is shown
    code, out, err = run(capsys, "1/(q - q) = 1")
    assert (code, out) == (2, "")
    assert err.splitlines() == ["lnsym: division by an expression that is zero, so that a side has no value. Change that part."]


def test_json_of_each_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    keys = ["schema", "verdict", "statement", "counterexample", "needs", "why"]
    expected = {"a*c/c = a": ("proved", 0), "rho <= 1/2": ("refuted", 1), "sqrt(-eps) = sqrt(-eps)": ("undecided", 3)}
    for statement, (verdict, exit_code) in expected.items():
        code, out, err = run(capsys, statement, "--json")
        data = json.loads(out)
        assert (code, err, data["schema"], data["verdict"]) == (exit_code, "", "lnsym.check/1", verdict)
        assert list(data) == keys
        assert data["statement"] == statement
        assert (data["counterexample"] is not None) == (verdict == "refuted")
        assert bool(data["why"]) == (verdict == "undecided")
    assert json.loads(run(capsys, "a*c/c = a", "--json")[1])["needs"] == ["c != 0"]


def test_json_of_a_counterexample(capsys: pytest.CaptureFixture[str]) -> None:
    point = json.loads(run(capsys, "rho <= 1/2", "--json")[1])["counterexample"]
    assert point == {"d": 2, "z": ["0", "2"], "eps": "1/2", "kind": "<=", "left": "2/3", "right": "1/2"}
    assert json.loads(run(capsys, "u_i = 0", "--json")[1])["counterexample"]["at"] == {"i": 1}


def test_bad_input_with_json_is_one_line_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "q = 0.5", "--json")
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1


def test_a_statement_may_begin_with_a_minus(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "-q <= 0")[0] == 0
