// SPDX-License-Identifier: Apache-2.0
// TEST: shuffles and votes of the threads that a mask names, in branches and with ragged warps
__global__ void masks(const int *x, int n, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
    unsigned mask = __ballot_sync(0xffffffff, i < n);
    if (i < n) {
        int v = x[i];
        out[0 * n + i] = __shfl_sync(mask, v, 0);
        out[1 * n + i] = __any_sync(mask, v > 900000000);
        out[2 * n + i] = (int)__ballot_sync(mask, v & 1);
    }
    if (lane < 16) {
        int v = lane * lane;
        for (int d = 8; d > 0; d /= 2)
            v += __shfl_down_sync(0x0000ffff, v, d, 16);
        if (i < n)
            out[3 * n + i] = __shfl_sync(0xffff, v, 0, 16);
    } else {
        int v = lane, total = __shfl_xor_sync(0xffff0000, v, 1);
        __syncwarp(0xffff0000);
        if (i < n)
            out[3 * n + i] = total;
    }
    if (lane % 4 == 1) {
        unsigned odd = 0x22222222;
        int next = __shfl_sync(odd, lane * 10, (lane + 4) % 32);
        next += __all_sync(odd, lane > 0) * 1000;
        if (i < n)
            out[4 * n + i] = next;
    }
}
// PY: def reference(x, n):
// PY:     out = np.zeros((5, n), np.int64)
// PY:     for b in range(0, n, 32):
// PY:         p = x[b:b + 32].astype(np.int64)
// PY:         out[0, b:b + 32] = p[0]
// PY:         out[1, b:b + 32] = (p > 900000000).any()
// PY:         out[2, b:b + 32] = int(sum(1 << k for k in range(len(p)) if p[k] & 1))
// PY:     lane = np.arange(n) % 32
// PY:     out[3] = np.where(lane < 16, sum(k * k for k in range(16)), lane ^ 1)
// PY:     out[4] = np.where(lane % 4 == 1, (lane + 4) % 32 * 10 + 1000, 0)
// PY:     out[2] = out[2].astype(np.uint32).view(np.int32)
// PY:     return out.ravel()
// LAUNCH: n=150 x[150]=random:1 out[750]=zeros --grid 3 --block 64
// LAUNCH: n=64 x[64]=random:2 out[320]=zeros --grid 1 --block 64
// OUT: out = reference(in_x, n)
