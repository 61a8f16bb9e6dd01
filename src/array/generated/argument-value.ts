import { nameOf } from '../../core/check.ts';
import { dtypes, type DType } from '../../core/dtype.ts';
import { Scalar, Value, Vector } from '../../core/value.ts';
import { arrayDTypes, isWeakScalar } from '../dtype.ts';
import type { Engine, LaunchArgument } from '../engine.ts';
import { engineOf, NDArray } from '../ndarray.ts';
import { pushScalar } from '../operand.ts';
import type { Compound } from './element.ts';
import type { KernelArgument } from './kernel-argument.ts';

/**
 * The number of elements that a parameter finds in an array.
 *
 * @throws TypeError no array, or one of another dtype
 * @throws RangeError one whose elements do not follow each other
 */
export function vectorLength({ name, dtype, element }: KernelArgument, value: unknown, what: string): number {
  if (!(value instanceof NDArray)) {
    throw new TypeError(`${what}: ${name} must be an NDArray of ${nameOfType(dtype)}, got ${nameOf(value)}`);
  }
  value.use(what);
  const array = value as NDArray;
  if (typeof dtype !== 'object' && array.dtype !== dtype) {
    throw new TypeError(
      `${what}: ${name} must be an NDArray of ${dtype} (${element.cuda} *), got ${array.dtype}; write astype('${dtype}')`,
    );
  }
  if (!array.isFlat) {
    throw new RangeError(
      `${what}: ${name} must be an NDArray whose elements follow each other, got one with strides [${array.strides.join(', ')}]; write contiguous()`,
    );
  }
  return typeof dtype === 'object' ? compounds(dtype, name, array, what) : array.size;
}

/** Push what a kernel is passed for a parameter by value. */
export function pushScalarArgument(
  args: LaunchArgument[],
  { name, dtype }: KernelArgument,
  given: unknown,
  engine: Engine,
  what: string,
): void {
  if (typeof dtype === 'object') {
    args.push(compoundValue(dtype, name, given, engine, what));
    return;
  }
  const value: unknown = given instanceof Scalar ? (given as Scalar).value : given;
  if (!isWeakScalar(value)) {
    const advice = given instanceof NDArray ? '; write item()' : '';
    throw new TypeError(`${what}: ${name} must be a number, got ${nameOf(given)}${advice}`);
  }
  const { kind } = arrayDTypes[dtype];
  if (kind !== 'int' && kind !== 'uint') {
    pushScalar(args, value, dtype);
    return;
  }
  const number = typeof value === 'boolean' ? Number(value) : value;
  args.push(dtypes[dtype as DType].check(number, `${what}: ${name}`));
}

/** How many structs or vectors an array has the bytes of. */
function compounds(dtype: Compound, name: string, array: NDArray, what: string): number {
  if (array.dtype !== 'u8' && array.dtype !== dtype.part) {
    const numbers = dtype.part === undefined ? '' : ` or of ${dtype.part}`;
    throw new TypeError(
      `${what}: ${name} must be an NDArray of u8${numbers}, the bytes of ${dtype.name}, got ${array.dtype}; write xp.asarray(${dtype.name}.pack([…])) or view('u8')`,
    );
  }
  const { dialect, facts } = engineOf(array);
  const extent = dtype.extent[dialect.name];
  if (extent === undefined) {
    throw new TypeError(`${what}: ${name} must be of a type that ${facts.name} has, got ${dtype.name}`);
  }
  if (array.nbytes % extent.byteLength === 0) return array.nbytes / extent.byteLength;
  throw new RangeError(
    `${what}: ${name} must have a multiple of ${extent.byteLength} bytes, the size of ${dtype.name}, got ${array.nbytes}`,
  );
}

function compoundValue(
  { name: type, struct, extent }: Compound,
  name: string,
  value: unknown,
  engine: Engine,
  what: string,
): Value {
  const isPlain =
    typeof value === 'object' && value !== null && !(value instanceof Value) && !(value instanceof NDArray);
  if (struct !== undefined && isPlain) return (struct as unknown as (values: object) => Value)(value);
  const bytes = extent[engine.dialect.name]?.byteLength;
  const isFit = value instanceof Value && value.byteLength === bytes;
  if (isFit && (struct !== undefined || (value instanceof Vector && (value as Vector).type.name === type)))
    return value;
  throw new TypeError(
    `${what}: ${name} must be a value of ${type}, ${bytes ?? 0} bytes, got ${nameOf(value)}; write ${type}(…)`,
  );
}

function nameOfType(dtype: KernelArgument['dtype']): string {
  return typeof dtype === 'object' ? `u8, the bytes of ${dtype.name}` : dtype;
}
