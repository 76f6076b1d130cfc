// SPDX-License-Identifier: Apache-2.0
// Verdicts about kernels: what the compiler refuses is a bug, all else is the
// checker's to decide.
#include "verdict/check_rounds.h"

#include "check/check.h"
#include "session/program_cuda.h"
#include "verdict/check_edit.h"
#include "verdict/check_findings.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Of one check, above which memory goes back to the system: what it takes
// itself, and for how long the solvers have worked.
enum { LARGE_BYTES = 4 << 20, HARD_MS = 100 };

static const HdCheckOptions default_options = HD_CHECK_OPTIONS_INIT;

static CheckOptions inner_options(const HdCheckOptions *options,
                                  const SourcePolicy *policy) {
  CheckOptions out = {.no_search = options->no_search != 0,
                      .allow_same_value = options->allow_same_value != 0,
                      .owner_strict = options->owner != 0,
                      .policy = policy->check,
                      .language = policy->words};
  out.solve.kernel_ms = options->time_limit_ms;
  out.solve.tiers_off[TIER_ISL] = options->no_isl != 0;
  out.solve.tiers_off[TIER_Z3_LINEAR] = options->no_z3 != 0;
  out.solve.tiers_off[TIER_Z3_BITS] = options->no_z3 != 0;
  return out;
}

// What the user assumes of the grid and of blocks; the launch's own facts are
// listed with the launch.
static void add_assumed_sizes(HdCheck *check, uint32_t n_given) {
  for (uint32_t i = 0; i < n_given; i++) {
    const CudaFact *assumption = &check->limits.assumptions[i];
    if (assumption->names & (CUDA_SIZE_GRID | CUDA_SIZE_BLOCK))
      VEC_PUSH(check->arena, &check->report.trusted, assumption->text);
  }
}

static void verdict_check_tell(HdCheck *check, const CheckTask *task,
                               const CheckOptions *options) {
  check->verdict = check_public_verdict(check->report.verdict);
  EditContext cx = {.program = check->program,
                    .arena = check->arena,
                    .kernel = check->kernel,
                    .ir = check->ir,
                    .embeds = task->embeds,
                    .n_embeds = task->n_embeds,
                    .limits = &check->limits,
                    .report = &check->report,
                    .options = options};
  for (uint32_t i = 0; i < check->report.findings.count; i++)
    check_add_finding(check, &cx, &check->report.findings.data[i]);
}

static void verdict_check_prove(HdCheck *check, const Spec *spec,
                                const CheckTask *task,
                                const CheckRound *round) {
  CheckOptions inner =
      inner_options(task->options, &check->program->kernels->policy);
  inner.only_proofs = round->only_proofs;
  check_set_shared(check, spec->kernel, task->options, round, &inner);
  inner.has_launch = round->n_given < round->limits.n_assumptions;
  inner.no_remarks = round->n_given < round->limits.n_assumptions;
  if (round->time_ms)
    inner.solve.kernel_ms = round->time_ms;
  inner.solve.end = round->end;
  check->was_checked = true;
  check->ir = spec->kernel;
  check_kernel(check->arena, spec->kernel, &inner, &check->report);
  if (!inner.no_remarks)
    check_remark_code(check, spec->kernel);
  if (!inner.no_remarks)
    check_remark_shared(check, spec->kernel);
  add_assumed_sizes(check, round->n_given);
  verdict_check_tell(check, task, &inner);
}

void check_tell(const CheckTask *task, HdCheck *check) {
  CheckOptions inner =
      inner_options(task->options, &check->program->kernels->policy);
  inner.no_fixes = true; // what was found is there
  check->findings.count = 0;
  check->diags = diag_engine_new(check->arena, 1000);
  diag_engine_set_source(check->diags, check->program->source);
  verdict_check_tell(check, task, &inner);
}

// The first embedded parameter that has no value, NULL: all have one.
static const char *open_param(const HdCheck *check, const HdEmbed *embeds,
                              int n_embeds) {
  const IndexKernel *index = program_index(check->program, check->kernel);
  for (uint32_t i = 0; index && i < index->n_params; i++) {
    const IndexParam *param = &index->params[i];
    bool is_open =
        (param->kind == INDEX_EMBEDDED || param->kind == INDEX_TYPE) &&
        !param->has_default;
    for (int k = 0; k < n_embeds && is_open; k++)
      is_open = strcmp(embeds[k].name, param->name) != 0;
    if (is_open)
      return param->name;
  }
  return NULL;
}

static void leave_open(HdCheck *check, const char *param) {
  check_leave_out(check,
                  arena_printf(check->arena,
                               "open: its constexpr parameter '%s' has no "
                               "default; name the kernel and give %s=VALUE",
                               param, param));
}

static bool is_open_template(const HdCheck *check) {
  const CudaKernel *row = cuda_unit(check->program)
                              ? cuda_find(check->program, check->kernel)
                              : NULL;
  return row && row->is_open;
}

static void check_note_block(HdCheck *check, const Spec *spec,
                             const HdEmbed *embeds, int n_embeds) {
  for (int i = 0; i < 3; i++)
    check->block[i] = spec->kernel->block_dim[i];
  const KernelSource *kernels = check->program->kernels;
  if (kernels->block)
    check->block_source =
        kernels->block(check->program, check->kernel, embeds, n_embeds);
}

static HdStatus check_decide(HdCheck *check, const CheckTask *task,
                             const CheckRound *round) {
  if (check->program->is_broken) {
    check_take_own_errors(check);
    return HD_OK;
  }
  if (is_open_template(check)) {
    check_leave_out(
        check,
        arena_printf(check->arena,
                     "open: a template that the file never launches with "
                     "constant arguments; give arguments, as in '%s<…>'",
                     check->kernel));
    return HD_OK;
  }
  const char *open = open_param(check, task->embeds, task->n_embeds);
  if (open) {
    leave_open(check, open);
    return HD_OK;
  }
  Spec *spec;
  HdStatus status = spec_get(check->program, check->kernel, task->embeds,
                             task->n_embeds, &check->limits, &spec);
  if (status == HD_OK)
    check_note_block(check, spec, task->embeds, task->n_embeds);
  if (status == HD_ERROR_PROGRAM)
    check_take_errors(check);
  else if (status != HD_OK)
    return status;
  else if (!task->options->rules_only)
    verdict_check_prove(check, spec, task, round);
  return HD_OK;
}

static double check_now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void release_check(void *check) {
  hd_check_free(check);
}

static HdCheck *check_new(HdProgram *program, const char *kernel) {
  HdCheck *check = calloc(1, sizeof(*check));
  if (!check)
    return NULL;
  check->program = program;
  program_retain(program);
  rescue_owe(release_check, check);
  check->arena = arena_new();
  check->kernel = arena_strdup(check->arena, kernel);
  check->verdict = HD_VERDICT_UNKNOWN;
  check->diags = diag_engine_new(check->arena, 1000);
  diag_engine_set_source(check->diags, program->source);
  return check;
}

HdStatus check_round(const CheckTask *task, const CheckRound *round,
                     HdCheck **out) {
  HdCheck *check = check_new(task->program, task->kernel);
  if (!check)
    return session_no_memory(task->program->session, NULL);
  check->limits = round->limits;
  if (round->limits.n_assumptions) // those of the round may go before the check
    check->limits.assumptions =
        arena_copy(check->arena, round->limits.assumptions,
                   round->limits.n_assumptions * sizeof(CudaFact));
  check->shared = round->shared;
  check->overlapping = round->overlapping;
  double start_ms = check_now_ms();
  HdStatus status = check_decide(check, task, round);
  check->report.time_ms = check_now_ms() - start_ms;
  if (status == HD_OK)
    *out = check;
  else
    hd_check_free(check);
  return status;
}

HdStatus check_try(const CheckTask *task, const CheckRound *round,
                   HdCheck **out) {
  DiagEngine *diags = task->program->diags;
  uint32_t before = diag_round(diags);
  HdStatus status = check_round(task, round, out);
  diag_withdraw(diags, before, diag_round(diags));
  return status;
}

static HdStatus verdict_check_locked(HdProgram *program, const char *name,
                                     const HdEmbed *embeds, int n_embeds,
                                     const HdCheckOptions *options,
                                     HdCheck **out) {
  HD_TRY(program_choose(program, &name));
  HdCheckOptions full = default_options;
  if (options)
    memcpy(&full, options,
           options->size_bytes < sizeof full ? options->size_bytes
                                             : sizeof full);
  CheckTask task = {program, name, embeds, n_embeds, &full};
  return check_rounds(&task, out);
}

static HdStatus check_guarded(HdProgram *program, const char *name,
                              const HdEmbed *embeds, int n_embeds,
                              const HdCheckOptions *options, HdCheck **out) {
  session_lock(program->session);
  HdStatus status =
      verdict_check_locked(program, name, embeds, n_embeds, options, out);
  session_unlock(program->session);
  return status;
}

HdStatus hd_check(HdProgram *program, const char *name, const HdEmbed *embeds,
                  int n_embeds, const HdCheckOptions *options, HdCheck **out) {
  if (out)
    *out = NULL;
  if (!program || !out || !embeds_are_given(embeds, n_embeds))
    return session_null(program ? program->session : NULL, "hd_check");
  if (options && options->size_bytes < sizeof(size_t))
    return session_fail(program->session, HD_ERROR_ARGUMENT,
                        "size_bytes of the check's options isn't set");
  PROGRAM_RESCUE(program, out);
  return check_guarded(program, name, embeds, n_embeds, options, out);
}

void hd_check_free(HdCheck *check) {
  if (!check)
    return;
  rescue_paid(check);
  bool was_hard =
      (check->arena && arena_used_bytes(check->arena) > LARGE_BYTES) ||
      check->report.time_ms > HARD_MS;
  arena_free(check->arena);
#ifdef __GLIBC__
  if (was_hard) // the solvers' memory, too: many kernels may follow
    malloc_trim(0);
#endif
  hd_program_free(check->program);
  free(check);
}
