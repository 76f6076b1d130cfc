// SPDX-License-Identifier: Apache-2.0
// Group statements: what is known of their ranges at compile time.
#include "sema/context.h"

bool check_no_operator(SemaContext *cx, Span span, const char *what) {
  const char *name = cx->body->group.operator_of;
  if (!name)
    return true;
  SEMA_ERROR(cx, span, operator_effect, DS(name), DS(what));
  return false;
}

bool check_needs_group(SemaContext *cx, Span span, const char *what) {
  const GroupState *group = &cx->body->group;
  if (!check_no_operator(cx, span, what))
    return false;
  if (!group->is_strided_thread)
    return true;
  SEMA_ERROR(cx, span, single_thread_only, DS(what),
             DS(group->reason ? group->reason : "it is strided"));
  return false;
}

typedef struct {
  const char *word;
  TGroupKind kind;
  uint32_t least, most; // arguments
  int64_t unit;         // threads that begin and count are given in
} GroupForm;

static const GroupForm *check_group_form(StmtKind kind) {
  static const GroupForm range = {"thread_group", TGROUP_RANGE, 2, 2, 1};
  static const GroupForm thread = {"single_thread", TGROUP_SINGLE, 0, 1, 1};
  static const GroupForm warp = {"single_warp", TGROUP_RANGE, 0, 1, 32};
  static const GroupForm warps = {"warp_group", TGROUP_RANGE, 2, 2, 32};
  if (kind == STMT_SINGLE_THREAD)
    return &thread;
  if (kind == STMT_SINGLE_WARP)
    return &warp;
  return kind == STMT_WARP_GROUP ? &warps : &range;
}

static const char *expected_arguments(const GroupForm *form) {
  if (form->least == form->most)
    return "2 arguments, begin and count";
  return "at most 1 argument";
}

// In threads, as a long. NULL: it was wrong.
static TExpr *check_begin(SemaContext *cx, const Expr *expr,
                          const GroupForm *form) {
  TExpr *value =
      check_long(cx, expr, sema_format(cx, "the begin of '%s'", form->word));
  if (expr_is_poison(value))
    return NULL;
  if (form->unit == 1)
    return value;
  TExpr *unit = build_int(cx, value->type, form->unit, expr->span);
  value = build_binary(cx, TOP_MUL, "*", value, unit, expr->span);
  return expr_is_poison(value) ? NULL : value;
}

static bool check_count(SemaContext *cx, const Expr *expr,
                        const GroupForm *form, int64_t *count) {
  if (!check_const_int(cx, expr,
                       sema_format(cx, "the count of '%s'", form->word), count))
    return false;
  if (*count <= 0) {
    SEMA_VALUE_ERROR(cx, expr->span, group_count, DD(*count * form->unit));
    return false;
  }
  *count = *count > INT32_MAX ? INT32_MAX : *count;
  *count *= form->unit;
  return true;
}

static bool check_group_range(SemaContext *cx, const Stmt *stmt,
                              const TExpr *begin, int64_t count) {
  int64_t size = cx->body->group.size;
  bool is_known = begin && expr_is_const(begin);
  int64_t first = is_known ? begin->u.value.i : 0;
  if (cx->unevaluated)
    return true;
  if (first < 0) {
    SEMA_ERROR(cx, stmt->u.group.args.data[0]->span, group_begin, DD(first));
    return false;
  }
  if (size > 0 && (count > size || first > size - count)) {
    Span head = stmt->keyword;
    uint32_t n_args = stmt->u.group.args.count;
    if (n_args)
      head = span_join(head, stmt->u.group.args.data[n_args - 1]->span);
    int64_t last = first > INT64_MAX - count ? INT64_MAX : first + count - 1;
    SEMA_ERROR(cx, head, group_range, DD(first), DD(last), DD(size));
    return false;
  }
  if (cx->options.strict_groups && size > 0 && size % count != 0) {
    SEMA_ERROR(cx, stmt->keyword, group_divides, DD(count), DD(size));
    return false;
  }
  return true;
}

static TStmt *check_group_body(SemaContext *cx, const Stmt *stmt,
                               const char *construct, int64_t size) {
  Body *body = cx->body;
  Jump jump = {.outer = body->jump, .kind = JUMP_GROUP, .construct = construct};
  GroupState outer = body->group;
  int64_t product = body->thread_product;
  body->jump = &jump;
  body->group = (GroupState){.number = ++cx->n_groups,
                             .size = size,
                             .max_size = size,
                             .parts = 1,
                             .is_open = outer.is_open};
  body->thread_product = 0;
  TStmt *result = check_block(cx, stmt->u.group.body);
  body->thread_product = product;
  body->group = outer;
  body->jump = jump.outer;
  return result;
}

static bool check_group_arguments(SemaContext *cx, const Stmt *stmt,
                                  const GroupForm *form, TExpr **begin,
                                  int64_t *count) {
  const ExprList *args = &stmt->u.group.args;
  *begin = NULL;
  *count = form->unit;
  if (args->count < form->least || args->count > form->most) {
    SEMA_ERROR(cx, stmt->keyword, argument_count, DS(form->word),
               DS(expected_arguments(form)), DU(args->count));
    return false;
  }
  if (args->count > 0)
    *begin = check_begin(cx, args->data[0], form);
  else if (form->kind == TGROUP_RANGE)
    *begin = build_int(cx, sema_basic(cx, TY_LONG), 0, stmt->keyword);
  bool has_count =
      args->count < 2 || check_count(cx, args->data[1], form, count);
  bool wants_begin = args->count > 0 || form->kind == TGROUP_RANGE;
  return has_count && (*begin || !wants_begin);
}

TStmt *check_group_stmt(SemaContext *cx, const Stmt *stmt) {
  const GroupForm *form = check_group_form(stmt->kind);
  TExpr *begin;
  int64_t count;
  bool is_allowed =
      check_needs_group(cx, stmt->keyword, sema_format(cx, "'%s'", form->word));
  bool is_valid = is_allowed &&
                  check_group_arguments(cx, stmt, form, &begin, &count) &&
                  check_group_range(cx, stmt, begin, count);
  if (!is_valid) {
    // The body is still looked at, under a group of unknown size.
    check_group_body(cx, stmt, form->word, 0);
    return NULL;
  }
  TStmt *result = build_stmt(cx, TSTMT_GROUP, stmt->span);
  result->u.group.kind = form->kind;
  if (form->kind == TGROUP_SINGLE && begin)
    result->u.group.kind = TGROUP_SINGLE_AT;
  result->u.group.begin = begin;
  result->u.group.count = count;
  result->u.group.parent_size = cx->body->group.size;
  result->u.group.body = check_group_body(cx, stmt, form->word, count);
  return result;
}
