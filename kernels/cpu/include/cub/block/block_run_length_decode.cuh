// cub: runs of a value and a length become the values that they stand for, a window at a time.
#pragma once
#include "cub/util_ptx.cuh"
#include "cub/util_type.cuh"

namespace cub {

template <class ItemT, int BLOCK_DIM_X, int RUNS_PER_THREAD, int DECODED_ITEMS_PER_THREAD, class DecodedOffsetT = unsigned,
          int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1>
class BlockRunLengthDecode {
  typedef __rk_block<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z> Block;
  static constexpr int runs = Block::threads * RUNS_PER_THREAD, n = DECODED_ITEMS_PER_THREAD;

public:
  struct TempStorage {
    __rk_room<ItemT, runs> values;
    // Where each run begins, and where the last one ends.
    DecodedOffsetT offsets[runs + 1];
  };
  template <class Length, class Total>
  __RK_COLLECTIVE BlockRunLengthDecode(TempStorage &storage, ItemT (&run_values)[RUNS_PER_THREAD],
                                       Length (&run_lengths)[RUNS_PER_THREAD], Total &total_decoded_size)
      : storage(storage) {
    share(run_values, run_lengths);
    if (Block::rank() == 0) {
      DecodedOffsetT at = 0;
      for (int i = 0; i < runs; i++) {
        DecodedOffsetT length = storage.offsets[i];
        storage.offsets[i] = at;
        at += length;
      }
      storage.offsets[runs] = at;
    }
    __syncthreads();
    total_decoded_size = (Total)storage.offsets[runs];
  }
  template <class Offset>
  __RK_COLLECTIVE BlockRunLengthDecode(TempStorage &storage, ItemT (&run_values)[RUNS_PER_THREAD],
                                       Offset (&run_offsets)[RUNS_PER_THREAD])
      : storage(storage) {
    share(run_values, run_offsets);
  }

  /// Items beyond the last run's end belong to it.
  template <class RelativeOffset>
  __RK_COLLECTIVE void RunLengthDecode(ItemT (&decoded_items)[n], RelativeOffset (&item_offsets)[n],
                                       DecodedOffsetT from_decoded_offset = 0) {
#pragma unroll
    for (int i = 0; i < n; i++) {
      DecodedOffsetT at = from_decoded_offset + (DecodedOffsetT)(Block::rank() * n + i);
      int run = runAt(at);
      decoded_items[i] = storage.values[run];
      item_offsets[i] = (RelativeOffset)(at - storage.offsets[run]);
    }
  }
  __RK_COLLECTIVE void RunLengthDecode(ItemT (&decoded_items)[n], DecodedOffsetT from_decoded_offset = 0) {
    DecodedOffsetT offsets[n];
    RunLengthDecode(decoded_items, offsets, from_decoded_offset);
  }

private:
  TempStorage &storage;

  template <class Offset>
  __RK_COLLECTIVE void share(ItemT (&values)[RUNS_PER_THREAD], Offset (&offsets)[RUNS_PER_THREAD]) {
#pragma unroll
    for (int i = 0; i < RUNS_PER_THREAD; i++) {
      storage.values[Block::rank() * RUNS_PER_THREAD + i] = values[i];
      storage.offsets[Block::rank() * RUNS_PER_THREAD + i] = (DecodedOffsetT)offsets[i];
    }
    __syncthreads();
  }
  // The last run that begins there or before.
  __RK_COLLECTIVE int runAt(DecodedOffsetT at) {
    int low = 0;
    for (int count = runs; count > 1;) {
      int half = count / 2;
      if (storage.offsets[low + half] <= at) low += half;
      count -= half;
    }
    return low;
  }
};

}
