// SPDX-License-Identifier: Apache-2.0
// TEST: objects that are made inside of a condition, a choice or a loop's test, and that their methods change, are made where they stand
struct Row {
    float *at;
    int made;
    __device__ float &operator[](int i) { made++; return at[i]; }
    __device__ int twice() { made *= 2; return made; }
};
struct Rows {
    float *data;
    int width;
    __device__ Row operator[](int i) { return Row{data + i * width, i}; }
};
__global__ void chosen(float *x, float *y, int n)
{
    Rows rows = {x, 4};
    int i = threadIdx.x;
    y[i] = i < n ? rows[i][1] : -1;
    int k = 0;
    while (k < 3 && rows[k][i % 4] < 6)
        k++;
    y[8 + i] = k;
    for (int j = 0; j < rows[i].twice() && j < 5; j++)
        y[16 + i] += 1;
    bool both = i > 1 && rows[i].twice() + rows[1].twice() > 7;
    y[24 + i] = both;
}
// PY: i = np.arange(8)
// LAUNCH: chosen x[32]=iota y[32]=zeros n=5 --grid 1 --block 8
// OUT: y = np.concatenate([np.where(i < 5, 4 * i + 1, -1), np.where(i % 4 < 2, 2, 1), np.minimum(2 * i, 5), (i > 1) & (2 * i + 2 > 7)])
