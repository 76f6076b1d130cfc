// SPDX-License-Identifier: Apache-2.0
#include "cuda/form/cu_tree.h"

#include "cuda/form/cu_names.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_space.h"
#include "syntax/limits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- expressions

Expr *cu_new_expr(CuContext *cu, ExprKind kind, Span span) {
  Expr *expr = ARENA_NEW(cu->arena, Expr);
  expr->kind = kind;
  expr->id = ++cu->output.unit->n_nodes;
  expr->span = span;
  expr->operator_span = span;
  expr->depth = 1;
  return expr;
}

Expr *cu_poison_expr(CuContext *cu, Span span) {
  return cu_new_expr(cu, EXPR_POISON, span);
}

// Substitution makes trees that nobody wrote, so they are bounded here again.
static void deepen(CuContext *cu, Expr *expr, const Expr *operand) {
  if (operand && expr->depth <= operand->depth)
    expr->depth = (uint16_t)(operand->depth + 1);
  if (expr->depth > SYNTAX_MAX_EXPR_DEPTH) {
    CU_ERROR(cu, expr->span, expr_too_deep, DU(SYNTAX_MAX_EXPR_DEPTH));
    expr->kind = EXPR_POISON;
    expr->depth = 1;
  }
}

static Expr *int_literal(CuContext *cu, CuTypeKind kind, uint64_t value,
                         Span span) {
  Expr *expr = cu_new_expr(cu, EXPR_INT, span);
  expr->u.int_lit.value = value;
  expr->u.int_lit.base = 10;
  expr->u.int_lit.is_unsigned =
      kind == CU_UINT || kind == CU_ULONG || kind == CU_ULLONG;
  if (kind == CU_LONG || kind == CU_ULONG)
    expr->u.int_lit.n_longs = 1;
  else if (kind == CU_LLONG || kind == CU_ULLONG)
    expr->u.int_lit.n_longs = 2;
  return expr;
}

Expr *cu_bool_expr(CuContext *cu, bool value, Span span) {
  Expr *expr = cu_new_expr(cu, EXPR_BOOL, span);
  expr->u.bool_value = value;
  return expr;
}

// The least value of a signed type has no literal: -9 - 1 for -10.
static Expr *negative_literal(CuContext *cu, CuTypeKind kind, int64_t value,
                              Span span) {
  bool is_least = value == INT64_MIN || (kind == CU_INT && value == INT32_MIN);
  uint64_t size = 0 - (uint64_t)value - (is_least ? 1 : 0);
  Expr *minus =
      cu_unary(cu, UNARY_MINUS, int_literal(cu, kind, size, span), span);
  if (!is_least)
    return minus;
  return cu_binary(cu, BINARY_SUB, minus, int_literal(cu, kind, 1, span), span);
}

Expr *cu_int_expr(CuContext *cu, const CuType *type, int64_t value, Span span) {
  const CuType *plain = cu_plain(type);
  if (plain->kind == CU_BOOL)
    return cu_bool_expr(cu, value != 0, span);
  bool is_small = plain->kind < CU_INT || plain->kind == CU_ENUM;
  CuTypeKind kind = is_small ? CU_INT : plain->kind;
  Expr *literal = value < 0 && (is_small || cu_is_signed(plain))
                      ? negative_literal(cu, kind, value, span)
                      : int_literal(cu, kind, (uint64_t)value, span);
  return is_small ? cu_cast(cu, type, literal, span) : literal;
}

static const FloatSuffix suffixes[] = {[CU_HALF] = FLOAT_SUFFIX_F16,
                                       [CU_FLOAT] = FLOAT_SUFFIX_F,
                                       [CU_DOUBLE] = FLOAT_SUFFIX_NONE};

// As few as give the value again, with a point or an exponent.
static const char *tree_digits_of(CuContext *cu, const CuType *type,
                                  double value) {
  bool is_double = cu_plain(type)->kind == CU_DOUBLE;
  char digits[40];
  for (int n = 1; n <= 17; n++) {
    snprintf(digits, sizeof digits, "%.*g", n, value);
    double back = strtod(digits, NULL);
    if (back == value || (!is_double && (double)(float)back == value))
      break;
  }
  return cu_format(cu, "%s%s", digits, strpbrk(digits, ".e") ? "" : ".0");
}

Expr *cu_int_literal(CuContext *cu, int64_t value, Span span) {
  return cu_int_expr(cu, cu_basic(&cu->types, CU_INT), value, span);
}

Expr *cu_float_expr(CuContext *cu, const CuType *type, double value,
                    Span span) {
  if (signbit(value))
    return cu_unary(cu, UNARY_MINUS, cu_float_expr(cu, type, -value, span),
                    span);
  if (!isfinite(value)) // no literal has this value
    return cu_binary(cu, BINARY_DIV,
                     cu_float_expr(cu, type, isnan(value) ? 0 : 1, span),
                     cu_float_expr(cu, type, 0, span), span);
  Expr *expr = cu_new_expr(cu, EXPR_FLOAT, span);
  expr->u.float_lit.value = value;
  expr->u.float_lit.digits = tree_digits_of(cu, type, value);
  expr->u.float_lit.suffix = suffixes[cu_plain(type)->kind];
  return expr;
}

Expr *cu_name_expr(CuContext *cu, CuName *name, Span span) {
  Expr *expr = cu_new_expr(cu, EXPR_NAME, span);
  expr->u.name = name->wanted;
  cu_name_spelled(cu, name, &expr->u.name);
  map_put(cu->arena, &cu->output.named, MAP_KEY(expr), name);
  return expr;
}

Expr *cu_word_expr(CuContext *cu, const char *word, Span span) {
  Expr *expr = cu_new_expr(cu, EXPR_NAME, span);
  expr->u.name = intern_cstr(cu->names, word);
  map_put(cu->arena, &cu->output.builtins, MAP_KEY(expr->u.name), cu);
  return expr;
}

Expr *cu_unary(CuContext *cu, UnaryOp op, Expr *operand, Span span) {
  Expr *expr = cu_new_expr(cu, EXPR_UNARY, span);
  expr->u.unary.op = op;
  expr->u.unary.operand = operand;
  deepen(cu, expr, operand);
  return expr;
}

Expr *cu_binary(CuContext *cu, BinaryOp op, Expr *left, Expr *right,
                Span span) {
  Expr *expr = cu_new_expr(cu, EXPR_BINARY, span);
  expr->u.binary.op = op;
  expr->u.binary.left = left;
  expr->u.binary.right = right;
  deepen(cu, expr, left);
  deepen(cu, expr, right);
  return expr;
}

static Expr *tree_assign(CuContext *cu, Expr *left, Expr *right, Span span) {
  Expr *expr = cu_new_expr(cu, EXPR_ASSIGN, span);
  expr->u.assign.left = left;
  expr->u.assign.right = right;
  deepen(cu, expr, left);
  deepen(cu, expr, right);
  return expr;
}

Expr *cu_assign(CuContext *cu, Expr *left, Expr *right, Span span) {
  return tree_assign(cu, left, right, span);
}

Expr *cu_compound_assign(CuContext *cu, BinaryOp op, Expr *left, Expr *right,
                         Span span) {
  Expr *expr = tree_assign(cu, left, right, span);
  if (expr->kind == EXPR_ASSIGN) {
    expr->u.assign.is_compound = true;
    expr->u.assign.op = op;
  }
  return expr;
}

Expr *cu_comma(CuContext *cu, Expr *first, Expr *second, Span span) {
  Expr *expr = cu_new_expr(cu, EXPR_COMMA, span);
  expr->u.list.data = ARENA_ARRAY(cu->arena, Expr *, 2);
  expr->u.list.data[0] = first;
  expr->u.list.data[1] = second;
  expr->u.list.count = 2;
  deepen(cu, expr, first);
  deepen(cu, expr, second);
  return expr;
}

Expr *cu_cast(CuContext *cu, const CuType *type, Expr *operand, Span span) {
  Expr *expr = cu_new_expr(cu, EXPR_CAST, span);
  expr->u.cast.type = cu_emit_type(cu, cu_plain(type), span);
  expr->u.cast.operand = operand;
  deepen(cu, expr, operand);
  return expr;
}

Expr *cu_member(CuContext *cu, Expr *base, const char *name, Span span) {
  if (base->kind == EXPR_COMMA && base->u.list.count == 2) // (f(), x).m
    return cu_comma(cu, base->u.list.data[0],
                    cu_member(cu, base->u.list.data[1], name, span), span);
  Expr *expr = cu_new_expr(cu, EXPR_MEMBER, span);
  bool is_deref = base->kind == EXPR_UNARY && base->u.unary.op == UNARY_DEREF;
  expr->u.member.base = is_deref ? base->u.unary.operand : base;
  expr->u.member.is_arrow = is_deref;
  expr->u.member.name = name;
  expr->u.member.name_span = span;
  deepen(cu, expr, base);
  return expr;
}

Expr *cu_subscript(CuContext *cu, Expr *base, Expr *index, bool joins,
                   Span span) {
  Expr *expr = cu_new_expr(cu, EXPR_INDEX, span);
  uint32_t n =
      joins && base->kind == EXPR_INDEX ? base->u.index.n_subscripts : 0;
  Subscript *subscripts = ARENA_ARRAY(cu->arena, Subscript, n + 1);
  for (uint32_t i = 0; i < n; i++)
    subscripts[i] = base->u.index.subscripts[i];
  Span brackets = index->span;
  if (span.end > brackets.end)
    brackets.end = span.end;
  subscripts[n] = (Subscript){.span = brackets, .index = index};
  expr->u.index.base = n ? base->u.index.base : base;
  expr->u.index.subscripts = subscripts;
  expr->u.index.n_subscripts = n + 1;
  deepen(cu, expr, base);
  deepen(cu, expr, index);
  return expr;
}

Expr *cu_call(CuContext *cu, Expr *callee, Expr **args, uint32_t n_args,
              Span span) {
  Expr *expr = cu_new_expr(cu, EXPR_CALL, span);
  expr->u.call.callee = callee;
  expr->u.call.args.data = args;
  expr->u.call.args.count = n_args;
  expr->u.call.parens = span;
  for (uint32_t i = 0; i < n_args; i++)
    deepen(cu, expr, args[i]);
  return expr;
}

Expr *cu_word_call(CuContext *cu, const char *word, Expr *a, Expr *b,
                   Span span) {
  Expr **args = ARENA_ARRAY(cu->arena, Expr *, 2);
  args[0] = a;
  args[1] = b;
  uint32_t n_args = b ? 2 : a ? 1 : 0;
  return cu_call(cu, cu_word_expr(cu, word, span), args, n_args, span);
}

bool cu_is_call_of(const Expr *expr, const char *word) {
  return expr->kind == EXPR_CALL && expr->u.call.callee->kind == EXPR_NAME &&
         strcmp(expr->u.call.callee->u.name, word) == 0;
}

static bool is_unary(const Expr *expr, UnaryOp op) {
  return expr->kind == EXPR_UNARY && expr->u.unary.op == op;
}

Expr *cu_deref(CuContext *cu, Expr *pointer, Span span) {
  if (pointer->kind == EXPR_COMMA && pointer->u.list.count == 2)
    return cu_comma(cu, pointer->u.list.data[0],
                    cu_deref(cu, pointer->u.list.data[1], span), span);
  if (is_unary(pointer, UNARY_ADDRESS))
    return pointer->u.unary.operand;
  return cu_unary(cu, UNARY_DEREF, pointer, span);
}

// &(c ? a : b): C has that only the other way round.
static Expr *address_of_choice(CuContext *cu, Expr *place, Span span) {
  Expr *made = cu_new_expr(cu, EXPR_CONDITIONAL, span);
  made->operator_span = place->operator_span;
  made->depth = (uint16_t)(place->depth + 1);
  made->u.conditional.condition = place->u.conditional.condition;
  made->u.conditional.if_true =
      cu_address(cu, place->u.conditional.if_true, span);
  made->u.conditional.if_false =
      cu_address(cu, place->u.conditional.if_false, span);
  const CuType *type = map_get(&cu->notes.choices, MAP_KEY(place));
  if (type)
    cu_join_spaces(cu, cu_pointer(&cu->types, type), span,
                   &made->u.conditional.if_true, &made->u.conditional.if_false);
  return made;
}

Expr *cu_address(CuContext *cu, Expr *place, Span span) {
  if (place->kind == EXPR_CONDITIONAL)
    return address_of_choice(cu, place, span);
  bool steps =
      place->kind == EXPR_UNARY && (place->u.unary.op == UNARY_PRE_INC ||
                                    place->u.unary.op == UNARY_PRE_DEC);
  if (place->kind == EXPR_ASSIGN || steps) { // &(a = b), &++a
    Expr *left = steps ? place->u.unary.operand : place->u.assign.left;
    return cu_comma(cu, place,
                    cu_address(cu, cu_clone(cu, left, (Span){0, 0}), span),
                    span);
  }
  if (place->kind == EXPR_COMMA && place->u.list.count == 2) // &(f(), x)
    return cu_comma(cu, place->u.list.data[0],
                    cu_address(cu, place->u.list.data[1], span), span);
  if (is_unary(place, UNARY_DEREF))
    return place->u.unary.operand;
  return cu_unary(cu, UNARY_ADDRESS, place, span);
}

Expr *cu_list_expr(CuContext *cu, const CuExprVec *values, Span span) {
  Expr *expr = cu_new_expr(cu, EXPR_INIT_LIST, span);
  expr->u.init_list.items = ARENA_ARRAY(cu->arena, InitItem, values->count + 1);
  expr->u.init_list.n_items = values->count;
  for (uint32_t i = 0; i < values->count; i++) {
    expr->u.init_list.items[i].value = values->data[i];
    deepen(cu, expr, values->data[i]);
  }
  return expr;
}

Expr *cu_compound_literal(CuContext *cu, const CuType *type, Expr *list,
                          Span span) {
  Expr *expr = cu_new_expr(cu, EXPR_COMPOUND, span);
  expr->u.compound.type = cu_emit_type(cu, cu_plain(type), span);
  expr->u.compound.init = list;
  deepen(cu, expr, list);
  return expr;
}

// ---------------------------------------------------------------- statements

Stmt *cu_copy_stmt(CuContext *cu, const Stmt *stmt) {
  Stmt *copy = cu_new_stmt(cu, stmt->kind, stmt->span, stmt->keyword);
  uint32_t id = copy->id;
  *copy = *stmt;
  copy->id = id;
  return copy;
}

Stmt *cu_new_stmt(CuContext *cu, StmtKind kind, Span span, Span keyword) {
  Stmt *stmt = ARENA_NEW(cu->arena, Stmt);
  stmt->kind = kind;
  stmt->id = ++cu->output.unit->n_nodes;
  stmt->span = span;
  stmt->keyword = keyword;
  return stmt;
}

Stmt *cu_expr_stmt(CuContext *cu, Expr *expr, Span span) {
  Stmt *stmt = cu_new_stmt(cu, STMT_EXPR, span, span);
  stmt->u.expr = expr;
  return stmt;
}

Stmt *cu_return_stmt(CuContext *cu, Expr *expr, Span span) {
  Stmt *stmt = cu_new_stmt(cu, STMT_RETURN, span, span);
  stmt->u.expr = expr;
  return stmt;
}

Stmt *cu_decl_stmt(CuContext *cu, Decl *decl) {
  Stmt *stmt = cu_new_stmt(cu, STMT_DECL, decl->span, decl->span);
  stmt->u.decls.data = ARENA_ARRAY(cu->arena, Decl *, 1);
  stmt->u.decls.data[0] = decl;
  stmt->u.decls.count = 1;
  return stmt;
}

Stmt *cu_block(CuContext *cu, const CuStmtVec *items, Span span) {
  Stmt *stmt = cu_new_stmt(cu, STMT_COMPOUND, span, span);
  stmt->u.compound.items.data = items->data;
  stmt->u.compound.items.count = items->count;
  return stmt;
}

void cu_add_stmt(CuContext *cu, Stmt *stmt) {
  VEC_PUSH(cu->arena, cu->frame->statements, stmt);
}

// -------------------------------------------------------- declarations, types

Decl *cu_new_decl(CuContext *cu, DeclKind kind, CuName *name, Span span,
                  Span name_span) {
  Decl *decl = ARENA_NEW(cu->arena, Decl);
  decl->kind = kind;
  decl->id = ++cu->output.unit->n_nodes;
  decl->span = span;
  decl->name_span = name_span;
  if (name) {
    decl->name = name->wanted;
    cu_name_spelled(cu, name, &decl->name);
  }
  return decl;
}

void cu_align_decl(CuContext *cu, Decl *decl, int64_t align, Span span) {
  decl->aligns = ARENA_ARRAY(cu->arena, AlignSpec, 1);
  decl->aligns[0].span = span;
  decl->aligns[0].expr = cu_int_literal(cu, align, span);
  decl->n_aligns = 1;
}

TypeSyntax *cu_new_type_syntax(CuContext *cu, TypeSyntaxKind kind, Span span) {
  TypeSyntax *type = ARENA_NEW(cu->arena, TypeSyntax);
  type->kind = kind;
  type->id = ++cu->output.unit->n_nodes;
  type->span = span;
  type->depth = 1;
  return type;
}

TypeSyntax *cu_without_const(CuContext *cu, const TypeSyntax *type) {
  TypeSyntax *copy = cu_new_type_syntax(cu, type->kind, type->span);
  uint32_t id = copy->id;
  *copy = *type;
  copy->id = id;
  copy->quals &= ~(uint32_t)QUAL_CONST;
  return copy;
}

TypeSyntax *cu_word_type(CuContext *cu, const char *word, Span span) {
  TypeSyntax *type = cu_new_type_syntax(cu, TYPE_NAMED, span);
  type->u.named = intern_cstr(cu->names, word);
  map_put(cu->arena, &cu->output.builtins, MAP_KEY(type->u.named), cu);
  return type;
}

TypeSyntax *cu_pointer_type(CuContext *cu, TypeSyntax *pointee, Span span) {
  TypeSyntax *type = cu_new_type_syntax(cu, TYPE_POINTER, span);
  type->u.pointer.pointee = pointee;
  type->depth = (uint16_t)(pointee->depth + 1);
  return type;
}

TypeSyntax *cu_array_type(CuContext *cu, TypeSyntax *element, Expr *extent,
                          Span span) {
  TypeSyntax *type = cu_new_type_syntax(cu, TYPE_ARRAY, span);
  type->u.array.element = element;
  type->u.array.extent = extent;
  type->u.array.brackets = span;
  type->depth = (uint16_t)(element->depth + 1);
  return type;
}
