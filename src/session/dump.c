// SPDX-License-Identifier: Apache-2.0
// Texts of stages, decisions and pages.
#include "session/kernel_source.h"

#include "base/panic.h"
#include "check/report/report.h"
#include "check/tree/tree.h"
#include "syntax/lexer.h"
#include "syntax/parse.h"
#include "tile/tile.h"

#include <stdlib.h>
#include <string.h>

void hd_text_free(char *text) {
  free(text);
}

// A malloc'd copy for the caller.
static HdStatus dump_give(HdSession *session, const Text *text, char **out) {
  *out = strdup(text_cstr(text));
  return *out ? HD_OK : session_no_memory(session, NULL);
}

// One kernel, or every kernel that has all its values, each its own module.
static HdStatus dump_ir(HdProgram *program, const char *kernel,
                        const HdEmbed *embeds, int n_embeds, Text *text) {
  Spec *spec;
  if (kernel) {
    HD_TRY(spec_get(program, kernel, embeds, n_embeds, NULL, &spec));
    ir_print_program(spec->module, text);
    return HD_OK;
  }
  const IrModule *shown = NULL;
  int count = hd_program_kernel_count(program);
  for (int i = 0; i < count; i++) {
    if (program->kernels->is_open(program, i))
      continue;
    HD_TRY(spec_get(program, hd_program_kernel_name(program, i), NULL, 0, NULL,
                    &spec));
    if (spec->module != shown)
      ir_print_program(spec->module, text);
    shown = spec->module;
  }
  return HD_OK;
}

// As for arguments that have all facts and are not long.
static void set_dump_facts(IrKernel *kernel) {
  kernel->has_few_threads = true;
  for (uint32_t i = 0; i < kernel->objects.count; i++) {
    IrObject *object = kernel->objects.data[i];
    if (object->param >= 0)
      object->facts = FACT_ALIGNED16 | FACT_STRIDE16 | FACT_DENSE | FACT_SMALL;
  }
}

// A tile kernel as the program with roles that GPUs with matrix units run, for
// arguments that have all facts; others as they are.
static HdStatus dump_tiles(HdProgram *program, const char *kernel,
                           const HdEmbed *embeds, int n_embeds, Text *text) {
  enum { MOST_SHARED_BYTES = 227 * 1024 };

  Spec *spec;
  HD_TRY(spec_get(program, kernel, embeds, n_embeds, NULL, &spec));
  const IrKernel *shown = spec->kernel, *made = NULL;
  const char *why;
  set_dump_facts(spec->kernel);
  if (shown->level == LEVEL_TILES && shown->block_dim[0] == 1 &&
      !tile_refusal(shown))
    made = tile_roles(text->arena, shown, MOST_SHARED_BYTES, &why);
  ir_print_program(made ? made->module : spec->module, text);
  return HD_OK;
}

static HdStatus dump_code(HdProgram *program, const char *kernel,
                          const HdEmbed *embeds, int n_embeds,
                          CodeTarget *target, int stage, Text *text) {
  Spec *spec;
  target_open(program->session, target);
  HD_TRY(spec_get_runnable(program, kernel, embeds, n_embeds, &spec));
  set_dump_facts(spec->kernel);
  const char *why = NULL;
  const IrKernel *kernel_of;
  HD_TRY(threads_get(program, target, spec, text->arena, &kernel_of));
  HdStatus status =
      target->ops->dump(target->compiler, text->arena, kernel_of->module,
                        kernel_of, stage, text, &why);
  return status == HD_OK ? status
                         : code_fail(program, target, spec, status, why);
}

// -------------------------------------------------------- behind one pass

static HdStatus fail_pass(HdSession *session, const char *name) {
  Text names = {.arena = arena_new()};
  for (int i = 0; i < PASS_COUNT; i++)
    text_printf(&names, "%s%s", i ? ", " : "", pass_table[i].name);
  HdStatus status =
      session_fail(session, HD_ERROR_ARGUMENT, "no pass '%s'; there is: %s",
                   name, text_cstr(&names));
  arena_free(names.arena);
  return status;
}

static CodeTarget *target_of_pass(HdSession *session, const char *device) {
  for (int i = 0; i < session->targets.count; i++) {
    CodeTarget *target = &session->targets.data[i];
    if (strcmp(target->ops->device, device) == 0 && target->model->is_usual)
      return target;
  }
  return NULL;
}

// What a back end does on its way to code.
static HdStatus pass_for_code(HdProgram *program, const Spec *spec,
                              const char *device, Arena *arena) {
  CodeTarget *target = target_of_pass(program->session, device);
  HD_ASSERT(target);
  target_open(program->session, target);
  HD_TRY(spec_check_runnable(program, spec));
  set_dump_facts(spec->kernel);
  Text code = {.arena = arena};
  const char *why = NULL;
  const IrKernel *kernel;
  HD_TRY(threads_get(program, target, spec, arena, &kernel));
  HdStatus status = target->ops->dump(target->compiler, arena, kernel->module,
                                      kernel, 0, &code, &why);
  return status == HD_OK ? status
                         : code_fail(program, target, spec, status, why);
}

// The rest of the way to the pass; those of every kernel are behind us.
static HdStatus pass_stage(HdProgram *program, const Spec *spec,
                           PassStage stage) {
  HdStatus status = HD_OK;
  Arena *arena = arena_new();
  if (pass_device[stage])
    status = pass_for_code(program, spec, pass_device[stage], arena);
  if (stage == STAGE_CHECK) {
    const IrKernel *kernel = ir_follow_values(arena, spec->kernel, NULL);
    pass_done(PASS_FOLLOW_VALUES, kernel, kernel != spec->kernel);
  }
  arena_free(arena);
  return status;
}

// The module of IR text, or NULL.
static const IrModule *module_read(HdProgram *program) {
  SourceKernel found = {0};
  bool is_found =
      hd_program_kernel_count(program) > 0 &&
      program->kernels->find(program, hd_program_kernel_name(program, 0),
                             &found) == HD_OK;
  return is_found && found.ir ? found.module : NULL;
}

// The kernel as it is behind the pass, on the way for which that runs.
static HdStatus dump_after(HdProgram *program, const char *kernel,
                           const HdEmbed *embeds, int n_embeds,
                           const char *name, Text *text) {
  HdSession *session = program->session;
  PassId pass = pass_find(name);
  if (pass == PASS_COUNT)
    return fail_pass(session, name);
  const IrModule *read = pass == PASS_LOWERING ? module_read(program) : NULL;
  if (read) { // whatever its level is
    ir_print(read, text);
    return HD_OK;
  }
  HD_TRY(program_choose(program, &kernel));
  const PassInfo *row = &pass_table[pass];
  PassWatch watch = {session->watch.verifies_each, pass, text};
  Spec spec = {.is_to_run = program->kernels->policy.tests_launches &&
                            (row->when & PASS_RUN),
               .is_sanitized =
                   session->options.sanitize || (row->when & PASS_SANITIZED),
               .watch = &watch};
  HD_TRY(spec_make(program, kernel, embeds, n_embeds, NULL, &spec));
  HdStatus status = pass_stage(program, &spec, row->stage);
  spec_drop(program, &spec);
  return status;
}

// What the checker starts from.
static HdStatus dump_tree(HdProgram *program, const char *kernel,
                          const HdEmbed *embeds, int n_embeds, Text *text) {
  Spec *spec;
  HD_TRY(spec_get(program, kernel, embeds, n_embeds, NULL, &spec));
  Arena *arena = arena_new();
  TermTable *terms = term_table_new(arena);
  Solver *solver = solver_new(arena, terms, &(SolveOptions){0});
  tree_print(
      tree_build(arena, spec->kernel, ir_uniformity(arena, spec->kernel), terms,
                 solver,
                 (program->kernels->policy.check & CHECK_TRUST_SIZES) != 0),
      text);
  solver_free(solver);
  arena_free(arena);
  return HD_OK;
}

static HdStatus dump_words(HdProgram *program, const char *kernel,
                           bool is_tokens, Text *text) {
  const KernelSource *kernels = program->kernels;
  if (!kernels->print || !program->source)
    return session_fail(program->session, HD_ERROR_ARGUMENT,
                        "IR text has no %s", is_tokens ? "tokens" : "ast");
  if (!is_tokens)
    return kernels->print(program, kernel, text);
  tokens_print(text->arena, program->names, program->diags, program->source,
               text);
  return HD_OK;
}

// Only targets that aren't usual have the stage.
static HdStatus fail_without_target(HdSession *session, const char *stage) {
  Text names = {.arena = arena_new()};
  for (int i = 0; i < session->targets.count; i++) {
    const CodeTarget *target = &session->targets.data[i];
    if (target_stage(target->ops, stage) >= 0)
      text_printf(&names, "%s%s", names.length ? ", " : "",
                  target->model->name);
  }
  HdStatus status = session_fail(
      session, HD_ERROR_ARGUMENT,
      "stage '%s' needs a target (--target); those that have it: %s", stage,
      names.length ? text_cstr(&names) : "none");
  arena_free(names.arena);
  return status;
}

// What the target is called, NULL for the usual one that has the stage.
static HdStatus dump_find_target(HdSession *session, const char *name,
                                 const char *stage, CodeTarget **out,
                                 int *number) {
  *number = -1;
  *out = name ? target_find(session, name) : target_of_stage(session, stage);
  if (!*out)
    return name ? HD_ERROR_NOT_FOUND : fail_without_target(session, stage);
  const CodeOps *ops = (*out)->ops;
  *number = target_stage(ops, stage);
  if (*number >= 0)
    return HD_OK;
  Arena *scratch = arena_new();
  Text stages = {.arena = scratch};
  for (int i = 0; ops->stages[i]; i++)
    text_printf(&stages, "%s%s", i ? ", " : "", ops->stages[i]);
  HdStatus status = session_fail(session, HD_ERROR_ARGUMENT,
                                 "target '%s' has no stage '%s'; it has: %s",
                                 name, stage, text_cstr(&stages));
  arena_free(scratch);
  return status;
}

static HdStatus dump_stage(HdProgram *program, const char *kernel,
                           const HdEmbed *embeds, int n_embeds,
                           const char *stage, const char *target_name,
                           Text *text) {
  HdSession *session = program->session;
  bool is_code = target_has_stage(session, stage);
  if (target_name && !is_code)
    return session_fail(session, HD_ERROR_ARGUMENT,
                        "stage '%s' is the same for every target", stage);
  if (strcmp(stage, "tokens") == 0 || strcmp(stage, "ast") == 0)
    return dump_words(program, kernel, stage[0] == 't', text);
  if (kernel || strcmp(stage, "ir") != 0)
    HD_TRY(program_choose(program, &kernel));
  if (strcmp(stage, "ir") == 0)
    return dump_ir(program, kernel, embeds, n_embeds, text);
  if (strcmp(stage, "tiles") == 0)
    return dump_tiles(program, kernel, embeds, n_embeds, text);
  if (strcmp(stage, "check") == 0)
    return dump_tree(program, kernel, embeds, n_embeds, text);
  bool is_svg;
  if (dump_is_layout(stage, &is_svg)) {
    Spec *spec;
    HD_TRY(spec_get(program, kernel, embeds, n_embeds, NULL, &spec));
    dump_array_layouts(spec->kernel, is_svg, text);
    return HD_OK;
  }
  if (!is_code)
    return session_fail(session, HD_ERROR_ARGUMENT,
                        "no stage '%s'; there is: tokens, ast, ir, tiles, "
                        "check, layout, layout-svg, %s",
                        stage, target_stages(session, text->arena));
  CodeTarget *target;
  int number;
  HD_TRY(dump_find_target(session, target_name, stage, &target, &number));
  return dump_code(program, kernel, embeds, n_embeds, target, number, text);
}

typedef struct {
  const char *stage, *target, *pass; // of a stage, or behind a pass
} Dumped;

static HdStatus dump_for(HdProgram *program, const char *kernel,
                         const HdEmbed *embeds, int n_embeds,
                         const Dumped *what, char **out) {
  session_lock(program->session);
  Text text = {.arena = arena_new()};
  HdStatus status = what->pass ? dump_after(program, kernel, embeds, n_embeds,
                                            what->pass, &text)
                               : dump_stage(program, kernel, embeds, n_embeds,
                                            what->stage, what->target, &text);
  if (status == HD_OK)
    status = dump_give(program->session, &text, out);
  arena_free(text.arena);
  session_unlock(program->session);
  return status;
}

HdStatus hd_dump_for(HdProgram *program, const char *kernel,
                     const HdEmbed *embeds, int n_embeds, const char *stage,
                     const char *target, char **out) {
  if (out)
    *out = NULL;
  if (!program || !stage || !out || !embeds_are_given(embeds, n_embeds))
    return session_null(program ? program->session : NULL, "hd_dump_for");
  PROGRAM_RESCUE(program, out);
  Dumped what = {.stage = stage, .target = target};
  return dump_for(program, kernel, embeds, n_embeds, &what, out);
}

HdStatus hd_dump_after(HdProgram *program, const char *kernel,
                       const HdEmbed *embeds, int n_embeds, const char *pass,
                       char **out) {
  if (out)
    *out = NULL;
  if (!program || !pass || !out || !embeds_are_given(embeds, n_embeds))
    return session_null(program ? program->session : NULL, "hd_dump_after");
  PROGRAM_RESCUE(program, out);
  Dumped what = {.pass = pass};
  return dump_for(program, kernel, embeds, n_embeds, &what, out);
}

HdStatus hd_dump(HdProgram *program, const char *kernel, const HdEmbed *embeds,
                 int n_embeds, const char *stage, char **out) {
  if (out)
    *out = NULL;
  if (!program || !stage || !out || !embeds_are_given(embeds, n_embeds))
    return session_null(program ? program->session : NULL, "hd_dump");
  return hd_dump_for(program, kernel, embeds, n_embeds, stage, NULL, out);
}

const char *hd_explain(const char *code) {
  if (!code)
    return NULL;
  for (int id = 0; id < DIAG_COUNT; id++) {
    if (strcmp(diag_code((DiagId)id), code) == 0)
      return diag_page((DiagId)id);
  }
  return NULL;
}
