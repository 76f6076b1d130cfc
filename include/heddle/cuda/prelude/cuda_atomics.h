// SPDX-License-Identifier: Apache-2.0
// Atomic functions.

// --- atomics ---
int atomicAdd(int *p, int v) __heddle("atomic_add(p, v)");
unsigned atomicAdd(unsigned *p, unsigned v) __heddle("atomic_add(p, v)");
unsigned long long atomicAdd(unsigned long long *p, unsigned long long v) __heddle("atomic_add(p, v)");
float atomicAdd(float *p, float v) __heddle("atomic_add(p, v)");
double atomicAdd(double *p, double v) __heddle("atomic_add(p, v)");
int atomicSub(int *p, int v) __heddle("atomic_sub(p, v)");
unsigned atomicSub(unsigned *p, unsigned v) __heddle("atomic_sub(p, v)");
int atomicExch(int *p, int v) __heddle("atomic_exch(p, v)");
unsigned atomicExch(unsigned *p, unsigned v) __heddle("atomic_exch(p, v)");
unsigned long long atomicExch(unsigned long long *p, unsigned long long v) __heddle("atomic_exch(p, v)");
float atomicExch(float *p, float v) __heddle("atomic_exch(p, v)");
int atomicMin(int *p, int v) __heddle("atomic_min(p, v)");
unsigned atomicMin(unsigned *p, unsigned v) __heddle("atomic_min(p, v)");
long long atomicMin(long long *p, long long v) __heddle("atomic_min(p, v)");
unsigned long long atomicMin(unsigned long long *p, unsigned long long v) __heddle("atomic_min(p, v)");
int atomicMax(int *p, int v) __heddle("atomic_max(p, v)");
unsigned atomicMax(unsigned *p, unsigned v) __heddle("atomic_max(p, v)");
long long atomicMax(long long *p, long long v) __heddle("atomic_max(p, v)");
unsigned long long atomicMax(unsigned long long *p, unsigned long long v) __heddle("atomic_max(p, v)");
unsigned atomicInc(unsigned *p, unsigned v) __heddle("atomic_inc(p, v)");
unsigned atomicDec(unsigned *p, unsigned v) __heddle("atomic_dec(p, v)");
int atomicAnd(int *p, int v) __heddle("atomic_and(p, v)");
unsigned atomicAnd(unsigned *p, unsigned v) __heddle("atomic_and(p, v)");
long long atomicAnd(long long *p, long long v) __heddle("atomic_and(p, v)");
unsigned long long atomicAnd(unsigned long long *p, unsigned long long v) __heddle("atomic_and(p, v)");
int atomicOr(int *p, int v) __heddle("atomic_or(p, v)");
unsigned atomicOr(unsigned *p, unsigned v) __heddle("atomic_or(p, v)");
long long atomicOr(long long *p, long long v) __heddle("atomic_or(p, v)");
unsigned long long atomicOr(unsigned long long *p, unsigned long long v) __heddle("atomic_or(p, v)");
int atomicXor(int *p, int v) __heddle("atomic_xor(p, v)");
unsigned atomicXor(unsigned *p, unsigned v) __heddle("atomic_xor(p, v)");
long long atomicXor(long long *p, long long v) __heddle("atomic_xor(p, v)");
unsigned long long atomicXor(unsigned long long *p, unsigned long long v) __heddle("atomic_xor(p, v)");
int atomicCAS(int *p, int expected, int v) __heddle("atomic_cas(p, expected, v)");
unsigned atomicCAS(unsigned *p, unsigned expected, unsigned v) __heddle("atomic_cas(p, expected, v)");
unsigned long long atomicCAS(unsigned long long *p, unsigned long long expected, unsigned long long v) __heddle("atomic_cas(p, expected, v)");
unsigned short atomicCAS(unsigned short *p, unsigned short expected, unsigned short v) __heddle("atomic_cas(p, expected, v)");
__device__ float2 atomicAdd(float2 *p, float2 v) { return make_float2(atomicAdd(&p->x, v.x), atomicAdd(&p->y, v.y)); }
__device__ float4 atomicAdd(float4 *p, float4 v) {
  float x = atomicAdd(&p->x, v.x), y = atomicAdd(&p->y, v.y);
  float z = atomicAdd(&p->z, v.z), w = atomicAdd(&p->w, v.w);
  return make_float4(x, y, z, w);
}
__half atomicAdd(__half *p, __half v) __heddle("atomic_add(p, v)");
__nv_bfloat16 atomicAdd(__nv_bfloat16 *p, __nv_bfloat16 v) __heddle("atomic_add(p, v)");
__half2 atomicAdd(__half2 *p, __half2 v) __heddle("atomic_add(p, v)");
__nv_bfloat162 atomicAdd(__nv_bfloat162 *p, __nv_bfloat162 v) __heddle("atomic_add(p, v)");
int atomicAdd_block(int *p, int v) __heddle("atomic_add(p, v, relaxed, block)");
unsigned atomicAdd_block(unsigned *p, unsigned v) __heddle("atomic_add(p, v, relaxed, block)");
unsigned long long atomicAdd_block(unsigned long long *p, unsigned long long v) __heddle("atomic_add(p, v, relaxed, block)");
float atomicAdd_block(float *p, float v) __heddle("atomic_add(p, v, relaxed, block)");
double atomicAdd_block(double *p, double v) __heddle("atomic_add(p, v, relaxed, block)");
int atomicSub_block(int *p, int v) __heddle("atomic_sub(p, v, relaxed, block)");
unsigned atomicSub_block(unsigned *p, unsigned v) __heddle("atomic_sub(p, v, relaxed, block)");
int atomicExch_block(int *p, int v) __heddle("atomic_exch(p, v, relaxed, block)");
unsigned atomicExch_block(unsigned *p, unsigned v) __heddle("atomic_exch(p, v, relaxed, block)");
unsigned long long atomicExch_block(unsigned long long *p, unsigned long long v) __heddle("atomic_exch(p, v, relaxed, block)");
float atomicExch_block(float *p, float v) __heddle("atomic_exch(p, v, relaxed, block)");
int atomicMin_block(int *p, int v) __heddle("atomic_min(p, v, relaxed, block)");
unsigned atomicMin_block(unsigned *p, unsigned v) __heddle("atomic_min(p, v, relaxed, block)");
long long atomicMin_block(long long *p, long long v) __heddle("atomic_min(p, v, relaxed, block)");
unsigned long long atomicMin_block(unsigned long long *p, unsigned long long v) __heddle("atomic_min(p, v, relaxed, block)");
int atomicMax_block(int *p, int v) __heddle("atomic_max(p, v, relaxed, block)");
unsigned atomicMax_block(unsigned *p, unsigned v) __heddle("atomic_max(p, v, relaxed, block)");
long long atomicMax_block(long long *p, long long v) __heddle("atomic_max(p, v, relaxed, block)");
unsigned long long atomicMax_block(unsigned long long *p, unsigned long long v) __heddle("atomic_max(p, v, relaxed, block)");
unsigned atomicInc_block(unsigned *p, unsigned v) __heddle("atomic_inc(p, v, relaxed, block)");
unsigned atomicDec_block(unsigned *p, unsigned v) __heddle("atomic_dec(p, v, relaxed, block)");
int atomicAnd_block(int *p, int v) __heddle("atomic_and(p, v, relaxed, block)");
unsigned atomicAnd_block(unsigned *p, unsigned v) __heddle("atomic_and(p, v, relaxed, block)");
long long atomicAnd_block(long long *p, long long v) __heddle("atomic_and(p, v, relaxed, block)");
unsigned long long atomicAnd_block(unsigned long long *p, unsigned long long v) __heddle("atomic_and(p, v, relaxed, block)");
int atomicOr_block(int *p, int v) __heddle("atomic_or(p, v, relaxed, block)");
unsigned atomicOr_block(unsigned *p, unsigned v) __heddle("atomic_or(p, v, relaxed, block)");
long long atomicOr_block(long long *p, long long v) __heddle("atomic_or(p, v, relaxed, block)");
unsigned long long atomicOr_block(unsigned long long *p, unsigned long long v) __heddle("atomic_or(p, v, relaxed, block)");
int atomicXor_block(int *p, int v) __heddle("atomic_xor(p, v, relaxed, block)");
unsigned atomicXor_block(unsigned *p, unsigned v) __heddle("atomic_xor(p, v, relaxed, block)");
long long atomicXor_block(long long *p, long long v) __heddle("atomic_xor(p, v, relaxed, block)");
unsigned long long atomicXor_block(unsigned long long *p, unsigned long long v) __heddle("atomic_xor(p, v, relaxed, block)");
int atomicCAS_block(int *p, int expected, int v) __heddle("atomic_cas(p, expected, v, relaxed, block)");
unsigned atomicCAS_block(unsigned *p, unsigned expected, unsigned v) __heddle("atomic_cas(p, expected, v, relaxed, block)");
unsigned long long atomicCAS_block(unsigned long long *p, unsigned long long expected, unsigned long long v) __heddle("atomic_cas(p, expected, v, relaxed, block)");
unsigned short atomicCAS_block(unsigned short *p, unsigned short expected, unsigned short v) __heddle("atomic_cas(p, expected, v, relaxed, block)");
__device__ float2 atomicAdd_block(float2 *p, float2 v) { return make_float2(atomicAdd_block(&p->x, v.x), atomicAdd_block(&p->y, v.y)); }
__device__ float4 atomicAdd_block(float4 *p, float4 v) {
  float x = atomicAdd_block(&p->x, v.x), y = atomicAdd_block(&p->y, v.y);
  float z = atomicAdd_block(&p->z, v.z), w = atomicAdd_block(&p->w, v.w);
  return make_float4(x, y, z, w);
}
__half atomicAdd_block(__half *p, __half v) __heddle("atomic_add(p, v, relaxed, block)");
__nv_bfloat16 atomicAdd_block(__nv_bfloat16 *p, __nv_bfloat16 v) __heddle("atomic_add(p, v, relaxed, block)");
__half2 atomicAdd_block(__half2 *p, __half2 v) __heddle("atomic_add(p, v, relaxed, block)");
__nv_bfloat162 atomicAdd_block(__nv_bfloat162 *p, __nv_bfloat162 v) __heddle("atomic_add(p, v, relaxed, block)");
int atomicAdd_system(int *p, int v) __heddle("atomic_add(p, v, relaxed, system)");
unsigned atomicAdd_system(unsigned *p, unsigned v) __heddle("atomic_add(p, v, relaxed, system)");
unsigned long long atomicAdd_system(unsigned long long *p, unsigned long long v) __heddle("atomic_add(p, v, relaxed, system)");
float atomicAdd_system(float *p, float v) __heddle("atomic_add(p, v, relaxed, system)");
double atomicAdd_system(double *p, double v) __heddle("atomic_add(p, v, relaxed, system)");
int atomicSub_system(int *p, int v) __heddle("atomic_sub(p, v, relaxed, system)");
unsigned atomicSub_system(unsigned *p, unsigned v) __heddle("atomic_sub(p, v, relaxed, system)");
int atomicExch_system(int *p, int v) __heddle("atomic_exch(p, v, relaxed, system)");
unsigned atomicExch_system(unsigned *p, unsigned v) __heddle("atomic_exch(p, v, relaxed, system)");
unsigned long long atomicExch_system(unsigned long long *p, unsigned long long v) __heddle("atomic_exch(p, v, relaxed, system)");
float atomicExch_system(float *p, float v) __heddle("atomic_exch(p, v, relaxed, system)");
int atomicMin_system(int *p, int v) __heddle("atomic_min(p, v, relaxed, system)");
unsigned atomicMin_system(unsigned *p, unsigned v) __heddle("atomic_min(p, v, relaxed, system)");
long long atomicMin_system(long long *p, long long v) __heddle("atomic_min(p, v, relaxed, system)");
unsigned long long atomicMin_system(unsigned long long *p, unsigned long long v) __heddle("atomic_min(p, v, relaxed, system)");
int atomicMax_system(int *p, int v) __heddle("atomic_max(p, v, relaxed, system)");
unsigned atomicMax_system(unsigned *p, unsigned v) __heddle("atomic_max(p, v, relaxed, system)");
long long atomicMax_system(long long *p, long long v) __heddle("atomic_max(p, v, relaxed, system)");
unsigned long long atomicMax_system(unsigned long long *p, unsigned long long v) __heddle("atomic_max(p, v, relaxed, system)");
unsigned atomicInc_system(unsigned *p, unsigned v) __heddle("atomic_inc(p, v, relaxed, system)");
unsigned atomicDec_system(unsigned *p, unsigned v) __heddle("atomic_dec(p, v, relaxed, system)");
int atomicAnd_system(int *p, int v) __heddle("atomic_and(p, v, relaxed, system)");
unsigned atomicAnd_system(unsigned *p, unsigned v) __heddle("atomic_and(p, v, relaxed, system)");
long long atomicAnd_system(long long *p, long long v) __heddle("atomic_and(p, v, relaxed, system)");
unsigned long long atomicAnd_system(unsigned long long *p, unsigned long long v) __heddle("atomic_and(p, v, relaxed, system)");
int atomicOr_system(int *p, int v) __heddle("atomic_or(p, v, relaxed, system)");
unsigned atomicOr_system(unsigned *p, unsigned v) __heddle("atomic_or(p, v, relaxed, system)");
long long atomicOr_system(long long *p, long long v) __heddle("atomic_or(p, v, relaxed, system)");
unsigned long long atomicOr_system(unsigned long long *p, unsigned long long v) __heddle("atomic_or(p, v, relaxed, system)");
int atomicXor_system(int *p, int v) __heddle("atomic_xor(p, v, relaxed, system)");
unsigned atomicXor_system(unsigned *p, unsigned v) __heddle("atomic_xor(p, v, relaxed, system)");
long long atomicXor_system(long long *p, long long v) __heddle("atomic_xor(p, v, relaxed, system)");
unsigned long long atomicXor_system(unsigned long long *p, unsigned long long v) __heddle("atomic_xor(p, v, relaxed, system)");
int atomicCAS_system(int *p, int expected, int v) __heddle("atomic_cas(p, expected, v, relaxed, system)");
unsigned atomicCAS_system(unsigned *p, unsigned expected, unsigned v) __heddle("atomic_cas(p, expected, v, relaxed, system)");
unsigned long long atomicCAS_system(unsigned long long *p, unsigned long long expected, unsigned long long v) __heddle("atomic_cas(p, expected, v, relaxed, system)");
unsigned short atomicCAS_system(unsigned short *p, unsigned short expected, unsigned short v) __heddle("atomic_cas(p, expected, v, relaxed, system)");
__device__ float2 atomicAdd_system(float2 *p, float2 v) { return make_float2(atomicAdd_system(&p->x, v.x), atomicAdd_system(&p->y, v.y)); }
__device__ float4 atomicAdd_system(float4 *p, float4 v) {
  float x = atomicAdd_system(&p->x, v.x), y = atomicAdd_system(&p->y, v.y);
  float z = atomicAdd_system(&p->z, v.z), w = atomicAdd_system(&p->w, v.w);
  return make_float4(x, y, z, w);
}
__half atomicAdd_system(__half *p, __half v) __heddle("atomic_add(p, v, relaxed, system)");
__nv_bfloat16 atomicAdd_system(__nv_bfloat16 *p, __nv_bfloat16 v) __heddle("atomic_add(p, v, relaxed, system)");
__half2 atomicAdd_system(__half2 *p, __half2 v) __heddle("atomic_add(p, v, relaxed, system)");
__nv_bfloat162 atomicAdd_system(__nv_bfloat162 *p, __nv_bfloat162 v) __heddle("atomic_add(p, v, relaxed, system)");
enum { __NV_ATOMIC_RELAXED, __NV_ATOMIC_CONSUME, __NV_ATOMIC_ACQUIRE, __NV_ATOMIC_RELEASE, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_SEQ_CST };
enum { __NV_THREAD_SCOPE_SYSTEM, __NV_THREAD_SCOPE_DEVICE, __NV_THREAD_SCOPE_BLOCK, __NV_THREAD_SCOPE_THREAD, __NV_THREAD_SCOPE_CLUSTER };
void __nv_atomic_thread_fence(int order, int scope = 0) __heddle("fence(__heddle_scope(scope))");
template <class T> T __nv_atomic_load_n(T *p, int order, int scope = 0) __heddle_when("order == 0", "atomic_load(p, relaxed, __heddle_scope(scope))") __heddle_when("order == 5", "(fence(__heddle_scope(scope)), atomic_load(p, acquire, __heddle_scope(scope)))") __heddle("atomic_load(p, acquire, __heddle_scope(scope))");
template <class T> void __nv_atomic_store_n(T *p, T v, int order, int scope = 0) __heddle_when("order == 0", "atomic_store(p, v, relaxed, __heddle_scope(scope))") __heddle_when("order == 5", "(fence(__heddle_scope(scope)), atomic_store(p, v, release, __heddle_scope(scope)))") __heddle("atomic_store(p, v, release, __heddle_scope(scope))");
template <class T> void __nv_atomic_load(T *p, T *result, int order, int scope = 0) __heddle_when("order == 0", "*result = atomic_load(p, relaxed, __heddle_scope(scope))") __heddle_when("order == 5", "(fence(__heddle_scope(scope)), *result = atomic_load(p, acquire, __heddle_scope(scope)))") __heddle("*result = atomic_load(p, acquire, __heddle_scope(scope))");
template <class T> void __nv_atomic_store(T *p, T *v, int order, int scope = 0) __heddle_when("order == 0", "atomic_store(p, *v, relaxed, __heddle_scope(scope))") __heddle_when("order == 5", "(fence(__heddle_scope(scope)), atomic_store(p, *v, release, __heddle_scope(scope)))") __heddle("atomic_store(p, *v, release, __heddle_scope(scope))");
template <class T> T __nv_atomic_exchange_n(T *p, T v, int order, int scope = 0) __heddle_when("order == 5", "(fence(__heddle_scope(scope)), atomic_exch(p, v, __heddle_order(order), __heddle_scope(scope)))") __heddle("atomic_exch(p, v, __heddle_order(order), __heddle_scope(scope))");
template <class T> void __nv_atomic_exchange(T *p, T *v, T *result, int order, int scope = 0) __heddle_when("order == 5", "(fence(__heddle_scope(scope)), *result = atomic_exch(p, *v, __heddle_order(order), __heddle_scope(scope)))") __heddle("*result = atomic_exch(p, *v, __heddle_order(order), __heddle_scope(scope))");
template <class T> T __nv_atomic_cas_value(T *p, T expected, T v, int order, int scope) __heddle_when("order == 5", "(fence(__heddle_scope(scope)), atomic_cas(p, expected, v, __heddle_order(order), __heddle_scope(scope)))") __heddle("atomic_cas(p, expected, v, __heddle_order(order), __heddle_scope(scope))");
template <class T> T __nv_atomic_fetch_add(T *p, T v, int order, int scope = 0) __heddle_when("order == 5", "(fence(__heddle_scope(scope)), atomic_add(p, v, __heddle_order(order), __heddle_scope(scope)))") __heddle("atomic_add(p, v, __heddle_order(order), __heddle_scope(scope))");
template <class T> void __nv_atomic_add(T *p, T v, int order, int scope = 0) __heddle_when("order == 5", "(fence(__heddle_scope(scope)), (void)atomic_add(p, v, __heddle_order(order), __heddle_scope(scope)))") __heddle("(void)atomic_add(p, v, __heddle_order(order), __heddle_scope(scope))");
template <class T> T __nv_atomic_fetch_sub(T *p, T v, int order, int scope = 0) __heddle_when("order == 5", "(fence(__heddle_scope(scope)), atomic_sub(p, v, __heddle_order(order), __heddle_scope(scope)))") __heddle("atomic_sub(p, v, __heddle_order(order), __heddle_scope(scope))");
template <class T> void __nv_atomic_sub(T *p, T v, int order, int scope = 0) __heddle_when("order == 5", "(fence(__heddle_scope(scope)), (void)atomic_sub(p, v, __heddle_order(order), __heddle_scope(scope)))") __heddle("(void)atomic_sub(p, v, __heddle_order(order), __heddle_scope(scope))");
template <class T> T __nv_atomic_fetch_and(T *p, T v, int order, int scope = 0) __heddle_when("order == 5", "(fence(__heddle_scope(scope)), atomic_and(p, v, __heddle_order(order), __heddle_scope(scope)))") __heddle("atomic_and(p, v, __heddle_order(order), __heddle_scope(scope))");
template <class T> void __nv_atomic_and(T *p, T v, int order, int scope = 0) __heddle_when("order == 5", "(fence(__heddle_scope(scope)), (void)atomic_and(p, v, __heddle_order(order), __heddle_scope(scope)))") __heddle("(void)atomic_and(p, v, __heddle_order(order), __heddle_scope(scope))");
template <class T> T __nv_atomic_fetch_or(T *p, T v, int order, int scope = 0) __heddle_when("order == 5", "(fence(__heddle_scope(scope)), atomic_or(p, v, __heddle_order(order), __heddle_scope(scope)))") __heddle("atomic_or(p, v, __heddle_order(order), __heddle_scope(scope))");
template <class T> void __nv_atomic_or(T *p, T v, int order, int scope = 0) __heddle_when("order == 5", "(fence(__heddle_scope(scope)), (void)atomic_or(p, v, __heddle_order(order), __heddle_scope(scope)))") __heddle("(void)atomic_or(p, v, __heddle_order(order), __heddle_scope(scope))");
template <class T> T __nv_atomic_fetch_xor(T *p, T v, int order, int scope = 0) __heddle_when("order == 5", "(fence(__heddle_scope(scope)), atomic_xor(p, v, __heddle_order(order), __heddle_scope(scope)))") __heddle("atomic_xor(p, v, __heddle_order(order), __heddle_scope(scope))");
template <class T> void __nv_atomic_xor(T *p, T v, int order, int scope = 0) __heddle_when("order == 5", "(fence(__heddle_scope(scope)), (void)atomic_xor(p, v, __heddle_order(order), __heddle_scope(scope)))") __heddle("(void)atomic_xor(p, v, __heddle_order(order), __heddle_scope(scope))");
template <class T> T __nv_atomic_fetch_min(T *p, T v, int order, int scope = 0) __heddle_when("order == 5", "(fence(__heddle_scope(scope)), atomic_min(p, v, __heddle_order(order), __heddle_scope(scope)))") __heddle("atomic_min(p, v, __heddle_order(order), __heddle_scope(scope))");
template <class T> void __nv_atomic_min(T *p, T v, int order, int scope = 0) __heddle_when("order == 5", "(fence(__heddle_scope(scope)), (void)atomic_min(p, v, __heddle_order(order), __heddle_scope(scope)))") __heddle("(void)atomic_min(p, v, __heddle_order(order), __heddle_scope(scope))");
template <class T> T __nv_atomic_fetch_max(T *p, T v, int order, int scope = 0) __heddle_when("order == 5", "(fence(__heddle_scope(scope)), atomic_max(p, v, __heddle_order(order), __heddle_scope(scope)))") __heddle("atomic_max(p, v, __heddle_order(order), __heddle_scope(scope))");
template <class T> void __nv_atomic_max(T *p, T v, int order, int scope = 0) __heddle_when("order == 5", "(fence(__heddle_scope(scope)), (void)atomic_max(p, v, __heddle_order(order), __heddle_scope(scope)))") __heddle("(void)atomic_max(p, v, __heddle_order(order), __heddle_scope(scope))");
namespace __hd {
template <class T> __device__ bool swapped(T *expected, T was) {
  bool is_same = was == *expected;
  *expected = was;
  return is_same;
}
}
// As strong as can be asked for, whatever the order and scope.
template <class T> __device__ bool __nv_atomic_compare_exchange_n(T *p, T *expected, T v, bool weak, int order, int failure, int scope = 0) {
  __nv_atomic_thread_fence(5, 0);
  return __hd::swapped(expected, __nv_atomic_cas_value(p, *expected, v, 4, 0));
}
template <class T> __device__ bool __nv_atomic_compare_exchange(T *p, T *expected, T *v, bool weak, int order, int failure, int scope = 0) {
  return __nv_atomic_compare_exchange_n(p, expected, *v, weak, order, failure, scope);
}
