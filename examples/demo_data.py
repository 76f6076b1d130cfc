# SPDX-License-Identifier: Apache-2.0
"""Makes the inputs of demo.sh: python3 demo_data.py FOLDER."""

import os
import sys

import numpy as np

folder = sys.argv[1]
rng = np.random.default_rng(2024)


def save(name, array):
    np.save(os.path.join(folder, name + ".npy"), array)


def floats(*shape):
    return rng.random(shape, dtype=np.float32)


save("x", floats(16_000_003))
save("y", floats(16_000_003))
save("A", floats(500, 300) - np.float32(0.5))
save("B", floats(300, 400) - np.float32(0.5))
save("plate", floats(3000, 4000))
save("bytes", rng.binomial(255, 0.4, 1_000_000).astype(np.uint8))
save("million", floats(1_000_000))
save("words", rng.integers(0, 1000, 1_000_000, dtype=np.uint32))
save("unsorted", rng.integers(-2**31, 2**31, 16384).astype(np.int32))
save("spot", 5 + 25 * floats(1_000_000))
save("strike", 1 + 99 * floats(1_000_000))
save("years", np.float32(0.25) + 9 * floats(1_000_000))
save("body", floats(2048, 4))
save("speed", np.zeros((2048, 4), np.float32))
