// SPDX-License-Identifier: Apache-2.0
// TEST: what is a word of Heddle C keeps its own name in CUDA C, in launches and conditions
// REF: docs/guide/cuda.md#launching
// NO-IR: launches of CUDA C take longer arrays than stated
// NVCC: values of variables of the file are not passed there
__constant__ int kernel;

// heddle: requires group <= len(in) && group <= len(shared)
__global__ void sync(int *shared, int group, int rank, const int *in)
{
    int size = rank;
    if (threadIdx.x < group)
        shared[threadIdx.x] = in[threadIdx.x] + size + kernel;
    __syncthreads();
}
// LAUNCH: sync shared[5]=zeros group=5 rank=2 in[6]=iota kernel=100 --grid 1 --block 32
// OUT: shared = np.arange(5) + 102

// These are parameters that only the output has.
__global__ void ours(int *x, int block_dim_x_)
{
    int block_dim_x = block_dim_x_ + blockDim.x, dynamic_shared_bytes = 1;
    extern __shared__ int s[];
    s[threadIdx.x] = block_dim_x;
    x[threadIdx.x] = s[threadIdx.x] + dynamic_shared_bytes;
}
// LAUNCH: ours x[8]=zeros block_dim_x_=100 --grid 1 --block 8 --shared 32
// OUT: x = np.full(8, 109)
