// SPDX-License-Identifier: Apache-2.0
// File-scope objects: allocated once for a program, found by name.
#include "session/session.h"

#include <stdlib.h>
#include <string.h>

typedef struct GlobalMemory {
  struct GlobalMemory *next;
  const char *name;
  bool is_constant;
  uint64_t size_bytes;
  void *data;
} GlobalMemory;

enum { GLOBAL_ALIGN = 128 };

// All extents of file-scope objects are constant.
static uint64_t object_bytes(const IrObject *object) {
  uint64_t bytes = object->element_bytes;
  for (int i = 0; i < object->rank; i++)
    bytes *= (uint64_t)object->extents[i]->number;
  return bytes;
}

static GlobalMemory *find_global(const HdProgram *program, const char *name) {
  for (GlobalMemory *global = program->globals; global; global = global->next) {
    if (strcmp(global->name, name) == 0)
      return global;
  }
  return NULL;
}

static GlobalMemory *make_global(HdProgram *program, const IrObject *object) {
  uint64_t size_bytes = object_bytes(object);
  uint64_t align =
      object->align_bytes > GLOBAL_ALIGN ? object->align_bytes : GLOBAL_ALIGN;
  uint64_t rounded = (size_bytes + align) / align * align;
  void *data = aligned_alloc(align, rounded);
  if (!data)
    return NULL;
  memset(data, 0, rounded);
  if (object->initial)
    memcpy(data, object->initial,
           object->initial_bytes < size_bytes ? object->initial_bytes
                                              : size_bytes);
  GlobalMemory *global = ARENA_NEW(program->arena, GlobalMemory);
  global->name = arena_strdup(program->arena, object->name);
  global->is_constant = object->space == SPACE_CONSTANT;
  global->size_bytes = size_bytes;
  global->data = data;
  global->next = program->globals;
  program->globals = global;
  return global;
}

void *const *globals_table(HdProgram *program, Spec *spec) {
  const IrModule *module = spec->module;
  if (spec->globals)
    return spec->globals;
  void **table = ARENA_ARRAY(module->arena, void *, module->globals.count + 1);
  for (uint32_t i = 0; i < module->globals.count; i++) {
    const IrObject *object = module->globals.data[i];
    GlobalMemory *global = find_global(program, object->name);
    if (!global)
      global = make_global(program, object);
    if (!global)
      return NULL;
    table[i] = global->data;
  }
  spec->globals = table;
  return table;
}

void globals_free(HdProgram *program) {
  for (GlobalMemory *global = program->globals; global; global = global->next)
    free(global->data);
  program->globals = NULL;
}

// Finds the object for the host, allocating it if some specialisation has it.
static HdStatus host_access(HdProgram *program, const char *name,
                            size_t size_bytes, GlobalMemory **out) {
  for (Spec *spec = program->specs; spec; spec = spec->next) {
    if (!globals_table(program, spec))
      return session_fail(program->session, HD_ERROR_MEMORY, "out of memory");
  }
  *out = find_global(program, name);
  if (!*out || (*out)->is_constant)
    return session_fail(program->session, HD_ERROR_NOT_FOUND,
                        "no kernel made so far uses a global object '%s'",
                        name);
  if (size_bytes > (*out)->size_bytes)
    return session_fail(program->session, HD_ERROR_ARGUMENT,
                        "%zu bytes are more than the %llu of '%s'", size_bytes,
                        (unsigned long long)(*out)->size_bytes, name);
  return HD_OK;
}

HdStatus hd_global_write(HdProgram *program, const char *name, const void *data,
                         size_t size_bytes) {
  GlobalMemory *global;
  session_lock(program->session);
  HdStatus status = host_access(program, name, size_bytes, &global);
  if (status == HD_OK)
    memcpy(global->data, data, size_bytes);
  session_unlock(program->session);
  return status;
}

HdStatus hd_global_read(HdProgram *program, const char *name, void *data,
                        size_t size_bytes) {
  GlobalMemory *global;
  session_lock(program->session);
  HdStatus status = host_access(program, name, size_bytes, &global);
  if (status == HD_OK)
    memcpy(data, global->data, size_bytes);
  session_unlock(program->session);
  return status;
}
