// What both entries, rawkernel/cuda/array and rawkernel/opencl/array, have in common.
export type { Operand, OutOptions } from './ndarray.ts';
export { NDArray } from './ndarray.ts';
export type { ArrayOptions, CreationOptions } from './create.ts';
export type { ArrayDType, Complex, WeakScalar } from './dtype.ts';
export type { Lane, LaneOptions } from './engine.ts';
export type { ArrayData, TypedArray } from './host-data.ts';
export { newaxis, type IndexKey } from './index-key.ts';
export type { ArrayFlags, Layout } from './layout.ts';
export type { Nested } from './nested.ts';
export type { PrintedElement } from './printable.ts';
export type { FloatOf, Promote, RealOf, WideOf } from './promotion.ts';
export { Slice, slice, type SliceBound } from './slice.ts';
export { printOptions, setPrintOptions, type PrintOptions } from './print-options.ts';
export { toNpy, toNpz, type FromNpyOptions } from './npy-array.ts';
export type { Deflate, Inflate } from './npz.ts';
export type { SequenceNumber } from './creation/arange.ts';
export type { LogspaceOptions, SpaceOptions } from './creation/space.ts';
export type { Rule } from './operation/operation.ts';
export type { ReductionRule } from './reduction/table.ts';
export { emptyLike, fullLike, onesLike, zerosLike } from './creation/like.ts';
export { diag, type DiagOptions, type EyeOptions } from './creation/diagonal.ts';
export { meshgrid, type MeshgridOptions } from './creation/meshgrid.ts';
export { tril, triu, type TriangleOptions, type TriOptions } from './creation/triangle.ts';
export {
  add,
  subtract,
  multiply,
  divide,
  floorDivide,
  remainder,
  fmod,
  pow,
  negative,
  positive,
  abs,
  sign,
  square,
  reciprocal,
  maximum,
  minimum,
  clip,
  fma,
  fmax,
  fmin,
} from './function/arithmetic.ts';
export {
  bitwiseAnd,
  bitwiseOr,
  bitwiseXor,
  bitwiseInvert,
  bitwiseLeftShift,
  bitwiseRightShift,
  bitwiseCount,
  gcd,
  lcm,
} from './function/bitwise.ts';
export {
  equal,
  notEqual,
  less,
  lessEqual,
  greater,
  greaterEqual,
  isnan,
  isinf,
  isfinite,
  logicalAnd,
  logicalOr,
  logicalXor,
  logicalNot,
  isposinf,
  isneginf,
} from './function/comparison.ts';
export {
  sqrt,
  rsqrt,
  cbrt,
  exp,
  exp2,
  expm1,
  log,
  log2,
  log10,
  log1p,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  asinh,
  acosh,
  atanh,
  erf,
  erfc,
  lgamma,
  tgamma,
  deg2rad,
  rad2deg,
  floor,
  ceil,
  trunc,
  round,
  atan2,
  hypot,
  copysign,
  nextafter,
  logaddexp,
  signbit,
  exp10,
  digamma,
  i0,
  sinc,
  logaddexp2,
  heaviside,
  ldexp,
} from './function/float.ts';
export { real, imag, conj, where, angle, isreal, iscomplex, nanToNum } from './function/other.ts';
export {
  sub,
  mul,
  div,
  mod,
  neg,
  power,
  absolute,
  fabs,
  conjugate,
  arcsin,
  arccos,
  arctan,
  arctan2,
  arcsinh,
  arccosh,
  arctanh,
} from './function/alias.ts';
export type {
  BinaryFunction,
  ChoiceFunction,
  ClipFunction,
  TernaryFunction,
  UnaryFunction,
} from './function/elementwise.ts';
export { evaluate, type Evaluate } from './function/evaluate.ts';
export { fuse, type FusedArrays, type FusedFunction, type FusedResult } from './function/fuse.ts';
export { type FuseOptions } from './fused.ts';
export { FusedValue, type FusedOperand } from './expression/fused-value.ts';
export {
  ElementwiseKernel,
  type ElementwiseForm,
  type ElementwiseKernelOptions,
  type ElementwiseResult,
  type KernelOperand,
} from './generated/elementwise-kernel.ts';
export type { Neutral } from './generated/expression-text.ts';
export {
  ReductionKernel,
  type ReductionForm,
  type ReductionKernelOptions,
  type ReductionType,
} from './generated/reduction-kernel.ts';
export type { AxisReduceOptions } from './generated/axis-reduction.ts';
export type { BroadcastCallOptions } from './generated/broadcast-program.ts';
export type { IndexCallOptions } from './generated/flat-program.ts';
export type { RangeOptions } from './generated/index-range.ts';
export type { IndexReduceOptions } from './generated/index-reduction.ts';
export type { UserTextOptions } from './generated/user-text.ts';
export { keep, scope } from './function/scope.ts';
export { at, setAt } from './function/at.ts';
export { choose, select } from './function/choose.ts';
export { astype, contiguous, copy, view } from './function/copy.ts';
export { diff, type DiffOptions } from './function/diff.ts';
export { bincount, type BincountOptions } from './function/bincount.ts';
export {
  histogram,
  histogramBinEdges,
  type BinEdgesOptions,
  type Bins,
  type HistogramOptions,
} from './function/histogram.ts';
export { histogram2d, histogramdd, type HistogramddOptions } from './function/histogramdd.ts';
export { take, takeAlongAxis } from './function/gather.ts';
export { concat, concat as concatenate, stack, tile, type ConcatOptions, type StackOptions } from './function/join.ts';
export { argwhere, compress, extract, flatnonzero, nonzero, nonzero as whereNonzero } from './function/mask.ts';
export { pad, type PadMode, type PadOptions, type PadWidth } from './function/pad.ts';
export { repeat } from './function/repeat.ts';
export { roll, type RollOptions } from './function/roll.ts';
export { put, putAlongAxis, scatterAdd, scatterMax, scatterMin, scatterSet } from './function/scatter.ts';
export {
  broadcastArrays,
  broadcastTo,
  expandDims,
  flip,
  matrixTranspose,
  moveaxis,
  permuteDims,
  permuteDims as transpose,
  ravel,
  reshape,
  squeeze,
  swapaxes,
} from './function/shape.ts';
export { digitize, searchsorted, type DigitizeOptions, type SearchsortedOptions } from './function/searchsorted.ts';
export { split, unstack, type AxisOptions } from './function/split.ts';
export { diagonal, trace } from './function/diagonal.ts';
export {
  dot,
  einsum,
  inner,
  kron,
  matmul,
  outer,
  tensordot,
  vecdot,
  type TensordotOptions,
  type VecdotOptions,
} from './function/product.ts';
export { cummax, cummin, cumprod, cumsum } from './function/scan.ts';
export { argpartition, partition, topk } from './function/partition.ts';
export { median, percentile, quantile } from './function/quantile.ts';
export { argsort, lexsort, sort } from './function/sort.ts';
export { average, type AverageOptions } from './function/average.ts';
export { vdot } from './function/dot.ts';
export {
  all,
  any,
  argmax,
  argmin,
  countNonzero,
  max,
  mean,
  min,
  nanmax,
  nanmin,
  nansum,
  norm,
  prod,
  ptp,
  std,
  sum,
  var,
  type ReductionFunction,
} from './function/reduce.ts';
export { BitonicSort, type BitonicSortOptions } from './sort/bitonic-sort.ts';
export {
  runLengthEncode,
  unique,
  uniqueAll,
  uniqueCounts,
  uniqueInverse,
  uniqueValues,
  type RunLengths,
  type UniqueOptions,
  type UniqueResult,
} from './function/unique.ts';
export { reduceByKey, scanByKey, type ByKeyOptions, type ScanByKeyOptions } from './generated/by-key.ts';
export type { RunOptions } from './generated/run-scan.ts';
export {
  segmentedArgsort,
  segmentedReduce,
  segmentedScan,
  segmentedSort,
  type SegmentedReduceOptions,
  type SegmentedScanOptions,
  type SegmentedSortOptions,
} from './generated/segments.ts';
export type { ConditionOptions } from './generated/condition.ts';
export { copyIf, partitionIf, removeIf, uniqueConsecutive, type DeviceCount } from './generated/copy-if.ts';
export {
  GenericScanKernel,
  type GenericScanCallOptions,
  type GenericScanOptions,
} from './generated/generic-scan-kernel.ts';
export type { ItemName } from './generated/item-element.ts';
export { KeyValueSorter, sortByKey, type SortByKeyOptions } from './generated/key-value-sorter.ts';
export type { BuiltList, ListOfLists, ListOfListsCallOptions, ListOfListsOptions } from './generated/list-of-lists.ts';
export { RadixSort, type RadixSortCallOptions, type RadixSortOptions } from './generated/radix-sort.ts';
export {
  ExclusiveScanKernel,
  InclusiveScanKernel,
  type ScanCallOptions,
  type ScanKernel,
  type ScanKernelOptions,
} from './generated/scan-kernel.ts';
export * from './python-names.ts';
export type { ReducedDType, ResultOf, WithScalar } from './result-dtype.ts';
export type {
  AlongAxisOptions,
  ArrayKey,
  ProductMethods,
  QuantileOptions,
  ReductionOptions,
  RepeatOptions,
  ScanMethods,
  ScanOptions,
  ShapeMethods,
  SortMethods,
  SortOptions,
  SumScanOptions,
  TakeOptions,
  Topk,
  TopkOptions,
  TraceOptions,
} from './ndarray.ts';
export type {
  CompressOptions,
  DiagonalOptions,
  ModeOptions,
  NormOptions,
  PutOptions,
  QuantileMethod,
  QuantileRule,
  ReshapeOptions,
  ScatterOptions,
  SelectOrder,
  SortOrder,
  VarianceOptions,
} from './method-options.ts';
export type { ChoiceOptions } from './random/choice.ts';
export type { PermutationOptions, RandomGenerator, ShuffleOptions } from './random/generator.ts';
export type { IntegerLimit, IntegerOptions } from './random/integers.ts';
export type { RandomParameter } from './random/parameter.ts';
export type { GeneratorState } from './random/stream.ts';
export type { RandomOptions } from './random/target.ts';
