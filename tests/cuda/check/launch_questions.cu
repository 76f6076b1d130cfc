// SPDX-License-Identifier: Apache-2.0
// TEST: what an object is asked for is one number as long as nothing else is done with it, checks of it are conditions
// check same: proved
// check through: proved
// check by_local: proved
// check checked: proved
// check asserted: proved
// check in_lambda: proved
// check of_pointer: proved
// check chained: proved
// check chained_members: proved
// check other: unknown HD0601
// check grown: unknown HD0601
// check given: unknown HD0601
// check in_turns: unknown HD0601
// check assigned: unknown HD0601
// check grown_behind_check: unknown HD0601
// check named_twice: unknown HD0601
// check drawn: unknown HD0601
// check half_chained: unknown HD0601
// check by_bool: unknown HD0601
#include <somewhere/tensor.h>

// Right for blocks of at most n threads.
#define ROW(name) \
    __global__ void name(int n) \
    { \
        __shared__ int s[1024]; \
        int i = threadIdx.x; \
        s[i < n ? i : 0] = i; \
    }

ROW(same)
ROW(through)
ROW(by_local)
ROW(checked)
ROW(asserted)
ROW(in_lambda)
ROW(of_pointer)
ROW(chained)
ROW(chained_members)
ROW(other)
ROW(grown)
ROW(given)
ROW(in_turns)
ROW(assigned)
ROW(grown_behind_check)
ROW(named_twice)
ROW(drawn)
ROW(half_chained)
ROW(by_bool)

void launch_right(Tensor x, Tensor y, Tensor *p)
{
    const int n = x.size(-1);
    auto out = torch::empty_like(x);
    same<<<y.numel(), x.size(1)>>>(x.size(1));
    through<<<1, (x.size(0) + 1) / 2>>>((x.size(0) + 1) / 2);
    CHECK_INPUT(x);
    by_local<<<1, x.size(-1)>>>(n);
    of_pointer<<<1, p->numel()>>>(p->numel());
}

void launch_checked(Tensor x, int n, int m)
{
    TORCH_CHECK(x.size(0) == n, "as many as threads", n);
    checked<<<1, x.size(0)>>>(n);
    TORCH_CHECK(m >= 64, "too few");
    asserted<<<1, 64>>>(m);
}

void launch_in_lambda(Tensor x, int n)
{
    LIB_DISPATCH_FLOATING_TYPES(x.type(), "in_lambda", [&] {
        if (n >= 64) {
            in_lambda<<<1, 64>>>(n);
        }
    });
}

void launch_chained(int m)
{
    dim3 block, grid;
    int n, k;
    bool is_any;
    n = k = m;
    chained<<<1, k>>>(m);
    n = is_any = m;
    by_bool<<<1, m>>>(n);
    block.y = block.x = grid.x = m;
    grid.x = block.y = 1;
    chained_members<<<1, block>>>(m);
    if (m > 3)
        n = k = 5;
    half_chained<<<1, m>>>(n);
}

void launch_other(Tensor x, Tensor y)
{
    other<<<1, x.size(0)>>>(y.size(0));
}

void launch_grown(Tensor x)
{
    int n = x.size(0);
    x.resize_(1024);
    grown<<<1, x.size(0)>>>(n);
}

void launch_given(Tensor x)
{
    int n = x.size(0);
    somewhere::enlarge(x);
    given<<<1, x.size(0)>>>(n);
}

void launch_in_turns(Tensor x)
{
    int n = x.size(0);
    for (int i = 0; i < 2; i++) {
        in_turns<<<1, x.size(0)>>>(n);
        x.push_back(i);
    }
}

void launch_assigned(Tensor x, Tensor y)
{
    int n = x.size(0);
    x = y;
    assigned<<<1, x.size(0)>>>(n);
}

void launch_grown_behind_check(Tensor x, int n)
{
    TORCH_CHECK(x.size(0) == n);
    x.resize_(1024);
    grown_behind_check<<<1, x.size(0)>>>(n);
}

void launch_named_twice(Tensor x)
{
    Tensor &y = x;
    int n = x.size(0);
    y.resize_(1024);
    named_twice<<<1, x.size(0)>>>(n);
}

void launch_drawn(Random x)
{
    drawn<<<1, x.next()>>>(x.next());
}
