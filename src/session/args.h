// SPDX-License-Identifier: Apache-2.0
// The arguments of one launch: values, inference, checks.
#ifndef HD_SESSION_ARGS_H
#define HD_SESSION_ARGS_H

#include "ir/form/host_eval.h"
#include "session/session.h"

// What an array of arrays is given: copies of the buffers, which hold their
// memory.
typedef struct {
  uint32_t count;
  HdBuffer *members;
  HdBuffer **pointers; // to these
} ArgList;

struct HdArgs {
  HdKernel *kernel;
  const IrKernel *ir;
  HdSession *session;
  // In one piece with this struct, as launches make such an object each.
  uint64_t *slots;
  HdBuffer *views;       // by parameter; what `buffers` points to
  HdBuffer **buffers;    // by parameter, or NULL; of an ArgList, an array
                         // like its members with a dimension more
  ArgList **lists;       // by parameter, or NULL
  const char **given_by; // who gave a scalar its value, for messages
  bool *has_value;
};

// Arguments in memory of the caller's, of args_size bytes, aligned to 16, which
// doesn't outlive the kernel.
size_t args_size(const HdKernel *kernel);
void args_init(HdArgs *args, HdKernel *kernel);
void args_fini(HdArgs *args);

// The scope for host expressions over these arguments.
HostScope args_scope(const HdArgs *args);
// Sets parameter `index` (not by name). Fails with the session's message.
HdStatus args_set_index(HdArgs *args, uint32_t index, const HdArg *value);
// The buffers of a parameter: one, or those of its list.
uint32_t args_buffer_count(const HdArgs *args, uint32_t index);
const HdBuffer *args_buffer(const HdArgs *args, uint32_t index, uint32_t i);
// Sets an array of arrays; gives its list up (args_list.c).
HdStatus args_set_list(HdArgs *args, uint32_t index, const HdArg *value);
void args_release_list(HdArgs *args, uint32_t index);
// Those that the kernel requires to be disjoint are.
HdStatus args_check_members(const HdArgs *args);
// Extents or strides of an array parameter as the kernel states them.
HdStatus args_shape(const HdArgs *args, uint32_t index, bool want_strides,
                    int64_t out[IR_MAX_RANK]);
// All that must hold before a launch: shapes, alignment, overlap, requires.
HdStatus args_check(const HdArgs *args);
// Predicates on the contents of arrays, for launches with checks: waits for
// nothing, so what fills the arrays must be done. HD_ERROR_CHECK.
HdStatus args_check_contents(const HdArgs *args);
// Blocks in each dimension; options may be NULL.
// Also checks that the grid is whole clusters.
HdStatus args_cluster(const HdArgs *args, const HdLaunchOptions *options,
                      const int32_t grid[3], int32_t cluster[3]);
HdStatus args_grid(const HdArgs *args, const HdLaunchOptions *options,
                   int32_t grid[3]);
// Bytes of the shared array that is sized at launch; 0 when there is none.
HdStatus args_dynamic_shared(const HdArgs *args, uint64_t *out);
// Of the arguments and the grid (NULL: one that isn't huge).
uint64_t args_facts(const HdArgs *args, const int32_t grid[3]);

#endif
