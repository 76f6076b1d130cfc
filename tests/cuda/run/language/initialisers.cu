// SPDX-License-Identifier: Apache-2.0
// TEST: a variable outside of functions is zero although its initialiser stands in ( ) or { }, or in another declaration
// REF: docs/reference/cuda.md
// LAUNCH: k --block 1 --grid 1 x[33]=zeros
// OUT: x = [128, 4, 7, 9, 11, 2.5, 32, 3, 5, 5, 7, 19, 17, 10, 8, 1.5, 31, 255, 21, 129, 5, 5.5, 8, 2, 3, -3, 1, 1, 9, 3, 4, 5, 6]
// LAUNCH: outside --block 1 --grid 1 y[21]=zeros
// OUT: y = [1, 2, 10, 20, 8, 2, 77, 18, 44, 6, 5, 3, 200, 700, 9, 3, 1, 1, 2, 3, 4]
constexpr unsigned a(128), b(a / 32);
const int c(7);
__device__ int d(9);
__constant__ int e(11);
static const float f(2.5f);
struct P { int x, y;  };
__constant__ P p{3, 5};
__device__ P q{5, 7};
struct D { int v = 17, w = 2; };
__device__ D dd;
__device__ D da[3];
template <int N> struct S { static const int n; static constexpr int m{N + 2}; static const float h; };
template <int N> const int S<N>::n(N * 2);
template <int N> const float S<N>::h(N * 0.5f);
struct T { static const int k; static const unsigned char u; };
const int T::k(31);
const unsigned char T::u(300 - 45);
namespace ns { const int inner(21); namespace { constexpr int deep(a + 1); } constexpr int br{8}; }
constexpr auto au(5);
const auto au2(5.5f);
template <int N> constexpr int twice(2 * N);
__device__ int arr[2]{1, 2};
__constant__ int arr2[2] = {3, 4};
constexpr int neg(-3);
__device__ P *ptr(nullptr);
enum E { E0, E1 };
const E ee(E1);
__global__ void k(float *x)
{
    constexpr unsigned g(a / 4);
    const int l{6};
    const int m(7);
    static const int st(9);
    int s1[l], s2[m], s3[g], s4[ns::br];
    s1[5] = s2[6] = s3[31] = s4[7] = st;
    x[0] = a; x[1] = b; x[2] = c; x[3] = d; x[4] = e; x[5] = f; x[6] = g;
    x[7] = p.x; x[8] = p.y; x[9] = q.x; x[10] = q.y; x[11] = dd.v + dd.w; x[12] = da[2].v;
    x[13] = S<5>::n; x[14] = S<6>::m; x[15] = S<3>::h; x[16] = T::k; x[17] = T::u;
    x[18] = ns::inner; x[19] = ns::deep; x[20] = au; x[21] = au2; x[22] = twice<4>;
    x[23] = arr[1]; x[24] = arr2[0]; x[25] = neg; x[26] = ptr == nullptr; x[27] = ee;
    x[28] = s1[5];
    auto w(3);
    auto v{4};
    P u{5, 6};
    x[29] = w; x[30] = v; x[31] = u.x; x[32] = u.y;
}

template <class T> struct Whole { __device__ static int f(); __device__ int g(int); };
template <class T> __device__ int Whole<T>::f() { return 1; }
template <> __device__ int Whole<float>::f() { return 2; }
template <> __device__ int Whole<int>::g(int a) { return a; }
template <class T> __device__ int Whole<T>::g(int a) { return a + 1; }
namespace n1 { struct S { static const int c; __device__ int f(); }; }
namespace n2 { struct S { static const int c; __device__ int f(); }; }
const int n1::S::c = 1;
namespace n2 { const int S::c = 2; __device__ int S::f() { return 20; } }
__device__ int n1::S::f() { return 10; }
template <class T> struct A { struct B { static const int d; __device__ int g(); }; template <class U> __device__ int h(U u); __device__ int same() { return 5; } };
template <class U> const int A<U>::B::d = sizeof(U);
template <class U> __device__ int A<U>::B::g() { return sizeof(U) + 1; }
template <class V> template <class W> __device__ int A<V>::h(W u) { return sizeof(V) * 10 + sizeof(W); }
template <> template <> __device__ int A<char>::h<float>(float u) { return 77; }
template <> __device__ int A<char>::same() { return 6; }
template <class T, int N> struct PP { static const int e; };
template <class T> struct PP<T, 2> { static const int e; };
template <class T, int N> const int PP<T, N>::e = N;
template <class T> const int PP<T, 2>::e = 200;
template <> const int PP<char, 7>::e = 700;
namespace { namespace in { struct Q { static const int z; }; } }
const int in::Q::z = 9;
struct F { static constexpr int t[3] = {1, 2, 3}; static const float w; };
constexpr int F::t[3];
const float F::w = 0.25f;
__global__ void outside(int *y)
{
    n1::S a; n2::S b;
    y[0] = n1::S::c; y[1] = n2::S::c; y[2] = a.f(); y[3] = b.f();
    A<char> ac; A<int> ai; A<char>::B bc;
    y[4] = A<double>::B::d; y[5] = bc.g(); y[6] = ac.h(1.f); y[7] = ac.h(1.0); y[8] = ai.h(1.f);
    y[9] = ac.same(); y[10] = ai.same(); y[11] = PP<int, 3>::e; y[12] = PP<int, 2>::e; y[13] = PP<char, 7>::e;
    y[14] = in::Q::z; y[15] = F::t[2]; y[16] = F::w * 4;
    Whole<int> wi;
    Whole<float> wf;
    y[17] = Whole<int>::f(); y[18] = Whole<float>::f(); y[19] = wi.g(3); y[20] = wf.g(3);
}
