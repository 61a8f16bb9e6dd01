import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { choiceOf, embeddedDescribe, embeddedOpenCL, openclChoices } from '../../helpers/opencl-devices.ts';
import { runChild } from '../../helpers/child.ts';
import { needs } from '../../helpers/require.ts';

// A driver's thread that reports without an end.
const SOURCE = `
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>
typedef void (*notify)(const char *, const void *, size_t, void *);
static notify report;
static void *data;
static int count;
static void *run(void *unused) {
  for (;;) {
    report("the context is lost", &count, 4, data);
    __atomic_add_fetch(&count, 1, __ATOMIC_SEQ_CST);
    usleep(200);
  }
  return unused;
}
void begin(notify function, void *user) {
  pthread_t thread;
  report = function;
  data = user;
  pthread_create(&thread, NULL, run, NULL);
}
int reported(int wanted) {
  while (__atomic_load_n(&count, __ATOMIC_SEQ_CST) < wanted) usleep(100);
  return 1;
}`;

const folder = mkdtempSync(join(tmpdir(), 'rawkernel-reports-'));
const library = join(folder, 'reporter.so');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Whether there is a library of it: there is a compiler, and threads are POSIX's. */
function isCompiled(): boolean {
  writeFileSync(join(folder, 'reporter.c'), SOURCE);
  // As drivers are: its thread outlives the library's last user.
  const stays = ['-Wl,-z,nodelete', '-lpthread'];
  const { status } = spawnSync('gcc', ['-shared', '-fPIC', '-o', library, join(folder, 'reporter.c'), ...stays]);
  if (status !== 0) process.stderr.write('Skipping: no gcc, or no threads of POSIX\n');
  return status === 0;
}

const endings = {
  'returns to nothing': '',
  'calls process.exit()': 'process.exit(0);',
  'goes on for a while': 'await new Promise((resolve) => setTimeout(resolve, 50));',
};

test.each(Object.entries(endings))(
  'Reports from another thread neither hang nor end a process that blocks and then %s',
  async (_, ending) => {
    if (!isCompiled()) return;
    const runs = [1, 2, 3].map(() =>
      runChild(`
        import koffi from '@/node_modules/koffi/index.js';
        import { perrorFunction } from '@/src/ffi/libc.ts';
        const library = koffi.load(${JSON.stringify(library)});
        const pointer = koffi.pointer('void');
        library.func('begin', 'void', [pointer, pointer])(perrorFunction(), 0n);
        console.log(library.func('reported', 'int', ['int'])(50));
        ${ending}`),
    );
    for (const { code, signal, stdout, stderr } of await Promise.all(runs)) {
      expect({ code, signal, stdout }).toEqual({ code: 0, signal: null, stdout: '1\n' });
      expect(stderr).toMatch(/^the context is lost: .+\n/);
    }
  },
  60_000,
);

needs.opencl().describe.each(openclChoices)('%s', (_, env) => {
  test('A context that prints its reports works, and says nothing without a reason', async () => {
    const { code, stdout, stderr } = await runChild(
      `import * as cl from '@/src/opencl/index.ts';
      using some = cl.createSomeContext({ interactive: false });
      using ctx = new cl.Context(some.devices, { printReports: true });
      using queue = new cl.CommandQueue(ctx);
      using a = new cl.Buffer(ctx, cl.MemFlags.READ_WRITE, 64);
      cl.enqueueFill(queue, a, cl.int32(4));
      const host = new Int32Array(16);
      cl.enqueueCopy(queue, host, a);
      console.log(host[15]);`,
      env,
    );
    expect({ code, stdout, stderr: stderr.replace(/^.*RAWKERNEL_LEAK.*$/gm, '') }).toEqual({
      code: 0,
      stdout: '4\n',
      stderr: '',
    });
  }, 60_000);
});

embeddedDescribe()('the embedded device', () => {
  test.each([
    ['with printReports', '{ printReports: true }', ''],
    ['with RAWKERNEL_TRACE=reports', '{}', 'reports'],
    ['without', '{}', ''],
  ])(
    'prints why a context has ended, %s',
    async (name, options, trace) => {
      const { stdout, stderr } = await runChild(
        `import * as cl from '@/src/opencl/index.ts';
        const some = cl.createSomeContext({ interactive: false });
        const ctx = new cl.Context(some.devices, ${options});
        const queue = new cl.CommandQueue(ctx);
        const source = '__kernel void far(__global int *a) { a[900000000 + get_global_id(0)] = 1; }';
        const prg = new cl.Program(ctx, source).build();
        const a = new cl.Buffer(ctx, cl.MemFlags.READ_WRITE, 64);
        try {
          prg.kernel('far')(queue, 4, null, a).wait();
        } catch (error) {
          console.log(error.code);
        }
        globalThis.kept = [some, ctx, queue, prg, a];`,
        { ...choiceOf(embeddedOpenCL as NonNullable<typeof embeddedOpenCL>), RAWKERNEL_TRACE: trace },
      );
      expect(stdout).toBe('CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST\n');
      if (name === 'without') expect(stderr).not.toContain('far');
      else expect(stderr).toMatch(/access of an address that no memory has by far/);
    },
    60_000,
  );
});
