// SPDX-License-Identifier: Apache-2.0
// TEST: sizes that functions and lambdas of host code compute are known, also dim3s, unless something else is done in them
// check by_dims: proved
// check by_members: proved
// check by_argument: proved
// check by_list: proved
// check by_auto: proved
// check by_lambda: proved
// check by_copy: proved
// check by_choice: proved
// check by_smaller: proved
// check by_library: proved
// check in_variables: proved
// check bytes: proved
// check by_branch: bug HD0601
// check by_counter: bug HD0601
// check by_later: bug HD0601
// check by_reals: bug HD0601
// check by_other_name: bug HD0601
// check occupied: proved
// check-args: --assume 'n <= len(x)' --assume '1 <= len(x)'
#include <cmath>
#include <cuda/cmath>

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

ROWS(by_dims)
ROWS(by_members)
ROWS(by_argument)
ROWS(by_list)
ROWS(by_auto)
ROWS(by_lambda)
ROWS(by_copy)
ROWS(by_choice)
ROWS(by_smaller)
ROWS(by_library)
ROWS(in_variables)
ROWS(by_branch)
ROWS(by_counter)
ROWS(by_later)
ROWS(by_reals)
ROWS(by_other_name)

namespace sizes {
const int threads = 128;
template <typename T> inline T up(T n, T by) { return (n + by - 1) / by; }
dim3 block() { return dim3(threads); }
dim3 grid(int n) { return dim3(up(n, threads), 1, 1); }
dim3 assigned(const int n)
{
    dim3 out;
    int per_block = threads;
    out.x = up(n, per_block);
    return out;
}
dim3 around(int n, dim3 block) { return dim3((n + block.x - 1) / block.x); }
dim3 listed(int n) { return {(unsigned)up(n, threads)}; }
auto any(int n) { return dim3(up(n, threads), 1); }
}

dim3 branched(int n)
{
    if (n > 1000)
        return dim3(1);
    return dim3((n + 127) / 128);
}

int calls = 0;

dim3 counted(int n)
{
    int more = calls++;
    return dim3((n + 127) / 128 + more - more);
}

int real_blocks(float n)
{
    return ceil(n / 128);
}

void plain(int *x, int n)
{
    by_dims<<<sizes::grid(n), sizes::block()>>>(x, n);
    by_members<<<sizes::assigned(n), sizes::threads>>>(x, n);
    dim3 block = sizes::block();
    by_argument<<<sizes::around(n, block), block>>>(x, n);
    by_list<<<sizes::listed(n), 128>>>(x, n);
    by_auto<<<sizes::any(n), 128>>>(x, n);
    by_library<<<cuda::ceil_div(n, 128), 128>>>(x, n);
    const dim3 grid = sizes::grid(n);
    in_variables<<<grid, block>>>(x, n);
}

void lambdas(int *x, int n)
{
    const int size = 128;
    auto blocks = [](int n, int size) { return (n + size - 1) / size; };
    by_lambda<<<blocks(n, size), size>>>(x, n);
    int by = 64;
    auto copied = [=](int n) { return (n + by - 1) / by; };
    by_copy<<<copied(n), by>>>(x, n);
}

void choices(int *x, int n)
{
    const int wanted = 512;
    int threads = wanted <= 256 ? wanted : 256;
    by_choice<<<n % 256 != 0 ? n / 256 + 1 : n / 256, threads>>>(x, n);
    int needed = (n + 127) / 128;
    by_smaller<<<needed < 64 ? needed : 64, 128>>>(x, n);
}

// More or other blocks than the plain formula says.
void others(int *x, int n)
{
    by_branch<<<branched(n), 128>>>(x, n);
    by_counter<<<counted(n), 128>>>(x, n);
    by_reals<<<real_blocks(n), 128>>>(x, n);
    int by = 64;
    auto later = [&](int n) { return (n + by - 1) / by; };
    by *= 2;
    by_later<<<later(n), 64>>>(x, n);
    const int threads = 256;
    by_other_name<<<sizes::grid(n), threads>>>(x, n);
}

// As much as there is room for.
__global__ void bytes(int *x)
{
    extern __shared__ int s[];
    s[threadIdx.x] = threadIdx.x;
}

__global__ void occupied()
{
    __shared__ int s[128];
    s[threadIdx.x] = threadIdx.x;
}

size_t scratch_bytes(int threads)
{
    return threads * sizeof(int);
}

void shared(int *x, int threads)
{
    bytes<<<1, threads, scratch_bytes(threads)>>>(x);
    int size = 1024, blocks;
    cudaOccupancyMaxPotentialBlockSize(&blocks, &size, occupied, 0, 0);
    occupied<<<blocks, size>>>();
}
