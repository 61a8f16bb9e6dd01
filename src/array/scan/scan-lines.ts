import { checkEngine, copyInto, empty } from '../apply.ts';
import type { Engine, Lane } from '../engine.ts';
import { flatOf } from '../function/transfer.ts';
import type { NDArray } from '../ndarray.ts';
import { scanLayout } from './scan-layout.ts';
import type { Scan } from './scan.ts';

/** Scan the lines of an array along an axis into another one of the same shape. */
export function scanLines(scan: Scan, engine: Engine, lane: Lane, out: NDArray, array: NDArray, axis: number): void {
  if (array.size === 0) return;
  checkEngine(array, engine, scan.work.operation.name);
  const layout = scanLayout(array, out, axis);
  if (layout) {
    scan.run(engine, lane, out, array, layout);
    return;
  }
  // Without gaps, the axes before and those behind are one each.
  using source = flatOf(array);
  using made = empty(engine, out.shape, out.dtype, lane);
  const flatLayout = scanLayout(source, made, axis);
  if (flatLayout) scan.run(engine, lane, made, source, flatLayout);
  copyInto(out, made, lane);
}
