// SPDX-License-Identifier: Apache-2.0
// Rewrites of LLVM IR for machines with vectors of 32 or 64 bytes, on any x86
// that can run their code: what they make of a function computes what it did.
#include "base/text.h"
#include "codegen/cpu/llvm_masked.h"
#include "codegen/llvm_loop_parts.h"
#include "codegen/llvm_sums_ahead.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/ExecutionEngine.h>
#include <llvm-c/IRReader.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
// cmocka wants the ones above first.
#include <cmocka.h>

static const LlvmTarget avx2 = {
    .is_x86 = true, .vector_bytes = 32, .n_vectors = 16, .has_fma = true};
static const LlvmTarget avx512 = {
    .is_x86 = true, .vector_bytes = 64, .n_vectors = 32, .has_fma = true};
static const LlvmTarget other = {.vector_bytes = 32, .n_vectors = 32};

typedef struct {
  Arena *arena;
  LLVMContextRef cx;
  LLVMModuleRef module;
  LLVMExecutionEngineRef engine; // owns the module once it is there
} Rewrite;

static Rewrite rewrite_parse(Arena *arena, const char *text) {
  Rewrite r = {.arena = arena, .cx = LLVMContextCreate()};
  LLVMMemoryBufferRef buffer =
      LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "test");
  char *message = NULL;
  if (LLVMParseIRInContext(r.cx, buffer, &r.module, &message))
    fail_msg("%s", message);
  return r;
}

static void rewrite_free(Rewrite *r) {
  if (r->engine)
    LLVMDisposeExecutionEngine(r->engine);
  else
    LLVMDisposeModule(r->module);
  LLVMContextDispose(r->cx);
}

static const char *rewrite_text(const Rewrite *r) {
  char *text = LLVMPrintModuleToString(r->module);
  const char *copy = arena_strdup(r->arena, text);
  LLVMDisposeMessage(text);
  return copy;
}

static unsigned count_of(const char *text, const char *part) {
  unsigned n = 0;
  for (const char *p = text; (p = strstr(p, part)) != NULL; p += strlen(part))
    n++;
  return n;
}

// The address of function `f`; 0: this machine can't run it.
static uint64_t rewrite_code(Rewrite *r) {
  char *message = NULL;
  if (LLVMVerifyModule(r->module, LLVMReturnStatusAction, &message))
    fail_msg("%s", message);
  LLVMDisposeMessage(message);
#if defined(__x86_64__)
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
    return 0;
  llvm_initialise();
  LLVMLinkInMCJIT();
  struct LLVMMCJITCompilerOptions options;
  LLVMInitializeMCJITCompilerOptions(&options, sizeof options);
  options.OptLevel = 2;
  if (LLVMCreateMCJITCompilerForModule(&r->engine, r->module, &options,
                                       sizeof options, &message))
    fail_msg("%s", message);
  return LLVMGetFunctionAddress(r->engine, "f");
#else
  return 0;
#endif
}

#define AVX2 " attributes #0 = { \"target-features\"=\"+avx2,+fma\" }\n"

// ----------------------------------------------------------- masked loads

typedef struct {
  const char *element, *suffix;
  uint32_t bytes, n;
  const char *others; // what absent lanes have
  unsigned n_calls;   // 0: it stays as it is
} Masked;

static const Masked masked[] = {
    {"float", "f32", 4, 8, "zeroinitializer", 1},
    {"float", "f32", 4, 32, "zeroinitializer", 4},
    {"i32", "i32", 4, 32, "poison", 4},
    {"double", "f64", 8, 32, "zeroinitializer", 8},
    {"i64", "i64", 8, 4, "zeroinitializer", 1},
    {"i32", "i32", 4, 16, "splat (i32 7)", 2},
    {"i64", "i64", 8, 32, "splat (i64 -5)", 8},
    {"i32", "i32", 4, 4, "zeroinitializer", 0},
    {"i16", "i16", 2, 32, "zeroinitializer", 0},
};

static const char *masked_function(Arena *arena, const Masked *m) {
  return arena_printf(
      arena,
      "define void @f(ptr %%out, ptr %%in, i%u %%bits) #0 {\n"
      "  %%mask = bitcast i%u %%bits to <%u x i1>\n"
      "  %%v = call <%u x %s> @llvm.masked.load.v%u%s.p0(ptr align %u %%in, "
      "<%u x i1> %%mask, <%u x %s> %s)\n"
      "  store <%u x %s> %%v, ptr %%out, align 1\n"
      "  ret void\n}\n" AVX2,
      m->n, m->n, m->n, m->n, m->element, m->n, m->suffix, m->bytes, m->n, m->n,
      m->element, m->others, m->n, m->element);
}

static int64_t other_value(const Masked *m) {
  return strstr(m->others, "7)") ? 7 : strstr(m->others, "-5)") ? -5 : 0;
}

// The last lane that is there ends at memory that can't be read.
static void masked_run(const Masked *m, uint64_t code, unsigned char *end,
                       uint32_t bits) {
  unsigned char out[32 * 8];
  uint32_t all = m->n == 32 ? UINT32_MAX : (1u << m->n) - 1;
  bits &= all;
  uint32_t n_there = bits ? 32 - (uint32_t)__builtin_clz(bits) : 0;
  unsigned char *in = end - (size_t)n_there * m->bytes;
  for (uint32_t i = 0; i < n_there * m->bytes; i++)
    in[i] = (unsigned char)(i * 37 + 11);
  void (*run)(void *, const void *, uint32_t);
  memcpy(&run, &code, sizeof run);
  run(out, in, bits);
  for (uint32_t i = 0; i < m->n; i++) {
    int64_t absent = other_value(m);
    bool is_there = bits >> i & 1;
    if (!is_there && strcmp(m->others, "poison") == 0)
      continue;
    const void *wanted = is_there ? (const void *)(in + i * m->bytes) : &absent;
    assert_memory_equal(out + i * m->bytes, wanted, m->bytes);
  }
}

static void masked_loads_are_instructions(void **state) {
  (void)state;
  Arena *arena = arena_new();
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  unsigned char *memory = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_true(memory != MAP_FAILED);
  assert_int_equal(mprotect(memory + page, page, PROT_NONE), 0);
  for (size_t i = 0; i < sizeof masked / sizeof *masked; i++) {
    const Masked *m = &masked[i];
    Rewrite r = rewrite_parse(arena, masked_function(arena, m));
    llvm_name_masked_loads(arena, r.module, &avx2);
    const char *text = rewrite_text(&r);
    const char *call = m->bytes == 8 ? "@llvm.x86.avx2.maskload.q.256(ptr %"
                                     : "@llvm.x86.avx2.maskload.d.256(ptr %";
    assert_int_equal(count_of(text, call), m->n_calls);
    assert_int_equal(count_of(text, "call <"), m->n_calls ? m->n_calls : 1);
    uint64_t code = m->n_calls ? rewrite_code(&r) : 0;
    uint32_t bits = 0; // all are absent, then all are there
    for (int k = 0; code && k < 100; k++) {
      masked_run(m, code, memory + page, k == 1 ? UINT32_MAX : bits);
      bits = bits * 1664525u + 1013904223u;
    }
    rewrite_free(&r);
  }
  munmap(memory, 2 * page);
  arena_free(arena);
}

static void masked_loads_stay_elsewhere(void **state) {
  (void)state;
  Arena *arena = arena_new();
  const LlvmTarget *targets[] = {&avx512, &other};
  for (int i = 0; i < 2; i++) {
    Rewrite r = rewrite_parse(arena, masked_function(arena, &masked[1]));
    llvm_name_masked_loads(arena, r.module, targets[i]);
    assert_int_equal(count_of(rewrite_text(&r), "maskload"), 0);
    rewrite_free(&r);
  }
  arena_free(arena);
}

// ------------------------------------------------------- masks cut short

typedef struct {
  uint32_t n_from, n;
  const char *picks;
  uint64_t kept; // 0: it stays as it is
} Cut;

static const Cut cuts[] = {
    {32, 32, "8 of its own", 0xff},   {32, 32, "16 of its own", 0xffff},
    {8, 32, "8 of its own", 0xff},    {32, 32, "4 of its own", 0xf},
    {32, 16, "12 of its own", 0xfff}, {32, 32, "8 of its own, moved", 0},
};

static const char *cut_function(Arena *arena, const Cut *cut) {
  Text picks = {.arena = arena};
  uint32_t n_own = (uint32_t)strtoul(cut->picks, NULL, 10);
  uint32_t moved = strstr(cut->picks, "moved") ? 1 : 0;
  for (uint32_t i = 0; i < cut->n; i++)
    text_printf(&picks, "%si32 %u", i ? ", " : "",
                i < n_own ? i + moved : cut->n_from + i % cut->n_from);
  return arena_printf(
      arena,
      "define i%u @f(i%u %%bits) {\n"
      "  %%m = bitcast i%u %%bits to <%u x i1>\n"
      "  %%c = shufflevector <%u x i1> %%m, <%u x i1> zeroinitializer, "
      "<%u x i32> <%s>\n"
      "  %%r = bitcast <%u x i1> %%c to i%u\n"
      "  ret i%u %%r\n}\n",
      cut->n, cut->n_from, cut->n_from, cut->n_from, cut->n_from, cut->n_from,
      cut->n, text_cstr(&picks), cut->n, cut->n, cut->n);
}

static void cut_masks_are_integers(void **state) {
  (void)state;
  Arena *arena = arena_new();
  for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
    Rewrite r = rewrite_parse(arena, cut_function(arena, &cuts[i]));
    llvm_cut_masks(arena, r.module, &avx2);
    assert_int_equal(count_of(rewrite_text(&r), "shufflevector"), 1);
    llvm_cut_masks(arena, r.module, &avx512);
    bool is_cut = cuts[i].kept != 0;
    assert_int_equal(count_of(rewrite_text(&r), "shufflevector"), !is_cut);
    uint64_t code = is_cut ? rewrite_code(&r) : 0;
    uint32_t (*run)(uint32_t);
    memcpy(&run, &code, sizeof run);
    for (uint32_t bits = 1; code && bits; bits *= 2)
      assert_int_equal(run(~bits) & (uint32_t)(UINT64_MAX >> (64 - cuts[i].n)),
                       ~bits & cuts[i].kept);
    rewrite_free(&r);
  }
  arena_free(arena);
}

// -------------------------------------------------------- loops in parts

enum { LANES = 32, MOST_SUMS = 6, DEPTH = 50 };

// sum[i] = fma(a[i][k], b[k], sum[i]); k from 0 up. It begins with 1.5, or with
// what is there. What leaves the loop is
// used by a phi behind it.
static const char *sums_function(Arena *arena, uint32_t rows, bool loads) {
  Text t = {.arena = arena};
  const char *starts[MOST_SUMS];
  for (uint32_t i = 0; i < rows; i++)
    starts[i] = loads ? arena_printf(arena, "%%l%u", i) : "splat (float 1.5)";
  text_add(&t, "define void @f(ptr %out, ptr %a, ptr %b, i64 %n) #0 {\n"
               "entry:\n  %none = icmp eq i64 %n, 0\n");
  for (uint32_t i = 0; i < rows; i++)
    text_printf(&t,
                "  %%g%u = getelementptr [32 x float], ptr %%out, i64 %u\n"
                "  %%l%u = load <32 x float>, ptr %%g%u, align 4\n",
                i, i, i, i);
  text_add(&t, "  br i1 %none, label %end, label %loop\nloop:\n"
               "  %k = phi i64 [ 0, %entry ], [ %next, %loop ]\n");
  for (uint32_t i = 0; i < rows; i++)
    text_printf(&t,
                "  %%s%u = phi <32 x float> [ %s, %%entry ], "
                "[ %%t%u, %%loop ]\n",
                i, starts[i], i);
  text_add(&t, "  %bp = getelementptr [32 x float], ptr %b, i64 %k\n"
               "  %bv = load <32 x float>, ptr %bp, align 4\n");
  for (uint32_t i = 0; i < rows; i++)
    text_printf(
        &t,
        "  %%i%u = add i64 %%k, %u\n"
        "  %%p%u = getelementptr float, ptr %%a, i64 %%i%u\n"
        "  %%x%u = load float, ptr %%p%u, align 4\n"
        "  %%y%u = insertelement <32 x float> poison, float %%x%u, i64 0\n"
        "  %%z%u = shufflevector <32 x float> %%y%u, <32 x float> poison, "
        "<32 x i32> zeroinitializer\n"
        "  %%t%u = call <32 x float> @llvm.fma.v32f32(<32 x float> %%z%u, "
        "<32 x float> %%bv, <32 x float> %%s%u)\n",
        i, i * DEPTH, i, i, i, i, i, i, i, i, i, i, i);
  text_add(&t, "  %next = add i64 %k, 1\n  %more = icmp ult i64 %next, %n\n"
               "  br i1 %more, label %loop, label %end\nend:\n");
  for (uint32_t i = 0; i < rows; i++)
    text_printf(&t,
                "  %%e%u = phi <32 x float> [ %s, %%entry ], "
                "[ %%t%u, %%loop ]\n",
                i, starts[i], i);
  for (uint32_t i = 0; i < rows; i++)
    text_printf(&t,
                "  %%o%u = getelementptr [32 x float], ptr %%out, i64 %u\n"
                "  store <32 x float> %%e%u, ptr %%o%u, align 4\n",
                i, i, i, i);
  text_add(&t, "  ret void\n}\n" AVX2);
  return text_cstr(&t);
}

static void sums_run(uint64_t code, uint32_t rows, uint64_t n) {
  static float a[MOST_SUMS][DEPTH], b[DEPTH][LANES], out[MOST_SUMS][LANES];
  for (uint32_t k = 0; k < DEPTH; k++) {
    for (uint32_t i = 0; i < rows; i++)
      a[i][k] = (float)(i * 31 + k * 7 % 13) / 3 - 4;
    for (uint32_t j = 0; j < LANES; j++)
      b[k][j] = (float)(j * 5 % 17 + k) / 7 - 2;
  }
  void (*run)(void *, const void *, const void *, uint64_t);
  memcpy(&run, &code, sizeof run);
  for (uint32_t i = 0; i < MOST_SUMS * LANES; i++)
    out[i / LANES][i % LANES] = 1.5f;
  run(out, a, b, n);
  for (uint32_t i = 0; i < rows; i++)
    for (uint32_t j = 0; j < LANES; j++) {
      float sum = 1.5f;
      for (uint64_t k = 0; k < n; k++)
        sum = fmaf(a[i][k], b[k][j], sum);
      assert_memory_equal(&sum, &out[i][j], sizeof sum);
    }
}

// How often the loop adds up a part of a row on that target.
static unsigned sums_parts(uint32_t rows, const LlvmTarget *target,
                           const char *part) {
  Arena *arena = arena_new();
  Rewrite r = rewrite_parse(arena, sums_function(arena, rows, false));
  llvm_loop_parts(arena, r.module, target);
  const char *text = rewrite_text(&r);
  unsigned n_parts = count_of(text, part);
  unsigned n_whole = count_of(text, "call <32 x float> @llvm.fma");
  assert_int_equal(n_whole, n_parts ? 0 : rows);
  uint64_t code = rewrite_code(&r);
  for (uint64_t n = 0; code && n <= DEPTH; n += n < 3 ? 1 : 47)
    sums_run(code, rows, n);
  rewrite_free(&r);
  arena_free(arena);
  return n_parts;
}

static void loops_short_of_registers_are_cut(void **state) {
  (void)state;
  const char *half = "call <8 x float> @llvm.fma", *whole = "call <16 x float>";
  assert_int_equal(sums_parts(3, &avx2, half), 12); // 17 registers, 16 by parts
  assert_int_equal(sums_parts(2, &avx2, half), 0);  // 13
  assert_int_equal(sums_parts(6, &avx2, half), 0);  // 29, 31 by parts
  assert_int_equal(sums_parts(6, &avx512, whole), 0);
}

// Of rows that begin in memory: one line for each 64 bytes of them.
static void next_sums_are_asked_for(void **state) {
  (void)state;
  Arena *arena = arena_new();
  for (int k = 0; k < 6; k++) {
    uint32_t rows = k < 4 ? (uint32_t)k + 1 : 3;
    Rewrite r = rewrite_parse(arena, sums_function(arena, rows, k < 5));
    llvm_sums_ahead(r.module);
    if (k == 4)
      llvm_loop_parts(arena, r.module, &avx2);
    unsigned n = count_of(rewrite_text(&r), "call void @llvm.prefetch");
    assert_int_equal(n, k == 0 || k == 5 ? 0 : 2 * rows);
    uint64_t code = rewrite_code(&r);
    for (uint64_t depth = 0; code && depth <= DEPTH; depth += 25)
      sums_run(code, rows, depth);
    rewrite_free(&r);
  }
  arena_free(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(masked_loads_are_instructions),
      cmocka_unit_test(masked_loads_stay_elsewhere),
      cmocka_unit_test(cut_masks_are_integers),
      cmocka_unit_test(loops_short_of_registers_are_cut),
      cmocka_unit_test(next_sums_are_asked_for),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
