import { reclaim } from '../core/handle.ts';

/** Collect garbage now: what programs have dropped without releasing it goes. It releases nothing that is in use. */
export function releaseAll(): void {
  reclaim();
}
