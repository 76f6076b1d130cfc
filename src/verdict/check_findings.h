// SPDX-License-Identifier: Apache-2.0
// Findings of a check, and what it asks the checker for. What is added lies in
// the check's arena.
#ifndef HD_VERDICT_CHECK_FINDINGS_H
#define HD_VERDICT_CHECK_FINDINGS_H

#include "verdict/check_edit.h"
#include "verdict/check_rounds.h"

HdVerdict check_public_verdict(Verdict verdict);
// Of the checker, with its edit if there is a right one.
void check_add_finding(HdCheck *check, EditContext *cx, Finding *finding);
// The kernel isn't checked; the verdict is unknown.
void check_leave_out(HdCheck *check, const char *reason);
// The compiler's errors of this round, with the verdict that they make.
void check_take_errors(HdCheck *check);
// Of a file with errors, which were told when it was loaded: those that stand
// in this kernel.
void check_take_own_errors(HdCheck *check);
// Remarks of back ends: the program is right, and slower than it could be.
void check_remark_code(HdCheck *check, const IrKernel *kernel);
// A remark: every launch will be refused.
void check_remark_shared(HdCheck *check, const IrKernel *kernel);
// Arrays that are the same, or overlap, by what the round and the options say.
// Names that the kernel hasn't are left out.
void check_set_shared(HdCheck *check, const IrKernel *kernel,
                      const HdCheckOptions *options, const CheckRound *round,
                      CheckOptions *out);

#endif
