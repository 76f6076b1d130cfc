// SPDX-License-Identifier: Apache-2.0
// Inline assembly goes by its text, one instruction at a time.
#include "cuda/form/cu_asm.h"
#include "cuda/form/cu_local.h"
#include "cuda/form/cu_names.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_tree.h"
#include "cuda/form/cu_value.h"

#include "cuda/translate/cu_asm_parts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_op(const CuInstruction *instruction, const char *op) {
  return strcmp(instruction->op, op) == 0;
}

// ---------------------------------------------------------------- operands

// %[name]
static const CxAsmOperand *asm_named(const CxStmt *stmt, const char *text) {
  uint32_t n_outputs = stmt->u.asm_stmt.n_outputs;
  size_t length = strcspn(text, "]");
  for (uint32_t i = 0; i < n_outputs + stmt->u.asm_stmt.n_inputs; i++) {
    const CxAsmOperand *one = i < n_outputs
                                  ? &stmt->u.asm_stmt.outputs[i]
                                  : &stmt->u.asm_stmt.inputs[i - n_outputs];
    if (one->name && strlen(one->name) == length &&
        memcmp(one->name, text, length) == 0)
      return one;
  }
  return NULL;
}

const CxAsmOperand *cu_asm_placeholder(const CxStmt *stmt, const char *text) {
  if (text[0] == '%' && text[1] == '[')
    return asm_named(stmt, text + 2);
  if (text[0] != '%' || !isdigit((unsigned char)text[1]))
    return NULL;
  uint32_t index = (uint32_t)strtoul(text + 1, NULL, 10);
  uint32_t n_outputs = stmt->u.asm_stmt.n_outputs;
  if (index < n_outputs)
    return &stmt->u.asm_stmt.outputs[index];
  index -= n_outputs;
  return index < stmt->u.asm_stmt.n_inputs ? &stmt->u.asm_stmt.inputs[index]
                                           : NULL;
}

CuValue cu_asm_number(CuContext *cu, const CuInstruction *instruction,
                      uint32_t i) {
  Span span = instruction->stmt->keyword;
  const char *text = instruction->operands[i];
  const CxAsmOperand *given = cu_asm_placeholder(instruction->stmt, text);
  if (given)
    return cu_convert(cu, cu_operand(cu, given->value),
                      cu_basic(&cu->types, CU_INT), "an operand");
  char *end = NULL;
  long value = strtol(text, &end, 0);
  if (end == text || *end) {
    cu_asm_refuse(cu, instruction);
    return cu_poison(cu, span);
  }
  return cu_int_value(cu, cu_basic(&cu->types, CU_INT), value, span);
}

// ---------------------------------------------------------------- the others

static void asm_add_call(CuContext *cu, Expr *made, Span span) {
  cu_add_stmt(cu, cu_expr_stmt(cu, made, span));
}

static void asm_fence(CuContext *cu, const char *scope, Span span) {
  asm_add_call(
      cu, cu_word_call(cu, "fence", cu_word_expr(cu, scope, span), NULL, span),
      span);
}

static void asm_translate(CuContext *cu, const CuInstruction *instruction) {
  Span span = instruction->stmt->keyword;
  if (cu_asm_named_barrier(cu, instruction))
    return;
  if (is_op(instruction, "membar.cta"))
    asm_fence(cu, "block", span);
  else if (is_op(instruction, "membar.gl"))
    asm_fence(cu, "device", span);
  else if (is_op(instruction, "membar.sys"))
    asm_fence(cu, "system", span);
  else if (is_op(instruction, "trap"))
    asm_add_call(cu, cu_word_call(cu, "trap", NULL, NULL, span), span);
  else
    cu_asm_call(cu, instruction);
}

// ---------------------------------------------------------------- the text

static char *asm_trimmed(char *text) {
  while (isspace((unsigned char)*text))
    text++;
  size_t length = strlen(text);
  while (length && isspace((unsigned char)text[length - 1]))
    text[--length] = 0;
  return text;
}

static void add_operand(CuContext *cu, CuInstruction *instruction, char *text) {
  text = asm_trimmed(text);
  if (*text && instruction->n_operands < CU_MOST_OPERANDS)
    instruction->operands[instruction->n_operands++] =
        arena_strdup(cu->arena, text);
}

static void split_operands(CuContext *cu, CuInstruction *instruction,
                           char *text) {
  text = asm_trimmed(text);
  if (*text == '{') {
    instruction->n_in_braces = 1;
    for (const char *at = text; *at && *at != '}'; at++)
      instruction->n_in_braces += *at == ',';
  }
  for (char *at = text; *at; at++) // of a vector: one operand each
    if (*at == '{' || *at == '}')
      *at = ' ';
  while (text) {
    char *comma = strchr(text, ',');
    if (comma)
      *comma = 0;
    add_operand(cu, instruction, text);
    text = comma ? comma + 1 : NULL;
  }
}

// [@[!]p] op operands
void cu_asm_instruction(CuContext *cu, CuAsmScope *scope, char *text) {
  CuInstruction instruction = {.stmt = scope->stmt, .scope = scope};
  text = asm_trimmed(text);
  if (*text == '@') {
    instruction.guard = ++text;
    text += strcspn(text, " \t");
    if (*text)
      *text++ = 0;
    text = asm_trimmed(text);
  }
  if (!*text)
    return;
  instruction.op = text;
  text += strcspn(text, " \t");
  if (*text)
    *text++ = 0;
  if (strcmp(instruction.op, ".reg") == 0) {
    cu_asm_registers(cu, scope, text);
    return;
  }
  split_operands(cu, &instruction, text);
  if (!instruction.guard) {
    asm_translate(cu, &instruction);
    return;
  }
  CuStmtVec items = {0}, *before = cu->frame->statements;
  Expr *condition = cu_asm_guard(cu, &instruction);
  cu->frame->statements = &items;
  asm_translate(cu, &instruction);
  cu->frame->statements = before;
  if (!condition)
    return;
  Span span = scope->stmt->keyword;
  Stmt *branch = cu_new_stmt(cu, STMT_IF, span, span);
  branch->u.if_stmt.condition = condition;
  branch->u.if_stmt.then_stmt = cu_block(cu, &items, span);
  cu_add_stmt(cu, branch);
}

static void drop_comments(char *text) {
  char *to = text;
  while (*text) {
    if (text[0] == '/' && text[1] == '/') {
      text += strcspn(text, "\n");
    } else if (text[0] == '/' && text[1] == '*') {
      char *end = strstr(text + 2, "*/");
      text = end ? end + 2 : text + strlen(text);
    } else {
      *to++ = *text++;
    }
  }
  *to = 0;
}

// Blocks are no more than what stands in them.
static char *without_braces(char *text) {
  while (*text == '{' || *text == '}' || isspace((unsigned char)*text))
    text++;
  return asm_trimmed(text);
}

void cu_asm(CuContext *cu, const CxStmt *stmt) {
  const CxExpr *code = stmt->u.asm_stmt.code;
  if (!code || code->kind != CX_EXPR_STRING) {
    cu_unsupported(cu, stmt->keyword, "this inline assembly", NULL);
    return;
  }
  CuAsmScope scope = {.stmt = stmt};
  char *text = arena_strdup(cu->arena, code->u.string_lit.bytes);
  drop_comments(text);
  hd_vec(char *) all = {0};
  while (text) {
    char *end = strchr(text, ';');
    if (end)
      *end = 0;
    VEC_PUSH(cu->arena, &all, without_braces(text));
    text = end ? end + 1 : NULL;
  }
  VEC_PUSH(cu->arena, &all, NULL);
  for (uint32_t i = 0; i + 1 < all.count && !scope.has_failed;) {
    uint32_t n = cu_asm_wait_loop(cu, &scope, &all.data[i]);
    if (n == 0)
      cu_asm_instruction(cu, &scope, all.data[i]);
    i += n ? n : 1;
  }
}
