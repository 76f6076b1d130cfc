// SPDX-License-Identifier: Apache-2.0
// Note [Arguments that nothing decides]
// A launch in the file says how long the kernel's arrays are: that makes an
// access outside of one a bug. But of some arguments it says nothing, as the
// host computes them in a way that isn't followed: an index of a row, a stage
// of a sort. If the bug needs certain values of those, no launch may ever pass
// them. So each access outside is asked again with 0 and with 1 for all such
// arguments; where it is proved then, it is no more than a possible bug, and
// the report names the arguments.
//
// An argument is decided if something that the launch or the user says relates
// it to anything else, or gives it a value; bounds alone don't. What only
// decides how often a loop runs is a count, which a launch may choose: such
// bugs stand. So only arguments count that the index is computed from.
#include "verdict/check_rounds.h"

#include "base/panic.h"
#include "check/report/finding.h"
#include "ir/form/order.h"

#include <ctype.h>
#include <string.h>

enum { FREE_TRY_MS = 500, MOST_FREE = 8 };

typedef struct {
  const CheckTask *task;
  const CheckRound *first;
  HdCheck *check;
  const char *names[MOST_FREE];
  uint32_t params[MOST_FREE]; // their numbers
  int n;
  const NodeOrder *order;
  const IrNode **sets;   // by variable: its last set, or NULL
  const IrNode **before; // by id of a set: the one before it
} FreeArgs;

static bool free_is_word(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '.';
}

static size_t free_word_length(const char *at) {
  size_t n = 0;
  while (free_is_word(at[n]))
    n++;
  return n;
}

// The condition names the argument and gives it a value or relates it to
// another word.
static bool free_decides(const char *condition, const char *name) {
  bool is_named = false, has_other = strstr(condition, "==") != NULL;
  for (const char *at = condition; *at;) {
    size_t n = free_word_length(at);
    bool is_name = n == strlen(name) && strncmp(at, name, n) == 0;
    is_named |= is_name;
    has_other |= n > 0 && !is_name && !isdigit((unsigned char)*at);
    at += n ? n : 1;
  }
  return is_named && has_other;
}

bool check_names_word(const char *condition, const char *name) {
  for (const char *at = condition; *at;) {
    size_t n = free_word_length(at);
    if (n == strlen(name) && strncmp(at, name, n) == 0)
      return true;
    at += n ? n : 1;
  }
  return false;
}

bool check_is_decided(const HdCheck *check, const char *name) {
  const SpecLimits *limits = &check->limits;
  for (uint32_t i = 0; i < limits->n_assumptions; i++)
    if (free_decides(limits->assumptions[i].text, name))
      return true;
  return false;
}

static void find_free(FreeArgs *x) {
  const IrKernel *kernel = x->check->ir;
  for (uint32_t i = 0; i < kernel->params.count && x->n < MOST_FREE; i++) {
    const IrParam *param = &kernel->params.data[i];
    if (check_is_argument(param) && !check_is_decided(x->check, param->name)) {
      x->params[x->n] = i;
      x->names[x->n++] = param->name;
    }
  }
}

// ---------------------------------------------------------------- indices

typedef struct {
  const FreeArgs *args;
  bool *is_seen; // by id
  hd_vec(const IrNode *) open;
  bool is_found;
} FreeSlice;

static void slice_add(FreeSlice *s, const IrNode *node) {
  if (!node || s->is_seen[node->id])
    return;
  s->is_seen[node->id] = true;
  VEC_PUSH(s->args->check->arena, &s->open, node);
}

static void find_sets(FreeArgs *x) {
  Arena *arena = x->check->arena;
  const NodeOrder *order = node_order(arena, x->check->ir);
  x->sets = ARENA_ARRAY(arena, const IrNode *, x->check->ir->vars.count + 1);
  x->before = ARENA_ARRAY(arena, const IrNode *, order->n_ids);
  for (uint32_t i = 0; i < order->n_nodes; i++) {
    const IrNode *node = order->nodes[i];
    if (node->op != IR_SET)
      continue;
    x->before[node->id] = x->sets[node->u.variable.var];
    x->sets[node->u.variable.var] = node;
  }
  x->order = order;
}

static void slice_add_sets(FreeSlice *s, uint32_t var) {
  for (const IrNode *set = s->args->sets[var]; set && !s->is_seen[set->id];
       set = s->args->before[set->id])
    slice_add(s, set);
}

static void slice_step(FreeSlice *s, const IrNode *node) {
  for (int i = 0; node->op == IR_PARAM && i < s->args->n; i++)
    s->is_found |= node->u.index.number == s->args->params[i];
  if (node->op == IR_GET)
    slice_add_sets(s, node->u.variable.var);
  uint32_t value = node->op == IR_STORE; // its last operand
  for (uint32_t i = 0; i + value < node->n_args; i++)
    slice_add(s, node->args[i]);
}

// What the access is computed from, through variables, names a free argument.
static bool free_decides_place(const FreeArgs *x, const IrNode *access) {
  Arena *arena = x->check->arena;
  FreeSlice s = {.args = x,
                 .is_seen = ARENA_ARRAY(arena, bool, x->order->n_ids)};
  if (!access || !order_has(x->order, access))
    return false;
  slice_add(&s, access);
  for (uint32_t i = 0; i < s.open.count && !s.is_found; i++)
    slice_step(&s, s.open.data[i]);
  return s.is_found;
}

// ----------------------------------------------------------------- trials

static HdStatus ask_with(const FreeArgs *x, int value, HdCheck **out) {
  CheckRound round = *x->first;
  round.limits = x->check->limits;
  round.only_proofs = true;
  round.time_ms = FREE_TRY_MS;
  for (int i = 0; i < x->n; i++)
    check_round_assume(x->check->arena, &round,
                       cuda_fact(arena_printf(x->check->arena, "%s == %d",
                                              x->names[i], value)));
  return check_try_proof(x->task, &round, out);
}

static const char *names_text(const FreeArgs *x) {
  Text text = {.arena = x->check->arena};
  for (int i = 0; i < x->n; i++)
    text_printf(&text, "%s'%s'",
                i == 0         ? ""
                : i + 1 < x->n ? ", "
                               : " and ",
                x->names[i]);
  return text_cstr(&text);
}

// An array whose length a launch tells, not the kernel.
static bool free_is_of_launch(const IrNode *access) {
  const IrObject *object = access && ir_op_info(access)->form == FORM_ACCESS
                               ? access->u.access.object
                               : NULL;
  return object && object->param >= 0;
}

static bool free_apply(const FreeArgs *x, const HdCheck *other, int value) {
  HdCheck *check = x->check;
  bool is_any = false;
  for (uint32_t i = 0; i < check->findings.count; i++) {
    Finding *finding = &check->report.findings.data[i];
    if (finding->verdict != VERDICT_BUG || finding->code != CODE_BOUNDS ||
        !free_is_of_launch(finding->node) ||
        !free_decides_place(x, finding->node) ||
        !check_doubt_is_gone(check, i, other))
      continue;
    finding->verdict = VERDICT_UNKNOWN;
    finding->reason.text = arena_printf(
        check->arena,
        "it is a bug for some values of %s, about which the launch says "
        "nothing, but not for %d: state with --assume what holds",
        names_text(x), value);
    is_any = true;
  }
  return is_any;
}

HdStatus check_free(const CheckTask *task, const CheckRound *first,
                    HdCheck *check) {
  HD_ASSERT(check->ir);
  FreeArgs x = {.task = task, .first = first, .check = check};
  if (check->launch_lines.count == 0)
    return HD_OK;
  find_free(&x);
  if (x.n > 0)
    find_sets(&x);
  bool is_any = false;
  for (int value = 0; value <= 1 && x.n > 0; value++) {
    HdCheck *other;
    if (solve_is_behind(&first->end) || ask_with(&x, value, &other) != HD_OK)
      break;
    if (other->was_checked && !check_is_impossible(other))
      is_any |= free_apply(&x, other, value);
    hd_check_free(other);
  }
  if (is_any)
    check_doubt_settle(task, check);
  return HD_OK;
}
