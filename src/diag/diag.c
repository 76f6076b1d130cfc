// SPDX-License-Identifier: Apache-2.0
#include "diag/diag.h"

#include "base/panic.h"
#include "diag/diag_engine.h"
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_ERROR_LIMIT = 20, WARNING_LIMIT = 100 };

#define ERROR   SEVERITY_ERROR
#define WARNING SEVERITY_WARNING
static const Severity severities[] = {
#define DIAG(code, severity, id, text) [DIAG_##id] = severity,
#include "diag/diag.def"
#undef DIAG
};
#undef ERROR
#undef WARNING

DiagEngine *diag_engine_new(Arena *arena, uint32_t limit) {
  DiagEngine *engine = ARENA_NEW(arena, DiagEngine);
  engine->arena = arena;
  engine->error_limit = limit ? limit : DEFAULT_ERROR_LIMIT;
  return engine;
}

void diag_engine_set_source(DiagEngine *engine, SourceText *source) {
  engine->source = source;
}

static bool diag_is_same_place(const Place *a, const Place *b) {
  bool same_file = a->file == b->file ||
                   (a->file && b->file && strcmp(a->file, b->file) == 0);
  return same_file && a->line == b->line && a->col == b->col &&
         a->end_line == b->end_line && a->end_col == b->end_col;
}

void diag_begin_round(DiagEngine *engine) {
  engine->round++;
  engine->n_round_errors = 0;
  engine->n_kept_errors = 0;
  engine->n_kept_warnings = 0;
  engine->n_hidden = 0;
}

uint32_t diag_round(const DiagEngine *engine) {
  return engine->round;
}

uint32_t diag_round_error_count(const DiagEngine *engine) {
  return engine->n_round_errors;
}

static bool diag_is_between(uint32_t round, uint32_t after, uint32_t last) {
  return after < round && round <= last;
}

void diag_withdraw(DiagEngine *engine, uint32_t after, uint32_t last) {
  HD_ASSERT(after <= last && last <= engine->round);
  uint32_t n_left = 0;
  for (uint32_t i = 0; i < engine->kept.count; i++) {
    Diag *diag = engine->kept.data[i];
    bool is_error = diag->severity == SEVERITY_ERROR;
    if (diag_is_between(diag->first, after, last)) {
      engine->n_errors -= is_error;
      engine->n_warnings -= !is_error;
    } else {
      engine->kept.data[n_left++] = diag;
    }
  }
  engine->kept.count = n_left;
  for (uint32_t i = 0; i < engine->hidden.count; i++) {
    HiddenErrors *row = &engine->hidden.data[i];
    if (diag_is_between(row->round, after, last)) {
      engine->n_errors -= row->n_errors;
      row->n_errors = 0;
    }
  }
}

// What was reported before in the same words; in one round the same place is
// enough, but for an error where there was a warning only.
static Diag *find_repeated(const DiagEngine *engine, DiagId id,
                           Severity severity, const Place *place,
                           const char *message) {
  for (uint32_t i = 0; i < engine->kept.count; i++) {
    Diag *diag = engine->kept.data[i];
    bool is_worse =
        severity == SEVERITY_ERROR && diag->severity != SEVERITY_ERROR;
    if (diag->id == id && !is_worse &&
        diag_is_same_place(&diag->place, place) &&
        (diag->round == engine->round || strcmp(diag->message, message) == 0))
      return diag;
  }
  return NULL;
}

static void repeat(DiagEngine *engine, Diag *diag) {
  if (diag->round == engine->round)
    return;
  diag->round = engine->round;
  if (diag->severity == SEVERITY_ERROR)
    engine->n_round_errors++;
}

static void hide_error(DiagEngine *engine) {
  uint32_t n = engine->hidden.count;
  if (n == 0 || engine->hidden.data[n - 1].round != engine->round) {
    HiddenErrors row = {.round = engine->round};
    VEC_PUSH(engine->arena, &engine->hidden, row);
    n++;
  }
  engine->hidden.data[n - 1].n_errors++;
}

// Counts the report; false when it is not to be kept.
static bool count_report(DiagEngine *engine, Severity severity) {
  bool is_error = severity == SEVERITY_ERROR;
  engine->n_errors += is_error;
  engine->n_round_errors += is_error;
  engine->n_warnings += !is_error;
  uint32_t *n_kept =
      is_error ? &engine->n_kept_errors : &engine->n_kept_warnings;
  if (*n_kept == (is_error ? engine->error_limit : WARNING_LIMIT)) {
    engine->n_hidden++;
    if (is_error)
      hide_error(engine);
    return false;
  }
  ++*n_kept;
  return true;
}

static Diag *dummy_diag(DiagEngine *engine, DiagId id) {
  engine->dummy = (Diag){.id = id, .severity = severities[id], .message = ""};
  return &engine->dummy;
}

Diag *diag_report_worded(DiagEngine *engine, DiagId id, Severity severity,
                         Place place, const char *message) {
  HD_ASSERT(id < DIAG_COUNT && severity != SEVERITY_NOTE && message);
  Diag *repeated = find_repeated(engine, id, severity, &place, message);
  if (repeated)
    repeat(engine, repeated);
  if (repeated || !count_report(engine, severity))
    return dummy_diag(engine, id);
  Diag *diag = ARENA_NEW(engine->arena, Diag);
  diag->id = id;
  diag->severity = severity;
  diag->place = place;
  diag->message = message;
  diag->first = diag->round = engine->round;
  diag->serial = engine->n_reports++;
  VEC_PUSH(engine->arena, &engine->kept, diag);
  return diag;
}

Diag *diag_report(DiagEngine *engine, DiagId id, Place place,
                  const DiagArg *args, size_t n_args) {
  return diag_report_worded(engine, id, severities[id], place,
                            diag_format(engine->arena, id, args, n_args));
}

static void diag_add_label(DiagEngine *engine, Diag *diag, Place place,
                           const char *text) {
  DiagLabel label = {place, text};
  if (place.line != 0 && place.file)
    VEC_PUSH(engine->arena, &diag->labels, label);
  else
    VEC_PUSH(engine->arena, &diag->notes, label);
}

void diag_label(DiagEngine *engine, Diag *diag, Place place, const char *format,
                ...) {
  if (diag == &engine->dummy)
    return;
  va_list args;
  va_start(args, format);
  diag_add_label(engine, diag, place,
                 arena_vprintf(engine->arena, format, args));
  va_end(args);
}

void diag_note(DiagEngine *engine, Diag *diag, Place place, const char *format,
               ...) {
  if (diag == &engine->dummy)
    return;
  va_list args;
  va_start(args, format);
  DiagLabel note = {place, arena_vprintf(engine->arena, format, args)};
  va_end(args);
  VEC_PUSH(engine->arena, &diag->notes, note);
}

void diag_fix(DiagEngine *engine, Diag *diag, Place place, bool is_certain,
              const char *replacement, const char *format, ...) {
  if (diag == &engine->dummy)
    return;
  va_list args;
  va_start(args, format);
  DiagFix fix = {place, arena_strdup(engine->arena, replacement), is_certain,
                 arena_vprintf(engine->arena, format, args)};
  va_end(args);
  VEC_PUSH(engine->arena, &diag->fixes, fix);
}

void diag_witness(DiagEngine *engine, Diag *diag, const char *format, ...) {
  if (diag == &engine->dummy)
    return;
  va_list args;
  va_start(args, format);
  const char *text = arena_vprintf(engine->arena, format, args);
  va_end(args);
  diag->witness =
      diag->witness ? arena_printf(engine->arena, "%s\n%s", diag->witness, text)
                    : text;
}

uint32_t diag_error_count(const DiagEngine *engine) {
  return engine->n_errors;
}

uint32_t diag_warning_count(const DiagEngine *engine) {
  return engine->n_warnings;
}

uint32_t diag_hidden_count(const DiagEngine *engine) {
  return engine->n_hidden;
}

static int compare_numbers(uint32_t a, uint32_t b) {
  return (a > b) - (a < b);
}

static int diag_compare_files(const char *a, const char *b) {
  if (!a || !b)
    return (a != NULL) - (b != NULL);
  return strcmp(a, b);
}

static int compare_diags(const void *left, const void *right) {
  const Diag *a = *(Diag *const *)left;
  const Diag *b = *(Diag *const *)right;
  int order = diag_compare_files(a->place.file, b->place.file);
  if (order == 0)
    order = compare_numbers(a->place.line, b->place.line);
  if (order == 0)
    order = compare_numbers(a->place.col, b->place.col);
  return order ? order : compare_numbers(a->serial, b->serial);
}

const Diag *const *diag_list(DiagEngine *engine, uint32_t *count) {
  *count = engine->kept.count;
  if (*count > 1)
    qsort(engine->kept.data, *count, sizeof(Diag *), compare_diags);
  return (const Diag *const *)engine->kept.data;
}
