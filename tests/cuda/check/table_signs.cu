// SPDX-License-Identifier: Apache-2.0
// TEST: an element of a table is one number, whether a load takes it as signed or not
// check-args: --block 64 --grid 1 --assume len(x)==64
// check both_ways: unknown HD0601
__constant__ unsigned tab[4];

__global__ void both_ways(float *x)
{
    int a = (int)tab[1];
    unsigned b = tab[1];
    if (a < 0 && b > 3000000000u)
        x[threadIdx.x / 2] = threadIdx.x;
}

int main()
{
    unsigned host[4] = {0, 4000000000u};
    cudaMemcpyToSymbol(tab, host, sizeof host);
    return 0;
}
