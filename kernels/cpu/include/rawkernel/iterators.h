// What the iterators of cub and thrust share: arithmetic and comparisons, from three functions of the iterator's own.
#ifndef RAWKERNEL_ITERATORS_H
#define RAWKERNEL_ITERATORS_H

#include <iterator>

#include "qualifiers.h"

// Self has __get(), __move(n) and __distance(other), which is how far this one is beyond the other.
template <class Self, class Value, class Reference, class Difference = ptrdiff_t> struct __rk_iterator {
  typedef Self self_type;
  typedef Value value_type;
  typedef Reference reference;
  typedef Difference difference_type;
  typedef Value *pointer;
  typedef std::random_access_iterator_tag iterator_category;

  __RK_MEMBER constexpr Self &__self() { return static_cast<Self &>(*this); }
  __RK_MEMBER constexpr const Self &__self() const { return static_cast<const Self &>(*this); }

  __RK_MEMBER constexpr Reference operator*() const { return __self().__get(); }
  template <class Distance> __RK_MEMBER constexpr Reference operator[](Distance n) const { return *(__self() + n); }
  __RK_MEMBER constexpr Self &operator++() {
    __self().__move(1);
    return __self();
  }
  __RK_MEMBER constexpr Self operator++(int) {
    Self old = __self();
    __self().__move(1);
    return old;
  }
  __RK_MEMBER constexpr Self &operator--() {
    __self().__move(-1);
    return __self();
  }
  __RK_MEMBER constexpr Self operator--(int) {
    Self old = __self();
    __self().__move(-1);
    return old;
  }
  template <class Distance> __RK_MEMBER constexpr Self &operator+=(Distance n) {
    __self().__move((Difference)n);
    return __self();
  }
  template <class Distance> __RK_MEMBER constexpr Self &operator-=(Distance n) {
    __self().__move(-(Difference)n);
    return __self();
  }
  template <class Distance> __RK_MEMBER constexpr Self operator+(Distance n) const {
    Self moved = __self();
    moved.__move((Difference)n);
    return moved;
  }
  template <class Distance, class = decltype((Difference)Distance())>
  __RK_MEMBER constexpr Self operator-(Distance n) const {
    Self moved = __self();
    moved.__move(-(Difference)n);
    return moved;
  }
  friend __RK_MEMBER constexpr Difference operator-(const Self &a, const Self &b) { return a.__distance(b); }
  friend __RK_MEMBER constexpr bool operator==(const Self &a, const Self &b) { return a.__distance(b) == 0; }
  friend __RK_MEMBER constexpr bool operator!=(const Self &a, const Self &b) { return a.__distance(b) != 0; }
  friend __RK_MEMBER constexpr bool operator<(const Self &a, const Self &b) { return a.__distance(b) < 0; }
  friend __RK_MEMBER constexpr bool operator>(const Self &a, const Self &b) { return a.__distance(b) > 0; }
  friend __RK_MEMBER constexpr bool operator<=(const Self &a, const Self &b) { return a.__distance(b) <= 0; }
  friend __RK_MEMBER constexpr bool operator>=(const Self &a, const Self &b) { return a.__distance(b) >= 0; }
  template <class Distance, class = decltype((Difference)Distance())>
  friend __RK_MEMBER constexpr Self operator+(Distance n, const Self &a) {
    return a + n;
  }
};

#endif
