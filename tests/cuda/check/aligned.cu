// SPDX-License-Identifier: Apache-2.0
// TEST: what accesses of 8 and 16 bytes trust of pointers is proved, and stands in the converted kernel
// check-args: --block 64 --grid 1
// check: proved
// check elsewhere: bug HD0703
#include <cuda_pipeline.h>

__global__ void by_four(float *y, const float *x)
{
    // heddle: requires 256 <= len(x) && 256 <= len(y)
    reinterpret_cast<float4 *>(y)[threadIdx.x] =
        reinterpret_cast<const float4 *>(x)[threadIdx.x];
}

__global__ void by_two_and_four(float *y, const float *x)
{
    // heddle: requires 256 <= len(x) && 256 <= len(y)
    float2 v = *reinterpret_cast<const float2 *>(x + 2 * threadIdx.x);
    float4 w = *reinterpret_cast<const float4 *>(x + 4 * threadIdx.x);
    y[threadIdx.x] = v.x + w.w;
}

__global__ void copied(float *y, const float *x)
{
    // heddle: requires 256 <= len(x) && 64 <= len(y)
    __shared__ alignas(16) float s[256];
    __pipeline_memcpy_async(&s[4 * threadIdx.x], &x[4 * threadIdx.x], 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    y[threadIdx.x] = s[255 - threadIdx.x];
}

__global__ void moved(float *y, const float *x)
{
    // heddle: requires 260 <= len(x) && 256 <= len(y)
    x += 4;
    reinterpret_cast<float4 *>(y)[threadIdx.x] =
        reinterpret_cast<const float4 *>(x)[threadIdx.x];
}

__global__ void elsewhere(float *y, const float *x, int n)
{
    // heddle: requires 0 <= n && n <= 4 && 260 <= len(x) && 256 <= len(y)
    reinterpret_cast<float4 *>(y)[threadIdx.x] =
        *reinterpret_cast<const float4 *>(x + n + 4 * threadIdx.x);
}
