// SPDX-License-Identifier: Apache-2.0
// TEST: cub::BlockAdjacentDifference, BlockDiscontinuity and BlockHistogram give what CUB says, at the ends of the block, too
#include <cub/cub.cuh>

struct Minus { __device__ int operator()(const int &a, const int &b) const { return a - b; } };
struct Apart { __device__ bool operator()(const int &a, const int &b) const { return a != b; } };
struct ApartOrFifth { __device__ bool operator()(const int &a, const int &b, int i) const { return a != b || i % 5 == 0; } };

__global__ void differences(const int *x, int *out, int n)
{
    typedef cub::BlockAdjacentDifference<int, 64> Difference;
    __shared__ typename Difference::TempStorage storage;
    int in[3], made[3], t = threadIdx.x, k = 0;
    for (int i = 0; i < 3; i++)
        in[i] = x[3 * t + i];
    auto keep = [&] {
        for (int i = 0; i < 3; i++)
            out[192 * k + 3 * t + i] = made[i];
        k++;
        __syncthreads();
    };
    Difference(storage).SubtractLeft(in, made, Minus());
    keep();
    Difference(storage).SubtractLeft(in, made, Minus(), 1000);
    keep();
    Difference(storage).SubtractLeftPartialTile(in, made, Minus(), n);
    keep();
    Difference(storage).SubtractRight(in, made, Minus());
    keep();
    Difference(storage).SubtractRight(in, made, Minus(), 1000);
    keep();
    Difference(storage).SubtractRightPartialTile(in, made, Minus(), n);
    keep();
    Difference(storage).SubtractLeft(in, in, Minus());
    for (int i = 0; i < 3; i++)
        made[i] = in[i];
    keep();
}

template <cub::BlockHistogramAlgorithm HOW> __device__ void count(unsigned char (&bytes)[3], unsigned (&bins)[8])
{
    typedef cub::BlockHistogram<unsigned char, 64, 3, 8, HOW> Counts;
    __shared__ typename Counts::TempStorage storage;
    Counts(storage).InitHistogram(bins);
    __syncthreads();
    Counts(storage).Composite(bytes, bins);
    __syncthreads();
}

__global__ void counted(const int *x, unsigned *counts)
{
    __shared__ unsigned bins[2][8];
    unsigned char bytes[3];
    for (int i = 0; i < 3; i++)
        bytes[i] = x[3 * threadIdx.x + i] & 7;
    count<cub::BLOCK_HISTO_SORT>(bytes, bins[0]);
    count<cub::BLOCK_HISTO_ATOMIC>(bytes, bins[1]);
    if (threadIdx.x < 16)
        counts[threadIdx.x] = bins[threadIdx.x / 8][threadIdx.x % 8];
}

__global__ void flags(const int *x, int *out, unsigned *counts)
{
    typedef cub::BlockDiscontinuity<int, 64> Discontinuity;
    typedef cub::BlockHistogram<unsigned char, 64, 3, 8> Counts;
    __shared__ typename Discontinuity::TempStorage storage;
    __shared__ typename Counts::TempStorage unused;
    __shared__ unsigned bins[8];
    int in[3], first[3], last[3], t = threadIdx.x, k = 0;
    unsigned char bytes[3];
    for (int i = 0; i < 3; i++)
        bytes[i] = in[i] = x[3 * t + i] / 2 & 7;
    auto keep = [&] {
        for (int i = 0; i < 3; i++)
            out[192 * k + 3 * t + i] = first[i] + 10 * last[i];
        k++;
        __syncthreads();
    };
    Discontinuity(storage).FlagHeads(first, in, Apart());
    __syncthreads();
    Discontinuity(storage).FlagTails(last, in, Apart(), in[2]);
    keep();
    Discontinuity(storage).FlagHeadsAndTails(first, last, in, ApartOrFifth());
    keep();
    Discontinuity(storage).FlagHeadsAndTails(first, 0, last, 1, in, Apart());
    keep();
    Counts(unused).Histogram(bytes, bins);
    __syncthreads();
    Counts(unused).Composite(bytes, bins);
    __syncthreads();
    if (t < 8)
        counts[t] = bins[t];
}
// PY: def left(x, n, before):
// PY:     d = x - np.concatenate([[x[0]], x[:-1]])
// PY:     d[0] = x[0] if before is None else x[0] - before
// PY:     return np.where(np.arange(x.size) < n, d, x)
// PY: def right(x, n, behind):
// PY:     d = x - np.concatenate([x[1:], [0]])
// PY:     d = np.where(np.arange(x.size) + 1 < n, d, x)
// PY:     if behind is not None: d[-1] = x[-1] - behind
// PY:     return d
// LAUNCH: differences x[192]=random:4 out[1344]=zeros n=100 --grid 1 --block 64
// PY: small = lambda x: x.astype(np.int64)
// OUT: out = np.concatenate([left(small(in_x), 192, None), left(small(in_x), 192, 1000), left(small(in_x), 100, None), right(small(in_x), 192, None), right(small(in_x), 192, 1000), right(small(in_x), 100, None), left(small(in_x), 192, None)])
// PY: def heads(x, before=None, fifth=False):
// PY:     f = np.concatenate([[1 if before is None else x[0] != before], x[1:] != x[:-1]])
// PY:     i = np.arange(x.size)
// PY:     return f | (i % 5 == 0) & (i > 0) if fifth else f
// PY: def tails(x, behind=None, fifth=False):
// PY:     f = np.concatenate([x[1:] != x[:-1], [1 if behind is None else x[-1] != behind]])
// PY:     i = np.arange(1, x.size + 1)
// PY:     return f | (i % 5 == 0) & (i < x.size) if fifth else f
// PY: key = lambda x: x // 2 & 7
// LAUNCH: flags x[192]=iota out[576]=zeros counts[8]=zeros --grid 1 --block 64
// OUT: out = np.concatenate([heads(key(in_x)) + 10 * tails(key(in_x), key(in_x)[-1]), heads(key(in_x), None, True) + 10 * tails(key(in_x), None, True), heads(key(in_x), 0) + 10 * tails(key(in_x), 1)])
// OUT: counts = 48
// LAUNCH: counted x[192]=random:9 counts[16]=zeros --block 64 --grid 1
// OUT: counts = np.tile(np.bincount(in_x & 7, minlength=8), 2)
