// SPDX-License-Identifier: Apache-2.0
// Tensors of other libraries as buffers of the CPU, and buffers as tensors.
#include "session/dlpack.h"

#include "session/api_expect.h"

#include <string.h>
static HdDevice *device;
static int n_deleted;

static int begin(void **state) {
  (void)state;
  n_deleted = 0;
  ok(hd_session_new(NULL, &session));
  ok(hd_device_open(session, "cpu", &device));
  return 0;
}

static int end(void **state) {
  (void)state;
  hd_device_free(device);
  hd_session_free(session);
  return 0;
}

static void delete_plain(struct DLManagedTensor *self) {
  (void)self;
  n_deleted++;
}

static void delete_versioned(struct DLManagedTensorVersioned *self) {
  (void)self;
  n_deleted++;
}

// 3 x 4 floats with rows of 5.
static float numbers[15];
static int64_t shape[] = {3, 4}, strides[] = {5, 1};

static DlTensor rows_of_five(void) {
  for (int i = 0; i < 15; i++)
    numbers[i] = (float)i;
  return (DlTensor){.data = numbers,
                    .device = {DL_CPU, 0},
                    .ndim = 2,
                    .dtype = {DL_FLOAT, 32, 1},
                    .shape = shape,
                    .strides = strides};
}

static void a_tensor_keeps_its_strides(void **state) {
  (void)state;
  struct DLManagedTensor tensor = {rows_of_five(), NULL, delete_plain};
  HdBuffer *buffer, *view;
  float got[12];
  ok(hd_buffer_from_dlpack(device, &tensor, &buffer));
  assert_int_equal(hd_buffer_type(buffer), HD_F32);
  assert_int_equal(hd_buffer_stride(buffer, 0), 5);
  ok(hd_buffer_read(buffer, got, sizeof got));
  assert_true(got[4] == 5 && got[11] == 13);
  ok(hd_buffer_view(buffer, 5, 1, (int64_t[]){4}, NULL, &view));
  hd_buffer_free(buffer);
  assert_int_equal(n_deleted, 0); // the view is left
  hd_buffer_free(view);
  assert_int_equal(n_deleted, 1);
}

static void an_offset_and_a_scalar_are_understood(void **state) {
  (void)state;
  struct DLManagedTensor tensor = {rows_of_five(), NULL, NULL};
  HdBuffer *buffer;
  float got;
  tensor.tensor.ndim = 0;
  tensor.tensor.shape = NULL;
  tensor.tensor.strides = NULL;
  tensor.tensor.byte_offset = 7 * sizeof(float);
  ok(hd_buffer_from_dlpack(device, &tensor, &buffer));
  ok(hd_buffer_read(buffer, &got, sizeof got));
  assert_true(got == 7);
  hd_buffer_free(buffer);
}

static void wrong_tensors_stay_the_callers(void **state) {
  (void)state;
  HdBuffer *buffer;
  struct DLManagedTensor tensor = {rows_of_five(), NULL, delete_plain};
  tensor.tensor.device = (DlDevice){DL_CUDA, 3};
  refused(hd_buffer_from_dlpack(device, &tensor, &buffer), HD_ERROR_ARGUMENT,
          "on GPU 3, but a buffer of this device needs the host's memory");
  assert_null(buffer);
  tensor.tensor.device = (DlDevice){10, 0};
  refused(hd_buffer_from_dlpack(device, &tensor, &buffer), HD_ERROR_ARGUMENT,
          "DLPack's type 10");
  tensor.tensor = rows_of_five();
  tensor.tensor.dtype = (DlType){5, 64, 1}; // complex
  refused(hd_buffer_from_dlpack(device, &tensor, &buffer), HD_ERROR_ARGUMENT,
          "DLPack code 5, 64 bits, 1 lanes");
  tensor.tensor = rows_of_five();
  tensor.tensor.strides = (int64_t[]){-5, 1};
  refused(hd_buffer_from_dlpack(device, &tensor, &buffer), HD_ERROR_ARGUMENT,
          "stride -5 of dimension 0 is negative");
  tensor.tensor = rows_of_five();
  tensor.tensor.ndim = 9;
  tensor.tensor.shape = (int64_t[]){1, 1, 1, 1, 1, 1, 1, 1, 1};
  tensor.tensor.strides = NULL;
  refused(hd_buffer_from_dlpack(device, &tensor, &buffer), HD_ERROR_ARGUMENT,
          "1 to 8 dimensions");
  struct DLManagedTensorVersioned newer = {
      .major = 2, .tensor = rows_of_five(), .deleter = delete_versioned};
  refused(hd_buffer_from_dlpack_versioned(device, &newer, &buffer),
          HD_ERROR_UNSUPPORTED, "DLPack version 2.0");
  assert_int_equal(n_deleted, 0);
}

static const char kernels[] =
    "kernel void twice(int m, int n, int lda, float a[m][n] stride(lda, 1))\n"
    "    grid(m) threads(32)\n"
    "{ thread for (int j = 0; j < n; j++) a[block_index().x][j] *= 2; }\n"
    "kernel void sum(int m, int n, int lda,\n"
    "                const float a[m][n] stride(lda, 1), float s[1])\n"
    "    grid(1) threads(1)\n"
    "{ float t = 0; for (int i = 0; i < m; i++)\n"
    "    for (int j = 0; j < n; j++) t += a[i][j];\n"
    "  s[0] = t; }\n";

static void a_read_only_tensor_is_only_read(void **state) {
  (void)state;
  struct DLManagedTensorVersioned tensor = {.major = 1,
                                            .minor = 1,
                                            .deleter = delete_versioned,
                                            .flags = DL_FLAG_READ_ONLY,
                                            .tensor = rows_of_five()};
  HdBuffer *a, *s;
  HdProgram *program;
  float got;
  ok(hd_compile_text(session, "k.hd", kernels, sizeof kernels - 1, &program));
  ok(hd_buffer_from_dlpack_versioned(device, &tensor, &a));
  ok(hd_buffer_new(device, HD_F32, 1, (int64_t[]){1}, &s));
  ok(hd_launch(program, "sum", NULL, HD_INT(3), HD_INT(4), HD_INT(5), HD_BUF(a),
               HD_BUF(s), HD_END));
  ok(hd_buffer_read(s, &got, sizeof got));
  assert_true(got == 78);
  refused(hd_launch(program, "twice", NULL, HD_INT(3), HD_INT(4), HD_INT(5),
                    HD_BUF(a), HD_END),
          HD_ERROR_LAUNCH,
          "argument 'a': may be written, but the given tensor is read-only");
  refused(hd_buffer_write(a, &got, sizeof got), HD_ERROR_ARGUMENT, "read-only");
  struct DLManagedTensor *plain;
  struct DLManagedTensorVersioned *out;
  refused(hd_buffer_to_dlpack(a, &plain), HD_ERROR_ARGUMENT, "read-only");
  ok(hd_buffer_to_dlpack_versioned(a, &out));
  assert_int_equal(out->flags, DL_FLAG_READ_ONLY);
  hd_buffer_free(a);
  assert_int_equal(n_deleted, 0);
  out->deleter(out);
  assert_int_equal(n_deleted, 1);
  hd_buffer_free(s);
  hd_program_free(program);
}

static void a_buffer_becomes_a_tensor(void **state) {
  (void)state;
  HdBuffer *a, *view, *records;
  struct DLManagedTensor *tensor;
  ok(hd_buffer_new(device, HD_BF16, 2, (int64_t[]){4, 6}, &a));
  ok(hd_buffer_view(a, 1, 2, (int64_t[]){2, 3}, (int64_t[]){12, 2}, &view));
  ok(hd_buffer_to_dlpack(view, &tensor));
  const DlTensor *t = &tensor->tensor;
  assert_ptr_equal(t->data, (char *)hd_buffer_data(a) + 2);
  assert_int_equal(t->device.device_type, DL_CPU);
  assert_int_equal(t->ndim, 2);
  assert_int_equal(t->dtype.code, DL_BFLOAT);
  assert_int_equal(t->dtype.bits, 16);
  assert_int_equal(t->shape[1], 3);
  assert_int_equal(t->strides[0], 12);
  hd_buffer_free(a);
  hd_buffer_free(view);
  memset(t->data, 0xff, 2); // still there
  tensor->deleter(tensor);
  ok(hd_buffer_new_bytes(device, 12, 1, (int64_t[]){2}, &records));
  refused(hd_buffer_to_dlpack(records, &tensor), HD_ERROR_ARGUMENT, "structs");
  hd_buffer_free(records);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(a_tensor_keeps_its_strides, begin, end),
      cmocka_unit_test_setup_teardown(an_offset_and_a_scalar_are_understood,
                                      begin, end),
      cmocka_unit_test_setup_teardown(wrong_tensors_stay_the_callers, begin,
                                      end),
      cmocka_unit_test_setup_teardown(a_read_only_tensor_is_only_read, begin,
                                      end),
      cmocka_unit_test_setup_teardown(a_buffer_becomes_a_tensor, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
