// SPDX-License-Identifier: Apache-2.0
// TEST: a kernel works beside kernels, classes and host code that the front end can't take
// NVCC: the file is no CUDA program
#include <no_such_library/header.h>
#include "helper_cuda.h"

texture<float, cudaTextureType2D, cudaReadModeElementType> image;
template <typename... T> struct Tuple : T... {
    using T::operator()...;
};
class Device : public unknown::Base<Device> {
    virtual void run() override { kernel_.template launch<3>(this); }
    unknown::Kernel kernel_;
};
__global__ void fetches(float *out) { out[threadIdx.x] = tex2D(image, 1, 2); }
__global__ void broken(int *out) { out[0] = no_such_function(1); }
__global__ void worse(unknown::type *out) { out[0] = {}; }
operator wonder(int) -> { this is no program; }
__global__ void works(const int *x, int *out) { out[threadIdx.x] = x[threadIdx.x] + 1; }
int main() { works<<<1, 32>>>(0, 0), unknown::finish(nullptr); }
// LAUNCH: works x[32]=iota out[32]=zeros --grid 1
// OUT: out = in_x + 1
