// SPDX-License-Identifier: Apache-2.0
// What the files of the search for witnesses share.
#ifndef HD_CHECK_RUN_SEARCH_H
#define HD_CHECK_RUN_SEARCH_H

#include "check/report/finding.h"
#include "check/run/concrete.h"
#include "check/run/sizes.h"

// Code of what a run found.
uint32_t search_code(const ConcreteFinding *found);
// The finding of an error that a run has shown.
Finding search_bug(const Check *check, const ConcreteLaunch *launch,
                   const ConcreteFinding *found);
// The finding of a suspect that no run has decided.
Finding search_unknown(const Check *check, const Suspect *suspect);
// A function without a body whose results or stores decide what the kernel
// touches, so that no run shows anything; NULL: none.
const char *search_unknown_function(Arena *arena, const IrKernel *kernel);
// The object that a step is about, or NULL.
const IrObject *search_object(const Step *step);
// An access through a null pointer.
bool search_is_null(const ConcreteFinding *found);
// The suspect says that a pointer may be null.
bool search_of_pointer(const Suspect *suspect);
// The barrier, or array of them, that a node works on or signals; NULL: none.
const IrObject *search_barrier(const IrNode *node);
// search_contents.c: of arrays whose elements decide where threads go what they
// hold in this launch, "x=list:1,2, y=iota". *has_random: some of them are long
// and of random numbers.
const char *search_contents_text(const Check *check,
                                 const ConcreteLaunch *launch,
                                 bool *has_random);

// search_fold.c: races that share a place become one finding; signs of others
// go.
void search_fold_races(Check *check);
void search_drop_signs(CheckReport *report);

#endif
