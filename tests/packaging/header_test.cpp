// SPDX-License-Identifier: Apache-2.0
// All macros and option structs of the header from C++, and a launch.
#include <heddle/heddle.h>

#include <cstdio>
#include <cstring>

static int fail(const HdSession *session) {
  std::printf("%s\n", hd_last_message(session));
  return 1;
}

int main() {
  HdSessionOptions options = HD_SESSION_OPTIONS_INIT;
  HdCheckOptions rules = HD_CHECK_OPTIONS_INIT;
  HdConvertOptions convert = HD_CONVERT_OPTIONS_INIT;
  HdLaunchOptions launch = HD_LAUNCH_OPTIONS_INIT;
  HdReport report = HD_REPORT_INIT;
  HdSession *session;
  HdProgram *program;
  HdDevice *device;
  HdBuffer *x;
  HdKernel *kernel;
  options.use_disk_cache = 0;
  if (hd_session_new(&options, &session))
    return 1;
  const char *source =
      "typedef struct { int a, b; } Pair;\n"
      "kernel void k(int n, unsigned u, double f, Pair p, double x[n])\n"
      "    grid(1) threads(32)\n"
      "{ if (rank() < n) x[rank()] = u + f * rank() + p.a - p.b; }";
  const int64_t n = 10;
  const int pair[2] = {5, 2};
  if (hd_compile_text(session, "k.hd", source, std::strlen(source),
                      &program) ||
      hd_device_open(session, "cpu:1", &device) ||
      hd_buffer_new(device, HD_F64, 1, &n, &x) ||
      hd_launch(program, "k", nullptr, HD_INT(n), HD_UINT(1u), HD_FLOAT(0.5),
                HD_BYTES(pair, sizeof pair), HD_BUF(x), HD_END))
    return fail(session);
  if (static_cast<double *>(hd_buffer_data(x))[9] != 8.5)
    return 2;
  const HdArg args[] = {HD_INT(n), HD_UINT(0), HD_FLOAT(1),
                        HD_BYTES(pair, sizeof pair), HD_BUF(x)};
  if (hd_kernel_get(program, nullptr, nullptr, 0, &kernel) ||
      hd_kernel_launch(kernel, nullptr, &launch, args, 5))
    return fail(session);
  hd_kernel_free(kernel);
  hd_buffer_free(x);
  hd_device_free(device);
  hd_program_free(program);
  hd_session_free(session);
  return rules.use_launches == 1 && convert.block[0] == 0 &&
                 report.registers == 0
             ? 0
             : 3;
}
