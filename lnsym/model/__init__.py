"""SymPy's part: the model as SymPy objects, terms to and from SymPy, the second and third opinions, scalar calculus.

The only part of lnsym, with what stands above it, that imports SymPy and mpmath; it is loaded when it is asked for.
"""

from lnsym.model.calculus import CalculusFact, calculus_fact, fact_names, near_misses, scalar_calculus
from lnsym.model.objects import Model, model
from lnsym.model.opinion import Opinion, opinion
from lnsym.model.reader import from_sympy
from lnsym.model.third_look import Agreement, mpmath_check
from lnsym.model.writer import to_sympy

__all__ = [
    "Agreement", "CalculusFact", "Model", "Opinion", "calculus_fact", "fact_names", "from_sympy", "model", "mpmath_check", "near_misses",
    "opinion", "scalar_calculus", "to_sympy",
]  # fmt: skip
