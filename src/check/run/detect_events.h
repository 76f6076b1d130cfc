// SPDX-License-Identifier: Apache-2.0
// What the interpreter tells, between the files that take it.
#ifndef HD_CHECK_RUN_DETECT_EVENTS_H
#define HD_CHECK_RUN_DETECT_EVENTS_H

#include "check/run/detect.h"

Detect *detect_of(void *context);
DetectBarrier *detect_barrier_at(Detect *d, uint32_t number);
void detect_on_copy(void *context, const ObservedCopy *told);
void detect_on_copy_bytes(void *context, uint64_t part, uint64_t to,
                          uint64_t from, uint64_t n_bytes);
// Copies that everybody has asked for happen. The bytes of the last part are
// told behind it, so before the next event that could order something behind.
void detect_flush_copies(Detect *d);
void detect_on_copy_read(void *context, const ObservedThread *thread,
                         uint64_t part);
void detect_on_copy_waited(void *context, const ObservedThread *thread,
                           uint64_t part);
void detect_on_copy_landed(void *context, uint64_t part, uint32_t barrier);
void detect_on_copy_lost(void *context, const ObservedThread *thread,
                         const IrNode *node);

#endif
