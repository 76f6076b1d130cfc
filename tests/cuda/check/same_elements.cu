// SPDX-License-Identifier: Apache-2.0
// TEST: threads that store one element of an array that nobody writes store the same value, whatever it is
// check-args: --block 64 --grid 1 --assume 128<=len(a) --assume 128<=len(b)
// check copied: proved
// check copied: remark HD0693
// check shifted: proved
// check shifted: remark HD0693
// check of_warps: bug HD0601 line @warps
// check apart: bug HD0601 line @apart
// check overwritten: bug HD0601 line @over
// check overwritten: bug HD0601 line @mine
// check a_turn_late: bug HD0601 line @late
// check one_of_two: bug HD0601 line @two

__global__ void copied(const float *a, float *b)
{
    __shared__ float s[32];
    for (int i = 0; i < 32; i++)
        s[i] = a[i];
}

__global__ void shifted(const float *a, float *b)
{
    for (int k = 0; k < 3; k++)
        b[threadIdx.x + k] = a[threadIdx.x + k];
}

__global__ void of_warps(const float *a, float *b)
{
    for (int k = 0; k < 3; k++)
        b[k] = a[k + threadIdx.x / 32]; //@warps
}

__global__ void apart(const float *a, float *b)
{
    for (int k = 0; k < 3; k++)
        b[threadIdx.x + k] = a[threadIdx.x + 2 * k]; //@apart
}

__global__ void overwritten(float *a, float *b)
{
    for (int k = 0; k < 3; k++) {
        b[k] = a[k];        //@mine
        a[k] = threadIdx.x; //@over
    }
}

__global__ void a_turn_late(const float *a, float *b)
{
    float v = a[threadIdx.x];
    for (int k = 0; k < 3; k++) {
        b[k] = v; //@late
        v = a[k];
    }
}

__global__ void one_of_two(const float *a, float *b)
{
    b[0] = threadIdx.x < 3 ? a[0] : a[1]; //@two
}
