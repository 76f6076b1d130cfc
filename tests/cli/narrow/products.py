# SPDX-License-Identifier: Apache-2.0
"""Products with scales, of tf32 and of split operands against doubles."""
import subprocess

import numpy as np
from formats import decode, encode, unpack

PROGRAM = """
kernel void k(const fp4_e2m1 a[2][32][64], const fp8_e8m0 sa[2][32][2],
              const fp4_e2m1 b[64][32], const fp8_e8m0 sb[2][32], float mx[2][32][32],
              const fp8_e4m3 na[32][4], const fp8_e4m3 nb[4][32], float nv[32][32],
              const fp6_e3m2 b6[64][32], float mixed[32][32], const float x[32][64],
              const float y[64][32], float two[32][32], float three[32][32],
              const tf32 tx[32][64], float tensor[32][32]) grid(1)
{
    tile float zero[32][32] = 0;
    mx[:][:][:] = mma_scaled(a[:][:][:], sa[:][:][:], b[:][:], sb[:][:], zero);
    nv[:][:] = mma_scaled(a[0][:][:], na[:][:], b[:][:], nb[:][:], ones(float, 32, 32));
    mixed[:][:] = mma_scaled(a[1][:][:], sa[1][:][:], b6[:][:], sb[:][:], zero);
    two[:][:] = mma(split2(x[:][:]), split2(y[:][:]), zero);
    three[:][:] = dot(split3(x[:][:]), split3(y[:][:]));
    tensor[:][:] = mma(tx[:][:], cast(tf32, y[:][:]), zero);
}
"""


def main():
    rng = np.random.RandomState(1)
    shapes = {"a": (2, 32, 32), "b": (64, 16), "b6": (64, 24), "sa": (2, 32, 2),
              "sb": (2, 32), "na": (32, 4), "nb": (4, 32)}
    ranges = {"sa": (0, 120), "sb": (100, 255), "na": (0, 120), "nb": (128, 250)}
    given = {n: rng.randint(*ranges.get(n, (0, 256)), s).astype(np.uint8)
             for n, s in shapes.items()}
    x = rng.randn(32, 64).astype(np.float32)
    y = (rng.randn(64, 32) * np.exp2(rng.randint(-9, 9, (64, 32)))).astype(np.float32)
    x[0, 0] = 3.4e38  # beyond the largest bfloat16 when it is rounded
    y[0, :] = 1e-3
    for name, array in {**given, "x": x, "y": y}.items():
        np.save(f"{name}.npy", array.view("V1") if name in ("na", "nb") else array)
    with open("products.hd", "w", encoding="utf-8") as file:
        file.write(PROGRAM)
    outs = ["mx", "nv", "mixed", "two", "three", "tensor"]
    words = [w for n in [*given, "x", "y"] for w in [f"{n}=@{n}.npy"]]
    subprocess.run(["heddle", "run", "products.hd", *words, "tx=@x.npy",
                    *[w for o in outs for w in ("--save", f"{o}=o_{o}.npy")]], check=True)
    a = decode("fp4_e2m1")[unpack(given["a"], 4, 64)]
    b = decode("fp4_e2m1")[unpack(given["b"], 4, 32)]
    b6 = decode("fp6_e3m2")[unpack(given["b6"], 6, 32)]
    sa = np.repeat(decode("fp8_e8m0")[given["sa"]], 32, -1)
    sb = np.repeat(decode("fp8_e8m0")[given["sb"]], 32, 0)
    na = np.repeat(np.abs(decode("fp8_e4m3")[given["na"]]), 16, 1)
    nb = np.repeat(np.abs(decode("fp8_e4m3")[given["nb"]]), 16, 0)
    wide, tall = x.astype(np.float64), y.astype(np.float64)
    cut = (x.view(np.uint32) & 0xffffe000).view(np.float32).astype(np.float64)
    near = decode("tf32")[encode("tf32", tall)]
    operands = {"mx": (a * sa, b * sb), "nv": (a[0] * na, b * nb),
                "mixed": (a[1] * sa[1], b6 * sb), "two": (wide, tall),
                "three": (wide, tall), "tensor": (cut, near)}
    # Beside sums in float: what the parts leave out.
    left_out = {"two": 2.0**-16, "three": 2.0**-25}
    n_added = {"two": 3 * 64, "three": 6 * 64}
    wrong = 0
    for name, (left, right) in operands.items():
        start = 1 if name == "nv" else 0
        size = np.abs(left) @ np.abs(right) + start
        n = n_added.get(name, 64)
        bound = size * (left_out.get(name, 0) + 1.01 * n * 2.0**-24) + 2.0**-149
        got = np.load(f"o_{name}.npy").astype(np.float64)
        error = np.abs(got - (left @ right + start))
        if not (error <= bound).all():
            print(f"{name}: {np.max(error / bound)} times the bound")
            wrong += 1
    print(f"{wrong} wrong")


main()
