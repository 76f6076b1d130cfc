// SPDX-License-Identifier: Apache-2.0
// Rows of the group table as terms of the thread's rank in the block.
#include "check/tree/walk.h"

enum { WARP = 32 };

const GroupView *tree_group(const Tree *tree, const IrGroup *group) {
  return &tree->groups.data[group->id];
}

bool view_is_of_block(const GroupView *view) {
  int64_t number;
  return view->is_known && view->member->kind == TERM_TRUE &&
         term_is_constant(view->instance, &number);
}

const GroupView *walk_view(Walk *w, const IrGroup *group) {
  return &w->tree->groups.data[group->id];
}

static void set_view(Walk *w, const GroupView *view) {
  GroupView *row = &w->tree->groups.data[view->group->id];
  *row = *view;
  row->is_known = view->member && view->instance && view->rank && view->size;
}

static const Term *groups_number(const Walk *w, int64_t value) {
  return term_int(w->terms, value);
}

static const Term *thread_term(const Walk *w) {
  return term_of(w->terms, w->tree->thread);
}

// -------------------------------------------------------- implicit groups

// Linear index of the block, where the grid's shape lets it be said.
static const Term *block_number(Walk *w) {
  TermTable *t = w->terms;
  const Tree *tree = w->tree;
  const Term *sum = groups_number(w, 0), *stride = groups_number(w, 1);
  for (int k = 0; k < 3; k++) {
    int64_t one;
    bool is_flat = term_is_constant(tree->grid[k], &one) && one == 1;
    if (!is_flat)
      sum = term_add(t, sum, term_mul(t, stride, term_of(t, tree->block[k])));
    stride = term_mul(t, stride, tree->grid[k]);
  }
  return sum;
}

static const Term *groups_n_blocks(Walk *w) {
  TermTable *t = w->terms;
  return term_mul(t, w->tree->grid[0],
                  term_mul(t, w->tree->grid[1], w->tree->grid[2]));
}

// Rank of the block in its cluster.
static const Term *block_in_cluster(Walk *w) {
  TermTable *t = w->terms;
  const int32_t *dim = w->kernel->cluster_dim;
  const Term *sum = groups_number(w, 0);
  int64_t stride = 1, size;
  if (!term_is_constant(w->tree->cluster_size, &size)) {
    const Symbol *symbol =
        walk_symbol(w, "block_in_cluster", NULL,
                    w->kernel->groups.data[GROUP_ROW_BLOCK], 0, INT32_MAX);
    const Term *rank = term_of(t, symbol);
    path_push(w, term_lt(t, rank, w->tree->cluster_size));
    return rank;
  }
  for (int k = 0; k < 3; k++) {
    int64_t n = dim[k] > 0 ? dim[k] : 1;
    const Term *at =
        term_mod(t, term_of(t, w->tree->block[k]), groups_number(w, n));
    sum = term_add(t, sum, term_scale(t, at, stride));
    stride *= n;
  }
  return size == 1 ? groups_number(w, 0) : sum;
}

static void implicit_view(Walk *w, const IrGroup *group) {
  TermTable *t = w->terms;
  int64_t n = w->tree->n_threads;
  const Term *thread = thread_term(w), *count = groups_number(w, n);
  GroupView view = {.group = group,
                    .member = term_true(t),
                    .instance = groups_number(w, 0),
                    .rank = thread,
                    .size = count};
  switch ((int)group->kind) {
  case GROUP_GRID:
    view.rank = term_add(t, term_scale(t, block_number(w), n), thread);
    view.size = term_scale(t, groups_n_blocks(w), n);
    break;
  case GROUP_CLUSTER:
    view.rank = term_add(t, term_scale(t, block_in_cluster(w), n), thread);
    view.size = term_scale(t, w->tree->cluster_size, n);
    break;
  case GROUP_BLOCK: break;
  case GROUP_WARP:
    view.instance = term_div(t, thread, groups_number(w, WARP));
    view.rank = term_mod(t, thread, groups_number(w, WARP));
    view.size = groups_number(w, WARP);
    if (n % WARP)
      view.size = term_min(
          t, view.size, term_sub(t, count, term_scale(t, view.instance, WARP)));
    break;
  case GROUP_THREAD:
    view.instance = thread;
    view.rank = groups_number(w, 0);
    view.size = groups_number(w, 1);
    break;
  default: view.member = NULL; break;
  }
  set_view(w, &view);
}

void groups_start(Walk *w) {
  for (uint32_t i = 0; i < w->kernel->groups.count; i++) {
    GroupView empty = {.group = w->kernel->groups.data[i]};
    VEC_PUSH(w->arena, &w->tree->groups, empty);
  }
  for (uint32_t i = 0; i < w->kernel->groups.count; i++)
    implicit_view(w, w->kernel->groups.data[i]);
}

// --------------------------------------------------------------- parts

static void note_loop(const Symbol *symbol, void *context) {
  *(bool *)context |= symbol->loop != NULL;
}

// The same threads each time, whatever loops are around.
static bool groups_is_fixed(const GroupView *view) {
  bool has_loop = false;
  term_symbols(view->member, note_loop, &has_loop);
  term_symbols(view->rank, note_loop, &has_loop);
  return !has_loop;
}

// Which thread single_thread is: any, but the same one each time for the same
// group.
static const Term *elected(Walk *w, const IrNode *node,
                           const GroupView *parent) {
  for (uint32_t i = 0; i < w->elected.count; i++) {
    const GroupView *other = &w->elected_in.data[i];
    if (other->member == parent->member && other->rank == parent->rank &&
        other->instance == parent->instance && other->size == parent->size)
      return term_of(w->terms, w->elected.data[i]);
  }
  int64_t low, most;
  term_interval(w->terms, parent->size, &low, &most);
  CheckLoop *loop = w->loop;
  if (groups_is_fixed(parent))
    w->loop = NULL;
  const Symbol *symbol =
      walk_symbol(w, "single", node, parent->group, 0, most > 0 ? most - 1 : 0);
  w->loop = loop;
  VEC_PUSH(w->arena, &w->elected, symbol);
  VEC_PUSH(w->arena, &w->elected_in, *parent);
  return term_of(w->terms, symbol);
}

static const Term *groups_begin_of(Walk *w, const IrNode *node,
                                   const GroupView *parent) {
  const IrGroup *group = node->u.part.group;
  if (group->kind == GROUP_SINGLE && node->u.part.is_any)
    return elected(w, node, parent);
  if (node->n_args)
    return arg_signed(w, node, 0);
  return groups_number(w, group->begin == SIZE_UNKNOWN ? 0 : group->begin);
}

// The part lies in its parent: owed where it can't be seen.
static void oblige_range(Walk *w, const IrNode *node, const GroupView *parent,
                         const Term *begin, int64_t size) {
  TermTable *t = w->terms;
  if (node->u.part.is_any)
    return;
  const Term *fits = term_and(
      t, term_le(t, groups_number(w, 0), begin),
      term_le(t, term_add(t, begin, groups_number(w, size)), parent->size));
  walk_oblige(w, node, OBLIGATION_GROUP_RANGE, fits);
}

static void groups_make_range(Walk *w, const IrNode *node) {
  const IrGroup *group = node->u.part.group;
  GroupView parent = *walk_view(w, node->u.part.parent);
  TermTable *t = w->terms;
  GroupView view = {.group = group};
  if (parent.is_known && group->size != SIZE_UNKNOWN) {
    const Term *begin = groups_begin_of(w, node, &parent);
    const Term *size = groups_number(w, group->size);
    oblige_range(w, node, &parent, begin, group->size);
    view.rank = group->size == 1 ? groups_number(w, 0)
                                 : term_sub(t, parent.rank, begin);
    const Term *inside =
        group->size == 1
            ? term_eq(t, parent.rank, begin)
            : term_and(t, term_le(t, begin, parent.rank),
                       term_lt(t, parent.rank, term_add(t, begin, size)));
    view.member = term_and(t, parent.member, inside);
    view.size = size;
    view.instance = parent.instance;
  }
  set_view(w, &view);
}

// Numbers the parts of all instances of the parent one after the other.
static const Term *part_number(Walk *w, const GroupView *parent,
                               const Term *part, int64_t most_parts) {
  return term_add(w->terms, term_scale(w->terms, parent->instance, most_parts),
                  part);
}

static void make_split(Walk *w, const IrNode *node) {
  const IrGroup *group = node->u.part.group;
  GroupView parent = *walk_view(w, node->u.part.parent);
  GroupView view = {.group = group};
  int64_t n_threads = node->u.part.parent->size, count = node->u.part.count;
  TermTable *t = w->terms;
  if (parent.is_known && n_threads > 0 && count > 0 && n_threads % count == 0) {
    const Term *each = groups_number(w, n_threads / count);
    view.member = parent.member;
    view.rank = term_mod(t, parent.rank, each);
    view.size = each;
    view.instance =
        part_number(w, &parent, term_div(t, parent.rank, each), count);
  }
  set_view(w, &view);
}

static void make_tiles(Walk *w, const IrNode *node) {
  const IrGroup *group = node->u.group.group;
  GroupView parent = *walk_view(w, group->parent);
  GroupView view = {.group = group};
  TermTable *t = w->terms;
  const Term *n =
      node->n_args ? arg_signed(w, node, 0) : groups_number(w, group->size);
  int64_t low, high, most = ir_group_most(group->parent);
  term_interval(t, n, &low, &high);
  if (most > w->tree->n_threads)
    most = w->tree->n_threads;
  if (parent.is_known && low > 0) {
    const Term *part = term_div(t, parent.rank, n);
    view.member = parent.member;
    view.rank = term_mod(t, parent.rank, n);
    view.instance = part_number(w, &parent, part, (most + low - 1) / low);
    view.size = n;
    if (group->size == SIZE_UNKNOWN)
      view.size =
          term_min(t, n, term_sub(t, parent.size, term_mul(t, part, n)));
  }
  set_view(w, &view);
}

// --------------------------------------------------------- parts by labels

// Of each thread of the block that is in the divided group: the label, and the
// place in its part.
typedef struct {
  int64_t n;
  int64_t *is_in, *label, *parent, *rank, *size;
  int64_t least, most; // labels
} Labels;

static bool value_at(const Walk *w, const Term *term, int64_t thread,
                     int64_t *value) {
  const Symbol *symbol = w->tree->thread;
  TermModel model = {1, &symbol, &thread};
  return term_value(term, &model, value);
}

static bool is_same_part(const Labels *labels, int64_t i, int64_t k) {
  return labels->is_in[i] && labels->is_in[k] &&
         labels->label[i] == labels->label[k] &&
         labels->parent[i] == labels->parent[k];
}

// Parts lie within a warp.
static void count_places(Labels *labels) {
  for (int64_t i = 0; i < labels->n; i++)
    for (int64_t k = i - i % WARP; k < labels->n && k / WARP == i / WARP; k++) {
      bool is_same = is_same_part(labels, i, k);
      labels->size[i] += is_same;
      labels->rank[i] += is_same && k < i;
    }
}

// False: the rank alone doesn't tell the labels.
static bool find_labels(Walk *w, const GroupView *parent, const Term *label,
                        Labels *labels) {
  enum { MOST_LABELS = 1 << 20 };

  int64_t n = labels->n = w->tree->n_threads;
  int64_t **columns[] = {&labels->is_in, &labels->label, &labels->parent,
                         &labels->rank, &labels->size};
  for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
    *columns[i] = ARENA_ARRAY(w->arena, int64_t, (size_t)n);
  labels->least = INT64_MAX;
  labels->most = INT64_MIN;
  for (int64_t i = 0; i < n; i++) {
    if (!value_at(w, parent->member, i, &labels->is_in[i]))
      return false;
    if (!labels->is_in[i])
      continue;
    if (!value_at(w, label, i, &labels->label[i]) ||
        !value_at(w, parent->instance, i, &labels->parent[i]))
      return false;
    int64_t x = labels->label[i];
    labels->least = x < labels->least ? x : labels->least;
    labels->most = x > labels->most ? x : labels->most;
  }
  count_places(labels);
  return labels->least > -MOST_LABELS && labels->most < MOST_LABELS &&
         labels->least <= labels->most;
}

static bool groups_is_right(const Walk *w, const Labels *labels,
                            const Term *term, const int64_t *values) {
  int64_t value;
  for (int64_t i = 0; i < labels->n; i++)
    if (labels->is_in[i] &&
        (!value_at(w, term, i, &value) || value != values[i]))
      return false;
  return true;
}

// By the two values of a condition, else any number.
static const Term *place_in_part(Walk *w, const GroupView *parent,
                                 const Term *low, const Labels *labels) {
  TermTable *t = w->terms;
  const Term *rank = parent->rank;
  for (int64_t n = 0; n <= 32; n++) {
    const Term *behind = term_sub(t, rank, groups_number(w, n));
    const Term *first = term_ite(t, low, rank, behind);
    const Term *second = term_ite(t, low, behind, rank);
    if (groups_is_right(w, labels, first, labels->rank))
      return first;
    if (groups_is_right(w, labels, second, labels->rank))
      return second;
  }
  const Term *half = term_div(t, rank, groups_number(w, 2));
  return groups_is_right(w, labels, half, labels->rank)
             ? half
             : term_of(t, walk_symbol(w, "rank", NULL, NULL, 0, 31));
}

static const Term *size_of_part(Walk *w, const Term *low,
                                const Labels *labels) {
  TermTable *t = w->terms;
  int64_t n_low = 1, n_high = 1;
  for (int64_t i = 0; i < labels->n; i++)
    if (labels->is_in[i])
      *(labels->label[i] == labels->least ? &n_low : &n_high) = labels->size[i];
  const Term *size =
      term_ite(t, low, groups_number(w, n_low), groups_number(w, n_high));
  return groups_is_right(w, labels, size, labels->size)
             ? size
             : term_of(t, walk_symbol(w, "size", NULL, NULL, 1, 32));
}

// Parts of a warp, or a tile of one, whose label is the rank's.
static void make_labeled(Walk *w, const IrNode *node) {
  const IrGroup *group = node->u.group.group;
  GroupView parent = *walk_view(w, group->parent);
  GroupView view = {.group = group};
  const Value *value = node->n_args ? walk_arg(w, node, 0) : NULL;
  bool is_number =
      value && (value->kind == VALUE_INT || value->kind == VALUE_BOOL);
  Labels labels = {0};
  const Term *label = is_number ? value_signed(w, value) : NULL;
  if (label && parent.is_known && find_labels(w, &parent, label, &labels)) {
    TermTable *t = w->terms;
    const Term *from = term_sub(t, label, groups_number(w, labels.least));
    const Term *low = term_eq(t, label, groups_number(w, labels.least));
    view.member = parent.member;
    view.instance =
        part_number(w, &parent, from, labels.most - labels.least + 1);
    view.rank = place_in_part(w, &parent, low, &labels);
    view.size = size_of_part(w, low, &labels);
  }
  set_view(w, &view);
}

// Those of a warp that are here: the warp, where all of it are.
static void make_coalesced(Walk *w, const IrNode *node) {
  const IrGroup *group = node->u.group.group;
  GroupView view = *walk_view(w, group->parent);
  if (group->parent->kind != GROUP_WARP || !walk_has_all_lanes(w))
    view = (GroupView){0};
  view.group = group;
  set_view(w, &view);
}

void groups_make(Walk *w, const IrNode *node) {
  if (node->op == IR_MAKE_GROUP) {
    if (node->u.group.group->kind == GROUP_COALESCED)
      make_coalesced(w, node);
    else if (node->u.group.group->kind == GROUP_TILED)
      make_tiles(w, node);
    else if (node->u.group.group->kind == GROUP_LABELED)
      make_labeled(w, node);
    return;
  }
  switch ((int)node->u.part.group->kind) {
  case GROUP_RANGE:
  case GROUP_SINGLE: groups_make_range(w, node); break;
  case GROUP_SPLIT: make_split(w, node); break;
  default: break; // a thread, or a group that is there anyway
  }
}
