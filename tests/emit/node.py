"""Runs emitted JavaScript in Node: texts and calls go in as JSON, results, warnings and errors come out. Imports the emitter."""

from __future__ import annotations

import json
import math
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from lnsym.emit.build import build

MAIN = "// As a program,"  # what follows is for a file that is run by itself
DRIVER = """
import { readFileSync } from "node:fs";
import vm from "node:vm";
const { texts, calls, limit } = JSON.parse(readFileSync(0, "utf8"));
const run = `
  const given = (v) => Array.isArray(v) ? v.map(given) : v === null || typeof v !== "object" ? v
    : "typed" in v ? Float64Array.from(v.typed.map(given)) : "float" in v ? Number(v.float) : "bigint" in v ? BigInt(v.bigint)
    : "absent" in v ? undefined : Object.fromEntries(Object.entries(v).map(([key, one]) => [key, given(one)]));
  const shown = (v) => typeof v === "number" && !Number.isFinite(v) ? { float: String(v) } : Object.is(v, -0) ? { float: "-0" }
    : Array.isArray(v) ? v.map(shown) : v instanceof Float64Array ? { typed: Array.from(v, shown) }
    : v === null || typeof v !== "object" ? v
    : Object.fromEntries(Object.entries(v).map(([key, one]) => [key, shown(one)]));
  JSON.stringify(JSON.parse(callsText).map(([name, values]) => {
    said.length = 0;
    try {
      return { result: shown(functions[name](...values.map(given))), said: [...said] };
    } catch (error) {
      return { error: error.name + ": " + error.message, said: [...said] };
    }
  }));
`;
console.log(JSON.stringify(texts.map((text) => {
  const said = [], names = [...text.matchAll(/^export function (\\w+)/gm)].map((found) => found[1]);
  const context = { said, callsText: JSON.stringify(calls), console: { warn: (line) => said.push(line), log() {} } };
  const code = text.replaceAll(/^export /gm, "") + `; const functions = { ${names.join(", ")} };` + run;
  try {
    return JSON.parse(vm.runInNewContext(code, context, { timeout: limit }));
  } catch (error) {
    return `${error.name ?? "error"}: ${error.message}`;
  }
})));
"""


@dataclass(frozen=True)
class Outcome:
    """What one call gave: a result or an error, and what was said on the console."""

    result: Any
    error: str
    said: tuple[str, ...]


@cache
def source(tier: str) -> str:
    """The module of a tier with all its operations."""
    return build("javascript", tier=tier).source


def run(texts: Sequence[str], calls: Sequence[tuple[str, Sequence[Any]]], limit: int = 100_000) -> list[list[Outcome] | str]:
    """The outcome of every call in every text; for a text that does not run to its end in `limit` milliseconds, why."""
    given = {"texts": [text.partition(MAIN)[0] for text in texts], "calls": [[name, list(map(_given, values))] for name, values in calls]}
    done = subprocess.run(
        ["node", "--input-type=module", "-e", DRIVER],
        input=json.dumps({**given, "limit": limit}), text=True, capture_output=True, timeout=500, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return [found if isinstance(found, str) else list(map(_outcome, found)) for found in json.loads(done.stdout)]


def outcomes(text: str, calls: Sequence[tuple[str, Sequence[Any]]]) -> list[Outcome]:
    """The outcomes of calls to one text, which must run."""
    found = run([text], calls)[0]
    assert not isinstance(found, str), found
    return found


def results(tier: str, calls: Sequence[tuple[str, Sequence[Any]]]) -> list[Outcome]:
    """The outcomes of calls to the module of a tier."""
    return outcomes(source(tier), calls)


def _outcome(found: dict[str, Any]) -> Outcome:
    return Outcome(_shown(found.get("result")), found.get("error", ""), tuple(found["said"]))


def _given(value: Any) -> Any:
    """A Python value for JavaScript: arrays are typed if they are one row, lists and tuples plain."""
    if isinstance(value, np.ndarray):
        return {"typed": list(map(_given, value.tolist()))} if value.ndim == 1 else list(map(_given, value))
    if isinstance(value, (list, tuple)):
        return list(map(_given, value))
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": {math.inf: "Infinity", -math.inf: "-Infinity"}.get(value, "NaN")}
    return value


def _shown(value: Any) -> Any:
    """A result as Python values: typed rows as arrays, plain ones as lists."""
    if isinstance(value, list):
        return list(map(_shown, value))
    if isinstance(value, dict):
        if "float" in value:
            return float(value["float"].replace("Infinity", "inf"))
        if "typed" in value:
            return np.array(list(map(_shown, value["typed"])))
        return {key: _shown(one) for key, one in value.items()}
    return value
