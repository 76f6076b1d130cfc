// SPDX-License-Identifier: Apache-2.0
// Which whole_warp() is this_warp(), and which is tested at run time.
//
// Note [Deciding whole warps]
// whole_warp() stands where all threads of the warp get to, whether the rules
// can tell or not. First all of them are taken for the warp. Where the analysis
// then can't tell that the warp gets together to something that needs it, that
// whole_warp() becomes coalesced_threads() with a test that these are all, and
// the analysis is asked again, until nothing changes. So a loop that goes on
// while any(whole_warp(), p) holds is the warp's: what decides about its turns
// is a vote of the warp as long as the warp is whole there.
#include "ir/analysis.h"
#include "ir/check_rules.h"

typedef struct {
  IrGroup **slot;
  const IrNode *node; // that needs the group's threads together, or NULL
} Use;

typedef struct {
  IrGroup *row, *warp;
  IrNode *maker;
  hd_vec(Use) uses;
  bool is_tested; // at run time
} Whole;

typedef struct {
  IrKernel *kernel;
  Arena *arena;
  hd_vec(Whole) list;
} Deciding;

// ------------------------------------------------------------------ uses

static Whole *whole_of(Deciding *d, const IrGroup *group) {
  for (uint32_t i = 0; i < d->list.count; i++)
    if (d->list.data[i].row == group)
      return &d->list.data[i];
  return NULL;
}

static void add_use(Deciding *d, IrGroup **slot, const IrNode *node) {
  Whole *whole = *slot ? whole_of(d, *slot) : NULL;
  Use use = {slot, node};
  if (whole)
    VEC_PUSH(d->arena, &whole->uses, use);
}

static bool is_labeled(const IrNode *node) {
  return node->op == IR_MAKE_GROUP &&
         node->u.group.group->kind == GROUP_LABELED;
}

// The node's threads must come together; those that ask for a rank needn't.
static bool is_meeting(const IrNode *node) {
  return (ir_op_info(node)->flags & OPF_COLLECTIVE) || node->op == IR_WITH;
}

static bool find_uses(IrNode *node, void *context) {
  Deciding *d = context;
  const IrNode *meeting = is_meeting(node) ? node : NULL;
  switch ((int)ir_op_info(node)->form) {
  case FORM_GROUP: add_use(d, &node->u.group.group, meeting); break;
  case FORM_COLLECTIVE: add_use(d, &node->u.collective.group, meeting); break;
  case FORM_COPY: add_use(d, &node->u.copy.group, meeting); break;
  case FORM_PART:
    add_use(d, &node->u.part.group, meeting);
    add_use(d, &node->u.part.parent, meeting);
    break;
  default: break;
  }
  return true;
}

static void find_all(Deciding *d) {
  IrKernel *kernel = d->kernel;
  for (uint32_t i = 0; i < kernel->groups.count; i++) {
    IrGroup *row = kernel->groups.data[i];
    Whole whole = {.row = row, .warp = row->parent, .maker = row->maker};
    if (row->is_whole)
      VEC_PUSH(d->arena, &d->list, whole);
  }
  if (d->list.count == 0)
    return;
  ir_walk(&kernel->body, find_uses, d);
  for (uint32_t i = 0; i < kernel->groups.count; i++)
    add_use(d, &kernel->groups.data[i]->parent, NULL);
  for (uint32_t i = 0; i < kernel->objects.count; i++)
    add_use(d, &kernel->objects.data[i]->group, NULL);
}

// --------------------------------------------------------------- deciding

static void put(const Whole *whole, IrGroup *group) {
  for (uint32_t i = 0; i < whole->uses.count; i++)
    *whole->uses.data[i].slot = group;
}

// The maker makes nothing as long as the group is the warp.
static void assume_warp(const Whole *whole) {
  put(whole, whole->warp);
  whole->maker->op = IR_CONST;
  whole->maker->u.constant.bits = 0;
}

static void put_back(Whole *whole) {
  put(whole, whole->row);
  whole->maker->op = IR_MAKE_GROUP;
  whole->maker->u.group.group = whole->row;
}

static bool is_part_of(const Whole *whole, const IrGroup *group) {
  for (uint32_t i = 0; i < whole->uses.count; i++)
    if (whole->uses.data[i].slot == &group->parent)
      return true;
  return false;
}

// What the node needs that is a tile of the warp, or the warp where that is
// divided by labels; NULL: nothing.
static const IrGroup *part_needed(const Whole *whole, const IrKernel *kernel,
                                  const IrNode *node) {
  const IrGroup *group = ir_op_group(kernel, node);
  if (is_labeled(node))
    return is_part_of(whole, group) ? whole->warp : NULL;
  for (const IrGroup *up = group; up && is_meeting(node); up = up->parent) {
    if (up->kind != GROUP_TILED)
      break;
    if (is_part_of(whole, up))
      return group;
  }
  return NULL;
}

typedef struct {
  const Deciding *d;
  const Uniformity *u;
  const Whole *whole;
} Question;

static bool gets_together(IrNode *node, void *context) {
  const Question *q = context;
  const IrGroup *group = part_needed(q->whole, q->d->kernel, node);
  return !group || check_is_together(q->d->kernel, q->u, node, group);
}

static bool is_apart(const Deciding *d, const Uniformity *u,
                     const Whole *whole) {
  bool has_parts = false;
  for (uint32_t i = 0; i < whole->uses.count; i++) {
    const Use *use = &whole->uses.data[i];
    has_parts |= !use->node;
    if (use->node && !check_is_together(d->kernel, u, use->node, whole->warp))
      return true;
  }
  Question question = {d, u, whole};
  return has_parts && !ir_walk(&d->kernel->body, gets_together, &question);
}

static bool decide_once(Deciding *d) {
  bool has_changed = false;
  Arena *scratch = arena_new();
  const Uniformity *u = ir_uniformity(scratch, d->kernel);
  for (uint32_t i = 0; i < d->list.count; i++) {
    Whole *whole = &d->list.data[i];
    // Asked of the state that the analysis saw: nothing is put back yet.
    if (!whole->is_tested && is_apart(d, u, whole))
      whole->is_tested = has_changed = true;
  }
  arena_free(scratch);
  for (uint32_t i = 0; i < d->list.count; i++)
    if (d->list.data[i].is_tested)
      put_back(&d->list.data[i]);
  return has_changed;
}

// ------------------------------------------------------------------ tests

static IrNode *add_behind(Deciding *d, IrNode **last, IrOp op, IrType type,
                          IrNode *const *args, uint32_t n_args) {
  IrNode *node =
      ir_node_new(d->kernel, NULL, op, type, (*last)->loc, args, n_args);
  ir_node_insert_after(*last, node);
  *last = node;
  return node;
}

// Behind the maker: nobody is missing.
static void add_test(Deciding *d, const Whole *whole) {
  IrNode *last = whole->maker, *sizes[2];
  IrGroup *groups[2] = {whole->row, whole->warp};
  for (uint32_t i = 0; i < 2; i++) {
    sizes[i] = add_behind(d, &last, IR_SIZE, ir_scalar(IR_TYPE_I32), NULL, 0);
    sizes[i]->u.group.group = groups[i];
  }
  IrNode *are_all =
      add_behind(d, &last, IR_EQ, ir_scalar(IR_TYPE_BOOL), sizes, 2);
  IrNode *test =
      add_behind(d, &last, IR_ASSERT, ir_scalar(IR_TYPE_VOID), &are_all, 1);
  test->u.text.text = "all threads of the warp get here together";
}

// A shuffle of the warp takes the source modulo 32, one of coalesced threads
// doesn't.
static void wrap_source(Deciding *d, IrNode *shuffle) {
  IrType type = shuffle->args[1]->type;
  IrNode *most = ir_const_int(d->kernel, NULL, type, 31, shuffle->loc);
  IrNode *args[2] = {shuffle->args[1], most};
  IrNode *wrapped =
      ir_node_new(d->kernel, NULL, IR_AND, type, shuffle->loc, args, 2);
  ir_node_insert_before(shuffle, most);
  ir_node_insert_before(shuffle, wrapped);
  shuffle->args[1] = wrapped;
}

static bool wrap_sources(IrNode *node, void *context) {
  Deciding *d = context;
  const Whole *whole =
      node->op == IR_SHFL ? whole_of(d, node->u.group.group) : NULL;
  if (whole && whole->is_tested)
    wrap_source(d, node);
  return true;
}

// Tiles of the warp: their size is known, as lowering would have had it.
static void measure_tiles(const IrKernel *kernel, const IrGroup *warp) {
  for (uint32_t i = 0; i < kernel->groups.count; i++) {
    IrGroup *row = kernel->groups.data[i];
    IrNode *maker = row->maker;
    if (row->parent != warp || row->kind != GROUP_TILED || !maker ||
        maker->n_args == 0 || maker->args[0]->op != IR_CONST)
      continue;
    int64_t n = (int64_t)maker->args[0]->u.constant.bits;
    row->alignment = n < 32 ? (uint32_t)n : 32;
    if (warp->size <= 0 || warp->size % n != 0)
      continue;
    row->size = n;
    row->instances = warp->size / n;
    maker->n_args = 0;
  }
}

// Rows that are the warp now are gone.
static void drop_rows(Deciding *d) {
  IrKernel *kernel = d->kernel;
  uint32_t n = 0;
  for (uint32_t i = 0; i < kernel->groups.count; i++) {
    IrGroup *row = kernel->groups.data[i];
    const Whole *whole = whole_of(d, row);
    row->is_whole = false;
    if (whole && !whole->is_tested)
      continue;
    row->id = n;
    kernel->groups.data[n++] = row;
  }
  kernel->groups.count = n;
}

bool ir_decide_warps(IrKernel *kernel) {
  Deciding d = {.kernel = kernel, .arena = arena_new()};
  find_all(&d);
  if (d.list.count > 0) {
    for (uint32_t i = 0; i < d.list.count; i++)
      assume_warp(&d.list.data[i]);
    while (decide_once(&d)) {
    }
    ir_walk(&kernel->body, wrap_sources, &d);
    for (uint32_t i = 0; i < d.list.count; i++) {
      const Whole *whole = &d.list.data[i];
      if (whole->is_tested)
        add_test(&d, whole);
      else
        ir_node_unlink(whole->maker);
    }
    measure_tiles(kernel, d.list.data[0].warp);
    drop_rows(&d);
    ir_kernel_renumber(kernel);
  }
  bool has_changed = d.list.count > 0;
  arena_free(d.arena);
  return has_changed;
}
