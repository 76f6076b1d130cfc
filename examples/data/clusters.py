#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes clusters.npy: points of the plane around five centres, for k-means.

    python3 examples/data/clusters.py examples/data/clusters.npy

The numbers are multiples of 1/64 from a generator that is written out here, so that
every version of NumPy makes the same file.
"""

import sys

import numpy as np

CENTRES = [(-6, -2), (-1, 5), (0, -4), (5, 3), (7, -3)]
POINTS = 300


def uniform(state):
    state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
    return state, (state >> 40) / 2**24


def points():
    state, rows = 1, []
    for i in range(POINTS):
        row = []
        for centre in CENTRES[i % len(CENTRES)]:
            total = 0.0
            for _ in range(6):  # a sum of six is nearly normal
                state, number = uniform(state)
                total += number - 0.5
            row.append(round((centre + 1.5 * total) * 64) / 64)
        rows.append(row)
    return np.array(rows, np.float32)


if __name__ == "__main__":
    np.save(sys.argv[1], points())
