// SPDX-License-Identifier: Apache-2.0
// Note [Positions]
// threadIdx.x and its kin are unsigned in CUDA C, thread_index().x is int. The
// translation has a cast at each; without it an expression has the same value
// as long as no operand is negative and nothing gets beyond 2^31, or where only
// the low 32 bits of the result are used. So what is around an expression says
// what it needs to keep (Want), and operands what they may be. What bounds are
// known of positions and literals must stay far below 2^31; of anything else it
// is taken for granted, as it is of signed numbers.
#include "convert/convert_tidy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum {
  WANT_TYPE,  // the very type
  WANT_VALUE, // the value
  WANT_LOW,   // the value modulo 2^32
} Want;

// Threads of a grid, of a block; blocks of a grid.
enum { MOST_THREADS = 1 << 28, BLOCK = 1024, MOST_BLOCKS = 1 << 18 };

static void tidy_casts_visit(Tidy *tidy, Expr *expr, Want want);
static void visit_stmt(Tidy *tidy, Stmt *stmt);

// ------------------------------------------------------------------ bounds

static double position_bound(const Expr *expr) {
  const char *name = expr->kind == EXPR_MEMBER
                         ? tidy_callee(expr->u.member.base)
                         : tidy_callee(expr);
  bool counts_blocks =
      strcmp(name, "block_index") == 0 || strcmp(name, "grid_dim") == 0;
  return counts_blocks ? MOST_BLOCKS : BLOCK;
}

// How large it can be, as far as literals and positions say it.
static double tidy_casts_bound(const Expr *expr) {
  if (tidy_is_position(expr))
    return position_bound(expr);
  if (expr->kind == EXPR_INT)
    return (double)expr->u.int_lit.value;
  if (expr->kind == EXPR_CAST)
    return tidy_casts_bound(expr->u.cast.operand);
  if (expr->kind != EXPR_BINARY)
    return 1;
  double left = tidy_casts_bound(expr->u.binary.left);
  double right = tidy_casts_bound(expr->u.binary.right);
  switch ((int)expr->u.binary.op) {
  case BINARY_MUL: return left * right;
  case BINARY_ADD:
  case BINARY_BIT_OR:
  case BINARY_BIT_XOR: return left + right;
  case BINARY_SHL: return ldexp(left, right < 64 ? (int)right : 64);
  case BINARY_SUB: return left;
  case BINARY_DIV: return right >= 1 ? left / right : left;
  case BINARY_REM: return right;
  case BINARY_BIT_AND: return left < right ? left : right;
  default: return left;
  }
}

// ------------------------------------------------------------------- casts

static bool tidy_casts_is_integer(int type) {
  return type >= BUILTIN_BOOL && type <= BUILTIN_ULLONG;
}

static bool is_32_bits_at_most(int type) {
  return type >= BUILTIN_BOOL && type <= BUILTIN_UINT;
}

static Want want_of(const TypeSyntax *type) {
  return is_32_bits_at_most(tidy_builtin(type)) &&
                 tidy_builtin(type) != BUILTIN_BOOL
             ? WANT_LOW
             : WANT_VALUE;
}

// (float)2 is 2.0f.
static bool make_float(Tidy *tidy, Expr *cast) {
  int type = tidy_builtin(cast->u.cast.type);
  const Expr *operand = cast->u.cast.operand;
  bool is_int = operand->kind == EXPR_INT && operand->u.int_lit.value < 1 << 24;
  bool is_double = operand->kind == EXPR_FLOAT && type == BUILTIN_FLOAT &&
                   operand->u.float_lit.suffix == FLOAT_SUFFIX_NONE;
  if ((type != BUILTIN_FLOAT && type != BUILTIN_DOUBLE) ||
      (!is_int && !is_double))
    return false;
  double value =
      is_int ? (double)operand->u.int_lit.value : operand->u.float_lit.value;
  const char *digits = is_int ? arena_printf(tidy->arena, "%.1f", value)
                              : operand->u.float_lit.digits;
  if (is_double && strtof(digits, NULL) != (float)value)
    return false;
  cast->kind = EXPR_FLOAT;
  cast->u.float_lit.value =
      type == BUILTIN_FLOAT ? (double)(float)value : value;
  cast->u.float_lit.digits = digits;
  cast->u.float_lit.suffix =
      type == BUILTIN_FLOAT ? FLOAT_SUFFIX_F : FLOAT_SUFFIX_NONE;
  return true;
}

static void drop_cast(Expr *cast) {
  *cast = *cast->u.cast.operand;
}

static void visit_cast(Tidy *tidy, Expr *expr, Want want) {
  int type = tidy_builtin(expr->u.cast.type);
  Expr *operand = expr->u.cast.operand;
  if (make_float(tidy, expr))
    return;
  if (tidy_casts_is_integer(type) && type >= BUILTIN_INT &&
      tidy_is_position(operand) && want != WANT_TYPE) {
    tidy_casts_visit(tidy, operand, WANT_TYPE);
    drop_cast(expr);
    return;
  }
  tidy_casts_visit(tidy, operand,
                   type < 0 ? WANT_TYPE : want_of(expr->u.cast.type));
  if (type >= 0 && tidy_type(tidy, operand) == type)
    drop_cast(expr);
}

// --------------------------------------------------------------- operators

// Beside this operand int and unsigned give the same.
static bool tidy_casts_is_harmless(const Tidy *tidy, const Expr *expr) {
  return tidy_type(tidy, expr) >= BUILTIN_UINT || tidy_is_pointer(tidy, expr) ||
         tidy_is_natural(tidy, expr);
}

// Still unsigned, or wider, without the casts of positions and the suffixes of
// literals.
static bool stays_unsigned(const Tidy *tidy, const Expr *expr) {
  if (expr->kind == EXPR_INT)
    return false;
  if (expr->kind == EXPR_CAST && tidy_is_position(expr->u.cast.operand))
    return false;
  if (expr->kind == EXPR_BINARY && expr->u.binary.op < BINARY_LT)
    return stays_unsigned(tidy, expr->u.binary.left) ||
           stays_unsigned(tidy, expr->u.binary.right);
  return tidy_type(tidy, expr) >= BUILTIN_UINT;
}

static bool tidy_casts_mentions(const Expr *expr, bool ranks) {
  if (tidy_is_position(expr))
    return ranks;
  switch ((int)expr->kind) {
  case EXPR_INT: return false;
  case EXPR_CAST: return tidy_casts_mentions(expr->u.cast.operand, ranks);
  case EXPR_BINARY:
    return tidy_casts_mentions(expr->u.binary.left, ranks) ||
           tidy_casts_mentions(expr->u.binary.right, ranks);
  default: return !ranks;
  }
}

// A rank beside what may be anything: unsigned, it may cancel out by division,
// (64 * n + rank()) / 64; signed, for a negative n it doesn't.
static bool is_cancelling(const Expr *expr) {
  const Expr *left = expr->u.binary.left;
  return expr->u.binary.op == BINARY_DIV && left->kind == EXPR_BINARY &&
         tidy_casts_mentions(left, true) && tidy_casts_mentions(left, false);
}

static bool is_literal(const Expr *expr) {
  return !tidy_casts_mentions(expr, true) && !tidy_casts_mentions(expr, false);
}

// 2 * n may be too large for int where 2u * n isn't.
static Want want_beside(const Tidy *tidy, const Expr *expr, const Expr *other,
                        BinaryOp op, Want want) {
  bool may_grow = op == BINARY_ADD || op == BINARY_SUB || op == BINARY_MUL;
  bool is_signed = tidy_type(tidy, other) < BUILTIN_UINT &&
                   !tidy_is_pointer(tidy, other) &&
                   tidy_casts_mentions(other, false);
  return may_grow && is_literal(expr) && is_signed ? WANT_TYPE : want;
}

static void visit_binary(Tidy *tidy, Expr *expr, Want want) {
  Expr *left = expr->u.binary.left, *right = expr->u.binary.right;
  bool is_plain =
      tidy_casts_is_harmless(tidy, left) && tidy_casts_is_harmless(tidy, right);
  if (expr->u.binary.op == BINARY_BIT_AND)
    is_plain = tidy_casts_is_harmless(tidy, left) ||
               tidy_casts_is_harmless(tidy, right);
  Want inner = is_plain ? WANT_VALUE : WANT_TYPE;
  BinaryOp op = expr->u.binary.op;
  if (op == BINARY_LOG_AND || op == BINARY_LOG_OR) {
    tidy_casts_visit(tidy, left, WANT_VALUE);
    tidy_casts_visit(tidy, right, WANT_VALUE);
    return;
  }
  if (op == BINARY_SHL || op == BINARY_SHR) {
    tidy_casts_visit(tidy, right, WANT_VALUE);
    bool is_small = tidy_casts_bound(expr) <= INT32_MAX &&
                    !(op == BINARY_SHL && is_literal(left)); // 1u << k
    tidy_casts_visit(tidy, left,
                     is_small && (want != WANT_TYPE) &&
                             (is_plain || op == BINARY_SHL)
                         ? WANT_VALUE
                         : WANT_TYPE);
    return;
  }
  bool compares = op >= BINARY_LT && op <= BINARY_NE;
  if (is_cancelling(expr))
    inner = WANT_TYPE;
  bool is_ring = op == BINARY_ADD || op == BINARY_SUB || op == BINARY_MUL ||
                 op == BINARY_BIT_AND || op == BINARY_BIT_XOR ||
                 op == BINARY_BIT_OR;
  if (!compares && (want == WANT_TYPE || tidy_casts_bound(expr) > INT32_MAX))
    inner = WANT_TYPE;
  else if (is_ring && want == WANT_LOW)
    inner = WANT_LOW;
  else if (op == BINARY_SUB && !stays_unsigned(tidy, expr) &&
           !tidy_is_last(expr))
    inner = WANT_TYPE;
  Want of_left = want_beside(tidy, left, right, op, inner);
  Want of_right = want_beside(tidy, right, left, op, inner);
  tidy_casts_visit(tidy, left, of_left);
  tidy_casts_visit(tidy, right, of_right);
}

static void visit_assign(Tidy *tidy, Expr *expr) {
  Expr *left = expr->u.assign.left, *right = expr->u.assign.right;
  int type = tidy_type(tidy, left);
  BinaryOp op = expr->u.assign.op;
  bool divides = expr->u.assign.is_compound &&
                 (op == BINARY_DIV || op == BINARY_REM) &&
                 !tidy_casts_is_harmless(tidy, left);
  bool is_low =
      is_32_bits_at_most(type) && type != BUILTIN_BOOL &&
      !(expr->u.assign.is_compound && (op == BINARY_DIV || op == BINARY_REM ||
                                       op == BINARY_SHL || op == BINARY_SHR));
  tidy_casts_visit(tidy, left, WANT_TYPE);
  tidy_casts_visit(tidy, right,
                   divides  ? WANT_TYPE
                   : is_low ? WANT_LOW
                            : WANT_VALUE);
}

// ------------------------------------------------------------------- calls

// Arguments that are numbers, whatever their type.
static bool takes_any_integer(const char *name, uint32_t index) {
  static const struct {
    const char *name;
    uint32_t first, last;
  } rows[] = {{"whole_partition", 1, 1}, {"tiled_partition", 1, 1},
              {"wait_prior", 1, 1},      {"shfl", 2, 2},
              {"shfl_up", 2, 2},         {"shfl_down", 2, 2},
              {"shfl_xor", 2, 2},        {"broadcast", 2, 2},
              {"memcpy_async", 1, 4},    {"copy_bytes", 3, 3}};

  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strcmp(rows[i].name, name) == 0)
      return index >= rows[i].first && index <= rows[i].last;
  return false;
}

static void visit_number(Tidy *tidy, Expr *expr) {
  tidy_casts_visit(tidy, expr, WANT_VALUE);
  if (expr->kind == EXPR_CAST &&
      tidy_casts_is_integer(tidy_builtin(expr->u.cast.type)) &&
      tidy_casts_is_integer(tidy_type(tidy, expr->u.cast.operand)) &&
      tidy_is_natural(tidy, expr->u.cast.operand))
    drop_cast(expr);
  if (expr->kind == EXPR_INT && expr->u.int_lit.value <= INT32_MAX) {
    expr->u.int_lit.is_unsigned = false;
    expr->u.int_lit.n_longs = 0;
  }
}

static void visit_call(Tidy *tidy, Expr *expr) {
  const char *name = tidy_callee(expr);
  const Decl *function = map_get(&tidy->functions, MAP_KEY(name));
  const DeclList *params = function ? &function->type->u.function.params : NULL;
  for (uint32_t i = 0; i < expr->u.call.args.count; i++) {
    Expr *arg = expr->u.call.args.data[i];
    if (params && i < params->count)
      tidy_casts_visit(tidy, arg, want_of(params->data[i]->type));
    else if (takes_any_integer(name, i))
      visit_number(tidy, arg);
    else
      tidy_casts_visit(tidy, arg, WANT_TYPE);
  }
}

static void visit_index(Tidy *tidy, Expr *expr) {
  tidy_casts_visit(tidy, expr->u.index.base, WANT_TYPE);
  for (uint32_t i = 0; i < expr->u.index.n_subscripts; i++) {
    Subscript *subscript = &expr->u.index.subscripts[i];
    if (subscript->index)
      tidy_casts_visit(tidy, subscript->index, WANT_LOW); // never below 0
  }
}

static void visit_init(Tidy *tidy, Expr *expr, Want want) {
  if (!expr)
    return;
  if (expr->kind != EXPR_INIT_LIST) {
    tidy_casts_visit(tidy, expr, want);
    return;
  }
  for (uint32_t i = 0; i < expr->u.init_list.n_items; i++)
    visit_init(tidy, expr->u.init_list.items[i].value, WANT_VALUE);
}

static Want want_of_operand(UnaryOp op, Want want) {
  if (op == UNARY_NOT || op == UNARY_DEREF)
    return WANT_VALUE;
  return want == WANT_LOW && op <= UNARY_BIT_NOT ? WANT_LOW : WANT_TYPE;
}

static void visit_conditional(Tidy *tidy, Expr *expr, Want want) {
  Expr *yes = expr->u.conditional.if_true, *no = expr->u.conditional.if_false;
  Expr *condition = expr->u.conditional.condition;
  int type = tidy_type(tidy, yes);
  tidy_condition(condition);
  if (condition->kind == EXPR_BOOL && type >= 0 &&
      type == tidy_type(tidy, no)) {
    *expr = condition->u.bool_value ? *yes : *no;
    tidy_casts_visit(tidy, expr, want);
    return;
  }
  bool is_plain =
      tidy_casts_is_harmless(tidy, yes) && tidy_casts_is_harmless(tidy, no);
  Want inner = want == WANT_VALUE && !is_plain ? WANT_TYPE : want;
  tidy_casts_visit(tidy, condition, WANT_VALUE);
  tidy_casts_visit(tidy, yes, inner);
  tidy_casts_visit(tidy, no, inner);
}

static void tidy_casts_visit(Tidy *tidy, Expr *expr, Want want) {
  if (!expr)
    return;
  tidy_word(tidy, expr);
  switch ((int)expr->kind) {
  case EXPR_INT:
    if (want != WANT_TYPE && expr->u.int_lit.n_longs == 0 &&
        expr->u.int_lit.value <= INT32_MAX)
      expr->u.int_lit.is_unsigned = false;
    return;
  case EXPR_CAST: visit_cast(tidy, expr, want); return;
  case EXPR_BINARY: visit_binary(tidy, expr, want); return;
  case EXPR_ASSIGN: visit_assign(tidy, expr); return;
  case EXPR_CALL: visit_call(tidy, expr); return;
  case EXPR_INDEX: visit_index(tidy, expr); return;
  case EXPR_UNARY:
    tidy_casts_visit(tidy, expr->u.unary.operand,
                     want_of_operand(expr->u.unary.op, want));
    return;
  case EXPR_CONDITIONAL: visit_conditional(tidy, expr, want); return;
  case EXPR_COMMA:
    for (uint32_t i = 0; i < expr->u.list.count; i++)
      tidy_casts_visit(tidy, expr->u.list.data[i],
                       i + 1 < expr->u.list.count ? WANT_VALUE : want);
    return;
  case EXPR_MEMBER:
    tidy_casts_visit(tidy, expr->u.member.base, WANT_TYPE);
    return;
  case EXPR_COMPOUND:
    visit_init(tidy, expr->u.compound.init, WANT_VALUE);
    return;
  case EXPR_INIT_LIST: visit_init(tidy, expr, WANT_VALUE); return;
  default: return;
  }
}

// -------------------------------------------------------------- statements

static void visit_decls(Tidy *tidy, DeclList decls) {
  for (uint32_t i = 0; i < decls.count; i++)
    if (decls.data[i]->kind == DECL_VAR && decls.data[i]->type)
      visit_init(tidy, decls.data[i]->u.var.init, want_of(decls.data[i]->type));
}

static void visit_group(Tidy *tidy, Stmt *stmt) {
  for (uint32_t i = 0; i < stmt->u.group.args.count; i++)
    tidy_casts_visit(tidy, stmt->u.group.args.data[i], WANT_VALUE);
  visit_stmt(tidy, stmt->u.group.body);
}

static void visit_stmt(Tidy *tidy, Stmt *stmt) {
  if (!stmt)
    return;
  switch ((int)stmt->kind) {
  case STMT_EXPR: tidy_casts_visit(tidy, stmt->u.expr, WANT_VALUE); return;
  case STMT_RETURN:
    tidy_casts_visit(tidy, stmt->u.expr,
                     want_of(tidy->within->type->u.function.result));
    return;
  case STMT_DECL: visit_decls(tidy, stmt->u.decls); return;
  case STMT_COMPOUND:
    for (uint32_t i = 0; i < stmt->u.compound.items.count; i++)
      visit_stmt(tidy, stmt->u.compound.items.data[i]);
    tidy_block(tidy, &stmt->u.compound.items);
    return;
  case STMT_IF:
    tidy_condition(stmt->u.if_stmt.condition);
    tidy_casts_visit(tidy, stmt->u.if_stmt.condition, WANT_VALUE);
    visit_stmt(tidy, stmt->u.if_stmt.then_stmt);
    visit_stmt(tidy, stmt->u.if_stmt.else_stmt);
    stmt->u.if_stmt.else_stmt = tidy_chosen(stmt->u.if_stmt.else_stmt);
    return;
  case STMT_WHILE:
  case STMT_DO:
  case STMT_FOR:
    visit_stmt(tidy, stmt->u.loop.init);
    tidy_casts_visit(tidy, stmt->u.loop.condition, WANT_VALUE);
    tidy_casts_visit(tidy, stmt->u.loop.step, WANT_VALUE);
    visit_stmt(tidy, stmt->u.loop.body);
    return;
  case STMT_SWITCH:
    tidy_casts_visit(tidy, stmt->u.switch_stmt.condition, WANT_VALUE);
    visit_stmt(tidy, stmt->u.switch_stmt.body);
    return;
  case STMT_THREAD_GROUP:
  case STMT_SINGLE_THREAD:
  case STMT_SINGLE_WARP:
  case STMT_WARP_GROUP:
  case STMT_WITH: visit_group(tidy, stmt); return;
  default: return;
  }
}

static void drop_last_return(Decl *function) {
  StmtList *items = &function->u.function.body->u.compound.items;
  const Stmt *last = items->count ? items->data[items->count - 1] : NULL;
  if (last && last->kind == STMT_RETURN && !last->u.expr)
    items->count--;
}

void tidy_casts(Tidy *tidy) {
  for (uint32_t i = 0; i < tidy->unit->decls.count; i++) {
    Decl *decl = tidy->unit->decls.data[i];
    bool is_function = decl->kind == DECL_FUNCTION || decl->kind == DECL_KERNEL;
    if (!is_function || !decl->u.function.body)
      continue;
    tidy_enter(tidy, decl);
    visit_stmt(tidy, decl->u.function.body);
    if (decl->kind == DECL_KERNEL)
      tidy_clauses(tidy, decl);
    drop_last_return(decl);
  }
}
