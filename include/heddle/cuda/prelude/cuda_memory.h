// SPDX-License-Identifier: Apache-2.0
// Loads, stores and fences; what stops, prints and tells the time.

// --- memory ---
void __threadfence() __heddle("fence(device)");
void __threadfence_block() __heddle("fence(block)");
void __threadfence_cluster() __heddle("fence(cluster)");
void __threadfence_system() __heddle("fence(system)");
template <class T> T __ldg(const T *p) __heddle("*p");
template <class T> T __ldca(const T *p) __heddle("load(p, cached)");
template <class T> T __ldcg(const T *p) __heddle("*p");
template <class T> T __ldcs(const T *p) __heddle("load(p, streaming)");
template <class T> T __ldlu(const T *p) __heddle("load(p, last_use)");
template <class T> __device__ T __ldcv(const T *p) { return *(const volatile T *)p; }
template <class T, class U> void __stwb(T *p, U v) __heddle("store(p, v, cached)");
template <class T, class U> void __stcg(T *p, U v) __heddle("*p = v");
template <class T, class U> void __stcs(T *p, U v) __heddle("store(p, v, streaming)");
template <class T, class U> __device__ void __stwt(T *p, U v) { *(volatile T *)p = v; }
void *__nv_aligned_device_malloc(size_t n, size_t align) __heddle_unsupported("memory allocated in a kernel; pass an array as a parameter");
void *malloc(size_t n) __heddle_unsupported("memory allocated in a kernel; pass an array as a parameter");
void free(void *p) __heddle_unsupported("memory allocated in a kernel; pass an array as a parameter");
__device__ void memcpy(void *to, const void *from, size_t n) {
  for (size_t i = 0; i < n; i++)
    ((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
}
__device__ void memset(void *to, int value, size_t n) {
  for (size_t i = 0; i < n; i++)
    ((unsigned char *)to)[i] = (unsigned char)value;
}
__device__ void __builtin_memcpy(void *to, const void *from, size_t n) { memcpy(to, from, n); }
__device__ void __builtin_memset(void *to, int value, size_t n) { memset(to, value, n); }
namespace std {
using ::memcpy;
using ::memset;
}
unsigned __isGlobal(const void *p) __heddle_unsupported("'__isGlobal': which memory a pointer points to is known when the kernel is compiled; leave the question out");
unsigned __isShared(const void *p) __heddle_unsupported("'__isShared': which memory a pointer points to is known when the kernel is compiled; leave the question out");
unsigned __isConstant(const void *p) __heddle_unsupported("'__isConstant': which memory a pointer points to is known when the kernel is compiled; leave the question out");
unsigned __isLocal(const void *p) __heddle_unsupported("'__isLocal': which memory a pointer points to is known when the kernel is compiled; leave the question out");
unsigned __isGridConstant(const void *p) __heddle_unsupported("'__isGridConstant': which memory a pointer points to is known when the kernel is compiled; leave the question out");
unsigned __isCtaShared(const void *p) __heddle_unsupported("'__isCtaShared': which memory a pointer points to is known when the kernel is compiled; leave the question out");
unsigned __isClusterShared(const void *p) __heddle_unsupported("'__isClusterShared': which memory a pointer points to is known when the kernel is compiled; leave the question out");
// Words of 64 bits in shared memory that the kernel uses as mbarriers, the
// states of theirs, and those of another block of the cluster.
namespace __hd {
class __heddle_barrier("mbarrier") word_barrier {};
class __heddle_barrier("mbarrier of another block") mapped_barrier {};
class __heddle_token("state of an mbarrier") word_token {};
}
size_t __cvta_generic_to_global(const void *p) __heddle_address;
void *__cvta_global_to_generic(size_t p) __heddle_address;
size_t __cvta_generic_to_shared(const void *p) __heddle_address;
void *__cvta_shared_to_generic(size_t p) __heddle_address;
size_t __cvta_generic_to_local(const void *p) __heddle_unsupported("addresses as numbers; keep the pointer");
void *__cvta_local_to_generic(size_t p) __heddle_unsupported("addresses as numbers; keep the pointer");
size_t __cvta_generic_to_constant(const void *p) __heddle_unsupported("addresses as numbers; keep the pointer");
void *__cvta_constant_to_generic(size_t p) __heddle_unsupported("addresses as numbers; keep the pointer");
size_t __cvta_generic_to_grid_constant(const void *p) __heddle_unsupported("addresses as numbers; keep the pointer");
void *__cvta_grid_constant_to_generic(size_t p) __heddle_unsupported("addresses as numbers; keep the pointer");

// --- stopping, printing, time ---
int printf(const char *format, ...) __heddle();
void __trap() __heddle("trap()");
void __brkpt() __heddle("trap()");
void abort() __heddle("trap()");
void assert(bool e) __heddle();
void __assert(bool e) __heddle("assert(e)");
void __assume(bool e) __heddle("assume(e)");
void __requires(bool e) __heddle("assume(e)");
bool __implies(bool a, bool b) __heddle("!a || b");
bool __enabled() __heddle("true");
template <class T> bool __is_pow2(T x) __heddle("(x & (x - 1)) == 0");
void __builtin_assume(bool e) __heddle("assume(e)");
void __builtin_unreachable() __heddle("assume(false)");
long __builtin_expect(long value, long expected) __heddle("value");
template <class T> T *__builtin_assume_aligned(T *p, size_t n) __heddle("p");
template <class T> T *__builtin_assume_aligned(T *p, size_t n, size_t offset) __heddle("p");
typedef long clock_t;
clock_t clock() __heddle("clock64()");
long long clock64() __heddle();
void __nanosleep(unsigned ns) __heddle("(void)ns");
void __prof_trigger(int counter) __heddle("(void)counter");
unsigned __pm0() __heddle_unsupported("counters of a multiprocessor; use a profiler");
unsigned __pm1() __heddle_unsupported("counters of a multiprocessor; use a profiler");
unsigned __pm2() __heddle_unsupported("counters of a multiprocessor; use a profiler");
unsigned __pm3() __heddle_unsupported("counters of a multiprocessor; use a profiler");
