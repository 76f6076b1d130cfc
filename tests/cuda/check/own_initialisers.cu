// TEST: what is read of a variable in its own initialiser was set by nothing
// check-args: --assume '8 <= len(y)' --block 64 --grid 1
// check hidden: bug HD0603 line 12
// check loop: bug HD0603 line 22
// check element: bug HD0603 line 31
// check right: proved
__global__ void hidden(int *y)
{
    int i = 5;
    if (threadIdx.x == 0) {
        int i = i + 1;
        y[0] = i > 0;
    }
    if (threadIdx.x == 1)
        y[1] = i;
}

__global__ void loop(int *y)
{
    if (threadIdx.x)
        return;
    for (int i = i; i < 3; i++)
        y[1] = 0;
}

__global__ void element(int *y)
{
    if (threadIdx.x)
        return;
    int a[2] = {a[1], 4};
    y[2] = a[0];
}

__global__ void right(int *y)
{
    if (threadIdx.x)
        return;
    int a[3] = {1, a[0] + 1, a[1] + a[0]};
    int n = sizeof(n);
    y[a[2]] = n;
}
