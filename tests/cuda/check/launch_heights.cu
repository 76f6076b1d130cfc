// SPDX-License-Identifier: Apache-2.0
// TEST: a size that host code gives as a number says as much of a matrix's length as one that it computes
// REF: docs/guide/cuda.md#checking
// check rows_of_number: proved
// check rows_of_both: proved
// check columns_of_number: proved
// check overlapping: bug HD0601
#include <cstdlib>

__global__ void rows_of_number(float *m, int width, int height)
{
    int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 16 + threadIdx.y;
    if (c < width && r < height)
        m[r * width + c] = c;
}
__global__ void rows_of_both(float *m, int width, int height)
{
    int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 16 + threadIdx.y;
    if (c < width && r < height)
        m[r * width + c] = c;
}
__global__ void columns_of_number(float *m, int width, int height)
{
    int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 16 + threadIdx.y;
    if (c < width && r < height)
        m[r * width + c] = c;
}
__global__ void overlapping(float *m, int width, int height)
{
    int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 16 + threadIdx.y;
    if (c < width && r < height)
        m[r * (width - 1) + c] = c;
}

int main(int argc, char **argv)
{
    int given = atoi(argv[1]), rows = 600, columns = 800;
    float *a, *b, *c, *d;
    cudaMalloc(&a, given * rows * sizeof(float));
    cudaMalloc(&b, sizeof(float) * given * given);
    cudaMalloc(&c, sizeof(float) * columns * given);
    cudaMalloc(&d, sizeof(float) * given * rows);
    dim3 block(16, 16);
    rows_of_number<<<dim3((given + 15) / 16, (rows + 15) / 16), block>>>(a, given, rows);
    rows_of_both<<<dim3((given + 15) / 16, (given + 15) / 16), block>>>(b, given, given);
    columns_of_number<<<dim3((columns + 15) / 16, (given + 15) / 16), block>>>(c, columns, given);
    overlapping<<<dim3((given + 15) / 16, (rows + 15) / 16), block>>>(d, given, rows);
}
