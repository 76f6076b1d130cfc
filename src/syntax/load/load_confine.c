// SPDX-License-Identifier: Apache-2.0
#include "syntax/load/load_confine.h"

#include "base/vec.h"
#include "diag/line_marker.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char outside[] = "it is outside of the folders that are allowed";

struct LoadConfine {
  Arena *arena;
  hd_vec(const char *) roots; // real paths
};

typedef struct {
  Arena *arena;
  Interner *interner;
  const LoadConfine *rules;
  Place at; // the line that was read last
  Refused refused;
} Confine;

static const char *real_path(Arena *arena, const char *path) {
  char buffer[PATH_MAX];
  return realpath(path, buffer) ? arena_strdup(arena, buffer) : NULL;
}

static const char *load_confine_folder_of(Arena *arena, const char *path) {
  const char *slash = strrchr(path, '/');
  return !slash          ? "."
         : slash == path ? "/"
                         : arena_strndup(arena, path, (size_t)(slash - path));
}

void load_confine_add(LoadConfine *confine, const char *folder) {
  const char *real = folder ? real_path(confine->arena, folder) : NULL;
  if (real)
    VEC_PUSH(confine->arena, &confine->roots, real);
}

LoadConfine *load_confine_new(Arena *arena, const char *path,
                              const LoadOptions *options) {
  LoadConfine *confine = ARENA_NEW(arena, LoadConfine);
  confine->arena = arena;
  load_confine_add(confine, load_confine_folder_of(arena, path));
  for (uint32_t i = 0; i < options->n_include_dirs; i++)
    load_confine_add(confine, options->include_dirs[i]);
  return confine;
}

static bool is_allowed(const LoadConfine *rules, const char *real) {
  for (uint32_t i = 0; i < rules->roots.count; i++) {
    const char *root = rules->roots.data[i];
    size_t n = strlen(root);
    if (strcmp(root, "/") == 0 ||
        (strncmp(real, root, n) == 0 && real[n] == '/'))
      return true;
  }
  return false;
}

bool load_confine_allows(const LoadConfine *confine, const char *path) {
  char real[PATH_MAX];
  if (!confine)
    return true;
  return realpath(path, real) ? is_allowed(confine, real)
                              : errno == ENOENT || errno == ENOTDIR;
}

static bool is_name_of_none(const char *name) {
  static const char *const names[] = {"<built-in>", "<command-line>",
                                      "<command line>", "<stdin>",
                                      "<scratch space>"};
  struct stat info;
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
    if (strcmp(name, names[i]) == 0)
      return lstat(name, &info) != 0;
  return false;
}

static void load_confine_refuse(Confine *cx, const char *name, Place place) {
  cx->refused = (Refused){name, outside, place};
}

// A #line names files that need not be there.
static void load_confine_look_at(Confine *cx, const char *name) {
  if (is_name_of_none(name))
    return;
  const char *real = real_path(cx->arena, name);
  bool is_fine =
      real ? is_allowed(cx->rules, real) : !preprocess_is_outside(name);
  if (!is_fine)
    load_confine_refuse(cx, name, cx->at);
}

static void read_marker(Confine *cx, const LineMarker *marker) {
  if (marker->file) {
    load_confine_look_at(cx, marker->file);
    cx->at.file = intern_cstr(cx->interner, marker->file);
  }
  cx->at.line = cx->at.end_line = marker->line;
}

static void read_lines(Confine *cx, const char *text, size_t length) {
  const char *end = text + length;
  for (const char *at = text; at < end && !cx->refused.name;) {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    size_t n = (size_t)((newline ? newline : end) - at);
    LineMarker marker;
    if (*at == '#' && line_marker_parse(cx->arena, at, n, &marker))
      read_marker(cx, &marker);
    else
      cx->at.end_line = ++cx->at.line;
    at += n + 1;
  }
}

const char *load_confine_main(Arena *arena, const char *path,
                              const LoadOptions *options) {
  LoadConfine *rules = load_confine_new(arena, path, options);
  return load_confine_allows(rules, path) ? NULL : outside;
}

Refused load_confine_files(Arena *arena, Interner *interner,
                           const PreprocessJob *job, const char *text,
                           size_t length, Place first) {
  Confine cx = {
      .arena = arena, .interner = interner, .rules = job->confine, .at = first};
  cx.at.col = 1;
  cx.at.end_col = 2;
  for (uint32_t i = 0; i < job->n_missing && !cx.refused.name; i++)
    if (preprocess_is_outside(job->missing[i]))
      load_confine_refuse(&cx, job->missing[i], first);
  read_lines(&cx, text, length);
  return cx.refused;
}
