// SPDX-License-Identifier: Apache-2.0
// The tree of kernels with tiles against runs: random kernels are run, and
// every element that a block touches must be one that the tree's step can
// touch, with its path. A kernel that is proved must not race when it is run.
#include "../ir/ir_text.h"
#include "check/check.h"
#include "check/tree/tree.h"
#include "interp/interp.h"
#include "interp/observe.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
// cmocka wants the ones above first.
#include <cmocka.h>

enum {
  N_BLOCKS = 3,
  N_SHAPES = 4,
  N_PARAMS = 2,
  N_ARRAYS = 3,
  MOST_VALUES = 40,
  MOST_MAPS = 8,
  MOST_EVENTS = 3000,
  MOST_ASKED = 60,
};

static uint64_t random_state;

static uint32_t pick(uint32_t n) {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(random_state >> 33) % n;
}

// ---------------------------------------------------------------- kernels

// Integers are tile.0 to tile.3, bools tile.4 to tile.7.
static const char types[] = "tile i32[4] tile i32[2, 2] tile i32[8]\n"
                            "tile i32[1, 4] tile bool[4] tile bool[2, 2]\n"
                            "tile bool[8] tile bool[1, 4]\n";

// `table` is never written.
static const struct {
  const char *name;
  uint32_t rank, extents[2];
} arrays[N_ARRAYS] = {
    {"table", 1, {10}}, {"grid", 2, {6, 9}}, {"row", 1, {12}}};

typedef struct {
  Text text;
  uint32_t next; // id of a node
  // Tiles by shape, bools behind them, and scalars.
  uint32_t values[2 * N_SHAPES][MOST_VALUES], n_values[2 * N_SHAPES];
  uint32_t scalars[MOST_VALUES], n_scalars;
  uint32_t n_maps; // with two variables each
} Gen;

static uint32_t add_value(Gen *g, uint32_t type) {
  if (g->n_values[type] < MOST_VALUES)
    g->values[type][g->n_values[type]++] = g->next;
  return g->next++;
}

static uint32_t add_scalar(Gen *g) {
  if (g->n_scalars < MOST_VALUES)
    g->scalars[g->n_scalars++] = g->next;
  return g->next++;
}

static uint32_t some_scalar(Gen *g) {
  uint32_t first = g->n_scalars > 6 && pick(2) ? g->n_scalars - 4 : 0;
  return g->scalars[first + pick(g->n_scalars - first)];
}

// Of the newest ones mostly.
static uint32_t some_tile(Gen *g, uint32_t type) {
  uint32_t n = g->n_values[type];
  if (n == 0) {
    uint32_t scalar = some_scalar(g);
    if (type >= N_SHAPES) {
      uint32_t a = some_tile(g, type - N_SHAPES);
      uint32_t b = some_tile(g, type - N_SHAPES);
      uint32_t id = add_value(g, type);
      text_printf(&g->text, "%%%u = slt tile.%u %%%u, %%%u\n", id, type, a, b);
      return id;
    }
    uint32_t id = add_value(g, type);
    text_printf(&g->text, "%%%u = tile_broadcast tile.%u %%%u\n", id, type,
                scalar);
    return id;
  }
  uint32_t first = n > 3 && pick(4) ? n - 3 : 0;
  return g->values[type][first + pick(n - first)];
}

static void some_arithmetic(Gen *g) {
  static const char *const ops[] = {"add", "add", "sub",  "mul",  "and",
                                    "xor", "or",  "smin", "smax", "srem"};
  static const char *const tests[] = {"slt", "sle", "eq", "ult", "ne"};
  uint32_t shape = pick(N_SHAPES), a = some_tile(g, shape);
  uint32_t b = some_tile(g, shape), c;
  switch (pick(4)) {
  case 0: {
    c = some_tile(g, shape + N_SHAPES);
    uint32_t id = add_value(g, shape);
    text_printf(&g->text, "%%%u = select tile.%u %%%u, %%%u, %%%u\n", id, shape,
                c, a, b);
    break;
  }
  case 1: {
    uint32_t id = add_value(g, shape + N_SHAPES);
    text_printf(&g->text, "%%%u = %s tile.%u %%%u, %%%u\n", id, tests[pick(5)],
                shape + N_SHAPES, a, b);
    break;
  }
  default: {
    uint32_t id = add_value(g, shape);
    text_printf(&g->text, "%%%u = %s tile.%u %%%u, %%%u\n", id, ops[pick(10)],
                shape, a, b);
  }
  }
}

static void some_move(Gen *g) {
  static const char axes[] = {0, 1, 0, 1}; // the last one of each shape
  uint32_t shape = pick(N_SHAPES), kind = pick(2) * N_SHAPES, n = pick(9);
  uint32_t small = some_tile(g, kind), large = some_tile(g, kind + 2);
  uint32_t any = some_tile(g, kind + shape), other = some_tile(g, kind);
  uint32_t one = some_tile(g, kind + 1), scalar = some_scalar(g);
  static const uint32_t fours[] = {0, 1, 3};
  uint32_t from = fours[pick(3)], to = fours[pick(3)];
  uint32_t four = some_tile(g, kind + from);
  switch (pick(8)) {
  case 0:
    text_printf(&g->text, "%%%u = tile_reshape tile.%u %%%u\n",
                add_value(g, kind + to), kind + to, four);
    break;
  case 1:
    text_printf(&g->text, "%%%u = tile_permute tile.%u [1, 0] %%%u\n",
                add_value(g, kind + 1), kind + 1, one);
    break;
  case 2:
    text_printf(&g->text, "%%%u = tile_flip tile.%u axis %d %%%u\n",
                add_value(g, kind + shape), kind + shape, axes[shape], any);
    break;
  case 3:
    text_printf(&g->text, "%%%u = tile_roll tile.%u axis %d [%d] %%%u\n",
                add_value(g, kind + shape), kind + shape, axes[shape],
                (int)n - 4, any);
    break;
  case 4:
    text_printf(&g->text, "%%%u = tile_extract tile.%u [%u] %%%u\n",
                add_value(g, kind), kind, n % 5, large);
    break;
  case 5:
    text_printf(&g->text, "%%%u = tile_cat tile.%u axis 0 %%%u, %%%u\n",
                add_value(g, kind + 2), kind + 2, small, other);
    break;
  case 6:
    text_printf(&g->text, "%%%u = tile_insert tile.%u [%u] %%%u, %%%u\n",
                add_value(g, kind + 2), kind + 2, n % 5, large, small);
    break;
  default:
    if (kind)
      break;
    text_printf(&g->text, "%%%u = tile_pad tile.2 %%%u, %%%u\n",
                add_value(g, 2), small, scalar);
  }
}

static void some_source(Gen *g) {
  uint32_t shape = pick(N_SHAPES), scalar = some_scalar(g);
  uint32_t four = some_tile(g, 0);
  switch (pick(5)) {
  case 0:
    text_printf(&g->text, "%%%u = tile_iota tile.2\n", add_value(g, 2));
    break;
  case 1:
    text_printf(&g->text, "%%%u = tile_iota tile.0\n", add_value(g, 0));
    break;
  case 2:
    text_printf(&g->text, "%%%u = tile_reduce i32 combine s%s axes 1 %%%u\n",
                add_scalar(g), pick(2) ? "min" : "max", four);
    break;
  case 3: {
    if (g->n_maps == MOST_MAPS)
      break;
    uint32_t id = add_value(g, 0), element = g->next++, result = g->next++;
    uint32_t var = 3 + 2 * g->n_maps++;
    bool is_count = pick(2);
    text_printf(&g->text,
                "%%%u = tile_map tile.0 by $l.%u $l.%u $o.%u %%%u {\n"
                "%%%u = get i32 $l.%u %%%u = %s i32 %%%u%s\n"
                "set $o.%u %%%u }\n",
                id, var, var, var + 1, four, element, var, result,
                is_count ? "popcount" : "mul", element, is_count ? "" : ", %5",
                var + 1, result);
    break;
  }
  default:
    text_printf(&g->text, "%%%u = tile_broadcast tile.%u %%%u\n",
                add_value(g, shape), shape, scalar);
  }
}

static void some_number(Gen *g) {
  static const char *const ops[] = {"add", "sub", "mul", "smin", "smax"};
  uint32_t a = some_scalar(g), b = some_scalar(g);
  text_printf(&g->text, "%%%u = %s i32 %%%u, %%%u\n", add_scalar(g),
              ops[pick(5)], a, b);
}

// One section of the array whose tile has some shape: its text, the shape in
// *shape.
static const char *some_section(Gen *g, uint32_t array, uint32_t *shape) {
  Arena *arena = g->text.arena;
  uint32_t a = some_scalar(g), b = some_scalar(g), tile;
  *shape = pick(N_SHAPES);
  tile = some_tile(g, *shape);
  const char *name = arrays[array].name;
  if (arrays[array].rank == 1) {
    if (pick(2))
      return arena_printf(arena, "@%s[* %%%u]", name, tile);
    *shape = pick(2) * 2;
    return arena_printf(arena, "@%s[%%%u : %d]", name, a, *shape ? 8 : 4);
  }
  switch (pick(5)) {
  case 0: return arena_printf(arena, "@%s[* %%%u, %%%u]", name, tile, a);
  case 1: return arena_printf(arena, "@%s[%%%u, * %%%u]", name, a, tile);
  case 2: {
    uint32_t other = some_tile(g, *shape);
    return arena_printf(arena, "@%s[* %%%u, * %%%u]", name, tile, other);
  }
  case 3:
    *shape = 1;
    return arena_printf(arena, "@%s[%%%u : 2, %%%u : 2]", name, a, b);
  default:
    *shape = pick(2) ? 0 : 3;
    return arena_printf(
        arena, *shape ? "@%s[%%%u : 1, %%%u : 4]" : "@%s[%%%u, %%%u : 4]", name,
        a, b);
  }
}

// Views begin at 1 or the block, and end at 5: %6, %8 and %7.
static void some_access(Gen *g) {
  Arena *arena = g->text.arena;
  uint32_t array = pick(3), shape, kind = array ? pick(4) : 0;
  const char *section = some_section(g, array, &shape);
  uint32_t value = some_tile(g, shape), mask = some_tile(g, shape + N_SHAPES);
  uint32_t pad = some_scalar(g);
  bool has_mask = pick(3) == 0, has_pad = kind < 2 && pick(2) == 0;
  Text words = {.arena = arena}, operands = {.arena = arena};
  if (pick(3) == 0) {
    text_add(&words, " view");
    text_add(&operands,
             arrays[array].rank == 1 ? ", %6, %7" : ", %6, %7, %8, %7");
  }
  if (has_mask) {
    text_add(&words, " mask");
    text_printf(&operands, ", %%%u", mask);
  }
  if (has_pad) {
    text_add(&words, " pad");
    text_printf(&operands, ", %%%u", pad);
  }
  text_add(&words, pick(12) ? "" : " unchecked");
  if (kind == 3)
    text_add(&words, " order relaxed scope device rmw add");
  if (kind >= 2)
    text_printf(&operands, ", %%%u", value);
  const char *given = text_cstr(&operands);
  if (kind != 2)
    text_printf(&g->text, "%%%u = tile_%s tile.%u", add_value(g, shape),
                kind == 3 ? "rmw" : "load", shape);
  else
    text_add(&g->text, "tile_store");
  text_printf(&g->text, " %s%s%s%s\n", section, text_cstr(&words),
              *given ? " =" : "", *given ? given + 1 : "");
}

static void some_statements(Gen *g, uint32_t depth);

// What is made inside isn't seen behind it.
static void some_body(Gen *g, uint32_t depth) {
  Gen before = *g;
  some_statements(g, depth - 1);
  memcpy(g->n_values, before.n_values, sizeof g->n_values);
  g->n_scalars = before.n_scalars;
  text_add(&g->text, "}\n");
}

static void some_control(Gen *g, uint32_t depth) {
  uint32_t a = some_scalar(g), b = some_scalar(g);
  if (pick(2)) {
    text_printf(&g->text, "%%%u = slt bool %%%u, %%%u if %%%u {\n", g->next, a,
                b, g->next);
    g->next++;
    some_body(g, depth);
    return;
  }
  uint32_t number = depth == 2 ? 0 : 1, n_before = g->n_scalars;
  text_printf(&g->text, "for ^%u $i.%u step %u signed %%3, %%%u {\n", g->next,
              number, 1 + pick(3), pick(2) ? 4u : 5u);
  g->next++;
  text_printf(&g->text, "%%%u = get i32 $i.%u\n", g->next, number);
  add_scalar(g);
  some_body(g, depth);
  g->n_scalars = n_before;
}

static void some_variable(Gen *g) {
  uint32_t tile = some_tile(g, 0);
  if (pick(2))
    text_printf(&g->text, "set $t.2 %%%u\n", tile);
  else
    text_printf(&g->text, "%%%u = get tile.0 $t.2\n", add_value(g, 0));
}

static void some_statements(Gen *g, uint32_t depth) {
  uint32_t n = 3 + pick(6);
  for (uint32_t i = 0; i < n; i++) {
    switch (pick(depth ? 16 : 14)) {
    case 0:
    case 1: some_arithmetic(g); break;
    case 2:
    case 3:
    case 4:
    case 5: some_move(g); break;
    case 6:
    case 7: some_source(g); break;
    case 8: some_number(g); break;
    case 9: some_variable(g); break;
    case 10:
    case 11:
    case 12:
    case 13: some_access(g); break;
    default: some_control(g, depth);
    }
  }
}

static IrModule *random_module(Arena *arena) {
  Gen g = {.text = {.arena = arena}, .next = 13, .n_scalars = 6};
  for (uint32_t i = 0; i < g.n_scalars; i++)
    g.scalars[i] = i;
  for (uint32_t i = 0; i < N_SHAPES; i++)
    g.values[i][g.n_values[i]++] = 9 + i;
  text_printf(&g.text,
              "heddle-ir 1\nmodule \"m.hd\" %s kernel \"k\" {\n"
              "block 1 1 1 grid 1 %d _ _\n"
              "group #0 grid align 1024 \"grid\"\n"
              "group #1 cluster in #0 align 1024 \"cluster\"\n"
              "group #2 block in #1 size 1 align 1024 \"block\"\n",
              types, (int)N_BLOCKS);
  for (uint32_t i = 0; i < N_ARRAYS; i++) {
    text_printf(&g.text, "object @%s global i32 of 4 extents [%u",
                arrays[i].name, arrays[i].extents[0]);
    if (arrays[i].rank == 2)
      text_printf(&g.text, ", %u", arrays[i].extents[1]);
    text_printf(&g.text, "] align 4 bound %u\n", N_PARAMS + i);
  }
  text_add(&g.text, "param \"p0\" scalar i32 signed\n"
                    "param \"p1\" scalar i32 signed\n");
  for (uint32_t i = 0; i < N_ARRAYS; i++)
    text_printf(&g.text, "param \"%s\" array i32 signed @%s\n", arrays[i].name,
                arrays[i].name);
  text_add(&g.text, "var $i.0 i32 var $i.1 i32 var $t.2 tile.0\n");
  for (uint32_t i = 0; i < MOST_MAPS; i++)
    text_printf(&g.text, "var $l.%u i32 var $o.%u i32\n", 3 + 2 * i, 4 + 2 * i);
  text_add(&g.text, "body {\n%0 = block_index i32 [0]\n"
                    "%1 = param i32 [0] %2 = param i32 [1] %3 = const i32 0\n"
                    "%4 = const i32 3 %5 = const i32 2 %6 = const i64 1\n"
                    "%7 = const i64 5 %8 = sext i64 %0\n"
                    "%9 = tile_iota tile.0 set $t.2 %9\n"
                    "%10 = tile_reshape tile.1 %9 %11 = tile_iota tile.2\n"
                    "%12 = tile_reshape tile.3 %9\n");
  some_statements(&g, 2);
  text_add(&g.text, "} }\nlocations { !1 \"a.hd\" 3:5 3:9 }");
  const char *code, *message;
  IrModule *module = parse_ir(arena, text_cstr(&g.text), &code, &message);
  if (!module)
    fail_msg("%s: %s\n%s", code, message, text_cstr(&g.text));
  return module;
}

// ------------------------------------------------------------------- runs

typedef struct {
  const IrNode *node;
  uint32_t array, index[2];
  int64_t block;
  uint64_t operation; // of a section; 0: of none
  uint32_t element;
  bool is_write, is_atomic;
} Event;

typedef struct {
  int32_t data[N_ARRAYS][6 * 9];
  int32_t params[N_PARAMS];
  Event events[MOST_EVENTS];
  uint32_t n_events;
} Run;

static uint32_t count_of(uint32_t array) {
  return arrays[array].extents[0] *
         (arrays[array].rank == 2 ? arrays[array].extents[1] : 1);
}

static void on_access(void *context, const ObservedThread *thread,
                      const ObservedAccess *access) {
  Run *run = context;
  for (uint32_t i = 0; i < N_ARRAYS; i++) {
    uint64_t begin = (uint64_t)(uintptr_t)run->data[i];
    if (access->address < begin ||
        access->address >= begin + sizeof run->data[i] ||
        run->n_events == MOST_EVENTS)
      continue;
    uint32_t at = (uint32_t)(access->address - begin) / 4;
    assert_true(at < count_of(i));
    Event event = {.node = access->node,
                   .array = i,
                   .index = {at},
                   .block = thread->block,
                   .operation = access->operation,
                   .element = access->element,
                   .is_write = access->writes,
                   .is_atomic = access->is_atomic};
    if (arrays[i].rank == 2) {
      event.index[0] = at / arrays[i].extents[1];
      event.index[1] = at % arrays[i].extents[1];
    }
    run->events[run->n_events++] = event;
  }
}

static HdStatus run_kernel(Arena *arena, const IrKernel *kernel, Run *run) {
  uint64_t args[N_PARAMS + 5 * N_ARRAYS] = {0}, *slot = args;
  InterpMemory memory[N_PARAMS + N_ARRAYS] = {0};
  InterpObserver observer = {.context = run, .access = on_access};
  const char *why;
  for (uint32_t i = 0; i < N_PARAMS; i++)
    *slot++ = (uint32_t)(run->params[i] = (int32_t)pick(12) - 3);
  for (uint32_t i = 0; i < N_ARRAYS; i++) {
    for (uint32_t k = 0; k < count_of(i); k++)
      run->data[i][k] = (int32_t)pick(14) - 2;
    memory[N_PARAMS + i] = (InterpMemory){run->data[i], count_of(i) * 4};
    *slot++ = (uint64_t)(uintptr_t)run->data[i];
    for (uint32_t k = 0; k < arrays[i].rank; k++)
      *slot++ = arrays[i].extents[k];
    if (arrays[i].rank == 2)
      *slot++ = arrays[i].extents[1];
    *slot++ = 1;
  }
  InterpLaunch launch = {.args = args,
                         .arrays = memory,
                         .grid = {N_BLOCKS, 1, 1},
                         .max_steps = 1000000,
                         .observer = &observer};
  return interp_run(arena, kernel, &launch, &why);
}

// --------------------------------------------------------- against the tree

typedef struct {
  Tree *tree;
  TermTable *terms;
  Solver *solver;
  const Run *run;
  const Event *event;
  const Term *given; // values of params, by name
  uint32_t n_possible;
} Asking;

static void give_param(const Symbol *symbol, void *context) {
  Asking *a = context;
  for (uint32_t i = 0; i < N_PARAMS; i++) {
    const char name[] = {'p', (char)('0' + i), 0};
    if (symbol->kind == SYMBOL_LAUNCH && strcmp(symbol->name, name) == 0)
      a->given = term_and(a->terms, a->given,
                          term_eq(a->terms, term_of(a->terms, symbol),
                                  term_int(a->terms, a->run->params[i])));
  }
}

// Which element of the tile it is.
static void give_element(Asking *a, const Touch *touch) {
  uint32_t rest = a->event->element;
  for (uint32_t i = touch->n_axes; i-- > 0;) {
    uint32_t extent = (uint32_t)touch->axis[i]->high + 1;
    const Term *at = term_of(a->terms, touch->axis[i]);
    a->given =
        term_and(a->terms, a->given,
                 term_eq(a->terms, at, term_int(a->terms, rest % extent)));
    rest /= extent;
  }
}

static void see_step(const Step *step, void *context) {
  Asking *a = context;
  const Event *e = a->event;
  if (step->kind != STEP_TOUCH || step->node != e->node)
    return;
  const Touch *touch = step->u.touch.touch;
  TermTable *t = a->terms;
  if (touch->is_write != e->is_write || touch->is_atomic != e->is_atomic)
    return;
  a->given = term_eq(t, term_of(t, a->tree->block[0]), term_int(t, e->block));
  term_symbols(step->path, give_param, a);
  for (uint32_t k = 0; k < touch->n_index; k++) {
    term_symbols(touch->index[k], give_param, a);
    a->given = term_and(t, a->given,
                        term_eq(t, touch->index[k], term_int(t, e->index[k])));
  }
  give_element(a, touch);
  const Term *both[] = {step->path, a->given};
  a->n_possible += solver_ask(a->solver, both, 2).status != SOLVE_UNSAT;
}

static bool is_asked_before(const Run *run, uint32_t i) {
  const Event *e = &run->events[i];
  for (uint32_t k = 0; k < i; k++) {
    const Event *b = &run->events[k];
    if (b->node == e->node && b->block == e->block &&
        b->element == e->element && b->index[0] == e->index[0] &&
        b->index[1] == e->index[1])
      return true;
  }
  return false;
}

static uint32_t n_asked;

static void compare(Arena *arena, const IrKernel *kernel, const Run *run) {
  SolveOptions options = {.kernel_ms = 20000};
  TermTable *terms = term_table_new(arena);
  Solver *solver = solver_new(arena, terms, &options);
  Tree *tree = tree_build(arena, kernel, ir_uniformity(arena, kernel), terms,
                          solver, false);
  Asking a = {.tree = tree, .terms = terms, .solver = solver, .run = run};
  uint32_t n = 0;
  for (uint32_t i = 0; i < run->n_events && n < MOST_ASKED; i++) {
    if (is_asked_before(run, i))
      continue;
    n++;
    n_asked++;
    a.event = &run->events[i];
    a.n_possible = 0;
    tree_each(tree->first, see_step, &a);
    if (a.n_possible == 0) {
      Text text = {.arena = arena};
      tree_print(tree, &text);
      fail_msg("block %d, p0=%d, p1=%d: %s[%u][%u] by node %u isn't in\n%s\n%s",
               (int)a.event->block, (int)run->params[0], (int)run->params[1],
               arrays[a.event->array].name, a.event->index[0],
               a.event->index[1], a.event->node->id, text_cstr(&text),
               print_ir(arena, kernel->module));
    }
  }
  solver_free(solver);
}

// ------------------------------------------------------- against the verdict

static bool is_same_place(const Event *a, const Event *b) {
  return a->array == b->array && a->index[0] == b->index[0] &&
         a->index[1] == b->index[1];
}

// Of two blocks; or of two elements of one tile that is stored.
static bool is_race(const Event *a, const Event *b) {
  if (!is_same_place(a, b) || !(a->is_write || b->is_write))
    return false;
  if (a->block != b->block)
    return !(a->is_atomic && b->is_atomic);
  return a->node == b->node && a->node->op == IR_TILE_STORE &&
         a->operation == b->operation;
}

static bool has_race(const Run *run) {
  for (uint32_t i = 0; i < run->n_events; i++)
    for (uint32_t k = i + 1; k < run->n_events; k++)
      if (is_race(&run->events[i], &run->events[k]))
        return true;
  return false;
}

static uint32_t n_proved, n_raced;

static void test_kernel(uint64_t seed) {
  random_state = seed;
  Arena *arena = arena_new();
  IrModule *module = random_module(arena);
  IrKernel *kernel = module->kernels.data[0];
  CheckOptions options = {.no_search = true, .no_fixes = true};
  options.solve.kernel_ms = 2000;
  CheckReport report;
  check_kernel(arena, kernel, &options, &report);
  bool is_proved = report.verdict == VERDICT_PROVED;
  n_proved += is_proved;
  Run *run = ARENA_NEW(arena, Run);
  for (uint32_t i = 0; i < 3; i++) {
    run->n_events = 0;
    HdStatus status = run_kernel(arena, kernel, run);
    bool is_bad = status != HD_OK || has_race(run);
    n_raced += is_bad;
    if (is_proved && is_bad)
      fail_msg("seed %" PRIu64 ": proved, but p0=%d, p1=%d is a bug\n%s", seed,
               (int)run->params[0], (int)run->params[1],
               print_ir(arena, module));
    if (i == 0)
      compare(arena, kernel, run);
  }
  arena_free(arena);
}

static void test_random_kernels(void **state) {
  (void)state;
  const char *given = getenv("HD_TILE_KERNELS");
  uint64_t n = given ? strtoull(given, NULL, 10) : 150;
  for (uint64_t seed = 1; seed <= n; seed++)
    test_kernel(seed);
  print_message("%u touches, %u proved, %u runs with a bug\n", n_asked,
                n_proved, n_raced);
  assert_true(n_asked > n && n_proved > n / 20 && n_raced > n / 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_kernels)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
