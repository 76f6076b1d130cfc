// SPDX-License-Identifier: Apache-2.0
// TEST: a parameter that is an enumeration without a stated type has the values that C++ lets it have; one with a type has any of it
// check-args: --block 64 --assume 'gridDim.x == 1' --assume '80 <= len(y)'
// check near: proved
// check offset: proved
// check member: proved
// check apart: bug HD0601 line @apart m=4
// check fixed: bug HD0601 line @fixed m=4
enum mode { NEAR, LINEAR, CUBIC };
enum sign { LESS = -2, SAME = 0, MORE = 1 };
enum class level { LOW, HIGH };
enum flag : unsigned { A, B };
struct view { float *data; mode m; };

__global__ void near(float *y, mode m)
{
    int i = threadIdx.x;
    if (i % 4 == 0)
        y[i + m] = y[i];                // up to 3, though no enumerator is
}
__global__ void offset(float *y, sign s)
{
    int i = threadIdx.x;
    if (i % 4 == 0)
        y[i + 2 + s] = i;               // s is -2 to 1
}
__global__ void member(view v, float *y)
{
    int i = threadIdx.x;
    if (i % 4 == 0)
        y[i + v.m] = y[i];
}
__global__ void apart(float *y, level m)
{
    int i = threadIdx.x;
    if (i % 4 == 0 && (int)m >= 0 && (int)m < 8)
        y[i + (int)m] = y[i];           //@apart
}
__global__ void fixed(float *y, flag m)
{
    int i = threadIdx.x;
    if (i % 4 == 0 && m < 8)
        y[i + m] = y[i];                //@fixed
}
