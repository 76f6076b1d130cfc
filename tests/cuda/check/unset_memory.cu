// TEST: shared and private memory that nobody has written is told in CUDA C++, too
// REF: docs/errors/HD0603.md
// check-args: --block 64 --grid 1 --shared 512 --assume '64 <= len(out)' --assume '64 <= len(x)'
#include <cuda_pipeline_primitives.h>

// check dynamic: bug HD0603 line @dynamic
__global__ void dynamic(const int *x, int *out)
{
    extern __shared__ int s[];
    int *a = s, *b = s + 64;
    a[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = a[63 - threadIdx.x] + b[threadIdx.x]; //@dynamic
}

// check dynamic_both: proved
__global__ void dynamic_both(const int *x, int *out)
{
    extern __shared__ int s[];
    int *a = s, *b = s + 64;
    a[threadIdx.x] = x[threadIdx.x];
    b[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = a[63 - threadIdx.x] + b[threadIdx.x];
}

// check by_pointer: proved
__device__ void fill(int *p, int n, int value)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        p[i] = value;
}
__global__ void by_pointer(int *out)
{
    __shared__ int s[100];
    fill(s, 100, 3);
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x + 36];
}

// check by_pointer_short: bug HD0603 line @pointer
__global__ void by_pointer_short(int *out)
{
    __shared__ int s[100];
    fill(s, 99, 3);
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x + 36]; //@pointer
}

// check wide: proved
__global__ void wide(const float4 *x, float *out)
{
    __shared__ float s[256];
    ((float4 *)s)[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[255 - threadIdx.x];
}

// check narrow: bug HD0603 line @narrow
__global__ void narrow(const float *x, float4 *out)
{
    __shared__ float4 s[16];
    float *p = (float *)s;
    if (threadIdx.x != 7)
        p[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    if (threadIdx.x < 16)
        out[threadIdx.x] = s[threadIdx.x]; //@narrow
}

union word {
    int i;
    float f;
};
// check in_union: proved
__global__ void in_union(const float *x, int *out)
{
    __shared__ word s[64];
    s[threadIdx.x].f = x[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[63 - threadIdx.x].i;
}

// check copy_async: bug HD0603 line @async
__global__ void copy_async(const int *x, int *out)
{
    __shared__ int s[64];
    if (threadIdx.x < 63)
        __pipeline_memcpy_async(&s[threadIdx.x], &x[threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[threadIdx.x] = s[63 - threadIdx.x]; //@async
}

// check rows: proved
__global__ void rows(const int *x, int *out)
{
    __shared__ int s[4][17];
    s[threadIdx.x / 16][threadIdx.x % 16] = x[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x % 4][threadIdx.x / 4];
}

// check rows_past: bug HD0603 line @past
__global__ void rows_past(const int *x, int *out)
{
    __shared__ int s[4][17];
    s[threadIdx.x / 16][threadIdx.x % 16] = x[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x % 4][threadIdx.x / 4 + 1]; //@past
}

// check locals: bug HD0603 line @local
__global__ void locals(int n, const int *x, int *out)
{
    int best[4];
    for (int i = 0; i < 3; i++)
        best[i] = x[i];
    for (int i = 3; i > 0; i--)
        if (best[i] < best[i - 1]) //@local
            best[i - 1] = best[i];
    out[threadIdx.x] = best[0];
}

// check returned: proved
__global__ void returned(int n, const int *x, int *out)
{
    __shared__ int s[64];
    if (n < 3)
        return;
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[63 - threadIdx.x];
}
