"""Two exact identities for the cores of two inputs."""

from lnsym.derivation import Claim, Derivation, NearMiss, at, by, chain, square_of_root, squares, unfold, variance
from lnsym.lang import Eq, dot, norm, positive, sqrt

from ..definitions import d, eps, q, q_, s, s_, u, u_, v, v_

THEOREM = Derivation(
    title="Two exact secant identities: |u - u'|^2 and <u - u', v - v'> by the deviations and the two roots.",
    catalogue="T38",
    given=(positive(eps),),
    claims=(
        Claim(
            Eq(norm(u - u_) ** 2, (norm(v - v_) ** 2 - d * (s - s_) ** 2 * (1 + eps / (s * s_))) / (s * s_)),
            chain(norm(u - u_) ** 2)
            .to(
                d * q / (q + eps) + d * q_ / (q_ + eps) - 2 * dot(v, v_) / (s * s_),
                by=(unfold(u, u_), variance, square_of_root(s), square_of_root(s_)),
                why="Expand the square; each core has squared norm d q/(q + eps).",
            )
            .to(
                (d * q + d * q_ - 2 * dot(v, v_) - d * (s - s_) ** 2 * (1 + eps / (s * s_))) / (s * s_),
                by=(square_of_root(s), square_of_root(s_)),
                why="Only s and s' occur beside the inner product; s^2 = q + eps and s'^2 = q' + eps.",
            )
            .to(
                (norm(v - v_) ** 2 - d * (s - s_) ** 2 * (1 + eps / (s * s_))) / (s * s_),
                by=(variance, squares),
                why="The first three terms are |v - v'|^2.",
            ),
        ),
        Claim(
            Eq(dot(u - u_, v - v_), (s + s_) / 2 * (norm(u - u_) ** 2 + d * eps * (s - s_) ** 2 / (s * s_) ** 2)),
            chain(dot(u - u_, v - v_))
            .to(d * q / s + d * q_ / s_ - dot(v, v_) * (1 / s + 1 / s_), by=(unfold(u, u_), variance), why="Multiply out.")
            .to(
                (s + s_) / 2 * (norm(u - u_) ** 2 + d * eps * (s - s_) ** 2 / (s * s_) ** 2),
                by=(unfold(u, u_), variance, square_of_root(s), square_of_root(s_)),
                why="Put in |u - u'|^2 and collect.",
            ),
        ),
        Claim(
            Eq(norm(v / sqrt(q) - v_ / sqrt(q_)) ** 2, (norm(v - v_) ** 2 - d * (sqrt(q) - sqrt(q_)) ** 2) / (sqrt(q) * sqrt(q_))),
            by(variance, squares, why="The same with eps = 0: the last term goes."),
            given=(positive(q), positive(q_)),
            label="the first identity at eps = 0",
        ),
        Claim(
            Eq(
                dot(v / sqrt(q) - v_ / sqrt(q_), v - v_),
                (sqrt(q) + sqrt(q_)) / 2 * norm(v / sqrt(q) - v_ / sqrt(q_)) ** 2,
            ),
            by(variance, squares, why="Here the defect is gone."),
            given=(positive(q), positive(q_)),
            label="the second identity at eps = 0",
        ),
    ),
    points=(at(z=(0, 2), eps="24/25", value="16200/5929", **{"z'": (0, -1)}),),
    near_misses=(
        NearMiss(Eq(norm(u - u_) ** 2, norm(v - v_) ** 2 / (s * s_)), why="Exact only where the two roots agree."),
        NearMiss(
            Eq(norm(u - u_) ** 2, (norm(v - v_) ** 2 - d * (s - s_) ** 2) / (s * s_)),
            why="The term with eps/(s s') is missing; this holds at eps = 0.",
        ),
        NearMiss(Eq(dot(u - u_, v - v_), (s + s_) / 2 * norm(u - u_) ** 2), why="The defect with eps is missing; this holds at eps = 0."),
    ),
)
