// SPDX-License-Identifier: Apache-2.0
// Terms: what the checker knows of the integers and conditions of a kernel.
//
// Integer terms are mathematical integers: no width, no wrapping. What a
// program computes with width is a term only where it is exact: the walk that
// makes terms of nodes (tree.h) adds the wrap (`mod` 2^n) or an obligation
// where it can't see that nothing wraps.
//
// Terms are immutable and hash-consed: equal structure is equal pointer.
// Integer terms are kept as sums: constant + sum of coefficient * atom, atoms
// sorted by id, coefficients not 0; so equal affine forms are equal pointers.
// A sum of 0 + 1 * atom is the atom itself, a constant a sum without parts.
// All memory is the table's arena. Not for several threads at once.
#ifndef HD_CHECK_TERM_TERM_H
#define HD_CHECK_TERM_TERM_H

#include "base/text.h"
#include "ir/form/ir.h"

struct CheckLoop;

typedef enum {
  // integers
  TERM_SUM,    // number + sum of terms[i].coefficient * terms[i].atom
  TERM_SYMBOL, // atom
  TERM_MUL,    // atom: product of args, neither of them constant
  TERM_DIV,    // atom: floor(args[0] / args[1]); args[1] > 0 is a side fact
  TERM_MOD,    // atom: args[0] - args[1] * floor(args[0] / args[1])
  TERM_MIN,
  TERM_MAX,
  TERM_ITE,   // args[0] ? args[1] : args[2]; args[0] is a condition
  TERM_AND,   // bits of two's complement, unbounded to the left
  TERM_OR,    //
  TERM_XOR,   //
  TERM_SHL,   // atom: 2^args[1]; args[0] is 1, args[1] >= 0 is a side fact
  TERM_SHR,   // for term_bits only: kept as DIV by a power of two
  TERM_APPLY, // element of a table: contents of `object` (never written in the
              // kernel) at the indices args
  // conditions
  TERM_TRUE,
  TERM_FALSE,
  TERM_LE, // args[0] <= 0
  TERM_EQ, // args[0] == 0
  TERM_NOT,
  TERM_ALL,  // all of args (two or more)
  TERM_SOME, // at least one of args (two or more)
} TermKind;

// What a symbol's value may differ between.
typedef enum {
  SYMBOL_LAUNCH, // one value a launch: parameter, extent, grid dimension
  SYMBOL_BLOCK,  // block index, one coordinate (`dimension`)
  SYMBOL_THREAD, // rank of the thread in its block, 0 … threads - 1
  SYMBOL_TURN,   // which turn of `loop` this is, from 0
  SYMBOL_VALUE,  // anything else: what a load gave, …; see `over` and `loop`
} SymbolKind;

typedef struct Symbol {
  uint32_t id;
  SymbolKind kind;
  const char *name; // for messages; as in the source where there is one
  // Values lie in low … high, whatever happens.
  int64_t low, high;
  bool is_power_of_two;
  // Stands for what was too large for a term: any integer, another one each
  // time. term_replace gives it a new copy.
  bool is_lost;
  bool is_wrapped;   // what is left of a number in 64 bits
  uint8_t dimension; // BLOCK, axes of tiles
  // VALUE: one value for all threads of an instance of this group (NULL: each
  // thread has its own), in the same turns of `loop` and the loops around it.
  const IrGroup *over;
  struct CheckLoop *loop; // VALUE, TURN: innermost loop; NULL: none
  const IrNode *origin;   // VALUE: the node that gave it, or NULL
  uint32_t n_var;         // VALUE: what variable this is, plus 1; or 0
  // VALUE: which element of a tile is meant, its index along axis `dimension`;
  // another value in each element (Note [Tiles] in walk_tile.c).
  bool is_axis, is_of_element;
  const struct Symbol *copy_of; // of term_copy_symbol, else NULL
  // VALUE: some thread's value of this symbol of each thread; or NULL
  const struct Symbol *received_of;
} Symbol;

typedef struct Term Term;

typedef struct {
  const Term *atom;
  int64_t coefficient;
} TermPart;

struct Term {
  TermKind kind;
  uint32_t id; // dense, unique in the table
  uint32_t n_args;
  const Term *const *args;
  int64_t number;         // SUM
  uint32_t n_parts;       // SUM
  const TermPart *parts;  // SUM
  const Symbol *symbol;   // SYMBOL
  const IrObject *object; // APPLY
};

typedef struct TermTable TermTable;

TermTable *term_table_new(Arena *arena);

// `model` is copied; its id is assigned. Range and is_power_of_two don't change
// once the symbol is in a term.
Symbol *term_symbol_new(TermTable *table, const Symbol *model);
// A new symbol with the same attributes, for a second thread or turn.
Symbol *term_copy_symbol(TermTable *table, const Symbol *symbol);

// --- integers. Every function simplifies; an overflow of 64 bits in
// coefficients makes the result a fresh unbounded VALUE symbol (sound).
const Term *term_int(TermTable *table, int64_t number);
const Term *term_of(TermTable *table, const Symbol *symbol);
const Term *term_add(TermTable *table, const Term *a, const Term *b);
const Term *term_sub(TermTable *table, const Term *a, const Term *b);
const Term *term_scale(TermTable *table, const Term *a, int64_t factor);
const Term *term_mul(TermTable *table, const Term *a, const Term *b);
// Floor division and its remainder; b > 0 is the caller's to know.
const Term *term_div(TermTable *table, const Term *a, const Term *b);
const Term *term_mod(TermTable *table, const Term *a, const Term *b);
const Term *term_min(TermTable *table, const Term *a, const Term *b);
const Term *term_max(TermTable *table, const Term *a, const Term *b);
const Term *term_ite(TermTable *table, const Term *condition, const Term *a,
                     const Term *b);
// min, max or ite: the last two arguments are what it chooses between.
bool term_is_choice(const Term *term);
// factor * x + rest, where x is a choice, or a sum with one in it, as a choice
// of such sums.
const Term *term_into_choice(TermTable *table, const Term *x, int64_t factor,
                             const Term *rest);
// term = factor * symbol + rest, factor != 0; the rest may hold it, too.
bool term_split(TermTable *table, const Term *term, const Symbol *symbol,
                int64_t *factor, const Term **rest);
// TERM_AND, OR, XOR, SHL, SHR
const Term *term_bits(TermTable *table, TermKind kind, const Term *a,
                      const Term *b);
const Term *term_apply(TermTable *table, const IrObject *object,
                       const Term *const *index, uint32_t n_index);

// --- conditions
const Term *term_true(TermTable *table);
const Term *term_false(TermTable *table);
const Term *term_le(TermTable *table, const Term *a, const Term *b); // a <= b
const Term *term_lt(TermTable *table, const Term *a, const Term *b);
const Term *term_eq(TermTable *table, const Term *a, const Term *b);
const Term *term_ne(TermTable *table, const Term *a, const Term *b);
const Term *term_not(TermTable *table, const Term *a);
const Term *term_and(TermTable *table, const Term *a, const Term *b);
const Term *term_or(TermTable *table, const Term *a, const Term *b);

// --- questions
bool term_is_int(const Term *term); // not a condition
bool term_is_constant(const Term *term, int64_t *number);
// Interval of a term's values by its symbols' ranges; INT64_MIN/MAX: open.
void term_interval(TermTable *table, const Term *term, int64_t *low,
                   int64_t *high);
// Calls visit for every distinct symbol in the term.
void term_symbols(const Term *term, void (*visit)(const Symbol *, void *),
                  void *context);

// Replaces symbols: `map` gives the term for a symbol or NULL to keep it.
typedef const Term *(*TermMap)(const Symbol *symbol, void *context);
const Term *term_replace(TermTable *table, const Term *term, TermMap map,
                         void *context);

// Value under an assignment (symbol id -> value); false if it can't be told: a
// symbol without value, an APPLY, a division by 0, an overflow of 64 bits.
typedef struct {
  uint32_t n;
  const Symbol **symbols;
  int64_t *values;
} TermModel;

bool term_value(const Term *term, const TermModel *model, int64_t *value);
// Value of a symbol in the model; false if it has none.
bool term_model_get(const TermModel *model, const Symbol *symbol,
                    int64_t *value);

// As a C expression with the symbols' names.
void term_print(const Term *term, Text *out);

#endif
