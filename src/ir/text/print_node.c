// SPDX-License-Identifier: Apache-2.0
// One node as a line of text.
#include "ir/form/words.h"
#include "ir/text/print.h"
#include <inttypes.h>
#include <string.h>

static void print_value(Printer *p, const IrNode *node) {
  uint32_t number =
      node && node->id < p->kernel->n_nodes ? p->numbers[node->id] : 0;
  if (number)
    text_printf(p->out, "%%%u", number - 1);
  else
    text_add(p->out, "%?");
}

static void print_values(Printer *p, const IrNode *node, uint32_t from) {
  for (uint32_t i = from; i < node->n_args; i++) {
    text_add(p->out, i > from ? ", " : " ");
    print_value(p, node->args[i]);
  }
}

// ------------------------------------------------------------- constants

static void print_constant(Printer *p, const IrNode *node) {
  uint64_t bits = node->u.constant.bits;
  IrType type = node->type;
  if (!ir_type_is_int(type)) {
    text_printf(p->out, " 0x%" PRIx64, bits);
    return;
  }
  uint32_t unused = 64 - ir_type_bits(type);
  // An arithmetic shift; written so that it doesn't depend on the compiler.
  int64_t value = (int64_t)(bits << unused);
  value = value / (INT64_C(1) << (unused < 63 ? unused : 62));
  text_printf(p->out, " %" PRId64, value);
}

// What the bits of a float constant mean, for people.
static void print_constant_comment(Printer *p, const IrNode *node) {
  uint64_t bits = node->u.constant.bits;
  if (node->op != IR_CONST)
    return;
  if (node->type.kind == IR_TYPE_F32) {
    uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof value);
    text_printf(p->out, " // %.9g", (double)value);
  } else if (node->type.kind == IR_TYPE_F64) {
    double value;
    memcpy(&value, &bits, sizeof value);
    text_printf(p->out, " // %.17g", value);
  }
}

// -------------------------------------------------------------- accesses

static void print_word(Printer *p, const char *name, uint32_t value,
                       const char *const *words) {
  if (value)
    text_printf(p->out, " %s %s", name, words[value]);
}

static uint32_t print_address(Printer *p, const IrNode *node) {
  const IrAccess *access = &node->u.access;
  uint32_t next = 0;
  text_add_char(p->out, ' ');
  if (access->object) {
    print_object_name(p, access->object);
  } else {
    text_add_char(p->out, '*');
    print_value(p, node->n_args ? node->args[next] : NULL);
    next++;
  }
  for (uint32_t i = 0; i < access->n_index && next < node->n_args; i++) {
    text_add(p->out, i ? ", " : "[");
    print_value(p, node->args[next++]);
  }
  if (access->n_index)
    text_add_char(p->out, ']');
  if (access->has_offset && next < node->n_args) {
    text_add(p->out, " + ");
    print_value(p, node->args[next++]);
  }
  return next;
}

static void print_access(Printer *p, const IrNode *node) {
  const IrAccess *access = &node->u.access;
  uint32_t next = print_address(p, node);
  if (access->offset_bytes)
    text_printf(p->out, " offset %u", access->offset_bytes);
  if (!ir_type_equal(access->type, node->type)) {
    text_add(p->out, " : ");
    print_type(p, access->type);
  }
  text_printf(p->out, " align %u", access->align_bytes);
  if (access->has_guard && next < node->n_args) {
    text_add(p->out, " if ");
    print_value(p, node->args[next++]);
  }
  print_word(p, "bounds", access->bounds, ir_words_bounds);
  print_word(p, "order", access->order, ir_words_order);
  print_word(p, "scope", access->scope, ir_words_scope);
  print_word(p, "hint", access->hint, ir_words_hint);
  if (node->op == IR_RMW)
    text_printf(p->out, " rmw %s", ir_words_rmw[access->rmw]);
  if (next < node->n_args) {
    text_add(p->out, " =");
    print_values(p, node, next);
  }
}

// ------------------------------------------------------ other attributes

static void print_index(Printer *p, const IrNode *node) {
  text_add_char(p->out, ' ');
  if (node->u.index.object)
    print_object_name(p, node->u.index.object);
  text_printf(p->out, "[%u]", node->u.index.number);
}

static void print_group_form(Printer *p, const IrNode *node) {
  text_add_char(p->out, ' ');
  print_group(p, node->u.group.group);
  print_word(p, "join", node->u.group.join, ir_words_join);
  if (node->u.group.reason) {
    text_add(p->out, " reason ");
    print_string(p->out, node->u.group.reason);
  }
  if (node->u.group.array) {
    text_add(p->out, " array ");
    print_string(p->out, node->u.group.array);
  }
}

static void print_text_form(Printer *p, const IrNode *node) {
  if (node->u.text.text) {
    text_add_char(p->out, ' ');
    print_string(p->out, node->u.text.text);
  }
  print_word(p, "order", node->u.text.order, ir_words_order);
  print_word(p, "scope", node->u.text.scope, ir_words_scope);
  if (node->u.text.unsigned_leaves)
    text_printf(p->out, " leaves %" PRIu32, node->u.text.unsigned_leaves);
}

static void print_loop(Printer *p, const IrNode *node) {
  if (node->op == IR_FOR) {
    text_add_char(p->out, ' ');
    print_var(p, node->u.loop.var);
    text_printf(p->out, " step %" PRId64, node->u.loop.step);
    if (node->u.loop.is_signed)
      text_add(p->out, " signed");
    if (node->u.loop.is_inclusive)
      text_add(p->out, " inclusive");
  }
  if (node->u.loop.unroll)
    text_printf(p->out, " unroll %" PRId32, node->u.loop.unroll);
  if (node->u.loop.stages)
    text_printf(p->out, " stages %u", node->u.loop.stages);
  if (node->u.loop.callee) {
    text_add_char(p->out, ' ');
    print_string(p->out, node->u.loop.callee);
  }
}

static void print_part(Printer *p, const IrNode *node) {
  text_add_char(p->out, ' ');
  print_group(p, node->u.part.group);
  text_add(p->out, " in ");
  print_group(p, node->u.part.parent);
  if (node->u.part.is_any)
    text_add(p->out, " any");
  if (node->op != IR_THREAD_FOR)
    return;
  text_add_char(p->out, ' ');
  print_var(p, node->u.part.var);
  text_printf(p->out, " step %" PRId64, node->u.part.step);
  if (node->u.part.count != SIZE_UNKNOWN)
    text_printf(p->out, " count %" PRId64, node->u.part.count);
  if (node->u.part.is_split)
    text_add(p->out, " split");
}

static void print_operator(Printer *p, const IrOperator *by) {
  text_add(p->out, " by ");
  print_var(p, by->left);
  text_add_char(p->out, ' ');
  print_var(p, by->right);
  text_add_char(p->out, ' ');
  print_var(p, by->result);
}

static void print_collective(Printer *p, const IrNode *node) {
  text_add_char(p->out, ' ');
  print_group(p, node->u.collective.group);
  if (node->n_regions) {
    print_operator(p, &node->u.by);
  } else {
    text_printf(p->out, " rmw %s", ir_words_rmw[node->u.collective.combine]);
  }
  if (node->u.collective.is_exclusive)
    text_add(p->out, " exclusive");
}

static void print_section(Printer *p, const IrSection *section) {
  text_add_char(p->out, ' ');
  print_object_name(p, section->object);
  for (uint32_t i = 0; i < section->object->rank; i++)
    text_printf(p->out, "%s%" PRId64, i ? ", " : "[", section->length[i]);
  if (section->object->rank)
    text_add_char(p->out, ']');
}

static void print_copy(Printer *p, const IrNode *node) {
  text_add_char(p->out, ' ');
  print_group(p, node->u.copy.group);
  if (ir_copies_bytes(node)) {
    text_printf(p->out, " align %" PRIu32, node->u.copy.align_bytes);
  } else {
    print_section(p, &node->u.copy.to);
    text_add(p->out, " from");
    print_section(p, &node->u.copy.from);
  }
  if (node->u.copy.barrier) {
    text_add(p->out, " on ");
    print_object_name(p, node->u.copy.barrier);
  }
  if (node->u.copy.has_mask)
    text_add(p->out, " mask");
  if (node->op == IR_TMA_REDUCE)
    text_printf(p->out, " rmw %s", ir_words_rmw[node->u.copy.rmw]);
}

static void print_numbers(Printer *p, const IrNode *node) {
  text_add(p->out, " [");
  for (uint32_t i = 0; i < node->u.tile.n_numbers; i++)
    text_printf(p->out, "%s%" PRId32, i ? ", " : "", node->u.tile.numbers[i]);
  text_add_char(p->out, ']');
}

static void print_tile_form(Printer *p, const IrNode *node) {
  if (node->n_regions)
    print_operator(p, &node->u.by);
  print_word(p, "combine", node->u.tile.combine, ir_words_combine);
  if (node->u.tile.axis)
    text_printf(p->out, " axis %u", node->u.tile.axis);
  if (node->u.tile.axes)
    text_printf(p->out, " axes %u", node->u.tile.axes);
  if (node->u.tile.is_exclusive)
    text_add(p->out, " exclusive");
  if (node->u.tile.is_reverse)
    text_add(p->out, " reverse");
  if (node->u.tile.is_fast)
    text_add(p->out, " fast_acc");
  if (node->u.tile.n_numbers)
    print_numbers(p, node);
}

// @A[%0 : 64, %1, * %2]
static void print_section_indices(Printer *p, const IrNode *node) {
  const IrObject *object = node->u.section.object;
  for (uint32_t i = 0; i < object->rank && i < node->n_args; i++) {
    text_add(p->out, i ? ", " : "[");
    if (node->u.section.kind[i] == SECTION_GATHER)
      text_add(p->out, "* ");
    print_value(p, node->args[i]);
    if (node->u.section.kind[i] == SECTION_RANGE)
      text_printf(p->out, " : %" PRIu32, node->u.section.length[i]);
  }
  if (object->rank)
    text_add_char(p->out, ']');
}

static void print_section_access(Printer *p, const IrNode *node) {
  text_add_char(p->out, ' ');
  print_object_name(p, node->u.section.object);
  print_section_indices(p, node);
  if (node->u.section.has_view)
    text_add(p->out, " view");
  if (node->u.section.has_mask)
    text_add(p->out, " mask");
  if (node->u.section.has_pad)
    text_add(p->out, " pad");
  if (node->u.section.is_unchecked)
    text_add(p->out, " unchecked");
  if (node->u.section.is_update)
    text_add(p->out, " update");
  print_word(p, "order", node->u.section.order, ir_words_order);
  print_word(p, "scope", node->u.section.scope, ir_words_scope);
  print_word(p, "hint", node->u.section.hint, ir_words_hint);
  if (node->op == IR_TILE_RMW)
    text_printf(p->out, " rmw %s", ir_words_rmw[node->u.section.rmw]);
  if (node->n_args > node->u.section.object->rank) {
    text_add(p->out, " =");
    print_values(p, node, node->u.section.object->rank);
  }
}

static void print_attributes(Printer *p, const IrNode *node) {
  switch (ir_op_info(node)->form) {
  case FORM_PLAIN: break;
  case FORM_CONST: print_constant(p, node); break;
  case FORM_VAR:
    text_add_char(p->out, ' ');
    print_var(p, node->u.variable.var);
    break;
  case FORM_INDEX: print_index(p, node); break;
  case FORM_GROUP: print_group_form(p, node); break;
  case FORM_ACCESS: print_access(p, node); break;
  case FORM_TEXT: print_text_form(p, node); break;
  case FORM_LOOP: print_loop(p, node); break;
  case FORM_PART: print_part(p, node); break;
  case FORM_COLLECTIVE: print_collective(p, node); break;
  case FORM_BARRIER:
    text_add_char(p->out, ' ');
    print_object_name(p, node->u.barrier.object);
    break;
  case FORM_COPY: print_copy(p, node); break;
  case FORM_TILE: print_tile_form(p, node); break;
  case FORM_SECTION: print_section_access(p, node); break;
  case FORM_EXIT:
    text_add_char(p->out, ' ');
    print_label(p, node->u.exit.target);
    if (node->u.exit.is_continue)
      text_add(p->out, " continue");
    break;
  }
}

void print_node(Printer *p, const IrNode *node) {
  const IrOpInfo *info = ir_op_info(node);
  bool has_result = node->type.kind != IR_TYPE_VOID;
  if (has_result) {
    print_value(p, node);
    text_add(p->out, " = ");
  }
  text_add(p->out, info->text);
  for (uint32_t bit = 0; ir_words_flag[bit]; bit++)
    if (node->flags >> bit & 1)
      text_printf(p->out, ".%s", ir_words_flag[bit]);
  if (has_result) {
    text_add_char(p->out, ' ');
    print_type(p, node->type);
  }
  if (node->op != IR_EXIT && node->id < p->kernel->n_nodes &&
      p->has_label[node->id]) {
    text_add_char(p->out, ' ');
    print_label(p, node);
  }
  print_attributes(p, node);
  if (info->form != FORM_ACCESS && info->form != FORM_SECTION)
    print_values(p, node, 0);
  print_loc(p, node->loc);
  if (node->n_regions)
    text_add(p->out, " {");
  print_constant_comment(p, node);
  text_add_char(p->out, '\n');
}
