// SPDX-License-Identifier: Apache-2.0
// What operations of groups, barriers and copies need of their group: that its
// threads come together, its size, and operands that are the same for all.
#include "ir/rules/check_rules.h"

#include "base/bits.h"

// ---------------------------------------------------------------- words

static const char *group_statement_text(const IrNode *node) {
  const char *name = node->u.part.group->name;
  return name && name[0] ? name : "a group statement";
}

static const char *maker_text(const Checker *c, const IrNode *node) {
  switch ((int)node->u.group.group->kind) {
  case GROUP_TILED: return rule_word(c, WORD_tiled_partition);
  case GROUP_LABELED: return rule_word(c, WORD_labeled_partition);
  default: return rule_word(c, WORD_coalesced_threads);
  }
}

static const char *scan_text(const IrNode *node) {
  return node->u.collective.is_exclusive ? "exclusive_scan" : "inclusive_scan";
}

static const char *check_section_text(Checker *c, const IrNode *node,
                                      const char *what) {
  return arena_printf(c->arena, "%s of a section of '%s'", what,
                      node->u.section.object->name);
}

static const char *tensor_text(const IrNode *node) {
  bool is_copy = node->op == IR_TENSOR_WRITE &&
                 node->args[node->n_args - 1]->op == IR_TENSOR_READ;
  return is_copy ? "tcgen05_cp" : "tcgen05_mma";
}

const char *check_text(Checker *c, const IrNode *node) {
  switch ((int)node->op) {
  case IR_GROUP: return group_statement_text(node);
  case IR_THREAD_FOR: return "'thread for'";
  case IR_WITH:
    return arena_printf(c->arena, "with (%s)", node->u.part.group->name);
  case IR_JOIN: return "'parallel for'";
  case IR_UNIFORM:
  case IR_SYNC:
    return blame_value_text(c->blamer, node, rule_word(c, WORD_call_sync));
  case IR_STORE: {
    const IrObject *object = node->u.access.object;
    return object ? arena_printf(c->arena, "the store to '%s'", object->name)
                  : "the store";
  }
  case IR_RMW:
  case IR_CAS: return "the atomic operation";
  case IR_MAKE_GROUP: return maker_text(c, node);
  case IR_REDUCE_BY:
  case IR_TILE_REDUCE_BY: return "reduce";
  case IR_TILE_SCAN_BY: return "scan";
  case IR_TILE_MAP: return "map";
  case IR_WGMMA_LOAD:
  case IR_WGMMA_MMA: return "wgmma_mma";
  case IR_MBAR_TENSOR: return "tcgen05_commit";
  case IR_TENSOR_READ:
  case IR_TENSOR_WRITE:
  case IR_TENSOR_MMA: return tensor_text(node);
  case IR_TILE_LOAD:
    return node->u.section.object->is_tensor
               ? "tcgen05_ld"
               : check_section_text(c, node, "the load");
  case IR_TILE_STORE:
    return node->u.section.object->is_tensor
               ? "tcgen05_st"
               : check_section_text(c, node, "the store");
  case IR_TILE_RMW:
  case IR_TILE_CAS: return check_section_text(c, node, "the atomic operation");
  case IR_SET: return "the assignment of a tile";
  case IR_SET_MAX_REGS: return "setmaxregs";
  case IR_PRINTF: return "printf";
  case IR_SCAN:
  case IR_SCAN_BY: return scan_text(node);
  case IR_MEMCPY_WAIT:
  case IR_MBAR_WAIT:
  case IR_MBAR_WAIT_TOKEN: return "wait";
  case IR_MBAR_ARRIVE_DROP: return "arrive_drop";
  case IR_MBAR_ARRIVE_EXPECT_MULTICAST: return "arrive_expect_multicast";
  default:
    return ir_is_tile(node->type) || ir_family(node) == FAMILY_TILE
               ? "an operation on a tile"
               : ir_op_info(node)->text;
  }
}

// ------------------------------------------------------------------ need

static bool check_collective_is_aligned(const IrGroup *group, int64_t to) {
  int64_t begin = ir_group_block_begin(group);
  return group->alignment % to == 0 ||
         (begin != SIZE_UNKNOWN && begin % to == 0);
}

static bool is_aligned_group(const IrGroup *group, int64_t size) {
  return group->size == size && check_collective_is_aligned(group, size);
}

static bool fits_need(const IrGroup *group, IrNeed need) {
  int64_t size = group_is_one_thread(group) ? 1 : group->size;
  switch (need) {
  case NEED_NONE:
  case NEED_GROUP: return true;
  case NEED_SINGLE: return size == 1;
  case NEED_WARP: return is_aligned_group(group, 32);
  case NEED_WARPGROUP: return is_aligned_group(group, 128);
  case NEED_WARPGROUPS:
    return size > 0 && size % 128 == 0 &&
           check_collective_is_aligned(group, 128);
  case NEED_SINGLE_OR_WARP: return size == 1 || is_aligned_group(group, 32);
  case NEED_AT_LEAST_16: return size >= 16;
  }
  return false;
}

static const char *need_text(IrNeed need) {
  switch (need) {
  case NEED_NONE:
  case NEED_GROUP: break;
  case NEED_SINGLE: return "exactly one thread";
  case NEED_WARP:
    return "a group of 32 threads that begins at a multiple of "
           "32";
  case NEED_WARPGROUP:
    return "a group of 128 threads that begins at a "
           "multiple of 128";
  case NEED_WARPGROUPS:
    return "a group of a multiple of 128 threads that begins at a "
           "multiple of 128";
  case NEED_SINGLE_OR_WARP:
    return "one thread, or a group of 32 that begins "
           "at a multiple of 32";
  case NEED_AT_LEAST_16: return "at least 16 threads";
  }
  return "a group";
}

const char *check_size_text(Checker *c, const IrGroup *group) {
  int64_t size = group->size;
  if (size == SIZE_UNKNOWN)
    return "a number of threads that isn't known at compile time";
  const char *begins = "";
  if ((size == 32 || size == 128) && !check_collective_is_aligned(group, size))
    begins = ir_group_block_begin(group) == SIZE_UNKNOWN
                 ? ", and where they begin isn't known at compile time"
                 : arena_printf(c->arena, ", beginning at thread %d",
                                (int)ir_group_block_begin(group));
  return arena_printf(c->arena, "%d thread%s%s", (int)size, text_plural(size),
                      begins);
}

// What a tensor core is asked to do, one thread of a warp asks for; loads and
// stores of tensor memory reach all lanes of a warpgroup.
static IrNeed need_of(const Checker *c, const IrNode *node,
                      const IrGroup **group) {
  *group = ir_op_group(c->kernel, node);
  if (ir_is_tensor_op(node->op) || node->op == IR_MBAR_TENSOR) {
    if (!group_is_one_thread(*group))
      return NEED_SINGLE;
    if ((*group)->kind == GROUP_SINGLE)
      *group = (*group)->parent;
    return NEED_WARP;
  }
  if (ir_op_info(node)->form == FORM_SECTION &&
      node->u.section.object->is_tensor && !ir_fills_tensor(c->kernel, node))
    return NEED_WARPGROUP;
  return (IrNeed)ir_op_info(node)->need;
}

static void check_need(Checker *c, const IrNode *node) {
  const IrGroup *group;
  IrNeed need = need_of(c, node, &group);
  if (fits_need(group, need) || node->op == IR_TENSOR_READ ||
      node->op == IR_TENSOR_MMA) // those of TENSOR_WRITE
    return;
  Diag *diag = DIAG_REPORT(
      c->diags, DIAG_group_need, blame_place(c->blamer, node),
      DS(check_text(c, node)), DS(need_text(need)),
      DS(blame_group_phrase(c->blamer, group)), DS(check_size_text(c, group)));
  bool is_for_one = need == NEED_SINGLE || need == NEED_SINGLE_OR_WARP;
  if (is_for_one)
    diag_note(c->diags, diag, (Place){0}, "%s",
              vocabulary_text(c->arena, c->kernel->module->language,
                              WORD_let_one_do_it, check_text(c, node), NULL));
  check_finish(c, diag, node);
}

// ----------------------------------------------------------- group values

// A number of threads fits any group, a mask doesn't.
static bool is_for_32_threads(const IrNode *node) {
  return ir_family(node) == FAMILY_EXCHANGE && node->op != IR_COUNT &&
         ir_op_info(node)->result[0] == 's';
}

static void check_mask(Checker *c, const IrNode *node) {
  const IrGroup *group = node->u.group.group;
  if (ir_group_most(group) <= 32)
    return;
  Diag *diag = DIAG_REPORT(
      c->diags, DIAG_mask_too_small, blame_place(c->blamer, node),
      DS(check_text(c, node)), DS(blame_group_phrase(c->blamer, group)),
      DS(check_size_text(c, group)));
  diag_note(c->diags, diag, (Place){0}, "%s", rule_word(c, WORD_take_part));
  check_finish(c, diag, node);
}

static void check_labeled(Checker *c, const IrNode *node) {
  const IrGroup *parent = node->u.group.group->parent;
  if (ir_group_in_warp(parent)) {
    check_together(c, node, parent);
    return;
  }
  Diag *diag = DIAG_REPORT(
      c->diags, DIAG_label_warp, blame_place(c->blamer, node),
      DS(check_text(c, node)), DS(blame_group_phrase(c->blamer, parent)));
  diag_note(c->diags, diag, (Place){0}, "%s", rule_word(c, WORD_divide_warp));
  check_finish(c, diag, node);
}

static const IrNode *constant_size(const IrNode *node) {
  return node->n_args && node->args[0]->op == IR_CONST ? node->args[0] : NULL;
}

static void check_tiled(Checker *c, const IrNode *node) {
  const IrGroup *parent = node->u.group.group->parent;
  const IrNode *constant = constant_size(node);
  uint64_t size = constant ? constant->u.constant.bits : 1;
  Place place = blame_place(c->blamer, node);
  if (parent->kind == GROUP_GRID || parent->kind == GROUP_CLUSTER)
    check_finish(c,
                 DIAG_REPORT(c->diags, DIAG_group_level, place,
                             DS(rule_word(c, WORD_tiled_partition)),
                             DS(blame_group_phrase(c->blamer, parent))),
                 node);
  else if (size > 512 || !bits_is_power(size))
    check_finish(c,
                 DIAG_REPORT(c->diags, DIAG_partition_size, place,
                             DD((int32_t)size),
                             DS("it must be a power of two from 1 to 512")),
                 node);
  else if (node->n_args && !group_is_one_thread(parent))
    check_same(c, node, node->args[0], parent,
               arena_printf(c->arena, "the size of the parts of %s",
                            rule_word(c, WORD_tiled_partition)));
}

static void check_maker(Checker *c, const IrNode *node) {
  if (node->u.group.group->kind == GROUP_LABELED)
    check_labeled(c, node);
  if (node->u.group.group->kind == GROUP_TILED)
    check_tiled(c, node);
}

// --------------------------------------------------------------- operands

// Operands [from, n) of a thing that the group does once.
static void check_all_same(Checker *c, const IrNode *node, uint32_t from,
                           const char *part) {
  const IrGroup *group = ir_op_group(c->kernel, node);
  if (group_is_one_thread(group))
    return;
  const char *what =
      arena_printf(c->arena, "%s of %s", part, check_text(c, node));
  for (uint32_t i = from; i < node->n_args; i++)
    check_same(c, node, node->args[i], group, what);
}

static void check_copy_operands(Checker *c, const IrNode *node) {
  switch (ir_copy_op(node->op)) {
  case IR_COPY_BYTES:
  case IR_MEMCPY_ASYNC: check_all_same(c, node, 0, "an operand"); break;
  case IR_COPY_ASYNC:
  case IR_TMA_LOAD:
  case IR_TMA_STORE:
  case IR_TMA_REDUCE: check_all_same(c, node, 0, "an index"); break;
  case IR_COPY_BULK: // by each thread
  case IR_BULK_STORE:
  case IR_MEMCPY_WAIT: // of a constant
  case IR_COPY_COMMIT:
  case IR_COPY_WAIT:
  case IR_TMA_COMMIT:
  case IR_TMA_WAIT:
  case IR_TMA_WAIT_READ:
  case IR_WGMMA_FENCE:
  case IR_WGMMA_COMMIT:
  case IR_WGMMA_WAIT:
  case IR_WGMMA_READ:
  case IR_TENSOR_FENCE:
  case IR_TENSOR_ALLOC:
  case IR_TENSOR_DEALLOC:
  case IR_TENSOR_TOUCH: break;
  }
}

static void check_exchange_operands(Checker *c, const IrNode *node) {
  switch (ir_exchange_op(node->op)) {
  case IR_BROADCAST: check_all_same(c, node, 1, "the index"); break;
  case IR_SHFL:
  case IR_SHFL_UP:
  case IR_SHFL_DOWN:
  case IR_SHFL_XOR:
  case IR_ANY:
  case IR_ALL:
  case IR_COUNT:
  case IR_BALLOT:
  case IR_MATCH_ANY:
  case IR_MATCH_ALL: break;
  }
}

// Which operands all threads have to share.
static void check_operands(Checker *c, const IrNode *node) {
  IrFamily family = ir_family(node);
  if (family == FAMILY_COPY)
    check_copy_operands(c, node);
  else if (family == FAMILY_EXCHANGE)
    check_exchange_operands(c, node);
  else if (family == FAMILY_MBARRIER &&
           ir_op_info(node)->flags & OPF_COLLECTIVE)
    check_all_same(c, node, 0, "an operand");
}

// -------------------------------------------------------------- operators

// Memory that all see, which a function over elements does not touch: not each
// thread's own, and not what never changes.
static bool touches_shared_memory(const IrNode *node) {
  const IrOpInfo *info = ir_op_info(node);
  if (info->form != FORM_ACCESS)
    return info->memory != MEM_NONE;
  if (info->memory == MEM_NONE)
    return false;
  const IrObject *object = node->u.access.object;
  IrSpace space = object ? object->space : (IrSpace)node->args[0]->type.space;
  bool is_read = info->memory == MEM_READ;
  return space != SPACE_LOCAL && !(space == SPACE_CONSTANT && is_read);
}

static const char *touched_text(Checker *c, const IrNode *node) {
  const IrObject *object =
      ir_op_info(node)->form == FORM_ACCESS ? node->u.access.object : NULL;
  if (node->op != IR_LOAD)
    return check_text(c, node);
  return object ? arena_printf(c->arena, "the load of '%s'", object->name)
                : "the load";
}

// A function over elements may be applied in any order, to an element more than
// once, or not at all where nobody needs the result.
static void check_in_applied(Checker *c, const IrNode *node) {
  bool is_place = node->op == IR_RANK || node->op == IR_META_RANK ||
                  node->op == IR_THREAD_INDEX;
  if (!ir_is_shown(node) && !touches_shared_memory(node) &&
      !(is_place && c->kernel->groups.data[GROUP_ROW_BLOCK]->size != 1))
    return;
  Diag *diag = DIAG_REPORT(
      c->diags, DIAG_tile_function_effect, blame_place(c->blamer, node),
      DS(touched_text(c, node)),
      DS(arena_printf(c->arena, "'%s'", check_text(c, c->operation))));
  diag_label(c->diags, diag, blame_place(c->blamer, c->operation),
             "applied to elements here");
  check_finish(c, diag, node);
}

static void check_in_operator(Checker *c, const IrNode *node) {
  const IrOpInfo *info = ir_op_info(node);
  if (ir_family(c->operation) == FAMILY_TILE) {
    check_in_applied(c, node);
    return;
  }
  if (!(info->flags & (OPF_COLLECTIVE | OPF_BLOCKS | OPF_CANNOT_VARY)) &&
      node->op != IR_MAKE_GROUP && !ir_is_async_copy(node))
    return;
  Diag *diag =
      DIAG_REPORT(c->diags, DIAG_operator_effect, blame_place(c->blamer, node),
                  DS(check_text(c, c->operation)), DS(check_text(c, node)));
  check_finish(c, diag, node);
}

// An operation that waits for others, or that the group does once, together.
static bool is_done_together(const IrNode *node) {
  return (ir_op_info(node)->flags & OPF_COLLECTIVE) != 0 ||
         ir_op_info(node)->need == NEED_WARPGROUP ||
         ir_op_info(node)->need == NEED_WARPGROUPS ||
         ir_op_info(node)->need == NEED_WARP || node->op == IR_TMA_LOAD ||
         ir_is_tma_store(node);
}

void check_operation(Checker *c, const IrNode *node) {
  if (c->operation) {
    check_in_operator(c, node);
    return;
  }
  uint32_t before = c->n_errors;
  check_tile(c, node);
  check_need(c, node);
  if (c->n_errors == before && is_for_32_threads(node))
    check_mask(c, node);
  if (c->n_errors == before && is_done_together(node))
    check_together(c, node, ir_op_group(c->kernel, node));
  if (node->op == IR_MAKE_GROUP)
    check_maker(c, node);
  if (c->n_errors == before)
    check_operands(c, node);
}
