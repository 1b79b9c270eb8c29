"""The backward pass is J(gamma g); differentiated once more, the gain stays: by g it is gamma J(w)."""

from lnsym.derivation import Claim, Derivation, NearMiss, at, by, derivative
from lnsym.lang import Eq, dot, gradient, positive

from ..definitions import J, eps, g, gamma, w

backward = J(gamma * g)  # the gradient by z, for the output's cotangent g

THEOREM = Derivation(
    title="In the double backward pass the gain stays: the gradient of w . J(gamma g) by g is gamma J(w).",
    catalogue="N07",
    given=(positive(eps),),
    claims=(
        Claim(Eq(gradient(dot(w, backward), g), gamma * J(w)), by(derivative, why="J is symmetric; gamma_i multiplies g_i."), label="by g"),
        Claim(Eq(gradient(dot(w, backward), gamma), g * J(w)), by(derivative, why="g_i multiplies gamma_i."), label="by the gain"),
    ),
    points=(at(z=(1, 2, 3), w=(1, 0, 2), g=(1, 1, 0), gamma=(1, 2, 3), eps="1/3"),),
    near_misses=(
        NearMiss(Eq(gradient(dot(w, backward), g), J(w)), why="The gain was forgotten: g_i enters only as gamma_i g_i."),
        NearMiss(Eq(gradient(dot(w, backward), g), J(gamma * w)), why="The gain is applied after J, not before."),
        NearMiss(Eq(gradient(dot(w, backward), gamma), J(w)), why="The factor g was forgotten: gamma_i enters only as gamma_i g_i."),
    ),
)
