// SPDX-License-Identifier: Apache-2.0
// Whole files in, whole files out.
#ifndef HD_BASE_FILE_H
#define HD_BASE_FILE_H

#include "base/arena.h"
#include "base/status.h"
#include <stdbool.h>

typedef struct {
  char *data; // NUL-terminated one past `size_bytes`
  size_t size_bytes;
} FileText;

// All functions set `*why` on failure: one sentence that names the path and
// says what happened, from `arena`. Something missing is HD_ERROR_NOT_FOUND,
// everything else HD_ERROR_IO.

// Reads a regular file, a pipe or, for "-", standard input. More than
// `limit_bytes` is an error. Never blocks on a directory.
__attribute__((warn_unused_result)) HdStatus
file_read(Arena *arena, const char *path, size_t limit_bytes, FileText *out,
          const char **why);

// Writes to a temporary file in the same folder, syncs, and renames: readers
// see the old or the new file, never a part. On failure nothing is left, nor
// when the process ends before, however it ends, where the file system has
// files without a name (most; on others signals wait). A symbolic link is
// followed and kept; the mode of an old file is kept. What is no regular file
// (a terminal, a pipe, /dev/null) is written in place.
__attribute__((warn_unused_result)) HdStatus
file_write_atomic(Arena *arena, const char *path, const void *data,
                  size_t size_bytes, const char **why);

// The same without syncing: for what can be made again.
__attribute__((warn_unused_result)) HdStatus
file_write_atomic_unsynced(Arena *arena, const char *path, const void *data,
                           size_t size_bytes, const char **why);

// For caches: without syncing, mode 0600, and what was there, be it a link, is
// replaced.
__attribute__((warn_unused_result)) HdStatus
file_write_private(Arena *arena, const char *path, const void *data,
                   size_t size_bytes, const char **why);

// As file_read, but only a regular file that is the user's own and that no one
// else can write; no link.
__attribute__((warn_unused_result)) HdStatus
file_read_private(Arena *arena, const char *path, size_t limit_bytes,
                  FileText *out, const char **why);

// A folder, not a link to one, that is the user's own and that no one else can
// write.
bool file_is_private_folder(const char *path);

// Makes `path` and its missing parents, mode 0700.
__attribute__((warn_unused_result)) HdStatus
file_make_dirs(Arena *arena, const char *path, const char **why);

bool file_exists(const char *path);
// Not a folder, pipe or device: reading it ends and never blocks.
bool file_is_regular(const char *path);

#endif
