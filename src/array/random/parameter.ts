import { nameOf } from '../../core/check.ts';
import { closeOnError } from '../create.ts';
import { copyInto, empty } from '../apply.ts';
import type { ArrayDType } from '../dtype.ts';
import type { LaunchArgument } from '../engine.ts';
import type { Parameter } from '../kernel/dialect.ts';
import { NDArray } from '../ndarray.ts';
import { checkKind } from '../operation/typing.ts';
import { sizeOf } from '../shape.ts';
import { draw, unitsOf } from './draw.ts';
import type { DrawText } from './draw-text.ts';
import type { ExactType } from './exact-text.ts';
import type { PhiloxStream } from './stream.ts';
import type { Target } from './target.ts';

/** A parameter of a distribution: a number, or an array with one for each element of the result, to whose shape it broadcasts. */
export type RandomParameter = number | NDArray;

/**
 * Check a parameter; what is in arrays is not looked at.
 *
 * @param isAllowed - whether a number may be given
 * @param wanted - which ones may, for the error
 */
export function checkParameter(
  value: unknown,
  what: string,
  isAllowed: (value: number) => boolean,
  wanted: string,
): void {
  if (value instanceof NDArray) {
    checkKind(what, value.dtype as ArrayDType, ['bool', 'int', 'uint', 'float']);
    return;
  }
  if (typeof value !== 'number') {
    throw new TypeError(`${what} must be ${wanted} or an NDArray, got ${nameOf(value)}`);
  }
  if (!isAllowed(value)) throw new RangeError(`${what} must be ${wanted}, got ${nameOf(value)}`);
}

/** How kernels that draw element by element take their parameters: numbers, or arrays of one for each element. */
export interface ParameterText {
  readonly numbers: readonly Parameter[];
  readonly inputs: readonly Parameter[];
  /** The lines that give the parameters their names. */
  readonly lines: string;
  /** Which of them are arrays, as a part of names. */
  readonly suffix: string;
}

export function parameterText(names: readonly string[], values: readonly unknown[], t: ExactType): ParameterText {
  const isArray = (i: number): boolean => values[i] instanceof NDArray;
  return {
    numbers: names.flatMap((name, i) => (isArray(i) ? [] : [{ name: `number_${name}`, dtype: t, kind: 'number' }])),
    inputs: names.flatMap((name, i) => (isArray(i) ? [{ name: `array_${name}`, dtype: t, kind: 'input' }] : [])),
    lines: names
      .map((name, i) => `const ${t} ${name} = ${isArray(i) ? `array_${name}[place]` : `number_${name}`};\n`)
      .join(''),
    suffix: names.map((name, i) => (isArray(i) ? `_${name}` : '')).join(''),
  };
}

/** Draw by a text of {@link parameterText}: arrays that do not have the shape or the type of the text are copied. */
export function drawWith(
  stream: PhiloxStream,
  target: Target,
  text: DrawText,
  values: readonly RandomParameter[],
  t: ExactType,
): NDArray {
  const copies: NDArray[] = [];
  const arrays: NDArray[] = [];
  const numbers: LaunchArgument[] = [];
  try {
    for (const value of values) {
      if (typeof value === 'number') numbers.push(value);
      else if (value.dtype === t && value.isFlat && value.size === sizeOf(target.shape)) {
        arrays.push(value);
      } else {
        const copy = denseCopy(value, target, t);
        copies.push(copy);
        arrays.push(copy);
      }
    }
    return draw(target, text, stream.take(unitsOf(sizeOf(target.shape), text)), numbers, arrays);
  } finally {
    for (const copy of copies) copy.close();
  }
}

function denseCopy(value: NDArray, { engine, lane, shape }: Target, t: ExactType): NDArray {
  const copy = empty(engine, shape, t, lane) as unknown as NDArray;
  return closeOnError(copy, () => {
    copyInto(copy, value, lane);
  });
}
