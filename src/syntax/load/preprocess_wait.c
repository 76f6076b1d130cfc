// SPDX-License-Identifier: Apache-2.0
// What a preprocessor may be waiting for. The includes are read as text,
// whatever conditions are around them: what is found here matters only once the
// preprocessor is silent.
#include "syntax/load/preprocess_wait.h"

#include "base/file.h"
#include "base/vec.h"
#include "syntax/load/load_confine.h"
#include "syntax/load/preprocess_stuck.h"

#include <ctype.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

enum {
  MOST_FILES = 200,
  MOST_BYTES = 4 << 20,
  MOST_MACROS = 20000,
  MOST_DEPTH = 8,
  MOST_STEPS = 1000
};

// #define NAME BODY, for some includes the name of a file.
typedef struct {
  const char *name, *body;
} Macro;

// #include NAME
typedef struct {
  const char *folder, *name;
} Named;

typedef struct {
  Arena *arena;
  const PreprocessJob *job;
  hd_vec(const char *) files; // found so far; the first ones were looked into
  hd_vec(Macro) macros;
  hd_vec(Named) named;
  const char *found;
  bool is_open;
  uint32_t n_steps;
} Search;

// False: there is nothing of this name.
static bool preprocess_wait_take(Search *s, const char *path) {
  struct stat info;
  if (stat(path, &info) != 0 || S_ISDIR(info.st_mode))
    return false;
  if (!load_confine_allows(s->job->confine, path))
    return true;                                         // it won't be opened
  if (S_ISCHR(info.st_mode) && major(info.st_rdev) == 1) // /dev/zero
    return true;
  if (!S_ISREG(info.st_mode)) {
    s->found = arena_printf(s->arena, "'%s', which is included, is %s", path,
                            preprocess_kind(info.st_mode));
    return true;
  }
  for (uint32_t i = 0; i < s->files.count; i++)
    if (strcmp(s->files.data[i], path) == 0)
      return true;
  if (s->files.count < MOST_FILES)
    VEC_PUSH(s->arena, &s->files, path);
  return true;
}

static bool take_in(Search *s, const char *folder, const char *name) {
  return folder &&
         preprocess_wait_take(s, arena_printf(s->arena, "%s/%s", folder, name));
}

// As the preprocessor looks for it: `folder` is that of the file around.
static void resolve(Search *s, const char *folder, const char *name,
                    bool is_quoted) {
  const LoadOptions *options = s->job->options;
  if (name[0] == '/') {
    preprocess_wait_take(s, name);
    return;
  }
  if (is_quoted &&
      (take_in(s, folder, name) || take_in(s, s->job->text_folder, name)))
    return;
  for (uint32_t i = 0; i < options->n_include_dirs; i++)
    if (take_in(s, options->include_dirs[i], name))
      return;
}

static const char *behind_blanks(const char *at) {
  return at + strspn(at, " \t");
}

static size_t word_length(const char *at) {
  size_t n = 0;
  while (isalnum((unsigned char)at[n]) || at[n] == '_')
    n++;
  return n;
}

// "name" or <name> at `at`, on the line that ends at `end`.
static bool preprocess_wait_read_name(Search *s, const char *folder,
                                      const char *at, const char *end) {
  char close = *at == '"' ? '"' : *at == '<' ? '>' : 0;
  const char *last = close ? strchr(at + 1, close) : NULL;
  if (!last || last > end)
    return false;
  resolve(s, folder, arena_strndup(s->arena, at + 1, (size_t)(last - at - 1)),
          close == '"');
  return true;
}

static void preprocess_wait_read_include(Search *s, const char *folder,
                                         const char *at, const char *end) {
  size_t n = word_length(at);
  if (preprocess_wait_read_name(s, folder, at, end) || n == 0)
    return;
  Named named = {folder, arena_strndup(s->arena, at, n)};
  if (s->named.count < MOST_FILES)
    VEC_PUSH(s->arena, &s->named, named);
  else
    s->is_open = true;
}

static void read_define(Search *s, const char *at, const char *end) {
  size_t n = word_length(at);
  const char *body = behind_blanks(at + n);
  bool is_name = *body == '"' || *body == '<' || *body == '_' ||
                 isalpha((unsigned char)*body);
  if (n == 0 || at[n] == '(' || body >= end || !is_name ||
      s->macros.count == MOST_MACROS)
    return;
  Macro macro = {.name = arena_strndup(s->arena, at, n),
                 .body = arena_strndup(s->arena, body, (size_t)(end - body))};
  VEC_PUSH(s->arena, &s->macros, macro);
}

// One line; `end` is its end.
static void preprocess_wait_read_line(Search *s, const char *folder,
                                      const char *line, const char *end) {
  const char *at = behind_blanks(line);
  if (*at != '#')
    return;
  at = behind_blanks(at + 1);
  size_t n = word_length(at);
  if (n == strlen("include") && strncmp(at, "include", n) == 0)
    preprocess_wait_read_include(s, folder, behind_blanks(at + n), end);
  else if (n == strlen("define") && strncmp(at, "define", n) == 0)
    read_define(s, behind_blanks(at + n), end);
}

static void preprocess_wait_read_text(Search *s, const char *folder,
                                      const char *text) {
  while (*text && !s->found) {
    size_t length = strcspn(text, "\n");
    preprocess_wait_read_line(s, folder, text, text + length);
    text += length + (text[length] == '\n');
  }
}

static const char *preprocess_wait_folder_of(Arena *arena, const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? arena_strndup(arena, path, (size_t)(slash - path)) : ".";
}

static void preprocess_wait_read_file(Search *s, const char *path) {
  FileText text;
  const char *why;
  if (file_read(s->arena, path, MOST_BYTES, &text, &why) == HD_OK)
    preprocess_wait_read_text(s, preprocess_wait_folder_of(s->arena, path),
                              text.data);
}

// -DNAME=BODY
static void read_options(Search *s) {
  const LoadOptions *options = s->job->options;
  for (uint32_t i = 0; i < options->n_defines; i++) {
    const char *define = options->defines[i];
    const char *equals = strchr(define, '=');
    if (!equals)
      continue;
    Macro macro = {arena_strndup(s->arena, define, (size_t)(equals - define)),
                   equals + 1};
    VEC_PUSH(s->arena, &s->macros, macro);
  }
}

// All that the name is defined as anywhere.
static void preprocess_wait_expand(Search *s, const char *folder,
                                   const char *name, int depth) {
  bool is_known = false;
  if (s->n_steps++ >= MOST_STEPS) {
    s->is_open = true;
    return;
  }
  for (uint32_t i = 0; i < s->macros.count && !s->found; i++) {
    const Macro *macro = &s->macros.data[i];
    if (strcmp(macro->name, name) != 0)
      continue;
    const char *body = macro->body;
    size_t n = word_length(body);
    is_known = true;
    if (preprocess_wait_read_name(s, folder, body, body + strlen(body)))
      continue;
    if (n > 0 && *behind_blanks(body + n) != '(' && depth < MOST_DEPTH)
      preprocess_wait_expand(s, folder, arena_strndup(s->arena, body, n),
                             depth + 1);
    else
      s->is_open = true;
  }
  s->is_open |= !is_known;
}

// The files, and those that includes of macros bring.
static void look_through(Search *s) {
  uint32_t n_expanded = 0, n_macros = 0;
  for (uint32_t i = 0; !s->found;) {
    if (i < s->files.count) {
      preprocess_wait_read_file(s, s->files.data[i++]);
      continue;
    }
    bool is_done = n_expanded == s->named.count && n_macros == s->macros.count;
    n_expanded = s->named.count;
    n_macros = s->macros.count;
    if (is_done)
      return;
    s->is_open = false;
    for (uint32_t k = 0; k < n_expanded && !s->found; k++)
      preprocess_wait_expand(s, s->named.data[k].folder, s->named.data[k].name,
                             0);
  }
}

PreprocessWait preprocess_wait(Arena *arena, const PreprocessJob *job) {
  Search s = {.arena = arena, .job = job};
  read_options(&s);
  if (job->text)
    preprocess_wait_read_text(&s, preprocess_wait_folder_of(arena, job->path),
                              arena_strndup(arena, job->text, job->length));
  else
    VEC_PUSH(arena, &s.files, job->path);
  look_through(&s);
  return (PreprocessWait){.what = s.found, .is_open = s.found || s.is_open};
}
