// SPDX-License-Identifier: Apache-2.0
// What the files of lowering share. See lower.h for the stage as a whole.
//
//   Type     as the typed tree has it      TypeLayout  its leaves and chunks
//   Address  place in an object or behind a pointer
//   Storage  where an lvalue lives: variables, values, or memory
//   Value    what an expression gives: leaves, a pointer, or a memory image
//   Binding  what stands for a TVar now
#ifndef HD_LOWER_LOWER_INTERNAL_H
#define HD_LOWER_LOWER_INTERNAL_H

#include "base/map.h"
#include "base/panic.h"
#include "base/vec.h"
#include "lower/lower.h"

enum {
  // Records and arrays with more scalars than this live in memory.
  LOWER_MAX_SPLIT_LEAVES = 64,
  // Expressions, statements and inlined calls inside one another.
  LOWER_MAX_DEPTH = 2500,
};

// ---------------------------------------------------------------- layouts

// A scalar (or pointer) inside a type; of a tile of structs a tile.
typedef struct {
  const Type *type; // of a tile its element
  IrType ir;
  uint32_t offset_bytes;
  const char *path; // ".x", ".corner[2].y"; "" for a scalar itself
} Leaf;

// What one access moves: a leaf, or a short vector of leaves. Tiles are in no
// memory, and have an IR type only.
typedef struct {
  IrType ir;
  uint32_t offset_bytes, align_bytes;
  uint32_t first_leaf, n_leaves;
} Chunk;

typedef struct TypeLayout {
  bool is_split; // false: values of it exist in memory only
  Leaf *leaves;
  uint32_t n_leaves;
  Chunk *chunks;
  uint32_t n_chunks;
} TypeLayout;

// Barriers and pipelines: lower_barrier.h.
typedef struct BarrierPlace BarrierPlace;
typedef struct Pipeline Pipeline;
typedef struct Stage Stage;

// ------------------------------------------------- addresses and values

// A place in memory, as IrAccess describes it. With an object either n_index
// is its rank, or 0 and the offsets count from its start.
typedef struct {
  IrObject *object;
  IrNode *pointer; // object == NULL
  uint8_t n_index;
  // How many indices were written; the others are zeros standing for "the
  // start of that part".
  uint8_t n_given;
  IrNode *indices[IR_MAX_RANK]; // NULL: zero
  IrNode *offset;               // i64 bytes, or NULL
  int64_t offset_bytes;
  // The array inside of the object that the pointer was made from, where the
  // program names one: Note [Arrays inside] in lower_inside.c. NULL: none.
  const char *inside;
  int64_t inside_bytes;  // its size
  IrNode *inside_offset; // where in it: i64 bytes, or NULL
  int64_t inside_at;     // and more bytes
} Address;

typedef enum { VALUE_LEAVES, VALUE_POINTER, VALUE_MEMORY } ValueKind;

typedef struct {
  ValueKind kind;
  uint32_t n_leaves;      // LEAVES; 0: void
  IrNode *node;           // LEAVES, one leaf
  IrNode **leaves;        // LEAVES, several
  const Address *address; // POINTER: what it points to; MEMORY: where it is
} Value;

typedef enum {
  BIND_VALUES,  // leaves: never changes
  BIND_VARS,    // one IR variable a leaf
  BIND_OBJECT,  // lives in memory
  BIND_POINTER, // pointer that never changes: address
  BIND_OFFSET,  // pointer into `object`; first_var holds its byte offset
  BIND_DENSE,   // array parameter of a function, dense at `address`
  BIND_VIEW,    // array parameter of a function in tile code: `view`
  BIND_PLACE,   // pointer parameter that stands for `place`
  BIND_BARRIER, // parameter: another name of an mbarrier or array of them
  BIND_PIPELINE,
} BindingKind;

typedef struct Storage Storage;
typedef struct View View;

typedef struct {
  BindingKind kind;
  const Type *type;
  Value value;            // VALUES
  uint32_t first_var;     // VARS: ids first_var, first_var + 1, …; OFFSET
  IrObject *object;       // OBJECT, OFFSET
  const Address *address; // POINTER, DENSE
  IrNode **extents;       // DENSE: i64, outermost first
  const View *view;       // VIEW
  const Storage *place;   // PLACE
  const BarrierPlace *barrier; // BARRIER
  Pipeline *pipeline;          // PIPELINE
} Binding;

// A section of an array, as IrNode.u.section has it.
typedef struct {
  IrObject *object;
  IrNode *indices[IR_MAX_RANK];
  IrSectionKind kinds[IR_MAX_RANK];
  uint32_t lengths[IR_MAX_RANK];
  IrType element;         // of tiles; narrow where it isn't the object's
  IrNode *mask, *outside; // or NULL
  bool is_unchecked, has_view, is_update;
  IrHint load_hint, store_hint;
  IrNode *low[IR_MAX_RANK], *high[IR_MAX_RANK]; // with a view: its bounds
} SectionPlace;

typedef enum { STORAGE_BINDING, STORAGE_MEMORY, STORAGE_SECTION } StorageKind;

struct Storage {
  StorageKind kind;
  const Type *type;
  const Binding *binding; // VALUES, VARS, POINTER, OFFSET
  uint32_t first_leaf;
  const Address *address;      // MEMORY
  const SectionPlace *section; // SECTION
};

// ------------------------------------------------------------ the context

// How often and how a variable is used in its function.
typedef struct {
  bool is_assigned;    // after its declaration
  bool needs_memory;   // address taken, or indexed by what isn't constant
  uint32_t n_uses;     // mentions
  uint32_t n_own_uses; // those inside `for` loops that it counts
  hd_vec(const TExpr *) sources; // of a pointer: what is assigned to it
  // Of a pointer that may be decided before it is declared: what it starts as.
  bool is_declared;
  const TExpr *initial;
  const Address *given; // a parameter's argument
  bool is_seen;         // while roots are looked for
  IrObject *root;       // once decided, until it is declared
} VarUse;

// Where `break` and `continue` go.
typedef struct ControlScope {
  struct ControlScope *parent;
  IrNode *break_target;    // NULL: the loop outside
  IrNode *continue_target; // NULL: the loop outside
  bool is_next_turn;       // continue_target is a loop, not a block
} ControlScope;

// An inlined call, or the kernel's body at the bottom.
typedef struct Frame {
  struct Frame *caller;
  const TFunc *func; // NULL: the kernel
  IrNode *node;      // call or, for a kernel, the block that `return` leaves
  IrLocId call_loc;
  Binding *result; // NULL: void
  uint32_t nodes_before;
  Span call_span;
  bool fast_math;
} Frame;

typedef struct {
  Arena *scratch;
  IrModule *module;
  IrKernel *kernel;
  const TKernel *tree;
  SourceText *source;
  DiagEngine *diags;

  IrRegion *region; // where nodes go
  IrLocId loc;
  IrGroup *group; // current
  Frame *frame;
  ControlScope *control;
  uint32_t depth;
  uint32_t n_guards; // early exits around `region`, see lower_stmt.c
  bool has_failed;   // reported; everything ends soon

  Map bindings;     // TVar -> Binding, of the innermost active instance
  Map uses;         // TVar -> VarUse
  Map scanned;      // body -> Declared
  Map place_params; // TVar -> whether it is a place
  Map place_args;   // TExpr ADDR that is one, as an argument
  Map layouts;      // Type -> TypeLayout
  Map structs;      // Type -> index + 1
  Map params;       // TVar -> IrParam index + 1
  Map columns;      // IrObject of packed elements -> the elements of a row, i64
  Map groups;       // TVar of a group -> IrGroup
  hd_vec(Pipeline *) pipelines;
  hd_vec(const TVar *) nest; // of the loops that are the whole kernel
  Stage *stage;              // innermost produce or consume statement, or NULL
  uint32_t n_speculative;    // what is evaluated may not be needed
  // Rows of this_warp(), whole_warp(), this_thread(), once named.
  IrGroup *warp, *whole_warp, *thread;
  Map wide; // IrNode (trunc to i32) -> its exact 64-bit value, signed
  Map wide_unsigned;
  struct LocCacheRow *locs;
} Lowering;

// ------------------------------------------------------ lower_inside.c

// The bytes of an access lie in the array that its pointer was made from.
void lower_owe_inside(Lowering *lw, const Address *address, uint32_t n_bytes);
// The subscripts of `expr` (INDEX) lie in its array, which isn't a whole
// object.
void lower_owe_subscripts(Lowering *lw, const TExpr *expr,
                          IrNode *const *indices);
// 0 <= index < extent (i64); `array` is its name.
void lower_owe_below(Lowering *lw, IrNode *index, IrNode *extent,
                     const char *array);
// `address` is the start of `array`: pointers from there stay in it, if it is a
// member.
void lower_note_inside(Lowering *lw, Address *address, const TExpr *array);
// `bytes` (NULL: none) and `n` further on in the same array.
void lower_move_inside(Lowering *lw, Address *address, IrNode *bytes,
                       int64_t n);

// -------------------------------------------------------- lower_owed.c

// The condition holds at every launch, or the launch is wrong. The text says
// what holds.
void lower_owe(Lowering *lw, IrNode *condition, const char *text);
// Of the cluster: a block of that rank (i32), all blocks of the mask (i32).
void lower_owe_rank(Lowering *lw, IrNode *rank);
void lower_owe_mask(Lowering *lw, IrNode *mask);
void lower_owe_tile(Lowering *lw, IrNode *size);     // i32, of a tile
void lower_owe_bytes(Lowering *lw, IrNode *n_bytes); // i64, not negative
void lower_owe_16_bytes(Lowering *lw, IrNode *n_bytes);

// -------------------------------------------------------- lower_emit.c

IrLocId lower_loc(Lowering *lw, Span span);
Place lower_place(Lowering *lw, Span span);
IrNode *lower_emit(Lowering *lw, IrOp op, IrType type, IrNode *const *args,
                   uint32_t n_args);
IrNode *lower_emit1(Lowering *lw, IrOp op, IrType type, IrNode *a);
IrNode *lower_emit2(Lowering *lw, IrOp op, IrType type, IrNode *a, IrNode *b);
IrNode *lower_emit3(Lowering *lw, IrOp op, IrType type, IrNode *a, IrNode *b,
                    IrNode *c);
IrNode *lower_const(Lowering *lw, IrType type, uint64_t bits);
IrNode *lower_i32(Lowering *lw, int64_t value);
IrNode *lower_i64(Lowering *lw, int64_t value);
IrNode *lower_bool(Lowering *lw, bool value);
IrNode *lower_zero(Lowering *lw, IrType type);
// True and the value, sign-extended, if the node is an integer constant.
bool lower_is_const(const IrNode *node, int64_t *value);
// An element, or a tile of them with the extents of `like`.
IrType lower_shaped(Lowering *lw, const IrNode *like, IrType element);
// Of a tile, bits of an element.
uint32_t lower_element_bits(const Lowering *lw, const IrNode *node);
// Signed i64 arithmetic of addresses, no wrap, constants folded.
IrNode *lower_add64(Lowering *lw, IrNode *a, IrNode *b);
IrNode *lower_mul64(Lowering *lw, IrNode *a, IrNode *b);
// A signed integer as i64, times a constant.
IrNode *lower_scale64(Lowering *lw, IrNode *node, int64_t factor);
IrNode *lower_to_i64(Lowering *lw, IrNode *node); // signed i8 … i64
IrNode *lower_get(Lowering *lw, uint32_t var);
void lower_set(Lowering *lw, uint32_t var, IrNode *value);
uint32_t lower_new_var(Lowering *lw, const char *name, IrType type);
IrNode *lower_index_op(Lowering *lw, IrOp op, IrType type, uint32_t number,
                       IrObject *object);
IrNode *lower_not(Lowering *lw, IrNode *condition);
IrNode *lower_exit(Lowering *lw, IrNode *target, bool is_next_turn);
// The region can't go on: its last node is an exit.
bool lower_is_ended(const Lowering *lw);
// Makes a region node and its body current; the region before is returned.
IrRegion *lower_enter(Lowering *lw, IrNode *node, uint32_t which);
void lower_leave(Lowering *lw, IrRegion *before);
// Removes exits to `target` where going on leads to the same place.
void lower_strip_tail(IrRegion *region, const IrNode *target,
                      bool is_next_turn);
// A block whose body is current from now on; lower_close_block ends it and
// puts its nodes in its place if no exit targets it.
IrNode *lower_open_block(Lowering *lw);
void lower_close_block(Lowering *lw, IrNode *block);

// -------------------------------------------------------- lower_type.c

IrType lower_type(Lowering *lw, const Type *type);
const TypeLayout *lower_layout(Lowering *lw, const Type *type);
IrSpace lower_space(Space space);
bool lower_type_is_signed(const Type *type); // signed integer
// The signedness of a scalar, or of what an array, pointer or vector holds.
bool lower_holds_signed(const TVar *var);
// The leaf at an offset of a split type.
uint32_t lower_leaf_at(const TypeLayout *layout, uint64_t offset_bytes);
// A struct of the same bytes whose leaves are plain integers.
IrType lower_byte_image(Lowering *lw, const Type *type);

// ------------------------------------------------------- lower_value.c

Value lower_value_node(IrNode *node);
Value lower_value_leaves(Lowering *lw, IrNode **leaves, uint32_t n_leaves);
Value lower_value_address(const Address *address);
IrNode *lower_leaf(const Value *value, uint32_t i);
// Any value of `type` as leaves; pointers become `ptr` values.
Value lower_as_leaves(Lowering *lw, Value value, const Type *type);
// Leaves as a value of `type`: a lone pointer becomes an address again.
Value lower_from_leaves(Lowering *lw, Value value, const Type *type);
Value lower_read(Lowering *lw, const Storage *storage);
void lower_write(Lowering *lw, const Storage *storage, Value value);
Value lower_zero_value(Lowering *lw, const Type *type);
// A part of a value.
Value lower_part(Lowering *lw, Value whole, const Type *whole_type,
                 const Type *part_type, uint64_t offset_bytes);

// ------------------------------------------------------ lower_access.c

Address *lower_address_new(Lowering *lw, const Address *from);
Address *lower_object_address(Lowering *lw, IrObject *object);
IrNode *lower_index_at(Lowering *lw, const Address *address, uint32_t dim);
// Reports that a pointer to a thread's own variable would lie in memory.
void lower_refuse_local(Lowering *lw);
// Operands and attributes of one access; `values` come last.
IrNode *lower_access(Lowering *lw, IrOp op, const Address *address, IrType type,
                     uint32_t align_bytes, IrNode *const *values,
                     uint32_t n_values);
const Address *lower_address_at(Lowering *lw, const Address *address,
                                uint64_t offset_bytes);
Value lower_load_memory(Lowering *lw, const Address *address, const Type *type,
                        IrHint hint);
void lower_store_memory(Lowering *lw, const Address *address, const Type *type,
                        Value value, IrHint hint);
void lower_copy_bytes(Lowering *lw, const Address *to, const Address *from,
                      const Type *type);
void lower_zero_bytes(Lowering *lw, const Address *to, const Type *type);
// Any bytes, which the function `giver` gives.
void lower_unknown_bytes(Lowering *lw, const Address *to, const Type *type,
                         const char *giver);
// The byte distance of neighbours in dimension `dim`, i64.
IrNode *lower_stride_bytes(Lowering *lw, IrObject *object, uint32_t dim);

// ----------------------------------------------------- lower_pointer.c

// The object that a pointer leads to, if there is exactly one and it exists
// already; else NULL.
// Of a pointer variable; `initial` may be NULL.
IrObject *lower_variable_root(Lowering *lw, const TVar *var,
                              const Address *initial);
IrObject *lower_result_root(Lowering *lw, const TFunc *func);
// Byte offset from the object's start, i64.
IrNode *lower_flat_offset(Lowering *lw, const Address *address);
IrNode *lower_pointer_node(Lowering *lw, const Address *address, Space space);
const Address *lower_address_of_node(Lowering *lw, IrNode *pointer);
const Address *lower_offset_address(Lowering *lw, IrObject *object,
                                    IrNode *offset);
// `address` moved by index * size_bytes; the index is i32 or i64.
const Address *lower_address_add(Lowering *lw, const Address *address,
                                 IrNode *index, uint64_t size_bytes);
Value lower_pointer_add(Lowering *lw, const TExpr *expr);
Value lower_pointer_difference(Lowering *lw, const TExpr *expr);
IrNode *lower_pointer_compare(Lowering *lw, TOp op, Value left, Value right,
                              const Type *type);

// ------------------------------------------------------- lower_place.c

Storage lower_storage(Lowering *lw, const TExpr *expr);
// Likewise of the operand of &, which may be the place behind an array.
Storage lower_addressed(Lowering *lw, const TExpr *expr);
const Address *lower_storage_address(Lowering *lw, const Storage *storage);
// A subscript as i32 or i64.
IrNode *lower_index(Lowering *lw, const TExpr *expr);

// --------------------------------------------------- lower_by_place.c

// The pointer stands for a place wherever the function is given `&x`.
bool lower_is_place_param(Lowering *lw, const TFunc *func, uint32_t i);
// Enters the arguments of a call that are places.
void lower_note_place_args(Lowering *lw, const TExpr *call);
// What argument `i` stands for; NULL: it is a pointer.
const Storage *lower_argument_place(Lowering *lw, const TFunc *func, uint32_t i,
                                    const TExpr *arg);
// What `*pointer` is, if the pointer is such a parameter; else NULL.
const Storage *lower_pointed_place(Lowering *lw, const TExpr *pointer);

// -------------------------------------------------------- lower_expr*.c

Value lower_expr(Lowering *lw, const TExpr *expr);
IrNode *lower_scalar(Lowering *lw, const TExpr *expr);
const Address *lower_pointer(Lowering *lw, const TExpr *expr);
Value lower_binary(Lowering *lw, const TExpr *expr);
Value lower_unary(Lowering *lw, const TExpr *expr);
// One operation on values of one type, leaf by leaf; no contraction.
Value lower_operate(Lowering *lw, TOp op, const Type *type, Value left,
                    Value right, const Type *right_type);
Value lower_multiply_add(Lowering *lw, const Type *type, Value a, Value b,
                         Value c);
Value lower_convert(Lowering *lw, Value value, const Type *from,
                    const Type *to);
IrNode *lower_convert_scalar(Lowering *lw, IrNode *node, const Type *from,
                             const Type *to);
Value lower_logic(Lowering *lw, const TExpr *expr);
Value lower_conditional(Lowering *lw, const TExpr *expr);
Value lower_assign(Lowering *lw, const TExpr *expr);
Value lower_assign_op(Lowering *lw, const TExpr *expr);
Value lower_inc_dec(Lowering *lw, const TExpr *expr);
Value lower_aggregate(Lowering *lw, const TExpr *expr);
// Fills memory, whole arrays included, from an AGGREGATE.
void lower_init_object(Lowering *lw, IrObject *object, const TExpr *aggregate);
void lower_init_memory(Lowering *lw, const Address *address,
                       const TExpr *aggregate);
// Flags of a signed operation of the program that may not overflow.
uint32_t lower_no_wrap(const Lowering *lw);
// Evaluating it costs little, has no effect and touches no memory.
bool lower_is_cheap(Lowering *lw, const TExpr *expr);
// The value where it may not be needed.
IrNode *lower_speculative(Lowering *lw, const TExpr *expr);

// ----------------------------------------------------- lower_builtin*.c

Value lower_builtin(Lowering *lw, const TExpr *expr);
// The row of the table, for a panic.
const char *lower_builtin_text(Builtin id);
// False: not a mathematical function.
bool lower_builtin_math(Lowering *lw, const TExpr *expr, Value *out);
bool lower_builtin_memory(Lowering *lw, const TExpr *expr, Value *out);
// block_index().y and its kin, without the other dimensions. False: it is
// something else.
bool lower_position(Lowering *lw, const TExpr *component, Value *out);
// No effect, and reads nothing but its operands and the position.
bool lower_is_pure_builtin(Builtin id);
// Parts of floating-point numbers (lower_builtin_parts.c).
IrNode *lower_logb(Lowering *lw, IrNode *x);
IrNode *lower_is_normal(Lowering *lw, IrNode *x);
// frexp, modf, remquo. False: another builtin.
bool lower_builtin_parts(Lowering *lw, const TExpr *expr, Value *out);
bool lower_is_math_builtin(Builtin id);
bool lower_builtin_collective(Lowering *lw, const TExpr *expr, Value *out);
Value lower_reduce(Lowering *lw, const TExpr *expr);
Value lower_prefix(Lowering *lw, const TExpr *expr);
Value lower_update(Lowering *lw, const TExpr *expr);
// A value as one node: a short vector, a struct or a tile of structs is packed
// from its chunks; and the value that such a node is.
IrNode *lower_pack(Lowering *lw, Value value, const Type *type);
Value lower_unpack(Lowering *lw, IrNode *node, const Type *type);
// Makes a region current that only the group's first thread runs; the region
// before is returned.
IrRegion *lower_enter_first(Lowering *lw, IrGroup *group);
// The first thread's value for all threads.
IrNode *lower_broadcast_first(Lowering *lw, IrGroup *group, IrNode *value);
IrNode *lower_rank(Lowering *lw, IrGroup *group);
IrNode *lower_group_size(Lowering *lw, IrGroup *group);

// ------------------------------------------------------ lower_tile*.c

// False: no operation on tiles.
bool lower_builtin_tile(Lowering *lw, const TExpr *expr, Value *out);
// A BROADCAST to a tile.
Value lower_tile_repeated(Lowering *lw, const TExpr *expr);
IrHint lower_hint(THint hint);
// Evaluates the indices. A place of no array that has sections is reported.
const SectionPlace *lower_section_place(Lowering *lw, const TSection *section);
void lower_refuse_sections(Lowering *lw, const TSection *section);
IrNode *lower_section_node(Lowering *lw, IrOp op, IrType type,
                           const SectionPlace *place, IrNode *const *values,
                           uint32_t n_values);
IrNode *lower_section_load(Lowering *lw, const SectionPlace *place,
                           const Type *type);
void lower_section_store(Lowering *lw, const SectionPlace *place,
                         IrNode *value);
// Order, scope and operation are the caller's.
IrNode *lower_section_atomic(Lowering *lw, IrOp op, IrType type,
                             const SectionPlace *place, IrNode *const *values,
                             uint32_t n_values);

// ----------------------------------------- packed elements (lower_packed.c)

// Extents and strides of the array of bytes that holds packed elements, from
// those of the elements.
void lower_packed_extents(Lowering *lw, IrObject *object, const TVar *var);
// The elements of rows, where the kernel begins.
void lower_packed_columns(Lowering *lw);
// The extent of dimension `dim` of a packed array in elements; NULL: the
// object's is that.
IrNode *lower_packed_columns_of(const Lowering *lw, const IrObject *object,
                                uint32_t dim);
// `count` elements from `first`, of a part of `extent` elements, begin and end
// where bytes do, or end where the part does: owed.
void lower_packed_owe_part(Lowering *lw, IrType element, IrNode *first,
                           IrNode *count, IrNode *extent, const char *what);
// A store of the section owes that it touches whole bytes.
void lower_packed_owe(Lowering *lw, const SectionPlace *place);
// The least number of elements whose bits are whole bytes.
uint32_t lower_packed_step(IrType element);

// ------------------------------------------------ statements and calls

Value lower_call(Lowering *lw, const TExpr *expr);
// A call with plain values, leaves each, as arguments.
Value lower_call_with(Lowering *lw, TFunc *func, Span span, const Value *values,
                      uint32_t n_values);
void lower_return(Lowering *lw, const TStmt *stmt);
void lower_stmt(Lowering *lw, const TStmt *stmt);
// Leaves `target` when the condition is false.
void lower_exit_unless(Lowering *lw, const TExpr *condition, IrNode *target);
void lower_loop(Lowering *lw, const TStmt *stmt);
// The IR's number for the typed tree's.
int32_t lower_unroll(uint32_t unroll);
// False, and nothing made: not a counted loop.
bool lower_counted_loop(Lowering *lw, const TStmt *stmt, int32_t unroll);
void lower_switch(Lowering *lw, const TStmt *stmt);
void lower_group_stmt(Lowering *lw, const TStmt *stmt);
void lower_with(Lowering *lw, const TStmt *stmt);
void lower_thread_loop(Lowering *lw, const TStmt *stmt);

// ------------------------------------------------------ lower_section.c

// Both are the same number, for all that can be seen.
bool lower_is_extent(const IrNode *node, const IrObject *object, uint32_t dim);
bool lower_is_same_number(const IrNode *a, const IrNode *b);

// -------------------------------------------------------- lower_claim.c

// Where an iteration begins. Of a nest that is the whole kernel: lw->nest
// holds the loops around.
void lower_claims(Lowering *lw, const TClaims *claims, bool is_nest);
// False (reported): evaluating the section of a clause changes something.
bool lower_has_no_effect(Lowering *lw, const TSection *section);
// The body of one iteration, in which `continue` leaves it.
void lower_iteration_body(Lowering *lw, const TStmt *body);
void lower_loop_kernel(Lowering *lw);
// A value of `type` that is exact in `wide`, which subscripts then use instead.
IrNode *lower_narrow_exact(Lowering *lw, IrNode *wide, const Type *type);

// ----------------------------------- lower_barrier.c, lower_pipeline.c

// False: no operation of barriers or copies.
bool lower_builtin_barrier(Lowering *lw, const TExpr *expr, Value *out);
void lower_bind_mbarrier(Lowering *lw, const TVar *var);
void lower_bind_pipeline(Lowering *lw, const TVar *var);
// What stands for a parameter that names a barrier or pipeline; NULL: the
// argument is neither.
const Binding *lower_named_argument(Lowering *lw, const TExpr *arg);
void lower_stage(Lowering *lw, const TStmt *stmt);
void lower_drain_slots(Lowering *lw, const TExpr *expr); // drain(p)
// At the end of their scope, waits for the copies of pipelines from `first` on.
void lower_drain(Lowering *lw, uint32_t first_pipeline);
// Once the whole kernel is lowered: the counts. Reports.
void lower_finish_pipelines(Lowering *lw);

// -------------------------------------------------- lower_group_value.c

// The row of the group that a TEXPR_GROUP names; makes the group if it is a
// constructor. `name` is for messages, NULL: as written.
IrGroup *lower_group_row(Lowering *lw, const TExpr *expr, const char *name);
IrGroup *lower_group_ref(Lowering *lw, const TExpr *expr);
IrGroup *lower_thread_row(Lowering *lw);
IrGroup *lower_whole_warp(Lowering *lw);
void lower_bind_group(Lowering *lw, const TVar *var, IrGroup *group);
// "single_warp(1)": how the text at `span` starts, or `otherwise`.
const char *lower_written_name(Lowering *lw, Span span, const char *otherwise);
// A power of two up to `limit` that divides `value`.
uint32_t lower_lowest_bit(uint64_t value, uint32_t limit);

// -------------------------------------------------------- lower_decl.c

void lower_decl(Lowering *lw, const TStmt *stmt);
// A declaration that a `case` label may jump over: `lower_declare_ahead` makes
// the variable, `lower_decl_ahead` gives it its value.
void lower_declare_ahead(Lowering *lw, const TStmt *stmt);
void lower_decl_ahead(Lowering *lw, const TStmt *stmt);
void lower_bind(Lowering *lw, const TVar *var, const Binding *binding);
void lower_bind_node(Lowering *lw, const TVar *var, IrNode *node);
// A variable that starts with `value`; nothing is made where it never changes.
void lower_introduce(Lowering *lw, const TVar *var, Value value);
// An unnamed variable that will hold one of two pointers or values.
void lower_bind_temporary(Lowering *lw, const TVar *var, const TExpr *a,
                          const TExpr *b);
// What holds a call's result; `root` is the object of a pointer, or NULL.
Binding *lower_bind_result(Lowering *lw, const TFunc *func, IrObject *root);
// NULL: not declared yet.
const Binding *lower_binding(Lowering *lw, const TVar *var);
IrObject *lower_local_object(Lowering *lw, const char *name, const Type *type,
                             uint32_t align_bytes);

// ------------------------------------------------------ lower_global.c

const Binding *lower_global(Lowering *lw, const TVar *var);
// Rank, extents and element of an object that holds `type`.
void lower_shape(Lowering *lw, IrObject *object, const Type *type);

// -------------------------------------------------------- lower_host.c

IrHost *lower_host(Lowering *lw, const TExpr *expr);
IrHost *lower_host_const(Lowering *lw, int64_t value);
IrHost *lower_host2(Lowering *lw, IrHostOp op, IrHost *a, IrHost *b);

// -------------------------------------------------------- lower_tidy.c

void lower_tidy(Lowering *lw);

// ---------------------------------------------------- lower_declared.c
void lower_note_declared(Lowering *lw, const TStmt *body);
// The function's variables aren't declared yet, whatever a call before bound
// them to.
void lower_forget(Lowering *lw, const TFunc *func);

// -------------------------------------------------------- lower_scan.c

// Finds how the variables of a body are used; once for each function.
void lower_scan(Lowering *lw, const TStmt *body);
VarUse *lower_use_of(Lowering *lw, const TVar *var);
// All subscripts are constants within the extents.
bool lower_is_fixed_element(const TExpr *index);
const VarUse *lower_use(const Lowering *lw, const TVar *var);
// The variable that a place is a part of; NULL: behind a pointer, or a value.
TVar *lower_root_var(const TExpr *place);
// Visits all expressions below, parents first; stops on false.
typedef bool (*ExprVisitor)(const TExpr *expr, void *context);
bool lower_visit_expr(const TExpr *expr, ExprVisitor visit, void *context);
bool lower_visit_stmt(const TStmt *stmt, ExprVisitor visit, void *context);

// ----------------------------------------------------- lower_combine.c

// What a named operation does to elements of the type.
IrRmw lower_rmw_of(TCombine combine, const Type *type);

#endif
