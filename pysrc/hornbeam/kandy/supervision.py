"""Which samples keep their label: the exponential decay of the paper, f(t) = gamma * exp(-t * log(gamma / beta)).

>>> [round(probability(0.8, 0.2, t), 2) for t in (0.0, 0.5, 1.0)]
[0.8, 0.4, 0.2]
>>> probability(0.0, 0.0, 0.5), probability(0.8, 0.0, 0.0), probability(0.8, 0.0, 0.5)
(0.0, 0.8, 0.0)
"""

from __future__ import annotations

from hornbeam.seeds import fast_rng


def probability(gamma: float, beta: float, t: float) -> float:
    """The chance that the sample at t in 0..1 is supervised; at 0 and 1 the law has its limits."""
    if gamma <= 0:
        return 0.0
    if beta <= 0:
        return gamma if t <= 0 else 0.0
    return float(gamma * (beta / gamma) ** t)


def supervised(count: int, gamma: float, beta: float, *, closed: bool, seed: int, names: tuple[str, ...]) -> list[bool]:
    """Draws for the samples of a split. `closed`: the last one is at t = 1; else t stops one step short of it."""
    rng = fast_rng(seed, *names)
    last = max(1, count - 1) if closed else count
    return [rng.random() < probability(gamma, beta, index / last) for index in range(count)]
