"""From a callable's parameters to the words of a call: x, weight, bias, eps, axis, mask, normalized_shape. Imports the subjects' errors."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from inspect import Parameter, Signature
from typing import Any

from lnsym.audit.subject import SubjectError

Vocabulary = Mapping[str, str]  # our word: the names that the field uses for it
Wanted = Mapping[str, "str | int | None"]  # our word: a parameter's name or position, None for "do not pass"

FORWARD: Vocabulary = {
    "x": "x z input inputs inp xs hidden_states hidden_state hidden data tensor array arr values rows features activations src",
    "weight": "weight weights w gamma g scale gain a_2",
    "bias": "bias b beta offset shift b_2",
    "eps": "eps epsilon variance_epsilon layer_norm_eps layer_norm_epsilon ln_eps norm_eps",
    "axis": "axis axes dim dims reduction_axes",
    "mask": "mask padding_mask valid_mask",
    "normalized_shape": "normalized_shape norm_shape",
}
GRADIENT: Vocabulary = {
    "dy": "dy dout d_out dl_dy grad_output grad_out grad_y grad g upstream cotangent ct",
    **FORWARD,
    "weight": "weight weights w gamma scale gain",
    "mean": "mean mu",
    "rstd": "rstd inv_std invstd inv_std_dev r",
}
CONSTRUCTOR: Vocabulary = {
    "normalized_shape": "normalized_shape norm_shape d dim dims d_model width size n features num_features in_features hidden_size hidden "
    "hidden_dim embed_dim ndim shape",
    "eps": FORWARD["eps"],
    "axis": "axis axes",
    "rngs": "rngs",  # of flax.nnx
}
BY_POSITION = ("x", "weight", "bias", "eps")
GRADIENT_BY_POSITION = ("dy", "x", "weight", "eps")


@dataclass(frozen=True)
class Arguments:
    """How to call something: its signature, and which of our words each parameter means."""

    signature: Signature
    words: Mapping[str, str]  # our word: the name of its parameter
    by_position: bool = False  # names cannot be used in a call
    guessed: bool = False  # the parameters are hidden, and were taken to be the usual ones

    def takes(self, word: str) -> bool:
        """Whether it has a parameter for the word."""
        return word in self.words

    def needs(self, word: str) -> bool:
        """Whether it cannot be called without the word."""
        return word in self.words and self.default(word) is Parameter.empty

    def default(self, word: str) -> Any:
        """The default of the parameter for the word; Parameter.empty where there is none."""
        return self.signature.parameters[self.words[word]].default if word in self.words else Parameter.empty

    def call(self, function: Callable[..., Any], values: Mapping[str, Any]) -> Any:
        """Call the function with values by our words; parameters without a value keep their defaults."""
        bound = inspect.BoundArguments(self.signature, {self.words[word]: value for word, value in values.items()})
        if self.by_position:
            bound.apply_defaults()
        return function(*bound.args, **bound.kwargs)

    @property
    def shown(self) -> tuple[tuple[str, str], ...]:
        """Our words and the names of the parameters, in the order of the signature."""
        names = list(self.signature.parameters)
        return tuple(sorted(self.words.items(), key=lambda pair: names.index(pair[1])))

    @property
    def left(self) -> tuple[str, ...]:
        """The parameters that keep their defaults because they mean none of our words."""
        several = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
        taken = set(self.words.values())
        return tuple(name for name, one in self.signature.parameters.items() if name not in taken and one.kind not in several)


def parse_map(text: str) -> dict[str, str | int | None]:
    """What `--map x=h,weight=1,eps=none` says."""
    wanted: dict[str, str | int | None] = {}
    for part in text.split(","):
        word, sign, value = (one.strip() for one in part.partition("="))
        if not (word and sign and value):
            raise SubjectError(f'--map: cannot read "{part.strip()}"; write `--map x=h,weight=a`, with your function\'s names after each =')
        _known(word, FORWARD)
        if word in wanted:
            raise SubjectError(f"--map: {word} is given twice")
        if value != "none" and value in map(str, wanted.values()):
            raise SubjectError(f"--map: {value} is given to two words")
        wanted[word] = None if value == "none" else int(value) if value.isdecimal() else value
    return wanted


def arguments_of(
    name: str,
    signature: Signature | None,
    wanted: Wanted | None = None,
    vocabulary: Vocabulary = FORWARD,
    order: tuple[str, ...] = BY_POSITION,
    hidden: tuple[str, ...] = (),
) -> Arguments:
    """Fit the parameters of `name` to our words: as wanted, else by name; an unknown one first means the first of `order`.

    Without a signature, or with one that tells nothing, parameters are those of `hidden`, if given, or of `order`.
    """
    wanted = wanted or {}
    if signature is None:
        return _numbered(wanted, vocabulary, hidden or order)
    usable = [one for one in signature.parameters.values() if one.kind not in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)]
    if not usable and signature.parameters:  # def wrapper(*args, **kwargs)
        return _numbered(wanted, vocabulary, hidden or order)
    words = _asked_for(name, usable, wanted, vocabulary)
    for one in usable:
        word = word_of(one.name, vocabulary)
        if word and word not in words and word not in wanted and one.name not in words.values():
            words[word] = one.name
    by_position = any(one.kind is Parameter.POSITIONAL_ONLY for one in usable)
    if by_position and not words:
        words = {word: one.name for word, one in zip(order, usable, strict=False) if word not in wanted}
    missing = [one for one in usable if one.name not in words.values() and _required(one)]
    if missing and order[0] not in words and order[0] not in wanted:
        words[order[0]] = missing.pop(0).name
    if missing:
        raise SubjectError(_which_is_which(name, words, missing, wanted, vocabulary, order))
    return Arguments(signature, words, by_position)


def signature_of(function: object) -> Signature | None:
    """The signature of a callable; None where Python does not know it."""
    try:
        # A subject's annotations may be text that names what is not there; they are not needed.
        return inspect.signature(function)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None


def word_of(name: str, vocabulary: Vocabulary) -> str | None:
    """Our word for a name, if the field uses it for one."""
    plain = name.lower().strip("_")
    return next((word for word, names in vocabulary.items() if plain in names.split()), None)


def _required(parameter: Parameter) -> bool:
    return parameter.default is Parameter.empty


def _asked_for(name: str, usable: list[Parameter], wanted: Wanted, vocabulary: Vocabulary) -> dict[str, str]:
    words: dict[str, str] = {}
    for word, value in wanted.items():
        _known(word, vocabulary)
        if value is None:
            continue
        names = [one.name for one in usable]
        if isinstance(value, int):
            if not 0 <= value < len(names):
                raise SubjectError(f"--map {word}={value}: {name} has {len(names)} parameters, counted from 0")
            value = names[value]
        if value not in names:
            close = get_close_matches(value, names, 1)
            hint = f'Did you mean "{close[0]}"?' if close else f"It has {_listed(names)}."
            raise SubjectError(f'--map {word}={value}: {name} has no parameter "{value}". {hint}')
        if value in words.values():
            raise SubjectError(f"--map: {value} is given to two words")
        words[word] = value
    return words


def _numbered(wanted: Wanted, vocabulary: Vocabulary, order: tuple[str, ...]) -> Arguments:
    """Arguments of a function that hides its parameters: the wanted positions, else those of the order."""
    places: dict[int, str] = {}
    for word, value in wanted.items():
        _known(word, vocabulary)
        if isinstance(value, str):
            raise SubjectError(f"--map {word}={value}: its parameters have no known names; give positions, such as --map x=0,weight=1")
        if value is not None:
            places[value] = word
    guessed = not places
    if guessed:
        places = dict(enumerate(word for word in order if word not in wanted))
    if sorted(places) != list(range(len(places))):
        raise SubjectError(f"--map: the positions {_listed(map(str, sorted(places)))} leave a gap; positions count from 0")
    parameters = [Parameter(f"argument{k}", Parameter.POSITIONAL_ONLY) for k in range(len(places))]
    return Arguments(Signature(parameters), {places[k]: f"argument{k}" for k in sorted(places)}, True, guessed)


def _which_is_which(
    name: str, words: Mapping[str, str], missing: list[Parameter], wanted: Wanted, vocabulary: Vocabulary, order: tuple[str, ...]
) -> str:
    """What to say where required parameters mean none of our words."""
    names = [one.name for one in missing]
    if "self" in (*names, *words.values()):
        owner = name.rpartition(".")[0]
        return f"{name} is a method, which needs an instance: audit its class, `lnsym audit {owner}`, or a function that calls it"
    for one in names:
        word = word_of(one, vocabulary)
        if word is not None and wanted.get(word, word) is None:
            return f"{name}: {one} has no default, so it cannot be left out: take `{word}=none` away"
        if word is not None and word in wanted:
            given = f"{word}={wanted[word]}"
            return f"{name}: {one} has no default, and --map says {given}. Say what {one} is, or take `{given}` away"
    free = [word for word in order if word not in words]
    if vocabulary is CONSTRUCTOR:
        return f"{name} needs {_listed(names)} to be made, which is not known here; give a function that makes it from the width alone"
    if len(free) < len(names):
        return f"{name} needs {_listed(names)}, for which a layer norm has no value; give a function of x, weight, bias, eps that calls it"
    if vocabulary is GRADIENT:
        return f"{name}: cannot tell {_listed(names)} apart. Name the parameters of a gradient dy, x, weight, eps"
    pairs = {**words, **dict(zip(free, names, strict=False))}
    shown = ",".join(f"{word}={pairs[word]}" for word in vocabulary if word in pairs)
    if len(names) == 1:
        return f"{name}: cannot tell what {names[0]} is. If it is {_article(free[0])}: `--map {shown}`; else give a function that calls it"
    return f"{name}: cannot tell {_listed(names)} apart. Say: `--map {shown}`"


def _article(word: str) -> str:
    return {"x": "the input", "eps": "eps"}.get(word, f"the {word}")


def _known(word: str, vocabulary: Vocabulary) -> None:
    if word not in vocabulary:
        meant = word_of(word, vocabulary) or next(iter(get_close_matches(word, vocabulary, 1)), None)
        hint = f' Did you mean "{meant}"?' if meant else ""
        raise SubjectError(f'--map: there is no word "{word}"; the words are {_listed(vocabulary)}.{hint}')


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)
