// SPDX-License-Identifier: Apache-2.0
// Statements and units.
#include "syntax/ast_print.h"

#include "base/panic.h"
#include "syntax/parse.h"

typedef struct {
  AstOut *out;
} Printer;

static void print_stmt(Printer *cx, const Stmt *stmt);
static void print_line(Printer *cx, const Stmt *stmt);

void print_indent(AstOut *out) {
  for (int i = 0; i < out->indent; i++)
    text_add(out->text, out->is_pretty ? "    " : "  ");
}

static void start_line(Printer *cx) {
  print_indent(cx->out);
}

static void print_items(Printer *cx, const Stmt *stmt) {
  if (stmt->kind != STMT_COMPOUND) {
    print_stmt(cx, stmt);
    return;
  }
  const StmtList *items = &stmt->u.compound.items;
  for (uint32_t i = 0; i < items->count; i++) {
    const Stmt *item = items->data[i];
    bool is_label = cx->out->is_pretty &&
                    (item->kind == STMT_CASE || item->kind == STMT_DEFAULT);
    if (i > 0)
      print_gap_above(cx->out, items->data[i - 1]->span, item->span);
    cx->out->indent -= is_label;
    print_stmt(cx, item);
    cx->out->indent += is_label;
  }
  print_comments_at_end(cx->out, stmt->span);
}

// Statements in braces; the line goes on behind them. Comments between `begin`
// and the braces stand behind the first.
static void print_braces(Printer *cx, const Stmt *body, uint32_t begin) {
  text_add_char(cx->out->text, '{');
  if (begin > 0)
    print_comments_between(cx->out, begin, body->span.begin + 1, true);
  print_comment_behind(cx->out, (Span){body->span.begin, body->span.begin + 1});
  text_add_char(cx->out->text, '\n');
  cx->out->indent++;
  print_items(cx, body);
  cx->out->indent--;
  start_line(cx);
  text_add_char(cx->out->text, '}');
}

// Of bodies that were written without.
static bool needs_braces(const AstOut *out, const Stmt *body) {
  switch ((int)body->kind) {
  case STMT_EMPTY:
  case STMT_EXPR:
  case STMT_BREAK:
  case STMT_CONTINUE:
  case STMT_RETURN: return !out->is_pretty;
  case STMT_FOR:
  case STMT_WHILE: return !out->is_pretty || body->u.loop.unroll.is_present;
  default: return true;
  }
}

static bool is_one_line(const Stmt *stmt) {
  return stmt->kind == STMT_EXPR || stmt->kind == STMT_DECL ||
         stmt->kind == STMT_RETURN || stmt->kind == STMT_BREAK ||
         stmt->kind == STMT_CONTINUE;
}

// A body gets braces even where it was written without, unless it is to look
// well.
static void print_body(Printer *cx, const Stmt *body, Span header) {
  if (needs_braces(cx->out, body)) {
    text_add_char(cx->out->text, ' ');
    print_braces(cx, body, header.begin);
    return;
  }
  if (!print_is_same_line(cx->out, header, body->span))
    print_comment_behind(cx->out, header);
  if (header.begin > 0)
    print_comments_between(cx->out, header.begin, body->span.begin + 1, false);
  text_add_char(cx->out->text, '\n');
  cx->out->indent++;
  print_comments_above(cx->out, body->span);
  start_line(cx);
  print_line(cx, body);
  if (is_one_line(body))
    print_comment_behind(cx->out, body->span);
  cx->out->indent--;
}

static void print_condition(Printer *cx, const char *word,
                            const Expr *condition) {
  text_printf(cx->out->text, "%s (", word);
  print_expr(cx->out, condition);
  text_add_char(cx->out->text, ')');
}

// `begin`: of the statement before it.
static void print_else(Printer *cx, const Stmt *stmt, bool has_braces,
                       uint32_t begin) {
  if (has_braces) {
    text_add(cx->out->text, " else");
  } else {
    text_add_char(cx->out->text, '\n');
    start_line(cx);
    text_add(cx->out->text, "else");
  }
  if (cx->out->is_pretty && stmt->kind == STMT_IF) {
    text_add_char(cx->out->text, ' ');
    print_line(cx, stmt);
  } else if (has_braces) {
    text_add_char(cx->out->text, ' ');
    print_braces(cx, stmt, begin);
  } else {
    print_body(cx, stmt, (Span){begin, begin + 1});
  }
}

static void ast_print_if(Printer *cx, const Stmt *stmt) {
  const Stmt *then_stmt = stmt->u.if_stmt.then_stmt;
  const Stmt *else_stmt = stmt->u.if_stmt.else_stmt;
  bool has_braces = needs_braces(cx->out, then_stmt) ||
                    (else_stmt && (else_stmt->kind == STMT_IF ||
                                   needs_braces(cx->out, else_stmt)));
  print_condition(cx, "if", stmt->u.if_stmt.condition);
  if (has_braces) {
    text_add_char(cx->out->text, ' ');
    print_braces(cx, then_stmt, stmt->u.if_stmt.condition->span.begin);
  } else {
    print_body(cx, then_stmt, stmt->u.if_stmt.condition->span);
  }
  uint32_t end = then_stmt->span.end;
  if (else_stmt)
    print_else(cx, else_stmt, has_braces, end > 0 ? end - 1 : 0);
}

static void print_for_init(Printer *cx, const Stmt *init) {
  if (init && init->kind == STMT_DECL && init->u.decls.count > 0) {
    print_declaration(cx->out, &init->u.decls, 0);
    return;
  }
  if (init && init->kind == STMT_EXPR)
    print_expr(cx->out, init->u.expr);
  text_add_char(cx->out->text, ';');
}

static void print_for(Printer *cx, const char *word, const Stmt *stmt) {
  text_printf(cx->out->text, "%s (", word);
  print_for_init(cx, stmt->u.loop.init);
  if (stmt->u.loop.condition) {
    text_add_char(cx->out->text, ' ');
    print_expr(cx->out, stmt->u.loop.condition);
  }
  text_add_char(cx->out->text, ';');
  if (stmt->u.loop.step) {
    text_add_char(cx->out->text, ' ');
    print_expr(cx->out, stmt->u.loop.step);
  }
  text_add_char(cx->out->text, ')');
  print_clauses(cx->out, &stmt->u.loop.clauses);
  const Expr *last =
      stmt->u.loop.step ? stmt->u.loop.step : stmt->u.loop.condition;
  print_body(cx, stmt->u.loop.body, last ? last->span : (Span){0, 0});
}

static void print_do(Printer *cx, const Stmt *stmt) {
  text_add(cx->out->text, "do ");
  print_braces(cx, stmt->u.loop.body, stmt->span.begin);
  print_condition(cx, " while", stmt->u.loop.condition);
  text_add_char(cx->out->text, ';');
}

static void ast_print_unroll(Printer *cx, const UnrollPragma *unroll) {
  if (!unroll->is_present)
    return;
  if (cx->out->is_pretty)
    start_line(cx);
  text_add(cx->out->text, "#pragma unroll");
  if (unroll->count) {
    text_add_char(cx->out->text, ' ');
    print_operand(cx->out, unroll->count);
  }
  text_add_char(cx->out->text, '\n');
}

static void print_group(Printer *cx, const Stmt *stmt) {
  text_add(cx->out->text, ast_stmt_kind_name(stmt->kind));
  if (stmt->u.group.args.count > 0) {
    text_add_char(cx->out->text, ' ');
    print_arguments(cx->out, &stmt->u.group.args);
  }
  print_body(cx, stmt->u.group.body, (Span){0, 0});
}

static void ast_print_operands(Printer *cx, const AsmOperand *operands,
                               uint32_t count) {
  text_add(cx->out->text, " :");
  for (uint32_t i = 0; i < count; i++) {
    text_add(cx->out->text, i ? ", " : " ");
    if (operands[i].name)
      text_printf(cx->out->text, "[%s] ", operands[i].name);
    print_expr(cx->out, operands[i].constraint);
    text_add_char(cx->out->text, '(');
    print_expr(cx->out, operands[i].value);
    text_add_char(cx->out->text, ')');
  }
}

static void ast_print_asm(Printer *cx, const Stmt *stmt) {
  text_printf(cx->out->text, "asm %s(", stmt->u.asm_stmt.dialect);
  print_expr(cx->out, stmt->u.asm_stmt.code);
  ast_print_operands(cx, stmt->u.asm_stmt.outputs, stmt->u.asm_stmt.n_outputs);
  ast_print_operands(cx, stmt->u.asm_stmt.inputs, stmt->u.asm_stmt.n_inputs);
  text_add_char(cx->out->text, ')');
  print_clauses(cx->out, &stmt->u.asm_stmt.clauses);
  text_add_char(cx->out->text, ';');
}

static const char *pragma_spelling(PragmaKind kind) {
  static const char *const names[] = {
#define AST_PRAGMA(kind, spelling) spelling,
#include "syntax/ast.def"
  };
  return names[kind];
}

// Names are printed as one declaration; a function that was defined inside a
// function has no place in a tree without errors.
static void ast_print_decls(Printer *cx, const DeclList *decls) {
  for (uint32_t i = 0; i < decls->count;) {
    text_add(cx->out->text, i ? " " : "");
    i = print_declaration(cx->out, decls, i);
  }
}

static void print_expr_after(Printer *cx, const char *word, const Expr *expr,
                             const char *end) {
  text_add(cx->out->text, word);
  if (expr)
    print_expr(cx->out, expr);
  text_add(cx->out->text, end);
}

static void print_line(Printer *cx, const Stmt *stmt) {
  Text *out = cx->out->text;
  switch (stmt->kind) {
  case STMT_POISON: text_add(out, "<error>;"); break;
  case STMT_EMPTY: text_add_char(out, ';'); break;
  case STMT_EXPR: print_expr_after(cx, "", stmt->u.expr, ";"); break;
  case STMT_DECL: ast_print_decls(cx, &stmt->u.decls); break;
  case STMT_COMPOUND: print_braces(cx, stmt, 0); break;
  case STMT_IF: ast_print_if(cx, stmt); break;
  case STMT_WHILE:
    print_condition(cx, "while", stmt->u.loop.condition);
    print_body(cx, stmt->u.loop.body, stmt->u.loop.condition->span);
    break;
  case STMT_DO: print_do(cx, stmt); break;
  case STMT_FOR:
    print_for(cx, stmt->u.loop.is_constexpr ? "constexpr for" : "for", stmt);
    break;
  case STMT_THREAD_FOR: print_for(cx, "thread for", stmt); break;
  case STMT_PARALLEL_FOR:
    print_for(cx,
              stmt->u.loop.is_block ? "parallel (block) for" : "parallel for",
              stmt);
    break;
  case STMT_SWITCH:
    print_condition(cx, "switch", stmt->u.switch_stmt.condition);
    print_body(cx, stmt->u.switch_stmt.body,
               stmt->u.switch_stmt.condition->span);
    break;
  case STMT_CASE:
    text_add(out, "case ");
    print_level(cx->out, stmt->u.expr, LEVEL_BINARY);
    text_add_char(out, ':');
    break;
  case STMT_DEFAULT: text_add(out, "default:"); break;
  case STMT_LABEL: text_printf(out, "%s:", stmt->u.label.name); break;
  case STMT_GOTO: text_printf(out, "goto %s;", stmt->u.label.name); break;
  case STMT_BREAK: text_add(out, "break;"); break;
  case STMT_CONTINUE: text_add(out, "continue;"); break;
  case STMT_RETURN:
    print_expr_after(cx, stmt->u.expr ? "return " : "return", stmt->u.expr,
                     ";");
    break;
  case STMT_THREAD_GROUP:
  case STMT_SINGLE_THREAD:
  case STMT_SINGLE_WARP:
  case STMT_WARP_GROUP:
  case STMT_WITH:
  case STMT_PRODUCE:
  case STMT_CONSUME: print_group(cx, stmt); break;
  case STMT_ASM: ast_print_asm(cx, stmt); break;
  case STMT_PRAGMA:
    text_printf(out, "#pragma %s", pragma_spelling(stmt->u.pragma.kind));
    break;
  }
}

static bool ast_print_is_loop(StmtKind kind) {
  return kind == STMT_WHILE || kind == STMT_DO || kind == STMT_FOR ||
         kind == STMT_THREAD_FOR || kind == STMT_PARALLEL_FOR;
}

static bool ast_print_is_label(StmtKind kind) {
  return kind == STMT_CASE || kind == STMT_DEFAULT || kind == STMT_LABEL;
}

static void print_stmt(Printer *cx, const Stmt *stmt) {
  print_comments_above(cx->out, stmt->span);
  if (ast_print_is_loop(stmt->kind))
    ast_print_unroll(cx, &stmt->u.loop.unroll);
  if (is_one_line(stmt))
    print_comments_inside(cx->out, stmt->span);
  start_line(cx);
  print_line(cx, stmt);
  if (is_one_line(stmt) || ast_print_is_label(stmt->kind) ||
      stmt->kind == STMT_DO) {
    print_comments_between(cx->out, stmt->span.begin, stmt->span.end, true);
    print_comment_behind(cx->out, stmt->span);
  }
  text_add_char(cx->out->text, '\n');
}

// --- Units -----------------------------------------------------------------

static void print_work(Printer *cx, const Decl *decl) {
  const Expr *flops = decl->u.function.flops;
  const Expr *bytes = decl->u.function.bytes;
  if (!flops && !bytes)
    return;
  text_add(cx->out->text, "#pragma heddle");
  if (flops)
    print_expr_after(cx, " flops(", flops, ")");
  if (bytes)
    print_expr_after(cx, " bytes(", bytes, ")");
  text_add_char(cx->out->text, '\n');
}

static uint32_t print_external(Printer *cx, const DeclList *decls,
                               uint32_t first) {
  const Decl *decl = decls->data[first];
  bool is_function = decl->kind == DECL_FUNCTION || decl->kind == DECL_KERNEL;
  if (decl->kind == DECL_PRAGMA) {
    text_printf(cx->out->text, "#pragma %s\n",
                pragma_spelling(decl->u.pragma.kind));
    return first + 1;
  }
  if (is_function)
    print_comments_anew(cx->out, decl->span);
  print_comments_above(cx->out, decl->span);
  if (is_function && decl->u.function.note && cx->out->is_pretty)
    text_printf(cx->out->text, "// %s\n", decl->u.function.note);
  if (is_function)
    print_work(cx, decl);
  if (is_function && decl->u.function.body) {
    const DeclList *params = &decl->type->u.function.params;
    print_function_head(cx->out, decl);
    if (params->count > 0)
      print_comment_behind(cx->out, params->data[params->count - 1]->span);
    print_comments_between(cx->out, decl->name_span.begin,
                           decl->u.function.body->span.begin + 1, true);
    text_add_char(cx->out->text, cx->out->is_pretty ? '\n' : ' ');
    print_braces(cx, decl->u.function.body, 0);
    text_add_char(cx->out->text, '\n');
    return first + 1;
  }
  uint32_t next = print_declaration(cx->out, decls, first);
  text_add_char(cx->out->text, '\n');
  return next;
}

// Blank lines stand around functions and types, not between variables.
static bool is_tall(const Decl *decl) {
  return decl->kind == DECL_KERNEL || decl->kind == DECL_TAG ||
         (decl->kind == DECL_FUNCTION && decl->u.function.body);
}

void print_unit(AstOut *out, const AstUnit *unit) {
  Printer cx = {.out = out};
  const DeclList *decls = &unit->decls;
  for (uint32_t i = 0; i < decls->count;) {
    if (out->is_pretty && i > 0 &&
        (is_tall(decls->data[i]) || is_tall(decls->data[i - 1])))
      text_add_char(out->text, '\n');
    i = print_external(&cx, decls, i);
  }
}

void ast_print(const AstUnit *unit, Text *out) {
  HD_ASSERT(!unit->has_errors);
  print_unit(&(AstOut){.text = out}, unit);
}
