// SPDX-License-Identifier: Apache-2.0
// Loaded before a program (LD_PRELOAD): the FAIL_AT-th call of FAIL_CALL fails
// with EIO, in the first process that it is loaded into. Standard streams are
// left alone. FAILED_FILE is made if there was such a call.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long n_calls, fail_at = -1;
static const char *fail_call;
static pid_t process;

static int is_failing(const char *call) {
  if (fail_at < 0) {
    fail_call = getenv("FAIL_CALL");
    fail_at = fail_call ? atol(getenv("FAIL_AT")) : 0;
    process = getpid();
  }
  if (fail_at == 0 || getpid() != process || strcmp(call, fail_call) != 0 ||
      __atomic_add_fetch(&n_calls, 1, __ATOMIC_RELAXED) != fail_at)
    return 0;
  int (*make)(const char *, int, ...) =
      (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
  make(getenv("FAILED_FILE"), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  errno = EIO;
  return 1;
}

#define NEXT(NAME) ((__typeof__(&NAME))dlsym(RTLD_NEXT, #NAME))

ssize_t read(int fd, void *to, size_t n) {
  return is_failing("read") ? -1 : NEXT(read)(fd, to, n);
}

ssize_t write(int fd, const void *from, size_t n) {
  return fd > 2 && is_failing("write") ? -1 : NEXT(write)(fd, from, n);
}

int open(const char *path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  int mode = va_arg(more, int);
  va_end(more);
  return is_failing("open") ? -1 : NEXT(open)(path, flags, mode);
}

int rename(const char *from, const char *to) {
  return is_failing("rename") ? -1 : NEXT(rename)(from, to);
}

int fsync(int fd) {
  return is_failing("fsync") ? -1 : NEXT(fsync)(fd);
}

int memfd_create(const char *name, unsigned flags) {
  return is_failing("memfd") ? -1 : NEXT(memfd_create)(name, flags);
}

int pipe2(int pipe[2], int flags) {
  return is_failing("pipe") ? -1 : NEXT(pipe2)(pipe, flags);
}
