// SPDX-License-Identifier: Apache-2.0
// The messages of C preprocessors, which all look like
//     file:line:column: error: text
// with lines of source and of context between them.
#include "syntax/load/preprocess.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  Place place;
  bool has_place;
  bool is_error;
  const char *text; // NULL: the line is no message
} Message;

// Behind the number and its colon at `at`, or NULL.
static const char *preprocess_report_read_number(const char *at,
                                                 uint32_t *value) {
  char *end;
  if (*at < '0' || *at > '9')
    return NULL;
  unsigned long number = strtoul(at, &end, 10);
  *value = number < UINT32_MAX / 2 ? (uint32_t)number : 0;
  return *end == ':' ? end + 1 : NULL;
}

// Takes `name:line:column:` or `name:line:` off the front.
static const char *preprocess_report_read_place(Arena *arena,
                                                Interner *interner,
                                                const char *line,
                                                Message *message) {
  for (const char *at = strchr(line, ':'); at; at = strchr(at + 1, ':')) {
    uint32_t row;
    uint32_t column = 1;
    const char *rest = preprocess_report_read_number(at + 1, &row);
    if (!rest || at == line)
      continue;
    const char *behind = preprocess_report_read_number(rest, &column);
    char *name = arena_strndup(arena, line, (size_t)(at - line));
    message->has_place = true;
    message->place = (Place){.file = intern_cstr(interner, name),
                             .line = row,
                             .col = column,
                             .end_line = row,
                             .end_col = column + 1};
    return behind ? behind : rest;
  }
  return line;
}

static const char *skip_word(const char *text, const char *word) {
  size_t n = strlen(word);
  return strncmp(text, word, n) == 0 ? text + n : NULL;
}

static Message read_message(Arena *arena, Interner *interner,
                            const char *line) {
  Message message = {0};
  if (line[0] == ' ' || line[0] == '\t' || skip_word(line, "In file included"))
    return message;
  const char *rest =
      preprocess_report_read_place(arena, interner, line, &message);
  const char *start = message.has_place ? rest : strchr(line, ':');
  if (!start)
    return message;
  start += strspn(start, ": ");
  const char *text = skip_word(start, "error: ");
  if (!text)
    text = skip_word(start, "fatal error: ");
  message.is_error = text != NULL;
  if (!text)
    text = skip_word(start, "warning: ");
  message.text = text;
  return message;
}

static bool is_own_header(const char *text) {
  static const char *const names[] = {"stdint.h", "stddef.h", "stdbool.h",
                                      "math.h",   "float.h",  "limits.h",
                                      "assert.h"};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
    if (strstr(text, names[i]))
      return true;
  return false;
}

static void note_include(Arena *arena, DiagEngine *diags, Diag *diag,
                         const char *text) {
  bool is_missing = strstr(text, "No such file") || strstr(text, "not found") ||
                    strstr(text, "no include path");
  if (!is_missing)
    return;
  const char *own = syntax_own_headers(arena);
  if (is_own_header(text) && !own)
    diag_note(diags, diag, (Place){0},
              "Heddle's own headers were not found; set HEDDLE_INCLUDE to "
              "their folder");
  else
    diag_note(diags, diag, (Place){0},
              "Heddle has stdint.h, stddef.h, stdbool.h, math.h, float.h, "
              "limits.h and assert.h; the system's headers are not used");
}

static void syntax_preprocess_report(Arena *arena, DiagEngine *diags,
                                     const Message *message, Place fallback) {
  DiagId id =
      message->is_error ? DIAG_preprocessor_error : DIAG_preprocessor_warning;
  Diag *diag =
      DIAG_REPORT(diags, id, message->has_place ? message->place : fallback,
                  DS(message->text));
  note_include(arena, diags, diag, message->text);
}

// --- Confined includes -----------------------------------------------------

bool preprocess_is_outside(const char *name) {
  for (const char *at = name; *at;) {
    size_t n = strcspn(at, "/");
    if ((n == 0 && at == name) || (n == 2 && memcmp(at, "..", 2) == 0))
      return true;
    at += n + (at[n] == '/');
  }
  return false;
}

// "NAME: No such file", or "'NAME' file not found".
static const char *name_of_include(Arena *arena, const char *text) {
  bool is_quoted = *text == '\'';
  text += is_quoted;
  const char *end = strstr(text, is_quoted ? "'" : ": ");
  return end ? arena_strndup(arena, text, (size_t)(end - text)) : text;
}

static const char *poisoned_word(Arena *arena, const char *text) {
  static const char *const words[] = {"__has_include", "__has_include_next",
                                      "__has_embed", "embed", "dependency"};
  if (!strstr(text, "poisoned"))
    return NULL;
  for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
    if (strstr(text, arena_printf(arena, "\"%s\"", words[i])) ||
        strstr(text, "poisoned identifier"))
      return words[i];
  return NULL;
}

static const char *why_refused(Arena *arena, const char *line,
                               const Message *message, const char **name) {
  *name = poisoned_word(arena, message->text);
  if (*name)
    return "it accesses files in other ways than #include";
  if (!strstr(line, "fatal error: "))
    return NULL;
  *name = name_of_include(arena, message->text);
  return preprocess_is_outside(*name) ||
                 strstr(message->text, "Permission denied")
             ? "it is outside of the folders that are allowed"
             : NULL;
}

bool preprocess_find_refused(Arena *arena, Interner *interner,
                             const PreprocessResult *result, const char **name,
                             const char **why, Place *place) {
  char *rest = arena_strdup(arena, result->messages);
  for (char *line; (line = strsep(&rest, "\n")) != NULL;) {
    Message message = read_message(arena, interner, line);
    if (!message.text || !message.is_error)
      continue;
    *why = why_refused(arena, line, &message, name);
    if (!*why)
      continue;
    if (message.has_place) {
      *place = message.place;
      place->col = 1; // as a line marker has it
      place->end_col = 2;
    }
    return true;
  }
  return false;
}

// --- Reports ---------------------------------------------------------------

// A .cuh with kernels is looked at by itself, too.
static bool is_of_main_file(const Message *message) {
  return !message->is_error && strstr(message->text, "once in main file");
}

void preprocess_report(Arena *arena, Interner *interner, DiagEngine *diags,
                       const PreprocessResult *result, Place fallback) {
  bool has_error = false;
  const char *first = NULL;
  char *rest = arena_strdup(arena, result->messages);
  for (char *line; (line = strsep(&rest, "\n")) != NULL;) {
    Message message = read_message(arena, interner, line);
    if (!first && *line)
      first = line;
    if (!message.text || is_of_main_file(&message))
      continue;
    has_error |= message.is_error;
    syntax_preprocess_report(arena, diags, &message, fallback);
  }
  if (!result->has_failed || has_error)
    return;
  Message message = {.is_error = true,
                     .text =
                         arena_printf(arena, "'%s' failed: %s", result->program,
                                      first ? first : "it gave no reason")};
  syntax_preprocess_report(arena, diags, &message, fallback);
}
