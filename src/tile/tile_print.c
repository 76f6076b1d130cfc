// SPDX-License-Identifier: Apache-2.0
// tile_print: the name and the elements, a line for each row along the last
// axis. The first lane prints; all that it does is written in one piece.
#include "base/text.h"
#include "tile/tile_parts.h"

#include <string.h>

typedef struct {
  const IrNode *node;
  const IrNode *value;
  IrTileShape shape;
  uint32_t indent;
  IrNode *at[IR_MAX_TILE_RANK];
} Print;

static void print_with(Lower *t, const char *format, IrNode *const *args,
                       uint32_t n_args, bool is_end) {
  IrNode *node = put_node_of(t, IR_PRINTF, put_void, args, n_args);
  node->flags |= is_end ? 0 : NODE_MORE;
  node->u.text.text = arena_strdup(t->arena, format);
}

static void print_text(Lower *t, const char *format) {
  print_with(t, format, NULL, 0, false);
}

// A number as the conversion takes it.
static IrNode *tile_print_number(Lower *t, IrNode *value, bool is_unsigned,
                                 const char **format) {
  if (value->type.kind >= IR_TYPE_F16 && value->type.kind <= IR_TYPE_E5M2) {
    *format = "%g";
    IrType type = ir_scalar(IR_TYPE_F64);
    return value->type.kind == IR_TYPE_F64
               ? value
               : put_node(t, IR_FCAST, type, 1, value);
  }
  is_unsigned |= value->type.kind == IR_TYPE_BOOL;
  *format = is_unsigned ? "%llu" : "%lld";
  if (value->type.kind == IR_TYPE_I64)
    return value;
  return put_node(t, is_unsigned ? IR_ZEXT : IR_SEXT, put_type_i64, 1, value);
}

static void tile_print_value(Lower *t, const Print *p, IrNode *value) {
  const char *format;
  if (value->type.kind != IR_TYPE_STRUCT) {
    IrNode *number =
        tile_print_number(t, value, p->node->flags & NODE_UNSIGNED, &format);
    print_with(t, format, &number, 1, false);
    return;
  }
  const IrStruct *record = t->kernel->module->structs.data[value->type.index];
  uint32_t n = record->leaves.count;
  IrNode **numbers = ARENA_ARRAY(t->scratch, IrNode *, n);
  Text text = {.arena = t->scratch};
  for (uint32_t i = 0; i < n; i++) {
    IrNode *leaf =
        put_node(t, IR_EXTRACT, record->leaves.data[i].type, 1, value);
    leaf->u.index.number = i;
    bool is_unsigned = p->node->u.text.unsigned_leaves >> i & 1;
    numbers[i] = tile_print_number(t, leaf, is_unsigned, &format);
    text_printf(&text, "%s%s", i ? ", " : "(", format);
  }
  text_add(&text, ")");
  print_with(t, text_cstr(&text), numbers, n, false);
}

static void print_axis(Lower *t, Print *p, uint32_t axis) {
  if (axis == p->shape.rank) {
    TileIndex index = nest_index(t, &p->shape, p->at);
    tile_print_value(t, p, element_of(t, p->value, &index));
    return;
  }
  bool is_last = axis + 1 == p->shape.rank;
  print_text(t, "[");
  PutPlace loop = put_for(t, put_i32(t, 0), put_i32(t, p->shape.extents[axis]),
                          1, &p->at[axis]);
  PutPlace place = put_if(t, put_test(t, IR_NE, p->at[axis], put_i32(t, 0)));
  if (is_last)
    print_text(t, " ");
  else
    print_text(
        t, arena_printf(t->scratch, "\n%*s", (int)(p->indent + axis + 1), ""));
  put_end(t, place);
  print_axis(t, p, axis + 1);
  put_end(t, loop);
  print_text(t, "]");
}

static const char *print_escaped(Lower *t, const char *name) {
  Text text = {.arena = t->scratch};
  for (; *name; name++) {
    text_add_char(&text, *name);
    if (*name == '%')
      text_add_char(&text, '%');
  }
  return text_cstr(&text);
}

#define MOST_IN_LINE 64

// A short row is one printf.
static void tile_print_line(Lower *t, const Print *p) {
  uint32_t n = p->shape.extents[0];
  IrNode *numbers[MOST_IN_LINE];
  Text text = {.arena = t->scratch};
  text_printf(&text, "%s = [", print_escaped(t, p->node->u.text.text));
  for (uint32_t i = 0; i < n; i++) {
    IrNode *at = put_i32(t, i);
    TileIndex index = nest_index(t, &p->shape, &at);
    const char *format;
    numbers[i] = tile_print_number(t, element_of(t, p->value, &index),
                                   p->node->flags & NODE_UNSIGNED, &format);
    text_printf(&text, "%s%s", i ? " " : "", format);
  }
  text_add(&text, "]\n");
  print_with(t, text_cstr(&text), numbers, n, true);
}

static void tile_print_all(Lower *t, void *context) {
  Print *p = context;
  PutPlace place = put_if(t, t->is_first);
  if (p->shape.rank == 1 && p->shape.extents[0] <= MOST_IN_LINE &&
      p->shape.element.kind != IR_TYPE_STRUCT) {
    tile_print_line(t, p);
    put_end(t, place);
    return;
  }
  print_text(t, arena_printf(t->scratch,
                             "%s = ", print_escaped(t, p->node->u.text.text)));
  if (ir_is_tile(p->value->type))
    print_axis(t, p, 0);
  else
    tile_print_value(t, p, (IrNode *)(uintptr_t)p->value);
  print_with(t, "\n", NULL, 0, true);
  put_end(t, place);
}

void tile_emit_print(Lower *t, const IrNode *node) {
  Print p = {.node = node, .value = node->args[0]};
  p.shape = tile_shape_of_node(t, p.value);
  p.indent = (uint32_t)strlen(node->u.text.text) + 3;
  if (ir_is_tile(p.value->type))
    section_emit(t, &p.value, 1, tile_print_all, &p);
  else
    tile_print_all(t, &p);
  put_sync(t);
}
