// SPDX-License-Identifier: Apache-2.0
// Types and numbers of the CUDA driver's interface, as far as they are used.
// The driver is opened at run time and no CUDA header is needed to build; what
// is here are the facts of its binary interface, under names of our own.
#ifndef HD_RT_CUDA_CUDA_TYPES_H
#define HD_RT_CUDA_CUDA_TYPES_H

#include <stddef.h>
#include <stdint.h>

typedef uint64_t CuPointer; // an address in the device's memory
typedef int CuDeviceId;
typedef struct CuContextObject *CuContext;
typedef struct CuStreamObject *CuStream;
typedef struct CuEventObject *CuEvent;
typedef struct CuModuleObject *CuModule;
typedef struct CuFunctionObject *CuFunction;
typedef struct CuLinkObject *CuLink;
typedef struct CuGraphObject *CuGraph;
typedef struct CuGraphExecObject *CuGraphExec;

// What every function returns (CUresult).
enum {
  CU_OK = 0,
  CU_INVALID_VALUE = 1,
  CU_OUT_OF_MEMORY = 2,
  CU_NOT_INITIALIZED = 3,
  CU_DEINITIALIZED = 4,
  CU_STUB_LIBRARY = 34,
  CU_DEVICE_UNAVAILABLE = 46,
  CU_NO_DEVICE = 100,
  CU_INVALID_DEVICE = 101,
  CU_INVALID_CONTEXT = 201,
  CU_NO_BINARY_FOR_GPU = 209,
  CU_ECC_UNCORRECTABLE = 214,
  CU_INVALID_PTX = 218,
  CU_NVLINK_UNCORRECTABLE = 220,
  CU_NO_COMPILER = 221,
  CU_UNSUPPORTED_PTX = 222,
  CU_JIT_DISABLED = 223,
  CU_CONTAINED = 226,
  CU_INVALID_HANDLE = 400,
  CU_NOT_FOUND = 500,
  CU_NOT_READY = 600,
  CU_ILLEGAL_ADDRESS = 700,
  CU_OUT_OF_RESOURCES = 701,
  CU_LAUNCH_TIMEOUT = 702,
  CU_CONTEXT_DESTROYED = 709,
  CU_ASSERT = 710,
  CU_HARDWARE_STACK = 714,
  CU_ILLEGAL_INSTRUCTION = 715,
  CU_MISALIGNED_ADDRESS = 716,
  CU_INVALID_ADDRESS_SPACE = 717,
  CU_INVALID_PC = 718,
  CU_LAUNCH_FAILED = 719,
  CU_COOPERATIVE_TOO_LARGE = 720,
  CU_TENSOR_MEMORY_LEAK = 721,
  CU_SYSTEM_NOT_READY = 802,
  CU_DRIVER_MISMATCH = 803,
  CU_COMPAT_UNSUPPORTED = 804,
  CU_UNKNOWN = 999,
};

// CUdevice_attribute
enum {
  CU_DEVICE_MAX_THREADS = 1, // of a block
  CU_DEVICE_MAX_BLOCK_X = 2,
  CU_DEVICE_MAX_BLOCK_Y = 3,
  CU_DEVICE_MAX_BLOCK_Z = 4,
  CU_DEVICE_MAX_GRID_X = 5,
  CU_DEVICE_MAX_GRID_Y = 6,
  CU_DEVICE_MAX_GRID_Z = 7,
  CU_DEVICE_MULTIPROCESSORS = 16,
  CU_DEVICE_COMPUTE_MODE = 20,
  CU_DEVICE_MAX_THREADS_MULTIPROCESSOR = 39,
  CU_DEVICE_MAJOR = 75,
  CU_DEVICE_MINOR = 76,
  CU_DEVICE_COOPERATIVE = 95,
  CU_DEVICE_MAX_SHARED_OPTIN = 97,
  CU_DEVICE_CLUSTER = 120,
};

enum { CU_COMPUTE_MODE_PROHIBITED = 2, CU_COMPUTE_MODE_EXCLUSIVE = 3 };

// CUfunction_attribute
enum {
  CU_FUNCTION_MAX_THREADS = 0,
  CU_FUNCTION_SHARED_BYTES = 1,
  CU_FUNCTION_LOCAL_BYTES = 3,
  CU_FUNCTION_REGISTERS = 4,
  CU_FUNCTION_MAX_DYNAMIC_SHARED = 8,
  CU_FUNCTION_LARGE_CLUSTERS = 14, // of more than 8 blocks
};

enum { CU_LIMIT_PRINTF_BYTES = 1 }; // CUlimit

enum { CU_HOST_PORTABLE = 1, CU_HOST_MAP = 2 }; // cuMemHostAlloc

enum { CU_STREAM_NON_BLOCKING_FLAG = 1 }; // not ordered with stream 0

enum { CU_CAPTURE_RELAXED = 2 }; // CUstreamCaptureMode

enum { CU_INPUT_PTX = 1 }; // CUjitInputType

// CUjit_option; values are passed as pointers or as numbers in pointers.
enum {
  CU_JIT_INFO_LOG = 3,
  CU_JIT_INFO_LOG_BYTES = 4,
  CU_JIT_ERROR_LOG = 5,
  CU_JIT_ERROR_LOG_BYTES = 6,
  CU_JIT_VERBOSE = 12,
  CU_JIT_LINES = 13, // a line table, from .loc
};

// CUpointer_attribute, CUmemorytype
enum {
  CU_POINTER_CONTEXT = 1,
  CU_POINTER_MEMORY_TYPE = 2,
  CU_POINTER_ORDINAL = 9,
};

enum { CU_MEMORY_HOST = 1, CU_MEMORY_DEVICE = 2 };

// CUlaunchAttributeID
enum { CU_LAUNCH_COOPERATIVE = 2, CU_LAUNCH_CLUSTER = 4 };

typedef struct {
  int id;
  int padding;

  union {
    char bytes[64];
    int is_cooperative;
    unsigned cluster[3];
  } value;
} CuLaunchAttribute;

typedef struct {
  unsigned grid[3], block[3];
  unsigned shared_bytes;
  CuStream stream;
  CuLaunchAttribute *attributes;
  unsigned n_attributes;
} CuLaunchConfig;

typedef struct {
  _Alignas(64) uint64_t words[16];
} CuTensorMap;

// Of cuTensorMapEncodeTiled.
enum { CU_MAP_PLAIN = 0, CU_MAP_L2_128 = 2, CU_MAP_ZEROS = 0 };

_Static_assert(sizeof(CuLaunchAttribute) == 72, "as in the driver");
_Static_assert(sizeof(CuLaunchConfig) == 56, "as in the driver");
_Static_assert(sizeof(CuTensorMap) == 128, "as in the driver");

#endif
