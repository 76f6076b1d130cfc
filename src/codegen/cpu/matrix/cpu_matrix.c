// SPDX-License-Identifier: Apache-2.0
// Note [Nests of products]
// Kernels of tiles add up products of words in nests of two loops,
//
//   for row: sum = S[row, lane], or 0
//            for k: sum = dot(sum, A[row, k], B[k, lane])
//            S[row, lane] = sum
//
// where lanes are neighbours in S and B, words are neighbours in A, and rows
// are evenly spaced. Machines with matrix registers run such a nest at once
// (llvm_cpu_matrix.c). It is found by its form: nothing else may stand in it
// but what the indices are computed from, which must be linear in the row, in k
// and in the lane. Sums of integers wrap, and fdot2 may add in any order, so
// that any order is right.
#include "codegen/cpu/matrix/cpu_matrix.h"

typedef struct {
  const CpuPlan *plan;
  const IrNode *rows, *chain; // the loops
} Nest;

// ------------------------------------------------------------ linear forms

static bool nest_has(const Nest *nest, const IrNode *node) {
  for (const IrNode *up = node; up; up = up->region->owner)
    if (up->region == &nest->rows->regions[0])
      return true;
  return false;
}

static CpuLinear linear_constant(int64_t value) {
  return (CpuLinear){.constant = value};
}

static bool linear_add(CpuLinear *to, const CpuLinear *by) {
  if (to->n_terms + by->n_terms > CPU_LINEAR_TERMS)
    return false;
  for (uint32_t i = 0; i < by->n_terms; i++)
    to->terms[to->n_terms++] = by->terms[i];
  return !__builtin_add_overflow(to->constant, by->constant, &to->constant) &&
         !__builtin_add_overflow(to->row, by->row, &to->row) &&
         !__builtin_add_overflow(to->k, by->k, &to->k) &&
         !__builtin_add_overflow(to->lane, by->lane, &to->lane);
}

static bool linear_scale(CpuLinear *form, int64_t by) {
  for (uint32_t i = 0; i < form->n_terms; i++)
    if (__builtin_mul_overflow(form->terms[i].times, by, &form->terms[i].times))
      return false;
  return !__builtin_mul_overflow(form->constant, by, &form->constant) &&
         !__builtin_mul_overflow(form->row, by, &form->row) &&
         !__builtin_mul_overflow(form->k, by, &form->k) &&
         !__builtin_mul_overflow(form->lane, by, &form->lane);
}

static bool linear_is_constant(const CpuLinear *form) {
  return form->n_terms == 0 && form->row == 0 && form->k == 0 &&
         form->lane == 0;
}

// What was computed before the nest.
static bool linear_value(const Nest *nest, const IrNode *node, CpuLinear *out) {
  CpuShape shape = cpu_node_shape(nest->plan, node);
  bool is_affine = shape.kind == CPU_AFFINE && shape.is_exact &&
                   shape.period_log2 == CPU_WARP_LOG2 && shape.flip == 0;
  if (shape.kind != CPU_UNIFORM && !is_affine)
    return false;
  *out = (CpuLinear){.lane = is_affine ? shape.step : 0,
                     .n_terms = 1,
                     .terms = {{node, nest_has(nest, node), 1}}};
  return true;
}

static bool linear_variable(const Nest *nest, const IrNode *get,
                            CpuLinear *out) {
  uint32_t var = get->u.variable.var;
  *out = (CpuLinear){.row = var == nest->rows->u.loop.var,
                     .k = var == nest->chain->u.loop.var};
  return out->row || out->k || linear_value(nest, get, out);
}

#define LINEAR_DEPTH 16

static bool linear_of(const Nest *nest, const IrNode *node, uint32_t depth,
                      CpuLinear *out) {
  CpuLinear right;
  if (depth == 0 || !ir_type_is_int(node->type))
    return false;
  if (node->op == IR_CONST) {
    uint32_t unused = 64 - ir_type_bits(node->type);
    *out =
        linear_constant((int64_t)(node->u.constant.bits << unused) >> unused);
    return true;
  }
  if (!nest_has(nest, node))
    return linear_value(nest, node, out);
  if (node->op == IR_GET)
    return linear_variable(nest, node, out);
  if (node->op == IR_SEXT)
    return linear_of(nest, node->args[0], depth - 1, out);
  bool is_sum = node->op == IR_ADD || node->op == IR_MUL;
  if (!is_sum || !(node->flags & NODE_NO_SIGNED_WRAP) ||
      !linear_of(nest, node->args[0], depth - 1, out) ||
      !linear_of(nest, node->args[1], depth - 1, &right))
    return false;
  if (node->op == IR_ADD)
    return linear_add(out, &right);
  if (linear_is_constant(out)) {
    int64_t by = out->constant;
    *out = right;
    return linear_scale(out, by);
  }
  return linear_is_constant(&right) && linear_scale(out, right.constant);
}

// Of an access of the nest, in bytes from the object's start.
static bool matrix_linear_place(const Nest *nest, const IrNode *node,
                                CpuLinear *out) {
  const IrAccess *access = &node->u.access;
  if (!access->object || access->object->space != SPACE_SHARED ||
      access->object->rank != 1 || access->n_index != 1 || access->has_offset ||
      access->has_guard || access->order != ORDER_PLAIN ||
      access->offset_bytes != 0 || ir_type_bits(access->type) != 32 ||
      !linear_of(nest, node->args[0], LINEAR_DEPTH, out))
    return false;
  return linear_scale(out, access->object->element_bytes);
}

// ---------------------------------------------------------------- the nest

// What a region holds besides what only computes.
typedef struct {
  const IrNode *set, *loop, *store, *load;
  uint32_t n_sets, n_loops, n_stores, n_loads;
} NestParts;

static bool nest_part(const IrNode *node, NestParts *parts) {
  switch ((int)node->op) {
  case IR_SET: parts->set = node; return parts->n_sets++ == 0;
  case IR_FOR: parts->loop = node; return parts->n_loops++ == 0;
  case IR_STORE: parts->store = node; return parts->n_stores++ == 0;
  case IR_LOAD: parts->load = node; return parts->n_loads++ < 2;
  case IR_GET: return true;
  default: return ir_op_info(node)->flags & OPF_PURE;
  }
}

static bool nest_parts(const IrRegion *region, NestParts *parts) {
  *parts = (NestParts){0};
  for (const IrNode *node = region->first; node; node = node->next)
    if (!nest_part(node, parts))
      return false;
  return parts->n_sets == 1;
}

static bool nest_follows(const IrNode *node, const IrNode *other) {
  for (other = other->next; other && other != node; other = other->next)
    ;
  return other != NULL;
}

static bool nest_counts_up(const IrNode *loop) {
  const IrNode *first = loop->args[0];
  return loop->u.loop.step == 1 && loop->u.loop.is_signed &&
         !loop->u.loop.is_inclusive && first->op == IR_CONST &&
         first->type.kind == IR_TYPE_I32 && first->u.constant.bits == 0;
}

static bool nest_is_sum(const IrNode *get, const IrNode *set) {
  return get->op == IR_GET && get->u.variable.var == set->u.variable.var &&
         get->region == set->region;
}

// sum = dot(sum, A[row, k], B[k, lane])
static bool nest_links(const Nest *nest, CpuMatrix *out) {
  NestParts parts;
  CpuLinear places[2];
  if (!nest_parts(&nest->chain->regions[0], &parts) || parts.n_loops > 0 ||
      parts.n_stores > 0 || parts.n_loads != 2)
    return false;
  const IrNode *dot = parts.set->args[0];
  bool is_dot = dot->op == IR_FDOT2 || dot->op == IR_DOT4 ||
                dot->op == IR_DOT4_S || dot->op == IR_DOT4_U;
  if (!is_dot || dot->region != parts.set->region ||
      !nest_is_sum(dot->args[0], parts.set))
    return false;
  for (uint32_t i = 0; i < 2; i++)
    if (dot->args[1 + i]->op != IR_LOAD ||
        !matrix_linear_place(nest, dot->args[1 + i], &places[i]))
      return false;
  uint32_t b = places[0].lane != 0 ? 0 : 1;
  out->link = dot->op;
  out->is_swapped = b == 0;
  out->sum_var = parts.set->u.variable.var;
  out->a = (CpuMatrixPlace){dot->args[2 - b]->u.access.object, places[1 - b]};
  out->b = (CpuMatrixPlace){dot->args[1 + b]->u.access.object, places[b]};
  return out->a.at.lane == 0 && out->a.at.k == 4 && out->b.at.lane == 4 &&
         out->b.at.row == 0;
}

// Terms in the same order; no variable that they read changes in the nest.
static bool linear_is_equal(const CpuLinear *a, const CpuLinear *b) {
  bool is_equal = a->constant == b->constant && a->row == b->row &&
                  a->k == b->k && a->lane == b->lane &&
                  a->n_terms == b->n_terms;
  for (uint32_t i = 0; is_equal && i < a->n_terms; i++)
    is_equal = a->terms[i].times == b->terms[i].times &&
               a->terms[i].is_inside == b->terms[i].is_inside &&
               (a->terms[i].is_inside ? a->terms[i].node->u.variable.var ==
                                            b->terms[i].node->u.variable.var
                                      : a->terms[i].node == b->terms[i].node);
  return is_equal;
}

// The sums come from memory, or are 0, and go there.
static bool nest_keeps(const Nest *nest, const NestParts *parts,
                       CpuMatrix *out) {
  const IrNode *start = parts->set->args[0], *store = parts->store;
  const IrNode *end = store->args[store->n_args - 1];
  CpuLinear at;
  if (!matrix_linear_place(nest, store, &at) || !nest_is_sum(end, parts->set) ||
      !nest_follows(end, nest->chain) || !nest_follows(store, nest->chain) ||
      !nest_follows(nest->chain, parts->set))
    return false;
  out->sums = (CpuMatrixPlace){store->u.access.object, at};
  out->is_from_zero = start->op == IR_CONST && start->u.constant.bits == 0;
  if (!out->is_from_zero &&
      (start->op != IR_LOAD || !nest_follows(parts->set, start) ||
       start->u.access.object != out->sums.object ||
       !matrix_linear_place(nest, start, &at) ||
       !linear_is_equal(&at, &out->sums.at)))
    return false;
  return out->sums.at.k == 0 && out->sums.at.lane == 4 &&
         out->sums.object != out->a.object && out->sums.object != out->b.object;
}

bool cpu_matrix_find(const CpuPlan *plan, const IrNode *loop, CpuMatrix *out) {
  Nest nest = {.plan = plan, .rows = loop};
  NestParts parts;
  if (!nest_counts_up(loop) || loop->args[1]->op != IR_CONST ||
      !nest_parts(&loop->regions[0], &parts) || parts.n_loops != 1 ||
      parts.n_stores != 1 || !nest_counts_up(parts.loop))
    return false;
  nest.chain = parts.loop;
  out->n_rows = (uint32_t)loop->args[1]->u.constant.bits;
  bool is_there =
      nest_links(&nest, out) && nest_keeps(&nest, &parts, out) &&
      parts.n_loads == (out->is_from_zero ? 0u : 1u) &&
      out->sum_var == parts.set->u.variable.var &&
      linear_of(&nest, parts.loop->args[1], LINEAR_DEPTH, &out->n_words);
  return is_there && (int32_t)out->n_rows > 0 && out->n_words.row == 0 &&
         out->n_words.k == 0 && out->n_words.lane == 0 && plan->liveness &&
         !liveness_after(plan->liveness, loop, out->sum_var);
}
