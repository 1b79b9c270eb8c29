"""The printers: exact lines, and for random terms that what is printed, read back, is the term, in its order."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from itertools import count
from math import prod

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from math_core import LatexError, LatexToMathML

from derivations.definitions import THEORY, J, a, beta, c, d, eps, g, gamma, h, mu, mu_, q, q_, r, s, t, u, v, v_, z, z_
from lnsym.errors import TermError
from lnsym.kernel.terms import (
    COORDINATES,
    ROWS,
    Add,
    Array,
    Components,
    Delta,
    Entry,
    Index,
    Mul,
    Num,
    Pow,
    Power,
    Relation,
    Sum,
    Sym,
    Term,
    Word,
    hole,
    lift,
    walk,
)
from lnsym.lang import (
    D,
    Eq,
    Le,
    Ne,
    P,
    at_least,
    core,
    cov,
    delta,
    diag,
    dot,
    expectation,
    fraction,
    geometric,
    gradient,
    i,
    identity,
    j,
    jacobian,
    matrix,
    mean,
    n,
    norm,
    one,
    outer,
    rms,
    sqrt,
    sum_over,
    total,
    trace,
    var,
)
from lnsym.notation import latex, text
from lnsym.statement import parse_statement

Node = Term | Array | Relation | Components
Meaning = Callable[[dict[str, int]], Fraction]  # the value, given the positions of the indices

X, A, B = matrix("X", ROWS, COORDINATES), matrix("A"), matrix("B")
ROW, COL = hole(1), hole(2)
ROW_MEANS = Array((hole(1, ROWS),), mean(Array((ROW,), X[hole(1, ROWS), ROW])))

# node, LaTeX in index notation, LaTeX in matrix notation ("" where it is the same)
LATEX: list[tuple[Node, str, str]] = [
    (Eq(u, v / s), r"u_i = \frac{v_i}{s}", r"\mathbf{u} = \frac{\mathbf{v}}{s}"),
    (Eq(sum_over(i, v[i] ** 2), d * q), r"\sum_i v_i^2 = d q", ""),
    (Eq(J @ v, eps / s**3 * v), r"\sum_j J_{ij} v_j = \frac{\varepsilon}{s^3} v_i", r"J \mathbf{v} = \frac{\varepsilon}{s^3} \mathbf{v}"),
    (
        Le(norm(J @ h) ** 2, norm(h) ** 2 / eps),
        r"\lVert J h \rVert^2 \le \frac{\lVert h \rVert^2}{\varepsilon}",
        r"\lVert J \mathbf{h} \rVert^2 \le \frac{\lVert \mathbf{h} \rVert^2}{\varepsilon}",
    ),
    (
        Eq(J, 1 / s * (P - outer(v, v) / (d * (q + eps)))),
        r"J_{ij} = \frac{1}{s} \left(P_{ij} - \frac{v_i v_j}{d (q + \varepsilon)}\right)",
        r"J = \frac{1}{s} \left(P - \frac{\mathbf{v} \mathbf{v}^\top}{d (q + \varepsilon)}\right)",
    ),
    (mean(u**2), r"\overline{u^2}", r"\overline{\mathbf{u}^{\odot 2}}"),
    (mean(u * g), r"\overline{u \odot g}", r"\overline{\mathbf{u} \odot \mathbf{g}}"),
    (mean(u) * mean(g), r"\overline{u} \, \overline{g}", r"\overline{\mathbf{u}} \, \overline{\mathbf{g}}"),
    (mean(u) ** 2, r"\overline{u}^2", r"\overline{\mathbf{u}}^2"),
    (mean(z - mu), r"\operatorname{mean}(z - \mu \mathbf{1})", r"\operatorname{mean}(\mathbf{z} - \mu \mathbf{1})"),
    (mean(v / s), r"\operatorname{mean}\left(\frac{v}{s}\right)", r"\operatorname{mean}\left(\frac{\mathbf{v}}{s}\right)"),
    (var(u) ** 2, r"\operatorname{var}(u)^2", r"\operatorname{var}(\mathbf{u})^2"),
    (cov(u, g), r"\operatorname{cov}(u, g)", r"\operatorname{cov}(\mathbf{u}, \mathbf{g})"),
    (dot(u, g) * r, r"\left(\sum_i u_i g_i\right) r", r"\langle \mathbf{u}, \mathbf{g} \rangle r"),
    (total(v), r"\sum_i v_i", r"\mathbf{1}^\top \mathbf{v}"),
    (norm(v / s), r"\left\lVert \frac{v}{s} \right\rVert", r"\left\lVert \frac{\mathbf{v}}{s} \right\rVert"),
    (core(z + c), r"u_\varepsilon(z + c \mathbf{1})_i", r"\mathbf{u}_\varepsilon(\mathbf{z} + c \mathbf{1})"),
    (core(a * z, a**2 * eps), r"u_{a^2 \varepsilon}(a z)_i", r"\mathbf{u}_{a^2 \varepsilon}(a \mathbf{z})"),
    (rms(z), r"R_\varepsilon(z)_i", r"R_\varepsilon(\mathbf{z})"),
    (Eq(J.T, J), r"J_{ji} = J_{ij}", r"J^\top = J"),
    (Eq(P @ one, 0), r"\sum_j P_{ij} \cdot 1 = 0", r"P \mathbf{1} = \mathbf{0}"),
    (A @ B.T, r"\sum_k A_{ik} B_{jk}", r"A B^\top"),
    ((A + B)(v - c), r"\sum_j (A_{ij} + B_{ij}) (v_j - c)", r"(A + B) (\mathbf{v} - c \mathbf{1})"),
    ((J @ v)[i], r"\sum_j J_{ij} v_j", r"(J \mathbf{v})_i"),
    (identity(), r"\delta_{ij}", "I"),
    (diag(gamma) @ J, r"\sum_k \gamma_i \delta_{ik} J_{kj}", r"\operatorname{diag}(\boldsymbol{\gamma}) J"),
    (trace(J) ** 2, r"(\operatorname{tr} J)^2", ""),
    (jacobian(u, z), r"\frac{\partial u_i}{\partial z_j}", r"D_{\mathbf{z}} \mathbf{u}"),
    (gradient(q / d, z), r"\frac{\partial}{\partial z_i}\left(\frac{q}{d}\right)", r"\nabla_{\mathbf{z}} \left(\frac{q}{d}\right)"),
    (D(u[i], z[j]), r"\frac{\partial u_i}{\partial z_j}", ""),
    (D(u[i] ** 2 * v[i], eps), r"\frac{\partial}{\partial \varepsilon}\left(u_i^2 v_i\right)", ""),
    (Eq(gamma * u + beta, 0), r"\gamma_i u_i + \beta_i = 0", r"\boldsymbol{\gamma} \odot \mathbf{u} + \boldsymbol{\beta} = \mathbf{0}"),
    ((u + g) * (v / s), r"(u_i + g_i) \frac{v_i}{s}", r"(\mathbf{u} + \mathbf{g}) \odot \left(\frac{\mathbf{v}}{s}\right)"),
    (Eq(z_, mu_ + v_), r"z'_i = \mu' + v'_i", r"\mathbf{z}' = \mu' \mathbf{1} + \mathbf{v}'"),
    (z_[i] ** 2 * mu_**2, r"{z'_i}^2 {\mu'}^2", ""),
    (Array((ROW, COL), Delta(ROW, COL) * (1 / s)), r"\delta_{ij} \frac{1}{s}", r"I \frac{1}{s}"),
    (Array((ROW, COL), v[ROW] * g[COL] / s), r"\frac{v_i g_j}{s}", r"\frac{\mathbf{v} \mathbf{g}^\top}{s}"),
    (
        Array((ROW, COL), g[COL] * v[ROW] * J[ROW, COL]),
        r"g_j v_i J_{ij}",
        r"\operatorname{diag}(\mathbf{v}) J \operatorname{diag}(\mathbf{g})",
    ),
    (Array((ROW,), A[ROW, j]), "A_{ij}", r"\mathbf{A}_{:,j}"),
    (u / g, r"\frac{u_i}{g_i}", ""),  # entry-by-entry quotients have no matrix form
    (mean(u / g), r"\frac{\sum_i \frac{u_i}{g_i}}{d}", ""),
    (ROW_MEANS, r"\overline{X_{n,:}}", r"\frac{\sum_i \mathbf{X}_{:,i}}{d}"),  # the mean of each row: no word for it without n
    (delta(i, j) - 1 / d, r"\delta_{ij} - \frac{1}{d}", ""),
    (Power(Sym("beta1"), t, 1), r"\beta_1^{t+1}", ""),
    (geometric(Sym("beta"), t, g, 1), r"\sum_{i=1}^{t+1} \beta^{t+1-i} g_i", ""),
    (expectation(a * z[i], z), r"\mathbb{E}[a z_i]", ""),
    (-fraction(1, 3) * z[i] ** 2 - (a - c) * 3, r"-\tfrac{1}{3} z_i^2 - (a - c) \cdot 3", ""),
    (a - (-c), r"a - (-c)", ""),
    (-(a + c), r"-(a + c)", ""),
    (Mul((lift(-1), -a)), r"-(-a)", ""),
    (a * sum_over(i, v[i]) / d * c, r"\frac{a \sum_i v_i}{d} c", ""),
    (a / (c / s), r"\frac{a}{\frac{c}{s}}", ""),
    (s**-1 * v[i], r"s^{-1} v_i", ""),
    (-1 / s, r"-\frac{1}{s}", ""),
    (sqrt(q + eps) ** 2, r"\left(\sqrt{q + \varepsilon}\right)^2", ""),
    ((q + eps) ** 2, r"(q + \varepsilon)^2", ""),
    ((s**2) ** 3, r"(s^2)^3", ""),
    (Sym("width") * Sym("b_max"), r"\mathrm{width} \, \mathrm{b\_max}", ""),
    (Components("z", COORDINATES, (-t, lift(0), t)), r"z = (-t, 0, t)", r"\mathbf{z} = (-t, 0, t)"),
    (Ne(q, 0), r"q \ne 0", ""),
    (at_least(d, 2), r"d \ge 2", ""),
]

# node, Unicode by index, Unicode by matrix, ASCII by index, ASCII by matrix
TEXT: list[tuple[Node, str, str, str, str]] = [
    (Eq(u, v / s), "uᵢ = vᵢ/s", "u = v/s", "u_i = v_i/s", "u = v/s"),
    (Eq(sum_over(i, v[i] ** 2), d * q), "∑ᵢ vᵢ² = d·q", "∑ᵢ vᵢ² = d·q", "sum_i(v_i^2) = d*q", "sum_i(v_i^2) = d*q"),
    (
        Eq(J @ v, eps / s**3 * v),
        "∑ⱼ Jᵢⱼ·vⱼ = (ε/s³)·vᵢ", "J v = (ε/s³)·v",
        "sum_j(J[i,j]*v_j) = (eps/s^3)*v_i", "J(v) = (eps/s^3)*v",
    ),
    (
        Le(norm(J @ h) ** 2, norm(h) ** 2 / eps),
        "‖J h‖² ≤ ‖h‖²/ε", "‖J h‖² ≤ ‖h‖²/ε",
        "norm(J(h))^2 <= norm(h)^2/eps", "norm(J(h))^2 <= norm(h)^2/eps",
    ),
    (
        Eq(J, (P - outer(v, v) / (d * (q + eps))) / s),
        "Jᵢⱼ = (Pᵢⱼ - vᵢ·vⱼ/(d·(q + ε)))/s", "J = (P - v vᵀ/(d·(q + ε)))/s",
        "J[i,j] = (P[i,j] - v_i*v_j/(d*(q + eps)))/s", "J = (P - outer(v, v)/(d*(q + eps)))/s",
    ),
    (Eq(mean(u**2), q / (q + eps)), "mean(u²) = q/(q + ε)", "mean(u²) = q/(q + ε)", *2 * ("mean(u^2) = q/(q + eps)",)),
    (mean(u * g), "mean(u ⊙ g)", "mean(u ⊙ g)", "mean(u*g)", "mean(u*g)"),
    (dot(u, J @ h), "∑ⱼ uⱼ·∑ᵢ Jⱼᵢ·hᵢ", "⟨u, J h⟩", "dot(u, J(h))", "dot(u, J(h))"),
    (total(v), "∑ᵢ vᵢ", "𝟏ᵀ v", "sum_i(v_i)", "sum_i(v_i)"),
    (Eq(core(z + c), core(z)), "core(z + c)ᵢ = core(z)ᵢ", "core(z + c) = core(z)", "core(z + c)[i] = core(z)[i]", "core(z + c) = core(z)"),
    (core(a * z, a**2 * eps), "core(a·z, a²·ε)ᵢ", "core(a·z, a²·ε)", "core(a*z, a^2*eps)[i]", "core(a*z, a^2*eps)"),
    (-(a + c), "-(a + c)", "-(a + c)", "-(a + c)", "-(a + c)"),
    (a * sum_over(i, v[i]) / d, "(a·∑ᵢ vᵢ)/d", "(a·∑ᵢ vᵢ)/d", "(a*sum_i(v_i))/d", "(a*sum_i(v_i))/d"),
    (trace(J) * c, "(tr J)·c", "(tr J)·c", "trace(J)*c", "trace(J)*c"),
    (D(u[i], z[j]) * c, "(∂uᵢ/∂zⱼ)·c", "(∂uᵢ/∂zⱼ)·c", "D(u_i, z_j)*c", "D(u_i, z_j)*c"),
    (jacobian(u, z), "∂uᵢ/∂zⱼ", "D_z u", "D(u_i, z_j)", "jacobian(u, z)"),
    (gradient(var(z), z), "∂/∂zᵢ (var(z))", "∇_z var(z)", "D(var(z), z_i)", "gradient(var(z), z)"),
    (A @ B.T, "∑ₖ Aᵢₖ·Bⱼₖ", "A Bᵀ", "sum_k(A[i,k]*B[j,k])", "A @ transpose(B)"),
    (Eq(P(h), h - mean(h)), "∑ⱼ Pᵢⱼ·hⱼ = hᵢ - mean(h)", "P h = h - mean(h)", "sum_j(P[i,j]*h_j) = h_i - mean(h)", "P(h) = h - mean(h)"),
    (Eq(P @ one, 0), "∑ⱼ Pᵢⱼ·1 = 0", "P 𝟏 = 0", "sum_j(P[i,j]*1) = 0", "P(one) = 0"),
    (sum_over(i, v[i] + c) * a / d, "(∑ᵢ (vᵢ + c))·a/d", "(∑ᵢ (vᵢ + c))·a/d", *2 * ("(sum_i(v_i + c))*a/d",)),
    (sqrt(q + eps) ** 2 / sqrt(q), "(√(q + ε))²/√q", "(√(q + ε))²/√q", *2 * ("sqrt(q + eps)^2/sqrt(q)",)),
    (Power(Sym("beta1"), t, 1), "β₁ᵗ⁺¹", "β₁ᵗ⁺¹", "beta1^(t+1)", "beta1^(t+1)"),
    (geometric(Sym("beta"), t, g), "∑ᵢ₌₁ᵗ βᵗ⁻ⁱ·gᵢ", "∑ᵢ₌₁ᵗ βᵗ⁻ⁱ·gᵢ", *2 * ("sum_{i=1}^{t}(beta^(t-i)*g_i)",)),
    (-fraction(1, 3) * z[i], "-(1/3)·zᵢ", "-(1/3)·zᵢ", "-(1/3)*z_i", "-(1/3)*z_i"),
    (z[i] ** -2 * a, "zᵢ⁻²·a", "zᵢ⁻²·a", "z_i^(-2)*a", "z_i^(-2)*a"),
    (z_[i] ** 2 - q_, "z′ᵢ² - q′", "z′ᵢ² - q′", "z'_i^2 - q'", "z'_i^2 - q'"),
    (X[n, i] * delta(i, j), "Xₙᵢ·δᵢⱼ", "Xₙᵢ·δᵢⱼ", "X[n,i]*delta[i,j]", "X[n,i]*delta[i,j]"),
    (mean(Array((ROW,), X[n, ROW])), "mean(X[n,:])", "mean(X[n,:])", "mean(X[n,:])", "mean(X[n,:])"),
    (expectation(z[i], z), "E[zᵢ]", "E[zᵢ]", "E[z_i]", "E[z_i]"),
    (Ne(z[Index("1")], z[Index("2")]), "z₁ ≠ z₂", "z₁ ≠ z₂", "z_1 != z_2", "z_1 != z_2"),
    (Components("z", COORDINATES, (-t, lift(0), t)), *4 * ("z = (-t, 0, t)",)),
]  # fmt: skip

CONVERTER = LatexToMathML()


def convert(line: str) -> str:
    return CONVERTER.convert_with_local_state(line, displaystyle=True)


@pytest.mark.parametrize(("node", "by_index", "by_matrix"), LATEX, ids=[row[1] for row in LATEX])
def test_latex(node: Node, by_index: str, by_matrix: str) -> None:
    assert latex(node) == by_index
    assert latex(node, "matrix") == (by_matrix or by_index)


@pytest.mark.parametrize(("node", "by_index", "by_matrix", "ascii_by_index", "ascii_by_matrix"), TEXT, ids=[row[1] for row in TEXT])
def test_text(node: Node, by_index: str, by_matrix: str, ascii_by_index: str, ascii_by_matrix: str) -> None:
    assert (text(node), text(node, "matrix")) == (by_index, by_matrix)
    assert (text(node, ascii=True), text(node, "matrix", ascii=True)) == (ascii_by_index, ascii_by_matrix)


def everything() -> list[Node]:
    """All nodes of this file and the definitions of the book."""
    definitions = [
        Eq(Sym(x.name) if isinstance(x.value, Term) else Array((ROW,), Entry(x.name, (ROW,))), x.value) for x in THEORY.definitions
    ]
    return [*(row[0] for row in LATEX), *(row[0] for row in TEXT), *definitions]


@pytest.mark.parametrize("notation", ["index", "matrix"])
def test_every_line_becomes_mathml(notation: str) -> None:
    page = "<!DOCTYPE html>" + "".join(f"<p>{convert(latex(node, notation))}</p>" for node in everything())
    assert page.count("<math") == len(everything()) > 80
    assert "merror" not in page
    assert "\\" not in re.sub(r"<annotation.*?</annotation>", "", page)


def test_the_converter_refuses_what_is_broken() -> None:
    with pytest.raises(LatexError):
        convert(r"\frac{a}{")
    with pytest.raises(LatexError):
        convert("x_i_j")


def test_ascii_is_ascii_and_text_fits_the_terminal() -> None:
    for node in everything():
        for notation in ("index", "matrix"):
            assert text(node, notation, ascii=True).isascii()
            assert len(text(node, notation)) <= 80


OUTSIDE = re.compile(r"jacobian|gradient|\b[ABXE]\b|beta1|sum_\{|\(-t, 0, t\)")


@pytest.mark.parametrize("notation", ["index", "matrix"])
def test_ascii_is_read_back_by_the_language_of_statements(notation: str) -> None:
    lines = [text(row[0], notation, ascii=True) for row in TEXT]
    inside = [x if " = " in x or " <= " in x or " != " in x else f"{x} = {x}" for x in lines if not OUTSIDE.search(x)]
    assert len(inside) > 18
    assert [text(parse_statement(x).relation, notation, ascii=True) for x in inside] == inside


def test_an_unknown_notation_is_refused() -> None:
    with pytest.raises(TermError, match="expected the notation 'index' or 'matrix', got 'tensor'"):
        latex(q, "tensor")
    with pytest.raises(TermError, match="expected a term"):
        text("q")  # type: ignore[arg-type]


def test_a_word_of_an_author_prints_by_its_name() -> None:
    plain = Word("gain", (z, lift(2)), (), q)
    assert latex(plain) == r"\operatorname{gain}(z, 2)"
    assert text(Array((ROW,), Word("gain", (z,), (ROW,), z[ROW])), "matrix", ascii=True) == "gain(z)"
    assert latex(Word("J1", (), (i, j), q)) == "J_{1,i,j}"


def test_free_indices_of_an_opened_relation_do_not_capture() -> None:
    relation = Eq(v * a, z[i] * v)
    assert text(relation) == "vⱼ·a = zᵢ·vⱼ"
    assert text(Eq(J @ v, z[Index("k")] * v)) == "∑ⱼ Jᵢⱼ·vⱼ = zₖ·vᵢ"


# ---------------------------------------------------------------- random scalar terms, read back

VALUES = {"a": Fraction(2, 3), "c": Fraction(-5, 2), "q": Fraction(7)}
LENGTH = 3
VECTORS = {"u": [Fraction(1), Fraction(-2), Fraction(4, 3)], "v": [Fraction(3), Fraction(1, 2), Fraction(-5)]}
POSITIONS = range(1, LENGTH + 1)


@st.composite
def terms(draw: st.DrawFn, depth: int = 4, bound: tuple[str, ...] = ("1", "2"), sums: bool = True) -> Term:
    def part() -> Term:
        return draw(terms(depth - 1, bound, sums))

    kind = draw(st.sampled_from(["leaf", "add", "mul", "mul", "pow", "sum" if sums else "add"])) if depth else "leaf"
    if kind == "add":
        return Add(tuple(part() for _ in range(draw(st.integers(1, 3)))))
    if kind == "mul":
        return Mul(tuple(part() for _ in range(draw(st.integers(1, 4)))))
    if kind == "pow":
        return Pow(part(), draw(st.sampled_from([-2, -1, -1, 1, 2, 3])))
    if kind == "sum":
        name = next(x for x in "ijklm" if x not in bound)
        return Sum(Index(name), draw(terms(depth - 1, (*bound, name), sums)))
    return draw(
        st.one_of(
            st.integers(-3, 12).map(lambda x: Num(Fraction(x))),
            st.sampled_from([Num(Fraction(1, 3)), Num(Fraction(-2, 5)), *map(Sym, VALUES)]),
            st.builds(lambda x, y: Entry(x, (Index(y),)), st.sampled_from(sorted(VECTORS)), st.sampled_from(bound)),
        )
    )


def value(term: Term, at: dict[str, int]) -> Fraction:
    """What the term stands for."""
    match term:
        case Num(number):
            return number
        case Sym(name):
            return VALUES[name]
        case Entry(name, (index,)):
            return VECTORS[name][(at[index.name] if index.name in at else int(index.name)) - 1]
        case Add(args):
            return sum((value(x, at) for x in args), Fraction(0))
        case Mul(args):
            return prod((value(x, at) for x in args), start=Fraction(1))
        case Pow(base, exponent):
            return value(base, at) ** exponent
        case Sum(index, body):
            return sum((value(body, {**at, index.name: x}) for x in POSITIONS), Fraction(0))
    raise AssertionError(term)


def known(term: Term) -> Fraction:
    try:
        return value(term, {})
    except ZeroDivisionError:
        assume(False)
        raise


def value_by_python(line: str) -> Fraction:
    """The ASCII line under Python's own precedence."""
    line = re.sub(r"sum_(\w)\(", r"total(lambda \1: ", line)
    line = re.sub(r"\b([uv])_(\w)", r"\1[\2]", line).replace("^", "**")
    line = re.sub(r"\b(\d+)\b", r"Fraction(\1)", line)
    vectors = {name: dict(zip(POSITIONS, entries, strict=True)) for name, entries in VECTORS.items()}

    def add_up(body: Callable[[int], Fraction]) -> Fraction:
        return sum((body(x) for x in POSITIONS), Fraction(0))

    return Fraction(eval(line, {"__builtins__": {}, "Fraction": Fraction, "total": add_up, **VALUES, **vectors}))


class Reader:
    """Reads mathematics as a reader does: juxtaposition is a product, a sum sign reaches to the end of its product."""

    def __init__(self, line: str) -> None:
        line = re.sub(r"\\left|\\right", "", line)
        self.tokens: list[str] = re.findall(r"\\[a-z]+|\d+|[a-zσ]|[-+*/^_{}()]", line)
        assert "".join(self.tokens) == line.replace(" ", ""), line

    def peek(self) -> str:
        return self.tokens[0] if self.tokens else ""

    def take(self, expected: str = "") -> str:
        token = self.tokens.pop(0)
        assert not expected or token == expected, (expected, token, self.tokens)
        return token

    def whole(self) -> Fraction:
        result = self.sum()
        assert not self.tokens
        return result({})

    def sum(self) -> Meaning:
        parts: list[tuple[int, Meaning]] = []
        while not parts or self.peek() in ("+", "-"):
            sign = self.take() if self.peek() in ("+", "-") else "+"
            parts.append((-1 if sign == "-" else 1, self.product()))
        return lambda at: sum((sign * part(at) for sign, part in parts), Fraction(0))

    def product(self) -> Meaning:
        factors = [(1, self.factor())]
        while self.peek() not in ("", "+", "-", ")", "}"):
            sign = self.take() if self.peek() in ("/", "*", "\\cdot") else "*"
            factors.append((-1 if sign == "/" else 1, self.factor()))
        return lambda at: prod((factor(at) ** exponent for exponent, factor in factors), start=Fraction(1))

    def group(self, left: str, right: str) -> Meaning:
        self.take(left)
        inside = self.sum()
        self.take(right)
        return inside

    def factor(self) -> Meaning:
        if self.peek() in ("\\sum", "σ"):
            self.take()
            self.take("_")
            index = self.take()
            body = self.product()
            return lambda at: sum((body({**at, index: x}) for x in POSITIONS), Fraction(0))
        base = self.base()
        if self.peek() != "^":
            return base
        self.take()
        exponent = self.group("{", "}") if self.peek() == "{" else self.base()
        return lambda at: base(at) ** int(exponent(at))

    def base(self) -> Meaning:
        if self.peek() == "(":
            return self.group("(", ")")
        if self.peek() in ("\\frac", "\\tfrac"):
            self.take()
            over, under = self.group("{", "}"), self.group("{", "}")
            return lambda at: over(at) / under(at)
        token = self.take()
        if token.isdigit():
            return lambda _: Fraction(token)
        if token in VALUES:
            return lambda _: VALUES[token]
        self.take("_")
        place = self.take()
        return lambda at: VECTORS[token][(at[place] if place in at else int(place)) - 1]


def plain(line: str) -> str:
    """Unicode raised and lowered signs as ^{...} and _."""
    line = re.sub("[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+", lambda m: "^{" + m[0].translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")) + "}", line)
    line = re.sub("[₁₂₃ᵢⱼₖₗₘ]", lambda m: "_" + m[0].translate(str.maketrans("₁₂₃ᵢⱼₖₗₘ", "123ijklm")), line)
    return line.replace("·", "*").replace("∑", "σ")


MANY = settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


@MANY
@given(terms())
def test_ascii_read_by_python_is_the_term(term: Term) -> None:
    expected = known(term)
    assert value_by_python(text(term, ascii=True)) == expected


@MANY
@given(terms())
def test_latex_and_unicode_read_as_mathematics_are_the_term(term: Term) -> None:
    expected = known(term)
    assert Reader(latex(term)).whole() == expected
    assert Reader(plain(text(term))).whole() == expected


def test_the_readers_notice_missing_brackets() -> None:
    assert value_by_python("a*(c - q)^2") != value_by_python("a*c - q^2")
    assert Reader(r"\left(\sum_i v_i\right) u_1 + u_2").whole() != Reader(r"\sum_i (v_i u_1 + u_2)").whole()
    assert Reader(r"\sum_i v_i + c").whole() != Reader(r"\sum_i (v_i + c)").whole()


@MANY
@given(terms())
def test_braces_balance_and_mathml_is_made(term: Term) -> None:
    line = latex(term)
    depth = 0
    for sign in re.sub(r"\\[{}]", "", line):
        depth += (sign == "{") - (sign == "}")
        assert depth >= 0
    assert depth == 0
    assert line.count("\\left") == line.count("\\right")
    assert "merror" not in convert(line)


@MANY
@given(terms())
def test_nothing_is_reordered(term: Term) -> None:
    fresh = (f"x{number}y" for number in count())

    def renamed(node: Term) -> Term:
        match node:
            case Sym():
                return Sym(next(fresh))
            case Entry(_, indices):
                return Entry(next(fresh), indices)
            case Add(args):
                return Add(tuple(map(renamed, args)))
            case Mul(args):
                return Mul(tuple(map(renamed, args)))
            case Pow(base, exponent):
                return Pow(renamed(base), exponent)
            case Sum(index, body):
                return Sum(index, renamed(body))
        return node

    own = renamed(term)
    names = [x.name if isinstance(x, Sym) else x.vector for x in walk(own) if isinstance(x, (Sym, Entry))]
    for line in (latex(own), latex(own, "matrix"), text(own), text(own, ascii=True)):
        assert re.findall(r"x\d+y", line) == names
