// SPDX-License-Identifier: Apache-2.0
// TEST: a null pointer leads to no array: using it is a bug, testing it decides what is used
// REF: docs/errors/HD0702.md
// check-args: --block 32 --grid 1
// check stores: bug HD0702 line @stores access through a null pointer
// check copies_to: bug HD0702 line @copies_to access through a null pointer
// check copies_from: bug HD0702 line @copies_from access through a null pointer
// check sets: bug HD0702 line @sets access through a null pointer
// check moves: bug HD0702 line @moves access through a null pointer
// check adds: bug HD0702 line @adds access through a null pointer
// check sometimes: bug HD0702 line @sometimes access through a null pointer
// check one_thread: bug HD0702 line @one_thread access through a null pointer
// check tested: proved
// check tested_not: proved
// check tested_early: proved
// check tested_wrong: bug HD0702 line @tested_wrong access through a null pointer
// check tested_races: bug HD0601 line @tested_races
// check own: proved
// check of_contents: unknown HD0702 line @of_contents may be an access through a null pointer
// check optional: proved
struct Pair { short x, y; };

__global__ void stores(int *x)
{
    // heddle: requires len(x) >= 32
    int *p = nullptr;
    *p = x[threadIdx.x]; //@stores
}

__global__ void copies_to(const Pair *x)
{
    // heddle: requires len(x) >= 32
    memcpy(0, &x[threadIdx.x], sizeof(Pair)); //@copies_to
}

__global__ void copies_from(Pair *x)
{
    // heddle: requires len(x) >= 32
    memcpy(&x[threadIdx.x], NULL, sizeof(Pair)); //@copies_from
}

__global__ void sets(int n)
{
    memset(nullptr, 0, 16); //@sets
}

__global__ void moves(int *x)
{
    // heddle: requires len(x) >= 32
    const int *p = nullptr;
    p += threadIdx.x;
    x[threadIdx.x] = p[1]; //@moves
}

__global__ void adds(int n)
{
    int *p = 0;
    atomicAdd(p, n); //@adds
}

__global__ void sometimes(int *x, int n)
{
    // heddle: requires len(x) >= 32
    int *p = nullptr;
    if (n > 3)
        p = x;
    p[threadIdx.x] = 1; //@sometimes
}

__global__ void one_thread(int *x)
{
    // heddle: requires len(x) >= 32
    int *p = threadIdx.x == 7 ? nullptr : x;
    p[threadIdx.x] = 1; //@one_thread
}

__global__ void tested(int *x, int n)
{
    // heddle: requires len(x) >= 32
    int *p = nullptr;
    if (n > 3)
        p = x;
    if (p)
        p[threadIdx.x] = 1;
}

__global__ void tested_not(int *x, int *y, int n)
{
    // heddle: requires len(x) >= 32 && len(y) >= 32
    int *p = n > 3 ? x : n > 1 ? nullptr : y;
    if (p == nullptr)
        x[threadIdx.x] = 1;
    else
        p[threadIdx.x] = 1;
}

__global__ void tested_early(int *x, int n)
{
    // heddle: requires len(x) >= 32
    int *p = n > 3 ? x : nullptr;
    if (!p)
        return;
    p[threadIdx.x] = 1;
}

__global__ void tested_wrong(int *x, int n)
{
    // heddle: requires len(x) >= 32
    int *p = n > 3 ? x : nullptr;
    if (p == nullptr)
        p[threadIdx.x] = 1; //@tested_wrong
}

__global__ void tested_races(int *x, int n)
{
    // heddle: requires len(x) >= 32
    int *p = n > 3 ? x : nullptr;
    if (p)
        p[threadIdx.x / 2] = threadIdx.x; //@tested_races
}

__global__ void own(int *x, int n)
{
    // heddle: requires len(x) >= 32
    __shared__ int s[32];
    int *p = n > 3 ? s : nullptr;
    if (threadIdx.x == 0 && p)
        p[3] = 1;
    __syncthreads();
    if (n > 3)
        x[threadIdx.x] = s[3];
}

__global__ void of_contents(int *x, const int *flags)
{
    // heddle: requires len(x) >= 32 && len(flags) >= 32
    int *p = flags[threadIdx.x] ? x : nullptr;
    p[threadIdx.x] = 1; //@of_contents
}

// A launch may pass no array.
__global__ void optional(int *x, int *y)
{
    // heddle: requires len(x) >= 32 && len(y) >= 32
    if (y)
        y[threadIdx.x] = x[threadIdx.x];
}
