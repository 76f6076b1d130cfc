// SPDX-License-Identifier: Apache-2.0
// TEST: cub::BlockReduce gives thread 0 the block's result, by every algorithm, for any block and type
// REF: docs/reference/cuda.md#cub
#include <cub/cub.cuh>
#include <cuda/functional>

struct Complex {
    float re, im;
    __device__ Complex() : re(0), im(0) {}
    __device__ Complex(float re, float im) : re(re), im(im) {}
};
// Doesn't commute: the order of threads counts.
struct Digits {
    __device__ unsigned operator()(unsigned a, unsigned b) const { return a * 31 + b; }
};
struct Affine {
    unsigned a, b;
};
struct Compose {
    __device__ Affine operator()(const Affine &f, const Affine &g) const { return Affine{f.a * g.a, f.b * g.a + g.b}; }
};
struct AddComplex {
    __device__ Complex operator()(Complex a, Complex b) const { return Complex(a.re + b.re, a.im + b.im); }
};

template <int Threads, cub::BlockReduceAlgorithm A> __device__ void kinds(const int *x, int n, int *out, int &k)
{
    typedef cub::BlockReduce<int, Threads, A> Ints;
    typedef cub::BlockReduce<Affine, Threads, A> Affines;
    typedef cub::BlockReduce<cub::KeyValuePair<int, int>, Threads, A> PairReduce;
    typedef cub::BlockReduce<Complex, Threads, A> Complexes;
    __shared__ union {
        typename Ints::TempStorage ints;
        typename Affines::TempStorage affines;
        typename PairReduce::TempStorage pairs;
    } s;
    __shared__ typename Complexes::TempStorage complexes;
    int t = threadIdx.x, v = x[t] & 1023;
    int results[8] = {};
    results[0] = Ints(s.ints).Sum(v);
    __syncthreads();
    results[1] = Ints(s.ints).Reduce(v, cuda::maximum<>());
    __syncthreads();
    results[2] = Ints(s.ints).Reduce(v, cuda::minimum<>(), n);
    __syncthreads();
    results[3] = Ints(s.ints).Sum(v, n);
    __syncthreads();
    int items[3] = {v, v + t, v * 2};
    results[4] = Ints(s.ints).Sum(items);
    __syncthreads();
    if (A != cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY)
        results[5] = (int)Affines(s.affines).Reduce(Affine{(unsigned)v | 1, (unsigned)t}, Compose()).b;
    __syncthreads();
    results[6] = PairReduce(s.pairs).Reduce(cub::KeyValuePair<int, int>(t, v % 10), cub::ArgMax()).key;
    Complex c = Complexes(complexes).Reduce(Complex((float)v, (float)t), AddComplex());
    results[7] = (int)c.re * 100000 + (int)c.im;
    if (t == 0)
        for (int i = 0; i < 8; i++)
            out[k + i] = results[i];
    k += 8;
    __syncthreads();
}

template <int Threads> __global__ void algorithms(const int *x, int n, int *out)
{
    int k = 0;
    kinds<Threads, cub::BLOCK_REDUCE_WARP_REDUCTIONS>(x, n, out, k);
    kinds<Threads, cub::BLOCK_REDUCE_RAKING>(x, n, out, k);
    kinds<Threads, cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY>(x, n, out, k);
}
template __global__ void algorithms<20>(const int *, int, int *);
template __global__ void algorithms<32>(const int *, int, int *);
template __global__ void algorithms<100>(const int *, int, int *);
template __global__ void algorithms<256>(const int *, int, int *);
// PY: def affine(x):
// PY:     a, b = 1, 0
// PY:     for t, v in enumerate(int(v) for v in x):
// PY:         a, b = a * (v | 1) % 2**32, (b * (v | 1) + t) % 2**32
// PY:     return b - (b >> 31 << 32)
// PY: def reduced(x, n):
// PY:     t = np.arange(len(x))
// PY:     r = [x.sum(), x.max(), x[:n].min(), x[:n].sum(), (4 * x + t).sum(), affine(x), (x % 10).argmax(),
// PY:          x.sum() * 100000 + t.sum()]
// PY:     without = list(r)
// PY:     without[5] = 0
// PY:     return np.array(r + r + without).astype(np.int64)
// LAUNCH: algorithms<20> x[20]=random:1 n=7 out[24]=zeros --block 20 --grid 1
// LAUNCH: algorithms<32> x[32]=random:1 n=32 out[24]=zeros --block 32 --grid 1
// LAUNCH: algorithms<100> x[100]=random:2 n=33 out[24]=zeros --block 100 --grid 1
// LAUNCH: algorithms<256> x[256]=random:3 n=200 out[24]=zeros --block 256 --grid 1
// OUT: out = reduced(in_x.astype(np.int64) & 1023, n)
