// SPDX-License-Identifier: Apache-2.0
// What an expression is, from the declarations around it: types as C's rules
// have them, and whether values can be negative.
#include "convert/convert_tidy.h"

#include "cuda/form/cu_walk.h"

#include <string.h>

// ------------------------------------------------------------- recognising

const char *tidy_callee(const Expr *expr) {
  bool is_named =
      expr && expr->kind == EXPR_CALL && expr->u.call.callee->kind == EXPR_NAME;
  return is_named ? expr->u.call.callee->u.name : "";
}

bool tidy_is_call_of(const Expr *expr, const char *name) {
  return strcmp(tidy_callee(expr), name) == 0;
}

bool tidy_is_declared(const Tidy *tidy, const char *name) {
  const DeclList *decls = &tidy->unit->decls;
  for (uint32_t i = 0; i < decls->count; i++)
    if (decls->data[i]->name && strcmp(decls->data[i]->name, name) == 0)
      return true;
  return false;
}

static bool tidy_types_is_one_of(const char *name, const char *const *names,
                                 size_t n) {
  for (size_t i = 0; i < n; i++)
    if (strcmp(names[i], name) == 0)
      return true;
  return false;
}

#define IS_ONE_OF(name, names)                                                 \
  tidy_types_is_one_of((name), (names), sizeof(names) / sizeof(*(names)))

static bool tidy_types_is_of_grid(const Expr *expr) {
  const ExprList *args = &expr->u.call.args;
  return args->count > 0 && tidy_is_call_of(args->data[0], "this_grid");
}

bool tidy_is_position(const Expr *expr) {
  static const char *const vectors[] = {"thread_index", "block_index",
                                        "block_dim", "grid_dim"};
  static const char *const numbers[] = {"rank", "size", "meta_rank",
                                        "meta_size"};
  if (expr->kind == EXPR_MEMBER)
    return IS_ONE_OF(tidy_callee(expr->u.member.base), vectors);
  return expr->kind == EXPR_CALL && IS_ONE_OF(tidy_callee(expr), numbers);
}

bool tidy_is_last(const Expr *expr) {
  static const char *const sizes[] = {"block_dim", "grid_dim", "size",
                                      "meta_size"};
  if (expr->kind != EXPR_BINARY || expr->u.binary.op != BINARY_SUB)
    return false;
  const Expr *left = expr->u.binary.left, *right = expr->u.binary.right;
  if (left->kind == EXPR_CAST)
    left = left->u.cast.operand;
  return tidy_is_position(left) && right->kind == EXPR_INT &&
         right->u.int_lit.value <= 1 &&
         IS_ONE_OF(tidy_callee(left->kind == EXPR_MEMBER ? left->u.member.base
                                                         : left),
                   sizes);
}

int tidy_builtin(const TypeSyntax *type) {
  if (type && type->kind == TYPE_BUILTIN)
    return (int)type->u.builtin;
  if (type && type->kind == TYPE_NAMED && strcmp(type->u.named, "size_t") == 0)
    return BUILTIN_ULONG;
  return -1;
}

// ------------------------------------------------------------------- types

static const TidyVar *find_var(const Tidy *tidy, const char *name) {
  const TidyVar *var = map_get(&tidy->locals, MAP_KEY(name));
  return var ? var : map_get(&tidy->globals, MAP_KEY(name));
}

static const TypeSyntax *element_type(const TypeSyntax *type) {
  if (type && type->kind == TYPE_POINTER)
    return type->u.pointer.pointee;
  return type && type->kind == TYPE_ARRAY ? type->u.array.element : NULL;
}

// NULL: not known.
static const TypeSyntax *place_type(const Tidy *tidy, const Expr *expr) {
  const TypeSyntax *type;
  switch ((int)expr->kind) {
  case EXPR_NAME: {
    const TidyVar *var = find_var(tidy, expr->u.name);
    return var ? var->type : NULL;
  }
  case EXPR_INDEX:
    type = place_type(tidy, expr->u.index.base);
    for (uint32_t i = 0; i < expr->u.index.n_subscripts; i++)
      type = element_type(type);
    return type;
  case EXPR_UNARY:
    return expr->u.unary.op == UNARY_DEREF
               ? element_type(place_type(tidy, expr->u.unary.operand))
               : NULL;
  default: return NULL;
  }
}

bool tidy_is_pointer(const Tidy *tidy, const Expr *expr) {
  const TypeSyntax *type = place_type(tidy, expr);
  return type && element_type(type);
}

static int promoted(int type) {
  return type >= BUILTIN_BOOL && type < BUILTIN_INT ? BUILTIN_INT : type;
}

// C17 6.3.1.8. The builtins stand in the order of their ranks.
static int common_type(int a, int b) {
  a = promoted(a);
  b = promoted(b);
  if (a < BUILTIN_INT || b < BUILTIN_INT)
    return -1;
  return a > b ? a : b;
}

static int literal_type(const Expr *expr) {
  uint64_t value = expr->u.int_lit.value;
  bool is_unsigned = expr->u.int_lit.is_unsigned;
  if (expr->u.int_lit.n_longs > 0)
    return BUILTIN_LONG + 2 * (expr->u.int_lit.n_longs - 1) + is_unsigned;
  if (value > UINT32_MAX ||
      (value > INT32_MAX && !is_unsigned && expr->u.int_lit.base == 10))
    return is_unsigned ? BUILTIN_ULONG : BUILTIN_LONG;
  return is_unsigned || value > INT32_MAX ? BUILTIN_UINT : BUILTIN_INT;
}

static int binary_type(const Tidy *tidy, const Expr *expr) {
  BinaryOp op = expr->u.binary.op;
  if (op >= BINARY_LT && op != BINARY_BIT_AND && op != BINARY_BIT_XOR &&
      op != BINARY_BIT_OR)
    return BUILTIN_INT;
  int left = tidy_type(tidy, expr->u.binary.left);
  if (op == BINARY_SHL || op == BINARY_SHR)
    return promoted(left);
  return common_type(left, tidy_type(tidy, expr->u.binary.right));
}

static int float_type(const Expr *expr) {
  return expr->u.float_lit.suffix == FLOAT_SUFFIX_NONE ? BUILTIN_DOUBLE
         : expr->u.float_lit.suffix == FLOAT_SUFFIX_F  ? BUILTIN_FLOAT
                                                       : -1;
}

static int call_type(const Tidy *tidy, const Expr *expr) {
  static const char *const of_32_bits[] = {"ballot", "match_any", "match_all"};
  static const char *const of_int[] = {"popcount", "clz", "ctz", "count"};
  const Decl *function = map_get(&tidy->functions, MAP_KEY(tidy_callee(expr)));
  if (function)
    return tidy_builtin(function->type->u.function.result);
  if (tidy_is_position(expr))
    return tidy_types_is_of_grid(expr) ? BUILTIN_LONG : BUILTIN_INT;
  if (IS_ONE_OF(tidy_callee(expr), of_32_bits))
    return BUILTIN_UINT;
  return IS_ONE_OF(tidy_callee(expr), of_int) ? BUILTIN_INT : -1;
}

int tidy_type(const Tidy *tidy, const Expr *expr) {
  switch ((int)expr->kind) {
  case EXPR_INT: return literal_type(expr);
  case EXPR_FLOAT: return float_type(expr);
  case EXPR_BOOL: return BUILTIN_BOOL;
  case EXPR_NAME:
  case EXPR_INDEX: return tidy_builtin(place_type(tidy, expr));
  case EXPR_BINARY: return binary_type(tidy, expr);
  case EXPR_UNARY:
    if (expr->u.unary.op == UNARY_DEREF)
      return tidy_builtin(place_type(tidy, expr));
    if (expr->u.unary.op == UNARY_NOT)
      return BUILTIN_INT;
    if (expr->u.unary.op == UNARY_ADDRESS)
      return -1;
    return expr->u.unary.op <= UNARY_BIT_NOT
               ? promoted(tidy_type(tidy, expr->u.unary.operand))
               : tidy_type(tidy, expr->u.unary.operand);
  case EXPR_CAST: return tidy_builtin(expr->u.cast.type);
  case EXPR_CALL: return call_type(tidy, expr);
  case EXPR_MEMBER: return tidy_is_position(expr) ? BUILTIN_INT : -1;
  case EXPR_CONDITIONAL:
    return common_type(tidy_type(tidy, expr->u.conditional.if_true),
                       tidy_type(tidy, expr->u.conditional.if_false));
  case EXPR_SIZEOF_EXPR:
  case EXPR_SIZEOF_TYPE: return BUILTIN_ULONG;
  default: return -1;
  }
}

// ----------------------------------------------------------- never negative

static bool is_unsigned(int type) {
  return type == BUILTIN_BOOL || type == BUILTIN_UCHAR ||
         type == BUILTIN_USHORT || type == BUILTIN_UINT ||
         type == BUILTIN_ULONG || type == BUILTIN_ULLONG;
}

static bool is_natural_binary(const Tidy *tidy, const Expr *expr) {
  const Expr *left = expr->u.binary.left, *right = expr->u.binary.right;
  switch ((int)expr->u.binary.op) {
  case BINARY_MUL:
  case BINARY_ADD:
  case BINARY_DIV:
  case BINARY_BIT_OR:
  case BINARY_BIT_XOR:
    return tidy_is_natural(tidy, left) && tidy_is_natural(tidy, right);
  case BINARY_REM:
  case BINARY_SHL:
  case BINARY_SHR: return tidy_is_natural(tidy, left);
  case BINARY_BIT_AND:
    return tidy_is_natural(tidy, left) || tidy_is_natural(tidy, right);
  case BINARY_SUB: return tidy_is_last(expr);
  default: return true;
  }
}

bool tidy_is_natural(const Tidy *tidy, const Expr *expr) {
  if (is_unsigned(tidy_type(tidy, expr)) || tidy_is_position(expr))
    return true;
  switch ((int)expr->kind) {
  case EXPR_INT: return true;
  case EXPR_NAME: {
    const TidyVar *var = find_var(tidy, expr->u.name);
    return !var || !var->may_be_negative; // an enumerator, a constant
  }
  case EXPR_BINARY: return is_natural_binary(tidy, expr);
  case EXPR_CAST: return tidy_is_natural(tidy, expr->u.cast.operand);
  case EXPR_UNARY: return expr->u.unary.op == UNARY_NOT;
  case EXPR_CONDITIONAL:
    return tidy_is_natural(tidy, expr->u.conditional.if_true) &&
           tidy_is_natural(tidy, expr->u.conditional.if_false);
  case EXPR_CALL:
    return tidy_is_call_of(expr, "popcount") || tidy_is_call_of(expr, "count");
  default: return false;
  }
}

// -------------------------------------------------------------- collecting

typedef struct {
  CuWalk walk;
  Tidy *tidy;
  bool has_changed;
} Collector;

static void tidy_types_declare(Tidy *tidy, Map *map, const Decl *decl) {
  if (!decl->name || !decl->type)
    return;
  TidyVar *var = map_get(map, MAP_KEY(decl->name));
  if (var) {
    if (tidy_builtin(var->type) != tidy_builtin(decl->type))
      var->type = NULL;
    return;
  }
  var = ARENA_NEW(tidy->arena, TidyVar);
  *var = (TidyVar){.name = decl->name, .type = decl->type};
  map_put(tidy->arena, map, MAP_KEY(decl->name), var);
}

static void note_local(CuWalk *walk, const Decl *decl) {
  Tidy *tidy = ((Collector *)walk)->tidy;
  if (decl->kind == DECL_VAR)
    tidy_types_declare(tidy, &tidy->locals, decl);
}

static void note_negative(Collector *cx, const Expr *place) {
  TidyVar *var = place->kind == EXPR_NAME
                     ? map_get(&cx->tidy->locals, MAP_KEY(place->u.name))
                     : NULL;
  if (!var || var->may_be_negative)
    return;
  var->may_be_negative = true;
  cx->has_changed = true;
}

static void note_init(CuWalk *walk, const Decl *decl) {
  Collector *cx = (Collector *)walk;
  const Expr *init = decl->kind == DECL_VAR ? decl->u.var.init : NULL;
  TidyVar *var = init ? map_get(&cx->tidy->locals, MAP_KEY(decl->name)) : NULL;
  if (!var || var->may_be_negative || tidy_is_natural(cx->tidy, init))
    return;
  var->may_be_negative = true;
  cx->has_changed = true;
}

static void note_change(CuWalk *walk, const Expr *expr) {
  Collector *cx = (Collector *)walk;
  if (expr->kind == EXPR_ASSIGN) {
    bool is_less =
        expr->u.assign.is_compound && expr->u.assign.op == BINARY_SUB;
    if (is_less || !tidy_is_natural(cx->tidy, expr->u.assign.right))
      note_negative(cx, expr->u.assign.left);
  } else if (expr->kind == EXPR_UNARY && (expr->u.unary.op == UNARY_PRE_DEC ||
                                          expr->u.unary.op == UNARY_POST_DEC ||
                                          expr->u.unary.op == UNARY_ADDRESS)) {
    note_negative(cx, expr->u.unary.operand);
  }
}

void tidy_enter(Tidy *tidy, const Decl *function) {
  const DeclList *params = &function->type->u.function.params;
  Collector names = {.walk = {.on_decl = note_local}, .tidy = tidy};
  Collector signs = {.walk = {.on_decl = note_init, .on_expr = note_change},
                     .tidy = tidy};
  tidy->within = function;
  tidy->locals = (Map){0};
  for (uint32_t i = 0; i < params->count; i++)
    tidy_types_declare(tidy, &tidy->locals, params->data[i]);
  cu_walk_stmt(&names.walk, function->u.function.body);
  do {
    signs.has_changed = false;
    cu_walk_stmt(&signs.walk, function->u.function.body);
  } while (signs.has_changed);
}

void tidy_start(Tidy *tidy, Arena *arena, Interner *names, AstUnit *unit) {
  *tidy = (Tidy){.arena = arena, .names = names, .unit = unit};
  for (uint32_t i = 0; i < unit->decls.count; i++) {
    Decl *decl = unit->decls.data[i];
    if (decl->kind == DECL_FUNCTION && decl->name)
      map_put(arena, &tidy->functions, MAP_KEY(decl->name), decl);
    if (decl->kind != DECL_VAR)
      continue;
    tidy_types_declare(tidy, &tidy->globals, decl);
    TidyVar *var = map_get(&tidy->globals, MAP_KEY(decl->name));
    if (var && !(decl->storage & STORAGE_CONSTEXPR))
      var->may_be_negative = true;
  }
}
