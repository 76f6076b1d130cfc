// SPDX-License-Identifier: Apache-2.0
#include "check/run/trial.h"
#include "base/rescue.h"
#include "check/report/report.h"
#include "check/run/trial_fill.h"
#include "check/tree/tree.h"
#include <inttypes.h>
#include <stdlib.h>

enum {
  MOST_BLOCKS = 64,
  MOST_THREADS = 8192,
  POINTER_BYTES = 1 << 18, // what a plain pointer points to
};

// What the checker takes for granted of launches.
static const uint64_t most_bytes = UINT64_C(1) << 32;

static bool trial_refuse(Trial *trial, const char *why) {
  trial->why = why;
  return false;
}

static HostScope trial_scope_of(const Trial *trial) {
  return (HostScope){.kernel = trial->kernel,
                     .slots = trial->slots,
                     .has_value = trial->has_value};
}

bool trial_evaluate(const Trial *trial, const IrHost *host, int64_t *out) {
  HostScope scope = trial_scope_of(trial);
  char buffer[256];
  return host_eval_int(&scope, host, out, buffer) == NULL;
}

bool trial_is_true(const Trial *trial, const IrHost *host) {
  HostScope scope = trial_scope_of(trial);
  HostValue value;
  char buffer[256];
  if (host_eval(&scope, host, &value, buffer))
    return false;
  return value.is_float ? value.real != 0 : value.integer != 0;
}

// ---------------------------------------------------------------- scalars

static bool trial_set_integer(Trial *trial, const IrParam *param,
                              int64_t value) {
  uint32_t bits = ir_type_bits(param->type);
  bool is_small = bits >= 64;
  if (!is_small && param->is_signed)
    is_small = value >= -(INT64_C(1) << (bits - 1)) &&
               value < INT64_C(1) << (bits - 1);
  else if (!is_small)
    is_small = value >= 0 && value < INT64_C(1) << bits;
  trial->slots[param->slot] = (uint64_t)value;
  return is_small || trial_refuse(trial, "a value doesn't fit its type");
}

static bool trial_set_scalar(Trial *trial, uint32_t number) {
  const IrParam *param = &trial->kernel->params.data[number];
  const ConcreteLaunch *given = trial->given;
  trial->has_value[number] = true;
  bool is_int = ir_type_is_int(param->type) ||
                (param->type.kind == IR_TYPE_BOOL && param->type.lanes == 1);
  if (param->kind == PARAM_SCALAR && is_int)
    return trial_set_integer(trial, param, given->scalars[number]);
  double real = given->reals ? given->reals[number] : 1.0;
  fill_value(trial->kernel->module, param->type,
             (char *)&trial->slots[param->slot], 1, real);
  return true;
}

// ----------------------------------------------------------------- arrays

static bool trial_set_shape(Trial *trial, uint32_t number) {
  const IrParam *param = &trial->kernel->params.data[number];
  const IrObject *object = param->object;
  uint64_t *slots = &trial->slots[param->slot];
  int64_t last = 0, stride = 1;
  bool is_empty = false;
  for (uint32_t i = object->rank; i-- > 0;) {
    int64_t extent, part;
    if (!object->extents[i] ||
        !trial_evaluate(trial, object->extents[i], &extent) || extent < 0)
      return trial_refuse(trial, "an extent has no value");
    if (extent > CHECK_MAX_EXTENT)
      return trial_refuse(trial, "an extent is too large");
    if (object->has_strides && object->strides[i] &&
        (!trial_evaluate(trial, object->strides[i], &stride) || stride < 0 ||
         (stride == 0 && !object->is_const)))
      return trial_refuse(trial, "a stride has no value");
    slots[1 + i] = (uint64_t)extent;
    slots[1 + object->rank + i] = (uint64_t)stride;
    is_empty |= extent == 0;
    if (__builtin_mul_overflow(extent > 0 ? extent - 1 : 0, stride, &part) ||
        __builtin_add_overflow(last, part, &last) ||
        __builtin_mul_overflow(stride, extent > 0 ? extent : 1, &stride))
      return trial_refuse(trial, "an array is too large");
  }
  uint64_t bytes;
  if (__builtin_mul_overflow((uint64_t)last + 1, object->element_bytes,
                             &bytes) ||
      bytes > most_bytes)
    return trial_refuse(trial, "an array is too large");
  trial->arrays[number].size_bytes = is_empty ? 0 : bytes;
  trial->n_bytes += bytes;
  slots[0] = UINT64_C(1) << 40; // as aligned as anything will be
  return true;
}

static bool set_params(Trial *trial) {
  const IrKernel *kernel = trial->kernel;
  for (uint32_t i = 0; i < kernel->params.count; i++) {
    const IrParam *param = &kernel->params.data[i];
    if ((param->kind == PARAM_SCALAR || param->kind == PARAM_STRUCT) &&
        !trial_set_scalar(trial, i))
      return false;
  }
  for (uint32_t i = 0; i < kernel->params.count; i++) {
    const IrParam *param = &kernel->params.data[i];
    if (param->kind == PARAM_ARRAY && !trial_set_shape(trial, i))
      return false;
    if (param->kind == PARAM_POINTER) {
      trial->arrays[i].size_bytes = POINTER_BYTES;
      trial->slots[param->slot] = UINT64_C(1) << 40;
    }
    trial->has_value[i] = true;
  }
  return trial->n_bytes <= most_bytes ||
         trial_refuse(trial, "arrays are too large");
}

// Strided arrays that are written must not lie on themselves.
static bool is_overlapping(const Trial *trial, const IrParam *param) {
  const IrObject *object = param->object;
  const uint64_t *slots = &trial->slots[param->slot];
  uint64_t span = 1;
  bool used[IR_MAX_RANK] = {false};
  for (uint32_t n = 0; n < object->rank; n++) {
    uint32_t least = IR_MAX_RANK;
    for (uint32_t i = 0; i < object->rank; i++)
      if (!used[i] &&
          (least == IR_MAX_RANK ||
           slots[1 + object->rank + i] < slots[1 + object->rank + least]))
        least = i;
    if (least == IR_MAX_RANK)
      break;
    used[least] = true;
    uint64_t extent = slots[1 + least],
             stride = slots[1 + object->rank + least];
    if (extent > 1 && stride < span)
      return true;
    if (extent > 1)
      span += (extent - 1) * stride;
  }
  return false;
}

// ------------------------------------------------------------------- grid

// Note [Some of the blocks]
// Blocks run in any order, so a launch that has got no further than a few of
// them is one that happens, and what is wrong in it is wrong. Only that a block
// waits for another, which doesn't run, means nothing (concrete.c).
static void trial_add_block(Trial *trial, const int32_t at[3]) {
  const int32_t *grid = trial->grid;
  int64_t linear = ((int64_t)at[2] * grid[1] + at[1]) * grid[0] + at[0];
  uint32_t n = 0;
  while (n < trial->n_blocks && trial->blocks[n] < linear)
    n++;
  if (n < trial->n_blocks && trial->blocks[n] == linear)
    return;
  for (uint32_t i = trial->n_blocks++; i > n; i--)
    trial->blocks[i] = trial->blocks[i - 1];
  trial->blocks[n] = linear;
}

static bool is_in_grid(const Trial *trial, const int32_t at[3]) {
  for (int i = 0; i < 3; i++)
    if (at[i] < 0 || at[i] >= trial->grid[i])
      return false;
  return true;
}

static void choose_blocks(Trial *trial) {
  const ConcreteLaunch *given = trial->given;
  static const int32_t first[4][3] = {
      {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  trial->n_blocks = 0;
  for (int i = 0; i < 2 && given->has_pair; i++)
    if (is_in_grid(trial, given->pair[i]))
      trial_add_block(trial, given->pair[i]);
  for (int i = 0; i < 4 && !given->has_pair; i++)
    if (is_in_grid(trial, first[i]))
      trial_add_block(trial, first[i]);
}

// A grid that the kernel states in numbers has no smaller one.
static bool has_constant_grid(const IrKernel *kernel) {
  for (int i = 0; i < kernel->n_grid; i++)
    if (kernel->grid[i] && kernel->grid[i]->op != HOST_CONST)
      return false;
  return kernel->n_grid > 0;
}

static bool find_meeting(IrNode *node, void *context) {
  bool *has_meeting = context;
  *has_meeting |=
      (ir_op_info(node)->flags & (OPF_COLLECTIVE | OPF_BLOCKS)) != 0 ||
      ir_is_async_copy(node);
  return !*has_meeting;
}

// Threads that never wait for each other run in any order, too: those that
// aren't asked for come later.
static void choose_threads(Trial *trial) {
  bool has_meeting = false;
  if (trial->given->n_threads == 0)
    return;
  (void)ir_walk((IrRegion *)(uintptr_t)&trial->kernel->body, find_meeting,
                &has_meeting);
  if (!has_meeting)
    trial->n_threads = trial->given->n_threads;
}

// Clusters, whose blocks wait for each other, run whole.
static bool take_some(Trial *trial) {
  const int32_t *cluster = trial->cluster;
  bool may_be_part =
      cluster[0] * cluster[1] * cluster[2] == 1 &&
      (trial->given->has_pair || has_constant_grid(trial->kernel));
  if (may_be_part)
    choose_blocks(trial);
  return trial->n_blocks > 0 || trial_refuse(trial, "the grid is too large");
}

static bool set_grid(Trial *trial) {
  const IrKernel *kernel = trial->kernel;
  int64_t total = 1;
  for (int i = 0; i < 3; i++) {
    int64_t blocks = kernel->n_grid == 0 ? trial->given->grid[i] : 1;
    if (i < kernel->n_grid && kernel->grid[i] &&
        !trial_evaluate(trial, kernel->grid[i], &blocks))
      return trial_refuse(trial, "the grid has no value");
    if (blocks < 1)
      return trial_refuse(trial, "the grid is empty");
    if (blocks > INT32_MAX || __builtin_mul_overflow(total, blocks, &total))
      return trial_refuse(trial, "the grid is too large");
    trial->grid[i] = (int32_t)blocks;
    int32_t cluster = kernel->cluster_dim[0] > 0 ? kernel->cluster_dim[i]
                                                 : trial->given->cluster[i];
    trial->cluster[i] = cluster > 0 ? cluster : 1;
    if (blocks % trial->cluster[i] != 0)
      return trial_refuse(trial, "the cluster doesn't divide the grid");
  }
  const int32_t *dim = kernel->block_dim;
  bool is_large =
      total > MOST_BLOCKS || total * dim[0] * dim[1] * dim[2] > MOST_THREADS;
  choose_threads(trial);
  if (trial->given->has_pair && trial->given->only_pair &&
      trial->cluster[0] * trial->cluster[1] * trial->cluster[2] == 1)
    choose_blocks(trial);
  return !is_large || trial->n_blocks > 0 || take_some(trial);
}

static bool trial_holds(Trial *trial) {
  const IrKernel *kernel = trial->kernel;
  for (uint32_t i = 0; i < kernel->requirements.count; i++) {
    const IrRequire *require = &kernel->requirements.data[i];
    if (require->kind == REQUIRE_CONTENTS || !require->condition)
      continue;
    if (!trial_is_true(trial, require->condition))
      return trial_refuse(trial,
                          arena_printf(trial->arena, "requires %s",
                                       require->text ? require->text : ""));
  }
  for (uint32_t i = 0; i < kernel->params.count; i++) {
    const IrParam *param = &kernel->params.data[i];
    if (param->kind == PARAM_ARRAY && !param->object->is_const &&
        param->object->has_strides && is_overlapping(trial, param))
      return trial_refuse(trial, "elements of an array overlap");
  }
  return true;
}

void trial_end(Trial *trial) {
  rescue_paid(trial);
  for (uint32_t i = 0; i < trial->kernel->params.count; i++)
    free(trial->large[i]);
}

bool trial_shape(Trial *trial, Arena *arena, const IrKernel *kernel,
                 const ConcreteLaunch *given) {
  *trial = (Trial){.arena = arena, .kernel = kernel, .given = given};
  trial->slots = ARENA_ARRAY(arena, uint64_t, kernel->n_slots + 1);
  trial->has_value = ARENA_ARRAY(arena, bool, kernel->params.count + 1);
  trial->arrays = ARENA_ARRAY(arena, InterpMemory, kernel->params.count + 1);
  trial->large = ARENA_ARRAY(arena, void *, kernel->params.count + 1);
  return set_params(trial) && set_grid(trial) && trial_holds(trial);
}
