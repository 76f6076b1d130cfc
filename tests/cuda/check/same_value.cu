// SPDX-License-Identifier: Apache-2.0
// TEST: a store of one value by many threads is a warning, of different values a race
// check-args: --block 64 --grid 2
// check flag: proved
// check flag: remark HD0693
// check done: proved
// check done: remark HD0693
// check number: bug HD0601
// check once: proved
__global__ void flag(const int *x, int *found)
{
    // heddle: requires 128 <= len(x) && 1 <= len(found)
    if (x[blockIdx.x * 64 + threadIdx.x] == 7)
        found[0] = 1;
}

__global__ void done(int *state, int round)
{
    // heddle: requires 4 <= len(state)
    state[3] = round + 1;
}

__global__ void number(const int *x, int *found)
{
    // heddle: requires 128 <= len(x) && 1 <= len(found)
    int i = blockIdx.x * 64 + threadIdx.x;
    if (x[i] == 7)
        found[0] = i;
}

__global__ void once(int *state, int round)
{
    // heddle: requires 4 <= len(state)
    if (blockIdx.x == 0 && threadIdx.x == 0)
        state[3] = round + 1;
}
