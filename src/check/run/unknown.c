// SPDX-License-Identifier: Apache-2.0
// May runs be believed in a kernel that calls functions without a body? Not
// where what such a function returns or stores decides what is touched: a run
// has to make it up.
#include "check/prove/decisive.h"
#include "check/run/search.h"
#include "ir/analyses/alias.h"

typedef struct {
  const IrKernel *kernel;
  const Decisive *decisive;
  const IrNode *first, *unknown; // any, one that decides
  hd_vec(const IrNode *) loads;  // that decide
  hd_vec(const IrNode *) writes;
  Arena *arena;
} Unknowns;

static bool unknown_note(IrNode *node, void *context) {
  Unknowns *u = context;
  if (node->op == IR_UNKNOWN) {
    u->first = u->first ? u->first : node;
    if (!u->unknown && decisive_has(u->decisive, node))
      u->unknown = node;
  }
  if (ir_is_write(node))
    VEC_PUSH(u->arena, &u->writes, node);
  if ((ir_op_info(node)->memory & MEM_READ) &&
      ir_op_info(node)->form == FORM_ACCESS && decisive_has(u->decisive, node))
    VEC_PUSH(u->arena, &u->loads, node);
  return true;
}

static bool may_give(const Unknowns *u, const IrNode *write,
                     const IrNode *load) {
  const IrObject *to = ir_target_object(write);
  const IrObject *from = ir_target_object(load);
  return !to || !from || ir_may_alias(u->kernel, to, from);
}

const char *search_unknown_function(Arena *arena, const IrKernel *kernel) {
  Unknowns u = {.kernel = kernel, .arena = arena};
  u.decisive = decisive_new(arena, kernel);
  IrRegion body = kernel->body;
  ir_walk(&body, unknown_note, &u);
  if (!u.first || u.unknown)
    return u.unknown ? u.unknown->u.text.text : NULL;
  for (uint32_t i = 0; i < u.loads.count; i++)
    for (uint32_t k = 0; k < u.writes.count; k++)
      if (may_give(&u, u.writes.data[k], u.loads.data[i]))
        return u.first->u.text.text;
  return NULL;
}
