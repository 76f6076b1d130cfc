// SPDX-License-Identifier: Apache-2.0
// TEST: shuffles of the whole warp, with every width, ranks and distances that leave their part
__global__ void shuffles(const int *x, int *out)
{
    int i = threadIdx.x, n = blockDim.x, k = 0;
    int v = x[i];
#define AT(width)                                                           \
    out[k++ * n + i] = __shfl_sync(0xffffffff, v, i * 3 + 5, width);          \
    out[k++ * n + i] = __shfl_sync(0xffffffff, v, 2, width);                  \
    out[k++ * n + i] = __shfl_up_sync(0xffffffff, v, 3, width);               \
    out[k++ * n + i] = __shfl_down_sync(0xffffffff, v, 1 + width / 4, width); \
    out[k++ * n + i] = __shfl_xor_sync(0xffffffff, v, 5, width)
    AT(1);
    AT(2);
    AT(4);
    AT(8);
    AT(16);
    AT(32);
    out[k++ * n + i] = __shfl_sync(0xffffffff, v, -1);
    out[k++ * n + i] = __shfl_up_sync(0xffffffff, v, 1);
    out[k++ * n + i] = __shfl_down_sync(~0u, v, 1);
    out[k++ * n + i] = __shfl_xor_sync(-1, v, 31);
}
// PY: def moved(p, width):
// PY:     r = np.arange(32)
// PY:     base, sub = r // width * width, r % width
// PY:     i = r
// PY:     pick = lambda source, ok: np.where(ok, p[np.clip(source, 0, 31)], p)
// PY:     d = 1 + width // 4
// PY:     x = r ^ 5
// PY:     return [p[base + (i * 3 + 5) % width], p[base + 2 % width], pick(r - 3, sub >= 3), pick(r + d, sub + d < width),
// PY:             pick(x, x // width <= r // width)]
// PY: def reference(x):
// PY:     out = []
// PY:     for p in x.reshape(-1, 32):
// PY:         rows = [m for w in (1, 2, 4, 8, 16, 32) for m in moved(p, w)]
// PY:         out.append(rows + [p[31] + 0 * p, np.r_[p[:1], p[:-1]], np.r_[p[1:], p[-1:]], p[::-1]])
// PY:     return np.concatenate(np.array(out), axis=1).ravel()
// LAUNCH: x[96]=random:1 out[3264]=zeros --block 96 --grid 1
// OUT: out = reference(in_x)
