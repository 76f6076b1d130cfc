// SPDX-License-Identifier: Apache-2.0
// Compiled code on disk: one file an entry, named by its key.
//
// What is read is run. So the folder and each entry are used only if they are
// the user's own, nobody else can write them, and they are no links; new ones
// have modes 0700 and 0600.
//
// Written to a temporary name and renamed, so concurrent processes see whole
// entries; an entry carries the hash of its content and is ignored (and
// replaced) when that does not fit. Every failure of the cache is silent: it
// only costs a compile. The folder is kept below a size by removing the entries
// that were used longest ago.
#ifndef HD_BASE_DISK_CACHE_H
#define HD_BASE_DISK_CACHE_H

#include "base/arena.h"
#include "base/map.h"
#include <stdbool.h>

// Where the cache is: `wanted`, else $HEDDLE_CACHE_DIR, else
// $XDG_CACHE_HOME/heddle, else ~/.cache/heddle. NULL: nowhere.
const char *disk_cache_dir(Arena *arena, const char *wanted);

// The content of an entry, from `arena`; false if there is none.
bool disk_cache_read(Arena *arena, const char *dir, Hash128 key, void **data,
                     size_t *size_bytes);
void disk_cache_write(Arena *arena, const char *dir, Hash128 key,
                      const void *data, size_t size_bytes,
                      uint64_t limit_bytes);

#endif
