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
