// thrust: one thread combines its items, all of them or neighbours with equal keys.
#pragma once
#include <numeric>

#include "thrust/execution_policy.h"

namespace thrust {
template <class It, class... A> __RK_DEVICE auto reduce(__rk_alone, It first, It last, A... a) {
  return std::reduce(first, last, a...);
}
template <class Keys, class Values, class KeysOut, class ValuesOut, class Equals, class Op>
__RK_DEVICE std::pair<KeysOut, ValuesOut> reduce_by_key(__rk_alone, Keys first, Keys last, Values values, KeysOut keys_out,
                                                        ValuesOut values_out, Equals equals, Op op) {
  while (first != last) {
    typename std::iterator_traits<Keys>::value_type key = *first;
    typename std::iterator_traits<Values>::value_type sum = *values;
    while (++values, ++first != last && equals(key, *first)) sum = op(sum, *values);
    *keys_out = key;
    *values_out = sum;
    ++keys_out;
    ++values_out;
  }
  return std::pair<KeysOut, ValuesOut>(keys_out, values_out);
}
template <class Keys, class Values, class KeysOut, class ValuesOut, class Equals>
__RK_DEVICE std::pair<KeysOut, ValuesOut> reduce_by_key(__rk_alone how, Keys first, Keys last, Values values,
                                                        KeysOut keys_out, ValuesOut values_out, Equals equals) {
  return reduce_by_key(how, first, last, values, keys_out, values_out, equals, std::plus<>());
}
template <class Keys, class Values, class KeysOut, class ValuesOut>
__RK_DEVICE std::pair<KeysOut, ValuesOut> reduce_by_key(__rk_alone how, Keys first, Keys last, Values values,
                                                        KeysOut keys_out, ValuesOut values_out) {
  return reduce_by_key(how, first, last, values, keys_out, values_out, std::equal_to<>());
}
}
