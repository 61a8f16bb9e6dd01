import { arrayDTypes, type ArrayDType } from '../dtype.ts';
import { conversion, load, stored } from '../kernel/conversion.ts';
import { registerType, type Parameter } from '../kernel/dialect.ts';

/** The dtypes of a product of matrices, or of sums where there is no second operand. */
export interface ProductWork {
  readonly left: ArrayDType;
  readonly right: ArrayDType | undefined;
  /** What both are computed in. */
  readonly result: ArrayDType;
  readonly output: ArrayDType;
}

/** The axes of batches that a kernel has. */
export const BATCH_AXES = 3;

/** The dtype of sums: integers wrap around in unsigned ones, of truth values there is 0 and 1, halves add up in f32. */
export function sumTypeOf(result: ArrayDType): ArrayDType {
  const { kind, size } = arrayDTypes[result];
  if (kind === 'complex') return result;
  if (kind === 'float') return size === 2 ? 'f32' : result;
  return size === 8 ? 'u64' : 'u32';
}

/** Zero in C. */
export function zeroText(sumType: ArrayDType): string {
  return arrayDTypes[sumType].kind === 'complex' ? `${sumType.toUpperCase()}(0, 0)` : '0';
}

/** The text of an operand's element as it is computed with. */
export function operandText({ result, left, right }: ProductWork, name: 'a' | 'b', at: string): string {
  const dtype = name === 'a' ? left : (right ?? left);
  const element = load(dtype, name, at);
  const sumType = sumTypeOf(result);
  if (result === 'bool') return `(u32)${conversion(element, dtype, 'bool')}`;
  // What a negative fraction is as an integer, the unsigned integers of sums do not know.
  const isSigned = arrayDTypes[result].kind === 'int' && arrayDTypes[dtype].kind === 'float';
  return isSigned ? `(${sumType})${conversion(element, dtype, result)}` : conversion(element, dtype, sumType);
}

/** The line that adds a product to a sum. */
export function addProductText({ result }: ProductWork, sum: string, a: string, b: string): string {
  if (result === 'bool') return `${sum} |= ${a} & ${b};`;
  if (arrayDTypes[result].kind !== 'complex') return `${sum} += ${a} * ${b};`;
  return `${sum}.x += ${a}.x * ${b}.x - ${a}.y * ${b}.y; ${sum}.y += ${a}.x * ${b}.y + ${a}.y * ${b}.x;`;
}

/** The line that adds to a sum. */
export function addText({ result }: ProductWork, sum: string, a: string): string {
  if (result === 'bool') return `${sum} |= ${a};`;
  if (arrayDTypes[result].kind !== 'complex') return `${sum} += ${a};`;
  return `${sum}.x += ${a}.x; ${sum}.y += ${a}.y;`;
}

/** The text of a sum as memory has it: what an output of the sums' own dtype has is added up later. */
export function outputText({ result, output }: ProductWork, sum: string): string {
  if (result === 'bool') return stored(output, conversion(`(${sum} != 0)`, 'bool', output));
  const isInteger = arrayDTypes[result].kind === 'int' || arrayDTypes[result].kind === 'uint';
  const own = isInteger ? `((${result})${sum})` : sum;
  return stored(output, conversion(own, registerType(result) as ArrayDType, output));
}

/** Names of numbers that places are counted from, along with the steps of batches. */
function batchSteps(name: string, stride: ArrayDType): Parameter[] {
  return Array.from({ length: BATCH_AXES }, (_, axis) => {
    return { name: `${name}_batch${axis}`, dtype: stride, kind: 'number' } as const;
  });
}

/**
 * The parameters of a kernel: memories, the places of the first elements, the numbers that are given by name, the number of parts
 * of the contracted axis, the length of each and the distance between their outputs, the lengths of the first axes of batches, the
 * steps that are given by name, and those of batches.
 */
export function productParameters(
  work: ProductWork,
  wide: boolean,
  numbers: readonly string[],
  steps: readonly string[],
): Parameter[] {
  const index: ArrayDType = wide ? 'u64' : 'u32';
  const stride: ArrayDType = wide ? 'i64' : 'i32';
  const number = (dtype: ArrayDType, names: readonly string[]): Parameter[] =>
    names.map((name) => ({ name, dtype, kind: 'number' }));
  const names = work.right === undefined ? ['a'] : ['a', 'b'];
  return [
    { name: 'out', dtype: work.output, kind: 'output' },
    { name: 'a', dtype: work.left, kind: 'input' },
    ...(work.right === undefined ? [] : [{ name: 'b', dtype: work.right, kind: 'input' } as const]),
    ...number(
      index,
      ['out', ...names].map((name) => `${name}_at`),
    ),
    ...number(index, [...numbers, 'splits', 'split_length', 'out_split', 'batch_n0', 'batch_n1']),
    ...number(stride, steps),
    ...['out', ...names].flatMap((name) => batchSteps(name, stride)),
  ];
}

/**
 * The lines that find the part of the contracted axis (`k_begin`, `k_end`) and the places of a batch (`out0`, `a0`, `b0`) of what
 * is left of a group's number in `group`.
 */
export function batchText({ right }: ProductWork, wide: boolean): string {
  const [index, stride] = wide ? ['u64', 'i64'] : ['u32', 'i32'];
  const place = (name: string): string =>
    `${name}_at + (${stride})batch0 * ${name}_batch0 + (${stride})batch1 * ${name}_batch1 + (${stride})batch2 * ${name}_batch2`;
  return `
const ${index} split = group % splits, batch = group / splits;
const ${index} batch0 = batch % batch_n0, batch_rest = batch / batch_n0;
const ${index} batch1 = batch_rest % batch_n1, batch2 = batch_rest / batch_n1;
const ${index} k_begin = split * split_length;
const ${index} k_end = k_begin + split_length < k_length ? k_begin + split_length : k_length;
const ${stride} out0 = (${stride})(split * out_split) + (${stride})${place('out')};
const ${stride} a0 = (${stride})${place('a')};
${right === undefined ? '' : `const ${stride} b0 = (${stride})${place('b')};`}`.trim();
}

/** The name of a kernel. */
export function productName(form: string, work: ProductWork, parts: readonly string[], wide: boolean): string {
  const { left, right, result, output } = work;
  return [
    form,
    left,
    ...(right === undefined ? [] : [right]),
    ...(result === left ? [] : ['in', result]),
    ...(output === result ? [] : ['to', output]),
    ...parts,
    ...(wide ? ['wide'] : []),
  ].join('_');
}
