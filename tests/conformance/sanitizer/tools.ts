import { type BrokenKernel, type Finding, markedLines } from '../cpu/broken/broken-kernel.ts';

/** The tools of compute-sanitizer. */
export type Tool = 'memcheck' | 'racecheck' | 'initcheck' | 'synccheck';

/** The tool that looks for a mistake of a kind, if any does. */
export const toolOf: Readonly<Record<Finding, Tool>> = {
  'out-of-bounds': 'memcheck',
  'use-after-free': 'memcheck',
  null: 'memcheck',
  misaligned: 'memcheck',
  shift: 'memcheck',
  'missing-return': 'memcheck',
  uninitialised: 'initcheck',
  'shared-race': 'racecheck',
  'global-race': 'racecheck',
  'divergent-barrier': 'synccheck',
  'warp-deadlock': 'synccheck',
};

/** What the first line of a report of each tool says. */
const reportOf: Readonly<Record<Tool, RegExp>> = {
  memcheck: /^(Invalid __|Out-of-range|Misaligned)/,
  racecheck: /Race reported between|\bhazard detected\b/,
  initcheck: /^Uninitialized /,
  synccheck: /^(Barrier error|Invalid arguments|Divergent thread)/,
};

/** What a tool said of a kernel. */
export interface Said {
  /** The first line of its first report; undefined if it reported nothing. */
  readonly report: string | undefined;
  /** The lines of the source that its reports name. */
  readonly lines: readonly number[];
  /** What else it said of an error, such as a launch that failed. */
  readonly rest: string | undefined;
}

/** Read what a tool printed. */
export function readOutput(tool: Tool, output: string): Said {
  const lines = output.split('\n').flatMap((line) => /^=========\s+(?<text>\S.*)$/.exec(line)?.groups?.['text'] ?? []);
  const first = lines.findIndex((line) => reportOf[tool].test(line));
  const said = lines.join('\n').matchAll(/kernel\.cu:(?<line>\d+)/g);
  const isError = (line: string): boolean => /error/i.test(line) && !/ERROR SUMMARY: 0 errors/.test(line);
  return {
    report: lines[first]?.replace(/ at [^ ].*$/, '').trim(),
    lines: [...new Set([...said].map(({ groups }) => Number(groups?.['line'])))].sort((a, b) => a - b),
    rest: first < 0 ? lines.find(isError) : undefined,
  };
}

/** Whether a tool and the embedded device agree on a line: one of those that a report of ours names. */
export function sameLine(one: BrokenKernel, { lines }: Said): boolean {
  return markedLines(one).some((line) => lines.includes(line));
}
