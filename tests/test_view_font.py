"""The embedded font: equal bytes at each run, every character of the page, stretchy signs, small."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from io import BytesIO

import pytest
from fontTools.ttLib import TTFont

from lnsym.view.font import NOTICE, characters, font_face, italic, subset
from lnsym.view.mathml import mathml

PAGE = " ".join(
    (
        mathml(r"u_i=\frac{v_i}{\sqrt{q+\varepsilon}}", display=True),
        mathml(r"\lVert P\rVert\le1<\sum_{i}\left(\frac{a}{b}\right)^2"),
        mathml(r"\mathbf{1}^{\mathsf T}h"),
    )
)


def test_the_characters_are_those_of_the_formulas_with_their_italics() -> None:
    found = characters(PAGE + "<p>Ω outside a formula</p>")
    assert set("√∑‖≤<1𝑢𝑣𝑞𝜀ℎ𝑃𝟏𝖳") <= found
    assert "Ω" not in found
    assert "\\" not in found, "the TeX annotation is not shown"


@pytest.mark.parametrize(("letter", "shape"), [("h", "ℎ"), ("a", "𝑎"), ("Z", "𝑍"), ("ε", "𝜀"), ("ω", "𝜔"), ("∂", "𝜕"), ("1", "1")])
def test_one_letter_identifiers_are_italic(letter: str, shape: str) -> None:
    assert italic(letter) == shape


def test_the_font_has_every_character_and_the_stretchy_variants() -> None:
    wanted = characters(PAGE)
    font = TTFont(BytesIO(subset(wanted)))
    cmap = font.getBestCmap()
    assert {character for character in wanted if ord(character) not in cmap} <= {"\u2061"}, "only the invisible operator may be missing"
    variants = font["MATH"].table.MathVariants
    for sign in "√∑(‖":
        construction = variants.VertGlyphConstruction[variants.VertGlyphCoverage.glyphs.index(cmap[ord(sign)])]
        assert construction.MathGlyphVariantRecord, sign
        assert all(record.VariantGlyph in font["glyf"].glyphs for record in construction.MathGlyphVariantRecord)


def test_the_radical_signs_are_nearly_of_one_width() -> None:
    font = TTFont(BytesIO(subset(characters(PAGE))))
    root = font.getBestCmap()[ord("√")]
    variants = font["MATH"].table.MathVariants
    signs = variants.VertGlyphConstruction[variants.VertGlyphCoverage.glyphs.index(root)].MathGlyphVariantRecord
    widths = [font["hmtx"][record.VariantGlyph][0] for record in signs]
    assert len(widths) > 2
    assert max(widths) - min(widths) <= 80, "thousandths of an em; a wider range leaves a hole after each root in Chromium"


def test_two_processes_make_equal_bytes() -> None:
    code = (
        "import hashlib, sys; from lnsym.view.font import subset; "
        "sys.stdout.write(hashlib.sha256(subset(frozenset('√∑(x𝑥𝜀ℎ'))).hexdigest())"
    )
    hashes = {
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert hashes == {hashlib.sha256(subset(frozenset("√∑(x𝑥𝜀ℎ"))).hexdigest()}


def test_it_is_small_and_says_its_licence() -> None:
    roman, greek = range(0x20, 0x7F), range(0x391, 0x3CA)
    bold_and_italic = (*range(0x1D400, 0x1D49C), *range(0x1D6A8, 0x1D756))
    rich = frozenset("".join(map(chr, (*roman, *greek, *bold_and_italic))) + "√∑∏∫‖⟨⟩≤≥≠∂∞→⊙⋅×∈ℝ")
    assert len(font_face(rich)) < 200_000
    assert "SIL Open Font License, Version 1.1" in NOTICE
    assert "STIX Fonts Project Authors" in NOTICE
