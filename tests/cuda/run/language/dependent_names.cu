// TEST: in templates only what depends on their parameters sees dependent bases and later functions; arguments lead to namespaces of bases
// NVCC: it looks operators and calls by value up again where a template is used (findings/nvcc-template-lookup.sh)
// REF: docs/reference/cuda.md
// LAUNCH: y[18]=zeros --block 32 --grid 1
// OUT: y = np.array([7, 2, 169, 5, 52, 909, 110, 51, 110, 5, 1, 3, 1121, 260, 112, 11, 102, 2])
typedef short T;
constexpr int v = 5;
template <class A> struct B1 { static constexpr int v = 50; typedef char T; __device__ int f(int) { return 60; } static constexpr int only = 8; };
template <int N> struct B2 { static constexpr int v = 70 + N; typedef char T; };
struct B0 { static constexpr int v = 90; __device__ int f(int) { return 61; } };
__device__ int f(int) { return 1; }
namespace n {
    template <class A> struct Dep : B1<A> {
        __device__ int a() { return (v) + 1 + f(1); }
        __device__ int b() { return sizeof(T); }
        __device__ int c() { return this->v + this->f(1) + Dep::v + B1<A>::only + sizeof(typename B1<A>::T); }
        struct In : B1<A> { __device__ int a() { return v; } };
    };
    template <int N> struct Val : B2<N> { __device__ int a() { return v * 10 + (int)sizeof(T); } };
    template <class A> struct Fix : B1<int>, B0 { __device__ int a() { return B0::v * 10 + (int)sizeof(T) + only; } };
    template <class A> struct Mid : B1<A> {};
    template <class A> struct Ind : Mid<int> { __device__ int a() { return v + f(1); } };
    template <class A> struct Using : B1<A> { using B1<A>::v; using typename B1<A>::T; __device__ int a() { return v + (int)sizeof(T); } };
    struct Plain : B1<int> { __device__ int a() { return v + f(1); } };
    template <class A> struct Nest { struct P { static constexpr int v = 3; }; struct C : P { __device__ int a() { return v; } }; };
}
namespace far {
    struct Base { int i; };
    __device__ int led(Base) { return 1; }
    template <class A> struct TB { A i; };
    template <class A> __device__ int led2(TB<A>) { return 3; }
}
namespace near { struct D : far::Base {}; struct E : far::TB<int> {}; }
namespace n {
    struct X { int v; };
    __device__ int adl(X, double) { return 1; }
    __device__ X operator+(X x, double) { return X{x.v + 1}; }
    __device__ X mk() { return X{0}; }
    X *px;
    template <class A> __device__ int nondep(A a) { X x{1}; return adl(x, 1) * 1000 + adl(X{2}, 2) * 100 + (x + 1).v * 10 + adl(mk(), 3); }
    template <class A> __device__ int dep(A a) { return adl(a, 1) * 100 + (a + 1).v * 10; }
    template <class A> __device__ int mixed(A a) { X x{1}; auto z = x; A w = a; return adl(x, (int)sizeof(A)) * 100 + adl(z, 1) * 10 + adl(w, 1); }
    template <int N> __device__ int vals() { X x{N}; return adl(x, N) * 10 + adl(X{N}, 1 + N); }
    template <class A> struct M { X x; A a; __device__ int go() { return adl(x, 1) * 100 + adl(a, 1); } };
}
namespace n { __device__ int adl(X, int) { return 2; } __device__ X operator+(X x, int) { return X{x.v + 5}; } }
namespace n {
    __global__ void k(int *y)
    {
        if (threadIdx.x) return;
        y[0] = Dep<int>().a(); y[1] = Dep<int>().b(); y[2] = Dep<int>().c(); y[3] = Dep<int>::In().a();
        y[4] = Val<2>().a(); y[5] = Fix<int>().a(); y[6] = Ind<int>().a(); y[7] = Using<int>().a(); y[8] = Plain().a();
        y[9] = Nest<int>::C().a();
        y[10] = led(near::D{}); y[11] = led2(near::E{});
        y[12] = nondep(1); y[13] = dep(X{1}); y[14] = mixed(X{1}); y[15] = vals<3>(); y[16] = M<X>{X{1}, X{2}}.go();
        y[17] = adl(X{1}, 1);
    }
}
