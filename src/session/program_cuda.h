// SPDX-License-Identifier: Apache-2.0
// Programs in CUDA C: which kernels a file has, and the tree of each.
#ifndef HD_SESSION_PROGRAM_CUDA_H
#define HD_SESSION_PROGRAM_CUDA_H

#include "cuda/cuda.h"
#include "ir/analyses/analysis.h"
#include "session/kernel_source.h"

// What a program in CUDA C has read; NULL: it is in another language.
CudaUnit *cuda_unit(const HdProgram *program);

// *name as it was typed, NULL for the only kernel, becomes the name of a kernel
// or an instantiation: blanks and, where that is clear, namespaces may be
// missing. HD_ERROR_NOT_FOUND says what there is.
HdStatus cuda_choose(HdProgram *program, const char **name);

// The row of a kernel, or of an instantiation that the file launches; else
// NULL.
const CudaKernel *cuda_find(const HdProgram *program, const char *name);

// Fails if `name` is of a template without its arguments.
HdStatus cuda_refuse_open(HdProgram *program, const char *name);

// Translations state these conditions from now on. False: all were stated.
bool cuda_state_all(HdProgram *program, const OpenConditions *open);

// Translations of the kernel declare these members so from now on. False: all
// were.
bool cuda_hold_all(HdProgram *program, const char *kernel,
                   const OpenMembers *open);

// Open members of the kernel are errors from now on.
void cuda_refuse_members(HdProgram *program, const char *kernel);

// Where its block size comes from, when `embeds` are the values given.
HdBlockSource cuda_block_source(const HdProgram *program, const char *name,
                                const HdEmbed *embeds, int n_embeds);

#endif
