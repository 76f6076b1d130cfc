// SPDX-License-Identifier: Apache-2.0
// TEST: the load that begins a loop of compare and swap races with stores, not with the swaps
// check-args: --block 64 --grid 2
// check doubles: proved
// check floats: proved
// check elements: proved
// check again: proved
// check other_place: bug HD0601 line @other
// check other_variable: bug HD0601 line @variable
// check stored: bug HD0601 line @store other @swap

__global__ void doubles(double *sum, double v)
{
    // heddle: requires 1 <= len(sum)
    unsigned long long *bits = (unsigned long long *)sum, old = *bits, seen;
    do {
        seen = old;
        old = atomicCAS(bits, seen, __double_as_longlong(v + __longlong_as_double(seen)));
    } while (seen != old);
}

__device__ float atomic_max(float *p, float v)
{
    float old = *p, seen;
    while (old < v) {
        seen = old;
        old = __int_as_float(atomicCAS((int *)p, __float_as_int(seen), __float_as_int(v)));
        if (seen == old)
            break;
    }
    return old;
}

__global__ void floats(float *most)
{
    // heddle: requires 1 <= len(most)
    __shared__ float own;
    if (threadIdx.x == 0)
        own = 0;
    __syncthreads();
    atomic_max(&own, threadIdx.x);
    atomic_max(most, threadIdx.x);
}

__global__ void elements(int *x)
{
    // heddle: requires 4 <= len(x)
    int old = x[threadIdx.x % 4], seen;
    do {
        seen = old;
        old = atomicCAS(&x[threadIdx.x % 4], seen, seen + 1);
    } while (seen != old);
}

__global__ void again(int *x)
{
    // heddle: requires 1 <= len(x)
    for (;;) {
        int seen = *x;
        if (atomicCAS(x, seen, seen + 1) == seen)
            break;
    }
}

__global__ void other_place(int *x)
{
    // heddle: requires 2 <= len(x)
    int old = x[1], seen; //@other
    do {
        seen = old;
        old = atomicCAS(&x[0], seen, seen + 1);
    } while (seen != old);
    atomicAdd(&x[1], 1);
}

__global__ void other_variable(int *x)
{
    // heddle: requires 1 <= len(x)
    int v = x[0]; //@variable
    int old = 0, seen;
    do {
        seen = old;
        old = atomicCAS(x, seen, seen + v);
    } while (seen != old);
}

__global__ void stored(int *x)
{
    // heddle: requires 1 <= len(x)
    int old = *x, seen;
    do {
        seen = old;
        old = atomicCAS(x, seen, seen + 1); //@swap
    } while (seen != old);
    x[0] = threadIdx.x; //@store
}
