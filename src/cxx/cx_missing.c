// SPDX-License-Identifier: Apache-2.0
#include "cxx/cx_missing.h"

#include "base/text.h"
#include "cxx/cx_parser.h"
#include <string.h>

enum { MAX_SHOWN = 4 };

static bool missing_begins_with(const char *name, const char *word) {
  return strncmp(name, word, strlen(word)) == 0;
}

static const char *cuda_header(const char *name) {
  static const struct {
    const char *word, *header;
  } words[] = {{"cooperative_groups", "cooperative_groups.h"},
               {"cg::", "cooperative_groups.h"},
               {"nvcuda::", "mma.h"},
               {"wmma::", "mma.h"},
               {"curand", "curand_kernel.h"},
               {"cufft", "cufft.h"},
               {"cuComplex", "cuComplex.h"},
               {"cuFloatComplex", "cuComplex.h"},
               {"cuDoubleComplex", "cuComplex.h"},
               {"make_cu", "cuComplex.h"},
               {"cuda::barrier", "cuda/barrier"},
               {"cuda::pipeline", "cuda/pipeline"},
               {"cuda::atomic", "cuda/atomic"},
               {"half", "cuda_fp16.h"},
               {"__half", "cuda_fp16.h"}};

  if (strstr(name, "bfloat16"))
    return "cuda_bf16.h";
  if (strstr(name, "2half"))
    return "cuda_fp16.h";
  for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
    if (missing_begins_with(name, words[i].word))
      return words[i].header;
  return NULL;
}

// Those of the C++ library have no ending, and nobody looks for them.
static bool may_be_found(const char *header) {
  return strchr(header, '.') != NULL;
}

// A declaration of it stands in the unit.
static bool is_included(const CxUnit *unit, const char *header) {
  for (uint32_t i = 0; i < unit->decls.count; i++) {
    Place place = source_place(unit->source, unit->decls.data[i]->span);
    size_t length = place.file ? strlen(place.file) : 0;
    size_t end = strlen(header);
    if (length > end && place.file[length - end - 1] == '/' &&
        strcmp(place.file + length - end, header) == 0)
      return true;
  }
  return false;
}

void cx_note_missing(const CxUnit *unit, Diag *diag, const char *name) {
  CxParser *cx = unit->parser;
  const char *header = cuda_header(name);
  Place nowhere = {0};
  if (diag->notes.count > 0)
    return;
  if (header && is_included(unit, header)) {
    if (strstr(name, "::synchronize")) // as texts about groups have it
      diag_note(
          cx->diags, diag, nowhere,
          "CUDA's <%s> doesn't have it, either: sync(g) waits for the group",
          header);
    return;
  }
  if (header) {
    bool is_taken =
        strcmp(header, "cufft.h") != 0 && strcmp(header, "mma.h") != 0;
    diag_note(cx->diags, diag, nowhere, "#include <%s> declares it%s", header,
              is_taken ? "" : ", but kernels that use it aren't supported");
    return;
  }
  Text list = {.arena = cx->arena};
  uint32_t n = 0;
  for (uint32_t i = 0; i < unit->n_missing; i++) {
    const char *missing = unit->missing[i].name;
    if (!may_be_found(missing) || n++ >= MAX_SHOWN)
      continue;
    text_printf(&list, "%s'%s'", n > 1 ? ", " : "", missing);
  }
  if (n > 0)
    diag_note(cx->diags, diag, nowhere,
              "not found, so treated as empty: %s%s; -I DIR names a folder of "
              "headers, -D NAME=VALUE defines a macro",
              text_cstr(&list), n > MAX_SHOWN ? ", …" : "");
}

const char *cx_library_of(const CxName *name) {
  static const char *const libraries[][2] = {
      {"thrust", "Thrust"},   {"cub", "CUB"},
      {"cute", "CuTe"},       {"cutlass", "CUTLASS"},
      {"wmma", "WMMA"},       {"nvcuda", "WMMA"},
      {"nvshmem", "NVSHMEM"}, {"at", "PyTorch"},
      {"c10", "PyTorch"},     {"cublasdx", "cuBLASDx"},
      {"cufftdx", "cuFFTDx"}, {"cuco", "cuCollections"},
      {"std", "std"},         {"nvstd", "nvstd"}};
  if (name->n_parts < 2 || !name->parts[0].name)
    return NULL;
  if (name->n_parts > 2 && strcmp(name->parts[0].name, "cuda") == 0 &&
      strcmp(name->parts[1].name, "std") == 0)
    return "cuda::std";
  for (size_t i = 0; i < sizeof(libraries) / sizeof(libraries[0]); i++)
    if (strcmp(name->parts[0].name, libraries[i][0]) == 0)
      return libraries[i][1];
  return NULL;
}
