import * as cuda from 'rawkernel/cuda';
import type { Side } from './harness.ts';

/** Units of `amount` in a nanosecond of the device, measured by events: of bytes that is GB/s, of operations GFLOP/s, of keys GKey/s. */
export function rateSide(name: string, amount: number, launches: number, run: () => void): Side {
  const round = (): number => {
    // The device is at work when the measured ones come.
    run();
    using start = new cuda.Event().record();
    for (let i = 0; i < launches; i++) run();
    using end = new cuda.Event().record();
    end.synchronize();
    return (amount * launches) / (end.timeSince(start) * 1e6);
  };
  return { name, round };
}
