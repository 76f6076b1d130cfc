// SPDX-License-Identifier: Apache-2.0
// The sums of tensor cores (src/interp/tensor_sum.h) beside those of a GPU, bit
// by bit, for each instruction and each pair of types. A line a form: dot
// products, how many differ, and the first one that does, in hex.
//
//   gpu_sums [TILES [SEED]]     on the first GPU; a tile has 512 dot products
//   gpu_sums --list TILES SEED  without one: operands and what the model gives
//   gpu_sums --ptx FORM         the text that runs
//
// An instruction takes 8 words of each row of A and each column of B, whatever
// the types are. A tile is 64 rows and 8 columns: a wgmma, or an mma.sync of
// each of four warps.
#include "base/arena.h"
#include "interp/eval.h"
#include "interp/tensor_sum.h"
#include "rt/cuda/cuda_driver.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 64, COLUMNS = 8, WORDS = 8, USUAL_TILES = 2048 };

typedef struct {
  const char *name, *types;
  TensorForm form;
} Form;

#define WGMMA(a, b, c, x, y, z)                                                \
  {                                                                            \
    "wgmma " z " " x " " y, z "." x "." y, {                                   \
      true, IR_TYPE_##a, IR_TYPE_##b, IR_TYPE_##c                              \
    }                                                                          \
  }
#define MMA(a, b, c, x, y, z)                                                  \
  {                                                                            \
    "mma.sync " z " " x " " y, z "." x "." y "." z, {                          \
      false, IR_TYPE_##a, IR_TYPE_##b, IR_TYPE_##c                             \
    }                                                                          \
  }
#define FORMS(F)                                                               \
  F(F16, F16, F32, "f16", "f16", "f32"),                                       \
      F(BF16, BF16, F32, "bf16", "bf16", "f32"),                               \
      F(F16, F16, F16, "f16", "f16", "f16"),                                   \
      F(TF32, TF32, F32, "tf32", "tf32", "f32"),                               \
      F(E4M3, E4M3, F32, "e4m3", "e4m3", "f32"),                               \
      F(E4M3, E5M2, F32, "e4m3", "e5m2", "f32"),                               \
      F(E5M2, E4M3, F32, "e5m2", "e4m3", "f32"),                               \
      F(E5M2, E5M2, F32, "e5m2", "e5m2", "f32"),                               \
      F(E4M3, E4M3, F16, "e4m3", "e4m3", "f16"),                               \
      F(E5M2, E5M2, F16, "e5m2", "e5m2", "f16")

static const Form forms[] = {FORMS(MMA), FORMS(WGMMA)};

enum { N_FORMS = sizeof forms / sizeof *forms };

// ---------------------------------------------------------------- operands

typedef struct {
  uint32_t a[ROWS][WORDS], b[COLUMNS][WORDS];
  uint32_t c[ROWS][COLUMNS], d[ROWS][COLUMNS];
} Tile;

static uint64_t sums_random(uint64_t *state) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

static int fraction_bits(IrTypeKind kind) {
  switch ((int)kind) {
  case IR_TYPE_F32: return 23;
  case IR_TYPE_TF32: return 23; // of the register
  case IR_TYPE_F16: return 10;
  case IR_TYPE_BF16: return 7;
  case IR_TYPE_E4M3: return 3;
  default: return 2;
  }
}

static int bits_of(IrTypeKind kind) {
  return kind == IR_TYPE_E4M3 || kind == IR_TYPE_E5M2  ? 8
         : kind == IR_TYPE_F16 || kind == IR_TYPE_BF16 ? 16
                                                       : 32;
}

typedef enum {
  ANY_FINITE,
  NEAR,       // exponents about one
  CANCELLING, // products in pairs, nearly opposite
  SMALLEST,   // and zeros, among them subnormals
  ZEROS,      // half of them, of both signs
  FAR,        // some exponents, far from each other
  LARGEST,
  SPECIAL,
  N_KINDS
} Kind;

// The bits of a number: `middle` is a field of an exponent.
static uint32_t number_bits(IrTypeKind type, Kind kind, uint32_t middle,
                            uint64_t *state) {
  int f = fraction_bits(type), n = bits_of(type);
  uint64_t random = sums_random(state);
  uint32_t most = (1u << (n - 1 - f)) - 1, exponent = (uint32_t)(random >> 40);
  uint32_t last = type == IR_TYPE_E4M3 ? most : most - 1; // of finite numbers
  uint32_t fraction = (uint32_t)random & ((1u << f) - 1);
  switch (kind) {
  case ANY_FINITE:
  case CANCELLING:
  case N_KINDS: exponent %= last * 3 / 4 + 1; break;
  case NEAR: exponent = middle + exponent % 7; break;
  case SMALLEST: exponent %= 3; break;
  case LARGEST: exponent = last - exponent % 3; break;
  case ZEROS: exponent = middle + exponent % 3; break;
  case FAR: exponent = middle / 2 + exponent % 3 * (last / 4); break;
  case SPECIAL: exponent = exponent % 16 ? middle : most; break;
  }
  if (exponent > last && kind != SPECIAL)
    exponent = last;
  if (random >> 20 & 1) // of few bits
    fraction &= 0x5555u << (f > 3 ? f - 3 : 0);
  if ((kind == ZEROS && random >> 21 & 1) || (random >> 22 & 31) == 0)
    exponent = fraction = 0;
  if (type == IR_TYPE_E4M3 && exponent == most && fraction == 7 &&
      kind != SPECIAL)
    fraction = 6;
  return (uint32_t)(random >> 63) << (n - 1) | exponent << f | fraction;
}

static void number_put(uint32_t *words, IrTypeKind type, uint32_t k,
                       uint32_t bits) {
  uint32_t n = (uint32_t)bits_of(type), in_word = 32 / n;
  uint32_t mask = n == 32 ? UINT32_MAX : (1u << n) - 1, at = k % in_word * n;
  uint32_t *word = &words[k / in_word];
  *word = (*word & ~(mask << at)) | (bits & mask) << at;
}

static uint32_t number_get(const uint32_t *words, IrTypeKind type, uint32_t k) {
  uint32_t n = (uint32_t)bits_of(type), in_word = 32 / n;
  uint32_t mask = n == 32 ? UINT32_MAX : (1u << n) - 1;
  return words[k / in_word] >> k % in_word * n & mask;
}

// Each second number is the one before: with another sign and perhaps the last
// bit, if `is_turned`.
static void fill_row(uint32_t *words, IrTypeKind type, uint32_t depth,
                     Kind kind, bool is_turned, uint64_t *state) {
  int f = fraction_bits(type), n = bits_of(type);
  uint32_t before = 0, middle = (uint32_t)sums_random(state);
  middle %= (1u << (n - 1 - f)) - 1;
  for (uint32_t k = 0; k < depth; k++) {
    uint32_t bits = number_bits(type, kind, middle, state);
    if (kind == CANCELLING && k % 2 == 1) {
      bits = before;
      if (is_turned)
        bits ^= 1u << (n - 1) | (uint32_t)(sums_random(state) >> 63);
    }
    if (type == IR_TYPE_E4M3 && (bits & 127) == 127 && kind != SPECIAL)
      bits ^= 1;
    before = bits;
    number_put(words, type, k, bits);
  }
}

// What C is where it is to cancel: minus a product, and some bits.
static uint32_t opposite(const Form *form, const Tile *tile, uint32_t row,
                         uint32_t column, uint64_t *state) {
  const TensorForm *f = &form->form;
  uint64_t random = sums_random(state);
  uint32_t k = (uint32_t)random % tensor_depth(f);
  double a = eval_to_double(f->a, number_get(tile->a[row], f->a, k));
  double b = eval_to_double(f->b, number_get(tile->b[column], f->b, k));
  uint32_t bits = (uint32_t)eval_from_double(f->sum, -a * b);
  return bits ^ (random >> 32 & 3 ? (uint32_t)(random >> 40) & 15 : 0);
}

static void fill_tile(const Form *form, Tile *tile, uint64_t *state) {
  const TensorForm *f = &form->form;
  uint32_t depth = tensor_depth(f);
  uint64_t drawn = sums_random(state);
  Kind kind = (Kind)(drawn % N_KINDS), of_c;
  if (kind >= LARGEST && drawn >> 32 & 3) // mostly sums are finite
    kind = CANCELLING;
  of_c = kind;
  for (uint32_t i = 0; i < ROWS; i++)
    fill_row(tile->a[i], f->a, depth, kind, true, state);
  for (uint32_t i = 0; i < COLUMNS; i++)
    fill_row(tile->b[i], f->b, depth, kind, false, state);
  if (sums_random(state) % 2)
    of_c = (Kind)(sums_random(state) % SPECIAL);
  for (uint32_t i = 0; i < ROWS; i++)
    for (uint32_t j = 0; j < COLUMNS; j++) {
      uint64_t random = sums_random(state);
      uint32_t middle =
          (uint32_t)(random >> 33) %
          ((1u << (bits_of(f->sum) - 1 - fraction_bits(f->sum))) - 1);
      tile->c[i][j] = random % 4 == 0
                          ? opposite(form, tile, i, j, state)
                          : number_bits(f->sum, of_c, middle, state);
      if (random % 16 == 1)
        tile->c[i][j] = 0;
    }
}

// ------------------------------------------------------------------- model

static uint32_t model_of(const Form *form, const Tile *tile, uint32_t row,
                         uint32_t column) {
  const TensorForm *f = &form->form;
  uint32_t depth = tensor_depth(f);
  TensorNumber a[TENSOR_MOST_DEPTH], b[TENSOR_MOST_DEPTH];
  for (uint32_t k = 0; k < depth; k++) {
    a[k] = tensor_number(f, 0, number_get(tile->a[row], f->a, k));
    b[k] = tensor_number(f, 1, number_get(tile->b[column], f->b, k));
  }
  return tensor_sum(f, a, b, depth, tile->c[row][column]);
}

static void print_words(const uint32_t *words, IrTypeKind type,
                        uint32_t depth) {
  for (uint32_t k = 0; k < depth; k++)
    printf("%s%x", k ? "," : "", number_get(words, type, k));
}

static void print_dot(const Form *form, const Tile *tile, uint32_t row,
                      uint32_t column) {
  uint32_t depth = tensor_depth(&form->form);
  print_words(tile->a[row], form->form.a, depth);
  printf(" ");
  print_words(tile->b[column], form->form.b, depth);
  printf(" %x", tile->c[row][column]);
}

static int list_all(uint32_t n_tiles, uint64_t seed) {
  Tile tile = {0};
  for (int i = 0; i < N_FORMS; i++)
    for (uint32_t k = 0; k < n_tiles; k++) {
      fill_tile(&forms[i], &tile, &seed);
      for (uint32_t at = 0; at < ROWS * COLUMNS; at += 1 + at % 7) {
        uint32_t row = at / COLUMNS, column = at % COLUMNS;
        printf("%s ", forms[i].name);
        print_dot(&forms[i], &tile, row, column);
        printf(" %x\n", model_of(&forms[i], &tile, row, column));
      }
    }
  return 0;
}

// --------------------------------------------------------------------- PTX

static const char head[] =
    ".version 8.7\n.target sm_90a\n.address_size 64\n"
    ".visible .entry k(.param .u64 at)\n.maxntid 128\n{\n"
    ".shared .align 128 .b32 s[64];\n"
    ".reg .b64 %t, %p, %q, %w, %e;\n.reg .pred %y;\n"
    ".reg .b32 %i, %x, %g, %c, %o, %a<4>, %b<2>, %d<4>;\n"
    ".reg .f32 %f<4>;\n"
    "ld.param.u64 %t, [at];\nmov.u32 %x, %tid.x;\n"
    "mov.u32 %i, %ctaid.x;\nmad.wide.u32 %t, %i, 6400, %t;\n"
    // g = row in the warp, c = column of words; w = row of the tile
    "shr.u32 %o, %x, 5;\nshl.b32 %o, %o, 4;\nand.b32 %g, %x, 31;\n"
    "shr.u32 %g, %g, 2;\nand.b32 %c, %x, 3;\nadd.u32 %o, %o, %g;\n"
    "mad.wide.u32 %p, %o, 32, %t;\nmul.wide.u32 %w, %c, 4;\n"
    "add.u64 %p, %p, %w;\n"
    "ld.global.b32 %a0, [%p];\nld.global.b32 %a1, [%p+256];\n"
    "ld.global.b32 %a2, [%p+16];\nld.global.b32 %a3, [%p+272];\n"
    "mad.wide.u32 %q, %g, 32, %t;\nadd.u64 %q, %q, %w;\n"
    "ld.global.b32 %b0, [%q+2048];\nld.global.b32 %b1, [%q+2064];\n"
    // B as rows of 16 bytes, 8 of them a matrix
    "setp.lt.u32 %y, %x, 32;\nmov.u32 %i, s;\n"
    "mad.lo.u32 %i, %g, 16, %i;\nmad.lo.u32 %i, %c, 4, %i;\n"
    "@%y st.shared.b32 [%i], %b0;\n@%y st.shared.b32 [%i+128], %b1;\n"
    "fence.proxy.async.shared::cta;\nbar.sync 0;\n"
    "mad.wide.u32 %p, %o, 32, %t;\nadd.u64 %p, %p, %w;\nadd.u64 %p, %p, %w;\n"
    "ld.global.b32 %d0, [%p+2304];\nld.global.b32 %d1, [%p+2308];\n"
    "ld.global.b32 %d2, [%p+2560];\nld.global.b32 %d3, [%p+2564];\n"
    "mov.u32 %i, s;\nshr.u32 %i, %i, 4;\ncvt.u64.u32 %e, %i;\n"
    "or.b64 %e, %e, 0x800080000;\n";

static const char tail[] =
    "st.global.b32 [%p+4352], %d0;\nst.global.b32 [%p+4356], %d1;\n"
    "st.global.b32 [%p+4608], %d2;\nst.global.b32 [%p+4612], %d3;\nret;\n}\n";

_Static_assert(sizeof(Tile) == 6400 && offsetof(Tile, b) == 2048 &&
                   offsetof(Tile, c) == 2304 && offsetof(Tile, d) == 4352,
               "as the text has it");

static const char pack[] =
    "prmt.b32 %d0, %d0, %d1, 0x5410;\nprmt.b32 %d1, %d2, %d3, 0x5410;\n";
static const char unpack[] =
    "shr.u32 %d3, %d1, 16;\nand.b32 %d2, %d1, 0xffff;\n"
    "shr.u32 %d1, %d0, 16;\nand.b32 %d0, %d0, 0xffff;\n";

static const char *ptx_of(Arena *arena, const Form *form) {
  bool is_short = form->form.sum == IR_TYPE_F16;
  Text text = {.arena = arena};
  uint32_t depth = tensor_depth(&form->form);
  const char *sums = is_short ? "{%d0,%d1}" : "{%f0,%f1,%f2,%f3}";
  text_add(&text, head);
  if (is_short)
    text_add(&text, pack);
  for (int i = 0; i < 4 && !is_short; i++)
    text_printf(&text, "mov.b32 %%f%d, %%d%d;\n", i, i);
  if (form->form.is_wgmma) {
    bool has_turns =
        form->form.a == IR_TYPE_F16 || form->form.a == IR_TYPE_BF16;
    text_printf(&text,
                "setp.eq.u32 %%y, 0, 0;\nwgmma.fence.sync.aligned;\n"
                "wgmma.mma_async.sync.aligned.m64n8k%u.%s %s, "
                "{%%a0,%%a1,%%a2,%%a3}, %%e, %%y, 1, 1%s;\n"
                "wgmma.commit_group.sync.aligned;\n"
                "wgmma.wait_group.sync.aligned 0;\n",
                depth, form->types, sums, has_turns ? ", 0" : "");
  } else {
    text_printf(&text,
                "mma.sync.aligned.m16n8k%u.row.col.%s %s, "
                "{%%a0,%%a1,%%a2,%%a3}, {%%b0,%%b1}, %s;\n",
                depth, form->types, sums, sums);
  }
  for (int i = 0; i < 4 && !is_short; i++)
    text_printf(&text, "mov.b32 %%d%d, %%f%d;\n", i, i);
  if (is_short)
    text_add(&text, unpack);
  text_add(&text, tail);
  return text_cstr(&text);
}

// --------------------------------------------------------------------- GPU

typedef struct {
  CudaApi api;
  CuStream stream;
  CuPointer memory;
  uint32_t n_tiles;
  Tile *tiles;
} Gpu;

static void need(const Gpu *gpu, int code, const char *what) {
  if (code == CU_OK)
    return;
  fprintf(stderr, "%s: %s\n", what, cuda_error_text(&gpu->api, code).text);
  exit(2);
}

static void gpu_open(Gpu *gpu) {
  RtError error = {0};
  CuContext context;
  CuDeviceId device;
  char name[256];
  int major = 0;
  if (cuda_api_open(&gpu->api, &error) != HD_OK) {
    fprintf(stderr, "no GPU: %s\n", error.text);
    exit(77);
  }
  need(gpu, gpu->api.device_get(&device, 0), "device");
  need(gpu, gpu->api.device_attribute(&major, 75, device), "device");
  need(gpu, gpu->api.device_name(name, sizeof name, device), "device");
  printf("%s, CUDA %d.%d\n", name, gpu->api.version / 1000,
         gpu->api.version % 1000 / 10);
  if (major != 9) {
    fprintf(stderr, "not of sm_90\n");
    exit(77);
  }
  need(gpu, gpu->api.primary_retain(&context, device), "context");
  need(gpu, gpu->api.context_set(context), "context");
  need(gpu, gpu->api.stream_create(&gpu->stream, 1), "stream");
  need(gpu, gpu->api.memory_alloc(&gpu->memory, gpu->n_tiles * sizeof(Tile)),
       "memory");
}

static void gpu_run(Gpu *gpu, const Form *form) {
  Arena *arena = arena_new();
  CuModule module;
  CuFunction function;
  size_t size = gpu->n_tiles * sizeof(Tile);
  need(gpu, gpu->api.module_load(&module, ptx_of(arena, form)), form->name);
  need(gpu, gpu->api.module_function(&function, module, "k"), form->name);
  need(gpu, gpu->api.copy_to(gpu->memory, gpu->tiles, size, gpu->stream),
       "copy");
  CuLaunchConfig config = {.grid = {gpu->n_tiles, 1, 1},
                           .block = {128, 1, 1},
                           .stream = gpu->stream};
  void *parameters[] = {&gpu->memory};
  need(gpu, gpu->api.launch(&config, function, parameters, NULL), "launch");
  need(gpu, gpu->api.copy_from(gpu->tiles, gpu->memory, size, gpu->stream),
       "copy");
  need(gpu, gpu->api.stream_synchronize(gpu->stream), form->name);
  need(gpu, gpu->api.module_unload(module), "unload");
  arena_free(arena);
}

static bool gpu_compare(const Gpu *gpu, const Form *form) {
  uint64_t n_differ = 0, first = 0;
  uint64_t n = (uint64_t)gpu->n_tiles * ROWS * COLUMNS;
  for (uint64_t i = 0; i < n; i++) {
    const Tile *tile = &gpu->tiles[i / (ROWS * COLUMNS)];
    uint32_t row = i / COLUMNS % ROWS, column = i % COLUMNS;
    if (tile->d[row][column] != model_of(form, tile, row, column) &&
        n_differ++ == 0)
      first = i;
  }
  printf("%-24s %10" PRIu64 " dot products, %" PRIu64 " differ\n", form->name,
         n, n_differ);
  if (n_differ) {
    const Tile *tile = &gpu->tiles[first / (ROWS * COLUMNS)];
    uint32_t row = first / COLUMNS % ROWS, column = first % COLUMNS;
    printf("  first: ");
    print_dot(form, tile, row, column);
    printf(" is %x, the model gives %x\n", tile->d[row][column],
           model_of(form, tile, row, column));
  }
  fflush(stdout);
  return n_differ == 0;
}

static int compare_all(uint32_t n_tiles, uint64_t seed) {
  Gpu gpu = {.n_tiles = n_tiles, .tiles = calloc(n_tiles, sizeof(Tile))};
  bool is_good = gpu.tiles != NULL;
  gpu_open(&gpu);
  for (int i = 0; i < N_FORMS && gpu.tiles; i++) {
    for (uint32_t k = 0; k < n_tiles; k++)
      fill_tile(&forms[i], &gpu.tiles[k], &seed);
    gpu_run(&gpu, &forms[i]);
    is_good &= gpu_compare(&gpu, &forms[i]);
  }
  free(gpu.tiles);
  return is_good ? 0 : 1;
}

static int print_text(const char *name) {
  for (int i = 0; i < N_FORMS; i++)
    if (strcmp(forms[i].name, name) == 0) {
      Arena *arena = arena_new();
      fputs(ptx_of(arena, &forms[i]), stdout);
      arena_free(arena);
      return 0;
    }
  for (int i = 0; i < N_FORMS; i++)
    fprintf(stderr, "%s\n", forms[i].name);
  return 2;
}

int main(int argc, char **argv) {
  if (argc == 3 && strcmp(argv[1], "--ptx") == 0)
    return print_text(argv[2]);
  bool is_list = argc == 4 && strcmp(argv[1], "--list") == 0;
  const char *const *rest = (const char *const *)argv + 1 + is_list;
  uint32_t n = USUAL_TILES;
  if (argc > 1 + is_list)
    n = (uint32_t)strtoul(rest[0], NULL, 10);
  uint64_t seed = argc > 2 + is_list ? strtoull(rest[1], NULL, 10) : 1;
  if (n == 0 || n > 1 << 18 || argc > 3 + is_list) {
    fprintf(stderr, "usage: gpu_sums [--list | --ptx FORM] [TILES [SEED]]\n");
    return 2;
  }
  return is_list ? list_all(n, seed) : compare_all(n, seed);
}
