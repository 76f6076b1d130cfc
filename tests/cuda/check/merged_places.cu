// SPDX-License-Identifier: Apache-2.0
// TEST: where a loop looks for a place by what the host put into memory, as a merge of sorted lists does, runs don't decide whether places differ; what is counted per match is decided
// REF: src/check/prove/input.h
// convert leaves out merged, found: in Heddle C memory holds what its callers may pass
// check merged: unknown HD0601 line @merged
// check found: unknown HD0601 line @found
// check compacted: bug HD0601 line @compacted
// check by_ranks: bug HD0601 line @by_ranks
// Of keys that differ.
__global__ void merged(const int *a, const int *b, int *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= 2 * n)
        return;
    bool is_first = i < n;
    int key = is_first ? a[i] : b[i - n];
    int low = 0, high = n;
    while (low < high) {
        int middle = (low + high) / 2;
        if (is_first ? b[middle] <= key : a[middle] <= key)
            low = middle + 1;
        else
            high = middle;
    }
    c[(is_first ? i : i - n) + low] = i; //@merged
}

// The last of them; each thread looks for a key of its own.
__global__ void found(const int *keys, int *places, int n)
{
    int place = -1;
    for (int k = 0; k < n; k++)
        if (keys[k] == threadIdx.x)
            place = k;
    if (place >= 0)
        places[place] = threadIdx.x; //@found
}

// Every thread begins at 0.
__global__ void compacted(const int *x, int *y, int n)
{
    int count = 0;
    for (int k = threadIdx.x; k < n; k += blockDim.x)
        if (x[k] == 0)
            y[count++] = k; //@compacted
}

// The contents only decide whether it is stored.
__global__ void by_ranks(const int *x, int *y, int n)
{
    for (int k = 0; k < n; k++)
        if (x[k] == 0)
            y[k + threadIdx.x] = threadIdx.x; //@by_ranks
}
