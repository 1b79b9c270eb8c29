"""Does an expression with square roots vanish? By SymPy's sparse polynomials over the rationals. Imports SymPy only.

Each distinct root becomes a generator t with t^2 = radicand, each distinct denominator a generator w with w * denominator = 1.
What is left after t^2 and w are eliminated is zero exactly if the expression is, unless roots depend on each other in a way
that was not seen; a remainder therefore proves nothing by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import sympy as sp
from sympy.polys.orderings import lex
from sympy.polys.rings import PolyElement, PolyRing

from lnsym.errors import LnsymError


class TooMuch(LnsymError):
    """The expression needs more operations than the budget allows."""

    exit_code = 3


class Unfit(LnsymError):
    """The expression holds what no polynomial with roots holds, or divides by zero."""

    exit_code = 3


def parts(expressions: Iterable[sp.Expr]) -> list[sp.Expr]:
    """Every distinct subexpression, inner ones first."""
    seen: dict[sp.Expr, None] = {}
    stack = [(expression, False) for expression in expressions]
    while stack:
        node, opened = stack.pop()
        if node in seen:
            continue
        if opened:
            seen[node] = None
        else:
            stack.append((node, True))
            stack.extend((arg, False) for arg in node.args)
    return list(seen)


@dataclass(frozen=True)
class Extension:
    """A generator of the ring: a root (square = value) or an inverse (generator * value = 1)."""

    position: int
    value: PolyElement
    is_root: bool


class Roots:
    """Turns expressions into polynomials and tests them for zero.

    `replaced` are substitutions that hypotheses have made; `known` are expressions that are nonnegative wherever they occur
    (variances), by which a root of a product may be split; `free` is the symbol that one root may eliminate (eps = s^2 - q).
    """

    def __init__(
        self,
        expressions: Iterable[sp.Expr],
        replaced: Mapping[sp.Symbol, sp.Expr],
        known: Iterable[sp.Expr] = (),
        free: sp.Symbol | None = None,
        budget: int = 400_000,
    ) -> None:
        self.left, self.replaced = budget, dict(replaced)
        known = list(known)
        everything = parts([*expressions, *self.replaced.values(), *known])
        self._spend(20 * len(everything))
        symbols = sorted((node for node in everything if node.is_Symbol and node not in self.replaced), key=str)
        radicands = [node.base for node in everything if node.is_Pow and node.exp.is_Rational and node.exp.q == 2]
        radicands += [node.args[0] ** 2 for node in everything if isinstance(node, (sp.Abs, sp.sign))]
        divisors = [node for node in everything if node.is_Pow and node.exp.is_negative] + [n for n in everything if isinstance(n, sp.sign)]
        spare = 3 * len(set(radicands)) + len(divisors) + 16
        self.ring = PolyRing([*symbols, *(sp.Symbol(f"#{k}") for k in range(spare))], sp.QQ, lex)
        self.next = len(symbols)
        self.positive = {k for k, symbol in enumerate(symbols) if symbol.is_positive}
        self.extensions: list[Extension] = []
        self._of: dict[sp.Expr, PolyElement] = dict(zip(symbols, self.ring.gens, strict=False))
        self._known: list[PolyElement] = []
        self._eliminate(free, symbols, radicands + [node.base for node in divisors if node.is_Pow])
        self._known = [p for p in (self._reduced_only_symbols(e) for e in known) if p is not None]
        for radicand in sorted(set(radicands), key=lambda e: (sp.count_ops(e), str(e)) if len(radicands) < 40 else (0, "")):
            self.root(self.polynomial(radicand))

    # ------------------------------------------------------------ generators

    def _spend(self, amount: int) -> None:
        self.left -= amount
        if self.left < 0:
            raise TooMuch("more operations than the budget allows")

    def _new(self) -> int:
        if self.next >= len(self.ring.gens):
            raise TooMuch("more roots and denominators than expected")
        self.next += 1
        return self.next - 1

    def _eliminate(self, free: sp.Symbol | None, symbols: list[sp.Symbol], candidates: list[sp.Expr]) -> None:
        """Choose s and set eps = s^2 - q for the first radicand q + eps: no root is left of it, and powers of s are monomials."""
        if free is None or free not in symbols:
            return
        for base in candidates:
            if base.has(free) and base.is_polynomial(*base.free_symbols):
                polynomial = self.polynomial(base)
                k = symbols.index(free)
                slope = polynomial.diff(k)
                if slope.is_ground and slope != 0:
                    position = self._new()
                    self.positive.add(position)
                    eps, s = self.ring.gens[k], self.ring.gens[position]
                    slope = slope.LC
                    self._of = {free: (s**2 - (polynomial - slope * eps)) * (1 / slope)} | {x: self._of[x] for x in symbols if x != free}
                    return

    def _reduced_only_symbols(self, expression: sp.Expr) -> PolyElement | None:
        try:
            polynomial = self.polynomial(expression)
        except (Unfit, TooMuch):
            return None
        return polynomial.primitive()[1] if polynomial and not polynomial.is_ground else None

    def is_positive(self, p: PolyElement) -> bool:
        """Positive by structure: positive coefficients, generators that are positive or to even powers, and a term of positives alone."""
        if not p or any(c < 0 for c in p.values()):
            return False
        fine = all(n % 2 == 0 or k in self.positive for m in p for k, n in enumerate(m) if n)
        return fine and any(all(k in self.positive for k, n in enumerate(m) if n) for m in p)

    def inverse(self, p: PolyElement) -> PolyElement:
        """The generator w with w * p = 1."""
        if not p:
            raise Unfit("a denominator vanishes")
        if p.is_ground:
            return self.ring.ground_new(1 / p.LC)
        content, p = p.primitive()
        if len(p) == 1:
            (monomial,) = p.monoms()
            content *= p.LC
            result = self.ring.ground_new(1 / content)
            for k, n in enumerate(monomial):
                if n:
                    result = self._times(result, self._inverse_generator(k, self.ring.gens[k]) ** n)
            return result
        return self._inverse_generator(None, p) * (1 / content)

    def _inverse_generator(self, of: int | None, p: PolyElement) -> PolyElement:
        for extension in self.extensions:
            if not extension.is_root and extension.value == p:
                return self.ring.gens[extension.position]
        position = self._new()
        if of in self.positive or self.is_positive(p):
            self.positive.add(position)
        self.extensions.append(Extension(position, p, is_root=False))
        return self.ring.gens[position]

    def root(self, p: PolyElement) -> PolyElement:
        """The nonnegative root of p, its square factors taken out where their sign is known."""
        if not p:
            return p
        p, outside = self._without_inverses(self._eliminated_roots(p))
        content, p = p.primitive()
        if p.LC < 0:
            content, p = -content, -p
        outside = outside * self._root_of_number(abs(content))
        if content < 0:
            p = -p
        shared = [min(m[k] for m in p) for k in range(self.ring.ngens)]
        for k, n in enumerate(shared):
            even = n - n % 2 if k in self.positive else n - n % 4
            if even:
                p = p.exquo(self.ring.gens[k] ** even)
                outside = outside * self.ring.gens[k] ** (even // 2)
        if p == 1:
            return outside
        square = self._square_root(p)
        if square is not None:
            return outside * square
        for extension in [e for e in self.extensions if e.is_root] + self._known:
            value = extension.value if isinstance(extension, Extension) else extension
            if isinstance(extension, Extension) and value == p:
                return outside * self.ring.gens[extension.position]
            if not value.is_ground and value != p and len(p) > 1:
                self._spend(len(p) * len(value))
                quotient, rest = p.div([value])[0][0], p.div([value])[1]
                if not rest:
                    return outside * self.root(value) * self.root(quotient)
        return outside * self._root_generator(p)

    def _square_root(self, p: PolyElement) -> PolyElement | None:
        """The nonnegative root of a perfect square whose sign is plain, term by term as in long division."""
        lead = p.leading_expv()
        coefficient = sp.sqrt(sp.Rational(int(p.LC.numerator), int(p.LC.denominator)))
        if any(n % 2 for n in lead) or not coefficient.is_Rational:
            return None
        half, twice = tuple(n // 2 for n in lead), sp.QQ(2 * int(coefficient.p), int(coefficient.q))
        result = self.ring.from_dict({half: twice / 2})
        rest = p - result**2
        for _ in range(len(p)):
            if not rest:
                return result if self.is_positive(result) else -result if self.is_positive(-result) else None
            monomial = tuple(n - k for n, k in zip(rest.leading_expv(), half, strict=True))
            if min(monomial) < 0:
                return None
            term = self.ring.from_dict({monomial: rest.LC / twice})
            self._spend(len(result))
            rest = rest - term * (2 * result + term)
            result = result + term
        return None

    def _root_generator(self, p: PolyElement) -> PolyElement:
        for extension in self.extensions:
            if extension.is_root and extension.value == p:
                return self.ring.gens[extension.position]
        position = self._new()
        if self.is_positive(p):
            self.positive.add(position)
        self.extensions.append(Extension(position, p, is_root=True))
        return self.ring.gens[position]

    def _root_of_number(self, number: object) -> PolyElement:
        numerator, denominator = int(number.numerator), int(number.denominator)  # type: ignore[attr-defined]
        # One generator for each prime: sqrt(6) = sqrt(2) sqrt(3) must not be a third one.
        result = self.ring.ground_new(sp.QQ(1, denominator))
        for prime, n in sp.factorint(numerator * denominator).items():
            result = result * prime ** (n // 2)
            if n % 2:
                result = result * self._root_generator(self.ring.ground_new(sp.QQ(prime)))
        return result

    # ------------------------------------------------------------ reading

    def polynomial(self, expression: sp.Expr) -> PolyElement:
        """The polynomial of an expression in symbols, roots and inverses."""
        for node in parts([expression]):
            if node not in self._of:
                self._of[node] = self._read(node)
        return self._of[expression]

    def _read(self, node: sp.Expr) -> PolyElement:
        if node.is_Rational:
            return self.ring.ground_new(sp.QQ(int(node.p), int(node.q)))
        if node.is_Symbol and node in self.replaced:
            return self.polynomial(self.replaced[node])
        if node.is_Add:
            total = self.ring.zero
            for arg in node.args:
                self._spend(len(self._of[arg]))
                total = total + self._of[arg]
            return total
        if node.is_Mul:
            product = self.ring.one
            for arg in sorted(node.args, key=lambda a: len(self._of[a])):
                product = self._times(product, self._of[arg])
            return product
        if node.is_Pow and node.exp.is_Rational and node.exp.q <= 2:
            base = self._of[node.base]
            if node.exp.q == 2:
                base = self.root(base)
            if node.exp < 0:
                base = self.inverse(self._eliminated_roots(base))
            return self._power(base, abs(int(node.exp.p)))
        if isinstance(node, sp.Abs):
            return self.root(self._power(self._of[node.args[0]], 2))
        if isinstance(node, sp.sign):
            inside = self._of[node.args[0]]
            return self._times(inside, self.inverse(self.root(self._power(inside, 2))))
        raise Unfit(f"{type(node).__name__} is no rational function with square roots")

    def _times(self, left: PolyElement, right: PolyElement) -> PolyElement:
        self._spend(len(left) * len(right))
        return self._cancelled(left * right)

    def _power(self, base: PolyElement, exponent: int) -> PolyElement:
        result = self.ring.one
        for _ in range(exponent):
            result = self._times(result, base)
        return result

    # ------------------------------------------------------------ eliminating

    def _cancelled(self, p: PolyElement) -> PolyElement:
        """w * x = 1 applied in each monomial, for the inverses w of single generators x."""
        pairs = [
            (extension.position, self.ring.gens.index(extension.value))
            for extension in self.extensions
            if not extension.is_root and extension.value in self.ring.gens
        ]
        if not any(m[a] and m[b] for m in p for a, b in pairs):
            return p
        result: dict[tuple[int, ...], object] = {}
        for monomial, coefficient in p.items():
            exponents = list(monomial)
            for a, b in pairs:
                n = min(exponents[a], exponents[b])
                exponents[a] -= n
                exponents[b] -= n
            key = tuple(exponents)
            result[key] = result.get(key, 0) + coefficient
        return self.ring.from_dict({m: c for m, c in result.items() if c})

    def _split(self, p: PolyElement, position: int) -> dict[int, PolyElement]:
        """The coefficients of the powers of one generator."""
        found: dict[int, dict[tuple[int, ...], object]] = {}
        for monomial, coefficient in p.items():
            rest = (*monomial[:position], 0, *monomial[position + 1 :])
            found.setdefault(monomial[position], {})[rest] = coefficient
        return {n: self.ring.from_dict(terms) for n, terms in found.items()}

    def _eliminated_roots(self, p: PolyElement) -> PolyElement:
        for extension in reversed(self.extensions):
            if extension.is_root:
                p = self._lowered(p, extension)
        return p

    def _lowered(self, p: PolyElement, extension: Extension) -> PolyElement:
        """t^2 = radicand, until t occurs to the powers 0 and 1 only."""
        if all(m[extension.position] < 2 for m in p):
            return p
        result = self.ring.zero
        for n, coefficient in self._split(p, extension.position).items():
            part = self._times(coefficient, self._power(extension.value, n // 2))
            result = result + (part * self.ring.gens[extension.position] if n % 2 else part)
        return self._cancelled(result)

    def _cleared(self, p: PolyElement, extension: Extension, by: int) -> PolyElement:
        """p * denominator^by, the inverse w gone."""
        result = self.ring.zero
        for n, coefficient in self._split(p, extension.position).items():
            result = result + self._times(coefficient, self._power(extension.value, by - n))
        return result

    def _without_inverses(self, p: PolyElement) -> tuple[PolyElement, PolyElement]:
        """p = cleared * outside^2 with outside >= 0 a product of inverses."""
        outside = self.ring.one
        for extension in reversed(self.extensions):
            degree = 0 if extension.is_root else max((m[extension.position] for m in p), default=0)
            if degree:
                step = 2 if extension.position in self.positive else 4
                by = -(-degree // step) * step
                p = self._eliminated_roots(self._cleared(p, extension, by))
                outside = outside * self.ring.gens[extension.position] ** (by // 2)
        return p, outside

    def vanishes(self, expression: sp.Expr) -> bool:
        """Whether nothing is left of the expression."""
        p = self.polynomial(expression)
        for extension in reversed(self.extensions):
            if not p:
                break
            if extension.is_root:
                p = self._lowered(p, extension)
            else:
                degree = max(m[extension.position] for m in p)
                p = self._cleared(p, extension, degree) if degree else p
        return not p
