// SPDX-License-Identifier: Apache-2.0
// Where the parts of groups lie in a block.
//
// A part of a group is contiguous (ranks follow those of the block) or
// scattered: labeled and coalesced groups are sets of one warp's lanes, and so
// is whatever is a part of one.
#ifndef HD_CODEGEN_CODE_GROUPS_H
#define HD_CODEGEN_CODE_GROUPS_H

#include "ir/form/ir.h"

// Threads of a block by rank: [begin, end).
typedef struct {
  int32_t begin, end;
} CodePart;

typedef struct {
  CodePart *data; // ascending
  uint32_t count;
} CodeParts;

// Of one kernel. Answers are found on demand and remembered.
typedef struct CodePartTable CodePartTable;

CodePartTable *code_part_table(Arena *arena, const IrKernel *kernel);

static inline bool code_is_lane_set(const IrGroup *group) {
  return group->kind == GROUP_LABELED || group->kind == GROUP_COALESCED;
}

bool code_is_scattered(const IrGroup *group);

// Rank and part are computed from the parent at each use; those of others are
// known where their statement is entered.
static inline bool code_is_computed(const IrGroup *group) {
  return group->kind == GROUP_WARP || group->kind == GROUP_TILED ||
         code_is_lane_set(group) ||
         (group->kind == GROUP_THREAD && group->maker == NULL);
}

// Threads of every part, 0 where they differ or aren't constant.
int64_t code_part_size(const CodePartTable *table, const IrGroup *group);
// The constant of a tiled partition.
bool code_tile_size(const IrGroup *group, int64_t *size);
// Where parts of the group lie in a block; NULL if that isn't constant.
const CodeParts *code_parts_of(CodePartTable *table, const IrGroup *group);
// Parts that one part of the parent has at most; of all in a block, so that a
// shared array has one instance for each.
uint32_t code_most_parts(CodePartTable *table, const IrGroup *group);
uint32_t code_part_instances(CodePartTable *table, const IrGroup *group);

#endif
