// SPDX-License-Identifier: Apache-2.0
// Inside the translator: from the C++ tree to Heddle C in one walk. A value
// (CuValue) has its C++ type and its Heddle C expression at the same time.
//
// Note [Instantiation]
// Templates are never checked as such: an instantiation walks the same tree
// again, in a scope where the names of the parameters are bound. So there are
// no dependent types. An entity is a declaration in a scope: each instance of
// a class template has entities of its own for its members.
//
// Note [Names]
// Whatever is declared in the output has a CuName, and every place that spells
// it is noted there. What is really written is decided at the end
// (cu_names.c), when all names and all built-ins in use are known.
//
// Note [Evaluation on demand]
// A function is translated when a call of it is, a type when it is used, and
// each is put into the output when it is finished: so callees stand before
// their callers, and nothing is there that the kernel doesn't need.
#ifndef HD_CUDA_FORM_CU_H
#define HD_CUDA_FORM_CU_H

#include "base/map.h"
#include "cuda/cuda.h"
#include "cuda/form/cu_record.h"
#include "cuda/form/cu_type.h"
#include "cxx/cx_ast.h"

typedef struct CuContext CuContext;
typedef struct CuScope CuScope;
typedef struct CuEntity CuEntity;
typedef struct CuVariable CuVariable;
typedef struct CuPipeline CuPipeline;
typedef struct CuFunction CuFunction;
typedef struct CuFrame CuFrame;
typedef struct CuIndex CuIndex;

typedef hd_vec(Expr *) CuExprVec;
typedef hd_vec(Stmt *) CuStmtVec;
typedef hd_vec(Decl *) CuDeclVec;
typedef hd_vec(CuEntity *) CuEntityVec;
typedef hd_vec(Clause) CuClauseVec;

// --- constants and template arguments ---------------------------------------

typedef struct {
  enum { CU_NOT_CONST, CU_CONST_INT, CU_CONST_FLOAT } kind;

  int64_t i; // the bits, of unsigned types too
  double f;
} CuConst;

// A type, or a value of type `type`; of a pack its elements; for a parameter
// that is a template, the template. There is one for each parameter.
typedef struct CuArg {
  bool is_type;
  bool is_pack;
  const CuType *type;
  CuConst value;
  CuEntity *template; // NULL: none
  const struct CuArg *elements;
  uint32_t n_elements;
} CuArg;

typedef struct {
  const CuArg *data;
  uint32_t count;
} CuArgs;

// --- values -----------------------------------------------------------------

typedef struct {
  CuEntityVec found;
  // f<int>: the explicit arguments
  bool has_args;
  const CxNamePart *part;
  bool is_qualified;
  uint32_t n_errors;
  bool is_unknown;         // nothing was found: the arguments may lead to it
  const CuType *as_object; // its name as a value, once that was asked for
} CuOverloads;

// The value of an expression. `type` is never a reference.
typedef struct CuValue {
  const CuType *type;
  Expr *expr; // NULL: poison, OVERLOADS, LIST, LAMBDA
  Span span;
  bool is_lvalue;
  CuConst constant;
  CuOverloads *overloads;
  struct CuValue *object; // of OVERLOADS that are members
  const CxExpr *list;     // LIST
  const CxExpr *written;  // what it is the value of; NULL: not known
  CuVariable *variable;   // what the expression names, if it only names
  // What this is a base of, or points to the base of: cu_derived.h; or NULL.
  const struct CuValue *whole;
  const struct CuSpot *spot; // cu_spot.h; NULL: not known
} CuValue;

typedef struct {
  CuValue *data;
  uint32_t count;
} CuValues;

// --- names ------------------------------------------------------------------

struct CuName;

typedef struct { // of an array, as a parameter: cu_assume.c
  struct CuName *name;
  const char *shown; // "len(x)"
} CuLength;

typedef struct CuName { // of what is declared in the output
  const char *wanted;
  const char *source; // what the program calls it, if it wrote another name
  bool is_local;
  bool is_type;
  bool is_variable;     // of a function
  bool is_of_launch;    // a parameter that only the output has
  bool is_pinned;       // made for an index, never changes
  bool is_told;         // it need not be declared where nothing uses it
  uint32_t n_mentions;  // of such a one, in what was made
  CuVariable *variable; // of a function that it is; or NULL
  Decl *decl;           // of variables, once it is made
  Stmt *stmt;           // that declares it
  uint32_t spaces;      // of what a pointer points to: cu_space.h
  CuFunction *function; // that has it
  CxDecl *shared_by;    // the declaration of shared memory that it is of
  int64_t shared_at;    // barriers that a cast made of it: where they begin
  // Of a translation that looks for such barriers: all of this variable.
  const struct CuName *carved;
  CuConst constant;     // of a constant of the file
  struct CuName *outer; // that it stands for in a function; or NULL
  hd_vec(const char **) slots;
} CuName;

// --- scopes and entities ----------------------------------------------------

typedef enum {
  CU_SCOPE_NAMESPACE,
  CU_SCOPE_RECORD,
  CU_SCOPE_TEMPLATE, // bound parameters
  CU_SCOPE_BLOCK,
} CuScopeKind;

// What a scope uses.
typedef struct {
  CuScope *space;
  uint32_t at;  // where the directive stands; 0: that doesn't matter
  bool is_part; // an inline namespace, a member that shares its names
} CuUsed;

struct CuScope {
  CuScopeKind kind;
  CuScope *parent;
  const char *name;     // NAMESPACE; NULL: the global one
  Map names;            // interned -> CuEntity (the first of that name)
  const CuIndex *index; // NAMESPACE: of what it declares; see cu_named
  Map declared;     // of the index, and enumerations: what has been declared
  Map spelled;      // BLOCK: names of variables in the output
  bool is_lambda;   // BLOCK: around the body of one
  bool is_inline;   // NAMESPACE
  CuRecord *record; // RECORD
  hd_vec(CxDecl *) uses; // using directives, not resolved yet
  hd_vec(CuUsed) used;   // resolved ones, and inline namespaces
  bool is_resolving;
  uint32_t mark;      // of the last search
  uint32_t used_mark; // of the last qualified one
  CuScope *caller; // BLOCK of a body that takes the place of a call: around it
};

typedef enum {
  CU_ENTITY_NAMESPACE,
  CU_ENTITY_NAMESPACE_ALIAS,
  CU_ENTITY_USING, // stands for what it names
  CU_ENTITY_TYPE,  // a bound parameter, the class inside itself
  CU_ENTITY_ALIAS,
  CU_ENTITY_RECORD,
  CU_ENTITY_ENUM,
  CU_ENTITY_ENUMERATOR,
  CU_ENTITY_VALUE, // a bound parameter
  CU_ENTITY_PACK,  // `elements`: bound parameters, or variables
  CU_ENTITY_VAR,   // file scope and static members
  CU_ENTITY_LOCAL, // and parameters
  CU_ENTITY_FIELD,
  CU_ENTITY_FUNCTION,
  CU_ENTITY_UNKNOWN,
} CuEntityKind;

struct CuEntity {
  CuEntityKind kind;
  const char *name;
  CxDecl *decl;
  CuScope *scope;     // in which it is declared
  uint32_t begins;    // where its first declaration makes it known
  CuEntity *next;     // of the same name in the same scope
  CuScope *space;     // NAMESPACE
  const CuType *type; // TYPE, ALIAS, ENUM, ENUMERATOR, VALUE, RECORD: resolved
  CuConst value;      // VALUE, ENUMERATOR
  CuVariable *variable; // LOCAL, VAR
  uint32_t field;       // FIELD: index in the record's
  uint32_t n_uses;      // LOCAL in a substitution
  bool is_resolving, is_failed;
  bool is_friend; // in a class: its arguments lead to it, its name doesn't
  bool is_linked, is_repeated; // FUNCTION: see cu_is_repeated
  const CuType *as_object;     // FUNCTION: its name as a value
  // RECORD, VAR: specialisations of a template, instances; FUNCTION: instances,
  // and declarations elsewhere (defaults), or definitions outside the class.
  hd_vec(CuRecord *) records;
  hd_vec(CuEntity *) variables;
  CuArgs args; // VAR: of an instance
  hd_vec(CxDecl *) specialisations;
  hd_vec(CuFunction *) functions;
  hd_vec(CxDecl *) others;
  CuEntity *enumeration; // ENUMERATOR
  CuEntity *target;      // USING: of a parameter that is a template
  CuEntityVec elements;  // PACK
};

// --- variables --------------------------------------------------------------

typedef enum {
  CU_HOLDS_VALUE,
  CU_HOLDS_POINTER,    // a reference that is a pointer in the output
  CU_HOLDS_SUBSTITUTE, // a name for a stable place: `substitute`
  CU_HOLDS_CLOSURE,    // a lambda: its captures are variables
} CuHolds;

struct CuVariable {
  CuHolds holds;
  const CuType *type; // as declared, with references
  CuRecord *seen_as;  // a base of its type that the source declares; or NULL
  CuName *name;
  CuConst constant;
  CuValue substitute;
  CuEntity *entity;
  CuFrame *frame; // NULL: file scope
  Decl *decl;
  // A parameter: the pipeline that it is in all calls of its function. A
  // barrier: the pipeline that it belongs to. Or NULL.
  const CuPipeline *pipeline;
  const struct CuSpot *spot; // where its initialiser leads: cu_spot.h; or NULL
  const CuValue *functions;  // that a table of functions holds; or NULL
  uint32_t n_functions;
  CuVariable *which; // the number of the function that it is; or NULL
  bool is_shared;
  CxDecl *shared_by;           // the source's declaration of shared memory
  const void *shared_instance; // of the function, as in cu_shared_variable
  bool is_copy;                // of what a lambda captured: it never changes
  bool is_changed;             // after its declaration
  bool is_constexpr;           // of a function that is run at compile time

  // While its initialiser is translated: what the name means there already.
  enum { CU_OWN_NOT, CU_OWN_PLACE, CU_OWN_TYPE } own;

  bool is_in_own; // its initialiser has its value or address
};

// A parameter of a kernel that is a member of one in the source: `p.x` as
// `p_x`.
typedef struct {
  const char *name;
  CuVariable *variable;
} CuPiece;

// --- functions --------------------------------------------------------------

typedef struct {
  const char *name;
  const CuType *type;
  CxDecl *decl;
  uint32_t written; // which of the declared ones
  bool is_element;  // of a pack
  uint32_t element;
  const CuPipeline *pipeline; // see CuVariable
} CuParam;

// Something outside that a function needs and gets as one more argument: a
// shared array, a captured variable.
typedef struct {
  CuVariable *outer; // in the caller, or the entity's own
  CuVariable *inner;
  // Barriers that the function, or one that it calls, makes: each call of it
  // has some for itself.
  bool is_made;
  bool is_passed; // by a call
} CuNeed;

// One instance of a function, in one way to pass its arguments.
struct CuFunction {
  CuEntity *entity; // NULL: the body of a lambda
  CxDecl *decl;     // whose body it is; of lambdas NULL
  CuArgs args;
  CuScope *scope;       // with the bindings
  CuRecord *record;     // of which it is a member, not static
  bool is_const_member; // *this is const
  const CuType *result; // NULL: auto, not known yet
  CuParam *params;
  uint32_t n_params;
  bool is_variadic;
  const char *shown; // "sum<float>"

  // Parameters (bit i) and the object (bit 63) that are const references to
  // classes in memory: they are passed as pointers, others by value.
  uint64_t by_pointer;
  CuFunction *variants; // other ways
  CuFunction *kept;     // with other types of parameters: cu_address.h
  const CxExpr *heddle; // its body is `return E;`: see cu_heddle.c
  CuFunction *helpers;  // such functions
  CuName *name;
  Decl *emitted;
  Span call_span; // of the call that it was made for
  hd_vec(CuNeed) needs;
  struct CuClosure *closure; // it is the body of this lambda
  const CuType *as_constant; // its name as a pointer: cu_function_value.c
  bool is_resolved, is_failed;
  bool is_translating, is_translated;
  bool is_kernel;
  bool is_recursive; // was reported
  // Parameters (bit i) that the first call binds to shared memory.
  uint32_t shared_params;
  // The result is the object (0) or a parameter (1 …) that it refers to: the
  // emitted function gives nothing. -1: no.
  int returns_param;
};

#define CU_SELF_BIT (UINT64_C(1) << 63)

// A lambda where it was evaluated.
typedef struct CuClosure {
  const CxExpr *expr;
  CuOverloads *overloads; // the name of a function instead
  CuFunction *only;       // which of them; NULL: the arguments decide
  CuScope *scope;         // in which its captures are bound
  CuFrame *frame;
  const CuType *type;
  const char *name;
  hd_vec(CuFunction *) functions; // one, or one for each set of types
} CuClosure;

// What the barriers of a declaration are initialised with: Note [Counts of
// barriers] in cu_barrier.c.
typedef struct CuCount {
  int64_t most;  // of the counts that are numbers
  bool is_open;  // others aren't
  bool is_mixed; // there are several
  int64_t at;    // CuName.shared_at
  struct CuCount *next;
} CuCount;

// A variable whose initialiser stood for it at a place, so it must not change.
typedef struct {
  const CuVariable *variable;
  Span span;
  CuCount *count; // that is mixed if it does; or NULL: that is refused
} CuFixed;

// Where a barrier is initialised in a loop: its place must be another one in
// each turn.
typedef struct {
  const Expr *place;
  bool is_in_loop;
  Span span;
} CuInit;

// Part of a shared variable that casts make barriers of, or where one is
// initialised: Note [Carved barriers] in cu_carve.c.
typedef struct {
  const CxDecl *root;
  int64_t bytes;         // from its start
  int64_t count;         // of barriers; 0: not known
  bool is_open;          // there may be more
  const CuType *element; // that a cast at a start says; or NULL
} CuRegion;

typedef struct {
  const CuName *root;
  CuVariable *all; // barriers of it
} CuCarvedRoot;

// Shared variables that are words of 64 bits and mbarriers: Note [Words that
// are mbarriers] in cu_address.c. And barriers that casts make.
typedef struct {
  bool finds; // all are taken for mbarriers
  Map decls;  // CxDecl * of those that are
  hd_vec(CxDecl *) tried;
  hd_vec(CuVariable *) variables; // of `tried`
  hd_vec(CuRegion) starts, begun; // while they are looked for
  hd_vec(CuCarvedRoot) roots;
  hd_vec(CuRegion) regions; // that were found
} CuWords;

typedef struct {
  Map decls;     // CxDecl * -> CuCount
  bool is_mixed; // one became mixed: the kernel is to be translated again
} CuCounts;

// The barriers that a member of an object is: cu_member_barrier.c.
typedef struct {
  const struct CuSpot *spot; // of the barriers; or NULL
  const Expr *place;         // of the object, where there is none
  const CxDecl *field;       // or NULL
  const CuType *type;
  CuVariable *barriers;
} CuMemberBarrier;

// A barrier of the hardware with one count: cu_asm_named.c.
typedef struct {
  int64_t number;      // -1: not constant
  const Expr *count;   // resolved
  int64_t n_threads;   // the same; 0: no constant
  CuVariable *barrier; // or an array of them
  uint32_t last_use;   // which statement of the kernel's body it stands in
  bool is_apart;       // all uses wait, and stand in the kernel's own body
} CuNamedBarrier;

// The function that is being translated.
struct CuFrame {
  CuFrame *parent;
  CuFunction *function;
  CuStmtVec *statements;    // of the innermost block
  CuStmtVec prologue;       // of the kernel: its shared arrays
  CuVariable *phase;        // cu_phase.c: holds arrivals,
  const CxDecl *held_phase; // and a variable of the source the last one
  CuVariable *self;         // of members: a pointer, or the object itself
  const CuType *result;     // NULL: auto, not known yet
  uint32_t n_returns;
  uint32_t n_loops; // around what is translated
  // The value of an expression is not wanted here, or only perhaps: nothing
  // may be added in front of the statement.
  bool is_conditional;
  bool is_unevaluated; // sizeof, decltype, constants
};

// Why a translation was given up.
typedef enum {
  CU_SPENT_NOT,
  CU_SPENT_DEPTH,
  CU_SPENT_STEPS,
  CU_SPENT_MEMORY,
  CU_SPENT_INSTANCES,
} CuSpent;

enum { CU_MAX_INSTANCES = 4096 }; // of one template

// --- the context ------------------------------------------------------------

// The name that is looked up now.
typedef struct {
  uint32_t used_at;     // where it stands; 0: anywhere
  bool is_body_later;   // and it is in a body that is translated later
  bool is_bare_name;    // nothing stands before it
  bool finds_later;     // what the file declares behind it, too
  bool is_by_arguments; // only arguments lead there
  uint32_t called_at;   // the call that an overload is chosen for; 0: none
  uint32_t n_search, n_used_search; // see CuScope.mark, used_mark
} CuLookup;

// What is written.
typedef struct {
  AstUnit *unit;
  CuDeclVec decls;
  hd_vec(CuName *) all_names;
  Map named;                  // Expr -> CuName
  Map builtins;               // names of built-ins that it calls
  hd_vec(CuPiece) pieces;     // of the kernel's parameters
  hd_vec(CuVariable *) enums; // those that are enumerations
  uint32_t n_emitting;        // classes whose members are being written
  hd_vec(CuRecord *) tagged;  // of which they only needed the tag
} CuOutput;

// How much has been done, and what ends it.
typedef struct {
  uint32_t depth, n_steps;
  size_t first_bytes; // of the arena, when the steps began
  CuSpent spent;      // nothing more is translated
  Span spent_at;      // where that was told; {0, 0}: not yet
  bool tells_spent;   // right now
  uint32_t constexpr_depth, n_constexpr_steps;
  // Instances of variable templates that need each other; once they are too
  // many, none is made any more.
  uint32_t variable_depth;
  bool is_too_deep;
} CuLimits;

// What is said of the program.
typedef struct {
  uint32_t n_errors; // reported so far
  uint32_t silent;   // > 0: a trial, errors are not reported
  bool failed;       // in a trial
  // What no file holds but what is looked at: "the assumption '…'"; or NULL.
  const char *given;
  Span first_poison; // that nobody has reported
  Diag unheard;      // of a trial
} CuReports;

// What is known of expressions of the output.
typedef struct {
  // Expr of places: cu_volatile.c; those that only a compare and swap asks for.
  Map volatiles, guesses;
  Map address_bits; // Expr of pointers that are cast to numbers of 64 bits
  // Expr without a consequence if its value isn't wanted; of those in `phases`
  // it is kept: cu_phase.c.
  Map droppable, phases;
  Map choices; // Expr that is a ?: -> CuType
} CuNotes;

// The kernel's blocks and their shared memory.
typedef struct {
  uint32_t n_threads;    // of the block; 0: not known
  uint32_t block[3];     // its size
  CuName *block_dims[3]; // embedded parameters of the kernel
  const char *holder;    // the kernel whose rows count; NULL: those of all
  // extern __shared__ arrays: the first of them, and its size.
  CuVariable *dynamic;
  const CuType *dynamic_element;
  hd_vec(CuLength) lengths;
  CuName *dynamic_bytes;
  uint64_t static_bytes; // of shared memory that isn't extern
} CuLaunchState;

// What whoever asks for a kernel states.
typedef struct {
  bool keeps_exits;         // cu_exit.h: rewriting them failed
  bool keeps_inits;         // CudaTranslation
  bool is_written_by_host;  // CudaTranslation
  const CudaStated *stated; // cu_stated.h
  uint32_t n_stated;
  const CudaHeld
      *held; // members that hold pointers to other than global memory
  uint32_t n_held;
} CuAsked;

// Barriers of the kernel, and what they are made of.
typedef struct {
  const CuType *type, *token_type; // that no class of the program is
  CuWords *words;                  // NULL: none
  CuCounts *counts;
  hd_vec(CuMemberBarrier) members;
  bool is_told; // that a word isn't known as an mbarrier
  hd_vec(CuInit) inits;
  hd_vec(const Decl *) declared; // mbarriers
  hd_vec(const Expr *) guards;   // conditions of what is around a statement
  hd_vec(CuNamedBarrier) named;
  hd_vec(CuFixed) fixed;          // what counts are made of
  hd_vec(CuPipeline *) pipelines; // of the block: cu_pipeline.c
} CuBarriers;

// Textures (cu_texture.h).
typedef struct {
  hd_vec(struct CuTexture *) of_kernel;
  hd_vec(struct CuTexture *) of_file; // of any, that the file declares
  hd_vec(struct CuTextureGroup *) all_groups;
  Map groups; // of variables, parameters, members
  Map places; // Expr -> what it is, in `groups`
} CuTextures;

struct CuContext {
  Arena *arena;
  Interner *names;
  DiagEngine *diags;
  SourceText *source;
  CxUnit *tree;
  CuTypes types;
  CuScope *global;
  CuScope *scope; // where names are looked up
  CuFrame *frame; // NULL: at file scope
  CuEntity *kernel;
  const CuStmtVec *body; // of the kernel, as far as it is made
  CuLookup lookup;
  CuOutput output;
  CuLimits limits;
  CuReports reports;
  CuNotes notes;
  CuLaunchState launch;
  CuAsked asked;
  CuBarriers barriers;
  CuTextures textures;
  Span statement;             // the expression that is a statement
  Span heddle_call;           // whose E is being written: cu_heddle.c
  hd_vec(CuEntity *) outside; // members that are defined outside their class
  Map spaces;                 // CxDecl of a namespace -> its CuScope
  Map definitions;            // CxDecl of a type in place -> CuEntity
  Map inlined;                // CxDecl -> Expr of its __heddle
  uint32_t n_operands;      // of sizeof and decltype, around what is translated
  const CxDecl *enumerator; // whose value is being worked out, or NULL
  const struct CuEnum *enumerating; // the instance that it is of
  bool runs_host; // functions that aren't constexpr, too: of host code
  Map prologue;   // names of shared memory that other functions declare
  Map shared;     // declaration in an instance -> CuVariable
};

#endif
