// SPDX-License-Identifier: Apache-2.0
// TEST: __constant__ and __device__ variables with initialisers, arrays and structs among them
struct Filter {
    int radius;
    float weights[3];
};

__constant__ Filter filter = {1, {0.25f, 0.5f, 0.25f}};
__constant__ int offsets[4] = {3, 1, 4, 1};
static __device__ const float scale = 2.0f;
__device__ int table[2][3] = {{1, 2, 3}, {4, 5, 6}};
const int answer = 42;

__global__ void smooth(const float *x, int n, float *y, int *z)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0.0f;
    for (int d = -filter.radius; d <= filter.radius; d++)
        sum += filter.weights[d + filter.radius] * x[min(max(i + d, 0), n - 1)];
    y[i] = sum * scale;
    z[i] = offsets[i % 4] * 10 + table[i % 2][i % 3] + answer;
}
// PY: def smooth(x):
// PY:     p = np.pad(x, 1, "edge").astype(float)
// PY:     return 2 * (p[:-2] / 4 + p[1:-1] / 2 + p[2:] / 4)
// PY: def picked(n):
// PY:     i = np.arange(n)
// PY:     return np.array([3, 1, 4, 1])[i % 4] * 10 + np.array([[1, 2, 3], [4, 5, 6]])[i % 2, i % 3] + 42
// LAUNCH: n=100 x[100]=iota y[100]=zeros z[100]=zeros --grid 2 --block 64
// OUT: y = smooth(in_x)
// OUT: z = picked(n)
