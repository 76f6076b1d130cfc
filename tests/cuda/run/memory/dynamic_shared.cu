// SPDX-License-Identifier: Apache-2.0
// TEST: extern __shared__ arrays: one storage for all of them, sized at launch, carved into parts
extern __shared__ float floats[];

__device__ int *integers(int skip)
{
    extern __shared__ int words[];
    return words + skip;
}

__global__ void parts(const float *x, const int *k, int n, float *y, int *j)
{
    int *own = integers(n);
    int t = threadIdx.x;
    floats[t] = x[t];
    own[t] = k[t];
    __syncthreads();
    y[t] = floats[n - 1 - t];
    j[t] = own[(t + 1) % n];
}

__global__ void bytes(const double *x, double *y, unsigned char *z)
{
    extern __shared__ __align__(16) unsigned char raw[];
    double *d = reinterpret_cast<double *>(raw);
    unsigned char *tail = raw + blockDim.x * sizeof(double);
    int t = threadIdx.x;
    d[t] = x[t];
    tail[t] = (unsigned char)(t * 3);
    __syncthreads();
    y[t] = d[blockDim.x - 1 - t];
    z[t] = tail[t ^ 1];
}
// LAUNCH: parts n=100 x[100]=random:1 k[100]=iota y[100]=zeros j[100]=zeros --block 100 --shared 800 --grid 1
// OUT: y = in_x[::-1]
// OUT: j = (np.arange(100) + 1) % 100
// LAUNCH: bytes x[64]=random:2 y[64]=zeros z[64]=zeros --block 64 --shared 576 --grid 1
// OUT: y = in_x[::-1]
// OUT: z = ((np.arange(64) ^ 1) * 3) % 256
