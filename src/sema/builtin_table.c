// SPDX-License-Identifier: Apache-2.0
// Looking built-in names up.
#include "sema/builtin_table.h"

static const BuiltinName names[] = {
#define NAME(name, id, type) {name, BI_##id, type},
#include "sema/type/builtin_names.def"
};

static const char *const name_list[] = {
#define NAME(name, id, type) name,
#include "sema/type/builtin_names.def"
};

static const struct {
  const char *name, *feature;
} later[] = {

#define LATER(name, feature) {name, feature},
#include "sema/type/builtin_names.def"
};

static const RefusedName refused[] = {
#define REFUSED(name, what, instead) {name, what, instead},
#include "sema/type/refused_names.def"
#undef REFUSED
};

static const BuiltinRule rules[] = {
    [BI_NONE] = RULE_NONE,
#define BUILTIN(id, rule) [BI_##id] = RULE_##rule,
#include "sema/type/builtins.def"
#undef BUILTIN
};

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

// The tables are constant; maps hold pointers into them.
static void *unconst(const void *row) {
  return (void *)(uintptr_t)row;
}

void builtin_tables_init(SemaContext *cx) {
  for (size_t i = 0; i < COUNT(names); i++)
    map_put(cx->arena, &cx->builtin_names,
            MAP_KEY(intern_cstr(cx->names, names[i].name)), unconst(&names[i]));
  for (size_t i = 0; i < COUNT(later); i++)
    map_put(cx->arena, &cx->later_names,
            MAP_KEY(intern_cstr(cx->names, later[i].name)),
            unconst(later[i].feature));
  for (size_t i = 0; i < COUNT(refused); i++)
    map_put(cx->arena, &cx->refused_names,
            MAP_KEY(intern_cstr(cx->names, refused[i].name)),
            unconst(&refused[i]));
}

const BuiltinName *builtin_find(SemaContext *cx, const char *name) {
  return map_get(&cx->builtin_names, MAP_KEY(name));
}

const char *later_find(SemaContext *cx, const char *name) {
  return map_get(&cx->later_names, MAP_KEY(name));
}

const RefusedName *refused_find(SemaContext *cx, const char *name) {
  return map_get(&cx->refused_names, MAP_KEY(name));
}

uint32_t builtin_name_list(const char *const **list) {
  *list = name_list;
  return (uint32_t)COUNT(name_list);
}

BuiltinRule builtin_rule(Builtin id) {
  return rules[id];
}
