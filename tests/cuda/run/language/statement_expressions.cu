// SPDX-License-Identifier: Apache-2.0
// NVCC: no C++
// TEST: statements inside of an expression, as GNU C has them, are evaluated each time and give what the last one is
#define smaller(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a < _b ? _a : _b; })
#define larger(a, b) ({ auto _a = (a); auto _b = (b); _a > _b ? _a : _b; })
__global__ void bounded(const int *x, int *y, int n)
{
    int i = threadIdx.x, sum = 0, calls = 0;
    for (int k = 0; k <= smaller(n, 3 + i % 2); k += ({ calls++; 1; }))
        sum += larger(x[i], k);
    y[i] = sum;
    y[32 + i] = calls;
    y[64 + i] = i > 3 ? smaller(larger(x[i], 5), 20.5) : ({
        int s = 0;
        for (int k = 0; k < i; k++) {
            if (k == 1)
                continue;
            s += k + 10;
        }
        s;
    });
    ({ y[96 + i] = sum; });
}
// PY: def sums(x):
// PY:     i = np.arange(32)
// PY:     n = 4 + i % 2
// PY:     return n, np.array([sum(max(v, k) for k in range(m)) for v, m in zip(x, n)])
// LAUNCH: bounded x[32]=iota y[128]=zeros n=7 --grid 1 --block 32
// OUT: y = np.concatenate([sums(in_x)[1], sums(in_x)[0], [0, 10, 10, 22] + [min(max(v, 5), 20) for v in range(4, 32)], sums(in_x)[1]])
