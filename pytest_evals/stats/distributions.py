"""Student's t distribution, by the regularized incomplete beta function.

The continued fraction is that of Abramowitz and Stegun, 26.5.8, evaluated by Lentz's method.
"""

from __future__ import annotations

from math import copysign, exp, lgamma, log, log1p
from statistics import NormalDist

NORMAL = NormalDist()

_TINY = 1e-300
_CLOSE = 1e-16
_STIRLING = 100.0
"""From here on three terms of Stirling's series are exact to the last digit or two."""


def incomplete_beta(a: float, b: float, x: float, y: float | None = None) -> float:
    """I_x(a, b), for 0 <= x <= 1. ``y`` is 1 - x where the caller knows it more exactly."""
    y = 1.0 - x if y is None else y
    if x <= 0:
        return 0.0
    if y <= 0:
        return 1.0
    front = exp(a * (log(x) if x < 0.5 else log1p(-y)) + b * (log1p(-x) if x < 0.5 else log(y)) - _log_beta(a, b))
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(a, b, x) / a
    return 1.0 - front * _fraction(b, a, y) / b


def _log_beta(a: float, b: float) -> float:
    """The logarithm of B(a, b)."""
    small, large = sorted((a, b))
    return lgamma(small) - _log_gamma_step(large, small)


def _log_gamma_step(large: float, small: float) -> float:
    """The logarithm of Γ(large + small) / Γ(large)."""
    if large < _STIRLING:
        return lgamma(large + small) - lgamma(large)
    # the difference of two great logarithms loses the digits that matter: of Stirling's series nothing great is left
    both = large + small
    rest = 1 / (12 * both) - 1 / (12 * large) - (1 / (360 * both**3) - 1 / (360 * large**3))
    return (large - 0.5) * log1p(small / large) + small * log(both) - small + rest


def _fraction(a: float, b: float, x: float) -> float:
    c, d = 1.0, 1.0 / _apart(1.0 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, 10_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        step = 1.0
        for term in (even, odd):
            d = 1.0 / _apart(1.0 + term * d)
            c = _apart(1.0 + term / c)
            step = c * d
            value *= step
        if abs(step - 1.0) < _CLOSE * 4:
            break
    return value


def _apart(value: float) -> float:
    return value if abs(value) > _TINY else _TINY


def t_tail(t: float, df: float) -> float:
    """The probability that Student's t with ``df`` degrees of freedom is above ``t`` >= 0."""
    return incomplete_beta(df / 2, 0.5, df / (df + t * t), t * t / (df + t * t)) / 2


def t_quantile(p: float, df: float) -> float:
    """The value that Student's t with ``df`` degrees of freedom stays below with probability ``p``."""
    if p == 0.5:
        return 0.0
    tail = min(p, 1 - p)
    low, high = 0.0, 2.0
    while t_tail(high, df) > tail:
        low, high = high, high * 2
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if t_tail(middle, df) > tail else (low, middle)
    return copysign((low + high) / 2, p - 0.5)


def normal_quantile(p: float) -> float:
    """The value that a standard normal variable stays below with probability ``p``, cut at ±8.2."""
    return -8.2 if p <= 0 else 8.2 if p >= 1 else NORMAL.inv_cdf(p)
