// SPDX-License-Identifier: Apache-2.0
// TEST: without --block, the guessed block is one that the kernel's conditions allow

// Its own statements, in the body.
__global__ void equal(float *x)
{
    __requires(blockDim.x == 64 && 64 <= len(x));
    x[threadIdx.x] = 1;
}

// A comment.
// heddle: requires 64 == blockDim.x && 64 <= len(x)
__global__ void commented(float *x)
{
    x[threadIdx.x] = 1;
}

// Too few of the guess; `>` and __is_pow2.
__global__ void more(float *x)
{
    __requires(blockDim.x > 256 && __is_pow2(blockDim.x) && 512 <= len(x));
    x[threadIdx.x] = 1;
}

// A multiple that no power of two is.
__global__ void rows(float *x)
{
    __requires((int)blockDim.x % 96 == 0 && blockDim.x <= 3 * 64 && 192 <= len(x));
    x[threadIdx.x] = 1;
}

// The other axis makes room: 128 * 16 are more than 1024.
__global__ void wide(float *x)
{
    __requires(blockDim.x == 128);
    __requires(1024 <= len(x));
    x[threadIdx.y * blockDim.x + threadIdx.x] = 1;
}

__global__ void square(float *x)
{
    __requires(blockDim.x == blockDim.y && blockDim.x * blockDim.y == 64 && 64 <= len(x));
    x[threadIdx.y * blockDim.x + threadIdx.x] = 1;
}

// The parameters of templates.
template <int SIZE> __global__ void sized(float *x)
{
    __requires(blockDim.x == SIZE && SIZE <= len(x));
    x[threadIdx.x] = 1;
}
template __global__ void sized<128>(float *);

// Fewer than its bounds.
__global__ void __launch_bounds__(256) bounded(float *x)
{
    __requires(blockDim.x == 32 && 32 <= len(x));
    x[threadIdx.x] = 1;
}

// `n` is a parameter, not the constant.
constexpr int n = 8;
__global__ void shadowed(float *x, int n)
{
    __requires(blockDim.x == n && n <= len(x));
    x[threadIdx.x] = 1;
}

// Nothing fits: it is told as ever.
__global__ void none(float *x) //@none
{
    __requires(blockDim.x == 64 && blockDim.x == 128);
    x[threadIdx.x] = 1;
}
// check: proved
// check shadowed: proved
// check none: unknown HD0691 line @none the assumptions contradict each other
