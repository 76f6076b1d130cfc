// SPDX-License-Identifier: Apache-2.0
// Arguments that are lists of buffers, for arrays of arrays: `T (*a[n])[M]`.
#include "session/args.h"
#include "session/kernel_source.h"

#include <inttypes.h>
#include <stdlib.h>

uint32_t args_buffer_count(const HdArgs *args, uint32_t index) {
  return args->lists[index] ? args->lists[index]->count
                            : args->buffers[index] != NULL;
}

const HdBuffer *args_buffer(const HdArgs *args, uint32_t index, uint32_t i) {
  return args->lists[index] ? &args->lists[index]->members[i]
                            : args->buffers[index];
}

void args_release_list(HdArgs *args, uint32_t index) {
  ArgList *list = args->lists[index];
  for (uint32_t i = 0; list && i < list->count; i++)
    memory_release(list->members[i].memory);
  free(list);
  args->lists[index] = NULL;
  args->buffers[index] = NULL;
}

// ---------------------------------------------------------------- members

static HdStatus check_member_type(const HdArgs *args, const IrParam *p,
                                  const HdBuffer *buffer, uint32_t i) {
  HdType wanted = param_element_type(p);
  bool is_same = wanted == HD_STRUCT
                     ? buffer->element_bytes == p->object->element_bytes
                     : buffer->type == wanted;
  if (is_same)
    return HD_OK;
  return session_fail(args->session, HD_ERROR_LAUNCH,
                      "argument '%s': buffer %u has elements of type %s, but "
                      "the arrays have %s",
                      p->name, i, hd_type_name(buffer->type),
                      hd_type_name(wanted));
}

static HdStatus check_member_shape(const HdArgs *args, const IrParam *p,
                                   const HdBuffer *buffer,
                                   const HdBuffer *first, uint32_t i) {
  int64_t stride = 1;
  if (buffer->rank != p->object->rank - 1)
    return session_fail(args->session, HD_ERROR_LAUNCH,
                        "argument '%s': buffer %u has %d dimension%s, but each "
                        "of the arrays has %d",
                        p->name, i, buffer->rank, text_plural(buffer->rank),
                        p->object->rank - 1);
  for (int k = buffer->rank - 1; k >= 0; k--) {
    int64_t extent = buffer->extents[k];
    if (extent != first->extents[k])
      return session_fail(args->session, HD_ERROR_LAUNCH,
                          "argument '%s': extent %d of buffer %u is %" PRId64
                          ", but that of buffer 0 is %" PRId64,
                          p->name, k, i, extent, first->extents[k]);
    if (extent > 1 && buffer->strides[k] != stride)
      return session_fail(args->session, HD_ERROR_LAUNCH,
                          "argument '%s': stride %d of buffer %u is %" PRId64
                          ", but a dense array has %" PRId64,
                          p->name, k, i, buffer->strides[k], stride);
    stride *= extent > 0 ? extent : 1;
  }
  return HD_OK;
}

static HdStatus check_member(const HdArgs *args, const IrParam *p,
                             HdBuffer *const *buffers, uint32_t i) {
  const HdBuffer *buffer = buffers[i];
  if (!buffer)
    return session_fail(args->session, HD_ERROR_LAUNCH,
                        "argument '%s': buffer %u is NULL", p->name, i);
  if (buffer->memory->device != buffers[0]->memory->device)
    return session_fail(args->session, HD_ERROR_LAUNCH,
                        "argument '%s': buffer %u is on another device than "
                        "buffer 0",
                        p->name, i);
  if (buffer->is_read_only && !p->object->is_const)
    return session_fail(args->session, HD_ERROR_LAUNCH,
                        "argument '%s': buffer %u is read-only, but may be "
                        "written",
                        p->name, i);
  HD_TRY(check_member_type(args, p, buffer, i));
  return check_member_shape(args, p, buffer, buffers[0], i);
}

// ---------------------------------------------------------------- setting

static ArgList *args_list_new(HdBuffer *const *buffers, uint32_t count) {
  size_t each = sizeof(HdBuffer) + sizeof(HdBuffer *);
  ArgList *list = calloc(1, sizeof *list + count * each);
  if (!list)
    return NULL;
  list->count = count;
  list->members = (HdBuffer *)(void *)(list + 1);
  list->pointers = (HdBuffer **)(void *)(list->members + count);
  for (uint32_t i = 0; i < count; i++) {
    list->members[i] = *buffers[i];
    list->pointers[i] = &list->members[i];
    memory_retain(buffers[i]->memory);
  }
  return list;
}

// An array of as many arrays as the list has. Where its members are, the
// launch says.
static void describe_list(HdArgs *args, uint32_t index) {
  const IrParam *p = &args->ir->params.data[index];
  const ArgList *list = args->lists[index];
  HdBuffer *all = &args->views[index];
  uint64_t *slot = &args->slots[p->slot];
  *all = list->members[0];
  all->rank = p->object->rank;
  all->extents[0] = list->count;
  all->strides[0] = 0;
  slot[0] = 0;
  for (int i = 0; i < all->rank; i++) {
    if (i > 0) {
      all->extents[i] = list->members[0].extents[i - 1];
      all->strides[i] = list->members[0].strides[i - 1];
    }
    slot[1 + i] = (uint64_t)all->extents[i];
    slot[1 + all->rank + i] = (uint64_t)all->strides[i];
  }
  args->buffers[index] = all;
}

HdStatus args_set_list(HdArgs *args, uint32_t index, const HdArg *value) {
  enum { MOST = 1 << 20 };

  const IrParam *p = &args->ir->params.data[index];
  HdBuffer *const *buffers = (HdBuffer *const *)value->bytes;
  if (value->kind != HD_ARG_BUFFERS || !buffers)
    return session_fail(args->session, HD_ERROR_LAUNCH,
                        "argument '%s': is an array of arrays: a list of "
                        "buffers is needed",
                        p->name);
  if (value->integer < 1 || value->integer > MOST)
    return session_fail(args->session, HD_ERROR_LAUNCH,
                        "argument '%s': a list has 1 to %d buffers, not "
                        "%" PRId64,
                        p->name, MOST, value->integer);
  uint32_t count = (uint32_t)value->integer;
  if (!buffers[0])
    return session_fail(args->session, HD_ERROR_LAUNCH,
                        "argument '%s': buffer 0 is NULL", p->name);
  for (uint32_t i = 0; i < count; i++)
    HD_TRY(check_member(args, p, buffers, i));
  args->lists[index] = args_list_new(buffers, count);
  if (!args->lists[index])
    return session_no_memory(args->session, NULL);
  describe_list(args, index);
  return HD_OK;
}

// ---------------------------------------------------------------- disjoint

static bool members_are_apart(const ArgList *list, uint32_t *a, uint32_t *b) {
  for (*a = 0; *a < list->count; ++*a)
    for (*b = 0; *b < *a; ++*b)
      if (buffers_overlap(&list->members[*a], &list->members[*b]))
        return false;
  return true;
}

static HdStatus check_required(const HdArgs *args, const IrRequire *require,
                               const IrHost *x) {
  if (x->op == HOST_LOGICAL_AND) {
    HD_TRY(check_required(args, require, x->args[0]));
    return check_required(args, require, x->args[1]);
  }
  if (x->op != HOST_DISJOINT || x->object != x->other)
    return HD_OK;
  const ArgList *list = args->lists[x->object->param];
  uint32_t a, b;
  if (!list || members_are_apart(list, &a, &b))
    return HD_OK;
  return session_fail(args->session, HD_ERROR_LAUNCH,
                      "kernel '%s' requires %s, which is false: buffers %u and "
                      "%u of '%s' overlap in memory",
                      args->ir->name, require->text, b, a, x->object->name);
}

HdStatus args_check_members(const HdArgs *args) {
  for (uint32_t i = 0; i < args->ir->requirements.count; i++) {
    const IrRequire *require = &args->ir->requirements.data[i];
    if (require->condition)
      HD_TRY(check_required(args, require, require->condition));
  }
  return HD_OK;
}
