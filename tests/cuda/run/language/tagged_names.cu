// TEST: the first 'struct T *' declares T where something else has that name; a class that is only declared is the one defined later in its block
// REF: docs/reference/cuda.md
// LAUNCH: y[11]=zeros --block 32 --grid 1
// OUT: y = np.array([16, 1, 12, 9, 11, 1, 15, 4, 10, 4, 12])
__device__ int T(int) { return 1; }
constexpr int U = 3;
struct W { char w[3]; };
namespace m { __device__ int W(int) { return 5; } __device__ int size(struct W *) { return 1; } __device__ int size(void *) { return 2; } }
namespace n {
    __device__ struct T *p;
    __device__ int ptr() { return sizeof(T *) + (int)sizeof(p) ; }
    __device__ int over(T *) { return 1; }
    __device__ int over(void *) { return 2; }
    struct Own { struct U *next; __device__ int f(); };
    __device__ int cast(void *q) { return over((T *)q) * 10 + over(q); }
    template <class A> __device__ int tem(A a) { return over(a); }
    struct T { char v[9]; };
    struct U { char v[11]; };
    __device__ int Own::f() { return sizeof(U); }
    __global__ void k(int *y)
    {
        if (threadIdx.x) return;
        T t; Own o;
        y[0] = ptr(); y[1] = over(&t); y[2] = cast(&t); y[3] = sizeof(T); y[4] = o.f(); y[5] = tem(&t);
        ::W w; y[6] = m::size(&w) * 10 + m::W(1);
        y[7] = ::T(1) + ::U;
        int L = 4;
        { struct L *l = nullptr; struct L { char v[5]; }; L made; l = &made; y[8] = sizeof(*l) + sizeof(L); }
        y[9] = L;
        { struct F; F *l = nullptr; struct F { char v[6]; }; F made; l = &made; y[10] = sizeof(*l) + sizeof(F); }
    }
}
