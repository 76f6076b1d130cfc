/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Heddle: compile, check and run Heddle C kernels.
 *
 *   HdSession *s;
 *   hd_session_new(NULL, &s);
 *   HdProgram *p;
 *   if (hd_compile_file(s, "saxpy.hd", &p) != HD_OK) {
 *     fputs(hd_last_message(s), stderr);
 *     return 1;
 *   }
 *   HdDevice *d;
 *   hd_device_open(s, "cpu", &d);
 *   HdBuffer *x, *y;
 *   hd_buffer_new(d, HD_F32, 1, (int64_t[]){n}, &x);
 *   hd_buffer_new(d, HD_F32, 1, (int64_t[]){n}, &y);
 *   hd_buffer_write(x, host_x, n * sizeof(float));
 *   hd_launch(p, "saxpy", NULL, HD_INT(n), HD_FLOAT(2.0), HD_BUF(x), HD_BUF(y),
 *             HD_END);
 *   hd_buffer_read(y, host_y, n * sizeof(float));
 *
 * Rules that hold everywhere:
 *  - Every function that can fail returns an HdStatus; what went wrong, in
 *    words, is hd_last_message() of the session. Nothing prints or exits.
 *  - Every handle is freed by its own function, which accepts NULL. Objects
 *    made from another keep it alive; the order of freeing is free.
 *  - Sizes are bytes where the name says bytes, else elements. Extents are
 *    elements, the slowest dimension first, as in C.
 *  - A session may be used from several threads; two sessions share nothing.
 *  - `const char *` results belong to the object they were asked of and live
 *    as long as it does, unless said otherwise.
 *  - NULL where it isn't said to mean something is HD_ERROR_ARGUMENT; functions
 *    without a status then return 0, NULL or the like.
 *  - Option structs start with their size, set by their initialiser macro, so
 *    that later versions can add members.
 */
#ifndef HEDDLE_HEDDLE_H
#define HEDDLE_HEDDLE_H

#include "heddle/status.h"
#include "heddle/types.h"
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define HD_API      __attribute__((visibility("default")))
#define HD_MUST_USE __attribute__((warn_unused_result))
#else
#define HD_API
#define HD_MUST_USE
#endif

/* "0.1.0" */
HD_API const char *hd_version(void);
/* Version, LLVM and math library, for bug reports. */
HD_API const char *hd_version_details(void);
/* "out of host or device memory" and so on; "unknown status" for others. */
HD_API const char *hd_status_text(HdStatus status);
HD_API size_t hd_type_size(HdType type);      /* bytes; 0 for HD_STRUCT */
HD_API const char *hd_type_name(HdType type); /* "float32" */

/* ------------------------------------------------------------- sessions */

typedef struct HdSession HdSession;

typedef enum {
  HD_LANGUAGE_BY_NAME, /* CUDA C for files that end in .cu or .cuh */
  HD_LANGUAGE_HEDDLE,
  HD_LANGUAGE_CUDA,
} HdLanguage;

typedef struct HdSessionOptions {
  size_t size_bytes;     /* sizeof(HdSessionOptions) */
  int opt_level;         /* 0..3 */
  int fast_math;         /* 1: as #pragma heddle fast_math in every file */
  int strict_groups;     /* 1: a group's count must divide its parent's size */
  int use_disk_cache;    /* 0: memory only */
  const char *cache_dir; /* NULL: $HEDDLE_CACHE_DIR, else
                            $XDG_CACHE_HOME/heddle, else ~/.cache/heddle */
  uint64_t cache_limit_bytes;      /* 0: 1 GiB */
  int max_errors;                  /* a compile stops after these; 0: 20 */
  int use_colour;                  /* 1: messages carry terminal colours */
  int verify_each;                 /* 1: the IR is verified after each pass */
  const char *const *include_dirs; /* NULL-terminated, or NULL */
  const char *const *defines;      /* "NAME=VALUE", NULL-terminated, or NULL */
  int sanitize; /* 1: launches detect races and wrong accesses; they run in
                   one thread and take tens of times as long */
  int schedule; /* 1: launches run in one thread, in an order of warps and
                   blocks that HdLaunchOptions.schedule decides */
  int trace;    /* 1: timelines (HdLaunchOptions.trace) show barriers and waits,
                   at some cost */
  HdLanguage language;  /* of the programs */
  int allow_same_value; /* 1: with sanitize, threads may write equal values to
                           one place, as they always may in CUDA C */
  int confine_includes; /* 1: #include reads only from the folder of the source,
                           include_dirs and Heddle's own headers */
} HdSessionOptions;

#define HD_SESSION_OPTIONS_INIT                                                \
  {                                                                            \
    sizeof(HdSessionOptions), 2, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,        \
        HD_LANGUAGE_BY_NAME, 0, 0                                              \
  }

/* NULL options: the defaults of HD_SESSION_OPTIONS_INIT. */
HD_API HD_MUST_USE HdStatus hd_session_new(const HdSessionOptions *options,
                                           HdSession **out);
HD_API void hd_session_free(HdSession *session);
/* Any function may return HD_ERROR_MEMORY, and leaves nothing behind then. A
 * program that was given to it may be of no more use (HD_ERROR_MEMORY again,
 * until it is compiled anew); kernels that were made of it can be launched on.
 *
 * What the last failing call of this session said, or "". Valid until the next
 * failing call; from several threads use hd_message_copy. */
HD_API const char *hd_last_message(const HdSession *session);
/* Copies at most size_bytes - 1 bytes and a NUL; returns the whole length. */
HD_API size_t hd_message_copy(const HdSession *session, char *buffer,
                              size_t size_bytes);
/* Ends running launches of the session with HD_ERROR_INTERRUPTED, once the
 * blocks that have started end or wait or, with sanitize, access memory. Safe
 * in a signal handler. */
HD_API void hd_interrupt(HdSession *session);

/* ------------------------------------------------------------- programs */

typedef struct HdProgram HdProgram;

/* Reads, preprocesses and checks a file ("-": standard input; Heddle IR text is
 * recognised by its first line). Kernels are specialised when they are asked
 * for. Even on HD_ERROR_PROGRAM *out is set if there are diagnostics to read;
 * it is NULL only where nothing could be read. hd_last_message is the rendered
 * diagnostics. */
HD_API HD_MUST_USE HdStatus hd_compile_file(HdSession *session,
                                            const char *path, HdProgram **out);
HD_API HD_MUST_USE HdStatus hd_compile_text(HdSession *session,
                                            const char *name, const char *text,
                                            size_t length, HdProgram **out);
HD_API void hd_program_free(HdProgram *program);

typedef enum { HD_FORMAT_TEXT, HD_FORMAT_JSON } HdFormat;

/* All diagnostics so far, errors and warnings; "" or "[]" when none. */
HD_API const char *hd_program_diagnostics(HdProgram *program, HdFormat format);
HD_API int hd_program_error_count(const HdProgram *program);
HD_API int hd_program_warning_count(const HdProgram *program);
HD_API int hd_program_kernel_count(const HdProgram *program);
/* NULL when index is out of range. In source order. CUDA C: instantiations that
 * the file launches are kernels of their own, "scale<float, 128>"; of a
 * template that it launches nowhere the name stands alone, and only
 * instantiations can be used. */
HD_API const char *hd_program_kernel_name(const HdProgram *program, int index);
/* The kernel that is meant by `name` as users type it. CUDA C: blanks don't
 * matter, nor namespaces where only one kernel fits; a template needs its
 * arguments unless the file launches only one instantiation; other ones may be
 * named. NULL: the only kernel. */
HD_API HD_MUST_USE HdStatus hd_program_find_kernel(HdProgram *program,
                                                   const char *name,
                                                   const char **out);
/* HD_LANGUAGE_HEDDLE (IR text, too) or HD_LANGUAGE_CUDA. */
HD_API HdLanguage hd_program_language(const HdProgram *program);

/* The page of a diagnostic's code ("HD0501"), Markdown; NULL: no such code. */
HD_API const char *hd_explain(const char *code);

/* -------------------------------------------------------------- kernels */

typedef struct HdKernel HdKernel;

/* The kernel `name` (NULL: the file's only one) with its embedded values; those
 * that are not given take their defaults. Compiles when first launched, or
 * takes it from the cache. HD_ERROR_NOT_FOUND names what there is. */
HD_API HD_MUST_USE HdStatus hd_kernel_get(HdProgram *program, const char *name,
                                          const HdEmbed *embeds, int n_embeds,
                                          HdKernel **out);
HD_API void hd_kernel_free(HdKernel *kernel);
HD_API const char *hd_kernel_name(const HdKernel *kernel);
/* All parameters in source order, embedded ones included. */
HD_API int hd_kernel_param_count(const HdKernel *kernel);
HD_API HD_MUST_USE HdStatus hd_kernel_param(const HdKernel *kernel, int index,
                                            HdParamInfo *out);
/* The same without specialising, for any kernel of a program. */
HD_API int hd_program_param_count(const HdProgram *program, const char *kernel);
HD_API HD_MUST_USE HdStatus hd_program_param(const HdProgram *program,
                                             const char *kernel, int index,
                                             HdParamInfo *out);
/* Dimensions of the grid clause; 0: left to the launcher. */
HD_API int hd_kernel_grid_rank(const HdKernel *kernel);

/* Where the number of threads of a block comes from. In CUDA C it belongs to
 * the launch: it is the value of the embedded parameters block_dim_x,
 * block_dim_y and block_dim_z, which every kernel has after its own. */
typedef enum {
  HD_BLOCK_KERNEL, /* Heddle C: the kernel states it */
  HD_BLOCK_GIVEN,  /* as embedded values */
  HD_BLOCK_LAUNCH, /* of the first launch in the file that has a constant one */
  HD_BLOCK_BOUNDS, /* of __launch_bounds__ */
  HD_BLOCK_GUESS,  /* 256, as nothing says more */
} HdBlockSource;

/* x, y, z. */
HD_API HdBlockSource hd_kernel_block(const HdKernel *kernel, int block[3]);

/* What the launch in the file that the block is from (HD_BLOCK_LAUNCH) says
 * besides, as far as it is constant; nothing if the block is from elsewhere. */
typedef struct HdFileLaunch {
  int has_grid;
  int64_t grid[3];
  int has_shared;
  int64_t shared_bytes; /* of `extern __shared__` arrays */
} HdFileLaunch;

HD_API void hd_kernel_file_launch(const HdKernel *kernel, HdFileLaunch *out);

/* A file-scope object that the host may fill or read (hd_global_write). */
typedef struct HdGlobalInfo {
  const char *name;
  HdType type; /* of an element, as in HdParamInfo */
  int lanes;
  HdType type_of_lane;
  size_t element_bytes;
  int rank; /* 0: a single element */
  int64_t extents[8];
  int is_const; /* to kernels */
} HdGlobalInfo;

/* Those that the kernel uses. */
HD_API int hd_kernel_global_count(const HdKernel *kernel);
HD_API HD_MUST_USE HdStatus hd_kernel_global(const HdKernel *kernel, int index,
                                             HdGlobalInfo *out);

/* Text of one stage: "tokens", "ast", "ir", "check", "layout", "layout-svg",
 * "llvm", "asm", "ptx". tokens and ast ignore the kernel; NULL kernel with
 * "ir": all kernels that can be specialised without values. ptx is that of
 * sm_90a, llvm and asm those of this CPU. The text is freed with hd_text_free.
 */
HD_API HD_MUST_USE HdStatus hd_dump(HdProgram *program, const char *kernel,
                                    const HdEmbed *embeds, int n_embeds,
                                    const char *stage, char **out);
/* "llvm", "asm" or "ptx" for a target: "cpu", "sm_80", "sm_90a" or "sm_100a".
 * Needs no such device. NULL: as hd_dump. */
HD_API HD_MUST_USE HdStatus hd_dump_for(HdProgram *program, const char *kernel,
                                        const HdEmbed *embeds, int n_embeds,
                                        const char *stage, const char *target,
                                        char **out);
/* The IR of a kernel after a pass of the compiler ("simplify", "decide_joins",
 * …; an unknown name says which there are), with the level of its kernels. It
 * is on the way for which the pass runs: a check, a launch, one with sanitize,
 * or code for a CPU or GPU. NULL kernel: the only one. "lowering": the IR
 * before all passes; of IR text: what was read. */
HD_API HD_MUST_USE HdStatus hd_dump_after(HdProgram *program,
                                          const char *kernel,
                                          const HdEmbed *embeds, int n_embeds,
                                          const char *pass, char **out);
/* Who holds what of a tile with a layout, such as
 * "half t[64][64] layout(mma_c)", in a group of n_threads; or where the
 * elements of memory lie, layout(swizzle128). "layout(A) -> layout(B)": both,
 * and what a conversion takes. Stage "layout" is text, "layout-svg" an SVG
 * image. HD_ERROR_ARGUMENT: the layout doesn't fit, or the declaration is
 * wrong. */
HD_API HD_MUST_USE HdStatus hd_dump_layout(HdSession *session,
                                           const char *declaration,
                                           int n_threads, const char *stage,
                                           char **out);
HD_API void hd_text_free(char *text);

typedef struct HdConvertOptions {
  size_t size_bytes; /* sizeof(HdConvertOptions) */
  int block[3];      /* threads of a block; zeros: as the file says */
  /* As in HdCheckOptions. */
  const char *const *assumptions;
  uint32_t time_limit_ms; /* of all checks together; 0: none. What isn't decided
                             then is not written */
} HdConvertOptions;

#define HD_CONVERT_OPTIONS_INIT                                                \
  { sizeof(HdConvertOptions), {0, 0, 0}, 0, 0 }

/* A kernel of a program in CUDA C (NULL: all that have no errors) as Heddle C,
 * readable, with extents of arrays where the checker then proves that every
 * access is inside. Freed with hd_text_free. */
HD_API HD_MUST_USE HdStatus hd_convert(HdProgram *program, const char *kernel,
                                       const HdConvertOptions *options,
                                       char **out);

/* Which joins of fork-join loops became barriers and which did not, and why;
 * lines of text, freed with hd_text_free. */
HD_API HD_MUST_USE HdStatus hd_explain_sync(HdKernel *kernel, char **out);

/* --------------------------------------------------------------- checks */

/* What holds for every launch that the kernel's `requires` allow. */
typedef enum {
  HD_VERDICT_PROVED,  /* no race, no deadlock, nothing outside of an array */
  HD_VERDICT_BUG,     /* something of that happens: a run showed it, or the
                         compiler refuses the kernel */
  HD_VERDICT_UNKNOWN, /* neither is known; the findings say why */
} HdVerdict;

typedef struct HdCheckOptions {
  size_t size_bytes;      /* sizeof(HdCheckOptions) */
  uint32_t time_limit_ms; /* of a kernel; 0: 10000 */
  int no_isl, no_z3;      /* 1: that solver isn't asked */
  int no_search;        /* 1: nothing is run, so that nothing is a bug but what
                           the compiler refuses */
  int allow_same_value; /* 1: threads may store equal values to one element */
  int owner;            /* 1: until the next barrier no thread may even read
                           what another one wrote or will write */
  int rules_only;       /* 1: no proofs: the verdict is `bug` if the compiler
                             refuses the kernel, else `unknown` */
  int has_grid;         /* 1: only launches with this grid are asked about; of
                           kernels that leave it open */
  int64_t grid[3];
  /* CUDA C: what holds at every launch, as expressions over the parameters,
   * gridDim, blockDim and len(x), the elements of an array: "n <= len(x)".
   * NULL-terminated, or NULL. */
  const char *const *assumptions;
  /* CUDA C, without has_grid: 1: what isn't proved for all launches is asked of
   * those in the file with this block size, by what they say about the grid and
   * the arguments; 0: of all launches only. */
  int use_launches;
  /* Names of array parameters, two and two, as if the kernel said may_alias of
   * them: launches give them one array, or parts of one that begin anywhere,
   * for which nothing is run. NULL-terminated, or NULL. */
  const char *const *shared;
  const char *const *overlapping;
} HdCheckOptions;

#define HD_CHECK_OPTIONS_INIT                                                  \
  { sizeof(HdCheckOptions), 0, 0, 0, 0, 0, 0, 0, 0, {1, 1, 1}, 0, 1, 0, 0 }

typedef struct HdCheck HdCheck;

/* Checks the kernel `name` (NULL: the file's only one) with its embedded
 * values; those that are not given take their defaults, and where there is none
 * the verdict is `unknown`. NULL options: the defaults. A wrong kernel is
 * HD_OK here: its verdict says so. */
HD_API HD_MUST_USE HdStatus hd_check(HdProgram *program, const char *name,
                                     const HdEmbed *embeds, int n_embeds,
                                     const HdCheckOptions *options,
                                     HdCheck **out);
HD_API void hd_check_free(HdCheck *check);
HD_API const char *hd_check_kernel(const HdCheck *check);
HD_API HdVerdict hd_check_verdict(const HdCheck *check);
/* Of the launches that the verdict is about. HD_BLOCK_KERNEL and zeros if that
 * isn't known, as the kernel is wrong. */
HD_API HdBlockSource hd_check_block(const HdCheck *check, int block[3]);
/* CUDA C: the lines of the launches in the file that the verdict is about
 * (use_launches); 0 when index is out of range: it is about all launches with
 * this block size. What they say is among what is trusted. */
HD_API int hd_check_launch_line(const HdCheck *check, int index);
/* Then what is known of other launches, or NULL. */
HD_API const char *hd_check_otherwise(const HdCheck *check);
/* CUDA C: of a bug, an assumption that excludes it and with which the kernel is
 * proved but for the sizes of arrays ("w % 16 == 0"), or NULL. */
HD_API const char *hd_check_assumption(const HdCheck *check);
/* "proved", "bug", "unknown" */
HD_API const char *hd_verdict_name(HdVerdict verdict);

/* What was to be proved, how much of it was, and at which cost. */
typedef struct HdCheckCost {
  int n_obligations, n_proved;
  int n_runs;     /* of the interpreter, in search of bugs */
  int answers[5]; /* questions answered by Heddle itself, isl, Z3 on integers,
                     Z3 on bits, and cases */
  double time_ms;
} HdCheckCost;

HD_API void hd_check_cost(const HdCheck *check, HdCheckCost *out);

/* One cause. Texts that don't apply are NULL, places that aren't known 0. */
typedef struct HdFinding {
  const char *code;       /* "HD0601" */
  HdVerdict verdict;      /* bug or unknown; proved: a remark */
  const char *file;       /* NULL: not known */
  int line, column;       /* from 1, in characters */
  const char *other_file; /* of the second access of a race */
  int other_line, other_column;
  const char *message;
  const char *reason;  /* unknown: what stands in the way of a proof */
  const char *witness; /* bug: sizes, threads and elements that show it */
  const char *fix;     /* what would mend it; proved */
  /* The fix as an edit, if it is one: `insert` at line and column of `file`,
   * nothing is replaced. NULL: none. */
  const char *insert;
  int insert_line, insert_column;
  /* unknown: what the reason says would help, as it is given: a clause of the
   * kernel, "requires(…)", or options of the command, "--assume '…'". NULL:
   * nothing of the kind is known. */
  const char *needs;
  int needs_time; /* unknown: the time limit ended the proof */
} HdFinding;

/* In program order. */
HD_API int hd_check_finding_count(const HdCheck *check);
HD_API HD_MUST_USE HdStatus hd_check_finding(const HdCheck *check, int index,
                                             HdFinding *out);
/* What the proof rests on beyond the rules of the language: `assume`, contents
 * of arrays, limits of sizes. NULL when index is out of range. */
HD_API int hd_check_trusted_count(const HdCheck *check);
HD_API const char *hd_check_trusted(const HdCheck *check, int index);
/* TEXT: the findings as diagnostics that quote the program. JSON: one object:
 * {"kernel", "file", "verdict", "findings": [{"code", "verdict", "file",
 * "line", "column", "message", "witness", "fix", …}], "trusted", …}. */
HD_API const char *hd_check_report(HdCheck *check, HdFormat format);
/* The findings as a JSON array in the form of hd_program_diagnostics, which has
 * what the compiler refuses and so isn't repeated here. */
HD_API const char *hd_check_diagnostics(HdCheck *check);

/* -------------------------------------------------------------- devices */

typedef struct HdDevice HdDevice;

/* The devices that there are, under names that hd_device_open takes: "cpu"
 * first, then "cuda:0" and so on. The session looks for them once. */
HD_API int hd_device_count(HdSession *session);
HD_API const char *hd_device_name(HdSession *session, int index);
/* One line: model, cores, memory. NULL: no such device. */
HD_API const char *hd_device_description(HdSession *session, int index);
/* Kinds of devices that Heddle can use: "cpu", "cuda"; NULL after the last. */
HD_API const char *hd_device_kind(int index);
/* Why there is no device of a kind: no driver, an old one, no GPU. NULL: there
 * is one. */
HD_API const char *hd_device_why_none(HdSession *session, const char *kind);
/* "cpu", or "cpu:N" for N worker threads (default: one a core this process may
 * use, or $HEDDLE_THREADS). "cuda" or "cuda:N": the NVIDIA GPU number N, from
 * 0. A session that sanitizes, schedules or traces has CPUs only. */
HD_API HD_MUST_USE HdStatus hd_device_open(HdSession *session, const char *name,
                                           HdDevice **out);
HD_API void hd_device_free(HdDevice *device);
/* What its code is made for: "cpu", or "sm_90a" and the like. */
HD_API const char *hd_device_target(const HdDevice *device);

/* -------------------------------------------------------------- buffers */

typedef struct HdBuffer HdBuffer;

/* Dense row-major array, zeroed, 128-byte aligned. rank 1..8, extents >= 0. */
HD_API HD_MUST_USE HdStatus hd_buffer_new(HdDevice *device, HdType type,
                                          int rank, const int64_t *extents,
                                          HdBuffer **out);
/* Of structs or short vectors of element_bytes. */
HD_API HD_MUST_USE HdStatus hd_buffer_new_bytes(HdDevice *device,
                                                size_t element_bytes, int rank,
                                                const int64_t *extents,
                                                HdBuffer **out);
/* The caller's memory, not copied; theirs to keep until the launches that use
 * it are done. strides in elements, NULL: dense. For a GPU an address on it,
 * from any allocator (cuMemAlloc, cudaMalloc, a framework's). */
HD_API HD_MUST_USE HdStatus hd_buffer_wrap(HdDevice *device, void *data,
                                           HdType type, int rank,
                                           const int64_t *extents,
                                           const int64_t *strides,
                                           HdBuffer **out);
/* A tensor of another library (NumPy, PyTorch, JAX and others: DLPack), not
 * copied. On success it is the buffer's, whose last use calls its deleter; else
 * it stays the caller's. For a CPU it must lie in the host's memory, for a GPU
 * on that GPU. Strides are taken as they are; a read-only tensor can't be the
 * argument of a parameter that isn't const. The structs are those of dlpack.h:
 * without, and with a version. */
struct DLManagedTensor;
struct DLManagedTensorVersioned;
HD_API HD_MUST_USE HdStatus hd_buffer_from_dlpack(
    HdDevice *device, struct DLManagedTensor *tensor, HdBuffer **out);
HD_API HD_MUST_USE HdStatus hd_buffer_from_dlpack_versioned(
    HdDevice *device, struct DLManagedTensorVersioned *tensor, HdBuffer **out);
/* The other way: a tensor over the buffer's memory, which lives until the
 * tensor's deleter is called. Whoever reads it waits for the launches that fill
 * it first. Not for structs. */
HD_API HD_MUST_USE HdStatus hd_buffer_to_dlpack(HdBuffer *buffer,
                                                struct DLManagedTensor **out);
HD_API HD_MUST_USE HdStatus hd_buffer_to_dlpack_versioned(
    HdBuffer *buffer, struct DLManagedTensorVersioned **out);
/* A part or another shape of a buffer's memory: first element and strides in
 * elements of it (0 or more; NULL: dense). Must lie inside. */
HD_API HD_MUST_USE HdStatus hd_buffer_view(HdBuffer *buffer, int64_t offset,
                                           int rank, const int64_t *extents,
                                           const int64_t *strides,
                                           HdBuffer **out);
/* Takes effect after the launches that use it. */
HD_API void hd_buffer_free(HdBuffer *buffer);
/* size_bytes of the elements in row-major order, from the first; the array's
 * gaps are left alone. Waits for earlier launches. */
HD_API HD_MUST_USE HdStatus hd_buffer_write(HdBuffer *buffer, const void *data,
                                            size_t size_bytes);
HD_API HD_MUST_USE HdStatus hd_buffer_read(HdBuffer *buffer, void *data,
                                           size_t size_bytes);
HD_API HdType hd_buffer_type(const HdBuffer *buffer);
HD_API int hd_buffer_rank(const HdBuffer *buffer);
HD_API int64_t hd_buffer_extent(const HdBuffer *buffer, int dimension);
HD_API int64_t hd_buffer_stride(const HdBuffer *buffer, int dimension);
HD_API size_t hd_buffer_element_bytes(const HdBuffer *buffer);
/* The address on the device; for "cpu" it may be read and written while no
 * launch uses it. */
HD_API void *hd_buffer_data(HdBuffer *buffer);

/* ---------------------------------------------------- streams and events */

/* Launches of one stream run in order; streams run independently. A NULL
 * stream is the device's own: there launches end before the call returns. */
typedef struct HdStream HdStream;
typedef struct HdEvent HdEvent;

HD_API HD_MUST_USE HdStatus hd_stream_new(HdDevice *device, HdStream **out);
/* A GPU's stream that exists (CUstream, cudaStream_t; NULL: the default one) of
 * the device's context: launches run in its order. It stays its owner's, and
 * must outlive the HdStream. */
HD_API HD_MUST_USE HdStatus hd_stream_wrap(HdDevice *device, void *handle,
                                           HdStream **out);
/* The CUstream of a GPU's stream; NULL for CPUs. */
HD_API void *hd_stream_handle(const HdStream *stream);
HD_API void hd_stream_free(HdStream *stream); /* waits */
/* Waits until all is done; the first failure since the last wait. */
HD_API HD_MUST_USE HdStatus hd_stream_wait(HdStream *stream);
HD_API HD_MUST_USE HdStatus hd_event_new(HdDevice *device, HdEvent **out);
HD_API void hd_event_free(HdEvent *event);
HD_API HD_MUST_USE HdStatus hd_event_record(HdEvent *event, HdStream *stream);
HD_API HD_MUST_USE HdStatus hd_event_wait(HdEvent *event);
/* Makes later work of `stream` wait for the event. */
HD_API HD_MUST_USE HdStatus hd_stream_wait_event(HdStream *stream,
                                                 HdEvent *event);
/* Both recorded and done. */
HD_API HD_MUST_USE HdStatus hd_event_elapsed_ms(HdEvent *start, HdEvent *end,
                                                double *out);

/* Launches that are started together, which costs less than one by one. Between
 * hd_graph_begin and hd_graph_end launches of the stream are kept, with their
 * arguments, instead of run; hd_graph_launch runs them in that order. Buffers
 * that they use live as long as the graph. */
typedef struct HdGraph HdGraph;

HD_API HD_MUST_USE HdStatus hd_graph_begin(HdStream *stream);
HD_API HD_MUST_USE HdStatus hd_graph_end(HdStream *stream, HdGraph **out);
HD_API HD_MUST_USE HdStatus hd_graph_launch(HdGraph *graph, HdStream *stream);
HD_API void hd_graph_free(HdGraph *graph); /* waits */

/* ------------------------------------------------------------- launches */

/* Launches the kernel `name` (default embedded values) with its other
 * parameters in order, then HD_END. Refused before anything runs when an
 * argument or a `requires` does not fit; the message names the parameter and
 * both values. */
HD_API HD_MUST_USE HdStatus hd_launch(HdProgram *program, const char *name,
                                      HdStream *stream, ...);

typedef struct HdLaunchOptions {
  size_t size_bytes;
  int64_t grid[3]; /* x, y, z blocks where has_grid */
  int has_grid;
  HdDevice *device;   /* for kernels without array arguments; NULL: theirs */
  int64_t cluster[3]; /* x, y, z blocks of a cluster where has_cluster */
  int has_cluster;
  uint64_t schedule; /* seed of the order, with HdSessionOptions.schedule; the
                        same one gives the same run */
  const char *trace; /* a timeline of the launch is written to this file, in
                        the Trace Event Format; NULL: none. Kept until the
                        launch is done. */
} HdLaunchOptions;

#define HD_LAUNCH_OPTIONS_INIT                                                 \
  { sizeof(HdLaunchOptions), {1, 1, 1}, 0, 0, {1, 1, 1}, 0, 0, 0 }

/* args: the parameters that are not embedded, in order. */
HD_API HD_MUST_USE HdStatus hd_kernel_launch(HdKernel *kernel, HdStream *stream,
                                             const HdLaunchOptions *options,
                                             const HdArg *args, int n_args);

/* Arguments by name, for launchers that infer what was not given. */
typedef struct HdArgs HdArgs;

HD_API HD_MUST_USE HdStatus hd_args_new(HdKernel *kernel, HdArgs **out);
HD_API void hd_args_free(HdArgs *args);
/* Once each; converted if exact, else refused with the range. */
HD_API HD_MUST_USE HdStatus hd_args_set(HdArgs *args, const char *name,
                                        HdArg value);
/* Integer parameters that are extents of given arrays get their values (a
 * conflict shows both). Then all scalars must have one. */
HD_API HD_MUST_USE HdStatus hd_args_infer(HdArgs *args);
/* After hd_args_infer: extents of array parameter `name`, also of one that was
 * not given. *rank is its rank. Of an array of arrays, which HD_BUFS gives, the
 * first extent is how many there are. */
HD_API HD_MUST_USE HdStatus hd_args_extents(HdArgs *args, const char *name,
                                            int *rank, int64_t extents[8]);
/* Likewise its strides in elements (dense unless the kernel states some). */
HD_API HD_MUST_USE HdStatus hd_args_strides(HdArgs *args, const char *name,
                                            int *rank, int64_t strides[8]);
/* The value that a scalar parameter has now; HD_ERROR_NOT_FOUND if none. */
HD_API HD_MUST_USE HdStatus hd_args_get(HdArgs *args, const char *name,
                                        HdArg *out);
HD_API HD_MUST_USE HdStatus hd_args_launch(HdArgs *args, HdStream *stream,
                                           const HdLaunchOptions *options);
/* Work declared by the kernel for these arguments (#pragma heddle flops(…)
 * bytes(…)); a negative number where it declares none. */
HD_API HD_MUST_USE HdStatus hd_args_work(HdArgs *args, double *flops,
                                         double *bytes);

/* What the kernel takes of a GPU for these arguments, how a CPU runs the blocks
 * of a tile kernel, and what lies in a block's shared memory. */
typedef struct HdReport {
  size_t size_bytes;        /* sizeof(HdReport) */
  uint32_t registers;       /* of a thread */
  uint64_t shared_bytes;    /* of a block */
  uint64_t local_bytes;     /* of a thread: private arrays, spilled registers */
  int64_t spill_bytes;      /* of which spilled registers; -1: not known */
  uint32_t resident_blocks; /* at a time on one multiprocessor */
  uint32_t resident_threads, most_threads; /* on one multiprocessor */
  double assemble_ms; /* in the driver; 0: it came from the cache */
  /* Of a tile kernel on a CPU: whether neighbouring blocks run together, which
   * packs operands of products once for several, or why not; else NULL. Lives
   * as long as the program. */
  const char *blocks;
  /* Lines: the bytes of a block's shared memory, then for each array and
   * barrier its bytes, place, line, and what it shares its bytes with; NULL:
   * the block has none. Lives as long as the program. */
  const char *shared;
} HdReport;

#define HD_REPORT_INIT                                                         \
  { sizeof(HdReport), 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL }

/* Compiles as for a launch; for CPUs, which have `blocks` and `shared` only, it
 * compiles nothing. */
HD_API HD_MUST_USE HdStatus hd_args_report(HdArgs *args, HdDevice *device,
                                           HdReport *out);

/* Reads and writes a file-scope object of the loaded program: `global`, or
 * `constant` without an initialiser (of CUDA C: __device__, __constant__);
 * waits for launches. The object lives as long as the program. CPUs share one;
 * each opened GPU has its own, which the functions with a device reach
 * (NULL: that of the CPUs). */
HD_API HD_MUST_USE HdStatus hd_global_write(HdProgram *program,
                                            const char *name, const void *data,
                                            size_t size_bytes);
HD_API HD_MUST_USE HdStatus hd_global_read(HdProgram *program, const char *name,
                                           void *data, size_t size_bytes);
HD_API HD_MUST_USE HdStatus hd_global_write_on(HdProgram *program,
                                               HdDevice *device,
                                               const char *name,
                                               const void *data,
                                               size_t size_bytes);
HD_API HD_MUST_USE HdStatus hd_global_read_on(HdProgram *program,
                                              HdDevice *device,
                                              const char *name, void *data,
                                              size_t size_bytes);

#ifdef __cplusplus
}
#endif

#endif
