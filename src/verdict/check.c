// SPDX-License-Identifier: Apache-2.0
// Verdicts about kernels: what the compiler refuses is a bug, all else is the
// checker's to decide.
#include "verdict/check_rounds.h"

#include "base/panic.h"
#include "check/check.h"
#include "check/run/concrete.h"
#include "codegen/codegen_nvptx.h"
#include "diag/render_place.h"
#include "session/program_cuda.h"
#include "verdict/check_edit.h"
#include "verdict/check_guard.h"

#ifdef __GLIBC__
#include <ctype.h>
#include <malloc.h>
#endif
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Of one check, above which memory goes back to the system: what it takes
// itself, and for how long the solvers have worked.
enum { LARGE_BYTES = 4 << 20, HARD_MS = 100 };

enum { CODE_NO_HARDWARE = 1092, CODE_SHARED_BYTES = 1093 };

static const HdCheckOptions default_options = HD_CHECK_OPTIONS_INIT;

const char *hd_verdict_name(HdVerdict verdict) {
  switch (verdict) {
  case HD_VERDICT_PROVED: return "proved";
  case HD_VERDICT_BUG: return "bug";
  case HD_VERDICT_UNKNOWN: break;
  }
  return "unknown";
}

static HdVerdict public_verdict(Verdict verdict) {
  switch (verdict) {
  case VERDICT_PROVED: return HD_VERDICT_PROVED;
  case VERDICT_BUG: return HD_VERDICT_BUG;
  case VERDICT_UNKNOWN: break;
  }
  return HD_VERDICT_UNKNOWN;
}

// --------------------------------------------------------------- findings

static void set_place(const HdCheck *check, const Place *place,
                      const char **file, int *line, int *column) {
  *file = place->file;
  *line = (int)place->line;
  *column = (int)render_column(check->program->source, place->file, place->line,
                               place->col);
}

// How long the word is that stands at the place.
static uint32_t word_length(const HdCheck *check, const Place *place) {
  size_t length = 0, begin = place->col ? place->col - 1 : 0, end = begin;
  const char *line =
      source_line(check->program->source, place->file, place->line, &length);
  while (line && end < length &&
         (isalnum((unsigned char)line[end]) || line[end] == '_'))
    end++;
  return end > begin ? (uint32_t)(end - begin) : 1;
}

static Place place_for_users(const IrModule *module, IrLocId id) {
  return module->locs.data[ir_loc_for_users(module, id)].place;
}

// Without a node the kernel's first word.
static Place place_of(const HdCheck *check, const IrKernel *kernel,
                      const IrNode *node) {
  const IrModule *module = kernel->module;
  if (node && node->loc)
    return place_for_users(module, node->loc);
  Place place = module->locs.data[kernel->loc].place;
  place.end_line = place.line;
  place.end_col = place.col + word_length(check, &place);
  return place;
}

static Place first_place(const HdCheck *check, const IrKernel *kernel,
                         const Finding *finding) {
  if (!finding->node && finding->loc)
    return place_for_users(kernel->module, finding->loc);
  return place_of(check, kernel, finding->node);
}

static void quote(HdCheck *check, Diag *diag, const IrKernel *kernel,
                  const Finding *finding, const Edit *edit) {
  DiagEngine *diags = check->diags;
  Place place = first_place(check, kernel, finding);
  if (finding->notes[0])
    diag_label(diags, diag, place, "%s", finding->notes[0]);
  if (finding->other && finding->notes[1])
    diag_label(diags, diag, place_of(check, kernel, finding->other), "%s",
               finding->notes[1]);
  for (uint32_t i = 0; i < finding->n_chain; i++) {
    const ChainLink *link = &finding->chain[i];
    diag_note(diags, diag,
              link->node ? place_of(check, kernel, link->node) : (Place){0},
              "%s", link->text);
  }
  for (int i = 2; i < 4; i++) {
    if (finding->notes[i])
      diag_note(diags, diag, (Place){0}, "%s", finding->notes[i]);
  }
  if (finding->reason)
    diag_note(diags, diag, (Place){0}, "not proved: %s", finding->reason);
  if (finding->witness)
    diag_witness(diags, diag, "%s", finding->witness);
  if (finding->fix)
    diag_fix(diags, diag, edit ? edit->place : place,
             edit != NULL && !edit->is_guess, edit ? edit->text : "", "%s",
             finding->fix);
}

static void set_edit(const HdCheck *check, const Edit *edit, HdFinding *out) {
  const char *file;
  out->insert = edit->text;
  set_place(check, &edit->place, &file, &out->insert_line, &out->insert_column);
}

static void add_checked(HdCheck *check, EditContext *cx, Finding *finding) {
  const IrKernel *kernel = cx->ir;
  Edit edit;
  bool has_edit = finding->fix && edit_of(cx, finding, &edit);
  if (!finding->fix && !cx->options->no_fixes) {
    finding->fix = guard_of(cx, finding, &edit);
    has_edit = finding->fix != NULL;
  }
  HdFinding out = {.code = arena_printf(check->arena, "HD%04u", finding->code),
                   .verdict = public_verdict(finding->verdict),
                   .message = finding->message,
                   .reason = finding->reason,
                   .witness = finding->witness,
                   .fix = finding->fix};
  Place place = first_place(check, kernel, finding);
  set_place(check, &place, &out.file, &out.line, &out.column);
  if (finding->other) {
    Place other = place_of(check, kernel, finding->other);
    set_place(check, &other, &out.other_file, &out.other_line,
              &out.other_column);
  }
  if (has_edit)
    set_edit(check, &edit, &out);
  VEC_PUSH(check->arena, &check->findings, out);
  DiagId id = diag_find(out.code);
  if (id == DIAG_COUNT)
    HD_PANIC("the checker's code %s has no row in diag.def", out.code);
  Severity severity =
      finding->verdict == VERDICT_BUG ? SEVERITY_ERROR : SEVERITY_WARNING;
  quote(check,
        diag_report_worded(check->diags, id, severity, place, finding->message),
        kernel, finding, has_edit ? &edit : NULL);
}

// CUDA C that Heddle doesn't understand may be right all the same. What is said
// about groups, races and barriers is wrong in any language, but not how
// barriers and pipelines are declared and passed on; ptxas refuses
// static shared memory beyond its limit, too.
static bool is_restriction(const HdCheck *check, const Diag *diag) {
  static const char *const families[] = {"HD05", "HD06", "HD07", "HD10"};
  if (check->program->cuda &&
      (diag->id == DIAG_barrier_place || diag->id == DIAG_opaque_value ||
       diag->id == DIAG_pipeline_use || diag->id == DIAG_pipeline_group ||
       diag->id == DIAG_pipeline_counts))
    return true;
  if (diag->id == DIAG_cuda_static_shared)
    return false;
  for (size_t i = 0; i < sizeof families / sizeof *families; i++)
    if (strncmp(diag_code(diag->id), families[i], 4) == 0)
      return false;
  return check->program->cuda != NULL;
}

// An error of the compiler.
static void add_refused(HdCheck *check, const Diag *diag) {
  bool is_open = is_restriction(check, diag);
  HdFinding out = {.code = diag_code(diag->id),
                   .verdict = is_open ? HD_VERDICT_UNKNOWN : HD_VERDICT_BUG,
                   .reason = is_open ? "Heddle doesn't take this" : NULL,
                   .message = arena_strdup(check->arena, diag->message),
                   .witness = diag->witness};
  set_place(check, &diag->place, &out.file, &out.line, &out.column);
  if (diag->fixes.count > 0)
    out.fix = arena_strdup(check->arena, diag->fixes.data[0].text);
  VEC_PUSH(check->arena, &check->findings, out);
}

static void leave_out(HdCheck *check, const char *reason) {
  HdFinding finding = {.code = diag_code(DIAG_not_checked),
                       .verdict = HD_VERDICT_UNKNOWN,
                       .message = arena_printf(check->arena,
                                               "kernel '%s' isn't checked",
                                               check->kernel),
                       .reason = reason};
  VEC_PUSH(check->arena, &check->findings, finding);
  check->verdict = HD_VERDICT_UNKNOWN;
}

// The errors of this round.
static void take_errors(HdCheck *check) {
  DiagEngine *diags = check->program->diags;
  uint32_t count;
  const Diag *const *list = diag_list(diags, &count);
  check->verdict = HD_VERDICT_UNKNOWN;
  for (uint32_t i = 0; i < count; i++) {
    if (list[i]->severity != SEVERITY_ERROR ||
        list[i]->round != diag_round(diags))
      continue;
    add_refused(check, list[i]);
    if (!is_restriction(check, list[i]))
      check->verdict = HD_VERDICT_BUG;
  }
}

static bool is_inside(const Place *outer, const Place *inner) {
  return outer->file && inner->file && strcmp(outer->file, inner->file) == 0 &&
         outer->line <= inner->line && inner->line <= outer->end_line;
}

// Of a file with errors, which were told when it was loaded: those that stand
// in this kernel.
static void take_own_errors(HdCheck *check) {
  HdProgram *program = check->program;
  if (program->cuda) {
    leave_out(check, "the file has errors");
    return;
  }
  const IndexKernel *index = program_index(program, check->kernel);
  Place own = source_place(program->source, index->span);
  uint32_t count;
  const Diag *const *list = diag_list(program->diags, &count);
  for (uint32_t i = 0; i < count; i++) {
    if (list[i]->severity == SEVERITY_ERROR && is_inside(&own, &list[i]->place))
      add_refused(check, list[i]);
  }
  if (check->findings.count > 0)
    check->verdict = HD_VERDICT_BUG;
  else
    leave_out(check, "the file has other errors");
}

// ----------------------------------------------------------------- checks

static CheckOptions inner_options(const HdCheckOptions *options, bool is_cuda) {
  CheckOptions out = {.no_search = options->no_search != 0,
                      .allow_same_value = options->allow_same_value != 0,
                      .owner_strict = options->owner != 0,
                      .is_cuda = is_cuda};
  out.solve.kernel_ms = options->time_limit_ms;
  out.solve.tiers_off[TIER_ISL] = options->no_isl != 0;
  out.solve.tiers_off[TIER_Z3_LINEAR] = options->no_z3 != 0;
  out.solve.tiers_off[TIER_Z3_BITS] = options->no_z3 != 0;
  return out;
}

// An assumption from outside stands nowhere in the file: its place is the
// kernel's name.
static bool is_from_outside(const HdCheck *check, const char *text) {
  const char *base = check->kernel;
  for (const char *p = base; (p = strstr(p, "::"));)
    base = p += 2;
  return check->limits.n_assumptions > 0 && text[0] &&
         strncmp(base, text, strlen(text)) == 0;
}

// The launch's own facts are listed with the launch.
static void set_trusted(HdCheck *check, uint32_t n_given) {
  CheckReport *report = &check->report;
  uint32_t n_kept = 0;
  for (uint32_t i = 0; i < report->trusted.count; i++) {
    const char *text = report->trusted.data[i];
    if (!is_from_outside(check, text))
      report->trusted.data[n_kept++] = cuda_words(check->arena, text);
  }
  report->trusted.count = n_kept;
  for (uint32_t i = 0; i < n_given; i++) {
    const char *assumption = check->limits.assumptions[i];
    if (strstr(assumption, "gridDim") || strstr(assumption, "blockDim"))
      VEC_PUSH(check->arena, &report->trusted, assumption);
  }
}

static void set_words(HdCheck *check, uint32_t n_given) {
  Arena *arena = check->arena;
  CheckReport *report = &check->report;
  set_trusted(check, n_given);
  for (uint32_t i = 0; i < report->findings.count; i++) {
    Finding *finding = &report->findings.data[i];
    finding->message = cuda_words(arena, finding->message);
    finding->reason = cuda_words(arena, finding->reason);
    finding->witness = cuda_words(arena, finding->witness);
    for (int k = 0; k < 4; k++)
      finding->notes[k] = cuda_words(arena, finding->notes[k]);
  }
}

// A remark: the program is right, and slower on GPUs than it could be.
static void remark_barriers(HdCheck *check, const IrKernel *kernel) {
  Arena *scratch = arena_new();
  const IrGroup *group = nvptx_left_out(scratch, kernel);
  if (group && group->maker) {
    Finding remark = {
        .code = CODE_NO_HARDWARE,
        .verdict = VERDICT_PROVED,
        .node = group->maker,
        .message = arena_printf(check->arena,
                                "on GPUs no hardware barrier is left for '%s'",
                                group->name),
        .notes = {[2] =
                      "a block has 15 beside its own, one for each part of a "
                      "group that syncs; these threads meet at an mbarrier, "
                      "which takes an arrival and a loop of tests each time"}};
    VEC_PUSH(check->arena, &check->report.findings, remark);
  }
  arena_free(scratch);
}

// What has one size in every launch; barriers lie there, too.
static uint64_t constant_bytes(const IrKernel *kernel) {
  uint64_t all = 0;
  for (uint32_t i = 0; i < kernel->objects.count; i++) {
    const IrObject *object = kernel->objects.data[i];
    uint64_t bytes = object->element_bytes;
    bool is_counted = object->space == SPACE_SHARED && !object->marks_barrier;
    for (uint32_t k = 0; k < object->rank && is_counted; k++) {
      const IrHost *extent = object->extents[k];
      is_counted = extent && extent->op == HOST_CONST && extent->number >= 0;
      if (is_counted &&
          __builtin_mul_overflow(bytes, (uint64_t)extent->number, &bytes))
        bytes = UINT64_MAX;
    }
    if (is_counted && __builtin_add_overflow(all, bytes, &all))
      all = UINT64_MAX;
  }
  return all;
}

// A remark: every launch will be refused.
static void remark_shared(HdCheck *check, const IrKernel *kernel) {
  enum { MOST_BYTES = 227 * 1024 }; // of a block, on all devices so far

  uint64_t bytes = constant_bytes(kernel);
  if (bytes <= MOST_BYTES)
    return;
  Finding remark = {
      .code = CODE_SHARED_BYTES,
      .verdict = VERDICT_PROVED,
      .node = kernel->body.first,
      .message = arena_printf(check->arena,
                              "a block of '%s' needs %" PRIu64
                              " bytes of shared memory: no device has more "
                              "than %d",
                              kernel->name, bytes, MOST_BYTES),
      .notes = {[2] = "no launch is possible"}};
  VEC_PUSH(check->arena, &check->report.findings, remark);
}

static void tell(HdCheck *check, const CheckTask *task,
                 const CheckOptions *options) {
  check->verdict = public_verdict(check->report.verdict);
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
    add_checked(check, &cx, &check->report.findings.data[i]);
}

// A parameter, else an array of the file; NULL: there is none.
static IrObject *find_array(const IrKernel *kernel, const char *name) {
  for (uint32_t i = 0; i < kernel->params.count; i++) {
    const IrParam *param = &kernel->params.data[i];
    if (param->object && strcmp(param->name, name) == 0)
      return param->object;
  }
  for (uint32_t i = 0; i < kernel->module->globals.count; i++) {
    IrObject *object = kernel->module->globals.data[i];
    if (object->space == SPACE_GLOBAL && object->name &&
        strcmp(object->name, name) == 0)
      return object;
  }
  return NULL;
}

typedef hd_vec(CheckShared) SharedArrays;

static bool is_number(const char *text) {
  return *text && strspn(text, "0123456789") == strlen(text);
}

// `table`, `S_table`, `table_2`: what a name of CUDA C++ may have become.
static bool may_be_named(const char *emitted, const char *name) {
  size_t length = strlen(name);
  const char *at = emitted;
  while (at) {
    const char *rest = strncmp(at, name, length) == 0 ? at + length : "?";
    if (!*rest || (*rest == '_' && is_number(rest + 1)))
      return true;
    at = strchr(at, '_');
    at += at != NULL;
  }
  return false;
}

// Arrays of file scope that the launch names: any that it may mean.
static void add_symbols(Arena *arena, const IrKernel *kernel,
                        const char *const *names, SharedArrays *out) {
  for (; names && names[0] && names[1]; names += 2) {
    IrObject *param = find_array(kernel, names[0]);
    if (!param || find_array(kernel, names[1]))
      continue;
    for (uint32_t i = 0; i < kernel->module->globals.count; i++) {
      IrObject *object = kernel->module->globals.data[i];
      CheckShared pair = {.begins_elsewhere = true, .a = param, .b = object};
      if (object->space == SPACE_GLOBAL && object->name &&
          may_be_named(object->name, names[1]))
        VEC_PUSH(arena, out, pair);
    }
  }
}

// Names that the kernel hasn't are left out.
static void add_shared(Arena *arena, const IrKernel *kernel,
                       const char *const *names, CheckShared kind,
                       SharedArrays *out) {
  for (; names && names[0] && names[1]; names += 2) {
    CheckShared pair = kind;
    pair.a = find_array(kernel, names[0]);
    pair.b = find_array(kernel, names[1]);
    if (pair.a && pair.b)
      VEC_PUSH(arena, out, pair);
  }
}

static void set_shared(HdCheck *check, const IrKernel *kernel,
                       const HdCheckOptions *options, const CheckRound *round,
                       CheckOptions *out) {
  SharedArrays shared = {0};
  add_shared(check->arena, kernel, round->shared, (CheckShared){.is_one = true},
             &shared);
  add_shared(check->arena, kernel, round->overlapping,
             (CheckShared){.begins_elsewhere = true}, &shared);
  add_symbols(check->arena, kernel, round->overlapping, &shared);
  add_shared(check->arena, kernel, options->shared, (CheckShared){0}, &shared);
  add_shared(check->arena, kernel, options->overlapping,
             (CheckShared){.begins_elsewhere = true}, &shared);
  out->shared = shared.data;
  out->n_shared = shared.count;
}

static void prove(HdCheck *check, const Spec *spec, const CheckTask *task,
                  const CheckRound *round) {
  CheckOptions inner =
      inner_options(task->options, check->program->cuda != NULL);
  inner.only_proofs = round->only_proofs;
  set_shared(check, spec->kernel, task->options, round, &inner);
  inner.has_launch = round->n_given < round->limits.n_assumptions;
  inner.no_remarks = round->n_given < round->limits.n_assumptions;
  if (round->time_ms)
    inner.solve.kernel_ms = round->time_ms;
  inner.solve.end = round->end;
  check->was_checked = true;
  check->ir = spec->kernel;
  check_kernel(check->arena, spec->kernel, &inner, &check->report);
  if (!inner.no_remarks)
    remark_barriers(check, spec->kernel);
  if (!inner.no_remarks)
    remark_shared(check, spec->kernel);
  if (inner.is_cuda)
    set_words(check, round->n_given);
  tell(check, task, &inner);
}

void check_tell(const CheckTask *task, HdCheck *check) {
  CheckOptions inner = inner_options(task->options, true);
  inner.no_fixes = true; // what was found is there
  check->findings.count = 0;
  check->diags = diag_engine_new(check->arena, 1000);
  diag_engine_set_source(check->diags, check->program->source);
  tell(check, task, &inner);
}

// The first embedded parameter that has no value, NULL: all have one.
static const char *open_param(const HdCheck *check, const HdEmbed *embeds,
                              int n_embeds) {
  const IndexKernel *index =
      check->program->ir ? NULL : program_index(check->program, check->kernel);
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
  leave_out(check, arena_printf(check->arena,
                                "open: its constexpr parameter '%s' has no "
                                "default; name the kernel and give %s=VALUE",
                                param, param));
}

static bool is_open_template(const HdCheck *check) {
  const CudaKernel *row =
      check->program->cuda ? cuda_find(check->program, check->kernel) : NULL;
  return row && row->is_open;
}

static void note_block(HdCheck *check, const Spec *spec, const HdEmbed *embeds,
                       int n_embeds) {
  for (int i = 0; i < 3; i++)
    check->block[i] = spec->kernel->block_dim[i];
  if (check->program->cuda)
    check->block_source =
        cuda_block_source(check->program, check->kernel, embeds, n_embeds);
}

static HdStatus decide(HdCheck *check, const CheckTask *task,
                       const CheckRound *round) {
  if (check->program->is_broken) {
    take_own_errors(check);
    return HD_OK;
  }
  if (is_open_template(check)) {
    leave_out(check, arena_printf(check->arena,
                                  "open: a template that the file launches "
                                  "nowhere with constant arguments; name it "
                                  "with some, as in '%s<…>'",
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
    note_block(check, spec, task->embeds, task->n_embeds);
  if (status == HD_ERROR_PROGRAM)
    take_errors(check);
  else if (status != HD_OK)
    return status;
  else if (!task->options->rules_only)
    prove(check, spec, task, round);
  return HD_OK;
}

static double now_ms(void) {
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
                   round->limits.n_assumptions * sizeof(const char *));
  check->shared = round->shared;
  check->overlapping = round->overlapping;
  double start_ms = now_ms();
  HdStatus status = decide(check, task, round);
  check->report.time_ms = now_ms() - start_ms;
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

static HdStatus check_locked(HdProgram *program, const char *name,
                             const HdEmbed *embeds, int n_embeds,
                             const HdCheckOptions *options, HdCheck **out) {
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
  HdStatus status = check_locked(program, name, embeds, n_embeds, options, out);
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

// ---------------------------------------------------------------- answers

const char *hd_check_kernel(const HdCheck *check) {
  if (!check)
    return NULL;
  return check->kernel;
}

HdBlockSource hd_check_block(const HdCheck *check, int block[3]) {
  if (!check || !block) {
    for (int i = 0; block && i < 3; i++)
      block[i] = 0;
    return HD_BLOCK_KERNEL;
  }
  memcpy(block, check->block, sizeof check->block);
  return check->block_source;
}

int hd_check_launch_line(const HdCheck *check, int index) {
  if (!check)
    return 0;
  return index >= 0 && index < (int)check->launch_lines.count
             ? check->launch_lines.data[index]
             : 0;
}

const char *hd_check_assumption(const HdCheck *check) {
  if (!check)
    return NULL;
  return check->excuse;
}

const char *hd_check_otherwise(const HdCheck *check) {
  if (!check)
    return NULL;
  return check->otherwise;
}

HdVerdict hd_check_verdict(const HdCheck *check) {
  if (!check)
    return HD_VERDICT_UNKNOWN;
  return check->verdict;
}

void hd_check_cost(const HdCheck *check, HdCheckCost *out) {
  if (!check || !out)
    return;
  const CheckReport *report = &check->report;
  *out = (HdCheckCost){.n_obligations = (int)report->n_obligations,
                       .n_proved = (int)report->n_proved,
                       .n_runs = (int)report->n_runs,
                       .time_ms = report->time_ms};
  for (int tier = 0; tier < TIER_COUNT; tier++)
    out->answers[tier] = (int)report->answers[tier];
}

int hd_check_finding_count(const HdCheck *check) {
  if (!check)
    return 0;
  return (int)check->findings.count;
}

HdStatus hd_check_finding(const HdCheck *check, int index, HdFinding *out) {
  if (!check || !out)
    return session_null(check ? check->program->session : NULL,
                        "hd_check_finding");
  if (index < 0 || index >= (int)check->findings.count)
    return session_fail(check->program->session, HD_ERROR_ARGUMENT,
                        "there is no finding number %d", index);
  *out = check->findings.data[index];
  return HD_OK;
}

int hd_check_trusted_count(const HdCheck *check) {
  if (!check)
    return 0;
  return (int)check->report.trusted.count;
}

const char *hd_check_trusted(const HdCheck *check, int index) {
  if (!check)
    return NULL;
  return index >= 0 && index < (int)check->report.trusted.count
             ? check->report.trusted.data[index]
             : NULL;
}

// ------------------------------------------------------------------- JSON

static void add_text(Text *out, const char *key, const char *value) {
  text_printf(out, ", \"%s\": ", key);
  if (value)
    text_add_json(out, value);
  else
    text_add(out, "null");
}

static void add_finding(Text *out, const HdFinding *finding) {
  text_printf(out, "{\"code\": \"%s\"", finding->code);
  add_text(out, "verdict", hd_verdict_name(finding->verdict));
  add_text(out, "file", finding->file);
  text_printf(out, ", \"line\": %d, \"column\": %d", finding->line,
              finding->column);
  add_text(out, "other_file", finding->other_file);
  text_printf(out, ", \"other_line\": %d, \"other_column\": %d",
              finding->other_line, finding->other_column);
  add_text(out, "message", finding->message);
  add_text(out, "reason", finding->reason);
  add_text(out, "witness", finding->witness);
  add_text(out, "fix", finding->fix);
  if (finding->insert) {
    text_printf(out,
                ", \"edit\": {\"line\": %d, \"column\": %d, "
                "\"replaced\": \"\"",
                finding->insert_line, finding->insert_column);
    add_text(out, "file", finding->file);
    add_text(out, "text", finding->insert);
    text_add(out, "}");
  } else {
    add_text(out, "edit", NULL);
  }
  text_add(out, "}");
}

static void add_costs(Text *out, const CheckReport *report) {
  static const char *const names[TIER_COUNT] = {
      [TIER_SIMPLIFY] = "own", [TIER_ISL] = "isl",
      [TIER_Z3_LINEAR] = "z3", [TIER_Z3_BITS] = "z3_bits",
      [TIER_SPLIT] = "cases",
  };
  text_printf(out, ", \"obligations\": %u, \"proved\": %u, \"runs\": %u",
              report->n_obligations, report->n_proved, report->n_runs);
  for (int tier = 0; tier < TIER_COUNT; tier++)
    text_printf(out, "%s\"%s\": %u", tier ? ", " : ", \"answers\": {",
                names[tier], report->answers[tier]);
  text_printf(out, "}, \"time_ms\": %.3f", report->time_ms);
}

// CUDA C: the launches that this is about.
static void add_block(Text *out, const HdCheck *check) {
  static const char *const sources[] = {
      [HD_BLOCK_GIVEN] = "given",
      [HD_BLOCK_LAUNCH] = "launch",
      [HD_BLOCK_BOUNDS] = "launch bounds",
      [HD_BLOCK_GUESS] = "guess",
  };

  if (check->block_source == HD_BLOCK_KERNEL)
    return;
  text_printf(out, ", \"block\": [%d, %d, %d]", check->block[0],
              check->block[1], check->block[2]);
  add_text(out, "block_from", sources[check->block_source]);
  text_add(out, ", \"launch_lines\": [");
  for (uint32_t i = 0; i < check->launch_lines.count; i++)
    text_printf(out, "%s%d", i ? ", " : "", check->launch_lines.data[i]);
  text_add(out, "]");
  add_text(out, "otherwise", check->otherwise);
  add_text(out, "assumption", check->excuse);
}

static void add_json(const HdCheck *check, Text *out) {
  text_add(out, "{\"kernel\": ");
  text_add_json(out, check->kernel);
  add_text(out, "file", source_name(check->program->source));
  add_text(out, "verdict", hd_verdict_name(check->verdict));
  text_add(out, ", \"findings\": [");
  for (uint32_t i = 0; i < check->findings.count; i++) {
    text_add(out, i ? ",\n  " : "");
    add_finding(out, &check->findings.data[i]);
  }
  text_add(out, "], \"trusted\": [");
  for (uint32_t i = 0; i < check->report.trusted.count; i++) {
    text_add(out, i ? ", " : "");
    text_add_json(out, check->report.trusted.data[i]);
  }
  text_add(out, "]");
  add_block(out, check);
  add_costs(out, &check->report);
  text_add(out, "}");
}

static const char *report(HdCheck *check, HdFormat format) {
  session_lock(check->program->session);
  Text text = {.arena = check->arena};
  if (format == HD_FORMAT_JSON)
    add_json(check, &text);
  else
    diag_render_text(check->diags, &text,
                     check->program->session->options.use_colour != 0);
  session_unlock(check->program->session);
  return text_cstr(&text);
}

const char *hd_check_report(HdCheck *check, HdFormat format) {
  if (!check)
    return NULL;
  SESSION_RESCUE(check->program->session, NULL, "");
  return report(check, format);
}

static const char *diagnostics(HdCheck *check) {
  session_lock(check->program->session);
  Text text = {.arena = check->arena};
  diag_render_json(check->diags, &text);
  session_unlock(check->program->session);
  return text_cstr(&text);
}

const char *hd_check_diagnostics(HdCheck *check) {
  if (!check)
    return NULL;
  SESSION_RESCUE(check->program->session, NULL, "");
  return diagnostics(check);
}
