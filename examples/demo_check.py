# SPDX-License-Identifier: Apache-2.0
"""Compares results of demo.sh with NumPy: python3 demo_check.py FOLDER NAME."""

import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "tests"))
from png import read_png  # noqa: E402

FOLDER, NAME = sys.argv[1:]


def load(name):
    return np.load(os.path.join(FOLDER, name + ".npy"))


def wide(name):
    return load(name).astype(np.float64)


def normal(d):
    """The normal distribution to 1e-7: Abramowitz and Stegun, 26.2.17."""
    t = 1 / (1 + 0.2316419 * np.abs(d))
    tail = t * (0.319381530 + t * (-0.356563782 + t * (
        1.781477937 + t * (-1.821255978 + t * 1.330274429))))
    tail *= np.exp(-d * d / 2) / np.sqrt(2 * np.pi)
    return np.where(d > 0, 1 - tail, tail)


def options():
    s, k, t, r, v = wide("spot"), wide("strike"), wide("years"), 0.02, 0.3
    d1 = (np.log(s / k) + (r + v * v / 2) * t) / (v * np.sqrt(t))
    d2 = d1 - v * np.sqrt(t)
    k = k * np.exp(-r * t)
    return (s * normal(d1) - k * normal(d2), k * normal(-d2) - s * normal(-d1))


def bodies():
    body, dt = wide("body"), 0.01
    moved, speed = body.copy(), wide("speed")
    for first in range(0, len(body), 256):
        mine = slice(first, first + 256)
        d = body[None, :, :3] - body[mine, None, :3]
        pull = body[None, :, 3] * ((d * d).sum(2) + 0.01) ** -1.5
        speed[mine, :3] += (d * pull[:, :, None]).sum(1) * dt
    moved[:, :3] += speed[:, :3] * dt
    return moved, speed


def jacobi():
    u = load("plate")
    v = u.copy()
    v[1:-1, 1:-1] = np.float32(0.25) * (u[:-2, 1:-1] + u[2:, 1:-1]
                                        + u[1:-1, :-2] + u[1:-1, 2:])
    return v


def mandelbrot(width=1200, height=800, limit=256):
    f = np.float32
    step = f(2) * f(1.3) / f(height)
    x0 = f(-0.65) + (np.arange(width) - width // 2).astype(f) * step
    y0 = f(0) + (height // 2 - np.arange(height)).astype(f) * step
    x0, y0 = (a.ravel() for a in np.meshgrid(x0, y0))
    count, at = np.zeros(x0.size, int), np.arange(x0.size)
    x, y = np.zeros_like(x0), np.zeros_like(y0)
    for _ in range(limit):
        keep = x * x + y * y < 4
        at, x, y, x0, y0 = (a[keep] for a in (at, x, y, x0, y0))
        count[at] += 1
        x, y = x * x - y * y + x0, f(2) * x * y + y0
    count = count.reshape(height, width, 1)
    wave = count * np.array([2, 4, 8]) & 511
    return np.where(count >= limit, 0, np.where(wave < 256, wave, 511 - wave))


def blurred(image):
    weights = [1, 8, 28, 56, 70, 56, 28, 8, 1]
    height, width = image.shape[:2]
    p = np.pad(image.astype(int), ((4, 4), (4, 4), (0, 0)), mode="edge")
    p = sum(k * p[:, i:i + width] for i, k in enumerate(weights))
    p = sum(k * p[i:i + height] for i, k in enumerate(weights))
    return (p + 32768) >> 16


def edges(image):
    p = (image.astype(int) @ np.array([77, 150, 29]) + 128) >> 8
    height, width = p.shape
    p = np.pad(p, 1, mode="edge")

    def at(i, j):
        return p[i:i + height, j:j + width]

    across = (at(0, 2) + 2 * at(1, 2) + at(2, 2)
              - at(0, 0) - 2 * at(1, 0) - at(2, 0))
    down = (at(2, 0) + 2 * at(2, 1) + at(2, 2)
            - at(0, 0) - 2 * at(0, 1) - at(0, 2))
    slope = np.sqrt((across ** 2 + down ** 2).astype(np.float32))
    return np.minimum(255, (slope + np.float32(0.5)).astype(int))


def picture(name):
    """A PNG holds what the .npy of the same run holds."""
    return read_png(os.path.join(FOLDER, name + ".png")), load(name)


def pairs():
    """(what, got, wanted, tolerance); 0: every bit counts."""
    if NAME == "saxpy":
        want = (2.5 * wide("x") + wide("y")).astype(np.float32)
        return [("y", load("saxpy"), want, 1e-7)]
    if NAME == "matmul":
        return [("C", load("C"), wide("A") @ wide("B"), 1e-4)]
    if NAME == "transpose":
        return [("B", load("transposed"), load("plate").T, 0)]
    if NAME == "histogram":
        return [("counts", load("counts"),
                 np.bincount(load("bytes"), minlength=256), 0)]
    if NAME == "reduce":
        return [("sum", load("sum"), wide("million").sum(), 1e-6)]
    if NAME == "scan":
        x = load("words").astype(np.int64)
        return [("y", load("scan"), np.cumsum(x) - x, 0)]
    if NAME == "sort":
        return [("data", load("sorted"), np.sort(load("unsorted")), 0)]
    if NAME == "black_scholes":
        call, put = options()
        return [("call", load("call"), call, 1e-4),
                ("put", load("put"), put, 1e-4)]
    if NAME == "nbody":
        moved, speed = bodies()
        return [("moved", load("moved"), moved, 1e-4),
                ("new_speed", load("new_speed"), speed, 1e-3)]
    if NAME == "jacobi":
        return [("v", load("jacobi"), jacobi(), 0)]
    if NAME == "mandelbrot":
        return [("image", load("mandelbrot"), mandelbrot(), 0),
                ("its PNG", *picture("mandelbrot"), 0)]
    if NAME == "photograph":
        image = read_png(os.path.join(HERE, "data", "chelsea.png"))
        return [("blurred", load("blurred"), blurred(image), 0),
                ("edges", load("edges"), edges(image), 0),
                ("blurred.png", *picture("blurred"), 0),
                ("edges.png", *picture("edges"), 0)]
    sys.exit(f"demo_check: no check is called '{NAME}'")


def main():
    for what, got, want, tolerance in pairs():
        want = np.broadcast_to(want, got.shape)
        if tolerance:
            scale = np.maximum(np.abs(want), 1)
            worst = float((np.abs(got - want) / scale).max())
            is_right, how = worst <= tolerance, f"worst error {worst:.1e}"
        else:
            is_right, how = np.array_equal(got, want), "every element equal"
        shape = " x ".join(map(str, got.shape))
        if not is_right:
            sys.exit(f"{what} ({shape}): WRONG, unlike NumPy: {how}")
        print(f"{what} ({shape}): checked against NumPy: ok, {how}")


main()
