/* SPDX-License-Identifier: Apache-2.0 */
#define CL_TARGET_OPENCL_VERSION 120
#include "opencl.h"

#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BUFFERS = 64, MOST_KERNELS = 32 };

struct OpenCl {
  cl_context context;
  cl_device_id device;
  cl_command_queue queue;
  cl_program program;

  struct {
    void *host;
    size_t size_bytes;
    cl_mem memory;
  } buffers[MOST_BUFFERS];

  int n_buffers;

  struct {
    char name[32];
    cl_kernel kernel;
  } kernels[MOST_KERNELS];

  int n_kernels;
};

static char *read_source(const char *path) {
  FILE *file = fopen(path, "rb");
  char *text = calloc(1, 1 << 20);
  if (!file || !text)
    return NULL;
  size_t length = fread(text, 1, (1 << 20) - 1, file);
  text[length] = 0;
  fclose(file);
  return text;
}

static int build(OpenCl *cl, const char *path) {
  cl_int error;
  char *source = read_source(path);
  const char *text = source;
  if (!source)
    return 0;
  cl->program = clCreateProgramWithSource(cl->context, 1, &text, NULL, &error);
  int is_good =
      error == CL_SUCCESS &&
      clBuildProgram(cl->program, 1, &cl->device,
                     "-cl-mad-enable -cl-no-signed-zeros -cl-fast-relaxed-math",
                     NULL, NULL) == CL_SUCCESS;
  free(source);
  return is_good;
}

OpenCl *opencl_open(const char *source_path) {
  OpenCl *cl = calloc(1, sizeof(*cl));
  cl_platform_id platform;
  cl_int error = CL_SUCCESS;
  if (clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS &&
      clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &cl->device, NULL) ==
          CL_SUCCESS)
    cl->context = clCreateContext(NULL, 1, &cl->device, NULL, NULL, &error);
  if (cl->context)
    cl->queue = clCreateCommandQueue(cl->context, cl->device, 0, &error);
  if (cl->queue && build(cl, source_path))
    return cl;
  fprintf(stderr, "bench: no OpenCL peer (device or program failed)\n");
  opencl_close(cl);
  return NULL;
}

void opencl_close(OpenCl *cl) {
  if (!cl)
    return;
  for (int i = 0; i < cl->n_kernels; i++)
    clReleaseKernel(cl->kernels[i].kernel);
  for (int i = 0; i < cl->n_buffers; i++)
    clReleaseMemObject(cl->buffers[i].memory);
  if (cl->program)
    clReleaseProgram(cl->program);
  if (cl->queue)
    clReleaseCommandQueue(cl->queue);
  if (cl->context)
    clReleaseContext(cl->context);
  free(cl);
}

static cl_mem buffer_of(OpenCl *cl, void *host, size_t size_bytes) {
  for (int i = 0; i < cl->n_buffers; i++) {
    if (cl->buffers[i].host == host && cl->buffers[i].size_bytes == size_bytes)
      return cl->buffers[i].memory;
  }
  if (cl->n_buffers == MOST_BUFFERS)
    return NULL;
  cl_int error;
  cl_mem memory =
      clCreateBuffer(cl->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                     size_bytes, host, &error);
  cl->buffers[cl->n_buffers].host = host;
  cl->buffers[cl->n_buffers].size_bytes = size_bytes;
  cl->buffers[cl->n_buffers++].memory = memory;
  return memory;
}

static cl_kernel kernel_of(OpenCl *cl, const char *name) {
  for (int i = 0; i < cl->n_kernels; i++) {
    if (strcmp(cl->kernels[i].name, name) == 0)
      return cl->kernels[i].kernel;
  }
  cl_int error;
  cl_kernel kernel = clCreateKernel(cl->program, name, &error);
  if (error != CL_SUCCESS || cl->n_kernels == MOST_KERNELS)
    return NULL;
  snprintf(cl->kernels[cl->n_kernels].name, 32, "%s", name);
  cl->kernels[cl->n_kernels++].kernel = kernel;
  return kernel;
}

static cl_int set_arg(OpenCl *cl, cl_kernel kernel, int index,
                      const OpenClArg *arg) {
  cl_uint i = (cl_uint)index;
  cl_mem memory;
  switch (arg->kind) {
  case CL_ARG_INT:
    return clSetKernelArg(kernel, i, sizeof arg->integer, &arg->integer);
  case CL_ARG_FLOAT:
    return clSetKernelArg(kernel, i, sizeof arg->real, &arg->real);
  case CL_ARG_BUFFER:
    memory = buffer_of(cl, arg->host, arg->size_bytes);
    return clSetKernelArg(kernel, i, sizeof memory, &memory);
  }
  return CL_INVALID_VALUE;
}

int opencl_run(OpenCl *cl, const char *name, int rank, const size_t *global,
               const size_t *local, const OpenClArg *args, int n_args) {
  cl_kernel kernel = kernel_of(cl, name);
  cl_int error = kernel ? CL_SUCCESS : CL_INVALID_KERNEL;
  for (int i = 0; i < n_args && error == CL_SUCCESS; i++)
    error = set_arg(cl, kernel, i, &args[i]);
  if (error == CL_SUCCESS)
    error = clEnqueueNDRangeKernel(cl->queue, kernel, (cl_uint)rank, NULL,
                                   global, local, 0, NULL, NULL);
  if (error == CL_SUCCESS)
    error = clFinish(cl->queue);
  if (error != CL_SUCCESS)
    fprintf(stderr, "bench: OpenCL kernel %s: error %d\n", name, error);
  return error != CL_SUCCESS;
}
