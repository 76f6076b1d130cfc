// SPDX-License-Identifier: Apache-2.0
// TEST: cub::BlockLoad, BlockStore and BlockExchange by every algorithm, with and without guards
// REF: docs/reference/cuda.md#cub
#include <cub/cub.cuh>

template <cub::BlockLoadAlgorithm L, cub::BlockStoreAlgorithm S> __device__ void moved(const int *x, int n, int *all, int *some)
{
    typedef cub::BlockLoad<int, 64, 3, L> Load;
    typedef cub::BlockStore<int, 64, 3, S> Store;
    __shared__ union {
        typename Load::TempStorage load;
        typename Store::TempStorage store;
    } s;
    int items[3] = {-1, -1, -1}, place[3], t = threadIdx.x;
    Load(s.load).Load(x, items);
    __syncthreads();
    for (int i = 0; i < 3; i++) {
        place[i] = L == cub::BLOCK_LOAD_STRIPED ? i * 64 + t : t * 3 + i;
        items[i] += place[i];
    }
    Store(s.store).Store(all, items);
    __syncthreads();
    Load(s.load).Load(x, items, n, -7);
    __syncthreads();
    Store(s.store).Store(some, items, n + 1);
    __syncthreads();
}
__global__ void same(const int *x, int n, int *all, int *some)
{
    moved<cub::BLOCK_LOAD_DIRECT, cub::BLOCK_STORE_DIRECT>(x, n, all, some);
    moved<cub::BLOCK_LOAD_VECTORIZE, cub::BLOCK_STORE_VECTORIZE>(x, n, all + 192, some + 192);
    moved<cub::BLOCK_LOAD_STRIPED, cub::BLOCK_STORE_STRIPED>(x, n, all + 384, some + 384);
    moved<cub::BLOCK_LOAD_TRANSPOSE, cub::BLOCK_STORE_TRANSPOSE>(x, n, all + 576, some + 576);
    moved<cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::BLOCK_STORE_WARP_TRANSPOSE>(x, n, all + 768, some + 768);
    moved<cub::BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED, cub::BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED>(x, n, all + 960, some + 960);
}

__global__ void exchanged(const int *x, int *y)
{
    typedef cub::BlockExchange<int, 64, 3> Exchange;
    __shared__ typename Exchange::TempStorage s;
    int items[3], other[3], rank[3], t = threadIdx.x;
    cub::LoadDirectStriped<64>(t, x, items);
    Exchange(s).StripedToBlocked(items);
    cub::StoreDirectBlocked(t, y, items);
    __syncthreads();
    Exchange(s).BlockedToStriped(items, other);
    cub::StoreDirectStriped<64>(t, y + 192, other);
    __syncthreads();
    Exchange(s).BlockedToWarpStriped(items, other);
    cub::StoreDirectWarpStriped(t, y + 384, other);
    __syncthreads();
    Exchange(s).WarpStripedToBlocked(other);
    cub::StoreDirectBlocked(t, y + 576, other, 100);
    for (int i = 0; i < 3; i++)
        rank[i] = (t * 3 + i) * 5 % 192;
    __syncthreads();
    Exchange(s).ScatterToBlocked(items, other, rank);
    cub::StoreDirectBlocked(t, y + 768, other);
    __syncthreads();
    Exchange(s).ScatterToStriped(items, rank);
    cub::StoreDirectStriped<64>(t, y + 960, items);
}

// Items that no rank or flag wants are dropped; rows as wide as can be loaded.
__global__ void guarded(int *x, int *y)
{
    typedef cub::BlockExchange<int, 64, 2> Exchange;
    __shared__ typename Exchange::TempStorage s;
    int items[2], out[2], rank[2], t = threadIdx.x;
    bool is_wanted[2];
    cub::LoadDirectBlockedVectorized(t, x, items);
    for (int i = 0; i < 2; i++) {
        int place = t * 2 + i;
        rank[i] = place < 64 ? place * 2 : -1;
        is_wanted[i] = place >= 64;
    }
    Exchange(s).ScatterToStripedGuarded(items, out, rank);
    for (int i = 0; i < 2; i++)
        y[i * 64 + t] = t % 2 == 0 ? out[i] : 0;
    __syncthreads();
    for (int i = 0; i < 2; i++)
        rank[i] = (t * 2 + i) % 64;
    Exchange(s).ScatterToStripedFlagged(items, out, rank, is_wanted);
    y[128 + t] = out[0];
    cub::LoadDirectWarpStriped(t, x, items);
    cub::StoreDirectBlockedVectorized(t, y + 192, items);
}
// LAUNCH: guarded x[128]=random:1 y[320]=zeros --block 64 --grid 1
// OUT: y = np.concatenate([np.stack([in_x[:64], np.zeros(64)], 1).ravel(), in_x[64:], np.concatenate([in_x[:64].reshape(2, 32).T.ravel(), in_x[64:].reshape(2, 32).T.ravel()])])
// PY: def put(x, ranks):
// PY:     y = np.zeros_like(x)
// PY:     y[ranks] = x
// PY:     return y
// LAUNCH: same x[192]=random:1 n=100 all[1152]=zeros some[1152]=zeros --block 64 --grid 1
// OUT: all = np.tile(in_x + np.arange(192), 6)
// OUT: some = np.tile(np.concatenate([in_x[:100], [-7], np.zeros(91)]), 6)
// LAUNCH: exchanged x[192]=random:1 y[1152]=zeros --block 64 --grid 1
// PY: moved = lambda x: put(x, np.arange(192) * 5 % 192)
// OUT: y = np.concatenate([in_x, in_x, in_x, in_x[:100], np.zeros(92), moved(in_x), moved(in_x)])
