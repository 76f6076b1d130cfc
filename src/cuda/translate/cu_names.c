// SPDX-License-Identifier: Apache-2.0
// File scope names differ from each other, from what the output uses of the
// language, and from its words; local ones from all of these too, because an
// expression of theirs may stand anywhere in their function. Two local names
// may be equal in functions and blocks that lie side by side; inside one
// another they were made different when they were declared (cu_local.c).
#include "cuda/form/cu_names.h"

#include "base/panic.h"
#include "cuda/cuda.h"
#include "cuda/form/cu_pack.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_walk.h"

#include <ctype.h>
#include <string.h>

CuName *cu_new_name(CuContext *cu, const char *wanted, bool is_local) {
  CuName *name = ARENA_NEW(cu->arena, CuName);
  name->wanted = intern_cstr(cu->names, wanted);
  name->is_local = is_local;
  VEC_PUSH(cu->arena, &cu->output.all_names, name);
  return name;
}

CuName *cu_launch_name(CuContext *cu, const char *wanted) {
  CuName *name = cu_new_name(cu, wanted, true);
  name->is_of_launch = true;
  return name;
}

void cu_name_spelled(CuContext *cu, CuName *name, const char **slot) {
  *slot = name->wanted;
  VEC_PUSH(cu->arena, &name->slots, slot);
}

// ---------------------------------------------------------------- at the end

// Words that can't be names, or not everywhere.
static const char *const reserved[] = {
#define TOK_CLASS(kind, name)
#define TOK_PUNCT(kind, spelling)
#define TOK_KEYWORD(kind, spelling) spelling,
#include "syntax/token.def"
    "group",    "token",  "mbarrier", "pipeline", "shared",
    "constant", "global", "generic",  "asm"};

static bool names_is_among(const char *const *words, size_t count,
                           const char *name) {
  for (size_t i = 0; i < count; i++) {
    if (strcmp(words[i], name) == 0)
      return true;
  }
  return false;
}

static bool is_reserved(const char *name) {
  return names_is_among(reserved, sizeof(reserved) / sizeof(reserved[0]), name);
}

// Words that say something of a type when a name follows them.
static bool is_type_word(const char *name) {
  static const char *const words[] = {"local", "tile", "cluster", "tmem"};
  return names_is_among(words, sizeof(words) / sizeof(words[0]), name);
}

const char *cuda_block_param(int axis) {
  static const char *const names[] = {"block_dim_x", "block_dim_y",
                                      "block_dim_z"};
  HD_ASSERT(axis >= 0 && axis < 3);
  return names[axis];
}

bool cuda_is_block_param(const char *name) {
  for (int axis = 0; axis < 3; axis++)
    if (strcmp(name, cuda_block_param(axis)) == 0)
      return true;
  return false;
}

// Parameters that tools look for by these names.
static bool is_launch_name(const char *name) {
  return strcmp(name, "dynamic_shared_bytes") == 0 || cuda_is_block_param(name);
}

static void names_spell(CuName *name, const char *spelling) {
  name->wanted = spelling;
  for (uint32_t i = 0; i < name->slots.count; i++)
    *name->slots.data[i] = spelling;
}

static const char *fresh(CuContext *cu, const char *wanted, const Map *taken,
                         const Map *wished) {
  const char *spelling = intern_cstr(cu->names, cu_format(cu, "%s_", wanted));
  for (uint32_t i = 2;; i++) {
    if (!map_has(taken, MAP_KEY(spelling)) &&
        !map_has(wished, MAP_KEY(spelling)))
      return spelling;
    spelling = intern_cstr(cu->names, cu_format(cu, "%s_%u", wanted, i));
  }
}

// Users call it as they did, unless something of the file is called so.
static void tell_wanted(CuContext *cu, const CuName *name, const char *wanted,
                        Map *told) {
  if (map_has(told, MAP_KEY(wanted)))
    return;
  if (name->decl)
    name->decl->told = wanted;
  if (!name->is_local)
    map_put(cu->arena, told, MAP_KEY(wanted), cu);
}

// `taken`: by what was named before and by the language.
static void names_settle(CuContext *cu, CuName *name, Map *taken, Map *wished,
                         Map *told) {
  const char *wanted = name->wanted;
  bool is_taken = map_has(taken, MAP_KEY(wanted));
  bool is_word = is_reserved(wanted) || map_get(taken, MAP_KEY(wanted)) == cu ||
                 (name->is_type && is_type_word(wanted));
  bool is_ours = is_launch_name(wanted) && !name->is_of_launch;
  if (is_taken || is_word || is_ours)
    names_spell(name, fresh(cu, wanted, taken, wished));
  if (is_word)
    tell_wanted(cu, name, wanted, told);
  if (name->source && name->decl)
    name->decl->told = name->source;
  if (!name->is_local)
    map_put(cu->arena, taken, MAP_KEY(name->wanted), name);
  map_put(cu->arena, wished, MAP_KEY(name->wanted), name);
}

typedef struct {
  CuWalk walk;
  const CuContext *cu;
  bool takes_away;
} MentionWalk;

static void count_mention(CuWalk *walk, const Expr *expr) {
  const MentionWalk *at = (const MentionWalk *)walk;
  CuName *name = expr->kind == EXPR_NAME
                     ? map_get(&at->cu->output.named, MAP_KEY(expr))
                     : NULL;
  if (name && at->takes_away)
    name->n_mentions--;
  else if (name)
    name->n_mentions++;
}

static void count_mentions(const CuContext *cu) {
  MentionWalk at = {.walk = {.on_expr = count_mention}, .cu = cu};
  for (uint32_t i = 0; i < cu->output.decls.count; i++) {
    const Decl *decl = cu->output.decls.data[i];
    if (decl->kind == DECL_FUNCTION || decl->kind == DECL_KERNEL)
      cu_walk_stmt(&at.walk, decl->u.function.body);
  }
}

// Names, numbers and what operators make of them: no memory is read.
static bool is_pure(const Expr *expr) {
  switch ((int)expr->kind) {
  case EXPR_INT:
  case EXPR_BOOL:
  case EXPR_NAME:
  case EXPR_SIZEOF_TYPE: return true;
  case EXPR_CAST: return is_pure(expr->u.cast.operand);
  case EXPR_BINARY:
    return is_pure(expr->u.binary.left) && is_pure(expr->u.binary.right);
  default: return false;
  }
}

// A token in a variable must be waited for; one that isn't kept need not be.
static void names_drop_unused(const CuContext *cu, CuName *name) {
  Decl *decl = name->decl;
  if (!name->stmt)
    return;
  bool is_token = decl->type->kind == TYPE_TOKEN && name->slots.count <= 1;
  if (!is_token && !(name->is_told && name->n_mentions == 0))
    return;
  Expr *init = decl->u.var.init;
  bool is_droppable = init && (map_has(&cu->notes.droppable, MAP_KEY(init)) ||
                               (!is_token && is_pure(init)));
  if (is_droppable) {
    MentionWalk at = {
        .walk = {.on_expr = count_mention}, .cu = cu, .takes_away = true};
    cu_walk_expr(&at.walk, init);
    init = NULL;
  }
  name->stmt->kind = init ? STMT_EXPR : STMT_EMPTY;
  name->stmt->u.expr = init;
}

void cu_name_unspelled(CuContext *cu, Expr *expr) {
  CuName *name = map_get(&cu->output.named, MAP_KEY(expr));
  for (uint32_t i = 0; name && i < name->slots.count; i++) {
    if (name->slots.data[i] != &expr->u.name)
      continue;
    name->slots.data[i] = VEC_LAST(&name->slots);
    name->slots.count--;
    return;
  }
}

void cu_finish_names(CuContext *cu) {
  count_mentions(cu);
  for (uint32_t i = cu->output.all_names.count; i > 0;
       i--) // later ones mention these
    names_drop_unused(cu, cu->output.all_names.data[i - 1]);
  Map wished = {0}, told = {0};
  for (uint32_t i = 0; i < cu->output.all_names.count; i++) {
    CuName *name = cu->output.all_names.data[i];
    map_put(cu->arena, &wished, MAP_KEY(name->wanted), name);
  }
  for (int locals = 0; locals < 2; locals++) {
    for (uint32_t i = 0; i < cu->output.all_names.count; i++) {
      CuName *name = cu->output.all_names.data[i];
      if (name->is_local == locals && name->slots.count > 0)
        names_settle(cu, name, &cu->output.builtins, &wished, &told);
    }
  }
}

const char *cu_field_name(CuContext *cu, const char *name) {
  if (!is_reserved(name))
    return name;
  return intern_cstr(cu->names, cu_format(cu, "%s_", name));
}

// ---------------------------------------------------------------- words

static void names_add_word(Text *out, const char *text) {
  for (; *text; text++) {
    if (isalnum((unsigned char)*text) || *text == '_')
      text_add_char(out, *text);
    else if (out->length && out->data[out->length - 1] != '_')
      text_add_char(out, '_');
  }
  while (out->length && out->data[out->length - 1] == '_')
    out->data[--out->length] = 0;
}

static const char *const short_words[] = {
    [CU_SCHAR] = "schar",       [CU_UCHAR] = "uchar", [CU_USHORT] = "ushort",
    [CU_UINT] = "unsigned",     [CU_ULONG] = "ulong", [CU_LLONG] = "long_long",
    [CU_ULLONG] = "ulong_long", [CU_HALF] = "half",   [CU_LIST] = NULL};

const char *cu_type_word(CuContext *cu, const CuType *type) {
  if (type->kind == CU_RECORD)
    return type->u.record->suffix;
  if (type->kind == CU_ENUM)
    return type->u.enumeration->suffix;
  if (type->kind == CU_LAMBDA)
    return type->u.lambda->name;
  if (type->kind == CU_POINTER || type->kind == CU_REFERENCE)
    return cu_format(cu, "%s_ptr", cu_type_word(cu, type->u.inner));
  if (type->kind <= CU_LIST && short_words[type->kind])
    return short_words[type->kind];
  Text text = {.arena = cu->arena};
  names_add_word(&text, cu_type_text(cu->arena, cu_plain(type)));
  return text_cstr(&text);
}

static const char *arg_word(CuContext *cu, const CuArg *arg) {
  if (arg->template)
    return arg->template->name;
  if (arg->is_type && cu_is_const(arg->type))
    return cu_format(cu, "const_%s", cu_type_word(cu, arg->type));
  if (arg->is_type)
    return cu_type_word(cu, arg->type);
  if (cu_is(arg->type, CU_LAMBDA))
    return arg->type->u.lambda->name;
  if (cu_is(arg->type, CU_BOOL))
    return arg->value.i ? "true" : "false";
  if (arg->value.i < 0)
    return cu_format(cu, "m%llu", 0 - (unsigned long long)arg->value.i);
  return cu_format(cu, "%lld", (long long)arg->value.i);
}

CuName *cu_outermost_name(const CuContext *cu, const Expr *expr) {
  CuName *name = expr->kind == EXPR_NAME
                     ? map_get(&cu->output.named, MAP_KEY(expr))
                     : NULL;
  while (name && name->outer)
    name = name->outer;
  return name;
}

const char *cu_args_word(CuContext *cu, const char *name, CuArgs args) {
  Text text = {.arena = cu->arena};
  args = cu_flat_args(cu, args);
  text_add(&text, name);
  for (uint32_t i = 0; i < args.count; i++) {
    text_add_char(&text, '_');
    text_add(&text, arg_word(cu, &args.data[i]));
  }
  return text_cstr(&text);
}

const char *cu_class_name(const CuEntity *entity) {
  if (entity->name)
    return entity->name;
  const char *alias = entity->decl ? entity->decl->alias : NULL;
  return alias ? alias : "unnamed";
}

const char *cu_full_name(CuContext *cu, const CuEntity *entity,
                         const char *name) {
  for (const CuScope *scope = entity->scope; scope; scope = scope->parent) {
    const char *around = scope->kind == CU_SCOPE_RECORD ? scope->record->shown
                         : scope->kind == CU_SCOPE_NAMESPACE ? scope->name
                                                             : NULL;
    if (around)
      name = cu_format(cu, "%s::%s", around, name);
    if (scope->kind == CU_SCOPE_RECORD)
      break;
  }
  return name;
}

static const char *function_text(CuContext *cu, const CuClosure *closure) {
  const CuFunction *function = closure->only;
  return function ? cu_full_name(cu, function->entity, function->shown)
                  : closure->name;
}

void cu_show_number(CuContext *cu, const CuArg *arg, Text *out) {
  const char *enumerator =
      cu_is(arg->type, CU_ENUM)
          ? cu_enumerator_name(cu, arg->type->u.enumeration, arg->value.i)
          : NULL;
  if (enumerator)
    text_add(out, enumerator);
  else if (cu_is(arg->type, CU_LAMBDA))
    text_add(out, function_text(cu, arg->type->u.lambda));
  else if (cu_is(arg->type, CU_BOOL))
    text_add(out, arg->value.i ? "true" : "false");
  else
    text_printf(out, "%lld", (long long)arg->value.i);
}

const char *cu_shown_args(CuContext *cu, const char *name, CuArgs args) {
  Text text = {.arena = cu->arena};
  args = cu_flat_args(cu, args);
  text_add(&text, name);
  for (uint32_t i = 0; i < args.count; i++) {
    text_add(&text, i ? ", " : "<");
    const CuEntity *template = args.data[i].template;
    if (template)
      text_add(&text, cu_full_name(cu, template, template->name));
    else if (args.data[i].is_type)
      cu_type_print(args.data[i].type, &text);
    else
      cu_show_number(cu, &args.data[i], &text);
  }
  text_add(&text, args.count ? ">" : "");
  return text_cstr(&text);
}

static const struct {
  const char *name, *word;
} operators[] = {{"+", "add"},      {"-", "sub"},       {"*", "mul"},
                 {"/", "div"},      {"%", "rem"},       {"^", "xor"},
                 {"&", "and"},      {"|", "or"},        {"~", "not"},
                 {"!", "is_false"}, {"=", "assign"},    {"<", "less"},
                 {">", "greater"},  {"+=", "add_to"},   {"-=", "sub_from"},
                 {"*=", "mul_to"},  {"/=", "div_to"},   {"%=", "rem_to"},
                 {"^=", "xor_to"},  {"&=", "and_to"},   {"|=", "or_to"},
                 {"<<", "shl"},     {">>", "shr"},      {"<<=", "shl_to"},
                 {">>=", "shr_to"}, {"==", "equal"},    {"!=", "not_equal"},
                 {"<=", "at_most"}, {">=", "at_least"}, {"&&", "both"},
                 {"||", "either"},  {"++", "inc"},      {"--", "dec"},
                 {",", "comma"},    {"->", "arrow"},    {"()", "call"},
                 {"[]", "at"}};

const char *cu_operator_word(CuContext *cu, const char *name) {
  if (strncmp(name, "operator", 8) != 0 || isalnum((unsigned char)name[8]) ||
      name[8] == '_')
    return name;
  for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
    if (strcmp(operators[i].name, name + 8) == 0)
      return operators[i].word;
  }
  return cu_format(cu, "operator_%u", (unsigned)strlen(name));
}
