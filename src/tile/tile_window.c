// SPDX-License-Identifier: Apache-2.0
// Products of overlapping windows of an array.
//
// Note [Windows]
// In each turn of a convolution's loop, operand 0 is a section of the image
// that begins some elements further. If the loop's bounds are constants, all
// these sections lie in one that is known, and most of its elements are in many
// of them:
//
//   turn (y, x): image[i + y - 1 : BH][j + x - 1 : BW][0 : C]
//   all:         image[i - 1 : BH + 2][j - 1 : BW + 2][0 : C]
//
// So that one is packed, once for a block. The window of a turn is not copied
// any more: its rows begin a constant number of rows further. Operand 1 of all
// turns is packed before the first block, if it fits a cache, so that sums stay
// in registers from the first turn to the last.
//
// Rows of operand 0 that are neighbours along the window's last dimension but
// one are equally far apart, so blocks of sums take rows of one such line only.
// Where a turn's rows begin is a sum of multiples of a few counters, of loops
// in loops which together have as many turns.
//
// Operand 0 may be computed from the section, element by element.
#include "ir/form/ir.h"
#include "tile/tile_parts.h"

// Of operand 1 of all turns and a block's section, packed: what a second-level
// cache holds.
#define WINDOW_BYTES (1u << 20)
#define MOST_TURNS   256
// Operations that a section's first index is computed by.
#define MOST_STEPS   256
// Rows of a line: what keeps as many sums under way as operations take cycles.
#define LEAST_LINE   4

typedef struct {
  Lower *t;
  const RectKernel *of;
  TileWindows *found;
  const IrNode *load;
  uint32_t axes[IR_MAX_TILE_RANK]; // of the object, by dimension of the section
  int64_t turn;                    // the value of the loop's variable
  uint32_t n_steps;
  bool is_known;
} WindowFind;

// --------------------------------------------------- where a turn's begins

static bool window_counts(const WindowFind *w, const IrNode *node) {
  return node->op == IR_GET && node->u.variable.var == w->of->loop->u.loop.var;
}

static bool window_changes(const WindowFind *w, const IrNode *node) {
  return w->of->depends[node->id] & RECT_OF_TURN;
}

static int64_t window_unknown(WindowFind *w) {
  w->is_known = false;
  return 0;
}

static int64_t window_number(WindowFind *w, const IrNode *node);

static int64_t window_result(WindowFind *w, const IrNode *node) {
  int64_t a = window_number(w, node->args[0]);
  int64_t b = window_number(w, node->args[1]);
  bool is_natural = a >= 0 && b > 0;
  switch ((int)node->op) {
  case IR_ADD: return a + b;
  case IR_SUB: return a - b;
  case IR_MUL: return a * b;
  case IR_UDIV: return is_natural ? a / b : window_unknown(w);
  case IR_UREM: return is_natural ? a % b : window_unknown(w);
  default: return window_unknown(w);
  }
}

// The number that a value computed from the loop's variable alone is.
static int64_t window_number(WindowFind *w, const IrNode *node) {
  if (node->type.kind != IR_TYPE_I32 || w->n_steps++ > MOST_STEPS)
    return window_unknown(w);
  if (node->op == IR_CONST)
    return (int32_t)node->u.constant.bits;
  if (window_counts(w, node))
    return w->turn;
  if (node->n_args != 2)
    return window_unknown(w);
  int64_t result = window_result(w, node);
  return result == (int32_t)result ? result : window_unknown(w);
}

// What the turn adds to a value that is computed without overflow: what it adds
// to is the same in all turns.
static int64_t window_shift(WindowFind *w, const IrNode *node) {
  if (!window_changes(w, node))
    return 0;
  bool was_known = w->is_known;
  int64_t number = window_number(w, node);
  if (w->is_known || !was_known)
    return number;
  bool is_exact = node->flags & NODE_NO_SIGNED_WRAP &&
                  node->type.kind == IR_TYPE_I32 &&
                  (node->op == IR_ADD || node->op == IR_SUB);
  if (!is_exact || w->n_steps++ > MOST_STEPS)
    return 0;
  w->is_known = true;
  int64_t a = window_shift(w, node->args[0]);
  int64_t b = window_shift(w, node->args[1]);
  return node->op == IR_ADD ? a + b : a - b;
}

// ----------------------------------------------------------------- operand 0

// The tile whose rows are those of the operand, in row-major order.
static IrNode *window_top(const IrNode *mma) {
  IrNode *top = mma->args[0];
  return top->op == IR_TILE_RESHAPE ? top->args[0] : top;
}

// The only operand that isn't the same for all elements; NULL: there is no such
// one.
static IrNode *window_below(const IrNode *node) {
  IrNode *below = NULL;
  if (!tile_is_pointwise(node) || ir_is_operator(node))
    return NULL;
  for (uint32_t i = 0; i < node->n_args; i++) {
    IrNode *arg = node->args[i];
    bool is_even = !ir_is_tile(arg->type) || (arg->op == IR_TILE_BROADCAST &&
                                              !ir_is_tile(arg->args[0]->type));
    if (below && !is_even)
      return NULL;
    if (!is_even)
      below = arg;
  }
  return below;
}

// All that it is computed from is the same in all turns, but where the section
// begins.
static bool window_finds_load(WindowFind *w, const IrNode *node) {
  for (; node && node->op != IR_TILE_LOAD; node = window_below(node)) {
    const IrNode *below = window_below(node);
    for (uint32_t i = 0; i < node->n_args; i++)
      if (node->args[i] != below && window_changes(w, node->args[i]))
        return false;
  }
  if (!node || ir_is_atomic(node) || node->u.section.has_mask)
    return false;
  for (uint32_t i = node->u.section.object->rank; i < node->n_args; i++)
    if (window_changes(w, node->args[i]))
      return false;
  w->load = node;
  return true;
}

// ----------------------------------------------------------- all its sections

// Dimension `i` of the object: which of its elements all turns have, from the
// first turn's first on.
static bool window_along(WindowFind *w, uint32_t i, int64_t *shifts) {
  TileWindows *found = w->found;
  const IrNode *index = w->load->args[i];
  int64_t low = INT64_MAX, high = INT64_MIN;
  for (uint32_t turn = 0; turn < found->n_turns; turn++) {
    w->turn = found->first_turn + turn * w->of->loop->u.loop.step;
    w->n_steps = 0;
    shifts[turn] = window_shift(w, index);
    low = shifts[turn] < low ? shifts[turn] : low;
    high = shifts[turn] > high ? shifts[turn] : high;
  }
  if (!w->is_known || high - low >= IR_MAX_TILE_ELEMENTS)
    return false;
  found->ahead[i] = (int32_t)(shifts[0] - low);
  for (uint32_t turn = 0; turn < found->n_turns; turn++)
    shifts[turn] -= low;
  found->spread[i] = (uint32_t)(high - low);
  return true;
}

// The section's dimensions, by which one finds those of the object. The last
// one is that of K.
static bool window_shape(WindowFind *w, int64_t (*shifts)[MOST_TURNS]) {
  TileWindows *found = w->found;
  const IrNode *load = w->load;
  for (uint32_t i = 0; i < load->u.section.object->rank; i++) {
    bool is_range = load->u.section.kind[i] == SECTION_RANGE;
    if (load->u.section.kind[i] == SECTION_GATHER ||
        !window_along(w, i, shifts[i]))
      return false;
    if (!is_range && found->spread[i] == 0)
      continue;
    if (found->shape.rank == IR_MAX_TILE_RANK)
      return false;
    w->axes[found->shape.rank] = i;
    found->shape.extents[found->shape.rank++] =
        (is_range ? load->u.section.length[i] : 1) + found->spread[i];
  }
  uint32_t last = found->shape.rank - 1u;
  return found->shape.rank > 1 && found->spread[w->axes[last]] == 0 &&
         found->shape.extents[last] == found->depth;
}

// Where the rows of windows are among those in memory.
static bool window_rows(WindowFind *w, int64_t (*shifts)[MOST_TURNS]) {
  TileWindows *found = w->found;
  uint32_t rows = 1;
  for (uint32_t k = found->shape.rank - 1u; k-- > 0;) {
    uint32_t extent = found->shape.extents[k], axis = w->axes[k];
    for (uint32_t turn = 0; turn < found->n_turns; turn++)
      found->first_rows[turn] += (uint32_t)shifts[axis][turn] * rows;
    if (w->load->u.section.kind[axis] == SECTION_RANGE) {
      found->extents[found->rank] = w->load->u.section.length[axis];
      found->steps[found->rank++] = rows;
    }
    if (rows > IR_MAX_TILE_ELEMENTS / extent)
      return false;
    rows *= extent;
  }
  found->n_rows = rows;
  return found->rank > 0;
}

static uint64_t window_bytes(const WindowFind *w, uint64_t rows) {
  const IrModule *module = w->t->kernel->module;
  IrType type = ir_element_type(module, w->of->mma->type);
  return rows * w->found->depth * ir_type_size(module, type);
}

// Rows of a block's section.
static uint64_t window_all_rows(const TileWindows *found) {
  uint64_t rows = 1;
  for (uint32_t k = 0; k + 1u < found->shape.rank; k++)
    rows *= found->shape.extents[k];
  return rows;
}

// ------------------------------------------------------------ loops of turns

// Turns from the first on, `every` turns apart, whose rows begin equally far
// apart; how many there are.
static uint32_t window_run(const TileWindows *found, uint32_t every,
                           int64_t *step) {
  const uint32_t *first = found->first_rows;
  uint32_t n = found->n_turns / every, count = 1;
  *step = n > 1 ? (int64_t)first[every] - first[0] : 0;
  while (count < n &&
         (int64_t)first[count * every] - first[(count - 1) * every] == *step)
    count++;
  return count;
}

static bool window_levels(TileWindows *found) {
  for (uint32_t every = 1; every < found->n_turns;) {
    if (found->n_levels == MOST_WINDOW_LEVELS)
      return false;
    int64_t step;
    uint32_t count = window_run(found, every, &step);
    if (count < 2 || found->n_turns / every % count != 0)
      return false;
    found->levels[found->n_levels].count = count;
    found->levels[found->n_levels++].step = step;
    every *= count;
  }
  for (uint32_t turn = 0; turn < found->n_turns; turn++) {
    int64_t at = found->first_rows[0];
    uint32_t rest = turn;
    for (uint32_t i = 0; i < found->n_levels; i++) {
      at += rest % found->levels[i].count * found->levels[i].step;
      rest /= found->levels[i].count;
    }
    if (at != found->first_rows[turn])
      return false;
  }
  return true;
}

// ------------------------------------------------------------------ the whole

// Less is packed than by turns, and all of it fits a cache.
static bool window_pays(const WindowFind *w) {
  TileWindows *found = w->found;
  const IrTileShape *to = ir_tile_shape(w->t->kernel->module, w->of->mma->type);
  uint64_t rows = window_all_rows(found);
  uint32_t line = found->extents[0];
  if (rows >= (uint64_t)to->extents[0] * found->n_turns ||
      (line < LEAST_LINE && line < to->extents[0]))
    return false;
  uint64_t left = WINDOW_BYTES, own = window_bytes(w, rows);
  uint64_t column = window_bytes(w, (uint64_t)to->extents[1] * found->n_turns);
  left = own < left ? left - own : 0;
  found->most_columns = (uint32_t)(left / column);
  return found->most_columns > 0;
}

TileWindows *window_find(Lower *t, const RectKernel *of) {
  static const uint32_t most = MOST_TURNS;
  int64_t n = loop_turns(of->loop);
  const IrTileShape *operand =
      ir_tile_shape(t->kernel->module, of->mma->args[0]->type);
  if (n < 2 || n > most)
    return NULL;
  TileWindows *found = ARENA_NEW(t->scratch, TileWindows);
  found->depth = operand->extents[1];
  found->n_turns = (uint32_t)n;
  found->first_turn = (int32_t)of->loop->args[0]->u.constant.bits;
  found->first_rows = ARENA_ARRAY(t->scratch, uint32_t, found->n_turns);
  WindowFind w = {.t = t, .of = of, .found = found, .is_known = true};
  int64_t(*shifts)[MOST_TURNS] = (int64_t(*)[MOST_TURNS])ARENA_ARRAY(
      t->scratch, int64_t, (size_t)IR_MAX_RANK * MOST_TURNS);
  if (!window_finds_load(&w, window_top(of->mma)) || !window_shape(&w, shifts))
    return NULL;
  bool is_one =
      window_rows(&w, shifts) && window_levels(found) && window_pays(&w);
  return is_one ? found : NULL;
}

// ------------------------------------------------------------- the section

// Types have extents of few kinds.
static uint32_t window_extent(uint32_t extent) {
  while (!ir_tile_extent_fits(extent))
    extent++;
  return extent;
}

static IrType window_type(const Lower *t, const TileWindows *found,
                          IrType element) {
  uint32_t extents[IR_MAX_TILE_RANK];
  for (uint32_t i = 0; i < found->shape.rank; i++)
    extents[i] = window_extent(found->shape.extents[i]);
  return ir_tile_type(t->kernel->module, element, found->shape.rank, extents);
}

// The section that all turns' are in, of the first turn's.
static void window_widen_load(Lower *t, const TileWindows *found,
                              IrNode *load) {
  uint32_t k = 0;
  for (uint32_t i = 0; i < load->u.section.object->rank; i++) {
    bool is_range = load->u.section.kind[i] == SECTION_RANGE;
    if (!is_range && found->spread[i] == 0)
      continue;
    load->u.section.kind[i] = SECTION_RANGE;
    load->u.section.length[i] = found->shape.extents[k++];
    if (found->spread[i] == 0)
      continue;
    t->before = load;
    load->args[i] = put_plus(t, put_wide(t, load->args[i]), -found->ahead[i]);
  }
  load->u.section.is_unchecked = false; // some elements may be nobody's
}

IrNode *window_widen(Lower *t, const TileWindows *found, const IrNode *mma) {
  IrNode *top = window_top(mma);
  const IrModule *module = t->kernel->module;
  for (IrNode *node = top;; node = window_below(node)) {
    for (uint32_t i = 0; i < node->n_args; i++)
      if (node->args[i]->op == IR_TILE_BROADCAST)
        node->args[i]->type =
            window_type(t, found, ir_element_type(module, node->args[i]->type));
    IrNode *next = node->op == IR_TILE_LOAD ? NULL : window_below(node);
    node->type = window_type(t, found, ir_element_type(module, node->type));
    if (next)
      continue;
    IrRegion *region = t->region;
    IrNode *before = t->before;
    t->region = NULL;
    window_widen_load(t, found, node);
    t->region = region;
    t->before = before;
    return top;
  }
}
