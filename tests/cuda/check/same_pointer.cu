// TEST: a launch that gives one pointer twice is judged with one array, whatever is proved of two
// REF: docs/reference/cuda.md
// check reverse: bug HD0601 line @reverse
// check reverse_member: bug HD0601 line @member
// check in_place: proved
// check apart: proved
// check only_reads: proved
// convert leaves out reverse, reverse_member, reverse_cast: launches are no part of it
// check reverse_cast: bug HD0601 line @cast
struct Buffers { float *a, *b; };

__global__ void reverse(const float *in, float *out, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n)
        out[i] = in[n - 1 - i]; //@reverse
}

__global__ void reverse_member(const float *in, float *out, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n)
        out[i] = in[n - 1 - i]; //@member
}

__global__ void reverse_cast(const int *in, float *out, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n)
        out[i] = in[n - 1 - i]; //@cast
}

__global__ void in_place(const float *in, float *out, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n)
        out[i] = 2 * in[i];
}

__global__ void only_reads(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n)
        c[i] = a[i] * b[n - 1 - i];
}

__global__ void apart(const float *in, float *out, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n)
        out[i] = in[n - 1 - i];
}

int main()
{
    int n = 1024;
    float *x, *y;
    Buffers d;
    cudaMalloc(&x, n * 4);
    cudaMalloc(&y, n * 4);
    cudaMalloc(&d.a, n * 4);
    reverse<<<8, 128>>>(y, x, n);
    reverse<<<8, 128>>>(x, x, n);
    reverse_member<<<8, 128>>>(d.a, d.a, n);
    reverse_cast<<<8, 128>>>((const int *)x, x, n);
    in_place<<<8, 128>>>(x, x, n);
    only_reads<<<8, 128>>>(x, x, y, n);
    apart<<<8, 128>>>(x, y, n);
}
