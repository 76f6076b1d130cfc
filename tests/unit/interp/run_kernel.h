// SPDX-License-Identifier: Apache-2.0
// Runs a kernel of IR text, in order and in random orders.
#ifndef HD_TESTS_UNIT_INTERP_RUN_KERNEL_H
#define HD_TESTS_UNIT_INTERP_RUN_KERNEL_H

#include "../ir/ir_text.h"
#include "interp/interp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
// cmocka wants the ones above first.
#include <cmocka.h>

enum { N = 256, SEEDS = 20 };

typedef struct {
  Arena *arena;
  int32_t out[N];
  float in[N];
  HdStatus status;
  const char *why;
} Run;

typedef struct {
  int threads, blocks, cluster;
  const char *rows, *body;
} Kernel;

// `int out[256]`, `const float in[256]`, shared int s[64] and float f[64],
// mbarriers full[4] and empty[4] of one arrival. Variables $x $y $z $i int,
// $a $b $c float, $t token.
static inline IrModule *parse(Arena *arena, const Kernel *kernel) {
  const char *cluster =
      kernel->cluster
          ? arena_printf(arena, "  cluster %d 1 1\n", kernel->cluster)
          : "";
  const char *text = arena_printf(
      arena,
      "heddle-ir 1\nmodule \"m.hd\"\n"
      "kernel \"k\" {\n  block %d 1 1\n  grid 1 %d _ _\n%s"
      "  group #0 grid align 1024 \"grid\"\n"
      "  group #1 cluster in #0 align 1024 \"cluster\"\n"
      "  group #2 block in #1 size %d align 1024 \"block\"\n"
      "  group #3 warp in #2 align 32 \"warp\"\n%s"
      "  object @out global i32 of 4 extents [256] align 4 bound 0\n"
      "  object @in global f32 of 4 extents [256] align 4 const bound 1\n"
      "  object @s shared i32 of 4 extents [64] align 16 address_taken per "
      "#2\n"
      "  object @f shared f32 of 4 extents [64] align 16 address_taken per "
      "#2\n"
      "  object @full mbarrier shared i32 of 8 extents [4] align 8 per #2 "
      "arrivals 1\n"
      "  object @empty mbarrier shared i32 of 8 extents [4] align 8 per #2 "
      "arrivals 1\n"
      "  object @three mbarrier shared i32 of 8 extents [1] align 8 per #2 "
      "arrivals 3\n"
      "  param \"out\" array i32 signed @out\n"
      "  param \"in\" array f32 @in\n"
      "  var $x i32\n  var $y i32\n  var $z i32\n  var $i i32\n"
      "  var $a f32\n  var $b f32\n  var $c f32\n  var $t token\n"
      "  body {\n"
      "    %%0 = const i32 0\n    %%1 = const i32 1\n    %%2 = rank i32 #2\n"
      "    %%3 = load f32 @in[%%2] align 4\n    %%4 = const i32 4\n"
      "    %%5 = const i32 16\n    %%6 = and i32 %%2, %%1\n"
      "    %%7 = ne bool %%6, %%0\n    %%8 = const i64 0\n"
      "%s  }\n}\n"
      "locations {\n  !1 \"a.hd\" 10:1 10:9\n  !2 \"a.hd\" 20:1 20:9\n"
      "  !3 \"a.hd\" 30:1 30:9\n}\n",
      kernel->threads, kernel->blocks, cluster, kernel->threads, kernel->rows,
      kernel->body);
  const char *code, *message;
  IrModule *module = parse_ir(arena, text, &code, &message);
  if (!module)
    fail_msg("%s: %s\n%s", code, message, text);
  return module;
}

static inline void run_seed(Run *run, const Kernel *kernel, uint64_t seed) {
  Arena *arena = run->arena = arena_new();
  IrModule *module = parse(arena, kernel);
  memset(run->out, 0, sizeof run->out);
  for (int i = 0; i < N; i++)
    run->in[i] = (float)(1.0 / (i + 1) * (i % 3 ? 1 : -1));
  uint64_t args[6] = {(uint64_t)(uintptr_t)run->out, N, 1,
                      (uint64_t)(uintptr_t)run->in,  N, 1};
  InterpMemory arrays[2] = {{run->out, sizeof run->out},
                            {run->in, sizeof run->in}};
  InterpLaunch launch = {.args = args,
                         .arrays = arrays,
                         .grid = {kernel->blocks, 1, 1},
                         .max_steps = 10000000,
                         .seed = seed};
  run->status = interp_run(arena, module->kernels.data[0], &launch, &run->why);
}

// In order and in random orders: the same result.
static inline void expect(const Kernel *kernel, int count,
                          const int32_t *want) {
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    Run run;
    run_seed(&run, kernel, seed);
    if (run.status != HD_OK)
      fail_msg("seed %d: %s", (int)seed, run.why);
    for (int i = 0; i < count; i++)
      if (run.out[i] != want[i])
        fail_msg("seed %d: out[%d] is %d, not %d", (int)seed, i, run.out[i],
                 want[i]);
    arena_free(run.arena);
  }
}

static inline void expect_failure(const Kernel *kernel, HdStatus status,
                                  const char *const *words) {
  Run run;
  run_seed(&run, kernel, 0);
  if (run.status != status)
    fail_msg("status %d, not %d: %s", (int)run.status, (int)status,
             run.why ? run.why : "");
  for (; *words; words++)
    if (!strstr(run.why, *words))
      fail_msg("'%s' doesn't say '%s'", run.why, *words);
  arena_free(run.arena);
}

static inline int32_t bits_of(float value) {
  int32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static inline float input(int i) {
  return (float)(1.0 / (i + 1) * (i % 3 ? 1 : -1));
}

// Text of a store of %90, or of a value, into the thread's element of @out.
#define STORE_FLOAT(value)                                                     \
  "    %90 = bitcast i32 " value "\n"                                          \
  "    store @out[%2] : i32 align 4 = %90\n"

#define OUT(value) "    store @out[%2] : i32 align 4 = " value "\n"

#endif
