import { casesOf, negated, type Case } from './special-table.ts';

/** What of other numbers follows from a case: the conjugate number has the conjugate result; functions are odd or even. */
type Symmetry = 'none' | 'conjugate' | 'odd' | 'even';

// The special cases that the Array API lists for complex numbers, which are those of C99's Annex G.

const table = {
  acos: [
    'conjugate',
    `zero 0: pi/2 -0; zero nan: pi/2 nan; finite inf: pi/2 -inf; nonzero nan: nan nan; -inf pos: pi -inf; inf pos: 0 -inf;
    -inf inf: 3pi/4 -inf; inf inf: pi/4 -inf; infs nan: nan ±inf; nan finite|nan: nan nan; nan inf: nan -inf`,
  ],
  acosh: [
    'conjugate',
    `zero 0: 0 pi/2; finite inf: inf pi/2; nonzero nan: nan nan; 0 nan: nan ±pi/2; -inf pos: inf pi; inf pos: inf 0;
    -inf inf: inf 3pi/4; inf inf: inf pi/4; infs nan: inf nan; nan finite|nan: nan nan; nan inf: inf nan`,
  ],
  asinh: [
    'odd',
    `0 0: 0 0; pos inf: inf pi/2; finite nan: nan nan; inf pos: inf 0; inf inf: inf pi/4; inf nan: inf nan; nan 0: nan 0;
    nan nonzero|nan: nan nan; nan inf: ±inf nan`,
  ],
  atanh: [
    'odd',
    `0 0: 0 0; 0 nan: 0 nan; 1 0: inf 0; pos inf: 0 pi/2; nonzero nan: nan nan; inf pos|inf: 0 pi/2; inf nan: 0 nan;
    nan finite|nan: nan nan; nan inf: ±0 pi/2`,
  ],
  cosh: [
    'even',
    `0 0: 1 0; 0 inf|nan: nan ±0; nonzero inf|nan: nan nan; inf 0: inf 0; inf 1: inf inf; inf 2: -inf inf; inf 4: -inf -inf;
    inf inf: ±inf nan; inf nan: inf nan; nan zero: nan ±0; nan nonzero|inf|nan: nan nan`,
  ],
  exp: [
    'conjugate',
    `zero 0: 1 0; finite inf|nan: nan nan; inf 0: inf 0; inf 1: inf inf; inf 2: -inf inf; inf 4: -inf -inf; -inf 0|1: 0 0;
    -inf 2: -0 0; -inf 4: -0 -0; -inf inf|nan: ±0 ±0; inf inf|nan: ±inf nan; nan 0: nan 0; nan nonzero|inf|nan: nan nan`,
  ],
  // NumPy keeps the sign of the real zero.
  expm1: [
    'conjugate',
    `0 0: 0 0; -0 0: ±0 0; finite inf|nan: nan nan; inf 0: inf 0; inf 1: inf inf; inf 2: -inf inf; inf 4: -inf -inf;
    -inf 0|1|2: -1 0; -inf 4: -1 -0; -inf inf|nan: -1 ±0; inf inf|nan: ±inf nan; nan 0: nan 0; nan nonzero|inf|nan: nan nan`,
  ],
  log: [
    'conjugate',
    `-0 0: -inf pi; 0 0: -inf 0; finite inf: inf pi/2; finite nan: nan nan; -inf pos: inf pi; inf pos: inf 0;
    -inf inf: inf 3pi/4; inf inf: inf pi/4; infs nan: inf nan; nan finite|nan: nan nan; nan inf: inf nan`,
  ],
  log1p: [
    'conjugate',
    `-1 0: -inf 0; finite inf: inf pi/2; finite nan: nan nan; -inf pos: inf pi; inf pos: inf 0;
    -inf inf: inf 3pi/4; inf inf: inf pi/4; infs nan: inf nan; nan finite|nan: nan nan; nan inf: inf nan`,
  ],
  sinh: [
    'odd',
    `0 0: 0 0; 0 inf|nan: ±0 nan; pos inf|nan: nan nan; inf 0: inf 0; inf 1: inf inf; inf 2: -inf inf; inf 4: -inf -inf;
    inf inf|nan: ±inf nan; nan 0: nan 0; nan nonzero|inf|nan: nan nan`,
  ],
  sqrt: [
    'conjugate',
    `zero 0: 0 0; any inf: inf inf; finite nan: nan nan; -inf pos: 0 inf; inf pos: inf 0; -inf nan: nan ±inf; inf nan: inf nan;
    nan finite|nan: nan nan`,
  ],
  // At infinity the sign of the imaginary part is that of sin(2y), as in C99.
  tanh: [
    'odd',
    `0 0: 0 0; nonzero inf|nan: nan nan; 0 inf|nan: 0 nan; inf 0|0.5|1: 1 0; inf 2: 1 -0; inf inf|nan: 1 ±0; nan 0: nan 0;
    nan nonzero|inf|nan: nan nan`,
  ],
  isfinite: ['none', 'finite finite: 1; any infs|nan: 0; infs|nan any: 0'],
  isinf: ['none', 'any infs: 1; infs any: 1; finite|nan finite|nan: 0'],
  isnan: ['none', 'any nan: 1; nan any: 1; number number: 0'],
  abs: [
    'none',
    'infs any: inf; any infs: inf; zero finite: |y|; finite zero: |x|; nan finite|nan: nan; finite nan: nan',
  ],
  round: ['none', 'zero|infs|1|3|nan 2.5|1.5: x 2; 0.5|-0.5 zero|infs|1|nan: ±0 y'],
  sign: ['none', 'zero zero: 0 0; nan any: nan nan; any nan: nan nan; pos zero: 1 ±0; zero neg: ±0 -1'],
} as const satisfies Readonly<Record<string, readonly [Symmetry, string]>>;

/** A conjugate stands behind each case; of odd and even functions the negatives of both too. */
function mirrored(cases: readonly Case[], symmetry: Symmetry): readonly Case[] {
  if (symmetry === 'none') return cases;
  const conjugates = cases.flatMap((one) => [one, turned(one, conjugate, conjugate)]);
  if (symmetry === 'conjugate') return conjugates;
  return conjugates.flatMap((one) => [one, turned(one, negative, symmetry === 'odd' ? negative : (z) => z)]);
}

type Turn = (z: readonly string[]) => readonly string[];
const conjugate: Turn = ([re = '', im = '']) => [re, negated(im)];
const negative: Turn = (z) => z.map(negated);
/** The product with -i. */
const byI: Turn = ([re = '', im = '']) => [im, negated(re)];
const same: Turn = (z) => z;

function turned(one: Case, operand: Turn, result: Turn): Case {
  return { operands: operand(one.operands), result: result(one.result) };
}

const tables = Object.fromEntries(
  Object.entries(table).map(([name, [symmetry, text]]) => [name, mirrored(casesOf(text), symmetry)]),
) as Readonly<Record<keyof typeof table, readonly Case[]>>;

/** f(z) = -i g(iz), of cases of g. */
const turnedBack = (of: readonly Case[]): readonly Case[] => of.map((one) => turned(one, byI, byI));
const scaled = (of: readonly Case[], scale: number): readonly Case[] => of.map((one) => ({ ...one, scale }));

/** The cases of functions of complex numbers; those that the standard defines by others follow from these. */
export const complexSpecials: Readonly<Record<string, readonly Case[]>> = {
  ...tables,
  asin: turnedBack(tables.asinh),
  atan: turnedBack(tables.atanh),
  sin: turnedBack(tables.sinh),
  tan: turnedBack(tables.tanh),
  cos: tables.cosh.map((one) => turned(one, byI, same)),
  log2: scaled(tables.log, Math.LOG2E),
  log10: scaled(tables.log, Math.LOG10E),
};

/** The cases of arithmetic of two complex numbers: what the standard does not leave open. */
export const complexBinarySpecials: Readonly<Record<string, readonly Case[]>> = {
  add: casesOf(`
    -0 0 -0 -0: -0 0; 0 -0 -0 -0: 0 -0; inf 1 -inf nan: nan nan; nan 1 1 1: nan 2; 1 inf 1 1: 2 inf; 1 2 -1 -2: 0 0`),
  subtract: casesOf(`
    -0 0 0 0: -0 0; 1 -0 1 0: 0 -0; inf 1 inf nan: nan nan; nan 1 1 1: nan 0; 1 inf 1 1: 0 inf; 1 2 1 2: 0 0`),
  multiply: casesOf('nan nan nan nan: nan nan; 1 2 3 4: -5 10'),
  divide: casesOf('nan nan nan nan: nan nan; -5 10 3 4: 1 2'),
};
