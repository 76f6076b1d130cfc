// SPDX-License-Identifier: Apache-2.0
// Clause, extent and section expressions, evaluated exactly on the host.
#ifndef HD_IR_FORM_HOST_EVAL_H
#define HD_IR_FORM_HOST_EVAL_H

#include "ir/form/ir.h"

// The value of a host expression. Integers are exact: what does not fit 64
// bits is an error, not a wrapped number.
typedef struct {
  bool is_float;
  int64_t integer;
  double real;
} HostValue;

// What is known of one launch while its arguments are examined.
typedef struct {
  const IrKernel *kernel;
  const uint64_t *slots; // scalar arguments where has_value
  const bool *has_value; // by parameter; arrays: base address is in its slot
} HostScope;

// NULL on success, else why the expression has no value ("division by zero",
// "the value of 'n' is not known", …); static text or `buffer`.
const char *host_eval(const HostScope *scope, const IrHost *expression,
                      HostValue *out, char buffer[256]);
// As host_eval; a floating-point result is an error.
const char *host_eval_int(const HostScope *scope, const IrHost *expression,
                          int64_t *out, char buffer[256]);
// True if the expression can't have a value yet: a parameter is missing.
bool host_is_open(const HostScope *scope, const IrHost *expression);

#endif
