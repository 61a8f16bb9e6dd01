import { reclaim } from '../core/handle.ts';

/** Collect garbage now: this releases the objects that the program has dropped without a release, and none in use. */
export function releaseAll(): void {
  reclaim();
}
