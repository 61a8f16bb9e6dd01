import { expect, test } from '@jest/globals';
import { StoreServer } from '../../../src/job/store-server.ts';
import { runChild, type Ended } from '../../helpers/child.ts';
import { freePort } from '../../helpers/free-port.ts';

// Processes of their own, with the store of a real job; NCCL and the driver are the fakes of the other tests.
const SIZE = 3;
const LIMIT_MS = 120_000;

/** Behind it all ranks go on at once: time limits do not count how long processes take to start. */
const TOGETHER = `await gate.barrier('test', Number(process.env['GATE_RANKS']), { timeoutMs: 60_000 });`;

/** Run a program as each rank of a job. It has `comm`, `x`, `rank`, and `hang()`, from which on the device finishes nothing. */
async function runJob(program: string, options: string, left: readonly number[] = []): Promise<readonly Ended[]> {
  const port = await freePort();
  await using gate = await StoreServer.listen();
  const text = `
    import { fakeDriver } from '@/tests/helpers/fake-driver.ts';
    import { fakeNccl } from '@/tests/helpers/fake-nccl.ts';
    import { useTables } from '@/src/cuda/select.ts';
    import { memAlloc } from '@/src/cuda/index.ts';
    import { Store } from '@/src/job/store.ts';
    import { useNccl } from '@/src/nccl/select.ts';
    import { Communicator } from '@/src/nccl/index.ts';
    const driver = fakeDriver();
    const fake = fakeNccl();
    useTables({ driver: driver.table });
    useNccl(fake.table);
    const rank = Number(process.env['RANK']);
    const hang = () => { driver.busy = true; setInterval(() => undefined, 1000); };
    const f32 = { dtype: 'f32' } as const;
    const gate = await Store.connect({ port: ${gate.port} });
    ${TOGETHER}
    const comm = await Communicator.fromEnvironment(${options});
    const x = memAlloc<'f32'>(64);
    // The ranks of the fake are always there, those of NCCL wait for each other.
    ${TOGETHER}
    await gate.close();
    ${program}
  `;
  const ranks = Array.from({ length: SIZE }, (_, rank) => rank).filter((rank) => !left.includes(rank));
  const env = {
    WORLD_SIZE: String(SIZE),
    LOCAL_WORLD_SIZE: String(SIZE),
    MASTER_ADDR: '127.0.0.1',
    MASTER_PORT: String(port),
    GATE_RANKS: String(ranks.length),
  };
  const ended = await Promise.all(
    ranks.map((rank) => runChild(text, { ...env, RANK: String(rank), LOCAL_RANK: String(rank) })),
  );
  if (ended.some(({ stderr }) => stderr.includes("barrier 'test'"))) {
    throw new Error(ended.map(({ code, stderr }) => `exit code ${code}\n${stderr}`).join('\n'));
  }
  return ended;
}

test(
  'ranks meet by their environment, and end',
  async () => {
    const ended = await runJob(
      `await comm.allReduce(x, f32);
       await comm.done();
       console.log(comm.rank, comm.size, fake.comms.values().next().value.id.slice(0, 4));
       comm.close();`,
      '{}',
    );
    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual(ended.map(() => [0, '']));
    expect(ended.map(({ stdout }) => stdout.trim())).toEqual(['0 3 0101', '1 3 0101', '2 3 0101']);
  },
  LIMIT_MS,
);

test(
  'a process without a launcher is a job of its own if it asks for that, and an error otherwise',
  async () => {
    const text = `
      import { fakeDriver } from '@/tests/helpers/fake-driver.ts';
      import { fakeNccl } from '@/tests/helpers/fake-nccl.ts';
      import { useTables } from '@/src/cuda/select.ts';
      import { useNccl } from '@/src/nccl/select.ts';
      import { Communicator } from '@/src/nccl/index.ts';
      useTables({ driver: fakeDriver().table });
      useNccl(fakeNccl().table);
      await Communicator.fromEnvironment().catch(({ name, message }) => console.log(name, message.includes('alone: true')));
      await using comm = await Communicator.fromEnvironment({ alone: true });
      console.log(comm.rank, comm.size, comm.device.ordinal);
      process.env.RANK = '1';
      await Communicator.fromEnvironment({ alone: true }).catch(({ variable }) => console.log(variable));
    `;
    const { code, stdout, stderr } = await runChild(text, {});
    expect({ code, stderr, lines: stdout.trim().split('\n') }).toEqual({
      code: 0,
      stderr: '',
      lines: ['LauncherError true', '0 1 0', 'WORLD_SIZE'],
    });
  },
  LIMIT_MS,
);

test(
  'a rank that makes another call is named by all, and all end',
  async () => {
    const ended = await runJob(
      `await comm.allReduce(x, f32);
       await comm.done();
       hang();
       if (rank === 2) await comm.broadcast(x, f32);
       else await comm.allReduce(x, { ...f32, op: 'max' });`,
      '{ timeoutMs: 4000 }',
    );
    for (const { code, stderr } of ended) {
      expect(code).toBe(1);
      expect(stderr).toMatch(/rank 2 is at broadcast #2 f32 x 16 from rank 0 \(\S+:\d+\)/);
      expect(stderr).toMatch(/rank 0 is at allReduce #2 f32 x 16 max \(\S+:\d+\)/);
      expect(stderr).toContain('The operation differs');
    }
  },
  LIMIT_MS,
);

test(
  'a rank that is killed is named soon, and by what it has not called',
  async () => {
    const start = performance.now();
    const ended = await runJob(
      `await comm.allReduce(x, f32);
       await comm.done();
       hang();
       if (rank === 1) setTimeout(() => process.kill(process.pid, 'SIGKILL'), 1000);
       else await comm.allReduce(x, f32);`,
      '{}',
    );
    // The time limit is ten minutes.
    expect(performance.now() - start).toBeLessThan(100_000);
    const [first, killed, last] = ended as [Ended, Ended, Ended];
    expect(killed.signal).toBe('SIGKILL');
    for (const { code, stderr } of [first, last]) {
      expect(code).toBe(1);
      expect(stderr).toContain('rank 1 was killed, or has lost its connection, before allReduce #2');
    }
  },
  LIMIT_MS,
);

test(
  'a rank that has not come to init is named',
  async () => {
    const ended = await runJob('', '(fake.isStuck = true, { timeoutMs: 3000 })', [1]);
    for (const { code, stderr } of ended) {
      expect(code).toBe(1);
      expect(stderr).toContain('init did not finish within 3 s');
      expect(stderr).toContain('rank 1 has not come to init within 3 s');
    }
    const withoutFirst = await runJob('', '{ timeoutMs: 3000 }', [0]);
    for (const { code } of withoutFirst) expect(code).toBe(1);
  },
  LIMIT_MS,
);

test(
  'a rank whose event loop is blocked is named',
  async () => {
    const blocked = await runJob(
      `await comm.allReduce(x, f32);
       await comm.done();
       hang();
       if (rank === 1) { const end = Date.now() + 15_000; while (Date.now() < end); process.exit(3); }
       await comm.allReduce(x, f32);`,
      '{ timeoutMs: 3000 }',
    );
    for (const i of [0, 2]) expect(blocked[i]?.stderr).toContain('rank 1 does not answer');
  },
  LIMIT_MS,
);
