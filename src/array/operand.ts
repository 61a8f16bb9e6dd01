import { nameOf } from '../core/check.ts';
import { isHostMemory } from '../core/host-memory.ts';
import { arrayDTypes, checkHolds, isComplex, isTrue, isWeakScalar, type ArrayDType, type WeakScalar } from './dtype.ts';
import { dtypes } from '../core/dtype.ts';
import { NDArray, type Operand } from './ndarray.ts';
import { asList } from './shape.ts';

/** Refuse what is neither an array nor a scalar. */
export function checkOperand(value: unknown, what: string): asserts value is Operand {
  if (value instanceof NDArray || isWeakScalar(value)) return;
  throw new TypeError(`${what} must be an NDArray or a number, got ${nameOf(value)}${adviceFor(value)}`);
}

/** Refuse what is not an array. */
export function checkArray(value: unknown, what: string): asserts value is NDArray {
  if (value instanceof NDArray) return;
  throw new TypeError(`${what} must be an NDArray, got ${nameOf(value)}${adviceFor(value)}`);
}

/** The same for the array of a function, which is not to be closed. */
export function checkOpen(value: unknown, method: string, what = 'the array'): void {
  checkArray(value, `${method}: ${what}`);
  value.use(method);
}

/**
 * The arrays of a list, one or more, none of them closed.
 *
 * @throws TypeError no list, or something else in it
 * @throws RangeError an empty list
 */
export function readArrays(arrays: unknown, what: string): NDArray[] {
  const list = asList(arrays);
  if (!list || arrays instanceof NDArray) {
    throw new TypeError(`${what} must be given a list of NDArrays, got ${nameOf(arrays)}`);
  }
  if (list.length === 0) throw new RangeError(`${what} must be given at least one array, got none`);
  return Array.from(list, (array, i) => {
    checkArray(array, `${what}: array ${i}`);
    array.use(what);
    return array;
  });
}

function adviceFor(value: unknown): string {
  return Array.isArray(value) || isHostMemory(value)
    ? '; write xp.asarray(…), which copies it to the device where that is to be seen'
    : '';
}

/** A scalar as a kernel of a dtype takes it; a complex one gives two numbers. */
export function pushScalar(args: unknown[], value: WeakScalar, dtype: ArrayDType): void {
  const { kind } = arrayDTypes[dtype];
  if (kind === 'bool') {
    args.push(isTrue(value) ? 1 : 0);
    return;
  }
  if (kind === 'complex') {
    const { re, im } = isComplex(value) ? value : { re: Number(value), im: 0 };
    args.push(re, im);
    return;
  }
  if (isComplex(value))
    throw new TypeError(`A scalar of ${dtype} must be real, got { re: ${value.re}, im: ${value.im} }`);
  if (kind === 'float') args.push(rounded(Number(value), dtype));
  else {
    const integer = typeof value === 'boolean' ? Number(value) : value;
    // What every dtype of integers holds needs no longer look.
    if (typeof integer === 'bigint' || integer < 0 || integer > 127) checkHolds(dtype, integer);
    args.push(integer);
  }
}

const bits = new DataView(new ArrayBuffer(8));

/** A number as an element of the dtype has it: kernels take halves as floats. */
function rounded(value: number, dtype: ArrayDType): number {
  if (dtype !== 'f16' && dtype !== 'bf16') return value;
  dtypes[dtype].write(bits, 0, value);
  return Number(dtypes[dtype].read(bits, 0));
}
