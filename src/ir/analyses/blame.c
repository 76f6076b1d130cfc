// SPDX-License-Identifier: Apache-2.0
#include "ir/analyses/blame.h"
#include <string.h>

struct Blamer {
  Arena *arena;
  const Uniformity *u;
  DiagEngine *diags;
  Token *came_from; // of the search, by token
  uint32_t *stamp, clock;
  hd_vec(Token) queue;
  Blame blame;
};

Blamer *blamer_new(Arena *arena, const Uniformity *uniformity,
                   DiagEngine *diags) {
  Blamer *b = ARENA_NEW(arena, Blamer);
  b->arena = arena;
  b->u = uniformity;
  b->diags = diags;
  return b;
}

// ---------------------------------------------------------------- words

// Of statements that go over lines, their beginning.
static Place head_of(const IrNode *node, Place place) {
  const char *name = node->op == IR_WITH ? "with" : "thread for";
  if (node->op == IR_GROUP && node->u.part.group->name)
    name = node->u.part.group->name;
  place.end_line = place.line;
  place.end_col = place.col + (uint32_t)strlen(name);
  return place;
}

Place blame_place(const Blamer *b, const IrNode *node) {
  const IrModule *module = b->u->kernel->module;
  Place place = module->locs.data[ir_loc_for_users(module, node->loc)].place;
  bool is_part = ir_op_info(node)->form == FORM_PART;
  return is_part && place.end_line > place.line ? head_of(node, place) : place;
}

const char *blame_group_phrase(Blamer *b, const IrGroup *group) {
  if (group->kind == GROUP_GRID || group->kind == GROUP_CLUSTER ||
      group->kind == GROUP_BLOCK || group->kind == GROUP_WARP)
    return arena_printf(b->arena, "the %s", group->name);
  if (group->kind == GROUP_SPLIT)
    return "an iteration of the thread loop";
  return group->name && group->name[0] ? group->name : "the group";
}

const char *blame_value_text(Blamer *b, const IrNode *node,
                             const char *otherwise) {
  const char *text = diag_quote(b->diags, b->arena, blame_place(b, node));
  if (text)
    return arena_printf(b->arena, "'%s'", text);
  if (node->op == IR_GET || node->op == IR_SET) {
    const char *name = b->u->kernel->vars.data[node->u.variable.var].name;
    if (name)
      return arena_printf(b->arena, "'%s'", name);
  }
  return otherwise;
}

static const char *variable_text(Blamer *b, uint32_t var) {
  const char *name = b->u->kernel->vars.data[var].name;
  return name ? arena_printf(b->arena, "'%s'", name) : "a value";
}

static const char *load_text(Blamer *b, const IrNode *node) {
  const IrObject *object = node->u.access.object;
  if (!object)
    return "a value read through a pointer to an unknown array";
  if (node->u.access.order != ORDER_PLAIN)
    return arena_printf(b->arena, "the result of an atomic load of '%s'",
                        object->name);
  if (object->space == SPACE_LOCAL)
    return arena_printf(b->arena, "an element of the thread's own '%s'",
                        object->name);
  if (object->space == SPACE_SHARED && !object->is_cluster_shared &&
      b->u->base.data[node->id] != GROUP_SET_SINGLE)
    return arena_printf(b->arena, "'%s', of which each part has its own,",
                        object->name);
  return arena_printf(
      b->arena, "an element of '%s', which may be written in the same phase,",
      object->name);
}

static const char *word(const Blamer *b, VocabularyWord word) {
  return vocabulary_word(b->u->kernel->module->language, word);
}

static const char *value_text(Blamer *b, const IrNode *node) {
  static const char axis[] = "xyz";
  switch ((int)node->op) {
  case IR_RANK:
    return word(b, ir_op_group(b->u->kernel, node)->kind == GROUP_BLOCK
                       ? WORD_block_rank
                       : WORD_group_rank);
  case IR_SIZE: return word(b, WORD_group_size);
  case IR_META_RANK: return word(b, WORD_meta_rank);
  case IR_META_SIZE: return word(b, WORD_meta_size);
  case IR_BLOCK_INDEX:
    return arena_printf(b->arena, "%s.%c", word(b, WORD_block_index),
                        axis[node->u.index.number % 3]);
  case IR_THREAD_INDEX:
    return arena_printf(b->arena, "%s.%c", word(b, WORD_thread_index),
                        axis[node->u.index.number % 3]);
  case IR_CLOCK: return "clock64()";
  case IR_GLOBALTIMER: return "globaltimer()";
  case IR_LOAD: return load_text(b, node);
  case IR_RMW:
  case IR_CAS:
  case IR_TILE_RMW:
  case IR_TILE_CAS: return "the result of an atomic operation";
  case IR_ADDRESS: return "the address of a thread's own variable";
  case IR_SHFL:
  case IR_SHFL_UP:
  case IR_SHFL_DOWN:
  case IR_SHFL_XOR:
  case IR_MATCH_ANY:
    return arena_printf(b->arena, "the result of %s", ir_op_info(node)->text);
  case IR_SCAN:
  case IR_SCAN_BY: return "the result of a scan";
  case IR_MBAR_TEST:
  case IR_MBAR_TEST_TOKEN: return "the result of test_wait";
  default: return blame_value_text(b, node, "a value");
  }
}

static const char *group_exit_text(Blamer *b, Token root) {
  const TokenInfo *info = &b->u->tokens.data[root];
  const IrGroup *group = info->node->u.part.group;
  bool is_moving =
      b->u->base.data[root] == GROUP_SET_SINGLE && !group_is_one_thread(group);
  return arena_printf(b->arena, "%s, set by %s%s", variable_text(b, info->var),
                      blame_group_phrase(b, group),
                      is_moving ? ", by different threads each time,"
                                : " only,");
}

static const char *root_text(Blamer *b, Token root) {
  const TokenInfo *info = &b->u->tokens.data[root];
  switch (info->kind) {
  case TOKEN_VALUE: return value_text(b, info->node);
  case TOKEN_TURN:
    if (ir_is_operator(info->node))
      return "a value that the operator combines";
    return arena_printf(b->arena, "%s of the thread loop",
                        variable_text(b, info->var));
  case TOKEN_GROUP_EXIT: return group_exit_text(b, root);
  case TOKEN_LOST:
    return arena_printf(b->arena, "%s, at which too many paths meet,",
                        variable_text(b, info->var));
  case TOKEN_CHOICE: return "the number of a thread's iterations";
  case TOKEN_PHI:
    return arena_printf(b->arena,
                        "%s of an earlier turn, when the group had other "
                        "threads,",
                        variable_text(b, info->var));
  case TOKEN_REACH:
  case TOKEN_LEFT:
  case TOKEN_MEMORY:
  case TOKEN_START: break;
  }
  return "who runs this";
}

// --------------------------------------------------------------- search

static void start_search(Blamer *b) {
  if (!b->stamp) {
    b->stamp = ARENA_ARRAY(b->arena, uint32_t, b->u->tokens.count);
    b->came_from = ARENA_ARRAY(b->arena, Token, b->u->tokens.count);
  }
  b->clock++;
  b->queue.count = 0;
}

// True if the token differs.
static bool blame_visit(Blamer *b, Token token, Token from,
                        const IrGroup *group) {
  if (group_set_has(b->u->sets, b->u->set[token], group))
    return false;
  if (b->stamp[token] == b->clock)
    return true;
  b->stamp[token] = b->clock;
  b->came_from[token] = from;
  VEC_PUSH(b->arena, &b->queue, token);
  return true;
}

// Breadth first, so that the shortest explanation is given. What differs by
// itself is a root, and so is a variable at the head of a loop that is the
// same for what the group was at the turn before.
static bool find_root(Blamer *b, const IrGroup *group, Token *root) {
  const Uniformity *u = b->u;
  for (uint32_t i = 0; i < b->queue.count; i++) {
    Token token = b->queue.data[i];
    uint32_t n_causes = 0;
    *root = token;
    if (!group_set_has(u->sets, u->base.data[token], group))
      return true;
    for (uint32_t k = u->deps_begin[token]; k < u->deps_begin[token + 1]; k++)
      n_causes += blame_visit(b, u->edges.data[k].from, token, group);
    if (u->tokens.data[token].kind == TOKEN_PHI && n_causes == 0)
      return true;
  }
  return b->queue.count > 0;
}

static void fill_path(Blamer *b, Token start) {
  Blame *blame = &b->blame;
  blame->path.count = 0;
  for (Token token = blame->root;; token = b->came_from[token]) {
    VEC_PUSH(b->arena, &blame->path, token);
    if (token == start)
      break;
  }
  for (uint32_t i = 0, k = blame->path.count - 1; i < k; i++, k--) {
    Token swapped = blame->path.data[i];
    blame->path.data[i] = blame->path.data[k];
    blame->path.data[k] = swapped;
  }
}

const Blame *blame_token(Blamer *b, Token token, const IrGroup *group) {
  Blame *blame = &b->blame;
  start_search(b);
  blame_visit(b, token, token, group);
  if (!find_root(b, group, &blame->root))
    return NULL;
  fill_path(b, token);
  blame->group = group;
  blame->value = root_text(b, blame->root);
  blame->condition = blame->exit = NULL;
  for (uint32_t i = 0; i < blame->path.count && !blame->condition; i++) {
    const TokenInfo *info = &b->u->tokens.data[blame->path.data[i]];
    if (info->kind == TOKEN_LEFT && !blame->exit)
      blame->exit = info->node;
    if (info->kind == TOKEN_VALUE)
      blame->condition = info->node;
  }
  return blame;
}

// --------------------------------------------------------------- labels

static bool same_place(Place a, Place b) {
  return a.line == b.line && a.col == b.col && a.end_line == b.end_line &&
         a.end_col == b.end_col && a.file == b.file;
}

static void blame_add_label(Diag *diag, DiagEngine *diags, Place place,
                            const char *text) {
  if (place.line == 0)
    return;
  for (uint32_t i = 0; i < diag->labels.count; i++)
    if (same_place(diag->labels.data[i].place, place))
      return;
  diag_label(diags, diag, place, "%s", text);
}

// The value behind which a phi's choice is made, and where it is assigned.
static void label_step(Blamer *b, const Blame *blame, uint32_t step,
                       Diag *diag) {
  const TokenInfo *info = &b->u->tokens.data[blame->path.data[step]];
  if (info->kind == TOKEN_PHI && step + 1 < blame->path.count) {
    uint32_t next = step + 1;
    while (next + 1 < blame->path.count &&
           b->u->tokens.data[blame->path.data[next]].kind == TOKEN_CHOICE)
      next++;
    const TokenInfo *cause = &b->u->tokens.data[blame->path.data[next]];
    if (cause->kind == TOKEN_VALUE && cause->node->op != IR_SET)
      blame_add_label(diag, b->diags, blame_place(b, cause->node),
                      arena_printf(b->arena, "the value of %s depends on this",
                                   variable_text(b, info->var)));
  } else if (info->kind == TOKEN_VALUE && info->node->op == IR_SET)
    blame_add_label(diag, b->diags, blame_place(b, info->node),
                    arena_printf(b->arena, "%s gets its value here",
                                 variable_text(b, info->node->u.variable.var)));
}

#define MAX_STEPS 6u // labels between the two ends

void blame_add_labels(Blamer *b, const Blame *blame, Diag *diag) {
  const char *group = blame_group_phrase(b, blame->group);
  const TokenInfo *root = &b->u->tokens.data[blame->root];
  if (root->node && root->kind != TOKEN_CHOICE)
    blame_add_label(diag, b->diags, blame_place(b, root->node),
                    arena_printf(b->arena,
                                 "%s differs between the threads of %s",
                                 blame->value, group));
  if (blame->condition && blame->path.data[0] >= b->u->order->n_ids)
    blame_add_label(diag, b->diags, blame_place(b, blame->condition),
                    "this condition decides which threads get there");
  if (blame->exit)
    blame_add_label(diag, b->diags, blame_place(b, blame->exit),
                    "some threads leave here");
  uint32_t n_labels = diag->labels.count;
  for (uint32_t i = 0;
       i < blame->path.count && diag->labels.count < n_labels + MAX_STEPS; i++)
    label_step(b, blame, i, diag);
}

void blame_add_calls(Blamer *b, Diag *diag, IrLocId loc) {
  const IrModule *module = b->u->kernel->module;
  loc = ir_loc_for_users(module, loc);
  for (uint32_t depth = 0; loc && depth < 8; depth++) {
    const IrLoc *inner = &module->locs.data[loc];
    if (!inner->parent)
      return;
    diag_note(b->diags, diag, module->locs.data[inner->parent].place,
              "in the call of '%s'", inner->callee ? inner->callee : "?");
    loc = inner->parent;
  }
}
