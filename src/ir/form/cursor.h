// SPDX-License-Identifier: Apache-2.0
// Going over a tree of regions without recursion, with the ends of regions.
//
//   IrCursor cursor = cursor_at(&kernel->body);
//   while (cursor_next(&cursor)) switch (cursor.event) { … }
//
// Events of one region: CURSOR_ENTER, its nodes (each followed by the events
// of its regions), CURSOR_LEAVE. The tree must not be edited meanwhile.
#ifndef HD_IR_FORM_CURSOR_H
#define HD_IR_FORM_CURSOR_H

#include "ir/form/ir.h"

typedef enum {
  CURSOR_START,
  CURSOR_ENTER, // `region`
  CURSOR_NODE,  // `node`, in `region`
  CURSOR_LEAVE, // `region`
} IrCursorEvent;

typedef struct {
  IrCursorEvent event;
  const IrRegion *top, *region;
  const IrNode *node;
} IrCursor;

static inline IrCursor cursor_at(const IrRegion *top) {
  IrCursor cursor = {CURSOR_START, top, top, NULL};
  return cursor;
}

static inline bool cursor_to_node(IrCursor *cursor, const IrNode *node) {
  cursor->event = node ? CURSOR_NODE : CURSOR_LEAVE;
  cursor->node = node;
  return true;
}

static inline bool cursor_enter(IrCursor *cursor, const IrRegion *region) {
  cursor->event = CURSOR_ENTER;
  cursor->region = region;
  return true;
}

static inline bool cursor_after_region(IrCursor *cursor) {
  if (cursor->region == cursor->top)
    return false;
  const IrNode *owner = cursor->region->owner;
  const IrRegion *next = cursor->region + 1;
  if (next < owner->regions + owner->n_regions)
    return cursor_enter(cursor, next);
  cursor->region = owner->region;
  return cursor_to_node(cursor, owner->next);
}

// False when the end of the top region was reported.
static inline bool cursor_next(IrCursor *cursor) {
  switch (cursor->event) {
  case CURSOR_START: return cursor_enter(cursor, cursor->top);
  case CURSOR_ENTER: return cursor_to_node(cursor, cursor->region->first);
  case CURSOR_NODE:
    if (cursor->node->n_regions)
      return cursor_enter(cursor, &cursor->node->regions[0]);
    return cursor_to_node(cursor, cursor->node->next);
  case CURSOR_LEAVE: break;
  }
  return cursor_after_region(cursor);
}

#endif
