// SPDX-License-Identifier: Apache-2.0
// The rules for host expressions: those of host.def, and where each may stand.
#include "ir/form/words.h"
#include "ir/verify/verify_parts.h"

enum { MAX_HOST_DEPTH = 1100, MAX_HOST_NODES = 1000000 };

typedef struct {
  Verifier *v;
  HostAsks asks;
  uint32_t depth, left; // nodes left
} HostCheck;

static bool verify_host_fail(const HostCheck *c, const IrHost *host,
                             const char *what) {
  return verify_fail(c->v, NULL, "host expression '%s' %s",
                     ir_words_host[host->op], what);
}

// ------------------------------------------------------------- operands

static bool names_objects(const HostCheck *c, const IrHost *host) {
  const IrObject *named[] = {host->object, host->other};
  for (uint32_t i = 0; i < 2; i++) {
    if ((i < ir_host_info[host->op].n_objects) != (named[i] != NULL))
      return verify_host_fail(c, host, "names a wrong number of arrays");
    if (!named[i])
      continue;
    if (!verify_has_object(c->v, named[i]) || named[i]->param < 0 ||
        named[i]->kind != OBJECT_ARRAY)
      return verify_host_fail(c, host,
                              "is of something other than a parameter's array");
  }
  return true;
}

// An optional operand is given if all are.
static bool counts_operands(const HostCheck *c, const IrHost *host) {
  const IrHostInfo *info = &ir_host_info[host->op];
  uint32_t n_given = 0;
  for (uint32_t i = 0; i < host->n_args; i++)
    n_given += host->args[i] != NULL;
  if (host->n_args > info->most ||
      (n_given != info->most && (n_given || info->least)))
    return verify_fail(c->v, NULL, "host expression '%s' has %u operands",
                       ir_words_host[host->op], n_given);
  return true;
}

static bool verify_host_is_param(const HostCheck *c, const IrHost *host) {
  const IrKernel *kernel = c->v->kernel;
  if (!kernel || host->number < 0 ||
      host->number >= (int64_t)kernel->params.count)
    return false;
  const IrParam *param = &kernel->params.data[host->number];
  bool is_small =
      param->type.kind == IR_TYPE_E4M3 || param->type.kind == IR_TYPE_E5M2;
  return param->kind == PARAM_SCALAR && param->type.lanes == 1 && !is_small &&
         ir_type_is_float(param->type) == host->is_float;
}

static bool verify_host_is_dimension(const IrHost *host) {
  return !host->object->is_plain_pointer && host->number >= 0 &&
         host->number < host->object->rank;
}

static bool is_table_of_integers(const IrHost *host) {
  IrType type = host->object->element;
  return host->op == HOST_DISJOINT ||
         (type.lanes == 1 &&
          (ir_type_is_int(type) || type.kind == IR_TYPE_BOOL));
}

// -------------------------------------------------------------- results

static bool takes_float(const IrHost *host) {
  for (uint32_t i = 0; i < host->n_args; i++)
    if (host->args[i] && host->args[i]->is_float)
      return true;
  return false;
}

// Whether it is a float follows from the operands.
static bool gives_float(const IrHost *host) {
  switch ((IrHostRule)ir_host_info[host->op].rule) {
  case HOST_RULE_LEAF: return host->op != HOST_EXTENT && host->is_float;
  case HOST_RULE_NUMBER: return takes_float(host);
  case HOST_RULE_CHOICE: return host->args[1]->is_float;
  case HOST_RULE_FLOAT: return true;
  case HOST_RULE_INTEGER:
  case HOST_RULE_WHOLE:
  case HOST_RULE_PREDICATE:
  case HOST_RULE_CONTENTS: return false;
  }
  return false;
}

static bool has_types(const HostCheck *c, const IrHost *host) {
  IrHostRule rule = (IrHostRule)ir_host_info[host->op].rule;
  bool needs_integers = rule == HOST_RULE_INTEGER ||
                        rule == HOST_RULE_PREDICATE ||
                        rule == HOST_RULE_CONTENTS;
  if (needs_integers && takes_float(host))
    return verify_host_fail(c, host, "takes integers only");
  if (rule == HOST_RULE_CHOICE &&
      host->args[1]->is_float != host->args[2]->is_float)
    return verify_host_fail(c, host, "chooses between a float and an integer");
  return host->is_float == gives_float(host) ||
         verify_host_fail(c, host, "is a float but must not be");
}

// ----------------------------------------------------------------- nodes

// `is_condition`: its truth is all that matters, as in the language.
static bool may_stand(const HostCheck *c, const IrHost *host,
                      bool is_condition) {
  IrHostRule rule = (IrHostRule)ir_host_info[host->op].rule;
  if (rule == HOST_RULE_PREDICATE &&
      (c->asks < HOST_ASKS_PLACES || !is_condition))
    return verify_host_fail(c, host, "is not a condition of a requirement");
  if (rule == HOST_RULE_CONTENTS && (c->asks < HOST_ASKS_ALL || !is_condition))
    return verify_host_fail(c, host, "is used where only sizes are known");
  if (host->op == HOST_EXTENT && c->asks < HOST_ASKS_SIZES)
    return verify_host_fail(c, host, "computes an extent from another one");
  return true;
}

static bool is_sane(const HostCheck *c, const IrHost *host) {
  if (host->op == HOST_PARAM && !verify_host_is_param(c, host))
    return verify_host_fail(c, host, "is not a scalar parameter");
  if (host->op == HOST_EXTENT && !verify_host_is_dimension(host))
    return verify_host_fail(c, host, "has no such dimension");
  return ir_host_info[host->op].rule != HOST_RULE_CONTENTS ||
         is_table_of_integers(host) ||
         verify_host_fail(c, host, "is of an array without integers");
}

static bool verify_host_node(HostCheck *c, const IrHost *host,
                             bool is_condition) {
  if (host->op >= HOST_OP_COUNT)
    return verify_fail(c->v, NULL, "a host expression has an unknown kind");
  if (c->depth == MAX_HOST_DEPTH || !c->left)
    return verify_fail(c->v, NULL, "a host expression is too large");
  if (!names_objects(c, host) || !counts_operands(c, host) ||
      !is_sane(c, host) || !may_stand(c, host, is_condition) ||
      !has_types(c, host))
    return false;
  bool passes_truth = host->op == HOST_LOGICAL_AND ||
                      host->op == HOST_LOGICAL_OR ||
                      host->op == HOST_LOGICAL_NOT;
  c->depth++;
  c->left--;
  for (uint32_t i = 0; i < host->n_args; i++)
    if (host->args[i] &&
        !verify_host_node(c, host->args[i], is_condition && passes_truth))
      return false;
  c->depth--;
  return true;
}

bool verify_host(Verifier *v, const IrHost *host, HostAsks asks,
                 const char *what) {
  HostCheck check = {v, asks, 0, MAX_HOST_NODES};
  if (!host || verify_host_node(&check, host, asks >= HOST_ASKS_PLACES))
    return true;
  v->fault = arena_printf(v->module->arena, "%s, in %s", v->fault, what);
  return false;
}
