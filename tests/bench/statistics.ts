import { quantile } from '../../src/cli/quantile.ts';

/** The middle of some times, and the middle half's width. */
export interface Spread {
  readonly median: number;
  readonly spread: number;
}

export function spreadOf(times: readonly number[]): Spread {
  return { median: quantile(times, 0.5), spread: quantile(times, 0.75) - quantile(times, 0.25) };
}

/** The mean that fits ratios. */
export function geometricMean(ratios: readonly number[]): number {
  return Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
}

/** Lines of a table whose first column is text and whose others are right-aligned. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  return rows
    .map((row) =>
      row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  '),
    )
    .join('\n');
}
