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


WRAP, CLAMP, MIRROR, BORDER = range(4)


def _place(x, n, address, normalized):
    """Where a coordinate lies along an axis of n texels, as CUDA says."""
    x = np.asarray(x, np.float32)
    one = np.float32(1)
    if normalized:
        whole = np.floor(x)
        if address == WRAP:
            x = x - whole
        elif address == MIRROR:
            x = np.where(whole % 2 == 0, x - whole, one - (x - whole))
        x = (x * np.float32(n)).astype(np.float32)
    return x


def _texels(img, index, address, normalized):
    """Rows of the array `img`, by numbers along its first axis."""
    n = len(img)
    inside = (index >= 0) & (index < n)
    if address == WRAP and normalized:
        index = index % n
    elif address != BORDER:
        index = np.clip(index, 0, n - 1)
    found = img[np.clip(index, 0, n - 1)]
    if address != BORDER:
        return found
    return np.where(inside.reshape(inside.shape + (1,) * (img.ndim - 1)),
                    found, np.zeros_like(found))


def sampled(img, places, linear=False, normalized=False, address=(0, 0, 0)):
    """What a texture gives at `places`, arrays of coordinates x, y, z.

    `img` has one axis for each, the last is x; texels are numbers.
    """
    img = np.asarray(img)
    if len(places) == 0:
        return img
    axis, n = len(places) - 1, img.shape[0]
    at = _place(places[axis], n, address[axis], normalized)
    at = np.clip(at, np.float32(-1), np.float32(n + 1))

    def rest(index):
        rows = _texels(img, index, address[axis], normalized)
        if axis == 0:
            return rows
        return np.array([sampled(row, [p[i:i + 1] for p in places[:-1]],
                                 linear, normalized, address)[0]
                         for i, row in enumerate(rows)])
    if not linear:
        return rest(np.floor(at).astype(int))
    fixed = np.floor((at - np.float32(0.5)) * np.float32(256) + np.float32(0.5))
    first = np.floor(fixed / 256).astype(int)
    weight = (fixed / 256 - first).astype(np.float32)
    a, b = (rest(first + i).astype(np.float32) for i in (0, 1))
    return (np.float32(1) - weight) * a + weight * b
