import { AxesText, block } from './axes-text.ts';
import type { Fold } from './fold.ts';
import type { Reading } from './reading.ts';
import { paused, States } from './states.ts';
import { THREADS, type ReductionWalk } from './walk.ts';
import type { Writing } from './writing.ts';

/** Rows whose elements a thread reads at once. */
const ROWS = 4;

/** The body of a kernel whose threads go along columns, the elements of an axis that stays, and down the reduced axes. */
export function columnsBody(fold: Fold, walk: ReductionWalk, reading: Reading, writing: Writing): string[] {
  const axes = new AxesText(walk, reading);
  const { lanes, isSerial } = walk;
  const states = new States(fold, lanes);
  return [
    ...(isSerial ? [] : [`SHARED ${fold.state} cache[${THREADS}];`]),
    ...itemLines(walk, axes.index),
    ...axes.rows(),
    ...axes.starts('column'),
    ...states.declaration,
    ...(isSerial ? serialLoops(fold, walk, axes, reading, states) : parallelLoop(walk, axes, reading, states)),
    ...states.each(isSerial ? guarded(lanes, writing, states.any) : tree(fold, states.any, lanes, writing)),
  ];
}

/** Which columns and which reduced elements a thread has. */
function itemLines({ lanes, isSerial, to }: ReductionWalk, index: string): string[] {
  const times = lanes === 1 ? '' : ` * ${lanes}`;
  const parts = to === 'states';
  const end = parts ? '(n - first < chunk ? n : first + chunk)' : 'n';
  const group = `(${index})GROUP_ID(x)`;
  const pieces = isSerial
    ? [
        `const ${index} item = ${group} * LOCAL_SIZE(x) + LOCAL_ID(x);`,
        'if (item >= items) return;',
        `const ${index} piece = item / column_pieces, column = item % column_pieces${times};`,
      ]
    : [
        `const ${index} piece = ${group} / column_pieces;`,
        `const ${index} column = (${group} % column_pieces * LOCAL_SIZE(x) + LOCAL_ID(x))${times};`,
      ];
  return [
    ...pieces,
    ...(parts
      ? [`const ${index} row = piece / chunks, first = piece % chunks * chunk;`]
      : [`const ${index} row = piece, first = 0;`]),
    `const ${index} end = ${isSerial ? end : `column < columns ? ${end} : first`};`,
  ];
}

function serialLoops(fold: Fold, walk: ReductionWalk, axes: AxesText, reading: Reading, states: States): string[] {
  const { lanes, isUnit } = walk;
  const [lines, place] = axes.place('j');
  const [pointers, near] = reading.pointers(place, (name) => (isUnit ? 'k' : `k * ${name}_column`), place.at);
  const loop = (reads: readonly string[], take: (into: States) => string[]): string[] => [
    `${axes.index} j = first;`,
    ...paused(fold, walk, states, [axes.index, 'j'], 'end', 1, (into, stop) => {
      return block(`for (; j < ${stop}; j++)`, [...lines, ...reads, ...into.each(take(into))]);
    }),
  ];
  if (lanes === 1) return loop([], (into) => reading.take(into.any, place));
  return [
    ...block(
      `if (columns - column >= ${lanes})`,
      loop(pointers, (into) => reading.take(into.any, near)),
    ),
    ...block(
      'else',
      loop(pointers, (into) => block('if (column + k < columns)', reading.take(into.any, near))),
    ),
  ];
}

function parallelLoop(walk: ReductionWalk, axes: AxesText, reading: Reading, states: States): string[] {
  const [lines, place] = axes.place('i');
  const [reads, take] = walk.lanes === 1 ? [[], []] : reading.takePack(states.any, place, place.at);
  const body =
    walk.lanes === 1 ? [...lines, ...reading.take(states.first, place)] : [...lines, ...reads, ...states.each(take)];
  const { index } = axes;
  const step = 'LOCAL_SIZE(y)';
  // Several rows at once: memory answers many reads at once.
  return [
    `${index} j = first + LOCAL_ID(y);`,
    ...block(`for (; j < end && end - j > ${ROWS - 1} * ${step}; j += ${ROWS} * ${step})`, [
      'UNROLL',
      ...block(`for (u32 r = 0; r < ${ROWS}; r++)`, [`const ${index} i = j + r * ${step};`, ...body]),
    ]),
    ...block(`for (; j < end; j += ${step})`, [`const ${index} i = j;`, ...body]),
  ];
}

function guarded(lanes: number, writing: Writing, state: string): string[] {
  const column = lanes === 1 ? 'column' : 'column + k';
  const lines = writing.lines(state, column, `piece * columns + ${column}`);
  return lanes === 1 ? lines : block('if (column + k < columns)', lines);
}

/** The states of a column of threads become one by halves. */
function tree(fold: Fold, state: string, lanes: number, writing: Writing): string[] {
  const column = lanes === 1 ? 'column' : 'column + k';
  return [
    'const u32 t = LOCAL_ID(y) * LOCAL_SIZE(x) + LOCAL_ID(x);',
    `cache[t] = ${state};`,
    ...block('for (u32 by = LOCAL_SIZE(y) / 2; by > 0; by /= 2)', [
      'BARRIER();',
      ...block('if (LOCAL_ID(y) < by)', [
        `const ${fold.state} one = cache[t], other = cache[t + by * LOCAL_SIZE(x)];`,
        `cache[t] = ${fold.join('one', 'other')};`,
      ]),
    ]),
    ...block('if (LOCAL_ID(y) == 0 && column < columns)', [
      `const ${fold.state} whole = cache[t];`,
      ...writing.lines('whole', column, `piece * columns + ${column}`),
    ]),
    // Thread (x, 0) alone reads and then writes its place of the cache; the others wait for the last column to be joined.
    ...(lanes === 1 ? [] : ['BARRIER();']),
  ];
}
