// SPDX-License-Identifier: Apache-2.0
// Calls are inlined: a `call` region whose exits are the returns.
#include "lower/lower_view.h"

// -------------------------------------------------------------- parameters

// What is given for one parameter. Groups are bound when all arguments were
// evaluated: those may call the same function.
typedef struct {
  Value value;
  IrGroup *group;
  const Binding *named; // a barrier or pipeline
  const Storage *place; // of Note [Parameters that are places]
  const View *view;
} Argument;

static IrNode **dense_extents(Lowering *lw, const TVar *param) {
  IrNode **extents = ARENA_ARRAY(lw->scratch, IrNode *, param->rank);
  const Type *type = param->type;
  for (uint32_t i = 0; i < param->rank; i++) {
    int64_t extent = type->u.array.extent;
    type = type->u.array.element;
    if (i == 0)
      continue; // places don't depend on how many rows there are
    extents[i] = extent >= 0
                     ? lower_i64(lw, extent)
                     : lower_to_i64(lw, lower_scalar(lw, param->extents[i]));
  }
  return extents;
}

static void bind_open_extents(Lowering *lw, const TVar *param,
                              const View *view) {
  const TFunc *func = lw->frame->func;
  for (uint32_t i = 0; i < func->n_open; i++)
    if (func->open[i].array == param)
      lower_introduce(lw, func->open[i].var,
                      lower_value_node(view->extent[func->open[i].dimension]));
}

static void bind_array(Lowering *lw, const TVar *param, const TExpr *arg,
                       const Argument *given) {
  if (given->view) {
    bind_open_extents(lw, param, given->view);
    lower_bind_view(lw, param, given->view);
    return;
  }
  if (param->is_alias) {
    lower_bind(lw, param, lower_binding(lw, lower_root_var(arg)));
    return;
  }
  Binding binding = {.kind = BIND_DENSE, .type = param->type};
  binding.address = given->value.address;
  binding.extents = dense_extents(lw, param);
  lower_bind(lw, param, &binding);
}

static void bind_place(Lowering *lw, const TVar *param, const Storage *place) {
  Binding binding = {.kind = BIND_PLACE, .type = param->type, .place = place};
  lower_bind(lw, param, &binding);
}

static void bind_plain(Lowering *lw, const TVar *param,
                       const Argument *argument) {
  if (param->kind == TVAR_ARG_GROUP)
    lower_bind_group(lw, param, argument->group);
  else if (argument->named)
    lower_bind(lw, param, argument->named);
  else if (argument->place)
    bind_place(lw, param, argument->place);
  else if (param->kind != TVAR_ARG_ARRAY)
    lower_introduce(lw, param, argument->value);
}

// Scalars first: extents of the arrays depend on them.
static void bind_params(Lowering *lw, const TExpr *call, const Argument *args) {
  const TFunc *func = call->u.call.func;
  lower_forget(lw, func);
  for (uint32_t i = 0; i < func->n_params; i++)
    if (args[i].value.kind == VALUE_POINTER)
      lower_use_of(lw, func->params[i])->given = args[i].value.address;
  for (uint32_t i = 0; i < func->n_params; i++)
    bind_plain(lw, func->params[i], &args[i]);
  for (uint32_t i = 0; i < func->n_params; i++)
    if (func->params[i]->kind == TVAR_ARG_ARRAY && !args[i].named)
      bind_array(lw, func->params[i], call->u.call.args[i], &args[i]);
}

// A part of what is a pointer is refused, as its sections are.
static Argument lower_view_argument(Lowering *lw, const TSection *section) {
  Argument argument = {.view = lower_view(lw, section)};
  if (argument.view)
    return argument;
  lower_refuse_sections(lw, section);
  argument.value = lower_value_address(lower_address_new(lw, NULL));
  return argument;
}

static Argument *evaluate_args(Lowering *lw, const TExpr *call) {
  Argument *args = ARENA_ARRAY(lw->scratch, Argument, call->u.call.n_args);
  for (uint32_t i = 0; i < call->u.call.n_args; i++) {
    const TVar *param = call->u.call.func->params[i];
    const TExpr *arg = call->u.call.args[i];
    args[i].named = lower_named_argument(lw, arg);
    args[i].place = lower_argument_place(lw, call->u.call.func, i, arg);
    if (args[i].named || args[i].place)
      continue;
    if (arg->kind == TEXPR_SECTION) {
      args[i] = lower_view_argument(lw, arg->u.section);
      continue;
    }
    if (param->kind == TVAR_ARG_GROUP)
      args[i].group = lower_group_row(lw, arg, param->name);
    else if (param->kind != TVAR_ARG_ARRAY || !param->is_alias)
      args[i].value = lower_expr(lw, arg);
  }
  return args;
}

// Only what are plain values already: operands serve summaries, and must not
// make arrays decay to addresses.
static IrNode *call_node(Lowering *lw, const TExpr *call,
                         const Argument *args) {
  hd_vec(IrNode *) nodes = {0};
  for (uint32_t i = 0; i < call->u.call.n_args; i++) {
    const Value *value = &args[i].value;
    for (uint32_t k = 0; value->kind == VALUE_LEAVES && k < value->n_leaves;
         k++)
      VEC_PUSH(lw->scratch, &nodes, lower_leaf(value, k));
  }
  IrNode *node =
      lower_emit(lw, IR_CALL, ir_scalar(IR_TYPE_VOID), nodes.data, nodes.count);
  node->u.loop.callee =
      arena_strdup(lw->module->arena, call->u.call.func->name);
  return node;
}

// ------------------------------------------------------------------ result

static Storage result_storage(Lowering *lw, const Frame *frame,
                              const Type *type) {
  Storage storage = {
      .kind = STORAGE_BINDING, .type = type, .binding = frame->result};
  if (frame->result->kind == BIND_OBJECT) {
    storage.kind = STORAGE_MEMORY;
    storage.address = lower_object_address(lw, frame->result->object);
  }
  return storage;
}

void lower_return(Lowering *lw, const TStmt *stmt) {
  Frame *frame = lw->frame;
  if (stmt->u.expr) {
    Value value = lower_expr(lw, stmt->u.expr);
    if (frame->result) {
      Storage storage = result_storage(lw, frame, frame->func->result);
      lower_write(lw, &storage, value);
    }
  }
  IrNode *exit = lower_exit(lw, frame->node, false);
  if (exit && !frame->func)
    exit->flags |= NODE_RETURNS;
}

// -------------------------------------------------------------------- call

static void lower_body(Lowering *lw, const TFunc *func) {
  ControlScope *control = lw->control;
  lw->control = NULL;
  lower_stmt(lw, func->body);
  lw->control = control;
  lower_strip_tail(&lw->frame->node->regions[0], lw->frame->node, false);
}

static Value inlined(Lowering *lw, const TExpr *call, Frame *frame,
                     const Argument *args) {
  const TFunc *func = frame->func;
  bool has_result = !type_is(func->result, TY_VOID);
  if (has_result && !type_is(func->result, TY_POINTER))
    frame->result = lower_bind_result(lw, func, NULL);
  frame->node = call_node(lw, call, args);
  lw->frame = frame;
  IrRegion *before = lower_enter(lw, frame->node, 0);
  bind_params(lw, call, args);
  for (uint32_t i = 0; i < func->n_sections; i++)
    (void)lower_has_no_effect(lw, &func->sections[i]);
  if (has_result && !frame->result)
    frame->result = lower_bind_result(lw, func, lower_result_root(lw, func));
  lower_body(lw, func);
  lower_leave(lw, before);
  lw->frame = frame->caller;
  if (!has_result)
    return lower_value_leaves(lw, NULL, 0);
  Storage storage = result_storage(lw, frame, func->result);
  return lower_read(lw, &storage);
}

static Value lower_inlined_call(Lowering *lw, const TExpr *expr,
                                const Argument *args, uint32_t nodes_before) {
  const TFunc *func = expr->u.call.func;
  Frame frame = {.caller = lw->frame,
                 .func = func,
                 .nodes_before = nodes_before,
                 .call_span = expr->span,
                 .call_loc = lw->loc,
                 .fast_math = func->fast_math};
  return inlined(lw, expr, &frame, args);
}

Value lower_call(Lowering *lw, const TExpr *expr) {
  lower_scan(lw, expr->u.call.func->body);
  uint32_t nodes_before = lw->kernel->n_nodes;
  return lower_inlined_call(lw, expr, evaluate_args(lw, expr), nodes_before);
}

Value lower_call_with(Lowering *lw, TFunc *func, Span span, const Value *values,
                      uint32_t n_values) {
  TExpr expr = {.kind = TEXPR_CALL, .type = func->result, .span = span};
  expr.u.call.func = func;
  expr.u.call.n_args = n_values;
  Argument *args = ARENA_ARRAY(lw->scratch, Argument, n_values);
  for (uint32_t i = 0; i < n_values; i++)
    args[i].value = values[i];
  lower_scan(lw, func->body);
  return lower_inlined_call(lw, &expr, args, lw->kernel->n_nodes);
}
