// SPDX-License-Identifier: Apache-2.0
// Products of matrix units of warpgroups: wgmma. Note [Sums of units] in
// tile/tile_unit.c says which thread has which sums.
//
// Note [Operands of units]
// A descriptor says where an operand begins, and how rows and panels of its
// swizzle follow each other. Where neighbours are along K, a step begins 32
// bytes further in a panel's row, and 8 rows are as many panel rows.
// Else neighbours are rows or columns of the result: 8 elements along K are 8
// panel rows, and panels are the unit's leading dimension.
//
// Note [Holding sums]
// What a unit adds up is in registers that nobody may look at before the wait,
// and what is stored there must be there before the fence. For LLVM a product
// is done at once. So behind a wait what products have added up, and before a
// fence what those behind it begin with, passes through an empty piece of
// assembly: no use moves across it, and no register is copied for it. Sums that
// are still being added up behind a wait, or before a fence, nobody looks at:
// they are left alone, as far as the region shows which ones these are (a copy
// would make the unit wait). Words of operands in registers, of products behind
// a fence, pass through such a piece, too: made behind the fence they would
// need one of their own.
#include "codegen/nvptx/llvm_nvptx.h"

#include "base/bits.h"

enum {
  STEP_BYTES = 32, // of K of an instruction
  ROW_GROUP = 8,   // rows that a swizzle repeats after
  UNIT_ROWS = 64,
  MOST_REGISTERS = 128,
};

// ------------------------------------------------------------------ operands

typedef struct {
  const IrObject *object;
  NvSwizzle swizzle;
  LLVMValueRef base, row, column; // shared address i32; offsets i64
  int64_t panel_bytes;
  uint64_t fixed; // of descriptors
  bool is_across; // neighbours are rows or columns of the result
} UnitOperand;

static bool unit_is_multiple(const NvEmit *e, const IrNode *index,
                             uint32_t of) {
  return nv_zero_bits(e->plan, index) >= bits_log2(of);
}

// Where sections must begin; NULL: it does.
static const char *unit_problem(const NvEmit *e, const IrNode *load,
                                const UnitOperand *operand) {
  const IrObject *object = operand->object;
  uint32_t row = object->rank - 2u;
  uint32_t bytes = operand->is_across ? operand->swizzle.bytes : STEP_BYTES;
  uint32_t columns = bytes / object->element_bytes;
  int64_t rows;
  if (!code_host_const(object->extents[row], &rows) || rows % ROW_GROUP)
    return "its rows aren't a multiple of 8";
  if (!unit_is_multiple(e, load->args[row], ROW_GROUP))
    return "its section isn't seen to begin at a multiple of 8 rows";
  if (!unit_is_multiple(e, load->args[row + 1], columns))
    return operand->is_across
               ? "its section isn't seen to begin with a panel"
               : "its section isn't seen to begin at a multiple of 32 bytes";
  return NULL;
}

static uint64_t unit_layout(uint32_t swizzle_bytes) {
  return swizzle_bytes == 128 ? 1 : swizzle_bytes == 64 ? 2 : 3;
}

static UnitOperand unit_operand_of(NvEmit *e, const IrNode *node,
                                   const IrNode *load, bool is_across) {
  const IrObject *object = load->u.section.object;
  UnitOperand operand = {.object = object, .is_across = is_across};
  int64_t rows = 0;
  operand.swizzle = nv_swizzle_of(e, object);
  const char *why = unit_problem(e, load, &operand);
  if (why)
    nv_unsupported(e, node, "'wgmma_mma' reads '%s', but %s", object->name,
                   why);
  code_host_const(object->extents[object->rank - 2u], &rows);
  uint64_t width = operand.swizzle.bytes;
  operand.panel_bytes = rows * (int64_t)width;
  operand.base = nv_shared_u32(e, nv_instance_base(e, object));
  operand.row = nv_swizzle_row(e, object, load, 0);
  operand.column = nv_swizzle_column(e, object, load, 0);
  uint64_t leading = is_across ? (uint64_t)operand.panel_bytes >> 4 : 1;
  operand.fixed = (leading & 0x3FFF) << 16 | (width * ROW_GROUP >> 4) << 32 |
                  unit_layout(operand.swizzle.bytes) << 62;
  return operand;
}

// Of the part that begins `rows` rows or columns of the result and `depth`
// elements of K further.
static LLVMValueRef unit_descriptor(NvEmit *e, const UnitOperand *operand,
                                    int64_t rows, int64_t depth) {
  LLVMBuilderRef b = e->b;
  int64_t down = operand->is_across ? depth : rows;
  int64_t along = operand->is_across ? rows : depth;
  uint32_t width = operand->swizzle.bytes;
  LLVMValueRef row =
      LLVMBuildAdd(b, operand->row, nv_i64(e, down * width), NV_NAME);
  LLVMValueRef column =
      LLVMBuildAdd(b, operand->column,
                   nv_i64(e, along * operand->object->element_bytes), NV_NAME);
  return nv_swizzle_descriptor(e, &operand->swizzle, operand->base, row, column,
                               operand->fixed);
}

// ----------------------------------------------------------------- registers

static bool unit_is_short(IrType type) {
  return type.kind != IR_TYPE_F32 && type.kind != IR_TYPE_I32;
}

// Two elements of 16 bits in a register.
static LLVMValueRef unit_pair(NvEmit *e, LLVMValueRef low, LLVMValueRef high) {
  LLVMTypeRef type = LLVMVectorType(LLVMTypeOf(low), 2);
  LLVMValueRef v = LLVMGetUndef(type);
  v = LLVMBuildInsertElement(e->b, v, low, nv_i32(e, 0), NV_NAME);
  v = LLVMBuildInsertElement(e->b, v, high, nv_i32(e, 1), NV_NAME);
  return LLVMBuildBitCast(e->b, v, e->i32, NV_NAME);
}

static void unit_split(NvEmit *e, LLVMTypeRef element, LLVMValueRef v,
                       LLVMValueRef *to) {
  v = LLVMBuildBitCast(e->b, v, LLVMVectorType(element, 2), NV_NAME);
  to[0] = LLVMBuildExtractElement(e->b, v, nv_i32(e, 0), NV_NAME);
  to[1] = LLVMBuildExtractElement(e->b, v, nv_i32(e, 1), NV_NAME);
}

// Values in registers, as assembly has them; their number.
static uint32_t unit_pack(NvEmit *e, IrType type, LLVMValueRef *values,
                          uint32_t n, LLVMValueRef *to) {
  if (!unit_is_short(type)) {
    for (uint32_t i = 0; i < n; i++)
      to[i] = values[i];
    return n;
  }
  for (uint32_t i = 0; i < n; i += 2)
    to[i / 2] = unit_pair(e, values[i], values[i + 1]);
  return n / 2;
}

static void unit_unpack(NvEmit *e, IrType type, LLVMValueRef made,
                        uint32_t n_registers, LLVMValueRef *to) {
  LLVMTypeRef element = nv_scalar_type(e, type);
  for (uint32_t i = 0; i < n_registers; i++) {
    LLVMValueRef v =
        n_registers == 1 ? made : LLVMBuildExtractValue(e->b, made, i, NV_NAME);
    if (unit_is_short(type))
      unit_split(e, element, v, &to[2 * i]);
    else
      to[i] = v;
  }
}

// `text` on n registers that it changes, and on further operands.
static LLVMValueRef unit_asm(NvEmit *e, const char *text, IrType type,
                             LLVMValueRef *args, uint32_t n, uint32_t n_more,
                             const char *more) {
  bool is_float = type.kind == IR_TYPE_F32;
  LLVMTypeRef one = is_float ? e->f32 : e->i32, all = one;
  Text list = {.arena = e->arena};
  LLVMTypeRef types[MOST_REGISTERS];
  for (uint32_t i = 0; i < n; i++) {
    types[i] = one;
    text_printf(&list, "%s%s", i ? "," : "", is_float ? "=f" : "=r");
  }
  for (uint32_t i = 0; i < n; i++)
    text_printf(&list, ",%u", i);
  text_add(&list, more);
  if (n > 1)
    all = LLVMStructTypeInContext(e->cx, types, n, 0);
  return nv_asm(e, all, text, text_cstr(&list), args, n + n_more, true);
}

// ------------------------------------------------------------------- product

typedef struct {
  const IrNode *node;
  IrType sum, element;
  UnitOperand a, b;
  bool a_in_registers, turns_a, turns_b, is_unsigned[2];
  uint32_t columns, depth, n; // n: sums of a thread, of 64 rows
  bool is_from_zero;          // the step begins sums
} Unit;

static const char *unit_element_name(IrType type, bool is_unsigned) {
  switch ((int)type.kind) {
  case IR_TYPE_F16: return "f16";
  case IR_TYPE_I8: return is_unsigned ? "u8" : "s8";
  default: return "bf16";
  }
}

static uint32_t unit_step_depth(const Unit *u) {
  return STEP_BYTES * 8 / ir_type_bits(u->element);
}

// Scales of floats by 1 or -1; only what has 16 bits may be transposed.
static const char *unit_ending(NvEmit *e, const Unit *u) {
  if (u->element.kind == IR_TYPE_I8)
    return "p; }";
  if (u->a_in_registers)
    return arena_printf(e->arena, "p, 1, 1, %d; }", u->b.is_across);
  return arena_printf(e->arena, "p, 1, 1, %d, %d; }", u->a.is_across,
                      u->b.is_across);
}

static const char *unit_text(NvEmit *e, const Unit *u, uint32_t n) {
  Text text = {.arena = e->arena};
  const char *sum = u->sum.kind == IR_TYPE_I32 ? "s32"
                    : unit_is_short(u->sum)    ? "f16"
                                               : "f32";
  text_printf(&text,
              "{ .reg .pred p; setp.eq.u32 p, 0, %d; "
              "wgmma.mma_async.sync.aligned.m64n%uk%u.%s.%s.%s {",
              u->is_from_zero, u->columns, unit_step_depth(u), sum,
              unit_element_name(u->element, u->is_unsigned[0]),
              unit_element_name(u->element, u->is_unsigned[1]));
  for (uint32_t i = 0; i < n; i++)
    text_printf(&text, "%s$%u", i ? "," : "", i);
  uint32_t next = 2 * n; // tied operands have numbers, too
  if (u->a_in_registers) {
    text_printf(&text, "}, {$%u,$%u,$%u,$%u}, $%u, ", next, next + 1, next + 2,
                next + 3, next + 4);
  } else {
    text_printf(&text, "}, $%u, $%u, ", next, next + 1);
  }
  text_add(&text, unit_ending(e, u));
  return text_cstr(&text);
}

// 64 rows of the result, 32 bytes of K.
static void unit_step(NvEmit *e, const Unit *u, uint32_t tile, uint32_t step,
                      LLVMValueRef *sums) {
  LLVMValueRef args[2 * MOST_REGISTERS], a[8];
  uint32_t n = unit_pack(e, u->sum, sums, u->n, args), n_more = 0;
  int64_t depth = (int64_t)step * unit_step_depth(u);
  if (u->a_in_registers) {
    uint32_t first = tile * u->depth / 2 + step * 8;
    const LLVMValueRef *held =
        map_get(&e->unit_operands, MAP_KEY(u->node->args[0]));
    for (uint32_t i = 0; i < 8; i++)
      a[i] = nv_value(e, u->node->args[0], first + i);
    for (uint32_t i = 0; i < 4 && held; i++)
      args[n + i] = held[first / 2 + i];
    n_more = held ? 4 : unit_pack(e, u->element, a, 8, &args[n]);
  } else {
    args[n + n_more++] =
        unit_descriptor(e, &u->a, (int64_t)tile * UNIT_ROWS, depth);
  }
  args[n + n_more++] = unit_descriptor(e, &u->b, 0, depth);
  LLVMValueRef made = unit_asm(e, unit_text(e, u, n), u->sum, args, n, n_more,
                               u->a_in_registers ? ",r,r,r,r,l" : ",l,l");
  unit_unpack(e, u->sum, made, n, sums);
}

static Unit unit_product_of(NvEmit *e, const IrNode *node) {
  const IrTileShape *to = ir_tile_shape(e->module, node->type);
  const IrNode *a = node->args[0], *b = node->args[1];
  int32_t numbers = node->u.tile.n_numbers ? node->u.tile.numbers[0] : 0;
  Unit u = {.node = node,
            .sum = to->element,
            .element = ir_element_type(e->module, b->type),
            .a_in_registers = a->op != IR_WGMMA_LOAD,
            .is_unsigned = {numbers & 1, numbers & 2},
            .turns_a = numbers & WGMMA_TURNS_A,
            .turns_b = numbers & WGMMA_TURNS_B,
            .columns = to->extents[1],
            .n = to->extents[1] / 2};
  u.depth = ir_tile_shape(e->module, b->type)->extents[u.turns_b];
  if (!u.a_in_registers)
    u.a = unit_operand_of(e, node, a, u.turns_a);
  u.b = unit_operand_of(e, node, b, !u.turns_b);
  return u;
}

// What is all zeros needs no registers.
static void unit_start(NvEmit *e, Unit *u, uint32_t tile, LLVMValueRef *sums) {
  u->is_from_zero = true;
  for (uint32_t i = 0; i < u->n; i++) {
    sums[i] = nv_value(e, u->node->args[2], tile * u->n + i);
    u->is_from_zero &= LLVMIsConstant(sums[i]) && LLVMIsNull(sums[i]);
  }
  for (uint32_t i = 0; i < u->n && u->is_from_zero; i++)
    sums[i] = LLVMGetUndef(LLVMTypeOf(sums[i]));
}

static void unit_emit_product(NvEmit *e, const IrNode *node) {
  LLVMValueRef sums[MOST_REGISTERS];
  uint32_t n_leaves = nv_leaf_count(e, node);
  Unit u = unit_product_of(e, node);
  for (uint32_t tile = 0; tile * u.n < n_leaves; tile++) {
    unit_start(e, &u, tile, sums);
    for (uint32_t step = 0; step * unit_step_depth(&u) < u.depth; step++) {
      unit_step(e, &u, tile, step, sums);
      u.is_from_zero = false;
    }
    for (uint32_t i = 0; i < u.n; i++)
      nv_set_value(e, node, tile * u.n + i, sums[i]);
  }
}

// Sums that a fence held are what it held.
static void unit_collect_values(NvEmit *e, const IrNode *node) {
  const LLVMValueRef *held = map_get(&e->unit_starts, MAP_KEY(node));
  for (uint32_t i = 0; i < nv_leaf_count(e, node); i++)
    nv_set_value(e, node, i,
                 held ? held[i] : nv_value(e, node->args[3 * i], 0));
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wswitch-enum"

void nv_emit_unit(NvEmit *e, const IrNode *node) {
  switch (node->op) {
  case IR_WGMMA_LOAD: nv_set_undefined(e, node); break; // by the product
  case IR_WGMMA_MMA: unit_emit_product(e, node); break;
  case IR_TILE_COLLECT: unit_collect_values(e, node); break;
  case IR_TILE_AT:
    nv_set_value(e, node, 0,
                 nv_value(e, node->args[0], (uint32_t)node->u.tile.numbers[0]));
    break;
  default: nv_emit_tensor(e, node);
  }
}

#pragma GCC diagnostic pop

// ----------------------------------------------- Note [Holding sums]

// Variables that a product of the group sets.
typedef struct {
  NvEmit *e;
  const IrGroup *group;
  const IrNode *at; // the wait or fence
  Map seen;         // and not to be taken
  Map reaches;      // by product: unit_may_reach
  uint32_t vars[MOST_REGISTERS], n;
} Held;

static bool unit_is_around(const IrNode *owner, const IrNode *node) {
  while (node && node != owner)
    node = node->region->owner;
  return node != NULL;
}

// The product isn't done before `at`, and the two are executed in that order.
static bool unit_may_reach(const IrNode *product, const IrNode *at) {
  for (const IrNode *node = product->next; node; node = node->next)
    if (node == at)
      return true;
    else if (node->op == IR_WGMMA_WAIT && node->u.index.number == 0)
      return false;
  if (product->id < at->id)
    return true;
  for (const IrNode *up = product->region->owner; up; up = up->region->owner)
    if ((up->op == IR_FOR || up->op == IR_LOOP) && unit_is_around(up, at))
      return true;
  return false;
}

static bool unit_reaches(Held *held, const IrNode *product) {
  static char yes, no;
  const char *known = map_get(&held->reaches, MAP_KEY(product));
  if (!known) {
    known = unit_may_reach(product, held->at) ? &yes : &no;
    map_put(held->e->arena, &held->reaches, MAP_KEY(product),
            (void *)(uintptr_t)known);
  }
  return known == &yes;
}

static bool unit_is_sum_set(const IrNode *node) {
  return node->op == IR_SET && node->args[0]->op == IR_TILE_AT &&
         node->args[0]->args[0]->op == IR_WGMMA_MMA;
}

static bool unit_note_sum(IrNode *node, void *context) {
  Held *held = context;
  if (!unit_is_sum_set(node))
    return true;
  const IrNode *product = node->args[0]->args[0];
  uint32_t var = node->u.variable.var;
  if (ir_node_group(held->e->kernel, product) != held->group ||
      map_has(&held->seen, var + 1ull) || !unit_reaches(held, product))
    return true;
  map_put(held->e->arena, &held->seen, var + 1ull, held->e);
  held->vars[held->n++] = var;
  return held->n < MOST_REGISTERS;
}

static void unit_hold_some(NvEmit *e, const Held *held) {
  LLVMValueRef values[MOST_REGISTERS], args[MOST_REGISTERS];
  const IrVar *vars = e->kernel->vars.data;
  for (uint32_t i = 0, n; i < held->n; i += n) {
    IrType type = vars[held->vars[i]].type;
    for (n = 0;
         i + n < held->n && ir_type_equal(vars[held->vars[i + n]].type, type);
         n++)
      values[n] = nv_load_var(e, e->plan->var_leaf[held->vars[i + n]], type);
    uint32_t n_registers = unit_pack(e, type, values, n, args);
    LLVMValueRef made = unit_asm(e, "", type, args, n_registers, 0, "");
    unit_unpack(e, type, made, n_registers, values);
    for (uint32_t k = 0; k < n; k++)
      nv_store_var(e, e->plan->var_leaf[held->vars[i + k]], type, values[k]);
  }
}

static bool unit_is_other(IrNode *node, void *context) {
  (void)context;
  return node->op != IR_WGMMA_MMA && node->op != IR_WGMMA_COMMIT &&
         node->op != IR_WGMMA_WAIT;
}

typedef struct {
  hd_vec(const IrNode *) sets; // of sums of products, in order
  hd_vec(uint32_t) sets_of;    // with which commit
  uint32_t n_commits, n_done;
  const IrNode *wait; // the last one before; NULL: there is none
} Flying;

static void unit_wait_for(Flying *flying, const IrNode *wait) {
  uint32_t n = (uint32_t)wait->u.index.number;
  if (flying->n_commits > n && flying->n_commits - n > flying->n_done)
    flying->n_done = flying->n_commits - n;
}

static void unit_pass(Arena *arena, Flying *flying, IrNode *node) {
  for (uint32_t i = 0; i < node->n_regions; i++)
    if (!ir_walk(&node->regions[i], unit_is_other, NULL))
      flying->n_done = flying->n_commits + 1; // nothing is known
  if (node->op == IR_WGMMA_COMMIT) {
    flying->n_commits++;
  } else if (node->op == IR_WGMMA_WAIT) {
    unit_wait_for(flying, node);
    flying->wait = node;
  } else if (unit_is_sum_set(node)) {
    VEC_PUSH(arena, &flying->sets, node);
    VEC_PUSH(arena, &flying->sets_of, flying->n_commits + 1);
  }
}

static Flying unit_flying_at(NvEmit *e, const IrNode *node) {
  Flying flying = {.n_commits = 0};
  for (IrNode *at = node->region->first; at != node; at = at->next)
    unit_pass(e->arena, &flying, at);
  return flying;
}

// Variables of products before the node, in its region, that aren't done there
// are taken to be seen.
static void unit_skip(Held *held, const Flying *flying) {
  for (uint32_t i = 0; i < flying->sets.count; i++)
    if (flying->sets_of.data[i] > flying->n_done)
      map_put(held->e->arena, &held->seen,
              flying->sets.data[i]->u.variable.var + 1ull, held->e);
}

static void unit_skip_flying(Held *held, const IrNode *node) {
  Flying flying = unit_flying_at(held->e, node);
  if (node->op == IR_WGMMA_WAIT)
    unit_wait_for(&flying, node);
  unit_skip(held, &flying);
}

static void unit_hold(NvEmit *e, const IrNode *node) {
  Held held = {.e = e, .group = ir_node_group(e->kernel, node), .at = node};
  unit_skip_flying(&held, node);
  IrRegion body = e->kernel->body;
  bool is_all = false;
  while (!is_all) {
    held.n = 0;
    is_all = ir_walk(&body, unit_note_sum, &held);
    if (held.n)
      unit_hold_some(e, &held);
  }
}

// Whether what the variable has at `from` it still has at `to`, in one region.
static bool unit_is_kept(const IrNode *from, const IrNode *to, uint32_t var) {
  for (const IrNode *node = from; node && node != to; node = node->next)
    if (node->n_regions > 0 ||
        (node->op == IR_SET && node->u.variable.var == var))
      return false;
  return true;
}

// The value of the product's element at the fence before it; NULL: it isn't
// known, or a product adds to it there.
static LLVMValueRef unit_value_at(const Held *held, const IrNode *product,
                                  const IrNode *element) {
  NvEmit *e = held->e;
  if (element->op != IR_GET)
    return element->id < held->at->id ? nv_value(e, element, 0) : NULL;
  uint32_t var = element->u.variable.var;
  if (map_has(&held->seen, var + 1ull) || !unit_is_kept(held->at, product, var))
    return NULL;
  return nv_load_var(e, e->plan->var_leaf[var], element->type);
}

// What a product has in registers, as it is at the fence.
static void unit_hold_operand(const Held *held, const IrNode *product,
                              const IrNode *collect) {
  NvEmit *e = held->e;
  uint32_t n = collect->n_args / 3, n_constant = 0;
  IrType type = ir_element_type(e->module, collect->type);
  uint32_t most = unit_is_short(type) ? 2 * MOST_REGISTERS : MOST_REGISTERS;
  LLVMValueRef words[MOST_REGISTERS];
  if (n == 0 || n > most)
    return;
  LLVMValueRef *values = ARENA_ARRAY(e->arena, LLVMValueRef, n);
  for (uint32_t i = 0; i < n; i++) {
    values[i] = unit_value_at(held, product, collect->args[3 * i]);
    if (!values[i])
      return;
    n_constant += LLVMIsConstant(values[i]) != 0;
  }
  if (n_constant == n)
    return;
  uint32_t n_words = unit_pack(e, type, values, n, words);
  LLVMValueRef made = unit_asm(e, "", type, words, n_words, 0, "");
  if (collect == product->args[2]) {
    unit_unpack(e, type, made, n_words, values);
    map_put(e->arena, &e->unit_starts, MAP_KEY(collect), values);
    return;
  }
  for (uint32_t i = 0; i < n_words; i++)
    values[i] =
        n_words == 1 ? made : LLVMBuildExtractValue(e->b, made, i, NV_NAME);
  map_put(e->arena, &e->unit_operands, MAP_KEY(collect), values);
}

// False: no product follows in the fence's region.
static bool unit_hold_operands(NvEmit *e, const IrNode *fence) {
  Held held = {.e = e, .at = fence};
  bool has_product = false;
  unit_skip_flying(&held, fence);
  for (const IrNode *node = fence->next; node && node->n_regions == 0;
       node = node->next) {
    if (node->op == IR_WGMMA_FENCE || node->op == IR_WGMMA_WAIT)
      break;
    if (node->op != IR_WGMMA_MMA)
      continue;
    has_product = true;
    if (node->args[0]->op == IR_TILE_COLLECT)
      unit_hold_operand(&held, node, node->args[0]);
    unit_hold_operand(&held, node, node->args[2]);
  }
  return has_product;
}

void nv_unit_fence(NvEmit *e, const IrNode *node) {
  if (!e->kernel->has_units) // threads make the products
    return;
  if (!unit_hold_operands(e, node))
    unit_hold(e, node);
  nv_intrinsic(e, "llvm.nvvm.wgmma.fence.sync.aligned", NULL, 0, NULL, 0);
}

void nv_unit_commit(NvEmit *e) {
  if (!e->kernel->has_units)
    return;
  nv_intrinsic(e, "llvm.nvvm.wgmma.commit_group.sync.aligned", NULL, 0, NULL,
               0);
}

// Note [Work under products]. What threads compute while products are added up
// LLVM would move behind the wait, to where it is used, and nothing would be
// left for that time. So numbers that are computed between two waits, and used
// behind the second one, are held before it. (ptxas may still move a wait up
// within a block of the program; that it stays where it is was no faster.)
typedef struct {
  NvEmit *e;
  const IrNode *after, *wait; // `after`: the wait before, NULL: none
  Map seen;
  IrNode *nodes[MOST_REGISTERS];
  uint32_t n;
} Work;

static bool unit_is_work(const Work *work, const IrNode *node) {
  return node->region == work->wait->region && node->id < work->wait->id &&
         (!work->after || node->id > work->after->id) &&
         node->type.kind == IR_TYPE_F32 && node->type.lanes == 1 &&
         node->op != IR_TILE_AT && node->op != IR_CONST && node->op != IR_GET;
}

static bool unit_note_use(IrNode *node, void *context) {
  Work *work = context;
  for (uint32_t i = 0; i < node->n_args && work->n < MOST_REGISTERS; i++) {
    IrNode *arg = node->args[i];
    if (!unit_is_work(work, arg) || map_has(&work->seen, MAP_KEY(arg)))
      continue;
    map_put(work->e->arena, &work->seen, MAP_KEY(arg), arg);
    work->nodes[work->n++] = arg;
  }
  return work->n < MOST_REGISTERS;
}

static void unit_hold_values(Work *work) {
  NvEmit *e = work->e;
  LLVMValueRef values[MOST_REGISTERS];
  if (work->n == 0)
    return;
  for (uint32_t i = 0; i < work->n; i++)
    values[i] = nv_value(e, work->nodes[i], 0);
  IrType type = work->nodes[0]->type;
  LLVMValueRef made = unit_asm(e, "", type, values, work->n, 0, "");
  unit_unpack(e, type, made, work->n, values);
  for (uint32_t i = 0; i < work->n; i++)
    nv_set_value(e, work->nodes[i], 0, values[i]);
}

// Variables that were set between the waits.
static void unit_hold_set(Work *work, const Flying *flying) {
  NvEmit *e = work->e;
  Held held = {.e = e};
  unit_skip(&held, flying);
  const IrNode *node =
      work->after ? work->after->next : work->wait->region->first;
  for (; node != work->wait && held.n < MOST_REGISTERS; node = node->next) {
    if (node->op != IR_SET || unit_is_sum_set(node) ||
        node->args[0]->op == IR_CONST ||
        node->args[0]->type.kind != IR_TYPE_F32 ||
        map_has(&held.seen, node->u.variable.var + 1ull))
      continue;
    map_put(e->arena, &held.seen, node->u.variable.var + 1ull, e);
    held.vars[held.n++] = node->u.variable.var;
  }
  if (held.n)
    unit_hold_some(e, &held);
}

static void unit_hold_work(NvEmit *e, const IrNode *wait) {
  Flying flying = unit_flying_at(e, wait);
  Work work = {.e = e, .after = flying.wait, .wait = wait};
  if (flying.n_done >= flying.n_commits)
    return;
  unit_hold_set(&work, &flying);
  IrRegion behind = {.first = wait->next,
                     .last = wait->region->last,
                     .owner = wait->region->owner};
  if (behind.first)
    ir_walk(&behind, unit_note_use, &work);
  unit_hold_values(&work);
}

void nv_unit_wait(NvEmit *e, const IrNode *node) {
  LLVMValueRef n = nv_i64(e, node->u.index.number);
  if (!e->kernel->has_units)
    return;
  unit_hold_work(e, node);
  nv_intrinsic(e, "llvm.nvvm.wgmma.wait_group.sync.aligned", NULL, 0, &n, 1);
  unit_hold(e, node);
}
