// SPDX-License-Identifier: Apache-2.0
// Sections of arrays. Those of a function's array parameter that is bound to a
// part of an array are sections of that array:
//
//   void load(int w, const float row[w], float s[64])  copy_async(s,
//   row[8:64]); load(w, A[i], s) copy_async(s, A[i][8:64]);
//
// This needs that the parameter's rows are the array's, so that elements lie
// where they would: its last extents are those of the array, and a part begins
// at the start of a row. What lies outside the parameter must lie outside the
// array too, where that counts.
#include "lower/lower_barrier.h"

typedef struct {
  Lowering *lw;
  const TSection *section;
  const Binding *binding;
  bool fills; // elements outside are zeros, or dropped
  const char *problem;
} Part;

// ---------------------------------------------------------------- extents

bool lower_is_extent(const IrNode *node, const IrObject *object, uint32_t dim) {
  const IrHost *extent = object->extents[dim];
  int64_t value;
  if (!extent)
    return false;
  while (node->op == IR_SEXT || node->op == IR_ZEXT)
    node = node->args[0];
  if (lower_is_const(node, &value))
    return extent->op == HOST_CONST && extent->number == value;
  if (node->op == IR_EXTENT)
    return node->u.index.object == object && node->u.index.number == dim;
  return node->op == IR_PARAM && extent->op == HOST_PARAM &&
         extent->number == (int64_t)node->u.index.number;
}

bool lower_is_same_number(const IrNode *a, const IrNode *b) {
  int64_t x, y;
  while (a->op == IR_SEXT || a->op == IR_ZEXT)
    a = a->args[0];
  while (b->op == IR_SEXT || b->op == IR_ZEXT)
    b = b->args[0];
  if (lower_is_const(a, &x) && lower_is_const(b, &y))
    return x == y;
  return a == b || (a->op == IR_PARAM && b->op == IR_PARAM &&
                    a->u.index.number == b->u.index.number);
}

// Rows are as long as they were when the function was called.
static IrNode *lower_section_extent_of(const Part *p, uint32_t dim) {
  const TVar *param = p->section->array;
  if (dim > 0)
    return p->binding->extents[dim];
  int64_t extent = param->type->u.array.extent;
  return extent >= 0
             ? lower_i64(p->lw, extent)
             : lower_to_i64(p->lw, lower_scalar(p->lw, param->extents[0]));
}

// ------------------------------------------------------------------ parts

static bool lower_section_is_zero(const IrNode *index) {
  int64_t value;
  return !index || (lower_is_const(index, &value) && value == 0);
}

// Where the parameter begins in dimension `dim` of the object, or NULL: at 0.
static IrNode *lower_section_begin_of(Part *p, uint32_t dim) {
  const Address *at = p->binding->address;
  Lowering *lw = p->lw;
  int64_t size = (int64_t)at->object->element_bytes;
  IrNode *begin = at->n_index ? at->indices[dim] : NULL;
  if (at->offset) {
    IrNode *elements = lower_emit2(lw, IR_SDIV, ir_scalar(IR_TYPE_I64),
                                   at->offset, lower_i64(lw, size));
    begin =
        begin ? lower_add64(lw, lower_to_i64(lw, begin), elements) : elements;
  }
  if (at->offset_bytes) {
    IrNode *more = lower_i64(lw, at->offset_bytes / size);
    begin = begin ? lower_add64(lw, lower_to_i64(lw, begin), more) : more;
  }
  return begin;
}

static bool lower_section_fail(Part *p, const char *problem) {
  p->problem = problem;
  return false;
}

// The parameter's rows are those of the object.
static bool check_rows(Part *p) {
  const Address *at = p->binding->address;
  const TVar *param = p->section->array;
  if (!at->object)
    return lower_section_fail(p, "a pointer to an unknown array");
  uint32_t rank = at->object->rank, own = param->rank;
  if (at->object->element_bytes != param->element->size_bytes)
    return lower_section_fail(p, "elements of another type");
  if (own > rank || at->object->is_plain_pointer)
    return lower_section_fail(p, "an array that has no such rows");
  bool has_offset = at->offset || at->offset_bytes;
  if (has_offset &&
      (rank > 1 || at->offset_bytes % (int64_t)at->object->element_bytes != 0))
    return lower_section_fail(p, "a pointer into an array that has rows");
  for (uint32_t i = 1; i < own; i++) {
    uint32_t dim = rank - own + i;
    if (!lower_is_extent(lower_section_extent_of(p, i), at->object, dim))
      return lower_section_fail(p,
                                "an array whose rows may be of another length");
    if (at->n_index && !lower_section_is_zero(at->indices[dim]))
      return lower_section_fail(p, "a part that begins inside a row");
  }
  return true;
}

// No element of the section is beyond the parameter.
static bool stays_inside(const TSection *section, const IrNode *extent) {
  int64_t all, low;
  return lower_is_const(extent, &all) && section->lo[0]->kind == TEXPR_CONST &&
         section->length[0]->kind == TEXPR_CONST &&
         (low = section->lo[0]->u.value.i) >= 0 && low <= all &&
         section->length[0]->u.value.i <= all - low;
}

// Elements beyond the parameter's first dimension are beyond the object's, or
// there are none.
static bool check_end(Part *p, uint32_t dim) {
  const Address *at = p->binding->address;
  IrNode *extent = lower_section_extent_of(p, 0);
  bool has_offset = at->offset || at->offset_bytes;
  bool is_whole = !has_offset && lower_is_extent(extent, at->object, dim) &&
                  (!at->n_index || lower_section_is_zero(at->indices[dim]));
  if (is_whole || (dim == 0 && (!p->fills || stays_inside(p->section, extent))))
    return true;
  int64_t begin = 0, own, all;
  const IrHost *row = at->object->extents[dim];
  bool is_known = (!at->n_index || !at->indices[dim] ||
                   lower_is_const(at->indices[dim], &begin)) &&
                  lower_is_const(extent, &own) && row && row->op == HOST_CONST;
  all = is_known ? row->number : 0;
  if (is_known && begin >= 0 && own <= all - begin &&
      stays_inside(p->section, extent))
    return true;
  return lower_section_fail(
      p, "a part that may end inside an array, while the section may "
         "reach beyond it");
}

// Where the section begins in dimension `dim` of the object; the parameter's
// first one is `first`.
static IrNode *low_of(Part *p, uint32_t dim, uint32_t first) {
  Lowering *lw = p->lw;
  IrNode *index = dim <= first ? lower_section_begin_of(p, dim) : NULL;
  if (dim >= first) {
    IrNode *low = lower_index(lw, p->section->lo[dim - first]);
    index =
        index ? lower_add64(lw, lower_to_i64(lw, index), lower_to_i64(lw, low))
              : low;
  }
  return index ? index : lower_i32(lw, 0);
}

static bool map_part(Part *p, IrSection *out, IrNode **args, uint32_t *n_args) {
  const Address *at = p->binding->address;
  if (!check_rows(p))
    return false;
  uint32_t rank = at->object->rank, first = rank - p->section->rank;
  if (!check_end(p, first))
    return false;
  out->object = at->object;
  for (uint32_t dim = 0; dim < rank; dim++) {
    out->length[dim] =
        dim >= first ? p->section->length[dim - first]->u.value.i : 1;
    args[(*n_args)++] = low_of(p, dim, first);
  }
  return true;
}

// ---------------------------------------------------------------- clauses

// The last dimension of which more than one index is named, if all of those
// behind it are whole: the section is one range of elements. Else -1.
static int ranged_dimension(Part *p) {
  const TSection *section = p->section;
  uint32_t k = section->rank - 1;
  for (; k > 0 && !section->is_index[k]; k--) {
    IrNode *length = lower_scalar(p->lw, section->length[k]);
    if (!lower_section_is_zero(lower_scalar(p->lw, section->lo[k])) ||
        !lower_is_same_number(length, lower_section_extent_of(p, k)))
      break;
  }
  for (uint32_t i = 0; i < k; i++)
    if (!section->is_index[i])
      return -1;
  return (int)k;
}

// Elements from the parameter's start, in units of those behind dimension k.
static IrNode *lower_section_first_element(Part *p, uint32_t k) {
  IrNode *flat = NULL;
  for (uint32_t i = 0; i <= k; i++) {
    IrNode *low = lower_to_i64(p->lw, lower_index(p->lw, p->section->lo[i]));
    flat = flat ? lower_add64(p->lw,
                              lower_mul64(p->lw, flat, p->binding->extents[i]),
                              low)
                : low;
  }
  return flat;
}

// As CLAIM_PART says.
static bool map_range(Part *p, IrNode **args, uint32_t *n_args) {
  Lowering *lw = p->lw;
  const Address *at = p->binding->address;
  const TSection *section = p->section;
  int k = ranged_dimension(p);
  if (k < 0)
    return false;
  IrNode *start = lower_section_first_element(p, (uint32_t)k);
  IrNode *length = lower_to_i64(lw, lower_index(lw, section->length[k]));
  for (uint32_t i = (uint32_t)k + 1; i < section->rank; i++) {
    start = lower_mul64(lw, start, p->binding->extents[i]);
    length = lower_mul64(lw, length, p->binding->extents[i]);
  }
  int64_t size = (int64_t)section->array->element->size_bytes;
  start = lower_scale64(lw, start, size);
  if (at->offset)
    start = lower_add64(lw, at->offset, start);
  if (at->offset_bytes)
    start = lower_add64(lw, start, lower_i64(lw, at->offset_bytes));
  for (uint32_t dim = 0; dim < at->object->rank; dim++) {
    IrNode *index = at->n_index ? at->indices[dim] : NULL;
    args[(*n_args)++] = index ? index : lower_i32(lw, 0);
  }
  args[(*n_args)++] = start;
  args[(*n_args)++] = lower_scale64(lw, length, size);
  return true;
}

static bool map_rectangle(Part *p, IrNode **args, uint32_t *n_args) {
  if (!check_rows(p))
    return false;
  uint32_t rank = p->binding->address->object->rank;
  uint32_t first = rank - p->section->rank;
  if (first > 0 && !check_end(p, first))
    return false;
  for (uint32_t dim = 0; dim < rank; dim++) {
    const TExpr *length = dim < first ? NULL : p->section->length[dim - first];
    args[(*n_args)++] = lower_to_i64(p->lw, low_of(p, dim, first));
    args[(*n_args)++] = length ? lower_to_i64(p->lw, lower_index(p->lw, length))
                               : lower_i64(p->lw, 1);
  }
  return true;
}

IrObject *lower_claimed(Lowering *lw, const TSection *section, IrNode **args,
                        uint32_t *n_args, bool *is_part) {
  Part p = {.lw = lw, .section = section, .fills = true};
  p.binding = lower_binding(lw, section->array);
  *is_part = false;
  if (!p.binding || p.binding->kind != BIND_DENSE)
    return NULL;
  IrObject *object = p.binding->address->object;
  if (!object || object->rank == 0 || object->element_bytes == 0)
    return NULL;
  *is_part = map_range(&p, args, n_args);
  return *is_part || map_rectangle(&p, args, n_args) ? object : NULL;
}

// --------------------------------------------------------------------- any

bool lower_section(Lowering *lw, const TSection *section, bool fills,
                   IrSection *out, IrNode **args, uint32_t *n_args) {
  Part p = {.lw = lw, .section = section, .fills = fills};
  p.binding = lower_binding(lw, section->array);
  if (p.binding && p.binding->kind == BIND_OBJECT) {
    out->object = p.binding->object;
    for (uint32_t i = 0; i < section->rank; i++) {
      args[(*n_args)++] = lower_index(lw, section->lo[i]);
      out->length[i] = section->length[i]->u.value.i;
    }
    return true;
  }
  if (p.binding && p.binding->kind == BIND_DENSE &&
      map_part(&p, out, args, n_args))
    return true;
  Diag *diag = DIAG_REPORT(
      lw->diags, DIAG_section_part, lw->module->locs.data[lw->loc].place,
      DS(section->array->name), DS(p.problem ? p.problem : "something else"));
  diag_note(lw->diags, diag, (Place){0},
            "pass the whole array and where the part begins");
  lower_report(lw, diag);
  return false;
}
