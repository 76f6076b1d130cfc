// SPDX-License-Identifier: Apache-2.0
// Mbarriers, split barriers and their tokens: what may be declared, and the
// operations. That every token is waited for exactly once is decided on the IR
// (ir/rules/check_tokens.c).
#include "sema/builtin_table.h"

#include <string.h>

static TExpr *check_barrier_poison(const BuiltinCall *call) {
  return build_poison(call->cx, call->span);
}

// --- what such a thing may be ---

static const char *what_instead(const SemaContext *cx, const Type *type) {
  if (type->kind == TY_TOKEN)
    return "arrive makes it, one variable holds it, wait takes it";
  if (type->kind == TY_GROUP)
    return "a group is only named; pass it to a function as 'group g'";
  return vocabulary_word(cx->options.words, type->kind == TY_MBARRIER
                                                ? WORD_pass_mbarrier
                                                : WORD_pass_pipeline);
}

bool sema_may_be(SemaContext *cx, Span span, const Type *type,
                 const char *done) {
  if (!type_is_opaque(type))
    return true;
  SEMA_ERROR(cx, span, opaque_value,
             DS(sema_format(cx, "%s %s", type->kind == TY_MBARRIER ? "an" : "a",
                            sema_type_name(cx, type))),
             DS(done), DS(what_instead(cx, type)));
  return false;
}

bool sema_may_lie(SemaContext *cx, Span span, const Type *type,
                  const char *done) {
  if (!type_is(type, TY_TILE))
    return sema_may_be(cx, span, type, done);
  SEMA_ERROR(cx, span, opaque_value, DS("a tile"), DS(done),
             DS("it is a value, which lies in no memory"));
  return false;
}

// A loop over threads or blocks runs its body once in each part.
bool sema_is_in_loop(const SemaContext *cx) {
  for (const Jump *at = cx->body->jump; at; at = at->outer)
    if (at->kind == JUMP_LOOP)
      return true;
  return false;
}

static bool refuse_place(SemaContext *cx, const Decl *decl,
                         const char *problem) {
  SEMA_ERROR(cx, decl->name_span, barrier_place, DS(decl_told(decl)),
             DS(problem));
  return false;
}

static bool has_constant_extents(const TVar *var) {
  for (uint32_t i = 0; i < var->rank; i++)
    if (!var->extents[i] || !expr_is_const(var->extents[i]))
      return false;
  return true;
}

static bool check_counted(SemaContext *cx, const Decl *decl, QualType type,
                          TVar *var) {
  bool is_barrier = type_array_base(type.type, NULL)->kind == TY_MBARRIER;
  bool is_shared = type.space == TSPACE_SHARED ||
                   (!is_barrier && type.space == TSPACE_UNKNOWN);
  if (!is_shared)
    return refuse_place(cx, decl,
                        is_barrier ? "must be 'shared': an mbarrier is for "
                                     "several threads"
                                   : "can't name another space: a pipeline "
                                     "lies in shared memory");
  if (type.count == 0)
    return refuse_place(cx, decl,
                        is_barrier
                            ? "lacks its count: mbarrier(count)"
                            : "lacks its number of stages: pipeline(stages)");
  if (sema_is_in_loop(cx))
    return refuse_place(cx, decl,
                        "is declared in a loop: barriers are initialised once, "
                        "before the kernel starts");
  if (!has_constant_extents(var))
    return refuse_place(cx, decl, "needs constant extents");
  if (var->type->size_bytes / 8 > SEMA_MAX_BARRIERS) {
    SEMA_ERROR(cx, decl->name_span, too_large,
               DS(sema_format(cx, "'%s'", decl->name)),
               DU(SEMA_MAX_BARRIERS * 8));
    return false;
  }
  var->count = type.count;
  cx->body->barrier = var;
  return true;
}

bool check_barrier_object(SemaContext *cx, const Decl *decl, QualType type,
                          TVar *var) {
  const Type *base = type_array_base(type.type, NULL);
  if (base->kind == TY_MBARRIER || base->kind == TY_PIPELINE)
    return check_counted(cx, decl, type, var);
  if (base->kind == TY_TOKEN && type.space != TSPACE_UNKNOWN &&
      type.space != TSPACE_LOCAL)
    return refuse_place(cx, decl, "is a token: it belongs to its thread alone");
  return true;
}

// --- as arguments of functions ---

bool is_barrier_place(const TExpr *place) {
  const Type *base = type_array_base(place->type, NULL);
  return place->is_lvalue &&
         (base->kind == TY_MBARRIER || base->kind == TY_PIPELINE);
}

// Equal but for extents that aren't constant.
static bool check_barrier_is_same_shape(const Type *a, const Type *b) {
  while (a->kind == TY_ARRAY && b->kind == TY_ARRAY) {
    int64_t x = a->u.array.extent, y = b->u.array.extent;
    if (x >= 0 && y >= 0 && x != y)
      return false;
    a = a->u.array.element;
    b = b->u.array.element;
  }
  return a == b;
}

TExpr *pass_barrier(SemaContext *cx, const TVar *param, TExpr *place,
                    const char *what) {
  if (check_barrier_is_same_shape(place->type, param->type))
    return place;
  if (!type_is_poison(param->type))
    SEMA_ERROR(cx, place->span, cannot_convert, DS(what), NT(cx, place->type),
               NT(cx, param->type));
  return build_poison(cx, place->span);
}

// --- arguments of built-in operations ---

TExpr *builtin_group(const BuiltinCall *call, uint32_t *next) {
  SemaContext *cx = call->cx;
  const ExprList *args = call->args;
  *next = args->count > 0 && is_group_expr(cx, args->data[0]);
  if (!*next)
    return build_current_group(cx, call->span);
  TExpr *group = check_group_expr(
      cx, args->data[0], sema_format(cx, "argument 1 of '%s'", call->name));
  return expr_is_poison(group) ? NULL : group;
}

bool builtin_in_block(const BuiltinCall *call, const TExpr *group) {
  TGroupRef ref = group->u.group.facts.ref;
  if (ref != TGROUP_GRID && ref != TGROUP_CLUSTER)
    return true;
  SEMA_ERROR(call->cx, group->span, group_level, DS(call->name),
             DS(ref == TGROUP_GRID ? "the grid" : "the cluster"));
  return false;
}

TExpr *builtin_value(const BuiltinCall *call, uint32_t index, TypeKind kind) {
  SemaContext *cx = call->cx;
  TExpr *value = check_value(cx, call->args->data[index]);
  if (expr_is_poison(value))
    return NULL;
  bool is_float = !type_is_integer(value->type) && kind <= TY_ULLONG;
  if (is_float) {
    builtin_refuse_type(call, index, value->type, "an integer");
    return NULL;
  }
  value = convert_assign(
      cx, value, sema_basic(cx, kind),
      sema_format(cx, "argument %u of '%s'", index + 1, call->name));
  return expr_is_poison(value) ? NULL : value;
}

static bool check_barrier_refuse_value(const BuiltinCall *call, uint32_t index,
                                       int64_t value, const char *needed) {
  SemaContext *cx = call->cx;
  SEMA_ERROR(cx, call->args->data[index]->span, barrier_value,
             DS(sema_format(cx, "argument %u of '%s'", index + 1, call->name)),
             DD(value), DS(needed));
  return false;
}

bool builtin_constant(const BuiltinCall *call, uint32_t index, int64_t *value) {
  SemaContext *cx = call->cx;
  const char *what =
      sema_format(cx, "argument %u of '%s'", index + 1, call->name);
  if (!check_const_int(cx, call->args->data[index], what, value))
    return false;
  if (*value >= 0 && *value <= INT32_MAX)
    return true;
  return check_barrier_refuse_value(call, index, *value,
                                    *value < 0 ? "it can't be negative"
                                               : "it is too large");
}

TExpr *builtin_barrier(const BuiltinCall *call, uint32_t index,
                       bool may_be_full) {
  SemaContext *cx = call->cx;
  TExpr *place = check_expr(cx, call->args->data[index]);
  if (expr_is_poison(place))
    return NULL;
  bool is_full = place->kind == TEXPR_BUILTIN;
  if (place->is_lvalue && type_is(place->type, TY_MBARRIER) &&
      (may_be_full || !is_full))
    return place;
  builtin_refuse_type(call, index, place->type,
                      is_full ? "an mbarrier of your own"
                              : "an mbarrier or one element of an array of "
                                "them");
  return NULL;
}

TExpr *builtin_void(const BuiltinCall *call, Builtin id, TExpr **args,
                    uint32_t n_args) {
  return build_call_builtin(call->cx, id, sema_basic(call->cx, TY_VOID), args,
                            n_args, call->span);
}

// --- operands of barrier operations, in range where they are constant ---

typedef struct {
  int64_t least, most;
  const char *needed;
} Limits;

static const Limits parities = {0, 1, "a parity is 0 or 1"};
static const Limits arrivals = {1, SEMA_MAX_ARRIVALS,
                                "1 to 1048575 arrivals are possible"};
static const Limits bytes = {0, SEMA_MAX_ARRIVALS,
                             "0 to 1048575 bytes are possible"};
static const Limits ranks = {0, 15, "a cluster has at most 16 blocks"};
static const Limits masks = {1, 65535,
                             "a mask has one bit for each of up to 16 blocks"};

static TExpr *limited(const BuiltinCall *call, uint32_t index,
                      const Limits *limits) {
  TExpr *value = builtin_value(call, index, TY_INT);
  if (!value || !expr_is_const(value) || call->cx->unevaluated)
    return value;
  int64_t known = value->u.value.i;
  if (known >= limits->least && known <= limits->most)
    return value;
  check_barrier_refuse_value(call, index, known, limits->needed);
  return NULL;
}

TExpr *builtin_mask(const BuiltinCall *call, uint32_t index) {
  return limited(call, index, &masks);
}

// --- arrive ---

static TExpr *check_barrier_group_arrive(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  uint32_t next;
  TExpr *group = builtin_group(call, &next);
  if (!group)
    return check_barrier_poison(call);
  if (!builtin_takes(call, next, next))
    return check_barrier_poison(call);
  if (!check_needs_group(cx, call->span, "arrive()"))
    return check_barrier_poison(call);
  return build_call_builtin(cx, BI_GROUP_ARRIVE, sema_basic(cx, TY_TOKEN),
                            &group, 1, call->span);
}

TExpr *check_arrive_call(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  bool drops = call->builtin->id == BI_MBAR_ARRIVE_DROP;
  if (!builtin_takes(call, drops, 2))
    return check_barrier_poison(call);
  if (!drops &&
      (call->args->count == 0 || is_group_expr(cx, call->args->data[0])))
    return check_barrier_group_arrive(call);
  TExpr *args[2];
  args[0] = builtin_barrier(call, 0, false);
  if (!args[0])
    return check_barrier_poison(call);
  args[1] = call->args->count > 1
                ? limited(call, 1, &arrivals)
                : build_int(cx, sema_basic(cx, TY_INT), 1, call->span);
  if (!args[1])
    return check_barrier_poison(call);
  return build_call_builtin(cx, drops ? BI_MBAR_ARRIVE_DROP : BI_MBAR_ARRIVE,
                            sema_basic(cx, TY_TOKEN), args, 2, call->span);
}

// --- wait ---

// A variable of token type, taken here: the only way to read one.
static TExpr *check_barrier_take_token(const BuiltinCall *call,
                                       uint32_t index) {
  SemaContext *cx = call->cx;
  TExpr *place = check_expr(cx, call->args->data[index]);
  if (expr_is_poison(place))
    return NULL;
  if (type_is(place->type, TY_TOKEN) && place->kind == TEXPR_VAR)
    return build_load(cx, place);
  builtin_refuse_type(call, index, place->type, "a variable of type token");
  return NULL;
}

static bool check_barrier_is_token(const BuiltinCall *call, uint32_t index) {
  const Expr *expr = call->args->data[index];
  Symbol *symbol =
      expr->kind == EXPR_NAME ? sema_scope_find(call->cx, expr->u.name) : NULL;
  return symbol && symbol->kind == SYMBOL_VAR &&
         type_is(symbol->var->type, TY_TOKEN);
}

// wait([g]) for the group's copies, wait([g,] t) for its split barrier.
static TExpr *check_barrier_group_wait(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  uint32_t next;
  TExpr *args[2];
  args[0] = builtin_group(call, &next);
  if (!args[0] || !builtin_takes(call, next, next + 1))
    return check_barrier_poison(call);
  if (!check_needs_group(cx, call->span, "wait()"))
    return check_barrier_poison(call);
  if (call->args->count == next) {
    if (!builtin_in_block(call, args[0]))
      return check_barrier_poison(call);
    args[1] = build_int(cx, sema_basic(cx, TY_LONG), 0, call->span);
    return builtin_void(call, BI_MEMCPY_WAIT, args, 2);
  }
  args[1] = check_barrier_take_token(call, next);
  return args[1] ? builtin_void(call, BI_GROUP_WAIT, args, 2)
                 : check_barrier_poison(call);
}

// A barrier and its phase: a token or a parity.
static bool phase_args(const BuiltinCall *call, TExpr **args) {
  if (call->args->count == 0)
    return builtin_takes(call, 2, 2);
  args[0] = builtin_barrier(call, 0, false);
  if (!args[0] || !builtin_takes(call, 2, 2))
    return false;
  args[1] = check_barrier_is_token(call, 1) ? check_barrier_take_token(call, 1)
                                            : limited(call, 1, &parities);
  return args[1] != NULL;
}

TExpr *check_wait_call(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  if (!builtin_takes(call, 0, 2))
    return check_barrier_poison(call);
  bool is_group = call->args->count == 0 ||
                  is_group_expr(cx, call->args->data[0]) ||
                  check_barrier_is_token(call, 0);
  if (is_group)
    return check_barrier_group_wait(call);
  TExpr *args[2];
  if (!phase_args(call, args))
    return check_barrier_poison(call);
  return builtin_void(
      call, check_barrier_is_token(call, 1) ? BI_MBAR_WAIT_TOKEN : BI_MBAR_WAIT,
      args, 2);
}

TExpr *check_test_wait_call(const BuiltinCall *call) {
  TExpr *args[2];
  if (!phase_args(call, args))
    return check_barrier_poison(call);
  return build_call_builtin(call->cx,
                            check_barrier_is_token(call, 1) ? BI_MBAR_TEST_TOKEN
                                                            : BI_MBAR_TEST,
                            sema_basic(call->cx, TY_BOOL), args, 2, call->span);
}

// --- the others ---

typedef struct {
  Builtin id;
  TypeKind result;
  uint32_t n_operands; // besides the barrier
  const Limits *limits[2];
} BarrierForm;

static const BarrierForm *barrier_form(Builtin id) {
  static const BarrierForm forms[] = {
      {BI_MBAR_INIT, TY_VOID, 0, {NULL, NULL}},
      {BI_MBAR_TENSOR, TY_VOID, 0, {NULL, NULL}},
      {BI_MBAR_EXPECT, TY_VOID, 1, {&bytes, NULL}},
      {BI_MBAR_ARRIVE_EXPECT, TY_TOKEN, 1, {&bytes, NULL}},
      {BI_MBAR_ARRIVE_REMOTE, TY_VOID, 1, {&ranks, NULL}},
      {BI_MBAR_ARRIVE_MULTICAST, TY_VOID, 2, {&bytes, &masks}},
  };
  const BarrierForm *form = forms;
  while (form->id != id)
    form++;
  return form;
}

TExpr *check_barrier_call(const BuiltinCall *call) {
  const BarrierForm *form = barrier_form(call->builtin->id);
  uint32_t n_args = 1 + form->n_operands;
  TExpr *args[3];
  if (!builtin_takes(call, n_args, n_args))
    return check_barrier_poison(call);
  args[0] = builtin_barrier(call, 0, false);
  bool is_valid = args[0] != NULL;
  for (uint32_t i = 1; i < n_args; i++) {
    args[i] = limited(call, i, form->limits[i - 1]);
    is_valid &= args[i] != NULL;
  }
  if (!is_valid)
    return check_barrier_poison(call);
  return build_call_builtin(call->cx, form->id,
                            sema_basic(call->cx, form->result), args, n_args,
                            call->span);
}
