import type { ArrayDType } from '../dtype.ts';
import type { Dialect, Parameter } from './dialect.ts';
import { helperText } from './helper-text.ts';

/** A kernel of ours before it is built: what is built once for each text. */
export interface KernelText {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  /** What is between the braces of the kernel. */
  readonly body: string;
  /** Functions and types of this kernel alone, which come after those of the prelude. */
  readonly preamble?: string;
  /** What comes before everything else: headers, which are not to see the prelude. */
  readonly head?: string;
  /** Threads of a group at most, where they are more than fit with as many registers as a compiler likes. */
  readonly threads?: number;
  /** Groups that a multiprocessor is to have at once, beside `threads`: what keeps a compiler from taking more registers. */
  readonly residents?: number;
}

/** What needs 64-bit floats, `double` and its vectors in users' texts. */
const NAMES = /\b(?:f64|c128|double\d*)\b/g;

/** The whole source of one or more kernels, as it is built and as users read it. */
export function sourceOf(kernels: readonly KernelText[], dialect: Dialect): string {
  const heads = kernels.map(({ name, parameters, body, preamble = '', threads, residents }) => {
    return `${preamble}${dialect.signature(name, parameters, threads, residents)} {\n${indent(body.trim())}\n}\n`;
  });
  const text = heads.join('\n');
  const helpers = helperText(text, dialect);
  const used = new Set<ArrayDType>(kernels.flatMap(({ parameters }) => parameters.map(({ dtype }) => dtype)));
  for (const [name] of `${helpers}${text}`.matchAll(NAMES))
    used.add(name.startsWith('d') ? 'f64' : (name as ArrayDType));
  const head = kernels.map(({ head: own = '' }) => own).join('');
  return [head + dialect.prelude + dialect.head(used), helpers, text].filter((part) => part !== '').join('\n');
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' || line.startsWith('#') ? line : `  ${line}`))
    .join('\n');
}
