"""Terms as one line of text, Unicode or plain ASCII. Imports the shared writer and the kernel's terms."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from lnsym.kernel.terms import Array, Components, Relation, Term
from lnsym.notation.writer import ATOM, GREEK, POWER, PREFIX, PRODUCT, QUOTIENT, Piece, Unwritable, Writer

_SUBSCRIPTS = dict(zip("0123456789+-=aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", strict=True))
_SUPERSCRIPTS = dict(zip("0123456789+-=abcdefghijklmnoprstuvwxyz", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ", strict=True))


def text(node: Term | Array | Relation | Components, notation: str = "index", ascii: bool = False) -> str:  # noqa: A002 - the option's name
    """The node as one line of text, in "index" or in "matrix" notation.

    Nothing is reordered or simplified. A scalar added to a vector is added to each entry. With `ascii` the line is in
    the language of statements, where products and powers of vectors are taken entry by entry.
    """
    return (_Ascii if ascii else _Unicode)(notation).show(node)


class _Text(Writer):
    """What Unicode and ASCII share."""

    entrywise_quotients = True
    dot = "*"

    def number(self, value: Fraction) -> Piece:
        return Piece(str(value), ATOM if value.denominator == 1 else QUOTIENT)

    def index(self, name: str) -> str:
        return name

    def bracket(self, text: str) -> str:
        return f"({text})"

    def quotient(self, over: Piece, under: Piece) -> Piece:
        return Piece(f"{self._held(over, PRODUCT).text}/{self._held(under, POWER).text}", QUOTIENT)

    def times(self, left: str, right: str) -> str:
        return f"{left}{self.dot}{right}"

    def filled(self, scalar: Piece) -> Piece:
        return scalar

    def expectation(self, body: str) -> str:
        return f"E[{body}]"

    def call(self, name: str, *args: str) -> Piece:
        return Piece(f"{name}({', '.join(args)})", ATOM)

    def word_diag(self, x: Piece) -> Piece:
        return self.call("diag", x.text)

    def _with_eps(self, name: str, x: Piece, eps: Piece) -> Piece:
        return self.call(name, x.text) if eps.text == self.symbol("eps") else self.call(name, x.text, eps.text)

    def word_core(self, x: Piece, eps: Piece) -> Piece:
        return self._with_eps("core", x, eps)

    def word_rms(self, x: Piece, eps: Piece) -> Piece:
        return self._with_eps("rms", x, eps)


class _Unicode(_Text):
    relations = {"=": "=", "<=": "≤", ">=": "≥", "<": "<", ">": ">", "!=": "≠"}
    dot = "·"

    def symbol(self, name: str, indices: Sequence[str] = ()) -> str:
        letters, digits, primes = re.fullmatch(r"(.*?)(\d*)('*)", name).groups()  # type: ignore[union-attr]
        stem = GREEK.get(letters, letters)
        if indices:
            return self.subscripted(stem + digits + "′" * len(primes), indices)
        return stem + "".join(_SUBSCRIPTS[c] for c in digits) + "′" * len(primes)

    def subscripted(self, text: str, indices: Sequence[str]) -> str:
        joined = "".join(indices)
        plain = len(indices) == 1 or all(len(i) == 1 and i.isalpha() for i in indices)
        if plain and set(joined) <= set(_SUBSCRIPTS):
            return text + "".join(_SUBSCRIPTS[c] for c in joined)
        return f"{text}_{joined}" if len(joined) == 1 else f"{text}[{','.join(indices)}]"

    def power(self, base: str, exponent: str) -> str:
        if set(exponent) <= set(_SUPERSCRIPTS):
            return base + "".join(_SUPERSCRIPTS[c] for c in exponent)
        return f"{base}^{exponent}" if len(exponent) == 1 else f"{base}^({exponent})"

    def entrywise(self, left: str, right: str) -> str:
        return f"{left} ⊙ {right}"

    def root(self, radicand: Piece) -> Piece:
        return Piece("√" + self._held(radicand, ATOM).text, POWER)

    def summed(self, index: str, upper: str, body: Piece) -> Piece:
        sign = self.power(self.subscripted("∑", [f"{index}=1"]), upper) if upper else self.subscripted("∑", [index])
        return Piece(f"{sign} {self._held(body, QUOTIENT).text}", PREFIX)

    def derivative(self, body: Piece, variable: Piece, simple: bool) -> Piece:
        return Piece(f"∂{body.text}/∂{variable.text}" if simple else f"∂/∂{variable.text} ({body.text})", QUOTIENT)

    def transposed(self, array: Piece) -> Piece:
        return Piece(self._held(array, ATOM).text + "ᵀ", POWER)

    def basis(self, index: str) -> str:
        return self.subscripted("e", [index])

    def delta(self, left: str, right: str) -> str:
        return self.subscripted("δ", [left, right])

    def word_total(self, x: Piece) -> Piece:
        return Piece(f"𝟏ᵀ {self._held(x, POWER).text}", PRODUCT)

    def word_norm(self, x: Piece) -> Piece:
        return Piece(f"‖{x.text}‖", ATOM)

    def word_dot(self, x: Piece, y: Piece) -> Piece:
        return Piece(f"⟨{x.text}, {y.text}⟩", ATOM)

    def word_trace(self, a: Piece) -> Piece:
        return Piece(f"tr {self._held(a, ATOM).text}", PREFIX)

    def word_outer(self, x: Piece, y: Piece) -> Piece:
        return Piece(f"{self._held(x, POWER).text} {self.transposed(y).text}", PRODUCT)

    def word_one(self) -> Piece:
        return Piece("𝟏", ATOM)

    def word_jacobian(self, x: Piece, by: Piece) -> Piece:
        return Piece(f"{self.subscripted('D', [by.text])} {self._held(x, ATOM).text}", PRODUCT)

    def word_gradient(self, body: Piece, by: Piece) -> Piece:
        return Piece(f"{self.subscripted('∇', [by.text])} {self._held(body, ATOM).text}", PRODUCT)


class _Ascii(_Text):
    relations = {"=": "=", "<=": "<=", ">=": ">=", "<": "<", ">": ">", "!=": "!="}
    always_expanded = frozenset({"total"})
    never_expanded = frozenset({"dot"})

    def symbol(self, name: str, indices: Sequence[str] = ()) -> str:
        if len(indices) == 1 and indices[0] != ":":
            return f"{name}_{indices[0]}"
        return f"{name}[{','.join(indices)}]" if indices else name

    def subscripted(self, text: str, indices: Sequence[str]) -> str:
        return f"{text}[{','.join(indices)}]"

    def power(self, base: str, exponent: str) -> str:
        return f"{base}^{exponent}" if exponent.isalnum() else f"{base}^({exponent})"

    def root(self, radicand: Piece) -> Piece:
        return self.call("sqrt", radicand.text)

    def summed(self, index: str, upper: str, body: Piece) -> Piece:
        name = f"sum_{{{index}=1}}^{{{upper}}}" if upper else f"sum_{index}"
        # The language refuses sum_i(...)^2 and sum_i(...)*v_i, which can be read in two ways: a PREFIX gets brackets there.
        return self.call(name, body.text)._replace(level=PREFIX)

    def derivative(self, body: Piece, variable: Piece, simple: bool) -> Piece:  # noqa: ARG002 - D(...) looks the same for every body
        return self.call("D", body.text, variable.text)

    def transposed(self, array: Piece) -> Piece:
        return self.call("transpose", array.text)

    def basis(self, index: str) -> str:  # noqa: ARG002 - the language has no word for it
        raise Unwritable

    def delta(self, left: str, right: str) -> str:
        return f"delta[{left},{right}]"

    def juxtaposed(self, left: str, right: str) -> str:
        return f"{left} @ {right}"

    def word_apply(self, a: Piece, x: Piece) -> Piece:
        return self.call(self._held(a, ATOM).text, x.text)

    def word_outer(self, x: Piece, y: Piece) -> Piece:
        return self.call("outer", x.text, y.text)

    def word_matmul(self, a: Piece, b: Piece) -> Piece:
        return Piece(self.juxtaposed(self._held(a, POWER).text, self._held(b, POWER).text), PRODUCT)
