// SPDX-License-Identifier: Apache-2.0
// Machine code from PTX: the driver's assembler, and a cache of what it made.
// Assembling takes milliseconds to seconds, loading what is kept far less than
// one.
#include "base/arena.h"
#include "base/disk_cache.h"
#include "base/file.h"
#include "base/map.h"
#include "base/rescue.h"
#include "rt/cuda/cuda_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LOG_BYTES = 16 << 10, ERROR_LOG_BYTES = 3 << 10 };

static const int64_t spills_unknown = -1;

// What an entry of the cache starts with.
typedef struct {
  int64_t spill_bytes;
} EntryPrefix;

// -------------------------------------------------------------------- cache

// The module of the kernel is what tells builds of the driver apart; "" where
// it can't be asked.
static void driver_build(char *text, size_t size_bytes) {
  FILE *file = fopen("/sys/module/nvidia/version", "r");
  size_t length = file ? fread(text, 1, size_bytes - 1, file) : 0;
  text[length] = 0;
  if (file)
    fclose(file);
}

static Hash128 cuda_assemble_cache_key(const CudaDevice *device,
                                       const RtSource *source) {
  char build[64];
  driver_build(build, sizeof build);
  HashState *state = hash_new();
  hash_add_text(state,
                "machine code for NVIDIA GPUs, resident blocks kept, lines");
  hash_add_u64(state, HD_CUDA_ABI_VERSION);
  hash_add_u64(state, (uint64_t)device->base.sm);
  hash_add_u64(state, (uint64_t)device->api.version);
  hash_add_text(state, build);
  hash_add(state, source->text, source->size_bytes);
  Hash128 key = hash_result(state);
  hash_free(state);
  return key;
}

static bool take_cached(Arena *arena, const RtSource *source, Hash128 key,
                        CudaBinary *out) {
  void *data;
  size_t size_bytes;
  EntryPrefix prefix;
  if (!source->cache_dir ||
      !disk_cache_read(arena, source->cache_dir, key, &data, &size_bytes) ||
      size_bytes <= sizeof prefix)
    return false;
  memcpy(&prefix, data, sizeof prefix);
  out->size_bytes = size_bytes - sizeof prefix;
  out->cubin = malloc(out->size_bytes);
  if (!out->cubin)
    return false;
  memcpy(out->cubin, (char *)data + sizeof prefix, out->size_bytes);
  out->spill_bytes = prefix.spill_bytes;
  out->assemble_ms = 0;
  return true;
}

static void cuda_assemble_keep(Arena *arena, const RtSource *source,
                               Hash128 key, const CudaBinary *binary) {
  EntryPrefix prefix = {.spill_bytes = binary->spill_bytes};
  size_t size_bytes = sizeof prefix + binary->size_bytes;
  if (!source->cache_dir)
    return;
  char *entry = arena_alloc(arena, size_bytes);
  memcpy(entry, &prefix, sizeof prefix);
  memcpy(entry + sizeof prefix, binary->cubin, binary->size_bytes);
  disk_cache_write(arena, source->cache_dir, key, entry, size_bytes,
                   source->cache_limit_bytes);
}

// ----------------------------------------------------------------- rejected

// Where text is kept that the driver rejects; "" if it can't be kept.
static const char *keep_rejected(Arena *arena, const RtSource *source,
                                 Hash128 key) {
  const char *why, *folder = source->cache_dir;
  if (!folder || file_make_dirs(arena, folder, &why) != HD_OK ||
      !file_is_private_folder(folder))
    folder = getenv("TMPDIR");
  if (!folder || !*folder)
    folder = "/tmp";
  const char *path = arena_printf(arena, "%s/rejected-%016llx.ptx", folder,
                                  (unsigned long long)key.low);
  return file_write_private(arena, path, source->text, source->size_bytes,
                            &why) == HD_OK
             ? path
             : "";
}

static HdStatus refuse_assembler(const CudaDevice *device,
                                 const CudaHeader *header, int code,
                                 RtError *error) {
  rt_error_set(error,
               "kernel '%s' (PTX %d.%d, sm_%d%.1s) can't be assembled by the "
               "NVIDIA driver with CUDA %d.%d: %s",
               header->name, header->ptx_version / 10, header->ptx_version % 10,
               header->sm, &header->sm_variant, device->api.version / 1000,
               device->api.version % 1000 / 10,
               cuda_error_text(&device->api, code).text);
  return code == CU_OUT_OF_MEMORY ? HD_ERROR_MEMORY : HD_ERROR_UNSUPPORTED;
}

static HdStatus refuse_text(Arena *arena, const CudaDevice *device,
                            const CudaHeader *header, const RtSource *source,
                            Hash128 key, int code, const char *log,
                            RtError *error) {
  const char *path = keep_rejected(arena, source, key);
  rt_error_set(error,
               "the NVIDIA driver with CUDA %d.%d rejects the code of kernel "
               "'%s': %s. This is an error of Heddle, please report it%s%s\n%s",
               device->api.version / 1000, device->api.version % 1000 / 10,
               header->name, cuda_error_text(&device->api, code).text,
               *path ? " with the file " : "", path, log);
  return HD_ERROR_DEVICE;
}

// --------------------------------------------------------------- assembling

typedef struct {
  char info[LOG_BYTES], errors[ERROR_LOG_BYTES];
  CuLink link;
  void *cubin; // the link's
  size_t size_bytes;
} Assembly;

static void *as_value(size_t number) {
  return (void *)(uintptr_t)number;
}

// Note [Registers of linked code]
// The driver gives machine code away only through its linker, for which it
// compiles as if other code were to follow: with more registers than a whole
// program gets, and fewer blocks resident for it. So the text is first loaded
// as a whole program; how many blocks of that are resident is then told to the
// linker's compiler.

// 0: not known.
static int blocks_of_whole_program(const CudaApi *api, const CudaHeader *header,
                                   const char *text) {
  CuModule module;
  CuFunction function;
  int n_blocks = 0;
  int n_threads = (int)(header->block[0] * header->block[1] * header->block[2]);
  if (api->module_load(&module, text) != CU_OK)
    return 0;
  if (api->module_function(&function, module, header->entry) != CU_OK ||
      api->resident_blocks(&n_blocks, function, n_threads, 0) != CU_OK)
    n_blocks = 0;
  (void)api->module_unload(module);
  return n_blocks;
}

// The text with a line behind its .reqntid, unless it says itself how many
// blocks are to be resident. From malloc; NULL: out of memory.
static char *text_to_link(const CudaApi *api, const CudaHeader *header,
                          const RtSource *source) {
  enum { LINE_BYTES = 40 };

  char *text = malloc(source->size_bytes + LINE_BYTES + 1);
  if (!text)
    return NULL;
  memcpy(text, source->text, source->size_bytes);
  text[source->size_bytes] = 0;
  char *at = strstr(text, "\n.reqntid ");
  at = at ? strchr(at + 1, '\n') : NULL;
  if (!at || strstr(text, "\n.minnctapersm "))
    return text;
  int n_blocks = blocks_of_whole_program(api, header, text);
  if (n_blocks > 0) {
    char line[LINE_BYTES];
    int length = snprintf(line, sizeof line, "\n.minnctapersm %d", n_blocks);
    memmove(at + length, at, strlen(at) + 1);
    memcpy(at, line, (size_t)length);
  }
  return text;
}

static int assemble(const CudaApi *api, Assembly *a, const CudaHeader *header,
                    const RtSource *source) {
  int options[] = {CU_JIT_INFO_LOG,  CU_JIT_INFO_LOG_BYTES,
                   CU_JIT_ERROR_LOG, CU_JIT_ERROR_LOG_BYTES,
                   CU_JIT_VERBOSE,   CU_JIT_LINES};
  void *values[] = {a->info,     as_value(sizeof a->info - 1),
                    a->errors,   as_value(sizeof a->errors - 1),
                    as_value(1), as_value(1)};
  char *text = text_to_link(api, header, source);
  if (!text)
    return CU_OUT_OF_MEMORY;
  int code = api->link_create(sizeof options / sizeof *options, options, values,
                              &a->link);
  if (code == CU_OK)
    code = api->link_add(a->link, CU_INPUT_PTX, text, strlen(text) + 1,
                         "heddle.ptx", 0, NULL, NULL);
  if (code == CU_OK)
    code = api->link_complete(a->link, &a->cubin, &a->size_bytes);
  free(text);
  return code;
}

// "…, 8 bytes spill stores, 12 bytes spill loads" of the assembler's report.
static int64_t read_spills(const char *log) {
  const char *end = strstr(log, " bytes spill stores");
  if (!end)
    return spills_unknown;
  const char *start = end;
  while (start > log && start[-1] >= '0' && start[-1] <= '9')
    start--;
  return strtoll(start, NULL, 10);
}

static HdStatus take_assembled(const Assembly *a, CudaBinary *out,
                               RtError *error) {
  out->cubin = malloc(a->size_bytes);
  if (!out->cubin) {
    rt_error_set(error, "out of memory");
    return HD_ERROR_MEMORY;
  }
  memcpy(out->cubin, a->cubin, a->size_bytes);
  out->size_bytes = a->size_bytes;
  out->spill_bytes = read_spills(a->info);
  return HD_OK;
}

static bool is_of_the_driver(int code) {
  return code == CU_OUT_OF_MEMORY || code == CU_NO_COMPILER ||
         code == CU_UNSUPPORTED_PTX || code == CU_JIT_DISABLED;
}

static HdStatus assemble_new(Arena *arena, CudaDevice *device,
                             const CudaHeader *header, const RtSource *source,
                             Hash128 key, CudaBinary *out, RtError *error) {
  Assembly *a = arena_alloc(arena, sizeof *a);
  int64_t start_ns = cuda_now_ns();
  int code = assemble(&device->api, a, header, source);
  HdStatus status;
  if (code == CU_OK)
    status = take_assembled(a, out, error);
  else if (is_of_the_driver(code))
    status = refuse_assembler(device, header, code, error);
  else if (cuda_is_fatal(code))
    status =
        cuda_fail(device, code, error, "assembling kernel '%s'", header->name);
  else
    status =
        refuse_text(arena, device, header, source, key, code, a->errors, error);
  if (a->link)
    (void)device->api.link_destroy(a->link);
  out->assemble_ms = (double)(cuda_now_ns() - start_ns) * 1e-6;
  return status;
}

static HdStatus take_code(CudaDevice *device, const CudaHeader *header,
                          const RtSource *source, CudaBinary *out,
                          RtError *error) {
  Arena *arena = arena_new();
  Hash128 key = cuda_assemble_cache_key(device, source);
  HdStatus status = HD_OK;
  if (!take_cached(arena, source, key, out)) {
    status = assemble_new(arena, device, header, source, key, out, error);
    if (status == HD_OK)
      cuda_assemble_keep(arena, source, key, out);
  }
  arena_free(arena);
  return status;
}

HdStatus cuda_assemble(CudaDevice *device, const CudaHeader *header,
                       const RtSource *source, CudaBinary *out,
                       RtError *error) {
  memset(out, 0, sizeof *out);
  Rescue rescue RESCUE_SCOPE;
  if (RESCUE_ENTER(&rescue)) {
    free(out->cubin);
    memset(out, 0, sizeof *out);
    rt_error_set(error, "out of memory");
    return HD_ERROR_MEMORY;
  }
  return take_code(device, header, source, out, error);
}
