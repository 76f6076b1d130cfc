// SPDX-License-Identifier: Apache-2.0
// TEST: small functions and types of cub and function objects of std
// NVCC: names that CUDA 13 has no more
// REF: docs/reference/cuda.md#cub
#include <cub/cub.cuh>
#include <cuda/std/functional>

__global__ void threads(unsigned *out)
{
    unsigned t = cub::RowMajorTid(8, 8, 1), k = 0;
    out[k++ * 64 + t] = t * 100 + cub::WarpId() * 50 + cub::LaneId();
    out[k++ * 64 + t] = cub::LaneMaskLt();
    out[k++ * 64 + t] = cub::LaneMaskLe();
    out[k++ * 64 + t] = cub::LaneMaskGt();
    out[k++ * 64 + t] = cub::LaneMaskGe();
    __shared__ cub::Uninitialized<unsigned> shared;
    if (t == 0)
        shared.Alias() = 7;
    cub::CTA_SYNC();
    out[k++ * 64 + t] = shared.Alias();
}
template <cub::CacheLoadModifier L, cub::CacheStoreModifier S> __device__ void copy(const int *x, int *y) { cub::ThreadStore<S>(y + threadIdx.x, cub::ThreadLoad<L>(x + threadIdx.x)); }
__global__ void copies(const int *x, int *y)
{
    copy<cub::LOAD_DEFAULT, cub::STORE_DEFAULT>(x, y);
    copy<cub::LOAD_CA, cub::STORE_WB>(x, y + 32);
    copy<cub::LOAD_CG, cub::STORE_CG>(x, y + 64);
    copy<cub::LOAD_CS, cub::STORE_CS>(x, y + 96);
    copy<cub::LOAD_CV, cub::STORE_WT>(x, y + 128);
    copy<cub::LOAD_LDG, cub::STORE_VOLATILE>(x, y + 160);
    copy<cub::LOAD_VOLATILE, cub::STORE_DEFAULT>(x, y + 192);
}
template <cudaSharedMemConfig C> __device__ int banks() { return C; }
__global__ void values(int a, int b, int *out)
{
    int k = 0, items[3] = {a, b, 5};
    out[k++] = cub::ThreadReduce(items, cub::Sum()) * 100 + cub::ThreadReduce(items, cub::Sum(), 10);
    out[k++] = cub::DivideAndRoundUp(a, b) * 10 + cub::Log2<9>::VALUE;
    out[k++] = (int)cub::BFE(0x1234u, 4, 8);
    out[k++] = cub::CastOp<int>()(a + 0.7f) * 10 + cub::SwizzleScanOp<cub::Difference>(cub::Difference())(a, b) + 100;
    cub::KeyValuePair<int, float> pair(3, 4);
    cub::KeyValuePair<int, float>::Value value = pair.value;
    out[k++] = (int)value * 10 + (pair != cub::KeyValuePair<int, float>(3, 5));
    out[k++] = std::not_equal_to<>{}(a, b) * 1000 + std::greater_equal<>{}(a, b) * 100 + std::logical_and<>{}(a, 0) * 10 + std::logical_or<bool>{}(a, 0);
    out[k++] = std::logical_not<>{}(a) * 10 + std::logical_not<int>{}(0) + std::bit_not<>{}(a) * 100 + std::identity{}(a) * 1000;
    out[k++] = banks<cudaSharedMemBankSizeDefault>() * 100 + banks<cudaSharedMemBankSizeFourByte>() * 10 + banks<cudaSharedMemBankSizeEightByte>();
}
// PY: t = np.arange(64, dtype=np.uint64)
// PY: low = (np.uint64(1) << t % np.uint64(32)) - np.uint64(1)
// PY: until = np.uint64(2) * low + np.uint64(1)
// PY: all32 = np.uint64(2**32 - 1)
// LAUNCH: threads out[384]=zeros --block 8,8 --grid 1
// OUT: out = np.concatenate([t * 100 + t // 32 * 50 + t % 32, low, until, all32 - until, all32 - low, t * 0 + 7])
// LAUNCH: copies x[32]=random:1 y[224]=zeros --block 32 --grid 1
// OUT: y = np.tile(in_x, 7)
// LAUNCH: values a=7 b=3 out[8]=zeros --block 1 --grid 1
// OUT: out = [1525, 34, 0x23, 70 - 4 + 100, 41, 1101, 1 - 800 + 7000, 12]
