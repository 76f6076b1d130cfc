// SPDX-License-Identifier: Apache-2.0
// What the files of src/tile share: see docs/internals/tiles.md.
#ifndef HD_TILE_TILE_PARTS_H
#define HD_TILE_TILE_PARTS_H

#include "tile/tile.h"

// ------------------------------------------------------------------- plan

#define MOST_SPREAD_TERMS 8

// To an index along `dimension` a lane adds rank / divisor % count * step.
typedef struct {
  uint32_t dimension, divisor, count, step;
} SpreadTerm;

// How the elements of tiles of one shape are spread over lanes: tile_spread.c.
typedef struct TileSpread {
  IrTileShape shape; // of any element
  uint32_t lanes;
  bool is_of_unit;                  // as matrix units have their sums,
  bool is_by_row;                   // or as tensor memory has its lanes
  uint32_t along[IR_MAX_TILE_RANK]; // lanes; they take `unit` neighbours each
  uint32_t unit[IR_MAX_TILE_RANK];
  uint32_t n_terms, n_slots; // no slots: such tiles aren't spread
  uint32_t n_across; // fragments of a warp in a row of them; 0: it has none
  SpreadTerm terms[MOST_SPREAD_TERMS];
  uint32_t (*slots)[IR_MAX_TILE_RANK]; // what is added to the lane's own index
  // Note [Spreads of results]: what it is of, and the terms between whose lanes
  // there is no difference. NULL, 0: each element is one lane's.
  const struct TileSpread *of;
  uint32_t n_alike;
  SpreadTerm alike[MOST_SPREAD_TERMS];
} TileSpread;

// Tiles of a shape are what reductions along the last axis leave of tiles of
// another one.
typedef struct {
  IrTileShape shape, of;
} SpreadResult;

// Where the elements of a tile lie, row-major; or the variables of each lane
// that hold its elements, by slot.
typedef struct {
  IrObject *object;
  uint32_t *vars; // NULL: they are in memory
  const TileSpread *spread;
  uint32_t key; // of Lower.in_memory
  uint32_t elements;
  uint32_t last; // id of the node up to which they are needed
  // It has `elements` for each value that this variable can have; 0: once.
  uint32_t slot_var_1; // the variable + 1
} TileHome;

// An element of a tile: an index (i32) for each dimension, and its place in
// row-major order. If there is a spread, the element is that slot of it, for
// each lane.
typedef struct {
  uint32_t rank;
  IrNode *at[IR_MAX_TILE_RANK];
  IrNode *flat;
  const TileSpread *spread;
  uint32_t slot;
} TileIndex;

// What is decided about a node before any code is made.
typedef struct {
  bool is_kept; // computed where it stands, into memory; else where it is used
  bool
      must_run; // also where nothing needs it: its function may stop the launch
  uint8_t depth;   // nodes above it that are not kept
  uint32_t cost;   // operations for an element
  uint32_t pulls;  // how often an element is asked for; 2: more than once
  uint32_t last;   // id of the node up to which elements are asked for
  uint32_t end;    // id of the last node inside of it
  uint32_t direct; // it is computed right into this variable + 1; 0: it isn't
} TileFact;

// One dimension of a section. Elements [low, high) of a range are inside.
typedef struct {
  IrNode *base;       // i64
  IrNode *whole_base; // likewise, if all of the range is inside
  IrNode *low, *high; // RANGE: i32, within the length; GATHER: i64
  IrNode *is_inside;  // INDEX
  bool is_within;     // RANGE: known to be inside, nothing is compared
} TileBound;

// A section where its elements are accessed: its scalars are computed.
typedef struct {
  TileBound bounds[IR_MAX_RANK];
  IrNode *is_inside; // bool: all ranges and indices; NULL: all are known to be
} TileSection;

#define MOST_GROUP 4

// How neighbours along K lie in a word of a packed operand, and what adds the
// products of two words: tile_word.c.
typedef struct {
  IrOp link;
  uint32_t group;    // elements in a word; 1: a word is an element
  IrType unit, word; // the type of an element in it; of all
  bool is_swapped;   // the link takes operand 1 before operand 0
  bool is_matrix;    // links stand in nests that the target runs at once
  // Not 0: operand 0 is this too small, its highest bit is flipped.
  int32_t flips;
} ProductWords;

#define MOST_WINDOW_LEVELS 3

// Operand 0 of all turns of a loop, rows of a section that holds all of them:
// tile_window.c.
typedef struct {
  uint32_t var;   // of the section, packed where it is set
  uint32_t depth; // elements of K in a turn
  uint32_t n_turns;
  int32_t first_turn;    // the value of the loop's variable
  IrTileShape shape;     // of the section: rows, in dimensions, and K
  uint32_t n_rows;       // in memory
  uint32_t most_columns; // of blocks, whose operand 1 of all turns fits a cache
  uint32_t *first_rows;  // by turn
  int32_t ahead[IR_MAX_RANK]; // by dimension of the object: how far the section
                              // begins before the first turn's
  uint32_t spread[IR_MAX_RANK]; // and how much longer it is
  // Dimensions of the rows of a turn, the last one first: how many there are,
  // and rows of the section from one to the next.
  uint32_t rank, extents[IR_MAX_TILE_RANK], steps[IR_MAX_TILE_RANK];
  // Loops in loops, the innermost first: the turns, and rows of the section
  // from one turn to the next.
  uint32_t n_levels;

  struct {
    uint32_t count;
    int64_t step;
  } levels[MOST_WINDOW_LEVELS];
} TileWindows;

// Blocks that are run together: tile_rect.c. An operand's chunk of K is packed
// where a variable of its tile type is set.
typedef struct {
  uint32_t acc;      // the variable of the sums
  uint32_t slot_var; // of the block whose sums are meant
  uint32_t n_slots;
  uint32_t pack_vars[2]; // of operands 0 and 1
  uint32_t panel_var;    // of operand 1: a column of blocks
  uint32_t n_panels;     // of these columns
  uint32_t at_var;       // where the turn's part of the chunk begins
  uint32_t depth_var;    // elements of the chunk
  uint32_t most_depth;   // of a chunk
  const IrNode *mma;     // the one that takes chunks
  ProductWords words;
  bool is_from_zero; // the first chunk of nests begins with sums of 0, and not
                     // with those in memory
  bool is_turned[2]; // neighbours along K aren't neighbours in memory (operand
                     // 0), or are (operand 1)
  TileHome *packs[2];
  TileWindows *windows; // NULL: operand 0 is packed turn by turn
  TileHome *counts;     // by column of operand 1: the sum of a chunk's elements
  // Of bools. Where fdot2 is the link: an operand of the chunk, or a sum that a
  // block began with, is too small for it. The chunk is the first.
  uint32_t small_vars[3], first_var;
} TileRect;

typedef struct {
  IrKernel *kernel;
  Arena *arena, *scratch;
  const TileTarget *target;
  uint32_t lanes;      // 1: a thread does all by itself
  IrGroup *lane_group; // who they are
  bool is_of_threads;
  bool is_shared;  // groups of warps have one copy of a tile: tile_work.c
  IrGroup *holder; // whose copy that is here; NULL: each thread has its own
  bool is_taking;  // threads take elements: lanes wait until they are done
  IrGroup **var_holders; // by variable of a tile type
  TileRect *rect;        // NULL: blocks are run one by one
  uint32_t n_nodes; // of the kernel as it was given: tables are by their ids
  TileFact *facts;
  // What was asked for elements that its variables don't hold, by node, and
  // behind those by variable; that was so this time (Note [Spreads]).
  bool *in_memory, is_lowered_again;
  hd_vec(TileSpread *) spreads;
  hd_vec(IrTileShape) kept_shapes, product_shapes, square_shapes, unit_shapes;
  hd_vec(SpreadResult) result_shapes;
  uint32_t n_accesses; // to memory that were put so far
  // Matrix units make the kernel's products; they can't (it is lowered anew).
  bool has_units, *without_units;
  bool has_tensors; // and tensor cores do what they are asked for
  // The products of the copy, and what they are numbered in the kernel.
  hd_vec(IrNode *) products;
  hd_vec(uint32_t) product_ids;
  TileHome **homes; // by node; NULL: it isn't kept
  // What the next reduction keeps there, or NULL: see tile_lower.c.
  const IrNode *filled;
  TileHome *fills;
  TileHome **var_homes;   // by variable
  TileSection **sections; // by node
  IrNode **replacements;  // by node: the scalar in its place, or NULL
  hd_vec(TileHome *) in_use, unused;
  IrNode *rank, *is_first; // of the lane
  bool has_local_pointers; // addresses of a thread's own memory are taken
  bool assumes_inside;     // the sections of the loops being made are inside
  // Where code goes: to the end of the region; NULL: before the node.
  IrRegion *region;
  IrNode *before;
  IrLocId loc;
} Lower;

// tile_lower.c: the unit makes this product.
void tile_tell_unit(Lower *t, const IrNode *product, ProductUnit unit);

// tile_plan.c: fills in `facts`. Nodes are numbered in program order.
void tile_plan(Lower *t);

static inline const TileFact *tile_fact(const Lower *t, const IrNode *node) {
  return &t->facts[node->id];
}

// Its elements are those of its operand at the same place.
bool tile_is_pointwise(const IrNode *node);
// It is of tiles, and what threads do doesn't have it.
bool tile_is_gone(const IrNode *node);

// ----------------------------------------------------- making code: tile_put.c

extern const IrType put_bool, put_void, put_type_i32, put_type_i64;

// A node that stands nowhere.
IrNode *put_here(Lower *t, IrNode *node);
// All nodes of a region, in order, which is empty then.
void put_all(Lower *t, IrRegion *from);
IrNode *put_node(Lower *t, IrOp op, IrType type, uint32_t n_args, ...);
IrNode *put_node_of(Lower *t, IrOp op, IrType type, IrNode *const *args,
                    uint32_t n_args);
IrNode *put_const(Lower *t, IrType type, uint64_t bits);
IrNode *put_i32(Lower *t, int64_t value);
IrNode *put_i64(Lower *t, int64_t value);
// Of two values of one type, result of that type, or bool.
IrNode *put_two(Lower *t, IrOp op, IrNode *a, IrNode *b);
IrNode *put_test(Lower *t, IrOp op, IrNode *a, IrNode *b);
// Sums and products that don't overflow.
IrNode *put_add(Lower *t, IrNode *a, IrNode *b);
IrNode *put_plus(Lower *t, IrNode *a, int64_t b);
IrNode *put_times(Lower *t, IrNode *a, int64_t b);
IrNode *put_and(Lower *t, IrNode *a, IrNode *b); // NULL: true
IrNode *put_select(Lower *t, IrNode *is, IrNode *yes, IrNode *no);
IrNode *put_wide(Lower *t, IrNode *a); // signed, i64
IrNode *put_get(Lower *t, uint32_t var);
void put_set(Lower *t, uint32_t var, IrNode *value);
uint32_t put_var(Lower *t, IrType type, IrNode *value);
// All lanes have done what stands before, and see what others did.
void put_sync(Lower *t);
// If memory was accessed since `t->n_accesses` was that.
void put_sync_since(Lower *t, uint32_t n_accesses);

// Where code went before a statement that is being made.
typedef struct {
  IrRegion *region;
  IrNode *before, *statement;
} PutPlace;

// Code goes into the statement's first region, until put_end.
PutPlace put_enter(Lower *t, IrNode *statement);
PutPlace put_if(Lower *t, IrNode *condition);
void put_else(Lower *t, const PutPlace *place);
// *i: i32, from `low` to below `high`.
PutPlace put_for(Lower *t, IrNode *low, IrNode *high, int64_t step, IrNode **i);
void put_end(Lower *t, PutPlace place);
// A copy of the operator of a node, or what it combines by. `right` is NULL for
// tile_map.
IrNode *put_combined(Lower *t, const IrNode *node, IrNode *left, IrNode *right);
IrNode *put_combine(Lower *t, IrCombine combine, IrNode *left, IrNode *right);
// The operator of the node ends and finds no fault, whatever it is given.
bool operator_takes_all(const IrNode *node);
// The group that holds the tiles of the node, if it has several threads, and
// the rank in it of the calling one, turned by the node's number. NULL: it
// hasn't.
const IrGroup *put_holder(Lower *t, const IrNode *node, IrNode **rank);
// What all lanes have, combined in the order of their ranks, by the operator of
// `node`.
IrNode *put_over_lanes(Lower *t, const IrNode *node, IrNode *value);
IrNode *put_scan_lanes(Lower *t, const IrNode *node, IrNode *value);
IrNode *put_of_lane(Lower *t, IrNode *value, uint32_t lane);
// The lanes whose numbers differ in the lowest digits only, `size` of them.
IrGroup *put_near_lanes(Lower *t, uint32_t size);

// ------------------------------------------- who does what: tile_work.c

// How it was before a group's lanes did something.
typedef struct {
  uint32_t lanes;
  IrGroup *lane_group, *holder;
  IrNode *rank, *is_first;
  PutPlace place; // statement NULL: all threads are there
} TileWork;

// Groups of whole warps may have one copy each, in `kernel`.
bool work_is_shared(Lower *t);
// Code from here to the end is done by lanes of the group that holds the node's
// tile, for all of it; where each thread has a tile of its own, by each.
TileWork work_begin(Lower *t, const IrNode *node);
void work_end(Lower *t, TileWork work);
// Lanes alone do it: others don't come there.
bool work_is_apart(const TileWork *work);
bool work_is_apart_in(const Lower *t, const IrGroup *group);
// All threads of the group that holds the tile see what lanes have stored, or
// lanes what they did.
void work_sync(Lower *t, IrGroup *group);
// The group of several threads that has one copy of the node's tile, or NULL.
IrGroup *work_holder(const Lower *t, const IrNode *node);
IrGroup *work_of_var(const Lower *t, uint32_t var); // likewise
// The value that the lanes have, in all threads of the group.
IrNode *work_broadcast(Lower *t, IrGroup *group, IrNode *value);

// ------------------------------------------------------- memory: tile_home.c

// As an extent.
IrHost *home_number(const Lower *t, uint32_t value);
IrObject *home_object(Lower *t, IrType element, uint32_t elements);
// Until node `last`, whose elements are overwritten afterwards.
TileHome *home_new(Lower *t, IrType element, uint32_t elements, uint32_t last);
TileHome *home_of_var(Lower *t, uint32_t var);
IrNode *home_load(Lower *t, const TileHome *home, IrNode *flat);
// The element's place in all of the memory, i32 or i64 as `flat` is.
IrNode *home_place(Lower *t, const TileHome *home, IrNode *flat);
// Frees what only nodes before `id` ask for.
void home_free_before(Lower *t, uint32_t id);
// What is in use isn't freed before.
void home_keep_until(Lower *t, uint32_t id);
IrNode *home_store(Lower *t, const TileHome *home, IrNode *flat, IrNode *value);
// Likewise where the home may be in variables.
IrNode *home_load_at(Lower *t, const TileHome *home, const TileIndex *index);
IrNode *home_store_at(Lower *t, const TileHome *home, const TileIndex *index,
                      IrNode *value);

// -------------------------------------------------------- loops: tile_nest.c

typedef void (*NestBody)(Lower *t, const TileIndex *index, void *context);

// The body for each element, spread over the lanes.
void nest_over(Lower *t, const IrTileShape *shape, NestBody body,
               void *context);
// Likewise by all lanes that have the element in the home.
void nest_over_home(Lower *t, const IrTileShape *shape, const TileHome *home,
                    NestBody body, void *context);
// Likewise one after the other, in row-major order, in each lane.
void nest_serial(Lower *t, const IrTileShape *shape, NestBody body,
                 void *context);
// The index with its place in a tile of that shape.
TileIndex nest_index(Lower *t, const IrTileShape *shape, IrNode *const *at);
// The element at a place.
TileIndex nest_unflat(Lower *t, const IrTileShape *shape, IrNode *flat);
// The dimensions for which `axes` has a bit, or has none.
IrTileShape nest_part(const IrTileShape *shape, uint32_t axes, bool is_in);

// ------------------------------------------------- spreads: tile_spread.c

// Of the lanes there are now; NULL: such tiles aren't spread.
const TileSpread *spread_of(Lower *t, const IrTileShape *shape);
// After tile_plan: which shapes are worth it.
void spread_begin(Lower *t);

// The lane's own index, by dimension; NULL: 0.
typedef struct {
  IrNode *at[IR_MAX_TILE_RANK];
} SpreadBase;

// rank / divisor % count of the lane.
IrNode *spread_digit(Lower *t, const TileSpread *s, const SpreadTerm *term);
SpreadBase spread_base(Lower *t, const TileSpread *s);
TileIndex spread_index(Lower *t, const TileSpread *s, const SpreadBase *base,
                       uint32_t slot);
// The body for each slot, by one of the lanes that are alike or by all of them.
// False: tiles of the shape aren't spread.
bool spread_nest(Lower *t, const IrTileShape *shape, bool is_by_all,
                 NestBody body, void *context);
// Its elements are computed one by one.
bool spread_takes(const IrNode *node);
// Variables for a tile, or NULL: it is kept in memory.
TileHome *spread_home(Lower *t, IrType element, const IrTileShape *shape,
                      uint32_t key);

// --------------------------------------- spreads of results: tile_alike.c

// Of what reductions leave of tiles that have the spread. False: those who
// share a result can't combine it by shuffles.
bool alike_spread(Lower *t, TileSpread *s, const TileSpread *of);
// The slot of the result that the slot of what is reduced is a part of.
uint32_t alike_slot(const TileSpread *s, uint32_t slot);
// Whether the lane is the first of those that are alike.
IrNode *alike_is_first(Lower *t, const TileSpread *s);
// `own` is the element of a tile of that shape whose index along dimension i is
// that of `index` along `from[i]` plus by[i]; from[i] < 0: it is 0. Its slot is
// noted where the lane that has the one has the other. by = NULL: zeros.
void alike_find(Lower *t, const TileIndex *index, const int32_t *from,
                const int32_t *by, const IrTileShape *shape, TileIndex *own);
// The reduction leaves its result in variables: NULL, or the spread.
const TileSpread *alike_result(Lower *t, const IrNode *node);

// Another element than the lane's own was asked for.
void spread_ask(Lower *t, const TileHome *home);
// Variables for the sums of a product, one a slot, which begin as the elements
// of `tile`; and what they are in the end, stored as elements of the type
// `tile`.
void spread_load_sums(Lower *t, const IrNode *tile, const TileSpread *s,
                      const SpreadBase *base, IrType work, uint32_t *sums);
void spread_store_sums(Lower *t, const TileHome *home, const TileSpread *s,
                       const SpreadBase *base, IrType tile,
                       const uint32_t *sums);

// ------------------------------------------------- elements: tile_element.c

IrNode *element_of(Lower *t, const IrNode *tile, const TileIndex *index);
// Of a tile_bitcast: tile_bits.c
IrNode *tile_bits_element(Lower *t, const IrNode *node, const TileIndex *index);
// Of the tile's shape; a scalar has none, rank 0.
IrTileShape tile_shape_of_node(const Lower *t, const IrNode *node);

// ------------------------------------------------- sections: tile_section.c

typedef void (*Emit)(Lower *t, void *context);

// What indices of dimension `i` count from; NULL: 0.
IrNode *section_origin(const IrNode *node, uint32_t i);

// Code that asks for elements of the roots: for sections that are inside, and
// for others.
void section_emit(Lower *t, const IrNode *const *roots, uint32_t n_roots,
                  Emit emit, void *context);

// An element in memory.
typedef struct {
  IrNode *index[IR_MAX_RANK];
  IrNode *guard; // NULL: it is inside
} SectionPoint;

// Dimension i of the object, at element `k` of the tile's dimension.
void section_along(Lower *t, const IrNode *node, uint32_t i, IrNode *k,
                   const TileIndex *index, SectionPoint *point);
// `values`: those that the operation takes, after the guard.
IrNode *section_access(Lower *t, IrOp op, const IrNode *node,
                       const SectionPoint *point, IrNode *const *values,
                       uint32_t n_values);
IrNode *section_load(Lower *t, const IrNode *load, const TileIndex *index);
void section_store(Lower *t, const IrNode *store);
void section_atomic(Lower *t, const IrNode *node, const TileHome *home);

// ------------------------------------------ packed elements: tile_packed.c

// Of a section: it moves packed elements, of `packed_width` bits.
bool packed_is(const Lower *t, const IrNode *node);
uint32_t packed_width(const Lower *t, const IrNode *node);
// The bits of the element at the point, whose last index counts elements, i8.
IrNode *packed_load(Lower *t, const IrNode *load, const SectionPoint *point);
void packed_store_all(Lower *t, const IrNode *store);

// --------------------------------------------------- casts: tile_cast.c

// The operand's element cast as the node says.
IrNode *tile_cast_element(Lower *t, const IrNode *node, IrNode *value);
// A number of type `from` as `to`, nearest even.
IrNode *cast_number(Lower *t, IrType from, IrNode *value, IrType to);
// A value of a narrow type as one of the type that holds it: bytes, f32.
IrNode *cast_physical(Lower *t, IrNode *value);
// An f32 without what tf32 lacks.
IrNode *cast_without_low(Lower *t, IrNode *value);
// After all: no node, variable or object has a narrow type any more.
void cast_all_physical(IrKernel *kernel);

// ------------------------------------------- operations: tile_*.c. Each makes
// the code of a node that is kept in `home`; a scalar is returned.

void tile_emit_copy(Lower *t, const IrNode *value, const TileHome *home);
// cat, insert, pad
void tile_emit_pieces(Lower *t, const IrNode *node, const TileHome *home);
IrNode *tile_emit_reduce(Lower *t, const IrNode *node, const TileHome *home);
// The reduction asks for each element of its operand once, in lanes' order.
bool reduce_may_fill(Lower *t, const IrNode *node);
IrNode *tile_emit_arg(Lower *t, const IrNode *node, const TileHome *home);
IrNode *tile_emit_reduce_by(Lower *t, const IrNode *node, const TileHome *home);
void tile_emit_scan(Lower *t, const IrNode *node, const TileHome *home);
void tile_emit_sort(Lower *t, const IrNode *node, const TileHome *home);
void tile_emit_histogram(Lower *t, const IrNode *node, const TileHome *home);
// Elements that threads ask for, and give: tile_threads.c
IrNode *tile_emit_at(Lower *t, const IrNode *node);
void tile_emit_collect(Lower *t, const IrNode *node, const TileHome *home);
void tile_emit_mma(Lower *t, const IrNode *node, const TileHome *home);
// The product can be made of fragments of a warp (tile_mma_warp.c); it is, in a
// result that is spread so.
bool warp_takes(const Lower *t, const IrNode *mma);
void warp_emit_mma(Lower *t, const IrNode *node, const TileSpread *spread,
                   const TileHome *home);
// False: lanes have no squares of the result (tile_mma_lanes.c).
bool square_emit_mma(Lower *t, const IrNode *node, const TileHome *home);
void tile_emit_mma_scaled(Lower *t, const IrNode *node, const TileHome *home);
void tile_emit_print(Lower *t, const IrNode *node);
void tile_emit_assert(Lower *t, const IrNode *node);

// --------------------------------------------- products: tile_mma.c,
// tile_word.c, tile_panel.c

// The type in which products are summed up.
IrType product_work(IrType result);
// An element of an operand as one of that type.
IrNode *product_convert(Lower *t, const IrNode *mma, uint32_t operand,
                        IrNode *value);
// acc = a * b + acc
IrNode *product_link(Lower *t, IrNode *a, IrNode *b, IrNode *acc);
// An operand's 8-bit integers.
bool product_is_unsigned(const IrNode *mma, uint32_t operand);
// Of operands whose part of K is a multiple of `depth`.
ProductWords product_words(const Lower *t, const IrNode *mma, uint32_t depth);

// A nest (codegen/cpu/matrix/cpu_matrix.c) that adds to the sums in memory the
// products of all rows, and of the columns that the lanes stand for.
typedef struct {
  const TileHome *sums, *a, *b;
  uint32_t n_rows;
  uint32_t row_units, row_sums; // between rows of operand 0, of sums
  uint32_t word_columns;        // words between k and k + 1 of operand 1
  IrNode *first_sum;            // of the first row and the lane, i32
  IrNode *first_a, *first_b;    // units, words of that row and that lane, i64
  IrNode *n_words;              // i32
  bool is_from_zero;            // sums begin as 0, whatever is in memory
} ProductNest;

void word_nest(Lower *t, const ProductWords *words, const ProductNest *nest);
// Words of one element.
ProductWords product_elements(IrType work);
// An element of an operand as it stands in a word; a word of `group` such.
IrNode *word_unit(Lower *t, const ProductWords *words, const IrNode *mma,
                  uint32_t operand, IrNode *value);
IrNode *word_join(Lower *t, const ProductWords *words, IrNode *const *units);
// A word of operand 0, whose units lie in memory from `at` on.
IrNode *word_load(Lower *t, const ProductWords *words, const TileHome *home,
                  IrNode *at);
void word_store(Lower *t, const ProductWords *words, const TileHome *home,
                IrNode *at, IrNode *word);
// sum + the products of two words; + the elements of a word of operand 1
IrNode *word_link(Lower *t, const ProductWords *words, IrNode *a, IrNode *b,
                  IrNode *sum);
IrNode *word_count(Lower *t, const ProductWords *words, IrNode *word,
                   IrNode *sum);
// The sum without what flipped bits add, from what word_count counted.
IrNode *word_correct(Lower *t, const ProductWords *words, IrNode *sum,
                     IrNode *count);
// sum + the products of two words for fdot2, where numbers may be small.
IrNode *word_link_small(Lower *t, IrNode *a, IrNode *b, IrNode *sum);
// A variable for the least magnitude seen; bits of a number, i16 or i32, are
// seen; whether a lane saw one that is too small for fdot2.
uint32_t word_least(Lower *t, IrType type);
void word_see(Lower *t, uint32_t least, IrNode *bits);
// Likewise a sum that links begin with, an f32.
void word_see_sum(Lower *t, const ProductWords *words, uint32_t least,
                  IrNode *sum);
IrNode *word_any_small(Lower *t, uint32_t least);
// Rows of a block of sums that is in registers, at most.
uint32_t product_rows_most(const Lower *t, IrType work, bool has_words);

// Number of the operand that this `set` packs, PANEL_WINDOWS if it is that of
// all turns; -1: it is another variable's.
enum { PANEL_WINDOWS = 2 };

int panel_operand(const Lower *t, const IrNode *set);
void panel_pack(Lower *t, const IrNode *set);
void panel_emit_mma(Lower *t, const TileHome *home);

// ------------------------------------ blocks together: tile_rect.c, _find.c

// What tile_rect_find learned of a kernel.
typedef struct {
  IrNode *loop, *mma;
  uint32_t acc; // the variable of the sums
  // Of the grid, along which operand 0, operand 1 changes; or RECT_BOTH_AXES,
  // and RECT_NO_AXIS for the other operand.
  uint32_t axis[2];
  // What each node depends on, by id: see tile_rect_find.c.
  const uint32_t *depends;
} RectKernel;

enum { RECT_BOTH_AXES = 2, RECT_NO_AXIS = 3 };

// A bit of RectKernel.depends: on the loop's variable.
#define RECT_OF_TURN 16u

// NULL: blocks of the kernel can be run together; else why they can't. The
// lower's kernel is replaced by a copy if loops in it had to become one.
const char *rect_find(Lower *t, RectKernel *found);
// Loops right inside of the kernel's first one become one with it: tile_flat.c.
// Whether any did.
bool rect_flatten(Lower *t);
// Turns of a loop with constant bounds; 0: it isn't one, or has none.
int64_t loop_turns(const IrNode *loop);
// What stands in the loop or call stands in its place.
void loop_dissolve(IrNode *owner);
// NULL: operand 0 is no window, or it doesn't pay to pack all at once. Right
// after rect_find: tile_window.c.
TileWindows *window_find(Lower *t, const RectKernel *of);
// In a copy of the loop's first turn: operand 0 becomes the section that all
// turns' are in, which is returned.
IrNode *window_widen(Lower *t, const TileWindows *found, const IrNode *mma);
// Changes the kernel, before anything is planned: one block runs its
// neighbours, too.
void tile_rect(Lower *t);

// `op` for the section of `node`, for those who are told of accesses
// (tile_section.c): what an engine touches until it is waited for.
void section_tell(Lower *t, IrOp op, const IrNode *node);

// --- products of matrix units (tile_wgmma.c) ---

void tile_products_at_once(Lower *t);
// The product becomes an ordinary one.
void tile_product_at_once(Lower *t, IrNode *node);

// --- tensor cores (tile_tensor_core.c) ---

void tile_tensor_at_once(Lower *t);

// --- by the tensor cores themselves (tile_tensor_unit.c)

// They do all that the kernel asks of them: sets has_tensors, has_units.
bool tensor_makes_all(Lower *t);
// A load or store of tensor memory that stays one.
bool tensor_is_left(const Lower *t, const IrNode *node);
IrType tensor_type(const IrNode *node); // of the tile that it moves
// False: no such spread.
bool tensor_spread(TileSpread *s);
void tensor_emit_load(Lower *t, const IrNode *node, const TileHome *home);
void tensor_emit_store(Lower *t, const IrNode *node);

// --- by the units themselves (tile_unit.c): Note [Sums of units]

// Units make all of the kernel's products: sets has_units.
bool unit_makes_all(Lower *t);
// False: no such spread.
bool unit_spread(TileSpread *s);
void unit_slot(const TileSpread *s, uint32_t slot, uint32_t at[2]);
void tile_emit_unit(Lower *t, const IrNode *node, const TileHome *home);
// A tile of such a spread as what the threads have of it.
IrNode *unit_collect(Lower *t, const IrNode *tile);
// What is made gives each thread its elements of the spread.
void unit_give(Lower *t, IrNode *made, const TileSpread *s,
               const TileHome *home);

#endif
