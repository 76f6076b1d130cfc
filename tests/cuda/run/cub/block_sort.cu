// SPDX-License-Identifier: Apache-2.0
// TEST: cub::BlockRadixSort: keys of all types, pairs, stable, descending, some of the bits, striped
// REF: docs/reference/cuda.md#cub
#include <cub/block/block_radix_sort.cuh>

template <class K, int Threads, int N> __device__ void sort(const K *x, K *keys, int *places, int how, int begin, int end)
{
    typedef cub::BlockRadixSort<K, Threads, N, int> Sort;
    __shared__ typename Sort::TempStorage s;
    K key[N];
    int place[N], t = threadIdx.x;
    for (int i = 0; i < N; i++) {
        key[i] = x[t * N + i];
        place[i] = t * N + i;
    }
    if (how == 0)
        Sort(s).Sort(key, place, begin, end);
    else if (how == 1)
        Sort(s).SortDescending(key, place, begin, end);
    else if (how == 2)
        Sort(s).SortBlockedToStriped(key, place, begin, end);
    else
        Sort(s).SortDescendingBlockedToStriped(key, place, begin, end);
    for (int i = 0; i < N; i++) {
        int at = how < 2 ? t * N + i : i * Threads + t;
        keys[at] = key[i];
        places[at] = place[i];
    }
}
__global__ void ints(const int *x, int how, int begin, int end, int *keys, int *places) { sort<int, 64, 3>(x, keys, places, how, begin, end); }
__global__ void uints(const unsigned *x, int how, int begin, int end, unsigned *keys, int *places) { sort<unsigned, 40, 5>(x, keys, places, how, begin, end); }
__global__ void longs(const long long *x, int how, int begin, int end, long long *keys, int *places) { sort<long long, 64, 1>(x, keys, places, how, begin, end); }
__global__ void shorts(const short *x, int how, int begin, int end, short *keys, int *places) { sort<short, 32, 4>(x, keys, places, how, begin, end); }
__global__ void bytes(const unsigned char *x, int how, int begin, int end, unsigned char *keys, int *places) { sort<unsigned char, 96, 2>(x, keys, places, how, begin, end); }
__global__ void floats(const float *x, int how, int begin, int end, float *keys, int *places) { sort<float, 128, 2>(x, keys, places, how, begin, end); }
__global__ void doubles(const double *x, int how, int begin, int end, double *keys, int *places) { sort<double, 64, 2>(x, keys, places, how, begin, end); }

// Keys alone, in a block of two dimensions.
__global__ void alone(const int *x, int *y)
{
    typedef cub::BlockRadixSort<int, 8, 4, cub::NullType, 4, true, cub::BLOCK_SCAN_WARP_SCANS, cudaSharedMemBankSizeFourByte, 8> Sort;
    __shared__ typename Sort::TempStorage s;
    int key[4], t = threadIdx.y * 8 + threadIdx.x;
    for (int i = 0; i < 4; i++)
        key[i] = x[t * 4 + i];
    Sort(s).Sort(key);
    __syncthreads();
    Sort(s).SortBlockedToStriped(key, 0, 0);
    for (int i = 0; i < 4; i++)
        y[i * 64 + t] = key[i];
}
// Zeros of both signs are one key, NaNs lie behind the infinities.
__global__ void special(float *keys, int *places)
{
    float x[64] = {0.0f, 1.0f, -0.0f, 1.0f / 0.0f, 0.0f, -1.0f / 0.0f, -0.0f, __int_as_float(0x7fc00000), -1e-40f, 1e-40f};
    typedef cub::BlockRadixSort<float, 64, 1, int> Sort;
    __shared__ typename Sort::TempStorage s;
    float key[1] = {x[threadIdx.x]};
    int place[1] = {(int)threadIdx.x};
    Sort(s).Sort(key, place);
    keys[threadIdx.x] = key[0];
    places[threadIdx.x] = place[0];
}
// PY: def digits(x, begin, end):
// PY:     n = x.itemsize * 8
// PY:     b = x.view(f"u{x.itemsize}")
// PY:     top = b.dtype.type(1 << (n - 1))
// PY:     if x.dtype.kind == "f": b = np.where(b == top, b * 0, b); b = np.where(b & top != 0, ~b, b ^ top)
// PY:     elif x.dtype.kind == "i": b = b ^ top
// PY:     return [(int(v) >> begin) & ((1 << (end - begin)) - 1) for v in b]
// PY: def order(x, how, begin, end):
// PY:     d = digits(x, begin, end)
// PY:     return np.array(sorted(range(len(x)), key=lambda i: -d[i] if how % 2 else d[i]))
// LAUNCH: ints x[192]=random:1 how=0 begin=0 end=32 keys[192]=zeros places[192]=zeros --block 64 --grid 1
// LAUNCH: ints x[192]=random:2 how=1 begin=4 end=9 keys[192]=zeros places[192]=zeros --block 64 --grid 1
// LAUNCH: ints x[192]=iota how=2 begin=3 end=5 keys[192]=zeros places[192]=zeros --block 64 --grid 1
// LAUNCH: ints x[192]=random:2 how=3 begin=0 end=32 keys[192]=zeros places[192]=zeros --block 64 --grid 1
// LAUNCH: uints x[200]=random:3 how=0 begin=0 end=32 keys[200]=zeros places[200]=zeros --block 40 --grid 1
// LAUNCH: uints x[200]=random:3 how=3 begin=30 end=32 keys[200]=zeros places[200]=zeros --block 40 --grid 1
// LAUNCH: longs x[64]=random:3 how=1 begin=0 end=64 keys[64]=zeros places[64]=zeros --block 64 --grid 1
// LAUNCH: longs x[64]=random:3 how=0 begin=60 end=64 keys[64]=zeros places[64]=zeros --block 64 --grid 1
// LAUNCH: shorts x[128]=random:4 how=0 begin=0 end=16 keys[128]=zeros places[128]=zeros --block 32 --grid 1
// LAUNCH: bytes x[192]=random:4 how=1 begin=0 end=8 keys[192]=zeros places[192]=zeros --block 96 --grid 1
// LAUNCH: floats x[256]=random:5 how=0 begin=0 end=32 keys[256]=zeros places[256]=zeros --block 128 --grid 1
// LAUNCH: floats x[256]=random:5 how=3 begin=0 end=32 keys[256]=zeros places[256]=zeros --block 128 --grid 1
// LAUNCH: doubles x[128]=random:6 how=1 begin=0 end=64 keys[128]=zeros places[128]=zeros --block 64 --grid 1
// OUT: keys = in_x[order(in_x, how, begin, end)]
// OUT: places = order(in_x, how, begin, end)
// LAUNCH: alone x[256]=random:7 y[256]=zeros --block 8,8 --grid 1
// OUT: y = np.sort(in_x)
// LAUNCH: special keys[64]=zeros places[64]=zeros --block 64 --grid 1
// PY: special = np.array([0, 1, -0.0, np.inf, 0, -np.inf, -0.0, np.nan, -1e-40, 1e-40] + [0] * 54, np.float32)
// OUT: keys = special[order(special, 0, 0, 32)]
// OUT: places = order(special, 0, 0, 32)
