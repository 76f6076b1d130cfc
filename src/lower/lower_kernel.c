// SPDX-License-Identifier: Apache-2.0
// Kernels: parameters, clauses, and the body.
#include "base/panic.h"
#include "lower/lower_internal.h"

#include "ir/analyses/alias.h"

// -------------------------------------------------------------- parameters

bool lower_holds_signed(const TVar *var) {
  const Type *type = type_array_base(var->type, &(uint32_t){0});
  if (type_is(type, TY_POINTER))
    type = type->u.pointer.pointee;
  if (type_is(type, TY_VECTOR))
    type = type->u.vector.element;
  return lower_type_is_signed(type);
}

static void lower_kernel_add_param(Lowering *lw, const TVar *var,
                                   IrParamKind kind, IrType type,
                                   IrObject *object) {
  IrParam param = {.kind = kind, .type = type, .object = object};
  param.name = arena_strdup(lw->module->arena, var->name);
  param.is_signed = lower_holds_signed(var);
  param.loc = lower_loc(lw, var->span);
  if (object)
    object->param = (int32_t)lw->kernel->params.count;
  VEC_PUSH(lw->module->arena, &lw->kernel->params, param);
  // The map holds pointers; an index plus one is never NULL.
  map_put(lw->scratch, &lw->params, MAP_KEY(var),
          (void *)(uintptr_t)lw->kernel->params.count);
}

// What a `void` pointer points to is bytes until a cast says more.
static IrObject *param_object(Lowering *lw, const TVar *var,
                              const Type *element) {
  bool is_void = type_is(element, TY_VOID);
  IrType type = is_void ? ir_scalar(IR_TYPE_I8) : lower_type(lw, element);
  IrObject *object =
      ir_object_new(lw->kernel, var->name, SPACE_GLOBAL, ir_memory_type(type));
  object->element_bytes = is_void ? 1 : (uint32_t)element->size_bytes;
  object->is_const = var->is_read_only;
  object->align_bytes = element->align_bytes;
  object->layout = LAYOUT_ROW_MAJOR;
  object->loc = lower_loc(lw, var->span);
  return object;
}

static void lower_kernel_add_array(Lowering *lw, const TVar *var) {
  const Type *element = type_array_base(var->type, &(uint32_t){0});
  IrObject *object = param_object(lw, var, element);
  object->rank = (uint8_t)var->rank;
  lower_kernel_add_param(lw, var, PARAM_ARRAY, object->element, object);
  Binding binding = {.kind = BIND_OBJECT, .type = var->type, .object = object};
  lower_bind(lw, var, &binding);
}

static void add_pointer(Lowering *lw, const TVar *var) {
  IrObject *object = param_object(lw, var, var->type->u.pointer.pointee);
  object->rank = 1;
  object->is_plain_pointer = true;
  object->is_restrict = var->is_restrict;
  lower_kernel_add_param(lw, var, PARAM_POINTER, lower_type(lw, var->type),
                         object);
}

static void lower_kernel_add_value(Lowering *lw, const TVar *var) {
  const TypeLayout *layout = lower_layout(lw, var->type);
  IrType type = layout->is_split ? lower_type(lw, var->type)
                                 : lower_byte_image(lw, var->type);
  bool is_scalar = type.kind != IR_TYPE_STRUCT && type.lanes == 1;
  lower_kernel_add_param(lw, var, is_scalar ? PARAM_SCALAR : PARAM_STRUCT, type,
                         NULL);
}

static void lower_kernel_add_params(Lowering *lw) {
  for (uint32_t i = 0; i < lw->tree->n_params; i++) {
    const TVar *var = lw->tree->params[i];
    if (var->kind == TVAR_PARAM_ARRAY)
      lower_kernel_add_array(lw, var);
    else if (var->kind == TVAR_PARAM_PTR)
      add_pointer(lw, var);
    else
      lower_kernel_add_value(lw, var);
  }
}

// After all parameters: extents may name later ones.
static void set_extents(Lowering *lw) {
  for (uint32_t i = 0; i < lw->tree->n_params; i++) {
    const TVar *var = lw->tree->params[i];
    IrObject *object = lw->kernel->params.data[i].object;
    if (var->kind != TVAR_PARAM_ARRAY)
      continue;
    object->has_strides = var->strides != NULL;
    object->is_table = var->is_table;
    for (uint32_t dim = 0; dim < var->rank; dim++) {
      object->extents[dim] = lower_host(lw, var->extents[dim]);
      if (var->strides)
        object->strides[dim] = lower_host(lw, var->strides[dim]);
    }
    if (type_is_packed(var->element))
      lower_packed_extents(lw, object, var);
  }
}

// ------------------------------------------------------------------ aliases

// Note [Alias classes]. Two arrays of one kernel overlap only where may_alias
// says so. A plain pointer's extent is unknown, so no launch can check it: it
// may overlap other plain pointers and every array, unless neither is written
// or one is `restrict`.

static void merge_classes(IrKernel *kernel, uint32_t from, uint32_t to) {
  for (uint32_t i = 0; from && i < kernel->objects.count; i++)
    if (kernel->objects.data[i]->alias_class == from)
      kernel->objects.data[i]->alias_class = to;
}

static void set_pointer_class(Lowering *lw) {
  bool has_pointer = false, has_written = false;
  for (uint32_t i = 0; i < lw->kernel->objects.count; i++) {
    const IrObject *object = lw->kernel->objects.data[i];
    bool is_open = object->is_plain_pointer && !object->is_restrict;
    has_pointer |= is_open;
    has_written |= is_open && !object->is_const;
  }
  for (uint32_t i = 0; has_pointer && i < lw->kernel->objects.count; i++) {
    IrObject *object = lw->kernel->objects.data[i];
    if (!object->is_restrict &&
        (object->is_plain_pointer || has_written || !object->is_const))
      object->alias_class = 1;
  }
}

static IrObject *object_of(Lowering *lw, const TVar *var) {
  uintptr_t index = (uintptr_t)map_get(&lw->params, MAP_KEY(var));
  HD_ASSERT(index > 0);
  return lw->kernel->params.data[index - 1].object;
}

static void set_aliases(Lowering *lw) {
  IrKernel *kernel = lw->kernel;
  set_pointer_class(lw);
  for (uint32_t i = 0; i < lw->tree->n_aliases; i++) {
    IrAliasPair pair = {.a = object_of(lw, lw->tree->aliases[i].a),
                        .b = object_of(lw, lw->tree->aliases[i].b)};
    VEC_PUSH(lw->module->arena, &kernel->may_alias, pair);
    uint32_t class = i + 2;
    merge_classes(kernel, pair.a->alias_class, class);
    merge_classes(kernel, pair.b->alias_class, class);
    pair.a->alias_class = pair.b->alias_class = class;
  }
}

// ------------------------------------------------------------------ clauses

static IrRequireKind require_kind(const TRequire *require) {
  return require->is_host ? REQUIRE_HOST : REQUIRE_CONTENTS;
}

static void add_requirements(Lowering *lw) {
  for (uint32_t i = 0; i < lw->tree->n_requires; i++) {
    const TRequire *require = &lw->tree->requires[i];
    IrRequire row = {.kind = require_kind(require),
                     .condition = lower_host(lw, require->condition),
                     .loc = lower_loc(lw, require->span),
                     .is_given = require->is_given};
    row.text = arena_strdup(lw->module->arena, require->text);
    VEC_PUSH(lw->module->arena, &lw->kernel->requirements, row);
  }
}

static void set_hints(Lowering *lw, const TTileHints *hints) {
  IrKernel *kernel = lw->kernel;
  kernel->hints = (IrTileHints){.warps = (uint32_t)hints->warps,
                                .stages = (uint32_t)hints->stages,
                                .ctas = (uint32_t)hints->ctas,
                                .occupancy = (uint32_t)hints->occupancy,
                                .consumers = (uint32_t)hints->consumers,
                                .is_pingpong = hints->is_pingpong,
                                .is_persistent = hints->is_persistent,
                                .grouped = (uint32_t)hints->grouped,
                                .is_longest_first = hints->is_longest_first};
  if (hints->is_longest_first)
    kernel->hints.order_loc = lower_loc(lw, hints->order_span);
}

static void set_launch(Lowering *lw) {
  IrKernel *kernel = lw->kernel;
  const TKernel *tree = lw->tree;
  int64_t threads = 1;
  for (int i = 0; i < 3 && tree->form != TLAUNCH_FLAT; i++) {
    kernel->block_dim[i] = tree->block[i] > 0 ? (int32_t)tree->block[i] : 1;
    threads *= kernel->block_dim[i];
  }
  kernel->groups.data[GROUP_ROW_BLOCK]->size = threads;
  for (int i = 0; i < 3 && tree->grid[i]; i++) {
    kernel->grid[i] = lower_host(lw, tree->grid[i]);
    kernel->n_grid = (uint8_t)(i + 1);
  }
  for (int i = 0; i < 3; i++)
    kernel->cluster_dim[i] = (int32_t)tree->cluster[i];
  if (tree->cluster[0] > 0) {
    int64_t blocks = tree->cluster[0] * tree->cluster[1] * tree->cluster[2];
    kernel->groups.data[GROUP_ROW_CLUSTER]->size = threads * blocks;
    kernel->groups.data[GROUP_ROW_BLOCK]->instances = blocks;
  }
  set_hints(lw, &tree->hints);
  kernel->min_blocks = (int32_t)tree->min_blocks;
  kernel->max_registers = (int32_t)tree->max_registers;
  kernel->fast_math = tree->fast_math;
  if (tree->flops)
    kernel->flops = lower_host(lw, tree->flops);
  if (tree->bytes)
    kernel->bytes = lower_host(lw, tree->bytes);
}

// "BM=128, T=float"
static const char *variant_text(Lowering *lw) {
  Text text = {.arena = lw->module->arena};
  for (uint32_t i = 0; i < lw->tree->n_embedded; i++) {
    const TEmbedded *given = &lw->tree->embedded[i];
    text_printf(&text, "%s%s=", i ? ", " : "", given->name);
    if (given->is_type)
      text_add(&text, type_name(lw->scratch, given->type));
    else if (type_is_floating(given->type))
      text_printf(&text, "%.17g", given->value.f);
    else if (type_is_signed(given->type))
      text_printf(&text, "%lld", (long long)given->value.i);
    else
      text_printf(&text, "%llu", (unsigned long long)given->value.u);
  }
  return text_cstr(&text);
}

// --------------------------------------------------------------------- body

static Value lower_kernel_param_value(Lowering *lw, const TVar *var,
                                      uint32_t number) {
  IrType type = lw->kernel->params.data[number].type;
  IrNode *node = lower_index_op(lw, IR_PARAM, type, number, NULL);
  const TypeLayout *layout = lower_layout(lw, var->type);
  IrNode **leaves = ARENA_ARRAY(lw->scratch, IrNode *, layout->n_leaves);
  if (type.kind != IR_TYPE_STRUCT && type.lanes == 1)
    return lower_from_leaves(lw, lower_value_node(node), var->type);
  for (uint32_t i = 0; i < layout->n_chunks; i++) {
    const Chunk *chunk = &layout->chunks[i];
    IrNode *part = node;
    if (type.kind == IR_TYPE_STRUCT) {
      part = lower_emit1(lw, IR_EXTRACT, chunk->ir, node);
      part->u.index.number = i;
    }
    for (uint32_t k = 0; k < chunk->n_leaves; k++) {
      uint32_t leaf = chunk->first_leaf + k;
      leaves[leaf] = part;
      if (chunk->ir.lanes > 1) {
        leaves[leaf] =
            lower_emit1(lw, IR_EXTRACT, layout->leaves[leaf].ir, part);
        leaves[leaf]->u.index.number = k;
      }
    }
  }
  return lower_value_leaves(lw, leaves, layout->n_leaves);
}

// A parameter without leaves arrives as integers of the same bytes.
static void bind_image(Lowering *lw, const TVar *var, uint32_t number) {
  IrType type = lw->kernel->params.data[number].type;
  const IrStruct *image = lw->module->structs.data[type.index];
  IrNode *node = lower_index_op(lw, IR_PARAM, type, number, NULL);
  IrObject *object =
      lower_local_object(lw, var->name, var->type, var->align_bytes);
  const Address *address = lower_object_address(lw, object);
  for (uint32_t i = 0; i < image->leaves.count; i++) {
    IrLeaf leaf = image->leaves.data[i];
    IrNode *part = lower_emit1(lw, IR_EXTRACT, leaf.type, node);
    part->u.index.number = i;
    lower_access(lw, IR_STORE, lower_address_at(lw, address, leaf.offset_bytes),
                 leaf.type, ir_type_size(lw->module, leaf.type), &part, 1);
  }
  Binding binding = {.kind = BIND_OBJECT, .type = var->type, .object = object};
  lower_bind(lw, var, &binding);
}

static void lower_kernel_bind_params(Lowering *lw) {
  for (uint32_t i = 0; i < lw->tree->n_params; i++) {
    const TVar *var = lw->tree->params[i];
    IrObject *object = lw->kernel->params.data[i].object;
    if (var->kind == TVAR_PARAM_ARRAY)
      continue;
    lw->loc = lower_loc(lw, var->span);
    if (var->kind == TVAR_PARAM_PTR)
      lower_introduce(lw, var,
                      lower_value_address(lower_object_address(lw, object)));
    else if (lower_layout(lw, var->type)->is_split)
      lower_introduce(lw, var, lower_kernel_param_value(lw, var, i));
    else
      bind_image(lw, var, i);
  }
}

static void lower_kernel_body(Lowering *lw) {
  lower_scan(lw, lw->tree->body);
  lower_kernel_bind_params(lw);
  lw->loc = lower_loc(lw, lw->tree->body->span);
  IrNode *block = lower_open_block(lw);
  lw->frame->node = block;
  lower_packed_columns(lw);
  if (lw->tree->form == TLAUNCH_THREADS)
    lower_stmt(lw, lw->tree->body);
  else
    lower_loop_kernel(lw);
  lower_close_block(lw, block);
}

// ------------------------------------------------------------------- limits

typedef struct {
  Lowering *lw;
  uint32_t *depths; // by node id
  IrNode *too_deep;
} DepthCheck;

static bool check_depth(IrNode *node, void *context) {
  DepthCheck *check = context;
  const IrNode *owner = node->region->owner;
  check->depths[node->id] = owner ? check->depths[owner->id] + 1 : 0;
  if (check->depths[node->id] < IR_MAX_DEPTH)
    return true;
  check->too_deep = node;
  return false;
}

// Every pass may count on the limit.
static void limit_depth(Lowering *lw) {
  IrKernel *kernel = lw->kernel;
  DepthCheck check = {.lw = lw};
  check.depths = ARENA_ARRAY(lw->scratch, uint32_t, kernel->n_nodes + 1);
  if (lw->has_failed || ir_walk(&kernel->body, check_depth, &check))
    return;
  lw->has_failed = true;
  DIAG_REPORT(lw->diags, DIAG_calls_too_deep,
              lw->module->locs.data[check.too_deep->loc].place,
              DS(lw->tree->name));
}

// Note [Const that is cast away]
// `const T *x` says that this name changes nothing. A cast takes that away, and
// a store behind it is right if the array itself may be written, which only the
// caller knows: so the array counts as written, and `heddle check` names this
// among what it trusts. Arrays with extents are different: loops may count on
// their elements, and launches take read-only memory for them. In CUDA C they
// are pointers of which a length is stated, so that only the former counts.

static bool may_lose_const(const Lowering *lw, const IrObject *object) {
  return object->is_plain_pointer ||
         (lw->module->loses_const && !object->decides_turns);
}

static bool lower_kernel_note_written(IrNode *node, void *context) {
  Lowering *lw = context;
  const IrObject *target = ir_is_write(node) ? ir_target_object(node) : NULL;
  if (!target || lw->has_failed ||
      (!target->is_const && target->space != SPACE_CONSTANT))
    return true;
  for (uint32_t i = 0; i < lw->kernel->objects.count; i++) {
    IrObject *object = lw->kernel->objects.data[i];
    if (object != target || !may_lose_const(lw, object))
      continue;
    object->is_const = false;
    object->loses_const = true;
    return true;
  }
  lw->has_failed = true;
  bool is_constant = target->space == SPACE_CONSTANT;
  DIAG_REPORT(
      lw->diags, DIAG_not_assignable, lw->module->locs.data[node->loc].place,
      DS(arena_printf(lw->scratch, "'%s'", target->name)),
      DS(is_constant ? "it is in constant memory" : "it is an array of const"));
  return true;
}

static void take_const_away(Lowering *lw) {
  bool is_any = false;
  ir_walk(&lw->kernel->body, lower_kernel_note_written, lw);
  for (uint32_t i = 0; i < lw->kernel->objects.count; i++)
    is_any |= lw->kernel->objects.data[i]->loses_const;
  if (is_any)
    set_pointer_class(lw);
}

static void lower_all(Lowering *lw) {
  lower_kernel_add_params(lw);
  ir_kernel_layout_args(lw->kernel);
  set_extents(lw);
  set_aliases(lw);
  set_launch(lw);
  add_requirements(lw);
  lw->kernel->variant = variant_text(lw);
  lower_kernel_body(lw);
  take_const_away(lw);
  lower_tidy(lw);
  ir_kernel_renumber(lw->kernel);
  limit_depth(lw);
  lower_finish_pipelines(lw);
}

IrKernel *lower_kernel(IrModule *module, const TKernel *tree,
                       SourceText *source, DiagEngine *diags) {
  HD_ASSERT(tree->body && tree->n_params <= tree->n_vars &&
            (tree->n_grid <= 3 || tree->is_tile));
  PanicContext outside =
      hd_panic_context((PanicContext){"lowering", tree->name});
  Lowering lw = {.scratch = arena_new(),
                 .module = module,
                 .tree = tree,
                 .source = source,
                 .diags = diags};
  Frame frame = {.fast_math = tree->fast_math};
  lw.frame = &frame;
  lw.kernel = ir_kernel_new(module, tree->name);
  lw.kernel->loc = lower_loc(&lw, tree->span);
  lw.group = lw.kernel->groups.data[GROUP_ROW_BLOCK];
  lw.region = &lw.kernel->body;
  lower_all(&lw);
  arena_free(lw.scratch);
  (void)hd_panic_context(outside);
  if (lw.has_failed) {
    module->kernels.count--;
    return NULL;
  }
  return lw.kernel;
}
