// SPDX-License-Identifier: Apache-2.0
// goto, forwards to a label of a block around it.
//
// Note [Going forwards]
//     for (…)                        bool left = false;
//       for (…)                      for (…) {
//         if (x)                       for (…)
//           goto done;      becomes        if (x) { left = true; break; }
//     y;                               if (left) break;
//     done: z;                       }
//                                    if (!left) { y; }
//                                    z;
// Declarations without an initialiser stay outside of what is guarded; those
// that have one can't be seen behind the label, because no jump may pass them.
#include "cuda/form/cu_goto.h"
#include "cuda/form/cu_names.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_tree.h"
#include "cuda/form/cu_type.h"
#include <string.h>

typedef struct {
  CuContext *cu;
  const char *label;
  CuName *left; // NULL: it returns
} Going;

// -------------------------------------------------------------- what is there

static bool goto_is_loop(const Stmt *stmt) {
  return stmt->kind == STMT_WHILE || stmt->kind == STMT_DO ||
         stmt->kind == STMT_FOR;
}

// NULL: there is none, to this label or (NULL) any.
static const Stmt *find_goto(const Stmt *stmt, const char *label) {
  const Stmt *found = NULL;
  if (!stmt)
    return NULL;
  switch ((int)stmt->kind) {
  case STMT_GOTO: return !label || stmt->u.label.name == label ? stmt : NULL;
  case STMT_COMPOUND:
    for (uint32_t i = 0; i < stmt->u.compound.items.count && !found; i++)
      found = find_goto(stmt->u.compound.items.data[i], label);
    return found;
  case STMT_IF:
    found = find_goto(stmt->u.if_stmt.then_stmt, label);
    return found ? found : find_goto(stmt->u.if_stmt.else_stmt, label);
  case STMT_WHILE:
  case STMT_DO:
  case STMT_FOR: return find_goto(stmt->u.loop.body, label);
  case STMT_SWITCH: return find_goto(stmt->u.switch_stmt.body, label);
  default: return NULL;
  }
}

static bool goes(const Going *going, const Stmt *stmt) {
  return find_goto(stmt, going->label) != NULL;
}

// Nothing is computed where the names are declared.
static bool only_declares(const Stmt *stmt) {
  if (stmt->kind != STMT_DECL)
    return false;
  for (uint32_t i = 0; i < stmt->u.decls.count; i++) {
    const Decl *decl = stmt->u.decls.data[i];
    if (decl->kind == DECL_VAR && decl->u.var.init)
      return false;
  }
  return true;
}

static bool has_case(Stmt *const *items, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (items[i]->kind == STMT_CASE || items[i]->kind == STMT_DEFAULT)
      return true;
  return false;
}

// -------------------------------------------------------------- what is made

static Stmt *if_left(const Going *going, bool is_left, Stmt *then, Span span) {
  CuContext *cu = going->cu;
  Expr *left = cu_name_expr(cu, going->left, span);
  Stmt *made = cu_new_stmt(cu, STMT_IF, span, span);
  made->u.if_stmt.condition =
      is_left ? left : cu_unary(cu, UNARY_NOT, left, span);
  made->u.if_stmt.then_stmt = then;
  return made;
}

static Stmt *set_left(const Going *going, bool value, Span span) {
  CuContext *cu = going->cu;
  Expr *set = cu_assign(cu, cu_name_expr(cu, going->left, span),
                        cu_bool_expr(cu, value, span), span);
  return cu_expr_stmt(cu, set, span);
}

static Stmt *goto_leave(const Going *going, Span span, bool is_inside) {
  CuContext *cu = going->cu;
  if (!going->left)
    return cu_return_stmt(cu, NULL, span);
  Stmt *set = set_left(going, true, span);
  if (!is_inside)
    return set;
  CuStmtVec made = {0};
  VEC_PUSH(cu->arena, &made, set);
  VEC_PUSH(cu->arena, &made, cu_new_stmt(cu, STMT_BREAK, span, span));
  return cu_block(cu, &made, span);
}

static void rewrite_list(const Going *going, Stmt *const *items, uint32_t n,
                         bool is_inside, CuStmtVec *out);

static Stmt *goto_block_of(const Going *going, Stmt *const *items, uint32_t n,
                           bool is_inside, Span span) {
  CuStmtVec made = {0};
  rewrite_list(going, items, n, is_inside, &made);
  return cu_block(going->cu, &made, span);
}

// `is_inside`: a loop or switch that is left, too, is around.
static Stmt *goto_rewrite(const Going *going, Stmt *stmt, bool is_inside) {
  if (!stmt || !goes(going, stmt))
    return stmt;
  Stmt *made = cu_copy_stmt(going->cu, stmt);
  switch ((int)stmt->kind) {
  case STMT_GOTO: return goto_leave(going, stmt->span, is_inside);
  case STMT_COMPOUND: {
    const StmtList *list = &stmt->u.compound.items;
    CuStmtVec items = {0};
    rewrite_list(going, list->data, list->count, is_inside, &items);
    made->u.compound.items = (StmtList){items.data, items.count};
    break;
  }
  case STMT_IF:
    made->u.if_stmt.then_stmt =
        goto_rewrite(going, stmt->u.if_stmt.then_stmt, is_inside);
    made->u.if_stmt.else_stmt =
        goto_rewrite(going, stmt->u.if_stmt.else_stmt, is_inside);
    break;
  case STMT_SWITCH:
    made->u.switch_stmt.body =
        goto_rewrite(going, stmt->u.switch_stmt.body, true);
    break;
  default:
    made->u.loop.body = goto_rewrite(going, stmt->u.loop.body, true);
    break;
  }
  return made;
}

static void rewrite_list(const Going *going, Stmt *const *items, uint32_t n,
                         bool is_inside, CuStmtVec *out) {
  CuContext *cu = going->cu;
  for (uint32_t i = 0; i < n; i++) {
    Stmt *stmt = items[i];
    VEC_PUSH(cu->arena, out, goto_rewrite(going, stmt, is_inside));
    if (!goes(going, stmt) || !going->left)
      continue;
    if (!is_inside && i + 1 < n) {
      Stmt *rest =
          goto_block_of(going, items + i + 1, n - i - 1, false, stmt->span);
      VEC_PUSH(cu->arena, out, if_left(going, false, rest, stmt->span));
      return;
    }
    if (is_inside && (goto_is_loop(stmt) || stmt->kind == STMT_SWITCH)) {
      Stmt *out_of = cu_new_stmt(cu, STMT_BREAK, stmt->span, stmt->span);
      VEC_PUSH(cu->arena, out, if_left(going, true, out_of, stmt->span));
    }
  }
}

// ------------------------------------------------------- the label's own block

// What stands in the block has its names already.
static bool goto_is_taken(const CuContext *cu, const char *name) {
  for (uint32_t i = 0; i < cu->output.all_names.count; i++)
    if (strcmp(cu->output.all_names.data[i]->wanted, name) == 0)
      return true;
  return false;
}

static void add_flag(Going *going, Span span, CuStmtVec *out) {
  CuContext *cu = going->cu;
  const char *name = "left";
  for (int i = 2; goto_is_taken(cu, name); i++)
    name = cu_format(cu, "left_%d", i);
  going->left = cu_new_name(cu, name, true);
  Decl *decl = cu_new_decl(cu, DECL_VAR, going->left, span, span);
  decl->type = cu_emit_type(cu, cu_basic(&cu->types, CU_BOOL), span);
  VEC_PUSH(cu->arena, out, cu_decl_stmt(cu, decl));
  VEC_PUSH(cu->arena, out, set_left(going, false, span));
}

// Between the first `goto`'s statement and the label: what isn't done by who
// went there.
static void goto_add_guarded(const Going *going, Stmt *const *items, uint32_t n,
                             CuStmtVec *out) {
  CuContext *cu = going->cu;
  for (uint32_t i = 0; i < n;) {
    uint32_t end = i;
    while (end < n && !only_declares(items[end]))
      end++;
    if (end > i) {
      Span span = items[i]->span;
      Stmt *block = goto_block_of(going, items + i, end - i, false, span);
      VEC_PUSH(cu->arena, out, if_left(going, false, block, span));
    }
    for (; end < n && only_declares(items[end]); end++)
      VEC_PUSH(cu->arena, out, items[end]);
    i = end;
  }
}

static uint32_t find_label(const CuStmtVec *items, uint32_t from) {
  while (from < items->count && items->data[from]->kind != STMT_LABEL)
    from++;
  return from;
}

static bool goto_is_end(const CuStmtVec *items, uint32_t from) {
  for (uint32_t i = from; i < items->count; i++) {
    const Stmt *stmt = items->data[i];
    bool is_nothing = stmt->kind == STMT_EMPTY || stmt->kind == STMT_LABEL ||
                      (stmt->kind == STMT_RETURN && !stmt->u.expr);
    if (!is_nothing)
      return false;
  }
  return true;
}

// The label at `at` goes, with every `goto` to it before.
static void goto_place(CuContext *cu, CuStmtVec *items, uint32_t at,
                       bool returns) {
  Going going = {.cu = cu, .label = items->data[at]->u.label.name};
  CuStmtVec out = {0};
  uint32_t first = 0;
  while (first < at && !goes(&going, items->data[first]))
    first++;
  if (first < at && !returns && has_case(items->data + first, at - first))
    first = at; // what a label of the switch would lead into
  for (uint32_t i = 0; i < first; i++)
    VEC_PUSH(cu->arena, &out, items->data[i]);
  if (first < at && !returns) {
    add_flag(&going, items->data[first]->span, &out);
    VEC_PUSH(cu->arena, &out, goto_rewrite(&going, items->data[first], false));
    goto_add_guarded(&going, items->data + first + 1, at - first - 1, &out);
  } else {
    rewrite_list(&going, items->data + first, at - first, false, &out);
  }
  for (uint32_t i = at + 1; i < items->count; i++)
    VEC_PUSH(cu->arena, &out, items->data[i]);
  *items = out;
}

void cu_place_labels(CuContext *cu, CuStmtVec *items) {
  for (;;) {
    uint32_t at = find_label(items, 0);
    if (at == items->count)
      return;
    goto_place(cu, items, at, false);
  }
}

void cu_place_last_labels(CuContext *cu, CuStmtVec *items) {
  for (uint32_t at = find_label(items, 0); at < items->count;) {
    if (goto_is_end(items, at + 1))
      goto_place(cu, items, at, true);
    else
      at++;
    at = find_label(items, at);
  }
}

void cu_refuse_gotos(CuContext *cu, const CuStmtVec *items) {
  for (uint32_t i = 0; i < items->count; i++) {
    const Stmt *left = find_goto(items->data[i], NULL);
    if (!left)
      continue;
    cu_unsupported(cu, left->keyword,
                   "'goto' but forwards, to a label of a block around it",
                   "use loops, 'break' and 'continue'");
    return;
  }
}
