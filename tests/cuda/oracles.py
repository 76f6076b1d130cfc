# SPDX-License-Identifier: Apache-2.0
"""What several tests of this folder compute their expected values with."""
from fractions import Fraction

import numpy as np


def rounded(value, kind, how):
    """The Fraction `value` as np.float32 or np.float64, rounded rn rz ru rd."""
    value = Fraction(value)
    near = kind(float(value))
    around = [np.nextafter(near, kind(-np.inf)), near,
              np.nextafter(near, kind(np.inf))]
    below = max(c for c in around if Fraction(float(c)) <= value)
    above = min(c for c in around if Fraction(float(c)) >= value)
    if how == "rz":
        how = "rd" if value >= 0 else "ru"
    if how != "rn":
        return below if how == "rd" else above
    low, high = value - Fraction(float(below)), Fraction(float(above)) - value
    if low != high:
        return below if low < high else above
    bits = below.view({4: np.uint32, 8: np.uint64}[below.itemsize])
    return below if int(bits) % 2 == 0 else above


def rounded_root(value, kind, how):
    """Its square root, likewise."""
    value = Fraction(float(value))
    near = kind(np.sqrt(float(value)))
    around = [np.nextafter(near, kind(0)), near,
              np.nextafter(near, kind(np.inf))]
    square = [Fraction(float(c)) ** 2 for c in around]
    below = max(c for c, s in zip(around, square) if s <= value)
    above = min(c for c, s in zip(around, square) if s >= value)
    if how in ("rz", "rd"):
        return below
    if how == "ru":
        return above
    middle = (Fraction(float(below)) + Fraction(float(above))) / 2
    return below if middle ** 2 >= value else above


def table(values, kind, hows=("rn", "rz", "ru", "rd")):
    """One row for each rounding."""
    return np.array([[rounded(v, kind, h) for v in values] for h in hows], kind)


def by_parts(function, x, size):
    """`function` of each part of `size` elements (the last may be shorter)."""
    return np.concatenate([function(x[i:i + size])
                           for i in range(0, len(x), size)])


def lanes(values, size=32):
    """Rows of `size` elements."""
    return np.asarray(values).reshape(-1, size)
