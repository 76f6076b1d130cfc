// SPDX-License-Identifier: Apache-2.0
// TEST: loops around atomicCAS build operations that don't exist, of 32 and 64 bits
__device__ float atomic_max(float *p, float v)
{
    int *bits = (int *)p, old = *bits, seen;
    do {
        seen = old;
        old = atomicCAS(bits, seen, __float_as_int(fmaxf(v, __int_as_float(seen))));
    } while (seen != old);
    return __int_as_float(old);
}

__device__ double atomic_multiply(double *p, double v)
{
    unsigned long long *bits = reinterpret_cast<unsigned long long *>(p);
    unsigned long long old = *bits, seen;
    do {
        seen = old;
        old = atomicCAS(bits, seen, __double_as_longlong(v * __longlong_as_double(seen)));
    } while (seen != old);
    return __longlong_as_double(old);
}

__global__ void swaps(const float *x, float *largest, double *product, int *locked)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomic_max(largest, x[i]);
    if (i % 16 == 0)
        atomic_multiply(product, i % 32 ? 0.5 : 4.0);
    if (threadIdx.x == 0) {
        while (atomicCAS(&locked[0], 0, 1) != 0) {
        }
        __threadfence();
        *(volatile int *)&locked[1] = *(volatile int *)&locked[1] + 3;
        __threadfence();
        atomicExch(&locked[0], 0);
    }
}
// LAUNCH: x[384]=random:1 largest[1]=zeros product[1]=full:1 locked[2]=zeros --grid 6 --block 64
// OUT: largest = in_x.max()
// OUT: product = 2.0**12
// OUT: locked = np.array([0, 18])
