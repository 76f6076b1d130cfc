// SPDX-License-Identifier: Apache-2.0
// TEST: constexpr functions that call themselves, with arguments left to their declaration, are constants
constexpr int lg(int n, int p = 0) { return n <= 1 ? p : lg(n / 2, p + 1); }
constexpr bool isPow(int v) { return v && !(v & (v - 1)); }
template <typename T> constexpr __host__ __device__ T gcd(T a, T b) { return b == 0 ? a : gcd(b, a % b); }
constexpr unsigned long long fib(int n) { if (n < 2) return n; return fib(n - 1) + fib(n - 2); }
struct S { static constexpr int pow(int b, int e) { return e == 0 ? 1 : b * pow(b, e - 1); } };
constexpr int n = S::pow(3, 4);
constexpr int ceil2(int n) { return isPow(n) ? n : 2 << lg(n); }
namespace utils { constexpr int roundUp(int v) { return v % 32 == 0 ? v : roundUp(v + 1); } }
template <int N> struct Steps { enum { value = lg(N) }; };

__global__ void k(int *y)
{
    int s[lg(64)];
    __shared__ int t[utils::roundUp(33)];
    s[0] = 64;
    t[threadIdx.x] = 1;
    y[0] = s[0];
    y[1] = sizeof(s) / sizeof(int);
    y[2] = gcd(48, 36);
    y[3] = fib(15);
    y[4] = S::pow(2, 5) + n;
    y[5] = ceil2(100);
    y[6] = Steps<256>::value;
    y[7] = sizeof(t) / 4;
}
// LAUNCH: y[8]=zeros --grid 1 --block 1
// OUT: y = [64, 6, 12, 610, 113, 128, 8, 64]
