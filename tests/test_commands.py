"""list, show and prove, as a reader meets them: words, widths, numbers, errors and exit codes."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import sympy as sp

from lnsym import library
from lnsym.cli import main
from lnsym.commands import prove as prove_command
from lnsym.commands.point import read, suggestion
from lnsym.commands.prove import Said, ask
from lnsym.commands.show import _place
from lnsym.derivation import Claim, Derivation, Example, at, chain, fold
from lnsym.lang import Eq, mean
from lnsym.view.columns import formula

ROOT = Path(__file__).resolve().parents[1]
BOOK = library.book()
POINT = "z=(1,2,3), eps=1/3"


class Ran:
    """What a command printed, and its exit code."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


Run = Callable[..., Ran]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """A command in this process."""

    def call(*args: str) -> Ran:
        code = main(list(args))
        return Ran(code, *capsys.readouterr())

    return call


def outside(folder: Path, *args: str, **env: str) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, in an empty folder."""
    return subprocess.run(
        [sys.executable, "-m", "lnsym", *args], cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT), **env}, text=True,
        capture_output=True, timeout=120,
    )  # fmt: skip


# ---------------------------------------------------------------- list


def test_list_names_everything_once(run: Run) -> None:
    done = run("list")
    assert (done.code, done.err) == (0, "")
    for name, (_, item) in library.entries(BOOK).items():
        (line,) = [line for line in done.out.splitlines() if line.startswith(f"  {name} ")]
        assert line.endswith(item.title)  # whole where the output is piped, so that a search finds it
    assert [line for line in done.out.splitlines() if re.match(r"\d+\. ", line)] == [f"{c.number}. {c.title}" for c in BOOK.chapters]
    assert done.out.splitlines()[-1].startswith("Next: lnsym show")


def test_list_on_a_terminal_fits_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from lnsym.commands import listing

    lines = list(listing._text(BOOK, 100))
    assert max(map(len, lines)) <= 100
    assert len(lines) > len(BOOK.derivations) + len(BOOK.records) + len(BOOK.chapters)
    narrow = list(listing._text(BOOK, 40))
    assert max(map(len, narrow)) <= 40
    assert narrow[8:11] == ["  core_eq_zero_iff S04", "    u = 0 if and only if v = 0; y = beta", "    if and only if gamma v = 0."]


def test_list_as_json(run: Run) -> None:
    data = json.loads(run("list", "--json").out)
    assert data["schema"] == "lnsym.list/1"
    assert {one["name"] for one in data["theorems"]} == set(BOOK.derivations)
    assert {one["name"] for one in data["records"]} == set(BOOK.records)
    assert [one["number"] for one in data["chapters"]] == sorted(one["number"] for one in data["chapters"])
    (one,) = [one for one in data["theorems"] if one["name"] == "variance_core_eq"]
    assert one["catalogue"] == ["S06"]
    assert one["claims"] == 2


# ---------------------------------------------------------------- show


def test_show_is_the_derivation_step_by_step(run: Run) -> None:
    done = run("show", "variance_core_eq")
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "variance_core_eq"
    assert "Given ε > 0" in lines
    assert "1. var(u) = q/(q + ε)  [proved for every d]" in lines
    steps = [line.strip() for line in lines if line.startswith(("     = ", "     var"))]
    assert steps == ["var(u)", "= mean(u²)", "= mean(v²)/s²", "= q/s²", "= q/(q + ε)"]
    assert "[theorem mean_core_eq_zero]" in done.out
    assert "Not true: var(u) = 1" in lines
    assert "it would say 1/5 = 1." in done.out
    assert lines[-1] == 'Next: lnsym show variance_core_eq --at "z=(1,2,3), eps=1/3"'


@pytest.mark.parametrize("name", sorted({*BOOK.derivations, *BOOK.records}))
def test_every_page_fits_80_columns(name: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from lnsym.commands import show

    monkeypatch.setattr(show, "find_counterexample", lambda *_: None)  # the search has its own tests
    done = run("show", name)
    assert (done.code, done.err) == (0, "")
    long = [line for line in done.out.splitlines() if len(line) > 80 and not line.startswith("Next: ")]
    assert long == []


def test_numbers_stand_beside_each_step(run: Run) -> None:
    done = run("show", "variance_core_eq", "--at", POINT)
    assert done.code == 0
    assert "At z = (1, 2, 3), ε = 1/3" in done.out
    chain_lines = [line for line in done.out.splitlines() if re.match(r"     (=|var)", line)]
    assert len(chain_lines) == 5
    assert all(re.search(r"→ 2/3$", line) for line in chain_lines)
    assert "→ 2/3 < 1" in done.out


def test_matrices_and_roots_are_exact(run: Run) -> None:
    done = run("show", "jacobian_core_eq", "--at", POINT)
    assert "→ ((1/3, -1/3, 0), (-1/3, 2/3, -1/3), (0, -1/3, 1/3))" in done.out
    assert done.out.count("→ the same numbers") == 6
    point = "W=((1,2),(0,1),(3,3)), g=(1,2), x=(1,1), gamma=(1,1,1), beta=(0,0,0), eps=2"
    assert "(-sqrt(14)/28, -sqrt(14)/4, 2*sqrt(14)/7)" in run("show", "core_recenter_weights", "--at", point).out


def test_a_part_whose_condition_fails_at_the_point_gets_no_numbers(run: Run) -> None:
    done = run("show", "integral_curve_eq", "--at", "t=1, eps=1/3")
    assert done.code == 0
    assert done.out.count("At this point the condition does not hold") == 1


def test_the_point_suggested_is_one_that_works(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from lnsym.commands import show

    monkeypatch.setattr(show, "find_counterexample", lambda *_: None)
    suggested = 0
    for name in BOOK.derivations:
        page = run("show", name)
        found = re.search(r'^Next: lnsym show \w+ --at "(.*)"$', page.out, re.MULTILINE)
        if found:
            suggested += 1
            done = run("show", name, "--at", found[1])
            assert (done.code, done.err) == (0, ""), f"{name} at {found[1]}: {done.err}"
            assert "→ " in done.out, name
    assert suggested > 60


@pytest.mark.parametrize(
    ("point", "message"),
    [
        ("z=(1,2,3)", 'the point leaves eps open; write for example --at "z=(1,2,3), eps=1/3"'),
        ("eps=1", 'the point leaves z open; write for example --at "z=(1,2,3), eps=1/3"'),
        ("z=(1,2,3), eps=-1", "variance_core_eq is stated for ε > 0, which does not hold at"),
        ("z=(1,2,3), eps=0", "variance_core_eq is stated for ε > 0, which does not hold at"),
        ("z=(1,2,3), eps=0.5", "exact numbers only: 0.5 is 1/2"),
        ("z=(1,2,3), eps=1/0", "divided by zero; change the denominator"),
        ("z=(1,2,3), eps=1, eps=2", "the point gives eps twice; remove one"),
        ("z=(1,2,3), q=1", "q is computed from the rest of the point; leave it out"),
        ("z=(1,2,3), x=1", "variance_core_eq does not speak of 'x'; it speaks of z and eps"),
        ("z=1, eps=1", "expected a bracket, since z is a vector, found '1' at position 3"),
        ("z=(1,2,3", "expected a comma or the closing bracket, found the end"),
        ("z=(1,2,3), eps=(1)", "expected a whole number or a fraction such as 1/3"),
        ("z=(1,,3), eps=1", "expected a whole number or a fraction such as 1/3"),
        ("", "expected a name, found the end"),
        ("__import__('os')", "does not speak of '__import__'"),
        ("z=" + "(" * 10_000, "the limit is 2000"),
        ("z=" + "(" * 1_000, "expected a whole number"),
        ("z=(" + "9" * 50 + "), eps=1", "a number of 50 digits is too long"),
        ("z=(" + "1," * 99 + "1), eps=1", "z has 100 entries, the limit is 64"),
        ("z=(1,2), eps=1, d=3", "d is the number of entries that the point gives; leave it out"),
        ("ε=1/3 ? z=(1,2,3)", "found '?' at position 7"),  # counted in what was typed, where eps is one letter
    ],
)  # fmt: skip
def test_a_bad_point_is_one_line_with_a_remedy(run: Run, point: str, message: str) -> None:
    started = time.process_time()
    done = run("show", "variance_core_eq", "--at", point)
    assert time.process_time() - started < 5  # a fraction of that on an idle machine
    assert (done.code, done.out) == (2, "")
    assert done.err.count("\n") == 1
    assert done.err.startswith("lnsym: ")
    assert message in done.err


def test_points_that_a_theorem_fixes_or_that_do_not_fit(run: Run) -> None:
    assert "fixes the entries of z itself" in run("show", "core_family_eq", "--at", "z=(1,2,3), t=1, eps=1").err
    unequal = run("show", "core_secant_identities", "--at", "z=(1,2), z'=(1,2,3), eps=1")
    assert unequal.code == 2
    assert "vectors of 2 and 3 entries" in unequal.err
    ragged = run("show", "core_recenter_weights", "--at", "W=((1,2),(1))")
    assert "the rows of W are not equally long" in ragged.err
    assert "--at puts numbers into the text" in run("show", "core_eq", "--at", POINT, "--format", "json").err


@pytest.mark.parametrize("name", ["variance_one_pass_eq", "statistics_merge_assoc", "core_secant_identities", "core_rounded_le"])
def test_a_point_as_shown_can_be_given_again(name: str) -> None:
    """With its Greek letters, primes and small digits, and with a minus sign as a printer writes it."""
    theorem = library.prove([name])[name]
    point = read(theorem, BOOK.theory, suggestion(theorem, BOOK.theory) or "")
    assert read(theorem, BOOK.theory, _place(point).replace("-", "−")) == point


def test_an_expectation_has_no_numbers(run: Run) -> None:
    done = run("show", "expectation_corrected_accumulator", "--at", "g=(1,2), beta1=1/3, beta2=1/3, c=1, t=1")
    assert (done.code, done.out) == (2, "")
    assert "speaks of expectations, and a point has one value for each name; leave out --at" in done.err


def test_latex_of_a_derivation(run: Run) -> None:
    done = run("show", "variance_core_eq", "--format", "latex")
    assert done.code == 0
    assert done.out.count("\\begin{align*}") == done.out.count("\\end{align*}") == 1
    assert "\\varepsilon" in done.out
    assert "theorem mean\\_core\\_eq\\_zero" in done.out
    assert done.out.count("{") == done.out.count("}")


@pytest.mark.parametrize(
    "name", ["variance_core_eq", "core_secant_identities", "core_recenter_weights", "core_conventions", "jacobian_core_eq"]
)
def test_sympy_text_runs_and_is_the_relation(run: Run, name: str) -> None:
    from lnsym.model import to_sympy

    done = run("show", name, "--format", "sympy")
    assert done.code == 0
    found: dict[str, object] = {}
    exec(done.out, found)
    for number, checked in enumerate(library.prove([name])[name].claims, 1):
        if isinstance(checked.claim, Claim) and checked.claim.relation is not None:
            wanted, got = to_sympy(checked.claim.relation), found[f"claim_{number}"]
            assert sp.srepr(got) == sp.srepr(wanted) or got == wanted, f"{name}, claim {number}"
        if isinstance(checked.claim, Example):
            for part, relation in enumerate(checked.claim.relations, 1):
                assert found[f"claim_{number}_{part}"] == to_sympy(relation)


def test_json_is_a_certificate_of_the_theorem_and_what_it_cites(run: Run) -> None:
    data = json.loads(run("show", "variance_core_eq", "--format", "json").out)
    assert [one["name"] for one in data["theorems"]] == ["mean_core_eq_zero", "variance_core_eq"]
    assert data["terms"]


def test_a_record(run: Run) -> None:
    done = run("show", "adam_paper")
    assert done.code == 0
    assert "Diederik P. Kingma" in done.out
    assert "nothing to prove" in done.out
    assert json.loads(run("show", "adam_paper", "--format", "json").out)["catalogue"] == "S51"
    refused = run("show", "adam_paper", "--format", "latex")
    assert (refused.code, refused.err) == (2, "lnsym: adam_paper is a record without formulas; leave out --format latex\n")
    refused = run("show", "adam_paper", "--at", POINT)
    assert (refused.code, refused.out, refused.err) == (2, "", "lnsym: adam_paper is a record without formulas; leave out --at\n")


@pytest.mark.parametrize("verb", ["show", "prove"])
def test_unknown_names(run: Run, verb: str) -> None:
    done = run(verb, "variance_core")
    assert (done.code, done.out) == (2, "")
    assert "the book has no theorem 'variance_core'; did you mean variance_core_eq" in done.err
    assert run(verb, "zzz").err == "lnsym: the book has no theorem 'zzz'; `lnsym list` names them all\n"
    assert "S28 is an id of the catalogue; name one of its entries: jacobian_core_eq" in run(verb, "S28").err


# ---------------------------------------------------------------- prove


def test_prove_the_whole_book(run: Run) -> None:
    done = run("prove")
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    for name in BOOK.derivations:
        assert sum(line.startswith(f"{name} ") for line in lines) == 1
    text = " ".join(done.out.split())
    assert f"{len(BOOK.derivations)} theorems, claims:" in text
    assert "of scalar calculus: not run; none failed." in text


def test_prove_one_theorem_shows_its_claims(run: Run) -> None:
    done = run("prove", "variance_core_eq")
    assert done.code == 0
    assert "1. if ε > 0: var(u) = q/(q + ε)" in done.out
    assert "[proved for every d: kernel]" in done.out
    assert "1 theorem (and 1 that it cites)" in done.out
    assert "mean_core_eq_zero " not in done.out


def test_prove_as_json(run: Run) -> None:
    data = json.loads(run("prove", "--json").out)
    assert data["schema"] == "lnsym.prove/1"
    assert set(data) == {"schema", "theorems", "counts", "failures"}
    assert {one["name"] for one in data["theorems"]} == set(BOOK.derivations)
    claims = [claim for one in data["theorems"] for claim in one["claims"]]
    assert all(set(one) == {"name", "catalogue", "claims", "ms"} for one in data["theorems"])
    assert all(set(claim) == {"statement", "status", "checked_by"} for claim in claims)
    assert sum(data["counts"].values()) == len(claims)
    judges = {re.sub(r" (for every d|at d = \d)$", "", claim["status"]): claim["checked_by"] for claim in claims}
    assert judges == {"proved": ["kernel"], "evaluated exactly": ["exact evaluation"], "scalar calculus": []}
    assert data["failures"] == []


def test_prove_leaves_sympy_out_unless_it_is_asked_for(tmp_path: Path) -> None:
    code = (
        "import sys; from lnsym.cli import main; code = main(['prove']); "
        "print(code, sorted({'sympy', 'numpy', 'mpmath', 'jinja2'} & set(sys.modules)))"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=env, text=True, capture_output=True)
    assert done.stdout.splitlines()[-1] == "0 []", done.stderr


def test_a_record_cannot_be_proved(run: Run) -> None:
    done = run("prove", "adam_paper")
    assert done.code == 2
    assert done.err == "lnsym: adam_paper is a record, there is nothing to prove; read it with `lnsym show adam_paper`\n"


def test_with_sympy(run: Run) -> None:
    done = run("prove", "variance_core_eq", "integral_curve_eq", "--with", "sympy", "--json")
    assert (done.code, done.err) == (0, "")
    found = {one["name"]: [claim["checked_by"] for claim in one["claims"]] for one in json.loads(done.out)["theorems"]}
    assert found["variance_core_eq"] == [["kernel", "SymPy at d = 1, 2, 3, 4"], ["kernel"]]
    assert found["integral_curve_eq"][2] == ["SymPy"]


# ---------------------------------------------------------------- a book that is not true


Tamper = Callable[[str, Derivation], None]


@pytest.fixture
def tampered(monkeypatch: pytest.MonkeyPatch) -> Tamper:
    """Put another derivation in the place of one, and forget what was proved."""

    def change(name: str, derivation: Derivation) -> None:
        chapter, _ = BOOK.derivations[name]
        monkeypatch.setattr(library, "_PROVED", {})
        monkeypatch.setattr(library, "book", lambda: replace(BOOK, derivations={**BOOK.derivations, name: (chapter, derivation)}))

    return change


def wrong_step() -> Derivation:
    from lnsym.derivations.definitions import eps, q, s, u, v

    from lnsym.derivation import square_of_root, unfold

    derivation = BOOK.derivations["variance_core_eq"][1]
    claim = Eq(mean(u**2), q / (q + 2 * eps))
    proof = (
        chain(mean(u**2))
        .to(mean(v**2) / s**2, by=unfold(u), why="u is v over s.")
        .to(q / s**2, by=fold(q), why="q names the mean.")
        .to(q / (q + 2 * eps), by=square_of_root(s), why="Wrong.")
    )
    return replace(derivation, claims=(Claim(claim, proof),))


def test_a_wrong_step_fails_with_theorem_step_and_rule(run: Run, tampered: Tamper) -> None:
    tampered("variance_core_eq", wrong_step())
    done = run("prove")
    assert done.code == 1
    (line,) = [line for line in done.out.splitlines() if line.startswith("failed: variance_core_eq")]
    assert "variance_core_eq, claim 1, step 3 (square of s): the step does not hold" in line
    assert "mean_core_eq_zero " in done.out  # the rest is proved all the same
    data = json.loads(run("prove", "--json").out)
    assert "variance_core_eq" in [one["name"] for one in data["failures"]]
    assert "variance_core_eq" not in [one["name"] for one in data["theorems"]]
    shown = run("show", "variance_core_eq")
    assert (shown.code, shown.out) == (1, "")
    assert "step 3 (square of s)" in shown.err


def test_what_cites_a_failed_theorem_fails_too(run: Run, tampered: Tamper) -> None:
    from lnsym.derivations.definitions import u

    derivation = BOOK.derivations["mean_core_eq_zero"][1]
    (first, *_) = [claim for claim in derivation.claims if isinstance(claim, Claim)]
    tampered("mean_core_eq_zero", replace(derivation, claims=(replace(first, relation=Eq(mean(u), 1)),)))
    done = run("prove", "variance_core_eq")
    assert done.code == 1
    assert "failed: mean_core_eq_zero" in done.out
    assert "failed: variance_core_eq: cites mean_core_eq_zero, which failed" in done.out


def test_a_false_example_fails(run: Run, tampered: Tamper) -> None:
    from lnsym.derivations.definitions import q

    derivation = BOOK.derivations["core_example_eps"][1]
    tampered("core_example_eps", replace(derivation, claims=(Example((Eq(q, 1),), at(z=(1, 2, 3), eps="1/3"), why="Wrong."),)))
    done = run("prove", "core_example_eps", "--json")
    assert done.code == 1
    data = json.loads(done.out)
    assert data["theorems"][0]["claims"][0] == {"statement": "at z = (1, 2, 3), ε = 1/3: q = 1", "status": "refuted", "checked_by": []}
    assert "core_example_eps, claim 1 (exact evaluation): q = 1 does not hold at" in data["failures"][0]["error"]


def test_a_disagreement_of_sympy_is_exit_1(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prove_command, "_asked", lambda *_: {("variance_core_eq", 1): Said("disagrees", (2,), "d = 2: at z_1 = 0")})
    done = run("prove", "variance_core_eq", "--with", "sympy")
    assert done.code == 1
    assert "failed: variance_core_eq, claim 1 (second opinion): SymPy disagrees with var(u) = q/(q + ε): d = 2" in done.out
    assert "[refuted: nobody]" in done.out


def test_the_question_that_a_worker_answers() -> None:
    theorem = library.prove(["variance_core_eq"])["variance_core_eq"]
    claim = theorem.claims[0].claim
    assert isinstance(claim, Claim)
    question = prove_command.Question(claim.relation, theorem.claims[0].given, "", BOOK.theory)
    assert ask(question) == Said("agrees", (1, 2, 3, 4), "")
    assert ask(prove_command.Question(None, (), "h_integral", BOOK.theory)) == Said("agrees")


# ---------------------------------------------------------------- from the outside


def test_in_a_process_of_its_own_in_an_empty_folder(tmp_path: Path) -> None:
    assert outside(tmp_path, "list").returncode == 0
    shown = outside(tmp_path, "show", "core_eq", "--at", "z=(1,2,3), eps=1/3, gamma=(1,1,1), beta=(0,0,0)", NO_COLOR="1")
    assert shown.returncode == 0, shown.stderr
    assert "\x1b" not in shown.stdout
    proved = outside(tmp_path, "prove", "core_eq")
    assert (proved.returncode, proved.stderr) == (0, "")
    assert list(tmp_path.iterdir()) == []


def test_colour_is_for_those_who_want_it(tmp_path: Path) -> None:
    assert "\x1b[1m" in outside(tmp_path, "list", FORCE_COLOR="1").stdout
    assert "\x1b" not in outside(tmp_path, "list", FORCE_COLOR="1", NO_COLOR="1").stdout
    assert "\x1b" not in outside(tmp_path, "list", "--no-color", FORCE_COLOR="1").stdout


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_ctrl_c_ends_the_workers_and_is_130(tmp_path: Path) -> None:
    running = subprocess.Popen(
        [sys.executable, "-m", "lnsym", "prove", "--with", "sympy"], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    time.sleep(4)
    os.killpg(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=120)
    assert running.returncode == 130, err
    assert out == ""
    assert err.strip() == "lnsym: interrupted"  # and nothing of the workers


# ---------------------------------------------------------------- layout


def test_formulas_break_where_few_brackets_are_open() -> None:
    long = "aaaa·(bbbb + cccc) + ‖dddd - eeee‖² + ffff"
    assert list(formula(long, 30)) == ["aaaa·(bbbb + cccc)", "+ ‖dddd - eeee‖² + ffff"]
    assert list(formula("short", 30, "1. ", "   ")) == ["1. short"]
    assert "".join(formula("x" * 50, 20)) == "x" * 50  # nowhere to break: left whole
    joined = " ".join(formula("z = (1, 2, 3), eps = 1/3, gamma = (1, 2, 3)", 24))
    assert joined == "z = (1, 2, 3), eps = 1/3, gamma = (1, 2, 3)"
