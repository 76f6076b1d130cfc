// SPDX-License-Identifier: Apache-2.0
#include "cli/check_files.h"

#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_DEPTH = 64, MAX_FILES = 1000000 };

static bool is_folder(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static bool ends_with(const char *text, const char *end) {
  size_t length = strlen(text), end_length = strlen(end);
  return length > end_length && strcmp(text + length - end_length, end) == 0;
}

static bool is_program_name(const char *name) {
  return ends_with(name, ".hd") || ends_with(name, ".hir") ||
         ends_with(name, ".cu");
}

static int by_text(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void sort(FileList *list) {
  if (list->count > 1)
    qsort(list->data, list->count, sizeof *list->data, by_text);
}

static int add_folder(Arena *arena, const char *folder, int depth,
                      FileList *out);

// Names of one folder, sorted: what is a program and what may hold some. FIFOs
// and devices are neither: who reads them may wait for ever.
static int read_names(Arena *arena, const char *folder, FileList *programs,
                      FileList *folders) {
  DIR *dir = opendir(folder);
  if (!dir) {
    cli_error("can't read folder '%s': %s", folder, strerror(errno));
    return EXIT_USAGE;
  }
  for (struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
    const char *name = entry->d_name;
    struct stat info;
    if (name[0] == '.')
      continue;
    const char *path =
        arena_printf(arena, "%s%s%s", folder,
                     folder[strlen(folder) - 1] == '/' ? "" : "/", name);
    if (lstat(path, &info) != 0)
      continue;
    if (S_ISDIR(info.st_mode))
      VEC_PUSH(arena, folders, path);
    else if (is_program_name(name) && file_is_regular(path))
      VEC_PUSH(arena, programs, path);
  }
  closedir(dir);
  sort(programs);
  sort(folders);
  return EXIT_DONE;
}

static int check_files_add_file(Arena *arena, const char *path, FileList *out) {
  if (out->count >= MAX_FILES) {
    cli_error("more than %d files", MAX_FILES);
    return EXIT_USAGE;
  }
  VEC_PUSH(arena, out, path);
  return EXIT_DONE;
}

static int add_folder(Arena *arena, const char *folder, int depth,
                      FileList *out) {
  FileList programs = {0}, folders = {0};
  if (depth > MAX_DEPTH) {
    cli_error("folder '%s': more than %d folders deep", folder, MAX_DEPTH);
    return EXIT_USAGE;
  }
  int status = read_names(arena, folder, &programs, &folders);
  for (uint32_t i = 0; i < programs.count && status == EXIT_DONE; i++)
    status = check_files_add_file(arena, programs.data[i], out);
  for (uint32_t i = 0; i < folders.count && status == EXIT_DONE; i++)
    status = add_folder(arena, folders.data[i], depth + 1, out);
  return status;
}

static int check_files_add(const Options *options, const char *path,
                           FileList *out) {
  if (!is_folder(path))
    return check_files_add_file(options->arena, path, out);
  uint32_t before = out->count;
  int status = add_folder(options->arena, path, 0, out);
  if (status == EXIT_DONE && out->count == before) {
    cli_error("folder '%s' has no .hd or .cu file", path);
    return EXIT_USAGE;
  }
  return status;
}

int check_files(const Options *options, FileList *out) {
  int status = check_files_add(options, options->file, out);
  for (uint32_t i = 0; i < options->more_files.count && status == EXIT_DONE;
       i++)
    status = check_files_add(options, options->more_files.data[i], out);
  return status;
}
