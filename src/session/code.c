// SPDX-License-Identifier: Apache-2.0
// Code of a specialisation for a set of array facts, and where it comes from:
// memory, disk, or the code generator.
#include "base/panic.h"
#include "session/session.h"

#include "base/disk_cache.h"

#include <stdlib.h>
#include <string.h>

static Hash128 code_key(const HdProgram *program, const CodeTarget *target,
                        const Spec *spec, uint64_t facts) {
  const HdSession *session = program->session;
  HashState *state = hash_new();
  hash_add_text(state, hd_version_details());
  hash_add_u64(state, program->source_hash.low);
  hash_add_u64(state, program->source_hash.high);
  hash_add_text(state, source_name(program->source)); // places in traps
  hash_add_text(state, spec->key);
  hash_add_u64(state, facts);
  hash_add_u64(state, (uint64_t)session->options.opt_level);
  hash_add_u64(state, session->options.fast_math != 0);
  hash_add_text(state, target->text);
  Hash128 key = hash_result(state);
  hash_free(state);
  return key;
}

static CodeEntry *find_code(const HdSession *session, Hash128 key) {
  for (CodeEntry *entry = session->code; entry; entry = entry->next) {
    if (entry->key.low == key.low && entry->key.high == key.high)
      return entry;
  }
  return NULL;
}

static void set_facts(IrKernel *kernel, uint64_t facts) {
  int shift = 0;
  kernel->has_few_threads = (facts & FACTS_FEW_THREADS) != 0;
  kernel->has_lanes_apart = (facts & FACTS_LANES_APART) != 0;
  kernel->product_moment = (uint32_t)(facts >> FACTS_MOMENT);
  for (uint32_t i = 0; i < kernel->params.count; i++) {
    IrParam *param = &kernel->params.data[i];
    if (param->kind != PARAM_ARRAY && param->kind != PARAM_POINTER)
      continue;
    param->object->facts =
        shift < FACTS_END ? (uint32_t)(facts >> shift & FACTS_ALL) : 0;
    shift += FACTS_BITS;
  }
}

// The bytes loaded by the back end, else a copy for devices to load.
static HdStatus load_code(HdSession *session, const CodeTarget *target,
                          const void *data, size_t size_bytes, CodeEntry *entry,
                          const char **why) {
  if (target->ops->load) {
    HdStatus status = target->ops->load(target->compiler, data, size_bytes,
                                        session->arena, &entry->loaded, why);
    if (status != HD_OK)
      entry->loaded = NULL;
    return status;
  }
  *why = "out of memory";
  entry->text = malloc(size_bytes + 1);
  if (!entry->text)
    return HD_ERROR_MEMORY;
  memcpy(entry->text, data, size_bytes);
  entry->text[size_bytes] = 0;
  entry->text_bytes = size_bytes;
  return HD_OK;
}

// Remembers the bytes of code. NULL: they are not usable.
static CodeEntry *keep_code(HdSession *session, const CodeTarget *target,
                            Hash128 key, const void *data, size_t size_bytes,
                            HdStatus *status, const char **why) {
  CodeEntry *entry = calloc(1, sizeof(*entry));
  *status = HD_ERROR_MEMORY;
  *why = "out of memory";
  if (!entry)
    return NULL;
  rescue_owe(free, entry);
  *status = load_code(session, target, data, size_bytes, entry, why);
  rescue_paid(entry);
  if (*status != HD_OK) {
    free(entry);
    return NULL;
  }
  entry->key = key;
  entry->next = session->code;
  session->code = entry;
  return entry;
}

static CodeEntry *code_from_disk(HdSession *session, const CodeTarget *target,
                                 Arena *scratch, Hash128 key) {
  void *data;
  size_t size_bytes;
  const char *why;
  HdStatus status;
  if (!session->cache_dir ||
      !disk_cache_read(scratch, session->cache_dir, key, &data, &size_bytes))
    return NULL;
  return keep_code(session, target, key, data, size_bytes, &status, &why);
}

HdStatus code_fail(HdProgram *program, const CodeTarget *target,
                   const Spec *spec, HdStatus status, const char *why) {
  const CodeExcess *excess = &target->compiler->excess;
  const char *name = spec->kernel->name;
  if (!excess->n_operations)
    return session_fail(program->session, status, "kernel '%s': %s", name, why);
  IrLocId id = ir_loc_for_users(spec->module, excess->place);
  Place place = spec->module->locs.data[id].place;
  if (place.end_line > place.line) { // where it begins will do
    place.end_line = place.line;
    place.end_col = place.col + 1;
  }
  diag_begin_round(program->diags);
  Diag *diag = DIAG_REPORT(program->diags, DIAG_code_too_large, place, DS(name),
                           DU(excess->n_operations), DU(excess->most));
  diag_note(
      program->diags, diag, (Place){0},
      "most of them come from this place: split the kernel, or repeat less "
      "with '#pragma unroll', calls and templates");
  (void)program_fail(program);
  return status;
}

static void free_object(void *object) {
  code_object_free(object);
}

static HdStatus generate(HdProgram *program, const CodeTarget *target,
                         Spec *spec, uint64_t facts, Arena *scratch,
                         Hash128 key, CodeEntry **out) {
  HdSession *session = program->session;
  CodeObject object = {0};
  const char *why = "out of memory";
  set_facts(spec->kernel, facts);
  const IrKernel *kernel;
  HD_TRY(threads_get(program, target, spec, scratch, &kernel));
  HdStatus status = target->ops->compile(target->compiler, scratch,
                                         kernel->module, kernel, &object, &why);
  if (status != HD_OK)
    return code_fail(program, target, spec, status, why);
  rescue_owe(free_object, &object);
  *out = keep_code(session, target, key, object.data, object.size_bytes,
                   &status, &why);
  if (*out && session->cache_dir)
    disk_cache_write(scratch, session->cache_dir, key, object.data,
                     object.size_bytes, session_cache_limit(session));
  rescue_paid(&object);
  code_object_free(&object);
  return *out ? HD_OK
              : session_fail(session, status, "kernel '%s' can't be loaded: %s",
                             spec->kernel->name, why);
}

HdStatus code_get(HdProgram *program, CodeTarget *target, Spec *spec,
                  uint64_t facts, const CodeEntry **out) {
  HD_ASSERT(spec->kernel->level == LEVEL_THREAD ||
            spec->kernel->level == LEVEL_TILES); // the passes were run
  target_open(program->session, target);
  Arena *scratch = arena_new();
  Hash128 key = code_key(program, target, spec, facts);
  CodeEntry *entry = find_code(program->session, key);
  if (!entry)
    entry = code_from_disk(program->session, target, scratch, key);
  HdStatus status = HD_OK;
  if (!entry)
    status = generate(program, target, spec, facts, scratch, key, &entry);
  arena_free(scratch);
  *out = entry;
  return status;
}

void code_free(HdSession *session) {
  for (CodeEntry *entry = session->code, *next; entry; entry = next) {
    next = entry->next;
    free(entry->text);
    free(entry);
  }
}

// Code as the device's launches take it.
static HdStatus load_on(HdDevice *device, const CodeEntry *entry,
                        const void **out) {
  HdSession *session = device->session;
  RtDevice *rt = device->device;
  if (entry->loaded) {
    *out = entry->loaded;
    return HD_OK;
  }
  if (!rt->ops->code_load)
    return session_fail(session, HD_ERROR_UNSUPPORTED,
                        "devices of kind '%s' can't load code of target '%s'",
                        rt->ops->kind, device->target->model->name);
  for (LoadedCode *loaded = device->loaded; loaded; loaded = loaded->next) {
    if (loaded->entry == entry) {
      *out = loaded->code;
      return HD_OK;
    }
  }
  LoadedCode *loaded = calloc(1, sizeof *loaded);
  if (!loaded)
    return session_no_memory(session, NULL);
  RtSource source = {entry->text, entry->text_bytes, session->cache_dir,
                     session_cache_limit(session)};
  RtError error = {0};
  HdStatus status = rt->ops->code_load(rt, &source, &loaded->code, &error);
  if (status != HD_OK) {
    free(loaded);
    return session_fail(session, status, "%s", error.text);
  }
  loaded->entry = entry;
  loaded->next = device->loaded;
  device->loaded = loaded;
  *out = loaded->code;
  return HD_OK;
}

HdStatus variant_get(HdProgram *program, Spec *spec, HdDevice *device,
                     uint64_t facts, const void **out) {
  HD_ASSERT(device->session == program->session);
  for (Variant *v = spec->variants; v; v = v->next) {
    if (v->facts == facts && v->device_id == device->id) {
      *out = v->code;
      return HD_OK;
    }
  }
  const CodeEntry *entry;
  HD_TRY(code_get(program, device->target, spec, facts, &entry));
  HD_TRY(load_on(device, entry, out));
  Variant *variant = ARENA_NEW(program->arena, Variant);
  variant->facts = facts;
  variant->device_id = device->id;
  variant->code = *out;
  variant->next = spec->variants;
  spec->variants = variant;
  return HD_OK;
}
