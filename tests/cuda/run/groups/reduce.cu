// SPDX-License-Identifier: Apache-2.0
// TEST: reduce with every functor, with lambdas and with own functors, of several types
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

struct Multiply {
    __device__ float operator()(float a, float b) const { return a * b; }
};

__global__ void reduce(const int *x, int *ints, float *floats, long long *longs, double *doubles)
{
    auto g = cg::tiled_partition<16>(cg::this_thread_block());
    int i = threadIdx.x, n = blockDim.x, v = x[i];
    ints[0 * n + i] = cg::reduce(g, v, cg::plus<int>());
    ints[1 * n + i] = cg::reduce(g, v, cg::less<int>());
    ints[2 * n + i] = cg::reduce(g, v, cg::greater<int>());
    ints[3 * n + i] = cg::reduce(g, v, cg::bit_and<int>());
    ints[4 * n + i] = cg::reduce(g, v, cg::bit_or<int>());
    ints[5 * n + i] = cg::reduce(g, v, cg::bit_xor<int>());
    ints[6 * n + i] = cg::reduce(g, v & 7, [](int a, int b) { return a > b ? a : b; });
    ints[7 * n + i] = (int)cg::reduce(g, (unsigned)v, cg::greater<unsigned>());
    floats[0 * n + i] = cg::reduce(g, v * 0.5f, cg::plus<float>());
    floats[1 * n + i] = cg::reduce(g, i % 4 ? 1.0f : 2.0f, Multiply());
    floats[2 * n + i] = cg::reduce(g, v * -0.25f, cg::less<float>());
    longs[0 * n + i] = cg::reduce(g, (long long)v << 33, cg::plus<long long>());
    longs[1 * n + i] = cg::reduce(g, (long long)v * v, cg::greater<long long>());
    cg::plus<double> add;
    doubles[i] = cg::reduce(g, v * 0.125, add);
}
// PY: def spread(f, v): return np.repeat([f(p) for p in v.reshape(-1, 16)], 16)
// PY: def ints(x):
// PY:     w = x.astype(np.int64)
// PY:     bit = np.bitwise_and.reduce, np.bitwise_or.reduce, np.bitwise_xor.reduce
// PY:     return np.concatenate([spread(np.sum, w), spread(np.min, x), spread(np.max, x)] + [spread(b, x) for b in bit]
// PY:                           + [spread(np.max, x & 7), spread(np.max, x.view(np.uint32)).astype(np.int64)])
// PY: def longs(x): return np.concatenate([spread(np.sum, x.astype(np.int64)) << 33, spread(np.max, x.astype(np.int64)**2)])
// LAUNCH: x[64]=iota ints[512]=zeros floats[192]=zeros longs[128]=zeros doubles[64]=zeros --block 64 --grid 1
// OUT: ints = ints(in_x)
// OUT: floats = np.concatenate([spread(np.sum, in_x) / 2, np.full(64, 16), spread(np.max, in_x) * -0.25])
// OUT: longs = longs(in_x)
// OUT: doubles = spread(np.sum, in_x) / 8
