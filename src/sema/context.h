// SPDX-License-Identifier: Apache-2.0
// What the files of sema share: state while checking, and the functions that
// one file offers to the others.
//
// A *unit* is the file scope of one AST, made once. A *kernel state* is one
// specialisation in the making. A *body state* is one function instance, or
// the kernel itself; bodies nest where a call makes an instance.
#ifndef HD_SEMA_CONTEXT_H
#define HD_SEMA_CONTEXT_H

#include "base/map.h"
#include "base/vec.h"
#include "sema/sema.h"
#include "syntax/ast.h"
#include "tile/layout/layout_name.h"

// --- names ---

// A type as declared: with what only declarations carry.
typedef struct {
  const Type *type;
  int64_t group_size; // group(n): threads that it must have; 0: any
  bool is_const;
  Space space; // qualifier on the object itself; TSPACE_UNKNOWN: none
  bool is_cluster;
  // mbarrier(n): arrivals; pipeline(n): stages; 0: not stated.
  int64_t count;
  // The outermost pointer was written without a space: it takes the space of
  // what it is bound to.
  bool takes_space;
} QualType;

typedef enum {
  SYMBOL_VAR,
  SYMBOL_CONST, // enumerator, embedded value
  SYMBOL_TYPE,
  SYMBOL_TAG,
  SYMBOL_FUNC,
  SYMBOL_KERNEL,
  SYMBOL_LAYOUT,
  SYMBOL_POISON, // its declaration was wrong
} SymbolKind;

typedef struct FuncSymbol FuncSymbol;
typedef struct Symbol Symbol;

struct Symbol {
  SymbolKind kind;
  const char *name;
  Span span;
  uint32_t order; // file scope: which declaration it came with
  uint32_t depth; // of its scope, 0: the outermost of its table
  Symbol *shadowed;
  Symbol *next;   // in the same scope
  Type *tag_type; // TAG
  QualType type;
  TValue value; // CONST, of type.type
  TVar *var;
  FuncSymbol *func;
  const LayoutSpec *layout;
};

typedef struct {
  Map names, tags; // interned name -> innermost Symbol
  hd_vec(Symbol *) scopes;
} ScopeTable;

// --- functions ---

typedef struct Instance {
  struct Instance *next;
  const char *key; // interned
  TFunc *func;     // NULL: had errors
} Instance;

struct FuncSymbol {
  const char *name;
  const Decl *decl;    // the definition, else the first declaration
  uint32_t order;      // of the definition
  Instance *instances; // of the kernel that is being checked
  uint32_t epoch;      // which one that is
  bool is_active;      // on the stack of bodies being checked
  bool is_reached;     // some kernel called it
};

// --- units ---

typedef struct {
  const Decl *decl;
  uint32_t order; // position in the file
} KernelSymbol;

typedef struct Unit {
  struct Unit *next;
  const AstUnit *ast;
  ScopeTable scope;
  uint32_t order; // while preparing: number of the current declaration
  bool fast_math;
  bool no_contract; // #pragma STDC FP_CONTRACT OFF at file scope
  bool has_errors;
  hd_vec(FuncSymbol *) funcs; // in source order
  hd_vec(KernelSymbol) kernels;
  hd_vec(TVar *) globals;
  Map undeclared;  // names reported as such, once a file or body
  Map definitions; // TypeSyntax id of a struct, union, enum -> Type
} Unit;

// --- bodies ---

typedef enum {
  JUMP_LOOP,
  JUMP_SWITCH,
  JUMP_GROUP,
  JUMP_THREAD_LOOP,
  JUMP_TURN, // of a constexpr for
} JumpKind;

// What encloses a statement, for break, continue and return.
typedef struct Jump {
  struct Jump *outer;
  JumpKind kind;
  const char *construct; // GROUP, THREAD_LOOP, TURN: "thread_group"
  bool is_left;          // TURN: by `continue`
  const TVar *produces;  // the pipeline that `produce` works on, or NULL
  const TVar *counts;    // of a stage without a turn the pipeline, or NULL
  int64_t lag;           // of that stage
} Jump;

typedef struct {
  const char *name;
  Span span;
} Label;

// The current group, as far as it is known at compile time.
typedef struct {
  uint32_t number;         // of the statement that made it; the kernel's: 0
  int64_t size;            // threads; 0: not known
  int64_t max_size;        // it has no more; 0: not known
  int64_t parts;           // of its parent; 0: not known
  bool is_open;            // how many there are in a block is not known
  TGroupRef ref;           // how it was made
  bool is_strided_thread;  // this_thread() of a strided loop
  const char *reason;      // is_strided_thread: why it isn't the split form
  const char *operator_of; // in an operator of "'reduce'"; else NULL
} GroupState;

typedef struct Body {
  struct Body *caller;
  FuncSymbol *symbol; // NULL: a kernel
  const char *name;
  Span call_span; // where this instance was asked for
  ScopeTable scope;
  uint32_t visible_order; // file-scope names declared later are hidden
  const Type *result;     // void: none; a tile of rank 0: the returns decide
  bool result_is_tile;    // they decide, or did
  bool result_takes_space;
  bool has_result; // result is decided (for result_takes_space)
  hd_vec(TVar *) vars;
  hd_vec(TVar *) temporaries; // made by expressions, not yet declared
  Jump *jump;
  GroupState group;
  const TVar *barrier;         // as in TFunc
  Map undeclared, definitions; // as in Unit
  Map pointer_spaces; // declaration id -> Space + 1, kept over a second pass
  bool needs_rerun;   // a pointer was used before its space was known
  // Product of the iterations of the thread loops around; 0 in a group
  // statement, whose loops don't speak about the whole block.
  int64_t thread_product;
  bool fp_contract;
  bool fast_math;
  hd_vec(Label) labels;
  Map gotos; // names that a refused goto wanted
} Body;

// A loop over threads with a constant number of iterations.
typedef struct {
  int64_t product; // its iterations, times those of the loops around it
  Span span;
} ThreadTrip;

typedef struct {
  TKernel *kernel;
  Map globals; // TVar -> itself: file-scope objects that are used
  hd_vec(TVar *) global_list;
  TVar *launch_sized;       // the shared array sized at launch, or NULL
  bool is_final;            // block_size is decided: 0 is a fact
  bool is_tile;             // its body is tile code (tile.h)
  int64_t block_size;       // threads of the block; 0: not (yet) known
  hd_vec(ThreadTrip) trips; // of a loop kernel, from its first pass
} KernelState;

// An expression may not be evaluated: sizeof, dead branches. Errors that only
// concern values are not reported there.
struct SemaContext {
  Arena *arena;
  Interner *names;
  DiagEngine *diags;
  SourceText *source;
  SemaOptions options;
  TypeTable *types;
  Unit *units;
  Unit *unit;
  Body *body; // NULL at file scope
  KernelState *kernel;
  uint32_t n_errors;
  // Note [Poison without an error]: the first in this kernel; or {0, 0}.
  Span unexplained;
  uint32_t unevaluated;
  uint32_t depth;        // of nested checks, bounded
  bool has_depth_error;  // reported once: the places above have it too
  uint32_t epoch;        // number of the kernel that is being checked
  uint32_t n_instances;  // of it
  uint32_t n_exprs;      // of it, made so far
  uint32_t n_groups;     // group statements and bodies of thread loops so far
  GroupState lone_group; // of a function that is checked without a caller
  bool lone_is_tile;     // it is tile code
  // The left side of an assignment that is being checked, or NULL.
  const Expr *assigned;
  // The assignment whose right side is being checked, or NULL.
  const Expr *assignment;
  // The declaration that may have the word 'tmem', or NULL.
  const TypeSyntax *tensor_syntax;
  // The one place that may name an array in tensor memory, or NULL.
  const Expr *tensor_name;
  // The type that is being resolved is that of elements of a tile or of an
  // array parameter.
  bool takes_narrow;
  bool in_requires;
  bool in_clause;    // clauses, extents: evaluated before there are threads
  bool in_extent;    // of a shared array: sizes of groups are known
  bool in_address;   // operand of &: one past the end is no error
  bool is_partial;   // without all embedded values: uses may be unseen
  Map builtin_names; // interned name -> BuiltinName
  Map builtin_types; // interned name -> const Type **
  Map later_names;   // interned name -> feature
  Map refused_names; // interned name -> RefusedName
  // The literal whose address is taken, or that of a part.
  const Expr *wanted_literal;
  // The member that is being given a value, and its struct; or NULL.
  const Field *target;
  const Type *target_record;
};

// --- reporting (report.c) ---

#define SEMA_ERROR(cx, span, id, ...)                                          \
  sema_report((cx), (span), DIAG_##id, (DiagArg[]){__VA_ARGS__},               \
              sizeof((DiagArg[]){__VA_ARGS__}) / sizeof(DiagArg))
#define SEMA_ERROR0(cx, span, id) sema_report((cx), (span), DIAG_##id, NULL, 0)
// The same for what is only wrong if it is executed.
#define SEMA_VALUE_ERROR(cx, span, id, ...)                                    \
  ((cx)->unevaluated ? (Diag *)NULL : SEMA_ERROR(cx, span, id, __VA_ARGS__))

Diag *sema_report(SemaContext *cx, Span span, DiagId id, const DiagArg *args,
                  size_t n_args);
Place sema_place(const SemaContext *cx, Span span);
const char *sema_type_name(SemaContext *cx, const Type *type);
// The source text of a span on one line, cut to a readable length.
const char *sema_source_text(SemaContext *cx, Span span);
// "'x is not available in this version'" for the feature; returns false.
bool sema_not_available(SemaContext *cx, Span span, const char *feature);
// Bounds nesting through calls: false (reported) when it is too deep, else to
// be paired with sema_leave().
bool sema_enter(SemaContext *cx, Span span);
void sema_leave(SemaContext *cx);
const char *sema_format(SemaContext *cx, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
#define NT(cx, type) DS(sema_type_name((cx), (type)))

// --- names (scope.c) ---

void sema_scope_push(SemaContext *cx, ScopeTable *table);
void sema_scope_pop(SemaContext *cx, ScopeTable *table);
// Declares a name in the innermost scope; reports and returns NULL when it is
// taken there.
Symbol *sema_scope_declare(SemaContext *cx, SymbolKind kind, const char *name,
                           Span span);
Symbol *sema_scope_declare_tag(SemaContext *cx, const char *name, Span span);
// The innermost visible symbol, or NULL. Built-in names are not symbols.
Symbol *sema_scope_find(SemaContext *cx, const char *name);
Symbol *sema_scope_find_tag(SemaContext *cx, const char *name);
Symbol *sema_scope_find_here(SemaContext *cx, const char *name, bool is_tag);
void sema_scope_undeclared(SemaContext *cx, Span span, const char *name);
ScopeTable *sema_scope_current(SemaContext *cx);

// --- types (resolve_type.c, resolve_record.c) ---

typedef struct {
  bool allows_runtime; // extents that are not constant go to `extents`
  bool is_function;    // extents over arguments, not host expressions
  bool allows_open;    // the outermost extent may be missing: -1
  const char *what;    // "parameter 'x'", for messages
  TExpr *extents[8];   // of dimension i, where it is not constant
  uint32_t rank;       // array dimensions seen
} ArrayContext;

// Reports and gives the poison type when it isn't a type. `arrays` may be NULL:
// all extents must be constant.
QualType sema_resolve_type(SemaContext *cx, const TypeSyntax *syntax,
                           ArrayContext *arrays);
// Likewise of what may be an element of a tile or of an array parameter.
QualType sema_resolve_element(SemaContext *cx, const TypeSyntax *syntax,
                              ArrayContext *arrays);
QualType sema_resolve_record(SemaContext *cx, const TypeSyntax *syntax);
QualType sema_resolve_enum(SemaContext *cx, const TypeSyntax *syntax);
// The alignment of all _Alignas of a declaration, or 0.
uint32_t sema_resolve_alignment(SemaContext *cx, const Decl *decl,
                                const Type *type);
QualType sema_plain(const Type *type);
void sema_builtin_types_init(SemaContext *cx);
const Type *sema_builtin_type(SemaContext *cx, const char *name);
const Type *sema_basic(SemaContext *cx, TypeKind kind);

// --- making nodes (build.c); all fold constants ---

TExpr *build_expr(SemaContext *cx, TExprKind kind, const Type *type, Span span);
TExpr *build_poison(SemaContext *cx, Span span);
// Something else that is poison was met.
void build_note_poison(SemaContext *cx, Span span);
// False: there was poison, but no error in all of this round; that is reported.
bool build_is_explained(SemaContext *cx);
TExpr *build_const(SemaContext *cx, const Type *type, TValue value, Span span);
TExpr *build_int(SemaContext *cx, const Type *type, int64_t value, Span span);
TExpr *build_var(SemaContext *cx, TVar *var, Span span);
TExpr *build_load(SemaContext *cx, TExpr *place);
// Converts between scalar types or vectors of equal count, without checks.
TExpr *build_convert(SemaContext *cx, TExpr *value, const Type *to);
TExpr *build_unary(SemaContext *cx, TOp op, TExpr *operand, Span span);
// Operands already have the types that the operator works in.
TExpr *build_binary(SemaContext *cx, TOp op, const char *spelling, TExpr *left,
                    TExpr *right, Span span);
// A row or element of an array or of its rows.
TExpr *build_index(SemaContext *cx, TExpr *array, TExpr *index, Span span);
TExpr *build_addr(SemaContext *cx, TExpr *place, Span span);
TExpr *build_deref(SemaContext *cx, TExpr *pointer, Span span);
TExpr *build_ptr_add(SemaContext *cx, TExpr *pointer, TExpr *count, Span span);
TExpr *build_call_builtin(SemaContext *cx, Builtin id, const Type *type,
                          TExpr **args, uint32_t n_args, Span span);
TExpr *build_current_group(SemaContext *cx, Span span);
TVar *build_variable(SemaContext *cx, TVarKind kind, const char *name,
                     const Type *type, Span span);
TStmt *build_stmt(SemaContext *cx, TStmtKind kind, Span span);
bool expr_is_poison(const TExpr *expr);
bool expr_is_const(const TExpr *expr);
bool expr_is_null(const TExpr *expr); // a null pointer constant
// The variable that an lvalue is part of, or NULL (through a pointer).
TVar *expr_root(TExpr *place);
// The memory that a variable, or a place reached through a pointer, lies in.
Space sema_var_space(const TVar *var);
Space sema_place_space(const TExpr *place);

// --- barriers (check_barrier.c, check_pipeline.c, check_copy.c) ---

#define SEMA_MAX_ARRIVALS (((int64_t)1 << 20) - 1)
#define SEMA_MAX_STAGES   ((int64_t)1024)
#define SEMA_MAX_BARRIERS ((uint64_t)4096)

// Groups, tokens, mbarriers and pipelines can't be `done` ("copied"): reports
// and returns false for these types.
bool sema_may_be(SemaContext *cx, Span span, const Type *type,
                 const char *done);
// These types, and tiles, lie in no memory.
bool sema_may_lie(SemaContext *cx, Span span, const Type *type,
                  const char *done);
// What an object of such a type may be, and where it may be declared. Reports.
bool check_barrier_object(SemaContext *cx, const Decl *decl, QualType type,
                          TVar *var);
// An mbarrier, array of mbarriers or pipeline as it is passed to a function.
bool is_barrier_place(const TExpr *place);
TExpr *pass_barrier(SemaContext *cx, const TVar *param, TExpr *place,
                    const char *what);
TStmt *check_stage(SemaContext *cx, const Stmt *stmt);
bool sema_is_in_loop(const SemaContext *cx);

// --- values that need a place (check_place.c) ---

// Makes a place of a value or of a member of one. Returns the assignment that
// fills it; cx->body must be there.
TExpr *check_materialise(SemaContext *cx, TExpr **place);
// `fill`, then `value`.
TExpr *check_after_fill(SemaContext *cx, TExpr *fill, TExpr *value);
// The compound literal that an operand of & is, or is a part of; or NULL.
const Expr *check_literal_below(const Expr *expr);
// A literal as a place: *(object = {…}, &object), an object of the block.
TExpr *check_literal_place(SemaContext *cx, QualType type, TExpr *value,
                           Span span);

// --- conversions (convert.c) ---

// A value: loads places, turns arrays into pointers to their first element.
TExpr *convert_to_value(SemaContext *cx, TExpr *expr);
// The place of one element of a narrow type, which is an error. `array`: what
// it is an element of.
bool convert_is_lone(SemaContext *cx, const TExpr *place, Span span,
                     Span array);
TExpr *convert_decay(SemaContext *cx, TExpr *array);
// The first element of an array, as a place; and a pointer to the array itself.
TExpr *convert_first_element(SemaContext *cx, TExpr *array);
TExpr *convert_array_address(SemaContext *cx, TExpr *array);
TExpr *convert_promote(SemaContext *cx, TExpr *value);
// The usual arithmetic conversions; false (reported) when there is none.
bool convert_usual(SemaContext *cx, const char *op, TExpr **left, TExpr **right,
                   Span span);
const Type *convert_common_type(SemaContext *cx, const Type *a, const Type *b);
// As if by assignment; `what` says what is converted ("argument 1 of 'f'").
// Poison when it was refused.
// The same for `field` of `record`, or a part of it.
TExpr *convert_to_member(SemaContext *cx, TExpr *value, const Type *to,
                         const Type *record, const Field *field,
                         const char *what);
TExpr *convert_assign(SemaContext *cx, TExpr *value, const Type *to,
                      const char *what);
// Pointers to other memory meet at this place (SEMA_OPEN_...). False: that is
// to be told as an error.
bool convert_note_open(SemaContext *cx, const char *tag, Span span);
// A bool, for conditions.
TExpr *convert_to_bool(SemaContext *cx, TExpr *value);
// Casts written by the user.
TExpr *convert_cast(SemaContext *cx, TExpr *value, QualType to, Span span);

// --- expressions (check_*.c) ---

TExpr *check_expr(SemaContext *cx, const Expr *expr);
TExpr *check_value(SemaContext *cx, const Expr *expr);
TExpr *check_condition(SemaContext *cx, const Expr *expr);
// Likewise of && and ||, which take tiles too.
TExpr *check_operand(SemaContext *cx, const Expr *expr);
TExpr *check_literal(SemaContext *cx, const Expr *expr);
TExpr *check_string_size(SemaContext *cx, const Expr *expr);
TExpr *check_comma(SemaContext *cx, const Expr *expr);
TExpr *check_cast(SemaContext *cx, const Expr *expr);
TExpr *check_sizeof(SemaContext *cx, const Expr *expr);
// A value that is not evaluated when `is_dead`.
TExpr *check_branch(SemaContext *cx, const Expr *expr, bool is_dead);
TExpr *check_name(SemaContext *cx, const Expr *expr);
TExpr *check_unary(SemaContext *cx, const Expr *expr);
TExpr *check_binary(SemaContext *cx, const Expr *expr);
TExpr *check_assign(SemaContext *cx, const Expr *expr);
TExpr *check_inc_dec(SemaContext *cx, const Expr *expr);
TExpr *check_conditional(SemaContext *cx, const Expr *expr);
TExpr *check_index(SemaContext *cx, const Expr *expr);
// It has subscripts like [lo:n] or [:].
bool has_section(const Expr *expr);
TExpr *check_member(SemaContext *cx, const Expr *expr);
// Reports that the record has no such member.
TExpr *check_no_field(SemaContext *cx, const Type *record, const Expr *expr);
TExpr *check_call(SemaContext *cx, const Expr *expr);
TExpr *check_compound_literal(SemaContext *cx, const Expr *expr);
TExpr *check_generic(SemaContext *cx, const Expr *expr);
TExpr *check_offsetof(SemaContext *cx, const Expr *expr);
TOp check_binary_op(BinaryOp op, const char **spelling);
// The place that a pointer points to; reports incomplete types.
TExpr *check_pointee(SemaContext *cx, TExpr *pointer, Span span);
// The operator of two checked values, for binary and compound assignment.
TExpr *check_binary_values(SemaContext *cx, BinaryOp op, TExpr *left,
                           TExpr *right, Span span);
// May this place be written? Reports.
bool check_writable(SemaContext *cx, TExpr *place, const char *op, Span span);
// Pointer variables without a space take that of `value`; returns the value
// converted to the variable's type.
TExpr *check_bind_pointer(SemaContext *cx, TVar *var, TExpr *value,
                          const char *what);
// `requires` on a function: an assertion on entry.
TStmt *check_requirement_stmt(SemaContext *cx, const Expr *expr);
const Clause *function_clause(const Decl *decl, ClauseKind kind);
bool function_threads(SemaContext *cx, const Clause *clause, int64_t *size);
// What a section is of, `expr` or its base, is an array. Reports.
bool check_section_base(SemaContext *cx, const Expr *expr);
// A section or a whole array, for contracts.
bool check_section(SemaContext *cx, const Expr *expr, TSection *out);

// Constants. Each reports when it is not one, as `what`.
bool check_const_int(SemaContext *cx, const Expr *expr, const char *what,
                     int64_t *out);
TExpr *check_const_value(SemaContext *cx, const Expr *expr, const Type *type,
                         const char *what);
// An integer as long; reports as `what`.
TExpr *check_long(SemaContext *cx, const Expr *expr, const char *what);
// An integer host expression as long; reports as `what`.
TExpr *check_host_long(SemaContext *cx, const Expr *expr, const char *what);

// --- calls ---

typedef struct BuiltinName BuiltinName;
TExpr *check_builtin_call(SemaContext *cx, const BuiltinName *builtin,
                          const Expr *call);
const BuiltinName *builtin_find(SemaContext *cx, const char *name);
// All names, for "did you mean".
uint32_t builtin_name_list(const char *const **names);
const char *later_find(SemaContext *cx, const char *name);
void builtin_tables_init(SemaContext *cx);
TExpr *check_printf(SemaContext *cx, const Expr *call);

// --- warn_values.c ---

// Warns about variables of a body without errors that are never used, or read
// before they have a value. `vars` are indexed by id.
void sema_warn_values(SemaContext *cx, const TStmt *body, TVar *const *vars,
                      uint32_t n_vars);
TExpr *check_user_call(SemaContext *cx, Symbol *symbol, const Expr *call);
TExpr *check_predicate(SemaContext *cx, Builtin id, const char *name,
                       const Expr *call);

// --- groups as values (group_value.c; constructors: group_make.c) ---

// Does this expression name a group, as far as its form tells? It is then
// checked with check_group_expr, never as a value.
bool is_group_expr(SemaContext *cx, const Expr *expr);
// A TEXPR_GROUP, or poison (reported) where the expression is something else;
// `where` says what needs a group: "argument 1 of 'sync'".
TExpr *check_group_expr(SemaContext *cx, const Expr *expr, const char *where);
TExpr *build_named_group(SemaContext *cx, TVar *var, Span span);
// What is known of the group that is current here.
TGroupFacts current_group_facts(const SemaContext *cx);
// Demands the size that `group(n)` stated; reports as `name`.
bool check_stated_size(SemaContext *cx, const char *name, int64_t needed,
                       const TExpr *group);
// "32", or "no constant number": for messages.
const char *group_size_text(SemaContext *cx, int64_t size);
TStmt *check_with(SemaContext *cx, const Stmt *stmt);

// --- initialisers (check_init.c, image.c) ---

// The value of an object of type `type` (completed from the initialiser when
// its outermost extent is open: *completed, may be NULL if it never is).
TExpr *check_initialiser(SemaContext *cx, const Expr *init, const Type *type,
                         const Type **completed, const char *what);
// Writes a constant value into `bytes` (zeroed, of the type's size). Reports
// what isn't constant, as `what`.
bool image_write(SemaContext *cx, const TExpr *value, uint8_t *bytes,
                 const char *what);

bool image_is_constant(const TExpr *value);

// --- declarations and statements ---

TVar *declare_object(SemaContext *cx, const Decl *decl, TExpr **init);
void declare_typedef(SemaContext *cx, const Decl *decl);
void check_static_assert(SemaContext *cx, const Decl *decl);

typedef struct {
  hd_vec(TStmt *) list;
} StmtBuilder;

void declare_local(SemaContext *cx, const Decl *decl, StmtBuilder *out);
void apply_pragma(SemaContext *cx, PragmaKind kind);
// Warns about labels that nobody names.
void check_labels(SemaContext *cx, Body *body);
TStmt *build_block(SemaContext *cx, const StmtBuilder *items, Span span);
TStmt *check_stmt(SemaContext *cx, const Stmt *stmt);
TStmt *check_block(SemaContext *cx, const Stmt *stmt); // with its own scope
// Refuses variables of one thread that are larger than it may have.
void declare_check_size(SemaContext *cx, const TVar *var);
// Declares what expressions of the block made, from temporary `first` on, at
// its front.
void declare_temporaries(SemaContext *cx, uint32_t first, StmtBuilder *block);
void check_items(SemaContext *cx, const StmtList *items, StmtBuilder *out);
TStmt *check_loop(SemaContext *cx, const Stmt *stmt);
TStmt *check_switch(SemaContext *cx, const Stmt *stmt);
TStmt *check_group_stmt(SemaContext *cx, const Stmt *stmt);
TStmt *check_thread_for(SemaContext *cx, const Stmt *stmt);
TStmt *check_parallel_for(SemaContext *cx, const Stmt *stmt);
uint32_t check_unroll(SemaContext *cx, const UnrollPragma *unroll);
// Reports `what` in a strided thread loop or a flat nest, where only single
// threads run. True when it is allowed.
bool sema_sizes_are_final(const SemaContext *cx);
bool check_needs_group(SemaContext *cx, Span span, const char *what);
// Reports `what` in the operator of a reduction or scan.
bool check_no_operator(SemaContext *cx, Span span, const char *what);
// Can control reach the end of the statement?
bool stmt_falls_through(const TStmt *stmt);

#endif
