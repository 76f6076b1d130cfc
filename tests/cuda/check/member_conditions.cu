// SPDX-License-Identifier: Apache-2.0
// TEST: conditions name the members of a kernel's parameter as launches do, and what is suggested is in these words
// check stated: proved
// check suggested: bug HD0601
// check hidden: proved
// check of_pointers: unknown HD0702 the number of elements
struct View {
    float *x;
    int n;
};

int v_n = 7;
__constant__ int w_n = 64;

__global__ void stated(View v)
{
    // heddle: requires v_n == 1 && 64 * gridDim.x <= 1024 && 1024 <= len(v_x)
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 64)
        v.x[i * v.n] = i;
}

__global__ void suggested(View v)
{
    // heddle: requires 1024 <= len(v_x)
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 64 && i * v.n < 1024 && i * v.n >= 0)
        v.x[i * v.n] = i;
}

// In the body the name is still that of the file.
__global__ void hidden(View w)
{
    // heddle: requires 64 <= len(w_x) && w_n == 3
    if (blockIdx.x == 0 && threadIdx.x < w_n)
        w.x[threadIdx.x] = w.n;
}

// Arrays of pointers have no extents.
__global__ void of_pointers(int **rows, int *y)
{
    // heddle: requires 2 <= len(rows) && 1 <= len(y)
    if (blockIdx.x == 0 && threadIdx.x == 0)
        y[0] = rows[1] != nullptr;
}
