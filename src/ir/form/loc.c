// SPDX-License-Identifier: Apache-2.0
// The table of source locations.
#include "base/text.h"
#include "ir/form/ir.h"
#include <string.h>

// Entries of equal hash, newest first.
typedef struct LocEntry {
  IrLocId id;
  struct LocEntry *next;
} LocEntry;

static bool same_text(const char *a, const char *b) {
  return a == b || (a && b && strcmp(a, b) == 0);
}

static bool loc_same_place(Place a, Place b) {
  return a.line == b.line && a.col == b.col && a.end_line == b.end_line &&
         a.end_col == b.end_col && a.is_own == b.is_own &&
         same_text(a.file, b.file);
}

static bool same_loc(const IrLoc *a, const IrLoc *b) {
  return a->parent == b->parent && a->span.begin == b->span.begin &&
         a->span.end == b->span.end && loc_same_place(a->place, b->place) &&
         same_text(a->callee, b->callee);
}

static uint64_t loc_hash(const IrLoc *loc) {
  uint32_t words[] = {loc->place.line, loc->place.col, loc->place.end_line,
                      loc->place.end_col, loc->parent};
  return hash_bytes(words, sizeof words);
}

IrLocId ir_loc_intern(IrModule *module, const IrLoc *loc) {
  IrLoc unknown = {.span = loc->span};
  if (same_loc(loc, &unknown))
    return 0;
  uint64_t hash = loc_hash(loc);
  LocEntry *bucket = map_get(&module->loc_index, hash);
  for (LocEntry *entry = bucket; entry; entry = entry->next)
    if (same_loc(&module->locs.data[entry->id], loc))
      return entry->id;
  LocEntry *entry = ARENA_NEW(module->arena, LocEntry);
  entry->id = module->locs.count;
  entry->next = bucket;
  map_put(module->arena, &module->loc_index, hash, entry);
  VEC_PUSH(module->arena, &module->locs, *loc);
  return entry->id;
}

IrLocId ir_loc_for_users(const IrModule *module, IrLocId id) {
  for (;;) {
    const IrLoc *loc = &module->locs.data[id];
    if (!loc->parent || !loc->place.is_own)
      return id;
    id = loc->parent;
  }
}

static void loc_add_place(Text *out, const IrModule *module,
                          const Place *place) {
  const char *file = place->file ? place->file : module->name;
  text_printf(out, "%s:%u:%u", file, place->line, place->col);
}

// A parent stands before its children in the table, so chains end.
const char *ir_loc_text(const IrModule *module, IrLocId loc, Arena *arena) {
  if (loc == 0 || loc >= module->locs.count)
    return "unknown place";
  loc = ir_loc_for_users(module, loc);
  Text out = {.arena = arena};
  const IrLoc *row = &module->locs.data[loc];
  loc_add_place(&out, module, &row->place);
  for (; row->parent; row = &module->locs.data[row->parent]) {
    text_printf(&out, " (in %s, called at ", row->callee ? row->callee : "?");
    loc_add_place(&out, module, &module->locs.data[row->parent].place);
    text_add_char(&out, ')');
  }
  return text_cstr(&out);
}
