"""Whether two terms are the same but for spelling: order, brackets, names of bound indices. Imports the terms."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from lnsym.kernel.terms import Add, Array, Index, Mul, Num, Pow, Sum, Term, Word


def same(left: Term, right: Term) -> bool:
    """Whether both are written with the same words, up to order, brackets and the names of bound indices."""
    return spelling(left) == spelling(right)


def spelling(node: Any, bound: dict[Index, str] | None = None, depth: int = 0) -> str:
    """A text that is the same for all spellings of a term."""
    bound = bound or {}
    match node:
        case Index():
            return bound.get(node, f"{node.name}:{node.range.name}")
        case Num(value):
            return str(value)
        case Add():
            return "+".join(sorted(spelling(x, bound, depth) for x in _flat(node, Add)))
        case Mul() | Pow():
            return _product(node, bound, depth)
        case Sum(index, body):
            return f"sum[{index.range.name}]({spelling(body, {**bound, index: f'#{depth}'}, depth + 1)})"
        case Array(indices, body):
            inner = {**bound, **{index: f"#{depth}.{n}" for n, index in enumerate(indices)}}
            return f"array({spelling(body, inner, depth + 1)})"
        case Word(name, args, indices, _):
            return f"{name}({', '.join(spelling(x, bound, depth) for x in (*args, *indices))})"
        case Term():
            parts = (getattr(node, name) for name in node.__match_args__)  # type: ignore[attr-defined]
            return f"{type(node).__name__}({', '.join(spelling(x, bound, depth) for x in parts)})"
        case tuple():
            return ", ".join(spelling(x, bound, depth) for x in node)
    return str(node)


def _flat(node: Term, kind: type) -> list[Term]:
    return [x for part in node.args for x in _flat(part, kind)] if isinstance(node, kind) else [node]  # type: ignore[attr-defined]


def _product(node: Term, bound: dict[Index, str], depth: int) -> str:
    """Numbers multiplied, factors in order, exponents of equal factors added; nothing is cancelled."""
    number, powers = Fraction(1), dict[tuple[str, bool], int]()
    stack: list[tuple[Term, int]] = [(node, 1)]
    while stack:
        factor, exponent = stack.pop()
        match factor:
            case Mul(args):
                stack += [(x, exponent) for x in args]
            case Pow(base, power):
                stack.append((base, exponent * power))
            case Num(value) if value or exponent >= 0:
                number *= value**exponent
            case _:
                key = (spelling(factor, bound, depth), exponent < 0)
                powers[key] = powers.get(key, 0) + exponent
    shown = "*".join(f"({x})^{n}" if n != 1 else f"({x})" for (x, _), n in sorted(powers.items()))
    if not shown:
        return str(number)
    return shown if number == 1 else f"{number}*{shown}"
