import { copyInto } from './apply.ts';
import type { Lane } from './engine.ts';
import type { Layout } from './layout.ts';
import { viewOf, type NDArray } from './ndarray.ts';

/** Copy a part of an array to a part of another one. */
export function copyPart(out: NDArray, to: Layout, from: NDArray, part: Layout, lane: Lane): void {
  const target = viewOf(out, to);
  try {
    const source = viewOf(from, part);
    try {
      copyInto(target, source, lane);
    } finally {
      source.close();
    }
  } finally {
    target.close();
  }
}
