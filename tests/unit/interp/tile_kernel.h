// SPDX-License-Identifier: Apache-2.0
// Runs a kernel of IR text with tiles: one thread a block.
#ifndef HD_TESTS_UNIT_INTERP_TILE_KERNEL_H
#define HD_TESTS_UNIT_INTERP_TILE_KERNEL_H

#include "../ir/ir_text.h"
#include "interp/interp.h"
#include "interp/observe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// cmocka wants the ones above first.
#include <cmocka.h>

enum { MOST_ARRAYS = 6, MOST_RANK = 5, SEEDS = 5 };

// An array parameter, dense; `bytes` of data.
typedef struct {
  const char *name, *type;
  void *data;
  uint32_t element_bytes;
  uint32_t rank;
  uint32_t extents[MOST_RANK];
} TileArray;

// The body has %0 = 0 (i32), %1 = 0 (i64), %2 = block index 0 (i32).
typedef struct {
  const char *types; // rows of structs and tiles
  const char *vars;
  const char *body;
  TileArray arrays[MOST_ARRAYS];
  int n_arrays;
  int n_blocks; // 0: 1
  uint64_t max_steps, seed;
  const InterpObserver *observer;
} TileKernel;

typedef struct {
  Arena *arena;
  HdStatus status;
  const char *why;
  Text printed;
  uint64_t n_steps;
} TileRun;

static inline uint64_t array_count(const TileArray *array) {
  uint64_t count = 1;
  for (uint32_t i = 0; i < array->rank; i++)
    count *= array->extents[i];
  return count;
}

// "[4, 6]"
static inline const char *shape_text(Arena *arena, uint32_t rank,
                                     const uint32_t *extents) {
  Text text = {.arena = arena};
  for (uint32_t i = 0; i < rank; i++)
    text_printf(&text, "%s%u", i ? ", " : "[", extents[i]);
  text_add(&text, "]");
  return text_cstr(&text);
}

// Rows of tile types, no two alike.
typedef struct {
  Arena *arena;
  const char *text; // NULL: none yet
  const char *rows[16];
  int count;
} TypeList;

// "tile.2"
static inline const char *type_of(TypeList *list, const char *element,
                                  uint32_t rank, const uint32_t *extents) {
  const char *row = arena_printf(list->arena, "tile %s%s\n", element,
                                 shape_text(list->arena, rank, extents));
  int at = 0;
  while (at < list->count && strcmp(list->rows[at], row) != 0)
    at++;
  if (at == list->count) {
    assert_true(list->count < 16);
    list->rows[list->count++] = row;
    list->text =
        arena_printf(list->arena, "%s%s", list->text ? list->text : "", row);
  }
  return arena_printf(list->arena, "tile.%d", at);
}

static inline IrModule *tile_module(Arena *arena, const TileKernel *kernel) {
  Text text = {.arena = arena};
  text_printf(&text,
              "heddle-ir 1\nmodule \"m.hd\" %s kernel \"k\" {\n"
              "block 1 1 1 grid 1 _ _ _\n"
              "group #0 grid align 1024 \"grid\"\n"
              "group #1 cluster in #0 align 1024 \"cluster\"\n"
              "group #2 block in #1 size 1 align 1024 \"block\"\n",
              kernel->types);
  for (int i = 0; i < kernel->n_arrays; i++) {
    const TileArray *array = &kernel->arrays[i];
    text_printf(&text,
                "object @%s global %s of %u extents %s align %u bound "
                "%d\n",
                array->name, array->type, array->element_bytes,
                shape_text(arena, array->rank, array->extents),
                array->element_bytes, i);
  }
  text_add(&text, "object @s shared i32 of 4 extents [16] align 4 per #2\n");
  for (int i = 0; i < kernel->n_arrays; i++)
    text_printf(&text, "param \"%s\" array void @%s\n", kernel->arrays[i].name,
                kernel->arrays[i].name);
  text_printf(&text,
              "%s body {\n%%0 = const i32 0 %%1 = const i64 0\n"
              "%%2 = block_index i32 [0]\n%s\n} }\n"
              "locations { !1 \"a.hd\" 3:5 3:9 }",
              kernel->vars ? kernel->vars : "", kernel->body);
  const char *code, *message;
  IrModule *module = parse_ir(arena, text_cstr(&text), &code, &message);
  if (!module)
    fail_msg("%s: %s\n%s", code, message, text_cstr(&text));
  return module;
}

static inline TileRun run_tiles(const TileKernel *kernel) {
  TileRun run = {.arena = arena_new()};
  IrModule *module = tile_module(run.arena, kernel);
  uint64_t args[MOST_ARRAYS * (1 + 2 * MOST_RANK)] = {0}, n_args = 0;
  InterpMemory memory[MOST_ARRAYS] = {{0}};
  for (int i = 0; i < kernel->n_arrays; i++) {
    const TileArray *array = &kernel->arrays[i];
    memory[i].data = array->data;
    memory[i].size_bytes = array_count(array) * array->element_bytes;
    args[n_args++] = (uint64_t)(uintptr_t)array->data;
    for (uint32_t k = 0; k < array->rank; k++)
      args[n_args++] = array->extents[k];
    for (uint32_t k = 0; k < array->rank; k++) {
      args[n_args] = 1;
      for (uint32_t j = k + 1; j < array->rank; j++)
        args[n_args] *= array->extents[j];
      n_args++;
    }
  }
  run.printed = (Text){.arena = run.arena};
  InterpLaunch launch = {
      .args = args,
      .arrays = memory,
      .grid = {kernel->n_blocks ? kernel->n_blocks : 1, 1, 1},
      .max_steps = kernel->max_steps,
      .seed = kernel->seed,
      .n_steps = &run.n_steps,
      .observer = kernel->observer,
      .printed = &run.printed};
  run.status =
      interp_run(run.arena, module->kernels.data[0], &launch, &run.why);
  return run;
}

// Runs without a fault.
static inline void expect_done(const TileKernel *kernel) {
  TileRun run = run_tiles(kernel);
  if (run.status != HD_OK)
    fail_msg("%s\n%s", run.why, kernel->body);
  arena_free(run.arena);
}

static inline void expect_fault(const TileKernel *kernel, HdStatus status,
                                const char *words) {
  TileRun run = run_tiles(kernel);
  assert_int_equal(run.status, status);
  if (!strstr(run.why, words))
    fail_msg("'%s' doesn't say '%s'", run.why, words);
  arena_free(run.arena);
}

static inline void expect_bytes(const char *what, const void *got,
                                const void *want, size_t count, size_t size) {
  for (size_t i = 0; i < count; i++)
    if (memcmp((const char *)got + i * size, (const char *)want + i * size,
               size) != 0) {
      uint64_t a = 0, b = 0;
      memcpy(&a, (const char *)got + i * size, size < 8 ? size : 8);
      memcpy(&b, (const char *)want + i * size, size < 8 ? size : 8);
      fail_msg("%s: element %zu is 0x%llx, not 0x%llx", what, i,
               (unsigned long long)a, (unsigned long long)b);
    }
}

// ------------------------------------------------------------------ random

static inline uint32_t next_random(uint64_t *state) {
  *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
  return (uint32_t)(*state >> 33);
}

// m * 2^k, up to `most`.
static inline uint32_t random_extent(uint64_t *state, uint32_t most) {
  static const uint32_t odd[] = {1, 3, 5, 7, 11, 13, 31};
  for (;;) {
    uint32_t extent = odd[next_random(state) % 7] << next_random(state) % 4;
    if (extent <= most)
      return extent;
  }
}

// Of rank 1 to 5, with at most 2048 elements.
static inline uint32_t random_shape(uint64_t *state, uint32_t *extents) {
  uint32_t rank = 1 + next_random(state) % MOST_RANK, room = 2048;
  for (uint32_t i = 0; i < rank; i++) {
    uint32_t most = rank <= 2 ? 62 : rank == 3 ? 14 : 7;
    extents[i] = random_extent(state, most < room ? most : room);
    room /= extents[i];
  }
  return rank;
}

// Text of the indices of a whole section: "[%0 : 4, %0 : 6]".
static inline const char *whole_text(Arena *arena, uint32_t rank,
                                     const uint32_t *extents) {
  Text text = {.arena = arena};
  for (uint32_t i = 0; i < rank; i++)
    text_printf(&text, "%s%%0 : %u", i ? ", " : "[", extents[i]);
  text_add(&text, "]");
  return text_cstr(&text);
}

// Index along `axis` of element `number` in row-major order.
static inline uint32_t index_of(uint64_t number, uint32_t rank,
                                const uint32_t *extents, uint32_t axis) {
  for (uint32_t i = axis + 1; i < rank; i++)
    number /= extents[i];
  return (uint32_t)(number % extents[axis]);
}

// Number of the element at these indices.
static inline uint64_t number_of(uint32_t rank, const uint32_t *extents,
                                 const uint32_t *at) {
  uint64_t number = 0;
  for (uint32_t i = 0; i < rank; i++)
    number = number * extents[i] + at[i];
  return number;
}

#endif
