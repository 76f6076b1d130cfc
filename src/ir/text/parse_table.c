// SPDX-License-Identifier: Apache-2.0
// Types, references, host expressions and object rows of the IR's text form.
#include "ir/form/words.h"
#include "ir/text/parse.h"
#include <string.h>

enum { MAX_HOST_DEPTH = 200 };

// ---------------------------------------------------------------- types

// Splits "f32x4" into 4 lanes and the length before them.
static uint8_t parse_table_lanes_of(const char *text, uint32_t *length) {
  if (*length < 3 || text[*length - 2] != 'x')
    return 1;
  char digit = text[*length - 1];
  if (digit < '2' || digit > '4')
    return 1;
  *length -= 2;
  return (uint8_t)(digit - '0');
}

static uint32_t small_number(const char *text, uint32_t length) {
  uint32_t value = 0;
  for (uint32_t i = 0; i < length; i++) {
    if (text[i] < '0' || text[i] > '9' || value > UINT32_MAX / 20)
      return UINT32_MAX;
    value = value * 10 + (uint32_t)(text[i] - '0');
  }
  return length ? value : UINT32_MAX;
}

// What follows the dot: the space of a pointer, the row of a struct or tile.
static bool type_suffix(IrParser *p, IrType *type, const char *text,
                        uint32_t length) {
  if (type->kind == IR_TYPE_PTR) {
    int space = ir_word_find(ir_words_space, text, length);
    type->space = (uint8_t)(space < 0 ? 0 : space);
    return space >= 0;
  }
  type->index = small_number(text, length);
  if (type->kind == IR_TYPE_STRUCT)
    return type->index < p->module->structs.count;
  if (type->kind == IR_TYPE_TILE)
    return type->index < p->module->tiles.count;
  type->index = 0;
  return text == NULL;
}

IrType irp_type(IrParser *p) {
  IrType type = {.lanes = 1};
  if (p->token.kind != IRT_WORD) {
    irp_expected(p, "a type");
    return type;
  }
  const char *text = p->token.text;
  uint32_t length = p->token.length;
  type.lanes = parse_table_lanes_of(text, &length);
  const char *dot = memchr(text, '.', length);
  uint32_t head = dot ? (uint32_t)(dot - text) : length;
  int kind = ir_word_find(ir_words_type, text, head);
  type.kind = (uint8_t)(kind < 0 ? 0 : kind);
  const char *suffix = dot ? dot + 1 : NULL;
  uint32_t suffix_length = dot ? length - head - 1 : 0;
  if (kind < 0 || !type_suffix(p, &type, suffix, suffix_length))
    irp_expected(p, "a type");
  irp_next(p);
  return type;
}

// ----------------------------------------------------------- references

IrLocId irp_loc(IrParser *p) {
  if (p->token.kind != IRT_LOC)
    return 0;
  Span span = p->token.span;
  uint64_t number = irp_mark(p, IRT_LOC, "a location");
  if (number > IR_MAX_NODES) {
    irp_fail(p, DIAG_ir_undefined, span, "location");
    return 0;
  }
  if (number > p->max_loc) {
    p->max_loc = (IrLocId)number;
    p->max_loc_span = span;
  }
  return (IrLocId)number;
}

IrGroup *irp_group(IrParser *p) {
  Span span = p->token.span;
  uint64_t number = irp_mark(p, IRT_GROUP, "a group");
  if (!p->failed && number >= p->kernel->groups.count)
    irp_fail(p, DIAG_ir_undefined, span, "group");
  return p->failed ? NULL : p->kernel->groups.data[number];
}

uint32_t irp_var(IrParser *p) {
  Span span = p->token.span;
  const char *name = irp_name(p, IRT_VAR, "a variable");
  uint64_t index = (uint64_t)(uintptr_t)map_get(&p->vars, MAP_KEY(name));
  if (!index)
    irp_fail(p, DIAG_ir_undefined, span, "variable");
  return index ? (uint32_t)(index - 1) : 0;
}

static IrObject *find_object(IrParser *p, const char *name, Span span) {
  IrObject *object = map_get(&p->objects, MAP_KEY(name));
  if (!object)
    object = map_get(&p->globals, MAP_KEY(name));
  if (!object)
    irp_fail(p, DIAG_ir_undefined, span, "object");
  return object;
}

IrObject *irp_object_ref(IrParser *p) {
  Span span = p->token.span;
  const char *name = irp_name(p, IRT_OBJECT, "an object");
  return p->failed ? NULL : find_object(p, name, span);
}

void irp_object_later(IrParser *p, IrObject **slot) {
  IrFixup fixup = {.object = slot, .span = p->token.span};
  fixup.name = irp_name(p, IRT_OBJECT, "an object");
  VEC_PUSH(p->arena, &p->fixups, fixup);
}

void irp_label_later(IrParser *p, IrNode **slot) {
  IrFixup fixup = {.node = slot, .span = p->token.span};
  fixup.number = irp_mark(p, IRT_LABEL, "a label");
  VEC_PUSH(p->arena, &p->fixups, fixup);
}

// ----------------------------------------------------- host expressions

static IrHost *parse_host(IrParser *p, uint32_t depth);

// "add" or "add.f".
static void host_operation(IrParser *p, IrHost *host) {
  IrToken *token = &p->token;
  if (token->kind == IRT_WORD && token->length > 2 &&
      memcmp(token->text + token->length - 2, ".f", 2) == 0) {
    host->is_float = true;
    token->length -= 2;
  }
  host->op = (IrHostOp)irp_word_of(p, ir_words_host, "a host operation");
}

static IrHost *host_real(IrParser *p, IrHost *host) {
  irp_next(p);
  host->op = HOST_CONST;
  host->is_float = true;
  uint64_t bits = irp_unsigned(p, UINT64_MAX);
  memcpy(&host->real, &bits, sizeof bits);
  irp_expect_punct(p, ')');
  return host;
}

static IrHost *host_compound(IrParser *p, IrHost *host, uint32_t depth) {
  if (irp_is_word(p, "real"))
    return host_real(p, host);
  host_operation(p, host);
  if (p->token.kind == IRT_OBJECT)
    irp_object_later(p, &host->object);
  if (p->token.kind == IRT_OBJECT)
    irp_object_later(p, &host->other);
  if (host->op == HOST_PARAM || host->op == HOST_EXTENT)
    host->number = irp_signed(p, 0, INT64_MAX);
  while (!irp_is_punct(p, ')') && !p->failed) {
    if (p->token.kind == IRT_END || host->n_args == 3) {
      irp_expected(p, "')'");
      break;
    }
    host->args[host->n_args++] = parse_host(p, depth + 1);
  }
  irp_expect_punct(p, ')');
  return host;
}

static IrHost *parse_host(IrParser *p, uint32_t depth) {
  if (irp_accept_word(p, "_"))
    return NULL;
  IrHost *host = ARENA_NEW(p->arena, IrHost);
  if (depth > MAX_HOST_DEPTH) {
    irp_fail(p, DIAG_ir_too_large, p->token.span, "nested host expressions");
    return host;
  }
  if (irp_accept_punct(p, '('))
    return host_compound(p, host, depth);
  host->op = HOST_CONST;
  host->number = irp_signed(p, INT64_MIN, INT64_MAX);
  return host;
}

IrHost *irp_host(IrParser *p) {
  return parse_host(p, 0);
}

// A list in brackets; returns the number of its elements.
static uint8_t host_list(IrParser *p, IrHost **hosts) {
  uint8_t count = 0;
  irp_expect_punct(p, '[');
  while (!irp_accept_punct(p, ']') && !p->failed) {
    if (count == IR_MAX_RANK) {
      irp_fail(p, DIAG_ir_too_large, p->token.span, "dimensions");
      break;
    }
    if (count)
      irp_expect_punct(p, ',');
    hosts[count++] = irp_host(p);
  }
  return count;
}

// -------------------------------------------------------------- objects

static void object_map(IrParser *p, IrObject *object) {
  object->linear_map = ARENA_ARRAY(p->arena, uint64_t, 64);
  irp_expect_punct(p, '[');
  while (!irp_accept_punct(p, ']') && !p->failed) {
    if (object->n_map_bits == 64) {
      irp_fail(p, DIAG_ir_too_large, p->token.span, "bits of a linear layout");
      break;
    }
    if (object->n_map_bits)
      irp_expect_punct(p, ',');
    object->linear_map[object->n_map_bits++] = irp_unsigned(p, UINT64_MAX);
  }
}

static int hex_of(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// One word "x00ff…" of initial bytes.
static void bytes_word(IrParser *p, Text *bytes) {
  const char *text = p->token.text;
  uint32_t length = p->token.length;
  bool is_good = p->token.kind == IRT_WORD && text[0] == 'x' && length % 2 == 1;
  for (uint32_t i = 1; is_good && i < length; i += 2) {
    int high = hex_of(text[i]), low = hex_of(text[i + 1]);
    is_good = high >= 0 && low >= 0;
    text_add_char(bytes, (char)(high * 16 + low));
  }
  if (is_good)
    irp_next(p);
  else
    irp_expected(p, "bytes (x and pairs of hexadecimal digits)");
}

static void object_initial(IrParser *p, IrObject *object) {
  Span span = p->token.span;
  object->initial_bytes = irp_unsigned(p, UINT64_MAX);
  if (irp_accept_word(p, "zeros"))
    return;
  Text bytes = {.arena = p->arena};
  irp_expect_punct(p, '{');
  while (!irp_accept_punct(p, '}') && !p->failed)
    bytes_word(p, &bytes);
  object->initial = text_cstr(&bytes);
  if (bytes.length != object->initial_bytes)
    irp_fail(p, DIAG_ir_number, span, "the number of bytes that follow");
}

static bool object_flag(IrParser *p, IrObject *object) {
  const struct {
    const char *word;
    bool *flag;
  } flags[] = {
      {"const", &object->is_const},
      {"pointer", &object->is_plain_pointer},
      {"restrict", &object->is_restrict},
      {"strided", &object->has_strides},
      {"table", &object->is_table},
      {"address_taken", &object->address_taken},
      {"cluster_shared", &object->is_cluster_shared},
      {"tensor_memory", &object->is_tensor},
      {"uninitialised_ok", &object->is_uninitialised_ok},
      {"marks_barrier", &object->marks_barrier},
      {"signed", &object->is_signed},
      {"may_be_overwritten", &object->may_be_overwritten},
  };

  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
    if (irp_accept_word(p, flags[i].word)) {
      *flags[i].flag = true;
      return true;
    }
  if (p->token.kind != IRT_WORD)
    return false;
  int bit = ir_word_find(ir_words_fact, p->token.text, p->token.length);
  if (bit < 0)
    return false;
  object->facts |= UINT32_C(1) << bit;
  irp_next(p);
  return true;
}

static bool object_place(IrParser *p, IrObject *object) {
  if (!p->kernel) // at file scope there are no parameters, groups or regions
    return false;
  if (irp_accept_word(p, "bound"))
    object->param = (int32_t)irp_unsigned(p, INT32_MAX);
  else if (irp_accept_word(p, "per"))
    object->group = irp_group(p);
  else if (irp_accept_word(p, "lifetime"))
    irp_label_later(p, &object->lifetime);
  else
    return false;
  return true;
}

static bool object_attribute(IrParser *p, IrObject *object) {
  if (irp_accept_word(p, "class")) {
    object->alias_class = (uint32_t)irp_unsigned(p, UINT32_MAX);
  } else if (irp_accept_word(p, "layout")) {
    object->layout = (IrLayoutKind)irp_word_of(p, ir_words_layout, "a layout");
    if (object->layout == LAYOUT_LINEAR)
      object_map(p, object);
  } else if (irp_accept_word(p, "arrivals")) {
    object->arrivals = (uint32_t)irp_unsigned(p, UINT32_MAX);
  } else if (irp_accept_word(p, "hole")) {
    IrHole hole = {.begin = irp_unsigned(p, INT32_MAX)};
    hole.end = irp_unsigned(p, INT32_MAX);
    VEC_PUSH(p->arena, &object->holes, hole);
  } else {
    return object_place(p, object) || object_flag(p, object);
  }
  return true;
}

// Space, element type and shape.
static void object_shape(IrParser *p, IrObject *object) {
  int kind = -1;
  if (p->token.kind == IRT_WORD)
    kind = ir_word_find(ir_words_object, p->token.text, p->token.length);
  if (kind >= 0) {
    object->kind = (IrObjectKind)kind;
    irp_next(p);
  }
  object->space = (IrSpace)irp_word_of(p, ir_words_space, "an address space");
  object->element = irp_type(p);
  irp_expect_word(p, "of");
  object->element_bytes = (uint32_t)irp_unsigned(p, UINT32_MAX);
  irp_expect_word(p, "extents");
  object->rank = host_list(p, object->extents);
  if (irp_accept_word(p, "strides")) {
    Span span = p->token.span;
    object->has_strides = true;
    if (host_list(p, object->strides) != object->rank)
      irp_fail(p, DIAG_ir_number, span, "as many strides as extents");
  }
  irp_expect_word(p, "align");
  object->align_bytes = (uint32_t)irp_unsigned(p, UINT32_MAX);
}

static IrObject *object_row(IrParser *p, const char *name, bool is_global) {
  IrObject *object = ARENA_NEW(p->arena, IrObject);
  const char *dot = strchr(name, '.');
  object->name =
      dot ? arena_strndup(p->arena, name, (size_t)(dot - name)) : name;
  object->param = -1;
  if (is_global) {
    object->id = p->module->globals.count;
    VEC_PUSH(p->arena, &p->module->globals, object);
  } else {
    object->id = p->kernel->objects.count;
    VEC_PUSH(p->arena, &p->kernel->objects, object);
  }
  return object;
}

void irp_object(IrParser *p, bool is_global) {
  Span span = p->token.span;
  const char *name = irp_name(p, IRT_OBJECT, "an object");
  Map *map = is_global ? &p->globals : &p->objects;
  if (!p->failed && map_get(map, MAP_KEY(name)))
    irp_fail(p, DIAG_ir_redefined, span, "object");
  IrObject *object = object_row(p, name, is_global);
  map_put(p->arena, map, MAP_KEY(name), object);
  if (irp_accept_word(p, "name"))
    object->name = irp_string(p);
  object_shape(p, object);
  while (object_attribute(p, object))
    ;
  object->loc = irp_loc(p);
  if (irp_accept_word(p, "initial"))
    object_initial(p, object);
}
