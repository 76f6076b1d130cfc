// SPDX-License-Identifier: Apache-2.0
// TEST: the raw forms of halves are their bits, whichever conversion makes one of the other
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ unsigned short bits_of(__half_raw raw)
{
    return raw.x;
}

__global__ void bits(unsigned short *out, __half h, float number)
{
    __nv_bfloat16 b = __float2bfloat16(number);
    __shared__ __half_raw shared[1];
    __half_raw copied = h, cast = __half_raw(h), direct(h), later, braced{0x3c00}, zero = {}, zeros[2] = {};
    later = h;
    shared[0] = h;
    unsigned short given[] = {copied.x, cast.x, direct.x, later.x, static_cast<__half_raw>(h).x, bits_of(h), shared[0].x};
    for (int i = 0; i < 7; i++)
        out[i] = given[i];
    __half back = braced, again = __half(braced);
    out[7] = (float)back == 1 && back == again;
    out[8] = zero.x + zeros[1].x;
    __nv_bfloat16_raw other = b;
    out[9] = other.x;
    out[10] = ((__nv_bfloat16_raw)b).x;
    __half2_raw two = __half2(h, back), both{0x3c00, 0x4000};
    out[11] = two.x;
    out[12] = two.y;
    out[13] = (unsigned short)__high2float(both);
    out[14] = ((__nv_bfloat162_raw)__nv_bfloat162(b, b)).y;
}
// LAUNCH: bits out[15]=zeros h=-2 number=3 --block 1 --grid 1
// OUT: out = np.array([0xc000] * 7 + [1, 0, 0x4040, 0x4040, 0xc000, 0x3c00, 2, 0x4040])

// Adds to a half by the word that it is in.
__device__ void add(__half *p, __half v)
{
    unsigned *word = (unsigned *)((char *)p - ((size_t)p & 2)), old = *word, seen;
    do {
        seen = old;
        __half_raw sum;
        sum.x = (size_t)p & 2 ? old >> 16 : old & 0xffff;
        sum = __half_raw(__hadd(__half(sum), v));
        old = (size_t)p & 2 ? (old & 0xffff) | (sum.x << 16) : (old & 0xffff0000) | sum.x;
        old = atomicCAS(word, seen, old);
    } while (seen != old);
}

__global__ void sums(__half *x, const __half *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        add(x + i % 5, y[i]);
}
// LAUNCH: sums x[6]=full:0.5 y[100]=full:2 n=100 --block 64 --grid 2
// OUT: x = np.array([40.5] * 5 + [0.5])
