// SPDX-License-Identifier: Apache-2.0
// Preprocessed texts on disk, so that an unchanged file with directives is
// compiled without running the preprocessor. Entries of the disk cache.
//
// An entry lists the files that were included, with sizes and hashes of their
// contents, and files that must not be there: a header of the same name in a
// folder that is searched earlier. It is used only while all of that holds.
#ifndef HD_SESSION_SOURCE_INDEX_H
#define HD_SESSION_SOURCE_INDEX_H

#include "syntax/load/load.h"

typedef struct {
  const char *cache_dir;
  uint64_t limit_bytes;
} SourceIndex;

// For LoadOptions; `index` must outlive the load.
PreprocessorMemory source_index_memory(SourceIndex *index);

#endif
