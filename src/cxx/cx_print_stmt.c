// SPDX-License-Identifier: Apache-2.0
#include "cxx/cx_parse.h"
#include "cxx/cx_print.h"

void cx_print_line(CxPrinter *cx) {
  text_add_char(cx->out, '\n');
  text_add_repeat(cx->out, ' ', (size_t)cx->indent * 2);
}

static void print_inside(CxPrinter *cx, const CxStmt *stmt) {
  if (!stmt)
    return;
  if (stmt->kind == CX_STMT_COMPOUND) {
    text_add_char(cx->out, ' ');
    cx_print_stmt(cx, stmt);
    return;
  }
  cx->indent++;
  cx_print_line(cx);
  cx_print_stmt(cx, stmt);
  cx->indent--;
}

static void print_optional(CxPrinter *cx, const CxExpr *expr) {
  if (expr)
    cx_print_expr(cx, expr);
}

// Declarations of one statement, on one line.
static void print_stmt_decls(CxPrinter *cx, CxDeclList decls) {
  for (uint32_t i = 0; i < decls.count; i++) {
    text_add(cx->out, i ? " " : "");
    cx_print_decl(cx, decls.data[i]);
  }
}

static void print_init(CxPrinter *cx, const CxStmt *init) {
  if (!init)
    return;
  cx_print_stmt(cx, init);
  text_add(cx->out, " ");
}

// ( init condition )
static void print_header(CxPrinter *cx, const CxStmt *init,
                         const CxExpr *condition, CxDecl *decl) {
  text_add(cx->out, " (");
  print_init(cx, init);
  print_optional(cx, condition);
  if (decl)
    cx_print_decl(cx, decl);
  text_add(cx->out, ")");
}

static void print_unroll(CxPrinter *cx, const CxUnroll *unroll) {
  if (!unroll->is_present)
    return;
  text_add(cx->out, "unroll(");
  print_optional(cx, unroll->count);
  text_add(cx->out, ") ");
}

static void print_stmt_for(CxPrinter *cx, const CxStmt *stmt) {
  print_unroll(cx, &stmt->u.loop.unroll);
  text_add(cx->out, "for (");
  print_init(cx, stmt->u.loop.init);
  print_optional(cx, stmt->u.loop.condition);
  text_add(cx->out, "; ");
  print_optional(cx, stmt->u.loop.step);
  text_add(cx->out, ")");
  print_inside(cx, stmt->u.loop.body);
}

static void print_range_for(CxPrinter *cx, const CxStmt *stmt) {
  print_unroll(cx, &stmt->u.range_for.unroll);
  text_add(cx->out, "for (");
  print_init(cx, stmt->u.range_for.init);
  cx_print_decl(cx, stmt->u.range_for.variable);
  text_add(cx->out, " : ");
  cx_print_expr(cx, stmt->u.range_for.range);
  text_add(cx->out, ")");
  print_inside(cx, stmt->u.range_for.body);
}

static void print_stmt_if(CxPrinter *cx, const CxStmt *stmt) {
  text_add(cx->out, stmt->u.if_stmt.is_constexpr ? "if constexpr" : "if");
  print_header(cx, stmt->u.if_stmt.init, stmt->u.if_stmt.condition,
               stmt->u.if_stmt.condition_decl);
  print_inside(cx, stmt->u.if_stmt.then_stmt);
  if (!stmt->u.if_stmt.else_stmt)
    return;
  cx_print_line(cx);
  text_add(cx->out, "else");
  print_inside(cx, stmt->u.if_stmt.else_stmt);
}

static void print_compound(CxPrinter *cx, const CxStmt *stmt) {
  text_add(cx->out, "{");
  cx->indent++;
  for (uint32_t i = 0; i < stmt->u.compound.items.count; i++) {
    cx_print_line(cx);
    cx_print_stmt(cx, stmt->u.compound.items.data[i]);
  }
  cx->indent--;
  cx_print_line(cx);
  text_add(cx->out, "}");
}

static void print_operands(CxPrinter *cx, const CxAsmOperand *operands,
                           uint32_t count) {
  text_add(cx->out, " :");
  for (uint32_t i = 0; i < count; i++) {
    text_add(cx->out, i ? ", " : " ");
    if (operands[i].name)
      text_printf(cx->out, "[%s] ", operands[i].name);
    print_optional(cx, operands[i].constraint);
    text_add(cx->out, "(");
    print_optional(cx, operands[i].value);
    text_add(cx->out, ")");
  }
}

static void print_asm(CxPrinter *cx, const CxStmt *stmt) {
  text_add(cx->out, stmt->u.asm_stmt.is_volatile ? "asm volatile " : "asm ");
  print_optional(cx, stmt->u.asm_stmt.code);
  print_operands(cx, stmt->u.asm_stmt.outputs, stmt->u.asm_stmt.n_outputs);
  print_operands(cx, stmt->u.asm_stmt.inputs, stmt->u.asm_stmt.n_inputs);
  text_add(cx->out, " : ");
  cx_print_list(cx, stmt->u.asm_stmt.clobbers);
}

void cx_print_stmt(CxPrinter *cx, const CxStmt *stmt) {
  switch (stmt->kind) {
  case CX_STMT_POISON:
  case CX_STMT_EMPTY:
  case CX_STMT_DEFAULT:
  case CX_STMT_BREAK:
  case CX_STMT_CONTINUE:
    text_printf(cx->out, "%s;", cx_stmt_kind_name(stmt->kind));
    return;
  case CX_STMT_UNSUPPORTED:
    text_printf(cx->out, "unsupported(%s);", stmt->u.what);
    return;
  case CX_STMT_EXPR:
    cx_print_expr(cx, stmt->u.expr);
    text_add(cx->out, ";");
    return;
  case CX_STMT_CASE:
    text_add(cx->out, "case ");
    cx_print_expr(cx, stmt->u.expr);
    text_add(cx->out, ":");
    return;
  case CX_STMT_RETURN:
    text_add(cx->out, "return ");
    print_optional(cx, stmt->u.expr);
    text_add(cx->out, ";");
    return;
  case CX_STMT_DECL: print_stmt_decls(cx, stmt->u.decls); return;
  case CX_STMT_COMPOUND: print_compound(cx, stmt); return;
  case CX_STMT_IF: print_stmt_if(cx, stmt); return;
  case CX_STMT_WHILE:
    print_unroll(cx, &stmt->u.loop.unroll);
    text_add(cx->out, "while");
    print_header(cx, NULL, stmt->u.loop.condition, stmt->u.loop.condition_decl);
    print_inside(cx, stmt->u.loop.body);
    return;
  case CX_STMT_DO:
    print_unroll(cx, &stmt->u.loop.unroll);
    text_add(cx->out, "do");
    print_inside(cx, stmt->u.loop.body);
    print_header(cx, NULL, stmt->u.loop.condition, NULL);
    return;
  case CX_STMT_FOR: print_stmt_for(cx, stmt); return;
  case CX_STMT_RANGE_FOR: print_range_for(cx, stmt); return;
  case CX_STMT_SWITCH:
    text_add(cx->out, "switch");
    print_header(cx, stmt->u.switch_stmt.init, stmt->u.switch_stmt.condition,
                 stmt->u.switch_stmt.condition_decl);
    print_inside(cx, stmt->u.switch_stmt.body);
    return;
  case CX_STMT_LABEL:
  case CX_STMT_GOTO:
    text_printf(cx->out, "%s %s;", cx_stmt_kind_name(stmt->kind),
                stmt->u.label.name ? stmt->u.label.name : "poison");
    return;
  case CX_STMT_ASM: print_asm(cx, stmt); return;
  }
}
