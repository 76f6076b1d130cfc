// SPDX-License-Identifier: Apache-2.0
// Names, types, host expressions and objects as text.
#include "ir/form/words.h"
#include "ir/text/print.h"
#include <inttypes.h>
#include <string.h>

static void print_byte(Text *out, unsigned char c) {
  switch (c) {
  case '"': text_add(out, "\\\""); return;
  case '\\': text_add(out, "\\\\"); return;
  case '\n': text_add(out, "\\n"); return;
  case '\t': text_add(out, "\\t"); return;
  default: break;
  }
  if (c < 0x20 || c == 0x7f)
    text_printf(out, "\\x%02x", c);
  else
    text_add_char(out, (char)c);
}

void print_string(Text *out, const char *string) {
  text_add_char(out, '"');
  for (; *string; string++)
    print_byte(out, (unsigned char)*string);
  text_add_char(out, '"');
}

void print_type(Printer *p, IrType type) {
  text_add(p->out, ir_words_type[type.kind]);
  if (type.kind == IR_TYPE_STRUCT || type.kind == IR_TYPE_TILE)
    text_printf(p->out, ".%u", type.index);
  if (type.kind == IR_TYPE_PTR)
    text_printf(p->out, ".%s", ir_words_space[type.space]);
  if (type.lanes > 1)
    text_printf(p->out, "x%u", type.lanes);
}

// ---------------------------------------------------------------- names

static bool print_table_is_identifier(const char *name) {
  if (!name || !name[0] || (name[0] >= '0' && name[0] <= '9'))
    return false;
  for (; *name; name++) {
    char lower = (char)(*name | 0x20);
    if (!(lower >= 'a' && lower <= 'z') && !(*name >= '0' && *name <= '9') &&
        *name != '_')
      return false;
  }
  return true;
}

typedef struct NameUse {
  const char *name;
  struct NameUse *next;
} NameUse;

// True the first time a name comes.
static bool print_table_take_name(Printer *p, Map *taken, const char *name) {
  uint64_t hash = hash_bytes(name, strlen(name));
  NameUse *bucket = map_get(taken, hash);
  for (const NameUse *use = bucket; use; use = use->next)
    if (strcmp(use->name, name) == 0)
      return false;
  NameUse *use = ARENA_NEW(p->out->arena, NameUse);
  *use = (NameUse){name, bucket};
  map_put(p->out->arena, taken, hash, use);
  return true;
}

// `@name` where no earlier object has that name, else `@name.5`; of file-scope
// objects `@name.g5`. Those come first, so their names don't depend on kernels.
static void print_table_name_object(Printer *p, Map *taken,
                                    const IrObject *object, const char *mark) {
  Arena *arena = p->out->arena;
  const char *base =
      print_table_is_identifier(object->name) ? object->name : "";
  char *name = arena_strdup(arena, base);
  if (!base[0] || !print_table_take_name(p, taken, base))
    name = arena_printf(arena, "%s.%s%u", base, mark, object->id);
  map_put(arena, &p->objects, MAP_KEY(object), name);
}

void print_name_objects(Printer *p) {
  Map taken = {0};
  memset(&p->objects, 0, sizeof p->objects);
  for (uint32_t i = 0; i < p->module->globals.count; i++)
    print_table_name_object(p, &taken, p->module->globals.data[i], "g");
  for (uint32_t i = 0; p->kernel && i < p->kernel->objects.count; i++)
    print_table_name_object(p, &taken, p->kernel->objects.data[i], "");
}

void print_object_name(Printer *p, const IrObject *object) {
  const char *name = map_get(&p->objects, MAP_KEY(object));
  text_printf(p->out, "@%s", name ? name : "?");
}

void print_loc(Printer *p, IrLocId loc) {
  if (loc)
    text_printf(p->out, " !%u", loc);
}

void print_label(Printer *p, const IrNode *node) {
  uint32_t number = 0;
  if (node && node->id < p->kernel->n_nodes)
    number = p->numbers[node->id];
  if (number)
    text_printf(p->out, "^%u", number - 1);
  else
    text_add(p->out, "^?");
}

void print_group(Printer *p, const IrGroup *group) {
  if (group)
    text_printf(p->out, "#%u", group->id);
  else
    text_add(p->out, "#?");
}

void print_var(Printer *p, uint32_t var) {
  const char *name = NULL;
  if (var < p->kernel->vars.count)
    name = p->kernel->vars.data[var].name;
  if (print_table_is_identifier(name))
    text_printf(p->out, "$%s.%u", name, var);
  else
    text_printf(p->out, "$%u", var);
}

// ----------------------------------------------------- host expressions

static void print_host_leaf(Printer *p, const IrHost *host) {
  if (host->object) {
    text_add_char(p->out, ' ');
    print_object_name(p, host->object);
  }
  if (host->other) {
    text_add_char(p->out, ' ');
    print_object_name(p, host->other);
  }
  if (host->op == HOST_PARAM || host->op == HOST_EXTENT)
    text_printf(p->out, " %" PRId64, host->number);
}

static void print_host_real(Printer *p, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  text_printf(p->out, "(real 0x%016" PRIx64 ")", bits);
}

// Recursion: the verifier limits the depth of host expressions.
void print_host(Printer *p, const IrHost *host) {
  if (!host) {
    text_add_char(p->out, '_');
    return;
  }
  if (host->op == HOST_CONST && host->is_float) {
    print_host_real(p, host->real);
    return;
  }
  if (host->op == HOST_CONST) {
    text_printf(p->out, "%" PRId64, host->number);
    return;
  }
  text_printf(p->out, "(%s%s", ir_words_host[host->op],
              host->is_float ? ".f" : "");
  print_host_leaf(p, host);
  for (uint32_t i = 0; i < host->n_args; i++) {
    text_add_char(p->out, ' ');
    print_host(p, host->args[i]);
  }
  text_add_char(p->out, ')');
}

// -------------------------------------------------------------- objects

static void print_hosts(Printer *p, const char *name, IrHost *const *hosts,
                        uint32_t count) {
  text_printf(p->out, " %s [", name);
  for (uint32_t i = 0; i < count; i++) {
    if (i)
      text_add(p->out, ", ");
    print_host(p, hosts[i]);
  }
  text_add_char(p->out, ']');
}

static void print_object_flags(Printer *p, const IrObject *object) {
  const struct {
    bool is_set;
    const char *word;
  } flags[] = {
      {object->is_const, " const"},
      {object->is_plain_pointer, " pointer"},
      {object->is_restrict, " restrict"},
      {object->has_strides, " strided"},
      {object->is_table, " table"},
      {object->address_taken, " address_taken"},
      {object->is_cluster_shared, " cluster_shared"},
      {object->is_tensor, " tensor_memory"},
      {object->is_uninitialised_ok, " uninitialised_ok"},
      {object->marks_barrier, " marks_barrier"},
      {object->is_signed, " signed"},
      {object->may_be_overwritten, " may_be_overwritten"},
  };

  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
    if (flags[i].is_set)
      text_add(p->out, flags[i].word);
  for (uint32_t bit = 0; ir_words_fact[bit]; bit++)
    if (object->facts >> bit & 1)
      text_printf(p->out, " %s", ir_words_fact[bit]);
}

static void print_layout(Printer *p, const IrObject *object) {
  if (object->layout != LAYOUT_UNDECIDED)
    text_printf(p->out, " layout %s", ir_words_layout[object->layout]);
  if (object->layout != LAYOUT_LINEAR)
    return;
  text_add(p->out, " [");
  for (uint32_t i = 0; i < object->n_map_bits; i++)
    text_printf(p->out, i ? ", 0x%" PRIx64 : "0x%" PRIx64,
                object->linear_map[i]);
  text_add_char(p->out, ']');
}

static void print_place(Printer *p, const IrObject *object) {
  if (object->group) {
    text_add(p->out, " per ");
    print_group(p, object->group);
  }
  if (object->lifetime) {
    text_add(p->out, " lifetime ");
    print_label(p, object->lifetime);
  }
}

enum { BYTES_A_LINE = 32 };

static void print_initial(Printer *p, const IrObject *object) {
  if (!object->initial && !object->initial_bytes)
    return;
  text_printf(p->out, " initial %" PRIu64, object->initial_bytes);
  const unsigned char *bytes = object->initial;
  if (!bytes) {
    text_add(p->out, " zeros");
    return;
  }
  text_add(p->out, " {");
  for (uint64_t i = 0; i < object->initial_bytes; i++) {
    if (i % BYTES_A_LINE == 0)
      text_add(p->out, "\n    x");
    text_printf(p->out, "%02x", bytes[i]);
  }
  text_add(p->out, " }");
}

void print_object(Printer *p, const IrObject *object) {
  print_object_name(p, object);
  if (!print_table_is_identifier(object->name)) {
    text_add(p->out, " name ");
    print_string(p->out, object->name ? object->name : "");
  }
  if (object->kind != OBJECT_ARRAY)
    text_printf(p->out, " %s", ir_words_object[object->kind]);
  text_printf(p->out, " %s ", ir_words_space[object->space]);
  print_type(p, object->element);
  text_printf(p->out, " of %u", object->element_bytes);
  print_hosts(p, "extents", object->extents, object->rank);
  if (object->has_strides)
    print_hosts(p, "strides", object->strides, object->rank);
  text_printf(p->out, " align %u", object->align_bytes);
  if (object->alias_class)
    text_printf(p->out, " class %u", object->alias_class);
  print_object_flags(p, object);
  if (object->param >= 0)
    text_printf(p->out, " bound %" PRId32, object->param);
  print_place(p, object);
  print_layout(p, object);
  if (object->arrivals)
    text_printf(p->out, " arrivals %u", object->arrivals);
  for (uint32_t i = 0; i < object->holes.count; i++)
    text_printf(p->out, " hole %" PRIu64 " %" PRIu64,
                object->holes.data[i].begin, object->holes.data[i].end);
  print_loc(p, object->loc);
  print_initial(p, object);
  text_add_char(p->out, '\n');
}
