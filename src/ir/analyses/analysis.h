// SPDX-License-Identifier: Apache-2.0
// Analyses of one kernel: side tables indexed by node, variable and group id.
//
// Expects  a kernel that passed ir_verify, numbered densely.
// Gives    tables in `arena`; the IR is not changed, except by the functions
//          that say so.
#ifndef HD_IR_ANALYSES_ANALYSIS_H
#define HD_IR_ANALYSES_ANALYSIS_H

#include "diag/diag.h"
#include "ir/form/ir.h"

// ------------------------------------------------------------ uniformity
// Which values are the same for all threads of which groups (language
// reference, "Execution model"). A set of groups is closed under taking parts.

typedef struct Uniformity Uniformity;

Uniformity *ir_uniformity(Arena *arena, const IrKernel *kernel);
// The same of the threads that have not returned from the kernel: "all threads"
// are all of these.
Uniformity *ir_uniformity_of_present(Arena *arena, const IrKernel *kernel);
// All threads of `group` that evaluate `node` get the same value.
bool uniformity_has(const Uniformity *uniformity, const IrNode *node,
                    const IrGroup *group);
// All threads of `group` reach `node` together or not at all, seen from where
// `group` became current.
bool uniformity_converged(const Uniformity *uniformity, const IrNode *node,
                          const IrGroup *group);

// Reports every collective and group statement that its group can't reach
// together, naming the condition and the value that differs; operands of group
// statements that differ; ranges outside the parent; effects that every thread
// of a split loop's iteration would repeat. One cause, one message. No solver.
void ir_check_groups(const IrKernel *kernel, const Uniformity *uniformity,
                     DiagEngine *diags);

// A condition or loop that decides who gets to an operation of the grid, a
// cluster or the block, and that differs by nothing but what was loaded, or by
// ranks that may cancel out: to be stated uniform over the group.
typedef struct {
  Span span; // of the condition, or of the statement that it decides about
  IrGroupKind group;
} OpenCondition;

typedef hd_vec(OpenCondition) OpenConditions;

// The same, but what such conditions alone decide isn't reported: `open` has
// them, in `arena`.
void ir_check_groups_but(const IrKernel *kernel, const Uniformity *uniformity,
                         DiagEngine *diags, Arena *arena, OpenConditions *open);

// Reports tokens of barriers that aren't waited for exactly once on every path,
// and collectives between the two halves of a split barrier. Needs no tables.
void ir_check_tokens(const IrKernel *kernel, DiagEngine *diags);

// Decides for every operation of a whole_warp() or whole_partition() whether
// the rules allow it or it is tested at run time; makes its own tables. True if
// the kernel was changed.
bool ir_decide_whole(IrKernel *kernel);

// Decides every open `join` (changes u.group.join, reason, array).
void ir_decide_joins(IrKernel *kernel, const Uniformity *uniformity);

// -------------------------------------------------------------- liveness

typedef struct Liveness Liveness;

// Questions are answered on demand and remembered, so that one table serves one
// thread. Lanes that skip a group statement go on behind it: a variable that is
// set inside is live there if it is read behind it.
Liveness *ir_liveness(Arena *arena, const IrKernel *kernel);
// The variable may be read after `node` (a region node: after it as a whole)
// before it is written.
bool liveness_after(const Liveness *liveness, const IrNode *node, uint32_t var);
// The variable's value on entry to `region`, or at its next turn, may be read.
bool liveness_at_entry(const Liveness *liveness, const IrRegion *region,
                       uint32_t var);

// ---------------------------------------------------------------- begins

// What begins without a value in each turn of a loop, not only with the kernel:
// the node of the loop's region before which it does, by id of the variable or
// of the thread's own object; else NULL.
typedef struct {
  IrNode **vars, **objects;
} Begins;

Begins ir_begins(Arena *arena, IrKernel *kernel);
// The variable may be read before it has a value.
bool ir_var_may_lack(const IrKernel *kernel, const Liveness *liveness,
                     const Begins *begins, uint32_t var);

// ---------------------------------------------------------------- passes

// Loads and stores through a pointer that is always the address of one of the
// thread's own objects become accesses of that object. True if changed.
bool ir_name_own(IrKernel *kernel);
// Makes scalars of a thread's own memory variables where all that is done to
// them are loads and stores. True if changed.
bool ir_promote(IrKernel *kernel);
// Gives each def-use web of a variable its own variable. True if changed.
bool ir_split_webs(IrKernel *kernel);
// Loops that only ask an mbarrier until its phase has completed become waits.
bool ir_wait_polls(IrKernel *kernel);
// Swizzles shared arrays that matrix units read: Note [Chosen layouts].
bool ir_decide_layouts(IrKernel *kernel);
// Folds constants and removes pure nodes without uses and empty regions.
bool ir_simplify(IrKernel *kernel);
// A copy in `arena`, in a module of its own, that may be changed.
IrKernel *ir_clone_kernel(Arena *arena, const IrKernel *kernel);
// Appends copies of the nodes of `from` to `to`, in the same kernel; values
// from outside of `from` are shared.
void ir_clone_region(IrKernel *kernel, const IrRegion *from, IrRegion *to);
// The operator `by`, whose body the region is a copy of, gets variables of its
// own, as has all that the body assigns.
void ir_own_variables(IrKernel *kernel, IrRegion *region, IrOperator *by);
// Takes mbar_init out. `follows`: for checks, which are to tell where nothing
// orders it before a use of the barrier. True if changed.
bool ir_track_inits(IrKernel *kernel, bool follows);
// For checks of CUDA C++, which are to tell of blocks that end while others of
// the cluster use their shared memory. True if changed.
bool ir_track_ends(IrKernel *kernel);
// Before a launch with checks: variables and private arrays that are read
// before they have a value are told by check_value.
void ir_track_values(IrKernel *kernel);
// Likewise, of CUDA C++ and before ir_track_values: what a shuffle from a lane
// that isn't there gives, where it matters. True if changed.
bool ir_follow_lanes(IrKernel *kernel);
// Does this check_value ask for what such a shuffle gave?
bool ir_is_of_lanes(const IrNode *check);
// Likewise: what `uniform` states is told by check_uniform.
void ir_track_claims(IrKernel *kernel);
// For checks: a copy in `arena` in which check_value tells of what is stored,
// and of what decides, that it has a value; `kernel` if all have one.
// `open`: loads and atomic operations, in the order of ir_walk, that may read
// what nobody has written, or NULL.
const IrKernel *ir_follow_values(Arena *arena, const IrKernel *kernel,
                                 const bool *open);
// One of those that `open` counts.
bool ir_reads_memory(const IrNode *node);
// Does this check_value ask for what such a load gave?
bool ir_is_of_memory(const IrNode *check);
// Before a launch without: the block votes on what CUDA C++ kernels state of
// conditions that ranks may decide. True if changed.
bool ir_test_claims(IrKernel *kernel, const Uniformity *uniformity);
// The kernel uses what atomics and polls give, so that it can tell which of its
// threads came first.
bool ir_observes_order(const IrKernel *kernel);
// A copy in `arena`, in a module of its own, in which loops whose turns are
// known are repeated turn by turn: those that ask for it, and short ones with
// barriers or over elements by rank. NULL: there are none. Objects of the copy
// have no lifetime regions.
IrKernel *ir_unroll(Arena *arena, const IrKernel *kernel);

#endif
