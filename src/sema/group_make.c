// SPDX-License-Identifier: Apache-2.0
// The constructors of groups: this_block(), tiled_partition() and their kin.
// Sizes are computed wherever they are constant.
#include "sema/builtin_table.h"

#include "base/bits.h"

enum { WARP = 32, LARGEST_TILE = 512 };

static TExpr *sema_group_make(const BuiltinCall *call, TGroupRef ref) {
  SemaContext *cx = call->cx;
  TExpr *expr =
      build_expr(cx, TEXPR_GROUP, sema_basic(cx, TY_GROUP), call->span);
  expr->u.group.ref = ref;
  expr->u.group.facts.ref = ref;
  return expr;
}

static TExpr *group_make_poison(const BuiltinCall *call) {
  return build_poison(call->cx, call->span);
}

// --- the implicit groups ---

static int64_t block_size(const SemaContext *cx) {
  return cx->kernel ? cx->kernel->block_size : 0;
}

static int64_t group_make_cluster_blocks(const SemaContext *cx) {
  const TKernel *kernel = cx->kernel ? cx->kernel->kernel : NULL;
  if (!kernel || kernel->cluster[0] == 0)
    return 0;
  return kernel->cluster[0] * kernel->cluster[1] * kernel->cluster[2];
}

static int64_t group_make_smaller(int64_t a, int64_t b) {
  if (a == 0 || b == 0)
    return a ? a : b;
  return a < b ? a : b;
}

// Into parts of n: the size of each where all are equal, else 0.
static TGroupFacts group_make_divide(TGroupRef ref, const TGroupFacts *parent,
                                     int64_t n) {
  TGroupFacts facts = {.ref = ref,
                       .max_size = group_make_smaller(parent->max_size, n)};
  if (n == 1 || (parent->size && parent->size % n == 0))
    facts.size = n;
  if (parent->size)
    facts.parts = (parent->size - 1) / n + 1;
  return facts;
}

static TGroupFacts implicit_facts(const SemaContext *cx, TGroupRef ref) {
  TGroupFacts block = {.ref = TGROUP_BLOCK, .size = block_size(cx)};
  block.max_size = block.size ? block.size : 1024;
  block.parts = group_make_cluster_blocks(cx);
  TGroupFacts facts = {.ref = ref};
  switch ((int)ref) {
  case TGROUP_CURRENT: return current_group_facts(cx);
  case TGROUP_BLOCK: return block;
  case TGROUP_WARP:
    facts = group_make_divide(ref, &block, WARP);
    facts.size = block.size && block.size < WARP ? block.size : facts.size;
    return facts;
  case TGROUP_THREAD: return group_make_divide(ref, &block, 1);
  case TGROUP_CLUSTER: facts.size = block.size * block.parts; return facts;
  default: facts.parts = 1; return facts;
  }
}

static TExpr *check_implicit(const BuiltinCall *call, TGroupRef ref) {
  if (!builtin_takes(call, 0, 0))
    return group_make_poison(call);
  TExpr *group = sema_group_make(call, ref);
  group->u.group.facts = implicit_facts(call->cx, ref);
  return group;
}

// --- partitions ---

static bool is_thread(const TGroupFacts *facts) {
  return facts->size == 1;
}

// The group that is divided: it lies within a block. NULL: reported.
static TExpr *check_parent(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  if (!builtin_takes(call, 2, 2))
    return NULL;
  TExpr *parent =
      check_group_expr(cx, call->args->data[0],
                       sema_format(cx, "argument 1 of '%s'", call->name));
  if (expr_is_poison(parent))
    return NULL;
  TGroupRef ref = parent->u.group.facts.ref;
  if (ref != TGROUP_GRID && ref != TGROUP_CLUSTER)
    return parent;
  SEMA_ERROR(cx, parent->span, group_level, DS(call->name),
             DS(ref == TGROUP_GRID ? "the grid" : "the cluster"));
  return NULL;
}

static bool is_tile_size(SemaContext *cx, const TExpr *size) {
  int64_t n = size->u.value.i;
  const char *problem = NULL;
  if (n <= 0)
    problem = "at least one is needed";
  else if (!is_power_of_two(n))
    problem = "it must be a power of two";
  else if (n > LARGEST_TILE)
    problem = "the limit is 512";
  if (problem)
    SEMA_VALUE_ERROR(cx, size->span, partition_size, DD(n), DS(problem));
  return !problem;
}

// As an int; what doesn't fit becomes a size that is refused at run time too.
static TExpr *narrow_size(SemaContext *cx, TExpr *size) {
  if (!expr_is_const(size) && size->type->size_bytes > 4) {
    TExpr *args[] = {size, build_int(cx, size->type, 0, size->span),
                     build_int(cx, size->type, 2 * LARGEST_TILE, size->span)};
    size = build_call_builtin(cx, BI_CLAMP, size->type, args, 3, size->span);
  }
  return build_convert(cx, size, sema_basic(cx, TY_INT));
}

static TExpr *group_make_check_tiled(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  TExpr *parent = check_parent(call);
  if (!parent)
    return group_make_poison(call);
  TExpr *size = check_value(cx, call->args->data[1]);
  if (expr_is_poison(size))
    return group_make_poison(call);
  if (!type_is_integer(size->type))
    return builtin_refuse_type(call, 1, size->type, "an integer");
  bool is_known = expr_is_const(size);
  if (is_known && !is_tile_size(cx, size))
    return group_make_poison(call);
  TExpr *group = sema_group_make(call, TGROUP_TILED);
  const TGroupFacts *facts = &parent->u.group.facts;
  group->u.group.parent = parent;
  group->u.group.operand = narrow_size(cx, size);
  group->u.group.facts = group_make_divide(
      TGROUP_TILED, facts, is_known ? size->u.value.i : LARGEST_TILE);
  if (!is_known)
    group->u.group.facts.size = group->u.group.facts.parts = 0;
  group->u.group.facts.is_open =
      facts->is_open || (group->u.group.facts.parts == 0 && !is_thread(facts));
  return group;
}

// The parent lies within a warp; the analysis of the IR knows where it begins.
static TExpr *group_make_check_labeled(const BuiltinCall *call,
                                       bool is_binary) {
  SemaContext *cx = call->cx;
  TExpr *parent = check_parent(call);
  if (!parent)
    return group_make_poison(call);
  const Expr *written = call->args->data[1];
  TExpr *label =
      is_binary ? check_condition(cx, written) : check_value(cx, written);
  if (expr_is_poison(label))
    return group_make_poison(call);
  const Type *type = type_underlying(label->type);
  if (!type_is_integer(type) && type->kind != TY_POINTER) {
    SEMA_ERROR(cx, label->span, partition_label, NT(cx, label->type));
    return group_make_poison(call);
  }
  const TGroupFacts *facts = &parent->u.group.facts;
  TExpr *group =
      sema_group_make(call, is_binary ? TGROUP_BINARY : TGROUP_LABELED);
  group->u.group.parent = parent;
  group->u.group.operand = build_convert(cx, label, type);
  group->u.group.facts.size = facts->size == 1;
  group->u.group.facts.max_size = group_make_smaller(facts->max_size, WARP);
  group->u.group.facts.is_open = facts->is_open || !is_thread(facts);
  return group;
}

// What is tested at run time has the facts of what isn't.
static TExpr *check_whole(const BuiltinCall *call) {
  TExpr *group = check_implicit(call, TGROUP_WARP);
  if (!expr_is_poison(group))
    group->u.group.ref = TGROUP_WHOLE;
  return group;
}

static TExpr *check_whole_tiled(const BuiltinCall *call) {
  TExpr *group = group_make_check_tiled(call);
  if (!expr_is_poison(group))
    group->u.group.ref = TGROUP_WHOLE_TILED;
  return group;
}

static TExpr *check_coalesced(const BuiltinCall *call) {
  if (!builtin_takes(call, 0, 0))
    return group_make_poison(call);
  TExpr *group = sema_group_make(call, TGROUP_COALESCED);
  TGroupFacts current = current_group_facts(call->cx);
  group->u.group.facts.size = current.size == 1;
  group->u.group.facts.max_size = group_make_smaller(current.max_size, WARP);
  group->u.group.facts.is_open = current.is_open || !is_thread(&current);
  return group;
}

TExpr *check_make_group(const BuiltinCall *call) {
  switch ((int)call->builtin->id) {
  case BI_THIS_GRID: return check_implicit(call, TGROUP_GRID);
  case BI_THIS_CLUSTER: return check_implicit(call, TGROUP_CLUSTER);
  case BI_THIS_BLOCK: return check_implicit(call, TGROUP_BLOCK);
  case BI_THIS_WARP: return check_implicit(call, TGROUP_WARP);
  case BI_WHOLE_WARP: return check_whole(call);
  case BI_WHOLE_PARTITION: return check_whole_tiled(call);
  case BI_THIS_THREAD: return check_implicit(call, TGROUP_THREAD);
  case BI_THIS_GROUP: return check_implicit(call, TGROUP_CURRENT);
  case BI_TILED_PARTITION: return group_make_check_tiled(call);
  case BI_LABELED_PARTITION: return group_make_check_labeled(call, false);
  case BI_BINARY_PARTITION: return group_make_check_labeled(call, true);
  default: return check_coalesced(call);
  }
}
