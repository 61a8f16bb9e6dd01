import type { BrokenKernel, Finding } from '../cpu/broken/broken-kernel.ts';
import { sameLine, type Said, type Tool } from './tools.ts';

/** A kernel with a mistake, and what a tool said of it. */
export interface Row {
  readonly one: BrokenKernel;
  readonly tool: Tool;
  /** The lines that our report names. */
  readonly ours: readonly number[];
  readonly said: Said;
  /** Why the kernel was not run, or had no end. */
  readonly problem: string | undefined;
}

/** A table in Markdown: each kernel, what our report says and where, and what the tool says. */
export function table(rows: readonly Row[]): string {
  return markdown(
    ['kernel', 'here', 'line', 'tool', 'compute-sanitizer', 'line'],
    rows.map(({ one, tool, ours, said, problem }) => [
      `\`${one.name}\``,
      one.finding,
      ours.join(', '),
      tool,
      said.report ?? `nothing${problem === undefined ? '' : ` (${problem})`}`,
      said.report === undefined ? '' : said.lines.join(', '),
    ]),
  );
}

/** How many of each kind the tools report, and how many at a line that we report, too. */
export function totals(rows: readonly Row[]): string {
  const kinds = new Map<Finding, Row[]>();
  for (const row of rows) kinds.set(row.one.finding, [...(kinds.get(row.one.finding) ?? []), row]);
  const counted = [...kinds].map(([finding, all]) => {
    const reported = all.filter(({ said }) => said.report !== undefined);
    const atLine = reported.filter(({ one, said }) => sameLine(one, said));
    return [finding, all[0]?.tool ?? '', ...[all.length, reported.length, atLine.length].map(String)];
  });
  return markdown(['kind', 'tool', 'kernels, all found here', 'compute-sanitizer', 'at the same line'], counted);
}

function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => (row[i] ?? '').length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rows.map(line), ''].join('\n');
}
