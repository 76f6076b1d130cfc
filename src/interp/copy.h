// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies under way, and products of matrix units, which are kept
// and waited for as copies are.
#ifndef HD_INTERP_COPY_H
#define HD_INTERP_COPY_H

#include "interp/machine.h"

// One side of a rectangle, as it was when the copy was asked for.
typedef struct {
  const ObjectPlace *place;
  char *base;
  int64_t from[IR_MAX_RANK]; // index of the first element
  const int64_t *length;
} Side;

typedef enum {
  MATRIX_NONE,
  MATRIX_LOAD,
  MATRIX_PRODUCT,
  MATRIX_STORE,  // tensor memory
  MATRIX_ARRIVE, // tcgen05_commit
} MatrixKind;

struct TileValue;

// What a matrix unit does: wgmma_load, wgmma_mma; a tensor core: tcgen05_….
typedef struct {
  MatrixKind kind;
  bool is_tensor, is_from_zero; // its sums begin with zeros
  char *first;                  // LOAD: of its section
  int64_t step[2];              // bytes
  uint32_t extents[2];          // elements
  // The result, which is made when the work is done, and operands. STORE: to
  // is what is stored.
  struct TileValue *to, *a, *b, *acc;
} MatrixWork;

struct Copy {
  const IrNode *node;
  Thread *t; // that asked for it
  bool has_landed;
  uint64_t part;     // number among all parts, for observers
  uint32_t n_owners; // lists that hold it
  uint32_t set;      // number of the closed set it belongs to; 0: open
  uint64_t key;      // memcpy_async: of the group
  uint64_t number;   // memcpy_async: of the thread's copies for the group
  Mbarrier *barrier;
  int64_t bytes; // that the barrier counts; 0: an arrival
  Side to, from;
  int64_t first, end; // elements, or bytes of a plain copy
  char *to_bytes;     // plain copy
  const char *from_bytes;
  MatrixWork matrix; // of a matrix unit
  char *read;        // what was read, before it is written; NULL: it wasn't yet
};

// In lowered programs, what a matrix unit touches: nothing is moved.
static inline bool copy_only_tells(const Copy *copy) {
  return copy->node->op == IR_WGMMA_READ || copy->node->op == IR_TENSOR_TOUCH;
}

// A new one of the thread, in the list of those that are pending.
Copy *copy_new(Machine *m, Thread *t, const IrNode *node);
void copy_queue(Machine *m, CopyQueue *list, Copy *copy);
void copy_tell_part(const Machine *m, const Thread *t, const Copy *copy,
                    const IrGroup *group, ObservedDone done);
bool copy_land(Machine *m, Copy *copy);
void copy_drop(Machine *m, Copy *copy);

// matrix.c: the work and all that the thread's unit was given before it.
bool matrix_land(Machine *m, Copy *copy);
// What the thread's part reads.
void matrix_tell(const Machine *m, const Copy *copy);

#endif
