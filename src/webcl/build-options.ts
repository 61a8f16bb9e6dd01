import { WebCLException } from './exception.ts';

/** The options that WebCL has, besides `-D`. */
const KNOWN: ReadonlySet<string> = new Set([
  '-cl-opt-disable',
  '-cl-single-precision-constant',
  '-cl-denorms-are-zero',
  '-cl-mad-enable',
  '-cl-no-signed-zeros',
  '-cl-unsafe-math-optimizations',
  '-cl-finite-math-only',
  '-cl-fast-relaxed-math',
  '-w',
  '-Werror',
]);
const DEFINITION = /^[A-Za-z_]\w*(?:=.*)?$/;

/** Refuse build options that WebCL does not have. */
export function checkBuildOptions(options: unknown): string {
  if (options === undefined || options === null) return '';
  if (typeof options !== 'string') throw new WebCLException('INVALID_BUILD_OPTIONS', 'The options must be a string');
  const words = options.match(/\S+/g) ?? [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    if (KNOWN.has(word)) continue;
    const definition = word === '-D' ? words[++i] : word.startsWith('-D') ? word.slice(2) : undefined;
    if (definition !== undefined && DEFINITION.test(definition)) continue;
    throw new WebCLException('INVALID_BUILD_OPTIONS', `WebCL has no build option ${word}: it has -D and ${LIST}`);
  }
  return options;
}

const LIST = [...KNOWN].join(', ');
