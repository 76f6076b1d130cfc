// SPDX-License-Identifier: Apache-2.0
// How often barriers were waited for and arrived on, as variables that no
// program has: Note [Counters] in tree.h. Their ids follow those of the
// kernel's own variables; loops find laws for them as for these.
#include "check/tree/walk.h"

enum { MAX_COUNTED = 16 }; // arrays of barriers

static const IrVar counter_row = {.name = "count",
                                  .type = {.kind = IR_TYPE_I64, .lanes = 1}};

void counts_find(Walk *w) {
  const IrKernel *kernel = w->kernel;
  w->n_vars = kernel->vars.count;
  for (uint32_t i = 0; i < kernel->objects.count; i++)
    if (kernel->objects.data[i]->kind == OBJECT_MBARRIER)
      VEC_PUSH(w->arena, &w->tree->counted, kernel->objects.data[i]);
  if (w->tree->counted.count > MAX_COUNTED)
    w->tree->counted.count = 0;
  w->n_vars += w->tree->counted.count * COUNT_KINDS;
}

bool walk_is_counter(const Walk *w, uint32_t var) {
  return var >= w->kernel->vars.count;
}

const IrVar *walk_var(const Walk *w, uint32_t var) {
  return walk_is_counter(w, var) ? &counter_row : &w->kernel->vars.data[var];
}

static CountKind walk_count_kind_of(const Walk *w, uint32_t var) {
  return (CountKind)((var - w->kernel->vars.count) % COUNT_KINDS);
}

// They begin at 0, and only that of bytes goes down. No thread lives for more
// than 2^62 operations.
void counts_range(const Walk *w, uint32_t var, int64_t *low, int64_t *high) {
  bool is_bytes = walk_count_kind_of(w, var) == PASS_BYTES;
  *low = is_bytes ? INT64_MIN : 0;
  *high = is_bytes ? INT64_MAX : (int64_t)1 << 62;
}

bool walk_leads(const Walk *w, uint32_t var) {
  CountKind kind = walk_count_kind_of(w, var);
  return kind == PASS_WAITS || kind == PASS_ARRIVALS;
}

static const Value *walk_count_number(Walk *w, const Term *term) {
  return value_int(w, 64, term, true, true);
}

static uint32_t n_counters(const Walk *w) {
  return w->n_vars - w->kernel->vars.count;
}

void counts_start(Walk *w) {
  for (uint32_t i = 0; i < n_counters(w); i++)
    env_set(w, w->kernel->vars.count + i,
            walk_count_number(w, term_int(w->terms, 0)));
}

// ---------------------------------------------------------------- operations

// The first counter of the barriers that the node uses; false: it uses none.
static bool find_row(const Walk *w, const IrNode *node, uint32_t *first) {
  IrForm form = ir_op_info(node)->form;
  const IrObject *object = NULL;
  if (form == FORM_BARRIER)
    object = node->u.barrier.object;
  else if (form == FORM_COPY)
    object = node->u.copy.barrier;
  for (uint32_t i = 0; object && i < w->tree->counted.count; i++)
    if (w->tree->counted.data[i] == object) {
      *first = w->kernel->vars.count + i * COUNT_KINDS;
      return true;
    }
  return false;
}

static bool walk_count_is_arrival(const IrNode *node) {
  if (ir_family(node) != FAMILY_MBARRIER)
    return false;
  switch (ir_mbarrier_op(node->op)) {
  case IR_MBAR_ARRIVE:
  case IR_MBAR_ARRIVE_DROP:
  case IR_MBAR_TENSOR:
  case IR_MBAR_ARRIVE_REMOTE:
  case IR_MBAR_ARRIVE_EXPECT:
  case IR_MBAR_ARRIVE_EXPECT_MULTICAST: return true;
  case IR_MBAR_INIT:
  case IR_MBAR_EXPECT:
  case IR_MBAR_WAIT:
  case IR_MBAR_WAIT_TOKEN:
  case IR_MBAR_TEST:
  case IR_MBAR_TEST_TOKEN: break;
  }
  return false;
}

static bool has_bytes(const IrNode *node) {
  return node->op == IR_MBAR_EXPECT || node->op == IR_MBAR_ARRIVE_EXPECT ||
         ir_op_info(node)->form == FORM_COPY;
}

void counts_of_node(const Walk *w, const IrNode *node, CounterVisit visit,
                    void *context) {
  uint32_t first;
  if (!find_row(w, node, &first))
    return;
  if (ir_waits_phase(node->op)) {
    visit(first + COUNT_WAITS, context);
    visit(first + PASS_WAITS, context);
  }
  if (walk_count_is_arrival(node)) {
    visit(first + COUNT_ARRIVALS, context);
    visit(first + PASS_ARRIVALS, context);
  }
  if (has_bytes(node))
    visit(first + PASS_BYTES, context);
}

static const Term *now(Walk *w, uint32_t var) {
  const Value *value = w->vars[var];
  if (value->kind == VALUE_LOST)
    value = value_of_lost(w, value, var);
  return value->kind == VALUE_INT
             ? value->term
             : term_of(w->terms, walk_symbol(w, "count", NULL, NULL, INT64_MIN,
                                             INT64_MAX));
}

static void walk_count_add(Walk *w, uint32_t var, const Term *term) {
  env_set(w, var, walk_count_number(w, term_add(w->terms, now(w, var), term)));
}

static int64_t walk_count_section_bytes(const IrSection *section) {
  int64_t n = section->object->element_bytes;
  for (uint32_t k = 0; k < section->object->rank; k++)
    if (__builtin_mul_overflow(n, section->length[k], &n))
      return INT64_MAX;
  return n;
}

// What the node adds to the bytes that are due.
static const Term *bytes_of(Walk *w, const IrNode *node) {
  TermTable *t = w->terms;
  if (node->op == IR_TMA_LOAD)
    return term_int(t, -walk_count_section_bytes(&node->u.copy.to));
  if (node->op == IR_COPY_BULK)
    return term_scale(t, arg_signed(w, node, 2), -1);
  if (ir_op_info(node)->form == FORM_COPY)
    return term_int(t, 0); // nobody expects them
  return arg_signed(w, node, node->u.barrier.object->rank);
}

void counts_add(Walk *w, const IrNode *node) {
  uint32_t first;
  if (!find_row(w, node, &first))
    return;
  const Term *one = term_int(w->terms, 1);
  if (ir_waits_phase(node->op)) {
    walk_count_add(w, first + COUNT_WAITS, one);
    walk_count_add(w, first + PASS_WAITS, one);
  }
  if (walk_count_is_arrival(node)) {
    walk_count_add(w, first + COUNT_ARRIVALS, one);
    walk_count_add(w, first + PASS_ARRIVALS, one);
  }
  if (has_bytes(node))
    walk_count_add(w, first + PASS_BYTES, bytes_of(w, node));
}

// ------------------------------------------------------------------- passing

static bool is_no_loop(IrNode *node, void *context) {
  (void)context;
  return node->op != IR_LOOP && node->op != IR_FOR &&
         node->op != IR_THREAD_FOR && node->op != IR_EXIT;
}

static bool has_loop(const IrNode *node) {
  for (uint32_t i = 0; i < node->n_regions; i++)
    if (!ir_walk((IrRegion *)(uintptr_t)&node->regions[i], is_no_loop, NULL))
      return true;
  return false;
}

void counts_pass(Walk *w, const IrNode *node, const VarValue *changes,
                 uint32_t n) {
  int has_loops = -1; // not asked yet
  for (uint32_t i = 0; i < n; i++) {
    uint32_t var = changes[i].var;
    if (!walk_is_counter(w, var) || walk_count_kind_of(w, var) < PASS_WAITS)
      continue;
    if (has_loops < 0)
      has_loops = has_loop(node);
    if (!has_loops && changes[i].value)
      env_set(w, var, changes[i].value);
  }
}

const Term *const *counts_now(Walk *w) {
  uint32_t n = n_counters(w);
  bool is_new = !w->counts;
  if (n == 0 || w->dry > 0)
    return NULL;
  for (uint32_t i = 0; i < n && !is_new; i++)
    is_new = w->counts[i] != now(w, w->kernel->vars.count + i);
  if (!is_new)
    return w->counts;
  const Term **counts = ARENA_ARRAY(w->arena, const Term *, n);
  for (uint32_t i = 0; i < n; i++)
    counts[i] = now(w, w->kernel->vars.count + i);
  w->counts = counts;
  return counts;
}
