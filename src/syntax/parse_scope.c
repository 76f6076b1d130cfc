// SPDX-License-Identifier: Apache-2.0
// Which identifiers name types: C's grammar needs to know. `name_kinds` maps a
// name to one of two kinds; `hidden` is the log that ends scopes.
#include "syntax/parser.h"

typedef enum { NAME_ORDINARY = 1, NAME_TYPE } NameKind;

static void *kind_mark(NameKind kind) {
  return (void *)(uintptr_t)kind;
}

uint32_t scope_open(Parser *cx) {
  return cx->hidden.count;
}

void scope_close(Parser *cx, uint32_t mark) {
  while (cx->hidden.count > mark) {
    Hidden last = VEC_POP(&cx->hidden);
    map_put(cx->arena, &cx->name_kinds, MAP_KEY(last.name), last.previous);
  }
}

void scope_declare(Parser *cx, const char *name, bool is_type) {
  if (!name)
    return;
  void *mark = kind_mark(is_type ? NAME_TYPE : NAME_ORDINARY);
  void *previous = map_get(&cx->name_kinds, MAP_KEY(name));
  if (previous == mark || (!previous && !is_type))
    return;
  Hidden entry = {.name = name, .previous = previous};
  VEC_PUSH(cx->arena, &cx->hidden, entry);
  map_put(cx->arena, &cx->name_kinds, MAP_KEY(name), mark);
}

bool scope_is_type(const Parser *cx, const char *name) {
  return map_get(&cx->name_kinds, MAP_KEY(name)) == kind_mark(NAME_TYPE);
}

void scope_add_builtins(Parser *cx) {
  static const char *const names[] = {
#define TYPE_NAME(name) #name,
#include "syntax/type_names.def"
#undef TYPE_NAME
  };
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
    map_put(cx->arena, &cx->name_kinds,
            MAP_KEY(intern_cstr(cx->interner, names[i])), kind_mark(NAME_TYPE));
}
