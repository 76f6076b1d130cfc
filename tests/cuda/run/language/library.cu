// SPDX-License-Identifier: Apache-2.0
// TEST: std::array, formats of <cinttypes>, std::memcpy, types of libraries for hosts
#include <array>
#include <cinttypes>
#include <cstring>
#include <cublas_v2.h>
#include <cufftXt.h>

__global__ void kernel(int *x, cufftComplex *z)
{
    std::array<int, 3> a = {1, 2, 3};
    std::array<int, 4> b{1, 2};
#ifdef __HEDDLE__ // for hosts alone before C++20
    b.fill(3);
#else
    b = {3, 3, 3, 3};
#endif
    b[1] = a[2];
    x[0] = a[0] + b[1] * 10 + b.back() * 100 + (int)b.size() * 1000;
    float f = 1.0f;
    std::memcpy(&x[1], &f, 4);
    z[0].y = __half2float(__float2half(0.5f));
    cudaGridDependencySynchronize();
    printf("%" PRId64 "|%" PRIu32 "\n", (int64_t)-5, 7u);
}
// LAUNCH: kernel x[2]=zeros z[1]=zeros --grid 1 --block 1
// OUT: x = [1 + 30 + 300 + 4000, 0x3f800000]
// PRINTS: -5|7
