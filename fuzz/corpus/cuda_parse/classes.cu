namespace a::b { inline namespace v1 { struct P; } enum class E : unsigned { X = 1, Y = X << 2, }; enum { Q, R = sizeof(int) }; union U { int i; float f; }; }
struct Base { virtual ~Base() = default; int x : 3; };
class D final : public a::b::P, private virtual Base { friend class F; template <class T> friend void g(T); public: explicit D(int n = 3) noexcept : Base(), y{n} {} D(const D &) = delete; operator float() const { return 1.f; } D &operator+=(const D &o) & { return *this; } bool operator()(int) const; static constexpr int k = 3; private: int y = 2; struct { int p, q; }; using T = int; typedef float (*F)(int, ...); };
template <> struct S<int, 3> {}; template <class T> struct S<T *, 3> : S<T, 2> { typename S<T, 2>::type t; };
template <class T> template <int N> auto S<T, 3>::f(T (&x)[N], const T *__restrict__ p) const -> decltype(x[0]) { return p->template g<N>(x).~T(); }
template <typename... A> void v(A &&...a) { (g(a), ...); sizeof...(A); }
template class S<float, 1>; extern template void v<int>(int);
S<int, 2>::S(int i) try : x(i) {} catch (...) {}
float operator""_km(long double); float km = 1.5_km;
extern "C" { int puts(const char *); } extern "C" __global__ void c(void);
struct alignas(16) __heddle_type("float4") V { float x; } __attribute__((aligned(8), packed)) *vp, va[3];
[[nodiscard]] __device__ __noinline__ static int h(int (*f)(float), int a[][4]) __heddle("h(f)");
using namespace a::b; using a::b::E, a::b::U; namespace ab = a::b; static_assert(sizeof(int) == 4, "x" "y");
int broken(int x { } struct Z { int ok; foo bar baz; int also; };
__global__ void __cluster_dims__(2, 1, 1) z(const __grid_constant__ V v) __requires(v.x > 0) { v; }
