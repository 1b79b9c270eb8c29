"""The library: what the folders hold is the book, in an order in which each theorem follows what it cites."""

from __future__ import annotations

import importlib
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from derivations.definitions import v
from lnsym.derivation import Claim, Derivation, Record, by, centred, chain, theorem
from lnsym.errors import DerivationError, StatementError
from lnsym.lang import Eq, mean
from lnsym.library import Chapter, book, cited_by, entry, in_order, known, prove, theorems

ROOT = Path(__file__).resolve().parents[1]
CHAPTER = Chapter("test", "Test", 1)


def citing(*names: str) -> tuple[Chapter, Derivation]:
    """A derivation whose steps name these theorems."""
    proof = by(centred, *map(theorem, names), why="because")
    return CHAPTER, Derivation("A theorem.", "S00", (Claim(Eq(mean(v), 0), proof),))


def test_a_theorem_shows_its_name_and_title() -> None:
    assert repr(prove(["mean_core_eq_zero"])["mean_core_eq_zero"]) == "<theorem mean_core_eq_zero: The core's coordinate mean is 0.>"


# ---------------------------------------------------------------- folder = registry


def test_the_book_is_what_the_folders_hold() -> None:
    files = {path.stem: path.parent.name for path in (ROOT / "derivations").glob("*/*.py") if path.stem != "__init__"}
    found = {**book().derivations, **book().records}
    assert {name: chapter.name for name, (chapter, _) in found.items()} == files
    assert {chapter.name for chapter in book().chapters} == {path.parent.name for path in (ROOT / "derivations").glob("*/__init__.py")}


def test_chapters_are_numbered_and_titled() -> None:
    numbers = [chapter.number for chapter in book().chapters]
    assert numbers == sorted(set(numbers))
    assert all(chapter.title[0].isupper() and not chapter.title.endswith(".") for chapter in book().chapters)


def test_a_file_is_a_theorem_or_a_record() -> None:
    assert not set(book().derivations) & set(book().records)
    assert all(isinstance(record, Record) for _, record in book().records.values())


# ---------------------------------------------------------------- order


def test_each_theorem_follows_what_it_cites() -> None:
    order = [found.name for found in theorems()]
    assert sorted(order) == sorted(book().derivations)
    for found in theorems():
        assert all(order.index(premise) < order.index(found.name) for premise in found.premises)


def test_the_theorems_named_are_the_premises() -> None:
    for found in theorems():
        assert set(cited_by(found.derivation)) == set(found.premises)


def test_what_is_cited_comes_along() -> None:
    assert list(prove(["variance_core_eq"])) == ["mean_core_eq_zero", "variance_core_eq"]


def test_order_is_by_citation_then_by_name() -> None:
    table = {"b": citing(), "a": citing("c"), "c": citing()}
    assert in_order(table, table) == ("c", "a", "b")
    assert in_order(["b"], table) == ("b",)


def test_a_cycle_is_named() -> None:
    table = {"a": citing("b"), "b": citing("c"), "c": citing("a")}
    with pytest.raises(DerivationError, match=r"^a cycle of citations: a -> b -> c -> a$"):
        in_order(table, table)
    alone = {"a": citing("a")}
    with pytest.raises(DerivationError, match=r"^a cycle of citations: a -> a$"):
        in_order(alone, alone)


def test_a_citation_out_of_the_book_is_named() -> None:
    table = {"a": citing("nowhere")}
    with pytest.raises(DerivationError, match=r"^a cites nowhere, which is not in the book$"):
        in_order(table, table)


def test_chains_and_direct_proofs_are_both_read() -> None:
    chained = chain(mean(v)).to(0, by=(centred, theorem("x")), why="").to(0, by=theorem("y"), why="")
    found = Derivation("", "", (Claim(Eq(mean(v), 0), chained), Claim(Eq(mean(v), 0), by(theorem("z"), why=""))))
    assert cited_by(found) == ("x", "y", "z")


# ---------------------------------------------------------------- names


def test_an_unknown_name_gets_a_suggestion() -> None:
    with pytest.raises(StatementError, match=r"the book has no theorem 'varance_core_eq'; did you mean .*variance_core_eq"):
        prove(["varance_core_eq"])
    with pytest.raises(StatementError, match="the book has no theorem 'xyzzy'; `lnsym list` names them all"):
        known("xyzzy")
    assert known("variance_core_eq") == "variance_core_eq"
    assert list(prove("mean_core_eq_zero")) == ["mean_core_eq_zero"]  # one name is no list of letters


def test_a_name_of_something_else_is_told_what_it_is() -> None:
    assert entry("adam_paper") == "adam_paper"
    with pytest.raises(StatementError, match=r"^adam_paper is a record, there is nothing to prove; read it with `lnsym show adam_paper`$"):
        prove(["adam_paper"])
    with pytest.raises(StatementError, match=r"^S28 is an id of the catalogue; name one of its entries: jacobian_core_eq"):
        known("S28")


@pytest.fixture
def scanned(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, dict[str, object]]]:
    """A book of folders that is made up here: folder -> file -> what it defines."""
    folders: dict[str, dict[str, object]] = {}

    class Found:
        def __init__(self, name: str, ispkg: bool) -> None:
            self.name, self.ispkg = name, ispkg

    def load(name: str) -> object:
        parts = name.split(".")[2:]
        module = ModuleType(name)
        if parts == ["definitions"]:
            vars(module).update(THEORY=None)
        elif len(parts) == 2:
            vars(module).update(folders[parts[0]][parts[1]])  # type: ignore[call-overload]
        else:
            vars(module).update(TITLE="Test", NUMBER=1, __path__=parts)
        return module

    def listing(path: list[str]) -> list[Found]:
        return [Found(n, False) for n in folders[path[0]]] if path else [Found(n, True) for n in folders]

    monkeypatch.setattr(importlib, "import_module", load)
    monkeypatch.setattr(pkgutil, "iter_modules", listing)
    return folders  # type: ignore[return-value]


def test_two_files_of_one_name(scanned: dict[str, dict[str, object]]) -> None:
    scanned |= {"one": {"same": {"THEOREM": citing()[1]}}, "two": {"same": {"THEOREM": citing()[1]}}}
    with pytest.raises(DerivationError, match="two files are named same; a name is used everywhere, so it must be unique"):
        book.__wrapped__()


def test_a_file_that_holds_neither(scanned: dict[str, dict[str, object]]) -> None:
    scanned |= {"one": {"empty": {}}}
    with pytest.raises(DerivationError, match=r"one/empty\.py defines neither THEOREM nor RECORD"):
        book.__wrapped__()


def test_what_the_scan_finds(scanned: dict[str, dict[str, object]]) -> None:
    scanned |= {"one": {"first": {"THEOREM": citing()[1]}, "note": {"RECORD": Record("T", "S51", "says")}}}
    found = book.__wrapped__()
    assert list(found.derivations) == ["first"]
    assert list(found.records) == ["note"]


# ---------------------------------------------------------------- proofs


def test_every_claim_of_the_book_is_proved_or_says_what_it_is() -> None:
    for found in theorems():
        for claim in found.claims:
            assert (claim.proved is None) == (claim.status in ("evaluated exactly", "scalar calculus")), found.name
            assert claim.proved is None or claim.proved.conditions == ()


def test_a_fresh_process_comes_to_the_same_verdict() -> None:
    code = "from lnsym.library import theorems; print(*(f'{x.name} {len(x.proved)}' for x in theorems()), sep=chr(10))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines() == [f"{found.name} {len(found.proved)}" for found in theorems()]
