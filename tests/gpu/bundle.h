// SPDX-License-Identifier: Apache-2.0
// A bundle: launches with their inputs and what they must compute, to be run
// where there is no compiler. Written by make_bundle.c, run by run_bundle.c.
//
//   manifest   lines as below, one launch after the other
//   data       bytes that lines name by OFFSET LENGTH
//   ptx/N.ptx  code
//
//   test PATH:LINE
//   code N
//   grid X Y Z | cluster X Y Z | dynamic BYTES
//   memory SIZE zeros | generated TYPE LANES COUNT WORD | bytes OFFSET LENGTH
//   slot HEX | address MEMORY OFFSET           in order
//   global SIZE zeros | bytes OFFSET LENGTH    file-scope objects, in order
//   status N TEXT                  of the launch; a part of what it says
//   same MEMORY TYPE HASH          every bit, but all NaNs are one
//   within MEMORY TYPE RELATIVE ABSOLUTE OFFSET LENGTH
//   prints exact|unordered OFFSET LENGTH
//   end
#ifndef HD_TESTS_GPU_BUNDLE_H
#define HD_TESTS_GPU_BUNDLE_H

#include "base/float_bits.h"
#include "base/map.h"
#include "heddle/heddle.h"

#include <string.h>

static inline FloatFormat bundle_format(HdType type) {
  switch ((int)type) {
  case HD_F16: return FLOAT_F16;
  case HD_BF16: return FLOAT_BF16;
  case HD_F32: return FLOAT_F32;
  case HD_E4M3: return FLOAT_E4M3;
  case HD_E5M2: return FLOAT_E5M2;
  default: return FLOAT_F64;
  }
}

static inline bool bundle_is_float(HdType type) {
  return type == HD_F16 || type == HD_BF16 || type == HD_F32 ||
         type == HD_F64 || type == HD_E4M3 || type == HD_E5M2;
}

static inline double bundle_value(HdType type, const char *at, size_t width) {
  uint64_t bits = 0;
  memcpy(&bits, at, width);
  return float_bits_to_double(bundle_format(type), bits);
}

// Of elements of `type` (HD_STRUCT: of bytes); NaNs are made one, in place.
static inline uint64_t bundle_hash(HdType type, size_t width, char *data,
                                   uint64_t size_bytes) {
  for (uint64_t at = 0; bundle_is_float(type) && at + width <= size_bytes;
       at += width) {
    double value = bundle_value(type, data + at, width);
    if (value != value)
      memset(data + at, 0xff, width);
  }
  return hash_bytes(data, size_bytes);
}

#endif
