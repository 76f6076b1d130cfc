// SPDX-License-Identifier: Apache-2.0
// What became of the joins of fork-join loops, and which of those that were
// kept the kernel is provably right without.
#include "session/session.h"

#include "check/joins.h"

#include <stdlib.h>
#include <string.h>

enum { TIME_LIMIT_MS = 2000 }; // of a proof

typedef struct {
  const IrModule *module;
  Text *text;
  const UnneededJoins *unneeded;
  uint32_t n_kept; // seen so far
} JoinList;

// The loop that a join begins or ends: its neighbour from the same place.
static const IrNode *explain_sync_loop_of(const IrNode *join, bool *is_before) {
  for (int way = 0; way < 2; way++) {
    const IrNode *node = join;
    *is_before = way == 0;
    while ((node = way == 0 ? node->next : node->previous)) {
      if (node->op == IR_THREAD_FOR && node->loc == join->loc)
        return node;
      if (node->op == IR_JOIN || node->op == IR_THREAD_FOR)
        break;
    }
  }
  return NULL;
}

// The join at the other end of the loop.
static const IrNode *partner_of(const IrNode *loop, const IrNode *join,
                                bool is_before) {
  const IrNode *node = loop;
  while ((node = is_before ? node->next : node->previous)) {
    if (node->op == IR_JOIN)
      return node->loc == join->loc ? node : NULL;
  }
  return NULL;
}

static void advise(const IrNode *join, Text *text) {
  bool is_before;
  const IrNode *loop = explain_sync_loop_of(join, &is_before);
  const IrNode *other = loop ? partner_of(loop, join, is_before) : NULL;
  bool needs_other = other && other->u.group.join == JOIN_KEPT;
  text_printf(text,
              "    not needed: the kernel is proved without it; write 'thread "
              "for' in place of 'parallel for'%s\n",
              !needs_other ? ""
              : is_before  ? ", and 'sync();' after it if that join is kept"
                           : ", and 'sync();' before it if that join is kept");
}

static bool add_join(IrNode *node, void *context) {
  JoinList *list = context;
  if (node->op != IR_JOIN)
    return true;
  const char *place = ir_loc_text(list->module, node->loc, list->text->arena);
  bool is_kept = node->u.group.join == JOIN_KEPT;
  text_printf(list->text, "%s: join of %s %s: %s", place,
              node->u.group.group->name, is_kept ? "kept" : "dropped",
              node->u.group.reason ? node->u.group.reason : "");
  if (node->u.group.array)
    text_printf(list->text, " (%s)", node->u.group.array);
  text_add(list->text, "\n");
  if (is_kept && list->unneeded->is_unneeded[list->n_kept++])
    advise(node, list->text);
  return true;
}

static void explain_syncs(const Spec *spec, Text *text) {
  CheckOptions options = {0};
  options.solve.kernel_ms = TIME_LIMIT_MS;
  UnneededJoins unneeded;
  check_unneeded_joins(text->arena, spec->kernel, &options, &unneeded);
  JoinList list = {spec->module, text, &unneeded, 0};
  ir_walk(&spec->kernel->body, add_join, &list);
}

static HdStatus verdict_explain_sync(HdKernel *kernel, char **out) {
  HdSession *session = kernel->program->session;
  session_lock(session);
  Text text = {.arena = arena_new()};
  explain_syncs(kernel->spec, &text);
  *out = strdup(text_cstr(&text));
  arena_free(text.arena);
  session_unlock(session);
  return *out ? HD_OK : session_no_memory(session, NULL);
}

HdStatus hd_explain_sync(HdKernel *kernel, char **out) {
  if (out)
    *out = NULL;
  if (!kernel || !out)
    return session_null(kernel ? kernel->program->session : NULL,
                        "hd_explain_sync");
  SESSION_RESCUE(kernel->program->session, NULL, HD_ERROR_MEMORY);
  return verdict_explain_sync(kernel, out);
}
