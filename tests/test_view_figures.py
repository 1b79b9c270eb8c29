"""The figures: exact numbers, one table behind both drawings, well-formed and equal at each run."""

from __future__ import annotations

import re
import subprocess
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from lnsym.view.figures import Table, figure_tables, orthogonal, pgfplots, radial, response, svg
from lnsym.view.mathml import mathml

TABLES = figure_tables()
CLOSE = Decimal("1e-24")
each = pytest.mark.parametrize("table", TABLES.values(), ids=TABLES.keys())
EPS = [Decimal(1) / 10, Decimal(1) / 3, Decimal(1), Decimal(4)]


@pytest.mark.parametrize("eps", EPS)
@pytest.mark.parametrize("sign", [-1, 1])
def test_the_response_is_half_the_root_of_three_where_q_is_eps(eps: Decimal, sign: int) -> None:
    t = sign * (3 * eps / 2).sqrt()
    assert abs(response(eps, t) - sign * Decimal(3).sqrt() / 2) < CLOSE


@pytest.mark.parametrize("eps", EPS)
def test_the_response_stays_inside_its_dashed_lines_and_is_odd(eps: Decimal) -> None:
    top = Decimal("1.5").sqrt()
    for t in map(Decimal, ("0.01", "1", "4", "1000")):
        assert 0 < response(eps, t) < top
        assert response(eps, -t) == -response(eps, t)
        gap = Decimal("1.5") - response(eps, t) ** 2
        assert abs(gap - Decimal("1.5") * eps / (2 * t * t / 3 + eps)) < CLOSE


@pytest.mark.parametrize("eps", EPS)
def test_the_slope_of_the_response_is_the_radial_eigenvalue(eps: Decimal) -> None:
    t, step = Decimal("0.8"), Decimal("1e-7")
    slope = (response(eps, t + step) - response(eps, t - step)) / (2 * step)
    assert abs(slope - radial(eps, 2 * t * t / 3)) < Decimal("1e-10")


@pytest.mark.parametrize("eps", EPS)
def test_the_eigenvalues_meet_at_zero_variance_and_part_after(eps: Decimal) -> None:
    assert abs(radial(eps, Decimal(0)) - 1 / eps.sqrt()) < CLOSE
    assert abs(orthogonal(eps, Decimal(0)) - 1 / eps.sqrt()) < CLOSE
    assert abs(radial(eps, Decimal(2)) / orthogonal(eps, Decimal(2)) - eps / (2 + eps)) < CLOSE


def row(table: Table, x: str) -> tuple[str, ...]:
    (found,) = (row[1:] for row in table.rows if row[0] == x)
    return found


def test_tables_hold_the_exact_values_at_known_points() -> None:
    assert row(TABLES["response"], "0") == ("0", "0", "0", "0")
    assert row(TABLES["response"], "1")[1] == "1", "z = (-1, 0, 1) at eps = 1/3 has the core (-1, 0, 1)"
    assert row(TABLES["response"], "-1")[1] == "-1"
    assert row(TABLES["variance"], "1") == ("0.5",)
    assert row(TABLES["variance"], "1000") == ("0.999001",)
    assert row(TABLES["eigenvalues"], "0") == ("1.732051", "1.732051", "0")
    assert row(TABLES["eigenvalues"], "1") == ("0.866025", "0.216506", "0"), "s = 2/sqrt 3: sqrt(3)/2 and sqrt(3)/8"
    assert row(TABLES["amplification"], "1")[2] == "0.707107"
    assert row(TABLES["amplification"], "0.01")[1] == "7.071068"


def test_the_curves_are_those_that_the_figure_names() -> None:
    table = TABLES["response"]
    assert [column.text for column in table.columns] == ["ε = 1/10", "ε = 1/3", "ε = 1", "ε = 4"]
    assert (table.x.low, table.x.high) == ("-4", "4") == (table.rows[0][0], table.rows[-1][0])
    assert [guide.height for guide in table.guides] == ["1.224745", "-1.224745"]
    assert abs(Fraction(table.guides[0].height) ** 2 - Fraction(3, 2)) < Fraction(1, 10**5)
    assert all(Decimal(a) < Decimal(b) for a, b in pairwise(row[0] for row in table.rows))


@each
def test_a_table_is_sound(table: Table) -> None:
    assert all(len(row) == 1 + len(table.columns) for row in table.rows)
    assert all(re.fullmatch(r"-?\d+(\.\d*[1-9])?", cell) and cell != "-0" for row in table.rows for cell in row)
    for row in table.rows:
        assert Decimal(table.x.low) <= Decimal(row[0]) <= Decimal(table.x.high)
        assert all(Decimal(table.y.low) <= Decimal(cell) <= Decimal(table.y.high) for cell in row[1:])
    assert len({column.dash for column in table.columns}) == len(table.columns), "colour is never the only mark"
    for piece in re.findall(r"\$([^$]+)\$", table.caption):
        mathml(piece)
    for latex in (table.x.latex, table.y.latex, *(column.latex for column in table.columns), *(mark.latex for mark in table.marks)):
        mathml(latex)


@each
def test_the_svg_is_well_formed_named_and_holds_every_point(table: Table) -> None:
    root = ET.fromstring(svg(table))
    assert (root.findtext("title"), root.findtext("desc")) == (table.title, table.description)
    assert root.get("aria-labelledby") == f"figure-{table.name}-title figure-{table.name}-desc"
    texts = [text.text for text in root.iter("text")]
    for column in table.columns:
        assert column.text in texts, "each curve is labelled where it runs"
    curves = [path.get("d", "") for path in root.iter("path") if re.fullmatch(r"curve c\d", path.get("class", ""))]
    assert [curve.count("L") + 1 for curve in curves] == [len(table.rows)] * len(table.columns)


def test_a_point_of_the_svg_stands_where_the_number_says() -> None:
    root = ET.fromstring(svg(TABLES["variance"]))
    (mark,) = (group for group in root.iter("g") if group.get("class") == "mark")
    middle = (64 + 560) / 2
    height = 344 + (20 - 344) * Decimal("0.5") / Decimal("1.2")
    assert mark.get("transform") == f"translate({middle:.2f} {height:.2f})"


def test_labels_do_not_overlap() -> None:
    root = ET.fromstring(svg(TABLES["response"]))
    heights = sorted(Decimal(text.get("y", "")) for text in root.iter("text") if (text.get("class") or "").startswith("label"))
    assert len(heights) == 4
    assert all(b - a >= 15 for a, b in pairwise(heights))


@each
def test_a_file_of_its_own_carries_its_style(table: Table) -> None:
    root = ET.fromstring(svg(table, standalone=True))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert ".plot .curve" in (root.findtext("{http://www.w3.org/2000/svg}style") or "")


@each
def test_pgfplots_holds_the_numbers_of_the_table(table: Table) -> None:
    text = pgfplots(table)
    plots = re.findall(r"\\addplot\[thick.*?coordinates \{(.*?)\};", text)
    assert len(plots) == len(table.columns)
    for number, plot in enumerate(plots, start=1):
        assert re.findall(r"\(([^,]+),([^)]+)\)", plot) == [(row[0], row[number]) for row in table.rows]
    for column in table.columns:
        assert rf"\addlegendentry{{${column.latex}$}}" in text
    assert text.count("{") == text.count("}")


@each
def test_the_csv_holds_the_numbers_of_the_table(table: Table) -> None:
    head, *lines = table.csv().splitlines()
    assert head.count(",") == len(table.columns)
    assert [tuple(line.split(",")) for line in lines] == list(table.rows)


def test_drawings_are_equal_at_each_run() -> None:
    again = figure_tables()
    assert again == TABLES
    assert [svg(table) + pgfplots(table) for table in again.values()] == [svg(table) + pgfplots(table) for table in TABLES.values()]


@pytest.mark.latex
def test_pgfplots_compiles_with_amsmath_and_pgfplots_alone(tmp_path: Path) -> None:
    body = "\n\n".join(map(pgfplots, TABLES.values()))
    head = "\\documentclass{article}\\usepackage{amsmath,pgfplots}\\pgfplotsset{compat=1.18}\\begin{document}"
    (tmp_path / "figures.tex").write_text(f"{head}\n{body}\\end{{document}}\n", encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "figures.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout[-2000:]
    assert "Overfull" not in done.stdout
