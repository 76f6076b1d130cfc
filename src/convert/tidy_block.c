// SPDX-License-Identifier: Apache-2.0
// Statements of a block. The translation declares one variable a statement;
// those that were written as one declaration become one again. What a
// template's argument decided, and what became empty, goes.
#include "convert/convert_tidy.h"

#include <string.h>

enum { LONGEST = 2000 }; // bytes from one name to the next

static bool tidy_block_is_number(const TypeSyntax *type) {
  return type->kind == TYPE_BUILTIN || type->kind == TYPE_NAMED;
}

static bool is_same_type(const TypeSyntax *a, const TypeSyntax *b) {
  if (a->kind != b->kind || a->quals != b->quals || !tidy_block_is_number(a))
    return false;
  return a->kind == TYPE_BUILTIN ? a->u.builtin == b->u.builtin
                                 : a->u.named == b->u.named;
}

static bool tidy_block_is_plain(const Stmt *stmt) {
  return stmt->kind == STMT_DECL && stmt->u.decls.count > 0 &&
         stmt->u.decls.data[0]->kind == DECL_VAR &&
         stmt->u.decls.data[0]->type && stmt->span.end > stmt->span.begin;
}

// The text between the names is that of one declaration.
static bool is_written_as_one(const Tidy *tidy, const Decl *a, const Decl *b) {
  size_t begin = a->name_span.end, end = b->name_span.begin;
  return tidy->unit->source && a->name_span.begin < begin && begin < end &&
         end - begin < LONGEST &&
         !memchr(source_text(tidy->unit->source) + begin, ';', end - begin);
}

static bool tidy_block_are_one(const Tidy *tidy, const Stmt *first,
                               const Stmt *second) {
  if (!tidy_block_is_plain(first) || !tidy_block_is_plain(second) ||
      second->u.decls.count != 1)
    return false;
  const Decl *a = first->u.decls.data[0], *b = second->u.decls.data[0];
  const Decl *last = first->u.decls.data[first->u.decls.count - 1];
  return a->storage == b->storage && a->n_aligns == 0 && b->n_aligns == 0 &&
         is_same_type(a->type, b->type) && is_written_as_one(tidy, last, b);
}

static void tidy_block_append(Arena *arena, Stmt *first, const Stmt *second) {
  DeclList *decls = &first->u.decls;
  Decl **data = ARENA_ARRAY(arena, Decl *, decls->count + 1);
  Decl *added = arena_copy(arena, second->u.decls.data[0], sizeof *added);
  for (uint32_t i = 0; i < decls->count; i++)
    data[i] = decls->data[i];
  added->type = decls->data[0]->type; // which says that they are one
  data[decls->count] = added;
  *decls = (DeclList){data, decls->count + 1};
}

// ------------------------------------------------------- what does nothing

bool tidy_is_pure(const Expr *expr) {
  switch ((int)expr->kind) {
  case EXPR_NAME:
  case EXPR_INT:
  case EXPR_BOOL: return true;
  case EXPR_CAST: return tidy_is_pure(expr->u.cast.operand);
  case EXPR_BINARY:
    return tidy_is_pure(expr->u.binary.left) &&
           tidy_is_pure(expr->u.binary.right);
  default: return tidy_is_position(expr);
  }
}

static bool tidy_block_is_empty(const Stmt *stmt);

// for (int i = a; i < n; i++) {}
static bool is_idle_loop(const Stmt *stmt) {
  const Stmt *init = stmt->u.loop.init;
  const Expr *condition = stmt->u.loop.condition, *step = stmt->u.loop.step;
  if (stmt->kind != STMT_FOR || !init || init->kind != STMT_DECL ||
      init->u.decls.count != 1 || !condition || !step ||
      !tidy_block_is_empty(stmt->u.loop.body))
    return false;
  const Decl *counter = init->u.decls.data[0];
  bool counts = step->kind == EXPR_UNARY && step->u.unary.op >= UNARY_PRE_INC &&
                step->u.unary.operand->kind == EXPR_NAME &&
                step->u.unary.operand->u.name == counter->name;
  return counts && counter->kind == DECL_VAR && counter->u.var.init &&
         tidy_is_pure(counter->u.var.init) && tidy_is_pure(condition);
}

static bool tidy_block_is_empty(const Stmt *stmt) {
  if (!stmt || stmt->kind == STMT_EMPTY)
    return true;
  if (stmt->kind != STMT_COMPOUND)
    return is_idle_loop(stmt);
  for (uint32_t i = 0; i < stmt->u.compound.items.count; i++)
    if (!tidy_block_is_empty(stmt->u.compound.items.data[i]))
      return false;
  return true;
}

static bool tidy_block_is_label(const Stmt *stmt) {
  return stmt->kind == STMT_CASE || stmt->kind == STMT_DEFAULT ||
         stmt->kind == STMT_LABEL;
}

static bool has_declaration(const StmtList *items) {
  for (uint32_t i = 0; i < items->count; i++)
    if (items->data[i]->kind == STMT_DECL)
      return true;
  return false;
}

static bool tidy_block_leaves(const Stmt *stmt) {
  return stmt->kind == STMT_RETURN || stmt->kind == STMT_BREAK ||
         stmt->kind == STMT_CONTINUE;
}

typedef hd_vec(Stmt *) Stmts;

// `if (true)`, of an argument of a template, is the statement, a block without
// declarations what is in it.
static void tidy_block_add(Tidy *tidy, Stmts *out, Stmt *stmt) {
  bool is_labelled = out->count > 0 && tidy_block_is_label(VEC_LAST(out));
  bool is_dead = out->count > 0 && tidy_block_leaves(VEC_LAST(out)) &&
                 !tidy_block_is_label(stmt);
  if (is_dead || (tidy_block_is_empty(stmt) && !is_labelled))
    return;
  if (stmt->kind == STMT_COMPOUND && !is_labelled &&
      !has_declaration(&stmt->u.compound.items)) {
    for (uint32_t i = 0; i < stmt->u.compound.items.count; i++)
      tidy_block_add(tidy, out, stmt->u.compound.items.data[i]);
    return;
  }
  if (stmt->kind == STMT_IF && !is_labelled) {
    const Expr *condition = stmt->u.if_stmt.condition;
    Stmt *yes = stmt->u.if_stmt.then_stmt, *no = stmt->u.if_stmt.else_stmt;
    if (condition->kind == EXPR_BOOL) {
      Stmt *chosen = condition->u.bool_value ? yes : no;
      if (chosen)
        tidy_block_add(tidy, out, chosen);
      return;
    }
    if (tidy_block_is_empty(yes) && tidy_block_is_empty(no) &&
        tidy_is_pure(condition))
      return;
  }
  if (out->count > 0 && tidy_block_are_one(tidy, VEC_LAST(out), stmt))
    tidy_block_append(tidy->arena, VEC_LAST(out), stmt);
  else
    VEC_PUSH(tidy->arena, out, stmt);
}

void tidy_block(Tidy *tidy, StmtList *items) {
  Stmts out = {0};
  for (uint32_t i = 0; i < items->count; i++)
    tidy_block_add(tidy, &out, items->data[i]);
  *items = (StmtList){out.data, out.count};
}
