// SPDX-License-Identifier: Apache-2.0
// Errors of ours. They print version, pass, place and "please report", and
// abort. Never used for errors of the user's program or of the world.
#ifndef HD_BASE_PANIC_H
#define HD_BASE_PANIC_H

_Noreturn void hd_panic(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#define HD_PANIC(...) hd_panic(__FILE__, __LINE__, __VA_ARGS__)

// What this thread is doing, for the report: the pass and the function or
// kernel it works on. Both may be NULL and must outlive their use.
typedef struct {
  const char *pass;
  const char *subject;
} PanicContext;

// Sets it and returns the one before, which the caller puts back.
PanicContext hd_panic_context(PanicContext context);

// Stays on in every build: the compiler's time goes elsewhere.
#define HD_ASSERT(condition)                                                   \
  do {                                                                         \
    if (!(condition))                                                          \
      HD_PANIC("assertion failed: %s", #condition);                            \
  } while (0)

#endif
