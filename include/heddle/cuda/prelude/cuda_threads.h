// SPDX-License-Identifier: Apache-2.0
// Barriers, votes and shuffles.

// --- helpers of this header ---
namespace __hd {
struct __heddle_group lanes {
  lanes(unsigned mask) __heddle("labeled_partition(coalesced_threads(), mask)");
  int rank() const __heddle("rank(self)");
  void sync() const __heddle("sync(self)");
  int any(int p) const __heddle("any(self, p)");
  int all(int p) const __heddle("all(self, p)");
  unsigned match_all(long long v) const __heddle("match_all(self, v)");
  template <class T> T shfl(T v, int r) const __heddle("shfl(self, v, r)");
  template <class T> T add(T v) const __heddle("reduce(self, v, plus)");
  template <class T> T least(T v) const __heddle("reduce(self, v, min)");
  template <class T> T most(T v) const __heddle("reduce(self, v, max)");
  template <class T> T conjunction(T v) const __heddle("reduce(self, v, bit_and)");
  template <class T> T disjunction(T v) const __heddle("reduce(self, v, bit_or)");
  template <class T> T parity(T v) const __heddle("reduce(self, v, bit_xor)");
};
int lane() __heddle("rank(this_warp())");
unsigned present_lanes() __heddle();
void confirm(bool is_right) __heddle("assert(is_right)");
template <class T> void out(T *p, T v) __heddle("*p = v");
// The threads that come together here with this mask are those it names, but
// for those that have returned.
__device__ unsigned mask_names_who_is_here(const lanes &g, unsigned mask) {
  unsigned present = present_lanes();
  bool the_mask_names_the_threads_here = g.disjunction(1u << lane()) == (mask & present);
  confirm(the_mask_names_the_threads_here);
  return mask & present;
}
// The rank of a lane among those of a mask; 32 if it isn't there.
__device__ int rank_of_lane(unsigned mask, int l) {
  return (mask >> l & 1) ? __popc(mask & ((1u << l) - 1)) : 32;
}
}

// --- barriers, votes, shuffles ---
namespace __hd {
int block_count(int p) __heddle("count(this_block(), p)");
int block_all(int p) __heddle("all(this_block(), p)");
int block_any(int p) __heddle("any(this_block(), p)");
}
void __syncthreads() __heddle("sync(this_block())");
__device__ int __syncthreads_count(int p) { __syncthreads(); return __hd::block_count(p); }
__device__ int __syncthreads_and(int p) { __syncthreads(); return __hd::block_all(p); }
__device__ int __syncthreads_or(int p) { __syncthreads(); return __hd::block_any(p); }
bool syncthreads_and(bool p) __heddle_unsupported("'syncthreads_and'; write '__syncthreads_and'");
bool syncthreads_or(bool p) __heddle_unsupported("'syncthreads_or'; write '__syncthreads_or'");
int syncthreads_count(bool p) __heddle_unsupported("'syncthreads_count'; write '__syncthreads_count'");
unsigned __activemask() __heddle("reduce(coalesced_threads(), 1u << rank(this_warp()), bit_or)");
__device__ void __syncwarp(unsigned mask = 0xffffffffu) __heddle_when("mask == 0xffffffffu", "sync(whole_warp())") {
  __hd::lanes g(mask);
  __hd::mask_names_who_is_here(g, mask);
  g.sync();
}
__device__ int __any_sync(unsigned mask, int p) __heddle_when("mask == 0xffffffffu", "any(whole_warp(), p)") {
  __hd::lanes g(mask);
  __hd::mask_names_who_is_here(g, mask);
  return g.any(p);
}
__device__ int __all_sync(unsigned mask, int p) __heddle_when("mask == 0xffffffffu", "all(whole_warp(), p)") {
  __hd::lanes g(mask);
  __hd::mask_names_who_is_here(g, mask);
  return g.all(p);
}
__device__ int __uni_sync(unsigned mask, int p) __heddle_when("mask == 0xffffffffu", "match_all(whole_warp(), p != 0) != 0") {
  __hd::lanes g(mask);
  __hd::mask_names_who_is_here(g, mask);
  return g.all(p) || !g.any(p);
}
__device__ unsigned __ballot_sync(unsigned mask, int p) __heddle_when("mask == 0xffffffffu", "ballot(whole_warp(), p)") {
  __hd::lanes g(mask);
  __hd::mask_names_who_is_here(g, mask);
  return g.disjunction(p ? 1u << __hd::lane() : 0u);
}
namespace __hd {
struct __heddle_group alike {
  alike(const lanes &g, long long v) __heddle("labeled_partition(g, v)");
  unsigned disjunction(unsigned v) const __heddle("reduce(self, v, bit_or)");
};
__device__ long long bits(int v) { return v; }
__device__ long long bits(unsigned v) { return v; }
__device__ long long bits(long v) { return v; }
__device__ long long bits(unsigned long v) { return (long long)v; }
__device__ long long bits(long long v) { return v; }
__device__ long long bits(unsigned long long v) { return (long long)v; }
__device__ long long bits(float v) { return __float_as_int(v); }
__device__ long long bits(double v) { return __double_as_longlong(v); }
}
namespace __hd {
template <class T> __device__ unsigned all_alike(unsigned mask, T v) {
  lanes g(mask);
  mask_names_who_is_here(g, mask);
  return g.match_all(bits(v)) != 0 ? g.disjunction(1u << lane()) : 0;
}
}
__device__ unsigned __match_any_sync(unsigned mask, int v) __heddle_when("mask == 0xffffffffu", "match_any(whole_warp(), v)") {
  __hd::lanes g(mask);
  __hd::mask_names_who_is_here(g, mask);
  __hd::alike same(g, __hd::bits(v));
  return same.disjunction(1u << __hd::lane());
}
__device__ unsigned __match_all_sync(unsigned mask, int v, int *pred) {
  unsigned same = __hd::all_alike(mask, v);
  *pred = same != 0;
  return same;
}
__device__ unsigned __match_any_sync(unsigned mask, unsigned v) __heddle_when("mask == 0xffffffffu", "match_any(whole_warp(), v)") {
  __hd::lanes g(mask);
  __hd::mask_names_who_is_here(g, mask);
  __hd::alike same(g, __hd::bits(v));
  return same.disjunction(1u << __hd::lane());
}
__device__ unsigned __match_all_sync(unsigned mask, unsigned v, int *pred) {
  unsigned same = __hd::all_alike(mask, v);
  *pred = same != 0;
  return same;
}
__device__ unsigned __match_any_sync(unsigned mask, long v) __heddle_when("mask == 0xffffffffu", "match_any(whole_warp(), v)") {
  __hd::lanes g(mask);
  __hd::mask_names_who_is_here(g, mask);
  __hd::alike same(g, __hd::bits(v));
  return same.disjunction(1u << __hd::lane());
}
__device__ unsigned __match_all_sync(unsigned mask, long v, int *pred) {
  unsigned same = __hd::all_alike(mask, v);
  *pred = same != 0;
  return same;
}
__device__ unsigned __match_any_sync(unsigned mask, unsigned long v) __heddle_when("mask == 0xffffffffu", "match_any(whole_warp(), v)") {
  __hd::lanes g(mask);
  __hd::mask_names_who_is_here(g, mask);
  __hd::alike same(g, __hd::bits(v));
  return same.disjunction(1u << __hd::lane());
}
__device__ unsigned __match_all_sync(unsigned mask, unsigned long v, int *pred) {
  unsigned same = __hd::all_alike(mask, v);
  *pred = same != 0;
  return same;
}
__device__ unsigned __match_any_sync(unsigned mask, long long v) __heddle_when("mask == 0xffffffffu", "match_any(whole_warp(), v)") {
  __hd::lanes g(mask);
  __hd::mask_names_who_is_here(g, mask);
  __hd::alike same(g, __hd::bits(v));
  return same.disjunction(1u << __hd::lane());
}
__device__ unsigned __match_all_sync(unsigned mask, long long v, int *pred) {
  unsigned same = __hd::all_alike(mask, v);
  *pred = same != 0;
  return same;
}
__device__ unsigned __match_any_sync(unsigned mask, unsigned long long v) __heddle_when("mask == 0xffffffffu", "match_any(whole_warp(), v)") {
  __hd::lanes g(mask);
  __hd::mask_names_who_is_here(g, mask);
  __hd::alike same(g, __hd::bits(v));
  return same.disjunction(1u << __hd::lane());
}
__device__ unsigned __match_all_sync(unsigned mask, unsigned long long v, int *pred) {
  unsigned same = __hd::all_alike(mask, v);
  *pred = same != 0;
  return same;
}
__device__ unsigned __match_any_sync(unsigned mask, float v) __heddle_when("mask == 0xffffffffu", "match_any(whole_warp(), v)") {
  __hd::lanes g(mask);
  __hd::mask_names_who_is_here(g, mask);
  __hd::alike same(g, __hd::bits(v));
  return same.disjunction(1u << __hd::lane());
}
__device__ unsigned __match_all_sync(unsigned mask, float v, int *pred) {
  unsigned same = __hd::all_alike(mask, v);
  *pred = same != 0;
  return same;
}
__device__ unsigned __match_any_sync(unsigned mask, double v) __heddle_when("mask == 0xffffffffu", "match_any(whole_warp(), v)") {
  __hd::lanes g(mask);
  __hd::mask_names_who_is_here(g, mask);
  __hd::alike same(g, __hd::bits(v));
  return same.disjunction(1u << __hd::lane());
}
__device__ unsigned __match_all_sync(unsigned mask, double v, int *pred) {
  unsigned same = __hd::all_alike(mask, v);
  *pred = same != 0;
  return same;
}
template <class T> __device__ T __shfl_sync(unsigned mask, T v, int src, int width = 32)
  __heddle_when("mask == 0xffffffffu && width == 32", "shfl(whole_warp(), v, src)")
  __heddle_when("mask == 0xffffffffu && width != 32 && width > 0", "shfl(tiled_partition(whole_warp(), width), v, src)") {
  __hd::lanes g(mask);
  mask = __hd::mask_names_who_is_here(g, mask);
  return g.shfl(v, __hd::rank_of_lane(mask, (src & (width - 1)) | (__hd::lane() & -width)));
}
template <class T> __device__ T __shfl_up_sync(unsigned mask, T v, unsigned delta, int width = 32)
  __heddle_when("mask == 0xffffffffu && width == 32", "shfl_up(whole_warp(), v, delta)")
  __heddle_when("mask == 0xffffffffu && width != 32 && width > 0", "shfl_up(tiled_partition(whole_warp(), width), v, delta)") {
  __hd::lanes g(mask);
  mask = __hd::mask_names_who_is_here(g, mask);
  int lane = __hd::lane(), from = lane - (int)delta;
  return g.shfl(v, __hd::rank_of_lane(mask, from < (lane & -width) ? lane : from));
}
template <class T> __device__ T __shfl_down_sync(unsigned mask, T v, unsigned delta, int width = 32)
  __heddle_when("mask == 0xffffffffu && width == 32", "shfl_down(whole_warp(), v, delta)")
  __heddle_when("mask == 0xffffffffu && width != 32 && width > 0", "shfl_down(tiled_partition(whole_warp(), width), v, delta)") {
  __hd::lanes g(mask);
  mask = __hd::mask_names_who_is_here(g, mask);
  int lane = __hd::lane(), from = lane + (int)delta;
  return g.shfl(v, __hd::rank_of_lane(mask, from > (lane | (width - 1)) ? lane : from));
}
template <class T> __device__ T __shfl_xor_sync(unsigned mask, T v, int lanes, int width = 32)
  __heddle_when("mask == 0xffffffffu && width == 32", "shfl_xor(whole_warp(), v, lanes)")
  __heddle_when("mask == 0xffffffffu && width != 32 && width > 0 && lanes >= 0 && lanes < width", "shfl_xor(tiled_partition(whole_warp(), width), v, lanes)") {
  __hd::lanes g(mask);
  mask = __hd::mask_names_who_is_here(g, mask);
  int lane = __hd::lane(), from = lane ^ lanes;
  return g.shfl(v, __hd::rank_of_lane(mask, from > (lane | (width - 1)) ? lane : from));
}
__device__ unsigned __reduce_add_sync(unsigned mask, unsigned v) __heddle_when("mask == 0xffffffffu", "reduce(whole_warp(), v, plus)") {
  __hd::lanes g(mask);
  __hd::mask_names_who_is_here(g, mask);
  return g.add(v);
}
__device__ int __reduce_add_sync(unsigned mask, int v) __heddle_when("mask == 0xffffffffu", "reduce(whole_warp(), v, plus)") {
  __hd::lanes g(mask);
  __hd::mask_names_who_is_here(g, mask);
  return g.add(v);
}
__device__ unsigned __reduce_min_sync(unsigned mask, unsigned v) __heddle_when("mask == 0xffffffffu", "reduce(whole_warp(), v, min)") {
  __hd::lanes g(mask);
  __hd::mask_names_who_is_here(g, mask);
  return g.least(v);
}
__device__ int __reduce_min_sync(unsigned mask, int v) __heddle_when("mask == 0xffffffffu", "reduce(whole_warp(), v, min)") {
  __hd::lanes g(mask);
  __hd::mask_names_who_is_here(g, mask);
  return g.least(v);
}
__device__ unsigned __reduce_max_sync(unsigned mask, unsigned v) __heddle_when("mask == 0xffffffffu", "reduce(whole_warp(), v, max)") {
  __hd::lanes g(mask);
  __hd::mask_names_who_is_here(g, mask);
  return g.most(v);
}
__device__ int __reduce_max_sync(unsigned mask, int v) __heddle_when("mask == 0xffffffffu", "reduce(whole_warp(), v, max)") {
  __hd::lanes g(mask);
  __hd::mask_names_who_is_here(g, mask);
  return g.most(v);
}
__device__ unsigned __reduce_and_sync(unsigned mask, unsigned v) __heddle_when("mask == 0xffffffffu", "reduce(whole_warp(), v, bit_and)") {
  __hd::lanes g(mask);
  __hd::mask_names_who_is_here(g, mask);
  return g.conjunction(v);
}
__device__ unsigned __reduce_or_sync(unsigned mask, unsigned v) __heddle_when("mask == 0xffffffffu", "reduce(whole_warp(), v, bit_or)") {
  __hd::lanes g(mask);
  __hd::mask_names_who_is_here(g, mask);
  return g.disjunction(v);
}
__device__ unsigned __reduce_xor_sync(unsigned mask, unsigned v) __heddle_when("mask == 0xffffffffu", "reduce(whole_warp(), v, bit_xor)") {
  __hd::lanes g(mask);
  __hd::mask_names_who_is_here(g, mask);
  return g.parity(v);
}
// Without a mask: that of all 32 lanes, which is told.
template <class T> __device__ T __shfl(T v, int src, int width = 32) __heddle_full_mask
  __heddle_when("width == 32", "shfl(whole_warp(), v, src)")
  __heddle_when("width != 32 && width > 0", "shfl(tiled_partition(whole_warp(), width), v, src)") {
  return __shfl_sync(0xffffffffu, v, src, width);
}
template <class T> __device__ T __shfl_up(T v, unsigned delta, int width = 32) __heddle_full_mask
  __heddle_when("width == 32", "shfl_up(whole_warp(), v, delta)")
  __heddle_when("width != 32 && width > 0", "shfl_up(tiled_partition(whole_warp(), width), v, delta)") {
  return __shfl_up_sync(0xffffffffu, v, delta, width);
}
template <class T> __device__ T __shfl_down(T v, unsigned delta, int width = 32) __heddle_full_mask
  __heddle_when("width == 32", "shfl_down(whole_warp(), v, delta)")
  __heddle_when("width != 32 && width > 0", "shfl_down(tiled_partition(whole_warp(), width), v, delta)") {
  return __shfl_down_sync(0xffffffffu, v, delta, width);
}
template <class T> __device__ T __shfl_xor(T v, int lanes, int width = 32) __heddle_full_mask
  __heddle_when("width == 32", "shfl_xor(whole_warp(), v, lanes)")
  __heddle_when("width != 32 && width > 0 && lanes >= 0 && lanes < width", "shfl_xor(tiled_partition(whole_warp(), width), v, lanes)") {
  return __shfl_xor_sync(0xffffffffu, v, lanes, width);
}
int __any(int p) __heddle_full_mask __heddle("any(whole_warp(), p)");
int __all(int p) __heddle_full_mask __heddle("all(whole_warp(), p)");
unsigned __ballot(int p) __heddle_full_mask __heddle("ballot(whole_warp(), p)");
void __barrier_sync(unsigned id) __heddle_unsupported("'__barrier_sync'; use asm volatile(\"bar.sync …\") or cooperative groups");
void __barrier_sync_count(unsigned id, unsigned count) __heddle_unsupported("'__barrier_sync_count'; use asm volatile(\"bar.sync …\") or cooperative groups");
