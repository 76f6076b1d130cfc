// SPDX-License-Identifier: Apache-2.0
// The tree as text, a step a line.
#include "check/tree/tree.h"
#include <inttypes.h>

typedef struct {
  const Tree *tree;
  Text *out;
} Print;

static void print_steps(Print *p, const Step *step, uint32_t depth);

// ------------------------------------------------------------------ pieces

// Terms are cut where they get too long, each by itself.
static void tree_print_term(Print *p, const Term *t) {
  Arena *scratch = arena_new();
  Text text = {.arena = scratch};
  if (t)
    term_print(t, &text);
  else
    text_add(&text, "?");
  text_add(p->out, text_cstr(&text));
  arena_free(scratch);
}

static void labelled(Print *p, const char *label, const Term *t) {
  if (!t)
    return;
  text_printf(p->out, " %s ", label);
  tree_print_term(p, t);
}

static void group(Print *p, const IrGroup *g) {
  if (g)
    text_printf(p->out, " #%" PRIu32, g->id);
}

static bool tree_print_is_among(const Term *all, const Term *one) {
  if (all == one)
    return true;
  for (uint32_t i = 0; all && all->kind == TERM_ALL && i < all->n_args; i++)
    if (all->args[i] == one)
      return true;
  return false;
}

// What a step's path adds to that of what holds it.
static void path(Print *p, const Step *step) {
  const Term *outer = step->parent ? step->parent->path : NULL;
  const Term *own = step->path;
  const char *word = " if ";
  uint32_t n = own->kind == TERM_ALL ? own->n_args : 1;
  for (uint32_t i = 0; i < n; i++) {
    const Term *one = own->kind == TERM_ALL ? own->args[i] : own;
    if (one->kind == TERM_TRUE || tree_print_is_among(outer, one))
      continue;
    text_add(p->out, word);
    tree_print_term(p, one);
    word = ", ";
  }
}

static void tree_print_line_of(Print *p, const Step *step) {
  const IrModule *module = p->tree->kernel->module;
  if (step->node && step->node->loc)
    text_printf(p->out, " !%" PRIu32,
                module->locs.data[step->node->loc].place.line);
}

static void tree_print_end_line(Print *p, const Step *step) {
  path(p, step);
  tree_print_line_of(p, step);
  text_add(p->out, "\n");
}

// ------------------------------------------------------------------- steps

static void done_word(Print *p, DoneKind done) {
  static const char *const words[] = {"",      "sets",    "tma",   "matrix",
                                      "group", "barrier", "tensor"};
  if (done != DONE_AT_ONCE)
    text_printf(p->out, " %s", words[done]);
}

static void print_use(Print *p, const BarrierUse *use) {
  text_printf(p->out, " %s[", use->object->name);
  tree_print_term(p, use->slot);
  text_add(p->out, "]");
  int64_t count;
  if (!term_is_constant(use->count, &count) || count)
    labelled(p, "count", use->count);
  labelled(p, "bytes", use->bytes);
  labelled(p, "parity", use->parity);
  labelled(p, "in block", use->cluster_rank);
  labelled(p, "mask", use->mask);
  if (use->token)
    text_printf(p->out, " of @%" PRIu32, use->token->id);
}

static void print_touch(Print *p, const Step *step) {
  const Touch *touch = step->u.touch.touch;
  int64_t byte;
  text_printf(p->out, "%s%s%s %s", touch->is_atomic ? "atomic " : "",
              touch->is_read ? "read" : "", touch->is_write ? "write" : "",
              touch->object ? touch->object->name : "anywhere");
  for (uint32_t k = 0; k < touch->n_index; k++) {
    text_add(p->out, k ? ", " : "[");
    tree_print_term(p, touch->index[k]);
  }
  text_add(p->out, touch->n_index ? "]" : "");
  if (!term_is_constant(touch->byte, &byte) || byte)
    labelled(p, "+", touch->byte);
  text_printf(p->out, " : %" PRIu32, touch->n_bytes);
  if (touch->may_miss)
    text_add(p->out, " may miss");
  if (touch->proxy == PROXY_ASYNC)
    text_add(p->out, " async");
  if (touch->done != DONE_AT_ONCE)
    text_add(p->out, " until");
  done_word(p, touch->done);
  if (touch->copied_by)
    text_add(p->out, " by");
  group(p, touch->copied_by);
  labelled(p, "in block", touch->cluster_rank);
  labelled(p, "=", touch->value);
  if (step->u.touch.copy_barrier) {
    text_add(p->out, " on");
    print_use(p, step->u.touch.copy_barrier);
  }
}

static void tree_print_loop(Print *p, const Step *step, uint32_t depth) {
  const CheckLoop *loop = step->u.loop.loop;
  text_printf(p->out, "%s %" PRIu32 " %s trips ",
              loop->is_thread_loop ? "thread for" : "loop", loop->id,
              loop->turn->name);
  tree_print_term(p, loop->trips);
  text_add(p->out, loop->has_exit ? " exit" : "");
  tree_print_end_line(p, step);
  print_steps(p, step->u.loop.body, depth + 1);
}

static void print_if(Print *p, const Step *step, uint32_t depth) {
  text_add(p->out, "if ");
  tree_print_term(p, step->u.branch.condition);
  tree_print_end_line(p, step);
  print_steps(p, step->u.branch.body, depth + 1);
  if (!step->u.branch.other)
    return;
  text_add_repeat(p->out, ' ', (size_t)depth * 2);
  text_add(p->out, "else\n");
  print_steps(p, step->u.branch.other, depth + 1);
}

static void print_obligation(Print *p, const Step *step) {
  static const char *const words[] = {
      [OBLIGATION_OVERFLOW] = "no overflow",
      [OBLIGATION_GROUP_RANGE] = "range",
      [OBLIGATION_UNIFORM] = "uniform",
      [OBLIGATION_ASSERT] = "assert",
      [OBLIGATION_OWN] = "own",
      [OBLIGATION_INSIDE] = "inside",
      [OBLIGATION_POINTER] = "pointer",
      [OBLIGATION_VALUE] = "value",
      [OBLIGATION_POSSIBLE] = "possible",
  };
  text_printf(p->out, "owe %s", words[step->u.obligation.kind]);
  if (step->u.obligation.condition)
    labelled(p, ":", step->u.obligation.condition);
  labelled(p, ":", step->u.obligation.value);
  group(p, step->u.obligation.group);
}

static void print_claim(Print *p, const LoopClaim *claim) {
  text_printf(p->out, "%s%s %s", ir_op_table[claim->kind].text,
              claim->is_uninit ? " uninit" : "",
              claim->object ? claim->object->name : "?");
  for (uint32_t i = 0;
       claim->object && !claim->is_lost && i < claim->object->rank; i++) {
    labelled(p, "from", claim->low[i]);
    labelled(p, "length", claim->length[i]);
  }
  for (uint32_t i = 0; i < claim->n_at; i++)
    labelled(p, "by", claim->at[i]);
  group(p, claim->group);
}

static void print_flat(Print *p, const Step *step) {
  switch (step->kind) {
  case STEP_TOUCH: print_touch(p, step); break;
  case STEP_EXIT:
    text_printf(p->out, "%s @%" PRIu32,
                step->u.exit.is_continue ? "next turn" : "leave",
                step->u.exit.target->id);
    break;
  case STEP_SYNC:
    text_add(p->out, "sync");
    group(p, step->u.meet.group);
    break;
  case STEP_ARRIVE:
  case STEP_WAIT:
    text_add(p->out, step->kind == STEP_WAIT ? "wait" : "arrive");
    group(p, step->u.meet.group);
    if (step->u.meet.token)
      text_printf(p->out, " of @%" PRIu32, step->u.meet.token->id);
    break;
  case STEP_BARRIER:
    text_add(p->out, ir_op_info(step->node)->text);
    print_use(p, step->u.barrier);
    break;
  case STEP_COMMIT:
    text_add(p->out, "commit");
    done_word(p, step->u.sets.done);
    break;
  case STEP_COPY_WAIT:
    text_add(p->out, "wait for copies");
    done_word(p, step->u.sets.done);
    text_printf(p->out, " but %" PRId64, step->u.sets.n_newest);
    if (step->u.sets.reads_only)
      text_add(p->out, ", to have read");
    group(p, step->u.sets.group);
    break;
  case STEP_FENCE_ASYNC: text_add(p->out, "fence async"); break;
  case STEP_FENCE: text_add(p->out, "fence"); break;
  case STEP_COLLECTIVE:
    text_add(p->out, "collective");
    group(p, step->u.meet.group);
    break;
  case STEP_OBLIGATION: print_obligation(p, step); break;
  case STEP_CLAIM: print_claim(p, step->u.claim); break;
  case STEP_IF:
  case STEP_LOOP:
  case STEP_SCOPE: break;
  }
  tree_print_end_line(p, step);
}

static void print_scope(Print *p, const Step *step, uint32_t depth) {
  text_add(p->out, ir_op_info(step->node)->text);
  if (ir_op_info(step->node)->form == FORM_PART)
    group(p, step->node->u.part.group);
  tree_print_end_line(p, step);
  print_steps(p, step->u.scope.body, depth + 1);
}

static void print_steps(Print *p, const Step *step, uint32_t depth) {
  for (; step; step = step->next) {
    text_add_repeat(p->out, ' ', (size_t)depth * 2);
    text_printf(p->out, "@%" PRIu32 " ", step->id);
    if (step->kind == STEP_IF)
      print_if(p, step, depth);
    else if (step->kind == STEP_LOOP)
      tree_print_loop(p, step, depth);
    else if (step->kind == STEP_SCOPE)
      print_scope(p, step, depth);
    else
      print_flat(p, step);
  }
}

// ------------------------------------------------------------------- facts

static void print_groups(Print *p) {
  for (uint32_t i = GROUP_ROW_BLOCK + 1; i < p->tree->groups.count; i++) {
    const GroupView *view = &p->tree->groups.data[i];
    text_printf(p->out, "group #%" PRIu32 " \"%s\"", view->group->id,
                view->group->name ? view->group->name : "");
    if (view->is_known) {
      labelled(p, "rank", view->rank);
      labelled(p, "size", view->size);
      labelled(p, "instance", view->instance);
      labelled(p, "member", view->member);
    }
    text_add(p->out, "\n");
  }
}

static void print_tables(Print *p) {
  static const char *const words[] = {"injective", "bounded", "monotone"};
  for (uint32_t i = 0; i < p->tree->tables.count; i++) {
    const TableFact *fact = &p->tree->tables.data[i];
    text_printf(p->out, "fact %s %s", words[fact->kind], fact->object->name);
    labelled(p, "from", fact->low);
    labelled(p, "to", fact->high);
    text_add(p->out, "\n");
  }
}

void tree_print(const Tree *tree, Text *out) {
  Print p = {tree, out};
  text_printf(out, "kernel %s threads %" PRId64 " grid", tree->kernel->name,
              tree->n_threads);
  for (int k = 0; k < 3; k++)
    labelled(&p, k ? "by" : "", tree->grid[k]);
  text_add(out, "\n");
  for (uint32_t i = 0; i < tree->facts.count; i++) {
    text_add(out, "fact ");
    tree_print_term(&p, tree->facts.data[i]);
    text_add(out, "\n");
  }
  print_tables(&p);
  for (uint32_t i = 0; i < tree->trusted.count; i++)
    text_printf(out, "trusted %s\n", tree->trusted.data[i]);
  print_groups(&p);
  print_steps(&p, tree->first, 0);
}
