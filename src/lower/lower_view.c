// SPDX-License-Identifier: Apache-2.0
// Views: array parameters of functions that are bound to a part of an array.
//
// Note [Views]. A view is an object with, for each of its dimensions, where it
// begins, and for those that the parameter has, an extent. So elements and
// sections of the parameter are those of the object: who looks at its accesses
// finds that two views overlap, or don't. That a view lies in its array is owed
// where it is made; that an element lies in its view, where it is accessed.
// What sections have outside of the view is outside.
#include "lower/lower_view.h"

#include "lower/lower_barrier.h"

// ------------------------------------------------------------------ numbers

static bool is_number(const IrNode *node, int64_t value) {
  int64_t known;
  return lower_is_const(node, &known) && known == value;
}

static IrNode *view_sum(Lowering *lw, IrNode *low, IrNode *more) {
  if (!low || is_number(low, 0))
    return is_number(more, 0) ? NULL : more;
  if (is_number(more, 0))
    return low;
  return lower_add64(lw, lower_to_i64(lw, low), lower_to_i64(lw, more));
}

static IrNode *object_extent(Lowering *lw, IrObject *object, uint32_t dim) {
  const IrHost *extent = object->extents[dim];
  IrNode *columns = lower_packed_columns_of(lw, object, dim);
  if (columns)
    return columns;
  if (extent && extent->op == HOST_CONST && !extent->is_float)
    return lower_i64(lw, extent->number);
  return lower_index_op(lw, IR_EXTENT, ir_scalar(IR_TYPE_I64), dim, object);
}

// -------------------------------------------------------------------- owed

static bool is_surely_inside(const IrNode *first, const IrNode *count,
                             const IrNode *extent) {
  int64_t a, n, all;
  return lower_is_const(first, &a) && lower_is_const(count, &n) &&
         lower_is_const(extent, &all) && a >= 0 && n >= 0 && a <= all &&
         n <= all - a;
}

void lower_owe_part(Lowering *lw, IrNode *first, IrNode *count, IrNode *extent,
                    const char *text, bool is_element) {
  if (is_surely_inside(first, count, extent))
    return;
  IrNode *args[] = {lower_to_i64(lw, first), lower_to_i64(lw, count),
                    lower_to_i64(lw, extent)};
  IrNode *node = lower_emit(lw, IR_INSIDE, ir_scalar(IR_TYPE_VOID), args, 3);
  node->flags |= is_element ? NODE_OBLIGATION | NODE_INSIDE : NODE_OBLIGATION;
  node->u.text.text = arena_strdup(lw->module->arena, text);
}

static const char *dimension_text(Lowering *lw, uint32_t dim,
                                  const char *name) {
  return arena_printf(lw->scratch, "dimension %u of '%s'", dim, name);
}

// ------------------------------------------------------------------ making

static const View *whole_view(Lowering *lw, IrObject *object) {
  View *view = ARENA_NEW(lw->scratch, View);
  view->object = object;
  view->rank = object->rank;
  for (uint32_t i = 0; i < object->rank; i++) {
    view->dims[i] = (uint8_t)i;
    view->is_whole[i] = true;
    view->extent[i] = object_extent(lw, object, i);
  }
  return view;
}

const View *lower_view_bound(Lowering *lw, const TVar *var) {
  const Binding *binding = lower_binding(lw, var);
  if (binding && binding->kind == BIND_VIEW)
    return binding->view;
  if (binding && binding->kind == BIND_OBJECT &&
      binding->object->kind == OBJECT_ARRAY &&
      !binding->object->is_plain_pointer)
    return whole_view(lw, binding->object);
  return NULL;
}

static bool takes_all(const TSection *section, uint32_t i) {
  const TExpr *lo = section->lo[i], *n = section->length[i];
  const TExpr *extent =
      section->array->extents ? section->array->extents[i] : NULL;
  if (section->is_index[i] || lo->kind != TEXPR_CONST || lo->u.value.i != 0 ||
      !extent)
    return false;
  return n == extent ||
         (n->kind == TEXPR_CONST && extent->kind == TEXPR_CONST &&
          n->u.value.i == extent->u.value.i);
}

// Dimension `i` of `base` in `view`, which has those before.
static void take_dimension(Lowering *lw, const View *base,
                           const TSection *section, uint32_t i, View *view) {
  uint8_t dim = base->dims[i];
  if (takes_all(section, i)) {
    view->dims[view->rank] = dim;
    view->is_whole[view->rank] = base->is_whole[i];
    view->extent[view->rank++] = base->extent[i];
    return;
  }
  IrNode *first = lower_index(lw, section->lo[i]);
  IrNode *count = section->is_index[i] ? lower_i32(lw, 1)
                                       : lower_index(lw, section->length[i]);
  lower_owe_part(lw, first, count, base->extent[i],
                 dimension_text(lw, i, section->array->name), false);
  if (type_is_packed(section->array->element) && dim + 1u == base->object->rank)
    lower_packed_owe_part(
        lw, lower_type(lw, section->array->element), first, count,
        base->extent[i],
        arena_printf(lw->scratch, "a view of '%s'", section->array->name));
  view->low[dim] = view_sum(lw, base->low[dim], first);
  view->is_dropped[dim] = section->is_index[i];
  if (section->is_index[i])
    return;
  view->dims[view->rank] = dim;
  view->extent[view->rank++] = lower_to_i64(lw, count);
}

const View *lower_view(Lowering *lw, const TSection *section) {
  const View *base = lower_view_bound(lw, section->array);
  if (!base)
    return NULL;
  IrLocId before = lw->loc;
  View *view = ARENA_NEW(lw->scratch, View);
  lw->loc = lower_loc(lw, section->span);
  *view = *base;
  view->rank = 0;
  for (uint32_t i = 0; i < IR_MAX_RANK; i++)
    view->is_whole[i] = false;
  for (uint32_t i = 0; i < section->rank; i++)
    take_dimension(lw, base, section, i, view);
  lw->loc = before;
  return view;
}

// ------------------------------------------------------------- parameters

static IrNode *declared_extent(Lowering *lw, const TVar *param, uint32_t i) {
  const TExpr *extent = param->extents[i];
  if (extent->kind == TEXPR_CONST)
    return lower_i64(lw, extent->u.value.i);
  return lower_to_i64(lw, lower_scalar(lw, extent));
}

// The parameter's extent is that of its declaration, which the part must have.
static void take_extent(Lowering *lw, const TVar *param, View *view,
                        uint32_t i) {
  if (!param->extents || !param->extents[i])
    return;
  IrNode *declared = declared_extent(lw, param, i);
  bool is_same = lower_is_same_number(declared, view->extent[i]) ||
                 (view->is_whole[i] &&
                  !lower_packed_columns_of(lw, view->object, view->dims[i]) &&
                  lower_is_extent(declared, view->object, view->dims[i]));
  if (is_same)
    return;
  lower_owe_part(lw, lower_i64(lw, 0), declared, view->extent[i],
                 arena_printf(lw->scratch,
                              "dimension %u of the argument for '%s'", i,
                              param->name),
                 false);
  if (lower_packed_columns_of(lw, view->object, view->dims[i]))
    lower_packed_owe_part(
        lw, lower_type(lw, param->element), lower_i64(lw, 0), declared,
        view->extent[i],
        arena_printf(lw->scratch, "the part that '%s' has", param->name));
  view->extent[i] = declared;
  view->is_whole[i] = false;
}

static bool is_whole_object(const View *view) {
  bool is_whole = view->rank == view->object->rank;
  for (uint32_t i = 0; i < view->rank; i++)
    is_whole &= view->is_whole[i];
  return is_whole;
}

void lower_bind_view(Lowering *lw, const TVar *param, const View *given) {
  View *view = ARENA_NEW(lw->scratch, View);
  *view = *given;
  for (uint32_t i = 0; i < view->rank; i++)
    take_extent(lw, param, view, i);
  Binding binding = {.kind = BIND_VIEW, .type = param->type, .view = view};
  if (is_whole_object(view)) {
    binding.kind = BIND_OBJECT;
    binding.object = view->object;
  }
  lower_bind(lw, param, &binding);
}

// ---------------------------------------------------------------- elements

const Address *lower_view_address(Lowering *lw, const View *view) {
  Address *address = lower_object_address(lw, view->object);
  for (uint32_t dim = 0; dim < view->object->rank; dim++)
    address->indices[dim] = view->low[dim];
  address->n_given = view->object->rank;
  return address;
}

const Address *lower_view_element(Lowering *lw, const View *view,
                                  const TExpr *expr) {
  Address *address = lower_address_new(lw, lower_view_address(lw, view));
  const char *name = expr->u.index.base->u.var->name;
  for (uint32_t i = 0; i < expr->u.index.n_indices; i++) {
    uint8_t dim = view->dims[i];
    IrNode *index = lower_index(lw, expr->u.index.indices[i]);
    if (!view->is_whole[i])
      lower_owe_part(lw, index, lower_i64(lw, 1), view->extent[i],
                     dimension_text(lw, i, name), true);
    IrNode *sum = view_sum(lw, view->low[dim], index);
    address->indices[dim] = sum;
  }
  return address;
}

// ------------------------------------------------------- arrays of arrays

void lower_refuse_table(Lowering *lw, const IrObject *object,
                        const char *problem) {
  if (!lw->has_failed)
    lower_report(lw, DIAG_REPORT(lw->diags, DIAG_array_table,
                                 lw->module->locs.data[lw->loc].place,
                                 DS(object->name), DS(problem)));
}

// ---------------------------------------------------------------- sections

static bool is_restricted(const View *view) {
  for (uint32_t i = 0; i < view->rank; i++)
    if (!view->is_whole[i])
      return true;
  return false;
}

static IrNode *low_of_dimension(Lowering *lw, const View *view, uint32_t dim) {
  return view->low[dim] ? view->low[dim] : lower_i32(lw, 0);
}

// Dimensions of the object that the view has dropped are indices: from the
// view's own first element, if it has bounds.
void lower_view_section(Lowering *lw, const View *view, SectionPlace *place) {
  uint32_t rank = view->object->rank;
  SectionPlace own = *place;
  place->object = view->object;
  place->has_view = is_restricted(view) || ir_type_is_packed(place->element);
  for (uint32_t dim = 0; dim < rank; dim++) {
    IrNode *low = low_of_dimension(lw, view, dim);
    place->kinds[dim] = SECTION_INDEX;
    place->indices[dim] = place->has_view ? lower_i32(lw, 0) : low;
    place->lengths[dim] = 0;
    place->low[dim] = lower_to_i64(lw, low);
    if (place->has_view && view->is_dropped[dim])
      place->high[dim] = lower_add64(lw, place->low[dim], lower_i64(lw, 1));
  }
  for (uint32_t i = 0; i < view->rank; i++) {
    uint8_t dim = view->dims[i];
    place->kinds[dim] = own.kinds[i];
    place->indices[dim] = own.indices[i];
    place->lengths[dim] = own.lengths[i];
    if (place->has_view)
      place->high[dim] = lower_add64(lw, place->low[dim], view->extent[i]);
  }
  if (place->object->is_table && place->kinds[0] != SECTION_INDEX)
    lower_refuse_table(lw, place->object,
                       "its arrays lie apart, so that a section is of one of "
                       "them: give the first subscript as an index");
}

// The program's promise that the section stays in the view; what a mask leaves
// out need not.
void lower_owe_section(Lowering *lw, const View *view, const SectionPlace *own,
                       const char *name) {
  if (!own->is_unchecked || own->mask)
    return;
  for (uint32_t i = 0; i < view->rank; i++)
    if (!view->is_whole[i] && own->kinds[i] != SECTION_GATHER)
      lower_owe_part(
          lw, own->indices[i],
          lower_i64(lw, own->kinds[i] == SECTION_RANGE ? own->lengths[i] : 1),
          view->extent[i], dimension_text(lw, i, name), false);
}
