// SPDX-License-Identifier: Apache-2.0
// If this fails, something in the session knows a kind of source by more than
// its table: kernels of a source that exists only here are found, specialised,
// printed, launched and checked. And each kind reads what is its own.
#include "session/kernel_source.h"

#include "ir/verify/verify.h"
#include "session/api_expect.h"

#include <string.h>
static const char text[] =
    "kernel void own(int n, int y[n]) grid(1) threads(32)\n"
    "{ if (rank() < n) y[rank()] += 1; }\n"
    "kernel void races(int n, int y[n]) requires(n >= 32) grid(1) threads(32)\n"
    "{ shared int s[32]; s[rank()] = n; y[rank()] = s[31 - rank()]; }\n";

static const char cuda_text[] =
    "template <class T> __global__ void k(T *x) { x[threadIdx.x] = 1; }\n"
    "int main() { k<int><<<1, 32>>>(0); }\n";

static HdProgram *program;

// ------------------------------------------------- a source of this test only
// Its kernels are those of two modules of IR, under the names "1" and "2".

static int n_specialised;
static IrModule *modules[2];

static int count(const HdProgram *of) {
  (void)of;
  return 2;
}

static const char *name_of(const HdProgram *of, int index) {
  (void)of;
  return index == 0 ? "1" : "2";
}

static bool is_open(const HdProgram *of, int index) {
  (void)of;
  return index == 1;
}

static HdStatus choose(HdProgram *of, const char **name) {
  if (*name && strcmp(*name, "two") == 0)
    *name = "2";
  else if (*name && strcmp(*name, "1") != 0)
    return session_fail(of->session, HD_ERROR_NOT_FOUND, "neither 1 nor two");
  else
    *name = "1";
  return HD_OK;
}

static IrModule *module_of(const HdProgram *of, const char *name) {
  IrModule **file = of->file;
  return file[strcmp(name, "1") == 0 ? 0 : 1];
}

static HdStatus find(HdProgram *of, const char *name, SourceKernel *out) {
  const IrModule *module = module_of(of, name);
  *out = (SourceKernel){.module = module, .ir = module->kernels.data[0]};
  return HD_OK;
}

static HdStatus specialise(HdProgram *of, const char *name,
                           const HdEmbed *embeds, int n_embeds,
                           const SpecLimits *limits, SourceForm *out) {
  (void)embeds;
  (void)limits;
  if (n_embeds > 0)
    return session_fail(of->session, HD_ERROR_LAUNCH, "it takes no values");
  n_specialised++;
  IrModule *module = module_of(of, name);
  *out = (SourceForm){.module = module, .kernel = module->kernels.data[0]};
  return HD_OK;
}

static HdStatus print(HdProgram *of, const char *kernel, Text *out) {
  (void)of;
  text_printf(out, "the tree of %s", kernel ? kernel : "all");
  return HD_OK;
}

static HdBlockSource block(const HdProgram *of, const char *name,
                           const HdEmbed *embeds, int n_embeds) {
  (void)of;
  (void)embeds;
  (void)n_embeds;
  return strcmp(name, "1") == 0 ? HD_BLOCK_LAUNCH : HD_BLOCK_BOUNDS;
}

static void file_launch(const HdProgram *of, const char *name,
                        HdFileLaunch *out) {
  (void)of;
  assert_string_equal(name, "own");
  out->has_shared = true;
  out->shared_bytes = 77;
}

static const KernelSource own_kernels = {
    .language = HD_LANGUAGE_CUDA,
    .policy = {.is_foreign = true,
               .has_flat_arrays = true,
               .words = LANGUAGE_CUDA},
    .count = count,
    .name = name_of,
    .is_open = is_open,
    .choose = choose,
    .find = find,
    .specialise = specialise,
    .print = print,
    .block = block,
    .file_launch = file_launch,
};

// The program is that of `text` as IR, read by this source.
static int begin(void **state) {
  (void)state;
  HdSessionOptions options = HD_SESSION_OPTIONS_INIT;
  HdProgram *first;
  char *one, *other;
  options.use_disk_cache = 0;
  n_specialised = 0;
  ok(hd_session_new(&options, &session));
  ok(hd_compile_text(session, "k.hd", text, sizeof text - 1, &first));
  ok(hd_dump(first, "own", NULL, 0, "ir", &one));
  ok(hd_dump(first, "races", NULL, 0, "ir", &other));
  ok(hd_compile_text(session, "k.hir", one, strlen(one), &program));
  SourceText *source =
      source_new(program->arena, "l.hir", other, strlen(other), false);
  modules[0] = program->file;
  modules[1] = ir_parse(program->arena, source, program->diags);
  assert_non_null(modules[1]);
  program->file = modules;
  program->kernels = &own_kernels;
  hd_text_free(one);
  hd_program_free(first);
  return 0;
}

static int end(void **state) {
  (void)state;
  hd_program_free(program);
  hd_session_free(session);
  return 0;
}

static void its_kernels_are_listed(void **state) {
  (void)state;
  const char *name;
  HdParamInfo param;
  assert_int_equal(hd_program_language(program), HD_LANGUAGE_CUDA);
  assert_int_equal(hd_program_kernel_count(program), 2);
  assert_string_equal(hd_program_kernel_name(program, 1), "2");
  ok(hd_program_find_kernel(program, "two", &name));
  assert_string_equal(name, "2");
  refused(hd_program_find_kernel(program, "three", &name), HD_ERROR_NOT_FOUND,
          "neither 1 nor two");
  assert_int_equal(hd_program_param_count(program, "1"), 2);
  ok(hd_program_param(program, "1", 1, &param));
  assert_string_equal(param.name, "y");
}

static void its_trees_are_printed(void **state) {
  (void)state;
  char *tree;
  ok(hd_dump(program, NULL, NULL, 0, "ast", &tree));
  assert_string_equal(tree, "the tree of all");
  hd_text_free(tree);
  ok(hd_dump(program, "1", NULL, 0, "ast", &tree));
  assert_string_equal(tree, "the tree of 1");
  hd_text_free(tree);
}

// All that aren't open.
static void its_ir_is_printed(void **state) {
  (void)state;
  char *ir;
  ok(hd_dump(program, NULL, NULL, 0, "ir", &ir));
  assert_int_equal(n_specialised, 1);
  assert_non_null(strstr(ir, "own"));
  hd_text_free(ir);
}

static void a_kernel_runs(void **state) {
  (void)state;
  HdKernel *kernel;
  HdDevice *device;
  HdBuffer *buffer;
  const HdEmbed embed = {"n", "4"};
  int64_t shape[] = {2, 4};
  int32_t data[8] = {0};
  int threads[3];
  HdFileLaunch launch;
  ok(hd_kernel_get(program, NULL, NULL, 0, &kernel));
  assert_int_equal(hd_kernel_block(kernel, threads), HD_BLOCK_LAUNCH);
  assert_int_equal(threads[0], 32);
  hd_kernel_file_launch(kernel, &launch);
  assert_int_equal(launch.shared_bytes, 77);
  ok(hd_device_open(session, "cpu", &device));
  ok(hd_buffer_new(device, HD_I32, 2, shape, &buffer));
  HdArg values[] = {HD_INT(8), HD_BUF(buffer)};
  ok(hd_kernel_launch(kernel, NULL, NULL, values, 2)); // two dimensions as one
  ok(hd_buffer_read(buffer, data, sizeof data));
  for (int i = 0; i < 8; i++)
    assert_int_equal(data[i], 1);
  hd_kernel_free(kernel);
  refused(hd_kernel_get(program, "1", &embed, 1, &kernel), HD_ERROR_LAUNCH,
          "it takes no values");
  hd_buffer_free(buffer);
  hd_device_free(device);
}

static void findings_are_in_its_words(void **state) {
  (void)state;
  HdCheck *check;
  HdFinding finding;
  int threads[3];
  ok(hd_check(program, "two", NULL, 0, NULL, &check));
  assert_int_equal(hd_check_verdict(check), HD_VERDICT_BUG);
  assert_int_equal(hd_check_block(check, threads), HD_BLOCK_BOUNDS);
  ok(hd_check_finding(check, 0, &finding));
  assert_string_equal(finding.code, "HD0601");
  if (!finding.fix || !strstr(finding.fix, "__syncthreads();"))
    fail_msg("the fix is: %s", finding.fix ? finding.fix : "none");
  hd_check_free(check);
}

// ------------------------------------------------------------ the other kinds

static void expect_kind(const char *name, const char *of, size_t length,
                        const KernelSource *kind) {
  HdProgram *read;
  ok(hd_compile_text(session, name, of, length, &read));
  assert_ptr_equal(read->kernels, kind);
  assert_int_equal(hd_program_language(read), kind->language);
  hd_program_free(read);
}

static void each_kind_reads_its_own(void **state) {
  (void)state;
  char *ir;
  program->kernels = &kernels_in_ir;
  program->file = modules[0];
  ok(hd_dump(program, "own", NULL, 0, "ir", &ir));
  expect_kind("k.hd", text, sizeof text - 1, &kernels_in_heddle);
  expect_kind("k", text, sizeof text - 1, &kernels_in_heddle);
  expect_kind("k.cu", cuda_text, sizeof cuda_text - 1, &kernels_in_cuda);
  expect_kind("k.cuh", cuda_text, sizeof cuda_text - 1, &kernels_in_cuda);
  expect_kind("k.cu", ir, strlen(ir), &kernels_in_ir);
  expect_kind("k.hd", "heddle-i", 0, &kernels_in_heddle);
  hd_text_free(ir);
}

static void ir_text_has_no_words(void **state) {
  (void)state;
  char *dumped;
  program->kernels = &kernels_in_ir;
  program->file = modules[0];
  refused(hd_dump(program, "own", NULL, 0, "ast", &dumped), HD_ERROR_ARGUMENT,
          "IR text has no ast");
  refused(hd_dump(program, "own", NULL, 0, "tokens", &dumped),
          HD_ERROR_ARGUMENT, "IR text has no tokens");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(its_kernels_are_listed),    TEST(its_trees_are_printed),
      TEST(its_ir_is_printed),         TEST(a_kernel_runs),
      TEST(findings_are_in_its_words), TEST(each_kind_reads_its_own),
      TEST(ir_text_has_no_words),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
