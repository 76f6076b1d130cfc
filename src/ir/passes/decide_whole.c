// SPDX-License-Identifier: Apache-2.0
// Operations of whole_warp() and whole_partition(): those that the rules allow
// are the warp's or the tile's, the others are tested at run time.
//
// Note [Deciding whole groups]
// First all of them are taken for what any warp or tile does. Where the
// analysis then can't tell that the group gets to an operation together, that
// operation becomes one of the threads that do get there,
//
//   shfl(whole_warp(), v, i)     c = coalesced_threads()
//                                assert size(c) == size(warp)
//                                shfl(c, v, i % size(warp))
//
// (of a tile: labeled_partition(c, where its first lane is)), and the analysis
// is asked again, until nothing changes. So a loop that goes on while
// any(whole_warp(), p) holds is the warp's: what decides about its turns is a
// vote of the warp as long as the warp is whole there.
//
// Threads that have returned from the kernel, or have only its end before them
// (decide_ends.c), are not missed. So the analysis is
// asked twice, of all threads and of those present (an exit or an `if` that
// returns decides nothing then). What only the second allows is done by
// coalesced_threads() without a test, since these are all there are; where
// neither does, but the second does for a statement around it in which nobody
// returns, the test is
//
//   n = size(coalesced_threads())     before that statement
//   assert size(c) == n
//
// The threads that are left keep their ranks: decide_lanes.c.
#include "ir/analyses/analysis.h"
#include "ir/form/order.h"
#include "ir/passes/decide_lanes.h"
#include "ir/rules/check_rules.h"

typedef struct {
  IrKernel *kernel;
  Arena *arena;
  IrGroup *warp;          // the plain row
  hd_vec(IrNode *) open;  // operations of whole groups, not tested so far
  hd_vec(IrNode *) asked; // present_lanes(); is this the first thread?
  bool has_returns;
} Deciding;

typedef struct {
  Deciding *d;
  const Uniformity *of_all;
  const Uniformity *of_present; // NULL: nobody returns before the end
} Round;

static const IrType type_bool = {.kind = IR_TYPE_BOOL, .lanes = 1};

// -------------------------------------------------------------- operations

static bool is_return(const IrNode *node) {
  return (node->op == IR_EXIT || node->op == IR_IF || node->op == IR_FOR) &&
         (node->flags &
          (NODE_RETURNS | NODE_THEN_RETURNS | NODE_ELSE_RETURNS)) != 0;
}

// Their result doesn't depend on which name of the threads does them, and they
// have no second half elsewhere.
static bool can_be_tested(const IrNode *node) {
  return node->op == IR_SYNC || ir_is_collective(node);
}

static bool decide_whole_find_open(IrNode *node, void *context) {
  Deciding *d = context;
  d->has_returns |= is_return(node);
  if (node->op == IR_EQ && (node->flags & NODE_RETURNS))
    VEC_PUSH(d->arena, &d->asked, node);
  if (!can_be_tested(node))
    return true;
  const IrGroup *group = *lanes_group_of(node);
  if (group->is_whole && node->op == IR_BALLOT && (node->flags & NODE_RETURNS))
    VEC_PUSH(d->arena, &d->asked, node);
  else if (group->is_whole && ir_group_in_warp(group))
    VEC_PUSH(d->arena, &d->open, node);
  return true;
}

// ----------------------------------------------------- whole_warp()'s row

static bool is_whole_warp(const IrGroup *group) {
  return group && group->is_whole && group->kind == GROUP_WARP;
}

static void rename_group(const Deciding *d, IrGroup **slot) {
  if (is_whole_warp(*slot))
    *slot = d->warp;
}

static bool rename_groups(IrNode *node, void *context) {
  const Deciding *d = context;
  switch ((int)ir_op_info(node)->form) {
  case FORM_GROUP: rename_group(d, &node->u.group.group); break;
  case FORM_COLLECTIVE: rename_group(d, &node->u.collective.group); break;
  case FORM_COPY: rename_group(d, &node->u.copy.group); break;
  case FORM_PART:
    rename_group(d, &node->u.part.group);
    rename_group(d, &node->u.part.parent);
    break;
  default: break;
  }
  return true;
}

// From here on whole_warp() is the warp; its row goes.
static void rename_warp(Deciding *d) {
  IrKernel *kernel = d->kernel;
  ir_walk(&kernel->body, rename_groups, d);
  for (uint32_t i = 0; i < kernel->objects.count; i++)
    rename_group(d, &kernel->objects.data[i]->group);
  uint32_t n = 0;
  for (uint32_t i = 0; i < kernel->groups.count; i++) {
    IrGroup *row = kernel->groups.data[i];
    if (is_whole_warp(row))
      continue;
    rename_group(d, &row->parent);
    row->id = n;
    kernel->groups.data[n++] = row;
  }
  kernel->groups.count = n;
}

// -------------------------------------------------------- who has returned

static bool has_returns(const IrNode *node) {
  if (is_return(node))
    return true;
  for (uint32_t i = 0; i < node->n_regions; i++)
    for (const IrNode *at = node->regions[i].first; at; at = at->next)
      if (has_returns(at))
        return true;
  return false;
}

static bool is_made_inside(const IrGroup *group, const IrNode *node) {
  for (; group; group = group->parent)
    if (group->maker && ir_is_inside(group->maker, node))
      return true;
  return false;
}

// The innermost node around `node`, or it, that all threads of the group reach
// together but those that have returned, some of which may have; NULL: there
// is none, or some may return before they are at `node`.
static IrNode *place_of_present(const Round *r, IrNode *node,
                                const IrGroup *group) {
  const IrKernel *kernel = r->d->kernel;
  if (!r->of_present)
    return NULL;
  IrNode *at = node;
  while (at && !check_is_together(kernel, r->of_present, at, group))
    at = ir_node_owner(at);
  if (!at || has_returns(at) || is_made_inside(group, at) ||
      check_is_together(kernel, r->of_all, at, group))
    return NULL;
  return at;
}

// ------------------------------------------------------------------ tests

static const char *decide_whole_text_of(const Deciding *d, const IrGroup *group,
                                        bool are_present) {
  if (group == d->warp)
    return are_present ? "all threads of the warp that have not returned get "
                         "here together"
                       : "all threads of the warp get here together";
  return are_present ? "all threads of the tile that have not returned get "
                       "here together"
                     : "all threads of the tile get here together";
}

// How many must come: the whole group, or those left of it. A tile that is made
// inside of the place is asked for there as a part of the warp.
static IrNode *number_needed(const Round *r, const LaneMaker *m, IrGroup *group,
                             bool *are_present) {
  IrNode *place = place_of_present(r, m->before, group);
  LaneMaker there = {.kernel = m->kernel, .warp = m->warp, .before = place};
  *are_present = true;
  if (place)
    return lanes_ask(&there, IR_SIZE, lanes_here(&there, group));
  there.before = place_of_present(r, m->before, m->warp);
  *are_present = there.before != NULL;
  if (!there.before)
    return lanes_ask(m, IR_SIZE, group);
  IrNode *lanes = lanes_of(&there, lanes_here(&there, m->warp), m->warp);
  return lanes_count(m, lanes, group);
}

static void decide_whole_test(const Round *r, IrNode *node) {
  const Deciding *d = r->d;
  IrGroup *group = *lanes_group_of(node);
  LaneMaker m = {.kernel = d->kernel, .warp = d->warp, .before = node};
  bool are_present;
  IrNode *needed = number_needed(r, &m, group, &are_present);
  IrGroup *here = lanes_here(&m, group);
  IrNode *sizes[] = {lanes_ask(&m, IR_SIZE, here), needed};
  IrNode *are_all = lanes_put(&m, IR_EQ, type_bool, sizes, 2);
  IrNode *assertion =
      lanes_put(&m, IR_ASSERT, ir_scalar(IR_TYPE_VOID), &are_all, 1);
  assertion->u.text.text = decide_whole_text_of(d, group, are_present);
  lanes_do(d->kernel, d->warp, node, here, !are_present);
}

static bool decide_whole_is_together(const Round *r, IrNode *node) {
  const IrKernel *kernel = r->d->kernel;
  const IrGroup *group = *lanes_group_of(node);
  return check_is_together(kernel, r->of_all, node, group) ||
         (r->of_present &&
          check_is_together(kernel, r->of_present, node, group));
}

static Round analyse(Deciding *d, Arena *scratch) {
  Round r = {.d = d};
  ir_kernel_renumber(d->kernel);
  r.of_all = ir_uniformity(scratch, d->kernel);
  if (d->has_returns)
    r.of_present = ir_uniformity_of_present(scratch, d->kernel);
  return r;
}

static bool test_some(Deciding *d) {
  Arena *scratch = arena_new();
  hd_vec(IrNode *) apart = {0};
  Round r = analyse(d, scratch);
  uint32_t n = 0;
  for (uint32_t i = 0; i < d->open.count; i++) {
    IrNode *node = d->open.data[i];
    if (decide_whole_is_together(&r, node))
      d->open.data[n++] = node;
    else
      VEC_PUSH(scratch, &apart, node);
  }
  d->open.count = n;
  for (uint32_t i = 0; i < apart.count; i++)
    decide_whole_test(&r, apart.data[i]);
  bool has_changed = apart.count > 0;
  arena_free(scratch);
  return has_changed;
}

// ------------------------------------------------------------ those present

// Rank 0, or the lowest that is left.
static void find_first(const Round *r, IrNode *node) {
  const Deciding *d = r->d;
  const IrNode *rank = node->args[0];
  if (!d->has_returns || rank->op != IR_RANK ||
      check_is_together(d->kernel, r->of_all, node, rank->u.group.group))
    return;
  LaneMaker m = {.kernel = d->kernel, .warp = d->warp, .before = node};
  IrGroup *here = lanes_here(&m, rank->u.group.group);
  node->args[0] = lanes_ask(&m, IR_RANK, here);
}

static void decide_whole_tell_lanes(const Round *r, IrNode *node) {
  const Deciding *d = r->d;
  LaneMaker m = {.kernel = d->kernel, .warp = d->warp, .before = node};
  IrNode *place = place_of_present(r, node, d->warp);
  if (!place) {
    lanes_make_full(&m, node);
    return;
  }
  m.before = place;
  IrNode *lanes = lanes_of(&m, lanes_here(&m, d->warp), d->warp);
  uint32_t var = ir_var_new(d->kernel, NULL, lanes->type);
  lanes_put(&m, IR_SET, ir_scalar(IR_TYPE_VOID), &lanes, 1)->u.variable.var =
      var;
  node->op = IR_GET;
  node->flags = 0;
  node->n_args = 0;
  node->u.variable.var = var;
}

// What is open now is reached together by those who have not returned.
static void decide_whole_finish(Deciding *d) {
  Arena *scratch = arena_new();
  Round r = analyse(d, scratch);
  hd_vec(IrNode *) apart = {0};
  for (uint32_t i = 0; i < d->open.count; i++) {
    IrNode *node = d->open.data[i];
    if (!check_is_together(d->kernel, r.of_all, node, *lanes_group_of(node)))
      VEC_PUSH(scratch, &apart, node);
  }
  for (uint32_t i = 0; i < d->asked.count; i++) {
    IrNode *node = d->asked.data[i];
    if (node->op == IR_EQ)
      find_first(&r, node);
    else
      decide_whole_tell_lanes(&r, node);
  }
  for (uint32_t i = 0; i < apart.count; i++) {
    IrNode *node = apart.data[i];
    LaneMaker m = {.kernel = d->kernel, .warp = d->warp, .before = node};
    IrGroup *here = lanes_here(&m, *lanes_group_of(node));
    lanes_do(d->kernel, d->warp, node, here, false);
  }
  arena_free(scratch);
}

// Parents before their parts, as far as possible in the old order.
static void order_rows(const Deciding *d) {
  IrKernel *kernel = d->kernel;
  uint32_t count = kernel->groups.count, n = 0;
  IrGroup **rows = arena_copy(d->arena, kernel->groups.data,
                              count * sizeof *kernel->groups.data);
  bool *is_placed = ARENA_ARRAY(d->arena, bool, count);
  while (n < count)
    for (uint32_t i = 0; i < count; i++) {
      const IrGroup *parent = rows[i] ? rows[i]->parent : NULL;
      if (!rows[i] || (parent && !is_placed[parent->id]))
        continue;
      is_placed[i] = true;
      kernel->groups.data[n++] = rows[i];
      rows[i] = NULL;
    }
  for (uint32_t i = 0; i < count; i++)
    kernel->groups.data[i]->id = i;
}

// ------------------------------------------------------------------ kernels

static bool forget_returns(IrNode *node, void *context) {
  (void)context;
  node->flags &=
      ~(uint32_t)(NODE_RETURNS | NODE_THEN_RETURNS | NODE_ELSE_RETURNS);
  return true;
}

bool ir_decide_whole(IrKernel *kernel) {
  Deciding d = {.kernel = kernel};
  bool has_whole = false;
  for (uint32_t i = 0; i < kernel->groups.count; i++) {
    IrGroup *row = kernel->groups.data[i];
    has_whole |= row->is_whole;
    if (row->kind == GROUP_WARP && !row->is_whole && !d.warp)
      d.warp = row;
  }
  if (!has_whole)
    return false;
  d.arena = arena_new();
  decide_ends(kernel);
  ir_walk(&kernel->body, decide_whole_find_open, &d);
  rename_warp(&d);
  while (test_some(&d))
    order_rows(&d);
  decide_whole_finish(&d);
  order_rows(&d);
  ir_walk(&kernel->body, forget_returns, NULL);
  ir_kernel_renumber(kernel);
  for (uint32_t i = 0; i < kernel->groups.count; i++)
    kernel->groups.data[i]->is_whole = false;
  arena_free(d.arena);
  return true;
}
