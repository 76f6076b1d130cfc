// SPDX-License-Identifier: Apache-2.0
// TEST: constexpr auto is constant: an enumerator that a condition chooses, a number
// LAUNCH: k<1> x[4]=zeros --block 1 --grid 1
// OUT: x = [3, 8, 2, 1]
// LAUNCH: k<4> x[4]=zeros --block 1 --grid 1
// OUT: x = [5, 32, 8, 0]
enum how { SLOW = 3, FAST = 5 };

template <how H> struct ways {
    int of[H];
};

template <int N> __global__ void k(int *x)
{
    static constexpr auto chosen = (N > 2) ? FAST : SLOW;
    constexpr auto twice = 2 * N;
    constexpr auto half = 0.5f;
    ways<chosen> w;
    int s[twice];
    x[0] = sizeof(w.of) / sizeof(int);
    x[1] = sizeof(s);
    x[2] = twice;
    x[3] = N * half < 1;
}
template __global__ void k<1>(int *);
template __global__ void k<4>(int *);
