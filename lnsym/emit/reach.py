"""Leaves out of a module's text what its public functions do not reach, and keeps the rest as it is written. Standard library only."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lnsym.errors import LnsymError


class ModuleError(LnsymError):
    """Templates that do not fit together: a name that two of them give different meanings."""

    exit_code = 70


@dataclass(frozen=True)
class Piece:
    """A statement at the top of a module with the comment above it; `defines` is empty where it must stay in any case."""

    text: str
    defines: tuple[str, ...]
    uses: frozenset[str]
    heading: str = ""  # a comment that stands alone before it, and speaks of what follows
    imports: tuple[str, ...] = ()


def reached(source: str, roots: Iterable[str]) -> str:
    """The source without the private statements, imports and headings that nothing reachable from the roots needs."""
    pieces = _without_repetition(list(_pieces(source)))
    wanted = _closure(pieces, {*roots, "annotations"})
    kept: list[str] = []
    heading, gap = "", 0  # a heading that waits for its first statement, and the blank lines before what was left out
    for piece in pieces:
        heading = piece.heading or heading
        text = _imported(piece, wanted) if piece.imports else piece.text if not piece.defines or set(piece.defines) & wanted else ""
        gap = max(gap, _blank_lines(piece.text))
        if text:
            body = "\n" * gap + text.lstrip("\n")
            kept.append(f"\n\n{heading}{body}" if heading else body)
            heading, gap = "", 0
    return "".join(kept).strip("\n") + "\n"


def _blank_lines(text: str) -> int:
    return len(text) - len(text.lstrip("\n"))


def _closure(pieces: list[Piece], roots: set[str]) -> set[str]:
    users: dict[str, list[Piece]] = {}
    for piece in pieces:
        for name in piece.defines:
            users.setdefault(name, []).append(piece)
    wanted: set[str] = set()
    todo = [*roots, *(name for piece in pieces if not piece.defines and not piece.imports for name in piece.uses)]
    while todo:
        name = todo.pop()
        if name not in wanted:
            wanted.add(name)
            todo += [used for piece in users.get(name, ()) for used in piece.uses]
    return wanted


def _without_repetition(pieces: list[Piece]) -> list[Piece]:
    """A private name that two templates define in the same way is kept once; in two ways, it is an error."""
    first: dict[str, str] = {}
    kept = []
    for piece in pieces:
        plain = _code(piece.text)
        again = [name for name in piece.defines if name in first and not _is_overload(piece.text)]
        if again and any(first[name] != plain for name in again):
            raise ModuleError(f"{again[0]} is defined twice and differently by the templates of the target; rename one of the two")
        if not again:
            kept.append(piece)
        first.update(dict.fromkeys(piece.defines, plain) if not _is_overload(piece.text) else {})
    return kept


def _code(text: str) -> str:
    return ast.unparse(ast.parse(text))


def _is_overload(text: str) -> bool:
    return text.lstrip().startswith("@overload")


# ---------------------------------------------------------------- cutting


def _pieces(source: str) -> Iterator[Piece]:
    """The module cut before each statement at its top; blank lines and comments go with what they stand above."""
    lines = source.splitlines(keepends=True)
    start = 0
    for node in ast.parse(source).body:
        end = node.end_lineno or node.lineno
        text = "".join(lines[start:end])
        heading, text = _heading(text)
        yield Piece(text, _defined(node), _used(node), heading, _imports(node))
        start = end


def _heading(text: str) -> tuple[str, str]:
    """A comment that a blank line separates from the statement below it, and the rest."""
    lines = text.splitlines(keepends=True)
    first = next((n for n, line in enumerate(lines) if line.strip()), 0)
    if not lines or not lines[first].startswith("#"):
        return "", text
    blank = [n for n in range(first, len(lines)) if not lines[n].strip()]
    code = next((n for n, line in enumerate(lines) if line.strip() and not line.startswith("#")), len(lines))
    last = max((n for n in blank if n < code), default=None)
    if last is None:
        return "", text
    while last > first and not lines[last - 1].strip():
        last -= 1
    return "".join(lines[first:last]), "".join(lines[last:])


def _defined(node: ast.stmt) -> tuple[str, ...]:
    match node:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return (name,)
        case ast.Assign(targets=targets):
            names = tuple(x.id for target in targets for x in ast.walk(target) if isinstance(x, ast.Name))
            return () if names == ("__all__",) else names
        case ast.AnnAssign(target=ast.Name(id=name)):
            return (name,)
    return ()


def _used(node: ast.stmt) -> frozenset[str]:
    names = {x.id for x in ast.walk(node) if isinstance(x, ast.Name)}
    return frozenset(names - set(_defined(node)) if not isinstance(node, ast.FunctionDef) else names)


def _imports(node: ast.stmt) -> tuple[str, ...]:
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return tuple(alias.asname or alias.name.partition(".")[0] for alias in node.names)
    return ()


def _imported(piece: Piece, wanted: set[str]) -> str:
    """The import without the names that are not wanted."""
    kept = [name for name in piece.imports if name in wanted]
    if len(kept) == len(piece.imports):
        return piece.text
    if not kept:
        return ""
    head, _, _ = piece.text.partition(" import ")
    return f"{head} import {', '.join(kept)}\n" if piece.text.lstrip("\n").startswith("from ") else ""
