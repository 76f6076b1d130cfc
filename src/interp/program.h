// SPDX-License-Identifier: Apache-2.0
// A kernel made flat for interpretation: one list of instructions with jumps
// instead of regions, and a slot for every scalar of every value.
//
// A thread's frame holds its variables, then its values; a value takes one
// 64-bit slot for each scalar leaf of its type. Slots are reused when the
// region of their value ends: structural dominance says that nobody can ask
// for it later. What is the same for a whole launch (constants, parameters,
// extents) is in one pool that all threads share.
//
// Tiles are in registers of their own, one a value; those of a region are used
// again behind it. A register is emptied behind the last use of its value, and
// where its region ends: no way through the program keeps more than it may
// still need.
#ifndef HD_INTERP_PROGRAM_H
#define HD_INTERP_PROGRAM_H

#include "base/status.h"
#include "ir/form/ir.h"

// A slot number with this bit counts in the pool, else in the frame.
#define SLOT_IN_POOL UINT32_C(0x80000000)

// Instructions that are no operation of the IR.
enum {
  INSN_JUMP = IR_OP_COUNT, // to target
  INSN_BRANCH,             // to target unless operand 0
  INSN_COPY,               // operand 0 to dst
  INSN_FOR_TEST,           // to target when dst is not before operand 1
  INSN_FOR_STEP,           // adds the step to dst, then to target
  INSN_GROUP,              // enters the group or jumps to target
  INSN_SPLIT,              // enters the part and sets dst, thread_for
  INSN_STRIDE_START,       // dst = turn 0 of this thread
  INSN_STRIDE_TEST,        // sets the variable, or to target at the end
  INSN_STRIDE_STEP,        // next turn, then to target
  INSN_ZERO,               // dst = 0: a counted loop begins
  INSN_COUNT,              // dst = dst + 1: its turn begins
  INSN_TILE_SET,           // operand 0, a tile, to register dst
  INSN_TILE_DROP,          // of n_slots registers from dst on
  INSN_RETURN,             // the end of an operator
  INSN_END,
};

typedef struct {
  uint16_t op;      // IrOp or INSN_…
  uint8_t kind;     // IrTypeKind of operand 0, of the result without operands
  uint8_t to_kind;  // of the result; both of tiles: of the elements
  bool is_tile;     // an operation on tiles, see tile.h
  uint32_t dst;     // first slot of the result; of a tile: its register
  uint32_t n_slots; // of the result; of memory operations: of the value
  uint32_t args;    // index into Program.args
  uint32_t target;
  uint32_t extra; // slot: hi of a strided thread_for is args, this the turn;
                  // reduce_by, scan_by: where the operator begins
  const IrNode *node;
} Insn;

// A loop whose turns are counted, because threads are gathered in it.
typedef struct {
  const IrNode *node;
  uint32_t begin, end; // instructions
  uint32_t slot;       // of the number of turns begun
} CountedLoop;

// The scalars of a type in memory.
typedef struct {
  uint32_t n_slots;
  uint8_t *kinds;    // IrTypeKind
  uint32_t *offsets; // bytes
} TypeLayout;

typedef struct {
  Arena *arena;
  const IrKernel *kernel;
  hd_vec(Insn) code;
  hd_vec(uint32_t) args;
  hd_vec(uint64_t) pool;
  uint32_t *var_slots;  // by variable; of tiles: registers
  uint32_t frame_slots; // most that are in use at once
  uint32_t n_tiles;     // registers for tiles
  hd_vec(CountedLoop) loops;
  uint32_t *loop_of;                    // by node id: index + 1 into loops
  TypeLayout *structs;                  // by struct row
  TypeLayout scalars[IR_TYPE_COUNT][5]; // by kind and lanes
} Program;

struct Launch;

// Flattens the kernel for one launch. HD_ERROR_UNSUPPORTED with *why for what
// can't be interpreted (groups above the block).
HdStatus program_build(Arena *arena, const IrKernel *kernel,
                       const struct Launch *launch, Program *out,
                       const char **why);

const TypeLayout *program_layout(const Program *program, IrType type);

#endif
