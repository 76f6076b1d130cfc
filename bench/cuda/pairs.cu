// SPDX-License-Identifier: Apache-2.0
// Kernels as CUDA programmers write them; pairs.hd has the same in Heddle C.
__global__ void __launch_bounds__(256)
saxpy(int n, float a, const float *__restrict__ x, float *__restrict__ y)
{
    __requires(n <= len(x) && n <= len(y));
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}

__global__ void transpose(int w, int h, const float *__restrict__ in,
                          float *__restrict__ out)
{
    __requires(h * w <= len(in) && w * h <= len(out));
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x;
    int y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < w && y + j < h)
            tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < h && y + j < w)
            out[(y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void matmul(int n, const float *__restrict__ A,
                       const float *__restrict__ B, float *__restrict__ C)
{
    __requires(n * n <= len(A) && n * n <= len(B) && n * n <= len(C));
    __shared__ float a[16][16];
    __shared__ float b[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
    float sum = 0.0f;
    for (int k = 0; k < n; k += 16) {
        a[ty][tx] = row < n && k + tx < n ? A[row * n + k + tx] : 0.0f;
        b[ty][tx] = k + ty < n && col < n ? B[(k + ty) * n + col] : 0.0f;
        __syncthreads();
        for (int i = 0; i < 16; i++)
            sum += a[ty][i] * b[i][tx];
        __syncthreads();
    }
    if (row < n && col < n)
        C[row * n + col] = sum;
}

__global__ void reduce(int n, const int *__restrict__ x, int *__restrict__ total)
{
    __requires(n <= len(x) && 1 <= len(total));
    __shared__ int part[256];
    int t = threadIdx.x, sum = 0;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
        sum += x[i];
    part[t] = sum;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (t < s)
            part[t] += part[t + s];
        __syncthreads();
    }
    if (t == 0)
        atomicAdd(total, part[0]);
}

__global__ void stencil(int w, int h, const float *__restrict__ in,
                        float *__restrict__ out)
{
    __requires(h * w <= len(in) && h * w <= len(out));
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && y > 0 && x + 1 < w && y + 1 < h)
        out[y * w + x] = 0.25f * (in[(y - 1) * w + x] + in[(y + 1) * w + x] +
                                  in[y * w + x - 1] + in[y * w + x + 1]);
}

__global__ void histogram(int n, const unsigned char *__restrict__ data,
                          unsigned *__restrict__ bins)
{
    __requires(n <= len(data) && 256 <= len(bins));
    __shared__ unsigned own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * blockDim.x)
        atomicAdd(&own[data[i]], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}
