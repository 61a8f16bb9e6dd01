// cub: the digits by which a radix sort orders, and stable sorts of positions by one thread.
#pragma once
#include "cub/util_type.cuh"

namespace cub {

// A key as an unsigned number of the same order. Zeros of either sign are equal.
template <class Key> struct __rk_radix_key {
  typedef typename Traits<Key>::UnsignedBits Bits;
  __RK_COLLECTIVE static Bits of(const Key &key, bool descending) {
    Bits bits = __builtin_bit_cast(Bits, key);
    if (Traits<Key>::CATEGORY == FLOATING_POINT && (Bits)(bits << 1) == 0) bits = 0;
    bits = Traits<Key>::TwiddleIn(bits);
    return descending ? (Bits)~bits : bits;
  }
};

// Puts the positions of the keys into `order`, sorted by the bits from `begin_bit` on before `end_bit`, digit by digit.
template <int count, class Key>
__device__ __attribute__((noinline)) void __rk_radix_order(const Key *keys, unsigned short *order, int begin_bit,
                                                           int end_bit, bool descending) {
  typedef __rk_radix_key<Key> Radix;
  static_assert(count <= 65536, "a block sorts at most 65536 keys");
  unsigned short other[count];
  for (int i = 0; i < count; i++) order[i] = (unsigned short)i;
  for (int bit = begin_bit; bit < end_bit; bit += 8) {
    int width = end_bit - bit < 8 ? end_bit - bit : 8;
    auto digitOf = [&](int i) { return (unsigned)(Radix::of(keys[i], descending) >> bit) & ((1u << width) - 1); };
    unsigned starts[257] = {};
    for (int i = 0; i < count; i++) starts[digitOf(i) + 1]++;
    for (int digit = 0; digit < 256; digit++) starts[digit + 1] += starts[digit];
    for (int i = 0; i < count; i++) other[starts[digitOf(order[i])]++] = order[i];
    for (int i = 0; i < count; i++) order[i] = other[i];
  }
}

// The same by a comparison, merging runs of growing length; only the first `valid` positions are looked at.
template <int count, class Key, class Less>
__device__ __attribute__((noinline)) void __rk_merge_order(const Key *keys, unsigned short *order, int valid, Less less) {
  static_assert(count <= 65536, "a block sorts at most 65536 keys");
  unsigned short other[count];
  for (int i = 0; i < valid; i++) order[i] = (unsigned short)i;
  for (int run = 1; run < valid; run *= 2) {
    for (int first = 0; first < valid; first += 2 * run) {
      int middle = first + run < valid ? first + run : valid, end = middle + run < valid ? middle + run : valid;
      int a = first, b = middle;
      for (int to = first; to < end; to++) {
        bool second = a == middle || (b < end && less(keys[order[b]], keys[order[a]]));
        other[to] = order[second ? b++ : a++];
      }
    }
    for (int i = 0; i < valid; i++) order[i] = other[i];
  }
}

}
