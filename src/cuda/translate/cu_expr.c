// SPDX-License-Identifier: Apache-2.0
// Expressions: literals, names, and what is not in a file of its own.
#include "cuda/form/cu_barrier.h"
#include "cuda/form/cu_function_table.h"
#include "cuda/form/cu_heddle.h"
#include "cuda/form/cu_local.h"
#include "cuda/form/cu_names.h"
#include "cuda/form/cu_pack.h"
#include "cuda/form/cu_phase.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_scope.h"
#include "cuda/form/cu_tree.h"
#include "cuda/form/cu_value.h"

#include <string.h>

// ---------------------------------------------------------------- literals

// The first of C++'s types that holds the value.
static CuTypeKind int_literal_type(const CxExpr *expr) {
  uint64_t value = expr->u.int_lit.value;
  bool is_unsigned = expr->u.int_lit.is_unsigned;
  bool may_be_unsigned = is_unsigned || expr->u.int_lit.base != 10;
  uint8_t n_longs = expr->u.int_lit.n_longs;
  if (n_longs == 0) {
    if (!is_unsigned && value <= INT32_MAX)
      return CU_INT;
    if (may_be_unsigned && value <= UINT32_MAX)
      return CU_UINT;
  }
  bool is_big = value > INT64_MAX;
  CuTypeKind wide = n_longs == 2 ? CU_LLONG : CU_LONG;
  return is_unsigned || (is_big && may_be_unsigned) ? (CuTypeKind)(wide + 1)
                                                    : wide;
}

static CuValue int_value(CuContext *cu, const CxExpr *expr) {
  Expr *made = cu_new_expr(cu, EXPR_INT, expr->span);
  made->u.int_lit.value = expr->u.int_lit.value;
  made->u.int_lit.base = expr->u.int_lit.base;
  made->u.int_lit.n_longs = expr->u.int_lit.n_longs;
  made->u.int_lit.is_unsigned = expr->u.int_lit.is_unsigned;
  CuValue value =
      cu_rvalue(cu_basic(&cu->types, int_literal_type(expr)), made, expr->span);
  value.constant = cu_const_int((int64_t)expr->u.int_lit.value);
  return value;
}

static CuValue float_value(CuContext *cu, const CxExpr *expr) {
  static const CuTypeKind kinds[] = {[FLOAT_SUFFIX_NONE] = CU_DOUBLE,
                                     [FLOAT_SUFFIX_F] = CU_FLOAT,
                                     [FLOAT_SUFFIX_L] = CU_DOUBLE,
                                     [FLOAT_SUFFIX_F16] = CU_HALF,
                                     [FLOAT_SUFFIX_BF16] = CU_BFLOAT16};
  Expr *made = cu_new_expr(cu, EXPR_FLOAT, expr->span);
  made->u.float_lit.value = expr->u.float_lit.value;
  made->u.float_lit.digits = expr->u.float_lit.digits;
  FloatSuffix suffix = expr->u.float_lit.suffix;
  made->u.float_lit.suffix =
      suffix == FLOAT_SUFFIX_L ? FLOAT_SUFFIX_NONE : suffix;
  CuValue value =
      cu_rvalue(cu_basic(&cu->types, kinds[suffix]), made, expr->span);
  if (suffix != FLOAT_SUFFIX_F16 && suffix != FLOAT_SUFFIX_BF16)
    value.constant =
        (CuConst){.kind = CU_CONST_FLOAT, .f = expr->u.float_lit.value};
  return value;
}

static CuValue char_value(CuContext *cu, const CxExpr *expr) {
  Expr *made = cu_new_expr(cu, EXPR_CHAR, expr->span);
  made->u.char_lit.value = expr->u.char_lit.value;
  made->u.char_lit.prefix = expr->u.char_lit.prefix;
  CuTypeKind kind =
      expr->u.char_lit.prefix == LITERAL_PREFIX_NONE ? CU_CHAR : CU_INT;
  CuValue value = cu_rvalue(cu_basic(&cu->types, kind), made, expr->span);
  value.constant = cu_const_int((int32_t)expr->u.char_lit.value);
  return value;
}

static CuValue string_value(CuContext *cu, const CxExpr *expr) {
  Expr *made = cu_new_expr(cu, EXPR_STRING, expr->span);
  made->u.string_lit.bytes = expr->u.string_lit.bytes;
  made->u.string_lit.length = expr->u.string_lit.length;
  made->u.string_lit.prefix = expr->u.string_lit.prefix;
  const CuType *element =
      cu_qualified(&cu->types, cu_basic(&cu->types, CU_CHAR), CX_QUAL_CONST);
  const CuType *type =
      cu_array(&cu->types, element, (int64_t)expr->u.string_lit.length + 1);
  return cu_lvalue(type, made, expr->span);
}

static CuValue bool_value(CuContext *cu, bool is_true, Span span) {
  CuValue value = cu_rvalue(cu_basic(&cu->types, CU_BOOL),
                            cu_bool_expr(cu, is_true, span), span);
  value.constant = cu_const_int(is_true);
  return value;
}

static CuValue null_value(CuContext *cu, Span span) {
  Expr *zero = cu_int_literal(cu, 0, span);
  CuValue value = cu_rvalue(cu_basic(&cu->types, CU_NULLPTR), zero, span);
  value.constant = cu_const_int(0);
  return value;
}

// ---------------------------------------------------------------- names

static CuValue overloads_value(CuContext *cu, CuEntityVec *found,
                               const CxName *name, Span span) {
  CuOverloads *set = ARENA_NEW(cu->arena, CuOverloads);
  for (uint32_t i = 0; i < found->count; i++) {
    if (found->data[i]->kind == CU_ENTITY_FUNCTION)
      VEC_PUSH(cu->arena, &set->found, found->data[i]);
  }
  set->part = &name->parts[name->n_parts - 1];
  set->has_args = set->part->has_args;
  set->is_qualified = name->n_parts > 1 || name->is_global;
  return (CuValue){.type = cu_basic(&cu->types, CU_OVERLOADS),
                   .span = span,
                   .overloads = set};
}

static CuValue enumerator_value(CuContext *cu, CuEntity *entity, Span span) {
  CuEnum *enumeration = cu_enum_of_enumerator(cu, entity);
  if (!enumeration)
    return cu_poison(cu, span);
  return cu_enumerator(cu, enumeration, entity, span);
}

static CuValue expr_constant_value(CuContext *cu, const CuType *type,
                                   CuConst is, Span span) {
  if (is.kind == CU_CONST_INT)
    return cu_int_value(cu, type, is.i, span);
  CuValue value = cu_rvalue(type, cu_float_expr(cu, type, is.f, span), span);
  value.constant = is;
  return value;
}

// Of an object that an operand of sizeof or decltype names where there is none.
static CuValue only_typed(CuContext *cu, const CuType *type, Span span) {
  return (CuValue){.type = cu_referred(type),
                   .expr = cu_int_literal(cu, 0, span),
                   .span = span,
                   .is_lvalue = true};
}

static CuValue field_value(CuContext *cu, CuEntity *entity, Span span) {
  bool has_self = cu->frame && cu->frame->self;
  CuRecord *record = entity->scope->record;
  CuValue self = cu->n_operands && !has_self && record
                     ? only_typed(cu, record->type, span)
                     : cu_self(cu, span);
  return cu_is_poisoned(&self) ? self
                               : cu_member_of_object(cu, self, entity, span);
}

static CuValue file_value(CuContext *cu, CuEntity *entity, const CxName *name,
                          Span span) {
  entity = cu_variable_instance(cu, entity, &name->parts[name->n_parts - 1]);
  if (!entity)
    return cu_poison(cu, span);
  CxDecl *decl = entity->decl;
  if (cu_attribute(decl, "__heddle"))
    return cu_heddle_variable(cu, entity, span);
  CuValue known;
  if (cu_known_function(cu, entity, span, &known))
    return known;
  const CuVariable *own = entity->is_resolving ? entity->variable : NULL;
  if (cu->n_operands && own && own->type)
    return only_typed(cu, own->type, span);
  CuVariable *variable = cu_file_variable(cu, entity, span);
  if (!variable)
    return cu_poison(cu, span);
  if (variable->constant.kind != CU_NOT_CONST && variable->name == NULL)
    return expr_constant_value(cu, cu_plain(variable->type), variable->constant,
                               span);
  return cu_variable_value(cu, cu_seen_from_here(cu, variable, span), span);
}

// The variable has no value in its own initialiser; a place it may be already.
static bool is_known_in_own(CuContext *cu, CuVariable *variable,
                            const char *name, Span span) {
  if (variable->own == CU_OWN_NOT)
    return true;
  bool is_typed = !cu_is_poison(variable->type);
  if (is_typed && cu->frame && cu->frame->is_unevaluated)
    return true;
  variable->is_in_own = true;
  if (variable->own == CU_OWN_PLACE)
    return true;
  CU_ERROR(cu, span, own_initialiser, DS(name));
  return false;
}

static CuValue entity_value(CuContext *cu, CuEntity *entity, CuEntityVec *found,
                            const CxName *name, Span span) {
  switch (entity->kind) {
  case CU_ENTITY_LOCAL: {
    if (!is_known_in_own(cu, entity->variable, entity->name, span))
      return cu_poison(cu, span);
    CuVariable *here = cu_seen_from_here(cu, entity->variable, span);
    return here ? cu_variable_value(cu, here, span) : cu_poison(cu, span);
  }
  case CU_ENTITY_VAR: return file_value(cu, entity, name, span);
  case CU_ENTITY_ENUMERATOR: return enumerator_value(cu, entity, span);
  case CU_ENTITY_VALUE:
    if (cu_is(entity->type, CU_LAMBDA))
      return (CuValue){.type = entity->type, .span = span};
    return expr_constant_value(cu, entity->type, entity->value, span);
  case CU_ENTITY_FIELD: return field_value(cu, entity, span);
  case CU_ENTITY_FUNCTION: return overloads_value(cu, found, name, span);
  case CU_ENTITY_UNKNOWN: cu_report_unknown(cu, name, found); break;
  case CU_ENTITY_NAMESPACE:
  case CU_ENTITY_NAMESPACE_ALIAS:
    CU_ERROR(cu, span, not_a_value, DS(cu_source_text(cu, span)),
             DS("a namespace"));
    break;
  case CU_ENTITY_PACK:
    CU_ERROR(cu, span, not_a_value, DS(cu_source_text(cu, span)),
             DS("a parameter pack, which '...' expands"));
    break;
  case CU_ENTITY_USING:
  case CU_ENTITY_TYPE:
  case CU_ENTITY_ALIAS:
  case CU_ENTITY_RECORD:
  case CU_ENTITY_ENUM:
    CU_ERROR(cu, span, not_a_value, DS(cu_source_text(cu, span)), DS("a type"));
    break;
  }
  return cu_poison(cu, span);
}

static bool is_type_entity(const CuEntity *entity) {
  return entity->kind == CU_ENTITY_RECORD || entity->kind == CU_ENTITY_ENUM ||
         entity->kind == CU_ENTITY_ALIAS || entity->kind == CU_ENTITY_TYPE;
}

// __func__ and what compilers have beside it. The function's own name is what
// all of them give.
static bool names_function(const char *name) {
  return strcmp(name, "__func__") == 0 || strcmp(name, "__FUNCTION__") == 0 ||
         strcmp(name, "__PRETTY_FUNCTION__") == 0;
}

static CuValue function_name_value(CuContext *cu, Span span) {
  const CuFunction *function = cu->frame->function;
  CxExpr *string = ARENA_NEW(cu->arena, CxExpr);
  string->kind = CX_EXPR_STRING;
  string->span = span;
  string->u.string_lit.bytes = function->decl && function->decl->name
                                   ? function->decl->name
                                   : "operator()";
  string->u.string_lit.length = strlen(string->u.string_lit.bytes);
  return string_value(cu, string);
}

CuValue cu_name_value(CuContext *cu, const CxName *name, Span span) {
  CuEntityVec found = {0};
  if (!cu_resolve_name(cu, name, &found)) {
    const CxNamePart *last = &name->parts[name->n_parts - 1];
    if (name->n_parts == 1 && last->name && cu->frame && cu->frame->function &&
        names_function(last->name))
      return function_name_value(cu, span);
    if (name->n_parts == 1 && last->name) { // found by its arguments, maybe
      CuValue value = overloads_value(cu, &found, name, span);
      value.overloads->is_unknown = true;
      return value;
    }
    cu_report_unknown(cu, name, &found);
    return cu_poison(cu, span);
  }
  // A function or variable hides a type of the same name.
  uint32_t first = 0;
  while (first + 1 < found.count && is_type_entity(found.data[first]))
    first++;
  return entity_value(cu, found.data[first], &found, name, span);
}

CuValue cu_self(CuContext *cu, Span span) {
  const CuFrame *frame = cu->frame;
  if (!frame || !frame->self) {
    if (cu->scope->kind == CU_SCOPE_RECORD)
      cu_unsupported(cu, span, "a member's initialiser that uses the object",
                     "write a constructor");
    else
      CU_ERROR(cu, span, undeclared_name, DS("this"));
    return cu_poison(cu, span);
  }
  CuVariable *self = cu_seen_from_here(cu, frame->self, span);
  return self ? cu_variable_value(cu, self, span) : cu_poison(cu, span);
}

static CuValue this_value(CuContext *cu, Span span) {
  CuValue self = cu_self(cu, span);
  return cu_is_poisoned(&self) ? self : cu_address_value(cu, self, span);
}

// ---------------------------------------------------------------- the rest

static CuValue sizeof_value(CuContext *cu, const CuType *type, Span span) {
  type = cu_referred(type);
  if (cu_is_poison(type) ||
      !cu_require_complete(cu, cu_array_base(type), span) ||
      !cu_require_layout(cu, type, span))
    return cu_poison(cu, span);
  const CuType *size = cu_basic(&cu->types, CU_ULONG);
  Expr *made = cu_new_expr(cu, EXPR_SIZEOF_TYPE, span);
  made->u.type = cu_emit_type(cu, cu_plain(type), span);
  CuValue value = cu_rvalue(size, made, span);
  value.constant = cu_const_int((int64_t)cu_size(type));
  return value;
}

static CuValue sizeof_type(CuContext *cu, const CxExpr *expr) {
  // sizeof(name) where the name is a variable.
  return sizeof_value(cu, cu_resolve_type(cu, expr->u.type), expr->span);
}

static CuValue sizeof_expr(CuContext *cu, const CxExpr *expr) {
  CuValue value = cu_expr_decltype_value(cu, expr->u.operand);
  if (cu_is_poisoned(&value) || value.overloads || value.list) {
    cu_operand(cu, expr->u.operand);
    return cu_poison(cu, expr->span);
  }
  return sizeof_value(cu, value.type, expr->span);
}

static CuValue alignof_value(CuContext *cu, const CxExpr *expr) {
  const CuType *type = cu_referred(cu_resolve_type(cu, expr->u.type));
  if (!cu_require_complete(cu, cu_array_base(type), expr->span))
    return cu_poison(cu, expr->span);
  return cu_int_value(cu, cu_basic(&cu->types, CU_ULONG),
                      (int64_t)cu_align(type), expr->span);
}

static CuValue comma_value(CuContext *cu, const CxExpr *expr) {
  CuValue last = {.type = cu_basic(&cu->types, CU_POISON), .span = expr->span};
  Expr *before = NULL;
  for (uint32_t i = 0; i < expr->u.list.count; i++) {
    const CxExpr *item = expr->u.list.data[i];
    if (i + 1 == expr->u.list.count) {
      last = cu_expr(cu, item);
    } else {
      Expr *dropped = cu_discarded(cu, item);
      if (dropped)
        before = before ? cu_comma(cu, before, dropped, expr->span) : dropped;
    }
  }
  if (before && last.expr) {
    last.expr = cu_comma(cu, before, last.expr, expr->span);
    last.is_lvalue = false;
    last.constant.kind = CU_NOT_CONST;
    last.variable = NULL;
  }
  return last;
}

static CuValue unsupported_value(CuContext *cu, const CxExpr *expr) {
  cu_unsupported(cu, expr->span, expr->u.what, NULL);
  return cu_poison(cu, expr->span);
}

static CuValue list_value(CuContext *cu, const CxExpr *expr) {
  expr = cu_expanded_init(cu, expr);
  return (CuValue){
      .type = cu_basic(&cu->types, CU_LIST), .span = expr->span, .list = expr};
}

static CuValue expr_value(CuContext *cu, const CxExpr *expr) {
  switch (expr->kind) {
  case CX_EXPR_POISON: return cu_poison(cu, expr->span);
  case CX_EXPR_UNSUPPORTED: return unsupported_value(cu, expr);
  case CX_EXPR_INT: return int_value(cu, expr);
  case CX_EXPR_FLOAT: return float_value(cu, expr);
  case CX_EXPR_CHAR: return char_value(cu, expr);
  case CX_EXPR_STRING: return string_value(cu, expr);
  case CX_EXPR_BOOL: return bool_value(cu, expr->u.bool_value, expr->span);
  case CX_EXPR_NULLPTR: return null_value(cu, expr->span);
  case CX_EXPR_THIS: return this_value(cu, expr->span);
  case CX_EXPR_NAME: return cu_name_value(cu, expr->u.name, expr->span);
  case CX_EXPR_UNARY: return cu_unary_expr(cu, expr);
  case CX_EXPR_BINARY: return cu_binary_expr(cu, expr);
  case CX_EXPR_ASSIGN: return cu_assign_expr(cu, expr);
  case CX_EXPR_CONDITIONAL: return cu_conditional_expr(cu, expr);
  case CX_EXPR_COMMA: return comma_value(cu, expr);
  case CX_EXPR_CAST: return cu_cast_expr(cu, expr);
  case CX_EXPR_CONSTRUCT: return cu_construct_expr(cu, expr);
  case CX_EXPR_SIZEOF_EXPR: return sizeof_expr(cu, expr);
  case CX_EXPR_SIZEOF_TYPE: return sizeof_type(cu, expr);
  case CX_EXPR_ALIGNOF: return alignof_value(cu, expr);
  case CX_EXPR_CALL: return cu_call_expr(cu, expr);
  case CX_EXPR_INDEX: return cu_index_expr(cu, expr);
  case CX_EXPR_MEMBER: return cu_member_expr(cu, expr);
  case CX_EXPR_INIT_LIST: return list_value(cu, expr);
  case CX_EXPR_LAMBDA: return cu_lambda_expr(cu, expr);
  case CX_EXPR_FOLD: return cu_fold_expr(cu, expr);
  case CX_EXPR_ELEMENT: return cu_element_expr(cu, expr);
  case CX_EXPR_SIZEOF_PACK: return cu_sizeof_pack(cu, expr);
  case CX_EXPR_EXPANSION:
    cu_unsupported(cu, expr->span, "an expansion here",
                   "expand it among arguments or by an operator");
    return cu_poison(cu, expr->span);
  case CX_EXPR_OFFSETOF: return cu_offset_of(cu, expr);
  case CX_EXPR_LAUNCH:
    cu_unsupported(cu, expr->span, "launching a kernel from a kernel",
                   "call a function, or launch it from the host");
    return cu_poison(cu, expr->span);
  case CX_EXPR_TYPE:
    CU_ERROR(cu, expr->span, not_a_value, DS(cu_source_text(cu, expr->span)),
             DS("a type"));
    return cu_poison(cu, expr->span);
  }
  return cu_poison(cu, expr->span);
}

CuValue cu_expr(CuContext *cu, const CxExpr *expr) {
  if (!cu_enter(cu, expr->span))
    return cu_poison(cu, expr->span);
  CuValue value = expr_value(cu, expr);
  cu_leave(cu);
  value.written = expr;
  return value;
}

CuValue cu_operand(CuContext *cu, const CxExpr *expr) {
  CuValue value = cu_expr(cu, expr);
  if (cu_is(value.type, CU_OVERLOADS)) {
    if (value.overloads->is_unknown)
      cu_undeclared(cu, expr->span,
                    value.overloads->part && value.overloads->part->name
                        ? value.overloads->part->name
                        : cu_source_text(cu, expr->span));
    else
      cu_unsupported(cu, expr->span, "a function as a value",
                     "call it, or pass a lambda or an object with operator()");
    return cu_poison(cu, expr->span);
  }
  if (cu_is(value.type, CU_LIST)) {
    CU_ERROR(cu, expr->span, not_a_value, DS("{…}"), DS("a list"));
    return cu_poison(cu, expr->span);
  }
  if (cu_is(value.type, CU_VOID)) {
    CU_ERROR0(cu, expr->span, void_value);
    return cu_poison(cu, expr->span);
  }
  return value;
}

CuValue cu_perhaps(CuContext *cu, const CxExpr *expr) {
  CuFrame *frame = cu->frame;
  bool before = frame && frame->is_conditional;
  if (frame)
    frame->is_conditional = true;
  CuValue value = cu_expr(cu, expr);
  if (value.overloads)
    value = cu_operand(cu, expr);
  if (frame)
    frame->is_conditional = before;
  return value;
}

CuValue cu_condition_of(CuContext *cu, CuValue value) {
  if (cu_is_poisoned(&value) || cu_is(cu_plain(value.type), CU_BOOL))
    return value;
  const CuType *truth = cu_basic(&cu->types, CU_BOOL);
  // assert(x && "what is wrong")
  if (value.expr->kind == EXPR_STRING)
    return cu_int_value(cu, truth, 1, value.span);
  return cu_convert(cu, value, truth, "a condition");
}

CuValue cu_condition(CuContext *cu, const CxExpr *expr) {
  return cu_condition_of(cu, cu_operand(cu, expr));
}

// A discarded place is read where it is volatile, a discarded value where it is
// computed: [expr.context]. Threads race with both. Barriers are only named.
static bool performs_reads(const CuValue *value, const Expr *made) {
  if (cu_is_barrier(value->type) || cu_is_barrier_pointer(value->type))
    return false;
  bool is_place = value->is_lvalue && made == value->expr;
  if (!is_place)
    return cu_reads_memory(made);
  return value->type->quals & CX_QUAL_VOLATILE || cu_place_reads(made);
}

Expr *cu_discarded(CuContext *cu, const CxExpr *expr) {
  // (void)x
  bool is_void_cast = expr->kind == CX_EXPR_CAST &&
                      expr->u.cast.type->kind == CX_TYPE_BUILTIN &&
                      expr->u.cast.type->u.builtin == CX_BUILTIN_VOID;
  CuValue value = cu_expr(cu, is_void_cast ? expr->u.cast.operand : expr);
  if (cu_is(value.type, CU_OVERLOADS)) { // (void)f
    if (value.overloads->is_unknown)
      cu_operand(cu, expr);
    return NULL;
  }
  if (!value.expr)
    return NULL;
  Expr *made = value.expr;
  // (f(), x): the x was for the value.
  while (made->kind == EXPR_COMMA &&
         !cu_has_effect(made->u.list.data[made->u.list.count - 1]) &&
         !cu_reads_memory(made->u.list.data[made->u.list.count - 1]))
    made = made->u.list.data[0];
  while (made->kind == EXPR_UNARY && made->u.unary.op == UNARY_DEREF &&
         cu_has_effect(made))
    made = made->u.unary.operand;
  if (map_has(&cu->notes.phases, MAP_KEY(made)))
    return cu_phase_keep(cu, made);
  if (cu_has_effect(made))
    return map_has(&cu->notes.droppable, MAP_KEY(made)) ? NULL : made;
  if (performs_reads(&value, made))
    return made;
  if (made->kind == EXPR_NAME)
    cu_name_unspelled(cu, made);
  return NULL;
}

// Without a trace in the function: for its type alone.
CuValue cu_expr_decltype_value(CuContext *cu, const CxExpr *expr) {
  CuFrame *frame = cu->frame;
  CuStmtVec dropped = {0};
  CuFrame apart = cu_apart_frame(cu, &dropped);
  cu->frame = &apart;
  CuTrial trial = cu_trial_begin(cu);
  cu->n_operands++;
  CuValue value = cu_expr(cu, expr);
  cu->n_operands--;
  if (cu_trial_end(cu, trial))
    value.type = cu_basic(&cu->types, CU_POISON);
  cu->frame = frame;
  return value;
}

const CuType *cu_decltype(CuContext *cu, const CxExpr *expr) {
  CuValue value = cu_expr_decltype_value(cu, expr);
  bool is_unknown = value.overloads && value.overloads->is_unknown;
  if (cu_is_poisoned(&value) || is_unknown)
    return cu_operand(cu, expr).type;
  if (!expr->has_parens && value.variable && !value.variable->seen_as)
    return value.variable->type;
  bool is_member = !expr->has_parens && expr->kind == CX_EXPR_MEMBER;
  if (!value.is_lvalue || is_member)
    return value.type;
  return cu_reference(&cu->types, value.type, false);
}
