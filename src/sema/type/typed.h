// SPDX-License-Identifier: Apache-2.0
// The typed tree: what a kernel means after specialisation.
//
// Made by    sema (sema.h), from the AST and the values of `constexpr`
//            parameters; one TKernel a specialisation.
// Read by    lower. It is never changed after it was handed out.
// Promises   every operand is already converted to the type its operator works
//            in; every name is resolved; all constants are folded; all group
//            sizes and clauses are numbers; no construct is left that this
//            version can't lower; nothing is poisoned (a kernel with an error
//            gives no tree).
// Owns       nothing: all nodes live in the arena of the SemaContext.
//
// Reading values
//   An expression with `is_lvalue` names a place: TEXPR_VAR, INDEX, DEREF,
//   MEMBER and COMPONENT of one. Places are read by an explicit TEXPR_LOAD, so
//   an lvalue without a LOAD above it is an address (operand of ADDR, ASSIGN,
//   ASSIGN_OP, INC_DEC) and everything else is a value. Arrays are never
//   loaded: they are indexed with their full rank or decay through ADDR.
#ifndef HD_SEMA_TYPE_TYPED_H
#define HD_SEMA_TYPE_TYPED_H

#include "sema/type/types.h"
#include "tile/layout/layout_form.h"

typedef struct TExpr TExpr;
typedef struct TSection TSection;
typedef struct TStmt TStmt;
typedef struct TVar TVar;
typedef struct TFunc TFunc;

// --- constants ---

// The value of a constant of arithmetic, enum or pointer (null) type. Integers
// are held sign- or zero-extended to 64 bits by their type; half … double are
// held exactly in a double, already rounded to their type.
typedef union {
  int64_t i;
  uint64_t u;
  double f;
} TValue;

typedef enum {
  BI_NONE,

#define BUILTIN(id, rule) BI_##id,
#include "sema/type/builtins.def"
#undef BUILTIN
#define TILE_BUILTIN(id, name, rule, lower, where) BI_TILE_##id,
#include "sema/type/tile_builtins.def"
} Builtin;

// What an operation on tiles says besides its operands.
typedef struct {
  uint32_t axis;
  uint32_t axes;                       // reductions: bit k, axis k goes
  uint32_t n_numbers;                  // used of numbers
  int64_t numbers[TYPE_MAX_TILE_RANK]; // one an axis; ROLL: one
  bool is_fast;                        // MMA: fast_acc
  bool is_reverse;                     // prefixes: from the end
  const TileLayout *layout; // RELAYOUT, LOCAL, LOCAL_INDEX, FROM_LOCAL
} TTileArgs;

// --- expressions ---

typedef enum {
  TEXPR_CONST,       // u.value
  TEXPR_VAR,         // lvalue; u.var
  TEXPR_LOAD,        // u.operand: an lvalue; its value
  TEXPR_INDEX,       // lvalue; u.index: element of an array, full rank
  TEXPR_DEREF,       // lvalue; u.operand: a pointer
  TEXPR_MEMBER,      // u.member: field of a record (lvalue if the base is)
  TEXPR_COMPONENT,   // u.member: .x .y .z .w of a vector (likewise)
  TEXPR_ADDR,        // u.operand: an lvalue; gives a pointer to it
  TEXPR_PTR_ADD,     // u.binary: pointer, long (elements, may be negative)
  TEXPR_PTR_DIFF,    // u.binary: pointers to equal types; gives long elements
  TEXPR_UNARY,       // u.unary: TOP_NEG, TOP_BIT_NOT, TOP_NOT (bool to bool)
  TEXPR_BINARY,      // u.binary: operands of one type; shifts: see TOp
  TEXPR_AND,         // u.binary: bool && bool, short-circuit
  TEXPR_OR,          // u.binary: bool || bool, short-circuit
  TEXPR_CONDITIONAL, // u.conditional: only the chosen side is evaluated
  TEXPR_COMMA,       // u.binary: left is evaluated and dropped
  TEXPR_ASSIGN,    // u.binary: lvalue, value of the same type; gives the value
  TEXPR_ASSIGN_OP, // u.assign: compound assignment, the place taken once
  TEXPR_INC_DEC,   // u.inc_dec
  TEXPR_CONVERT,   // u.operand: arithmetic, enum, pointer or fp8 conversion
  TEXPR_BROADCAST, // u.operand: scalar to vector of that element type; scalar
                   // or tile to a tile of that element type
  TEXPR_AGGREGATE, // u.aggregate: struct, vector or array value, zero filled
  TEXPR_CALL,      // u.call: a user function, to be inlined
  TEXPR_BUILTIN,   // u.builtin
  TEXPR_SECTION, // u.section: an lvalue of tile type, or argument of a builtin
  TEXPR_GROUP,   // u.group: only as argument of a builtin or call, in WITH, and
                 // as the initial value of a TVAR_GROUP
} TExprKind;

// Operators on tiles combine element by element tiles of one type.
// Comparisons and TOP_NOT give `bool` (C's int is an explicit CONVERT above).
// Both operands have one type; for shifts the right operand may have another
// integer type, and its value is taken modulo the width of the left. Vectors
// combine element by element. Pointers compare with EQ … GE.
typedef enum {
  TOP_NEG,
  TOP_BIT_NOT,
  TOP_NOT,
  TOP_ADD,
  TOP_SUB,
  TOP_MUL,
  TOP_DIV,
  TOP_REM,
  TOP_SHL,
  TOP_SHR,
  TOP_BIT_AND,
  TOP_BIT_OR,
  TOP_BIT_XOR,
  TOP_EQ,
  TOP_NE,
  TOP_LT,
  TOP_LE,
  TOP_GT,
  TOP_GE,
} TOp;

// What a group expression names.
typedef enum {
  TGROUP_CURRENT, // this_group(), and what `rank()` and `sync()` mean alone
  TGROUP_GRID,
  TGROUP_CLUSTER,
  TGROUP_BLOCK,
  TGROUP_WARP,   // 32 ranks of the block
  TGROUP_THREAD, // this_thread()
  TGROUP_NAMED,  // a group variable or parameter: u.group.var
  // These make a group where they are evaluated.
  TGROUP_TILED,       // of u.group.parent; u.group.operand: threads, int
  TGROUP_LABELED,     // of u.group.parent; u.group.operand: integer or pointer
  TGROUP_BINARY,      // of u.group.parent; u.group.operand: bool
  TGROUP_COALESCED,   // coalesced_threads()
  TGROUP_WHOLE,       // whole_warp()
  TGROUP_WHOLE_TILED, // whole_partition(): as TGROUP_TILED
} TGroupRef;

// What is known of a group at compile time. (Names of groups are seen through:
// `ref` is never NAMED; CURRENT is the group of a group statement or loop.)
typedef struct {
  TGroupRef ref;
  int64_t size;     // threads; 0: not constant
  int64_t max_size; // it has no more threads; 0: not known
  int64_t parts;    // into how many its parent is divided; 0: not constant
  bool is_open;     // how many there are in a block isn't constant
} TGroupFacts;

typedef enum {
  TORDER_RELAXED,
  TORDER_ACQUIRE,
  TORDER_RELEASE,
  TORDER_ACQ_REL,
} TOrder;

typedef enum {
  TSCOPE_BLOCK,
  TSCOPE_CLUSTER,
  TSCOPE_DEVICE,
  TSCOPE_SYSTEM,
  // The system, but of shared memory and the thread's own an ordinary access.
  TSCOPE_UNLESS_SHARED,
} TScope;

// The operator of a reduction or scan.
typedef enum {
  TCOMBINE_NONE,
  TCOMBINE_PLUS,
  TCOMBINE_MIN,
  TCOMBINE_MAX,
  TCOMBINE_BIT_AND,
  TCOMBINE_BIT_OR,
  TCOMBINE_BIT_XOR,
  TCOMBINE_FUNC, // T f(T, T)
} TCombine;

typedef enum {
  THINT_NONE,
  THINT_CACHED,
  THINT_STREAMING,
  THINT_LAST_USE
} THint;

// One initialised part of an aggregate; parts are in ascending order of offset
// and never overlap (a later initialiser of the same part replaced it).
typedef struct {
  uint64_t offset_bytes;
  TExpr *value;
} TInit;

struct TExpr {
  TExprKind kind;
  bool is_lvalue;
  bool is_const_place; // lvalue that may not be written
  bool may_contract;   // BINARY, ASSIGN_OP with a*b±c: fma allowed here
  // Evaluable on the host before a launch: constants, integer operators, min
  // max cdiv and loads of scalar kernel parameters only.
  bool is_host;
  const Type *type;
  Span span;

  union {
    TValue value;
    TVar *var;
    TExpr *operand;

    struct {
      TExpr *base;     // lvalue of array type: VAR, MEMBER, DEREF, INDEX (of an
                       // array of a type with arrays inside)
      TExpr **indices; // rank of the base's nested array type; each long or
                       // unsigned long, outermost first
      uint32_t n_indices;
      uint32_t n_written; // the others, zeros, made a row a pointer
    } index;

    struct {
      TExpr *base;
      uint64_t offset_bytes;
      const Field *field; // NULL for COMPONENT
      uint32_t component; // COMPONENT: 0 to 3
    } member;

    struct {
      TOp op;
      TExpr *operand;
    } unary;

    struct {
      TOp op; // BINARY only
      TExpr *left, *right;
    } binary;

    struct {
      TExpr *condition; // bool
      TExpr *if_true, *if_false;
    } conditional;

    // place = (place's type)((compute_type)place op right). For pointers op is
    // ADD or SUB, right is long elements, compute_type is the pointer's type.
    struct {
      TOp op;
      TExpr *place, *right; // right has compute_type (shifts: any integer)
      const Type *compute_type;
    } assign;

    struct {
      TExpr *place; // arithmetic or pointer
      bool is_increment, is_prefix;
    } inc_dec;

    struct {
      TInit *parts;
      uint32_t n_parts;
    } aggregate;

    struct {
      TFunc *func;
      TExpr **args; // one for each of func->params, in order
      uint32_t n_args;
    } call;

    struct {
      Builtin id;
      TExpr **args; // converted; group arguments first, as TEXPR_GROUP
      uint32_t n_args;
      TOrder order;          // atomics
      TScope scope;          // atomics, FENCE
      THint hint;            // LOAD, STORE
      TCombine combine;      // REDUCE, scans, updates
      TFunc *func;           // of TCOMBINE_FUNC
      const TTileArgs *tile; // operations on tiles, or NULL
      // PRINTF: the format's bytes, string arguments already merged; one
      // argument a conversion: int, unsigned, long, unsigned long, double or a
      // pointer, as promoted; an int before it for each '*'. ASSERT, ASSUME:
      // the condition as written.
      const char *text;
      uint32_t text_length;
      // PRINTF of strings that conditions choose: one format for each value of
      // the int that is the last argument; NULL: `text` is the only one.
      const char **formats;
      uint32_t n_formats;
    } builtin;

    struct {
      TGroupRef ref;
      TVar *var;      // NAMED: TVAR_GROUP or TVAR_ARG_GROUP
      TExpr *parent;  // TILED, LABELED, BINARY: a TEXPR_GROUP
      TExpr *operand; // likewise
      TGroupFacts facts;
    } group;

    TSection *section; // its type is that of the elements
  } u;
};

// --- variables ---

typedef enum {
  TVAR_LOCAL,       // of each thread: scalar, vector, struct, pointer
  TVAR_ARRAY,       // of each thread: array, constant extents
  TVAR_SHARED,      // one for each part of the group current at its declaration
  TVAR_CONSTANT,    // file scope, or a constant array in a function
  TVAR_GLOBAL,      // file scope, lives as long as the program
  TVAR_PARAM,       // kernel parameter by value: scalar, enum, vector, record
  TVAR_PARAM_PTR,   // kernel parameter: plain pointer
  TVAR_PARAM_ARRAY, // kernel parameter: array with extents
  // Function parameter by value; may be assigned. Of type mbarrier or pipeline:
  // another name of the argument, as are ARG_ARRAYs of mbarriers.
  TVAR_ARG,
  // Function parameter declared as an array. is_alias: the argument is a
  // whole array variable (TEXPR_VAR, not loaded) of equal rank and element
  // type, whose strides count. Else the argument is a pointer to the first
  // element, and the array is dense.
  TVAR_ARG_ARRAY,
  TVAR_INDUCTION, // the variable of a thread for or parallel for
  TVAR_GROUP,     // a name of a group: never assigned, has no storage
  TVAR_ARG_GROUP, // likewise, a function parameter
} TVarKind;

typedef struct {
  uint64_t begin, end;
} THole;

struct TVar {
  TVarKind kind;
  uint32_t id; // dense in one TKernel (and in one TFunc for its own)
  const char *name;
  const Type *type; // arrays: nested array type, extent -1 where not constant
  Span span;
  bool is_const;
  bool is_address_taken;
  bool is_assigned;  // written after its declaration
  bool is_alias;     // TVAR_ARG_ARRAY
  bool is_part;      // TVAR_ARG_ARRAY: of a part of an array, or a pointer
  Space space;       // TVAR_ARG_ARRAY: of its elements
  bool is_read_only; // PARAM_ARRAY, PARAM_PTR: const elements
  bool is_restrict;  // PARAM_PTR
  bool is_table;     // PARAM_ARRAY: several arrays, `T (*name[n])[M]`
  bool is_file_scope;
  bool is_cluster_shared; // SHARED: lives in the cluster's block of rank 0
  bool is_tensor;         // SHARED: lies in tensor memory instead
  bool is_refused;        // is_tensor: it can't, which is reported
  int64_t count;          // mbarrier: arrivals; pipeline: stages; parameters: 0
  // pipeline: its first produce or consume statement names turns, or doesn't
  bool names_turns, counts_turns;
  bool has_value; // constant object: every read was replaced by `value`
  TValue value;
  uint32_t align_bytes; // at least that of the type
  const THole *holes;   // SHARED: bytes that nothing touches
  uint32_t n_holes;

  // Arrays: one extent and one stride (elements) a dimension, outermost first,
  // long. Kernel parameters: host expressions. Strides NULL: dense row-major.
  uint32_t rank;
  const Type *element; // after removing `rank` array levels
  TExpr **extents;
  TExpr **strides;

  // Kernel parameters: position among the parameters that take part in a
  // launch (embedded ones have none).
  uint32_t param_index;

  // Tiles: the group that holds it, GroupState.number, and its threads.
  uint32_t holder;
  int64_t holder_size;
  const TileLayout *tile_layout; // stated; NULL: open

  // Pointers: everything bound to it besides its initialiser, in source order.
  TExpr **bindings;
  uint32_t n_bindings;

  TGroupFacts facts; // GROUP, ARG_GROUP

  const char *layout; // SHARED: "row_major", "swizzle32", …; NULL: open

  // CONSTANT and initialised GLOBAL: the image of the whole object.
  const uint8_t *image;
  uint64_t image_bytes;
  bool may_be_overwritten; // CONSTANT with an image: the host may write it

  // While checking only.
  bool takes_space;      // declared without a space
  bool is_read_unbound;  // read before its space was known
  bool is_read;          // INDUCTION
  bool is_declared;      // by a declaration of the program
  bool is_mentioned;     // its name was looked up
  bool is_initialising;  // its initialiser is being checked
  bool is_in_own;        // its initialiser uses its place, not its value
  uint32_t decl_id;      // of the AST
  Span bind_span;        // where it got its space
  const char *loop_word; // INDUCTION: "thread for"
};

// --- statements ---

typedef enum {
  TSTMT_EXPR,         // u.expr
  TSTMT_DECL,         // u.decl: the variable starts to exist here
  TSTMT_BLOCK,        // u.block
  TSTMT_IF,           // u.if_
  TSTMT_LOOP,         // u.loop: for, while, do
  TSTMT_SWITCH,       // u.switch_
  TSTMT_BREAK,        // the innermost loop or switch
  TSTMT_CONTINUE,     // the innermost loop or thread loop
  TSTMT_RETURN,       // u.expr or NULL
  TSTMT_GROUP,        // u.group
  TSTMT_WITH,         // u.with
  TSTMT_STAGE,        // u.stage
  TSTMT_THREAD_FOR,   // u.thread_loop
  TSTMT_PARALLEL_FOR, // u.thread_loop
} TStmtKind;

typedef enum {
  TGROUP_RANGE,     // thread_group, single_warp, warp_group
  TGROUP_SINGLE,    // single_thread: any one, always the same
  TGROUP_SINGLE_AT, // single_thread (i)
} TGroupKind;

typedef enum {
  TLOOP_SPLIT,   // thread for: N divides M
  TLOOP_STRIDED, // thread for: rank r runs r, r+M, …
  TLOOP_FLAT,    // parallel for: level of a flat nest of a loop kernel
  TLOOP_GRID,    // parallel for: level of the grid of a loop kernel
  // parallel for inside a block: `form` of the thread for it means, with a
  // sync before and after (each dropped only by lower's own test)
  TLOOP_FORK_SPLIT,
  TLOOP_FORK_STRIDED,
} TLoopForm;

typedef enum {
  TCLAIM_CONSUMES,
  TCLAIM_PRODUCES,
  TCLAIM_PRESERVES,
  TCLAIM_READS
} TClaimKind;

// A rectangle of an array: lo and length a dimension (long). In copies the
// lengths are constant.
struct TSection {
  TVar *array;
  TExpr **lo, **length;
  bool *is_index; // written as an index: no dimension of the section's shape
  uint32_t rank;
  Span span;
  // Of tiles: a tile of bool, where false counts as outside; what loads give
  // outside; nothing is outside. NULL: none.
  TExpr *mask, *outside;
  bool is_unchecked;
  THint load_hint, store_hint; // for the caches
};

typedef struct {
  TClaimKind kind;
  bool is_uninit;
  TSection section;
} TClaim;

// What one iteration owns, and the variable that names the iteration.
typedef struct {
  TVar *var;
  TClaim *data;
  uint32_t n;
} TClaims;

typedef struct {
  int64_t *values; // converted to the type of the switch
  uint32_t n_values;
  bool is_default;
  uint32_t first; // index into the body's statements where it starts
} TCase;

// unroll: 0 not asked, 1 don't, n by n, UNROLL_FULL entirely.
enum { UNROLL_FULL = 0x7fffffff };

struct TStmt {
  TStmtKind kind;
  Span span;

  union {
    TExpr *expr;

    struct {
      TVar *var;
      // Value of var's type, or NULL. Arrays: an AGGREGATE; groups: a GROUP.
      TExpr *init;
    } decl;

    struct {
      TStmt **stmts;
      uint32_t n_stmts;
    } block;

    struct {
      TExpr *condition;          // bool
      TStmt *if_true, *if_false; // if_false NULL: none
    } if_;

    struct {
      TStmt *init;      // NULL, DECL, EXPR or BLOCK of DECLs
      TExpr *condition; // bool; NULL: for ever
      TExpr *step;      // NULL: none; evaluated also after `continue`
      TStmt *body;
      bool is_post_tested; // do while
      uint32_t unroll;
      TClaims claims; // of a level of a flat nest that its thread runs alone
    } loop;

    struct {
      TExpr *value; // promoted integer
      TStmt *body;  // BLOCK; control falls through from case to case
      TCase *cases; // ascending `first`
      uint32_t n_cases;
    } switch_;

    struct {
      TGroupKind kind;
      TExpr *begin;  // long, in threads of the parent group; NULL for SINGLE
      int64_t count; // threads
      int64_t parent_size; // 0: not constant
      TStmt *body;
    } group;

    struct {           // produce (pipeline, k), consume (pipeline, k)
      TExpr *pipeline; // lvalue
      TExpr *k;        // int or long; NULL: the pipeline counts
      int64_t lag;     // consume without k: its slot is freed so much later
      bool is_produce;
      Span head;
      TStmt *body;
    } stage;

    struct {
      TExpr *group; // TEXPR_GROUP: current in the body
      TStmt *body;
    } with;

    struct {
      TVar *var;      // TVAR_INDUCTION, of the loop's integer type
      TExpr *lo, *hi; // of var's type; runs while var < hi (<=: hi is adjusted
                      // where that can't overflow, else is_inclusive)
      bool is_inclusive;
      int64_t step; // > 0
      TLoopForm form;
      int64_t iterations; // N, or -1: not constant
      int64_t group_size; // M, or 0: not constant
      TStmt *body;
      TClaims claims;
      uint32_t unroll;
      uint32_t grid_axis; // TLOOP_GRID: 0 is x
    } thread_loop;
  } u;
};

// --- functions and kernels ---

// One instance of a user function, for one set of embedded values, pointer
// spaces of its arguments, ways its arrays are bound, sizes of the groups that
// are passed to it, and size of the group it is called under.
// A name in the extents of an array parameter that nothing else declares: what
// the argument has there, `long`.
typedef struct {
  TVar *var;
  const TVar *array;
  uint32_t dimension;
} TOpenExtent;

struct TFunc {
  const char *name;
  uint32_t id;
  Span span;
  const Type *result; // TY_VOID: none
  TVar **params;      // embedded parameters are gone
  uint32_t n_params;
  TOpenExtent *open; // in tile code
  uint32_t n_open;
  TVar **vars; // every variable of the body, params first
  uint32_t n_vars;
  int64_t group_size; // of the calling group; 0: not constant
  TStmt *body;        // BLOCK
  // Of a contract in place of a body: all that it names.
  const TSection *sections;
  uint32_t n_sections;
  // An mbarrier or pipeline that it declares, or a function that it calls.
  const TVar *barrier;
  bool fast_math;
};

typedef enum {
  TLAUNCH_THREADS, // threads(…) or warps(…); grid by clause or launcher
  TLAUNCH_FLAT,    // loop kernel, form (a): the body is the nest
  TLAUNCH_GRID,    // loop kernel, form (b): leading loops are the grid
} TLaunchForm;

// `requires(e)`. Host conditions are tested at launch; the others are
// predicates on the contents of arrays: trusted, listed.
typedef struct {
  TExpr *condition; // bool
  bool is_host;
  const char *text; // as written
  Span span;
  bool is_given; // by who compiles: it stands nowhere in the file
} TRequire;

typedef struct {
  const char *name;
  bool is_type;
  const Type *type; // of the value, or the type itself
  TValue value;
  Span span;
} TEmbedded;

typedef struct {
  TVar *a, *b;
} TMayAlias;

// How many of what the clause tile(…) asks for; 0: the compiler's choice.
typedef struct {
  int64_t warps, stages, ctas, occupancy, consumers;
  bool is_pingpong, is_persistent;
  int64_t grouped; // order(grouped(n))
  bool is_longest_first;
  Span order_span; // of the hint order(…)
} TTileHints;

typedef struct TKernel {
  const char *name;
  Span span;
  TVar **params; // in order, without embedded ones
  uint32_t n_params;
  TEmbedded *embedded;
  uint32_t n_embedded;

  TLaunchForm form;
  // THREADS and GRID: threads of a block, x y z. FLAT: 0 0 0, the
  // implementation chooses.
  int64_t block[3];
  bool is_warps; // by warps(n)
  bool is_tile;  // holds tiles: one thread a block
  TTileHints hints;
  int64_t cluster[3]; // blocks; [0] 0: no clause
  TExpr *grid[3];     // host, long; [0] NULL: left to the launcher or the loops
  // GRID: number of iterations of each grid loop, innermost first.
  uint32_t n_grid;                   // 0 to 3; over tiles any number
  int64_t min_blocks, max_registers; // 0: not given
  TRequire *requires;
  uint32_t n_requires;
  TMayAlias *aliases;
  uint32_t n_aliases;
  TExpr *flops, *bytes; // host, double or integer; NULL: not declared

  TVar **globals; // CONSTANT and GLOBAL variables that are used, those of
                  // functions included
  uint32_t n_globals;
  TVar **vars; // every variable of the body; parameters first
  uint32_t n_vars;
  TStmt *body; // BLOCK
  bool fast_math;
} TKernel;

#endif
