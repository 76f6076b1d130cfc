// SPDX-License-Identifier: Apache-2.0
// Diagnostics: what is wrong with the user's program, where, why, and a way
// out. Texts and codes are data in diag.def; nothing here prints or exits.
#ifndef HD_DIAG_DIAG_H
#define HD_DIAG_DIAG_H

#include "base/text.h"
#include "base/vec.h"
#include "diag/source.h"

typedef enum {
  SEVERITY_ERROR,
  SEVERITY_WARNING,
  SEVERITY_NOTE,
} Severity;

typedef enum {

#define DIAG(code, severity, id, text) DIAG_##id,
#include "diag/diag.def"
#undef DIAG
  DIAG_COUNT
} DiagId;

// A value for one placeholder of a text. Placeholders are `{name:s}` (text),
// `{name:d}` (signed) and `{name:u}` (unsigned); values are given in the order
// in which the placeholders first appear; a mismatch is a panic. Other braces
// stand for themselves. Text may come from anywhere: what isn't printable is
// shown escaped, what is long is cut.
typedef struct {
  enum { DIAG_ARG_TEXT = 1, DIAG_ARG_SIGNED, DIAG_ARG_UNSIGNED } kind;

  union {
    const char *text; // copied
    int64_t number;
    uint64_t unumber;
  } u;
} DiagArg;

#define DS(value) ((DiagArg){.kind = DIAG_ARG_TEXT, .u.text = (value)})
#define DD(value) ((DiagArg){.kind = DIAG_ARG_SIGNED, .u.number = (value)})
#define DU(value) ((DiagArg){.kind = DIAG_ARG_UNSIGNED, .u.unumber = (value)})

typedef struct {
  Place place;
  const char *text;
} DiagLabel;

typedef struct {
  Place place; // replaced; an empty range inserts before it
  const char *replacement;
  bool is_certain;  // applying it makes the program mean what was intended
  const char *text; // what the fix does, for people
} DiagFix;

typedef struct {
  DiagId id;
  Severity severity;
  Place place;
  const char *message;
  hd_vec(DiagLabel) labels; // other places, with their text
  hd_vec(DiagLabel) notes;  // "= note: …", place may be unknown
  hd_vec(DiagFix) fixes;
  const char *witness; // or NULL
  uint32_t serial;     // order of report, breaks ties
  uint32_t first;      // round that reported it first
  uint32_t round;      // that reported it last
} Diag;

typedef struct DiagEngine DiagEngine;

// `limit` errors are kept (0: 20); more are counted. Lives in `arena`.
DiagEngine *diag_engine_new(Arena *arena, uint32_t limit);
// Source whose text is quoted, may be NULL (places only).
void diag_engine_set_source(DiagEngine *engine, SourceText *source);

// A program may be compiled again and again, with other values. Each time is a
// round: its errors are counted and limited by themselves, and what an earlier
// round reported too belongs to it as well. The first round needs no call.
void diag_begin_round(DiagEngine *engine);
uint32_t diag_round(const DiagEngine *engine);
// Errors of this round, repetitions of earlier rounds included: 0 means that
// what was compiled in it is right.
uint32_t diag_round_error_count(const DiagEngine *engine);
// What the rounds behind `after`, up to `last`, reported first was never said:
// they were a trial, or compiled values that turned out not to be meant.
void diag_withdraw(DiagEngine *engine, uint32_t after, uint32_t last);

// Reports; the same id at the same place twice is kept once. Returns the
// diagnostic to add to, or a dummy that ignores it for what is not kept (over
// the limit, a repetition); never NULL. Also keeps at most 100 warnings.
Diag *diag_report(DiagEngine *engine, DiagId id, Place place,
                  const DiagArg *args, size_t n_args);
// The same in words of the caller's, who owns them as long as the engine lives,
// and with a severity of the caller's.
Diag *diag_report_worded(DiagEngine *engine, DiagId id, Severity severity,
                         Place place, const char *message);
#define DIAG_REPORT(engine, id, place, ...)                                    \
  diag_report((engine), (id), (place), (DiagArg[]){__VA_ARGS__},               \
              sizeof((DiagArg[]){__VA_ARGS__}) / sizeof(DiagArg))
#define DIAG_REPORT0(engine, id, place)                                        \
  diag_report((engine), (id), (place), NULL, 0)

// A label at the diagnostic's own place says what the carets mean. Without a
// known place it becomes a note. Text may have several lines in notes.
void diag_label(DiagEngine *engine, Diag *diag, Place place, const char *format,
                ...) __attribute__((format(printf, 4, 5)));
void diag_note(DiagEngine *engine, Diag *diag, Place place, const char *format,
               ...) __attribute__((format(printf, 4, 5)));
void diag_fix(DiagEngine *engine, Diag *diag, Place place, bool is_certain,
              const char *replacement, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

// Adds to what is there already.
void diag_witness(DiagEngine *engine, Diag *diag, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// The user's text at a place within one line, from `arena`; NULL where it can't
// be had or is long.
const char *diag_quote(const DiagEngine *engine, Arena *arena, Place place);

uint32_t diag_error_count(const DiagEngine *engine);
uint32_t diag_warning_count(const DiagEngine *engine);
// Reported in this round but not kept, because of the limit.
uint32_t diag_hidden_count(const DiagEngine *engine);
// All that was kept, sorted by file, line, column and order of report.
const Diag *const *diag_list(DiagEngine *engine, uint32_t *count);

const char *diag_code(DiagId id);             // "HD0301"
uint32_t diag_family(DiagId id);              // the ff of "HDffnn"
const char *diag_name(DiagId id);             // "undeclared_name"
const char *severity_name(Severity severity); // "error"
// The number of a code or a name as users type it ("HD0301", "hd0301", "0301",
// "undeclared_name"); DIAG_COUNT when there is none.
DiagId diag_find(const char *code_or_name);
// The page of docs/errors/ (Markdown), NULL while a code has none.
const char *diag_page(DiagId id);

// The face that people see (carets, labels, notes, fixes; tabs and wide
// characters right), and one JSON array for tools.
void diag_render_text(DiagEngine *engine, Text *out, bool use_colour);
void diag_render_json(DiagEngine *engine, Text *out);
// Only what belongs to this round.
void diag_render_round_text(DiagEngine *engine, Text *out, bool use_colour);

#endif
