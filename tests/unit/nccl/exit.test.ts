import { expect, test } from '@jest/globals';
import { runChild } from '../../helpers/child.ts';

/** The fakes are those of the other tests. */
const FAKES = `
    import { fakeDriver } from '@/tests/helpers/fake-driver.ts';
    import { fakeNccl } from '@/tests/helpers/fake-nccl.ts';
    import { useTables } from '@/src/cuda/select.ts';
    import { Context, Device, memAlloc } from '@/src/cuda/index.ts';
    import { useNccl } from '@/src/nccl/select.ts';
    import { Communicator, UniqueId } from '@/src/nccl/index.ts';
    const driver = fakeDriver();
    const fake = fakeNccl();
    useTables({ driver: driver.table });
    useNccl(fake.table);
`;

/** A process whose collective hangs. */
function hanging(onTimeout: string, rest: string, isCollected = false): string {
  return `
    ${FAKES}
    const context = new Context(new Device(0));
    const comm = await Communicator.init({ rank: 0, size: 2, id: UniqueId.create(), timeoutMs: 200, onTimeout: '${onTimeout}' });
    const x = memAlloc(64);
    driver.busy = true;
    await comm.allReduce(x, { dtype: 'f32' });
    const start = performance.now();
    process.on('exit', () => console.log('ended after', Math.round(performance.now() - start)));
    const keepAlive = setInterval(() => undefined, 1000);
    ${rest}
    // Memory that the collector frees would be waited for.
    if (${String(isCollected)}) {
      const weak = new WeakRef(x);
      process.on('exit', () => console.log(weak.deref() === undefined ? 'collected' : 'kept'));
      setTimeout(gc, 20);
    } else globalThis.kept = x;
  `;
}

test("'exit' writes the report and ends the process, also when NCCL does not abort", async () => {
  const { code, stderr, stdout } = await runChild(
    hanging('exit', "fake.abortHangs = true; comm.done().catch(() => console.log('rejected'));"),
  );
  expect(code).toBe(1);
  expect(stderr).toContain('NcclTimeoutError: allReduce #1 f32 x 16 sum');
  expect(stdout).toContain('rejected');
  const [, ms = ''] = /ended after (\d+)/.exec(stdout) ?? [];
  // The time limit, a sweep, and the time that an abort is given.
  expect(Number(ms)).toBeGreaterThan(200);
});

test('a failure that no promise tells of ends the process as an error that nothing has caught', async () => {
  const { code, stderr } = await runChild(hanging('abort', ''));
  expect(code).toBe(1);
  expect(stderr).toContain('did not finish within 0.2 s');
});

test.each(['exit', 'abort'])(
  "'%s' also while the collector frees the memory that the call needs",
  async (onTimeout) => {
    const { code, stderr, stdout } = await runChild(hanging(onTimeout, '', true));
    expect(code).toBe(1);
    expect(stdout).toContain('collected');
    expect(stderr).toContain('NcclTimeoutError: allReduce #1 f32 x 16 sum');
  },
);

test('a hang is told of, too, where the program has dropped its communicator', async () => {
  const text = `
    ${FAKES}
    globalThis.kept = [new Context(new Device(0)), memAlloc(64)];
    const made = await (async () => {
      const comm = await Communicator.init({ rank: 0, size: 2, id: UniqueId.create(), timeoutMs: 200 });
      driver.busy = true;
      await comm.allReduce(globalThis.kept[1], { dtype: 'f32' });
      return new WeakRef(comm);
    })();
    process.on('exit', () => console.log(made.deref() === undefined ? 'collected' : 'kept'));
    setTimeout(gc, 20);
    setInterval(() => undefined, 1000);
  `;
  const { code, stderr, stdout } = await runChild(text);
  expect({ code, stdout }).toEqual({ code: 1, stdout: 'collected\n' });
  expect(stderr).toContain('NcclTimeoutError: allReduce #1 f32 x 16 sum');
});
