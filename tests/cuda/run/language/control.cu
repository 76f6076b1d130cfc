// SPDX-License-Identifier: Apache-2.0
// TEST: control flow: loops of all forms, switch with fall-through, break, continue, early return, range-for over arrays
__device__ int collatz(unsigned v)
{
    int steps = 0;
    while (v != 1) {
        v = (v & 1) ? 3 * v + 1 : v / 2;
        ++steps;
    }
    return steps;
}

__device__ int digits(int v)
{
    int n = 0;
    do {
        n++;
        v /= 10;
    } while (v);
    return n;
}

__device__ int pick(int k)
{
    int r = 0;
    switch (k & 7) {
    case 0:
    case 1: r = 5; break;
    case 2: r = 1;
    [[fallthrough]];
    case 3: r += 2; break;
    case 4: {
        int twice = k * 2;
        return twice;
    }
    default: r = -1;
    }
    return r;
}

__global__ void control(int n, int *out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int k = 0;
    out[k++ * n + i] = collatz(i + 1);
    out[k++ * n + i] = digits(i * i);
    out[k++ * n + i] = pick(i);
    int sum = 0;
#pragma unroll 4
    for (int a = 0, b = 10; a < b; ++a, --b) {
        if (a == i % 4)
            continue;
        if (b == 6)
            break;
        sum += a * b;
    }
    out[k++ * n + i] = sum;
    const int primes[] = {2, 3, 5, 7};
    int product = 1;
    for (int p : primes)
        product *= i % p ? 1 : p;
    out[k++ * n + i] = product;
    if (int rest = i % 3; rest == 1)
        out[k * n + i] = rest + 10;
    else
        out[k * n + i] = rest > 1 ? -rest : 0;
    k++;
    int j = 0, found = -1;
    for (;;) {
        if (j * j >= i) {
            found = j;
            break;
        }
        j++;
    }
    out[k * n + i] = found, k += 1;
}
// PY: def collatz(v):
// PY:     s = 0
// PY:     while v != 1: v, s = (3 * v + 1 if v & 1 else v // 2), s + 1
// PY:     return s
// PY: def one(i):
// PY:     s = 0
// PY:     for a, b in zip(range(5), range(10, 5, -1)):
// PY:         if a == i % 4: continue
// PY:         if b == 6: break
// PY:         s += a * b
// PY:     pick = [5, 5, 3, 2, 2 * i, -1, -1, -1][i & 7]
// PY:     p = int(np.prod([q for q in (2, 3, 5, 7) if i % q == 0]))
// PY:     return [collatz(i + 1), len(str(i * i)), pick, s, p, [0, 11, -2][i % 3], int(np.ceil(np.sqrt(i)))]
// LAUNCH: n=100 out[700]=zeros --grid 2 --block 64
// OUT: out = np.array([one(i) for i in range(n)]).T.ravel()
