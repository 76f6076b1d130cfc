// SPDX-License-Identifier: Apache-2.0
// Statements that are C's own. Branches that a constant condition excludes are
// checked, but not for what their values would do, and dropped.
#include "sema/tile.h"

static TStmt *empty_stmt(SemaContext *cx, Span span) {
  return build_stmt(cx, TSTMT_BLOCK, span);
}

TStmt *build_block(SemaContext *cx, const StmtBuilder *items, Span span) {
  TStmt *block = build_stmt(cx, TSTMT_BLOCK, span);
  block->u.block.stmts = items->list.data;
  block->u.block.n_stmts = items->list.count;
  return block;
}

// --- labels ---

static void note_label(SemaContext *cx, const Stmt *stmt) {
  Label label = {stmt->u.label.name, stmt->u.label.name_span};
  VEC_PUSH(cx->arena, &cx->body->labels, label);
}

static void refuse_goto(SemaContext *cx, const Stmt *stmt) {
  map_put(cx->arena, &cx->body->gotos, MAP_KEY(stmt->u.label.name), cx->body);
  SEMA_ERROR(cx, stmt->span, not_in_kernels, DS("'goto'"),
             DS("use break, continue, return or a flag"));
}

void check_labels(SemaContext *cx, Body *body) {
  for (uint32_t i = 0; i < body->labels.count; i++) {
    const Label *label = &body->labels.data[i];
    if (!map_has(&body->gotos, MAP_KEY(label->name)))
      SEMA_ERROR(cx, label->span, unused_label, DS(label->name));
  }
}

static void refuse_case(SemaContext *cx, const Stmt *stmt) {
  bool in_switch = false;
  for (const Jump *at = cx->body->jump; at; at = at->outer)
    in_switch |= at->kind == JUMP_SWITCH;
  SEMA_ERROR(cx, stmt->keyword, misplaced,
             DS(stmt->kind == STMT_CASE ? "case" : "default"),
             DS(in_switch ? "the braces of its switch, or a plain block there"
                          : "a switch"));
}

// --- pragmas ---

void apply_pragma(SemaContext *cx, PragmaKind kind) {
  switch (kind) {
  case PRAGMA_FAST_MATH:
    if (cx->body)
      cx->body->fast_math = true;
    else
      cx->unit->fast_math = true;
    return;
  case PRAGMA_FP_CONTRACT_ON:
  case PRAGMA_FP_CONTRACT_DEFAULT:
  case PRAGMA_FP_CONTRACT_OFF: break;
  }
  bool is_on = kind != PRAGMA_FP_CONTRACT_OFF;
  if (cx->body)
    cx->body->fp_contract = is_on;
  else
    cx->unit->no_contract = !is_on;
}

// --- blocks ---

static void check_item(SemaContext *cx, const Stmt *stmt, StmtBuilder *out) {
  if (stmt->kind == STMT_DECL) {
    for (uint32_t i = 0; i < stmt->u.decls.count; i++)
      declare_local(cx, stmt->u.decls.data[i], out);
    return;
  }
  TStmt *checked = check_stmt(cx, stmt);
  if (checked)
    VEC_PUSH(cx->arena, &out->list, checked);
}

void check_items(SemaContext *cx, const StmtList *items, StmtBuilder *out) {
  for (uint32_t i = 0; i < items->count; i++)
    check_item(cx, items->data[i], out);
}

void declare_temporaries(SemaContext *cx, uint32_t first, StmtBuilder *block) {
  Body *body = cx->body;
  if (body->temporaries.count == first)
    return;
  StmtBuilder whole = {0};
  for (uint32_t i = first; i < body->temporaries.count; i++) {
    TVar *var = body->temporaries.data[i];
    TStmt *stmt = build_stmt(cx, TSTMT_DECL, var->span);
    stmt->u.decl.var = var;
    VEC_PUSH(cx->arena, &whole.list, stmt);
  }
  body->temporaries.count = first;
  for (uint32_t i = 0; i < block->list.count; i++)
    VEC_PUSH(cx->arena, &whole.list, block->list.data[i]);
  *block = whole;
}

TStmt *check_block(SemaContext *cx, const Stmt *stmt) {
  bool fp_contract = cx->body->fp_contract;
  StmtBuilder items = {0};
  uint32_t first = cx->body->temporaries.count;
  sema_scope_push(cx, &cx->body->scope);
  if (stmt->kind == STMT_COMPOUND)
    check_items(cx, &stmt->u.compound.items, &items);
  else
    check_item(cx, stmt, &items);
  sema_scope_pop(cx, &cx->body->scope);
  declare_temporaries(cx, first, &items);
  cx->body->fp_contract = fp_contract;
  return build_block(cx, &items, stmt->span);
}

// --- if ---

static TStmt *check_arm(SemaContext *cx, const Stmt *stmt, bool is_dead) {
  if (!stmt)
    return NULL;
  cx->unevaluated += is_dead;
  TStmt *arm = check_block(cx, stmt);
  cx->unevaluated -= is_dead;
  return arm;
}

static TStmt *check_if(SemaContext *cx, const Stmt *stmt) {
  TExpr *condition = check_condition(cx, stmt->u.if_stmt.condition);
  bool is_known = expr_is_const(condition);
  bool is_true = is_known && condition->u.value.u != 0;
  TStmt *a = check_arm(cx, stmt->u.if_stmt.then_stmt, is_known && !is_true);
  TStmt *b = check_arm(cx, stmt->u.if_stmt.else_stmt, is_true);
  if (is_known) {
    TStmt *taken = is_true ? a : b;
    return taken ? taken : empty_stmt(cx, stmt->span);
  }
  TStmt *result = build_stmt(cx, TSTMT_IF, stmt->span);
  result->u.if_.condition = condition;
  result->u.if_.if_true = a;
  result->u.if_.if_false = b;
  return result;
}

// --- break, continue, return ---

static TStmt *refuse_leaving(SemaContext *cx, const Stmt *stmt,
                             const char *word, const Jump *at) {
  SEMA_ERROR(cx, stmt->span, leaves_group, DS(word),
             DS(sema_format(cx, "'%s'", at->construct)));
  return NULL;
}

static bool is_target_beyond(const Jump *at, bool is_break) {
  for (; at; at = at->outer)
    if (at->kind == JUMP_LOOP || at->kind == JUMP_TURN ||
        (is_break && at->kind == JUMP_SWITCH))
      return true;
  return false;
}

static TStmt *check_jump(SemaContext *cx, const Stmt *stmt) {
  bool is_break = stmt->kind == STMT_BREAK;
  const char *word = is_break ? "break" : "continue";
  Jump *at = cx->body->jump;
  while (at && at->kind == JUMP_SWITCH && !is_break)
    at = at->outer;
  if (at && at->kind == JUMP_TURN && is_break)
    return refuse_leaving(cx, stmt, word, at);
  if (at && at->kind == JUMP_TURN)
    at->is_left = true;
  bool is_group = at && (at->kind == JUMP_GROUP ||
                         (at->kind == JUMP_THREAD_LOOP && is_break));
  if (is_group && (is_target_beyond(at, is_break) ||
                   at->kind == JUMP_THREAD_LOOP || !is_break))
    return refuse_leaving(cx, stmt, word, at);
  if (!at || is_group) {
    SEMA_ERROR(cx, stmt->span, misplaced, DS(word),
               DS(is_break ? "a loop or switch" : "a loop"));
    return NULL;
  }
  return build_stmt(cx, is_break ? TSTMT_BREAK : TSTMT_CONTINUE, stmt->span);
}

// The function returns a pointer to other memory than before.
static bool is_other_result(const Body *body, const TExpr *value) {
  if (!body->has_result || value->type->kind != TY_POINTER)
    return false;
  Space before = body->result->u.pointer.space;
  Space space = value->type->u.pointer.space;
  return space != before && space != TSPACE_UNKNOWN;
}

// The space of the result is that of the first pointer returned.
static void bind_result(SemaContext *cx, TExpr *value) {
  Body *body = cx->body;
  bool binds = body->result_takes_space && !body->has_result &&
               value->type->kind == TY_POINTER &&
               value->type->u.pointer.space != TSPACE_UNKNOWN;
  if (!binds)
    return;
  body->result =
      type_pointer_in(cx->types, body->result, value->type->u.pointer.space);
  body->has_result = true;
}

// The address of a variable that the caller has: made of parameters that
// nothing else was bound to.
static bool is_from_caller(const TExpr *pointer);

static bool is_place_of_caller(const TExpr *place) {
  while (place->kind == TEXPR_MEMBER || place->kind == TEXPR_INDEX)
    place = place->kind == TEXPR_MEMBER ? place->u.member.base
                                        : place->u.index.base;
  return place->kind == TEXPR_DEREF
             ? is_from_caller(place->u.operand)
             : place->kind == TEXPR_VAR && place->u.var->kind == TVAR_ARG_ARRAY;
}

static bool is_part_of_argument(const TExpr *place) {
  const TExpr *whole = place;
  while (whole->kind == TEXPR_MEMBER || whole->kind == TEXPR_INDEX)
    whole = whole->kind == TEXPR_MEMBER ? whole->u.member.base
                                        : whole->u.index.base;
  return (whole->kind == TEXPR_VAR && whole->u.var->kind == TVAR_ARG) ||
         is_place_of_caller(place);
}

static bool is_from_caller(const TExpr *pointer) {
  switch ((int)pointer->kind) {
  case TEXPR_ADDR: return is_place_of_caller(pointer->u.operand);
  case TEXPR_CONVERT: return is_from_caller(pointer->u.operand);
  case TEXPR_PTR_ADD: return is_from_caller(pointer->u.binary.left);
  case TEXPR_CONDITIONAL:
    return is_from_caller(pointer->u.conditional.if_true) &&
           is_from_caller(pointer->u.conditional.if_false);
  case TEXPR_LOAD: {
    const TExpr *place = pointer->u.operand;
    if (place->kind == TEXPR_MEMBER) // what the caller's struct holds
      return is_part_of_argument(place);
    return place->kind == TEXPR_VAR && place->u.var->kind == TVAR_ARG &&
           place->u.var->n_bindings == 0;
  }
  default: return false;
  }
}

static TExpr *check_returned(SemaContext *cx, const Stmt *stmt) {
  if (is_group_expr(cx, stmt->u.expr)) {
    if (!type_is_poison(cx->body->result))
      SEMA_ERROR(cx, stmt->u.expr->span, group_returned, DS(cx->body->name));
    return NULL;
  }
  TExpr *value = check_value(cx, stmt->u.expr);
  if (expr_is_poison(value))
    return NULL;
  if (cx->body->result_is_tile)
    return tile_check_returned(cx, value, stmt->span);
  bool escapes = value->type->kind == TY_POINTER &&
                 value->type->u.pointer.space == TSPACE_LOCAL;
  if (escapes && !is_from_caller(value)) {
    SEMA_ERROR(cx, stmt->span, local_escapes, DS("returned"));
    return NULL;
  }
  if (is_other_result(cx->body, value) && cx->body->symbol &&
      convert_note_open(cx, SEMA_OPEN_DECL, cx->body->symbol->decl->name_span))
    return NULL;
  bind_result(cx, value);
  value = convert_assign(cx, value, cx->body->result,
                         sema_format(cx, "result of '%s'", cx->body->name));
  return expr_is_poison(value) ? NULL : value;
}

static TStmt *check_return(SemaContext *cx, const Stmt *stmt) {
  for (const Jump *at = cx->body->jump; at; at = at->outer)
    if (at->kind == JUMP_GROUP || at->kind == JUMP_THREAD_LOOP) {
      Jump shown = *at;
      return refuse_leaving(cx, stmt, "return", &shown);
    }
  const Type *result = cx->body->result;
  TStmt *checked = build_stmt(cx, TSTMT_RETURN, stmt->span);
  bool is_void = result->kind == TY_VOID;
  if (!stmt->u.expr) {
    if (!is_void && !type_is_poison(result))
      SEMA_ERROR(cx, stmt->span, return_value, DS(cx->body->name),
                 DS(sema_format(cx, "'%s': a value is needed",
                                sema_type_name(cx, result))));
    return checked;
  }
  if (is_void) {
    TExpr *value = check_value(cx, stmt->u.expr);
    if (!expr_is_poison(value))
      SEMA_ERROR(cx, stmt->u.expr->span, return_value, DS(cx->body->name),
                 DS("nothing: no value can be given"));
    return checked;
  }
  checked->u.expr = check_returned(cx, stmt);
  return checked;
}

// --- the dispatch ---

static TStmt *check_expr_stmt(SemaContext *cx, const Stmt *stmt) {
  TExpr *value = check_expr(cx, stmt->u.expr);
  if (expr_is_poison(value))
    return NULL;
  TStmt *result = build_stmt(cx, TSTMT_EXPR, stmt->span);
  bool is_array = type_is(value->type, TY_ARRAY);
  result->u.expr = is_array
                       ? build_int(cx, sema_basic(cx, TY_INT), 0, value->span)
                       : convert_to_value(cx, value);
  return result;
}

static TStmt *refuse_later(SemaContext *cx, const Stmt *stmt,
                           const char *feature) {
  Span span = stmt->keyword.end ? stmt->keyword : stmt->span;
  sema_not_available(cx, span, feature);
  return NULL;
}

// Statements of threads and groups, which tile code doesn't have.
static bool is_for_threads(StmtKind kind) {
  return kind == STMT_THREAD_FOR || kind == STMT_PARALLEL_FOR ||
         (kind >= STMT_THREAD_GROUP && kind <= STMT_CONSUME);
}

static TStmt *check_stmt_by_kind(SemaContext *cx, const Stmt *stmt) {
  if (is_for_threads(stmt->kind) &&
      !tile_check_threads(
          cx, stmt->keyword,
          sema_format(cx, "'%s'", sema_source_text(cx, stmt->keyword))))
    return NULL;
  switch (stmt->kind) {
  case STMT_POISON: build_note_poison(cx, stmt->span); return NULL;
  case STMT_EMPTY: return NULL;
  case STMT_EXPR: return check_expr_stmt(cx, stmt);
  case STMT_DECL:
  case STMT_COMPOUND: return check_block(cx, stmt);
  case STMT_IF: return check_if(cx, stmt);
  case STMT_WHILE:
  case STMT_DO: return check_loop(cx, stmt);
  case STMT_FOR:
    return stmt->u.loop.is_constexpr ? check_constexpr_for(cx, stmt)
                                     : check_loop(cx, stmt);
  case STMT_THREAD_FOR: return check_thread_for(cx, stmt);
  case STMT_PARALLEL_FOR: return check_parallel_for(cx, stmt);
  case STMT_SWITCH: return check_switch(cx, stmt);
  case STMT_CASE:
  case STMT_DEFAULT: refuse_case(cx, stmt); return NULL;
  case STMT_LABEL: note_label(cx, stmt); return NULL;
  case STMT_GOTO: refuse_goto(cx, stmt); return NULL;
  case STMT_BREAK:
  case STMT_CONTINUE: return check_jump(cx, stmt);
  case STMT_RETURN: return check_return(cx, stmt);
  case STMT_THREAD_GROUP:
  case STMT_SINGLE_THREAD:
  case STMT_SINGLE_WARP:
  case STMT_WARP_GROUP: return check_group_stmt(cx, stmt);
  case STMT_WITH: return check_with(cx, stmt);
  case STMT_PRODUCE:
  case STMT_CONSUME: return check_stage(cx, stmt);
  case STMT_ASM: return refuse_later(cx, stmt, "'asm'");
  case STMT_PRAGMA: apply_pragma(cx, stmt->u.pragma.kind); return NULL;
  }
  return NULL;
}

TStmt *check_stmt(SemaContext *cx, const Stmt *stmt) {
  if (!sema_enter(cx, stmt->span))
    return NULL;
  TStmt *result = check_stmt_by_kind(cx, stmt);
  sema_leave(cx);
  return result;
}
