// SPDX-License-Identifier: Apache-2.0
// Random kernels for differential tests.
//
// Every kernel is valid, free of races and of undefined behaviour, ends soon,
// and its results don't depend on the order of threads:
//  - each thread writes its own slots of the output arrays; shared arrays are
//    written and read in phases with barriers of the group between; what
//    threads share without a barrier are commutative atomics whose old values
//    nobody looks at;
//  - group statements, thread loops and barriers stand only where all threads
//    of the group come together: conditions there are made of variables that
//    were only ever assigned such values, under such conditions;
//  - signed arithmetic is done on masked operands or as unsigned; loops have
//    bounded counts.
// Results of library functions go to arrays of their own and nowhere else, so
// that all others are compared bit for bit.
#ifndef HD_FUZZ_KERNELS_GEN_H
#define HD_FUZZ_KERNELS_GEN_H

#include "base/arena.h"
#include "base/text.h"
#include <stdbool.h>
#include <stdint.h>

typedef enum {

#define GEN_TYPE(id, text, hd, bytes, is_float, is_signed) GEN_##id,
#include "gen_types.def"
#undef GEN_TYPE
  GEN_TYPE_COUNT
} GenType;

typedef struct {
  const char *text; // in the language
  int hd_type;      // HdType
  uint32_t size_bytes;
  bool is_float, is_signed;
} GenTypeInfo;

extern const GenTypeInfo gen_types[GEN_TYPE_COUNT];

typedef struct {
  const char *name;
  GenType type;
  bool is_array;
  bool is_output;
  bool is_close;    // within some ULP instead of bit for bit
  int64_t elements; // arrays: scalars in memory, gaps of strides included
  int rank;
  int64_t extents[2], strides[2]; // in elements of the array
  int lanes;                      // 4: an array of short vectors
  int64_t integer;                // scalars
  double real;
} GenParam;

enum { GEN_MAX_PARAMS = 40 };

typedef struct {
  const char *source;
  GenParam params[GEN_MAX_PARAMS];
  uint32_t n_params;
  int32_t grid[3];
  bool has_grid; // to be given by the launcher
  // Instead of the CPU, the interpreter runs what the passes made, in a random
  // order of threads and copies.
  bool without_cpu;
  const char *device; // NULL: one worker of the CPU
} GenProgram;

// The same seed and budget (statements, about) give the same program.
// `groups` of a hundred programs have groups as values, collectives, barriers
// of every kind, copies and clusters.
void gen_program(Arena *arena, uint64_t seed, uint32_t budget, uint32_t groups,
                 GenProgram *out);

uint64_t gen_split_mix(uint64_t *state);

#endif
