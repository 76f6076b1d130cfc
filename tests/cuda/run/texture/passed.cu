// SPDX-License-Identifier: Apache-2.0
// TEST: texture objects are values: of functions, members, lambdas, choices and arrays, each with texels of its own type
// REF: docs/reference/cuda.md#textures-and-surfaces
// NVCC: the textures of a struct have no names there
struct Sampler {
    cudaTextureObject_t t;
    float scale;
    __device__ float operator()(int i) const { return scale * tex1Dfetch<float>(t, i); }
};
struct Both {
    cudaTextureObject_t words;
    int n;
    Sampler inner;
};
__device__ int word(cudaTextureObject_t t, int i) { return tex1D<int2>(t, i).y; }
template <class T> __device__ void get(T *out, const cudaTextureObject_t &t, int i) { tex1Dfetch(out, t, i); }
__device__ cudaTextureObject_t same(cudaTextureObject_t t) { return t; }
__constant__ cudaTextureObject_t fixed;

__global__ void members(Both b, int *out)
{
    int i = threadIdx.x;
    Sampler copy = b.inner;
    copy.scale = 2;
    out[i] = word(b.words, i) + 100 * (int)b.inner(i) + 10000 * (int)copy(i) + b.n;
}

__global__ void choices(cudaTextureObject_t p, cudaTextureObject_t q, cudaTextureObject_t other, int *out)
{
    int i = threadIdx.x;
    cudaTextureObject_t one = i % 2 ? p : q;
    auto far = [=](int k) { return tex1Dfetch<int>(one, k + 1); };
    unsigned char small;
    get(&small, other, i);
    out[i] = far(i) + small;
    one = q;
    out[i] += 10000 * tex1Dfetch<int>(one, 1);
}

__global__ void lists(cudaTextureObject_t p, cudaTextureObject_t q, int *out)
{
    int i = threadIdx.x;
    cudaTextureObject_t list[2] = {p, q};
    out[i] = tex1Dfetch<int>(list[i / 16 % 2], i) + 1000 * tex1Dfetch<int>(same(p), 1);
}

struct Several {
    int n;
    cudaTextureObject_t list[3];
    cudaTextureObject_t scale;
};
__global__ void array(Several s, float *out)
{
    float sum = 0;
    for (int i = 0; i < s.n; i++)
        sum += tex1Dfetch<float>(s.list[i], threadIdx.x) * tex1Dfetch<int>(s.scale, i);
    out[threadIdx.x] = sum;
}

template <class... T> __global__ void pack(float *out, T... t)
{
    out[threadIdx.x] = (tex1Dfetch<float>(t, threadIdx.x) + ...);
}
template __global__ void pack<cudaTextureObject_t, cudaTextureObject_t>(float *, cudaTextureObject_t, cudaTextureObject_t);
__global__ void named(cudaTextureObject_t t, float *out, int t_width, float t_linear, int t_view)
{
    out[threadIdx.x] = tex1Dfetch<float>(t, t_width) + t_linear + t_view;
}

__global__ void constant(cudaTextureObject_t nobody, float *out)
{
    out[threadIdx.x] = tex2D<float>(fixed, threadIdx.x, 1);
}
// LAUNCH: members b_words[32]=iota b_n=3 b_inner_t[32]=iota b_inner_scale=1 out[32]=zeros --block 32 --grid 1
// OUT: out = in_b_words[:, 1] + 100 * np.arange(32) + 10000 * 2 * np.arange(32) + 3
// LAUNCH: choices p[40]=iota q[40]=full:7 other[32]=full:200 out[32]=zeros --block 32 --grid 1
// OUT: out = np.where(np.arange(32) % 2, np.arange(32) + 1, 7) + 200 + 70000
// LAUNCH: lists p[40]=iota q[40]=full:7 out[32]=zeros --block 32 --grid 1
// OUT: out = np.where(np.arange(32) < 16, np.arange(32), 7) + 1000
// LAUNCH: constant fixed[2][32]=iota out[32]=zeros --block 32 --grid 1
// OUT: out = np.arange(32, 64)
// LAUNCH: array s_n=3 s_list_0[40]=iota s_list_1[40]=full:1 s_list_2[20]=full:2 s_scale[3]=iota out[32]=zeros --block 32 --grid 1
// OUT: out = 1 + np.where(np.arange(32) < 20, 4, 0)
// LAUNCH: 'pack<cudaTextureObject_t, cudaTextureObject_t>' out[32]=zeros t_0[32]=iota t_1[16]=full:100 --block 32 --grid 1
// OUT: out = np.arange(32) + np.where(np.arange(32) < 16, 100, 0)
// LAUNCH: named t[5]=iota t_width_=5 out[32]=zeros t_width=3 t_linear=0.5 t_view=10 --block 32 --grid 1
// OUT: out = 13.5
