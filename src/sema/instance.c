// SPDX-License-Identifier: Apache-2.0
#include "sema/instance.h"

#include "sema/tile.h"

#include "sema/type/constants.h"

enum { MAX_PASSES = 8, MAX_CALL_DEPTH = 128 };

// --- bodies ---

void body_begin(SemaContext *cx, Body *body, FuncSymbol *symbol,
                const char *name, Span call_span) {
  body->caller = cx->body;
  body->symbol = symbol;
  body->name = name;
  body->call_span = call_span;
  body->fp_contract = !cx->unit->no_contract;
  body->visible_order = symbol ? symbol->order : UINT32_MAX;
  body->group = cx->body ? cx->body->group : cx->lone_group;
  body->thread_product = cx->body ? cx->body->thread_product : 1;
  if (symbol)
    symbol->is_active = true;
  cx->body = body;
  sema_scope_push(cx, &body->scope);
}

void body_end(SemaContext *cx, Body *body) {
  if (body->symbol)
    body->symbol->is_active = false;
  cx->body = body->caller;
}

void body_restart(SemaContext *cx, Body *body) {
  body->scope = (ScopeTable){0};
  body->vars.count = 0;
  body->vars.data = NULL;
  body->vars.capacity = 0;
  body->definitions = (Map){0};
  body->jump = NULL;
  body->needs_rerun = false;
  body->has_result = false;
  body->barrier = NULL;
  body->fp_contract = !cx->unit->no_contract;
  body->labels.count = 0;
  body->temporaries.count = 0;
  sema_scope_push(cx, &body->scope);
}

static void default_to_global(SemaContext *cx, TVar *var) {
  var->type = type_pointer(cx->types, var->type->u.pointer.pointee,
                           TSPACE_GLOBAL, var->type->u.pointer.to_const);
}

bool body_settle_pointers(SemaContext *cx, Body *body) {
  for (uint32_t i = 0; i < body->vars.count; i++) {
    TVar *var = body->vars.data[i];
    bool is_open = var->type->kind == TY_POINTER &&
                   var->type->u.pointer.space == TSPACE_UNKNOWN;
    if (!is_open)
      continue;
    default_to_global(cx, var);
    if (!var->is_read_unbound)
      continue;
    map_put(cx->arena, &body->pointer_spaces, var->decl_id,
            (void *)(uintptr_t)(TSPACE_GLOBAL + 1));
    body->needs_rerun = true;
  }
  return body->needs_rerun;
}

// --- keys ---

static void add_argument_key(Text *key, const CallArgument *argument) {
  const TExpr *value = argument->value;
  if (argument->type) {
    text_printf(key, "|t%u", argument->type->id);
    return;
  }
  if (argument->is_embedded) {
    text_printf(key, "|v%u:%llx", value->type->id,
                (unsigned long long)value->u.value.u);
    return;
  }
  if (value->kind == TEXPR_GROUP) {
    const TGroupFacts *facts = &value->u.group.facts;
    text_printf(key, "|g%u:%d:%lld:%lld:%lld", (unsigned)facts->ref,
                facts->is_open, (long long)facts->size,
                (long long)facts->max_size, (long long)facts->parts);
    return;
  }
  if (argument->is_barrier)
    text_printf(key, "|b%u", value->type->id);
  else if (argument->is_view)
    text_printf(key, "|w%u:%u", value->type->id,
                (unsigned)sema_var_space(value->u.section->array));
  else if (argument->is_whole_array)
    text_printf(key, "|a%u:%u:%d", value->type->id,
                (unsigned)sema_var_space(value->u.var), value->u.var->is_part);
  else if (value->type->kind == TY_POINTER)
    text_printf(key, "|p%u", (unsigned)value->type->u.pointer.space);
  else if (is_tile(value))
    text_printf(key, "|T%u", value->type->id);
  else
    text_add(key, "|");
}

static const char *instance_key(SemaContext *cx, const FuncSymbol *symbol,
                                const CallArgument *args) {
  Text key = {.arena = cx->arena};
  const GroupState *group = &cx->body->group;
  text_printf(&key, "%lld,%lld,%lld,%u,%d,%d,%lld", (long long)group->size,
              (long long)group->max_size, (long long)group->parts,
              (unsigned)group->ref, group->is_strided_thread,
              (cx->unevaluated > 0) + 2 * (group->operator_of != NULL) +
                  4 * group->is_open,
              (long long)(cx->kernel ? cx->kernel->block_size : 0));
  uint32_t count = symbol->decl->type->u.function.params.count;
  for (uint32_t i = 0; i < count; i++)
    add_argument_key(&key, &args[i]);
  return intern_text(cx->names, text_cstr(&key), key.length);
}

// --- parameters ---

static void declare_embedded_value(SemaContext *cx, const Decl *param,
                                   const CallArgument *argument) {
  QualType type = sema_resolve_type(cx, param->type, NULL);
  TExpr *value = argument->value;
  bool is_exact = true;
  bool is_open = !value || type_is_poison(type.type);
  cx->is_partial |= is_open;
  if (!is_open && type_is_arithmetic(type.type)) {
    TValue held =
        value_convert(type.type, value->type, value->u.value, &is_exact);
    if (!is_exact)
      SEMA_ERROR(cx, value->span, embedded_inexact, DS(param->name),
                 DS(value_text(cx->arena, value->type, value->u.value)),
                 NT(cx, type.type));
    value = build_const(cx, type.type, held, value->span);
  }
  Symbol *symbol = sema_scope_declare(
      cx, is_open || !is_exact ? SYMBOL_POISON : SYMBOL_CONST, param->name,
      param->name_span);
  if (symbol && symbol->kind == SYMBOL_CONST) {
    symbol->type = type;
    symbol->value = value->u.value;
  }
}

static void declare_embedded(SemaContext *cx, const Decl *param,
                             const CallArgument *argument) {
  if (!param->u.param.is_type) {
    declare_embedded_value(cx, param, argument);
    return;
  }
  SymbolKind kind = argument->type ? SYMBOL_TYPE : SYMBOL_POISON;
  Symbol *symbol = sema_scope_declare(cx, kind, param->name, param->name_span);
  if (symbol && argument->type)
    symbol->type = sema_plain(argument->type);
}

void fill_extents(SemaContext *cx, TVar *var, const ArrayContext *arrays) {
  var->extents = ARENA_ARRAY(cx->arena, TExpr *, var->rank);
  const Type *type = var->type;
  for (uint32_t i = 0; i < var->rank; i++) {
    bool is_stated = arrays && i < arrays->rank && arrays->extents[i];
    if (is_stated)
      var->extents[i] = arrays->extents[i];
    else if (type->u.array.extent >= 0)
      var->extents[i] = build_int(cx, sema_basic(cx, TY_LONG),
                                  type->u.array.extent, var->span);
    type = type->u.array.element;
  }
}

static void instance_declare_name(SemaContext *cx, const Decl *param,
                                  TVar *var) {
  if (!param->name)
    return;
  Symbol *symbol =
      sema_scope_declare(cx, SYMBOL_VAR, param->name, param->name_span);
  if (symbol)
    symbol->var = var;
}

// Arrays of equal rank and element keep their strides: the parameter is then
// another name of the argument.
static bool is_alias_of(const TVar *param, const CallArgument *argument) {
  if (!argument->value || !argument->is_whole_array)
    return false;
  const TVar *array = argument->value->u.var;
  return array->rank == param->rank && array->element == param->element;
}

// A barrier or pipeline is named, with the count of its declaration.
static bool is_named_type(SemaContext *cx, const Decl *param, QualType type) {
  const Type *base = type_array_base(type.type, NULL);
  if (base->kind == TY_TOKEN)
    return sema_may_be(cx, param->span, base, "passed to a function");
  bool is_named = base->kind == TY_MBARRIER || base->kind == TY_PIPELINE;
  if (is_named && type.count > 0)
    SEMA_ERROR(
        cx, param->span, barrier_place,
        DS(param->name ? param->name : "parameter"),
        DS(sema_format(cx, "takes its size from the argument: write '%s' alone",
                       sema_type_name(cx, base))));
  return !is_named || type.count == 0;
}

static TVar *make_array_parameter(SemaContext *cx, const Decl *param,
                                  const CallArgument *argument,
                                  OpenExtents *open) {
  const TExpr *view = argument->is_view ? argument->value : NULL;
  uint32_t first_open = open->count;
  bool is_alone = !argument->value;
  if ((view || is_alone) && !tile_declare_view_extents(cx, param, view, open))
    cx->is_partial = true;
  ArrayContext arrays = {.allows_runtime = true,
                         .allows_open = true,
                         .is_function = true,
                         .what = param->name ? param->name : "parameter"};
  QualType type = sema_resolve_element(cx, param->type, &arrays);
  TVar *var = build_variable(cx, TVAR_ARG_ARRAY, decl_told(param), type.type,
                             param->span);
  var->is_const = type.is_const;
  for (uint32_t i = first_open; i < open->count; i++)
    open->data[i].array = var;
  if (type_is_poison(type.type))
    return var;
  fill_extents(cx, var, &arrays);
  if (!is_named_type(cx, param, type))
    return var;
  const TExpr *value = argument->value;
  if (!argument->is_barrier)
    var->is_alias = is_alias_of(var, argument);
  var->is_part = value && (!var->is_alias || value->u.var->is_part);
  var->space = TSPACE_GLOBAL;
  if (value && argument->is_whole_array)
    var->space = sema_var_space(value->u.var);
  else if (value && argument->is_view)
    var->space = sema_var_space(value->u.section->array);
  else if (value && value->type->kind == TY_POINTER)
    var->space = value->type->u.pointer.space;
  if (type_is(var->element, TY_MBARRIER))
    var->space = TSPACE_SHARED;
  if (var->space == TSPACE_UNKNOWN)
    var->space = TSPACE_GLOBAL;
  if (type.space && type.space != var->space)
    SEMA_ERROR(cx, cx->body->call_span, space_mismatch,
               DS(sema_format(cx, "parameter '%s'", var->name)),
               DS(space_name(var->space)), DS(space_name(type.space)));
  return var;
}

static const Type *bound_pointer(SemaContext *cx, QualType type,
                                 const CallArgument *argument) {
  if (!type.takes_space || type.type->kind != TY_POINTER)
    return type.type;
  Space space = TSPACE_GLOBAL;
  const TExpr *value = argument->value;
  if (value && value->type->kind == TY_POINTER &&
      value->type->u.pointer.space != TSPACE_UNKNOWN)
    space = value->type->u.pointer.space;
  return type_pointer_in(cx->types, type.type, space);
}

// A group is known by its facts; alone, a function may be given any.
static TVar *make_group_parameter(SemaContext *cx, const Decl *param,
                                  QualType type, const CallArgument *argument) {
  TVar *var = build_variable(cx, TVAR_ARG_GROUP, decl_told(param), type.type,
                             param->span);
  const TExpr *value = argument->value;
  if (type.space)
    SEMA_ERROR(cx, param->span, bad_qualifier, DS(space_name(type.space)),
               DS("a group is not stored"));
  if (value && value->kind == TEXPR_GROUP) {
    var->facts = value->u.group.facts;
    check_stated_size(cx, param->name ? param->name : "the parameter",
                      type.group_size, value);
  }
  if (type.group_size)
    var->facts.size = var->facts.max_size = type.group_size;
  return var;
}

// Without an argument its shape may be open: then it is poison.
static TVar *make_tile_parameter(SemaContext *cx, const Decl *param,
                                 const CallArgument *argument) {
  bool is_known = tile_declare_extents(cx, param, argument->value);
  cx->is_partial |= !is_known;
  QualType type = sema_plain(sema_basic(cx, TY_POISON));
  if (is_known)
    type = sema_resolve_type(cx, param->type, NULL);
  TVar *var =
      build_variable(cx, TVAR_ARG, decl_told(param), type.type, param->span);
  var->is_const = type.is_const;
  return var;
}

static TVar *make_plain_parameter(SemaContext *cx, const Decl *param,
                                  const CallArgument *argument) {
  if (is_tile_syntax(param->type))
    return make_tile_parameter(cx, param, argument);
  QualType type = sema_resolve_type(cx, param->type, NULL);
  if (type_is(type.type, TY_GROUP))
    return make_group_parameter(cx, param, type, argument);
  const Type *bound = bound_pointer(cx, type, argument);
  bool is_wrong = type.space != TSPACE_UNKNOWN || !type_is_complete(bound) ||
                  !is_named_type(cx, param, type);
  if (type.space)
    SEMA_ERROR(cx, param->span, bad_qualifier, DS(space_name(type.space)),
               DS("a parameter is each thread's own"));
  else if (!type_is_complete(bound))
    SEMA_ERROR(cx, param->span, bad_type, DS("a parameter"), NT(cx, bound));
  TVar *var =
      build_variable(cx, TVAR_ARG, decl_told(param),
                     is_wrong ? sema_basic(cx, TY_POISON) : bound, param->span);
  var->is_const = type.is_const;
  var->decl_id = param->id;
  return var;
}

static bool instance_is_array(const Decl *param) {
  return param->type && param->type->kind == TYPE_ARRAY &&
         !is_tile_syntax(param->type);
}

// Embedded parameters first, then scalars, then arrays: extents may use
// parameters that are declared later.
static void instance_declare_params(SemaContext *cx, TFunc *func,
                                    const Decl *decl,
                                    const CallArgument *args) {
  const DeclList *params = &decl->type->u.function.params;
  TVar **vars = ARENA_ARRAY(cx->arena, TVar *, params->count + 1);
  for (uint32_t i = 0; i < params->count; i++)
    if (is_embedded_param(params->data[i]))
      declare_embedded(cx, params->data[i], &args[i]);
  OpenExtents open = {0};
  for (int pass = 0; pass < 2; pass++)
    for (uint32_t i = 0; i < params->count; i++) {
      const Decl *param = params->data[i];
      if (is_embedded_param(param) || instance_is_array(param) != (pass == 1))
        continue;
      vars[i] = pass ? make_array_parameter(cx, param, &args[i], &open)
                     : make_plain_parameter(cx, param, &args[i]);
      instance_declare_name(cx, param, vars[i]);
    }
  func->open = open.data;
  func->n_open = open.count;
  func->params = ARENA_ARRAY(cx->arena, TVar *, params->count + 1);
  for (uint32_t i = 0; i < params->count; i++)
    if (vars[i])
      func->params[func->n_params++] = vars[i];
}

// --- making an instance ---

static void resolve_result(SemaContext *cx, Body *body, const Decl *decl) {
  const TypeSyntax *written = decl->type->u.function.result;
  body->result_is_tile = written->kind == TYPE_TILE;
  QualType result = sema_resolve_type(cx, decl->type->u.function.result, NULL);
  body->result = result.type;
  if (body->result_is_tile && !type_is_poison(result.type))
    body->result = type_tile(cx->types, result.type, 0, NULL);
  body->result_takes_space =
      result.takes_space && result.type->kind == TY_POINTER;
  if (type_is(result.type, TY_GROUP)) {
    SEMA_ERROR(cx, decl->name_span, group_returned, DS(decl_told(decl)));
    body->result = sema_basic(cx, TY_POISON);
    return;
  }
  if (!sema_may_be(cx, decl->name_span, result.type, "returned")) {
    body->result = sema_basic(cx, TY_POISON);
    return;
  }
  bool is_wrong =
      type_is(result.type, TY_ARRAY) ||
      (!type_is_complete(result.type) && result.type->kind != TY_VOID);
  if (!is_wrong)
    return;
  SEMA_ERROR(cx, decl->name_span, bad_type, DS("the result of a function"),
             NT(cx, result.type));
  body->result = sema_basic(cx, TY_POISON);
}

static void check_missing_return(SemaContext *cx, const Body *body,
                                 const Decl *decl, const TStmt *block) {
  bool needs = body->result->kind != TY_VOID && !type_is_poison(body->result);
  if (!needs || !stmt_falls_through(block))
    return;
  Span end = {decl->u.function.body->span.end - 1,
              decl->u.function.body->span.end};
  SEMA_ERROR(cx, end, missing_return, DS(decl_told(decl)),
             NT(cx, body->result));
}

// `requires` of a function is owed by its callers: an assertion on entry.
static void instance_add_requirements(SemaContext *cx, const Decl *decl,
                                      StmtBuilder *out) {
  const ClauseList *clauses = &decl->u.function.clauses;
  for (uint32_t i = 0; i < clauses->count; i++) {
    const Clause *clause = &clauses->data[i];
    if (clause->kind != CLAUSE_REQUIRES)
      continue;
    for (uint32_t k = 0; k < clause->args.count; k++)
      VEC_PUSH(cx->arena, &out->list,
               check_requirement_stmt(cx, clause->args.data[k]));
  }
}

static TStmt *check_function_block(SemaContext *cx, const Decl *decl,
                                   TFunc *func) {
  const Stmt *body = decl->u.function.body;
  StmtBuilder items = {0};
  instance_add_requirements(cx, decl, &items);
  if (body)
    check_items(cx, &body->u.compound.items, &items);
  else
    check_contract_body(cx, decl, func, &items);
  declare_temporaries(cx, 0, &items);
  return build_block(cx, &items, body ? body->span : decl->span);
}

static void check_pass(SemaContext *cx, Body *body, TFunc *func,
                       const Decl *decl, const CallArgument *args) {
  *func = (TFunc){.name = decl->name, .id = func->id, .span = decl->span};
  func->group_size = body->group.size;
  instance_declare_params(cx, func, decl, args);
  resolve_result(cx, body, decl);
  func->body = check_function_block(cx, decl, func);
  if (decl->u.function.body)
    check_missing_return(cx, body, decl, func->body);
  check_labels(cx, body);
  func->fast_math =
      cx->unit->fast_math || cx->options.fast_math || body->fast_math;
}

static void instance_finish(SemaContext *cx, Body *body, TFunc *func) {
  const Type *result = body->result;
  bool is_open =
      result->kind == TY_POINTER && result->u.pointer.space == TSPACE_UNKNOWN;
  if (is_open)
    result = type_pointer(cx->types, result->u.pointer.pointee, TSPACE_GLOBAL,
                          result->u.pointer.to_const);
  func->result = result;
  func->barrier = body->barrier;
  func->vars = body->vars.data;
  func->n_vars = body->vars.count;
}

static TFunc *instantiate(SemaContext *cx, FuncSymbol *symbol,
                          const CallArgument *args, Span span) {
  const Decl *decl = symbol->decl;
  TFunc *func = ARENA_NEW(cx->arena, TFunc);
  func->id = cx->n_instances++;
  uint32_t errors = cx->n_errors;
  Body body = {0};
  body_begin(cx, &body, symbol, symbol->name, span);
  for (int pass = 0; pass < MAX_PASSES; pass++) {
    check_pass(cx, &body, func, decl, args);
    if (!body_settle_pointers(cx, &body))
      break;
    if (pass + 1 < MAX_PASSES)
      body_restart(cx, &body);
  }
  instance_finish(cx, &body, func);
  if (cx->n_errors == errors)
    tile_check_assigned(cx, func->body, func->vars, func->n_vars);
  if (cx->n_errors == errors && decl->u.function.body)
    sema_warn_values(cx, func->body, func->vars, func->n_vars);
  body_end(cx, &body);
  return cx->n_errors == errors ? func : NULL;
}

static bool is_too_deep(SemaContext *cx, Span span) {
  uint32_t depth = 0;
  for (const Body *at = cx->body; at; at = at->caller)
    depth++;
  if (depth < MAX_CALL_DEPTH)
    return false;
  if (!cx->has_depth_error) {
    Diag *diag = SEMA_ERROR(cx, span, calls_too_deep, DS(cx->body->name));
    diag_note(cx->diags, diag, (Place){0},
              "calls can be nested at most %d deep", MAX_CALL_DEPTH);
  }
  cx->has_depth_error = true;
  return true;
}

TFunc *instance_get(SemaContext *cx, FuncSymbol *symbol,
                    const CallArgument *args, Span span) {
  const char *key = instance_key(cx, symbol, args);
  if (symbol->epoch != cx->epoch)
    symbol->instances = NULL;
  symbol->epoch = cx->epoch;
  for (Instance *at = symbol->instances; at; at = at->next)
    if (at->key == key) {
      cx->n_errors += at->func == NULL;
      return at->func;
    }
  if (is_too_deep(cx, span))
    return NULL;
  Instance *instance = ARENA_NEW(cx->arena, Instance);
  instance->key = key;
  instance->func = instantiate(cx, symbol, args, span);
  instance->next = symbol->instances;
  symbol->instances = instance;
  return instance->func;
}

void instance_check_alone(SemaContext *cx, FuncSymbol *symbol) {
  uint32_t count = symbol->decl->type->u.function.params.count;
  CallArgument *args = ARENA_ARRAY(cx->arena, CallArgument, count + 1);
  const Clause *threads = function_clause(symbol->decl, CLAUSE_THREADS);
  cx->lone_group = (GroupState){0};
  cx->is_partial = false;
  if (threads && !function_threads(cx, threads, &cx->lone_group.size))
    cx->lone_group.size = 0;
  cx->lone_group.max_size = cx->lone_group.size;
  cx->lone_is_tile = function_uses_tiles(cx, symbol->decl);
  instantiate(cx, symbol, args, symbol->decl->name_span);
  cx->lone_group = (GroupState){0};
}

// --- functions for groups of one size ---

const Clause *function_clause(const Decl *decl, ClauseKind kind) {
  const ClauseList *clauses = &decl->u.function.clauses;
  for (uint32_t i = 0; i < clauses->count; i++)
    if (clauses->data[i].kind == kind)
      return &clauses->data[i];
  return NULL;
}

bool function_threads(SemaContext *cx, const Clause *clause, int64_t *size) {
  if (clause->args.count != 1) {
    SEMA_ERROR(cx, clause->span, clause_arguments, DS("threads"),
               DS("1 argument on a function"), DU(clause->args.count));
    return false;
  }
  const Expr *expr = clause->args.data[0];
  if (!check_const_int(cx, expr, "the number of threads", size))
    return false;
  if (*size > 0)
    return true;
  SEMA_ERROR(cx, expr->span, clause_value, DS("the number of threads"),
             DD(*size), DS("it must be positive"));
  return false;
}

bool check_function_group(SemaContext *cx, const FuncSymbol *symbol,
                          Span span) {
  if (function_clause(symbol->decl, CLAUSE_TILE) &&
      !tile_check_alone(cx, span, sema_format(cx, "'%s'", symbol->name)))
    return false;
  const Clause *clause = function_clause(symbol->decl, CLAUSE_THREADS);
  int64_t needed;
  if (!clause)
    return true;
  if (!function_threads(cx, clause, &needed))
    return false;
  int64_t size = cx->body->group.size;
  if (size == needed || (size == 0 && cx->kernel && !cx->kernel->is_final))
    return true;
  SEMA_ERROR(cx, span, wrong_group_size, DS(symbol->name), DD(needed),
             DS(group_size_text(cx, size)));
  return false;
}
