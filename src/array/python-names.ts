import { renamed } from '../core/renamed.ts';

// Names of PyCUDA's gpuarray, PyOpenCL's array and of NumPy, for programs that are being ported. Their type in the editor, and the
// error of a call, name the function to write.

/** @deprecated Write `array`. */
export const to_gpu: never = renamed('to_gpu', 'array', 'PyCUDA');
/** @deprecated Write `array`. */
export const to_gpu_async: never = renamed('to_gpu_async', 'array', 'PyCUDA');
/** @deprecated Write `where`. */
export const if_positive: never = renamed('if_positive', 'where', 'PyCUDA');
/** @deprecated Write `take`. */
export const subset_sum: never = renamed('subset_sum', 'take', 'PyCUDA');
/** @deprecated Write `take`. */
export const subset_dot: never = renamed('subset_dot', 'take', 'PyCUDA');
/** @deprecated Write `take`. */
export const subset_min: never = renamed('subset_min', 'take', 'PyCUDA');
/** @deprecated Write `take`. */
export const subset_max: never = renamed('subset_max', 'take', 'PyCUDA');
/** @deprecated Write `take`. */
export const multi_take: never = renamed('multi_take', 'take', 'PyCUDA');
/** @deprecated Write `put`. */
export const multi_put: never = renamed('multi_put', 'put', 'PyCUDA');
/** @deprecated Write `put`. */
export const multi_take_put: never = renamed('multi_take_put', 'put', 'PyCUDA');
/** @deprecated Write `array`. */
export const to_device: never = renamed('to_device', 'array', 'PyOpenCL');
/** @deprecated Write `concat`. */
export const hstack: never = renamed('hstack', 'concat', 'PyOpenCL');
/** @deprecated Write `emptyLike`. */
export const empty_like: never = renamed('empty_like', 'emptyLike', 'NumPy');
/** @deprecated Write `zerosLike`. */
export const zeros_like: never = renamed('zeros_like', 'zerosLike', 'NumPy');
/** @deprecated Write `onesLike`. */
export const ones_like: never = renamed('ones_like', 'onesLike', 'NumPy');
/** @deprecated Write `fullLike`. */
export const full_like: never = renamed('full_like', 'fullLike', 'NumPy');
/** @deprecated Write `expandDims`. */
export const expand_dims: never = renamed('expand_dims', 'expandDims', 'NumPy');
/** @deprecated Write `broadcastTo`. */
export const broadcast_to: never = renamed('broadcast_to', 'broadcastTo', 'NumPy');
/** @deprecated Write `broadcastArrays`. */
export const broadcast_arrays: never = renamed('broadcast_arrays', 'broadcastArrays', 'NumPy');
/** @deprecated Write `takeAlongAxis`. */
export const take_along_axis: never = renamed('take_along_axis', 'takeAlongAxis', 'NumPy');
/** @deprecated Write `countNonzero`. */
export const count_nonzero: never = renamed('count_nonzero', 'countNonzero', 'NumPy');
/** @deprecated Write `logicalAnd`. */
export const logical_and: never = renamed('logical_and', 'logicalAnd', 'NumPy');
/** @deprecated Write `logicalOr`. */
export const logical_or: never = renamed('logical_or', 'logicalOr', 'NumPy');
/** @deprecated Write `logicalXor`. */
export const logical_xor: never = renamed('logical_xor', 'logicalXor', 'NumPy');
/** @deprecated Write `logicalNot`. */
export const logical_not: never = renamed('logical_not', 'logicalNot', 'NumPy');
/** @deprecated Write `bitwiseAnd`. */
export const bitwise_and: never = renamed('bitwise_and', 'bitwiseAnd', 'NumPy');
/** @deprecated Write `bitwiseOr`. */
export const bitwise_or: never = renamed('bitwise_or', 'bitwiseOr', 'NumPy');
/** @deprecated Write `bitwiseXor`. */
export const bitwise_xor: never = renamed('bitwise_xor', 'bitwiseXor', 'NumPy');
/** @deprecated Write `bitwiseCount`. */
export const bitwise_count: never = renamed('bitwise_count', 'bitwiseCount', 'NumPy');
/** @deprecated Write `bitwiseInvert`. */
export const invert: never = renamed('invert', 'bitwiseInvert', 'NumPy');
/** @deprecated Write `bitwiseLeftShift`. */
export const left_shift: never = renamed('left_shift', 'bitwiseLeftShift', 'NumPy');
/** @deprecated Write `bitwiseRightShift`. */
export const right_shift: never = renamed('right_shift', 'bitwiseRightShift', 'NumPy');
/** @deprecated Write `notEqual`. */
export const not_equal: never = renamed('not_equal', 'notEqual', 'NumPy');
/** @deprecated Write `lessEqual`. */
export const less_equal: never = renamed('less_equal', 'lessEqual', 'NumPy');
/** @deprecated Write `greaterEqual`. */
export const greater_equal: never = renamed('greater_equal', 'greaterEqual', 'NumPy');
/** @deprecated Write `divide`. */
export const true_divide: never = renamed('true_divide', 'divide', 'NumPy');
/** @deprecated Write `floorDivide`. */
export const floor_divide: never = renamed('floor_divide', 'floorDivide', 'NumPy');
