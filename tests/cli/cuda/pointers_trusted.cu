// TEST: that pointers don't overlap is told as trusted, also where their extents are assumed
// REF: docs/guide/cuda.md
__global__ void moved(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 1 < n) y[i] = x[i + 1];
}
// RUN: heddle check %s --block 64 --assume 'n<=len(x)' --assume 'n<=len(y)'
// STDOUT: moved: proved
// STDOUT: trusting pointers don't overlap
// RUN: heddle check %s --block 64
// STDOUT: trusting pointers don't overlap
// RUN: heddle run %s moved --grid 2 --block 64 n=100 'x[100]=iota' y=x --check
// EXIT: 1
// STDERR: witness: n=100, arrays that may alias are one: thread 0 of block 0 reads x[1]
// RUN: heddle run %s moved --grid 2 --block 64 n=100 'x[100]=iota' 'y[100]=zeros' --check
// EXIT: 0
// RUN: heddle run %s moved --grid 2 --block 64 n=100 'x[200]=iota' y=x+100 --check
// STDERR: kernel 'moved' isn't proved
