// SPDX-License-Identifier: Apache-2.0
// Does a piece of program use threads as such, or tiles? It decides whether a
// nest of parallel loops is flat, and which kernels are tile kernels, so it
// looks at the tree before anything is checked.
#include "sema/thread_loop.h"
#include "sema/tile.h"

enum { MAX_CALLS = 128 };

typedef struct {
  SemaContext *cx;
  bool wants_tiles;   // else threads
  bool is_of_threads; // not what names the block
  Map visited;        // functions that were looked into
  uint32_t n_calls;
} Search;

static bool stmt_uses(Search *search, const Stmt *stmt);
static bool expr_uses(Search *search, const Expr *expr);

static bool list_uses(Search *search, const ExprList *list) {
  for (uint32_t i = 0; i < list->count; i++)
    if (expr_uses(search, list->data[i]))
      return true;
  return false;
}

static bool contract_uses(Search *search, const Decl *decl) {
  const ClauseList *clauses = &decl->u.function.clauses;
  for (uint32_t i = 0; i < clauses->count; i++)
    if (clauses->data[i].kind == CLAUSE_SYNCS ||
        list_uses(search, &clauses->data[i].args))
      return true;
  return false;
}

static bool signature_has_tiles(const Decl *decl) {
  if (function_clause(decl, CLAUSE_TILE))
    return true;
  const DeclList *params = &decl->type->u.function.params;
  for (uint32_t i = 0; i < params->count; i++)
    if (params->data[i]->type && is_tile_syntax(params->data[i]->type))
      return true;
  return is_tile_syntax(decl->type->u.function.result);
}

static bool function_uses(Search *search, FuncSymbol *func) {
  const Decl *decl = func->decl;
  if (search->wants_tiles && signature_has_tiles(decl))
    return true;
  if (map_has(&search->visited, MAP_KEY(func)) || search->n_calls >= MAX_CALLS)
    return false;
  map_put(search->cx->arena, &search->visited, MAP_KEY(func), func);
  if (!search->wants_tiles && function_clause(decl, CLAUSE_THREADS))
    return true;
  if (!decl->u.function.body)
    return !search->wants_tiles && contract_uses(search, decl);
  search->n_calls++;
  bool result = stmt_uses(search, decl->u.function.body);
  search->n_calls--;
  return result;
}

static bool name_uses(Search *search, const char *name) {
  Symbol *symbol = sema_scope_find(search->cx, name);
  if (symbol)
    return symbol->kind == SYMBOL_FUNC && function_uses(search, symbol->func);
  if (search->wants_tiles)
    return tile_is_name(search->cx, name);
  const BuiltinName *builtin = builtin_find(search->cx, name);
  if (!builtin)
    return false;
  BuiltinRule rule = builtin_rule(builtin->id);
  if (search->is_of_threads && rule == RULE_INDEX)
    return builtin->id == BI_THREAD_INDEX || builtin->id == BI_BLOCK_DIM;
  return rule == RULE_INDEX ||
         (rule >= RULE_MAKE_GROUP && rule <= RULE_UPDATE) ||
         rule == RULE_ARRIVE || rule == RULE_WAIT || rule == RULE_TEST_WAIT ||
         rule == RULE_BARRIER || rule == RULE_COPY || rule == RULE_COPY_STEP ||
         rule == RULE_REGISTERS || rule == RULE_MEMCPY ||
         rule == RULE_COPY_BYTES || rule == RULE_COPY_BULK ||
         rule == RULE_WAIT_PRIOR || rule == RULE_SEMAPHORE ||
         rule == RULE_MAP_SHARED;
}

// Sections that are copied are no tiles.
static bool is_copy(Search *search, const Expr *callee) {
  bool is_name = callee->kind == EXPR_NAME;
  const BuiltinName *builtin =
      is_name ? builtin_find(search->cx, callee->u.name) : NULL;
  BuiltinRule rule = builtin ? builtin_rule(builtin->id) : RULE_NONE;
  return rule == RULE_COPY || rule == RULE_BYTES_OF;
}

static bool index_uses(Search *search, const Expr *expr) {
  if (expr_uses(search, expr->u.index.base))
    return true;
  for (uint32_t i = 0; i < expr->u.index.n_subscripts; i++) {
    const Subscript *subscript = &expr->u.index.subscripts[i];
    if (search->wants_tiles && subscript->is_section)
      return true;
    if (expr_uses(search, subscript->index) ||
        expr_uses(search, subscript->lo) || expr_uses(search, subscript->len))
      return true;
  }
  return false;
}

static bool init_uses(Search *search, const Expr *list) {
  for (uint32_t i = 0; i < list->u.init_list.n_items; i++)
    if (expr_uses(search, list->u.init_list.items[i].value))
      return true;
  return false;
}

static bool generic_uses(Search *search, const Expr *expr) {
  for (uint32_t i = 0; i < expr->u.generic.n_assocs; i++)
    if (expr_uses(search, expr->u.generic.assocs[i].value))
      return true;
  return false;
}

static bool expr_uses(Search *search, const Expr *expr) {
  if (!expr)
    return false;
  switch (expr->kind) {
  case EXPR_UNARY: return expr_uses(search, expr->u.unary.operand);
  case EXPR_BINARY:
    return expr_uses(search, expr->u.binary.left) ||
           expr_uses(search, expr->u.binary.right);
  case EXPR_ASSIGN:
    return expr_uses(search, expr->u.assign.left) ||
           expr_uses(search, expr->u.assign.right);
  case EXPR_CONDITIONAL:
    return expr_uses(search, expr->u.conditional.condition) ||
           expr_uses(search, expr->u.conditional.if_true) ||
           expr_uses(search, expr->u.conditional.if_false);
  case EXPR_COMMA: return list_uses(search, &expr->u.list);
  case EXPR_CAST: return expr_uses(search, expr->u.cast.operand);
  case EXPR_CALL:
    if (expr->u.call.callee->kind == EXPR_NAME &&
        name_uses(search, expr->u.call.callee->u.name))
      return true;
    if (search->wants_tiles && is_copy(search, expr->u.call.callee))
      return false;
    return list_uses(search, &expr->u.call.args);
  case EXPR_INDEX: return index_uses(search, expr);
  case EXPR_MEMBER: return expr_uses(search, expr->u.member.base);
  case EXPR_COMPOUND: return expr_uses(search, expr->u.compound.init);
  case EXPR_INIT_LIST: return init_uses(search, expr);
  case EXPR_GENERIC: return generic_uses(search, expr);
  case EXPR_POISON:
  case EXPR_INT:
  case EXPR_FLOAT:
  case EXPR_CHAR:
  case EXPR_STRING:
  case EXPR_BOOL:
  case EXPR_NAME:
  case EXPR_SIZEOF_EXPR:
  case EXPR_SIZEOF_TYPE:
  case EXPR_ALIGNOF:
  case EXPR_OFFSETOF:
  case EXPR_TYPE: return false;
  }
  return false;
}

static bool decl_uses(Search *search, const Decl *decl) {
  if (decl->kind != DECL_VAR)
    return false;
  if (search->wants_tiles)
    return is_tile_syntax(decl->type) || expr_uses(search, decl->u.var.init);
  const TypeSyntax *base = decl->type;
  while (base && base->kind == TYPE_ARRAY)
    base = base->u.array.element;
  return (base && ((base->quals & QUAL_SHARED) || base->kind == TYPE_TOKEN ||
                   base->kind == TYPE_PIPELINE)) ||
         expr_uses(search, decl->u.var.init);
}

static bool decls_use(Search *search, const DeclList *decls) {
  for (uint32_t i = 0; i < decls->count; i++)
    if (decl_uses(search, decls->data[i]))
      return true;
  return false;
}

static bool items_use(Search *search, const StmtList *items) {
  for (uint32_t i = 0; i < items->count; i++)
    if (stmt_uses(search, items->data[i]))
      return true;
  return false;
}

static bool stmt_uses(Search *search, const Stmt *stmt) {
  if (!stmt)
    return false;
  switch (stmt->kind) {
  case STMT_EXPR:
  case STMT_RETURN: return expr_uses(search, stmt->u.expr);
  case STMT_DECL: return decls_use(search, &stmt->u.decls);
  case STMT_COMPOUND: return items_use(search, &stmt->u.compound.items);
  case STMT_IF:
    return expr_uses(search, stmt->u.if_stmt.condition) ||
           stmt_uses(search, stmt->u.if_stmt.then_stmt) ||
           stmt_uses(search, stmt->u.if_stmt.else_stmt);
  case STMT_WHILE:
  case STMT_DO:
  case STMT_FOR:
    return stmt_uses(search, stmt->u.loop.init) ||
           expr_uses(search, stmt->u.loop.condition) ||
           expr_uses(search, stmt->u.loop.step) ||
           stmt_uses(search, stmt->u.loop.body);
  case STMT_SWITCH:
    return expr_uses(search, stmt->u.switch_stmt.condition) ||
           stmt_uses(search, stmt->u.switch_stmt.body);
  case STMT_THREAD_FOR:
  case STMT_PARALLEL_FOR:
    return !search->wants_tiles || stmt_uses(search, stmt->u.loop.body);
  case STMT_THREAD_GROUP:
  case STMT_SINGLE_THREAD:
  case STMT_SINGLE_WARP:
  case STMT_WARP_GROUP:
  case STMT_WITH:
  case STMT_PRODUCE:
  case STMT_CONSUME:
    return !search->wants_tiles || stmt_uses(search, stmt->u.group.body);
  case STMT_POISON:
  case STMT_EMPTY:
  case STMT_CASE:
  case STMT_DEFAULT:
  case STMT_LABEL:
  case STMT_GOTO:
  case STMT_BREAK:
  case STMT_CONTINUE:
  case STMT_ASM:
  case STMT_PRAGMA: return false;
  }
  return false;
}

bool uses_threads(SemaContext *cx, const Stmt *stmt) {
  Search search = {.cx = cx};
  return stmt_uses(&search, stmt);
}

bool uses_single_threads(SemaContext *cx, const Stmt *stmt) {
  Search search = {.cx = cx, .is_of_threads = true};
  return stmt_uses(&search, stmt);
}

bool uses_tiles(SemaContext *cx, const Stmt *stmt) {
  Search search = {.cx = cx, .wants_tiles = true};
  return stmt_uses(&search, stmt);
}

bool function_uses_tiles(SemaContext *cx, const Decl *decl) {
  return signature_has_tiles(decl) || uses_tiles(cx, decl->u.function.body);
}
