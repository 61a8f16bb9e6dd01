import type { Engine } from './engine.ts';

/** Whether threads of a warp vote and read each other's registers, in CUDA C++: the texts are for warps of 32. */
export function hasShuffles({ dialect, facts }: Engine): boolean {
  return dialect.name === 'cuda' && facts.warp === 32;
}
