// SPDX-License-Identifier: Apache-2.0
// Textures and surfaces of a kernel: Note [Textures].
#include "cuda/form/cu_texture.h"
#include "cuda/form/cu_local.h"
#include "cuda/form/cu_names.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_scope.h"
#include "cuda/form/cu_space.h"
#include "cuda/form/cu_tree.h"
#include "cuda/form/cu_value.h"

#include <string.h>

typedef enum {
  VIEW_NONE, // another class
  VIEW_TEXTURE,
  VIEW_SURFACE,
  VIEW_TEXTURE_REFERENCE,
  VIEW_SURFACE_REFERENCE,
} TextureView;

// As heddle_texture.h marks its classes.
static TextureView texture_view_of(const CuType *type) {
  static const char *const words[] = {
      [VIEW_TEXTURE] = "texture",
      [VIEW_SURFACE] = "surface",
      [VIEW_TEXTURE_REFERENCE] = "texture reference",
      [VIEW_SURFACE_REFERENCE] = "surface reference"};
  type = cu_plain(cu_referred(type));
  if (type->kind != CU_RECORD || !type->u.record->decl)
    return VIEW_NONE;
  const char *word =
      cu_attribute_text(cu_attribute(type->u.record->decl, "__heddle_view"));
  for (TextureView view = VIEW_TEXTURE; word && view <= VIEW_SURFACE_REFERENCE;
       view++)
    if (strcmp(word, words[view]) == 0)
      return view;
  return VIEW_NONE;
}

bool cu_is_texture(const CuType *type) {
  return texture_view_of(type) != VIEW_NONE;
}

static bool is_surface(const CuType *type) {
  TextureView view = texture_view_of(type);
  return view == VIEW_SURFACE || view == VIEW_SURFACE_REFERENCE;
}

static bool is_texture_reference(const CuType *type) {
  TextureView view = texture_view_of(type);
  return view == VIEW_TEXTURE_REFERENCE || view == VIEW_SURFACE_REFERENCE;
}

// ---------------------------------------------------------------- groups

static CuTextureGroup *texture_root_of(CuTextureGroup *group) {
  while (group->parent) {
    if (group->parent->parent)
      group->parent = group->parent->parent;
    group = group->parent;
  }
  return group;
}

static CuTextureGroup *texture_group_of(CuContext *cu, const void *key) {
  CuTextureGroup *group = map_get(&cu->textures.groups, MAP_KEY(key));
  if (!group) {
    group = ARENA_NEW(cu->arena, CuTextureGroup);
    map_put(cu->arena, &cu->textures.groups, MAP_KEY(key), group);
    VEC_PUSH(cu->arena, &cu->textures.all_groups, group);
  }
  return texture_root_of(group);
}

static const char *shown_extents(const CuTextureGroup *group) {
  const char *n = group->extents;
  return strcmp(n, "w") == 0     ? "one dimension"
         : strcmp(n, "lw") == 0  ? "layers of one dimension"
         : strcmp(n, "hw") == 0  ? "two dimensions"
         : strcmp(n, "lhw") == 0 ? "layers of two dimensions"
                                 : "three dimensions";
}

static bool is_same_use(const CuTextureGroup *a, const CuTextureGroup *b) {
  return a->element == b->element && strcmp(a->extents, b->extents) == 0;
}

static void refuse_two(CuContext *cu, const CuTextureGroup *a,
                       const CuTextureGroup *b, Span span) {
  CU_ERROR(cu, span, cuda_texture_uses,
           DS(cu_format(cu, "'%s' in %s", CU_TEXT(cu, a->element),
                        shown_extents(a))),
           DS(cu_format(cu, "'%s' in %s", CU_TEXT(cu, b->element),
                        shown_extents(b))));
}

static void texture_join(CuContext *cu, CuTextureGroup *a, CuTextureGroup *b,
                         Span span) {
  a = texture_root_of(a);
  b = texture_root_of(b);
  if (a == b)
    return;
  if (a->element && b->element && !is_same_use(a, b)) {
    refuse_two(cu, a, b, span);
    return;
  }
  if (!a->element) {
    a->element = b->element;
    a->extents = b->extents;
    a->span = b->span;
  }
  a->is_sampled |= b->is_sampled;
  a->is_known |= b->is_known;
  b->parent = a;
}

// What the value is named by, else its expression.
static CuTextureGroup *group_of_value(CuContext *cu, const CuValue *value) {
  const CuVariable *variable = value->variable;
  if (variable && variable->holds == CU_HOLDS_SUBSTITUTE)
    return group_of_value(cu, &variable->substitute);
  if (variable)
    return texture_group_of(cu, variable);
  const void *key =
      value->expr ? map_get(&cu->textures.places, MAP_KEY(value->expr)) : NULL;
  return texture_group_of(cu, key ? key : value->expr);
}

void cu_texture_same(CuContext *cu, const void *a, const void *b) {
  texture_join(cu, texture_group_of(cu, a), texture_group_of(cu, b),
               cu->statement);
}

void cu_texture_flow(CuContext *cu, const CuValue *value, const void *key) {
  if (!cu_is_texture(value->type))
    return;
  texture_join(cu, group_of_value(cu, value), texture_group_of(cu, key),
               value->span);
}

void cu_texture_meet(CuContext *cu, const CuValue *a, const CuValue *b,
                     const Expr *made) {
  if (!cu_is_texture(a->type) || !cu_is_texture(b->type))
    return;
  texture_join(cu, group_of_value(cu, a), group_of_value(cu, b), b->span);
  if (made)
    texture_join(cu, group_of_value(cu, a), texture_group_of(cu, made),
                 b->span);
}

void cu_texture_place(CuContext *cu, const CuType *type, const Expr *expr,
                      const void *key) {
  if (expr && key && cu_is_texture(cu_array_base(type)))
    map_put(cu->arena, &cu->textures.places, MAP_KEY(expr),
            (void *)(uintptr_t)key);
}

void cu_texture_element(CuContext *cu, const CuValue *array,
                        const CuValue *element) {
  if (!cu_is_texture(element->type))
    return;
  const void *key = array->variable;
  if (!key && array->expr)
    key = map_get(&cu->textures.places, MAP_KEY(array->expr));
  cu_texture_place(cu, element->type, element->expr, key);
}

void cu_texture_use(CuContext *cu, const CuFunction *function, CuValues args,
                    Span span) {
  const char *extents =
      cu_attribute_text(cu_attribute(function->decl, "__heddle_texture"));
  const CuArg *element = function->args.count ? function->args.data : NULL;
  if (cu_attribute(function->decl, "__heddle_level") && cu_has_mipmaps(cu))
    cu_unsupported(cu, span, "levels of a texture",
                   "make each level a texture of its own");
  for (uint32_t i = 0; i < args.count && extents && element; i++) {
    if (!cu_is_texture(args.data[i].type))
      continue;
    CuTextureGroup use = {
        .element = cu_plain(element->type), .extents = extents, .span = span};
    CuTextureGroup *group = group_of_value(cu, &args.data[i]);
    if (group->element && !is_same_use(group, &use))
      refuse_two(cu, group, &use, span);
    group->element = use.element;
    group->extents = use.extents;
    group->span = use.span;
    group->is_sampled |=
        cu_attribute(function->decl, "__heddle_sampled") != NULL;
    return;
  }
}

// ---------------------------------------------------------------- the kernel's

static Decl *texture_add_param(CuContext *cu, CuDeclVec *out,
                               CuVariable *variable, const CuType *type,
                               Span span) {
  Decl *decl = cu_new_decl(cu, DECL_PARAM, variable->name, span, span);
  decl->type = cu_emit_type(cu, type, span);
  variable->decl = variable->name->decl = decl;
  variable->name->spaces = CU_SPACE_GLOBAL;
  VEC_PUSH(cu->arena, out, decl);
  return decl;
}

// Where the kernel itself is translated no other variable may have the name.
static CuVariable *new_param(CuContext *cu, const char *name,
                             const CuType *type) {
  if (cu->frame == cu_root_frame(cu))
    return cu_new_local(cu, name, type);
  CuVariable *variable = ARENA_NEW(cu->arena, CuVariable);
  variable->type = type;
  variable->frame = cu_root_frame(cu);
  const char *wanted = intern_cstr(cu->names, name);
  map_put(cu->arena, &cu->prologue, MAP_KEY(wanted), variable);
  variable->name = cu_new_name(cu, wanted, true);
  variable->name->is_variable = true;
  return variable;
}

const char *cu_texture_name(CuContext *cu, const char *texture,
                            const char *word) {
  const char *name = cu_format(cu, "%s_%s", texture, word);
  const CuFunction *kernel = cu_root_frame(cu)->function;
  const CxDeclList *params = &kernel->decl->type->u.function.params;
  for (uint32_t i = 0; i < params->count; i++)
    if (params->data[i]->name && strcmp(params->data[i]->name, name) == 0)
      return cu_format(cu, "%s_", name);
  return name;
}

// The sizes as conditions may name them, `t_width`.
static void make_variables(CuContext *cu, CuTexture *texture) {
  static const char *const words[] = {"depth", "height", "width"};
  const CuType *type = cu_basic(&cu->types, CU_INT);
  for (int i = 0; i < 3; i++) {
    const char *name = cu_texture_name(cu, texture->name, words[i]);
    texture->sizes[i] = new_param(cu, name, type);
    VEC_PUSH(cu->arena, &cu->output.pieces,
             ((CuPiece){name, texture->sizes[i]}));
  }
  type = cu_pointer(&cu->types, cu_basic(&cu->types, CU_UCHAR));
  texture->data = new_param(cu, texture->name, type);
}

static void texture_add_params(CuContext *cu, CuTexture *texture,
                               CuDeclVec *out) {
  for (int i = 0; i < 3; i++)
    texture_add_param(cu, out, texture->sizes[i], texture->sizes[i]->type,
                      texture->span);
  texture_add_param(cu, out, texture->data, texture->data->type, texture->span);
}

static CuTexture *add_texture(CuContext *cu, const CuType *type,
                              const char *name, Span span) {
  CuTexture *texture = ARENA_NEW(cu->arena, CuTexture);
  *texture = (CuTexture){.name = name, .type = type, .span = span};
  const CuExprVec none = {0};
  texture->init = cu_list_expr(cu, &none, span);
  make_variables(cu, texture);
  VEC_PUSH(cu->arena, &cu->textures.of_kernel, texture);
  return texture;
}

Expr *cu_texture_parameter(CuContext *cu, CuDeclVec *out, const CuType *type,
                           const char *name, CuVariable *variable,
                           const CxDecl *key, const CxDecl *written) {
  CuTexture *texture = add_texture(cu, type, name, written->name_span);
  texture->variable = variable;
  texture->written = written;
  texture->key = key;
  texture->group =
      texture_group_of(cu, variable ? (const void *)variable : key);
  texture_add_params(cu, texture, out);
  return texture->init;
}

static CuVariable *place_of_file(CuContext *cu, CxDecl *decl,
                                 const CuType *type) {
  CuFrame *root = cu_root_frame(cu);
  CuTexture *texture = add_texture(cu, type, decl->name, decl->name_span);
  CuVariable *variable =
      new_param(cu, cu_texture_name(cu, decl->name, "view"), cu_plain(type));
  variable->is_copy = true;
  texture->variable = variable;
  texture->decl = decl;
  texture->key = decl;
  texture->group = texture_group_of(cu, decl);
  cu_texture_same(cu, decl, variable);
  Decl *made = cu_new_decl(cu, DECL_VAR, variable->name, decl->name_span,
                           decl->name_span);
  made->type = cu_emit_type(cu, cu_plain(type), decl->name_span);
  made->u.var.init = texture->init;
  variable->decl = variable->name->decl = made;
  variable->name->stmt = cu_decl_stmt(cu, made);
  VEC_PUSH(cu->arena, &root->prologue, variable->name->stmt);
  return variable;
}

static bool may_be_texture(const CxType *type) {
  static const char *const words[] = {
      "texture", "surface", "cudaTextureObject_t", "cudaSurfaceObject_t"};
  const CxName *name = type->kind == CX_TYPE_NAMED ? type->u.named.name : NULL;
  const char *word = name ? name->parts[name->n_parts - 1].name : NULL;
  for (size_t i = 0; i < sizeof words / sizeof *words && word; i++)
    if (strcmp(word, words[i]) == 0)
      return true;
  return false;
}

CuVariable *cu_texture_of_file(CuContext *cu, CxDecl *decl,
                               const CuType *type) {
  if (!cu->frame || !cu_root_frame(cu)->function) {
    cu_unsupported(cu, decl->name_span, "a texture outside of a kernel", NULL);
    return NULL;
  }
  for (uint32_t i = 0; i < cu->textures.of_kernel.count; i++)
    if (cu->textures.of_kernel.data[i]->decl == decl)
      return cu->textures.of_kernel.data[i]->variable;
  return place_of_file(cu, decl, type);
}

// The file's, before conditions name their sizes; those that aren't used are
// dropped at the end.
void cu_find_file_textures(CuContext *cu) {
  const CxDeclList *decls = &cu->tree->decls;
  for (uint32_t i = 0; i < decls->count; i++) {
    CxDecl *decl = decls->data[i];
    if (decl->kind != CX_DECL_VAR || !decl->type || !may_be_texture(decl->type))
      continue;
    CuEntity *entity = cu_entity_of(cu, cu->global, decl);
    if (entity && entity->kind == CU_ENTITY_VAR) {
      CuTrial trial = cu_trial_begin(cu);
      const CuType *type = cu_resolve_type(cu, decl->type);
      if (!cu_trial_end(cu, trial) && cu_is_texture(type))
        cu_texture_of_file(cu, decl, type);
    }
  }
}

CuVariable *cu_texture_again(CuContext *cu, const CuVariable *earlier) {
  for (uint32_t i = 0; i < cu->textures.of_file.count; i++) {
    const CuTexture *texture = cu->textures.of_file.data[i];
    if (texture->variable == earlier)
      return cu_texture_of_file(cu, texture->decl, texture->type);
  }
  return NULL;
}

// ---------------------------------------------------------------- at the end

// A texture reference says itself what it holds.
static void note_reference(CuTexture *texture) {
  const CuRecord *record = cu_plain(texture->type)->u.record;
  if (!is_texture_reference(texture->type) || !record->n_args)
    return;

  static const struct {
    int64_t type;
    const char *extents;
  } kinds[] = {{1, "w"}, {2, "hw"}, {3, "dhw"}, {241, "lw"}, {242, "lhw"}};

  const CuType *element = cu_plain(record->args[0].type);
  if (cu_is(element, CU_VOID))
    return;
  bool is_named = texture->variable->name->slots.count > 1;
  CuTextureGroup *group = texture_root_of(texture->group);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (record->args[1].value.i == kinds[i].type && !group->element &&
        is_named) {
      group->element = element;
      group->extents = kinds[i].extents;
    }
}

// Of a texture that no use is known of: the uses of what isn't known as a
// texture of the kernel, an element of an array of them or what a function
// gave.
static void texture_find_use(CuContext *cu, CuTexture *texture) {
  CuTextureGroup *group = texture_root_of(texture->group);
  const CuVariable *variable = texture->variable;
  bool is_named = !variable || variable->name->slots.count > 1;
  uint32_t n = is_named ? cu->textures.all_groups.count : 0;
  for (uint32_t i = 0; i < n && !group->element; i++) {
    CuTextureGroup *other = texture_root_of(cu->textures.all_groups.data[i]);
    if (other->element && !other->is_known)
      texture_join(cu, group, other, texture->span);
    group = texture_root_of(group);
  }
}

// All textures of the kernel are read in this way.
static bool fits_all(const CuContext *cu, const CuTextureGroup *use) {
  for (uint32_t i = 0; i < cu->textures.of_kernel.count; i++) {
    CuTextureGroup *group =
        texture_root_of(cu->textures.of_kernel.data[i]->group);
    if (group->element && !is_same_use(group, use))
      return false;
  }
  return cu->textures.of_kernel.count > 0;
}

// A use of what no texture of the kernel is known to have become is right if it
// may be any of them.
static void refuse_unknown(CuContext *cu) {
  for (uint32_t i = 0; i < cu->textures.all_groups.count; i++) {
    CuTextureGroup *group = texture_root_of(cu->textures.all_groups.data[i]);
    if (!group->element || group->is_known)
      continue;
    group->is_known = true; // told once
    if (!fits_all(cu, group))
      cu_unsupported(
          cu, group->span,
          "a texture or surface that is not a variable or a parameter",
          "name the kernel's parameter here");
  }
}

static bool has_extent(const CuTextureGroup *group, char extent) {
  return strchr(group->extents, extent) != NULL;
}

// Size number i along the axes depth, height, width; NULL: the array has none.
static CuVariable *texture_size_of(const CuTexture *texture,
                                   const CuTextureGroup *group, int i) {
  static const char letters[] = "dhw";
  bool is_layers = i == 0 && has_extent(group, 'l');
  return is_layers || has_extent(group, letters[i]) ? texture->sizes[i] : NULL;
}

static bool texture_is_float(const CuType *type) {
  if (type->kind == CU_FLOAT)
    return true;
  return type->kind == CU_RECORD && type->u.record->fields.count &&
         cu_is(cu_plain(type->u.record->fields.data[0].type), CU_FLOAT);
}

// The integers that are read as fractions of type `element`.
static TypeSyntax *unit_type(CuContext *cu, const CuType *element, int unit,
                             Span span) {
  static const CuTypeKind kinds[] = {CU_UCHAR, CU_SCHAR, CU_USHORT, CU_SHORT};
  static const char *const words[] = {"uchar", "char", "ushort", "short"};
  if (element->kind == CU_FLOAT)
    return cu_emit_type(cu, cu_basic(&cu->types, kinds[unit - 1]), span);
  return cu_word_type(
      cu,
      cu_format(cu, "%s%u", words[unit - 1], element->u.record->fields.count),
      span);
}

static void texture_set_params(CuContext *cu, CuTexture *texture,
                               const CuTextureGroup *group,
                               const CuSampling *sampling, CuDeclVec *params) {
  Span span = texture->span;
  const CuType *element = group->element;
  TypeSyntax *type = sampling->unit && texture_is_float(element)
                         ? unit_type(cu, element, sampling->unit, span)
                         : cu_emit_type(cu, element, span);
  if (!is_surface(texture->type))
    type->quals |= QUAL_CONST;
  for (int i = 2; i >= 0; i--) {
    const CuVariable *size = texture_size_of(texture, group, i);
    if (size)
      type = cu_array_type(cu, type, cu_name_expr(cu, size->name, span), span);
  }
  // The outermost extent is the last one that was added.
  texture->data->decl->type = type;
  uint32_t n = 0;
  for (uint32_t i = 0; i < params->count; i++) {
    bool is_kept = true;
    for (int k = 0; k < 3; k++)
      is_kept &= params->data[i] != texture->sizes[k]->decl ||
                 texture_size_of(texture, group, k) != NULL;
    if (is_kept)
      params->data[n++] = params->data[i];
  }
  params->count = n;
}

static void drop_params(const CuTexture *texture, CuDeclVec *params) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < params->count; i++) {
    const Decl *decl = params->data[i];
    if (decl != texture->data->decl && decl != texture->sizes[0]->decl &&
        decl != texture->sizes[1]->decl && decl != texture->sizes[2]->decl)
      params->data[n++] = params->data[i];
  }
  params->count = n;
}

// A constexpr parameter that says how the texture is sampled.
static Expr *setting(CuContext *cu, const CuTexture *texture, const char *word,
                     CuTypeKind kind, uint32_t value, CuDeclVec *params) {
  Span span = texture->span;
  const CuType *type = cu_basic(&cu->types, kind);
  CuVariable *variable =
      new_param(cu, cu_texture_name(cu, texture->name, word), type);
  Decl *decl = texture_add_param(cu, params, variable, type, span);
  decl->storage = STORAGE_CONSTEXPR;
  decl->u.param.init = kind == CU_BOOL ? cu_bool_expr(cu, value != 0, span)
                                       : cu_int_literal(cu, value, span);
  return cu_name_expr(cu, variable->name, span);
}

static void add_settings(CuContext *cu, const CuTexture *texture,
                         const CuTextureGroup *group,
                         const CuSampling *sampling, CuExprVec *items,
                         CuDeclVec *params) {
  static const char *const words[] = {"address_x", "address_y", "address_z"};
  static const char letters[] = "whd";
  Span span = texture->span;
  bool is_fetched = !group->is_sampled;
  for (int i = 0; i < 3; i++)
    VEC_PUSH(cu->arena, items,
             !is_fetched && has_extent(group, letters[i])
                 ? setting(cu, texture, words[i], CU_INT, sampling->address[i],
                           params)
                 : cu_int_literal(cu, 1, span));
  VEC_PUSH(
      cu->arena, items,
      !is_fetched && (sampling->unit || texture_is_float(group->element))
          ? setting(cu, texture, "linear", CU_BOOL, sampling->is_linear, params)
          : cu_bool_expr(cu, false, span));
  VEC_PUSH(cu->arena, items,
           is_fetched ? cu_bool_expr(cu, false, span)
                      : setting(cu, texture, "normalized", CU_BOOL,
                                sampling->is_normalized, params));
  VEC_PUSH(cu->arena, items, cu_int_literal(cu, sampling->unit, span));
}

static void texture_finish(CuContext *cu, const CuFunction *kernel,
                           CuTexture *texture, CuDeclVec *params) {
  Span span = texture->span;
  CuTextureGroup *group = texture_root_of(texture->group);
  CuExprVec items = {0};
  if (!group->element) { // nothing reads it
    drop_params(texture, params);
    VEC_PUSH(cu->arena, &items, cu_int_literal(cu, 0, span));
    *texture->init = *cu_list_expr(cu, &items, span);
    if (texture->variable) {
      texture->variable->decl->u.var.init = NULL;
      texture->variable->name->is_told = true;
    }
    return;
  }
  CuSampling sampling = {0};
  if (!is_surface(texture->type))
    sampling = cu_texture_sampling(cu, kernel, texture);
  texture_set_params(cu, texture, group, &sampling, params);
  const CuType *to = cu_basic(&cu->types, CU_VOID);
  if (!is_surface(texture->type))
    to = cu_qualified(&cu->types, to, CX_QUAL_CONST);
  VEC_PUSH(cu->arena, &items,
           cu_cast(cu, cu_pointer(&cu->types, to),
                   cu_name_expr(cu, texture->data->name, span), span));
  for (int i = 2; i >= 0; i--) {
    const CuVariable *size = texture_size_of(texture, group, i);
    VEC_PUSH(cu->arena, &items,
             size ? cu_name_expr(cu, size->name, span)
                  : cu_int_literal(cu, 1, span));
  }
  if (!is_surface(texture->type))
    add_settings(cu, texture, group, &sampling, &items, params);
  Expr *list = cu_list_expr(cu, &items, span);
  if (is_texture_reference(texture->type)) { // a base holds it all
    CuExprVec outer = {0};
    VEC_PUSH(cu->arena, &outer, list);
    list = cu_list_expr(cu, &outer, span);
  }
  *texture->init = *list;
}

void cu_finish_textures(CuContext *cu, const CuFunction *kernel,
                        CuDeclVec *params) {
  for (uint32_t i = 0; i < cu->textures.of_kernel.count; i++) {
    CuTexture *texture = cu->textures.of_kernel.data[i];
    if (!texture->decl)
      continue;
    texture_add_params(cu, texture, params);
    VEC_PUSH(cu->arena, &cu->textures.of_file, texture);
  }
  for (uint32_t i = 0; i < cu->textures.of_kernel.count; i++) {
    CuTexture *texture = cu->textures.of_kernel.data[i];
    if (texture->decl)
      note_reference(texture);
    texture_root_of(texture->group)->is_known |=
        texture_root_of(texture->group)->element != NULL;
  }
  for (uint32_t i = 0; i < cu->textures.of_kernel.count; i++)
    texture_find_use(cu, cu->textures.of_kernel.data[i]);
  for (uint32_t i = 0; i < cu->textures.of_kernel.count; i++) {
    texture_root_of(cu->textures.of_kernel.data[i]->group)->is_known = true;
    texture_finish(cu, kernel, cu->textures.of_kernel.data[i], params);
  }
  if (!cu->reports.failed && cu->reports.n_errors == 0)
    refuse_unknown(cu);
}
