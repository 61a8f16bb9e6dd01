const BARS = '▁▂▃▄▅▆▇█';

/**
 * The last values as bars, the newest to the right.
 *
 * @param parts - of the whole height, 0 to 1; undefined leaves a gap
 */
export function sparkline(parts: readonly (number | undefined)[], width: number): string {
  if (width <= 0) return '';
  return parts.slice(-width).map(bar).join('').padStart(width);
}

function bar(part: number | undefined): string {
  if (part === undefined || Number.isNaN(part)) return ' ';
  const height = Math.min(Math.max(Math.floor(part * BARS.length), 0), BARS.length - 1);
  return BARS[height] ?? ' ';
}
