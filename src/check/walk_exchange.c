// SPDX-License-Identifier: Apache-2.0
// What threads get from each other: the term of the value, at the other thread.
//
// Every thread of the group evaluates the operand, in the same turns of all
// loops around. So the value of another thread is the same term with that
// thread in it, if all else in it is one for the group. The idiom is
// `__shfl_sync(~0u, threadIdx.x / 32, 0)`, the warp's number.
#include "check/term_table.h"
#include "check/walk.h"

// Ranks of the group are threads one after the other.
static bool is_row(const IrGroup *group) {
  for (; group && group->kind == GROUP_TILED; group = group->parent) {
  }
  return group && (group->kind == GROUP_WARP || group->kind == GROUP_BLOCK ||
                   group->kind == GROUP_RANGE);
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

typedef struct {
  const Walk *w;
  const IrGroup *group;
  const Term *thread; // the other one; NULL: not known
  bool is_known;
} Exchange;

static const Term *at_other(const Symbol *symbol, void *context) {
  Exchange *exchange = context;
  if (symbol == exchange->w->tree->thread) {
    exchange->is_known &= exchange->thread != NULL;
    return exchange->thread;
  }
  if (symbol->kind == SYMBOL_VALUE &&
      !(symbol->over && ir_group_contains(symbol->over, exchange->group)))
    exchange->is_known = false;
  return NULL;
}

// What doesn't depend on the thread is the same from wherever it comes.
const Value *walk_exchange(Walk *w, const IrNode *node) {
  TermTable *t = w->terms;
  const IrGroup *group = node->u.group.group;
  const GroupView *view = walk_view(w, group);
  const Value *value = walk_arg(w, node, 0);
  if (value->kind != VALUE_INT && value->kind != VALUE_BOOL)
    return NULL;
  Exchange exchange = {w, group, NULL, true};
  const Term *from =
      is_row(group) && view->is_known ? source(w, node, view) : NULL;
  const Term *first = term_of(t, w->tree->thread);
  if (from)
    exchange.thread = term_add(t, term_sub(t, first, view->rank), from);
  const Value *other = value_map(w, value, at_other, &exchange);
  return exchange.is_known && walk_size(w, other->term) <= WALK_MAX_SIZE ? other
                                                                         : NULL;
}
