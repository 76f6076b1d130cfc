// SPDX-License-Identifier: Apache-2.0
// The pipeline: one specialisation of a kernel from typed tree to checked IR.
#include "session/session.h"

#include "ir/analyses/analysis.h"
#include "ir/verify/verify.h"
#include "lower/lower.h"
#include "session/embed.h"
#include "session/kernel_source.h"

#include "base/panic.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void verify(const HdProgram *program, const IrModule *module,
                   const char *pass) {
  const char *why = ir_verify(module);
  if (why)
    HD_PANIC("%s broke the IR of %s: %s", pass, source_name(program->source),
             why);
}

// Passes over a kernel; every step is one line. Reports what is wrong with its
// groups, but what `open` (NULL: nothing) says of: see ir_check_groups_but.
// `is_to_run`: with the tests of a launch.
static void run_passes(const HdProgram *program, DiagEngine *diags,
                       IrModule *module, IrKernel *kernel, OpenConditions *open,
                       bool is_to_run) {
  bool verify_each = program->session->options.verify_each != 0;
  verify(program, module, "lowering");
  ir_check_tokens(kernel, diags);
  ir_simplify(kernel);
  if (verify_each)
    verify(program, module, "simplify");
  ir_name_own(kernel);
  if (verify_each)
    verify(program, module, "name-own");
  ir_promote(kernel);
  if (verify_each)
    verify(program, module, "promote");
  ir_split_webs(kernel);
  if (verify_each)
    verify(program, module, "split-webs");
  ir_simplify(kernel);
  ir_kernel_renumber(kernel);
  verify(program, module, "simplify");
  if (ir_decide_whole(kernel))
    verify(program, module, "decide-whole");
  Arena *scratch = arena_new();
  Uniformity *uniformity = ir_uniformity(scratch, kernel);
  ir_check_groups_but(kernel, uniformity, diags, program->arena, open);
  bool is_good = diag_round_error_count(diags) == 0;
  if (is_good)
    ir_decide_joins(kernel, uniformity);
  if (is_good && is_to_run && !program->session->options.sanitize &&
      ir_test_claims(kernel, uniformity))
    verify(program, module, "test-claims");
  arena_free(scratch);
  if (is_good && ir_wait_polls(kernel))
    verify(program, module, "wait-polls");
  bool is_to_check = !is_to_run || program->session->options.sanitize;
  if (is_good && ir_track_inits(kernel, is_to_check))
    verify(program, module, "track-inits");
  if (is_good && is_to_check && module->waits_freely && ir_track_ends(kernel))
    verify(program, module, "track-ends");
  if (is_good && program->session->options.sanitize) {
    if (ir_follow_lanes(kernel))
      verify(program, module, "follow-lanes");
    ir_track_values(kernel);
    verify(program, module, "track-values");
    ir_track_claims(kernel);
    verify(program, module, "track-claims");
  }
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
static void lower(const HdProgram *program, const char *name, TKernel *typed,
                  const SpecLimits *limits, Spec *spec) {
  const SourcePolicy *policy = &program->kernels->policy;
  Arena *arena = arena_new();
  spec->module = ir_module_new(arena, source_name(program->source));
  spec->module->is_exact = program->session->options.sanitize != 0;
  spec->module->waits_freely = policy->waits_freely;
  set_rules(spec->module, policy);
  spec->kernel =
      lower_kernel(spec->module, typed, program->source, program->diags);
  if (spec->kernel) // as messages call it: k<float, 4>
    spec->kernel->name = arena_strdup(arena, name);
  if (spec->kernel && limits && limits->has_grid)
    fix_grid(spec->kernel, limits->grid);
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
  if (form.typed)
    lower(program, name, form.typed, limits, spec);
  if (spec->kernel)
    run_passes(program, program->diags, spec->module, spec->kernel, open,
               spec->is_to_run);
  HdStatus status =
      spec->kernel ? finish_round(program) : program_fail(program);
  if (status != HD_OK && form.typed)
    arena_free(spec->module->arena);
  return status;
}

// With what the rules leave open stated, as long as there is more of it.
static HdStatus make(HdProgram *program, const char *name,
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

IrKernel *spec_try(const HdProgram *program, DiagEngine *diags,
                   const KernelTree *tree, const char *name, Arena *arena,
                   OpenConditions *open, const KernelSource *rules) {
  TKernel *typed = sema_check_kernel(tree->sema, tree->unit, name, NULL);
  if (!typed)
    return NULL;
  IrModule *module = ir_module_new(arena, source_name(program->source));
  set_rules(module, &rules->policy);
  IrKernel *kernel = lower_kernel(module, typed, program->source, diags);
  if (kernel)
    run_passes(program, diags, module, kernel, open, false);
  return diag_round_error_count(diags) == 0 ? kernel : NULL;
}

void source_check(HdProgram *program, TKernel *typed) {
  Arena *arena = arena_new();
  IrModule *module = ir_module_new(arena, source_name(program->source));
  IrKernel *kernel =
      lower_kernel(module, typed, program->source, program->diags);
  if (kernel)
    run_passes(program, program->diags, module, kernel, NULL, false);
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
    text_printf(&text, "\n%s", limits->assumptions[i]);
  if (is_to_run)
    text_add(&text, "\nto run");
  return intern_cstr(program->names, text_cstr(&text));
}

static HdStatus get(HdProgram *program, const char *kernel,
                    const HdEmbed *embeds, int n_embeds,
                    const SpecLimits *limits, bool is_to_run, Spec **out) {
  const char *key =
      spec_key(program, kernel, embeds, n_embeds, limits, is_to_run);
  *out = map_get(&program->specs_by_key, MAP_KEY(key));
  if (*out)
    return HD_OK;
  diag_begin_round(program->diags);
  Spec *spec = ARENA_NEW(program->arena, Spec);
  spec->key = key;
  spec->is_to_run = is_to_run;
  HD_TRY(make(program, kernel, embeds, n_embeds, limits, spec));
  map_put(program->arena, &program->specs_by_key, MAP_KEY(key), spec);
  arena_keep(spec->module->arena); // the program frees it
  spec->next = program->specs;
  program->specs = spec;
  *out = spec;
  return HD_OK;
}

HdStatus spec_get(HdProgram *program, const char *kernel, const HdEmbed *embeds,
                  int n_embeds, const SpecLimits *limits, Spec **out) {
  return get(program, kernel, embeds, n_embeds, limits, false, out);
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

HdStatus spec_get_runnable(HdProgram *program, const char *kernel,
                           const HdEmbed *embeds, int n_embeds, Spec **out) {
  bool is_to_run = program->kernels->policy.tests_launches;
  HD_TRY(get(program, kernel, embeds, n_embeds, NULL, is_to_run, out));
  const IrNode *node = NULL;
  ir_walk(&(*out)->kernel->body, find_of_checks, &node);
  if (!node)
    return HD_OK;
  refuse_to_run(program, (*out)->module, node);
  return program_fail(program);
}
