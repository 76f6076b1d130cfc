// TEST: reads whose value isn't used are touches wherever C++ performs them
// REF: docs/reference/cuda.md
// check-args: --block 64 --grid 1 --assume 'len(y)==64' --assume 'len(flag)==1'
// check: bug HD0601 x
// check place: proved
// check at_place: bug HD0601 k
// check flag_read: proved
// check once: bug HD0601 one
// check local: proved
__global__ void stmt(float *y)
{
    __shared__ volatile float x[64];
    int i = threadIdx.x;
    x[i] = i;
    x[63 - i];
}
__global__ void comma(float *y)
{
    __shared__ volatile float x[64];
    int i = threadIdx.x, k = 0;
    x[i] = i;
    k = (x[63 - i], 1);
    y[i] = k;
}
__global__ void voided(float *y)
{
    __shared__ volatile float x[64];
    int i = threadIdx.x;
    x[i] = i;
    (void)x[63 - i];
}
__global__ void plain_comma(float *y)
{
    __shared__ float x[64];
    int i = threadIdx.x, k = 0;
    x[i] = i;
    k = (x[63 - i] + 1, 1);
    y[i] = k;
}
__global__ void call_arg(float *y)
{
    __shared__ float x[64];
    int i = threadIdx.x;
    x[i] = i;
    if (x[63 - i] > 0) {}
}
__global__ void cond_and(float *y)
{
    __shared__ float x[64];
    int i = threadIdx.x;
    x[i] = i;
    x[63 - i] > 0 && i;
}
__global__ void unused(float *y)
{
    __shared__ float x[64];
    int i = threadIdx.x;
    x[i] = i;
    float v = x[63 - i];
}
__global__ void step(float *y)
{
    __shared__ float x[64];
    int i = threadIdx.x;
    x[i] = i;
    for (int k = 0; k < 1; k++, x[63 - i] + 1)
        ;
}
__device__ void ignores(float) {}
__global__ void argument(float *y)
{
    __shared__ float x[64];
    int i = threadIdx.x;
    x[i] = i;
    ignores(x[63 - i]);
}
// A discarded place that isn't volatile isn't read.
__global__ void place(float *y)
{
    __shared__ float x[64];
    int i = threadIdx.x;
    x[i] = i;
    x[63 - i];
    (void)x[63 - i];
}
__global__ void at_place(float *y)
{
    __shared__ float x[64];
    __shared__ int k[64];
    int i = threadIdx.x;
    k[i] = i;
    x[k[63 - i] & 63];
    y[i] = 0;
}
// Volatile words in global memory are atomic.
__global__ void flag_read(volatile int *flag)
{
    flag[0] = 1;
    flag[0];
}
__global__ void once(float *y)
{
    __shared__ volatile int one;
    if (threadIdx.x == 0)
        one = 1;
    one;
}
__global__ void local(float *y)
{
    volatile int v = threadIdx.x;
    v;
    (void)v;
    y[threadIdx.x] = v;
}
