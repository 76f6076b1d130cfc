// SPDX-License-Identifier: Apache-2.0
// TEST: what a line touches of several arrays is told, and doubted, for each
// check-args: --shared 4 --grid 1
// check open: unknown HD0702 line @open --assume 'n <= len(x)'
// check open: unknown HD0702 line @open --assume 'n <= len(y)'
// check guessed: bug HD0702 line @guessed 's'
// check guessed: unknown HD0702 line @guessed 'x'

__global__ void open(int n, float *x, const float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = y[i]; //@open
}

// Blocks of any size leave `s`: that `x` is open on its line is no doubt of it.
__global__ void guessed(float *x)
{
    extern __shared__ int s[];
    // clang-format off
    s[threadIdx.x] = 0; __syncthreads(); x[threadIdx.x] = s[0]; //@guessed
    // clang-format on
}
