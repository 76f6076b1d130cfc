// SPDX-License-Identifier: Apache-2.0
// What a thread did wrong, as a code with arguments, and its words.
#ifndef HD_INTERP_FAULT_H
#define HD_INTERP_FAULT_H

#include "interp/stuck.h"

typedef enum {
  FAULT_OTHER,
  FAULT_BOUNDS,
  FAULT_SECTION, // the same, of an mbarrier or a copy
  FAULT_ALIGNMENT,
  FAULT_ASSERT,     // assert, trap
  FAULT_VALUE,      // check_value
  FAULT_RANGE,      // a group statement outside its parent
  FAULT_BARRIER,    // of mbarriers: too many arrivals, wrong bytes or tokens
  FAULT_COPY,       // waits for more copies than were made
  FAULT_ASSUMPTION, // assume(e) is false; told to observers only
  FAULT_PLACES,     // threads of a group wait at different places
  FAULT_LIMIT,      // max_steps
} FaultKind;

typedef enum {

#define FAULT(code, kind, text) FAULT_CODE_##code,
#include "interp/fault.def"
#undef FAULT
  FAULT_CODE_COUNT
} FaultCode;

enum {
  FAULT_NUMBERS = 5,
  FAULT_ARRIVALS_SEEN = 3, // number of ARRIVALS: those before
};

// What placeholders of a text stand for. Names are the kernel's, and live as
// long as it does.
typedef struct {
  const char *name, *other;
  const IrNode *place;
  const StuckReport *stuck;
  int64_t numbers[FAULT_NUMBERS];
  int64_t index[IR_MAX_RANK]; // of an element of `name`
  uint8_t n_index;
} FaultArgs;

typedef struct {
  FaultCode code;
  FaultArgs args;
} Fault;

FaultKind fault_kind(FaultCode code);

// Appends `format`, in which {name}, {other}, {place}, {element}, {index},
// {stuck} and {0} to {4} stand for the arguments, {0 noun} for a number of
// nouns
// ("1 noun", "2 nouns"), and {word NAME} for the row
// NAME of vocabulary.def in the module's language. Any other name between
// braces panics.
void fault_fill(Text *out, const IrModule *module, const char *format,
                const FaultArgs *args);
// One line of what happened, without where; in `arena`.
const char *fault_text(Arena *arena, const IrModule *module,
                       const Fault *fault);

#endif
