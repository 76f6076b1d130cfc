// SPDX-License-Identifier: Apache-2.0
// Programs that are checked: whether what a thread stores, or decides by, has
// a value. Beside each variable that may be read before it is written stands
// one that says whether it was, and what is made of such a value hands that on.
//
//   int x;                    x.has = false
//   if (c) x = 1;             … x.has = true
//   y = x + 1;                y.has = x.has
//   a[i] = y;                 check_value y.has, "y"
//
// So a value that is garbage and matters to nobody isn't told, unlike in runs
// with checks (track_values.c), which tell each read. Of a struct or short
// vector it is enough that a part has a value: such things are copied as a
// whole. A load of shared memory, or of a thread's own, that may read what
// nobody has written (check/run/search_memory.c) has a value if it was set;
// what is stored into the thread's own memory and has none counts as not
// written.
//
//   v = s[i];                 v.has = was_set v
//   a[0] = v;                 set_if v.has
//
// Note [Lanes that aren't there]
// In CUDA C a shuffle from a lane that has returned, isn't in the mask or isn't
// in the group of coalesced threads gives no value. Here it is a shuffle of a
// group by label or of coalesced threads whose operand 1 is no rank of it (runs
// give the own value), as decide_lanes.c and the headers make them:
//
//   y = shfl(c, x, r)            y.has = shfl(c, x.has, r) && r < size(c)
//
// A lane outside of the warp or tile gives the own value in CUDA, too:
//
//   shfl(c, x, b && q < 32 ? r : 32)              … && (b || !(q < 32))
//
// Of a block of 48 threads the second warp has 16, and asking one of the others
// gives no value. Lowering counts lanes modulo 32 there, not modulo 16:
//
//   shfl_down(warp, x, d)        … && (q < size(warp) || !(q < 32)),
//                                q = rank(warp) + d
//
// Runs with checks follow such values alone, as most reductions make garbage
// that matters to nobody.
#include "ir/analyses/analysis.h"

#include <string.h>

typedef struct {
  IrKernel *kernel;
  Arena *scratch;
  uint32_t n_vars, n_nodes; // before the pass
  bool *is_left;            // by variable: not followed
  bool *may_lack;           // by variable
  bool *lacks;              // by node: its value may be none
  const char **name_of;     // by node: the variable that lacks it
  const char **lack_of;     // by variable: what is said to lack it
  const bool *open;         // by number of the load, or NULL
  uint32_t n_loads;         // seen so far
  bool *may_be_unset;       // by node: a load of what nobody may have written
  bool *is_of_memory;       // by node: what it may lack comes from one
  bool *holds_memory;       // by variable: likewise
  bool has_missing;         // a shuffle may name a lane that isn't there
  bool is_of_lanes;         // only what shuffles give is followed
  Begins begins;            // with turns of loops
  uint32_t *has_var;        // by variable: the one beside it
  IrNode **has;             // by node, where it may lack one
  hd_vec(IrNode *) nodes;
} Follow;

static const IrType type_bool = {.kind = IR_TYPE_BOOL, .lanes = 1};

// ------------------------------------------------------ what may lack a value

// Operations give the variables of operators and counters of loops their
// values.
static bool leave_others(IrNode *node, void *context) {
  Follow *f = context;
  bool is_var = node->op == IR_GET || node->op == IR_SET;
  if (is_var && ir_is_in_operator(node))
    f->is_left[node->u.variable.var] = true;
  if (node->op == IR_FOR)
    f->is_left[node->u.loop.var] = true;
  if (node->op == IR_THREAD_FOR)
    f->is_left[node->u.part.var] = true;
  return true;
}

static bool follow_values_is_followed(const Follow *f, uint32_t var) {
  IrTypeKind kind = f->kernel->vars.data[var].type.kind;
  return !f->is_left[var] && kind != IR_TYPE_TOKEN && kind != IR_TYPE_TILE;
}

static const char lane_name[] = "the value of an absent lane";

// Warps, or tiles of them or of the block, of which the last may have fewer
// threads.
static bool is_ragged(const IrGroup *group) {
  int64_t nominal = ir_group_nominal(group);
  bool is_short = nominal != SIZE_UNKNOWN && nominal != group->size;
  while (group && group->kind == GROUP_TILED)
    group = group->parent;
  return is_short && group &&
         (group->kind == GROUP_WARP || group->kind == GROUP_BLOCK);
}

// See Note [Lanes that aren't there].
static bool may_miss(const Follow *f, const IrNode *node) {
  if (!ir_is_shuffle(node->op) || !f->kernel->module->has_open_lanes)
    return false;
  const IrGroup *group = node->u.group.group;
  bool is_lane_set =
      group->kind == GROUP_LABELED || group->kind == GROUP_COALESCED;
  return is_lane_set ? node->op == IR_SHFL
                     : node->op != IR_SHFL_UP && is_ragged(group);
}

// The result is made of the operands alone.
static bool follow_values_hands_on(const IrNode *node) {
  return (ir_op_info(node)->flags & OPF_PURE) || node->op == IR_UNIFORM ||
         ir_is_shuffle(node->op);
}

typedef struct {
  Follow *f;
  bool grows;
} Spread;

static void lack_from(Follow *f, const IrNode *node, const IrNode *from) {
  f->is_of_memory[node->id] |= f->is_of_memory[from->id];
}

static bool follow_values_spread(IrNode *node, void *context) {
  Spread *s = context;
  Follow *f = s->f;
  if (node->op == IR_SET) {
    uint32_t var = node->u.variable.var;
    if (f->lacks[node->args[0]->id] && !f->may_lack[var] &&
        follow_values_is_followed(f, var)) {
      f->may_lack[var] = true;
      f->lack_of[var] = f->name_of[node->args[0]->id] == lane_name ? lane_name
                        : f->kernel->vars.data[var].name
                            ? f->kernel->vars.data[var].name
                            : f->name_of[node->args[0]->id];
      s->grows = true;
    }
    if (f->is_of_memory[node->args[0]->id] && !f->holds_memory[var])
      s->grows = f->holds_memory[var] = true;
    return true;
  }
  if (f->may_be_unset[node->id] && !f->lacks[node->id]) {
    const IrObject *object = node->u.access.object;
    f->lacks[node->id] = f->is_of_memory[node->id] = true;
    f->name_of[node->id] = object && object->name ? object->name : "memory";
  }
  if (node->op == IR_GET && f->may_lack[node->u.variable.var]) {
    f->lacks[node->id] = true;
    f->name_of[node->id] = f->lack_of[node->u.variable.var];
    f->is_of_memory[node->id] |= f->holds_memory[node->u.variable.var];
  }
  if (may_miss(f, node)) {
    f->lacks[node->id] = true;
    f->name_of[node->id] = lane_name;
  }
  for (uint32_t i = 0; i < node->n_args && follow_values_hands_on(node); i++) {
    lack_from(f, node, node->args[i]);
    if (!f->lacks[node->args[i]->id] || f->lacks[node->id])
      continue;
    f->lacks[node->id] = true;
    f->name_of[node->id] = f->name_of[node->args[i]->id];
  }
  return true;
}

bool ir_reads_memory(const IrNode *node) {
  return node->op == IR_LOAD || node->op == IR_RMW || node->op == IR_CAS;
}

static bool find_missing(IrNode *node, void *context) {
  Follow *f = context;
  if (ir_reads_memory(node) && f->open && f->open[f->n_loads++])
    f->has_missing = f->may_be_unset[node->id] = true;
  f->has_missing |= may_miss(f, node);
  return true;
}

// Some variable may be read before it is written, or a lane may be missed.
static bool find_unset(Follow *f) {
  IrKernel *kernel = f->kernel;
  ir_walk(&kernel->body, leave_others, f);
  ir_walk(&kernel->body, find_missing, f);
  bool is_any = f->has_missing;
  if (f->is_of_lanes)
    return is_any;
  const Liveness *liveness = ir_liveness(f->scratch, kernel);
  f->begins = ir_begins(f->scratch, kernel);
  for (uint32_t i = 0; i < f->n_vars; i++) {
    f->may_lack[i] = kernel->vars.data[i].name &&
                     follow_values_is_followed(f, i) &&
                     ir_var_may_lack(kernel, liveness, &f->begins, i);
    f->lack_of[i] = kernel->vars.data[i].name;
    is_any |= f->may_lack[i];
  }
  return is_any;
}

// And whatever is made of such a value.
static void spread_all(Follow *f) {
  Spread s = {f, true};
  while (s.grows) {
    s.grows = false;
    ir_walk(&f->kernel->body, follow_values_spread, &s);
  }
}

// ---------------------------------------------------------------- making

typedef struct {
  Follow *f;
  IrPlace place;
} Spot;

static Spot spot_at(Follow *f, IrNode *at, bool is_after) {
  return (Spot){f, {f->kernel, at, is_after, at->loc}};
}

static IrNode *follow_values_make(Spot *p, IrOp op, IrType type, IrNode **args,
                                  uint32_t n) {
  return ir_place_node(&p->place, op, type, args, n);
}

static IrNode *follow_values_constant(Spot *p, bool value) {
  return ir_place_put(&p->place, ir_const_int(p->f->kernel, NULL, type_bool,
                                              value, p->place.loc));
}

// NULL stands for true.
static IrNode *follow_values_both(Spot *p, IrNode *a, IrNode *b) {
  IrNode *args[2] = {a, b};
  return !a ? b : !b ? a : follow_values_make(p, IR_AND, type_bool, args, 2);
}

static IrNode *follow_values_either(Spot *p, IrNode *a, IrNode *b) {
  IrNode *args[2] = {a, b};
  return !a || !b ? NULL : follow_values_make(p, IR_OR, type_bool, args, 2);
}

static IrNode *or_true(Spot *p, IrNode *has) {
  return has ? has : follow_values_constant(p, true);
}

static IrNode *has_of(const Follow *f, const IrNode *node) {
  return node->id < f->n_nodes ? f->has[node->id] : NULL;
}

static IrNode *has_all(Spot *p, const IrNode *node, uint32_t first,
                       uint32_t end) {
  IrNode *has = NULL;
  for (uint32_t i = first; i < end; i++)
    has = follow_values_both(p, has, has_of(p->f, node->args[i]));
  return has;
}

static IrNode *has_any(Spot *p, const IrNode *node) {
  IrNode *has = has_of(p->f, node->args[0]);
  for (uint32_t i = 1; i < node->n_args; i++)
    has = follow_values_either(p, has, has_of(p->f, node->args[i]));
  return has;
}

// One operand of a conjunction decides it if it is false.
static IrNode *has_logic(Spot *p, IrNode *node) {
  IrNode *a = node->args[0], *b = node->args[1];
  IrNode *has[2] = {has_of(p->f, a), has_of(p->f, b)}, *operands[2] = {a, b};
  IrNode *all = follow_values_both(p, has[0], has[1]);
  for (int i = 0; i < 2; i++) {
    IrNode *decides =
        node->op == IR_OR
            ? operands[i]
            : follow_values_make(p, IR_NOT, type_bool, &operands[i], 1);
    all = follow_values_either(p, all, follow_values_both(p, has[i], decides));
  }
  return all;
}

static IrNode *has_selected(Spot *p, const IrNode *node) {
  IrNode *condition = has_of(p->f, node->args[0]);
  IrNode *args[3] = {node->args[0], has_of(p->f, node->args[1]),
                     has_of(p->f, node->args[2])};
  if (!args[1] && !args[2])
    return condition;
  args[1] = or_true(p, args[1]);
  args[2] = or_true(p, args[2]);
  return follow_values_both(
      p, condition, follow_values_make(p, IR_SELECT, type_bool, args, 3));
}

// A shuffle of lanes that are left (decide_lanes.c) asks whether the lane that
// it names is there, and is one of the warp or tile; NULL: another shuffle.
static IrNode *const *names_lane(const IrNode *node) {
  const IrNode *rank = node->args[1];
  if (rank->op != IR_SELECT || rank->args[0]->op != IR_AND)
    return NULL;
  IrNode *const *both = rank->args[0]->args;
  return both[1]->op == IR_ULT ? both : NULL;
}

static IrNode *follow_values_ask(Spot *p, IrOp op, const IrNode *of) {
  IrNode *node = follow_values_make(p, op, ir_scalar(IR_TYPE_I32), NULL, 0);
  node->u.group.group = of->u.group.group;
  return node;
}

// Of a ragged group: its threads, or none of a whole one.
static IrNode *is_not_cut(Spot *p, const IrNode *node) {
  IrType type = ir_scalar(IR_TYPE_I32);
  IrNode *rank = node->args[1];
  if (node->op == IR_SHFL_DOWN || node->op == IR_SHFL_XOR) {
    IrNode *args[2] = {follow_values_ask(p, IR_RANK, node), rank};
    rank = follow_values_make(p, node->op == IR_SHFL_XOR ? IR_XOR : IR_ADD,
                              type, args, 2);
  }
  uint64_t nominal = (uint64_t)ir_group_nominal(node->u.group.group);
  IrNode *whole = ir_place_put(
      &p->place, ir_const_int(p->f->kernel, NULL, type, nominal, p->place.loc));
  IrNode *inside[2] = {rank, follow_values_ask(p, IR_SIZE, node)};
  IrNode *outside[2] = {whole, rank};
  return follow_values_either(
      p, follow_values_make(p, IR_ULT, type_bool, inside, 2),
      follow_values_make(p, IR_ULE, type_bool, outside, 2));
}

static IrNode *follow_values_is_there(Spot *p, const IrNode *node) {
  if (is_ragged(node->u.group.group))
    return is_not_cut(p, node);
  IrNode *const *named = names_lane(node);
  if (named) {
    IrNode *is_rank = named[1];
    return follow_values_either(
        p, named[0], follow_values_make(p, IR_NOT, type_bool, &is_rank, 1));
  }
  IrNode *args[2] = {node->args[1], follow_values_ask(p, IR_SIZE, node)};
  return follow_values_make(p, IR_ULT, type_bool, args, 2);
}

static IrNode *has_exchanged(Spot *p, const IrNode *node) {
  IrNode *place = has_of(p->f, node->args[1]);
  if (may_miss(p->f, node))
    place = follow_values_both(p, place, follow_values_is_there(p, node));
  if (!has_of(p->f, node->args[0]))
    return place;
  IrNode *args[2] = {has_of(p->f, node->args[0]), node->args[1]};
  IrNode *received = follow_values_make(p, node->op, type_bool, args, 2);
  received->u = node->u;
  received->flags = node->flags;
  return follow_values_both(p, place, received);
}

static IrNode *has_result(Spot *p, IrNode *node) {
  if (p->f->may_be_unset[node->id])
    return follow_values_make(p, IR_WAS_SET, type_bool, &node, 1);
  bool is_bool = node->type.kind == IR_TYPE_BOOL && node->type.lanes == 1;
  if (ir_is_shuffle(node->op))
    return has_exchanged(p, node);
  if (node->op == IR_SELECT && node->args[0]->type.lanes == 1)
    return has_selected(p, node);
  if (node->op == IR_PACK || node->op == IR_INSERT)
    return has_any(p, node);
  if (is_bool && (node->op == IR_AND || node->op == IR_OR))
    return has_logic(p, node);
  return has_all(p, node, 0, node->n_args);
}

static void follow_value(Follow *f, IrNode *node) {
  Spot p = spot_at(f, node, true);
  if (node->op != IR_GET) {
    f->has[node->id] = has_result(&p, node);
    return;
  }
  IrNode *has = follow_values_make(&p, IR_GET, type_bool, NULL, 0);
  has->u.variable.var = f->has_var[node->u.variable.var];
  f->has[node->id] = has;
}

static void follow_set(Follow *f, IrNode *node) {
  Spot p = spot_at(f, node, true);
  IrNode *has = or_true(&p, has_of(f, node->args[0]));
  IrNode *set =
      follow_values_make(&p, IR_SET, ir_scalar(IR_TYPE_VOID), &has, 1);
  set->u.variable.var = f->has_var[node->u.variable.var];
}

// -------------------------------------------------------------------- uses

// `of`: the value that may lack one.
static void follow_values_check(Spot *p, IrNode *has, const IrNode *of,
                                const char *name) {
  IrNode *node =
      follow_values_make(p, IR_CHECK_VALUE, ir_scalar(IR_TYPE_VOID), &has, 1);
  node->u.text.text = name ? name : "a value";
  if (p->f->is_of_memory[of->id])
    node->flags |= NODE_OBLIGATION;
}

static bool lacks(const Follow *f, const IrNode *node) {
  return node->id < f->n_nodes && f->has[node->id] != NULL;
}

static uint32_t n_written(const IrNode *node) {
  return node->op == IR_CAS ? 2 : node->op == IR_STORE || node->op == IR_RMW;
}

static bool follow_values_is_own(const IrNode *node) {
  const IrObject *object = node->u.access.object;
  return object && object->space == SPACE_LOCAL;
}

// Of a store of a variable's value: the other is one of another member of the
// same struct, both made for one assignment.
static bool is_beside(const Follow *f, const IrNode *store,
                      const IrNode *other) {
  if (other->op != IR_STORE || other->loc != store->loc ||
      other->u.access.object != store->u.access.object)
    return false;
  const IrNode *a = store->args[store->n_args - 1];
  const IrNode *b = other->args[other->n_args - 1];
  if (a->op != IR_GET || b->op != IR_GET)
    return false;
  uint32_t x = a->u.variable.var, y = b->u.variable.var;
  return x < f->n_vars && y < f->n_vars &&
         f->kernel->vars.data[x].loc == f->kernel->vars.data[y].loc;
}

// Of the member "p.x".
static const char *whole_name(const Follow *f, const char *name) {
  size_t length = name ? strcspn(name, ".[") : 0;
  return name
             ? arena_printf(f->kernel->module->arena, "%.*s", (int)length, name)
             : NULL;
}

// The stores of a struct's members are told as one, at the last.
static void check_stored(Follow *f, IrNode *node) {
  const IrNode *value = node->args[node->n_args - 1];
  for (const IrNode *next = node->next; next; next = next->next)
    if (next->op == IR_STORE && is_beside(f, node, next))
      return;
  Spot p = spot_at(f, node, false);
  IrNode *has = has_of(f, value);
  const char *name = f->name_of[value->id];
  const IrNode *member = node->region->first;
  bool is_whole = false;
  for (; has && member != node; member = member->next) {
    if (member->op != IR_STORE || !is_beside(f, node, member))
      continue;
    has = follow_values_either(&p, has,
                               has_of(f, member->args[member->n_args - 1]));
    is_whole = true;
  }
  if (has)
    follow_values_check(&p, has, value, is_whole ? whole_name(f, name) : name);
}

static void check_args(Follow *f, IrNode *node, uint32_t end) {
  Spot p = spot_at(f, node, false);
  for (uint32_t i = 0; i < end; i++)
    if (lacks(f, node->args[i]))
      follow_values_check(&p, has_of(f, node->args[i]), node->args[i],
                          f->name_of[node->args[i]->id]);
}

// What has no value stays unset where it is stored.
static void store_own(Follow *f, IrNode *node) {
  IrNode *value = node->op == IR_STORE ? node->args[node->n_args - 1] : NULL;
  if (!value || !lacks(f, value))
    return;
  Spot p = spot_at(f, node, true);
  IrNode *has = has_of(f, value);
  (void)follow_values_make(&p, IR_SET_IF, ir_scalar(IR_TYPE_VOID), &has, 1);
}

static void check_access(Follow *f, IrNode *node) {
  uint32_t n_places = node->n_args - n_written(node);
  check_args(f, node, n_places);
  if (follow_values_is_own(node)) {
    store_own(f, node);
    return;
  }
  if (node->op == IR_STORE)
    check_stored(f, node);
  else
    check_args(f, node, node->n_args);
}

static bool is_decision(const IrNode *node) {
  return node->op == IR_IF || node->op == IR_FOR || node->op == IR_GROUP ||
         node->op == IR_THREAD_FOR;
}

// -------------------------------------------------------------------- pass

static bool follow_values_collect(IrNode *node, void *context) {
  Follow *f = context;
  VEC_PUSH(f->scratch, &f->nodes, node);
  return true;
}

static void follow_values_follow(Follow *f, IrNode *node) {
  const IrOpInfo *info = ir_op_info(node);
  if (node->op == IR_SET) {
    if (f->may_lack[node->u.variable.var])
      follow_set(f, node);
    return;
  }
  if (f->lacks[node->id])
    follow_value(f, node);
  if (info->form == FORM_ACCESS && node->op != IR_ADDRESS)
    check_access(f, node);
  else if (is_decision(node) ||
           ((info->flags & OPF_COLLECTIVE) && !ir_is_shuffle(node->op)))
    check_args(f, node, node->n_args);
}

static void begin_without(Follow *f, uint32_t var, IrNode *at) {
  Spot p = spot_at(f, at, false);
  IrNode *has = follow_values_constant(&p, f->is_of_lanes);
  IrNode *set =
      follow_values_make(&p, IR_SET, ir_scalar(IR_TYPE_VOID), &has, 1);
  set->u.variable.var = f->has_var[var];
}

static void start_without(Follow *f) {
  IrNode *first = f->kernel->body.first;
  for (uint32_t i = 0; i < f->n_vars; i++) {
    if (!f->may_lack[i])
      continue;
    begin_without(f, i, first);
    if (!f->is_of_lanes && f->begins.vars[i])
      begin_without(f, i, f->begins.vars[i]);
  }
}

// What is stored in a thread's own array counts for the turn that declares it.
static void begin_objects(Follow *f, uint32_t n_objects) {
  for (uint32_t i = 0; i < n_objects && f->open; i++) {
    if (!f->begins.objects[i])
      continue;
    Spot p = spot_at(f, f->begins.objects[i], false);
    IrNode *unset =
        follow_values_make(&p, IR_UNSET, ir_scalar(IR_TYPE_VOID), NULL, 0);
    unset->u.index.object = f->kernel->objects.data[i];
  }
}

static void follow_all(Follow *f) {
  for (uint32_t i = 0; i < f->n_vars; i++)
    if (f->may_lack[i])
      f->has_var[i] = ir_var_new(f->kernel, NULL, type_bool);
  ir_walk(&f->kernel->body, follow_values_collect, f);
  for (uint32_t i = 0; i < f->nodes.count; i++)
    follow_values_follow(f, f->nodes.data[i]);
  start_without(f);
  begin_objects(f, f->kernel->objects.count);
  ir_kernel_renumber(f->kernel);
}

static Follow follow_new(IrKernel *kernel, Arena *scratch) {
  uint32_t n_vars = kernel->vars.count, n_nodes = kernel->n_nodes;
  return (Follow){.kernel = kernel,
                  .scratch = scratch,
                  .n_vars = n_vars,
                  .n_nodes = n_nodes,
                  .is_left = ARENA_ARRAY(scratch, bool, n_vars),
                  .may_lack = ARENA_ARRAY(scratch, bool, n_vars),
                  .has_var = ARENA_ARRAY(scratch, uint32_t, n_vars),
                  .holds_memory = ARENA_ARRAY(scratch, bool, n_vars),
                  .may_be_unset = ARENA_ARRAY(scratch, bool, n_nodes),
                  .is_of_memory = ARENA_ARRAY(scratch, bool, n_nodes),
                  .lacks = ARENA_ARRAY(scratch, bool, n_nodes),
                  .name_of = ARENA_ARRAY(scratch, const char *, n_nodes),
                  .lack_of = ARENA_ARRAY(scratch, const char *, n_vars),
                  .has = ARENA_ARRAY(scratch, IrNode *, n_nodes)};
}

const IrKernel *ir_follow_values(Arena *arena, const IrKernel *kernel,
                                 const bool *open) {
  Arena *scratch = arena_new();
  IrKernel *given = (IrKernel *)(uintptr_t)kernel; // which is only read
  Follow f = follow_new(given, scratch);
  f.open = open;
  if (find_unset(&f)) {
    IrKernel *copy = ir_clone_kernel(arena, kernel);
    ir_kernel_renumber(copy);
    f = follow_new(copy, scratch);
    f.open = open;
    (void)find_unset(&f);
    spread_all(&f);
    follow_all(&f);
    kernel = copy;
  }
  arena_free(scratch);
  return kernel;
}

bool ir_follow_lanes(IrKernel *kernel) {
  Arena *scratch = arena_new();
  ir_kernel_renumber(kernel);
  Follow f = follow_new(kernel, scratch);
  f.is_of_lanes = true;
  bool has_changed = find_unset(&f);
  if (has_changed) {
    spread_all(&f);
    follow_all(&f);
  }
  arena_free(scratch);
  return has_changed;
}

bool ir_is_of_memory(const IrNode *check) {
  return check->flags & NODE_OBLIGATION;
}

bool ir_is_of_lanes(const IrNode *check) {
  return strcmp(check->u.text.text, lane_name) == 0;
}
