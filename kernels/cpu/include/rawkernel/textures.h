// What textures and surfaces have in common: the record that an object's handle leads to, the types of elements, names.
#ifndef RAWKERNEL_TEXTURES_H
#define RAWKERNEL_TEXTURES_H

#include "faults.h"
#include "vectors.h"

typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;

#define cudaTextureType1D 0x01
#define cudaTextureType2D 0x02
#define cudaTextureType3D 0x03
#define cudaTextureTypeCubemap 0x0c
#define cudaTextureType1DLayered 0xf1
#define cudaTextureType2DLayered 0xf2
#define cudaTextureTypeCubemapLayered 0xfc
#define cudaSurfaceType1D 0x01
#define cudaSurfaceType2D 0x02
#define cudaSurfaceType3D 0x03
#define cudaSurfaceTypeCubemap 0x0c
#define cudaSurfaceType1DLayered 0xf1
#define cudaSurfaceType2DLayered 0xf2
#define cudaSurfaceTypeCubemapLayered 0xfc
enum cudaTextureAddressMode { cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder };
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };
enum cudaSurfaceFormatMode { cudaFormatModeForced, cudaFormatModeAuto };

// An object's handle is the address of its record. The driver writes it: `ImageRecord` in src/cpu/abi/image-record.ts.
struct __rk_image {
  unsigned mark, flags;
  char *data;
  unsigned width, height, depth, layers;
  unsigned long row, slice; // bytes
  unsigned bytes;           // of an element
  unsigned format;
  // Which reads are simple, and the sizes of an element and of its parts: what `__rk_key` gives.
  unsigned long key;
  float scale[3]; // from coordinates to elements
  float last[3];  // the greatest coordinates
};
#define __RK_TEXTURE_MARK 0x74786574u
#define __RK_SURFACE_MARK 0x66727573u

// What a function of the device asks an object for.
enum __rk_form { __RK_LAYERED = 4, __RK_CUBE = 8, __RK_LINEAR_MEMORY = 16 };
enum __rk_quick : unsigned { __RK_RAW = 0x7a10, __RK_POINT, __RK_BLENDED };
// What is wrong with a texture or a surface: `ImageFault` in src/cpu/runtime/fault.ts.
enum __rk_image_fault { __RK_NO_OBJECT = 1, __RK_OUTSIDE = 5 };

typedef unsigned __rk_u32x4 __attribute__((ext_vector_type(4)));
typedef float __rk_f32x2 __attribute__((ext_vector_type(2)));
typedef float __rk_f32x4 __attribute__((ext_vector_type(4)));

// The types of elements: of what, and how many of them.
template <class T> struct __rk_texel {
  static constexpr unsigned parts = 0;
};
#define __RK_TEXEL(T, P, n)                                                                                            \
  template <> struct __rk_texel<T> {                                                                                   \
    typedef P part;                                                                                                    \
    static constexpr unsigned parts = n;                                                                               \
  };
#define __RK_TEXELS(P, name) __RK_TEXEL(P, P, 1) __RK_TEXEL(name##1, P, 1) __RK_TEXEL(name##2, P, 2) __RK_TEXEL(name##4, P, 4)
__RK_TEXEL(char, char, 1)
__RK_TEXELS(signed char, char)
__RK_TEXELS(unsigned char, uchar)
__RK_TEXELS(short, short)
__RK_TEXELS(unsigned short, ushort)
__RK_TEXELS(int, int)
__RK_TEXELS(unsigned, uint)
__RK_TEXELS(float, float)
#undef __RK_TEXEL
#undef __RK_TEXELS

template <class T> __RK_MEMBER constexpr unsigned long __rk_key(unsigned quick) {
  return (unsigned long)quick << 32 | sizeof(typename __rk_texel<T>::part) << 8 | sizeof(T);
}
// What a finding needs to know of an access: the object's form, its element.
template <class T> __RK_MEMBER constexpr unsigned __rk_wish(unsigned form) {
  typedef typename __rk_texel<T>::part part;
  return form | __rk_texel<T>::parts << 8 | sizeof(part) << 16 | (__is_same(part, float) ? 1u << 24 : 0);
}

__RK_DEVICE void __rk_image_failed(unsigned what, unsigned long more) {
  __rt_fault(19, more, __rk_whereabouts() | (unsigned long)what << 41, ~0u);
}

#ifdef __RK_CHECKED__
extern "C" __device__ __attribute__((pure, nothrow)) unsigned __rk_texture_fault(unsigned long object, unsigned wish);
extern "C" __device__ __attribute__((pure, nothrow)) unsigned __rk_surface_fault(unsigned long object, unsigned wish);
#endif

#endif
