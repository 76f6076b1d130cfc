// SPDX-License-Identifier: Apache-2.0
// Which tile kernels become programs with roles.
//
// Note [Kernels for roles]
// The kernel has one loop whose turns load sections and add up products of
// them, wherever it stands: behind a prologue, in branches or in a loop over
// tiles. What is multiplied are sections of arrays that nobody writes and that
// the copy engine takes, as this variant's facts say. All scalars may be
// computed twice, by either role, because nothing that they come from changes
// while the kernel runs: no effects but stores and atomics of tiles.
#include "ir/analyses/alias.h"
#include "ir/analyses/analysis.h"
#include "tile/tile_roles.h"

typedef struct {
  Roles *r;
  IrNode *loop;
  hd_vec(const IrNode *) reads; // of memory
} RolesFinder;

static bool roles_refuse(Roles *r, const char *why) {
  if (!r->why)
    r->why = why;
  return false;
}

bool roles_is_turn(const IrNode *loop) {
  if (loop->op != IR_FOR)
    return false;
  for (const IrNode *node = loop->regions[0].first; node; node = node->next)
    if (node->op == IR_TILE_MMA)
      return true;
  return false;
}

IrNode *roles_section(IrNode *operand, bool *is_turned) {
  *is_turned = operand->op == IR_TILE_PERMUTE && operand->u.tile.numbers[0];
  if (operand->op == IR_TILE_PERMUTE)
    operand = operand->args[0];
  return operand->op == IR_TILE_LOAD ? operand : NULL;
}

// ------------------------------------------------------- what is multiplied

static bool roles_has_facts(const IrObject *object) {
  uint32_t needed = FACT_ALIGNED16 | FACT_STRIDE16 | FACT_SMALL;
  return (object->facts & needed) == needed;
}

static bool roles_takes_array(Roles *r, const IrObject *object) {
  enum { MOST_ENGINE_RANK = 5 };

  const IrHost *inner = object->strides[object->rank - 1u];
  if (object->param < 0 || object->is_plain_pointer || object->is_table ||
      object->rank > MOST_ENGINE_RANK ||
      (object->has_strides &&
       !(inner && inner->op == HOST_CONST && inner->number == 1)))
    return roles_refuse(r, "the copy engine doesn't take an operand's array");
  for (uint32_t k = 0; k < object->rank; k++)
    if (!object->extents[k])
      return roles_refuse(r, "an operand's array has unknown extents");
  return roles_has_facts(object) ||
         roles_refuse(r, "an operand's array or rows don't begin at multiples "
                         "of 16 bytes, or it is empty or very large");
}

static bool roles_takes_section(Roles *r, const IrNode *load) {
  const IrObject *object = load->u.section.object;
  uint32_t n_ranges = 0;
  for (uint32_t k = 0; k < object->rank; k++) {
    n_ranges += load->u.section.kind[k] == SECTION_RANGE;
    if (load->u.section.kind[k] == SECTION_GATHER)
      return roles_refuse(r, "an operand is gathered");
  }
  if (n_ranges != 2)
    return roles_refuse(r, "an operand has not two dimensions");
  if (load->u.section.has_view || load->u.section.has_mask ||
      load->u.section.has_pad || ir_is_atomic(load))
    return roles_refuse(r, "an operand has a view, a mask or a value outside");
  IrType element = ir_element_type(r->t->kernel->module, load->type);
  if (element.kind != IR_TYPE_F16 && element.kind != IR_TYPE_BF16)
    return roles_refuse(r, "its operands aren't half or bfloat16");
  return roles_takes_array(r, object);
}

// What the loop loads, in its order.
static bool roles_note_ring(Roles *r, const IrNode *load) {
  if (r->n_rings == ROLES_MOST_RINGS)
    return roles_refuse(r, "its loop loads too many sections");
  RolesRing *ring = &r->rings[r->n_rings++];
  ring->shape = *ir_tile_shape(r->t->kernel->module, load->type);
  ring->bytes = (uint64_t)load->u.section.object->element_bytes *
                ring->shape.extents[0] * ring->shape.extents[1];
  return roles_takes_section(r, load);
}

static bool roles_takes_product(Roles *r, const IrNode *mma) {
  const IrModule *module = r->t->kernel->module;
  const IrTileShape *to = ir_tile_shape(module, mma->type);
  bool is_turned;
  for (uint32_t i = 0; i < 2; i++) {
    const IrNode *load = roles_section(mma->args[i], &is_turned);
    if (!load || load->region != mma->region)
      return roles_refuse(r, "an operand is no section that each turn loads");
  }
  const IrTileShape *a = ir_tile_shape(module, mma->args[0]->type);
  if (to->element.kind != IR_TYPE_F32 || mma->u.tile.n_numbers ||
      !ir_wgmma_is_good(to, a->extents[1], a->element))
    return roles_refuse(r, "matrix units have no such product: rows are "
                           "multiples of 64, columns of 8 up to 256, depths "
                           "of 16, sums float");
  if (r->rows && r->rows != to->extents[0])
    return roles_refuse(r, "its products have different rows");
  r->rows = to->extents[0];
  r->sums += to->extents[1];
  r->n_products++;
  const IrNode *acc = mma->args[2], *set = mma->next;
  return (acc->op == IR_GET && acc->region == mma->region && set &&
          set->op == IR_SET && set->args[0] == mma &&
          set->u.variable.var == acc->u.variable.var) ||
         roles_refuse(r, "its loop doesn't add up products");
}

// Tiles in a turn are sections, products and their sums.
static bool roles_takes_in_turn(Roles *r, const IrNode *node) {
  bool is_turned;
  if (node->op == IR_TILE_LOAD)
    return roles_note_ring(r, node);
  if (node->op == IR_TILE_MMA)
    return roles_takes_product(r, node);
  if (node->op == IR_TILE_PERMUTE)
    return roles_section((IrNode *)(uintptr_t)node, &is_turned) ||
           roles_refuse(r, "its loop does more than add up products");
  if (node->op == IR_SET && ir_is_tile(node->args[0]->type))
    return (node->args[0]->op == IR_TILE_MMA &&
            node->previous == node->args[0]) ||
           roles_refuse(r, "its loop does more than add up products");
  bool is_sum = node->op == IR_GET && ir_is_tile(node->type);
  bool is_scalar = !ir_is_tile(node->type) && node->n_regions == 0 &&
                   ir_family(node) != FAMILY_TILE && node->op != IR_EXIT;
  return is_sum || is_scalar ||
         roles_refuse(r, "its loop does more than add up products");
}

typedef struct {
  const IrNode *of; // a get of sums, a section, or a transposed one
  bool is_other;    // something else than a product uses it
} RolesUse;

static bool roles_note_use(IrNode *node, void *context) {
  RolesUse *use = context;
  for (uint32_t i = 0; i < node->n_args; i++) {
    bool turns = node->op == IR_TILE_PERMUTE && use->of->op == IR_TILE_LOAD;
    if (node->args[i] == use->of && node->op != IR_TILE_MMA && !turns)
      use->is_other = true;
  }
  return true;
}

static bool roles_takes_loop(Roles *r, IrNode *loop) {
  for (IrNode *node = loop->regions[0].first; node; node = node->next) {
    if (!roles_takes_in_turn(r, node))
      return false;
    if (!ir_is_tile(node->type) || node->op == IR_TILE_MMA)
      continue;
    RolesUse use = {.of = node};
    ir_walk(&loop->regions[0], roles_note_use, &use);
    if (use.is_other)
      return roles_refuse(r, "its loop does more than add up products");
  }
  return true;
}

// --------------------------------------------------------------- the others

static bool roles_is_silent(const IrNode *node) {
  switch (ir_family(node)) {
  case FAMILY_VALUE:
  case FAMILY_ARITHMETIC:
  case FAMILY_COMPARE:
  case FAMILY_CONVERT:
  case FAMILY_MATH:
  case FAMILY_CONTROL: return true;
  case FAMILY_POSITION: return node->op != IR_MAKE_GROUP;
  case FAMILY_CLAIM: return node->op == IR_ASSUME;
  case FAMILY_EFFECT:
    return node->op == IR_ASSUME ||
           (node->op == IR_ASSERT && node->flags & NODE_OBLIGATION);
  case FAMILY_TILE:
    return node->op != IR_TILE_PRINT && node->op != IR_TILE_ASSERT;
  case FAMILY_MEMORY: return node->op == IR_LOAD && !ir_is_atomic(node);
  case FAMILY_SYNC:
  case FAMILY_EXCHANGE:
  case FAMILY_REDUCE:
  case FAMILY_MBARRIER:
  case FAMILY_COPY:
  case FAMILY_COUNT: break;
  }
  return false;
}

static bool roles_note_memory(RolesFinder *f, const IrNode *node) {
  IrForm form = ir_op_info(node)->form;
  if (form != FORM_ACCESS && form != FORM_SECTION)
    return true;
  const IrObject *object =
      form == FORM_SECTION ? node->u.section.object : node->u.access.object;
  if (!object ||
      (object->space != SPACE_GLOBAL && object->space != SPACE_CONSTANT))
    return roles_refuse(f->r, "it has pointers or arrays of its own");
  if (form == FORM_SECTION && node->u.section.order > ORDER_RELAXED)
    return roles_refuse(f->r, "it has atomics that order others");
  if (ir_is_write(node))
    VEC_PUSH(f->r->t->scratch, &f->r->written, object);
  else if (form != FORM_SECTION || !node->u.section.is_update)
    VEC_PUSH(f->r->t->scratch, &f->reads, node);
  return true;
}

static bool roles_visit(IrNode *node, void *context) {
  RolesFinder *f = context;
  Roles *r = f->r;
  if (!roles_is_silent(node))
    return roles_refuse(r, "it has effects that a block has once");
  if (!roles_note_memory(f, node))
    return false;
  bool is_tiled = ir_family(node) == FAMILY_TILE;
  if (is_tiled && !ir_is_tile(node->type) && node->type.kind != IR_TYPE_VOID)
    return roles_refuse(r, "scalars come from tiles");
  if (node->op == IR_FOR && roles_is_turn(node)) {
    if (f->loop)
      return roles_refuse(r, "it has several loops of products");
    f->loop = node;
    return roles_takes_loop(r, node);
  }
  if (node->op == IR_TILE_MMA || node->op == IR_TILE_MMA_SCALED)
    return (node->op == IR_TILE_MMA && node->region->owner == f->loop) ||
           roles_refuse(r, "it has products outside of such a loop");
  return true;
}

static bool roles_reads_written(RolesFinder *f) {
  const Roles *r = f->r;
  for (uint32_t i = 0; i < f->reads.count; i++) {
    const IrNode *read = f->reads.data[i];
    const IrObject *object = ir_op_info(read)->form == FORM_SECTION
                                 ? read->u.section.object
                                 : read->u.access.object;
    for (uint32_t k = 0; k < r->written.count; k++)
      if (ir_may_alias(r->t->kernel, r->written.data[k], object))
        return true;
  }
  return false;
}

const char *roles_find(Roles *r) {
  RolesFinder f = {.r = r};
  if (!ir_walk(&r->t->kernel->body, roles_visit, &f))
    return r->why;
  if (!f.loop)
    return "it has no loop of products";
  if (roles_reads_written(&f))
    return "it reads what it writes";
  return NULL;
}
