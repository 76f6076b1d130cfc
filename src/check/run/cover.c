// SPDX-License-Identifier: Apache-2.0
// Note [Elements that no block stores to]
// A grid that is too small, or whose dimensions are swapped, and offsets in
// tiles instead of elements leave elements of a result as they were. No proof
// is about that, so it is a remark, and only where nothing else can be meant:
// - The array is a parameter, is only written, and by stores of sections alone,
//   without masks or views, which may be meant to leave something out.
// - The grid is the kernel's. No store stands under a condition, in a loop
//   whose turns depend on the block (a triangle of a matrix) or on data, or
//   behind a way out; its indices are sums of launch, block, turns and the
//   element's own index.
// - The grid, a loop or an index follows an extent, if that isn't constant:
//   else the kernel may be meant for arrays of one size.
// - No extent is a sum with a number: there is room for what a border is for.
// - The first element is stored to: what begins further on has a border.
// - Parameters that aren't extents (a first row, a number of blocks) may say
//   which part is wanted, so an element must stay for several values of them.
// Then the stores are replayed by their terms for a few launches in which no
// extent is smaller than the sections, and the interpreter runs the first one
// that leaves an element.
#include "check/run/cover.h"

#include "check/run/sizes.h"

#include <inttypes.h>
#include <string.h>

// -------------------------------------------------------- which arrays do

typedef struct {
  const Step *store;
  bool is_store; // a term of its indices; else of loops, grid or extents
  bool is_sure;
} CoverTerm;

static bool cover_is_turn_around(const Symbol *symbol, const Step *store) {
  for (const CheckLoop *loop = store->loop; loop; loop = loop->parent)
    if (loop->turn == symbol)
      return true;
  return false;
}

static void cover_symbol(const Symbol *symbol, void *context) {
  CoverTerm *of = context;
  bool is_launch = symbol->kind == SYMBOL_LAUNCH;
  bool is_store =
      symbol->kind == SYMBOL_BLOCK || symbol->is_axis ||
      (symbol->kind == SYMBOL_TURN && cover_is_turn_around(symbol, of->store));
  of->is_sure &= is_launch || (of->is_store && is_store);
}

static bool cover_has_apply(const Term *term, int depth) {
  if (term->kind == TERM_APPLY || depth > 32)
    return true;
  for (uint32_t i = 0; i < term->n_args; i++)
    if (cover_has_apply(term->args[i], depth + 1))
      return true;
  for (uint32_t i = 0; i < term->n_parts; i++)
    if (cover_has_apply(term->parts[i].atom, depth + 1))
      return true;
  return false;
}

static bool cover_is_sure(const Term *term, const Step *store, bool is_store) {
  CoverTerm of = {store, is_store, true};
  if (!term || cover_has_apply(term, 0))
    return false;
  term_symbols(term, cover_symbol, &of);
  return of.is_sure;
}

const Symbol *cover_axis(const Step *store, uint32_t k) {
  const IrNode *node = store->node;
  const Touch *touch = store->u.touch.touch;
  uint32_t axis = 0;
  for (uint32_t i = 0; i < k; i++)
    axis += node->u.section.kind[i] == SECTION_RANGE;
  for (uint32_t i = 0; i < touch->n_axes; i++)
    if (node->u.section.kind[k] == SECTION_RANGE &&
        touch->axis[i]->dimension == axis)
      return touch->axis[i];
  return NULL;
}

int64_t cover_length(const Step *store, uint32_t k) {
  const IrNode *node = store->node;
  return node->u.section.kind[k] == SECTION_RANGE
             ? (int64_t)node->u.section.length[k]
             : 1;
}

// The section is a rectangle of the array, whatever the block and turn.
static bool cover_is_rectangle(const Cover *cover, const Step *store) {
  const IrNode *node = store->node;
  const Touch *touch = store->u.touch.touch;
  IrType stored = node->args[node->n_args - 1]->type;
  if (node->u.section.has_mask || node->u.section.has_view ||
      ir_type_is_packed(ir_element_type(cover->check->kernel->module, stored)))
    return false;
  for (uint32_t k = 0; k < touch->n_index; k++) {
    const Symbol *axis = cover_axis(store, k);
    const Term *rest;
    int64_t scale;
    if (node->u.section.kind[k] == SECTION_GATHER ||
        !cover_is_sure(touch->index[k], store, true))
      return false;
    if (axis && (!term_split(cover->check->terms, touch->index[k], axis, &scale,
                             &rest) ||
                 scale != 1))
      return false;
  }
  return true;
}

static bool cover_always_runs(const Step *store) {
  uint32_t n_loops = 0;
  for (const Step *step = store->parent; step; step = step->parent) {
    if (step->kind == STEP_IF)
      return false;
    if (step->kind == STEP_LOOP &&
        (step->u.loop.loop->has_exit || ++n_loops > COVER_LOOPS ||
         !cover_is_sure(step->u.loop.loop->trips, store, false)))
      return false;
  }
  return true;
}

static void cover_note_exit(const Step *step, void *context) {
  bool *has_exit = context;
  *has_exit |= step->kind == STEP_EXIT;
}

typedef struct {
  Cover *cover;
  bool is_sure;
} Gathering;

static void cover_take_step(const Step *step, void *context) {
  Gathering *g = context;
  if (step->kind != STEP_TOUCH)
    return;
  const Touch *touch = step->u.touch.touch;
  if (!touch->object)
    g->is_sure = false;
  if (touch->object != g->cover->object)
    return;
  g->is_sure = g->is_sure && step->node->op == IR_TILE_STORE &&
               !touch->is_atomic && cover_is_rectangle(g->cover, step) &&
               cover_always_runs(step);
  VEC_PUSH(g->cover->check->arena, &g->cover->stores, step);
}

// ------------------------------------------------------------------- sizes

typedef struct {
  Cover *cover;
  bool is_extent, is_sure;
  bool follows; // the grid, a loop or an index names a size of an extent
} Sizing;

static void cover_take_size(const Symbol *symbol, void *context) {
  Sizing *sizing = context;
  Cover *cover = sizing->cover;
  const IrKernel *kernel = cover->check->kernel;
  if (symbol->kind != SYMBOL_LAUNCH)
    return;
  for (uint32_t i = 0; i < cover->n_sizes; i++)
    if (cover->sizes[i].symbol == symbol) {
      sizing->follows |= !sizing->is_extent && cover->sizes[i].is_extent;
      return;
    }
  for (uint32_t i = 0; i < kernel->params.count; i++) {
    const IrParam *param = &kernel->params.data[i];
    bool is_number =
        param->kind == PARAM_SCALAR &&
        (ir_type_is_int(param->type) || param->type.kind == IR_TYPE_BOOL);
    if (!is_number || strcmp(param->name, symbol->name) != 0 ||
        cover->n_sizes == COVER_SIZES)
      continue;
    cover->sizes[cover->n_sizes++] = (CoverSize){symbol, i, sizing->is_extent};
    return;
  }
  sizing->is_sure = false;
}

static bool cover_find_sizes(Cover *cover) {
  const Tree *tree = cover->check->tree;
  Sizing sizing = {cover, true, true, false};
  for (int k = 0; k < cover->object->rank; k++) {
    const Term *extent = tree_extent(tree, cover->object, k);
    bool has_border = extent && extent->kind == TERM_SUM &&
                      extent->n_parts > 0 && extent->number != 0;
    if (has_border || !cover_is_sure(extent, NULL, false))
      return false;
    term_symbols(extent, cover_take_size, &sizing);
  }
  sizing.is_extent = false;
  sizing.follows = cover->n_sizes == 0;
  for (int k = 0; k < 3; k++) {
    if (!cover_is_sure(tree->grid[k], NULL, false))
      return false;
    term_symbols(tree->grid[k], cover_take_size, &sizing);
  }
  for (uint32_t i = 0; i < cover->stores.count; i++) {
    const Step *store = cover->stores.data[i];
    for (uint32_t k = 0; k < store->u.touch.touch->n_index; k++)
      term_symbols(store->u.touch.touch->index[k], cover_take_size, &sizing);
    for (const CheckLoop *loop = store->loop; loop; loop = loop->parent)
      term_symbols(loop->trips, cover_take_size, &sizing);
  }
  return sizing.is_sure && sizing.follows;
}

static bool cover_may_share(const IrKernel *kernel, const IrObject *object) {
  for (uint32_t i = 0; i < kernel->may_alias.count; i++)
    if (kernel->may_alias.data[i].a == object ||
        kernel->may_alias.data[i].b == object)
      return true;
  return false;
}

static bool cover_of(Check *check, const IrObject *object, Cover *cover) {
  const IrKernel *kernel = check->kernel;
  *cover = (Cover){.check = check, .object = object};
  if (object->param < 0 || object->rank == 0 || object->is_const ||
      object->is_table || object->has_strides || object->is_plain_pointer ||
      kernel->params.data[object->param].kind != PARAM_ARRAY ||
      cover_may_share(kernel, object))
    return false;
  Gathering gathering = {cover, true};
  tree_each(check->tree->first, cover_take_step, &gathering);
  return gathering.is_sure && cover->stores.count > 0 &&
         cover_find_sizes(cover);
}

// ---------------------------------------------------------------- launches

enum { COVER_OTHERS = 2, COVER_PATTERNS = 6 };

// What the extents that are this parameter must have at least.
static int64_t cover_least(const Cover *cover, const CoverSize *size) {
  int64_t own = 0, any = 1;
  for (uint32_t i = 0; i < cover->stores.count; i++)
    for (uint32_t k = 0; k < cover->object->rank; k++) {
      const Term *extent =
          tree_extent(cover->check->tree, cover->object, (int)k);
      int64_t length = cover_length(cover->stores.data[i], k);
      bool is_own =
          extent->kind == TERM_SYMBOL && extent->symbol == size->symbol;
      own = is_own && length > own ? length : own;
      any = length > any ? length : any;
    }
  return own > 0 ? own : any;
}

// Neither equal, nor all multiples, in either order, and all multiples.
static int64_t cover_pattern_value(int pattern, uint32_t i, uint32_t n,
                                   int64_t least) {
  switch (pattern) {
  case 0: return least + 1;
  case 1: return least * (1 + 2 * (int64_t)i) + 1;
  case 2: return least * (1 + 2 * (int64_t)(n - 1 - i)) + 1;
  case 3: return 2 * least;
  case 4: return 3 * least;
  default: return least;
  }
}

static bool cover_is_launch(const Cover *cover, const int64_t *scalars) {
  Arena *scratch = arena_new();
  ConcreteLaunch launch = {.scalars = scalars};
  Trial trial;
  bool is_launch = trial_shape(&trial, scratch, cover->check->kernel, &launch);
  arena_free(scratch);
  return is_launch;
}

static void cover_set_rest(const Cover *cover, int64_t others,
                           int64_t *scalars) {
  const IrKernel *kernel = cover->check->kernel;
  for (uint32_t i = 0; i < kernel->params.count; i++)
    scalars[i] = others;
  for (uint32_t i = 0; i < kernel->params.count; i++) {
    int64_t value;
    if (kernel->params.data[i].kind == PARAM_SCALAR &&
        sizes_required(cover->check->arena, kernel, i, &value))
      scalars[i] = value;
  }
}

// The sizes that the pattern gives, or (-1) the least ones.
static void cover_set_extents(const Cover *cover, int pattern,
                              int64_t *scalars) {
  for (uint32_t i = 0; i < cover->n_sizes; i++) {
    int64_t least = cover_least(cover, &cover->sizes[i]);
    if (cover->sizes[i].is_extent)
      scalars[cover->sizes[i].param] =
          cover_pattern_value(pattern, i, cover->n_sizes, least);
  }
}

// Where the pattern is no launch, as many of its sizes as go with the least
// ones of the others.
static void cover_set_sizes(const Cover *cover, int pattern, int64_t others,
                            int64_t *scalars) {
  cover_set_rest(cover, others, scalars);
  cover_set_extents(cover, pattern, scalars);
  if (cover_is_launch(cover, scalars))
    return;
  cover_set_rest(cover, others, scalars);
  cover_set_extents(cover, -1, scalars);
  for (uint32_t i = 0; i < cover->n_sizes; i++) {
    int64_t *size = &scalars[cover->sizes[i].param], least = *size;
    if (!cover->sizes[i].is_extent)
      continue;
    *size = cover_pattern_value(pattern, i, cover->n_sizes, least);
    if (!cover_is_launch(cover, scalars))
      *size = least;
  }
}

// Values of the `at`-th combination; false: there are no more.
static bool cover_set_others(const Cover *cover, uint32_t at,
                             int64_t *scalars) {
  static const int64_t values[] = {1, 2, 0, 5, 64};
  const uint32_t n_own = sizeof values / sizeof *values;
  uint32_t n = n_own + cover->n_sizes;
  for (uint32_t i = 0; i < cover->n_sizes; i++) {
    if (cover->sizes[i].is_extent)
      continue;
    uint32_t digit = at % n;
    at /= n;
    if (digit >= n_own && !cover->sizes[digit - n_own].is_extent)
      digit = 0;
    scalars[cover->sizes[i].param] =
        digit < n_own ? values[digit]
                      : scalars[cover->sizes[digit - n_own].param];
  }
  return at == 0;
}

static uint32_t n_others(const Cover *cover) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < cover->n_sizes; i++)
    n += !cover->sizes[i].is_extent;
  return n;
}

// Something is left with every value of what isn't an extent: *launch is the
// first.
static bool cover_leaves(const Cover *cover, int64_t *scalars, int64_t *first,
                         CoverLeft *left) {
  uint32_t n_params = cover->check->kernel->params.count;
  ConcreteLaunch launch = {.scalars = scalars};
  bool is_any = false;
  for (uint32_t at = 0; cover_set_others(cover, at, scalars); at++) {
    CoverLeft found;
    Covered covered = cover_replay(cover, &launch, &found);
    if (covered == COVERED_ALL)
      return false;
    if (covered == COVERED_PART && !is_any) {
      is_any = true;
      *left = found;
      memcpy(first, scalars, n_params * sizeof *first);
    }
    if (n_others(cover) == 0)
      break;
  }
  return is_any;
}

// ------------------------------------------------------------------ remarks

static void cover_tell(const Cover *cover, const ConcreteLaunch *launch,
                       const CoverLeft *left) {
  Check *check = cover->check;
  Text element = {.arena = check->arena};
  for (uint32_t k = 0; k < cover->object->rank; k++)
    text_printf(&element, "[%" PRId64 "]", left->index[k]);
  Finding remark = {
      .code = CODE_UNWRITTEN,
      .verdict = VERDICT_PROVED,
      .node = cover->stores.data[0]->node,
      .message = arena_printf(check->arena, "no block stores to '%s%s'",
                              cover->object->name, text_cstr(&element)),
      .notes = {
          [2] = arena_printf(check->arena,
                             "with %s, %" PRIu64 " of %" PRIu64
                             " elements keep their contents",
                             sizes_text(check->arena, check->kernel, launch),
                             left->n_left, left->n_all),
          [3] = "offsets count elements, not tiles, and the grid needs "
                "cdiv(extent, length) blocks for each dimension"}};
  VEC_PUSH(check->arena, &check->report->findings, remark);
}

// Of what the stores don't name: values with which there is a launch.
static bool cover_try(const Cover *cover, int pattern, int64_t others) {
  Check *check = cover->check;
  uint32_t n_params = check->kernel->params.count;
  int64_t *scalars = ARENA_ARRAY(check->arena, int64_t, n_params + 1);
  int64_t *first = ARENA_ARRAY(check->arena, int64_t, n_params + 1);
  CoverLeft left;
  cover_set_sizes(cover, pattern, others, scalars);
  if (!cover_leaves(cover, scalars, first, &left))
    return false;
  ConcreteLaunch launch = {.scalars = first};
  if (!cover_is_left(cover, &launch, &left))
    return false;
  cover_tell(cover, &launch, &left);
  return true;
}

void check_cover(Check *check) {
  static const int64_t others[] = {1, 8, 64, 128, 1024};
  const IrKernel *kernel = check->kernel;
  bool has_exit = false;
  tree_each(check->tree->first, cover_note_exit, &has_exit);
  if (kernel->n_grid == 0 || check->tree->n_threads != 1 || has_exit)
    return;
  for (uint32_t i = 0; i < kernel->objects.count; i++) {
    Cover cover;
    bool is_told = false;
    if (!cover_of(check, kernel->objects.data[i], &cover) ||
        n_others(&cover) > COVER_OTHERS)
      continue;
    for (int pattern = 0; pattern < COVER_PATTERNS; pattern++)
      for (uint32_t k = 0; k < sizeof others / sizeof *others && !is_told; k++)
        is_told = cover_try(&cover, pattern, others[k]);
  }
}
