// SPDX-License-Identifier: Apache-2.0
// Errors of ours. They print version, pass, place and "please report", and
// abort. Never used for errors of the user's program or of the world.
#ifndef HD_BASE_PANIC_H
#define HD_BASE_PANIC_H

_Noreturn void hd_panic(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#define HD_PANIC(...) hd_panic(__FILE__, __LINE__, __VA_ARGS__)

// Stays on in every build: the compiler's time goes elsewhere.
#define HD_ASSERT(condition)                                                   \
  ((condition) ? (void)0 : HD_PANIC("assertion failed: %s", #condition))

#endif
