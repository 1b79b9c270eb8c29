"""Authors write q/(q + eps) in their sentences; here such runs of mathematics become $formulas$. Standard library only."""

from __future__ import annotations

import re

_GREEK = {
    "eps": "\\varepsilon", "alpha": "\\alpha", "beta": "\\beta", "gamma": "\\gamma", "delta": "\\delta", "mu": "\\mu", "rho": "\\rho",
    "sigma": "\\sigma", "lambda": "\\lambda", "tau": "\\tau", "theta": "\\theta", "eta": "\\eta",
}  # fmt: skip
_LETTERS = "bcdefghijkmnpqrstuvwxyzBDEGHJKLMNPQRSTUVWXZ"
_TWO_LETTERS = "am an as at be by do go he if in is it me my no of on or so to up us we"  # words, not products
_PRODUCT = re.compile(f"[{_LETTERS.lower()}a]{{2}}|[A-Z][hgpuvwxz]|d[A-Z]")  # dq, az, Wx, but not By
_NAMES = re.compile(r"\b[a-z]{2,}(?:_[a-z]+){2,}\b")  # theorems of the book
_RELATIONS = {"->": "\\mapsto", "<=": "\\le", ">=": "\\ge", "!=": "\\ne", "=": "=", "<": "<", ">": ">"}
_QUOTED = re.compile(r"(\$[^$]+\$|`[^`]+`)")
_NUMBER = re.compile(r"\d+(?:\.\d+)?(?!\.?\d)")
_WORD = re.compile(r"[A-Za-z]+\d*")
_ONES = re.compile(r"(?:(?<=\bmu)|(?<=\bc)) 1(?![\w/^.])")  # the vector of ones, in z - mu 1
_INITIAL = re.compile(r"\b[A-Z][a-z]+ $")
_TOTAL = re.compile(r" sum(?:_i)? ")
_OPERATOR = re.compile(r" ?(\*|/) ?| ([+-]) |([+-])(?=[\w(])|(?<=[)hgpruvwxz])(\.)(?=[hgpruvwxz]\b)")
_FUNCTIONS = {"mean", "var", "cov", "norm", "core", "max", "min", "diag", "dot", "tr", "trace", "sign", "rank", "ker"}
# The letter a is a number where no article can stand: before punctuation or a verb.
_LETTER_A = re.compile(r"(?<![\w'’$-])a(?=[.,;:)]|$| (?:and|is|the|out|comes|stays|turns|that|with) )")
_RELATION = re.compile(r" (->|<=|>=|!=|=|<|>) ")
_SIGN = re.compile(r"(<=|>=|!=) ")
_HYPHEN = re.compile(r"-[A-Za-z]")  # of a word, re-centering, where a minus sign has a blank behind it


def typeset(text: str) -> str:
    """The text with its runs of plain mathematics between dollars; what stands between dollars or backticks already is left alone."""
    pieces = [one if one[:1] in ("$", "`") else _NAMES.sub(r"`\g<0>`", one) for one in _QUOTED.split(text)]
    pieces = _QUOTED.split("".join(pieces))
    once = "".join(piece if piece[:1] in ("$", "`") else _typeset(piece) for piece in pieces)
    return "".join(piece if piece[:1] in ("$", "`") else _LETTER_A.sub("$a$", piece) for piece in _QUOTED.split(once))


def _typeset(text: str) -> str:
    made, place = [], 0
    while place < len(text):
        begins = place == 0 or not (text[place - 1].isalnum() or text[place - 1] in "_'’")
        found = _Run(text).read(place) if begins else None
        if found:
            latex, place = found
            made.append(f"${latex}$")
        else:
            made.append(text[place])
            place += 1
    return "".join(made)


class _Run:
    """Reads one run of mathematics; a method returns LaTeX and the place after it, or None."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.names = 0
        self.operators = 0

    def read(self, place: int) -> tuple[str, int] | None:
        """The longest run from here, if it is mathematics beyond doubt; a relation may lack its left side, as in "at most <= 1/eps"."""
        sign = _SIGN.match(self.text, place)
        found = self.relation(sign.end() if sign else place)
        if found is None:
            return None
        latex, end = found
        if sign:
            self.operators += 1
            found = f"{_RELATIONS[sign[1]]} {latex}", end
        if end < len(self.text) and (self.text[end].isalnum() or self.text[end] in "_'’" or self.text[end : end + 2] in ("-t", "-d")):
            return None
        return found if self.names or self.operators else None

    def relation(self, place: int) -> tuple[str, int] | None:
        found = self.sum(place)
        while found:
            sign = _RELATION.match(self.text, found[1])
            after = self.sum(sign.end()) if sign else None
            if not sign or not after:
                return found
            self.operators += 1
            found = f"{found[0]} {_RELATIONS[sign[1]]} {after[0]}", after[1]
        return None

    def sum(self, place: int) -> tuple[str, int] | None:
        sign = ""
        if self.text[place : place + 1] == "-" and self.text[place + 1 : place + 2].strip():
            sign, place = "-", place + 1
        found = self.atom(place)
        if found is None:
            return None
        self.operators += bool(sign)
        latex, place = sign + found[0], found[1]
        while True:
            operator = _OPERATOR.match(self.text, place)
            start = operator.end() if operator else place
            if not operator:
                beside = self.beside(place)
                if beside is None:
                    return latex, place
                latex, place = latex + beside[0], beside[1]
                continue
            after = self.atom(start)
            if after is None:
                return latex, place
            self.operators += 1
            shown = next(filter(None, operator.groups()))
            latex += {"*": " \\cdot ", ".": " \\cdot ", "/": "/", "+": " + ", "-": " - "}[shown] + after[0]
            place = after[1]

    def beside(self, place: int) -> tuple[str, int] | None:
        """A factor written beside the last one: d q, 2t, c(1, 2)."""
        saved = self.names, self.operators
        ones = _ONES.match(self.text, place)
        if ones:
            return "\\,\\mathbf 1", ones.end()
        total = _TOTAL.match(self.text, place)
        summand = self.atom(total.end()) if total else None
        if summand:
            return f"\\,\\sum_i {summand[0]}", summand[1]
        space = self.text[place : place + 1] == " "
        found = self.atom(place + space, beside=True)
        lone = space and found is not None and found[0] in ("a", "I") and self.text[found[1] : found[1] + 1] not in ("/", "*", ")")
        if found is None or lone:
            self.names, self.operators = saved
            return None
        return ("\\," if space else "") + found[0], found[1]

    def atom(self, place: int, beside: bool = False) -> tuple[str, int] | None:
        match self.text[place : place + 1]:
            case "(":
                found = self.bracket(place)
            case "|":
                found = self.bars(place)
            case "<":
                found = self.bracket(place, ">")
            case _:
                found = self.number(place, beside) or self.name(place)
        return self.scripts(*found) if found else None

    def bars(self, place: int) -> tuple[str, int] | None:
        """|x|: an absolute value or a norm."""
        inside = self.relation(place + 1)
        return (f"|{inside[0]}|", inside[1] + 1) if inside and self.text[inside[1] : inside[1] + 1] == "|" else None

    def number(self, place: int, beside: bool) -> tuple[str, int] | None:
        found = None if beside else _NUMBER.match(self.text, place)
        return (found[0], found.end()) if found else None

    def name(self, place: int) -> tuple[str, int] | None:
        word = _WORD.match(self.text, place)
        if not word:
            return None
        text, end = word[0], word.end()
        letters = text.rstrip("0123456789")
        digits = text[len(letters) :]
        if letters == "sqrt" and not digits and self.text[end : end + 1] == "(":
            inside = self.inside(end)
            self.names += 1
            return (f"\\sqrt{{{inside[0]}}}", inside[1]) if inside else None
        if text in _FUNCTIONS and self.text[end : end + 1] == "(":
            argument = self.bracket(end)
            self.names += 1
            return (f"\\operatorname{{{text}}}{argument[0]}", argument[1]) if argument else None
        if text in _FUNCTIONS and re.compile(r"\||(?<=r) P\b|(?<=k) P\b|(?<=e) P\b").match(self.text, end):
            argument = self.atom(end + (self.text[end] == " "))
            self.names += 1
            return (f"\\operatorname{{{text}}}\\,{argument[0]}", argument[1]) if argument else None
        if letters in _GREEK:
            self.names += 1
            return _GREEK[letters] + (f"_{digits}" if digits else ""), end
        if letters in ("a", "I") and not digits:  # words too: they do not make a run by themselves
            return letters, end
        if _INITIAL.search(self.text[:place]) and re.compile(r"\. [A-Z]").match(self.text, end):
            return None
        indexed = letters.isupper() and self.text[end : end + 1] == "_"  # A_n is no article
        numbered = letters.islower() and len(digits) == 1
        if len(letters) == 1 and (letters in _LETTERS or indexed) and (not digits or numbered):
            self.names += 1
            return letters + ("\\mathbf 1" if text == "c1" else f"_{digits}" if digits else ""), end
        a_word = letters in _TWO_LETTERS.split() or _HYPHEN.match(self.text, end) is not None
        if len(letters) == 2 and not digits and _PRODUCT.fullmatch(letters) and not a_word:
            self.names += 1
            return letters, end
        return None

    def scripts(self, latex: str, place: int) -> tuple[str, int]:
        """Primes, a subscript and a power behind an atom."""
        primes = re.compile(r"'+(?![A-Za-z])").match(self.text, place)
        if primes and latex[-1:].isalpha():
            latex, place = latex + primes[0], primes.end()
        for mark, pattern in (("_", r"_(\w+|\([^()]*\))"), ("^", r"\^(-?\w+|\([^()]*\))")):
            found = re.compile(pattern).match(self.text, place)
            if found:
                content = found[1].strip("()")
                content = _GREEK.get(content, {"T": "\\top"}.get(content, content) if mark == "^" else content)
                latex, place = (f"{{{latex}}}" if mark == "^" and "'" in latex else latex) + f"{mark}{{{content}}}", found.end()
                self.operators += 1
        return latex, place

    def inside(self, place: int) -> tuple[str, int] | None:
        found = self.relation(place + 1)
        return (found[0], found[1] + 1) if found and self.text[found[1] : found[1] + 1] == ")" else None

    def bracket(self, place: int, closing: str = ")") -> tuple[str, int] | None:
        """A bracket, a vector in brackets, or an inner product between < and >."""
        left, right = ("(", ")") if closing == ")" else ("\\langle ", "\\rangle")
        parts: list[str] = []
        while True:
            found = self.relation(place + (1 if not parts else 2))
            if not found:
                return None
            parts.append(found[0])
            place = found[1]
            if self.text[place : place + 1] == closing:
                self.operators += len(parts) > 1
                return left + ", ".join(parts) + right, place + 1
            if self.text[place : place + 2] != ", ":
                return None
