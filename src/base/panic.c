// SPDX-License-Identifier: Apache-2.0
#include "base/panic.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The build passes the real one.
#ifndef HD_VERSION
#define HD_VERSION "(development build)"
#endif

// A pass of one thread is nobody else's business: two sessions in two threads
// stay independent.
static _Thread_local PanicContext current;

PanicContext hd_panic_context(PanicContext context) {
  PanicContext previous = current;
  current = context;
  return previous;
}

// "src/ir/verify/verify.c", wherever the source tree lay when it was compiled.
static const char *short_name(const char *file) {
  const char *name = file;
  for (const char *at = file; (at = strstr(at, "src/")) != NULL; at++)
    name = at;
  return name;
}

void hd_panic(const char *file, int line, const char *format, ...) {
  fflush(stdout);
  fprintf(stderr, "heddle %s: internal error: ", HD_VERSION);
  va_list args;
  va_start(args, format);
  vfprintf(stderr, format, args);
  va_end(args);
  fprintf(stderr, "\n  at %s:%d\n", short_name(file), line);
  if (current.pass)
    fprintf(stderr, "  in pass %s%s%s\n", current.pass,
            current.subject ? " on " : "",
            current.subject ? current.subject : "");
  fputs("  This is a mistake in Heddle, not in your program. Please report "
        "it with\n  the program that caused it.\n",
        stderr);
  fflush(stderr);
  abort();
}
