// TEST: in CUDA C++, too, a turn of a loop begins without values of what its body declares
// REF: docs/errors/HD0603.md
// check-args: --block 64 --grid 1 --assume '128 <= len(out)' --assume '64 <= len(x)'

// check kept: bug HD0603 line @kept 'v' is read before it has a value
__global__ void kept(int *out)
{
    for (int i = 0; i < 2; i++) {
        int v;
        if (i == 0)
            v = 7;
        out[2 * threadIdx.x + i] = v; //@kept
    }
}

// check each: proved
__global__ void each(int *out)
{
    for (int i = 0; i < 2; i++) {
        int v;
        if (threadIdx.x < 32)
            v = i;
        if (threadIdx.x < 32)
            out[2 * threadIdx.x + i] = v;
    }
}

// check outside: proved
__global__ void outside(int *out)
{
    int v;
    for (int i = 0; i < 2; i++) {
        if (i == 0)
            v = 7;
        out[2 * threadIdx.x + i] = v;
    }
}

// check rows: bug HD0603 line @rows 'a' is read before it has a value
__global__ void rows(const int *x, int *out)
{
    for (int i = 0; i < 2; i++) {
        int a[4];
        if (i == 0)
            for (int k = 0; k < 4; k++)
                a[k] = x[k];
        out[2 * threadIdx.x + i] = a[threadIdx.x % 4]; //@rows
    }
}

// check rows_outside: proved
__global__ void rows_outside(const int *x, int *out)
{
    int a[4];
    for (int i = 0; i < 2; i++) {
        if (i == 0)
            for (int k = 0; k < 4; k++)
                a[k] = x[k];
        out[2 * threadIdx.x + i] = a[threadIdx.x % 4];
    }
}

// Shared memory is one for all turns.
// check shared_rows: proved
__global__ void shared_rows(const int *x, int *out)
{
    for (int i = 0; i < 2; i++) {
        __shared__ int s[64];
        if (i == 0)
            s[threadIdx.x] = x[threadIdx.x];
        out[2 * threadIdx.x + i] = s[threadIdx.x];
    }
}

struct best {
    int at, value;
    __device__ void take(int i, int v)
    {
        if (v > 3) {
            at = i;
            value = v;
        }
    }
};
// check method: bug HD0603 line @method
__global__ void method(int *out)
{
    for (int i = 4; i > 2; i--) {
        best b;
        b.take(i, i);
        out[2 * threadIdx.x + i % 2] = b.at; //@method
    }
}

// check method_set: proved
__global__ void method_set(int *out)
{
    for (int i = 5; i > 3; i--) {
        best b;
        b.take(i, i);
        out[2 * threadIdx.x + i % 2] = b.at;
    }
}

// check by_lambda: bug HD0603 line @lambda 'v' is read before it has a value
__global__ void by_lambda(int *out)
{
    for (int i = 0; i < 2; i++) {
        int v;
        auto set = [&] { v = i; };
        if (i == 0)
            set();
        out[2 * threadIdx.x + i] = v; //@lambda
    }
}
