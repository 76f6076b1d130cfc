// SPDX-License-Identifier: Apache-2.0
// TEST: a number of blocks that is rounded up by asking for the remainder is read
// REF: docs/guide/cuda.md#checking
// check by_sum: proved
// check by_sum_turned: proved
// check by_not_equal: proved
// check by_truth: proved
// check by_one_or_none: proved
// check by_none_or_one: proved
// check by_greater: proved
// check by_rest_alone: proved
// check by_equal: proved
// check by_not: proved
// check of_sum: proved
// check of_constant: proved
// check other_divisor: bug HD0601
// check other_number: bug HD0601
// check rest_itself: bug HD0601
// check one_if_none: bug HD0601
// check turned_round: bug HD0601
// check always_more: bug HD0601
// check-args: --assume 'n <= len(x)' --assume '1 <= len(x)'

// Each thread has an element of its own, if the grid has no more than it needs.
#define ROWS(name) \
    __global__ void name(int *x, int n) \
    { \
        int i = blockIdx.x * blockDim.x + threadIdx.x; \
        if (blockIdx.x * blockDim.x >= n || gridDim.y > 1) \
            x[0] = i; \
        else if (i < n) \
            x[i] = i; \
    }

ROWS(by_sum)
ROWS(by_sum_turned)
ROWS(by_not_equal)
ROWS(by_truth)
ROWS(by_one_or_none)
ROWS(by_none_or_one)
ROWS(by_greater)
ROWS(by_rest_alone)
ROWS(by_equal)
ROWS(by_not)
ROWS(of_sum)
ROWS(of_constant)
ROWS(other_divisor)
ROWS(other_number)
ROWS(rest_itself)
ROWS(one_if_none)
ROWS(turned_round)
ROWS(always_more)

#define DIVUP(m, n) ((m) / (n) + ((m) % (n) > 0))
const int PER_BLOCK = sizeof(unsigned long long) * 8;

void sums(int *x, int n)
{
    dim3 blocks(DIVUP(n, PER_BLOCK));
    by_sum<<<blocks, PER_BLOCK>>>(x, n);
    by_sum_turned<<<(n % 64 > 0) + n / 64, 64>>>(x, n);
    by_not_equal<<<n / 64 + (int)(n % 64 != 0), 64>>>(x, n);
    by_truth<<<n / 64 + !!(n % 64), 64>>>(x, n);
    by_one_or_none<<<n / 64 + (n % 64 ? 1 : 0), 64>>>(x, n);
    by_none_or_one<<<n / 64 + (n % 64 == 0 ? 0 : 1), 64>>>(x, n);
}

void choices(int *x, int n)
{
    by_greater<<<n % 64 > 0 ? n / 64 + 1 : n / 64, 64>>>(x, n);
    by_rest_alone<<<n % 64 ? n / 64 + 1 : n / 64, 64>>>(x, n);
    by_equal<<<n % 64 == 0 ? n / 64 : n / 64 + 1, 64>>>(x, n);
    by_not<<<!(n % 64) ? n / 64 : n / 64 + 1, 64>>>(x, n);
    of_sum<<<DIVUP(n + 64, 64) - 1, 64>>>(x, n);
    if (n > 900 && n <= 1000)
        of_constant<<<DIVUP(900, 64), 64>>>(x, n);
}

// More blocks than the elements need.
void others(int *x, int n)
{
    other_divisor<<<n / 32 + (n % 64 > 0), 64>>>(x, n);
    other_number<<<n / 64 + ((n + 1) % 64 > 0), 64>>>(x, n);
    rest_itself<<<n / 64 + n % 64, 64>>>(x, n);
    one_if_none<<<n / 64 + (n % 64 == 0), 64>>>(x, n);
    turned_round<<<n % 64 ? n / 64 : n / 64 + 1, 64>>>(x, n);
    always_more<<<n % 64 ? n / 64 + 1 : n / 64 + 1, 64>>>(x, n);
}
