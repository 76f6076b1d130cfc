// SPDX-License-Identifier: Apache-2.0
// TEST: friends whose bodies stand in a class template belong to its instance; constructors that are templates over it
// REF: docs/reference/cuda.md#language
template <class T> class Complex {
    T re, im;

public:
    using value = T;
    __device__ Complex(T re = T(), T im = T()) : re(re), im(im) {}
    template <class U> __device__ Complex(const Complex<U> &other) : re(other.real()), im(other.imag()) {}
    __device__ T real() const { return re; }
    __device__ T imag() const { return im; }
    __device__ Complex &operator+=(const Complex &o)
    {
        re += o.re;
        im += o.im;
        return *this;
    }
    friend __device__ Complex operator+(Complex a, const Complex &b) { return a += b; }
    __device__ friend Complex operator*(const Complex &a, const Complex &b)
    {
        value real = a.re * b.re - a.im * b.im;
        return Complex(real, a.re * b.im + a.im * b.re);
    }
    template <class U> friend __device__ value scaled(const Complex &a, U by) { return a.re * by; }
};

struct Base {
    int tag;
    friend __device__ int tag_of(const Base &b) { return b.tag; }
};
struct Derived : Base {
    int more;
};

// Functors whose results are what their members give.
struct Half {
    __device__ float operator()(int x) const { return x * 0.5f; }
};
template <class F, class G> struct Then {
    F f;
    G g;
    template <class T> __device__ auto operator()(T x) const -> decltype(g(f(x))) { return g(f(x)); }
};
struct Twice {
    template <class T> __device__ T operator()(T x) const { return x + x; }
};

__global__ void friends(double *out)
{
    int i = threadIdx.x;
    Complex<float> a(i, 1), b = 2.0f;
    Complex<float> p = a * b + Complex<float>(0, 1);
    out[i] = p.real() * 100 + p.imag();
    Complex<double> wide = p;
    out[32 + i] = (wide * wide).imag() + scaled(a, 3);
    Derived d;
    d.tag = i + 7;
    out[64 + i] = tag_of(d);
    Then<Half, Twice> then = {};
    out[96 + i] = then(i + 1);
}
// PY: i = np.arange(32)
// LAUNCH: out[128]=zeros --block 32 --grid 1
// OUT: out = np.concatenate([200 * i + 3, 12 * i + 3 * i, i + 7, i + 1.0])
