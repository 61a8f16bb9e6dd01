import type { Reading } from './gpu-reading.ts';
import { METRICS } from './metrics.ts';

/** More than any terminal has columns. */
const KEPT = 1024;

/** The last readings, for the bars. */
export class History {
  /** By GPU in the order of the readings, then by metric. */
  readonly #parts: (number | undefined)[][][] = [];

  add({ gpus }: Reading): void {
    gpus.forEach(({ snapshot }, g) => {
      const rows = (this.#parts[g] ??= METRICS.map(() => []));
      METRICS.forEach(({ part }, m) => {
        const row = rows[m] ?? [];
        row.push(snapshot && part(snapshot));
        if (row.length > KEPT) row.shift();
      });
    });
  }

  /** Oldest first; undefined is a gap. */
  of(gpu: number, metric: number): readonly (number | undefined)[] {
    return this.#parts[gpu]?.[metric] ?? [];
  }
}
