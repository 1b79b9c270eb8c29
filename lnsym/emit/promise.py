"""What emitted code promises, for each tier and operation: what is proved, what is derived, what is measured, said apart. Plain data.

The same texts stand in the docstrings of the emitted functions and in the report. Standard library only.
"""

from __future__ import annotations

from dataclasses import dataclass

TIERS = ("safe", "exact", "plain")

HYPOTHESES = (
    "binary IEEE 754 arithmetic with round to nearest even and gradual underflow, NumPy's operations neither reordered nor contracted, "
    "finite inputs, eps > 0 (or eps = 0 and no constant row), and at most 2^20 entries in a row"
)
SYMBOLS = (
    "p is the number of digits of the result's format (53, 24, 11 for float64, float32, float16, and 8 for bfloat16), eta its least "
    "subnormal, q the variance of the row, s = sqrt(q + eps), rho = q/(q + eps), u its core"
)


@dataclass(frozen=True)
class Promise:
    """The promise of one operation in one tier."""

    bound: str
    proved: str
    derived: str
    measured: str


_PROVED = "the formula, by the theorems named, for every d and in real arithmetic"

_EXACT = {
    "normalize": "every component is the correctly rounded value of the real function",
    "layer_norm": (
        "every component of y, with weight and bias taken as they are, and every mean and rstd is the correctly rounded value of the real "
        "function"
    ),
    "layer_norm_vjp": (
        "every component of dx and dbias, and of dweight where x is one row, is the correctly rounded value of the real function; of more "
        "rows |error of dweight| <= 2^-53 (1 + 2^-30) |dweight| + 2^-1075 + sum (2^-66 |dy| + 2^-600 max |dy|) max |u| in float64, and "
        "2^-p |dweight| + 2^-38 sum |dy| (|u| + sqrt(rho)) in the narrower formats, each sum over the rows and each maximum over a row"
    ),
    "merge_stats": "n, mean and m2 are the correctly rounded values of the real functions",
}

# E(h) is the size of the terms of J h, J the Jacobian of the core.
_E = "E(h) = (|c| + (1 + |u|) rms(c))/s with c = h - mean(h)"
_SAFE = {
    "normalize": "|error| <= k 2^-p (|u| + sqrt(rho)) + eta",
    "layer_norm": (
        "|error of y| <= k 2^-p (|weight| (|u| + sqrt(rho)) + |y|) + (1 + |weight|) eta, |error of mean| <= k 2^-p mean|x| and |error of "
        "rstd| <= k 2^-p rstd, these two in their own format"
    ),
    "layer_norm_jvp": f"|error| <= k 2^-p |weight| E(dx) + (1 + |weight|) eta, where {_E}",
    "layer_norm_vjp": (
        f"|error of dx| <= k 2^-p E(weight*dy) + eta, where {_E}, and with a weight |c| and rms(c) are increased by |h| + mean|h|; |error "
        "of dweight| <= k 2^-p sum |dy| (|u| + sqrt(rho)) + N eta and |error of dbias| <= k 2^-p sum |dy|, over the N rows"
    ),
    "layer_norm_vjp_vjp": (
        "|error of ddy| <= k 2^-p (|weight| E(ddx) + |ddweight| (|u| + sqrt(rho)) + |ddbias|) + eta, |error of dweight| <= k 2^-p sum |dy| "
        "E(ddx) + N eta over the N rows, |error of dx| <= k 2^-p ((|a| rms(g) + |g| rms(a) + (1 + 4 |u|) rms(a) rms(g))/s^2 + "
        f"E(ddweight*dy)) + eta, where {_E}, a = ddx - mean(ddx) and g is weight*dy less its mean"
    ),
    "jacobian": "|error| <= k 2^-p (delta_ij + (1 + (|u_i| + sqrt(rho)) (|u_j| + sqrt(rho)))/d)/s + eta",
    "merge_stats": (
        "for counts that are whole numbers up to 2^53, |error| of n, mean and m2 <= k 2^-p times the sum of the sizes of the terms of its "
        "formula, (mean' - mean)^2 counted as "
        "(|mean| + |mean'|)^2, plus eta"
    ),
}
DERIVED_K = 300  # any order of addition within a group of numbers, ordinary rows
CI_K = 16

_PLAIN_ROW = (
    "with A the mean of |x| and K = 20 + log2(d), for a row with K 2^-53 A/s <= 2^-26 whose q + eps lies between 2^-960 and 2^1000: "
)
_CORE = "<= 2^-53 (K A/s + |u| ((K + 3)/2 + 4)) + |u| (K 2^-53 A/s)^2/2 + 2^-1074 (1 + 1/s)"
_PLAIN = {
    "normalize": f"|error| {_CORE}, and one rounding to the format",
    "layer_norm": f"|error of u| {_CORE}, then one product, one sum and one rounding",
}
_PLAIN_OTHER = "none beyond that of the core, which normalize states; a RuntimeWarning names a row for which even that is void"
_PLAIN_MERGE = "none; each operation of the formula is rounded once"
_PLAIN_BASIS = ("the bound, on paper, to first order", "at most 0.52 of the bound is used by any row of the families tried")


def promise(op: str, tier: str) -> Promise:
    """The promise of an operation in a tier."""
    if tier == "exact" and op == "merge_stats":
        return Promise(_EXACT[op], _PROVED, "nothing, since whole numbers decide each result", "nothing beyond the tests")
    if tier == "exact":
        return Promise(
            _EXACT[op],
            _PROVED,
            "on paper, from the bounds of double-word arithmetic: the constants by which a fast stage knows whether its answer is decided",
            "no component that differs from what integer arithmetic gives, of more than ten million",
        )
    if tier == "safe":
        return Promise(
            _SAFE[op] + "; never NaN, and infinite only where the exact value plus this bound is beyond the largest number",
            _PROVED,
            f"k = {DERIVED_K}, on paper, for rows whose mean does not dwarf their spread",
            f"k below {CI_K} on every input tried: the tests of lnsym fail above",
        )
    if op in _PLAIN:
        return Promise(f"{_PLAIN_ROW}{_PLAIN[op]}; a RuntimeWarning names a row for which this is void", _PROVED, *_PLAIN_BASIS)
    other = _PLAIN_MERGE if op == "merge_stats" else _PLAIN_OTHER
    return Promise(other, _PROVED, "no bound", "nothing beyond the tests")


def tier_promise(tier: str) -> str:
    """What a tier promises, in a few sentences."""
    return {
        "exact": (
            "Exact tier: results are correctly rounded, whatever the input: one answer for each argument, the same for a row alone or in a "
            "batch, in any layout, after any permutation. Only the gradient by the weight over several rows has a bound instead. Fast "
            "stages carry a bound for their own error; whole numbers decide what the bound leaves open."
        ),
        "safe": (
            "Safe tier: for every finite input and every eps > 0 down to the least one the error is within the bound that each function "
            "states; no NaN appears, and an infinity only where the exact value plus its bound is beyond the largest number."
        ),
        "plain": (
            "Plain tier: the textbook's two passes, written as the theorems state them. The bound that each function states holds under a "
            "condition on the row, which is checked at run time: a RuntimeWarning tells when it is void."
        ),
    }[tier]
