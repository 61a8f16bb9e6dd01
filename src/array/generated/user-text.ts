import { nameOf } from '../../core/check.ts';
import type { StructTypes } from '../../core/struct.ts';
import { structDeclarations } from '../../core/struct-text.ts';
import type { Language } from './element.ts';
import { languageWords } from './language-words.ts';

/** What users' texts are compiled with, beside the kernel of theirs. */
export interface UserTextOptions {
  /** C that comes before the kernel: functions, macros, headers. */
  readonly preamble?: string | undefined;
  /** Options of the compiler. */
  readonly options?: readonly string[] | undefined;
  /** Structs by their names in C: their declarations come before the preamble. */
  readonly types?: StructTypes | undefined;
}

/** The head of a source and what follows the prelude: structs, names of the other language, the user's preamble. */
export interface UserText {
  readonly head: string;
  readonly preamble: string;
}

/** 16-bit floats are a type of a header, or of an extension. */
const HALVES: Readonly<Record<Language, readonly (readonly [word: RegExp, text: string])[]>> = {
  cuda: [
    [/\b(?:__half2?|half2?)\b/, '#include <cuda_fp16.h>\n'],
    [/\b__nv_bfloat16\b/, '#include <cuda_bf16.h>\n'],
  ],
  opencl: [[/\bhalf\d*\b/, '#ifdef cl_khr_fp16\n#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#endif\n']],
};

/** Lines of headers at the beginning of a preamble. */
const HEADERS = /^(?:[ \t]*(?:#[ \t]*include\b.*)?\r?\n)+/;

/**
 * What comes before a kernel with a user's texts. Of the other language's words those are defined that the texts use.
 *
 * @param texts - all that the user has written beside the preamble, and the parameters of functions
 */
export function userText(
  language: Language,
  { preamble = '', types }: UserTextOptions,
  texts: readonly string[],
): UserText {
  const ended = preamble === '' || preamble.endsWith('\n') ? preamble : `${preamble}\n`;
  const headers = HEADERS.exec(ended)?.[0] ?? '';
  const own = ended.slice(headers.length);
  const all = [...texts, ended].join('\n');
  const head =
    HALVES[language].flatMap(([word, text]) => (word.test(all) ? [text] : [])).join('') + headers.trimStart();
  const words = new Set(Array.from(all.matchAll(/[A-Za-z_]\w*/g), ([word]) => word));
  const defined = languageWords[language].flatMap((known) => {
    return Array.from(known).flatMap(([word, text]) => (words.has(word) && !defines(own, word) ? [`${text}\n`] : []));
  });
  const structs = types === undefined ? '' : structDeclarations(types, language);
  const parts = [defined.join(''), structs, own].filter((part) => part !== '');
  return { head, preamble: parts.map((part) => `${part}\n`).join('') };
}

/** A text as statements: with the semicolon that may be left out. */
export function statements(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '' || /[;}]$/.test(trimmed)) return trimmed;
  const last = trimmed.slice(trimmed.lastIndexOf('\n') + 1);
  return last.includes('//') ? `${trimmed}\n;` : `${trimmed};`;
}

/** Whether a text makes a macro of a word itself. */
function defines(text: string, word: string): boolean {
  return new RegExp(`#[ \\t]*define[ \\t]+${word}\\b`).test(text);
}

/** Refuse what is no text. */
export function checkText(value: unknown, what: string): asserts value is string {
  if (typeof value === 'string') return;
  throw new TypeError(`${what} must be a text in C, got ${nameOf(value)}`);
}

/** Refuse what is neither left out nor a text, or a list of them. */
export function checkUserOptions({ preamble, options }: UserTextOptions, what: string): void {
  if (preamble !== undefined) checkText(preamble, `${what}: preamble`);
  if (options === undefined) return;
  if (Array.isArray(options) && options.every((option) => typeof option === 'string')) return;
  throw new TypeError(`${what}: options must be a list of the compiler's options, got ${nameOf(options)}`);
}

const NAME = /^[A-Za-z_]\w*$/;

/** The name of a kernel; `kernel` is a word of OpenCL C. */
export function kernelName(value: unknown, usual: string, what: string): string {
  if (value === undefined) return usual;
  if (typeof value === 'string' && NAME.test(value) && value !== 'kernel' && !value.startsWith('__')) return value;
  throw new TypeError(`${what}: name must be one of a function in C, other than kernel, got ${nameOf(value)}`);
}
