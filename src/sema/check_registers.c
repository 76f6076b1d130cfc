// SPDX-License-Identifier: Apache-2.0
// Registers that the threads of warpgroups give back and take.
#include "sema/builtin_table.h"

enum { LEAST_REGISTERS = 24, MOST_REGISTERS = 256, REGISTER_STEP = 8 };

// setmaxregs(n)
TExpr *check_registers_call(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  int64_t number;
  if (!builtin_takes(call, 1, 1) || !builtin_constant(call, 0, &number))
    return build_poison(cx, call->span);
  if (number < LEAST_REGISTERS || number > MOST_REGISTERS ||
      number % REGISTER_STEP != 0) {
    SEMA_ERROR(cx, call->args->data[0]->span, barrier_value,
               DS("the number of registers"), DD(number),
               DS("it must be a multiple of 8 from 24 to 256"));
    return build_poison(cx, call->span);
  }
  TExpr *count = build_int(cx, sema_basic(cx, TY_LONG), number, call->span);
  return builtin_void(call, BI_SET_MAX_REGS, &count, 1);
}
