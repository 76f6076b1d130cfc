// SPDX-License-Identifier: Apache-2.0
// File-scope objects: allocated once for a program and device, found by name.
// CPUs share theirs.
#include "session/session.h"

#include "base/bits.h"
#include <stdlib.h>
#include <string.h>

typedef struct GlobalMemory {
  struct GlobalMemory *next;
  const char *name;
  bool is_fixed; // constant, with an initialiser that code may contain
  uint64_t size_bytes;
  HdDevice *device; // whose memory it is; NULL: the host's
  void *allocated;
  char *data;
} GlobalMemory;

typedef struct GlobalTable {
  struct GlobalTable *next;
  uint64_t device_id;
  void **addresses;
} GlobalTable;

enum { GLOBAL_ALIGN = 128 };

// All extents of file-scope objects are constant.
static uint64_t globals_object_bytes(const IrObject *object) {
  uint64_t bytes = object->element_bytes;
  for (int i = 0; i < object->rank; i++)
    bytes *= (uint64_t)object->extents[i]->number;
  return bytes;
}

static GlobalMemory *find_global(const HdProgram *program, uint64_t device_id,
                                 const char *name) {
  for (GlobalMemory *global = program->globals; global; global = global->next) {
    uint64_t id = global->device ? global->device->id : 0;
    if (id == device_id && strcmp(global->name, name) == 0)
      return global;
  }
  return NULL;
}

// The object's first bytes, zeros behind them; `rounded` bytes.
static HdStatus fill_host(GlobalMemory *global, const IrObject *object,
                          uint64_t align, uint64_t rounded) {
  global->data = global->allocated = aligned_alloc(align, rounded);
  if (!global->data)
    return HD_ERROR_MEMORY;
  memset(global->data, 0, rounded);
  if (object->initial)
    memcpy(global->data, object->initial,
           object->initial_bytes < global->size_bytes ? object->initial_bytes
                                                      : global->size_bytes);
  return HD_OK;
}

static HdStatus fill_device(GlobalMemory *global, const IrObject *object,
                            uint64_t align, uint64_t rounded, RtError *error) {
  RtDevice *device = global->device->device;
  HD_TRY(device->ops->memory_new(device, rounded + align, &global->allocated,
                                 error));
  uint64_t past = (uintptr_t)global->allocated % align;
  global->data = (char *)global->allocated + (past ? align - past : 0);
  uint64_t bytes = object->initial_bytes < global->size_bytes
                       ? object->initial_bytes
                       : global->size_bytes;
  if (!object->initial || bytes == 0)
    return HD_OK;
  return device->ops->memory_write(device, global->data, object->initial, bytes,
                                   error);
}

static void globals_release(GlobalMemory *global) {
  if (!global->device) {
    free(global->allocated);
    return;
  }
  RtDevice *device = global->device->device;
  if (global->allocated)
    device->ops->memory_free(device, global->allocated);
  hd_device_free(global->device);
}

// `device` is NULL for CPUs.
static HdStatus make_global(HdProgram *program, HdDevice *device,
                            const IrObject *object, GlobalMemory **out) {
  uint64_t size_bytes = globals_object_bytes(object);
  uint64_t align =
      object->align_bytes > GLOBAL_ALIGN ? object->align_bytes : GLOBAL_ALIGN;
  uint64_t rounded = bits_align_up(size_bytes + 1, align);
  GlobalMemory *global = ARENA_NEW(program->arena, GlobalMemory);
  RtError error = {.text = "out of memory"};
  global->name = arena_strdup(program->arena, object->name);
  global->size_bytes = size_bytes;
  global->device = device;
  if (device)
    device_retain(device);
  HdStatus status = device ? fill_device(global, object, align, rounded, &error)
                           : fill_host(global, object, align, rounded);
  if (status != HD_OK) {
    globals_release(global);
    return session_fail(program->session, status, "global object '%s': %s",
                        object->name, error.text);
  }
  global->is_fixed = object->space == SPACE_CONSTANT && object->initial;
  global->next = program->globals;
  program->globals = global;
  *out = global;
  return HD_OK;
}

static HdStatus make_table(HdProgram *program, Spec *spec, HdDevice *device,
                           void *const **out) {
  const IrModule *module = spec->module;
  uint64_t device_id = device ? device->id : 0;
  for (GlobalTable *table = spec->globals; table; table = table->next) {
    *out = table->addresses;
    if (table->device_id == device_id)
      return HD_OK;
  }
  void **addresses =
      ARENA_ARRAY(module->arena, void *, module->globals.count + 1);
  for (uint32_t i = 0; i < module->globals.count; i++) {
    const IrObject *object = module->globals.data[i];
    GlobalMemory *global = find_global(program, device_id, object->name);
    if (!global)
      HD_TRY(make_global(program, device, object, &global));
    addresses[i] = global->data;
  }
  GlobalTable *table = ARENA_NEW(module->arena, GlobalTable);
  table->device_id = device_id;
  table->addresses = addresses;
  table->next = spec->globals;
  spec->globals = table;
  *out = addresses;
  return HD_OK;
}

// CPUs have the host's objects, which outlive any device.
static HdDevice *owner(HdDevice *device) {
  return device && device->id > 0 ? device : NULL;
}

HdStatus globals_table(HdProgram *program, Spec *spec, HdDevice *device,
                       void *const **out) {
  return make_table(program, spec, owner(device), out);
}

void globals_free(HdProgram *program) {
  for (GlobalMemory *global = program->globals; global; global = global->next)
    globals_release(global);
  program->globals = NULL;
}

// Finds the object for the host, allocating it if some specialisation has it.
static HdStatus host_access(HdProgram *program, HdDevice *device,
                            const char *name, size_t size_bytes,
                            GlobalMemory **out) {
  HdDevice *of = owner(device);
  for (Spec *spec = program->specs; spec; spec = spec->next) {
    void *const *table;
    HD_TRY(make_table(program, spec, of, &table));
  }
  *out = find_global(program, of ? of->id : 0, name);
  if (*out && (*out)->is_fixed)
    return session_fail(program->session, HD_ERROR_ARGUMENT,
                        "'%s' has an initialiser: only constant objects "
                        "without one are the host's to fill",
                        name);
  if (!*out)
    return session_fail(program->session, HD_ERROR_NOT_FOUND,
                        "no kernel made so far uses a global object '%s'",
                        name);
  if (size_bytes > (*out)->size_bytes)
    return session_fail(program->session, HD_ERROR_ARGUMENT,
                        "%zu bytes are more than the %llu of '%s'", size_bytes,
                        (unsigned long long)(*out)->size_bytes, name);
  return HD_OK;
}

// To the object, or from it.
static HdStatus globals_transfer(HdProgram *program, HdDevice *device,
                                 const char *name, void *to, const void *from,
                                 size_t size_bytes) {
  GlobalMemory *global;
  RtError error = {0};
  HdStatus status = host_access(program, device, name, size_bytes, &global);
  if (status != HD_OK)
    return status;
  if (!global->device) {
    memcpy(to ? to : global->data, from ? from : global->data, size_bytes);
    return HD_OK;
  }
  RtDevice *rt = global->device->device;
  status =
      to ? rt->ops->memory_read(rt, to, global->data, size_bytes, &error)
         : rt->ops->memory_write(rt, global->data, from, size_bytes, &error);
  return status == HD_OK
             ? status
             : session_fail(program->session, status, "%s", error.text);
}

static HdStatus global_write(HdProgram *program, HdDevice *device,
                             const char *name, const void *data,
                             size_t size_bytes) {
  session_lock(program->session);
  HdStatus status =
      globals_transfer(program, device, name, NULL, data, size_bytes);
  session_unlock(program->session);
  return status;
}

HdStatus hd_global_write_on(HdProgram *program, HdDevice *device,
                            const char *name, const void *data,
                            size_t size_bytes) {
  if (!program || !name || (!data && size_bytes > 0))
    return session_null(program ? program->session : NULL,
                        "hd_global_write_on");
  SESSION_RESCUE(program->session, NULL, HD_ERROR_MEMORY);
  return global_write(program, device, name, data, size_bytes);
}

static HdStatus global_read(HdProgram *program, HdDevice *device,
                            const char *name, void *data, size_t size_bytes) {
  session_lock(program->session);
  HdStatus status =
      globals_transfer(program, device, name, data, NULL, size_bytes);
  session_unlock(program->session);
  return status;
}

HdStatus hd_global_read_on(HdProgram *program, HdDevice *device,
                           const char *name, void *data, size_t size_bytes) {
  if (!program || !name || (!data && size_bytes > 0))
    return session_null(program ? program->session : NULL, "hd_global_read_on");
  SESSION_RESCUE(program->session, NULL, HD_ERROR_MEMORY);
  return global_read(program, device, name, data, size_bytes);
}

HdStatus hd_global_write(HdProgram *program, const char *name, const void *data,
                         size_t size_bytes) {
  if (!program || !name || (!data && size_bytes > 0))
    return session_null(program ? program->session : NULL, "hd_global_write");
  return hd_global_write_on(program, NULL, name, data, size_bytes);
}

HdStatus hd_global_read(HdProgram *program, const char *name, void *data,
                        size_t size_bytes) {
  if (!program || !name || (!data && size_bytes > 0))
    return session_null(program ? program->session : NULL, "hd_global_read");
  return hd_global_read_on(program, NULL, name, data, size_bytes);
}
