// SPDX-License-Identifier: Apache-2.0
#include "cuda/host/cu_pointers.h"

#include "cuda/form/cu_resolve.h"
#include "cuda/host/cx_host.h"
#include "cuda/host/cx_mentions.h"
#include "cxx/cx_parse.h"
#include "cxx/cx_parser.h"

enum { MOST_STEPS = 16 };

// Where a pointer comes from: a variable as it is from some token on, or an
// expression that isn't followed.
typedef struct {
  const CxExpr *expr; // the last one, a name where `name` is set
  const char *name;
  const char *members[CX_MOST_MEMBERS]; // of the variable: x.m.n
  uint32_t n_members;
  uint32_t since;   // where the variable got what it holds
  bool is_moved;    // by something
  bool is_possible; // a write on the way may not be done
} Origin;

static bool pointers_is_same_name(const CxName *a, const CxName *b) {
  if (a->n_parts != b->n_parts)
    return false;
  for (uint32_t i = 0; i < a->n_parts; i++)
    if (a->parts[i].name != b->parts[i].name)
      return false;
  return true;
}

static const CxExpr *without_casts(const CxExpr *expr) {
  while (expr && expr->kind == CX_EXPR_CAST)
    expr = expr->u.cast.operand;
  return expr;
}

// One variable, one member of it, one constant element, or what a method
// without arguments gives: x.data_ptr<float>().
static bool pointers_is_same_place(const CxExpr *a, const CxExpr *b) {
  a = without_casts(a), b = without_casts(b);
  if (!a || !b || a->kind != b->kind)
    return false;
  switch ((int)a->kind) {
  case CX_EXPR_NAME: return pointers_is_same_name(a->u.name, b->u.name);
  case CX_EXPR_INT: return a->u.int_lit.value == b->u.int_lit.value;
  case CX_EXPR_MEMBER:
    return pointers_is_same_name(a->u.member.name, b->u.member.name) &&
           pointers_is_same_place(a->u.member.base, b->u.member.base);
  case CX_EXPR_INDEX:
    return pointers_is_same_place(a->u.index.base, b->u.index.base) &&
           pointers_is_same_place(a->u.index.index, b->u.index.index);
  case CX_EXPR_CALL:
    return a->u.call.args.count == 0 && b->u.call.args.count == 0 &&
           a->u.call.callee->kind == CX_EXPR_MEMBER &&
           pointers_is_same_place(a->u.call.callee, b->u.call.callee);
  default: return false;
  }
}

// p + n, p - n, &p[n] to p.
static const CxExpr *base_of(const CxExpr *expr, bool *is_moved) {
  for (int i = 0; i < MOST_STEPS; i++) {
    expr = without_casts(expr);
    if (!expr)
      return NULL;
    bool is_sum =
        expr->kind == CX_EXPR_BINARY &&
        (expr->u.binary.op == BINARY_ADD || expr->u.binary.op == BINARY_SUB);
    const CxExpr *place =
        expr->kind == CX_EXPR_UNARY && expr->u.unary.op == UNARY_ADDRESS
            ? without_casts(expr->u.unary.operand)
            : NULL;
    if (is_sum)
      expr = expr->u.binary.left;
    else if (place && place->kind == CX_EXPR_INDEX)
      expr = place->u.index.base;
    else
      return expr;
    *is_moved = true;
  }
  return NULL;
}

// Behind `*`, `*const`, `*&`.
static bool is_declared_pointer(const CxParser *cx, uint32_t pos) {
  unsigned before = cx_kind_at(cx, pos - 1);
  if (before == CX_TOK_CONST || before == CX_TOK_AMP)
    before = cx_kind_at(cx, pos - 2);
  unsigned next = cx_kind_at(cx, pos + 1);
  return before == CX_TOK_STAR &&
         (next == CX_TOK_EQ || next == CX_TOK_LPAREN || next == CX_TOK_LBRACE);
}

// T *name = expr, T *name(expr) before the reader's token, where it still is
// that variable; 0: there is none.
static uint32_t declared_at(const CuHostReader *reader, const char *name) {
  const CxUnit *unit = reader->cu->tree;
  const CxParser *cx = unit->parser;
  uint32_t first = reader->launch->function->u.function.body.begin + 1;
  for (uint32_t pos = reader->at - 1; pos > first; pos--)
    if (cx_is_named(cx, pos, name) && is_declared_pointer(cx, pos) &&
        cx_is_inside(unit, pos, reader->at))
      return pos;
  return 0;
}

// name = expr at the token, in a branch maybe, or what it is declared with.
static const CxExpr *pointers_read_branch(const CuHostReader *reader,
                                          uint32_t at) {
  const CxParser *cx = reader->cu->tree->parser;
  unsigned next = cx_kind_at(cx, at + 1);
  uint32_t end = at + 2;
  while (cx_kind_at(cx, end - 1) == CX_TOK_DOT) // name.member
    end += 2;
  uint32_t begin = end;
  if (next == CX_TOK_LPAREN || next == CX_TOK_LBRACE)
    return cu_host_parse(
        reader, (CxTokens){at + 2, cx_behind_brackets(cx, at + 1) - 1});
  if (cx_kind_at(cx, begin - 1) != CX_TOK_EQ)
    return NULL;
  while (end < cx->limit && cx_kind_at(cx, end) != CX_TOK_SEMICOLON)
    end++;
  return cu_host_parse(reader, (CxTokens){begin, end});
}

// ------------------------------------------------------------------ members

static uint32_t item_of(const CuRecord *record, uint32_t index) {
  uint32_t item = 0;
  for (uint32_t i = 0; i < index; i++)
    item += record->fields.data[i].name != NULL;
  return item;
}

static const CxExpr *pointers_designated(const CxExpr *list, const char *name) {
  for (uint32_t i = 0; i < list->u.init_list.n_items; i++)
    if (list->u.init_list.items[i].field == name)
      return list->u.init_list.items[i].value;
  return NULL;
}

static const CxExpr *pointers_of_variable(const CuHostReader *reader,
                                          const CxExpr *whole,
                                          const char *name) {
  CxParser *cx = reader->cu->tree->parser;
  CxName *member = ARENA_NEW(reader->cu->arena, CxName);
  member->parts = ARENA_ARRAY(reader->cu->arena, CxNamePart, 1);
  member->parts[0].name = name;
  member->n_parts = 1;
  CxExpr *base = cx_new_expr(cx, whole->kind, whole->span);
  *base = *whole;
  CxExpr *expr = cx_new_expr(cx, CX_EXPR_MEMBER, whole->span);
  expr->u.member.base = base;
  expr->u.member.name = member;
  return expr;
}

// Items of a list go to its members in order, not to a constructor.
static bool holds_items(const CuRecord *record) {
  for (uint32_t i = 0; i < record->fields.count; i++)
    if (record->fields.data[i].base)
      return false;
  return !record->has_constructor;
}

const CxExpr *cu_pointer_member(const CuHostReader *reader, const CxExpr *whole,
                                const CuRecord *record, uint32_t index) {
  const char *name = record->fields.data[index].name;
  uint32_t item = item_of(record, index);
  whole = without_casts(whole);
  if (!whole)
    return NULL;
  bool is_variable = whole->kind == CX_EXPR_NAME ||
                     whole->kind == CX_EXPR_MEMBER ||
                     whole->kind == CX_EXPR_INDEX;
  if (!is_variable && !holds_items(record))
    return NULL;
  switch ((int)whole->kind) {
  case CX_EXPR_COMMA: // of a list without its braces
    return item < whole->u.list.count ? whole->u.list.data[item] : NULL;
  case CX_EXPR_NAME:
  case CX_EXPR_MEMBER:
  case CX_EXPR_INDEX: return pointers_of_variable(reader, whole, name);
  case CX_EXPR_CONSTRUCT: {
    const CxExprList *args = &whole->u.construct.args;
    bool is_list = args->count == 1 && args->data[0]->kind == CX_EXPR_INIT_LIST;
    if (is_list)
      return cu_pointer_member(reader, args->data[0], record, index);
    return item < args->count ? args->data[item] : NULL;
  }
  case CX_EXPR_INIT_LIST: {
    const CxExpr *found = pointers_designated(whole, name);
    bool is_there = !found && item < whole->u.init_list.n_items &&
                    !whole->u.init_list.items[item].field;
    return is_there ? whole->u.init_list.items[item].value : found;
  }
  default: return NULL;
  }
}

// The class of that type; NULL: it is none, or not known whole.
static const CuRecord *whole_record(CuContext *cu, const CuType *type) {
  return cu_is(type, CU_RECORD) && cu_complete_record(cu, type->u.record)
             ? type->u.record
             : NULL;
}

const CuRecord *cu_pointer_record(const CuHostReader *reader,
                                  const CxHostVar *var) {
  CuContext *cu = reader->cu;
  const char *why = NULL;
  const CxName *name =
      var->type ? cx_parse_name_text(cu->tree, var->type, &why) : NULL;
  CuEntityVec found = {0};
  if (!name)
    return NULL;
  cu_resolve_name(cu, name, &found);
  const CuType *type = found.count ? cu_name_type(cu, name) : NULL;
  return type ? whole_record(cu, cu_plain(type)) : NULL;
}

// Of {a, b} or {.x = a, .y = b}, the braces left out, item `index`.
static const CxExpr *item_at(const CuHostReader *reader, CxTokens list,
                             const char *name, uint32_t index) {
  const CxParser *cx = reader->cu->tree->parser;
  CxTokens item;
  for (uint32_t i = 0; cx_next_argument(reader->cu->tree, &list, &item); i++) {
    bool has_name = cx_kind_at(cx, item.begin) == CX_TOK_DOT;
    if (has_name && cx_is_named(cx, item.begin + 1, name))
      return cu_host_parse(reader, (CxTokens){item.begin + 3, item.end});
    if (!has_name && i == index)
      return cu_host_parse(reader, item);
  }
  return NULL;
}

// The number of fields: there is none of that name.
static uint32_t pointers_index_of(const CuRecord *record, const char *name) {
  uint32_t index = 0;
  while (index < record->fields.count &&
         record->fields.data[index].name != name)
    index++;
  return index;
}

// What a variable, or a member of it that is a struct, got as a whole.
typedef struct {
  const CxHostVar *var;
  uint32_t n_members; // of the origin's
  CxTokens value;
  bool is_list; // without the braces, or brackets, around it
} Whole;

// The origin's member of it; NULL: not known.
static const CxExpr *member_of(const CuHostReader *reader, const Origin *o,
                               const Whole *whole) {
  CuContext *cu = reader->cu;
  CxTokens inside = cx_inside_braces(cu->tree, whole->value);
  bool is_list = whole->is_list || inside.begin != whole->value.begin;
  const CuRecord *record = cu_pointer_record(reader, whole->var);
  const CxExpr *expr = is_list ? NULL : cu_host_parse(reader, whole->value);
  for (uint32_t i = 0; i < o->n_members; i++) {
    uint32_t index = record ? pointers_index_of(record, o->members[i]) : 0;
    if (!record || index == record->fields.count)
      return NULL;
    if (i == whole->n_members && is_list && !holds_items(record))
      return NULL;
    if (i == whole->n_members && is_list)
      expr = item_at(reader, inside, o->members[i], item_of(record, index));
    else if (i >= whole->n_members)
      expr = cu_pointer_member(reader, expr, record, index);
    record = whole_record(cu, cu_plain(record->fields.data[index].type));
  }
  return expr;
}

// Where the member got its value with something around it: S x = {a, b},
// S x{a}, S x(a), x = y. False: it didn't.
static bool read_whole(const CuHostReader *reader, Origin *o,
                       const CxWrite *write, const CxExpr **out) {
  Whole whole = {.var = cu_host_local(reader, o->name),
                 .n_members = write->n_members,
                 .value = write->value};
  if (!whole.var || write->n_members == o->n_members)
    return false;
  bool is_declared =
      write->kind != CX_WRITE_VALUE && write->at <= whole.var->at;
  if (is_declared ? whole.var->init_kind == CX_INIT_NONE
                  : write->kind != CX_WRITE_VALUE)
    return false;
  if (is_declared) {
    whole.n_members = 0;
    whole.value = whole.var->init;
    whole.is_list = whole.var->init_kind != CX_INIT_EQUAL;
  }
  o->since = is_declared ? whole.var->at : write->at;
  *out = member_of(reader, o, &whole);
  return true;
}

// What the variable got last before the reader's token; NULL: not known, and
// the variable is the origin.
static const CxExpr *pointers_last_value(const CuHostReader *reader,
                                         Origin *o) {
  CxPlace place = {.name = o->name, .n_members = o->n_members};
  for (uint32_t i = 0; i < o->n_members; i++)
    place.members[i] = o->members[i];
  uint32_t declared = o->n_members ? 0 : declared_at(reader, o->name);
  CxWrite write = cx_last_write(reader->cu->tree, reader->launch->function,
                                &place, declared, reader->at);
  o->since = write.at;
  const CxExpr *part = NULL;
  if (read_whole(reader, o, &write, &part))
    return part;
  if (write.kind == CX_WRITE_VALUE)
    return cu_host_parse(reader, write.value);
  if (write.kind == CX_WRITE_NONE && !declared)
    return NULL;
  const CxExpr *value = pointers_read_branch(reader, write.at);
  o->is_possible |= value && write.kind == CX_WRITE_OTHER;
  return value;
}

// x, x.m, x.m.n
static void name_origin(Origin *o, const CxExpr *base) {
  o->expr = base;
  o->n_members = 0;
  while (base && base->kind == CX_EXPR_MEMBER && !base->u.member.is_arrow &&
         base->u.member.name->n_parts == 1 && o->n_members < CX_MOST_MEMBERS) {
    for (uint32_t i = o->n_members; i > 0; i--)
      o->members[i] = o->members[i - 1];
    o->members[0] = base->u.member.name->parts[0].name;
    o->n_members++;
    base = base->u.member.base;
  }
  o->name = cu_host_name(base);
}

static Origin origin_of(const CuHostReader *given, const CxExpr *expr) {
  CuHostReader reader = *given;
  Origin o = {0};
  for (int i = 0; i < MOST_STEPS; i++) {
    const CxExpr *base = base_of(expr, &o.is_moved);
    if (!base)
      return o;
    name_origin(&o, base);
    if (!o.name)
      return o;
    expr = pointers_last_value(&reader, &o);
    bool is_moved = false;
    const CxExpr *next = expr ? base_of(expr, &is_moved) : NULL;
    Origin from = {0};
    if (next)
      name_origin(&from, next);
    if (next && next->kind == CX_EXPR_NAME && !from.name) // S::x
      return (Origin){.expr = next, .is_moved = true};
    if (!from.name || o.since >= reader.at)
      return o;
    reader.at = o.since;
  }
  return o;
}

bool cu_pointer_is_open(const CuHostReader *reader, const CxExpr *arg) {
  arg = without_casts(arg);
  if (!arg)
    return true;
  Origin o = origin_of(reader, arg);
  return o.n_members > 0 && o.name && cu_host_local(reader, o.name);
}

static CuPointers pointers_either(CuPointers x, CuPointers y) {
  return x == y ? x : CU_POINTERS_OVERLAP;
}

// c ? p : q against another; two such are taken to ask the same.
static CuPointers compare_choices(const CuHostReader *reader, const CxExpr *a,
                                  const CxExpr *b) {
  bool is_choice[2] = {a->kind == CX_EXPR_CONDITIONAL,
                       b->kind == CX_EXPR_CONDITIONAL};
  const CxExpr *first[2] = {is_choice[0] ? a->u.conditional.if_true : a,
                            is_choice[0] ? a->u.conditional.if_false : a};
  const CxExpr *second[2] = {is_choice[1] ? b->u.conditional.if_true : b,
                             is_choice[1] ? b->u.conditional.if_false : b};
  return pointers_either(cu_compare_pointers(reader, first[0], second[0]),
                         cu_compare_pointers(reader, first[1], second[1]));
}

CuPointers cu_compare_pointers(const CuHostReader *reader, const CxExpr *a,
                               const CxExpr *b) {
  bool is_moved = false;
  a = without_casts(a), b = without_casts(b);
  if (!a || !b)
    return CU_POINTERS_APART;
  if (a->kind == CX_EXPR_CONDITIONAL || b->kind == CX_EXPR_CONDITIONAL)
    return compare_choices(reader, a, b);
  if (pointers_is_same_place(a, b))
    return CU_POINTERS_SAME;
  if (pointers_is_same_place(base_of(a, &is_moved), base_of(b, &is_moved)))
    return CU_POINTERS_OVERLAP;
  Origin x = origin_of(reader, a), y = origin_of(reader, b);
  const CxDecl *function = reader->launch->function;
  uint32_t first = function->u.function.body.begin + 1;
  bool are_params = x.name && y.name && x.name != y.name && !x.n_members &&
                    !y.n_members && x.since <= first && y.since <= first;
  if (are_params)
    return cu_compare_called(reader, x.name, y.name);
  // Of two that change in branches it isn't known which go together: they may
  // change places.
  if (!x.expr || !y.expr || !pointers_is_same_place(x.expr, y.expr) ||
      x.since != y.since || (x.is_possible && y.is_possible))
    return CU_POINTERS_APART;
  return x.is_moved || y.is_moved || x.is_possible || y.is_possible
             ? CU_POINTERS_OVERLAP
             : CU_POINTERS_SAME;
}

// ----------------------------------------------------------------- symbols

static bool pointers_names(const CxParser *cx, CxTokens tokens,
                           const char *name) {
  for (uint32_t at = tokens.begin; at < tokens.end; at++)
    if (cx_is_named(cx, at, name))
      return true;
  return false;
}

// The last name that stands there, NULL: none.
static const char *pointers_last_name(const CxParser *cx, CxTokens tokens) {
  const char *name = NULL;
  for (uint32_t at = tokens.begin; at < tokens.end; at++)
    if (cx_kind_at(cx, at) == CX_TOK_IDENT)
      name = cx->tokens[at].u.name;
  return name;
}

// What cudaGetSymbolAddress((void **)&name, symbol) gave the variable last:
// before the launch if it is the function's, else anywhere in the file.
static const char *asked_symbol(const CuHostReader *reader, const char *name) {
  const CxUnit *unit = reader->cu->tree;
  const CxParser *cx = unit->parser;
  const char *call = intern_cstr(reader->cu->names, "cudaGetSymbolAddress");
  bool is_local = cu_host_local(reader, name) != NULL;
  uint32_t begin =
      is_local ? reader->launch->function->u.function.body.begin : 0;
  uint32_t end = is_local ? reader->launch->at : cx->limit;
  const char *symbol = NULL;
  for (uint32_t at = begin; at < end; at++) {
    CxTokens rest, pointer, object;
    if (cx_is_named(cx, at, call) && cx_arguments_at(unit, at + 1, &rest) &&
        cx_next_argument(unit, &rest, &pointer) &&
        pointers_names(cx, pointer, name) &&
        cx_next_argument(unit, &rest, &object))
      symbol = pointers_last_name(cx, object);
  }
  return symbol;
}

// A managed array, which host code passes by its name.
static bool is_device_array(const CuHostReader *reader, const CxExpr *expr) {
  CuEntityVec found = {0};
  if (expr->kind != CX_EXPR_NAME)
    return false;
  cu_resolve_name(reader->cu, expr->u.name, &found);
  return found.count == 1 && found.data[0]->kind == CU_ENTITY_VAR &&
         (found.data[0]->decl->specs & (CX_SPEC_DEVICE | CX_SPEC_MANAGED));
}

const char *cu_pointer_symbol(const CuHostReader *reader, const CxExpr *arg) {
  Origin o = origin_of(reader, arg);
  if (o.expr && o.expr->kind == CX_EXPR_NAME && o.expr->u.name->n_parts > 1 &&
      is_device_array(reader, o.expr)) // S::table
    return o.expr->u.name->parts[o.expr->u.name->n_parts - 1].name;
  if (!o.name || o.n_members)
    return NULL;
  bool is_own = o.expr && !cu_host_local(reader, o.name) &&
                is_device_array(reader, o.expr);
  return is_own ? o.name : asked_symbol(reader, o.name);
}
