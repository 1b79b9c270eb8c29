"""What the printers of terms share: precedence, order, signs, fractions and the two notations. Imports the kernel's terms and errors."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

from lnsym.errors import TermError
from lnsym.kernel.terms import (
    Add,
    Array,
    Components,
    Delta,
    Derivative,
    Entry,
    Expectation,
    Geometric,
    Index,
    Mul,
    Num,
    Pow,
    Power,
    Relation,
    Root,
    Sum,
    Sym,
    Term,
    Word,
    opened,
    walk,
)

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "eps": "ε", "zeta": "ζ", "eta": "η", "theta": "θ", "iota": "ι",
    "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "phi": "φ", "chi": "χ",
    "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Phi": "Φ",
    "Psi": "Ψ", "Omega": "Ω",
}  # fmt: skip

# How tightly a piece holds together. A PREFIX (a sum sign and its body) may end a product but not go on in it.
SUM, QUOTIENT, PREFIX, PRODUCT, POWER, ATOM = range(6)

# Which holes of the Array being written a piece depends on. The text of a ROW is that of the column; the transpose comes with its use.
SCALAR, COLUMN, ROW, MATRIX = range(4)

# A word at fixed indices that reads better as what it stands for: delta_ij, not I_ij.
_ENTRY_BY_EXPANSION = frozenset({"transpose", "outer", "diag", "identity", "one", "jacobian", "gradient"})
_MATRIX_WORDS = frozenset({"apply", "matmul", "dot", "total"})


REVERSED = {"<": ">", "<=": ">="}


class Piece(NamedTuple):
    """Written text, how tightly it holds together, and the holes it depends on."""

    text: str
    level: int
    role: int = SCALAR


class Unwritable(Exception):
    """The array cannot be written without indices; caught where the nearest scalar is written out in index notation."""


class Writer(ABC):
    """Writes terms in one notation; a subclass says how the parts look."""

    relations: dict[str, str] = {}
    always_expanded: frozenset[str] = frozenset()
    never_expanded: frozenset[str] = frozenset()
    entrywise_quotients = False

    def __init__(self, notation: str) -> None:
        if notation not in ("index", "matrix"):
            raise TermError(f"expected the notation 'index' or 'matrix', got {notation!r}")
        self.matrix = notation == "matrix"
        self.holes: tuple[Index, ...] = ()

    # ------------------------------------------------------------ how the parts look

    @abstractmethod
    def number(self, value: Fraction) -> Piece:
        """A number that is not negative."""

    @abstractmethod
    def symbol(self, name: str, indices: Sequence[str] = ()) -> str:
        """A name with its indices."""

    def vector(self, name: str, indices: Sequence[str] = ()) -> str:
        """A name that stands for a whole vector."""
        return self.symbol(name, indices)

    @abstractmethod
    def index(self, name: str) -> str:
        """The name of an index."""

    @abstractmethod
    def subscripted(self, text: str, indices: Sequence[str]) -> str:
        """A written word at the given indices."""

    @abstractmethod
    def bracket(self, text: str) -> str:
        """The text in round brackets."""

    @abstractmethod
    def power(self, base: str, exponent: str) -> str:
        """base to the exponent."""

    @abstractmethod
    def quotient(self, over: Piece, under: Piece) -> Piece:
        """The fraction."""

    @abstractmethod
    def times(self, left: str, right: str) -> str:
        """The product, of which one factor at most is a vector or a matrix."""

    def entrywise(self, left: str, right: str) -> str:
        """The product of two vectors entry by entry."""
        return self.times(left, right)

    @abstractmethod
    def root(self, radicand: Piece) -> Piece:
        """The square root."""

    @abstractmethod
    def summed(self, index: str, upper: str, body: Piece) -> Piece:
        """The sum over the whole range of the index, or from 1 to `upper` when that is not empty."""

    @abstractmethod
    def derivative(self, body: Piece, variable: Piece, simple: bool) -> Piece:
        """The partial derivative; `simple` when the body is a name."""

    @abstractmethod
    def expectation(self, body: str) -> str:
        """The expected value."""

    @abstractmethod
    def transposed(self, array: Piece) -> Piece:
        """The transpose."""

    @abstractmethod
    def filled(self, scalar: Piece) -> Piece:
        """The vector each of whose entries is the scalar."""

    @abstractmethod
    def call(self, name: str, *args: str) -> Piece:
        """A function by name."""

    @abstractmethod
    def basis(self, index: str) -> str:
        """The vector with 1 at the index and 0 elsewhere."""

    @abstractmethod
    def delta(self, left: str, right: str) -> str:
        """Kronecker's delta."""

    @abstractmethod
    def word_outer(self, x: Piece, y: Piece) -> Piece:
        """x y^T."""

    @abstractmethod
    def word_diag(self, x: Piece) -> Piece:
        """The diagonal matrix."""

    # ------------------------------------------------------------ entrances

    def show(self, node: Term | Array | Relation | Components) -> str:
        """The node as one line."""
        match node:
            case Relation():
                return self._relation(node)
            case Components(name, _, entries):
                return f"{self.vector(name)} = ({', '.join(self.write(e).text for e in entries)})"
            case Array():
                if self.matrix:
                    try:
                        return self.array(node).text
                    except Unwritable:
                        pass
                return self.write(opened(node)[0]).text
            case Term():
                return self.write(node).text
        raise TermError(f"expected a term, an array, a relation or components, got {node!r}")

    def _relation(self, relation: Relation) -> str:
        sides, kind = (relation.left, relation.right), relation.kind
        if kind in REVERSED and isinstance(relation.left, Num) and not isinstance(relation.right, Num):
            sides, kind = (relation.right, relation.left), REVERSED[kind]  # eps > 0 is stated as 0 < eps
        sign = f" {self.relations[kind]} "
        pattern = next((s for s in sides if isinstance(s, Array)), None)
        if self.matrix and pattern is not None:
            try:
                return sign.join(self.array(s if isinstance(s, Array) else Array(pattern.indices, s)).text for s in sides)
            except Unwritable:
                pass
        return sign.join(self.write(side).text for side in opened(*sides))

    def array(self, array: Array) -> Piece:
        """The array without its holes."""
        outside, self.holes = self.holes, array.indices
        try:
            return self._lifted(self.write(array.body), 2 ** len(array.indices) - 1)
        finally:
            self.holes = outside

    def write(self, term: Term) -> Piece:
        """The term, in the order written."""
        match term:
            case Num(value):
                return Piece(f"-{self.number(-value).text}", SUM) if value < 0 else self.number(value)
            case Sym(name):
                return Piece(self.symbol(name), ATOM)
            case Entry(name, indices):
                return self._entry(name, indices)
            case Delta(left, right):
                return self._delta(left, right)
            case Add(args):
                return self._sum_of(args)
            case Mul(args):
                return self._product_of(term, args)
            case Pow(base, exponent):
                return self._power_of(self.write(base), exponent)
            case Power(symbol, exponent, shift):
                return Piece(self.power(self.symbol(symbol.name), self._shifted(exponent, shift)), POWER)
            case Sum(index, body):
                written = self.write(body)
                return self.summed(self.index(index.name), "", written)._replace(role=written.role)
            case Geometric(symbol, upper, shift, index, body):
                last, place = self._shifted(upper, shift), self.index(index.name)
                weight = Piece(self.power(self.symbol(symbol.name), f"{last}-{place}"), POWER)
                written = self._product([weight, self.write(body)])
                return self.summed(place, last, written)._replace(role=written.role)
            case Root(radicand):
                written = self.write(radicand)
                if written.role:
                    raise Unwritable
                return self.root(written)
            case Derivative(body, variable):
                return self._derivative_of(self.write(body), self.write(variable), isinstance(body, (Sym, Entry)))
            case Expectation(body, _):
                written = self.write(body)
                return Piece(self.expectation(written.text), ATOM, written.role)
            case Word():
                return self._word(term)
        raise TermError(f"expected a term, got {term!r}")

    # ------------------------------------------------------------ sums, products, powers

    def _held(self, piece: Piece, level: int) -> Piece:
        return piece if piece.level >= level else Piece(self.bracket(piece.text), ATOM, piece.role)

    def _sum_of(self, args: Sequence[Term]) -> Piece:
        signed = [_signed(a) for a in args]
        pieces = [self.write(a) for _, a in signed]
        role = 0
        for piece in pieces:
            role |= piece.role
        text = ""
        for (negative, _), piece in zip(signed, pieces, strict=True):
            own = self._lifted(piece, role)
            inside = own.text.startswith("-") and text != ""
            shown = self._held(own, QUOTIENT).text if negative or inside else own.text
            if text:
                text += f" - {shown}" if negative else f" + {shown}"
            else:
                text = f"-{shown}" if negative else shown
        return Piece(text or "0", SUM if len(args) > 1 or text.startswith("-") else pieces[0].level if pieces else ATOM, role)

    def _lifted(self, piece: Piece, role: int) -> Piece:
        if piece.role == role:
            return piece
        if piece.role == SCALAR and role in (COLUMN, ROW):
            return self.filled(piece)._replace(role=role)
        if piece.text == "0":
            return piece._replace(role=role)
        raise Unwritable

    def _product_of(self, term: Term, args: Sequence[Term]) -> Piece:
        negative, rest = _signed(term)
        if negative:
            written = self.write(rest)
            return Piece("-" + self._held(written, QUOTIENT).text, SUM, written.role)
        pieces: list[Piece] = []
        for over, under in _quotients(args):
            numerators = [self.write(f) for f in over]
            if under:
                denominator = self._product([self._denominator(f) for f in under])
                pieces.append(self._quotient(self._product(numerators), denominator))
            else:
                pieces.extend(numerators)
        return self._product(pieces)

    def _denominator(self, factor: Pow) -> Piece:
        return self.write(factor.base) if factor.exponent == -1 else self._power_of(self.write(factor.base), -factor.exponent)

    def _quotient(self, over: Piece, under: Piece) -> Piece:
        if under.role and not (self.entrywise_quotients and under.role == COLUMN and over.role in (SCALAR, COLUMN)):
            raise Unwritable
        return self.quotient(over, under)._replace(role=over.role | under.role)

    def _product(self, pieces: Sequence[Piece]) -> Piece:
        if len(pieces) == 1:
            return pieces[0]
        if not pieces:
            return self.number(Fraction(1))
        role = 0
        for piece in pieces:
            role |= piece.role
        if role == MATRIX:
            pieces = self._matrix_gathered(pieces)
            if len(pieces) == 1:
                return pieces[0]
        several = sum(p.role != SCALAR for p in pieces) > 1
        last = len(pieces) - 1
        held = [self._held(p, POWER if several and p.role else PREFIX if n == last else PRODUCT) for n, p in enumerate(pieces)]
        text, open_before = held[0].text, held[0].role
        for piece in held[1:]:
            text = (self.entrywise if open_before and piece.role else self.times)(text, piece.text)
            open_before |= piece.role
        return Piece(text, min(PRODUCT, held[-1].level), role)

    def _matrix_gathered(self, pieces: Sequence[Piece]) -> list[Piece]:
        """The factors with all that depend on a hole gathered where the first of them stands: x y^T, diag(x) A, A diag(y)."""
        columns, rows, matrices = ([p for p in pieces if p.role == role] for role in (COLUMN, ROW, MATRIX))
        if not matrices:
            gathered = self.word_outer(self._product(columns), self._product(rows))
        else:
            if len(matrices) > 1 and (columns or rows):
                raise Unwritable
            gathered = matrices[0]
            for factor in matrices[1:]:
                gathered = Piece(self.entrywise(self._held(gathered, POWER).text, self._held(factor, POWER).text), PRODUCT)
            if columns:
                gathered = self.word_matmul(self.word_diag(self._product(columns)), gathered)
            if rows:
                gathered = self.word_matmul(gathered, self.word_diag(self._product(rows)))
        result: list[Piece] = []
        for piece in pieces:
            if piece.role == SCALAR:
                result.append(piece)
            elif gathered not in result:
                gathered = gathered._replace(role=MATRIX)
                result.append(gathered)
        return result

    def juxtaposed(self, left: str, right: str) -> str:
        """Matrix times matrix or vector."""
        return f"{left} {right}"

    def _power_of(self, base: Piece, exponent: int) -> Piece:
        if base.role in (ROW, MATRIX) or (base.role and exponent < 0 and not self.entrywise_quotients):
            raise Unwritable
        mark = self.entrywise_exponent(str(exponent)) if base.role else str(exponent)
        return Piece(self.power(self._held(base, ATOM).text, mark), POWER, base.role)

    def entrywise_exponent(self, exponent: str) -> str:
        """The exponent of a power taken entry by entry."""
        return exponent

    def _shifted(self, exponent: Sym, shift: int) -> str:
        return self.symbol(exponent.name) + (f"{shift:+d}" if shift else "")

    def _derivative_of(self, body: Piece, variable: Piece, simple: bool) -> Piece:
        if body.role & variable.role or (body.role == ROW and variable.role):
            raise Unwritable
        return self.derivative(body, variable, simple)._replace(role=body.role | variable.role)

    # ------------------------------------------------------------ entries and words

    def _role(self, index: Index) -> int:
        if not is_hole(index):
            return SCALAR
        if index not in self.holes:
            raise Unwritable
        return self.holes.index(index) + 1

    def _names(self, indices: Sequence[Index]) -> list[str]:
        return [":" if is_hole(i) else self.index(i.name) for i in indices]

    def _entry(self, name: str, indices: tuple[Index, ...]) -> Piece:
        roles = [self._role(i) for i in indices]
        if not any(roles) or not all(roles):
            named = self.vector if any(roles) else self.symbol
            return Piece(named(name, self._names(indices)), ATOM, sum(roles))
        return self._placed(Piece((self.vector if len(indices) == 1 else self.symbol)(name), ATOM), indices)

    def _placed(self, whole: Piece, indices: tuple[Index, ...]) -> Piece:
        """A vector or matrix at the given places: whole at holes, else an entry, a row or a column."""
        roles = [self._role(i) for i in indices]
        if not roles:
            return whole
        if not all(roles):
            return Piece(self.subscripted(self._held(whole, ATOM).text, self._names(indices)), ATOM, sum(roles))
        if roles == [ROW, COLUMN]:
            return self.transposed(whole)._replace(role=MATRIX)
        if len(roles) == 2 and roles[0] == roles[1]:
            raise Unwritable
        return whole._replace(role=sum(roles))

    def _delta(self, left: Index, right: Index) -> Piece:
        roles = self._role(left) | self._role(right)
        if roles == SCALAR:
            return Piece(self.delta(self.index(left.name), self.index(right.name)), ATOM)
        if is_hole(left) and is_hole(right):
            if roles != MATRIX:
                raise Unwritable
            return self.word_identity()._replace(role=MATRIX)
        fixed = right if is_hole(left) else left
        return Piece(self.basis(self.index(fixed.name)), ATOM, roles)

    def _word(self, word: Word) -> Piece:
        whole = any(is_hole(i) for i in word.indices)
        if word.name in self.always_expanded or (not whole and word.name not in self.never_expanded and self._expands(word)):
            return self.write(word.expansion)
        if not word.args and not hasattr(self, f"word_{word.name}"):
            return self._entry(word.name, word.indices)
        try:
            written = self.form(word, [self.array(a) if isinstance(a, Array) else self._apart(a) for a in word.args])
            return self._placed(written._replace(role=SCALAR), word.indices)
        except Unwritable:
            if whole:
                raise
        return self.write(word.expansion)

    def form(self, word: Word, args: list[Piece]) -> Piece:
        """The word as a whole: by the method named for it, else as a function."""
        own: Callable[..., Piece] | None = getattr(self, f"word_{word.name}", None)
        if own is not None:
            return own(*args)
        return self.call(word.name, *(a.text for a in args))

    def _expands(self, word: Word) -> bool:
        by_entry = bool(word.indices) and word.name in _ENTRY_BY_EXPANSION
        return by_entry or (not self.matrix and word.name in _MATRIX_WORDS)

    def _apart(self, term: Term) -> Piece:
        """A scalar argument, which may not depend on the holes outside."""
        outside, self.holes = self.holes, ()
        try:
            return self.write(term)
        finally:
            self.holes = outside

    def word_identity(self) -> Piece:
        """The identity matrix."""
        return Piece("I", ATOM)

    def word_apply(self, a: Piece, x: Piece) -> Piece:
        """A matrix applied to a vector."""
        return Piece(self.juxtaposed(self._held(a, PRODUCT).text, self._held(x, POWER).text), PRODUCT)

    def word_matmul(self, a: Piece, b: Piece) -> Piece:
        """The product of two matrices."""
        return Piece(self.juxtaposed(self._held(a, PRODUCT).text, self._held(b, PRODUCT).text), PRODUCT)

    def word_transpose(self, a: Piece) -> Piece:
        """The transpose of a matrix."""
        return self.transposed(a)


def is_plain(array: Array) -> bool:
    """Whether the array is a name, or a product of names and their powers."""
    parts = walk(array)
    return all(isinstance(p, (Array, Entry, Mul, Num, Sym)) or (isinstance(p, Pow) and p.exponent > 0) for p in parts)


def is_hole(index: Index) -> bool:
    """Whether the index is the open place of an Array."""
    return index.name.startswith("·")


def _signed(term: Term) -> tuple[bool, Term]:
    """Whether the term starts with a negative number, and the term without that sign."""
    match term:
        case Num(value) if value < 0:
            return True, Num(-value)
        case Mul((Num(value), *rest)) if value < 0:
            if value != -1 or not rest or _is_inverse(rest[0]):
                return True, Mul((Num(-value), *rest))
            return True, rest[0] if len(rest) == 1 else Mul(tuple(rest))
    return False, term


def _is_inverse(factor: Term) -> bool:
    return isinstance(factor, Pow) and factor.exponent < 0


def _quotients(factors: Sequence[Term]) -> list[tuple[list[Term], list[Pow]]]:
    """The factors in order, cut into numerators with the denominators that follow them."""
    groups: list[tuple[list[Term], list[Pow]]] = []
    for factor in factors:
        if isinstance(factor, Pow) and factor.exponent < 0 and groups and not _is_inverse(groups[-1][0][-1]):
            groups[-1][1].append(factor)
        elif groups and not groups[-1][1]:
            groups[-1][0].append(factor)
        else:
            groups.append(([factor], []))
    return groups
