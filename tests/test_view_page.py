"""The page: one file without a network, parts that say what they hold, contrast, and in a browser: search, map, slider, paper."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from lnsym.view import figures, graph, shell

VIEW = Path(shell.__file__).parent
NODES = (
    graph.Node("mean_zero", "The core has mean zero", "Means", "proved"),
    graph.Node("variance_core_eq", "Variance of the core", "Variance", "proved", ("mean_zero",)),
    graph.Node("elsewhere", "Something else", "Variance", "calculus"),
)


def badge(kind: str, text: str | None = None) -> dict[str, Any]:
    return {"kind": kind, "text": text}


STEP: dict[str, Any] = {
    "relation": "=",
    "latex": r"\frac{q}{s^2}",
    "why": "$q$ names the mean <of> squares.",
    "rule": "fold `q`",
    "rule_link": "mean_zero",
    "facts": [r"$\sum_i v_i^2=dq$"],
    "assumptions": [r"$\varepsilon>0$"],
    "shapes": "scalar",
    "copy_latex": r"\frac{q}{s^2}",
    "copy_sympy": 'q/s**2  # "quoted"',
}
THEOREM: dict[str, Any] = {
    "name": "variance_core_eq",
    "title": "Variance of the core",
    "sources": ["S06", "000 ¶2"],
    "badges": [badge("proved"), badge("evaluated", "evaluated exactly at 3 points")],
    "doc": "Not $1$.",
    "hypotheses": [r"$\varepsilon>0$"],
    "statements": [
        {"index": r"\frac1d\sum_i u_i^2=\rho", "matrix": "u=v", "label": None, "why": None,
         "badges": [], "copy_latex": "x", "copy_sympy": None}
    ],
    "chains": [{"title": None, "start": r"\operatorname{var}(u)", "steps": [STEP, STEP]}],
    "points": [{"at": "z=(1,2,3)", "value": r"\tfrac23", "badge": None}],
    "near_misses": [
        {
            "latex": r"\operatorname{var}(u)=1",
            "why": "Only in the limit.",
            "counterexample": {"at": "z=(0,2)", "left": r"\tfrac12", "relation": "=", "right": "1"},
            "badge": badge("refuted"),
        }
    ],
    "principles": ["the mean value inequality"],
    "uses": [{"name": "mean_zero", "title": "The core has mean zero"}],
    "used_by": [],
    "emitted": ["layer_norm: y"],
}
TEMPLATE = """{% import "macros.html.j2" as part %}
{{ part.hero(hero) }}
{{ part.assumptions(["$d\\\\ge1$"]) }}
<section aria-labelledby="map"><h2 id="map">Map</h2>{{ part.dependency_map(map, listing, ["proved", "calculus"]) }}</section>
{% call part.chapter({"name": "one", "number": "1", "title": "Variance", "lead": None}) %}{{ part.theorem(theorem) }}{% endcall %}
<section><h2 id="figures">Figures</h2>{% for table in tables %}{{ part.figure(table, draw(table), loop.index) }}{% endfor %}</section>
<section><h2 id="code">Code</h2></section>
<section><h2 id="coverage">Coverage</h2>{{ part.coverage(rows) }}</section>
<section><h2 id="glossary">Glossary</h2>{{ part.glossary(words, ["PyTorch", "ONNX"]) }}</section>
<h3 id="mean_zero">Mean zero</h3><h3 id="elsewhere">Elsewhere</h3>
"""


@pytest.fixture(scope="module")
def page() -> str:
    body = shell.environment().from_string(TEMPLATE).render(
        hero={
            "title": "Layer normalization",
            "lead": "Every claim.",
            "formulas": [{"latex": r"u=\frac{v}{\sqrt{q+\varepsilon}}", "words": "the core"}],
            "counts": [{"kind": "proved", "number": 61, "text": None}],
        },
        map=graph.svg(NODES),
        listing=graph.listing(NODES),
        theorem=THEOREM,
        tables=figures.figure_tables().values(),
        draw=figures.svg,
        rows=[{"source": "000 ¶1", "sentence": "A sentence.", "settled": THEOREM["uses"], "badges": [badge("proved")], "note": None}],
        words=[
            {"latex": r"\mu", "word": "mean", "meaning": None, "shape": "scalar", "units": "U", "names": {"PyTorch": "mean", "ONNX": None}},
        ],
    )  # fmt: skip
    links = [shell.Link("map", "Map"), shell.Link("one", "1 Variance")]
    return shell.page(title="Layer <norm>", description="A test", body=body, navigation=links, footer="<p>Made by lnsym.</p>")


class Reader(HTMLParser):
    """Reads tags and their attributes, and notices a tag that closes another."""

    VOID = frozenset({"meta", "input", "br", "link", "img", "hr"})

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def tags(page: str) -> list[tuple[str, dict[str, str | None]]]:
    reader = Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    return reader.tags


def outside(page: str) -> list[str]:
    """Everything in a page that would be fetched from elsewhere."""
    fetched = re.findall(r"""\b(?:src|href|srcset|action|poster|data)\s*=\s*["']?((?:https?:)?//[^"'\s>]*)""", page)
    return fetched + re.findall(r"""(?:url\(\s*["']?|@import\s+["']?)((?!data:)[^"')\s]+)""", page)


def test_the_page_fetches_nothing(page: str) -> None:
    assert outside(page) == []
    assert "default-src 'none'" in page
    assert page.count("data:font/woff2;base64,") == 1


@pytest.mark.parametrize(
    "text",
    ['<img src="https://a.b/c.png">', "<a href='//a.b'>x</a>", "@import 'x.css'", "background: url(x.png)", '<script src="http://a.b">'],
)
def test_something_fetched_is_noticed(text: str) -> None:
    assert outside(text)


def test_every_link_inside_the_page_leads_somewhere(tags: list[tuple[str, dict[str, str | None]]]) -> None:
    names = [attributes["id"] for _, attributes in tags if "id" in attributes]
    assert len(names) == len(set(names))
    links = {(attributes.get("href") or "") for tag, attributes in tags if tag == "a"}
    assert links
    assert {link for link in links if link[1:] not in names or not link.startswith("#")} == set()
    labels = " ".join(attributes.get(key) or "" for _, attributes in tags for key in ("aria-labelledby", "for")).split()
    assert set(labels) <= set(names)


def test_landmarks_and_names_for_readers_who_do_not_see(tags: list[tuple[str, dict[str, str | None]]]) -> None:
    kinds = [tag for tag, _ in tags]
    for landmark in ("header", "nav", "main", "footer", "h1"):
        assert landmark in kinds
    assert kinds.count("main") == kinds.count("h1") == 1
    assert tags[[tag for tag, _ in tags].index("a")][1]["class"] == "skip"
    assert all(attributes.get("type") == "button" for tag, attributes in tags if tag == "button")


def test_texts_are_escaped_and_copies_exact(page: str, tags: list[tuple[str, dict[str, str | None]]]) -> None:
    assert "<title>Layer &lt;norm&gt;</title>" in page
    assert "names the mean &lt;of&gt; squares." in page
    copies = [attributes["data-copy"] for tag, attributes in tags if tag == "button" and "data-copy" in attributes]
    assert copies.count(STEP["copy_sympy"]) == copies.count(STEP["copy_latex"]) == 2
    assert figures.figure_tables()["variance"].csv() in copies


def test_every_status_is_told_in_words_and_by_a_sign(page: str) -> None:
    plain = re.sub(r"<[^>]+>", "", page)
    for words in ("■ proved for every d", "● evaluated exactly at 3 points", "✕ refuted at a point", "Close, but false", "Leans on"):
        assert words in re.sub(r"\s+", " ", plain)


def test_two_pages_are_equal_to_the_byte(page: str) -> None:
    def twice() -> str:
        return shell.page(title="t", description="d", body=page[-500:].partition("<footer>")[0], navigation=[])

    assert twice() == twice()


def test_a_comma_stays_with_its_formula() -> None:
    assert re.fullmatch(
        r'At <span class="together"><math>.*</math>,</span> and <math>.*</math> then', str(shell.prose("At $x$, and $y$ then"))
    )


def test_prose_turns_dollars_and_backticks_only() -> None:
    made = str(shell.prose("a < b, $x<y$ and `c<d`, 5$ and ``"))
    assert made.startswith("a &lt; b, <math>")
    assert made.endswith(" and <code>c&lt;d</code>, 5$ and ``")


# --- contrast --------------------------------------------------------------------------------------------------------


def colours() -> dict[str, tuple[str, str]]:
    style = (VIEW / "style.css").read_text(encoding="utf-8")
    return {name: (light, dark) for name, light, dark in re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)", style)}


def luminance(colour: str) -> float:
    parts = (int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_the_ratio_of_the_standard() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_every_text_colour_meets_aa_on_both_grounds(scheme: int) -> None:
    table = colours()
    assert len(table) > 14
    for name in table.keys() - {"paper", "panel", "line"}:
        for ground in ("paper", "panel"):
            assert contrast(table[name][scheme], table[ground][scheme]) >= 4.5, f"{name} on {ground}"


# --- in a browser ----------------------------------------------------------------------------------------------------

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--virtual-time-budget=3000",
)  # fmt: skip


# The page sits in a frame, since a headless window is never narrower than 500 pixels; it posts what it found to the frame's owner.
OWNER = """<!DOCTYPE html><iframe src="page.html{query}" width="{width}" height="900"></iframe>
<script>addEventListener("message", (event) => {{ document.body.dataset.said = event.data; }});</script>"""


@pytest.fixture
def browse(page: str, tmp_path: Path) -> Callable[..., list[str]]:
    def run(script: str, query: str = "", width: int = 1200) -> list[str]:
        """What a script run on the loaded page puts into its list `said`."""
        report = (
            f"<script>addEventListener('load', () => {{ const said = []; {script}; parent.postMessage(said.join('|'), '*'); }});</script>"
        )
        (tmp_path / "page.html").write_text(page.replace("</body>", report + "</body>"), encoding="utf-8")
        (tmp_path / "owner.html").write_text(OWNER.format(query=query, width=width), encoding="utf-8")
        names = ("chromium", "chromium-browser", "google-chrome")
        browser = next(filter(None, map(shutil.which, names)))
        command = [browser, *FLAGS, f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", (tmp_path / "owner.html").as_uri()]
        done = subprocess.run(command, capture_output=True, text=True, timeout=90, check=True)
        shutil.rmtree(tmp_path / "profile", ignore_errors=True)
        found = re.search(r'data-said="([^"]*)"', done.stdout)
        assert found, done.stderr[-2000:]
        return unescape(found.group(1)).split("|")

    return run


@pytest.mark.chromium
def test_the_script_searches_highlights_and_slides(browse: Callable[..., list[str]]) -> None:
    said = browse(
        """
        const box = document.querySelector("#search");
        const type = (text) => { box.value = text; box.dispatchEvent(new Event("input")); };
        const options = {bubbles: true, cancelable: true};
        const key = (name, at = document.body) => at.dispatchEvent(new KeyboardEvent("keydown", {key: name, ...options}));
        type("variance squares");
        said.push(document.querySelector("#found").textContent, document.querySelector("#variance_core_eq").hidden,
          document.querySelector(".coverage tr[data-search]").hidden);
        type("no such words");
        said.push(document.querySelector("#nothing").hidden);
        key("Escape", box);
        said.push(box.value, document.querySelector("#nothing").hidden);
        key("/");
        said.push(document.activeElement.id);
        box.blur();
        const node = (name) => document.querySelector(`a.node[data-node=${name}]`);
        node("variance_core_eq").dispatchEvent(new MouseEvent("click", options));
        said.push(["mean_zero", "variance_core_eq", "elsewhere"].map((name) => node(name).classList.contains("kept")).join(),
          document.querySelector("#chosen").textContent);
        key("Escape");
        said.push(document.querySelectorAll(".kept").length);
        const slider = document.querySelector(".slider input");
        const live = document.querySelector("[data-live]");
        const before = live.getAttribute("d");
        slider.value = Math.log(4);
        slider.dispatchEvent(new Event("input"));
        said.push(live.getAttribute("d") !== before, document.querySelector(".slider output").textContent);
        document.querySelector("#open-all").click();
        said.push(document.querySelectorAll("details.step[open]").length);
        """
    )
    assert said[:3] == ["1 found", "false", "true"]
    assert said[3:6] == ["false", "", "true"]
    assert said[6] == "search"
    assert said[7] == "true,true,false"
    assert said[8].startswith("Variance of the core (proved for every d) rests on 1 theorem, highlighted.")
    assert said[9] == "0"
    assert said[10:12] == ["true", "ε = 4.00: slope at 0 is 0.500; q = ε at t = ±2.45"]
    assert said[12] == "2"


@pytest.mark.chromium
def test_the_reader_chooses_light_or_dark(browse: Callable[..., list[str]]) -> None:
    script = """
        const ground = () => getComputedStyle(document.body).backgroundColor;
        said.push(ground());
        document.querySelector("#theme").click();
        said.push(ground());
        """
    light, dark = (f"rgb({', '.join(str(int(colour[k : k + 2], 16)) for k in (1, 3, 5))})" for colour in colours()["paper"])
    assert browse(script, "?theme=dark") == [dark, light]


@pytest.mark.chromium
def test_the_embedded_font_is_the_one_in_use(browse: Callable[..., list[str]]) -> None:
    assert browse('for (const face of document.fonts) said.push(face.family.replaceAll(\'"\', ""), face.status)') == [
        "STIX Two Math subset",
        "loaded",
    ]


@pytest.mark.chromium
def test_nothing_sticks_out_of_a_narrow_screen(browse: Callable[..., list[str]]) -> None:
    assert browse("said.push(innerWidth, document.documentElement.scrollWidth)", width=360) == ["360", "360"]


@pytest.mark.chromium
def test_paper_shows_every_step(browse: Callable[..., list[str]]) -> None:
    said = browse(
        """
        dispatchEvent(new Event("beforeprint"));
        said.push(document.querySelectorAll("main details:not([open])").length);
        dispatchEvent(new Event("afterprint"));
        said.push(document.querySelectorAll("main details[open]").length);
        """
    )
    assert said == ["0", "0"]
