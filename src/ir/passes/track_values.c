// SPDX-License-Identifier: Apache-2.0
// Programs that are run with checks: which of a thread's own variables have a
// value yet. Beside each variable that may be read before it is written, and
// beside each private array, stands one that says so.
//
//   int x;                    x.set = 0
//   if (c) x = 1;             … x.set = 1
//   y = x;                    check_value x.set & 1 == 1, "x"
//
// Of a struct or short vector each leaf has its bit. Arrays whose address is
// taken, or that are reached by bytes, are left alone. A struct may be copied
// before all of its members have values: what is copied has none, either. So
// may the value that a thread has for a shuffle: who receives it reads it.
//
//   y = shfl(x, 0);           check_value shfl(x.set, 0) & 1 == 1, "x"
#include "ir/analyses/alias.h"
#include "ir/analyses/analysis.h"
#include "ir/analyses/touches.h"

#include <string.h>

enum { MOST_LEAVES = 64 };

typedef struct {
  IrKernel *kernel;
  uint32_t n_vars;     // before the pass
  uint32_t *mask_of;   // by variable: the one beside it, or UINT32_MAX
  uint64_t *all_bits;  // by variable
  const char **shown;  // by variable: its name, or that of what it is a copy of
  IrObject **marks_of; // by object: the array beside it, or NULL
  Begins begins;       // with turns of loops
  bool changed;
} Tracker;

static const IrType type_bool = {.kind = IR_TYPE_BOOL, .lanes = 1};
static const IrType type_i64 = {.kind = IR_TYPE_I64, .lanes = 1};

// ---------------------------------------------------------------- making

typedef struct {
  Tracker *t;
  IrPlace place;
} Spot;

static Spot track_values_spot_at(Tracker *t, IrNode *at, bool is_after) {
  return (Spot){t, {t->kernel, at, is_after, at->loc}};
}

static IrNode *track_values_put(Spot *p, IrNode *node) {
  p->t->changed = true;
  return ir_place_put(&p->place, node);
}

static IrNode *track_values_make(Spot *p, IrOp op, IrType type, IrNode **args,
                                 uint32_t n) {
  p->t->changed = true;
  return ir_place_node(&p->place, op, type, args, n);
}

static IrNode *track_values_number(Spot *p, IrType type, uint64_t bits) {
  return track_values_put(
      p, ir_const_int(p->t->kernel, NULL, type, bits, p->place.loc));
}

static IrNode *track_values_get(Spot *p, uint32_t var, IrType type) {
  IrNode *node = track_values_make(p, IR_GET, type, NULL, 0);
  node->u.variable.var = var;
  return node;
}

static void track_values_set(Spot *p, uint32_t var, IrNode *value) {
  IrNode *node =
      track_values_make(p, IR_SET, ir_scalar(IR_TYPE_VOID), &value, 1);
  node->u.variable.var = var;
}

static void track_values_check(Spot *p, IrNode *holds, const char *name) {
  IrNode *node =
      track_values_make(p, IR_CHECK_VALUE, ir_scalar(IR_TYPE_VOID), &holds, 1);
  node->u.text.text = name;
}

// -------------------------------------------------------------- variables

static uint32_t track_values_leaf_count(const IrModule *module, IrType type) {
  if (type.kind == IR_TYPE_STRUCT)
    return module->structs.data[type.index]->leaves.count;
  return type.lanes;
}

// The variables of operators are theirs alone, and the operation gives them
// their values.
static bool leave_operators(IrNode *node, void *context) {
  Tracker *t = context;
  bool is_var = node->op == IR_GET || node->op == IR_SET;
  if (is_var && ir_is_in_operator(node))
    t->all_bits[node->u.variable.var] = 0;
  return true;
}

// 0: it can't be tracked.
static uint64_t track_values_bits_of(const Tracker *t, uint32_t var) {
  const IrVar *row = &t->kernel->vars.data[var];
  uint32_t n = track_values_leaf_count(t->kernel->module, row->type);
  if (row->type.kind == IR_TYPE_TOKEN || row->type.kind == IR_TYPE_TILE ||
      n == 0 || n > MOST_LEAVES)
    return 0;
  return n == 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
}

static bool is_tracked(const Tracker *t, const Liveness *liveness,
                       uint32_t var) {
  return t->kernel->vars.data[var].name &&
         ir_var_may_lack(t->kernel, liveness, &t->begins, var);
}

// A variable that is a member of a struct, "s.m"; a copy of the struct gets one
// member after the other.
static bool is_member(const Tracker *t, uint32_t var) {
  const char *name = t->kernel->vars.data[var].name;
  return name && strchr(name, '.');
}

// The member whose value a SET only copies, NULL: it is no copy of a member.
// What a function gives has no name.
static const IrNode *track_values_copied(const Tracker *t, const IrNode *node) {
  const IrNode *value = node->op == IR_SET ? node->args[0] : NULL;
  if (!value || value->op != IR_GET)
    return NULL;
  uint32_t from = value->u.variable.var, to = node->u.variable.var;
  bool is_from = is_member(t, from) || !t->kernel->vars.data[from].name;
  bool is_to = is_member(t, to) || !t->kernel->vars.data[to].name;
  return is_from && is_to ? value : NULL;
}

typedef struct {
  Tracker *t;
  hd_vec(IrNode *) nodes;
  Arena *scratch;
} Copies;

static bool find_copy(IrNode *node, void *context) {
  Copies *copies = context;
  if (track_values_copied(copies->t, node) && !ir_is_in_operator(node))
    VEC_PUSH(copies->scratch, &copies->nodes, node);
  return true;
}

// A copy of what may have no value may have none.
static void follow_copies(Tracker *t, Arena *scratch) {
  Copies copies = {.t = t, .scratch = scratch};
  ir_walk(&t->kernel->body, find_copy, &copies);
  for (bool grows = true; grows;) {
    grows = false;
    for (uint32_t i = 0; i < copies.nodes.count; i++) {
      const IrNode *node = copies.nodes.data[i];
      uint32_t from = node->args[0]->u.variable.var, to = node->u.variable.var;
      if (!t->all_bits[from] || t->all_bits[to] ||
          track_values_bits_of(t, to) != t->all_bits[from])
        continue;
      t->all_bits[to] = t->all_bits[from];
      if (!t->shown[to])
        t->shown[to] = t->shown[from];
      grows = true;
    }
  }
}

static void track_values_find_vars(Tracker *t, Arena *scratch) {
  IrKernel *kernel = t->kernel;
  const Liveness *liveness = ir_liveness(scratch, kernel);
  t->n_vars = kernel->vars.count;
  t->mask_of = ARENA_ARRAY(scratch, uint32_t, t->n_vars);
  t->all_bits = ARENA_ARRAY(scratch, uint64_t, t->n_vars);
  t->shown = ARENA_ARRAY(scratch, const char *, t->n_vars);
  for (uint32_t i = 0; i < t->n_vars; i++) {
    t->mask_of[i] = UINT32_MAX;
    t->shown[i] = kernel->vars.data[i].name;
    if (is_tracked(t, liveness, i))
      t->all_bits[i] = track_values_bits_of(t, i);
  }
  follow_copies(t, scratch);
  ir_walk(&kernel->body, leave_operators, t);
  for (uint32_t i = 0; i < t->n_vars; i++)
    if (t->all_bits[i])
      t->mask_of[i] = ir_var_new(kernel, NULL, type_i64);
}

// Bits of the leaves that a SET gives a value: one, where the rest is the
// variable's own.
static uint64_t bits_set(const Tracker *t, const IrNode *node) {
  uint32_t var = node->u.variable.var;
  uint64_t bits = 0;
  for (const IrNode *value = node->args[0]; value->op == IR_INSERT;
       value = value->args[0]) {
    bits |= UINT64_C(1) << (value->u.index.number & 63);
    const IrNode *whole = value->args[0];
    if (whole->op == IR_GET && whole->u.variable.var == var)
      return bits;
  }
  return t->all_bits[var];
}

// Into a thread's own memory, where a struct may lie, too.
static bool is_own_store(const IrNode *node) {
  const IrObject *object = node->op == IR_STORE ? node->u.access.object : NULL;
  return object && object->space == SPACE_LOCAL;
}

// A variable's value goes to other threads.
static bool is_exchange(const IrNode *node) {
  return ir_is_shuffle(node->op) && node->args[0]->op == IR_GET;
}

typedef struct {
  const Tracker *t;
  uint64_t *reads; // by node
} Uses;

// The leaves that are read of each GET; found from its uses.
static bool track_values_note_uses(IrNode *node, void *context) {
  const Uses *uses = context;
  uint64_t *reads = uses->reads;
  if (track_values_copied(uses->t, node))
    return true;
  for (uint32_t i = 0; i < node->n_args; i++) {
    const IrNode *arg = node->args[i];
    if (arg->op != IR_GET)
      continue;
    // What a function gets is read by what stands inside.
    bool is_passed =
        node->op == IR_CALL ||
        (is_own_store(node) && is_member(uses->t, arg->u.variable.var));
    bool is_kept = i == 0 && (node->op == IR_INSERT || is_exchange(node));
    if (is_kept || is_passed)
      continue;
    bool is_part = node->op == IR_EXTRACT;
    reads[arg->id] |=
        is_part ? UINT64_C(1) << (node->u.index.number & 63) : UINT64_MAX;
  }
  return true;
}

static void track_set(Tracker *t, IrNode *node) {
  uint32_t var = node->u.variable.var, mask = t->mask_of[var];
  uint64_t bits = bits_set(t, node);
  Spot p = track_values_spot_at(t, node, true);
  const IrNode *from = track_values_copied(t, node);
  uint32_t origin = from ? from->u.variable.var : 0;
  bool is_copy =
      from && t->mask_of[origin] != UINT32_MAX && t->all_bits[origin] == bits;
  IrNode *now = is_copy ? track_values_get(&p, t->mask_of[origin], type_i64)
                        : track_values_number(&p, type_i64, bits);
  if (bits != t->all_bits[var]) {
    IrNode *args[2] = {track_values_get(&p, mask, type_i64), now};
    now = track_values_make(&p, IR_OR, type_i64, args, 2);
  }
  track_values_set(&p, mask, now);
}

static void check_bits(Spot *p, IrNode *mask, uint64_t bits, const char *name) {
  IrNode *wanted = track_values_number(p, type_i64, bits);
  IrNode *both[2] = {mask, wanted};
  IrNode *have[2] = {track_values_make(p, IR_AND, type_i64, both, 2), wanted};
  track_values_check(p, track_values_make(p, IR_EQ, type_bool, have, 2), name);
}

static void track_get(Tracker *t, IrNode *node, uint64_t reads) {
  uint32_t var = node->u.variable.var;
  uint64_t bits = reads & t->all_bits[var];
  if (bits == 0)
    return;
  Spot p = track_values_spot_at(t, node, false);
  check_bits(&p, track_values_get(&p, t->mask_of[var], type_i64), bits,
             t->shown[var]);
}

static void track_exchange(Tracker *t, IrNode *node) {
  IrNode *given = node->args[0];
  uint32_t var = given->u.variable.var;
  Spot from = track_values_spot_at(t, given, false),
       to = track_values_spot_at(t, node, true);
  to.place.loc = given->loc;
  IrNode *args[2] = {track_values_get(&from, t->mask_of[var], type_i64),
                     node->args[1]};
  IrNode *received = track_values_make(&to, node->op, type_i64, args, 2);
  received->u = node->u;
  check_bits(&to, received, t->all_bits[var], t->shown[var]);
}

// ----------------------------------------------------------------- arrays

static bool refuse_array(IrNode *node, void *context) {
  Tracker *t = context;
  if (ir_op_info(node)->form != FORM_ACCESS)
    return true;
  const IrAccess *access = &node->u.access;
  IrObject *object = access->object;
  bool is_own = object && object->space == SPACE_LOCAL;
  if (is_own && (node->op == IR_ADDRESS || access->has_offset ||
                 access->n_index != object->rank ||
                 !ir_type_equal(access->type, object->element)))
    t->marks_of[object->id] = NULL;
  return true;
}

static IrObject *track_values_marks_new(IrKernel *kernel,
                                        const IrObject *array) {
  IrObject *marks = ir_object_new(kernel, array->name, SPACE_LOCAL, type_bool);
  marks->rank = array->rank;
  for (uint32_t i = 0; i < array->rank; i++)
    marks->extents[i] = array->extents[i];
  marks->element_bytes = 1;
  marks->align_bytes = 1;
  marks->layout = array->layout;
  marks->group = array->group;
  marks->loc = array->loc;
  return marks;
}

static void find_arrays(Tracker *t, Arena *scratch) {
  IrKernel *kernel = t->kernel;
  uint32_t n = kernel->objects.count;
  t->marks_of = ARENA_ARRAY(scratch, IrObject *, n);
  for (uint32_t i = 0; i < n; i++) {
    IrObject *object = kernel->objects.data[i];
    bool is_own = object->kind == OBJECT_ARRAY &&
                  object->space == SPACE_LOCAL && !object->address_taken &&
                  !object->initial && object->rank > 0;
    t->marks_of[i] = is_own ? object : NULL;
  }
  ir_walk(&kernel->body, refuse_array, t);
  for (uint32_t i = 0; i < n; i++)
    if (t->marks_of[i])
      t->marks_of[i] = track_values_marks_new(kernel, t->marks_of[i]);
}

// The access' indices, offset and guard on the array beside it.
static IrNode *mark_access(Spot *p, const IrNode *node, IrOp op, IrType type,
                           IrNode *value) {
  const IrAccess *access = &node->u.access;
  uint32_t n = access->n_index + (uint32_t)access->has_guard;
  IrNode *args[IR_MAX_RANK + 2];
  for (uint32_t i = 0; i < n; i++)
    args[i] = node->args[i];
  if (value)
    args[n++] = value;
  IrNode *mark = track_values_make(p, op, type, args, n);
  mark->u.access = (IrAccess){.object = p->t->marks_of[access->object->id],
                              .type = type_bool,
                              .align_bytes = 1,
                              .n_index = access->n_index,
                              .has_guard = access->has_guard,
                              .bounds = access->bounds};
  return mark;
}

static bool tracks_array(const Tracker *t, const IrNode *node) {
  const IrObject *object = ir_target_object(node);
  return object && object->space == SPACE_LOCAL &&
         object->id < t->kernel->objects.count &&
         t->kernel->objects.data[object->id] == object &&
         t->marks_of[object->id] != NULL;
}

static void track_access(Tracker *t, IrNode *node) {
  IrTouch touch;
  if (!ir_main_touch(node, &touch))
    return;
  // What a guarded or bounded access leaves out is zero by definition.
  bool is_plain = !touch.guard && touch.bounds == BOUNDS_NONE;
  if (touch.is_read && is_plain) {
    Spot p = track_values_spot_at(t, node, false);
    IrNode *holds = mark_access(&p, node, IR_LOAD, type_bool, NULL);
    track_values_check(&p, holds, touch.object->name);
  }
  if (touch.is_write) {
    Spot p = track_values_spot_at(t, node, true);
    IrNode *yes = track_values_number(&p, type_bool, 1);
    mark_access(&p, node, IR_STORE, ir_scalar(IR_TYPE_VOID), yes);
  }
}

// One loop a dimension, all marks false.
static void clear_marks(Tracker *t, IrRegion *region, IrObject *marks,
                        IrNode **indices, uint32_t dim) {
  IrKernel *kernel = t->kernel;
  IrType none = ir_scalar(IR_TYPE_VOID);
  if (dim == marks->rank) {
    indices[dim] = ir_const_int(kernel, region, type_bool, 0, 0);
    IrNode *store =
        ir_node_new(kernel, region, IR_STORE, none, 0, indices, dim + 1);
    store->u.access = (IrAccess){.object = marks,
                                 .type = type_bool,
                                 .align_bytes = 1,
                                 .n_index = marks->rank};
    return;
  }
  IrNode *bounds[2] = {ir_const_int(kernel, region, type_i64, 0, 0),
                       ir_const_int(kernel, region, type_i64,
                                    (uint64_t)marks->extents[dim]->number, 0)};
  IrNode *loop = ir_node_new(kernel, region, IR_FOR, none, 0, bounds, 2);
  loop->u.loop.var = ir_var_new(kernel, NULL, type_i64);
  loop->u.loop.step = 1;
  loop->u.loop.is_signed = true;
  indices[dim] =
      ir_node_new(kernel, &loop->regions[0], IR_GET, type_i64, 0, NULL, 0);
  indices[dim]->u.variable.var = loop->u.loop.var;
  clear_marks(t, &loop->regions[0], marks, indices, dim + 1);
}

// ------------------------------------------------------------------ pass

typedef struct {
  Tracker *t;
  const uint64_t *reads;
  hd_vec(IrNode *) nodes; // to be tracked
  Arena *scratch;
} Found;

static bool track_values_find_node(IrNode *node, void *context) {
  Found *found = context;
  Tracker *t = found->t;
  bool is_var = node->op == IR_GET || node->op == IR_SET;
  const IrNode *of = is_exchange(node) ? node->args[0] : is_var ? node : NULL;
  if ((of && t->mask_of[of->u.variable.var] != UINT32_MAX) ||
      tracks_array(t, node))
    VEC_PUSH(found->scratch, &found->nodes, node);
  return true;
}

static void track(Found *found) {
  Tracker *t = found->t;
  for (uint32_t i = 0; i < found->nodes.count; i++) {
    IrNode *node = found->nodes.data[i];
    if (node->op == IR_SET)
      track_set(t, node);
    else if (node->op == IR_GET)
      track_get(t, node, found->reads[node->id]);
    else if (is_exchange(node))
      track_exchange(t, node);
    else
      track_access(t, node);
  }
}

static void clear_mask(const Tracker *t, IrRegion *region, uint32_t mask) {
  IrNode *none = ir_const_int(t->kernel, region, type_i64, 0, 0);
  IrNode *node = ir_node_new(t->kernel, region, IR_SET, ir_scalar(IR_TYPE_VOID),
                             0, &none, 1);
  node->u.variable.var = mask;
}

// The nodes of the region go before `first`.
static void put_before(IrNode *first, IrRegion *region) {
  while (region->first) {
    IrNode *node = region->first;
    ir_node_unlink(node);
    if (first)
      ir_node_insert_before(first, node);
  }
}

// Everything starts without a value: before the kernel's first node.
static void start_empty(Tracker *t, uint32_t n_objects) {
  IrRegion prologue = {0};
  for (uint32_t i = 0; i < t->n_vars; i++)
    if (t->mask_of[i] != UINT32_MAX)
      clear_mask(t, &prologue, t->mask_of[i]);
  IrNode *indices[IR_MAX_RANK + 1];
  for (uint32_t i = 0; i < n_objects; i++)
    if (t->marks_of[i])
      clear_marks(t, &prologue, t->marks_of[i], indices, 0);
  put_before(t->kernel->body.first, &prologue);
}

// And what a loop's body declares, in each turn. (Tests of what stands there
// come between.)
static void begin_empty(Tracker *t, uint32_t n_objects) {
  IrRegion start = {0};
  for (uint32_t i = 0; i < t->n_vars; i++) {
    if (t->mask_of[i] == UINT32_MAX || !t->begins.vars[i])
      continue;
    clear_mask(t, &start, t->mask_of[i]);
    put_before(t->begins.vars[i], &start);
  }
  IrNode *indices[IR_MAX_RANK + 1];
  for (uint32_t i = 0; i < n_objects; i++) {
    if (!t->marks_of[i] || !t->begins.objects[i])
      continue;
    clear_marks(t, &start, t->marks_of[i], indices, 0);
    put_before(t->begins.objects[i], &start);
  }
}

void ir_track_values(IrKernel *kernel) {
  Arena *scratch = arena_new();
  Tracker t = {.kernel = kernel};
  uint32_t n_objects = kernel->objects.count;
  t.begins = ir_begins(scratch, kernel);
  track_values_find_vars(&t, scratch);
  find_arrays(&t, scratch);
  uint64_t *reads = ARENA_ARRAY(scratch, uint64_t, kernel->n_nodes);
  Uses uses = {&t, reads};
  ir_walk(&kernel->body, track_values_note_uses, &uses);
  Found found = {.t = &t, .reads = reads, .scratch = scratch};
  ir_walk(&kernel->body, track_values_find_node, &found);
  begin_empty(&t, n_objects); // in front of the tests
  track(&found);
  if (t.changed)
    start_empty(&t, n_objects);
  ir_kernel_renumber(kernel);
  arena_free(scratch);
}
