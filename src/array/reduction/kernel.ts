import type { ArrayDType } from '../dtype.ts';
import type { Parameter } from '../kernel/dialect.ts';
import type { KernelText } from '../kernel/source.ts';
import { columnsBody } from './columns.ts';
import { foldPreamble } from './fold.ts';
import { Reading } from './reading.ts';
import { mappedText, type MappedText, type Reduction } from './reduction.ts';
import { rowsBody } from './rows.ts';
import { walkName, type ReductionWalk } from './walk.ts';
import { Writing } from './writing.ts';

/**
 * The kernel of a reduction. Its parameters: the result, or the fields of states; inputs; memories of a user's text; the divisor,
 * where results have one; the text's numbers;
 * the place of each array's first element. Then the number of reduced elements, how many of them one state takes and how many
 * states there are (of kernels that write states), the number of threads' pieces (`items`; of kernels by columns that of
 * columns, and how many pieces a row of columns is). Then axes, from the last to the first: the lengths of those that stay, but
 * for the first; the steps of inputs along them, along the columns, and along the reduced ones; the lengths of reduced axes but
 * for the first; the steps of the result; for the places of elements those of the reduced axes.
 */
export function reductionKernel(work: Reduction, walk: ReductionWalk): KernelText {
  const fold = work.fold(walk.isWide ? 'u64' : 'u32');
  const reading = new Reading(work, walk, fold);
  const writing = new Writing(work, walk, fold);
  const mapped = mappedText(work);
  const body =
    walk.geometry === 'rows' ? rowsBody(fold, walk, reading, writing) : columnsBody(fold, walk, reading, writing);
  return {
    name: `${work.name}_${walkName(walk)}`,
    parameters: parametersOf(walk, reading, writing, fold.divisor, mapped),
    body: body.join('\n'),
    head: mapped?.head ?? '',
    preamble: reading.packs + (mapped?.preamble ?? '') + foldPreamble(fold),
  };
}

function parametersOf(
  walk: ReductionWalk,
  reading: Reading,
  writing: Writing,
  divisor: ArrayDType | undefined,
  mapped: MappedText | undefined,
): Parameter[] {
  const { geometry, isSerial, isUnit, outer, inner, isWide, to } = walk;
  const index: ArrayDType = isWide ? 'u64' : 'u32';
  const step: ArrayDType = isWide ? 'i64' : 'i32';
  const number = (name: string, dtype: ArrayDType = index): Parameter => ({ name, dtype, kind: 'number' });
  const steps = (name: string, from: number, end: number): Parameter[] =>
    Array.from({ length: Math.max(end - from, 0) }, (_, i) => number(`${name}${from + i}`, step));
  const isColumns = geometry === 'columns';
  return [
    ...writing.arrays.map((array): Parameter => ({ ...array, kind: 'output' })),
    ...reading.arrays.map((array): Parameter => ({ ...array, kind: 'input' })),
    ...(mapped?.memories ?? []),
    ...(to === 'results' && divisor !== undefined ? [number('divisor', divisor)] : []),
    ...(mapped?.numbers ?? []),
    ...[...writing.arrays, ...reading.arrays].map(({ name }) => number(`${name}_at`)),
    number('n'),
    ...(to === 'states' ? [number('chunk'), number('chunks')] : []),
    ...(isColumns ? [number('columns'), number('column_pieces')] : []),
    ...(!isColumns || isSerial ? [number('items')] : []),
    ...Array.from({ length: Math.max(outer - 1, 0) }, (_, i) => number(`rows${i}`)),
    ...reading.arrays.flatMap(({ name }) => [
      ...steps(`${name}_row`, 0, outer),
      ...(isColumns && !isUnit ? [number(`${name}_column`, step)] : []),
      ...steps(`${name}_step`, !isColumns && isUnit ? 1 : 0, inner),
    ]),
    ...Array.from({ length: inner - 1 }, (_, i) => number(`length${i}`)),
    ...(to === 'results' ? [...steps('out_row', 0, outer), ...(isColumns ? [number('out_column', step)] : [])] : []),
    ...(reading.hasPlaceSteps ? Array.from({ length: inner }, (_, i) => number(`place_step${i}`)) : []),
  ];
}
