// SPDX-License-Identifier: Apache-2.0
#include "syntax/ast_print.h"

#include "syntax/parse.h"
#include <inttypes.h>
#include <string.h>

// --- Literals --------------------------------------------------------------

static void print_binary_digits(AstOut *out, uint64_t value) {
  int bit = 63;
  while (bit > 0 && !(value >> bit & 1))
    bit--;
  for (; bit >= 0; bit--)
    text_add_char(out->text, value >> bit & 1 ? '1' : '0');
}

static void print_expr_int(AstOut *out, const Expr *expr) {
  uint64_t value = expr->u.int_lit.value;
  switch (expr->u.int_lit.base) {
  case 16: text_printf(out->text, "0x%" PRIx64, value); break;
  case 8:
    text_printf(out->text, value ? "0%" PRIo64 : "%" PRIo64, value);
    break;
  case 2:
    text_add(out->text, "0b");
    print_binary_digits(out, value);
    break;
  default: text_printf(out->text, "%" PRIu64, value); break;
  }
  text_add(out->text, expr->u.int_lit.is_unsigned ? "u" : "");
  text_add_n(out->text, "ll", expr->u.int_lit.n_longs);
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

static bool print_expr_is_plain(uint32_t c) {
  return c >= ' ' && c < 0x7f && c != '"' && c != '\'' && c != '\\';
}

static void print_char(AstOut *out, const Expr *expr) {
  LiteralPrefix prefix = expr->u.char_lit.prefix;
  uint32_t value = expr->u.char_lit.value;
  if (prefix == LITERAL_PREFIX_NONE)
    value &= 0xff;
  text_add(out->text, literal_prefix(prefix));
  if (print_expr_is_plain(value))
    text_printf(out->text, "'%c'", (int)value);
  else
    text_printf(out->text, "'\\x%x'", value);
}

// Bytes beyond ASCII stay as they are in strings of wide characters, where an
// escape would be a whole character.
static void print_string(AstOut *out, const Expr *expr) {
  LiteralPrefix prefix = expr->u.string_lit.prefix;
  bool is_narrow = prefix == LITERAL_PREFIX_NONE || prefix == LITERAL_PREFIX_U8;
  text_add(out->text, literal_prefix(prefix));
  text_add_char(out->text, '"');
  for (size_t i = 0; i < expr->u.string_lit.length; i++) {
    unsigned char c = (unsigned char)expr->u.string_lit.bytes[i];
    if (print_expr_is_plain(c) || (c >= 0x80 && !is_narrow))
      text_add_char(out->text, (char)c);
    else
      text_printf(out->text, "\\%03o", c);
  }
  text_add_char(out->text, '"');
}

// --- Operators -------------------------------------------------------------

// Two signs that would be read as one, as in - -x.
static bool is_merging_sign(const Expr *expr, const Expr *operand) {
  return operand->kind == EXPR_UNARY &&
         ast_unary_spelling(expr->u.unary.op)[0] ==
             ast_unary_spelling(operand->u.unary.op)[0];
}

static void print_expr_unary(AstOut *out, const Expr *expr) {
  UnaryOp op = expr->u.unary.op;
  const Expr *operand = expr->u.unary.operand;
  bool is_postfix = op == UNARY_POST_INC || op == UNARY_POST_DEC;
  const char *spelling = ast_unary_spelling(op);
  const char *sign = strchr(spelling, 'x');
  if (is_postfix) {
    print_level(out, operand, LEVEL_POSTFIX);
    text_add(out->text, spelling + 1);
    return;
  }
  text_add_n(out->text, spelling,
             sign ? (size_t)(sign - spelling) : strlen(spelling));
  print_level(out, operand,
              is_merging_sign(expr, operand) ? LEVEL_POSTFIX : LEVEL_UNARY);
}

static int binary_level(BinaryOp op) {
  return LEVEL_BINARY - 1 + ast_binary_precedence(op);
}

// Sums inside of shifts, comparisons inside of bit operations, && inside of ||:
// few know by heart how they bind.
static bool is_hard_to_read(BinaryOp op, const Expr *operand) {
  if (operand->kind != EXPR_BINARY || operand->u.binary.op == op)
    return false;
  bool is_logical = op == BINARY_LOG_AND || op == BINARY_LOG_OR;
  bool is_bits = op == BINARY_SHL || op == BINARY_SHR || op == BINARY_BIT_AND ||
                 op == BINARY_BIT_XOR || op == BINARY_BIT_OR;
  return is_bits || (is_logical && operand->u.binary.op == BINARY_LOG_AND);
}

static void print_expr_binary(AstOut *out, const Expr *expr) {
  BinaryOp op = expr->u.binary.op;
  const Expr *left = expr->u.binary.left, *right = expr->u.binary.right;
  int level = binary_level(op);
  print_level(out, left, is_hard_to_read(op, left) ? LEVEL_UNARY : level);
  text_printf(out->text, " %s ", ast_binary_spelling(op));
  print_level(out, right, is_hard_to_read(op, right) ? LEVEL_UNARY : level + 1);
}

static void print_expr_conditional(AstOut *out, const Expr *expr) {
  print_level(out, expr->u.conditional.condition, LEVEL_BINARY);
  text_add(out->text, " ? ");
  print_level(out, expr->u.conditional.if_true, LEVEL_CONDITIONAL);
  text_add(out->text, " : ");
  print_level(out, expr->u.conditional.if_false, LEVEL_CONDITIONAL);
}

static void print_comma(AstOut *out, const ExprList *list) {
  for (uint32_t i = 0; i < list->count; i++) {
    text_add(out->text, i ? ", " : "");
    print_argument(out, list->data[i]);
  }
}

// --- Postfix ---------------------------------------------------------------

// A base that would merge with what follows it gets parentheses.
static void print_base(AstOut *out, const Expr *base, bool is_index) {
  bool is_merging = base->kind == EXPR_INT || base->kind == EXPR_FLOAT ||
                    (is_index && base->kind == EXPR_INDEX);
  if (is_merging) {
    text_add_char(out->text, '(');
    print_expr(out, base);
    text_add_char(out->text, ')');
  } else {
    print_level(out, base, LEVEL_POSTFIX);
  }
}

static void print_subscript(AstOut *out, const Subscript *subscript) {
  text_add_char(out->text, '[');
  if (!subscript->is_section) {
    print_argument(out, subscript->index);
  } else if (subscript->lo) {
    print_level(out, subscript->lo, LEVEL_BINARY);
    text_add_char(out->text, ':');
    print_level(out, subscript->len, LEVEL_BINARY);
  } else {
    text_add_char(out->text, ':');
  }
  text_add_char(out->text, ']');
}

static void print_expr_index(AstOut *out, const Expr *expr) {
  print_base(out, expr->u.index.base, true);
  for (uint32_t i = 0; i < expr->u.index.n_subscripts; i++)
    print_subscript(out, &expr->u.index.subscripts[i]);
}

static void print_expr_member(AstOut *out, const Expr *expr) {
  print_base(out, expr->u.member.base, false);
  text_add(out->text, expr->u.member.is_arrow ? "->" : ".");
  text_add(out->text, expr->u.member.name);
}

void print_arguments(AstOut *out, const ExprList *args) {
  text_add_char(out->text, '(');
  for (uint32_t i = 0; i < args->count; i++) {
    text_add(out->text, i ? ", " : "");
    print_argument(out, args->data[i]);
  }
  text_add_char(out->text, ')');
}

// --- Others ----------------------------------------------------------------

static void print_designator(AstOut *out, const Designator *designator,
                             bool has_dot) {
  if (designator->name) {
    text_printf(out->text, "%s%s", has_dot ? "." : "", designator->name);
    return;
  }
  text_add_char(out->text, '[');
  print_operand(out, designator->index);
  text_add_char(out->text, ']');
}

static void print_expr_init_list(AstOut *out, const Expr *expr) {
  text_add_char(out->text, '{');
  for (uint32_t i = 0; i < expr->u.init_list.n_items; i++) {
    const InitItem *item = &expr->u.init_list.items[i];
    text_add(out->text, i ? ", " : "");
    for (uint32_t k = 0; k < item->n_designators; k++)
      print_designator(out, &item->designators[k], true);
    text_add(out->text, item->n_designators ? " = " : "");
    print_argument(out, item->value);
  }
  text_add_char(out->text, '}');
}

static void print_in_parens(AstOut *out, const char *before,
                            const TypeSyntax *type) {
  text_printf(out->text, "%s(", before);
  print_type_name(out, type);
  text_add_char(out->text, ')');
}

static void print_offsetof(AstOut *out, const Expr *expr) {
  text_add(out->text, "__builtin_offsetof(");
  print_type_name(out, expr->u.offset_of.type);
  text_add(out->text, ", ");
  for (uint32_t i = 0; i < expr->u.offset_of.n_path; i++)
    print_designator(out, &expr->u.offset_of.path[i], i > 0);
  text_add_char(out->text, ')');
}

static void print_generic(AstOut *out, const Expr *expr) {
  text_add(out->text, "_Generic(");
  print_argument(out, expr->u.generic.control);
  for (uint32_t i = 0; i < expr->u.generic.n_assocs; i++) {
    const GenericAssoc *assoc = &expr->u.generic.assocs[i];
    text_add(out->text, ", ");
    if (assoc->type)
      print_type_name(out, assoc->type);
    else
      text_add(out->text, "default");
    text_add(out->text, ": ");
    print_argument(out, assoc->value);
  }
  text_add_char(out->text, ')');
}

static void print_expr_cast(AstOut *out, const Expr *expr) {
  print_in_parens(out, "", expr->u.cast.type);
  print_level(out, expr->u.cast.operand, LEVEL_UNARY);
}

static void print_assign(AstOut *out, const Expr *expr) {
  bool is_compound = expr->u.assign.is_compound;
  print_level(out, expr->u.assign.left, LEVEL_UNARY);
  text_printf(out->text, " %s= ",
              is_compound ? ast_binary_spelling(expr->u.assign.op) : "");
  print_level(out, expr->u.assign.right, LEVEL_ASSIGN);
}

// The macro that stood there; NULL: none did.
static const char *macro_of(const AstOut *out, const Expr *expr,
                            bool *is_single) {
  bool is_number = expr->kind == EXPR_INT || expr->kind == EXPR_FLOAT ||
                   expr->kind == EXPR_UNARY || expr->kind == EXPR_BINARY;
  if (!out->macros || !is_number || !ast_macros_may_be(out->macros, expr->span))
    return NULL;
  Text text = {.arena = out->text->arena};
  AstOut plain = {.text = &text, .is_pretty = true};
  print_expr(&plain, expr);
  return ast_macros_name(out->macros, expr->span, text_cstr(&text), is_single);
}

void print_expr(AstOut *out, const Expr *expr) {
  bool is_single;
  const char *macro = macro_of(out, expr, &is_single);
  if (macro) {
    text_add(out->text, macro);
    return;
  }
  switch (expr->kind) {
  case EXPR_POISON: text_add(out->text, "<error>"); break;
  case EXPR_INT: print_expr_int(out, expr); break;
  case EXPR_FLOAT:
    text_add(out->text, expr->u.float_lit.digits);
    text_add(out->text, float_suffix(expr->u.float_lit.suffix));
    break;
  case EXPR_CHAR: print_char(out, expr); break;
  case EXPR_STRING: print_string(out, expr); break;
  case EXPR_BOOL:
    text_add(out->text, expr->u.bool_value ? "true" : "false");
    break;
  case EXPR_NAME: text_add(out->text, expr->u.name); break;
  case EXPR_UNARY: print_expr_unary(out, expr); break;
  case EXPR_BINARY: print_expr_binary(out, expr); break;
  case EXPR_ASSIGN: print_assign(out, expr); break;
  case EXPR_CONDITIONAL: print_expr_conditional(out, expr); break;
  case EXPR_COMMA: print_comma(out, &expr->u.list); break;
  case EXPR_CAST: print_expr_cast(out, expr); break;
  case EXPR_SIZEOF_EXPR:
    text_add(out->text, "sizeof (");
    print_expr(out, expr->u.operand);
    text_add_char(out->text, ')');
    break;
  case EXPR_SIZEOF_TYPE: print_in_parens(out, "sizeof", expr->u.type); break;
  case EXPR_ALIGNOF: print_in_parens(out, "_Alignof", expr->u.type); break;
  case EXPR_OFFSETOF: print_offsetof(out, expr); break;
  case EXPR_CALL:
    print_base(out, expr->u.call.callee, false);
    print_arguments(out, &expr->u.call.args);
    break;
  case EXPR_INDEX: print_expr_index(out, expr); break;
  case EXPR_MEMBER: print_expr_member(out, expr); break;
  case EXPR_COMPOUND:
    print_in_parens(out, "", expr->u.compound.type);
    print_expr(out, expr->u.compound.init);
    break;
  case EXPR_INIT_LIST: print_expr_init_list(out, expr); break;
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

static void print_wrapped(AstOut *out, const Expr *expr, bool is_bare) {
  text_add(out->text, is_bare ? "" : "(");
  print_expr(out, expr);
  text_add(out->text, is_bare ? "" : ")");
}

void print_operand(AstOut *out, const Expr *expr) {
  print_wrapped(out, expr, is_primary(expr->kind));
}

static int level_of(const Expr *expr) {
  switch ((int)expr->kind) {
  case EXPR_COMMA: return LEVEL_COMMA;
  case EXPR_ASSIGN: return LEVEL_ASSIGN;
  case EXPR_CONDITIONAL: return LEVEL_CONDITIONAL;
  case EXPR_BINARY: return binary_level(expr->u.binary.op);
  case EXPR_UNARY:
    return expr->u.unary.op == UNARY_POST_INC ||
                   expr->u.unary.op == UNARY_POST_DEC
               ? LEVEL_POSTFIX
               : LEVEL_UNARY;
  case EXPR_CAST:
  case EXPR_SIZEOF_EXPR:
  case EXPR_SIZEOF_TYPE:
  case EXPR_ALIGNOF: return LEVEL_UNARY;
  default: return LEVEL_PRIMARY;
  }
}

void print_level(AstOut *out, const Expr *expr, int level) {
  bool is_single = false;
  if (macro_of(out, expr, &is_single) && is_single)
    print_expr(out, expr);
  else if (out->is_pretty)
    print_wrapped(out, expr, level_of(expr) >= level);
  else
    print_operand(out, expr);
}

void print_argument(AstOut *out, const Expr *expr) {
  if (expr->kind == EXPR_COMMA)
    print_operand(out, expr);
  else
    print_expr(out, expr);
}

// Blanks stand between hints.
static void print_hints(AstOut *out, const ExprList *hints) {
  text_add_char(out->text, '(');
  for (uint32_t i = 0; i < hints->count; i++) {
    text_add(out->text, i ? " " : "");
    print_argument(out, hints->data[i]);
  }
  text_add_char(out->text, ')');
}

static void print_tune(AstOut *out, const Clause *clause) {
  text_add_char(out->text, '(');
  if (clause->names.count == 1)
    print_argument(out, clause->names.data[0]);
  else
    print_arguments(out, &clause->names);
  text_add(out->text, ": ");
  print_comma(out, &clause->args);
  if (clause->conditions.count > 0)
    text_add(out->text, "; ");
  print_comma(out, &clause->conditions);
  text_add_char(out->text, ')');
}

static void print_clause(AstOut *out, const Clause *clause) {
  text_printf(out->text, " %s", ast_clause_spelling(clause->kind));
  if (clause->kind == CLAUSE_TILE && clause->args.count > 0)
    print_hints(out, &clause->args);
  else if (clause->kind == CLAUSE_TUNE)
    print_tune(out, clause);
  else if (clause->kind != CLAUSE_HOST && clause->kind != CLAUSE_TILE)
    print_arguments(out, &clause->args);
}

void print_clauses(AstOut *out, const ClauseList *clauses) {
  for (uint32_t i = 0; i < clauses->count; i++)
    print_clause(out, &clauses->data[i]);
}

static void print_remark(AstOut *out, const char *remark) {
  if (remark)
    text_printf(out->text, " // %s", remark);
}

void print_clause_lines(AstOut *out, const ClauseList *clauses) {
  bool is_first = true;
  const char *remark = NULL;
  for (uint32_t i = 0; i < clauses->count; i++) {
    const Clause *clause = &clauses->data[i];
    bool has_line = clause->kind == CLAUSE_REQUIRES;
    if (is_first || has_line) {
      print_remark(out, remark);
      text_add(out->text, "\n   ");
      remark = NULL;
    }
    print_clause(out, clause);
    remark = clause->remark ? clause->remark : remark;
    is_first = has_line;
  }
  print_remark(out, remark);
}
