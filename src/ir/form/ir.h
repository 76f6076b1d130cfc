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
#include "base/text.h"
#include "base/vec.h"
#include "diag/source.h"
#include "ir/form/ops.h"
#include <stdbool.h>
#include <stdint.h>

// ---------------------------------------------------------------- types

typedef enum {

#define IR_TYPE(id, text, size_bytes, bits) IR_TYPE_##id,
#include "ir/types.def"
#undef IR_TYPE
  IR_TYPE_COUNT
} IrTypeKind;

typedef enum {
  SPACE_GLOBAL,
  SPACE_SHARED,
  SPACE_LOCAL, // a thread's own
  SPACE_CONSTANT,
  SPACE_GENERIC,
} IrSpace;

// By value; equal types compare equal with ir_type_equal.
typedef struct {
  uint8_t kind;   // IrTypeKind
  uint8_t lanes;  // 1; 2..4 for short vectors of a scalar kind
  uint8_t space;  // IrSpace of IR_TYPE_PTR
  uint32_t index; // struct of IR_TYPE_STRUCT, shape of IR_TYPE_TILE
} IrType;

// A struct or union as memory: leaves are what loads and values see.
// Unions have no leaves and live in objects only.
typedef struct {
  IrType type; // scalar or short vector
  uint32_t offset_bytes;
} IrLeaf;

typedef struct {
  const char *name;
  uint32_t size_bytes, align_bytes;
  hd_vec(IrLeaf) leaves;
} IrStruct;

// Shape of a tile (constant powers of two). Rank 0 is a scalar.
typedef struct {
  IrType element;
  uint8_t rank;
  uint32_t extents[8];
} IrTileShape;

// ------------------------------------------------------ host expressions

// What is evaluated on the host at launch, exactly: integers without overflow
// (a result beyond 64 bits is refused), floats in double. Over scalar
// parameters and extents.
typedef enum {

#define HOST_OP(id, text, least, most, n_objects, rule) HOST_##id,
#include "ir/host.def"
#undef HOST_OP
  HOST_OP_COUNT
} IrHostOp;

typedef struct IrHost {
  IrHostOp op;
  bool is_float;           // the result is a floating-point number
  int64_t number;          // CONST (integers), PARAM: parameter index
  double real;             // CONST (floats)
  struct IrObject *object; // predicates on arrays: injective, bounded, …
  struct IrObject *other;  // the second array of disjoint
  uint8_t n_args;
  struct IrHost *args[3];
} IrHost;

// ------------------------------------------------------------- locations

// Index into the module's table; 0 is unknown. `parent` is the location of the
// call that was inlined (0: none) and `callee` the function inlined there.
typedef uint32_t IrLocId;

typedef struct {
  Place place;
  IrLocId parent;
  const char *callee;
  Span span; // in the text that was lowered; of IR text: none
} IrLoc;

// --------------------------------------------------------------- groups

typedef enum {

#define IR_GROUP(id, text) GROUP_##id,
#include "ir/groups.def"
#undef IR_GROUP
  GROUP_KIND_COUNT
} IrGroupKind;

#define SIZE_UNKNOWN (-1)

// One row of a kernel's group table. Row 0 is the grid, 1 the cluster, 2 the
// block. A row is made once per place in the program, inlined calls included.
typedef struct IrGroup {
  uint32_t id;
  IrGroupKind kind;
  struct IrGroup *parent; // NULL for the grid
  const char *name;       // for messages: "block", "thread_group(0, 16)", "g"
  int64_t size;           // threads, or SIZE_UNKNOWN
  int64_t begin;          // rank of its first thread in the parent, if constant
  int64_t instances;      // parts of this kind in one parent, if constant
  // The power of two that divides the block rank of its first thread, at
  // least (32: starts a warp). 1 when nothing is known.
  uint32_t alignment;
  // group, thread_for or make_group node; NULL: implicit. A group that a
  // make_group makes is used only where that node's value could be (structural
  // dominance), and anew at each execution of it.
  struct IrNode *maker;
  // Of whole_warp() and whole_partition(), until ir_decide_whole.
  bool is_whole;
} IrGroup;

// --------------------------------------------------------------- objects

typedef enum {
  OBJECT_ARRAY,
  OBJECT_MBARRIER,
  OBJECT_PIPELINE,
  OBJECT_TENSOR_MEMORY,
} IrObjectKind;

typedef enum {
  LAYOUT_UNDECIDED, // the compiler's choice, before code generation
  LAYOUT_ROW_MAJOR,
  LAYOUT_SWIZZLE32,
  LAYOUT_SWIZZLE64,
  LAYOUT_SWIZZLE128,
  LAYOUT_LINEAR, // linear_map: bit i of the address is parity(index & map[i])
} IrLayoutKind;

// Facts about an array argument that may select a variant (and no others).
typedef enum {
  FACT_ALIGNED16 = 1, // base address is a multiple of 16 bytes
  FACT_STRIDE16 = 2,  // inner extent and strides are multiples of 16 bytes
  FACT_DENSE = 4,     // row-major without gaps
  FACT_SMALL = 8,     // fewer than 2^31 elements between first and last
  FACT_LONG = 16,     // told of plain pointers: 16 MiB or more
} IrArrayFact;

#define FACTS_BITS 5
#define FACTS_ALL  ((1u << FACTS_BITS) - 1)

#define IR_MAX_RANK 8

typedef struct {
  uint64_t begin, end;
} IrHole;

typedef struct IrObject {
  uint32_t id;
  IrObjectKind kind;
  const char *name;
  IrSpace space;
  IrType element;         // scalar, short vector or struct
  uint32_t element_bytes; // distance of neighbours where dense
  uint8_t rank;           // 0: a single element
  bool is_const;          // read-only array parameter
  bool loses_const;       // a cast takes it away, and it is written
  bool decides_turns;     // a loop counts on it that its elements don't change
  bool is_plain_pointer;  // `T *p`: unknown extent, may alias others like it
  bool is_restrict;       // plain pointer that aliases nothing
  bool has_strides;       // strides given, else dense and row-major
  bool address_taken;     // decays to a pointer somewhere: layout is row-major
  bool is_cluster_shared; // lives in the block of cluster rank 0
  bool is_uninitialised_ok;
  bool marks_barrier; // of ir_track_inits: elements of the mbarrier of its name
  bool is_signed; // of file scope: the host reads elements as signed integers
  IrHost *extents[IR_MAX_RANK]; // elements; NULL where unknown
  IrHost *strides[IR_MAX_RANK]; // elements
  uint32_t align_bytes;
  uint32_t alias_class; // objects of one class may overlap; 0: with none
  uint32_t facts;       // IrArrayFact bits that this variant assumes
  int32_t param;        // kernel parameter that binds it, or -1
  // Shared: one instance for each part of `group` that runs `lifetime`.
  IrGroup *group;
  struct IrNode *lifetime; // innermost region node; NULL: the whole kernel
  IrLayoutKind layout;
  uint64_t *linear_map; // LAYOUT_LINEAR
  uint8_t n_map_bits;
  uint32_t arrivals;   // OBJECT_MBARRIER: count in the type
  const void *initial; // constant and global objects: bytes, or NULL for zeros
  uint64_t initial_bytes;
  // Shared arrays: bytes from the start that the program must not touch, in
  // order: in CUDA its mbarriers lie there. For the checker.
  hd_vec(IrHole) holes;
  IrLocId loc;
} IrObject;

// ------------------------------------------------------------- variables

typedef struct {
  uint32_t id;
  const char *name; // of the source variable, or NULL for a temporary
  IrType type;
  IrLocId loc;
  // Counts what a thread does one by one: no run is long enough for it to get
  // near the ends of 64 bits. For checks; not in the text.
  bool counts;
} IrVar;

// ----------------------------------------------------------------- nodes

typedef enum { BOUNDS_NONE, BOUNDS_ZERO, BOUNDS_DROP } IrBounds;

typedef enum {
  ORDER_PLAIN, // not atomic
  ORDER_RELAXED,
  ORDER_ACQUIRE,
  ORDER_RELEASE,
  ORDER_ACQ_REL,
} IrOrder;

typedef enum { SCOPE_BLOCK, SCOPE_CLUSTER, SCOPE_DEVICE, SCOPE_SYSTEM } IrScope;

typedef enum { HINT_NONE, HINT_CACHED, HINT_STREAMING, HINT_LAST_USE } IrHint;

typedef enum {
  RMW_ADD,
  RMW_SUB,
  RMW_SMIN,
  RMW_SMAX,
  RMW_UMIN,
  RMW_UMAX,
  RMW_AND,
  RMW_OR,
  RMW_XOR,
  RMW_INC,
  RMW_DEC,
  RMW_EXCH, // float: add min max
} IrRmw;

// A memory access. Address, in bytes from the object's start:
//   sum of index[k] * stride[k] * element_bytes + offset_bytes + dynamic offset
// Operands, in this order, those that exist:
//   pointer (object == NULL) · n_index indices (i32 or i64, signed) ·
//   byte offset (has_offset, i64) · guard (has_guard, bool: no access if
//   false, a load then gives zero) · value (store, rmw) · compare, value (cas)
// n_index is 0 or the object's rank.
typedef struct {
  IrObject *object;
  IrType type; // of the value moved
  uint32_t offset_bytes;
  uint32_t align_bytes; // guaranteed by the program for the whole address
  uint8_t n_index;
  bool has_offset, has_guard;
  IrBounds bounds;
  IrOrder order;
  IrScope scope;
  IrHint hint;
  IrRmw rmw;
} IrAccess;

// A rectangle of an object's elements: along dimension k the `length[k]`
// elements from index operand k on. Elements count in row-major order.
typedef struct {
  IrObject *object;
  int64_t length[IR_MAX_RANK]; // > 0
} IrSection;

// Why a `join` (start or end of a fork-join loop) needs no barrier, or does.
typedef enum {
  JOIN_OPEN, // not decided yet
  JOIN_KEPT,
  JOIN_DROPPED_SAME_OWNER, // equal canonical index maps
  JOIN_DROPPED_DISJOINT,   // no array touched on both sides
} IrJoin;

// Bits of IrNode.flags.
enum {
  NODE_NO_SIGNED_WRAP = 1, // add, sub, mul, neg, shl of signed operands
  NODE_FAST_MATH = 2,      // reassociation, approximations allowed
  NODE_UNIFORM_CLAIM = 4,
  // Of an assert: an obligation of the program that the compiler made. It is
  // tested under --sanitize only. Of a check_value: for what memory held.
  NODE_OBLIGATION = 8,
  NODE_UNSIGNED = 16, // of a claim, for reports: its integer is unsigned
  // Beside NODE_NO_SIGNED_WRAP: the compiler's own sum, no operation of the
  // program. Of mbar_wait: its own, too, for whatever phase ended last. Of a
  // sync, load or store: what an operation of groups needs, which orders
  // nothing that the program can see.
  NODE_OWN = 32,
  // Likewise: evaluated also where the program doesn't, so that it may wrap if
  // nobody looks at the result.
  NODE_SPECULATIVE = 64,
  // Of an assert with NODE_OBLIGATION: an index is inside of the array that the
  // text names, which is a part of an object.
  NODE_INSIDE = 128,
  // Until ir_decide_whole. Of an exit: the thread returns from the kernel; of a
  // for: those that are done do. Of an if: those that run the first region, or
  // the second, count in the other one as returned. Of a ballot of
  // whole_warp(): present_lanes(), no collective. Of a comparison of a rank: is
  // this the first thread of its group?
  NODE_RETURNS = 256,
  NODE_THEN_RETURNS = 512,
  NODE_ELSE_RETURNS = 1024,
  // Of a store: the block's shared memory ends here (ir_track_ends).
  NODE_ENDS = 2048,
};

typedef struct IrRegion {
  struct IrNode *first, *last;
  struct IrNode *owner; // NULL: the kernel's body
} IrRegion;

typedef struct IrNode {
  IrOp op;
  uint32_t id; // dense in the kernel, unique
  IrType type; // of the result; IR_TYPE_VOID when none
  IrLocId loc;
  uint32_t flags;
  uint32_t n_args;
  struct IrNode **args;
  IrRegion *region; // where it stands
  struct IrNode *previous, *next;
  uint8_t n_regions;
  IrRegion regions[2]; // if: then, else; others: body

  union { // by the form column of ops.def

    struct { // CONST: the bits, low first; floats as IEEE bits
      uint64_t bits;
    } constant;

    struct {
      uint32_t
          var; // VAR: get, set, for and thread_for (the iteration variable)
    } variable;

    struct {
      uint32_t number;  // INDEX: dimension, parameter, leaf, IrClaimFlag
      IrObject *object; // extent, stride, claims
    } index;

    struct {
      IrGroup *group; // GROUP: sync, rank, size, …
      IrJoin join;
      const char *reason; // of a join's decision, for --explain-sync
      const char *array;  // the array that decided it, or NULL
    } group;

    IrAccess access; // ACCESS

    struct { // TEXT: printf, assert, trap, assume
      const char *text;
      IrOrder order;
      IrScope scope; // fence
    } text;

    struct {             // LOOP: for, loop, block, call
      uint32_t var;      // for: iteration variable, set anew at each turn
      int64_t step;      // for: constant, not 0; thread_for: constant > 0
      bool is_signed;    // for: how lo and hi compare
      bool is_inclusive; // for: <= instead of <
      int32_t unroll;    // 0: compiler's choice, 1: none, n: n times, -1: whole
      uint32_t stages;   // software pipelining, 0: none
      const char *callee; // call
    } loop;

    struct {           // REGION_GROUP: group, thread_for
      IrGroup *group;  // current in the body
      IrGroup *parent; // current outside
      uint32_t var;    // thread_for: iteration variable
      int64_t step;    // thread_for
      int64_t count;   // thread_for: iterations N, or SIZE_UNKNOWN
      bool is_split;   // thread_for: the split form
      bool is_any;     // group: single_thread without an index
    } part;

    // COLLECTIVE: reduce and scan. By a built-in operator, or by the body:
    // it reads the variables left and right and sets result; left comes from
    // lower ranks. It runs for one pair at a time, in single threads.
    struct {
      IrGroup *group;
      IrRmw combine; // float: add min max
      bool is_exclusive;
      uint32_t left, right, result; // reduce_by, scan_by
    } collective;

    // BARRIER: operations on an element of an mbarrier array. Operands: one
    // index a dimension, then those that the operation names.
    struct {
      IrObject *object;
    } barrier;

    // COPY: operands: to's indices, from's indices (i32 or i64, signed), then
    // the barrier's indices if there is one, then the mask (i32) if has_mask.
    // COPY_BYTES has no sections: two pointers and a number of bytes (i64)
    // stand for their indices.
    struct {
      IrGroup *group; // that copies together
      IrSection to, from;
      IrObject *barrier;    // that completion is signalled on, or NULL
      bool has_mask;        // multicast to these blocks of the cluster
      uint32_t align_bytes; // COPY_BYTES: of both pointers
    } copy;

    struct { // EXIT
      struct IrNode *target;
      // loop and for: leave, or (true) go on with the next turn. An exit to a
      // block, call always leaves it.
      bool is_continue;
    } exit;
  } u;
} IrNode;

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
  IrHost *flops, *bytes;             // declared work, or NULL
  bool fast_math;
  // Along each axis launches have fewer than 2^31 threads (a fact of a variant,
  // as those of objects are).
  bool has_few_threads;
  // Each lane of a warp may go ahead of the others (likewise: a schedule drew
  // it).
  bool has_lanes_apart;
  hd_vec(IrObject *) objects; // by id
  hd_vec(IrGroup *) groups;   // by id; rows 0, 1, 2: grid, cluster, block
  hd_vec(IrVar) vars;         // by id
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
  bool is_cuda; // messages are in words of CUDA C; not in IR text
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
  return ir_op_info(node)->form == FORM_ACCESS &&
         node->u.access.order != ORDER_PLAIN;
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
bool ir_has_mbarriers(const IrKernel *kernel);
// The operation as programs call it: "arrive", of mbarriers and groups.
const char *ir_word(const IrNode *node);

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

// reduce_by or scan_by: its region is the operator, run for pairs of values.
static inline bool ir_is_operator(const IrNode *node) {
  return node->op == IR_REDUCE_BY || node->op == IR_SCAN_BY;
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
uint32_t ir_type_size(const IrModule *module, IrType type); // bytes in memory
uint32_t ir_type_bits(IrType type); // of a scalar's value: bool 1

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

static inline bool ir_is_claim(const IrNode *node) {
  return node->op >= IR_CONSUMES && node->op <= IR_READS;
}

// Operands of a claim that say which section it is.
static inline uint32_t ir_claim_bounds(const IrNode *claim) {
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
// Its result is what other threads have for its first operand.
bool ir_is_exchange(const IrNode *node);
// Inside of the operator that the program gives to a reduction or scan: the
// operation gives the variables there their values.
bool ir_is_in_operator(const IrNode *node);

// Visits every node in program order, a parent before its regions. Stops when
// the visitor returns false, which is then the result.
typedef bool (*IrVisitor)(IrNode *node, void *context);
bool ir_walk(IrRegion *region, IrVisitor visit, void *context);

// ------------------------------------------------------------ operations
// on whole modules, each in its own file

// text.c, parse.c: the text form; print∘parse is the identity.
void ir_print(const IrModule *module, Text *out);

#endif
