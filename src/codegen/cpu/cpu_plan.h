// SPDX-License-Identifier: Apache-2.0
// What the CPU back end decides about a kernel before it emits anything.
//
// Expects  a kernel that passed ir_verify and the group checks, joins decided.
// Gives    shapes of all values, where masks split, strands, barriers, the
//          layout of shared memory. The IR is not changed.
// Owns     nothing: everything lives in the arena.
//
// A value of a composite type (short vector, struct) is a row of leaves, each
// with its own shape. A shape says how a value looks over the lanes of a warp:
//
//   UNIFORM  one scalar
//   AFFINE   base + step * (lane % period) + outer * (lane / period);
//            with a flip: what lane `lane ^ flip` would hold
//   VARYING  a vector of `lanes` elements; indices may have a form besides, see
//            Note [Forms of indices] in cpu_form.c
//
// Emission follows these tables and never decides again, so what is a scalar
// slot here is one there.
#ifndef HD_CODEGEN_CPU_CPU_PLAN_H
#define HD_CODEGEN_CPU_CPU_PLAN_H

#include "codegen/code_groups.h"
#include "codegen/code_parts.h"
#include "codegen/code_shared.h"
#include "ir/analyses/analysis.h"
#include "ir/form/ir.h"

#define CPU_WARP       32
#define CPU_WARP_LOG2  5
#define CPU_MAX_LEAVES 64
#define CPU_MAX_BLOCK  1024

typedef enum {
  CPU_NONE, // nothing was assigned yet
  CPU_UNIFORM,
  CPU_AFFINE,
  CPU_VARYING,
} CpuShapeKind;

typedef struct {
  uint8_t kind;
  uint8_t period_log2; // AFFINE: lanes in a row; CPU_WARP_LOG2: all
  uint8_t align_log2;  // the base is a multiple of 2^align_log2
  uint8_t flip;        // AFFINE
  bool is_exact;       // AFFINE: lanes hold the sum itself, nothing wrapped
  bool is_nonneg;      // as a signed number, in every active lane
  uint8_t form_bits;   // VARYING: low bits that its form tells; 0: it has none
  bool has_row;        // of the form: lane / period also counts in a scalar
  int64_t step, outer; // AFFINE, and of the form
  int64_t most;        // is_nonneg: no lane has more; 0: not known
} CpuShape;

// What is known about a node that has regions.
typedef struct {
  uint32_t n_vars; // assigned inside
  uint32_t n_leaves;
  uint32_t *vars;     // ascending
  uint32_t *last_set; // id of the last node inside that assigns vars[i]
  CpuShape *head;     // loops: at each turn, by leaf of vars in order
  CpuShape *after;    // behind the node, likewise
  uint32_t depth;     // number of mask splits around the body
  // The condition (if), the bounds (for, strided thread_for) or membership
  // (group) differ from lane to lane.
  bool is_divergent;
  bool splits;      // some of its lanes leave it before others
  bool splits_turn; // some of its lanes end a turn before others
  bool leaks;       // some of its lanes leave an outer node from inside
  // First node from which on variables may differ between lanes that left and
  // others: by exits, by continues. UINT32_MAX: none.
  uint32_t split_pos, turn_pos;
  bool is_left;    // an exit to behind it was seen
  bool goes_on[2]; // if: the end of then, of else can be reached
  bool yields;     // loop that waits for memory
  uint32_t cost;   // operations inside, calls and memory counted high
} CpuFlow;

// Barrier rows of one group. Parts of which no two have the same first thread,
// now or later, unless they are equal, have a row by that thread. Others, of a
// tile whose size or whose parent moves, have one by their size, too (see
// cpu_barrier_row): who is early at the next part counts there, not in this
// one.
typedef struct {
  uint32_t first;   // row of instance 0; UINT32_MAX: no row
  uint32_t n_rows;  // one a part, or a place where one may begin
  bool is_by_begin; // block rank of the first thread >> shift is the row
  uint32_t shift;
  uint32_t n_levels;  // rows of a begin, one for each kind of size; 1: all
  uint32_t n_threads; // that take part; 0: the group's size at run time
} CpuBarrierRows;

typedef struct {
  uint32_t warp, begin, end; // lanes [begin, end)
} CpuStrand;

// How a thread's own array lies in memory.
typedef struct {
  uint64_t exact_bytes; // of one thread's
  uint64_t size_bytes;  // with what aligns the next thread's
  uint32_t unit_bytes;  // element by lane in units; 0: one lane after the other
} CpuPrivate;

typedef struct CpuPlan {
  Arena *arena;
  const IrModule *module;
  const IrKernel *kernel;
  const Liveness *liveness;
  uint32_t lanes;     // 32, or 1 when every lane is a strand
  uint32_t n_threads; // of a block
  uint32_t n_warps;

  uint32_t *node_leaf; // first leaf of a node's value
  uint32_t *var_leaf;  // first leaf of a variable
  uint32_t n_var_leaves;
  CpuShape *shapes;    // by leaf of nodes
  CpuFlow **flows;     // by node id; NULL for nodes without regions
  bool *splits_exit;   // by node id: this exit leaves lanes behind
  CpuShape *ranks;     // by group id: rank in the group, where it is current
  CpuShape *counts;    // by group id: which part of its parent (meta_rank)
  CpuShape *instances; // by group id: which of all parts in the block
  CodePartTable *parts;
  bool *is_operator; // by variable: of an operator's body, always live

  bool *is_boundary; // by block rank: a strand may begin here
  bool has_checks;   // the runtime is told of accesses and barriers
  bool is_blocking;  // strands wait for each other
  bool does_yield;
  bool is_scheduled; // strands can be put in any order
  bool is_apart;     // has operations that phases can't hold
  bool syncs_grid;
  uint32_t copy_kinds;                 // bits by HD_CPU_COPY_
  hd_vec(const IrGroup *) copy_groups; // of memcpy_async and its waits
  CpuStrand *strands;
  uint32_t n_strands;
  CpuBarrierRows *barriers; // by group id
  uint32_t n_barriers;
  struct CpuPhases *phases; // instead of strands, NULL: none (cpu_phase.h)

  CodeShared *shared; // by object id
  uint64_t shared_bytes;
  bool shares;            // arrays may lie in the same bytes
  uint32_t n_own_objects; // of the program; the others are scratch
  uint64_t scratch_bytes; // of shared_bytes
  CpuPrivate *privates;   // by object id
  // By object id: a kernel array that overlaps with no other and that nothing
  // loads from.
  bool *is_only_written;
  bool may_stream; // stores may go past the caches
  uint64_t private_bytes;
} CpuPlan;

// With checks, the operation tells where it overflows (llvm_cpu_overflow.c).
bool cpu_may_tell_overflow(const IrNode *node);

// NULL: *why says what this back end can't do.
CpuPlan *cpu_plan_new(Arena *arena, const IrModule *module,
                      const IrKernel *kernel, bool has_checks,
                      bool is_scheduled, const char **why);

// --- cpu_shape.c
CpuShape cpu_uniform(void);
CpuShape cpu_varying(void);
CpuShape cpu_affine(int64_t step);
bool cpu_shape_equal(CpuShape a, CpuShape b);
// The shape of a variable that holds the one or the other.
CpuShape cpu_shape_join(CpuShape a, CpuShape b);
// The result of an operation on scalars; `args` are its operands' shapes.
CpuShape cpu_shape_op(const CpuPlan *plan, const IrNode *node,
                      const CpuShape *args);
// Affine with the period of both, false if there is none.
bool cpu_shape_align_periods(CpuShape *a, CpuShape *b);
// Affine, and lanes differ only in low bits that the base has not: whatever the
// type wraps at, it wraps all of a warp or nobody.
bool cpu_is_carry_free(CpuShape shape);
// The affine result is a 32-bit number that may have wrapped: its base is cut
// to that, which makes it exact where lanes don't wrap apart.
bool cpu_may_wrap(const CpuPlan *plan, const IrNode *node);

// --- cpu_form.c
// The shape with the form that the operation gives a VARYING result.
CpuShape cpu_form_op(const IrNode *node, const CpuShape *args, CpuShape shape);
// A shape as a form; false if it has none.
bool cpu_as_form(IrType type, CpuShape *shape);
// What a variable or a member keeps of a shape: no form.
CpuShape cpu_without_form(CpuShape shape);

// --- cpu_access.c
// How an index of an access lies over the lanes, or its offset in bytes
// (is_offset): AFFINE and UNIFORM as the address has it, VARYING with a form,
// or without.
CpuShape cpu_index_shape(const CpuPlan *plan, const IrNode *node,
                         const IrNode *index, bool is_offset);
// The shape of an access' address in bytes (of ADDRESS: its value).
CpuShape cpu_access_shape(const CpuPlan *plan, const IrNode *node);
// Offsets within the object fit 32 bits.
bool cpu_object_is_small(const CpuPlan *plan, const IrObject *object);

// --- cpu_range.c
typedef struct {
  int64_t first, last; // in the block
} CpuRanks;

#define CPU_MOST_EDGES 4

// Warps at which what is known about conditions changes, ascending.
typedef struct {
  uint32_t n_warps; // of the block
  uint32_t warps[CPU_MOST_EDGES];
  uint32_t count;
} CpuEdges;

// The condition has one value, known now, for all threads of these ranks.
bool cpu_known_condition(const IrNode *node, CpuRanks ranks, bool *value);
void cpu_add_edges(const IrNode *condition, CpuEdges *edges);
// The same for threads of these ranks being members of a group node's group.
bool cpu_known_member(const IrNode *node, CpuRanks ranks, bool *value);
void cpu_add_member_edges(const IrNode *node, CpuEdges *edges);

// --- cpu_strand.c
bool cpu_plan_strands(CpuPlan *plan, const char **why);
bool cpu_is_kept_sync(const IrNode *node);

// --- cpu_group.c: see Note [Groups by kind]
// A sync of the group is one of several strands.
bool cpu_needs_barrier(const CpuPlan *plan, const IrGroup *group);
// Number of a group that copies bytes together.
uint32_t cpu_copy_group(const CpuPlan *plan, const IrGroup *group);
// All threads of a strand are in the same part of the group, or in none.
bool cpu_group_keeps_strands(const CpuPlan *plan, const IrGroup *group);
// Wherever the group can be used, a strand's active lanes are in one part.
bool cpu_is_one_part(const CpuPlan *plan, const IrGroup *group);
// n if lane L has rank L % n in every part (a power of two up to 32), else 0.
// All parts have n threads if *is_even.
uint32_t cpu_lane_pattern(const CpuPlan *plan, const IrGroup *group,
                          bool *is_even);
// rank % size and rank / size.
void cpu_split_shapes(CpuShape rank, int64_t size, CpuShape *inner,
                      CpuShape *part);
CpuShape cpu_rank_shape(const CpuPlan *plan, const IrGroup *group);
CpuShape cpu_part_shape(const CpuPlan *plan, const IrGroup *group);
CpuShape cpu_size_shape(const CpuPlan *plan, const IrGroup *group);
CpuShape cpu_parts_shape(const CpuPlan *plan, const IrGroup *group);
CpuShape cpu_instance_shape(const CpuPlan *plan, const IrGroup *group);
// `value` is the shape of the leaf that is moved or combined.
CpuShape cpu_collective_shape(const CpuPlan *plan, const IrNode *node,
                              CpuShape value);

// A collective that gives a value: shuffles, votes, reductions, scans.
static inline bool cpu_is_value_collective(const IrNode *node) {
  IrFamily family = ir_family(node);
  return family == FAMILY_EXCHANGE || family == FAMILY_REDUCE;
}

static inline bool cpu_is_scattered_maker(const IrNode *node) {
  return node->op == IR_MAKE_GROUP && code_is_lane_set(node->u.group.group);
}

// The group of a node that has one.
static inline IrGroup *cpu_node_group(const IrNode *node) {
  switch (ir_op_info(node)->form) {
  case FORM_GROUP: return node->u.group.group;
  case FORM_COLLECTIVE: return node->u.collective.group;
  case FORM_COPY: return node->u.copy.group;
  case FORM_PART: return node->u.part.group;
  case FORM_TILE:
  case FORM_SECTION:
  case FORM_PLAIN:
  case FORM_CONST:
  case FORM_VAR:
  case FORM_INDEX:
  case FORM_ACCESS:
  case FORM_TEXT:
  case FORM_LOOP:
  case FORM_EXIT:
  case FORM_BARRIER: break;
  }
  return NULL;
}

// --- cpu_flow.c
bool cpu_plan_flow(CpuPlan *plan, const char **why);
// The variable must keep its value for lanes that skip or left `node`.
bool cpu_is_live_after(const CpuPlan *plan, const IrNode *node, uint32_t var);
bool cpu_is_live_at_turn(const CpuPlan *plan, const IrNode *node, uint32_t var);
// Index of the var in flow->vars, its first leaf there in *leaf; -1: none.
int32_t cpu_flow_find(const CpuPlan *plan, const CpuFlow *flow, uint32_t var,
                      uint32_t *leaf);
// Lanes that left `node` (or a turn of it) early need copies of the variable.
bool cpu_needs_copy(const CpuPlan *plan, const IrNode *node, uint32_t index,
                    bool is_turn);

// --- cpu_plan.c
// Operations inside; calls and memory accesses count as many.
uint32_t cpu_region_cost(const CpuPlan *plan, const IrRegion *region);
// A node in the region assigns the variable.
bool cpu_region_assigns(const CpuPlan *plan, const IrRegion *region,
                        uint32_t var);

// --- cpu_layout.c
// Distance of neighbours: mbarriers are records of the runtime.
uint32_t cpu_element_bytes(const IrObject *object);
bool cpu_plan_layout(CpuPlan *plan, const char **why);

static inline CpuShape cpu_node_shape(const CpuPlan *plan, const IrNode *node) {
  return plan->shapes[plan->node_leaf[node->id]];
}

static inline CpuFlow *cpu_flow(const CpuPlan *plan, const IrNode *node) {
  return plan->flows[node->id];
}

// --- cpu_branch.c
// Whether the thread goes into the first branch of an `if`; false: not known.
bool cpu_branch_is_taken(const CpuPlan *plan, const IrNode *branch,
                         uint32_t rank, bool *is_taken);
// Something outside of the region arrives, or copies, on the barrier.
bool cpu_is_signalled_outside(const CpuPlan *plan, const IrObject *barrier,
                              const IrRegion *region);

#endif
