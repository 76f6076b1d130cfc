// TEST: what is declared later changes nothing before: defaults, aliases, directives, classes, templates, operators
// NVCC: extern constants are no device code there
// REF: docs/reference/cuda.md
// LAUNCH: y[40]=zeros --block 32 --grid 1
// OUT: y = np.array([2, 2, 2, 1, 2, 1, 2, 2, 4, 2, 2, 3, 8, 2, 101, 1, 6, 2, 2, 2, 2, 2, 1, 6, 8, 1, 1, 2, 50, 3, 1, 2, 4, 3, 2, 11, 0, 0, 0, 0])
typedef short T;
constexpr int z = 1;
__device__ int f(double) { return 1; }
__device__ int g(double) { return 1; }
__device__ int p(int, int b);
__device__ int q(int, int b = 4);
__device__ int q(int, int b) { return b; }
extern const int ext;
namespace a { __device__ int f(int) { return 2; } constexpr int only = 8; }
namespace b { inline namespace v1 { struct W { int v; }; __device__ int iv(double) { return 1; } }
  __device__ int iv(int) { return 2; } __device__ int wf(W) { return 6; } }
namespace { __device__ int anon(int) { return 1; } }
__device__ int anon(double) { return 2; }
namespace b2 { using namespace a; __device__ int t() { return f(1); } __device__ int o() { return only; } }
namespace b3 { using namespace a; __device__ int f(double) { return 3; } __device__ int t() { return f(1); } }
namespace e { struct X { int v; }; __device__ X operator+(X x, double) { return X{x.v + 1}; } __device__ X operator*(X x, int) { return X{x.v + 100}; } }
struct Base { __device__ int mem() { return f(1); } typedef int BT; __device__ static int st(double) { return 5; } };
struct Der : Base { __device__ int call() { return st(1) + late(); } __device__ int late() { return z; } __device__ static int f(int) { return 50; } };
template <class A, int N = z> struct Arr { static constexpr int n = N + z; __device__ int m() { return f(1) + z; } };
template <int I> __device__ int ti() { return I + z; }
template <class A> struct Spec { static constexpr int v = 1; };
template <class A> __device__ int useSpec() { return Spec<A>::v; }
template <class A> struct Spec<A *> { static constexpr int v = 2; };
enum class Col { red = z, green };
struct Fwd;
__device__ int fw(Fwd *) { return 1; }
__device__ int fw(void *) { return 2; }
namespace n {
    namespace m = a;
    using a::f;
    using U = T;
    __device__ int own(double) { return 1; }
    constexpr int w = z + 1;
    __device__ int dflt(int x = z) { return x; }
    enum Loc { z1 = z, z2 = z1 + 1 };
    __device__ int viaus() { return f(1); }
    __global__ void k(int *y)
    {
        if (threadIdx.x) return;
        y[0] = m::f(1); y[1] = f(1); y[2] = sizeof(U); y[3] = own(1); y[4] = w; y[5] = dflt(); y[6] = z2;
        y[7] = p(1, 2); y[8] = q(1); y[9] = b::iv(1); y[10] = b2::t(); y[11] = b3::t(); y[12] = b2::o();
        e::X x{1}; y[13] = (x + 1).v; y[14] = (x * 1).v;
        y[15] = Base{}.mem(); y[16] = Der{}.call(); y[17] = Arr<int>::n; y[18] = Arr<int>{}.m(); y[19] = ti<z>();
        y[20] = useSpec<int *>(); y[21] = (int)Col::green; y[22] = g(1); y[23] = wf(b::W{1});
        { using namespace a; y[24] = only; y[25] = g(2); }
        y[26] = fw((Fwd *)nullptr); y[27] = viaus(); y[28] = Der::f(1);
        int s = 0; for (int z = z1; z < 3; z++) s += z; y[29] = s; y[30] = z; y[31] = (z) + 1; y[32] = sizeof(z);
        y[33] = (T)3.5f; y[34] = anon(1.5); y[35] = ext;
    }
    namespace m2 = a;
    using namespace b;
    constexpr int z = 100;
    struct g { int v; __device__ g(int) {} };
    __device__ int own(int) { return 2; }
    __device__ int f(float) { return 9; }
    typedef double T;
    __device__ int viaus2() { return z; }
}
__device__ int p(int, int b = 3) { return b; }
__device__ int p(int) { return 88; }
const int ext = 11;
namespace a { __device__ int f(char) { return 20; } }
namespace e { __device__ X operator+(X x, int) { return X{x.v + 2}; } }
struct Fwd { int v; };
__device__ int g(int) { return 2; }
