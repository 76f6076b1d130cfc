/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of both sides, made of the same arrays. */
#include "gpu_bench.h"

#include <stdlib.h>
#include <string.h>

void add_int(Call *call, int sides, int64_t value) {
  if (sides & FOR_HEDDLE)
    call->args[call->n_args++] = HD_INT(value);
  if (sides & FOR_PEER)
    call->peer[call->n_peer++].integer = value;
}

void add_real(Call *call, int sides, double value) {
  if (sides & FOR_HEDDLE)
    call->args[call->n_args++] = HD_FLOAT(value);
  if (sides & FOR_PEER)
    call->peer[call->n_peer++].real = value;
}

static int64_t count_of(Shape shape) {
  int64_t n = 1;
  for (int i = 0; i < shape.rank; i++)
    n *= shape.extents[i];
  return shape.element_bytes
             ? n * (int64_t)(shape.element_bytes / hd_type_size(shape.type))
             : n;
}

static HdBuffer *new_buffer(Bench *bench, Call *call, Shape shape) {
  HdBuffer *buffer = NULL;
  HdStatus status =
      shape.element_bytes
          ? hd_buffer_new_bytes(bench->device, shape.element_bytes, shape.rank,
                                shape.extents, &buffer)
          : hd_buffer_new(bench->device, shape.type, shape.rank, shape.extents,
                          &buffer);
  if (status != HD_OK) {
    call->failed = bench_complain(bench, "buffer");
    return NULL;
  }
  call->buffers[call->n_buffers++] = buffer;
  return buffer;
}

/* Random numbers where no peer can make them on the device. */
static int fill_from_host(Bench *bench, HdBuffer *buffer, Shape shape,
                          uint32_t seed, float low, float high) {
  int64_t n = count_of(shape);
  size_t size_bytes = (size_t)n * hd_type_size(shape.type);
  uint32_t *words = malloc(size_bytes + sizeof *words), state = seed * 2 + 1;
  if (!words)
    return 1;
  for (size_t i = 0; i < (size_bytes + 3) / 4; i++) {
    state = state * 1664525u + 1013904223u;
    words[i] = state ^ state >> 15;
    if (shape.type == HD_F32) {
      float value = low + (high - low) * (float)(words[i] >> 8) / (1 << 24);
      memcpy(&words[i], &value, sizeof value);
    }
  }
  HdStatus status = hd_buffer_write(buffer, words, size_bytes);
  free(words);
  return status != HD_OK && bench_complain(bench, "write");
}

static void fill(Bench *bench, Call *call, HdBuffer *buffer, Shape shape,
                 uint32_t seed, float low, float high) {
  size_t size_bytes = (size_t)count_of(shape) * hd_type_size(shape.type);
  if (!buffer)
    return;
  if (!bench->peers.find || shape.type == HD_F64 || size_bytes % 4)
    call->failed |= fill_from_host(bench, buffer, shape, seed, low, high);
  else if (shape.type == HD_F32)
    call->failed |=
        bench->peers.fill_floats(bench->cu_stream, hd_buffer_data(buffer),
                                 count_of(shape), seed, low, high);
  else
    call->failed |=
        bench->peers.fill_words(bench->cu_stream, hd_buffer_data(buffer),
                                (int64_t)size_bytes / 4, seed);
}

void add_in(Bench *bench, Call *call, Shape shape, float low, float high) {
  uint32_t seed = (uint32_t)call->n_buffers;
  HdBuffer *buffer = new_buffer(bench, call, shape);
  fill(bench, call, buffer, shape, seed, low, high);
  call->args[call->n_args++] = HD_BUF(buffer);
  if (buffer)
    call->peer[call->n_peer++].in = hd_buffer_data(buffer);
}

static void add_pair(Bench *bench, Call *call, Shape shape, HdBuffer *pair[2]) {
  pair[0] = new_buffer(bench, call, shape);
  pair[1] = new_buffer(bench, call, shape);
  call->args[call->n_args++] = HD_BUF(pair[0]);
  if (pair[1])
    call->peer[call->n_peer++].out = hd_buffer_data(pair[1]);
  if (call->n_results == 2)
    return;
  char type = shape.type == HD_F32 ? 'f' : shape.type == HD_F64 ? 'd' : 'i';
  int64_t n = count_of(shape);
  if (type == 'i') /* in words */
    n = n * (int64_t)hd_type_size(shape.type) / 4;
  call->results[call->n_results].heddle = pair[0];
  call->results[call->n_results].peer = pair[1];
  call->results[call->n_results].type = type;
  call->results[call->n_results++].n = n;
}

void add_out(Bench *bench, Call *call, Shape shape) {
  HdBuffer *pair[2];
  add_pair(bench, call, shape, pair);
}

void add_inout(Bench *bench, Call *call, Shape shape, float low, float high) {
  HdBuffer *pair[2];
  uint32_t seed = (uint32_t)call->n_buffers;
  add_pair(bench, call, shape, pair);
  for (int i = 0; i < 2; i++)
    fill(bench, call, pair[i], shape, seed, low, high);
}

HdBuffer *add_state(Bench *bench, Call *call, Shape shape) {
  HdBuffer *buffer = new_buffer(bench, call, shape);
  call->args[call->n_args++] = HD_BUF(buffer);
  return buffer;
}

Shape shape_of(HdType type, int64_t a) {
  return (Shape){type, 0, 1, {a, 1, 1}};
}

Shape shape_of_vectors(HdType type, size_t element_bytes, int64_t a) {
  return (Shape){type, element_bytes, 1, {a, 1, 1}};
}

Shape shape_of_matrix(HdType type, int64_t a, int64_t b) {
  return (Shape){type, 0, 2, {a, b, 1}};
}

int64_t embed_number(const char *embeds, const char *name, int64_t otherwise) {
  size_t length = strlen(name);
  for (const char *at = embeds; at && *at; at = strchr(at, ' ')) {
    at += *at == ' ';
    if (strncmp(at, name, length) == 0 && at[length] == '=')
      return atoll(at + length + 1);
  }
  return otherwise;
}
