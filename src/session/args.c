// SPDX-License-Identifier: Apache-2.0
// Setting arguments: conversion to the declared types, and what one argument
// says about another.
#include "session/args.h"
#include "session/kernel_source.h"

#include "ir/form/float_format.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t args_size(const HdKernel *kernel) {
  const IrKernel *ir = kernel->spec->kernel;
  return sizeof(HdArgs) + (ir->n_slots + 1) * sizeof(uint64_t) +
         ir->params.count *
             (sizeof(HdBuffer) + sizeof(HdBuffer *) + sizeof(ArgList *) +
              sizeof(const char *) + sizeof(bool));
}

// Views have no values until their buffers say so.
void args_init(HdArgs *args, HdKernel *kernel) {
  const IrKernel *ir = kernel->spec->kernel;
  size_t n = ir->params.count, n_slots = ir->n_slots + 1;
  args->kernel = kernel;
  args->ir = ir;
  args->session = kernel->program->session;
  args->slots = (uint64_t *)(args + 1);
  args->views = (HdBuffer *)(args->slots + n_slots);
  args->buffers = (HdBuffer **)(args->views + n);
  args->lists = (ArgList **)(void *)(args->buffers + n);
  args->given_by = (const char **)(void *)(args->lists + n);
  args->has_value = (bool *)(args->given_by + n);
  memset(args->slots, 0, n_slots * sizeof *args->slots);
  memset(args->buffers, 0,
         n * (sizeof *args->buffers + sizeof *args->lists +
              sizeof *args->given_by + sizeof *args->has_value));
}

HdStatus hd_args_new(HdKernel *kernel, HdArgs **out) {
  if (out)
    *out = NULL;
  if (!kernel || !out)
    return session_null(kernel ? kernel->program->session : NULL,
                        "hd_args_new");
  HdArgs *args = malloc(args_size(kernel));
  if (!args)
    return session_no_memory(kernel->program->session, NULL);
  args_init(args, kernel);
  kernel_retain(kernel);
  *out = args;
  return HD_OK;
}

static void release_view(HdArgs *args, uint32_t index) {
  if (args->lists[index])
    args_release_list(args, index);
  else if (args->buffers[index])
    memory_release(args->buffers[index]->memory);
  args->buffers[index] = NULL;
}

void args_fini(HdArgs *args) {
  for (uint32_t i = 0; i < args->ir->params.count; i++)
    release_view(args, i);
}

void hd_args_free(HdArgs *args) {
  if (!args)
    return;
  args_fini(args);
  HdKernel *kernel = args->kernel;
  free(args);
  hd_kernel_free(kernel);
}

HostScope args_scope(const HdArgs *args) {
  return (HostScope){args->ir, args->slots, args->has_value};
}

// ----------------------------------------------------------------- scalars

static HdStatus args_refuse(const HdArgs *args, const IrParam *p,
                            const char *why) {
  return session_fail(args->session, HD_ERROR_LAUNCH, "argument '%s': %s",
                      p->name, why);
}

static const char *int_type_name(const IrParam *p) {
  static const char *const names[2][4] = {
      {"unsigned char", "unsigned short", "unsigned int", "unsigned long"},
      {"signed char", "short", "int", "long"}};
  int size = p->type.kind == IR_TYPE_I8    ? 0
             : p->type.kind == IR_TYPE_I16 ? 1
             : p->type.kind == IR_TYPE_I32 ? 2
                                           : 3;
  return p->type.kind == IR_TYPE_BOOL ? "bool" : names[p->is_signed][size];
}

// The argument as an exact integer in 65 bits: sign and magnitude bits.
static bool arg_is_integer(const HdArg *value, bool *is_negative,
                           uint64_t *bits) {
  if (value->kind == HD_ARG_FLOAT) {
    double real = value->real;
    if (!(real >= -9223372036854775808.0 && real < 18446744073709551616.0) ||
        real != trunc(real))
      return false;
    *is_negative = real < 0;
    *bits = *is_negative ? (uint64_t)(int64_t)real : (uint64_t)real;
    return true;
  }
  *bits = (uint64_t)value->integer;
  *is_negative = value->kind == HD_ARG_INT && value->integer < 0;
  return true;
}

static void integer_range(const IrParam *p, int64_t *low, uint64_t *high) {
  uint32_t width = ir_type_bits(p->type);
  uint64_t all = width >= 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
  *high = p->is_signed ? all >> 1 : all;
  *low = p->is_signed ? -(int64_t)(all >> 1) - 1 : 0;
}

static HdStatus args_set_integer(HdArgs *args, const IrParam *p,
                                 const HdArg *value) {
  bool is_negative;
  uint64_t bits, high;
  int64_t low;
  if (!arg_is_integer(value, &is_negative, &bits))
    return session_fail(args->session, HD_ERROR_LAUNCH,
                        "argument '%s' is %s, but %.17g is not an integer",
                        p->name, int_type_name(p), value->real);
  integer_range(p, &low, &high);
  bool fits = is_negative ? (int64_t)bits >= low : bits <= high;
  if (!fits && is_negative)
    return session_fail(args->session, HD_ERROR_LAUNCH,
                        "argument '%s': %" PRId64 " is out of the range of %s "
                        "(%" PRId64 " to %" PRIu64 ")",
                        p->name, (int64_t)bits, int_type_name(p), low, high);
  if (!fits)
    return session_fail(args->session, HD_ERROR_LAUNCH,
                        "argument '%s': %" PRIu64 " is out of the range of %s "
                        "(%" PRId64 " to %" PRIu64 ")",
                        p->name, bits, int_type_name(p), low, high);
  args->slots[p->slot] = bits;
  return HD_OK;
}

static HdStatus set_float(HdArgs *args, const IrParam *p, const HdArg *value) {
  double real = value->kind == HD_ARG_FLOAT  ? value->real
                : value->kind == HD_ARG_UINT ? (double)(uint64_t)value->integer
                                             : (double)value->integer;
  uint64_t bits = float_bits_from_double(ir_float_format(p->type), real);
  double stored = float_bits_to_double(ir_float_format(p->type), bits);
  if (isfinite(real) && !isfinite(stored))
    return session_fail(args->session, HD_ERROR_LAUNCH,
                        "argument '%s': %.17g is too large for its type",
                        p->name, real);
  args->slots[p->slot] = bits;
  return HD_OK;
}

static HdStatus args_set_scalar(HdArgs *args, const IrParam *p,
                                const HdArg *value) {
  if (value->kind != HD_ARG_INT && value->kind != HD_ARG_UINT &&
      value->kind != HD_ARG_FLOAT)
    return args_refuse(args, p, "is a scalar: a number is needed");
  return ir_type_is_float(p->type) ? set_float(args, p, value)
                                   : args_set_integer(args, p, value);
}

static HdStatus args_set_bytes(HdArgs *args, const IrParam *p,
                               const HdArg *value) {
  uint32_t size_bytes = ir_type_size(args->ir->module, p->type);
  if (value->kind != HD_ARG_BYTES || !value->bytes)
    return args_refuse(args, p, "is a struct or vector: its bytes are needed");
  if (value->size_bytes != size_bytes)
    return session_fail(args->session, HD_ERROR_LAUNCH,
                        "argument '%s' has %u bytes, but %zu were given",
                        p->name, size_bytes, value->size_bytes);
  memcpy(&args->slots[p->slot], value->bytes, size_bytes);
  return HD_OK;
}

// ----------------------------------------------------------------- buffers

static HdStatus check_buffer_type(const HdArgs *args, const IrParam *p,
                                  const HdBuffer *buffer) {
  HdType wanted = param_element_type(p);
  if (wanted == HD_STRUCT && buffer->element_bytes != p->object->element_bytes)
    return session_fail(args->session, HD_ERROR_LAUNCH,
                        "argument '%s' has elements of %u bytes, but the given "
                        "array has elements of %zu",
                        p->name, p->object->element_bytes,
                        buffer->element_bytes);
  if (wanted != HD_STRUCT && buffer->type != wanted)
    return session_fail(
        args->session, HD_ERROR_LAUNCH,
        "argument '%s' has elements of type %s, but the given array has %s",
        p->name, hd_type_name(wanted), hd_type_name(buffer->type));
  return HD_OK;
}

// Where arrays have no dimensions, a dense one of several is one of all its
// elements.
static void flatten(HdBuffer *buffer) {
  int64_t count = 1;
  for (int i = buffer->rank - 1; i >= 0; i--) {
    if (buffer->extents[i] > 1 && buffer->strides[i] != count)
      return;
    count *= buffer->extents[i];
  }
  buffer->rank = 1;
  buffer->extents[0] = count;
  buffer->strides[0] = 1;
}

static HdStatus set_buffer(HdArgs *args, uint32_t index, const HdArg *value) {
  const IrParam *p = &args->ir->params.data[index];
  if (value->kind != HD_ARG_BUFFER || !value->buffer)
    return args_refuse(args, p, "is an array: a buffer is needed");
  HdBuffer shape = *value->buffer, *buffer = &shape;
  if (args->kernel->program->kernels->policy.has_flat_arrays &&
      p->kind == PARAM_ARRAY && p->object->rank == 1)
    flatten(buffer);
  HD_TRY(check_buffer_type(args, p, buffer));
  if (p->kind == PARAM_ARRAY && buffer->rank != p->object->rank)
    return session_fail(
        args->session, HD_ERROR_LAUNCH,
        "argument '%s' has %d dimensions, but the given array has "
        "%d",
        p->name, p->object->rank, buffer->rank);
  if (buffer->is_read_only && !p->object->is_const)
    return args_refuse(args, p,
                       "may be written, but the given tensor is read-only");
  memory_retain(buffer->memory);
  release_view(args, index);
  args->views[index] = *buffer;
  args->buffers[index] = &args->views[index];
  uint64_t *slot = &args->slots[p->slot];
  *slot = (uint64_t)(uintptr_t)buffer->data;
  for (int i = 0; p->kind == PARAM_ARRAY && i < buffer->rank; i++) {
    slot[1 + i] = (uint64_t)buffer->extents[i];
    slot[1 + buffer->rank + i] = (uint64_t)buffer->strides[i];
  }
  return HD_OK;
}

// ----------------------------------------------------------------- setting

HdStatus args_set_index(HdArgs *args, uint32_t index, const HdArg *value) {
  const IrParam *p = &args->ir->params.data[index];
  HdStatus status = HD_OK;
  switch (p->kind) {
  case PARAM_SCALAR: status = args_set_scalar(args, p, value); break;
  case PARAM_STRUCT: status = args_set_bytes(args, p, value); break;
  case PARAM_ARRAY:
  case PARAM_POINTER:
    if (p->object->is_table)
      release_view(args, index);
    status = p->object->is_table ? args_set_list(args, index, value)
                                 : set_buffer(args, index, value);
    break;
  }
  if (status == HD_OK) {
    args->has_value[index] = true;
    args->given_by[index] = NULL;
  }
  return status;
}

static HdStatus args_find_param(const HdArgs *args, const char *name,
                                uint32_t *index) {
  for (uint32_t i = 0; i < args->ir->params.count; i++) {
    if (strcmp(args->ir->params.data[i].name, name) == 0) {
      *index = i;
      return HD_OK;
    }
  }
  return session_fail(args->session, HD_ERROR_NOT_FOUND,
                      "kernel '%s' has no parameter '%s' to be given at a "
                      "launch",
                      args->ir->name, name);
}

HdStatus hd_args_set(HdArgs *args, const char *name, HdArg value) {
  if (!args || !name)
    return session_null(args ? args->session : NULL, "hd_args_set");
  uint32_t index;
  HD_TRY(args_find_param(args, name, &index));
  if (args->has_value[index])
    return session_fail(args->session, HD_ERROR_LAUNCH,
                        "argument '%s' is given twice", name);
  return args_set_index(args, index, &value);
}

HdStatus hd_args_get(HdArgs *args, const char *name, HdArg *out) {
  if (!args || !name || !out)
    return session_null(args ? args->session : NULL, "hd_args_get");
  uint32_t index;
  HD_TRY(args_find_param(args, name, &index));
  const IrParam *p = &args->ir->params.data[index];
  if (!args->has_value[index])
    return session_fail(args->session, HD_ERROR_NOT_FOUND,
                        "argument '%s' has no value yet", name);
  uint64_t bits = args->slots[p->slot];
  if (p->kind == PARAM_STRUCT)
    *out = HD_BYTES(&args->slots[p->slot],
                    ir_type_size(args->ir->module, p->type));
  else if (args->lists[index])
    *out = HD_BUFS(args->lists[index]->pointers, args->lists[index]->count);
  else if (p->kind != PARAM_SCALAR)
    *out = HD_BUF(args->buffers[index]);
  else if (ir_type_is_float(p->type))
    *out = HD_FLOAT(float_bits_to_double(ir_float_format(p->type), bits));
  else if (p->is_signed)
    *out = HD_INT(bits);
  else
    *out = HD_UINT(bits);
  return HD_OK;
}

// --------------------------------------------------------------- inference

// An extent or stride that is a plain parameter gives that parameter its
// value; everything else is compared when arguments are checked.
static HdStatus infer_one(HdArgs *args, const IrParam *array,
                          const IrHost *expression, int64_t actual) {
  if (!expression || expression->op != HOST_PARAM ||
      args->has_value[expression->number])
    return HD_OK;
  HdArg value = HD_INT(actual);
  HD_TRY(args_set_index(args, (uint32_t)expression->number, &value));
  args->given_by[expression->number] = array->name;
  return HD_OK;
}

static HdStatus infer_from(HdArgs *args, uint32_t index) {
  const IrParam *p = &args->ir->params.data[index];
  const HdBuffer *buffer = args->buffers[index];
  for (int i = 0; i < p->object->rank; i++) {
    HD_TRY(infer_one(args, p, p->object->extents[i], buffer->extents[i]));
    if (p->object->has_strides)
      HD_TRY(infer_one(args, p, p->object->strides[i], buffer->strides[i]));
  }
  return HD_OK;
}

HdStatus hd_args_infer(HdArgs *args) {
  if (!args)
    return session_null(NULL, "hd_args_infer");
  for (uint32_t i = 0; i < args->ir->params.count; i++) {
    if (args->buffers[i] && args->ir->params.data[i].kind == PARAM_ARRAY)
      HD_TRY(infer_from(args, i));
  }
  for (uint32_t i = 0; i < args->ir->params.count; i++) {
    const IrParam *p = &args->ir->params.data[i];
    bool is_value = p->kind == PARAM_SCALAR || p->kind == PARAM_STRUCT;
    if (is_value && !args->has_value[i])
      return session_fail(args->session, HD_ERROR_LAUNCH,
                          "argument '%s' of kernel '%s' is missing: give %s=…",
                          p->name, args->ir->name, p->name);
  }
  return HD_OK;
}

HdStatus args_shape(const HdArgs *args, uint32_t index, bool want_strides,
                    int64_t out[IR_MAX_RANK]) {
  const IrParam *p = &args->ir->params.data[index];
  IrHost *const *list = want_strides ? p->object->strides : p->object->extents;
  HostScope scope = args_scope(args);
  char buffer[256];
  for (int i = 0; i < p->object->rank; i++) {
    const char *what = want_strides ? "stride" : "extent";
    const char *why = list[i] ? host_eval_int(&scope, list[i], &out[i], buffer)
                              : "it is not stated";
    if (!why && out[i] < 0) {
      snprintf(buffer, sizeof buffer, "it is %" PRId64 ", which is negative",
               out[i]);
      why = buffer;
    }
    if (why)
      return session_fail(args->session, HD_ERROR_LAUNCH, "%s %d of '%s': %s%s",
                          what, i, p->name, why,
                          host_is_open(&scope, list[i] ? list[i] : &(IrHost){0})
                              ? " (give it, or an array that determines it)"
                              : "");
  }
  return HD_OK;
}

static HdStatus args_shape_of(HdArgs *args, const char *name, bool want_strides,
                              int *rank, int64_t out[8]) {
  uint32_t index;
  HD_TRY(args_find_param(args, name, &index));
  const IrParam *p = &args->ir->params.data[index];
  if (p->kind != PARAM_ARRAY)
    return args_refuse(args, p, "has no extents");
  *rank = p->object->rank;
  if (!want_strides || p->object->has_strides)
    return args_shape(args, index, want_strides, out);
  int64_t extents[IR_MAX_RANK], stride = 1;
  HD_TRY(args_shape(args, index, false, extents));
  for (int i = *rank - 1; i >= 0; i--) {
    out[i] = stride;
    if (__builtin_mul_overflow(stride, extents[i] > 0 ? extents[i] : 1,
                               &stride))
      return args_refuse(args, p,
                         "has more elements than an address can reach");
  }
  return HD_OK;
}

HdStatus hd_args_extents(HdArgs *args, const char *name, int *rank,
                         int64_t extents[8]) {
  if (!args || !name || !rank || !extents)
    return session_null(args ? args->session : NULL, "hd_args_extents");
  return args_shape_of(args, name, false, rank, extents);
}

HdStatus hd_args_strides(HdArgs *args, const char *name, int *rank,
                         int64_t strides[8]) {
  if (!args || !name || !rank || !strides)
    return session_null(args ? args->session : NULL, "hd_args_strides");
  return args_shape_of(args, name, true, rank, strides);
}
