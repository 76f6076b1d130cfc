// SPDX-License-Identifier: Apache-2.0
// Devices: what there is, opening, what code takes of one.
#include "base/panic.h"
#include "session/args.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Kinds of devices in the order in which they are listed.
static const RtDeviceOps *const device_kinds[] = {&rt_cpu_ops, &rt_cuda_ops};

enum { N_KINDS = sizeof device_kinds / sizeof device_kinds[0] };

// ------------------------------------------------------------ what there is

typedef struct {
  const char *name, *description;
} ListedDevice;

// Looked for once in a session.
typedef struct DeviceList {
  hd_vec(ListedDevice) devices;
  const char *why_none[N_KINDS]; // by kind; NULL: there is one
} DeviceList;

static void list_kind(Arena *arena, DeviceList *list, int kind) {
  const RtDeviceOps *ops = device_kinds[kind];
  RtError error = {0};
  int count = 0;
  if (ops->count(&count, &error) != HD_OK || count == 0)
    list->why_none[kind] =
        arena_strdup(arena, error.text[0] ? error.text : "no device");
  for (int i = 0; i < count; i++) {
    char text[512];
    ops->describe(ops->is_host ? -1 : i, text, sizeof text);
    ListedDevice device = {
        ops->is_host ? ops->kind : arena_printf(arena, "%s:%d", ops->kind, i),
        arena_strdup(arena, text)};
    VEC_PUSH(arena, &list->devices, device);
  }
}

static const DeviceList *list_devices(HdSession *session) {
  session_lock(session);
  if (!session->devices) {
    DeviceList *list = ARENA_NEW(session->arena, DeviceList);
    for (int i = 0; i < N_KINDS; i++)
      list_kind(session->arena, list, i);
    session->devices = list;
  }
  session_unlock(session);
  return session->devices;
}

static const ListedDevice *device_listed(HdSession *session, int index) {
  const DeviceList *list = list_devices(session);
  bool exists = index >= 0 && (uint32_t)index < list->devices.count;
  return exists ? &list->devices.data[index] : NULL;
}

static int session_device_count(HdSession *session) {
  return (int)list_devices(session)->devices.count;
}

int hd_device_count(HdSession *session) {
  if (!session)
    return 0;
  SESSION_RESCUE(session, NULL, 0);
  return session_device_count(session);
}

static const char *device_name(HdSession *session, int index) {
  const ListedDevice *device = device_listed(session, index);
  return device ? device->name : NULL;
}

const char *hd_device_name(HdSession *session, int index) {
  if (!session)
    return NULL;
  SESSION_RESCUE(session, NULL, NULL);
  return device_name(session, index);
}

static const char *device_description(HdSession *session, int index) {
  const ListedDevice *device = device_listed(session, index);
  return device ? device->description : NULL;
}

const char *hd_device_description(HdSession *session, int index) {
  if (!session)
    return NULL;
  SESSION_RESCUE(session, NULL, NULL);
  return device_description(session, index);
}

const char *hd_device_kind(int index) {
  return index >= 0 && index < N_KINDS ? device_kinds[index]->kind : NULL;
}

static const char *device_why_none(HdSession *session, const char *kind) {
  const DeviceList *list = list_devices(session);
  for (int i = 0; i < N_KINDS; i++) {
    if (strcmp(device_kinds[i]->kind, kind) == 0)
      return list->why_none[i];
  }
  return "no such kind of device";
}

const char *hd_device_why_none(HdSession *session, const char *kind) {
  if (!session || !kind)
    return NULL;
  SESSION_RESCUE(session, NULL, "out of memory");
  return device_why_none(session, kind);
}

// ----------------------------------------------------------------- opening

// "cpu" or "cpu:4": the kind, and the number or -1. NULL: not a device.
static const RtDeviceOps *find_kind(const char *name, int *ordinal) {
  *ordinal = -1;
  for (int i = 0; i < N_KINDS; i++) {
    size_t length = strlen(device_kinds[i]->kind);
    if (strncmp(name, device_kinds[i]->kind, length) != 0)
      continue;
    if (name[length] == 0)
      return device_kinds[i];
    char *end;
    if (name[length] != ':' || !isdigit((unsigned char)name[length + 1]))
      continue;
    long number = strtol(name + length + 1, &end, 10);
    *ordinal = number > INT_MAX ? INT_MAX : (int)number;
    return *end == 0 ? device_kinds[i] : NULL;
  }
  return NULL;
}

// The first of the session's options that the back end has no code for.
static const char *lacking(const HdSessionOptions *options,
                           const CodeOps *code) {
  if (options->sanitize && !code->has_checks)
    return "checks while running (--sanitize)";
  if (options->schedule && !code->has_schedules)
    return "chosen schedules (--schedule)";
  return options->trace && !code->has_timelines ? "timelines (--trace)" : NULL;
}

// What the kind of device can't do is reported before one is opened.
static HdStatus check_options(HdSession *session, const char *name,
                              const char *kind) {
  const CodeOps *code = back_end_of(session, kind);
  if (!code)
    return session_fail(session, HD_ERROR_UNSUPPORTED,
                        "no back end makes code for device '%s'", name);
  const char *what = lacking(&session->options, code);
  if (!what)
    return HD_OK;
  return session_fail(
      session, HD_ERROR_UNSUPPORTED,
      "device '%s' has no %s: use the CPU (--device cpu), which "
      "runs the same kernels",
      name, what);
}

static HdStatus choose_target(HdSession *session, HdDevice *device,
                              const char *name) {
  const RtDeviceOps *ops = device->device->ops;
  int sm = device->device->sm;
  session_lock(session);
  device->target = target_of_device(session, ops->kind, sm);
  device->id = ops->is_host ? 0 : ++session->n_opened;
  session_unlock(session);
  if (device->target)
    return HD_OK;
  return session_fail(session, HD_ERROR_UNSUPPORTED,
                      "device '%s' has compute capability %d.%d; Heddle's code "
                      "needs 8.0 or later",
                      name, sm / 10, sm % 10);
}

// One that isn't open yet, or not wholly.
static void drop_device(void *what) {
  HdDevice *device = what;
  if (device->device)
    device->device->ops->close(device->device);
  free(device);
}

static HdStatus session_device_open(HdSession *session, const char *name,
                                    HdDevice **out) {
  int ordinal;
  const RtDeviceOps *ops = find_kind(name, &ordinal);
  if (!ops)
    return session_fail(session, HD_ERROR_NOT_FOUND,
                        "no device '%s'; there is: cpu, cpu:N (N threads), "
                        "cuda, cuda:N (GPU number N)",
                        name);
  HD_TRY(check_options(session, name, ops->kind));
  HdDevice *device = calloc(1, sizeof(*device));
  if (!device)
    return session_no_memory(session, NULL);
  rescue_owe(drop_device, device);
  RtError error = {0};
  HdStatus status = ops->open(ordinal, &device->device, &error);
  if (status != HD_OK)
    (void)session_fail(session, status, "%s", error.text);
  else
    status = choose_target(session, device, name);
  rescue_paid(device);
  if (status != HD_OK) {
    drop_device(device);
    return status;
  }
  atomic_init(&device->references, 1);
  device->ordinal = ordinal > 0 && device->id ? ordinal : 0;
  device->session = session;
  session_retain(session);
  *out = device;
  return HD_OK;
}

HdStatus hd_device_open(HdSession *session, const char *name, HdDevice **out) {
  if (out)
    *out = NULL;
  if (!session || !name || !out)
    return session_null(session, "hd_device_open");
  SESSION_RESCUE(session, NULL, HD_ERROR_MEMORY);
  return session_device_open(session, name, out);
}

void device_retain(HdDevice *device) {
  int before = atomic_fetch_add(&device->references, 1);
  HD_ASSERT(before > 0); // else it is being freed
}

void hd_device_free(HdDevice *device) {
  if (!device || atomic_fetch_sub(&device->references, 1) != 1)
    return;
  const RtDeviceOps *ops = device->device->ops;
  for (LoadedCode *loaded = device->loaded, *next; loaded; loaded = next) {
    next = loaded->next;
    ops->code_free(device->device, loaded->code);
    free(loaded);
  }
  ops->close(device->device);
  hd_session_free(device->session);
  free(device);
}

const char *hd_device_target(const HdDevice *device) {
  if (!device)
    return NULL;
  return device->target->model->name;
}
