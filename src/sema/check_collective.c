// SPDX-License-Identifier: Apache-2.0
// Collective operations that move values between the threads of a group, and
// votes. Operators of reductions and scans are in check_combine.c.
#include "sema/builtin_table.h"

enum { MAX_EXCHANGED_BYTES = 32 };

static TExpr *check_collective_poison(const BuiltinCall *call) {
  return build_poison(call->cx, call->span);
}

// --- the group ---

static bool is_above_block(TGroupRef ref) {
  return ref == TGROUP_GRID || ref == TGROUP_CLUSTER;
}

static bool check_collective_is_wide(const TExpr *group) {
  TGroupRef ref = group->u.group.ref;
  return ref != TGROUP_CURRENT && ref != TGROUP_THREAD && ref < TGROUP_NAMED;
}

TExpr *collective_group(const BuiltinCall *call, uint32_t most,
                        uint32_t *n_taken, bool in_block) {
  SemaContext *cx = call->cx;
  TExpr *group = take_group_argument(call, most, n_taken);
  if (!group ||
      !check_no_operator(cx, call->span, sema_format(cx, "'%s'", call->name)))
    return NULL;
  TGroupRef ref = group->u.group.facts.ref;
  if (in_block && is_above_block(ref)) {
    SEMA_ERROR(cx, group->span, group_level, DS(call->name),
               DS(ref == TGROUP_GRID ? "the grid" : "the cluster"));
    return NULL;
  }
  if (check_collective_is_wide(group) &&
      !check_needs_group(cx, call->span, sema_source_text(cx, call->span)))
    return NULL;
  return group;
}

// --- values ---

static bool has_union(const Type *type) {
  type = type_array_base(type, NULL);
  if (type->kind == TY_UNION)
    return true;
  if (type->kind != TY_STRUCT)
    return false;
  for (uint32_t i = 0; i < type->u.record.n_fields; i++)
    if (has_union(type->u.record.fields[i].type))
      return true;
  return false;
}

static const char *exchange_problem(SemaContext *cx, const Type *type) {
  if (type->kind == TY_VOID)
    return "it has no value";
  if (!type_is_complete(type))
    return "it is incomplete";
  if (type_has_local(type))
    return "it points to the thread's own memory";
  if (type->kind == TY_TOKEN)
    return "a token belongs to its thread";
  if (has_union(type))
    return "the member of the union that is in use is unknown";
  if (type->size_bytes > MAX_EXCHANGED_BYTES)
    return sema_format(cx, "it has %llu bytes: the limit is 32",
                       (unsigned long long)type->size_bytes);
  return NULL;
}

TExpr *exchanged_value(const BuiltinCall *call, uint32_t index) {
  SemaContext *cx = call->cx;
  TExpr *value = check_value(cx, call->args->data[index]);
  if (expr_is_poison(value))
    return NULL;
  const char *problem = exchange_problem(cx, value->type);
  if (!problem)
    return value;
  SEMA_ERROR(cx, value->span, exchange_type, NT(cx, value->type), DS(problem));
  return NULL;
}

// --- shuffles, votes ---

TExpr *check_shuffle(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  uint32_t first;
  if (!builtin_takes(call, 2, 3))
    return check_collective_poison(call);
  TExpr *group = collective_group(call, 3, &first, true);
  if (!group)
    return check_collective_poison(call);
  if (!builtin_takes(call, first + 2, first + 2))
    return check_collective_poison(call);
  TExpr *value = exchanged_value(call, first);
  TExpr *index = check_value(cx, call->args->data[first + 1]);
  if (!value || expr_is_poison(index))
    return check_collective_poison(call);
  if (!type_is_integer(index->type))
    return builtin_refuse_type(call, first + 1, index->type, "an integer");
  TExpr *args[] = {group, value,
                   build_convert(cx, index, sema_basic(cx, TY_INT))};
  return build_call_builtin(cx, call->builtin->id, value->type, args, 3,
                            call->span);
}

static const Type *check_collective_vote_result(SemaContext *cx, Builtin id) {
  if (id == BI_COUNT)
    return sema_basic(cx, TY_INT);
  return sema_basic(cx, id == BI_BALLOT ? TY_UINT : TY_BOOL);
}

TExpr *check_vote(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  Builtin id = call->builtin->id;
  uint32_t first;
  if (!builtin_takes(call, 1, 2))
    return check_collective_poison(call);
  TExpr *group = collective_group(call, 2, &first, true);
  if (!group || !builtin_takes(call, first + 1, first + 1))
    return check_collective_poison(call);
  TExpr *condition = check_condition(cx, call->args->data[first]);
  if (expr_is_poison(condition))
    return check_collective_poison(call);
  TExpr *args[] = {group, condition};
  return build_call_builtin(cx, id, check_collective_vote_result(cx, id), args,
                            2, call->span);
}

TExpr *check_match(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  uint32_t first;
  if (!builtin_takes(call, 1, 2))
    return check_collective_poison(call);
  TExpr *group = collective_group(call, 2, &first, true);
  if (!group || !builtin_takes(call, first + 1, first + 1))
    return check_collective_poison(call);
  TExpr *value = exchanged_value(call, first);
  if (!value)
    return check_collective_poison(call);
  if (!type_is_scalar(value->type))
    return builtin_refuse_type(call, first, value->type,
                               "a number or a pointer");
  TExpr *args[] = {group, value};
  return build_call_builtin(cx, call->builtin->id, sema_basic(cx, TY_UINT),
                            args, 2, call->span);
}

// --- one thread for all ---

TExpr *check_invoke(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  bool is_broadcast = call->builtin->id == BI_INVOKE_ONE_BROADCAST;
  uint32_t first;
  if (!builtin_takes(call, 1, 2))
    return check_collective_poison(call);
  TExpr *group = collective_group(call, 2, &first, is_broadcast);
  if (!group || !builtin_takes(call, first + 1, first + 1))
    return check_collective_poison(call);
  TExpr *value = is_broadcast ? exchanged_value(call, first)
                              : check_value(cx, call->args->data[first]);
  if (!value || expr_is_poison(value))
    return check_collective_poison(call);
  const Type *type = is_broadcast ? value->type : sema_basic(cx, TY_VOID);
  TExpr *args[] = {group, value};
  return build_call_builtin(cx, call->builtin->id, type, args, 2, call->span);
}
