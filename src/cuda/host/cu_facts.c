// SPDX-License-Identifier: Apache-2.0
#include "cuda/host/cu_facts.h"

#include "base/bits.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_scope.h"
#include "cuda/host/cu_host.h"
#include "cuda/host/cu_joined.h"
#include "cuda/host/cu_made.h"
#include "cuda/host/cx_guards.h"
#include "cxx/cx_parse.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_PARAMS = 64 };

typedef struct {
  CuContext *cu;
  CuHostReader reader;
  const CuFunction *kernel;
  // By parameter: what is passed, its name where that is a variable.
  const CxExpr *args[MOST_PARAMS];
  const CuHost *values[MOST_PARAMS];
  uint32_t n_args;
  bool is_said[MOST_PARAMS]; // a fact gives its value
  uint32_t self;             // the parameter that is spoken of, or MOST_PARAMS
  const CuHost *grid[3], *block[3];
  const uint32_t *threads; // the block that is assumed
  bool names_block;        // terms that are block[i] are called blockDim
  bool is_loose;
  int64_t most_factor;
  CuHostLeasts leasts;         // of variables, by conditions
  hd_vec(CudaFact) facts;      // to be shown
  hd_vec(CudaFact) conditions; // the same, for proofs
  hd_vec(CudaFact) clauses;    // the same, to be stated
} Facts;

// --------------------------------------------------------------- arguments

static const char *param_name(const Facts *f, uint32_t index) {
  const CuParam *param = &f->kernel->params[index];
  return param->is_element ? NULL : param->name;
}

static bool is_number_param(const Facts *f, uint32_t index) {
  const CuType *type = f->kernel->params[index].type;
  return param_name(f, index) && cu_is_integer(type) && !cu_is(type, CU_BOOL);
}

static void read_args(Facts *f) {
  uint32_t most = f->kernel->n_params;
  f->n_args = cu_host_args(&f->reader, most < MOST_PARAMS ? most : MOST_PARAMS,
                           f->args);
  for (uint32_t i = 0; i < f->n_args; i++)
    f->values[i] =
        is_number_param(f, i) ? cu_host_term(&f->reader, f->args[i]) : NULL;
}

// ------------------------------------------------------------------- texts

static bool facts_say(const Facts *f, const CuHost *term, Text *out);

static const char *const grid_axes[] = {"gridDim.x", "gridDim.y", "gridDim.z"};
static const char *const block_axes[] = {"blockDim.x", "blockDim.y",
                                         "blockDim.z"};

// Whose size the term is; -1: of none.
static int block_axis(const Facts *f, const CuHost *term) {
  for (int i = 0; i < 3 && f->names_block; i++)
    if (f->block[i] && f->block[i]->kind != CU_HOST_NUMBER &&
        cu_host_equal(f->block[i], term))
      return i;
  return -1;
}

static bool say_parts(const Facts *f, const CuHost *term, Text *out) {
  static const char *const words[] = {
      [CU_HOST_ADD] = " + ", [CU_HOST_SUB] = " - ", [CU_HOST_MUL] = " * ",
      [CU_HOST_DIV] = " / ", [CU_HOST_REM] = " % ", [CU_HOST_CDIV] = " + ",
      [CU_HOST_MIN] = ", ",  [CU_HOST_MAX] = ", ",  [CU_HOST_SHL] = "LL << ",
  };

  if (term->kind == CU_HOST_NUMBER) {
    text_printf(out, "%" PRId64, term->number);
    return true;
  }
  if (term->kind == CU_HOST_VARIABLE)
    return false;
  bool is_ceiling = term->kind == CU_HOST_CDIV;
  text_add(out, term->kind == CU_HOST_MIN   ? "min("
                : term->kind == CU_HOST_MAX ? "max("
                : is_ceiling                ? "(("
                                            : "(");
  bool is_known = facts_say(f, term->a, out);
  text_add(out, words[term->kind]);
  if (is_ceiling && term->b->kind == CU_HOST_NUMBER)
    text_printf(out, "%" PRId64, term->b->number - 1);
  else
    is_known = is_known && facts_say(f, term->b, out);
  if (is_ceiling) {
    text_add(out, term->b->kind == CU_HOST_NUMBER ? ") / " : " - 1) / ");
    is_known = is_known && facts_say(f, term->b, out);
  }
  text_add(out, ")");
  return is_known;
}

// term + n or term - n is passed for a parameter: what the term is by that.
static bool facts_say_shifted(const Facts *f, const CuHost *term, Text *out) {
  for (uint32_t i = 0; i < f->n_args && term->kind != CU_HOST_NUMBER; i++) {
    const CuHost *value = i != f->self ? f->values[i] : NULL;
    bool is_sum = value && value->kind == CU_HOST_ADD;
    bool is_shifted = is_sum || (value && value->kind == CU_HOST_SUB);
    if (!is_shifted || value->b->kind != CU_HOST_NUMBER ||
        !cu_host_equal(value->a, term))
      continue;
    text_printf(out, "(%s %s %" PRId64 ")", param_name(f, i),
                is_sum ? "-" : "+", value->b->number);
    return true;
  }
  return false;
}

// In terms of parameters. False: others are in it.
static bool facts_say(const Facts *f, const CuHost *term, Text *out) {
  for (uint32_t i = 0; i < f->n_args && term->kind != CU_HOST_NUMBER; i++) {
    if (f->values[i] && cu_host_equal(f->values[i], term)) {
      text_add(out, param_name(f, i));
      return true;
    }
  }
  int axis = block_axis(f, term);
  if (axis >= 0)
    text_add(out, block_axes[axis]);
  return axis >= 0 || facts_say_shifted(f, term, out) ||
         say_parts(f, term, out);
}

// The parameter's value by other parameters.
static bool facts_say_value(Facts *f, uint32_t index, Text *out) {
  f->self = index;
  bool is_said = say_parts(f, f->values[index], out);
  f->self = MOST_PARAMS;
  return is_said;
}

// What was said, without the brackets around all of it.
static const char *bare(const Facts *f, Text *text) {
  const char *all = text_cstr(text);
  return all[0] == '(' ? arena_strndup(f->cu->arena, all + 1, text->length - 2)
                       : all;
}

// NULL: not in terms of parameters.
static const char *facts_text_of(const Facts *f, const CuHost *term) {
  Text text = {.arena = f->cu->arena};
  return term && facts_say(f, term, &text) ? bare(f, &text) : NULL;
}

static void facts_show(Facts *f, const char *left, const char *op,
                       const char *right) {
  CudaFact fact = cuda_fact(cu_format(f->cu, "%s %s %s", left, op, right));
  VEC_PUSH(f->cu->arena, &f->facts, fact);
  VEC_PUSH(f->cu->arena, &f->clauses, fact);
}

static void facts_condition(Facts *f, const char *text) {
  VEC_PUSH(f->cu->arena, &f->conditions, cuda_fact(text));
}

static void facts_add(Facts *f, const char *left, const char *op,
                      const char *right) {
  facts_show(f, left, op, right);
  facts_condition(f, f->facts.data[f->facts.count - 1].text);
}

// A constant, or a size of the block; 0: neither.
static int64_t fixed_number(const Facts *f, const CuHost *term) {
  int axis = block_axis(f, term);
  if (axis >= 0)
    return f->threads[axis];
  return term->kind == CU_HOST_NUMBER && term->number >= 1 ? term->number : 0;
}

// left == a / by, or rounded up: as bounds, without a quotient.
static bool add_quotient(Facts *f, const char *left, const CuHost *term) {
  bool is_up = term->kind == CU_HOST_CDIV;
  if (!is_up && term->kind != CU_HOST_DIV)
    return false;
  int64_t by = fixed_number(f, term->b);
  if (by == 0)
    return false;
  const char *a = facts_text_of(f, term->a), *all = facts_text_of(f, term);
  if (!a || !all)
    return false;
  facts_show(f, left, "==", all);
  const char *product = cu_format(f->cu, "(long long)%s * %" PRId64, left, by);
  if (is_up) {
    facts_condition(f, cu_format(f->cu, "%s <= %s", a, product));
    facts_condition(f, cu_format(f->cu, "%s < %s + %" PRId64, product, a, by));
  } else {
    facts_condition(f, cu_format(f->cu, "%s <= %s", product, a));
    facts_condition(f, cu_format(f->cu, "%s < %s + %" PRId64, a, product, by));
  }
  return true;
}

// ------------------------------------------------------------------- facts

static bool facts_is_repeated(const Facts *f, uint32_t index, uint32_t *first) {
  for (*first = 0; *first < index; (*first)++) {
    if (f->values[*first] && cu_host_equal(f->values[*first], f->values[index]))
      return true;
  }
  return false;
}

// In place of "x == 1024": a multiple of what it is a multiple of.
// Small enough for runs.
static void add_multiple(Facts *f, uint32_t index) {
  int64_t value = f->values[index]->number, factor = 1;
  while (factor < f->most_factor && value % (2 * factor) == 0)
    factor *= 2;
  const char *name = param_name(f, index);
  facts_add(f, name, ">=", cu_format(f->cu, "%" PRId64, factor));
  if (factor > 1)
    facts_add(f, cu_format(f->cu, "%s %% %" PRId64, name, factor), "==", "0");
}

// In place of "x == (n + 63) / 64 * 64", where the kernel isn't told n.
static void facts_add_range(Facts *f, uint32_t index) {
  const CuHost *value = f->values[index];
  const char *name = param_name(f, index);
  int64_t factor = cu_host_factor(value), least, most;
  if (value->kind == CU_HOST_VARIABLE)
    return;
  if (factor > 1 && factor <= INT32_MAX)
    facts_add(f, cu_format(f->cu, "%s %% %" PRId64, name, factor), "==", "0");
  if (cu_host_least(&f->leasts, value, &least) && least > INT32_MIN &&
      least <= INT32_MAX)
    facts_add(f, name, ">=", cu_format(f->cu, "%" PRId64, least));
  if (cu_host_most(value, &most) && most > INT32_MIN && most <= INT32_MAX)
    facts_add(f, name, "<=", cu_format(f->cu, "%" PRId64, most));
}

// A product of a parameter and something else is 0 where that is, however it
// wraps.
static void facts_add_zero(Facts *f, uint32_t index, const CuHost *part) {
  if (part->kind == CU_HOST_MUL) {
    facts_add_zero(f, index, part->a);
    facts_add_zero(f, index, part->b);
    return;
  }
  const char *factor =
      part->kind == CU_HOST_VARIABLE ? facts_text_of(f, part) : NULL;
  const char *name = param_name(f, index);
  if (factor && part != f->values[index])
    facts_add(f, cu_format(f->cu, "%s != 0 || %s", factor, name), "==", "0");
}

// What cudaMallocPitch gave is as long as a row.
static void facts_add_pitch(Facts *f, uint32_t index) {
  const CuHost *value = f->values[index];
  const CuHost *row = value->kind == CU_HOST_VARIABLE
                          ? cu_host_row(&f->reader, value->name)
                          : NULL;
  const char *text = facts_text_of(f, row);
  if (text)
    facts_add(f, param_name(f, index), ">=", text);
}

static void add_numbers(Facts *f) {
  enum { LARGE = 64 };

  for (uint32_t i = 0; i < f->n_args; i++) {
    Text text = {.arena = f->cu->arena};
    uint32_t first;
    if (!f->values[i])
      continue;
    bool is_number = f->values[i]->kind == CU_HOST_NUMBER;
    f->is_said[i] = true;
    if (facts_is_repeated(f, i, &first) && (!is_number || f->is_loose)) {
      facts_add(f, param_name(f, i), "==", param_name(f, first));
    } else if (is_number && f->is_loose && f->values[i]->number > LARGE) {
      add_multiple(f, i);
    } else if (facts_say_value(f, i, &text)) {
      facts_add(f, param_name(f, i), "==", bare(f, &text));
    } else {
      f->is_said[i] = false;
      facts_add_range(f, i);
      facts_add_zero(f, i, f->values[i]);
      facts_add_pitch(f, i);
    }
  }
}

// name == blocks * factor
static void add_factor(Facts *f, const char *blocks, const char *name,
                       int64_t factor) {
  facts_show(f, blocks, "==", cu_format(f->cu, "%s / %" PRId64, name, factor));
  if (factor > 1)
    facts_show(f, cu_format(f->cu, "%s %% %" PRId64, name, factor), "==", "0");
  facts_condition(
      f, cu_format(f->cu, "%s == %s * %" PRId64, name, blocks, factor));
}

// How a constant number of blocks comes from a constant argument: by blocks of
// so many threads, or as a divisor.
static bool add_ratio(Facts *f, int axis, uint32_t threads) {
  int64_t blocks = f->grid[axis]->number;
  for (uint32_t i = 0; i < f->n_args && blocks > 1; i++) {
    const CuHost *value = f->values[i];
    if (!value || value->kind != CU_HOST_NUMBER || value->number < blocks)
      continue;
    const char *name = param_name(f, i);
    if ((value->number + threads - 1) / threads == blocks)
      facts_add(f, grid_axes[axis], "==",
                cu_format(f->cu, "(%s + %u) / %u", name, threads - 1, threads));
    else if (value->number % blocks == 0)
      add_factor(f, grid_axes[axis], name, value->number / blocks);
    else
      continue;
    return true;
  }
  return false;
}

static void add_grid(Facts *f, const uint32_t block[3]) {
  for (int i = 0; i < 3; i++) {
    bool is_number = f->grid[i] && f->grid[i]->kind == CU_HOST_NUMBER;
    if (f->is_loose && is_number && add_ratio(f, i, block[i]))
      continue;
    if (!f->grid[i] || add_quotient(f, grid_axes[i], f->grid[i]))
      continue;
    const char *text = facts_text_of(f, f->grid[i]);
    if (text)
      facts_add(f, grid_axes[i], "==", text);
  }
}

// A block that isn't constant, in terms of parameters.
static void facts_add_block(Facts *f) {
  f->names_block = false;
  for (int i = 0; i < 3; i++) {
    const CuHost *size = f->block[i];
    if (!size || size->kind == CU_HOST_NUMBER ||
        add_quotient(f, block_axes[i], size))
      continue;
    const char *text = facts_text_of(f, size);
    if (text)
      facts_add(f, block_axes[i], "==", text);
  }
  f->names_block = true;
}

static void read_grid(Facts *f, CudaLaunch *out) {
  uint32_t n_known = 0;
  if (!cu_host_grid(&f->reader, f->grid))
    f->grid[0] = f->grid[1] = f->grid[2] = NULL;
  for (int i = 0; i < 3 && f->grid[i]; i++) {
    if (f->grid[i]->kind != CU_HOST_NUMBER || f->grid[i]->number < 1 ||
        f->grid[i]->number > INT32_MAX)
      continue;
    out->grid[i] = (uint32_t)f->grid[i]->number;
    n_known++;
  }
  out->has_grid = n_known == 3;
}

static void facts_read_shared(Facts *f, CudaLaunch *out) {
  const CuHost *term = cu_host_shared(&f->reader);
  if (!term || term->kind != CU_HOST_NUMBER || term->number < 0 ||
      term->number > INT32_MAX)
    return;
  out->has_shared = true;
  out->shared_bytes = (uint32_t)term->number;
}

static void add_lengths(Facts *f) {
  for (uint32_t i = 0; i < f->n_args; i++) {
    const CuType *type = f->kernel->params[i].type;
    const CxExpr *arg = f->args[i];
    bool is_name =
        arg && arg->kind == CX_EXPR_NAME && arg->u.name->n_parts == 1;
    if (!is_name || !param_name(f, i) || !cu_is(type, CU_POINTER))
      continue;
    uint64_t size = cu_size(cu_plain(type)->u.inner);
    const CuHost *bytes =
        size ? cu_host_bytes(&f->reader, arg->u.name->parts[0].name) : NULL;
    const CuHost *elements =
        bytes ? cu_host_divide(f->cu, bytes, (int64_t)size) : NULL;
    bool is_fixed = elements && elements->kind == CU_HOST_NUMBER;
    const char *text =
        f->is_loose && is_fixed ? NULL : facts_text_of(f, elements);
    if (text)
      facts_add(f, text, "<=", cu_format(f->cu, "len(%s)", param_name(f, i)));
  }
}

static void facts_find_made(Facts *f, CudaLaunch *out) {
  hd_vec(CudaMade) all = {0};
  for (uint32_t i = 0; i < f->n_args; i++) {
    if (!is_number_param(f, i) || !f->args[i] || f->is_said[i])
      continue;
    CuMade made = cu_find_made(&f->reader, f->values[i], f->args[i]);
    CudaMade row = {param_name(f, i), made.origin, made.has_value, made.value};
    VEC_PUSH(f->cu->arena, &all, row);
  }
  out->made = all.data;
  out->n_made = all.count;
}

// What the launch says of pointers that lead into one array.
static void facts_find_shared(Facts *f, CudaLaunch *out) {
  CuJoined joined = {0};
  cu_find_joined(&f->reader, f->kernel, f->args, f->n_args, &joined);
  for (uint32_t i = 0; i < joined.n_facts; i++)
    VEC_PUSH(f->cu->arena, &f->facts, cuda_fact(joined.facts[i]));
  out->shared = joined.same;
  out->overlapping = joined.overlapping;
}

// ---------------------------------------------------------- shared memory

static bool has_part(const CuHost *term, const CuHost *part) {
  return cu_host_equal(term, part) ||
         (term->a && (has_part(term->a, part) || has_part(term->b, part)));
}

// Whoever computes bytes from it takes it for a size.
static void add_sizes(Facts *f, const CuHost *bytes) {
  for (uint32_t i = 0; i < f->n_args; i++)
    if (f->values[i] && f->values[i]->kind == CU_HOST_VARIABLE &&
        has_part(bytes, f->values[i]))
      facts_add(f, param_name(f, i), ">=", "0");
}

static void facts_add_shared(Facts *f) {
  const CuHost *term = cu_host_shared(&f->reader);
  bool is_none = term && term->kind == CU_HOST_NUMBER && term->number == 0;
  const char *text = facts_text_of(f, term);
  if (!text || is_none)
    return;
  facts_add(f, "dynamic_shared_bytes", "==", text);
  add_sizes(f, term);
}

// ------------------------------------------------------------------ guards

// x divides a power of two: it is one.
static bool facts_add_divisor(Facts *f, const CuHost *term) {
  const CuHost *whole = term->kind == CU_HOST_REM ? term->a : NULL;
  if (!whole || whole->kind != CU_HOST_NUMBER ||
      !is_power_of_two(whole->number))
    return false;
  const char *x = facts_text_of(f, term->b);
  if (!x || term->b->kind != CU_HOST_VARIABLE)
    return false;
  const char *const parts[] = {
      cu_format(f->cu, "%s >= 1", x),
      cu_format(f->cu, "%s <= %" PRId64, x, whole->number),
      cu_format(f->cu, "(%s & (%s - 1)) == 0", x, x)};
  VEC_PUSH(
      f->cu->arena, &f->facts,
      cuda_fact(cu_format(f->cu, "%" PRId64 " %% %s == 0", whole->number, x)));
  for (int i = 0; i < 3; i++) {
    facts_condition(f, parts[i]);
    VEC_PUSH(f->cu->arena, &f->clauses, cuda_fact(parts[i]));
  }
  return true;
}

typedef struct {
  BinaryOp op, opposite;
  const char *text;
} Comparison;

static const Comparison comparisons[] = {
    {BINARY_LT, BINARY_GE, "<"},  {BINARY_LE, BINARY_GT, "<="},
    {BINARY_GT, BINARY_LE, ">"},  {BINARY_GE, BINARY_LT, ">="},
    {BINARY_EQ, BINARY_NE, "=="}, {BINARY_NE, BINARY_EQ, "!="},
};

static const char *comparison_text(BinaryOp op, bool is_false) {
  for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++)
    if ((is_false ? comparisons[i].opposite : comparisons[i].op) == op)
      return comparisons[i].text;
  return NULL;
}

static bool facts_is_zero(const CuHost *term) {
  return term->kind == CU_HOST_NUMBER && term->number == 0;
}

static void add_comparison(Facts *f, const CxExpr *one, const char *op,
                           const CxExpr *other) {
  const CuHost *a = op ? cu_host_term(&f->reader, one) : NULL;
  const CuHost *b = op ? cu_host_term(&f->reader, other) : NULL;
  if (!a || !b || (a->kind == CU_HOST_NUMBER && b->kind == CU_HOST_NUMBER))
    return;
  bool is_equal = strcmp(op, "==") == 0;
  if (is_equal && facts_is_zero(b) && facts_add_divisor(f, a))
    return;
  const char *left = facts_text_of(f, a), *right = facts_text_of(f, b);
  if (left && right)
    facts_add(f, left, op, right);
}

static void facts_add_condition(Facts *f, const CxExpr *expr, bool is_false,
                                uint32_t depth) {
  enum { MOST_DEPTH = 16 };

  bool is_not = expr->kind == CX_EXPR_UNARY && expr->u.unary.op == UNARY_NOT;
  if (depth > MOST_DEPTH)
    return;
  if (is_not)
    facts_add_condition(f, expr->u.unary.operand, !is_false, depth + 1);
  if (expr->kind != CX_EXPR_BINARY)
    return;
  if (expr->u.binary.op == (is_false ? BINARY_LOG_OR : BINARY_LOG_AND)) {
    facts_add_condition(f, expr->u.binary.left, is_false, depth + 1);
    facts_add_condition(f, expr->u.binary.right, is_false, depth + 1);
  } else {
    add_comparison(f, expr->u.binary.left,
                   comparison_text(expr->u.binary.op, is_false),
                   expr->u.binary.right);
  }
}

static bool facts_is_power_of_two(const CuHost *term, const CxGuards *guards) {
  switch ((int)term->kind) {
  case CU_HOST_NUMBER: return is_power_of_two(term->number);
  case CU_HOST_VARIABLE:
    for (uint32_t i = 0; i < guards->count; i++)
      if (guards->data[i].counter && guards->data[i].counter == term->name)
        return true;
    return false;
  case CU_HOST_MUL:
  case CU_HOST_DIV: // or 0
    return facts_is_power_of_two(term->a, guards) &&
           facts_is_power_of_two(term->b, guards);
  default: return false;
  }
}

// A counter that grows is at least what it began with, as the loop's condition
// kept it from wrapping, and one that falls or is divided at most that. Guards
// are outermost first: only counters that were shown to be powers of two are
// kept in `powers`. A quotient may be 0, which has no bit either.
static void add_counter(Facts *f, const CxGuard *guard, CxGuards *powers) {
  const CxExpr *expr = cu_host_parse(&f->reader, guard->first);
  const CuHost *first = expr ? cu_host_term(&f->reader, expr) : NULL;
  bool is_power =
      first && guard->doubles && facts_is_power_of_two(first, powers);
  if (!first || (!guard->grows && !guard->shrinks && !is_power))
    return;
  if (is_power)
    VEC_PUSH(f->cu->arena, powers, *guard);
  bool is_bounded = guard->grows || guard->shrinks;
  const char *bound = is_bounded ? facts_text_of(f, first) : NULL;
  for (uint32_t i = 0; i < f->n_args; i++) {
    const CuHost *value = f->values[i];
    const char *x = param_name(f, i);
    if (!value || value->kind != CU_HOST_VARIABLE ||
        value->name != guard->counter)
      continue;
    if (bound)
      facts_add(f, x, guard->grows ? ">=" : "<=", bound);
    if (is_power)
      facts_add(f, cu_format(f->cu, "(%s & (%s - 1))", x, x), "==", "0");
  }
}

static void add_guards(Facts *f, const CxLaunch *launch) {
  CxGuards guards = {0}, powers = {0};
  cx_find_guards(f->cu->tree, launch->function, launch->at, &guards);
  for (uint32_t i = 0; i < guards.count; i++) {
    const CxGuard *guard = &guards.data[i];
    const CxExpr *expr =
        guard->counter ? NULL : cu_host_parse(&f->reader, guard->condition);
    const CxExpr *label = cu_host_parse(&f->reader, guard->label);
    f->reader.asked_at = guard->condition.begin;
    if (expr && label)
      add_comparison(f, expr, "==", label);
    else if (expr && guard->label.begin == guard->label.end)
      facts_add_condition(f, expr, guard->is_false, 0);
    f->reader.asked_at = 0;
  }
  for (uint32_t i = 0; i < guards.count; i++)
    if (guards.data[i].counter)
      add_counter(f, &guards.data[i], &powers);
}

static void facts_add_all(Facts *f, const CxLaunch *launch,
                          const uint32_t block[3]) {
  f->threads = block;
  add_numbers(f);
  facts_add_block(f);
  add_grid(f, block);
  add_lengths(f);
  facts_add_shared(f);
  add_guards(f, launch);
}

static void loose_facts(const Facts *f, const CxLaunch *launch,
                        const uint32_t block[3], CudaLaunch *out) {
  Facts loose = *f;
  loose.is_loose = true;
  for (int i = 0; i < 3; i++)
    if (loose.most_factor < block[i])
      loose.most_factor = block[i];
  loose.facts.data = loose.conditions.data = loose.clauses.data = NULL;
  loose.facts.count = loose.facts.capacity = 0;
  loose.conditions.count = loose.conditions.capacity = 0;
  loose.clauses.count = loose.clauses.capacity = 0;
  facts_add_all(&loose, launch, block);
  out->like = (CudaFacts){loose.conditions.data, loose.conditions.count};
  out->like_stated = (CudaFacts){loose.clauses.data, loose.clauses.count};
}

// Where a loop around the launch changes what it passes.
static void facts_find_first(const Facts *f, const uint32_t block[3],
                             CudaLaunch *out) {
  CudaLaunch read = {0};
  Facts first = {.cu = f->cu, .kernel = f->kernel, .self = MOST_PARAMS};
  bool is_made = false;
  for (uint32_t i = 0; i < out->n_made; i++)
    is_made |= out->made[i].origin == CUDA_ORIGIN_MADE;
  if (!is_made)
    return;
  first.reader = f->reader;
  first.reader.n_steps = first.reader.depth = 0;
  first.reader.is_first = true;
  read_args(&first);
  if (!cu_host_block(&first.reader, first.block))
    first.block[0] = first.block[1] = first.block[2] = NULL;
  read_grid(&first, &read);
  facts_add_all(&first, f->reader.launch, block);
  if (first.conditions.count > f->conditions.count)
    out->first = (CudaFacts){first.conditions.data, first.conditions.count};
}

void cu_launch_facts(CuContext *cu, const CuLaunch *row,
                     const CuFunction *kernel, const uint32_t block[3],
                     CudaLaunch *out) {
  const CxLaunch *launch = row->launch;
  Facts f = {.cu = cu, .kernel = kernel, .self = MOST_PARAMS};
  f.reader = (CuHostReader){.cu = cu, .launch = launch, .at = launch->at};
  CuTrial trial = cu_trial_begin(cu);
  CuScope *before = cu_set_scope(cu, cu_launch_scope(cu, row));
  read_args(&f);
  if (!cu_host_block(&f.reader, f.block))
    f.block[0] = f.block[1] = f.block[2] = NULL;
  read_grid(&f, out);
  facts_read_shared(&f, out);
  cu_host_find_leasts(&f.reader, &f.leasts);
  loose_facts(&f, launch, block, out);
  facts_add_all(&f, launch, block);
  facts_find_shared(&f, out);
  facts_find_made(&f, out);
  facts_find_first(&f, block, out);
  out->shown = (CudaFacts){f.facts.data, f.facts.count};
  out->exact = (CudaFacts){f.conditions.data, f.conditions.count};
  out->stated = (CudaFacts){f.clauses.data, f.clauses.count};
  cu_set_scope(cu, before);
  cu_trial_end(cu, trial);
}
