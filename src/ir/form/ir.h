// SPDX-License-Identifier: Apache-2.0
// The intermediate representation: one structured form for the checker, the
// interpreter and every back end.
//
// A module holds kernels (one specialisation each), struct layouts and
// file-scope objects. A kernel is a tree of regions; a region is a list of
// nodes; a node is one operation of ops.def. The rules:
//
//  - A node with a result is a value. It may be used by later nodes of its
//    region and in regions nested there (structural dominance). What crosses a
//    join goes through variables (`get`, `set`), which are mutable and typed.
//  - Memory is objects, not addresses. An access names its object, an index
//    vector (or none: then only a byte offset from the object's start), and
//    what else its order and legality depend on. Pointers exist only where the
//    object can't be known: then the object is NULL and operand 0 the pointer.
//  - Every operation names its group. Group values are static identities:
//    they are never assigned, selected or stored, so a group is a row of the
//    kernel's table; what is decided at run time about it (begin, label) is an
//    operand of the node that makes it.
//  - Control: `if`, `loop` (for ever, left by `exit`), `for` (counted),
//    `block` (a label), `exit` (leaves a block, loop, for or call, which is an
//    ancestor), `group`, `thread_for`, `call` (an inlined call). A node after
//    an `exit` in its region is an error; so is an exit through a group or
//    thread_for region.
//  - Integers are signless; operations are signed or not. A `bool` is 0 or 1.
//  - Every node carries a location, with the chain of calls inlined there.
//
// Owned by the module's arena. Analyses are side tables indexed by node id,
// variable id or group id. The tree may be edited until analyses were taken.
#ifndef HD_IR_FORM_IR_H
#define HD_IR_FORM_IR_H

#include "base/arena.h"
#include "base/map.h"
#include "base/panic.h"
#include "base/text.h"
#include "base/vec.h"
#include "diag/vocabulary.h"
#include "ir/form/ir_node.h"

#include <stdbool.h>
#include <stdint.h>

// --------------------------------------------------------------- kernels

typedef enum {
  PARAM_SCALAR,
  PARAM_STRUCT,
  PARAM_ARRAY,
  PARAM_POINTER
} IrParamKind;

// Arguments travel in 64-bit slots: a scalar one (integers extended by their
// signedness, floats as their bits), a struct its bytes rounded up, an array
// its base address, `rank` extents and `rank` strides (elements), a plain
// pointer its address.
typedef struct {
  const char *name;
  IrParamKind kind;
  IrType type;      // scalar, short vector or struct
  bool is_signed;   // integer scalars, and elements of integer arrays
  IrObject *object; // array or pointer
  uint32_t slot, n_slots;
  IrLocId loc;
} IrParam;

typedef enum {
  REQUIRE_HOST,     // evaluated at launch
  REQUIRE_CONTENTS, // about array contents: tested under --sanitize, else
                    // trusted
  ASSUME_TRUSTED,
} IrRequireKind;

typedef struct {
  IrRequireKind kind;
  IrHost *condition;
  const char *text; // as written
  IrLocId loc;
  bool is_given; // by who compiles, not by the file; IR text doesn't keep it
} IrRequire;

typedef struct {
  IrObject *a, *b;
  bool begins_elsewhere; // of the checker: they overlap, but aren't one
  bool is_one;           // of the checker: both begin at one place
} IrAliasPair;

// Of consumes, produces, preserves and reads. Their object is NULL where the
// section is of an array that can't be named.
typedef enum {
  CLAIM_UNINIT = 1, // uninit(…): no contents yet
  CLAIM_NEST = 2,   // of the nest that is the whole kernel
  // In programs run with checks: the last operand tells executions of the loop
  // apart, by the turns of the loops around it.
  CLAIM_TURNS = 4,
  // Not a rectangle but what lies in a row in memory: indices of an element,
  // then how many bytes behind it the section starts and how many it has.
  CLAIM_PART = 8,
} IrClaimFlag;

// How many of what a tile kernel asks for; 0: the compiler's choice.
typedef struct {
  uint32_t warps, stages, ctas, occupancy, consumers;
  bool is_pingpong, is_persistent;
  uint32_t grouped;      // order(grouped(n)); 0: another order
  bool is_longest_first; // order(longest_first)
  IrLocId order_loc;     // of the hint, or 0; IR text doesn't keep it
} IrTileHints;

typedef enum {

#define LEVEL(id, text, doc) LEVEL_##id,
#include "ir/levels.def"
#undef LEVEL
  LEVEL_COUNT
} IrLevel; // a kernel goes down, to higher numbers

typedef struct IrKernel {
  struct IrModule *module;
  const char *name;
  const char *variant; // embedded values as text ("BM=128, T=float"), or ""
  IrLocId loc;
  hd_vec(IrParam) params;
  uint32_t n_slots;
  int32_t block_dim[3];   // threads; all constant
  IrHost *grid[3];        // NULL: 1 when n_grid > i, else the launcher's
  uint8_t n_grid;         // 0: the grid is left to the launcher
  int32_t cluster_dim[3]; // 0: left open or none
  hd_vec(IrRequire) requirements;
  hd_vec(IrAliasPair) may_alias;
  int32_t min_blocks, max_registers; // 0: not given
  IrTileHints hints;                 // clause tile(…)
  IrHost *flops, *bytes;             // declared work, or NULL
  bool fast_math;
  // Along each axis launches have fewer than 2^31 threads (a fact of a variant,
  // as those of objects are).
  bool has_few_threads;
  // Each lane of a warp may go ahead of the others (likewise: a schedule drew
  // it).
  bool has_lanes_apart;
  // Calls whose name begins with ".mma." are one step of a product of a warp
  // (tile/tile_mma_warp.c). IR text doesn't keep it.
  bool has_warp_products;
  // Products of matrix units whose sums threads hold stand at the level thread,
  // too: only code for GPUs that have such units is made of it.
  bool has_units;
  bool has_tensors; // and tensor cores do what they are asked for
  // When products of matrix units are made in runs that are looked at: Note
  // [Products at once] in tile_wgmma.c.
  uint32_t product_moment;
  bool is_of_tiles; // its threads are the lanes of a tile kernel's blocks
  hd_vec(IrObject *) objects; // by id
  hd_vec(IrGroup *) groups;   // by id; rows 0, 1, 2: grid, cluster, block
  hd_vec(IrVar) vars;         // by id
  IrLevel level;              // what may still stand in it
  uint32_t n_nodes;           // ids are below
  IrRegion body;              // current group: the block
} IrKernel;

typedef struct IrModule {
  Arena *arena;
  const char *name; // file
  hd_vec(IrKernel *) kernels;
  hd_vec(IrObject *) globals; // file-scope constant and global objects
  hd_vec(IrStruct *) structs;
  hd_vec(IrTileShape) tiles;
  hd_vec(IrLoc) locs; // [0] unknown
  Map loc_index;      // of ir_loc_intern
  // Set before lowering: what may overflow is evaluated where the program does,
  // and nowhere else.
  bool is_exact;
  // From CUDA C++, where copy_wait may leave more sets than were made, and
  // tokens of mbarriers are plain values.
  bool waits_freely;
  // From CUDA C++, not in IR text: const may be cast away, and exchanges may
  // name lanes that aren't there, modulo the tile that the last one is a part
  // of.
  bool loses_const, has_open_lanes;
  Language language;             // of messages
  const struct PassWatch *watch; // ir/passes/passes.h; NULL: nobody looks
} IrModule;

#define IR_MAX_NODES      1000000u
// Regions inside one another: below it every pass may recurse over the tree.
#define IR_MAX_DEPTH      2000u
// Bytes of IR text that is read.
#define IR_MAX_TEXT_BYTES 0x20000000u

enum { GROUP_ROW_GRID, GROUP_ROW_CLUSTER, GROUP_ROW_BLOCK };

// ------------------------------------------------------- the op table

static inline const IrOpInfo *ir_op_info(const IrNode *node) {
  return &ir_op_table[node->op];
}

static inline IrFamily ir_family(const IrNode *node) {
  return ir_op_info(node)->family;
}

// The verifier demands an order of all read-modify-writes and semaphores.
static inline bool ir_is_atomic(const IrNode *node) {
  IrForm form = ir_op_info(node)->form;
  return form == FORM_ACCESS    ? node->u.access.order != ORDER_PLAIN
         : form == FORM_SECTION ? node->u.section.order != ORDER_PLAIN
                                : false;
}

// A fence that has its place in one order with all others, for the whole
// device.
static inline bool ir_fences_all(const IrNode *node) {
  return node->op == IR_FENCE && node->u.text.order == ORDER_ACQ_REL &&
         node->u.text.scope >= SCOPE_DEVICE;
}

// Its result is the token of an mbarrier's phase.
static inline bool ir_gives_phase(const IrNode *node) {
  return node->op == IR_MBAR_ARRIVE || node->op == IR_MBAR_ARRIVE_DROP ||
         node->op == IR_MBAR_ARRIVE_EXPECT;
}

// The node arrives on mbarriers of the object, or copies bytes to count there.
bool ir_signals(const IrNode *node, const IrObject *object);
// How often the node is executed shows: it prints, or reads a clock. Of what
// fails the first one ends them all.
bool ir_is_shown(const IrNode *node);
// tma_reduce takes such elements and operations, as the hardware does.
bool ir_engine_combines(IrRmw rmw, IrType element);
bool ir_has_mbarriers(const IrKernel *kernel);
// The operation as programs call it: "arrive", of mbarriers and groups.
const char *ir_word(const IrNode *node);

// The engine copies a section of shared memory, waited for by sets.
static inline bool ir_is_tma_store(const IrNode *node) {
  return node->op == IR_TMA_STORE || node->op == IR_TMA_REDUCE;
}

// A copy of a row of bytes that the engine makes for one thread.
static inline bool ir_is_bulk(const IrNode *node) {
  return node->op == IR_COPY_BULK || node->op == IR_BULK_STORE;
}

// A copy of a row of bytes between pointers, not of sections.
static inline bool ir_copies_bytes(const IrNode *node) {
  return node->op == IR_COPY_BYTES || node->op == IR_MEMCPY_ASYNC ||
         ir_is_bulk(node);
}

// A copy for which the phase of its barrier waits once it is asked for.
static inline bool ir_joins_phase(const IrNode *node) {
  return node->op == IR_COPY_BYTES && node->u.copy.barrier;
}

// A copy that goes on by itself after the node.
static inline bool ir_is_async_copy(const IrNode *node) {
  return ir_op_info(node)->form == FORM_COPY || node->op == IR_MEMCPY_ASYNC;
}

// Its region is the operator, run for pairs of values, or for single ones.
static inline bool ir_is_operator(const IrNode *node) {
  IrForm form = ir_op_info(node)->form;
  return (form == FORM_COLLECTIVE || form == FORM_TILE) &&
         (ir_op_info(node)->flags & OPF_REGION);
}

// ---------------------------------------------------------- type helpers

static inline IrType ir_scalar(IrTypeKind kind) {
  return (IrType){.kind = (uint8_t)kind, .lanes = 1};
}

static inline bool ir_type_equal(IrType a, IrType b) {
  return a.kind == b.kind && a.lanes == b.lanes && a.space == b.space &&
         a.index == b.index;
}

bool ir_type_is_int(IrType type);   // i8 … i64, one lane
bool ir_type_is_float(IrType type); // f16, bf16, f32, f64, one lane
// Elements of tiles only. Narrow: tf32 and the packed types.
bool ir_type_is_narrow(IrType type);
bool ir_type_is_packed(IrType type);     // e2m1 … e8m0, s1 … s7, u1 … u7
bool ir_type_is_packed_int(IrType type); // s1 … s7, u1 … u7
// The element of arrays that hold such elements: f32 for tf32, bytes for packed
// ones. Others are themselves. Sections of an array of bytes as packed elements
// have views: in their last dimension indices, lengths and bounds count packed
// elements; element i is bits [i * w, (i + 1) * w) of its row, little endian.
IrType ir_memory_type(IrType type);
// Elements along K that share a scale in tile_mma_scaled; 0: there is no such
// product.
uint32_t ir_scale_block(IrType a, IrType b, IrType scales);
uint32_t ir_type_size(const IrModule *module, IrType type); // bytes in memory
uint32_t ir_type_bits(IrType type); // of a scalar's value: bool 1

// ---------------------------------------------------------- tiles: tile.c

static inline bool ir_is_tile(IrType type) {
  return type.kind == IR_TYPE_TILE;
}

// The type of tiles of that shape, a row of the module; of rank 0 `element`.
// The extents fit (ir_tile_extent_fits), rank and elements are within the
// limits of ir_type.h.
IrType ir_tile_type(IrModule *module, IrType element, uint32_t rank,
                    const uint32_t *extents);
// `type`, a tile or not, with another element.
IrType ir_tile_of(IrModule *module, IrType type, IrType element);
// Of a tile; NULL: it is none.
const IrTileShape *ir_tile_shape(const IrModule *module, IrType type);
// Of a tile its element, of other types themselves.
IrType ir_element_type(const IrModule *module, IrType type);
uint32_t ir_tile_elements(const IrModule *module, IrType type); // others: 1
bool ir_tile_extent_fits(uint64_t extent);
// Both are tiles with the same extents, or neither is one.
bool ir_same_extents(const IrModule *module, IrType a, IrType b);
// A row of other families that works on tiles element by element.
bool ir_lifts(IrOp op);
// The operation that combines two elements, and the bits of the element that
// begins an exclusive scan without a first value (the identity).
IrOp ir_combine_op(IrCombine combine);
uint64_t ir_combine_identity(IrCombine combine, IrType element);
// A variable or value is a tile.
bool ir_has_tiles(const IrKernel *kernel);
// Words of a section's attributes: how many dimensions its tile has, and which.
// False: it has more than IR_MAX_TILE_RANK.
bool ir_section_shape(const IrModule *module, const IrNode *node,
                      uint32_t *rank, uint32_t *extents);
// Number of the operand behind the indices and bounds of a view.
uint32_t ir_section_operands(const IrNode *node);

// ------------------------------------------------------------- building

IrModule *ir_module_new(Arena *arena, const char *name);
// With rows 0..2 of the group table made and an empty body.
IrKernel *ir_kernel_new(IrModule *module, const char *name);
IrLocId ir_loc_intern(IrModule *module, const IrLoc *loc);
// What is inside our headers for CUDA C is told where the user's text leads
// there.
IrLocId ir_loc_for_users(const IrModule *module, IrLocId id);
IrObject *ir_object_new(IrKernel *kernel, const char *name, IrSpace space,
                        IrType element);
IrGroup *ir_group_new(IrKernel *kernel, IrGroupKind kind, IrGroup *parent);
uint32_t ir_var_new(IrKernel *kernel, const char *name, IrType type);
uint32_t ir_struct_new(IrModule *module, const char *name, uint32_t size_bytes,
                       uint32_t align_bytes);
// A node at the end of `region` (NULL: nowhere yet). Operands are copied.
IrNode *ir_node_new(IrKernel *kernel, IrRegion *region, IrOp op, IrType type,
                    IrLocId loc, IrNode *const *args, uint32_t n_args);
void ir_node_insert_before(IrNode *position, IrNode *node);
void ir_node_insert_after(IrNode *position, IrNode *node);

// Where a pass puts nodes: before `at`, or behind it, which then is the last of
// them.
typedef struct {
  IrKernel *kernel;
  IrNode *at;
  bool is_after;
  IrLocId loc; // of the nodes
} IrPlace;

// Both return the node.
IrNode *ir_place_put(IrPlace *place, IrNode *node);
IrNode *ir_place_node(IrPlace *place, IrOp op, IrType type, IrNode *const *args,
                      uint32_t n_args);
void ir_node_unlink(IrNode *node);
IrNode *ir_const_int(IrKernel *kernel, IrRegion *region, IrType type,
                     uint64_t bits, IrLocId loc);
// Assigns slots to the parameters; call once all are there.
void ir_kernel_layout_args(IrKernel *kernel);
// Renumbers nodes densely in program order.
void ir_kernel_renumber(IrKernel *kernel);

// The last level at which the node may stand.
IrLevel ir_node_level(const IrNode *node);

static inline bool ir_is_claim(const IrNode *node) {
  return node->op >= IR_CONSUMES && node->op <= IR_READS;
}

// Operands of a claim that say which section it is.
static inline uint32_t ir_claim_bounds(const IrNode *claim) {
  HD_ASSERT(ir_is_claim(claim));
  const IrObject *object = claim->u.index.object;
  if (!object)
    return 0;
  return claim->u.index.number & CLAIM_PART ? object->rank + 2u
                                            : 2u * object->rank;
}

// Operands of a claim that name its iteration.
static inline uint32_t ir_claim_names(const IrNode *claim) {
  return claim->n_args - ir_claim_bounds(claim) -
         ((claim->u.index.number & CLAIM_TURNS) != 0);
}

// True if `inner` is `outer` or a part of it (parents upward).
bool ir_group_contains(const IrGroup *outer, const IrGroup *inner);
// The group that is current where the node stands. In the body of an operator
// of reduce_by or scan_by: the one around it, though single threads run it.
IrGroup *ir_node_group(const IrKernel *kernel, const IrNode *node);
// The group that does the operation: the one it names, else the current one.
IrGroup *ir_op_group(const IrKernel *kernel, const IrNode *node);
// The most threads that the group can have; INT64_MAX when nothing is known.
int64_t ir_group_most(const IrGroup *group);
// Threads of a warp or tile that isn't the last of its parent, of which the
// last may have fewer; SIZE_UNKNOWN: another group, or a run decides it.
int64_t ir_group_nominal(const IrGroup *group);
// Rank in the block of the group's first thread, or SIZE_UNKNOWN.
int64_t ir_group_block_begin(const IrGroup *group);
// No part of it has threads of two warps, whatever happens at run time.
bool ir_group_in_warp(const IrGroup *group);
// The threads of an `inner` that `outer` holds are all of it: a part of it by
// the table, or a warp or coalesced group that can't lie half in it.
bool ir_group_holds(const IrKernel *kernel, const IrGroup *outer,
                    const IrGroup *inner);
// "file.hd:12:5" with inlined-at chain, for dumps and run-time reports.
const char *ir_loc_text(const IrModule *module, IrLocId loc, Arena *arena);

// Whether the threads of a group wait for each other at `node` to exchange
// values: collectives and labeled partitions. A sync isn't one.
bool ir_is_collective(const IrNode *node);
// Inside of the operator that the program gives to a reduction or scan: the
// operation gives the variables there their values.
bool ir_is_in_operator(const IrNode *node);

// Of these products: what may stand beyond the level tiles where the kernel
// has units. A tile is what each thread of a warpgroup holds of it, in the
// order of Note [Sums of units].
bool ir_is_of_unit(IrOp op);

// Visits every node in program order, a parent before its regions. Stops when
// the visitor returns false, which is then the result.
typedef bool (*IrVisitor)(IrNode *node, void *context);
bool ir_walk(IrRegion *region, IrVisitor visit, void *context);

// What makes a product of tiles on a device, which decides the order and the
// rounding of its sums (Note [Sums of tensor cores]): fma after fma, mma.sync
// or wgmma.
typedef enum { PRODUCT_CHAIN, PRODUCT_MMA_SYNC, PRODUCT_WGMMA } ProductUnit;

// WGMMA_MMA: bits of its number, behind those of TILE_MMA.
enum { WGMMA_TURNS_A = 4, WGMMA_TURNS_B = 8 };

// Whether matrix units of warpgroups make results of that shape from such
// elements, `depth` of them in a row of operand 0.
// Whose operands and results only the tensor core sees.
bool ir_is_tensor_op(IrOp op);
// A load or store of a tile in tensor memory.
bool ir_is_tensor_access(const IrNode *node);
// By which proxy it reaches memory: tensor memory has none.
IrProxy ir_proxy(const IrNode *node);
// The store of a thread, beside tcgen05_alloc and tcgen05_dealloc.
bool ir_fills_tensor(const IrKernel *kernel, const IrNode *node);
bool ir_wgmma_is_good(const IrTileShape *to, uint32_t depth, IrType element);

// ------------------------------------------------------------ operations
// on whole modules, each in its own file

// text.c, parse.c: the text form; print∘parse is the identity.
void ir_print(const IrModule *module, Text *out);
// As a program for the first pass: its kernels are of the level source, where
// all may stand that stands at the level thread.
void ir_print_program(const IrModule *module, Text *out);

#endif
