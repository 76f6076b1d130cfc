// SPDX-License-Identifier: Apache-2.0
// What a preprocessor that says nothing may be waiting for. It is asked only
// then, so that looking through the includes costs nothing otherwise: they are
// read as text, whatever conditions are around them.
#include "syntax/preprocess_wait.h"

#include "base/file.h"
#include "base/vec.h"

#include <string.h>
#include <sys/stat.h>

enum { MOST_FILES = 200, MOST_BYTES = 4 << 20 };

typedef struct {
  Arena *arena;
  const PreprocessJob *job;
  hd_vec(const char *) files; // found so far; the first ones were looked into
  const char *found;
} Search;

static const char *kind_of(mode_t mode) {
  return S_ISFIFO(mode) ? "a FIFO" : S_ISSOCK(mode) ? "a socket" : "a device";
}

// False: there is nothing of this name.
static bool take(Search *s, const char *path) {
  struct stat info;
  if (stat(path, &info) != 0 || S_ISDIR(info.st_mode))
    return false;
  if (!S_ISREG(info.st_mode)) {
    s->found = arena_printf(s->arena, "'%s', which is included, is %s", path,
                            kind_of(info.st_mode));
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
  return folder && take(s, arena_printf(s->arena, "%s/%s", folder, name));
}

// As the preprocessor looks for it: `folder` is that of the file around.
static void resolve(Search *s, const char *folder, const char *name,
                    bool is_quoted) {
  const LoadOptions *options = s->job->options;
  if (name[0] == '/') {
    take(s, name);
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

// One line; `end` is its end.
static void read_line(Search *s, const char *folder, const char *line,
                      const char *end) {
  const char *at = behind_blanks(line);
  if (*at != '#')
    return;
  at = behind_blanks(at + 1);
  if (strncmp(at, "include", strlen("include")) != 0)
    return;
  at = behind_blanks(at + strlen("include"));
  char close = *at == '"' ? '"' : *at == '<' ? '>' : 0;
  const char *last = close ? strchr(at + 1, close) : NULL;
  if (!last || last > end)
    return;
  resolve(s, folder, arena_strndup(s->arena, at + 1, (size_t)(last - at - 1)),
          close == '"');
}

static void read_text(Search *s, const char *folder, const char *text) {
  while (*text && !s->found) {
    size_t length = strcspn(text, "\n");
    read_line(s, folder, text, text + length);
    text += length + (text[length] == '\n');
  }
}

static const char *folder_of(Arena *arena, const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? arena_strndup(arena, path, (size_t)(slash - path)) : ".";
}

static void read_file(Search *s, const char *path) {
  FileText text;
  const char *why;
  if (file_read(s->arena, path, MOST_BYTES, &text, &why) == HD_OK)
    read_text(s, folder_of(s->arena, path), text.data);
}

const char *preprocess_waits_for(Arena *arena, const PreprocessJob *job) {
  Search s = {.arena = arena, .job = job};
  if (job->text)
    read_text(&s, folder_of(arena, job->path),
              arena_strndup(arena, job->text, job->length));
  else
    VEC_PUSH(arena, &s.files, job->path);
  for (uint32_t i = 0; i < s.files.count && !s.found; i++)
    read_file(&s, s.files.data[i]);
  return s.found;
}
