// SPDX-License-Identifier: Apache-2.0
// Programs that are checked: whether blocks of a cluster end while others still
// use their shared memory. Here a block waits for its cluster at its end; in
// CUDA C++ its shared memory is gone then. So at the end, when the last of its
// threads has come, the block writes what others may reach:
//
//   sync of the block
//   for (i = rank; i < n; i += threads) s[i] = 0      (NODE_ENDS)
//
// What another block does with s and nothing orders before that is a data race,
// for the checker as for runs with checks.
#include "ir/analyses/analysis.h"

typedef struct {
  IrKernel *kernel;
  IrRegion *region; // that is written
  IrLocId loc;
  bool *is_reached; // by object
  bool reaches_any; // through a pointer that may lead to any
} Ends;

static const IrType type_i64 = {.kind = IR_TYPE_I64, .lanes = 1};
static const IrType type_i32 = {.kind = IR_TYPE_I32, .lanes = 1};
static const IrType type_i8 = {.kind = IR_TYPE_I8, .lanes = 1};

static bool find_reached(IrNode *node, void *context) {
  Ends *ends = context;
  if (node->op != IR_MAP_SHARED)
    return true;
  const IrNode *place = node->args[0];
  const IrObject *object =
      place->op == IR_ADDRESS ? place->u.access.object : NULL;
  if (object)
    ends->is_reached[object->id] = true;
  else
    ends->reaches_any = true;
  return true;
}

static bool is_reached(const Ends *ends, const IrObject *object) {
  bool is_shared = object->kind == OBJECT_ARRAY &&
                   object->space == SPACE_SHARED && !object->is_cluster_shared;
  return is_shared && (ends->is_reached[object->id] ||
                       (ends->reaches_any && object->address_taken));
}

static IrNode *track_ends_make(Ends *ends, IrOp op, IrType type, IrNode **args,
                               uint32_t n) {
  return ir_node_new(ends->kernel, ends->region, op, type, ends->loc, args, n);
}

static IrNode *track_ends_number(Ends *ends, int64_t value) {
  return ir_const_int(ends->kernel, ends->region, type_i64, (uint64_t)value,
                      ends->loc);
}

// Elements of the object.
static IrNode *track_ends_count_of(Ends *ends, IrObject *object) {
  IrNode *count = NULL;
  for (uint32_t k = 0; k < object->rank; k++) {
    IrNode *extent = track_ends_make(ends, IR_EXTENT, type_i64, NULL, 0);
    extent->u.index.number = k;
    extent->u.index.object = object;
    IrNode *both[2] = {count, extent};
    count = count ? track_ends_make(ends, IR_MUL, type_i64, both, 2) : extent;
  }
  return count ? count : track_ends_number(ends, 1);
}

// A byte of each element will do.
static void write_element(Ends *ends, IrObject *object, IrNode *at) {
  IrNode *factors[2] = {at, track_ends_number(ends, object->element_bytes)};
  IrNode *args[2];
  args[0] = track_ends_make(ends, IR_MUL, type_i64, factors, 2);
  args[1] = ir_const_int(ends->kernel, ends->region, type_i8, 0, ends->loc);
  IrNode *store =
      track_ends_make(ends, IR_STORE, ir_scalar(IR_TYPE_VOID), args, 2);
  store->flags |= NODE_ENDS;
  store->u.access = (IrAccess){
      .object = object, .type = type_i8, .align_bytes = 1, .has_offset = true};
}

static void track_ends_write_all(Ends *ends, IrObject *object) {
  IrRegion *outside = ends->region;
  IrGroup *block = ends->kernel->groups.data[GROUP_ROW_BLOCK];
  const int32_t *dim = ends->kernel->block_dim;
  IrNode *rank = track_ends_make(ends, IR_RANK, type_i32, NULL, 0);
  rank->u.group.group = block;
  IrNode *bounds[2];
  bounds[0] = track_ends_make(ends, IR_ZEXT, type_i64, &rank, 1);
  bounds[1] = track_ends_count_of(ends, object);
  IrNode *loop =
      track_ends_make(ends, IR_FOR, ir_scalar(IR_TYPE_VOID), bounds, 2);
  loop->u.loop.var = ir_var_new(ends->kernel, NULL, type_i64);
  loop->u.loop.step = (int64_t)dim[0] * dim[1] * dim[2];
  loop->u.loop.is_signed = true;
  ends->region = &loop->regions[0];
  IrNode *at = track_ends_make(ends, IR_GET, type_i64, NULL, 0);
  at->u.variable.var = loop->u.loop.var;
  write_element(ends, object, at);
  ends->region = outside;
}

// The brace that ends the kernel.
static IrLocId track_ends_end_of(const IrKernel *kernel) {
  IrLoc loc = kernel->module->locs.data[kernel->loc];
  if (loc.place.end_line == 0 || loc.place.end_col < 2)
    return kernel->loc;
  loc.place.line = loc.place.end_line;
  loc.place.col = loc.place.end_col - 1;
  return ir_loc_intern(kernel->module, &loc);
}

bool ir_track_ends(IrKernel *kernel) {
  Arena *scratch = arena_new();
  Ends ends = {.kernel = kernel, .region = &kernel->body};
  uint32_t n_objects = kernel->objects.count;
  ends.is_reached = ARENA_ARRAY(scratch, bool, n_objects + 1);
  ir_walk(&kernel->body, find_reached, &ends);
  bool has_changed = false;
  for (uint32_t i = 0; i < n_objects; i++) {
    IrObject *object = kernel->objects.data[i];
    if (!is_reached(&ends, object))
      continue;
    if (!has_changed) {
      ends.loc = track_ends_end_of(kernel);
      IrNode *sync =
          track_ends_make(&ends, IR_SYNC, ir_scalar(IR_TYPE_VOID), NULL, 0);
      sync->u.group.group = kernel->groups.data[GROUP_ROW_BLOCK];
    }
    track_ends_write_all(&ends, object);
    has_changed = true;
  }
  if (has_changed)
    ir_kernel_renumber(kernel);
  arena_free(scratch);
  return has_changed;
}
