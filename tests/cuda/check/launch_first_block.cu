// SPDX-License-Identifier: Apache-2.0
// TEST: a block has the size that its variables got last; one that they only begin with is a guess
// check member_set: bug HD0601 line @member_set
// check number_set: bug HD0601 line @number_set
// check set_in_branch: unknown HD0601 line @set_in_branch
// check set_in_loop: unknown HD0601 line @set_in_loop
// check set_before: proved
// check one_of_many: proved

// Threads of a block store different values to one element.
#define KERNEL(name) __global__ void name(int *x)

KERNEL(member_set) { x[blockIdx.x] = threadIdx.x; }    //@member_set
KERNEL(number_set) { x[blockIdx.x] = threadIdx.x; }    //@number_set
KERNEL(set_in_branch) { x[blockIdx.x] = threadIdx.x; } //@set_in_branch
KERNEL(set_in_loop) { x[blockIdx.x] = threadIdx.x; }   //@set_in_loop
KERNEL(set_before) { x[blockIdx.x] = threadIdx.x; }

KERNEL(one_of_many)
{
    __shared__ int s[256];
    s[threadIdx.x] = blockIdx.x;
    __syncthreads();
    if (threadIdx.x == 0)
        x[blockIdx.x] = s[255];
}

int main(int argc, char **argv)
{
    int *x;
    cudaMalloc(&x, 4 * sizeof(int));
    dim3 block(1, 1, 1);
    block.x = 256;
    member_set<<<4, block>>>(x);
    int threads = 1;
    threads = 256;
    number_set<<<4, threads>>>(x);
    int n = 1;
    if (argc > 1)
        n = 256;
    set_in_branch<<<4, n>>>(x);
    int turns = 1;
    for (int k = 0; k < 3; k++) {
        set_in_loop<<<4, turns>>>(x);
        turns *= 8;
    }
    int one = 256;
    one = 1;
    set_before<<<4, one>>>(x);
    int usual = 256;
    if (argc > 2)
        usual = atoi(argv[2]);
    one_of_many<<<4, usual>>>(x);
}
