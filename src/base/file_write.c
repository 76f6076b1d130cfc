// SPDX-License-Identifier: Apache-2.0
#include "base/file.h"

#include "base/file_error.h"
#include "base/rescue.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  MAX_NAME_TRIES = 100,
  NEW_FILE_MODE = 0666,
  PRIVATE_FILE_MODE = 0600,
  NEW_DIR_MODE = 0700
};

typedef struct {
  Arena *arena;
  const char *path; // as the caller named it, for messages
  const char **why;
  const void *data;
  size_t size_bytes;
  bool is_synced, is_private;
} Writer;

static HdStatus file_write_fail(const Writer *writer, int error_number) {
  return file_fail(writer->arena, writer->why, "write", writer->path,
                   error_number);
}

// 0, or the errno of the failure.
static int write_all(int fd, const char *data, size_t size_bytes) {
  while (size_bytes > 0) {
    ssize_t done = write(fd, data, size_bytes);
    if (done < 0 && errno == EINTR)
      continue;
    if (done < 0)
      return errno;
    data += done;
    size_bytes -= (size_t)done;
  }
  return 0;
}

static HdStatus write_in_place(const Writer *writer) {
  int fd = open(writer->path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
  if (fd < 0)
    return file_write_fail(writer, errno);
  int error_number = write_all(fd, writer->data, writer->size_bytes);
  if (close(fd) != 0 && error_number == 0)
    error_number = errno;
  return error_number ? file_write_fail(writer, error_number) : HD_OK;
}

// The folder part of `path` with its slash, "" for the current folder.
static const char *file_write_folder_of(Arena *arena, const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? arena_strndup(arena, path, (size_t)(slash - path) + 1) : "";
}

// A file on its way to its name.
typedef struct {
  const char *folder; // with its slash, "" for the current one
  const char *name;   // NULL: it has none yet
  int fd;
  bool has_masked; // signals wait, so that the name doesn't outlive us
  sigset_t mask;   // as it was
} Temporary;

// Its name differs between processes, threads and calls.
static const char *next_name(Arena *arena, const char *folder) {
  // Only makes names differ: it carries nothing from one session to another.
  static atomic_uint counter;
  return arena_printf(arena, "%s.heddle-%ld-%u.tmp", folder, (long)getpid(),
                      atomic_fetch_add(&counter, 1u));
}

// Signals that end a process from outside wait while a name is in the folder.
static void mask_signals(Temporary *file) {
  sigset_t all;
  if (file->has_masked)
    return;
  sigfillset(&all);
  for (int i = 0; i < 4; i++)
    sigdelset(&all, (const int[]){SIGSEGV, SIGBUS, SIGFPE, SIGILL}[i]);
  file->has_masked = pthread_sigmask(SIG_SETMASK, &all, &file->mask) == 0;
}

static void unmask_signals(Temporary *file) {
  if (file->has_masked)
    pthread_sigmask(SIG_SETMASK, &file->mask, NULL);
  file->has_masked = false;
}

// With a name at once. 0, or the errno of the failure.
static int open_named(const Writer *writer, Temporary *file) {
  int mode = writer->is_private ? PRIVATE_FILE_MODE : NEW_FILE_MODE;
  mask_signals(file);
  for (int i = 0; i < MAX_NAME_TRIES; i++) {
    const char *name = next_name(writer->arena, file->folder);
    file->fd =
        open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, mode);
    file->name = file->fd >= 0 ? name : NULL;
    if (file->fd >= 0 || errno != EEXIST)
      break;
  }
  return file->fd >= 0 ? 0 : errno;
}

// Without a name, where the file system can: it then ends with the process.
static int open_temporary(const Writer *writer, Temporary *file) {
  int mode = writer->is_private ? PRIVATE_FILE_MODE : NEW_FILE_MODE;
  file->fd = access("/proc/self/fd", X_OK) == 0
                 ? open(file->folder[0] ? file->folder : ".",
                        O_WRONLY | O_TMPFILE | O_CLOEXEC, mode)
                 : -1;
  return file->fd >= 0 ? 0 : open_named(writer, file);
}

// 0, or the errno of the failure.
static int give_name(const Writer *writer, Temporary *file) {
  if (file->name)
    return 0;
  const char *from = arena_printf(writer->arena, "/proc/self/fd/%d", file->fd);
  mask_signals(file);
  for (int i = 0; i < MAX_NAME_TRIES; i++) {
    const char *name = next_name(writer->arena, file->folder);
    if (linkat(AT_FDCWD, from, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0) {
      file->name = name;
      return 0;
    }
    if (errno != EEXIST)
      break;
  }
  return errno;
}

// Makes the rename itself durable. Some file systems can't; then so be it.
static void sync_folder(const char *folder) {
  int fd = open(folder[0] ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0)
    return;
  (void)fsync(fd);
  close(fd);
}

// 0, or the errno of the failure.
static int file_write_fill(const Writer *writer, int fd,
                           const struct stat *old) {
  int error_number = write_all(fd, writer->data, writer->size_bytes);
  if (error_number == 0 && old && fchmod(fd, old->st_mode & 07777) != 0)
    error_number = errno;
  if (error_number == 0 && writer->is_synced && fsync(fd) != 0)
    error_number = errno;
  return error_number;
}

// Fills, names and closes it. 0, or the errno of the failure.
static int file_write_finish(const Writer *writer, Temporary *file,
                             const struct stat *old) {
  int error_number = file_write_fill(writer, file->fd, old);
  if (error_number == 0)
    error_number = give_name(writer, file);
  if (close(file->fd) != 0 && error_number == 0)
    error_number = errno;
  return error_number;
}

static void drop_temporary(void *what) {
  Temporary *file = what;
  if (file->fd >= 0)
    close(file->fd);
  if (file->name)
    unlink(file->name);
  unmask_signals(file);
}

// `target` is where the file really is, `old` the file that is there or NULL.
static HdStatus write_and_rename(const Writer *writer, const char *target,
                                 const struct stat *old) {
  Temporary file = {.folder = file_write_folder_of(writer->arena, target),
                    .fd = -1};
  rescue_owe(drop_temporary, &file);
  int error_number = open_temporary(writer, &file);
  if (error_number == 0)
    error_number = file_write_finish(writer, &file, old);
  file.fd = -1;
  rescue_paid(&file);
  if (error_number == 0 && rename(file.name, target) != 0)
    error_number = errno;
  if (error_number != 0 && file.name)
    unlink(file.name);
  unmask_signals(&file);
  if (error_number != 0)
    return file_write_fail(writer, error_number);
  if (writer->is_synced)
    sync_folder(file.folder);
  return HD_OK;
}

static HdStatus write_file(const Writer *writer) {
  struct stat old;
  if (stat(writer->path, &old) != 0)
    return errno == ENOENT ? write_and_rename(writer, writer->path, NULL)
                           : file_write_fail(writer, errno);
  if (S_ISDIR(old.st_mode))
    return file_write_fail(writer, EISDIR);
  if (!S_ISREG(old.st_mode))
    return write_in_place(writer);
  if (access(writer->path, W_OK) != 0)
    return file_write_fail(writer, errno);
  char *target = realpath(writer->path, NULL);
  if (!target)
    return file_write_fail(writer, errno);
  rescue_owe(free, target);
  HdStatus status = write_and_rename(writer, target, &old);
  rescue_paid(target);
  free(target);
  return status;
}

HdStatus file_write_atomic(Arena *arena, const char *path, const void *data,
                           size_t size_bytes, const char **why) {
  Writer writer = {arena, path, why, data, size_bytes, true, false};
  return write_file(&writer);
}

HdStatus file_write_atomic_unsynced(Arena *arena, const char *path,
                                    const void *data, size_t size_bytes,
                                    const char **why) {
  Writer writer = {arena, path, why, data, size_bytes, false, false};
  return write_file(&writer);
}

HdStatus file_write_private(Arena *arena, const char *path, const void *data,
                            size_t size_bytes, const char **why) {
  Writer writer = {arena, path, why, data, size_bytes, false, true};
  return write_and_rename(&writer, path, NULL);
}

// 0, or the errno of the failure.
static int make_dir(const char *path) {
  if (mkdir(path, NEW_DIR_MODE) == 0)
    return 0;
  int error_number = errno;
  struct stat info;
  if (stat(path, &info) == 0)
    return S_ISDIR(info.st_mode) ? 0 : ENOTDIR;
  return error_number;
}

HdStatus file_make_dirs(Arena *arena, const char *path, const char **why) {
  char *prefix = arena_strdup(arena, path);
  for (char *at = prefix; *at; at++) {
    if (*at != '/' || at == prefix)
      continue;
    *at = '\0';
    int error_number = make_dir(prefix);
    if (error_number)
      return file_fail(arena, why, "make the folder", prefix, error_number);
    *at = '/';
  }
  int error_number = make_dir(prefix);
  return error_number
             ? file_fail(arena, why, "make the folder", path, error_number)
             : HD_OK;
}
