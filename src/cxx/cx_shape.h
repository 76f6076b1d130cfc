// SPDX-License-Identifier: Apache-2.0
// What the tokens of a kernel show of the block that it is written for.
#ifndef HD_CXX_CX_SHAPE_H
#define HD_CXX_CX_SHAPE_H

#include "cxx/cx_ast.h"

enum {
  CX_MOST_TILES = 8,
  CX_MOST_STEPS = 8,
  CX_MOST_STRIDES = 8,
  CX_MOST_TEAMS = 8,
  CX_MOST_CONDITIONS = 16
};

// A shared array: the tokens of its extents.
typedef struct {
  CxTokens extents[3];
  uint32_t n_extents;
  bool is_by_thread, is_shifted; // [threadIdx.x], [threadIdx.x + …]
} CxTile;

typedef struct {
  bool uses[3]; // threadIdx or blockDim in x, y, z
  CxTile tiles[CX_MOST_TILES];
  uint32_t n_tiles;
  CxTokens steps[CX_MOST_STEPS]; // behind `+=` in the heads of loops
  uint32_t n_steps;
  // What blockIdx is multiplied by, a number or a name.
  CxTokens strides[CX_MOST_STRIDES];
  int stride_axes[CX_MOST_STRIDES];
  bool is_for_threads[CX_MOST_STRIDES]; // threadIdx is added, of that axis
  uint32_t n_strides;
  // The threads that primitives of a block are made for: THREADS in
  // cub::BlockReduce<T, THREADS>.
  CxTokens teams[CX_MOST_TEAMS];
  uint32_t n_teams;
} CxShape;

// With the functions that it calls.
void cx_find_shape(const CxUnit *unit, const CxDecl *kernel, CxShape *out);

// The tokens of the conditions that the kernel states about its arguments
// (cu_assume.h), of the first ones. Returns how many.
uint32_t cx_find_conditions(const CxUnit *unit, const CxDecl *kernel,
                            CxTokens out[CX_MOST_CONDITIONS]);

#endif
