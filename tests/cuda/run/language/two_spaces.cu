// SPDX-License-Identifier: Apache-2.0
// TEST: instances of one class over const and other elements point to different memory
// REF: docs/reference/cuda.md#classes
template <class T> struct Span {
    T *p;
    int n;
    __device__ Span(T *p, int n) : p(p), n(n) {}
    __device__ T &operator[](int i) const { return p[i]; }
    __device__ T *begin() const { return p; }
    __device__ T *end() const { return p + n; }
};

template <class F> __device__ void each(int n, F f)
{
    for (int i = 0; i < n; i++)
        f(i);
}

__global__ void two(int *out, const int *in)
{
    int own[4] = {1, 2, 3, 4};
    Span<int> mine(own, 4);
    Span<const int> given(in, 4);
    for (int &x : mine)
        x *= x;
    int sum = 0;
    each(4, [&](int i) { sum += mine[i] * given[i]; });
    out[threadIdx.x] = sum + own[3];
}
// LAUNCH: out[32]=zeros in[4]=iota --block 32 --grid 1
// OUT: out = np.full(32, 4 + 18 + 48 + 16)
