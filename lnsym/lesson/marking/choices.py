"""Marks a choice: by its letter, its words, or the name of a rule. Imports the rules, the book, the refuter and the records of lessons."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches

from lnsym import derivation as rules
from lnsym.derivation import CheckedStep, Rule, needed_facts
from lnsym.derivations.definitions import THEORY
from lnsym.errors import KernelError
from lnsym.kernel.prove import Proved, prove
from lnsym.lesson.pieces import FORMS, formula, written
from lnsym.lesson.records import Mark, Task
from lnsym.lesson.references import miss_of
from lnsym.library import book, theorem
from lnsym.refute import Counterexample, find_counterexample
from lnsym.statement import MATRICES, SCALARS, VECTORS
from lnsym.tokens import clip

LETTERS = "abcdefgh"
YES = {"yes", "y", "true", "changes", "change", "changed", "itchanges", "itdoes", "itdoeschange", "theychange", "different"}
NO = {
    "no", "n", "false", "stays", "stay", "same", "itstays", "unchanged", "invariant", "thesame", "itdoesnot", "doesnot", "nochange",
    "itdoesnotchange", "doesnotchange", "staythesame", "staysthesame", "itstaysthesame", "theystay", "theystaythesame", "nothing",
}  # fmt: skip
FACTS = {
    "count": "that the sum of 1 over all indices is their number",
    "centred": "that the deviations sum to zero",
    "variance": "that the squared deviations sum to d q",
    "split": "that z is its mean plus its deviations",
    "root": "that the square of a root is what stands under it",
    "derivative": "the derivatives of mean, deviations and variance",
    "given": "a hypothesis",
}
_SIMPLE = (rules.algebra, rules.count, rules.centred, rules.variance, rules.split, rules.given, rules.derivative, rules.squares)
PLAIN = {one.name: one for one in _SIMPLE}
SYNONYMS = {
    "centered": "centred", "centering": "centred", "deviations": "centred", "counting": "count", "differentiate": "derivative",
    "differentiation": "derivative", "chain rule": "derivative", "product rule": "derivative", "quotient rule": "derivative",
    "calculus": "derivative", "hypothesis": "given", "by hypothesis": "given", "roots": "squares", "square of a root": "squares",
    "expand": "algebra", "simplify": "algebra", "linearity": "algebra",
}  # fmt: skip
_VERB = r"(?:(unfold|put in|insert|substitute)|(fold|recogni[sz]e|name))?"
_DEFINITION = re.compile(_VERB + r"\s*(?:the)?\s*(definitions?)?\s*(?:of)?\s*(\S.*)?")


# ---------------------------------------------------------------- one of several


def choice(task: Task, answer: str) -> Mark:
    """What is to be said of a choice in which one is right: the false line, or whether something changes."""
    letter = _letter(task, answer)
    if letter is None:
        return Mark("unreadable", _offer(task))
    witness = _witness(task)
    if task.kind == "predict":
        if letter == task.right:
            return Mark("correct", "Correct.", witness=witness)
        proved = re.sub(r"^[^.]*\. If ", "if ", _said(task)) if ". If " in _said(task) else _said(task).partition(". ")[2]
        numbers = f" {task.solution[-1]}" if witness else f" It is proved: {proved}"
        return Mark("different", f"Not yet.{numbers}", witness=witness)
    if letter == task.right:
        told = f" At {witness.place} the left side is {witness.left} and the right side {witness.right}." if witness else ""
        return Mark("correct", f"Correct.{told}", witness=witness)
    told = f" At {witness.place} another one fails." if witness else ""
    return Mark("different", f"Not yet. Line {letter} is proved.{told}", witness=witness)


def _said(task: Task) -> str:
    first = task.solution[0] if task.solution else "the theorem says so."
    return first.partition(" ")[2] if first.startswith(f"{task.right}:") else first


def _letter(task: Task, answer: str) -> str | None:
    """The letter of the choice that an answer names, by letter, by its words, or by yes or no."""
    letters = LETTERS[: len(task.choices)]
    text = answer.strip()
    short = re.fullmatch(r"(?:choice|option|line|answer)?\s*\(?([A-Za-z])[).:]?", text, re.IGNORECASE)
    if short and short.group(1).lower() in letters:
        return short.group(1).lower()
    plain = _plain(text)
    if not plain:
        return None
    known = {letter: _plain(one) for letter, one in zip(letters, task.choices, strict=True)}
    whole = [letter for letter, one in known.items() if one == plain]
    if whole:
        return whole[0]
    if task.kind == "predict":
        for words, sign in ((YES, True), (NO, False)):
            if plain in words:
                return next((letter for letter, one in known.items() if (one in YES) == sign and (one in NO) != sign), None)
    inside = [letter for letter, one in known.items() if len(plain) > 3 and plain in one]
    return inside[0] if len(inside) == 1 else None


def _plain(text: str) -> str:
    return re.sub(r"[\s.,;:!*·]+", "", text.casefold().replace("ε", "eps"))


def _offer(task: Task) -> str:
    letters = ", ".join(LETTERS[: len(task.choices)])
    words = f", or {' or '.join(task.choices)}" if task.kind == "predict" else ""
    return f"Answer with one of the letters {letters}{words}."


def _witness(task: Task) -> Counterexample | None:
    """The point that speaks against the near miss of a task, found again by its words; none where the task is about a claim."""
    if not task.theorem:
        return None
    found = theorem(task.theorem)
    told = task.choices[LETTERS.index(task.right)] if task.kind == "flaw" else _said(task)
    for number, miss in enumerate(found.derivation.near_misses, 1):
        relation = miss_of(found, number)
        said = [written(formula(relation), form) for form in FORMS]
        if any(told.endswith(one) if task.kind == "flaw" else f" {one} does not always hold" in told for one in said):
            given = found.derivation.given if miss.given is None else miss.given
            return find_counterexample(THEORY, relation, given)
    return None


# ---------------------------------------------------------------- rules


def rule(task: Task, answer: str) -> Mark:
    """What is to be said of the rule, or the rules, that lead to a step: by letter, by words, or by name."""
    letter = _letter(task, answer) if task.choices else None
    step = _step(task)
    if letter is not None:
        return Mark("correct", "Correct.") if letter == task.right else _wrong_rule(_shared(task, letter))
    named = read_rules(answer)
    if isinstance(named, str):
        return Mark("unreadable", f"{named}{f' {_offer(task)}' if task.choices else ''}")
    return _named(task, named, step)


def _named(task: Task, named: tuple[Rule, ...], step: CheckedStep | None) -> Mark:
    names = {one.name for one in named}
    asked = {one.name for one in task.rules}
    if names == asked:
        return Mark("correct", "Correct.")
    partly = names & asked
    right = f"{' and '.join(sorted(partly))} {'are' if len(partly) > 1 else 'is'} used in this step." if partly else ""
    if step is not None and leads(named, step):
        idle = next((one for one in named if not is_used(one, named, step)), None)
        if idle is None:
            return Mark("another form", f"Correct: the step follows from {' and '.join(sorted(names))} too.")
        return Mark("wrong rule", f"The step is true, but {idle.name} is not used in it: it needs {_minimal(step)}.", right)
    if names < asked:
        return Mark("wrong rule", f"That is not all: the step needs {_minimal(step)}.", right)
    return _wrong_rule(right)


def _wrong_rule(right: str = "") -> Mark:
    """What the step needs is not said here: it would be the answer."""
    return Mark("wrong rule", "The step is true, but not by what you named.", right)


def _shared(task: Task, letter: str) -> str:
    """What a choice of several rules has in common with the right one."""
    mine, theirs = (task.choices[LETTERS.index(one)].split("; ") for one in (letter, task.right))
    both = [one for one in mine if one in theirs]
    return f"This part is right: {'; '.join(both)}." if both else ""


def _minimal(step: CheckedStep | None) -> str:
    """The least that a step needs, in words."""
    if step is None:
        return "another rule"
    title = f"an earlier result ({theorem(step.step.rules[0].theorem).derivation.title.rstrip('.')})" if step.step.rules[0].theorem else ""
    found = [title] if title else []
    needed = sorted(step.needed - ({"given"} if step.known else set()))
    found += [FACTS[fact] for fact in needed if fact in FACTS]
    if defined := [fact.partition(":")[2] for fact in needed if fact not in FACTS]:
        found.append(f"the definition{'s' * (len(defined) > 1)} of {', '.join(defined)}")
    return " and ".join(found) or "nothing but algebra"


def _step(task: Task) -> CheckedStep | None:
    """The step of the theorem between the last two lines of a task."""
    before, after = (task.before, task.target) if task.target is not None else task.lines[-2:] if len(task.lines) > 1 else (None, None)
    if not task.theorem or before is None:
        return None
    steps = (step for claim in theorem(task.theorem).claims for step in claim.steps)
    return next((step for step in steps if step.relation.left == before and step.relation.right == after), None)


def leads(named: Sequence[Rule], step: CheckedStep) -> bool:
    """Whether these rules alone justify a step."""
    facts, known = _means(named, step)
    try:
        prove(THEORY, step.relation, step.proved.given, certificate=step.step.certificate, facts=facts, known=known)
    except KernelError:
        return False
    return True


def _means(named: Sequence[Rule], step: CheckedStep) -> tuple[frozenset[str], tuple[Proved, ...]]:
    """The facts that rules allow, and what the theorems among them prove under the hypotheses of a step."""
    given = set(step.proved.given)
    known = tuple(x for one in named if one.theorem for x in theorem(one.theorem).proved if set(x.given) <= given)
    facts = frozenset[str]().union(*(one.facts for one in named))
    return (facts | {"given"} if known else facts), known


def is_used(one: Rule, named: Sequence[Rule], step: CheckedStep) -> bool:
    """Whether a rule does something among rules that lead to a step: without it, or without what it is named for, they do not."""
    others = [x for x in named if x != one]
    if leads(others, step):
        return one == rules.algebra and not others
    facts, known = _means(named, step)
    needed = needed_facts(THEORY, step.relation, step.proved.given, step.step.certificate, known, facts)
    return one.theorem is not None or bool(needed & _heart(one))


def _heart(one: Rule) -> frozenset[str]:
    """The facts for which a rule is named; it may allow others besides."""
    kind, _, names = one.name.partition(" ")
    if kind in ("square", "squares"):
        return frozenset({"root"})
    if kind in ("unfold", "fold"):
        return frozenset(f"unfold:{name}" for name in names.split(", ")) | ({"variance"} if "variance" in one.facts else set())
    return frozenset({one.name})


def read_rules(answer: str) -> tuple[Rule, ...] | str:
    """The rules that a text names, or what is to be said where it names none."""
    found: list[Rule] = []
    pieces = [one.strip() for one in re.split(r"\s*(?:,|;|\+|&|\band\b)\s*", answer.strip().strip(".")) if one.strip()]
    if square := re.fullmatch(r"\s*(\w+)\s*(?:\^2|²)\s*=.*", answer):  # "s^2 = q + eps", in which + joins no rules
        pieces = [f"square of {square.group(1)}"]
    if not pieces or len(pieces) > 8 or len(answer) > 300:
        return "Name a rule, such as algebra, centred, unfold u, fold q or square of s."
    for piece in pieces:
        one = _read_rule(piece) or (_more(found[-1], piece) if found else None)
        if one is None:
            near = get_close_matches(piece.lower(), _names(), n=3, cutoff=0.5)
            rest = "Rules are algebra, centred, unfold u, fold q, square of s, or the name of a theorem."
            hint = f"Did you mean {' or '.join(near)}?" if near else rest
            return f"There is no rule '{clip(piece)}'. {hint}"
        if found and one.name.startswith(found[-1].name + ","):
            found[-1] = one
        else:
            found.append(one)
    return tuple(dict.fromkeys(found))


def _names() -> list[str]:
    unfolds = [f"{verb} {x}" for verb in ("unfold", "fold") for x in ("u", "s", "r", "rho", "y", "q")]
    return [*PLAIN, *SYNONYMS, *unfolds, "square of s", *book().derivations]


def _read_rule(text: str) -> Rule | None:
    plain = re.sub(r"[()\[\]]", " ", text).strip()
    low = " ".join(plain.lower().split())
    for name, one in PLAIN.items():
        if low in (name, one.says) or SYNONYMS.get(low) == name:
            return one
    name = low.removeprefix("theorem ").removeprefix("by ").strip()
    if name in book().derivations:
        return rules.theorem(name)
    if square := re.fullmatch(r"(?:the )?square of (?:the )?(?:root )?(\S+)", plain, re.IGNORECASE):
        return _of(rules.square_of_root, square.group(1))
    match = _DEFINITION.fullmatch(plain)
    if match and match.group(4) and (match.group(1) or match.group(2) or match.group(3)):
        return _of(rules.fold if match.group(2) else rules.unfold, match.group(4))
    return None


def _of(make: object, name: str) -> Rule | None:
    notion = _notions().get(name)
    return make(notion) if notion is not None and callable(make) else None


def _notions() -> Mapping[str, object]:
    greek = {"ρ": "rho", "μ": "mu", "ε": "eps"}
    known = {**SCALARS, **VECTORS, "J": MATRICES["J"]}
    return {**known, **{letter: known[name] for letter, name in greek.items()}}


def _more(before: Rule, piece: str) -> Rule | None:
    """A further notion of a list, as in unfold r, u."""
    kind, _, names = before.name.partition(" ")
    known = _notions()
    if kind in ("unfold", "fold") and piece in known:
        notions = [known[name] for name in (*names.split(", "), piece)]
        return (rules.unfold if kind == "unfold" else rules.fold)(*notions)  # type: ignore[arg-type]
    return None
