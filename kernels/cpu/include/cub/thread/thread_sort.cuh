// cub: one thread sorts its items, and keeps equal ones in order.
#pragma once
#include "cub/util_type.cuh"

namespace cub {

template <class Key, class Value, class Less, int count>
__RK_DEVICE void StableOddEvenSort(Key (&keys)[count], Value (&items)[count], Less less) {
  constexpr bool with_values = !std::is_same_v<Value, NullType>;
  for (int i = 1; i < count; i++) {
    for (int j = i; j > 0 && less(keys[j], keys[j - 1]); j--) {
      Key key = keys[j];
      keys[j] = keys[j - 1];
      keys[j - 1] = key;
      if constexpr (with_values) {
        Value item = items[j];
        items[j] = items[j - 1];
        items[j - 1] = item;
      }
    }
  }
}

}
