// SPDX-License-Identifier: Apache-2.0
// Which kernels of tiles may run neighbouring blocks together.
//
// Note [Blocks that can be run together]
// The body is three parts in a row:
//  - a prologue, which has no effects and leaves nothing but values of
//    variables, so that it may be run again wherever one of them is needed. It
//    doesn't read the sums, which aren't what they were then;
//  - one counted loop of as many turns in each block, whose only effect is
//    acc = mma(a, b, acc). `a` depends on one dimension of the block's index,
//    `b` on another one, or one of them on both and the other on none; neither
//    on what earlier turns computed, and what they load no block writes. So an
//    operand is the same in a row, or a column, of blocks, and may be computed
//    before any sums. Where one operand depends on both dimensions all blocks
//    are one column, or one row;
//  - an epilogue, in which no block waits for another one.
// Then blocks may take turns between the parts, and between turns of the loop.
// Each element of acc is still the sum of the same products in the same order.
// Dependence is of data, as no part before the loop's end has branches.
#include "ir/analyses/alias.h"
#include "ir/analyses/analysis.h"
#include "tile/tile_parts.h"

#include <string.h>

// What a value depends on: a bit for each dimension of the block's index.
#define OF_SUMS 8u

typedef struct {
  const Lower *t;
  RectKernel *found;
  uint32_t *vars;  // by variable: what it depends on
  uint32_t *nodes; // by id
  uint32_t inside; // what an operation and its operator depend on
  bool is_changed; // a variable depends on more than was known
  bool is_in_loop;
  hd_vec(const IrNode *) reads; // of arrays, in prologue and loop
  const char *why;
} Finder;

static bool rect_is_refused(Finder *f, const char *why) {
  if (!f->why)
    f->why = why;
  return false;
}

// --------------------------------------------------------------- the parts

static bool find_loop(Finder *f) {
  const IrNode *first = f->t->kernel->body.first;
  for (const IrNode *node = first; node; node = node->next) {
    if (node->op == IR_FOR || node->op == IR_LOOP) {
      f->found->loop = (IrNode *)(uintptr_t)node;
      break;
    }
    if (node->n_regions > 0 && !ir_is_operator(node))
      return rect_is_refused(f, "there are branches before its loop");
  }
  const IrNode *loop = f->found->loop;
  if (!loop)
    return rect_is_refused(f, "it has no loop");
  // Chunks count by many steps at once.
  if (loop->op != IR_FOR || loop->u.loop.is_inclusive ||
      loop->u.loop.step <= 0 || loop->u.loop.step > INT32_MAX ||
      !loop->u.loop.is_signed)
    return rect_is_refused(f, "its loop doesn't count up to a bound");
  return true;
}

// The only effect of the loop.
static bool rect_find_sum(Finder *f) {
  const IrNode *set = NULL;
  for (IrNode *node = f->found->loop->regions[0].first; node;
       node = node->next) {
    if (node->n_regions > 0 && !ir_is_operator(node))
      return rect_is_refused(f, "there are branches in its loop");
    if (node->op == IR_TILE_MMA && f->found->mma)
      return rect_is_refused(f, "its loop has more than one product");
    if (node->op == IR_TILE_MMA)
      f->found->mma = node;
    if (node->op == IR_SET && set)
      return rect_is_refused(f, "its loop changes more than one variable");
    if (node->op == IR_SET)
      set = node;
  }
  const IrNode *mma = f->found->mma;
  if (!mma || !set || set->args[0] != mma)
    return rect_is_refused(f, "its loop doesn't add up products");
  const IrNode *acc = mma->args[2];
  f->found->acc = set->u.variable.var;
  if (acc->op != IR_GET || acc->u.variable.var != f->found->acc ||
      acc->region != mma->region)
    return rect_is_refused(f, "its loop doesn't add up products");
  return true;
}

static bool sums_are_plain(Finder *f) {
  const IrModule *module = f->t->kernel->module;
  const IrTileShape *to = ir_tile_shape(module, f->found->mma->type);
  if (to->rank != 2)
    return rect_is_refused(f, "its products are of many matrices");
  if (!ir_type_equal(product_work(to->element), to->element))
    return rect_is_refused(f, "its sums are rounded in each turn");
  return true;
}

// ------------------------------------------------------------- dependence

static uint32_t rect_depends(Finder *f, const IrNode *node) {
  uint32_t on = 0;
  for (uint32_t i = 0; i < node->n_args; i++)
    on |= f->nodes[node->args[i]->id];
  if (node->op == IR_GET)
    on |= f->vars[node->u.variable.var];
  else if (node->op == IR_BLOCK_INDEX)
    on |= 1u << node->u.index.number;
  return on;
}

static void rect_assign(Finder *f, uint32_t var, uint32_t on) {
  f->is_changed |= (f->vars[var] | on) != f->vars[var];
  f->vars[var] |= on;
}

static bool rect_inside(IrNode *node, void *context) {
  Finder *f = context;
  f->inside |= rect_depends(f, node);
  return true;
}

static bool rect_visit(IrNode *node, void *context) {
  Finder *f = context;
  f->inside = rect_depends(f, node);
  if (ir_is_operator(node))
    ir_walk(&node->regions[0], rect_inside, f);
  f->nodes[node->id] = f->inside;
  if (node->op == IR_SET)
    rect_assign(f, node->u.variable.var, f->nodes[node->id]);
  if (node->op == IR_FOR)
    rect_assign(f, node->u.loop.var, f->nodes[node->id]);
  return true;
}

static void follow_values(Finder *f) {
  const IrNode *end = f->found->loop->next;
  rect_assign(f, f->found->acc, OF_SUMS);
  rect_assign(f, f->found->loop->u.loop.var, RECT_OF_TURN);
  do {
    f->is_changed = false;
    for (IrNode *node = f->t->kernel->body.first; node != end;
         node = node->next) {
      rect_visit(node, f);
      for (uint32_t i = 0; i < node->n_regions; i++)
        ir_walk(&node->regions[i], rect_visit, f);
    }
  } while (f->is_changed);
}

static uint32_t rect_operand_depends(const Finder *f, uint32_t operand) {
  return f->nodes[f->found->mma->args[operand]->id];
}

// The dimension, 0 or 1, of the block's index that an operand changes along, or
// both of them, or none.
static uint32_t rect_axis(const Finder *f, uint32_t operand) {
  static const uint32_t axes[4] = {RECT_NO_AXIS, 0, 1, RECT_BOTH_AXES};
  return axes[rect_operand_depends(f, operand) & 3u];
}

static bool rect_find_axes(Finder *f) {
  uint32_t a = rect_axis(f, 0), b = rect_axis(f, 1);
  uint32_t on = rect_operand_depends(f, 0) | rect_operand_depends(f, 1);
  bool is_all = (a == RECT_BOTH_AXES && b == RECT_NO_AXIS) ||
                (b == RECT_BOTH_AXES && a == RECT_NO_AXIS);
  bool has_both = a == RECT_BOTH_AXES || b == RECT_BOTH_AXES;
  if (on & OF_SUMS || (!is_all && has_both) || (a == b && a != RECT_NO_AXIS))
    return rect_is_refused(f,
                           "an operand of its product differs in all blocks");
  if (f->nodes[f->found->loop->id] & (3u | OF_SUMS))
    return rect_is_refused(f, "its loop isn't equally long in all blocks");
  if (a == RECT_NO_AXIS && !is_all)
    a = b == RECT_NO_AXIS ? 1 : 1 - b;
  f->found->axis[0] = a;
  f->found->axis[1] = is_all ? b : 1 - a;
  return true;
}

// ----------------------------------------------------------------- effects

// What must not happen in any part.
static bool rect_is_barred(const Finder *f, const IrNode *node) {
  const IrForm form = ir_op_info(node)->form;
  if (form == FORM_EXIT || form == FORM_PART || form == FORM_BARRIER ||
      form == FORM_COPY || ir_family(node) == FAMILY_SYNC)
    return true;
  if (node->op == IR_RANK && node->u.group.group->kind == GROUP_GRID)
    return true;
  if ((form == FORM_ACCESS && node->u.access.order > ORDER_RELAXED) ||
      (form == FORM_SECTION && node->u.section.order > ORDER_RELAXED))
    return true;
  // Nothing else uses the variable that counts the loop's turns.
  return form == FORM_VAR && !f->is_in_loop &&
         node->u.variable.var == f->found->loop->u.loop.var;
}

static const IrObject *rect_object(const IrNode *node) {
  return ir_op_info(node)->form == FORM_SECTION ? node->u.section.object
                                                : node->u.access.object;
}

static bool rect_is_silent(Finder *f, const IrNode *node) {
  const IrOpInfo *info = ir_op_info(node);
  bool is_kept = node->op == IR_ASSUME || node->op == IR_SET ||
                 node->op == IR_GET || node->op == IR_FOR ||
                 (node->op == IR_ASSERT && node->flags & NODE_OBLIGATION);
  if (info->form != FORM_ACCESS && info->form != FORM_SECTION)
    return is_kept || (info->flags & OPF_PURE) || ir_is_operator(node);
  if (!info->memory)
    return true; // an address
  const IrObject *object = rect_object(node);
  if (info->memory & (MEM_WRITE | MEM_ORDER) || !object ||
      (object->space != SPACE_GLOBAL && object->space != SPACE_CONSTANT))
    return false;
  VEC_PUSH(f->t->scratch, &f->reads, node);
  return true;
}

static bool before_end(IrNode *node, void *context) {
  Finder *f = context;
  return !rect_is_barred(f, node) && rect_is_silent(f, node);
}

static bool writes_what_is_read(const Finder *f, const IrNode *node) {
  IrForm form = ir_op_info(node)->form;
  if (!ir_is_write(node) || (form != FORM_ACCESS && form != FORM_SECTION))
    return false;
  const IrObject *object = rect_object(node);
  for (uint32_t i = 0; i < f->reads.count; i++) {
    const IrObject *read = rect_object(f->reads.data[i]);
    if (object ? ir_may_alias(f->t->kernel, object, read)
               : ir_pointer_may_reach(node, read))
      return true;
  }
  return false;
}

static bool after_loop(IrNode *node, void *context) {
  Finder *f = context;
  bool is_told = ir_family(node) == FAMILY_EFFECT &&
                 !(node->op == IR_ASSERT && node->flags & NODE_OBLIGATION);
  if (rect_is_barred(f, node) || is_told)
    return rect_is_refused(
        f, "what follows its loop depends on the blocks' order");
  if (writes_what_is_read(f, node))
    return rect_is_refused(f, "blocks write what the product may read");
  return true;
}

static bool rect_walk_part(Finder *f, IrNode *first, const IrNode *end,
                           IrVisitor visit) {
  for (IrNode *node = first; node != end; node = node->next) {
    f->is_in_loop = node == f->found->loop;
    if (!visit(node, f))
      return false;
    for (uint32_t i = 0; i < node->n_regions; i++)
      if (!ir_walk(&node->regions[i], visit, f))
        return false;
  }
  return true;
}

// Its prologue is run again where the sums are those of the end.
static bool rect_reads_no_sums(Finder *f) {
  for (const IrNode *node = f->t->kernel->body.first; node != f->found->loop;
       node = node->next)
    if (node->op == IR_GET && node->u.variable.var == f->found->acc)
      return rect_is_refused(f, "what comes before its loop reads the sums");
  return true;
}

static bool find_effects(Finder *f) {
  IrNode *behind = f->found->loop->next;
  if (!rect_walk_part(f, f->t->kernel->body.first, behind, before_end))
    return rect_is_refused(f, "it has effects before its loop ends");
  return rect_walk_part(f, behind, NULL, after_loop);
}

static const char *rect_find_as_is(const Lower *t, RectKernel *found) {
  memset(found, 0, sizeof *found);
  Finder f = {.t = t, .found = found};
  f.vars = ARENA_ARRAY(t->scratch, uint32_t, t->kernel->vars.count);
  f.nodes = ARENA_ARRAY(t->scratch, uint32_t, t->kernel->n_nodes);
  if (find_loop(&f) && rect_find_sum(&f) && sums_are_plain(&f) &&
      rect_reads_no_sums(&f) && find_effects(&f)) {
    follow_values(&f);
    found->depends = f.nodes;
    rect_find_axes(&f);
  }
  return f.why;
}

const char *rect_find(Lower *t, RectKernel *found) {
  IrKernel *given = t->kernel;
  t->kernel = ir_clone_kernel(t->arena, given);
  if (rect_flatten(t)) {
    ir_kernel_renumber(t->kernel);
    if (!rect_find_as_is(t, found))
      return NULL;
  }
  t->kernel = given;
  ir_kernel_renumber(given);
  return rect_find_as_is(t, found);
}
