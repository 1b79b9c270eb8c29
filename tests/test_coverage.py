"""The coverage table: no sentence without a row, no row without a sentence, and each row states what the book proves."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from lnsym import coverage
from lnsym.coverage import (
    Part,
    Row,
    Sentence,
    check_rows,
    committed_hashes,
    cut,
    hashes,
    numbers_in_sentence,
    numbers_in_statement,
    refreshed,
    rows,
    sentences,
    source_sentences,
    sources_folder,
    statement,
    unmatched,
    written,
)
from lnsym.derivation import Calculus, Claim, Derivation, Example, Iff, claims_of
from lnsym.errors import DerivationError
from lnsym.kernel.terms import Relation
from lnsym.library import book
from lnsym.model.calculus import calculus_fact

SOURCES = Path(__file__).resolve().parents[2] / "shared" / "seeds"
TABLE = rows()
PROVED = [(row, part) for row in TABLE for part in row.parts if part.theorem]
DATA = Path(__file__).resolve().parents[1] / "derivations" / "coverage.json"


@pytest.fixture
def wanted(record_property: Callable[[str, object], None], capsys: pytest.CaptureFixture[str]) -> dict[str, tuple[str, ...]]:
    """The hashes of the sentences: of the source texts, cut here and now; where these are absent, as committed, and the test says so."""
    if SOURCES.is_dir():
        return hashes(source_sentences(SOURCES))
    message = f"no source texts in {SOURCES}: the committed hashes of their sentences are used"
    record_property("sources", message)
    with capsys.disabled():
        sys.stdout.write(f"\ntest_coverage: {message}\n")
    return committed_hashes()


def ids(name: str) -> set[str]:
    """The catalogue ids of a theorem or record."""
    found = book()
    entry = found.derivations[name][1] if name in found.derivations else found.records[name][1]
    return {entry.catalogue} if isinstance(entry.catalogue, str) else set(entry.catalogue)


# ---------------------------------------------------------------- the table and the texts


def test_every_sentence_has_a_row_and_every_row_a_sentence(wanted: dict[str, tuple[str, ...]]) -> None:
    assert unmatched(wanted, TABLE) == []


def test_committed_hashes_are_those_of_the_texts(wanted: dict[str, tuple[str, ...]]) -> None:
    assert committed_hashes() == wanted
    assert unmatched(committed_hashes(), TABLE) == []
    assert len(TABLE) == len({(row.sources, row.text) for row in TABLE})


def test_an_unassigned_sentence_fails(wanted: dict[str, tuple[str, ...]], tmp_path: Path) -> None:
    new = Sentence("004 ¶16", "The core of $(1,2,4)$ has length $5$.")
    found = unmatched({**wanted, new.source: (*wanted[new.source], new.sha256)}, TABLE)
    assert found == [f"004 ¶16: no row has the sentence with hash {new.sha256}"]
    if SOURCES.is_dir():
        for file in SOURCES.glob("*.txt"):
            shutil.copy(file, tmp_path)
        last = max(tmp_path.glob("*.txt"))
        last.write_text(f"{last.read_text(encoding='utf-8')} {new.text}", encoding="utf-8")
        assert unmatched(hashes(source_sentences(tmp_path)), TABLE) == found


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.text[:40])
def test_a_missing_row_and_a_changed_sentence_fail(row: Row) -> None:
    rest = tuple(other for other in TABLE if other is not row)
    assert len(unmatched(committed_hashes(), rest)) == len(row.sources)
    changed = replace(row, text=f"{row.text} More.")
    assert len(unmatched(committed_hashes(), (*rest, changed))) == 2 * len(row.sources)
    assert len(unmatched(committed_hashes(), (*TABLE, replace(row, sources=("004 ¶17",))))) == 1


def test_repeated_paragraphs_have_one_row_for_both() -> None:
    committed = committed_hashes()
    for number in range(1, 6):
        first, second = f"000 ¶{number}", f"004 ¶{number + 8}"
        assert committed[first] == committed[second]
        assert all(row.sources == (first, second) for row in TABLE if first in row.sources or second in row.sources)


# ---------------------------------------------------------------- cutting


def test_nothing_of_a_text_is_lost() -> None:
    if not SOURCES.is_dir():
        assert sources_folder() is None
        return
    assert sources_folder() == SOURCES
    for file in SOURCES.glob("*.txt"):
        whole = re.sub(r"[\s\ue000-\uf8ff]", "", file.read_text(encoding="utf-8"))
        assert whole == "".join(one.text.replace(" ", "") for one in sentences("x", file.read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    ("paragraph", "pieces"),
    [
        ("One.  Two\nlines. ", ("One.", "Two lines.")),
        ("By Geoffrey E. Hinton. He", ("By Geoffrey E. Hinton.", "He")),
        ("Used here.^[ref] If", ("Used here.^[ref]", "If")),
        ("The output areHere it is", ("The output are", "Here it is")),
        ("For $a>0$,For $q>0$, this", ("For $a>0$,", "For $q>0$, this")),
        ("the Jacobian:The vector", ("the Jacobian:", "The vector")),
        ("It is $aB. C$. Next", ("It is $aB. C$.", "Next")),
        ("A value 1.5 is one: it stays", ("A value 1.5 is one: it stays",)),
        ("\uf500 A title", ("A title",)),
        ("", ()),
    ],
)
def test_cut(paragraph: str, pieces: tuple[str, ...]) -> None:
    assert cut(paragraph) == pieces


def test_paragraphs_are_counted_from_the_title() -> None:
    found = sentences("000", "Title\n\nOne. Two.\n \nThree.\n")
    assert [(one.source, one.text) for one in found] == [("000 ¶0", "Title"), ("000 ¶1", "One."), ("000 ¶1", "Two."), ("000 ¶2", "Three.")]


# ---------------------------------------------------------------- the rows and the book


def test_rows_state_what_the_book_proves() -> None:
    assert check_rows(TABLE) == []


def test_facts_of_calculus_hold() -> None:
    found = book().derivations
    claims = [claims_of(found[part.theorem or ""][1])[(part.claim or 0) - 1] for _, part in PROVED]
    facts = {claim.proof.fact for claim in claims if isinstance(claim, Claim) and isinstance(claim.proof, Calculus)}
    assert len(facts) > 3
    assert [fact for fact in sorted(facts) if not calculus_fact(fact).holds] == []


def test_every_theorem_of_the_sources_is_named() -> None:
    named = {name for row in TABLE for name in row.settled}
    found = book()
    of_the_sources = {name for name in (*found.derivations, *found.records) if any(one.startswith("S") for one in ids(name))}
    assert of_the_sources - named == set()
    assert {one for name in named for one in ids(name)} >= {f"S{number:02}" for number in range(1, 55)}


def test_where_a_theorem_cites_a_paragraph_a_row_names_it() -> None:
    found = book()
    cites = {name: entry.cites for name, (_, entry) in found.derivations.items()}
    cites |= {name: entry.cites for name, (_, entry) in found.records.items()}
    for name in sorted({name for row in TABLE for name in row.settled}):
        assert set(cites[name]) <= {source for row in TABLE if name in row.settled for source in row.sources}, name


def test_few_sentences_are_without_content() -> None:
    without = [row.text for row in TABLE if not row.settled]
    assert without == ["Layer-normalization epsilon", "Codex @codex 0"]
    assert all(part.reason for row in TABLE for part in row.parts if not (part.name or part.figure))


def mutated(derivation: Derivation, number: int) -> Derivation:
    """The derivation with another claim of that number: 1 more on a right side, or another fact of calculus."""
    count = 0

    def changed(relation: Relation) -> Relation:
        return Relation(relation.kind, relation.left, relation.right + 1)

    def turn(claim: Claim) -> Claim:
        nonlocal count
        count += 1
        if count != number:
            return claim
        if isinstance(claim.proof, Calculus):
            return replace(claim, proof=replace(claim.proof, fact="h_odd"))
        assert claim.relation is not None
        return replace(claim, relation=changed(claim.relation))

    claims: list[Claim | Iff | Example] = []
    for claim in derivation.claims:
        if isinstance(claim, Iff):
            claims.append(replace(claim, forward=tuple(map(turn, claim.forward)), backward=tuple(map(turn, claim.backward))))
        elif isinstance(claim, Example):
            count += 1
            claims.append(replace(claim, relations=(changed(claim.relations[0]), *claim.relations[1:])) if count == number else claim)
        else:
            claims.append(turn(claim))
    return replace(derivation, claims=tuple(claims))


@pytest.mark.parametrize(("row", "part"), PROVED, ids=[f"{part.theorem}-{part.claim}-{n}" for n, (_, part) in enumerate(PROVED)])
def test_a_mutated_claim_fails(row: Row, part: Part) -> None:
    name, number, stated = part.theorem or "", part.claim or 0, part.states or ""
    single = replace(row, parts=(part,), elsewhere={})
    derivation = book().derivations[name][1]

    def complaints(changed: Part, known: Derivation = derivation) -> list[str]:
        found = check_rows([replace(single, parts=(changed,))], {name: known})
        return [line for line in found if "the number" not in line]  # a part alone need not show every number of its sentence

    assert complaints(part) == []
    assert len(complaints(part, mutated(derivation, number))) == 1
    assert len(complaints(replace(part, states=stated.replace(" = ", " != ", 1) if " = " in stated else stated + " + 1"))) == 1
    assert len(complaints(replace(part, states=None))) == 1
    other = 1 + number % max(2, len(claims_of(derivation)))
    assert len(complaints(replace(part, claim=other))) == 1
    if derivation.given:  # a hypothesis that the theorem no longer has
        shown = not isinstance(claims_of(derivation)[number - 1], Example)
        assert len(complaints(part, replace(derivation, given=derivation.given[1:]))) == shown


def test_what_is_not_there_is_named() -> None:
    def complaint(part: Part) -> str:
        (found,) = check_rows([Row(("000 ¶1",), "A sentence.", (part,))])
        return found

    assert "no theorem 'core_eqq'" in complaint(Part("x", theorem="core_eqq", claim=1, states="1 = 1"))
    assert "core_eq has claims 1 to 3, none is number 4" in complaint(Part("x", theorem="core_eq", claim=4, states="1 = 1"))
    assert "none is number 0" in complaint(Part("x", theorem="core_eq", claim=0, states="1 = 1"))
    assert "no record 'adam'" in complaint(Part("x", record="adam"))
    assert "no figure 'core', only response," in complaint(Part("x", figure="core"))
    assert "no reason is given" in complaint(Part("x", reason=""))
    (nothing,) = check_rows([Row(("000 ¶1",), "A sentence.", ())])
    assert nothing == "000 ¶1, 'A sentence.': no claim, record, figure or reason is assigned"


def test_a_theorem_that_is_not_proved_settles_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(names: list[str]) -> None:
        raise DerivationError(f"{names[0]}, claim 1: the step does not hold by the kernel")

    monkeypatch.setattr(coverage, "prove", refuse)
    row = next(row for row in TABLE if row.settled == ("jacobian_apply_one", "jacobian_minimal_polynomial"))
    assert all("is not proved" in problem for problem in check_rows([row]))
    assert len(check_rows([row])) == len(row.parts)


# ---------------------------------------------------------------- numbers


@pytest.mark.parametrize("row", [row for row in TABLE if numbers_in_sentence(row.text)], ids=lambda row: row.text[:40])
def test_another_number_in_a_sentence_fails(row: Row) -> None:
    changed = replace(row, text=f"{row.text} $987/654$")
    (problem,) = check_rows([changed])
    assert "the number 987/654 stands in no statement" in problem


def test_a_wrong_number_fails() -> None:
    row = next(row for row in TABLE if r"\sqrt{17}" in row.text)
    (problem,) = check_rows([replace(row, text=row.text.replace("17", "19"))])
    assert "the number 19 stands in no statement" in problem
    (problem,) = check_rows([replace(row, elsewhere={"17": "a count"})])
    assert "the number 17 needs no explanation" in problem


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        (r"from $1/3$ to $4/3$", {"1/3", "4/3"}),
        (r"$t/\sqrt{2t^2/3+\epsilon }$", {"2", "3"}),
        (r"$\epsilon /(q+\epsilon {)}^{3/2}$", {"3/2"}),
        (r"$\Vert D{u}_{\epsilon }(z){\Vert }_2\le {\epsilon }^{-1/2}$", {"1/2"}),
        (r"$P=I-d^{-1}11^{\mathsf{T}}$", {"1"}),
        (r"$q(z+c1)=q(z)$ in 2016", {"1", "2016"}),
        (r"$(101,102,103{)}^{\mathsf{T}}$", {"101", "102", "103"}),
        ("no number", set()),
    ],
)
def test_numbers_in_sentence(sentence: str, found: set[str]) -> None:
    assert numbers_in_sentence(sentence) == found


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("q = 2/3; u_1 = -1/sqrt(2) at z = (1, 2, 3), eps = 1/3", {"2/3", "1", "2", "3", "1/3", "1/2"}),
        ("sum_j(J[i,j]*v_j) = (eps/s^3)*v_i", {"1/2", "3/2", "3"}),
        ("D(u_3, t) = eps/sqrt(2*t^2/3 + eps)^3", {"2", "3", "1/2", "3/2"}),
        ("core(X[1,:])[2] = 7", {"7"}),
        ("1 - beta1^t", {"1"}),
        ("(a + b)^3", {"3"}),
    ],
)
def test_numbers_in_statement(line: str, found: set[str]) -> None:
    assert numbers_in_statement(line) == found


# ---------------------------------------------------------------- the file


def test_the_file_is_fresh() -> None:
    data = json.loads(DATA.read_text(encoding="utf-8"))
    assert written(refreshed(data, sources_folder())) == DATA.read_text(encoding="utf-8"), "run python -m lnsym.coverage"


def test_refresh_keeps_the_assignment() -> None:
    data = json.loads(DATA.read_text(encoding="utf-8"))
    stale = json.loads(DATA.read_text(encoding="utf-8"))
    for row in stale["rows"]:
        for entry in row["settled"]:
            if "states" in entry:
                entry["states"] = "0 = 1"
    assert refreshed(stale, None) == data
    stale["rows"][1]["settled"][0].update(claim=99)
    stale["sentences"] = {}
    kept = refreshed(stale, None)
    assert kept["rows"][1]["settled"][0]["claim"] == 99
    assert kept["sentences"] == {}


def test_main_rewrites_the_file_and_names_problems(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "coverage.json"
    data = json.loads(DATA.read_text(encoding="utf-8"))
    first = data["rows"][1]["settled"][0]
    first["states"] = "stale"
    copy.write_text(json.dumps(data), encoding="utf-8")
    monkeypatch.setattr(coverage, "_file", lambda: copy)
    assert coverage.main() == 0
    assert copy.read_text(encoding="utf-8") == DATA.read_text(encoding="utf-8")
    assert f"{sum(map(len, committed_hashes().values()))} sentences in {len(TABLE)} rows" in capsys.readouterr().out
    first["theorem"] = "core_eqq"
    copy.write_text(json.dumps(data), encoding="utf-8")
    assert coverage.main() == 1
    assert "no theorem 'core_eqq'" in capsys.readouterr().out


@pytest.mark.parametrize(
    "entry",
    [
        {"says": "x"},
        {"theorem": "core_eq", "claim": 1},
        {"says": "x", "theorem": "core_eq"},
        {"says": "x", "record": "adam_paper", "claim": 1},
        {"says": "x", "record": "adam_paper", "figure": "response"},
        {"says": "x", "none": "reason", "because": "y"},
    ],
)
def test_a_part_without_sense_is_refused(entry: dict[str, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = tmp_path / "coverage.json"
    row = {"sources": ["000 ¶1"], "sentence": "A.", "settled": [entry]}
    copy.write_text(json.dumps({"sentences": {}, "rows": [row]}), encoding="utf-8")
    monkeypatch.setattr(coverage, "_file", lambda: copy)
    with pytest.raises(DerivationError, match="a part says something and has a theorem with claim"):
        rows()


def test_a_claim_without_relation_is_refused() -> None:
    derivation = book().derivations["mean_core_eq_zero"][1]
    claim = claims_of(derivation)[0]
    assert isinstance(claim, Claim)
    with pytest.raises(DerivationError, match="no relation"):
        statement(replace(derivation, claims=(replace(claim, relation=None),)), 1)
