// SPDX-License-Identifier: Apache-2.0
// TEST: what a file's launches say is stated where the checker needs it, as is that pointers are apart
// REF: docs/guide/cuda.md#to-heddle-c
// RUN: heddle convert %s -o all.hd && heddle check all.hd
// STDOUT: rows: proved
// STDOUT: either: proved
// STDOUT: any: proved
// STDOUT: scatter: unknown (3 unknown
// RUN: heddle convert %s | sed -n '/^kernel/,/^{/p'
// STDOUT: kernel void rows(float x[2048], int width)
// STDOUT:     grid(4, 2) threads(16, 16)
// STDOUT:     requires(width == 64)
// STDOUT: kernel void any(float x[n], int n)
// STDOUT:     grid(cdiv(n, 128)) threads(128)
// STDOUT: kernel void either(int x[64], int n)
// STDOUT:     threads(64)
// STDOUT:     requires(n == 2)
// STDOUT: kernel void scatter(const int *i, const float *x, float *restrict y,
// STDOUT:     threads(block_dim_x) // a guess: the CUDA file doesn't state it
// STDOUT: kernel void general(float x[n], int n, constexpr int block_dim_x = 128)
// STDOUT:     threads(block_dim_x)
// STDOUT-NOT: n == 1000
// RUN: heddle convert %s | grep '^// Sizes'
// PRINTS: // Sizes are those of the launch in line 80 of convert_launches.cu.
// PRINTS: // Sizes relate as in the launch in line 81 of convert_launches.cu.
// PRINTS: // Sizes are those of the launches in lines 82 and 83 of convert_launches.cu.
// A launch of another block isn't that of the file:
// RUN: heddle convert %s rows --block 8,8 | grep -v '^//' | grep -c 'requires\|grid(4'
// EXIT: 1
// STDOUT: 0
__global__ void rows(float *x, int width)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    x[j * width + i] = i;
}

__global__ void any(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x * blockDim.x >= n)
        x[0] = i;
    else if (i < n)
        x[i] = i;
}

__global__ void either(int *x, int n)
{
    __shared__ int s[128];
    s[n * threadIdx.x] = n;
    s[n * threadIdx.x + 1] = 1;
    __syncthreads();
    if (blockIdx.x == 0)
        x[threadIdx.x] = s[threadIdx.x];
}

__global__ void scatter(const int *i, const float *x, float *y)
{
    y[threadIdx.x + blockIdx.x * blockDim.x] = x[i[threadIdx.x] & 7];
}

__global__ void general(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = i;
}

int main()
{
    float *x;
    int *y;
    int width = 64, height = 32;
    int n = 1000;
    dim3 block(16, 16);
    cudaMalloc(&x, width * height * sizeof(float));
    cudaMalloc(&y, 64 * sizeof(int));
    if (n < 1)
        return 1;
    rows<<<dim3(width / block.x, height / block.y), block>>>(x, width);
    any<<<(n + 127) / 128, 128>>>(x, n);
    either<<<5, 64>>>(y, 2);
    either<<<7, 64>>>(y, 2);
    general<<<(n + 127) / 128, 128>>>(x, n);
}
