// SPDX-License-Identifier: Apache-2.0
// TEST: what a `case` or an `if` around a launch compares a size with is the size, unless another way leads there or it may change
// check in_case<64>: proved
// check in_case<128>: proved
// check in_if<64>: proved
// check in_if<96>: proved
// check in_else<64>: proved
// check nested<64>: proved
// check by_member<64>: proved
// check in_block<64>: proved
// check behind_return<64>: proved
// check before_value<64>: proved
// check two_labels<64>: unknown HD0702 which are a guess
// check runs_on<64>: unknown HD0702 which are a guess
// check changed<64>: unknown HD0702 which are a guess
// check changed_in_loop<64>: unknown HD0702 which are a guess
// check inner_label<64>: unknown HD0702 which are a guess
// check behind_label<64>: unknown HD0702 which are a guess
// check by_default<64>: unknown HD0702 which are a guess
// check other_size<64>: bug HD0702

// Right with SIZE threads; the array seems to be of twice as many.
#define PAIRS(name) \
    template <int SIZE> __global__ void name() \
    { \
        __shared__ int s[2 * SIZE]; \
        s[2 * threadIdx.x] = s[2 * threadIdx.x + 1] = 0; \
    }

PAIRS(in_case)
PAIRS(in_if)
PAIRS(in_else)
PAIRS(nested)
PAIRS(by_member)
PAIRS(in_block)
PAIRS(behind_return)
PAIRS(before_value)
PAIRS(two_labels)
PAIRS(runs_on)
PAIRS(changed)
PAIRS(changed_in_loop)
PAIRS(inner_label)
PAIRS(behind_label)
PAIRS(by_default)
PAIRS(other_size)

void cases(int threads)
{
    dim3 block(threads, 1, 1);
    switch (threads) {
    case 128:
        in_case<128><<<1, block>>>();
        break;
    case 64: {
        in_case<64><<<1, block>>>();
        break;
    }
    default: by_default<64><<<1, block>>>();
    }
}

void conditions(int threads, bool sure)
{
    constexpr int small = 64;
    if (threads == small && sure)
        in_if<small><<<1, threads>>>();
    else if (!(96 != threads))
        in_if<96><<<1, threads>>>();
    if (threads != 64 || !sure)
        return;
    else
        in_else<64><<<1, threads>>>();
    behind_return<64><<<1, threads>>>();
}

void both(int kind, int threads)
{
    switch (kind) {
    case 1:
        report(kind);
        switch (threads) {
        case 32: break;
        case 64: nested<64><<<1, threads>>>(); break;
        }
    case 2: break;
    }
}

void members(int n)
{
    dim3 block(n, 1);
    if (block.x == 64)
        by_member<64><<<1, block>>>();
    switch (n) {
    case 64:
        if (ready()) {
            dim3 same(n);
            in_block<64><<<1, same>>>();
        }
    }
}

// The default is not what this launch is made with.
void options(int argc)
{
    int threads = 256;
    if (argc > 1)
        threads = parse();
    if (threads == 64)
        before_value<64><<<1, threads>>>();
}

void labels(int threads)
{
    switch (threads) {
    case 64:
    case 128: two_labels<64><<<1, threads>>>(); break;
    case 32: report(threads);
    case 16: runs_on<64><<<1, threads>>>();
    }
}

void changes(int threads)
{
    switch (threads) {
    case 64:
        threads *= 2;
        changed<64><<<1, threads>>>();
        break;
    case 32:
        for (int i = 0; i < 2; i++) {
            changed_in_loop<64><<<1, threads>>>();
            threads = 64;
        }
    }
}

void inner(int threads, int n)
{
    switch (threads) {
    case 64:
        do {
            inner_label<64><<<1, threads>>>();
        case 32: n--;
        } while (n > 0);
        break;
    case 96: {
        report(n);
    case 128: behind_label<64><<<1, threads>>>();
    }
    }
}

void other(int threads)
{
    if (threads == 128)
        other_size<64><<<1, threads>>>();
}
