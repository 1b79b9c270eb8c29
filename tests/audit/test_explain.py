"""`lnsym explain`: every mistake and every check is explained at 80 columns; what is unknown is met with near names."""

from __future__ import annotations

import json
import re

import pytest

from lnsym import library
from lnsym.audit.check import checks
from lnsym.audit.explain import explain, lines, unfitted
from lnsym.audit.fault import faults
from lnsym.audit.subject import SubjectError
from lnsym.cli import main


def test_a_mistake_is_explained_whole(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "ln101"]) == 0
    said = capsys.readouterr().out
    assert said.splitlines()[0] == "LN101  eps is added to the standard deviation, not to the variance"
    order = [
        "It computes  weight*(x - mean)/(sqrt(var) + eps) + bias",
        "Right is     weight*(x - mean)/sqrt(var + eps) + bias",
        r"In LaTeX     u = \frac{v}{\sqrt{q} + \varepsilon}",
        r"in place of  u = \frac{v}{\sqrt{q + \varepsilon}}",
        "Why it slips through",
        "Repair",
        "Smallest exact witness: x = (0, 2), eps = 3",
        "        yours  exact",
        "  y[0]   -1/4   -1/2",
        "  y[1]    1/4    1/2",
        "Theorems  core_outside_eq",
        "tracel-ai/burn#2185",
        "Next: lnsym show core_outside_eq",
    ]
    places = [said.find(text) for text in order]
    assert -1 not in places, order[places.index(-1)]
    assert places == sorted(places)


@pytest.mark.parametrize("code", [*faults(), *checks()])
def test_every_code_is_explained_at_80_columns(code: str) -> None:
    found = explain(code)
    said = list(lines(found))
    assert said[0].startswith(f"{code}  ")
    assert max(map(len, said)) <= 80 or any(" " not in line.strip() for line in said if len(line) > 80)
    assert "  \n" not in "\n".join(said)
    assert ["", ""] not in [said[k : k + 2] for k in range(len(said))]
    assert not re.search(r"\{\w+(:[^}]*)?\}", found["title"])
    assert "\\wrong" not in "\n".join(said)
    assert json.loads(json.dumps(found)) == found
    assert found["next"]


@pytest.mark.parametrize("code", [code for code, fault in faults().items() if fault.kind in ("function", "gradient")])
def test_a_wrong_formula_has_the_right_one_beside_it(code: str) -> None:
    found = explain(code)
    assert found["right"]["text"]
    assert found["right"]["text"] != found["computes"]["text"]
    if faults()[code].kind == "gradient" and found["witness"]:
        assert found["witness"]["quantity"].partition("[")[0] in found["right"]["text"]


def test_a_check_names_its_theorem_and_how_to_run_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "V01"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    name = checks()["V01"].theorem
    assert f"By the theorem {name}: {library.book().derivations[name][1].title}" in said
    assert "Next: lnsym audit FILE.py:function --only V01" in said


def test_what_a_check_needs_and_when_it_counts_is_told() -> None:
    strict = next(one for one in checks().values() if one.strict)
    assert "--range full" in " ".join(lines(explain(strict.code)))
    needy = next(one for one in checks().values() if "vjp" in one.needs)
    assert "a subject with" in " ".join(lines(explain(needy.code)))
    assert "gradients" in " ".join(lines(explain(needy.code)))


def test_a_theorem_is_left_to_show(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "variance_core_eq"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "Next: lnsym show variance_core_eq"


def test_json_holds_what_the_text_says(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "LN101", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["schema"] == "lnsym.explain/1"
    assert data["is"] == "mistake"
    assert data["witness"] == {"x": ["0", "2"], "eps": "3", "quantity": "y", "yours": ["-1/4", "1/4"], "exact": ["-1/2", "1/2"]}
    assert data["right"]["latex"] == r"u = \frac{v}{\sqrt{q + \varepsilon}}"


@pytest.mark.parametrize(
    ("code", "hint"),
    [
        ("LN1010", "did you mean LN101"),
        ("V0l", "did you mean V01"),
        ("variance_core_e", "did you mean variance_core_eq"),
        ("###", "`lnsym audit --list` shows all"),
    ],
)
def test_an_unknown_code_is_met_with_near_names(code: str, hint: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", code]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"lnsym: explain: there is no mistake, check or theorem '{code}'")
    assert hint in said.err
    with pytest.raises(SubjectError):
        explain(code)


def test_constants_are_shown_by_name() -> None:
    assert unfitted("dx is {factor:.4g} times, shift {shift}, {offset:+d}") == "dx is factor times, shift shift, offset"


def test_a_lesson_is_explained_by_where_it_is_taught(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "core_variance"]) == 0
    assert "lesson of the course" in (said := capsys.readouterr().out)
    assert said.endswith("Next: lnsym learn core_variance\n")
