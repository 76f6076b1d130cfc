// SPDX-License-Identifier: Apache-2.0
// cuda::barrier: its count is set when the kernel runs in CUDA, and part of the
// declaration in Heddle C: Note [Counts of barriers].
#include "cuda/form/cu_barrier.h"
#include "cuda/form/cu_carve.h"
#include "cuda/form/cu_local.h"
#include "cuda/form/cu_names.h"
#include "cuda/form/cu_pipeline.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_tree.h"
#include "cuda/form/cu_walk.h"

#include <string.h>

static CuName *barrier_name(const CuContext *cu, const Expr *expr) {
  while (expr->kind == EXPR_INDEX || expr->kind == EXPR_BINARY)
    expr = expr->kind == EXPR_INDEX ? expr->u.index.base : expr->u.binary.left;
  return cu_outermost_name(cu, expr);
}

// block_dim().x is the parameter block_dim_x.
static bool resolve_dim(CuContext *cu, Expr **place) {
  const Expr *expr = *place, *base = expr->u.member.base;
  bool is_dim = base->kind == EXPR_CALL &&
                base->u.call.callee->kind == EXPR_NAME &&
                strcmp(base->u.call.callee->u.name, "block_dim") == 0;
  int index = expr->u.member.name[0] - 'x';
  if (!is_dim || index < 0 || index > 2)
    return false;
  *place = cu_name_expr(cu, cu->launch.block_dims[index], expr->span);
  return true;
}

void cu_fix(CuContext *cu, const CuName *name, Span span) {
  CuFixed fixed = {.variable = name->variable, .span = span};
  if (name->variable)
    VEC_PUSH(cu->arena, &cu->barriers.fixed, fixed);
}

typedef struct {
  CuWalk walk;
  const CuContext *cu;
  bool is_found;
} ChangeWalk;

static void barrier_look_for_change(CuWalk *walk, const Expr *expr) {
  ChangeWalk *at = (ChangeWalk *)walk;
  const CuName *name =
      expr->kind == EXPR_NAME ? cu_outermost_name(at->cu, expr) : NULL;
  if (name && name->is_pinned && name->decl && name->decl->u.var.init)
    cu_walk_expr(walk, name->decl->u.var.init);
  else if (name && name->variable)
    at->is_found |= name->variable->is_changed;
}

// Something in it is another value later.
static bool changes(const CuContext *cu, const Expr *expr) {
  ChangeWalk at = {.walk = {.on_expr = barrier_look_for_change}, .cu = cu};
  cu_walk_expr(&at.walk, expr);
  return at.is_found;
}

static void refuse_again(CuContext *cu, Span span) {
  cu_unsupported(cu, span, "initialising a barrier more than once",
                 "initialise it before the loop and continue with its phases");
}

// A barrier in Heddle C begins once.
static void check_inits(CuContext *cu) {
  for (uint32_t i = 0; i < cu->barriers.declared.count; i++) {
    const Decl *decl = cu->barriers.declared.data[i];
    if (!cu_barrier_type(decl)->u.expr && cu->reports.n_errors == 0)
      CU_ERROR(cu, decl->name_span, barrier_unready, DS(decl->name));
  }
  for (uint32_t i = 0; i < cu->barriers.inits.count; i++) {
    const CuInit *init = &cu->barriers.inits.data[i];
    if (init->is_in_loop && !changes(cu, init->place))
      refuse_again(cu, init->span);
  }
}

static void set_mixed(CuContext *cu, CuCount *count) {
  count->is_mixed = cu->barriers.counts->is_mixed = true;
}

void cu_check_fixed(CuContext *cu) {
  check_inits(cu);
  for (uint32_t i = 0; i < cu->barriers.fixed.count; i++) {
    const CuFixed *fixed = &cu->barriers.fixed.data[i];
    if (!fixed->variable->is_changed)
      continue;
    if (fixed->count) {
      set_mixed(cu, fixed->count);
      continue;
    }
    cu_unsupported(
        cu, fixed->span,
        "a barrier whose count or place depends on a variable that changes",
        "use a constant, or a variable that doesn't change");
    return;
  }
}

// Local names stand for their initialisers: the count is a part of the
// declaration, which stands before them.
static bool resolve_names(CuContext *cu, Expr **place, uint32_t depth) {
  Expr *expr = *place;
  switch ((int)expr->kind) {
  case EXPR_INT: return true;
  case EXPR_NAME: {
    CuName *name = map_get(&cu->output.named, MAP_KEY(expr));
    if (!name || !name->is_local)
      return true;
    const Decl *decl = name->decl;
    if (!decl || depth > 16 || decl->kind != DECL_VAR || !decl->u.var.init)
      return false;
    cu_fix(cu, name, expr->span);
    *place = cu_clone(cu, decl->u.var.init, expr->span);
    return resolve_names(cu, place, depth + 1);
  }
  case EXPR_UNARY: return resolve_names(cu, &expr->u.unary.operand, depth);
  case EXPR_CAST: return resolve_names(cu, &expr->u.cast.operand, depth);
  case EXPR_MEMBER: return resolve_dim(cu, place);
  case EXPR_BINARY:
    return resolve_names(cu, &expr->u.binary.left, depth) &&
           resolve_names(cu, &expr->u.binary.right, depth);
  case EXPR_CONDITIONAL:
    return resolve_names(cu, &expr->u.conditional.condition, depth) &&
           resolve_names(cu, &expr->u.conditional.if_true, depth) &&
           resolve_names(cu, &expr->u.conditional.if_false, depth);
  case EXPR_CALL:
    for (uint32_t i = 0; i < expr->u.call.args.count; i++) {
      if (!resolve_names(cu, &expr->u.call.args.data[i], depth))
        return false;
    }
    return true;
  default: return false;
  }
}

const CuType *cu_opaque_type(CuContext *cu, CuOpaque opaque, const char *shown,
                             const CuType **made) {
  if (!*made) {
    CuRecord *record = ARENA_NEW(cu->arena, CuRecord);
    CuType *type = cu_new_type(&cu->types, CU_RECORD);
    type->u.record = record;
    record->type = type;
    record->shown = record->suffix = shown;
    record->opaque = opaque;
    record->is_complete = true;
    *made = type;
  }
  return *made;
}

const CuType *cu_barrier_record(CuContext *cu) {
  return cu_opaque_type(cu, CU_OPAQUE_BARRIER, "barrier", &cu->barriers.type);
}

bool cu_resolve_count(CuContext *cu, Expr **place) {
  return resolve_names(cu, place, 0);
}

TypeSyntax *cu_barrier_type(const Decl *decl) {
  TypeSyntax *type = decl->type;
  while (type->kind == TYPE_ARRAY)
    type = type->u.array.element;
  return type->kind == TYPE_MBARRIER ? type : NULL;
}

// Numbers of the compiler's are computed.
static Expr *folded(CuContext *cu, Expr *expr) {
  while (expr->kind == EXPR_CAST)
    expr = expr->u.cast.operand;
  if (expr->kind != EXPR_BINARY)
    return expr;
  const CuType *type = cu_basic(&cu->types, CU_INT);
  Expr *left = folded(cu, expr->u.binary.left);
  Expr *right = folded(cu, expr->u.binary.right);
  if (left->kind != EXPR_INT || right->kind != EXPR_INT)
    return expr;
  CuConst made = cu_fold_binary(
      expr->u.binary.op, cu_const_int((int64_t)left->u.int_lit.value),
      cu_const_int((int64_t)right->u.int_lit.value), type);
  return made.kind == CU_CONST_INT && made.i >= 0
             ? cu_int_expr(cu, type, made.i, expr->span)
             : expr;
}

// The same value where both stand.
bool cu_same_expr(const CuContext *cu, const Expr *a, const Expr *b) {
  while (a->kind == EXPR_CAST)
    a = a->u.cast.operand;
  while (b->kind == EXPR_CAST)
    b = b->u.cast.operand;
  if (a == b)
    return true;
  if (a->kind != b->kind)
    return false;
  switch ((int)a->kind) {
  case EXPR_INT: return a->u.int_lit.value == b->u.int_lit.value;
  case EXPR_NAME:
    return cu_outermost_name(cu, a) == cu_outermost_name(cu, b) &&
           (!a->u.name || !b->u.name || strcmp(a->u.name, b->u.name) == 0);
  case EXPR_INDEX:
    for (uint32_t i = 0; i < a->u.index.n_subscripts; i++)
      if (i >= b->u.index.n_subscripts || !a->u.index.subscripts[i].index ||
          !b->u.index.subscripts[i].index ||
          !cu_same_expr(cu, a->u.index.subscripts[i].index,
                        b->u.index.subscripts[i].index))
        return false;
    return cu_same_expr(cu, a->u.index.base, b->u.index.base);
  case EXPR_UNARY:
    return a->u.unary.op == b->u.unary.op &&
           cu_same_expr(cu, a->u.unary.operand, b->u.unary.operand);
  case EXPR_BINARY:
    return a->u.binary.op == b->u.binary.op &&
           cu_same_expr(cu, a->u.binary.left, b->u.binary.left) &&
           cu_same_expr(cu, a->u.binary.right, b->u.binary.right);
  case EXPR_CALL:
    for (uint32_t i = 0; i < a->u.call.args.count; i++)
      if (i >= b->u.call.args.count ||
          !cu_same_expr(cu, a->u.call.args.data[i], b->u.call.args.data[i]))
        return false;
    return cu_same_expr(cu, a->u.call.callee, b->u.call.callee);
  case EXPR_MEMBER:
    return a->u.member.is_arrow == b->u.member.is_arrow &&
           strcmp(a->u.member.name, b->u.member.name) == 0 &&
           cu_same_expr(cu, a->u.member.base, b->u.member.base);
  default: return false;
  }
}

bool cu_is_in_loop(const CuContext *cu) {
  for (const CuFrame *frame = cu->frame; frame; frame = frame->parent)
    if (frame->n_loops)
      return true;
  return false;
}

static void barrier_note_init(CuContext *cu, Expr *pointer, Span span) {
  CuInit init = {cu_barrier_place(cu, pointer, NULL, span), cu_is_in_loop(cu),
                 span};
  for (uint32_t i = 0; i < cu->barriers.inits.count; i++)
    if (cu_same_expr(cu, cu->barriers.inits.data[i].place, init.place))
      refuse_again(cu, span);
  VEC_PUSH(cu->arena, &cu->barriers.inits, init);
}

void cu_refuse_barrier(CuContext *cu, Span span) {
  if (!cu->barriers.is_told)
    cu_unsupported(
        cu, span, "an mbarrier that isn't a variable",
        "let it be a `__shared__ uint64_t b[N];`, a class around one, such "
        "a member of a shared object, or a constant number of bytes into a "
        "shared array, and initialise it in the kernel or "
        "in a function without 'return' that gets its address");
  cu->barriers.is_told = cu->reports.failed = true;
}

// Note [Counts of barriers]
// The count is part of a barrier's type in Heddle C, the same for all of an
// array, and made of constants. Where a declaration is found to get several
// counts, or one that isn't known there, the kernel is translated again: its
// barriers have the largest count then, and whoever initialises one makes the
// arrivals that are too many, in this and all later phases (arrive_drop).
enum { MOST_ARRIVALS = (1 << 20) - 1 };

static CuCount *barrier_count_of(CuContext *cu, const CuName *name) {
  uint64_t key = MAP_KEY(name->shared_by);
  CuCount *first = map_get(&cu->barriers.counts->decls, key), *count = first;
  while (count && count->at != name->shared_at)
    count = count->next;
  if (!count) {
    count = ARENA_NEW(cu->arena, CuCount);
    *count = (CuCount){.at = name->shared_at, .next = first};
    map_put(cu->arena, &cu->barriers.counts->decls, key, count);
  }
  return count;
}

static void note_count(CuCount *count, const CuValue *given) {
  bool is_number = given->constant.kind == CU_CONST_INT &&
                   given->constant.i >= 1 && given->constant.i <= MOST_ARRIVALS;
  if (is_number && given->constant.i > count->most)
    count->most = given->constant.i;
  count->is_open |= !is_number;
}

// Arrivals that the count of the type has and this barrier not; NULL: none.
static Expr *surplus(CuContext *cu, const CuCount *count, const CuValue *given,
                     Span span) {
  const CuType *type = cu_basic(&cu->types, CU_INT);
  int64_t most = count->is_open ? MOST_ARRIVALS : count->most;
  if (given->constant.kind == CU_CONST_INT)
    return given->constant.i == most
               ? NULL
               : cu_int_expr(cu, type, most - given->constant.i, span);
  return cu_binary(cu, BINARY_SUB, cu_int_expr(cu, type, most, span),
                   cu_cast(cu, type, cu_clone(cu, given->expr, span), span),
                   span);
}

static CuValue init_mixed(CuContext *cu, TypeSyntax *type, const CuCount *count,
                          Expr *pointer, const CuValue *given, Span span) {
  int64_t most = count->is_open ? MOST_ARRIVALS : count->most;
  type->u.expr = cu_int_literal(cu, most, span);
  Expr *more = surplus(cu, count, given, span);
  Expr *place = cu_barrier_place(cu, pointer, NULL, span);
  Expr *drop = more ? cu_word_call(cu, "arrive_drop", place, more, span) : NULL;
  return cu_rvalue(cu_basic(&cu->types, CU_VOID), drop, span);
}

// The count becomes that of the type; false: it can't.
static bool barrier_set_count(CuContext *cu, TypeSyntax *type, CuCount *count,
                              const CuValue *given, Span span) {
  Expr *made = cu_clone(cu, given->expr, span);
  uint32_t n_fixed = cu->barriers.fixed.count;
  if (!resolve_names(cu, &made, 0)) {
    cu->barriers.fixed.count = n_fixed;
    return false;
  }
  for (uint32_t i = n_fixed; i < cu->barriers.fixed.count; i++)
    cu->barriers.fixed.data[i].count = count;
  made = folded(cu, made);
  if (type->u.expr && !cu_same_expr(cu, type->u.expr, made))
    return false;
  type->u.expr = made;
  return true;
}

static bool is_poison(const Expr *place) {
  for (;;) {
    if (place->kind == EXPR_INDEX)
      place = place->u.index.base;
    else if (place->kind == EXPR_BINARY)
      place = place->u.binary.left;
    else if (place->kind == EXPR_UNARY)
      place = place->u.unary.operand;
    else
      return place->kind == EXPR_POISON;
  }
}

static CuValue refuse_init(CuContext *cu, Span span) {
  cu_unsupported(cu, span, "this way to initialise a barrier",
                 "call init(&b, n) in the kernel that declares b, or in a "
                 "function that gets it and has no 'return'");
  return cu_poison(cu, span);
}

// What checks look at: the barrier is ready all the same.
static Expr *init_call(CuContext *cu, Expr *pointer, Span span) {
  Expr *place = cu_barrier_place(cu, pointer, NULL, span);
  return cu_word_call(cu, "__mbarrier_init", place, NULL, span);
}

CuValue cu_barrier_init(CuContext *cu, CuValues args, Span span) {
  const CuType *nothing = cu_basic(&cu->types, CU_VOID);
  CuValue barrier = cu_decay(cu, args.data[0]), given = args.data[1];
  if (!barrier.expr || !given.expr)
    return cu_poison(cu, span);
  if (is_poison(barrier.expr)) // which was told
    return cu_poison(cu, span);
  if (cu_carve_begun(cu, barrier.expr))
    return cu_rvalue(nothing, NULL, span);
  CuName *name = barrier_name(cu, barrier.expr);
  TypeSyntax *type = name && name->decl ? cu_barrier_type(name->decl) : NULL;
  if (!type && !cu_is_barrier_pointer(barrier.type)) {
    cu_refuse_barrier(cu, span);
    return cu_poison(cu, span);
  }
  if (!type || !name->shared_by)
    return refuse_init(cu, span);
  Expr *pointer = cu_clone(cu, barrier.expr, (Span){0, 0});
  barrier_note_init(cu, pointer, span);
  if (cu->asked.keeps_inits)
    cu_add_stmt(cu, cu_expr_stmt(cu, init_call(cu, pointer, span), span));
  CuCount *count = barrier_count_of(cu, name);
  note_count(count, &given);
  if (count->is_mixed)
    return init_mixed(cu, type, count, pointer, &given, span);
  if (!barrier_set_count(cu, type, count, &given, span))
    set_mixed(cu, count);
  return cu_rvalue(nothing, NULL, span);
}

// --------------------------------------------------------- other names of it

bool cu_is_barrier(const CuType *type) {
  type = cu_plain(type);
  return cu_is(type, CU_RECORD) && type->u.record->opaque == CU_OPAQUE_BARRIER;
}

static uint32_t rank_of(const CuContext *cu, const Expr *expr) {
  const CuName *name = cu_outermost_name(cu, expr);
  const TypeSyntax *type = name && name->decl ? name->decl->type : NULL;
  uint32_t rank = 0;
  for (; type && type->kind == TYPE_ARRAY; type = type->u.array.element)
    rank++;
  return rank;
}

static bool barrier_is_zero(const Expr *expr) {
  return expr->kind == EXPR_INT && expr->u.int_lit.value == 0;
}

static Expr *barrier_sum(CuContext *cu, Expr *a, Expr *b, Span span) {
  if (barrier_is_zero(a) || barrier_is_zero(b))
    return barrier_is_zero(a) ? b : a;
  return cu_binary(cu, BINARY_ADD, a, b, span);
}

// Of `p + a - b` the index is `a - b`.
static Expr *place_before(CuContext *cu, const Expr *pointer, Expr *index,
                          Span span) {
  Expr *from = pointer->u.binary.left, *back = pointer->u.binary.right;
  if (from->kind != EXPR_BINARY || from->u.binary.op != BINARY_ADD)
    return cu_barrier_place(cu, from,
                            cu_binary(cu, BINARY_SUB, index, back, span), span);
  Expr *moved = cu_binary(cu, BINARY_SUB, from->u.binary.right, back, span);
  return cu_barrier_place(cu, from->u.binary.left,
                          barrier_sum(cu, moved, index, span), span);
}

Expr *cu_barrier_place(CuContext *cu, Expr *pointer, Expr *index, Span span) {
  if (!index)
    index = cu_int_literal(cu, 0, span);
  if (pointer->kind == EXPR_BINARY && pointer->u.binary.op == BINARY_ADD)
    return cu_barrier_place(
        cu, pointer->u.binary.left,
        barrier_sum(cu, pointer->u.binary.right, index, span), span);
  if (pointer->kind == EXPR_BINARY && pointer->u.binary.op == BINARY_SUB)
    return place_before(cu, pointer, index, span);
  bool is_index = pointer->kind == EXPR_INDEX;
  uint32_t n = is_index ? pointer->u.index.n_subscripts : 0;
  uint32_t rank = rank_of(cu, is_index ? pointer->u.index.base : pointer);
  if (n < rank)
    return cu_subscript(cu, pointer, index, is_index, span);
  if (barrier_is_zero(index))
    return pointer;
  if (!is_index)
    return cu_subscript(cu, pointer, index, false, span);
  Expr *moved = cu_clone(cu, pointer, span);
  Subscript *last = &moved->u.index.subscripts[n - 1];
  last->index = barrier_sum(cu, last->index, index, span);
  return moved;
}

bool cu_is_barrier_pointer(const CuType *type) {
  type = cu_plain(type);
  return type->kind == CU_POINTER && cu_is_barrier(type->u.inner);
}

bool cu_is_barriers(const CuContext *cu, const CuValue *value) {
  const CuType *type = cu_plain(cu_referred(value->type));
  bool is_array = type->kind == CU_ARRAY && cu_is_barrier(cu_array_base(type));
  if (!value->expr || !(is_array || cu_is_barrier_pointer(type)))
    return false;
  return value->expr->kind == EXPR_BINARY ||
         (value->expr->kind == EXPR_NAME && rank_of(cu, value->expr) > 0);
}

Expr *cu_pinned_index(CuContext *cu, Expr *index, Span span) {
  CuName *name = index && index->kind == EXPR_NAME
                     ? map_get(&cu->output.named, MAP_KEY(index))
                     : NULL;
  if (!index || index->kind == EXPR_INT || (name && name->is_pinned))
    return index;
  CuVariable *kept = cu_new_local(cu, "slot", cu_basic(&cu->types, CU_LONG));
  cu_add_local(cu, kept, index, span);
  kept->name->is_pinned = kept->name->is_told = true;
  return cu_name_expr(cu, kept->name, span);
}

// The place means the same from here on; false: it is no element of a name.
static bool pin(CuContext *cu, Expr *expr, Span span) {
  switch ((int)expr->kind) {
  case EXPR_NAME:
  case EXPR_POISON: return true;
  case EXPR_UNARY: return pin(cu, expr->u.unary.operand, span);
  case EXPR_BINARY:
    if (!pin(cu, expr->u.binary.left, span))
      return false;
    expr->u.binary.right = cu_pinned_index(cu, expr->u.binary.right, span);
    return true;
  case EXPR_INDEX:
    if (!pin(cu, expr->u.index.base, span))
      return false;
    for (uint32_t i = 0; i < expr->u.index.n_subscripts; i++)
      expr->u.index.subscripts[i].index =
          cu_pinned_index(cu, expr->u.index.subscripts[i].index, span);
    return true;
  case EXPR_CALL: // in another block: cu_map_address
    if (expr->u.call.args.count != 2 ||
        !pin(cu, expr->u.call.args.data[0], span))
      return false;
    expr->u.call.args.data[1] =
        cu_pinned_index(cu, expr->u.call.args.data[1], span);
    return true;
  default: return false;
  }
}

bool cu_refuse_barrier_copy(CuContext *cu, const CuType *type, Span span) {
  if (type->kind == CU_REFERENCE || !cu_is_barrier(type))
    return false;
  cu_unsupported(cu, span, "a copy of an mbarrier",
                 "name it by a reference or a pointer");
  return true;
}

bool cu_bind_barrier(CuContext *cu, CuVariable *variable, CuValue value,
                     Span span) {
  const CuType *type = cu_plain(cu_referred(variable->type));
  bool is_pointer = cu_is_barrier_pointer(type);
  if (!value.expr || !(is_pointer || cu_is_barrier(type)) ||
      !pin(cu, value.expr, span))
    return false;
  (void)cu_refuse_barrier_copy(cu, variable->type, span);
  cu_carve_named(cu, &value);
  variable->holds = CU_HOLDS_SUBSTITUTE;
  variable->substitute = value;
  variable->substitute.is_lvalue = !is_pointer;
  return true;
}
