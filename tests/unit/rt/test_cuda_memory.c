// SPDX-License-Identifier: Apache-2.0
// Memory of a GPU and copies to and from it.
#include "cuda_setup.h"

static void memory_is_zeroed_and_aligned(void **state) {
  (void)state;
  static const uint64_t sizes[] = {1, 128, 1000, 5 << 20};
  RtDevice *device = open_cuda();
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    void *memory;
    assert_int_equal(device->ops->memory_new(device, sizes[i], &memory, &error),
                     HD_OK);
    assert_int_equal((uintptr_t)memory % 128, 0);
    char *copy = malloc(sizes[i]);
    memset(copy, 1, sizes[i]);
    assert_int_equal(
        device->ops->memory_read(device, copy, memory, sizes[i], &error),
        HD_OK);
    for (uint64_t j = 0; j < sizes[i]; j++)
      assert_int_equal(copy[j], 0);
    free(copy);
    device->ops->memory_free(device, memory);
  }
  device->ops->close(device);
}

static void no_bytes_have_an_address(void **state) {
  (void)state;
  RtDevice *device = open_cuda();
  void *memory = NULL;
  assert_int_equal(device->ops->memory_new(device, 0, &memory, &error), HD_OK);
  assert_non_null(memory);
  assert_int_equal(device->ops->memory_write(device, memory, NULL, 0, &error),
                   HD_OK);
  assert_int_equal(device->ops->memory_read(device, NULL, memory, 0, &error),
                   HD_OK);
  assert_int_equal(device->ops->memory_check(device, NULL, 0, &error), HD_OK);
  device->ops->memory_free(device, memory);
  device->ops->memory_free(device, NULL);
  device->ops->close(device);
}

// Around the sizes of pieces, where an offset would be wrong.
static void large_copies_go_in_pieces(void **state) {
  (void)state;
  static const uint64_t sizes[] = {(256 << 10) - 1, 256 << 10, 4 << 20,
                                   (4 << 20) + 1, (13 << 20) + 7};
  RtDevice *device = open_cuda();
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    uint64_t size = sizes[i];
    unsigned char *from = malloc(size), *to = malloc(size);
    void *memory;
    for (uint64_t j = 0; j < size; j++)
      from[j] = (unsigned char)(j * 7 + j / 4096);
    memset(to, 0, size);
    assert_int_equal(device->ops->memory_new(device, size, &memory, &error),
                     HD_OK);
    assert_int_equal(
        device->ops->memory_write(device, memory, from, size, &error), HD_OK);
    assert_int_equal(device->ops->memory_read(device, to, memory, size, &error),
                     HD_OK);
    assert_memory_equal(from, to, size);
    device->ops->memory_free(device, memory);
    free(from);
    free(to);
  }
  // Two buffers for each direction, kept.
  assert_int_equal(fake->calls("cuMemHostAlloc"), 4);
  device->ops->close(device);
}

static void too_much_memory_is_told_with_sizes(void **state) {
  (void)state;
  RtDevice *device = open_cuda();
  void *memory = &memory;
  assert_int_equal(
      device->ops->memory_new(device, (uint64_t)1 << 30, &memory, &error),
      HD_ERROR_MEMORY);
  assert_null(memory);
  assert_string_equal(error.text,
                      "device cuda:0 is out of memory: 1073741824 bytes were "
                      "requested, but 268435456 of 268435456 are free");
  assert_int_equal(device->ops->memory_new(device, UINT64_MAX, &memory, &error),
                   HD_ERROR_MEMORY);
  assert_int_equal(device->ops->memory_new(device, 64, &memory, &error), HD_OK);
  device->ops->memory_free(device, memory);
  device->ops->close(device);
}

static void memory_that_cannot_be_zeroed_is_freed(void **state) {
  (void)state;
  RtDevice *device = open_cuda();
  void *memory;
  fake->fail_at("cuMemsetD8Async", 1, CU_INVALID_VALUE);
  assert_int_equal(device->ops->memory_new(device, 64, &memory, &error),
                   HD_ERROR_DEVICE);
  assert_string_equal(error.text, "zeroing 64 bytes: invalid argument "
                                  "(CUDA_ERROR_INVALID_VALUE)");
  assert_null(memory);
  assert_int_equal(fake->alive(FAKE_MEMORY), 0);
  device->ops->close(device);
}

static void copies_without_pinned_memory(void **state) {
  (void)state;

  enum { SIZE = 1 << 20 };

  RtDevice *device = open_cuda();
  void *memory;
  char *bytes = calloc(1, SIZE);
  assert_int_equal(device->ops->memory_new(device, SIZE, &memory, &error),
                   HD_OK);
  fake->fail_at("cuMemHostAlloc", 2, CU_OUT_OF_MEMORY);
  assert_int_equal(
      device->ops->memory_write(device, memory, bytes, SIZE, &error),
      HD_ERROR_MEMORY);
  assert_string_equal(error.text, "copying 1048576 bytes to cuda:0: out of "
                                  "memory (CUDA_ERROR_OUT_OF_MEMORY)");
  assert_int_equal(
      device->ops->memory_write(device, memory, bytes, SIZE, &error), HD_OK);
  free(bytes);
  device->ops->memory_free(device, memory);
  device->ops->close(device);
}

static void only_own_memory_may_be_wrapped(void **state) {
  (void)state;
  fake->set("devices", 2);
  RtDevice *a = open_cuda(), *b = open_cuda(), *other;
  assert_int_equal(rt_cuda_ops.open(1, &other, &error), HD_OK);
  void *memory;
  int on_host = 0;
  assert_int_equal(a->ops->memory_new(a, 64, &memory, &error), HD_OK);
  assert_int_equal(a->ops->memory_check(a, memory, 64, &error), HD_OK);
  assert_int_equal(b->ops->memory_check(b, memory, 64, &error),
                   HD_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "was allocated in another CUDA context"));
  assert_int_equal(other->ops->memory_check(other, memory, 64, &error),
                   HD_ERROR_ARGUMENT);
  assert_non_null(
      strstr(error.text, "is memory of device cuda:0, not of cuda:1"));
  assert_int_equal(a->ops->memory_check(a, &on_host, 4, &error),
                   HD_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "it wasn't allocated with CUDA"));
  a->ops->memory_free(a, memory);
  other->ops->close(other);
  b->ops->close(b);
  a->ops->close(a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      CUDA_TEST(memory_is_zeroed_and_aligned),
      CUDA_TEST(no_bytes_have_an_address),
      CUDA_TEST(large_copies_go_in_pieces),
      CUDA_TEST(too_much_memory_is_told_with_sizes),
      CUDA_TEST(memory_that_cannot_be_zeroed_is_freed),
      CUDA_TEST(copies_without_pinned_memory),
      CUDA_TEST(only_own_memory_may_be_wrapped),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
