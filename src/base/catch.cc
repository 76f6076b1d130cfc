// SPDX-License-Identifier: Apache-2.0
#include "base/catch.h"

#include <cstdlib>
#include <cxxabi.h>
#include <exception>
#include <execinfo.h>
#include <mutex>
#include <new>
#include <system_error>

// Set once for the process, like the handler that was there before.
static std::terminate_handler before;
static const CatchHooks *ours;

// Of the exception that is being handled.
static CatchEnd kind() {
  try {
    throw;
  } catch (const std::bad_alloc &) {
    return CATCH_MEMORY;
  } catch (const std::system_error &) {
    return CATCH_MEMORY;
  } catch (...) {
    return CATCH_OTHER;
  }
}

static void on_terminate() {
  if (ours->is_ours()) {
    CatchEnd end = CATCH_OTHER;
    if (std::current_exception()) {
      end = kind();
      abi::__cxa_end_catch(); // of what C++ has begun to handle
    }
    ours->lost(end);
  }
  if (before)
    before();
  std::abort();
}

CatchEnd catch_exceptions(void (*work)(void *context), void *context,
                          const CatchHooks *hooks) {
  static std::once_flag once;
  std::call_once(once, [hooks] {
    ours = hooks;
    // glibc loads the unwinder when it is first asked for it, and ends the
    // process where that fails.
    void *place;
    (void)backtrace(&place, 1);
    before = std::set_terminate(on_terminate);
  });
  try {
    work(context);
    return CATCH_NOTHING;
  } catch (...) {
    return kind();
  }
}
