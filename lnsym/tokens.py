"""Cuts a statement into tokens, Unicode spellings made plain, with the limits on its length. Imports the errors only."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import NoReturn

from lnsym.errors import StatementError

MAX_LENGTH = 10_000  # characters of a text
MAX_DIGITS = 200  # of one number
RELATIONS = ("=", "<=", ">=", "<", ">", "!=")
EXAMPLE = 'Write a relation, for example "mean(u^2) = q/(q+eps)".'

_GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "eps", "ϵ": "eps", "ζ": "zeta", "η": "eta", "θ": "theta", "ι": "iota",
    "κ": "kappa", "λ": "lambda", "μ": "mu", "\u00b5": "mu", "ν": "nu", "ξ": "xi", "π": "pi", "ρ": "rho", "σ": "sigma", "τ": "tau",
    "φ": "phi", "χ": "chi", "ψ": "psi", "ω": "omega",
}  # fmt: skip
_CANONICAL = {"==": "=", "≤": "<=", "≥": ">=", "≠": "!=", "**": "^", "·": "*", "⋅": "*", "×": "*", "−": "-"}
_SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-", strict=True))
_SUBSCRIPTS = dict(zip("₀₁₂₃₄₅₆₇₈₉ᵢⱼₖₗₘ", "0123456789ijklm", strict=True))
_LETTERS = {**_GREEK, **_SUBSCRIPTS, "√": "sqrt", "∑": "sum", "Σ": "sum", "′": "'", "’": "'"}
_TOKEN = re.compile(
    rf"""(?P<blank>[ \t\r\n\u00a0\u2009\u200a\u202f]+)
    | (?P<decimal>[0-9]+\.[0-9]*(?:[eE][+-]?[0-9]+)? | \.[0-9]+(?:[eE][+-]?[0-9]+)? | [0-9]+[eE][+-]?[0-9]+)
    | (?P<number>[0-9]+)
    | (?P<name>(?:[A-Za-z][A-Za-z0-9]*|[{"".join(_GREEK)}√∑Σ])['′’]*)
    | (?P<super>⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)
    | (?P<sub>[{"".join(_SUBSCRIPTS)}]+)
    | (?P<operator><=|>=|==|!=|\*\*|[-+*/^@=<>()\[\]{{}},_·⋅×−≤≥≠‖])
    | (?P<wrong>.)""",
    re.VERBOSE | re.DOTALL,
)
_UNKNOWN_CHARACTERS = {
    "|": "Write norm(x) for a norm and sqrt(a^2) for an absolute value.",
    "∥": "Write norm(x) for a norm.",
    "⟨": "Write an inner product as dot(x, y).",
    "∂": "Write a derivative as D(a, z_j).",
    ".": "Write fractions such as 1/10, and * for a product.",
    "&": 'Join hypotheses with a comma or "and".',
    ";": 'Join hypotheses with a comma or "and".',
}


@dataclass(frozen=True, slots=True)
class Token:
    """A word, number or sign of the text and where it begins."""

    kind: str  # number, name, super, sub, end, or the operator itself
    text: str
    position: int


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else f"U+{ord(c):04X}" for c in text)


def clip(text: str) -> str:
    """The text as an error may quote it: short, and without characters that do not print."""
    return _printable(text if len(text) <= 40 else text[:37] + "...")


def fail(text: str, position: int, message: str) -> NoReturn:
    """Refuse the text at a position, counted from 0 and told from 1."""
    raise StatementError(f"column {position + 1}: {message}", text, position)


def _decimal_remedy(decimal: str) -> str:
    exponent = re.split("[eE]", decimal + "e")[1]
    if len(decimal) > 12 or len(exponent.lstrip("+-")) > 1:
        return "Write an exact fraction, such as 1/10."
    return f"Write {Fraction(decimal)}."


def plain_name(raw: str) -> str:
    """A name in the letters of a keyboard: eps for ε or epsilon, z' for z′, beta1 for β₁."""
    name = "".join(_LETTERS.get(letter, letter) for letter in raw)
    return re.sub(r"^epsilon\b", "eps", name)


def tokens(text: object) -> list[Token]:
    """The tokens of the text, the last of kind "end"."""
    if not isinstance(text, str):
        raise StatementError(f"expected a statement as text, got {type(text).__name__}. {EXAMPLE}")
    if len(text) > MAX_LENGTH:
        fail(text, MAX_LENGTH, f"the text has {len(text)} characters, the limit is {MAX_LENGTH}. Split it into smaller statements.")
    found = []
    for match in _TOKEN.finditer(text):
        kind, raw, position = str(match.lastgroup), match.group(), match.start()
        if kind == "wrong":
            fail(text, position, f"unexpected character '{_printable(raw)}'. {_UNKNOWN_CHARACTERS.get(raw, 'Remove it.')}")
        if kind == "decimal":
            fail(text, position, f"decimal number '{clip(raw)}': numbers are exact here. {_decimal_remedy(raw)}")
        if kind == "number" and len(raw) > MAX_DIGITS:
            fail(text, position, f"a number of {len(raw)} digits, the limit is {MAX_DIGITS}. Give it a name, such as c.")
        if kind == "name":
            raw = plain_name(raw)
        elif kind in ("super", "sub"):
            raw = "".join({**_SUPERSCRIPTS, **_SUBSCRIPTS}[c] for c in raw)
        elif kind == "operator":
            raw = kind = _CANONICAL.get(raw, raw)
        if kind != "blank":
            found.append(Token(kind, raw, position))
    return [*found, Token("end", "", len(text))]
