import koffi from 'koffi';
import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadAnswer, ThreadCall } from './call-thread.ts';
import { koffiType } from './ctype.ts';
import { parsePrototype } from './prototype.ts';

/** The thread of {@link callOnThread}. What it does not find ends it before the first call. */
const calls = (workerData as readonly ThreadCall[]).map((call) => ({ ...call, run: bound(call) }));
say('begun');
let isGood = true;
say(
  calls.map(({ run, args, good, isEnd }) => {
    if (!isGood && isEnd !== true) return undefined;
    const status = run(...args) as number;
    isGood &&= good.includes(status);
    return status;
  }),
);

function bound({ library, prototype, types }: ThreadCall): (...args: readonly unknown[]) => unknown {
  const { symbol, result, resultStars, params } = parsePrototype(prototype);
  return koffi.load(library).func(
    symbol,
    koffiType(result, resultStars, types),
    params.map(({ out, type, stars }) => koffiType(out ? 'void' : type, stars, types)),
  ) as (...args: readonly unknown[]) => unknown;
}

function say(answer: ThreadAnswer): void {
  parentPort?.postMessage(answer);
}
