// SPDX-License-Identifier: Apache-2.0
// Emission of one kernel as LLVM IR for NVPTX; the parts of llvm_nvptx_*.c
// meet here.
//
// A thread of the program is a thread of the GPU: regions become blocks,
// variables become allocas that LLVM promotes, and groups become predicates on
// ranks, member masks and barriers. Values of short vectors and structs are
// rows of scalar leaves, as they lie in memory.
//
//   llvm_nvptx.c              the stages: plan, emit, optimise, print
//   nvptx_plan.c              leaves, the layout of shared memory
//   nvptx_sync_plan.c …       what barriers and copies need
//   nvptx_turns.c             loops that are repeated whole
//   nvptx_header.c            the lines that a launch reads
//   llvm_nvptx_kernel.c       entry, parameters, shared memory, end
//   llvm_nvptx_lines.c        places in the program, for tools
//   llvm_nvptx_node.c         dispatch; values that are moved as they are
//   llvm_nvptx_arith.c …      arithmetic, conversions, mathematics
//   llvm_nvptx_address.c      arguments, bases of objects, addresses
//   llvm_nvptx_swizzle.c      places in swizzled arrays
//   llvm_nvptx_library.c      src/devicemath, linked into the kernel
//   llvm_nvptx_access.c …     loads, stores, hints, atomics
//   llvm_nvptx_control.c      if, loops, exits
//   llvm_nvptx_part.c         group statements, thread loops
//   nvptx_lanes.c             masks of coalesced threads, as IR
//   nvptx_meet.c              how groups meet; barriers, scratch
//   llvm_nvptx_group.c        ranks, sizes, member masks of groups
//   llvm_nvptx_team.c         who is together; words from lane to lane
//   llvm_nvptx_collective.c   shuffles, votes, matches
//   llvm_nvptx_reduce.c …     reductions and scans: within a warp, of whole
//                             warps, slowly, over blocks
//   llvm_nvptx_barrier.c      sync, arrive and wait of groups, cluster and grid
//   llvm_nvptx_mbarrier.c     mbarriers, semaphores, fences
//   llvm_nvptx_copy.c …       cp.async, tensor copies, clusters
//   llvm_nvptx_unit.c         wgmma
#ifndef HD_CODEGEN_NVPTX_LLVM_NVPTX_H
#define HD_CODEGEN_NVPTX_LLVM_NVPTX_H

#include "abi/cuda.h"
#include "base/vec.h"
#include "codegen/code_ops.h"
#include "codegen/code_parts.h"
#include "codegen/code_shared.h"
#include "codegen/llvm_arith.h"
#include "ir/analyses/analysis.h"
#include "ir/form/swizzle.h"
#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>

#define NV_WARP 32
#define NV_NAME ""

// LLVM's numbers of PTX's state spaces.
enum {
  NV_SPACE_GENERIC = 0,
  NV_SPACE_GLOBAL = 1,
  NV_SPACE_SHARED = 3,
  NV_SPACE_CONSTANT = 4,
  NV_SPACE_LOCAL = 5,
  NV_SPACE_CLUSTER = 7, // shared memory of any block of the cluster
};

// How the threads of a group meet: see the table in nvptx_meet.c.
typedef enum {
  NV_MEET_NONE,  // one thread
  NV_MEET_WARP,  // threads of one warp: a member mask
  NV_MEET_NAMED, // whole warps: hardware barrier `barrier`, `n_threads`
  NV_MEET_BLOCK, // hardware barrier 0
  NV_MEET_ARRAY, // an mbarrier in shared memory, for all other parts of blocks
  NV_MEET_CLUSTER,
  NV_MEET_GRID,
} NvMeet;

// What is decided about a group row before emission.
typedef struct {
  NvMeet meet;
  uint32_t barrier;      // NAMED: first id; instance i has barrier + i
  uint32_t n_threads;    // NAMED; 0: the size, in whole warps
  uint32_t n_instances;  // in a block
  uint32_t most_parts;   // of one part of the parent
  uint32_t most_threads; // of a part
  bool in_warp;          // each part lies within a warp
  bool is_moving;        // its parts are other threads at each use
  bool is_even;          // all parts have the same number of threads
  bool needs_parts;      // meta_rank or meta_size is asked for
  uint32_t tile;       // all parts are tiles of so many threads of warps, or 0
  uint32_t n_warps;    // all parts are of at most so many whole warps, or 0
  uint32_t warp_align; // their first warps are multiples of it
  // See Note [Scratch of groups]: of one buffer, and elements of a word in it.
  uint64_t scratch_offset;
  uint32_t scratch_bytes, scratch_units;
  uint32_t first_warp_unit; // values of warps lie behind those of threads
  // Where its parts meet otherwise: see Note [Words of barriers].
  bool has_words;
  uint32_t n_words, word_threads;  // threads of a part; 0: counters
  uint32_t word_shift, word_sizes; // where parts move
  bool has_rest_words;             // sizes that are no power of two apart
  uint64_t word_offset;
} NvGroupPlan;

// Of counted mbarriers that threads leave: where the next phase's count begins.
enum { NV_NEXT_COUNT_SHIFT = 42 };

// What is decided about the elements of an mbarrier array.
typedef struct {
  bool is_counted;  // see Note [Counted mbarriers]
  bool is_dropped;  // threads leave it
  bool is_released; // see Note [Arrivals on other blocks]
} NvBarrierPlan;

// A tma_load or tma_store that the copy engine performs: see Note [Boxes]. By
// dimension of the global array, outermost first.
typedef struct {
  uint32_t map;
  uint32_t box[5], pieces[5]; // elements of a box, boxes
  int64_t step_bytes[5];      // in shared memory, from box to box
  bool is_aligned; // it begins at a multiple of NV_ENGINE_UNIT bytes of a row
} NvBulk;

#define NV_ENGINE_UNIT 16 // bytes

// A tensor map that the launch makes.
typedef struct {
  const IrObject *object;
  uint32_t box[5]; // elements, innermost first
  uint32_t rank, element, swizzle;
} NvTensorMap;

// Turns of a loop that is repeated in the code; most == 0: it stays a loop.
typedef struct {
  uint32_t most;
  bool is_exact; // else it may be one less
  bool is_decided;
} NvWhole;

typedef struct {
  Arena *arena;
  const IrModule *module;
  const IrKernel *kernel;
  int sm; // 80, 90, 100
  const Uniformity *uniformity;
  uint32_t n_threads, n_warps; // of a block
  uint32_t *node_leaf;         // first leaf of a node's value, n + 1
  uint32_t *var_leaf;
  NvWhole *turns;      // by node id
  NvGroupPlan *groups; // by group id
  // The first that would have hardware barriers if there were more of them.
  const IrGroup *left_out;
  CodeShared *shared; // by object id
  uint64_t shared_bytes;
  bool shares; // arrays may lie in the same bytes
  bool has_dynamic;
  uint64_t dynamic_align;
  uint64_t workspace_bytes, workspace_block_bytes; // beside HdCudaWorkspace
  uint32_t flags;                                  // HD_CUDA_FLAG_
  hd_vec(NvTensorMap) maps;
  NvBarrierPlan *barriers; // by object id
  NvBulk **bulk;           // by node id; NULL: the threads copy
  bool *is_written;        // by object id: by ordinary stores
  bool writes_any;         // through pointers to unknown arrays
  bool has_bulk_stores;
  bool fences_global; // fence_async is of global memory, too
  bool is_remote;     // blocks reach each other's shared memory
  bool writes_remote; // and threads may write what lies there
  bool is_grid_split; // arrive and wait of the grid
  bool has_waits;     // threads wait for memory that others write
  uint64_t ticket_offset, grid_offset; // of words of shared memory
  uint64_t grid_flag_offset;           // of the workspace
  const char *why; // what the target can't do, or NULL: see nv_refuse
} NvPlan;

// Where exits of a region node go; allocas of its result are variables.
typedef struct {
  LLVMBasicBlockRef after, latch;
  bool is_left; // some path goes to `after`
} NvTarget;

// Kind, place, text, and of elements of tiles: rank, index.
enum { NV_N_FAULT_SLOTS = 3, NV_N_ELEMENT_SLOTS = 1 + HD_CUDA_MAX_TILE_RANK };

typedef struct NvEmit {
  Arena *arena;
  NvPlan *plan;
  const IrModule *module;
  const IrKernel *kernel;
  int sm;
  LLVMContextRef cx;
  LLVMModuleRef llvm;
  LLVMBuilderRef b;     // where code goes
  LLVMBuilderRef hoist; // end of the entry block: allocas, argument loads
  LLVMTypeRef i1, i8, i16, i32, i64, f16, bf16, f32, f64, none;
  LLVMTypeRef ptr[8]; // by state space
  LLVMValueRef function;
  // Held at a fence, by tile_collect: the words of an operand in registers; the
  // sums that a product begins with.
  Map unit_operands, unit_starts;
  LLVMValueRef args;       // the parameter, in its state space
  LLVMValueRef shared;     // the block's shared memory
  LLVMValueRef thread;     // linear rank in the block, i32
  LLVMValueRef lane, warp; // i32; warp is the same register in a warp's lanes
  LLVMValueRef thread_index[3];
  LLVMValueRef index[3]; // of the block, i32
  LLVMValueRef grid[3];
  LLVMValueRef *values;      // by leaf of nodes
  LLVMValueRef *var_slots;   // allocas, by leaf of variables
  LLVMValueRef *privates;    // allocas, by object id
  LLVMValueRef *object_base; // by object id, in the object's space
  NvTarget *targets;         // by node id
  // By group id, i32, for groups made by statements: rank in the parent, and
  // (unless the parent is scattered) in the block, of the part's first thread.
  LLVMValueRef *group_from, *group_begin;
  // By group id: what its make_group decided, lowest lanes of all of its
  // parent's parts, and the variable that says which scratch buffer is next.
  LLVMValueRef *group_made, *group_leaders, *group_turn;
  LLVMValueRef *slots; // words of the parameter, i64, once they are loaded
  LLVMValueRef *global_base;        // by id of file-scope objects
  LLVMValueRef *scopes, *no_scopes; // alias scopes by object id, or NULL
  unsigned md_scope, md_noalias, md_invariant, md_loop;
  LLVMMetadataRef md_empty;
  uint64_t constant_bytes;       // in the constant bank, so far
  LLVMBasicBlockRef fault_block; // where faults go, or NULL
  LLVMValueRef fault_slots[NV_N_FAULT_SLOTS + NV_N_ELEMENT_SLOTS];
  hd_vec(IrLocId) locs; // places that faults name
  hd_vec(const char *) texts;
  struct NvLines *lines; // of llvm_nvptx_lines.c
  const IrNode *node;    // being emitted
  const char *entry;     // what PTX calls the kernel
} NvEmit;

// --- llvm_nvptx_kernel.c
// Fills `module` with the kernel, unless plan->why says what is missing.
void nv_emit_kernel(NvEmit *e, Arena *arena, NvPlan *plan, LLVMContextRef cx,
                    LLVMModuleRef module);
// What the target can't do, with the place: the first reason given becomes
// that of the whole compilation. Emission goes on; whoever calls it gives the
// node some value of its type (nv_set_undefined).
void nv_unsupported(NvEmit *e, const IrNode *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// The same while planning.
void nv_refuse(NvPlan *plan, IrLocId loc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void nv_set_undefined(NvEmit *e, const IrNode *node);

// --- nvptx_plan.c
NvPlan *nv_plan_new(Arena *arena, const IrKernel *kernel, int sm);
// A group of whole warps that meets at an mbarrier because the hardware has too
// few barriers for all groups of the kernel, the first in the program; NULL:
// there is none. The answer is a row of the kernel.
const IrGroup *nv_left_out(Arena *arena, const IrKernel *kernel);
// Bytes of shared memory behind what is planned so far; its offset.
uint64_t nv_plan_reserve(NvPlan *plan, uint64_t bytes, uint64_t align_bytes);
// --- nvptx_turns.c
NvWhole nv_whole_turns(const NvPlan *plan, const IrNode *node);

// --- nvptx_header.c
// Adds a place that faults name, a text: its number.
uint32_t nv_loc(NvEmit *e, IrLocId loc);
uint32_t nv_text(NvEmit *e, const char *text);
// Names the entry after the kernel; after optimisation, as LLVM takes functions
// of some names for those of the C library.
void nv_name_entry(NvEmit *e);
// The header lines of abi/cuda.h; after nv_name_entry.
void nv_print_header(const NvEmit *e, const char *target, Text *out);

// --- llvm_nvptx_values.c
LLVMTypeRef nv_scalar_type(const NvEmit *e, IrType type); // of a value
LLVMValueRef nv_i32(const NvEmit *e, int64_t value);
// How many registers a thread of the kernel begins with.
int32_t nv_registers(const IrKernel *kernel);
LLVMValueRef nv_i64(const NvEmit *e, int64_t value);
uint32_t nv_leaf_count(const NvEmit *e, const IrNode *node);
IrType nv_leaf_type(const NvEmit *e, IrType type, uint32_t index,
                    uint32_t *offset_bytes);
// Leaf `index` of a node's value; of operand `arg`.
LLVMValueRef nv_value(const NvEmit *e, const IrNode *node, uint32_t index);
LLVMValueRef nv_arg(const NvEmit *e, const IrNode *node, uint32_t arg);
void nv_set_value(NvEmit *e, const IrNode *node, uint32_t index,
                  LLVMValueRef value);
LLVMValueRef nv_alloca(NvEmit *e, LLVMTypeRef type);
LLVMValueRef nv_intrinsic(NvEmit *e, const char *name,
                          const LLVMTypeRef *overloads, unsigned n_overloads,
                          LLVMValueRef *args, unsigned n_args);
// Inline PTX; `result` may be void. All threads that are together before are
// together at it (convergent). With `touches_memory` it is executed exactly as
// written and no access moves across; without, its result depends on its
// operands only, so that it may be dropped or shared.
LLVMValueRef nv_asm(NvEmit *e, LLVMTypeRef result, const char *text,
                    const char *constraints, LLVMValueRef *args,
                    unsigned n_args, bool touches_memory);
LLVMBasicBlockRef nv_new_block(NvEmit *e, const char *name);
void nv_begin_block(NvEmit *e, LLVMBasicBlockRef block);
// The bits of a scalar as i32 words, low first, and back (for shuffles).
uint32_t nv_to_words(NvEmit *e, IrType type, LLVMValueRef v,
                     LLVMValueRef words[2]);
LLVMValueRef nv_from_words(NvEmit *e, IrType type, LLVMValueRef *words);

// Element offset in bytes from a pointer, of any space.
LLVMValueRef nv_byte_offset(NvEmit *e, LLVMValueRef pointer, int64_t bytes);

// --- llvm_nvptx_bits.c
// After optimisation: see Note [Truncating stores] and Note [Sums as or].
void nv_mend_forms(LLVMModuleRef module, const IrKernel *kernel);

// --- llvm_nvptx_normal.c
// After optimisation: roots and inverses of what is never subnormal are
// shorter.
void nv_take_normal(LLVMModuleRef module);

// --- llvm_nvptx_order.c
// After optimisation: outer products in the order that suits the registers.
void nv_order_products(LLVMModuleRef module);

// --- llvm_nvptx_lines.c
void nv_begin_lines(NvEmit *e);
// What is emitted from now on belongs to the place.
void nv_set_line(NvEmit *e, IrLocId loc);
void nv_end_lines(NvEmit *e);

// --- llvm_nvptx_control.c: true if control can be behind it
bool nv_emit_node(NvEmit *e, const IrNode *node);
bool nv_emit_region(NvEmit *e, const IrRegion *region);

// Runs what is emitted between where `condition` holds.
typedef struct {
  LLVMBasicBlockRef after;
} NvIf;

NvIf nv_if(NvEmit *e, LLVMValueRef condition);
void nv_end_if(NvEmit *e, NvIf place);
void nv_emit_exit(NvEmit *e, const IrNode *node);
// A loop's branch back to its head, with what the program says of unrolling.
void nv_branch_back(NvEmit *e, LLVMBasicBlockRef head, int32_t unroll);
// Counts turns of a loop that is repeated whole, from 0: NULL if it isn't, and
// whether there is another.
LLVMValueRef nv_turn_slot(NvEmit *e, NvWhole turns);
LLVMValueRef nv_count_turn(NvEmit *e, NvWhole turns, LLVMValueRef slot);
// Opens the block behind a region node; `goes_on`: control comes there from the
// region's end. True if control can be behind it.
bool nv_enter_after(NvEmit *e, const IrNode *node, bool goes_on);
LLVMValueRef nv_load_var(NvEmit *e, uint32_t leaf, IrType type);
void nv_store_var(NvEmit *e, uint32_t leaf, IrType type, LLVMValueRef value);

// --- llvm_nvptx_product.c: false: the call is none of a product of a warp
bool nv_emit_product(NvEmit *e, const IrNode *call);

// --- llvm_nvptx_part.c: group statements
void nv_emit_group(NvEmit *e, const IrNode *node);
bool nv_emit_thread_for(NvEmit *e, const IrNode *node);

// --- llvm_nvptx_node.c
void nv_emit_value(NvEmit *e, const IrNode *node);

// --- llvm_nvptx_arith.c, llvm_nvptx_convert.c, llvm_nvptx_math.c
void nv_emit_arith(NvEmit *e, const IrNode *node);
void nv_emit_compare(NvEmit *e, const IrNode *node);
void nv_emit_convert(NvEmit *e, const IrNode *node);
void nv_emit_math(NvEmit *e, const IrNode *node);
// --- llvm_nvptx_library.c: functions of src/devicemath
bool nv_is_in_library(IrOp op);
// Calls hdm_NAME.
LLVMValueRef nv_call_library(NvEmit *e, const char *name, LLVMTypeRef result,
                             LLVMValueRef *args, unsigned n_args);
// Links what was called; false where LLVM can't read its own library.
bool nv_link_library(LLVMModuleRef kernel);

// --- llvm_nvptx_arith.c
// left op right as `combine` says, of scalars of `type`.
LLVMValueRef nv_combine(NvEmit *e, IrRmw combine, IrType type,
                        LLVMValueRef left, LLVMValueRef right);

// --- llvm_nvptx_access.c
// Address of an access in its object's space (an unknown object: the
// pointer's), and of an element: n_index indices from operand `first` on.
LLVMValueRef nv_address(NvEmit *e, const IrNode *node, unsigned *space);
LLVMValueRef nv_element(NvEmit *e, const IrObject *object, const IrNode *node,
                        uint32_t first, unsigned *space);
LLVMValueRef nv_object_base(NvEmit *e, const IrObject *object);
LLVMValueRef nv_extent(NvEmit *e, const IrObject *object, uint32_t dim);
LLVMValueRef nv_stride(NvEmit *e, const IrObject *object, uint32_t dim);
LLVMValueRef nv_slot(NvEmit *e, uint32_t slot);   // i64
LLVMValueRef nv_hidden(NvEmit *e, uint32_t word); // HD_CUDA_HIDDEN_
LLVMValueRef nv_to_generic(NvEmit *e, LLVMValueRef pointer, unsigned space);
// A 32-bit address of shared memory, as PTX operands want it.
LLVMValueRef nv_shared_u32(NvEmit *e, LLVMValueRef pointer);
// The object is the kernel's own, not one at file scope.
bool nv_is_kernel_object(const NvEmit *e, const IrObject *object);
// A value as it lies in memory (bool: a byte), and back.
LLVMTypeRef nv_memory_type(const NvEmit *e, IrType type);
LLVMValueRef nv_to_memory(NvEmit *e, IrType type, LLVMValueRef v);
LLVMValueRef nv_from_memory(NvEmit *e, IrType type, LLVMValueRef v);
// Says which object an access touches.
void nv_mark_access(NvEmit *e, LLVMValueRef access, const IrObject *object);
// Whether the access happens at all (bounds, guard), or NULL: always.
LLVMValueRef nv_access_guard(NvEmit *e, const IrNode *node);
void nv_emit_access(NvEmit *e, const IrNode *node);
void nv_emit_atomic(NvEmit *e, const IrNode *node);
// Read-modify-write of one element; the old value.
LLVMValueRef nv_atomic_modify(NvEmit *e, const IrAccess *access,
                              LLVMValueRef at, LLVMValueRef v);
void nv_emit_fence(NvEmit *e, const IrNode *node);
LLVMValueRef nv_private_array(NvEmit *e, const IrObject *object);

// --- llvm_nvptx_hint.c: by the leaves of the access' type
void nv_load_hinted(NvEmit *e, const IrAccess *access, LLVMValueRef at,
                    bool is_fixed, LLVMValueRef *out);
void nv_store_hinted(NvEmit *e, const IrAccess *access, LLVMValueRef at,
                     const IrNode *value);

// --- nvptx_lanes.c
// A copy in `arena` that is compiled in the kernel's place: its group table has
// a warp, and who comes together at coalesced_threads() is computed.
IrKernel *nv_prepare_kernel(Arena *arena, const IrKernel *kernel);

// --- nvptx_meet.c
void nv_describe_groups(NvPlan *plan); // their parts, before shared memory
void nv_plan_groups(NvPlan *plan);     // what they need

// --- llvm_nvptx_group.c
LLVMValueRef nv_group_rank(NvEmit *e, const IrGroup *group); // of this thread
LLVMValueRef nv_group_size(NvEmit *e, const IrGroup *group);
LLVMValueRef nv_group_part(NvEmit *e, const IrGroup *group);  // meta_rank
LLVMValueRef nv_group_parts(NvEmit *e, const IrGroup *group); // meta_size
// Which of all parts in the block this thread's is, i32.
LLVMValueRef nv_group_instance(NvEmit *e, const IrGroup *group);
// Of a group within a warp: its lanes, i32.
LLVMValueRef nv_group_mask(NvEmit *e, const IrGroup *group);
// All 32 lanes of the warp are proven to be at the node together.
bool nv_is_warp_converged(const NvEmit *e, const IrNode *node);
void nv_emit_position(NvEmit *e, const IrNode *node);
void nv_emit_make_group(NvEmit *e, const IrNode *node);

// --- llvm_nvptx_collective.c, llvm_nvptx_reduce.c, llvm_nvptx_scan.c
void nv_emit_exchange(NvEmit *e, const IrNode *node);
void nv_emit_reduction(NvEmit *e, const IrNode *node);

// --- nvptx_sync_plan.c, nvptx_copy_plan.c
void nv_plan_copies(NvPlan *plan);
void nv_plan_barriers(NvPlan *plan); // after groups and copies

// --- nvptx_zero_bits.c: low bits of an integer that are surely zero, to 63
uint32_t nv_zero_bits(const NvPlan *plan, const IrNode *node);
// Without looking for what variables are set to.
uint32_t nv_zero_bits_at_once(const IrNode *node);

// --- llvm_nvptx_barrier.c
void nv_sync_group(NvEmit *e, const IrGroup *group, const IrNode *node);
void nv_emit_barrier(NvEmit *e, const IrNode *node); // sync join arrive wait
// What the kernel needs before its first statement and behind its last.
void nv_begin_barriers(NvEmit *e);
void nv_end_barriers(NvEmit *e);

// --- llvm_nvptx_mbarrier.c
// A loop that waits until what is emitted between says that it is over.
typedef struct {
  LLVMBasicBlockRef head;
  LLVMValueRef turns;
} NvSpin;

NvSpin nv_spin_begin(NvEmit *e);
void nv_spin_end(NvEmit *e, const NvSpin *spin, LLVMValueRef is_over);
// The next turn begins; nothing follows in this block.
void nv_spin_turn(NvEmit *e, const NvSpin *spin);

// One element of an mbarrier array.
typedef struct {
  const IrObject *object;
  LLVMValueRef at; // generic where counted, else shared
  bool is_counted, is_dropped, is_released;
} NvBarrier;

// With indices from operand `first` on.
NvBarrier nv_barrier_at(NvEmit *e, const IrObject *object, const IrNode *node,
                        uint32_t first);
// Each executing thread arrives n (i32) times; the token of the phase, i64.
LLVMValueRef nv_barrier_arrive(NvEmit *e, const NvBarrier *barrier,
                               LLVMValueRef n);
// The current phase also waits for so many bytes (i32); some have landed.
void nv_barrier_expect(NvEmit *e, const NvBarrier *barrier, LLVMValueRef bytes);
void nv_barrier_landed(NvEmit *e, const NvBarrier *barrier, LLVMValueRef bytes);
// The hardware's, at a shared address.
LLVMValueRef nv_mbarrier_arrive(NvEmit *e, LLVMValueRef at);
void nv_mbarrier_wait(NvEmit *e, LLVMValueRef at, LLVMValueRef token);
void nv_emit_mbarrier(NvEmit *e, const IrNode *node);
void nv_emit_semaphore(NvEmit *e, const IrNode *node);
void nv_emit_fence_async(NvEmit *e, const IrNode *node);

// --- llvm_nvptx_swizzle.c: offsets from an instance's base, i64
typedef struct {
  uint32_t bytes;           // 0: row-major
  LLVMValueRef panel_bytes; // i64
} NvSwizzle;

NvSwizzle nv_swizzle_of(NvEmit *e, const IrObject *object);
// Bytes from element to element along a dimension, panels apart.
LLVMValueRef nv_swizzle_stride(NvEmit *e, const IrObject *object, uint32_t k);
// Of all indices but the last one, which are operands from `first` on; the last
// one in bytes.
LLVMValueRef nv_swizzle_row(NvEmit *e, const IrObject *object,
                            const IrNode *node, uint32_t first);
LLVMValueRef nv_swizzle_column(NvEmit *e, const IrObject *object,
                               const IrNode *node, uint32_t first);
// Where the panel's row begins that has the column.
LLVMValueRef nv_swizzle_panel(NvEmit *e, const NvSwizzle *swizzle,
                              LLVMValueRef row, LLVMValueRef column);
// A pointer to the element; `base` is one to the instance.
LLVMValueRef nv_swizzled(NvEmit *e, const NvSwizzle *swizzle, LLVMValueRef base,
                         LLVMValueRef row, LLVMValueRef column);
// A matrix unit's descriptor of what begins there, before the swizzle; `base`
// is the instance's shared address, i32, `fixed` all bits but those of the
// address.
LLVMValueRef nv_swizzle_descriptor(NvEmit *e, const NvSwizzle *swizzle,
                                   LLVMValueRef base, LLVMValueRef row,
                                   LLVMValueRef column, uint64_t fixed);
// The panel's row that has a section's first element, of a swizzled array.
LLVMValueRef nv_panel_at(NvEmit *e, const IrObject *object, const IrNode *node,
                         uint32_t first);
// Of a shared object: where the part's instance begins.
LLVMValueRef nv_instance_base(NvEmit *e, const IrObject *object);

// --- llvm_nvptx_rows.c: sections copied by threads
typedef struct {
  LLVMValueRef rank, size; // of the threads that copy together, i32
} NvThreads;

// Outermost dimension first, those of one element left out.
typedef struct {
  const IrNode *node;
  LLVMValueRef to, from; // the first elements
  bool is_store;         // to global memory
  bool is_async;         // cp.async can move it
  bool is_dense;         // neighbours lie side by side on both sides
  uint32_t rank, element_bytes;
  uint32_t unit; // bytes, that all addresses are multiples of
  int64_t length[IR_MAX_RANK];
  LLVMValueRef low[IR_MAX_RANK], high[IR_MAX_RANK]; // inside, i32; last: bytes
  LLVMValueRef to_stride[IR_MAX_RANK], from_stride[IR_MAX_RANK]; // bytes
  // Of the shared side, if it is swizzled: `to` or `from` is its base then.
  NvSwizzle swizzle;
  LLVMValueRef row, column;  // offsets of the first element
  bool is_along;             // the last dimension is that of columns
  LLVMValueRef address_bits; // i32, whose low bits are those of all addresses
} NvRows;

NvRows nv_rows_of(NvEmit *e, const IrNode *node);
// With a barrier each thread arrives once its part has landed.
void nv_copy_rows(NvEmit *e, const NvRows *rows, const NvThreads *threads,
                  bool is_async, const NvBarrier *barrier);
// n_bytes: of the width, the rest becomes zero; or NULL.
void nv_cp_async(NvEmit *e, LLVMValueRef to, LLVMValueRef from, uint32_t width,
                 LLVMValueRef n_bytes);

typedef struct {
  LLVMBasicBlockRef head, end;
  LLVMValueRef slot, size;
  LLVMValueRef number; // in the loop
} NvTurns;

NvTurns nv_turns_begin(NvEmit *e, LLVMValueRef rank, LLVMValueRef size,
                       LLVMValueRef n);
void nv_turns_end(NvEmit *e, const NvTurns *turns);

// --- llvm_nvptx_copy.c
NvThreads nv_threads_of(NvEmit *e, const IrGroup *group);
void nv_arrive_when_landed(NvEmit *e, const NvBarrier *barrier, bool is_async);
void nv_emit_copy(NvEmit *e, const IrNode *node);

// --- llvm_nvptx_unit.c: products of matrix units
void nv_emit_unit(NvEmit *e, const IrNode *node);
void nv_unit_fence(NvEmit *e, const IrNode *node);
void nv_unit_commit(NvEmit *e);
void nv_unit_wait(NvEmit *e, const IrNode *node);

// --- llvm_nvptx_tensor.c: tensor memory
void nv_emit_tensor(NvEmit *e, const IrNode *node);
void nv_tensor_alloc(NvEmit *e, const IrNode *node);
void nv_tensor_dealloc(NvEmit *e, const IrNode *node);
void nv_tensor_fence(NvEmit *e);
void nv_tensor_commit(NvEmit *e, const IrNode *node, const NvBarrier *barrier);

// --- llvm_nvptx_bulk.c: tma_load, tma_store, other blocks' shared memory
void nv_emit_bulk(NvEmit *e, const IrNode *node);
// An address of the own shared memory in the cluster's block of rank i32: in
// NV_SPACE_CLUSTER, and generic (which on sm_80 is the own).
LLVMValueRef nv_in_cluster(NvEmit *e, LLVMValueRef at, LLVMValueRef rank);
LLVMValueRef nv_cluster_address(NvEmit *e, LLVMValueRef pointer,
                                LLVMValueRef rank);
void nv_emit_cluster(NvEmit *e, const IrNode *node); // map_shared, shared_rank

// --- llvm_nvptx_effect.c: printf, trap, assert, assume, clock
void nv_emit_effect(NvEmit *e, const IrNode *node);
void nv_emit_assume(NvEmit *e, const IrNode *node);
// Ends the path with a fault (HD_CUDA_FAULT_): code goes on in another block.
// `text` may be NULL.
void nv_fault(NvEmit *e, uint32_t kind, IrLocId loc, const char *text);
// Behind all code: the block where faults go.
void nv_end_faults(NvEmit *e);

#endif
