// SPDX-License-Identifier: Apache-2.0
// TEST: const that is cast away from a parameter is no error: what is written so counts as written
// check rows: unknown HD0702
// check plain: unknown HD0702
// check member: unknown HD0702
// check counted: unknown HD0702
// check racy: bug HD0601
// check racy: unknown HD0702
// check read: proved
// check of_length: proved
// check of_length_racy: bug HD0601
// check of_rows: proved
// check launched: proved
__device__ void set(int *p, int v) { *p = v; }
struct View { const int *data; };

__global__ void rows(const int *__restrict__ d, size_t pitch)
{
    int *row = (int *)((char *)d + blockIdx.x * pitch);
    row[threadIdx.x] = 0;
}
__global__ void plain(const int *d)
{
    set(const_cast<int *>(d) + blockIdx.x * blockDim.x + threadIdx.x, 1);
}
__global__ void member(View v)
{
    ((int *)v.data)[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
__global__ void counted(const int *n) { atomicAdd((int *)n, 1); }
__global__ void racy(const int *d)
{
    int *to = (int *)d;
    to[threadIdx.x] = d[threadIdx.x + 1];
}
// heddle: requires gridDim.x * blockDim.x <= len(d)
// heddle: requires gridDim.x * blockDim.x <= len(x)
__global__ void read(const int *d, int *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = ((int *)d)[i];
}
// A length that is stated says no more about const.
// heddle: requires gridDim.x * blockDim.x <= len(d)
__global__ void of_length(const int *d)
{
    ((int *)d)[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
// heddle: requires gridDim.x * blockDim.x <= len(d)
__global__ void of_length_racy(const int *d)
{
    int *to = (int *)d;
    to[threadIdx.x] = d[threadIdx.x ^ 1];
}
// heddle: requires gridDim.x <= len(d) && gridDim.x <= len(e)
__global__ void of_rows(const int *__restrict__ d, const int *__restrict__ e)
{
    if (threadIdx.x == 0)
        set((int *)d + blockIdx.x, e[blockIdx.x]);
}
__global__ void launched(const int *d, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        ((int *)d)[i] = 1;
}
void launch(int n)
{
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    launched<<<(n + 63) / 64, 64>>>(d, n);
}
