// SPDX-License-Identifier: Apache-2.0
// Loops that wait for memory which another lane of the same warp must write.
//
// Lanes of a warp may be run together. Those that got what they wait for then
// stay behind the loop until the others get it, too; if it is they who write
// it there, nobody can go on. Told where the form says so: all lanes enter the
// loop, only one of them can leave it (by an exchange or a compare and swap,
// or because each waits for a value of its own), and the kernel writes the
// array behind the loop and nowhere else.
#include "ir/analyses/alias.h"
#include "ir/rules/check_rules.h"

enum { MAX_DEPTH = 24 };

typedef struct {
  const Checker *c;
  const IrNode *loop;
  const IrGroup *group;
  const IrNode *read; // the access that it spins on
  bool has_own;       // a value that differs between lanes takes part
} Spin;

static bool check_spin_is_inside(const Spin *s, const IrNode *node) {
  return order_inside(s->c->u->order, s->loop, node);
}

static bool is_lock(const IrNode *node) {
  return node->op == IR_CAS || node->op == IR_TILE_CAS ||
         (node->op == IR_RMW && node->u.access.rmw == RMW_EXCH) ||
         (node->op == IR_TILE_RMW && node->u.section.rmw == RMW_EXCH);
}

// What the condition is made of.
static void check_spin_look_at(Spin *s, const IrNode *value, uint32_t depth) {
  bool is_read =
      is_lock(value) || value->op == IR_LOAD || value->op == IR_TILE_LOAD;
  if (is_read && ir_is_atomic(value) && ir_target_object(value) &&
      check_spin_is_inside(s, value)) {
    s->read = value;
    return;
  }
  if (!uniformity_has(s->c->u, value, s->group) &&
      (value->op == IR_RANK || value->op == IR_GET || value->n_args == 0))
    s->has_own = true;
  for (uint32_t i = 0; i < value->n_args && depth > 0; i++)
    check_spin_look_at(s, value->args[i], depth - 1);
}

// Waits, or does something by which others may go on.
static bool is_progress(const Spin *s, const IrNode *node) {
  if (node == s->read)
    return false;
  return (ir_op_info(node)->flags & (OPF_BLOCKS | OPF_COLLECTIVE)) != 0 ||
         ir_is_write(node);
}

// The condition that decides the only exit, or NULL.
static const IrNode *exit_condition(const Spin *s) {
  const NodeOrder *order = s->c->u->order;
  const IrNode *condition = NULL;
  for (uint32_t i = order->position[s->loop->id] + 1;
       i < order->end[s->loop->id]; i++) {
    const IrNode *node = order->nodes[i];
    if (node->op != IR_EXIT)
      continue;
    const IrNode *owner = ir_node_owner(node);
    if (condition || node->u.exit.target != s->loop || owner->op != IR_IF)
      return NULL;
    condition = owner->args[0];
  }
  return condition;
}

static bool only_spins(const Spin *s) {
  const NodeOrder *order = s->c->u->order;
  for (uint32_t i = order->position[s->loop->id] + 1;
       i < order->end[s->loop->id]; i++)
    if (is_progress(s, order->nodes[i]))
      return false;
  return true;
}

// The first write of what is read; NULL: there is none, or one that another
// warp may make.
static const IrNode *write_behind(const Spin *s) {
  const NodeOrder *order = s->c->u->order;
  const IrObject *array = ir_target_object(s->read);
  const IrNode *first = NULL;
  for (uint32_t i = 0; i < order->n_nodes; i++) {
    const IrNode *node = order->nodes[i];
    if (!ir_is_write(node) || node == s->read)
      continue;
    const IrObject *target = ir_target_object(node);
    bool may_touch = target ? ir_may_alias(s->c->kernel, target, array)
                            : ir_pointer_may_reach(node, array);
    if (!may_touch)
      continue;
    if (i < order->end[s->loop->id] ||
        ir_node_group(s->c->kernel, node) != s->group)
      return NULL;
    if (!first)
      first = node;
  }
  return first;
}

static Spin check_spin_of(const Checker *c, const IrNode *loop) {
  Spin s = {.c = c, .loop = loop, .group = ir_node_group(c->kernel, loop)};
  const IrNode *condition = exit_condition(&s);
  if (condition)
    check_spin_look_at(&s, condition, MAX_DEPTH);
  return s;
}

void check_order(Checker *c, const IrNode *node) {
  const IrTileHints *hints = &c->kernel->hints;
  if (!hints->grouped && !hints->is_longest_first)
    return;
  const IrNode *wait = NULL;
  if (ir_op_info(node)->flags & OPF_BLOCKS)
    wait = node;
  else if (node->op == IR_LOOP)
    wait = check_spin_of(c, node).read;
  if (!wait)
    return;
  const char *order =
      hints->grouped
          ? arena_printf(c->arena, "order(grouped(%u))", hints->grouped)
          : "order(longest_first)";
  Diag *diag = DIAG_REPORT(
      c->diags, DIAG_tile_place, blame_place(c->blamer, wait),
      DS("a wait for other blocks"),
      DS(arena_printf(c->arena,
                      "with '%s' a block may begin before one of a lower "
                      "number, for which it would wait forever",
                      order)));
  check_finish(c, diag, node);
}

typedef struct {
  const Checker *c;
  bool differs;
} Lengths;

static bool note_length(IrNode *node, void *context) {
  Lengths *lengths = context;
  const IrKernel *kernel = lengths->c->kernel;
  const IrGroup *grid = kernel->groups.data[GROUP_ROW_GRID];
  for (uint32_t i = 0; i < node->n_args; i++)
    lengths->differs |= (node->op == IR_FOR || node->op == IR_IF) &&
                        !uniformity_has(lengths->c->u, node->args[i], grid);
  return !lengths->differs;
}

void check_lengths(Checker *c) {
  const IrKernel *kernel = c->kernel;
  const IrModule *module = kernel->module;
  IrLocId loc = kernel->hints.order_loc;
  Lengths lengths = {.c = c};
  if (!kernel->hints.is_longest_first || !loc)
    return;
  ir_walk((IrRegion *)(uintptr_t)&kernel->body, note_length, &lengths);
  if (!lengths.differs)
    DIAG_REPORT(c->diags, DIAG_tile_hint_idle,
                module->locs.data[ir_loc_for_users(module, loc)].place,
                DS("order(longest_first)"),
                DS("all blocks take the same turns and branches"));
}

void check_spin(Checker *c, const IrNode *loop) {
  const IrGroup *group = ir_node_group(c->kernel, loop);
  if (group_is_one_thread(group) || !uniformity_converged(c->u, loop, group))
    return;
  Spin s = check_spin_of(c, loop);
  if (!s.read || (!is_lock(s.read) && !s.has_own) || !only_spins(&s))
    return;
  const IrNode *write = write_behind(&s);
  if (!write)
    return;
  Diag *diag = DIAG_REPORT(c->diags, DIAG_spin, blame_place(c->blamer, loop),
                           DS(ir_target_object(s.read)->name));
  diag_label(c->diags, diag, blame_place(c->blamer, write),
             "only threads that have left the loop get here");
  diag_note(c->diags, diag, (Place){0}, "%s", rule_word(c, WORD_let_one_wait));
}
