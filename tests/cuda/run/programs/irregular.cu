// SPDX-License-Identifier: Apache-2.0
// TEST: irregular programs: a sparse product with a warp a row, a step of breadth-first search, compaction by ballots
__global__ void sparse(const int *starts, const int *columns, const float *values, const float *x, float *y, int rows)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
    if (row >= rows)
        return;
    float sum = 0;
    for (int k = starts[row] + lane; k < starts[row + 1]; k += 32)
        sum += values[k] * x[columns[k]];
    for (int d = 16; d > 0; d >>= 1)
        sum += __shfl_down_sync(0xffffffff, sum, d);
    if (lane == 0)
        y[row] = sum;
}

struct Node {
    int starting;
    int no_of_edges;
};

__global__ void step(const int2 *nodes, const int *edges, const int *mask, int *updating, const int *visited, int *cost,
                     int n)
{
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    if (tid < n && mask[tid]) {
        Node node = {nodes[tid].x, nodes[tid].y};
        for (int i = node.starting; i < node.no_of_edges + node.starting; i++) {
            int id = edges[i];
            if (!visited[id]) {
                atomicExch(&cost[id], cost[tid] + 1);
                atomicExch(&updating[id], true);
            }
        }
    }
}

__global__ void compact(const int *x, int n, int *y, int *count)
{
    __shared__ int warp_counts[32], base;
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    bool keep = i < n && x[i] % 3 == 0;
    unsigned votes = __ballot_sync(0xffffffff, keep);
    int before = __popc(votes & ((1u << lane) - 1));
    if (lane == 0)
        warp_counts[warp] = __popc(votes);
    __syncthreads();
    if (threadIdx.x == 0) {
        int total = 0;
        for (int w = 0; w < blockDim.x / 32; w++) {
            int c = warp_counts[w];
            warp_counts[w] = total;
            total += c;
        }
        base = atomicAdd(count, total);
    }
    __syncthreads();
    if (keep)
        y[base + warp_counts[warp] + before] = x[i];
}
// PY: def sparse(starts, columns, values, x):
// PY:     return np.array([(values[a:b].astype(float) * x[columns[a:b]]).sum() for a, b in zip(starts, starts[1:])])
// PY: def reached(nodes, edges, mask):
// PY:     out = np.zeros(16, int)
// PY:     for i in range(16):
// PY:         if mask[i]: out[[e for e in edges[nodes[i, 0]:nodes[i].sum()] if not mask[e]]] = 1
// PY:     return out
// LAUNCH: sparse starts=@starts.npy columns=@columns.npy values[600]=random:1 x[100]=random:2 y[12]=zeros rows=12 --grid 6 --block 64
// OUT: y = sparse(in_starts, in_columns, in_values, in_x)
// TOL: 1e-5 1e-6
// LAUNCH: step nodes=@nodes.npy edges=@edges.npy mask=@mask.npy updating[16]=zeros visited=@mask.npy cost[16]=zeros n=16 --block 32 --grid 1
// OUT: updating = reached(in_nodes, in_edges, in_mask)
// OUT: cost = reached(in_nodes, in_edges, in_mask)
// LAUNCH: compact x[96]=iota n=90 y[96]=zeros count[1]=zeros --grid 1 --block 96
// OUT: y = np.r_[np.arange(0, 90, 3), np.zeros(66, int)]
// OUT: count = 30
