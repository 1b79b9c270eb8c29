"""In a recurrent network each step is normalized by its own summed inputs alone."""

from lnsym.derivation import Claim, Derivation, NearMiss, at, by, count, derivative, squares
from lnsym.kernel.terms import COORDINATES, INPUTS, STEPS, Array, Entry, Index, hole
from lnsym.lang import D, Eq, core, delta, i, j, matrix, positive

from ..definitions import c, eps, h, q, z
from . import core_jacobian

A = matrix("A", STEPS)  # the summed inputs of each step in a row
W, V = matrix("W"), matrix("V", COORDINATES, INPUTS)  # the weights of the hidden state and of the input
x = matrix("x", STEPS, INPUTS)  # one input in each row
p, t, a = Index("p", STEPS), Index("t", STEPS), Index("a", INPUTS)


def step(place: Index) -> Array:
    """The summed inputs of one step."""
    return Array((hole(1),), Entry("A", (place, hole(1))))


def summed(place: Index) -> Array:
    """How they arise: W h + V x, with h the hidden state before the step."""
    summed_inputs: Array = W @ h + V @ Array((hole(1, INPUTS),), Entry("x", (place, hole(1, INPUTS))))
    return summed_inputs


THEOREM = Derivation(
    title="In a recurrent network each step is normalized by its own summed inputs alone.",
    catalogue="S46",
    cites=("004 ¶3",),
    claims=(
        Claim(
            Eq(D(core(step(p))[i], A[t, j]), delta(p, t) * core_jacobian(step(p))[i, j]),
            by(derivative, squares, count, why="The statistics of a step read the summed inputs of that step and of no other."),
            given=(positive(eps),),
            label="one block for each step",
        ),
        Claim(
            Eq(D(summed(p)[i], x[t, a]), delta(p, t) * V[i, a]),
            by(derivative, why="At a fixed hidden state, the input of another step does not occur."),
            label="the summed inputs",
        ),
        Claim(
            Eq(core(c * z, 0), core(z, 0)),
            by(squares, why="Without eps a factor c > 0 leaves deviations and root together."),
            given=(positive(c), positive(q)),
            label="rescaling, eps = 0",
        ),
    ),
    points=(at(A=((2, 6), (-100, 100)), eps=1),),
    near_misses=(
        NearMiss(
            Eq(D(core(step(p))[i], A[t, j]), core_jacobian(step(p))[i, j]),
            why="The factor delta keeps the steps apart.",
            given=(positive(eps),),
        ),
        NearMiss(Eq(core(c * z), core(z)), why="With eps > 0 a factor changes the core.", given=(positive(eps), positive(c))),
        NearMiss(Eq(core(c * z, 0), core(z, 0)), why="A negative factor changes the sign.", given=(positive(q),)),
    ),
)
