// SPDX-License-Identifier: Apache-2.0
// What must hold of arguments before a launch: shapes, alignment, overlap,
// requires.
#include "session/args.h"
#include "session/kernel_source.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const IrParam *args_check_param_of(const HdArgs *args, uint32_t index) {
  return &args->ir->params.data[index];
}

static bool args_check_is_array(const IrParam *p) {
  return p->kind == PARAM_ARRAY;
}

static bool is_memory(const IrParam *p) {
  return p->kind == PARAM_ARRAY || p->kind == PARAM_POINTER;
}

// ------------------------------------------------------------------ shapes

// " (n is 5, from 'x')" for an extent that is a parameter inferred elsewhere.
static const char *origin_text(const HdArgs *args, const IrHost *expression,
                               char text[160]) {
  text[0] = 0;
  if (expression && expression->op == HOST_PARAM &&
      args->given_by[expression->number])
    snprintf(text, 160, " (%s comes from '%s')",
             args_check_param_of(args, (uint32_t)expression->number)->name,
             args->given_by[expression->number]);
  return text;
}

static HdStatus check_dense(const HdArgs *args, uint32_t index,
                            const int64_t *extents) {
  const HdBuffer *buffer = args->buffers[index];
  int64_t stride = 1;
  for (int i = buffer->rank - 1; i >= 0; i--) {
    if (extents[i] > 1 && buffer->strides[i] != stride)
      return session_fail(args->session, HD_ERROR_LAUNCH,
                          "argument '%s': stride %d is %" PRId64
                          ", but a dense array has %" PRId64,
                          args_check_param_of(args, index)->name, i,
                          buffer->strides[i], stride);
    stride *= extents[i] > 0 ? extents[i] : 1;
  }
  return HD_OK;
}

// Positive and non-overlapping where written; 0 is allowed for reading.
static HdStatus args_check_strides(const HdArgs *args, uint32_t index,
                                   const int64_t *strides) {
  const IrParam *p = args_check_param_of(args, index);
  const HdBuffer *buffer = args->buffers[index];
  char text[160];
  for (int i = 0; i < buffer->rank; i++) {
    if (buffer->extents[i] > 1 && buffer->strides[i] != strides[i])
      return session_fail(args->session, HD_ERROR_LAUNCH,
                          "argument '%s': stride %d is %" PRId64
                          ", but the kernel states %" PRId64 "%s",
                          p->name, i, buffer->strides[i], strides[i],
                          origin_text(args, p->object->strides[i], text));
    if (!p->object->is_const && buffer->extents[i] > 1 && strides[i] == 0)
      return session_fail(args->session, HD_ERROR_LAUNCH,
                          "argument '%s': stride %d is 0, but the array is "
                          "written",
                          p->name, i);
  }
  return HD_OK;
}

// Elements of different subscripts must be different places: sorted by stride,
// each must reach beyond all that the smaller ones span.
static HdStatus check_no_self_overlap(const HdArgs *args, uint32_t index) {
  const IrParam *p = args_check_param_of(args, index);
  const HdBuffer *b = args->buffers[index];
  int order[8];
  for (int i = 0; i < b->rank; i++) {
    int k = i;
    for (; k > 0 && b->strides[order[k - 1]] > b->strides[i]; k--)
      order[k] = order[k - 1];
    order[k] = i;
  }
  int64_t span = 1;
  for (int i = 0; i < b->rank; i++) {
    int64_t extent = b->extents[order[i]], stride = b->strides[order[i]];
    if (extent > 1 && stride < span)
      return session_fail(args->session, HD_ERROR_LAUNCH,
                          "argument '%s' is written, but its elements overlap: "
                          "stride %d is %" PRId64 ", smaller than the %" PRId64
                          " elements inside",
                          p->name, order[i], stride, span);
    if (extent > 1)
      span += (extent - 1) * stride;
  }
  return HD_OK;
}

// Where an extent says how many elements there are at least.
static void fit_extent(const HdArgs *args, uint32_t index, int64_t extent) {
  HdBuffer *buffer = args->buffers[index];
  if (!args->kernel->program->kernels->policy.has_flat_arrays ||
      buffer->rank != 1 || buffer->extents[0] <= extent)
    return;
  buffer->extents[0] = extent;
  args->slots[args_check_param_of(args, index)->slot + 1] = (uint64_t)extent;
}

static HdStatus args_check_array(const HdArgs *args, uint32_t index) {
  const IrParam *p = args_check_param_of(args, index);
  const HdBuffer *buffer = args->buffers[index];
  int64_t extents[IR_MAX_RANK], strides[IR_MAX_RANK];
  HD_TRY(args_shape(args, index, false, extents));
  fit_extent(args, index, extents[0]);
  char text[160];
  for (int i = 0; i < buffer->rank; i++) {
    if (buffer->extents[i] != extents[i] && i == 0 && p->object->is_table)
      return session_fail(args->session, HD_ERROR_LAUNCH,
                          "argument '%s': a list of %" PRId64
                          " buffers, but the kernel states %" PRId64 "%s",
                          p->name, buffer->extents[i], extents[i],
                          origin_text(args, p->object->extents[i], text));
    if (buffer->extents[i] != extents[i])
      return session_fail(args->session, HD_ERROR_LAUNCH,
                          "argument '%s': extent %d is %" PRId64
                          ", but the kernel states %" PRId64 "%s",
                          p->name, i, buffer->extents[i], extents[i],
                          origin_text(args, p->object->extents[i], text));
  }
  if (p->object->is_table)
    return HD_OK; // args_set_list looked at the strides
  if (!p->object->has_strides)
    return check_dense(args, index, extents);
  HD_TRY(args_shape(args, index, true, strides));
  HD_TRY(args_check_strides(args, index, strides));
  return p->object->is_const ? HD_OK : check_no_self_overlap(args, index);
}

static HdStatus args_check_alignment(const HdArgs *args, uint32_t index) {
  const IrParam *p = args_check_param_of(args, index);
  uint32_t align = p->object->align_bytes ? p->object->align_bytes : 1;
  for (uint32_t i = 0; i < args_buffer_count(args, index); i++) {
    const char *data = args_buffer(args, index, i)->data;
    if ((uintptr_t)data % align != 0)
      return session_fail(args->session, HD_ERROR_LAUNCH,
                          "argument '%s' begins at %p, which is not a multiple "
                          "of %u bytes",
                          p->name, (const void *)data, align);
  }
  return HD_OK;
}

// ----------------------------------------------------------------- overlap

int64_t buffer_span(const HdBuffer *buffer) {
  int64_t last = 0;
  for (int i = 0; i < buffer->rank; i++) {
    if (buffer->extents[i] == 0)
      return 0;
    last += (buffer->extents[i] - 1) * buffer->strides[i];
  }
  return last + 1;
}

bool buffers_overlap(const HdBuffer *a, const HdBuffer *b) {
  uint64_t a_bytes = (uint64_t)buffer_span(a) * a->element_bytes;
  uint64_t b_bytes = (uint64_t)buffer_span(b) * b->element_bytes;
  uintptr_t a_start = (uintptr_t)a->data, b_start = (uintptr_t)b->data;
  return a_start < b_start + b_bytes && b_start < a_start + a_bytes &&
         a_bytes > 0 && b_bytes > 0;
}

static bool may_alias(const IrKernel *kernel, const IrObject *a,
                      const IrObject *b) {
  bool is_open = (a->is_plain_pointer || b->is_plain_pointer) &&
                 !a->is_restrict && !b->is_restrict;
  if (is_open || (a->is_const && b->is_const))
    return true;
  for (uint32_t i = 0; i < kernel->may_alias.count; i++) {
    IrAliasPair pair = kernel->may_alias.data[i];
    if ((pair.a == a && pair.b == b) || (pair.a == b && pair.b == a))
      return true;
  }
  return false;
}

static bool args_overlap(const HdArgs *args, uint32_t a, uint32_t b) {
  for (uint32_t i = 0; i < args_buffer_count(args, a); i++)
    for (uint32_t k = 0; k < args_buffer_count(args, b); k++)
      if (buffers_overlap(args_buffer(args, a, i), args_buffer(args, b, k)))
        return true;
  return false;
}

static HdStatus check_overlap(const HdArgs *args, uint32_t a) {
  for (uint32_t b = 0; b < a; b++) {
    const IrParam *pa = args_check_param_of(args, a),
                  *pb = args_check_param_of(args, b);
    if (is_memory(pb) && !may_alias(args->ir, pa->object, pb->object) &&
        args_overlap(args, a, b))
      return session_fail(args->session, HD_ERROR_LAUNCH,
                          "arguments '%s' and '%s' overlap in memory and one "
                          "is written; the kernel %s may_alias(%s, %s)",
                          pb->name, pa->name,
                          pa->object->is_restrict || pb->object->is_restrict
                              ? "has restrict pointers and no"
                              : "does not state",
                          pb->name, pa->name);
  }
  return HD_OK;
}

// ---------------------------------------------------------------- requires

static void args_check_add_values(const HdArgs *args, const IrHost *x,
                                  Text *text, bool *seen) {
  if (x->op == HOST_PARAM && !seen[x->number]) {
    const IrParam *p = args_check_param_of(args, (uint32_t)x->number);
    HostScope scope = args_scope(args);
    HostValue value;
    char buffer[256];
    seen[x->number] = true;
    if (host_eval(&scope, x, &value, buffer))
      return;
    text_add(text, text->length ? ", " : "");
    if (value.is_float)
      text_printf(text, "%s = %.9g", p->name, value.real);
    else
      text_printf(text, "%s = %" PRId64, p->name, value.integer);
  }
  for (int i = 0; i < x->n_args; i++) {
    if (x->args[i])
      args_check_add_values(args, x->args[i], text, seen);
  }
}

static HdStatus refuse_require(const HdArgs *args, const IrRequire *require,
                               const char *why) {
  Arena *arena = arena_new();
  bool *seen = ARENA_ARRAY(arena, bool, args->ir->params.count + 1);
  Text values = {.arena = arena};
  args_check_add_values(args, require->condition, &values, seen);
  const char *place = ir_loc_text(args->ir->module, require->loc, arena);
  HdStatus status =
      session_fail(args->session, HD_ERROR_LAUNCH,
                   "kernel '%s' requires %s (%s), which %s%s%s", args->ir->name,
                   require->text, place, why, values.length ? " for " : "",
                   text_cstr(&values));
  arena_free(arena);
  return status;
}

static HdStatus args_check_requires(const HdArgs *args) {
  HostScope scope = args_scope(args);
  for (uint32_t i = 0; i < args->ir->requirements.count; i++) {
    const IrRequire *require = &args->ir->requirements.data[i];
    HostValue value;
    char buffer[256];
    if (require->kind != REQUIRE_HOST)
      continue;
    const char *why = host_eval(&scope, require->condition, &value, buffer);
    if (why)
      return refuse_require(args, require, why);
    if (value.is_float ? value.real == 0 : value.integer == 0)
      return refuse_require(args, require, "is false");
  }
  return HD_OK;
}

HdStatus args_check(const HdArgs *args) {
  for (uint32_t i = 0; i < args->ir->params.count; i++) {
    const IrParam *p = args_check_param_of(args, i);
    if (!args->has_value[i])
      return session_fail(args->session, HD_ERROR_LAUNCH,
                          "argument '%s' of kernel '%s' is missing", p->name,
                          args->ir->name);
  }
  for (uint32_t i = 0; i < args->ir->params.count; i++) {
    if (!is_memory(args_check_param_of(args, i)))
      continue;
    if (args_check_is_array(args_check_param_of(args, i)))
      HD_TRY(args_check_array(args, i));
    HD_TRY(args_check_alignment(args, i));
    HD_TRY(check_overlap(args, i));
  }
  HD_TRY(args_check_members(args));
  return args_check_requires(args);
}
