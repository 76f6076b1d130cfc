// SPDX-License-Identifier: Apache-2.0
// What holds at every launch: parameters, extents, the grid, requirements.
#include "check/tree/walk.h"
#include <string.h>

// Recursion over host expressions; deeper ones say nothing.
#define MAX_DEPTH    200
// Extents of arrays, parameters that are extents or bound the grid, and threads
// of a grid that is left open are assumed to be at most so many, unless the
// program states another bound of them. So neither `block * 256 + rank` nor
// one more stride over all threads overflows.
#define SIZE_LIMIT   ((int64_t)1 << 30)
#define LARGEST_SIZE ((int64_t)1 << 60)

// -------------------------------------------------------------- parameters

// One symbol for each scalar inside a parameter.
static uint64_t param_key(uint32_t param, uint32_t leaf) {
  return ((uint64_t)param << 32 | leaf) + 1;
}

Symbol *param_symbol(Walk *w, uint32_t param, uint32_t leaf, IrType type,
                     bool is_signed) {
  Symbol *known = map_get(&w->params, param_key(param, leaf));
  if (known)
    return known;
  Symbol model = {.kind = SYMBOL_LAUNCH,
                  .name = w->kernel->params.data[param].name,
                  .high = 1};
  if (type.kind != IR_TYPE_BOOL)
    type_range(ir_type_bits(type), !is_signed, &model.low, &model.high);
  Symbol *symbol = term_symbol_new(w->terms, &model);
  map_put(w->arena, &w->params, param_key(param, leaf), symbol);
  return symbol;
}

// The symbol of an integer parameter, else NULL.
static Symbol *number_param(Walk *w, int64_t number) {
  const IrParam *param = &w->kernel->params.data[number];
  bool is_bool = param->type.kind == IR_TYPE_BOOL && param->type.lanes <= 1;
  if (param->kind != PARAM_SCALAR || !(ir_type_is_int(param->type) || is_bool))
    return NULL;
  return param_symbol(w, (uint32_t)number, 0, param->type, param->is_signed);
}

static const Term *param_term(Walk *w, int64_t number) {
  const Symbol *symbol = number_param(w, number);
  return symbol ? term_of(w->terms, symbol) : NULL;
}

// ------------------------------------------------------- host expressions

typedef struct {
  Walk *w;
  TermTable *t;
  uint32_t depth;
} Host;

static const Term *walk_host_term(Host *h, const IrHost *host);
static const Term *walk_host_condition(Host *h, const IrHost *host);

// Truncated or rounded up; the divisor's sign must be known.
static const Term *walk_host_quotient(Host *h, IrHostOp op, const Term *a,
                                      const Term *b) {
  int64_t low, high, low_b, high_b;
  term_interval(h->t, a, &low, &high);
  term_interval(h->t, b, &low_b, &high_b);
  if (low_b <= 0)
    return NULL;
  if (op == HOST_CDIV) // the ceiling, for b > 0
    return term_div(h->t,
                    term_add(h->t, a, term_sub(h->t, b, term_int(h->t, 1))), b);
  const Term *above =
      op == HOST_DIV ? term_div(h->t, a, b) : term_mod(h->t, a, b);
  if (low >= 0)
    return above;
  const Term *minus = term_scale(h->t, a, -1);
  const Term *below =
      op == HOST_DIV ? term_div(h->t, minus, b) : term_mod(h->t, minus, b);
  return term_ite(h->t, term_le(h->t, term_int(h->t, 0), a), above,
                  term_scale(h->t, below, -1));
}

static const Term *shifted(Host *h, IrHostOp op, const Term *a, const Term *b) {
  int64_t low, high;
  term_interval(h->t, b, &low, &high);
  if (low < 0 || high > 62)
    return NULL;
  return term_bits(h->t, op == HOST_SHL ? TERM_SHL : TERM_SHR, a, b);
}

static const Term *two_operands(Host *h, const IrHost *host) {
  const Term *a = walk_host_term(h, host->args[0]),
             *b = walk_host_term(h, host->args[1]);
  if (!a || !b)
    return NULL;
  switch ((int)host->op) {
  case HOST_ADD: return term_add(h->t, a, b);
  case HOST_SUB: return term_sub(h->t, a, b);
  case HOST_MUL: return term_mul(h->t, a, b);
  case HOST_DIV:
  case HOST_REM:
  case HOST_CDIV: return walk_host_quotient(h, host->op, a, b);
  case HOST_BIT_AND: return term_bits(h->t, TERM_AND, a, b);
  case HOST_BIT_OR: return term_bits(h->t, TERM_OR, a, b);
  case HOST_BIT_XOR: return term_bits(h->t, TERM_XOR, a, b);
  case HOST_SHL:
  case HOST_SHR: return shifted(h, host->op, a, b);
  case HOST_MIN: return term_min(h->t, a, b);
  case HOST_MAX: return term_max(h->t, a, b);
  default: return NULL;
  }
}

static const Term *walk_host_one_operand(Host *h, const IrHost *host) {
  const Term *a = walk_host_term(h, host->args[0]);
  if (!a)
    return NULL;
  switch ((int)host->op) {
  case HOST_NEG: return term_scale(h->t, a, -1);
  case HOST_BIT_NOT: return term_sub(h->t, term_int(h->t, -1), a);
  case HOST_ABS: return term_max(h->t, a, term_scale(h->t, a, -1));
  default: return a; // TO_INT
  }
}

static const Term *walk_host_chosen(Host *h, const IrHost *host) {
  const Term *choice = walk_host_condition(h, host->args[0]);
  const Term *a = walk_host_term(h, host->args[1]),
             *b = walk_host_term(h, host->args[2]);
  return choice && a && b ? term_ite(h->t, choice, a, b) : NULL;
}

static const Term *walk_host_number_of(Host *h, const IrHost *host) {
  switch (host->op) {
  case HOST_CONST: return term_int(h->t, host->number);
  case HOST_PARAM: return param_term(h->w, host->number);
  case HOST_EXTENT:
    return walk_host_term(h, host->object->extents[host->number]);
  case HOST_ADD:
  case HOST_SUB:
  case HOST_MUL:
  case HOST_DIV:
  case HOST_REM:
  case HOST_CDIV:
  case HOST_BIT_AND:
  case HOST_BIT_OR:
  case HOST_BIT_XOR:
  case HOST_SHL:
  case HOST_SHR:
  case HOST_MIN:
  case HOST_MAX: return two_operands(h, host);
  case HOST_NEG:
  case HOST_BIT_NOT:
  case HOST_ABS:
  case HOST_TO_INT: return walk_host_one_operand(h, host);
  case HOST_COND: return walk_host_chosen(h, host);
  case HOST_EQ:
  case HOST_NE:
  case HOST_LT:
  case HOST_LE:
  case HOST_LOGICAL_NOT:
  case HOST_LOGICAL_AND:
  case HOST_LOGICAL_OR: {
    const Term *truth = walk_host_condition(h, host);
    return truth ? term_ite(h->t, truth, term_int(h->t, 1), term_int(h->t, 0))
                 : NULL;
  }
  case HOST_TO_FLOAT:
  case HOST_ALIGNED:
  case HOST_INJECTIVE:
  case HOST_BOUNDED:
  case HOST_MONOTONE:
  case HOST_DISJOINT:
  case HOST_OP_COUNT: break;
  }
  return NULL;
}

static const Term *walk_host_term(Host *h, const IrHost *host) {
  if (!host || host->is_float || h->depth > MAX_DEPTH)
    return NULL;
  h->depth++;
  const Term *result = walk_host_number_of(h, host);
  h->depth--;
  return result;
}

static const Term *walk_host_compared(Host *h, const IrHost *host) {
  const Term *a = walk_host_term(h, host->args[0]),
             *b = walk_host_term(h, host->args[1]);
  if (!a || !b)
    return NULL;
  switch ((int)host->op) {
  case HOST_EQ: return term_eq(h->t, a, b);
  case HOST_NE: return term_ne(h->t, a, b);
  case HOST_LT: return term_lt(h->t, a, b);
  default: return term_le(h->t, a, b);
  }
}

// Of both: what is not known may be left out of a requirement, but not of what
// a negation or a choice uses.
static const Term *walk_host_joined(Host *h, const IrHost *host) {
  const Term *a = walk_host_condition(h, host->args[0]);
  const Term *b = walk_host_condition(h, host->args[1]);
  if (!a || !b)
    return NULL;
  return host->op == HOST_LOGICAL_AND ? term_and(h->t, a, b)
                                      : term_or(h->t, a, b);
}

static const Term *walk_host_condition(Host *h, const IrHost *host) {
  if (!host || h->depth > MAX_DEPTH)
    return NULL;
  h->depth++;
  const Term *result = NULL;
  switch ((int)host->op) {
  case HOST_EQ:
  case HOST_NE:
  case HOST_LT:
  case HOST_LE: result = walk_host_compared(h, host); break;
  case HOST_LOGICAL_AND:
  case HOST_LOGICAL_OR: result = walk_host_joined(h, host); break;
  case HOST_LOGICAL_NOT: {
    const Term *a = walk_host_condition(h, host->args[0]);
    result = a ? term_not(h->t, a) : NULL;
    break;
  }
  default: {
    const Term *a = walk_host_term(h, host);
    result = a ? term_ne(h->t, a, term_int(h->t, 0)) : NULL;
  }
  }
  h->depth--;
  return result;
}

const Term *host_term(Walk *w, const IrHost *host) {
  Host h = {w, w->terms, 0};
  return walk_host_term(&h, host);
}

const Term *host_condition(Walk *w, const IrHost *host) {
  Host h = {w, w->terms, 0};
  return walk_host_condition(&h, host);
}

// ------------------------------------------------------------------- facts

static void add_fact(Walk *w, const Term *fact) {
  if (!fact || fact->kind == TERM_TRUE)
    return;
  for (uint32_t i = 0; i < w->tree->facts.count; i++)
    if (w->tree->facts.data[i] == fact)
      return;
  VEC_PUSH(w->arena, &w->tree->facts, fact);
  solver_assume(w->solver, fact);
  solver_assume(w->quick, fact);
}

void walk_trust(Walk *w, const char *text) {
  for (uint32_t i = 0; i < w->tree->trusted.count; i++)
    if (strcmp(w->tree->trusted.data[i], text) == 0)
      return;
  VEC_PUSH(w->arena, &w->tree->trusted, text);
}

static void walk_host_narrow(Walk *w, const IrHost *host, int64_t low,
                             int64_t high) {
  if (host->op != HOST_PARAM || host->is_float)
    return;
  Symbol *symbol = number_param(w, host->number);
  if (!symbol)
    return;
  if (low > symbol->high || high < symbol->low) { // no value is left
    add_fact(w, term_false(w->terms));
    return;
  }
  if (low > symbol->low)
    symbol->low = low;
  if (high < symbol->high)
    symbol->high = high;
}

static bool walk_host_constant(const IrHost *host, int64_t *number) {
  *number = host->number;
  return host->op == HOST_CONST && !host->is_float;
}

// A bound of one parameter: narrows its symbol, before terms are made of it.
static void narrow_by(Walk *w, const IrHost *host) {
  int64_t c;
  if (host->op == HOST_LOGICAL_AND) {
    narrow_by(w, host->args[0]);
    narrow_by(w, host->args[1]);
    return;
  }
  bool is_less = host->op == HOST_LT;
  if (host->op != HOST_LE && host->op != HOST_EQ && !is_less)
    return;
  const IrHost *a = host->args[0], *b = host->args[1];
  bool is_equal = host->op == HOST_EQ;
  if (walk_host_constant(b, &c) && (!is_less || c > INT64_MIN))
    walk_host_narrow(w, a, is_equal ? c : INT64_MIN, c - is_less);
  if (walk_host_constant(a, &c) && (!is_less || c < INT64_MAX))
    walk_host_narrow(w, b, c + is_less, is_equal ? c : INT64_MAX);
}

static bool walk_host_is_param(const IrHost *host, int64_t *param) {
  *param = host->number;
  return host->op == HOST_PARAM;
}

static bool walk_host_is_one(const IrHost *host) {
  return host->op == HOST_CONST && !host->is_float && host->number == 1;
}

// n & (n - 1)
static bool drops_lowest_bit(const IrHost *host, int64_t *param) {
  int64_t other;
  if (host->op != HOST_BIT_AND)
    return false;
  for (int i = 0; i < 2; i++) {
    const IrHost *whole = host->args[i], *less = host->args[1 - i];
    if (walk_host_is_param(whole, param) && less->op == HOST_SUB &&
        walk_host_is_param(less->args[0], &other) && other == *param &&
        walk_host_is_one(less->args[1]))
      return true;
  }
  return false;
}

static void note_power(Walk *w, const IrHost *host) {
  int64_t zero, param;
  if (host->op == HOST_LOGICAL_AND) {
    note_power(w, host->args[0]);
    note_power(w, host->args[1]);
    return;
  }
  const IrHost *bits = NULL;
  if (host->op == HOST_EQ && walk_host_constant(host->args[1], &zero) &&
      zero == 0)
    bits = host->args[0];
  else if (host->op == HOST_LOGICAL_NOT)
    bits = host->args[0];
  if (!bits || !drops_lowest_bit(bits, &param))
    return;
  Symbol *symbol = number_param(w, param);
  if (symbol && symbol->low > 0)
    symbol->is_power_of_two = true;
}

// Parameters in an expression are sizes.
static void limit_params(Walk *w, const IrHost *host, uint32_t depth) {
  if (!host || depth > MAX_DEPTH)
    return;
  Symbol *symbol = host->op == HOST_PARAM && !host->is_float
                       ? number_param(w, host->number)
                       : NULL;
  if (symbol && symbol->high >= INT32_MAX) {
    symbol->high = SIZE_LIMIT;
    walk_trust(w, arena_printf(w->arena, "%s <= 2^30", symbol->name));
  }
  for (int i = 0; i < host->n_args; i++)
    limit_params(w, host->args[i], depth + 1);
}

static void extent_facts(Walk *w, const IrObject *object) {
  TermTable *t = w->terms;
  for (int k = 0; k < object->rank; k++) {
    const Term *extent = tree_extent(w->tree, object, k);
    if (!extent)
      continue;
    add_fact(w, term_le(t, term_int(t, 0), extent));
    add_fact(w, term_le(t, extent, term_int(t, CHECK_MAX_EXTENT)));
  }
}

static void table_fact(Walk *w, const IrHost *host) {
  TableFact fact = {.object = host->object};
  fact.kind = host->op == HOST_INJECTIVE ? TABLE_INJECTIVE
              : host->op == HOST_BOUNDED ? TABLE_BOUNDED
                                         : TABLE_MONOTONE;
  if (host->n_args == 2 && host->args[0] && host->args[1]) {
    fact.low = host_term(w, host->args[0]);
    fact.high = host_term(w, host->args[1]);
    if (!fact.low || !fact.high)
      return;
  }
  if (fact.kind == TABLE_BOUNDED && !fact.low)
    return;
  VEC_PUSH(w->arena, &w->tree->tables, fact);
  solver_assume_table(w->solver, &fact);
}

static void walk_host_require(Walk *w, const IrHost *host, uint32_t depth) {
  switch ((int)host->op) {
  case HOST_LOGICAL_AND:
    if (depth < MAX_DEPTH) {
      walk_host_require(w, host->args[0], depth + 1);
      walk_host_require(w, host->args[1], depth + 1);
    }
    break;
  case HOST_INJECTIVE:
  case HOST_BOUNDED:
  case HOST_MONOTONE: table_fact(w, host); break;
  default: add_fact(w, host_condition(w, host)); break;
  }
}

static bool is_sized(const IrObject *object) {
  return object->param >= 0 || object->space == SPACE_SHARED;
}

// A 64-bit number that something is compared with, of a kernel whose arrays
// don't say how large they are: no array has so many elements.
static bool limit_compared(IrNode *node, void *context) {
  Walk *w = context;
  bool is_order = node->op == IR_ULT || node->op == IR_ULE ||
                  node->op == IR_SLT || node->op == IR_SLE;
  for (uint32_t i = 0; is_order && i < node->n_args; i++) {
    const IrNode *arg = node->args[i];
    Symbol *symbol =
        arg->op == IR_PARAM ? number_param(w, arg->u.index.number) : NULL;
    if (!symbol || symbol->high <= LARGEST_SIZE)
      continue;
    symbol->high = LARGEST_SIZE;
    walk_trust(w, arena_printf(w->arena, "%s <= 2^60", symbol->name));
  }
  return true;
}

static bool has_plain_pointer(const IrKernel *kernel) {
  for (uint32_t i = 0; i < kernel->objects.count; i++)
    if (kernel->objects.data[i]->is_plain_pointer)
      return true;
  return false;
}

static void limit_sizes(Walk *w) {
  const IrKernel *kernel = w->kernel;
  IrRegion body = kernel->body;
  if (has_plain_pointer(kernel))
    ir_walk(&body, limit_compared, w);
  for (int k = 0; k < 3; k++)
    limit_params(w, kernel->grid[k], 0);
  for (uint32_t i = 0; i < kernel->objects.count; i++) {
    const IrObject *object = kernel->objects.data[i];
    for (int k = 0; is_sized(object) && k < object->rank; k++) {
      limit_params(w, object->extents[k], 0);
      if (object->param >= 0 && object->extents[k])
        walk_host_narrow(w, object->extents[k], 0, INT64_MAX);
    }
  }
}

static const Term *launch_symbol(Walk *w, const char *name, int64_t low,
                                 int64_t high) {
  Symbol model = {
      .kind = SYMBOL_LAUNCH, .name = name, .low = low, .high = high};
  return term_of(w->terms, term_symbol_new(w->terms, &model));
}

static int64_t most_blocks(int k) {
  return k == 0 ? INT32_MAX : 65535;
}

// Rank in the grid, number of the cluster in it, and the like; what is asked of
// blocks in a cluster is about the cluster's dimensions only.
static bool walk_host_is_of_grid(const IrNode *node) {
  if (ir_op_info(node)->form != FORM_GROUP || node->type.kind == IR_TYPE_VOID ||
      !node->u.group.group)
    return false;
  IrGroupKind kind = node->u.group.group->kind;
  bool is_meta = node->op == IR_META_RANK || node->op == IR_META_SIZE;
  return kind == GROUP_GRID || (kind == GROUP_CLUSTER && is_meta);
}

static bool find_dims(IrNode *node, void *context) {
  uint32_t *dims = context;
  if (node->op == IR_BLOCK_INDEX || node->op == IR_GRID_DIM)
    *dims |= 1u << node->u.index.number;
  else if (walk_host_is_of_grid(node))
    *dims |= 7;
  return true;
}

uint32_t tree_open_grid(const IrKernel *kernel) {
  IrRegion body = kernel->body;
  uint32_t dims = 1;
  if (kernel->n_grid > 0)
    return 0;
  for (int k = 0; k < 3; k++)
    dims |= kernel->cluster_dim[k] > 1 ? 1u << k : 0;
  ir_walk(&body, find_dims, &dims);
  return dims;
}

// The blocks along an axis, in the words of the program's language.
static const char *grid_word(const Walk *w, int k) {
  return arena_printf(
      w->arena, "%s.%c",
      vocabulary_word(w->kernel->module->language, WORD_grid_dim), "xyz"[k]);
}

static const Term *grid_dim(Walk *w, int k) {
  const IrKernel *kernel = w->kernel;
  const Term *dim = host_term(w, kernel->grid[k]);
  uint32_t open = tree_open_grid(kernel);
  if (dim)
    return dim;
  if (kernel->n_grid == 0 && !(open >> k & 1))
    walk_trust(w, arena_printf(w->arena, "%s == 1", grid_word(w, k)));
  if (!kernel->grid[k] && !(open >> k & 1))
    return term_int(w->terms, 1);
  int64_t most = most_blocks(k);
  if (k == 0 && !kernel->grid[k]) {
    most = SIZE_LIMIT / w->tree->n_threads;
    walk_trust(w, arena_printf(w->arena, "%s <= 2^30 / %lld", grid_word(w, k),
                               (long long)w->tree->n_threads));
  }
  return launch_symbol(w, grid_word(w, k), 1, most);
}

static void grid_symbols(Walk *w) {
  static const char *const names[3] = {"block.x", "block.y", "block.z"};
  Tree *tree = w->tree;
  for (int k = 0; k < 3; k++) {
    tree->grid[k] = grid_dim(w, k);
    int64_t low, high;
    term_interval(w->terms, tree->grid[k], &low, &high);
    if (high > most_blocks(k))
      high = most_blocks(k);
    Symbol block = {.kind = SYMBOL_BLOCK,
                    .name = names[k],
                    .high = high > 1 ? high - 1 : 0,
                    .dimension = (uint8_t)k};
    tree->block[k] = term_symbol_new(w->terms, &block);
    // In the path, where it is said of each thread's own block.
    path_push(
        w, term_lt(w->terms, term_of(w->terms, tree->block[k]), tree->grid[k]));
  }
}

static void cluster_size(Walk *w) {
  int64_t size = 1;
  bool is_open = false;
  for (int k = 0; k < 3; k++) {
    int32_t n = w->kernel->cluster_dim[k];
    is_open |= n == 0 && k == 0 && w->uses_cluster;
    size *= n > 0 ? n : 1;
  }
  w->tree->cluster_size = is_open ? launch_symbol(w, "cluster size", 1, 1024)
                                  : term_int(w->terms, size);
}

void walk_facts(Walk *w) {
  const IrKernel *kernel = w->kernel;
  // Ranges first: a term keeps the interval that its symbol had when the term
  // was made.
  for (uint32_t i = 0; i < kernel->requirements.count; i++)
    narrow_by(w, kernel->requirements.data[i].condition);
  limit_sizes(w);
  for (uint32_t i = 0; i < kernel->requirements.count; i++)
    note_power(w, kernel->requirements.data[i].condition);
  walk_extents(w);
  grid_symbols(w);
  cluster_size(w);
  for (uint32_t i = 0; i < kernel->requirements.count; i++) {
    const IrRequire *row = &kernel->requirements.data[i];
    walk_host_require(w, row->condition, 0);
    if (row->kind != REQUIRE_HOST && row->text && !row->is_given)
      walk_trust(w, row->text);
  }
  for (uint32_t i = 0; i < kernel->objects.count; i++)
    if (kernel->objects.data[i]->param >= 0)
      extent_facts(w, kernel->objects.data[i]);
}
