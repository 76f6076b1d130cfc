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
#include "ir/analysis.h"
#include "ir/check_rules.h"

typedef struct {
  IrKernel *kernel;
  Arena *arena;
  IrGroup *warp;         // the plain row
  hd_vec(IrNode *) open; // operations of whole groups, not tested so far
} Deciding;

static const IrType type_i32 = {.kind = IR_TYPE_I32, .lanes = 1};
static const IrType type_bool = {.kind = IR_TYPE_BOOL, .lanes = 1};

// -------------------------------------------------------------- operations

// Their result doesn't depend on which name of the threads does them, and they
// have no second half elsewhere.
static bool can_be_tested(const IrNode *node) {
  return node->op == IR_SYNC || ir_is_collective(node);
}

// The group whose threads must come together at such an operation.
static IrGroup **group_of(IrNode *node) {
  if (node->op == IR_MAKE_GROUP)
    return &node->u.group.group->parent;
  return ir_op_info(node)->form == FORM_COLLECTIVE ? &node->u.collective.group
                                                   : &node->u.group.group;
}

static bool find_open(IrNode *node, void *context) {
  Deciding *d = context;
  if (!can_be_tested(node))
    return true;
  const IrGroup *group = *group_of(node);
  if (group->is_whole && ir_group_in_warp(group))
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

// ------------------------------------------------------------------ tests

static IrNode *put(Deciding *d, IrNode *before, IrOp op, IrType type,
                   IrNode *const *args, uint32_t n_args) {
  IrNode *node =
      ir_node_new(d->kernel, NULL, op, type, before->loc, args, n_args);
  ir_node_insert_before(before, node);
  return node;
}

static IrNode *ask(Deciding *d, IrNode *before, IrOp op, IrGroup *group) {
  IrNode *node = put(d, before, op, type_i32, NULL, 0);
  node->u.group.group = group;
  return node;
}

static IrGroup *make_row(Deciding *d, IrNode *before, IrGroupKind kind,
                         IrGroup *parent, IrNode *label, const char *name) {
  IrGroup *row = ir_group_new(d->kernel, kind, parent);
  row->name = name;
  row->maker = put(d, before, IR_MAKE_GROUP, type_i32, &label, label != NULL);
  row->maker->u.group.group = row;
  return row;
}

// The threads of the group that get to the operation.
static IrGroup *those_here(Deciding *d, IrNode *node, IrGroup *group) {
  IrGroup *here =
      make_row(d, node, GROUP_COALESCED, d->warp, NULL, group->name);
  if (group == d->warp)
    return here;
  IrNode *ranks[] = {ask(d, node, IR_RANK, d->warp),
                     ask(d, node, IR_RANK, group)};
  IrNode *begin = put(d, node, IR_SUB, type_i32, ranks, 2);
  return make_row(d, node, GROUP_LABELED, here, begin, group->name);
}

static void test(Deciding *d, IrNode *node) {
  IrGroup **slot = group_of(node), *group = *slot;
  IrGroup *here = those_here(d, node, group);
  IrNode *sizes[] = {ask(d, node, IR_SIZE, here), ask(d, node, IR_SIZE, group)};
  IrNode *are_all = put(d, node, IR_EQ, type_bool, sizes, 2);
  IrNode *assertion =
      put(d, node, IR_ASSERT, ir_scalar(IR_TYPE_VOID), &are_all, 1);
  assertion->u.text.text = group == d->warp
                               ? "all threads of the warp get here together"
                               : "all threads of the tile get here together";
  *slot = here;
  if (node->op == IR_SHFL) {
    IrNode *args[] = {node->args[1], sizes[1]};
    node->args[1] = put(d, node, IR_UREM, type_i32, args, 2);
  }
}

static bool test_some(Deciding *d) {
  Arena *scratch = arena_new();
  hd_vec(IrNode *) apart = {0};
  ir_kernel_renumber(d->kernel);
  const Uniformity *u = ir_uniformity(scratch, d->kernel);
  uint32_t n = 0;
  for (uint32_t i = 0; i < d->open.count; i++) {
    IrNode *node = d->open.data[i];
    if (check_is_together(d->kernel, u, node, *group_of(node)))
      d->open.data[n++] = node;
    else
      VEC_PUSH(scratch, &apart, node);
  }
  d->open.count = n;
  for (uint32_t i = 0; i < apart.count; i++)
    test(d, apart.data[i]);
  bool has_changed = apart.count > 0;
  arena_free(scratch);
  return has_changed;
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
  ir_walk(&kernel->body, find_open, &d);
  rename_warp(&d);
  while (test_some(&d))
    order_rows(&d);
  ir_kernel_renumber(kernel);
  for (uint32_t i = 0; i < kernel->groups.count; i++)
    kernel->groups.data[i]->is_whole = false;
  arena_free(d.arena);
  return true;
}
