// SPDX-License-Identifier: Apache-2.0
// One specialisation of one kernel in the making.
#ifndef HD_SEMA_KERNEL_H
#define HD_SEMA_KERNEL_H

#include "sema/instance.h"

typedef struct {
  SemaContext *cx;
  const Decl *decl;
  const SpecValues *spec; // may be NULL
  bool is_partial;        // values may be missing: look only for errors
  bool is_open;           // one is
  TKernel *kernel;
  hd_vec(TEmbedded) embedded;
  hd_vec(TRequire) requires;
  hd_vec(TMayAlias) aliases;
  int64_t loop_threads; // from an earlier pass; 0: not known
} KernelCheck;

// Checks a kernel that stands at `order` in its file. NULL when there was an
// error, or when it is partial and a value is missing.
TKernel *kernel_check(SemaContext *cx, const Decl *decl, uint32_t order,
                      const SpecValues *spec, bool is_partial);

// --- embedded parameters (specialise.c) ---
void check_given_names(const Decl *kernel, const SpecValues *spec);
void declare_embedded_params(KernelCheck *check);

// --- parameters (kernel_params.c) ---
void declare_kernel_params(KernelCheck *check);

// --- clauses (kernel_clauses.c) ---
// The threads of a block by clause: 0 when there is none or it was wrong.
void check_launch_clauses(KernelCheck *check);
void check_other_clauses(KernelCheck *check);
bool has_clause(const Decl *decl, ClauseKind kind);

#endif
