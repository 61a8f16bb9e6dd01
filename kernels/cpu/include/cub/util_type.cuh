// cub: types for the use of templates, pairs of key and value, double buffers.
#pragma once
#include <type_traits>

#include "cub/config.cuh"
#include "cub/util_traits.cuh"

namespace cub {

template <bool condition, class Then, class Else> struct If {
  typedef std::conditional_t<condition, Then, Else> Type;
};
template <class A, class B> struct Equals {
  static constexpr int VALUE = std::is_same_v<A, B>;
  static constexpr int NEGATE = !VALUE;
};
template <int n> struct Log2 {
  static constexpr int VALUE = n <= 1 ? 0 : 32 - __builtin_clz((unsigned)n - 1);
};
template <int n> struct PowerOfTwo {
  static constexpr bool VALUE = (n & (n - 1)) == 0;
};
template <class T> struct IsPointer {
  static constexpr int VALUE = std::is_pointer_v<T>;
};
template <class T> struct IsVolatile {
  static constexpr int VALUE = std::is_volatile_v<T>;
};
template <class T, class...> struct RemoveQualifiers {
  typedef std::remove_cv_t<T> Type;
};
template <int value> struct Int2Type {
  static constexpr int VALUE = value;
};

struct NullType {
  typedef NullType value_type;
  template <class T> __RK_MEMBER NullType &operator=(const T &) { return *this; }
  __RK_MEMBER bool operator==(const NullType &) const { return true; }
  __RK_MEMBER bool operator!=(const NullType &) const { return false; }
};

template <class Key_, class Value_> struct KeyValuePair {
  typedef Key_ Key;
  typedef Value_ Value;
  Key key;
  Value value;
  __RK_MEMBER KeyValuePair() {}
  __RK_MEMBER KeyValuePair(const Key &key, const Value &value) : key(key), value(value) {}
  __RK_MEMBER bool operator==(const KeyValuePair &b) const { return key == b.key && value == b.value; }
  __RK_MEMBER bool operator!=(const KeyValuePair &b) const { return !(*this == b); }
};

template <class T> struct DoubleBuffer {
  T *d_buffers[2];
  int selector;
  __RK_MEMBER DoubleBuffer() : d_buffers{nullptr, nullptr}, selector(0) {}
  __RK_MEMBER DoubleBuffer(T *current, T *alternate) : d_buffers{current, alternate}, selector(0) {}
  __RK_MEMBER T *Current() { return d_buffers[selector]; }
  __RK_MEMBER T *Alternate() { return d_buffers[selector ^ 1]; }
};

/// Storage of a type whose constructor does not run.
template <class T> struct Uninitialized {
  alignas(alignof(T)) unsigned char storage[sizeof(T)];
  __RK_MEMBER T &Alias() { return reinterpret_cast<T &>(*this); }
};

template <class T, int n> struct ArrayWrapper {
  T array[n];
};

/// The type of an iterator's values, or another where the iterator has none.
template <class It> using __rk_value = std::remove_cvref_t<decltype(*std::declval<It>())>;

}
