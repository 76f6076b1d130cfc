// SPDX-License-Identifier: Apache-2.0
// TEST: shuffles and votes without a mask are those of all 32 lanes, by widths and in templates too
// NO-IR: warnings of the translation come from the CUDA C file
// NVCC: later hardware doesn't have them
template <class T> __device__ T sum(T v)
{
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down(v, d);
    return __shfl(v, 0);
}

__global__ void k(const int *x, int *out, double *all, int width)
{
    int i = threadIdx.x, n = blockDim.x, v = x[i];
    out[0 * n + i] = __shfl(v, i + 5);
    out[1 * n + i] = __shfl_up(v, 3, 8);
    out[2 * n + i] = __shfl_xor(v, 9);
    out[3 * n + i] = __shfl_down(v, 2, width);
    out[4 * n + i] = __any(v == 40) + 2 * __all(v < 64);
    out[5 * n + i] = (int)__ballot(v % 3 == 0);
    all[i] = sum(v * 0.5) + sum(v);
}
// PY: def reference(x, width):
// PY:     i, w = np.arange(len(x)), x.reshape(-1, 32)
// PY:     r = i % 32
// PY:     per = lambda f: np.repeat(np.array([f(v) for v in w]), 32)
// PY:     bits = lambda v: np.uint32(sum(1 << k for k in range(32) if v[k] % 3 == 0)).astype(np.int32)
// PY:     down = np.where(r % width + 2 < width, i + 2, i)
// PY:     return np.concatenate([x[i - r + (r + 5) % 32], x[np.where(i % 8 < 3, i, i - 3)], x[i ^ 9], x[np.minimum(down, len(x) - 1)],
// PY:         per(lambda v: int((v == 40).any()) + 2 * int((v < 64).all())), per(bits)])
// LAUNCH: x[128]=iota out[768]=zeros all[128]=zeros width=32 --block 128 --grid 1
// STDERR: HD1163
// OUT: out = reference(in_x, 32)
// OUT: all = np.repeat(in_x.reshape(-1, 32).sum(axis=1) * 1.5, 32)
// LAUNCH: x[128]=iota out[768]=zeros all[128]=zeros width=16 --block 128 --grid 1
// STDERR: HD1163
// OUT: out = reference(in_x, 16)
// OUT: all = np.repeat(in_x.reshape(-1, 32).sum(axis=1) * 1.5, 32)
