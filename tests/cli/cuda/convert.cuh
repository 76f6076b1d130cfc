/* What a project says of itself
 * stays at the top.
 */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

#define TILE 16

// Products of one row and one column.
__device__ float dot(const float *a, const float *b, int n) // of n elements
{
    float sum = 0;

    for (int k = 0; k < n; k++) // one after the other
        sum += a[k] * b[k];
    return sum;
}

/**
 * In place, by threads beyond which nothing is there.
 */
__global__ void scale(float *x, // [in, out] all of them
                      int n,    // how many
                      float a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n) return; // beyond the end

    /* a
       comment of two lines */
    x[i] *= a;
    // the end
}

template <typename T> __device__ T twice(T v)
{
    return v + v; // in its type
}

__global__ void tiles(const unsigned *in, unsigned *out, int w, int h)
{
    __shared__ unsigned tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;

    if (x < w && y < h)
        tile[threadIdx.y][threadIdx.x] = twice(in[y * w + x]);
    __syncthreads();
    switch (h) {
    case 1:
        break;
    default:
        x = blockIdx.y * TILE + threadIdx.x;
        y = blockIdx.x * TILE + threadIdx.y;
    }
    if (x < h && y < w)
        out[y * h + x] = tile[threadIdx.x][threadIdx.y];
}

template <bool HALVES> __device__ float part(float v)
{
    float w = v, a = 1;
    if (HALVES)
        return w * 0.5f;
    ;
    return w * a;
}

// Positions are compared as CUDA C does where they may be negative.
__global__ void sums(const float *in, float *sums, float *edge, int n)
{
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cg::this_thread_block());
    float v = 0;
#pragma unroll 4
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        v += in[i] * twice(0.5f) + part<true>(1) * part<false>(v);
    v = cg::reduce(warp, v, cg::plus<float>());
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_xor_sync(0xffffffff, v, d);
    if (threadIdx.x == blockDim.x - 1)
        sums[blockIdx.x] = v;
    if (threadIdx.x < n - 5)
        edge[threadIdx.x] = v;
}

// What the arguments decide is gone; a constant stays unsigned where it matters.
template <unsigned SIZE, bool POW2>
__global__ void folded(unsigned *out, unsigned n, int count)
{
    unsigned i = blockIdx.x * SIZE * 2 + threadIdx.x;
    if (POW2 || i + SIZE < n)
        out[i] = SIZE << (n % SIZE);
    if (SIZE >= 128)
        out[0] = count * SIZE;
    else if (SIZE >= 64)
        out[1] = SIZE >= 64 ? n : 0u;
    else
        out[2] = 3;
    if (count < 0 && SIZE > 64)
        out[3] = count - SIZE;
}

template <int N> __global__ void open(float *x)
{
    x[threadIdx.x] = N;
}

int main()
{
    scale<<<4, 128>>>(nullptr, 500, 2.0f);
    tiles<<<dim3(4, 4), dim3(TILE, TILE)>>>(nullptr, nullptr, 50, 50);
    folded<64, true><<<1, 64>>>(nullptr, 64, 1);
    folded<128, false><<<1, 128>>>(nullptr, 64, 1);
    return 0;
}
