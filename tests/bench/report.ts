import { cpus } from 'node:os';
import type { CaseResult, SideResult, Unit } from './harness.ts';
import { table } from './statistics.ts';

/** What a run has measured, as `--json` writes it. */
export interface Report {
  readonly date: string;
  readonly node: string;
  readonly processor: string;
  /** The devices, the drivers and the peers, with their versions. */
  readonly machine: Readonly<Record<string, string>>;
  readonly cases: readonly CaseResult[];
}

export function emptyReport(): Report & { readonly cases: CaseResult[]; readonly machine: Record<string, string> } {
  const processor = `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}`;
  return { date: new Date().toISOString(), node: process.version, processor, machine: {}, cases: [] };
}

/** The lines of one case: a way to do it on each. */
export function caseText({ name, unit, sides }: CaseResult): string {
  const [first] = sides;
  const head = [name, unit, '±', first ? `of ${first.name}` : ''];
  return table([head, ...sides.map((side) => sideCells(side, unit))]);
}

function sideCells({ name, median, spread, ratio }: SideResult, unit: Unit): string[] {
  return [`  ${name}`, figure(median, unit), figure(spread / 2, unit), ratio === undefined ? '' : ratio.toFixed(2)];
}

/** A number with as many digits as are worth reading. */
export function figure(value: number, unit: Unit): string {
  if (!Number.isFinite(value)) return '';
  const whole = unit === 'ns' || unit === 'bytes' || unit === 'GFLOP/s' || value >= 1000;
  const digits = whole ? 0 : value >= 100 ? 1 : value >= 1 ? 2 : 4;
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
