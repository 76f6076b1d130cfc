// SPDX-License-Identifier: Apache-2.0
// TEST: every row of an array of objects with default members is made
// NVCC: nvcc 13.0 makes the first row only, and zeros the others
// REF: docs/reference/cuda.md#language
struct Steps {
    int first = 3;
    float weights[2] = {1.5f, 2};
};

__global__ void rows(float *y)
{
    Steps steps[3][2];
    int t = threadIdx.x;
    y[t] = steps[t % 3][t % 2].first + steps[2 - t % 3][1].weights[t % 2];
}
// LAUNCH: rows --block 64 --grid 1 y[64]=zeros
// OUT: y = 3 + np.where(np.arange(64) % 2, 2, 1.5)
