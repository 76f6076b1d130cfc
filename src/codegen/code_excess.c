// SPDX-License-Identifier: Apache-2.0
#include "codegen/code_excess.h"

#include "base/panic.h"
#include "codegen/llvm_size.h"

// Copies of a loop's body have the places of the loop. So the operations of
// each place are counted where code is made of them, and shared among the nodes
// that the place has in the program.
typedef struct {
  uint32_t *emitted, *written; // by place
  size_t n_places;
  double half;
  IrLocId found;
} Search;

typedef struct {
  uint32_t *counts;
  size_t n_places;
} Counting;

static bool code_excess_count_node(IrNode *node, void *context) {
  Counting *counting = context;
  if (node->loc < counting->n_places)
    counting->counts[node->loc]++;
  return true;
}

static uint32_t *code_excess_count(Arena *arena, const IrKernel *kernel,
                                   size_t n_places) {
  Counting counting = {ARENA_ARRAY(arena, uint32_t, n_places), n_places};
  (void)ir_walk((IrRegion *)(uintptr_t)&kernel->body, code_excess_count_node,
                &counting);
  return counting.counts;
}

static double code_excess_share(const Search *s, IrLocId loc) {
  return loc < s->n_places && s->written[loc] > 0
             ? (double)s->emitted[loc] / s->written[loc]
             : 1;
}

// Of the node and what is inside. The innermost one that has more than half of
// all is found first.
static double weigh(Search *s, const IrNode *node) {
  double weight = code_excess_share(s, node->loc);
  for (uint32_t r = 0; r < node->n_regions; r++)
    for (const IrNode *n = node->regions[r].first; n; n = n->next)
      weight += weigh(s, n);
  if (node->n_regions > 0 && weight > s->half && !s->found)
    s->found = node->loc;
  return weight;
}

static IrLocId code_excess_largest(Arena *arena, const IrKernel *kernel,
                                   const IrKernel *emitted) {
  Search s = {.n_places = kernel->module->locs.count};
  s.emitted = code_excess_count(arena, emitted, s.n_places);
  s.written = code_excess_count(arena, kernel, s.n_places);
  s.half = emitted->n_nodes / 2.0;
  for (const IrNode *n = kernel->body.first; n; n = n->next)
    (void)weigh(&s, n);
  return s.found ? s.found : kernel->loc;
}

HdStatus code_excess_check(Arena *arena, const IrKernel *kernel,
                           const IrKernel *emitted, size_t n_operations,
                           CodeExcess *excess, const char **why) {
  HD_ASSERT(emitted && excess && why);
  if (n_operations <= LLVM_MOST_INSTRUCTIONS)
    return HD_OK;
  *excess = (CodeExcess){n_operations, LLVM_MOST_INSTRUCTIONS,
                         code_excess_largest(arena, kernel, emitted)};
  *why =
      arena_printf(arena, "its code would have %zu operations: the limit is %d",
                   n_operations, LLVM_MOST_INSTRUCTIONS);
  return HD_ERROR_UNSUPPORTED;
}
