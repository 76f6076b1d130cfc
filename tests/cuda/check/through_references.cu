// SPDX-License-Identifier: Apache-2.0
// TEST: what functions give through references and pointers to a thread's own variables is known
// check-args: --block 256 --grid 1
// check split: proved
// check split_wrong: bug HD0601 line @wrong
// check counted: proved
// check counted_by_rank: bug HD0405 line @by_rank
// check in_loop: proved
// check in_loop_wrong: bug HD0601 line @loop
// check on_one_way: proved
// check kept_in_memory: proved
// check method: proved
// check method_wrong: bug HD0601 line @put
// check captured: proved
// check captured_wrong: bug HD0601 line @captured
// check members: proved
// check joined: proved
// check too_wide: bug HD0702 line @wide
__device__ void divide(unsigned &a, unsigned d, unsigned &rest)
{
    rest = a % d;
    a /= d;
}

__device__ void range(int n, int *lo, int *hi)
{
    *lo = n / 4;
    *hi = n / 2;
}

__device__ bool step(int &at, int by, int end)
{
    at += by;
    return at < end;
}

__global__ void split(int *y)
{
    // heddle: requires 256 <= len(y)
    unsigned i = threadIdx.x, rest;
    divide(i, 16, rest);
    y[rest * 16 + i] = threadIdx.x;
}

__global__ void split_wrong(int *y)
{
    // heddle: requires 256 <= len(y)
    unsigned i = threadIdx.x, rest;
    divide(i, 16, rest);
    y[rest * 8 + i] = threadIdx.x; //@wrong
}

__global__ void counted(int *y, int n)
{
    // heddle: requires 256 <= len(y)
    __shared__ int s[256];
    int lo, hi;
    range(n, &lo, &hi);
    for (int i = lo; i < hi; i++) {
        s[threadIdx.x] = i;
        __syncthreads();
        y[threadIdx.x] = s[255 - threadIdx.x];
        __syncthreads();
    }
}

__global__ void counted_by_rank(int *y, int n)
{
    // heddle: requires 256 <= len(y)
    __shared__ int s[256];
    int lo, hi;
    range(threadIdx.x, &lo, &hi);
    for (int i = lo; i < hi; i++) { //@by_rank
        s[threadIdx.x] = i;
        __syncthreads();
        y[threadIdx.x] = s[255 - threadIdx.x];
        __syncthreads();
    }
}

__global__ void in_loop(int *y, int n)
{
    // heddle: requires n <= len(y) && n < 1000000
    int at = threadIdx.x;
    if (at < n)
        do {
            y[at] = 1 + at;
        } while (step(at, 256, n));
}

__global__ void in_loop_wrong(int *y, int n)
{
    // heddle: requires n <= len(y) && n < 1000000
    int at = threadIdx.x;
    if (at < n)
        do {
            y[at] = threadIdx.x; //@loop
        } while (step(at, 255, n));
}

__global__ void on_one_way(int *y, int flag)
{
    // heddle: requires 512 <= len(y)
    unsigned i = threadIdx.x, rest = 0;
    if (flag)
        divide(i, 2, rest);
    y[flag ? i + 128 * rest : i + 256] = flag + (int)rest;
}

// Its address is a value here.
__global__ void kept_in_memory(int *y, int flag)
{
    // heddle: requires 256 <= len(y)
    int a = 1, b = 2;
    int *p = flag ? &a : &b;
    *p = 3;
    y[threadIdx.x] = a + b;
}

struct Base {
    int *p;
    int shift;
    __device__ void put(int i, int v)
    {
        p[i >> shift] = v; //@put
    }
};
struct Derived : Base {
    int n;
};

__global__ void method(int *y)
{
    // heddle: requires 256 <= len(y)
    Derived d;
    d.p = y;
    d.shift = 0;
    d.n = 256;
    if (threadIdx.x < d.n)
        d.put(threadIdx.x, threadIdx.x);
}

__global__ void method_wrong(int *y)
{
    // heddle: requires 256 <= len(y)
    Derived d;
    d.p = y;
    d.shift = 1;
    d.n = 256;
    if (threadIdx.x < d.n)
        d.put(threadIdx.x, threadIdx.x);
}

__global__ void captured(int *y)
{
    // heddle: requires 256 <= len(y)
    int at = 0;
    auto store = [&](int v) { y[at] = v; };
    at = threadIdx.x;
    store(1 + at);
}

__global__ void captured_wrong(int *y)
{
    // heddle: requires 256 <= len(y)
    int at = threadIdx.x;
    auto store = [&](int v) { y[at] = v; }; //@captured
    at = 0;
    store((int)threadIdx.x);
}

struct Range {
    int begin, end;
};

__device__ void halve(Range &r, bool upper)
{
    int middle = (r.begin + r.end) / 2;
    if (upper)
        r.begin = middle;
    else
        r.end = middle;
}

__global__ void members(int *y, int flag)
{
    // heddle: requires 512 <= len(y)
    Range r = {0, 512};
    halve(r, flag != 0);
    y[r.begin + threadIdx.x] = r.end;
}

// Bytes that are read in another way are memory.
__global__ void joined(int *y)
{
    // heddle: requires 256 <= len(y)
    union {
        unsigned whole;
        unsigned char bytes[4];
    } u;
    u.whole = threadIdx.x;
    y[threadIdx.x] = u.bytes[0];
}

__global__ void too_wide(long long *y)
{
    // heddle: requires 256 <= len(y)
    int a = threadIdx.x;
    y[threadIdx.x] = *(long long *)&a; //@wide
}
