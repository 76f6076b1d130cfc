// SPDX-License-Identifier: Apache-2.0
#include "cxx/cx_shape.h"

#include "cxx/cx_parser.h"

#include <string.h>

enum { MOST_FUNCTIONS = 32 };

// The kernel, and what it calls.
typedef struct {
  const CxDecl *data[MOST_FUNCTIONS];
  uint32_t count;
} Functions;

typedef struct {
  const CxParser *cx;
  CxTokens body;
  CxShape *out;
} Shape;

static unsigned kind_at(const Shape *s, uint32_t pos) {
  return pos < s->body.end ? s->cx->tokens[pos].kind : CX_TOK_EOF;
}

static bool shape_is_word(const Shape *s, uint32_t pos, const char *word) {
  return kind_at(s, pos) == CX_TOK_IDENT &&
         strcmp(s->cx->tokens[pos].u.name, word) == 0;
}

// `threadIdx.x` and the like at `pos`: the axis, or -1.
static int axis_at(const Shape *s, uint32_t pos, const char *word) {
  static const char *const axes[] = {"x", "y", "z"};
  if (!shape_is_word(s, pos, word) || kind_at(s, pos + 1) != CX_TOK_DOT)
    return -1;
  for (int i = 0; i < 3; i++)
    if (shape_is_word(s, pos + 2, axes[i]))
      return i;
  return -1;
}

static void shape_note_use(Shape *s, uint32_t pos) {
  int thread = axis_at(s, pos, "threadIdx"), dim = axis_at(s, pos, "blockDim");
  if (thread >= 0)
    s->out->uses[thread] = true;
  if (dim >= 0)
    s->out->uses[dim] = true;
}

// `word`.x in `int t = threadIdx.x;` and the like, whose name is `name`: the
// axis, or -1.
static int variable_axis(const Shape *s, const char *name, const char *word) {
  for (uint32_t at = s->body.begin; at < s->body.end; at++) {
    if (kind_at(s, at) != CX_TOK_IDENT || s->cx->tokens[at].u.name != name ||
        kind_at(s, at + 1) != CX_TOK_EQ)
      continue;
    int axis = axis_at(s, at + 2, word);
    unsigned next = kind_at(s, at + 5);
    return next == CX_TOK_SEMICOLON || next == CX_TOK_COMMA ? axis : -1;
  }
  return -1;
}

// An index, or a variable that is one.
typedef struct {
  int axis; // -1: neither
  uint32_t behind;
} ShapeIndex;

static ShapeIndex shape_index_at(const Shape *s, uint32_t pos,
                                 const char *word) {
  int axis = axis_at(s, pos, word);
  if (axis >= 0)
    return (ShapeIndex){axis, pos + 3};
  if (kind_at(s, pos) == CX_TOK_IDENT)
    axis = variable_axis(s, s->cx->tokens[pos].u.name, word);
  return (ShapeIndex){axis, pos + 1};
}

static bool shape_is_index_before(const Shape *s, uint32_t end,
                                  const char *word, int axis) {
  for (uint32_t n = 1; n <= 3; n += 2) {
    ShapeIndex index = shape_index_at(s, end - n, word);
    if (index.axis == axis && index.behind == end)
      return true;
  }
  return false;
}

static bool shape_ends_term(unsigned kind) {
  return kind == CX_TOK_SEMICOLON || kind == CX_TOK_COMMA ||
         kind == CX_TOK_RPAREN || kind == CX_TOK_RBRACKET ||
         kind == CX_TOK_PLUS || kind == CX_TOK_MINUS;
}

// threadIdx is added to the product from `begin` to `end`.
static bool shape_adds_threads(const Shape *s, uint32_t begin, uint32_t end,
                               int axis) {
  ShapeIndex index = shape_index_at(s, end + 1, "threadIdx");
  if (kind_at(s, end) == CX_TOK_PLUS && index.axis == axis &&
      shape_ends_term(kind_at(s, index.behind)))
    return true;
  return begin > s->body.begin + 4 && kind_at(s, begin - 1) == CX_TOK_PLUS &&
         shape_is_index_before(s, begin - 1, "threadIdx", axis);
}

// blockIdx.x * SIZE, SIZE * blockIdx.x; variables, where threads are added
static void note_stride(Shape *s, uint32_t pos) {
  bool is_factor =
      kind_at(s, pos + 1) == CX_TOK_STAR || kind_at(s, pos + 1) == CX_TOK_DOT ||
      (pos > s->body.begin + 2 && kind_at(s, pos - 1) == CX_TOK_STAR);
  if (kind_at(s, pos) != CX_TOK_IDENT || !is_factor ||
      s->out->n_strides == CX_MOST_STRIDES)
    return;
  ShapeIndex index = shape_index_at(s, pos, "blockIdx");
  bool is_before = kind_at(s, index.behind) == CX_TOK_STAR;
  uint32_t at = is_before ? index.behind + 1
                : pos >= 2 && kind_at(s, pos - 1) == CX_TOK_STAR ? pos - 2
                                                                 : 0;
  bool is_one = at > 0 && (kind_at(s, at) == CX_TOK_NUMBER ||
                           kind_at(s, at) == CX_TOK_IDENT);
  if (index.axis < 0 || !is_one || kind_at(s, at + 1) == CX_TOK_DOT)
    return;
  bool is_threads = is_before
                        ? shape_adds_threads(s, pos, at + 1, index.axis)
                        : shape_adds_threads(s, at, index.behind, index.axis);
  if (!is_threads && index.behind == pos + 1)
    return;
  s->out->strides[s->out->n_strides] = (CxTokens){at, at + 1};
  s->out->is_for_threads[s->out->n_strides] = is_threads;
  s->out->stride_axes[s->out->n_strides++] = index.axis;
}

// ------------------------------------------------------------------- teams

static bool is_block_primitive(const Shape *s, uint32_t pos) {
  static const char *const names[] = {"BlockAdjacentDifference",
                                      "BlockDiscontinuity",
                                      "BlockExchange",
                                      "BlockHistogram",
                                      "BlockLoad",
                                      "BlockMergeSort",
                                      "BlockRadixSort",
                                      "BlockReduce",
                                      "BlockScan",
                                      "BlockShuffle",
                                      "BlockStore"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (shape_is_word(s, pos, names[i]))
      return true;
  return false;
}

// BlockReduce<T, THREADS, …>: the second argument.
static void note_team(Shape *s, uint32_t pos) {
  if (!is_block_primitive(s, pos) || kind_at(s, pos + 1) != CX_TOK_LT ||
      s->out->n_teams == CX_MOST_TEAMS)
    return;
  uint32_t begin = 0;
  int depth = 0;
  for (uint32_t at = pos + 2; at < s->body.end; at++) {
    unsigned kind = kind_at(s, at);
    bool is_end = depth == 0 && (kind == CX_TOK_COMMA || kind == CX_TOK_GT);
    if (is_end && begin > 0) {
      s->out->teams[s->out->n_teams++] = (CxTokens){begin, at};
      return;
    }
    if (kind == CX_TOK_SEMICOLON || (is_end && kind == CX_TOK_GT))
      return;
    if (is_end)
      begin = at + 1;
    depth += kind == CX_TOK_LPAREN || kind == CX_TOK_LT;
    depth -= kind == CX_TOK_RPAREN || kind == CX_TOK_GT;
  }
}

// ------------------------------------------------------------------- tiles

// Behind the `threadIdx.x` or `t` that stands at `pos`; 0: neither does.
static uint32_t behind_thread(const Shape *s, uint32_t pos) {
  if (axis_at(s, pos, "threadIdx") == 0)
    return pos + 3;
  bool is_variable =
      kind_at(s, pos) == CX_TOK_IDENT &&
      variable_axis(s, s->cx->tokens[pos].u.name, "threadIdx") == 0;
  return is_variable ? pos + 1 : 0;
}

// name[threadIdx.x] or name[t], and name[t + …]
static void note_subscripts(const Shape *s, const char *name, CxTile *tile) {
  for (uint32_t at = s->body.begin; at < s->body.end; at++) {
    if (kind_at(s, at) != CX_TOK_IDENT || s->cx->tokens[at].u.name != name ||
        kind_at(s, at + 1) != CX_TOK_LBRACKET)
      continue;
    uint32_t behind = behind_thread(s, at + 2);
    if (behind == 0)
      continue;
    tile->is_by_thread |= kind_at(s, behind) == CX_TOK_RBRACKET;
    tile->is_shifted |= kind_at(s, behind) == CX_TOK_PLUS;
  }
}

// name[a][b] at `pos`: the position behind.
static uint32_t read_tile(Shape *s, uint32_t pos) {
  CxTile tile = {.n_extents = 0};
  note_subscripts(s, s->cx->tokens[pos].u.name, &tile);
  uint32_t at = pos + 1;
  while (kind_at(s, at) == CX_TOK_LBRACKET && tile.n_extents < 3) {
    uint32_t behind = cx_behind_brackets(s->cx, at);
    tile.extents[tile.n_extents++] = (CxTokens){at + 1, behind - 1};
    at = behind;
  }
  if (tile.n_extents > 0 && s->out->n_tiles < CX_MOST_TILES)
    s->out->tiles[s->out->n_tiles++] = tile;
  return at;
}

// All declarators behind `__shared__`.
static void read_tiles(Shape *s, uint32_t pos) {
  while (pos < s->body.end && kind_at(s, pos) != CX_TOK_SEMICOLON) {
    bool is_name = kind_at(s, pos) == CX_TOK_IDENT &&
                   kind_at(s, pos + 1) == CX_TOK_LBRACKET;
    pos = is_name ? read_tile(s, pos) : pos + 1;
  }
}

// ------------------------------------------------------------------- steps

// for (…; …; i += STEP)
static void read_step(Shape *s, uint32_t pos) {
  if (kind_at(s, pos + 1) != CX_TOK_LPAREN)
    return;
  uint32_t end = cx_behind_brackets(s->cx, pos + 1) - 1;
  for (uint32_t at = pos + 2; at < end; at++) {
    if (kind_at(s, at) == CX_TOK_PLUS_EQ && s->out->n_steps < CX_MOST_STEPS) {
      s->out->steps[s->out->n_steps++] = (CxTokens){at + 1, end};
      return;
    }
  }
}

// ------------------------------------------------------------------- calls

static void add_function(Functions *functions, const CxDecl *function) {
  for (uint32_t i = 0; i < functions->count; i++)
    if (functions->data[i] == function)
      return;
  if (functions->count < MOST_FUNCTIONS)
    functions->data[functions->count++] = function;
}

// f(…), f<…>(…): all functions of that name.
static void shape_add_called(const Shape *s, uint32_t pos,
                             Functions *functions) {
  unsigned next = kind_at(s, pos + 1);
  if (kind_at(s, pos) != CX_TOK_IDENT ||
      (next != CX_TOK_LPAREN && next != CX_TOK_LT))
    return;
  for (uint32_t i = 0; i < s->cx->bodies.count; i++)
    if (s->cx->bodies.data[i]->name == s->cx->tokens[pos].u.name)
      add_function(functions, s->cx->bodies.data[i]);
}

static void read_function(Shape *s, Functions *functions) {
  for (uint32_t at = s->body.begin; at < s->body.end; at++) {
    shape_note_use(s, at);
    note_stride(s, at);
    note_team(s, at);
    if (kind_at(s, at) == CX_TOK_SHARED)
      read_tiles(s, at + 1);
    else if (kind_at(s, at) == CX_TOK_FOR)
      read_step(s, at);
    else
      shape_add_called(s, at, functions);
  }
}

void cx_find_shape(const CxUnit *unit, const CxDecl *kernel, CxShape *out) {
  Functions functions = {.count = 0};
  *out = (CxShape){.n_tiles = 0};
  add_function(&functions, kernel);
  for (uint32_t i = 0; i < functions.count; i++) {
    Shape s = {unit->parser, functions.data[i]->u.function.body, out};
    read_function(&s, &functions);
  }
}

// -------------------------------------------------------------- conditions

uint32_t cx_find_conditions(const CxUnit *unit, const CxDecl *kernel,
                            CxTokens out[CX_MOST_CONDITIONS]) {
  Shape s = {unit->parser, kernel->u.function.body, NULL};
  uint32_t count = 0, at = s.body.begin + 1;
  for (uint32_t i = 0; i < kernel->u.function.n_annotations; i++) {
    const CxAnnotation *annotation = &kernel->u.function.annotations[i];
    bool is_known = strcmp(annotation->word, "requires") == 0 ||
                    strcmp(annotation->word, "assume") == 0;
    if (is_known && count < CX_MOST_CONDITIONS)
      out[count++] = annotation->tokens;
  }
  while ((shape_is_word(&s, at, "__requires") ||
          shape_is_word(&s, at, "__assume")) &&
         kind_at(&s, at + 1) == CX_TOK_LPAREN && count < CX_MOST_CONDITIONS) {
    uint32_t behind = cx_behind_brackets(s.cx, at + 1);
    out[count++] = (CxTokens){at + 2, behind - 1};
    at = behind + (kind_at(&s, behind) == CX_TOK_SEMICOLON);
  }
  return count;
}
