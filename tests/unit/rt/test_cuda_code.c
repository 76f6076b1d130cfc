// SPDX-License-Identifier: Apache-2.0
// Kernels as PTX: their description, assembling, the cache, what is rejected.
#include "cuda_setup.h"

#include <dirent.h>
#include <unistd.h>

// A folder for a cache, emptied and removed by `remove_folder`.
static void make_folder(char path[64]) {
  snprintf(path, 64, "/tmp/heddle-cuda-XXXXXX");
  assert_non_null(mkdtemp(path));
}

// Calls `each` with every file; the number of files.
static int each_file(const char *folder, void (*each)(const char *path)) {
  DIR *dir = opendir(folder);
  int count = 0;
  for (struct dirent *item; (item = readdir(dir));) {
    char path[512];
    if (item->d_name[0] == '.')
      continue;
    snprintf(path, sizeof path, "%s/%s", folder, item->d_name);
    each(path);
    count++;
  }
  closedir(dir);
  return count;
}

static void remove_file(const char *path) {
  assert_int_equal(unlink(path), 0);
}

static void damage_file(const char *path) {
  FILE *file = fopen(path, "r+b");
  assert_non_null(file);
  fseek(file, -20, SEEK_END);
  fputc('#', file);
  fclose(file);
}

static int remove_folder(const char *path) {
  int count = each_file(path, remove_file);
  assert_int_equal(rmdir(path), 0);
  return count;
}

static void what_code_takes_is_told(void **state) {
  (void)state;
  RtDevice *device = open_cuda();
  KernelText k = plain;
  RtCodeInfo info;
  k.shared = 1024;
  fake->set("registers", 40);
  fake->set("local_bytes", 48);
  fake->set("spill_bytes", 16);
  fake->set("resident_blocks", 8);
  RtCode *code = load(device, &k);
  assert_int_equal(device->ops->code_info(device, code, &info, &error), HD_OK);
  assert_string_equal(info.name, "k");
  assert_int_equal(info.registers, 40);
  assert_int_equal(info.shared_bytes, 1024);
  assert_int_equal(info.local_bytes, 48);
  assert_int_equal(info.spill_bytes, 16);
  assert_int_equal(info.resident_blocks, 8);
  assert_int_equal(info.resident_threads, 1024);
  assert_int_equal(info.most_threads, 2048);
  assert_true(info.assemble_ms > 0);
  device->ops->code_free(device, code);
  device->ops->code_free(device, NULL);
  device->ops->close(device);
}

static void the_same_text_is_loaded_once(void **state) {
  (void)state;
  RtDevice *device = open_cuda();
  KernelText other = plain;
  other.name = "other";
  RtCode *a = load(device, &plain), *b = load(device, &plain);
  RtCode *c = load(device, &other);
  assert_ptr_equal(a, b);
  assert_ptr_not_equal(a, c);
  device->ops->code_free(device, a);
  device->ops->code_free(device, b);
  device->ops->code_free(device, c);
  assert_int_equal(fake->alive(FAKE_MODULE), 2);
  assert_ptr_equal(load(device, &plain), a);
  RtCodeInfo info;
  assert_int_equal(device->ops->code_info(device, a, &info, &error), HD_OK);
  assert_true(info.assemble_ms == 0); // not loaded again
  device->ops->code_free(device, a);
  device->ops->close(device);
}

static void code_that_nobody_has_is_forgotten_in_the_end(void **state) {
  (void)state;
  RtDevice *device = open_cuda();
  for (int i = 0; i < 100; i++) {
    char name[16];
    KernelText other = plain;
    snprintf(name, sizeof name, "k%d", i);
    other.name = name;
    device->ops->code_free(device, load(device, &other));
    assert_int_equal(fake->alive(FAKE_MODULE), i < 16 ? i + 1 : 16);
  }
  device->ops->close(device);
  assert_int_equal(fake->alive(FAKE_MODULE), 0);
}

static RtCode *load_through(RtDevice *device, const char *folder,
                            bool *is_cached) {
  RtCode *code = NULL;
  RtCodeInfo info;
  assert_int_equal(load_kernel(device, &plain, folder, &code), HD_OK);
  assert_int_equal(device->ops->code_info(device, code, &info, &error), HD_OK);
  *is_cached = info.assemble_ms == 0;
  return code;
}

static void assembled_code_is_kept_on_disk(void **state) {
  (void)state;
  char folder[64];
  bool is_cached;
  RtCodeInfo info;
  make_folder(folder);
  fake->set("spill_bytes", 24);
  RtDevice *device = open_cuda();
  device->ops->code_free(device, load_through(device, folder, &is_cached));
  assert_false(is_cached);
  assert_int_equal(fake->calls("cuLinkComplete"), 1);
  device->ops->close(device); // it keeps code itself, too
  device = open_cuda();
  RtCode *code = load_through(device, folder, &is_cached);
  assert_true(is_cached);
  assert_int_equal(fake->calls("cuLinkComplete"), 1);
  assert_int_equal(device->ops->code_info(device, code, &info, &error), HD_OK);
  assert_int_equal(info.spill_bytes, 24);
  device->ops->code_free(device, code);
  device->ops->close(device);
  // An entry that was damaged is made again.
  device = open_cuda();
  assert_int_equal(each_file(folder, damage_file), 1);
  device->ops->code_free(device, load_through(device, folder, &is_cached));
  assert_false(is_cached);
  device->ops->close(device);
  // Another driver, or another device, has code of its own.
  fake->set("version", 13010);
  device = open_cuda();
  device->ops->code_free(device, load_through(device, folder, &is_cached));
  assert_false(is_cached);
  device->ops->close(device);
  assert_int_equal(remove_folder(folder), 2);
}

static void a_cache_that_cannot_be_written_costs_nothing_else(void **state) {
  (void)state;
  RtDevice *device = open_cuda();
  RtCode *code = NULL;
  assert_int_equal(load_kernel(device, &plain, "/proc/nowhere", &code), HD_OK);
  device->ops->code_free(device, code);
  device->ops->close(device);
}

static void rejected_text_is_kept_for_the_report(void **state) {
  (void)state;
  char folder[64];
  make_folder(folder);
  RtDevice *device = open_cuda();
  KernelText k = plain;
  RtCode *code = NULL;
  k.body = "nonsense";
  assert_int_equal(load_kernel(device, &k, folder, &code), HD_ERROR_DEVICE);
  assert_null(code);
  char expected[512];
  snprintf(expected, sizeof expected,
           "the NVIDIA driver with CUDA 13.0 rejects the code of kernel 'k': a "
           "PTX JIT compilation failed (CUDA_ERROR_INVALID_PTX). This is an "
           "error of Heddle, please report it with the file %s/rejected-",
           folder);
  assert_memory_equal(error.text, expected, strlen(expected));
  assert_non_null(strstr(error.text, "\nptxas heddle.ptx, line 14; error: "
                                     "Parsing error near 'nonsense'"));
  char path[256], kept[4096], text[4096];
  const char *start = strstr(error.text, folder);
  snprintf(path, sizeof path, "%.*s", (int)strcspn(start, "\n"), start);
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  size_t length = fread(kept, 1, sizeof kept - 1, file);
  kept[length] = 0;
  fclose(file);
  assert_string_equal(kept, kernel_text(&k, text));
  assert_int_equal(fake->alive(FAKE_LINK), 0);
  device->ops->close(device);
  assert_int_equal(remove_folder(folder), 1);
}

static void a_driver_without_compiler_is_no_error_of_ours(void **state) {
  (void)state;
  RtDevice *device = open_cuda();
  RtCode *code;
  fake->fail_at("cuLinkAddData_v2", 1, CU_NO_COMPILER);
  assert_int_equal(load_kernel(device, &plain, NULL, &code),
                   HD_ERROR_UNSUPPORTED);
  assert_string_equal(
      error.text, "kernel 'k' (PTX 8.6, sm_90a) can't be assembled by the "
                  "NVIDIA driver with CUDA 13.0: PTX JIT compiler library not "
                  "found (CUDA_ERROR_JIT_COMPILER_NOT_FOUND)");
  device->ops->close(device);
}

static void code_that_cannot_be_loaded_leaves_nothing(void **state) {
  (void)state;
  static const char *const functions[] = {
      "cuLinkCreate_v2", "cuLinkComplete", "cuModuleLoadData",
      "cuModuleGetFunction", "cuFuncGetAttribute"};
  RtDevice *device = open_cuda();
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    RtCode *code;
    fake->fail_at(functions[i], 1, CU_OUT_OF_MEMORY);
    assert_int_equal(load_kernel(device, &plain, NULL, &code), HD_ERROR_MEMORY);
    assert_null(code);
    assert_int_equal(fake->alive(FAKE_MODULE), 0);
    assert_int_equal(fake->alive(FAKE_LINK), 0);
  }
  device->ops->close(device);
}

static void a_newer_version_of_ptx_names_both(void **state) {
  (void)state;
  fake->set("version", 12040);
  RtDevice *device = open_cuda();
  RtCode *code;
  assert_int_equal(load_kernel(device, &plain, NULL, &code),
                   HD_ERROR_UNSUPPORTED);
  assert_string_equal(
      error.text,
      "the NVIDIA driver is too old: it has CUDA 12.4, and "
      "kernel 'k' (PTX 8.6) needs at least CUDA 12.7. Install 565 or newer");
  KernelText k = plain;
  k.version = "8.4";
  device->ops->code_free(device, load(device, &k));
  device->ops->close(device);
}

static void code_runs_on_the_devices_it_is_for(void **state) {
  (void)state;

  static const struct {
    const char *target;
    int major, minor;
    bool runs;
  } rows[] = {{"sm_80", 9, 0, true},    {"sm_80", 8, 0, true},
              {"sm_90", 8, 9, false},   {"sm_90a", 9, 0, true},
              {"sm_90a", 10, 0, false}, {"sm_100f", 10, 3, true},
              {"sm_100f", 12, 0, false}};

  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    KernelText k = plain;
    RtCode *code;
    k.target = rows[i].target;
    fake->set("major", rows[i].major);
    fake->set("minor", rows[i].minor);
    RtDevice *device = open_cuda();
    HdStatus status = load_kernel(device, &k, NULL, &code);
    assert_int_equal(status, rows[i].runs ? HD_OK : HD_ERROR_UNSUPPORTED);
    device->ops->code_free(device, code);
    device->ops->close(device);
  }
  assert_string_equal(error.text,
                      "kernel 'k' was compiled for sm_100f; device cuda:0 "
                      "(Fake GPU 0) has compute capability 12.0");
}

// A line of the header, and what is said of it.
static void a_header_that_is_wrong_is_told_by_line(void **state) {
  (void)state;

  static const struct {
    const char *from, *to, *message;
    HdStatus status;
  } rows[] = {
      {"heddle-cuda 2", "heddle-cuda 99",
       "the kernel was compiled for runtime ABI 99 of GPUs, but this is 2: "
       "compile "
       "it again",
       HD_ERROR_UNSUPPORTED},
      {"heddle-cuda 2", "something",
       "line 1 of the PTX, which describes the launch: 'heddle-cuda' was "
       "expected",
       HD_ERROR_ARGUMENT},
      {"kernel k", "kernel",
       "line 2 of the PTX, which describes the launch: a "
       "name is missing",
       HD_ERROR_ARGUMENT},
      {"entry k$", "entry",
       "line 3 of the PTX, which describes the launch: a name is missing",
       HD_ERROR_ARGUMENT},
      {"sm_90a\n// s", "sm_x\n// s",
       "line 4 of the PTX, which describes the launch: 'sm_' and a number were "
       "expected",
       HD_ERROR_ARGUMENT},
      {"slots 0", "slots 0 1",
       "line 5 of the PTX, which describes the launch: ' 1' is unexpected",
       HD_ERROR_ARGUMENT},
      {"slots 0", "slots 99999999999999999999",
       "line 5 of the PTX, which describes the launch: a number is larger than "
       "65536",
       HD_ERROR_ARGUMENT},
      {"block 64 2 1", "block 64 2",
       "line 7 of the PTX, which describes the launch: a number is missing",
       HD_ERROR_ARGUMENT},
      {"block 64 2 1", "block 64 0 1",
       "line 11 of the PTX, which describes the launch: a block has no threads",
       HD_ERROR_ARGUMENT},
      {"// flags 0\n", "",
       "line 10 of the PTX, which describes the launch: 'flags' was expected",
       HD_ERROR_ARGUMENT},
      {"loc 1 k", "loc 0 k",
       "line 13 of the PTX, which describes the launch: number 0 occurs twice",
       HD_ERROR_ARGUMENT},
      {"loc 1 k.hd:3:5", "loc 1",
       "line 13 of the PTX, which describes the launch: a text is missing",
       HD_ERROR_ARGUMENT},
      {"loc 1", "lock 1",
       "line 13 of the PTX, which describes the launch: 'map', 'loc', 'text' "
       "or "
       "'end' was expected",
       HD_ERROR_ARGUMENT},
      {"loc 1 k.hd:3:5", "map a 0 2 7 0 8 8",
       "line 13 of the PTX, which describes the launch: 'a' lies after the 0 "
       "argument slots",
       HD_ERROR_ARGUMENT},
      {"// end\n", "",
       "line 15 of the PTX, which describes the launch: the header ends before "
       "'// end'",
       HD_ERROR_ARGUMENT},
      {".version 8.6", "",
       "line 15 of the PTX, which describes the launch: no .version directive "
       "follows",
       HD_ERROR_ARGUMENT},
  };

  RtDevice *device = open_cuda();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[4096], wrong[4096];
    kernel_text(&plain, text);
    const char *at = strstr(text, rows[i].from);
    assert_non_null(at);
    snprintf(wrong, sizeof wrong, "%.*s%s%s", (int)(at - text), text,
             rows[i].to, at + strlen(rows[i].from));
    RtSource source = {.text = wrong, .size_bytes = strlen(wrong)};
    RtCode *code;
    assert_int_equal(device->ops->code_load(device, &source, &code, &error),
                     rows[i].status);
    assert_string_equal(error.text, rows[i].message);
  }
  device->ops->close(device);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      CUDA_TEST(what_code_takes_is_told),
      CUDA_TEST(the_same_text_is_loaded_once),
      CUDA_TEST(code_that_nobody_has_is_forgotten_in_the_end),
      CUDA_TEST(assembled_code_is_kept_on_disk),
      CUDA_TEST(a_cache_that_cannot_be_written_costs_nothing_else),
      CUDA_TEST(rejected_text_is_kept_for_the_report),
      CUDA_TEST(a_driver_without_compiler_is_no_error_of_ours),
      CUDA_TEST(code_that_cannot_be_loaded_leaves_nothing),
      CUDA_TEST(a_newer_version_of_ptx_names_both),
      CUDA_TEST(code_runs_on_the_devices_it_is_for),
      CUDA_TEST(a_header_that_is_wrong_is_told_by_line),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
