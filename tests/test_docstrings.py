"""Public functions and classes say what they are; the names that `lnsym` exports say it in the sections of the house."""

from __future__ import annotations

import ast
import inspect
import re
from itertools import pairwise
from pathlib import Path

import pytest

import lnsym
from lnsym import library

ROOT = Path(__file__).resolve().parents[1]
SECTIONS = ("Formula:", "Shapes:", "Units:", "Args:", "Returns:", "Raises:", "Source:", ">>> ")


def undocumented(source: str) -> list[str]:
    """The public functions and classes at the top of a module that have no docstring, or one that is not a sentence."""
    named = (node for node in ast.parse(source).body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)))
    public = (node for node in named if not node.name.startswith("_"))
    return [node.name for node in public if not first_sentence_ends(ast.get_docstring(node) or "")]


def first_sentence_ends(doc: str) -> bool:
    """Whether the first paragraph is a sentence."""
    return doc.partition("\n\n")[0].strip().endswith((".", "?", "!"))


def faults(doc: str) -> list[str]:
    """What is missing or out of order in the docstring of an exported function."""
    lines = [line.strip() for line in doc.split("\n")]
    places = {section: next((n for n, line in enumerate(lines) if line.startswith(section)), -1) for section in SECTIONS}
    found = [] if first_sentence_ends(doc) and places[SECTIONS[0]] != 0 else ["does not begin with one sentence"]
    found += [f"has no {section.strip()}" for section, place in places.items() if place < 0]
    present = [section for section in SECTIONS if places[section] >= 0]
    swapped = (pair for pair in pairwise(present) if places[pair[1]] < places[pair[0]])
    return found + [f"{later.strip()} stands before {earlier}" for earlier, later in swapped]


def modules() -> list[Path]:
    """The modules whose public names are documented: all of lnsym but the kernel."""
    package = ROOT / "lnsym"
    return sorted(path for path in package.rglob("*.py") if path.relative_to(package).parts[0] != "kernel")


def test_public_names_are_documented() -> None:
    found = {str(path.relative_to(ROOT)): undocumented(path.read_text(encoding="utf-8")) for path in modules()}
    assert not any(found.values()), {path: names for path, names in found.items() if names}


def test_every_file_says_what_it_is_for() -> None:
    files = [*modules(), *(ROOT / "lnsym" / "kernel").glob("*.py"), *(ROOT / "tests").rglob("*.py"), *(ROOT / "derivations").rglob("*.py")]
    silent = [str(path.relative_to(ROOT)) for path in files if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))]
    assert not silent


def test_undocumented_names_are_caught() -> None:
    source = 'def f(): pass\nclass A: "no sentence"\ndef _private(): pass\ndef good():\n    """Do it."""\n'
    assert undocumented(source) == ["f", "A"]


def exports() -> dict[str, object]:
    """What `lnsym` exports, and for a module what that exports, by name."""
    found: dict[str, object] = {}
    for name in lnsym.__all__:
        exported = getattr(lnsym, name)
        found |= {f"{name}.{own}": getattr(exported, own) for own in exported.__all__} if inspect.ismodule(exported) else {name: exported}
    return found


@pytest.mark.parametrize(("name", "exported"), list(exports().items()))
def test_exported_functions_have_all_sections(name: str, exported: object) -> None:
    if inspect.isfunction(exported):
        assert faults(inspect.getdoc(exported) or "") == []
    elif inspect.isclass(exported):
        assert first_sentence_ends(inspect.getdoc(exported) or ""), name
    else:
        assert isinstance(exported, dict), f"{name} is neither a function nor a class nor a table"


GOOD = """Return the core.

    Formula:
        u = (z - mu)/s
    Shapes:
        z: (d,)
    Units:
        z in U, eps in U^2
    Args:
        z: the input.
    Returns:
        u.
    Raises:
        LnsymError: never.
    Source:
        000, second paragraph.

    >>> 1 + 1
    2
    """


def test_a_good_docstring_has_no_faults() -> None:
    assert faults(inspect.cleandoc(GOOD)) == []


@pytest.mark.parametrize("section", SECTIONS)
def test_a_missing_section_is_caught(section: str) -> None:
    assert faults(GOOD.replace(section, "Note ")) == [f"has no {section.strip()}"]


@pytest.mark.parametrize(("one", "other"), list(pairwise(SECTIONS[:-1])))
def test_sections_out_of_order_are_caught(one: str, other: str) -> None:
    swapped = GOOD.replace(one, "@").replace(other, one).replace("@", other)
    assert f"{other} stands before {one}" in faults(swapped)


def test_a_docstring_without_first_sentence_is_caught() -> None:
    assert faults(GOOD.replace("core.", "core")) == ["does not begin with one sentence"]


def test_theorems_named_as_a_source_are_in_the_book() -> None:
    named = {name for one in exports().values() for name in re.findall(r"theorem (\w+) of the book", inspect.getdoc(one) or "")}
    assert named
    assert named <= set(library.book().derivations)
