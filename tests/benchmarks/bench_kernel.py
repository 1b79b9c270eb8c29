"""How fast the kernel is, and how much faster than plain SymPy: `python tests/benchmarks/bench_kernel.py`. Not a test.

Everything is measured in one run, each part in a fresh process; the minimum of a few repeats is printed. Read the ratios.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import click

ROOT = Path(__file__).resolve().parents[2]
LIMIT = 60  # seconds for one cell of SymPy
DIMENSIONS = range(2, 13)
TASKS = {"variance": "var(u) = q/(q + eps)", "jacobian": "D u = J", "jv": "J v = (eps/s^3) v", "vjp": "J^T g"}


def fresh(*args: str, limit: float = 600) -> dict[str, float] | None:
    """What a part measures in a process of its own; None where it takes too long."""
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    try:
        done = subprocess.run([sys.executable, __file__, *args], env=env, capture_output=True, text=True, timeout=limit, check=True)
    except subprocess.TimeoutExpired:
        return None
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


# ---------------------------------------------------------------- the book


def seed_book(started: float) -> dict[str, float]:
    """All theorems with a seed's id and what they cite, imports included; then each claim checked again, with its steps."""
    from lnsym import library

    found = library.book()
    ids = {name: (d.catalogue,) if isinstance(d.catalogue, str) else d.catalogue for name, (_, d) in found.derivations.items()}
    seeds = [name for name, of in ids.items() if any(one.startswith("S") for one in of)]
    imported = time.perf_counter() - started
    proved = library.prove(seeds)
    total = time.perf_counter() - started

    from lnsym.derivation import _Checker, claims_of

    times = {}
    for name, theorem in proved.items():
        checker = _Checker(theorem.derivation, found.theory, name, proved)
        for number, claim in enumerate(claims_of(theorem.derivation), 1):
            if theorem.claims[number - 1].proved:
                times[f"{name}, claim {number}"] = _least(partial(checker.claim, number, claim), 3)
    worst = max(times, key=lambda key: times[key])
    return {"imports": imported, "total": total, "theorems": len(proved), "claims": len(times), "median": statistics.median(times.values()),
            f"worst: {worst}": times[worst]}  # fmt: skip


def kernel_tasks() -> dict[str, float]:
    """Milliseconds of the kernel for each task at symbolic d."""
    from lnsym.derivations.definitions import THEORY, J, d, eps, g, q, s, u, v, z

    from lnsym.kernel.prove import prove
    from lnsym.lang import Eq, dot, jacobian, mean, positive, var

    relations = {
        "variance": Eq(var(u), q / (q + eps)),
        "jacobian": Eq(jacobian(u, z), J),
        "jv": Eq(jacobian(u, z) @ v, eps / s**3 * v),
        "vjp": Eq(jacobian(u, z).T @ g, (g - mean(g) - u * dot(u, g) / d) / s),
    }
    return {name: _least(partial(prove, THEORY, relation, (positive(eps),)), 9) for name, relation in relations.items()}


def _least(work: Callable[[], object], repeats: int) -> float:
    """The least time of a few runs, in milliseconds."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(1e3 * (time.perf_counter() - start))
    return min(times)


# ---------------------------------------------------------------- SymPy


def sympy_symbolic(task: str) -> dict[str, float]:
    """Plain SymPy at symbolic d by the tuned recipe: one bound name, expand, doit, the range Piecewise deleted, simplify."""
    import sympy as sp

    start = time.perf_counter()
    d, i, j, k = sp.symbols("d i j k", integer=True, positive=True)
    eps = sp.Symbol("epsilon", positive=True)
    z, g = sp.IndexedBase("z", real=True), sp.IndexedBase("g", real=True)

    def total(body: sp.Expr) -> sp.Expr:
        return sp.Sum(body, (k, 1, d))

    def tidy(expression: sp.Expr) -> sp.Expr:
        flat = sp.expand(expression).doit()
        return sp.simplify(sp.expand(flat.replace(lambda x: isinstance(x, sp.Piecewise), lambda x: x.args[0][0])))

    mu = total(z[k]) / d
    q = total(z[k] ** 2) / d - mu**2
    s = sp.sqrt(q + eps)

    def u(at: sp.Symbol) -> sp.Expr:
        return (z[at] - mu) / s

    if task == "variance":
        rest = total(u(k) ** 2) / d - (total(u(k)) / d) ** 2 - q / (q + eps)
    elif task == "jacobian":
        rest = sp.diff(u(i), z[j]) - (sp.KroneckerDelta(i, j) - 1 / d - (z[i] - mu) * (z[j] - mu) / (d * s**2)) / s
    else:
        raw = tidy(sp.diff(u(i), z[j])).subs(j, k)  # symmetric, so that J and its transpose are summed alike
        if task == "jv":
            rest = total(raw * (z[k] - mu)) - eps / s**3 * (z[i] - mu)
        else:
            rest = total(raw * g[k]) - (g[i] - total(g[k]) / d - u(i) * total(u(k) * g[k]) / d) / s
    reached = float(tidy(rest) == 0)
    return {"seconds": time.perf_counter() - start, "reached": reached}


def sympy_concrete(task: str, d: int) -> dict[str, float]:
    """Brute force at one d: the derivatives by the chain rule over an opaque s, then expand, s^2 = q + eps put in."""
    import sympy as sp

    start = time.perf_counter()
    s = sp.Symbol("s", positive=True)
    z, g = sp.Matrix(sp.symbols(f"z_1:{d + 1}")), sp.Matrix(sp.symbols(f"g_1:{d + 1}"))
    mu = sum(z) / d
    v = z - mu * sp.ones(d, 1)
    q = sp.expand(sum(x**2 for x in v) / d)
    u = v / s
    slope = sp.Matrix([[sp.diff(q, x) / (2 * s) for x in z]])
    raw = v.jacobian(z) / s - v * slope / s**2
    form = (sp.eye(d) - sp.ones(d, d) / d - v * v.T / (d * s**2)) / s
    if task == "variance":
        differences = [sum(x**2 for x in u) / d - (sum(u) / d) ** 2 - q / s**2]
    elif task == "jacobian":
        differences = list(raw - form)
    elif task == "jv":
        differences = [x * s**3 for x in raw * v - (s**2 - q) / s**3 * v]
    else:
        differences = list(raw.T * g - (g - sum(g) / d * sp.ones(d, 1) - u * (u.T * g)[0] / d) / s)
    zero = all(sp.expand(x) == 0 for x in differences)
    return {"seconds": time.perf_counter() - start, "reached": float(zero)}


# ---------------------------------------------------------------- the run


def main() -> None:
    """Print the tables."""
    runs = [found for _ in range(5) if (found := fresh("book"))]
    best = min(runs, key=lambda one: one["total"])
    click.echo(f"seed book in a fresh process: {best['total']:.2f} s, of which imports and reading {best['imports']:.2f} s")
    worst = next(key for key in best if key.startswith("worst"))
    click.echo(f"  {best['theorems']:.0f} theorems with what they cite, {best['claims']:.0f} claims proved; each claim with its steps:")
    click.echo(f"  median {best['median']:.2f} ms, {worst}: {best[worst]:.1f} ms")

    kernel = fresh("kernel") or {}
    click.echo(f"\n{'symbolic d':<24}{'kernel':>10}{'SymPy, tuned':>16}{'ratio':>12}")
    for task, label in TASKS.items():
        found = fresh("symbolic", task, limit=LIMIT)
        click.echo(f"{label:<24}{kernel[task]:>7.2f} ms{_cell(found, 1e3 * LIMIT / kernel[task], kernel[task])}")

    click.echo("\nSymPy at concrete d (s opaque, expand), seconds, and how many times the kernel's time for all d")
    click.echo(f"{'d':<6}" + "".join(f"{label:>24}" for label in TASKS.values()))
    ended: set[str] = set()
    for d in DIMENSIONS:
        cells = []
        for task in TASKS:
            found = None if task in ended else fresh("concrete", task, str(d), limit=LIMIT)
            if found is None:
                ended.add(task)
                cells.append(f"> {LIMIT} s")
            else:
                left = "" if found["reached"] else " !"
                cells.append(f"{found['seconds']:.3f} s{left}  {1e3 * found['seconds'] / kernel[task]:>6.0f}x")
        click.echo(f"{d:<6}" + "".join(f"{cell:>24}" for cell in cells))


def _cell(found: dict[str, float] | None, least: float, kernel: float) -> str:
    if found is None:
        return f"{f'> {LIMIT} s':>16}{f'> {least:,.0f}x':>12}"
    ratio = f"{1e3 * found['seconds'] / kernel:,.0f}x"
    return f"{found['seconds']:>14.2f} s{ratio:>12}" + ("" if found["reached"] else "  (not reached: a remainder is left)")


if __name__ == "__main__":
    STARTED = time.perf_counter()
    match sys.argv[1:]:
        case []:
            main()
        case ["book"]:
            click.echo(json.dumps(seed_book(STARTED)))
        case ["kernel"]:
            click.echo(json.dumps(kernel_tasks()))
        case ["symbolic", task]:
            click.echo(json.dumps(sympy_symbolic(task)))
        case ["concrete", task, d]:
            click.echo(json.dumps(sympy_concrete(task, int(d))))
