// SPDX-License-Identifier: Apache-2.0
// Reductions within a warp, in the order that the language defines.
//
// Note [Order of reductions on a GPU]
// y[i] = x[2i] op x[2i+1], until one is left. In even tiles every lane combines
// with the lane whose number differs in one bit, the lower one's value on the
// left, for bits 1, 2, 4, …: after a step, the lanes of a block of 2, 4, 8, …
// hold what one of them should. In other parts, in step d = 1, 2, 4, … every
// rank that is a multiple of 2d takes the value of rank + d, if there is one:
// where ranks follow lanes, d lanes up; in a set of lanes from a pointer to the
// rank d higher, which the step replaces by its own pointer's (pointer
// jumping). Integers are combined in any order, by the warp's own adder.
#include "codegen/code_groups.h"
#include "codegen/nvptx/llvm_nvptx_team.h"

// --------------------------------------------------------------- integers

// redux of one word over the parts of a tiled warp: all lanes take part in the
// sum of every tile, those of others with the identity.
static LLVMValueRef redux_of_tiles(NvEmit *e, const NvTeam *team, IrRmw combine,
                                   LLVMValueRef word, LLVMValueRef identity) {
  uint32_t n = team->row->tile;
  if (n == NV_WARP)
    return nv_redux(e, team->sync, combine, word);
  LLVMValueRef result = NULL;
  LLVMValueRef number =
      LLVMBuildLShr(e->b, e->lane, nv_i32(e, __builtin_ctz(n)), NV_NAME);
  for (uint32_t i = 0; i < NV_WARP / n; i++) {
    LLVMValueRef is_mine =
        LLVMBuildICmp(e->b, LLVMIntEQ, number, nv_i32(e, i), NV_NAME);
    LLVMValueRef part = LLVMBuildSelect(e->b, is_mine, word, identity, NV_NAME);
    part = nv_redux(e, team->sync, combine, part);
    result =
        result ? LLVMBuildSelect(e->b, is_mine, part, result, NV_NAME) : part;
  }
  return result;
}

// Labels of at most eight values, of which the warp makes all parts at once.
enum { MAX_LABELS = 8 };

static bool has_few_labels(const NvEmit *e, const NvTeam *team, int64_t *lo,
                           int64_t *hi) {
  const IrGroup *group = team->group;
  return group->kind == GROUP_LABELED && team->is_warp &&
         e->plan->groups[group->parent->id].tile == NV_WARP &&
         group->maker->args[0]->type.kind != IR_TYPE_PTR &&
         nv_value_range(e, group->maker->args[0], lo, hi) &&
         *hi - *lo < MAX_LABELS;
}

// Eight labels and the branch of a loop around them are more than the seven
// predicates that there are: the last label is told by bits.
static LLVMValueRef choose_by_bits(NvEmit *e, LLVMValueRef is_mine,
                                   LLVMValueRef yes, LLVMValueRef no) {
  LLVMValueRef args[3] = {LLVMBuildSExt(e->b, is_mine, e->i32, NV_NAME), yes,
                          no};
  return nv_asm(e, e->i32, "lop3.b32 $0, $1, $2, $3, 0xca;", "=r,r,r,r", args,
                3, false);
}

static LLVMValueRef choose_part(NvEmit *e, bool is_eighth, LLVMValueRef is_mine,
                                LLVMValueRef yes, LLVMValueRef no) {
  return is_eighth ? choose_by_bits(e, is_mine, yes, no)
                   : LLVMBuildSelect(e->b, is_mine, yes, no, NV_NAME);
}

static LLVMValueRef redux_of_labels(NvEmit *e, const NvTeam *team,
                                    IrRmw combine, LLVMValueRef word,
                                    int64_t identity, int64_t lo, int64_t hi) {
  const IrNode *node = team->group->maker->args[0];
  LLVMValueRef label = nv_value(e, node, 0), result = NULL;
  LLVMValueRef none = nv_i32(e, identity);
  for (int64_t i = lo; i <= hi; i++) {
    LLVMValueRef one = LLVMConstInt(LLVMTypeOf(label), (uint64_t)i, 1);
    LLVMValueRef is_mine = LLVMBuildICmp(e->b, LLVMIntEQ, label, one, NV_NAME);
    bool is_eighth = i - lo == MAX_LABELS - 1;
    LLVMValueRef part = choose_part(e, is_eighth, is_mine, word, none);
    part = nv_redux(e, team->sync, combine, part);
    result = result ? choose_part(e, is_eighth, is_mine, part, result) : part;
  }
  return result;
}

// How the sum of one word over each part is made.
typedef struct {
  NvEmit *e;
  const NvTeam *team;
  bool is_by_label;
  int64_t lo, hi;
} Redux;

static bool redux_begin(NvEmit *e, const NvTeam *team, Redux *r) {
  const NvGroupPlan *row = team->row;
  *r = (Redux){.e = e, .team = team};
  if (row->tile == NV_WARP)
    return true;
  if (row->tile >= 8 && team->is_warp && e->plan->n_threads % NV_WARP == 0)
    return true;
  r->is_by_label = has_few_labels(e, team, &r->lo, &r->hi);
  if (r->is_by_label)
    return true;
  // One part under its own mask; several would come one after the other.
  return row->tile == 0 && team->group->kind != GROUP_LABELED;
}

static LLVMValueRef redux(const Redux *r, IrRmw combine, LLVMValueRef word,
                          int64_t identity) {
  NvEmit *e = r->e;
  if (r->is_by_label)
    return redux_of_labels(e, r->team, combine, word, identity, r->lo, r->hi);
  if (r->team->row->tile > 0)
    return redux_of_tiles(e, r->team, combine, word, nv_i32(e, identity));
  return nv_redux(e, nv_group_mask(e, r->team->group), combine, word);
}

static int64_t identity_of(IrRmw combine) {
  bool is_ones = combine == RMW_AND || combine == RMW_UMIN;
  return combine == RMW_SMIN   ? INT32_MAX
         : combine == RMW_SMAX ? INT32_MIN
         : is_ones             ? -1
                               : 0;
}

static LLVMValueRef join_words(NvEmit *e, LLVMValueRef low, LLVMValueRef high) {
  LLVMValueRef words[2] = {low, high};
  return nv_from_words(e, ir_scalar(IR_TYPE_I64), words);
}

// Sums of both words, and s of the upper half of the low one, which 32 lanes
// can't overflow. The low words' whole sum is s 2^16 and less than 2^21 more,
// so its last 32 bits tell the rest.
static LLVMValueRef add_long(const Redux *r, LLVMValueRef words[2]) {
  NvEmit *e = r->e;
  LLVMValueRef half = nv_i32(e, 16), sum[2];
  LLVMValueRef upper = LLVMBuildLShr(e->b, words[0], half, NV_NAME);
  LLVMValueRef low = redux(r, RMW_ADD, words[0], 0);
  upper = redux(r, RMW_ADD, upper, 0);
  LLVMValueRef high = redux(r, RMW_ADD, words[1], 0);
  LLVMValueRef rest = LLVMBuildSub(
      e->b, low, LLVMBuildShl(e->b, upper, half, NV_NAME), NV_NAME);
  LLVMValueRef whole = LLVMBuildZExt(e->b, upper, e->i64, NV_NAME);
  whole = LLVMBuildShl(e->b, whole, nv_i64(e, 16), NV_NAME);
  whole = LLVMBuildAdd(e->b, whole, LLVMBuildZExt(e->b, rest, e->i64, NV_NAME),
                       NV_NAME);
  nv_to_words(e, ir_scalar(IR_TYPE_I64), whole, sum);
  return join_words(e, low, LLVMBuildAdd(e->b, sum[1], high, NV_NAME));
}

// The best high word, then the best low word of those that have it.
static LLVMValueRef best_long(const Redux *r, IrRmw combine,
                              LLVMValueRef words[2]) {
  NvEmit *e = r->e;
  bool is_min = combine == RMW_SMIN || combine == RMW_UMIN;
  IrRmw low_combine = is_min ? RMW_UMIN : RMW_UMAX;
  int64_t none = identity_of(low_combine);
  LLVMValueRef high = redux(r, combine, words[1], identity_of(combine));
  LLVMValueRef has = LLVMBuildICmp(e->b, LLVMIntEQ, words[1], high, NV_NAME);
  LLVMValueRef low =
      LLVMBuildSelect(e->b, has, words[0], nv_i32(e, none), NV_NAME);
  return join_words(e, redux(r, low_combine, low, none), high);
}

static bool is_signed(IrRmw combine) {
  return combine == RMW_SMIN || combine == RMW_SMAX;
}

static LLVMValueRef reduce_integer(const Redux *r, IrRmw combine, IrType type,
                                   LLVMValueRef v) {
  NvEmit *e = r->e;
  LLVMValueRef words[2];
  bool is_best =
      is_signed(combine) || combine == RMW_UMIN || combine == RMW_UMAX;
  if (ir_type_bits(type) > 32) {
    nv_to_words(e, type, v, words);
    if (combine == RMW_ADD)
      return add_long(r, words);
    if (is_best)
      return best_long(r, combine, words);
    int64_t none = identity_of(combine);
    LLVMValueRef low = redux(r, combine, words[0], none);
    return join_words(e, low, redux(r, combine, words[1], none));
  }
  LLVMTypeRef own = LLVMTypeOf(v);
  LLVMValueRef word =
      LLVMBuildIntCast2(e->b, v, e->i32, is_signed(combine), NV_NAME);
  word = redux(r, combine, word, identity_of(combine));
  return LLVMBuildIntCast2(e->b, word, own, 0, NV_NAME);
}

// sm_100's adder knows float minima and maxima, too.
static bool is_float_redux(const NvEmit *e, const NvFold *f,
                           const NvTeam *team) {
  if (e->sm < 100 || f->is_operator || f->combine == RMW_ADD ||
      (team->row->tile != NV_WARP && team->row->tile != 0) ||
      team->group->kind == GROUP_LABELED)
    return false;
  for (uint32_t k = 0; k < f->now.n; k++)
    if (f->now.types[k].kind != IR_TYPE_F32)
      return false;
  return true;
}

static void reduce_float_redux(NvEmit *e, NvFold *f, const NvTeam *team) {
  bool is_min = f->combine == RMW_SMIN || f->combine == RMW_UMIN;
  const char *name =
      is_min ? "llvm.nvvm.redux.sync.fmin" : "llvm.nvvm.redux.sync.fmax";
  LLVMValueRef mask = nv_group_mask(e, team->group);
  for (uint32_t k = 0; k < f->now.n; k++) {
    LLVMValueRef args[2] = {f->now.v[k], mask};
    f->now.v[k] = nv_intrinsic(e, name, NULL, 0, args, 2);
  }
}

// ------------------------------------------------------------------ tiles

static LLVMValueRef nvptx_reduce_has_bit(NvEmit *e, LLVMValueRef v,
                                         uint32_t bit) {
  LLVMValueRef bits = LLVMBuildAnd(e->b, v, nv_i32(e, bit), NV_NAME);
  return LLVMBuildICmp(e->b, LLVMIntNE, bits, nv_i32(e, 0), NV_NAME);
}

static void butterfly(NvEmit *e, NvFold *f, LLVMValueRef sync, uint32_t n) {
  for (uint32_t d = 1; d < n; d *= 2) {
    NvLeaves other =
        nv_move(e, &f->now, "bfly", sync, nv_i32(e, d), NV_WARP - 1);
    NvLeaves left = f->now, right = other;
    if (!nv_commutes(f)) {
      LLVMValueRef is_upper = nvptx_reduce_has_bit(e, e->lane, d);
      left = nv_choose(e, is_upper, &other, &f->now);
      right = nv_choose(e, is_upper, &f->now, &other);
    }
    f->now = nv_apply(e, f, &left, &right, NULL, NULL);
  }
}

// --------------------------------------------------------------- any ranks

// In step d, ranks that are a multiple of 2d and have a rank d above.
static LLVMValueRef nvptx_reduce_takes_part(NvEmit *e, LLVMValueRef rank,
                                            LLVMValueRef size, uint32_t d) {
  LLVMValueRef rest = LLVMBuildAnd(e->b, rank, nv_i32(e, 2 * d - 1), NV_NAME);
  LLVMValueRef is_first =
      LLVMBuildICmp(e->b, LLVMIntEQ, rest, nv_i32(e, 0), NV_NAME);
  LLVMValueRef above = LLVMBuildAdd(e->b, rank, nv_i32(e, d), NV_NAME);
  LLVMValueRef is_there = LLVMBuildICmp(e->b, LLVMIntSLT, above, size, NV_NAME);
  return LLVMBuildAnd(e->b, is_first, is_there, NV_NAME);
}

// Ranks follow lanes; the result is in rank 0.
static void reduce_range(NvEmit *e, NvFold *f, LLVMValueRef sync,
                         LLVMValueRef rank, LLVMValueRef size, uint32_t most) {
  for (uint32_t d = 1; d < most; d *= 2) {
    NvLeaves right =
        nv_move(e, &f->now, "down", sync, nv_i32(e, d), NV_WARP - 1);
    f->now = nv_apply(e, f, &f->now, &right,
                      nvptx_reduce_takes_part(e, rank, size, d), &f->now);
  }
}

static void take_from(NvEmit *e, NvFold *f, LLVMValueRef sync,
                      LLVMValueRef lane) {
  f->now = nv_move(e, &f->now, "idx", sync, lane, NV_WARP - 1);
}

void nv_reduce_first(NvEmit *e, NvFold *f, LLVMValueRef n, uint32_t most) {
  LLVMValueRef sync = nv_all_lanes(e);
  reduce_range(e, f, sync, e->lane, n, most);
  take_from(e, f, sync, nv_i32(e, 0));
}

// One step of pointer jumping: the value d ranks up, and that lane's pointer.
static LLVMValueRef jump(NvEmit *e, NvFold *f, LLVMValueRef sync,
                         LLVMValueRef next, LLVMValueRef takes) {
  NvLeaves right = nv_move(e, &f->now, "idx", sync, next, NV_WARP - 1);
  LLVMValueRef far = nv_shfl(e, "idx", sync, next, next, NV_WARP - 1);
  f->now = nv_apply(e, f, &f->now, &right, takes, &f->now);
  return far;
}

// The next lane of the part, or this one. What a pointer is behind the last
// rank doesn't matter: ranks there take nothing.
static LLVMValueRef next_lane(NvEmit *e, LLVMValueRef mask) {
  LLVMValueRef beyond = LLVMBuildShl(e->b, nv_i32(e, -2), e->lane, NV_NAME);
  LLVMValueRef above = LLVMBuildAnd(e->b, mask, beyond, NV_NAME);
  LLVMValueRef is_last =
      LLVMBuildICmp(e->b, LLVMIntEQ, above, nv_i32(e, 0), NV_NAME);
  LLVMValueRef next = nv_lowest_bit(e, above);
  return LLVMBuildSelect(e->b, is_last, e->lane, next, NV_NAME);
}

// Parts of unlike sizes, together under one mask: as many steps as the largest
// part needs, `most` being its size.
static void jump_up_to(NvEmit *e, NvFold *f, const NvTeam *team,
                       LLVMValueRef mask, LLVMValueRef most) {
  LLVMValueRef rank = nv_group_rank(e, team->group);
  LLVMValueRef size = nv_group_size(e, team->group);
  LLVMValueRef one = nv_i32(e, 1), next = next_lane(e, mask);
  LLVMBasicBlockRef before = LLVMGetInsertBlock(e->b);
  LLVMBasicBlockRef body = nv_new_block(e, "jump");
  LLVMBasicBlockRef end = nv_new_block(e, "jumped");
  LLVMBuildBr(e->b, body);
  nv_begin_block(e, body);
  LLVMValueRef distance = LLVMBuildPhi(e->b, e->i32, NV_NAME);
  LLVMValueRef lane = LLVMBuildPhi(e->b, e->i32, NV_NAME);
  LLVMAddIncoming(distance, &one, &before, 1);
  LLVMAddIncoming(lane, &next, &before, 1);
  LLVMValueRef values[NV_MAX_LEAVES];
  for (uint32_t k = 0; k < f->now.n; k++) {
    values[k] = LLVMBuildPhi(e->b, LLVMTypeOf(f->now.v[k]), NV_NAME);
    LLVMAddIncoming(values[k], &f->now.v[k], &before, 1);
    f->now.v[k] = values[k];
  }
  LLVMValueRef twice = LLVMBuildShl(e->b, distance, one, NV_NAME);
  LLVMValueRef below = LLVMBuildSub(e->b, twice, one, NV_NAME);
  LLVMValueRef rest = LLVMBuildAnd(e->b, rank, below, NV_NAME);
  LLVMValueRef is_first =
      LLVMBuildICmp(e->b, LLVMIntEQ, rest, nv_i32(e, 0), NV_NAME);
  LLVMValueRef above = LLVMBuildAdd(e->b, rank, distance, NV_NAME);
  LLVMValueRef is_there = LLVMBuildICmp(e->b, LLVMIntSLT, above, size, NV_NAME);
  LLVMValueRef takes = LLVMBuildAnd(e->b, is_first, is_there, NV_NAME);
  LLVMValueRef far = jump(e, f, team->sync, lane, takes);
  LLVMBasicBlockRef last = LLVMGetInsertBlock(e->b);
  LLVMAddIncoming(distance, &twice, &last, 1);
  LLVMAddIncoming(lane, &far, &last, 1);
  for (uint32_t k = 0; k < f->now.n; k++)
    LLVMAddIncoming(values[k], &f->now.v[k], &last, 1);
  LLVMValueRef more = LLVMBuildICmp(e->b, LLVMIntSLT, twice, most, NV_NAME);
  LLVMBuildCondBr(e->b, more, body, end);
  nv_begin_block(e, end);
  take_from(e, f, team->sync, nv_lowest_bit(e, mask));
}

// Threads that are alone are told apart first: parts of many labels often are.
static void reduce_unlike(NvEmit *e, NvFold *f, const NvTeam *team,
                          LLVMValueRef mask) {
  LLVMValueRef self = LLVMBuildShl(e->b, nv_i32(e, 1), e->lane, NV_NAME);
  LLVMValueRef has_others = LLVMBuildICmp(e->b, LLVMIntNE, mask, self, NV_NAME);
  LLVMValueRef some = nv_vote_any(e, team->sync, has_others);
  LLVMBasicBlockRef before = LLVMGetInsertBlock(e->b);
  LLVMBasicBlockRef together = nv_new_block(e, "together");
  LLVMBasicBlockRef end = nv_new_block(e, "folded");
  LLVMBuildCondBr(e->b, some, together, end);
  nv_begin_block(e, together);
  NvLeaves alone = f->now;
  LLVMValueRef most =
      nv_redux(e, team->sync, RMW_UMAX, nv_group_size(e, team->group));
  jump_up_to(e, f, team, mask, most);
  LLVMBasicBlockRef last = LLVMGetInsertBlock(e->b);
  LLVMBuildBr(e->b, end);
  nv_begin_block(e, end);
  for (uint32_t k = 0; k < f->now.n; k++) {
    LLVMValueRef v = LLVMBuildPhi(e->b, LLVMTypeOf(alone.v[k]), NV_NAME);
    LLVMAddIncoming(v, &alone.v[k], &before, 1);
    LLVMAddIncoming(v, &f->now.v[k], &last, 1);
    f->now.v[k] = v;
  }
}

static void reduce_set(NvEmit *e, NvFold *f, const NvTeam *team) {
  const IrGroup *group = team->group;
  LLVMValueRef mask = nv_group_mask(e, group);
  uint32_t most = team->row->most_threads;
  int64_t lo, hi;
  if (group->kind != GROUP_COALESCED && most > 4 &&
      (f->is_operator || !has_few_labels(e, team, &lo, &hi))) {
    reduce_unlike(e, f, team, mask);
    return;
  }
  LLVMValueRef rank = nv_group_rank(e, group), size = nv_group_size(e, group);
  LLVMValueRef next = next_lane(e, mask);
  for (uint32_t d = 1; d < most && d < NV_WARP; d *= 2)
    next =
        jump(e, f, team->sync, next, nvptx_reduce_takes_part(e, rank, size, d));
  take_from(e, f, team->sync, nv_lowest_bit(e, mask));
}

// ----------------------------------------------------------------- choice

void nv_reduce_lanes(NvEmit *e, NvFold *f, const NvTeam *team) {
  const IrGroup *group = team->group;
  uint32_t n = team->row->tile;
  Redux r;
  if (team->row->most_threads == 1)
    return;
  if (nv_is_free(f) && redux_begin(e, team, &r)) {
    for (uint32_t k = 0; k < f->now.n; k++)
      f->now.v[k] =
          reduce_integer(&r, f->combine, f->now.types[k], f->now.v[k]);
  } else if (is_float_redux(e, f, team)) {
    reduce_float_redux(e, f, team);
  } else if (n > 0) {
    butterfly(e, f, team->sync, n);
  } else if (code_is_scattered(group)) {
    reduce_set(e, f, team);
  } else {
    reduce_range(e, f, team->sync, nv_group_rank(e, group),
                 nv_group_size(e, group), team->row->most_threads);
    take_from(e, f, team->sync, nv_lane_of_rank(e, group, nv_i32(e, 0)));
  }
}

void nv_emit_reduce(NvEmit *e, const IrNode *node) {
  const IrGroup *group = node->u.collective.group;
  const NvGroupPlan *row = &e->plan->groups[group->id];
  if (nv_emit_lanes(e, node))
    return;
  NvFold f = nv_fold(e, node);
  if (group->kind < GROUP_BLOCK) {
    nv_reduce_blocks(e, &f, group);
  } else if (row->in_warp) {
    NvTeam team = nv_team(e, node, group);
    nv_reduce_lanes(e, &f, &team);
  } else if (row->n_warps > 0) {
    nv_reduce_wide(e, &f, group);
  } else {
    nv_reduce_slowly(e, &f, group);
  }
  nv_set_leaves(e, node, &f.now);
}
