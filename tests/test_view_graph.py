"""The dependency map: every node and edge, premises above conclusions, nothing overlaps, a list in words, errors that name the theorem."""

from __future__ import annotations

from itertools import combinations
from xml.etree import ElementTree as ET

import pytest

from lnsym.errors import LnsymError
from lnsym.view.graph import Node, ancestors, layout, listing, svg

DIAMOND = (
    Node("mean_zero", "The core has mean zero", "1 Means", "proved"),
    Node("variance", "Variance of the core & more", "2 Variance", "proved", ("mean_zero",)),
    Node("bound", "A bound whose title is long enough that it needs a third line on the map", "2 Variance", "sympy", ("mean_zero",)),
    Node("half", "Half the variance", "2 Variance", "evaluated", ("variance", "bound")),
)
BOOK = tuple(
    Node(f"t{k}", f"Theorem number {k}", f"Chapter {k // 8}", "proved", tuple(f"t{p}" for p in sorted({k // 2, max(k - 3, 0)}) if p < k))
    for k in range(70)
)


def test_every_node_is_a_link_and_every_edge_is_drawn() -> None:
    root = ET.fromstring(svg(DIAMOND))
    links = list(root.iter("a"))
    assert [(link.get("data-node"), link.get("href")) for link in links] == [(node.name, f"#{node.name}") for node in DIAMOND]
    edges = {(path.get("data-from"), path.get("data-to")) for path in root.iter("path")}
    assert edges == {("mean_zero", "variance"), ("mean_zero", "bound"), ("variance", "half"), ("bound", "half")}
    assert [band.findtext("text") for band in root.iter("g")] == ["1 Means", "2 Variance"]


def test_titles_wrap_and_keep_the_whole_in_the_tooltip() -> None:
    root = ET.fromstring(svg(DIAMOND))
    long = next(link for link in root.iter("a") if link.get("data-node") == "bound")
    lines = [line.text or "" for line in long.iter("tspan")]
    assert len(lines) == 2
    assert lines[1].endswith("…")
    assert (long.findtext("title") or "").startswith(DIAMOND[2].title)
    signs = {link.find("text").text for link in root.iter("a")}  # type: ignore[union-attr]
    assert len(signs) == 3, "three statuses, three signs"


@pytest.mark.parametrize("nodes", [DIAMOND, BOOK], ids=["diamond", "book"])
def test_premises_stand_above_and_nodes_apart(nodes: tuple[Node, ...]) -> None:
    plan = layout(nodes)
    for node in nodes:
        for premise in node.uses:
            assert plan.places[premise].y < plan.places[node.name].y
    for a, b in combinations(plan.places.values(), 2):
        assert abs(a.x - b.x) >= 176 or abs(a.y - b.y) >= 40
    assert all(0 <= place.x <= plan.width - 176 and 0 <= place.y <= plan.height - 40 for place in plan.places.values())
    for node in nodes:
        band = next(band for band in plan.bands if band.title == node.chapter)
        assert band.y <= plan.places[node.name].y <= band.y + band.height - 40
    assert all(a.y + a.height < b.y for a, b in zip(plan.bands, plan.bands[1:], strict=False))


def test_the_drawing_is_equal_at_each_run_and_narrow_enough_to_read() -> None:
    assert svg(BOOK) == svg(BOOK)
    assert layout(BOOK).width <= 800


def test_ancestors_are_all_premises_and_theirs() -> None:
    assert ancestors(DIAMOND, "half") == {"mean_zero", "variance", "bound"}
    assert ancestors(DIAMOND, "mean_zero") == frozenset()


def test_the_list_names_each_premise() -> None:
    root = ET.fromstring(listing(DIAMOND))
    lines = ["".join(item.itertext()) for item in root]
    assert lines[0] == "The core has mean zero rests on the definitions alone."
    assert lines[3] == f"Half the variance rests on {DIAMOND[1].title}, {DIAMOND[2].title}."
    assert [link.get("href") for link in root[3].iter("a")] == ["#half", "#variance", "#bound"]


@pytest.mark.parametrize(
    ("nodes", "words"),
    [
        ((DIAMOND[0], DIAMOND[0]), "mean_zero twice"),
        ((DIAMOND[1],), "variance rests on mean_zero"),
        ((Node("a", "A", "1", "proved", ("b",)), Node("b", "B", "1", "proved", ("a",))), "a rests on itself"),
    ],
)
def test_a_map_that_cannot_be_drawn_names_the_theorem(nodes: tuple[Node, ...], words: str) -> None:
    with pytest.raises(LnsymError, match=words):
        layout(nodes)


def test_an_unknown_status_is_refused() -> None:
    with pytest.raises(LnsymError, match=r"expected a status among proved, .* got 'certain'"):
        svg((Node("a", "A", "1", "certain"),))
