// SPDX-License-Identifier: Apache-2.0
#include "cuda/cuda.h"

#include "syntax/ast.h"

struct CudaUnit {
  DiagEngine *diags;
  SourceText *source;
  CudaKernels kernels;
};

CudaUnit *cuda_parse(Arena *arena, Interner *names, DiagEngine *diags,
                     SourceText *source) {
  (void)names;
  CudaUnit *unit = ARENA_NEW(arena, CudaUnit);
  unit->diags = diags;
  unit->source = source;
  return unit;
}

CudaKernels cuda_kernels(const CudaUnit *unit) {
  return unit->kernels;
}

AstUnit *cuda_translate(CudaUnit *unit, const char *kernel,
                        const CudaTranslation *options) {
  (void)kernel, (void)options;
  Place place = source_place(unit->source, (Span){0, 0});
  DIAG_REPORT(unit->diags, DIAG_not_available, place, DS("CUDA C"));
  return NULL;
}

AstUnit *cuda_translate_all(CudaUnit *unit, const CudaTranslation *options) {
  return cuda_translate(unit, "", options);
}

const char *cuda_kernel_name(const AstUnit *translated) {
  return translated->decls.data[translated->decls.count - 1]->name;
}
