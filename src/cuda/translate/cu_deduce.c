// SPDX-License-Identifier: Apache-2.0
#include "cuda/form/cu_deduce.h"
#include "cuda/form/cu_lambda.h"
#include "cuda/form/cu_pack.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_scope.h"
#include "cuda/form/cu_value.h"

CuDeduction cu_deduction(CuContext *cu, const CxTemplate *template,
                         CuScope *outer) {
  CuDeduction deduction = {.template = template, .outer = outer};
  deduction.args = ARENA_ARRAY(cu->arena, CuArg, template->params.count + 1);
  deduction.known = ARENA_ARRAY(cu->arena, bool, template->params.count + 1);
  return deduction;
}

static int param_index(const CxTemplate *template, const CxName *name) {
  if (name->n_parts != 1 || name->is_global || name->parts[0].has_args)
    return -1;
  for (uint32_t i = 0; i < template->params.count; i++) {
    if (template->params.data[i]->name &&
        template->params.data[i]->name == name->parts[0].name)
      return (int)i;
  }
  return -1;
}

static bool expr_mentions(const CxExpr *expr, const CxTemplate *template) {
  switch ((int)expr->kind) {
  case CX_EXPR_NAME: return param_index(template, expr->u.name) >= 0;
  case CX_EXPR_UNARY: return expr_mentions(expr->u.unary.operand, template);
  case CX_EXPR_BINARY:
    return expr_mentions(expr->u.binary.left, template) ||
           expr_mentions(expr->u.binary.right, template);
  case CX_EXPR_SIZEOF_TYPE: return cu_mentions(expr->u.type, template);
  default: return false;
  }
}

static bool name_mentions(const CxName *name, const CxTemplate *template) {
  if (param_index(template, name) >= 0)
    return true;
  for (uint32_t i = 0; i < name->n_parts; i++) {
    const CxNamePart *part = &name->parts[i];
    CxName bare = {.parts = &name->parts[i], .n_parts = 1};
    if (i == 0 && param_index(template, &bare) >= 0)
      return true;
    for (uint32_t k = 0; k < part->n_args; k++) {
      const CxTemplateArg *arg = &part->args[k];
      if ((arg->type && cu_mentions(arg->type, template)) ||
          (arg->expr && expr_mentions(arg->expr, template)))
        return true;
    }
  }
  return false;
}

bool cu_mentions(const CxType *pattern, const CxTemplate *template) {
  switch (pattern->kind) {
  case CX_TYPE_NAMED: return name_mentions(pattern->u.named.name, template);
  case CX_TYPE_POINTER:
  case CX_TYPE_REFERENCE:
  case CX_TYPE_RVALUE_REFERENCE: return cu_mentions(pattern->u.inner, template);
  case CX_TYPE_ARRAY:
    return cu_mentions(pattern->u.array.element, template) ||
           (pattern->u.array.extent &&
            expr_mentions(pattern->u.array.extent, template));
  case CX_TYPE_FUNCTION:
    for (uint32_t i = 0; i < pattern->u.function.params.count; i++) {
      if (cu_mentions(pattern->u.function.params.data[i]->type, template))
        return true;
    }
    return cu_mentions(pattern->u.function.result, template);
  case CX_TYPE_DECLTYPE: return true;
  case CX_TYPE_POISON:
  case CX_TYPE_UNSUPPORTED:
  case CX_TYPE_BUILTIN:
  case CX_TYPE_AUTO:
  case CX_TYPE_DEFINITION: return false;
  }
  return false;
}

// ---------------------------------------------------------------- matching

static bool set_arg(CuDeduction *deduction, int index, CuArg arg) {
  if (deduction->known[index])
    return cu_args_equal((CuArgs){&deduction->args[index], 1},
                         (CuArgs){&arg, 1});
  deduction->args[index] = arg;
  deduction->known[index] = true;
  return true;
}

static bool is_type_param(const CuDeduction *deduction, int index) {
  const CxDecl *param = deduction->template->params.data[index];
  return param->u.template_param.is_type &&
         !param->u.template_param.is_template;
}

// Qualifiers that the pattern states are not part of what T is.
static bool match_param(CuContext *cu, CuDeduction *deduction, int index,
                        uint8_t quals, const CuType *actual) {
  if (!is_type_param(deduction, index))
    return false;
  uint8_t rest = (uint8_t)(actual->quals & ~quals);
  CuArg arg = {.is_type = true,
               .type = cu_qualified(&cu->types, cu_plain(actual), rest)};
  return set_arg(deduction, index, arg);
}

static bool match_value(CuContext *cu, CuDeduction *deduction,
                        const CxExpr *pattern, const CuType *type,
                        CuConst value) {
  int index = pattern->kind == CX_EXPR_NAME
                  ? param_index(deduction->template, pattern->u.name)
                  : -1;
  if (index >= 0 && !is_type_param(deduction, index)) {
    const CxDecl *param = deduction->template->params.data[index];
    bool is_dependent = cu_mentions(param->type, deduction->template) ||
                        cu_has_auto(param->type);
    const CuType *declared =
        is_dependent ? type : cu_plain(cu_resolve_type(cu, param->type));
    CuArg arg = {.type = declared,
                 .value = cu_const_convert(value, type, declared)};
    return set_arg(deduction, index, arg);
  }
  if (expr_mentions(pattern, deduction->template))
    return true; // an expression can't be solved: what else there is decides
  CuValue fixed = cu_try_constant(cu, pattern);
  return fixed.constant.kind == CU_CONST_INT && fixed.constant.i == value.i;
}

// --- packs ---

// The elements that the packs of a pattern get, one after the other. While one
// is matched it stands where the pack's argument will be.
typedef struct {
  CuArg **elements; // of each parameter; NULL: it is no pack of the pattern
  uint32_t *n_given;
  uint32_t n;
} PackMatch;

static PackMatch pack_match(CuContext *cu, const CuDeduction *deduction,
                            const CxPackNames *names, const CxType *type,
                            uint32_t n_elements) {
  const CxTemplate *template = deduction->template;
  uint32_t n = template->params.count;
  PackMatch match = {.elements = ARENA_ARRAY(cu->arena, CuArg *, n + 1),
                     .n_given = ARENA_ARRAY(cu->arena, uint32_t, n + 1),
                     .n = n};
  for (uint32_t k = 0; k < n; k++) {
    CxDecl *param = template->params.data[k];
    CxTemplate only = {.params = {&param, 1}};
    bool is_named = type && cu_mentions(type, &only);
    for (uint32_t i = 0; names && i < names->count; i++)
      is_named = is_named || (param->name && names->data[i] == param->name);
    if (!param->u.template_param.is_pack || !is_named)
      continue;
    const CuArg *given = &deduction->args[k];
    match.n_given[k] = deduction->known[k] ? given->n_elements : 0;
    uint32_t most =
        match.n_given[k] > n_elements ? match.n_given[k] : n_elements;
    match.elements[k] = ARENA_ARRAY(cu->arena, CuArg, most + 1);
    for (uint32_t i = 0; i < match.n_given[k]; i++)
      match.elements[k][i] = given->elements[i];
  }
  return match;
}

static void begin_element(CuDeduction *deduction, const PackMatch *match,
                          uint32_t i) {
  for (uint32_t k = 0; k < match->n; k++) {
    if (!match->elements[k])
      continue;
    deduction->known[k] = i < match->n_given[k];
    deduction->args[k] = match->elements[k][i];
  }
}

static bool end_element(const CuDeduction *deduction, const PackMatch *match,
                        uint32_t i) {
  bool is_known = true;
  for (uint32_t k = 0; k < match->n; k++) {
    if (!match->elements[k])
      continue;
    match->elements[k][i] = deduction->args[k];
    is_known = is_known && deduction->known[k];
  }
  return is_known;
}

static void end_packs(CuDeduction *deduction, const PackMatch *match,
                      uint32_t n_elements) {
  for (uint32_t k = 0; k < match->n; k++) {
    if (!match->elements[k])
      continue;
    deduction->known[k] = true;
    deduction->args[k] = (CuArg){.is_pack = true,
                                 .elements = match->elements[k],
                                 .n_elements = n_elements};
  }
}

bool cu_deduce_pack(CuContext *cu, CuDeduction *deduction,
                    const CxType *pattern, CuValues args) {
  PackMatch match = pack_match(cu, deduction, NULL, pattern, args.count);
  for (uint32_t i = 0; i < args.count; i++) {
    CuValue object = cu_function_object(cu, args.data[i]);
    begin_element(deduction, &match, i);
    bool is_given = end_element(deduction, &match, i);
    bool fits = cu_deduce_param(cu, deduction, pattern, &object);
    if (is_given) // conversions apply
      begin_element(deduction, &match, i);
    if ((!fits && !is_given) || !end_element(deduction, &match, i))
      return false;
  }
  end_packs(deduction, &match, args.count);
  return true;
}

// --- lists of arguments ---

// In a class template its name, with arguments, is the template again.
static bool is_template(const CuEntity *found, const CuEntity *template) {
  if (found->kind != CU_ENTITY_TYPE || !cu_is(found->type, CU_RECORD))
    return found == template;
  const CuRecord *record = found->type->u.record;
  return record->entity == template && found->scope == record->scope;
}

static bool match_template(CuContext *cu, CuDeduction *deduction,
                           const CxType *pattern, CuEntity *actual) {
  const CxName *name =
      pattern->kind == CX_TYPE_NAMED ? pattern->u.named.name : NULL;
  int index = name ? param_index(deduction->template, name) : -1;
  if (index >= 0)
    return deduction->template->params.data[index]
               ->u.template_param.is_template &&
           set_arg(deduction, index,
                   (CuArg){.is_type = true, .template = actual});
  CuEntityVec found = {0};
  if (name)
    cu_resolve_name(cu, name, &found);
  for (uint32_t i = 0; i < found.count; i++) {
    if (is_template(found.data[i], actual))
      return true;
  }
  return false;
}

static bool match_arg(CuContext *cu, CuDeduction *deduction,
                      const CxTemplateArg *pattern, const CuArg *actual) {
  if (actual->template)
    return pattern->type &&
           match_template(cu, deduction, pattern->type, actual->template);
  if (actual->is_type)
    return pattern->type &&
           cu_deduce(cu, deduction, pattern->type, actual->type);
  return pattern->expr &&
         match_value(cu, deduction, pattern->expr, actual->type, actual->value);
}

static bool match_rest(CuContext *cu, CuDeduction *deduction,
                       const CxTemplateArg *pattern, CuArgs rest) {
  PackMatch match =
      pack_match(cu, deduction, &pattern->packs, NULL, rest.count);
  for (uint32_t i = 0; i < rest.count; i++) {
    begin_element(deduction, &match, i);
    if (!match_arg(cu, deduction, pattern, &rest.data[i]) ||
        !end_element(deduction, &match, i))
      return false;
  }
  end_packs(deduction, &match, rest.count);
  return true;
}

bool cu_deduce_args(CuContext *cu, CuDeduction *deduction,
                    const CxNamePart *pattern, CuArgs actual, bool is_whole) {
  actual = cu_flat_args(cu, actual);
  for (uint32_t i = 0; i < pattern->n_args; i++) {
    const CxTemplateArg *arg = &pattern->args[i];
    if (arg->is_expansion)
      return i + 1 == pattern->n_args &&
             match_rest(cu, deduction, arg,
                        (CuArgs){actual.data + i, actual.count - i});
    if (i >= actual.count || !match_arg(cu, deduction, arg, &actual.data[i]))
      return false;
  }
  return !is_whole || pattern->n_args == actual.count;
}

// C<T>, where C is a parameter of the template.
static bool match_any_instance(CuContext *cu, CuDeduction *deduction,
                               const CxName *name, const CuType *actual) {
  CxNamePart bare = name->parts[0];
  bare.has_args = false;
  CxName alone = {.parts = &bare, .n_parts = 1};
  int index = name->n_parts == 1 && name->parts[0].has_args
                  ? param_index(deduction->template, &alone)
                  : -1;
  if (index < 0 || actual->kind != CU_RECORD)
    return false;
  const CuRecord *record = actual->u.record;
  CuArg arg = {.is_type = true, .template = record->entity};
  return set_arg(deduction, index, arg) &&
         cu_deduce_args(cu, deduction, &name->parts[0],
                        (CuArgs){record->args, record->n_args}, true);
}

// S<T, N> against an instance of S.
static bool match_instance(CuContext *cu, CuDeduction *deduction,
                           const CxType *pattern, const CuType *actual) {
  if (actual->kind != CU_RECORD)
    return false;
  const CxName *name = pattern->u.named.name;
  const CuRecord *record = actual->u.record;
  CuEntityVec found = {0};
  cu_resolve_name(cu, name, &found);
  for (uint32_t i = 0; i < found.count; i++) {
    if (is_template(found.data[i], record->entity))
      return cu_deduce_args(cu, deduction, &name->parts[name->n_parts - 1],
                            (CuArgs){record->args, record->n_args}, false);
  }
  if (found.count == 1 && found.data[0]->kind == CU_ENTITY_ALIAS)
    return false;
  for (uint32_t i = 0; i < record->fields.count; i++) {
    const CuField *field = &record->fields.data[i];
    if (field->base && match_instance(cu, deduction, pattern, field->type))
      return true;
  }
  return false;
}

static bool match_named(CuContext *cu, CuDeduction *deduction,
                        const CxType *pattern, const CuType *actual) {
  const CxName *name = pattern->u.named.name;
  int index = param_index(deduction->template, name);
  if (index >= 0)
    return match_param(cu, deduction, index, pattern->quals, actual);
  if (match_any_instance(cu, deduction, name, cu_plain(actual)))
    return true;
  if (name->parts[name->n_parts - 1].has_args && name->n_parts >= 1 &&
      !name_mentions(&(CxName){.parts = name->parts, .n_parts = 1},
                     &(CxTemplate){0}) &&
      match_instance(cu, deduction, pattern, cu_plain(actual)))
    return true;
  return name->n_parts > 1; // typename T::type: not deduced from
}

static bool match_array(CuContext *cu, CuDeduction *deduction,
                        const CxType *pattern, const CuType *actual) {
  if (actual->kind != CU_ARRAY ||
      !cu_deduce(cu, deduction, pattern->u.array.element,
                 actual->u.array.element))
    return false;
  const CxExpr *extent = pattern->u.array.extent;
  if (!extent)
    return actual->u.array.extent < 0;
  return match_value(cu, deduction, extent, cu_basic(&cu->types, CU_INT),
                     cu_const_int(actual->u.array.extent));
}

static bool match_function(CuContext *cu, CuDeduction *deduction,
                           const CxType *pattern, const CuType *actual) {
  uint32_t n = pattern->u.function.params.count;
  if (actual->kind != CU_FUNCTION || actual->u.function.n_params != n ||
      !cu_deduce(cu, deduction, pattern->u.function.result,
                 actual->u.function.result))
    return false;
  for (uint32_t i = 0; i < n; i++) {
    if (!cu_deduce(cu, deduction, pattern->u.function.params.data[i]->type,
                   actual->u.function.params[i]))
      return false;
  }
  return true;
}

static bool match_fixed(CuContext *cu, const CxType *pattern,
                        const CuType *actual) {
  CuTrial trial = cu_trial_begin(cu);
  const CuType *type = cu_resolve_type(cu, pattern);
  bool failed = cu_trial_end(cu, trial);
  return !failed && type == actual;
}

static bool deduce(CuContext *cu, CuDeduction *deduction, const CxType *pattern,
                   const CuType *actual) {
  if (!cu_mentions(pattern, deduction->template))
    return match_fixed(cu, pattern, actual);
  switch ((int)pattern->kind) {
  case CX_TYPE_NAMED: return match_named(cu, deduction, pattern, actual);
  case CX_TYPE_POINTER:
    return actual->kind == CU_POINTER &&
           cu_deduce(cu, deduction, pattern->u.inner, actual->u.inner);
  case CX_TYPE_REFERENCE:
  case CX_TYPE_RVALUE_REFERENCE:
    return actual->kind == CU_REFERENCE &&
           actual->is_rvalue == (pattern->kind == CX_TYPE_RVALUE_REFERENCE) &&
           cu_deduce(cu, deduction, pattern->u.inner, actual->u.inner);
  case CX_TYPE_ARRAY: return match_array(cu, deduction, pattern, actual);
  case CX_TYPE_FUNCTION: return match_function(cu, deduction, pattern, actual);
  default: return true; // decltype: not deduced from
  }
}

bool cu_deduce(CuContext *cu, CuDeduction *deduction, const CxType *pattern,
               const CuType *actual) {
  // A pattern that states const only fits a type that has it.
  if (pattern->kind != CX_TYPE_REFERENCE && actual->kind != CU_REFERENCE &&
      (pattern->quals & ~actual->quals & (CX_QUAL_CONST | CX_QUAL_VOLATILE)) &&
      actual->kind != CU_ARRAY)
    return false;
  CuScope *before = cu_set_scope(cu, deduction->outer);
  bool fits = deduce(cu, deduction, pattern, actual);
  cu_set_scope(cu, before);
  return fits;
}

// Adds const where the parameter asks for it and the argument lacks it:
// `const T *` takes a `float *`.
static const CuType *with_quals(CuContext *cu, const CxType *pattern,
                                const CuType *actual) {
  if (pattern->kind == CX_TYPE_POINTER && actual->kind == CU_POINTER)
    return cu_qualified(&cu->types,
                        cu_pointer(&cu->types, with_quals(cu, pattern->u.inner,
                                                          actual->u.inner)),
                        pattern->quals);
  if (pattern->kind == CX_TYPE_NAMED || pattern->kind == CX_TYPE_ARRAY)
    return cu_qualified(&cu->types, actual,
                        pattern->kind == CX_TYPE_ARRAY
                            ? pattern->u.array.element->quals
                            : pattern->quals);
  return actual;
}

static bool is_bare_param(const CuDeduction *deduction, const CxType *type) {
  return type->kind == CX_TYPE_NAMED && !type->quals &&
         param_index(deduction->template, type->u.named.name) >= 0;
}

bool cu_deduce_param(CuContext *cu, CuDeduction *deduction,
                     const CxType *pattern, const CuValue *argument) {
  if (!cu_mentions(pattern, deduction->template) ||
      argument->type->kind == CU_LIST || argument->type->kind == CU_OVERLOADS)
    return true;
  const CuType *actual = argument->type;
  bool is_pointer =
      pattern->kind == CX_TYPE_POINTER || pattern->kind == CX_TYPE_REFERENCE;
  if (cu_is(actual, CU_LAMBDA) && is_pointer &&
      pattern->u.inner->kind == CX_TYPE_FUNCTION) { // T (*f)(T)
    const CuType *signature = cu_signature(cu, actual);
    return !signature || cu_deduce(cu, deduction, pattern->u.inner, signature);
  }
  bool is_forwarding = pattern->kind == CX_TYPE_RVALUE_REFERENCE &&
                       is_bare_param(deduction, pattern->u.inner);
  if (is_forwarding && argument->is_lvalue)
    return cu_deduce(cu, deduction, pattern->u.inner,
                     cu_reference(&cu->types, actual, false));
  if (pattern->kind == CX_TYPE_REFERENCE ||
      pattern->kind == CX_TYPE_RVALUE_REFERENCE) {
    pattern = pattern->u.inner;
  } else {
    actual = cu_plain(cu_decayed(cu, actual));
    if (pattern->kind == CX_TYPE_ARRAY) { // T x[]: a pointer
      return actual->kind == CU_POINTER &&
             cu_deduce(cu, deduction, pattern->u.array.element,
                       actual->u.inner);
    }
    if (pattern->kind == CX_TYPE_NAMED)
      return cu_deduce(cu, deduction, pattern,
                       cu_qualified(&cu->types, actual, pattern->quals));
    actual = cu_qualified(&cu->types, actual, pattern->quals); // T *const p
  }
  return cu_deduce(cu, deduction, pattern, with_quals(cu, pattern, actual));
}
