// SPDX-License-Identifier: Apache-2.0
// The tree of a CUDA C++ file: what the user wrote, names unresolved, types of
// expressions unknown. Nodes live in the unit's arena and never change after
// parsing, so that every instantiation of a template shares them.
//
// Note [Bodies on demand]
// At first only declarations are parsed. Bodies of functions (with the
// initialisers of constructors) are ranges of tokens until cx_parse_body is
// called, so host code costs nothing and breaks nothing. A declaration that is
// not understood is skipped to its end and becomes an UNKNOWN, which keeps the
// error; nobody is told unless a kernel needs it.
//
// Note [What a name is]
// C++ can't be parsed without knowing which names are types and templates. The
// parser keeps a table of its own for that (cx_scope.c), good enough to choose
// a production; whoever resolves names decides:
//   - CALL of a NAME may be a construction: T(x) where T was not known as a
//     type;
//   - a template argument that is a bare name has both `type` and `expr`.
//
// POISON nodes stand where a syntax error was reported. UNSUPPORTED nodes hold
// what was understood but has no place in kernels, with words for a message:
// "exceptions", "'new'". Nesting is bounded (syntax/limits.h).
#ifndef HD_CXX_CX_AST_H
#define HD_CXX_CX_AST_H

#include "cxx/cx_kind.h"
#include "diag/diag.h"
#include "syntax/ast.h"

// --- Names -----------------------------------------------------------------

// The names in what stands before `...`; some are packs. Those of an expansion
// inside of it are not among them.
typedef struct {
  const char **data;
  uint32_t count;
} CxPackNames;

// A bare name has both `type` (NAMED) and `expr` (NAME): see Note [What a name
// is]. Else one of them is NULL.
typedef struct {
  Span span;
  CxType *type;
  CxExpr *expr;
  bool is_expansion; // x...
  CxPackNames packs;
} CxTemplateArg;

typedef enum {
  CX_PART_IDENT,
  CX_PART_DESTRUCTOR,       // ~S; `name` is S
  CX_PART_OPERATOR,         // operator+; `name` is "operator+"
  CX_PART_CONVERSION,       // operator T; `conversion` is T
  CX_PART_LITERAL_OPERATOR, // operator""_x; `name` is "_x"
  CX_PART_TYPE,             // decltype(e), the first part; `conversion` is it
} CxPartKind;

// One step of a qualified name.
typedef struct {
  CxPartKind kind;
  Span span; // without the template arguments
  const char *name;
  CxType *conversion;
  bool has_template; // a.template f<3>()
  bool has_args;     // <…>, maybe empty
  CxTemplateArg *args;
  uint32_t n_args;
  Span args_span; // with < and >
} CxNamePart;

typedef struct {
  Span span;
  bool is_global; // ::x
  CxNamePart *parts;
  uint32_t n_parts; // at least 1
} CxName;

// --- Types -----------------------------------------------------------------

typedef enum {
  CX_TAG_NONE,
  CX_TAG_STRUCT,
  CX_TAG_CLASS,
  CX_TAG_UNION,
  CX_TAG_ENUM,
} CxTag;

// `const float *a[4]` is ARRAY of POINTER to BUILTIN float (const). Qualifiers
// sit on the node that they qualify. All names of one declaration share the
// node of their specifiers.
struct CxType {
  CxTypeKind kind;
  uint8_t quals; // CX_QUAL_*
  uint16_t depth;
  uint32_t id;
  Span span;

  union {
    CxBuiltin builtin;
    const char *what; // UNSUPPORTED, in words: "pointers to members"

    struct {
      const CxName *name;
      CxTag tag; // struct S x
      bool has_typename;
    } named;

    CxExpr *expr;       // DECLTYPE; typeof too
    CxDecl *definition; // RECORD or ENUM
    CxType *inner;

    struct {
      CxType *element;
      CxExpr *extent; // NULL: []
    } array;

    // The trailing return type, if there is one, is the result.
    struct {
      CxType *result;
      CxDeclList params; // PARAM
      bool is_variadic;
      uint8_t quals; // of *this
      bool is_noexcept;
      bool has_trailing;
    } function;
  } u;
};

// --- Expressions -----------------------------------------------------------

typedef struct {
  const char *name;
  Span span;
  bool is_reference; // [&x]
  bool is_this;      // [this] [*this]; name NULL
  CxExpr *init;      // [x = e] or NULL
} CxCapture;

typedef enum {
  CX_CAPTURE_NONE,
  CX_CAPTURE_COPY,      // [=]
  CX_CAPTURE_REFERENCE, // [&]
} CxCaptureDefault;

// .x = e or [3] = e, or neither (both NULL).
typedef struct {
  const char *field;
  CxExpr *index;
  Span span;
  CxExpr *value;
} CxInitItem;

// What a fold puts between elements.
typedef struct {
  bool is_comma, is_assignment, is_compound;
  BinaryOp op;
} CxFoldOperator;

typedef struct {
  CxExpr *expr; // NULL: nothing is written on this side of `...`
  CxPackNames packs;
} CxFoldSide;

struct CxExpr {
  CxExprKind kind;
  bool has_parens; // written (…); span is without them
  uint16_t depth;
  uint32_t id;
  Span span;
  Span operator_span; // UNARY, BINARY, ASSIGN, MEMBER, CONDITIONAL (the ?)

  union {
    const char *what; // UNSUPPORTED: "exceptions", "'new'", "fold expressions"

    struct {
      uint64_t value;
      uint8_t base;    // 2, 8, 10, 16
      uint8_t n_longs; // 0, 1, 2
      bool is_unsigned;
    } int_lit;

    struct {
      double value;       // rounded to double, or to float with suffix F
      const char *digits; // without suffix and separators
      FloatSuffix suffix;
    } float_lit;

    struct {
      uint32_t value;
      LiteralPrefix prefix;
    } char_lit;

    struct {
      const char *bytes; // NUL-terminated, may contain NULs
      size_t length;
      LiteralPrefix prefix;
    } string_lit;

    bool bool_value;
    const CxName *name;

    struct {
      UnaryOp op;
      CxExpr *operand;
    } unary;

    struct {
      BinaryOp op;
      CxExpr *left, *right;
    } binary;

    struct {
      bool is_compound;
      BinaryOp op;
      CxExpr *left, *right;
    } assign;

    struct {
      CxExpr *condition, *if_true, *if_false;
    } conditional;

    CxExprList list;

    struct {
      CxCastKind kind;
      CxType *type;
      CxExpr *operand;
    } cast;

    // `type` is a BUILTIN, NAMED, AUTO or DECLTYPE.
    struct {
      CxType *type;
      CxExprList args;
      bool is_braced; // T{…}: designators are in args' INIT_LIST if there are
                      // any, which then is the only argument
    } construct;

    CxExpr *operand;
    CxType *type;

    struct {
      CxType *type;
      CxInitItem *path; // values NULL
      uint32_t n_path;
    } offset_of;

    struct {
      CxExpr *callee;
      CxExprList args; // may hold INIT_LISTs
      Span parens;
    } call;

    struct {
      CxExpr *base;
      CxExpr *index;
    } index;

    // The name may be qualified: x.Base::f().
    struct {
      CxExpr *base;
      const CxName *name;
      bool is_arrow;
    } member;

    struct {
      CxInitItem *items;
      uint32_t n_items;
    } init_list;

    struct {
      CxCaptureDefault capture_default;
      CxCapture *captures;
      uint32_t n_captures;
      CxType *type; // FUNCTION; its result is AUTO if none was written
      bool is_mutable;
      CxStmt *body;
    } lambda;

    struct {
      CxExpr *callee;
      CxExprList config;
      CxExprList args;
    } launch;

    struct {
      CxExpr *pattern;
      CxPackNames packs;
    } expansion;

    struct {
      CxFoldOperator op;
      CxFoldSide left, right;
    } fold;

    // `pattern` for one element of its packs.
    struct {
      CxExpr *pattern;
      struct CuScope *scope;
    } element;
  } u;
};

// --- Statements ------------------------------------------------------------

// #pragma unroll [N], also (N).
typedef struct {
  bool is_present;
  Span span;
  CxExpr *count; // NULL: as far as possible
} CxUnroll;

typedef struct {
  const char *name;   // [name], or NULL
  CxExpr *constraint; // STRING
  CxExpr *value;
} CxAsmOperand;

struct CxStmt {
  CxStmtKind kind;
  uint32_t id;
  Span span;
  Span keyword; // its first word

  union {
    const char *what; // UNSUPPORTED
    CxExpr *expr;
    CxDeclList decls;

    // is_implicit: no braces were written; it holds a label and what follows.
    struct {
      CxStmtList items;
      bool is_implicit;
    } compound;

    // if (init; condition); condition_decl (a VAR) instead of condition:
    // if (T x = e).
    struct {
      bool is_constexpr;
      CxStmt *init;
      CxExpr *condition;
      CxDecl *condition_decl;
      CxStmt *then_stmt;
      CxStmt *else_stmt; // or NULL
    } if_stmt;

    // WHILE and DO: condition and body alone.
    struct {
      CxStmt *init; // EXPR, DECL, EMPTY or NULL
      CxExpr *condition;
      CxDecl *condition_decl;
      CxExpr *step;
      CxStmt *body;
      CxUnroll unroll;
      Span header; // ( … )
    } loop;

    // for (init; variable : range). `variable` is a VAR without initialiser or
    // a BINDING.
    struct {
      CxStmt *init;
      CxDecl *variable;
      CxExpr *range;
      CxStmt *body;
      CxUnroll unroll;
    } range_for;

    struct {
      CxStmt *init;
      CxExpr *condition;
      CxDecl *condition_decl;
      CxStmt *body;
    } switch_stmt;

    struct {
      const char *name;
      Span name_span;
    } label;

    struct {
      bool is_volatile;
      CxExpr *code; // STRING
      CxAsmOperand *outputs;
      uint32_t n_outputs;
      CxAsmOperand *inputs;
      uint32_t n_inputs;
      CxExprList clobbers; // STRING
    } asm_stmt;
  } u;
};

// --- Declarations ----------------------------------------------------------

// __heddle("E"), __heddle_group and the like: any word that begins so, with
// its arguments (STRINGs) if there are any. Others of the language are dropped
// or are specifiers.
typedef struct {
  const char *word;
  Span span;
  CxExprList args;
} CxAttribute;

// `// heddle: requires E`: the first word and what follows, as tokens; or
// `__requires(E)` behind the parameters of a function (`word` "requires").
typedef struct {
  const char *word;
  Span span;
  CxTokens tokens;
} CxAnnotation;

// One template<…>. No parameters: an explicit specialisation.
typedef struct {
  Span span;
  CxDeclList params; // TEMPLATE_PARAM
} CxTemplate;

typedef enum {
  CX_ACCESS_NONE, // not a member
  CX_ACCESS_PUBLIC,
  CX_ACCESS_PROTECTED,
  CX_ACCESS_PRIVATE,
} CxAccess;

typedef struct {
  Span span;
  CxType *type;
  CxAccess access; // as written or the default
  bool is_virtual;
  bool is_expansion;
} CxBase;

// member(args) or member{args} of a constructor; a base has a NAMED type too.
typedef struct {
  Span span;
  const CxName *name;
  CxExprList args;
  bool is_braced;
} CxMemberInit;

// What cx_parse_body gives.
typedef struct {
  CxStmt *block; // COMPOUND
  CxMemberInit *inits;
  uint32_t n_inits;
  bool has_errors; // were reported
  struct CxProblem *problems;
} CxBody;

typedef enum {
  CX_INIT_NONE,
  CX_INIT_EQUAL, // = e, = {…} (an INIT_LIST)
  CX_INIT_PAREN, // (a, b)
  CX_INIT_BRACE, // {…}: one INIT_LIST
} CxInitKind;

typedef enum {
  CX_FUNCTION_ORDINARY,
  CX_FUNCTION_CONSTRUCTOR,
  CX_FUNCTION_DESTRUCTOR,
  CX_FUNCTION_CONVERSION,
} CxFunctionKind;

struct CxDecl {
  CxDeclKind kind;
  CxAccess access;
  uint32_t id;
  Span span;
  uint32_t specs;   // CX_SPEC_*
  const char *name; // interned, of the last part of `full`; NULL: none
  Span name_span;
  const CxName *full;    // as declared: S<T>::f; NULL where name is NULL
  const char *alias;     // RECORD, ENUM: the typedef around it; or NULL
  CxType *type;          // the whole declared type; ALIAS: what it stands for
  CxTemplate *templates; // outermost first
  uint32_t n_templates;
  CxAttribute *attributes;
  uint32_t n_attributes;
  CxExpr *align;      // alignas(e), __align__(e), or NULL
  CxType *align_type; // alignas(T), or NULL
  // What the declaration has that is not supported, in words, and where; NULL:
  // nothing. "virtual functions", "parameter packs", "bit-fields".
  const char *unsupported;
  Span unsupported_span;
  CxScope *scope; // in which it was declared; the parser's own

  union {
    // The error that the declaration has; `names` are identifiers of it that
    // it may have been meant to declare.
    struct {
      CxTokens tokens;
      const char **names;
      uint32_t n_names;
      struct CxProblem *problem;
    } unknown;

    struct {
      CxDeclList decls;
      bool is_inline;
      bool is_anonymous;
    } space;

    const CxName *target;
    CxDecl *inner;

    // `members` in source order, all kinds of declarations. An anonymous
    // struct or union among them is a FIELD without name of DEFINITION type.
    struct {
      CxTag tag;
      bool is_definition;
      CxBase *bases;
      uint32_t n_bases;
      CxDeclList members;
      CxScope *inside;
    } record;

    struct {
      bool is_definition;
      bool is_class;      // enum class
      CxType *underlying; // or NULL
      CxDeclList enumerators;
    } enumeration;

    struct {
      CxExpr *value; // or NULL
    } enumerator;

    // VAR, FIELD, PARAM. Of a PARAM the default argument is an EQUAL.
    struct {
      CxInitKind init_kind;
      CxExpr *init;      // EQUAL, BRACE, and PAREN with one argument
      CxExprList args;   // PAREN
      CxExpr *bit_width; // or NULL
      bool is_pack;      // PARAM: T... xs
      CxPackNames packs; // in its type
    } var;

    // `type` is a FUNCTION; of constructors and destructors its result is AUTO.
    struct {
      CxFunctionKind kind;
      bool has_body;
      bool is_defaulted, is_deleted, is_pure;
      CxExprList launch_bounds; // up to 3
      CxExprList cluster_dims;  // up to 3
      CxAnnotation *annotations;
      uint32_t n_annotations;
      CxTokens body;  // with its braces, from the `:` of a constructor
      CxBody *parsed; // by cx_parse_body
      CxScope *inside;
    } function;

    // type T = D (is_type), int N = D, or a template (is_template: its default
    // is a type whose name is the template's).
    struct {
      bool is_type;
      bool is_template;
      bool is_pack;
      CxType *default_type;
      CxExpr *default_value;
    } template_param;

    struct {
      CxExpr *condition;
      CxExpr *message; // STRING or NULL
    } static_assertion;

    struct {
      const char **names;
      uint32_t n_names;
      CxExpr *init;
    } binding;
  } u;
};

// --- The unit --------------------------------------------------------------

// A header that was not found when the file was loaded.
typedef struct CxMissing {
  const char *name;
  Span span; // at the place of its #include
} CxMissing;

// An error that is told when it turns out to matter.
typedef struct CxProblem {
  DiagId id;
  Span span;
  const char *args[3];
  uint32_t n_args;
  Span opener;    // "opened here"; {0,0}: none
  bool is_behind; // a `;` is missing behind `span`
  struct CxProblem *next;
} CxProblem;

// A variable of host code that a launch may use: `dim3 block(16, 16);`,
// `const int n = 256;`. Its initialiser is not parsed.
typedef struct {
  const char *name;
  const char *type;     // its last word: "dim3", "int", "auto"
  CxInitKind init_kind; // NONE: declared without one
  CxTokens init;        // inside of ( ) or { }, or behind =
  uint32_t at;          // the token of its name
} CxHostVar;

// name<args><<<grid, block, shared, stream>>>(…) in the body of a function, or
// a call of cudaLaunchKernel and its kin.
typedef struct {
  Span span;   // of the name up to >>>, or the call
  uint32_t at; // the token <<<, or the name of what is called
  const CxName *kernel;
  CxTokens name;                // of the kernel, and what is around it
  CxTokens grid, block, shared; // shared may be empty
  const char *config; // the variable that has them instead; NULL: none
  CxTokens args;      // all that stands in ( )
  bool has_pointers;  // `args` is an array of pointers to them
  bool is_plain; // <<<…>>> or cudaLaunchKernel: blocks need not run together
  CxDecl *function; // whose body it is in
  // Variables of that function declared before; later ones hide earlier ones.
  const CxHostVar *vars;
  uint32_t n_vars;
} CxLaunch;

// A file. `decls` in source order; those of `extern "C" {…}` lie flat.
typedef struct CxUnit {
  SourceText *source;
  CxDeclList decls;
  CxLaunch *launches;
  uint32_t n_launches;
  CxDecl **unknowns; // all UNKNOWN ones, nested too
  uint32_t n_unknowns;
  // Headers that were not found: names from them are not known.
  const struct CxMissing *missing;
  uint32_t n_missing;
  struct CxParser *parser;
} CxUnit;

#endif
