// SPDX-License-Identifier: Apache-2.0
// Waits for all but the newest n copies, where fewer than n can have been made
// when they are reached: they wait for nothing, whatever happens.
//
// Copies that a thread can have made before a node are those that stand before
// it in its region and in the regions around, as often as the loops in which
// they stand may turn. A loop around both may have turned any number of times.
#include "ir/rules/check_rules.h"

#define ANY_NUMBER INT64_MAX

// Looking at one takes as long as the kernel has nodes.
enum { MOST_WAITS = 1000 };

// What counts: copies of a group, or sets that one operation closes.
typedef struct {
  IrOp op;
  const IrGroup *group;
} Made;

static bool is_made(const IrNode *node, const Made *made) {
  return node->op == made->op &&
         (!made->group || node->u.group.group == made->group);
}

static int64_t check_copies_add(int64_t a, int64_t b) {
  return a > ANY_NUMBER - b ? ANY_NUMBER : a + b;
}

static bool check_copies_is_loop(const IrNode *node) {
  return node->op == IR_LOOP || node->op == IR_FOR ||
         (node->op == IR_THREAD_FOR && !node->u.part.is_split);
}

static int64_t trips_of(const IrNode *node) {
  const IrNode *const *bounds = (const IrNode *const *)node->args;
  if (!check_copies_is_loop(node))
    return 1;
  if (node->op != IR_FOR || node->u.loop.step <= 0 ||
      bounds[0]->op != IR_CONST || bounds[1]->op != IR_CONST)
    return ANY_NUMBER;
  int64_t low = (int32_t)bounds[0]->u.constant.bits;
  int64_t high = (int32_t)bounds[1]->u.constant.bits;
  if (bounds[0]->type.kind == IR_TYPE_I64) {
    low = (int64_t)bounds[0]->u.constant.bits;
    high = (int64_t)bounds[1]->u.constant.bits;
  } else if (bounds[0]->type.kind != IR_TYPE_I32) {
    return ANY_NUMBER;
  }
  int64_t span;
  if (__builtin_sub_overflow(high, low, &span))
    return ANY_NUMBER;
  span += node->u.loop.is_inclusive && span < ANY_NUMBER;
  return span <= 0 ? 0 : (span - 1) / node->u.loop.step + 1;
}

static int64_t most_in_region(const IrRegion *region, const Made *made);

static int64_t most_in(const IrNode *node, const Made *made) {
  if (is_made(node, made))
    return 1;
  if (!node->n_regions)
    return 0;
  int64_t most = most_in_region(&node->regions[0], made), trips, product;
  if (node->n_regions > 1) {
    int64_t other = most_in_region(&node->regions[1], made);
    most = most > other ? most : other;
  }
  trips = most > 0 ? trips_of(node) : 0;
  return __builtin_mul_overflow(most, trips, &product) ? ANY_NUMBER : product;
}

static int64_t most_in_region(const IrRegion *region, const Made *made) {
  int64_t most = 0;
  for (const IrNode *node = region->first; node; node = node->next)
    most = check_copies_add(most, most_in(node, made));
  return most;
}

static int64_t most_before(const IrNode *node, const Made *made) {
  int64_t most = 0;
  while (node) {
    for (const IrNode *before = node->previous; before;
         before = before->previous)
      most = check_copies_add(most, most_in(before, made));
    node = node->region->owner;
    if (node && check_copies_is_loop(node) &&
        most_in_region(&node->regions[0], made) > 0)
      return ANY_NUMBER;
  }
  return most;
}

// One of several waits between which a condition chooses, as code does for a
// number that only the run knows: not all of them need be possible.
static bool check_copies_is_choice(const IrNode *node) {
  Made wait = {.op = node->op};
  for (const IrRegion *region = node->region; region->owner;
       region = region->owner->region) {
    const IrNode *owner = region->owner;
    if (owner->op == IR_IF && owner->n_regions == 2 &&
        most_in_region(&owner->regions[region == &owner->regions[0]], &wait))
      return true;
  }
  return false;
}

void check_copies_left(Checker *c, const IrNode *node) {
  int64_t left = 0;
  Made made = {.op = IR_COPY_COMMIT};
  switch ((int)node->op) {
  case IR_COPY_WAIT:
    left = c->kernel->module->waits_freely ? 0 : node->u.index.number;
    break;
  case IR_TMA_WAIT:
  case IR_TMA_WAIT_READ:
    left = c->kernel->module->waits_freely ? 0 : node->u.index.number;
    made.op = IR_TMA_COMMIT;
    break;
  case IR_MEMCPY_WAIT:
    if (node->args[0]->op == IR_CONST)
      left = (int64_t)node->args[0]->u.constant.bits;
    made = (Made){IR_MEMCPY_ASYNC, node->u.group.group};
    break;
  default: return;
  }
  if (left <= 0 || c->n_copy_waits++ >= MOST_WAITS)
    return;
  int64_t most = most_before(node, &made);
  if (most >= left || check_copies_is_choice(node))
    return;
  const char *what = node->op == IR_MEMCPY_WAIT ? rule_word(c, WORD_wait_prior)
                                                : ir_op_info(node)->text;
  Diag *diag = DIAG_REPORT(
      c->diags, DIAG_copies_left, blame_place(c->blamer, node), DS(what),
      DD(left), DS(made.group ? "copies" : "sets of copies"), DD(most));
  diag_note(c->diags, diag, (Place){0}, "%s",
            made.group ? rule_word(c, WORD_wait_for_group)
                       : "0 waits for all sets that were closed");
  check_finish(c, diag, node);
}
