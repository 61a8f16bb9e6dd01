import { nameOf } from '../../core/check.ts';
import { parseDeclarations } from '../../core/signature.ts';

// Lets the compiler tell the names and types of a kernel's parameters.
const ARGUMENT_INFO = '-cl-kernel-arg-info';

/** One text of what a user gave as options. */
export function joinOptions(options: unknown, what: string): string {
  if (typeof options === 'string') return options.trim();
  if (!Array.isArray(options) || ![...(options as unknown[])].every((option) => typeof option === 'string')) {
    throw new TypeError(`${what} takes its options as a string or a list of strings, got ${nameOf(options)}`);
  }
  return (options as string[]).map(quoted).join(' ');
}

/** The options, and a wish to be told about parameters. */
export function withArgumentInfo(options: string): string {
  return options.includes(ARGUMENT_INFO) ? options : `${options} ${ARGUMENT_INFO}`.trim();
}

/**
 * Whether a source can be asked about parameters without a second try: NVIDIA's compiler writes for a kernel that has
 * none what its assembler refuses, and of a part of a program that shows when it is linked.
 */
export function takesArgumentInfo(source: string): boolean {
  return parseDeclarations(source, 'opencl').every(({ parameters }) => parameters.length > 0);
}

/** One option of a list: what has spaces in it is quoted, without a `-D` or `-I` that stands apart. */
function quoted(option: string): string {
  const text = option.trim();
  const [, flag, value] = /^(-[DI])\s+(\S.*)$/s.exec(text) ?? [];
  if (flag !== undefined && value !== undefined) return `${flag} ${quoted(value)}`;
  return /\s/.test(text) && !text.includes('"') ? `"${text}"` : text;
}
