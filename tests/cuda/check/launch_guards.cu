// SPDX-License-Identifier: Apache-2.0
// TEST: conditions around a launch, before it, and of loops are facts of it, unless what they name may change
// check inside: proved
// check otherwise: proved
// check behind_return: proved
// check behind_assert: proved
// check turns: proved
// check both: proved
// check bytes: proved
// check changed: bug HD0601
// check changed: bug HD0702
// check by_address: bug HD0601
// check by_address: bug HD0702
// check shadowed: bug HD0601
// check shadowed: bug HD0702
// check in_switch: bug HD0601
// check in_switch: bug HD0702
// check by_goto: bug HD0601
// check by_goto: bug HD0702
// check either: bug HD0601
// check either: bug HD0702
// check of_else: bug HD0601
// check of_else: bug HD0702
// check by_three: bug HD0601
// check by_three: bug HD0702
#include <assert.h>

// Pairs of elements that are h apart: no two threads have one in common where h
// is a power of two, and all are inside up to 128.
#define PAIRS(name) \
    __global__ void name(unsigned h) \
    { \
        __shared__ int s[384]; \
        unsigned pos = 2 * threadIdx.x - (threadIdx.x & (h - 1)); \
        s[pos] = threadIdx.x; \
        s[pos + h] = threadIdx.x; \
    }

PAIRS(inside)
PAIRS(otherwise)
PAIRS(behind_return)
PAIRS(behind_assert)
PAIRS(turns)
PAIRS(both)
PAIRS(changed)
PAIRS(by_address)
PAIRS(shadowed)
PAIRS(in_switch)
PAIRS(by_goto)
PAIRS(either)
PAIRS(of_else)
PAIRS(by_three)

void launch_inside(unsigned h)
{
    if (128 % h == 0) {
        inside<<<1, 128>>>(h);
    }
}

void launch_otherwise(unsigned h)
{
    if (h < 4)
        return;
    else if (h != 4)
        h++;
    else
        otherwise<<<1, 128>>>(h);
}

void launch_behind_return(unsigned h)
{
    if (h == 0 || 64 % h != 0) {
        report(h);
        return;
    }
    behind_return<<<1, 128>>>(h);
}

void launch_behind_assert(unsigned h)
{
    assert(32 % h == 0);
    if (ready())
        behind_assert<<<1, 128>>>(h);
}

void launch_turns(unsigned n)
{
    for (unsigned size = 2; size <= n; size <<= 1)
        for (unsigned h = size / 2; h > 0; h >>= 1) {
            if (h >= 128)
                continue;
            turns<<<1, 128>>>(h);
        }
}

void launch_both(unsigned h, bool many)
{
    while (many && 8 % h == 0)
        both<<<1, 128>>>(h);
}

// The condition is of another number than the launch's.
void launch_changed(unsigned h)
{
    if (64 % h == 0) {
        h += 1;
        changed<<<1, 128>>>(h);
    }
}

void launch_by_address(unsigned h)
{
    if (64 % h == 0) {
        ask(&h);
        by_address<<<1, 128>>>(h);
    }
}

void launch_shadowed(unsigned h)
{
    if (64 % h == 0) {
        unsigned h(ask());
        shadowed<<<1, 128>>>(h);
    }
}

// Whoever comes to the second label has not passed the first.
void launch_in_switch(unsigned h, int kind)
{
    switch (kind) {
    case 1:
        if (64 % h != 0)
            return;
        break;
    case 2:
        in_switch<<<1, 128>>>(h);
    }
}

void launch_by_goto(unsigned h)
{
    if (h == 6)
        goto launch;
    if (64 % h != 0)
        return;
launch:
    by_goto<<<1, 128>>>(h);
}

void launch_either(unsigned h, bool sure)
{
    if (64 % h == 0 || sure)
        either<<<1, 128>>>(h);
}

void launch_of_else(unsigned h)
{
    if (64 % h == 0)
        report(h);
    else
        of_else<<<1, 128>>>(h);
}

void launch_by_three(unsigned n)
{
    for (unsigned h = 3; h < n; h *= 2)
        by_three<<<1, 128>>>(h);
}

// Shared arrays of bytes begin where words may.
__global__ void bytes(int *out)
{
    __shared__ unsigned char s[256];
    ((unsigned *)s)[threadIdx.x] = 0;
    __syncthreads();
    s[4 * threadIdx.x + 3]++;
}

void launch_bytes(int *out)
{
    bytes<<<1, 64>>>(out);
}
