// SPDX-License-Identifier: Apache-2.0
// The rules for one node by itself: its attributes.
#include "ir/form/format.h"
#include "ir/form/words.h"
#include "ir/verify/verify_parts.h"
#include <string.h>

enum {
  KNOWN_FLAGS = NODE_NO_SIGNED_WRAP | NODE_FAST_MATH | NODE_UNIFORM_CLAIM |
                NODE_OBLIGATION | NODE_UNSIGNED | NODE_OWN | NODE_SPECULATIVE |
                NODE_RETURNS | NODE_THEN_RETURNS | NODE_ELSE_RETURNS |
                NODE_ENDS | NODE_INSIDE | NODE_MORE
};

// ---------------------------------------------------------------- forms

static bool verify_const(Verifier *v, const IrNode *node) {
  uint32_t bits = ir_type_bits(node->type);
  if (!bits || node->type.lanes != 1)
    return verify_fail(v, node, "a constant has a scalar type");
  if (bits < 64 && node->u.constant.bits >> bits)
    return verify_fail(v, node, "has more bits than its type");
  return true;
}

static bool verify_variable(Verifier *v, const IrNode *node) {
  uint32_t var = node->u.variable.var;
  if (var >= v->kernel->vars.count)
    return verify_fail(v, node, "its variable is not in the table");
  IrType type = v->kernel->vars.data[var].type;
  IrType given = node->op == IR_GET ? node->type
                 : node->n_args     ? node->args[0]->type
                                    : ir_scalar(IR_TYPE_VOID);
  if (!ir_type_equal(type, given))
    return verify_fail(v, node, "has type %s, but its variable %s",
                       verify_type_text(v, given), verify_type_text(v, type));
  return true;
}

static bool verify_param_index(Verifier *v, const IrNode *node) {
  uint32_t number = node->u.index.number;
  if (number >= v->kernel->params.count)
    return verify_fail(v, node, "there is no parameter %u", number);
  const IrParam *param = &v->kernel->params.data[number];
  bool is_value = param->kind == PARAM_SCALAR || param->kind == PARAM_STRUCT;
  if (!is_value || !ir_type_equal(param->type, node->type))
    return verify_fail(v, node, "parameter %u has another type", number);
  return true;
}

static bool verify_dimension(Verifier *v, const IrNode *node) {
  const IrObject *object = node->u.index.object;
  uint32_t number = node->u.index.number;
  if (!verify_has_object(v, object) || number >= object->rank)
    return verify_fail(v, node, "there is no such dimension");
  if (object->param < 0 && !object->extents[number])
    return verify_fail(v, node, "dimension %u is unknown", number);
  if (object->is_plain_pointer)
    return verify_fail(v, node, "a plain pointer has no dimensions");
  return true;
}

static bool verify_claim(Verifier *v, const IrNode *node) {
  const IrObject *object = node->u.index.object;
  uint32_t n_more = ir_claim_bounds(node);
  if (node->u.index.number >
      (CLAIM_UNINIT | CLAIM_NEST | CLAIM_TURNS | CLAIM_PART))
    return verify_fail(v, node, "has unknown flags");
  if (node->u.index.number & CLAIM_PART &&
      (!object || object->rank == 0 || object->element_bytes == 0))
    return verify_fail(v, node, "is a part of nothing");
  n_more += (node->u.index.number & CLAIM_TURNS) != 0;
  if (node->n_args <= n_more)
    return verify_fail(v, node, "has too few operands");
  for (uint32_t i = 0; i < node->n_args; i++)
    if (!ir_type_is_int(node->args[i]->type))
      return verify_fail(v, node, "an operand is not an integer");
  return true;
}

static bool verify_index(Verifier *v, const IrNode *node) {
  switch ((int)node->op) {
  case IR_CONSUMES:
  case IR_PRODUCES:
  case IR_PRESERVES:
  case IR_READS: return verify_claim(v, node);
  case IR_PARAM: return verify_param_index(v, node);
  case IR_UNSET:
    return (node->u.index.object &&
            node->u.index.object->space == SPACE_LOCAL) ||
           verify_fail(v, node, "names no object of a thread");
  case IR_EXTENT:
  case IR_STRIDE: return verify_dimension(v, node);
  case IR_BLOCK_INDEX:
  case IR_THREAD_INDEX:
  case IR_GRID_DIM:
  case IR_BLOCK_DIM:
    return node->u.index.number < 3 ||
           verify_fail(v, node, "there are three dimensions");
  case IR_COPY_WAIT:
  case IR_TMA_WAIT:
  case IR_TMA_WAIT_READ:
  case IR_WGMMA_WAIT: return true; // any number of sets
  case IR_TENSOR_ALLOC:
  case IR_TENSOR_DEALLOC:
    return (verify_has_object(v, node->u.index.object) &&
            node->u.index.object->is_tensor) ||
           verify_fail(v, node, "names no tensor memory");
  case IR_SET_MAX_REGS:
    return (node->u.index.number >= 24 && node->u.index.number <= 256 &&
            node->u.index.number % 8 == 0) ||
           verify_fail(v, node, "is no number of registers");
  case IR_EXTRACT:
  case IR_INSERT: return true; // with the types
  default:
    HD_PANIC("verify_index doesn't know which numbers '%s' may have",
             ir_op_info(node)->text);
  }
}

static bool verify_group_form(Verifier *v, const IrNode *node) {
  if (node->u.group.join > JOIN_DROPPED_DISJOINT)
    return verify_fail(v, node, "its decision is unknown");
  if (node->u.group.join && node->op != IR_JOIN)
    return verify_fail(v, node, "only a join has a decision");
  const IrGroup *group = node->u.group.group;
  if (!verify_has_group(v, group))
    return verify_fail(v, node, "has no group");
  if (node->op == IR_CHOICE)
    return true;
  if (node->op != IR_RANK && node->op != IR_SIZE)
    return verify_group_op(v, node);
  IrTypeKind kind = group->kind == GROUP_GRID ? IR_TYPE_I64 : IR_TYPE_I32;
  return ir_type_equal(node->type, ir_scalar(kind)) ||
         verify_fail(v, node, "is i64 for the grid, else i32");
}

// ------------------------------------------------------------------ text

static bool verify_printed(Verifier *v, const IrNode *node, uint32_t arg,
                           IrTypeKind kind) {
  if (arg >= node->n_args)
    return verify_fail(v, node, "has too few operands for its format");
  IrType type = node->args[arg]->type;
  return (type.kind == kind && type.lanes == 1) ||
         verify_fail(v, node, "operand %u doesn't fit its conversion", arg);
}

static bool verify_format(Verifier *v, const IrNode *node) {
  const char *at = node->u.text.text;
  IrFormatPart part;
  uint32_t next = 0;
  while (ir_format_next(&at, &part)) {
    if (!part.letter)
      return verify_fail(v, node, "conversion '%.*s' is not allowed",
                         (int)(part.length < 20 ? part.length : 20),
                         part.begin);
    if (part.letter == '%')
      continue;
    for (uint32_t i = 0; i < part.n_stars; i++)
      if (!verify_printed(v, node, next++, IR_TYPE_I32))
        return false;
    if (!verify_printed(v, node, next++, part.type))
      return false;
  }
  return next == node->n_args ||
         verify_fail(v, node, "has too many operands for its format");
}

static bool verify_tile_assert(Verifier *v, const IrNode *node) {
  const IrTileShape *shape =
      node->n_args == 1 ? ir_tile_shape(v->module, node->args[0]->type) : NULL;
  return (shape && shape->element.kind == IR_TYPE_BOOL) ||
         verify_fail(v, node, "its operand is not a tile of bool");
}

static bool verify_assert(Verifier *v, const IrNode *node) {
  if (node->n_args == 0 || node->n_args > 1 + IR_MAX_TILE_RANK)
    return verify_fail(v, node, "has %u operands", node->n_args);
  for (uint32_t i = 0; i < node->n_args; i++) {
    IrType wanted = ir_scalar(i ? IR_TYPE_I32 : IR_TYPE_BOOL);
    if (!ir_type_equal(node->args[i]->type, wanted))
      return verify_fail(v, node, "operand %u is not %s", i,
                         verify_type_text(v, wanted));
  }
  return true;
}

static bool verify_text(Verifier *v, const IrNode *node) {
  if (node->u.text.order > ORDER_ACQ_REL || node->u.text.scope > SCOPE_SYSTEM)
    return verify_fail(v, node, "its order or scope is unknown");
  bool needs_text = node->op == IR_PRINTF || node->op == IR_ASSERT ||
                    node->op == IR_TILE_ASSERT || node->op == IR_CHECK_VALUE ||
                    node->op == IR_UNKNOWN || node->op == IR_INSIDE;
  if (needs_text && !node->u.text.text)
    return verify_fail(v, node, "has no text");
  if (node->op == IR_ASSERT)
    return verify_assert(v, node);
  if (node->op == IR_TILE_ASSERT)
    return verify_tile_assert(v, node);
  return node->op != IR_PRINTF || verify_format(v, node);
}

// ----------------------------------------------------------------- loops

static bool verify_iteration_var(Verifier *v, const IrNode *node,
                                 uint32_t var) {
  if (var >= v->kernel->vars.count)
    return verify_fail(v, node, "its variable is not in the table");
  if (!ir_type_equal(v->kernel->vars.data[var].type, node->args[0]->type))
    return verify_fail(v, node, "its variable and its bounds differ in type");
  return true;
}

static bool verify_loop(Verifier *v, const IrNode *node) {
  if (node->u.loop.unroll < -1)
    return verify_fail(v, node, "can't be unrolled in this way");
  if (node->op != IR_FOR)
    return true;
  if (node->u.loop.step == 0)
    return verify_fail(v, node, "its step is 0");
  return verify_iteration_var(v, node, node->u.loop.var);
}

static bool verify_split(Verifier *v, const IrNode *node) {
  int64_t threads = node->u.part.parent->size, count = node->u.part.count;
  const IrGroup *group = node->u.part.group;
  if (group->kind != GROUP_SPLIT && group->kind != GROUP_THREAD)
    return verify_fail(v, node, "its body is run by a part of another kind");
  if (count < 1 || threads == SIZE_UNKNOWN || threads % count ||
      group->size != threads / count)
    return verify_fail(v, node, "its iterations don't divide its threads");
  return true;
}

static bool verify_thread_for(Verifier *v, const IrNode *node) {
  if (node->u.part.step < 1)
    return verify_fail(v, node, "its step must be positive");
  if (node->u.part.count < SIZE_UNKNOWN)
    return verify_fail(v, node, "its number of iterations is negative");
  if (!verify_iteration_var(v, node, node->u.part.var))
    return false;
  if (node->u.part.is_split)
    return verify_split(v, node);
  return node->u.part.group->size == 1 ||
         verify_fail(v, node, "in strided form one thread runs the body");
}

static bool verify_group_node(Verifier *v, const IrNode *node) {
  const IrGroup *group = node->u.part.group;
  if (node->n_args > 1)
    return verify_fail(v, node, "has more than one operand");
  if (node->n_args && !ir_type_is_int(node->args[0]->type))
    return verify_fail(v, node, "its begin is not an integer");
  bool needs_begin = group->kind == GROUP_RANGE ||
                     (group->kind == GROUP_SINGLE && !node->u.part.is_any);
  if (needs_begin && !node->n_args && group->begin == SIZE_UNKNOWN)
    return verify_fail(v, node, "doesn't say where its group begins");
  if (group->kind == GROUP_RANGE && group->size == SIZE_UNKNOWN)
    return verify_fail(v, node, "doesn't say how many threads it has");
  return true;
}

static bool verify_part_form(Verifier *v, const IrNode *node) {
  if (!verify_has_group(v, node->u.part.group) ||
      !verify_has_group(v, node->u.part.parent))
    return verify_fail(v, node, "has no group or no parent");
  switch ((int)node->op) {
  case IR_THREAD_FOR: return verify_thread_for(v, node);
  case IR_WITH: return true;
  default: return verify_group_node(v, node);
  }
}

static bool verify_plain(Verifier *v, const IrNode *node) {
  return node->op != IR_FDOT2 || node->args[0]->type.kind == IR_TYPE_F32 ||
         verify_fail(v, node, "adds to an f32 only");
}

static bool verify_form(Verifier *v, const IrNode *node) {
  switch (ir_op_info(node)->form) {
  case FORM_PLAIN: return verify_plain(v, node);
  case FORM_EXIT: return true;
  case FORM_CONST: return verify_const(v, node);
  case FORM_VAR: return verify_variable(v, node);
  case FORM_INDEX: return verify_index(v, node);
  case FORM_GROUP: return verify_group_form(v, node);
  case FORM_ACCESS: return verify_access(v, node);
  case FORM_TEXT: return verify_text(v, node);
  case FORM_LOOP: return verify_loop(v, node);
  case FORM_PART: return verify_part_form(v, node);
  case FORM_COLLECTIVE: return verify_collective(v, node);
  case FORM_BARRIER: return verify_barrier(v, node);
  case FORM_COPY: return verify_copy(v, node);
  case FORM_TILE: return verify_tile_form(v, node);
  case FORM_SECTION: return verify_section(v, node);
  }
  return false;
}

bool verify_node(Verifier *v, const IrNode *node) {
  if (!verify_type(v, node->type))
    return verify_fail(v, node, "its type is not sane");
  if (node->flags & ~(uint32_t)KNOWN_FLAGS)
    return verify_fail(v, node, "has unknown flags");
  bool is_of_unit = v->kernel->has_units &&
                    (ir_is_of_unit(node->op) || ir_is_tensor_op(node->op) ||
                     ir_is_tensor_access(node));
  if (!is_of_unit && v->kernel->level > ir_node_level(node))
    return verify_fail(v, node, "does not stand at the level %s",
                       ir_words_level[v->kernel->level]);
  return verify_narrow(v, node) && verify_operand_types(v, node) &&
         verify_form(v, node) && verify_result_type(v, node);
}
