// SPDX-License-Identifier: Apache-2.0
// Textures and surfaces.
//
// Note [Textures]
// An object of type cudaTextureObject_t is a number in CUDA: what it reads is
// only said where it is read, tex2D<float4>(t, x, y). In the output it is a
// struct of heddle_texture.h, a pointer to texels with their number along each
// axis, and reads are ordinary reads of an array. The kernel gets this array as
// a parameter of the texture's name, `const float4 t[t_height][t_width]`, and
// puts the struct together at its start. So element and extents of the array
// are known when the body has been translated: which functions the texture, or
// what it was copied to, was given to (cu_texture_use). Variables, parameters
// and members that get each other's values form one group (cu_texture_flow).
//
// How a texture is sampled are constexpr parameters, t_linear and the like, by
// default what the file's host code says (cu_texture_host.c). A texture
// reference of the file, `texture<float, 2> t;`, is treated as if it was a
// parameter of each kernel that uses it.
#ifndef HD_CUDA_FORM_CU_TEXTURE_H
#define HD_CUDA_FORM_CU_TEXTURE_H

#include "cuda/form/cu_value.h"

// Values that are one texture, or several of one kind.
typedef struct CuTextureGroup {
  struct CuTextureGroup *parent; // that it became part of; or NULL
  const CuType *element;         // that is read; NULL: nothing was yet
  const char *extents;           // "dhw": __heddle_texture of the function
  Span span;                     // of the last use
  bool is_sampled;               // by coordinates that aren't plain indices
  bool is_known;                 // holds a texture of a kernel
} CuTextureGroup;

// How the host set a texture up, by the numbers that CUDA's enumerations have.
typedef struct {
  uint32_t address[3];
  bool is_linear, is_normalized;
  // Texels that are integers and read as fractions: 1 unsigned char, 2 signed
  // char, 3 unsigned short, 4 short; 0: as they are.
  int unit;
} CuSampling;

// A texture or surface of the kernel that is being translated.
typedef struct CuTexture {
  const char *name;
  const CuType *type;
  CxDecl *decl;          // of the file; or NULL
  const CxDecl *written; // the kernel's parameter, of which it may be a member
  const CxDecl *key;     // the declaration of that member; or the parameter
  CuTextureGroup *group;
  CuVariable *variable; // the struct
  Expr *init;           // its initialiser: filled in at the end
  CuVariable *data, *sizes[3];
  Span span;
} CuTexture;

// A class of textures or surfaces, const or not.
bool cu_is_texture(const CuType *type);
// A name for what belongs to a texture, `t_width`; the source's parameters keep
// theirs.
const char *cu_texture_name(CuContext *cu, const char *texture,
                            const char *word);
// `name` of the kernel's parameters, or of one of its members, whose
// declaration is `key`: adds its parameters, gives its initialiser.
Expr *cu_texture_parameter(CuContext *cu, CuDeclVec *out, const CuType *type,
                           const char *name, CuVariable *variable,
                           const CxDecl *key, const CxDecl *written);
// The variable in the kernel for a texture of the file; NULL: an error was
// reported.
CuVariable *cu_texture_of_file(CuContext *cu, CxDecl *decl, const CuType *type);
// Does so for all that the file declares.
void cu_find_file_textures(CuContext *cu);
// What such a variable of an earlier kernel is in this one; NULL: it is none.
CuVariable *cu_texture_again(CuContext *cu, const CuVariable *earlier);
// When the body is there: what the parameters are. Adds those of references and
// of sampling, too.
void cu_finish_textures(CuContext *cu, const CuFunction *kernel,
                        CuDeclVec *params);

// --- what is found out on the way ---
// A call of a function that reads or writes a texture.
void cu_texture_use(CuContext *cu, const CuFunction *function, CuValues args,
                    Span span);
// `key` (a CuVariable, CuParam or CxDecl of a member) gets the value; nothing
// happens to values of other types.
void cu_texture_flow(CuContext *cu, const CuValue *value, const void *key);
void cu_texture_same(CuContext *cu, const void *a, const void *b);
// Either may have the other's value, which `made`, or NULL, is as well.
void cu_texture_meet(CuContext *cu, const CuValue *a, const CuValue *b,
                     const Expr *made);
// The expression names `key`, a texture or an array of some; is an element of
// it.
void cu_texture_place(CuContext *cu, const CuType *type, const Expr *expr,
                      const void *key);
void cu_texture_element(CuContext *cu, const CuValue *array,
                        const CuValue *element);

// --- host code (cu_texture_host.c) ---
// It makes textures with several levels.
bool cu_has_mipmaps(const CuContext *cu);
// How the texture `name` of a kernel is set up.
CuSampling cu_texture_sampling(CuContext *cu, const CuFunction *kernel,
                               const CuTexture *texture);

#endif
