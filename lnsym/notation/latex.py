"""Terms as LaTeX, with amsmath's commands only. Imports the shared writer and the kernel's terms."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from lnsym.kernel.terms import Array, Components, Relation, Term, Word
from lnsym.notation.writer import ATOM, GREEK, POWER, PREFIX, PRODUCT, SUM, Piece, Writer, is_plain

_TALL = ("\\frac", "\\sum", "\\sqrt")


def latex(node: Term | Array | Relation | Components, notation: str = "index") -> str:
    r"""The node as LaTeX for math mode, in "index" or in "matrix" notation.

    Nothing is reordered or simplified. The mean of a name or of a product of names is written with a line over it,
    \overline{u^2}; of anything else as \operatorname{mean}(...). Vectors without indices are bold in matrix notation;
    their product entry by entry is \odot. What cannot be written without indices is written with them.
    """
    return _Latex(notation).show(node)


def _script(mark: str, content: str) -> str:
    return mark + (content if re.fullmatch(r"\w|\\[a-zA-Z]+", content) else f"{{{content}}}")


def _fenced(left: str, content: str, right: str) -> str:
    if left.startswith("\\"):
        content = f" {content} "
    tall = any(command in content for command in _TALL)
    return f"\\left{left}{content}\\right{right}" if tall else f"{left}{content}{right}"


class _Latex(Writer):
    relations = {"=": "=", "<=": "\\le", ">=": "\\ge", "<": "<", ">": ">", "!=": "\\ne"}

    def number(self, value: Fraction) -> Piece:
        if value.denominator == 1:
            return Piece(str(value), ATOM)
        return Piece(f"\\tfrac{{{value.numerator}}}{{{value.denominator}}}", PRODUCT)

    def symbol(self, name: str, indices: Sequence[str] = ()) -> str:
        return self._named(name, indices, bold=False)

    def vector(self, name: str, indices: Sequence[str] = ()) -> str:
        return self._named(name, indices, bold=self.matrix)

    def _named(self, name: str, indices: Sequence[str], bold: bool) -> str:
        match = re.fullmatch(r"([A-Za-z]+)(\d*)('*)", name)
        letters, digits, primes = match.groups() if match else (name, "", "")
        if letters in GREEK:
            command = "\\varepsilon" if letters in ("eps", "epsilon") else f"\\{letters}"
            stem = f"\\boldsymbol{{{command}}}" if bold else command
        elif len(letters) == 1:
            stem = f"\\mathbf{{{letters}}}" if bold else letters
        else:
            stem = f"\\{'mathbf' if bold else 'mathrm'}{{{letters.replace('_', chr(92) + '_')}}}"
        places = [digits, *indices] if digits else indices
        return stem + primes + (_script("_", _places(places)) if places else "")

    def index(self, name: str) -> str:
        return re.sub(r"(?<=[a-z])(\d+)$", lambda m: _script("_", m[1]), name)

    def subscripted(self, text: str, indices: Sequence[str]) -> str:
        return text + _script("_", _places(indices))

    def bracket(self, text: str) -> str:
        return _fenced("(", text, ")")

    def power(self, base: str, exponent: str) -> str:
        # a prime is a superscript of its own: without a group TeX sees two
        return ("{" + base + "}" if re.search(r"'(_\w|_\{[^{}]*\})?$", base) else base) + _script("^", exponent)

    def entrywise_exponent(self, exponent: str) -> str:
        return f"\\odot {exponent}" if self.matrix else exponent

    def quotient(self, over: Piece, under: Piece) -> Piece:
        command = "tfrac" if over.text.isdigit() and under.text.isdigit() else "frac"
        return Piece(f"\\{command}{{{over.text}}}{{{under.text}}}", PRODUCT)

    def entrywise(self, left: str, right: str) -> str:
        return f"{left} \\odot {right}"

    def times(self, left: str, right: str) -> str:
        if right[0].isdigit() or right.startswith("\\tfrac"):
            return f"{left} \\cdot {right}"
        # two lines or two upright names side by side would run together
        apart = any(right.startswith(c) and c in left for c in ("\\overline", "\\mathrm"))
        return f"{left} \\, {right}" if apart else f"{left} {right}"

    def root(self, radicand: Piece) -> Piece:
        return Piece(f"\\sqrt{{{radicand.text}}}", POWER)

    def summed(self, index: str, upper: str, body: Piece) -> Piece:
        limits = _script("_", f"{index}=1") + _script("^", upper) if upper else _script("_", index)
        return Piece(f"\\sum{limits} {self._held(body, PREFIX).text}", PREFIX)

    def derivative(self, body: Piece, variable: Piece, simple: bool) -> Piece:
        if simple:
            return Piece(f"\\frac{{\\partial {body.text}}}{{\\partial {variable.text}}}", PRODUCT)
        return Piece(f"\\frac{{\\partial}}{{\\partial {variable.text}}}\\left({body.text}\\right)", PRODUCT)

    def expectation(self, body: str) -> str:
        return "\\mathbb{E}" + _fenced("[", body, "]")

    def transposed(self, array: Piece) -> Piece:
        return Piece(self.power(self._held(array, ATOM).text, "\\top"), POWER)

    def filled(self, scalar: Piece) -> Piece:
        if scalar.text in ("0", "1"):
            return Piece(f"\\mathbf{{{scalar.text}}}", ATOM)
        if scalar.level == SUM and scalar.text.startswith("-") and " " not in scalar.text:
            return Piece(f"{scalar.text} \\mathbf{{1}}", SUM)
        return Piece(f"{self._held(scalar, PRODUCT).text} \\mathbf{{1}}", PRODUCT)

    def call(self, name: str, *args: str) -> Piece:
        return Piece(f"\\operatorname{{{name}}}" + self.bracket(", ".join(args)), ATOM)

    def basis(self, index: str) -> str:
        return self.vector("e", [index])

    def delta(self, left: str, right: str) -> str:
        return self.symbol("delta", [left, right])

    def form(self, word: Word, args: list[Piece]) -> Piece:
        if word.name == "mean" and isinstance(word.args[0], Array) and is_plain(word.args[0]):
            return Piece(f"\\overline{{{args[0].text}}}", ATOM)
        return super().form(word, args)

    def word_total(self, x: Piece) -> Piece:
        return Piece(f"\\mathbf{{1}}^\\top {self._held(x, POWER).text}", PRODUCT)

    def word_norm(self, x: Piece) -> Piece:
        return Piece(_fenced("\\lVert", x.text, "\\rVert"), ATOM)

    def word_dot(self, x: Piece, y: Piece) -> Piece:
        return Piece(_fenced("\\langle", f"{x.text}, {y.text}", "\\rangle"), ATOM)

    def word_core(self, x: Piece, eps: Piece) -> Piece:
        return Piece(self.vector("u") + _script("_", eps.text) + self.bracket(x.text), ATOM)

    def word_rms(self, x: Piece, eps: Piece) -> Piece:
        return Piece("R" + _script("_", eps.text) + self.bracket(x.text), ATOM)

    def word_trace(self, a: Piece) -> Piece:
        return Piece(f"\\operatorname{{tr}} {self._held(a, ATOM).text}", PREFIX)

    def word_outer(self, x: Piece, y: Piece) -> Piece:
        return Piece(f"{self._held(x, POWER).text} {self.transposed(y).text}", PRODUCT)

    def word_diag(self, x: Piece) -> Piece:
        return self.call("diag", x.text)

    def word_one(self) -> Piece:
        return Piece("\\mathbf{1}", ATOM)

    def word_jacobian(self, x: Piece, by: Piece) -> Piece:
        return Piece(f"D{_script('_', by.text)} {self._held(x, ATOM).text}", PRODUCT)

    def word_gradient(self, body: Piece, by: Piece) -> Piece:
        return Piece(f"\\nabla{_script('_', by.text)} {self._held(body, ATOM).text}", PRODUCT)


def _places(indices: Sequence[str]) -> str:
    return ("" if all(len(i) == 1 and i.isalpha() for i in indices) else ",").join(indices)
