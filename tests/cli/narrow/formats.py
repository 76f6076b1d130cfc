# SPDX-License-Identifier: Apache-2.0
"""Short number formats by their tables of values: what casts must give."""
import math
from fractions import Fraction

import numpy as np

MODES = ["", "rn", "rz", "ru", "rd"]
# Exponent bits, mantissa bits, bias, and what lies above the finite numbers:
# infinity and NaNs, the same though casts saturate, one NaN, nothing.
FORMATS = {
    "half": (5, 10, 15, "ieee"), "bfloat16": (8, 7, 127, "ieee"),
    "tf32": (8, 10, 127, "ieee"), "fp8_e4m3": (4, 3, 7, "nan"),
    "fp8_e5m2": (5, 2, 15, "saturates"), "fp4_e2m1": (2, 1, 1, "none"),
    "fp6_e2m3": (2, 3, 1, "none"), "fp6_e3m2": (3, 2, 3, "none"),
}
FLOATS = [*FORMATS, "fp8_e8m0"]
WIDTHS = {"fp4_e2m1": 4, "fp6_e2m3": 6, "fp6_e3m2": 6, "fp8_e8m0": 8}
PACKED_INTS = [f"{u}int{w}_p" for u in ("", "u") for w in range(1, 8)]
WIDTHS.update({name: int(name[-3]) for name in PACKED_INTS})


def decode(name):
    """The values of all codes."""
    if name == "fp8_e8m0":
        values = np.ldexp(1.0, np.arange(256) - 127)
        values[255] = np.nan
        return values
    e, m, bias, top = FORMATS[name]
    code = np.arange(1 << (1 + e + m))
    sign = np.where(code >> (e + m) & 1, -1.0, 1.0)
    exponent, fraction = code >> m & (1 << e) - 1, code & (1 << m) - 1
    values = sign * np.where(
        exponent == 0, np.ldexp(fraction / 2.0**m, 1 - bias),
        np.ldexp(1 + fraction / 2.0**m, exponent - bias))
    is_top = exponent == (1 << e) - 1
    if top in ("ieee", "saturates"):
        values = np.where(is_top, np.where(fraction == 0, sign * np.inf, np.nan), values)
    if top == "nan":
        values = np.where(is_top & (fraction == (1 << m) - 1), np.nan, values)
    return values


def goes_up(mode, above_half, is_negative):
    return {"": above_half, "rn": above_half, "rz": np.zeros_like(above_half),
            "ru": ~is_negative, "rd": is_negative}[mode]


def encode_e8m0(x, mode):
    powers = decode("fp8_e8m0")[:255]
    a = np.where(x < 0, 0, x)
    low = np.clip(np.searchsorted(powers, a, "right") - 1, 0, 254)
    middle = powers[low] * 1.5
    up = goes_up(mode, (a > middle) | ((a == middle) & (low % 2 == 1)), x < 0)
    up = up & (a > powers[low]) & np.isfinite(a)
    code = np.where(np.isinf(a), 254, np.minimum(low + up, 254))
    return np.where(np.isnan(x), 255, code).astype(np.uint32)


def encode(name, x, mode="", overflows=False):
    """Codes of doubles: the neighbours in the table of values decide."""
    x = np.asarray(x, np.float64)
    if name == "fp8_e8m0":
        return encode_e8m0(x, mode)
    e, m, _, top = FORMATS[name]
    values = decode(name)[:1 << (e + m)]
    values = values[np.isfinite(values)]
    n, a, is_negative = len(values), np.abs(x), np.signbit(x)
    low = np.clip(np.searchsorted(values, a, "right") - 1, 0, n - 1)
    above = np.append(values, 2 * values[-1] - values[-2])
    middle = (above[low] + above[low + 1]) / 2
    up = goes_up(mode, (a > middle) | ((a == middle) & (low % 2 == 1)), is_negative)
    code = low + (up & (a > values[low]) & np.isfinite(a))
    code = np.where(np.isinf(a), n, code)
    if top == "none" or (top != "ieee" and not overflows):
        code = np.minimum(code, n - 1)
    nan = {"none": n - 1, "nan": n}.get(top, n | 1 << (m - 1))
    code = np.where(np.isnan(x), nan, code)
    if top == "none":
        is_negative = is_negative & ~np.isnan(x)
    return (code | is_negative.astype(np.int64) << (e + m)).astype(np.uint32)


def to_integers(x, mode, low, high):
    """Of doubles, saturating, NaN is 0; beyond 2^53 by fractions."""
    if -2**52 <= low and high <= 2**52:
        how = {"": np.trunc, "rz": np.trunc, "rn": np.round, "ru": np.ceil,
               "rd": np.floor}[mode]
        return np.nan_to_num(np.clip(how(x), low, high)).astype(np.int64)
    how = {"": math.trunc, "rz": math.trunc, "rn": round, "ru": math.ceil,
           "rd": math.floor}[mode]
    result = []
    for value in map(float, x):
        if math.isinf(value):
            result.append(high if value > 0 else low)
        else:
            whole = 0 if math.isnan(value) else how(Fraction(value))
            result.append(min(max(whole, low), high))
    return np.array(result, dtype=object)


def integer_range(name):
    width = WIDTHS[name]
    return (0, 2**width - 1) if name[0] == "u" else (-2**(width - 1), 2**(width - 1) - 1)


def numbers(name, codes):
    """The numbers of a packed type's codes."""
    codes = np.asarray(codes)
    if name in FLOATS:
        return decode(name)[codes]
    width = WIDTHS[name]
    is_negative = (codes >> (width - 1) & 1) * (name[0] != "u")
    return codes.astype(np.int64) - (is_negative.astype(np.int64) << width)


def pack(codes, width):
    """Rows of codes as rows of bytes."""
    codes = np.asarray(codes, np.uint32)
    bits = (codes[..., None] >> np.arange(width) & 1).astype(np.uint8)
    return np.packbits(bits.reshape(*codes.shape[:-1], -1), axis=-1, bitorder="little")


def unpack(rows, width, n):
    bits = np.unpackbits(rows, axis=-1, bitorder="little")[..., :n * width]
    bits = bits.reshape(*rows.shape[:-1], n, width).astype(np.uint32)
    return (bits << np.arange(width)).sum(-1)
