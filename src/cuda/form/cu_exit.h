// SPDX-License-Identifier: Apache-2.0
// Threads that leave a kernel before a barrier.
//
// Note [Early returns]
// In CUDA, threads that have returned don't count at later barriers of the
// block. In Heddle C all threads of a group must reach a barrier of it. So
//     if (i >= n) return;  A;  sync(this_block());  B;
// becomes
//     bool active = !(i >= n);
//     if (active) { A; }  sync(this_block());  if (!active) return;  B;
// Loops and ifs that hold a barrier are entered by all threads. What decides
// about them is evaluated by all if it is free of effects, and the language's
// rules judge it as ever; else those who are active vote: see Note [Votes about
// barriers]. Functions that hold a barrier are called by all (cu_exit_call.c);
// where such a call stands under ?:, && or ||, that becomes an if
// (cu_exit_choice.c). A function behind whose call nothing is done may be left
// before its own barriers: who has left is as good as gone. Where something is
// done, those who left do it before the others come to the barrier, and to
// order it behind would hide races.
// Where a kernel has another form it is translated again and left alone, and
// the rules refuse the barrier with a message.
#ifndef HD_CUDA_FORM_CU_EXIT_H
#define HD_CUDA_FORM_CU_EXIT_H

#include "cuda/form/cu.h"

// Rewrites the statements of a kernel if they have such a return. `first_name`:
// where the kernel's own names begin in `cu->output.all_names`. Where it can't,
// `cu->asked.keeps_exits` is set, and the statements are of no use any more.
void cu_rewrite_exits(CuContext *cu, uint32_t first_name, CuStmtVec *items);

#endif
