// SPDX-License-Identifier: Apache-2.0
#include "base/file.h"

#include "base/file_error.h"
#include "base/rescue.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_CHUNK_BYTES = 64 * 1024 };

static const char *error_text(Arena *arena, int error_number) {
  switch (error_number) {
  case ENOENT: return "no such file or folder";
  case ENOTDIR: return "a part of the path is not a folder";
  case EACCES:
  case EPERM: return "permission denied";
  case EISDIR: return "it is a folder, not a file";
  case ENOSPC: return "the disk is full";
  case EDQUOT: return "the disk quota is used up";
  case EROFS: return "the file system is read-only";
  case ELOOP: return "too many symbolic links";
  case ENAMETOOLONG: return "the name is too long";
  case EEXIST: return "something else of that name exists";
  default: break;
  }
  char buffer[128];
  return arena_strdup(arena, strerror_r(error_number, buffer, sizeof(buffer)));
}

HdStatus file_fail_text(Arena *arena, const char **why, const char *verb,
                        const char *path, const char *reason) {
  *why = arena_printf(arena, "can't %s '%s': %s", verb, path, reason);
  return HD_ERROR_IO;
}

HdStatus file_fail(Arena *arena, const char **why, const char *verb,
                   const char *path, int error_number) {
  file_fail_text(arena, why, verb, path, error_text(arena, error_number));
  bool is_missing = error_number == ENOENT || error_number == ENOTDIR;
  return is_missing ? HD_ERROR_NOT_FOUND : HD_ERROR_IO;
}

static HdStatus fail_too_big(Arena *arena, const char **why, const char *path,
                             size_t limit_bytes) {
  const char *reason =
      arena_printf(arena, "it has more than %zu bytes", limit_bytes);
  return file_fail_text(arena, why, "read", path, reason);
}

typedef struct {
  Arena *arena;
  const char *path; // as shown to people
  int fd;
  size_t limit_bytes;
} Reader;

// Reads up to `room` bytes; fewer only at the end. -1 on failure.
static ssize_t read_full(int fd, char *data, size_t room) {
  size_t done = 0;
  while (done < room) {
    ssize_t got = read(fd, data + done, room - done);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return -1;
    if (got == 0)
      break;
    done += (size_t)got;
  }
  return (ssize_t)done;
}

// Reads to the end in buffers that double, from `expected` bytes on. One byte
// beyond what is expected is asked for: it shows the end, or that there is
// more than the size said.
static HdStatus read_to_end(const Reader *reader, size_t expected,
                            FileText *out, const char **why) {
  size_t capacity = expected + 1;
  char *data = arena_alloc(reader->arena, capacity + 1);
  size_t size_bytes = 0;
  for (;;) {
    ssize_t got =
        read_full(reader->fd, data + size_bytes, capacity - size_bytes);
    if (got < 0)
      return file_fail(reader->arena, why, "read", reader->path, errno);
    size_bytes += (size_t)got;
    if (size_bytes > reader->limit_bytes)
      return fail_too_big(reader->arena, why, reader->path,
                          reader->limit_bytes);
    if (size_bytes < capacity)
      break;
    char *grown = arena_alloc(reader->arena, capacity * 2 + 1);
    memcpy(grown, data, size_bytes);
    data = grown;
    capacity *= 2;
  }
  data[size_bytes] = '\0';
  *out = (FileText){data, size_bytes};
  return HD_OK;
}

static HdStatus read_open_file(const Reader *reader, FileText *out,
                               const char **why) {
  struct stat info;
  if (fstat(reader->fd, &info) != 0)
    return file_fail(reader->arena, why, "read", reader->path, errno);
  if (S_ISDIR(info.st_mode))
    return file_fail(reader->arena, why, "read", reader->path, EISDIR);
  size_t expected = FIRST_CHUNK_BYTES;
  if (S_ISREG(info.st_mode)) {
    if ((uint64_t)info.st_size > reader->limit_bytes)
      return fail_too_big(reader->arena, why, reader->path,
                          reader->limit_bytes);
    expected = (size_t)info.st_size;
  }
  return read_to_end(reader, expected, out, why);
}

static void close_fd(void *what) {
  close(*(const int *)what);
}

HdStatus file_read(Arena *arena, const char *path, size_t limit_bytes,
                   FileText *out, const char **why) {
  *out = (FileText){0};
  if (strcmp(path, "-") == 0) {
    Reader input = {arena, "standard input", STDIN_FILENO, limit_bytes};
    return read_open_file(&input, out, why);
  }
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (fd < 0)
    return file_fail(arena, why, "read", path, errno);
  Reader reader = {arena, path, fd, limit_bytes};
  rescue_owe(close_fd, &fd);
  HdStatus status = read_open_file(&reader, out, why);
  rescue_paid(&fd);
  close(fd);
  return status;
}

static bool is_private(const struct stat *info) {
  return info->st_uid == geteuid() &&
         (info->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

HdStatus file_read_private(Arena *arena, const char *path, size_t limit_bytes,
                           FileText *out, const char **why) {
  struct stat info;
  *out = (FileText){0};
  int fd =
      open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0)
    return file_fail(arena, why, "read", path, errno);
  Reader reader = {arena, path, fd, limit_bytes};
  rescue_owe(close_fd, &fd);
  HdStatus status =
      fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && is_private(&info)
          ? read_open_file(&reader, out, why)
          : file_fail_text(arena, why, "read", path,
                           "someone else owns it or can write it");
  rescue_paid(&fd);
  close(fd);
  return status;
}

bool file_is_private_folder(const char *path) {
  struct stat info;
  return lstat(path, &info) == 0 && S_ISDIR(info.st_mode) && is_private(&info);
}

bool file_exists(const char *path) {
  struct stat info;
  return stat(path, &info) == 0;
}

bool file_is_regular(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}
