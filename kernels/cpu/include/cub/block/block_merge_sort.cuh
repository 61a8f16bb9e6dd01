// cub: a stable sort of a block's keys by a comparison, with values or without.
#pragma once
#include "cub/block/load_direct.cuh"
#include "cub/block/radix_rank_sort_operations.cuh"

namespace cub {

// The sort of a group of threads which meet at Group::meet().
template <class KeyT, class ValueT, class Group, int threads, int n> class __rk_merge_sort {
  static constexpr int count = threads * n;
  typedef KeyT Keys[n];
  typedef ValueT Values[n];

public:
  struct TempStorage {
    union {
      __rk_room<KeyT, count> keys;
      __rk_room<ValueT, count> values;
    };
    unsigned short order[count];
  };
  __RK_COLLECTIVE __rk_merge_sort(TempStorage &storage) : storage(storage) {}

  template <class Less> __RK_COLLECTIVE void Sort(Keys &keys, Less compare_op) {
    order(keys, compare_op, count);
    fetch(keys, storage.keys, count);
  }
  /// Keys beyond the valid ones become the default, which no valid key may follow.
  template <class Less> __RK_COLLECTIVE void Sort(Keys &keys, Less compare_op, int valid_items, KeyT oob_default) {
    order(keys, compare_op, valid_items);
    fetch(keys, storage.keys, valid_items);
    fill(keys, valid_items, oob_default);
  }
  template <class Less> __RK_COLLECTIVE void Sort(Keys &keys, Values &items, Less compare_op) {
    order(keys, compare_op, count);
    fetch(keys, storage.keys, count);
    exchange(items, count);
  }
  template <class Less>
  __RK_COLLECTIVE void Sort(Keys &keys, Values &items, Less compare_op, int valid_items, KeyT oob_default) {
    order(keys, compare_op, valid_items);
    fetch(keys, storage.keys, valid_items);
    fill(keys, valid_items, oob_default);
    exchange(items, valid_items);
  }
  template <class... A> __RK_COLLECTIVE void StableSort(Keys &keys, A &&...rest) { Sort(keys, rest...); }

private:
  TempStorage &storage;

  template <class Less> __RK_COLLECTIVE void order(Keys &keys, Less less, int valid) {
    __rk_blocked<n>(Group::rank(), [&](int i, int at) {
      if (at < valid) storage.keys[at] = keys[i];
    });
    Group::meet();
    if (Group::rank() == 0) __rk_merge_order<count>(storage.keys.data(), storage.order, valid < count ? valid : count, less);
    Group::meet();
  }
  template <class T, class Room> __RK_COLLECTIVE void fetch(T (&items)[n], Room &room, int valid) {
    __rk_blocked<n>(Group::rank(), [&](int i, int at) {
      if (at < valid) items[i] = room[storage.order[at]];
    });
  }
  __RK_COLLECTIVE void fill(Keys &keys, int valid, const KeyT &value) {
    __rk_blocked<n>(Group::rank(), [&](int i, int at) {
      if (at >= valid) keys[i] = value;
    });
  }
  __RK_COLLECTIVE void exchange(Values &items, int valid) {
    Group::meet();
    __rk_blocked<n>(Group::rank(), [&](int i, int at) {
      if (at < valid) storage.values[at] = items[i];
    });
    Group::meet();
    fetch(items, storage.values, valid);
  }
};

template <int x, int y, int z> struct __rk_meeting_block : __rk_block<x, y, z> {
  __RK_COLLECTIVE static void meet() { __syncthreads(); }
};

template <class KeyT, int BLOCK_DIM_X, int ITEMS_PER_THREAD, class ValueT = NullType, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1>
class BlockMergeSort
    : public __rk_merge_sort<KeyT, ValueT, __rk_meeting_block<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z>,
                             BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z, ITEMS_PER_THREAD> {
  typedef __rk_merge_sort<KeyT, ValueT, __rk_meeting_block<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z>,
                          BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z, ITEMS_PER_THREAD>
      Base;

public:
  typedef typename Base::TempStorage TempStorage;
  __RK_COLLECTIVE BlockMergeSort() : Base(own()) {}
  __RK_COLLECTIVE explicit BlockMergeSort(TempStorage &storage) : Base(storage) {}

private:
  __RK_COLLECTIVE static TempStorage &own() {
    __shared__ TempStorage storage;
    return storage;
  }
};

}
