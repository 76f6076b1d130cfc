// SPDX-License-Identifier: Apache-2.0
#include "session/source_index.h"

#include "base/disk_cache.h"
#include "base/file.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/text.h"
#include "syntax/load/preprocess.h"

#include <string.h>
#include <sys/stat.h>

// Content of an entry, all numbers as the machine has them:
//
//   format | n included, each: size, hash, path | n absent, each: path | text
//
// A path or text is its length and its bytes.
enum {
  FORMAT = 1,
  MOST_FILES = 1024,
  MOST_ABSENT = 4096,
  MOST_FILE_BYTES = 64 << 20,
};

// The same key as for code must not name an entry of another kind.
static Hash128 entry_key(Hash128 key) {
  HashState *state = hash_new();
  hash_add_text(state, "preprocessed text of " HD_VERSION);
  hash_add_u64(state, key.low);
  hash_add_u64(state, key.high);
  Hash128 result = hash_result(state);
  hash_free(state);
  return result;
}

static bool source_index_is_there(const char *path) {
  struct stat info;
  return lstat(path, &info) == 0;
}

// The content of a file with this size; false if it has another one.
static bool hash_file(Arena *arena, const char *path, uint64_t size_bytes,
                      Hash128 *hash, bool *is_volatile) {
  struct stat info;
  FileText file;
  const char *why;
  if (size_bytes > MOST_FILE_BYTES || stat(path, &info) != 0 ||
      (uint64_t)info.st_size != size_bytes ||
      file_read(arena, path, MOST_FILE_BYTES, &file, &why) != HD_OK ||
      file.size_bytes != size_bytes)
    return false;
  HashState *state = hash_new();
  hash_add(state, file.data, file.size_bytes);
  *hash = hash_result(state);
  hash_free(state);
  *is_volatile = preprocess_is_volatile(file.data, file.size_bytes);
  return true;
}

// ------------------------------------------------------------------ find

// What is left of an entry; `is_bad` once it ended too early.
typedef struct {
  const char *at, *end;
  bool is_bad;
} Reader;

static const char *source_index_take(Reader *reader, uint64_t size_bytes) {
  const char *at = reader->at;
  if (reader->is_bad || size_bytes > (uint64_t)(reader->end - at)) {
    reader->is_bad = true;
    return NULL;
  }
  reader->at += size_bytes;
  return at;
}

static uint64_t take_number(Reader *reader) {
  uint64_t number = 0;
  const char *at = source_index_take(reader, sizeof number);
  if (at)
    memcpy(&number, at, sizeof number);
  return number;
}

static const char *take_text(Reader *reader, Arena *arena, size_t *length) {
  uint64_t size_bytes = take_number(reader);
  const char *at = source_index_take(reader, size_bytes);
  *length = at ? (size_t)size_bytes : 0;
  return at ? arena_strndup(arena, at, *length) : "";
}

static bool is_same_file(Reader *reader, Arena *arena) {
  uint64_t size_bytes = take_number(reader);
  Hash128 wanted, hash;
  wanted.low = take_number(reader);
  wanted.high = take_number(reader);
  size_t length;
  bool is_volatile;
  const char *path = take_text(reader, arena, &length);
  return !reader->is_bad &&
         hash_file(arena, path, size_bytes, &hash, &is_volatile) &&
         hash.low == wanted.low && hash.high == wanted.high;
}

static bool is_still_absent(Reader *reader, Arena *arena) {
  size_t length;
  const char *path = take_text(reader, arena, &length);
  return !reader->is_bad && !source_index_is_there(path);
}

static const char *source_index_find(void *context, Arena *arena, Hash128 key,
                                     size_t *length) {
  const SourceIndex *index = context;
  void *data;
  size_t size_bytes;
  if (!disk_cache_read(arena, index->cache_dir, entry_key(key), &data,
                       &size_bytes))
    return NULL;
  Reader reader = {data, (const char *)data + size_bytes, false};
  if (take_number(&reader) != FORMAT)
    return NULL;
  uint64_t n_files = take_number(&reader);
  for (uint64_t i = 0; i < n_files; i++)
    if (!is_same_file(&reader, arena))
      return NULL;
  uint64_t n_absent = take_number(&reader);
  for (uint64_t i = 0; i < n_absent; i++)
    if (!is_still_absent(&reader, arena))
      return NULL;
  const char *text = take_text(&reader, arena, length);
  return reader.is_bad ? NULL : text;
}

// ------------------------------------------------------------------ keep

static void add_number(Text *out, uint64_t number) {
  char bytes[sizeof number];
  memcpy(bytes, &number, sizeof number);
  text_add_n(out, bytes, sizeof number);
}

static void source_index_add_text(Text *out, const char *text, size_t length) {
  add_number(out, length);
  text_add_n(out, text, length);
}

// False: it may not be what the preprocessor read, or says the time.
static bool source_index_add_file(Text *out, const SourceFile *file) {
  Hash128 hash;
  struct stat info;
  bool is_volatile;
  if (!hash_file(out->arena, file->path, file->size_bytes, &hash,
                 &is_volatile) ||
      is_volatile || stat(file->path, &info) != 0 ||
      (int64_t)info.st_mtim.tv_sec * 1000000000 + info.st_mtim.tv_nsec !=
          file->mtime_ns)
    return false;
  add_number(out, file->size_bytes);
  add_number(out, hash.low);
  add_number(out, hash.high);
  source_index_add_text(out, file->path, strlen(file->path));
  return true;
}

typedef struct {
  Arena *arena;
  Interner *names;
  Map there, absent;  // paths that were looked for
  const char **paths; // those that are absent
  uint32_t count;
} PathList;

// Of a path behind its folder, the first part that isn't there: as long as a
// folder is absent, nothing can be in it. False: there are too many.
static bool add_first_absent(PathList *list, const char *path,
                             size_t folder_bytes) {
  const char *end = path + folder_bytes;
  while (*end) {
    end += strspn(end, "/");
    end += strcspn(end, "/");
    const char *part = intern_text(list->names, path, (size_t)(end - path));
    if (map_has(&list->there, MAP_KEY(part)))
      continue;
    if (map_has(&list->absent, MAP_KEY(part)))
      return true;
    bool is_there = source_index_is_there(part);
    map_put(list->arena, is_there ? &list->there : &list->absent, MAP_KEY(part),
            list);
    if (is_there)
      continue;
    if (list->count == MOST_ABSENT)
      return false;
    list->paths[list->count++] = part;
    return true;
  }
  return true;
}

// Every place where a header of this name could appear and come first:
// `inc/a/b.h` may have been written "b.h", "a/b.h" or "inc/a/b.h".
static bool add_absent(PathList *list, const Preprocessed *what,
                       const char *path) {
  for (const char *name = path; name; name = strchr(name, '/')) {
    name += *name == '/';
    for (uint32_t i = 0; i < what->n_folders; i++) {
      const char *folder = what->folders[i];
      size_t n = strlen(folder);
      const char *slash = n && folder[n - 1] != '/' ? "/" : "";
      if (!add_first_absent(
              list, arena_printf(list->arena, "%s%s%s", folder, slash, name),
              n))
        return false;
    }
  }
  return true;
}

static bool source_index_describe(Text *out, const Preprocessed *what) {
  Arena *arena = out->arena;
  PathList absent = {.arena = arena,
                     .names = intern_new(arena),
                     .paths = ARENA_ARRAY(arena, const char *, MOST_ABSENT)};
  add_number(out, FORMAT);
  add_number(out, what->n_files);
  for (uint32_t i = 0; i < what->n_files; i++)
    if (!source_index_add_file(out, &what->files[i]) ||
        !add_absent(&absent, what, what->files[i].path))
      return false;
  add_number(out, absent.count);
  for (uint32_t i = 0; i < absent.count; i++)
    source_index_add_text(out, absent.paths[i], strlen(absent.paths[i]));
  source_index_add_text(out, what->text, what->length);
  return true;
}

static void source_index_keep(void *context, const Preprocessed *what) {
  const SourceIndex *index = context;
  if (what->n_files > MOST_FILES)
    return;
  Arena *arena = arena_new();
  Text out = {.arena = arena};
  if (source_index_describe(&out, what))
    disk_cache_write(arena, index->cache_dir, entry_key(what->key),
                     text_cstr(&out), out.length, index->limit_bytes);
  arena_free(arena);
}

PreprocessorMemory source_index_memory(SourceIndex *index) {
  return (PreprocessorMemory){index, source_index_find, source_index_keep};
}
