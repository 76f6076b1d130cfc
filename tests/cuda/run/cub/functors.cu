// SPDX-License-Identifier: Apache-2.0
// TEST: function objects of cub, cuda, cuda::std and cooperative groups, with and without a type
// NVCC: function objects that CUDA 13 has no more
// REF: docs/reference/cuda.md#cub
#include <cooperative_groups/reduce.h>
#include <cub/cub.cuh>
#include <cuda/functional>
#include <cuda/std/functional>
namespace cg = cooperative_groups;

__device__ cub::KeyValuePair<int, int> pair(int key, int value) { return cub::KeyValuePair<int, int>(key, value); }
__global__ void typed(int a, int b, int *out)
{
    int k = 0;
    out[k++] = cub::Sum()(a, b) * 100 + cub::Difference()(a, b) * 10 + cub::Division()(a, b);
    out[k++] = cub::Max()(a, b) * 10 + cub::Min()(a, b);
    out[k++] = cub::Equality()(a, b) * 10 + cub::Inequality()(a, b);
    out[k++] = cuda::maximum<int>()(a, b) * 10 + cuda::minimum<int>()(a, b);
    out[k++] = cuda::maximum<>()(a, b) * 10 + cuda::minimum<>{}(a, b);
    out[k++] = cuda::maximum{}(a, b) * 10 + cuda::minimum{}(a, b);
    out[k++] = cuda::std::plus<>{}(a, b) * 100 + cuda::std::minus<>()(a, b) * 10 + cuda::std::multiplies<int>()(a, b);
    out[k++] = cuda::std::divides<>{}(a, b) * 10 + cuda::std::modulus<>{}(a, b);
    out[k++] = std::less<>{}(a, b) * 10 + std::greater<int>{}(a, b) + std::equal_to<>{}(a, b) * 1000 + std::less_equal<>{}(a, b) * 10000;
    out[k++] = std::negate<>{}(a) + std::bit_and<>{}(a, b) * 10 + cuda::std::bit_xor<int>{}(a, b) * 100;
    cub::KeyValuePair<int, int> p(1, a), q(2, b);
    out[k++] = cub::ArgMax()(p, q).key * 10 + cub::ArgMin()(p, q).key;
    p = {4, 7};
    q = {3, 7};
    out[k++] = cub::ArgMax()(p, q).key * 10 + cub::ArgMin()(q, p).key;
    cub::ReduceBySegmentOp<cub::Sum> segments;
    out[k++] = segments(pair(1, 5), pair(0, 6)).value * 100 + segments(pair(1, 5), pair(1, 6)).value;
    cub::ReduceByKeyOp<cub::Max> keys;
    out[k++] = keys(pair(1, 9), pair(1, 6)).value * 100 + keys(pair(1, 9), pair(2, 6)).value;
}
__global__ void in_tiles(const int *x, int *out)
{
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    int v = x[threadIdx.x] & 1023, most = cg::reduce(tile, v, cuda::maximum<>()), least = cg::reduce(tile, v, cuda::minimum<int>());
    int sum = cg::reduce(tile, v, cg::plus<>());
    if (threadIdx.x == 0) {
        out[0] = most;
        out[1] = least;
        out[2] = sum;
    }
}
// LAUNCH: typed a=7 b=3 out[14]=zeros --block 1 --grid 1
// OUT: out = [1042, 73, 1, 73, 73, 73, 1000 + 40 + 21, 21, 1, -7 + 30 + 400, 12, 33, 1106, 906]
// LAUNCH: in_tiles x[32]=random:1 out[3]=zeros --block 32 --grid 1
// OUT: out = [(in_x & 1023).max(), (in_x & 1023).min(), (in_x & 1023).sum()]
