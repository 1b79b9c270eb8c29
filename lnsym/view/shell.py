"""The page shell: one HTML file with its style, script and font inside, and the templates' filters. Imports jinja2 when called."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from lnsym.errors import MissingTool
from lnsym.view.font import FAMILY, NOTICE, characters, font_face
from lnsym.view.mathml import mathml
from lnsym.view.status import status

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

_HERE = Path(__file__).parent


@dataclass(frozen=True)
class Link:
    """A line of the page's navigation: the anchor that it leads to, without #, and its words."""

    anchor: str
    text: str


def environment(*folders: Path) -> Environment:
    """A Jinja2 environment over the given template folders and the shared ones, with the filters math, display, prose and status."""
    try:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
    except ImportError as error:
        raise MissingTool("pages need the package jinja2: pip install jinja2") from error

    made = Environment(
        loader=FileSystemLoader([*folders, _HERE / "templates"]),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters.update(math=_math, display=_display, prose=prose, status=status)
    return made


def page(*, title: str, description: str, body: str, navigation: Sequence[Link], footer: str = "") -> str:
    """The whole page around a body of HTML; the font holds exactly the characters that the body's formulas show."""
    from markupsafe import Markup

    style = (_read("style.css") + _read("figure.css")).replace("@@MATHS@@", FAMILY)
    template = _environment().get_template("shell.html.j2")
    return template.render(
        title=title,
        description=description,
        navigation=navigation,
        body=Markup(body),
        footer=Markup(footer),
        style=Markup(font_face(characters(body + footer)) + "\n" + style),
        script=Markup(_read("script.js")),
        notice=NOTICE,
    )


def prose(text: str) -> Markup:
    """Plain text as HTML: $...$ becomes a formula, `...` code; everything else is escaped."""
    from markupsafe import Markup

    return Markup("".join(_piece(piece) for piece in re.split(r"(\$[^$]+\$[,.;:!?)]*|`[^`]+`)", text)))


def _piece(piece: str) -> str:
    formula = re.fullmatch(r"\$(.+)\$([,.;:!?)]*)", piece, re.DOTALL)
    if formula:
        # A comma must not begin a line: it stays with its formula.
        element, after = mathml(formula[1]), formula[2]
        return f'<span class="together">{element}{after}</span>' if after else element
    if len(piece) > 2 and piece[0] == piece[-1] == "`":
        return f"<code>{escape(piece[1:-1])}</code>"
    return escape(piece)


def _math(latex: str) -> Markup:
    from markupsafe import Markup

    return Markup(mathml(latex))


def _display(latex: str) -> Markup:
    from markupsafe import Markup

    return Markup(mathml(latex, display=True))


@cache
def _environment() -> Environment:
    return environment()


def _read(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")
