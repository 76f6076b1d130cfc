// SPDX-License-Identifier: Apache-2.0
// The pipeline: one specialisation of a kernel from typed tree to checked IR.
#include "base/panic.h"
#include "session/session.h"

#include "ir/form/words.h"
#include "ir/passes/passes.h"
#include "lower/lower.h"
#include "session/embed.h"
#include "session/kernel_source.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// Reports what is wrong with the kernel's groups, but what `open` (NULL:
// nothing) says of: see ir_check_groups_but.
static void run_passes(const HdProgram *program, DiagEngine *diags,
                       const Spec *spec, OpenConditions *open) {
  bool is_checked = !spec->is_to_run || spec->is_sanitized;
  spec->module->watch = spec->watch;
  PassRun run = {.kernel = spec->kernel,
                 .when = is_checked ? PASS_CHECKED : PASS_RUN,
                 .diags = diags,
                 .open = open,
                 .arena = program->arena};
  if (spec->is_sanitized)
    run.when |= PASS_SANITIZED;
  if (spec->module->waits_freely)
    run.when |= PASS_CUDA;
  if (!ir_has_tiles(spec->kernel))
    run.when |= PASS_UNTILED;
  passes_run(&run);
}

// For the checker, or as the session's options say.
static Spec spec_of(const HdProgram *program) {
  const HdSession *session = program->session;
  return (Spec){.is_sanitized = session->options.sanitize != 0,
                .watch = &session->watch};
}

static HdStatus finish_round(HdProgram *program) {
  return diag_round_error_count(program->diags) == 0 ? HD_OK
                                                     : program_fail(program);
}

static bool is_about_values(DiagId id) {
  return id == DIAG_embedded_missing || id == DIAG_embedded_inexact ||
         id == DIAG_embedded_kind;
}

// A program is not wrong because the values given for it are.
static HdStatus fail_check(HdProgram *program) {
  uint32_t n_diags, n_values = 0, n_others = 0;
  const Diag *const *list = diag_list(program->diags, &n_diags);
  for (uint32_t i = 0; i < n_diags; i++) {
    if (list[i]->round != diag_round(program->diags))
      continue;
    if (is_about_values(list[i]->id))
      n_values++;
    else
      n_others++;
  }
  HdStatus status = program_fail(program);
  return n_values > 0 && n_others == 0 ? HD_ERROR_LAUNCH : status;
}

// As if the kernel stated the grid that it leaves open.
static void fix_grid(IrKernel *kernel, const int64_t grid[3]) {
  if (kernel->n_grid > 0)
    return;
  for (int i = 0; i < 3; i++) {
    IrHost *blocks = ARENA_NEW(kernel->module->arena, IrHost);
    blocks->op = HOST_CONST;
    blocks->number = grid[i];
    kernel->grid[i] = blocks;
  }
  kernel->n_grid = 3;
}

HdStatus source_type(HdProgram *program, const KernelTree *tree,
                     const HdEmbed *embeds, int n_embeds, TKernel **out) {
  SpecValues values;
  HD_TRY(embed_values(program, tree->index, embeds, n_embeds, &values));
  *out = sema_check_kernel(tree->sema, tree->unit, tree->index->name, &values);
  return HD_OK;
}

static void set_rules(IrModule *module, const SourcePolicy *policy) {
  module->loses_const = policy->loses_const;
  module->has_open_lanes = policy->has_open_lanes;
  module->language = policy->words;
}

// Lowers a typed kernel into a module of its own.
static void specialise_lower(const HdProgram *program, const char *name,
                             TKernel *typed, const SpecLimits *limits,
                             Spec *spec) {
  const SourcePolicy *policy = &program->kernels->policy;
  Arena *arena = arena_new();
  spec->module = ir_module_new(arena, source_name(program->source));
  spec->module->is_exact = spec->is_sanitized;
  spec->module->waits_freely = policy->waits_freely;
  set_rules(spec->module, policy);
  spec->kernel =
      lower_kernel(spec->module, typed, program->source, program->diags);
  if (spec->kernel) // as messages call it: k<float, 4>
    spec->kernel->name = arena_strdup(arena, name);
  if (spec->kernel && limits && limits->has_grid)
    fix_grid(spec->kernel, limits->grid);
}

// Of IR text: what a back end has made for itself.
static HdStatus refuse_level(HdProgram *program, const IrKernel *kernel) {
  DIAG_REPORT(program->diags, DIAG_ir_invalid,
              kernel->module->locs.data[kernel->loc].place,
              DS(arena_printf(program->arena,
                              "kernel '%s' is of the level %s, which no pass "
                              "takes",
                              kernel->name, ir_words_level[kernel->level])));
  return program_fail(program);
}

// Checks a kernel with these values, and lowers it unless its source has IR.
static HdStatus make_once(HdProgram *program, const char *name,
                          const HdEmbed *embeds, int n_embeds,
                          const SpecLimits *limits, Spec *spec,
                          OpenConditions *open) {
  SourceForm form = {0};
  HD_TRY(program->kernels->specialise(program, name, embeds, n_embeds, limits,
                                      &form));
  if (!form.typed && !form.kernel)
    return fail_check(program);
  spec->module = form.module;
  spec->kernel = form.kernel;
  spec->owns_module = form.typed != NULL;
  if (spec->kernel && spec->kernel->level > LEVEL_THREAD)
    return refuse_level(program, spec->kernel);
  if (form.typed)
    specialise_lower(program, name, form.typed, limits, spec);
  if (spec->kernel)
    run_passes(program, program->diags, spec, open);
  HdStatus status =
      spec->kernel ? finish_round(program) : program_fail(program);
  if (status != HD_OK && form.typed)
    arena_free(spec->module->arena);
  return status;
}

// With what the rules leave open stated, as long as there is more of it.
static HdStatus specialise_make(HdProgram *program, const char *name,
                                const HdEmbed *embeds, int n_embeds,
                                const SpecLimits *limits, Spec *spec) {
  const KernelSource *kernels = program->kernels;
  for (;;) {
    OpenConditions open = {0};
    HD_TRY(make_once(program, name, embeds, n_embeds, limits, spec,
                     kernels->state ? &open : NULL));
    if (open.count == 0)
      return HD_OK;
    arena_free(spec->module->arena);
    if (!kernels->state(program, &open))
      return make_once(program, name, embeds, n_embeds, limits, spec, NULL);
  }
}

// Lowers a typed kernel into `arena` by these rules, for the checker, and
// reports to `diags` what is wrong. NULL: it is too big.
static IrKernel *lower_for_check(const HdProgram *program, DiagEngine *diags,
                                 TKernel *typed, Arena *arena,
                                 OpenConditions *open,
                                 const SourcePolicy *policy) {
  Spec spec = spec_of(program);
  spec.module = ir_module_new(arena, source_name(program->source));
  set_rules(spec.module, policy);
  spec.kernel = lower_kernel(spec.module, typed, program->source, diags);
  if (spec.kernel)
    run_passes(program, diags, &spec, open);
  return spec.kernel;
}

IrKernel *spec_try(const HdProgram *program, DiagEngine *diags,
                   const KernelTree *tree, const char *name, Arena *arena,
                   OpenConditions *open, const KernelSource *rules) {
  TKernel *typed = sema_check_kernel(tree->sema, tree->unit, name, NULL);
  if (!typed)
    return NULL;
  IrKernel *kernel =
      lower_for_check(program, diags, typed, arena, open, &rules->policy);
  return diag_round_error_count(diags) == 0 ? kernel : NULL;
}

void source_check(HdProgram *program, TKernel *typed) {
  Arena *arena = arena_new();
  (void)lower_for_check(program, program->diags, typed, arena, NULL,
                        &program->kernels->policy);
  arena_free(arena);
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const HdEmbed *)a)->name, ((const HdEmbed *)b)->name);
}

// "kernel BM=128 T=float", names sorted, then the limits.
static const char *spec_key(HdProgram *program, const char *kernel,
                            const HdEmbed *embeds, int n_embeds,
                            const SpecLimits *limits, bool is_to_run) {
  Arena *arena = program->arena;
  size_t count = (size_t)n_embeds;
  HdEmbed *sorted = ARENA_ARRAY(arena, HdEmbed, count + 1);
  if (count > 0)
    memcpy(sorted, embeds, count * sizeof *embeds);
  qsort(sorted, count, sizeof *sorted, by_name);
  Text text = {.arena = arena};
  text_add(&text, kernel);
  for (size_t i = 0; i < count; i++)
    text_printf(&text, " %s=%s", sorted[i].name, sorted[i].text);
  for (int i = 0; limits && limits->has_grid && i < 3; i++)
    text_printf(&text, " %" PRId64, limits->grid[i]);
  for (uint32_t i = 0; limits && i < limits->n_assumptions; i++)
    text_printf(&text, "\n%s", limits->assumptions[i].text);
  if (is_to_run)
    text_add(&text, "\nto run");
  return intern_cstr(program->names, text_cstr(&text));
}

HdStatus spec_make(HdProgram *program, const char *kernel,
                   const HdEmbed *embeds, int n_embeds,
                   const SpecLimits *limits, Spec *spec) {
  diag_begin_round(program->diags);
  return specialise_make(program, kernel, embeds, n_embeds, limits, spec);
}

void spec_drop(const HdProgram *program, Spec *spec) {
  HD_ASSERT(spec->module);
  if (spec->owns_module)
    arena_free(spec->module->arena);
  else
    spec->module->watch = &program->session->watch;
}

static HdStatus specialise_get(HdProgram *program, const char *kernel,
                               const HdEmbed *embeds, int n_embeds,
                               const SpecLimits *limits, bool is_to_run,
                               Spec **out) {
  const char *key =
      spec_key(program, kernel, embeds, n_embeds, limits, is_to_run);
  *out = map_get(&program->specs_by_key, MAP_KEY(key));
  if (*out)
    return HD_OK;
  Spec *spec = ARENA_NEW(program->arena, Spec);
  *spec = spec_of(program);
  spec->key = key;
  spec->is_to_run = is_to_run;
  HD_TRY(spec_make(program, kernel, embeds, n_embeds, limits, spec));
  map_put(program->arena, &program->specs_by_key, MAP_KEY(key), spec);
  arena_keep(spec->module->arena); // the program frees it
  spec->next = program->specs;
  program->specs = spec;
  *out = spec;
  return HD_OK;
}

HdStatus spec_get(HdProgram *program, const char *kernel, const HdEmbed *embeds,
                  int n_embeds, const SpecLimits *limits, Spec **out) {
  return specialise_get(program, kernel, embeds, n_embeds, limits, false, out);
}

static bool find_of_checks(IrNode *node, void *context) {
  const IrNode **found = context;
  if (ir_op_info(node)->flags & OPF_CHECKS && !*found)
    *found = node;
  return true;
}

static void refuse_to_run(const HdProgram *program, const IrModule *module,
                          const IrNode *node) {
  const IrLoc *loc = &module->locs.data[node->loc];
  if (loc->parent)
    loc = &module->locs.data[loc->parent];
  diag_begin_round(program->diags);
  if (node->op == IR_UNKNOWN)
    DIAG_REPORT(program->diags, DIAG_no_body, loc->place,
                DS(node->u.text.text));
  else // programs have it in IR text only
    DIAG_REPORT(program->diags, DIAG_ir_invalid, loc->place,
                DS(arena_printf(module->arena,
                                "'%s' is for checks: a kernel with it can't be "
                                "run",
                                ir_op_info(node)->text)));
}

HdStatus spec_check_runnable(HdProgram *program, const Spec *spec) {
  const IrNode *node = NULL;
  ir_walk(&spec->kernel->body, find_of_checks, &node);
  if (!node)
    return HD_OK;
  refuse_to_run(program, spec->module, node);
  return program_fail(program);
}

HdStatus spec_get_runnable(HdProgram *program, const char *kernel,
                           const HdEmbed *embeds, int n_embeds, Spec **out) {
  bool is_to_run = program->kernels->policy.tests_launches;
  HD_TRY(
      specialise_get(program, kernel, embeds, n_embeds, NULL, is_to_run, out));
  return spec_check_runnable(program, *out);
}
