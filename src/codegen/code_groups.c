// SPDX-License-Identifier: Apache-2.0
#include "codegen/code_groups.h"
#include "codegen/code_parts.h"

#define MAX_BLOCK 1024
#define WARP      32

struct CodePartTable {
  Arena *arena;
  uint32_t n_threads; // of a block
  CodeParts **parts;  // by group id, once asked for; NULL: not constant
  bool *knows;        // by group id
};

CodePartTable *code_part_table(Arena *arena, const IrKernel *kernel) {
  CodePartTable *table = ARENA_NEW(arena, CodePartTable);
  const int32_t *dim = kernel->block_dim;
  table->arena = arena;
  table->n_threads = (uint32_t)(dim[0] * dim[1] * dim[2]);
  table->parts = ARENA_ARRAY(arena, CodeParts *, kernel->groups.count);
  table->knows = ARENA_ARRAY(arena, bool, kernel->groups.count);
  return table;
}

bool code_is_scattered(const IrGroup *group) {
  while (group && !code_is_lane_set(group))
    group = group->parent;
  return group != NULL;
}

int64_t code_part_size(const CodePartTable *table, const IrGroup *group) {
  if (group->kind == GROUP_BLOCK)
    return table->n_threads;
  if (group->kind == GROUP_THREAD || group->kind == GROUP_SINGLE)
    return 1;
  return group->size > 0 ? group->size : 0;
}

bool code_tile_size(const IrGroup *group, int64_t *size) {
  const IrNode *maker = group->maker;
  if (group->kind != GROUP_TILED)
    return false;
  *size = group->size;
  if (maker != NULL && maker->n_args > 0)
    return code_const_int(maker->args[0], size) && *size > 0;
  return *size > 0;
}

// ----------------------------------------------------------------- parts

static bool constant_begin(const IrGroup *group, int64_t *begin) {
  const IrNode *maker = group->maker;
  *begin = group->begin;
  if (maker != NULL && maker->op == IR_GROUP && maker->n_args > 0)
    return code_const_int(maker->args[0], begin);
  if (group->kind == GROUP_SINGLE && *begin < 0) {
    *begin = 0; // any thread: the first
    return true;
  }
  return *begin >= 0;
}

static CodeParts *parts_new(CodePartTable *table, uint32_t n) {
  CodeParts *parts = ARENA_NEW(table->arena, CodeParts);
  parts->data = ARENA_ARRAY(table->arena, CodePart, n ? n : 1);
  return parts;
}

static void code_groups_add_part(CodeParts *parts, int64_t begin, int64_t end) {
  parts->data[parts->count++] =
      (CodePart){.begin = (int32_t)begin, .end = (int32_t)end};
}

// Pieces of `size` of each part of the parent, the last ragged.
static CodeParts *pieces(CodePartTable *table, const CodeParts *outer,
                         int64_t size) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < outer->count; i++) {
    int64_t threads = outer->data[i].end - outer->data[i].begin;
    n += (uint32_t)((threads + size - 1) / size);
  }
  CodeParts *parts = parts_new(table, n);
  for (uint32_t i = 0; i < outer->count; i++) {
    int64_t last = outer->data[i].end;
    for (int64_t at = outer->data[i].begin; at < last; at += size)
      code_groups_add_part(parts, at, at + size < last ? at + size : last);
  }
  return parts;
}

static CodeParts *ranges(CodePartTable *table, const CodeParts *outer,
                         const IrGroup *group) {
  int64_t begin, size = code_part_size(table, group);
  if (!constant_begin(group, &begin) || begin < 0 || begin > MAX_BLOCK ||
      size <= 0 || size > MAX_BLOCK)
    return NULL;
  CodeParts *parts = parts_new(table, outer->count);
  for (uint32_t i = 0; i < outer->count; i++)
    code_groups_add_part(parts, outer->data[i].begin + begin,
                         outer->data[i].begin + begin + size);
  return parts;
}

static CodeParts *find_parts(CodePartTable *table, const IrGroup *group) {
  int64_t size;
  if (group->kind <= GROUP_BLOCK) {
    CodeParts *parts = parts_new(table, 1);
    code_groups_add_part(parts, 0, table->n_threads);
    return parts;
  }
  const CodeParts *outer = code_parts_of(table, group->parent);
  if (outer == NULL)
    return NULL;
  switch (group->kind) {
  case GROUP_WARP: return pieces(table, outer, WARP);
  case GROUP_THREAD: return pieces(table, outer, 1);
  case GROUP_SPLIT:
    return group->size > 0 ? pieces(table, outer, group->size) : NULL;
  case GROUP_TILED:
    return code_tile_size(group, &size) ? pieces(table, outer, size) : NULL;
  case GROUP_RANGE:
  case GROUP_SINGLE: return ranges(table, outer, group);
  case GROUP_GRID:
  case GROUP_CLUSTER:
  case GROUP_BLOCK:
  case GROUP_LABELED:
  case GROUP_COALESCED:
  case GROUP_KIND_COUNT: break;
  }
  return NULL;
}

const CodeParts *code_parts_of(CodePartTable *table, const IrGroup *group) {
  if (!table->knows[group->id]) {
    table->knows[group->id] = true;
    table->parts[group->id] = find_parts(table, group);
  }
  return table->parts[group->id];
}

uint32_t code_most_parts(CodePartTable *table, const IrGroup *group) {
  if (group->kind == GROUP_RANGE || group->kind == GROUP_SINGLE ||
      group->kind <= GROUP_BLOCK || code_is_scattered(group) ||
      (group->kind == GROUP_THREAD && !code_is_computed(group) &&
       !group->maker->u.part.is_split))
    return 1;
  const CodeParts *outer = code_parts_of(table, group->parent);
  const CodeParts *parts = code_parts_of(table, group);
  if (outer == NULL || parts == NULL || parts->count == 0)
    return 1;
  uint32_t most = 1, at = 0;
  for (uint32_t i = 0; i < outer->count; i++) {
    uint32_t first = at;
    while (at < parts->count && parts->data[at].begin < outer->data[i].end)
      at++;
    most = at - first > most ? at - first : most;
  }
  return most;
}

uint32_t code_part_instances(CodePartTable *table, const IrGroup *group) {
  uint32_t count = 1;
  for (; group && group->kind > GROUP_BLOCK; group = group->parent)
    count *= code_most_parts(table, group);
  return count > table->n_threads ? table->n_threads : count;
}
