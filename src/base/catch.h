// SPDX-License-Identifier: Apache-2.0
// C++ exceptions end here: only C++ can catch them. For rescue_foreign.c.
#ifndef HD_BASE_CATCH_H
#define HD_BASE_CATCH_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  CATCH_NOTHING,
  CATCH_MEMORY, // memory or threads
  CATCH_OTHER
} CatchEnd;

// work(context). What is thrown may find no way back through frames of a
// library that was compiled without exceptions: C++ then calls std::terminate
// where it was thrown. If `is_ours` says that this thread is in here, the
// exception ends there, and `lost` is called, which doesn't return. Else what
// would have been done is done.
typedef struct {
  bool (*is_ours)(void);
  void (*lost)(CatchEnd end);
} CatchHooks;

CatchEnd catch_exceptions(void (*work)(void *context), void *context,
                          const CatchHooks *hooks);

#ifdef __cplusplus
}
#endif

#endif
