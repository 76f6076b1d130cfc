// SPDX-License-Identifier: Apache-2.0
// What an operation does to memory, and which events it waits for and makes:
// the one place that knows it.
#ifndef HD_IR_ANALYSES_TOUCHES_H
#define HD_IR_ANALYSES_TOUCHES_H

#include "ir/form/ir.h"

typedef enum {
  IR_TOUCH_MEMORY, // reads or writes
  IR_TOUCH_ORDER,  // orders what the thread touched before, or touches behind
  IR_TOUCH_WAIT,   // may not go on before the event
  IR_TOUCH_SIGNAL, // makes the event happen, at once or when a copy has landed
} IrTouchKind;

typedef enum {
  IR_TOUCH_ELEMENT, // a value of `type` at an address
  IR_TOUCH_SECTION, // a rectangle of elements
  IR_TOUCH_BYTES,   // a row of bytes
  IR_TOUCH_TILE,    // the elements that a node of the form SECTION names
} IrTouchShape;

// Pointers are into the node, and none is NULL where nothing else is said.
typedef struct {
  IrTouchKind kind;
  // MEMORY: what is touched. ORDER, WAIT and SIGNAL at an mbarrier: its array.
  // NULL: no mbarrier, or memory that `pointer` leads to.
  const IrObject *object;
  const IrNode *pointer; // NULL: the object is known, or it isn't MEMORY
  // The operands that are indices: the object's rank, or none (its start). Of a
  // SECTION: of its first element, with as many `length`s.
  IrNode *const *index;
  uint32_t n_index;
  const IrGroup *group; // that does it together; NULL: each thread by itself
  IrOrder order;        // PLAIN: not atomic, ORDER: what it orders
  IrScope scope;        // where it isn't PLAIN
  IrProxy proxy;        // MEMORY: by which it reaches memory

  // MEMORY
  IrTouchShape shape;
  bool is_read, is_write, is_atomic; // a read-modify-write is all three
  bool goes_on;                      // still under way behind the node
  IrType type;                       // ELEMENT
  uint32_t offset_bytes;             // added to the address
  const IrNode *offset;              // likewise (bytes, i64), or NULL
  const int64_t *length;             // SECTION
  const IrNode *bytes;               // BYTES: how many (i64)
  const IrNode *tile;  // TILE: the node; indices may be tiles of integers
  const IrNode *mask;  // blocks of the cluster where it is; NULL: its own
  const IrNode *guard; // nothing is touched where it is false; NULL: none
  IrBounds bounds;     // what becomes of elements outside of the extents

  IrEvent event; // WAIT, SIGNAL
} IrTouch;

typedef bool (*IrTouchVisit)(const IrTouch *touch, void *context);

// Visits what the node itself does (not its regions): first MEMORY, reads of a
// copy before its writes, then ORDER, WAIT and SIGNAL. Stops when `visit`
// returns false, which is then the result. The touch is lent for the call.
// Addresses, shuffles and claims touch nothing.
bool ir_touches(const IrNode *node, IrTouchVisit visit, void *context);

// The memory that the node writes or, if it writes none, reads. False: neither.
bool ir_main_touch(const IrNode *node, IrTouch *touch);

#endif
