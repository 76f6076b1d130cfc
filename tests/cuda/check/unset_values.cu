// TEST: garbage that is stored, decides or is an index is told; garbage that matters to nobody isn't
// REF: docs/errors/HD0603.md
// check-args: --block 64 --grid 1 --assume '64 <= len(out)' --assume '64 <= len(x)'
struct pair {
    short x, y;
};

// check whole: bug HD0603 line @whole 'p' is read before it has a value
__global__ void whole(pair *out)
{
    pair p;
    out[threadIdx.x] = p; //@whole
}

// A struct is copied as a whole, whatever its parts hold.
// check part: proved
__global__ void part(pair *out)
{
    pair p;
    p.x = threadIdx.x;
    out[threadIdx.x] = p;
}

// check other_part: bug HD0603 line @other 'p.y' is read before it has a value
__global__ void other_part(pair *out, int *x)
{
    pair p;
    p.x = 1;
    x[threadIdx.x] = p.y; //@other
}

// check sum: bug HD0603 line @sum 'total' is read before it has a value
__global__ void sum(int n, const float *x, float *out)
{
    float total;
    for (int i = 0; i < 8; i++)
        total += x[i];
    out[threadIdx.x] = total; //@sum
}

// check branch: bug HD0603 line @branch 'v' is read before it has a value
__global__ void branch(int *out)
{
    int v;
    if (threadIdx.x < 63)
        v = 1;
    if (v > 0) //@branch
        out[threadIdx.x] = 1;
}

// check subscript: bug HD0603 line @index 'at' is read before it has a value
__global__ void subscript(int *out)
{
    int at;
    if (threadIdx.x != 5)
        at = threadIdx.x;
    out[at] = 1; //@index
}

// check exchanged: bug HD0603 line @sent 'v' is read before it has a value
__global__ void exchanged(int *out)
{
    int v;
    if (threadIdx.x % 32 < 31)
        v = threadIdx.x;
    int w = __shfl_down_sync(0xffffffff, v, 1);
    if (threadIdx.x % 32 < 31)
        out[threadIdx.x] = w; //@sent
}

// check updated: bug HD0603 line @updated 'v' is read before it has a value
__global__ void updated(int n, int *out)
{
    int v;
    if (n > 3)
        v = n;
    atomicAdd(out, v); //@updated
}

// check reduced: bug HD0603 line @reduced 'v' is read before it has a value
__global__ void reduced(int n, int *out)
{
    int v;
    if (threadIdx.x < n)
        v = n;
    unsigned all = __reduce_add_sync(0xffffffff, (unsigned)v); //@reduced
    out[threadIdx.x] = all;
}

// Nobody uses what some threads compute of it.
// check unused: proved
__global__ void unused(int n, const float *x, float *out)
{
    float v;
    if (threadIdx.x < n)
        v = x[threadIdx.x];
    float twice = v * 2, low = threadIdx.x < n ? twice : 0;
    if (threadIdx.x < n)
        out[threadIdx.x] = twice;
    else
        out[threadIdx.x] = low;
}

// One operand decides.
// check conjunction: proved
__global__ void conjunction(int n, int *out)
{
    int v;
    bool is_in = threadIdx.x < n;
    if (is_in)
        v = threadIdx.x * 3;
    if (is_in && v > 7)
        out[threadIdx.x] = v;
    if (!is_in || v == 6)
        out[threadIdx.x] = 1;
}

// check both_ways: proved
__global__ void both_ways(int n, int *out)
{
    int v;
    if (threadIdx.x % 2)
        v = 1;
    else
        v = 2;
    out[threadIdx.x] = v;
}

// What the next turn needs is fetched where there is one: not followed, a remark.
// check fetched: proved
// check fetched: remark HD0603
__global__ void fetched(int n, const float *x, float *out)
{
    float next, sum = 0;
    if (n > 0)
        next = x[threadIdx.x];
    for (int i = 0; i < n; i++) {
        sum += next;
        if (i + 1 < n)
            next = x[threadIdx.x] * i;
    }
    out[threadIdx.x] = sum;
}

// Contents decide, which are the host's.
// check by_contents: proved
// check by_contents: remark HD0603
__global__ void by_contents(const float *x, float *out)
{
    float v;
    if (x[threadIdx.x] > 0)
        v = 3;
    if (x[threadIdx.x] > 1)
        out[threadIdx.x] = v;
}
