// Reads of textures: CUDA C++ Programming Guide, "Texture Functions" and "Texture Fetching". Common cases are computed in
// place, the others by the library (runtime/image-texture.cc).
#ifndef RAWKERNEL_TEXTURE_FUNCTIONS_H
#define RAWKERNEL_TEXTURE_FUNCTIONS_H

#include "textures.h"

extern "C" {
#define __RK_LIBRARY __device__ __attribute__((pure, nothrow))
// The bits of a pixel's numbers.
__RK_LIBRARY __rk_u32x4 __rt_texture_at(const __rk_image *image, int i);
__RK_LIBRARY __rk_u32x4 __rt_texture(const __rk_image *image, float x, float y, float z, int layer, unsigned form, float level);
__RK_LIBRARY __rk_u32x4 __rt_texture_slanted(const __rk_image *image, float x, float y, float z, int layer, unsigned form,
                                             float ax, float ay, float az, float bx, float by, float bz);
__RK_LIBRARY __rk_u32x4 __rt_texture_gather(const __rk_image *image, float x, float y, int component);
#undef __RK_LIBRARY
}

template <class T> __RK_DEVICE T __rk_element(__rk_u32x4 bits) {
  typedef typename __rk_texel<T>::part P;
  T value;
  P *parts = (P *)&value;
  for (unsigned i = 0; i < __rk_texel<T>::parts; i++) {
    unsigned word = bits[i];
    if constexpr (__is_same(P, float)) parts[i] = __builtin_bit_cast(float, word);
    else parts[i] = (P)word;
  }
  return value;
}

// The handle's record; null where it has none, which a finding has told.
template <class T> __RK_DEVICE const __rk_image *__rk_texture(cudaTextureObject_t object, unsigned form) {
  static_assert(__rk_texel<T>::parts > 0, "textures have elements of 1, 2 or 4 numbers of 8, 16 or 32 bits: char, uchar4, float2 …");
  const __rk_image *image = (const __rk_image *)object;
#ifdef __RK_CHECKED__
  unsigned fault = __rk_texture_fault(object, __rk_wish<T>(form));
  if (__builtin_expect(fault != 0, 0)) {
    __rk_image_failed(fault & 255, fault >> 8 ? fault >> 8 : object);
    return nullptr;
  }
#else
  if (__builtin_expect(image->mark != __RK_TEXTURE_MARK, 0)) {
    // Through the handle 0 a GPU reads zeros (seen on an H200).
    if (object != 0) __rk_image_failed(__RK_NO_OBJECT, object);
    return nullptr;
  }
#endif
  return image;
}

// A coordinate within an image; NaN counts as 0.
__RK_DEVICE float __rk_within(float u, float last) {
  u = u > 0 ? u : 0;
  return u < last ? u : last;
}

// Vectors with which the compiler computes.
__RK_DEVICE float __rk_plain(float v) { return v; }
__RK_DEVICE float __rk_plain(float1 v) { return v.x; }
__RK_DEVICE __rk_f32x2 __rk_plain(float2 v) { return __builtin_bit_cast(__rk_f32x2, v); }
__RK_DEVICE __rk_f32x4 __rk_plain(float4 v) { return __builtin_bit_cast(__rk_f32x4, v); }

// The elements beside a place, and how much the second one weighs: in 256ths, as the hardware has it. One that weighs
// nothing is not read, since it may be infinite.
struct __rk_between {
  unsigned low, high;
  float part;
};
__RK_DEVICE __rk_between __rk_beside(float u, float last) {
  unsigned fixed = (unsigned)(__rk_within(u - 0.5f, last) * 256 + 0.5f);
  return {fixed >> 8, (fixed >> 8) + ((fixed & 255) != 0), (float)(fixed & 255) * 0x1p-8f};
}

template <class T> __RK_DEVICE T __rk_at(const char *p) { return *(const T *)p; }

template <class T, unsigned dimensions, bool layered>
__RK_DEVICE T __rk_sample(cudaTextureObject_t object, float x, float y, float z, int layer) {
  constexpr unsigned form = dimensions | (layered ? __RK_LAYERED : 0);
  const __rk_image *image = __rk_texture<T>(object, form);
  if (!image) return T{};
  const char *data = image->data;
  if constexpr (layered) data += image->slice * (unsigned long)min((unsigned)layer, image->layers - 1);
  if (image->key == __rk_key<T>(__RK_POINT)) {
    data += sizeof(T) * (unsigned long)(unsigned)__rk_within(x * image->scale[0], image->last[0]);
    if constexpr (dimensions > 1) data += image->row * (unsigned)__rk_within(y * image->scale[1], image->last[1]);
    if constexpr (dimensions > 2) data += image->slice * (unsigned)__rk_within(z * image->scale[2], image->last[2]);
    return __rk_at<T>(data);
  }
  if constexpr (__is_same(typename __rk_texel<T>::part, float) && dimensions < 3) {
    if (image->key == __rk_key<T>(__RK_BLENDED)) {
      __rk_between a = __rk_beside(x * image->scale[0], image->last[0]);
      if constexpr (dimensions == 1) {
        auto value = (1 - a.part) * __rk_plain(__rk_at<T>(data + sizeof(T) * a.low)) +
                     a.part * __rk_plain(__rk_at<T>(data + sizeof(T) * a.high));
        return __builtin_bit_cast(T, value);
      } else {
        __rk_between b = __rk_beside(y * image->scale[1], image->last[1]);
        const char *top = data + image->row * b.low, *bottom = data + image->row * b.high;
        // The weight of the far corner is rounded to 256ths, and the others complete it.
        float far = (float)(int)(a.part * b.part * 256 + 0.5f) * 0x1p-8f;
        auto value = (1 - a.part - b.part + far) * __rk_plain(__rk_at<T>(top + sizeof(T) * a.low)) +
                     (a.part - far) * __rk_plain(__rk_at<T>(top + sizeof(T) * a.high)) +
                     (b.part - far) * __rk_plain(__rk_at<T>(bottom + sizeof(T) * a.low)) +
                     far * __rk_plain(__rk_at<T>(bottom + sizeof(T) * a.high));
        return __builtin_bit_cast(T, value);
      }
    }
  }
  return __rk_element<T>(__rt_texture(image, x, y, z, layer, form, 0));
}

template <class T>
__RK_DEVICE T __rk_sample_level(cudaTextureObject_t object, float x, float y, float z, int layer, unsigned form, float level) {
  const __rk_image *image = __rk_texture<T>(object, form);
  return image ? __rk_element<T>(__rt_texture(image, x, y, z, layer, form, level)) : T{};
}
template <class T>
__RK_DEVICE T __rk_sample_slanted(cudaTextureObject_t object, float x, float y, float z, int layer, unsigned form, float4 a,
                                  float4 b) {
  const __rk_image *image = __rk_texture<T>(object, form);
  if (!image) return T{};
  return __rk_element<T>(__rt_texture_slanted(image, x, y, z, layer, form, a.x, a.y, a.z, b.x, b.y, b.z));
}
template <class T> __RK_DEVICE T __rk_gather(cudaTextureObject_t object, float x, float y, int component) {
  // The four numbers are of one component, so that the element has fewer.
  typedef typename __rk_texel<T>::part P;
  const __rk_image *image = __rk_texture<P>(object, 2);
  return image ? __rk_element<T>(__rt_texture_gather(image, x, y, component)) : T{};
}
template <class T> __RK_DEVICE T __rk_fetch(cudaTextureObject_t object, int i) {
  const __rk_image *image = __rk_texture<T>(object, 1 | __RK_LINEAR_MEMORY);
  if (!image) return T{};
  if (image->key == __rk_key<T>(__RK_RAW)) {
    return (unsigned)i < image->width ? __rk_at<T>(image->data + sizeof(T) * (unsigned long)(unsigned)i) : T{};
  }
  return __rk_element<T>(__rt_texture_at(image, i));
}

// Each function as one that returns the value, and as one that writes it; functions of arrays that may be sparse also tell
// whether the value is there, which it always is.
#define __RK_TEX(name, parameters, arguments, value)                                                                   \
  template <class T> __RK_DEVICE T name(cudaTextureObject_t object, __RK_LIST parameters) { return value; }            \
  template <class T> __RK_DEVICE void name(T *to, cudaTextureObject_t object, __RK_LIST parameters) {                  \
    *to = name<T>(object, __RK_LIST arguments);                                                                        \
  }
#define __RK_TEX_SPARSE(name, parameters, arguments, value)                                                            \
  __RK_TEX(name, parameters, arguments, value)                                                                         \
  template <class T> __RK_DEVICE T name(cudaTextureObject_t object, __RK_LIST parameters, bool *resident) {            \
    *resident = true;                                                                                                  \
    return name<T>(object, __RK_LIST arguments);                                                                       \
  }
#define __RK_LIST(...) __VA_ARGS__
#define __RK_SAMPLE(dimensions, layered, ...) (__rk_sample<T, dimensions, layered>(object, __VA_ARGS__))
#define __RK_LEVEL(form, ...) (__rk_sample_level<T>(object, __VA_ARGS__, form, level))
#define __RK_SLANTED(form, a, b, ...) (__rk_sample_slanted<T>(object, __VA_ARGS__, form, a, b))
#define __RK_OF1(v) make_float4(v, 0, 0, 0)
#define __RK_OF2(v) make_float4(v.x, v.y, 0, 0)

__RK_TEX(tex1Dfetch, (int x), (x), (__rk_fetch<T>(object, x)))
__RK_TEX(tex1D, (float x), (x), __RK_SAMPLE(1, false, x, 0, 0, 0))
__RK_TEX_SPARSE(tex2D, (float x, float y), (x, y), __RK_SAMPLE(2, false, x, y, 0, 0))
__RK_TEX_SPARSE(tex3D, (float x, float y, float z), (x, y, z), __RK_SAMPLE(3, false, x, y, z, 0))
__RK_TEX(tex1DLayered, (float x, int layer), (x, layer), __RK_SAMPLE(1, true, x, 0, 0, layer))
__RK_TEX_SPARSE(tex2DLayered, (float x, float y, int layer), (x, y, layer), __RK_SAMPLE(2, true, x, y, 0, layer))
#define level 0.0f
__RK_TEX(texCubemap, (float x, float y, float z), (x, y, z), __RK_LEVEL(__RK_CUBE, x, y, z, 0))
__RK_TEX(texCubemapLayered, (float x, float y, float z, int layer), (x, y, z, layer), __RK_LEVEL(__RK_CUBE | __RK_LAYERED, x, y, z, layer))
#undef level
__RK_TEX(tex1DLod, (float x, float level), (x, level), __RK_LEVEL(1, x, 0, 0, 0))
__RK_TEX_SPARSE(tex2DLod, (float x, float y, float level), (x, y, level), __RK_LEVEL(2, x, y, 0, 0))
__RK_TEX_SPARSE(tex3DLod, (float x, float y, float z, float level), (x, y, z, level), __RK_LEVEL(3, x, y, z, 0))
__RK_TEX(tex1DLayeredLod, (float x, int layer, float level), (x, layer, level), __RK_LEVEL(1 | __RK_LAYERED, x, 0, 0, layer))
__RK_TEX_SPARSE(tex2DLayeredLod, (float x, float y, int layer, float level), (x, y, layer, level), __RK_LEVEL(2 | __RK_LAYERED, x, y, 0, layer))
__RK_TEX(texCubemapLod, (float x, float y, float z, float level), (x, y, z, level), __RK_LEVEL(__RK_CUBE, x, y, z, 0))
__RK_TEX(texCubemapLayeredLod, (float x, float y, float z, int layer, float level), (x, y, z, layer, level), __RK_LEVEL(__RK_CUBE | __RK_LAYERED, x, y, z, layer))
__RK_TEX(tex1DGrad, (float x, float a, float b), (x, a, b), __RK_SLANTED(1, __RK_OF1(a), __RK_OF1(b), x, 0, 0, 0))
__RK_TEX_SPARSE(tex2DGrad, (float x, float y, float2 a, float2 b), (x, y, a, b), __RK_SLANTED(2, __RK_OF2(a), __RK_OF2(b), x, y, 0, 0))
__RK_TEX_SPARSE(tex3DGrad, (float x, float y, float z, float4 a, float4 b), (x, y, z, a, b), __RK_SLANTED(3, a, b, x, y, z, 0))
__RK_TEX(tex1DLayeredGrad, (float x, int layer, float a, float b), (x, layer, a, b), __RK_SLANTED(1 | __RK_LAYERED, __RK_OF1(a), __RK_OF1(b), x, 0, 0, layer))
__RK_TEX_SPARSE(tex2DLayeredGrad, (float x, float y, int layer, float2 a, float2 b), (x, y, layer, a, b), __RK_SLANTED(2 | __RK_LAYERED, __RK_OF2(a), __RK_OF2(b), x, y, 0, layer))
__RK_TEX(texCubemapGrad, (float x, float y, float z, float4 a, float4 b), (x, y, z, a, b), __RK_SLANTED(__RK_CUBE, a, b, x, y, z, 0))
__RK_TEX(texCubemapLayeredGrad, (float x, float y, float z, int layer, float4 a, float4 b), (x, y, z, layer, a, b), __RK_SLANTED(__RK_CUBE | __RK_LAYERED, a, b, x, y, z, layer))

template <class T> __RK_DEVICE T tex2Dgather(cudaTextureObject_t object, float x, float y, int component = 0) {
  return __rk_gather<T>(object, x, y, component);
}
template <class T> __RK_DEVICE void tex2Dgather(T *to, cudaTextureObject_t object, float x, float y, int component = 0) {
  *to = __rk_gather<T>(object, x, y, component);
}
template <class T>
__RK_DEVICE T tex2Dgather(cudaTextureObject_t object, float x, float y, bool *resident, int component = 0) {
  *resident = true;
  return __rk_gather<T>(object, x, y, component);
}

#undef __RK_TEX
#undef __RK_TEX_SPARSE
#undef __RK_LIST
#undef __RK_SAMPLE
#undef __RK_LEVEL
#undef __RK_SLANTED
#undef __RK_OF1
#undef __RK_OF2

#endif
