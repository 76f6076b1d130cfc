// SPDX-License-Identifier: Apache-2.0
#include "cuda/form/cu_assume.h"

#include "cuda/form/cu_local.h"
#include "cuda/form/cu_names.h"
#include "cuda/form/cu_pieces.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_scope.h"
#include "cuda/form/cu_space.h"
#include "cuda/form/cu_tools.h"
#include "cuda/form/cu_tree.h"
#include "cuda/form/cu_value.h"
#include "cuda/form/cu_walk.h"
#include "cxx/cx_parse.h"
#include "cxx/cx_parser.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// What is known of how many elements a parameter's array has.
typedef struct {
  Decl *param;
  Expr *size;
  bool is_exact;  // else it has at least so many
  bool is_length; // a parameter of its own: all facts are conditions of it
  bool is_joined; // of several facts
} Length;

typedef struct {
  CuContext *cu;
  CuFunction *kernel;
  CuDeclVec *params;
  CuClauseVec *clauses;
  const CudaTranslation *options; // or NULL
  hd_vec(Length) lengths;
} Assume;

// --------------------------------------------------------------- C++ trees

static bool assume_is_call_of(const CxExpr *expr, const char *name) {
  const CxExpr *callee =
      expr->kind == CX_EXPR_CALL ? expr->u.call.callee : NULL;
  return callee && callee->kind == CX_EXPR_NAME &&
         callee->u.name->n_parts == 1 && callee->u.name->parts[0].name &&
         strcmp(callee->u.name->parts[0].name, name) == 0;
}

// The array of `len(x)`.
static const CxExpr *measured(const CxExpr *expr) {
  return assume_is_call_of(expr, "len") && expr->u.call.args.count == 1
             ? expr->u.call.args.data[0]
             : NULL;
}

// `size OP len(array)`, whichever side is which.
typedef struct {
  BinaryOp op; // LE, LT or EQ
  const CxExpr *size, *array;
  Span span;
} Extent;

static bool find_extent(const CxExpr *expr, Extent *out) {
  if (expr->kind != CX_EXPR_BINARY)
    return false;
  const CxExpr *left = expr->u.binary.left, *right = expr->u.binary.right;
  bool is_swapped = measured(left) != NULL;
  out->array = measured(is_swapped ? left : right);
  out->size = is_swapped ? right : left;
  out->span = expr->span;
  switch ((int)expr->u.binary.op) {
  case BINARY_EQ: out->op = BINARY_EQ; break;
  case BINARY_LE:
  case BINARY_GE: out->op = BINARY_LE; break;
  case BINARY_LT:
  case BINARY_GT: out->op = BINARY_LT; break;
  default: return false;
  }
  bool is_less =
      expr->u.binary.op == BINARY_LE || expr->u.binary.op == BINARY_LT;
  return out->array && !measured(out->size) &&
         (out->op == BINARY_EQ || is_less != is_swapped);
}

// ------------------------------------------------------------ Heddle trees

static void become_number(Expr *expr, uint32_t value) {
  *expr = (Expr){.kind = EXPR_INT,
                 .id = expr->id,
                 .span = expr->span,
                 .depth = 1,
                 .u.int_lit = {.value = value, .base = 10}};
}

// In clauses block_dim().x is the parameter block_dim_x, and grid_dim().x a
// number if the grid is known.
static void name_sizes(const Assume *a, Expr *expr) {
  CuContext *cu = a->cu;
  if (expr->kind != EXPR_MEMBER)
    return;
  const Expr *base = expr->u.member.base;
  while (base->kind == EXPR_CAST)
    base = base->u.cast.operand;
  int axis = expr->u.member.name[0] - 'x';
  if (cu_is_call_of(base, "grid_dim") && a->options && a->options->has_grid) {
    become_number(expr, a->options->grid[axis]);
  } else if (cu_is_call_of(base, "block_dim")) {
    *expr = (Expr){
        .kind = EXPR_NAME, .id = expr->id, .span = expr->span, .depth = 1};
    expr->u.name = cu->launch.block_dims[axis]->wanted;
    cu_name_spelled(cu, cu->launch.block_dims[axis], &expr->u.name);
    map_put(cu->arena, &cu->output.named, MAP_KEY(expr),
            cu->launch.block_dims[axis]);
  }
}

// Whether it can stand outside of the body; names sizes of the launch in it.
static bool make_clause(const Assume *a, Expr *expr) {
  name_sizes(a, expr);
  switch ((int)expr->kind) {
  case EXPR_INT:
  case EXPR_BOOL:
  case EXPR_FLOAT:
  case EXPR_NAME: return true;
  case EXPR_UNARY: return make_clause(a, expr->u.unary.operand);
  case EXPR_CAST: return make_clause(a, expr->u.cast.operand);
  case EXPR_BINARY: {
    bool is_left = make_clause(a, expr->u.binary.left);
    return make_clause(a, expr->u.binary.right) && is_left;
  }
  case EXPR_CONDITIONAL: {
    bool is_condition = make_clause(a, expr->u.conditional.condition);
    bool is_true = make_clause(a, expr->u.conditional.if_true);
    return make_clause(a, expr->u.conditional.if_false) && is_true &&
           is_condition;
  }
  case EXPR_CALL: {
    bool is_clause = cu_is_call_of(expr, "min") || cu_is_call_of(expr, "max");
    for (uint32_t i = 0; i < expr->u.call.args.count; i++)
      is_clause &= make_clause(a, expr->u.call.args.data[i]);
    return is_clause;
  }
  default: return false;
  }
}

typedef struct {
  CuWalk walk;
  bool is_found;
} Changes;

static void assume_note_change(CuWalk *walk, const Expr *expr) {
  Changes *changes = (Changes *)walk;
  changes->is_found |=
      expr->kind == EXPR_ASSIGN ||
      (expr->kind == EXPR_UNARY && expr->u.unary.op >= UNARY_PRE_INC);
}

// What is assumed is no statement: `n = 4` would become true.
static bool refuse_changes(CuContext *cu, const Expr *expr) {
  Changes changes = {.walk = {.on_expr = assume_note_change}};
  cu_walk_expr(&changes.walk, expr);
  if (changes.is_found)
    cu_unsupported(cu, expr->span, "a condition that changes a variable",
                   "'==' compares");
  return changes.is_found;
}

static void assume_add_clause(const Assume *a, Expr *condition, bool is_made) {
  Clause clause = {
      .kind = CLAUSE_REQUIRES, .span = condition->span, .is_made = is_made};
  clause.args.data = ARENA_ARRAY(a->cu->arena, Expr *, 1);
  clause.args.data[clause.args.count++] = condition;
  VEC_PUSH(a->cu->arena, a->clauses, clause);
}

static void add_requires(Assume *a, Expr *condition) {
  CuContext *cu = a->cu;
  if (refuse_changes(cu, condition))
    return;
  if (!make_clause(a, condition)) {
    if (cu->reports.given) // it has no text in the file
      condition->span.end = condition->span.begin;
    Expr *call = cu_word_call(cu, "assume", condition, NULL, condition->span);
    VEC_PUSH(cu->arena, &cu->frame->prologue,
             cu_expr_stmt(cu, call, condition->span));
    return;
  }
  assume_add_clause(a, condition, false);
}

// ----------------------------------------------------------------- extents

static bool assume_is_word(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

// `++x`, `x +=`, `x =` and the like at a place where x stands.
static bool is_assigned_at(const char *text, size_t at, size_t length) {
  size_t before = at, behind = at + length;
  while (before > 0 && isspace((unsigned char)text[before - 1]))
    before--;
  while (isspace((unsigned char)text[behind]))
    behind++;
  if (before > 1 && (text[before - 1] == '+' || text[before - 1] == '-') &&
      text[before - 2] == text[before - 1])
    return true;
  const char *next = text + behind;
  bool is_sign = next[0] == '+' || next[0] == '-';
  bool is_deref = before > 0 && text[before - 1] == '*';
  bool is_member =
      before > 1 && text[before - 1] == '>' && text[before - 2] == '-';
  if (is_sign && next[1] == next[0])
    return !is_member; // *x++ moves x
  return !is_deref && !is_member &&
         ((next[0] == '=' && next[1] != '=') || (is_sign && next[1] == '='));
}

// `&x`, or a lambda that has all by reference.
static bool is_referred_at(const char *text, size_t at, size_t length) {
  size_t before = at, behind = at + length;
  while (before > 0 && isspace((unsigned char)text[before - 1]))
    before--;
  while (isspace((unsigned char)text[behind]))
    behind++;
  bool is_element = text[behind] == '[' || text[behind] == '.' ||
                    (text[behind] == '-' && text[behind + 1] == '>');
  return before > 1 && text[before - 1] == '&' && text[before - 2] != '&' &&
         !assume_is_word(text[before - 2]) && text[before - 2] != ')' &&
         !is_element;
}

// In the body of a lambda with [&].
static bool is_captured(const CxToken *all, CxTokens body, const char *name) {
  for (uint32_t i = body.begin; i + 1 < body.end; i++) {
    if (all[i].kind != CX_TOK_LBRACKET || all[i + 1].kind != CX_TOK_AMP)
      continue;
    uint32_t at = all[i].u.match;
    while (at < body.end && all[at].kind != CX_TOK_LBRACE &&
           all[at].kind != CX_TOK_SEMICOLON)
      at++;
    uint32_t end = at < body.end && all[at].kind == CX_TOK_LBRACE
                       ? all[at].u.match
                       : body.end;
    for (; at < end && at < body.end; at++)
      if (all[at].kind == CX_TOK_IDENT && all[at].u.name == name)
        return true;
  }
  return false;
}

// `what`, as in "len()", is said of an array.
static Decl *assume_param_of(const Assume *a, const CxExpr *array,
                             const char *what) {
  CuValue value = cu_expr(a->cu, array);
  for (uint32_t i = 0; i < a->params->count && value.variable; i++) {
    if (a->params->data[i] == value.variable->decl)
      return a->params->data[i];
  }
  if (!cu_operand(a->cu, array).expr)
    return NULL; // was reported
  cu_unsupported(a->cu, array->span,
                 cu_format(a->cu,
                           "%s of anything but a pointer that is a parameter",
                           what),
                 "name a parameter");
  return NULL;
}

// *is_fixed: false where it depends on a grid that isn't known.
static Expr *extent_expr(const Assume *a, const Extent *extent,
                         bool *is_fixed) {
  CuContext *cu = a->cu;
  CuValue size = cu_operand(cu, extent->size);
  if (!size.expr || refuse_changes(cu, size.expr))
    return NULL;
  Expr *one = cu_int_literal(cu, 1, size.span);
  Expr *expr = extent->op == BINARY_LT
                   ? cu_binary(cu, BINARY_ADD, size.expr, one, size.span)
                   : size.expr;
  *is_fixed = make_clause(a, expr);
  return expr;
}

// The number of elements as a parameter that only the output has, for what
// can't be an extent.
static Expr *add_length(const Assume *a, const Decl *array, Span span) {
  CuContext *cu = a->cu;
  const char *of = cu_source_text(cu, array->name_span);
  const CuType *type = cu_basic(&cu->types, CU_LONG);
  CuScope *before = cu_set_scope(cu, cu->scope->parent); // of parameters
  CuVariable *variable = cu_new_local(cu, cu_format(cu, "len_%s", of), type);
  cu_set_scope(cu, before);
  CuLength length = {variable->name, cu_format(cu, "len(%s)", of)};
  VEC_PUSH(cu->arena, &cu->launch.lengths, length);
  return cu_name_expr(cu, length.name, span);
}

// No array that a launch passes: it stays a pointer, and its bounds open.
static bool is_of_pointers(CuContext *cu, const CxExpr *array) {
  const CuType *type = cu_plain(cu_operand(cu, array).type);
  return type->kind == CU_POINTER && cu_has_pointer(type->u.inner);
}

static Length *length_of(Assume *a, const Decl *param) {
  for (uint32_t i = 0; i < a->lengths.count; i++)
    if (a->lengths.data[i].param == param)
      return &a->lengths.data[i];
  return NULL;
}

// Of a parameter of which nothing is said yet.
static void begin_length(Assume *a, Decl *param, Expr *size, bool is_exact,
                         bool is_length) {
  CuContext *cu = a->cu;
  TypeSyntax *type = param->type;
  param->type = cu_array_type(cu, type->u.pointer.pointee, size, type->span);
  VEC_PUSH(cu->arena, &a->lengths,
           ((Length){param, size, is_exact, is_length, is_length}));
}

static void set_size(Length *length, Expr *size) {
  length->size = size;
  length->param->type->u.array.extent = size;
}

static void assume_require(Assume *a, BinaryOp op, Expr *left,
                           const Expr *right, Span span) {
  Expr *copy = cu_clone(a->cu, right, span);
  add_requires(a, cu_binary(a->cu, op, left, copy, span));
}

// From now on the extent is a parameter of its own.
static void free_length(Assume *a, Length *length, Span span) {
  Expr *own = add_length(a, length->param, span);
  assume_require(a, length->is_exact ? BINARY_EQ : BINARY_LE, length->size, own,
                 span);
  set_size(length, own);
  length->is_length = true;
}

// The array has at least `size` elements, and at least those that were known.
static Expr *assume_larger(CuContext *cu, Expr *known, Expr *size) {
  if (known->kind == EXPR_INT && size->kind == EXPR_INT)
    return known->u.int_lit.value > size->u.int_lit.value ? known : size;
  return cu_word_call(cu, "max", known, size, size->span);
}

// An extent isn't negative. What is no extent of its own any more keeps that.
static void require_count(const Assume *a, const Expr *size, Span span) {
  CuContext *cu = a->cu;
  if (size->kind == EXPR_INT)
    return;
  Expr *zero = cu_int_literal(cu, 0, span);
  assume_add_clause(
      a, cu_binary(cu, BINARY_GE, cu_clone(cu, size, span), zero, span), true);
}

static void require_counts(const Assume *a, Length *length, const Expr *size,
                           bool is_fixed, Span span) {
  if (!length->is_joined)
    require_count(a, length->size, span);
  length->is_joined = true;
  if (is_fixed)
    require_count(a, size, span);
}

// One more fact about a length. Neither may be forgotten, and none follows from
// the other: of two lower bounds the larger one is the extent.
static void add_to_length(Assume *a, Length *length, Expr *size, bool is_exact,
                          Span span) {
  if (length->is_length) {
    assume_require(a, is_exact ? BINARY_EQ : BINARY_LE, size, length->size,
                   span);
  } else if (length->is_exact) {
    assume_require(a, is_exact ? BINARY_EQ : BINARY_LE, size, length->size,
                   span);
  } else if (is_exact) {
    assume_require(a, BINARY_LE, length->size, size, span);
    set_size(length, size);
    length->is_exact = true;
  } else {
    set_size(length, assume_larger(a->cu, length->size, size));
  }
}

static void add_extent(Assume *a, const Extent *extent) {
  CuContext *cu = a->cu;
  Decl *param = assume_param_of(a, extent->array, "len()");
  bool is_fixed = true, is_exact = extent->op == BINARY_EQ;
  Expr *size = param ? extent_expr(a, extent, &is_fixed) : NULL;
  if (!size || is_of_pointers(cu, extent->array))
    return;
  Length *length = length_of(a, param);
  if (!is_fixed && !(a->options && a->options->has_lengths))
    return;
  if (!length && param->type->kind != TYPE_POINTER) {
    cu_unsupported(cu, extent->array->span,
                   "len() of anything but a pointer that is a parameter",
                   "name a parameter");
    return;
  }
  if (!length && is_fixed) {
    begin_length(a, param, size, is_exact, false);
    return;
  }
  if (!length) {
    begin_length(a, param, add_length(a, param, size->span), false, true);
    length = length_of(a, param);
  }
  require_counts(a, length, size, is_fixed, extent->span);
  if (!is_fixed && !length->is_length) {
    free_length(a, length, size->span);
  }
  add_to_length(a, length, size, is_exact, extent->span);
}

// ---------------------------------------------------------------- contents

// The predicate of Heddle C about what an array holds; NULL: none. Some take
// bounds.
static const char *contents_word(const CxExpr *expr) {
  static const char *const words[] = {"injective", "monotone", "bounded"};
  for (int i = 0; i < 3; i++)
    if (assume_is_call_of(expr, words[i]) &&
        (expr->u.call.args.count == 3 ||
         (expr->u.call.args.count == 1 && i < 2)))
      return words[i];
  return NULL;
}

static void add_contents(Assume *a, const char *word, const CxExpr *expr) {
  CuContext *cu = a->cu;
  const CxExprList *given = &expr->u.call.args;
  Decl *param = assume_param_of(a, given->data[0], cu_format(cu, "%s()", word));
  Expr **args = ARENA_ARRAY(cu->arena, Expr *, 3);
  if (!param)
    return; // was reported
  args[0] = cu_operand(cu, given->data[0]).expr;
  for (uint32_t i = 1; i < given->count; i++) {
    args[i] = cu_operand(cu, given->data[i]).expr;
    if (!args[i] || refuse_changes(cu, args[i]))
      return;
    if (!make_clause(a, args[i])) {
      cu_unsupported(cu, given->data[i]->span,
                     cu_format(cu, "this bound of %s()", word),
                     "bounds are made of parameters and constants");
      return;
    }
  }
  Expr *call = cu_call(cu, cu_word_expr(cu, word, expr->span), args,
                       given->count, expr->span);
  assume_add_clause(a, call, false);
}

// -------------------------------------------------------------- conditions

static bool mentions_length(const CxExpr *expr) {
  if (expr->kind == CX_EXPR_BINARY)
    return mentions_length(expr->u.binary.left) ||
           mentions_length(expr->u.binary.right);
  return expr->kind == CX_EXPR_UNARY ? mentions_length(expr->u.unary.operand)
                                     : measured(expr) != NULL;
}

static void assume_add_condition(Assume *a, const CxExpr *expr) {
  Extent extent;
  if (expr->kind == CX_EXPR_BINARY && expr->u.binary.op == BINARY_LOG_AND) {
    assume_add_condition(a, expr->u.binary.left);
    assume_add_condition(a, expr->u.binary.right);
  } else if (find_extent(expr, &extent)) {
    add_extent(a, &extent);
  } else if (contents_word(expr)) {
    add_contents(a, contents_word(expr), expr);
  } else if (mentions_length(expr)) {
    cu_unsupported(a->cu, expr->span, "this condition about len()",
                   "write E <= len(x), E < len(x) or E == len(x)");
  } else {
    CuValue value = cu_condition(a->cu, expr);
    if (value.expr)
      add_requires(a, value.expr);
  }
}

// dynamic_shared_bytes is a parameter that only the output has.
static void add_shared_bytes(Assume *a, const CudaFact *fact, Span span) {
  CuContext *cu = a->cu;
  const char *why = NULL;
  const CxExpr *expr =
      cx_parse_text(cu->tree, a->kernel->decl, fact->value, span, &why);
  Expr *bytes = expr ? cu_operand(cu, expr).expr : NULL;
  if (!bytes)
    return; // was reported
  if (!cu->launch.dynamic_bytes)
    cu->launch.dynamic_bytes = cu_launch_name(cu, "dynamic_shared_bytes");
  Expr *left = cu_name_expr(cu, cu->launch.dynamic_bytes, span);
  add_requires(a, cu_binary(cu, BINARY_EQ, left, bytes, span));
}

static bool assume_is_known(CuContext *cu, const CxExpr *expr) {
  CuTrial trial = cu_trial_begin(cu);
  (void)cu_operand(cu, expr);
  return !cu_trial_end(cu, trial);
}

// False: it names what this kernel doesn't have.
static bool assume_applies(const Assume *a, const CxExpr *expr) {
  Extent extent;
  if (!a->options->is_for_all)
    return true;
  if (expr->kind == CX_EXPR_BINARY && expr->u.binary.op == BINARY_LOG_AND)
    return assume_applies(a, expr->u.binary.left) &&
           assume_applies(a, expr->u.binary.right);
  if (find_extent(expr, &extent))
    return assume_is_known(a->cu, extent.array) &&
           assume_is_known(a->cu, extent.size);
  bool is_all = contents_word(expr) != NULL;
  for (uint32_t i = 0; is_all && i < expr->u.call.args.count; i++)
    is_all = assume_is_known(a->cu, expr->u.call.args.data[i]);
  return is_all || (!contents_word(expr) && assume_is_known(a->cu, expr));
}

static void assume_add_given(Assume *a, const CudaFact *fact, Span span) {
  const char *why = NULL;
  if (fact->sets == CUDA_SIZE_SHARED) {
    add_shared_bytes(a, fact, span);
    return;
  }
  const CxExpr *expr =
      cx_parse_text(a->cu->tree, a->kernel->decl, fact->text, span, &why);
  if (expr && !assume_applies(a, expr))
    return;
  if (expr) {
    assume_add_condition(a, expr);
    return;
  }
  a->cu->reports.given = NULL; // the message has it
  cu_unsupported(a->cu, span,
                 cu_format(a->cu, "the assumption '%s' (%s)", fact->text, why),
                 "write a condition as in C++");
}

static void assume_add_fact(Assume *a, const CudaFact *fact) {
  const char *before = a->cu->reports.given;
  a->cu->reports.given = cu_format(a->cu, "the assumption '%s'", fact->text);
  assume_add_given(a, fact, a->kernel->decl->name_span);
  a->cu->reports.given = before;
}

static void add_annotation(Assume *a, const CxAnnotation *annotation) {
  bool is_known = strcmp(annotation->word, "requires") == 0 ||
                  strcmp(annotation->word, "assume") == 0;
  if (!is_known)
    return;
  const CxExpr *expr =
      cx_parse_tokens(a->cu->tree, a->kernel->decl, annotation->tokens);
  if (expr->kind != CX_EXPR_POISON) {
    assume_add_condition(a, expr);
    return;
  }
  a->cu->reports.n_errors++; // which was reported
  a->cu->reports.failed = true;
}

static bool is_requirement(const CxStmt *stmt) {
  return stmt->kind == CX_STMT_EXPR && stmt->u.expr &&
         (assume_is_call_of(stmt->u.expr, "__requires") ||
          assume_is_call_of(stmt->u.expr, "__assume")) &&
         stmt->u.expr->u.call.args.count == 1;
}

// --------------------------------------------------- what a launch says of it

// The blocks along the axis, as the clause `grid` may say; NULL: it can't.
static Expr *grid_expr(Assume *a, const char *text, Span span) {
  const char *why = NULL;
  const CxExpr *expr =
      cx_parse_text(a->cu->tree, a->kernel->decl, text, span, &why);
  if (!expr || !assume_is_known(a->cu, expr))
    return NULL;
  Expr *blocks = cu_operand(a->cu, expr).expr;
  return blocks && make_clause(a, blocks) ? blocks : NULL;
}

// Of "gridDim.x == E"; -1: it says something else.
static int assume_grid_axis(const CudaFact *fact) {
  for (int axis = 0; axis < 3; axis++)
    if (fact->sets == (unsigned)CUDA_SIZE_GRID_X << axis)
      return axis;
  return -1;
}

static void assume_add_grid(Assume *a, Expr *const blocks[3], Span span) {
  Clause clause = {.kind = CLAUSE_GRID, .span = span};
  clause.args.data = ARENA_ARRAY(a->cu->arena, Expr *, 3);
  for (int i = 0; i < 3; i++)
    clause.args.data[clause.args.count++] = blocks[i];
  while (clause.args.count > 1 &&
         blocks[clause.args.count - 1]->kind == EXPR_INT &&
         blocks[clause.args.count - 1]->u.int_lit.value == 1)
    clause.args.count--;
  VEC_PUSH(a->cu->arena, a->clauses, clause);
}

// A grid of which an axis isn't known can't be stated.
static void add_statement(Assume *a, const CudaFacts *facts) {
  Span span = a->kernel->decl->name_span;
  Expr *blocks[3] = {NULL};
  for (uint32_t i = 0; i < facts->count; i++) {
    int axis = assume_grid_axis(&facts->data[i]);
    if (axis >= 0)
      blocks[axis] = grid_expr(a, facts->data[i].value, span);
  }
  bool has_grid = blocks[0] && blocks[1] && blocks[2];
  if (has_grid)
    assume_add_grid(a, blocks, span);
  for (uint32_t i = 0; i < facts->count; i++)
    if (!has_grid || assume_grid_axis(&facts->data[i]) < 0)
      assume_add_fact(a, &facts->data[i]);
}

// ------------------------------------------------------------ moved pointers

// What only looks like an assignment costs a variable, nothing else.
static bool is_moved(const Assume *a, const char *name) {
  const CxTokens *body = &a->kernel->decl->u.function.body;
  Span span = cx_tokens_span(a->cu->tree, *body);
  const char *text = source_text(a->cu->source);
  size_t length = strlen(name);
  const CxToken *all = a->cu->tree->parser->lexed.tokens.data;
  if (is_captured(all, *body, intern_cstr(a->cu->names, name)))
    return true;
  for (size_t i = span.begin; i + length <= span.end; i++) {
    if (memcmp(text + i, name, length) == 0 &&
        !assume_is_word(text[i + length]) &&
        (i == 0 || (!assume_is_word(text[i - 1]) && text[i - 1] != '.')) &&
        (is_assigned_at(text, i, length) || is_referred_at(text, i, length)))
      return true;
  }
  return false;
}

// An array can't move, and a kernel's pointer can't leave global memory: what
// does is a variable that begins there.
static void shadow(Assume *a, const Decl *param) {
  CuContext *cu = a->cu;
  const char *name =
      intern_cstr(cu->names, cu_source_text(cu, param->name_span));
  CuEntity *entity = cu_named(cu, cu->scope, name);
  if (!entity || !entity->variable || entity->variable->decl != param)
    return;
  CuVariable *from = entity->variable;
  CuVariable *moving = cu_new_local(cu, name, from->type);
  Decl *decl = cu_add_local(
      cu, moving, cu_name_expr(cu, from->name, param->span), param->span);
  decl->name_span = param->name_span;
  cu_declare_local(cu, moving, name, NULL);
}

// ---------------------------------------------------------------------- all

uint32_t cu_add_assumptions(CuContext *cu, CuFunction *kernel,
                            CuDeclVec *params, const CxStmt *body,
                            const CudaTranslation *options,
                            CuClauseVec *clauses) {
  Assume a = {.cu = cu,
              .kernel = kernel,
              .params = params,
              .clauses = clauses,
              .options = options};
  const CxStmtList *items = &body->u.compound.items;
  const CxDecl *decl = kernel->decl;
  for (uint32_t i = 0; i < decl->u.function.n_annotations; i++)
    add_annotation(&a, &decl->u.function.annotations[i]);
  uint32_t n = 0;
  for (; n < items->count && is_requirement(items->data[n]); n++)
    if (!cu_is_for_tools(items->data[n]->u.expr))
      assume_add_condition(&a, items->data[n]->u.expr->u.call.args.data[0]);
  for (uint32_t i = 0; options && i < options->n_assumptions; i++)
    assume_add_fact(&a, &options->assumptions[i]);
  if (options && options->statement)
    add_statement(&a, &options->statement->facts);
  CuScope *before = cu_set_scope(cu, cu->scope->parent); // of parameters
  for (uint32_t i = 0; i < params->count; i++) {
    const Decl *param = params->data[i];
    if (cu_is_held_open(cu, CUDA_HELD_DECL, param->name_span) ||
        (length_of(&a, param) &&
         is_moved(&a, cu_source_text(cu, param->name_span))))
      shadow(&a, param);
  }
  cu_set_scope(cu, before);
  return n;
}
