// SPDX-License-Identifier: Apache-2.0
// TEST: what CUDA C leaves to launches comes from the command line or the file
__constant__ float factor;
__device__ int seen;

__global__ void scale(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        x[i] *= factor;
        atomicAdd(&seen, 1);
    }
}

namespace ns {
template <typename T, int STEP>
__global__ void fill(T *out, T value)
{
    out[threadIdx.x * STEP] = value;
}
}

template <typename T>
__global__ void open(T *out)
{
    out[0] = 1;
}

__global__ void __launch_bounds__(64) reversed(const int *x, int *y)
{
    extern __shared__ int s[];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

__global__ void turned(int *x)
{
    extern __shared__ int s[];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

__global__ void wrong(int *x)
{
out:
    x[0] = 1;
    goto out;
}

void host(float *x, int *y)
{
    ns::fill<short, 2><<<1, 4>>>(nullptr, 1);
    scale<<<(1000 + 127) / 128, 128>>>(x, 1000);
    turned<<<1, 8, 8 * sizeof(int)>>>(y);
}
// RUN: heddle run %s scale n=5 'x[n]=iota' factor=3 seen=10 --grid 1 --print x --print seen
// PRINTS: x = [0 3 6 9 12]
// PRINTS: seen = [15]
// RUN: heddle run %s --launch 'scale<<<dim3(cdiv(n,32)),32>>>' n=70 'x[n]=full:1' factor=1 --print seen
// PRINTS: seen = [70]
// RUN: heddle run %s --launch 'scale<<<dim3 {cdiv(n,TILE)}, {TILE}, 0, stream>>>' TILE=16 n=40 'x[n]=full:1' factor=1 --print seen
// PRINTS: seen = [40]
// RUN: heddle run %s --launch 'scale<<<{2,3},dim3{4,2},1024>>>' n=8 'x[n]=full:1' factor=1 --print seen
// PRINTS: seen = [48]
// RUN: heddle run %s --launch 'scale<<<1,32>>>' TILE=16 n=40 'x[n]=full:1' factor=1
// EXIT: 2
// STDERR: kernel 'scale' has no parameter 'TILE'
// RUN: heddle run %s scale --shared 1024 --grid 1 n=40 'x[n]=full:1' factor=1
// EXIT: 2
// STDERR: --shared: kernel 'scale' has no 'extern __shared__' array
// RUN: heddle run %s fill 'out[8]=zeros' value=7 --grid 1 --print out
// PRINTS: out = [7 0 7 0 7 0 7 0]
// RUN: heddle run %s 'ns::fill< float,1 >' 'out[2]=zeros' value=2.5 --grid 1 --block 2 --print out
// PRINTS: out = [2.5 2.5]
// RUN: heddle run %s reversed 'x[64]=iota' 'y[64]=zeros' --grid 1 --block 4 --shared 16 --print y
// STDOUT: y = [3 2 1 0 0 0
// RUN: heddle run %s scale n=100
// EXIT: 2
// STDERR: kernel 'scale' needs more to be launched:
// STDERR:   x[N]=…: an array of N elements (float32)
// STDERR: 'scale' n=100 'x[1024]=zeros'
// STDERR-NOT: --grid X
// RUN: heddle run %s scale x=iota --block 64
// EXIT: 2
// STDERR:   --grid X[,Y[,Z]]: how many blocks (of 64 x 1 x 1 threads: given by --block)
// STDERR:   x[N]=…: an array of N elements (float32)
// STDERR: 'scale' 'x[1024]=iota' n=32 --grid 4 --block 64
// RUN: heddle run %s scale n=1000 'x[n]=full:1' factor=1 --print seen
// PRINTS: seen = [1000]
// STDERR: a grid of 8 x 1 x 1 blocks, from the launch in the file; give another with --grid
// RUN: heddle run %s scale x=ones:65536
// EXIT: 2
// STDERR: argument 'x': 'ones:65536' is not an array: use @FILE.npy, @FILE.png, zeros, iota, full:X, list:X,Y,Z, random:SEED or another parameter's name
// RUN: heddle run %s scale y=iota
// EXIT: 2
// STDERR: kernel 'scale' has no parameter 'y'; it has: x, n,
// RUN: heddle run %s reversed 'x[64]=iota' 'y[64]=zeros' --grid 1
// EXIT: 2
// STDERR: --shared BYTES: for its 'extern __shared__' arrays
// RUN: heddle run %s open 'out[1]=zeros' --grid 1
// EXIT: 2
// STDERR: kernel template 'open' needs its arguments
// RUN: heddle run %s nothing
// EXIT: 2
// STDERR-END: no kernel 'nothing'; there is: scale, ns::fill<short, 2>, open, reversed, turned, wrong
// RUN: heddle run %s scale n=1 'x[n]=iota' --grid 1 --shared 8
// EXIT: 2
// STDERR: --shared: kernel 'scale' has no 'extern __shared__' array
// RUN: heddle run %s wrong 'x[1]=zeros' --grid 1
// EXIT: 1
// STDERR: error[HD1150]
// RUN: heddle run %s scale n=1 'x[n]=iota' --grid 1 --language heddle
// EXIT: 1
// STDERR: error[HD
// RUN: heddle check %s scale
// STDOUT: scale: unknown (
// STDOUT: blocks of 128 threads, from the launch in the file
// STDERR: the number of elements of 'x' is unknown: state it with --assume 'n <= len(x)'
// RUN: heddle check %s scale --assume 'n <= len(x)'
// STDOUT: scale: proved (
// RUN: heddle check %s scale n=300 'x[n]=zeros' --grid 3 --block 128 --json
// STDOUT: "verdict": "proved"
// STDOUT: "block": [128, 1, 1], "block_from": "given"
// RUN: heddle check %s scale --assume 'm == 3'
// EXIT: 1
// STDERR: 'm' is not declared
// RUN: heddle check %s scale --assume 'n <='
// EXIT: 1
// STDERR: the assumption 'n <='
// RUN: heddle check %s open
// STDOUT: open: unknown (open: a template that the file never launches with constant arguments; give arguments, as in 'open<…>')
// RUN: heddle check %s reversed --shared 256 'x[64]=iota' 'y[64]=zeros' --grid 1
// STDOUT: reversed: proved (
// STDOUT: blocks of 64 threads, from its __launch_bounds__
// RUN: heddle run %s scale n=4 'x[4]=iota' factor=1 --grid 1 --check --print x
// PRINTS: x = [0 1 2 3]
// RUN: heddle dump %s reversed --stage ast
// STDOUT: kernel void reversed(const int *x, int *y, unsigned int dynamic_shared_bytes
// RUN: heddle convert %s
// EXIT: 1
// STDOUT: kernel void scale(float x[n], int n
// STDOUT: kernel void fill_short_2(short *out, short value)
// STDERR: error[HD1150]
// STDERR: kernels with errors are left out
// RUN: heddle convert %s scale --block 64 -o out.hd
// EXIT: 0
// RUN: heddle run out.hd n=3 'x[3]=iota' factor=2 --grid 1 --print x
// PRINTS: x = [0 2 4]
// RUN: heddle run %s turned 'x[8]=iota' --print x
// PRINTS: x = [7 6 5 4 3 2 1 0]
// STDERR: 32 bytes of 'extern __shared__' arrays, from the launch in the file; give another number with --shared
// RUN: heddle run %s turned 'x[8]=iota' --shared 16 --sanitize
// EXIT: 1
// STDERR: access outside of array 's'
// RUN: heddle run %s turned --block 4
// EXIT: 2
// STDERR: 'turned' 'x[1024]=zeros' --grid 4 --block 4 --shared 4096
// RUN: heddle run %s turned
// EXIT: 2
// STDERR: 'turned' 'x[1024]=zeros'
