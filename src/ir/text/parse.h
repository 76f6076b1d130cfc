// SPDX-License-Identifier: Apache-2.0
// What the files of the IR text parser share.
//
// The first error is reported and turns the rest of the text into its end, so
// that every loop stops; nothing here recurses but host expressions, to a
// limited depth.
#ifndef HD_IR_TEXT_PARSE_H
#define HD_IR_TEXT_PARSE_H

#include "base/intern.h"
#include "diag/diag.h"
#include "ir/form/ir.h"

typedef enum {
  IRT_END,
  IRT_WORD,   // identifier with dots
  IRT_NUMBER, // decimal or 0x…, a minus in front
  IRT_STRING, // string
  IRT_VALUE,  // %number
  IRT_VAR,    // $name
  IRT_OBJECT, // @name
  IRT_GROUP,  // #number
  IRT_LABEL,  // ^number
  IRT_LOC,    // !number
  IRT_PUNCT,  // text[0]
} IrTokenKind;

typedef struct {
  IrTokenKind kind;
  Span span;
  const char *text; // of names without the mark in front; not NUL-terminated
  uint32_t length;
  uint64_t number;
  bool is_negative;
  const char *string; // of IRT_STRING, decoded
} IrToken;

// A reference to something that may come later, filled in at the kernel's end.
typedef struct {
  IrNode **node; // label `number`
  IrObject **object;
  const char *name; // interned
  uint64_t number;
  Span span;
} IrFixup;

typedef struct {
  Arena *arena;
  SourceText *source;
  DiagEngine *diags;
  const char *text;
  uint32_t length, at;
  IrToken token;
  bool failed;
  Interner *names;
  Map ops; // interned mnemonic to IrOpInfo
  IrModule *module;
  IrKernel *kernel;
  Map globals, objects, vars; // interned name to IrObject; index + 1
  Map values, labels;         // number + 1 to IrNode
  hd_vec(IrFixup) fixups;
  hd_vec(IrNode **) var_loops; // by variable: its loop, once fixed up
  hd_vec(Span) node_spans;     // by node id, of the kernel
  uint32_t n_group_rows;
  IrLocId max_loc;
  Span max_loc_span;
} IrParser;

// parse_lex.c
void irp_next(IrParser *p);
// The token is the result of a new node (a value before '=').
bool irp_starts_node(const IrParser *p);
void irp_fail(IrParser *p, DiagId id, Span span, const char *what);
void irp_expected(IrParser *p, const char *what);
bool irp_is_word(const IrParser *p, const char *word);
bool irp_is_punct(const IrParser *p, char c);
bool irp_accept_word(IrParser *p, const char *word);
bool irp_accept_punct(IrParser *p, char c);
void irp_expect_word(IrParser *p, const char *word);
void irp_expect_punct(IrParser *p, char c);
uint64_t irp_unsigned(IrParser *p, uint64_t max);
int64_t irp_signed(IrParser *p, int64_t min, int64_t max);
const char *irp_string(IrParser *p);
// The number of a token of that kind (IRT_VALUE …).
uint64_t irp_mark(IrParser *p, IrTokenKind kind, const char *what);
// The name of a token of that kind, interned.
const char *irp_name(IrParser *p, IrTokenKind kind, const char *what);
// Index of the token in a table of words.srcs; 0 and an error when not there.
uint32_t irp_word_of(IrParser *p, const char *const *words, const char *what);

// parse_table.c
IrType irp_type(IrParser *p);
IrLocId irp_loc(IrParser *p); // optional
IrGroup *irp_group(IrParser *p);
uint32_t irp_var(IrParser *p);
IrObject *irp_object_ref(IrParser *p);
void irp_object_later(IrParser *p, IrObject **slot);
void irp_label_later(IrParser *p, IrNode **slot);
IrHost *irp_host(IrParser *p);
// A row after its first word; `is_global`: at file scope.
void irp_object(IrParser *p, bool is_global);

// parse_node.c
void irp_body(IrParser *p);

#endif
