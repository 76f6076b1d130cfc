// SPDX-License-Identifier: Apache-2.0
// TEST: accessors of PyTorch's tensors as parameters are named, at their place
#include <torch/extension.h>

template <typename T> __global__ void f(
    const torch::PackedTensorAccessor32<T, 2, torch::RestrictPtrTraits> x, //~ error HD1150: accessors of tensors; pass pointers, sizes and strides
    int n)
{
    int i = threadIdx.x;
}

void launch(torch::Tensor x)
{
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "f", [&] {
        f<scalar_t><<<1, 64>>>(x.packed_accessor32<scalar_t, 2, torch::RestrictPtrTraits>(), 3);
    });
}

__global__ void older(torch::PackedTensorAccessor<float, 1> x) //~ error HD1150: accessors of tensors
{
}
__global__ void wide(at::PackedTensorAccessor64<double, 3> x) //~ error HD1150: accessors of tensors
{
}
__global__ void general(at::GenericPackedTensorAccessor<int, 2> x) //~ error HD1150: accessors of tensors
{
}
