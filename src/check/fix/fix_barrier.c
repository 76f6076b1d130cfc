// SPDX-License-Identifier: Apache-2.0
// What would mend a wrong use of mbarriers: another count, the other parity, a
// wait or an arrival that is missing. Which phase is meant isn't known, so what
// is usual is tried: slot and phase of turn k of a ring of S are k % S and
// k / S % 2, or the phase before. The check of the changed kernel decides.
#include "check/fix/fix.h"

#include "check/run/search.h"
#include "ir/form/order.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_COUNTS = 8, MOST_TRIED = 10 };

typedef hd_vec(const IrNode *) NodeList;

typedef struct {
  Check *check;
  Finding *finding;
  uint32_t n_tried;
  NodeList nodes; // on mbarriers, in program order
  NodeList loops; // counted ones with such nodes
} BarrierFix;

static uint32_t fix_barrier_line_of(const BarrierFix *b, IrLocId loc) {
  return b->check->kernel->module->locs.data[loc].place.line;
}

static const char *proved(const BarrierFix *b, const char *what) {
  return arena_printf(b->check->arena, "%s (proved: this removes the %s)", what,
                      b->finding->code == CODE_RACE ? "race" : "finding");
}

static bool try_change(BarrierFix *b, FixChange change, const void *context) {
  if (b->n_tried++ >= MOST_TRIED)
    return false;
  return fix_try(b->check, b->finding, change, context);
}

// ----------------------------------------------------------------- counts

typedef struct {
  const IrObject *object;
  uint32_t arrivals;
} Count;

static bool set_count(IrKernel *copy, const void *context) {
  const Count *count = context;
  copy->objects.data[count->object->id]->arrivals = count->arrivals;
  return true;
}

static void add_count(const IrObject *object, uint32_t *counts, uint32_t *n,
                      int64_t count) {
  bool is_there = count < 1 || count == object->arrivals || *n == MOST_COUNTS;
  for (uint32_t i = 0; i < *n; i++)
    is_there |= counts[i] == count;
  if (!is_there)
    counts[(*n)++] = (uint32_t)count;
}

static bool is_arrival(const IrNode *node) {
  return ir_gives_phase(node) || node->op == IR_MBAR_ARRIVE_REMOTE;
}

// What its arrivals could add up to.
static uint32_t find_counts(const BarrierFix *b, const IrObject *object,
                            uint32_t *counts) {
  uint32_t n = 0;
  int64_t sum = 0;
  if (search_barrier(b->finding->node) == object)
    add_count(object, counts, &n, b->finding->seen_arrivals);
  for (uint32_t i = 0; i < b->nodes.count; i++) {
    const IrNode *node = b->nodes.data[i];
    if (!is_arrival(node) || node->u.barrier.object != object)
      continue;
    int64_t size = ir_node_group(b->check->kernel, node)->size;
    add_count(object, counts, &n, size);
    sum += size > 0 ? size : 0;
  }
  add_count(object, counts, &n, sum);
  add_count(object, counts, &n, (int64_t)object->arrivals - 1);
  add_count(object, counts, &n, (int64_t)object->arrivals + 1);
  return n;
}

static const char *try_counts(BarrierFix *b, const IrObject *object) {
  uint32_t counts[MOST_COUNTS], n = find_counts(b, object, counts);
  for (uint32_t i = 0; i < n; i++) {
    Count count = {object, counts[i]};
    if (try_change(b, set_count, &count))
      return proved(b, arena_printf(b->check->arena,
                                    "'%s' counts %u: mbarrier(%u) in line %u",
                                    object->name, counts[i], counts[i],
                                    fix_barrier_line_of(b, object->loc)));
  }
  return NULL;
}

static bool is_same_object(const IrNode *node, const IrObject *object) {
  return search_barrier(node) == object;
}

static const char *try_all_counts(BarrierFix *b) {
  const IrKernel *kernel = b->check->kernel;
  for (int pass = 0; pass < 2; pass++)
    for (uint32_t i = 0; i < kernel->objects.count; i++) {
      const IrObject *object = kernel->objects.data[i];
      bool is_first = is_same_object(b->finding->node, object) ||
                      is_same_object(b->finding->other, object);
      if (object->kind != OBJECT_MBARRIER || is_first != (pass == 0))
        continue;
      const char *fix = try_counts(b, object);
      if (fix)
        return fix;
    }
  return NULL;
}

// ------------------------------------------------------------------ bytes

typedef struct {
  const IrNode *node; // that expects them
  int64_t bytes;
} Bytes;

static bool set_bytes(IrKernel *copy, const void *context) {
  const Bytes *bytes = context;
  IrNode *node = fix_copy_of(copy, bytes->node);
  uint32_t at = bytes->node->u.barrier.object->rank;
  if (!node)
    return false;
  IrNode *number = ir_const_int(copy, NULL, node->args[at]->type,
                                (uint64_t)bytes->bytes, node->loc);
  ir_node_insert_before(node, number);
  node->args[at] = number;
  return true;
}

static bool expects(const IrNode *node) {
  return node->op == IR_MBAR_EXPECT || node->op == IR_MBAR_ARRIVE_EXPECT ||
         node->op == IR_MBAR_ARRIVE_EXPECT_MULTICAST;
}

// Expected bytes that are what copies bring.
static const char *try_bytes(BarrierFix *b) {
  int64_t more = -b->finding->open_bytes; // than are expected
  for (uint32_t i = 0; i < b->nodes.count && more != 0; i++) {
    const IrNode *node = b->nodes.data[i];
    const IrNode *number =
        expects(node) ? node->args[node->u.barrier.object->rank] : NULL;
    if (!number || number->op != IR_CONST)
      continue;
    Bytes bytes = {node, (int32_t)number->u.constant.bits + more};
    if (bytes.bytes > 0 && try_change(b, set_bytes, &bytes))
      return proved(b, arena_printf(b->check->arena,
                                    "the copies bring %lld bytes: expect that "
                                    "many in line %u",
                                    (long long)bytes.bytes,
                                    fix_barrier_line_of(b, node->loc)));
  }
  return NULL;
}

// --------------------------------------------------------------- parities

static bool flip_parity(IrKernel *copy, const void *context) {
  IrNode *wait = fix_copy_of(copy, context);
  if (!wait)
    return false;
  IrNode **parity = &wait->args[wait->n_args - 1];
  IrType type = (*parity)->type;
  IrNode *one = ir_const_int(copy, NULL, type, 1, wait->loc);
  ir_node_insert_before(wait, one);
  IrNode *args[2] = {*parity, one};
  IrNode *flipped = ir_node_new(copy, NULL, IR_XOR, type, wait->loc, args, 2);
  ir_node_insert_before(wait, flipped);
  *parity = flipped;
  return true;
}

// The first wait of a fresh barrier for its first phase, and nothing goes
// round: with the other parity it would return at once and wait for nothing.
static bool is_first_wait(const BarrierFix *b, const IrNode *wait) {
  const IrNode *parity = wait->args[wait->n_args - 1];
  if (parity->op != IR_CONST || (parity->u.constant.bits & 1) != 0)
    return false;
  for (uint32_t i = 0; i < b->nodes.count; i++) {
    const IrNode *node = b->nodes.data[i];
    if (node->id < wait->id && node->region == wait->region &&
        node->op == IR_MBAR_WAIT &&
        node->u.barrier.object == wait->u.barrier.object)
      return false;
  }
  return true;
}

static const char *try_parities(BarrierFix *b) {
  for (uint32_t i = 0; i < b->nodes.count; i++) {
    const IrNode *wait = b->nodes.data[i];
    if (wait->op == IR_MBAR_WAIT && !is_first_wait(b, wait) &&
        try_change(b, flip_parity, wait))
      return proved(b, arena_printf(b->check->arena,
                                    "the other parity in line %u: (…) ^ 1",
                                    fix_barrier_line_of(b, wait->loc)));
  }
  return NULL;
}

// -------------------------------------------------- waits, arrivals missing

typedef struct {
  const IrObject *object;
  const IrNode *loop, *at; // AT_END: at is the loop
  FixWhere where;
  bool is_wait, is_phase_before;
} Missing;

// Slots of the array; 0: not known.
static int64_t fix_barrier_slots_of(const IrObject *object) {
  const IrHost *extent = object->rank ? object->extents[0] : NULL;
  if (object->rank == 0)
    return 1;
  return object->rank == 1 && extent && extent->op == HOST_CONST
             ? extent->number
             : 0;
}

static IrNode *fix_barrier_number(FixPutter *m, IrType type, int64_t value) {
  return fix_put(m, ir_const_int(m->copy, NULL, type, (uint64_t)value, m->loc));
}

static IrNode *fix_barrier_combine(FixPutter *m, IrOp op, IrNode *a,
                                   int64_t by) {
  IrNode *args[2] = {a, fix_barrier_number(m, a->type, by)};
  return fix_put(m, ir_node_new(m->copy, NULL, op, a->type, m->loc, args, 2));
}

static IrNode *fix_barrier_parity_of(FixPutter *m, const Missing *missing,
                                     IrNode *turn) {
  int64_t slots = fix_barrier_slots_of(missing->object);
  bool is_signed = missing->loop->u.loop.is_signed;
  if (slots > 1)
    turn = fix_barrier_combine(m, is_signed ? IR_SDIV : IR_UDIV, turn, slots);
  IrNode *parity = fix_barrier_combine(m, IR_AND, turn, 1);
  return missing->is_phase_before ? fix_barrier_combine(m, IR_XOR, parity, 1)
                                  : parity;
}

static bool find_place(FixPutter *m, const Missing *missing) {
  IrNode *at = fix_copy_of(m->copy, missing->at);
  if (!at)
    return false;
  m->loc = at->loc;
  m->before = at;
  if (missing->where != FIX_AT_END)
    return true;
  m->last = at->regions[0].last;
  m->before = m->last && m->last->op == IR_EXIT ? m->last : NULL;
  return m->last != NULL;
}

static bool fix_barrier_add_missing(IrKernel *copy, const void *context) {
  const Missing *missing = context;
  FixPutter m = {.copy = copy};
  if (!find_place(&m, missing))
    return false;
  uint32_t var = missing->loop->u.loop.var, n = 0;
  IrType type = copy->vars.data[var].type;
  IrNode *turn = ir_node_new(copy, NULL, IR_GET, type, m.loc, NULL, 0);
  turn->u.variable.var = var;
  fix_put(&m, turn);
  IrNode *args[2], *made;
  if (missing->object->rank == 1)
    args[n++] = fix_barrier_combine(
        &m, missing->loop->u.loop.is_signed ? IR_SREM : IR_UREM, turn,
        fix_barrier_slots_of(missing->object));
  args[n++] = missing->is_wait
                  ? fix_barrier_parity_of(&m, missing, turn)
                  : fix_barrier_number(&m, ir_scalar(IR_TYPE_I32), 1);
  made =
      ir_node_new(copy, NULL, missing->is_wait ? IR_MBAR_WAIT : IR_MBAR_ARRIVE,
                  ir_scalar(missing->is_wait ? IR_TYPE_VOID : IR_TYPE_TOKEN),
                  m.loc, args, n);
  made->u.barrier.object = copy->objects.data[missing->object->id];
  fix_put(&m, made);
  return true;
}

static const char *fix_barrier_text_of(const BarrierFix *b,
                                       const Missing *missing) {
  Arena *arena = b->check->arena;
  const IrKernel *kernel = b->check->kernel;
  const char *k = kernel->vars.data[missing->loop->u.loop.var].name;
  long long slots = (long long)fix_barrier_slots_of(missing->object);
  const char *name = missing->object->name;
  if (missing->object->rank == 1)
    name = arena_printf(arena, "%s[%s %% %lld]", name, k, slots);
  if (!missing->is_wait)
    return arena_printf(arena, "arrive(%s);", name);
  const char *phase = slots > 1 ? arena_printf(arena, "%s / %lld & 1", k, slots)
                                : arena_printf(arena, "%s & 1", k);
  if (missing->is_phase_before)
    phase = arena_printf(arena, "(%s) ^ 1", phase);
  return arena_printf(arena, "wait(%s, %s);", name, phase);
}

static const char *try_missing(BarrierFix *b, const Missing *missing) {
  if (!try_change(b, fix_barrier_add_missing, missing))
    return NULL;
  const char *text = fix_barrier_text_of(b, missing);
  b->finding->edit = (FixEdit){missing->where, missing->at, text};
  const char *place =
      missing->where == FIX_AT_END ? "at the end of the loop of" : "before";
  return proved(b, arena_printf(b->check->arena, "%s %s line %u", text, place,
                                fix_barrier_line_of(b, missing->at->loc)));
}

// Turns that slots and parities can be made of, by a name.
static bool is_usable(const BarrierFix *b, const IrNode *loop) {
  const IrKernel *kernel = b->check->kernel;
  const IrVar *var = loop ? &kernel->vars.data[loop->u.loop.var] : NULL;
  return var && var->name && var->type.kind == IR_TYPE_I32 &&
         loop->u.loop.step == 1;
}

static const IrNode *loop_around(const IrNode *node) {
  const IrNode *up = node->region->owner;
  while (up && up->op != IR_FOR)
    up = up->region->owner;
  return up;
}

static bool has_wait(const BarrierFix *b, const IrObject *object,
                     const IrNode *loop) {
  for (uint32_t i = 0; i < b->nodes.count; i++) {
    const IrNode *node = b->nodes.data[i];
    if (node->u.barrier.object == object && ir_is_inside(node, loop) &&
        (node->op == IR_MBAR_WAIT || node->op == IR_MBAR_WAIT_TOKEN))
      return true;
  }
  return false;
}

static const char *try_wait(BarrierFix *b, const IrNode *place) {
  const IrKernel *kernel = b->check->kernel;
  const IrNode *loop = place ? loop_around(place) : NULL;
  if (!is_usable(b, loop))
    return NULL;
  const char *fix = NULL;
  for (uint32_t i = 0; i < 2 * kernel->objects.count && !fix; i++) {
    const IrObject *object = kernel->objects.data[i / 2];
    Missing missing = {.object = object,
                       .loop = loop,
                       .at = fix_statement(kernel, place, NULL),
                       .where = FIX_BEFORE,
                       .is_wait = true,
                       .is_phase_before = i % 2};
    if (object->kind == OBJECT_MBARRIER && fix_barrier_slots_of(object) > 0 &&
        !has_wait(b, object, loop))
      fix = try_missing(b, &missing);
  }
  return fix;
}

static bool has_arrival(const BarrierFix *b, const IrObject *object) {
  for (uint32_t i = 0; i < b->nodes.count; i++)
    if (b->nodes.data[i]->u.barrier.object == object &&
        is_arrival(b->nodes.data[i]))
      return true;
  return false;
}

// Where nobody arrives, at the end of the loops that don't wait for it.
static const char *try_arrivals(BarrierFix *b) {
  const IrKernel *kernel = b->check->kernel;
  const char *fix = NULL;
  for (uint32_t i = 0; i < kernel->objects.count; i++) {
    const IrObject *object = kernel->objects.data[i];
    if (object->kind != OBJECT_MBARRIER || fix_barrier_slots_of(object) == 0 ||
        has_arrival(b, object))
      continue;
    for (uint32_t k = 0; k < b->loops.count && !fix; k++) {
      const IrNode *loop = b->loops.data[k];
      Missing missing = {
          .object = object, .loop = loop, .at = loop, .where = FIX_AT_END};
      if (is_usable(b, loop) && !has_wait(b, object, loop))
        fix = try_missing(b, &missing);
    }
  }
  return fix;
}

// ------------------------------------------------------------------ whole

static bool find_nodes(IrNode *node, void *context) {
  BarrierFix *b = context;
  if (ir_op_info(node)->form != FORM_BARRIER)
    return true;
  VEC_PUSH(b->check->arena, &b->nodes, (const IrNode *)node);
  const IrNode *loop = loop_around(node);
  bool is_there = !loop;
  for (uint32_t i = 0; i < b->loops.count; i++)
    is_there |= b->loops.data[i] == loop;
  if (!is_there)
    VEC_PUSH(b->check->arena, &b->loops, loop);
  return true;
}

const char *fix_barrier(Check *check, Finding *finding) {
  BarrierFix b = {.check = check, .finding = finding};
  bool is_race = finding->code == CODE_RACE;
  if (check_has(check, CHECK_NO_BARRIER_FIXES) ||
      (!is_race && finding->code < 1000))
    return NULL;
  ir_walk((IrRegion *)(uintptr_t)&check->kernel->body, find_nodes, &b);
  if (b.nodes.count == 0)
    return NULL;
  const char *fix = NULL;
  if (is_race) {
    fix = try_wait(&b, finding->node);
    if (!fix)
      fix = try_wait(&b, finding->other);
    if (!fix)
      fix = fix_near_barriers(check, finding);
  }
  if (!fix)
    fix = try_bytes(&b);
  if (!fix)
    fix = try_all_counts(&b);
  if (!fix)
    fix = try_parities(&b);
  if (!fix)
    fix = try_arrivals(&b);
  return fix || is_race ? fix : try_wait(&b, finding->node);
}
