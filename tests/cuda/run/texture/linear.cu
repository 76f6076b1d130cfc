// SPDX-License-Identifier: Apache-2.0
// TEST: linear filtering mixes the texels beside a place by weights of 8 bits, in all dimensions and address modes
// REF: docs/reference/cuda.md#textures-and-surfaces
// PY: from cuda.oracles import sampled
__global__ void line(cudaTextureObject_t t, const float *x, float begin, float step, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = tex1D<float>(t, begin + step * x[i]);
}

__global__ void plane(cudaTextureObject_t t, const float *x, const float *y, float begin, float step, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = tex2D<float>(t, begin + step * x[i], begin + step * y[i]);
}

__global__ void space(cudaTextureObject_t t, const float *x, const float *y, const float *z, float begin, float step, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = tex3D<float>(t, begin + step * x[i], begin + step * y[i], begin + step * z[i]);
}

__global__ void layers(cudaTextureObject_t t, const float *x, float begin, float step, float2 *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = tex2DLayered<float2>(t, begin + step * x[i], 1.25f, i % 2);
}
// Weights of one texel are exact.
// LAUNCH: line t[8]=iota x[256]=iota begin=2.5 step=0.0009765625 out[256]=zeros t_linear=true t_address_x=1 --block 128 --grid 2
// LAUNCH: line t[8]=iota x[256]=iota begin=-3 step=0.0625 out[256]=zeros t_linear=true t_address_x=1 --block 128 --grid 2
// LAUNCH: line t[8]=iota x[256]=iota begin=-3 step=0.0625 out[256]=zeros t_linear=true t_address_x=3 --block 128 --grid 2
// LAUNCH: line t[8]=iota x[256]=iota begin=-2 step=0.015625 out[256]=zeros t_linear=true t_normalized=true --block 128 --grid 2
// LAUNCH: line t[8]=iota x[256]=iota begin=-2 step=0.015625 out[256]=zeros t_linear=true t_normalized=true t_address_x=1 --block 128 --grid 2
// LAUNCH: line t[8]=iota x[256]=iota begin=-2 step=0.015625 out[256]=zeros t_linear=true t_normalized=true t_address_x=2 --block 128 --grid 2
// LAUNCH: line t[8]=iota x[256]=iota begin=-2 step=0.015625 out[256]=zeros t_linear=true t_normalized=true t_address_x=3 --block 128 --grid 2
// OUT: out = sampled(in_t, [np.float32(begin) + np.float32(step) * in_x], True, globals().get("t_normalized", False), [globals().get("t_address_x", 0)])
// LAUNCH: plane t[4][8]=iota x[256]=iota y[256]=random:2 begin=-1 step=0.0625 out[256]=zeros t_linear=true t_address_x=1 t_address_y=3 --block 128 --grid 2
// LAUNCH: plane t[4][8]=iota x[256]=iota y[256]=random:2 begin=-1 step=0.0625 out[256]=zeros t_linear=true t_normalized=true t_address_y=2 --block 128 --grid 2
// OUT: out = sampled(in_t, [np.float32(begin) + np.float32(step) * v for v in (in_x, in_y)], True, globals().get("t_normalized", False), [globals().get("t_address_x", 0), t_address_y])
// LAUNCH: space t[3][4][8]=iota x[256]=iota y[256]=random:2 z[256]=iota begin=-1 step=0.0625 out[256]=zeros t_linear=true t_address_x=1 t_address_y=1 t_address_z=1 --block 128 --grid 2
// OUT: out = sampled(in_t, [np.float32(begin) + np.float32(step) * v for v in (in_x, in_y, in_z)], True, False, [1, 1, 1])
// TOL: 1e-6
// LAUNCH: layers t[2][3][8]=iota x[256]=iota begin=-1 step=0.0625 out[256]=zeros t_linear=true t_address_x=1 t_address_y=1 --block 128 --grid 2
// OUT: out = np.array([[sampled(in_t[i % 2, :, :, c], [np.float32([-1 + i / 16]), np.float32([1.25])], True)[0] for c in range(2)] for i in range(256)])
// TOL: 1e-6
