// SPDX-License-Identifier: Apache-2.0
// The lines of source that a report of --sanitize names.
#ifndef HD_RT_CPU_RACE_EXCERPT_H
#define HD_RT_CPU_RACE_EXCERPT_H

#include <stddef.h>

// Copies a report and adds, behind each line that begins with
// "FILE:LINE:COLUMN: error[" or ends with " at FILE:LINE:COLUMN", that line of
// the file and a mark below its column; each place once. Files that can't be
// read add nothing. The copy is cut where `size` bytes (with the NUL) are full.
void race_add_excerpts(const char *report, char *out, size_t size);

#endif
