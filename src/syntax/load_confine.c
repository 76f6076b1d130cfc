// SPDX-License-Identifier: Apache-2.0
#include "syntax/load_confine.h"

#include "base/vec.h"
#include "diag/line_marker.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char outside[] = "it is outside of the folders that are allowed";

typedef struct {
  Arena *arena;
  Interner *interner;
  hd_vec(const char *) roots; // real paths
  const char *main;           // the real path of the source, or NULL
  Place at;                   // the line that was read last
  Refused refused;
} Confine;

static const char *real_path(Arena *arena, const char *path) {
  char buffer[PATH_MAX];
  return realpath(path, buffer) ? arena_strdup(arena, buffer) : NULL;
}

static void allow(Confine *cx, const char *folder) {
  const char *real = folder ? real_path(cx->arena, folder) : NULL;
  if (real)
    VEC_PUSH(cx->arena, &cx->roots, real);
}

static bool is_allowed(const Confine *cx, const char *real) {
  if (cx->main && strcmp(real, cx->main) == 0)
    return true;
  for (uint32_t i = 0; i < cx->roots.count; i++) {
    const char *root = cx->roots.data[i];
    size_t n = strlen(root);
    if (strcmp(root, "/") == 0 ||
        (strncmp(real, root, n) == 0 && real[n] == '/'))
      return true;
  }
  return false;
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

static void refuse(Confine *cx, const char *name, Place place) {
  cx->refused = (Refused){name, outside, place};
}

// A #line names files that need not be there.
static void look_at(Confine *cx, const char *name) {
  if (is_name_of_none(name))
    return;
  const char *real = real_path(cx->arena, name);
  bool is_fine = real ? is_allowed(cx, real) : !preprocess_is_outside(name);
  if (!is_fine)
    refuse(cx, name, cx->at);
}

static void read_marker(Confine *cx, const LineMarker *marker) {
  if (marker->file) {
    look_at(cx, marker->file);
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

static const char *folder_of(Arena *arena, const char *path) {
  const char *slash = strrchr(path, '/');
  return !slash          ? "."
         : slash == path ? "/"
                         : arena_strndup(arena, path, (size_t)(slash - path));
}

const char *load_confine_main(Arena *arena, const char *path,
                              const LoadOptions *options) {
  Confine cx = {.arena = arena};
  const char *real = real_path(arena, path);
  allow(&cx, folder_of(arena, path));
  for (uint32_t i = 0; i < options->n_include_dirs; i++)
    allow(&cx, options->include_dirs[i]);
  return !real || is_allowed(&cx, real) ? NULL : outside;
}

Refused load_confine_files(Arena *arena, Interner *interner, const char *path,
                           const PreprocessJob *job, const CudaSource *cuda,
                           const char *text, size_t length, Place first) {
  Confine cx = {.arena = arena, .interner = interner, .at = first};
  cx.at.col = 1;
  cx.at.end_col = 2;
  cx.main = real_path(arena, path);
  allow(&cx, folder_of(arena, path));
  allow(&cx, job->headers);
  allow(&cx, job->cuda_headers);
  allow(&cx, cuda->root);
  for (uint32_t i = 0; i < job->options->n_include_dirs; i++)
    allow(&cx, job->options->include_dirs[i]);
  for (uint32_t i = 0; i < job->n_missing && !cx.refused.name; i++)
    if (preprocess_is_outside(job->missing[i]))
      refuse(&cx, job->missing[i], first);
  read_lines(&cx, text, length);
  return cx.refused;
}
