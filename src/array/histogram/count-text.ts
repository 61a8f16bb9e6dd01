import type { ArrayDType } from '../dtype.ts';
import { conversion, load } from '../kernel/conversion.ts';
import { registerType, storageType, type Parameter } from '../kernel/dialect.ts';
import { packType } from '../kernel/pack.ts';
import { binCall, binNumbers, NO_BIN, type BinAxis } from './bin-rule.ts';

/** The dtype of counters: of numbers of elements, or of sums of weights. */
export type Counter = 'u32' | 'i64' | 'f32' | 'f64';

/** What is counted. */
export interface CountWork {
  readonly axes: readonly BinAxis[];
  /** The dtype of weights; undefined where elements count 1. */
  readonly weights: ArrayDType | undefined;
  readonly counter: Counter;
  /** Whether places and numbers of elements need 64 bits. */
  readonly wide: boolean;
  /** Elements that a thread reads at once; 1 of arrays whose elements do not follow each other. */
  readonly lanes: number;
}

/** The type of places. */
export function placeType({ wide }: CountWork): 'u32' | 'u64' {
  return wide ? 'u64' : 'u32';
}

/** The arrays whose elements are read together. */
export function countedArrays({ axes, weights }: CountWork): { readonly name: string; readonly dtype: ArrayDType }[] {
  const arrays = axes.map(({ dtype }, i) => ({ name: `x${i}`, dtype }));
  return weights === undefined ? arrays : [...arrays, { name: 'weights', dtype: weights }];
}

/**
 * The parameters of a kernel that counts: rows of counters, the notes of integers, the arrays, edges, the number of elements, the
 * first place and, of arrays with gaps, the step of each array, the numbers of each axis of bins, those of the kernel itself.
 */
export function countParameters(work: CountWork, numbers: readonly string[]): Parameter[] {
  const { axes, counter } = work;
  const place = placeType(work);
  const number = (name: string, dtype: ArrayDType): Parameter => ({ name, dtype, kind: 'number' });
  const arrays = countedArrays(work);
  return [
    { name: 'rows', dtype: counter, kind: 'output' },
    ...(hasIntegers(work) ? [{ name: 'notes', dtype: 'u32', kind: 'output' } as const] : []),
    ...arrays.map(({ name, dtype }) => ({ name, dtype, kind: 'input' }) as const),
    ...axes.flatMap(({ rule, compare }, i): Parameter[] => {
      return rule === 'integer' ? [] : [{ name: edgesName(rule, i), dtype: compare, kind: 'input' }];
    }),
    number('n', place),
    ...arrays.flatMap(({ name }) => [
      number(`${name}_at`, place),
      ...(work.lanes === 1 ? [number(`${name}_step`, work.wide ? 'i64' : 'i32')] : []),
    ]),
    ...axes.flatMap((axis, i) => binNumbers(axis, i)),
    ...numbers.map((name) => number(name, name === 'chunk_length' ? place : 'u32')),
  ];
}

/** The parameter with the edges of an axis. Kernels that have explicit ones in shared memory use their name for those. */
function edgesName(rule: BinAxis['rule'], axis: number): string {
  return rule === 'edges' ? `edges_in${axis}` : `edges${axis}`;
}

/** Whether numbers are bins, so that the host is told what they were. */
export function hasIntegers({ axes }: CountWork): boolean {
  return axes.some(({ rule }) => rule === 'integer');
}

/** Lines before the first element: whether a number was below 0 (1) or beyond the bins (2), and the greatest one that was not, and 1. */
export function noteLines(work: CountWork): string {
  return hasIntegers(work) ? 'u32 missed = 0, top = 0;\n' : '';
}

/** The words of `notes`: whether there was a number below 0, one beyond the bins, and the greatest that has a bin, and 1. */
export const NOTES = 3;

/** Lines behind the last element of a thread that is alone. */
export function threadNotes(work: CountWork): string {
  if (!hasIntegers(work)) return '';
  return `
if ((missed & 1) != 0) scatter_max_u32(notes, 0, 1);
if ((missed & 2) != 0) scatter_max_u32(notes, 1, 1);
scatter_max_u32(notes, 2, top);
`;
}

/** What a group of threads has in shared memory to put its notes together, and the lines that begin with it, before a barrier. */
export function groupNotes(work: CountWork): readonly [declaration: string, first: string] {
  if (!hasIntegers(work)) return ['', ''];
  return [`SHARED u32 noted[${NOTES}];\n`, `if (tid < ${NOTES}) noted[tid] = 0;\n`];
}

/** Lines of a group behind its last element; they contain a barrier, or none where nothing is noted. */
export function groupNotesEnd(work: CountWork): string {
  if (!hasIntegers(work)) return '';
  return `
if ((missed & 1) != 0) shared_max_u32(noted, 0, 1);
if ((missed & 2) != 0) shared_max_u32(noted, 1, 1);
shared_max_u32(noted, 2, top);
BARRIER();
if (tid < ${NOTES} && noted[tid] > 0) scatter_max_u32(notes, tid, noted[tid]);
`;
}

/** The lines that declare explicit edges where they are not in shared memory. */
export function edgeLines({ axes }: CountWork): string {
  return axes
    .map(({ rule, compare }, i) =>
      rule === 'edges' ? `GLOBAL const ${storageType(compare)} *edges${i} = ${edgesName(rule, i)};\n` : '',
    )
    .join('');
}

/** The lines that read the element at a place into `bin`, and its weight into `weight`. */
export function elementLines(work: CountWork, i: string): string {
  return binLines(work, (name, dtype) => {
    const step = work.lanes === 1 ? ` * ${name}_step` : '';
    const type = work.wide ? 'i64' : 'i32';
    const place = work.lanes === 1 ? `(${type})${name}_at + (${type})(${i})${step}` : `${name}_at + (${i})`;
    return load(dtype, name, place);
  });
}

/** The same for element `k` of packs that have been read. */
export function packedLines(work: CountWork, k: string): string {
  return binLines(work, (name, dtype) => load(dtype, `${name}_pack[r].v`, k));
}

/** The lines that read packs at a place. */
export function readPacks(work: CountWork, pack: string): string {
  return countedArrays(work)
    .map(({ name, dtype }) => {
      const type = packType(dtype, work.lanes);
      return `${name}_pack[r] = *(GLOBAL const ${type} *)(${name} + ${name}_at + (${pack}) * ${work.lanes});`;
    })
    .join('\n');
}

/** The lines that declare packs of some rounds. */
export function declarePacks(work: CountWork, rounds: number): string {
  return countedArrays(work)
    .map(({ name, dtype }) => `${packType(dtype, work.lanes)} ${name}_pack[${rounds}];`)
    .join('\n');
}

function binLines({ axes, weights, counter }: CountWork, read: (name: string, dtype: ArrayDType) => string): string {
  const lines = axes.flatMap((axis, i) => [
    `const ${registerType(axis.dtype)} e${i} = ${read(`x${i}`, axis.dtype)};`,
    `const u32 b${i} = ${binCall(axis, i, `e${i}`)};`,
  ]);
  const isNone = axes.map((_, i) => `b${i} == ${NO_BIN}`).join(' || ');
  const place = axes.slice(1).reduce((at, _, i) => `(${at}) * bins${i + 1} + b${i + 1}`, 'b0');
  lines.push(`const u32 bin = ${axes.length === 1 ? 'b0' : `${isNone} ? ${NO_BIN} : ${place}`};`);
  if (weights !== undefined) {
    lines.push(
      `const ${registerType(weights)} w = ${read('weights', weights)};`,
      `const ${counter} weight = ${conversion('w', weights, counter)};`,
    );
  }
  return lines.join('\n');
}

/** The name of a kernel. */
export function countName({ axes, weights, counter, lanes, wide }: CountWork, form: string): string {
  const each = axes.map(({ dtype, rule, compare }) => (rule === 'integer' ? dtype : `${dtype}_${rule}_${compare}`));
  const parts = ['count', form, ...each, ...(weights === undefined ? [] : ['by', weights]), `in_${counter}`];
  return [...parts, ...(lanes > 1 ? [`x${lanes}`] : []), ...(wide ? ['wide'] : [])].join('_');
}
