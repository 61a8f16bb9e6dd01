import { orderSeed } from '../abi/order.ts';
import { seedOf } from './shuffle.ts';

/** In which order the blocks and threads of launches run. */
export class LaunchOrder {
  /** The seed of the order of all launches; undefined for the plain order. */
  readonly seed: number | undefined = orderSeed();
  #launches = 0;

  /** The seed of the next launch; 0 for the plain order. */
  next(): number {
    return this.seed === undefined ? 0 : seedOf(this.seed, this.#launches++);
  }
}
