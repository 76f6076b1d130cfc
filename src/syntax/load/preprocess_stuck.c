// SPDX-License-Identifier: Apache-2.0
// Note [What a preprocessor sleeps in]
// An #include may lead to a FIFO by ways that only the preprocessor knows
// (macros with parameters). To open one sleeps until somebody writes to it,
// which /proc/PID/syscall shows with the address of the path, and to read one
// with the number of the file. Nothing else of a preprocessor sleeps there: a
// driver that waits for its child does so elsewhere.
#include "syntax/load/preprocess_stuck.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST_PROCESSES = 16, LINE_BYTES = 512 };

// A short file of /proc; false: it can't be read.
static bool read_line(const char *path, char line[LINE_BYTES]) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t n = fd < 0 ? -1 : read(fd, line, LINE_BYTES - 1);
  if (fd >= 0)
    close(fd);
  line[n > 0 ? n : 0] = '\0';
  return n > 0;
}

bool preprocess_read_path(pid_t pid, unsigned long long address,
                          char path[PATH_MAX]) {
  char name[64];
  snprintf(name, sizeof name, "/proc/%ld/mem", (long)pid);
  int fd = open(name, O_RDONLY | O_CLOEXEC);
  ssize_t n = fd < 0 ? -1 : pread(fd, path, PATH_MAX - 1, (off_t)address);
  if (fd >= 0)
    close(fd);
  path[n > 0 ? n : 0] = '\0';
  return n > 0;
}

static bool read_link(const char *name, char path[PATH_MAX]) {
  ssize_t n = readlink(name, path, PATH_MAX - 1);
  path[n > 0 ? n : 0] = '\0';
  return n > 0;
}

const char *preprocess_kind(mode_t mode) {
  return S_ISFIFO(mode) ? "a FIFO" : S_ISSOCK(mode) ? "a socket" : "a device";
}

static const char *preprocess_stuck_describe(Arena *arena, const char *path,
                                             mode_t mode) {
  return arena_printf(arena, "'%s', which is included, is %s", path,
                      preprocess_kind(mode));
}

// Relative to the folder of the process, which is ours.
static const char *opened(Arena *arena, pid_t pid, unsigned long long address) {
  char path[PATH_MAX];
  struct stat info;
  return preprocess_read_path(pid, address, path) && stat(path, &info) == 0 &&
                 !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)
             ? preprocess_stuck_describe(arena, path, info.st_mode)
             : NULL;
}

// Pipes without a name are those that a driver has with its children.
static const char *being_read(Arena *arena, pid_t pid, unsigned long long fd) {
  char name[64], path[PATH_MAX];
  struct stat info;
  snprintf(name, sizeof name, "/proc/%ld/fd/%llu", (long)pid, fd);
  return read_link(name, path) && path[0] == '/' && stat(name, &info) == 0 &&
                 !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)
             ? preprocess_stuck_describe(arena, path, info.st_mode)
             : NULL;
}

// "257 0xffffff9c 0x7f…", "running" or "-1 …".
static const char *preprocess_stuck_look_at(Arena *arena, pid_t pid) {
  char name[64], line[LINE_BYTES];
  unsigned long long args[3];
  snprintf(name, sizeof name, "/proc/%ld/syscall", (long)pid);
  if (!read_line(name, line))
    return NULL;
  char *at = line;
  long number = strtol(line, &at, 10);
  if (at == line)
    return NULL;
  for (int i = 0; i < 3; i++)
    args[i] = strtoull(at, &at, 16);
  if (number == SYS_openat)
    return opened(arena, pid, args[1]);
#ifdef SYS_open
  if (number == SYS_open)
    return opened(arena, pid, args[0]);
#endif
  return number == SYS_read ? being_read(arena, pid, args[0]) : NULL;
}

// Adds those that the process started.
static void add_children(pid_t pid, pid_t all[MOST_PROCESSES], int *count) {
  char name[80], line[LINE_BYTES];
  snprintf(name, sizeof name, "/proc/%ld/task/%ld/children", (long)pid,
           (long)pid);
  if (!read_line(name, line))
    return;
  char *at = line, *end;
  for (long child; (child = strtol(at, &end, 10)) > 0 && end != at; at = end)
    if (*count < MOST_PROCESSES)
      all[(*count)++] = (pid_t)child;
}

const char *preprocess_stuck(Arena *arena, pid_t pid) {
  pid_t all[MOST_PROCESSES] = {pid};
  int count = 1;
  const char *what = NULL;
  for (int i = 0; i < count && !what; i++) {
    what = preprocess_stuck_look_at(arena, all[i]);
    add_children(all[i], all, &count);
  }
  return what;
}
