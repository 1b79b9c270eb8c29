"""The page, its packed data, its script in Node, and random expressions to try it on. Imports the page."""

from __future__ import annotations

import base64
import json
import random
import re
import subprocess
import zlib
from collections.abc import Sequence
from functools import cache
from typing import Any

from lnsym.lesson import page as making

NODE = """
const { script, data, calls } = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
const { Marking, Language, Numbers, Exact, Plain, Figures } =
  new Function(script + "; return { Marking, Language, Numbers, Exact, Plain, Figures };")();
const course = new Marking.Course(data), names = course.theory.names;
const keeps = ([x, eps, u, allowed]) => Plain.normalize(x, eps).every((value, k) => Math.abs(value - u[k]) <= allowed[k]);
const DO = {
  mark: ([task, answer]) => course.mark(data.tasks[task], answer),
  read: ([text]) => { try { Language.parse(text, names); return -1; } catch (error) { return error.at ?? String(error); } },
  value: ([text, point]) => {
    try {
      return Numbers.text(new Language.At(course.theory, course.points[point], { i: 1, j: 2 }).value(Language.parse(text, names)));
    } catch (error) { return error instanceof Numbers.NoValue ? "none" : String(error); }
  },
  normalize: ([x, eps]) => Exact.normalize(x, eps),
  jacobian: ([x, eps]) => Exact.jacobian(x, eps),
  half: ([xs]) => xs.map((x) => String(Figures.half(x))),
  vectors: () => data.vectors.map(keeps),
};
console.log(JSON.stringify(calls.map(([what, ...given]) => DO[what](given))));
"""

LEAVES = {
    "s": ("d", "eps", "mu", "q", "s", "r", "rho", "a", "c", "t", "2", "3/4", "v_1", "P[i,j]", "J[i,j]", "u_i", "g_j"),
    "v": ("z", "v", "u", "y", "g", "h", "gamma", "beta", "one", "w"),
}
# <s> stands for a scalar and <v> for a vector.
FORMS = {
    "s": (
        "(<s> + <s>)", "(<s> - <s>)", "<s>*<s>", "(<s>)/(<s>)", "(<s>)^2", "(<s>)^(-1)", "-(<s>)", "mean(<v>)", "var(<v>)",
        "dot(<v>, <v>)", "sqrt((<s>)^2 + eps)", "sum_k((<v>)[k]*u_k)", "norm(<v>)", "total(<v>)", "cov(<v>, <v>)", "(<v>)[i]",
        "D(s, z_j)", "D((<v>)[i], z_j)", "trace(J)", "J(<v>)_i", "(J @ P)[i,j]", "outer(u, v)[i,j]", "delta_ij", "core(a*z, c^2)[i]",
        "√(q)*<s>", "rms(<v>)_2",
    ),
    "v": ("(<v> + <v>)", "(<v> - <s>*one)", "<v>*<v>", "(<v>)/s", "(<v>)²", "P(<v>)", "core(<v>)", "diag(u)(g)"),
}  # fmt: skip


def expression(order: random.Random, depth: int, kind: str = "s") -> str:
    """A random expression of the language."""
    form = order.choice(FORMS[kind] if depth else LEAVES[kind])
    return re.sub("<(s|v)>", lambda found: expression(order, depth - 1, found[1]), form)


def damaged(order: random.Random, text: str) -> str:
    """The text with one or two characters left out or replaced."""
    for _ in range(order.choice((1, 1, 2))):
        place = order.randrange(len(text))
        put = order.choice(("", "", "(", ")", "_", "^", "*", ".5", "x", "|", ",", "'", "i", "/2 q", "ε", "γ"))
        text = text[:place] + put + text[place + 1 :]
    return text


@cache
def made() -> str:
    """The page."""
    return making.page()


@cache
def course() -> dict[str, Any]:
    """The data that is packed in the page."""
    found = re.search(r'id="packed">([^<]*)<', made())
    assert found
    return json.loads(zlib.decompress(base64.b64decode(found[1])))  # type: ignore[no-any-return]


def node(calls: Sequence[Sequence[Any]]) -> list[Any]:
    """What the page's script says to some calls, in Node."""
    script = making.script(("numbers", "language", "marking", "figures"))
    given = json.dumps({"script": script, "data": course(), "calls": calls})
    done = subprocess.run(["node", "-e", NODE], input=given, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)  # type: ignore[no-any-return]
