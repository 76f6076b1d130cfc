/* SPDX-License-Identifier: Apache-2.0 */
/* The OpenCL peer on the CPU (pocl): a queue, a program, launches. */
#ifndef HD_BENCH_OPENCL_H
#define HD_BENCH_OPENCL_H

#include <stddef.h>

typedef struct OpenCl OpenCl;

/* NULL if there is no OpenCL device or the program does not build; says why on
 * stderr. */
OpenCl *opencl_open(const char *source_path);
void opencl_close(OpenCl *cl);

/* Launches and waits. Arguments as pairs: OPENCL_INT(3), OPENCL_FLOAT(2.0f),
 * OPENCL_BUFFER(host, bytes); buffers use the host's memory. 0 on success. */
typedef struct {
  enum { CL_ARG_INT, CL_ARG_FLOAT, CL_ARG_BUFFER } kind;

  int integer;
  float real;
  void *host;
  size_t size_bytes;
} OpenClArg;

#define OPENCL_INT(v)       ((OpenClArg){CL_ARG_INT, (v), 0, 0, 0})
#define OPENCL_FLOAT(v)     ((OpenClArg){CL_ARG_FLOAT, 0, (v), 0, 0})
#define OPENCL_BUFFER(p, n) ((OpenClArg){CL_ARG_BUFFER, 0, 0, (p), (n)})

int opencl_run(OpenCl *cl, const char *kernel, int rank, const size_t *global,
               const size_t *local, const OpenClArg *args, int n_args);

#endif
