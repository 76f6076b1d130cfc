#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a sparse matrix: the stiffness matrix of linear finite elements.

    stiffness.py N FOLDER

The domain is the unit disc with a hole, cut out of a grid of N x N squares whose
inner corners are moved a little and which are halved into triangles; the value
is fixed at the border. row.npy, column.npy and value.npy are the matrix in
compressed rows, b.npy is the load of a force of 1.
"""

import os
import sys

import numpy as np


def mesh(n):
    """Corners (x, y), and triangles as three corners each."""
    step = 2.0 / n
    i, j = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    wave = 0.25 * step * np.sin(12.9898 * i + 78.233 * j)
    other = 0.25 * step * np.cos(39.346 * i + 11.135 * j)
    points = np.stack([i * step - 1 + wave, j * step - 1 + other], axis=-1)
    a = (i * (n + 1) + j)[:-1, :-1].ravel()
    b, c, d = a + n + 1, a + n + 2, a + 1
    triangles = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
    points = points.reshape(-1, 2)
    centre = points[triangles].mean(axis=1)
    radius = np.hypot(centre[:, 0], centre[:, 1])
    hole = np.hypot(centre[:, 0] - 0.3, centre[:, 1]) < 0.2
    return points, triangles[(radius < 1) & ~hole]


def border(triangles):
    """Corners of edges that belong to one triangle only."""
    edges = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]],
                            triangles[:, [2, 0]]])
    edges.sort(axis=1)
    unique, count = np.unique(edges, axis=0, return_counts=True)
    return np.unique(unique[count == 1])


def assemble(points, triangles):
    """The matrix as {(i, j): value}, and the load, over all corners."""
    entries, load = {}, np.zeros(len(points))
    for corners in triangles:
        p = points[corners]
        edge = np.stack([p[2] - p[1], p[0] - p[2], p[1] - p[0]])
        area = abs(edge[0, 0] * edge[1, 1] - edge[0, 1] * edge[1, 0]) / 2
        local = edge @ edge.T / (4 * area)
        load[corners] += area / 3
        for k, i in enumerate(corners):
            for l, j in enumerate(corners):
                entries[i, j] = entries.get((i, j), 0.0) + local[k, l]
    return entries, load


def main():
    n, folder = int(sys.argv[1]), sys.argv[2]
    points, triangles = mesh(n)
    fixed = set(border(triangles).tolist())
    free = [i for i in np.unique(triangles).tolist() if i not in fixed]
    number = {corner: k for k, corner in enumerate(free)}
    entries, load = assemble(points, triangles)
    rows = [[] for _ in free]
    for (i, j), value in entries.items():
        if i in number and j in number:
            rows[number[i]].append((number[j], value))
    row = np.cumsum([0] + [len(r) for r in rows])
    flat = [entry for r in rows for entry in sorted(r)]
    arrays = {"row": row.astype(np.int32),
              "column": np.array([e[0] for e in flat], np.int32),
              "value": np.array([e[1] for e in flat], np.float64),
              "b": load[free]}
    for name, array in arrays.items():
        np.save(os.path.join(folder, name + ".npy"), array)
    print(f"n={len(free)} m={len(flat)}")


if __name__ == "__main__":
    main()
