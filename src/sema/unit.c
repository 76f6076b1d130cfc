// SPDX-License-Identifier: Apache-2.0
#include "sema/unit.h"

#include "sema/instance.h"
#include "sema/tile.h"

// --- functions and kernels ---

static void refuse_words(SemaContext *cx, const Decl *decl) {
  const TypeSyntax *type = decl->type;
  if (type->u.function.is_variadic)
    SEMA_ERROR(cx, type->u.function.parens, not_in_kernels,
               DS("a function with '...'"),
               DS("give it a fixed number of parameters"));
  if (decl->storage & STORAGE_EXTERN)
    SEMA_ERROR(cx, decl->span, not_in_kernels, DS("'extern'"),
               DS("define the function in this file"));
}

static void refuse_clauses(SemaContext *cx, const Decl *decl) {
  static const char *const words[] = {[CLAUSE_READS] = "reads",
                                      [CLAUSE_WRITES] = "writes",
                                      [CLAUSE_SYNCS] = "syncs"};
  const ClauseList *clauses = &decl->u.function.clauses;
  for (uint32_t i = 0; i < clauses->count; i++) {
    const Clause *clause = &clauses->data[i];
    const char *word = clause->kind < sizeof words / sizeof words[0]
                           ? words[clause->kind]
                           : NULL;
    if (clause->kind == CLAUSE_TILE && clause->args.count > 0)
      SEMA_ERROR(cx, clause->span, clause_arguments, DS("tile"),
                 DS("no arguments on a function"), DU(clause->args.count));
    else if (word && decl->u.function.body)
      SEMA_ERROR(cx, clause->span, misplaced, DS(word),
                 DS("a declaration without a body: the compiler sees what a "
                    "body touches"));
  }
}

// --- declared again ---

static bool has_type_params(const Decl *decl) {
  const DeclList *params = &decl->type->u.function.params;
  for (uint32_t i = 0; i < params->count; i++)
    if (params->data[i]->u.param.is_type)
      return true;
  return false;
}

// Both may leave the space of a pointer open, and how an array is passed is
// decided call by call.
static bool is_clearly_other(const Type *a, const Type *b) {
  bool is_open = type_is(a, TY_POINTER) && type_is(b, TY_POINTER);
  bool is_array = type_is(a, TY_ARRAY) || type_is(b, TY_ARRAY);
  return a != b && !is_open && !is_array && !type_is_poison(a) &&
         !type_is_poison(b);
}

static void check_same_result(SemaContext *cx, const Decl *first,
                              const Decl *again) {
  const Type *a =
      sema_resolve_type(cx, first->type->u.function.result, NULL).type;
  const Type *b =
      sema_resolve_type(cx, again->type->u.function.result, NULL).type;
  if (!is_clearly_other(a, b))
    return;
  Diag *diag =
      SEMA_ERROR(cx, again->name_span, other_type, DS(again->name),
                 DS(sema_format(cx, "a function that returns '%s', not '%s'",
                                sema_type_name(cx, a), sema_type_name(cx, b))));
  diag_label(cx->diags, diag, sema_place(cx, first->name_span),
             "'%s' is declared here", first->name);
}

static void check_same_type(SemaContext *cx, const Decl *first,
                            const Decl *again) {
  uint32_t before = first->type->u.function.params.count;
  if (before != again->type->u.function.params.count)
    SEMA_ERROR(cx, again->name_span, other_type, DS(again->name),
               DS(sema_format(cx, "a function of %u parameters", before)));
  else if (!has_type_params(first) && !has_type_params(again))
    check_same_result(cx, first, again);
}

// A declaration may come before the definition; bodies see what stands before
// the definition.
static void add_declaration(SemaContext *cx, Symbol *symbol, const Decl *decl) {
  FuncSymbol *func = symbol->func;
  bool has_body = func->decl->u.function.body != NULL;
  if (has_body && decl->u.function.body) {
    Diag *diag =
        SEMA_ERROR(cx, decl->name_span, redeclared, DS(decl_told(decl)));
    diag_label(cx->diags, diag, sema_place(cx, symbol->span),
               "'%s' is declared here", decl->name);
    return;
  }
  check_same_type(cx, func->decl, decl);
  bool says_more = has_contract(decl) && !has_contract(func->decl);
  if (decl->u.function.body || (!has_body && says_more)) {
    func->decl = decl;
    func->order = cx->unit->order;
  }
}

static void unit_declare_function(SemaContext *cx, const Decl *decl) {
  refuse_words(cx, decl);
  refuse_clauses(cx, decl);
  Symbol *before = sema_scope_find_here(cx, decl->name, false);
  if (before && before->kind == SYMBOL_FUNC) {
    add_declaration(cx, before, decl);
    return;
  }
  Symbol *symbol =
      sema_scope_declare(cx, SYMBOL_FUNC, decl->name, decl->name_span);
  if (!symbol)
    return;
  symbol->func = ARENA_NEW(cx->arena, FuncSymbol);
  symbol->func->name = decl->name;
  symbol->func->decl = decl;
  symbol->func->order = cx->unit->order;
  VEC_PUSH(cx->arena, &cx->unit->funcs, symbol->func);
}

static void declare_kernel(SemaContext *cx, const Decl *decl) {
  refuse_words(cx, decl);
  Symbol *symbol =
      sema_scope_declare(cx, SYMBOL_KERNEL, decl->name, decl->name_span);
  if (!symbol)
    return;
  KernelSymbol kernel = {decl, cx->unit->order};
  VEC_PUSH(cx->arena, &cx->unit->kernels, kernel);
}

// --- the file ---

static void declare_at_file_scope(SemaContext *cx, const Decl *decl) {
  TExpr *init;
  switch (decl->kind) {
  case DECL_VAR: declare_object(cx, decl, &init); return;
  case DECL_FUNCTION: unit_declare_function(cx, decl); return;
  case DECL_KERNEL: declare_kernel(cx, decl); return;
  case DECL_TYPEDEF: declare_typedef(cx, decl); return;
  case DECL_TAG: sema_resolve_type(cx, decl->type, NULL); return;
  case DECL_LAYOUT: tile_declare_constant(cx, decl); return;
  case DECL_STATIC_ASSERT: check_static_assert(cx, decl); return;
  case DECL_PRAGMA: apply_pragma(cx, decl->u.pragma.kind); return;
  case DECL_POISON: build_note_poison(cx, decl->span); return;
  case DECL_PARAM:
  case DECL_FIELD:
  case DECL_ENUMERATOR: return;
  }
}

static Unit *find_unit(SemaContext *cx, const AstUnit *ast) {
  for (Unit *at = cx->units; at; at = at->next)
    if (at->ast == ast)
      return at;
  return NULL;
}

Unit *unit_prepare(SemaContext *cx, const AstUnit *ast) {
  Unit *unit = find_unit(cx, ast);
  cx->unit = unit;
  cx->body = NULL;
  if (unit)
    return unit;
  unit = ARENA_NEW(cx->arena, Unit);
  unit->ast = ast;
  unit->next = cx->units;
  cx->units = cx->unit = unit;
  cx->unexplained = (Span){0, 0};
  uint32_t errors = cx->n_errors;
  sema_scope_push(cx, &unit->scope);
  for (uint32_t i = 0; i < ast->decls.count; i++) {
    unit->order = i + 1;
    declare_at_file_scope(cx, ast->decls.data[i]);
  }
  unit->has_errors = cx->n_errors != errors || !build_is_explained(cx);
  return unit;
}
