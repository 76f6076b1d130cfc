// SPDX-License-Identifier: Apache-2.0
// Textures and surfaces as arrays of texels. This text stands in front of .cu
// files that speak of one; it holds no directives. A kernel's texture is made of
// its parameters: __heddle_texture("hw") names the extents of the array that a
// function reads, h rows of w texels, its first template argument their type
// (src/cuda/translate/cu_texture.c). Filters are those of the CUDA C++ programming
// guide, "Texture fetching", as NVIDIA's GPUs compute them.

enum cudaTextureAddressMode { cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder };
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };
enum { cudaTextureType1D = 1, cudaTextureType2D, cudaTextureType3D, cudaTextureTypeCubemap = 12, cudaTextureType1DLayered = 241, cudaTextureType2DLayered, cudaTextureTypeCubemapLayered = 252 };
enum { cudaSurfaceType1D = 1, cudaSurfaceType2D, cudaSurfaceType3D, cudaSurfaceTypeCubemap = 12, cudaSurfaceType1DLayered = 241, cudaSurfaceType2DLayered, cudaSurfaceTypeCubemapLayered = 252 };

// `width` texels in a row, `height` rows, `depth` slices or layers. `unit`: the
// texels are integers that are read as fractions of their largest: 1 unsigned
// char, 2 signed char, 3 unsigned short, 4 short.
struct __heddle_view("texture") cudaTextureObject_t {
  const void *data;
  int width, height, depth;
  int address_x, address_y, address_z;
  bool is_linear, is_normalized;
  int unit;
  cudaTextureObject_t() : data(nullptr), width(0), height(0), depth(0), address_x(0), address_y(0), address_z(0), is_linear(false), is_normalized(false), unit(0) {}
  cudaTextureObject_t(unsigned long long) __heddle_unsupported("a texture object made of a number; pass it as a parameter");
};
struct __heddle_view("surface") cudaSurfaceObject_t {
  void *data;
  int width, height, depth;
  cudaSurfaceObject_t() : data(nullptr), width(0), height(0), depth(0) {}
  cudaSurfaceObject_t(unsigned long long) __heddle_unsupported("a surface object made of a number; pass it as a parameter");
};
typedef cudaTextureObject_t CUtexObject;
typedef cudaSurfaceObject_t CUsurfObject;

namespace __hd {
// --- coordinates ---
// The place in texels of a coordinate along an axis of n texels.
__device__ float texture_place(float x, int n, int address, bool is_normalized) {
  if (is_normalized) {
    float whole = floorf(x);
    if (address == 0)
      x = x - whole;
    else if (address == 2)
      x = whole * 0.5f == floorf(whole * 0.5f) ? x - whole : 1.0f - (x - whole);
    x = x * (float)n;
  }
  return fminf(fmaxf(x, -1.0f), (float)n + 1.0f);
}
// Number i, or the one that stands for it outside of 0 to n - 1; of a border i.
__device__ int texture_index(int i, int n, int address, bool is_normalized) {
  if (address == 3)
    return i;
  if (address == 0 && is_normalized)
    return i < 0 ? i + n : i >= n ? i - n : i;
  return min(max(i, 0), n - 1);
}
// Beside which texels a place lies, and how near to the second one, in 1/256.
struct texture_step {
  int first, second;
  float weight;
};
__device__ texture_step texture_linear(float x, int n, int address, bool is_normalized) {
  float fixed = floorf((texture_place(x, n, address, is_normalized) - 0.5f) * 256.0f + 0.5f);
  float at = floorf(fixed * 0.00390625f);
  texture_step s;
  s.first = texture_index((int)at, n, address, is_normalized);
  s.second = texture_index((int)at + 1, n, address, is_normalized);
  s.weight = fixed * 0.00390625f - at;
  return s;
}
__device__ int texture_point(float x, int n, int address, bool is_normalized) {
  return texture_index((int)floorf(texture_place(x, n, address, is_normalized)), n, address, is_normalized);
}

// --- texels ---
// Outside of the array: zero.
template <class T> __device__ T texture_texel(cudaTextureObject_t t, int x, int y, int z) {
  if (x < 0 || x >= t.width || y < 0 || y >= t.height || z < 0 || z >= t.depth)
    return T();
  return ((const T *)t.data)[((long)z * t.height + y) * t.width + x];
}
template <class T> struct texture_unit {
  static const bool is_float = false;
};
template <> struct texture_unit<float> {
  static const bool is_float = true;
  typedef unsigned char u8;
  typedef signed char s8;
  typedef unsigned short u16;
  typedef short s16;
};
template <> struct texture_unit<float2> {
  static const bool is_float = true;
  typedef uchar2 u8;
  typedef char2 s8;
  typedef ushort2 u16;
  typedef short2 s16;
};
template <> struct texture_unit<float4> {
  static const bool is_float = true;
  typedef uchar4 u8;
  typedef char4 s8;
  typedef ushort4 u16;
  typedef short4 s16;
};
__device__ float texture_scale(unsigned char x) { return x / 255.0f; }
__device__ float texture_scale(signed char x) { return fmaxf(x / 127.0f, -1.0f); }
__device__ float texture_scale(char x) { return fmaxf(x / 127.0f, -1.0f); }
__device__ float texture_scale(unsigned short x) { return x / 65535.0f; }
__device__ float texture_scale(short x) { return fmaxf(x / 32767.0f, -1.0f); }
__device__ float2 texture_scale(uchar2 v) { return make_float2(texture_scale(v.x), texture_scale(v.y)); }
__device__ float2 texture_scale(char2 v) { return make_float2(texture_scale(v.x), texture_scale(v.y)); }
__device__ float2 texture_scale(ushort2 v) { return make_float2(texture_scale(v.x), texture_scale(v.y)); }
__device__ float2 texture_scale(short2 v) { return make_float2(texture_scale(v.x), texture_scale(v.y)); }
__device__ float4 texture_scale(uchar4 v) { return make_float4(texture_scale(v.x), texture_scale(v.y), texture_scale(v.z), texture_scale(v.w)); }
__device__ float4 texture_scale(char4 v) { return make_float4(texture_scale(v.x), texture_scale(v.y), texture_scale(v.z), texture_scale(v.w)); }
__device__ float4 texture_scale(ushort4 v) { return make_float4(texture_scale(v.x), texture_scale(v.y), texture_scale(v.z), texture_scale(v.w)); }
__device__ float4 texture_scale(short4 v) { return make_float4(texture_scale(v.x), texture_scale(v.y), texture_scale(v.z), texture_scale(v.w)); }
template <class T> __device__ T texture_read(cudaTextureObject_t t, int x, int y, int z) {
  if constexpr (texture_unit<T>::is_float) {
    if (t.unit == 1)
      return texture_scale(texture_texel<typename texture_unit<T>::u8>(t, x, y, z));
    if (t.unit == 2)
      return texture_scale(texture_texel<typename texture_unit<T>::s8>(t, x, y, z));
    if (t.unit == 3)
      return texture_scale(texture_texel<typename texture_unit<T>::u16>(t, x, y, z));
    if (t.unit == 4)
      return texture_scale(texture_texel<typename texture_unit<T>::s16>(t, x, y, z));
  }
  return texture_texel<T>(t, x, y, z);
}

// --- filters ---
__device__ float texture_mix(float a, float b, float w) { return (1.0f - w) * a + w * b; }
__device__ float2 texture_mix(float2 a, float2 b, float w) { return make_float2(texture_mix(a.x, b.x, w), texture_mix(a.y, b.y, w)); }
__device__ float4 texture_mix(float4 a, float4 b, float w) { return make_float4(texture_mix(a.x, b.x, w), texture_mix(a.y, b.y, w), texture_mix(a.z, b.z, w), texture_mix(a.w, b.w, w)); }
template <class T> __device__ T texture_1d(cudaTextureObject_t t, float x, int layer) {
  if constexpr (texture_unit<T>::is_float) {
    if (t.is_linear) {
      texture_step i = texture_linear(x, t.width, t.address_x, t.is_normalized);
      return texture_mix(texture_read<T>(t, i.first, 0, layer), texture_read<T>(t, i.second, 0, layer), i.weight);
    }
  }
  return texture_read<T>(t, texture_point(x, t.width, t.address_x, t.is_normalized), 0, layer);
}
template <class T> __device__ T texture_slice(cudaTextureObject_t t, texture_step i, texture_step j, int z) {
  T above = texture_mix(texture_read<T>(t, i.first, j.first, z), texture_read<T>(t, i.second, j.first, z), i.weight);
  T below = texture_mix(texture_read<T>(t, i.first, j.second, z), texture_read<T>(t, i.second, j.second, z), i.weight);
  return texture_mix(above, below, j.weight);
}
template <class T> __device__ T texture_2d(cudaTextureObject_t t, float x, float y, int layer) {
  if constexpr (texture_unit<T>::is_float) {
    if (t.is_linear) {
      texture_step i = texture_linear(x, t.width, t.address_x, t.is_normalized);
      texture_step j = texture_linear(y, t.height, t.address_y, t.is_normalized);
      return texture_slice<T>(t, i, j, layer);
    }
  }
  return texture_read<T>(t, texture_point(x, t.width, t.address_x, t.is_normalized), texture_point(y, t.height, t.address_y, t.is_normalized), layer);
}
template <class T> __device__ T texture_3d(cudaTextureObject_t t, float x, float y, float z) {
  if constexpr (texture_unit<T>::is_float) {
    if (t.is_linear) {
      texture_step i = texture_linear(x, t.width, t.address_x, t.is_normalized);
      texture_step j = texture_linear(y, t.height, t.address_y, t.is_normalized);
      texture_step k = texture_linear(z, t.depth, t.address_z, t.is_normalized);
      return texture_mix(texture_slice<T>(t, i, j, k.first), texture_slice<T>(t, i, j, k.second), k.weight);
    }
  }
  return texture_read<T>(t, texture_point(x, t.width, t.address_x, t.is_normalized), texture_point(y, t.height, t.address_y, t.is_normalized), texture_point(z, t.depth, t.address_z, t.is_normalized));
}
// Layers are clamped.
__device__ int texture_layer(int layer, int n) { return min(max(layer, 0), n - 1); }

// --- surfaces ---
// `bytes` is where the texel begins in its row.
__device__ int surface_index(int i, int n, cudaSurfaceBoundaryMode mode) { return mode == cudaBoundaryModeClamp ? min(max(i, 0), n - 1) : i; }
__device__ bool surface_has(cudaSurfaceObject_t s, int x, int y, int z, cudaSurfaceBoundaryMode mode) {
  bool is_inside = x >= 0 && x < s.width && y >= 0 && y < s.height && z >= 0 && z < s.depth;
  if (mode == cudaBoundaryModeTrap)
    assert(is_inside);
  return is_inside;
}
template <class T> __device__ T surface_read(cudaSurfaceObject_t s, int bytes, int y, int z, cudaSurfaceBoundaryMode mode) {
  int i = surface_index(bytes / (int)sizeof(T), s.width, mode), j = surface_index(y, s.height, mode), k = surface_index(z, s.depth, mode);
  if (!surface_has(s, i, j, k, mode))
    return T();
  return ((const T *)s.data)[((long)k * s.height + j) * s.width + i];
}
template <class T> __device__ void surface_write(T v, cudaSurfaceObject_t s, int bytes, int y, int z, cudaSurfaceBoundaryMode mode) {
  int i = surface_index(bytes / (int)sizeof(T), s.width, mode), j = surface_index(y, s.height, mode), k = surface_index(z, s.depth, mode);
  if (surface_has(s, i, j, k, mode))
    ((T *)s.data)[((long)k * s.height + j) * s.width + i] = v;
}

// --- what a reference with integers gives ---
template <class T> struct texture_fraction {};
template <> struct texture_fraction<unsigned char> { typedef float type; };
template <> struct texture_fraction<signed char> { typedef float type; };
template <> struct texture_fraction<char> { typedef float type; };
template <> struct texture_fraction<unsigned short> { typedef float type; };
template <> struct texture_fraction<short> { typedef float type; };
template <> struct texture_fraction<uchar2> { typedef float2 type; };
template <> struct texture_fraction<char2> { typedef float2 type; };
template <> struct texture_fraction<ushort2> { typedef float2 type; };
template <> struct texture_fraction<short2> { typedef float2 type; };
template <> struct texture_fraction<uchar4> { typedef float4 type; };
template <> struct texture_fraction<char4> { typedef float4 type; };
template <> struct texture_fraction<ushort4> { typedef float4 type; };
template <> struct texture_fraction<short4> { typedef float4 type; };
template <class T, cudaTextureReadMode M> struct texture_result { typedef T type; };
template <class T> struct texture_result<T, cudaReadModeNormalizedFloat> { typedef typename texture_fraction<T>::type type; };
}

// --- references ---
template <class T, int D = cudaTextureType1D, cudaTextureReadMode M = cudaReadModeElementType> struct __heddle_view("texture reference") texture : cudaTextureObject_t {};
template <class T, int D = cudaSurfaceType1D> struct __heddle_view("surface reference") surface : cudaSurfaceObject_t {};

// --- reads ---
// A texture has one level: others are clamped to it.
template <class T> __device__ __heddle_texture("w") T tex1Dfetch(cudaTextureObject_t t, int x) { return __hd::texture_read<T>(t, x, 0, 0); }
template <class T> __device__ __heddle_texture("w") void tex1Dfetch(T *out, cudaTextureObject_t t, int x) { *out = __hd::texture_read<T>(t, x, 0, 0); }
template <class T, cudaTextureReadMode M> __device__ __heddle_texture("w") typename __hd::texture_result<T, M>::type tex1Dfetch(texture<T, cudaTextureType1D, M> t, int x) { return __hd::texture_read<typename __hd::texture_result<T, M>::type>(t, x, 0, 0); }
template <class T> __device__ __heddle_texture("w") __heddle_sampled T tex1D(cudaTextureObject_t t, float x) { return __hd::texture_1d<T>(t, x, 0); }
template <class T> __device__ __heddle_texture("w") __heddle_sampled void tex1D(T *out, cudaTextureObject_t t, float x) { *out = __hd::texture_1d<T>(t, x, 0); }
template <class T, cudaTextureReadMode M> __device__ __heddle_texture("w") __heddle_sampled typename __hd::texture_result<T, M>::type tex1D(texture<T, cudaTextureType1D, M> t, float x) { return __hd::texture_1d<typename __hd::texture_result<T, M>::type>(t, x, 0); }
template <class T> __device__ __heddle_texture("w") __heddle_sampled __heddle_level T tex1DLod(cudaTextureObject_t t, float x, float level) { return __hd::texture_1d<T>(t, x, 0); }
template <class T> __device__ __heddle_texture("w") __heddle_sampled __heddle_level void tex1DLod(T *out, cudaTextureObject_t t, float x, float level) { *out = __hd::texture_1d<T>(t, x, 0); }
template <class T, cudaTextureReadMode M> __device__ __heddle_texture("w") __heddle_sampled __heddle_level typename __hd::texture_result<T, M>::type tex1DLod(texture<T, cudaTextureType1D, M> t, float x, float level) { return __hd::texture_1d<typename __hd::texture_result<T, M>::type>(t, x, 0); }
template <class T> __device__ __heddle_texture("w") __heddle_sampled __heddle_level T tex1DGrad(cudaTextureObject_t t, float x, float dx, float dy) { return __hd::texture_1d<T>(t, x, 0); }
template <class T> __device__ __heddle_texture("w") __heddle_sampled __heddle_level void tex1DGrad(T *out, cudaTextureObject_t t, float x, float dx, float dy) { *out = __hd::texture_1d<T>(t, x, 0); }
template <class T, cudaTextureReadMode M> __device__ __heddle_texture("w") __heddle_sampled __heddle_level typename __hd::texture_result<T, M>::type tex1DGrad(texture<T, cudaTextureType1D, M> t, float x, float dx, float dy) { return __hd::texture_1d<typename __hd::texture_result<T, M>::type>(t, x, 0); }
template <class T> __device__ __heddle_texture("lw") __heddle_sampled T tex1DLayered(cudaTextureObject_t t, float x, int layer) { return __hd::texture_1d<T>(t, x, __hd::texture_layer(layer, t.depth)); }
template <class T> __device__ __heddle_texture("lw") __heddle_sampled void tex1DLayered(T *out, cudaTextureObject_t t, float x, int layer) { *out = __hd::texture_1d<T>(t, x, __hd::texture_layer(layer, t.depth)); }
template <class T, cudaTextureReadMode M> __device__ __heddle_texture("lw") __heddle_sampled typename __hd::texture_result<T, M>::type tex1DLayered(texture<T, cudaTextureType1DLayered, M> t, float x, int layer) { return __hd::texture_1d<typename __hd::texture_result<T, M>::type>(t, x, __hd::texture_layer(layer, t.depth)); }
template <class T> __device__ __heddle_texture("hw") __heddle_sampled T tex2D(cudaTextureObject_t t, float x, float y) { return __hd::texture_2d<T>(t, x, y, 0); }
template <class T> __device__ __heddle_texture("hw") __heddle_sampled void tex2D(T *out, cudaTextureObject_t t, float x, float y) { *out = __hd::texture_2d<T>(t, x, y, 0); }
template <class T, cudaTextureReadMode M> __device__ __heddle_texture("hw") __heddle_sampled typename __hd::texture_result<T, M>::type tex2D(texture<T, cudaTextureType2D, M> t, float x, float y) { return __hd::texture_2d<typename __hd::texture_result<T, M>::type>(t, x, y, 0); }
template <class T> __device__ __heddle_texture("hw") __heddle_sampled __heddle_level T tex2DLod(cudaTextureObject_t t, float x, float y, float level) { return __hd::texture_2d<T>(t, x, y, 0); }
template <class T> __device__ __heddle_texture("hw") __heddle_sampled __heddle_level void tex2DLod(T *out, cudaTextureObject_t t, float x, float y, float level) { *out = __hd::texture_2d<T>(t, x, y, 0); }
template <class T, cudaTextureReadMode M> __device__ __heddle_texture("hw") __heddle_sampled __heddle_level typename __hd::texture_result<T, M>::type tex2DLod(texture<T, cudaTextureType2D, M> t, float x, float y, float level) { return __hd::texture_2d<typename __hd::texture_result<T, M>::type>(t, x, y, 0); }
template <class T> __device__ __heddle_texture("hw") __heddle_sampled __heddle_level T tex2DGrad(cudaTextureObject_t t, float x, float y, float2 dx, float2 dy) { return __hd::texture_2d<T>(t, x, y, 0); }
template <class T> __device__ __heddle_texture("hw") __heddle_sampled __heddle_level void tex2DGrad(T *out, cudaTextureObject_t t, float x, float y, float2 dx, float2 dy) { *out = __hd::texture_2d<T>(t, x, y, 0); }
template <class T, cudaTextureReadMode M> __device__ __heddle_texture("hw") __heddle_sampled __heddle_level typename __hd::texture_result<T, M>::type tex2DGrad(texture<T, cudaTextureType2D, M> t, float x, float y, float2 dx, float2 dy) { return __hd::texture_2d<typename __hd::texture_result<T, M>::type>(t, x, y, 0); }
template <class T> __device__ __heddle_texture("lhw") __heddle_sampled T tex2DLayered(cudaTextureObject_t t, float x, float y, int layer) { return __hd::texture_2d<T>(t, x, y, __hd::texture_layer(layer, t.depth)); }
template <class T> __device__ __heddle_texture("lhw") __heddle_sampled void tex2DLayered(T *out, cudaTextureObject_t t, float x, float y, int layer) { *out = __hd::texture_2d<T>(t, x, y, __hd::texture_layer(layer, t.depth)); }
template <class T, cudaTextureReadMode M> __device__ __heddle_texture("lhw") __heddle_sampled typename __hd::texture_result<T, M>::type tex2DLayered(texture<T, cudaTextureType2DLayered, M> t, float x, float y, int layer) { return __hd::texture_2d<typename __hd::texture_result<T, M>::type>(t, x, y, __hd::texture_layer(layer, t.depth)); }
template <class T> __device__ __heddle_texture("dhw") __heddle_sampled T tex3D(cudaTextureObject_t t, float x, float y, float z) { return __hd::texture_3d<T>(t, x, y, z); }
template <class T> __device__ __heddle_texture("dhw") __heddle_sampled void tex3D(T *out, cudaTextureObject_t t, float x, float y, float z) { *out = __hd::texture_3d<T>(t, x, y, z); }
template <class T, cudaTextureReadMode M> __device__ __heddle_texture("dhw") __heddle_sampled typename __hd::texture_result<T, M>::type tex3D(texture<T, cudaTextureType3D, M> t, float x, float y, float z) { return __hd::texture_3d<typename __hd::texture_result<T, M>::type>(t, x, y, z); }
template <class T> __device__ __heddle_texture("dhw") __heddle_sampled __heddle_level T tex3DLod(cudaTextureObject_t t, float x, float y, float z, float level) { return __hd::texture_3d<T>(t, x, y, z); }
template <class T> __device__ __heddle_texture("dhw") __heddle_sampled __heddle_level void tex3DLod(T *out, cudaTextureObject_t t, float x, float y, float z, float level) { *out = __hd::texture_3d<T>(t, x, y, z); }
template <class T, cudaTextureReadMode M> __device__ __heddle_texture("dhw") __heddle_sampled __heddle_level typename __hd::texture_result<T, M>::type tex3DLod(texture<T, cudaTextureType3D, M> t, float x, float y, float z, float level) { return __hd::texture_3d<typename __hd::texture_result<T, M>::type>(t, x, y, z); }
template <class T> __device__ __heddle_texture("dhw") __heddle_sampled __heddle_level T tex3DGrad(cudaTextureObject_t t, float x, float y, float z, float4 dx, float4 dy) { return __hd::texture_3d<T>(t, x, y, z); }
template <class T> __device__ __heddle_texture("dhw") __heddle_sampled __heddle_level void tex3DGrad(T *out, cudaTextureObject_t t, float x, float y, float z, float4 dx, float4 dy) { *out = __hd::texture_3d<T>(t, x, y, z); }
template <class T, cudaTextureReadMode M> __device__ __heddle_texture("dhw") __heddle_sampled __heddle_level typename __hd::texture_result<T, M>::type tex3DGrad(texture<T, cudaTextureType3D, M> t, float x, float y, float z, float4 dx, float4 dy) { return __hd::texture_3d<typename __hd::texture_result<T, M>::type>(t, x, y, z); }
// --- surfaces: x in bytes ---
template <class T> __device__ __heddle_texture("w") T surf1Dread(cudaSurfaceObject_t s, int x, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { return __hd::surface_read<T>(s, x, 0, 0, mode); }
template <class T> __device__ __heddle_texture("w") void surf1Dread(T *out, cudaSurfaceObject_t s, int x, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { *out = __hd::surface_read<T>(s, x, 0, 0, mode); }
template <class T> __device__ __heddle_texture("w") void surf1Dwrite(T v, cudaSurfaceObject_t s, int x, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { __hd::surface_write<T>(v, s, x, 0, 0, mode); }
template <class T> __device__ __heddle_texture("w") T surf1Dread(surface<void, cudaSurfaceType1D> s, int x, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { return __hd::surface_read<T>(s, x, 0, 0, mode); }
template <class T> __device__ __heddle_texture("w") void surf1Dread(T *out, surface<void, cudaSurfaceType1D> s, int x, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { *out = __hd::surface_read<T>(s, x, 0, 0, mode); }
template <class T> __device__ __heddle_texture("w") void surf1Dwrite(T v, surface<void, cudaSurfaceType1D> s, int x, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { __hd::surface_write<T>(v, s, x, 0, 0, mode); }
template <class T> __device__ __heddle_texture("hw") T surf2Dread(cudaSurfaceObject_t s, int x, int y, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { return __hd::surface_read<T>(s, x, y, 0, mode); }
template <class T> __device__ __heddle_texture("hw") void surf2Dread(T *out, cudaSurfaceObject_t s, int x, int y, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { *out = __hd::surface_read<T>(s, x, y, 0, mode); }
template <class T> __device__ __heddle_texture("hw") void surf2Dwrite(T v, cudaSurfaceObject_t s, int x, int y, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { __hd::surface_write<T>(v, s, x, y, 0, mode); }
template <class T> __device__ __heddle_texture("hw") T surf2Dread(surface<void, cudaSurfaceType2D> s, int x, int y, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { return __hd::surface_read<T>(s, x, y, 0, mode); }
template <class T> __device__ __heddle_texture("hw") void surf2Dread(T *out, surface<void, cudaSurfaceType2D> s, int x, int y, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { *out = __hd::surface_read<T>(s, x, y, 0, mode); }
template <class T> __device__ __heddle_texture("hw") void surf2Dwrite(T v, surface<void, cudaSurfaceType2D> s, int x, int y, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { __hd::surface_write<T>(v, s, x, y, 0, mode); }
template <class T> __device__ __heddle_texture("dhw") T surf3Dread(cudaSurfaceObject_t s, int x, int y, int z, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { return __hd::surface_read<T>(s, x, y, z, mode); }
template <class T> __device__ __heddle_texture("dhw") void surf3Dread(T *out, cudaSurfaceObject_t s, int x, int y, int z, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { *out = __hd::surface_read<T>(s, x, y, z, mode); }
template <class T> __device__ __heddle_texture("dhw") void surf3Dwrite(T v, cudaSurfaceObject_t s, int x, int y, int z, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { __hd::surface_write<T>(v, s, x, y, z, mode); }
template <class T> __device__ __heddle_texture("dhw") T surf3Dread(surface<void, cudaSurfaceType3D> s, int x, int y, int z, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { return __hd::surface_read<T>(s, x, y, z, mode); }
template <class T> __device__ __heddle_texture("dhw") void surf3Dread(T *out, surface<void, cudaSurfaceType3D> s, int x, int y, int z, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { *out = __hd::surface_read<T>(s, x, y, z, mode); }
template <class T> __device__ __heddle_texture("dhw") void surf3Dwrite(T v, surface<void, cudaSurfaceType3D> s, int x, int y, int z, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { __hd::surface_write<T>(v, s, x, y, z, mode); }
template <class T> __device__ __heddle_texture("lw") T surf1DLayeredread(cudaSurfaceObject_t s, int x, int layer, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { return __hd::surface_read<T>(s, x, 0, layer, mode); }
template <class T> __device__ __heddle_texture("lw") void surf1DLayeredread(T *out, cudaSurfaceObject_t s, int x, int layer, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { *out = __hd::surface_read<T>(s, x, 0, layer, mode); }
template <class T> __device__ __heddle_texture("lw") void surf1DLayeredwrite(T v, cudaSurfaceObject_t s, int x, int layer, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { __hd::surface_write<T>(v, s, x, 0, layer, mode); }
template <class T> __device__ __heddle_texture("lw") T surf1DLayeredread(surface<void, cudaSurfaceType1DLayered> s, int x, int layer, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { return __hd::surface_read<T>(s, x, 0, layer, mode); }
template <class T> __device__ __heddle_texture("lw") void surf1DLayeredread(T *out, surface<void, cudaSurfaceType1DLayered> s, int x, int layer, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { *out = __hd::surface_read<T>(s, x, 0, layer, mode); }
template <class T> __device__ __heddle_texture("lw") void surf1DLayeredwrite(T v, surface<void, cudaSurfaceType1DLayered> s, int x, int layer, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { __hd::surface_write<T>(v, s, x, 0, layer, mode); }
template <class T> __device__ __heddle_texture("lhw") T surf2DLayeredread(cudaSurfaceObject_t s, int x, int y, int layer, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { return __hd::surface_read<T>(s, x, y, layer, mode); }
template <class T> __device__ __heddle_texture("lhw") void surf2DLayeredread(T *out, cudaSurfaceObject_t s, int x, int y, int layer, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { *out = __hd::surface_read<T>(s, x, y, layer, mode); }
template <class T> __device__ __heddle_texture("lhw") void surf2DLayeredwrite(T v, cudaSurfaceObject_t s, int x, int y, int layer, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { __hd::surface_write<T>(v, s, x, y, layer, mode); }
template <class T> __device__ __heddle_texture("lhw") T surf2DLayeredread(surface<void, cudaSurfaceType2DLayered> s, int x, int y, int layer, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { return __hd::surface_read<T>(s, x, y, layer, mode); }
template <class T> __device__ __heddle_texture("lhw") void surf2DLayeredread(T *out, surface<void, cudaSurfaceType2DLayered> s, int x, int y, int layer, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { *out = __hd::surface_read<T>(s, x, y, layer, mode); }
template <class T> __device__ __heddle_texture("lhw") void surf2DLayeredwrite(T v, surface<void, cudaSurfaceType2DLayered> s, int x, int y, int layer, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { __hd::surface_write<T>(v, s, x, y, layer, mode); }

// --- what isn't there ---
template <class T> T texCubemap(...) __heddle_unsupported("cube maps ('texCubemap'); use layers of a 2D texture");
template <class T> T texCubemapLod(...) __heddle_unsupported("cube maps ('texCubemapLod'); use layers of a 2D texture");
template <class T> T texCubemapLayered(...) __heddle_unsupported("cube maps ('texCubemapLayered'); use layers of a 2D texture");
template <class T> T texCubemapLayeredLod(...) __heddle_unsupported("cube maps ('texCubemapLayeredLod'); use layers of a 2D texture");
template <class T> T texCubemapGrad(...) __heddle_unsupported("cube maps ('texCubemapGrad'); use layers of a 2D texture");
template <class T> T texCubemapLayeredGrad(...) __heddle_unsupported("cube maps ('texCubemapLayeredGrad'); use layers of a 2D texture");
template <class T> T tex2Dgather(...) __heddle_unsupported("'tex2Dgather'; read the four texels by tex2D");
template <class T> T tex1DLayeredLod(...) __heddle_unsupported("mipmaps of layers ('tex1DLayeredLod'); use tex1DLayered");
template <class T> T tex2DLayeredLod(...) __heddle_unsupported("mipmaps of layers ('tex2DLayeredLod'); use tex2DLayered");
template <class T> T tex1DLayeredGrad(...) __heddle_unsupported("mipmaps of layers ('tex1DLayeredGrad'); use tex1DLayered");
template <class T> T tex2DLayeredGrad(...) __heddle_unsupported("mipmaps of layers ('tex2DLayeredGrad'); use tex2DLayered");
template <class T> T surfCubemapread(...) __heddle_unsupported("cube maps ('surfCubemapread'); use layers of a 2D surface");
template <class T> T surfCubemapwrite(...) __heddle_unsupported("cube maps ('surfCubemapwrite'); use layers of a 2D surface");
template <class T> T surfCubemapLayeredread(...) __heddle_unsupported("cube maps ('surfCubemapLayeredread'); use layers of a 2D surface");
template <class T> T surfCubemapLayeredwrite(...) __heddle_unsupported("cube maps ('surfCubemapLayeredwrite'); use layers of a 2D surface");
