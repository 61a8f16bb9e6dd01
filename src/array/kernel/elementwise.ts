import { arrayDTypes, type ArrayDType } from '../dtype.ts';
import { BodyText } from '../expression/body.ts';
import type { Elementwise } from '../expression/node.ts';
import { load, stored } from './conversion.ts';
import { registerType, storageType, type Parameter } from './dialect.ts';
import { packType, packTypes } from './pack.ts';
import { lengthType, placeType, walkLines, walkParameters, type RowWalk } from './row-walk.ts';
import type { KernelText } from './source.ts';

/** How a kernel walks over its arrays: row by row, or where they have no gaps and `rank` is 0, from the first to the last. */
export interface Walk extends RowWalk {
  /** Elements that a thread has at once: of arrays without gaps as many as 16 bytes hold, else some along a row. */
  readonly lanes: number;
  /** Inputs, as bits, of which every thread reads the same element: of arrays without gaps, or along a row of a thread. */
  readonly single: number;
  /** Whether a thread has elements of a row that follow each other in memory: for devices whose threads run one after another. */
  readonly isSerial: boolean;
}

/** Places of an operand's axes in an index: the last axis comes first. */
interface Operand {
  readonly name: string;
  readonly dtype: ArrayDType;
  readonly isOutput: boolean;
  readonly isSingle: boolean;
}

/**
 * The kernel of an expression. Its parameters: outputs, inputs, numbers, the place of each array's first element; then the
 * number of elements, or for arrays with gaps the length of rows, the number of rows, how many groups a row takes, the lengths
 * of the axes between the last and the first, and each array's strides from the last axis to the first.
 */
export function elementwiseKernel(work: Elementwise, walk: Walk): KernelText {
  const operands: Operand[] = [
    ...work.outputs.map(({ dtype }, i) => ({ name: `out${i}`, dtype, isOutput: true, isSingle: false })),
    ...work.inputs.map((dtype, i) => {
      return { name: `in${i}`, dtype, isOutput: false, isSingle: ((walk.single >> i) & 1) === 1 };
    }),
  ];
  const text = computation(work, walk);
  const index = lengthType(walk);
  const { statement } = work;
  const parameters: Parameter[] = [
    ...operands.map(({ name, dtype, isOutput }) => ({ name, dtype, kind: isOutput ? 'output' : 'input' }) as const),
    ...(statement?.parameters ?? []),
    ...numbersOf(work),
    ...(walk.rank === 0 ? flatParameters(operands, index) : walkParameters(namesOf(operands), walk)),
  ];
  const name = `${work.name}_${suffix(walk)}`;
  const { head = '', preamble = '' } = statement ?? {};
  const kernel = { name, parameters, head, preamble };
  if (walk.isSerial) return { ...kernel, body: serialBody(operands, text, walk) };
  if (walk.rank > 0) return { ...kernel, body: stridedBody(operands, text, walk) };
  if (walk.lanes === 1) return { ...kernel, body: flatBody(operands, text, index) };
  const packed = operands.filter(({ isSingle }) => !isSingle).map(({ dtype }) => dtype);
  const types = packTypes(packed, walk.lanes);
  return { ...kernel, body: packedBody(operands, text, walk, index), preamble: types + preamble };
}

function flatParameters(operands: readonly Operand[], dtype: ArrayDType): Parameter[] {
  return [...operands.map(({ name }) => `${name}_at`), 'n'].map((name) => ({ name, dtype, kind: 'number' }));
}

function suffix({ lanes, rank, wide, single, isSerial }: Walk): string {
  const many = isSerial ? '_rows' : lanes > 1 ? `_${lanes}at` : '';
  const shape = rank > 0 ? `${rank}d${many}` : lanes > 1 ? `by${lanes}` : 'flat';
  return `${shape}${single === 0 ? '' : `_one${single}`}${wide ? '_wide' : ''}`;
}

/** The lines between reading and writing, and the text of each output. */
interface Computation {
  readonly lines: readonly string[];
  readonly outputs: readonly string[];
  /** Whether the lines read the place of the element. */
  readonly hasPlace: boolean;
  /** Whether an element may depend on what was written with another one. */
  readonly isDependent: boolean;
}

function computation(work: Elementwise, walk: Walk): Computation {
  const { statement } = work;
  if (statement !== undefined) {
    const size = walk.rank === 0 ? 'n' : 'rows * row_length';
    const { lines, outputs } = statement.lines('place', size);
    const texts = outputs.map((text, i) => stored(work.outputs[i]?.dtype ?? 'f32', text));
    return {
      lines: [...numberLines(work), ...lines],
      outputs: texts,
      hasPlace: statement.hasPlace,
      isDependent: statement.writesMemory,
    };
  }
  const body = new BodyText();
  const outputs = work.outputs.flatMap(({ dtype, node }) => {
    return node === undefined ? [] : [stored(dtype, body.converted(node, dtype))];
  });
  return { lines: [...numberLines(work), ...body.lines], outputs, hasPlace: body.hasPlace, isDependent: false };
}

/** The place of an element in row-major order, where the computation reads it. */
function placeLines({ hasPlace }: Computation, index: string, place: string): string[] {
  return hasPlace ? [`const ${index} place = ${place};`] : [];
}

/** A complex number is given by its two parts. */
function numbersOf({ scalars }: Elementwise): Parameter[] {
  return scalars.flatMap((dtype, i): Parameter[] => {
    const { kind, part } = arrayDTypes[dtype];
    if (kind !== 'complex') return [{ name: `${dtype === 'bool' ? 'b' : 's'}${i}`, dtype, kind: 'number' }];
    return ['re', 'im'].map((name) => ({ name: `s${i}_${name}`, dtype: part, kind: 'number' }));
  });
}

/** Numbers that a kernel cannot have as parameters are put together first. */
function numberLines(work: Elementwise): string[] {
  return work.scalars.flatMap((dtype, i) => {
    if (dtype === 'bool') return [`const bool s${i} = b${i} != 0;`];
    if (arrayDTypes[dtype].kind !== 'complex') return [];
    return [`const ${dtype} s${i} = ${dtype.toUpperCase()}(s${i}_re, s${i}_im);`];
  });
}

function read(operand: Operand, at: string): string {
  const { name, isSingle } = operand;
  return readFrom(operand, name, isSingle || at === '' ? `${name}_at` : `${name}_at + ${at}`);
}

/** The line that reads an operand's element, where it is. */
function readFrom({ name, dtype }: Operand, memory: string, place: string): string {
  return `const ${registerType(dtype)} ${elementOf(name)} = ${load(dtype, memory, place)};`;
}

function flatBody(operands: readonly Operand[], text: Computation, index: string): string {
  return `
const ${index} i = (${index})GROUP_ID(x) * LOCAL_SIZE(x) + LOCAL_ID(x);
if (i >= n) return;
${element(operands, text, 'i', index)}`;
}

function element(operands: readonly Operand[], text: Computation, at: string, index: string): string {
  const reads = operands.filter(({ isOutput }) => !isOutput).map((operand) => read(operand, at));
  const writes = text.outputs.map((value, i) => `out${i}[out${i}_at + ${at}] = ${value};`);
  return [...placeLines(text, index, at), ...reads, ...text.lines, ...writes].join('\n');
}

function packedBody(operands: readonly Operand[], text: Computation, { lanes }: Walk, index: string): string {
  const inputs = operands.filter(({ isOutput, isSingle }) => !isOutput && !isSingle);
  const outputs = operands.filter(({ isOutput }) => isOutput);
  const loads = inputs.map(({ name, dtype }) => {
    return `const ${packType(dtype, lanes)} ${name}_pack = *(GLOBAL const ${packType(dtype, lanes)} *)(${name} + ${name}_at + i);`;
  });
  const values = operands
    .filter(({ isOutput }) => !isOutput)
    .map((operand) => {
      return operand.isSingle ? read(operand, '') : readFrom(operand, `${operand.name}_pack.v`, 'k');
    });
  const writes = text.outputs.map((value, i) => `out${i}_pack.v[k] = ${value};`);
  return `
const ${index} i = ((${index})GROUP_ID(x) * LOCAL_SIZE(x) + LOCAL_ID(x)) * ${lanes};
if (i + ${lanes} <= n) {
${indent([
  ...loads,
  ...outputs.map(({ name, dtype }) => `${packType(dtype, lanes)} ${name}_pack;`),
  'UNROLL',
  `for (int k = 0; k < ${lanes}; k++) {`,
  ...[...placeLines(text, index, 'i + k'), ...values, ...text.lines, ...writes].map((line) => `  ${line}`),
  '}',
  ...outputs.map(
    ({ name, dtype }) => `*(GLOBAL ${packType(dtype, lanes)} *)(${name} + ${name}_at + i) = ${name}_pack;`,
  ),
])}
} else {
  for (${index} j = i; j < n; j++) {
${indent(element(operands, text, 'j', index).split('\n'), 4)}
  }
}`;
}

function stridedBody(operands: readonly Operand[], text: Computation, walk: Walk): string {
  const inputs = operands.filter(({ isOutput }) => !isOutput);
  const lines = walkLines(namesOf(operands), walk, walk.lanes);
  const first = 'row * row_length + i0';
  if (walk.lanes === 1) {
    return [
      lines,
      ...inputs.map((operand) => readFrom(operand, operand.name, `${operand.name}_i`)),
      ...placeLines(text, lengthType(walk), first),
      ...text.lines,
      ...text.outputs.map((value, i) => `out${i}[out${i}_i] = ${value};`),
    ].join('\n');
  }
  // All are read before the first one is written: memory answers many reads at once.
  const at = (name: string): string => `${name}_i + (${placeType(walk)})(k * LOCAL_SIZE(x)) * ${name}_step0`;
  const loop = (body: readonly string[]): string[] => [
    'UNROLL',
    `for (u32 k = 0; k < ${walk.lanes}; k++) {`,
    '  if (i0 + k * LOCAL_SIZE(x) < row_length) {',
    ...body.map((line) => `    ${line}`),
    '  }',
    '}',
  ];
  return [
    lines,
    ...inputs.map(({ name, dtype }) => `${registerType(dtype)} ${name}_row[${walk.lanes}];`),
    ...loop(inputs.map(({ name, dtype }) => `${name}_row[k] = ${load(dtype, name, at(name))};`)),
    ...loop([
      ...inputs.map(({ name, dtype }) => `const ${registerType(dtype)} ${elementOf(name)} = ${name}_row[k];`),
      ...placeLines(text, lengthType(walk), `${first} + k * LOCAL_SIZE(x)`),
      ...text.lines,
      ...text.outputs.map((value, i) => `out${i}[${at(`out${i}`)}] = ${value};`),
    ]),
  ].join('\n');
}

/** The loop of a thread along a row. Elements that it writes are those that it reads at the same step, or no one's. */
function serialBody(operands: readonly Operand[], text: Computation, walk: Walk): string {
  const index = lengthType(walk);
  const inputs = operands.filter(({ isOutput }) => !isOutput);
  const along = operands.filter(({ isSingle }) => !isSingle);
  return [
    walkLines(namesOf(operands), walk, walk.lanes),
    ...inputs.filter(({ isSingle }) => isSingle).map((operand) => readFrom(operand, operand.name, `${operand.name}_i`)),
    ...along.map(({ name, dtype, isOutput }) => {
      return `GLOBAL ${isOutput ? '' : 'const '}${storageType(dtype)} *${name}_row = ${name} + ${name}_i;`;
    }),
    `const ${index} count = row_length - i0 < ${walk.lanes} ? row_length - i0 : ${walk.lanes};`,
    ...(text.isDependent ? [] : ['INDEPENDENT']),
    `for (${index} k = 0; k < count; k++) {`,
    indent([
      ...inputs.filter(({ isSingle }) => !isSingle).map((operand) => readFrom(operand, `${operand.name}_row`, 'k')),
      ...placeLines(text, index, 'row * row_length + i0 + k'),
      ...text.lines,
      ...text.outputs.map((result, i) => `out${i}_row[k] = ${result};`),
    ]),
    '}',
  ].join('\n');
}

/** The variable that has the element of an input. */
function elementOf(name: string): string {
  return name.replace('in', 'x');
}

function namesOf(operands: readonly Operand[]): string[] {
  return operands.map(({ name }) => name);
}

function indent(lines: readonly string[], by = 2): string {
  return lines.map((line) => `${' '.repeat(by)}${line}`).join('\n');
}
