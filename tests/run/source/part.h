// SPDX-License-Identifier: Apache-2.0
// Included by preprocessor.hd.
#pragma once

struct Part {
  char a;
  long b;
};

static int from_part(int v) {
  return v * 23;
}
