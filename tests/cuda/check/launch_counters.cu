// SPDX-License-Identifier: Apache-2.0
// TEST: the variable of a host's loop that counts up is at least what it began with, unless that may change
// check-args: --assume '64 <= len(x)'
// check counted: proved
// check from_two: proved
// check changed: bug HD0601
// check other_start: bug HD0601
// check by_other: bug HD0601
// check not_less: bug HD0601
// check moved: bug HD0601

// Threads meet where `from` is negative.
#define KERNEL(name, least)                                           \
    __global__ void name(int *x, int from)                            \
    {                                                                 \
        x[from >= least ? (int)threadIdx.x : 0] = threadIdx.x + from; \
    }
KERNEL(counted, 0)
KERNEL(from_two, 2)
KERNEL(changed, 0)
KERNEL(other_start, 0)
KERNEL(by_other, 0)
KERNEL(not_less, 0)
KERNEL(moved, 0)

void launch(int *x, int n, int step, int start)
{
    for (int i = 0; i < n - 16; i += 16)
        counted<<<1, 64>>>(x, i);
    for (int k = 0; k < n; ++k)
        for (int i = 2; i <= n; i++)
            from_two<<<1, 64>>>(x, i);
    for (int i = 0; i < n; i++) {
        i -= step;
        changed<<<1, 64>>>(x, i);
    }
    for (int i = start; i < n; i++)
        other_start<<<1, 64>>>(x, i);
    for (int i = 0; i < n; i += step)
        by_other<<<1, 64>>>(x, i);
    for (int i = 0; i != n; i++)
        not_less<<<1, 64>>>(x, i);
    for (int i = 0; i < n; i++) {
        int j = i - start;
        moved<<<1, 64>>>(x, j);
    }
}
