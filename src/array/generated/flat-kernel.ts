import { indent } from '../kernel/indent.ts';
import type { Parameter } from '../kernel/dialect.ts';
import type { KernelText } from '../kernel/source.ts';
import type { Language } from './element.ts';
import type { KernelArguments } from './kernel-arguments.ts';
import { statements, userText, type UserTextOptions } from './user-text.ts';

/** What a user has written of an elementwise kernel with an index. */
export interface FlatWork extends UserTextOptions {
  readonly name: string;
  readonly parameters: KernelArguments;
  readonly operation: string;
  /** What each thread does before its elements, and behind them. */
  readonly loopPrep: string;
  readonly afterLoop: string;
}

/** How a kernel goes over the indices. */
export interface FlatWalk {
  /** Indices of a thread, a group's width apart; 0 where each has a row of them, as on processors. */
  readonly each: number;
  /** The threads of a group. */
  readonly width: number;
  /** Whether indices have a start and a step. */
  readonly isRange: boolean;
  /** Whether each element that is written is reached by one parameter alone: then reads need not wait for writes. */
  readonly isApart: boolean;
}

/**
 * The kernel of a text over an index. Its parameters: memories, those that may be written first; where arrays begin; `n`, the
 * elements of the first array; the number of indices, the first one and the step, where they are given; where threads have rows,
 * the length of those; the numbers.
 */
export function flatKernel(work: FlatWork, walk: FlatWalk, language: Language): KernelText {
  const { name, parameters, operation, loopPrep, afterLoop } = work;
  const isLoop = loopPrep !== '' || afterLoop !== '';
  const formals = parameters.formals(language);
  const { head, preamble } = userText(language, work, [formals, operation, loopPrep, afterLoop]);
  const number = (each: string): Parameter => ({ name: each, dtype: 'i64', kind: 'number' });
  const numbers = ['n', ...(walk.isRange ? ['count', 'first', 'step'] : []), ...(walk.each === 0 ? ['run'] : [])];
  return {
    name: kernelNameOf(name, walk),
    head,
    preamble: `${preamble}${isLoop ? loopFunction(work, formals) : elementFunction(work, formals)}\n`,
    parameters: [
      ...parameters.memories.map((memory) => ({ ...memory, isAlone: walk.isApart })),
      ...parameters.offsets,
      ...numbers.map(number),
      ...parameters.scalars,
    ],
    body: isLoop ? loopBody(work, walk, language) : elementBody(work, walk, language),
  };
}

function kernelNameOf(name: string, { each, isRange, isApart }: FlatWalk): string {
  return [name, each === 0 ? 'rows' : each === 1 ? '' : `by${each}`, isRange ? 'range' : '', isApart ? '' : 'shared']
    .filter((word) => word !== '')
    .join('_');
}

/** The names that a function has beside the user's parameters; `n` may be one of these. */
function ownNames({ parameters }: FlatWork): string[] {
  return parameters.named('n') === undefined ? ['i', 'n'] : ['i'];
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(', ');
}

/** Of one index. In a loop, so that `continue` ends it, and in a function, so that `return` does. */
function elementFunction(work: FlatWork, formals: string): string {
  const own = ownNames(work).map((name) => `const i64 ${name}`);
  return `FN void ${work.name}_element(${joined([formals, ...own])}) {
  do {
${indent(indent(statements(work.operation)))}
  } while (0);
}
`;
}

/** Of all indices of a thread. */
function loopFunction(work: FlatWork, formals: string): string {
  const own = ['first', 'step', 'begin', 'end', 'stride'].map((name) => `const i64 rk_${name}`);
  const n = ownNames(work)
    .slice(1)
    .map((name) => `const i64 ${name}`);
  return `FN void ${work.name}_loop(${joined([formals, ...own, ...n])}) {
${indent(statements(work.loopPrep))}
  for (i64 rk_k = rk_begin; rk_k < rk_end; rk_k += rk_stride) {
    const i64 i = rk_first + rk_k * rk_step;
    {
${indent(indent(indent(statements(work.operation))))}
    }
  }
${indent(statements(work.afterLoop))}
}
`;
}

function elementBody(work: FlatWork, { each, width, isRange }: FlatWalk, language: Language): string {
  const actuals = work.parameters.actuals(language);
  const count = isRange ? 'count' : 'n';
  const call = (k: string): string => {
    const i = isRange ? `first + (${k}) * step` : k;
    return `${work.name}_element(${joined([actuals, i, ...ownNames(work).slice(1)])});`;
  };
  if (each === 0) {
    return `
${rowLines(count)}
for (i64 k = begin; k < end; k++) ${call('k')}`;
  }
  if (each === 1) {
    return `
const i64 k = (i64)GROUP_ID(x) * ${width} + LOCAL_ID(x);
if (k < ${count}) ${call('k')}`;
  }
  // Distances that compilers know let them read ahead of what is written.
  return `
const i64 begin = (i64)GROUP_ID(x) * ${width * each} + LOCAL_ID(x);
if (begin + ${width * (each - 1)} < ${count}) {
  UNROLL
  for (int k = 0; k < ${each}; k++) ${call(`begin + k * ${width}`)}
} else {
  for (i64 k = begin; k < ${count}; k += ${width}) ${call('k')}
}`;
}

function loopBody(work: FlatWork, { each, width, isRange }: FlatWalk, language: Language): string {
  const count = isRange ? 'count' : 'n';
  const range = isRange ? ['first', 'step'] : ['0', '1'];
  const stride = each === 0 ? '1' : `(i64)GROUPS(x) * ${width}`;
  const own = [...range, 'begin', 'end', stride, ...ownNames(work).slice(1)];
  const lines =
    each === 0 ? rowLines(count) : `const i64 begin = (i64)GROUP_ID(x) * ${width} + LOCAL_ID(x), end = ${count};`;
  return `
${lines}
${work.name}_loop(${joined([work.parameters.actuals(language), ...own])});`;
}

/** The indices that a thread has in a row. */
function rowLines(count: string): string {
  return `const i64 begin = ((i64)GROUP_ID(x) * LOCAL_SIZE(x) + LOCAL_ID(x)) * run;
const i64 end = ${count} - begin < run ? ${count} : begin + run;`;
}
