// SPDX-License-Identifier: Apache-2.0
// Products of operands that are packed for several blocks.
//
// Note [Panels]
// Operand 1 of a column of blocks is packed as panels: as many columns of the
// matrix as there are lanes, one row after the other, so that a panel is read
// from its first to its last element (or word: Note [Words of products]).
// Operand 0 of a row of blocks is packed row by row, with a gap of half a line,
// so that elements of one column lie neither in the same lines of a cache nor
// all at the same place of a line: two of them are loaded at once only from
// different banks. A block of sums, some rows by one panel, is in registers
// while k goes over the chunk; between chunks it is in memory, with the bits it
// had. A panel is used for all rows of the block before the next one.
//
// Of a transposed operand, neighbours in memory are those of the other
// dimension. Then a word of all rows of operand 0 lies together, which is how
// they are loaded; and of operand 1 lanes pack words of one column.
#include "tile/tile_parts.h"

// Between rows of operand 0. Nests load whole lines of rows.
#define ROW_GAP_BYTES        32
#define MATRIX_ROW_GAP_BYTES 64

// Of operand 1, of each panel.
#define WORDS_AT_A_TIME 8

static const ProductWords *panel_words(const Lower *t) {
  return &t->rect->words;
}

static uint32_t panel_stride(const Lower *t) {
  const ProductWords *words = panel_words(t);
  uint32_t bytes = words->is_matrix ? MATRIX_ROW_GAP_BYTES : ROW_GAP_BYTES;
  uint32_t depth =
      t->rect->windows ? t->rect->windows->depth : t->rect->most_depth;
  return depth + bytes / ir_type_size(t->kernel->module, words->unit);
}

// A word of all rows of operand 0 lies together. Nests have words by row.
static bool panel_has_columns(const Lower *t) {
  return t->rect->is_turned[0] && !panel_words(t)->is_matrix;
}

static uint32_t panels_of(const Lower *t, uint32_t n_columns) {
  return (n_columns + t->lanes - 1) / t->lanes;
}

static const IrTileShape *panel_shape(const Lower *t, uint32_t operand) {
  const IrType type = t->kernel->vars.data[t->rect->pack_vars[operand]].type;
  return ir_tile_shape(t->kernel->module, type);
}

static TileHome *panel_memory(Lower *t, IrType element, uint32_t elements) {
  TileHome *home = ARENA_NEW(t->scratch, TileHome);
  home->elements = elements;
  home->object = home_object(t, element, elements);
  return home;
}

// Columns of panels.
static uint32_t panel_columns(const Lower *t) {
  return t->rect->n_panels * panels_of(t, panel_shape(t, 1)->extents[1]) *
         t->lanes;
}

// Of operand 0 units, of operand 1 words.
static TileHome *panel_home(Lower *t, uint32_t operand) {
  const ProductWords *words = panel_words(t);
  TileHome **home = &t->rect->packs[operand];
  uint32_t n_rows = t->rect->windows ? t->rect->windows->n_rows
                                     : panel_shape(t, 0)->extents[0];
  if (!*home && operand == 0 && panel_has_columns(t))
    *home = panel_memory(t, words->word,
                         n_rows * (t->rect->most_depth / words->group));
  else if (!*home && operand == 0)
    *home = panel_memory(t, words->unit, n_rows * panel_stride(t));
  else if (!*home)
    *home = panel_memory(t, words->word,
                         panel_columns(t) * t->rect->most_depth / words->group);
  return *home;
}

static TileHome *panel_counts(Lower *t) {
  if (!t->rect->counts)
    t->rect->counts = panel_memory(t, panel_words(t)->word, panel_columns(t));
  return t->rect->counts;
}

// The first column of the panel, among all columns.
static IrNode *panel_column(Lower *t, IrNode *panel) {
  uint32_t n = panels_of(t, panel_shape(t, 1)->extents[1]);
  IrNode *before = put_times(t, put_get(t, t->rect->panel_var), n);
  return put_times(t, put_add(t, before, panel), t->lanes);
}

// Where the panel begins.
static IrNode *panel_place(Lower *t, IrNode *panel) {
  return put_times(t, panel_column(t, panel),
                   t->rect->most_depth / panel_words(t)->group);
}

// ---------------------------------------------------------------- packing

int panel_operand(const Lower *t, const IrNode *set) {
  if (t->rect && t->rect->windows &&
      t->rect->windows->var == set->u.variable.var)
    return PANEL_WINDOWS;
  for (int i = 0; t->rect && i < 2; i++)
    if (set->u.variable.var == t->rect->pack_vars[i])
      return i;
  return -1;
}

typedef struct {
  const IrNode *value;
  IrNode *at;         // of the chunk: where the turn begins
  uint32_t least;     // variable: see word_least
  IrNode *low, *high; // of operand 1: the words of the turn that are packed
} PanelPack;

static IrNode *panel_unit(Lower *t, const PanelPack *job, uint32_t operand,
                          const TileIndex *index) {
  IrNode *unit = word_unit(t, panel_words(t), t->rect->mma, operand,
                           element_of(t, job->value, index));
  if (panel_words(t)->link == IR_FDOT2)
    word_see(t, job->least, unit);
  return unit;
}

static void pack_row_element(Lower *t, const TileIndex *index, void *context) {
  const PanelPack *job = context;
  IrNode *value = panel_unit(t, job, 0, index);
  IrNode *row = put_times(t, index->at[0], panel_stride(t));
  IrNode *k = put_add(t, job->at, index->at[1]);
  home_store(t, panel_home(t, 0), put_add(t, row, k), value);
}

typedef void (*PanelBody)(Lower *t, IrNode *panel, void *context);

// For each panel; its lanes that have columns.
static void each_panel(Lower *t, PanelBody body, void *context) {
  uint32_t n_columns = panel_shape(t, 1)->extents[1];
  uint32_t rest = n_columns % t->lanes, full = n_columns / t->lanes;
  if (full > 0) {
    IrNode *panel;
    PutPlace place = put_for(t, put_i32(t, 0), put_i32(t, full), 1, &panel);
    place.statement->u.loop.unroll = 1;
    body(t, panel, context);
    put_end(t, place);
  }
  if (rest > 0) {
    PutPlace place = put_if(t, put_test(t, IR_SLT, t->rank, put_i32(t, rest)));
    body(t, put_i32(t, full), context);
    put_end(t, place);
  }
}

// Word `q` of the turn, of a row of operand 0 or a column of operand 1.
static IrNode *pack_word(Lower *t, const PanelPack *job, uint32_t operand,
                         IrNode *q, IrNode *line) {
  const ProductWords *words = panel_words(t);
  IrNode *units[MOST_GROUP], *k = put_times(t, q, words->group);
  for (uint32_t i = 0; i < words->group; i++) {
    IrNode *at[2] = {line, line};
    at[1 - operand] = put_plus(t, k, i);
    TileIndex index = nest_index(t, panel_shape(t, operand), at);
    units[i] = panel_unit(t, job, operand, &index);
  }
  return word_join(t, words, units);
}

// Of the chunk: the turn's first word.
static IrNode *pack_first(Lower *t, const PanelPack *job) {
  return put_two(t, IR_UDIV, job->at, put_i32(t, panel_words(t)->group));
}

static uint32_t pack_depth(const Lower *t) {
  return panel_shape(t, 1)->extents[0] / panel_words(t)->group;
}

// A word of each row, of rows that are neighbours in memory.
static void pack_turned_row(Lower *t, const TileIndex *index, void *context) {
  const PanelPack *job = context;
  IrNode *word = pack_word(t, job, 0, index->at[0], index->at[1]);
  IrNode *q = put_add(t, pack_first(t, job), index->at[0]), *row = index->at[1];
  if (panel_has_columns(t)) {
    IrNode *at = put_times(t, q, panel_shape(t, 0)->extents[0]);
    home_store(t, panel_home(t, 0), put_add(t, at, row), word);
    return;
  }
  IrNode *at = put_times(t, row, panel_stride(t));
  at = put_add(t, at, put_times(t, q, panel_words(t)->group));
  word_store(t, panel_words(t), panel_home(t, 0), at, word);
}

static void pack_rows(Lower *t, void *context) {
  IrTileShape words = {.rank = 2};
  words.extents[0] = pack_depth(t);
  words.extents[1] = panel_shape(t, 0)->extents[0];
  if (t->rect->is_turned[0])
    nest_over(t, &words, pack_turned_row, context);
  else
    nest_over(t, panel_shape(t, 0), pack_row_element, context);
}

// An element of the section that all turns' windows are in.
static void pack_window_element(Lower *t, const TileIndex *index,
                                void *context) {
  const PanelPack *job = context;
  IrTileShape rows = t->rect->windows->shape;
  rows.rank--;
  IrNode *row = nest_index(t, &rows, index->at).flat;
  IrNode *k = index->at[rows.rank];
  IrTileShape of_node = tile_shape_of_node(t, job->value);
  TileIndex own = nest_index(t, &of_node, index->at);
  home_store(t, panel_home(t, 0),
             put_add(t, put_times(t, row, panel_stride(t)), k),
             panel_unit(t, job, 0, &own));
}

static void pack_windows(Lower *t, void *context) {
  nest_over(t, &t->rect->windows->shape, pack_window_element, context);
}

static void pack_store(Lower *t, const PanelPack *job, IrNode *panel, IrNode *q,
                       IrNode *lane, IrNode *word) {
  IrNode *row = put_times(t, put_add(t, pack_first(t, job), q), t->lanes);
  IrNode *at = put_add(t, panel_place(t, panel), row);
  home_store(t, panel_home(t, 1), put_add(t, at, lane), word);
}

static void pack_panel(Lower *t, IrNode *panel, void *context) {
  const PanelPack *job = context;
  IrNode *q, *column = put_add(t, put_times(t, panel, t->lanes), t->rank);
  PutPlace place = put_for(t, job->low, job->high, 1, &q);
  IrNode *word = pack_word(t, job, 1, q, column);
  pack_store(t, job, panel, q, t->rank, word);
  put_end(t, place);
}

// Words of one column, spread over the lanes: they are neighbours in memory.
static void pack_turned_word(Lower *t, const TileIndex *index, void *context) {
  const PanelPack *job = context;
  IrNode *column = index->at[0], *lanes = put_i32(t, t->lanes);
  IrNode *word = pack_word(t, job, 1, index->at[1], column);
  pack_store(t, job, put_two(t, IR_UDIV, column, lanes), index->at[1],
             put_two(t, IR_UREM, column, lanes), word);
}

// What the words of the turn add to the counts of their columns.
static void pack_count(Lower *t, IrNode *panel, void *context) {
  const PanelPack *job = context;
  const ProductWords *words = panel_words(t);
  IrNode *q, *at = put_add(t, panel_column(t, panel), t->rank);
  IrNode *is_first = put_test(t, IR_EQ, job->at, put_i32(t, 0));
  IrNode *before = home_load(t, panel_counts(t), at);
  uint32_t count =
      put_var(t, words->word, put_select(t, is_first, put_i32(t, 0), before));
  PutPlace place = put_for(t, put_i32(t, 0), put_i32(t, pack_depth(t)), 1, &q);
  IrNode *row = put_times(t, put_add(t, pack_first(t, job), q), t->lanes);
  IrNode *word =
      home_load(t, panel_home(t, 1),
                put_add(t, put_add(t, panel_place(t, panel), row), t->rank));
  put_set(t, count, word_count(t, words, word, put_get(t, count)));
  put_end(t, place);
  home_store(t, panel_counts(t), at, put_get(t, count));
}

// Some words of all panels at a time: rows of the operand are read from their
// first to their last element.
static void pack_by_words(Lower *t, const PanelPack *of) {
  IrNode *depth = put_i32(t, pack_depth(t));
  PanelPack job = *of;
  PutPlace place = put_for(t, put_i32(t, 0), depth, WORDS_AT_A_TIME, &job.low);
  place.statement->u.loop.unroll = 1;
  job.high = put_two(t, IR_SMIN, put_plus(t, job.low, WORDS_AT_A_TIME), depth);
  each_panel(t, pack_panel, &job);
  put_end(t, place);
}

static void pack_panels(Lower *t, void *context) {
  IrTileShape words = {.rank = 2};
  words.extents[0] = panel_shape(t, 1)->extents[1];
  words.extents[1] = pack_depth(t);
  if (t->rect->is_turned[1])
    nest_over(t, &words, pack_turned_word, context);
  else
    pack_by_words(t, context);
}

// Something small was seen, now or before.
static void panel_set_small(Lower *t, uint32_t i, uint32_t least) {
  uint32_t var = t->rect->small_vars[i];
  put_set(t, var, put_two(t, IR_OR, put_get(t, var), word_any_small(t, least)));
}

void panel_pack(Lower *t, const IrNode *set) {
  const IrNode *value = set->args[0];
  int operand = panel_operand(t, set);
  bool is_seen = panel_words(t)->link == IR_FDOT2;
  PanelPack job = {.value = value, .at = put_get(t, t->rect->at_var)};
  if (is_seen)
    job.least = word_least(t, panel_words(t)->unit);
  section_emit(t, &value, 1,
               operand == 1   ? pack_panels
               : operand == 0 ? pack_rows
                              : pack_windows,
               &job);
  if (is_seen)
    panel_set_small(t, operand == 1, job.least);
  put_sync(t);
  if (operand != 1 || !panel_words(t)->flips)
    return;
  each_panel(t, pack_count, &job);
  put_sync(t);
}

// ---------------------------------------------------------------- products

#define MOST_SUMS 14

typedef struct {
  const TileHome *home;
  uint32_t n_rows, n_columns;
  uint32_t most_rows;
  bool has_small; // numbers too small for fdot2
} PanelSums;

// What word_count counted of the lane's column; NULL: nothing.
static IrNode *panel_count(Lower *t, IrNode *panel) {
  if (!panel_words(t)->flips)
    return NULL;
  IrNode *column = put_add(t, panel_column(t, panel), t->rank);
  return home_load(t, panel_counts(t), column);
}

// Word `k` of the row of operand 0 that begins at `start`.
static IrNode *panel_row_word(Lower *t, IrNode *start, IrNode *k) {
  if (panel_has_columns(t)) {
    IrNode *at = put_times(t, k, panel_shape(t, 0)->extents[0]);
    return home_load(t, panel_home(t, 0), put_add(t, start, at));
  }
  IrNode *at = put_times(t, k, panel_words(t)->group);
  return word_load(t, panel_words(t), panel_home(t, 0), put_add(t, start, at));
}

// A block of sums.
typedef struct {
  const PanelSums *of;
  uint32_t rows, sums[MOST_SUMS];
  IrNode *starts[MOST_SUMS]; // of rows of operand 0, i64
  IrNode *place;             // of the panel and the lane, i64
} PanelBlock;

// n words of K from `first` (i64, or NULL: the panel's first) on. Rows of
// operand 0 begin `shift` (i64, or NULL: no) units behind their starts.
static void panel_links(Lower *t, const PanelBlock *block, IrNode *shift,
                        IrNode *first, IrNode *n) {
  IrNode *k, *starts[MOST_SUMS];
  const ProductWords *words = panel_words(t);
  for (uint32_t i = 0; i < block->rows; i++)
    starts[i] = shift ? put_add(t, block->starts[i], shift) : block->starts[i];
  PutPlace place = put_for(t, put_i32(t, 0), n, 1, &k);
  place.statement->u.loop.unroll = 1;
  k = put_wide(t, k);
  IrNode *word = first ? put_add(t, first, k) : k;
  IrNode *at = put_add(t, block->place, put_times(t, word, t->lanes));
  IrNode *b = home_load(t, panel_home(t, 1), at);
  for (uint32_t i = 0; i < block->rows; i++) {
    IrNode *a = panel_row_word(t, starts[i], k);
    IrNode *sum = put_get(t, block->sums[i]);
    put_set(t, block->sums[i],
            block->of->has_small ? word_link_small(t, a, b, sum)
                                 : word_link(t, words, a, b, sum));
  }
  put_end(t, place);
}

// The turns of loops in loops, the outermost first: `turn` of those outside,
// whose rows begin `rows` of the section after the first window's; i64.
static void panel_turns(Lower *t, const PanelBlock *block, uint32_t n_levels,
                        IrNode *turn, IrNode *rows) {
  const TileWindows *windows = t->rect->windows;
  uint32_t n = windows->depth / panel_words(t)->group;
  if (n_levels == 0) {
    panel_links(t, block, put_times(t, rows, panel_stride(t)),
                put_times(t, turn, n), put_i32(t, n));
    return;
  }
  uint32_t count = windows->levels[n_levels - 1].count;
  IrNode *i;
  PutPlace place = put_for(t, put_i32(t, 0), put_i32(t, count), 1, &i);
  place.statement->u.loop.unroll = 1;
  i = put_wide(t, i);
  panel_turns(
      t, block, n_levels - 1, put_add(t, put_times(t, turn, count), i),
      put_add(t, rows, put_times(t, i, windows->levels[n_levels - 1].step)));
  put_end(t, place);
}

// The products of all K.
static void panel_chain(Lower *t, const PanelBlock *block) {
  const TileWindows *windows = t->rect->windows;
  if (windows) {
    panel_turns(t, block, windows->n_levels, put_i64(t, 0),
                put_i64(t, windows->first_rows[0]));
    return;
  }
  IrNode *n = put_get(t, t->rect->depth_var);
  n = put_two(t, IR_UDIV, n, put_i32(t, panel_words(t)->group));
  panel_links(t, block, NULL, NULL, n);
}

// Rows that are equally far apart in operand 0, and one after the other in the
// sums.
typedef struct {
  IrNode *sums;   // NULL: the block's first; i32
  IrNode *packed; // where the first one begins, in units, likewise
  uint32_t n, stride;
} PanelLine;

// Rows from `first` on of a line, of a panel.
static void panel_sums(Lower *t, const PanelSums *p, const PanelLine *line,
                       IrNode *panel, IrNode *first, uint32_t rows) {
  IrNode *places[MOST_SUMS];
  IrNode *column = put_add(t, put_times(t, panel, t->lanes), t->rank);
  IrNode *count = panel_count(t, panel);
  PanelBlock block = {.of = p, .rows = rows};
  block.place =
      put_add(t, put_wide(t, panel_place(t, panel)), put_wide(t, t->rank));
  // In i64, where all rows have one address and a displacement each.
  IrNode *row = line->sums ? put_add(t, line->sums, first) : first;
  IrNode *place0 =
      put_wide(t, put_add(t, put_times(t, row, p->n_columns), column));
  TileHome all = *p->home; // blocks' sums one after the other
  place0 = home_place(t, p->home, place0);
  all.slot_var_1 = 0;
  IrNode *start0 = put_wide(t, put_times(t, first, line->stride));
  if (line->packed)
    start0 = put_add(t, put_wide(t, line->packed), start0);
  for (uint32_t i = 0; i < rows; i++) {
    places[i] = put_plus(t, place0, (int64_t)i * p->n_columns);
    block.starts[i] = put_plus(t, start0, (int64_t)i * line->stride);
    bool is_zero = t->rect->windows && t->rect->is_from_zero;
    IrNode *sum = is_zero ? put_const(t, p->home->object->element, 0)
                          : home_load(t, &all, places[i]);
    sum = count ? word_correct(t, panel_words(t), sum, count) : sum;
    block.sums[i] = put_var(t, p->home->object->element, sum);
  }
  panel_chain(t, &block);
  for (uint32_t i = 0; i < rows; i++)
    home_store(t, &all, places[i], put_get(t, block.sums[i]));
}

static void panel_rows(Lower *t, const PanelSums *p, const PanelLine *line,
                       IrNode *panel, uint32_t first, uint32_t n_blocks,
                       uint32_t rows) {
  if (n_blocks == 0 || rows == 0)
    return;
  IrNode *row;
  PutPlace place = put_for(t, put_i32(t, first),
                           put_i32(t, first + n_blocks * rows), rows, &row);
  place.statement->u.loop.unroll = 1;
  panel_sums(t, p, line, panel, row, rows);
  put_end(t, place);
}

// Blocks of sums of two sizes, one row apart.
static void panel_line(Lower *t, const PanelSums *p, const PanelLine *line,
                       IrNode *panel) {
  uint32_t n_blocks = (line->n + p->most_rows - 1) / p->most_rows;
  uint32_t rows = (line->n + n_blocks - 1) / n_blocks;
  uint32_t n_less = n_blocks * rows - line->n, n_full = n_blocks - n_less;
  panel_rows(t, p, line, panel, 0, n_full, rows);
  panel_rows(t, p, line, panel, n_full * rows, n_less, rows - 1);
}

typedef struct {
  const PanelSums *sums;
  IrNode *panel;
} PanelLines;

static void panel_window_line(Lower *t, const TileIndex *index, void *context) {
  const PanelLines *lines = context;
  const TileWindows *windows = t->rect->windows;
  PanelLine line = {.n = windows->extents[0],
                    .stride = windows->steps[0] * panel_stride(t)};
  for (uint32_t i = 0; i < index->rank; i++) {
    uint32_t step = windows->steps[index->rank - i] * panel_stride(t);
    IrNode *start = put_times(t, index->at[i], step);
    line.packed = line.packed ? put_add(t, line.packed, start) : start;
  }
  if (index->rank > 0)
    line.sums = put_times(t, index->flat, line.n);
  panel_line(t, lines->sums, &line, lines->panel);
}

static void panel_all(Lower *t, IrNode *panel, void *context) {
  const PanelSums *p = context;
  const TileWindows *windows = t->rect->windows;
  if (windows) {
    PanelLines lines = {p, panel};
    IrTileShape outside = {.rank = (uint8_t)(windows->rank - 1u)};
    for (uint32_t i = 0; i < outside.rank; i++)
      outside.extents[i] = windows->extents[outside.rank - i];
    nest_serial(t, &outside, panel_window_line, &lines);
    return;
  }
  PanelLine line = {.n = p->n_rows,
                    .stride = panel_has_columns(t) ? 1 : panel_stride(t)};
  panel_line(t, p, &line, panel);
}

static void panel_nest(Lower *t, IrNode *panel, const PanelSums *p,
                       bool is_from_zero) {
  const ProductWords *words = panel_words(t);
  IrNode *n = put_get(t, t->rect->depth_var);
  IrNode *column = put_add(t, put_times(t, panel, t->lanes), t->rank);
  ProductNest nest = {
      .sums = p->home,
      .a = panel_home(t, 0),
      .b = panel_home(t, 1),
      .n_rows = p->n_rows,
      .row_units = panel_stride(t),
      .row_sums = p->n_columns,
      .word_columns = t->lanes,
      .first_sum = column,
      .first_a = put_i64(t, 0),
      .first_b = put_wide(t, put_add(t, panel_place(t, panel), t->rank)),
      .n_words = put_two(t, IR_UDIV, n, put_i32(t, words->group)),
      .is_from_zero = is_from_zero};
  word_nest(t, words, &nest);
}

static void panel_nests(Lower *t, IrNode *panel, void *context) {
  const PanelSums *p = context;
  if (!t->rect->is_from_zero) {
    panel_nest(t, panel, p, false);
    return;
  }
  PutPlace place = put_if(t, put_get(t, t->rect->first_var));
  panel_nest(t, panel, p, true);
  put_else(t, &place);
  panel_nest(t, panel, p, false);
  put_end(t, place);
}

static void panel_zero(Lower *t, const TileIndex *index, void *context) {
  const PanelSums *p = context;
  home_store(t, p->home, index->flat,
             put_const(t, p->home->object->element, 0));
}

// The sums in memory begin as 0.
static void panel_zeros(Lower *t, PanelSums *p) {
  IrTileShape shape = {.element = p->home->object->element, .rank = 2};
  shape.extents[0] = p->n_rows;
  shape.extents[1] = p->n_columns;
  PutPlace place = put_if(t, put_get(t, t->rect->first_var));
  nest_over(t, &shape, panel_zero, p);
  put_sync(t);
  put_end(t, place);
}

typedef struct {
  const TileHome *home;
  uint32_t least; // variable: see word_least
} SumsSeen;

static void panel_see_sum(Lower *t, const TileIndex *index, void *context) {
  const SumsSeen *job = context;
  word_see_sum(t, panel_words(t), job->least,
               home_load(t, job->home, index->flat));
}

// What the block's sums begin with.
static void panel_see_sums(Lower *t, const PanelSums *p) {
  IrTileShape shape = {.element = p->home->object->element, .rank = 2};
  shape.extents[0] = p->n_rows;
  shape.extents[1] = p->n_columns;
  PutPlace place = put_if(t, put_get(t, t->rect->first_var));
  SumsSeen job = {p->home, word_least(t, put_type_i32)};
  nest_over(t, &shape, panel_see_sum, &job);
  panel_set_small(t, 2, job.least);
  put_end(t, place);
}

static IrNode *panel_any_small(Lower *t) {
  IrNode *any = put_get(t, t->rect->small_vars[2]);
  for (uint32_t i = 0; i < 2; i++)
    any = put_two(t, IR_OR, any, put_get(t, t->rect->small_vars[i]));
  return any;
}

void panel_emit_mma(Lower *t, const TileHome *home) {
  PanelSums p = {.home = home,
                 .n_rows = panel_shape(t, 0)->extents[0],
                 .n_columns = panel_shape(t, 1)->extents[1],
                 .most_rows = product_rows_most(t, home->object->element,
                                                panel_words(t)->group > 1)};
  PanelBody body = panel_words(t)->is_matrix ? panel_nests : panel_all;
  if (panel_words(t)->link == IR_FDOT2) {
    if (!t->rect->is_from_zero)
      panel_see_sums(t, &p);
    PutPlace place = put_if(t, panel_any_small(t));
    if (t->rect->is_from_zero)
      panel_zeros(t, &p);
    p.has_small = true;
    each_panel(t, panel_all, &p);
    put_else(t, &place);
    p.has_small = false;
    each_panel(t, body, &p);
    put_end(t, place);
  } else {
    each_panel(t, body, &p);
  }
  put_sync(t);
}
