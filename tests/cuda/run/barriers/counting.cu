// SPDX-License-Identifier: Apache-2.0
// TEST: __syncthreads_count, _and and _or, whole and ragged blocks
__global__ void counting(const int *x, int *out)
{
    int i = threadIdx.x, n = blockDim.x;
    out[0 * n + i] = __syncthreads_count(x[i] % 3 == 0);
    out[1 * n + i] = __syncthreads_and(x[i] < 1000) != 0;
    out[2 * n + i] = __syncthreads_or(x[i] == 77) != 0;
    out[3 * n + i] = __syncthreads_and(i >= 0 && x[i] != 5) != 0;
}
// PY: def reference(x): return np.repeat([int((x % 3 == 0).sum()), (x < 1000).all(), (x == 77).any(), (x != 5).all()], len(x))
// LAUNCH: x[128]=iota out[512]=zeros --block 128 --grid 1
// LAUNCH: x[75]=iota out[300]=zeros --block 75 --grid 1
// LAUNCH: x[1]=full:5 out[4]=zeros --block 1 --grid 1
// OUT: out = reference(in_x)
