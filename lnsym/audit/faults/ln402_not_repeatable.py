"""LN402: the same call gives different answers. Imports the record of a mistake."""

from __future__ import annotations

from lnsym.audit.fault import Fault

FAULT = Fault(
    code="LN402",
    title="the same call gives different answers",
    kind="behaviour",
    computes=r"f(x) \wrong{\ne} f(x)",
    instead_of="f(x) = f(x)",
    words="two calls with equal arguments give different numbers",
    slips="Each answer may be near enough by itself. A race between threads shows in a small share of the runs only.",
    repair=(
        "Look for memory that is read before it is written, for threads that add to the same sum without order, and for "
        "random numbers."
    ),
    witness=None,
    reports=("davisking/dlib#2902", "ml-explore/mlx#941"),
)
