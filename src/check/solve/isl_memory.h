// SPDX-License-Identifier: Apache-2.0
// isl where memory runs out. isl itself gives NULL then, and remembers it; GMP,
// whose numbers it has, would end the process.
#ifndef HD_CHECK_SOLVE_ISL_MEMORY_H
#define HD_CHECK_SOLVE_ISL_MEMORY_H

#include <isl/ctx.h>
#include <stdbool.h>

// A context whose errors are looked at afterwards; goes back to the rescue if
// there is no memory. Where GMP has none, the thread goes back to its rescue as
// well, and the objects of the context are lost.
isl_ctx *isl_memory_ctx(void);
// The last error was that. Whoever asks frees what it holds, and gives up.
bool isl_memory_is_out(isl_ctx *ctx);

#endif
