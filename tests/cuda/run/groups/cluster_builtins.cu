// SPDX-License-Identifier: Apache-2.0
// TEST: __cluster…: where a block is in its cluster, shared memory of another block
__global__ void __cluster_dims__(2, 1, 1) positions(unsigned *out)
{
    __shared__ unsigned mine;
    unsigned *row = out + blockIdx.x * 8;
    if (threadIdx.x == 0)
        mine = 100 + blockIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
        row[0] = __clusterDim().x * 100 + __clusterDim().y;
        row[1] = __clusterIdx().x;
        row[2] = __clusterRelativeBlockIdx().x;
        row[3] = __clusterGridDimInClusters().x;
        row[4] = __clusterRelativeBlockRank();
        row[5] = __clusterSizeInBlocks();
        row[6] = __cluster_query_shared_rank(&mine);
        unsigned *own = (unsigned *)__cluster_map_shared_rank(&mine, __clusterRelativeBlockRank());
        row[7] = *own;
    }
}
// PY: def positions():
// PY:     return np.concatenate([[201, b // 2, b % 2, 3, b % 2, 2, b % 2, 100 + b] for b in range(6)])
// LAUNCH: positions out[48]=zeros --block 32 --grid 6
// OUT: out = positions()
