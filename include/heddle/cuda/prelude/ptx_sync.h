// SPDX-License-Identifier: Apache-2.0
// Fences, exchanges of warps, barriers and copies of PTX.
namespace __ptx {
__device__ void nanosleep_u32(unsigned n) {  }
__device__ void fence_acq_rel_gpu() { __threadfence(); }
__device__ void fence_sc_gpu() { __threadfence(); }
__device__ void fence_acq_rel_cta() { __threadfence_block(); }
__device__ void fence_sc_cta() { __threadfence_block(); }
__device__ void fence_acq_rel_sys() { __threadfence_system(); }
__device__ void fence_sc_sys() { __threadfence_system(); }
__device__ void bar_warp_sync(unsigned mask) { __syncwarp(mask); }
__device__ unsigned shfl_sync_up_b32(unsigned v, unsigned n, unsigned c, unsigned mask) { __hd::confirm(c == 0); return __shfl_up_sync(mask, v, n); }
__device__ unsigned shfl_sync_down_b32(unsigned v, unsigned n, unsigned c, unsigned mask) { __hd::confirm(c == 31); return __shfl_down_sync(mask, v, n); }
__device__ unsigned shfl_sync_bfly_b32(unsigned v, unsigned n, unsigned c, unsigned mask) { __hd::confirm(c == 31); return __shfl_xor_sync(mask, v, n); }
__device__ unsigned shfl_sync_idx_b32(unsigned v, unsigned n, unsigned c, unsigned mask) { __hd::confirm(c == 31); return __shfl_sync(mask, v, n); }
__device__ unsigned vote_sync_ballot_b32(bool p, unsigned mask) { return __ballot_sync(mask, p); }
__device__ bool vote_sync_any_pred(bool p, unsigned mask) { return __any_sync(mask, p); }
__device__ bool vote_sync_all_pred(bool p, unsigned mask) { return __all_sync(mask, p); }
__device__ unsigned match_any_sync_b32(unsigned v, unsigned mask) { return __match_any_sync(mask, v); }
__device__ unsigned match_any_sync_b64(unsigned long long v, unsigned mask) { return __match_any_sync(mask, v); }
// redux.sync
__device__ unsigned redux_sync_add_u32(unsigned v, unsigned mask) __heddle_when("mask == 0xffffffffu", "reduce(whole_warp(), v, plus)") { return __reduce_add_sync(mask, v); }
__device__ int redux_sync_add_s32(int v, unsigned mask) __heddle_when("mask == 0xffffffffu", "reduce(whole_warp(), v, plus)") { return __reduce_add_sync(mask, v); }
__device__ unsigned redux_sync_min_u32(unsigned v, unsigned mask) __heddle_when("mask == 0xffffffffu", "reduce(whole_warp(), v, min)") { return __reduce_min_sync(mask, v); }
__device__ int redux_sync_min_s32(int v, unsigned mask) __heddle_when("mask == 0xffffffffu", "reduce(whole_warp(), v, min)") { return __reduce_min_sync(mask, v); }
__device__ unsigned redux_sync_max_u32(unsigned v, unsigned mask) __heddle_when("mask == 0xffffffffu", "reduce(whole_warp(), v, max)") { return __reduce_max_sync(mask, v); }
__device__ int redux_sync_max_s32(int v, unsigned mask) __heddle_when("mask == 0xffffffffu", "reduce(whole_warp(), v, max)") { return __reduce_max_sync(mask, v); }
__device__ unsigned redux_sync_and_b32(unsigned v, unsigned mask) __heddle_when("mask == 0xffffffffu", "reduce(whole_warp(), v, bit_and)") { return __reduce_and_sync(mask, v); }
__device__ unsigned redux_sync_or_b32(unsigned v, unsigned mask) __heddle_when("mask == 0xffffffffu", "reduce(whole_warp(), v, bit_or)") { return __reduce_or_sync(mask, v); }
__device__ unsigned redux_sync_xor_b32(unsigned v, unsigned mask) __heddle_when("mask == 0xffffffffu", "reduce(whole_warp(), v, bit_xor)") { return __reduce_xor_sync(mask, v); }

// elect.sync: the lowest lane of the mask
__device__ unsigned elect_lane(unsigned mask) { return __ffs((int)mask) - 1; }
__device__ bool elect_chosen(unsigned mask) __heddle_when("mask == 0xffffffffu", "(any(whole_warp(), true), rank(this_warp()) == 0)") {
  __any_sync(mask, true);
  return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32 == __ffs((int)mask) - 1;
}
__device__ unsigned activemask_b32() { return __activemask(); }
template <class T> __device__ T *at(T *p, long long bytes) { return (T *)((const char *)p + bytes); }
size_t cvta_to_global_u64(const void *p) __heddle_address;
// mbarriers: cu_asm_barrier.c has what is more than a call
template <class B> void mbarrier_init_b64(B *b, unsigned n) __heddle_barrier_init;
template <class B> void mbarrier_inval_b64(B *b) __heddle("(void)0");
template <class B> __hd::word_token mbarrier_arrive_b64(B *b) __heddle("arrive(b)");
template <class B> __hd::word_token mbarrier_arrive_b64(B *b, unsigned n) __heddle_when("n == 1", "arrive(b)") __heddle("arrive(b, (int)n)");
template <class B> __hd::word_token mbarrier_arrive_drop_b64(B *b) __heddle("arrive_drop(b)");
template <class B> __hd::word_token mbarrier_arrive_drop_b64(B *b, unsigned n) __heddle("arrive_drop(b, (int)n)");
template <class B> __hd::word_token mbarrier_arrive_expect_tx_b64(B *b, unsigned bytes) __heddle("arrive_expect(b, (int)bytes)");
template <class B> void mbarrier_expect_tx_b64(B *b, unsigned bytes) __heddle("expect(b, (int)bytes)");
template <class B> bool mbarrier_test_wait_parity_b64(B *b, unsigned parity) __heddle("test_wait(b, (int)parity)");
template <class B> bool mbarrier_try_wait_parity_b64(B *b, unsigned parity) __heddle("test_wait(b, (int)parity)");
template <class B> bool mbarrier_try_wait_parity_b64(B *b, unsigned parity, unsigned) __heddle("test_wait(b, (int)parity)");
template <class B> bool mbarrier_test_wait_b64(B *b, const __hd::word_token &state) __heddle("test_wait(b, state)");
template <class B> bool mbarrier_try_wait_b64(B *b, const __hd::word_token &state) __heddle("test_wait(b, state)");
template <class B> bool mbarrier_try_wait_b64(B *b, const __hd::word_token &state, unsigned) __heddle("test_wait(b, state)");
template <class B> void mbarrier_wait_parity(B *b, unsigned parity) __heddle("wait(b, (int)parity)");
template <class B> void mbarrier_wait_parity(B *b, unsigned parity, unsigned) __heddle("wait(b, (int)parity)");
template <class B> void mbarrier_wait(B *b, const __hd::word_token &state) __heddle("wait(b, state)");
template <class B> void mbarrier_wait(B *b, const __hd::word_token &state, unsigned) __heddle("wait(b, state)");
// barrier.cluster
void barrier_cluster_arrive() __heddle_phase_arrive;
void barrier_cluster_arrive_aligned() __heddle_phase_arrive;
void barrier_cluster_arrive_release() __heddle_phase_arrive;
void barrier_cluster_arrive_release_aligned() __heddle_phase_arrive;
void barrier_cluster_wait() __heddle_phase_wait;
void barrier_cluster_wait_aligned() __heddle_phase_wait;
void barrier_cluster_wait_acquire() __heddle_phase_wait;
void barrier_cluster_wait_acquire_aligned() __heddle_phase_wait;
void griddepcontrol_wait() __heddle("(void)0");
void griddepcontrol_launch_dependents() __heddle("(void)0");
void fence_mbarrier_init_release_cluster() __heddle("(void)0");
void fence_proxy_async() __heddle("fence_async()");
void fence_acq_rel_cluster() __heddle("fence(cluster)");
void fence_sc_cluster() __heddle("fence(cluster)");
// copies
void cp_async_ca(void *to, const void *from, int size) __heddle("copy_bytes(this_thread(), to, from, (long)size)");
void cp_async_cg(void *to, const void *from, int size) __heddle("copy_bytes(this_thread(), to, from, (long)size)");
// What is filled with zeros is stored at once.
__device__ void cp_async_ca(void *to, const void *from, int size, int given) {
  if (given >= size) {
    cp_async_ca(to, from, size);
  } else {
    if (given > 0)
      cp_async_ca(to, from, given);
    if (given <= 0 && size == 16)
      *(uint4 *)to = make_uint4(0, 0, 0, 0);
    else
      for (int i = given; i < size; i++)
        ((unsigned char *)to)[i] = 0;
  }
}
__device__ void cp_async_cg(void *to, const void *from, int size, int given) { cp_async_ca(to, from, size, given); }
// Hints for caches have no effect.
__device__ void cp_async_ca(void *to, const void *from, int size, unsigned long long policy) { cp_async_ca(to, from, size); }
__device__ void cp_async_ca(void *to, const void *from, int size, unsigned long policy) { cp_async_ca(to, from, size); }
__device__ void cp_async_cg(void *to, const void *from, int size, unsigned long long policy) { cp_async_cg(to, from, size); }
__device__ void cp_async_cg(void *to, const void *from, int size, unsigned long policy) { cp_async_cg(to, from, size); }
__device__ void cp_async_ca(void *to, const void *from, int size, int given, unsigned long long policy) { cp_async_ca(to, from, size, given); }
__device__ void cp_async_cg(void *to, const void *from, int size, int given, unsigned long long policy) { cp_async_cg(to, from, size, given); }
__device__ void cp_async_ca(void *to, const void *from, int size, bool ignores) { cp_async_ca(to, from, size, ignores ? 0 : size); }
__device__ void cp_async_cg(void *to, const void *from, int size, bool ignores) { cp_async_ca(to, from, size, ignores ? 0 : size); }
void cp_async_commit_group() __heddle("copy_commit()");
void cp_async_wait_all() __heddle("copy_wait(0)");
__device__ void cp_async_wait_group(int n) __heddle_when("n == 0", "copy_wait(0)") __heddle_when("n == 1", "copy_wait(1)") __heddle_when("n == 2", "copy_wait(2)") __heddle_when("n == 3", "copy_wait(3)") __heddle_when("n == 4", "copy_wait(4)") __heddle_when("n == 5", "copy_wait(5)") __heddle_when("n == 6", "copy_wait(6)") __heddle_when("n == 7", "copy_wait(7)") __heddle_when("n >= 8", "copy_wait(8)");
template <class B> void cp_async_mbarrier_arrive_b64(B *b) __heddle("copy_commit(), copy_wait(0)");
template <class B> void cp_async_mbarrier_arrive_noinc_b64(B *b) __heddle("copy_commit(), copy_wait(0), arrive(b)");
void cp_async_bulk_bulk_group(void *to, const void *from, unsigned bytes) __heddle("copy_bulk(to, from, (long)bytes)");
void cp_async_bulk_commit_group() __heddle("tma_commit()");
__device__ void cp_async_bulk_wait_group(int n) __heddle_when("n == 0", "tma_wait(0)") __heddle_when("n == 1", "tma_wait(1)") __heddle_when("n == 2", "tma_wait(2)") __heddle_when("n == 3", "tma_wait(3)") __heddle_when("n == 4", "tma_wait(4)") __heddle_when("n == 5", "tma_wait(5)") __heddle_when("n == 6", "tma_wait(6)") __heddle_when("n == 7", "tma_wait(7)") __heddle_when("n >= 8", "tma_wait(8)");
__device__ void cp_async_bulk_wait_group_read(int n) __heddle_when("n == 0", "tma_wait_read(0)") __heddle_when("n == 1", "tma_wait_read(1)") __heddle_when("n == 2", "tma_wait_read(2)") __heddle_when("n == 3", "tma_wait_read(3)") __heddle_when("n == 4", "tma_wait_read(4)") __heddle_when("n == 5", "tma_wait_read(5)") __heddle_when("n == 6", "tma_wait_read(6)") __heddle_when("n == 7", "tma_wait_read(7)") __heddle_when("n >= 8", "tma_wait_read(8)");
void cp_async_bulk_bulk_group(void *to, const void *from, unsigned bytes, unsigned long long) __heddle("copy_bulk(to, from, (long)bytes)");
unsigned long long createpolicy_fractional_b64(float) __heddle("0ul");
template <class B> void cp_async_bulk_mbarrier_complete_tx_bytes(void *to, const void *from, unsigned bytes, B *b, unsigned long long) __heddle("copy_bulk(to, from, (long)bytes, b)");
template <class B> void cp_async_bulk_mbarrier_complete_tx_bytes(void *to, const void *from, unsigned bytes, B *b) __heddle("copy_bulk(to, from, (long)bytes, b)");
void setmaxnreg_inc_sync_aligned_u32(unsigned) __heddle("(void)0");
void setmaxnreg_dec_sync_aligned_u32(unsigned) __heddle("(void)0");
// addresses
size_t cvta_to_shared_u64(const void *p) __heddle_address;
}
