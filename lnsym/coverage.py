"""The coverage table: each sentence of the source texts with the claims, records and figures that settle it. Imports up to view.

The assignment is `coverage.json` beside the theorem files. It is written by hand, except for what
`python -m lnsym.coverage` rewrites: the statement of each claim that a row names, and the hashes of the sentences.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import re
import sys
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from lnsym.derivation import Calculus, Derivation, Example, Record, claims_of
from lnsym.errors import DerivationError, LnsymError
from lnsym.library import book, prove
from lnsym.notation import text
from lnsym.view.figures import figure_tables

# ---------------------------------------------------------------- sentences


@dataclass(frozen=True)
class Sentence:
    """A sentence of a source text, with its paragraph, such as "000 ¶2"."""

    source: str
    text: str

    @property
    def sha256(self) -> str:
        """The hash by which a sentence is known where the source texts are not."""
        return hashlib.sha256(self.text.encode()).hexdigest()


_FORMULA = re.compile(r"\$[^$]*\$")
_END = re.compile(r"(?<!\b[A-Z])\.(?:\^\[ref\])?(?=\s|$)")
_LOST = re.compile(r"(?<=[a-z,:])(?=[A-Z])")


def cut(paragraph: str) -> tuple[str, ...]:
    """The sentences of a paragraph.

    A sentence ends at a full stop, with its "^[ref]", before white space or the end, unless the stop follows a single capital letter,
    an initial. It also ends where a lower-case letter, a comma or a colon is followed by a capital at once: there the text has lost a
    displayed formula, which belongs to the part before. Formulas between dollar signs are not looked into; white space is written as
    one blank, and characters of private use, icons of the text's origin, are left out.
    """
    plain = " ".join("".join(c for c in paragraph if unicodedata.category(c) != "Co").split())
    masked = _FORMULA.sub(lambda formula: "$" * len(formula[0]), plain)
    places = sorted({0, len(plain), *(end.end() for end in _END.finditer(masked)), *(lost.start() for lost in _LOST.finditer(masked))})
    return tuple(piece for left, right in pairwise(places) if (piece := plain[left:right].strip()))


def sentences(name: str, content: str) -> tuple[Sentence, ...]:
    """The sentences of a source text; blank lines part the paragraphs, and the line above the text, its title, is ¶0."""
    paragraphs = re.split(r"\n\s*\n", content.strip())
    return tuple(Sentence(f"{name} ¶{number}", one) for number, paragraph in enumerate(paragraphs) for one in cut(paragraph))


def sources_folder() -> Path | None:
    """Where the source texts lie beside a checkout; None where there are none."""
    folder = Path(__file__).resolve().parents[2] / "shared" / "seeds"
    return folder if folder.is_dir() else None


def source_sentences(folder: Path) -> tuple[Sentence, ...]:
    """All sentences of the source texts in a folder; a text is named by the digits that its file's name begins with."""
    files = sorted(folder.glob("[0-9]*_*.txt"))
    return tuple(one for file in files for one in sentences(file.name.split("_")[0], file.read_text(encoding="utf-8")))


# ---------------------------------------------------------------- the table


@dataclass(frozen=True)
class Part:
    """What settles one claim, number or figure of a sentence: a theorem's claim, a record, a figure, or the reason why nothing has to."""

    says: str
    theorem: str | None = None
    claim: int | None = None
    states: str | None = None
    record: str | None = None
    figure: str | None = None
    reason: str | None = None

    @property
    def name(self) -> str | None:
        """The theorem or record that is named."""
        return self.theorem or self.record


@dataclass(frozen=True)
class Row:
    """A sentence, the paragraphs where it stands, and what settles it.

    `elsewhere` explains the numbers of the sentence that no statement named here shows.
    """

    sources: tuple[str, ...]
    text: str
    parts: tuple[Part, ...]
    elsewhere: Mapping[str, str] = field(default_factory=dict)

    @property
    def source(self) -> str:
        """The paragraphs as one text."""
        return ", ".join(self.sources)

    @property
    def settled(self) -> tuple[str, ...]:
        """The theorems and records that are named, each once."""
        return tuple(dict.fromkeys(part.name for part in self.parts if part.name is not None))


_PART = {"says", "theorem", "claim", "states", "record", "figure", "none"}


def _part(entry: dict[str, Any], sentence: str) -> Part:
    kinds = sorted({"theorem", "record", "figure", "none"} & set(entry))
    if len(kinds) != 1 or not set(entry) <= _PART or not entry.get("says") or ("claim" in entry) != (kinds == ["theorem"]):
        raise DerivationError(f"{sentence!r}: a part says something and has a theorem with claim, a record, a figure or none, not {entry}")
    return Part(reason=entry.get("none"), **{key: value for key, value in entry.items() if key != "none"})


def _file() -> Path:
    return Path(importlib.import_module("lnsym.derivations").__path__[0]) / "coverage.json"


def _data() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(_file().read_text(encoding="utf-8"))
    return data


def rows() -> tuple[Row, ...]:
    """The table, in the order of the source texts."""
    return tuple(
        Row(
            tuple(row["sources"]),
            row["sentence"],
            tuple(_part(entry, row["sentence"]) for entry in row["settled"]),
            row.get("elsewhere", {}),
        )
        for row in _data()["rows"]
    )


def committed_hashes() -> dict[str, tuple[str, ...]]:
    """The hashes of all sentences by paragraph, as they were when the source texts were last read."""
    return {source: tuple(hashes) for source, hashes in _data()["sentences"].items()}


def hashes(found: Iterable[Sentence]) -> dict[str, tuple[str, ...]]:
    """The hashes of sentences by paragraph."""
    table: dict[str, tuple[str, ...]] = {}
    for one in found:
        table[one.source] = (*table.get(one.source, ()), one.sha256)
    return table


# ---------------------------------------------------------------- statements


def statement(derivation: Derivation, number: int) -> str:
    """A claim, counted from 1, as one line: its relations, and its hypotheses or the point at which it is evaluated."""
    claim = claims_of(derivation)[number - 1]
    if isinstance(claim, Example):
        shown = "; ".join(text(relation, ascii=True) for relation in claim.relations)
        return f"{shown} at {', '.join(f'{name} = {_exact(value)}' for name, value in claim.at.values.items())}"
    if isinstance(claim.proof, Calculus):
        shown = f"scalar calculus, {claim.proof.fact}"
    elif claim.relation is not None:
        shown = text(claim.relation, ascii=True)
    else:
        raise DerivationError(f"claim {number} of {derivation.title!r} has no relation; only a fact of scalar calculus goes without")
    given = "; ".join(text(hypothesis, ascii=True) for hypothesis in (*derivation.given, *claim.given))
    return f"{shown} given {given}" if given else shown


def _exact(value: object) -> str:
    return f"({', '.join(map(_exact, value))})" if isinstance(value, tuple) else str(value)


# ---------------------------------------------------------------- numbers

_NUMBER = re.compile(r"\d+/\d+|\d+")


def _found(plain: str) -> set[str]:
    return set(_NUMBER.findall(re.sub(r"\^(\d+)", r"^\1 ", plain)))  # an exponent binds before a fraction bar: t^2/3 has 2 and 3


def numbers_in_sentence(sentence: str) -> set[str]:
    """The numbers of a sentence without their signs; subscripts name things, and 1 1^T is twice the vector of ones."""
    return _found(re.sub(r"_(\{[^{}]*\}|\w)", " ", sentence.replace("11^", "1 1^")))


def numbers_in_statement(line: str) -> set[str]:
    """The numbers of a statement, without indices. A root is the power 1/2, and its third power, as in s^3, the power 3/2."""
    plain = re.sub(r"_\d+|\[[^\]]*\]|(?<=[A-Za-z])\d+", " ", line)
    if not re.search(r"\b(s|r|sqrt)\b", plain):
        return _found(plain)
    return _found(plain) | {"1/2"} | {f"{power}/2" for power in re.findall(r"(?:\b[sr]|\))\^(\d+)", plain)}


def _words(record: Record) -> str:
    return " ".join((record.title, record.says, *(word for entry in record.fields for word in entry)))


# ---------------------------------------------------------------- checks


def check_rows(
    table: Iterable[Row], derivations: Mapping[str, Derivation] | None = None, records: Mapping[str, Record] | None = None
) -> list[str]:
    """What is wrong with the rows, nothing if all is well.

    Each theorem named must be in the book and be proved in this process, its claim must be there and state what the row says that it
    states; records and figures must exist; and each number of a sentence must stand in a statement that the row names.
    """
    found = book()
    known = {name: derivation for name, (_, derivation) in found.derivations.items()} if derivations is None else derivations
    kept = {name: record for name, (_, record) in found.records.items()} if records is None else records
    return [f"{row.source}, {row.text!r}: {problem}" for row in table for problem in _problems(row, known, kept)]


def _problems(row: Row, known: Mapping[str, Derivation], kept: Mapping[str, Record]) -> Iterable[str]:
    if not row.parts:
        yield "no claim, record, figure or reason is assigned"
    shown: set[str] = set()
    for part in row.parts:
        if part.theorem is not None:
            if problem := _unsettled(part, known):
                yield problem
            shown |= numbers_in_statement(part.states or "")
        elif part.record is not None:
            if part.record not in kept:
                yield f"the book has no record {part.record!r}"
            else:
                shown |= _found(_words(kept[part.record]))
        elif part.figure is not None:
            if part.figure not in (figures := figure_tables()):
                yield f"there is no figure {part.figure!r}, only {', '.join(figures)}"
        elif not part.reason:
            yield f"{part.says!r} is settled by nothing, and no reason is given"
    wanted = numbers_in_sentence(row.text) - shown
    for number in sorted(wanted - set(row.elsewhere)):
        yield f"the number {number} stands in no statement that is named; name the claim that has it, or explain it in elsewhere"
    for number in sorted(set(row.elsewhere) - wanted):
        yield f"the number {number} needs no explanation; remove it from elsewhere"


def _unsettled(part: Part, known: Mapping[str, Derivation]) -> str | None:
    name, number = part.theorem or "", part.claim or 0
    if name not in known:
        return f"the book has no theorem {name!r}"
    try:
        prove([name])
    except LnsymError as error:
        return f"{name} is not proved: {error}"
    count = len(claims_of(known[name]))
    if not 1 <= number <= count:
        return f"{name} has claims 1 to {count}, none is number {number}"
    stated = statement(known[name], number)
    return None if stated == part.states else f"claim {number} of {name} states {stated!r}, not {part.states!r}; read it again"


def unmatched(wanted: Mapping[str, tuple[str, ...]], table: Iterable[Row]) -> list[str]:
    """The sentences, by paragraph and hash, that no row has, and the rows whose sentence is not there."""
    rows_at = {(source, Sentence(source, row.text).sha256): row for row in table for source in row.sources}
    there = {(source, one) for source, found in wanted.items() for one in found}
    missing = [f"{source}: no row has the sentence with hash {one}" for source, one in sorted(there - set(rows_at))]
    return missing + [f"{source}: no such sentence: {rows_at[source, one].text!r}" for source, one in sorted(set(rows_at) - there)]


# ---------------------------------------------------------------- refresh


def refreshed(data: dict[str, Any], folder: Path | None) -> dict[str, Any]:
    """The file's data with statements as the book has them now, and hashes as the source texts give them, where these are here."""
    known = {name: derivation for name, (_, derivation) in book().derivations.items()}
    new: dict[str, Any] = json.loads(json.dumps(data))
    if folder is not None:
        new["sentences"] = {source: list(found) for source, found in hashes(source_sentences(folder)).items()}
    for row in new["rows"]:
        for entry in row["settled"]:
            name, number = entry.get("theorem"), entry.get("claim", 0)
            if name in known and 1 <= number <= len(claims_of(known[name])):
                entry["states"] = statement(known[name], number)
    return new


def written(data: dict[str, Any]) -> str:
    """The file's text, one line for each part."""
    line: Callable[[object], str] = lambda value: json.dumps(value, ensure_ascii=False)  # noqa: E731 - a short name for the lines below
    out = ['{\n  "sentences": {\n']
    out.append(",\n".join(f"    {line(source)}: {line(found)}" for source, found in data["sentences"].items()))
    out.append('\n  },\n  "rows": [\n')
    blocks = []
    for row in data["rows"]:
        parts = ",\n".join(f"        {line(entry)}" for entry in row["settled"])
        extra = f',\n      "elsewhere": {line(row["elsewhere"])}' if row.get("elsewhere") else ""
        blocks.append(
            f'    {{\n      "sources": {line(row["sources"])},\n      "sentence": {line(row["sentence"])},\n'
            f'      "settled": [\n{parts}\n      ]{extra}\n    }}'
        )
    return "".join((*out, ",\n".join(blocks), "\n  ]\n}\n"))


def main() -> int:
    """Rewrite statements and hashes, never the assignment; name what is still wrong, with exit code 1. Read the difference afterwards."""
    folder = sources_folder()
    data = refreshed(_data(), folder)
    _file().write_text(written(data), encoding="utf-8")
    table = rows()
    problems = unmatched(committed_hashes(), table) + check_rows(table)
    count, parts = sum(map(len, data["sentences"].values())), sum(len(row.parts) for row in table)
    where = "the source texts are read again" if folder else "the source texts are not here, so the hashes stay"
    sys.stdout.write("".join(f"{problem}\n" for problem in problems))
    sys.stdout.write(f"coverage.json: {count} sentences in {len(table)} rows with {parts} parts; {where}; problems: {len(problems)}\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
