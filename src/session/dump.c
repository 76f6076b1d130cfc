// SPDX-License-Identifier: Apache-2.0
// Texts of stages, decisions and pages.
#include "session/session.h"

#include "check/tree.h"
#include "codegen/codegen_cpu.h"
#include "syntax/lexer.h"
#include "syntax/parse.h"

#include <stdlib.h>
#include <string.h>

void hd_text_free(char *text) {
  free(text);
}

// A malloc'd copy for the caller.
static HdStatus give(HdSession *session, const Text *text, char **out) {
  *out = strdup(text_cstr(text));
  return *out ? HD_OK : session_fail(session, HD_ERROR_MEMORY, "out of memory");
}

// One kernel, or every kernel that has all its values, each its own module.
static HdStatus dump_ir(HdProgram *program, const char *kernel,
                        const HdEmbed *embeds, int n_embeds, Text *text) {
  Spec *spec;
  if (kernel) {
    HD_TRY(spec_get(program, kernel, embeds, n_embeds, &spec));
    ir_print(spec->module, text);
    return HD_OK;
  }
  int count = hd_program_kernel_count(program), shown = 0;
  for (int i = 0; i < count; i++) {
    if (!program->ir && index_is_open(&program->index.kernels[i]))
      continue;
    HD_TRY(
        spec_get(program, hd_program_kernel_name(program, i), NULL, 0, &spec));
    if (!program->ir || shown == 0)
      ir_print(spec->module, text);
    shown++;
  }
  return HD_OK;
}

// As for arguments that have all facts.
static HdStatus dump_code(HdProgram *program, const char *kernel,
                          const HdEmbed *embeds, int n_embeds, bool as_assembly,
                          Text *text) {
  HdSession *session = program->session;
  Spec *spec;
  const char *why = NULL;
  HD_TRY(spec_get(program, kernel, embeds, n_embeds, &spec));
  for (uint32_t i = 0; i < spec->kernel->objects.count; i++) {
    IrObject *object = spec->kernel->objects.data[i];
    if (object->param >= 0 && !object->is_plain_pointer)
      object->facts = FACT_ALIGNED16 | FACT_STRIDE16 | FACT_DENSE | FACT_SMALL;
  }
  HdStatus status = cpu_dump(session->compiler, text->arena, spec->module,
                             spec->kernel, as_assembly, text, &why);
  return status == HD_OK ? status : session_fail(session, status, "%s", why);
}

// What the checker starts from.
static HdStatus dump_tree(HdProgram *program, const char *kernel,
                          const HdEmbed *embeds, int n_embeds, Text *text) {
  Spec *spec;
  HD_TRY(spec_get(program, kernel, embeds, n_embeds, &spec));
  Arena *arena = arena_new();
  TermTable *terms = term_table_new(arena);
  Solver *solver = solver_new(arena, terms, &(SolveOptions){0});
  tree_print(tree_build(arena, spec->kernel, ir_uniformity(arena, spec->kernel),
                        terms, solver),
             text);
  solver_free(solver);
  arena_free(arena);
  return HD_OK;
}

static HdStatus dump_stage(HdProgram *program, const char *kernel,
                           const HdEmbed *embeds, int n_embeds,
                           const char *stage, Text *text) {
  bool is_tokens = strcmp(stage, "tokens") == 0;
  if (is_tokens || strcmp(stage, "ast") == 0) {
    if (program->ir || !program->source)
      return session_fail(program->session, HD_ERROR_ARGUMENT,
                          "IR text has no %s", stage);
    if (!is_tokens && (!program->unit || program->unit->has_errors))
      return program_fail(program);
    if (is_tokens)
      tokens_print(text->arena, program->names, program->diags, program->source,
                   text);
    else
      ast_print(program->unit, text);
    return HD_OK;
  }
  if (strcmp(stage, "ir") == 0)
    return dump_ir(program, kernel, embeds, n_embeds, text);
  if (strcmp(stage, "check") == 0)
    return dump_tree(program, kernel, embeds, n_embeds, text);
  if (strcmp(stage, "llvm") == 0 || strcmp(stage, "asm") == 0)
    return dump_code(program, kernel, embeds, n_embeds, stage[0] == 'a', text);
  if (strcmp(stage, "ptx") == 0)
    return session_fail(program->session, HD_ERROR_UNSUPPORTED,
                        "stage ptx is not available in this version");
  return session_fail(
      program->session, HD_ERROR_ARGUMENT,
      "no stage '%s'; there is: tokens, ast, ir, check, llvm, asm", stage);
}

HdStatus hd_dump(HdProgram *program, const char *kernel, const HdEmbed *embeds,
                 int n_embeds, const char *stage, char **out) {
  *out = NULL;
  session_lock(program->session);
  Text text = {.arena = arena_new()};
  HdStatus status = dump_stage(program, kernel, embeds, n_embeds, stage, &text);
  if (status == HD_OK)
    status = give(program->session, &text, out);
  arena_free(text.arena);
  session_unlock(program->session);
  return status;
}

const char *hd_explain(const char *code) {
  for (int id = 0; id < DIAG_COUNT; id++) {
    if (strcmp(diag_code((DiagId)id), code) == 0)
      return diag_page((DiagId)id);
  }
  return NULL;
}
