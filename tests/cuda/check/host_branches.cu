// SPDX-License-Identifier: Apache-2.0
// TEST: numbers that host code changes in branches are followed: quotients that are rounded up, the smaller and the larger of two; other branches are not
// REF: docs/internals/check.md
// convert leaves out raised, in_braces, by_one, with_axis, by_product, product_of_other, of_other, of_none, twice, in_loop, two_steps, in_branch, nested, clamped, smaller, larger, behind: what the host computes stays behind
// check raised: proved
// check in_braces: proved
// check by_one: proved
// check with_axis: proved
// check by_product: proved
// check product_of_other: bug HD0702
// check of_other: bug HD0702
// check of_none: bug HD0702
// check twice: bug HD0702
// check in_loop: bug HD0702
// check two_steps: bug HD0702
// check in_branch: bug HD0702
// check nested: bug HD0702
// check clamped: proved
// check smaller: proved
// check larger: bug HD0702 line @larger
// check behind: bug HD0702
#include <stdlib.h>

// All blocks but the last one are full.
#define FULL(name)                                                \
    __global__ void name(float *x, int n)                         \
    {                                                             \
        int i = blockIdx.x * 256 + threadIdx.x;                   \
        if (blockIdx.x + 1 < gridDim.x || i < n)                  \
            x[i] = i;                                             \
    }

FULL(raised)
FULL(in_braces)
FULL(by_one)
FULL(with_axis)
FULL(by_product)
FULL(product_of_other)
FULL(of_other)
FULL(of_none)
FULL(twice)
FULL(in_loop)
FULL(two_steps)
FULL(in_branch)
FULL(nested)
FULL(behind)

// Of at most 64 blocks.
__global__ void clamped(float *sums, int n)
{
    if (threadIdx.x == 0)
        sums[blockIdx.x] = n;
}

__global__ void smaller(float *x, int n, int m)
{
    if (threadIdx.x < m && m <= n)
        x[threadIdx.x] = 0;
    if (m > n)
        x[n] = 0;
}

__global__ void larger(float *x, int n, int m)
{
    if (m < n)
        x[-1] = 0;
    if (threadIdx.x < m)
        x[threadIdx.x] = 0; //@larger
}

void halves(int n)
{
    float *x;
    cudaMalloc(&x, n * sizeof(float));
    int l = n / 256, more = 1;
    if (n % 256) {
        more = 300;
        l += more;
    }
    two_steps<<<l, 256>>>(x, n);
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), m = atoi(argv[2]), old = 1;
    float *x, *sums;
    cudaMalloc(&x, n * sizeof(float));
    cudaMalloc(&sums, 64 * sizeof(float));

    int a = n / 256;
    if (n % 256)
        a++;
    raised<<<a, 256>>>(x, n);

    int b = n / 256;
    if (n % 256 != 0) {
        b += 1;
        old = 2;
    }
    in_braces<<<b, 256>>>(x, n);

    int c;
    c = n >> 8;
    if ((n % 256) > 0)
        c = c + 1;
    by_one<<<c, 256>>>(x, n);

    dim3 grid, block(256);
    grid.x = n / block.x;
    if (n % block.x != 0)
        grid.x++;
    with_axis<<<grid, block>>>(x, n);

    int d = n / 256;
    if (d * 256 < n)
        ++d;
    by_product<<<d, 256>>>(x, n);

    int e = n / 256;
    if (e * 256 < m)
        e++;
    product_of_other<<<e, 256>>>(x, n);

    int f = n / 256;
    if (n % 512 != 256)
        f++;
    of_other<<<f, 256>>>(x, n);

    int g = n / 256;
    if (n % 256 == 0)
        g++;
    of_none<<<g, 256>>>(x, n);

    int h = n / 256;
    if (n % 256)
        h++;
    if (n % 256)
        h++;
    twice<<<h, 256>>>(x, n);

    int k = n / 256;
    for (int t = 0; t < m; t++)
        if (n % 256)
            k++;
    in_loop<<<k, 256>>>(x, n);

    halves(n);

    int o = n / 256;
    if (m > 5) {
        if (n % 256)
            o++;
    }
    o += m;
    in_branch<<<o, 256>>>(x, n);

    int p = n / 256;
    if (m > 5)
        p++;
    else if (n % 256)
        p++;
    nested<<<p, 256>>>(x, n);

    int q = (n + 255) / 256;
    if (q > 64)
        q = 64;
    clamped<<<q, 256>>>(sums, n);

    int r;
    if (n > 32)
        r = 32;
    else
        r = n;
    smaller<<<1, 64>>>(x, n, r);

    int s = n;
    if (s < 32)
        s = 32;
    larger<<<1, 64>>>(x, n, s);

    int u = n / 256;
    if (n % 256)
        u++;
    u = u * m;
    behind<<<u, 256>>>(x, n);
}
