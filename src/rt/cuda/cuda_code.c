// SPDX-License-Identifier: Apache-2.0
// Kernels on a device: loaded once while somebody has them and some time
// longer, found by the hash of their text. Programs that are compiled again and
// again would else load the same module each time, which takes as long as all
// the rest.
#include "base/map.h"
#include "base/panic.h"
#include "rt/cuda/cuda_parts.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t shared_without_asking_bytes = UINT64_C(48) << 10;
// What kernels print between two waits. The driver's own megabyte is some
// thousand lines.
static const size_t print_buffer_bytes = (size_t)16 << 20;

static CudaDevice *cuda_code_of(RtDevice *device) {
  return (CudaDevice *)device;
}

// ------------------------------------------------------------ what can't run

static bool runs_on(const CudaHeader *header, int sm) {
  if (header->sm_variant == 'a')
    return header->sm == sm;
  if (header->sm_variant == 'f')
    return header->sm / 10 == sm / 10 && header->sm <= sm;
  return header->sm <= sm;
}

static HdStatus check_target(const CudaDevice *device, const CudaHeader *header,
                             RtError *error) {
  if (runs_on(header, device->base.sm))
    return HD_OK;
  rt_error_set(error,
               "kernel '%s' was compiled for sm_%d%.1s; device cuda:%d (%s) "
               "has compute capability %d.%d",
               header->name, header->sm, &header->sm_variant, device->ordinal,
               device->name, device->base.sm / 10, device->base.sm % 10);
  return HD_ERROR_UNSUPPORTED;
}

// The version of CUDA whose driver was the first to read a version of PTX.
static int cuda_for_ptx(int ptx_version) {
  static const struct {
    int ptx, cuda;
  } rows[] = {{80, 12000}, {81, 12010}, {82, 12020}, {83, 12030},
              {84, 12040}, {85, 12050}, {86, 12070}, {87, 12080},
              {88, 12090}, {90, 13000}, {91, 13010}};

  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (ptx_version <= rows[i].ptx)
      return rows[i].cuda;
  }
  return 0; // not known: the driver will tell
}

static HdStatus check_ptx_version(const CudaDevice *device,
                                  const CudaHeader *header, RtError *error) {
  int needed = cuda_for_ptx(header->ptx_version), has = device->api.version;
  if (has >= needed)
    return HD_OK;
  rt_error_set(
      error,
      "the NVIDIA driver is too old: it has CUDA %d.%d, and kernel "
      "'%s' (PTX %d.%d) needs at least CUDA %d.%d. Install 565 or newer",
      has / 1000, has % 1000 / 10, header->name, header->ptx_version / 10,
      header->ptx_version % 10, needed / 1000, needed % 1000 / 10);
  return HD_ERROR_UNSUPPORTED;
}

// ------------------------------------------------------------------ loading

static HdStatus load_module(RtCode *code, const CudaBinary *binary,
                            RtError *error) {
  CudaDevice *device = code->device;
  const CudaApi *api = &device->api;
  const char *name = code->header.name;
  int result = api->module_load(&code->module, binary->cubin);
  if (result == CU_OK)
    result =
        api->module_function(&code->function, code->module, code->header.entry);
  if (result == CU_OK)
    result = api->function_attribute(&code->max_threads,
                                     CU_FUNCTION_MAX_THREADS, code->function);
  return result == CU_OK
             ? HD_OK
             : cuda_fail(device, result, error, "loading kernel '%s'", name);
}

// Must happen before the first kernel that prints is launched; where it can't,
// the buffer is a small one.
static void prepare_printing(CudaDevice *device) {
  pthread_mutex_lock(&device->lock);
  if (!device->has_print_buffer)
    (void)device->api.context_limit(CU_LIMIT_PRINTF_BYTES, print_buffer_bytes);
  device->has_print_buffer = true;
  pthread_mutex_unlock(&device->lock);
}

static void code_dispose(RtCode *code) {
  CudaDevice *device = code->device;
  CudaScope scope;
  if (cuda_enter_to_free(device, &scope) && code->module)
    (void)device->api.module_unload(code->module);
  cuda_leave(device, scope);
  cuda_header_fini(&code->header);
  free(code->maps);
  free(code);
}

static HdStatus code_prepare(RtCode *code, const RtSource *source,
                             RtError *error) {
  CudaDevice *device = code->device;
  CudaHeader *header = &code->header;
  HD_TRY(cuda_header_parse(source->text, source->size_bytes, header, error));
  HD_TRY(check_target(device, header, error));
  HD_TRY(check_ptx_version(device, header, error));
  code->n_threads = header->block[0] * header->block[1] * header->block[2];
  code->n_words = header->n_slots + HD_CUDA_N_HIDDEN + header->n_globals;
  code->has_workspace =
      header->workspace_bytes > 0 || header->workspace_block_bytes > 0 ||
      (header->flags & (HD_CUDA_FLAG_COOPERATIVE | HD_CUDA_FLAG_TICKET)) != 0;
  code->dynamic_limit_bytes = shared_without_asking_bytes;
  code->maps = aligned_alloc(_Alignof(CudaMapEntry),
                             (header->n_maps * (size_t)CUDA_MAP_WAYS + 1) *
                                 sizeof *code->maps);
  if (!code->maps) {
    rt_error_set(error, "out of memory");
    return HD_ERROR_MEMORY;
  }
  memset(code->maps, 0,
         (header->n_maps * (size_t)CUDA_MAP_WAYS + 1) * sizeof *code->maps);
  CudaBinary binary;
  HD_TRY(cuda_assemble(device, header, source, &binary, error));
  code->spill_bytes = binary.spill_bytes;
  code->assemble_ms = binary.assemble_ms;
  HdStatus status = load_module(code, &binary, error);
  free(binary.cubin);
  if (status == HD_OK && (header->flags & HD_CUDA_FLAG_PRINTS))
    prepare_printing(device);
  return status;
}

static RtCode *find_locked(CudaDevice *device, Hash128 hash) {
  for (RtCode *code = device->codes; code; code = code->next) {
    if (code->hash_low == hash.low && code->hash_high == hash.high)
      return code;
  }
  return NULL;
}

static Hash128 hash_text(const RtSource *source) {
  HashState *state = hash_new();
  hash_add(state, source->text, source->size_bytes);
  Hash128 hash = hash_result(state);
  hash_free(state);
  return hash;
}

// Enters `fresh` unless another thread was faster, whose code is taken then.
static RtCode *enter_code(CudaDevice *device, Hash128 hash, RtCode *fresh) {
  pthread_mutex_lock(&device->lock);
  RtCode *code = find_locked(device, hash);
  if (!code && fresh) {
    code = fresh;
    code->next = device->codes;
    device->codes = code;
  }
  if (code && code != fresh && code->references == 0)
    code->assemble_ms = 0; // of this load
  if (code)
    code->references++;
  pthread_mutex_unlock(&device->lock);
  return code;
}

static HdStatus code_new(CudaDevice *device, const RtSource *source,
                         Hash128 hash, RtCode **out, RtError *error) {
  RtCode *code = calloc(1, sizeof *code);
  if (!code) {
    rt_error_set(error, "out of memory");
    return HD_ERROR_MEMORY;
  }
  code->device = device;
  code->hash_low = hash.low;
  code->hash_high = hash.high;
  HdStatus status = code_prepare(code, source, error);
  if (status == HD_OK)
    *out = enter_code(device, hash, code);
  if (*out != code)
    code_dispose(code);
  return status;
}

HdStatus cuda_code_load(RtDevice *base, const RtSource *source, RtCode **out,
                        RtError *error) {
  HD_ASSERT(source->text && source->size_bytes > 0);
  CudaDevice *device = cuda_code_of(base);
  Hash128 hash = hash_text(source);
  CudaScope scope;
  *out = NULL;
  HdStatus status = cuda_enter(device, &scope, error);
  if (status == HD_OK)
    *out = enter_code(device, hash, NULL);
  if (status == HD_OK && !*out)
    status = code_new(device, source, hash, out, error);
  cuda_leave(device, scope);
  return status;
}

static void unlink_locked(CudaDevice *device, const RtCode *code) {
  RtCode **link = &device->codes;
  while (*link != code)
    link = &(*link)->next;
  *link = code->next;
}

// The code that nobody has had for the longest time, unless there are few.
static RtCode *take_unused_locked(CudaDevice *device) {
  enum { MOST_UNUSED = 16 };

  RtCode *last = NULL;
  int n_unused = 0;
  for (RtCode *code = device->codes; code; code = code->next) {
    if (code->references > 0)
      continue;
    last = code;
    n_unused++;
  }
  if (n_unused <= MOST_UNUSED)
    return NULL;
  unlink_locked(device, last);
  return last;
}

void cuda_code_free(RtDevice *base, RtCode *code) {
  CudaDevice *device = cuda_code_of(base);
  RtCode *unused = NULL;
  if (!code)
    return;
  pthread_mutex_lock(&device->lock);
  HD_ASSERT(code->device == device && code->references > 0);
  if (--code->references == 0) {
    unlink_locked(device, code); // to the front, as the youngest
    code->next = device->codes;
    device->codes = code;
    unused = take_unused_locked(device);
  }
  pthread_mutex_unlock(&device->lock);
  if (unused)
    code_dispose(unused);
}

void cuda_codes_free(CudaDevice *device) {
  while (device->codes) {
    RtCode *code = device->codes;
    device->codes = code->next;
    code_dispose(code);
  }
}

// ------------------------------------------------------------------ reports

static int cuda_code_ask_about(RtCode *code, RtCodeInfo *out) {
  CudaDevice *device = code->device;
  const CudaApi *api = &device->api;
  int registers = 0, local_bytes = 0, n_blocks = 0;
  int result = api->function_attribute(&registers, CU_FUNCTION_REGISTERS,
                                       code->function);
  if (result == CU_OK)
    result = api->function_attribute(&local_bytes, CU_FUNCTION_LOCAL_BYTES,
                                     code->function);
  // Blocks that are too large for the device are resident nowhere.
  pthread_mutex_lock(&device->lock);
  if (result == CU_OK &&
      (cuda_code_allow_shared_locked(code, code->header.shared_bytes) !=
           CU_OK ||
       api->resident_blocks(&n_blocks, code->function, (int)code->n_threads,
                            code->header.shared_bytes) != CU_OK))
    n_blocks = 0;
  pthread_mutex_unlock(&device->lock);
  *out = (RtCodeInfo){.name = code->header.name,
                      .registers = (uint32_t)registers,
                      .shared_bytes = code->header.shared_bytes,
                      .local_bytes = (uint64_t)local_bytes,
                      .spill_bytes = code->spill_bytes,
                      .resident_blocks = (uint32_t)n_blocks,
                      .resident_threads = (uint32_t)n_blocks * code->n_threads,
                      .most_threads =
                          (uint32_t)device->limits.max_multiprocessor_threads,
                      .assemble_ms = code->assemble_ms};
  return result;
}

HdStatus cuda_code_info(RtDevice *base, RtCode *code, RtCodeInfo *out,
                        RtError *error) {
  CudaDevice *device = cuda_code_of(base);
  CudaScope scope;
  int result = CU_OK;
  memset(out, 0, sizeof *out);
  HdStatus status = cuda_enter(device, &scope, error);
  if (status == HD_OK)
    result = cuda_code_ask_about(code, out);
  if (result != CU_OK)
    status = cuda_fail(device, result, error, "asking about kernel '%s'",
                       code->header.name);
  cuda_leave(device, scope);
  return status;
}

int cuda_code_allow_shared_locked(RtCode *code, uint64_t size_bytes) {
  CudaDevice *device = code->device;
  if (size_bytes <= code->dynamic_limit_bytes)
    return CU_OK;
  if (size_bytes > device->base.shared_limit_bytes)
    return CU_INVALID_VALUE;
  int result = device->api.function_set(
      code->function, CU_FUNCTION_MAX_DYNAMIC_SHARED, (int)size_bytes);
  if (result == CU_OK)
    code->dynamic_limit_bytes = size_bytes;
  return result;
}
