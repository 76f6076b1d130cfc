// SPDX-License-Identifier: Apache-2.0
// That nobody waits for ever: all roles that share rings wait for them in the
// same order, equally often. Note [Rings].
#include "check/order/ring_words.h"

// ------------------------------------------------------------------ the star

static void note_rings(const Rings *rings, const Roles *roles, const Role *role,
                       bool *has) {
  for (uint32_t i = 0; i < rings->ops.count; i++) {
    const RingOp *op = rings->ops.data[i];
    if (op->kind == RING_WAIT && words_role_of(roles, op) == role)
      has[op->barrier->ring->id] = true;
  }
}

// On one side of each ring is this role alone, and not on the other.
static bool is_master(const Rings *rings, const Roles *roles,
                      const Role *role) {
  for (uint32_t k = 0; k < rings->rings.count; k++) {
    bool is_in[2] = {false, false}, is_alone[2] = {true, true};
    for (uint32_t i = 0; i < rings->ops.count; i++) {
      const RingOp *op = rings->ops.data[i];
      if (op->kind != RING_WAIT || op->barrier->ring != rings->rings.data[k])
        continue;
      int side = op->barrier == op->barrier->ring->full;
      bool is_own = words_role_of(roles, op) == role;
      is_in[side] |= is_own;
      is_alone[side] &= is_own;
    }
    if (is_in[0] == is_in[1] || !is_alone[is_in[0] ? 0 : 1])
      return false;
  }
  return true;
}

static bool follows(Rings *rings, const Roles *roles, const Role *master,
                    const Role *role) {
  WordFilter filter = {.rings = rings};
  filter.counts = ARENA_ARRAY(rings->arena, bool, rings->rings.count);
  note_rings(rings, roles, role, filter.counts);
  return words_are_equal(&filter, master->word, role->word);
}

static bool is_star(Rings *rings, const Roles *roles) {
  for (uint32_t m = 0; m < roles->count; m++) {
    const Role *master = &roles->data[m];
    bool is_right = is_master(rings, roles, master);
    for (uint32_t i = 0; i < roles->count && is_right; i++)
      is_right = i == m || follows(rings, roles, master, &roles->data[i]);
    if (is_right)
      return true;
  }
  return false;
}

// ------------------------------------------------------------- what is pending

// When a role that fills rings waits, all turns that it began are filled, and
// their copies asked for.
bool ring_has_filled(Rings *rings, const Step *step, const Ring *ring) {
  TermTable *t = rings->terms;
  const Term *waited = ring_count(rings, step, ring->empty->row, PASS_WAITS);
  const Term *made = ring_count(rings, step, ring->full->row, PASS_ARRIVALS);
  const Term *due = ring_count(rings, step, ring->full->row, PASS_BYTES);
  return ring_proves(rings, step, term_eq(t, waited, made)) &&
         ring_proves(rings, step, term_eq(t, due, term_int(t, 0)));
}

static bool has_filled_all(Rings *rings, const Roles *roles) {
  for (uint32_t i = 0; i < rings->ops.count; i++)
    for (uint32_t k = 0; k < rings->ops.count; k++) {
      const RingOp *filling = rings->ops.data[k], *wait = rings->ops.data[i];
      if (filling->kind != RING_WAIT || wait->kind != RING_WAIT ||
          filling->barrier != filling->barrier->ring->empty ||
          words_role_of(roles, filling) != words_role_of(roles, wait))
        continue;
      if (!ring_has_filled(rings, wait->step, filling->barrier->ring))
        return false;
    }
  return true;
}

// … and at the end.
bool ring_fills_last(Rings *rings, const RingOp *op) {
  const Ring *ring = op->barrier->ring;
  const Term *given = ring_membership(rings, op->step);
  const Term *waited =
      ring_end_count(rings, given, ring->empty->row, PASS_WAITS);
  const Term *made =
      ring_end_count(rings, given, ring->full->row, PASS_ARRIVALS);
  return waited == made || solver_proves(rings->check->solver, given,
                                         term_eq(rings->terms, waited, made));
}

// Who waits for turn i has freed all slots but the last S - 1.
bool ring_has_freed(Rings *rings, const RingOp *op) {
  TermTable *t = rings->terms;
  const Ring *ring = op->barrier->ring;
  const Term *waited = ring_count(rings, op->step, ring->full->row, PASS_WAITS);
  const Term *made = ring_ended(rings, op->step, ring, ring->empty);
  const Term *most = term_int(t, ring->full->n_slots - 1);
  return ring_proves(rings, op->step,
                     term_le(t, waited, term_add(t, made, most)));
}

static bool is_in_time(Rings *rings, const Roles *roles) {
  if (!has_filled_all(rings, roles))
    return false;
  for (uint32_t i = 0; i < rings->ops.count; i++) {
    const RingOp *op = rings->ops.data[i];
    if (op->kind != RING_WAIT)
      continue;
    bool is_right = op->barrier == op->barrier->ring->empty
                        ? ring_fills_last(rings, op)
                        : ring_has_freed(rings, op);
    if (!is_right)
      return false;
  }
  return true;
}

// -------------------------------------------------------- what else may hold
// up

typedef struct {
  Rings *rings;
  const Roles *roles;
  bool is_right, has_begun;
  uint32_t last; // id of the last operation
} Others;

// All that meet are of one role, or of none; or it is before or behind all.
static bool ring_live_may_meet(const Others *o, const Step *step,
                               const IrGroup *group) {
  RingSet met;
  if ((!o->has_begun || step->id > o->last) && !step->parent)
    return true;
  if (!ring_group_set(o->rings, group, &met))
    return false;
  for (uint32_t i = 0; i < o->roles->count; i++) {
    const RingSet *set = &o->roles->data[i].set;
    if (ring_is_within(&met, set))
      return true;
    if (!ring_is_apart(&met, set))
      return false;
  }
  return true;
}

static bool holds_op(const Rings *rings, const Step *step) {
  for (uint32_t i = 0; i < rings->ops.count; i++)
    for (const Step *at = rings->ops.data[i]->step; at; at = at->parent)
      if (at == step)
        return true;
  return false;
}

// The test of a loop, which is its number of turns, or what has no operation.
static bool is_harmless_exit(const Others *o, const Step *step) {
  const Step *target = step->u.exit.target;
  if (!target)
    return step->id > o->last;
  bool is_test = target->kind == STEP_LOOP && tree_has_head_test(target) &&
                 target->u.loop.body->u.branch.body == step;
  return is_test || !holds_op(o->rings, target);
}

static void see_step(const Step *step, void *context) {
  Others *o = context;
  switch (step->kind) {
  case STEP_SYNC:
  case STEP_ARRIVE:
  case STEP_WAIT:
  case STEP_COLLECTIVE:
    o->is_right &= ring_live_may_meet(o, step, step->u.meet.group);
    break;
  case STEP_COPY_WAIT:
    if (step->u.sets.done == DONE_GROUP)
      o->is_right &= ring_live_may_meet(o, step, step->u.sets.group);
    break;
  case STEP_EXIT: o->is_right &= is_harmless_exit(o, step); break;
  case STEP_LOOP:
  case STEP_BARRIER:
    o->has_begun |= step->kind == STEP_BARRIER || holds_op(o->rings, step);
    break;
  case STEP_TOUCH:
  case STEP_IF:
  case STEP_SCOPE:
  case STEP_COMMIT:
  case STEP_FENCE_ASYNC:
  case STEP_FENCE:
  case STEP_OBLIGATION:
  case STEP_CLAIM: break;
  }
}

bool ring_is_live(Rings *rings) {
  Roles roles = {0};
  if (!words_find_roles(rings, &roles) ||
      !(rings->n_sharers > 1
            ? ring_is_dealt_live(rings, &roles)
            : is_star(rings, &roles) && is_in_time(rings, &roles)))
    return false;
  Others others = {.rings = rings, .roles = &roles, .is_right = true};
  for (uint32_t i = 0; i < rings->ops.count; i++)
    if (rings->ops.data[i]->step->id > others.last)
      others.last = rings->ops.data[i]->step->id;
  tree_each(rings->tree->first, see_step, &others);
  return others.is_right;
}
