"""The whole report: complete, self-contained, equal at each run, and refused where the book says what is not so."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path
from types import MappingProxyType
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from lnsym.derivations.definitions import eps, u

from lnsym import library
from lnsym.commands import report as command
from lnsym.derivation import At, Calculus, Claim, Derivation, NearMiss
from lnsym.errors import DerivationError, MissingTool, StatementError
from lnsym.lang import Eq, mean, var
from lnsym.report import build as building
from lnsym.report.build import Built, build
from lnsym.report.choice import Choice, Findings
from lnsym.report.model import report
from lnsym.report.opinions import Answer, Opinions
from lnsym.report.records import Badge
from lnsym.view.shell import prose

pytestmark = pytest.mark.xdist_group("report")  # one worker: the whole report is made once

ROOT = Path(__file__).resolve().parents[1]
ONE = "variance_core_eq"
STEP = '<details class="step">'


@contextmanager
def silent(items: Iterable[Answer], length: int, label: str) -> Iterator[Iterator[Answer]]:
    yield iter(items)


@pytest.fixture(scope="session")
def built() -> Built:
    """The whole report; `make report` has just made it, so that the quick run leaves it to the long one."""
    if os.environ.get("FULL") != "1":
        pytest.skip("long: the whole report is made with FULL=1")
    return build(Choice(quick=True), ("html", "tex"), silent)


@pytest.fixture(scope="session")
def page(built: Built) -> str:
    return built.files["index.html"].decode()


@pytest.fixture(scope="session")
def latex(built: Built) -> str:
    return built.files["layer_norm.tex"].decode()


# ---------------------------------------------------------------- complete


def test_every_theorem_record_and_near_miss_is_on_the_page_and_in_the_latex(built: Built, page: str, latex: str) -> None:
    book = library.book()
    assert {card.name for card in built.report.cards} == set(book.derivations)
    for name in book.derivations:
        assert f'id="{name}"' in page
        assert f"\\label{{thm:{name}}}" in latex
    for name in book.records:
        assert f'id="{name}"' in page
        assert f"\\bibitem{{{name}}}" in latex
    misses = sum(len(derivation.near_misses) for _, derivation in book.derivations.values())
    assert misses > 60
    assert page.count('<aside class="near-miss"') == misses == latex.count("\\begin{remark}")


def test_every_step_opens_and_says_what_it_needs(built: Built, page: str) -> None:
    steps = sum(len(chain.steps) for card in built.report.cards for chain in card.chains)
    assert page.count(STEP) == steps > 150
    (card,) = (card for card in built.report.cards if card.name == ONE)
    first = card.chains[0].steps[0]
    assert first.rule_link == "mean_core_eq_zero"
    assert first.facts == ("a hypothesis or an earlier theorem",)
    last = card.chains[0].steps[-1]
    assert set(last.facts) == {r"$(\sqrt{x})^2=x$", r"$s = \sqrt{q + \varepsilon}$"}
    assert last.assumptions == (r"$0 < \varepsilon$",) or last.assumptions == (r"$\varepsilon > 0$",)
    assert last.shapes == "a number"
    assert (last.copy_sympy or "").startswith("from sympy import *\n")


def test_counts_are_those_of_the_book(built: Built) -> None:
    theorems = library.prove().values()
    counts = {count.kind: count.number for count in built.report.counts}
    misses = sum(len(theorem.derivation.near_misses) for theorem in theorems)
    assert counts["refuted"] == misses
    assert "sympy" not in counts
    assert counts["not-run"] == counts["proved"] + sum(
        isinstance(c.claim, Claim) and isinstance(c.claim.proof, Calculus) for theorem in theorems for c in theorem.claims
    )
    assert built.against == ()


def test_the_first_screen_has_formula_counts_and_assumptions(page: str) -> None:
    main = page.partition("<main")[2]
    first = main[: main.index('id="map"')]
    assert r"u=\frac{z-\mu\mathbf 1}{\sqrt{q+\varepsilon}}" in first
    assert "claims proved for every d" in first
    assert 'id="assumptions"' in first


def test_the_certificate_names_facts_and_counterexamples(built: Built) -> None:
    held = json.loads(built.files["certificate.json"])
    assert {theorem["name"] for theorem in held["theorems"]} == set(library.book().derivations)
    assert all(point is not None for points in held["counterexamples"].values() for point in points)
    assert '"needed"' in built.files["certificate.json"].decode()


# ---------------------------------------------------------------- one file, well formed


class Reader(HTMLParser):
    """Reads ids, links and whatever would be fetched; notices a tag that closes another."""

    VOID = frozenset({"meta", "input", "br", "link", "img", "hr"})

    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: set[str] = set()
        self.fetched: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)
        self.handle_startendtag(tag, attrs)

    def handle_startendtag(self, _: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            elif name == "href":
                self.links.add(value or "")
            elif name in ("src", "srcset", "action", "poster", "data") or (value or "").startswith(("http:", "https:", "//")):
                self.fetched.append(value or "")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_is_well_formed_and_fetches_nothing(page: str, built: Built) -> None:
    reader = Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    assert reader.fetched == []
    assert len(reader.ids) == len(set(reader.ids))
    assert {link for link in reader.links if link not in built.files and (not link.startswith("#") or link[1:] not in reader.ids)} == set()
    assert set(re.findall(r"""url\(\s*["']?(.{5})""", page)) == {"data:"}


def test_the_figures_are_files_of_their_own(built: Built, page: str) -> None:
    names = {name for name in built.files if name.startswith("figures/")}
    assert len(names) == 8
    for name in names:
        if name.endswith(".svg"):
            ET.fromstring(built.files[name])
            assert f'id="figure-{Path(name).stem}"' in page


def test_latex_asks_for_five_packages_and_defines_nothing(latex: str) -> None:
    packages = {one for line in re.findall(r"\\usepackage(?:\[[^]]*\])?\{([^}]*)\}", latex) for one in line.split(",")}
    assert packages == {"amsmath", "amsthm", "booktabs", "hyperref", "pgfplots"}
    assert "\\newcommand" not in latex
    assert "\\def" not in latex
    assert all(ord(character) < 128 or character.isalpha() for character in latex), "plain letters only: pdflatex has no other signs"


@pytest.mark.latex
def test_latex_compiles_without_a_warning(latex: str) -> None:
    from lnsym.report.pdf import compiled

    made, log = compiled(latex.encode())
    assert made.startswith(b"%PDF")
    assert [line for line in log.splitlines() if re.search(r"Warning|Overfull|Underfull|undefined", line)] == []


@pytest.mark.latex
def test_two_pdfs_are_equal_to_the_byte() -> None:
    from lnsym.report.pdf import pdf

    one = build(Choice((ONE,), quick=True), ("tex",), silent).files["layer_norm.tex"]
    assert pdf(one) == pdf(one)


# ---------------------------------------------------------------- equal at each run


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def written(folder: Path, seed: str, *options: str) -> dict[str, bytes]:
    folder.mkdir()
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-m", "lnsym", "report", "-o", "out", *options], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return tree(folder / "out")


def test_one_theorem_is_written_alike_under_two_hash_seeds_and_in_two_folders(tmp_path: Path) -> None:
    one = written(tmp_path / "a", "1", "--only", ONE, "--quick")
    assert one == written(tmp_path / "b", "2", "--only", ONE, "--quick")
    assert set(one) == {"index.html", "layer_norm.tex", "certificate.json"}


@pytest.mark.full
def test_the_whole_report_is_written_alike_under_two_hash_seeds(tmp_path: Path, built: Built) -> None:
    """By the command under one seed, and by a call in this process, whose seed is another one, or random."""
    other = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    assert written(tmp_path / "a", other, "--quick") == dict(sorted(built.files.items()))


def test_nothing_tells_the_machine_or_the_day(built: Built) -> None:
    for name, content in built.files.items():
        text = content.decode()
        assert str(ROOT) not in text, name
        assert str(Path.home()) + "/" not in text, name
        assert not re.search(r"\b20\d\d-\d\d-\d\d\b", text), name
        assert "\r" not in text, name


# ---------------------------------------------------------------- the command


def run(out: Path, **changes: object) -> int:
    options: dict[str, object] = {"only": (ONE,), "notation": "both", "formats": ("html", "tex"), "quick": True, "check": False}
    return command.run(out=out, **{**options, **changes})  # type: ignore[arg-type]


def test_check_names_file_and_line_of_one_changed_byte(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path) == 0
    assert "1 theorem (and 1 that it cites)" in capsys.readouterr().out
    assert run(tmp_path, check=True) == 0
    path = tmp_path / "layer_norm.tex"
    text = path.read_bytes()
    line = text[: text.index(b"\\begin{theorem}")].count(b"\n") + 1
    path.write_bytes(text.replace(b"\\begin{theorem}", b"\\begin{Theorem}", 1))
    capsys.readouterr()
    assert run(tmp_path, check=True) == 1
    said = capsys.readouterr().out
    assert f"layer_norm.tex, line {line} differs" in said
    assert "expected: \\begin{theorem}" in said
    assert "got:      \\begin{Theorem}" in said
    assert b"Theorem" in path.read_bytes(), "--check writes nothing"


def test_only_writes_the_theorem_and_what_it_cites(tmp_path: Path) -> None:
    run(tmp_path)
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert re.findall(r'<article class="theorem" id="(\w+)"', page) == ["mean_core_eq_zero", ONE]
    assert f"lnsym report --only {ONE} --quick" in page


def test_the_notation_asked_for() -> None:
    def shown(notation: str) -> tuple[str | None, str | None]:
        made = build(Choice(("core_eq",), notation, quick=True), ("html",), silent).report
        (card,) = (card for card in made.cards if card.name == "core_eq")
        return card.statements[0].index, card.statements[0].matrix

    index, matrix = shown("both")
    assert index != matrix
    assert index is not None
    assert "_i" in index
    assert shown("index") == (index, None)
    assert shown("matrix") == (None, matrix)


def test_where_d_is_fixed_the_badge_says_so() -> None:
    def texts(name: str) -> set[str | None]:
        (card,) = (card for card in build(Choice((name,), quick=True), (), silent).report.cards if card.name == name)
        return {badge.text for statement in card.statements for badge in statement.badges if badge.kind == "proved"}

    assert texts("core_family_eq") == {"proved at d = 3, which is given"}
    assert texts("variance_core_eq") == {None}


def test_an_unknown_name_is_refused_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(StatementError, match="did you mean variance_core_eq"):
        run(tmp_path, only=("variance_cor_eq",))
    assert StatementError("").exit_code == 2
    assert list(tmp_path.iterdir()) == []


def test_without_latexmk_everything_else_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    assert run(tmp_path, formats=("html", "tex", "pdf")) == MissingTool("").exit_code == 4
    assert "apt install latexmk" in capsys.readouterr().err
    assert {path.name for path in tmp_path.iterdir()} == {"index.html", "layer_norm.tex", "certificate.json"}


# ---------------------------------------------------------------- refused where the book is wrong


def tampered(monkeypatch: pytest.MonkeyPatch, name: str, **changes: Any) -> None:
    """A book in which one theorem is changed."""
    found = library.book()
    chapter, derivation = found.derivations[name]
    changed = replace(derivation, **changes)
    book = replace(found, derivations=MappingProxyType({**found.derivations, name: (chapter, changed)}))
    monkeypatch.setattr(library, "book", lambda: book)
    monkeypatch.setattr(library, "_PROVED", {})


def original(name: str) -> Derivation:
    return library.book().derivations[name][1]


def test_a_false_claim_stops_the_report(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (first, *_) = original(ONE).claims
    assert isinstance(first, Claim)
    tampered(monkeypatch, ONE, claims=(replace(first, relation=Eq(var(u), 1)),))
    with pytest.raises(DerivationError, match=f"^{ONE}, claim 1: "):
        run(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_wrong_value_at_a_point_stops_the_report(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (point, *_) = original(ONE).points
    tampered(monkeypatch, ONE, points=(replace(point, value=eps),))
    with pytest.raises(DerivationError, match=f"^{ONE}: at d = 3, .* the left side is 2/3, not the value stated"):
        run(tmp_path)


def test_a_point_at_which_a_hypothesis_fails_stops_the_report(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    outside = At({"z": (Fraction(1), Fraction(2)), "eps": Fraction(-1, 8)})
    tampered(monkeypatch, ONE, points=(*original(ONE).points, outside))
    with pytest.raises(DerivationError, match=f"^{ONE}: at no claim the hypotheses hold at the point"):
        run(tmp_path)


def test_an_unknown_fact_of_calculus_stops_the_report(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    tampered(monkeypatch, ONE, claims=(*original(ONE).claims, Claim(None, Calculus("no_such_fact", "why"))))
    with pytest.raises(DerivationError, match=f"^{ONE}: no fact of scalar calculus is named 'no_such_fact'"):
        run(tmp_path)


def test_a_true_near_miss_gives_exit_code_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tampered(monkeypatch, ONE, near_misses=(NearMiss(Eq(mean(u), 0), why="True, in fact."),))
    assert run(tmp_path) == 1
    assert f"{ONE}, near miss 1: no counterexample was found" in capsys.readouterr().err
    assert "no counterexample found" in (tmp_path / "index.html").read_text(encoding="utf-8")


# ---------------------------------------------------------------- opinions


def test_a_disagreement_gives_exit_code_one_and_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = f"{ONE}, claim 1: SymPy disagrees: d = 2"
    badges = {(ONE, 1): (Badge("refuted", "SymPy disagrees"),)}
    monkeypatch.setattr(building, "gather", lambda *_: Opinions(badges, (said,)))
    assert run(tmp_path, quick=False) == 1
    assert said in capsys.readouterr().err
    assert "SymPy disagrees" in (tmp_path / "index.html").read_text(encoding="utf-8")


def test_opinions_are_asked_in_processes_and_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, quick=False, only=("mean_core_eq_zero",)) == 0
    assert "not run" not in capsys.readouterr().out
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "proved at d = 1, 2, 3, 4 by SymPy" in page
    assert "checked by mpmath at 60 digits" in page


def test_statuses_follow_what_was_found() -> None:
    theorems = library.prove([ONE])
    misses = {name: [None] * len(theorem.derivation.near_misses) for name, theorem in theorems.items()}
    opinions = {(ONE, 1): (Badge("sympy", "proved at d = 2 by SymPy"),)}
    made = report(theorems, library.book(), Choice((ONE,)), Findings(misses, opinions))
    (card,) = (card for card in made.cards if card.name == ONE)
    assert [badge.kind for badge in card.statements[0].badges] == ["proved", "sympy"]
    assert [badge.kind for badge in card.statements[1].badges] == ["proved"]
    assert {miss.badge.kind for miss in card.near_misses} == {"undecided"}


def test_a_step_shows_a_smallest_set_of_facts() -> None:
    theorem = library.prove(["mean_core_eq_zero"])["mean_core_eq_zero"]
    first, second = theorem.claims[0].steps
    assert first.needed == frozenset({"unfold:u"})
    assert "centred" in second.needed
    assert second.needed <= second.facts


# ---------------------------------------------------------------- in a browser


@pytest.mark.chromium
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_page_opens_without_a_complaint(page: str, tmp_path: Path, theme: str) -> None:
    listen = (
        "<script>var said = []; for (const kind of ['error', 'securitypolicyviolation', 'unhandledrejection'])"
        " addEventListener(kind, (event) => said.push(kind + ' ' + (event.message || event.violatedDirective || event.reason)), true);"
        " console.error = console.warn = (...words) => said.push(words.join(' '));"
        " addEventListener('load', () => { document.querySelector('#open-all').click();"
        " said.push('steps ' + document.querySelectorAll('details.step[open]').length);"
        " document.body.dataset.said = said.join('|'); });</script>"
    )
    (tmp_path / "page.html").write_text(page.replace("<style>", listen + "<style>", 1), encoding="utf-8")
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    flags = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        "--disable-background-networking",
        "--virtual-time-budget=3000",
    ]
    address = (tmp_path / "page.html").as_uri() + f"?theme={theme}"
    command_line = [browser, *flags, f"--user-data-dir={tmp_path / 'profile'}", "--virtual-time-budget=3000", "--dump-dom", address]
    done = subprocess.run(command_line, capture_output=True, text=True, timeout=120, check=True)
    shutil.rmtree(tmp_path / "profile", ignore_errors=True)
    found = re.search(r'data-said="([^"]*)"', done.stdout)
    assert found
    assert found[1] == f"steps {page.count(STEP)}"


def test_titles_are_prose_on_the_page(page: str, built: Built) -> None:
    (card,) = (card for card in built.report.cards if card.name == ONE)
    assert r"$q/(q + \varepsilon)$" in card.title
    assert str(prose(card.title)) in page
