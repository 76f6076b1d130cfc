// SPDX-License-Identifier: Apache-2.0
#include "check/run/fact.h"

#include "check/report/finding.h"

static const struct {
  uint32_t code;
  const char *text;
} facts[FACT_COUNT] = {

#define FACT(name, code, text) [FACT_##name] = {code, text},
#include "check/run/fact.def"
#undef FACT
};

static uint32_t code_of(FaultCode fault) {
  switch (fault_kind(fault)) {
  case FAULT_BOUNDS:
  case FAULT_SECTION: return CODE_BOUNDS;
  case FAULT_ALIGNMENT: return CODE_ALIGNMENT;
  case FAULT_ASSERT: return CODE_ASSERT;
  case FAULT_VALUE: return CODE_VALUE;
  case FAULT_RANGE: return CODE_RANGE;
  case FAULT_BARRIER:
    return fault == FAULT_CODE_EXPECTED   ? CODE_BYTES
           : fault == FAULT_CODE_ARRIVALS ? CODE_ARRIVALS
                                          : CODE_PHASE; // a false token
  case FAULT_COPY: return CODE_WAITS;
  case FAULT_PLACES: return CODE_DEADLOCK;
  case FAULT_ASSUMPTION: // the run ends: no finding
  case FAULT_LIMIT:
  case FAULT_OTHER: break;
  }
  return CODE_NOT_CHECKED;
}

uint32_t fact_code(const Fact *fact) {
  return fact->kind == FACT_FAULT ? code_of(fact->fault)
                                  : facts[fact->kind].code;
}

const char *fact_text(Arena *arena, const IrModule *module, const Fact *fact) {
  if (fact->kind == FACT_FAULT)
    return fault_text(arena, module, &(Fault){fact->fault, fact->args});
  Text text = {.arena = arena};
  fault_fill(&text, module, facts[fact->kind].text, &fact->args);
  return text_cstr(&text);
}
