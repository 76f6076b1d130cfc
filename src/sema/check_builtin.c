// SPDX-License-Identifier: Apache-2.0
// Calls of built-in operations: the dispatch over rules, and the operations
// about groups, positions, assertions.
#include "sema/tile.h"

#include <string.h>

// --- what rules share ---

static const char *count_text(SemaContext *cx, uint32_t least, uint32_t most) {
  if (most == UINT32_MAX)
    return sema_format(cx, "at least %u argument%s", least, text_plural(least));
  if (least == 0 && most > 0)
    return sema_format(cx, "at most %u argument%s", most, text_plural(most));
  if (least != most)
    return sema_format(cx, "%u to %u arguments", least, most);
  if (least == 0)
    return "no arguments";
  return sema_format(cx, "%u argument%s", least, text_plural(least));
}

bool builtin_takes(const BuiltinCall *call, uint32_t least, uint32_t most) {
  uint32_t given = call->args->count;
  if (given >= least && given <= most)
    return true;
  SEMA_ERROR(call->cx, call->span, argument_count, DS(call->name),
             DS(count_text(call->cx, least, most)), DU(given));
  return false;
}

TExpr **builtin_values(const BuiltinCall *call) {
  uint32_t count = call->args->count;
  TExpr **values = ARENA_ARRAY(call->cx->arena, TExpr *, count + 1);
  bool is_poisoned = false;
  for (uint32_t i = 0; i < count; i++) {
    values[i] = check_value(call->cx, call->args->data[i]);
    is_poisoned |= expr_is_poison(values[i]);
  }
  return is_poisoned ? NULL : values;
}

TExpr *builtin_refuse_type(const BuiltinCall *call, uint32_t index,
                           const Type *type, const char *needed) {
  SemaContext *cx = call->cx;
  SEMA_ERROR(cx, call->args->data[index]->span, argument_type, DU(index + 1),
             DS(call->name), DS(needed), NT(cx, type));
  return build_poison(cx, call->span);
}

static TExpr *check_builtin_poison(const BuiltinCall *call) {
  return build_poison(call->cx, call->span);
}

// --- groups ---

static bool check_builtin_is_of_grid(const TExpr *group) {
  return group->u.group.facts.ref == TGROUP_GRID;
}

static TExpr *check_group_int(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  uint32_t n_taken;
  if (!builtin_takes(call, 0, 1))
    return check_builtin_poison(call);
  TExpr *group = take_group_argument(call, 1, &n_taken);
  if (!group)
    return check_builtin_poison(call);
  Builtin id = call->builtin->id;
  const TGroupFacts *facts = &group->u.group.facts;
  bool is_wide =
      check_builtin_is_of_grid(group) && (id == BI_RANK || id == BI_SIZE);
  const Type *type = sema_basic(cx, is_wide ? TY_LONG : TY_INT);
  if (id == BI_SIZE && facts->size > 0)
    return build_int(cx, type, facts->size, call->span);
  if (id == BI_META_SIZE && facts->parts > 0)
    return build_int(cx, type, facts->parts, call->span);
  return build_call_builtin(cx, id, type, &group, 1, call->span);
}

static TExpr *check_sync(const BuiltinCall *call) {
  uint32_t n_taken;
  if (!builtin_takes(call, 0, 1))
    return check_builtin_poison(call);
  TExpr *group = collective_group(call, 1, &n_taken, false);
  if (!group)
    return check_builtin_poison(call);
  return build_call_builtin(call->cx, BI_SYNC, sema_basic(call->cx, TY_VOID),
                            &group, 1, call->span);
}

// --- positions ---

static TExpr *known_dims(const BuiltinCall *call, const Type *type,
                         const int64_t dims[3]) {
  SemaContext *cx = call->cx;
  TExpr *value = build_expr(cx, TEXPR_AGGREGATE, type, call->span);
  value->u.aggregate.parts = ARENA_ARRAY(cx->arena, TInit, 3);
  value->u.aggregate.n_parts = 3;
  for (uint32_t i = 0; i < 3; i++) {
    value->u.aggregate.parts[i].offset_bytes = 4 * i;
    value->u.aggregate.parts[i].value =
        build_int(cx, sema_basic(cx, TY_INT), dims[i], call->span);
  }
  return value;
}

static TExpr *check_position(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  if (!builtin_takes(call, 0, 0))
    return check_builtin_poison(call);
  const Type *type = type_vector(cx->types, sema_basic(cx, TY_INT), 3);
  const TKernel *kernel = cx->kernel ? cx->kernel->kernel : NULL;
  if (call->builtin->id == BI_BLOCK_DIM && kernel && cx->kernel->block_size > 0)
    return known_dims(call, type, kernel->block);
  if (call->builtin->id == BI_CLUSTER_DIM) {
    if (kernel && kernel->cluster[0] > 0)
      return known_dims(call, type, kernel->cluster);
    SEMA_ERROR(
        cx, call->span, not_available,
        DS(vocabulary_word(cx->options.words, WORD_unknown_cluster_dims)));
    return check_builtin_poison(call);
  }
  return build_call_builtin(cx, call->builtin->id, type, NULL, 0, call->span);
}

// --- assertions ---

static TExpr *check_builtin_assertion(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  if (!builtin_takes(call, 1, 1))
    return check_builtin_poison(call);
  const Expr *written = call->args->data[0];
  bool may_be_tile = call->builtin->id == BI_ASSERT &&
                     (is_tile_code(cx) || tile_is_written(cx, written));
  TExpr *condition =
      may_be_tile ? check_operand(cx, written) : check_condition(cx, written);
  if (may_be_tile && is_tile(condition))
    condition = tile_to_bool(cx, condition);
  if (expr_is_poison(condition))
    return condition;
  TExpr *result =
      build_call_builtin(cx, call->builtin->id, sema_basic(cx, TY_VOID),
                         &condition, 1, call->span);
  result->u.builtin.text = sema_source_text(cx, written->span);
  result->u.builtin.text_length = (uint32_t)strlen(result->u.builtin.text);
  return result;
}

static TExpr *check_uniform(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  if (!builtin_takes(call, 1, 2))
    return check_builtin_poison(call);
  TExpr *args[2];
  uint32_t n_taken;
  args[0] = take_group_argument(call, 2, &n_taken);
  args[1] = check_value(cx, call->args->data[call->args->count - 1]);
  if (!args[0] || expr_is_poison(args[1]))
    return check_builtin_poison(call);
  if (!type_is_scalar(args[1]->type))
    return builtin_refuse_type(call, call->args->count - 1, args[1]->type,
                               "a number or a pointer");
  if (expr_is_const(args[1]))
    return args[1];
  return build_call_builtin(cx, BI_UNIFORM, args[1]->type, args, 2, call->span);
}

static TExpr *check_present(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  if (!builtin_takes(call, 1, 1))
    return check_builtin_poison(call);
  TExpr *condition = check_condition(cx, call->args->data[0]);
  if (expr_is_poison(condition))
    return condition;
  return build_call_builtin(cx, BI_PRESENT, sema_basic(cx, TY_BOOL), &condition,
                            1, call->span);
}

static TExpr *check_plain(const BuiltinCall *call, TypeKind result) {
  if (!builtin_takes(call, 0, 0))
    return check_builtin_poison(call);
  return build_call_builtin(call->cx, call->builtin->id,
                            sema_basic(call->cx, result), NULL, 0, call->span);
}

// --- dispatch ---

static TExpr *check_by_rule(const BuiltinCall *call) {
  BuiltinRule rule = builtin_rule(call->builtin->id);
  switch (rule) {
  case RULE_NONE: return check_builtin_poison(call);
  case RULE_INDEX: return check_position(call);
  case RULE_MAKE_GROUP: return check_make_group(call);
  case RULE_GROUP_INT: return check_group_int(call);
  case RULE_SYNC: return check_sync(call);
  case RULE_SHUFFLE: return check_shuffle(call);
  case RULE_VOTE: return check_vote(call);
  case RULE_MATCH: return check_match(call);
  case RULE_INVOKE: return check_invoke(call);
  case RULE_REDUCE: return check_reduce(call);
  case RULE_SCAN: return check_scan(call);
  case RULE_UPDATE: return check_update(call);
  case RULE_FENCE: return check_fence_call(call);
  case RULE_MATH1:
  case RULE_MATH2:
  case RULE_MATH3:
  case RULE_MATH_CLASS:
  case RULE_MATH_INT:
  case RULE_MATH_TOINT:
  case RULE_MATH_ILOGB: return check_math_call(call, rule);
  case RULE_MATH_OUT: return check_math_out(call);
  case RULE_MINMAX:
  case RULE_CLAMP:
  case RULE_ABS:
  case RULE_CDIV:
  case RULE_GROUPED:
  case RULE_BITS_INT:
  case RULE_BITS:
  case RULE_BITS_SHIFT: return check_integer_call(call, rule);
  case RULE_RMW:
  case RULE_RMW_ADD:
  case RULE_RMW_UINT:
  case RULE_RMW_BITS:
  case RULE_CAS:
  case RULE_ATOMIC_LD:
  case RULE_ATOMIC_ST: return check_atomic_call(call, rule);
  case RULE_LOAD_HINT:
  case RULE_STORE_HINT: return check_hint_call(call, rule);
  case RULE_PRINTF: return check_printf(call->cx, call->call);
  case RULE_CLOCK: return check_plain(call, TY_LONG);
  case RULE_TRAP: return check_plain(call, TY_VOID);
  case RULE_ASSERT: return check_builtin_assertion(call);
  case RULE_PRESENT: return check_present(call);
  case RULE_PRESENT_LANES: return check_plain(call, TY_UINT);
  case RULE_UNIFORM: return check_uniform(call);
  case RULE_ARRIVE: return check_arrive_call(call);
  case RULE_WAIT: return check_wait_call(call);
  case RULE_TEST_WAIT: return check_test_wait_call(call);
  case RULE_BARRIER: return check_barrier_call(call);
  case RULE_SLOT:
  case RULE_FULL: return check_slot_call(call);
  case RULE_DRAIN: return check_drain_call(call);
  case RULE_COPY: return check_copy_call(call);
  case RULE_COPY_STEP: return check_copy_step(call);
  case RULE_REGISTERS: return check_registers_call(call);
  case RULE_BYTES_OF: return check_bytes_of(call);
  case RULE_MEMCPY: return check_memcpy_call(call);
  case RULE_COPY_BYTES: return check_copy_bytes(call);
  case RULE_COPY_BULK: return check_copy_bulk(call);
  case RULE_WAIT_PRIOR: return check_wait_prior(call);
  case RULE_SEMAPHORE: return check_semaphore_call(call);
  case RULE_MAP_SHARED: return check_map_shared(call);
  case RULE_PREDICATE:
    return check_predicate(call->cx, call->builtin->id, call->name, call->call);
  }
  return check_builtin_poison(call);
}

// What may stand in clauses, extents and constants: no threads are there yet.
static bool is_host_rule(BuiltinRule rule) {
  return (rule >= RULE_MATH1 && rule <= RULE_BITS_SHIFT) ||
         rule == RULE_PREDICATE;
}

// What concerns threads and groups, which tile code doesn't have.
static bool is_thread_rule(Builtin id, BuiltinRule rule) {
  if (rule == RULE_INDEX)
    return id != BI_BLOCK_INDEX && id != BI_GRID_DIM;
  return (rule >= RULE_MAKE_GROUP && rule <= RULE_UPDATE) ||
         rule == RULE_PRESENT || rule == RULE_PRESENT_LANES ||
         (rule >= RULE_UNIFORM && rule <= RULE_WAIT_PRIOR) ||
         rule == RULE_MAP_SHARED;
}

TExpr *check_builtin_call(SemaContext *cx, const BuiltinName *builtin,
                          const Expr *call) {
  BuiltinCall state = {
      cx, builtin, call, &call->u.call.args, builtin->name, call->span};
  BuiltinRule rule = builtin_rule(builtin->id);
  bool in_clause = (cx->in_clause && !cx->in_extent) || !cx->body;
  bool is_size = rule == RULE_GROUP_INT || rule == RULE_MAKE_GROUP;
  bool in_extent = cx->in_extent && !is_size;
  if ((in_clause || in_extent) && !is_host_rule(rule)) {
    SEMA_ERROR(cx, call->span, misplaced, DS(builtin->name),
               DS("the body of a kernel or function"));
    return build_poison(cx, call->span);
  }
  if (is_thread_rule(builtin->id, rule) &&
      !tile_check_threads(cx, call->span,
                          sema_format(cx, "'%s'", builtin->name)))
    return build_poison(cx, call->span);
  return check_by_rule(&state);
}
