"""The page of an audit: order and completeness of what it says, the marked formula, figures with their numbers, and in a browser."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from html import escape, unescape
from pathlib import Path

import numpy as np
import pytest

from lnsym.audit.asked import Options
from lnsym.audit.call import Array, Call
from lnsym.audit.check import checks
from lnsym.audit.curves import measure
from lnsym.audit.fault import faults
from lnsym.audit.formula import MARK, marked, unmarked
from lnsym.audit.offers import session_of
from lnsym.audit.page import page
from lnsym.audit.plot import svg
from lnsym.audit.result import CheckResult, Result
from lnsym.audit.run import run
from lnsym.audit.session import Here, Session
from lnsym.audit.subject import About
from lnsym.audit.tiers import emitted
from lnsym.view.figures import Table
from tests.test_view_page import FLAGS, OWNER, Reader, colours, contrast, outside

CHECKS = ("V01", "V02", "V06", "M01")
COMMAND = "lnsym audit mynorm.py:layer_norm --only V01"


class Subject:
    """A layer norm in NumPy that divides by what `divisor` makes of variance and eps."""

    def __init__(self, divisor: Callable[[Array, float], Array], name: str = "mynorm.py:layer_norm") -> None:
        self.about = About(name, "numpy", frozenset({"weight", "bias", "eps"}))
        self.divisor = divisor

    def forward(self, call: Call) -> Array:
        v = call.x - call.x.mean(-1, keepdims=True)
        u = v / self.divisor((v * v).mean(-1, keepdims=True), call.eps)
        y: Array = u if call.weight is None else u * call.weight
        return (y if call.bias is None else y + call.bias).astype(call.x.dtype)

    gradient = jvp = double = None


def right(q: Array, eps: float) -> Array:
    root: Array = np.sqrt(q + eps)
    return root


def wrong(q: Array, eps: float) -> Array:
    root: Array = np.sqrt(q) + eps
    return root


def audited(divisor: Callable[[Array, float], Array], **options: object) -> tuple[Result, tuple[Table, Table]]:
    runner = Here(Subject(divisor))  # type: ignore[arg-type] # these checks take no derivatives
    asked = Options(formats=("float64",), only=CHECKS, command=COMMAND, **options)  # type: ignore[arg-type]
    result = run(runner, asked)
    return result, measure(session_of(runner, asked, result.formats))


@pytest.fixture(scope="module")
def failed() -> tuple[Result, tuple[Table, Table]]:
    return audited(wrong)


@pytest.fixture(scope="module")
def held() -> tuple[Result, tuple[Table, Table]]:
    return audited(right)


def plain(text: str) -> str:
    """The words of a page's body, without its TeX annotations."""
    body = text.partition("<main")[2].partition("</main>")[0]
    body = re.sub(r"<style>.*?</style>|<annotation.*?</annotation>", " ", body, flags=re.DOTALL)
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", body)))


# ---------------------------------------------------------------- what it says


def test_a_failure_is_told_from_verdict_to_facts_in_this_order(failed: tuple[Result, tuple[Table, Table]]) -> None:
    said = plain(page(*failed))
    order = [
        "mynorm.py:layer_norm ✕ Failed",
        "LN101 : eps is added to the standard deviation, not to the variance.",
        "The smallest input found",
        "(worst)",
        f"{COMMAND} --case V01.",
        "Yours computes",
        "Right is",
        "The wrong part is coloured and underlined.",
        "Why it slips through",
        "Repair",
        "tracel-ai/burn#2185",
        "lnsym explain LN101",
        "Error against mean over spread",
        "Error against scale",
        "Every check",
        "V01 The output of plain rows",
        "To repeat it",
        "seed 0",
    ]
    places = [said.find(text) for text in order]
    assert -1 not in places, order[places.index(-1)]
    assert places == sorted(places)


def test_the_witness_has_yours_exact_and_input(failed: tuple[Result, tuple[Table, Table]]) -> None:
    result, _ = failed
    assert result.main is not None
    evidence = result.main.evidence
    assert evidence is not None
    assert evidence.yours is not None
    assert evidence.exact is not None
    first = page(result).partition('id="witness"')[2].partition('id="mistake"')[0]
    rows = re.findall(r"<tr(?: class=\"worst\")?><th scope=\"row\">(y\[.*?\])</th>(.*?)</tr>", first)
    shown = {place: re.findall(r"<td>(.*?)</td>", cells) for place, cells in rows}
    for place in np.ndindex(evidence.yours.shape):
        cells = shown[f"y[{', '.join(map(str, place))}]"]
        assert cells[:3] == [f"{float(array[place]):.9g}" for array in (evidence.case.call.x, evidence.yours, evidence.exact)]
    assert page(result).count('<tr class="worst">') == len([one for one in result.failed if one.evidence])


def test_a_pass_says_so_and_names_no_mistake(held: tuple[Result, tuple[Table, Table]]) -> None:
    said = plain(page(*held))
    assert f"■ Held It does what a layer norm does in {len(CHECKS)} checks." in said
    assert "Yours computes" not in said
    assert "The smallest input found" not in said


def test_counts_are_complete_and_every_check_has_its_reason(failed: tuple[Result, tuple[Table, Table]]) -> None:
    result, _ = failed
    text = page(result)
    assert sum(result.counts.values()) == len(checks()) == text.count(' id="check-')
    for status, number in result.counts.items():
        assert len(re.findall(rf'<tr class="{status}" id="check-', text)) == number
        assert f'<strong>{number}</strong> <span><span class="sign" aria-hidden="true">' in text
    rows = dict(re.findall(r'id="check-(\w+)".*?<td>(?:(?!</tr>).)*?</td>\s*<td>(.*?)</td></tr>', text, flags=re.DOTALL))
    assert rows.keys() == checks().keys()
    for one in result.checks:
        assert escape(one.reason, quote=False) in unescape(rows[one.check.code]) or one.reason in unescape(rows[one.check.code])


def test_nothing_run_is_undecided_with_the_reasons() -> None:
    nothing = Result(
        About("mynorm.py:f", "numpy", frozenset()), (CheckResult(checks()["V01"], "not_run", "it takes one width only"),), (), 0,
        ("float64",), 1e-5, False, 0.0,
    )  # fmt: skip
    assert "? Undecided Nothing could be checked. It takes one width only." in plain(page(nothing))


def test_a_failure_that_no_mistake_explains_says_so(failed: tuple[Result, tuple[Table, Table]]) -> None:
    result, _ = failed
    assert "No mistake of the catalogue explains what was seen." in plain(page(replace(result, diagnosis=())))
    near = replace(result.diagnosis[0], explains=5, of=9)
    assert "nearest: LN101 eps is added" in plain(page(replace(result, diagnosis=(near,))))
    assert "Yours computes" not in plain(page(replace(result, diagnosis=(near,))))


def test_an_expected_failure_is_marked_and_does_not_fail() -> None:
    result, _ = audited(wrong, expect_fail=dict.fromkeys(CHECKS, "eps outside, by design"))
    said = plain(page(result))
    assert "■ Held" in said
    assert "◇ failed as expected eps outside, by design; " in said


def test_a_component_that_is_not_a_number_is_named(failed: tuple[Result, tuple[Table, Table]]) -> None:
    result, _ = failed
    assert result.main is not None
    evidence = result.main.evidence
    assert evidence is not None
    assert evidence.yours is not None
    lost = replace(evidence, yours=np.full_like(evidence.yours, np.nan))
    shown = replace(result, checks=(replace(result.main, evidence=lost), *result.checks[1:]))
    said = plain(page(shown))
    assert "nan" in said
    assert "Yours is not a number." in said


def test_names_are_escaped(held: tuple[Result, tuple[Table, Table]]) -> None:
    result, _ = held
    text = page(replace(result, about=replace(result.about, name="<script>alert(1)</script>.py:f")))
    assert "<script>alert" not in text


# ---------------------------------------------------------------- the formula


@pytest.mark.parametrize("fault", faults().values(), ids=list(faults()))
def test_every_formula_of_the_catalogue_can_be_drawn(fault: object) -> None:
    from lnsym.audit.fault import Fault

    assert isinstance(fault, Fault)
    element = marked(fault.computes)
    assert element.count('class="wrong"') == fault.computes.count(MARK) > 0
    assert "FF0000" not in element
    assert "<math" in marked(fault.instead_of)
    assert MARK not in unmarked(fault.computes)
    assert unmarked(fault.computes).count("{") == unmarked(fault.computes).count("}")


def test_the_mark_is_a_line_as_well_as_a_colour() -> None:
    element = marked(r"u = \frac{v}{\wrong{\sqrt{q} + \varepsilon}}")
    assert '<mrow class="wrong"><msqrt><mi>q</mi></msqrt><mo>+</mo><mi>ε</mi></mrow>' in element
    assert r"\underline{\sqrt{q} + \varepsilon}" in element
    style = (Path(page.__code__.co_filename).parent / "templates" / "audit.css").read_text(encoding="utf-8")
    assert re.search(r"math \.wrong \{[^}]*color:[^}]*border-bottom:", style)


def test_marks_are_taken_out_with_their_braces_only() -> None:
    assert unmarked(r"\wrong{\frac{a}{b}} + \sqrt{\wrong{c}}") == r"\frac{a}{b} + \sqrt{c}"


# ---------------------------------------------------------------- the figures


def test_the_curves_tell_right_from_wrong(failed: tuple[Result, tuple[Table, Table]], held: tuple[Result, tuple[Table, Table]]) -> None:
    for table in held[1]:
        assert [column.text for column in table.columns] == ["yours", "exact tier", "safe tier", "plain tier", "allowed"]
        assert all(float(row[2]) <= 0.5 for row in table.rows)
        assert all(float(row[3]) < 16 for row in table.rows)
    spread, scale = held[1]
    assert all(float(row[1]) <= float(row[5]) for row in spread.rows)
    assert float(spread.rows[-1][4]) > 1e6 > float(spread.rows[0][4])  # two passes lose what the mean costs
    assert any(float(row[4]) > 1e15 for row in scale.rows)  # squares that overflow
    assert float(failed[1][0].rows[0][1]) > float(failed[1][0].rows[0][5])


def test_the_same_seed_gives_the_same_curves(held: tuple[Result, tuple[Table, Table]]) -> None:
    assert audited(right)[1] == held[1]


@pytest.mark.parametrize("fmt", ["float32", "float16", "bfloat16"])
def test_the_curves_are_measured_in_every_format(fmt: str) -> None:
    def safe(call: Call) -> Array:
        y: Array = emitted("safe")(call.x, call.weight, call.bias, eps=call.eps)
        return y

    subject = Subject(right)
    subject.forward = safe  # type: ignore[method-assign]
    spread, scale = measure(Session(Here(subject), formats=(fmt,)))  # type: ignore[arg-type]
    for table in (spread, scale):
        assert all(row[1] == row[3] and float(row[2]) <= 0.5 for row in table.rows)
        assert table.x.low == table.rows[0][0]
        assert table.x.high == table.rows[-1][0]


def lost(call: Call) -> Array:
    y = Subject(right).forward(call)
    return np.where(np.abs(call.x).max() > 1e120, np.nan, y)


def test_what_is_not_a_number_is_a_cross_above_the_frame() -> None:
    subject = Subject(right)
    subject.forward = lost  # type: ignore[method-assign]
    _, table = measure(Session(Here(subject)))  # type: ignore[arg-type]
    missing = [row[0] for row in table.rows if row[1] == "nan"]
    assert missing == ["1e+150", "1e+200", "1e+250", "1e+300"]
    drawn = svg(table)
    assert drawn.count('class="cross"') == len(missing)
    assert "NaN, ∞" in drawn
    assert "no finite answer at scale 1e+150, 1e+200, 1e+250, 1e+300" in table.description
    assert "NaN, ∞" not in svg(replace(table, rows=table.rows[:5]))


def test_each_curve_has_its_own_mark_and_its_numbers_on_the_page(held: tuple[Result, tuple[Table, Table]]) -> None:
    text = page(*held)
    for table in held[1]:
        drawn = svg(table)
        shapes = set(re.findall(r'class="point"[^>]* d="([^"]*)"', drawn))
        assert len(shapes) == len(table.columns) - 1
        assert drawn.count('class="point"') == (len(table.rows) + 1) * len(shapes)
        assert escape(table.description) in drawn
        for row in table.rows:
            cells = "".join(f"<td>{cell}</td>" for cell in row[1:])
            assert f'<tr><th scope="row">{row[0]}</th>{cells}</tr>' in text


# ---------------------------------------------------------------- the file


def test_the_page_fetches_nothing_and_every_link_leads_somewhere(failed: tuple[Result, tuple[Table, Table]]) -> None:
    text = page(*failed)
    assert outside(text) == re.findall(r'href="(https://github.com/[\w./-]+/issues/\d+)"', text)
    assert "default-src 'none'" in text
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == []
    names = [attributes["id"] for _, attributes in reader.tags if "id" in attributes]
    assert len(names) == len(set(names))
    links = {attributes.get("href") or "" for tag, attributes in reader.tags if tag == "a"}
    assert {link for link in links if link.startswith("#") and link[1:] not in names} == set()
    assert "lnsym audit" in text[:4000]  # by which the command knows its own files


def test_the_page_is_equal_to_the_byte(failed: tuple[Result, tuple[Table, Table]]) -> None:
    assert page(*failed) == page(*failed)


def test_highlighted_text_meets_aa() -> None:
    table = colours()
    for scheme in (0, 1):
        assert contrast(table["refuted"][scheme], table["panel"][scheme]) >= 4.5


@pytest.fixture
def browse(failed: tuple[Result, tuple[Table, Table]], tmp_path: Path) -> Callable[..., list[str]]:
    def look(script: str, width: int = 1200) -> list[str]:
        """What a script puts into its list `said`, run on the page of the failure."""
        report = f"<script>addEventListener('load',()=>{{const said=[];{script};parent.postMessage(said.join('|'),'*');}});</script>"
        (tmp_path / "page.html").write_text(page(*failed).replace("</body>", report + "</body>"), encoding="utf-8")
        (tmp_path / "owner.html").write_text(OWNER.format(query="", width=width), encoding="utf-8")
        browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
        command = [browser, *FLAGS, f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", (tmp_path / "owner.html").as_uri()]
        done = subprocess.run(command, capture_output=True, text=True, timeout=90, check=True)
        shutil.rmtree(tmp_path / "profile", ignore_errors=True)
        found = re.search(r'data-said="([^"]*)"', done.stdout)
        assert found, done.stderr[-2000:]
        return unescape(found.group(1)).split("|")

    return look


@pytest.mark.chromium
def test_nothing_sticks_out_of_a_narrow_screen(browse: Callable[..., list[str]]) -> None:
    script = """document.querySelectorAll("main details").forEach((part) => { part.open = true; });
        said.push(innerWidth, document.documentElement.scrollWidth)"""
    assert browse(script, width=360) == ["360", "360"]


@pytest.mark.chromium
def test_checks_are_filtered_by_style_alone(failed: tuple[Result, tuple[Table, Table]], browse: Callable[..., list[str]]) -> None:
    script = """const seen = () => [...document.querySelectorAll(".every > tbody > tr")].filter((row) => row.offsetHeight > 0).length;
        for (const name of ["all", "failed", "held", "not_run"]) {
          document.querySelector(`#show-${name}`).checked = true;
          said.push(seen());
        }"""
    counts = failed[0].counts
    assert browse(script) == [str(n) for n in (sum(counts.values()), counts["failed"], counts["held"], counts["not_run"])]


@pytest.mark.chromium
def test_the_wrong_part_is_underlined_in_the_browser(browse: Callable[..., list[str]]) -> None:
    script = """const part = document.querySelector("math .wrong"), style = getComputedStyle(part);
        const ink = getComputedStyle(document.body).color;
        said.push(part.getBoundingClientRect().width > 20, style.borderBottomStyle, style.color === ink)"""
    assert browse(script) == ["true", "solid", "false"]
