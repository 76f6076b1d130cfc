// SPDX-License-Identifier: Apache-2.0
// Which kernels have something to order, and what is said without isl.
#include "check/order/order.h"
#include "check/order/ring.h"

typedef struct {
  Check *check;
  bool has_barriers, has_copies;
} Scan;

static void check_order_suspect(Check *check, SuspectKind kind,
                                const Step *step, const char *reason) {
  Suspect new_suspect = {.kind = kind, .a = step, .reason.text = reason};
  check_suspect(check, &new_suspect);
}

// The barrier is one of its array.
static void scan_slot(Scan *scan, const Step *step, const BarrierUse *use) {
  TermTable *terms = scan->check->terms;
  for (uint32_t k = 0; k < use->object->rank; k++) {
    const Term *index = use->index[k];
    const Term *extent = tree_extent(scan->check->tree, use->object, (int)k);
    bool is_inside =
        index && extent &&
        solver_proves(scan->check->solver, step->path,
                      term_and(terms, term_le(terms, term_int(terms, 0), index),
                               term_lt(terms, index, extent)));
    if (is_inside)
      check_proved(scan->check);
    else
      check_order_suspect(
          scan->check, SUSPECT_BOUNDS, step,
          "the index of the mbarrier isn't proved to lie in its array");
  }
}

static void scan_touch(Scan *scan, const Step *step) {
  const Touch *touch = step->u.touch.touch;
  if (touch->done != DONE_AT_ONCE || touch->proxy == PROXY_ASYNC)
    scan->has_copies = true;
  if (step->u.touch.copy_barrier) {
    scan->has_barriers = true;
    if (touch->is_write) // once for both touches
      scan_slot(scan, step, step->u.touch.copy_barrier);
  }
  if (step->node->op == IR_SEMAPHORE_LOCK)
    check_order_suspect(scan->check, SUSPECT_BARRIER, step,
                        "blocks that wait for each other by semaphores aren't "
                        "supported by the checker");
}

static void scan_step(const Step *step, void *context) {
  Scan *scan = context;
  if (step->kind == STEP_TOUCH) {
    scan_touch(scan, step);
  } else if (step->kind == STEP_BARRIER) {
    scan->has_barriers = true;
    scan_slot(scan, step, step->u.barrier);
  }
}

// Nothing is proved of them; runs decide.
static void suspect_without_isl(Check *check, SuspectKind kind,
                                const Step *step) {
  Suspect new_suspect = {.kind = kind,
                         .a = step,
                         .needs_isl = true,
                         .reason.text = "isl is off, or not in this build"};
  check_suspect(check, &new_suspect);
}

static void suspect_fence(const Step *step, void *context) {
  if (step->kind == STEP_TOUCH && step->u.touch.touch->proxy == PROXY_ASYNC)
    suspect_without_isl(context, SUSPECT_FENCE, step);
}

static void suspect_step(const Step *step, void *context) {
  Check *check = context;
  if (step->kind == STEP_BARRIER)
    suspect_without_isl(check, SUSPECT_BARRIER, step);
  if (step->kind != STEP_TOUCH)
    return;
  if (step->u.touch.touch->done == DONE_BARRIER)
    suspect_without_isl(check, SUSPECT_COPY, step);
  suspect_fence(step, check);
}

// ------------------------------------------------------------------ unwaited

typedef enum { USED_ARRIVES = 1, USED_WAITS = 2, USED_COPIES = 4 } UsedHow;

typedef struct {
  const IrObject *object;
  const IrNode *arrive; // the first one
  unsigned how;
} UsedBarrier;

static bool note_use(IrNode *node, void *context) {
  UsedBarrier *used = context;
  const IrOpInfo *info = ir_op_info(node);
  if (info->form == FORM_COPY && node->u.copy.barrier == used->object)
    used->how |= USED_COPIES;
  if (info->form != FORM_BARRIER || node->u.barrier.object != used->object)
    return true;
  if (info->signals != EVENT_MBARRIER) {
    used->how |= USED_WAITS;
    return true;
  }
  used->how |= USED_ARRIVES;
  if (!used->arrive)
    used->arrive = node;
  return true;
}

// Of barriers that copies signal more is known: copies that nobody waits for.
static void remark_unwaited(Check *check, const IrObject *object) {
  UsedBarrier used = {.object = object};
  ir_walk((IrRegion *)(uintptr_t)&check->kernel->body, note_use, &used);
  if (used.how != USED_ARRIVES)
    return;
  Finding remark = {
      .code = CODE_UNWAITED,
      .verdict = VERDICT_PROVED,
      .node = used.arrive,
      .message = arena_printf(check->arena, "no thread waits for mbarrier '%s'",
                              object->name),
      .notes = {"threads arrive here",
                [2] = "no wait or test of the kernel names it, so it orders "
                      "nothing"}};
  VEC_PUSH(check->arena, &check->report->findings, remark);
}

void order_remarks(Check *check) {
  for (uint32_t i = 0; i < check->kernel->objects.count; i++)
    if (check->kernel->objects.data[i]->kind == OBJECT_MBARRIER)
      remark_unwaited(check, check->kernel->objects.data[i]);
}

// --------------------------------------------------------------------- all

#ifdef HD_HAVE_ISL

static Order *build(const Scan *scan) {
  if (scan->check->options->solve.tiers_off[TIER_ISL]) {
    tree_each(scan->check->tree->first, suspect_step, scan->check);
    return NULL;
  }
  Order *order = isl_order_new(scan->check, scan->has_barriers);
  if (scan->has_barriers)
    return order;
  isl_order_free(order);
  return NULL;
}

void order_free(Order *order) {
  if (order)
    isl_order_free(order);
}

Order *order_beside_rings(Check *check) {
  return check->options->solve.tiers_off[TIER_ISL] ? NULL
                                                   : isl_order_new(check, true);
}

#else

Order *order_beside_rings(Check *check) {
  (void)check;
  return NULL;
}

static Order *build(const Scan *scan) {
  tree_each(scan->check->tree->first, suspect_step, scan->check);
  return NULL;
}

void isl_order_fences(Order *order) {
  (void)order;
}

bool order_proves(Order *order, const OrderSide *a, const OrderSide *b,
                  const Term *const *conflict, uint32_t n_conflict) {
  (void)order;
  (void)a;
  (void)b;
  (void)conflict;
  (void)n_conflict;
  return false;
}

bool order_proves_first(Order *order, const OrderSide *a, const OrderSide *b,
                        const Term *const *conflict, uint32_t n_conflict) {
  return order_proves(order, a, b, conflict, n_conflict);
}

void order_free(Order *order) {
  (void)order;
}

#endif

// Beside rings only what a fence on the way may decide is left.
static Order *order_of_fences(Check *check) {
  if (fences_are_clear(check))
    return NULL;
  Order *order = order_beside_rings(check);
  if (order)
    isl_order_fences(order);
  else
    tree_each(check->tree->first, suspect_fence, check);
  return order;
}

Order *order_build(Check *check) {
  Scan scan = {.check = check};
  tree_each(check->tree->first, scan_step, &scan);
  if (scan.has_barriers)
    check->rings = rings_build(check);
  if (check->rings)
    return scan.has_copies ? order_of_fences(check) : NULL;
  return scan.has_barriers || scan.has_copies ? build(&scan) : NULL;
}
