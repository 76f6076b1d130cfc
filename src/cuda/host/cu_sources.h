// SPDX-License-Identifier: Apache-2.0
// Pointers that a struct of host code may hold, where it isn't known which
// member holds which.
#ifndef HD_CUDA_HOST_CU_SOURCES_H
#define HD_CUDA_HOST_CU_SOURCES_H

#include "cuda/host/cu_host.h"
#include "cuda/host/cu_pointers.h"

enum { CU_MOST_SOURCES = 24 };

typedef struct {
  const CxExpr *data[CU_MOST_SOURCES];
  uint32_t count;
  bool is_repeated;    // something may make two pointers of one of them
  uint32_t n_pointers; // of the struct, that they may be
  // The fewest pointers that a function of another file makes, or fills, the
  // struct with; 0: none does, or it gets none.
  uint32_t n_given;
  bool is_asked, overlaps; // what cu_sources_overlap found
} CuSources;

// What the argument of a launch is made of: items of lists, arguments of
// constructors and calls, and of a variable whatever its function assigns to
// parts of it. Numbers are left out.
void cu_find_sources(const CuHostReader *reader, const CxExpr *arg,
                     CuSources *out);
// Two of them lead into one array.
bool cu_sources_overlap(const CuHostReader *reader, CuSources *sources);
// One of them leads to the same array as one of the others.
bool cu_sources_meet(const CuHostReader *reader, const CuSources *a,
                     const CuSources *b);

#endif
