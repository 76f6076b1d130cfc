// SPDX-License-Identifier: Apache-2.0
// Kernels.
#ifndef HD_CUDA_FORM_CU_KERNEL_H
#define HD_CUDA_FORM_CU_KERNEL_H

#include "cuda/form/cu.h"

// A context for one translation of the file with that index: nothing is
// translated yet.
CuContext *cu_context_new(Arena *arena, Interner *names, DiagEngine *diags,
                          CxUnit *tree, const CuIndex *index);

// A function or a template of one with __global__.
bool cu_is_kernel(const CuEntity *entity);

// The kernel that a name with template arguments means; of several the one
// whose name stands at `defined`, if that is given. NULL: reported.
CuFunction *cu_find_kernel(CuContext *cu, const CxName *name,
                           const Span *defined);
// Puts it into the output. False: an error was reported.
bool cu_translate_kernel(CuContext *cu, CuFunction *kernel,
                         const uint32_t block[3],
                         const CudaTranslation *options);
// The output; all names are final then.
AstUnit *cu_finish(CuContext *cu);

#endif
