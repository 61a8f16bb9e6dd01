import { checkOptions } from '../core/check.ts';
import { isWhole } from '../core/public-object.ts';
import { copyInto, empty } from './apply.ts';
import { describeArray, formatArray } from './format.ts';
import { formatHtml } from './format-html.ts';
import { bytesOf, elementReader } from './host-data.ts';
import { get } from './function/transfer.ts';
import { contiguous, type Layout } from './layout.ts';
import { engineOf, laneOf, viewOf, type NDArray } from './ndarray.ts';
import { given, printOptions, type PrintOptions } from './print-options.ts';
import { shownRanges, type Printable } from './printable.ts';
import { sizeOf } from './shape.ts';

/** The names of the methods that Node.js and notebooks call. */
export const INSPECT: symbol = Symbol.for('nodejs.util.inspect.custom');
export const DISPLAY: symbol = Symbol.for('Jupyter.display');
const NAME = 'NDArray';

/** {@link NDArray.toString}: the text of the elements, as NumPy's `str` has it. Host: blocks. */
export function toText(array: NDArray, options?: Partial<PrintOptions>): string {
  if (array.closed) return `${NAME}(closed)`;
  const read = optionsFor(options, 'toString');
  return formatArray(printableOf(array, read), read);
}

/** What `console.log` prints: NumPy's `repr`. What cannot be read now is told by its shape and the reason. */
export function inspected(array: NDArray, depth = 0): string {
  // What inherits from an array has no memory to read.
  if (!isWhole(array)) return NAME;
  if (array.closed) return `${NAME}(closed)`;
  // An element of something that is not shown to this depth.
  if (depth < 0) return `[${NAME} ${captionOf(array)}]`;
  try {
    const read = printOptions();
    return describeArray(printableOf(array, read), read);
  } catch (error) {
    return unread(array, error);
  }
}

/** What notebooks show, by its MIME type. */
export function displayed(array: NDArray): Record<string, string> {
  if (array.closed) return { 'text/plain': `${NAME}(closed)` };
  try {
    const read = printOptions();
    const printable = printableOf(array, read);
    return {
      'text/plain': describeArray(printable, read),
      'text/html': formatHtml(printable, `${NAME}, ${captionOf(array)}`, read),
    };
  } catch (error) {
    return { 'text/plain': unread(array, error) };
  }
}

function optionsFor(options: Partial<PrintOptions> | undefined, what: string): PrintOptions {
  checkOptions(options, Object.keys(printOptions()), what);
  return { ...printOptions(), ...given(options) };
}

function captionOf({ shape, dtype }: NDArray): string {
  return `shape=(${shape.join(', ')}${shape.length === 1 ? ',' : ''}), dtype=${dtype}`;
}

function unread(array: NDArray, error: unknown): string {
  const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return `${NAME}(<not read: ${reason}>, ${captionOf(array)})`;
}

/** An array whose shown elements are on the host: all, or its corners, which come in one copy. */
function printableOf(array: NDArray, options: PrintOptions): Printable {
  const { shape, dtype } = array;
  if (engineOf(array).isRecording?.(laneOf(array)) === true) {
    throw new TypeError('work is being captured, and a read would end that');
  }
  const ranges = shownRanges(shape, options);
  const shown = ranges.map((indices) => indices.length);
  const isWhole = sizeOf(shown) === array.size;
  const element = elementReader(dtype, bytesOf(isWhole ? get(array) : cornersOf(array, ranges, shown)));
  const places = ranges.map((indices) => new Map(indices.map((index, place) => [index, place])));
  return {
    shape,
    dtype,
    element: (index) => {
      let at = 0;
      for (let axis = 0; axis < shown.length; axis++) {
        at = at * (shown[axis] as number) + (places[axis]?.get(index[axis] as number) as number);
      }
      return element(at);
    },
  };
}

/** The elements at the first and the last indices of each axis. */
function cornersOf(array: NDArray, ranges: readonly (readonly number[])[], shown: readonly number[]): ArrayBufferView {
  const lane = laneOf(array);
  const gathered = empty(engineOf(array), shown, array.dtype, lane);
  try {
    for (const { from, to } of blocksOf(array, ranges, contiguous(shown))) {
      const [source, target] = [viewOf(array, from), viewOf(gathered, to)];
      try {
        copyInto(target, source, lane);
      } finally {
        source.close();
        target.close();
      }
    }
    return get(gathered);
  } finally {
    gathered.close();
  }
}

interface Block {
  readonly from: Layout;
  readonly to: Layout;
}

/** What is shown in pieces of neighbours, of the array and of the place that gathers them. */
function blocksOf(array: Layout, ranges: readonly (readonly number[])[], gathered: Layout): readonly Block[] {
  let blocks: readonly Block[] = [{ from: array, to: gathered }];
  for (const [axis, indices] of ranges.entries()) {
    const gap = indices.findIndex((index, place) => index !== place);
    const pieces =
      gap < 0
        ? [[0, 0, indices.length]]
        : [
            [0, 0, gap],
            [indices[gap] as number, gap, indices.length - gap],
          ];
    blocks = blocks.flatMap(({ from, to }) =>
      pieces.map(([start = 0, place = 0, length = 0]) => ({
        from: part(from, axis, start, length),
        to: part(to, axis, place, length),
      })),
    );
  }
  return blocks;
}

function part({ shape, strides, offset }: Layout, axis: number, start: number, length: number): Layout {
  return { shape: shape.with(axis, length), strides, offset: offset + start * (strides[axis] as number) };
}
