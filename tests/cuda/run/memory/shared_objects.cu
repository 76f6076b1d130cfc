// SPDX-License-Identifier: Apache-2.0
// TEST: shared memory that conversions, operators, constructors and lambdas declare has names of its own
template <class T> struct Raw {
    __device__ operator T *()
    {
        extern __shared__ int bytes[];
        return (T *)bytes;
    }
    __device__ operator const T *() const
    {
        extern __shared__ int bytes[];
        return (T *)bytes;
    }
};

struct Fixed {
    __device__ operator float *()
    {
        __shared__ float bytes[64];
        return bytes;
    }
    __device__ float *operator()(int i)
    {
        __shared__ float bytes[128];
        return bytes + i;
    }
};

__global__ void turned(float *x)
{
    float *s = Raw<float>();
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    const Raw<float> same;
    const float *read = same;
    x[t] = read[blockDim.x - 1 - t];
}
// LAUNCH: turned x[64]=iota --block 64 --grid 1 --shared 256
// OUT: x = 63 - np.arange(64)

__global__ void both(float *x)
{
    Fixed fixed;
    float *s = fixed, *far = fixed(64);
    int t = threadIdx.x;
    auto own = [&](float v) {
        __shared__ float bytes[64];
        bytes[t] = v;
        __syncthreads();
        return bytes[t ^ 1];
    };
    s[t] = x[t];
    far[t] = 2 * x[t];
    __syncthreads();
    x[t] = s[63 - t] + far[t ^ 2] + own(100 * t);
}
// LAUNCH: both x[64]=iota --block 64 --grid 1
// OUT: x = 63 - np.arange(64) + 2 * (np.arange(64) ^ 2) + 100 * (np.arange(64) ^ 1)
