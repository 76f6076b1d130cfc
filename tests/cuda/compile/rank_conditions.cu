// SPDX-License-Identifier: Apache-2.0
// MODE: compile
// TEST: the block votes once a turn on a condition around a barrier that a rank may decide, and on no other
__global__ void strides(const int *x, int *y, int up)
{
    __shared__ int s[64];
    int t = threadIdx.x, sum = 0;
    for (int i = t; i < up; i += 64) {
        s[t] = x[i];
        __syncthreads();
        sum += s[63 - t];
        __syncthreads();
    }
    y[t] = sum;
}

__global__ void loaded(int *x, int *y)
{
    __shared__ int s[64];
    int t = threadIdx.x, sum = 0;
    for (int i = 0; i < x[t]; i += 64) {
        s[t] = x[i];
        __syncthreads();
        sum += s[63 - t];
        __syncthreads();
    }
    y[t] = sum;
}
// DUMP: strides --stage ptx --target sm_90a --block 64
// CHECK-COUNT-1: bar.red.or.pred
// CHECK-COUNT-1: bar.red.and.pred
// CHECK-NOT: bar.red
// CHECK-COUNT-2: bar.sync
// DUMP: loaded --stage ptx --target sm_90a --block 64
// CHECK-NOT: bar.red
// CHECK-COUNT-2: bar.sync
// CHECK-NOT: bar.
