"""LN415: a negative eps is accepted. Imports the record of a mistake."""

from __future__ import annotations

from lnsym.audit.fault import Fault

FAULT = Fault(
    code="LN415",
    title="a negative eps is accepted",
    kind="behaviour",
    computes=r"\varepsilon < 0: \wrong{\frac{v}{\sqrt{q + \varepsilon}}}",
    instead_of=r"\varepsilon < 0: \text{an error}",
    words="with eps = -1 it computes: rows with variance above 1 look healthy, those below give NaN",
    slips="Nobody gives a negative eps on purpose; a wrong argument order or a sign in a file does.",
    repair="Refuse eps below 0, NaN and infinity before any arithmetic, and say so in the message.",
    witness=None,
    theorems=("variance_add_eps_pos",),
    reports=("ml-explore/mlx#4312", "pytorch/pytorch#166405"),
)
