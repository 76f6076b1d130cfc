// SPDX-License-Identifier: Apache-2.0
// What stands for a variable: values, variables of the IR, or memory.
#include "lower/lower_internal.h"

#include "ir/form/order.h"

#include <string.h>

// --------------------------------------------------------------- bindings

void lower_bind(Lowering *lw, const TVar *var, const Binding *binding) {
  Binding *copy = ARENA_NEW(lw->scratch, Binding);
  *copy = *binding;
  map_put(lw->scratch, &lw->bindings, MAP_KEY(var), copy);
}

const Binding *lower_binding(Lowering *lw, const TVar *var) {
  const Binding *binding = map_get(&lw->bindings, MAP_KEY(var));
  if (!binding && (var->kind == TVAR_CONSTANT || var->kind == TVAR_GLOBAL))
    binding = lower_global(lw, var);
  return binding;
}

static void bind_value(Lowering *lw, const TVar *var, Value value) {
  Binding binding = {.kind = BIND_VALUES, .type = var->type, .value = value};
  if (value.kind == VALUE_POINTER) {
    binding.kind = BIND_POINTER;
    binding.address = value.address;
  }
  lower_bind(lw, var, &binding);
}

void lower_bind_node(Lowering *lw, const TVar *var, IrNode *node) {
  bind_value(lw, var, lower_value_node(node));
}

static Storage lower_decl_storage_of(Lowering *lw, const TVar *var) {
  const Binding *binding = lower_binding(lw, var);
  Storage storage = {
      .kind = STORAGE_BINDING, .type = var->type, .binding = binding};
  if (binding->kind == BIND_OBJECT) {
    storage.kind = STORAGE_MEMORY;
    storage.address = lower_object_address(lw, binding->object);
  }
  return storage;
}

// ---------------------------------------------------------------- objects

IrObject *lower_local_object(Lowering *lw, const char *name, const Type *type,
                             uint32_t align_bytes) {
  const Type *base = type_array_base(type, &(uint32_t){0});
  IrObject *object =
      ir_object_new(lw->kernel, name, SPACE_LOCAL, lower_type(lw, base));
  lower_shape(lw, object, type);
  object->align_bytes = align_bytes;
  object->lifetime = lw->region->owner;
  object->loc = lw->loc;
  return object;
}

static void lower_decl_bind_object(Lowering *lw, const TVar *var,
                                   IrObject *object) {
  Binding binding = {.kind = BIND_OBJECT, .type = var->type, .object = object};
  lower_bind(lw, var, &binding);
}

static void bind_local(Lowering *lw, const TVar *var) {
  lower_decl_bind_object(
      lw, var, lower_local_object(lw, var->name, var->type, var->align_bytes));
}

static IrLayoutKind lower_decl_layout_of(const TVar *var) {
  static const struct {
    const char *name;
    IrLayoutKind kind;
  } rows[] = {{"row_major", LAYOUT_ROW_MAJOR},
              {"swizzle32", LAYOUT_SWIZZLE32},
              {"swizzle64", LAYOUT_SWIZZLE64},
              {"swizzle128", LAYOUT_SWIZZLE128}};

  for (size_t i = 0; var->layout && i < sizeof rows / sizeof *rows; i++)
    if (strcmp(rows[i].name, var->layout) == 0)
      return rows[i].kind;
  return LAYOUT_UNDECIDED;
}

// One instance for each part of the group that is current here.
static void bind_shared(Lowering *lw, const TVar *var) {
  const Type *base = type_array_base(var->type, &(uint32_t){0});
  if (type_is(base, TY_MBARRIER) || type_is(base, TY_PIPELINE)) {
    if (type_is(base, TY_MBARRIER))
      lower_bind_mbarrier(lw, var);
    else
      lower_bind_pipeline(lw, var);
    return;
  }
  IrObject *object =
      ir_object_new(lw->kernel, var->name, SPACE_SHARED, lower_type(lw, base));
  lower_shape(lw, object, var->type);
  for (uint32_t i = 0; i < object->rank && var->extents; i++)
    if (var->extents[i])
      object->extents[i] = lower_host(lw, var->extents[i]);
  object->align_bytes = var->align_bytes;
  object->group = lw->group;
  object->is_cluster_shared = var->is_cluster_shared;
  object->is_tensor = var->is_tensor;
  if (var->is_cluster_shared)
    object->group = lw->kernel->groups.data[GROUP_ROW_CLUSTER];
  object->layout = lower_decl_layout_of(var);
  for (uint32_t i = 0; i < var->n_holes; i++) {
    IrHole hole = {var->holes[i].begin, var->holes[i].end};
    VEC_PUSH(lw->module->arena, &object->holes, hole);
  }
  object->lifetime = lw->region->owner;
  object->loc = lw->loc;
  lower_decl_bind_object(lw, var, object);
}

// -------------------------------------------------------------- variables

static bool lives_in_memory(Lowering *lw, const TVar *var) {
  return lower_use(lw, var)->needs_memory ||
         !lower_layout(lw, var->type)->is_split;
}

static const char *leaf_name(Lowering *lw, const TVar *var, const Leaf *leaf) {
  if (!var->name || leaf->path[0] == '\0')
    return var->name;
  return arena_printf(lw->scratch, "%s%s", var->name, leaf->path);
}

static void bind_vars(Lowering *lw, const TVar *var) {
  const TypeLayout *layout = lower_layout(lw, var->type);
  Binding binding = {.kind = BIND_VARS, .type = var->type};
  binding.first_var = lw->kernel->vars.count;
  for (uint32_t i = 0; i < layout->n_leaves; i++)
    lower_new_var(lw, leaf_name(lw, var, &layout->leaves[i]),
                  layout->leaves[i].ir);
  lower_bind(lw, var, &binding);
}

static void bind_offset(Lowering *lw, const TVar *var, IrObject *object) {
  Binding binding = {.kind = BIND_OFFSET, .type = var->type, .object = object};
  binding.first_var = lower_new_var(lw, var->name, ir_scalar(IR_TYPE_I64));
  lower_bind(lw, var, &binding);
}

// A pointer that is assigned: an offset while there is one object to be in.
static void lower_decl_bind_pointer(Lowering *lw, const TVar *var,
                                    const Address *initial) {
  IrObject *object = lower_variable_root(lw, var, initial);
  if (object)
    bind_offset(lw, var, object);
  else
    bind_vars(lw, var);
}

static void bind_changing(Lowering *lw, const TVar *var,
                          const Address *initial) {
  if (lives_in_memory(lw, var))
    bind_local(lw, var);
  else if (type_is(var->type, TY_POINTER))
    lower_decl_bind_pointer(lw, var, initial);
  else
    bind_vars(lw, var);
}

void lower_introduce(Lowering *lw, const TVar *var, Value value) {
  bool has_name = type_is(var->type, TY_TOKEN); // for what is said about it
  if (!has_name && !lives_in_memory(lw, var) &&
      !lower_use(lw, var)->is_assigned) {
    bind_value(lw, var, value);
    return;
  }
  const Address *initial = value.kind == VALUE_POINTER ? value.address : NULL;
  bind_changing(lw, var, initial);
  Storage storage = lower_decl_storage_of(lw, var);
  lower_write(lw, &storage, value);
}

void lower_bind_temporary(Lowering *lw, const TVar *var, const TExpr *a,
                          const TExpr *b) {
  VarUse *use = ARENA_NEW(lw->scratch, VarUse);
  use->is_assigned = true;
  VEC_PUSH(lw->scratch, &use->sources, a);
  VEC_PUSH(lw->scratch, &use->sources, b);
  map_put(lw->scratch, &lw->uses, MAP_KEY(var), use);
  bind_changing(lw, var, NULL);
}

Binding *lower_bind_result(Lowering *lw, const TFunc *func, IrObject *root) {
  TVar *var = ARENA_NEW(lw->scratch, TVar);
  var->kind = TVAR_LOCAL;
  var->name = func->name;
  var->type = func->result;
  var->align_bytes = func->result->align_bytes;
  if (!lower_layout(lw, var->type)->is_split)
    bind_local(lw, var);
  else if (root)
    bind_offset(lw, var, root);
  else
    bind_vars(lw, var);
  return map_get(&lw->bindings, MAP_KEY(var));
}

// ----------------------------------------------------------- declarations

static void lower_decl_initialise(Lowering *lw, const TVar *var,
                                  const TExpr *init) {
  if (!init)
    return;
  const Binding *binding = lower_binding(lw, var);
  if (init->kind == TEXPR_AGGREGATE && binding->kind == BIND_OBJECT) {
    lower_init_object(lw, binding->object, init);
    return;
  }
  Value value = lower_expr(lw, init);
  Storage storage = lower_decl_storage_of(lw, var);
  lower_write(lw, &storage, value);
}

static void decl_group(Lowering *lw, const TStmt *stmt) {
  const TVar *var = stmt->u.decl.var;
  lower_bind_group(lw, var, lower_group_row(lw, stmt->u.decl.init, var->name));
}

// Without an initialiser: each turn of a loop around begins without a value.
static void begin_vars(Lowering *lw, const TVar *var) {
  const Binding *binding = lower_binding(lw, var);
  uint32_t n = binding->kind == BIND_VARS
                   ? lower_layout(lw, var->type)->n_leaves
               : binding->kind == BIND_OFFSET ? 1
                                              : 0;
  for (uint32_t i = 0; i < n; i++)
    lw->kernel->vars.data[binding->first_var + i].loop =
        ir_loop_around(lw->region->owner);
}

void lower_decl(Lowering *lw, const TStmt *stmt) {
  const TVar *var = stmt->u.decl.var;
  const TExpr *init = stmt->u.decl.init;
  if (var->kind == TVAR_GROUP) {
    decl_group(lw, stmt);
    return;
  }
  if (var->kind == TVAR_CONSTANT || var->kind == TVAR_GLOBAL)
    return;
  if (var->kind == TVAR_SHARED) {
    bind_shared(lw, var);
    return;
  }
  if (init && !lives_in_memory(lw, var) && !var->is_in_own) {
    lower_introduce(lw, var, lower_expr(lw, init));
    return;
  }
  bind_changing(lw, var, NULL);
  begin_vars(lw, var);
  lower_decl_initialise(lw, var, init);
}

void lower_declare_ahead(Lowering *lw, const TStmt *stmt) {
  const TVar *var = stmt->u.decl.var;
  if (var->kind == TVAR_GROUP)
    return;
  if (var->kind == TVAR_SHARED)
    bind_shared(lw, var);
  else if (var->kind != TVAR_CONSTANT && lives_in_memory(lw, var))
    bind_local(lw, var);
  else if (var->kind != TVAR_CONSTANT) {
    bind_vars(lw, var);
    begin_vars(lw, var);
  }
}

void lower_decl_ahead(Lowering *lw, const TStmt *stmt) {
  if (stmt->u.decl.var->kind == TVAR_GROUP)
    decl_group(lw, stmt);
  else
    lower_decl_initialise(lw, stmt->u.decl.var, stmt->u.decl.init);
}
