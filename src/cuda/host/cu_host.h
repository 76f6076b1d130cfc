// SPDX-License-Identifier: Apache-2.0
// Numbers of host code, as far as they are known: constants, and expressions
// over variables whose values aren't.
//
// Host code is not translated. An expression is followed through what variables
// got last, and through functions that are one `return`. All numbers are taken
// to be whole and not to overflow: what is found is trusted, and listed.
#ifndef HD_CUDA_HOST_CU_HOST_H
#define HD_CUDA_HOST_CU_HOST_H

#include "cuda/form/cu.h"
#include "cuda/host/cx_writes.h"

typedef enum {
  CU_HOST_NUMBER,
  CU_HOST_VARIABLE, // what it holds at the launch
  CU_HOST_ADD,
  CU_HOST_SUB,
  CU_HOST_MUL,
  CU_HOST_DIV,
  CU_HOST_CDIV, // rounded up
  CU_HOST_REM,
  CU_HOST_MIN,
  CU_HOST_MAX,
  CU_HOST_SHL, // of a number by what isn't one
} CuHostKind;

typedef struct CuHost {
  CuHostKind kind;
  int64_t number;
  const char *name; // interned
  const struct CuHost *a, *b;
} CuHost;

// A variable, or a member of one, that has this value wherever the launch is
// made.
typedef struct {
  const char *name, *member; // interned; NULL: the variable itself
  const CuHost *term;        // in their place: what has the value
  const CuHost *value;
} CuHostPin;

// Variables of a function whose `return` is read.
typedef struct CuHostFrame CuHostFrame;

enum {
  CU_HOST_MOST_DEPTH = 24,
  CU_HOST_MOST_STEPS = 1000,
  CU_HOST_MOST_LEVELS = 3
};

// How host code is read. Set `cu` and `launch`, and cu->scope where names of
// the host function are looked up.
typedef struct {
  CuContext *cu;
  const CxLaunch *launch;
  // Variables whose values aren't known have those of their initialisers: for a
  // guess.
  bool is_loose;
  // Variables have what they have in the first turn of the loops around.
  bool is_first;
  uint32_t at; // the token at which variables are read
  // Where objects are asked, as in a condition before the launch; 0: there, too
  uint32_t asked_at;
  uint32_t depth, n_steps;
  uint32_t level; // of callers: 0 is the function that launches
  // What conditions around the launch say of variables: counts where sizes are
  // read.
  hd_vec(CuHostPin) pins;
  bool has_pins, is_size;
  const CuHostFrame *frame; // NULL: in the function that launches
} CuHostReader;

// --- launches ---

// Three dimensions each; false: none is known. Of those that aren't dims[i] is
// NULL.
bool cu_host_grid(CuHostReader *reader, const CuHost *dims[3]);
bool cu_host_block(CuHostReader *reader, const CuHost *dims[3]);
// Bytes of dynamic shared memory; NULL: not known, or not given.
const CuHost *cu_host_shared(CuHostReader *reader);
// What the kernel is given, and how many that are; 0: not known. NULL: one that
// isn't, which is only found among exactly `most`.
uint32_t cu_host_args(CuHostReader *reader, uint32_t most, const CxExpr **out);
// What `cudaMalloc(&name, bytes)` gave the variable; NULL: not known.
const CuHost *cu_host_bytes(CuHostReader *reader, const char *name);

// The bytes of a row for which cudaMallocPitch(…, &name, bytes, …) gave the
// variable a pitch; NULL: it didn't.
const CuHost *cu_host_row(CuHostReader *reader, const char *name);

// --- expressions ---

// The expression that the tokens are, of {a, b} that with a comma; NULL: they
// aren't one.
const CxExpr *cu_host_parse(const CuHostReader *reader, CxTokens tokens);
// Its value, as at the launch; NULL: not known.
const CuHost *cu_host_term(CuHostReader *reader, const CxExpr *expr);
// The value of an expression that is evaluated at token `at`, or of NULL.
const CuHost *cu_host_follow(CuHostReader *reader, const CxExpr *expr,
                             uint32_t at);
// What a variable of the file, or a member of one, has; NULL: not known.
const CuHost *cu_host_global(CuHostReader *reader, const CxPlace *place);
// The name that an expression is, or NULL.
const char *cu_host_name(const CxExpr *expr);
// The variable of that name that is there; NULL: none, or a parameter.
const CxHostVar *cu_host_local(const CuHostReader *reader, const char *name);
CxWrite cu_host_write(const CuHostReader *reader, const CxPlace *place,
                      const CxHostVar *local);
// Axis 0 to 2 of a local dim3; NULL: not known, or it isn't one.
const CuHost *cu_host_axis(CuHostReader *reader, const char *name, int axis);
// A member of a variable, or the variable (NULL), that has the same value at
// the launch; NULL: it may be another.
const CuHost *cu_host_symbol(const CuHostReader *reader, const char *name,
                             const char *member);

// Of dimensions; false: none is known. Those that aren't are NULL.
bool cu_host_dims(CuHostReader *reader, const CxExpr *expr,
                  const CuHost *dims[3]);
bool cu_host_dims_of(CuHostReader *reader, CxExpr *const *args, uint32_t count,
                     const CuHost *dims[3]);
bool cu_host_is_dim3(const CxType *type);
bool cu_host_is_real(const CxType *type); // float, double

// --- calls ---

// What a function of the file or a lambda gives: dimensions, or a number
// (dims[0]). False: not known.
bool cu_host_call(CuHostReader *reader, const CxExpr *call,
                  const CuHost *dims[3], bool is_dims);
// What x.size(0) gives, whatever x is; NULL: it isn't such a question, or x may
// be changed before the launch.
const CuHost *cu_host_method(CuHostReader *reader, const CxExpr *call);
// What all calls of the function that launches pass as its parameter, a number;
// NULL: not known, or there may be others.
const CuHost *cu_host_called(CuHostReader *reader, const char *param);
// An earlier parameter of it that nothing has changed, and that all calls pass
// the same value for, whatever that is; NULL: none.
const char *cu_host_twin(const CuHostReader *reader, const char *param);

// The call of the function that launches at token `at` of `around`, read there:
// the argument for its parameter `index`.
typedef struct {
  CxLaunch call;
  CuHostReader reader;
  CuScope *before;
  const CxExpr *argument; // NULL: none is found
} CuHostCaller;

// False: it can't be read. Else leave it with the next one.
bool cu_host_enter_call(const CuHostReader *reader, CxDecl *around, uint32_t at,
                        uint32_t index, CuHostCaller *out);
void cu_host_leave_call(CuHostCaller *caller);
int cu_host_param_index(const CxDecl *function, const char *param); // -1: none
// Where a lambda reads what is around it; 0: it is none.
uint32_t cu_host_frame_outer(const CuHostFrame *frame);
// A variable of it; what it is, if that is known.
bool cu_host_frame_has(const CuHostFrame *frame, const char *name);
const CuHost *cu_host_frame_number(const CuHostFrame *frame, const char *name);
bool cu_host_frame_dims(const CuHostFrame *frame, const char *name,
                        const CuHost *dims[3]);

// --- conditions ---

void cu_host_find_pins(CuHostReader *reader);
// The value that the conditions say; NULL: they say none.
const CuHost *cu_host_pinned(const CuHostReader *reader, const char *name,
                             const char *member);

// Dimensions as conditions around the launch say that they are.
void cu_host_pin_dims(CuHostReader *reader, const CuHost *dims[3]);

// --- ranges ---

// What a variable is at least.
typedef struct {
  const char *name;
  int64_t least;
} CuHostLeast;

typedef hd_vec(CuHostLeast) CuHostLeasts;

// The number that the term is certainly a multiple of; 0: it is 0.
int64_t cu_host_factor(const CuHost *term);
// By the conditions around the launch and its counters.
void cu_host_find_leasts(CuHostReader *reader, CuHostLeasts *out);
// What the term is at most, by its form; false: not known.
bool cu_host_most(const CuHost *term, int64_t *out);
// False: not known.
bool cu_host_least(const CuHostLeasts *leasts, const CuHost *term,
                   int64_t *out);

// --- terms ---

const CuHost *cu_host_number(CuContext *cu, int64_t value);
const CuHost *cu_host_variable(CuContext *cu, const char *name);
// NULL operands give NULL.
const CuHost *cu_host_join(CuContext *cu, CuHostKind kind, const CuHost *a,
                           const CuHost *b);
bool cu_host_equal(const CuHost *a, const CuHost *b);
// What the operation gives; false: it overflows, or nothing.
bool cu_host_fold(CuHostKind kind, int64_t a, int64_t b, int64_t *out);
// a / by, if that has no rest.
const CuHost *cu_host_divide(CuContext *cu, const CuHost *a, int64_t by);

#endif
