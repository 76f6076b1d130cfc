// SPDX-License-Identifier: Apache-2.0
// What the checker found and the compiler refused as findings of the API.
#include "verdict/check_findings.h"
#include "base/panic.h"
#include "check/run/concrete.h"
#include "diag/render_place.h"
#include "session/kernel_source.h"
#include "verdict/check_edit.h"
#include "verdict/check_guard.h"
#include "verdict/check_rounds.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

HdVerdict check_public_verdict(Verdict verdict) {
  switch (verdict) {
  case VERDICT_PROVED: return HD_VERDICT_PROVED;
  case VERDICT_BUG: return HD_VERDICT_BUG;
  case VERDICT_UNKNOWN: break;
  }
  return HD_VERDICT_UNKNOWN;
}

static void set_place(const HdCheck *check, const Place *place,
                      const char **file, int *line, int *column) {
  *file = place->file;
  *line = (int)place->line;
  *column = (int)render_column(check->program->source, place->file, place->line,
                               place->col);
}

// How long the word is that stands at the place.
static uint32_t check_findings_word_length(const HdCheck *check,
                                           const Place *place) {
  size_t length = 0, begin = place->col ? place->col - 1 : 0, end = begin;
  const char *line =
      source_line(check->program->source, place->file, place->line, &length);
  while (line && end < length &&
         (isalnum((unsigned char)line[end]) || line[end] == '_'))
    end++;
  return end > begin ? (uint32_t)(end - begin) : 1;
}

static Place check_findings_place_for_users(const IrModule *module,
                                            IrLocId id) {
  return module->locs.data[ir_loc_for_users(module, id)].place;
}

// Without a node the kernel's first word.
static Place check_findings_place_of(const HdCheck *check,
                                     const IrKernel *kernel,
                                     const IrNode *node) {
  const IrModule *module = kernel->module;
  if (node && node->loc)
    return check_findings_place_for_users(module, node->loc);
  Place place = module->locs.data[kernel->loc].place;
  place.end_line = place.line;
  place.end_col = place.col + check_findings_word_length(check, &place);
  return place;
}

static Place first_place(const HdCheck *check, const IrKernel *kernel,
                         const Finding *finding) {
  if (!finding->node && finding->loc)
    return check_findings_place_for_users(kernel->module, finding->loc);
  return check_findings_place_of(check, kernel, finding->node);
}

static void quote(HdCheck *check, Diag *diag, const IrKernel *kernel,
                  const Finding *finding, const Edit *edit) {
  DiagEngine *diags = check->diags;
  Place place = first_place(check, kernel, finding);
  if (finding->notes[0])
    diag_label(diags, diag, place, "%s", finding->notes[0]);
  if (finding->other && finding->notes[1])
    diag_label(diags, diag,
               check_findings_place_of(check, kernel, finding->other), "%s",
               finding->notes[1]);
  for (uint32_t i = 0; i < finding->n_chain; i++) {
    const ChainLink *link = &finding->chain[i];
    diag_note(diags, diag,
              link->node ? check_findings_place_of(check, kernel, link->node)
                         : (Place){0},
              "%s", link->text);
  }
  for (int i = 2; i < 4; i++) {
    if (finding->notes[i])
      diag_note(diags, diag, (Place){0}, "%s", finding->notes[i]);
  }
  if (finding->reason.text)
    diag_note(diags, diag, (Place){0}, "not proved: %s", finding->reason.text);
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

void check_add_finding(HdCheck *check, EditContext *cx, Finding *finding) {
  const IrKernel *kernel = cx->ir;
  Edit edit;
  bool has_edit = finding->fix && edit_of(cx, finding, &edit);
  if (!finding->fix && !cx->options->no_fixes) {
    finding->fix = guard_of(cx, finding, &edit);
    has_edit = finding->fix != NULL;
  }
  HdFinding out = {.code = arena_printf(check->arena, "HD%04u", finding->code),
                   .verdict = check_public_verdict(finding->verdict),
                   .message = finding->message,
                   .reason = finding->reason.text,
                   .needs = finding->reason.need,
                   .needs_time = finding->reason.is_time,
                   .witness = finding->witness,
                   .fix = finding->fix};
  Place place = first_place(check, kernel, finding);
  set_place(check, &place, &out.file, &out.line, &out.column);
  if (finding->other) {
    Place other = check_findings_place_of(check, kernel, finding->other);
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

// What Heddle doesn't understand of a foreign language may be right all the
// same. What is said about groups, races and barriers is wrong in any language,
// but not how barriers and pipelines are declared and passed on; ptxas refuses
// static shared memory beyond its limit, too.
static bool is_restriction(const HdCheck *check, const Diag *diag) {
  // Groups, races, bounds, barriers.
  static const uint32_t wrong_anywhere[] = {5, 6, 7, 10};
  bool is_foreign = check->program->kernels->policy.is_foreign;
  if (is_foreign &&
      (diag->id == DIAG_barrier_place || diag->id == DIAG_opaque_value ||
       diag->id == DIAG_pipeline_use || diag->id == DIAG_pipeline_group ||
       diag->id == DIAG_pipeline_counts))
    return true;
  if (diag->id == DIAG_cuda_static_shared)
    return false;
  for (size_t i = 0; i < sizeof wrong_anywhere / sizeof *wrong_anywhere; i++)
    if (diag_family(diag->id) == wrong_anywhere[i])
      return false;
  return is_foreign;
}

// An error of the compiler.
static void add_refused(HdCheck *check, const Diag *diag) {
  bool is_open = is_restriction(check, diag);
  HdFinding out = {.code = diag_code(diag->id),
                   .verdict = is_open ? HD_VERDICT_UNKNOWN : HD_VERDICT_BUG,
                   .reason = is_open ? "Heddle doesn't accept this" : NULL,
                   .message = arena_strdup(check->arena, diag->message),
                   .witness = diag->witness};
  set_place(check, &diag->place, &out.file, &out.line, &out.column);
  if (diag->fixes.count > 0)
    out.fix = arena_strdup(check->arena, diag->fixes.data[0].text);
  VEC_PUSH(check->arena, &check->findings, out);
}

void check_leave_out(HdCheck *check, const char *reason) {
  HdFinding finding = {.code = diag_code(DIAG_not_checked),
                       .verdict = HD_VERDICT_UNKNOWN,
                       .message = arena_printf(check->arena,
                                               "kernel '%s' isn't checked",
                                               check->kernel),
                       .reason = reason};
  VEC_PUSH(check->arena, &check->findings, finding);
  check->verdict = HD_VERDICT_UNKNOWN;
}

void check_take_errors(HdCheck *check) {
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

static bool check_findings_is_inside(const Place *outer, const Place *inner) {
  return outer->file && inner->file && strcmp(outer->file, inner->file) == 0 &&
         outer->line <= inner->line && inner->line <= outer->end_line;
}

void check_take_own_errors(HdCheck *check) {
  HdProgram *program = check->program;
  if (program->kernels->policy.is_foreign) {
    check_leave_out(check, "the file has errors");
    return;
  }
  const IndexKernel *index = program_index(program, check->kernel);
  Place own = source_place(program->source, index->span);
  uint32_t count;
  const Diag *const *list = diag_list(program->diags, &count);
  for (uint32_t i = 0; i < count; i++) {
    if (list[i]->severity == SEVERITY_ERROR &&
        check_findings_is_inside(&own, &list[i]->place))
      add_refused(check, list[i]);
  }
  if (check->findings.count > 0)
    check->verdict = HD_VERDICT_BUG;
  else
    check_leave_out(check, "the file has other errors");
}
