// SPDX-License-Identifier: Apache-2.0
// What kernels of extensions name of PyTorch's headers, in the place of those
// that aren't found. The rest of them is for hosts.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define C10_HOST_DEVICE                      __host__ __device__
#define C10_HOST                             __host__
#define C10_DEVICE                           __device__
#define C10_RESTRICT                         __restrict__
#define C10_ALWAYS_INLINE                    inline
#define C10_LAUNCH_BOUNDS_0                  __launch_bounds__(256, 4)
#define C10_LAUNCH_BOUNDS_1(most)            __launch_bounds__(most)
#define C10_LAUNCH_BOUNDS_2(most, least)     __launch_bounds__(most, least)
#define C10_WARP_SIZE                        32
#define CUDA_KERNEL_ASSERT(condition)        assert(condition)

namespace c10 {

typedef __half Half;
typedef __nv_bfloat16 BFloat16;

}

namespace at {

using c10::BFloat16;
using c10::Half;

// Types to compute and to add in; of integers the widest for sums.
template <typename T> struct OpMathType { typedef T type; };
template <> struct OpMathType<__half> { typedef float type; };
template <> struct OpMathType<__nv_bfloat16> { typedef float type; };
template <typename T> using opmath_type = typename OpMathType<T>::type;

template <typename T, bool on_gpu> struct AccumulateType { typedef long type; };
template <> struct AccumulateType<float, true> { typedef float type; };
template <> struct AccumulateType<double, true> { typedef double type; };
template <> struct AccumulateType<__half, true> { typedef float type; };
template <> struct AccumulateType<__nv_bfloat16, true> { typedef float type; };
template <> struct AccumulateType<bool, true> { typedef bool type; };
template <typename T, bool on_gpu>
using acc_type = typename AccumulateType<T, on_gpu>::type;

template <typename T> struct DefaultPtrTraits { typedef T *PtrType; };
template <typename T> struct RestrictPtrTraits { typedef T *PtrType; };
template <typename T, int N, template <typename> class P = DefaultPtrTraits, typename I = int64_t>
struct __heddle_unsupported("accessors of tensors; pass pointers, sizes and strides") GenericPackedTensorAccessor { T *data; };
template <typename T, int N, template <typename> class P = DefaultPtrTraits, typename I = int64_t>
struct __heddle_unsupported("accessors of tensors; pass pointers, sizes and strides") PackedTensorAccessor { T *data; };
template <typename T, int N, template <typename> class P = DefaultPtrTraits, typename I = int64_t>
struct __heddle_unsupported("accessors of tensors; pass pointers, sizes and strides") PackedTensorAccessor32 { T *data; };
template <typename T, int N, template <typename> class P = DefaultPtrTraits, typename I = int64_t>
struct __heddle_unsupported("accessors of tensors; pass pointers, sizes and strides") PackedTensorAccessor64 { T *data; };

template <typename T> __host__ __device__ T ceil_div(T a, T b) {
  return (a + b - 1) / b;
}

}

namespace torch {

using namespace at;

}

template <typename T> __device__ T gpuAtomicAdd(T *address, T value) {
  return atomicAdd(address, value);
}

template <typename T> __device__ void gpuAtomicAddNoReturn(T *address, T value) {
  atomicAdd(address, value);
}
