// SPDX-License-Identifier: Apache-2.0
// TEST: parameters of lambdas have default arguments, members that are arrays initialisers
// REF: docs/reference/cuda.md#language
struct Steps {
    int first = 3;
    float weights[2] = {1.5f, 2};
    int table[2][2] = {{1, 2}, {3}};
    int zeros[3] = {};
};

template <class F>
__device__ int called(F f, int v)
{
    return f(v) + f(v, 1);
}

__global__ void lambdas(int *y, int n)
{
    auto f = [=](int a, int b = 20, int c = 4) { return a * b + c; };
    int t = threadIdx.x;
    y[t] = f(t) + f(t, 2) + f(t, 2, 1) + called(f, n);
}
// LAUNCH: lambdas --block 64 --grid 1 y[64]=zeros n=3
// OUT: y = 24 * np.arange(64) + 9 + 64 + 7

__global__ void members(float *y)
{
    Steps s;
    Steps other = {.first = 7};
    Steps many[2];
    int t = threadIdx.x;
    many[1].table[0][1] += t;
    y[t] = s.first + s.weights[t % 2] + other.first * other.table[1][0] +
           many[1].table[0][1] + many[0].zeros[2] + s.table[1][1];
}
// LAUNCH: members --block 64 --grid 1 y[64]=zeros
// OUT: y = 3 + np.where(np.arange(64) % 2, 2, 1.5) + 21 + 2 + np.arange(64)


struct Five {
    int v;
    __device__ Five() : v(5) {}
    __device__ Five(int v) : v(v) {}
};
struct Outside {
    int v;
    __device__ Outside();
};
__device__ Outside::Outside()
{
    v = 6;
}
struct Free {
    float x, y;
    __device__ Free() {}
};
struct Holds {
    Five fives[2];
    int k;
};

// Arrays of what has a constructor, or defaults, are made element by element.
__global__ void arrays(int *y)
{
    Five fives[3];
    Five some[3] = {1, Five(2)};
    Outside outside[2];
    Holds holds[2];
    Steps steps[2];
    Free free[4];
    int t = threadIdx.x;
    free[t % 4].x = t;
    fives[t % 3].v += t;
    y[t] = fives[0].v * 1000 + fives[1].v + some[0].v + some[1].v +
           some[2].v * 100 + outside[1].v + holds[1].fives[t % 2].v +
           steps[t % 2].first + (int)free[t % 4].x;
}
// PY: def arrays(t):
// PY:     fives = [5 + t * (t % 3 == i) for i in range(3)]
// PY:     return fives[0] * 1000 + fives[1] + 1 + 2 + 500 + 6 + 5 + 3 + t
// LAUNCH: arrays --block 64 --grid 1 y[64]=zeros
// OUT: y = np.array([arrays(t) for t in range(64)])
