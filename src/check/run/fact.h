// SPDX-License-Identifier: Apache-2.0
// What a run shows, as a code with arguments, and its words.
#ifndef HD_CHECK_RUN_FACT_H
#define HD_CHECK_RUN_FACT_H

#include "interp/fault.h"

typedef enum {
  FACT_FAULT, // of a thread: `fault` says which

#define FACT(name, code, text) FACT_##name,
#include "check/run/fact.def"
#undef FACT
  FACT_COUNT
} FactKind;

typedef struct {
  FactKind kind;
  FaultCode fault;
  FaultArgs args;
} Fact;

// The finding's, HDnnnn.
uint32_t fact_code(const Fact *fact);
// One line of what happened, in `arena`.
const char *fact_text(Arena *arena, const IrModule *module, const Fact *fact);

#endif
