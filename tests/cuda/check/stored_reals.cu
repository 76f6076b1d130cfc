// SPDX-License-Identifier: Apache-2.0
// TEST: runs store different numbers from plain pointers, so that what they race about shows
// check-args: --block 128 --grid 1
// check halves: bug HD0601 line @halves
// check overlapping: bug HD0601
// check apart: unknown HD0702
__global__ void halves(const float *x, float *y)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t / 2] = x[t]; //@halves
    __syncthreads();
    y[t] = s[127 - t];
}

__global__ void overlapping(const float *x, float *y)
{
    extern __shared__ unsigned char raw[];
    float *a = (float *)raw;
    float *b = (float *)(raw + 508);
    int t = threadIdx.x;
    a[t] = x[t];
    b[t] = x[t] * 2;
    __syncthreads();
    y[t] = a[127 - t] + b[127 - t];
}

__global__ void apart(const float *x, float *y)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t ^ 1] = x[t];
    __syncthreads();
    y[t] = s[127 - t];
}
