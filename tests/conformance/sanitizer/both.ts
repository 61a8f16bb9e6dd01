/**
 * Kernels of `tests/conformance/cpu/broken` that compute-sanitizer and the checked mode both find, as seen on an H100. Of those
 * that it does not find, most are no longer wrong when NVRTC has compiled them, and some wait for ever.
 */
export const both: readonly string[] = [
  // memcheck
  'write-one-past-the-end',
  'read-one-past-the-end',
  'read-before-the-start',
  'no-guard-at-all',
  'wild-index',
  'bytes-for-elements',
  'wrong-pitch',
  'struct-member-overflow',
  'atomic-past-the-end',
  'vector-load-past-the-end',
  'static-shared-overflow',
  'dynamic-shared-overflow',
  'device-variable-overflow',
  'local-array-overflow',
  'use-after-free',
  'null-dereference',
  'misaligned-read',
  'misaligned-vector',
  'null-from-a-search-that-fails',
  'null-reference',
  'null-object-calls-a-method',
  'null-in-a-list-of-pointers',
  'failed-allocation-not-tested',
  'index-that-a-sum-overflows',
  'histogram-bins-of-a-thread',
  // initcheck
  'uninitialised-read',
  'uninitialised-half',
  'uninitialised-border',
  'uninitialised-member',
  'uninitialised-bins',
  'uninitialised-index-in-memory',
  // racecheck
  'race-write-then-read',
  'race-read-then-write',
  'race-write-then-write',
  'race-in-a-reduction',
  'race-of-tiles',
  'race-of-warps-without-syncwarp',
  // synccheck
  'divergent-barriers',
  'masks-that-do-not-match',
];
