// SPDX-License-Identifier: Apache-2.0
// x.size(0), x.numel(): a number that an object of an unseen class has, as long
// as nothing is done with the object but asking.
#include "cuda/form/cu_report.h"
#include "cuda/host/cu_host.h"
#include "cuda/host/cx_passed.h"

#include <inttypes.h>

// size(0) of its text; NULL: it is no such call.
static const char *question_text(CuHostReader *reader, const CxExpr *call) {
  const CxName *member = call->u.call.callee->u.member.name;
  const CxExprList *args = &call->u.call.args;
  const CxNamePart *part = &member->parts[0];
  if (member->n_parts != 1 || part->has_args || !part->name ||
      !cx_asks_size(part->name) || args->count > 1)
    return NULL;
  if (args->count == 0)
    return cu_format(reader->cu, "%s()", part->name);
  const CuHost *which = cu_host_follow(reader, args->data[0], reader->at);
  bool is_number = which && which->kind == CU_HOST_NUMBER;
  return is_number ? cu_format(reader->cu, "%s(%" PRId64 ")", part->name,
                               which->number)
                   : NULL;
}

const CuHost *cu_host_method(CuHostReader *reader, const CxExpr *call) {
  CuContext *cu = reader->cu;
  const CxLaunch *launch = reader->launch;
  const CxExpr *callee = call->u.call.callee;
  const char *object = cu_host_name(callee->u.member.base);
  const char *question =
      object && !reader->frame ? question_text(reader, call) : NULL;
  bool is_before = reader->asked_at && reader->asked_at < reader->at;
  uint32_t from = is_before ? reader->asked_at : reader->at;
  if (!question ||
      (from < launch->at &&
       !cx_is_only_asked(cu->tree, launch->function, object, from, launch->at)))
    return NULL;
  return cu_host_variable(
      cu,
      intern_cstr(cu->names,
                  cu_format(cu, "%s%s%s", object,
                            callee->u.member.is_arrow ? "->" : ".", question)));
}
