// SPDX-License-Identifier: Apache-2.0
// What clauses of thread loops say that an iteration owns.
#include "check/tree/walk.h"

// The loop whose iteration the clause begins, if each thread turns in it.
static const CheckLoop *own_loop(const Walk *w) {
  const Step *parent = w->parent;
  return parent && parent->kind == STEP_LOOP ? parent->u.loop.loop : NULL;
}

static const IrGroup *walk_claim_group_of(const Walk *w, const IrNode *node) {
  const IrNode *owner = node->region->owner;
  if (owner && owner->op == IR_THREAD_FOR)
    return owner->u.part.parent;
  return ir_node_group(w->kernel, node);
}

// ---------------------------------------------------------------- parts

// n elements from `index` on.
typedef struct {
  Walk *w;
  const IrObject *object;
  const Term *index[IR_MAX_RANK], *n;
} Range;

static const Term *walk_claim_elements(const Range *r, const Term *bytes) {
  TermTable *t = r->w->terms;
  const Term *size = term_int(t, r->object->element_bytes);
  int64_t rest;
  bool is_whole =
      term_is_constant(term_mod(t, bytes, size), &rest) && rest == 0;
  return is_whole ? term_div(t, bytes, size) : NULL;
}

static bool ends_in_row(const Range *r, int k) {
  TermTable *t = r->w->terms;
  const Term *extent = tree_extent(r->w->tree, r->object, k);
  const Term *end = term_add(t, r->index[k], r->n);
  if (k == 0)
    return true;
  if (!extent)
    return false;
  return solver_proves(r->w->quick, path_now(r->w),
                       term_and(t, term_le(t, term_int(t, 0), r->index[k]),
                                term_le(t, end, extent)));
}

// The range has whole rows of dimension k, and is counted in them then.
static bool has_rows(Range *r, int k) {
  const Term *extent = tree_extent(r->w->tree, r->object, k), *rows;
  int64_t start;
  if (!extent || r->object->has_strides ||
      !term_is_constant(r->index[k], &start) || start != 0)
    return false;
  rows = walk_quotient(r->w, r->n, extent);
  if (rows)
    r->n = rows;
  return rows != NULL;
}

static bool make_box(const Range *range, LoopClaim *claim) {
  Range r = *range;
  int k = r.object->rank - 1;
  while (!ends_in_row(&r, k)) {
    claim->length[k] = tree_extent(r.w->tree, r.object, k);
    if (!has_rows(&r, k--))
      return false;
  }
  claim->length[k] = r.n;
  for (int i = 0; i < r.object->rank; i++)
    claim->low[i] = r.index[i];
  while (k-- > 0)
    claim->length[k] = term_int(r.w->terms, 1);
  return true;
}

// The same range by the element's number in the whole array.
static bool walk_claim_unflatten(Range *r, const Term *from) {
  TermTable *t = r->w->terms;
  const Term *flat = from, *byte;
  for (uint32_t k = 0; k < r->object->rank; k++) {
    const Term *stride = walk_dense_stride(r->w, r->object, k);
    if (!stride)
      return false;
    flat = term_add(t, flat, term_mul(t, r->index[k], stride));
  }
  uint32_t size = r->object->element_bytes;
  return walk_unflatten(r->w, r->object, size,
                        term_mul(t, flat, term_int(t, size)), r->index, &byte);
}

// Of nothing any rectangle is right that has n elements, or rows.
static bool find_box(Range *r, const Term *from, LoopClaim *claim) {
  uint32_t last = r->object->rank - 1u;
  Range direct = *r;
  direct.index[last] = term_add(r->w->terms, r->index[last], from);
  if (make_box(&direct, claim))
    return true;
  return !r->object->has_strides && walk_claim_unflatten(r, from) &&
         make_box(r, claim);
}

static bool take_part(Walk *w, const IrNode *node, LoopClaim *claim) {
  Range r = {.w = w, .object = claim->object};
  uint32_t rank = r.object->rank, arg = claim->n_at;
  for (uint32_t k = 0; k < rank; k++)
    r.index[k] = arg_signed(w, node, arg++);
  const Term *from = walk_claim_elements(&r, arg_signed(w, node, arg));
  r.n = walk_claim_elements(&r, arg_signed(w, node, arg + 1));
  const IrHost *step = r.object->strides[rank - 1];
  bool is_close = !r.object->has_strides ||
                  (step && step->op == HOST_CONST && step->number == 1);
  if (!from || !r.n || !is_close)
    return false;
  uint32_t mark = w->path.count;
  path_push(w, term_lt(w->terms, term_int(w->terms, 0), r.n));
  bool is_box = find_box(&r, from, claim);
  path_pop(w, mark);
  return is_box;
}

// --------------------------------------------------------------- clauses

void walk_claim(Walk *w, const IrNode *node) {
  Step *step = step_new(w, STEP_CLAIM, node);
  if (!step)
    return;
  const IrObject *object = node->u.index.object;
  LoopClaim *claim = ARENA_NEW(w->arena, LoopClaim);
  *claim = (LoopClaim){.object = object,
                       .kind = node->op,
                       .is_uninit = node->u.index.number & CLAIM_UNINIT,
                       .is_nest = node->u.index.number & CLAIM_NEST,
                       .own = own_loop(w),
                       .n_at = ir_claim_names(node)};
  if (!claim->is_nest)
    claim->group = walk_claim_group_of(w, node);
  claim->at = ARENA_ARRAY(w->arena, const Term *, claim->n_at);
  for (uint32_t i = 0; i < claim->n_at; i++)
    claim->at[i] = arg_signed(w, node, i);
  bool is_part = node->u.index.number & CLAIM_PART;
  for (uint32_t i = 0; object && !is_part && i < object->rank; i++) {
    claim->low[i] = arg_signed(w, node, claim->n_at + 2 * i);
    claim->length[i] = arg_signed(w, node, claim->n_at + 2 * i + 1);
  }
  if (is_part && !take_part(w, node, claim))
    claim->is_lost = true;
  step->u.claim = claim;
}
