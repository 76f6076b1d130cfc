// SPDX-License-Identifier: Apache-2.0
#include "session/session.h"

#include "base/disk_cache.h"
#include "base/panic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *hd_version(void) {
  return HD_VERSION;
}

const char *hd_version_details(void) {
  return code_version_text();
}

const char *hd_status_text(HdStatus status) {
  switch (status) {
#define STATUS_ROW(name, value, meaning)                                       \
  case name: return meaning;
    HD_STATUS_TABLE(STATUS_ROW)
#undef STATUS_ROW
  }
  return "unknown status";
}

static const HdSessionOptions default_options = HD_SESSION_OPTIONS_INIT;

static void options_copy(HdSession *session, const HdSessionOptions *options) {
  session->options = default_options;
  if (!options)
    return;
  size_t size = options->size_bytes < sizeof(*options) ? options->size_bytes
                                                       : sizeof(*options);
  memcpy(&session->options, options, size);
}

static PassWatch watch_of(const HdSessionOptions *options) {
  PassWatch watch = {.verifies_each = options->verify_each != 0,
                     .shown = PASS_COUNT};
#ifndef NDEBUG
  watch.verifies_each = true;
#endif
  return watch;
}

static void init_lock(pthread_mutex_t *lock) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(lock, &attributes);
  pthread_mutexattr_destroy(&attributes);
}

// NULL-terminated list of strings, copied.
static const char *const *copy_list(Arena *arena, const char *const *list) {
  size_t count = 0;
  if (!list)
    return NULL;
  while (list[count])
    count++;
  const char **copy = ARENA_ARRAY(arena, const char *, count + 1);
  for (size_t i = 0; i < count; i++)
    copy[i] = arena_strdup(arena, list[i]);
  return copy;
}

static void release_session(void *session) {
  hd_session_free(session);
}

static HdStatus make_session(const HdSessionOptions *options, HdSession **out) {
  HdSession *session = calloc(1, sizeof(*session));
  if (!session)
    return HD_ERROR_MEMORY;
  atomic_init(&session->references, 1);
  init_lock(&session->lock);
  rescue_owe(release_session, session);
  options_copy(session, options);
  session->watch = watch_of(&session->options);
  session->arena = arena_new();
  arena_keep(session->arena);
  targets_init(session, &code_back_ends);
  session->options.include_dirs =
      copy_list(session->arena, session->options.include_dirs);
  session->options.defines =
      copy_list(session->arena, session->options.defines);
  if (session->options.use_disk_cache)
    session->cache_dir =
        disk_cache_dir(session->arena, session->options.cache_dir);
  rescue_paid(session);
  *out = session;
  return HD_OK;
}

HdStatus hd_session_new(const HdSessionOptions *options, HdSession **out) {
  if (out)
    *out = NULL;
  if (!out)
    return session_null(NULL, "hd_session_new");
  if (options && options->size_bytes < sizeof(size_t))
    return HD_ERROR_ARGUMENT;
  SESSION_RESCUE(NULL, NULL, HD_ERROR_MEMORY);
  return make_session(options, out);
}

void session_retain(HdSession *session) {
  int before = atomic_fetch_add(&session->references, 1);
  HD_ASSERT(before > 0); // else it is being freed
}

void hd_session_free(HdSession *session) {
  if (!session || atomic_fetch_sub(&session->references, 1) != 1)
    return;
  code_free(session);
  targets_free(session);
  arena_free(session->arena);
  free(session->owned_message);
  pthread_mutex_destroy(&session->lock);
  free(session);
}

static void unlock_session(void *lock) {
  pthread_mutex_unlock(lock);
}

void session_lock(HdSession *session) {
  pthread_mutex_lock(&session->lock);
  rescue_owe(unlock_session, &session->lock);
}

void session_unlock(HdSession *session) {
  rescue_paid(&session->lock);
  pthread_mutex_unlock(&session->lock);
}

uint64_t session_cache_limit(const HdSession *session) {
  uint64_t limit = session->options.cache_limit_bytes;
  return limit ? limit : (uint64_t)1 << 30;
}

// `owned` is malloc'd, and `message` or NULL.
static void set_message(HdSession *session, const char *message, char *owned) {
  session_lock(session);
  free(session->owned_message);
  session->message = message;
  session->owned_message = owned;
  session_unlock(session);
}

HdStatus session_no_memory(HdSession *session, HdProgram *program) {
  if (session)
    set_message(session, "out of memory", NULL);
  if (program)
    program->is_lost = true;
  return HD_ERROR_MEMORY;
}

HdStatus program_look(HdProgram *program) {
  if (!program->is_lost)
    return HD_OK;
  set_message(program->session,
              "memory ran out when this program was used: compile it again",
              NULL);
  return HD_ERROR_MEMORY;
}

HdStatus session_fail(HdSession *session, HdStatus status, const char *format,
                      ...) {
  HD_ASSERT(status != HD_OK);
  va_list args;
  va_start(args, format);
  char *message = NULL;
  if (vasprintf(&message, format, args) < 0)
    message = NULL;
  va_end(args);
  set_message(session, message ? message : "out of memory", message);
  return status;
}

HdStatus session_null(HdSession *session, const char *function) {
  return session ? session_fail(session, HD_ERROR_ARGUMENT,
                                "%s was given NULL for a required argument",
                                function)
                 : HD_ERROR_ARGUMENT;
}

const char *hd_last_message(const HdSession *session) {
  return session && session->message ? session->message : "";
}

size_t hd_message_copy(const HdSession *session, char *buffer,
                       size_t size_bytes) {
  if (buffer && size_bytes > 0)
    buffer[0] = '\0';
  if (!session)
    return 0;
  // The lock is not part of the session's value.
  HdSession *mutable_session = (HdSession *)(uintptr_t)session;
  session_lock(mutable_session);
  const char *message = hd_last_message(session);
  size_t length = strlen(message);
  if (buffer && size_bytes > 0) {
    size_t copied = length < size_bytes ? length : size_bytes - 1;
    memcpy(buffer, message, copied);
    buffer[copied] = 0;
  }
  session_unlock(mutable_session);
  return length;
}

void hd_interrupt(HdSession *session) {
  if (!session)
    return;
  __atomic_store_n(&session->interrupt, 1, __ATOMIC_RELAXED);
}
