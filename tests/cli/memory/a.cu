// TEST: what runs_out.hd converts
// MODE: check
// ARGS: --rules-only
// VERDICT: accepted
__global__ void saxpy(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
void f(int n, float *x, float *y) { saxpy<<<(n + 255) / 256, 256>>>(n, 2, x, y); }
