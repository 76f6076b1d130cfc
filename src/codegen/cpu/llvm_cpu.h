// SPDX-License-Identifier: Apache-2.0
// Emission of one kernel as LLVM IR; the parts of llvm_cpu_*.c meet here.
//
// Where control is, at least one lane of `mask` is active: bodies that not all
// lanes enter are skipped by a branch when none does, unless they are short
// and only compute. So scalar loads and stores need no test. Values in lanes
// that aren't active are unspecified but harmless.
//
// A variable has up to three slots (one a shape kind); `env` says which one
// holds its value here, and the plan which one at loop heads and joins.
#ifndef HD_CODEGEN_CPU_LLVM_CPU_H
#define HD_CODEGEN_CPU_LLVM_CPU_H

#include "abi/cpu.h"
#include "codegen/cpu/cpu_plan.h"
#include "codegen/llvm_arith.h"
#include "codegen/llvm_target.h"
#include <llvm-c/Core.h>

// A scalar of the source in all lanes.
typedef struct {
  CpuShape shape;
  IrType type;
  LLVMValueRef v; // UNIFORM: scalar. AFFINE: base in lane 0 as i64 (pointer:
                  // ptr). VARYING: vector.
  LLVMValueRef base, row; // VARYING: of its form, i64; row: NULL, none
} CpuLeaf;

static inline CpuLeaf cpu_leaf_of(CpuShape shape, IrType type, LLVMValueRef v) {
  return (CpuLeaf){.shape = shape, .type = type, .v = v};
}

// Where a path goes that has no lane left: others may wait there.
typedef struct CpuSkip {
  LLVMBasicBlockRef block;
  LLVMValueRef slot; // mask of those that arrive, to be zeroed; or NULL
} CpuSkip;

// A row that was stored to shared memory: see llvm_cpu_forward.c.
#define CPU_MOST_ROWS 64

typedef struct {
  const IrObject *object;
  int64_t offset_bytes, bytes;
  LLVMValueRef v;
  LLVMValueRef store; // the instruction, NULL: something may have loaded it
} CpuRow;

// Where exits to a node go.
typedef struct {
  LLVMBasicBlockRef after, latch;
  LLVMValueRef entry_mask;
  LLVMValueRef exited, turned;        // mask slots of those that wait there
  LLVMValueRef after_mask, turn_mask; // mask slots, NULL: the entry mask
  LLVMValueRef *exit_copies, *turn_copies; // vector slots by leaf, or NULL
} CpuTarget;

typedef struct CpuEmit {
  Arena *arena;
  const CpuPlan *plan;
  const IrModule *module;
  const IrKernel *kernel;
  const LlvmTarget *target;
  uint32_t lanes;
  LLVMContextRef cx;
  LLVMModuleRef llvm;
  LLVMBuilderRef b;     // where code goes
  LLVMBuilderRef hoist; // end of the entry block: allocas, argument loads
  LLVMTypeRef i1, i8, i16, i32, i64, f16, f32, f64, ptr, none, mask_type;
  LLVMValueRef lane_ids; // <0, 1, 2, …> of i32

  // The function being emitted.
  LLVMValueRef function;
  LLVMValueRef launch, block;
  LLVMValueRef index[3];   // block index, i32
  LLVMValueRef linear;     // its linear number, i64
  LLVMValueRef warp_rank;  // i64: block rank of lane 0
  LLVMValueRef first_lane; // i32: first lane of the strand; NULL: 0
  LLVMValueRef n_active;   // i32: lanes of the strand
  LLVMValueRef grid[3];
  LLVMValueRef services;
  LLVMValueRef *slots;       // argument slots, loaded; by slot number
  LLVMValueRef *object_base; // by object id
  LLVMValueRef *line_masks;  // by object id: see llvm_cpu_stream.c
  uint8_t *written;          // by row of the array table; 0: it isn't known, 1:
                             // the kernel writes nothing to it, 2: it may
  LLVMValueRef *global_base; // by global object id
  LLVMValueRef *privates;    // by object id
  LLVMValueRef yield_counter;
  LLVMValueRef matrix_now; // slot of i32: how matrix registers are configured;
                           // or NULL, they aren't used
  LLVMValueRef
      has_written; // slot of i64, 1: since the last suspension; or NULL

  // State along the walk.
  LLVMValueRef mask; // NULL: all lanes
  // Lanes that --sanitize lets make the access that is being emitted, all or
  // none of them (i1) where its address is uniform. NULL: all lanes
  LLVMValueRef inside;
  bool is_inside_uniform;
  // Of the loop around, i1: its reads of shared memory are told. Or NULL
  LLVMValueRef told_turns;
  bool is_ahead; // values before they are due: what is wrong is told then
  CpuSkip *skip;
  CpuShape *env;
  CpuLeaf *values; // by leaf of nodes
  LLVMValueRef (*var_slots)[CPU_VARYING + 1];
  CpuTarget **targets;                 // by node id
  CpuLeaf *ranks, *counts, *instances; // by group id
  const IrNode *node;                  // being emitted
  uint32_t n_repeats;                  // nodes around that are emitted twice

  CpuRow rows[CPU_MOST_ROWS]; // known in registers
  uint32_t n_rows;

  // Phases: arrays by warp of what is kept from run to run.
  LLVMValueRef warp_index; // i64
  CpuRanks warp_ranks;     // of the warps that the code is for
  LLVMValueRef (*kept_vars)[CPU_VARYING + 1]; // by leaf of variables
  LLVMValueRef *kept_values;                  // by leaf of nodes
  LLVMValueRef (*kept_forms)[2];              // likewise: base and row
  LLVMValueRef *kept_arrays;                  // by object id
  uint32_t phased_depth;                      // loops around, in phases

  // Coroutines.
  bool is_coroutine;
  LLVMValueRef frame, strand_index;
  LLVMBasicBlockRef suspend_block;

  // Places that the runtime may name, in the order of HdCpuKernel.locs.
  uint32_t *loc_number; // by IrLocId, 0: not used yet
  hd_vec(IrLocId) locs;

  // Places that access memory, in the order of HdCpuKernel.sites.
  uint32_t *site_number; // by node id, 0: not used yet
  hd_vec(const IrNode *) sites;
  // Clauses of thread loops, in the order of HdCpuKernel.clauses.
  hd_vec(const IrNode *) clauses;

  // Metadata.
  LLVMValueRef *scopes, *no_scopes; // alias scopes by object id
  unsigned md_scope, md_noalias, md_invariant;
  LLVMMetadataRef md_empty;
} CpuEmit;

#define CPU_NAME ""

// --- llvm_cpu_values.c
LLVMTypeRef cpu_scalar_type(const CpuEmit *e, IrType type);
LLVMTypeRef cpu_vector_type(const CpuEmit *e, IrType type);
LLVMTypeRef cpu_vector_of(const CpuEmit *e, LLVMTypeRef scalar);
LLVMValueRef cpu_i32(const CpuEmit *e, int64_t value);
LLVMValueRef cpu_i64(const CpuEmit *e, int64_t value);
LLVMValueRef cpu_splat(CpuEmit *e, LLVMValueRef scalar);
LLVMValueRef cpu_const_splat(const CpuEmit *e, LLVMValueRef scalar);
// The constant part of an affine value, as a vector of `type`.
LLVMValueRef cpu_affine_offsets(const CpuEmit *e, LLVMTypeRef type,
                                CpuShape shape);
CpuLeaf cpu_leaf(CpuEmit *e, const IrNode *node, uint32_t index);
// As a vector (lanes == 1: a scalar) of its type.
LLVMValueRef cpu_as_vector(CpuEmit *e, CpuLeaf leaf);
LLVMValueRef cpu_vector_arg(CpuEmit *e, const IrNode *node, uint32_t arg);
// A uniform or affine integer's base as i64, exact where the value is.
LLVMValueRef cpu_base(CpuEmit *e, CpuLeaf leaf);
LLVMValueRef cpu_scalar_arg(CpuEmit *e, const IrNode *node, uint32_t arg);
CpuLeaf cpu_convert(CpuEmit *e, CpuLeaf leaf, CpuShape shape);
// The value in one lane (i32).
LLVMValueRef cpu_at_lane(CpuEmit *e, CpuLeaf leaf, LLVMValueRef lane);
void cpu_set_value(CpuEmit *e, const IrNode *node, uint32_t index,
                   LLVMValueRef value);
// The form of a VARYING value that was set.
void cpu_set_form(CpuEmit *e, const IrNode *node, LLVMValueRef base,
                  LLVMValueRef row);
// The low bits of an i64 as a number of its own.
LLVMValueRef cpu_cut(CpuEmit *e, LLVMValueRef v, uint32_t bits, bool is_signed);
LLVMValueRef cpu_alloca(CpuEmit *e, LLVMTypeRef type);
LLVMTypeRef cpu_slot_type(const CpuEmit *e, IrType type, uint8_t kind);
LLVMValueRef cpu_load_slot(CpuEmit *e, LLVMTypeRef type, LLVMValueRef slot);
void cpu_store_var(CpuEmit *e, uint32_t leaf, CpuLeaf value);
CpuLeaf cpu_load_var(CpuEmit *e, uint32_t leaf, IrType type);
LLVMValueRef cpu_intrinsic(CpuEmit *e, const char *name,
                           const LLVMTypeRef *overloads, unsigned n_overloads,
                           LLVMValueRef *args, unsigned n_args);
LLVMBasicBlockRef cpu_new_block(CpuEmit *e, const char *name);
void cpu_begin_block(CpuEmit *e, LLVMBasicBlockRef block);

// --- llvm_cpu_mask.c
LLVMValueRef cpu_full_mask(const CpuEmit *e);
LLVMValueRef cpu_no_mask(const CpuEmit *e);
LLVMValueRef cpu_mask(const CpuEmit *e);
// Of masks that are NULL for no lane.
LLVMValueRef cpu_mask_or_none(CpuEmit *e, LLVMValueRef a, LLVMValueRef b);
// Lanes of `mask` (NULL: all) that aren't in `bad` (NULL: none).
LLVMValueRef cpu_mask_without(CpuEmit *e, LLVMValueRef mask, LLVMValueRef bad);
// Of masks that are NULL for all lanes; `b` says something in lanes of `a`.
LLVMValueRef cpu_mask_and(CpuEmit *e, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef cpu_mask_bits(CpuEmit *e, LLVMValueRef mask); // i32
LLVMValueRef cpu_any(CpuEmit *e, LLVMValueRef mask);       // i1
LLVMValueRef cpu_first_active(CpuEmit *e);                 // lane, i32
// n where the mask is known to be the first n lanes, a power of two; else 0.
uint32_t cpu_first_lanes(LLVMValueRef mask);
LLVMValueRef cpu_select(CpuEmit *e, LLVMValueRef mask, LLVMValueRef yes,
                        LLVMValueRef no);

// Runs what is emitted between begin and end once for each active lane, in
// order; `lane` is its number. Lanes may be spilled before: cpu_spill.
typedef struct {
  LLVMValueRef lane; // i32
  LLVMValueRef bits_slot;
  LLVMBasicBlockRef head, end;
} CpuLaneLoop;

CpuLaneLoop cpu_lanes_begin(CpuEmit *e, LLVMValueRef mask);
void cpu_lanes_end(CpuEmit *e, CpuLaneLoop *loop);

typedef struct {
  CpuLeaf leaf;
  LLVMValueRef memory; // NULL: not spilled
} CpuSpill;

CpuSpill cpu_spill(CpuEmit *e, CpuLeaf leaf);
LLVMValueRef cpu_spilled_at(CpuEmit *e, const CpuSpill *spill,
                            LLVMValueRef lane);

// --- llvm_cpu_control.c
// True if control can be behind it.
bool cpu_emit_node(CpuEmit *e, const IrNode *node);
// True if control can be behind the region's last node.
bool cpu_emit_region(CpuEmit *e, const IrRegion *region);
void cpu_edge_after(CpuEmit *e, const IrNode *node);
void cpu_edge_turn(CpuEmit *e, const IrNode *node);
void cpu_enter_after(CpuEmit *e, const IrNode *node);
CpuTarget *cpu_target_new(CpuEmit *e, const IrNode *node);
// Lanes of `mask` leave `node` (or end its turn) and wait there.
void cpu_leave(CpuEmit *e, const IrNode *node, LLVMValueRef mask, bool is_turn);
void cpu_emit_if(CpuEmit *e, const IrNode *node, bool *goes_on);
// The one branch (or none) that all threads of these warps take.
bool cpu_emit_known(CpuEmit *e, const IrNode *node, uint32_t region);
void cpu_emit_exit(CpuEmit *e, const IrNode *node);
void cpu_emit_block(CpuEmit *e, const IrNode *node, bool *goes_on);
// Runs the body for lanes in `member` (i1, or a vector if it diverges).
void cpu_emit_members(CpuEmit *e, const IrNode *node, LLVMValueRef member);

// The region's nodes from one on (NULL: none).
bool cpu_emit_from(CpuEmit *e, const IrNode *node);

// --- llvm_cpu_full.c: see Note [Code for all lanes]
// A scalar test can tell that a condition is `wanted` in all lanes.
bool cpu_can_tell(const CpuEmit *e, const IrNode *node, bool wanted);
LLVMValueRef cpu_tell(CpuEmit *e, const IrNode *node, bool wanted);
// What cpu_tell says is exact: if not all lanes are as wanted, some lane isn't.
bool cpu_tells_exactly(const CpuEmit *e, const IrNode *node);
bool cpu_can_tell_count(CpuLeaf now, CpuLeaf bound, LLVMIntPredicate goes_on);
// The same of a count that is `ahead` further.
LLVMValueRef cpu_tell_count(CpuEmit *e, CpuLeaf now, int64_t ahead,
                            CpuLeaf bound, LLVMIntPredicate goes_on);
// Code for the region may be emitted twice here.
bool cpu_may_repeat(const CpuEmit *e, const IrRegion *region);
const IrNode *cpu_leading_exit(const CpuEmit *e, const IrNode *loop);

// --- llvm_cpu_loop.c
void cpu_emit_loop(CpuEmit *e, const IrNode *node, bool *goes_on);
void cpu_emit_for(CpuEmit *e, const IrNode *node);
void cpu_emit_strided(CpuEmit *e, const IrNode *node);

// --- llvm_cpu_group.c
void cpu_emit_group(CpuEmit *e, const IrNode *node);
void cpu_emit_thread_for(CpuEmit *e, const IrNode *node, bool *goes_on);
void cpu_emit_position(CpuEmit *e, const IrNode *node);
void cpu_begin_groups(CpuEmit *e);
bool cpu_emit_with(CpuEmit *e, const IrNode *node);
// A leaf of the planned shape from its parts: `base` as i64, `vector` as i32.
CpuLeaf cpu_position_leaf(CpuEmit *e, CpuShape shape, LLVMValueRef base,
                          LLVMValueRef vector);
// rank / size or rank % size of a planned shape.
CpuLeaf cpu_part_of(CpuEmit *e, CpuLeaf rank, int64_t size, CpuShape shape,
                    bool is_quotient);

// Of the block; a cluster of one block outside coroutines.
LLVMValueRef cpu_cluster_rank(CpuEmit *e);
LLVMValueRef cpu_cluster_size(CpuEmit *e);  // blocks
LLVMValueRef cpu_cluster_count(CpuEmit *e); // clusters of the grid

// --- llvm_cpu_team.c: see Note [Groups by kind]
CpuLeaf cpu_group_rank(CpuEmit *e, const IrGroup *group);
CpuLeaf cpu_group_part(CpuEmit *e, const IrGroup *group);     // meta_rank
CpuLeaf cpu_group_threads(CpuEmit *e, const IrGroup *group);  // size
CpuLeaf cpu_group_parts_of(CpuEmit *e, const IrGroup *group); // meta_size
CpuLeaf cpu_group_instance(CpuEmit *e, const IrGroup *group);
// Of a scattered group: the lanes of each lane's part, a vector of i32 (lanes
// == 1: all that came, by their ranks in the warp).
LLVMValueRef cpu_part_mask(CpuEmit *e, const IrGroup *group);
// The same of any group inside a warp.
LLVMValueRef cpu_own_lanes(CpuEmit *e, const IrGroup *group);
void cpu_emit_make_group(CpuEmit *e, const IrNode *node);
// The lane of the part's thread of rank `rank` (vectors of i32); any lane for
// ranks that the part doesn't have.
LLVMValueRef cpu_lane_of_rank(CpuEmit *e, const IrGroup *group,
                              LLVMValueRef rank);
// Lane numbers of the warp as a vector; lanes == 1: the lane of this thread.
LLVMValueRef cpu_lane_numbers(CpuEmit *e);

// --- llvm_cpu_present.c
// The node is the mask of the warp's lanes that are in its coalesced group.
bool cpu_is_lanes_here(const CpuEmit *e, const IrNode *node);
LLVMValueRef cpu_lanes_here(CpuEmit *e, const IrGroup *here);

typedef struct {
  const IrNode *lane;     // from 0 to 31
  const IrNode *is_there; // else the own value is kept
} CpuPresent;

// Whether a shuffle is one of the warp's lanes that are present.
bool cpu_find_present(const CpuEmit *e, const IrNode *shuffle, CpuPresent *out);

// --- llvm_cpu_permute.c
// Element indices[l] of `v` in every lane l.
LLVMValueRef cpu_permute(CpuEmit *e, LLVMValueRef v, LLVMValueRef indices);
LLVMValueRef cpu_shuffle(CpuEmit *e, LLVMValueRef v, const int *indices);
// The vector of lanes first … first + n - 1.
LLVMValueRef cpu_slice(CpuEmit *e, LLVMValueRef v, uint32_t first, uint32_t n);

// --- llvm_cpu_collective.c, llvm_cpu_reduce.c
void cpu_emit_exchange(CpuEmit *e, const IrNode *node);
void cpu_emit_reduction(CpuEmit *e, const IrNode *node);
void cpu_emit_reduce(CpuEmit *e, const IrNode *node);
void cpu_emit_scan(CpuEmit *e, const IrNode *node);
// left op right, for the lanes of `lanes` (NULL: all that are active).
LLVMValueRef cpu_combine(CpuEmit *e, IrRmw combine, IrType type,
                         LLVMValueRef left, LLVMValueRef right);

// --- llvm_cpu_node.c: one node that is no control
void cpu_emit_value(CpuEmit *e, const IrNode *node);

// --- llvm_cpu_arith.c
void cpu_emit_arith(CpuEmit *e, const IrNode *node);
// IEEE 754 minimumNumber, maximumNumber.
LLVMValueRef cpu_extreme(CpuEmit *e, bool is_min, LLVMValueRef a,
                         LLVMValueRef b);
void cpu_emit_compare(CpuEmit *e, const IrNode *node);

// --- llvm_cpu_dot.c
// The value of dot4, dot2, fdot2 of these operands; NULL: it is another
// operation, or this machine has no instruction for it.
LLVMValueRef cpu_dot(CpuEmit *e, const IrNode *node, LLVMValueRef *x);

// --- llvm_cpu_matrix.c
// A loop that matrix registers run at once, with all that is in it. False: it
// isn't one, or this machine has none; nothing was emitted.
bool cpu_emit_matrix(CpuEmit *e, const IrNode *node);
// The function ends here.
void cpu_end_matrix(CpuEmit *e);

// --- llvm_cpu_divide.c
LLVMValueRef cpu_emit_divide(CpuEmit *e, const IrNode *node);

// --- llvm_cpu_convert.c
LLVMValueRef cpu_to_f32(CpuEmit *e, IrTypeKind kind, LLVMValueRef v);
LLVMValueRef cpu_from_f32(CpuEmit *e, IrTypeKind kind, LLVMValueRef v);
LLVMValueRef cpu_from_f64(CpuEmit *e, IrTypeKind kind, LLVMValueRef v);
void cpu_emit_convert(CpuEmit *e, const IrNode *node);

// --- llvm_cpu_math.c, llvm_cpu_fast.c
void cpu_emit_math(CpuEmit *e, const IrNode *node);
LLVMValueRef cpu_emit_fast(CpuEmit *e, IrOp op, LLVMValueRef x, LLVMValueRef y);

// --- llvm_cpu_address.c
typedef struct {
  CpuShape shape;       // of the address in bytes
  LLVMValueRef base;    // ptr: of lane 0's, or of the uniform part
  LLVMValueRef offsets; // VARYING: in units; or NULL: `pointers` is set
  uint32_t unit_bytes;
  LLVMValueRef lane_bytes; // i64: `offsets` are lane * lane_bytes, or NULL
  // VARYING: rows at distances that only the launch knows, or NULL. Then lane
  // i is at rows.step * (i % period) + row_bytes * (i / period) from the base.
  LLVMValueRef row_bytes;
  CpuShape rows;
  // If not 0: rows begin at element wrapped_base + row_bytes * (i / period),
  // modulo 2^wrapped_bits, of wrapped_bytes each.
  uint32_t wrapped_bits;
  LLVMValueRef wrapped_base;
  int64_t wrapped_bytes;
  LLVMValueRef pointers; // VARYING through pointers: vector of ptr
  LLVMValueRef guard;    // NULL, i1 (uniform) or a mask
  bool is_guard_uniform;
  const IrObject *object;
  IrHint hint;
  uint32_t align_bytes;
  bool is_constant; // shared, at constant_offset from the object's start
  int64_t constant_offset;
} CpuAddress;

CpuAddress cpu_address(CpuEmit *e, const IrNode *node);
// Lanes of an address in rows; VARYING: there are none.
CpuShape cpu_rows(const CpuAddress *at);
// Where row `i` begins.
LLVMValueRef cpu_row(CpuEmit *e, const CpuAddress *at, uint32_t i,
                     uint32_t offset_bytes);
LLVMValueRef cpu_address_pointers(CpuEmit *e, const CpuAddress *at,
                                  uint32_t offset_bytes);
LLVMValueRef cpu_byte_offset(CpuEmit *e, LLVMValueRef pointer, int64_t bytes);
LLVMValueRef cpu_object_base(CpuEmit *e, const IrObject *object);
LLVMValueRef cpu_extent(CpuEmit *e, const IrObject *object, uint32_t dim);
LLVMValueRef cpu_stride(CpuEmit *e, const IrObject *object, uint32_t dim);
LLVMValueRef cpu_slot(CpuEmit *e, uint32_t slot);
// 64 bits of a table that a field of HdCpuLaunch leads to.
LLVMValueRef cpu_launch_word(CpuEmit *e, size_t field, size_t offset_bytes);
// A field of 32 bits of the launch itself.
LLVMValueRef cpu_launch_number(CpuEmit *e, size_t field);
void cpu_mark_access(CpuEmit *e, LLVMValueRef access, const IrObject *object);
// The object is the kernel's own, not one at file scope.
bool cpu_is_kernel_object(const CpuEmit *e, const IrObject *object);
LLVMTypeRef cpu_memory_type(const CpuEmit *e, IrType type);
LLVMValueRef cpu_to_memory(CpuEmit *e, IrType type, LLVMValueRef v);
LLVMValueRef cpu_from_memory(CpuEmit *e, IrType type, LLVMValueRef v);

// --- llvm_cpu_load.c, llvm_cpu_store.c, llvm_cpu_private.c
void cpu_emit_load(CpuEmit *e, const IrNode *node);
void cpu_emit_store(CpuEmit *e, const IrNode *node);
void cpu_emit_private(CpuEmit *e, const IrNode *node);
// Lanes whose pointer leads to so many bytes of variables of their own. NULL:
// none.
LLVMValueRef cpu_lanes_at_own(CpuEmit *e, LLVMValueRef pointers, int64_t bytes);
void cpu_note_write(CpuEmit *e);

// --- llvm_cpu_stream.c: see Note [Stores past the caches]
// Stores a whole vector of `bytes` at `first`.
void cpu_store_row(CpuEmit *e, const CpuAddress *at, LLVMValueRef v,
                   LLVMValueRef first, uint32_t bytes, unsigned align);
// Asks for the `bytes` of rows that warps will need soon after the one at
// `first`.
void cpu_prefetch_ahead(CpuEmit *e, LLVMValueRef first, uint32_t bytes);
// What went past the caches is seen by others before what follows.
void cpu_end_streams(CpuEmit *e);

// --- llvm_cpu_forward.c: see Note [Rows known in registers]
void cpu_forget_rows(CpuEmit *e);
// Something is stored somewhere in the object (NULL: anywhere).
void cpu_forget_object(CpuEmit *e, const IrObject *object);
// Something is loaded from somewhere in the object (NULL: anywhere).
void cpu_see_rows(CpuEmit *e, const IrObject *object);
// All lanes store neighbours: by the instruction `store`.
void cpu_remember_row(CpuEmit *e, const CpuAddress *at, uint32_t offset_bytes,
                      LLVMValueRef store, LLVMValueRef v,
                      uint32_t element_bytes);
// All lanes load neighbours; NULL if they aren't known.
LLVMValueRef cpu_load_known(CpuEmit *e, const CpuAddress *at,
                            uint32_t offset_bytes, LLVMTypeRef scalar,
                            uint32_t element_bytes, LLVMValueRef mask);
// One element, at a constant place.
LLVMValueRef cpu_load_known_scalar(CpuEmit *e, const CpuAddress *at,
                                   uint32_t offset_bytes, LLVMTypeRef scalar,
                                   uint32_t element_bytes);
// The block ends here: nobody will see what rows hold.
void cpu_drop_rows(CpuEmit *e);
// Lanes of `mask`, a constant, are stored at a constant place.
void cpu_remember_part(CpuEmit *e, const CpuAddress *at, uint32_t offset_bytes,
                       LLVMValueRef v, LLVMValueRef mask,
                       uint32_t element_bytes);

// --- llvm_cpu_atomic.c
void cpu_emit_atomic_load(CpuEmit *e, const IrNode *node);
void cpu_emit_atomic_store(CpuEmit *e, const IrNode *node);
void cpu_emit_rmw(CpuEmit *e, const IrNode *node);
void cpu_emit_fence(CpuEmit *e, const IrNode *node);
void cpu_emit_semaphore(CpuEmit *e, const IrNode *node);
// The value of the node is read somewhere.
bool cpu_is_used(const CpuEmit *e, const IrNode *node);

// --- llvm_cpu_reach.c: see Note [Quick tests of reach]
// Before an access: it stays in the memory that its plain pointer leads to.
void cpu_test_reach(CpuEmit *e, const IrNode *node);

// --- llvm_cpu_bounds.c: --sanitize and extents
// Both tell the runtime, and return which lanes of `mask` they told of; NULL:
// none can be outside.
// An index is outside of its extent.
LLVMValueRef cpu_check_indices(CpuEmit *e, const IrNode *node,
                               LLVMValueRef mask);
// Bytes of a thread's own variable are outside of it.
LLVMValueRef cpu_check_own_bytes(CpuEmit *e, const IrNode *node,
                                 LLVMValueRef mask);

// --- llvm_cpu_check.c: what --sanitize adds
// Which warp this is, and which of its lanes `mask` (NULL: those active) has.
typedef struct {
  LLVMValueRef warp, bits; // i32
} CpuTold;

CpuTold cpu_told_lanes(CpuEmit *e, LLVMValueRef mask);
// A vector (lanes == 1: a scalar) as an array of 32 elements in memory; of a
// strand of one lane all elements are that lane's.
LLVMValueRef cpu_spilled_lanes(CpuEmit *e, LLVMValueRef v, LLVMTypeRef scalar);
// Calls the service at this offset of HdCpuServices.
void cpu_tell_runtime(CpuEmit *e, size_t offset_bytes, LLVMTypeRef *types,
                      LLVMValueRef *args, uint32_t n);
LLVMValueRef cpu_ask_runtime(CpuEmit *e, LLVMTypeRef result,
                             size_t offset_bytes, LLVMTypeRef *types,
                             LLVMValueRef *args, uint32_t n);

// A row of all lanes, or several: how far its lanes, and they, are apart.
typedef struct {
  LLVMValueRef step, row_bytes; // i64
  uint32_t period_log2;
} CpuRows;

// False: it is neither.
bool cpu_told_rows(CpuEmit *e, const CpuAddress *at, CpuRows *rows);
// Leaves the lanes that may make the access in e->inside: what emits it takes
// them, then calls cpu_access_end.
void cpu_tell_access(CpuEmit *e, const IrNode *node);
void cpu_access_end(CpuEmit *e);

// --- llvm_cpu_check_group.c
void cpu_tell_sync(CpuEmit *e, const IrGroup *group);
// All threads of the block have met; told once, in phases.
void cpu_tell_block_sync(CpuEmit *e);
// Of a collective: the threads wait for each other, and learn nothing.
void cpu_tell_meeting(CpuEmit *e, const IrGroup *group);
// Of a split barrier.
void cpu_tell_half(CpuEmit *e, const IrGroup *group, bool is_arrival);
void cpu_tell_fence(CpuEmit *e, const IrNode *node);
void cpu_tell_value(CpuEmit *e, const IrNode *node);
void cpu_tell_claim(CpuEmit *e, const IrNode *node);
// Which thread of a block begins the part that each lane belongs to, or which
// lanes it has.
LLVMValueRef cpu_part_numbers(CpuEmit *e, const IrGroup *group);
// --- llvm_cpu_turns.c: of a loop whose variable has its first value
void cpu_tell_turns(CpuEmit *e, const IrNode *node);
void cpu_turns_end(CpuEmit *e);
// 0: they aren't known, or very many.
uint32_t cpu_constant_turns(const IrNode *node);
// --- llvm_cpu_overflow.c: before the operation
void cpu_tell_overflow(CpuEmit *e, const IrNode *node);

// --- llvm_cpu_check_table.c: the tables of HdCpuKernel
LLVMValueRef cpu_site_table(CpuEmit *e);
LLVMValueRef cpu_array_table(CpuEmit *e, uint32_t *count);
int32_t cpu_array_row(const CpuEmit *e, const IrObject *object); // row, or -1
// Number of the node's place in HdCpuKernel.sites.
LLVMValueRef cpu_site(CpuEmit *e, const IrNode *node);
// The lane's tcgen05_commit is about to arrive on the barrier.
void cpu_tell_tensor(CpuEmit *e, const IrNode *node, LLVMValueRef barrier,
                     LLVMValueRef lane);
// By any node of the kernel.
bool cpu_is_never_written(CpuEmit *e, const IrObject *object);
LLVMValueRef cpu_constant_table(CpuEmit *e, LLVMValueRef value);

// --- llvm_cpu_clause.c
void cpu_find_clauses(CpuEmit *e); // of a kernel with checks
// Bits by number of the loops with clauses that the node is in.
uint32_t cpu_clause_loops(const CpuEmit *e, const IrNode *node);
void cpu_tell_clause(CpuEmit *e, const IrNode *node);
LLVMValueRef cpu_clause_table(CpuEmit *e);

// --- llvm_cpu_effect.c
void cpu_emit_effect(CpuEmit *e, const IrNode *node);
void cpu_emit_assume(CpuEmit *e, const IrNode *node);
// Stops the launch if an active lane of `mask` (lanes == 1: i1) is set.
void cpu_fault_where(CpuEmit *e, const IrNode *node, LLVMValueRef mask,
                     const char *text);
// The same for one lane.
void cpu_fault_if(CpuEmit *e, const IrNode *node, LLVMValueRef condition,
                  LLVMValueRef lane, const char *text);
// Block rank of lane 0, i32.
LLVMValueRef cpu_first_thread(CpuEmit *e);
LLVMValueRef cpu_text(CpuEmit *e, const char *text);
// Number of a place in HdCpuKernel.locs.
uint32_t cpu_loc(CpuEmit *e, IrLocId loc);
LLVMValueRef cpu_service(CpuEmit *e, uint32_t number);
LLVMValueRef cpu_field(CpuEmit *e, LLVMTypeRef type, LLVMValueRef record,
                       size_t offset_bytes);
void cpu_set_field(CpuEmit *e, LLVMValueRef value, LLVMValueRef record,
                   size_t offset_bytes);

// --- llvm_cpu_coro.c
void cpu_coro_begin(CpuEmit *e);
void cpu_coro_end(CpuEmit *e);
// Tells the scheduler that `by` more things have happened.
void cpu_count_progress(CpuEmit *e, LLVMValueRef by);

// What a strand waits for, see HdCpuWait; NULL fields are empty.
typedef struct {
  int64_t kind;
  LLVMValueRef word, object, value, row;
} CpuWaitFor;

// Suspends until that has happened.
void cpu_coro_wait(CpuEmit *e, const CpuWaitFor *wait, IrLocId loc);
void cpu_coro_yield(CpuEmit *e, const IrNode *loop);
// Where lanes run apart: other threads may come before what the node does.
void cpu_coro_turn(CpuEmit *e, const IrNode *node);

// --- llvm_cpu_barrier.c
void cpu_emit_barrier(CpuEmit *e, const IrNode *node); // sync, arrive, wait
// The group meets here, if it is in several strands.
// is_own: for the compiler's own purposes.
void cpu_sync_group(CpuEmit *e, const IrGroup *group, IrLocId loc, bool is_own);

// The barrier row of the group's part that this strand is in.
LLVMValueRef cpu_barrier_row(CpuEmit *e, const IrGroup *group);
// Threads that meet there.
LLVMValueRef cpu_barrier_threads(CpuEmit *e, const IrGroup *group);

// --- llvm_cpu_mbarrier.c
void cpu_emit_mbarrier(CpuEmit *e, const IrNode *node);
// The element at the operands from `first` on, in one lane.
LLVMValueRef cpu_mbarrier_at(CpuEmit *e, const IrObject *object,
                             const CpuSpill *indices, LLVMValueRef lane);
// The bytes from an object's first instance to the lane's.
LLVMValueRef cpu_instance_offset(CpuEmit *e, const IrObject *object,
                                 LLVMValueRef lane);
// Bits of active lanes (NULL: all), and one lane, by number in the warp.
LLVMValueRef cpu_lane_bits(CpuEmit *e, LLVMValueRef mask);
LLVMValueRef cpu_lane_number(CpuEmit *e, LLVMValueRef lane);
LLVMValueRef cpu_warp_thread(CpuEmit *e); // block rank of the warp's lane 0
// Lanes that have rank 0 in the group: one speaks for all.
LLVMValueRef cpu_leading_lanes(CpuEmit *e, const IrGroup *group);
LLVMValueRef cpu_call_service(CpuEmit *e, size_t offset_bytes,
                              LLVMTypeRef result, LLVMValueRef *args,
                              unsigned n_args);

// --- llvm_cpu_copy.c
void cpu_emit_copy(CpuEmit *e, const IrNode *node);
void cpu_emit_cluster(CpuEmit *e, const IrNode *node); // map_shared and back

// --- llvm_cpu_phase.c
// The kernel's body for a whole block: see Note [Phases].
void cpu_emit_phases(CpuEmit *e);

// --- llvm_cpu_record.c
// Private arrays above it come from the runtime, others lie on the stack or
// in the frame.
#define CPU_STACK_LIMIT_BYTES (256 * 1024)
// One of run_range and start is NULL.
void cpu_emit_record(CpuEmit *e, LLVMValueRef run_range, LLVMValueRef start,
                     LLVMValueRef strands);

// --- llvm_cpu_range.c: the loop over a range of blocks
typedef struct {
  LLVMValueRef linear;   // slot: position in the order of blocks, i64
  LLVMValueRef index[3]; // slots of i32
  LLVMValueRef low_y, high_y, slab_height; // see Note [Order of blocks]
  LLVMBasicBlockRef header, end;
} CpuRange;

CpuRange cpu_range_begin(CpuEmit *e);
void cpu_range_enter(CpuEmit *e, CpuRange *range);
void cpu_range_end(CpuEmit *e, CpuRange *range);

// --- llvm_cpu_kernel.c
// See Note [Counters that LLVM does not see through].
LLVMValueRef cpu_hide_count(CpuEmit *e, LLVMValueRef count, uint64_t end);
LLVMValueRef cpu_private_array(CpuEmit *e, uint64_t bytes);
// A loop over the warps of the block: first those with all lanes, then the
// ragged one. `body` is called once for each kind.
void cpu_each_warp(CpuEmit *e, void (*body)(CpuEmit *e, void *context),
                   void *context);
// The same for warps [first, last).
void cpu_some_warps(CpuEmit *e, uint32_t first, uint32_t last,
                    void (*body)(CpuEmit *e, void *context), void *context);
// Fills `module`. False: *why.
bool cpu_emit_kernel(Arena *arena, const CpuPlan *plan,
                     const LlvmTarget *target, LLVMContextRef cx,
                     LLVMModuleRef module, const char **why);

#endif
