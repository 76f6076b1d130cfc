// TEST: at file scope and in namespaces a use sees what is declared before it, not what comes later
// REF: docs/reference/cuda.md
// LAUNCH: y[40]=zeros --block 32 --grid 1
// OUT: y = np.array([1, 1, 1, 2, 3, 1, 1, 7, 1, 1, 1, 1, 1, 11, 2, 1, 31, 2, 4, 12, 1, 101, 2, 2, 1, 2, 2, 3, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
typedef float real;
constexpr int c = 1;
enum { E = 1 };
typedef short T;
struct S {
    char x[3];
};
template <class A> struct V {
    static constexpr int v = 1;
};
template <class A> using Q = A;
__device__ int pick(double) { return 1; }
__device__ int h(real);
__device__ int h(int) { return 20; }
__device__ int d(double) { return 1; }
__device__ int d(int, int);
template <class A> __device__ int tem(A) { return 1; }
namespace lib {
    struct P {
        int v;
    };
    __device__ int by(P, double) { return 1; }
    __device__ int u(double) { return 1; }
    constexpr int lc = 5;
    __device__ P operator+(P a, double) { return P{a.v + 1}; }
    __device__ int use(int) { return 1; }
}
namespace other {
    constexpr int c = 77;
    __device__ int pick(int) { return 77; }
    __device__ int use(double) { return 2; }
}
namespace two {
    using namespace lib;
    __device__ int use(double) { return 2; }
    __device__ int used() { return use(1); }
}
__device__ int later_friend(double) { return 1; }
struct F {
    int v;
    friend __device__ int later_friend(int);
    __device__ int get() { return c + m(); }
    __device__ int m() { return own; }
    static constexpr int own = 30;
};
template <class A> __device__ int dep(A a) { return by(a, 1); }
template <class A> __device__ int nondep(A) { return pick(3) + c + (int)sizeof(T); }
template <class A> __device__ int depsum(A a) { return (a + 1).v; }
using lib::u;
namespace alias_a {
    constexpr int z = 1;
}
namespace al = alias_a;

namespace n {
    template <class A> __device__ int inner(A) { return pick(2) * 100 + E; }
    using T2 = T;
    namespace deep {
        __device__ int pick2() { return pick(1) + c; }
    }
    __global__ void k(int *y)
    {
        if (threadIdx.x)
            return;
        lib::P p{10};
        F f{0};
        y[0] = pick(3);
        y[1] = c;
        y[2] = E;
        y[3] = sizeof(T);
        y[4] = sizeof(S);
        y[5] = V<int>::v;
        y[6] = sizeof(Q<char>);
        y[7] = h(2.0f);
        y[8] = d(1);
        y[9] = tem(1);
        y[10] = by(p, 1);
        y[11] = u(1);
        y[12] = lib::u(1);
        y[13] = (p + 1).v;
        y[14] = two::used();
        y[15] = later_friend(1);
        y[16] = f.get();
        y[17] = dep(p);
        y[18] = nondep(1);
        y[19] = depsum(p);
        y[20] = al::z;
        y[21] = inner(1);
        y[22] = deep::pick2();
        y[23] = two::use(1);
        y[24] = ::pick(1);
        y[25] = [] { return c + pick(1); }();
        y[26] = sizeof(T2);
        struct L {
            __device__ int get() { return c + pick(1) + E; }
        };
        y[27] = L{}.get();
        y[28] = [=](auto q) { return by(q, 1); }(p);
    }
    __device__ int pick(int) { return 2; }
    constexpr int c = 2;
    enum { E = 5 };
    typedef double T;
    struct S {
        char x[7];
    };
    template <class A> struct V {
        static constexpr int v = 2;
    };
    template <class A> using Q = double;
    template <class A> __device__ int tem(A) { return 2; }
    using namespace other;
    namespace al {
        constexpr int z = 9;
    }
    namespace two {
        __device__ int used() { return 9; }
        __device__ int use(int) { return 9; }
    }
}
__device__ int h(float) { return 7; }
__device__ int d(int, int = 3) { return 2; }
__device__ int tem(int) { return 3; }
__device__ int pick(int) { return 3; }
__device__ int later_friend(int) { return 2; }
namespace lib {
    __device__ int by(P, int) { return 2; }
    __device__ int u(int) { return 2; }
    __device__ P operator+(P a, int) { return P{a.v + 2}; }
}
