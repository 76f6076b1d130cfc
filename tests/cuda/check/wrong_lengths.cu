// TEST: two facts about one length say nothing about each other
// REF: docs/reference/cuda.md
// check-args: --block 64 --grid 1
// check larger: bug HD0601
// check outside: bug HD0702
// check moved: bug HD0702
// n <= len(g) and m <= len(g) don't make m <= n.
__global__ void larger(float *g, int n, int m)
{
    __requires(n <= len(g));
    __requires(m <= len(g));
    if (n < m && m > 1)
        g[1] = threadIdx.x;
}

__global__ void outside(float *g, int n, int m)
{
    __requires(0 < n);
    __requires(n <= len(g));
    __requires(m <= len(g));
    if (threadIdx.x == 0)
        g[n < m ? m : n] = 1;
}

__global__ void moved(float *g, int n)
{
    __requires(0 < n);
    __requires(n == len(g));
    g += n;
    if (threadIdx.x == 0)
        *g = 1;
}
