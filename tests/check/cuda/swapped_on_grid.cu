// TEST: pointers that change places behind a barrier of the grid have their lengths
// REF: docs/reference/cuda.md
// check-args: --assume 'n <= len(a)' --assume 'n <= len(b)'
// check: proved
#include <cooperative_groups.h>
__global__ void swap(float *a, float *b, int n, int steps)
{
    auto grid = cooperative_groups::this_grid();
    for (int s = 0; s < steps; ++s) {
        for (int p = grid.thread_rank(); p < n; p += grid.size())
            b[p] = a[p > 0 ? p - 1 : 0] + 1;
        grid.sync();
        float *t = a;
        a = b;
        b = t;
    }
}
