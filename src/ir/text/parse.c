// SPDX-License-Identifier: Apache-2.0
// Reads the text form of modules and kernels.
#include "ir/text/parse.h"
#include "base/panic.h"
#include "ir/form/words.h"
#include "ir/verify/verify.h"
#include "ir/verify/verify_parts.h"
#include <string.h>

static const char header[] = "heddle-ir 1";

// ----------------------------------------------------------- kernel rows

static void parse_group_row(IrParser *p) {
  IrKernel *kernel = p->kernel;
  Span span = p->token.span;
  uint64_t number = irp_mark(p, IRT_GROUP, "a group");
  IrGroupKind kind =
      (IrGroupKind)irp_word_of(p, ir_words_group, "a group kind");
  if (p->failed)
    return;
  if (number != p->n_group_rows++) {
    irp_fail(p, DIAG_ir_number, span, "group numbers 0, 1, 2 and so on");
    return;
  }
  // The first three rows are there from the start.
  IrGroup *group = number < kernel->groups.count
                       ? kernel->groups.data[number]
                       : ir_group_new(kernel, kind, NULL);
  *group = (IrGroup){.id = (uint32_t)number, .kind = kind};
  if (irp_accept_word(p, "in"))
    group->parent = irp_group(p);
  bool has_size = irp_accept_word(p, "size");
  group->size = has_size ? irp_signed(p, 0, INT64_MAX) : SIZE_UNKNOWN;
  bool has_begin = irp_accept_word(p, "begin");
  group->begin = has_begin ? irp_signed(p, 0, INT64_MAX) : SIZE_UNKNOWN;
  bool has_parts = irp_accept_word(p, "instances");
  group->instances = has_parts ? irp_signed(p, 0, INT64_MAX) : SIZE_UNKNOWN;
  irp_expect_word(p, "align");
  group->alignment = (uint32_t)irp_unsigned(p, UINT32_MAX);
  group->name = irp_string(p);
  if (irp_accept_word(p, "maker"))
    irp_label_later(p, &group->maker);
}

static void param_row(IrParser *p) {
  IrParam param = {.name = irp_string(p)};
  param.kind = (IrParamKind)irp_word_of(p, ir_words_param, "a parameter kind");
  param.type = irp_type(p);
  param.is_signed = irp_accept_word(p, "signed");
  if (p->token.kind == IRT_OBJECT)
    param.object = irp_object_ref(p);
  param.loc = irp_loc(p);
  VEC_PUSH(p->arena, &p->kernel->params, param);
}

static void require_row(IrParser *p) {
  IrRequire row = {0};
  row.kind =
      (IrRequireKind)irp_word_of(p, ir_words_require, "a kind of requirement");
  row.condition = irp_host(p);
  row.text = irp_string(p);
  row.loc = irp_loc(p);
  VEC_PUSH(p->arena, &p->kernel->requirements, row);
}

static void alias_row(IrParser *p) {
  IrAliasPair pair = {.a = irp_object_ref(p)};
  pair.b = irp_object_ref(p);
  VEC_PUSH(p->arena, &p->kernel->may_alias, pair);
}

static void var_row(IrParser *p) {
  Span span = p->token.span;
  const char *name = irp_name(p, IRT_VAR, "a variable");
  if (!p->failed && map_get(&p->vars, MAP_KEY(name)))
    irp_fail(p, DIAG_ir_redefined, span, "variable");
  IrType type = irp_type(p);
  const char *dot = strchr(name, '.');
  const char *shown = NULL;
  if (dot && dot > name)
    shown = arena_strndup(p->arena, name, (size_t)(dot - name));
  uint32_t id = ir_var_new(p->kernel, shown, type);
  IrNode **loop = ARENA_NEW(p->arena, IrNode *);
  if (irp_accept_word(p, "loop"))
    irp_label_later(p, loop);
  VEC_PUSH(p->arena, &p->var_loops, loop);
  p->kernel->vars.data[id].loc = irp_loc(p);
  map_put(p->arena, &p->vars, MAP_KEY(name), (void *)(uintptr_t)(id + 1));
}

static void three_numbers(IrParser *p, int32_t *out) {
  for (int i = 0; i < 3; i++)
    out[i] = (int32_t)irp_unsigned(p, INT32_MAX);
}

static void grid_row(IrParser *p) {
  p->kernel->n_grid = (uint8_t)irp_unsigned(p, 3);
  for (int i = 0; i < 3; i++)
    p->kernel->grid[i] = irp_host(p);
}

static bool parse_hint_number(IrParser *p, const char *word, uint32_t *out) {
  if (!irp_accept_word(p, word))
    return false;
  *out = (uint32_t)irp_unsigned(p, UINT32_MAX);
  return true;
}

static bool parse_hint_flag(IrParser *p, const char *word, bool *out) {
  bool is_here = irp_accept_word(p, word);
  *out |= is_here;
  return is_here;
}

static void hints_row(IrParser *p) {
  IrTileHints *hints = &p->kernel->hints;
  while (!p->failed &&
         (parse_hint_number(p, "warps", &hints->warps) ||
          parse_hint_number(p, "stages", &hints->stages) ||
          parse_hint_number(p, "ctas", &hints->ctas) ||
          parse_hint_number(p, "occupancy", &hints->occupancy) ||
          parse_hint_number(p, "consumers", &hints->consumers) ||
          parse_hint_number(p, "grouped", &hints->grouped) ||
          parse_hint_flag(p, "pingpong", &hints->is_pingpong) ||
          parse_hint_flag(p, "persistent", &hints->is_persistent) ||
          parse_hint_flag(p, "longest_first", &hints->is_longest_first))) {
  }
}

static bool launch_row(IrParser *p) {
  IrKernel *kernel = p->kernel;
  if (irp_accept_word(p, "block"))
    three_numbers(p, kernel->block_dim);
  else if (irp_accept_word(p, "grid"))
    grid_row(p);
  else if (irp_accept_word(p, "cluster"))
    three_numbers(p, kernel->cluster_dim);
  else if (irp_accept_word(p, "min_blocks"))
    kernel->min_blocks = (int32_t)irp_unsigned(p, INT32_MAX);
  else if (irp_accept_word(p, "max_registers"))
    kernel->max_registers = (int32_t)irp_unsigned(p, INT32_MAX);
  else if (irp_accept_word(p, "hints"))
    hints_row(p);
  else if (irp_accept_word(p, "flops"))
    kernel->flops = irp_host(p);
  else if (irp_accept_word(p, "bytes"))
    kernel->bytes = irp_host(p);
  else if (irp_accept_word(p, "level"))
    kernel->level = (IrLevel)irp_word_of(p, ir_words_level, "a level");
  else if (irp_accept_word(p, "fast_math"))
    kernel->fast_math = true;
  else if (irp_accept_word(p, "few_threads"))
    kernel->has_few_threads = true;
  else if (irp_accept_word(p, "lanes_apart"))
    kernel->has_lanes_apart = true;
  else
    return false;
  return true;
}

static void kernel_row(IrParser *p) {
  if (irp_accept_word(p, "group"))
    parse_group_row(p);
  else if (irp_accept_word(p, "object"))
    irp_object(p, false);
  else if (irp_accept_word(p, "param"))
    param_row(p);
  else if (irp_accept_word(p, "require"))
    require_row(p);
  else if (irp_accept_word(p, "alias"))
    alias_row(p);
  else if (irp_accept_word(p, "var"))
    var_row(p);
  else if (!launch_row(p))
    irp_expected(p, "a row of the kernel, or 'body'");
}

// ---------------------------------------------------------------- kernels

static void resolve_fixups(IrParser *p) {
  for (uint32_t i = 0; i < p->fixups.count && !p->failed; i++) {
    const IrFixup *fixup = &p->fixups.data[i];
    if (fixup->node) {
      *fixup->node = map_get(&p->labels, fixup->number + 1);
      if (!*fixup->node)
        irp_fail(p, DIAG_ir_undefined, fixup->span, "label");
      continue;
    }
    *fixup->object = map_get(&p->objects, MAP_KEY(fixup->name));
    if (!*fixup->object)
      *fixup->object = map_get(&p->globals, MAP_KEY(fixup->name));
    if (!*fixup->object)
      irp_fail(p, DIAG_ir_undefined, fixup->span, "object");
  }
  p->fixups.count = 0;
}

// Before anything asks for the size of a type.
static void check_tables(IrParser *p, Span span) {
  const char *fault = p->failed ? NULL : ir_module_fault(p->module);
  if (fault)
    irp_fail(p, DIAG_ir_invalid, span, fault);
}

static void parse_check_kernel(IrParser *p, Span span) {
  const IrNode *place = NULL;
  const char *fault = ir_kernel_fault(p->kernel, &place);
  if (place && place->id < p->node_spans.count)
    span = p->node_spans.data[place->id];
  if (fault)
    irp_fail(p, DIAG_ir_invalid, span, fault);
}

static void ir_parse_kernel(IrParser *p) {
  Span span = p->token.span;
  check_tables(p, span);
  p->kernel = ir_kernel_new(p->module, irp_string(p));
  memset(&p->objects, 0, sizeof p->objects);
  memset(&p->vars, 0, sizeof p->vars);
  memset(&p->values, 0, sizeof p->values);
  memset(&p->labels, 0, sizeof p->labels);
  p->node_spans.count = p->var_loops.count = 0;
  p->n_group_rows = 0;
  if (irp_accept_word(p, "variant"))
    p->kernel->variant = irp_string(p);
  p->kernel->loc = irp_loc(p);
  irp_expect_punct(p, '{');
  while (!p->failed && !irp_accept_word(p, "body"))
    kernel_row(p);
  irp_body(p);
  irp_expect_punct(p, '}');
  if (p->failed)
    return;
  resolve_fixups(p);
  for (uint32_t i = 0; i < p->var_loops.count; i++)
    p->kernel->vars.data[i].loop = *p->var_loops.data[i];
  ir_kernel_layout_args(p->kernel);
  parse_check_kernel(p, span);
  p->kernel = NULL;
  memset(&p->objects, 0, sizeof p->objects);
}

// ---------------------------------------------------------------- modules

static void parse_struct(IrParser *p) {
  const char *name = irp_string(p);
  irp_expect_word(p, "size");
  uint32_t size_bytes = (uint32_t)irp_unsigned(p, UINT32_MAX);
  irp_expect_word(p, "align");
  uint32_t align_bytes = (uint32_t)irp_unsigned(p, UINT32_MAX);
  irp_expect_punct(p, '{');
  uint32_t id = ir_struct_new(p->module, name, size_bytes, align_bytes);
  IrStruct *record = p->module->structs.data[id];
  while (!irp_accept_punct(p, '}') && !p->failed) {
    IrLeaf leaf = {.type = irp_type(p)};
    irp_expect_word(p, "at");
    leaf.offset_bytes = (uint32_t)irp_unsigned(p, UINT32_MAX);
    VEC_PUSH(p->arena, &record->leaves, leaf);
  }
}

static void parse_tile(IrParser *p) {
  IrTileShape shape = {.element = irp_type(p)};
  irp_expect_punct(p, '[');
  while (!irp_accept_punct(p, ']') && !p->failed) {
    if (shape.rank == IR_MAX_TILE_RANK) {
      irp_fail(p, DIAG_ir_too_large, p->token.span, "dimensions");
      break;
    }
    if (shape.rank)
      irp_expect_punct(p, ',');
    shape.extents[shape.rank++] = (uint32_t)irp_unsigned(p, UINT32_MAX);
  }
  VEC_PUSH(p->arena, &p->module->tiles, shape);
}

static void loc_row(IrParser *p) {
  IrLoc loc = {0};
  Span span = p->token.span;
  uint64_t number = irp_mark(p, IRT_LOC, "a location");
  if (!p->failed && number != p->module->locs.count)
    irp_fail(p, DIAG_ir_number, span, "location numbers 1, 2 and so on");
  if (!irp_accept_word(p, "_"))
    loc.place.file = irp_string(p);
  loc.place.line = (uint32_t)irp_unsigned(p, UINT32_MAX);
  irp_expect_punct(p, ':');
  loc.place.col = (uint32_t)irp_unsigned(p, UINT32_MAX);
  loc.place.end_line = (uint32_t)irp_unsigned(p, UINT32_MAX);
  irp_expect_punct(p, ':');
  loc.place.end_col = (uint32_t)irp_unsigned(p, UINT32_MAX);
  loc.place.is_own = irp_accept_word(p, "own");
  if (irp_accept_word(p, "in")) {
    span = p->token.span;
    uint64_t parent = irp_mark(p, IRT_LOC, "a location");
    if (parent >= p->module->locs.count)
      irp_fail(p, DIAG_ir_undefined, span, "location");
    loc.parent = (IrLocId)parent;
  }
  if (p->token.kind == IRT_STRING)
    loc.callee = irp_string(p);
  VEC_PUSH(p->arena, &p->module->locs, loc);
}

static void parse_locations(IrParser *p) {
  irp_expect_punct(p, '{');
  while (!irp_accept_punct(p, '}') && !p->failed)
    loc_row(p);
}

static void parse_module_row(IrParser *p) {
  if (irp_accept_word(p, "struct"))
    parse_struct(p);
  else if (irp_accept_word(p, "tile"))
    parse_tile(p);
  else if (irp_accept_word(p, "global"))
    irp_object(p, true);
  else if (irp_accept_word(p, "kernel"))
    ir_parse_kernel(p);
  else if (irp_accept_word(p, "locations"))
    parse_locations(p);
  else
    irp_expected(p, "'struct', 'tile', 'global', 'kernel' or 'locations'");
}

static void index_ops(IrParser *p) {
  for (int op = 0; op < IR_OP_COUNT; op++) {
    // map_put takes no const; the table is only ever read.
    void *info = (void *)(uintptr_t)&ir_op_table[op];
    const char *name = intern_cstr(p->names, ir_op_table[op].text);
    map_put(p->arena, &p->ops, MAP_KEY(name), info);
  }
}

static bool has_header(const char *text, size_t length) {
  size_t size = sizeof header - 1;
  return length >= size && memcmp(text, header, size) == 0 &&
         (length == size || text[size] == '\n' || text[size] == '\r');
}

static void parse_text(IrParser *p) {
  if (!has_header(p->text, p->length)) {
    irp_fail(p, DIAG_ir_header, (Span){0, p->length ? 1 : 0}, header);
    return;
  }
  p->at = sizeof header - 1;
  irp_next(p);
  irp_expect_word(p, "module");
  p->module->name = irp_string(p);
  while (p->token.kind != IRT_END)
    parse_module_row(p);
  resolve_fixups(p);
  if (!p->failed && p->max_loc >= p->module->locs.count)
    irp_fail(p, DIAG_ir_undefined, p->max_loc_span, "location");
}

IrModule *ir_parse(Arena *arena, SourceText *source, DiagEngine *diags) {
  IrParser parser = {.arena = arena, .source = source, .diags = diags};
  IrParser *p = &parser;
  p->text = source_text(source);
  p->names = intern_new(arena);
  p->module = ir_module_new(arena, source_name(source));
  if (source_length(source) > IR_MAX_TEXT_BYTES) {
    irp_fail(p, DIAG_ir_too_large, (Span){0, 0}, "bytes of text");
    return NULL;
  }
  p->length = (uint32_t)source_length(source);
  index_ops(p);
  parse_text(p);
  if (p->failed)
    return NULL;
  const char *fault = ir_verify(p->module);
  if (fault)
    irp_fail(p, DIAG_ir_invalid, (Span){0, 0}, fault);
  return p->failed ? NULL : p->module;
}
