import { AxesText, block } from './axes-text.ts';
import type { Fold, Scout } from './fold.ts';
import type { Place, Reading } from './reading.ts';
import { paused, States } from './states.ts';
import { THREADS, type ReductionWalk } from './walk.ts';
import type { Writing } from './writing.ts';

/** Elements that are looked through at a time. */
const SCOUTED = 256;

/** The body of a kernel whose threads go along the elements to be reduced. */
export function rowsBody(fold: Fold, walk: ReductionWalk, reading: Reading, writing: Writing): string[] {
  const axes = new AxesText(walk, reading);
  const scout = isScouted(fold, walk) ? fold.scout : undefined;
  const states = new States(fold, scout ? 1 : walk.lanes);
  const loop = (): string[] => {
    if (scout) return scoutedLoop(scout, walk, axes, reading, states);
    return walk.isSerial ? serialLoop(fold, walk, axes, reading, states) : parallelLoop(walk, axes, reading, states);
  };
  return [
    ...(walk.isSerial ? [] : [`SHARED ${fold.state} cache[${THREADS}];`]),
    ...itemLines(walk, axes.index),
    ...axes.rows(),
    ...axes.starts(undefined),
    ...states.declaration,
    ...loop(),
    ...states.joined,
    ...(walk.isSerial ? writing.lines(states.first, undefined, 'item') : tree(fold, states.first, writing)),
  ];
}

/** Which elements a thread or a row of threads has. */
function itemLines({ isSerial, to }: ReductionWalk, index: string): string[] {
  const parts = to === 'states';
  const group = `(${index})GROUP_ID(x)`;
  const row = parts
    ? [`const ${index} row = item / chunks, chunk_at = item % chunks * chunk;`]
    : [`const ${index} row = item;`];
  const end = parts ? '(n - chunk_at < chunk ? n : chunk_at + chunk)' : 'n';
  return isSerial
    ? [
        `const ${index} item = ${group} * LOCAL_SIZE(x) + LOCAL_ID(x);`,
        'if (item >= items) return;',
        ...row,
        `const ${index} first = ${parts ? 'chunk_at' : '0'}, end = ${end};`,
      ]
    : [
        `const ${index} item = ${group} * LOCAL_SIZE(y) + LOCAL_ID(y);`,
        ...row,
        `const ${index} first = ${parts ? 'chunk_at' : '0'}, end = item < items ? ${end} : 0;`,
      ];
}

/** One thread, one element behind the other. */
function serialLoop(fold: Fold, walk: ReductionWalk, axes: AxesText, reading: Reading, states: States): string[] {
  const { lanes, inner } = walk;
  const run = (begin: string, end: string, place: (i: string) => Place): string[] => [
    `${axes.index} i = ${begin};`,
    ...paused(fold, walk, states, [axes.index, 'i'], end, lanes, (into, stop) => {
      const [pointers, near] = reading.pointers(place('i'), stepOf(walk), place('(i + k)').at);
      const many = [...pointers, ...into.each(reading.take(into.any, near))];
      return [
        ...(lanes === 1 ? [] : block(`for (; ${stop} - i >= ${lanes}; i += ${lanes})`, many)),
        ...block(`for (; i < ${stop}; i++)`, reading.take(into.first, place('i'))),
      ];
    }),
  ];
  if (inner === 1) return run('first', 'end', (i) => axes.place(i)[1]);
  return block(`for (${axes.index} j = first; j < end;)`, [
    `const ${axes.index} line = j / length0, begin = j % length0;`,
    `const ${axes.index} stop = end - j < length0 - begin ? begin + (end - j) : length0;`,
    ...axes.line('line'),
    ...run('begin', 'stop', (i) => axes.placeInLine(i)),
    'j += stop - begin;',
  ]);
}

/** How far the element `k` of those that a thread has at once is from the first one, in an array. */
function stepOf({ isUnit }: ReductionWalk): (name: string) => string {
  return (name) => (isUnit ? 'k' : `k * ${name}_step0`);
}

/** Whether elements are looked through before they are taken: a thread has all of a row, in order. */
function isScouted({ scout }: Fold, { isSerial, lanes, inner, from }: ReductionWalk): boolean {
  return scout !== undefined && isSerial && lanes > 1 && inner === 1 && from === 'elements';
}

/** One thread looks through all elements, some at a time, and takes those alone among which it has found what matters. */
function scoutedLoop(scout: Scout, walk: ReductionWalk, axes: AxesText, reading: Reading, states: States): string[] {
  const { index } = axes;
  const { lanes } = walk;
  const best = new States(scout.fold, 1, 'best');
  const found = new States(scout.fold, lanes, 'found');
  const look = reading.by(scout.fold);
  const place = (i: string): Place => axes.place(i)[1];
  const [pointers, near] = look.pointers(place('i'), stepOf(walk), 'i');
  return [
    `${index} i = first, taken = end;`,
    ...best.declaration,
    ...block('while (i < end)', [
      `const ${index} begin = i, pause = end - i > ${SCOUTED} ? i + ${SCOUTED} : end;`,
      ...found.declaration,
      ...block(`for (; pause - i >= ${lanes}; i += ${lanes})`, [
        ...pointers,
        ...found.each(look.take(found.any, near)),
      ]),
      ...block('for (; i < pause; i++)', look.take(found.first, place('i'))),
      ...found.joined,
      ...block(`if (${scout.matters(best.first, found.first)})`, [`${best.first} = ${found.first};`, 'taken = begin;']),
    ]),
    ...block(`for (i = taken; i < end && i - taken < ${SCOUTED}; i++)`, reading.take(states.first, place('i'))),
  ];
}

/** A row of threads: neighbours have elements that are neighbours. */
function parallelLoop(walk: ReductionWalk, axes: AxesText, reading: Reading, states: States): string[] {
  const { lanes, isPacked } = walk;
  const { index } = axes;
  const [lines, place] = axes.place(lanes > 1 && !isPacked ? 'i' : 'j');
  const at = (text: string): string => (text === 'j' ? 'j + k' : text);
  if (lanes === 1) {
    return block(`for (${index} j = first + LOCAL_ID(x); j < end; j += LOCAL_SIZE(x))`, [
      ...lines,
      ...reading.take(states.first, place),
    ]);
  }
  if (isPacked) {
    const [reads, each] = reading.takePack(
      states.any,
      place,
      reading.hasPlaceSteps ? `${place.at} + k * place_step0` : at(place.at),
    );
    return [
      `${index} j = first + LOCAL_ID(x) * ${lanes};`,
      ...block(`for (; j + ${lanes} <= end; j += LOCAL_SIZE(x) * ${lanes})`, [
        ...lines,
        ...reads,
        ...states.each(each),
      ]),
      ...block('for (; j < end; j++)', [...lines, ...reading.take(states.first, place)]),
    ];
  }
  return [
    `${index} j = first + LOCAL_ID(x);`,
    ...block(
      `for (; j + ${lanes - 1} * LOCAL_SIZE(x) < end; j += ${lanes} * LOCAL_SIZE(x))`,
      states.each([`const ${index} i = j + k * LOCAL_SIZE(x);`, ...lines, ...reading.take(states.any, place)]),
    ),
    ...block('for (; j < end; j += LOCAL_SIZE(x))', [
      `const ${index} i = j;`,
      ...lines,
      ...reading.take(states.first, place),
    ]),
  ];
}

/** The states of a row of threads become one by halves. */
function tree(fold: Fold, state: string, writing: Writing): string[] {
  return [
    'const u32 t = LOCAL_ID(y) * LOCAL_SIZE(x) + LOCAL_ID(x);',
    `cache[t] = ${state};`,
    ...block('for (u32 by = LOCAL_SIZE(x) / 2; by > 0; by /= 2)', [
      'BARRIER();',
      ...block('if (LOCAL_ID(x) < by)', [
        `const ${fold.state} one = cache[t], other = cache[t + by];`,
        `cache[t] = ${fold.join('one', 'other')};`,
      ]),
    ]),
    ...block('if (LOCAL_ID(x) == 0 && item < items)', [
      `const ${fold.state} whole = cache[t];`,
      ...writing.lines('whole', undefined, 'item'),
    ]),
  ];
}
