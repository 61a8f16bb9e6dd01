import type { Operation } from '../tree.ts';
import { helped, named, typed } from './operation.ts';

/** `a ** b` of floats. */
export const POWER: Operation = named('pow', 'Math.pow');

/** `a ** b` of an integer and a constant. */
export const INTEGER_POWER: Operation = helped('integer_power', '', { js: typed('$m.integerPower') });

/** The quotient of integers, rounded towards minus infinity. */
export const FLOOR_QUOTIENT: Operation = helped('floor_quotient', '', {
  js: typed('$m.floorQuotient'),
  isChecked: true,
});
