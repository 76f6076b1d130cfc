// SPDX-License-Identifier: Apache-2.0
// TEST: operators of structs: arithmetic, compound assignment, comparison, index, call, conversion, increment
struct Complex {
    float re, im;
    __host__ __device__ Complex(float a = 0.0f, float b = 0.0f) : re(a), im(b) {}
    __device__ Complex operator+(const Complex &o) const { return Complex(re + o.re, im + o.im); }
    __device__ Complex operator*(const Complex &o) const { return {re * o.re - im * o.im, re * o.im + im * o.re}; }
    __device__ Complex &operator+=(const Complex &o)
    {
        re += o.re;
        im += o.im;
        return *this;
    }
    __device__ Complex operator-() const { return Complex(-re, -im); }
    __device__ bool operator==(const Complex &o) const { return re == o.re && im == o.im; }
    __device__ float norm() const { return re * re + im * im; }
};

__device__ inline Complex operator*(float s, const Complex &c) { return Complex(s * c.re, s * c.im); }
__device__ inline float4 operator+(float4 a, float4 b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
__device__ inline float4 &operator*=(float4 &a, float s)
{
    a.x *= s;
    a.y *= s;
    a.z *= s;
    a.w *= s;
    return a;
}

struct Row {
    int cells[4];
    __device__ int &operator[](int k) { return cells[k]; }
    __device__ int operator[](int k) const { return cells[k]; }
    __device__ int operator()(int a, int b) const { return cells[a] * cells[b]; }
    __device__ operator int() const { return cells[0] + cells[3]; }
    __device__ Row &operator++()
    {
        for (int k = 0; k < 4; k++)
            ++cells[k];
        return *this;
    }
};

__global__ void operators(const float *x, float *f, int *out, float4 *q)
{
    int i = threadIdx.x, n = blockDim.x;
    Complex a(x[i], 1.0f), b = a * a, c;
    c += 2.0f * b + -a;
    f[0 * n + i] = c.re;
    f[1 * n + i] = c.im;
    f[2 * n + i] = (a + Complex(1.0f)).norm();
    Row r = {{i, i + 1, i + 2, i + 3}};
    r[2] += 10;
    ++r;
    out[0 * n + i] = r[2];
    out[1 * n + i] = r(0, 1);
    out[2 * n + i] = r + 5;
    out[3 * n + i] = (a == Complex(x[i], 1.0f)) + 2 * (a == b);
    float4 v = make_float4(i, 1.0f, 2.0f, 3.0f);
    v *= 2.0f;
    q[i] = v + v;
}
// PY: def reals(x): return np.concatenate([2 * (x * x - 1) - x, 4 * x - 1, (x + 1)**2 + 1])
// PY: def ints(n):
// PY:     i = np.arange(n)
// PY:     return np.concatenate([i + 13, (i + 1) * (i + 2), 2 * i + 10, 0 * i + 1])
// LAUNCH: x[32]=iota f[96]=zeros out[128]=zeros q[32]=zeros --block 32 --grid 1
// OUT: f = reals(in_x)
// OUT: out = ints(32)
// OUT: q = np.array([[4 * i, 4, 8, 12] for i in range(32)])
