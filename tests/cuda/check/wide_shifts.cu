// SPDX-License-Identifier: Apache-2.0
// TEST: a run in which a shift by all bits of a value or more decides what is touched shows nothing: CUDA C leaves open what it gives
// REF: docs/internals/check.md
// convert leaves out wide: in Heddle C such a shift is defined
// check wide: unknown HD0601 line @wide
// check narrow: bug HD0601 line @narrow
// check of_value: bug HD0601 line @of_value
// check few: bug HD0601 line @few

// The precedence is not what was meant: i >> (4 + i) >> 8.
#define PADDING(i) ((i) >> 4 + (i) >> 8)

__global__ void wide(int *x)
{
    __shared__ int s[1024];
    unsigned i = 2 * threadIdx.x;
    s[threadIdx.x] = x[threadIdx.x];
    s[512 + threadIdx.x] = 0;
    __syncthreads();
    i += PADDING(i);
    s[i] += s[i + 1]; //@wide
    x[threadIdx.x] = s[i];
}

__global__ void narrow(int *x)
{
    __shared__ int s[1024];
    unsigned i = threadIdx.x;
    s[threadIdx.x] = x[threadIdx.x];
    s[512 + threadIdx.x] = 0;
    __syncthreads();
    i += i >> 4;
    s[i] += s[i + 1]; //@narrow
    x[threadIdx.x] = s[i];
}

// What it gives is only stored.
__global__ void of_value(unsigned *x)
{
    unsigned i = threadIdx.x;
    x[i / 2] = i + PADDING(i); //@of_value
}

// By few bits.
__global__ void few(int *x)
{
    unsigned i = threadIdx.x;
    if (i < 16)
        x[i >> 1 << (i >> 1)] = i; //@few
}
