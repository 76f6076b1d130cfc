// SPDX-License-Identifier: Apache-2.0
// TEST: n-body with a template of the number type, vector traits, and tiles of positions in shared memory
template <typename T> struct vec3 {
    typedef float Type;
};
template <> struct vec3<float> {
    typedef float3 Type;
};
template <> struct vec3<double> {
    typedef double3 Type;
};
template <typename T> struct vec4 {
    typedef float4 Type;
};
template <> struct vec4<double> {
    typedef double4 Type;
};
template <typename T> struct Softening {
    static __device__ T squared() { return T(0.01); }
};
template <typename T> __device__ T inverse_root(T x) { return rsqrtf(x); }
template <> __device__ double inverse_root<double>(double x) { return rsqrt(x); }

template <typename T>
__device__ typename vec3<T>::Type interact(typename vec3<T>::Type ai, typename vec4<T>::Type bi, typename vec4<T>::Type bj)
{
    typename vec3<T>::Type r;
    r.x = bj.x - bi.x;
    r.y = bj.y - bi.y;
    r.z = bj.z - bi.z;
    T dist = r.x * r.x + r.y * r.y + r.z * r.z + Softening<T>::squared();
    T inv = inverse_root(dist);
    T s = bj.w * inv * inv * inv;
    ai.x += r.x * s;
    ai.y += r.y * s;
    ai.z += r.z * s;
    return ai;
}

template <typename T>
__device__ void accelerate(typename vec4<T>::Type *acceleration, const typename vec4<T>::Type *bodies, int tiles)
{
    extern __shared__ char memory[];
    typename vec4<T>::Type *tile = reinterpret_cast<typename vec4<T>::Type *>(memory);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    typename vec4<T>::Type own = bodies[i];
    typename vec3<T>::Type a = {0, 0, 0};
    for (int k = 0; k < tiles; k++) {
        tile[threadIdx.x] = bodies[k * blockDim.x + threadIdx.x];
        __syncthreads();
#pragma unroll 32
        for (unsigned j = 0; j < blockDim.x; j++)
            a = interact<T>(a, own, tile[j]);
        __syncthreads();
    }
    acceleration[i].x = a.x;
    acceleration[i].y = a.y;
    acceleration[i].z = a.z;
}
__global__ void singles(float4 *acceleration, const float4 *bodies, int tiles)
{
    accelerate<float>(acceleration, bodies, tiles);
}

__global__ void doubles(double4 *acceleration, const double4 *bodies, int tiles)
{
    accelerate<double>(acceleration, bodies, tiles);
}
// PY: def reference(b):
// PY:     b = b.astype(float)
// PY:     r = b[None, :, :3] - b[:, None, :3]
// PY:     s = b[None, :, 3] * ((r**2).sum(2) + 0.01)**-1.5
// PY:     return np.concatenate([(r * s[:, :, None]).sum(1), np.zeros((len(b), 1))], 1)
// LAUNCH: singles acceleration[128]=zeros bodies[128]=random:1 tiles=2 --grid 2 --block 64 --shared 1024
// OUT: acceleration = reference(in_bodies)
// TOL: 1e-4 1e-3
// LAUNCH: doubles acceleration[64]=zeros bodies[64]=random:2 tiles=2 --grid 2 --block 32 --shared 1024
// OUT: acceleration = reference(in_bodies)
// TOL: 1e-12 1e-11
