// SPDX-License-Identifier: Apache-2.0
// TEST: places that the host's lists name make no bug unless something is stated of them, and a proof where they are said to differ
// REF: docs/guide/cuda.md#checking
// check-args: --block 128 --assume n<=len(ids) --assume 65536<=len(y)
// convert leaves out as_long, until: in Heddle C memory holds what its callers may pass
// check open: unknown HD0601 line @open the index comes from memory ('ids'), whose elements may be equal: --assume 'injective(ids)'
// check apart: proved
// check by_pointer: proved
// check rows: proved
// check rows_meet: bug HD0601 line @meet
// check halves: bug HD0601 line @half
// check beyond: bug HD0601 line @beyond
// check two_lists: unknown HD0601 line @two
// check segments: proved
// check segments_meet: bug HD0601 line @segment
// check segments_open: unknown HD0601 line @started
// check of_block: bug HD0601 line @block
// check of_block_ordered: proved
// check counted: bug HD0601 line @count
// check chosen: unknown HD0601 line @chosen
// check outside: unknown HD0702 line @outside bounded(ids, 0, …)
// check bounded_wrong: bug HD0702 line @limit
// check reals: unknown HD0601 line @real the index depends on a float converted to an integer
// check ended: unknown HD0601 line @ended
// check ended: unknown HD0702 line @ray
// check set_before: bug HD0601 line @own
// check set_before_turns: bug HD0601 line @turn
// check passed_on: unknown HD0601 line @passed the index comes from memory
// check passed_on_outside: unknown HD0702 line @passed_outside
// check beside_pointers: unknown HD0702 line @beside
// check as_long: unknown HD0702 line @as_long
// check until: unknown HD0702 line @until
// check too_long: bug HD0702 line @too_long
// check own_list: bug HD0601 line @own_list
// check summed: bug HD0601 line @summed
// check two_sums: bug HD0601 line @two_sums
// check advanced: unknown HD0601 line @advanced
// check advanced: unknown HD0702 line @advanced
// check advanced_element: unknown HD0702 line @element
// check advanced_own: bug HD0702 line @own_start
// check advanced_of_others: bug HD0601 line @others
// check probed: unknown HD0601 line @probed the index comes from memory ('x'), which the kernel computes 'slot' from

__global__ void open(const int *ids, float *y, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n && ids[i] >= 0 && ids[i] < 65536)
        y[ids[i]] += 1.f; //@open
}

// heddle: requires injective(ids, 0, n) && bounded(ids, 0, 65536)
__global__ void apart(const int *ids, float *y, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n)
        y[ids[i]] += 1.f;
}

__global__ void by_pointer(const int *ids, float *y, int n)
{
    // heddle: requires injective(ids, 0, n) && bounded(ids, 0, 65536)
    int i = blockIdx.x * 128 + threadIdx.x;
    float *p = y + (i < n ? ids[i] : 0);
    if (i < n)
        *p = *p + 1.f;
}

__global__ void rows(const int *ids, float *y, int n)
{
    __requires(injective(ids, 0, n));
    __requires(bounded(ids, 0, 16384));
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n)
        for (int k = 0; k < 4; k++)
            y[ids[i] * 4 + k] += 1.f;
}

// heddle: requires injective(ids, 0, n) && bounded(ids, 0, 13000)
__global__ void rows_meet(const int *ids, float *y, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n)
        for (int k = 0; k < 5; k++)
            y[ids[i] * 4 + k] += 1.f; //@meet
}

// heddle: requires injective(ids, 0, n) && bounded(ids, 0, 65536)
__global__ void halves(const int *ids, float *y, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n)
        y[ids[i] / 2] += 1.f; //@half
}

// Only the first n / 2 differ.
__global__ void beyond(const int *ids, float *y, int n)
{
    // heddle: requires injective(ids, 0, n / 2) && bounded(ids, 0, 65536)
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n)
        y[ids[i]] += 1.f; //@beyond
}

// Each of the two names places once, but the same ones.
__global__ void two_lists(const int *ids, float *y, int n, const int *other)
{
    // heddle: requires injective(ids, 0, n) && bounded(ids, 0, 65536) && bounded(other, 0, 65536) && n <= len(other)
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n) {
        y[ids[i]] = 1.f; //@two
        y[other[i]] = i;
    }
}

// Offsets of an exclusive scan.
// heddle: requires monotone(ids, 0, n) && bounded(ids, 0, 65537)
__global__ void segments(const int *ids, float *y, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i + 1 < n)
        for (int k = ids[i]; k < ids[i + 1]; k++)
            y[k] = i;
}

// heddle: requires monotone(ids, 0, n) && bounded(ids, 0, 65536)
__global__ void segments_meet(const int *ids, float *y, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i + 1 < n)
        for (int k = ids[i]; k <= ids[i + 1]; k++)
            y[k] = i; //@segment
}

// heddle: requires bounded(ids, 0, 65537)
__global__ void segments_open(const int *ids, float *y, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i + 1 < n)
        for (int k = ids[i]; k < ids[i + 1]; k++)
            y[k] = i; //@started
}

// Wherever a block begins, its threads meet.
// heddle: requires bounded(ids, 0, 32768)
__global__ void of_block(const int *ids, float *y, int n)
{
    if (blockIdx.x < n && gridDim.x == 1) {
        float *p = y + ids[blockIdx.x];
        p[threadIdx.x] = 1.f;
        p[threadIdx.x ^ 1] += 2.f; //@block
    }
}

// heddle: requires bounded(ids, 0, 32768)
__global__ void of_block_ordered(const int *ids, float *y, int n)
{
    if (blockIdx.x < n && gridDim.x == 1) {
        float *p = y + ids[blockIdx.x];
        p[threadIdx.x] = 1.f;
        __syncthreads();
        p[threadIdx.x ^ 1] += 2.f;
    }
}

// Counts are of what is equal.
// heddle: requires bounded(ids, 0, 32)
__global__ void counted(const int *ids, float *y, int n)
{
    __shared__ int bins[32];
    int i = blockIdx.x * 128 + threadIdx.x;
    if (threadIdx.x < 32)
        bins[threadIdx.x] = 0;
    __syncthreads();
    if (i < n)
        bins[ids[i]]++; //@count
}

__global__ void chosen(const int *ids, float *y, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x, at = 0;
    if (i < n && ids[i] > 0 && ids[i] < 1000) {
        at = ids[i];
        at = 2 * at + 1;
        y[at] = i; //@chosen
    }
}

__global__ void outside(const int *ids, float *y, int n)
{
    __shared__ float s[128];
    int i = blockIdx.x * 128 + threadIdx.x;
    s[threadIdx.x] = 0;
    __syncthreads();
    if (i < n && i < 65536)
        y[i] = s[ids[i]]; //@outside
}

// heddle: requires bounded(ids, 0, 129)
__global__ void bounded_wrong(const int *ids, float *y, int n)
{
    __shared__ float s[128];
    int i = blockIdx.x * 128 + threadIdx.x;
    s[threadIdx.x] = 0;
    __syncthreads();
    if (i < n && i < 65536)
        y[i] = s[ids[i]]; //@limit
}

__global__ void reals(const int *ids, float *y, int n, const float *u)
{
    // heddle: requires n <= len(u)
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n) {
        int at = (int)(u[i] * 100.f);
        if (at >= 0 && at < 65536)
            y[at] = i; //@real
    }
}

// What is read before it is overwritten is the host's.
// heddle: requires n <= len(rays)
__global__ void ended(int *rays, float *y, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n) {
        int ray = rays[i];
        float *p = y + ray;
        float v = p[0]; //@ray
        rays[i] = -1;
        p[0] = v + i; //@ended
    }
}

// What the kernel has put there is its own.
// heddle: requires n <= len(rays)
__global__ void set_before(int *rays, float *y, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n) {
        rays[i] = i / 2;
        y[rays[i]] = i; //@own
    }
}

// heddle: requires n <= len(rays)
__global__ void set_before_turns(int *rays, float *y, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n)
        for (int k = 0; k < 2; k++) {
            int at = rays[i];
            if (at >= 0 && at < 65536)
                y[at] = i; //@turn
            rays[i] = 3;
        }
}

// The slot goes on from where the key says.
// heddle: requires cap > 0 && cap <= len(keys) && cap <= len(values) && n <= len(x)
__global__ void probed(int *keys, int *values, const int *x, int n, int cap)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n) {
        unsigned slot = (unsigned)x[i] % (unsigned)cap;
        for (int k = 0; k < 8; k++) {
            int old = atomicCAS(&keys[slot], 0, x[i]);
            if (old == 0 || old == x[i]) {
                values[slot] = i; //@probed
                break;
            }
            slot = (slot + 1) % (unsigned)cap;
        }
    }
}

// A copy of what the host put there is the host's, too.
// heddle: requires bounded(ids, 0, 65536)
__global__ void passed_on(const int *ids, float *y, int n)
{
    __shared__ int list[128];
    int i = blockIdx.x * 128 + threadIdx.x;
    list[threadIdx.x] = i < n ? ids[i] : 0;
    __syncthreads();
    if (i < n)
        y[list[threadIdx.x ^ 1]] = i; //@passed
}

// heddle: requires 1 <= len(out)
__global__ void passed_on_outside(const int *ids, const float *y, int n, float *out)
{
    __shared__ int first;
    float sum = 0.f;
    for (int row = blockIdx.x; row < n; row += gridDim.x) {
        if (threadIdx.x == 0)
            first = ids[row];
        __syncthreads();
        sum += y[first]; //@passed_outside
        __syncthreads();
    }
    atomicAdd(out, sum);
}

struct Partial {
    float *sums;
    __device__ void put(float v) { sums[threadIdx.x] = v; }
};

// The writes through `sums` don't reach ids.
__global__ void beside_pointers(const int *ids, float *y, int n)
{
    __shared__ float sums[128];
    Partial partial = {sums};
    for (int row = blockIdx.x; row < n; row += gridDim.x)
        partial.put(y[ids[row]]); //@beside
}

__global__ void own_list(const int *ids, float *y, int n)
{
    __shared__ int list[128];
    list[threadIdx.x] = threadIdx.x / 2;
    __syncthreads();
    y[list[threadIdx.x]] = threadIdx.x; //@own_list
}

// Sums of what the host put there are the kernel's own.
// heddle: requires bounded(ids, 0, 100)
__global__ void summed(const int *ids, float *y, int n)
{
    __shared__ int sums[128];
    int i = threadIdx.x;
    sums[i] = i < n ? ids[i] : 0;
    __syncthreads();
    int before = i > 0 ? sums[i - 1] : 0;
    __syncthreads();
    sums[i] += before;
    __syncthreads();
    y[sums[i]] = i; //@summed
}

// heddle: requires bounded(ids, 0, 100)
__global__ void two_sums(const int *ids, float *y, int n)
{
    __shared__ int sums[128], next[128];
    int i = threadIdx.x;
    sums[i] = i < n ? ids[i] : 0;
    __syncthreads();
    next[i] = sums[i] + (i > 0 ? sums[i - 1] : 0);
    __syncthreads();
    sums[i] = next[i] + (i > 1 ? next[i - 2] : 0);
    __syncthreads();
    y[sums[i]] = i; //@two_sums
}

// How far the loop goes is what the host put there.
__global__ void as_long(const int *ids, float *y, int n)
{
    __shared__ float s[128];
    int i = blockIdx.x * 128 + threadIdx.x;
    s[threadIdx.x] = 0;
    __syncthreads();
    float sum = 0;
    if (i < n && i < 65536) {
        for (int k = 0; k < ids[i]; k++)
            sum += s[k]; //@as_long
        y[i] = sum;
    }
}

__global__ void until(const int *ids, float *y, int n)
{
    __shared__ float s[128];
    int i = blockIdx.x * 128 + threadIdx.x;
    s[threadIdx.x] = 0;
    __syncthreads();
    float sum = 0;
    if (i < n && i < 65536) {
        for (int k = 0;; k++) {
            sum += s[k]; //@until
            if (ids[i] <= k)
                break;
        }
        y[i] = sum;
    }
}

// The host decides whether it turns, not how often.
__global__ void too_long(const int *ids, float *y, int n)
{
    __shared__ float s[128];
    int i = blockIdx.x * 128 + threadIdx.x;
    s[threadIdx.x] = 0;
    __syncthreads();
    float sum = 0;
    if (i < n && i < 65536) {
        if (ids[i] > 3)
            for (int k = 0; k < 129; k++)
                sum += s[k]; //@too_long
        y[i] = sum;
    }
}

// An offset that starts where the host says and goes on from there.
__global__ void advanced(const int *ids, float *y, int n)
{
    __shared__ int first;
    if (threadIdx.x == 0)
        first = n > 0 ? ids[0] : 0;
    __syncthreads();
    for (int turn = 0; turn < 3; turn++) {
        if (first >= 0)
            y[first + threadIdx.x] = turn; //@advanced
        __syncthreads();
        if (threadIdx.x == 127)
            first += 128;
        __syncthreads();
    }
}

__global__ void advanced_element(const int *ids, float *y, int n)
{
    __shared__ int first[128];
    int t = threadIdx.x;
    first[t] = t < n ? ids[t] : 0;
    for (int turn = 0; turn < 3; turn++) {
        if (first[t] >= 0)
            atomicAdd(&y[first[t]], 1.f); //@element
        first[t] = first[t] * 2 + 1;
    }
}

__global__ void advanced_own(const int *ids, float *y, int n)
{
    __shared__ int first;
    __shared__ float s[256];
    if (threadIdx.x == 0)
        first = 0;
    __syncthreads();
    for (int turn = 0; turn < 3; turn++) {
        s[first + threadIdx.x] = turn; //@own_start
        __syncthreads();
        if (threadIdx.x == 127)
            first += 128;
        __syncthreads();
    }
}

// What is made of other elements is the kernel's own.
__global__ void advanced_of_others(const int *ids, float *y, int n)
{
    __shared__ int first[128];
    int t = threadIdx.x;
    first[t] = t < n ? ids[t] : 0;
    __syncthreads();
    int before = t > 0 ? first[t - 1] : 0;
    __syncthreads();
    first[t] += before;
    __syncthreads();
    if (first[t] >= 0 && first[t] < 65536)
        y[first[t]] = t; //@others
}
