// SPDX-License-Identifier: Apache-2.0
// The body that stands for a function without one: all that its contract lets
// it do, as the checker has to see it.
//
//   T f(float a[n], group g) reads(a[lo:len]) writes(a) syncs(g);
//
// is
//
//   if (rank(g) == some number below size(g), one for all threads of g) {
//     a[some number in lo … lo + len - 1];
//     a[some number] = unknown;
//   }
//   sync(g);
//   … the same touches again …
//   return unknown;
//
// One thread of g touches at a time, any of them: what the threads of one call
// touch is ordered by the function itself, which is what `syncs` says. Without
// it every thread that calls may touch all that the sections name.
#include "sema/builtin_table.h"
#include "sema/instance.h"

#include <string.h>

typedef struct {
  SemaContext *cx;
  const Decl *decl;
  Expr *group; // of syncs, NULL: none
  StmtBuilder *out;
  hd_vec(TSection) sections;
} Contract;

bool has_contract(const Decl *decl) {
  return function_clause(decl, CLAUSE_READS) ||
         function_clause(decl, CLAUSE_WRITES) ||
         function_clause(decl, CLAUSE_SYNCS);
}

// --- values that nobody knows ---

static TExpr *contract_body_unknown(const Contract *c, const Type *type,
                                    Span span) {
  TExpr *value = build_call_builtin(c->cx, BI_UNKNOWN, type, NULL, 0, span);
  value->u.builtin.text = c->decl->name;
  value->u.builtin.text_length = (uint32_t)strlen(c->decl->name);
  return value;
}

static TExpr *thread_group(SemaContext *cx, Span span) {
  TExpr *group = build_expr(cx, TEXPR_GROUP, sema_basic(cx, TY_GROUP), span);
  group->u.group.ref = TGROUP_THREAD;
  group->u.group.facts =
      (TGroupFacts){.ref = TGROUP_THREAD, .size = 1, .max_size = 1};
  return group;
}

// Some number in low … end - 1, the same for all threads of the group.
static TExpr *contract_body_choice(SemaContext *cx, TExpr *group, TExpr *low,
                                   TExpr *end) {
  TExpr *args[3] = {group, low, end};
  return build_call_builtin(cx, BI_CHOICE, sema_basic(cx, TY_LONG), args, 3,
                            low->span);
}

// rank(g), size(g), sync(g)
static TExpr *of_group(const Contract *c, Builtin id) {
  SemaContext *cx = c->cx;
  const BuiltinName builtin = {"syncs", id, TY_POISON};
  Expr *call = ARENA_NEW(cx->arena, Expr);
  Expr **args = ARENA_ARRAY(cx->arena, Expr *, 1);
  args[0] = c->group;
  *call = (Expr){.kind = EXPR_CALL, .span = c->group->span};
  call->u.call.args = (ExprList){.data = args, .count = 1};
  return check_builtin_call(cx, &builtin, call);
}

// --- touches ---

static TExpr *contract_body_compare(SemaContext *cx, TOp op, TExpr *left,
                                    TExpr *right) {
  TExpr *result =
      build_binary(cx, op, op == TOP_EQ ? "==" : "<", left, right, left->span);
  return result;
}

static TStmt *contract_body_expression(SemaContext *cx, TExpr *value) {
  TStmt *stmt = build_stmt(cx, TSTMT_EXPR, value->span);
  stmt->u.expr = value;
  return stmt;
}

static TStmt *contract_body_guarded(SemaContext *cx, TExpr *condition,
                                    TStmt *inner) {
  TStmt *stmt = build_stmt(cx, TSTMT_IF, inner->span);
  stmt->u.if_.condition = condition;
  stmt->u.if_.if_true = inner;
  return stmt;
}

static TStmt *touch(const Contract *c, const TSection *section, bool is_write) {
  SemaContext *cx = c->cx;
  const Type *index = sema_basic(cx, TY_LONG);
  TExpr *zero = build_int(cx, index, 0, section->span);
  TExpr *place = build_var(cx, section->array, section->span);
  TExpr **is_any = ARENA_ARRAY(cx->arena, TExpr *, section->rank);
  for (uint32_t i = 0; i < section->rank; i++) {
    TExpr *low = section->lo[i], *length = section->length[i];
    TExpr *end = build_binary(cx, TOP_ADD, "+", low, length, section->span);
    is_any[i] = contract_body_compare(cx, TOP_LT, zero, length);
    place =
        build_index(cx, place,
                    section->is_index[i]
                        ? low
                        : contract_body_choice(
                              cx, thread_group(cx, section->span), low, end),
                    section->span);
  }
  TExpr *value;
  if (is_write) {
    value = build_expr(cx, TEXPR_ASSIGN, place->type, section->span);
    value->u.binary.left = place;
    value->u.binary.right =
        contract_body_unknown(c, place->type, section->span);
  } else {
    value = build_load(cx, place);
  }
  TStmt *result = contract_body_expression(cx, value);
  for (uint32_t i = section->rank; i-- > 0;)
    if (!section->is_index[i])
      result = contract_body_guarded(cx, is_any[i], result);
  return result;
}

static bool may_touch(SemaContext *cx, const TSection *section, bool is_write) {
  const Type *element = section->array->element;
  if (!sema_may_lie(cx, section->span, element, "named in a contract"))
    return false;
  TExpr *place = build_var(cx, section->array, section->span);
  const Type *index = sema_basic(cx, TY_LONG);
  for (uint32_t i = 0; i < section->rank; i++)
    place = build_index(cx, place, build_int(cx, index, 0, section->span),
                        section->span);
  return !is_write || check_writable(cx, place, "writes", section->span);
}

typedef hd_vec(TSection) SectionList;

static SectionList sections_of(const Contract *c, ClauseKind kind) {
  SemaContext *cx = c->cx;
  const ClauseList *clauses = &c->decl->u.function.clauses;
  SectionList list = {0};
  for (uint32_t i = 0; i < clauses->count; i++) {
    const Clause *clause = &clauses->data[i];
    for (uint32_t k = 0; clause->kind == kind && k < clause->args.count; k++) {
      TSection section;
      if (check_section(cx, clause->args.data[k], &section) &&
          may_touch(cx, &section, kind == CLAUSE_WRITES))
        VEC_PUSH(cx->arena, &list, section);
    }
  }
  return list;
}

static TStmt *contract_body_touches(Contract *c) {
  SemaContext *cx = c->cx;
  StmtBuilder items = {0};
  SectionList reads = sections_of(c, CLAUSE_READS);
  SectionList writes = sections_of(c, CLAUSE_WRITES);
  for (uint32_t i = 0; i < reads.count; i++)
    VEC_PUSH(cx->arena, &items.list, touch(c, &reads.data[i], false));
  for (uint32_t i = 0; i < writes.count; i++)
    VEC_PUSH(cx->arena, &items.list, touch(c, &writes.data[i], true));
  c->sections.count = 0;
  for (uint32_t i = 0; i < reads.count + writes.count; i++)
    VEC_PUSH(cx->arena, &c->sections,
             i < reads.count ? reads.data[i] : writes.data[i - reads.count]);
  return build_block(cx, &items, c->decl->span);
}

// By one thread of the group, any.
static TStmt *touches_by_one(Contract *c) {
  SemaContext *cx = c->cx;
  const Type *wide = sema_basic(cx, TY_LONG);
  TExpr *rank = of_group(c, BI_RANK), *size = of_group(c, BI_SIZE);
  TStmt *inner = contract_body_touches(c);
  if (expr_is_poison(rank) || expr_is_poison(size))
    return inner;
  TExpr *group = rank->u.builtin.args[0];
  TExpr *one =
      contract_body_choice(cx, group, build_int(cx, wide, 0, c->group->span),
                           build_convert(cx, size, wide));
  return contract_body_guarded(
      cx, contract_body_compare(cx, TOP_EQ, build_convert(cx, rank, wide), one),
      inner);
}

// --- the whole ---

static void contract_body_find_group(Contract *c) {
  const Clause *clause = function_clause(c->decl, CLAUSE_SYNCS);
  if (clause && clause->args.count == 1)
    c->group = clause->args.data[0];
  else if (clause)
    SEMA_ERROR(c->cx, clause->span, clause_arguments, DS("syncs"),
               DS("1 argument, a group"), DU(clause->args.count));
}

static void contract_body_add(Contract *c, TStmt *stmt) {
  VEC_PUSH(c->cx->arena, &c->out->list, stmt);
}

static bool is_result(SemaContext *cx, const Decl *decl, const Type *type) {
  if (type->kind == TY_VOID || type_is_poison(type) || type->kind != TY_POINTER)
    return true;
  SEMA_ERROR(cx, decl->name_span, bad_type,
             DS("the result of a function without a body"), NT(cx, type));
  return false;
}

void check_contract_body(SemaContext *cx, const Decl *decl, TFunc *func,
                         StmtBuilder *out) {
  Contract c = {.cx = cx, .decl = decl, .out = out};
  const Type *result = cx->body->result;
  Span span = decl->name_span;
  contract_body_find_group(&c);
  contract_body_add(
      &c, contract_body_expression(
              cx, contract_body_unknown(&c, sema_basic(cx, TY_BOOL), span)));
  if (c.group) {
    contract_body_add(&c, touches_by_one(&c));
    contract_body_add(&c, contract_body_expression(cx, of_group(&c, BI_SYNC)));
    contract_body_add(&c, touches_by_one(&c));
  } else {
    contract_body_add(&c, contract_body_touches(&c));
  }
  func->sections = c.sections.data;
  func->n_sections = c.sections.count;
  if (!is_result(cx, decl, result) || result->kind == TY_VOID)
    return;
  TStmt *stmt = build_stmt(cx, TSTMT_RETURN, span);
  stmt->u.expr = contract_body_unknown(&c, result, span);
  contract_body_add(&c, stmt);
}
