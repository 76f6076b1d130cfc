// SPDX-License-Identifier: Apache-2.0
// TEST: namespaces: nested, anonymous, reopened, inline; aliases, using, types and functions of the same name elsewhere
namespace math {
__device__ int twice(int v) { return 2 * v; }
namespace detail {
struct Pair {
    int a, b;
};
__device__ int sum(const Pair &p) { return p.a + p.b; }
} // namespace detail
inline namespace v2 {
__device__ int thrice(int v) { return 3 * v; }
}
} // namespace math
namespace math {
__device__ int fourfold(int v) { return twice(twice(v)); }
}
namespace other {
__device__ int twice(int v) { return -2 * v; }
namespace deep::down {
constexpr int depth = 2;
}
} // namespace other
namespace {
__device__ int hidden(int v) { return v + 1000; }
} // namespace
namespace md = math::detail;
using Pair = md::Pair;
using IntPair = Pair;
template <class T> using Pointer = T *;
typedef unsigned int word;

namespace kernels {
__global__ void run(const int *x, Pointer<int> out)
{
    using math::twice;
    int i = threadIdx.x, n = blockDim.x, v = x[i], k = 0;
    word w = 3u;
    out[k++ * n + i] = twice(v);
    out[k++ * n + i] = other::twice(v) + math::thrice(v) + math::v2::thrice(1);
    out[k++ * n + i] = math::fourfold(v) + hidden(v) + ::hidden(0);
    out[k++ * n + i] = md::sum(IntPair{v, 2}) + sum(Pair{1, 2});
    {
        using namespace other;
        out[k++ * n + i] = deep::down::depth + (int)w;
    }
}
} // namespace kernels

__device__ int rank(int v) { return v + 1; }
__device__ int size = 7;
extern "C" __global__ void group(const int *x, int *out)
{
    int sync = x[threadIdx.x], block = rank(sync), kernel = 2, in = 3, with = 4, any = block + size;
    out[threadIdx.x] = any + kernel + in + with;
}
// LAUNCH: kernels::run x[32]=iota out[160]=zeros --block 32 --grid 1
// OUT: out = np.concatenate([2 * in_x, in_x + 3, 5 * in_x + 2000, in_x + 5, 0 * in_x + 5])
// LAUNCH: group x[32]=iota out[32]=zeros --block 32 --grid 1
// OUT: out = in_x + 17

// What a block uses stands beside what the namespace around it has.
namespace helpers {
__device__ int pick(int v) { return v + 1000; }
__device__ int only(int v) { return v * 2; }
} // namespace helpers
__device__ int pick(float v) { return (int)v + 1; }
namespace inner {
__device__ int only(int v) { return v * 3; }
__global__ void uses(int *out)
{
    using namespace helpers;
    out[0] = pick(1) + pick(2.0f) + only(1);
}
} // namespace inner
// LAUNCH: inner::uses out[1]=zeros --block 1 --grid 1
// OUT: out = np.array([1001 + 3 + 3])
