import { posix } from 'node:path';
import type { UserHeaders } from './headers.ts';

/** Text that NVRTC takes with a warning and clang refuses, changed so that clang takes it. */
interface Repair {
  readonly error: RegExp;
  /** The changed lines, or undefined where the text is not what the repair is for. `row` and `column` count from 0. */
  readonly mend: (lines: string[], row: number, column: number) => string[] | undefined;
  /** What the warning says. */
  readonly warning: string;
}

const UNROLL = /^[ \t]*#[ \t]*pragma[ \t]+(?:no)?unroll\b.*$/;
/** Lines between a pragma and the statement that clang names. */
const REACH = 4;

const REPAIRS: readonly Repair[] = [
  {
    error: /^expected a for, while, or do-while loop to follow '#pragma (?:no)?unroll'/,
    mend: (lines, row) => {
      let at = row;
      while (at >= Math.max(0, row - REACH) && !UNROLL.test(lines[at] ?? '')) at--;
      return UNROLL.test(lines[at] ?? '') ? replaced(lines, at, '') : undefined;
    },
    warning: "'#pragma unroll' has no effect where no loop follows",
  },
  {
    error: /^(?:expected unqualified-id|incompatible directives '#pragma unroll|expected member name)/,
    mend: (lines, row) => (UNROLL.test(lines[row] ?? '') ? replaced(lines, row, '') : undefined),
    warning: "'#pragma unroll' has no effect here",
  },
  {
    error: /^extra qualification on member/,
    mend: (lines, row, column) => {
      const line = lines[row] ?? '';
      const before = line.slice(0, column).replace(/(?:\w+\s*::\s*)+$/, (name) => ' '.repeat(name.length));
      return before === line.slice(0, column) ? undefined : replaced(lines, row, before + line.slice(column));
    },
    warning: 'extra qualification of a member',
  },
  {
    error: /^anonymous non-C-compatible type given name for linkage purposes by typedef declaration/,
    mend: (lines, row, column) => {
      const line = lines[row] ?? '';
      if (!/\b(?:struct|class|union)\s*$/.test(line.slice(0, column))) return undefined;
      return replaced(lines, row, `${line.slice(0, column)} __rk_unnamed_${row + 1}_${column}${line.slice(column)}`);
    },
    warning: 'a type with functions should have a name of its own',
  },
];

/** A source that was changed, and the warnings on that. */
export interface Repaired {
  readonly source: string;
  readonly warnings: readonly string[];
}

/**
 * A source without what clang alone refuses, as far as a log of its errors names it; undefined where there is nothing of
 * the kind. Lines keep their numbers.
 *
 * @param file - the source's name in the log
 */
export function repaired(source: string, file: string, log: string): Repaired | undefined {
  let lines = source.split('\n');
  const warnings: string[] = [];
  const touched = new Set<number>();
  for (const one of log.split('\n')) {
    const [, name, line = '', column = '', text = ''] = /^(.*?):(\d+):(\d+): error: (.*)$/.exec(one) ?? [];
    if (name === undefined || posix.normalize(name) !== posix.normalize(file)) continue;
    const row = Number(line) - 1;
    const repair = REPAIRS.find(({ error }) => error.test(text));
    const mended = repair && !touched.has(row) ? repair.mend([...lines], row, Number(column) - 1) : undefined;
    if (!repair || !mended) continue;
    lines = mended;
    touched.add(row);
    warnings.push(`${file}:${line}:${column}: warning: ${repair.warning}`);
  }
  return warnings.length > 0 ? { source: lines.join('\n'), warnings } : undefined;
}

function replaced(lines: string[], row: number, text: string): string[] {
  lines[row] = text;
  return lines;
}

/** The same for the user's headers, which are changed; the warnings on that. */
export function repairHeaders(headers: UserHeaders, log: string): readonly string[] {
  const warnings: string[] = [];
  headers.replace((text, path) => {
    const fixed = repaired(text, path, log);
    warnings.push(...(fixed?.warnings ?? []));
    return fixed?.source;
  });
  return warnings;
}
