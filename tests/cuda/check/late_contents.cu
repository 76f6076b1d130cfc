// SPDX-License-Identifier: Apache-2.0
// TEST: where the time is over before a kernel was followed, runs don't decide about places that contents may decide
// check-args: --time-limit 2
// check rows: unknown
#define MANY(x) x x x x x x
#define LOOP                                     \
    for (int k = m; k > 0; k = k / 2 + k % 2 - 1) \
        if (k & v)                               \
            sum += sum > k ? k : -k;
__global__ void rows(const int *first, const int *list, float *y, int n, int m)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    if (v < n) {
        for (int i = first[v]; i < first[v + 1]; i++)
            sum += list[i];
        if (n > 1000000) {
            MANY(MANY(MANY(LOOP)))
        }
        y[v] = sum;
    }
}

void launch(int n, int m)
{
    int *first, *list;
    float *y;
    cudaMalloc(&first, (n + 1) * sizeof(int));
    cudaMalloc(&list, m * sizeof(int));
    cudaMalloc(&y, n * sizeof(float));
    rows<<<(n + 255) / 256, 256>>>(first, list, y, n, m);
}
