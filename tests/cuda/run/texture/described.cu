// SPDX-License-Identifier: Apache-2.0
// TEST: how a texture is sampled is what the descriptor of the object says that a launch passes
// REF: docs/reference/cuda.md#textures-and-surfaces
// NVCC: the descriptors are host code
// PY: from cuda.oracles import sampled
#include <cstring>

__global__ void both(cudaTextureObject_t smooth, cudaTextureObject_t sharp, const float *x, float *out)
{
    int i = threadIdx.x;
    out[i] = tex1D<float>(smooth, x[i]);
    out[i + 64] = tex1D<float2>(sharp, x[i]).y;
}

__global__ void of_members(cudaTextureObject_t first, const float *x, float *out)
{
    out[threadIdx.x] = tex1D<float>(first, x[threadIdx.x]);
}

__global__ void designated(cudaTextureObject_t t, const float *x, float *out)
{
    out[threadIdx.x] = tex1D<float>(t, x[threadIdx.x]);
}

struct Pair {
    cudaTextureObject_t a, b;
};

cudaTextureObject_t make(cudaArray_t array, bool is_smooth, Pair *pair)
{
    cudaResourceDesc resource = {};
    cudaTextureDesc how = {};
    cudaTextureObject_t one;
    how.addressMode[0] = cudaAddressModeBorder;
    how.filterMode = cudaFilterModePoint;
    cudaCreateTextureObject(&pair->a, &resource, &how, nullptr);
    how.filterMode = cudaFilterModeLinear;
    how.addressMode[0] = cudaAddressModeClamp;
    how.normalizedCoords = 1;
    cudaCreateTextureObject(&one, &resource, &how, nullptr);
    memset(&how, 0, sizeof how);
    how.readMode = cudaReadModeNormalizedFloat;
    how.addressMode[0] = cudaAddressModeBorder;
    cudaChannelFormatDesc channels = cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindUnsigned);
    checkErrors(cudaCreateTextureObject(&pair->b, &resource, &how, nullptr));
    both<<<1, 64>>>(one, pair->b, nullptr, nullptr);
    of_members<<<1, 64>>>(pair->a, nullptr, nullptr);
    cudaTextureDesc other = {.filterMode = cudaFilterModeLinear, .normalizedCoords = true};
    cudaTextureObject_t last;
    cudaCreateTextureObject(&last, &resource, &other, nullptr);
    designated<<<1, 64>>>(last, nullptr, nullptr);
    return one;
}
// LAUNCH: both smooth[16]=iota sharp[16]=random:1 x[64]=random:2 out[128]=zeros --grid 1
// OUT: out = np.append(sampled(in_smooth, [in_x], True, True, [1]), sampled(in_sharp[:, 1] / np.float32(65535), [in_x], False, False, [3]))
// TOL: 1e-6
// LAUNCH: of_members first[16]=iota x[64]=iota out[64]=zeros --grid 1
// OUT: out = sampled(in_first, [in_x], False, False, [3])
// LAUNCH: of_members first[16]=iota x[64]=iota out[64]=zeros first_linear=true first_address_x=1 --grid 1
// OUT: out = sampled(in_first, [in_x], True, False, [1])
// LAUNCH: designated t[16]=iota x[64]=random:2 out[64]=zeros --grid 1
// OUT: out = sampled(in_t, [in_x], True, True, [0])
// TOL: 1e-6
