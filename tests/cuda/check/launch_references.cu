// SPDX-License-Identifier: Apache-2.0
// TEST: calls that may set a variable by reference take what it held; those that can't leave it
// check filled: bug HD0601
// check unseen: bug HD0601
// check in_file: bug HD0601
// check in_template: bug HD0601
// check tied: bug HD0601
// check swapped: bug HD0601
// check named_again: bug HD0601
// check in_method: bug HD0601
// check behind: bug HD0601
// check by_value: proved
// check by_const: proved
// check by_library: proved
// check constant: proved
// check declared: proved
// check hidden: bug HD0601
#include <somewhere/tensor.h>

// Right for n == 1 alone.
#define ONE(name) \
    __global__ void name(int n) \
    { \
        __shared__ int s[64]; \
        s[n == 1 ? threadIdx.x : 0] = threadIdx.x; \
    }

ONE(unseen)
ONE(in_file)
ONE(in_template)
ONE(tied)
ONE(swapped)
ONE(named_again)
ONE(in_method)
ONE(behind)
ONE(by_value)
ONE(by_const)
ONE(by_library)
ONE(constant)
ONE(declared)
ONE(hidden)

// Right for one block alone.
__global__ void filled(int *y)
{
    if (threadIdx.x == 0)
        y[0] = blockIdx.x;
}

bool make_grid(int n, dim3 &grid);

void launch_filled(int *y, int n)
{
    dim3 grid;
    if (make_grid(n, grid))
        filled<<<grid, 64>>>(y);
}

void set(int m, int &n) { n = m; }
void take(int n, const int &m) { }
template <typename T> void set_any(T &&n) { n = 0; }
struct Setter { void set_method(int &n) { n = 0; } };

void launch_by_reference(Setter *setter)
{
    int a = 1, b = 1, c = 1, d = 1, e = 1, f = 1, g = 1, h = 1, two = 2;
    somewhere::set_it(a);
    unseen<<<1, 64>>>(a);
    set(two, b);
    in_file<<<1, 64>>>(b);
    set_any<int>(c);
    in_template<<<1, 64>>>(c);
    std::tie(two, d) = pair_of(2);
    tied<<<1, 64>>>(d);
    std::swap(e, two);
    swapped<<<1, 64>>>(e);
    int &other = f;
    other = 2;
    named_again<<<1, 64>>>(f);
    setter->set_method(g);
    in_method<<<1, 64>>>(g);
    for (int i = 0; i < 2; i++) {
        behind<<<1, 64>>>(h);
        set_it(h);
    }
}

void launch_by_value(Tensor x)
{
    int a = 1, b = 1, c = 1, e = 1, two = 2;
    const int d = 1;
    const int &same = b;
    set(a, two);
    by_value<<<1, 64>>>(a);
    take(b, b);
    by_const<<<1, 64>>>(b);
    auto y = torch::zeros(c, std::max(c, two));
    cudaMemset(y, c, c);
    CHECK_INPUT(c);
    x.view(c);
    by_library<<<1, 64>>>(c);
    set_it(d);
    constant<<<1, 64>>>(d);
    dim3 block(e), grid(e, e);
    declared<<<grid, 64>>>(e);
}

// The constant is another variable.
void launch_hidden(int n)
{
    n = 1;
    {
        const int n = 2;
        set_it(n);
    }
    set_it(n);
    hidden<<<1, 64>>>(n);
}
