// SPDX-License-Identifier: Apache-2.0
// The text form of modules and kernels; docs/internals/ir.md describes it.
#include "ir/text/print.h"
#include "ir/form/cursor.h"
#include "ir/form/words.h"
#include <inttypes.h>

enum { MAX_INDENT = 40 };

// ------------------------------------------------------------ numbering

static void need_label(Printer *p, const IrNode *node) {
  if (node && node->id < p->kernel->n_nodes)
    p->has_label[node->id] = true;
}

static void number_nodes(Printer *p) {
  const IrKernel *kernel = p->kernel;
  Arena *arena = p->out->arena;
  p->numbers = ARENA_ARRAY(arena, uint32_t, kernel->n_nodes + 1);
  p->has_label = ARENA_ARRAY(arena, bool, kernel->n_nodes + 1);
  uint32_t count = 0;
  IrCursor cursor = cursor_at(&kernel->body);
  while (cursor_next(&cursor)) {
    if (cursor.event != CURSOR_NODE)
      continue;
    if (cursor.node->id < kernel->n_nodes)
      p->numbers[cursor.node->id] = ++count;
    if (cursor.node->op == IR_EXIT)
      need_label(p, cursor.node->u.exit.target);
  }
  for (uint32_t i = 0; i < kernel->objects.count; i++)
    need_label(p, kernel->objects.data[i]->lifetime);
  for (uint32_t i = 0; i < kernel->vars.count; i++)
    need_label(p, kernel->vars.data[i].loop);
  for (uint32_t i = 0; i < kernel->groups.count; i++)
    need_label(p, kernel->groups.data[i]->maker);
}

// ----------------------------------------------------------------- body

static void indent(Printer *p, uint32_t depth) {
  size_t shown = depth < MAX_INDENT ? depth : MAX_INDENT;
  text_add_repeat(p->out, ' ', 2 * shown);
}

// The else branch is left out when it is empty.
static bool print_is_hidden(const IrRegion *region) {
  const IrNode *owner = region->owner;
  return owner && owner->op == IR_IF && region == &owner->regions[1] &&
         !region->first;
}

static void print_enter_region(Printer *p, const IrRegion *region,
                               uint32_t depth) {
  if (print_is_hidden(region))
    return;
  const IrNode *owner = region->owner;
  if (owner && region != &owner->regions[0]) {
    indent(p, depth);
    text_add(p->out, "} else {\n");
  }
}

static void print_leave_region(Printer *p, const IrRegion *region,
                               uint32_t depth) {
  const IrNode *owner = region->owner;
  bool goes_on = owner && owner->op == IR_IF && region == &owner->regions[0] &&
                 owner->regions[1].first;
  if (goes_on || print_is_hidden(region))
    return;
  indent(p, depth);
  text_add(p->out, "}\n");
}

static void ir_print_body(Printer *p) {
  text_add(p->out, "  body {\n");
  uint32_t depth = 1;
  IrCursor cursor = cursor_at(&p->kernel->body);
  while (cursor_next(&cursor)) {
    switch (cursor.event) {
    case CURSOR_START: break;
    case CURSOR_ENTER: print_enter_region(p, cursor.region, depth++); break;
    case CURSOR_LEAVE: print_leave_region(p, cursor.region, --depth); break;
    case CURSOR_NODE:
      indent(p, depth);
      print_node(p, cursor.node);
      break;
    }
  }
}

// --------------------------------------------------------- kernel tables

static void print_int_row(Printer *p, const char *name, int32_t value) {
  if (value)
    text_printf(p->out, "  %s %" PRId32 "\n", name, value);
}

static void print_host_row(Printer *p, const char *name, const IrHost *host) {
  if (!host)
    return;
  text_printf(p->out, "  %s ", name);
  print_host(p, host);
  text_add_char(p->out, '\n');
}

static void print_hint_number(Printer *p, const char *name, uint32_t value) {
  if (value)
    text_printf(p->out, " %s %u", name, value);
}

static void print_hints_row(Printer *p) {
  const IrTileHints *hints = &p->kernel->hints;
  bool has_number = hints->warps || hints->stages || hints->ctas ||
                    hints->occupancy || hints->consumers || hints->grouped;
  bool has_flag =
      hints->is_pingpong || hints->is_persistent || hints->is_longest_first;
  if (!has_number && !has_flag)
    return;
  text_add(p->out, "  hints");
  print_hint_number(p, "warps", hints->warps);
  print_hint_number(p, "stages", hints->stages);
  print_hint_number(p, "ctas", hints->ctas);
  print_hint_number(p, "occupancy", hints->occupancy);
  print_hint_number(p, "consumers", hints->consumers);
  print_hint_number(p, "grouped", hints->grouped);
  if (hints->is_pingpong)
    text_add(p->out, " pingpong");
  if (hints->is_persistent)
    text_add(p->out, " persistent");
  if (hints->is_longest_first)
    text_add(p->out, " longest_first");
  text_add_char(p->out, '\n');
}

static void print_launch(Printer *p) {
  const IrKernel *kernel = p->kernel;
  if (kernel->level != LEVEL_SOURCE && !p->hides_level)
    text_printf(p->out, "  level %s\n", ir_words_level[kernel->level]);
  const int32_t *block = kernel->block_dim, *cluster = kernel->cluster_dim;
  text_printf(p->out, "  block %" PRId32 " %" PRId32 " %" PRId32 "\n", block[0],
              block[1], block[2]);
  text_printf(p->out, "  grid %u", kernel->n_grid);
  for (int i = 0; i < 3; i++) {
    text_add_char(p->out, ' ');
    print_host(p, kernel->grid[i]);
  }
  text_add_char(p->out, '\n');
  if (cluster[0] || cluster[1] || cluster[2])
    text_printf(p->out, "  cluster %" PRId32 " %" PRId32 " %" PRId32 "\n",
                cluster[0], cluster[1], cluster[2]);
  print_int_row(p, "min_blocks", kernel->min_blocks);
  print_int_row(p, "max_registers", kernel->max_registers);
  print_hints_row(p);
  print_host_row(p, "flops", kernel->flops);
  print_host_row(p, "bytes", kernel->bytes);
  if (kernel->fast_math)
    text_add(p->out, "  fast_math\n");
  if (kernel->has_few_threads)
    text_add(p->out, "  few_threads\n");
  if (kernel->has_lanes_apart)
    text_add(p->out, "  lanes_apart\n");
}

static void print_size(Printer *p, const char *name, int64_t value) {
  if (value != SIZE_UNKNOWN)
    text_printf(p->out, " %s %" PRId64, name, value);
}

static void print_group_row(Printer *p, const IrGroup *group) {
  text_printf(p->out, "  group #%u %s", group->id, ir_words_group[group->kind]);
  if (group->parent)
    text_printf(p->out, " in #%u", group->parent->id);
  print_size(p, "size", group->size);
  print_size(p, "begin", group->begin);
  print_size(p, "instances", group->instances);
  text_printf(p->out, " align %u ", group->alignment);
  print_string(p->out, group->name ? group->name : "");
  if (group->maker) {
    text_add(p->out, " maker ");
    print_label(p, group->maker);
  }
  text_add_char(p->out, '\n');
}

static void ir_print_param(Printer *p, const IrParam *param) {
  text_add(p->out, "  param ");
  print_string(p->out, param->name ? param->name : "");
  text_printf(p->out, " %s ", ir_words_param[param->kind]);
  print_type(p, param->type);
  if (param->is_signed)
    text_add(p->out, " signed");
  if (param->object) {
    text_add_char(p->out, ' ');
    print_object_name(p, param->object);
  }
  print_loc(p, param->loc);
  text_add_char(p->out, '\n');
}

static void print_require(Printer *p, const IrRequire *row) {
  text_printf(p->out, "  require %s ", ir_words_require[row->kind]);
  print_host(p, row->condition);
  text_add_char(p->out, ' ');
  print_string(p->out, row->text ? row->text : "");
  print_loc(p, row->loc);
  text_add_char(p->out, '\n');
}

static void print_var_row(Printer *p, const IrVar *var) {
  text_add(p->out, "  var ");
  print_var(p, var->id);
  text_add_char(p->out, ' ');
  print_type(p, var->type);
  if (var->loop) {
    text_add(p->out, " loop ");
    print_label(p, var->loop);
  }
  print_loc(p, var->loc);
  text_add_char(p->out, '\n');
}

static void ir_print_tables(Printer *p) {
  const IrKernel *kernel = p->kernel;
  print_launch(p);
  for (uint32_t i = 0; i < kernel->groups.count; i++)
    print_group_row(p, kernel->groups.data[i]);
  for (uint32_t i = 0; i < kernel->objects.count; i++) {
    text_add(p->out, "  object ");
    print_object(p, kernel->objects.data[i]);
  }
  for (uint32_t i = 0; i < kernel->params.count; i++)
    ir_print_param(p, &kernel->params.data[i]);
  for (uint32_t i = 0; i < kernel->requirements.count; i++)
    print_require(p, &kernel->requirements.data[i]);
  for (uint32_t i = 0; i < kernel->may_alias.count; i++) {
    text_add(p->out, "  alias ");
    print_object_name(p, kernel->may_alias.data[i].a);
    text_add_char(p->out, ' ');
    print_object_name(p, kernel->may_alias.data[i].b);
    text_add_char(p->out, '\n');
  }
  for (uint32_t i = 0; i < kernel->vars.count; i++)
    print_var_row(p, &kernel->vars.data[i]);
}

static void print_kernel(Printer *p, const IrKernel *kernel) {
  p->kernel = kernel;
  print_name_objects(p);
  number_nodes(p);
  text_add(p->out, "\nkernel ");
  print_string(p->out, kernel->name);
  if (kernel->variant && kernel->variant[0]) {
    text_add(p->out, " variant ");
    print_string(p->out, kernel->variant);
  }
  print_loc(p, kernel->loc);
  text_add(p->out, " {\n");
  ir_print_tables(p);
  ir_print_body(p);
  text_add(p->out, "}\n");
  p->kernel = NULL;
}

// --------------------------------------------------------- module tables

static void print_struct(Printer *p, const IrStruct *record) {
  text_add(p->out, "struct ");
  print_string(p->out, record->name ? record->name : "");
  text_printf(p->out, " size %u align %u {", record->size_bytes,
              record->align_bytes);
  for (uint32_t i = 0; i < record->leaves.count; i++) {
    text_add_char(p->out, ' ');
    print_type(p, record->leaves.data[i].type);
    text_printf(p->out, " at %u", record->leaves.data[i].offset_bytes);
  }
  text_add(p->out, " }\n");
}

static void print_tile(Printer *p, const IrTileShape *shape) {
  text_add(p->out, "tile ");
  print_type(p, shape->element);
  text_add(p->out, " [");
  for (uint32_t i = 0; i < shape->rank; i++)
    text_printf(p->out, i ? ", %u" : "%u", shape->extents[i]);
  text_add(p->out, "]\n");
}

static void print_locs(Printer *p) {
  const IrModule *module = p->module;
  text_add(p->out, "\nlocations {\n");
  for (IrLocId i = 1; i < module->locs.count; i++) {
    const IrLoc *loc = &module->locs.data[i];
    text_printf(p->out, "  !%u ", i);
    if (loc->place.file)
      print_string(p->out, loc->place.file);
    else
      text_add_char(p->out, '_');
    text_printf(p->out, " %u:%u %u:%u", loc->place.line, loc->place.col,
                loc->place.end_line, loc->place.end_col);
    if (loc->place.is_own)
      text_add(p->out, " own");
    if (loc->parent)
      text_printf(p->out, " in !%u", loc->parent);
    if (loc->callee) {
      text_add_char(p->out, ' ');
      print_string(p->out, loc->callee);
    }
    text_add_char(p->out, '\n');
  }
  text_add(p->out, "}\n");
}

static void print_module(const IrModule *module, Text *out, bool hides_level) {
  Printer printer = {.module = module, .out = out, .hides_level = hides_level};
  text_add(out, "heddle-ir 1\nmodule ");
  print_string(out, module->name ? module->name : "");
  text_add_char(out, '\n');
  for (uint32_t i = 0; i < module->structs.count; i++)
    print_struct(&printer, module->structs.data[i]);
  for (uint32_t i = 0; i < module->tiles.count; i++)
    print_tile(&printer, &module->tiles.data[i]);
  print_name_objects(&printer);
  for (uint32_t i = 0; i < module->globals.count; i++) {
    text_add(out, "global ");
    print_object(&printer, module->globals.data[i]);
  }
  for (uint32_t i = 0; i < module->kernels.count; i++)
    print_kernel(&printer, module->kernels.data[i]);
  print_locs(&printer);
}

void ir_print(const IrModule *module, Text *out) {
  print_module(module, out, false);
}

void ir_print_program(const IrModule *module, Text *out) {
  print_module(module, out, true);
}
