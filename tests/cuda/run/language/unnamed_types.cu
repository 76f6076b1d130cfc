// SPDX-License-Identifier: Apache-2.0
// TEST: typedefs of unnamed structs are arguments of templates, in spaces of names and outside
// NVCC: an argument is an array of structs
namespace shapes {
typedef struct { float x, y; } pair;
typedef struct { pair low; int tag; } tagged, *tagged_pointer;
template <typename T> __global__ void fill(T *p, float *y)
{
    p[threadIdx.x].x = 1.5f + threadIdx.x;
    T own = p[threadIdx.x];
    y[threadIdx.x] = own.x + own.y;
}
template <typename T, int N> struct Row { T items[N]; };
template <typename T> __device__ T twice(T v) { v.x *= 2; v.y -= v.x; return v; }
__global__ void read(const tagged *t, float *y)
{
    Row<pair, 2> row = {{t[threadIdx.x].low, {3, 4}}};
    row.items[1] = twice<pair>(row.items[1]);
    tagged_pointer p = (tagged_pointer)t;
    y[threadIdx.x] = row.items[0].y + row.items[1].y + p[threadIdx.x].tag;
}
void go(pair *p, float *y) { fill<pair><<<1, 8>>>(p, y); }
}
typedef struct { int a[2]; } two;
typedef struct { int a[3]; } three;
template <class T> struct Length { static const int value = sizeof(T) / sizeof(int); };
template <class T> __global__ void length(int *y) { y[threadIdx.x] = Length<T>::value; }
template __global__ void length<two>(int *);
template __global__ void length<three>(int *);
// LAUNCH: shapes::fill<shapes::pair> p[8]=zeros y[8]=zeros --grid 1 --block 8
// OUT: y = np.arange(8) + 1.5
// LAUNCH: shapes::read t[4]=zeros y[4]=zeros --grid 1 --block 4
// OUT: y = -2
// LAUNCH: length<two> y[4]=zeros --grid 1 --block 4
// OUT: y = 2
// LAUNCH: length<three> y[4]=zeros --grid 1 --block 4
// OUT: y = 3
