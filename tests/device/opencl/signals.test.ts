import { expect, test } from '@jest/globals';
import { runChild } from '../../helpers/child.ts';
import { openclChoices } from '../../helpers/opencl-devices.ts';
import { needs } from '../../helpers/require.ts';

const linux = process.platform === 'linux' ? test : test.skip;

/**
 * LLVM, which most drivers have inside, takes signals. V8 needs SIGSEGV for the traps of WebAssembly, among them those of kernels of
 * the embedded device.
 */
needs.opencl().describe.each(openclChoices)('signals of a process: %s', (_, env) => {
  linux(
    'keep their handlers when a driver starts and compiles',
    async () => {
      const { code, stdout, stderr } = await runChild(
        `
        import koffi from '@/node_modules/koffi/index.cjs';
        import * as cl from '@/src/opencl/index.ts';
        const pointer = koffi.pointer(koffi.types.void);
        const sigaction = koffi.load(null).func('sigaction', 'int', ['int', pointer, pointer]);
        // SIGINT, SIGUSR1, SIGSEGV, SIGTERM
        const handlers = () => [2, 10, 11, 15].map((signal) => {
          const words = new BigUint64Array(32);
          sigaction(signal, null, words);
          return [words[0], words[1], words[17]].join();
        });
        const before = handlers();
        const hasChanged = (what) => {
          handlers().forEach((words, i) => words === before[i] || console.log(what, i, before[i], words));
        };
        using ctx = cl.createSomeContext({ interactive: false });
        hasChanged('context');
        using queue = new cl.CommandQueue(ctx);
        using prg = new cl.Program(ctx, '__kernel void one(__global int *a) { *a = 1; }').build();
        hasChanged('build');
        using memory = new cl.Buffer(ctx, cl.MemFlags.READ_WRITE, 4);
        prg.kernels.one(queue, [1], null, memory);
        queue.finish();
        hasChanged('launch');
        using other = await cl.Program.compile(ctx, '__kernel void two(__global int *a) { *a = 2; }');
        hasChanged('compile');
        console.log('done');
        `,
        env,
      );
      expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'done\n', stderr: '' });
    },
    60_000,
  );
});
