// SPDX-License-Identifier: Apache-2.0
// What a call of heddle.h gives back, for the tests of one session.
#ifndef HD_TESTS_UNIT_SESSION_API_EXPECT_H
#define HD_TESTS_UNIT_SESSION_API_EXPECT_H

#include "heddle/heddle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
// cmocka wants the ones above first.
#include <cmocka.h>

static HdSession *session;

static inline void ok(HdStatus status) {
  if (status != HD_OK)
    fail_msg("%s: %s", hd_status_text(status), hd_last_message(session));
}

static inline void refused(HdStatus status, HdStatus wanted, const char *text) {
  assert_int_equal(status, wanted);
  if (!strstr(hd_last_message(session), text))
    fail_msg("'%s' is not in: %s", text, hd_last_message(session));
}

#endif
