// SPDX-License-Identifier: Apache-2.0
// The bodies of kernels in the IR's text form.
#include "base/panic.h"
#include "ir/form/words.h"
#include "ir/text/parse.h"
#include <string.h>

// One node being read: its parts are gathered before it is made.
typedef struct {
  IrOp op;
  IrType type;
  uint32_t flags;
  bool has_label, has_result;
  uint64_t label, result;
  hd_vec(IrNode *) args;
  IrNode shell; // holds the attributes
} Draft;

// ---------------------------------------------------------------- values

static void value(IrParser *p, Draft *draft) {
  Span span = p->token.span;
  uint64_t number = irp_mark(p, IRT_VALUE, "a value");
  IrNode *node = map_get(&p->values, number + 1);
  if (!node)
    irp_fail(p, DIAG_ir_undefined, span, "value");
  else
    VEC_PUSH(p->arena, &draft->args, node);
}

static void values(IrParser *p, Draft *draft) {
  do
    value(p, draft);
  while (irp_accept_punct(p, ','));
}

static void optional_values(IrParser *p, Draft *draft) {
  if (p->token.kind == IRT_VALUE && !irp_starts_node(p))
    values(p, draft);
}

static uint32_t optional_word(IrParser *p, const char *name,
                              const char *const *words) {
  return irp_accept_word(p, name) ? irp_word_of(p, words, name) : 0;
}

// ------------------------------------------------------------ attributes

static void parse_node_constant(IrParser *p, Draft *draft) {
  uint32_t bits = ir_type_bits(draft->type);
  if (!bits || bits > 64 || draft->type.lanes != 1) {
    irp_expected(p, "a constant of a scalar type");
    return;
  }
  uint64_t max = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
  uint64_t read;
  if (p->token.kind == IRT_NUMBER && p->token.is_negative) {
    int64_t min = -(int64_t)(max >> 1) - 1;
    read = (uint64_t)irp_signed(p, bits == 1 ? 0 : min, 0) & max;
  } else {
    read = irp_unsigned(p, max);
  }
  draft->shell.u.constant.bits = read;
}

static void index_form(IrParser *p, Draft *draft) {
  if (p->token.kind == IRT_OBJECT)
    draft->shell.u.index.object = irp_object_ref(p);
  irp_expect_punct(p, '[');
  draft->shell.u.index.number = (uint32_t)irp_unsigned(p, UINT32_MAX);
  irp_expect_punct(p, ']');
}

static void group_form(IrParser *p, Draft *draft) {
  IrNode *shell = &draft->shell;
  shell->u.group.group = irp_group(p);
  shell->u.group.join = (IrJoin)optional_word(p, "join", ir_words_join);
  if (irp_accept_word(p, "reason"))
    shell->u.group.reason = irp_string(p);
  if (irp_accept_word(p, "array"))
    shell->u.group.array = irp_string(p);
}

static void indices(IrParser *p, Draft *draft) {
  uint32_t before = draft->args.count;
  values(p, draft);
  uint32_t count = draft->args.count - before;
  if (count > IR_MAX_RANK)
    irp_fail(p, DIAG_ir_too_large, p->token.span, "dimensions");
  draft->shell.u.access.n_index = (uint8_t)count;
  irp_expect_punct(p, ']');
}

static void parse_node_address(IrParser *p, Draft *draft) {
  IrAccess *access = &draft->shell.u.access;
  if (irp_accept_punct(p, '*'))
    value(p, draft);
  else
    access->object = irp_object_ref(p);
  if (irp_accept_punct(p, '['))
    indices(p, draft);
  access->has_offset = irp_accept_punct(p, '+');
  if (access->has_offset)
    value(p, draft);
  if (irp_accept_word(p, "offset"))
    access->offset_bytes = (uint32_t)irp_unsigned(p, UINT32_MAX);
}

static void access_form(IrParser *p, Draft *draft) {
  IrAccess *access = &draft->shell.u.access;
  parse_node_address(p, draft);
  access->type = irp_accept_punct(p, ':') ? irp_type(p) : draft->type;
  irp_expect_word(p, "align");
  access->align_bytes = (uint32_t)irp_unsigned(p, UINT32_MAX);
  access->has_guard = irp_accept_word(p, "if");
  if (access->has_guard)
    value(p, draft);
  access->bounds = (IrBounds)optional_word(p, "bounds", ir_words_bounds);
  access->order = (IrOrder)optional_word(p, "order", ir_words_order);
  access->scope = (IrScope)optional_word(p, "scope", ir_words_scope);
  access->hint = (IrHint)optional_word(p, "hint", ir_words_hint);
  access->rmw = (IrRmw)optional_word(p, "rmw", ir_words_rmw);
  if (irp_accept_punct(p, '='))
    values(p, draft);
}

static void text_form(IrParser *p, Draft *draft) {
  IrNode *shell = &draft->shell;
  if (p->token.kind == IRT_STRING)
    shell->u.text.text = irp_string(p);
  shell->u.text.order = (IrOrder)optional_word(p, "order", ir_words_order);
  shell->u.text.scope = (IrScope)optional_word(p, "scope", ir_words_scope);
  if (irp_accept_word(p, "leaves"))
    shell->u.text.unsigned_leaves = (uint32_t)irp_unsigned(p, UINT32_MAX);
}

static void loop_form(IrParser *p, Draft *draft) {
  IrNode *shell = &draft->shell;
  if (draft->op == IR_FOR) {
    shell->u.loop.var = irp_var(p);
    irp_expect_word(p, "step");
    shell->u.loop.step = irp_signed(p, INT64_MIN, INT64_MAX);
    shell->u.loop.is_signed = irp_accept_word(p, "signed");
    shell->u.loop.is_inclusive = irp_accept_word(p, "inclusive");
  }
  if (irp_accept_word(p, "unroll"))
    shell->u.loop.unroll = (int32_t)irp_signed(p, INT32_MIN, INT32_MAX);
  if (irp_accept_word(p, "stages"))
    shell->u.loop.stages = (uint32_t)irp_unsigned(p, UINT32_MAX);
  if (p->token.kind == IRT_STRING)
    shell->u.loop.callee = irp_string(p);
}

static void part_form(IrParser *p, Draft *draft) {
  IrNode *shell = &draft->shell;
  shell->u.part.group = irp_group(p);
  irp_expect_word(p, "in");
  shell->u.part.parent = irp_group(p);
  shell->u.part.is_any = irp_accept_word(p, "any");
  if (draft->op != IR_THREAD_FOR)
    return;
  shell->u.part.var = irp_var(p);
  irp_expect_word(p, "step");
  shell->u.part.step = irp_signed(p, INT64_MIN, INT64_MAX);
  shell->u.part.count = SIZE_UNKNOWN;
  if (irp_accept_word(p, "count"))
    shell->u.part.count = irp_signed(p, 0, INT64_MAX);
  shell->u.part.is_split = irp_accept_word(p, "split");
}

// Only enclosing regions have their label already.
static void exit_form(IrParser *p, Draft *draft) {
  Span span = p->token.span;
  uint64_t label = irp_mark(p, IRT_LABEL, "a label");
  IrNode *target = map_get(&p->labels, label + 1);
  if (!target)
    irp_fail(p, DIAG_ir_undefined, span, "label");
  draft->shell.u.exit.target = target;
  draft->shell.u.exit.is_continue = irp_accept_word(p, "continue");
}

static void operator_of(IrParser *p, IrOperator *by) {
  irp_expect_word(p, "by");
  by->left = irp_var(p);
  by->right = irp_var(p);
  by->result = irp_var(p);
}

static void collective_form(IrParser *p, Draft *draft) {
  IrNode *shell = &draft->shell;
  shell->u.collective.group = irp_group(p);
  if (ir_op_table[draft->op].flags & OPF_REGION) {
    operator_of(p, &shell->u.by);
  } else {
    irp_expect_word(p, "rmw");
    shell->u.collective.combine = (IrRmw)irp_word_of(p, ir_words_rmw, "rmw");
  }
  shell->u.collective.is_exclusive = irp_accept_word(p, "exclusive");
}

static void section(IrParser *p, IrSection *section) {
  section->object = irp_object_ref(p);
  if (!irp_accept_punct(p, '['))
    return;
  for (uint32_t i = 0; i < IR_MAX_RANK && !p->failed; i++) {
    section->length[i] = irp_signed(p, 0, INT64_MAX);
    if (irp_accept_punct(p, ']'))
      return;
    irp_expect_punct(p, ',');
  }
  irp_fail(p, DIAG_ir_too_large, p->token.span, "dimensions");
}

static void copy_form(IrParser *p, Draft *draft) {
  IrNode *shell = &draft->shell;
  shell->u.copy.group = irp_group(p);
  if (draft->op == IR_COPY_BYTES || draft->op == IR_COPY_BULK ||
      draft->op == IR_BULK_STORE) {
    irp_expect_word(p, "align");
    shell->u.copy.align_bytes = (uint32_t)irp_signed(p, 0, 16);
  } else {
    section(p, &shell->u.copy.to);
    irp_expect_word(p, "from");
    section(p, &shell->u.copy.from);
  }
  if (irp_accept_word(p, "on"))
    shell->u.copy.barrier = irp_object_ref(p);
  shell->u.copy.has_mask = irp_accept_word(p, "mask");
  if (draft->op == IR_TMA_REDUCE)
    shell->u.copy.rmw = (IrRmw)optional_word(p, "rmw", ir_words_rmw);
}

static void numbers(IrParser *p, IrNode *shell) {
  if (!irp_accept_punct(p, '['))
    return;
  do {
    if (shell->u.tile.n_numbers == IR_MAX_TILE_RANK) {
      irp_fail(p, DIAG_ir_too_large, p->token.span, "dimensions");
      return;
    }
    shell->u.tile.numbers[shell->u.tile.n_numbers++] =
        (int32_t)irp_signed(p, INT32_MIN, INT32_MAX);
  } while (irp_accept_punct(p, ','));
  irp_expect_punct(p, ']');
}

static void tile_form(IrParser *p, Draft *draft) {
  IrNode *shell = &draft->shell;
  if (ir_op_table[draft->op].flags & OPF_REGION)
    operator_of(p, &shell->u.by);
  shell->u.tile.combine =
      (IrCombine)optional_word(p, "combine", ir_words_combine);
  if (irp_accept_word(p, "axis"))
    shell->u.tile.axis = (uint8_t)irp_unsigned(p, UINT8_MAX);
  if (irp_accept_word(p, "axes"))
    shell->u.tile.axes = (uint8_t)irp_unsigned(p, UINT8_MAX);
  shell->u.tile.is_exclusive = irp_accept_word(p, "exclusive");
  shell->u.tile.is_reverse = irp_accept_word(p, "reverse");
  shell->u.tile.is_fast = irp_accept_word(p, "fast_acc");
  numbers(p, shell);
}

static void section_index(IrParser *p, Draft *draft, uint32_t i) {
  IrNode *shell = &draft->shell;
  if (irp_accept_punct(p, '*'))
    shell->u.section.kind[i] = SECTION_GATHER;
  value(p, draft);
  if (!irp_accept_punct(p, ':'))
    return;
  shell->u.section.kind[i] = SECTION_RANGE;
  shell->u.section.length[i] = (uint32_t)irp_unsigned(p, UINT32_MAX);
}

static void section_indices(IrParser *p, Draft *draft) {
  if (!irp_accept_punct(p, '['))
    return;
  uint32_t i = 0;
  do {
    if (i == IR_MAX_RANK) {
      irp_fail(p, DIAG_ir_too_large, p->token.span, "dimensions");
      return;
    }
    section_index(p, draft, i++);
  } while (irp_accept_punct(p, ','));
  irp_expect_punct(p, ']');
}

static void section_form(IrParser *p, Draft *draft) {
  IrNode *shell = &draft->shell;
  shell->u.section.object = irp_object_ref(p);
  section_indices(p, draft);
  shell->u.section.has_view = irp_accept_word(p, "view");
  shell->u.section.has_mask = irp_accept_word(p, "mask");
  shell->u.section.has_pad = irp_accept_word(p, "pad");
  shell->u.section.is_unchecked = irp_accept_word(p, "unchecked");
  shell->u.section.is_update = irp_accept_word(p, "update");
  shell->u.section.order = (IrOrder)optional_word(p, "order", ir_words_order);
  shell->u.section.scope = (IrScope)optional_word(p, "scope", ir_words_scope);
  shell->u.section.hint = (IrHint)optional_word(p, "hint", ir_words_hint);
  shell->u.section.rmw = (IrRmw)optional_word(p, "rmw", ir_words_rmw);
  if (irp_accept_punct(p, '='))
    values(p, draft);
}

static void attributes(IrParser *p, Draft *draft) {
  switch (ir_op_table[draft->op].form) {
  case FORM_PLAIN: break;
  case FORM_CONST: parse_node_constant(p, draft); break;
  case FORM_VAR: draft->shell.u.variable.var = irp_var(p); break;
  case FORM_INDEX: index_form(p, draft); break;
  case FORM_GROUP: group_form(p, draft); break;
  case FORM_ACCESS: access_form(p, draft); return;
  case FORM_TEXT: text_form(p, draft); break;
  case FORM_LOOP: loop_form(p, draft); break;
  case FORM_PART: part_form(p, draft); break;
  case FORM_EXIT: exit_form(p, draft); break;
  case FORM_COLLECTIVE: collective_form(p, draft); break;
  case FORM_BARRIER: draft->shell.u.barrier.object = irp_object_ref(p); break;
  case FORM_COPY: copy_form(p, draft); break;
  case FORM_TILE: tile_form(p, draft); break;
  case FORM_SECTION: section_form(p, draft); return;
  }
  optional_values(p, draft);
}

// ----------------------------------------------------------------- nodes

static uint32_t flag_words(IrParser *p, const char *text, uint32_t length) {
  uint32_t flags = 0;
  while (length && !p->failed) {
    text++, length--; // the dot
    const char *dot = memchr(text, '.', length);
    uint32_t size = dot ? (uint32_t)(dot - text) : length;
    int bit = ir_word_find(ir_words_flag, text, size);
    if (bit < 0)
      irp_expected(p, "an operation");
    else
      flags |= UINT32_C(1) << bit;
    text += size, length -= size;
  }
  return flags;
}

static void mnemonic(IrParser *p, Draft *draft) {
  if (p->token.kind != IRT_WORD) {
    irp_expected(p, "an operation");
    return;
  }
  const char *text = p->token.text;
  uint32_t length = p->token.length;
  const char *dot = memchr(text, '.', length);
  uint32_t head = dot ? (uint32_t)(dot - text) : length;
  const char *name = intern_text(p->names, text, head);
  const IrOpInfo *info = map_get(&p->ops, MAP_KEY(name));
  if (!info) {
    irp_expected(p, "an operation");
    return;
  }
  draft->op = (IrOp)(info - ir_op_table);
  draft->flags = flag_words(p, text + head, length - head);
  irp_next(p);
}

static void define(IrParser *p, Map *map, uint64_t number, IrNode *node,
                   Span span, const char *what) {
  if (number > IR_MAX_NODES)
    irp_fail(p, DIAG_ir_too_large, span, "nodes");
  else if (map_get(map, number + 1))
    irp_fail(p, DIAG_ir_redefined, span, what);
  else
    map_put(p->arena, map, number + 1, node);
}

static IrNode *make_node(IrParser *p, IrRegion *region, Draft *draft,
                         Span span) {
  IrLocId loc = irp_loc(p);
  if (p->failed)
    return NULL;
  if (p->kernel->n_nodes >= IR_MAX_NODES) {
    irp_fail(p, DIAG_ir_too_large, span, "nodes");
    return NULL;
  }
  IrNode *node = ir_node_new(p->kernel, region, draft->op, draft->type, loc,
                             draft->args.data, draft->args.count);
  node->flags = draft->flags;
  node->u = draft->shell.u;
  VEC_PUSH(p->arena, &p->node_spans, span);
  if (draft->has_result)
    define(p, &p->values, draft->result, node, span, "value");
  if (draft->has_label)
    define(p, &p->labels, draft->label, node, span, "label");
  return node;
}

static IrNode *node(IrParser *p, IrRegion *region) {
  Draft draft = {.op = IR_CONST, .type = {.lanes = 1}};
  Span span = p->token.span;
  draft.has_result = p->token.kind == IRT_VALUE;
  if (draft.has_result) {
    draft.result = irp_mark(p, IRT_VALUE, "a value");
    irp_expect_punct(p, '=');
  }
  mnemonic(p, &draft);
  if (draft.has_result && !p->failed)
    draft.type = irp_type(p);
  draft.has_label = !p->failed && ir_op_table[draft.op].form != FORM_EXIT &&
                    p->token.kind == IRT_LABEL;
  if (draft.has_label)
    draft.label = irp_mark(p, IRT_LABEL, "a label");
  if (p->failed)
    return NULL;
  attributes(p, &draft);
  return make_node(p, region, &draft, span);
}

// ---------------------------------------------------------------- regions

typedef struct {
  IrRegion *region;
  hd_vec(IrRegion *) outer;
} OpenRegions;

static void open_region(IrParser *p, OpenRegions *at, IrRegion *region) {
  irp_expect_punct(p, '{');
  VEC_PUSH(p->arena, &at->outer, at->region);
  at->region = region;
  if (at->outer.count > IR_MAX_DEPTH)
    irp_fail(p, DIAG_ir_too_large, p->token.span, "regions inside one another");
}

// After '}': the else branch, or the region outside.
static void close_region(IrParser *p, OpenRegions *at) {
  IrNode *owner = at->region->owner;
  bool was_then =
      owner && owner->op == IR_IF && at->region == &owner->regions[0];
  at->region = VEC_POP(&at->outer);
  if (was_then && irp_accept_word(p, "else"))
    open_region(p, at, &owner->regions[1]);
}

void irp_body(IrParser *p) {
  OpenRegions at = {0};
  open_region(p, &at, &p->kernel->body);
  while (at.outer.count && !p->failed) {
    if (irp_accept_punct(p, '}')) {
      close_region(p, &at);
      continue;
    }
    IrNode *made = node(p, at.region);
    if (made && made->n_regions)
      open_region(p, &at, &made->regions[0]);
  }
}
