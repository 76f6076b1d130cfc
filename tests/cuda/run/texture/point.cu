// SPDX-License-Identifier: Apache-2.0
// TEST: texture objects of all dimensions give the texel at a place, and beyond the ends what their address mode says
// REF: docs/reference/cuda.md#textures-and-surfaces
__global__ void fetch(cudaTextureObject_t t, const int *at, float *out)
{
    out[threadIdx.x] = tex1Dfetch<float>(t, at[threadIdx.x]);
}

__global__ void line(cudaTextureObject_t t, const float *x, int *out)
{
    int v;
    tex1D(&v, t, x[threadIdx.x]);
    out[threadIdx.x] = v;
}

__global__ void plane(cudaTextureObject_t t, const float *x, const float *y, float *out)
{
    out[threadIdx.x] = tex2D<float>(t, x[threadIdx.x], y[threadIdx.x]);
}

__global__ void space(cudaTextureObject_t t, const float *x, const float *y, const float *z, unsigned char *out)
{
    out[threadIdx.x] = tex3D<unsigned char>(t, x[threadIdx.x], y[threadIdx.x], z[threadIdx.x]);
}

__global__ void layers(cudaTextureObject_t l, cudaTextureObject_t p, const float *x, const float *y, int *out)
{
    for (int i = 0; i < 3; i++)
        out[i * 64 + threadIdx.x] = tex1DLayered<int>(l, x[threadIdx.x], i) + 1000 * tex2DLayered<int>(p, x[threadIdx.x], y[threadIdx.x], i);
}

__global__ void vectors(cudaTextureObject_t f, cudaTextureObject_t u, const float *x, float4 *out, ushort2 *halves)
{
    int i = threadIdx.x;
    out[i] = tex1D<float4>(f, x[i]);
    halves[i] = tex2DLod<ushort2>(u, x[i], 0.5f, 0);
}
// PY: from cuda.oracles import sampled
// LAUNCH: fetch t[50]=random:1 at[64]=iota out[64]=zeros --block 64 --grid 1
// OUT: out = np.append(in_t, np.zeros(14))
// LAUNCH: line t[40]=iota x[64]=iota out[64]=zeros --block 64 --grid 1
// LAUNCH: line t[40]=iota x[64]=iota out[64]=zeros t_address_x=3 --block 64 --grid 1
// LAUNCH: line t[40]=iota x[64]=random:1 out[64]=zeros t_normalized=true --block 64 --grid 1
// LAUNCH: line t[40]=iota x[64]=iota out[64]=zeros t_normalized=true t_address_x=2 --block 64 --grid 1
// OUT: out = sampled(in_t, [in_x], False, globals().get("t_normalized", False), [globals().get("t_address_x", 0)])
// LAUNCH: plane t[4][8]=random:3 x[64]=iota y[64]=iota out[64]=zeros --block 64 --grid 1
// LAUNCH: plane t[4][8]=random:3 x[64]=random:4 y[64]=random:5 out[64]=zeros t_normalized=true --block 64 --grid 1
// LAUNCH: plane t[4][8]=random:3 x[64]=iota y[64]=random:5 out[64]=zeros t_address_x=3 t_address_y=1 --block 64 --grid 1
// OUT: out = sampled(in_t, [in_x, in_y], False, globals().get("t_normalized", False), [globals().get("t_address_x", 0), globals().get("t_address_y", 0)])
// LAUNCH: space t[3][4][8]=iota x[64]=iota y[64]=random:5 z[64]=iota out[64]=zeros --block 64 --grid 1
// LAUNCH: space t[3][4][8]=iota x[64]=random:2 y[64]=random:5 z[64]=random:6 t_normalized=true out[64]=zeros --block 64 --grid 1
// OUT: out = sampled(in_t, [in_x, in_y, in_z], False, globals().get("t_normalized", False))
// LAUNCH: layers l[3][64]=iota p[3][2][64]=iota x[64]=iota y[64]=iota out[192]=zeros --block 64 --grid 1
// OUT: out = np.concatenate([sampled(in_l[i], [in_x]) + 1000 * sampled(in_p[i], [in_x, in_y]) for i in range(3)])
// LAUNCH: vectors f[30]=random:7 u[1][70]=random:8 x[64]=iota out[64]=zeros halves[64]=zeros --block 64 --grid 1
// OUT: out = in_f[np.minimum(np.arange(64), 29)]
// OUT: halves = in_u[0, :64]
