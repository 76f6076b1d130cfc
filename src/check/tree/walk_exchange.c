// SPDX-License-Identifier: Apache-2.0
// What threads get from each other: the term of the value, at the other thread.
//
// Every thread of the group evaluates the operand, in the same turns of all
// loops around. So the value of another thread is the same term with that
// thread in it, if all else in it is one for the group. The idiom is
// `__shfl_sync(~0u, threadIdx.x / 32, 0)`, the warp's number.
#include "base/bits.h"
#include "check/term/term_table.h"
#include "check/tree/walk.h"

// Ranks of the group are threads one after the other. (Coalesced threads are
// known where they are all of a warp.)
static bool is_row(const IrGroup *group) {
  for (; group && group->kind == GROUP_TILED; group = group->parent) {
  }
  return group &&
         (group->kind == GROUP_WARP || group->kind == GROUP_BLOCK ||
          group->kind == GROUP_RANGE || group->kind == GROUP_COALESCED);
}

// The rank from which the thread gets the value; NULL: not known. A last part
// may have fewer threads than the others, so `size` is a term.
static const Term *source(Walk *w, const IrNode *node, const GroupView *view) {
  TermTable *t = w->terms;
  const Term *by = arg_signed(w, node, 1), *size = view->size;
  const Term *rank = view->rank, *from;
  int64_t low, high, least, most, constant;
  term_interval(t, by, &low, &high);
  term_interval(t, size, &least, &most);
  bool is_constant = term_is_constant(size, &constant);
  switch ((int)node->op) {
  case IR_SHFL:
  case IR_BROADCAST:
    if (low >= 0 && high < least)
      return by;
    if (node->op == IR_SHFL && node->u.group.group->kind == GROUP_COALESCED)
      return term_ite(
          t, term_and(t, term_le(t, term_int(t, 0), by), term_lt(t, by, size)),
          by, rank);
    return is_constant ? term_mod(t, by, size) : NULL;
  case IR_SHFL_UP: {
    const Term *lower = term_sub(t, rank, by);
    const Term *is_there = term_le(t, term_int(t, 0), lower);
    return low >= 0 ? term_ite(t, is_there, lower, rank) : NULL;
  }
  case IR_SHFL_DOWN:
    from = term_add(t, rank, by);
    return low >= 0 && high <= most
               ? term_ite(t, term_lt(t, from, size), from, rank)
               : NULL;
  case IR_SHFL_XOR: {
    int64_t nominal = ir_group_nominal(node->u.group.group), mask;
    if (!is_constant && nominal != SIZE_UNKNOWN)
      constant = nominal;
    if ((!is_constant && nominal == SIZE_UNKNOWN) ||
        !is_power_of_two(constant) || !term_is_constant(by, &mask) ||
        mask < 0 || mask >= constant)
      return NULL;
    from = term_bits(t, TERM_XOR, rank, by);
    return is_constant ? from : term_ite(t, term_lt(t, from, size), from, rank);
  }
  default: return NULL;
  }
}

static void note_symbol(const Symbol *symbol, void *context) {
  *(const Symbol **)context = symbol;
}

// A flag of each thread at the head of a loop: if its law is that it is set in
// all of them, so is what they get.
static const Value *received_flag(Walk *w, const IrNode *node,
                                  const Value *value) {
  const Symbol *flag = NULL;
  term_symbols(value->term, note_symbol, &flag);
  if (value->kind != VALUE_BOOL || !flag || flag->kind != SYMBOL_VALUE ||
      flag->loop != w->loop || value->term != symbol_holds(w, flag))
    return NULL;
  Symbol model = *walk_symbol(w, "received", node, NULL, 0, 1);
  model.received_of = flag;
  return value_bool(w, symbol_holds(w, term_symbol_new(w->terms, &model)));
}

// What doesn't depend on the thread is the same from wherever it comes.
const Value *walk_exchange(Walk *w, const IrNode *node) {
  TermTable *t = w->terms;
  const IrGroup *group = node->u.group.group;
  const GroupView *view = walk_view(w, group);
  const Value *value = walk_arg(w, node, 0);
  if (value->kind != VALUE_INT && value->kind != VALUE_BOOL)
    return NULL;
  const Term *from =
      is_row(group) && view->is_known ? source(w, node, view) : NULL;
  const Term *other = NULL;
  if (from) {
    const Term *own = term_of(t, w->tree->thread);
    other = term_add(t, term_sub(t, own, view->rank), from);
  }
  const Term *term = walk_at_thread(w, group, value->term, other);
  if (!term)
    return received_flag(w, node, value);
  if (walk_size(w, term) > WALK_MAX_SIZE)
    return NULL;
  Value *received = value_new(w, value->kind);
  *received = *value;
  received->term = term;
  return received;
}
