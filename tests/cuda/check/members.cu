// TEST: arrays inside of structs keep their ends in CUDA, too
// REF: docs/errors/HD0702.md
// check-args: --block 32 --grid 1
// check member: bug HD0702 line @member
// check pointer: bug HD0702 line @pointer
// check method: bug HD0702 line @method
// check in_shared: bug HD0702 line @shared
// check within: proved
// check-args: --assume 'len(s)==32' --assume 'len(y)==32'
struct Small {
    float a[4];
    float b;
    __device__ float &at(int j) { return a[j]; } //@method
};

__global__ void member(Small *s, float *y)
{
    for (int j = 0; j <= 4; j++)
        s[threadIdx.x].a[j] = j; //@member
    y[threadIdx.x] = 0;
}

__global__ void pointer(Small *s, float *y)
{
    float *p = s[threadIdx.x].a;
    for (int j = 0; j <= 4; j++)
        p[j] = j; //@pointer
    y[threadIdx.x] = 0;
}

__global__ void method(Small *s, float *y)
{
    Small own;
    for (int j = 0; j < 4; j++)
        own.at(j) = j;
    y[threadIdx.x] = own.at(threadIdx.x % 5);
    s[threadIdx.x].b = 1;
}

__global__ void in_shared(Small *s, float *y)
{
    __shared__ Small t[32];
    int i = threadIdx.x;
    for (int j = 0; j <= 4; j++)
        t[i].a[j] = j; //@shared
    y[i] = t[i].b;
    s[i].b = 1;
}

__global__ void within(Small *s, float *y)
{
    __shared__ Small t[32];
    int i = threadIdx.x;
    float *p = t[i].a;
    for (int j = 0; j < 4; j++) {
        p[j] = j;
        s[i].a[3 - j] = t[i].at(j);
    }
    y[i] = t[i].a[i & 3];
}
