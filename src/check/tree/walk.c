// SPDX-License-Identifier: Apache-2.0
// Each node to the function for it.
#include "check/tree/walk.h"

#include "check/solve/solve_parts.h"

static const Value *constant(Walk *w, const IrNode *node) {
  uint64_t bits = node->u.constant.bits;
  if (node->type.kind == IR_TYPE_BOOL && node->type.lanes <= 1)
    return value_bool(w, bits & 1 ? term_true(w->terms) : term_false(w->terms));
  if (!ir_type_is_int(node->type))
    return NULL;
  uint32_t width = ir_type_bits(node->type);
  uint64_t mask = width < 64 ? ((uint64_t)1 << width) - 1 : UINT64_MAX;
  uint64_t sign = (uint64_t)1 << (width - 1);
  int64_t number = (int64_t)(((bits & mask) ^ sign) - sign);
  return value_int(w, width, term_int(w->terms, number), true, number >= 0);
}

static const Value *param_value(Walk *w, const IrNode *node) {
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

static const Value *extent(Walk *w, const IrNode *node) {
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
static const Value *thread_index(Walk *w, const IrNode *node) {
  TermTable *t = w->terms;
  const Term *at = term_of(t, w->tree->thread);
  uint32_t k = node->u.index.number;
  for (uint32_t i = 0; i < k; i++)
    at = term_div(t, at, term_int(t, w->kernel->block_dim[i]));
  at = term_mod(t, at, term_int(t, w->kernel->block_dim[k]));
  return value_int(w, 32, at, true, true);
}

static const Value *block_index(Walk *w, const IrNode *node) {
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

static const Value *extract(Walk *w, const IrNode *node) {
  const IrNode *from = node->args[0];
  uint32_t k = node->u.index.number;
  if (from->op == IR_PARAM)
    return param_leaf(w, node, from->u.index.number);
  const Value *whole = walk_arg(w, node, 0);
  if (whole->kind == VALUE_PARTS && k < whole->n_parts)
    return whole->parts[k];
  return NULL;
}

static const Value *part(Walk *w, const IrNode *node, uint32_t k) {
  const Value *value = walk_arg(w, node, k);
  return value->kind == VALUE_LOST ? value_new(w, VALUE_OPAQUE) : value;
}

static const Value *pack(Walk *w, const IrNode *node) {
  Value *value = value_new(w, VALUE_PARTS);
  const Value **parts = ARENA_ARRAY(w->arena, const Value *, node->n_args);
  for (uint32_t i = 0; i < node->n_args; i++)
    parts[i] = part(w, node, i);
  value->n_parts = node->n_args;
  value->parts = parts;
  return value;
}

static const Value *insert(Walk *w, const IrNode *node) {
  const Value *whole = walk_arg(w, node, 0);
  uint32_t k = node->u.index.number;
  if (whole->kind != VALUE_PARTS || k >= whole->n_parts)
    return NULL;
  Value *value = value_new(w, VALUE_PARTS);
  const Value **parts =
      arena_copy(w->arena, whole->parts, whole->n_parts * sizeof *whole->parts);
  parts[k] = part(w, node, 1);
  value->n_parts = whole->n_parts;
  value->parts = parts;
  return value;
}

// ------------------------------------------------------------------ claims

static void walk_text(Walk *w, const IrNode *node) {
  const Term *condition = NULL;
  switch ((int)node->op) {
  case IR_ASSERT: {
    condition = walk_arg(w, node, 0)->term;
    (void)walk_oblige(w, node,
                      node->flags & NODE_INSIDE       ? OBLIGATION_INSIDE
                      : node->flags & NODE_OBLIGATION ? OBLIGATION_OWN
                                                      : OBLIGATION_ASSERT,
                      condition);
    break;
  }
  case IR_CHECK_VALUE:
    condition = walk_arg(w, node, 0)->term;
    (void)walk_oblige(w, node, OBLIGATION_VALUE, condition);
    break;
  case IR_ASSUME:
    condition = walk_arg(w, node, 0)->term;
    (void)walk_oblige(w, node, OBLIGATION_POSSIBLE, condition);
    if (!w->dry && node->u.text.text)
      VEC_PUSH(w->arena, &w->tree->trusted, node->u.text.text);
    break;
  case IR_TRAP:
    condition = term_false(w->terms);
    (void)walk_oblige(w, node, OBLIGATION_ASSERT, condition);
    break;
  case IR_FENCE: (void)step_new(w, STEP_FENCE, node); break;
  default: break;
  }
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

static const Value *index_value(Walk *w, const IrNode *node) {
  switch ((int)node->op) {
  case IR_PARAM: return param_value(w, node);
  case IR_EXTENT: return extent(w, node);
  case IR_STRIDE: return stride(w, node);
  case IR_BLOCK_INDEX: return block_index(w, node);
  case IR_THREAD_INDEX: return thread_index(w, node);
  case IR_GRID_DIM:
    return launch_number(w, node, w->tree->grid[node->u.index.number]);
  case IR_BLOCK_DIM:
    return launch_number(
        w, node,
        term_int(w->terms, w->kernel->block_dim[node->u.index.number]));
  case IR_EXTRACT: return extract(w, node);
  case IR_INSERT: return insert(w, node);
  case IR_COPY_WAIT: sets_step(w, node, STEP_COPY_WAIT, DONE_SETS); break;
  case IR_TMA_WAIT:
  case IR_TMA_WAIT_READ:
    sets_step(w, node, STEP_COPY_WAIT, DONE_TMA_SETS);
    break;
  default: break;
  }
  return NULL;
}

static const Value *plain_value(Walk *w, const IrNode *node) {
  switch ((int)node->op) {
  case IR_PACK: return pack(w, node);
  case IR_TRUNC:
  case IR_ZEXT:
  case IR_SEXT: return walk_convert(w, node);
  case IR_BITCAST:
    return node->type.kind == IR_TYPE_PTR ? walk_pointer(w, node)
                                          : walk_convert(w, node);
  case IR_PTR_ADD:
  case IR_PTR_DIFF: return walk_pointer(w, node);
  case IR_COPY_COMMIT: sets_step(w, node, STEP_COMMIT, DONE_SETS); return NULL;
  case IR_TMA_COMMIT:
    sets_step(w, node, STEP_COMMIT, DONE_TMA_SETS);
    return NULL;
  case IR_FENCE_ASYNC: (void)step_new(w, STEP_FENCE_ASYNC, node); return NULL;
  case IR_IF: walk_if(w, node); return NULL;
  default: return walk_arithmetic(w, node);
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
  switch (ir_op_info(node)->form) {
  case FORM_CONST: return constant(w, node);
  case FORM_VAR:
    if (node->op == IR_GET)
      return env_get(w, node);
    walk_set(w, node, walk_arg(w, node, 0));
    return NULL;
  case FORM_INDEX:
    if (!ir_is_claim(node))
      return index_value(w, node);
    walk_claim(w, node);
    return NULL;
  case FORM_PLAIN: return plain_value(w, node);
  case FORM_ACCESS: return walk_access(w, node);
  case FORM_GROUP: return walk_meet(w, node);
  case FORM_TEXT: walk_text(w, node); return NULL;
  case FORM_BARRIER: return walk_barrier(w, node);
  case FORM_COPY: walk_copy(w, node); return NULL;
  case FORM_COLLECTIVE: return walk_lane_mask(w, node);
  case FORM_EXIT: walk_exit(w, node); return NULL;
  case FORM_LOOP:
    if (node->op == IR_LOOP || node->op == IR_FOR)
      walk_loop(w, node);
    else
      walk_block(w, node);
    return NULL;
  case FORM_PART:
    if (node->op == IR_THREAD_FOR && node->u.part.is_split)
      walk_split(w, node);
    else if (node->op == IR_THREAD_FOR)
      walk_loop(w, node);
    else
      walk_group(w, node);
    return NULL;
  }
  return NULL;
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

static bool is_over(Walk *w) {
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
    if (w->is_cut || is_over(w))
      return;
    const Value *value = node_value(w, node);
    if (node->type.kind != IR_TYPE_VOID)
      w->values[node->id] = bounded(w, node, value);
  }
}
