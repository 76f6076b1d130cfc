// SPDX-License-Identifier: Apache-2.0
// From what is written to what is meant: names to entities, types to types.
#ifndef HD_CUDA_FORM_CU_RESOLVE_H
#define HD_CUDA_FORM_CU_RESOLVE_H

#include "cuda/form/cu.h"

// Entities that a name may mean here, namespaces and classes in front of it
// looked through. False: nothing was found; not reported.
bool cu_resolve_name(CuContext *cu, const CxName *name, CuEntityVec *found);
CuScope *cu_resolve_namespace(CuContext *cu, const CxName *name);
// Adds what a using declaration names.
void cu_resolve_using(CuContext *cu, CuEntity *entity, CuEntityVec *found);
// "'x' is not declared", or the error of a declaration that was skipped.
void cu_report_unknown(CuContext *cu, const CxName *name,
                       const CuEntityVec *found);

// Poison when there was an error, which is reported.
const CuType *cu_resolve_type(CuContext *cu, const CxType *type);
// Whether `auto` stands in it, so that it is made by cu_deduce_auto.
bool cu_is_decltype_auto(const CxType *type);
bool cu_has_auto(const CxType *type);
// The type of `auto x`, `const auto &x`, `auto *x` for a value of `type`.
const CuType *cu_deduce_auto(CuContext *cu, const CxType *written,
                             const CuType *type, bool is_lvalue);
// The class template that is named without its arguments; NULL: it is none.
const CuEntity *cu_open_class(CuContext *cu, const CxType *type);
// The type that an entity is, with the template arguments of `part` (or NULL);
// NULL: it is no type.
const CuType *cu_entity_type(CuContext *cu, CuEntity *entity,
                             const CxNamePart *part);
// The type that a name means, NULL if it means none (nothing is reported).
const CuType *cu_name_type(CuContext *cu, const CxName *name);
// Parameters of functions: arrays and functions become pointers.
const CuType *cu_decayed(CuContext *cu, const CuType *type);

// --- template arguments (cu_template.c) ---

// The arguments for `template` from those that are written and the defaults.
// False: an error was reported.
bool cu_resolve_args(CuContext *cu, const CxNamePart *part,
                     const CxTemplate *template, CuScope *outer, CuArgs *out);
// Only those that are written, each `known`; of a pack the first ones.
bool cu_written_args(CuContext *cu, const CxNamePart *part,
                     const CxTemplate *template, CuScope *outer, CuArg *args,
                     bool *known);
// One written argument for one parameter.
// `outer`: where the type of the parameter is looked up.
bool cu_resolve_arg(CuContext *cu, const CxTemplateArg *arg,
                    const CxDecl *param, CuScope *outer, CuArg *out);
bool cu_args_equal(CuArgs a, CuArgs b);
// Fills what is not set (`known` false) from the defaults of `template`.
bool cu_default_args(CuContext *cu, const CxTemplate *template, CuScope *outer,
                     CuArg *args, const bool *known, Span span);

// --- classes (cu_record.c) and enumerations (cu_enum.c) ---

// The class itself, or the instance of a class template.
CuRecord *cu_record_of(CuContext *cu, CuEntity *entity, CuArgs args, Span span);
// The declaration of a class or variable template for `args`: a specialisation
// if one fits. *bound: what its own parameters are.
CxDecl *cu_choose_definition(CuContext *cu, CuEntity *entity, CuArgs args,
                             CuArgs *bound);
// Enough to look its members up: types of data members that kernels can't have
// do no harm. False: it has none.
bool cu_declare_members(CuContext *cu, CuRecord *record);
// False: it has no definition, or an error was reported.
bool cu_complete_record(CuContext *cu, CuRecord *record);
bool cu_require_complete(CuContext *cu, const CuType *type, Span span);
// That objects lie in memory as CUDA has them.
bool cu_require_layout(CuContext *cu, const CuType *type, Span span);
// The entity of a member function in this instance of the class.
CuEntity *cu_member_entity(CuContext *cu, CuRecord *record, CxDecl *decl);
void cu_emit_record(CuContext *cu, CuRecord *record, Span span);
void cu_name_record(CuContext *cu, CuRecord *record);
const CuType *cu_enum_type(CuContext *cu, CuEntity *entity);
CuEnum *cu_enum_of_enumerator(CuContext *cu, CuEntity *entity);
// The values that C++ lets an enumeration have that states no type, 0 to 2^k
// - 1. False: any of its type.
bool cu_enum_range(CuContext *cu, CuEnum *enumeration, int64_t *low,
                   int64_t *high);
// "Mode::fast"; NULL: no enumerator of file scope has the value.
const char *cu_enumerator_name(CuContext *cu, CuEnum *enumeration,
                               int64_t value);
void cu_emit_enum(CuContext *cu, CuEnum *enumeration, Span span);
// `derived` has `base` among its bases; the fields on the way, at most 16.
bool cu_find_base(CuContext *cu, CuRecord *derived, const CuRecord *base,
                  uint32_t *path, uint32_t *n_path);

// The attribute `word` of a declaration, NULL: none.
const CxAttribute *cu_attribute(const CxDecl *decl, const char *word);
const char *cu_attribute_text(const CxAttribute *attribute);
// Reports what a declaration has that isn't supported. True: it has.
bool cu_refuse_unsupported(CuContext *cu, const CxDecl *decl, Span span);
CuValue cu_enumerator(CuContext *cu, CuEnum *enumeration, CuEntity *entity,
                      Span span);

#endif
