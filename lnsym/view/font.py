"""The part of STIX Two Math that a page uses, as a woff2 data URI. Imports fontTools when called; the font comes with ziamath."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable
from functools import cache
from html import unescape
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from lnsym.errors import MissingTool

if TYPE_CHECKING:
    from fontTools.ttLib import TTFont

FAMILY = "STIX Two Math subset"
NOTICE = (
    "Formulas are set in a subset of STIX Two Math. Copyright 2001-2020 The STIX Fonts Project Authors "
    "(github.com/stipub/stixfonts). Licensed under the SIL Open Font License, Version 1.1 (openfontlicense.org)."
)

# A browser draws these by itself: radicals from <msqrt>, bars from <mfrac>, a hyphen as a minus sign.
_ALWAYS = "√−′()[]{}|‖⟨⟩ "
# 1 January 2000 in the font's own epoch (seconds from 1904): any fixed moment will do.
_MODIFIED = 3029529600

_ROOT_WIDTH = 860


def characters(html: str) -> frozenset[str]:
    """The characters that the formulas of a page show, with the italic shapes of one-letter identifiers."""
    found = set(_ALWAYS)
    for formula in re.findall(r"<math\b.*?</math>", html, re.DOTALL):
        shown = re.sub(r"<annotation\b.*?</annotation>", "", formula, flags=re.DOTALL)
        found.update(italic(unescape(letter)) for letter in re.findall(r"<mi>(&\w+;|.)</mi>", shown))
        found.update(unescape(re.sub(r"<[^>]*>", "", shown)))
    return frozenset(found)


def italic(letter: str) -> str:
    """The mathematical italic shape that MathML gives to a one-letter identifier; other letters stay."""
    if letter == "h":
        return "\u210e"
    for first, last, start in (("A", "Z", 0x1D434), ("a", "z", 0x1D44E), ("Α", "Ω", 0x1D6E2), ("α", "ω", 0x1D6FC)):
        if first <= letter <= last:
            return chr(start + ord(letter) - ord(first))
    return {"∂": "\U0001d715", "ϵ": "\U0001d716", "ϑ": "\U0001d717", "ϕ": "\U0001d719", "ϱ": "\U0001d71a"}.get(letter, letter)


@cache
def subset(wanted: frozenset[str]) -> bytes:
    """A woff2 font with the wanted characters, their stretched and script variants and the MATH table."""
    try:
        from fontTools.subset import Options, Subsetter
        from fontTools.ttLib import TTFont
    except ImportError as error:
        raise MissingTool("the page's font needs the package fonttools: pip install 'fonttools[woff]'") from error

    options = Options(
        hinting=False,
        layout_features=["ssty", "dtls", "flac", "ccmp"],
        name_IDs=[0, 1, 2, 4, 5, 6, 13, 14],
        notdef_outline=True,
        recalc_timestamp=False,
    )
    options.drop_tables += ["DSIG", "GPOS"]
    font = TTFont(_source(), recalcTimestamp=False)
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=sorted(map(ord, wanted)))
    subsetter.subset(font)
    _even_radicals(font)
    font["head"].modified = _MODIFIED
    font.flavor = "woff2"
    out = BytesIO()
    try:
        font.save(out, reorderTables=False)
    except ImportError as error:
        raise MissingTool("the page's font needs the package brotli: pip install 'fonttools[woff]'") from error
    return out.getvalue()


def font_face(wanted: Iterable[str]) -> str:
    """The CSS rule that embeds the subset in the page."""
    encoded = b64encode(subset(frozenset(wanted))).decode("ascii")
    return f'@font-face {{ font-family: "{FAMILY}"; font-display: block; src: url("data:font/woff2;base64,{encoded}") format("woff2"); }}'


def _even_radicals(font: TTFont) -> None:
    """Give the tall radical signs nearly the width of the small one.

    Chromium reserves the width of the widest sign for every root; in the font as it comes that leaves a hole of 0.4 em after each root.
    """
    variants = font["MATH"].table.MathVariants
    root = font.getBestCmap()[ord("√")]
    signs = variants.VertGlyphConstruction[variants.VertGlyphCoverage.glyphs.index(root)]
    taller = {record.VariantGlyph for record in signs.MathGlyphVariantRecord} | {part.glyph for part in signs.GlyphAssembly.PartRecords}
    for name in sorted(taller - {root}):
        width, _ = font["hmtx"][name]
        glyph = font["glyf"][name]
        glyph.coordinates.scale((_ROOT_WIDTH / width, 1))
        glyph.coordinates.toInt()
        glyph.recalcBounds(font["glyf"])
        font["hmtx"][name] = (_ROOT_WIDTH, glyph.xMin)


def _source() -> Path:
    # find_spec, because importing ziamath itself costs half a second and only its data file is wanted.
    from importlib.util import find_spec

    spec = find_spec("ziamath")
    path = Path(spec.origin).parent / "fonts" / "STIXTwoMath-Regular.ttf" if spec and spec.origin else None
    if path is None or not path.is_file():
        raise MissingTool("the page's font is taken from the package ziamath, which is missing: pip install ziamath")
    return path
