// SPDX-License-Identifier: Apache-2.0
// The rules for operations of groups, barriers and copies by themselves.
#include "ir/verify/verify_parts.h"

#include "base/bits.h"

enum { MOST_BYTES = 32 }; // of a value that threads exchange

static bool is_scalar(const IrNode *value, IrTypeKind kind) {
  return value->type.kind == kind && value->type.lanes == 1;
}

// ----------------------------------------------------------- group values

// Scalars, short vectors and structs up to 32 bytes.
static bool verify_exchanged(Verifier *v, const IrNode *node, IrType type) {
  bool is_good = type.kind != IR_TYPE_VOID && type.kind != IR_TYPE_TOKEN &&
                 type.kind != IR_TYPE_TILE;
  if (is_good && type.kind == IR_TYPE_STRUCT)
    is_good = v->module->structs.data[type.index]->leaves.count > 0;
  return (is_good && ir_type_size(v->module, type) <= MOST_BYTES) ||
         verify_fail(v, node, "threads can't exchange such a value");
}

static bool verify_tiled(Verifier *v, const IrNode *node,
                         const IrGroup *group) {
  bool is_open = group->size == SIZE_UNKNOWN;
  bool is_whole = group->size == group->parent->size;
  if (!is_open && !is_whole &&
      (group->size > 512 || !is_power_of_two(group->size)))
    return verify_fail(v, node, "its size is not a power of two up to 512");
  if (node->n_args != (is_open ? 1 : 0))
    return verify_fail(v, node, "needs an operand where its row has no size");
  return !is_open || is_scalar(node->args[0], IR_TYPE_I32) ||
         verify_fail(v, node, "its size is not i32");
}

static bool verify_labeled(Verifier *v, const IrNode *node) {
  if (node->n_args != 1)
    return verify_fail(v, node, "has no label");
  IrType type = node->args[0]->type;
  bool is_good = ir_type_is_int(type) || type.kind == IR_TYPE_PTR ||
                 is_scalar(node->args[0], IR_TYPE_BOOL);
  return is_good || verify_fail(v, node, "can't be labeled by %s",
                                verify_type_text(v, type));
}

// At the level lanes: what a back end finds the threads of the group by, masks
// and numbers. On GPUs several nodes share the row of ballots.
static bool verify_lanes(Verifier *v, const IrNode *node) {
  uint32_t first = node->u.group.group->kind == GROUP_LABELED ? 1 : 0;
  for (uint32_t i = first; i < node->n_args; i++) {
    const IrNode *arg = node->args[i];
    if (!ir_type_is_int(arg->type) && !is_scalar(arg, IR_TYPE_BOOL))
      return verify_fail(v, node, "finds threads by numbers only");
  }
  return true;
}

static bool verify_make_group(Verifier *v, const IrNode *node) {
  const IrGroup *group = node->u.group.group;
  bool is_of_lanes = v->kernel->level == LEVEL_LANES;
  if (is_of_lanes && group->kind == GROUP_COALESCED)
    return verify_lanes(v, node);
  if (is_of_lanes && group->kind == GROUP_LABELED && node->n_args > 1)
    return group->maker == node && verify_lanes(v, node);
  if (group->maker != node)
    return verify_fail(v, node, "is not the maker of its group");
  switch ((int)group->kind) {
  case GROUP_TILED: return verify_tiled(v, node, group);
  case GROUP_LABELED: return verify_labeled(v, node);
  case GROUP_COALESCED:
    return node->n_args == 0 || verify_fail(v, node, "needs no operand");
  default: return verify_fail(v, node, "can't make a group of that kind");
  }
}

static bool verify_bytes(Verifier *v, const IrNode *node) {
  uint8_t to = node->args[0]->type.space, from = node->args[1]->type.space;
  if (node->op == IR_BULK_STORE)
    return (to == SPACE_GLOBAL && from == SPACE_SHARED) ||
           verify_fail(v, node, "copies from shared to global memory");
  return (to == SPACE_SHARED &&
          (from == SPACE_GLOBAL || from == SPACE_CONSTANT)) ||
         verify_fail(v, node, "copies from global to shared memory");
}

bool verify_group_op(Verifier *v, const IrNode *node) {
  if (ir_family(node) == FAMILY_EXCHANGE)
    return verify_exchanged(v, node, node->args[0]->type);
  switch ((int)node->op) {
  case IR_MAKE_GROUP: return verify_make_group(v, node);
  case IR_ARRIVE:
    return node->type.kind == IR_TYPE_TOKEN ||
           verify_fail(v, node, "gives a token");
  case IR_MEMCPY_ASYNC: return verify_bytes(v, node);
  case IR_MEMCPY_WAIT:
    return node->args[0]->op == IR_CONST ||
           verify_fail(v, node, "its number is not constant");
  default: return true;
  }
}

// ------------------------------------------------------------ collectives

static bool is_combinable(IrType type, IrRmw combine) {
  bool is_float = type.kind >= IR_TYPE_F16 && type.kind <= IR_TYPE_F64;
  bool is_int = type.kind >= IR_TYPE_I8 && type.kind <= IR_TYPE_I64;
  switch (combine) {
  case RMW_ADD:
  case RMW_SMIN:
  case RMW_SMAX: return is_float || is_int;
  case RMW_UMIN:
  case RMW_UMAX: return is_int;
  case RMW_AND:
  case RMW_OR:
  case RMW_XOR: return is_int || type.kind == IR_TYPE_BOOL;
  case RMW_SUB:
  case RMW_INC:
  case RMW_DEC:
  case RMW_EXCH: break;
  }
  return false;
}

static bool verify_operator_var(Verifier *v, const IrNode *node, uint32_t var) {
  if (var < v->kernel->vars.count &&
      ir_type_equal(v->kernel->vars.data[var].type, node->type))
    return true;
  return verify_fail(v, node, "its operator has variables of another type");
}

static bool verify_operator(Verifier *v, const IrNode *node) {
  uint32_t left = node->u.by.left, right = node->u.by.right;
  if (left == right || left == node->u.by.result || right == node->u.by.result)
    return verify_fail(v, node, "its operator has one variable for two things");
  if (node->op == IR_SCAN_BY && node->u.collective.is_exclusive &&
      node->n_args < 2)
    return verify_fail(v, node, "needs a first value");
  return verify_operator_var(v, node, left) &&
         verify_operator_var(v, node, right) &&
         verify_operator_var(v, node, node->u.by.result);
}

bool verify_collective(Verifier *v, const IrNode *node) {
  bool is_scan = node->op == IR_SCAN || node->op == IR_SCAN_BY;
  if (!verify_has_group(v, node->u.collective.group))
    return verify_fail(v, node, "its group is not in the table");
  if (node->n_args < 1 || node->n_args > (is_scan ? 2 : 1) ||
      !ir_type_equal(node->type, node->args[0]->type) ||
      !ir_type_equal(node->type, node->args[node->n_args - 1]->type))
    return verify_fail(v, node, "its operands are not of its type");
  if (node->u.collective.is_exclusive && !is_scan)
    return verify_fail(v, node, "is not a scan");
  if (!verify_exchanged(v, node, node->type))
    return false;
  if (node->n_regions)
    return verify_operator(v, node);
  return is_combinable(node->type, node->u.collective.combine) ||
         verify_fail(v, node, "can't combine %s in this way",
                     verify_type_text(v, node->type));
}

// -------------------------------------------------------------- mbarriers

static bool verify_indices(Verifier *v, const IrNode *node, uint32_t from,
                           uint32_t count) {
  for (uint32_t i = from; i < from + count; i++)
    if (i >= node->n_args || (!is_scalar(node->args[i], IR_TYPE_I32) &&
                              !is_scalar(node->args[i], IR_TYPE_I64)))
      return verify_fail(v, node, "operand %u is not an index", i);
  return true;
}

static bool verify_mbarrier(Verifier *v, const IrNode *node,
                            const IrObject *object, uint32_t first) {
  if (!verify_has_object(v, object) || object->kind != OBJECT_MBARRIER)
    return verify_fail(v, node, "needs an mbarrier");
  return verify_indices(v, node, first, object->rank);
}

// What an operation has behind the indices of its element.
static bool verify_named(Verifier *v, const IrNode *node, uint32_t from,
                         uint32_t count, IrTypeKind kind) {
  if (node->n_args != from + count)
    return verify_fail(v, node, "has %u operands, not %u", node->n_args,
                       from + count);
  for (uint32_t i = from; i < from + count; i++)
    if (!is_scalar(node->args[i], kind))
      return verify_fail(v, node, "operand %u has another type", i);
  return true;
}

bool verify_barrier(Verifier *v, const IrNode *node) {
  const IrObject *object = node->u.barrier.object;
  if (!verify_mbarrier(v, node, object, 0))
    return false;
  if (ir_gives_phase(node) && node->type.kind != IR_TYPE_TOKEN)
    return verify_fail(v, node, "gives a token");
  if (node->op == IR_MBAR_WAIT_TOKEN || node->op == IR_MBAR_TEST_TOKEN)
    return verify_named(v, node, object->rank, 1, IR_TYPE_TOKEN);
  uint32_t count = node->op == IR_MBAR_ARRIVE_EXPECT_MULTICAST ? 2
                   : node->op == IR_MBAR_INIT                  ? 0
                   : node->op == IR_MBAR_TENSOR                ? 0
                                                               : 1;
  return verify_named(v, node, object->rank, count, IR_TYPE_I32);
}

// ----------------------------------------------------------------- copies

static bool verify_copied(Verifier *v, const IrNode *node,
                          const IrSection *section, uint32_t *next,
                          uint64_t *count) {
  const IrObject *object = section->object;
  if (!verify_has_object(v, object) || object->kind != OBJECT_ARRAY ||
      object->is_plain_pointer || object->is_table)
    return verify_fail(v, node, "copies no array");
  *count = 1;
  for (uint32_t i = 0; i < IR_MAX_RANK; i++)
    if (i >= object->rank
            ? section->length[i] != 0
            : section->length[i] <= 0 ||
                  __builtin_mul_overflow(*count, (uint64_t)section->length[i],
                                         count))
      return verify_fail(v, node, "has a section without a size");
  uint32_t first = *next;
  *next += object->rank;
  return verify_indices(v, node, first, object->rank);
}

static bool verify_spaces(Verifier *v, const IrNode *node) {
  const IrObject *to = node->u.copy.to.object, *from = node->u.copy.from.object;
  bool is_in = to->space == SPACE_SHARED &&
               (from->space == SPACE_GLOBAL || from->space == SPACE_CONSTANT);
  bool is_out = to->space == SPACE_GLOBAL && from->space == SPACE_SHARED;
  if (node->op == IR_WGMMA_READ || node->op == IR_TENSOR_TOUCH)
    return (to == from && to->space == SPACE_SHARED) ||
           verify_fail(v, node, "reads no section of shared memory");
  bool is_good = node->op == IR_TMA_LOAD ? is_in
                 : ir_is_tma_store(node) ? is_out
                                         : is_in || is_out;
  if (!is_good)
    return verify_fail(v, node, "can't copy from there to there");
  return !to->is_const ||
         verify_fail(v, node, "'%s' can't be written", to->name);
}

static bool verify_signal(Verifier *v, const IrNode *node, uint32_t *next) {
  const IrObject *barrier = node->u.copy.barrier;
  if (!barrier && (node->op == IR_TMA_LOAD || node->op == IR_COPY_BULK))
    return verify_fail(v, node, "needs an mbarrier");
  if (barrier && (ir_is_tma_store(node) || node->op == IR_BULK_STORE ||
                  node->op == IR_WGMMA_READ || node->op == IR_TENSOR_TOUCH))
    return verify_fail(v, node, "signals no mbarrier");
  if (node->u.copy.has_mask && node->op != IR_TMA_LOAD)
    return verify_fail(v, node, "has no mask");
  if (barrier) {
    if (!verify_mbarrier(v, node, barrier, *next))
      return false;
    *next += barrier->rank;
  }
  return verify_named(v, node, *next, node->u.copy.has_mask, IR_TYPE_I32);
}

static bool verify_copy_bytes(Verifier *v, const IrNode *node) {
  uint32_t next = 3, align = node->u.copy.align_bytes;
  if (node->u.copy.to.object || node->u.copy.from.object)
    return verify_fail(v, node, "has sections");
  if (align > 16 || !bits_is_power(align))
    return verify_fail(v, node, "has no such alignment");
  if (ir_is_bulk(node) && node->u.copy.group->kind != GROUP_THREAD)
    return verify_fail(v, node, "is made by single threads");
  bool is_typed = node->n_args >= 3 &&
                  node->args[0]->type.kind == IR_TYPE_PTR &&
                  node->args[1]->type.kind == IR_TYPE_PTR &&
                  ir_type_equal(node->args[2]->type, ir_scalar(IR_TYPE_I64));
  if (!is_typed)
    return verify_fail(v, node, "needs two pointers and a number of bytes");
  return verify_bytes(v, node) && verify_signal(v, node, &next);
}

static bool verify_combines(Verifier *v, const IrNode *node) {
  IrRmw rmw = node->u.copy.rmw;
  if (node->op != IR_TMA_REDUCE)
    return rmw == RMW_ADD || verify_fail(v, node, "doesn't combine");
  return ir_engine_combines(rmw, node->u.copy.to.object->element) ||
         verify_fail(v, node, "can't combine elements of that type so");
}

bool verify_copy(Verifier *v, const IrNode *node) {
  uint32_t next = 0;
  uint64_t n_to, n_from;
  const IrSection *to = &node->u.copy.to, *from = &node->u.copy.from;
  if (!verify_has_group(v, node->u.copy.group))
    return verify_fail(v, node, "its group is not in the table");
  if (ir_copies_bytes(node))
    return verify_copy_bytes(v, node);
  if (!verify_copied(v, node, to, &next, &n_to) ||
      !verify_copied(v, node, from, &next, &n_from))
    return false;
  if (n_to != n_from ||
      !ir_type_equal(to->object->element, from->object->element))
    return verify_fail(v, node, "its sections differ");
  return verify_spaces(v, node) && verify_signal(v, node, &next) &&
         verify_combines(v, node);
}
