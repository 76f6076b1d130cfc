// SPDX-License-Identifier: Apache-2.0
// TEST: where a loop looks for a place by what the host put into memory, runs don't decide whether it is inside
// REF: src/check/prove/input.h
// convert leaves out searched_member, searched_copy, searched, latest: in Heddle C memory holds what its callers may pass
// check searched_member: unknown HD0702 line @member
// check searched_member: unknown HD0702 line @found
// check searched_copy: unknown HD0702 line @copy
// check searched: unknown HD0702 line @searched
// check latest: unknown HD0702 line @latest
// check stepped: bug HD0702 line @stepped
// check by_rank: bug HD0702 line @by_rank
struct Table {
    float weights[4];
    int ends[8];
    int n;
};

__device__ int place_of(int key, const Table &t)
{
    int low = 0, high = 8, middle = 0;
    for (int k = 0; k < 6; k++) {
        middle = (low + high) / 2;
        if (t.ends[middle] <= key) //@member
            low = middle + 1;
        else
            high = middle;
    }
    return middle;
}

__global__ void searched_member(const Table t)
{
    __shared__ float s[8];
    atomicExch(&s[place_of(threadIdx.x, t)], 1.f); //@found
}

// In shared memory there is a copy.
__global__ void searched_copy(const int *ends)
{
    __shared__ int s[8];
    if (threadIdx.x < 8)
        s[threadIdx.x] = ends[threadIdx.x];
    __syncthreads();
    int low = 0, high = 8, middle = 0;
    for (int k = 0; k < 6; k++) {
        middle = (low + high) / 2;
        if (s[middle] <= threadIdx.x) //@copy
            low = middle + 1;
        else
            high = middle;
    }
}

__global__ void searched(const int *ends, float *y)
{
    __shared__ float s[8];
    int low = 0, high = 64;
    while (low < high) {
        int middle = (low + high) / 2;
        if (ends[middle] <= threadIdx.x)
            low = middle + 1;
        else
            high = middle;
    }
    atomicExch(&s[low], 1.f); //@searched
}

__global__ void latest(const int *keys)
{
    __shared__ float s[64];
    int place = -1;
    for (int k = 0; k < 64; k++)
        if (keys[k] == threadIdx.x)
            place = k;
    atomicExch(&s[place], 1.f); //@latest
}

// No place is looked for.
__global__ void stepped(int n)
{
    __shared__ float s[64];
    int place = 0;
    for (int k = 0; k < 65; k++)
        if (k <= threadIdx.x + 1)
            place = k;
    atomicExch(&s[place], 1.f); //@stepped
}

// By ranks, beside a search.
__global__ void by_rank(const Table t)
{
    __shared__ float s[64];
    int place = place_of(threadIdx.x, t);
    if (place >= 0)
        s[threadIdx.x + 1] = 1; //@by_rank
}

void launch(Table t, const int *x, float *y)
{
    searched_member<<<1, 64>>>(t);
    searched_copy<<<1, 64>>>(x);
    searched<<<1, 64>>>(x, y);
    latest<<<1, 64>>>(x);
    stepped<<<1, 64>>>(64);
    by_rank<<<1, 64>>>(t);
}
