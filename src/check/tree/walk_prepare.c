// SPDX-License-Identifier: Apache-2.0
// What the walk looks up: which variables a loop changes, which objects are
// written, whether values are used as signed or unsigned.
#include "check/tree/walk.h"
#include "ir/analyses/alias.h"
#include "ir/analyses/touches.h"
#include "ir/form/cursor.h"

// Variables of loops that are listed in all; loops beyond change any variable.
#define MAX_LISTED 2000000u

typedef struct {
  const IrNode *node;
  LoopVars *vars;
  hd_vec(uint32_t) list;
} OpenLoop;

typedef struct {
  Walk *w;
  Arena *scratch;
  hd_vec(OpenLoop) loops;
  Map seen; // (variable, loop) pairs
  uint32_t n_listed;
  hd_vec(const IrObject *) written;
  bool writes_anywhere; // through a pointer that is followed to no object
} Prepare;

static bool walk_prepare_is_loop(const IrNode *node) {
  return node->op == IR_LOOP || node->op == IR_FOR || node->op == IR_THREAD_FOR;
}

// ------------------------------------------------------- variables of loops

static void changes_in_loops(Prepare *p, uint32_t var) {
  for (uint32_t i = p->loops.count; i-- > 0;) {
    OpenLoop *loop = &p->loops.data[i];
    uint64_t key = ((uint64_t)loop->node->id << 32 | var) + 1;
    if (loop->vars->is_all || map_has(&p->seen, key))
      return;
    if (++p->n_listed > MAX_LISTED) {
      for (uint32_t k = 0; k <= i; k++)
        p->loops.data[k].vars->is_all = true;
      return;
    }
    map_put(p->scratch, &p->seen, key, loop->vars);
    VEC_PUSH(p->scratch, &loop->list, var);
  }
}

static void open_loop(Prepare *p, const IrNode *node) {
  LoopVars *vars = ARENA_NEW(p->w->arena, LoopVars);
  p->w->changed[node->id] = vars;
  VEC_PUSH(p->scratch, &p->loops, ((OpenLoop){.node = node, .vars = vars}));
}

static void close_loop(Prepare *p) {
  OpenLoop *loop = &VEC_LAST(&p->loops);
  loop->vars->n = loop->list.count;
  loop->vars->vars = arena_copy(p->w->arena, loop->list.data,
                                loop->list.count * sizeof(uint32_t));
  p->loops.count--;
}

// ------------------------------------------------------------------ objects

static const IrObject *pointed_to(const IrNode *pointer) {
  while (pointer->op == IR_PTR_ADD || pointer->op == IR_MAP_SHARED ||
         pointer->op == IR_BITCAST ||
         (pointer->op == IR_ADDRESS && !pointer->u.access.object))
    pointer = pointer->args[0];
  return pointer->op == IR_ADDRESS ? pointer->u.access.object : NULL;
}

static void walk_prepare_writes(Prepare *p, const IrObject *object) {
  if (!object)
    p->writes_anywhere = true;
  else if (!walk_is_written(p->w, object)) {
    map_put(p->w->arena, &p->w->written, MAP_KEY(object), p->w);
    VEC_PUSH(p->scratch, &p->written, object);
  }
}

static void note_writes(Prepare *p, const IrNode *node) {
  IrTouch touch;
  if (ir_main_touch(node, &touch) && touch.is_write)
    walk_prepare_writes(p, touch.pointer ? pointed_to(touch.pointer)
                                         : touch.object);
}

// Of pointers of CUDA C that is trusted not to be, as for races
// (race_overlap.c).
static bool may_overlap(const Walk *w, const IrObject *a, const IrObject *b) {
  bool is_open = a->is_plain_pointer || b->is_plain_pointer;
  if (a == b)
    return true;
  if (a->alias_class && a->alias_class == b->alias_class &&
      !(w->trusts_places && is_open))
    return true;
  return ir_is_alias_pair(w->kernel, a, b);
}

static void close_write(Prepare *p, const IrObject *object) {
  Walk *w = p->w;
  bool may_be = p->writes_anywhere &&
                !(object->is_const && !object->is_plain_pointer) &&
                object->space != SPACE_CONSTANT;
  for (uint32_t i = 0; !may_be && i < p->written.count; i++)
    may_be = may_overlap(w, object, p->written.data[i]);
  if (may_be)
    map_put(w->arena, &w->written, MAP_KEY(object), w);
}

// What is written by another name, or through a pointer.
static void close_writes(Prepare *p) {
  const IrKernel *kernel = p->w->kernel;
  for (uint32_t i = 0; i < kernel->objects.count; i++)
    close_write(p, kernel->objects.data[i]);
  for (uint32_t i = 0; i < kernel->module->globals.count; i++)
    close_write(p, kernel->module->globals.data[i]);
}

// ------------------------------------------------------------------- hints

static uint8_t hint_of(const IrNode *user) {
  switch ((int)user->op) {
  case IR_UDIV:
  case IR_UREM:
  case IR_LSHR:
  case IR_UMIN:
  case IR_UMAX:
  case IR_UMULH:
  case IR_ULT:
  case IR_ULE:
  case IR_ZEXT:
  case IR_UTOF: return HINT_UNSIGNED;
  case IR_SDIV:
  case IR_SREM:
  case IR_ASHR:
  case IR_SMIN:
  case IR_SMAX:
  case IR_SMULH:
  case IR_SABS:
  case IR_SLT:
  case IR_SLE:
  case IR_SEXT:
  case IR_STOF: return HINT_SIGNED;
  default: break;
  }
  return user->flags & NODE_NO_SIGNED_WRAP ? HINT_SIGNED : 0;
}

static void note_hints(Walk *w, const IrNode *node) {
  uint8_t hint = hint_of(node);
  for (uint32_t i = 0; hint && i < node->n_args; i++) {
    const IrNode *arg = node->args[i];
    w->hints[arg->id] |= hint;
    if (arg->op == IR_GET)
      w->var_hints[arg->u.variable.var] |= hint;
  }
}

// -------------------------------------------------------------------- pass

// Else a cluster that the launcher may ask for makes no difference.
static bool is_about_cluster(const IrNode *node) {
  switch ((int)node->op) {
  case IR_MAP_SHARED:
  case IR_SHARED_RANK:
  case IR_MBAR_ARRIVE_REMOTE:
  case IR_MBAR_ARRIVE_EXPECT_MULTICAST: return true;
  case IR_META_RANK:
  case IR_META_SIZE: return node->u.group.group->kind == GROUP_BLOCK;
  default: break;
  }
  if (ir_op_info(node)->form == FORM_GROUP)
    return node->u.group.group->kind == GROUP_CLUSTER;
  if (ir_op_info(node)->form == FORM_COLLECTIVE)
    return node->u.collective.group->kind == GROUP_CLUSTER;
  return ir_op_info(node)->form == FORM_COPY && node->u.copy.has_mask;
}

static void note_dims(Walk *w, const IrNode *node) {
  bool is_grid = ir_op_info(node)->form == FORM_GROUP &&
                 node->u.group.group->kind <= GROUP_CLUSTER;
  for (uint32_t k = 0; k < 3; k++)
    w->uses_dim[k] |=
        is_grid || (node->op == IR_BLOCK_INDEX && node->u.index.number == k);
}

static void note_counter(uint32_t var, void *context) {
  changes_in_loops(context, var);
}

static void walk_prepare_note(Prepare *p, const IrNode *node) {
  counts_of_node(p->w, node, note_counter, p);
  note_dims(p->w, node);
  p->w->uses_cluster |= is_about_cluster(node);
  note_writes(p, node);
  note_hints(p->w, node);
  if (node->op == IR_SET)
    changes_in_loops(p, node->u.variable.var);
  if (node->op == IR_THREAD_FOR)
    changes_in_loops(p, node->u.part.var);
  if (node->op == IR_FOR)
    changes_in_loops(p, node->u.loop.var);
}

void walk_prepare(Walk *w) {
  Arena *scratch = arena_new();
  Prepare p = {.w = w, .scratch = scratch};
  IrCursor cursor = cursor_at(&w->kernel->body);
  while (cursor_next(&cursor)) {
    if (cursor.event == CURSOR_NODE)
      walk_prepare_note(&p, cursor.node);
    const IrNode *owner =
        cursor.event == CURSOR_NODE ? NULL : cursor.region->owner;
    if (!owner || !walk_prepare_is_loop(owner))
      continue;
    if (cursor.event == CURSOR_ENTER)
      open_loop(&p, owner);
    else
      close_loop(&p);
  }
  for (uint32_t i = 0; i < w->kernel->objects.count; i++)
    w->uses_cluster |= w->kernel->objects.data[i]->is_cluster_shared;
  close_writes(&p);
  arena_free(scratch);
}
