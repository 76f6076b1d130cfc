// TEST: functions that a condition, a constexpr function or a pack chooses
// REF: docs/reference/cuda.md
// LAUNCH: y[32]=zeros z[20]=zeros n=5 --block 32 --grid 1
// OUT: y = np.where(I < 5, I + 1, np.where(I % 2 == 1, 2 * I, I * I)) + 1000 * np.where(I % 2 == 1, I + 1, 2 * I)
// OUT: z = np.array([5, 8, 16, 5, 8, 16, 8, 5, 8, 70, 5, 30, 4, 1, 7, 8, 5, 5, 0, 0])
// PY: I = np.arange(32)
typedef int (*fn)(int);
__device__ int f(int x) { return x + 1; }
__device__ int g(int x) { return x * 2; }
__device__ int h(int x) { return x * x; }
__device__ constexpr fn choose(bool c) { return c ? f : g; }

template <int N>
constexpr fn by()
{
    if constexpr (N == 1)
        return f;
    else if (N == 2)
        return g;
    return h;
}

template <fn... F>
__device__ int pick(int which, int x)
{
    fn table[] = {F...};
    return table[which](x);
}

__device__ void up(int *p) { *p += 1; }
__device__ void down(int *p) { *p -= 1; }

template <bool C, typename T>
__device__ T known(T x)
{
    int (*p)(int) = C ? f : g;
    auto q = C ? &g : &f;
    return p(x) * 10 + q(x);
}

__global__ void k(int *y, int *z, int n)
{
    int i = threadIdx.x;
    fn p = i < n ? f : i & 1 ? g : h;
    auto q = (i & 1) ? &f : &g;
    y[i] = p(i) + 1000 * (*q)(i);
    if (i)
        return;
    z[0] = choose(true)(4);
    z[1] = choose(false)(4);
    z[2] = by<3>()(4);
    z[3] = by<1>()(4);
    constexpr fn c = choose(false);
    z[4] = c(4);
    fn t[2] = {f, h};
    {
        fn f = g; // not that of the table
        z[5] = t[1](4);
        z[6] = f(4);
        z[7] = t[0](4);
    }
    z[8] = pick<f, g, h>(n - 4, 4);
    z[9] = known<true>(4) + known<false>(4) - 5 * 17 + 7 * 4 - 16;
    z[10] = (n > 4 ? f : g)(4);
    int a = 30;
    void (*move)(int *) = n > 4 ? down : up;
    move(&a);
    (n > 3 ? up : down)(&a);
    z[11] = a;
    int changes = n;
    fn r = changes > 4 ? h : g; // chosen here, once
    changes = 0;
    z[12] = r(2) + changes;
    auto by_value = [=](int x) { return r(x); };
    auto by_reference = [&](int x) { return r(x) - 2 + n - 3 + changes; };
    z[13] = by_value(1);
    z[14] = by_reference(2) + 3;
    for (int j = 0; j < 2; j++) {
        fn s = j ? g : f;
        z[16 - j] = s(4);
    }
    z[17] = (n ? n > 4 ? f : g : h)(4);
}
