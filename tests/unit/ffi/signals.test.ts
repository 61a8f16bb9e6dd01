import { expect, test } from '@jest/globals';
import { runChild } from '../../helpers/child.ts';

const TIMEOUT = 120_000;
const linux = process.platform === 'linux' ? test : test.skip;

/** What NVRTC does with the handlers, by C's `signal`. */
const PROGRAM = `
  import koffi from '@/node_modules/koffi/index.cjs';
  import { withSignalHandlers, withSignalHandlersLater } from '@/src/ffi/signals.ts';
  const c = koffi.load(null);
  const signal = c.func('signal', 'intptr_t', ['int', 'intptr_t']);
  const alarm = c.func('alarm', 'uint32_t', ['uint32_t']);
  const compile = (during = () => undefined) => {
    const before = [2, 15].map((number) => [number, signal(number, 1)]);
    during();
    for (const [number, handler] of before) signal(number, handler);
    return 7;
  };
  // Where a handler goes round for ever nothing else ends the process.
  const end = (name) => { alarm(20); process.kill(process.pid, name); };`;

linux.each([
  ['SIGINT', 'withSignalHandlers(compile)'],
  ['SIGTERM', 'withSignalHandlers(compile)'],
  ['SIGINT', 'await withSignalHandlersLater(async () => compile())'],
  ['SIGINT', 'withSignalHandlers(() => compile(() => withSignalHandlers(compile)))'],
  ['SIGINT', 'try { withSignalHandlers(() => { compile(); throw 7; }) } catch (error) { error }'],
])(
  '%s ends a process after %s',
  async (name, use) => {
    const { signal, stdout } = await runChild(`${PROGRAM} ${use}; console.log('compiled'); end('${name}');`);
    expect({ signal, stdout }).toEqual({ signal: name, stdout: 'compiled\n' });
  },
  TIMEOUT,
);

linux(
  'what a compiler returns is handed on, and a listener goes on',
  async () => {
    const { code, stdout } = await runChild(`${PROGRAM}
      process.on('SIGINT', () => { console.log('heard'); process.exit(3); });
      console.log(withSignalHandlers(compile), await withSignalHandlersLater(async () => compile()));
      setInterval(() => undefined, 1000);
      end('SIGINT');`);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '7 7\nheard\n' });
  },
  TIMEOUT,
);

/** What LLVM does where a driver with it inside starts: its handlers stay. */
const TAKER = `
  import koffi from '@/node_modules/koffi/index.cjs';
  import { keepsSignalHandlers } from '@/src/ffi/signals.ts';
  const pointer = koffi.pointer(koffi.types.void);
  const sigaction = koffi.load(null).func('sigaction', 'int', ['int', pointer, pointer]);
  const SIGNALS = [2, 10, 11, 15];
  const handlers = () => SIGNALS.map((signal) => {
    const words = new BigUint64Array(32);
    sigaction(signal, null, words);
    return [words[0], words[1], words[17]].join();
  });
  const own = new BigUint64Array(32);
  sigaction(13, null, own); // SIGPIPE is ignored
  const take = (x) => {
    for (const signal of SIGNALS) sigaction(signal, own, null);
    if (x === 'thrown') throw new Error(x);
    return x;
  };
  const firsts = SIGNALS.map((signal) => {
    const words = new BigUint64Array(32);
    sigaction(signal, null, words);
    return words;
  });
  const before = handlers();
  const isBack = () => console.log(handlers().every((words, i) => words === before[i]));`;

linux(
  'a library that takes signals for good gets none that had a handler',
  async () => {
    const { stdout } = await runChild(`${TAKER}
      take(7);
      isBack();
      SIGNALS.forEach((signal, i) => sigaction(signal, firsts[i], null));
      console.log(keepsSignalHandlers(take)(8));
      isBack();
      try { keepsSignalHandlers(take)('thrown'); } catch (error) { console.log(error.message); }
      isBack();
      console.log(await keepsSignalHandlers(async (x) => { await null; return take(x); })(9));
      isBack();`);
    expect(stdout.trim().split('\n')).toEqual(['false', '8', 'true', 'thrown', 'true', '9', 'true']);
  },
  TIMEOUT,
);
