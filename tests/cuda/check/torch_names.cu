// SPDX-License-Identifier: Apache-2.0
// TEST: what kernels name of PyTorch's headers that aren't there: macros, types of sums, loops, its 16-bit floats
// check widened<float>: proved
// check widened<_Float16>: proved
// check looped<float>: proved
// check bounded: proved
// check named<at::RestrictPtrTraits>: proved
// check of_half: proved
// check too_many: bug HD0601
#include <ATen/AccumulateType.h>
#include <ATen/cuda/detail/KernelUtils.h>
#include <c10/macros/Macros.h>
#include <torch/extension.h>

template <typename T> __global__ void widened(int n)
{
    using acc_t = at::acc_type<T, true>;
    __shared__ acc_t s[64];
    __shared__ char bytes[64];
    s[threadIdx.x] = at::opmath_type<T>(threadIdx.x);
    // Right where sums are made in 4 bytes.
    bytes[sizeof(acc_t) == 4 && sizeof(at::opmath_type<T>) == 4 ? threadIdx.x : 0] = threadIdx.x;
}

template <typename T> C10_LAUNCH_BOUNDS_1(128) __global__ void looped(const T *C10_RESTRICT x, T *y, int n)
{
    __requires(n <= len(x) && n <= len(y));
    CUDA_KERNEL_LOOP(i, n) { y[i] = x[i]; }
}

C10_HOST_DEVICE int twice(int i) { return 2 * i; }

C10_LAUNCH_BOUNDS_2(128, 1) __global__ void bounded()
{
    __shared__ int s[256];
    s[twice(threadIdx.x)] = C10_WARP_SIZE;
}

// A pointer as accessors have it.
template <template <typename> class Traits> __global__ void named(typename Traits<int>::PtrType x)
{
    __requires(blockDim.x <= len(x));
    typename at::DefaultPtrTraits<int>::PtrType y = x;
    if (blockIdx.x == 0)
        y[threadIdx.x] = threadIdx.x;
}

__global__ void of_half(at::Half *x, c10::BFloat16 *y, int n)
{
    __requires(n <= len(x) && n <= len(y));
    int i = at::ceil_div(blockDim.x * blockIdx.x, 1u) + threadIdx.x;
    if (i < n)
        y[i] = float(x[i]);
}

__global__ void too_many(float *sum, float *last)
{
    __requires(1 <= len(sum) && 1 <= len(last));
    gpuAtomicAdd(sum, 1.0f);
    gpuAtomicAddNoReturn(sum, at::OpMathType<c10::Half>::type(2));
    *last = threadIdx.x;
}

void launch(at::Tensor x)
{
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "looped", [&] {
        looped<scalar_t><<<at::ceil_div(x.numel(), 128), 128>>>(x.data_ptr<scalar_t>(), x.data_ptr<scalar_t>(), x.numel());
    });
    widened<float><<<1, 64>>>(1);
    widened<__half><<<1, 64>>>(1);
    bounded<<<1, 128>>>();
    named<at::RestrictPtrTraits><<<2, 64>>>(x.data_ptr<int>());
    of_half<<<8, 64>>>(x.data_ptr<at::Half>(), x.data_ptr<c10::BFloat16>(), x.numel());
    too_many<<<1, 64>>>(x.data_ptr<float>(), x.data_ptr<float>());
}
