// SPDX-License-Identifier: Apache-2.0
#include "check/run/sizes.h"

#include "check/prove/extents.h"
#include "check/run/trial.h"
#include "check/tree/tree.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 64, MOST_CONSTANTS = 24, MOST_VARIABLES = 24 };

// Tuples that are looked at; most of them are no launches.
enum { MOST_TUPLES = 400000 };

// What a launch chooses: a parameter, or one dimension of the grid or cluster.
typedef enum { CHOOSE_PARAM, CHOOSE_GRID, CHOOSE_CLUSTER } ChoiceKind;

typedef struct {
  ChoiceKind kind;
  uint32_t number; // parameter, dimension
  int64_t values[MOST_VALUES];
  uint32_t n_values;
  uint32_t at; // which one
} Choice;

struct Sizes {
  Arena *arena;
  const IrKernel *kernel;
  Choice choices[MOST_VARIABLES];
  uint32_t n_choices;
  uint32_t total; // sum of what the choices are at
  bool has_begun;
  uint32_t n_tuples;
  int64_t at_most;
  int64_t constants[MOST_CONSTANTS];
  uint32_t n_constants;
  int64_t *scalars;
  int32_t grid[3], cluster[3];
};

// -------------------------------------------------------------- constants

static void add_constant(Sizes *s, int64_t value) {
  enum { LARGEST = 1 << 14 };

  if (value < 2 || value > LARGEST)
    return;
  for (uint32_t i = 0; i < s->n_constants; i++)
    if (s->constants[i] == value)
      return;
  if (s->n_constants < MOST_CONSTANTS)
    s->constants[s->n_constants++] = value;
}

static void host_constants(Sizes *s, const IrHost *x, int depth) {
  if (!x || depth > 64)
    return;
  if (x->op == HOST_CONST && !x->is_float)
    add_constant(s, x->number);
  for (int i = 0; i < x->n_args; i++)
    host_constants(s, x->args[i], depth + 1);
}

static bool node_constants(IrNode *node, void *context) {
  for (uint32_t i = 0; i < node->n_args; i++)
    if (node->args[i]->op == IR_CONST && ir_type_is_int(node->args[i]->type))
      add_constant(context, (int64_t)node->args[i]->u.constant.bits);
  if (node->op == IR_FOR)
    add_constant(context, node->u.loop.step);
  return true;
}

// Of requirements first: they decide what is a launch at all.
static void find_constants(Sizes *s) {
  const IrKernel *kernel = s->kernel;
  const int32_t *dim = kernel->block_dim;
  for (uint32_t i = 0; i < kernel->requirements.count; i++)
    host_constants(s, kernel->requirements.data[i].condition, 0);
  add_constant(s, (int64_t)dim[0] * dim[1] * dim[2]);
  for (int i = 0; i < 3; i++)
    host_constants(s, kernel->grid[i], 0);
  for (uint32_t i = 0; i < kernel->objects.count; i++)
    for (int k = 0; k < IR_MAX_RANK; k++)
      host_constants(s, kernel->objects.data[i]->extents[k], 0);
  ir_walk((IrRegion *)(uintptr_t)&kernel->body, node_constants, s);
  // Counters of bytes start over there.
  for (uint32_t i = 0; i < kernel->vars.count; i++)
    if (kernel->vars.data[i].type.kind == IR_TYPE_I8)
      add_constant(s, 256);
}

// ----------------------------------------------------------------- values

static void sizes_add_value(const Sizes *s, Choice *choice, int64_t value) {
  if (choice->n_values == MOST_VALUES || (s->at_most && value > s->at_most))
    return;
  for (uint32_t i = 0; i < choice->n_values; i++)
    if (choice->values[i] == value)
      return;
  choice->values[choice->n_values++] = value;
}

// Where a value stands: extremes don't come last, arithmetic depends on them.
static uint64_t weight(int64_t value) {
  if (value == 0)
    return 4; // after 1, 2, 3
  if (value == INT32_MAX)
    return 300;
  return value < 0 ? 1000 - (uint64_t)value : (uint64_t)value;
}

static int by_weight(const void *a, const void *b) {
  int64_t x, y;
  memcpy(&x, a, sizeof x);
  memcpy(&y, b, sizeof y);
  uint64_t p = weight(x), q = weight(y);
  return p == q ? (x == 0) - (y == 0) : p < q ? -1 : 1;
}

static void param_values(Sizes *s, Choice *choice, const IrParam *param) {
  static const int64_t small[] = {1,  2,  3,  4,  0,  5,  6,  7,  8, 9,
                                  15, 16, 17, 31, 32, 33, 63, 64, 65};
  for (uint32_t i = 0; i < sizeof small / sizeof *small; i++)
    sizes_add_value(s, choice, small[i]);
  if (param->is_signed)
    sizes_add_value(s, choice, -1);
  if (param->is_signed && ir_type_bits(param->type) >= 32) {
    sizes_add_value(s, choice, INT32_MAX);
    sizes_add_value(s, choice, INT32_MIN);
  }
  for (uint32_t i = 0; i < s->n_constants; i++) {
    int64_t c = s->constants[i];
    sizes_add_value(s, choice, c);
    sizes_add_value(s, choice, c + 1);
    sizes_add_value(s, choice, c - 1);
    sizes_add_value(s, choice, 2 * c);
    sizes_add_value(s, choice, 2 * c + 1);
    sizes_add_value(s, choice, 3 * c);
    sizes_add_value(s, choice, 4 * c);
  }
  if (param->type.kind == IR_TYPE_BOOL)
    choice->n_values = 0;
  if (param->type.kind == IR_TYPE_BOOL) {
    sizes_add_value(s, choice, 1);
    sizes_add_value(s, choice, 0);
  }
}

// What requirements say that parameters are, as far as it is known.
typedef struct {
  const IrKernel *kernel;
  uint64_t *slots;
  bool *has_value;
} Required;

static bool sizes_evaluate(const Required *r, const IrHost *x, int64_t *value) {
  HostScope scope = {r->kernel, r->slots, r->has_value};
  char buffer[256];
  return !x->is_float && host_eval_int(&scope, x, value, buffer) == NULL;
}

// Takes conjuncts `param == value` of `x`.
static void take_equations(Required *r, const IrHost *x, int depth) {
  if (!x || depth > 64)
    return;
  if (x->op == HOST_LOGICAL_AND) {
    take_equations(r, x->args[0], depth + 1);
    take_equations(r, x->args[1], depth + 1);
  }
  for (int i = 0; x->op == HOST_EQ && i < 2; i++) {
    const IrHost *side = x->args[i];
    int64_t value;
    if (side->op != HOST_PARAM || r->has_value[side->number] ||
        !sizes_evaluate(r, x->args[1 - i], &value))
      continue;
    r->has_value[side->number] = true;
    r->slots[r->kernel->params.data[side->number].slot] = (uint64_t)value;
  }
}

bool sizes_required(Arena *arena, const IrKernel *kernel, uint32_t param,
                    int64_t *value) {
  ArenaMark mark = arena_mark(arena);
  Required r = {.kernel = kernel,
                .slots = ARENA_ARRAY(arena, uint64_t, kernel->n_slots + 1),
                .has_value =
                    ARENA_ARRAY(arena, bool, kernel->params.count + 1)};
  for (int round = 0; round < 2; round++) // one may be said by another
    for (uint32_t i = 0; i < kernel->requirements.count; i++)
      if (kernel->requirements.data[i].kind != REQUIRE_CONTENTS)
        take_equations(&r, kernel->requirements.data[i].condition, 0);
  bool is_required = r.has_value[param];
  *value = (int64_t)r.slots[kernel->params.data[param].slot];
  arena_release(arena, mark);
  return is_required;
}

// A conjunct that is about this parameter alone must hold for the value.
static bool may_have(const Sizes *s, const IrHost *x, uint32_t param,
                     int64_t value, int depth) {
  if (!x || depth > 64)
    return true;
  if (x->op == HOST_LOGICAL_AND)
    return may_have(s, x->args[0], param, value, depth + 1) &&
           may_have(s, x->args[1], param, value, depth + 1);
  bool *has_value = ARENA_ARRAY(s->arena, bool, s->kernel->params.count + 1);
  uint64_t *slots = ARENA_ARRAY(s->arena, uint64_t, s->kernel->n_slots + 1);
  has_value[param] = true;
  slots[s->kernel->params.data[param].slot] = (uint64_t)value;
  HostScope scope = {s->kernel, slots, has_value};
  HostValue result;
  char buffer[256];
  if (host_eval(&scope, x, &result, buffer))
    return true; // also if others occur
  return result.is_float ? result.real != 0 : result.integer != 0;
}

static void filter_values(const Sizes *s, Choice *choice) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < choice->n_values; i++) {
    bool is_possible = true;
    for (uint32_t k = 0; k < s->kernel->requirements.count; k++) {
      const IrRequire *require = &s->kernel->requirements.data[k];
      ArenaMark mark = arena_mark(s->arena);
      is_possible &=
          require->kind == REQUIRE_CONTENTS ||
          may_have(s, require->condition, choice->number, choice->values[i], 0);
      arena_release(s->arena, mark);
    }
    if (is_possible)
      choice->values[kept++] = choice->values[i];
  }
  choice->n_values = kept;
}

// ---------------------------------------------------------------- choices

static Choice *choice_new(Sizes *s, ChoiceKind kind, uint32_t number) {
  if (s->n_choices == MOST_VARIABLES)
    return NULL;
  Choice *choice = &s->choices[s->n_choices++];
  *choice = (Choice){.kind = kind, .number = number};
  return choice;
}

static bool sizes_is_choice(const IrParam *param) {
  return param->kind == PARAM_SCALAR &&
         (ir_type_is_int(param->type) ||
          (param->type.kind == IR_TYPE_BOOL && param->type.lanes == 1));
}

// `dims`: bits of the dimensions that are chosen.
static void add_counts(Sizes *s, ChoiceKind kind, uint32_t dims, int64_t most) {
  for (uint32_t i = 0; i < 3; i++) {
    if (!(dims >> i & 1))
      continue;
    Choice *choice = choice_new(s, kind, i);
    for (int64_t n = 1; n <= (i == 0 ? most : 2) && choice; n++)
      sizes_add_value(s, choice, n);
  }
}

static bool find_cluster(IrNode *node, void *context) {
  const IrOpInfo *info = ir_op_info(node);
  bool *has_cluster = context;
  if (info->form == FORM_GROUP && node->u.group.group)
    *has_cluster |= node->u.group.group->kind == GROUP_CLUSTER;
  *has_cluster |=
      node->op == IR_MAP_SHARED || node->op == IR_MBAR_ARRIVE_REMOTE;
  return true;
}

Sizes *sizes_new(Arena *arena, const IrKernel *kernel, int64_t at_most) {
  Sizes *s = ARENA_NEW(arena, Sizes);
  s->arena = arena;
  s->kernel = kernel;
  s->at_most = at_most;
  s->scalars = ARENA_ARRAY(arena, int64_t, kernel->params.count + 1);
  find_constants(s);
  for (uint32_t i = 0; i < kernel->params.count; i++) {
    const IrParam *param = &kernel->params.data[i];
    Choice *choice =
        sizes_is_choice(param) ? choice_new(s, CHOOSE_PARAM, i) : NULL;
    if (!choice)
      continue;
    int64_t required;
    if ((int)i == extents_open_param(kernel))
      sizes_add_value(s, choice, SIZES_OPEN_SHARED);
    else if (sizes_required(arena, kernel, i, &required))
      sizes_add_value(s, choice, required);
    else
      param_values(s, choice, param);
    qsort(choice->values, choice->n_values, sizeof *choice->values, by_weight);
    filter_values(s, choice);
  }
  bool has_cluster = false;
  ir_walk((IrRegion *)(uintptr_t)&kernel->body, find_cluster, &has_cluster);
  add_counts(s, CHOOSE_GRID, tree_open_grid(kernel), 4);
  if (kernel->cluster_dim[0] <= 0 && has_cluster)
    add_counts(s, CHOOSE_CLUSTER, 7, 2);
  sizes_restart(s);
  return s;
}

// ------------------------------------------------------------ enumeration

void sizes_restart(Sizes *s) {
  s->total = 0;
  s->has_begun = false;
  s->n_tuples = 0;
  for (uint32_t i = 0; i < s->n_choices; i++)
    s->choices[i].at = 0;
}

static uint32_t most_at(const Choice *choice) {
  return choice->n_values ? choice->n_values - 1 : 0;
}

// Gives `sum` to the choices from `first` on, as late as possible.
static bool sizes_spread(Sizes *s, uint32_t first, uint32_t sum) {
  for (uint32_t i = s->n_choices; i-- > first;) {
    uint32_t most = most_at(&s->choices[i]);
    s->choices[i].at = sum < most ? sum : most;
    sum -= s->choices[i].at;
  }
  return sum == 0;
}

// The next tuple with the same sum, in lexicographic order.
static bool next_of_sum(Sizes *s) {
  uint32_t behind = 0; // sum of what stands behind
  for (uint32_t i = s->n_choices; i-- > 0;) {
    Choice *choice = &s->choices[i];
    if (behind > 0 && choice->at < most_at(choice)) {
      choice->at++;
      return sizes_spread(s, i + 1, behind - 1);
    }
    behind += choice->at;
  }
  return false;
}

static bool next_tuple(Sizes *s) {
  uint32_t most = 0;
  for (uint32_t i = 0; i < s->n_choices; i++) {
    most += most_at(&s->choices[i]);
    if (s->choices[i].n_values == 0)
      return false;
  }
  if (s->n_tuples++ > MOST_TUPLES)
    return false;
  if (!s->has_begun) {
    s->has_begun = true;
    return sizes_spread(s, 0, 0);
  }
  if (next_of_sum(s))
    return true;
  return ++s->total <= most && sizes_spread(s, 0, s->total);
}

static void set_values(Sizes *s) {
  for (int i = 0; i < 3; i++)
    s->grid[i] = s->cluster[i] = 1;
  for (uint32_t i = 0; i < s->n_choices; i++) {
    const Choice *choice = &s->choices[i];
    int64_t value = choice->values[choice->at];
    switch (choice->kind) {
    case CHOOSE_PARAM: s->scalars[choice->number] = value; break;
    case CHOOSE_GRID: s->grid[choice->number] = (int32_t)value; break;
    case CHOOSE_CLUSTER: s->cluster[choice->number] = (int32_t)value; break;
    }
  }
}

bool sizes_next(Sizes *s, ConcreteLaunch *out) {
  while (next_tuple(s)) {
    set_values(s);
    *out = (ConcreteLaunch){.scalars = s->scalars};
    memcpy(out->grid, s->grid, sizeof out->grid);
    memcpy(out->cluster, s->cluster, sizeof out->cluster);
    Trial trial;
    ArenaMark mark = arena_mark(s->arena);
    bool is_launch = trial_shape(&trial, s->arena, s->kernel, out);
    arena_release(s->arena, mark);
    if (is_launch)
      return true;
  }
  return false;
}

// ------------------------------------------------------------------- text

const char *sizes_text(Arena *arena, const IrKernel *kernel,
                       const ConcreteLaunch *launch) {
  Text text = {.arena = arena};
  for (uint32_t i = 0; i < kernel->params.count; i++) {
    const IrParam *param = &kernel->params.data[i];
    if (sizes_is_choice(param))
      text_printf(&text, "%s%s=%" PRId64, text.length ? ", " : "", param->name,
                  launch->scalars[i]);
  }
  const int32_t *g = launch->grid, *c = launch->cluster;
  if (kernel->n_grid == 0)
    text_printf(&text, "%sgrid %dx%dx%d", text.length ? ", " : "", g[0], g[1],
                g[2]);
  if (kernel->cluster_dim[0] <= 0 && c[0] * c[1] * c[2] > 1)
    text_printf(&text, "%scluster %dx%dx%d", text.length ? ", " : "", c[0],
                c[1], c[2]);
  if (launch->overlap)
    text_printf(&text, "%sarrays that may alias are one",
                text.length ? ", " : "");
  bool has_arrays = false;
  for (uint32_t i = 0; i < kernel->params.count; i++)
    has_arrays |= kernel->params.data[i].kind == PARAM_ARRAY;
  if (has_arrays && launch->fill == FILL_RANDOM)
    text_printf(&text, "%sarrays of random numbers (%" PRIu64 ")",
                text.length ? ", " : "", launch->seed);
  return text_cstr(&text);
}
