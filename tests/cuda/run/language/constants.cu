// SPDX-License-Identifier: Apache-2.0
// TEST: constexpr functions and variables, enum class, enums with values, static_assert, sizeof, integer literals
#include <cstdint>
#include <climits>

constexpr __host__ __device__ int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }
constexpr __host__ __device__ int log2_of(int n)
{
    int k = 0;
    while (n > 1) {
        n /= 2;
        k++;
    }
    return k;
}
enum class Mode : unsigned char { Fast = 3, Slow };
enum Flags { NONE = 0, ONE = 1 << 0, TWO = 1 << 1, BOTH = ONE | TWO };
enum { SIZE = 16 };

static_assert(factorial(5) == 120, "folded");
static_assert(sizeof(Mode) == 1 && sizeof(float4) == 16 && alignof(double) == 8);
#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))
constexpr size_t big = 16 * 1024 + 64;
static const unsigned mask = 0xFFu, bits = 0b1010'1010u;

__device__ int cost(Mode m)
{
    switch (m) {
    case Mode::Fast: return 1;
    case Mode::Slow: return 2;
    }
    return 0;
}

__global__ void constants(int *out, float *f)
{
    __shared__ int s[factorial(3) * CEIL_DIV(100, 32)];
    int i = threadIdx.x, n = blockDim.x, k = 0;
    constexpr int steps = log2_of(SIZE);
    const float table[] = {0.5f, 1.5f, 2.5f};
    s[i % 24] = 1;
    __syncthreads();
    int a[steps] = {};
    a[1] = 5;
    out[k++ * n + i] = (int)(sizeof(s) / sizeof(s[0])) + steps;
    out[k++ * n + i] = cost(static_cast<Mode>(3 + i % 2)) + 10 * (int)Mode::Slow;
    out[k++ * n + i] = BOTH + NONE + (mask & bits);
    out[k++ * n + i] = (int)(big / 64) + a[0] + a[1] + '\n' + 0x10 + 010;
    out[k++ * n + i] = INT_MAX - (int)(uint8_t)300 + (int32_t)(int64_t)1;
    f[i] = table[i % 3] + 1e-1f + 1.f + .5f;
}
// PY: def reference(n):
// PY:     i = np.arange(n)
// PY:     return np.concatenate([0 * i + 28, 1 + i % 2 + 40, 0 * i + 3 + 0xaa, 0 * i + 257 + 5 + 10 + 16 + 8, 0 * i + 2**31 - 1 - 44 + 1])
// LAUNCH: out[160]=zeros f[32]=zeros --block 32 --grid 1
// OUT: out = reference(32)
// OUT: f = np.array([0.5, 1.5, 2.5], np.float32)[np.arange(32) % 3] + np.float32(0.1) + np.float32(1) + np.float32(0.5)
// TOL: 1e-6
