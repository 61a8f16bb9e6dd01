/**
 * A case: the words of its operands, and those of its result. Of complex numbers both parts are words.
 *
 * - numbers, `inf`, `nan`
 * - `-nan`: NaN with the sign bit; as a result `+nan` and `-nan` ask for the sign bit, `nan` does not
 * - `max`, `tiny`: the greatest finite number of the dtype, and its least normal one
 * - `±0`, `±inf`, …: a result of either sign
 * - `3pi/4`: a result that may be some units away
 */
export interface Case {
  readonly operands: readonly string[];
  readonly result: readonly string[];
  /** What results with pi are multiplied by. */
  readonly scale?: number;
}

/** The parts of numbers, as a dtype has them. */
export type Part = 'f16' | 'f32' | 'f64';

/** The greatest finite number, the least normal one, and the number of bits of a significand. */
const LIMITS: Readonly<Record<Part, readonly [max: number, tiny: number, digits: number]>> = {
  f16: [65504, 2 ** -14, 11],
  f32: [0xffffff * 2 ** 104, 2 ** -126, 24],
  f64: [Number.MAX_VALUE, 2 ** -1022, 53],
};

/** Units in the last place that a result with pi may be away: OpenCL allows 6. */
const ULPS = 8;

/** Words for several operands. */
const SETS: Readonly<Record<string, string>> = {
  zero: '0|-0',
  pos: '0.5|1|3',
  neg: '-0.5|-1|-3',
  nonzero: 'pos|neg',
  finite: 'zero|nonzero',
  infs: 'inf|-inf',
  number: 'finite|infs',
  any: 'number|nan',
};

function alternatives(word: string): string[] {
  return word.split('|').flatMap((each) => {
    const set = SETS[each];
    return set === undefined ? [each] : alternatives(set);
  });
}

/**
 * The cases of a text: `operands: result`, separated by semicolons. An operand may be several words, `0|-0`, or the name of a
 * set, `finite`. A result may be the operand `x` or `y`, `-x`, `|x|`.
 */
export function casesOf(text: string): readonly Case[] {
  return text.split(';').flatMap((line) => {
    const [left = '', right = ''] = line.split(':').map((side) => side.trim());
    if (left === '' || right === '') throw new Error(`no case: ${line}`);
    let rows: string[][] = [[]];
    for (const word of left.split(/\s+/)) {
      rows = rows.flatMap((row) => alternatives(word).map((each) => [...row, each]));
    }
    return rows.map((operands) => ({ operands, result: right.split(/\s+/).map((word) => named(word, operands)) }));
  });
}

function named(word: string, [x = '', y = '']: readonly string[]): string {
  if (!/^(?:-?[xy]|\|[xy]\|)$/.test(word)) return word;
  const operand = word.includes('x') ? x : y;
  if (word.startsWith('|')) return operand.replace('-', '');
  return word.startsWith('-') ? negated(operand) : operand;
}

/** The word of the negative number. */
export function negated(word: string): string {
  if (word === 'nan' || word.startsWith('±')) return word;
  return word.startsWith('-') ? word.slice(1) : `-${word}`;
}

/** The number of a word that is no NaN with a sign. */
export function numberOf(word: string, part: Part): number {
  const [max, tiny] = LIMITS[part];
  const size = word.replace(/^[-±]/, '');
  const known: Readonly<Record<string, number>> = { inf: Infinity, nan: NaN, max, tiny };
  const value = known[size] ?? Number(size);
  if (Number.isNaN(value) && size !== 'nan') throw new Error(`no number: ${word}`);
  return word.startsWith('-') ? -value : value;
}

/** Whether a number, whose sign bit may be known, is what a word says. */
export function isWord(got: number, word: string, part: Part, scale = 1, isNegative?: boolean): boolean {
  if (/^[-+]nan$/.test(word) && isNegative !== undefined)
    return Number.isNaN(got) && isNegative === word.startsWith('-');
  if (word.endsWith('nan')) return Number.isNaN(got);
  const [value, to] = word.startsWith('±') ? [Math.abs(got), word.slice(1)] : [got, word];
  const [, sign, times, by] = /^(-?)(\d*)pi(?:\/(\d))?$/.exec(to) ?? [];
  if (sign === undefined) return Object.is(value, numberOf(to, part));
  const near = ((Number(times || 1) * Math.PI) / Number(by ?? 1)) * (sign === '-' ? -scale : scale);
  return Math.abs(value - near) <= ULPS * Math.abs(near) * 2 ** -LIMITS[part][2];
}
