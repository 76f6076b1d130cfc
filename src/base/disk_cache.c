// SPDX-License-Identifier: Apache-2.0
#include "base/disk_cache.h"

#include "base/file.h"
#include "base/panic.h"
#include "base/rescue.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// First in every file. The hash is that of the bytes that follow.
typedef struct {
  char magic[8];
  Hash128 key, content;
  uint64_t size_bytes;
} EntryHeader;

static const char entry_magic[8] = "hdcode1";
static const char entry_suffix[] = ".hdc";
static const size_t most_entry_bytes = (size_t)256 << 20;

const char *disk_cache_dir(Arena *arena, const char *wanted) {
  const char *dir = wanted ? wanted : getenv("HEDDLE_CACHE_DIR");
  if (dir)
    return *dir ? arena_strdup(arena, dir) : NULL;
  const char *base = getenv("XDG_CACHE_HOME");
  if (base && *base == '/')
    return arena_printf(arena, "%s/heddle", base);
  const char *home = getenv("HOME");
  return home && *home ? arena_printf(arena, "%s/.cache/heddle", home) : NULL;
}

static const char *entry_path(Arena *arena, const char *dir, Hash128 key) {
  return arena_printf(arena, "%s/%016llx%016llx%s", dir,
                      (unsigned long long)key.high, (unsigned long long)key.low,
                      entry_suffix);
}

static Hash128 hash_of(const void *data, size_t size_bytes) {
  HashState *state = hash_new();
  hash_add(state, data, size_bytes);
  Hash128 hash = hash_result(state);
  hash_free(state);
  return hash;
}

static bool hash_equal(Hash128 a, Hash128 b) {
  return a.low == b.low && a.high == b.high;
}

bool disk_cache_read(Arena *arena, const char *dir, Hash128 key, void **data,
                     size_t *size_bytes) {
  HD_ASSERT(dir && data && size_bytes);
  const char *path = entry_path(arena, dir, key), *why;
  FileText file;
  EntryHeader header;
  if (!file_is_private_folder(dir) ||
      file_read_private(arena, path, most_entry_bytes, &file, &why) != HD_OK ||
      file.size_bytes < sizeof header)
    return false;
  memcpy(&header, file.data, sizeof header);
  *data = file.data + sizeof header;
  *size_bytes = file.size_bytes - sizeof header;
  if (memcmp(header.magic, entry_magic, sizeof entry_magic) != 0 ||
      !hash_equal(header.key, key) || header.size_bytes != *size_bytes ||
      !hash_equal(header.content, hash_of(*data, *size_bytes)))
    return false;
  utimensat(AT_FDCWD, path, NULL,
            AT_SYMLINK_NOFOLLOW); // used now; failure does not matter
  return true;
}

// ------------------------------------------------------------------ size

typedef struct {
  char name[64];
  uint64_t size_bytes;
  struct timespec used;
} Entry;

static int by_age(const void *a, const void *b) {
  const Entry *x = a, *y = b;
  if (x->used.tv_sec != y->used.tv_sec)
    return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
  return x->used.tv_nsec < y->used.tv_nsec ? -1
                                           : x->used.tv_nsec > y->used.tv_nsec;
}

static bool is_entry(const char *name) {
  size_t length = strlen(name), suffix = sizeof entry_suffix - 1;
  return length > suffix && length < sizeof(((Entry *)0)->name) &&
         strcmp(name + length - suffix, entry_suffix) == 0;
}

// All entries of the folder, malloc'd; their total size in *total_bytes.
static Entry *list_entries(const char *dir, size_t *count,
                           uint64_t *total_bytes) {
  size_t capacity = 0;
  Entry *entries = NULL;
  *count = 0;
  *total_bytes = 0;
  DIR *folder = opendir(dir);
  struct dirent *item;
  while (folder && (item = readdir(folder))) {
    struct stat info;
    if (!is_entry(item->d_name) ||
        fstatat(dirfd(folder), item->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISREG(info.st_mode))
      continue;
    if (*count == capacity) {
      capacity = capacity ? capacity * 2 : 64;
      Entry *larger = realloc(entries, capacity * sizeof *entries);
      if (!larger)
        break;
      entries = larger;
    }
    Entry *entry = &entries[(*count)++];
    memcpy(entry->name, item->d_name, strlen(item->d_name) + 1);
    entry->size_bytes = (uint64_t)info.st_size;
    entry->used = info.st_mtim;
    *total_bytes += entry->size_bytes;
  }
  if (folder)
    closedir(folder);
  return entries;
}

// Down to three quarters of the limit, so that this is rare.
static void trim(Arena *arena, const char *dir, uint64_t limit_bytes) {
  size_t count;
  uint64_t total_bytes;
  Entry *entries = list_entries(dir, &count, &total_bytes);
  rescue_owe(free, entries);
  if (total_bytes > limit_bytes) {
    qsort(entries, count, sizeof *entries, by_age);
    for (size_t i = 0; i < count && total_bytes > limit_bytes / 4 * 3; i++) {
      if (unlink(arena_printf(arena, "%s/%s", dir, entries[i].name)) == 0)
        total_bytes -= entries[i].size_bytes;
    }
  }
  rescue_paid(entries);
  free(entries);
}

void disk_cache_write(Arena *arena, const char *dir, Hash128 key,
                      const void *data, size_t size_bytes,
                      uint64_t limit_bytes) {
  HD_ASSERT(dir && (data || size_bytes == 0));
  const char *why;
  if (size_bytes > most_entry_bytes - sizeof(EntryHeader) ||
      size_bytes > limit_bytes || file_make_dirs(arena, dir, &why) != HD_OK ||
      !file_is_private_folder(dir))
    return;
  EntryHeader header = {.key = key,
                        .content = hash_of(data, size_bytes),
                        .size_bytes = size_bytes};
  memcpy(header.magic, entry_magic, sizeof entry_magic);
  char *image = arena_alloc(arena, sizeof header + size_bytes);
  memcpy(image, &header, sizeof header);
  memcpy(image + sizeof header, data, size_bytes);
  if (file_write_private(arena, entry_path(arena, dir, key), image,
                         sizeof header + size_bytes, &why) == HD_OK)
    trim(arena, dir, limit_bytes);
}
