// SPDX-License-Identifier: Apache-2.0
// If this fails, a host program dies, hangs, leaks or goes on with something
// broken where memory runs out in the library.
#include "heddle/heddle.h"

#include <errno.h>
#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
// cmocka wants the ones above first.
#include <cmocka.h>

// ------------------------------------------------- an allocator that can fail
// The program's own, so that libraries call it, too.

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_ALLOCATOR 0
static atomic_long n_calls, fails_at, n_live;
#else
#define HAS_ALLOCATOR 1

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t align, size_t size);
extern void __libc_free(void *memory);

static atomic_long n_calls, n_live;
static atomic_long fails_at; // this call of them and all later ones; 0: none

static bool is_out(void) {
  long n = atomic_fetch_add(&n_calls, 1) + 1, at = atomic_load(&fails_at);
  if (at == 0 || n < at)
    return false;
  errno = ENOMEM;
  return true;
}

static void *counted(void *memory) {
  if (memory)
    atomic_fetch_add(&n_live, 1);
  return memory;
}

void *malloc(size_t size) {
  return is_out() ? NULL : counted(__libc_malloc(size));
}

void *calloc(size_t count, size_t size) {
  return is_out() ? NULL : counted(__libc_calloc(count, size));
}

void *realloc(void *old, size_t size) {
  if (is_out())
    return NULL;
  void *memory = __libc_realloc(old, size);
  return old ? memory : counted(memory);
}

void *memalign(size_t align, size_t size) {
  return is_out() ? NULL : counted(__libc_memalign(align, size));
}

void *aligned_alloc(size_t align, size_t size) {
  return memalign(align, size);
}

int posix_memalign(void **out, size_t align, size_t size) {
  *out = memalign(align, size);
  return *out ? 0 : ENOMEM;
}

void free(void *memory) {
  if (memory)
    atomic_fetch_sub(&n_live, 1);
  __libc_free(memory);
}
#endif

static void fail_from(long call) {
  atomic_store(&n_calls, 0);
  atomic_store(&fails_at, call);
}

// ------------------------------------------------------------------ programs

static const char heddle_text[] =
    "global int total[1];\n"
    "kernel void reverse(int n, const int x[n], int y[n])\n"
    "    grid(cdiv(n, 64)) threads(64)\n"
    "{\n"
    "    shared int s[64];\n"
    "    int first = block_index().x * 64, i = first + rank();\n"
    "    s[rank()] = i < n ? x[i] : 0;\n"
    "    sync();\n"
    "    for (int k = 0; k < 3; k++) { sync(); s[rank()] += k; sync(); }\n"
    "    if (i < n) y[i] = s[63 - rank()] + total[0];\n"
    "}\n";

static const char cuda_text[] =
    "#define N 64\n"
    "template <int S> struct Pair { int a[S]; };\n"
    "__global__ void k(int n, const int *x, int *y)\n"
    "{\n"
    "    __shared__ int s[N];\n"
    "    Pair<2> p; p.a[0] = 1;\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    s[threadIdx.x] = i < n ? x[i] : 0;\n"
    "    __syncthreads();\n"
    "    if (i < n) y[i] = s[N - 1 - threadIdx.x] * p.a[0];\n"
    "}\n"
    "void f(int n, int *x, int *y) { k<<<(n + N - 1) / N, N>>>(n, x, y); }\n";

typedef HdStatus Step(HdSession *session, HdProgram *program);

static HdStatus checked(HdSession *session, HdProgram *program) {
  HdCheck *check;
  (void)session;
  HdStatus status = hd_check(program, NULL, NULL, 0, NULL, &check);
  if (status == HD_OK) {
    // A verdict that was reached isn't a wrong one.
    assert_int_not_equal(hd_check_verdict(check), HD_VERDICT_BUG);
    assert_non_null(hd_check_report(check, HD_FORMAT_JSON));
  } else {
    assert_null(check);
  }
  hd_check_free(check);
  return status;
}

static HdStatus converted(HdSession *session, HdProgram *program) {
  char *text;
  (void)session;
  HdStatus status = hd_convert(program, NULL, NULL, &text);
  assert_true((status == HD_OK) == (text != NULL));
  hd_text_free(text);
  return status;
}

static HdStatus dumped(HdSession *session, HdProgram *program) {
  char *text;
  (void)session;
  HdStatus status = hd_dump(program, NULL, NULL, 0, "ir", &text);
  hd_text_free(text);
  return status;
}

static HdStatus translated(HdSession *session, HdProgram *program) {
  char *text;
  (void)session;
  HdStatus status = hd_dump_for(program, NULL, NULL, 0, "ptx", "sm_90a", &text);
  hd_text_free(text);
  return status;
}

static HdStatus launch_on(HdDevice *device, HdKernel *kernel) {
  enum { N = 100 };

  int x[N], y[N] = {0};
  int64_t n = N;
  HdBuffer *from = NULL, *to = NULL;
  for (int i = 0; i < N; i++)
    x[i] = i;
  HdStatus status = hd_buffer_new(device, HD_I32, 1, &n, &from);
  if (status == HD_OK)
    status = hd_buffer_new(device, HD_I32, 1, &n, &to);
  if (status == HD_OK)
    status = hd_buffer_write(from, x, sizeof x);
  HdArg args[] = {HD_INT(N), HD_BUF(from), HD_BUF(to)};
  if (status == HD_OK)
    status = hd_kernel_launch(kernel, NULL, NULL, args, 3);
  if (status == HD_OK)
    status = hd_buffer_read(to, y, sizeof y);
  if (status == HD_OK)
    assert_int_equal(y[0], 63 + 3);
  hd_buffer_free(from);
  hd_buffer_free(to);
  return status;
}

static HdStatus launched(HdSession *session, HdProgram *program) {
  HdDevice *device;
  HdKernel *kernel = NULL;
  HdStatus status = hd_device_open(session, "cpu:1", &device);
  if (status == HD_OK)
    status = hd_kernel_get(program, NULL, NULL, 0, &kernel);
  if (status == HD_OK)
    status = launch_on(device, kernel);
  hd_kernel_free(kernel);
  hd_device_free(device);
  return status;
}

// What the library says of its memory; anything else is a mistake.
static HdStatus looked_at(HdStatus status) {
  if (status != HD_OK)
    assert_int_equal(status, HD_ERROR_MEMORY);
  return status;
}

// A session of its own, with one program, for one step.
static HdStatus run_step(bool is_cuda, Step *step) {
  HdSessionOptions options = HD_SESSION_OPTIONS_INIT;
  HdSession *session;
  HdProgram *program = NULL;
  options.use_disk_cache = 0;
  HdStatus status = hd_session_new(&options, &session);
  if (status == HD_OK) {
    const char *text = is_cuda ? cuda_text : heddle_text;
    status = hd_compile_text(session, is_cuda ? "t.cu" : "t.hd", text,
                             strlen(text), &program);
    if (status != HD_OK)
      assert_null(program);
  }
  if (status == HD_OK && step)
    status = step(session, program);
  hd_program_free(program);
  hd_session_free(session);
  return status;
}

// -------------------------------------------------------------------- sweeps

typedef struct {
  bool is_cuda;
  Step *step;
  int n_points;
  bool is_ours; // no other library at work, whose memory may be lost
} Row;

// Memory runs out at a call of the allocator, and for that one step only.
static void sweep_point(const Row *row, long call) {
  fail_from(call);
  long before = atomic_load(&n_live);
  looked_at(run_step(row->is_cuda, row->step));
  fail_from(0);
  if (row->is_ours)
    assert_int_equal(atomic_load(&n_live), before);
  assert_int_equal(run_step(row->is_cuda, row->step), HD_OK);
}

// What a process does once (LLVM's passes, tables of the C library) is done
// before; its own sweep is sweep_first.
static void sweep(const Row *row) {
  assert_int_equal(run_step(row->is_cuda, row->step), HD_OK);
  fail_from(0);
  assert_int_equal(run_step(row->is_cuda, row->step), HD_OK);
  long n = atomic_load(&n_calls);
  for (int i = 0; i < row->n_points; i++)
    sweep_point(row, 1 + (n - 1) * i / (row->n_points - 1));
}

static void skip_without_allocator(void) {
  if (!HAS_ALLOCATOR)
    skip();
}

static void test_compile(void **state) {
  (void)state;
  skip_without_allocator();
  sweep(&(Row){false, NULL, 100, true});
  sweep(&(Row){false, dumped, 60, true});
}

static void test_cuda(void **state) {
  (void)state;
  skip_without_allocator();
  sweep(&(Row){true, NULL, 20, true});
  sweep(&(Row){true, dumped, 20, true});
}

static void test_check(void **state) {
  (void)state;
  skip_without_allocator();
  sweep(&(Row){false, checked, 60, false});
  sweep(&(Row){true, converted, 15, false});
}

static void test_launch(void **state) {
  (void)state;
  skip_without_allocator();
  sweep(&(Row){false, launched, 60, false});
  sweep(&(Row){false, translated, 30, false});
}

// In a process where none of it has been done before.
static int first_of_process(const Row *row, long call, long *n) {
  pid_t child = fork();
  if (child == 0) {
    alarm(60);
    fail_from(call);
    HdStatus status = run_step(row->is_cuda, row->step);
    *n = atomic_load(&n_calls);
    fail_from(0);
    bool is_good = (status == HD_OK || status == HD_ERROR_MEMORY) &&
                   run_step(row->is_cuda, row->step) == HD_OK;
    _exit(is_good ? 0 : 1);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  return WEXITSTATUS(status);
}

static void test_first(void **state) {
  static const Row rows[] = {{false, checked, 10, false},
                             {false, launched, 40, false},
                             {false, translated, 20, false}};
  (void)state;
  skip_without_allocator();
  long *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert_ptr_not_equal(shared, MAP_FAILED);
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    assert_int_equal(first_of_process(&rows[k], 0, shared), 0);
    long n = *shared;
    for (int i = 0; i < rows[k].n_points; i++)
      assert_int_equal(
          first_of_process(&rows[k], 1 + n * i / rows[k].n_points, shared), 0);
  }
  munmap(shared, sizeof *shared);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_first), cmocka_unit_test(test_compile),
      cmocka_unit_test(test_cuda), cmocka_unit_test(test_check),
      cmocka_unit_test(test_launch)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
