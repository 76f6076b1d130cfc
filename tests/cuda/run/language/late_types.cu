// TEST: a name that only becomes a type or template later is none before: casts, sums, products, calls, comparisons
// REF: docs/reference/cuda.md
// LAUNCH: y[11]=zeros --block 32 --grid 1
// OUT: y = np.array([-1, 7, 9, 0, 0, 2, 2, 10, 244, 122, 12])
typedef short T;
constexpr int v = 5;
__device__ int g(int a) { return a + 1; }
__device__ int w(double) { return 7; }
template <class A> struct V { static constexpr int x = 1; };
constexpr int lt = 3; constexpr int after = 20;
namespace far { typedef char nt; constexpr int nv = 9; constexpr int q = 4; }
struct B0 { static constexpr int m = 3; typedef short bt; };
namespace n {
    typedef short nt; constexpr int nv = 5;
    struct In {
        __device__ int a() { return (late)-1; }   // a cast to int, T is declared behind
        __device__ int b() { return sizeof(late) + (v) + 1; }
        __device__ int c();
        typedef char late;
    };
    struct Ind : B0 { __device__ int a() { return (m)-1; } __device__ int b() { return sizeof(bt); } };
    template <class A> __device__ int tem(A) { return (v) + 1 + g(1) + (int)sizeof(T); }
    __device__ int in_block()
    {
        using namespace far;
        return sizeof(nt) * 100 + q * 10 + (nv) - 1; // what is in n hides what the directive names
    }
    __device__ int clash()
    {
        int a = v, b = 2, r = 0;
        r += (v) + 1;
        r += (v) - 1;
        r += (v) * b;
        r += v * b;
        r += (T)-1;
        r += sizeof(v);
        r += g(1);
        r += lt < a > (b);
        r += V<int>::x;
        r += w(1);
        { typedef char v; r += (v) + 300; r += sizeof(v); }
        { int T = 4; r += (T) + 1; r += (T) * b; }
        { struct local { __device__ int f() { return (after) + 1; } }; r += local().f(); }
        return r;
    }
    __global__ void k(int *y)
    {
        if (threadIdx.x) return;
        y[0] = In().a(); y[1] = In().b(); y[2] = In().c(); 
        y[5] = Ind().a(); y[6] = Ind().b(); y[7] = tem(1); y[8] = in_block(); y[9] = clash();
        auto lam = [&](int i) { return (v) + i + g(i) + (int)sizeof(T); };
        y[10] = lam(2);
    }
    __device__ int In::c() { return (v) + 1 + (int)sizeof(late) + sizeof(T); }
    typedef char v;
    struct g { int i; __device__ g(int) : i(77) {} __device__ operator int() { return 99; } };
    struct w { int i; __device__ w(int) : i(77) {} __device__ operator int() { return 99; } };
    template <int I> __device__ int lt(int) { return 1000; }
    typedef double T;
    __device__ int clash2() { return (v) + 300 + (int)sizeof(T) + g(1); }
}
