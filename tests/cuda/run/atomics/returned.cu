// SPDX-License-Identifier: Apache-2.0
// TEST: atomics return what was there before: each thread sees another value
__global__ void returned(int *seen, unsigned *ring, int *last, float *swapped, int *counts)
{
    __shared__ unsigned up, down, turn;
    __shared__ int next, chain;
    __shared__ float place;
    int i = threadIdx.x, n = blockDim.x;
    if (i == 0) {
        up = 0;
        down = 5;
        turn = 0;
        next = 100;
        chain = -1;
        place = -1.0f;
    }
    __syncthreads();
    seen[atomicAdd(&next, 1) - 100] = 1;
    atomicAdd(&counts[atomicInc(&up, 6)], 1);
    atomicAdd(&counts[8 + atomicDec(&down, 5)], 1);
    ring[atomicInc(&turn, n - 1)] = 7;
    int before = atomicExch(&chain, i);
    if (before >= 0)
        last[before] = 1;
    float old = atomicExch(&place, (float)i);
    if (old >= 0.0f)
        swapped[(int)old] = 1.0f;
    __syncthreads();
    if (i == 0) {
        last[chain] = 1;
        swapped[(int)place] = 1.0f;
        counts[15] = (int)up + 100 * (int)down + next;
    }
}
// PY: def counts(n):
// PY:     c = np.zeros(16, int)
// PY:     c[:7] = [(n - k + 6) // 7 for k in range(7)]
// PY:     c[8:14] = [(n - (5 - k) + 5) // 6 for k in range(6)]
// PY:     c[15] = n % 7 + 100 * (5 - n % 6) + 100 + n
// PY:     return c
// LAUNCH: seen[70]=zeros ring[70]=zeros last[70]=zeros swapped[70]=zeros counts[16]=zeros --block 70 --grid 1
// OUT: seen = 1
// OUT: ring = 7
// OUT: last = 1
// OUT: swapped = 1
// OUT: counts = counts(70)
