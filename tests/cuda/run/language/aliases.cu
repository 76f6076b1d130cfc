// SPDX-License-Identifier: Apache-2.0
// TEST: a const reference sees what the function writes to its argument by another name
__device__ int counter;
__constant__ int limits[2] = {5, 9};

__device__ void by_reference(const int &x, int &y)
{
    y += 1;
    y += x;
}
__device__ void by_pointer(const int &x, int *p)
{
    *p += 1;
    *p += x;
}
__device__ void by_name(const int &x)
{
    counter += 1;
    counter += x;
}
struct Sum {
    int v, n;
    __device__ void add(const int &x)
    {
        v += 1;
        v += x;
    }
};
template <class T> __device__ const T &larger(const T &a, const T &b)
{
    return a < b ? b : a;
}

__global__ void aliases(int *out)
{
    __shared__ int s[2];
    int a = 1, b = 1, c = 1;
    by_reference(a, a);
    out[0] = a;
    by_pointer(b, &b);
    out[1] = b;
    Sum sum{1, 2};
    sum.add(sum.v);
    sum.add(sum.n);
    out[2] = sum.v;
    out[3] = 1;
    by_pointer(out[3], out + 3);
    counter = 1;
    by_name(counter);
    out[4] = counter;
    by_reference(c, b); // two variables
    out[5] = b * 10 + c;
    s[0] = 1;
    by_reference(s[0], s[0]);
    by_reference(limits[1], s[0]);
    out[6] = s[0] + larger(limits[0], s[0]);
    out[7] = larger(a, c) + larger(out[3], counter);
}
// LAUNCH: out[8]=zeros --grid 1 --block 1
// OUT: out = [4, 4, 7, 4, 4, 61, 28, 8]
