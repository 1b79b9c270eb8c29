"""The parts of a report, each by itself: sentences, line breaks, SymPy source, points, files, opinions."""

from __future__ import annotations

import os
import signal
import stat
from fractions import Fraction
from pathlib import Path

import pytest
from lnsym.derivations.definitions import THEORY, J, a, eps, q, s, u, v, z

from lnsym.derivation import at
from lnsym.errors import DerivationError
from lnsym.kernel.terms import COORDINATES, ROWS, Components, Hypothesis, Relation, lift
from lnsym.lang import Eq, Lt, i, j, jacobian, matrix, mean, positive, sqrt, var
from lnsym.report import numbers, words
from lnsym.report.build import _pool
from lnsym.report.files import ForeignFolder, Unwritable, differences, write
from lnsym.report.glossary import FRAMEWORKS, glossary
from lnsym.report.html import _plain
from lnsym.report.opinions import Question, answer
from lnsym.report.source import source
from lnsym.report.tex import inline, prose
from lnsym.surd import Surd
from lnsym.view.breaking import lines, width
from lnsym.view.typeset import typeset

# ---------------------------------------------------------------- sentences


def test_a_title_on_the_map_is_read_as_it_is_meant() -> None:
    told = _plain(typeset("J v = eps/(q + eps)^(3/2) v is eps^(-1/2)-Lipschitz; eta1 -> -sqrt(d), re-centering v^2 by z^T"))
    assert told == "J v = ε/(q + ε)^(3/2) v is ε^(−1/2)-Lipschitz; η₁ → −√d, re-centering v² by zᵀ"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The variance is q/(q + eps), not 1.", r"The variance is $q/(q + \varepsilon)$, not 1."),
        ("as an eigenvector of J", "as an eigenvector of $J$"),
        ("The core's mean is a number.", "The core's mean is a number."),
        ("a > 0, and a comes out", "$a > 0$, and $a$ comes out"),
        ("the core of az + c1", r"the core of $az + c\mathbf 1$"),
        ("h'' = -2 eps t/(2t^2/3 + eps)^(5/2)", r"$h'' = -2\,\varepsilon\,t/(2t^{2}/3 + \varepsilon)^{5/2}$"),
        ("moves v_i by delta_ij", r"moves $v_{i}$ by $\delta_{ij}$"),
        ("on z = (-t, 0, t)", "on $z = (-t, 0, t)$"),
        ("The rank-one term, 1/root", "The rank-one term, 1/root"),
        ("already $x_i$ and `q/eps`", "already $x_i$ and `q/eps`"),
        ("mean(g u) is cov(g, u)", r"$\operatorname{mean}(g\,u)$ is $\operatorname{cov}(g, u)$"),
        ("d >= 2 and q != 0", r"$d \ge 2$ and $q \ne 0$"),
        ("(unbalanced q + (", "(unbalanced $q$ + ("),
        ("|J h| <= |h|/sqrt(eps)", r"$|J\,h| \le |h|/\sqrt{\varepsilon}$"),
        ("mu = (1/d) sum z_i and v = z - mu 1", r"$\mu = (1/d)\,\sum_i z_{i}$ and $v = z - \mu\,\mathbf 1$"),
        ("The sum of v is 0 or |a.", "The sum of $v$ is 0 or |$a$."),
        ("By Jimmy Lei Ba: t -> u(z + t h)", r"By Jimmy Lei Ba: $t \mapsto u(z + t\,h)$"),
        ("norm_core_sub_core_le says so", "`norm_core_sub_core_le` says so"),
        ("by Diederik P. Kingma, at P. It is", "by Diederik P. Kingma, at $P$. It is"),
        ("J (J - I/s) = 0 and I say", r"$J\,(J - I/s) = 0$ and I say"),
        ("<u - u', v - v'> is at most c |h|", r"$\langle u - u', v - v'\rangle$ is at most $c\,|h|$"),
        ("max|gamma| and ker P and r.x", r"$\operatorname{max}\,|\gamma|$ and $\operatorname{ker}\,P$ and $r \cdot x$"),
        ("Weight re-centering is eps^(-1/2)-Lipschitz", r"Weight re-centering is $\varepsilon^{-1/2}$-Lipschitz"),
        ("both stretch by <= 1/eps", r"both stretch by $\le 1/\varepsilon$"),
        ("q + eta1 (q + mu^2), where eta1 is -b1", r"$q + \eta_1\,(q + \mu^{2})$, where $\eta_1$ is $-b_1$"),
        ("K_i u_i and C_i; A_n with two means", r"$K_{i}\,u_{i}$ and $C_{i}$; $A_{n}$ with two means"),
        ("", ""),
    ],
)
def test_mathematics_in_a_sentence_is_set_as_mathematics(text: str, expected: str) -> None:
    assert typeset(text) == expected


def test_latex_prose_escapes_what_is_not_mathematics() -> None:
    assert prose("50% of $a_1$ & `x_1`, “so”") == r"50\% of $a_1$ \& \texttt{x\_1}, ``so''"
    assert inline(r"z=(1,\,2),\ \varepsilon=1") == r"z=(1,\,\allowbreak 2),\ \allowbreak \varepsilon=1"


# ---------------------------------------------------------------- line breaks

LONG = r"\frac{1}{s} \left(g_i - \overline{g} - u_i \overline{g u}\right) + \frac{x}{d (q + \varepsilon)} - y_i = \sum_j P_{ij} h_j + u_i"


def test_a_formula_that_fits_stays_whole() -> None:
    assert lines(LONG, 200) == [LONG]


@pytest.mark.parametrize("limit", [30.0, 20.0])
def test_a_long_formula_is_cut_outside_brackets_and_nothing_is_lost(limit: float) -> None:
    made = lines(LONG, limit)
    assert len(made) > 1
    assert "".join(made) == LONG
    for line in made:
        assert line.count("{") == line.count("}")
        assert line.count("\\left") == line.count("\\right")
    assert all(width(line) <= limit for line in made if " + " in line or " - " in line)


def test_relations_are_broken_before_sums() -> None:
    assert lines("a + b + c = d + e + f", 14)[1].startswith("= ")


def test_a_fraction_is_as_wide_as_its_wider_part() -> None:
    assert width(r"\frac{a+b+c}{x}") < width("a+b+c") + 1
    assert width(r"\sqrt{x}") > width("x")


# ---------------------------------------------------------------- SymPy source


def run(text: str) -> dict[str, object]:
    names: dict[str, object] = {}
    exec(text, names)
    return names


@pytest.mark.parametrize(
    "relation",
    [Eq(mean(u), 0), Eq(var(u), q / (q + eps)), Lt(var(u), 1), Eq(jacobian(u, z), J), Eq(v[i] * u[j], a * s**-2)],
)
def test_the_source_runs_and_says_the_same_as_to_sympy(relation: Relation) -> None:
    import sympy

    from lnsym.model import to_sympy

    claim, own = run(source(relation, THEORY.positive))["claim"], to_sympy(relation)
    assert isinstance(claim, sympy.core.relational.Relational)
    assert isinstance(own, sympy.core.relational.Relational)
    assert claim.func is own.func

    def at_three(side: sympy.Expr) -> sympy.Expr:
        """The side at d = 3, written out, its symbols told apart by their names alone."""
        done = side.subs(sympy.Symbol("d", integer=True, positive=True), 3).doit()
        return done.xreplace({one: sympy.Symbol(str(one)) for one in done.atoms(sympy.Symbol, sympy.Indexed)})

    for ours, theirs in zip((claim.lhs, claim.rhs), (own.lhs, own.rhs), strict=True):
        if not theirs.has(sympy.Derivative):  # to_sympy unfolds what stands under a derivative
            assert sympy.simplify(at_three(ours) - at_three(theirs)) == 0


# ---------------------------------------------------------------- points


def test_a_point_learns_its_lengths_from_its_vectors() -> None:
    point = numbers.point_of(at(z=(1, 2, 3), eps="1/3"), [Eq(mean(u), 0)], (positive(eps),), THEORY)
    assert point.sizes == {"d": 3}
    assert numbers.value_of(u, point, THEORY) == (-1, 0, 1)
    assert numbers.verdict(Eq(mean(u), 0), point, (positive(eps),), THEORY) is True
    assert numbers.verdict(Eq(mean(z), 0), point, (), THEORY) is False


def test_a_matrix_point_learns_both_lengths() -> None:
    rows = matrix("X", ROWS, COORDINATES)
    point = numbers.point_of(at(X=((2, 6, 1), (0, 1, 2))), [Eq(rows, rows)], (), THEORY)
    assert point.sizes == {"N": 2, "d": 3}


def test_entries_fixed_by_a_hypothesis_are_filled_in() -> None:
    from lnsym.derivations.definitions import t

    family: tuple[Hypothesis, ...] = (Components("z", COORDINATES, (-t, lift(0), t)),)
    point = numbers.point_of(at(t=2, eps=1), [Eq(mean(z), 0)], family, THEORY)
    assert point.vectors["z"] == (Fraction(-2), Fraction(0), Fraction(2))


def test_unequal_lengths_are_refused() -> None:
    with pytest.raises(DerivationError, match="3 coordinates to h, but there are 2"):
        numbers.point_of(at(z=(1, 2), h=(1, 2, 3)), [Eq(z, z)], (), THEORY)


def test_numbers_are_written_exactly() -> None:
    assert numbers.table((Fraction(-1, 2), Fraction(0))) == r"(-\tfrac{1}{2},\,0)"
    assert numbers.number(Surd({1: Fraction(1), 2: Fraction(-1, 2)})) == r"1-\tfrac{\sqrt{2}}{2}"
    assert numbers.number(Surd({17: Fraction(5, 17)})) == r"\tfrac{5\sqrt{17}}{17}"


# ---------------------------------------------------------------- words


def test_every_fact_of_the_kernel_has_words() -> None:
    from lnsym.kernel.normal import Normalizer

    for name in Normalizer(THEORY).facts:
        assert words.fact(name, THEORY)
    assert words.fact("unfold:u", THEORY) == r"$u_i = \frac{v_i}{s}$"


def test_shapes_in_words() -> None:
    assert words.shapes(Eq(mean(u), 0)) == "a number"
    assert words.shapes(Eq(jacobian(u, z), J)) == r"a matrix of size $d \times d$, entry by entry"
    assert words.shapes(Eq(u[i], v[i] / s)) == r"a number for each $i=1,\ldots,d$"


def test_the_glossary_has_every_notion_with_its_foreign_names() -> None:
    rows = {row.latex: row for row in glossary(THEORY)}
    names = {name for f in THEORY.families for name in (f.vector, f.deviation, f.mean, f.variance)} | {d.name for d in THEORY.definitions}
    assert len(rows) >= len({name.rstrip("'") for name in names})
    assert rows[r"\varepsilon"].names == dict(zip(FRAMEWORKS, ("eps", "epsilon", "epsilon"), strict=True))
    assert "\\sqrt{q + \\varepsilon}" in (rows["s"].meaning or "")


# ---------------------------------------------------------------- files


def test_files_are_written_and_compared_to_the_byte(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    files = {"certificate.json": b'{"schema": "lnsym certificate 1"}\n', "figures/a.csv": b"1,2\n3,4\n5,6\n"}
    write(files, folder)
    assert differences(files, folder) == []
    assert sorted(path.name for path in folder.rglob("*") if path.is_file()) == ["a.csv", "certificate.json"]
    (folder / "figures" / "a.csv").write_bytes(b"1,2\n3,5\n5,6\n")
    (found,) = differences(files, folder)
    assert found.splitlines() == [f"{folder / 'figures' / 'a.csv'}, line 2 differs", "  expected: 3,4", "  got:      3,5"]
    (folder / "certificate.json").unlink()
    assert differences(files, folder)[0] == f"{folder / 'certificate.json'}: missing"


def test_a_file_that_ends_early_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"1\n2")
    assert "line 3 differs\n  expected: 3\n  got:      (the file ends)" in differences({"x": b"1\n2\n3"}, tmp_path)[0]


def test_long_lines_show_the_place_that_differs(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"a" * 500 + b"X" + b"b" * 500)
    (found,) = differences({"x": b"a" * 500 + b"Y" + b"b" * 500}, tmp_path)
    assert "aY" in found
    assert "aX" in found
    assert all(len(line) < 190 for line in found.splitlines())


def test_files_are_whole_and_have_the_rights_that_new_files_have(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        write({"certificate.json": b"lnsym certificate", "code/one.py": b"1\n"}, tmp_path)
    finally:
        os.umask(before)
    found = {path.relative_to(tmp_path).as_posix(): stat.S_IMODE(path.stat().st_mode) for path in tmp_path.rglob("*") if path.is_file()}
    assert found == {"certificate.json": 0o600, "code/one.py": 0o600}  # and no draft is left


def test_a_foreign_folder_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("mine", encoding="utf-8")
    with pytest.raises(ForeignFolder, match=r"thesis\.tex for one; nothing was written"):
        write({"index.html": b"x"}, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]
    assert ForeignFolder("x").exit_code == 2


def test_a_folder_that_cannot_be_written_is_the_readers_to_mend(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    with pytest.raises(Unwritable, match=r"cannot write into .*below: Not a directory; give another folder with -o"):
        write({"index.html": b"x"}, tmp_path / "file" / "below")
    assert Unwritable("x").exit_code == 2


def test_ctrl_c_reaches_only_the_process_that_can_answer_it() -> None:
    with _pool(1) as pool:
        assert pool.submit(signal.getsignal, signal.SIGINT).result() == signal.SIG_IGN


# ---------------------------------------------------------------- opinions


def ask(relation: Relation, *given: Hypothesis) -> Question:
    return Question("some_theorem", 1, relation, given, None, THEORY)


def test_opinions_become_badges_that_are_never_merged() -> None:
    found = answer(ask(Eq(mean(u), 0), positive(eps)))
    assert [(badge.kind, badge.text) for badge in found.badges] == [
        ("sympy", "proved at d = 1, 2, 3, 4 by SymPy"),
        ("checked", "checked by mpmath at 60 digits"),
    ]
    assert found.against == ()


def test_a_false_claim_is_contradicted_by_both() -> None:
    found = answer(ask(Eq(var(u), 1), positive(eps)))
    assert [badge.kind for badge in found.badges] == ["refuted", "refuted"]
    assert [text.split(":")[0] for text in found.against] == ["some_theorem, claim 1", "some_theorem, claim 1"]
    assert "SymPy disagrees" in found.against[0]


def test_a_fact_of_calculus_is_judged_by_sympy() -> None:
    from lnsym.model.calculus import FACTS

    found = answer(Question("some_theorem", 2, None, (), FACTS[0].name, THEORY))
    assert [badge.kind for badge in found.badges] == ["calculus"]


def test_roots_stay_in_the_sentence_of_a_bound() -> None:
    assert typeset("below sqrt(d q)") == r"below $\sqrt{d\,q}$"
    assert "sqrt" in source(Eq(s, sqrt(q + eps)))
