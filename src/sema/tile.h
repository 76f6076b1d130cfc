// SPDX-License-Identifier: Apache-2.0
// Tiles: what the files that check them share.
//
// *Tile code* is the body of a tile kernel, and of what it calls. There one
// thread runs a block, as far as the program can tell; tiles stand nowhere
// else, and what concerns single threads doesn't stand there.
#ifndef HD_SEMA_TILE_H
#define HD_SEMA_TILE_H

#include "sema/builtin_table.h"

static inline bool is_tile(const TExpr *expr) {
  return type_is(expr->type, TY_TILE);
}

// --- where tiles may stand (tile_place.c) ---

bool is_tile_code(const SemaContext *cx);
// Does the statement mention a tile, a section or an operation on tiles, itself
// or in a function that it calls?
bool uses_tiles(SemaContext *cx, const Stmt *stmt);
bool function_uses_tiles(SemaContext *cx, const Decl *decl);
// Reports `what` where no tile may stand.
bool tile_check_place(SemaContext *cx, Span span, const char *what);
// Reports `what` unless this is tile code.
bool tile_check_alone(SemaContext *cx, Span span, const char *what);
// Reports a use of the tile by another group than the one that holds it.
bool tile_check_holder(SemaContext *cx, const TVar *var, Span span);
// In a program of threads, does the text say that this is a tile?
bool tile_is_written(SemaContext *cx, const Expr *expr);
// Reports `what`, of threads or groups, in tile code.
bool tile_check_threads(SemaContext *cx, Span span, const char *what);

// --- types (tile_type.c) ---

// `tile T` or an array of it.
bool is_tile_syntax(const TypeSyntax *syntax);
QualType tile_resolve(SemaContext *cx, const TypeSyntax *syntax);
bool tile_is_element(const Type *type); // a scalar that elements may be
// The type with these extents, or NULL: reported, as `what`, at the place of
// the extent (`spans` NULL: at `span`). Rank 0: the element.
const Type *tile_make_type(SemaContext *cx, Span span, const char *what,
                           const Type *element, uint32_t rank,
                           const int64_t *extents, const Span *spans);

// --- structs as elements (tile_struct.c) ---

// An element may be such a struct, or is a scalar; and the same with a report.
bool tile_holds(SemaContext *cx, const Type *type);
bool tile_check_element(SemaContext *cx, Span span, const Type *type);
// Elements that values of tiles may be moved as: scalars, or structs.
bool tile_is_movable(const Type *type);
// Reports that a tile of such structs can't be used like that.
void tile_refuse_struct(SemaContext *cx, Span span, const Type *record,
                        const char *problem);
// Reports `op`, of numbers, on a tile of structs.
void tile_refuse_struct_operand(SemaContext *cx, Span span, const Type *record,
                                const char *op);
// t.member
TExpr *tile_check_member(SemaContext *cx, TExpr *tile, const Expr *expr);
// A struct of zeros.
TExpr *tile_zero_struct(SemaContext *cx, const Type *record, Span span);

// --- clauses (tile_hints.c) ---

void tile_check_hints(SemaContext *cx, const Clause *clause, TKernel *kernel);
// Warns of a product whose rows the consumers of the kernel can't share.
void tile_check_consumers(SemaContext *cx, const Type *product, Span span);
// All clauses `tune` of the kernel, at the first.
void tile_check_tune(SemaContext *cx, const Decl *kernel, const Clause *clause);

// --- conversions (tile_convert.c) ---

// A scalar or tile of the same elements as a tile of that type, to which it
// broadcasts.
TExpr *tile_broadcast(SemaContext *cx, TExpr *value, const Type *to);
// As stores, initialisers, arguments and returns do: only where nothing is
// lost. Poison when it was refused (reported, as `what`).
TExpr *tile_assign(SemaContext *cx, TExpr *value, const Type *to,
                   const char *what);
// A scalar of that type, likewise.
TExpr *tile_scalar(SemaContext *cx, TExpr *value, const Type *element,
                   const char *what);
// The element that values of several tiles are combined in. `op` is for
// messages; `is_moved`: nothing is computed. NULL: reported.
const Type *tile_common_element(SemaContext *cx, const char *op, TExpr **values,
                                uint32_t count, bool is_moved, Span span);
// NumPy's broadcasting of the shapes of all values. NULL: reported.
const Type *tile_common_shape(SemaContext *cx, const char *op, TExpr **values,
                              uint32_t count, const Type *element, Span span);
// Both: all values get one type, which is returned.
const Type *tile_unify(SemaContext *cx, const char *op, TExpr **values,
                       uint32_t count, bool is_moved, Span span);
// To tiles (or a scalar) of other elements, without checks.
TExpr *tile_convert_elements(SemaContext *cx, TExpr *value,
                             const Type *element);

// --- operators (tile_operator.c) ---

TExpr *tile_check_binary(SemaContext *cx, BinaryOp op, TExpr *left,
                         TExpr *right, Span span);
TExpr *tile_check_logical(SemaContext *cx, const char *op, bool is_and,
                          TExpr *left, TExpr *right, Span span);
TExpr *tile_check_unary(SemaContext *cx, UnaryOp op, TExpr *operand, Span span);
// Elements that aren't 0.
TExpr *tile_to_bool(SemaContext *cx, TExpr *value);
// Mathematics and min, max, clamp, abs, cdiv, bits: some value is a tile.
TExpr *tile_check_math(const BuiltinCall *call, BuiltinRule rule,
                       TExpr **values);
// Rows become tiles.
bool tile_is_among(SemaContext *cx, TExpr **values, uint32_t count);

// --- sections (tile_section.c) ---

// A[i:64][k:64] as a place of a tile.
TExpr *tile_check_section(SemaContext *cx, const Expr *expr);
// An index that is a tile, as a tile of long; NULL: it is none. Reports tiles
// that aren't of integers.
TExpr *tile_index(SemaContext *cx, TExpr *value);
// A row or array in tile code as a section: `lo`, and lengths of what has an
// index; the caller sets the others. NULL: it is something else.
TSection *tile_row_section(SemaContext *cx, TExpr *array);
// A row or array as the section that is all of it: the place of `array`, an
// lvalue, or NULL where an extent isn't constant; and the value of what was a
// row before it became a pointer (other values are given back).
TExpr *tile_row_place(SemaContext *cx, TExpr *array);
TExpr *tile_row(SemaContext *cx, TExpr *value);
// The place of a section or of a row of constant extents, poison: reported, or
// NULL: something else.
TExpr *tile_section_place(SemaContext *cx, TExpr *place);
// The same place once more, to have something around it; reports what is there
// already.
TExpr *tile_around(const BuiltinCall *call, const TExpr *place);
bool tile_around_once(const BuiltinCall *call, bool is_there);
// Reports the place of a section that has a hint for stores only.
bool tile_check_loaded(SemaContext *cx, const TExpr *place);
// t[i], which a tile doesn't have.
TExpr *tile_refuse_element(SemaContext *cx, const Expr *expr, TExpr *tile);

// --- views (tile_view.c) ---

// A[i:n][:] as the argument for an array parameter: a SECTION whose type is
// that array.
TExpr *tile_check_view(SemaContext *cx, const Expr *expr);
// Likewise a whole array or a row in tile code; NULL: it is something else.
TExpr *tile_row_view(SemaContext *cx, TExpr *array);
// The argument, if the parameter can be bound to it. Reports.
TExpr *tile_pass_view(SemaContext *cx, const TVar *param, TExpr *value,
                      const char *what);

// --- packed elements (tile_packed.c) ---

// Elements whose bits are whole bytes: sections that are stored, and views of
// columns, begin and end at multiples of it, or end where the row does.
uint32_t tile_packed_step(const Type *element);
// A section that is assigned, as far as constants tell. False: reported.
bool tile_check_packed(SemaContext *cx, const TExpr *place);
// A view, likewise.
bool tile_check_packed_view(SemaContext *cx, const TSection *view);
// Strides of an array parameter.
void tile_check_packed_strides(SemaContext *cx, const TVar *var, Span span);

// --- functions (tile_function.c) ---

// Declares the names in the extents of a tile parameter that nothing else
// declares: constants, from the shape of the argument (NULL: not known).
// False: they can't be known (reported if there is an argument).
bool tile_declare_extents(SemaContext *cx, const Decl *param,
                          const TExpr *argument);
// Likewise of an array parameter, whose argument is a view: constants, or
// variables that are added to *open (without their array).
typedef hd_vec(TOpenExtent) OpenExtents;
bool tile_declare_view_extents(SemaContext *cx, const Decl *param,
                               const TExpr *view, OpenExtents *open);
// A returned value, converted; NULL: reported. The first return decides the
// shape.
TExpr *tile_check_returned(SemaContext *cx, TExpr *value, Span span);
// Every tile variable is assigned on all paths before it is read. Reports.
void tile_check_assigned(SemaContext *cx, const TStmt *body, TVar *const *vars,
                         uint32_t n_vars);

// --- constexpr for (constexpr_loop.c) ---

TStmt *check_constexpr_for(SemaContext *cx, const Stmt *stmt);

// --- calls (tile_call.c) ---

// The call, if its name is that of an operation on tiles here; else NULL.
TExpr *tile_check_call(SemaContext *cx, const char *name, const Expr *call);
bool tile_is_name(SemaContext *cx, const char *name);
// Argument `index` as a tile, of structs too, or of scalars only; NULL:
// reported.
TExpr *tile_moved_argument(const BuiltinCall *call, uint32_t index);
TExpr *tile_argument(const BuiltinCall *call, uint32_t index);
// Argument `index` as a constant; reports as `what`.
bool tile_constant(const BuiltinCall *call, uint32_t index, const char *what,
                   int64_t *out);
// An axis of a tile of that rank, from 0; negative ones count from the end.
bool tile_axis(const BuiltinCall *call, const Expr *expr, uint32_t rank,
               uint32_t *axis);

// Which axes a reduction takes, from argument 1 on but for the last `n_behind`:
// all where none is named.
typedef struct {
  uint32_t axes; // bit k: axis k goes
  bool keeps;    // with extent 1
} TileAxes;

bool tile_axes(const BuiltinCall *call, uint32_t n_behind, uint32_t rank,
               TileAxes *out);
// axis, or reverse(axis), as tile->axis and is_reverse.
bool tile_directed_axis(const BuiltinCall *call, const Expr *expr,
                        uint32_t rank, TTileArgs *tile);
// The type that argument 0 names, and if it is a scalar that elements may be;
// NULL: reported.
const Type *tile_named_type(const BuiltinCall *call);
const Type *tile_named_element(const BuiltinCall *call);
// What sums of such elements have: of narrow integers `int` or `unsigned`.
const Type *tile_sum_element(SemaContext *cx, const Type *element);
// The type without the axes whose bits are set, or with extent 1 there; of no
// dimension the element.
const Type *tile_reduced_type(SemaContext *cx, const Type *type, uint32_t axes,
                              const Type *element, bool keeps);
// Arguments `first` to the last but `n_behind` as extents.
const Type *tile_extents(const BuiltinCall *call, uint32_t first,
                         uint32_t n_behind, const Type *element);
// The call's node.
TExpr *tile_build(const BuiltinCall *call, const Type *type, TExpr **args,
                  uint32_t n_args, const TTileArgs *tile);

// Whether the array may lie in tensor memory; else it is reported.
bool tensor_check_array(SemaContext *cx, Span span, TVar *var);

// An operand of a matrix unit (tile_wgmma.c).
typedef struct {
  TExpr *value; // a TEXPR_SECTION, or a tile
  const Type *type;
  bool is_shared, is_turned;
} EngineOperand;

// HD1038; returns false.
bool tile_engine_refuse(const BuiltinCall *call, Span span,
                        const char *problem);
// Argument i, a section of a shared array or its transpose. False: reported.
bool tile_engine_take(const BuiltinCall *call, uint32_t i, bool may_be_tile,
                      EngineOperand *operand);
// Whether matrix units have products of such elements with such sums.
bool tile_engine_multiplies(const Type *a, const Type *b, const Type *to);
// Of the operand as it is multiplied.
uint32_t tile_engine_extent(const EngineOperand *operand, uint32_t i);
// Numbers, bits by operand: unsigned, transposed.
void tile_engine_numbers(const EngineOperand *a, const EngineOperand *b,
                         TTileArgs *tile);

// The rules that tile_builtins.def names.
TExpr *tile_rule_where(const BuiltinCall *call);
TExpr *tile_rule_cast(const BuiltinCall *call);
TExpr *tile_rule_zip(const BuiltinCall *call);
TExpr *tile_rule_topk(const BuiltinCall *call);
TExpr *tile_rule_map(const BuiltinCall *call);
TExpr *tile_rule_combine(const BuiltinCall *call);
TExpr *tile_rule_scan(const BuiltinCall *call);
TExpr *tile_rule_reduce(const BuiltinCall *call);
TExpr *tile_rule_mma(const BuiltinCall *call);
TExpr *tile_rule_mma_scaled(const BuiltinCall *call);
TExpr *tile_rule_wgmma_mma(const BuiltinCall *call);
TExpr *tile_rule_tensor_array(const BuiltinCall *call);
TExpr *tile_rule_tensor_mma(const BuiltinCall *call);
TExpr *tile_rule_tensor_ld(const BuiltinCall *call);
TExpr *tile_rule_tensor_st(const BuiltinCall *call);
TExpr *tile_rule_tensor_cp(const BuiltinCall *call);
TExpr *tile_rule_split_parts(const BuiltinCall *call);
TExpr *tile_rule_reshape(const BuiltinCall *call);
TExpr *tile_rule_broadcast(const BuiltinCall *call);
TExpr *tile_rule_expand(const BuiltinCall *call);
TExpr *tile_rule_permute(const BuiltinCall *call);
TExpr *tile_rule_cat(const BuiltinCall *call);
TExpr *tile_rule_stack(const BuiltinCall *call);
TExpr *tile_rule_split(const BuiltinCall *call);
TExpr *tile_rule_extract(const BuiltinCall *call);
TExpr *tile_rule_insert(const BuiltinCall *call);
TExpr *tile_rule_flip(const BuiltinCall *call);
TExpr *tile_rule_roll(const BuiltinCall *call);
TExpr *tile_rule_relayout(const BuiltinCall *call);
TExpr *tile_rule_local(const BuiltinCall *call);
TExpr *tile_rule_local_index(const BuiltinCall *call);
TExpr *tile_rule_from_local(const BuiltinCall *call);
// What the parts say, at argument `argument` of `name`. False: reported.
bool tile_read_layout(SemaContext *cx, const ExprList *parts, const char *name,
                      uint32_t argument, LayoutSpec *out);
// The fewest threads that can have it: more hold copies, or fewer elements
// each.
uint32_t tile_layout_threads(const LayoutSpec *spec);
// As the current group holds a tile of the type. NULL: it doesn't fit; reported
// of `what`.
const TileLayout *tile_fit_layout(SemaContext *cx, const LayoutSpec *spec,
                                  const Type *type, Span span,
                                  const char *what);
// constexpr layout L = …
void tile_declare_constant(SemaContext *cx, const Decl *decl);
bool tile_declare_layout(SemaContext *cx, const LayoutSyntax *syntax,
                         TVar *var);
// A layout that is good for loads and stores, as a program would write it.
const char *tile_suggest_layout(SemaContext *cx, const Type *type);
bool tile_is_local(const TExpr *value); // local(t)
// local(t)[i]; NULL: the array isn't that.
TExpr *tile_local_element(SemaContext *cx, const TExpr *array, TExpr *index,
                          Span span);
// Whether the array can lie as its layout says ("swizzle128"); reports at the
// span if not.
bool tile_layout_fits_array(SemaContext *cx, const TVar *var, Span span);
TExpr *tile_rule_pad_to(const BuiltinCall *call);
TExpr *tile_rule_arange(const BuiltinCall *call);
TExpr *tile_rule_full(const BuiltinCall *call);
TExpr *tile_rule_filled(const BuiltinCall *call);
TExpr *tile_rule_eye(const BuiltinCall *call);
TExpr *tile_rule_triangle(const BuiltinCall *call);
TExpr *tile_rule_bitcast(const BuiltinCall *call);
TExpr *tile_rule_regroup(const BuiltinCall *call);
TExpr *tile_rule_prefixes(const BuiltinCall *call);
TExpr *tile_rule_sort(const BuiltinCall *call);
TExpr *tile_rule_histogram(const BuiltinCall *call);
TExpr *tile_rule_random(const BuiltinCall *call);
TExpr *tile_rule_around(const BuiltinCall *call);
TExpr *tile_rule_print(const BuiltinCall *call);

#endif
