// SPDX-License-Identifier: Apache-2.0
// The syntax tree: what the user wrote, names unresolved, nothing computed.
//
// Nodes live in the unit's arena and never change after parsing, so that every
// specialisation of a kernel can share them. They carry no types: sema builds
// its own tree. Every node has the span of its text and an id that is unique
// among all nodes of the unit (dense from 1, so side tables can be arrays).
// Names are interned: compare pointers. Lists are pointer and count.
//
// POISON nodes stand where a syntax error was reported; whoever meets one
// stays silent. Nesting is bounded (see limits.h), so passes may recurse.
#ifndef HD_SYNTAX_AST_H
#define HD_SYNTAX_AST_H

#include "diag/source.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {

#define AST_EXPR(kind, dump, member) EXPR_##kind,
#include "syntax/ast.def"
} ExprKind;

typedef enum {

#define AST_STMT(kind, dump, member) STMT_##kind,
#include "syntax/ast.def"
} StmtKind;

typedef enum {

#define AST_DECL(kind, dump, member) DECL_##kind,
#include "syntax/ast.def"
} DeclKind;

typedef enum {

#define AST_TYPE(kind, dump, member) TYPE_##kind,
#include "syntax/ast.def"
} TypeSyntaxKind;

typedef enum {

#define AST_UNARY(kind, spelling) UNARY_##kind,
#include "syntax/ast.def"
} UnaryOp;

typedef enum {

#define AST_BINARY(kind, spelling, prec) BINARY_##kind,
#include "syntax/ast.def"
} BinaryOp;

typedef enum {

#define AST_BUILTIN(kind, spelling) BUILTIN_##kind,
#include "syntax/ast.def"
} BuiltinType;

// Sets of these are uint32_t `quals`.
enum {

#define AST_QUAL(kind, bit, spelling) QUAL_##kind = 1u << (bit),
#include "syntax/ast.def"
  QUAL_SPACES = QUAL_GLOBAL | QUAL_SHARED | QUAL_CONSTANT | QUAL_LOCAL |
                QUAL_GENERIC | QUAL_TMEM
};

// Sets of these are uint32_t `storage`.
enum {

#define AST_STORAGE(kind, bit, spelling) STORAGE_##kind = 1u << (bit),
#include "syntax/ast.def"
};

typedef enum {

#define AST_CLAUSE(kind, spelling, where) CLAUSE_##kind,
#include "syntax/ast.def"
} ClauseKind;

typedef enum {

#define AST_PRAGMA(kind, spelling) PRAGMA_##kind,
#include "syntax/ast.def"
} PragmaKind;

typedef struct Expr Expr;
typedef struct Stmt Stmt;
typedef struct Decl Decl;
typedef struct TypeSyntax TypeSyntax;

typedef struct {
  Expr **data;
  uint32_t count;
} ExprList;

// layout(mma_c), layout(reg((0, 1)) lane((1, 0))): expressions without commas
// between them; none: there is no layout.
typedef struct {
  ExprList parts;
  Span span;
} LayoutSyntax;

typedef struct {
  Stmt **data;
  uint32_t count;
} StmtList;

typedef struct {
  Decl **data;
  uint32_t count;
} DeclList;

// A clause after parameters, a loop header or asm. `args` may hold sections
// (EXPR_INDEX) and uninit(…) (a call); of TILE, hints (names and calls); of
// TUNE, the values: expressions, or COMMA lists as long as `names`.
typedef struct {
  ClauseKind kind;
  Span span;
  ExprList args;
  ExprList names;      // TUNE
  ExprList conditions; // TUNE: behind the semicolon
  const char *remark;  // a comment that wasn't written, or NULL
  bool is_made;        // REQUIRES: nobody wrote it
} Clause;

typedef struct {
  Clause *data;
  uint32_t count;
} ClauseList;

// --- Types -----------------------------------------------------------------

// `float *const a[4]` is ARRAY of POINTER(const) to BUILTIN float. Qualifiers
// sit on the node that they qualify: in `shared float *global p`, QUAL_SHARED
// is on the float, QUAL_GLOBAL on the pointer. All names of one declaration
// share the node of their specifiers.
struct TypeSyntax {
  TypeSyntaxKind kind;
  uint32_t id;
  Span span;
  uint32_t quals; // QUAL_*
  uint16_t depth; // 1 + depth of the deepest type inside

  union {
    BuiltinType builtin;
    const char *named;

    // STRUCT, UNION. `tag` is NULL when anonymous. A definition appears once;
    // `fields` (FIELD, STATIC_ASSERT) is only meaningful with is_definition.
    // A member `struct {…};` without a name is a FIELD with name NULL.
    struct {
      const char *tag;
      Span tag_span;
      bool is_definition;
      DeclList fields;
    } record;

    struct {
      const char *tag;
      Span tag_span;
      bool is_definition;
      DeclList enumerators;
    } enumeration;

    struct {
      TypeSyntax *pointee;
    } pointer;

    // `extent` NULL: []. has_static and quals: inside [] of a parameter.
    struct {
      TypeSyntax *element;
      Expr *extent;
      bool has_static;
      bool is_star; // [*]
      uint32_t quals;
      Span brackets;
    } array;

    // `f()` has has_prototype false, as `f(void)` has true; neither has params.
    struct {
      TypeSyntax *result;
      DeclList params; // PARAM
      bool is_variadic;
      bool has_prototype;
      Span parens;
    } function;

    Expr *expr;        // TYPEOF_EXPR; GROUP, MBARRIER, PIPELINE (or NULL)
    TypeSyntax *inner; // TYPEOF_TYPE, ATOMIC, TILE
  } u;
};

// --- Expressions -----------------------------------------------------------

typedef enum {
  LITERAL_PREFIX_NONE,
  LITERAL_PREFIX_U8,   // u8"…"
  LITERAL_PREFIX_U16,  // u"…"
  LITERAL_PREFIX_U32,  // U"…"
  LITERAL_PREFIX_WIDE, // L"…"
} LiteralPrefix;

typedef enum {
  FLOAT_SUFFIX_NONE, // double
  FLOAT_SUFFIX_F,    // float
  FLOAT_SUFFIX_L,    // long double: refused by sema
  FLOAT_SUFFIX_F16,  // half
  FLOAT_SUFFIX_BF16, // bfloat16
} FloatSuffix;

// One […] of an index expression. `x`: index set. `lo:len`: is_section, both
// set. `:` alone: is_section, both NULL. (`lo:` and `:len` are errors.)
typedef struct {
  Span span; // with the brackets
  bool is_section;
  Expr *index;
  Expr *lo, *len;
} Subscript;

// `.name` or `[index]`.
typedef struct {
  Span span;
  const char *name; // or NULL
  Expr *index;      // or NULL
} Designator;

typedef struct {
  Designator *designators; // n_designators may be 0
  uint32_t n_designators;
  Expr *value; // may be an INIT_LIST
} InitItem;

typedef struct {
  TypeSyntax *type; // NULL: default
  Expr *value;
  Span span;
} GenericAssoc;

struct Expr {
  ExprKind kind;
  uint32_t id;
  Span span;
  uint16_t depth;     // 1 + depth of the deepest operand
  bool has_parens;    // written (…); span is without them
  Span operator_span; // UNARY, BINARY, ASSIGN, MEMBER, CONDITIONAL (the ?)

  union {
    // The type is the first of C17 6.4.4.1 that holds the value.
    struct {
      uint64_t value;
      uint8_t base;    // 2, 8, 10, 16
      uint8_t n_longs; // 0, 1, 2
      bool is_unsigned;
    } int_lit;

    // `value` is rounded to double, or to float with suffix F. `digits` is the
    // spelling without suffix and separators, for other roundings (strtod
    // reads it).
    struct {
      double value;
      const char *digits;
      FloatSuffix suffix;
    } float_lit;

    struct {
      uint32_t value; // sign-extended from char where the prefix is NONE
      LiteralPrefix prefix;
    } char_lit;

    // UTF-8 bytes, escapes resolved; with U16, U32 and WIDE still UTF-8.
    struct {
      const char *bytes; // NUL-terminated, may contain NULs
      size_t length;
      LiteralPrefix prefix;
    } string_lit;

    bool bool_value;
    const char *name;

    struct {
      UnaryOp op;
      Expr *operand;
    } unary;

    struct {
      BinaryOp op;
      Expr *left, *right;
    } binary;

    struct {
      bool is_compound; // `op` is meaningful: left op= right
      BinaryOp op;
      Expr *left, *right;
    } assign;

    struct {
      Expr *condition, *if_true, *if_false;
    } conditional;

    ExprList list;

    struct {
      TypeSyntax *type;
      Expr *operand;
    } cast;

    Expr *operand;
    TypeSyntax *type;

    struct {
      TypeSyntax *type;
      Designator *path;
      uint32_t n_path;
    } offset_of;

    struct {
      Expr *callee;
      ExprList args;
      Span parens;
    } call;

    // a[i][j] is one node of two subscripts; (a[i])[j] is two nodes.
    struct {
      Expr *base;
      Subscript *subscripts;
      uint32_t n_subscripts;
    } index;

    struct {
      Expr *base;
      const char *name;
      Span name_span;
      bool is_arrow;
    } member;

    struct {
      TypeSyntax *type;
      Expr *init; // INIT_LIST
    } compound;

    struct {
      InitItem *items;
      uint32_t n_items;
    } init_list;

    struct {
      Expr *control;
      GenericAssoc *assocs;
      uint32_t n_assocs;
    } generic;
  } u;
};

// --- Statements ------------------------------------------------------------

typedef struct {
  bool is_present;
  Span span;
  Expr *count; // NULL: as far as possible
} UnrollPragma;

typedef struct {
  const char *name; // [name], or NULL
  Expr *constraint; // STRING
  Expr *value;
} AsmOperand;

typedef struct {
  PragmaKind kind;
} Pragma;

struct Stmt {
  StmtKind kind;
  uint32_t id;
  Span span;    // of the whole statement
  Span keyword; // of its first word or words: `thread for`, `case`, …

  union {
    Expr *expr; // EXPR, CASE, RETURN (or NULL)
    DeclList decls;

    // is_implicit: no braces were written; it holds a label and what follows.
    // A label (CASE, DEFAULT, LABEL) is an item that marks the next one.
    struct {
      StmtList items;
      bool is_implicit;
    } compound;

    struct {
      Expr *condition;
      Stmt *then_stmt;
      Stmt *else_stmt; // or NULL
    } if_stmt;

    // WHILE and DO: condition and body alone. The others: any of init (EXPR or
    // DECL), condition and step may be NULL; thread loops keep exactly what
    // was written, sema demands their form.
    struct {
      Stmt *init;
      Expr *condition;
      Expr *step;
      Stmt *body;
      ClauseList clauses; // THREAD_FOR, PARALLEL_FOR
      UnrollPragma unroll;
      bool is_block;     // parallel(block) for
      bool is_constexpr; // constexpr for
      Span header;       // ( … )
    } loop;

    struct {
      Expr *condition;
      Stmt *body;
    } switch_stmt;

    struct {
      const char *name;
      Span name_span;
    } label;

    // The arguments of a group statement, as many as were written.
    struct {
      ExprList args;
      Stmt *body;
    } group;

    struct {
      const char *dialect; // "ptx"
      Expr *code;          // STRING
      AsmOperand *outputs;
      uint32_t n_outputs;
      AsmOperand *inputs;
      uint32_t n_inputs;
      ClauseList clauses;
    } asm_stmt;

    Pragma pragma;
  } u;
};

// --- Declarations ----------------------------------------------------------

typedef struct {
  Span span;
  Expr *expr;       // _Alignas(expr), or
  TypeSyntax *type; // _Alignas(type)
} AlignSpec;

// Bytes of a shared variable.
typedef struct {
  uint64_t begin, end;
} ByteHole;

struct Decl {
  DeclKind kind;
  uint32_t id;
  Span span;
  const char *name; // interned; NULL where there is none
  // What messages and launches call it, where that is no name in Heddle C: a
  // parameter `group` of CUDA C is `group_` here. Or NULL. See decl_told.
  const char *told;
  Span name_span;
  TypeSyntax *type; // the whole declared type; TAG: the tag's; NULL: see kind
  uint32_t storage; // STORAGE_*
  AlignSpec *aligns;
  uint32_t n_aligns;

  union {
    struct {
      Expr *init; // or NULL
      LayoutSyntax layout;
      // Shared memory: bytes that nothing touches, in order; no source says so.
      const ByteHole *holes;
      uint32_t n_holes;
      // Initialised constant memory that the host may write: no source says so.
      bool may_be_overwritten;
    } var;

    // FUNCTION, KERNEL: `type` is a FUNCTION. `body` (COMPOUND) or NULL.
    struct {
      ClauseList clauses;
      Stmt *body;
      Expr *flops, *bytes; // #pragma heddle flops(e) bytes(e), or NULL
      const char *note;    // a comment that wasn't written, or NULL
    } function;

    // `constexpr T x = init` has STORAGE_CONSTEXPR; `constexpr type T = float`
    // has is_type, type NULL and default_type (or NULL). Name NULL: unnamed.
    struct {
      bool is_type;
      Expr *init;
      TypeSyntax *default_type;
      ExprList strides; // stride(a, b); has_strides says that it was written
      bool has_strides;
      Span stride_span;
    } param;

    struct {
      Expr *bit_width; // kept so that sema can refuse it
    } field;

    struct {
      Expr *value; // or NULL
    } enumerator;

    struct {
      Expr *condition;
      Expr *message; // STRING or NULL
    } static_assertion;

    Pragma pragma;
  } u;
};

// The name for users.
static inline const char *decl_told(const Decl *decl) {
  return decl->told ? decl->told : decl->name;
}

// A file. `decls` in source order.
typedef struct AstUnit {
  SourceText *source;
  DeclList decls;
  uint32_t n_nodes; // ids are 1 … n_nodes
  bool has_errors;
} AstUnit;

#endif
