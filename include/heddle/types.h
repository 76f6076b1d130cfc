/* SPDX-License-Identifier: Apache-2.0 */
/* Types of elements, parameters and arguments: a part of heddle.h. */
#ifndef HEDDLE_TYPES_H
#define HEDDLE_TYPES_H

#include <stddef.h>
#include <stdint.h>

/* X(name, value, bytes, numpy name) */
#define HD_TYPE_TABLE(X)                                                       \
  X(HD_BOOL, 1, 1, "bool")                                                     \
  X(HD_I8, 2, 1, "int8")                                                       \
  X(HD_I16, 3, 2, "int16")                                                     \
  X(HD_I32, 4, 4, "int32")                                                     \
  X(HD_I64, 5, 8, "int64")                                                     \
  X(HD_U8, 6, 1, "uint8")                                                      \
  X(HD_U16, 7, 2, "uint16")                                                    \
  X(HD_U32, 8, 4, "uint32")                                                    \
  X(HD_U64, 9, 8, "uint64")                                                    \
  X(HD_F16, 10, 2, "float16")                                                  \
  X(HD_BF16, 11, 2, "bfloat16")                                                \
  X(HD_F32, 12, 4, "float32")                                                  \
  X(HD_F64, 13, 8, "float64")                                                  \
  X(HD_E4M3, 14, 1, "float8_e4m3")                                             \
  X(HD_E5M2, 15, 1, "float8_e5m2")                                             \
  X(HD_STRUCT, 16, 0, "struct")

typedef enum {

#define HD_TYPE_ROW(name, value, bytes, text) name = value,
  HD_TYPE_TABLE(HD_TYPE_ROW)
#undef HD_TYPE_ROW
} HdType;

typedef enum {
  HD_PARAM_SCALAR,
  HD_PARAM_STRUCT,        /* by value: a struct or a short vector */
  HD_PARAM_ARRAY,         /* with extents */
  HD_PARAM_POINTER,       /* without */
  HD_PARAM_EMBEDDED,      /* constexpr value */
  HD_PARAM_EMBEDDED_TYPE, /* constexpr type */
  HD_PARAM_ARRAYS,        /* several, with extents; `rank` is that of each */
} HdParamKind;

typedef struct HdParamInfo {
  const char *name;
  HdParamKind kind;
  HdType type; /* of the scalar, or of the array's element; HD_STRUCT
                  where that is a struct or a short vector */
  int lanes;   /* 2..4: a short vector of `type_of_lane` */
  HdType type_of_lane;
  size_t element_bytes;
  int rank;             /* arrays: dimensions; pointers: 1 */
  int is_const;         /* arrays, pointers: read-only */
  int has_default;      /* embedded parameters */
  const char *declared; /* as written: "const float x[n]" */
} HdParamInfo;

typedef enum {
  HD_ARG_END,
  HD_ARG_INT,
  HD_ARG_UINT,
  HD_ARG_FLOAT,
  HD_ARG_BUFFER,
  HD_ARG_BYTES,   /* a struct or short vector, in the host's layout */
  HD_ARG_BUFFERS, /* of an array of arrays: `bytes` are the HdBuffer pointers,
                     as many as `integer` says */
} HdArgKind;

/* An argument of hd_launch. */
typedef struct HdArg {
  HdArgKind kind;
  int64_t integer;
  double real;
  struct HdBuffer *buffer;
  const void *bytes;
  size_t size_bytes;
} HdArg;

#ifdef __cplusplus
#define HD_ARG HdArg
#else
#define HD_ARG (HdArg)
#endif

#define HD_INT(v)        (HD_ARG{HD_ARG_INT, (int64_t)(v), 0, 0, 0, 0})
#define HD_UINT(v)       (HD_ARG{HD_ARG_UINT, (int64_t)(uint64_t)(v), 0, 0, 0, 0})
#define HD_FLOAT(v)      (HD_ARG{HD_ARG_FLOAT, 0, (double)(v), 0, 0, 0})
#define HD_BUF(b)        (HD_ARG{HD_ARG_BUFFER, 0, 0, (b), 0, 0})
#define HD_BYTES(p, n)   (HD_ARG{HD_ARG_BYTES, 0, 0, 0, (p), (n)})
/* `n` buffers of one type and shape, as HdBuffer *const *. The list is read
 * during the call that it is given to; buffers are kept as those of HD_BUF. */
#define HD_BUFS(list, n) (HD_ARG{HD_ARG_BUFFERS, (int64_t)(n), 0, 0, (list), 0})
#define HD_END           (HD_ARG{HD_ARG_END, 0, 0, 0, 0, 0})

/* An embedded value: constexpr parameter `name` is `text` ("128", "0.5f",
 * "true", "float"), converted to the declared type if exact. */
typedef struct HdEmbed {
  const char *name;
  const char *text;
} HdEmbed;

#endif
