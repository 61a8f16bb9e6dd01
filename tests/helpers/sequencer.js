import Sequencer from '@jest/test-sequencer';

/** What takes longest, first, so that no core waits for it at the end; without times of earlier runs jest goes by size. */
const LONG = [
  // Collections take longer in a process that has run others.
  /leaks/,
  /memory.(?:host-)?memory/,
  /(?:core.handle|older.table|opencl.errors)/,
  /faults/,
  /conformance.cpu.(?:opencl-)?corpus/,
  /examples/,
  /docs.run/,
  /array.(?:random|reduce|product|scan|ported|scatter)/,
  /fuzz/,
  /math/,
  /cli.bin/,
];

// eslint-disable-next-line no-restricted-syntax -- jest asks for it
export default class LongFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => {
      const found = LONG.findIndex((pattern) => pattern.test(path));
      return found < 0 ? LONG.length : found;
    };
    const sorted = super.sort(tests);
    return sorted.every((test) => test.duration !== undefined) ? sorted : [...sorted].sort((a, b) => rank(a) - rank(b));
  }
}
