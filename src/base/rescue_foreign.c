// SPDX-License-Identifier: Apache-2.0
// The part of rescue.h that C++ is needed for.
#include "base/rescue.h"

#include "base/catch.h"

// What a call of rescue_foreign is left with by a jump.
static void on_lost(CatchEnd end) {
  rescue_leave_foreign(end == CATCH_MEMORY ? RESCUE_MEMORY : RESCUE_EXCEPTION);
}

static const CatchHooks hooks = {rescue_is_foreign, on_lost};

RescueEnd rescue_foreign(void (*work)(void *context), void *context) {
  Rescue rescue RESCUE_SCOPE;
  int jumped = RESCUE_ENTER(&rescue);
  if (jumped)
    return (RescueEnd)jumped;
  rescue.is_foreign = true;
  CatchEnd end = catch_exceptions(work, context, &hooks);
  if (end == CATCH_NOTHING)
    return RESCUE_DONE;
  rescue_release(&rescue);
  return end == CATCH_MEMORY ? RESCUE_MEMORY : RESCUE_EXCEPTION;
}
