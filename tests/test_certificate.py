"""The book's certificate is replayed by a checker that shares nothing with lnsym, and one altered number in it does not pass."""

from __future__ import annotations

import ast
import copy
import importlib.util
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import groupby
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import patch

import pytest

from lnsym.certificate import certificate, dumps
from lnsym.library import book, prove

HERE = Path(__file__).parent
CHECKER = HERE / "certificate_checker.py"
BUILD = "from lnsym.certificate import certificate, dumps\nfrom lnsym.library import book, prove\n"
SAMPLE = 40


@cache
def checker() -> ModuleType:
    """The checker as a module."""
    spec = importlib.util.spec_from_file_location("certificate_checker", CHECKER)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def text() -> str:
    """The whole book's certificate."""
    return dumps(certificate(list(prove().values()), book().theory))


def content(*names: str) -> Any:
    """A certificate of these theorems and what they cite, or of the whole book."""
    return json.loads(dumps(certificate(list(prove(names).values()), book().theory)) if names else text())


def sealed(altered: Any) -> Any:
    """The content with its hashes put right again, so that only the mathematics can be wrong."""
    found = checker().hashes(altered)
    altered["hash"] = found[""]
    for entry in altered["theorems"]:
        entry["hash"] = found[entry["name"]]
    return altered


def verdict(altered: Any, tmp_path: Path) -> Any:
    """What the checker's main says of the content: 0, or the place and the fault."""
    path = tmp_path / "certificate.json"
    path.write_text(dumps(altered), encoding="utf-8")
    return checker().main(str(path))


# ---------------------------------------------------------------- the book replays


@pytest.mark.full
def test_the_whole_book_replays(tmp_path: Path) -> None:
    path = tmp_path / "certificate.json"
    path.write_text(text(), encoding="utf-8")
    run = subprocess.run([sys.executable, str(CHECKER), str(path)], capture_output=True, text=True, encoding="utf-8")
    assert (run.returncode, run.stderr) == (0, "")
    claims = [item for theorem in content()["theorems"] for item in theorem["claims"]]
    assert sum(int(line.split()[0]) for line in run.stdout.splitlines() if " claims " in line) == len(claims)


def test_the_checker_is_short_and_independent() -> None:
    source = CHECKER.read_text(encoding="utf-8")
    assert len(source.splitlines()) <= 250
    imports = [x for x in ast.walk(ast.parse(source)) if isinstance(x, ast.Import | ast.ImportFrom)]
    names = [a.name for x in imports if isinstance(x, ast.Import) for a in x.names]
    names += [str(x.module) for x in imports if isinstance(x, ast.ImportFrom)]
    assert {name.split(".")[0] for name in names} <= sys.stdlib_module_names
    assert not any(isinstance(x, ast.Name) and x.id in {"eval", "exec", "__import__"} for x in ast.walk(ast.parse(source)))


def test_two_hash_seeds_give_the_same_bytes() -> None:
    names = "mean_core_eq_zero", "variance_core_eq", "jacobian_core_eq"
    script = BUILD + f"print(dumps(certificate(list(prove({names!r}).values()), book().theory)), end='')"
    places = [{"PYTHONHASHSEED": seed, "PYTHONPATH": str(HERE.parent)} for seed in ("1", "2")]
    first, second = (subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, env=env).stdout for env in places)
    assert first == second == dumps(certificate(list(prove(names).values()), book().theory)).encode()


def test_a_claim_needs_its_evidence_and_its_hypotheses(tmp_path: Path) -> None:
    whole = content("variance_core_eq")
    item = next(x for x in whole["theorems"][-1]["claims"] if x["claim"][0] == "<")
    item["given"] = []
    assert "no sign is seen" in verdict(sealed(whole), tmp_path)


def test_a_claim_may_not_cite_itself(tmp_path: Path) -> None:
    whole = content("mean_core_eq_zero")
    whole["theorems"][0]["claims"][0]["steps"][0]["theorems"] = ["mean_core_eq_zero"]
    assert "mean_core_eq_zero, claim 1" in verdict(sealed(whole), tmp_path)


# ---------------------------------------------------------------- alterations

Place = tuple[int, int, str, tuple[Any, ...]]  # theorem, claim, what is altered, and the way to a number of a term in it


def parts(item: Any) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Where the terms of a claim stand: in words, and as a path. A claim with steps is altered on one side only."""
    for n in range(len(item.get("parts", ()))):
        yield "example", ("parts", n, "claim", 2)
    if "claim" not in item:
        return
    for n, step in enumerate(item["steps"][:-1]):
        yield "step", ("steps", n, "after")
        if step["gap"]:
            yield "gap of a step", ("steps", n, "gap", 0)
    kind = item["evidence"]["kind"]
    if not item["steps"]:
        yield "claim", ("claim", 2)
    yield from (("certificate", ("evidence", "terms", n)) for n in range(2, len(item["evidence"]["terms"])) if kind != "induction")
    for n, (_, pairs) in enumerate(item["evidence"]["sums"]):
        for k in range(len(pairs)):
            yield "coefficient", ("evidence", "sums", n, 1, k, 0)
            yield "summand", ("evidence", "sums", n, 1, k, 1)


class Replay:
    """The whole book's content and the checker's view of it, for many alterations one after the other.

    An altered term is a new term with a number of its own, so that what the checker has computed of the others stays true. The random
    points that it draws under the hypotheses of a claim are kept for the next alterations of the same claim, with the values that they
    have so far, instead of being drawn again each time. All that the checker asks of a claim it asks of every altered one.
    """

    def __init__(self) -> None:
        self.whole = content()
        self.book = checker().Book(self.whole)
        self.drawn = checker().Point
        self.points: dict[Any, Any] = {}

    def new(self, *row: Any) -> int:
        """The number of a new term: a number, or a product of earlier terms."""
        self.whole["terms"].append([*row])
        self.book.free.append(set().union(*(self.book.free[x] for x in row if type(x) is int)))
        return len(self.book.free) - 1

    def point(self, book: Any, given: Any, draw: random.Random, values: dict[str, Any]) -> Any:
        """What Point(...) gives or raises in the checker, from memory if it was asked for before."""
        key = json.dumps(given), draw.getstate(), tuple(values.items())
        if key not in self.points:
            try:
                self.points[key] = self.drawn(book, given, draw, values)
            except ValueError as failure:
                self.points[key] = failure
        found = self.points[key]
        if isinstance(found, ValueError):
            raise found
        found.taus = ()  # a failure may have left it in the midst of a derivative
        return found

    def accepts(self, theorem: int, item: Any) -> bool:
        """Whether the checker accepts this claim of a theorem."""
        earlier = {x["name"]: x for x in self.whole["theorems"][:theorem]}
        with patch.object(checker(), "Point", self.point):
            try:
                checker().claim(self.book, item, earlier)
            except (LookupError, TypeError, ValueError):
                return False
        return True


def scaled(replay: Replay, number: int, factor: str) -> int:
    """A new term: a number multiplied by the factor, or the product of a term and the factor; the factor itself in place of 0."""
    op, *rest = replay.whole["terms"][number]
    if op == "num" and rest != ["-1"]:
        return replay.new("num", str(Fraction(rest[0]) * Fraction(factor)) if rest != ["0"] else factor)
    return replay.new("mul", replay.new("num", factor), number)


def everywhere() -> list[Place]:
    """Every place of the whole book that may be altered."""
    return [
        (t, c, what, path)
        for t, theorem in enumerate(content()["theorems"])
        for c, item in enumerate(theorem["claims"])
        for what, path in parts(item)
    ]


def spread(places: list[Place], size: int) -> list[Place]:
    """A sample drawn over all kinds and theorems in turn."""
    draw = random.Random(2016)
    groups: dict[str, list[Place]] = {}
    for place in places:
        groups.setdefault(place[2], []).append(place)
    for group in groups.values():
        draw.shuffle(group)
    turns = (group[n] for n in range(max(map(len, groups.values()))) for group in groups.values() if n < len(group))
    return [place for _, place in zip(range(size), turns, strict=False)]


def survives(replay: Replay, place: Place) -> bool:
    """Whether the claim is still accepted after the alteration."""
    t, c, _, path = place
    item = copy.deepcopy(replay.whole["theorems"][t]["claims"][c])
    target = item
    for key in path[:-1]:
        target = target[key]
    target[path[-1]] = new = scaled(replay, target[path[-1]], "3/2")
    follow(item, path, new)
    return all(replay.accepts(t, part) for part in item.get("parts", [item]))


def follow(item: Any, path: tuple[Any, ...], new: int) -> None:
    """Carry an alteration to where the same term must stand, so that the mathematics and not a mismatch is at fault."""
    if path[0] == "steps" and path[-1] == "after":
        item["steps"][path[1] + 1]["before"] = new
    if path[0] == "parts":
        item["parts"][path[1]]["evidence"]["terms"][1] = new
    if path[0] == "claim" and not item["evidence"]["kind"].startswith("only-if"):
        item["evidence"]["terms"][1] = new


def vanishes(replay: Replay, place: Place) -> bool:
    """Whether what was multiplied is zero under the hypotheses, so that nothing has changed: the checker itself must prove it."""
    t, c, what, path = place
    item = replay.whole["theorems"][t]["claims"][c]
    part = item["parts"][path[1]] if path[0] == "parts" else item
    target = item
    for key in path[:-1]:
        target = target[key]
    left = replay.new("mul", *(target if what in ("coefficient", "summand") else [target[path[-1]]]))
    right = replay.new("num", "0")
    evidence = {"kind": "equality", "terms": [left, right], "sums": []}
    cited = [step | {"before": left, "after": right, "kind": "=", "gap": []} for step in part["steps"][:1]]
    return replay.accepts(t, part | {"claim": ["=", left, right], "evidence": evidence, "forms": [], "steps": cited})


def uncaught(places: list[Place]) -> list[tuple[Any, ...]]:
    """The alterations that pass although they change something."""
    replay, passed = Replay(), []
    for _, group in groupby(sorted(places, key=claim_of), claim_of):
        replay.points.clear()
        passed += [place for place in group if survives(replay, place) and not vanishes(replay, place)]
    return [(replay.whole["theorems"][t]["name"], c + 1, what, path) for t, c, what, path in passed]


def claim_of(place: Place) -> tuple[int, int]:
    """Theorem and claim of a place."""
    return place[:2]


def test_one_altered_number_is_caught() -> None:
    places = spread(everywhere(), SAMPLE)
    assert len({place[2] for place in places}) >= 6
    assert not uncaught(places)


@pytest.mark.full
def test_every_altered_number_is_caught() -> None:
    assert not uncaught(everywhere())


def test_an_altered_hash_is_caught(tmp_path: Path) -> None:
    whole = content("mean_core_eq_zero")
    whole["theorems"][0]["hash"] = whole["theorems"][0]["hash"][::-1]
    assert verdict(whole, tmp_path) == "hashes: not those of the content"


def test_an_altered_title_changes_the_hash_of_what_cites_it(tmp_path: Path) -> None:
    whole = content("variance_core_eq")
    before = {x["name"]: x["hash"] for x in whole["theorems"]}
    whole["theorems"][0]["title"] += " "
    after = {x["name"]: x["hash"] for x in sealed(whole)["theorems"]}
    assert all(before[name] != after[name] for name in ("mean_core_eq_zero", "variance_core_eq"))
    assert verdict(whole, tmp_path) == 0
