// SPDX-License-Identifier: Apache-2.0
// Tensor memory: arrays of 128 lanes, and the operations that reach them.
#include "sema/tile.h"

#include "base/panic.h"

enum {
  TENSOR_LANES = 128,
  TENSOR_COLUMNS = 512,
  TENSOR_MOST_ODD = 31, // of what a section has, as of all tiles
  TENSOR_MOST_N = 256,  // columns of a product
  TENSOR_STEP_N = 16,
  TENSOR_STEP_CP = 8,
};

static TExpr *tensor_poison(const BuiltinCall *call) {
  return build_poison(call->cx, call->span);
}

// --- arrays ---

static const char *tensor_array_problem(SemaContext *cx, const TVar *var) {
  const Type *element = type_underlying(type_array_base(var->type, NULL));
  if (element->kind != TY_FLOAT && element->kind != TY_INT)
    return sema_format(cx, "its elements are float or int, not '%s'",
                       sema_type_name(cx, element));
  if (var->is_const)
    return "it can't be const";
  if (var->layout)
    return "it has no other layout";
  if (var->rank != 2)
    return sema_format(cx, "it has two dimensions, lanes and columns, not %u",
                       var->rank);
  int64_t lanes = var->type->u.array.extent;
  int64_t columns = var->type->u.array.element->u.array.extent, rest;
  if (lanes != TENSOR_LANES)
    return sema_format(cx, "it has 128 lanes, not %lld", (long long)lanes);
  if (columns > TENSOR_COLUMNS)
    return sema_format(cx, "it has %lld columns, and there are 512",
                       (long long)columns);
  for (rest = columns; rest > 0 && rest % 2 == 0;)
    rest /= 2;
  if (rest < 1 || rest > TENSOR_MOST_ODD)
    return sema_format(cx,
                       "it has %lld columns, which must be m * 2^k with m odd "
                       "and at most 31",
                       (long long)columns);
  if (cx->body->group.ref != TGROUP_BLOCK)
    return "a block has it once: declare it where the current group is the "
           "block";
  return NULL;
}

bool tensor_check_array(SemaContext *cx, Span span, TVar *var) {
  const char *problem = tensor_array_problem(cx, var);
  var->is_refused = problem != NULL;
  if (problem)
    SEMA_ERROR(cx, span, tensor_array, DS(var->name), DS(problem));
  return !problem;
}

// --- places ---

static const Expr *tensor_base(const Expr *expr) {
  return expr->kind == EXPR_INDEX ? expr->u.index.base : expr;
}

static const TVar *tensor_named(SemaContext *cx, const Expr *expr) {
  const Expr *base = tensor_base(expr);
  const Symbol *symbol =
      base->kind == EXPR_NAME ? sema_scope_find(cx, base->u.name) : NULL;
  const TVar *var = symbol && symbol->kind == SYMBOL_VAR ? symbol->var : NULL;
  return var && var->is_tensor ? var : NULL;
}

static bool tensor_is_poison(SemaContext *cx, const Expr *expr) {
  const Expr *base = tensor_base(expr);
  const Symbol *symbol =
      base->kind == EXPR_NAME ? sema_scope_find(cx, base->u.name) : NULL;
  return symbol && symbol->kind == SYMBOL_POISON;
}

// Argument i as a section of tensor memory that lies in its array, which is
// owed. NULL: reported.
static TExpr *tensor_place(const BuiltinCall *call, uint32_t i) {
  SemaContext *cx = call->cx;
  const Expr *expr = call->args->data[i], *outer = cx->tensor_name;
  if (!tensor_named(cx, expr)) {
    if (!tensor_is_poison(cx, expr))
      tile_engine_refuse(
          call, expr->span,
          sema_format(cx,
                      "argument %u is a section of an array in tensor memory",
                      i + 1));
    return NULL;
  }
  cx->tensor_name = tensor_base(expr);
  TExpr *place = tile_check_section(cx, expr);
  cx->tensor_name = outer;
  if (expr_is_poison(place))
    return NULL;
  for (uint32_t k = 0; k < place->u.section->rank; k++)
    if (type_is(place->u.section->lo[k]->type, TY_TILE)) {
      tile_engine_refuse(call, expr->span, "tensor memory isn't gathered");
      return NULL;
    }
  if (place->type->u.tile.rank != 2 ||
      place->type->u.tile.extents[0] != TENSOR_LANES) {
    tile_engine_refuse(call, expr->span,
                       "a section of tensor memory has all of its lanes, as in "
                       "d[:][c:n]");
    return NULL;
  }
  place->u.section->is_unchecked = true;
  return place;
}

// --- tcgen05_alloc(d), tcgen05_dealloc(d) ---

TExpr *tile_rule_tensor_array(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  if (!builtin_takes(call, 1, 1))
    return tensor_poison(call);
  const Expr *expr = call->args->data[0];
  if (expr->kind != EXPR_NAME && tensor_named(cx, expr)) {
    tile_engine_refuse(call, expr->span, "it takes the whole array");
    return tensor_poison(call);
  }
  TExpr *place = tensor_place(call, 0);
  return place ? tile_build(call, sema_basic(cx, TY_VOID), &place, 1, NULL)
               : tensor_poison(call);
}

// --- tcgen05_mma(d, a, b[, accumulate]) ---

static bool tensor_check_product(const BuiltinCall *call, const Type *sums,
                                 const EngineOperand *a,
                                 const EngineOperand *b) {
  SemaContext *cx = call->cx;
  const Type *x = type_underlying(a->type->u.tile.element);
  const Type *y = type_underlying(b->type->u.tile.element);
  uint32_t rows = tile_engine_extent(a, 0), depth = tile_engine_extent(a, 1);
  uint32_t columns = tile_engine_extent(b, 1);
  uint32_t step = 256 / (uint32_t)type_bits(x);
  const char *problem = NULL;
  if (!tile_engine_multiplies(x, y, type_underlying(sums->u.tile.element))) {
    SEMA_ERROR(cx, call->span, bad_operands, DS(call->name), NT(cx, a->type),
               NT(cx, b->type));
    return false;
  }
  if (depth != tile_engine_extent(b, 0)) {
    SEMA_ERROR(cx, call->span, tile_product, DS(call->name), NT(cx, a->type),
               NT(cx, b->type), DU(depth), DU(tile_engine_extent(b, 0)));
    return false;
  }
  if (a->is_turned && type_bits(x) != 16)
    problem =
        "only elements of 16 bits are read transposed as the left operand";
  else if (rows != TENSOR_LANES)
    problem = sema_format(cx, "%u rows: it makes 128", rows);
  else if (columns % TENSOR_STEP_N != 0 || columns > TENSOR_MOST_N)
    problem = sema_format(cx, "%u columns: it makes multiples of 16 up to 256",
                          columns);
  else if (columns != sums->u.tile.extents[1])
    problem = sema_format(cx, "%u columns, but the section has %u", columns,
                          sums->u.tile.extents[1]);
  else if (depth % step != 0)
    problem = sema_format(cx,
                          "rows of %u elements '%s': it multiplies multiples "
                          "of %u",
                          depth, sema_type_name(cx, x), step);
  return !problem || tile_engine_refuse(call, call->span, problem);
}

static TExpr *tensor_accumulates(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  if (call->args->count < 4)
    return build_int(cx, sema_basic(cx, TY_BOOL), 1, call->span);
  TExpr *value = check_condition(cx, call->args->data[3]);
  if (expr_is_poison(value))
    return NULL;
  if (is_tile(value)) {
    (void)builtin_refuse_type(call, 3, value->type, "one condition");
    return NULL;
  }
  return build_convert(cx, value, sema_basic(cx, TY_BOOL));
}

static bool tensor_is_matrix(const BuiltinCall *call, uint32_t i,
                             const EngineOperand *operand) {
  if (operand->type->kind == TY_TILE && operand->type->u.tile.rank == 2)
    return true;
  return tile_engine_refuse(
      call, call->args->data[i]->span,
      sema_format(call->cx, "argument %u is '%s': it needs two dimensions",
                  i + 1, sema_type_name(call->cx, operand->type)));
}

TExpr *tile_rule_tensor_mma(const BuiltinCall *call) {
  EngineOperand a, b;
  if (!builtin_takes(call, 3, 4))
    return tensor_poison(call);
  TExpr *place = tensor_place(call, 0);
  if (!place || !tile_engine_take(call, 1, false, &a) ||
      !tile_engine_take(call, 2, false, &b) || !tensor_is_matrix(call, 1, &a) ||
      !tensor_is_matrix(call, 2, &b) ||
      !tensor_check_product(call, place->type, &a, &b))
    return tensor_poison(call);
  TExpr *args[] = {place, a.value, b.value, tensor_accumulates(call)};
  if (!args[3])
    return tensor_poison(call);
  TTileArgs tile = {0};
  tile_engine_numbers(&a, &b, &tile);
  return tile_build(call, sema_basic(call->cx, TY_VOID), args, 4, &tile);
}

// --- tcgen05_ld(s), tcgen05_st(s, t), tcgen05_cp(s, shared) ---

TExpr *tile_rule_tensor_ld(const BuiltinCall *call) {
  if (!builtin_takes(call, 1, 1))
    return tensor_poison(call);
  TExpr *place = tensor_place(call, 0);
  return place ? tile_build(call, place->type, &place, 1, NULL)
               : tensor_poison(call);
}

TExpr *tile_rule_tensor_st(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  if (!builtin_takes(call, 2, 2))
    return tensor_poison(call);
  TExpr *args[2] = {tensor_place(call, 0)};
  if (!args[0])
    return tensor_poison(call);
  TExpr *value = check_value(cx, call->args->data[1]);
  if (expr_is_poison(value))
    return tensor_poison(call);
  args[1] = convert_assign(cx, value, args[0]->type,
                           sema_format(cx, "argument 2 of '%s'", call->name));
  return expr_is_poison(args[1])
             ? tensor_poison(call)
             : tile_build(call, sema_basic(cx, TY_VOID), args, 2, NULL);
}

TExpr *tile_rule_tensor_cp(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  EngineOperand from;
  if (!builtin_takes(call, 2, 2))
    return tensor_poison(call);
  TExpr *place = tensor_place(call, 0);
  if (!place || !tile_engine_take(call, 1, false, &from) ||
      !tensor_is_matrix(call, 1, &from))
    return tensor_poison(call);
  const Type *to = place->type;
  const char *problem = NULL;
  if (from.is_turned)
    problem = "it doesn't transpose";
  else if (from.type != to)
    problem =
        sema_format(cx, "'%s' is no copy of '%s'",
                    sema_type_name(cx, from.type), sema_type_name(cx, to));
  else if (to->u.tile.extents[1] % TENSOR_STEP_CP != 0)
    problem = sema_format(cx, "%u columns: it copies multiples of 8",
                          to->u.tile.extents[1]);
  if (problem) {
    tile_engine_refuse(call, call->span, problem);
    return tensor_poison(call);
  }
  TExpr *args[] = {place, from.value};
  return tile_build(call, sema_basic(cx, TY_VOID), args, 2, NULL);
}
