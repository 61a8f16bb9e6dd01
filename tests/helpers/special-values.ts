import { casesOf, negated, type Case } from './special-table.ts';

// The special cases that the Array API lists for floats. Where it leaves a choice, it is the one that NumPy made; cases of
// IEEE 754 and C99 stand beside them.

/** The cases of functions of one operand. */
export const unarySpecials: Readonly<Record<string, readonly Case[]>> = Object.fromEntries(
  Object.entries({
    abs: 'nan: nan; any: |x|; max|-max|tiny|-tiny: |x|',
    acos: 'nan|3|-3|inf|-inf: nan; 1: 0; -1: pi; zero: pi/2',
    acosh: 'nan|0.5|zero|neg|-inf: nan; 1: 0; inf: inf',
    asin: 'nan|3|-3|inf|-inf: nan; zero: x; 1: pi/2; -1: -pi/2',
    asinh: 'nan|zero|inf|-inf: x',
    atan: 'nan|zero: x; inf: pi/2; -inf: -pi/2',
    atanh: 'nan|3|-3|inf|-inf: nan; zero: x; 1: inf; -1: -inf',
    ceil: 'nan|zero|infs|1|-1|3|-3|max|-max: x; 0.5: 1; -0.5: -0; 2.5: 3; -2.5: -2',
    cos: 'nan|infs: nan; zero: 1',
    cosh: 'nan: nan; zero: 1; infs: inf',
    exp: 'nan: nan; zero: 1; inf: inf; -inf: 0; max: inf; -max: 0',
    expm1: 'nan|zero|inf: x; -inf: -1; max: inf; -max: -1',
    floor: 'nan|zero|infs|1|-1|3|-3|max|-max: x; 0.5: 0; -0.5: -1; 2.5: 2; -2.5: -3',
    isfinite: 'finite|max|-max|tiny: 1; nan|infs: 0',
    isinf: 'finite|max|-max|nan: 0; infs: 1',
    isnan: 'number|max|-max: 0; nan|-nan: 1',
    log: 'nan|neg|-max|-tiny|-inf: nan; zero: -inf; 1: 0; inf: inf',
    log1p: 'nan|-3|-max|-inf: nan; -1: -inf; zero|inf: x',
    log2: 'nan|neg|-max|-tiny|-inf: nan; zero: -inf; 1: 0; inf: inf',
    log10: 'nan|neg|-max|-tiny|-inf: nan; zero: -inf; 1: 0; inf: inf',
    negative: 'any|max: -x',
    positive: 'any|max: x',
    reciprocal: 'nan: nan; 0: inf; -0: -inf; inf: 0; -inf: -0; 1|-1: x',
    round: 'nan|zero|infs|1|-1|3|-3|max|-max: x; 0.5: 0; -0.5: -0; 1.5|2.5: 2; -1.5|-2.5: -2; 3.5: 4',
    sign: 'nan: nan; zero: 0; pos|max|tiny|inf: 1; neg|-max|-tiny|-inf: -1',
    signbit: '0|pos|inf|nan|tiny: 0; -0|neg|-inf|-nan|-tiny: 1',
    sin: 'nan|infs: nan; zero: x',
    sinh: 'nan|zero|infs: x; max: inf; -max: -inf',
    sqrt: 'nan|neg|-max|-tiny|-inf: nan; zero|inf|1: x',
    square: 'nan: nan; zero: 0; infs|max|-max: inf; 3|-3: 9; tiny|-tiny: 0',
    tan: 'nan|infs: nan; zero: x',
    tanh: 'nan|zero: x; inf|max: 1; -inf|-max: -1',
    trunc: 'nan|zero|infs|1|-1|3|-3|max|-max: x; 0.5: 0; -0.5: -0; 2.5: 2; -2.5: -2',
  }).map(([name, text]) => [name, casesOf(text)]),
);

const sums = commuted(`
  nan any: nan; inf -inf: nan; inf inf|finite: inf; -inf -inf|finite: -inf;
  -0 -0: -0; -0 0: 0; 0 0: 0; zero nonzero: y; 3 -3: 0; max max: inf; -max -max: -inf; max -max: 0`);

/** The cases of functions of two operands. */
export const binarySpecials: Readonly<Record<string, readonly Case[]>> = {
  add: sums,
  // Defined as a sum.
  subtract: sums.map(({ operands: [x = '', y = ''], result }) => ({ operands: [x, negated(y)], result })),
  multiply: commuted(`
    nan any: nan; infs zero: nan; inf inf|pos: inf; inf -inf|neg: -inf; -inf -inf|neg: inf; -inf pos: -inf;
    0 0|pos: 0; 0 -0|neg: -0; -0 -0|neg: 0; -0 pos: -0; 1 nonzero: y; -1 nonzero: -y;
    max max|3: inf; max -max|-3: -inf; tiny tiny: 0; tiny -tiny: -0`),
  divide: casesOf(`
    nan any: nan; any nan: nan; infs infs: nan; zero zero: nan; 0 pos|inf: 0; -0 pos|inf: -0; 0 neg|-inf: -0; -0 neg|-inf: 0;
    pos|inf 0: inf; pos|inf -0: -inf; neg|-inf 0: -inf; neg|-inf -0: inf;
    inf pos: inf; inf neg: -inf; -inf pos: -inf; -inf neg: inf; pos inf: 0; pos -inf: -0; neg inf: -0; neg -inf: 0;
    nonzero 1: x; nonzero -1: -x; max 0.5: inf; max -0.5: -inf; tiny max: 0; tiny -max: -0`),
  // As in Python, which the standard allows: a quotient of infinity is NaN, one that is just below 0 is -1.
  floorDivide: casesOf(`
    nan any: nan; any nan: nan; infs infs: nan; zero zero: nan; 0 pos|inf: 0; -0 pos|inf: -0; 0 neg|-inf: -0; -0 neg|-inf: 0;
    pos|inf 0: inf; pos|inf -0: -inf; neg|-inf 0: -inf; neg|-inf -0: inf; infs nonzero: nan;
    pos inf: 0; pos -inf: -1; neg inf: -1; neg -inf: 0; 3 2: 1; -3 2: -2; 3 -2: -2; -3 -2: 1; 0.5 3: 0; -0.5 -3: 0; 0.5 -3: -1`),
  remainder: casesOf(`
    nan any: nan; any nan: nan; infs infs|nonzero: nan; any zero: nan; zero pos: 0; zero neg: -0;
    pos inf: x; pos -inf: y; neg inf: y; neg -inf: x; 3 2: 1; -3 2: 1; 3 -2: -1; -3 -2: -1; -3 3: 0; 3 -3: -0`),
  pow: casesOf(`
    any zero: 1; 1 any: 1; zero|0.5|3|neg|infs|nan nan: nan; nan nonzero|infs: nan;
    3|-3|max|-max inf: inf; 3|-3|max|-max -inf: 0; -1 infs: 1; 0.5|-0.5|zero inf: 0; 0.5|-0.5|zero -inf: inf;
    inf pos|inf|max: inf; inf neg|-inf|-max: 0; -inf 1|3: -inf; -inf 0.5|2|inf|max: inf; -inf -1|-3: -0; -inf -0.5|-2|-inf: 0;
    0 pos|max: 0; 0 neg|-max: inf; -0 1|3: -0; -0 0.5|2|max: 0; -0 -1|-3: -inf; -0 -0.5|-2|-max: inf; neg|-max 0.5|-0.5|1.5: nan`),
  atan2: casesOf(`
    nan any: nan; any nan: nan; pos zero: pi/2; neg zero: -pi/2; 0 0|pos|inf: 0; 0 -0|neg|-inf: pi; -0 0|pos|inf: -0;
    -0 -0|neg|-inf: -pi; pos inf: 0; pos -inf: pi; neg inf: -0; neg -inf: -pi; inf finite: pi/2; -inf finite: -pi/2;
    inf inf: pi/4; inf -inf: 3pi/4; -inf inf: -pi/4; -inf -inf: -3pi/4`),
  hypot: commuted('infs any: inf; zero finite|max|-max: |y|; nan finite|nan: nan; max|-max max: inf'),
  copysign: casesOf(`
    number|max 0|pos|inf|nan: |x|; nan|-nan 0|pos|inf|nan: +nan; nan|-nan -0|neg|-inf|-nan: -nan;
    zero -0|neg|-inf|-nan: -0; 3|-3 -0|neg|-inf|-nan: -3; infs -0|neg|-inf|-nan: -inf`),
  nextafter: casesOf(`
    nan any: nan; any nan: nan; 0|-0 0: 0; 0|-0 -0: -0; 1 1: 1; inf inf: inf; max inf: inf; -max -inf: -inf; inf 0: max; -inf 0: -max`),
  logaddexp: commuted('nan any: nan; inf number: inf; -inf -inf: -inf; -inf nonzero|max|-max: y; max -max: max'),
  // Of two zeros either would do.
  maximum: commuted('nan any: nan; inf number: inf; -inf number: y; pos neg|zero: x; zero neg: x; zero zero: ±0'),
  minimum: commuted('nan any: nan; -inf number: -inf; inf number: y; neg pos|zero: x; zero pos: x; zero zero: ±0'),
};

/** The reductions that have cases. */
export type ReductionName = 'sum' | 'prod' | 'max' | 'min' | 'mean' | 'var';

/** The cases of reductions, of three elements. */
export const reductionSpecials: Readonly<Record<ReductionName, readonly Case[]>> = {
  sum: casesOf(
    'nan|inf|3 1 nan: nan; inf -inf 1: nan; inf 1 3: inf; 0 -inf -3: -inf; max max 1: inf; -0 0 0: 0; 3 -3 0: 0',
  ),
  prod: casesOf('nan|inf|3 0 nan: nan; inf 0 1: nan; inf -1 1: -inf; max max -1: -inf; -0 1 1: -0; -0 -1 1: 0'),
  max: casesOf('nan inf 1: nan; inf 1 nan: nan; -inf -inf 1: 1; inf 1 -inf: inf; -inf -inf -inf: -inf'),
  min: casesOf('nan -inf 1: nan; -inf 1 nan: nan; inf inf 1: 1; inf 1 -inf: -inf; inf inf inf: inf'),
  mean: casesOf('nan|inf|3 1 nan: nan; inf -inf 1: nan; inf 1 3: inf; 0 -inf -3: -inf; 1 2 3: 2'),
  var: casesOf('nan|inf|3 1 nan: nan; 3 3 3: 0'),
};

/** The same of complex numbers, whose parts are added apart. */
export const complexReductionSpecials: Readonly<Partial<Record<ReductionName, readonly Case[]>>> = {
  sum: casesOf('nan 1 1 2 1 -3: nan 0; 1 inf 1 1 1 -inf: 3 nan; inf 1 1 1 1 1: inf 3'),
  mean: casesOf('nan 1 1 2 1 3: nan 2; 1 inf 2 1 3 -inf: 2 nan; inf 1 1 2 1 3: inf 2'),
};

/** The cases, and the same with the operands the other way round. */
function commuted(text: string): readonly Case[] {
  return casesOf(text).flatMap(({ operands, result }) => [
    { operands, result },
    { operands: operands.toReversed(), result },
  ]);
}
