// SPDX-License-Identifier: Apache-2.0
// Loops, symbols and places of a write, as a case of Note [Filled] has them.
#include "check/prove/filled_before.h"

// ------------------------------------------------------------------- loops

uint32_t filled_depth(const CheckLoop *loop) {
  uint32_t depth = 0;
  for (; loop; loop = loop->parent)
    depth++;
  return depth;
}

static const CheckLoop *at_depth(const CheckLoop *loop, uint32_t depth) {
  while (loop && filled_depth(loop) > depth + 1)
    loop = loop->parent;
  return filled_depth(loop) == depth + 1 ? loop : NULL;
}

void filled_find_common(Before *b) {
  for (uint32_t i = 0; i < MOST_LOOPS; i++) {
    const CheckLoop *loop = at_depth(b->read->loop, i);
    if (!loop || loop != at_depth(b->write->loop, i))
      return;
    b->loops[b->n_common++] = loop;
  }
}

// Both threads are in one instance of the group: the grid, the cluster, the
// block, or the one that the case is about.
bool filled_holds_both(const Before *b, const IrGroup *group) {
  return b->is_other_block ? group->id <= 1
                           : group->id <= 2 || group == b->together;
}

// The threads of the block, or of the instance in which both are, make its
// turns together.
bool filled_is_in_step(const Before *b, const CheckLoop *loop) {
  for (uint32_t i = 0; i < b->f->meets.count; i++) {
    const Step *meet = b->f->meets.data[i];
    if (filled_holds_both(b, meet->u.meet.group) &&
        tree_is_in_loop(meet->loop, loop))
      return true;
  }
  return false;
}

// The turn of the loop is one in which both are.
static bool is_shared_loop(const Before *b, const CheckLoop *loop) {
  for (uint32_t i = 0; i < b->n_same; i++)
    if (b->loops[i] == loop)
      return true;
  return !loop;
}

typedef struct {
  const Filled *f;
  const CheckLoop *loop;
  const Step *found; // the loop itself
  uint32_t n_exits;
} Leaving;

static void note_leaving(const Step *step, void *context) {
  Leaving *leaving = context;
  if (step->kind == STEP_LOOP && step->u.loop.loop == leaving->loop)
    leaving->found = step;
  if (step->kind == STEP_EXIT && tree_is_in_loop(step->loop, leaving->loop))
    leaving->n_exits++;
}

static void note_turn(const Symbol *symbol, void *context) {
  const CheckLoop **loop = context;
  if (symbol->loop && tree_is_in_loop(symbol->loop, *loop))
    *loop = NULL;
}

static bool filled_depends_on(const Term *term, const CheckLoop *loop) {
  const CheckLoop *found = loop;
  term_symbols(term, note_turn, &found);
  return !found;
}

static bool filled_is_not_negative(const Term *term) {
  return term->kind == TERM_SYMBOL && term->symbol->low >= 0;
}

// With the turn of the loop the sum doesn't become less.
static bool filled_grows_with(const Term *sum, const CheckLoop *loop) {
  for (uint32_t i = 0; i < sum->n_parts; i++) {
    const Term *atom = sum->parts[i].atom;
    if (!filled_depends_on(atom, loop))
      continue;
    bool is_turn = atom->kind == TERM_SYMBOL && atom->symbol == loop->turn;
    bool is_product = atom->kind == TERM_MUL;
    for (uint32_t k = 0; k < atom->n_args && is_product; k++)
      is_product = filled_is_not_negative(atom->args[k]) &&
                   (!filled_depends_on(atom->args[k], loop) ||
                    atom->args[k]->symbol == loop->turn);
    if (sum->parts[i].coefficient < 0 || (!is_turn && !is_product))
      return false;
  }
  return sum->kind == TERM_SUM;
}

// A test at the start of each turn is all that ends the loop, and where it
// holds it held in all turns before: the path says which turns are made.
static bool is_tested(const Filled *f, const CheckLoop *loop) {
  Leaving leaving = {.f = f, .loop = loop};
  tree_each(f->tree->first, note_leaving, &leaving);
  if (!leaving.found || leaving.n_exits != 1 ||
      !tree_has_head_test(leaving.found))
    return false;
  const Step *test = leaving.found->u.loop.body;
  TermTable *t = f->terms;
  const Term *stays = test->kind == STEP_IF ? test->u.branch.condition : NULL;
  if (stays && test->u.branch.body && test->u.branch.body->kind == STEP_EXIT)
    stays = term_not(t, stays);
  return stays && stays->kind == TERM_LE &&
         filled_grows_with(stays->args[0], loop);
}

// The turn of the loop that declares the array has one of its own.
bool filled_begins_in(const IrObject *object, const CheckLoop *loop) {
  return object->space == SPACE_LOCAL && object->lifetime &&
         ir_is_inside(object->lifetime, loop->node);
}

bool filled_is_counted(const Filled *f, const CheckLoop *loop) {
  return (loop->trips && !loop->has_exit) || is_tested(f, loop);
}

// ----------------------------------------------------------------- symbols

static const Symbol *filled_copy(Filled *f, const Symbol *symbol) {
  Symbol *copy = map_get(&f->copies, symbol->id + 1ull);
  if (!copy) {
    copy = term_copy_symbol(f->terms, symbol);
    map_put(f->arena, &f->copies, symbol->id + 1ull, copy);
  }
  return copy;
}

const Term *filled_is_block(Filled *f) {
  TermTable *t = f->terms;
  const Term *all = term_true(t);
  for (int k = 0; k < 3 && f->check->kernel->cluster_dim[0] <= 0; k++) {
    const Symbol *block = f->tree->block[k];
    const Term *other = block ? term_of(t, filled_copy(f, block)) : NULL;
    if (other)
      all = term_and(t, all, term_le(t, term_int(t, 0), other));
    if (other && f->tree->grid[k])
      all = term_and(t, all, term_lt(t, other, f->tree->grid[k]));
  }
  return all;
}

static const Symbol *filled_copy_of(Before *b, const Symbol *symbol) {
  const Symbol *copy = filled_copy(b->f, symbol);
  for (uint32_t i = 0; i < b->n_own; i++)
    if (b->own[i] == copy)
      return copy;
  if (b->n_own < MOST_OWN)
    b->own[b->n_own++] = copy;
  else
    b->is_hidden = true;
  return copy;
}

// An element of what a copy moves, or a tile's store stores: each of them is
// written.
bool filled_is_of_section(const Before *b, const Symbol *symbol) {
  const IrNode *node = b->write->node;
  return symbol->kind == SYMBOL_VALUE && symbol->origin == node &&
         (ir_is_async_copy(node) ||
          (symbol->is_axis && node->op == IR_TILE_STORE));
}

// The group, or each block, has one instance.
bool filled_is_one_in_block(const Filled *f, const IrGroup *group) {
  const GroupView *view = tree_group(f->tree, group);
  int64_t number;
  return group->id <= 2 ||
         (view && view->is_known && term_is_constant(view->instance, &number));
}

// One value for both threads.
static bool is_shared_value(const Before *b, const Symbol *symbol) {
  if (symbol->is_lost || !is_shared_loop(b, symbol->loop))
    return false;
  if (b->is_other_block)
    return symbol->over && symbol->over->id <= 1;
  return b->is_own_thread ||
         (symbol->over && (filled_is_one_in_block(b->f, symbol->over) ||
                           (b->together && symbol->over == b->together)));
}

// The thread of a single_thread without an index.
static bool is_elected_thread(const Symbol *symbol) {
  const IrNode *node = symbol->origin;
  return symbol->kind == SYMBOL_VALUE && node && node->op == IR_GROUP &&
         node->u.part.group->kind == GROUP_SINGLE && node->u.part.is_any;
}

static void note_any_thread(const Symbol *symbol, void *context) {
  *(bool *)context |=
      symbol->kind == SYMBOL_THREAD || is_elected_thread(symbol);
}

bool filled_has_thread(const Term *term) {
  bool found = false;
  term_symbols(term, note_any_thread, &found);
  return found;
}

bool filled_is_by_rank(const Touch *write) {
  bool found = filled_has_thread(write->byte) ||
               (write->cluster_rank && filled_has_thread(write->cluster_rank));
  for (int k = 0; k < write->n_index; k++)
    found |= filled_has_thread(write->index[k]);
  return found;
}

// All blocks of a cluster have that index: it is one block long there.
static bool filled_is_of_cluster(const Filled *f, const Symbol *symbol) {
  for (int k = 0; k < 3; k++)
    if (f->tree->block[k] == symbol)
      return f->check->kernel->cluster_dim[k] <= 1;
  return false;
}

const Term *filled_as_writer(const Symbol *symbol, void *context) {
  Before *b = context;
  bool is_copied = false;
  switch (symbol->kind) {
  case SYMBOL_LAUNCH: return NULL;
  case SYMBOL_BLOCK:
    // Where the clusters aren't known, it may be any.
    if (b->is_other_block && b->f->check->kernel->cluster_dim[0] <= 0)
      return term_of(b->f->terms, filled_copy(b->f, symbol));
    is_copied = b->is_other_block && !filled_is_of_cluster(b->f, symbol);
    break;
  case SYMBOL_THREAD: is_copied = !b->is_own_thread; break;
  case SYMBOL_TURN:
    is_copied = !is_shared_loop(b, symbol->loop);
    if (is_copied && b->has_its_turns) {
      const CheckLoop *other =
          at_depth(b->read->loop, filled_depth(symbol->loop) - 1);
      if (other)
        return term_of(b->f->terms, other->turn);
    }
    break;
  case SYMBOL_VALUE:
    // Some thread is elected in that block, too.
    is_copied = filled_is_of_section(b, symbol) ||
                (b->may_elect && is_elected_thread(symbol));
    b->is_hidden |= !is_copied && !is_shared_value(b, symbol);
    break;
  }
  return is_copied ? term_of(b->f->terms, filled_copy_of(b, symbol)) : NULL;
}

// An element of a parameter lies in the range of its type: the walk states so
// in paths.
static bool is_of_type(const Before *b, const Term *term) {
  const IrKernel *kernel = b->f->check->kernel;
  if (term->kind != TERM_LE)
    return false;
  const Term *sum = term->args[0];
  const Term *atom =
      sum->kind == TERM_SUM && sum->n_parts == 1 ? sum->parts[0].atom : sum;
  if (atom->kind != TERM_APPLY || atom->object->param < 0)
    return false;
  uint32_t bits = ir_type_bits(atom->object->element);
  bool is_signed = kernel->params.data[atom->object->param].is_signed;
  int64_t factor = sum == atom ? 1 : sum->parts[0].coefficient;
  int64_t number = sum == atom ? 0 : sum->number;
  if (bits > 32)
    return false;
  int64_t low = is_signed ? -((int64_t)1 << (bits - 1)) : 0;
  int64_t high = ((int64_t)1 << (is_signed ? bits - 1 : bits)) - 1;
  return (factor == 1 && -number >= high) || (factor == -1 && number <= low);
}

// What is known of the condition at least; FALSE where that is nothing.
const Term *filled_at_least(Before *b, const Term *term) {
  TermTable *t = b->f->terms;
  if (term->kind == TERM_ALL || term->kind == TERM_SOME) {
    bool is_all = term->kind == TERM_ALL;
    const Term *whole = is_all ? term_true(t) : term_false(t);
    for (uint32_t i = 0; i < term->n_args; i++) {
      const Term *arg = filled_at_least(b, term->args[i]);
      whole = is_all ? term_and(t, whole, arg) : term_or(t, whole, arg);
    }
    return whole;
  }
  if (is_of_type(b, term))
    return term_true(t);
  b->is_hidden = false;
  const Term *image = term_replace(t, term, filled_as_writer, b);
  return b->is_hidden ? term_false(t) : image;
}

// NULL: not known.
const Term *filled_written(Before *b, const Term *term) {
  b->is_hidden = false;
  const Term *image = term_replace(b->f->terms, term, filled_as_writer, b);
  return b->is_hidden ? NULL : image;
}

// ------------------------------------------------------------------- places

bool filled_is_in_element(const Touch *touch) {
  int64_t byte;
  return touch->n_index == touch->object->rank &&
         term_is_constant(touch->byte, &byte) && byte >= 0 &&
         byte + touch->n_bytes <= touch->object->element_bytes;
}

// Bytes from the start of the array; NULL: not known.
static const Term *place_of(const Filled *f, const Touch *touch,
                            const Term *const *index, const Term *byte) {
  TermTable *t = f->terms;
  const IrObject *object = touch->object;
  if (touch->n_index == 0)
    return byte;
  if (object->has_strides || touch->n_index != object->rank)
    return NULL;
  const Term *element = index[0];
  for (int k = 1; k < touch->n_index; k++) {
    const Term *extent = tree_extent(f->tree, object, k);
    if (!extent)
      return NULL;
    element = term_add(t, term_mul(t, element, extent), index[k]);
  }
  return term_add(t, term_scale(t, element, object->element_bytes), byte);
}

// The byte of the read that is looked at: `from` + one of n_bytes.
const Term *filled_holds_byte(Filled *f, const Touch *read, const Touch *write,
                              const Term *from, const Term *to,
                              const Term *byte) {
  TermTable *t = f->terms;
  if (from == to && read->n_bytes <= write->n_bytes)
    return term_true(t);
  const Term *at = term_add(t, from, byte);
  return term_and(t, term_le(t, to, at),
                  term_lt(t, at, term_add(t, to, term_int(t, write->n_bytes))));
}

// Both are of whole units of one size: the first bytes tell.
static bool is_of_unit(const Term *place, uint32_t n_bytes) {
  if (place->kind != TERM_SUM)
    return n_bytes == 1;
  for (uint32_t i = 0; i < place->n_parts; i++)
    if (place->parts[i].coefficient % n_bytes != 0)
      return false;
  return place->number % n_bytes == 0;
}

const Term *filled_same_place(Before *b, const Term *byte) {
  Filled *f = b->f;
  TermTable *t = f->terms;
  const Touch *read = b->read->u.touch.touch, *write = b->write->u.touch.touch;
  const Term *index[IR_MAX_RANK];
  for (int k = 0; k < write->n_index; k++) {
    index[k] = filled_written(b, write->index[k]);
    if (!index[k])
      return NULL;
  }
  const Term *at = filled_written(b, write->byte);
  if (!at)
    return NULL;
  if (filled_is_in_element(read) && filled_is_in_element(write)) {
    const Term *same = filled_holds_byte(f, read, write, read->byte, at, byte);
    for (int k = 0; k < write->n_index; k++)
      same = term_and(t, same, term_eq(t, index[k], read->index[k]));
    return same;
  }
  const Term *from = place_of(f, read, read->index, read->byte);
  const Term *to = place_of(f, write, index, at);
  if (!from || !to)
    return NULL;
  if (read->n_bytes == write->n_bytes && is_of_unit(from, read->n_bytes) &&
      is_of_unit(to, read->n_bytes))
    return term_eq(t, from, to);
  return filled_holds_byte(f, read, write, from, to, byte);
}

// Inside of its extents, outside of which a copy does nothing.
const Term *filled_inside(const Filled *f, const Touch *touch,
                          const Term *const *index) {
  TermTable *t = f->terms;
  const Term *all = term_true(t);
  for (int k = 0; k < touch->n_index; k++) {
    const Term *extent = tree_extent(f->tree, touch->object, k);
    all = term_and(t, all, term_le(t, term_int(t, 0), index[k]));
    if (extent)
      all = term_and(t, all, term_lt(t, index[k], extent));
  }
  return all;
}
