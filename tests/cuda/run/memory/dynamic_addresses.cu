// SPDX-License-Identifier: Apache-2.0
// TEST: the address of a whole array that the launch sizes is that of its first element
union Word {
    unsigned long long bits;
    double real;
};

__global__ void words(double *y)
{
    extern __shared__ Word whole[];
    Word *w = (Word *)&whole;
    w[threadIdx.x].real = threadIdx.x * 0.5;
    __syncthreads();
    y[threadIdx.x] = w[blockDim.x - 1 - threadIdx.x].real;
}
// LAUNCH: words y[32]=zeros --block 32 --grid 1 --shared 256
// OUT: y = np.arange(32)[::-1] * 0.5

extern __shared__ char memory[];

__global__ void two(float *y)
{
    float *a = (float *)&memory, *b = reinterpret_cast<float *>(&a[blockDim.x]);
    a[threadIdx.x] = threadIdx.x;
    b[threadIdx.x] = 100;
    __syncthreads();
    y[threadIdx.x] = a[blockDim.x - 1 - threadIdx.x] + b[0];
}
// LAUNCH: two y[32]=zeros --block 32 --grid 1 --shared 256
// OUT: y = np.arange(32)[::-1] + 100
