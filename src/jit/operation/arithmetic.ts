import { isFloat, type ScalarType } from '../kernel-type.ts';
import type { Expression, Operation } from '../tree.ts';
import { helped, named, typed } from './operation.ts';

const POWER: Operation = named('pow', 'Math.pow');
const ANY_POWER: Operation = helped('js_pow', 'Math.pow');

/** `a ** b` of floats. C differs from JavaScript for exponents that are not finite alone. */
export function powerBy(exponent: Expression): Operation {
  return exponent.kind === 'constant' && Number.isFinite(Number(exponent.value)) ? POWER : ANY_POWER;
}

/**
 * `a ** 2` of a float: the product, which is rounded as it must be. OpenCL's `pow` may be wrong by 16 units in the last place
 * (OpenCL C 3.0, 7.4), so that the floor of a whole square is one less, and takes far longer; JavaScript's may be wrong by one.
 */
export const SQUARE: Operation = helped('js_square', '$m.square');

/** `a ** b` of an integer and a constant. */
export const INTEGER_POWER: Operation = helped('integer_power', '', { js: typed('$m.integerPower') });

/** The quotient of integers, rounded towards minus infinity. */
export const FLOOR_QUOTIENT: Operation = helped('floor_quotient', '', {
  js: typed('$m.floorQuotient'),
  isChecked: true,
});

/** The size of a number. */
export const ABS: Operation = {
  ...named('abs', '', { js: typed('$m.abs'), isChecked: true }),
  cuda: ([x = ''], type) => {
    const { name } = type as ScalarType;
    return `${{ f32: 'fabsf', f64: 'fabs', i64: 'llabs' }[name as string] ?? 'abs'}(${x})`;
  },
  opencl: ([x = ''], type) => {
    if (isFloat(type)) return `fabs(${x})`;
    return `(${(type as ScalarType).name === 'i64' ? 'long' : 'int'})abs(${x})`;
  },
};
