// Texture and surface references of CUDA 11 and older: its programming guide, "Texture Reference API" and "Surface Reference
// API". A reference is a variable of the program with an object's handle, which the driver writes:
// src/cpu/driver/references.ts. Read before a source that mentions one.
#ifndef RAWKERNEL_TEXTURE_REFERENCES_H
#define RAWKERNEL_TEXTURE_REFERENCES_H

#include "surface_functions.h"
#include "texture_functions.h"

// What a read gives: the elements, or as many floats.
template <unsigned parts> struct __rk_floats { typedef float type; };
template <> struct __rk_floats<2> { typedef float2 type; };
template <> struct __rk_floats<4> { typedef float4 type; };
template <class T, cudaTextureReadMode mode> struct __rk_read {
  static_assert(__rk_texel<T>::parts > 0, "textures have elements of 1, 2 or 4 numbers of 8, 16 or 32 bits: char, uchar4, float2 …");
  typedef T type;
};
template <class T> struct __rk_read<T, cudaReadModeNormalizedFloat> {
  static constexpr unsigned parts = __rk_texel<T>::parts;
  static_assert(parts > 0 && sizeof(T) < 4 * parts, "cudaReadModeNormalizedFloat is for elements of 8 and 16 bits: char, ushort4 …");
  typedef typename __rk_floats<parts>::type type;
};
#define __RK_FLOAT1(T)                                                                                                 \
  template <> struct __rk_read<T, cudaReadModeNormalizedFloat> { typedef float1 type; };
__RK_FLOAT1(char1)
__RK_FLOAT1(uchar1)
__RK_FLOAT1(short1)
__RK_FLOAT1(ushort1)
#undef __RK_FLOAT1
template <class T, cudaTextureReadMode mode> using __rk_read_t = typename __rk_read<T, mode>::type;

// How a reference is declared, as the length of an array without elements, which the compiler finds in the type:
// src/cpu/compiler/prepare/references.ts.
enum __rk_declared : unsigned { __RK_SIGNED = 1u << 25, __RK_READS_FLOATS = 1u << 26 };
__RK_MEMBER constexpr unsigned __rk_form_of(int type) {
  return ((type & 15) == cudaTextureTypeCubemap ? (unsigned)__RK_CUBE : type & 3u) | (type > 15 ? (unsigned)__RK_LAYERED : 0);
}
template <class T, int type, cudaTextureReadMode mode, bool = (__rk_texel<T>::parts > 0)> struct __rk_declaration {
  // No function reads such elements.
  static constexpr unsigned value = __rk_form_of(type);
};
template <class T, int type, cudaTextureReadMode mode> struct __rk_declaration<T, type, mode, true> {
  typedef typename __rk_texel<T>::part part;
  static constexpr unsigned value = __rk_wish<T>(__rk_form_of(type)) | ((part)-1 < (part)0 ? __RK_SIGNED : 0u) |
                                    (mode == cudaReadModeNormalizedFloat ? __RK_READS_FLOATS : 0u);
};

template <class T, int type = cudaTextureType1D, enum cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture {
  cudaTextureObject_t __rk_handle;
  unsigned __rk_number, __rk_reason;
  char __rk_declared[0][__rk_declaration<T, type, mode>::value];
};
template <class T, int type = cudaSurfaceType1D> struct __attribute__((device_builtin_surface_type)) surface {
  static_assert(__is_same(T, void), "a surface reference is a surface<void, dimensions>");
  cudaSurfaceObject_t __rk_handle;
  unsigned __rk_number, __rk_reason;
  char __rk_declared[0][__rk_form_of(type)];
};

#define __RK_TEX(name, kind, parameters, arguments)                                                                    \
  template <class T, cudaTextureReadMode mode>                                                                         \
  __RK_DEVICE __rk_read_t<T, mode> name(const texture<T, kind, mode> &reference, __RK_LIST parameters) {               \
    return name<__rk_read_t<T, mode>>(reference.__rk_handle, __RK_LIST arguments);                                     \
  }
// The functions of one kind: plain, with a level, with gradients.
#define __RK_TEXS(name, kind, parameters, arguments, G)                                                                \
  __RK_TEX(name, kind, (__RK_LIST parameters), arguments)                                                              \
  __RK_TEX(name##Lod, kind, (__RK_LIST parameters, float level), (__RK_LIST arguments, level))                         \
  __RK_TEX(name##Grad, kind, (__RK_LIST parameters, G a, G b), (__RK_LIST arguments, a, b))
#define __RK_LIST(...) __VA_ARGS__
__RK_TEX(tex1Dfetch, cudaTextureType1D, (int x), (x))
__RK_TEXS(tex1D, cudaTextureType1D, (float x), (x), float)
__RK_TEXS(tex2D, cudaTextureType2D, (float x, float y), (x, y), float2)
__RK_TEXS(tex3D, cudaTextureType3D, (float x, float y, float z), (x, y, z), float4)
__RK_TEXS(tex1DLayered, cudaTextureType1DLayered, (float x, int layer), (x, layer), float)
__RK_TEXS(tex2DLayered, cudaTextureType2DLayered, (float x, float y, int layer), (x, y, layer), float2)
__RK_TEXS(texCubemap, cudaTextureTypeCubemap, (float x, float y, float z), (x, y, z), float4)
__RK_TEXS(texCubemapLayered, cudaTextureTypeCubemapLayered, (float x, float y, float z, int layer), (x, y, z, layer), float4)
#undef __RK_TEX
#undef __RK_TEXS

// The four numbers of a gather.
template <class P> struct __rk_four;
#define __RK_FOUR(P, name)                                                                                             \
  template <> struct __rk_four<P> { typedef name##4 type; };
__RK_FOUR(char, char)
__RK_FOUR(signed char, char)
__RK_FOUR(unsigned char, uchar)
__RK_FOUR(short, short)
__RK_FOUR(unsigned short, ushort)
__RK_FOUR(int, int)
__RK_FOUR(unsigned, uint)
__RK_FOUR(float, float)
#undef __RK_FOUR
template <class T, cudaTextureReadMode mode>
using __rk_gathered_t = typename __rk_four<typename __rk_texel<__rk_read_t<T, mode>>::part>::type;

template <class T, cudaTextureReadMode mode>
__RK_DEVICE __rk_gathered_t<T, mode> tex2Dgather(const texture<T, cudaTextureType2D, mode> &reference, float x, float y,
                                                 int component = 0) {
  return tex2Dgather<__rk_gathered_t<T, mode>>(reference.__rk_handle, x, y, component);
}

#define __RK_SURF(prefix, suffix, kind, parameters, arguments)                                                         \
  template <class T>                                                                                                   \
  __RK_DEVICE T surf##prefix##suffix##read(const surface<void, kind> &reference, __RK_LIST parameters,                 \
                                           cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                      \
    return surf##prefix##suffix##read<T>(reference.__rk_handle, __RK_LIST arguments, mode);                            \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  __RK_DEVICE void surf##prefix##suffix##read(T *to, const surface<void, kind> &reference, __RK_LIST parameters,       \
                                              cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                   \
    *to = surf##prefix##suffix##read<T>(reference.__rk_handle, __RK_LIST arguments, mode);                             \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  __RK_DEVICE void surf##prefix##suffix##write(T value, const surface<void, kind> &reference, __RK_LIST parameters,    \
                                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                  \
    surf##prefix##suffix##write<T>(value, reference.__rk_handle, __RK_LIST arguments, mode);                           \
  }
__RK_SURF(1D, , cudaSurfaceType1D, (int x), (x))
__RK_SURF(2D, , cudaSurfaceType2D, (int x, int y), (x, y))
__RK_SURF(3D, , cudaSurfaceType3D, (int x, int y, int z), (x, y, z))
__RK_SURF(1D, Layered, cudaSurfaceType1DLayered, (int x, int layer), (x, layer))
__RK_SURF(2D, Layered, cudaSurfaceType2DLayered, (int x, int y, int layer), (x, y, layer))
__RK_SURF(Cubemap, , cudaSurfaceTypeCubemap, (int x, int y, int face), (x, y, face))
__RK_SURF(Cubemap, Layered, cudaSurfaceTypeCubemapLayered, (int x, int y, int layerFace), (x, y, layerFace))
#undef __RK_SURF
#undef __RK_LIST

#endif
