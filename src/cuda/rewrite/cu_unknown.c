// SPDX-License-Identifier: Apache-2.0
#include "cuda/form/cu_unknown.h"

#include "cuda/form/cu_pieces.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_value.h"

// By value, or const memory.
static bool is_only_read(const CuType *type) {
  const CuType *plain = cu_plain(type);
  if (cu_is_poison(plain) || cu_is_opaque(plain) || plain->kind == CU_LAMBDA)
    return false;
  if (plain->kind == CU_POINTER || plain->kind == CU_REFERENCE)
    return (cu_is_const(plain->u.inner) || plain->is_rvalue) &&
           !cu_is_opaque(plain->u.inner) && !cu_has_pointer(plain->u.inner);
  return !cu_has_pointer(plain);
}

bool cu_may_be_unknown(const CuFunction *function) {
  const CxDecl *decl = function->decl;
  const CuType *result = function->result ? cu_plain(function->result) : NULL;
  bool is_plain = decl && decl->u.function.kind == CX_FUNCTION_ORDINARY &&
                  !(decl->specs & CX_SPEC_CONSTEXPR) && !function->is_variadic;
  if (!is_plain || !result || result->kind == CU_REFERENCE ||
      cu_is_poison(result) || cu_is_opaque(result) || cu_has_pointer(result))
    return false;
  if (function->record &&
      (!function->is_const_member || cu_has_pointer(function->record->type)))
    return false;
  for (uint32_t i = 0; i < function->n_params; i++)
    if (!is_only_read(function->params[i].type))
      return false;
  return true;
}

void cu_make_unknown(CuContext *cu, CuFunction *function) {
  Decl *decl = function->emitted;
  Clause *clause = ARENA_NEW(cu->arena, Clause);
  *clause = (Clause){.kind = CLAUSE_READS, .span = function->decl->name_span};
  decl->u.function.body = NULL;
  decl->u.function.clauses = (ClauseList){clause, 1};
  cu_remark(cu, DIAG_cuda_unknown, function->call_span, function->decl->name);
}
