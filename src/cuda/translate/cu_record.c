// SPDX-License-Identifier: Apache-2.0
// Classes: instances of templates, members, layout.
#include "cuda/form/cu_record.h"

#include "base/bits.h"
#include "cuda/form/cu_deduce.h"
#include "cuda/form/cu_names.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_scope.h"
#include "cuda/form/cu_value.h"
#include "cuda/form/cu_word_class.h"
#include "cxx/cx_parse.h"
#include "syntax/limits.h"

#include <string.h>

const CxAttribute *cu_attribute(const CxDecl *decl, const char *word) {
  for (uint32_t i = 0; i < decl->n_attributes; i++) {
    if (strcmp(decl->attributes[i].word, word) == 0)
      return &decl->attributes[i];
  }
  return NULL;
}

const char *cu_attribute_text(const CxAttribute *attribute) {
  return attribute && attribute->args.count &&
                 attribute->args.data[0]->kind == CX_EXPR_STRING
             ? attribute->args.data[0]->u.string_lit.bytes
             : NULL;
}

// "WHAT; HINT"
static void refuse_by_attribute(CuContext *cu, const char *text, Span span) {
  const char *hint = strchr(text, ';');
  if (!hint) {
    cu_unsupported(cu, span, text, NULL);
    return;
  }
  const char *what = arena_strndup(cu->arena, text, (size_t)(hint - text));
  hint++;
  cu_unsupported(cu, span, what, hint + strspn(hint, " "));
}

bool cu_refuse_unsupported(CuContext *cu, const CxDecl *decl, Span span) {
  const CxAttribute *refused = cu_attribute(decl, "__heddle_unsupported");
  if (refused) {
    const char *text = cu_attribute_text(refused);
    refuse_by_attribute(cu, text ? text : decl->name, span);
    return true;
  }
  if (!decl->unsupported)
    return false;
  bool is_near = !cu_is_own_header(cu, decl->unsupported_span);
  cu_unsupported(cu, is_near ? decl->unsupported_span : span, decl->unsupported,
                 NULL);
  return true;
}

// ---------------------------------------------------------------- instances

static CuOpaque opaque_kind(const CxDecl *decl) {
  if (cu_attribute(decl, "__heddle_group"))
    return CU_OPAQUE_GROUP;
  if (cu_attribute(decl, "__heddle_token"))
    return CU_OPAQUE_TOKEN;
  if (cu_attribute(decl, "__heddle_barrier"))
    return CU_OPAQUE_BARRIER;
  return CU_OPAQUE_NONE;
}

// What messages call a class of ours that has no name in CUDA; or NULL.
static const char *shown_name(const CxDecl *decl) {
  const CxAttribute *barrier = cu_attribute(decl, "__heddle_barrier");
  const CxAttribute *token = cu_attribute(decl, "__heddle_token");
  return cu_attribute_text(barrier ? barrier : token);
}

// How many qualifiers a specialisation asks for: of `const T` and `const
// volatile T` the latter is meant, where both fit.
static uint32_t n_quals(const CxDecl *decl) {
  const CxNamePart *part =
      decl->full ? &decl->full->parts[decl->full->n_parts - 1] : NULL;
  uint32_t n = 0;
  for (uint32_t i = 0; part && i < part->n_args; i++) {
    uint32_t quals = part->args[i].type ? part->args[i].type->quals : 0;
    n += (quals & CX_QUAL_CONST) ? 1 : 0;
    n += (quals & CX_QUAL_VOLATILE) ? 1 : 0;
  }
  return n;
}

// The specialisation whose pattern fits, with what its parameters are. The
// first that states all arguments wins, else the last partial one that fits
// and whose parameters are fewest.
CxDecl *cu_choose_definition(CuContext *cu, CuEntity *entity, CuArgs args,
                             CuArgs *bound) {
  CxDecl *best = entity->decl;
  *bound = args;
  for (uint32_t i = 0; i < entity->specialisations.count; i++) {
    CxDecl *decl = entity->specialisations.data[i];
    const CxTemplate *template = &decl->templates[decl->n_templates - 1];
    CuDeduction deduction = cu_deduction(cu, template, entity->scope);
    const CxNamePart *part = &decl->full->parts[decl->full->n_parts - 1];
    CuScope *before = cu_set_scope(cu, entity->scope);
    bool fits = cu_deduce_args(cu, &deduction, part, args, true);
    cu_set_scope(cu, before);
    for (uint32_t k = 0; k < template->params.count; k++)
      fits = fits && deduction.known[k];
    bool is_better = best == entity->decl ||
                     bound->count > template->params.count ||
                     (bound->count == template->params.count &&
                      n_quals(decl) > n_quals(best));
    if (!fits || !is_better)
      continue;
    best = decl;
    *bound = (CuArgs){deduction.args, template->params.count};
  }
  return best;
}

static CuRecord *new_record(CuContext *cu, CuEntity *entity, CuArgs args) {
  CuRecord *record = ARENA_NEW(cu->arena, CuRecord);
  const char *name = cu_class_name(entity);
  CuType *type = cu_new_type(&cu->types, CU_RECORD);
  type->u.record = record;
  record->type = type;
  record->entity = entity;
  record->args = args.data;
  record->n_args = args.count;
  record->shown = cu_shown_args(cu, cu_full_name(cu, entity, name), args);
  record->suffix = cu_args_word(cu, name, args);
  VEC_PUSH(cu->arena, &entity->records, record);
  CuArgs bound;
  record->decl = cu_choose_definition(cu, entity, args, &bound);
  record->opaque = opaque_kind(record->decl);
  const char *shown = shown_name(record->decl);
  if (shown)
    record->shown = shown;
  if (record->opaque == CU_OPAQUE_BARRIER)
    record->size_bytes = record->data_bytes = record->align_bytes = 8;
  record->is_union = record->decl->u.record.tag == CX_TAG_UNION;
  record->heddle =
      cu_attribute_text(cu_attribute(record->decl, "__heddle_type"));
  CuScope *outer = entity->scope;
  if (bound.count) {
    outer = cu_new_scope(cu, CU_SCOPE_TEMPLATE, outer);
    const CxDecl *decl = record->decl;
    cu_bind(cu, outer, &decl->templates[decl->n_templates - 1], bound);
  }
  record->scope = cu_new_scope(cu, CU_SCOPE_RECORD, outer);
  record->scope->record = record;
  return record;
}

CuRecord *cu_record_of(CuContext *cu, CuEntity *entity, CuArgs args,
                       Span span) {
  for (uint32_t i = 0; i < entity->records.count; i++) {
    CuRecord *record = entity->records.data[i];
    if (cu_args_equal(args, (CuArgs){record->args, record->n_args}))
      return record;
  }
  if (entity->records.count >= CU_MAX_INSTANCES) {
    cu->limits.spent = CU_SPENT_INSTANCES;
    cu_tell_spent(cu, span);
    return NULL;
  }
  return new_record(cu, entity, args);
}

// ---------------------------------------------------------------- members

static uint64_t round_up(uint64_t value, uint64_t to) {
  return to > 1 ? bits_align_up(value, to) : value;
}

// In CUDA, as in the Itanium C++ ABI, what follows a base that isn't plain data
// may stand in the padding at its end.
static void note_padding(CuRecord *record, const CuField *field, uint64_t begin,
                         uint64_t align) {
  const CuType *type = cu_plain(cu_array_base(field->type));
  const CuField *last =
      record->fields.count ? &VEC_LAST(&record->fields) : NULL;
  bool is_shared =
      last && last->base && last->emitted &&
      round_up(last->offset_bytes + last->base->data_bytes, align) < begin;
  if (is_shared || (cu_is(type, CU_RECORD) && type->u.record->has_other_layout))
    record->has_other_layout = true;
}

static void place_field(CuContext *cu, CuRecord *record, CuField *field) {
  if (field->base && !field->emitted)
    return;
  // A reference is a pointer there.
  const CuType *type = cu_is(field->type, CU_REFERENCE)
                           ? cu_pointer(&cu->types, field->type->u.inner)
                           : field->type;
  uint64_t align = cu_align(type);
  if (field->decl && field->decl->align) {
    int64_t wanted = 0;
    if (cu_constant_int(cu, field->decl->align, "an alignment", &wanted) &&
        wanted > 0 && (uint64_t)wanted > align)
      align = field->aligned_to = (uint64_t)wanted;
  }
  uint64_t begin = record->is_union ? 0 : round_up(record->size_bytes, align);
  note_padding(record, field, begin, align);
  uint64_t end = begin + cu_size(type);
  field->offset_bytes = begin;
  if (end > record->size_bytes)
    record->size_bytes = end;
  if (align > record->align_bytes)
    record->align_bytes = align;
}

// Whoever walks over all that a class holds may do so by recursion.
enum { MAX_LEAVES = 10000 };

static void count_field(CuContext *cu, CuRecord *record, const CuField *field) {
  const CuType *type = cu_plain(cu_array_base(field->type));
  const CuRecord *inner = cu_is(type, CU_RECORD) ? type->u.record : NULL;
  Span span = field->decl ? field->decl->span : record->decl->name_span;
  record->has_defaults |= field->decl && field->decl->u.var.init;
  record->n_leaves += inner ? inner->n_leaves : 1;
  if (inner) {
    record->has_defaults |= inner->has_constructor || inner->has_defaults;
    if (record->depth < inner->depth + 1)
      record->depth = inner->depth + 1;
  }
  if (record->is_poisoned ||
      (record->n_leaves <= MAX_LEAVES && record->depth <= SYNTAX_MAX_NESTING))
    return;
  record->is_poisoned = true;
  if (record->depth > SYNTAX_MAX_NESTING) {
    cu->limits.spent = CU_SPENT_DEPTH;
    cu_tell_spent(cu, span);
  } else {
    cu_unsupported(cu, span, "a class with more than 10000 members in all",
                   "use arrays");
  }
}

static void add_field(CuContext *cu, CuRecord *record, CuField field) {
  place_field(cu, record, &field);
  count_field(cu, record, &field);
  VEC_PUSH(cu->arena, &record->fields, field);
}

static bool add_bases(CuContext *cu, CuRecord *record) {
  const CxDecl *decl = record->decl;
  bool is_right = true;
  for (uint32_t i = 0; i < decl->u.record.n_bases; i++) {
    const CxBase *base = &decl->u.record.bases[i];
    if (base->is_virtual || base->is_expansion) {
      cu_unsupported(cu, base->span,
                     base->is_virtual ? "virtual bases"
                                      : "base classes of a parameter pack",
                     "use a plain base or a member");
      return false;
    }
    const CuType *type = cu_plain(cu_resolve_type(cu, base->type));
    bool is_known =
        cu_is(type, CU_RECORD) && cu_require_complete(cu, type, base->span);
    if (!is_known && !(cu_is(type, CU_RECORD) && type->u.record->is_poisoned))
      return false;
    is_right = is_right && is_known; // its names are found all the same
    const char *name = i ? cu_format(cu, "base_%u", i + 1) : "base";
    CuField field = {.emitted = intern_cstr(cu->names, name),
                     .type = type,
                     .base = type->u.record};
    if (record->opaque || type->u.record->is_empty)
      field.emitted = NULL; // an empty base isn't there
    add_field(cu, record, field);
  }
  return is_right;
}

// A member of a class that isn't finished: the class itself, or one around it.
static bool is_unfinished(CuContext *cu, const CuType *type, Span span) {
  type = cu_plain(cu_array_base(type));
  if (!cu_is(type, CU_RECORD) || !type->u.record->is_completing)
    return false;
  CU_ERROR(cu, span, incomplete_type, DS(type->u.record->shown));
  return true;
}

static void record_add_member(CuContext *cu, CuRecord *record, CxDecl *decl) {
  if (decl->u.var.bit_width) {
    cu_unsupported(cu, decl->name_span, "bit-fields",
                   "use a whole integer and shifts");
    record->is_poisoned = true;
    return;
  }
  const CuType *type = cu_resolve_type(cu, decl->type);
  if (cu_is_poison(type) || is_unfinished(cu, type, decl->span) ||
      !cu_require_complete(cu, cu_array_base(type), decl->span)) {
    record->is_poisoned = true;
    return;
  }
  CuField field = {.name = decl->name, .type = type, .decl = decl};
  if (decl->name) {
    field.emitted = cu_field_name(cu, decl->name);
    CuEntity *entity =
        cu_declare(cu, record->scope, CU_ENTITY_FIELD, decl->name, decl);
    entity->field = record->fields.count;
  }
  add_field(cu, record, field);
}

// Members of an anonymous union are found as if they were the class's own.
static void add_anonymous(CuContext *cu, CuRecord *record, uint32_t index) {
  const CuType *type = cu_plain(record->fields.data[index].type);
  if (record->fields.data[index].name || !cu_is(type, CU_RECORD))
    return;
  CuUsed used = {.space = type->u.record->scope, .is_part = true};
  VEC_PUSH(cu->arena, &record->scope->used, used);
}

static void add_fields(CuContext *cu, CuRecord *record) {
  const CxDeclList *members = &record->decl->u.record.members;
  for (uint32_t i = 0; i < members->count; i++) {
    CxDecl *member = members->data[i];
    if (member->kind != CX_DECL_FIELD)
      continue;
    record_add_member(cu, record, member);
    if (record->is_poisoned)
      return;
    add_anonymous(cu, record, record->fields.count - 1);
  }
}

// Vectors of two and four elements are aligned to their size, to 16 bytes at
// most, as in Heddle C.
static void align_vector(CuRecord *record) {
  uint32_t n = record->fields.count;
  if (cu_attribute(record->decl, "__heddle_type") && (n == 2 || n == 4))
    record->align_bytes = record->size_bytes < 16 ? record->size_bytes : 16;
}

static void finish_layout(CuContext *cu, CuRecord *record) {
  const CxDecl *decl = record->decl;
  align_vector(record);
  int64_t wanted = 0;
  if (decl->align &&
      cu_constant_int(cu, decl->align, "an alignment", &wanted) && wanted > 0 &&
      (uint64_t)wanted > record->align_bytes)
    record->align_bytes = (uint64_t)wanted;
  bool is_vector = record->heddle && record->fields.count % 2 == 0;
  if (is_vector && record->size_bytes > record->align_bytes)
    record->align_bytes = record->size_bytes > 16 ? 16 : record->size_bytes;
  record->data_bytes = record->size_bytes;
  record->is_empty = record->size_bytes == 0;
  if (record->is_empty)
    record->size_bytes = record->align_bytes = 1;
  record->size_bytes = round_up(record->size_bytes, record->align_bytes);
}

// Plain data of C++98: a class's padding is its own.
static bool is_plain_data(const CuRecord *record) {
  const CxDecl *decl = record->decl;
  bool is_plain = !record->has_constructor && decl->u.record.n_bases == 0;
  for (uint32_t i = 0; i < decl->u.record.members.count; i++) {
    const CxDecl *member = decl->u.record.members.data[i];
    bool is_function =
        member->kind == CX_DECL_FUNCTION && !member->u.function.is_defaulted;
    if (is_function && (member->u.function.kind == CX_FUNCTION_DESTRUCTOR ||
                        strcmp(member->name, "operator=") == 0))
      is_plain = false;
    if (member->kind == CX_DECL_FIELD &&
        (member->u.var.init || member->access == CX_ACCESS_PRIVATE ||
         member->access == CX_ACCESS_PROTECTED))
      is_plain = false;
  }
  for (uint32_t i = 0; i < record->fields.count; i++) {
    const CuType *type = cu_plain(cu_array_base(record->fields.data[i].type));
    is_plain =
        is_plain && !(cu_is(type, CU_RECORD) &&
                      type->u.record->data_bytes < type->u.record->size_bytes);
  }
  return is_plain;
}

static bool declares_constructor(const CxDecl *decl) {
  for (uint32_t i = 0; i < decl->u.record.members.count; i++) {
    const CxDecl *member = decl->u.record.members.data[i];
    if (member->kind == CX_DECL_FUNCTION &&
        member->u.function.kind == CX_FUNCTION_CONSTRUCTOR &&
        !member->u.function.is_defaulted)
      return true;
  }
  return false;
}

// S(const S &)
static bool is_copy_constructor(const CxDecl *decl, const char *name) {
  const CxType *type = decl->kind == CX_DECL_FUNCTION ? decl->type : NULL;
  if (!type || decl->u.function.kind != CX_FUNCTION_CONSTRUCTOR ||
      decl->u.function.is_defaulted || decl->u.function.is_deleted ||
      decl->n_templates || type->u.function.params.count != 1)
    return false;
  const CxType *param = type->u.function.params.data[0]->type;
  return param->kind == CX_TYPE_REFERENCE &&
         param->u.inner->kind == CX_TYPE_NAMED &&
         param->u.inner->u.named.name->parts[0].name == name;
}

// What ends with an object is not translated: it must do nothing.
static CxDecl *busy_destructor(CuContext *cu, const CuRecord *record) {
  const CxDeclList *members = &record->decl->u.record.members;
  for (uint32_t i = 0; i < members->count; i++) {
    CxDecl *decl = members->data[i];
    if (decl->kind != CX_DECL_FUNCTION || decl->u.function.is_defaulted ||
        decl->u.function.kind != CX_FUNCTION_DESTRUCTOR)
      continue;
    const CxBody *body =
        decl->u.function.has_body ? cx_parse_body(cu->tree, decl) : NULL;
    if (!body || body->has_errors || body->block->u.compound.items.count)
      return decl;
  }
  for (uint32_t i = 0; i < record->fields.count; i++) {
    const CuType *type = cu_plain(cu_array_base(record->fields.data[i].type));
    if (cu_is(type, CU_RECORD) && type->u.record->destructor)
      return type->u.record->destructor;
  }
  return NULL;
}

static void note_members(CuRecord *record) {
  const CxDeclList *members = &record->decl->u.record.members;
  record->has_constructor = declares_constructor(record->decl);
  for (uint32_t i = 0; i < members->count; i++)
    record->has_copy =
        record->has_copy ||
        is_copy_constructor(members->data[i], record->entity->name);
}

static bool has_mutable(const CuRecord *record) {
  for (uint32_t i = 0; i < record->fields.count; i++) {
    const CuField *field = &record->fields.data[i];
    const CuType *type = cu_plain(cu_array_base(field->type));
    if ((field->decl && (field->decl->specs & CX_SPEC_MUTABLE)) ||
        (cu_is(type, CU_RECORD) && type->u.record->has_mutable))
      return true;
  }
  return false;
}

// Its names, which need no layout.
static void declare_names(CuContext *cu, CuRecord *record) {
  if (record->is_declared)
    return;
  record->is_declared = true;
  CuEntity *self =
      cu_declare(cu, record->scope, CU_ENTITY_TYPE, record->entity->name, NULL);
  self->type = record->type;
  CuScope *before = cu_set_scope(cu, record->scope);
  cu_declare_all(cu, record->scope, &record->decl->u.record.members);
  note_members(record);
  cu_set_scope(cu, before);
}

// All of them are classes; an unknown one may have any name.
static bool has_known_bases(CuContext *cu, const CuRecord *record) {
  const CxDecl *decl = record->decl;
  bool is_known = true;
  CuTrial trial = cu_trial_begin(cu);
  CuScope *before = cu_set_scope(cu, record->scope->parent);
  for (uint32_t i = 0; i < decl->u.record.n_bases && is_known; i++)
    is_known =
        !decl->u.record.bases[i].is_expansion &&
        cu_is(cu_plain(cu_resolve_type(cu, decl->u.record.bases[i].type)),
              CU_RECORD);
  cu_set_scope(cu, before);
  return !cu_trial_end(cu, trial) && is_known;
}

bool cu_declare_members(CuContext *cu, CuRecord *record) {
  if (record->is_declared)
    return true;
  if (record->is_complete || record->is_completing || record->opaque ||
      record->heddle || !record->decl->u.record.is_definition ||
      record->decl->unsupported || !has_known_bases(cu, record))
    return cu_complete_record(cu, record) || record->is_poisoned;
  declare_names(cu, record);
  return true;
}

static void record_complete(CuContext *cu, CuRecord *record) {
  declare_names(cu, record);
  CuScope *before = cu_set_scope(cu, record->scope);
  CuFrame *frame = cu->frame;
  record->is_poisoned |= !add_bases(cu, record);
  if (!record->opaque && !record->is_poisoned) {
    record->is_complete = true; // members may ask for the names so far
    add_fields(cu, record);
    finish_layout(cu, record);
    if (is_plain_data(record))
      record->data_bytes = record->size_bytes;
    record->destructor = busy_destructor(cu, record);
    record->has_mutable = has_mutable(record);
    cu_note_word_class(cu, record);
  }
  cu->frame = frame;
  cu_set_scope(cu, before);
}

bool cu_require_layout(CuContext *cu, const CuType *type, Span span) {
  type = cu_plain(cu_array_base(type));
  if (!cu_is(type, CU_RECORD) || !type->u.record->has_other_layout)
    return true;
  cu_unsupported(cu, span,
                 "the size of a class with members in the padding of its base",
                 "fill the end of the base with a member");
  return false;
}

bool cu_complete_record(CuContext *cu, CuRecord *record) {
  if (record->is_complete || record->is_completing)
    return !record->is_poisoned;
  if (!record->decl->u.record.is_definition)
    return record->opaque != CU_OPAQUE_NONE;
  if (cu_refuse_unsupported(cu, record->decl, record->decl->name_span)) {
    record->is_poisoned = record->is_complete = true;
    return false;
  }
  if (!cu_enter(cu, record->decl->name_span)) {
    record->is_poisoned = record->is_complete = true;
    return false;
  }
  record->is_completing = true;
  record_complete(cu, record);
  record->is_completing = false;
  cu_leave(cu);
  record->is_complete = true;
  return !record->is_poisoned;
}

CuEntity *cu_member_entity(CuContext *cu, CuRecord *record, CxDecl *decl) {
  CuEntity *entity =
      decl->name ? map_get(&record->scope->names, MAP_KEY(decl->name)) : NULL;
  for (; entity; entity = entity->next) {
    if (entity->decl == decl)
      return entity;
  }
  // Conversion functions have no name to look up.
  entity = map_get(&record->unnamed, MAP_KEY(decl));
  if (!entity) {
    entity = ARENA_NEW(cu->arena, CuEntity);
    entity->kind = CU_ENTITY_FUNCTION;
    entity->decl = decl;
    entity->scope = record->scope;
    map_put(cu->arena, &record->unnamed, MAP_KEY(decl), entity);
  }
  return entity;
}

bool cu_require_complete(CuContext *cu, const CuType *type, Span span) {
  type = cu_plain(type);
  if (type->kind == CU_VOID) {
    CU_ERROR(cu, span, incomplete_type, DS("void"));
    return false;
  }
  if (type->kind != CU_RECORD)
    return !cu_is_poison(type);
  CuRecord *record = type->u.record;
  uint32_t before = cu->reports.n_errors;
  bool is_inside = record->is_completing;
  bool is_right = cu_complete_record(cu, record);
  if ((is_inside && !record->is_complete) ||
      (!is_right && !record->is_poisoned && cu->reports.n_errors == before)) {
    CU_ERROR(cu, span, incomplete_type, DS(record->shown));
    return false;
  }
  if (record->is_poisoned)
    cu->reports.failed = true;
  return is_right;
}

bool cu_find_base(CuContext *cu, CuRecord *derived, const CuRecord *base,
                  uint32_t *path, uint32_t *n_path) {
  if (derived == base)
    return true;
  if (!cu_complete_record(cu, derived) || *n_path >= 16)
    return false;
  for (uint32_t i = 0; i < derived->fields.count; i++) {
    CuRecord *parent = derived->fields.data[i].base;
    if (!parent)
      continue;
    path[(*n_path)++] = i;
    if (cu_find_base(cu, parent, base, path, n_path))
      return true;
    --*n_path;
  }
  return false;
}
