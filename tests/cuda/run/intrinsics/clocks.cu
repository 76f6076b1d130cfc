// SPDX-License-Identifier: Apache-2.0
// TEST: clocks don't run backwards, __nanosleep returns, hints and prefetches change nothing
__global__ void clocks(int *out)
{
    int i = threadIdx.x;
    long long begin = clock64();
    clock_t first = clock();
    __nanosleep(100);
    __prof_trigger(0);
    long long end = clock64();
    bool near = __builtin_expect(end >= begin, 1);
    out[i] = near && (unsigned)(clock() - first) < 0x80000000u;
}
// LAUNCH: out[64]=zeros --block 64 --grid 1
// OUT: out = 1
