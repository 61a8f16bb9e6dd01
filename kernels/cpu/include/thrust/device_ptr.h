// thrust: pointers that say that they are the device's. In a kernel they are plain pointers with another name.
#pragma once
#include "rawkernel/iterators.h"

namespace thrust {
template <class T> struct device_ptr : __rk_iterator<device_ptr<T>, std::remove_cv_t<T>, T &> {
  typedef T element_type;
  typedef T *raw_pointer;
  T *__at;
  __RK_MEMBER constexpr device_ptr() : __at(nullptr) {}
  __RK_MEMBER constexpr device_ptr(decltype(nullptr)) : __at(nullptr) {}
  template <class U> __RK_MEMBER constexpr explicit device_ptr(U *at) : __at((T *)at) {}
  template <class U, class = std::enable_if_t<std::is_convertible_v<U *, T *>>>
  __RK_MEMBER constexpr device_ptr(const device_ptr<U> &other) : __at(other.get()) {}
  __RK_MEMBER constexpr T *get() const { return __at; }
  __RK_MEMBER constexpr T *operator->() const { return __at; }
  __RK_MEMBER constexpr explicit operator bool() const { return __at != nullptr; }
  __RK_MEMBER constexpr T &__get() const { return *__at; }
  __RK_MEMBER constexpr void __move(ptrdiff_t n) { __at += n; }
  __RK_MEMBER constexpr ptrdiff_t __distance(const device_ptr &other) const { return __at - other.__at; }
};
template <class T> __RK_MEMBER constexpr device_ptr<T> device_pointer_cast(T *at) { return device_ptr<T>(at); }
template <class T> __RK_MEMBER constexpr device_ptr<T> device_pointer_cast(const device_ptr<T> &at) { return at; }
template <class T> __RK_MEMBER constexpr T *raw_pointer_cast(T *at) { return at; }
template <class T> __RK_MEMBER constexpr T *raw_pointer_cast(const device_ptr<T> &at) { return at.get(); }
template <class T> __RK_MEMBER constexpr T &raw_reference_cast(T &place) { return place; }
template <class T> using device_reference = T &;
}
