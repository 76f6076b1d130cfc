// SPDX-License-Identifier: Apache-2.0
// How host code sets textures up. It isn't parsed: what is read are the tokens
// of assignments to members, `d.filterMode = cudaFilterModeLinear;`, of calls
// of cudaCreateTextureObject and of launches. Which descriptor a texture of a
// kernel has is told by the argument of a launch, else by the names, else by
// all descriptors of the file if they say the same.
#include "cuda/form/cu_record.h"
#include "cuda/form/cu_texture.h"
#include "cuda/host/cx_host.h"
#include "cuda/host/cx_mentions.h"
#include "cxx/cx_parser.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  const CxUnit *unit;
  const CxToken *tokens;
  uint32_t count;
} Host;

static unsigned texture_host_kind_at(const Host *host, uint32_t at) {
  return at < host->count ? host->tokens[at].kind : CX_TOK_EOF;
}

// The name or word at a token, "" where there is none.
static const char *texture_host_word_at(const Host *host, uint32_t at) {
  unsigned kind = texture_host_kind_at(host, at);
  bool has_name = kind == CX_TOK_IDENT || cx_token_is_word((CxTokenKind)kind);
  return has_name ? host->tokens[at].u.name : "";
}

static bool texture_host_is_word(const Host *host, uint32_t at,
                                 const char *word) {
  return strcmp(texture_host_word_at(host, at), word) == 0;
}

static int64_t number_at(const Host *host, uint32_t at) {
  if (texture_host_kind_at(host, at) != CX_TOK_NUMBER)
    return -1;
  return strtoll(source_text(host->unit->source) + host->tokens[at].begin, NULL,
                 0);
}

// The last name of some tokens, `&this->t[0]`: t; "" without one.
static const char *last_name(const Host *host, CxTokens tokens) {
  const char *name = "";
  for (uint32_t at = tokens.begin; at < tokens.end; at++) {
    if (texture_host_kind_at(host, at) == CX_TOK_LBRACKET)
      at = cx_behind_brackets(host->unit->parser, at) - 1;
    else if (texture_host_kind_at(host, at) == CX_TOK_IDENT)
      name = texture_host_word_at(host, at);
  }
  return name;
}

// ---------------------------------------------------------------- members

// Which one of the words stands at the token; -1: none.
static int texture_host_choice(const Host *host, uint32_t at,
                               const char *const *words, int n) {
  for (int i = 0; i < n; i++)
    if (texture_host_is_word(host, at, words[i]))
      return i;
  return -1;
}

static int flag_at(const Host *host, uint32_t at) {
  static const char *const words[] = {"false", "true"};
  int64_t number = number_at(host, at);
  return number == 0 || number == 1 ? (int)number
                                    : texture_host_choice(host, at, words, 2);
}

static int texture_host_address_at(const Host *host, uint32_t at) {
  static const char *const words[] = {
      "cudaAddressModeWrap", "cudaAddressModeClamp", "cudaAddressModeMirror",
      "cudaAddressModeBorder"};
  return texture_host_choice(host, at, words, 4);
}

static int filter_at(const Host *host, uint32_t at) {
  static const char *const words[] = {"cudaFilterModePoint",
                                      "cudaFilterModeLinear"};
  return texture_host_choice(host, at, words, 2);
}

typedef struct {
  CuSampling sampling;
  bool has_address[3], has_filter, has_normalized, has_read;
  bool is_fraction; // cudaReadModeNormalizedFloat
} Described;

// `.member = value` at token `at`, the name of the member; what is known
// already comes later in the text.
static void read_member(const Host *host, uint32_t at, Described *out) {
  static const char *const reads[] = {"cudaReadModeElementType",
                                      "cudaReadModeNormalizedFloat"};
  if (texture_host_is_word(host, at, "addressMode") &&
      texture_host_kind_at(host, at + 1) == CX_TOK_LBRACKET &&
      texture_host_kind_at(host, at + 4) == CX_TOK_EQ) {
    int64_t axis = number_at(host, at + 2);
    int value = texture_host_address_at(host, at + 5);
    if (axis >= 0 && axis < 3 && value >= 0 && !out->has_address[axis]) {
      out->has_address[axis] = true;
      out->sampling.address[axis] = (uint32_t)value;
    }
    return;
  }
  if (texture_host_kind_at(host, at + 1) != CX_TOK_EQ)
    return;
  int filter = texture_host_is_word(host, at, "filterMode")
                   ? filter_at(host, at + 2)
                   : -1;
  bool is_flag = texture_host_is_word(host, at, "normalizedCoords") ||
                 texture_host_is_word(host, at, "normalized");
  int flag = is_flag ? flag_at(host, at + 2) : -1;
  int read = texture_host_is_word(host, at, "readMode")
                 ? texture_host_choice(host, at + 2, reads, 2)
                 : -1;
  if (filter >= 0 && !out->has_filter) {
    out->has_filter = true;
    out->sampling.is_linear = filter != 0;
  }
  if (flag >= 0 && !out->has_normalized) {
    out->has_normalized = true;
    out->sampling.is_normalized = flag != 0;
  }
  if (read >= 0 && !out->has_read) {
    out->has_read = true;
    out->is_fraction = read != 0;
  }
}

// The name at the token is one whose member follows.
static bool has_member(const Host *host, uint32_t at) {
  return (texture_host_kind_at(host, at + 1) == CX_TOK_DOT ||
          texture_host_kind_at(host, at + 1) == CX_TOK_ARROW) &&
         texture_host_kind_at(host, at + 2) == CX_TOK_IDENT;
}

// `memset(&d, …)`, `cudaTextureDesc d`, `d = {…}`: nothing before it counts.
static bool begins_anew(const Host *host, uint32_t at) {
  bool is_cleared = texture_host_is_word(host, at - 1, "memset") ||
                    texture_host_is_word(host, at - 2, "memset") ||
                    texture_host_is_word(host, at - 3, "memset");
  return is_cleared || texture_host_is_word(host, at - 1, "cudaTextureDesc") ||
         texture_host_kind_at(host, at + 1) == CX_TOK_EQ;
}

// `d = {.filterMode = cudaFilterModeLinear}`; at `at` stands d.
static void read_designated(const Host *host, uint32_t at, Described *out) {
  uint32_t opener = at + 1 + (texture_host_kind_at(host, at + 1) == CX_TOK_EQ);
  if (texture_host_kind_at(host, opener) != CX_TOK_LBRACE)
    return;
  uint32_t end = cx_behind_brackets(host->unit->parser, opener);
  for (uint32_t k = opener; k < end; k++)
    if (texture_host_kind_at(host, k) == CX_TOK_DOT)
      read_member(host, k + 1, out);
}

// What the tokens before `at`, in one function, give the members of `name`.
static void read_before(const Host *host, const char *name, uint32_t begin,
                        uint32_t at, Described *out) {
  for (; at > begin && at > 3; at--) {
    if (!texture_host_is_word(host, at, name))
      continue;
    if (has_member(host, at)) {
      read_member(host, at + 2, out);
    } else if (begins_anew(host, at)) {
      read_designated(host, at, out);
      return;
    }
  }
}

bool cu_has_mipmaps(const CuContext *cu) {
  const CxParser *cx = cu->tree->parser;
  const Host host = {cu->tree, cx->lexed.tokens.data, cx->lexed.n_main};
  for (uint32_t at = 0; at < host.count; at++)
    if (strstr(texture_host_word_at(&host, at), "Mipmapped"))
      return true;
  return false;
}

// ---------------------------------------------------------------- texels

// The kind of integers that `cudaCreateChannelDesc<uchar4>()` or
// `cudaCreateChannelDesc(8, 8, 8, 8, cudaChannelFormatKindUnsigned)` names.
static int channel_at(const Host *host, uint32_t at) {
  if (texture_host_kind_at(host, at + 1) == CX_TOK_LT) {
    bool is_unsigned = texture_host_is_word(host, at + 2, "unsigned");
    const char *word = texture_host_word_at(host, at + (is_unsigned ? 3 : 2));
    is_unsigned |= word[0] == 'u';
    return (strstr(word, "short") ? 3 : 1) + !is_unsigned;
  }
  uint32_t end = cx_behind_brackets(host->unit->parser, at + 1);
  bool is_signed = false;
  for (uint32_t k = at; k < end; k++)
    is_signed |= texture_host_is_word(host, k, "cudaChannelFormatKindSigned");
  return (number_at(host, at + 2) == 16 ? 3 : 1) + is_signed;
}

// The last one before `at`; else the first one of the file; else bytes.
static int unit_before(const Host *host, uint32_t at) {
  int unit = 0;
  for (uint32_t k = 0; k < host->count && (k < at || !unit); k++)
    if (texture_host_is_word(host, k, "cudaCreateChannelDesc") &&
        (texture_host_kind_at(host, k + 1) == CX_TOK_LT ||
         texture_host_kind_at(host, k + 1) == CX_TOK_LPAREN))
      unit = channel_at(host, k);
  return unit ? unit : 1;
}

// ---------------------------------------------------------------- objects

typedef struct {
  uint32_t at; // of the call
  const char *target;
  CuSampling sampling;
} Created;

typedef hd_vec(Created) CreatedVec;

// cudaCreateTextureObject(&t, &resource, &d, …)
static bool read_create(const Host *host, uint32_t at, Created *out) {
  const CxParser *cx = host->unit->parser;
  bool is_call = texture_host_is_word(host, at, "cudaCreateTextureObject") &&
                 texture_host_kind_at(host, at + 1) == CX_TOK_LPAREN;
  const CxDecl *function = is_call ? cx_function_at(host->unit, at) : NULL;
  if (!function)
    return false;
  CxTokens rest = {at + 2, cx_behind_brackets(cx, at + 1) - 1}, part[3];
  for (int i = 0; i < 3; i++)
    if (!cx_split_argument(cx, &rest, &part[i]))
      return false;
  Described described = {0};
  read_before(host, last_name(host, part[2]), function->u.function.body.begin,
              at, &described);
  *out = (Created){at, last_name(host, part[0]), described.sampling};
  if (described.is_fraction)
    out->sampling.unit = unit_before(host, at);
  return true;
}

static void find_created(CuContext *cu, const Host *host, CreatedVec *out) {
  Created created;
  for (uint32_t at = 0; at + 1 < host->count; at++)
    if (read_create(host, at, &created))
      VEC_PUSH(cu->arena, out, created);
}

// What a launch of the kernel passes as its parameter; "": not known.
static const char *passed_name(const Host *host, const CuFunction *kernel,
                               const CuTexture *texture, uint32_t *at) {
  const CxDeclList *params = &kernel->decl->type->u.function.params;
  for (uint32_t i = 0; i < host->unit->n_launches; i++) {
    const CxLaunch *launch = &host->unit->launches[i];
    const CxName *name = launch->kernel;
    if (!name || launch->has_pointers ||
        name->parts[name->n_parts - 1].name != kernel->decl->name)
      continue;
    CxTokens rest = launch->args, part;
    for (uint32_t k = 0; k < params->count; k++) {
      if (!cx_split_argument(host->unit->parser, &rest, &part))
        break;
      *at = launch->at;
      if (params->data[k] == texture->written)
        return last_name(host, part);
    }
  }
  return "";
}

static const Created *created_as(const CreatedVec *all, const char *name) {
  const Created *found = NULL;
  for (uint32_t i = 0; i < all->count && name[0]; i++)
    if (strcmp(all->data[i].target, name) == 0)
      found = &all->data[i];
  return found;
}

static bool texture_host_is_same(const CuSampling *a, const CuSampling *b) {
  return memcmp(a->address, b->address, sizeof a->address) == 0 &&
         a->is_linear == b->is_linear && a->is_normalized == b->is_normalized &&
         a->unit == b->unit;
}

static CuSampling of_object(CuContext *cu, const Host *host,
                            const CuFunction *kernel,
                            const CuTexture *texture) {
  CreatedVec all = {0};
  uint32_t at = 0;
  find_created(cu, host, &all);
  const char *passed = passed_name(host, kernel, texture, &at);
  const Created *found = created_as(&all, passed);
  if (!found)
    found = created_as(&all, texture->key ? texture->key->name : "");
  for (uint32_t i = 1; i < all.count && !found; i++)
    if (!texture_host_is_same(&all.data[0].sampling, &all.data[i].sampling))
      return (CuSampling){0};
  if (!found && all.count)
    found = &all.data[0];
  return found ? found->sampling : (CuSampling){0};
}

// ---------------------------------------------------------------- references

// The texels of `texture<uchar4, 2, cudaReadModeNormalizedFloat>`.
static int unit_of_class(const CuType *type) {
  const CuRecord *record = cu_plain(type)->u.record;
  if (record->n_args < 3 || record->args[2].value.i != 1)
    return 0;
  type = cu_plain(record->args[0].type);
  if (cu_is(type, CU_RECORD) && type->u.record->fields.count)
    type = cu_plain(type->u.record->fields.data[0].type);
  return (cu_bits(type) == 16 ? 3 : 1) + cu_is_signed(type);
}

// texture<…> t(normalized, filter, address)
static void read_arguments(const Host *host, uint32_t at, Described *out) {
  if (texture_host_kind_at(host, at + 1) != CX_TOK_LPAREN)
    return;
  uint32_t end = cx_behind_brackets(host->unit->parser, at + 1);
  for (uint32_t k = at + 2; k < end; k++) {
    int filter = filter_at(host, k), address = texture_host_address_at(host, k);
    if (filter >= 0)
      out->sampling.is_linear = filter != 0;
    for (int i = 0; i < 3 && address >= 0; i++)
      out->sampling.address[i] = (uint32_t)address;
    if (k == at + 2)
      out->sampling.is_normalized = flag_at(host, k) == 1;
  }
}

static CuSampling of_reference(const Host *host, const CuTexture *texture) {
  Described described = {0};
  for (uint32_t at = host->count; at > 0; at--) {
    if (!texture_host_is_word(host, at - 1, texture->decl->name))
      continue;
    if (has_member(host, at - 1))
      read_member(host, at + 1, &described);
    else if (host->tokens[at - 1].begin == texture->decl->name_span.begin)
      read_arguments(host, at - 1, &described);
  }
  described.sampling.unit = unit_of_class(texture->type);
  return described.sampling;
}

CuSampling cu_texture_sampling(CuContext *cu, const CuFunction *kernel,
                               const CuTexture *texture) {
  const CxParser *cx = cu->tree->parser;
  const Host host = {cu->tree, cx->lexed.tokens.data, cx->lexed.n_main};
  bool is_reference =
      texture->decl && cu_plain(texture->type)->u.record->n_args > 0;
  return is_reference ? of_reference(&host, texture)
                      : of_object(cu, &host, kernel, texture);
}
