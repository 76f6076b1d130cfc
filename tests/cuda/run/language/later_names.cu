// TEST: bodies of lambdas and local classes see what stands before them, not what comes later
// REF: docs/reference/cuda.md
// LAUNCH: y[16]=zeros n=8 --block 32 --grid 1
// OUT: y = np.array([1, 1, 2, 1, 1, 1, 2, 22, 16, 2, 1, 59, 9, 13, 1009, 0])
constexpr int c = 1;
enum { E = 1 };
typedef short T;
__device__ int h(int) { return 1; }
struct O {
    int v = c;
};

__global__ void k(int *y, int n)
{
    if (threadIdx.x)
        return;
    auto l = [] { return c; };
    auto e = [] { return (int)E; };
    auto t = [] { return (int)sizeof(T); };
    auto z = [](int x) { return h(x); };
    auto late = [=](int q) {
        int s = 0;
        for (int i = 0; i < q; i++)
            s += n;
        return s;
    };
    struct L {
        __device__ int get() { return c; }
        int v = c;
        T w;
    };
    constexpr int c = 2;
    enum { E = 5 };
    typedef double T;
    auto h = [](int) { return 7; };
    y[0] = l();
    y[1] = e();
    y[2] = t();
    y[3] = z(1);
    y[4] = L{}.get();
    y[5] = L{}.v;
    y[6] = sizeof(L::w);
    y[7] = c + E + sizeof(T) + h(1);
    {
        int n = 100;
        y[8] = late(2) + n - 100;
    }
    {
        struct T {
            char x[3];
        };
        y[9] = t();
    }
    O o;
    y[10] = o.v;
    auto r = [&]() { return n + 1; };
    {
        int n = 50;
        y[11] = r() + n;
    }
    for (int i = 0, n = 3; i < n; i++)
        y[12] = r();
    if (int n = 4)
        y[13] = r() + n;
    auto m = [&](int n) { return r() + n; };
    y[14] = m(1000);
}
