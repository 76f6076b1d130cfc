// SPDX-License-Identifier: Apache-2.0
// Tiles as values of the interpreter.
//
// A value is immutable once an operation has given it: its elements in
// row-major order, each as it would lie in memory (bools are 0 or 1). Variables
// and results are registers of a thread, which hold references; the last one
// frees the value. Reads of a register that holds nothing give zeros.
#ifndef HD_INTERP_TILE_H
#define HD_INTERP_TILE_H

#include "interp/machine.h"

typedef struct TileValue {
  struct TileValue *previous, *next; // all that the machine has
  uint32_t n_references;
  uint64_t size_bytes;
  char *bytes;
} TileValue;

// ------------------------------------------------------------ tile_value.c

// A new value of the type, of one element if it is no tile, zeroed; one
// reference is the caller's. NULL after a fault.
TileValue *tile_new(Machine *m, const Thread *t, const IrNode *node,
                    IrType type);
// The same of that many bytes.
TileValue *tile_new_bytes(Machine *m, const Thread *t, const IrNode *node,
                          uint64_t size_bytes);
// Gives up a reference; NULL is accepted.
void tile_release(Machine *m, TileValue *value);
void tile_release_all(Machine *m);
// Operand `index`, a tile or a value that becomes its only element. A new
// reference; NULL after a fault.
TileValue *tile_operand(Machine *m, Thread *t, const Insn *insn,
                        uint32_t index);
// The result of the instruction; takes the reference. NULL: there was a fault,
// and false is returned.
bool tile_give(Machine *m, Thread *t, const Insn *insn, TileValue *value);
// IR_GET and IR_SET of variables that are tiles, and the end of a value.
bool tile_get(Machine *m, Thread *t, const Insn *insn);
void tile_set(Machine *m, Thread *t, const Insn *insn);
void tile_drop(Machine *m, Thread *t, uint32_t first, uint32_t count);

// An element between memory and slots.
void tile_unpack(const TypeLayout *layout, const char *bytes, uint64_t *slots);
void tile_pack(const TypeLayout *layout, const uint64_t *slots, char *bytes);

// Of the type of a tile, or of another type, which has one element.
uint32_t tile_element_bytes(const Machine *m, IrType type);
const TypeLayout *tile_layout(const Machine *m, IrType type);

// ------------------------------------------------------------------ shapes

// Elements that differ along one axis: element i of line (before, behind) is
// number (before * count + i) * step + behind.
typedef struct {
  uint32_t n_before, count, step;
} TileLines;

TileLines tile_lines(const IrTileShape *shape, uint32_t axis);
// In elements; of row-major order.
void tile_strides(const IrTileShape *shape, int64_t *strides);
// Index of the next element in row-major order. False: that was the last.
bool tile_next(uint32_t rank, const uint32_t *extents, uint32_t *at);

// The bits of all elements in a row, in elements of another type; rows along
// the last axis have whole elements.
void tile_regroup(TileValue *to, IrType to_type, const TileValue *from,
                  IrType from_type); // tile_cast.c

// ------------------------------------------------------------- tile_memo.c

// NONE: what the operation gives isn't kept. OPEN: not this time.
typedef enum { TILE_MEMO_NONE, TILE_MEMO_OPEN, TILE_MEMO_GIVEN } TileMemoAnswer;

// See Note [What a group computes once].
TileMemoAnswer tile_memo_give(Machine *m, Thread *t, const Insn *insn);
void tile_memo_keep(Machine *m, Thread *t, const Insn *insn);
// The same of products in matrix units, of their three operands; NULL: not
// known.
const TileValue *tile_memo_product(const Machine *m, const IrNode *node,
                                   TileValue *const *operands);
void tile_memo_keep_product(Machine *m, const IrNode *node,
                            TileValue *const *operands, TileValue *result);
void tile_memo_free(Machine *m);

// ------------------------------------------------------------------ families

// Operations on tiles, of any family. False after a fault.
bool tile_operation(Machine *m, Thread *t, const Insn *insn);

bool tile_move(Machine *m, Thread *t, const Insn *insn);   // tile_move.c
bool tile_lift(Machine *m, Thread *t, const Insn *insn);   // tile_lift.c
bool tile_map(Machine *m, Thread *t, const Insn *insn);    // tile_lift.c
bool tile_reduce(Machine *m, Thread *t, const Insn *insn); // tile_combine.c
bool tile_arg(Machine *m, Thread *t, const Insn *insn);    // tile_combine.c
bool tile_scan(Machine *m, Thread *t, const Insn *insn);   // tile_combine.c
bool tile_sort(Machine *m, Thread *t, const Insn *insn);   // tile_sort.c
bool tile_count(Machine *m, Thread *t, const Insn *insn);  // tile_sort.c
bool tile_cast(Machine *m, Thread *t, const Insn *insn);   // tile_cast.c
bool tile_mma(Machine *m, Thread *t, const Insn *insn);    // tile_mma.c
// The product that the node is, of these operands, into `to`.
bool tile_product(Machine *m, Thread *t, const IrNode *node, const TileValue *a,
                  const TileValue *b, const TileValue *acc, TileValue *to);
bool tile_wgmma(Machine *m, Thread *t, const Insn *insn);  // matrix.c
bool tile_tensor(Machine *m, Thread *t, const Insn *insn); // matrix.c
bool tile_tensor_lanes(Machine *m, Thread *t, const Insn *insn);
bool tile_mma_scaled(Machine *m, Thread *t, const Insn *insn); // tile_scaled.c
bool tile_section(Machine *m, Thread *t, const Insn *insn);    // tile_section.c
bool tile_at(Machine *m, Thread *t, const Insn *insn);         // tile_threads.c
// For all threads of a meeting.
bool tile_collect(Machine *m, Thread *t, Meeting *meeting); // tile_threads.c
bool tile_print(Machine *m, Thread *t, const Insn *insn);   // tile_print.c
bool tile_assert(Machine *m, Thread *t, const Insn *insn);  // tile_lift.c

#endif
