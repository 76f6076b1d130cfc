// SPDX-License-Identifier: Apache-2.0
// C++ exceptions end here: only C++ can catch them. For rescue_foreign.c.
#ifndef HD_BASE_CATCH_H
#define HD_BASE_CATCH_H

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
// where it was thrown. `lost` is called there, with the exception gone; where
// it returns, it is nothing of ours, and what would have been done is done.
CatchEnd catch_exceptions(void (*work)(void *context), void *context,
                          void (*lost)(CatchEnd end));

#ifdef __cplusplus
}
#endif

#endif
