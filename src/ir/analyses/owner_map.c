// SPDX-License-Identifier: Apache-2.0
// Note [Owners by form]
// The index of an access is written as a sum of constants times atoms. An atom
// is a position (the variable of a thread loop, rank()) or a value that is the
// same for all threads and doesn't change between the two accesses. Two
// accesses with equal sums in one dimension, in which a position stands alone
// or the positions form a mixed-radix number, touch one element only at equal
// positions. If these positions, level by level from the group of the join
// down to one thread, name the same thread, that thread owns the element on
// both sides.
#include "ir/analyses/owner_map.h"

#include "ir/analyses/touches.h"

#define MAX_TERMS  6u
#define MAX_LEVELS 8u
#define MAX_DEPTH  32u
#define MAX_FACTOR ((int64_t)1 << 31) // sums stay far from 2^64

typedef enum {
  ATOM_VALUE, // of `node`, or of the variable version `version`
  ATOM_TURN,  // variable of the thread loop `node`
  ATOM_RANK,  // rank in `group`
} AtomKind;

typedef struct {
  AtomKind kind;
  int64_t factor;
  const IrNode *node;
  Token version;
  const IrGroup *group;
} Term;

typedef struct {
  int64_t constant;
  uint32_t n_terms;
  Term terms[MAX_TERMS];
} Form;

struct OwnerMaps {
  Arena *arena;
  const Uniformity *u;
  const IrNode *outermost_loop; // around the place between, or NULL
};

OwnerMaps *owner_maps_new(Arena *arena, const Uniformity *uniformity) {
  OwnerMaps *maps = ARENA_NEW(arena, OwnerMaps);
  maps->arena = arena;
  maps->u = uniformity;
  return maps;
}

// ----------------------------------------------------------------- forms

static bool owner_map_add_term(Form *form, Term term) {
  for (uint32_t i = 0; i < form->n_terms; i++) {
    Term *old = &form->terms[i];
    if (old->kind == term.kind && old->node == term.node &&
        old->version == term.version && old->group == term.group)
      return !__builtin_add_overflow(old->factor, term.factor, &old->factor);
  }
  if (form->n_terms == MAX_TERMS)
    return false;
  form->terms[form->n_terms++] = term;
  return true;
}

static bool make_form(const OwnerMaps *maps, const IrNode *node, int64_t factor,
                      uint32_t depth, Form *form);

static bool constant_bits(const IrNode *node, int64_t *value) {
  if (node->op != IR_CONST || !ir_type_is_int(node->type))
    return false;
  uint32_t width = ir_type_bits(node->type);
  uint64_t bits = node->u.constant.bits << (64 - width);
  *value = (int64_t)bits >> (64 - width);
  return true;
}

static bool owner_map_add_scaled(const OwnerMaps *maps, const IrNode *value,
                                 const IrNode *scale, bool is_shift,
                                 int64_t factor, uint32_t depth, Form *form) {
  int64_t by;
  if (!constant_bits(scale, &by))
    return false;
  if (is_shift) {
    if (by < 0 || by > 31)
      return false;
    by = (int64_t)1 << by;
  }
  return !__builtin_mul_overflow(factor, by, &factor) &&
         make_form(maps, value, factor, depth - 1, form);
}

// The value doesn't change at another turn of a loop around the place between.
static bool is_steady(const OwnerMaps *maps, const IrNode *maker) {
  return !maps->outermost_loop ||
         !order_inside(maps->u->order, maps->outermost_loop, maker);
}

static bool owner_map_add_value(const OwnerMaps *maps, const IrNode *node,
                                int64_t factor, Form *form) {
  const IrGroup *block = maps->u->kernel->groups.data[GROUP_ROW_BLOCK];
  if (!uniformity_has(maps->u, node, block))
    return false;
  Term term = {.kind = ATOM_VALUE, .factor = factor};
  if (node->op == IR_GET) {
    term.version = maps->u->version[node->id];
    const IrNode *maker = maps->u->tokens.data[term.version].node;
    if (maker && !is_steady(maps, maker))
      return false;
  } else {
    if (!is_steady(maps, node) && !uniform_is_fixed(maps->u, node))
      return false;
    term.node = node;
  }
  return owner_map_add_term(form, term);
}

static bool owner_map_add_variable(const OwnerMaps *maps, const IrNode *get,
                                   int64_t factor, uint32_t depth, Form *form) {
  const Uniformity *u = maps->u;
  Token version = u->version[get->id];
  const TokenInfo *info = &u->tokens.data[version];
  if (info->kind == TOKEN_TURN && info->node->op == IR_THREAD_FOR)
    return owner_map_add_term(
        form, (Term){.kind = ATOM_TURN, .factor = factor, .node = info->node});
  if (version < u->order->n_ids && info->node->op == IR_SET)
    return make_form(maps, info->node->args[0], factor, depth - 1, form);
  return owner_map_add_value(maps, get, factor, form);
}

// Wrapping would break the argument, so unsigned sums are values.
static bool owner_map_is_exact(const IrNode *node) {
  return (node->flags & NODE_NO_SIGNED_WRAP) != 0 ||
         node->type.kind == IR_TYPE_I64;
}

// Adds factor * node.
static bool make_form(const OwnerMaps *maps, const IrNode *node, int64_t factor,
                      uint32_t depth, Form *form) {
  int64_t value;
  if (depth == 0)
    return false;
  if (constant_bits(node, &value))
    return !__builtin_mul_overflow(value, factor, &value) &&
           !__builtin_add_overflow(form->constant, value, &form->constant);
  switch ((int)node->op) {
  case IR_ADD:
    if (owner_map_is_exact(node))
      return make_form(maps, node->args[0], factor, depth - 1, form) &&
             make_form(maps, node->args[1], factor, depth - 1, form);
    break;
  case IR_SUB:
    if (owner_map_is_exact(node) && factor != INT64_MIN)
      return make_form(maps, node->args[0], factor, depth - 1, form) &&
             make_form(maps, node->args[1], -factor, depth - 1, form);
    break;
  case IR_MUL:
    if (owner_map_is_exact(node) && node->args[1]->op == IR_CONST)
      return owner_map_add_scaled(maps, node->args[0], node->args[1], false,
                                  factor, depth, form);
    if (owner_map_is_exact(node) && node->args[0]->op == IR_CONST)
      return owner_map_add_scaled(maps, node->args[1], node->args[0], false,
                                  factor, depth, form);
    break;
  case IR_SHL:
    if (owner_map_is_exact(node))
      return owner_map_add_scaled(maps, node->args[0], node->args[1], true,
                                  factor, depth, form);
    break;
  case IR_SEXT: return make_form(maps, node->args[0], factor, depth - 1, form);
  case IR_RANK:
    return owner_map_add_term(form, (Term){.kind = ATOM_RANK,
                                           .factor = factor,
                                           .group = node->u.group.group});
  case IR_GET: return owner_map_add_variable(maps, node, factor, depth, form);
  default: break;
  }
  return owner_map_add_value(maps, node, factor, form);
}

// Equal fixed expressions written twice are equal.
static bool same_fixed(const IrNode *a, const IrNode *b, uint32_t depth) {
  if (a == b)
    return true;
  if (depth == 0 || a->op != b->op || a->n_args != b->n_args ||
      !ir_type_equal(a->type, b->type))
    return false;
  switch ((int)a->op) {
  case IR_CONST: return a->u.constant.bits == b->u.constant.bits;
  case IR_PARAM:
  case IR_BLOCK_INDEX:
  case IR_GRID_DIM:
  case IR_BLOCK_DIM: return a->u.index.number == b->u.index.number;
  case IR_EXTENT:
  case IR_STRIDE:
    return a->u.index.number == b->u.index.number &&
           a->u.index.object == b->u.index.object;
  case IR_ADD:
  case IR_SUB:
  case IR_MUL:
  case IR_SEXT:
  case IR_ZEXT:
  case IR_TRUNC: break;
  default: return false;
  }
  for (uint32_t i = 0; i < a->n_args; i++)
    if (!same_fixed(a->args[i], b->args[i], depth - 1))
      return false;
  return true;
}

static bool owner_map_same_value(const Term *a, const Term *b) {
  if (a->node && b->node)
    return same_fixed(a->node, b->node, MAX_DEPTH);
  return !a->node && !b->node && a->version == b->version;
}

// ---------------------------------------------------------------- levels

// A step of the way from the join's group down to one thread.
typedef struct {
  const IrGroup *group; // that the step makes
  bool is_rank;         // the last step: rank in `group`
} Level;

static uint32_t levels_of(const IrNode *node, const IrGroup *top,
                          const IrKernel *kernel, Level *levels) {
  const IrGroup *current = ir_node_group(kernel, node);
  uint32_t n = 0;
  if (!group_is_one_thread(current))
    levels[n++] = (Level){current, true};
  for (const IrGroup *group = current; group && group != top;
       group = group->parent) {
    if (n == MAX_LEVELS)
      return 0;
    levels[n++] = (Level){group, false};
  }
  if (!ir_group_contains(top, current))
    return 0;
  for (uint32_t i = 0; i + i + 1 < n; i++) {
    Level swapped = levels[i];
    levels[i] = levels[n - 1 - i];
    levels[n - 1 - i] = swapped;
  }
  return n;
}

// Each thread runs its own iterations: i = lo + step * (rank + M * turn).
static bool is_by_rank(const IrGroup *group) {
  return group->maker && group->maker->op == IR_THREAD_FOR &&
         group_is_one_thread(group);
}

static bool same_bound(const OwnerMaps *maps, const IrNode *a,
                       const IrNode *b) {
  Form x = {0}, y = {0};
  return make_form(maps, a, 1, MAX_DEPTH, &x) &&
         make_form(maps, b, 1, MAX_DEPTH, &y) && x.n_terms == y.n_terms &&
         x.constant == y.constant &&
         (x.n_terms == 0 || (x.n_terms == 1 && x.terms[0].kind == ATOM_VALUE &&
                             y.terms[0].kind == ATOM_VALUE &&
                             x.terms[0].factor == y.terms[0].factor &&
                             owner_map_same_value(&x.terms[0], &y.terms[0])));
}

static bool is_plain_rank(const IrNode *loop) {
  int64_t lo;
  return loop->u.part.step == 1 && constant_bits(loop->args[0], &lo) && lo == 0;
}

static bool same_thread_loop(const OwnerMaps *maps, const IrNode *a,
                             const IrNode *b) {
  return a == b ? is_steady(maps, a) || same_bound(maps, a->args[0], a->args[0])
                : a->u.part.step == b->u.part.step &&
                      same_bound(maps, a->args[0], b->args[0]);
}

typedef enum { LEVEL_DIFFERENT, LEVEL_FREE, LEVEL_NEEDS_POSITION } LevelMatch;

// Do the two steps lead to the same threads, given equal positions?
static LevelMatch match_levels(const OwnerMaps *maps, Level a, Level b,
                               bool *is_last) {
  bool a_by_rank = !a.is_rank && is_by_rank(a.group);
  bool b_by_rank = !b.is_rank && is_by_rank(b.group);
  *is_last = a.is_rank || b.is_rank || a_by_rank || b_by_rank;
  if (a.is_rank && b.is_rank)
    return LEVEL_NEEDS_POSITION;
  if (a_by_rank && b_by_rank)
    return same_thread_loop(maps, a.group->maker, b.group->maker)
               ? LEVEL_NEEDS_POSITION
               : LEVEL_DIFFERENT;
  if (a.is_rank || b.is_rank || a_by_rank || b_by_rank) {
    const Level by_rank = a_by_rank ? a : b, rank = a_by_rank ? b : a;
    return rank.is_rank && !by_rank.is_rank &&
                   is_plain_rank(by_rank.group->maker)
               ? LEVEL_NEEDS_POSITION
               : LEVEL_DIFFERENT;
  }
  if (a.group->kind != b.group->kind || a.group->size != b.group->size)
    return LEVEL_DIFFERENT;
  if (a.group->kind == GROUP_SPLIT)
    return same_thread_loop(maps, a.group->maker, b.group->maker)
               ? LEVEL_NEEDS_POSITION
               : LEVEL_DIFFERENT;
  bool is_any = a.group->maker && a.group->maker->u.part.is_any &&
                b.group->maker && b.group->maker->u.part.is_any;
  bool is_same =
      is_any ||
      (a.group->begin >= 0 && a.group->begin == b.group->begin &&
       !a.group->maker->u.part.is_any && !b.group->maker->u.part.is_any);
  *is_last = group_is_one_thread(a.group);
  return is_same ? LEVEL_FREE : LEVEL_DIFFERENT;
}

// ------------------------------------------------------------- comparison

// The positions that have to agree, as terms of either side.
typedef struct {
  Level a[MAX_LEVELS], b[MAX_LEVELS];
  bool is_found[MAX_LEVELS];
  uint32_t n;
} Wanted;

static bool is_position(const Term *term, Level level) {
  if (term->kind == ATOM_TURN)
    return !level.is_rank && level.group->maker == term->node;
  // rank() of the group that the loop spreads over, or of the level itself
  return term->kind == ATOM_RANK && level.is_rank && level.group == term->group;
}

static int owner_map_position_of(const Wanted *wanted, const Term *term,
                                 bool is_a) {
  for (uint32_t i = 0; i < wanted->n; i++)
    if (is_position(term, is_a ? wanted->a[i] : wanted->b[i]))
      return (int)i;
  return -1;
}

// Number of values that the position takes, or 0 if unknown, and their
// distance.
static int64_t radix_of(Level level, int64_t *distance) {
  *distance = 1;
  if (level.is_rank)
    return level.group->size > 0 ? level.group->size : 0;
  *distance = level.group->maker->u.part.step;
  int64_t count = level.group->maker->u.part.count;
  return count > 0 ? count : 0;
}

static int64_t radix_at(const Wanted *wanted, int position, int64_t *distance) {
  int64_t a = radix_of(wanted->a[position], distance);
  int64_t b = radix_of(wanted->b[position], distance);
  if (a == 0 || b == 0)
    return 0;
  return a > b ? a : b;
}

// The term of the smallest factor among those of threads that are not used;
// there is one.
static uint32_t smallest_term(const Form *form, const bool *is_used) {
  uint32_t best = form->n_terms;
  for (uint32_t i = 0; i < form->n_terms; i++)
    if (form->terms[i].kind != ATOM_VALUE && !is_used[i] &&
        (best == form->n_terms ||
         form->terms[i].factor < form->terms[best].factor))
      best = i;
  return best;
}

// Positions in one sum can be told apart: each factor exceeds all that the
// smaller ones add up to.
static bool is_mixed_radix(const Form *form, const Wanted *wanted) {
  int64_t reach = 0;
  bool is_used[MAX_TERMS] = {false};
  uint32_t n_left = 0;
  for (uint32_t i = 0; i < form->n_terms; i++)
    n_left += form->terms[i].kind != ATOM_VALUE;
  while (n_left-- > 0) {
    uint32_t best = smallest_term(form, is_used);
    const Term *term = &form->terms[best];
    is_used[best] = true;
    int64_t distance, sum;
    int64_t radix =
        radix_at(wanted, owner_map_position_of(wanted, term, true), &distance);
    if (term->factor <= 0 ||
        __builtin_mul_overflow(term->factor, distance, &distance) ||
        distance <= reach)
      return false;
    if (n_left == 0)
      return true;
    if (radix == 0 || __builtin_mul_overflow(distance, radix - 1, &sum) ||
        __builtin_add_overflow(reach, sum, &reach))
      return false;
  }
  return true;
}

static bool match_term(const Wanted *wanted, const Term *term,
                       const Form *other) {
  int position = owner_map_position_of(wanted, term, true);
  if (term->kind != ATOM_VALUE && position < 0)
    return false;
  for (uint32_t i = 0; i < other->n_terms; i++) {
    const Term *candidate = &other->terms[i];
    if (candidate->factor != term->factor)
      continue;
    if (term->kind == ATOM_VALUE
            ? candidate->kind == ATOM_VALUE &&
                  owner_map_same_value(term, candidate)
            : candidate->kind != ATOM_VALUE &&
                  owner_map_position_of(wanted, candidate, false) == position)
      return true;
  }
  return false;
}

// Marks the positions that equal indices of this dimension make equal.
static void compare_dimension(const OwnerMaps *maps, Wanted *wanted,
                              const IrNode *x, const IrNode *y) {
  Form a = {0}, b = {0};
  if (!make_form(maps, x, 1, MAX_DEPTH, &a) ||
      !make_form(maps, y, 1, MAX_DEPTH, &b) || a.n_terms != b.n_terms ||
      a.constant != b.constant)
    return;
  for (uint32_t i = 0; i < a.n_terms; i++)
    if (!match_term(wanted, &a.terms[i], &b))
      return;
  uint32_t n_positions = 0;
  for (uint32_t i = 0; i < a.n_terms; i++) {
    n_positions += a.terms[i].kind != ATOM_VALUE;
    if (a.terms[i].factor > MAX_FACTOR || a.terms[i].factor < -MAX_FACTOR)
      return;
  }
  if (n_positions == 0 || (n_positions > 1 && !is_mixed_radix(&a, wanted)))
    return;
  for (uint32_t i = 0; i < a.n_terms; i++)
    if (a.terms[i].kind != ATOM_VALUE && a.terms[i].factor != 0)
      wanted->is_found[owner_map_position_of(wanted, &a.terms[i], true)] = true;
}

static const IrNode *outermost_loop(const IrNode *node) {
  const IrNode *found = NULL;
  for (const IrNode *owner = ir_node_owner(node); owner;
       owner = ir_node_owner(owner))
    if (owner->op == IR_LOOP || owner->op == IR_FOR ||
        owner->op == IR_THREAD_FOR)
      found = owner;
  return found;
}

static bool fill_wanted(const OwnerMaps *maps, Wanted *wanted, const IrNode *a,
                        const IrNode *b, const IrGroup *group) {
  const IrKernel *kernel = maps->u->kernel;
  Level x[MAX_LEVELS + 1], y[MAX_LEVELS + 1];
  uint32_t n = levels_of(a, group, kernel, x);
  if (n == 0 || levels_of(b, group, kernel, y) != n)
    return false;
  for (uint32_t i = 0; i < n; i++) {
    bool is_last = false;
    LevelMatch match = match_levels(maps, x[i], y[i], &is_last);
    if (match == LEVEL_DIFFERENT)
      return false;
    if (match == LEVEL_NEEDS_POSITION) {
      wanted->a[wanted->n] = x[i];
      wanted->b[wanted->n++] = y[i];
    }
    if (is_last)
      return true;
  }
  return false;
}

bool owner_maps_same(OwnerMaps *maps, const IrNode *a, const IrNode *b,
                     const IrGroup *group, const IrNode *between) {
  IrTouch x, y;
  Wanted wanted = {0};
  maps->outermost_loop = outermost_loop(between);
  if (!fill_wanted(maps, &wanted, a, b, group))
    return false;
  if (wanted.n == 0)
    return true; // one thread of fixed rank
  if (!ir_main_touch(a, &x) || !ir_main_touch(b, &y) ||
      x.shape != IR_TOUCH_ELEMENT || y.shape != IR_TOUCH_ELEMENT ||
      x.n_index == 0 || x.n_index != y.n_index || x.offset || y.offset)
    return false;
  for (uint32_t d = 0; d < x.n_index; d++)
    compare_dimension(maps, &wanted, x.index[d], y.index[d]);
  for (uint32_t i = 0; i < wanted.n; i++)
    if (!wanted.is_found[i])
      return false;
  return true;
}
