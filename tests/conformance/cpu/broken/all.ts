import { brokenBounds } from './bounds.ts';
import type { BrokenKernel } from './broken-kernel.ts';
import { brokenPtx } from './inline-ptx.ts';
import { brokenLatest } from './latest.ts';
import { brokenMemory } from './memory.ts';
import { brokenInBlocks } from './races-in-blocks.ts';
import { brokenOrder } from './races.ts';
import { brokenUndefined } from './undefined.ts';
import { brokenVariables } from './variables.ts';

/** Every kernel with a mistake in CUDA C++. */
export const broken: readonly BrokenKernel[] = [
  ...brokenBounds,
  ...brokenMemory,
  ...brokenOrder,
  ...brokenInBlocks,
  ...brokenLatest,
  ...brokenPtx,
  ...brokenUndefined,
  ...brokenVariables,
];
