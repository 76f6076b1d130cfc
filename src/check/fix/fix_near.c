// SPDX-License-Identifier: Apache-2.0
// What would mend a race of a thread that the waits and arrivals of others were
// meant to order: a sync of its group behind the wait or before the arrival, or
// an arrival that comes only behind the access. The check of the changed kernel
// decides.
#include "check/fix/fix.h"

#include "check/run/search.h"

enum { MOST_NEAR = 6 };

// A barrier's operation and an access, with the nodes of one region that hold
// them.
typedef struct {
  const IrNode *barrier, *access;
  const IrNode *barrier_in, *access_in;
} Near;

typedef struct {
  Check *check;
  Finding *finding;
  const IrNode *access;
  uint32_t n_tried;
  hd_vec(Near) nears; // in program order
} NearFix;

// Conditions and groups of one thread are all that lies between the node and
// the one of the region that both are in.
static bool is_direct(const IrKernel *kernel, const IrNode *node,
                      const IrNode *holder) {
  const IrGroup *group = ir_node_group(kernel, node);
  if (group->size != 1 && group != ir_node_group(kernel, holder))
    return false;
  for (; node != holder; node = node->region->owner)
    if (node->region->owner->op == IR_FOR || node->region->owner->op == IR_LOOP)
      return false;
  return true;
}

static bool find_near(IrNode *node, void *context) {
  NearFix *fix = context;
  if (ir_op_info(node)->form != FORM_BARRIER)
    return true;
  Near near = {node, fix->access, node, fix->access};
  fix_lift(&near.barrier_in, &near.access_in);
  const IrKernel *kernel = fix->check->kernel;
  if (near.barrier_in != near.access_in &&
      is_direct(kernel, node, near.barrier_in) &&
      is_direct(kernel, fix->access, near.access_in) &&
      !fix_same_line(kernel, node, fix->access))
    VEC_PUSH(fix->check->arena, &fix->nears, near);
  return true;
}

static bool fix_near_is_wait(const IrNode *node) {
  return node->op == IR_MBAR_WAIT || node->op == IR_MBAR_WAIT_TOKEN;
}

static bool may_try(NearFix *fix) {
  return fix->n_tried++ < MOST_NEAR;
}

// A wait before, or an arrival behind: one sync between covers all threads of
// the group.
static const char *try_sync(NearFix *fix, const Near *near) {
  bool is_before = near->barrier->id < near->access->id;
  if (is_before != fix_near_is_wait(near->barrier) ||
      (!is_before && !ir_gives_phase(near->barrier)))
    return NULL;
  const IrNode *first = is_before ? near->barrier_in : near->access_in;
  const IrNode *second = is_before ? near->access_in : near->barrier_in;
  FixSpot spot = {FIX_BEFORE, fix_statement(fix->check->kernel, second, first)};
  const FixMeans sync = fix_sync();
  return may_try(fix) ? fix_try_spot(fix->check, fix->finding, &spot, &sync)
                      : NULL;
}

static bool put_behind(IrKernel *copy, const void *context) {
  const Near *near = context;
  IrNode *arrival = fix_copy_of(copy, near->barrier_in);
  IrNode *access = fix_copy_of(copy, near->access_in);
  if (!arrival || !access)
    return false;
  while (access->next && fix_same_line(copy, access->next, access))
    access = access->next; // the end of its statement
  ir_node_unlink(arrival);
  ir_node_insert_after(access, arrival);
  return true;
}

// The token of an arrival that stays where it is must be made before.
static bool is_plain_arrival(const Near *near) {
  const IrNode *node = near->barrier;
  if (node->op != IR_MBAR_ARRIVE || node->id > near->access->id)
    return false;
  for (const IrNode *next = node->next; next; next = next->next)
    for (uint32_t i = 0; i < next->n_args; i++)
      if (next->args[i] == node)
        return false;
  return true;
}

static const char *try_behind(NearFix *fix, const Near *near) {
  const Check *check = fix->check;
  if (!is_plain_arrival(near) || !may_try(fix) ||
      !fix_try(check, fix->finding, put_behind, near))
    return NULL;
  const IrLoc *locs = check->kernel->module->locs.data;
  return arena_printf(check->arena,
                      "move the arrival of line %u after line %u (proved: this "
                      "removes the race)",
                      locs[near->barrier->loc].place.line,
                      locs[near->access->loc].place.line);
}

static const char *try_access(NearFix *fix) {
  const char *text = NULL;
  ir_walk((IrRegion *)(uintptr_t)&fix->check->kernel->body, find_near, fix);
  for (uint32_t i = 0; i < fix->nears.count && !text; i++)
    text = try_sync(fix, &fix->nears.data[i]);
  for (uint32_t i = 0; i < fix->nears.count && !text; i++)
    text = try_behind(fix, &fix->nears.data[i]);
  return text;
}

const char *fix_near_barriers(Check *check, Finding *finding) {
  const IrNode *accesses[2] = {finding->node, finding->other};
  const char *text = NULL;
  for (int i = 0; i < 2 && !text; i++) {
    NearFix fix = {.check = check, .finding = finding, .access = accesses[i]};
    if (accesses[i])
      text = try_access(&fix);
  }
  return text;
}
