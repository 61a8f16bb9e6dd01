import type { KernelReport } from '../../../../src/core/kernel-report.ts';
import type { Finding } from './broken-kernel.ts';

/** What was said of a kernel with one mistake. */
export interface Said {
  readonly finding: Finding;
  readonly source: string;
  /** The lines that a report must name. */
  readonly lines: readonly number[];
  /** The reports of this mistake. */
  readonly fitting: readonly KernelReport[];
}

interface Count {
  planted: number;
  found: number;
  lines: number;
  named: number;
  ofVariables: number;
}

/** Mistakes that are made with a variable of the source, of which reports speak. */
const OF_VARIABLES: ReadonlySet<Finding> = new Set([
  'out-of-bounds',
  'use-after-free',
  'misaligned',
  'uninitialised',
  'shared-race',
  'global-race',
]);

/** How many mistakes of each kind were found: the table of docs/cpu-device.md. */
export class Tally {
  readonly #counts = new Map<Finding, Count>();

  /** Count a kernel; whether all that it has to say is right. */
  note({ finding, source, lines, fitting }: Said): {
    readonly lineRight: boolean;
    readonly strange: readonly string[];
  } {
    const count = this.#counts.get(finding) ?? { planted: 0, found: 0, lines: 0, named: 0, ofVariables: 0 };
    this.#counts.set(finding, count);
    const named = new Set(fitting.flatMap(linesOf));
    const lineRight = fitting.length > 0 && lines.every((line) => named.has(line));
    const variables = fitting.flatMap(({ variable }) => variable ?? []);
    const strange = variables.filter((variable) => !new RegExp(`\\b${baseOf(variable)}\\b`).test(source));
    count.planted++;
    if (fitting.length > 0) count.found++;
    if (lineRight) count.lines++;
    if (OF_VARIABLES.has(finding)) count.ofVariables++;
    if (OF_VARIABLES.has(finding) && variables.length > 0 && strange.length === 0) count.named++;
    return { lineRight, strange };
  }

  /** In Markdown. */
  toString(): string {
    const rows = [...this.#counts].map(([finding, { planted, found, lines, named, ofVariables }]) => {
      const variable = ofVariables === 0 ? '' : String(named);
      return `| ${finding} | ${planted} | ${found} | ${lines} | ${variable} |`;
    });
    return ['| mistake | planted | found | line right | variable right |', '| - | - | - | - | - |', ...rows, ''].join(
      '\n',
    );
  }
}

/** Print it, where RAWKERNEL_BROKEN_TABLE is set. */
export function printTally(tally: Tally): void {
  if (process.env['RAWKERNEL_BROKEN_TABLE'] !== undefined) process.stdout.write(`\n${String(tally)}`);
}

/** `cache` of `cache[1]`, `body` of `body.mass[3]`. */
function baseOf(variable: string): string {
  return /^\W*(?<name>\w+)/.exec(variable)?.groups?.['name'] ?? '';
}

function linesOf({ place, others }: KernelReport): number[] {
  const places = [place, ...others.map((one) => one.place)];
  return places.flatMap((one) => {
    const lines: number[] = [];
    for (let at = one; at !== undefined; at = at.inlinedAt) lines.push(at.line);
    return lines;
  });
}
