// SPDX-License-Identifier: Apache-2.0
// Devices, contexts, memory and code of the stand-in for libcuda.
#include "fake_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char cubin_magic[8] = "FAKECUB";

typedef struct {
  char magic[8];
  uint64_t text_bytes;
} CubinHeader;

// ------------------------------------------------------------------- errors

static const struct {
  int code;
  const char *name, *text;
} errors[] = {
    {CU_OK, "CUDA_SUCCESS", "no error"},
    {CU_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {CU_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {CU_STUB_LIBRARY, "CUDA_ERROR_STUB_LIBRARY", "CUDA driver is a stub"},
    {CU_DEVICE_UNAVAILABLE, "CUDA_ERROR_DEVICE_UNAVAILABLE",
     "CUDA-capable device(s) is/are busy or unavailable"},
    {CU_NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device"},
    {CU_INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {CU_INVALID_PTX, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
    {CU_NO_COMPILER, "CUDA_ERROR_JIT_COMPILER_NOT_FOUND",
     "PTX JIT compiler library not found"},
    {CU_UNSUPPORTED_PTX, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION",
     "the provided PTX was compiled with an unsupported toolchain."},
    {CU_ECC_UNCORRECTABLE, "CUDA_ERROR_ECC_UNCORRECTABLE",
     "uncorrectable ECC error encountered"},
    {CU_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS",
     "an illegal memory access was encountered"},
    {CU_LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED",
     "unspecified launch failure"},
    {CU_SYSTEM_NOT_READY, "CUDA_ERROR_SYSTEM_NOT_READY",
     "system not yet initialized"},
};

static int find_error(int code) {
  for (int i = 0; i < (int)(sizeof errors / sizeof *errors); i++) {
    if (errors[i].code == code)
      return i;
  }
  return -1;
}

int cuGetErrorName(int code, const char **text) {
  int i = find_error(code);
  *text = i < 0 ? NULL : errors[i].name;
  return i < 0 ? CU_INVALID_VALUE : CU_OK;
}

int cuGetErrorString(int code, const char **text) {
  int i = find_error(code);
  *text = i < 0 ? NULL : errors[i].text;
  return i < 0 ? CU_INVALID_VALUE : CU_OK;
}

// ------------------------------------------------------------------ devices

int cuInit(unsigned flags) {
  int code = fake_begin("cuInit");
  (void)flags;
  if (code != CU_OK)
    return code;
  return fake_end(fake.devices > 0 ? CU_OK : CU_NO_DEVICE);
}

int cuDriverGetVersion(int *version) {
  int code = fake_begin("cuDriverGetVersion");
  if (code != CU_OK)
    return code;
  *version = fake.version;
  return fake_end(CU_OK);
}

int cuDeviceGetCount(int *count) {
  int code = fake_begin("cuDeviceGetCount");
  if (code != CU_OK)
    return code;
  *count = fake.devices;
  return fake_end(CU_OK);
}

int cuDeviceGet(CuDeviceId *device, int ordinal) {
  int code = fake_begin("cuDeviceGet");
  if (code != CU_OK)
    return code;
  *device = ordinal;
  return fake_end(ordinal < fake.devices ? CU_OK : CU_INVALID_DEVICE);
}

int cuDeviceGetName(char *name, int size, CuDeviceId device) {
  int code = fake_begin("cuDeviceGetName");
  if (code != CU_OK)
    return code;
  snprintf(name, (size_t)size, "Fake GPU %d", device);
  return fake_end(CU_OK);
}

static int attribute_value(int attribute) {
  switch (attribute) {
  case CU_DEVICE_MAX_THREADS:
  case CU_DEVICE_MAX_BLOCK_X:
  case CU_DEVICE_MAX_BLOCK_Y: return 1024;
  case CU_DEVICE_MAX_BLOCK_Z: return 64;
  case CU_DEVICE_MAX_GRID_X: return INT32_MAX;
  case CU_DEVICE_MAX_GRID_Y:
  case CU_DEVICE_MAX_GRID_Z: return 65535;
  case CU_DEVICE_MULTIPROCESSORS: return fake.multiprocessors;
  case CU_DEVICE_COMPUTE_MODE: return fake.compute_mode;
  case CU_DEVICE_MAX_THREADS_MULTIPROCESSOR: return 2048;
  case CU_DEVICE_MAJOR: return fake.major;
  case CU_DEVICE_MINOR: return fake.minor;
  case CU_DEVICE_COOPERATIVE: return fake.cooperative;
  case CU_DEVICE_MAX_SHARED_OPTIN: return fake.shared_bytes;
  case CU_DEVICE_CLUSTER: return fake.clusters;
  default: return -1;
  }
}

int cuDeviceGetAttribute(int *value, int attribute, CuDeviceId device) {
  int code = fake_begin("cuDeviceGetAttribute");
  (void)device;
  if (code != CU_OK)
    return code;
  *value = attribute_value(attribute);
  return fake_end(*value >= 0 ? CU_OK : CU_INVALID_VALUE);
}

int cuDeviceTotalMem_v2(size_t *size_bytes, CuDeviceId device) {
  int code = fake_begin("cuDeviceTotalMem_v2");
  (void)device;
  if (code != CU_OK)
    return code;
  *size_bytes = (size_t)fake.memory_mib << 20;
  return fake_end(CU_OK);
}

// ----------------------------------------------------------------- contexts

static CuContext context_new(int device) {
  CuContext context = fake_new(FAKE_CONTEXT, sizeof *context, NULL);
  context->object.context = context;
  context->device = device;
  return context;
}

int cuDevicePrimaryCtxGetState(CuDeviceId device, unsigned *flags,
                               int *is_active) {
  int code = fake_begin("cuDevicePrimaryCtxGetState");
  if (code != CU_OK)
    return code;
  *flags = 0;
  *is_active = fake.primary_is_active || fake.primary[device];
  return fake_end(CU_OK);
}

int cuDevicePrimaryCtxRetain(CuContext *context, CuDeviceId device) {
  int code = fake_begin("cuDevicePrimaryCtxRetain");
  if (code != CU_OK)
    return code;
  if (!fake.primary[device]) {
    fake.primary[device] = context_new(device);
    fake.primary[device]->is_primary = true;
  }
  *context = fake.primary[device];
  return fake_end(CU_OK);
}

int cuDevicePrimaryCtxRelease_v2(CuDeviceId device) {
  int code = fake_begin("cuDevicePrimaryCtxRelease_v2");
  if (code != CU_OK)
    return code;
  CuContext context = fake.primary[device];
  if (context && !fake.primary_is_active) {
    fake_delete_all(context);
    fake_delete(context);
    fake.primary[device] = NULL;
  }
  return fake_end(CU_OK);
}

int cuCtxCreate_v2(CuContext *context, unsigned flags, CuDeviceId device) {
  int code = fake_begin("cuCtxCreate_v2");
  (void)flags;
  if (code != CU_OK)
    return code;
  if (fake.failure != CU_OK)
    return fake_end(fake.failure);
  *context = context_new(device);
  fake_push(*context);
  return fake_end(CU_OK);
}

int cuCtxDestroy_v2(CuContext context) {
  int code = fake_begin("cuCtxDestroy_v2");
  if (code != CU_OK)
    return code;
  if (fake_current() == context)
    (void)fake_pop();
  fake_delete_all(context);
  fake_delete(context);
  return fake_end(CU_OK);
}

int cuCtxSetCurrent(CuContext context) {
  int code = fake_begin("cuCtxSetCurrent");
  if (code != CU_OK)
    return code;
  (void)fake_pop();
  fake_push(context);
  return fake_end(CU_OK);
}

int cuCtxPushCurrent_v2(CuContext context) {
  int code = fake_begin("cuCtxPushCurrent_v2");
  if (code != CU_OK)
    return code;
  if (!fake_is_alive(context, FAKE_CONTEXT))
    return fake_end(CU_INVALID_CONTEXT);
  fake_push(context);
  return fake_end(CU_OK);
}

int cuCtxPopCurrent_v2(CuContext *context) {
  int code = fake_begin("cuCtxPopCurrent_v2");
  if (code != CU_OK)
    return code;
  *context = fake_pop();
  return fake_end(*context ? CU_OK : CU_INVALID_CONTEXT);
}

int cuCtxGetCurrent(CuContext *context) {
  int code = fake_begin("cuCtxGetCurrent");
  if (code != CU_OK)
    return code;
  *context = fake_current();
  return fake_end(CU_OK);
}

int cuCtxSetLimit(int limit, size_t value) {
  int code = fake_begin("cuCtxSetLimit");
  (void)limit;
  (void)value;
  if (code != CU_OK)
    return code;
  (void)fake_context(&code);
  return fake_end(code);
}

// ------------------------------------------------------------------- memory

static int allocate(FakeKind kind, char **out, size_t size_bytes) {
  int code;
  CuContext context = fake_context(&code);
  if (code != CU_OK)
    return code;
  if (kind == FAKE_MEMORY &&
      size_bytes > ((size_t)fake.memory_mib << 20) - fake.used_bytes)
    return CU_OUT_OF_MEMORY;
  Allocation *allocation = fake_new(kind, sizeof *allocation, context);
  size_t rounded = (size_bytes + 511) / 512 * 512;
  allocation->memory = aligned_alloc(512, rounded);
  if (!allocation->memory)
    abort();
  memset(allocation->memory, 0xAA, rounded);
  allocation->size_bytes = size_bytes;
  if (kind == FAKE_MEMORY)
    fake.used_bytes += size_bytes;
  *out = allocation->memory;
  return CU_OK;
}

static int release(FakeKind kind, const void *memory) {
  int code;
  CuContext context = fake_context(&code);
  Allocation *allocation = fake_find(memory);
  if (code != CU_OK)
    return code;
  if (!allocation || allocation->object.kind != kind ||
      allocation->memory != memory || allocation->object.context != context) {
    fake.n_misused++;
    return CU_INVALID_VALUE;
  }
  fake_delete(allocation);
  return CU_OK;
}

int cuMemGetInfo_v2(size_t *free_bytes, size_t *total_bytes) {
  int code = fake_begin("cuMemGetInfo_v2");
  if (code != CU_OK)
    return code;
  *total_bytes = (size_t)fake.memory_mib << 20;
  *free_bytes = *total_bytes - fake.used_bytes;
  return fake_end(CU_OK);
}

int cuMemAlloc_v2(CuPointer *memory, size_t size_bytes) {
  char *address = NULL;
  int code = fake_begin("cuMemAlloc_v2");
  if (code != CU_OK)
    return code;
  code = size_bytes > 0 ? allocate(FAKE_MEMORY, &address, size_bytes)
                        : CU_INVALID_VALUE;
  *memory = (CuPointer)(uintptr_t)address;
  return fake_end(code);
}

int cuMemFree_v2(CuPointer memory) {
  int code = fake_begin("cuMemFree_v2");
  if (code != CU_OK)
    return code;
  return fake_end(release(FAKE_MEMORY, (void *)(uintptr_t)memory));
}

int cuMemHostAlloc(void **memory, size_t size_bytes, unsigned flags) {
  char *address = NULL;
  int code = fake_begin("cuMemHostAlloc");
  (void)flags;
  if (code != CU_OK)
    return code;
  code = allocate(FAKE_HOST, &address, size_bytes);
  *memory = address;
  return fake_end(code);
}

int cuMemFreeHost(void *memory) {
  int code = fake_begin("cuMemFreeHost");
  if (code != CU_OK)
    return code;
  return fake_end(release(FAKE_HOST, memory));
}

int cuMemHostGetDevicePointer_v2(CuPointer *address, void *memory,
                                 unsigned flags) {
  int code = fake_begin("cuMemHostGetDevicePointer_v2");
  (void)flags;
  if (code != CU_OK)
    return code;
  *address = (CuPointer)(uintptr_t)memory;
  return fake_end(CU_OK);
}

int cuPointerGetAttribute(void *value, int attribute, CuPointer address) {
  int code = fake_begin("cuPointerGetAttribute");
  if (code != CU_OK)
    return code;
  const Allocation *allocation = fake_find((void *)(uintptr_t)address);
  if (!allocation)
    return fake_end(CU_INVALID_VALUE);
  bool is_host = allocation->object.kind == FAKE_HOST;
  int number = is_host ? CU_MEMORY_HOST : CU_MEMORY_DEVICE;
  if (attribute == CU_POINTER_ORDINAL)
    number = allocation->object.context->device;
  if (attribute == CU_POINTER_CONTEXT)
    memcpy(value, &allocation->object.context, sizeof(CuContext));
  else
    memcpy(value, &number, sizeof number);
  return fake_end(CU_OK);
}

// --------------------------------------------------------------- assembling

int cuLinkCreate_v2(unsigned n_options, int *options, void **values,
                    CuLink *link) {
  int code = fake_begin("cuLinkCreate_v2");
  if (code != CU_OK)
    return code;
  CuContext context = fake_context(&code);
  if (code != CU_OK)
    return fake_end(code);
  CuLink made = fake_new(FAKE_LINK, sizeof *made, context);
  for (unsigned i = 0; i < n_options; i++) {
    if (options[i] == CU_JIT_INFO_LOG)
      made->info = values[i];
    if (options[i] == CU_JIT_ERROR_LOG)
      made->errors = values[i];
    if (options[i] == CU_JIT_INFO_LOG_BYTES)
      made->info_bytes = (size_t)(uintptr_t)values[i];
    if (options[i] == CU_JIT_ERROR_LOG_BYTES)
      made->errors_bytes = (size_t)(uintptr_t)values[i];
  }
  *link = made;
  return fake_end(CU_OK);
}

// Rejects what contains the word "nonsense".
int cuLinkAddData_v2(CuLink link, int type, void *data, size_t size_bytes,
                     const char *name, unsigned n_options, int *options,
                     void **values) {
  int code = fake_begin("cuLinkAddData_v2");
  (void)n_options;
  (void)options;
  (void)values;
  if (code != CU_OK)
    return code;
  if (type != CU_INPUT_PTX || ((char *)data)[size_bytes - 1] != 0)
    return fake_end(CU_INVALID_VALUE);
  if (strstr(data, "nonsense")) {
    snprintf(link->errors, link->errors_bytes,
             "ptxas %s, line 14; error: Parsing error near 'nonsense'", name);
    return fake_end(CU_INVALID_PTX);
  }
  link->text = strdup(data);
  snprintf(link->info, link->info_bytes,
           "ptxas info: 0 bytes stack frame, %d bytes spill stores, %d bytes "
           "spill loads",
           fake.spill_bytes, fake.spill_bytes);
  return fake_end(CU_OK);
}

int cuLinkComplete(CuLink link, void **cubin, size_t *size_bytes) {
  int code = fake_begin("cuLinkComplete");
  if (code != CU_OK)
    return code;
  CubinHeader header = {.text_bytes = strlen(link->text) + 1};
  memcpy(header.magic, cubin_magic, sizeof cubin_magic);
  *size_bytes = sizeof header + header.text_bytes;
  link->cubin = malloc(*size_bytes);
  if (!link->cubin)
    abort();
  memcpy(link->cubin, &header, sizeof header);
  memcpy(link->cubin + sizeof header, link->text, header.text_bytes);
  *cubin = link->cubin;
  return fake_end(CU_OK);
}

int cuLinkDestroy(CuLink link) {
  int code = fake_begin("cuLinkDestroy");
  if (code != CU_OK)
    return code;
  fake_delete(link);
  return fake_end(CU_OK);
}

// --------------------------------------------------------------------- code

static size_t number_behind(const char *text, const char *line) {
  const char *found = strstr(text, line);
  return found ? (size_t)strtoul(found + strlen(line), NULL, 10) : 0;
}

int cuModuleLoadData(CuModule *module, const void *image) {
  int code = fake_begin("cuModuleLoadData");
  if (code != CU_OK)
    return code;
  CuContext context = fake_context(&code);
  if (code != CU_OK || memcmp(image, cubin_magic, sizeof cubin_magic) != 0)
    return fake_end(code != CU_OK ? code : CU_NO_BINARY_FOR_GPU);
  CuModule made = fake_new(FAKE_MODULE, sizeof *made, context);
  made->text = strdup((const char *)image + sizeof(CubinHeader));
  // As abi/cuda.h has it: slots, hidden words, globals, tensor maps.
  made->words_bytes = 8 * (number_behind(made->text, "// slots ") + 4 +
                           number_behind(made->text, "// globals "));
  for (const char *p = made->text; (p = strstr(p, "\n// map ")); p++)
    made->n_maps++;
  made->function.module = made;
  made->function.dynamic_limit = 48 << 10;
  *module = made;
  return fake_end(CU_OK);
}

int cuModuleUnload(CuModule module) {
  int code = fake_begin("cuModuleUnload");
  if (code != CU_OK)
    return code;
  (void)fake_context(&code);
  if (code == CU_OK)
    fake_delete(module);
  return fake_end(code);
}

int cuModuleGetFunction(CuFunction *function, CuModule module,
                        const char *name) {
  int code = fake_begin("cuModuleGetFunction");
  if (code != CU_OK)
    return code;
  *function = &module->function;
  return fake_end(strstr(module->text, name) ? CU_OK : CU_NOT_FOUND);
}

int cuFuncGetAttribute(int *value, int attribute, CuFunction function) {
  int code = fake_begin("cuFuncGetAttribute");
  (void)function;
  if (code != CU_OK)
    return code;
  *value = attribute == CU_FUNCTION_MAX_THREADS   ? fake.max_threads
           : attribute == CU_FUNCTION_REGISTERS   ? fake.registers
           : attribute == CU_FUNCTION_LOCAL_BYTES ? fake.local_bytes
                                                  : 0;
  return fake_end(CU_OK);
}

int cuFuncSetAttribute(CuFunction function, int attribute, int value) {
  int code = fake_begin("cuFuncSetAttribute");
  if (code != CU_OK)
    return code;
  if (attribute == CU_FUNCTION_MAX_DYNAMIC_SHARED && value > fake.shared_bytes)
    return fake_end(CU_INVALID_VALUE);
  if (attribute == CU_FUNCTION_MAX_DYNAMIC_SHARED)
    function->dynamic_limit = value;
  if (attribute == CU_FUNCTION_LARGE_CLUSTERS)
    function->allows_large_clusters = value != 0;
  return fake_end(CU_OK);
}

int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *n_blocks,
                                                CuFunction function,
                                                int block_threads,
                                                size_t shared_bytes) {
  int code = fake_begin("cuOccupancyMaxActiveBlocksPerMultiprocessor");
  (void)function;
  (void)block_threads;
  (void)shared_bytes;
  if (code != CU_OK)
    return code;
  *n_blocks = fake.resident_blocks;
  return fake_end(CU_OK);
}

int cuOccupancyMaxActiveClusters(int *n_clusters, CuFunction function,
                                 const CuLaunchConfig *config) {
  int code = fake_begin("cuOccupancyMaxActiveClusters");
  (void)function;
  (void)config;
  if (code != CU_OK)
    return code;
  *n_clusters = fake.resident_clusters;
  return fake_end(CU_OK);
}

// Built without it, the library is that of an older driver.
#ifndef FAKE_CUDA_IS_OLD
// The map's words: what it was made of.
int cuTensorMapEncodeTiled(CuTensorMap *map, int element, uint32_t rank,
                           void *address, const uint64_t *extents,
                           const uint64_t *strides_bytes, const uint32_t *box,
                           const uint32_t *element_strides, int interleave,
                           int swizzle, int l2, int outside) {
  int code = fake_begin("cuTensorMapEncodeTiled");
  (void)element_strides;
  (void)interleave;
  (void)l2;
  (void)outside;
  if (code != CU_OK)
    return code;
  memset(map, 0, sizeof *map);
  map->words[0] = (uint64_t)(uintptr_t)address;
  map->words[1] = rank | (uint64_t)(unsigned)element << 8 |
                  (uint64_t)(unsigned)swizzle << 16;
  for (uint32_t i = 0; i < rank; i++) {
    map->words[2 + i] = extents[i];
    map->words[7 + i] = i + 1 < rank ? strides_bytes[i] : 0;
    map->words[11 + i] = box[i];
  }
  return fake_end(CU_OK);
}
#endif
