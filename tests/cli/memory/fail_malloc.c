// SPDX-License-Identifier: Apache-2.0
// Loaded before a program (LD_PRELOAD), whose allocations fail from the
// FAIL_FROM-th on, in the first process that it is loaded into. COUNT_FILE gets
// their number where none of them fails.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t align, size_t size);

static long n_calls, fail_from = -1;
static pid_t process;

static int is_out(void) {
  if (fail_from < 0) {
    const char *from = getenv("FAIL_FROM");
    fail_from = from ? atol(from) : 0;
    process = getpid();
  }
  long n = __atomic_add_fetch(&n_calls, 1, __ATOMIC_RELAXED);
  if (fail_from == 0 || n < fail_from || getpid() != process)
    return 0;
  errno = ENOMEM;
  return 1;
}

void *malloc(size_t size) {
  return is_out() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  return is_out() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
  return is_out() ? NULL : __libc_realloc(old, size);
}

void *memalign(size_t align, size_t size) {
  return is_out() ? NULL : __libc_memalign(align, size);
}

void *aligned_alloc(size_t align, size_t size) {
  return is_out() ? NULL : __libc_memalign(align, size);
}

int posix_memalign(void **out, size_t align, size_t size) {
  *out = is_out() ? NULL : __libc_memalign(align, size);
  return *out ? 0 : ENOMEM;
}

__attribute__((destructor)) static void tell(void) {
  const char *name = getenv("COUNT_FILE");
  char text[32];
  if (!name || getpid() != process)
    return;
  int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  snprintf(text, sizeof text, "%ld\n", n_calls);
  if (fd < 0 || write(fd, text, strlen(text)) < 0)
    return;
  close(fd);
}
