// SPDX-License-Identifier: Apache-2.0
#include "sema/context.h"

#include "base/panic.h"
#include "sema/type/constants.h"

// C17 6.4.4.1: the first type of the list that holds the value. Only literals
// that are not decimal, or say so, may become unsigned.
static TExpr *check_int(SemaContext *cx, const Expr *expr) {
  static const TypeKind types[] = {TY_INT,   TY_UINT,  TY_LONG,
                                   TY_ULONG, TY_LLONG, TY_ULLONG};
  uint64_t value = expr->u.int_lit.value;
  bool may_be_unsigned =
      expr->u.int_lit.is_unsigned || expr->u.int_lit.base != 10;
  for (uint32_t i = 2u * expr->u.int_lit.n_longs; i < 6; i++) {
    const Type *type = sema_basic(cx, types[i]);
    bool is_unsigned = !type_is_signed(type);
    if (is_unsigned ? !may_be_unsigned : expr->u.int_lit.is_unsigned)
      continue;
    uint32_t bits = type_bits(type) - !is_unsigned;
    if (bits < 64 && value >> bits)
      continue;
    TValue held = {.u = value};
    return build_const(cx, type, held, expr->span);
  }
  HD_PANIC("the parser let an integer through that no type holds");
}

static TExpr *check_float(SemaContext *cx, const Expr *expr) {
  FloatSuffix suffix = expr->u.float_lit.suffix;
  if (suffix == FLOAT_SUFFIX_L) {
    SEMA_ERROR(cx, expr->span, not_in_kernels, DS("'long double'"),
               DS("use double"));
    return build_poison(cx, expr->span);
  }
  TypeKind kind = TY_DOUBLE;
  if (suffix == FLOAT_SUFFIX_F)
    kind = TY_FLOAT;
  else if (suffix == FLOAT_SUFFIX_F16)
    kind = TY_HALF;
  else if (suffix == FLOAT_SUFFIX_BF16)
    kind = TY_BFLOAT16;
  const Type *type = sema_basic(cx, kind);
  TValue value = {.f = value_round(type, expr->u.float_lit.value)};
  return build_const(cx, type, value, expr->span);
}

static TExpr *check_char(SemaContext *cx, const Expr *expr) {
  static const TypeKind types[] = {
      [LITERAL_PREFIX_NONE] = TY_INT,   [LITERAL_PREFIX_U8] = TY_UCHAR,
      [LITERAL_PREFIX_U16] = TY_USHORT, [LITERAL_PREFIX_U32] = TY_UINT,
      [LITERAL_PREFIX_WIDE] = TY_INT,
  };
  const Type *type = sema_basic(cx, types[expr->u.char_lit.prefix]);
  TValue value = {.i = (int32_t)expr->u.char_lit.value};
  value = value_convert(type, sema_basic(cx, TY_LONG), value, NULL);
  return build_const(cx, type, value, expr->span);
}

// Only sizeof may look at a string as an array.
TExpr *check_string_size(SemaContext *cx, const Expr *expr) {
  const Type *type = type_array(cx->types, sema_basic(cx, TY_CHAR),
                                (int64_t)expr->u.string_lit.length + 1);
  return build_expr(cx, TEXPR_AGGREGATE, type, expr->span);
}

TExpr *check_literal(SemaContext *cx, const Expr *expr) {
  if (expr->kind == EXPR_INT)
    return check_int(cx, expr);
  if (expr->kind == EXPR_FLOAT)
    return check_float(cx, expr);
  if (expr->kind == EXPR_CHAR)
    return check_char(cx, expr);
  if (expr->kind == EXPR_BOOL)
    return build_int(cx, sema_basic(cx, TY_BOOL), expr->u.bool_value,
                     expr->span);
  SEMA_ERROR(cx, expr->span, not_in_kernels, DS("a string as a value"),
             DS("strings are for printf and to initialise arrays of char"));
  return build_poison(cx, expr->span);
}

// --- what must be constant ---

// A parameter of the kernel where a constant must stand.
static void note_parameter(SemaContext *cx, Diag *diag, const Expr *expr) {
  Symbol *symbol =
      expr->kind == EXPR_NAME ? sema_scope_find(cx, expr->u.name) : NULL;
  if (!symbol || symbol->kind != SYMBOL_VAR ||
      symbol->var->kind != TVAR_PARAM ||
      (cx->options.policy & SEMA_NO_SPELLINGS))
    return;
  diag_note(cx->diags, diag, (Place){0},
            "'%s' is known only at the launch: declare it 'constexpr %s %s' to "
            "fix it when the kernel is specialised",
            expr->u.name, sema_type_name(cx, symbol->var->type), expr->u.name);
}

static TExpr *check_const(SemaContext *cx, const Expr *expr, const char *what) {
  TExpr *value = check_value(cx, expr);
  if (expr_is_poison(value) || expr_is_const(value))
    return value;
  Diag *diag = SEMA_ERROR(cx, expr->span, not_constant, DS(what));
  note_parameter(cx, diag, expr);
  return build_poison(cx, expr->span);
}

bool check_const_int(SemaContext *cx, const Expr *expr, const char *what,
                     int64_t *out) {
  TExpr *value = check_const(cx, expr, what);
  if (expr_is_poison(value))
    return false;
  if (!type_is_integer(value->type)) {
    SEMA_ERROR(cx, expr->span, bad_type, DS(what), NT(cx, value->type));
    return false;
  }
  *out = value->u.value.i;
  if (!type_is_signed(value->type) && value->u.value.i < 0)
    *out = INT64_MAX;
  return true;
}

TExpr *check_const_value(SemaContext *cx, const Expr *expr, const Type *type,
                         const char *what) {
  TExpr *value = check_const(cx, expr, what);
  return convert_assign(cx, value, type, what);
}

TExpr *check_long(SemaContext *cx, const Expr *expr, const char *what) {
  TExpr *value = check_value(cx, expr);
  if (expr_is_poison(value))
    return value;
  if (!type_is_integer(value->type)) {
    SEMA_ERROR(cx, expr->span, bad_type, DS(what), NT(cx, value->type));
    return build_poison(cx, expr->span);
  }
  return build_convert(cx, value, sema_basic(cx, TY_LONG));
}

// Exact on the host: in 64 bits, whatever the types of the parameters are.
TExpr *check_host_long(SemaContext *cx, const Expr *expr, const char *what) {
  bool outer = cx->in_clause;
  cx->in_clause = true;
  TExpr *value = check_long(cx, expr, what);
  cx->in_clause = outer;
  if (expr_is_poison(value) || value->is_host)
    return value;
  SEMA_ERROR(cx, expr->span, host_expression, DS(what));
  return build_poison(cx, expr->span);
}
