// Reads and writes of surfaces: CUDA C++ Programming Guide, "Surface Functions". x counts bytes.
#ifndef RAWKERNEL_SURFACE_FUNCTIONS_H
#define RAWKERNEL_SURFACE_FUNCTIONS_H

#include "textures.h"

// The handle's record; null where it has none, which a finding has told.
template <class T> __RK_DEVICE const __rk_image *__rk_surface(cudaSurfaceObject_t object, unsigned form) {
  static_assert(__is_trivially_copyable(T) && (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16),
                "surfaces have elements of 1, 2, 4, 8 or 16 bytes");
  const __rk_image *image = (const __rk_image *)object;
#ifdef __RK_CHECKED__
  unsigned fault = __rk_surface_fault(object, form | sizeof(T) << 8);
  if (__builtin_expect(fault != 0, 0)) {
    __rk_image_failed(fault & 255, fault >> 8 ? fault >> 8 : object);
    return nullptr;
  }
#else
  if (__builtin_expect(image->mark != __RK_SURFACE_MARK, 0)) {
    __rk_image_failed(__RK_NO_OBJECT, object);
    return nullptr;
  }
#endif
  return image;
}

// Where an element is; null for one that is not to be accessed.
template <class T>
__RK_DEVICE T *__rk_place(cudaSurfaceObject_t object, unsigned form, int x, int y, int z, cudaSurfaceBoundaryMode mode) {
  const __rk_image *image = __rk_surface<T>(object, form);
  if (!image) return nullptr;
  int lastX = (int)image->row - (int)sizeof(T), lastY = (int)image->height - 1, lastZ = (int)(image->depth * image->layers) - 1;
  if (mode == cudaBoundaryModeClamp) {
    x = max(0, min(x, lastX));
    y = max(0, min(y, lastY));
    z = max(0, min(z, lastZ));
  } else if (__builtin_expect((unsigned)x > (unsigned)lastX || (unsigned)y > (unsigned)lastY || (unsigned)z > (unsigned)lastZ, 0)) {
    if (mode == cudaBoundaryModeTrap) __rk_image_failed(__RK_OUTSIDE, (unsigned)x | (unsigned long)(unsigned)y << 32);
    return nullptr;
  }
  return (T *)(image->data + image->slice * (unsigned)z + image->row * (unsigned)y + (unsigned)x);
}

#define __RK_SURF(prefix, suffix, form, parameters, x, y, z)                                                           \
  template <class T>                                                                                                   \
  __RK_DEVICE T surf##prefix##suffix##read(cudaSurfaceObject_t object, __RK_LIST parameters,                           \
                                           cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                      \
    T *place = __rk_place<T>(object, form, x, y, z, mode);                                                             \
    return place ? *place : T{};                                                                                       \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  __RK_DEVICE void surf##prefix##suffix##read(T *to, cudaSurfaceObject_t object, __RK_LIST parameters,                 \
                                              cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                   \
    T *place = __rk_place<T>(object, form, x, y, z, mode);                                                             \
    *to = place ? *place : T{};                                                                                        \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  __RK_DEVICE void surf##prefix##suffix##write(T value, cudaSurfaceObject_t object, __RK_LIST parameters,              \
                                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                  \
    T *place = __rk_place<T>(object, form, x, y, z, mode);                                                             \
    if (place) *place = value;                                                                                         \
  }
#define __RK_LIST(...) __VA_ARGS__
__RK_SURF(1D, , 1, (int x), x, 0, 0)
__RK_SURF(2D, , 2, (int x, int y), x, y, 0)
__RK_SURF(3D, , 3, (int x, int y, int z), x, y, z)
__RK_SURF(1D, Layered, 1 | __RK_LAYERED, (int x, int layer), x, 0, layer)
__RK_SURF(2D, Layered, 2 | __RK_LAYERED, (int x, int y, int layer), x, y, layer)
__RK_SURF(Cubemap, , __RK_CUBE, (int x, int y, int face), x, y, face)
__RK_SURF(Cubemap, Layered, __RK_CUBE | __RK_LAYERED, (int x, int y, int layerFace), x, y, layerFace)
#undef __RK_SURF
#undef __RK_LIST

#endif
