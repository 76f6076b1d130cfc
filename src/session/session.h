// SPDX-License-Identifier: Apache-2.0
// What the files that implement heddle.h share.
//
//   HdSession  options, message, image cache      one lock: everything mutable
//   HdProgram  source, AST, diagnostics, Specs    compiled under that lock
//   Spec       one specialisation: IR, Variants   never changed once made
//   Variant    code for a device and a set of     never changed once made
//              facts
//
// Handles count references: a child holds its parent, a launch in flight holds
// what it uses, so users may free in any order.
#ifndef HD_SESSION_SESSION_H
#define HD_SESSION_SESSION_H

#include "abi/cpu.h"
#include "base/map.h"
#include "base/rescue.h"
#include "base/text.h"
#include "base/vec.h"
#include "cuda/cuda.h"
#include "diag/diag.h"
#include "heddle/heddle.h"
#include "ir/passes/passes.h"
#include "rt/device.h"
#include "sema/sema.h"
#include "session/target.h"
#include <pthread.h>
#include <stdatomic.h>

struct AstUnit;
struct DeviceList;
typedef struct KernelSource KernelSource;

// Code, by the hash of all that it depends on: loaded by its back end, else a
// text that devices load.
typedef struct CodeEntry {
  struct CodeEntry *next;
  Hash128 key;
  const void *loaded; // CodeOps.load; or NULL
  char *text;         // malloc'd
  size_t text_bytes;
} CodeEntry;

struct HdSession {
  _Atomic int references;
  pthread_mutex_t lock; // recursive: guards all below and every compile
  HdSessionOptions options;
  PassWatch watch; // of all modules
  Arena *arena;
  const char *cache_dir; // NULL: no disk cache
  CodeTargets targets;
  CodeEntry *code;
  struct DeviceList *devices; // what there is; NULL: not looked yet
  uint64_t n_opened;          // devices that are no CPUs
  const char *message;        // NULL: none
  char *owned_message;        // malloc'd: the same, or NULL
  int32_t interrupt; // nonzero: launches end; atomic, launches share it
  _Atomic int n_in_flight;
};

typedef struct Variant {
  struct Variant *next;
  uint64_t facts; // 4 bits an array parameter, in order
  uint64_t device_id;
  const void *code; // as in RtLaunch; the device's or the session's
} Variant;

// A tree that has a kernel, and what sema knows of it.
typedef struct KernelTree {
  struct AstUnit *unit;
  SemaContext *sema;
  const IndexKernel *index;
} KernelTree;

// What a check takes for granted, beyond what the kernel requires.
typedef struct {
  const CudaFact *assumptions; // in the words of the source
  uint32_t n_assumptions;
  bool has_grid;
  int64_t grid[3];
} SpecLimits;

typedef struct Spec {
  struct Spec *next;
  const char *key; // kernel name, embedded values, limits, is_to_run; interned
  bool is_to_run;  // with tests that the checker has no use for
  bool is_sanitized;
  bool owns_module;       // else it is the program's
  const PassWatch *watch; // of the module
  IrModule *module;
  IrKernel *kernel;
  Variant *variants;
  struct GlobalTable *globals; // one a device, made at its first launch
} Spec;

struct HdProgram {
  _Atomic int references;
  HdSession *session;
  Arena *arena;
  Arena *text_arena; // the copy of text from memory, or NULL
  Interner *names;
  DiagEngine *diags;
  SourceText *source;
  const KernelSource *kernels; // Heddle C until something was read
  void *file;                  // that `kernels` has read; NULL: nothing
  double convert_end_ms; // of solve_now_ms: no checks of hd_convert then; or 0
  bool is_broken;        // had errors when it was loaded
  _Atomic bool is_lost;  // memory ran out below: see session_no_memory
  Hash128 source_hash;   // of the preprocessed text
  Spec *specs;
  Map specs_by_key;
  // File-scope objects, by name; one instance on a device, shared by all
  // kernels of the program.
  struct GlobalMemory *globals;
};

struct HdKernel {
  _Atomic int references;
  HdProgram *program;
  Spec *spec;
  const IndexKernel *index; // NULL for IR text
  const char *name;         // as users write it
  HdBlockSource block;
};

// What a device loaded.
typedef struct LoadedCode {
  struct LoadedCode *next;
  const CodeEntry *entry;
  RtCode *code;
} LoadedCode;

struct HdDevice {
  _Atomic int references;
  HdSession *session;
  RtDevice *device;
  CodeTarget *target;
  int ordinal; // of its kind, from 0
  uint64_t id; // in the session; 0: CPUs, which share code and file-scope
               // objects
  LoadedCode *loaded; // under the session's lock
};

// Memory that buffers and their views share.
typedef struct {
  _Atomic int references;
  HdDevice *device;
  char *data;
  uint64_t size_bytes;
  bool is_owned;
  void (*release)(void *context); // of memory that another library lent
  void *context;
  pthread_mutex_t lock;
  pthread_cond_t idle;
  int n_in_flight; // launches that use it
} Memory;

struct HdBuffer {
  Memory *memory;
  char *data; // first element
  HdType type;
  size_t element_bytes;
  int rank;
  int64_t extents[8];
  int64_t strides[8]; // elements
  bool is_read_only;
};

// Elements from the first to behind the last; 0 for an empty array.
int64_t buffer_span(const HdBuffer *buffer);
bool buffers_overlap(const HdBuffer *a, const HdBuffer *b);

struct HdStream {
  HdDevice *device;
  RtStream *stream;
  HdGraph *graph; // that keeps its launches for now, or NULL
};

struct HdEvent {
  HdDevice *device;
  RtEvent *event;
};

// --- session.c ---
void session_retain(HdSession *session);
void session_lock(HdSession *session);
void session_unlock(HdSession *session);
uint64_t session_cache_limit(const HdSession *session);
// Sets the message and returns `status`, for `return session_fail(…)`.
HdStatus session_fail(HdSession *session, HdStatus status, const char *format,
                      ...) __attribute__((format(printf, 3, 4)));

// Note [Programs that are lost]
// Memory may run out in the middle of a change to a program's trees, types and
// names. Such a program is of no more use: all that would look at them says
// HD_ERROR_MEMORY. The session, other programs and what was compiled before
// live on.
//
// HD_ERROR_MEMORY, said without memory. `program`, or NULL, is lost.
HdStatus session_no_memory(HdSession *session, HdProgram *program);
// HD_ERROR_MEMORY where the program is lost.
HdStatus program_look(HdProgram *program);

// First in functions that users call; what follows them passes the parameters
// on. See base/rescue.h.
#define SESSION_RESCUE(session, program, result)                               \
  Rescue rescue RESCUE_SCOPE;                                                  \
  if (RESCUE_ENTER(&rescue)) {                                                 \
    (void)session_no_memory((session), (program));                             \
    return result;                                                             \
  }
// Likewise, of a program that isn't lost; *out is NULL where memory runs out.
#define PROGRAM_RESCUE(program, out)                                           \
  HD_TRY(program_look(program));                                               \
  SESSION_RESCUE((program)->session, (program),                                \
                 (*(out) = NULL, HD_ERROR_MEMORY))

// HD_ERROR_ARGUMENT: NULL was given for a pointer that `function` needs. The
// session, if one is known, says so.
HdStatus session_null(HdSession *session, const char *function);

// --- program.c ---
void program_retain(HdProgram *program);
// The message becomes the rendered diagnostics; HD_ERROR_PROGRAM.
HdStatus program_fail(HdProgram *program);
// As hd_compile_text, for who holds the session; `text` must outlive it.
HdStatus program_from_text(HdSession *session, const char *name,
                           const char *text, size_t length, HdProgram **out);
// NULL: there is no such kernel, it can't be translated, or it is IR.
const IndexKernel *program_index(const HdProgram *program, const char *name);

// --- kernel.c ---
void kernel_retain(HdKernel *kernel);
// *name, or the only kernel for NULL; HD_ERROR_NOT_FOUND says what there is.
HdStatus program_choose(HdProgram *program, const char **name);
// HD_STRUCT for structs and short vectors.
HdType param_element_type(const IrParam *param);

// --- dump_layout.c ---
// Pictures of the shared arrays of a kernel whose layouts are decided.
void dump_array_layouts(const IrKernel *kernel, bool is_svg, Text *out);
bool dump_is_layout(const char *stage, bool *is_svg);

// --- embed.c ---
// Each of them has a name and a text.
bool embeds_are_given(const HdEmbed *embeds, int n_embeds);

// --- specialise.c ---
// Finds or makes the specialisation; the caller holds the session's lock.
// `limits` may be NULL; launches have none.
HdStatus spec_get(HdProgram *program, const char *kernel, const HdEmbed *embeds,
                  int n_embeds, const SpecLimits *limits, Spec **out);
// Makes `spec`, whose first members are set, and which isn't kept: `spec_drop`
// frees it.
HdStatus spec_make(HdProgram *program, const char *kernel,
                   const HdEmbed *embeds, int n_embeds,
                   const SpecLimits *limits, Spec *spec);
void spec_drop(const HdProgram *program, Spec *spec);
// HD_ERROR_PROGRAM (reported) where it calls a function that has a contract but
// no body.
HdStatus spec_check_runnable(HdProgram *program, const Spec *spec);
// As spec_get, of a kernel that is going to run: HD_ERROR_PROGRAM (reported)
// where it calls a function that has a contract but no body.
HdStatus spec_get_runnable(HdProgram *program, const char *kernel,
                           const HdEmbed *embeds, int n_embeds, Spec **out);
// The IR of a tree that somebody made, from `arena`, with the defaults; errors
// go to `diags`, which were empty and are those of the tree's sema. NULL: there
// are some. `open`: as in ir_check_groups_but, or NULL. `rules`: the kind of
// source whose rules the tree follows.
IrKernel *spec_try(const HdProgram *program, DiagEngine *diags,
                   const KernelTree *tree, const char *name, Arena *arena,
                   OpenConditions *open, const KernelSource *rules);

// --- code.c ---
// Facts of array and pointer arguments have FACTS_BITS each in parameter order;
// of those that don't fit nothing is known. The grid has one bit, the schedule
// three.
#define FACTS_END         60
#define FACTS_FEW_THREADS (UINT64_C(1) << 60)
#define FACTS_LANES_APART (UINT64_C(1) << 61)
#define FACTS_MOMENT      62 // of products, two bits
// Code for a set of facts, from memory, disk or the code generator. The caller
// holds the session's lock.
HdStatus code_get(HdProgram *program, CodeTarget *target, Spec *spec,
                  uint64_t facts, const CodeEntry **out);
// Code wasn't generated, and `why` says why: the message. Where it would be too
// much, that is reported at its place.
HdStatus code_fail(HdProgram *program, const CodeTarget *target,
                   const Spec *spec, HdStatus status, const char *why);
// As a launch on the device takes it.
HdStatus variant_get(HdProgram *program, Spec *spec, HdDevice *device,
                     uint64_t facts, const void **out);
void code_free(HdSession *session);

// --- threads.c ---
// The kernel as the target takes it: of threads. A tile kernel is lowered into
// `arena`; HD_ERROR_PROGRAM (reported): the target doesn't run it.
HdStatus threads_get(HdProgram *program, const CodeTarget *target,
                     const Spec *spec, Arena *arena, const IrKernel **out);
// What makes its products there: ProductUnits, by node of the kernel.
HdStatus threads_units(HdProgram *program, const CodeTarget *target,
                       const Spec *spec, Arena *arena, const uint8_t **out);

// --- globals.c ---
// Addresses on the device by object id of module->globals, allocated with their
// initial values at first use. The caller holds the lock.
HdStatus globals_table(HdProgram *program, Spec *spec, HdDevice *device,
                       void *const **out);
void globals_free(HdProgram *program);

// --- device.c ---
void device_retain(HdDevice *device);

// --- buffer.c ---
void memory_begin_use(Memory *memory);
void memory_end_use(Memory *memory);
void memory_retain(Memory *memory);
void memory_release(Memory *memory);
void memory_wait(Memory *memory); // for the launches that use it
// Shape over the memory of others, HD_STRUCT elements included; what is wrong
// with it is told in the words of `what`.
HdStatus buffer_wrap(HdDevice *device, const char *what, void *data,
                     HdType type, size_t element_bytes, int rank,
                     const int64_t *extents, const int64_t *strides,
                     HdBuffer **out);

#endif
