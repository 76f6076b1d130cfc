// SPDX-License-Identifier: Apache-2.0
// Note [Carved barriers]
// Programs lay out dynamic shared memory by hand: a pointer to so many bytes
// from its start is cast to one to words, or to cuda::barrier. In Heddle C an
// mbarrier is a variable, so the array must be known that such a pointer leads
// into: where it begins and how many barriers it has. A first translation finds
// that out (cuda_find_words). In it all barriers of a shared variable are
// elements of one array, by their distance from its start, and what is noted is
// where pointers begin and what is initialised, of a subscript its bound. From
// one start to the next is an array, unless an initialisation goes on beyond.
// In the translation proper a pointer whose distance is a constant leads to
// the array that it is in; one moved by anything else stays in its array.
#include "cuda/form/cu_carve.h"
#include "cuda/form/cu_address.h"
#include "cuda/form/cu_barrier.h"
#include "cuda/form/cu_local.h"
#include "cuda/form/cu_names.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_spot.h"
#include "cuda/form/cu_tree.h"
#include "cuda/form/cu_word_class.h"

#include <stdlib.h>

enum { WORD_BYTES = 8, MOST_WORDS = 1 << 15 };

// ---------------------------------------------------------------- bounds

void cu_push_guard(CuContext *cu, const Expr *condition) {
  VEC_PUSH(cu->arena, &cu->barriers.guards, condition);
}

void cu_pop_guard(CuContext *cu) {
  cu->barriers.guards.count--;
}

static const Expr *carve_without_casts(const Expr *expr) {
  while (expr->kind == EXPR_CAST)
    expr = expr->u.cast.operand;
  return expr;
}

static bool carve_most(const CuContext *cu, const Expr *expr, int depth,
                       int64_t *out);

// From a condition that holds: expr < e, expr <= e.
static bool most_by(const CuContext *cu, const Expr *condition,
                    const Expr *expr, int depth, int64_t *out) {
  condition = carve_without_casts(condition);
  if (condition->kind != EXPR_BINARY)
    return false;
  const Expr *left = condition->u.binary.left;
  const Expr *right = condition->u.binary.right;
  switch ((int)condition->u.binary.op) {
  case BINARY_LOG_AND:
    return most_by(cu, left, expr, depth, out) ||
           most_by(cu, right, expr, depth, out);
  case BINARY_EQ:
  case BINARY_LT:
  case BINARY_LE:
    if (!cu_same_expr(cu, left, expr) || !carve_most(cu, right, depth + 1, out))
      return false;
    *out -= condition->u.binary.op == BINARY_LT;
    return true;
  default: return false;
  }
}

static CuConst carve_constant_of(const CuName *name) {
  return name->variable ? name->variable->constant : name->constant;
}

static bool carve_is_constant(const CuContext *cu, const Expr *expr) {
  expr = carve_without_casts(expr);
  const CuName *name = cu_outermost_name(cu, expr);
  return expr->kind == EXPR_INT ||
         (name && carve_constant_of(name).kind == CU_CONST_INT);
}

static bool most_of_name(const CuContext *cu, const Expr *expr, int depth,
                         int64_t *out) {
  const CuName *name = cu_outermost_name(cu, expr);
  CuConst constant = {.kind = CU_NOT_CONST};
  if (name)
    constant = carve_constant_of(name);
  if (constant.kind == CU_CONST_INT) {
    *out = constant.i;
    return true;
  }
  const Decl *decl = name ? name->decl : NULL;
  bool stays = decl && decl->kind == DECL_VAR && decl->u.var.init &&
               !(name->variable && name->variable->is_changed);
  return stays && carve_most(cu, decl->u.var.init, depth + 1, out);
}

static bool most_of_binary(const CuContext *cu, const Expr *expr, int depth,
                           int64_t *out) {
  int64_t right, left = 0;
  BinaryOp op = expr->u.binary.op;
  if (!carve_most(cu, expr->u.binary.right, depth + 1, &right) || right < 0)
    return false;
  if (op == BINARY_REM || op == BINARY_BIT_AND) {
    *out = op == BINARY_REM && right ? right - 1 : right;
    return true;
  }
  if (!carve_most(cu, expr->u.binary.left, depth + 1, &left) || left < 0)
    return false;
  switch ((int)op) {
  case BINARY_ADD: return !__builtin_add_overflow(left, right, out);
  case BINARY_MUL: return !__builtin_mul_overflow(left, right, out);
  case BINARY_DIV:
    *out = right && carve_is_constant(cu, expr->u.binary.right) ? left / right
                                                                : left;
    return true;
  default: return false;
  }
}

// The largest value that an integer may have here; false: not known.
static bool carve_most(const CuContext *cu, const Expr *expr, int depth,
                       int64_t *out) {
  expr = carve_without_casts(expr);
  if (depth > 16)
    return false;
  if (expr->kind == EXPR_INT) {
    *out = (int64_t)expr->u.int_lit.value;
    return true;
  }
  for (uint32_t i = cu->barriers.guards.count; i-- > 0;)
    if (most_by(cu, cu->barriers.guards.data[i], expr, depth, out))
      return true;
  if (expr->kind == EXPR_NAME)
    return most_of_name(cu, expr, depth, out);
  return expr->kind == EXPR_BINARY && most_of_binary(cu, expr, depth, out);
}

// expr = *out + what isn't constant, which is the result; NULL: nothing.
static const Expr *carve_split(const CuContext *cu, const Expr *expr,
                               int64_t *out) {
  expr = carve_without_casts(expr);
  const CuName *name = cu_outermost_name(cu, expr);
  if (name && name->is_pinned && name->decl && name->decl->u.var.init)
    return carve_split(cu, name->decl->u.var.init, out);
  if (expr->kind == EXPR_INT) {
    *out = (int64_t)expr->u.int_lit.value;
    return NULL;
  }
  *out = 0;
  if (expr->kind != EXPR_BINARY || expr->u.binary.op != BINARY_ADD)
    return expr;
  int64_t left, right;
  const Expr *a = carve_split(cu, expr->u.binary.left, &left);
  const Expr *b = carve_split(cu, expr->u.binary.right, &right);
  *out = a && b ? 0 : left + right;
  return a && b ? expr : a ? a : b;
}

// ---------------------------------------------------------------- looking

static CuVariable *all_of(CuContext *cu, const CuName *root, Span span) {
  CuWords *words = cu->barriers.words;
  for (uint32_t i = 0; i < words->roots.count; i++)
    if (words->roots.data[i].root == root)
      return words->roots.data[i].all;
  const CuType *type = cu_array(&cu->types, cu_word_barrier(cu), MOST_WORDS);
  CuVariable *all =
      cu_new_shared(cu, cu_free_local_name(cu, root->wanted), type, span);
  all->name->carved = root;
  CuCarvedRoot made = {root, all};
  VEC_PUSH(cu->arena, &words->roots, made);
  return all;
}

static void note_start(CuContext *cu, const CuName *root, int64_t bytes,
                       const CuType *element) {
  CuRegion start = {
      .root = root->shared_by, .bytes = bytes, .element = element};
  VEC_PUSH(cu->arena, &cu->barriers.words->starts, start);
}

// The index of the first barrier that an expression leads to, and what is added
// to it.
static const Expr *carve_index_of(CuContext *cu, const Expr *pointer,
                                  int64_t *first) {
  Expr *place = cu_barrier_place(cu, cu_clone(cu, pointer, (Span){0, 0}), NULL,
                                 pointer->span);
  return carve_split(cu, place->u.index.subscripts[0].index, first);
}

static const CuName *carved_root(const CuContext *cu, const Expr *pointer) {
  while (pointer->kind == EXPR_INDEX || pointer->kind == EXPR_BINARY)
    pointer = pointer->kind == EXPR_INDEX ? pointer->u.index.base
                                          : pointer->u.binary.left;
  const CuName *name = cu_outermost_name(cu, pointer);
  return name ? name->carved : NULL;
}

void cu_carve_named(CuContext *cu, const CuValue *pointer) {
  const CuName *root =
      pointer->expr && cu->barriers.words && cu->barriers.words->finds
          ? carved_root(cu, pointer->expr)
          : NULL;
  int64_t first;
  if (root && !carve_index_of(cu, pointer->expr, &first))
    note_start(cu, root, first * WORD_BYTES, NULL);
}

bool cu_carve_begun(CuContext *cu, const Expr *pointer) {
  const CuName *root = carved_root(cu, pointer);
  if (!root)
    return false;
  CuRegion begun = {.root = root->shared_by, .count = 1};
  int64_t first, last = 0;
  const Expr *more = carve_index_of(cu, pointer, &first);
  begun.bytes = first * WORD_BYTES;
  if (more)
    begun.count =
        carve_most(cu, more, 0, &last) && last < MOST_WORDS ? last + 1 : 0;
  VEC_PUSH(cu->arena, &cu->barriers.words->begun, begun);
  return true;
}

// ---------------------------------------------------------------- regions

static int by_place(const void *a, const void *b) {
  const CuRegion *x = a, *y = b;
  if (x->root != y->root)
    return x->root < y->root ? -1 : 1;
  return x->bytes < y->bytes ? -1 : x->bytes > y->bytes;
}

static int64_t carve_end_of(const CuRegion *region) {
  return region->bytes + region->count * WORD_BYTES;
}

static bool is_crossed(const CuWords *found, const CuRegion *start) {
  for (uint32_t i = 0; i < found->begun.count; i++) {
    const CuRegion *begun = &found->begun.data[i];
    if (begun->root == start->root && begun->bytes < start->bytes &&
        start->bytes < carve_end_of(begun))
      return true;
  }
  return false;
}

// What is initialised between a start and the next one.
static CuRegion region_from(const CuWords *found, const CuRegion *start,
                            const CuRegion *next) {
  CuRegion region = {.root = start->root};
  int64_t end = 0;
  bool is_open = false;
  for (uint32_t i = 0; i < found->begun.count; i++) {
    const CuRegion *begun = &found->begun.data[i];
    if (begun->root != start->root || begun->bytes < start->bytes ||
        (next && begun->bytes >= next->bytes))
      continue;
    bool is_first = end == 0;
    if (is_first || begun->bytes < region.bytes)
      region.bytes = begun->bytes;
    int64_t last = carve_end_of(begun);
    if (begun->count == 0)
      last = next ? next->bytes : begun->bytes + WORD_BYTES;
    is_open |= begun->count == 0 && !next;
    end = last > end ? last : end;
  }
  region.count = (end - region.bytes) / WORD_BYTES;
  region.is_open = is_open;
  return region;
}

// Classes that pointers into what is initialised are of.
static void choose_classes(const CuWords *found, const CuRegion *region,
                           Arena *arena, CuWords *out) {
  for (uint32_t i = 0; i < found->starts.count; i++) {
    const CuRegion *start = &found->starts.data[i];
    if (start->element && start->root == region->root &&
        start->bytes >= region->bytes && start->bytes < carve_end_of(region))
      cu_choose_word_class(arena, &out->decls, start->element);
  }
}

void cu_carve_regions(const CuWords *found, Arena *arena, CuWords *out) {
  hd_vec(CuRegion) starts = {0};
  for (uint32_t i = 0; i < found->starts.count; i++)
    if (!is_crossed(found, &found->starts.data[i]))
      VEC_PUSH(arena, &starts, found->starts.data[i]);
  if (starts.count == 0)
    return;
  qsort(starts.data, starts.count, sizeof starts.data[0], by_place);
  uint32_t n = 0;
  for (uint32_t i = 0; i < starts.count; i++)
    if (n == 0 || by_place(&starts.data[n - 1], &starts.data[i]) != 0)
      starts.data[n++] = starts.data[i];
  for (uint32_t i = 0; i < n; i++) {
    bool has_next = i + 1 < n && starts.data[i + 1].root == starts.data[i].root;
    CuRegion region = region_from(found, &starts.data[i],
                                  has_next ? &starts.data[i + 1] : NULL);
    if (region.count == 0)
      continue;
    VEC_PUSH(arena, &out->regions, region);
    choose_classes(found, &region, arena, out);
  }
}

// ---------------------------------------------------------------- pointers

static const CuRegion *region_at(const CuContext *cu, const CuSpot *spot) {
  const CuWords *words = cu->barriers.words;
  for (uint32_t i = 0; words && i < words->regions.count; i++) {
    const CuRegion *region = &words->regions.data[i];
    if (region->root == spot->root->shared_by && region->bytes <= spot->bytes &&
        spot->bytes < carve_end_of(region))
      return region;
  }
  return NULL;
}

static CuValue pointer_into(CuContext *cu, CuVariable *barriers,
                            const CuType *element, int64_t bytes, Span span) {
  CuVariable *here = cu_seen_from_here(cu, barriers, span);
  if (!here)
    return cu_poison(cu, span);
  CuValue value = cu_decay(cu, cu_variable_value(cu, here, span));
  const CuType *type = cu_basic(&cu->types, CU_INT);
  Expr *made = value.expr;
  if (bytes || here->name->carved)
    made = cu_binary(cu, BINARY_ADD, made,
                     cu_int_expr(cu, type, bytes / WORD_BYTES, span), span);
  return cu_rvalue(cu_pointer(&cu->types, element), made, span);
}

static CuValue found_pointer(CuContext *cu, const CuSpot *spot,
                             const CuType *element, Span span) {
  const CuRegion *region = region_at(cu, spot);
  if (region->is_open) {
    cu_unsupported(cu, span, "an unknown number of mbarriers",
                   "initialise them in a loop up to a constant");
    return cu_rvalue(cu_pointer(&cu->types, element), cu_poison_expr(cu, span),
                     span);
  }
  CuMemberBarrier wanted = {.type =
                                cu_array(&cu->types, element, region->count)};
  wanted.spot = cu_spot_moved(cu, spot, region->bytes - spot->bytes);
  const char *wish =
      cu_format(cu, "%s_%lld", spot->root->wanted, (long long)region->bytes);
  CuVariable *barriers = cu_barriers_at(cu, &wanted, wish, span);
  if (!barriers)
    return cu_rvalue(cu_pointer(&cu->types, element), cu_poison_expr(cu, span),
                     span);
  barriers->name->shared_by = spot->root->shared_by;
  barriers->name->shared_at = region->bytes;
  return pointer_into(cu, barriers, element, spot->bytes - region->bytes, span);
}

static CuValue carve_refuse(CuContext *cu, const CuType *to, Span span) {
  cu_unsupported(cu, span, "this way to an mbarrier",
                 "cast an address that is a constant number of bytes into a "
                 "shared array, and initialise all barriers in the kernel");
  return cu_lvalue(to, cu_poison_expr(cu, span), span);
}

bool cu_carve_cast(CuContext *cu, const CuValue *from, const CuType *to,
                   Span span, CuValue *out) {
  const CuType *element = cu_plain(to->u.inner);
  const CuSpot *spot = from->spot;
  if (spot && cu->barriers.words && element->kind == CU_RECORD)
    cu_complete_record(cu, element->u.record);
  bool is_word = cu_is_word(element);
  if (!(is_word || cu_is_barrier(element)) ||
      cu_is_barrier_pointer(from->type) || !cu->frame)
    return false;
  bool is_known = spot && !spot->element && spot->bytes >= 0 &&
                  spot->bytes % WORD_BYTES == 0 &&
                  spot->bytes / WORD_BYTES < MOST_WORDS &&
                  spot->root->shared_by && cu->barriers.words;
  bool finds = is_known && cu->barriers.words->finds;
  if (!finds && !(is_known && region_at(cu, spot))) {
    if (!is_word)
      *out = carve_refuse(cu, to, span);
    return !is_word;
  }
  element = is_word ? cu_word_barrier(cu) : element;
  cu_spot_fix(cu, spot, span);
  if (finds) {
    note_start(cu, spot->root, spot->bytes, element);
    *out = pointer_into(cu, all_of(cu, spot->root, span), element, spot->bytes,
                        span);
  } else {
    *out = found_pointer(cu, spot, element, span);
  }
  out->spot = spot;
  return true;
}

bool cu_carve_moved(CuContext *cu, CuValue *pointer) {
  const CuSpot *spot = pointer->spot;
  if (!spot || spot->element || !cu->barriers.words ||
      !cu_is_barrier_pointer(pointer->type))
    return false;
  const CuType *element = cu_plain(pointer->type)->u.inner;
  Span span = pointer->span;
  const CuName *root = carved_root(cu, pointer->expr);
  if (root)
    *pointer =
        pointer_into(cu, all_of(cu, root, span), element, spot->bytes, span);
  else if (spot->root->shared_by && region_at(cu, spot))
    *pointer = found_pointer(cu, spot, element, span);
  else
    return false;
  pointer->spot = spot;
  return true;
}
