// SPDX-License-Identifier: Apache-2.0
// TEST: what is wrong inside of our headers is told at the user's line that leads there
// check loads: bug HD0601 line @store other @load
// check loads: also HD0702
// check waits: proved
// check stores: bug HD0601 line @st other @ld

__device__ unsigned address(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

__device__ float load(unsigned at)
{
    float value;
    asm volatile("ld.shared.f32 %0, [%1];" : "=f"(value) : "r"(at)); //@load
    return value;
}

__global__ void loads(float *out)
{
    __shared__ float s[256];
    s[threadIdx.x] = threadIdx.x; //@store
    float seen = load(address(&s[threadIdx.x ^ 1]));
    __syncthreads();
    s[threadIdx.x] = seen;
}

__global__ void waits(float *out)
{
    __shared__ float s[256];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    float seen = load(address(&s[threadIdx.x ^ 1]));
    __syncthreads();
    s[threadIdx.x] = seen;
}

__global__ void stores(float *out)
{
    __shared__ float s[256];
    unsigned at = address(&s[threadIdx.x]), next = address(&s[threadIdx.x ^ 1]);
    float seen;
    asm volatile("st.shared.f32 [%0], %1;" ::"r"(at), "f"(1.0f));     //@st
    asm volatile("ld.shared.f32 %0, [%1];" : "=f"(seen) : "r"(next)); //@ld
    __syncthreads();
    s[threadIdx.x] = seen;
}
