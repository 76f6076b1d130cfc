// SPDX-License-Identifier: Apache-2.0
// The text of a deadlock: which threads wait where, and for what.
#include "interp/machine.h"

enum { MOST_LINES = 16 };

static bool same_wait(const Thread *a, const Thread *b) {
  return a->state == b->state && a->node == b->node && a->barrier == b->barrier;
}

static void add_wait(const Machine *m, const Thread *first, const Thread *last,
                     Text *out) {
  const IrKernel *kernel = m->launch->kernel;
  const char *place =
      first->node ? ir_loc_text(kernel->module, first->node->loc, m->arena)
                  : "unknown place";
  if (first == last)
    text_printf(out, "\n  thread %u waits at %s ", first->rank, place);
  else
    text_printf(out, "\n  threads %u to %u wait at %s ", first->rank,
                last->rank, place);
  if (first->state != THREAD_WAITS || !first->node) {
    text_add(out, "in a loop for memory that nobody writes");
    return;
  }
  const IrGroup *group = first->node->u.group.group;
  GroupContext context = group_context(m, first, group);
  text_printf(out, "for the barrier of %s: %u of its %d threads have arrived",
              group->name, first->barrier->arrived, (int)context.size);
}

void machine_report_deadlock(Machine *m) {
  const int32_t *block = m->block;
  Text out = {.arena = m->arena};
  text_printf(&out,
              "deadlock in kernel '%s', block (%d, %d, %d): no thread can go "
              "on",
              m->launch->kernel->name, (int)block[0], (int)block[1],
              (int)block[2]);
  uint32_t n_threads = m->launch->n_threads;
  int n_lines = 0;
  for (uint32_t i = 0; i < n_threads && n_lines < MOST_LINES; i++) {
    const Thread *first = &m->threads[i], *last = first;
    if (first->state == THREAD_DONE)
      continue;
    for (; i + 1 < n_threads && same_wait(first, &m->threads[i + 1]); i++)
      last = &m->threads[i + 1];
    add_wait(m, first, last, &out);
    n_lines++;
  }
  m->status = HD_ERROR_DEADLOCK;
  m->why = text_cstr(&out);
}
