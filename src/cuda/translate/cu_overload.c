// SPDX-License-Identifier: Apache-2.0
// Overload resolution: candidates, whether they fit, which fits best.
#include "cuda/form/cu_overload.h"
#include "cuda/form/cu_deduce.h"
#include "cuda/form/cu_function.h"
#include "cuda/form/cu_lambda.h"
#include "cuda/form/cu_names.h"
#include "cuda/form/cu_pack.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_scope.h"

typedef struct {
  CuFunction *function;
  CuConversion *conversions; // one an argument, the object's first
  bool is_template;
  bool has_pack;   // takes any number of arguments
  uint32_t detail; // how much of the parameters' types is written
} Candidate;

typedef hd_vec(Candidate) Candidates;

// ---------------------------------------------------------------- candidates

static uint32_t type_detail(const CxType *type) {
  switch ((int)type->kind) {
  case CX_TYPE_POINTER:
  case CX_TYPE_REFERENCE:
  case CX_TYPE_RVALUE_REFERENCE: return 1 + type_detail(type->u.inner);
  case CX_TYPE_ARRAY: return 2 + type_detail(type->u.array.element);
  case CX_TYPE_NAMED: {
    const CxName *name = type->u.named.name;
    const CxNamePart *last = &name->parts[name->n_parts - 1];
    uint32_t sum = type->quals ? 2 : 1;
    for (uint32_t i = 0; i < last->n_args; i++)
      sum += 1 + (last->args[i].type ? type_detail(last->args[i].type) : 1);
    return sum;
  }
  default: return 3;
  }
}

static uint32_t params_detail(const CxDecl *decl) {
  uint32_t sum = 0;
  const CxDeclList *params = &decl->type->u.function.params;
  for (uint32_t i = 0; i < params->count; i++)
    sum += type_detail(params->data[i]->type);
  return sum;
}

static bool deduce_all(CuContext *cu, CuDeduction *deduction,
                       const CxDecl *decl, CuValues args) {
  const CxDeclList *params = &decl->type->u.function.params;
  for (uint32_t i = 0; i < args.count && i < params->count; i++) {
    const CxType *pattern = params->data[i]->type;
    if (params->data[i]->u.var.is_pack)
      return i + 1 < params->count ||
             cu_deduce_pack(cu, deduction, pattern,
                            (CuValues){args.data + i, args.count - i});
    // What was given explicitly is not deduced, so that conversions apply.
    CuArg *kept =
        arena_copy(cu->arena, deduction->args,
                   sizeof(CuArg) * (deduction->template->params.count + 1));
    CuValue object = cu_function_object(cu, args.data[i]);
    if (cu_deduce_param(cu, deduction, pattern, &object))
      continue;
    for (uint32_t k = 0; k < deduction->template->params.count; k++)
      deduction->args[k] = kept[k];
    if (!deduction->is_explicit)
      return false;
  }
  return true;
}

// Silently: what can't be deduced is no candidate.
static CuFunction *deduced(CuContext *cu, CuEntity *entity,
                           const CuOverloads *set, CuValues args) {
  const CxDecl *decl = entity->decl;
  const CxTemplate *template = &decl->templates[decl->n_templates - 1];
  CuDeduction deduction = cu_deduction(cu, template, entity->scope);
  deduction.is_explicit = set->has_args;
  CuTrial trial = cu_trial_begin(cu);
  bool fits = (!set->has_args ||
               cu_written_args(cu, set->part, template, deduction.outer,
                               deduction.args, deduction.known)) &&
              deduce_all(cu, &deduction, decl, args) &&
              cu_default_args(cu, template, entity->scope, deduction.args,
                              deduction.known, decl->name_span);
  CuFunction *function = NULL;
  if (fits)
    function = cu_instance(cu, entity,
                           (CuArgs){deduction.args, template->params.count});
  cu_trial_end(cu, trial);
  return function;
}

static bool is_explicit_specialisation(const CxDecl *decl) {
  return decl->n_templates &&
         decl->templates[decl->n_templates - 1].params.count == 0;
}

static CuFunction *candidate_function(CuContext *cu, CuEntity *entity,
                                      const CuOverloads *set, CuValues args) {
  const CxDecl *decl = entity->decl;
  if (entity->kind != CU_ENTITY_FUNCTION || cu_is_repeated(cu, entity) ||
      is_explicit_specialisation(decl) || decl->u.function.is_deleted)
    return NULL;
  uint32_t n_params = decl->type->u.function.params.count;
  bool may_have_more = decl->type->u.function.is_variadic ||
                       cu_ends_in_pack(&decl->type->u.function.params);
  if (args.count > n_params && !may_have_more)
    return NULL;
  if (decl->n_templates)
    return deduced(cu, entity, set, args);
  return set->has_args ? NULL : cu_instance(cu, entity, (CuArgs){NULL, 0});
}

// ---------------------------------------------------------------- fitting

static CuConversion rank_object(CuContext *cu, const CuFunction *function,
                                const CuValue *object) {
  CuConversion exact = {.rank = CU_RANK_EXACT};
  if (!function->record || !object)
    return exact;
  const CuType *type = function->record->type;
  if (function->is_const_member)
    type = cu_qualified(&cu->types, type, CX_QUAL_CONST);
  CuValue place = *object;
  place.is_lvalue = true;
  return cu_conversion(cu, &place, cu_reference(&cu->types, type, false),
                       false);
}

static CuConversion rank_argument(CuContext *cu, const CuValue *value,
                                  const CuType *to, bool with_user) {
  if (value->overloads && cu_is(cu_plain(cu_referred(to)), CU_LAMBDA)) {
    CuValue object = cu_function_object(cu, *value);
    return cu_conversion(cu, &object, to, with_user);
  }
  if (cu_is_function_pointer(to)) {
    CuValue object = cu_function_constant(cu, *value, to);
    bool fits = cu_is(object.type, CU_LAMBDA);
    return (CuConversion){.rank = fits ? CU_RANK_EXACT : CU_RANK_NONE};
  }
  return cu_conversion(cu, value, to, with_user);
}

static bool overload_fits(CuContext *cu, Candidate *candidate,
                          const CuValue *object, CuValues args,
                          bool with_user) {
  CuFunction *function = candidate->function;
  if (args.count < cu_required_count(cu, function) ||
      (args.count > function->n_params && !function->is_variadic))
    return false;
  candidate->conversions = ARENA_ARRAY(cu->arena, CuConversion, args.count + 1);
  candidate->conversions[0] = rank_object(cu, function, object);
  bool is_right = candidate->conversions[0].rank != CU_RANK_NONE;
  for (uint32_t i = 0; is_right && i < args.count; i++) {
    CuConversion *conversion = &candidate->conversions[i + 1];
    if (i >= function->n_params)
      conversion->rank = CU_RANK_ELLIPSIS;
    else
      *conversion =
          rank_argument(cu, &args.data[i], function->params[i].type, with_user);
    is_right = conversion->rank != CU_RANK_NONE;
  }
  return is_right;
}

static Candidates viable(CuContext *cu, const CuOverloads *set,
                         const CuValue *object, CuValues args, bool with_user) {
  Candidates candidates = {0};
  for (uint32_t i = 0; i < set->found.count; i++) {
    CuEntity *entity = set->found.data[i];
    Candidate candidate = {.function =
                               candidate_function(cu, entity, set, args)};
    if (!candidate.function ||
        !overload_fits(cu, &candidate, object, args, with_user))
      continue;
    candidate.is_template = entity->decl->n_templates > 0;
    candidate.has_pack =
        cu_ends_in_pack(&entity->decl->type->u.function.params);
    candidate.detail = params_detail(entity->decl);
    VEC_PUSH(cu->arena, &candidates, candidate);
  }
  return candidates;
}

// ---------------------------------------------------------------- the best

// < 0: `a` is better.
static int compare_one(const CuConversion *a, const CuConversion *b) {
  bool is_same = a->rank <= CU_RANK_QUALIFICATION &&
                 b->rank <= CU_RANK_QUALIFICATION && a->is_bound != b->is_bound;
  if (a->rank != b->rank && !is_same)
    return a->rank < b->rank ? -1 : 1;
  if (a->rank == CU_RANK_USER && a->by && a->by == b->by && a->then != b->then)
    return a->then < b->then ? -1 : 1;
  if (a->n_up != b->n_up)
    return a->n_up < b->n_up ? -1 : 1;
  return (int)b->binds_rvalue - (int)a->binds_rvalue;
}

static int overload_compare(const Candidate *a, const Candidate *b,
                            uint32_t n) {
  bool a_wins = false, b_wins = false;
  for (uint32_t i = 0; i < n; i++) {
    int order = compare_one(&a->conversions[i], &b->conversions[i]);
    a_wins = a_wins || order < 0;
    b_wins = b_wins || order > 0;
  }
  if (a_wins != b_wins)
    return a_wins ? -1 : 1;
  if (a_wins)
    return 0;
  if (a->is_template != b->is_template)
    return a->is_template ? 1 : -1;
  if (a->has_pack != b->has_pack)
    return a->has_pack ? 1 : -1;
  if (a->detail != b->detail && a->is_template)
    return a->detail > b->detail ? -1 : 1;
  return 0;
}

static bool same_signature(const CuFunction *a, const CuFunction *b) {
  if (a->n_params != b->n_params)
    return false;
  for (uint32_t i = 0; i < a->n_params; i++) {
    if (a->params[i].type != b->params[i].type)
      return false;
  }
  return true;
}

// A prototype may spell its types in another way than the definition, which
// stands behind the call.
static CuFunction *overload_defined(CuContext *cu, CuFunction *function) {
  CuEntity *entity = function->entity;
  if (!entity || entity->scope->kind != CU_SCOPE_NAMESPACE ||
      entity->decl->n_templates || entity->decl->u.function.has_body ||
      cu_attribute(entity->decl, "__heddle"))
    return function;
  CuEntity *other = cu_named(cu, entity->scope, entity->name);
  for (; other; other = other->next) {
    const CxDecl *decl = other->decl;
    if (other == entity || other->kind != CU_ENTITY_FUNCTION ||
        decl->n_templates || !decl->u.function.has_body)
      continue;
    CuTrial trial = cu_trial_begin(cu);
    CuFunction *one = cu_instance(cu, other, (CuArgs){NULL, 0});
    cu_trial_end(cu, trial);
    if (one && same_signature(one, function))
      return one;
  }
  return function;
}

// NULL with *rival set: two are equally good.
static CuFunction *best(CuContext *cu, const Candidates *candidates,
                        uint32_t n_args, CuFunction **rival) {
  const Candidate *winner = &candidates->data[0];
  for (uint32_t i = 1; i < candidates->count; i++) {
    if (overload_compare(&candidates->data[i], winner, n_args + 1) < 0)
      winner = &candidates->data[i];
  }
  for (uint32_t i = 0; i < candidates->count; i++) {
    const Candidate *other = &candidates->data[i];
    if (other == winner || overload_compare(winner, other, n_args + 1) < 0 ||
        same_signature(winner->function, other->function))
      continue;
    *rival = other->function;
    return winner->function;
  }
  return overload_defined(cu, winner->function);
}

// ---------------------------------------------------------------- messages

static const char *argument_types(CuContext *cu, CuValues args) {
  Text text = {.arena = cu->arena};
  text_add_char(&text, '(');
  for (uint32_t i = 0; i < args.count; i++) {
    text_add(&text, i ? ", " : "");
    cu_type_print(args.data[i].type, &text);
  }
  text_add_char(&text, ')');
  return text_cstr(&text);
}

static void note_candidates(CuContext *cu, Diag *diag, const CuOverloads *set) {
  if (diag->notes.count || cu->reports.silent)
    return;
  for (uint32_t i = 0; i < set->found.count && i < 4; i++) {
    const CxDecl *decl = set->found.data[i]->decl;
    diag_note(cu->diags, diag, source_place(cu->source, decl->name_span),
              "candidate: %s", cu_source_text(cu, decl->name_span));
  }
}

// With a single function around, what is wrong is said of it: the arguments'
// conversions report by themselves.
static CuFunction *only_one(CuContext *cu, const CuOverloads *set,
                            CuValues args, Span span) {
  if (set->found.count != 1 || set->found.data[0]->decl->n_templates)
    return NULL;
  CuFunction *function = candidate_function(cu, set->found.data[0], set, args);
  if (!function)
    return NULL;
  uint32_t least = cu_required_count(cu, function);
  if (args.count >= least &&
      (args.count <= function->n_params || function->is_variadic))
    return function;
  CU_ERROR(cu, span, argument_count, DS(function->shown),
           DS(cu_format(cu,
                        least == function->n_params ? "%u arguments"
                                                    : "%u arguments at most",
                        function->n_params)),
           DU(args.count));
  return NULL;
}

// f<N>(…), where N is a function or nobody knows it, which is reported.
static bool is_no_argument(CuContext *cu, const CuOverloads *set) {
  for (uint32_t i = 0; set->has_args && i < set->part->n_args; i++) {
    const CxExpr *expr = set->part->args[i].expr;
    CuValue value = {0};
    if (expr)
      value = cu_try_constant(cu, expr);
    if (!value.overloads)
      continue;
    cu_report_not_constant(cu, &value, expr->span, "a template argument");
    return true;
  }
  return false;
}

static void report_none(CuContext *cu, const CuOverloads *set, CuValues args,
                        Span span) {
  if (set->found.count == 1 && cu->reports.failed && !cu->reports.silent &&
      cu->reports.n_errors > set->n_errors)
    return;
  if (is_no_argument(cu, set))
    return;
  Diag *diag = CU_ERROR(
      cu, span, cuda_no_overload,
      DS(set->part && set->part->name ? set->part->name : "operator()"),
      DS(argument_types(cu, args)));
  note_candidates(cu, diag, set);
}

static bool any_poison(CuValues args) {
  for (uint32_t i = 0; i < args.count; i++) {
    if (cu_is_poisoned(&args.data[i]))
      return true;
  }
  return false;
}

// What isn't supported in a template says more than that it doesn't fit.
static bool refuse_candidates(CuContext *cu, const CuOverloads *set,
                              Span span) {
  for (uint32_t i = 0; i < set->found.count; i++) {
    const CxDecl *decl = set->found.data[i]->decl;
    if (decl && decl->unsupported && cu_refuse_unsupported(cu, decl, span))
      return true;
  }
  return false;
}

CuFunction *cu_choose(CuContext *cu, CuOverloads *set, const CuValue *object,
                      CuValues args, Span span) {
  if (any_poison(args))
    return NULL;
  set->n_errors = cu->reports.n_errors;
  Candidates candidates = viable(cu, set, object, args, true);
  if (candidates.count == 0) {
    CuFunction *function = only_one(cu, set, args, span);
    if (!function && cu->reports.n_errors == set->n_errors &&
        !refuse_candidates(cu, set, span))
      report_none(cu, set, args, span);
    return function;
  }
  CuFunction *rival = NULL;
  CuFunction *function = best(cu, &candidates, args.count, &rival);
  if (rival) {
    Diag *diag = CU_ERROR(cu, span, cuda_ambiguous, DS(function->shown),
                          DS(argument_types(cu, args)));
    note_candidates(cu, diag, set);
    return NULL;
  }
  return function;
}

CuFunction *cu_choose_quietly(CuContext *cu, CuOverloads *set,
                              const CuValue *object, CuValues args,
                              bool with_user) {
  if (any_poison(args))
    return NULL;
  Candidates candidates = viable(cu, set, object, args, with_user);
  CuFunction *rival = NULL;
  if (candidates.count == 0)
    return NULL;
  return best(cu, &candidates, args.count, &rival);
}

// Where no operand is an object, a parameter must have the type of one that is
// an enumeration: the others would convert to anything.
static bool takes_these(const CuFunction *function, CuValues args) {
  bool has_enum = false;
  for (uint32_t i = 0; i < args.count; i++) {
    const CuType *type = cu_plain(args.data[i].type);
    if (type->kind != CU_ENUM && !cu_is_arithmetic(type))
      return true;
    has_enum =
        has_enum || (type->kind == CU_ENUM && i < function->n_params &&
                     cu_plain(cu_referred(function->params[i].type)) == type);
  }
  return has_enum;
}

// a + b: members of a, and functions that take both.
CuFunction *cu_choose_operator(CuContext *cu, CuOverloads *members,
                               CuOverloads *free_ones, CuValues args) {
  if (any_poison(args))
    return NULL;
  CuValues rest = {args.data + 1, args.count - 1};
  Candidates all = viable(cu, members, &args.data[0], rest, true);
  Candidates others = viable(cu, free_ones, NULL, args, true);
  for (uint32_t i = 0; i < others.count; i++) {
    if (!takes_these(others.data[i].function, args))
      continue;
    others.data[i].conversions++; // there is no object
    VEC_PUSH(cu->arena, &all, others.data[i]);
  }
  CuFunction *rival = NULL;
  return all.count ? best(cu, &all, rest.count, &rival) : NULL;
}
