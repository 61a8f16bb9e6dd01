import { orderSeed } from '../abi/order.ts';
import { seedOf } from './shuffle.ts';

/** In which order the blocks and threads of launches run. */
export class LaunchOrder {
  /** What the order of all is drawn from; undefined where they run one after another. */
  readonly seed: number | undefined = orderSeed();
  #launches = 0;

  /** What that of the next launch is drawn from; 0: one after another. */
  next(): number {
    return this.seed === undefined ? 0 : seedOf(this.seed, this.#launches++);
  }
}
