// SPDX-License-Identifier: Apache-2.0
#include "syntax/ast_print.h"

#include "syntax/parse.h"
#include <inttypes.h>
#include <string.h>

// --- Literals --------------------------------------------------------------

static void print_binary_digits(Text *out, uint64_t value) {
  int bit = 63;
  while (bit > 0 && !(value >> bit & 1))
    bit--;
  for (; bit >= 0; bit--)
    text_add_char(out, value >> bit & 1 ? '1' : '0');
}

static void print_int(Text *out, const Expr *expr) {
  uint64_t value = expr->u.int_lit.value;
  switch (expr->u.int_lit.base) {
  case 16: text_printf(out, "0x%" PRIx64, value); break;
  case 8: text_printf(out, value ? "0%" PRIo64 : "%" PRIo64, value); break;
  case 2:
    text_add(out, "0b");
    print_binary_digits(out, value);
    break;
  default: text_printf(out, "%" PRIu64, value); break;
  }
  text_add(out, expr->u.int_lit.is_unsigned ? "u" : "");
  text_add_n(out, "ll", expr->u.int_lit.n_longs);
}

static const char *float_suffix(FloatSuffix suffix) {
  switch (suffix) {
  case FLOAT_SUFFIX_NONE: return "";
  case FLOAT_SUFFIX_F: return "f";
  case FLOAT_SUFFIX_L: return "l";
  case FLOAT_SUFFIX_F16: return "f16";
  case FLOAT_SUFFIX_BF16: return "bf16";
  }
  return "";
}

static const char *literal_prefix(LiteralPrefix prefix) {
  switch (prefix) {
  case LITERAL_PREFIX_NONE: return "";
  case LITERAL_PREFIX_U8: return "u8";
  case LITERAL_PREFIX_U16: return "u";
  case LITERAL_PREFIX_U32: return "U";
  case LITERAL_PREFIX_WIDE: return "L";
  }
  return "";
}

static bool is_plain(uint32_t c) {
  return c >= ' ' && c < 0x7f && c != '"' && c != '\'' && c != '\\';
}

static void print_char(Text *out, const Expr *expr) {
  LiteralPrefix prefix = expr->u.char_lit.prefix;
  uint32_t value = expr->u.char_lit.value;
  if (prefix == LITERAL_PREFIX_NONE)
    value &= 0xff;
  text_add(out, literal_prefix(prefix));
  if (is_plain(value))
    text_printf(out, "'%c'", (int)value);
  else
    text_printf(out, "'\\x%x'", value);
}

// Bytes beyond ASCII stay as they are in strings of wide characters, where an
// escape would be a whole character.
static void print_string(Text *out, const Expr *expr) {
  LiteralPrefix prefix = expr->u.string_lit.prefix;
  bool is_narrow = prefix == LITERAL_PREFIX_NONE || prefix == LITERAL_PREFIX_U8;
  text_add(out, literal_prefix(prefix));
  text_add_char(out, '"');
  for (size_t i = 0; i < expr->u.string_lit.length; i++) {
    unsigned char c = (unsigned char)expr->u.string_lit.bytes[i];
    if (is_plain(c) || (c >= 0x80 && !is_narrow))
      text_add_char(out, (char)c);
    else
      text_printf(out, "\\%03o", c);
  }
  text_add_char(out, '"');
}

// --- Operators -------------------------------------------------------------

static void print_unary(Text *out, const Expr *expr) {
  UnaryOp op = expr->u.unary.op;
  bool is_postfix = op == UNARY_POST_INC || op == UNARY_POST_DEC;
  const char *spelling = ast_unary_spelling(op);
  const char *sign = strchr(spelling, 'x');
  if (is_postfix) {
    print_operand(out, expr->u.unary.operand);
    text_add(out, spelling + 1);
    return;
  }
  text_add_n(out, spelling,
             sign ? (size_t)(sign - spelling) : strlen(spelling));
  print_operand(out, expr->u.unary.operand);
}

static void print_binary(Text *out, const Expr *left, const char *op,
                         const char *end, const Expr *right) {
  print_operand(out, left);
  text_printf(out, " %s%s ", op, end);
  print_operand(out, right);
}

static void print_conditional(Text *out, const Expr *expr) {
  print_operand(out, expr->u.conditional.condition);
  text_add(out, " ? ");
  print_operand(out, expr->u.conditional.if_true);
  text_add(out, " : ");
  print_operand(out, expr->u.conditional.if_false);
}

static void print_comma(Text *out, const ExprList *list) {
  for (uint32_t i = 0; i < list->count; i++) {
    text_add(out, i ? ", " : "");
    print_argument(out, list->data[i]);
  }
}

// --- Postfix ---------------------------------------------------------------

// A base that would merge with what follows it gets parentheses.
static void print_base(Text *out, const Expr *base, bool is_index) {
  bool is_merging = base->kind == EXPR_INT || base->kind == EXPR_FLOAT ||
                    (is_index && base->kind == EXPR_INDEX);
  if (is_merging) {
    text_add_char(out, '(');
    print_expr(out, base);
    text_add_char(out, ')');
  } else {
    print_operand(out, base);
  }
}

static void print_subscript(Text *out, const Subscript *subscript) {
  text_add_char(out, '[');
  if (!subscript->is_section) {
    print_argument(out, subscript->index);
  } else if (subscript->lo) {
    print_operand(out, subscript->lo);
    text_add_char(out, ':');
    print_operand(out, subscript->len);
  } else {
    text_add_char(out, ':');
  }
  text_add_char(out, ']');
}

static void print_index(Text *out, const Expr *expr) {
  print_base(out, expr->u.index.base, true);
  for (uint32_t i = 0; i < expr->u.index.n_subscripts; i++)
    print_subscript(out, &expr->u.index.subscripts[i]);
}

static void print_member(Text *out, const Expr *expr) {
  print_base(out, expr->u.member.base, false);
  text_add(out, expr->u.member.is_arrow ? "->" : ".");
  text_add(out, expr->u.member.name);
}

void print_arguments(Text *out, const ExprList *args) {
  text_add_char(out, '(');
  for (uint32_t i = 0; i < args->count; i++) {
    text_add(out, i ? ", " : "");
    print_argument(out, args->data[i]);
  }
  text_add_char(out, ')');
}

// --- Others ----------------------------------------------------------------

static void print_designator(Text *out, const Designator *designator,
                             bool has_dot) {
  if (designator->name) {
    text_printf(out, "%s%s", has_dot ? "." : "", designator->name);
    return;
  }
  text_add_char(out, '[');
  print_operand(out, designator->index);
  text_add_char(out, ']');
}

static void print_init_list(Text *out, const Expr *expr) {
  text_add_char(out, '{');
  for (uint32_t i = 0; i < expr->u.init_list.n_items; i++) {
    const InitItem *item = &expr->u.init_list.items[i];
    text_add(out, i ? ", " : "");
    for (uint32_t k = 0; k < item->n_designators; k++)
      print_designator(out, &item->designators[k], true);
    text_add(out, item->n_designators ? " = " : "");
    print_argument(out, item->value);
  }
  text_add_char(out, '}');
}

static void print_in_parens(Text *out, const char *before,
                            const TypeSyntax *type) {
  text_printf(out, "%s(", before);
  print_type_name(out, type);
  text_add_char(out, ')');
}

static void print_offsetof(Text *out, const Expr *expr) {
  text_add(out, "__builtin_offsetof(");
  print_type_name(out, expr->u.offset_of.type);
  text_add(out, ", ");
  for (uint32_t i = 0; i < expr->u.offset_of.n_path; i++)
    print_designator(out, &expr->u.offset_of.path[i], i > 0);
  text_add_char(out, ')');
}

static void print_generic(Text *out, const Expr *expr) {
  text_add(out, "_Generic(");
  print_argument(out, expr->u.generic.control);
  for (uint32_t i = 0; i < expr->u.generic.n_assocs; i++) {
    const GenericAssoc *assoc = &expr->u.generic.assocs[i];
    text_add(out, ", ");
    if (assoc->type)
      print_type_name(out, assoc->type);
    else
      text_add(out, "default");
    text_add(out, ": ");
    print_argument(out, assoc->value);
  }
  text_add_char(out, ')');
}

static void print_cast(Text *out, const Expr *expr) {
  print_in_parens(out, "", expr->u.cast.type);
  print_operand(out, expr->u.cast.operand);
}

static void print_assign(Text *out, const Expr *expr) {
  bool is_compound = expr->u.assign.is_compound;
  print_binary(out, expr->u.assign.left,
               is_compound ? ast_binary_spelling(expr->u.assign.op) : "", "=",
               expr->u.assign.right);
}

void print_expr(Text *out, const Expr *expr) {
  switch (expr->kind) {
  case EXPR_POISON: text_add(out, "<error>"); break;
  case EXPR_INT: print_int(out, expr); break;
  case EXPR_FLOAT:
    text_add(out, expr->u.float_lit.digits);
    text_add(out, float_suffix(expr->u.float_lit.suffix));
    break;
  case EXPR_CHAR: print_char(out, expr); break;
  case EXPR_STRING: print_string(out, expr); break;
  case EXPR_BOOL: text_add(out, expr->u.bool_value ? "true" : "false"); break;
  case EXPR_NAME: text_add(out, expr->u.name); break;
  case EXPR_UNARY: print_unary(out, expr); break;
  case EXPR_BINARY:
    print_binary(out, expr->u.binary.left,
                 ast_binary_spelling(expr->u.binary.op), "",
                 expr->u.binary.right);
    break;
  case EXPR_ASSIGN: print_assign(out, expr); break;
  case EXPR_CONDITIONAL: print_conditional(out, expr); break;
  case EXPR_COMMA: print_comma(out, &expr->u.list); break;
  case EXPR_CAST: print_cast(out, expr); break;
  case EXPR_SIZEOF_EXPR:
    text_add(out, "sizeof (");
    print_expr(out, expr->u.operand);
    text_add_char(out, ')');
    break;
  case EXPR_SIZEOF_TYPE: print_in_parens(out, "sizeof", expr->u.type); break;
  case EXPR_ALIGNOF: print_in_parens(out, "_Alignof", expr->u.type); break;
  case EXPR_OFFSETOF: print_offsetof(out, expr); break;
  case EXPR_CALL:
    print_base(out, expr->u.call.callee, false);
    print_arguments(out, &expr->u.call.args);
    break;
  case EXPR_INDEX: print_index(out, expr); break;
  case EXPR_MEMBER: print_member(out, expr); break;
  case EXPR_COMPOUND:
    print_in_parens(out, "", expr->u.compound.type);
    print_expr(out, expr->u.compound.init);
    break;
  case EXPR_INIT_LIST: print_init_list(out, expr); break;
  case EXPR_GENERIC: print_generic(out, expr); break;
  case EXPR_TYPE: print_type_name(out, expr->u.type); break;
  }
}

static bool is_primary(ExprKind kind) {
  switch ((int)kind) {
  case EXPR_UNARY:
  case EXPR_BINARY:
  case EXPR_ASSIGN:
  case EXPR_CONDITIONAL:
  case EXPR_COMMA:
  case EXPR_CAST:
  case EXPR_SIZEOF_EXPR:
  case EXPR_SIZEOF_TYPE:
  case EXPR_ALIGNOF: return false;
  default: return true;
  }
}

void print_operand(Text *out, const Expr *expr) {
  bool is_bare = is_primary(expr->kind);
  text_add(out, is_bare ? "" : "(");
  print_expr(out, expr);
  text_add(out, is_bare ? "" : ")");
}

void print_argument(Text *out, const Expr *expr) {
  if (expr->kind == EXPR_COMMA)
    print_operand(out, expr);
  else
    print_expr(out, expr);
}

void print_clauses(Text *out, const ClauseList *clauses) {
  for (uint32_t i = 0; i < clauses->count; i++) {
    const Clause *clause = &clauses->data[i];
    text_printf(out, " %s", ast_clause_spelling(clause->kind));
    if (clause->kind != CLAUSE_TILE && clause->kind != CLAUSE_HOST)
      print_arguments(out, &clause->args);
  }
}
