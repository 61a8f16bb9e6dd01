import type { ArrayDType } from '../dtype.ts';
import { storageType, type Parameter } from '../kernel/dialect.ts';
import { indent } from '../kernel/indent.ts';
import { packType, packTypes } from '../kernel/pack.ts';
import type { KernelText } from '../kernel/source.ts';
import { philoxText } from './philox-text.ts';

/**
 * How elements are made of the words of a generator. Elements come in units: those of one counter. The texts read the number of a
 * unit as `unit`; `DRAW(n)` are the words of its n-th block, of as many as it wants.
 */
export interface DrawText {
  /** Different for each text. */
  readonly name: string;
  readonly dtype: ArrayDType;
  /** Elements of a unit. */
  readonly lanes: 1 | 2 | 4;
  /** Numbers that the text reads. */
  readonly numbers: readonly Parameter[];
  /** Arrays without gaps. */
  readonly inputs?: readonly DrawInput[];
  /** Functions that the text calls. */
  readonly preamble?: string;
  /** The lines that set `value[0]` to `value[lanes - 1]`. Where `retry` is given, they set the bits of `again` for those that they could not. */
  readonly lines: string;
  /** The lines of a loop that sets these, by `DRAW(attempt)`, until `again` is 0. */
  readonly retry?: string;
  /** The value of `again` by `value[0]`, where that alone tells: elements that were written are not made once more to know. */
  readonly isOpen?: string;
}

/** An array that a text reads: the element at `place`, for units of one element, or wherever it wants. */
export interface DrawInput extends Parameter {
  readonly isTable?: boolean;
}

/** How kernels go over units. */
export interface DrawLayout {
  /** Units of a thread that follow each other in a loop, on processors; else each thread has some that lie `threads` apart. */
  readonly isSerial: boolean;
  /** Threads of a group. */
  readonly threads: number;
  /** Whether the elements of a unit are written at once. */
  readonly isPacked: boolean;
}

/** Units of a thread that does not go along a run of them. */
export const THREAD_UNITS = 4;
/** Units of a run that are looked through together for elements to be drawn again. */
const CHUNK = 64;

/** Loops whose units are put into vectors, two of them at once where they have 16 bytes. Some compilers try twice, and warn once. */
const LOOPS = `\
#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed"
#define BLOCKS _Pragma("clang loop vectorize(assume_safety) vectorize_width(8)")
#else
#define BLOCKS
#endif`;

const NUMBERS: readonly Parameter[] = (['out_at', 'n', 'run', 'c0', 'c1', 'c3', 'k0', 'k1'] as const).map((name) => {
  return { name, dtype: name === 'out_at' ? 'u64' : 'u32', kind: 'number' };
});

/**
 * The kernel of a text. Its parameters: the result, inputs, the place of the first element of each, the text's numbers; the place of
 * the first element of the result, the number of elements, the units of a run, the counter's words, the key. A launch stays within one lap of the counter's lowest word.
 */
export function drawKernel(text: DrawText, { isSerial, threads, isPacked }: DrawLayout): KernelText {
  const { name, dtype, lanes, numbers, inputs = [], preamble = '' } = text;
  const pack = isPacked ? packTypes([dtype], lanes) : '';
  return {
    name: `${name}_${isSerial ? 'runs' : isPacked ? 'packs' : 'elements'}`,
    parameters: [
      { name: 'out', dtype, kind: 'output' },
      ...inputs.map((input) => ({ ...input, name: `all_${input.name}` })),
      ...inputs.map((input) => ({ name: `${input.name}_at`, dtype: 'u64', kind: 'number' }) as const),
      ...numbers,
      ...NUMBERS,
    ],
    preamble: `${pack}${philoxText}
${LOOPS}
#define DRAW(block) philox(c0 + unit, c1, (u32)(block), c3, k0, k1)

${preamble}`,
    body: `
GLOBAL ${storageType(dtype)} *const to = out + out_at;
${inputs.map((input) => `GLOBAL const ${storageType(input.dtype)} *const ${input.name} = all_${input.name} + ${input.name}_at;\n`).join('')}\
${isSerial ? serialBody(text) : groupBody(text, threads, isPacked)}`,
  };
}

/** The lines of one unit, up to its values. */
function unitLines({ dtype, lanes, lines, retry }: DrawText): string {
  const values = `${storageType(dtype)} value[${lanes}];`;
  return retry === undefined ? `${values}\n${lines}` : `${values}\nu32 again = 0;\n${lines}\n${retryLines(retry)}`;
}

function retryLines(retry: string): string {
  return `for (u32 attempt = 1; again != 0; attempt++) {\n${indent(retry)}\n}`;
}

/** The lines that write the elements of a unit that may be the last one, which is not whole. */
function partLines(lanes: number): string {
  return Array.from({ length: lanes }, (_, k) => `if (at + ${k} < n) to[at + ${k}] = value[${k}];`).join('\n');
}

function wholeLines(lanes: number): string {
  return Array.from({ length: lanes }, (_, k) => `to[at + ${k}] = value[${k}];`).join('\n');
}

function groupBody(text: DrawText, threads: number, isPacked: boolean): string {
  const { dtype, lanes } = text;
  const units = threads * THREAD_UNITS;
  const type = packType(dtype, lanes);
  const packed = [
    `${type} pack;`,
    ...Array.from({ length: lanes }, (_, k) => `pack.v[${k}] = value[${k}];`),
    `*(GLOBAL ${type} *)(to + at) = pack;`,
  ].join('\n');
  const of = (lines: string): string => `\
  const u32 unit = first + j * ${threads}, place = unit${lanes === 1 ? '' : ` * ${lanes}`};
  const u64 at = place;
${indent(unitLines(text))}
${indent(lines)}`;
  return `
const u32 first = GROUP_ID(x) * ${units} + LOCAL_ID(x);
if ((GROUP_ID(x) + 1) * ${units * lanes} <= n) {
  UNROLL
  for (u32 j = 0; j < ${THREAD_UNITS}; j++) {
${indent(of(isPacked ? packed : wholeLines(lanes)))}
  }
} else {
  for (u32 j = 0; j < ${THREAD_UNITS} && (first + j * ${threads}) * ${lanes} < n; j++) {
${indent(of(partLines(lanes)))}
  }
}`;
}

/** The loops of a thread. Blocks of a run are put into vectors; elements that draw again come after. */
function serialBody(text: DrawText): string {
  const { dtype, lanes, lines, retry, isOpen } = text;
  const whole = wholeLines(lanes);
  const each = (from: string, to: string, body: string): string => `\
for (u64 j = ${from}; j < ${to}; j++) {
  const u32 unit = first + (u32)j, place = unit${lanes === 1 ? '' : ` * ${lanes}`};
  const u64 at = (u64)first * ${lanes} + j * ${lanes};
${indent(body)}
}`;
  const drawn = `${unitLines(text)}\n${whole}`;
  const values = `${storageType(dtype)} value[${lanes}];`;
  const repaired =
    isOpen === undefined
      ? drawn
      : `${values}\nvalue[0] = to[at];\nu32 again = ${isOpen};\n${retryLines(retry ?? '')}\n${whole}`;
  const run =
    retry === undefined
      ? `${lanes > 1 ? 'BLOCKS\n' : ''}${each('0', 'whole', drawn)}`
      : `\
for (u64 i = 0; i < whole; i += ${CHUNK}) {
  const u64 end = i + ${CHUNK} < whole ? i + ${CHUNK} : whole;
  u32 again = 0;
  BLOCKS
${indent(each('i', 'end', `${values}\n${lines}\n${whole}`))}
  if (again != 0) {
${indent(indent(each('i', 'end', repaired)))}
  }
}`;
  const rest = each('whole', `whole + (n % ${lanes} != 0)`, `${unitLines(text)}\n${partLines(lanes)}`);
  return `
const u32 first = (GROUP_ID(x) * LOCAL_SIZE(x) + LOCAL_ID(x)) * run;
const u32 all = n / ${lanes};
if (first > all) return;
const u64 whole = all - first < run ? all - first : run;
${run}
${lanes === 1 ? '' : `if (whole < run) {\n${indent(rest)}\n}`}`;
}
