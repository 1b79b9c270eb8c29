"""Reads a statement in our words, such as "mean(u^2) = q/(q+eps)", without eval. Imports words, definitions, tokens.

The language: one relation between expressions, read by recursive descent.

    relation   = expression (("=" | "==" | "<=" | ">=" | "<" | ">" | "!=") expression)+
    expression = product (("+" | "-") product)*
    product    = prefix (("*" | "/" | "@") prefix)*
    prefix     = ("-" | "+") prefix | atom (index | "(" vector ")")* power?
    atom       = number prefix? | name | function "(" ... ")" | sum_i product | "(" expression ")"

Every limit below is there so that no text, however hostile, costs more than a fraction of a second.
"""

from __future__ import annotations

import operator as operators
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from itertools import islice
from typing import NoReturn

import lnsym.derivations.definitions as definitions
from lnsym import lang
from lnsym.errors import StatementError, TermError
from lnsym.kernel.terms import (
    COORDINATES,
    INPUTS,
    ROWS,
    STEPS,
    Array,
    Entry,
    Index,
    Num,
    Pow,
    Relation,
    Sum,
    Sym,
    Term,
    children,
    free_indices,
    walk,
)
from lnsym.tokens import EXAMPLE, RELATIONS, Token, clip, fail, tokens

__all__ = ["Statement", "caret", "parse_expression", "parse_given", "parse_point", "parse_statement"]

MAX_NESTING = 50  # brackets, signs and sums inside one another
MAX_EXPONENT = 64  # also of a power of a power, multiplied out
MAX_POSITION = 99  # of an entry such as z_1
MAX_D = 1000  # of a point
MAX_WORK = 10_000  # nodes handed to words: a word in a word copies its argument several times

Value = Term | Array
PointValue = Fraction | tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement as written, and the relation that it stands for."""

    text: str
    relation: Relation


# ---------------------------------------------------------------- the words


def _scalars() -> dict[str, Term]:
    symbols = {value.name: value for value in vars(definitions).values() if isinstance(value, Sym)}
    lengths = {range_.length: lang.length(range_) for range_ in (COORDINATES, INPUTS, ROWS, STEPS)}
    return {**symbols, **lengths, "sigma": definitions.sigma}


def _vectors() -> dict[str, Array]:
    arrays = [value for value in vars(definitions).values() if isinstance(value, Array)]
    plain = {x.body.vector: x for x in arrays if isinstance(x.body, Entry) and [i.range for i in x.indices] == [COORDINATES]}
    return {**plain, "one": lang.one}


SCALARS = _scalars()
VECTORS = _vectors()
MATRICES = {"P": lang.P, "J": definitions.J, "I": lang.identity()}

# Name of a function: what builds it, and the kinds of its arguments; an argument after "?" may be left out.
FUNCTIONS: dict[str, tuple[Callable[..., Value], str]] = {
    "mean": (lang.mean, "v"), "var": (lang.var, "v"), "norm": (lang.norm, "v"), "total": (lang.total, "v"),
    "cov": (lang.cov, "vv"), "dot": (lang.dot, "vv"), "outer": (lang.outer, "vv"), "diag": (lang.diag, "v"),
    "sqrt": (lang.sqrt, "s"), "D": (lang.D, "ss"), "core": (lang.core, "v?s"), "rms": (lang.rms, "v?s"), "trace": (lang.trace, "m"),
    "transpose": (lambda a: a.T, "m"),
}  # fmt: skip
KINDS = {"s": "scalar", "v": "vector", "m": "matrix"}
_ARGUMENT_REMEDIES = {
    "s": "Write an entry, such as u_i or J[i,j].",
    "v": "Write c*one for a constant vector.",
    "m": "Write a matrix, such as J or outer(u, u).",
}
RESERVED = {"sum", "delta", "and", *"ijklm"}
OWN_NAMES = "A free scalar is a, c or t; a vector of your own is declared with --vector."
REMEDIES = {
    "abs": "Write an absolute value as sqrt(a^2).",
    "max": "State a bound for every coordinate instead: gamma^2 <= c^2.",
    "min": "State a bound for every coordinate instead: c^2 <= gamma^2.",
    "std": "Say whether eps is inside: s is sqrt(q + eps), sigma is sqrt(q).",
}


def _kind(value: Value) -> str:
    return ("scalar", "vector", "matrix")[len(value.indices)] if isinstance(value, Array) else "scalar"


def _declared(vectors: Sequence[str]) -> dict[str, Array]:
    """The vectors that the user declares, by name."""
    if isinstance(vectors, str):
        vectors = (vectors,)
    table = {}
    for name in vectors:
        found = tokens(name)
        if [token.kind for token in found] != ["name", "end"]:
            fail(name, 0, f"'{clip(name)}' cannot name a vector. Begin with a letter, then letters and digits: x, dx, x2, x'.")
        word = found[0].text
        if word.rstrip("'") in RESERVED or word in SCALARS or word in MATRICES or word in FUNCTIONS:
            fail(name, 0, f"'{word}' already has a meaning and cannot name a vector. Choose another name.")
        table[word] = lang.vector(word)
    return table


# ---------------------------------------------------------------- the parser


class _Parser:
    """Recursive descent over the tokens; one method for each line of the grammar."""

    def __init__(self, text: str, vectors: Sequence[str], names: Mapping[str, Value] | None = None) -> None:
        self.names: dict[str, Value] = {**SCALARS, **VECTORS, **MATRICES, **_declared(vectors), **(names or {})}
        self.tokens = tokens(text)
        self.text = text
        self.at = 0
        self.nesting = 0
        self.work = 0
        # The indices of a sum in brackets, sum_i(...), that the next factor would leave: see `product`.
        self.bracketed: frozenset[Index] = frozenset()

    # ------------------------------------------------ reading tokens and failing

    @property
    def next(self) -> Token:
        return self.tokens[self.at]

    def take(self, *kinds: str) -> Token | None:
        """The next token if it is of one of these kinds."""
        token = self.next
        if token.kind not in kinds:
            return None
        self.at += 1
        return token

    def expect(self, kind: str, remedy: str = "") -> Token:
        return self.take(kind) or self.unexpected(f"'{kind}'", remedy)

    def unexpected(self, wanted: str, remedy: str = "") -> NoReturn:
        found = f"'{clip(self.next.text)}'" if self.next.kind != "end" else "the end"
        fail(self.text, self.next.position, f"expected {wanted}, found {found}. {remedy}".rstrip())

    def fail(self, token: Token, message: str) -> NoReturn:
        fail(self.text, token.position, message)

    def build(self, token: Token, make: Callable[..., Value], *parts: Value) -> Value:
        """make(*parts), its refusals told at the token, and its cost charged: words copy and rename their parts."""
        self.charge(token, *parts)
        try:
            return make(*parts)
        except TermError as error:
            self.fail(token, f"{error}.")

    def charge(self, token: Token, *parts: Value) -> None:
        for part in parts:
            self.work += sum(1 for _ in islice(walk(part), MAX_WORK + 1))
        if self.work > MAX_WORK:
            self.fail(token, "the statement is too large here. Use fewer words inside one another, or name a part and state it on its own.")

    # ------------------------------------------------ the grammar

    def relations(self) -> list[Relation]:
        """One relation, or several in a chain such as 0 <= a < 1."""
        left = self.expression()
        found: list[Relation] = []
        while token := self.take(*RELATIONS):
            right = self.expression()
            self.comparable(token, left, right)
            sides, kind = ((right, left), token.kind.replace(">", "<")) if ">" in token.kind else ((left, right), token.kind)
            found.append(Relation(kind, *sides))
            left = right
        return found

    def comparable(self, token: Token, left: Value, right: Value) -> None:
        kinds = {_kind(left), _kind(right)}
        if kinds == {"vector", "matrix"}:
            self.fail(token, f"unequal shapes: a {_kind(left)} on the left, a {_kind(right)} on the right. Compare vectors with vectors.")
        if kinds == {"scalar", "matrix"} and Num(Fraction(0)) not in (left, right):
            self.fail(token, "a matrix and a scalar cannot be compared. Write c*I for the matrix with c on its diagonal.")
        if "matrix" in kinds and token.kind not in ("=", "!="):
            self.fail(token, f"matrices have no order, '{token.text}' is not defined. Compare entries, such as J[i,j], or use '='.")

    def expression(self) -> Value:
        left = self.product()
        while token := self.take("+", "-"):
            left = self.combine(token, left, self.product())
        return left

    def product(self) -> Value:
        left = self.prefix()
        closed = self.bracketed
        while token := self.take("*", "/", "@"):
            if token.kind == "/" and self.next.kind == "number" and self.starts_factor(self.tokens[self.at + 1]):
                self.fail(token, "a product without * after '/' can be read in two ways. Write 1/(2*q) or (1/2)*q.")
            right = self.prefix()
            for name in sorted(index.name for index in closed.intersection(free_indices(right) if closed else ())):
                self.fail(token, f"'sum_{name}(...)' ends at its bracket, but this factor has {name}. Write sum_{name}((...)*...).")
            left = self.combine(token, left, right)
            closed |= self.bracketed
        return left

    def prefix(self) -> Value:
        self.nesting += 1
        if self.nesting > MAX_NESTING:
            self.fail(self.next, f"more than {MAX_NESTING} levels of brackets, signs and sums. Simplify the statement.")
        if sign := self.take("-", "+"):
            value = self.prefix()
            if sign.kind == "-":
                value = Num(-value.value) if isinstance(value, Num) else -value
        else:
            value = self.power(self.postfix(self.atom()))
        self.nesting -= 1
        return value

    def postfix(self, value: Value) -> Value:
        """Entries of a vector or matrix, and a matrix applied to a vector."""
        while self.next.kind in ("[", "_", "sub") or (self.next.kind == "(" and _kind(value) == "matrix"):
            token = self.next
            if token.kind == "(":
                arguments = self.arguments()
                if len(arguments) != 1 or _kind(arguments[0]) != "vector":
                    self.fail(token, "a matrix applies to one vector, as in P(x). Write J @ J for a product, J[i,j] for an entry.")
                value = self.build(token, operators.matmul, value, arguments[0])
                continue
            at = self.indices()
            if not isinstance(value, Array):
                self.fail(token, "only a vector or a matrix has entries, this is a scalar. Remove the index.")
            if len(at) != len(value.indices):
                few = "one index, as in z_i" if len(value.indices) == 1 else "two indices, as in J[i,j]"
                self.fail(token, f"a {_kind(value)} takes {few}; found {len(at)}.")
            value = self.build(token, lambda x, at=at: x[at], value)
        return value

    def indices(self) -> tuple[Index, ...]:
        """The indices in [i,j], _i, _ij, _{i,j} or a subscript."""
        opening = self.take("[", "_", "sub") or self.unexpected("an index", "Write z_i, z[i] or z_1.")
        if opening.kind == "sub":
            return self.index_names(opening)
        if opening.kind == "_" and not self.take("{"):
            return self.index_names(self.take("name", "number") or self.unexpected("an index", "Write z_i, z[i] or z_1."))
        found: tuple[Index, ...] = ()
        while True:
            found += self.index_names(self.take("name", "number") or self.unexpected("an index", "Write z[i] or J[i,j]."))
            if not self.take(","):
                break
        self.expect("]" if opening.kind == "[" else "}")
        return found

    def index_names(self, token: Token) -> tuple[Index, ...]:
        names = re.findall(r"[1-9][0-9]*|[ijklm]", token.text)
        if "".join(names) != token.text or any(name.isdigit() and int(name) > MAX_POSITION for name in names):
            self.fail(token, f"'{clip(token.text)}' is not an index. Use i, j, k, l, m or a position 1, 2, ..., {MAX_POSITION}.")
        return tuple(map(Index, names))

    def power(self, base: Value) -> Value:
        token = self.take("^", "super")
        if token is None:
            return base
        if _kind(base) == "matrix":
            self.fail(token, "a power of a matrix is not in the language. Write J @ J for the matrix product.")
        if token.kind == "super":
            exponent = int(token.text[:6])
        else:
            bracket, sign = self.take("("), self.take("-", "+")
            number = self.take("number") or self.unexpected("a whole number as exponent", "Write a square root as sqrt(...).")
            if bracket:
                self.expect(")", "An exponent is a whole number; write a square root as sqrt(...).")
            exponent = int(number.text) * (-1 if sign and sign.kind == "-" else 1)
        if self.next.kind in ("^", "super"):
            self.fail(self.next, "a power of a power can be read in two ways. Write brackets: (a^2)^3.")
        self.charge(token, base)
        if abs(exponent) * max(1, _degree(base)) > MAX_EXPONENT:
            self.fail(token, f"exponent too large: the limit is {MAX_EXPONENT}, also for a power of powers. Use a smaller one.")
        if exponent < 0 and base == Num(Fraction(0)):
            self.fail(token, "division by zero. Change the base.")
        return base**exponent

    def starts_factor(self, token: Token) -> bool:
        return token.kind in ("name", "(") and token.text != "and"

    def atom(self) -> Value:
        self.bracketed = frozenset()
        if token := self.take("number"):
            number = Num(Fraction(int(token.text)))
            return self.combine(token, number, self.prefix()) if self.starts_factor(self.next) else number
        if self.take("("):
            return self.closed(")")
        if token := self.take("‖"):
            return self.apply("norm", token, [self.closed("‖")])
        if self.next.kind == "name" and self.next.text != "and":
            return self.word(self.tokens[self.at])
        return self.unexpected("an operand", "An operand is a number, a name such as z, or a bracket.")

    def closed(self, bracket: str) -> Value:
        value = self.expression()
        self.close(bracket)
        return value

    def close(self, bracket: str) -> None:
        if self.take(bracket) is None:
            self.unexpected(f"an operator or '{bracket}'", self.hint())
        self.bracketed = frozenset()

    def hint(self) -> str:
        after_operand = self.next.kind in ("name", "number", "(")
        return "Write * for a product: it may be left out only after a number." if after_operand else ""

    def word(self, token: Token) -> Value:
        self.at += 1
        name = token.text
        if name == "sum":
            return self.sum(token)
        if name == "delta":
            at = self.indices()
            if len(at) != 2:
                self.fail(token, f"delta takes two indices, as in delta_ij; found {len(at)}.")
            return lang.delta(*at)
        if name in FUNCTIONS:
            if self.next.kind != "(":
                self.unexpected(f"'(' after {name}", f"Write {name}(...).")
            return self.apply(name, token, self.arguments())
        if name not in self.names:
            self.unknown(token)
        return self.names[name]

    def unknown(self, token: Token) -> NoReturn:
        name = token.text
        if len(name) == 1 and name in RESERVED:
            self.fail(token, f"'{name}' is an index and has no value of its own. Write z_{name} for an entry.")
        known = sorted({*self.names, *FUNCTIONS, "sum", "delta"})
        close = get_close_matches(name[:40], known, n=1)
        remedy = REMEDIES.get(name) or (f"Did you mean '{close[0]}'?" if close else OWN_NAMES)
        self.fail(token, f"'{clip(name)}' is not a word of the language. {remedy}")

    def arguments(self) -> list[Value]:
        self.expect("(")
        found = [self.expression()]
        while self.take(","):
            found.append(self.expression())
        self.close(")")
        return found

    def apply(self, name: str, token: Token, arguments: list[Value]) -> Value:
        make, signature = FUNCTIONS[name]
        wanted = signature.replace("?", "")
        if not len(signature.split("?")[0]) <= len(arguments) <= len(wanted):
            takes = f"{len(wanted)} argument{'s'[: len(wanted) > 1]}" if "?" not in signature else "1 or 2 arguments"
            self.fail(token, f"{name} takes {takes}, found {len(arguments)}.")
        for letter, argument in zip(wanted, arguments, strict=False):
            if _kind(argument) != KINDS[letter]:
                remedy = _ARGUMENT_REMEDIES[letter]
                if letter == "v" and free_indices(argument):
                    remedy = f"Write the vector without its index: {name}(u^2)."
                self.fail(token, f"{name} takes a {KINDS[letter]} here, found a {_kind(argument)}. {remedy}")
        return self.build(token, make, *arguments)

    def divides(self, at: int) -> bool:
        """Whether the operand that begins at this token is a denominator."""
        while at and self.tokens[at - 1].kind in ("-", "+"):
            at -= 1
        return at > 0 and self.tokens[at - 1].kind == "/"

    def sum(self, token: Token) -> Value:
        start = self.at - 1
        if self.next.kind not in ("_", "sub", "["):
            self.unexpected("an index after sum", "Write sum_i(...), or total(x) for a vector x.")
        at = self.indices()
        if any(i.name.isdigit() for i in at):
            self.fail(token, "a sum runs over an index, not over a position. Write sum_i(...).")
        self.nesting += len(at) - 1
        if self.take("("):
            body = self.closed(")")
            if self.next.kind in ("^", "super"):
                self.fail(self.next, "a power after sum_i(...) can be read in two ways. Write sum_i((...)^2) or (sum_i(...))^2.")
            outer = frozenset(at)
        else:
            if self.divides(start):
                self.fail(token, "a sum after '/' can be read in two ways. Write brackets: 1/(sum_i v_i^2).")
            body, outer = self.product(), frozenset()
        if isinstance(body, Array):
            self.fail(token, f"a sum takes a scalar, found a {_kind(body)}. Write sum_i z_i with the index, or total(z).")
        self.nesting -= len(at) - 1
        for index in reversed(at):
            body = Sum(index, body)
        self.bracketed = outer
        return body

    def combine(self, token: Token, left: Value, right: Value) -> Value:
        """left (operator) right, where that means one thing only; juxtaposition comes as a number token."""
        operator, kinds = token.kind, (_kind(left), _kind(right))
        if operator == "@":
            if kinds[0] != "matrix" or kinds[1] == "scalar":
                self.fail(token, f"'@' takes a matrix and a vector or matrix, found a {kinds[0]} and a {kinds[1]}. Write dot(x, y) or *.")
            return self.build(token, operators.matmul, left, right)
        if operator in ("+", "-"):
            if "matrix" in kinds and kinds[0] != kinds[1]:
                self.fail(token, f"cannot add a {kinds[0]} and a {kinds[1]}. Write c*I for the matrix with c on its diagonal.")
            total: Term | Array = left + right if operator == "+" else left - right
            return total
        scaled = kinds == ("matrix", "scalar") or (kinds == ("scalar", "matrix") and operator != "/")
        if "matrix" in kinds and not scaled:
            remedy = "Write P(x) for a matrix applied to a vector, J @ J for a product of matrices."
            self.fail(token, f"cannot take {kinds[0]} {operator} {kinds[1]}. {remedy}")
        if operator != "/":
            product: Term | Array = left * right
            return product
        if right == Num(Fraction(0)):
            self.fail(token, "division by zero. Change the denominator.")
        if isinstance(left, Num) and isinstance(right, Num):
            return Num(left.value / right.value)
        if isinstance(left, Term) and isinstance(right, Array):
            return Array(right.indices, left / right.body)
        quotient: Term | Array = left / right
        return quotient

    def end(self, wanted: str = "an operator or the end") -> None:
        if self.next.kind != "end":
            self.unexpected(wanted, self.hint())


def _degree(value: Value) -> int:
    """The largest product of exponents along one path into the value."""
    inner = max(map(_degree, children(value)), default=1)
    return inner * max(1, abs(value.exponent)) if isinstance(value, Pow) else inner


# ---------------------------------------------------------------- what others call


def parse_statement(text: str, vectors: Sequence[str] = ()) -> Statement:
    """The one relation that the text states. `vectors` names the vectors that are not words of the language."""
    parser = _Parser(text, vectors)
    if parser.next.kind == "end":
        fail(text, 0, f"expected a statement, found nothing. {EXAMPLE}")
    relations = parser.relations()
    if not relations:
        parser.unexpected("an operator or a relation such as =", parser.hint() or EXAMPLE)
    if len(relations) > 1 or parser.next.kind == "," or parser.next.text == "and":
        second = parser.next if len(relations) == 1 else [token for token in parser.tokens if token.kind in RELATIONS][1]
        parser.fail(second, "expected one relation, found more. State them one by one: 0 <= a < 1 is 0 <= a, then a < 1.")
    parser.end()
    return Statement(text, relations[0])


def parse_expression(text: str, vectors: Sequence[str] = (), names: Mapping[str, Value] | None = None) -> Value:
    """The one expression that the text holds. `names` gives symbols and vectors by name, besides the vectors declared."""
    parser = _Parser(text, vectors, names)
    if parser.next.kind == "end":
        fail(text, 0, "expected an expression, found nothing. Write for example v/s.")
    found = parser.expression()
    parser.end()
    return found


def parse_given(text: str, vectors: Sequence[str] = ()) -> tuple[Relation, ...]:
    """The hypotheses in the text, separated by commas or "and"; a chain such as 0 <= a < 1 gives two."""
    parser = _Parser(text, vectors)
    if parser.next.kind == "end":
        fail(text, 0, 'expected a hypothesis, found nothing. Write a relation, for example "0 <= a < 1".')
    found: list[Relation] = []
    while True:
        relations = parser.relations()
        if not relations:
            parser.unexpected("an operator or a relation such as =", parser.hint() or 'Write a hypothesis, for example "q > 0".')
        found += relations
        if parser.next.text == "and":
            parser.at += 1
        elif not parser.take(","):
            break
    parser.end('a comma, "and", or the end')
    return tuple(found)


def parse_point(text: str, vectors: Sequence[str] = ()) -> dict[str, PointValue]:
    """The values in a text such as "z=(1,2,3), eps=1/3": scalars as fractions, vectors as tuples of fractions."""
    parser = _Parser(text, vectors)
    if parser.next.kind == "end":
        fail(text, 0, 'expected a point, found nothing. Write for example "z=(1,2,3), eps=1/3".')
    point: dict[str, PointValue] = {}
    while True:
        token = parser.take("name") or parser.unexpected("a name", 'Write for example "z=(1,2,3), eps=1/3".')
        value = parser.names.get(token.text)
        if value is None:
            parser.unknown(token)
        if not isinstance(value.body if isinstance(value, Array) else value, (Sym, Entry)):
            parser.fail(token, f"'{token.text}' is computed and cannot be given. Give the values of z and eps.")
        if token.text in point:
            parser.fail(token, f"'{token.text}' is given twice. Remove one.")
        parser.expect("=", f"Write {token.text} = ....")
        point[token.text] = _point_value(parser, token, _kind(value))
        lengths = sorted({len(x) if isinstance(x, tuple) else int(x) for name, x in point.items() if isinstance(x, tuple) or name == "d"})
        if len(lengths) > 1:
            parser.fail(token, f"unequal lengths: d would be {lengths[0]} and {lengths[1]}. Give every vector the same number of entries.")
        if lengths and lengths[0] > MAX_D:
            parser.fail(token, f"d would be {clip(str(lengths[0]))}, the limit is {MAX_D}. Give fewer entries.")
        if not parser.take(","):
            break
    parser.end("a comma or the end")
    return point


def _point_value(parser: _Parser, name: Token, kind: str) -> PointValue:
    start = parser.next
    opening = parser.take("(", "[")
    if opening is None:
        if kind == "vector":
            parser.fail(start, f"'{name.text}' is a vector and takes a list. Write {name.text} = (1, 2, 3).")
        value = _rational(parser)
        if name.text in ("d", "n", "N", "T") and (value < 1 or value.denominator != 1):
            parser.fail(start, f"{name.text} is a number of values and cannot be {clip(str(value))}. Give 1, 2, 3, ....")
        if name.text == "eps" and value < 0:
            parser.fail(start, f"eps cannot be negative, found {clip(str(value))}. Give eps > 0, such as 1/3.")
        return value
    if kind == "scalar":
        parser.fail(start, f"'{name.text}' is a scalar and takes one number. Write {name.text} = 1/3.")
    closing = ")" if opening.kind == "(" else "]"
    entries = [_rational(parser)]
    while parser.take(",") and parser.next.kind != closing:
        entries.append(_rational(parser))
    parser.expect(closing)
    return tuple(entries)


def _rational(parser: _Parser) -> Fraction:
    sign = parser.take("-", "+")
    number = parser.take("number") or parser.unexpected("a number", "Write whole numbers and fractions, such as -2 or 1/3.")
    denominator = parser.take("/") and (parser.take("number") or parser.unexpected("a number", "Write a fraction such as 1/3."))
    if denominator and int(denominator.text) == 0:
        parser.fail(denominator, "division by zero. Change the denominator.")
    value = Fraction(int(number.text), int(denominator.text) if denominator else 1)
    return -value if sign and sign.kind == "-" else value


def caret(error: StatementError, width: int = 72) -> str:
    """The text around the error with a caret under its position, in two lines; empty where there is no position, or nothing to show."""
    if error.position is None or not error.text.strip():
        return ""
    start = max(0, error.position - width // 2)
    shown = "".join(c if c.isprintable() else " " if c.isspace() else "?" for c in error.text[start : start + width])
    return f"{shown}\n{' ' * (error.position - start)}^"
