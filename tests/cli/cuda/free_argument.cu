// SPDX-License-Identifier: Apache-2.0
// TEST: an access outside that needs values of an argument that no launch decides is unknown
// RUN: heddle check %s row
// EXIT: 0
// STDOUT: row: unknown
// STDOUT: it is a bug for some values of 'row_index', about which the launch says nothing, but not for 0: state with --assume what holds
// RUN: heddle check %s row --assume 'row_index >= 0 && row_index < n'
// EXIT: 0
// STDOUT: row: proved
// RUN: heddle check %s row --assume 'row_index == n'
// EXIT: 1
// RUN: heddle check %s beyond
// EXIT: 1
// STDOUT: beyond: bug
// RUN: heddle check %s related
// EXIT: 1
// STDOUT: related: bug
// An access outside, whatever the argument is; a count.
// RUN: heddle check %s counted
// EXIT: 1
// STDOUT: counted: bug
// RUN: heddle check %s shifted
// EXIT: 1
// STDOUT: shifted: bug
#include <cstdlib>

__global__ void row(const float *table, float *out, int row_index, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = table[row_index * 4] + table[i * 4];
}

__global__ void beyond(float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)
        out[i] = 1;
}

__global__ void related(float *out, int n, int last)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i + last] = 1;
}

__global__ void shifted(float *out, int n, int which)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)
        out[i] = which;
}

__global__ void counted(const float *table, float *out, int count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int j = 0; j < count; j++)
        sum += table[j];
    if (i < n)
        out[i] = sum;
}

void launch(int n, int which)
{
    float *table, *out;
    cudaMalloc(&table, n * 4 * sizeof(float));
    cudaMalloc(&out, n * sizeof(float));
    int chosen = rand() + which;
    row<<<(n + 127) / 128, 128>>>(table, out, chosen, n);
    beyond<<<(n + 127) / 128, 128>>>(out, n);
    related<<<(n + 127) / 128, 128>>>(out, n, n - 1);
    shifted<<<(n + 127) / 128, 128>>>(out, n, chosen);
    counted<<<(n + 127) / 128, 128>>>(table, out, chosen, n);
}
