"""Somebody's layer norm, opened for an audit: one adapter per framework, found by scanning this folder. Imports no framework unused."""

from __future__ import annotations

import os
import pkgutil
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from lnsym.audit import locate
from lnsym.audit.mapping import Wanted, parse_map
from lnsym.audit.session import Here, Runner
from lnsym.audit.subject import Subject, SubjectError

_UNFORKABLE = ("torch", "jax")  # their threads do not survive a fork


@cache
def adapters() -> dict[str, ModuleType]:
    """The adapter of each framework: `claims(thing)` says whether a thing is its own, `make(thing, name, wanted, grad, eps)` adapts it."""
    modules = [import_module(f"{__name__}.{one.name}") for one in pkgutil.iter_modules(__path__)]
    modules.sort(key=lambda one: (getattr(one, "LAST", False), one.FRAMEWORK))
    return {one.FRAMEWORK: one for one in modules}


def open_subject(
    what: object,
    *,
    mapping: str | Wanted | None = None,
    grad: str | Callable[..., Any] | None = None,
    framework: str | None = None,
    eps: float | None = None,
    time_limit: float = 10.0,
    isolate: bool = True,
) -> Runner:
    """Open a spec such as "mynorm.py:layer_norm", or a callable: in a process of its own if `isolate` and where that can be done.

    `eps` is the one to hold a subject to that takes none and does not say which it has.
    What cannot be opened raises SubjectError or MissingTool.
    """
    wanted = parse_map(mapping) if isinstance(mapping, str) else dict(mapping or {})
    if framework is not None and framework not in adapters():
        raise SubjectError(f'There is no framework "{framework}"; those known are {", ".join(sorted(adapters()))}')
    apart = isolate and os.name == "posix"
    if isinstance(what, (str, Path)):
        spec = locate.read(str(what))
        request = {"spec": spec.text, "wanted": wanted, "grad": _grad_text(grad, spec.text), "framework": framework, "eps": eps}
        if apart and (grad is None or isinstance(grad, (str, Path))):
            from lnsym.audit.child import Child

            return Child({**request, "path": list(sys.path)}, spec.text, time_limit)
        return Here(from_request({**request, "grad": request["grad"] or grad}))
    name = getattr(what, "__qualname__", type(what).__name__)
    loaded = locate.load(locate.read(str(grad))) if isinstance(grad, (str, Path)) else grad

    def make() -> Subject:
        return build(what, name, wanted, loaded, framework, eps)

    if apart and not any(one in sys.modules for one in _UNFORKABLE):
        from lnsym.audit.child import Forked

        return Forked(make, name, time_limit)
    return Here(make())


def from_request(request: dict[str, Any]) -> Subject:
    """The subject that a request names: this runs where the subject lives."""
    spec = locate.read(request["spec"])
    thing = spec.file if spec.is_onnx else locate.load(spec)
    grad = request["grad"]
    loaded = locate.load(locate.read(str(grad))) if isinstance(grad, (str, Path)) else grad
    return build(thing, spec.text, request["wanted"], loaded, request["framework"], request["eps"])


def build(thing: object, name: str, wanted: Wanted, grad: object, framework: str | None, eps: float | None) -> Subject:
    """The subject that the fitting adapter makes of a thing."""
    if framework is not None:
        adapter = adapters()[framework]
    else:
        adapter = next((one for one in adapters().values() if one.claims(thing)), None)  # type: ignore[assignment]
        if adapter is None:
            raise SubjectError(f"{name} is a {type(thing).__name__}, not a function")
    subject: Subject = adapter.make(thing, name, wanted, grad, eps)
    return subject


def _grad_text(grad: object, spec: str) -> str | None:
    """The gradient's spec, looked at before a process is started; a bare name is one in the subject's own file."""
    if not isinstance(grad, (str, Path)):
        return None
    text = str(grad)
    if text.isidentifier() and ":" in spec:
        text = f"{spec.partition(':')[0]}:{text}"
    locate.read(text)
    return text
