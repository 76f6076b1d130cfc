// SPDX-License-Identifier: Apache-2.0
// Between the files of groups and collectives: who executes an operation, and
// values on their way from thread to thread.
#ifndef HD_CODEGEN_NVPTX_LLVM_NVPTX_TEAM_H
#define HD_CODEGEN_NVPTX_LLVM_NVPTX_TEAM_H

#include "codegen/nvptx/llvm_nvptx.h"

enum { NV_MAX_LEAVES = 32, NV_MAX_WORDS = 8 };

// --- llvm_nvptx_group.c
// The warp's lanes that exist: the last warp of a block may be ragged.
LLVMValueRef nv_all_lanes(NvEmit *e);
// Lanes of this warp in this thread's part, also of a group of several warps.
LLVMValueRef nv_lanes_here(NvEmit *e, const IrGroup *group);
// The lane of a rank, in a group within a warp.
LLVMValueRef nv_lane_of_rank(NvEmit *e, const IrGroup *group,
                             LLVMValueRef rank);
// Lanes of `sync` that hold the value of `node` that this one holds: ballots
// where it is a number of a small range, else matches.
LLVMValueRef nv_same_lanes(NvEmit *e, const IrNode *node, LLVMValueRef sync);
// Bits below the n-th, n < 32.
LLVMValueRef nv_low_bits(NvEmit *e, LLVMValueRef n);
LLVMValueRef nv_popcount(NvEmit *e, LLVMValueRef v);
LLVMValueRef nv_lowest_bit(NvEmit *e, LLVMValueRef v); // its place; v != 0
LLVMValueRef nv_cluster_rank(NvEmit *e);               // of the block, i32
LLVMValueRef nv_cluster_size(NvEmit *e);
LLVMValueRef nv_block_number(NvEmit *e); // linear, i64
LLVMValueRef nv_block_count(NvEmit *e);

// --- llvm_nvptx_team.c
// Who is together at a collective of a group within a warp.
typedef struct {
  const IrGroup *group;
  const NvGroupPlan *row;
  LLVMValueRef sync; // member mask: these lanes execute it together
  bool is_warp;      // all lanes of the warp
} NvTeam;

const IrGroup *nv_warp_row(const NvEmit *e);
NvTeam nv_team(NvEmit *e, const IrNode *node, const IrGroup *group);
// All threads of `group` are at the node together.
bool nv_is_together(const NvEmit *e, const IrNode *node, const IrGroup *group);

LLVMValueRef nv_ballot(NvEmit *e, LLVMValueRef sync, LLVMValueRef holds);
LLVMValueRef nv_vote_any(NvEmit *e, LLVMValueRef sync, LLVMValueRef holds);
// shfl.sync of one word: mode idx, up, down, bfly.
LLVMValueRef nv_shfl(NvEmit *e, const char *mode, LLVMValueRef sync,
                     LLVMValueRef word, LLVMValueRef by, uint32_t clamp);
// redux.sync; `is_float` has only min and max, from sm_100 on.
LLVMValueRef nv_redux(NvEmit *e, LLVMValueRef sync, IrRmw combine,
                      LLVMValueRef word);

// Leaves of a value packed into words: a leaf lies where its size divides the
// place. Where the next leaf begins, in bits.
uint32_t nv_leaf_bits(IrType type);
uint32_t nv_place_leaf(uint32_t bits, IrType type);

typedef struct {
  uint32_t n;
  LLVMValueRef words[NV_MAX_WORDS];
} NvWords;

typedef struct {
  uint32_t n;
  IrType types[NV_MAX_LEAVES];
  LLVMValueRef v[NV_MAX_LEAVES];
} NvLeaves;

NvLeaves nv_leaves(NvEmit *e, const IrNode *node); // of a node's value
void nv_set_leaves(NvEmit *e, const IrNode *node, const NvLeaves *leaves);
NvWords nv_pack(NvEmit *e, const NvLeaves *leaves);
void nv_unpack(NvEmit *e, const NvWords *words, NvLeaves *leaves);
// Each leaf as another lane has it: shfl.sync of all words.
NvLeaves nv_move(NvEmit *e, const NvLeaves *leaves, const char *mode,
                 LLVMValueRef sync, LLVMValueRef by, uint32_t clamp);
NvLeaves nv_choose(NvEmit *e, LLVMValueRef condition, const NvLeaves *a,
                   const NvLeaves *b);

// --- llvm_nvptx_range.c
// Integers between lo and hi at every execution; false if nothing is known.
bool nv_value_range(const NvEmit *e, const IrNode *node, int64_t *lo,
                    int64_t *hi);

// --- llvm_nvptx_scratch.c: see Note [Scratch of groups]
typedef struct {
  const NvGroupPlan *row;
  LLVMValueRef base; // of this turn's buffer, in shared memory
} NvScratch;

// Offset of this turn's buffer in bytes, i64; the next turn has the other one.
LLVMValueRef nv_scratch_turn(NvEmit *e, const IrGroup *group);
NvScratch nv_scratch(NvEmit *e, const IrGroup *group);
void nv_scratch_store(NvEmit *e, const NvScratch *s, LLVMValueRef element,
                      const NvLeaves *value);
void nv_scratch_load(NvEmit *e, const NvScratch *s, LLVMValueRef element,
                     NvLeaves *value);
// Elements from `first` on; its number is a multiple of `align`.
void nv_scratch_load_row(NvEmit *e, const NvScratch *s, LLVMValueRef first,
                         uint32_t align, NvLeaves *values, uint32_t n);
// Behind the last load.
void nv_scratch_done(NvEmit *e, const NvScratch *s, const IrGroup *group,
                     const IrNode *node);

// --- llvm_nvptx_fold.c: operators
typedef struct {
  const IrNode *node;
  bool is_operator; // of the program
  IrRmw combine;
  NvLeaves now; // of this thread
} NvFold;

NvFold nv_fold(NvEmit *e, const IrNode *node);
// Any order of combination gives the same bits, whatever goes in.
bool nv_is_free(const NvFold *f);
// Operands may be exchanged.
bool nv_commutes(const NvFold *f);
// left op right where `where` holds (NULL: everywhere), else `otherwise`.
NvLeaves nv_apply(NvEmit *e, const NvFold *f, const NvLeaves *left,
                  const NvLeaves *right, LLVMValueRef where,
                  const NvLeaves *otherwise);
LLVMValueRef nv_identity(NvEmit *e, IrRmw combine, IrType type);
NvLeaves nv_identities(NvEmit *e, const NvFold *f);

// --- llvm_nvptx_reduce.c, llvm_nvptx_scan.c: within a warp
// f->now = the reduction of the part, in all of its lanes.
void nv_reduce_lanes(NvEmit *e, NvFold *f, const NvTeam *team);
// The first `n` lanes of the warp, all lanes of which are there.
void nv_reduce_first(NvEmit *e, NvFold *f, LLVMValueRef n, uint32_t most);
void nv_scan_lanes(NvEmit *e, NvFold *f, const NvTeam *team); // inclusive
void nv_scan_first(NvEmit *e, NvFold *f, LLVMValueRef n, uint32_t most);
// What the rank below holds; of rank 0 nothing that counts.
NvLeaves nv_lower_lane(NvEmit *e, const NvLeaves *value, const NvTeam *team);
void nv_emit_reduce(NvEmit *e, const IrNode *node);
void nv_emit_scan(NvEmit *e, const IrNode *node);

// --- llvm_nvptx_wide.c: parts of whole warps
NvTeam nv_whole_warp(NvEmit *e); // all lanes of this warp, which are together
void nv_reduce_wide(NvEmit *e, NvFold *f, const IrGroup *group);
// *lower, unless NULL: the value of the rank below.
void nv_scan_wide(NvEmit *e, NvFold *f, const IrGroup *group, NvLeaves *lower);
// --- llvm_nvptx_slow.c: all other parts in a block
void nv_reduce_slowly(NvEmit *e, NvFold *f, const IrGroup *group);
void nv_scan_slowly(NvEmit *e, NvFold *f, const IrGroup *group,
                    NvLeaves *lower);
// --- llvm_nvptx_blocks.c: clusters and the grid
void nv_reduce_blocks(NvEmit *e, NvFold *f, const IrGroup *group);
void nv_scan_blocks(NvEmit *e, NvFold *f, const IrGroup *group,
                    NvLeaves *lower);

// Sets of lanes by their ranks elsewhere, Note [Lanes that are left]. False:
// the reduction isn't such a union.
bool nv_emit_lanes(NvEmit *e, const IrNode *node);
// `node`: of such a set in `here`, those below a bit. The lane of the lowest
// that isn't below, and whether there is one.
bool nv_lanes_above(NvEmit *e, const IrGroup *here, const IrNode *node,
                    LLVMValueRef *lane, LLVMValueRef *is_there);

// `rank`, in `here`, as a lane, where the condition holds and tells that there
// is such a one; NULL if it isn't seen to.
LLVMValueRef nv_tested_lane(NvEmit *e, const IrGroup *here,
                            const IrNode *condition, const IrNode *rank);

#endif
