// SPDX-License-Identifier: Apache-2.0
#include "cuda/form/cu_report.h"

#include "cxx/cx_missing.h"
#include "syntax/limits.h"

#include <string.h>

// Names of instances hold their arguments, which may be thousands.
static const char *report_short_name(CuContext *cu, const char *name) {
  enum { MOST_BYTES = 120 };

  size_t length = MOST_BYTES;
  if (strlen(name) <= MOST_BYTES)
    return name;
  while (((unsigned char)name[length] & 0xC0) == 0x80)
    length--;
  return cu_format(cu, "%.*s…", (int)length, name);
}

static void label_callers(CuContext *cu, Diag *diag) {
  for (const CuFrame *frame = cu->frame; frame && frame->parent;
       frame = frame->parent) {
    const CuFunction *function = frame->function;
    if (!function || function->call_span.end == 0 || diag->labels.count > 3)
      continue;
    diag_label(cu->diags, diag, source_place(cu->source, function->call_span),
               "'%s' is called here", report_short_name(cu, function->shown));
  }
}

bool cu_is_own_header(CuContext *cu, Span span) {
  return source_place(cu->source, span).is_own;
}

// What is wrong inside our headers is told where the user's text leads there.
static Span place_for_users(CuContext *cu, Span span) {
  if (!cu_is_own_header(cu, span))
    return span;
  for (const CuFrame *frame = cu->frame; frame; frame = frame->parent) {
    const CuFunction *function = frame->function;
    if (function && function->call_span.end &&
        !cu_is_own_header(cu, function->call_span))
      return function->call_span;
  }
  return span;
}

Diag *cu_report(CuContext *cu, DiagId id, Span span, const DiagArg *args,
                size_t n_args) {
  cu->reports.failed = true;
  if (cu->reports.silent)
    return &cu->reports.unheard;
  if (cu->limits.spent &&
      !cu->limits.tells_spent) { // whatever is wrong comes from that
    cu_tell_spent(cu, span);
    return &cu->reports.unheard;
  }
  cu->reports.n_errors++;
  span = place_for_users(cu, span);
  Place place = source_place(cu->source, span);
  if (cu->reports.given && span.end == 0)
    place = (Place){.file = source_name(cu->source)};
  Diag *diag = diag_report(cu->diags, id, place, args, n_args);
  if (cu->reports.given)
    diag_note(cu->diags, diag, (Place){0}, "in %s", cu->reports.given);
  if (diag->labels.count == 0)
    label_callers(cu, diag);
  return diag;
}

void cu_remark(CuContext *cu, DiagId id, Span span, const char *name) {
  if (!cu->reports.silent)
    DIAG_REPORT(cu->diags, id,
                source_place(cu->source, place_for_users(cu, span)), DS(name));
}

const char *cu_format(CuContext *cu, const char *format, ...) {
  va_list args;
  va_start(args, format);
  char *text = arena_vprintf(cu->arena, format, args);
  va_end(args);
  return text;
}

const char *cu_source_text(CuContext *cu, Span span) {
  size_t length = span.end - span.begin;
  if (length > 60)
    length = 60;
  const char *text = source_text(cu->source) + span.begin;
  return arena_strndup(cu->arena, text, length);
}

void cu_unsupported(CuContext *cu, Span span, const char *what,
                    const char *instead) {
  CU_ERROR(cu, span, cuda_not_supported, DS(what),
           DS(instead ? cu_format(cu, "; %s", instead) : ""));
}

// The name may be one of a base that has an error of its own.
static bool is_inside_poison(const CuContext *cu) {
  for (const CuScope *scope = cu->scope; scope; scope = scope->parent)
    if (scope->kind == CU_SCOPE_RECORD && scope->record->is_poisoned)
      return true;
  return false;
}

void cu_undeclared(CuContext *cu, Span span, const char *name) {
  if (is_inside_poison(cu)) {
    cu->reports.failed = true;
    return;
  }
  Diag *diag = CU_ERROR(cu, span, undeclared_name, DS(name));
  if (cu->reports.silent)
    return;
  cx_note_missing(cu->tree, diag, name);
  if (strcmp(name, "len") == 0)
    diag_note(cu->diags, diag, (Place){0},
              "len(x) is for --assume, '// heddle: requires', and __requires "
              "and __assume that begin the body");
}

CuTrial cu_trial_begin(CuContext *cu) {
  CuTrial trial = {cu->reports.failed, cu->output.unit->n_nodes};
  cu->reports.failed = false;
  cu->reports.silent++;
  return trial;
}

bool cu_trial_end(CuContext *cu, CuTrial trial) {
  bool failed = cu->reports.failed;
  cu->reports.failed = trial.failed;
  cu->reports.silent--;
  return failed;
}

// Some seconds; the largest kernels that people write take a hundredth.
enum { MAX_STEPS = 1000 * 1000, MAX_MEGABYTES = 512 };

void cu_begin_steps(CuContext *cu) {
  cu->limits.n_steps = 0;
  cu->limits.first_bytes = arena_used_bytes(cu->arena);
  cu->limits.spent = CU_SPENT_NOT;
  cu->limits.spent_at = (Span){0, 0};
}

static Diag *report_spent(CuContext *cu, Span span) {
  switch (cu->limits.spent) {
  case CU_SPENT_NOT:
  case CU_SPENT_DEPTH: break;
  case CU_SPENT_STEPS:
    return CU_ERROR(cu, span, cuda_too_many_steps, DU(MAX_STEPS),
                    DS("expressions"));
  case CU_SPENT_MEMORY:
    return CU_ERROR(cu, span, cuda_too_many_steps, DU(MAX_MEGABYTES),
                    DS("MB of memory"));
  case CU_SPENT_INSTANCES:
    return CU_ERROR(cu, span, cuda_too_many_steps, DU(CU_MAX_INSTANCES),
                    DS("instances of a template"));
  }
  return CU_ERROR(cu, span, too_nested, DU(SYNTAX_MAX_NESTING));
}

void cu_tell_spent(CuContext *cu, Span span) {
  cu->reports.failed = true;
  if (cu->reports.silent || cu->limits.spent_at.end)
    return;
  // Where a budget ran out says little.
  bool is_anywhere = cu->limits.spent != CU_SPENT_DEPTH && cu->kernel;
  cu->limits.spent_at = is_anywhere ? cu->kernel->decl->name_span : span;
  cu->limits.tells_spent = true;
  report_spent(cu, cu->limits.spent_at);
  cu->limits.tells_spent = false;
}

static CuSpent spends(CuContext *cu) {
  size_t used_bytes = arena_used_bytes(cu->arena) - cu->limits.first_bytes;
  if (cu->limits.depth >= SYNTAX_MAX_NESTING * 2)
    return CU_SPENT_DEPTH;
  if (++cu->limits.n_steps > MAX_STEPS)
    return CU_SPENT_STEPS;
  return used_bytes > (size_t)MAX_MEGABYTES * 1000 * 1000 ? CU_SPENT_MEMORY
                                                          : CU_SPENT_NOT;
}

bool cu_enter(CuContext *cu, Span span) {
  if (!cu->limits.spent)
    cu->limits.spent = spends(cu);
  if (!cu->limits.spent) {
    cu->limits.depth++;
    return true;
  }
  cu_tell_spent(cu, span);
  return false;
}

void cu_leave(CuContext *cu) {
  cu->limits.depth--;
}
