// SPDX-License-Identifier: Apache-2.0
// Status codes inside the library are the public ones: the world is wrong, or
// the program is. Messages travel beside them (session, diagnostics).
#ifndef HD_BASE_STATUS_H
#define HD_BASE_STATUS_H

#include "heddle/status.h"

// Returns from the enclosing function with the status unless it is HD_OK.
#define HD_TRY(call)                                                           \
  do {                                                                         \
    HdStatus try_status_ = (call);                                             \
    if (try_status_ != HD_OK)                                                  \
      return try_status_;                                                      \
  } while (0)

#endif
