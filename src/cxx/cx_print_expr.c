// SPDX-License-Identifier: Apache-2.0
#include "cxx/cx_print.h"

#include "cxx/cx_parse.h"
#include "syntax/parse.h"
#include <inttypes.h>

// --- Names -----------------------------------------------------------------

static void print_args(CxPrinter *cx, const CxNamePart *part) {
  text_add(cx->out, "<");
  for (uint32_t i = 0; i < part->n_args; i++) {
    const CxTemplateArg *arg = &part->args[i];
    text_add(cx->out, i ? ", " : "");
    if (arg->type && arg->expr)
      text_add(cx->out, "?"); // a type or a value
    if (arg->type)
      cx_print_type(cx, arg->type);
    else if (arg->expr)
      cx_print_expr(cx, arg->expr);
    text_add(cx->out, arg->is_expansion ? "..." : "");
  }
  text_add(cx->out, ">");
}

void cx_print_name(CxPrinter *cx, const CxName *name) {
  for (uint32_t i = 0; i < name->n_parts; i++) {
    const CxNamePart *part = &name->parts[i];
    text_add(cx->out, i || name->is_global ? "::" : "");
    text_add(cx->out, part->kind == CX_PART_DESTRUCTOR ? "~" : "");
    if (part->kind == CX_PART_LITERAL_OPERATOR)
      text_add(cx->out, "operator\"\"");
    text_add(cx->out, part->name ? part->name : "");
    if (part->kind == CX_PART_CONVERSION || part->kind == CX_PART_TYPE)
      cx_print_type(cx, part->conversion);
    if (part->has_args)
      print_args(cx, part);
  }
}

// --- Types -----------------------------------------------------------------

void cx_print_params(CxPrinter *cx, const CxType *function) {
  text_add(cx->out, "(");
  for (uint32_t i = 0; i < function->u.function.params.count; i++) {
    CxDecl *param = function->u.function.params.data[i];
    text_add(cx->out, i ? ", " : "");
    if (!param->type) {
      text_add(cx->out, "poison");
      continue;
    }
    cx_print_type(cx, param->type);
    text_printf(cx->out, "%s%s%s", param->u.var.is_pack ? "..." : "",
                param->name ? " " : "", param->name ? param->name : "");
    if (param->u.var.init) {
      text_add(cx->out, " = ");
      cx_print_expr(cx, param->u.var.init);
    }
  }
  text_add(cx->out, function->u.function.is_variadic ? ", ...)" : ")");
}

static void print_quals(CxPrinter *cx, uint8_t quals) {
  text_add(cx->out, quals & CX_QUAL_CONST ? "const " : "");
  text_add(cx->out, quals & CX_QUAL_VOLATILE ? "volatile " : "");
  text_add(cx->out, quals & CX_QUAL_RESTRICT ? "restrict " : "");
}

static void print_derived(CxPrinter *cx, const CxType *type, const char *sign) {
  cx_print_type(cx, type->u.inner);
  text_add(cx->out, sign);
  text_add(cx->out, type->quals & CX_QUAL_CONST ? " const" : "");
  text_add(cx->out, type->quals & CX_QUAL_VOLATILE ? " volatile" : "");
  text_add(cx->out, type->quals & CX_QUAL_RESTRICT ? " restrict" : "");
}

static void print_expr_array(CxPrinter *cx, const CxType *type) {
  text_add(cx->out, "array[");
  if (type->u.array.extent)
    cx_print_expr(cx, type->u.array.extent);
  text_add(cx->out, "] of ");
  cx_print_type(cx, type->u.array.element);
}

static void print_function_type(CxPrinter *cx, const CxType *type) {
  text_add(cx->out, "function");
  cx_print_params(cx, type);
  text_add(cx->out, " -> ");
  cx_print_type(cx, type->u.function.result);
}

void cx_print_type(CxPrinter *cx, const CxType *type) {
  switch (type->kind) {
  case CX_TYPE_POISON: text_add(cx->out, "poison"); return;
  case CX_TYPE_UNSUPPORTED:
    text_printf(cx->out, "unsupported(%s)", type->u.what);
    return;
  case CX_TYPE_BUILTIN:
    print_quals(cx, type->quals);
    text_add(cx->out, cx_builtin_spelling(type->u.builtin));
    return;
  case CX_TYPE_NAMED:
    print_quals(cx, type->quals);
    text_add(cx->out, type->u.named.has_typename ? "typename " : "");
    cx_print_name(cx, type->u.named.name);
    return;
  case CX_TYPE_AUTO:
    print_quals(cx, type->quals);
    text_add(cx->out, "auto");
    return;
  case CX_TYPE_DECLTYPE:
    print_quals(cx, type->quals);
    text_add(cx->out, "decltype(");
    if (type->u.expr)
      cx_print_expr(cx, type->u.expr);
    text_add(cx->out, type->u.expr ? ")" : "auto)");
    return;
  case CX_TYPE_DEFINITION:
    print_quals(cx, type->quals);
    text_printf(cx->out, "%s %s", cx_decl_kind_name(type->u.definition->kind),
                type->u.definition->name ? type->u.definition->name : "{}");
    return;
  case CX_TYPE_POINTER: print_derived(cx, type, "*"); return;
  case CX_TYPE_REFERENCE: print_derived(cx, type, "&"); return;
  case CX_TYPE_RVALUE_REFERENCE: print_derived(cx, type, "&&"); return;
  case CX_TYPE_ARRAY: print_expr_array(cx, type); return;
  case CX_TYPE_FUNCTION: print_function_type(cx, type); return;
  }
}

// --- Expressions -----------------------------------------------------------

void cx_print_list(CxPrinter *cx, CxExprList list) {
  for (uint32_t i = 0; i < list.count; i++) {
    text_add(cx->out, i ? ", " : "");
    cx_print_expr(cx, list.data[i]);
  }
}

static void print_binary(CxPrinter *cx, const CxExpr *left, const char *op,
                         const char *more, const CxExpr *right) {
  text_add(cx->out, "(");
  cx_print_expr(cx, left);
  text_printf(cx->out, " %s%s ", op, more);
  cx_print_expr(cx, right);
  text_add(cx->out, ")");
}

static void print_unary(CxPrinter *cx, const CxExpr *expr) {
  const char *spelling = ast_unary_spelling(expr->u.unary.op);
  bool is_step = expr->u.unary.op >= UNARY_PRE_INC;
  bool is_behind = expr->u.unary.op >= UNARY_POST_INC;
  const char *sign = !is_step ? spelling : is_behind ? spelling + 1 : spelling;
  int n = is_step ? 2 : 1;
  text_add(cx->out, "(");
  if (!is_behind)
    text_printf(cx->out, "%.*s", n, sign);
  cx_print_expr(cx, expr->u.unary.operand);
  if (is_behind)
    text_printf(cx->out, "%.*s", n, sign);
  text_add(cx->out, ")");
}

static void print_conditional(CxPrinter *cx, const CxExpr *expr) {
  text_add(cx->out, "(");
  cx_print_expr(cx, expr->u.conditional.condition);
  text_add(cx->out, " ? ");
  cx_print_expr(cx, expr->u.conditional.if_true);
  text_add(cx->out, " : ");
  cx_print_expr(cx, expr->u.conditional.if_false);
  text_add(cx->out, ")");
}

static void print_cast(CxPrinter *cx, const CxExpr *expr) {
  text_printf(cx->out, "%s<",
              expr->u.cast.kind == CX_CAST_C
                  ? "cast"
                  : cx_cast_spelling(expr->u.cast.kind));
  cx_print_type(cx, expr->u.cast.type);
  text_add(cx->out, ">(");
  cx_print_expr(cx, expr->u.cast.operand);
  text_add(cx->out, ")");
}

static void print_init_list(CxPrinter *cx, const CxExpr *expr) {
  text_add(cx->out, "{");
  for (uint32_t i = 0; i < expr->u.init_list.n_items; i++) {
    const CxInitItem *item = &expr->u.init_list.items[i];
    text_add(cx->out, i ? ", " : "");
    if (item->field)
      text_printf(cx->out, ".%s = ", item->field);
    cx_print_expr(cx, item->value);
  }
  text_add(cx->out, "}");
}

static void print_offset_of(CxPrinter *cx, const CxExpr *expr) {
  text_add(cx->out, "offsetof(");
  cx_print_type(cx, expr->u.offset_of.type);
  for (uint32_t i = 0; i < expr->u.offset_of.n_path; i++) {
    const CxInitItem *item = &expr->u.offset_of.path[i];
    text_add(cx->out, item->field ? "." : "[");
    if (item->field)
      text_add(cx->out, item->field);
    else if (item->index)
      cx_print_expr(cx, item->index);
    text_add(cx->out, item->field ? "" : "]");
  }
  text_add(cx->out, ")");
}

static void print_lambda(CxPrinter *cx, const CxExpr *expr) {
  static const char *const defaults[] = {"", "=", "&"};
  text_printf(cx->out, "[%s", defaults[expr->u.lambda.capture_default]);
  for (uint32_t i = 0; i < expr->u.lambda.n_captures; i++) {
    const CxCapture *capture = &expr->u.lambda.captures[i];
    bool is_first = i == 0 && !expr->u.lambda.capture_default;
    text_printf(cx->out, "%s%s%s", is_first ? "" : ", ",
                capture->is_reference ? "&" : "",
                capture->is_this ? "this" : capture->name);
    if (capture->init) {
      text_add(cx->out, " = ");
      cx_print_expr(cx, capture->init);
    }
  }
  text_add(cx->out, "]");
  cx_print_params(cx, expr->u.lambda.type);
  text_add(cx->out, " -> ");
  cx_print_type(cx, expr->u.lambda.type->u.function.result);
  text_add(cx->out, expr->u.lambda.is_mutable ? " mutable " : " ");
  cx_print_stmt(cx, expr->u.lambda.body);
}

static void print_expr_call(CxPrinter *cx, const CxExpr *callee,
                            CxExprList args, const char *open,
                            const char *close) {
  cx_print_expr(cx, callee);
  text_add(cx->out, open);
  cx_print_list(cx, args);
  text_add(cx->out, close);
}

static void print_member(CxPrinter *cx, const CxExpr *expr) {
  cx_print_expr(cx, expr->u.member.base);
  text_add(cx->out, expr->u.member.is_arrow ? "->" : ".");
  cx_print_name(cx, expr->u.member.name);
}

static void print_construct(CxPrinter *cx, const CxExpr *expr) {
  text_add(cx->out, "new:");
  cx_print_type(cx, expr->u.construct.type);
  text_add(cx->out, expr->u.construct.is_braced ? "{" : "(");
  cx_print_list(cx, expr->u.construct.args);
  text_add(cx->out, expr->u.construct.is_braced ? "}" : ")");
}

static void print_type_in(CxPrinter *cx, const char *word, const CxType *type) {
  text_printf(cx->out, "%s(", word);
  cx_print_type(cx, type);
  text_add(cx->out, ")");
}

static void print_float(CxPrinter *cx, const CxExpr *expr) {
  static const char *const suffixes[] = {"", "f", "l", "f16", "bf16"};
  text_printf(cx->out, "%s%s", expr->u.float_lit.digits,
              suffixes[expr->u.float_lit.suffix]);
}

static void print_int(CxPrinter *cx, const CxExpr *expr) {
  text_printf(cx->out, "%" PRIu64 "%s%.*s", expr->u.int_lit.value,
              expr->u.int_lit.is_unsigned ? "u" : "",
              (int)expr->u.int_lit.n_longs, "ll");
}

static void print_leaf(CxPrinter *cx, const CxExpr *expr) {
  switch ((int)expr->kind) {
  case CX_EXPR_POISON: text_add(cx->out, "poison"); return;
  case CX_EXPR_UNSUPPORTED:
    text_printf(cx->out, "unsupported(%s)", expr->u.what);
    return;
  case CX_EXPR_INT: print_int(cx, expr); return;
  case CX_EXPR_FLOAT: print_float(cx, expr); return;
  case CX_EXPR_CHAR:
    text_printf(cx->out, "char(%" PRIu32 ")", expr->u.char_lit.value);
    return;
  case CX_EXPR_STRING:
    text_add_json_n(cx->out, expr->u.string_lit.bytes,
                    expr->u.string_lit.length);
    return;
  case CX_EXPR_BOOL:
    text_add(cx->out, expr->u.bool_value ? "true" : "false");
    return;
  default: text_add(cx->out, cx_expr_kind_name(expr->kind)); return;
  }
}

static void print_fold(CxPrinter *cx, const CxExpr *expr) {
  const CxFoldOperator *op = &expr->u.fold.op;
  bool has_binary = !op->is_assignment || op->is_compound;
  const char *word = op->is_comma ? ","
                     : has_binary ? ast_binary_spelling(op->op)
                                  : "";
  const char *assigns = op->is_assignment ? "=" : "";
  text_add(cx->out, "(");
  if (expr->u.fold.left.expr) {
    cx_print_expr(cx, expr->u.fold.left.expr);
    text_printf(cx->out, " %s%s ", word, assigns);
  }
  text_add(cx->out, "...");
  if (expr->u.fold.right.expr) {
    text_printf(cx->out, " %s%s ", word, assigns);
    cx_print_expr(cx, expr->u.fold.right.expr);
  }
  text_add(cx->out, ")");
}

void cx_print_expr(CxPrinter *cx, const CxExpr *expr) {
  switch (expr->kind) {
  case CX_EXPR_POISON:
  case CX_EXPR_UNSUPPORTED:
  case CX_EXPR_INT:
  case CX_EXPR_FLOAT:
  case CX_EXPR_CHAR:
  case CX_EXPR_STRING:
  case CX_EXPR_BOOL:
  case CX_EXPR_NULLPTR:
  case CX_EXPR_THIS: print_leaf(cx, expr); return;
  case CX_EXPR_NAME: cx_print_name(cx, expr->u.name); return;
  case CX_EXPR_UNARY: print_unary(cx, expr); return;
  case CX_EXPR_BINARY:
    print_binary(cx, expr->u.binary.left,
                 ast_binary_spelling(expr->u.binary.op), "",
                 expr->u.binary.right);
    return;
  case CX_EXPR_ASSIGN:
    print_binary(cx, expr->u.assign.left,
                 expr->u.assign.is_compound
                     ? ast_binary_spelling(expr->u.assign.op)
                     : "",
                 "=", expr->u.assign.right);
    return;
  case CX_EXPR_CONDITIONAL: print_conditional(cx, expr); return;
  case CX_EXPR_COMMA:
    text_add(cx->out, "(");
    cx_print_list(cx, expr->u.list);
    text_add(cx->out, ")");
    return;
  case CX_EXPR_CAST: print_cast(cx, expr); return;
  case CX_EXPR_CONSTRUCT: print_construct(cx, expr); return;
  case CX_EXPR_SIZEOF_EXPR:
    text_add(cx->out, "sizeof ");
    cx_print_expr(cx, expr->u.operand);
    return;
  case CX_EXPR_SIZEOF_TYPE: print_type_in(cx, "sizeof", expr->u.type); return;
  case CX_EXPR_ALIGNOF: print_type_in(cx, "alignof", expr->u.type); return;
  case CX_EXPR_TYPE: print_type_in(cx, "type", expr->u.type); return;
  case CX_EXPR_EXPANSION:
    cx_print_expr(cx, expr->u.expansion.pattern);
    text_add(cx->out, "...");
    return;
  case CX_EXPR_FOLD: print_fold(cx, expr); return;
  case CX_EXPR_SIZEOF_PACK:
    text_add(cx->out, "sizeof...(");
    cx_print_name(cx, expr->u.name);
    text_add(cx->out, ")");
    return;
  case CX_EXPR_ELEMENT: cx_print_expr(cx, expr->u.element.pattern); return;
  case CX_EXPR_OFFSETOF: print_offset_of(cx, expr); return;
  case CX_EXPR_CALL:
    print_expr_call(cx, expr->u.call.callee, expr->u.call.args, "(", ")");
    return;
  case CX_EXPR_INDEX:
    cx_print_expr(cx, expr->u.index.base);
    text_add(cx->out, "[");
    cx_print_expr(cx, expr->u.index.index);
    text_add(cx->out, "]");
    return;
  case CX_EXPR_MEMBER: print_member(cx, expr); return;
  case CX_EXPR_INIT_LIST: print_init_list(cx, expr); return;
  case CX_EXPR_LAMBDA: print_lambda(cx, expr); return;
  case CX_EXPR_LAUNCH:
    print_expr_call(cx, expr->u.launch.callee, expr->u.launch.config, "<<<",
                    ">>>(");
    cx_print_list(cx, expr->u.launch.args);
    text_add(cx->out, ")");
    return;
  }
}
