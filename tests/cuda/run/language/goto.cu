// SPDX-License-Identifier: Apache-2.0
// TEST: goto leads forwards, out of loops, switches and blocks, to labels of a block around it
// REF: docs/reference/cuda.md
// PY: def found(x, key):
// PY:     hit = [(i // 8) * 100 + i % 8 for i in range(64) if x[i] == key]
// PY:     return hit[0] if hit else -1
// LAUNCH: search --grid 1 --block 32 x[64]=iota y[32]=zeros
// OUT: y = [found(in_x, 5 * t) for t in range(32)]
// LAUNCH: skips --grid 1 --block 32 y[32]=zeros
// OUT: y = [{0: 7, 1: 1013, 2: 1103, 3: 1113}[t % 4] + (10000 if t % 8 > 3 else 0) for t in range(32)]
// LAUNCH: ends --grid 1 --block 32 y[32]=zeros n=20
// OUT: y = [(0 if t >= 20 else 1 if t % 3 == 0 else 2) for t in range(32)]
// LAUNCH: cleans --grid 1 --block 64 y[64]=zeros
// OUT: y = [(t if t % 2 else 0) + 63 - t + 100 for t in range(64)]
// LAUNCH: switches --grid 1 --block 32 y[32]=zeros
// OUT: y = [[1, 12, 203, 1204, 1205, 1206][min(t % 6, 5)] for t in range(32)]
// LAUNCH: turns --grid 1 --block 32 y[32]=zeros
// OUT: y = [sum(k for k in range(10) if (k + t) % 3) * 10 + sum((k + t) % 3 == 0 for k in range(10)) for t in range(32)]
// LAUNCH: returns --grid 1 --block 32 y[32]=zeros
// OUT: y = [(-t if t < 4 else t * t if t < 8 else t) for t in range(32)]
#include <cuda_runtime.h>

// Out of a nest of loops.
__global__ void search(const int *x, int *y)
{
    int t = threadIdx.x, at = -1;
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 8; j++) {
            if (x[i * 8 + j] == 5 * t) {
                at = i * 100 + j;
                goto done;
            }
        }
        at = -1;
    }
done:
    y[t] = at;
}

// Over statements, two labels, a variable that is declared on the way.
__global__ void skips(int *y)
{
    int t = threadIdx.x, v = 0;
    if (t % 4 == 0) {
        v = 7;
        goto second;
    }
    v = 1000;
    if (t % 4 == 1)
        goto first;
    v += 100;
    if (t % 4 == 2)
        goto first_but;
first:
    int more;
    v += 10;
first_but:
    more = 3;
    v += more;
second:
    more = 10000;
    if (t % 8 > 3)
        v += more;
    y[t] = v;
}

// To the end.
__global__ void ends(int *y, int n)
{
    int t = threadIdx.x;
    if (t >= n)
        goto end;
    y[t] = 1;
    if (t % 3 == 0)
        goto end;
    y[t] = 2;
end:;
}

// A common exit behind which threads meet.
__global__ void cleans(int *y)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = 0;
    if (t % 2 == 0)
        goto out;
    s[t] = t;
out:
    __syncthreads();
    y[t] = s[t] + 63 - t;
    __syncthreads();
    y[t] += 100;
}

// Out of a switch, inside of a loop and around one.
__global__ void switches(int *y)
{
    int t = threadIdx.x % 6, v = 0;
    switch (t) {
    case 0: v = 1; goto out;
    case 1: v = 2; break;
    case 2:
        for (int i = 0; i < 4; i++) {
            if (i == 3) {
                v = i;
                goto over;
            }
        }
        break;
    default:
        for (int i = 0;; i++) {
            switch (i) {
            case 4: break;
            default:
                if (i == t + 2)
                    goto both;
                v = 0;
            }
        }
    }
    v += 10;
    goto out;
both:
    v += 1001 + t;
over:
    v += 200;
out:
    y[threadIdx.x] = v;
}

// To the end of a turn, past `continue` and a block.
__global__ void turns(int *y)
{
    int t = threadIdx.x, sum = 0, left = 0;
    for (int k = 0; k < 10; k++) {
        {
            if ((k + t) % 3 == 0)
                goto next;
        }
        sum += k;
        continue;
    next:
        left++;
    }
    y[t] = sum * 10 + left;
}

template <class T> __device__ T value(T t)
{
    T result = t;
    if (t < 4)
        goto negative;
    while (true) {
        if (t >= 8)
            goto plain;
        result *= t;
        break;
    }
    return result;
negative:
    result = -result;
plain:
    return result;
}
__global__ void returns(int *y) { y[threadIdx.x] = value((int)threadIdx.x); }
