// SPDX-License-Identifier: Apache-2.0
// TEST: an assertion about arguments is judged by the launch that is there, and open without one
// REF: docs/errors/HD0705.md
// check-args: --assume 32<=len(x) --assume 32<=len(y)
// check launched: bug HD0705 line @launched
// check launched_right: proved
// check not_launched: unknown HD0705 line @not_launched a requirement on the launch
#include <cassert>

__global__ void launched(const int *x, int *y, int n)
{
    assert(n % 3 == 0); //@launched
    y[threadIdx.x] = x[threadIdx.x];
}

__global__ void launched_right(const int *x, int *y, int n)
{
    assert(n % 4 == 0);
    y[threadIdx.x] = x[threadIdx.x];
}

void launches(const int *x, int *y)
{
    launched<<<1, 32>>>(x, y, 64);
    launched_right<<<1, 32>>>(x, y, 64);
}

__global__ void __launch_bounds__(32) not_launched(const int *x, int *y, int n)
{
    assert(n % 4 == 0); //@not_launched
    if (blockIdx.x == 0)
        y[threadIdx.x] = x[threadIdx.x];
}
