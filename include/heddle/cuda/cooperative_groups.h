// SPDX-License-Identifier: Apache-2.0
// Cooperative groups: each group is a group of Heddle C, each member one of its
// built-in operations.
#pragma once

namespace cuda {
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };
template <size_t N> struct aligned_size_t {
  static constexpr size_t align = N;
  size_t value;
  __device__ constexpr aligned_size_t(size_t n) : value(n) {}
  __device__ constexpr operator size_t() const { return value; }
};
}

namespace cooperative_groups {
class __heddle_token arrival_token_type {};

// What get_type() gives.
namespace details {
constexpr unsigned coalesced_group_id = 1;
constexpr unsigned grid_group_id = 3;
constexpr unsigned thread_block_id = 4;
constexpr unsigned multi_tile_group_id = 5;
constexpr unsigned cluster_group_id = 6;
}

// --- operators ---
template <class T = void> struct __heddle_operator("plus") plus { __device__ T operator()(T a, T b) const { return a + b; } };
template <> struct __heddle_operator("plus") plus<void> { template <class T> __device__ T operator()(const T &a, const T &b) const { return a + b; } };
template <class T = void> struct __heddle_operator("min") less { __device__ T operator()(T a, T b) const { return b < a ? b : a; } };
template <> struct __heddle_operator("min") less<void> { template <class T> __device__ T operator()(const T &a, const T &b) const { return b < a ? b : a; } };
template <class T = void> struct __heddle_operator("max") greater { __device__ T operator()(T a, T b) const { return a < b ? b : a; } };
template <> struct __heddle_operator("max") greater<void> { template <class T> __device__ T operator()(const T &a, const T &b) const { return a < b ? b : a; } };
template <class T = void> struct __heddle_operator("bit_and") bit_and { __device__ T operator()(T a, T b) const { return a & b; } };
template <> struct __heddle_operator("bit_and") bit_and<void> { template <class T> __device__ T operator()(const T &a, const T &b) const { return a & b; } };
template <class T = void> struct __heddle_operator("bit_or") bit_or { __device__ T operator()(T a, T b) const { return a | b; } };
template <> struct __heddle_operator("bit_or") bit_or<void> { template <class T> __device__ T operator()(const T &a, const T &b) const { return a | b; } };
template <class T = void> struct __heddle_operator("bit_xor") bit_xor { __device__ T operator()(T a, T b) const { return a ^ b; } };
template <> struct __heddle_operator("bit_xor") bit_xor<void> { template <class T> __device__ T operator()(const T &a, const T &b) const { return a ^ b; } };

// --- groups ---
template <unsigned N = 1024> struct block_tile_memory { char unused; };

class __heddle_group thread_group {
public:
  unsigned get_type() const __heddle_unsupported("'get_type' of a thread_group; a group of its own class tells it");
  unsigned long long thread_rank() const __heddle("(unsigned long)rank(self)");
  unsigned long long num_threads() const __heddle("(unsigned long)size(self)");
  unsigned long long size() const __heddle("(unsigned long)size(self)");
  void sync() const __heddle("sync(self)");
};

class __heddle_group("this_block()") thread_block : public thread_group {
public:
  unsigned get_type() const __heddle("4");
  void sync() const __heddle("sync(self)");
  typedef arrival_token_type arrival_token;
  arrival_token barrier_arrive() const __heddle("arrive(self)");
  void barrier_wait(arrival_token token) const __heddle("wait(self, token)");
  unsigned thread_rank() const __heddle("(unsigned)rank(self)");
  unsigned num_threads() const __heddle("(unsigned)size(self)");
  unsigned size() const __heddle("(unsigned)size(self)");
  dim3 group_index() const __heddle("(uint3)block_index()");
  dim3 thread_index() const __heddle("(uint3)thread_index()");
  dim3 group_dim() const __heddle("(uint3)block_dim()");
  dim3 dim_threads() const __heddle("(uint3)block_dim()");
};
thread_block this_thread_block() __heddle("this_block()");
template <unsigned N> thread_block this_thread_block(block_tile_memory<N> &memory) __heddle("this_block()");

class __heddle_group("this_grid()") grid_group : public thread_group {
public:
  unsigned get_type() const __heddle("3");
  void sync() const __heddle("sync(self)");
  typedef arrival_token_type arrival_token;
  arrival_token barrier_arrive() const __heddle("arrive(self)");
  void barrier_wait(arrival_token token) const __heddle("wait(self, token)");
  bool is_valid() const __heddle("true");
  unsigned long long thread_rank() const __heddle("(unsigned long)rank(self)");
  unsigned long long num_threads() const __heddle("(unsigned long)size(self)");
  unsigned long long size() const __heddle("(unsigned long)size(self)");
  dim3 group_dim() const __heddle("(uint3)grid_dim()");
  dim3 dim_blocks() const __heddle("(uint3)grid_dim()");
  dim3 dim_threads() const __heddle("(uint3)grid_dim() * (uint3)block_dim()");
  dim3 thread_index() const __heddle("(uint3)block_index() * (uint3)block_dim() + (uint3)thread_index()");
  dim3 block_index() const __heddle("(uint3)block_index()");
  __device__ unsigned long long num_blocks() const { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
  __device__ unsigned long long block_rank() const { return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x; }
  __device__ unsigned long long num_clusters() const { return num_blocks() / __clusterSizeInBlocks(); }
  dim3 dim_clusters() const __heddle("(uint3)grid_dim() / (uint3)cluster_dim()");
  dim3 cluster_index() const __heddle("(uint3)block_index() / (uint3)cluster_dim()");
  __device__ unsigned long long cluster_rank() const {
    dim3 n = dim_clusters(), i = cluster_index();
    return ((unsigned long long)i.z * n.y + i.y) * n.x + i.x;
  }
};
grid_group this_grid() __heddle("this_grid()");
grid_group this_multi_grid() __heddle_unsupported("groups of several devices, which later versions of CUDA don't have; launch a grid on each");

class __heddle_group("this_cluster()") cluster_group : public thread_group {
public:
  unsigned get_type() const __heddle("6");
  void sync() const __heddle("sync(self)");
  typedef arrival_token_type arrival_token;
  arrival_token barrier_arrive() const __heddle("arrive(self)");
  void barrier_wait(arrival_token token) const __heddle("wait(self, token)");
  void barrier_wait() const __heddle_phase_wait;
  unsigned thread_rank() const __heddle("(unsigned)rank(self)");
  unsigned num_threads() const __heddle("(unsigned)size(self)");
  unsigned size() const __heddle("(unsigned)size(self)");
  template <class T> T *map_shared_rank(T *p, int rank) const __heddle("map_shared(self, p, rank)");
  unsigned query_shared_rank(const void *p) const __heddle("(unsigned)shared_rank(self, p)");
  unsigned block_rank() const __heddle("(unsigned)meta_rank(this_block())");
  unsigned num_blocks() const __heddle("(unsigned)meta_size(this_block())");
  dim3 dim_blocks() const __heddle("(uint3)cluster_dim()");
  dim3 block_index() const __heddle("(uint3)block_index() % (uint3)cluster_dim()");
  dim3 thread_index() const __heddle("(uint3)block_index() % (uint3)cluster_dim() * (uint3)block_dim() + (uint3)thread_index()");
  dim3 dim_threads() const __heddle("(uint3)cluster_dim() * (uint3)block_dim()");
};
cluster_group this_cluster() __heddle("this_cluster()");

class __heddle_group coalesced_group : public thread_group {
public:
  unsigned get_type() const __heddle("1");
  void sync() const __heddle("sync(self)");
  unsigned thread_rank() const __heddle("(unsigned)rank(self)");
  unsigned num_threads() const __heddle("(unsigned)size(self)");
  unsigned size() const __heddle("(unsigned)size(self)");
  unsigned meta_group_rank() const __heddle("(unsigned)meta_rank(self)");
  unsigned meta_group_size() const __heddle("(unsigned)meta_size(self)");
  template <class T> T shfl(T v, int rank) const __heddle("shfl(self, v, rank)");
  template <class T> T shfl_up(T v, unsigned delta) const __heddle("shfl_up(self, v, delta)");
  template <class T> T shfl_down(T v, unsigned delta) const __heddle("shfl_down(self, v, delta)");
  int any(int p) const __heddle("any(self, p)");
  int all(int p) const __heddle("all(self, p)");
  unsigned ballot(int p) const __heddle("ballot(self, p)");
  template <class T> unsigned match_any(T v) const __heddle("match_any(self, v)");
  template <class T> unsigned all_alike(T v) const __heddle("match_all(self, v)");
  template <class T> __device__ unsigned match_all(T v, int &pred) const {
    unsigned same = all_alike(v);
    pred = same != 0;
    return same;
  }
};
coalesced_group coalesced_threads() __heddle("coalesced_threads()");

template <unsigned N, class Parent = void> class __heddle_group thread_block_tile : public thread_group {
public:
  template <class Other> thread_block_tile(const thread_block_tile<N, Other> &g) __heddle("g");
  operator thread_block_tile<N, void>() const __heddle("self");
  unsigned get_type() const __heddle("N <= 32 ? 1 : 5");
  void sync() const __heddle("sync(self)");
  unsigned thread_rank() const __heddle("(unsigned)rank(self)");
  static constexpr unsigned num_threads() { return N; }
  static constexpr unsigned size() { return N; }
  unsigned meta_group_rank() const __heddle("(unsigned)meta_rank(self)");
  unsigned meta_group_size() const __heddle("(unsigned)meta_size(self)");
  template <class T> T shfl(T v, int rank) const __heddle("shfl(self, v, rank)");
  template <class T> T shfl_up(T v, unsigned delta) const __heddle("shfl_up(self, v, delta)");
  template <class T> T shfl_down(T v, unsigned delta) const __heddle("shfl_down(self, v, delta)");
  template <class T> T shfl_xor(T v, unsigned mask) const __heddle("shfl_xor(self, v, mask)");
  int any(int p) const __heddle("any(self, p)");
  int all(int p) const __heddle("all(self, p)");
  unsigned ballot(int p) const __heddle("ballot(self, p)");
  template <class T> unsigned match_any(T v) const __heddle("match_any(self, v)");
  template <class T> unsigned all_alike(T v) const __heddle("match_all(self, v)");
  template <class T> __device__ unsigned match_all(T v, int &pred) const {
    unsigned same = all_alike(v);
    pred = same != 0;
    return same;
  }
};
thread_block_tile<1, void> this_thread() __heddle("this_thread()");

// --- partitions ---
template <unsigned N, class G> thread_block_tile<N, G> tiled_partition(const G &g) __heddle("whole_partition(g, N)");
thread_group tiled_partition(const thread_group &g, unsigned n) __heddle("whole_partition(g, n)");
thread_group tiled_partition(const thread_block &g, unsigned n) __heddle("whole_partition(g, n)");
coalesced_group tiled_partition(const coalesced_group &g, unsigned n) __heddle("tiled_partition(g, n)");
template <class G, class T> coalesced_group labeled_partition(const G &g, T label) __heddle("labeled_partition(g, label)");
template <class G> coalesced_group binary_partition(const G &g, bool p) __heddle("binary_partition(g, p)");

// --- of any group ---
template <class G> void sync(const G &g) __heddle("sync(g)");
template <class G> __device__ auto thread_rank(const G &g) { return g.thread_rank(); }
template <class G> __device__ auto group_size(const G &g) { return g.num_threads(); }
template <class G> __device__ auto num_threads(const G &g) { return g.num_threads(); }

// --- one thread for all ---
template <class G, class F> __device__ void invoke_one(const G &g, F fn) {
  if (g.thread_rank() == 0)
    fn();
}
template <class G, class F> __device__ auto invoke_one_broadcast(const G &g, F fn) {
  decltype(fn()) value = 0;
  if (g.thread_rank() == 0)
    value = fn();
  return g.shfl(value, 0);
}
template <class G, class F, class A0> __device__ void invoke_one(const G &g, F fn, A0 a0) {
  if (g.thread_rank() == 0)
    fn(a0);
}
template <class G, class F, class A0> __device__ auto invoke_one_broadcast(const G &g, F fn, A0 a0) {
  decltype(fn(a0)) value = 0;
  if (g.thread_rank() == 0)
    value = fn(a0);
  return g.shfl(value, 0);
}
template <class G, class F, class A0, class A1> __device__ void invoke_one(const G &g, F fn, A0 a0, A1 a1) {
  if (g.thread_rank() == 0)
    fn(a0, a1);
}
template <class G, class F, class A0, class A1> __device__ auto invoke_one_broadcast(const G &g, F fn, A0 a0, A1 a1) {
  decltype(fn(a0, a1)) value = 0;
  if (g.thread_rank() == 0)
    value = fn(a0, a1);
  return g.shfl(value, 0);
}
template <class G, class F, class A0, class A1, class A2> __device__ void invoke_one(const G &g, F fn, A0 a0, A1 a1, A2 a2) {
  if (g.thread_rank() == 0)
    fn(a0, a1, a2);
}
template <class G, class F, class A0, class A1, class A2> __device__ auto invoke_one_broadcast(const G &g, F fn, A0 a0, A1 a1, A2 a2) {
  decltype(fn(a0, a1, a2)) value = 0;
  if (g.thread_rank() == 0)
    value = fn(a0, a1, a2);
  return g.shfl(value, 0);
}
template <class G, class F, class A0, class A1, class A2, class A3> __device__ void invoke_one(const G &g, F fn, A0 a0, A1 a1, A2 a2, A3 a3) {
  if (g.thread_rank() == 0)
    fn(a0, a1, a2, a3);
}
template <class G, class F, class A0, class A1, class A2, class A3> __device__ auto invoke_one_broadcast(const G &g, F fn, A0 a0, A1 a1, A2 a2, A3 a3) {
  decltype(fn(a0, a1, a2, a3)) value = 0;
  if (g.thread_rank() == 0)
    value = fn(a0, a1, a2, a3);
  return g.shfl(value, 0);
}

// --- reductions and scans ---
template <class G, class T, class F> T reduce(const G &g, T v, F op) __heddle("reduce(g, v, op)");
template <class G, class T, class F> T inclusive_scan(const G &g, T v, F op) __heddle("inclusive_scan(g, v, op)");
template <class G, class T> __device__ T inclusive_scan(const G &g, T v) { return inclusive_scan(g, v, plus<T>()); }
template <class G, class T, class F> __device__ T exclusive_scan(const G &g, T v, F op) {
  T before = g.shfl_up(inclusive_scan(g, v, op), 1);
  return g.thread_rank() == 0 ? T() : before;
}
template <class G, class T> T exclusive_scan(const G &g, T v, plus<T> op) __heddle("exclusive_scan(g, v, op)");
template <class G, class T> T exclusive_scan(const G &g, T v, bit_or<T> op) __heddle("exclusive_scan(g, v, op)");
template <class G, class T> T exclusive_scan(const G &g, T v, bit_xor<T> op) __heddle("exclusive_scan(g, v, op)");
template <class G, class T> __device__ T exclusive_scan(const G &g, T v) { return exclusive_scan(g, v, plus<T>()); }

// --- copies ---
template <class G, class T, class N> void memcpy_async(const G &g, T *to, const T *from, const N &bytes) __heddle("memcpy_async(g, to, from, (unsigned long)bytes)");
template <class G, class T, size_t A> void memcpy_async(const G &g, T *to, const T *from, const cuda::aligned_size_t<A> &bytes) __heddle("memcpy_async(g, to, from, bytes.value)");
template <class G, class T, class N, class M> void memcpy_async(const G &g, T *to, const N &n_to, const T *from, const M &n_from) __heddle("memcpy_async(g, to, (unsigned long)n_to, from, (unsigned long)n_from)");
template <class G, class T, size_t A, size_t B> void memcpy_async(const G &g, T *to, const cuda::aligned_size_t<A> &n_to, const T *from, const cuda::aligned_size_t<B> &n_from) __heddle("memcpy_async(g, to, n_to.value, from, n_from.value)");
template <class G> void wait(const G &g) __heddle("wait(g)");
template <unsigned N, class G> void wait_prior(const G &g) __heddle("wait_prior(g, N)");
}
