// SPDX-License-Identifier: Apache-2.0
// What the result of a preprocessor depends on.
#include "syntax/load/preprocess.h"

#include "syntax/load/load_stand_in.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// --- Words whose meaning is not in any file --------------------------------

static const char *find_bytes(const char *text, size_t length,
                              const char *wanted) {
  return memmem(text, length, wanted, strlen(wanted));
}

// `#embed`, with any blanks: its file is in no line marker.
static bool has_embed(const char *text, size_t length) {
  const char *end = text + length;
  for (const char *at = text;
       (at = find_bytes(at, (size_t)(end - at), "embed")) != NULL; at++) {
    const char *before = at;
    while (before > text && (before[-1] == ' ' || before[-1] == '\t'))
      before--;
    if (before > text && before[-1] == '#')
      return true;
  }
  return false;
}

bool preprocess_is_volatile(const char *text, size_t length) {
  static const char *const words[] = {"__DATE__", "__TIME__", "__TIMESTAMP__",
                                      "__has_include", "__has_embed"};
  for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
    if (find_bytes(text, length, words[i]))
      return true;
  return has_embed(text, length);
}

// --- The key ---------------------------------------------------------------

static void add_variable(HashState *state, const char *name) {
  const char *value = getenv(name);
  hash_add_u64(state, value != NULL);
  hash_add_text(state, value ? value : "");
}

// A program or script as it is now: a new one may give something else.
static void add_identity(HashState *state, const char *path) {
  struct stat info;
  if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) {
    hash_add_u64(state, 0);
    return;
  }
  hash_add_u64(state, (uint64_t)info.st_size);
  hash_add_u64(state, (uint64_t)info.st_mtim.tv_sec);
  hash_add_u64(state, (uint64_t)info.st_mtim.tv_nsec);
  hash_add_u64(state, (uint64_t)info.st_ino);
}

// The first file of this name on the path, as posix_spawnp finds it.
static const char *find_program(Arena *arena, const char *name) {
  const char *path = getenv("PATH");
  if (strchr(name, '/') || !path)
    return name;
  while (*path) {
    size_t n = strcspn(path, ":");
    const char *candidate =
        n ? arena_printf(arena, "%.*s/%s", (int)n, path, name) : name;
    if (access(candidate, X_OK) == 0)
      return candidate;
    path += n + (path[n] == ':');
  }
  return name;
}

static const char *current_folder(Arena *arena) {
  char buffer[4096];
  const char *folder = getcwd(buffer, sizeof buffer);
  return folder ? arena_strdup(arena, folder) : NULL;
}

bool preprocess_key(Arena *arena, const PreprocessJob *job, const char *text,
                    size_t length, Hash128 *key) {
  const char *folder = current_folder(arena);
  if (!folder || preprocess_is_volatile(text, length))
    return false;
  PreprocessJob stable = *job;
  stable.last_folder = NULL; // another one each time
  char **argv = preprocess_command(arena, &stable);
  HashState *state = hash_new();
  hash_add_text(state, find_program(arena, argv[0]));
  add_identity(state, find_program(arena, argv[0]));
  bool is_stable = true;
  for (char **word = argv; *word; word++) {
    hash_add_text(state, *word);
    if (strcmp(*word, job->path) != 0) // its text is what counts
      add_identity(state, *word);
    is_stable &= !preprocess_is_volatile(*word, strlen(*word));
  }
  add_variable(state, "PATH");
  add_variable(state, "GCC_EXEC_PREFIX");
  add_variable(state, "COMPILER_PATH");
  for (uint32_t i = 0; i < job->n_missing; i++) {
    hash_add_text(state, job->missing[i]);
    hash_add_text(state, load_cuda_stand_in(job->missing[i]));
  }
  hash_add_u64(state, job->n_missing);
  hash_add_text(state, folder);
  hash_add_text(state, job->path);
  hash_add_u64(state, job->text != NULL);
  hash_add_u64(state, length);
  hash_add(state, text, length);
  *key = hash_result(state);
  hash_free(state);
  return is_stable;
}
