// SPDX-License-Identifier: Apache-2.0
// Inside the uniformity analysis; others use ir/analyses/analysis.h.
//
// Everything that can differ between threads is a token: the value of a node,
// the value of a variable where paths meet, the set of threads at a point, the
// choice of the path by which a region was left. A token differs where what it
// depends on differs, so that the analysis is one system of equations
//
//   set(t) = base(t) and set(d) for every d that t depends on
//
// whose greatest solution is found from the optimistic side. The walk makes
// tokens and edges, the solver sets. The edges stay for explanations.
#ifndef HD_IR_ANALYSES_UNIFORM_H
#define HD_IR_ANALYSES_UNIFORM_H

#include "ir/analyses/analysis.h"
#include "ir/form/group_set.h"
#include "ir/form/order.h"

typedef uint32_t Token;

typedef enum {
  TOKEN_VALUE,      // of the node; of a `set`: what the variable holds then
  TOKEN_START,      // the same for all: the start of the kernel
  TOKEN_REACH,      // which threads are at a point
  TOKEN_LEFT,       // which threads have left the region so far
  TOKEN_CHOICE,     // by which exit, or at which turn, a region was left
  TOKEN_PHI,        // a variable where paths meet
  TOKEN_TURN,       // an iteration variable
  TOKEN_GROUP_EXIT, // a variable after a group statement that sets it
  TOKEN_LOST,       // a variable where the analysis gave up
  TOKEN_MEMORY,     // all that is stored into a thread's own array
} TokenKind;

typedef struct {
  TokenKind kind;
  uint32_t depth;     // loops around the place where it is made
  const IrNode *node; // that makes it
  uint32_t var;       // of PHI, TURN, GROUP_EXIT, LOST
} TokenInfo;

typedef struct {
  Token from, to; // `to` depends on `from`
} TokenEdge;

// The same for all threads of the group: it was stated so, or the group was
// made by the value, or of those that got there.
typedef struct TokenGroup {
  Token token;
  const IrGroup *group;
  const struct TokenGroup *next; // of the same token
} TokenGroup;

struct Uniformity {
  Arena *arena;
  const IrKernel *kernel;
  const NodeOrder *order;
  bool of_present; // threads that returned from the kernel decide nothing
  GroupSets *sets;
  hd_vec(TokenInfo) tokens; // nodes first, by id; then TOKEN_START and others
  hd_vec(GroupSet) base;    // by token
  GroupSet *set;            // by token
  Token *reach;             // by node id: which threads are there
  Token *version;           // by node id of a `get`: what it reads
  hd_vec(TokenEdge) edges;  // sorted by `to` once solved
  uint32_t *deps_begin;     // by token, n + 1: into edges
  // What threads outside a group statement hold behind it, for
  // TOKEN_GROUP_EXIT.
  hd_vec(TokenEdge) outside;
  // Groups over which a token is the same whatever it depends on.
  hd_vec(TokenGroup) stated;
  const TokenGroup **stated_of; // by token: a chain, or NULL
};

static inline Token uniform_start(const Uniformity *u) {
  return u->order->n_ids;
}

// The analysis before solving: sets and what `uniform_walk` fills are there.
Uniformity *uniform_tokens(Arena *arena, Arena *scratch, const IrKernel *kernel,
                           bool of_present);
// Edges by counting sort, in `arena`: afterwards those of token t (its `from`,
// or its `to`) are [begin[t], begin[t + 1]) of the result.
TokenEdge *uniform_sort_edges(Arena *arena, const Uniformity *u, bool by_from,
                              uint32_t **begin);

// Makes all tokens and edges of the kernel (uniform_walk.c). What may write
// where a load reads is left to uniform_load.h.
void uniform_walk(Uniformity *u, Arena *scratch);
// Loads of a thread's own arrays depend on what is stored there
// (uniform_local.c).
void uniform_by_stores(Uniformity *u, Arena *scratch);
void uniform_settle_loads(Uniformity *u); // once it is solved
// States what follows from ranks in the block (uniform_rank.c).
void uniform_by_rank(Uniformity *u, Arena *scratch);
// Does the node compute the label, or its opposite, again? (uniform_label.c)
bool uniform_repeats(const Uniformity *u, const IrNode *node,
                     const IrNode *label);
// What the operation itself contributes (uniform_base.c).
GroupSet uniform_base(Uniformity *u, const IrNode *node);

// The value depends on nothing that changes while the kernel runs.
bool uniform_is_fixed(const Uniformity *u, const IrNode *node);

#endif
