// SPDX-License-Identifier: Apache-2.0
// The rules about who reaches what: each is a question to the uniformity
// analysis, and each failure one diagnostic with the way to its cause.
#include "base/panic.h"
#include "ir/rules/check_rules.h"

// More errors than anybody reads: explaining each costs a search.
#define MAX_ERRORS 64u

Diag *check_finish(Checker *c, Diag *diag, const IrNode *node) {
  c->n_errors++;
  blame_add_calls(c->blamer, diag, node->loc);
  return diag;
}

// ------------------------------------------------------ reached together

static bool is_new_cause(Checker *c, const Blame *blame) {
  const void *cause = blame->condition;
  if (!cause)
    return true;
  if (map_has(&c->blamed, MAP_KEY(cause)))
    return false;
  map_put(c->arena, &c->blamed, MAP_KEY(cause), c);
  return true;
}

static void report_not_together(Checker *c, const IrNode *node,
                                const IrGroup *group) {
  if (c->open && check_open(c, node, group))
    return;
  const Blame *blame = blame_token(c->blamer, c->u->reach[node->id], group);
  if (!blame || !is_new_cause(c, blame))
    return;
  const char *condition = "a condition";
  if (blame->condition)
    condition = blame_value_text(c->blamer, blame->condition, condition);
  Diag *diag = DIAG_REPORT(
      c->diags, DIAG_not_together, blame_place(c->blamer, node),
      DS(check_text(c, node)), DS(blame_group_phrase(c->blamer, group)),
      DS(condition), DS(blame->value));
  blame_add_labels(c->blamer, blame, diag);
  if (node->op == IR_SYNC)
    diag_note(c->diags, diag, (Place){0}, "%s", rule_word(c, WORD_go_together));
  check_finish(c, diag, node);
}

static void report_outer(Checker *c, const IrNode *node, const IrGroup *group,
                         const IrGroup *current) {
  Diag *diag = DIAG_REPORT(
      c->diags, DIAG_outer_collective, blame_place(c->blamer, node),
      DS(check_text(c, node)), DS(blame_group_phrase(c->blamer, group)),
      DS(blame_group_phrase(c->blamer, current)));
  if (current->maker)
    diag_label(c->diags, diag, blame_place(c->blamer, current->maker),
               "only the threads of this group get there");
  check_finish(c, diag, node);
}

// Every warp that a group statement has lies wholly in it, and its threads get
// to what the whole statement's threads get to.
static bool is_together(const Uniformity *u, const IrNode *node,
                        const IrGroup *group, const IrGroup *current) {
  return uniformity_converged(u, node, group) ||
         (!ir_group_contains(current, group) &&
          uniformity_converged(u, node, current));
}

bool check_is_together(const IrKernel *kernel, const Uniformity *u,
                       const IrNode *node, const IrGroup *group) {
  const IrGroup *current = ir_node_group(kernel, node);
  return group_is_one_thread(group) ||
         (ir_group_holds(kernel, current, group) &&
          is_together(u, node, group, current));
}

void check_together(Checker *c, const IrNode *node, const IrGroup *group) {
  const IrGroup *current = ir_node_group(c->kernel, node);
  if (group_is_one_thread(group))
    return;
  if (!ir_group_holds(c->kernel, current, group)) {
    // Blocks run the kernel's body from its first statement on.
    if (group->kind > GROUP_CLUSTER || current->kind != GROUP_BLOCK ||
        ir_node_in_part(node)) {
      report_outer(c, node, group, current);
      return;
    }
    current = group;
  }
  if (!is_together(c->u, node, group, current))
    report_not_together(c, node, group);
}

// ------------------------------------------------------ group statements

void check_same(Checker *c, const IrNode *node, const IrNode *value,
                const IrGroup *group, const char *what) {
  if (uniformity_has(c->u, value, group))
    return;
  const Blame *blame = blame_token(c->blamer, value->id, group);
  if (!blame || !is_new_cause(c, blame))
    return;
  Diag *diag = DIAG_REPORT(
      c->diags, DIAG_differing_operand, blame_place(c->blamer, value), DS(what),
      DS(blame_group_phrase(c->blamer, group)), DS(blame->value));
  blame_add_labels(c->blamer, blame, diag);
  check_finish(c, diag, node);
}

static int64_t constant_value(const IrNode *node) {
  uint64_t bits = node->u.constant.bits;
  uint32_t width = ir_type_bits(node->type);
  if (width < 64 && (bits >> (width - 1) & 1))
    bits |= ~UINT64_C(0) << width;
  return (int64_t)bits;
}

static void check_range(Checker *c, const IrNode *node) {
  const IrGroup *group = node->u.part.group, *parent = node->u.part.parent;
  Place place = blame_place(c->blamer, node);
  bool is_known =
      group->begin >= 0 || (node->n_args && node->args[0]->op == IR_CONST);
  int64_t begin = 0;
  if (is_known)
    begin = node->n_args && node->args[0]->op == IR_CONST
                ? constant_value(node->args[0])
                : group->begin;
  if (begin < 0)
    check_finish(c, DIAG_REPORT(c->diags, DIAG_group_begin, place, DD(begin)),
                 node);
  else if (parent->size > 0 && group->size > 0 &&
           (group->size > parent->size || begin > parent->size - group->size))
    check_finish(c,
                 DIAG_REPORT(c->diags, DIAG_group_range, place, DD(begin),
                             DD(begin + group->size - 1), DD(parent->size)),
                 node);
}

// Threads that were counted when the group was made need no others.
static bool is_made_by_threads(const IrGroup *group, const IrGroup *outer) {
  for (; group && group != outer; group = group->parent)
    if (group->kind == GROUP_LABELED || group->kind == GROUP_COALESCED)
      return true;
  return false;
}

static void check_with(Checker *c, const IrNode *node) {
  const IrGroup *group = node->u.part.group, *parent = node->u.part.parent;
  if (!ir_group_holds(c->kernel, parent, group)) {
    Diag *diag =
        DIAG_REPORT(c->diags, DIAG_not_a_part, blame_place(c->blamer, node),
                    DS(blame_group_phrase(c->blamer, group)),
                    DS(blame_group_phrase(c->blamer, parent)));
    check_finish(c, diag, node);
    return;
  }
  check_together(c, node, is_made_by_threads(group, parent) ? group : parent);
}

static void check_structure(Checker *c, const IrNode *node) {
  const IrGroup *parent = node->u.part.parent;
  if (node->op == IR_WITH) {
    check_with(c, node);
    return;
  }
  if (node->op == IR_GROUP)
    check_range(c, node);
  if (group_is_one_thread(parent))
    return;
  if (!uniformity_converged(c->u, node, parent))
    report_not_together(c, node, parent);
  const char *what =
      node->op == IR_GROUP
          ? arena_printf(c->arena, "the begin of %s", check_text(c, node))
          : "a bound of 'thread for'";
  for (uint32_t i = 0; i < node->n_args; i++)
    check_same(c, node, node->args[i], parent, what);
}

// ------------------------------------- effects of a split loop's iteration

static bool is_thread_effect(const IrNode *node) {
  if (node->op == IR_PRINTF)
    return true;
  if (node->op != IR_STORE && node->op != IR_RMW && node->op != IR_CAS)
    return false;
  return !node->u.access.object || node->u.access.object->space != SPACE_LOCAL;
}

// Every thread of the iteration does the same thing to the same place.
static void check_effect(Checker *c, const IrNode *node) {
  const IrGroup *group = ir_node_group(c->kernel, node);
  if (group->kind != GROUP_SPLIT || group->size <= 1 ||
      !uniformity_converged(c->u, node, group))
    return;
  for (uint32_t i = 0; i < node->n_args; i++)
    if (!uniformity_has(c->u, node->args[i], group))
      return;
  Diag *diag =
      DIAG_REPORT(c->diags, DIAG_repeated_effect, blame_place(c->blamer, node),
                  DS(check_text(c, node)), DD(group->size));
  diag_note(c->diags, diag, (Place){0},
            "put it under single_thread, or into a nested 'thread for'");
  check_finish(c, diag, node);
}

static bool check_node(IrNode *node, void *context) {
  Checker *c = context;
  const IrOpInfo *info = ir_op_info(node);
  if (c->operation && !ir_is_inside(node, c->operation))
    c->operation = NULL;
  check_operation(c, node);
  if (info->flags & OPF_CANNOT_VARY && !c->operation)
    check_structure(c, node);
  if (is_thread_effect(node))
    check_effect(c, node);
  if (ir_is_operator(node))
    c->operation = node;
  if (node->op == IR_UNIFORM &&
      check_is_tested(c->kernel, c->u, c->arena, node))
    check_together(c, node, node->u.group.group);
  if (node->op == IR_LOOP)
    check_spin(c, node);
  check_order(c, node);
  check_copies_left(c, node);
  return c->n_errors < MAX_ERRORS;
}

void ir_check_groups(const IrKernel *kernel, const Uniformity *uniformity,
                     DiagEngine *diags) {
  ir_check_groups_but(kernel, uniformity, diags, NULL, NULL);
}

void ir_check_groups_but(const IrKernel *kernel, const Uniformity *uniformity,
                         DiagEngine *diags, Arena *arena,
                         OpenConditions *open) {
  HD_ASSERT(uniformity->kernel == kernel && (!open || arena));
  Arena *scratch = arena_new();
  Checker c = {.kernel = kernel,
               .u = uniformity,
               .arena = scratch,
               .diags = diags,
               .open = open,
               .open_arena = arena,
               .blamer = blamer_new(scratch, uniformity, diags)};
  IrRegion *body = &((IrKernel *)(uintptr_t)kernel)->body;
  ir_walk(body, check_node, &c);
  check_lengths(&c);
  check_wgmma(&c);
  check_registers(&c);
  check_tensor(&c);
  arena_free(scratch);
}
