import { nameOf } from '../../core/check.ts';
import { parseDeclarations } from '../../core/signature.ts';

// Has the compiler keep the names and types of a kernel's parameters.
const ARGUMENT_INFO = '-cl-kernel-arg-info';

/** The user's options as one text. */
export function joinOptions(options: unknown, what: string): string {
  if (typeof options === 'string') return options.trim();
  if (!Array.isArray(options) || ![...(options as unknown[])].every((option) => typeof option === 'string')) {
    throw new TypeError(`${what} takes its options as a string or a list of strings, got ${nameOf(options)}`);
  }
  return (options as string[]).map(quoted).join(' ');
}

/** The options, and the option that keeps facts about parameters. */
export function withArgumentInfo(options: string): string {
  return options.includes(ARGUMENT_INFO) ? options : `${options} ${ARGUMENT_INFO}`.trim();
}

/**
 * Whether a source can be built with facts about parameters without a second try: for a kernel without parameters, NVIDIA's
 * compiler writes PTX that its assembler refuses. For a part of a program that error comes with the link.
 */
export function takesArgumentInfo(source: string): boolean {
  return parseDeclarations(source, 'opencl').every(({ parameters }) => parameters.length > 0);
}

/** One option of a list: an option with spaces is quoted, but a separate `-D` or `-I` before it is not. */
function quoted(option: string): string {
  const text = option.trim();
  const [, flag, value] = /^(-[DI])\s+(\S.*)$/s.exec(text) ?? [];
  if (flag !== undefined && value !== undefined) return `${flag} ${quoted(value)}`;
  return /\s/.test(text) && !text.includes('"') ? `"${text}"` : text;
}
