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
// check fallen: proved
// check fallen_by_two: proved
// check halved: proved
// check halved_by_quotient: proved
// check fallen_from: bug HD0601
// check raised: bug HD0601
// check below: proved
// check rest: proved
// check rest_of_given: bug HD0601
// check less_one: proved
// check beside: proved
// check two_starts: proved
// check moved_beside: bug HD0601

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

// Threads meet where `from` is more.
#define KERNEL_MOST(name, most)                                       \
    __global__ void name(int *x, int from)                            \
    {                                                                 \
        x[from <= most ? (int)threadIdx.x : 0] = threadIdx.x + from;  \
    }
KERNEL_MOST(fallen, 62)
KERNEL_MOST(fallen_by_two, 62)
KERNEL_MOST(halved, 32)
KERNEL_MOST(halved_by_quotient, 32)
KERNEL_MOST(fallen_from, 62)
KERNEL_MOST(raised, 62)
KERNEL_MOST(below, 62)
KERNEL_MOST(rest, 9)
KERNEL(rest_of_given, 0)

KERNEL(beside, 0)
KERNEL(two_starts, 2)
KERNEL(moved_beside, 0)

// Threads meet unless there is one row more than that.
__global__ void less_one(int *x, int rows, int last)
{
    x[rows > last ? (int)threadIdx.x : 0] = threadIdx.x;
}

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
    for (int i = 62; i >= 1; i--)
        fallen<<<1, 64>>>(x, i);
    for (int i = 62; i > n; i -= 2)
        fallen_by_two<<<1, 64>>>(x, i);
    for (int i = 64 / 2; i > 0; i >>= 1)
        halved<<<1, 64>>>(x, i);
    for (int i = 32; i > 0; i = i / 2)
        halved_by_quotient<<<1, 64>>>(x, i);
    for (int i = start; i >= 1; i--)
        fallen_from<<<1, 64>>>(x, i);
    for (int i = 62; i >= 1; i--) {
        i += step;
        raised<<<1, 64>>>(x, i);
    }
    for (int i = 62; i > 0; --i)
        below<<<1, 64>>>(x, i);
    for (int i = 0; i < n; i++)
        rest<<<1, 64>>>(x, i % 10);
    rest_of_given<<<1, 64>>>(x, start % 10);
    int rows = (n + 15) / 16 + 3;
    less_one<<<1, 64>>>(x, rows, rows - 1);
}

// Steps beside each other, one of which changes what the other goes by.
void launch_lists(int *x, int n)
{
    int k = 0;
    for (int i = 0; i < n; i++, k += 3)
        beside<<<1, 64>>>(x, i);
    for (int i = 2, j = -5; i < n; j *= 2, ++i)
        two_starts<<<1, 64>>>(x, i);
    for (int i = 0; i < n; i++, i -= k)
        moved_beside<<<1, 64>>>(x, i);
}
