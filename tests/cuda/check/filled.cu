// TEST: shared memory that every block fills before it reads it is proved, whatever the sizes; each way to fill less is told
// REF: docs/errors/HD0603.md
// check-args: --block 128 --grid 1 --shared 2048 --assume '128 <= len(out)' --assume '512 <= len(x)'
#include <cuda/barrier>
#include <cuda_pipeline.h>

// check tree: proved
__global__ void tree(const int *x, int *out)
{
    extern __shared__ int s[];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    for (unsigned d = blockDim.x / 2; d > 0; d >>= 1) {
        if (threadIdx.x < d)
            s[threadIdx.x] += s[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[0] = s[0];
}

// check tree_one_more: bug HD0603 's' is read before it has a value
__global__ void tree_one_more(const int *x, int *out)
{
    extern __shared__ int s[];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    for (unsigned d = blockDim.x / 2; d > 0; d >>= 1) {
        if (threadIdx.x < d)
            s[threadIdx.x] += s[threadIdx.x + d + (d == 64)];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[0] = s[0];
}

// check tile: proved
__global__ void tile(const int *x, int *out)
{
    __shared__ int a[16][9];
    int column = threadIdx.x % 8, row = threadIdx.x / 8;
    a[row][column] = x[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = a[threadIdx.x % 16][threadIdx.x / 16];
}

// check tile_wide: bug HD0603 'a' is read before it has a value
__global__ void tile_wide(const int *x, int *out)
{
    __shared__ int a[16][9];
    int column = threadIdx.x % 8, row = threadIdx.x / 8;
    a[row][column] = x[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = a[threadIdx.x % 16][threadIdx.x / 16 + 1];
}

// check tile_twice: bug HD0603 'b' is read before it has a value
__global__ void tile_twice(const int *x, int *out)
{
    __shared__ int a[16][8];
    __shared__ int b[16][8];
    a[threadIdx.x / 8][threadIdx.x % 8] = x[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = b[threadIdx.x % 16][threadIdx.x / 16];
}

// check staged: proved
__global__ void staged(const int *x, int *out)
{
    __shared__ int s[2][128];
    int sum = 0, t = threadIdx.x;
    __pipeline_memcpy_async(&s[0][t], &x[t], 4);
    __pipeline_commit();
    for (int k = 0; k < 4; k++) {
        if (k + 1 < 4)
            __pipeline_memcpy_async(&s[(k + 1) % 2][t], &x[(k + 1) * 128 + t], 4);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        sum += s[k % 2][127 - t];
        __syncthreads();
    }
    out[t] = sum;
}

// check staged_late: bug HD0601
__global__ void staged_late(const int *x, int *out)
{
    __shared__ int s[2][128];
    int sum = 0, t = threadIdx.x;
    __pipeline_memcpy_async(&s[1][t], &x[t], 4);
    __pipeline_commit();
    for (int k = 0; k < 4; k++) {
        if (k + 1 < 4)
            __pipeline_memcpy_async(&s[(k + 1) % 2][t], &x[(k + 1) * 128 + t], 4);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        sum += s[k % 2][127 - t];
        __syncthreads();
    }
    out[t] = sum;
}

// check met: proved
__global__ void met(const int *x, int *out)
{
    __shared__ int s[128];
    __shared__ cuda::barrier<cuda::thread_scope_block> b;
    if (threadIdx.x == 0)
        init(&b, blockDim.x);
    __syncthreads();
    s[threadIdx.x] = x[threadIdx.x];
    b.arrive_and_wait();
    out[threadIdx.x] = s[127 - threadIdx.x];
}

// check met_before: bug HD0603 's' is read before it has a value
__global__ void met_before(const int *x, int *out)
{
    __shared__ int s[128];
    __shared__ cuda::barrier<cuda::thread_scope_block> b;
    if (threadIdx.x == 0)
        init(&b, blockDim.x);
    __syncthreads();
    int v = s[127 - threadIdx.x];
    b.arrive_and_wait();
    s[threadIdx.x] = x[threadIdx.x];
    out[threadIdx.x] = v;
}

// check met_half: bug HD0603 's' is read before it has a value
__global__ void met_half(const int *x, int *out)
{
    __shared__ int s[128];
    __shared__ cuda::barrier<cuda::thread_scope_block> b;
    if (threadIdx.x == 0)
        init(&b, blockDim.x);
    __syncthreads();
    if (threadIdx.x < 127)
        s[threadIdx.x] = x[threadIdx.x];
    b.arrive_and_wait();
    out[threadIdx.x] = s[127 - threadIdx.x];
}
