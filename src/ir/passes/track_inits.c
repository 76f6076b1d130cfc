// SPDX-License-Identifier: Apache-2.0
// Programs that are checked: whether mbarriers are initialised before other
// threads use them. Here they are ready before the kernel's first node; in CUDA
// C++ a thread makes one so (mbar_init), and what others do with it has to be
// ordered behind that. Beside each such array of barriers stands one of marks:
//
//   mbar_init bar[i]          bar.mark[i] = true
//   mbar_arrive bar[i]        bar.mark[i], then mbar_arrive bar[i]
//
// An initialisation that nothing orders is then a data race on the mark, for
// the checker as for runs with checks. An initialisation of an element that
// doesn't exist is told as one; of other uses the barrier's own operation tells
// it, so what looks at marks may miss.
#include "ir/analyses/analysis.h"

#include <string.h>

typedef struct {
  IrKernel *kernel;
  Arena *scratch;
  bool *is_marked;     // by object: an mbarrier with mbar_init
  IrObject **marks_of; // by object: the array beside it, or NULL
  hd_vec(IrNode *) nodes;
} Inits;

static const IrType type_bool = {.kind = IR_TYPE_BOOL, .lanes = 1};

// The barrier that a node uses, and where its indices begin; NULL: none.
static IrObject *track_inits_barrier_of(const IrNode *node, uint32_t *first) {
  *first = 0;
  IrForm form = ir_op_info(node)->form;
  if (form == FORM_BARRIER)
    return node->u.barrier.object;
  if (form != FORM_COPY || !node->u.copy.barrier)
    return NULL;
  *first = ir_copies_bytes(node)
               ? 3
               : node->u.copy.to.object->rank + node->u.copy.from.object->rank;
  return node->u.copy.barrier;
}

static bool find_inits(IrNode *node, void *context) {
  Inits *inits = context;
  if (node->op == IR_MBAR_INIT)
    inits->is_marked[node->u.barrier.object->id] = true;
  return true;
}

static bool find_uses(IrNode *node, void *context) {
  Inits *inits = context;
  uint32_t first;
  const IrObject *object = track_inits_barrier_of(node, &first);
  if (object && inits->is_marked[object->id])
    VEC_PUSH(inits->scratch, &inits->nodes, node);
  return true;
}

static IrObject *track_inits_marks_new(IrKernel *kernel,
                                       const IrObject *barrier) {
  IrObject *marks =
      ir_object_new(kernel, barrier->name, SPACE_SHARED, type_bool);
  marks->rank = barrier->rank;
  for (uint32_t i = 0; i < barrier->rank; i++)
    marks->extents[i] = barrier->extents[i];
  marks->element_bytes = 1;
  marks->align_bytes = 1;
  marks->layout = barrier->layout;
  marks->group = barrier->group;
  marks->lifetime = barrier->lifetime;
  marks->is_cluster_shared = barrier->is_cluster_shared;
  marks->marks_barrier = true;
  marks->loc = barrier->loc;
  return marks;
}

static IrNode *track_inits_make(Inits *inits, IrNode *before, IrOp op,
                                IrType type, IrNode **args, uint32_t n) {
  IrNode *node =
      ir_node_new(inits->kernel, NULL, op, type, before->loc, args, n);
  ir_node_insert_before(before, node);
  return node;
}

static void track_inits_mark(Inits *inits, IrNode *init, IrObject *marks) {
  IrNode *args[IR_MAX_RANK + 1];
  if (marks->rank > 0)
    memcpy(args, init->args, marks->rank * sizeof *args);
  args[marks->rank] =
      ir_const_int(inits->kernel, NULL, type_bool, 1, init->loc);
  ir_node_insert_before(init, args[marks->rank]);
  IrNode *store = track_inits_make(
      inits, init, IR_STORE, ir_scalar(IR_TYPE_VOID), args, marks->rank + 1);
  store->u.access = (IrAccess){.object = marks,
                               .type = type_bool,
                               .align_bytes = 1,
                               .n_index = marks->rank};
}

static void track_inits_look(Inits *inits, IrNode *use, IrObject *marks,
                             uint32_t first) {
  IrNode *load = track_inits_make(inits, use, IR_LOAD, type_bool,
                                  use->args + first, marks->rank);
  load->u.access = (IrAccess){.object = marks,
                              .type = type_bool,
                              .align_bytes = 1,
                              .n_index = marks->rank,
                              .bounds = BOUNDS_ZERO};
}

// The mark of the barrier in another block of the cluster.
static void look_there(Inits *inits, IrNode *use, IrObject *marks) {
  IrNode *args[2];
  IrType pointer = {.kind = IR_TYPE_PTR, .lanes = 1, .space = SPACE_SHARED};
  args[0] =
      track_inits_make(inits, use, IR_ADDRESS, pointer, use->args, marks->rank);
  args[0]->u.access = (IrAccess){.object = marks,
                                 .type = type_bool,
                                 .align_bytes = 1,
                                 .n_index = marks->rank};
  args[1] = use->args[marks->rank];
  IrNode *place = track_inits_make(inits, use, IR_MAP_SHARED, pointer, args, 2);
  place->u.group.group = inits->kernel->groups.data[GROUP_ROW_CLUSTER];
  IrNode *load = track_inits_make(inits, use, IR_LOAD, type_bool, &place, 1);
  load->u.access = (IrAccess){.type = type_bool, .align_bytes = 1};
  marks->address_taken = true;
}

static void track_inits_follow(Inits *inits, IrNode *node) {
  uint32_t first;
  const IrObject *object = track_inits_barrier_of(node, &first);
  IrObject **marks = &inits->marks_of[object->id];
  if (!*marks)
    *marks = track_inits_marks_new(inits->kernel, object);
  if (node->op == IR_MBAR_INIT)
    track_inits_mark(inits, node, *marks);
  else if (node->op == IR_MBAR_ARRIVE_REMOTE)
    look_there(inits, node, *marks);
  else
    track_inits_look(inits, node, *marks, first);
}

bool ir_track_inits(IrKernel *kernel, bool follows) {
  Arena *scratch = arena_new();
  uint32_t n_objects = kernel->objects.count;
  Inits inits = {.kernel = kernel, .scratch = scratch};
  inits.is_marked = ARENA_ARRAY(scratch, bool, n_objects);
  inits.marks_of = ARENA_ARRAY(scratch, IrObject *, n_objects);
  ir_walk(&kernel->body, find_inits, &inits);
  ir_walk(&kernel->body, find_uses, &inits);
  for (uint32_t i = 0; i < inits.nodes.count; i++) {
    IrNode *node = inits.nodes.data[i];
    if (follows)
      track_inits_follow(&inits, node);
    if (node->op == IR_MBAR_INIT)
      ir_node_unlink(node);
  }
  bool has_changed = inits.nodes.count > 0;
  if (has_changed)
    ir_kernel_renumber(kernel);
  arena_free(scratch);
  return has_changed;
}
