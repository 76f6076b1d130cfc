// SPDX-License-Identifier: Apache-2.0
// Each node to the function for it.
#include "check/tree/walk.h"

#include "base/panic.h"

#include "check/solve/solve_parts.h"

static const Value *walk_constant(Walk *w, const IrNode *node) {
  uint64_t bits = node->u.constant.bits;
  if (node->type.kind == IR_TYPE_BOOL && node->type.lanes <= 1)
    return value_bool(w, bits & 1 ? term_true(w->terms) : term_false(w->terms));
  if (node->type.kind == IR_TYPE_PTR && node->type.lanes <= 1 && bits == 0)
    return value_null(w);
  if (!ir_type_is_int(node->type))
    return NULL;
  uint32_t width = ir_type_bits(node->type);
  uint64_t mask = width < 64 ? ((uint64_t)1 << width) - 1 : UINT64_MAX;
  uint64_t sign = (uint64_t)1 << (width - 1);
  int64_t number = (int64_t)(((bits & mask) ^ sign) - sign);
  return value_int(w, width, term_int(w->terms, number), true, number >= 0);
}

static const Value *walk_param_value(Walk *w, const IrNode *node) {
  uint32_t number = node->u.index.number;
  const IrParam *param = &w->kernel->params.data[number];
  bool is_bool = node->type.kind == IR_TYPE_BOOL && node->type.lanes <= 1;
  if (!is_bool && !ir_type_is_int(node->type))
    return NULL;
  const Symbol *symbol =
      param_symbol(w, number, 0, node->type, param->is_signed);
  const Term *term = term_of(w->terms, symbol);
  if (is_bool)
    return value_bool(w, symbol_holds(w, symbol));
  return value_int(w, ir_type_bits(node->type), term, param->is_signed,
                   !param->is_signed);
}

static const Value *launch_number(Walk *w, const IrNode *node,
                                  const Term *term) {
  if (!term)
    return NULL;
  int64_t low, high;
  term_interval(w->terms, term, &low, &high);
  return value_int(w, ir_type_bits(node->type), term, true, low >= 0);
}

static const Value *walk_extent(Walk *w, const IrNode *node) {
  return launch_number(
      w, node,
      tree_extent(w->tree, node->u.index.object, (int)node->u.index.number));
}

// Of dense arrays the elements of all inner dimensions.
static const Value *stride(Walk *w, const IrNode *node) {
  const IrObject *object = node->u.index.object;
  uint32_t k = node->u.index.number;
  const Term *term = NULL;
  if (object->has_strides)
    term = host_term(w, object->strides[k]);
  else
    term = walk_dense_stride(w, object, k);
  return launch_number(w, node, term);
}

// Threads are numbered with x fastest.
static const Value *walk_thread_index(Walk *w, const IrNode *node) {
  TermTable *t = w->terms;
  const Term *at = term_of(t, w->tree->thread);
  uint32_t k = node->u.index.number;
  for (uint32_t i = 0; i < k; i++)
    at = term_div(t, at, term_int(t, w->kernel->block_dim[i]));
  at = term_mod(t, at, term_int(t, w->kernel->block_dim[k]));
  return value_int(w, 32, at, true, true);
}

static const Value *walk_block_index(Walk *w, const IrNode *node) {
  const Symbol *symbol = w->tree->block[node->u.index.number];
  const Term *term =
      symbol->high == 0 ? term_int(w->terms, 0) : term_of(w->terms, symbol);
  return value_int(w, 32, term, true, true);
}

// ------------------------------------------------------------------- parts

static const Value *param_leaf(Walk *w, const IrNode *node, uint32_t param) {
  bool is_bool = node->type.kind == IR_TYPE_BOOL && node->type.lanes <= 1;
  if (!is_bool && !ir_type_is_int(node->type))
    return NULL;
  bool is_signed = w->hints[node->id] != HINT_UNSIGNED;
  const Symbol *symbol =
      param_symbol(w, param, node->u.index.number + 1, node->type, is_signed);
  if (is_bool)
    return value_bool(w, symbol_holds(w, symbol));
  is_signed = symbol->low < 0; // as its first use made it
  return value_int(w, ir_type_bits(node->type), term_of(w->terms, symbol),
                   is_signed, !is_signed);
}

static const Value *walk_extract(Walk *w, const IrNode *node) {
  const IrNode *from = node->args[0];
  uint32_t k = node->u.index.number;
  if (from->op == IR_PARAM)
    return param_leaf(w, node, from->u.index.number);
  const Value *whole = walk_arg(w, node, 0);
  if (whole->kind == VALUE_PARTS && k < whole->n_parts)
    return whole->parts[k];
  return NULL;
}

static const Value *check_walk_part(Walk *w, const IrNode *node, uint32_t k) {
  const Value *value = walk_arg(w, node, k);
  return value->kind == VALUE_LOST ? value_new(w, VALUE_OPAQUE) : value;
}

static const Value *walk_pack(Walk *w, const IrNode *node) {
  Value *value = value_new(w, VALUE_PARTS);
  const Value **parts = ARENA_ARRAY(w->arena, const Value *, node->n_args);
  for (uint32_t i = 0; i < node->n_args; i++)
    parts[i] = check_walk_part(w, node, i);
  value->n_parts = node->n_args;
  value->parts = parts;
  return value;
}

static const Value *walk_insert(Walk *w, const IrNode *node) {
  const Value *whole = walk_arg(w, node, 0);
  uint32_t k = node->u.index.number;
  if (whole->kind != VALUE_PARTS || k >= whole->n_parts)
    return NULL;
  Value *value = value_new(w, VALUE_PARTS);
  const Value **parts =
      arena_copy(w->arena, whole->parts, whole->n_parts * sizeof *whole->parts);
  parts[k] = check_walk_part(w, node, 1);
  value->n_parts = whole->n_parts;
  value->parts = parts;
  return value;
}

// ------------------------------------------------------------------ claims

// Of IR_INSIDE; NULL: a number isn't known.
static const Term *walk_is_among(Walk *w, const IrNode *node) {
  TermTable *t = w->terms;
  const Term *first = arg_signed(w, node, 0), *count = arg_signed(w, node, 1);
  const Term *extent = arg_signed(w, node, 2), *zero = term_int(t, 0);
  if (!first || !count || !extent)
    return NULL;
  return term_and(t,
                  term_and(t, term_le(t, zero, first), term_le(t, zero, count)),
                  term_le(t, term_add(t, first, count), extent));
}

void walk_assert(Walk *w, const IrNode *node) {
  const Term *condition = term_false(w->terms); // IR_TRAP
  ObligationKind kind = OBLIGATION_ASSERT;
  if (node->op == IR_INSIDE)
    condition = walk_is_among(w, node);
  else if (node->op != IR_TRAP)
    condition = walk_arg(w, node, 0)->term;
  if (node->op == IR_CHECK_VALUE)
    kind = OBLIGATION_VALUE;
  else if (node->op == IR_INSIDE ||
           (node->op == IR_ASSERT && (node->flags & NODE_INSIDE)))
    kind = OBLIGATION_INSIDE;
  else if (node->op == IR_ASSERT && (node->flags & NODE_OBLIGATION))
    kind = OBLIGATION_OWN;
  (void)walk_oblige(w, node, kind, condition);
  if (condition)
    path_push(w, condition);
}

static void assume(Walk *w, const IrNode *node) {
  const Term *condition = walk_arg(w, node, 0)->term;
  (void)walk_oblige(w, node, OBLIGATION_POSSIBLE, condition);
  if (!w->dry && node->u.text.text && node->u.text.text[0])
    VEC_PUSH(w->arena, &w->tree->trusted, node->u.text.text);
  if (condition)
    path_push(w, condition);
}

static void sets_step(Walk *w, const IrNode *node, StepKind kind,
                      DoneKind done) {
  Step *step = step_new(w, kind, node);
  if (!step)
    return;
  step->u.sets.done = done;
  if (kind == STEP_COPY_WAIT)
    step->u.sets.n_newest = node->u.index.number;
  step->u.sets.reads_only = node->op == IR_TMA_WAIT_READ;
}

// ---------------------------------------------------------------- dispatch

static const Value *walk_value_of(Walk *w, const IrNode *node) {
  switch (ir_value_op(node->op)) {
  case IR_CONST: return walk_constant(w, node);
  case IR_PARAM: return walk_param_value(w, node);
  case IR_EXTENT: return walk_extent(w, node);
  case IR_STRIDE: return stride(w, node);
  case IR_GET: return env_get(w, node);
  case IR_SET: walk_set(w, node, walk_arg(w, node, 0)); return NULL;
  case IR_PACK: return walk_pack(w, node);
  case IR_EXTRACT: return walk_extract(w, node);
  case IR_INSERT: return walk_insert(w, node);
  case IR_SELECT: break;
  }
  return walk_arithmetic(w, node);
}

static const Value *check_walk_convert(Walk *w, const IrNode *node) {
  switch (ir_convert_op(node->op)) {
  case IR_TRUNC:
  case IR_ZEXT:
  case IR_SEXT: return walk_convert(w, node);
  case IR_BITCAST:
    return node->type.kind == IR_TYPE_PTR ? walk_pointer(w, node)
                                          : walk_convert(w, node);
  case IR_STOF:
  case IR_UTOF:
  case IR_FTOS:
  case IR_FTOU:
  case IR_FCAST: break;
  }
  return walk_arithmetic(w, node);
}

static const Value *check_walk_position(Walk *w, const IrNode *node) {
  uint32_t number = node->u.index.number;
  switch (ir_position_op(node->op)) {
  case IR_RANK:
  case IR_SIZE:
  case IR_META_RANK:
  case IR_META_SIZE: return walk_position(w, node);
  case IR_BLOCK_INDEX: return walk_block_index(w, node);
  case IR_THREAD_INDEX: return walk_thread_index(w, node);
  case IR_GRID_DIM: return launch_number(w, node, w->tree->grid[number]);
  case IR_BLOCK_DIM:
    return launch_number(w, node,
                         term_int(w->terms, w->kernel->block_dim[number]));
  case IR_MAKE_GROUP: groups_make(w, node); break;
  }
  return NULL;
}

static const Value *memory(Walk *w, const IrNode *node) {
  switch (ir_memory_op(node->op)) {
  case IR_LOAD:
  case IR_STORE:
  case IR_RMW:
  case IR_CAS:
  case IR_ADDRESS: return walk_access(w, node);
  case IR_PTR_ADD:
  case IR_PTR_DIFF:
  case IR_MAP_SHARED: return walk_pointer(w, node);
  case IR_SHARED_RANK: break;
  }
  return NULL;
}

static void check_walk_copy(Walk *w, const IrNode *node) {
  switch (ir_copy_op(node->op)) {
  case IR_COPY_ASYNC:
  case IR_COPY_BYTES:
  case IR_COPY_BULK:
  case IR_BULK_STORE:
  case IR_TMA_LOAD:
  case IR_TMA_STORE:
  case IR_TMA_REDUCE: walk_copy(w, node); break;
  case IR_COPY_COMMIT: sets_step(w, node, STEP_COMMIT, DONE_SETS); break;
  case IR_TMA_COMMIT: sets_step(w, node, STEP_COMMIT, DONE_TMA_SETS); break;
  case IR_COPY_WAIT: sets_step(w, node, STEP_COPY_WAIT, DONE_SETS); break;
  case IR_TMA_WAIT:
  case IR_TMA_WAIT_READ:
    sets_step(w, node, STEP_COPY_WAIT, DONE_TMA_SETS);
    break;
  case IR_WGMMA_READ: walk_copy(w, node); break;
  case IR_TENSOR_TOUCH: walk_copy(w, node); break;
  case IR_TENSOR_FENCE: // check_tensor.c
  case IR_TENSOR_ALLOC:
  case IR_TENSOR_DEALLOC:
  case IR_WGMMA_FENCE: break; // check_wgmma.c
  case IR_WGMMA_COMMIT: sets_step(w, node, STEP_COMMIT, DONE_MATRIX); break;
  case IR_WGMMA_WAIT: sets_step(w, node, STEP_COPY_WAIT, DONE_MATRIX); break;
  case IR_MEMCPY_ASYNC: walk_row(w, node); break;
  case IR_MEMCPY_WAIT: walk_memcpy_wait(w, node); break;
  }
}

static const Value *check_walk_claim(Walk *w, const IrNode *node) {
  switch (ir_claim_op(node->op)) {
  case IR_UNIFORM: return walk_uniform(w, node);
  case IR_ASSUME: assume(w, node); break;
  case IR_CONSUMES:
  case IR_PRODUCES:
  case IR_PRESERVES:
  case IR_READS: walk_claim(w, node); break;
  }
  return NULL;
}

static const Value *walk_effect(Walk *w, const IrNode *node) {
  switch (ir_effect_op(node->op)) {
  case IR_ASSERT:
  case IR_INSIDE:
  case IR_CHECK_VALUE:
  case IR_TRAP: walk_assert(w, node); break;
  case IR_CHOICE: return walk_choice(w, node);
  case IR_PRINTF:
  case IR_WAS_SET:
  case IR_SET_IF:
  case IR_UNSET:
  case IR_SET_MAX_REGS:
  case IR_CHECK_UNIFORM:
  case IR_CLOCK:
  case IR_GLOBALTIMER:
  case IR_UNKNOWN: break;
  }
  return NULL;
}

static void control(Walk *w, const IrNode *node) {
  switch (ir_control_op(node->op)) {
  case IR_IF: walk_if(w, node); break;
  case IR_LOOP:
  case IR_FOR: walk_loop(w, node); break;
  case IR_BLOCK:
  case IR_CALL: walk_block(w, node); break;
  case IR_EXIT: walk_exit(w, node); break;
  case IR_THREAD_FOR:
    if (node->u.part.is_split)
      walk_split(w, node);
    else
      walk_loop(w, node);
    break;
  case IR_GROUP:
  case IR_WITH: walk_group(w, node); break;
  }
}

static void collective_step(Walk *w, const IrNode *node) {
  Step *step =
      ir_has_mbarriers(w->kernel) ? step_new(w, STEP_COLLECTIVE, node) : NULL;
  if (!step)
    return;
  step->u.meet.group = ir_op_group(w->kernel, node);
  if (node->op == IR_MAKE_GROUP)
    step->u.meet.group = node->u.group.group->parent;
}

static const Value *node_value(Walk *w, const IrNode *node) {
  if (ir_is_collective(node))
    collective_step(w, node);
  switch (ir_family(node)) {
  case FAMILY_VALUE: return walk_value_of(w, node);
  case FAMILY_ARITHMETIC:
  case FAMILY_COMPARE:
  case FAMILY_MATH: return walk_arithmetic(w, node);
  case FAMILY_CONVERT: return check_walk_convert(w, node);
  case FAMILY_POSITION: return check_walk_position(w, node);
  case FAMILY_MEMORY: return memory(w, node);
  case FAMILY_SYNC: return walk_sync(w, node);
  case FAMILY_EXCHANGE: return walk_between_lanes(w, node);
  case FAMILY_REDUCE: return walk_lane_mask(w, node);
  case FAMILY_MBARRIER: return walk_barrier(w, node);
  case FAMILY_COPY: check_walk_copy(w, node); return NULL;
  case FAMILY_CLAIM: return check_walk_claim(w, node);
  case FAMILY_EFFECT: return walk_effect(w, node);
  case FAMILY_CONTROL: control(w, node); return NULL;
  case FAMILY_TILE: return walk_tile(w, node);
  case FAMILY_COUNT: break;
  }
  HD_PANIC("the checker doesn't know '%s'", ir_op_info(node)->text);
}

// What is too large to work with becomes a symbol.
static const Value *bounded(Walk *w, const IrNode *node, const Value *value) {
  if (value && value->term && walk_size(w, value->term) > WALK_MAX_SIZE)
    value = value->kind == VALUE_POINTER ? value_new(w, VALUE_POINTER) : NULL;
  return value ? value : value_fresh(w, node, node->type);
}

void walk_set(Walk *w, const IrNode *node, const Value *value) {
  env_set(w, node->u.variable.var, value);
}

static bool walk_is_over(Walk *w) {
  enum { NODES_A_LOOK = 8 };

  if (!w->is_over && w->n_walked++ % NODES_A_LOOK == 0 &&
      solve_is_over(&w->solver->options)) {
    w->is_over = w->has_given_up = w->tree->is_unfinished = true;
    w->is_cut |= w->dry > 0;
  }
  return w->is_over;
}

void walk_region(Walk *w, const IrRegion *region) {
  for (const IrNode *node = region->first; node && w->is_reachable;
       node = node->next) {
    if (w->dry && --w->budget < 0)
      w->is_cut = true;
    if (w->is_cut || walk_is_over(w))
      return;
    const Value *value = node_value(w, node);
    if (node->type.kind != IR_TYPE_VOID)
      w->values[node->id] = bounded(w, node, value);
  }
}
