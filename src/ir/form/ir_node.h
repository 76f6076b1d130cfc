// SPDX-License-Identifier: Apache-2.0
// Variables and nodes: one operation each, with what its form says.
#ifndef HD_IR_FORM_IR_NODE_H
#define HD_IR_FORM_IR_NODE_H

#include "ir/form/ir_object.h"
#include "ir/form/ops.h"

#include <stdbool.h>
#include <stdint.h>

// ------------------------------------------------------------- variables

typedef struct {
  uint32_t id;
  const char *name; // of the source variable, or NULL for a temporary
  IrType type;
  IrLocId loc;
  // Counts what a thread does one by one: no run is long enough for it to get
  // near the ends of 64 bits. For checks; not in the text.
  bool counts;
  // A turn of this loop, LOOP, FOR or THREAD_FOR, begins without a value of it:
  // the source declares it inside. NULL: only the kernel begins so.
  struct IrNode *loop;
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

// One dimension of a section of an array that is loaded or stored as a tile.
typedef enum {
  SECTION_INDEX,  // one index: no dimension of the tile
  SECTION_RANGE,  // `length` elements from the index on: its next dimension
  SECTION_GATHER, // an index for each element of a tile: the dimensions of that
                  // tile stand at the first of these; all have one shape
} IrSectionKind;

// How two elements of a tile become one. Floats: FMIN and FMAX as `fmin` and
// `fmax`. Bools: AND, OR, XOR.
typedef enum {
  COMBINE_ADD,
  COMBINE_MUL,
  COMBINE_SMIN,
  COMBINE_SMAX,
  COMBINE_UMIN,
  COMBINE_UMAX,
  COMBINE_FMIN,
  COMBINE_FMAX,
  COMBINE_AND,
  COMBINE_OR,
  COMBINE_XOR,
} IrCombine;

// The operator in the body of an operation: it reads the variables left and
// right and sets result; left comes from lower ranks, or lower indices of a
// tile. It runs for one pair at a time, in single threads. Of tile_map: it
// reads left, an element, and has no right.
typedef struct {
  uint32_t left, right, result;
} IrOperator;

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
  // Of a printf: what the thread prints next is written in one piece with it.
  NODE_MORE = 4096,
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
      IrScope scope;            // fence
      uint32_t unsigned_leaves; // TILE_PRINT of structs: bit k is leaf k's
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

    // Of operations with an operator (ir_is_operator), COLLECTIVE and TILE.
    IrOperator by;

    // COLLECTIVE: reduce and scan. By a built-in operator, or by the body.
    struct {
      IrOperator by; // reduce_by, scan_by
      IrGroup *group;
      IrRmw combine; // float: add min max
      bool is_exclusive;
    } collective;

    // TILE: operations on tiles. What a row doesn't name in its line is 0.
    struct {
      IrOperator by;     // tile_map, tile_reduce_by, tile_scan_by
      IrCombine combine; // tile_reduce, tile_arg, tile_scan
      uint8_t axis;      // the one along which it works
      uint8_t axes;      // tile_reduce, tile_arg: bit k, axis k is reduced
      bool is_exclusive; // scans
      bool is_reverse;   // scans: from the end
      bool is_fast;      // tile_mma: fast_acc
      uint8_t n_numbers; // used of numbers
      int32_t numbers[IR_MAX_TILE_RANK]; // one an axis; tile_roll: one
    } tile;

    // SECTION: loads, stores and atomics of tiles. Operands, in this order,
    // those that exist: for each dimension of the object its index (i32, i64;
    // GATHER: a tile of integers) · with a view, for each dimension the first
    // element of the view, from which the index counts, and the one after its
    // last (i64) · mask (a tile of bool) · value outside (tile_load; a scalar)
    // · value (tile_store, tile_rmw; a tile) · for tile_cas compare and value.
    struct {
      IrObject *object;
      IrSectionKind kind[IR_MAX_RANK]; // of each dimension
      uint32_t length[IR_MAX_RANK];    // RANGE: elements
      bool has_view, has_mask, has_pad;
      bool is_unchecked; // the program promises that nothing is outside
      bool is_update;    // load or store of one `op=`: they count as one touch
      IrOrder order;     // tile_rmw, tile_cas
      IrScope scope;
      IrHint hint;
      IrRmw rmw;
    } section;

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
      IrRmw rmw;            // TMA_REDUCE: add, min, max, and, or, xor
    } copy;

    struct { // EXIT
      struct IrNode *target;
      // loop and for: leave, or (true) go on with the next turn. An exit to a
      // block, call always leaves it.
      bool is_continue;
    } exit;
  } u;
} IrNode;

#endif
