import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { isBuilt } from '../../helpers/child.ts';
import { freePort } from '../../helpers/free-port.ts';
import { programOf } from '../../helpers/launched.ts';
import { openMpi, OPEN_MPI_FLAGS } from '../../helpers/open-mpi.ts';
import { needs } from '../../helpers/require.ts';

/** Each rank tells what it was told, and hears of all others. */
const PROGRAM = `
  import { readLauncher } from '@job/environment';
  import { meet } from '@job/meet';
  const { launcher, rank, size, localRank, localSize, ...rest } = readLauncher();
  const store = await meet({ launcher, rank, size, localRank, localSize, ...rest }, { timeoutMs: 60_000 });
  await store.set('rank/' + rank, String(localRank));
  await store.barrier('all', size);
  let sum = 0;
  for (let each = 0; each < size; each++) sum += Number(Buffer.from(await store.get('rank/' + each)));
  console.log([launcher, rank, size, localSize, sum].join(' '));
  await store.close();
`;

const FLAGS = isBuilt() ? [] : ['--import', 'tsx'];

async function output(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string[]> {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  const code = child.exitCode;
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  return stdout.trim().split('\n').sort();
}

needs.command(openMpi).test('three ranks of Open MPI meet', async () => {
  const args = [...OPEN_MPI_FLAGS, '-n', '3', process.execPath, ...FLAGS, programOf(PROGRAM)];
  expect(await output(openMpi, args)).toEqual([0, 1, 2].map((rank) => `openmpi ${rank} 3 3 3`));
});

needs.command('mpiexec.hydra').test('three ranks of MPICH meet', async () => {
  const port = await freePort();
  const args = ['-genv', 'MASTER_PORT', String(port), '-n', '3', process.execPath, ...FLAGS, programOf(PROGRAM)];
  expect(await output('mpiexec.hydra', args)).toEqual([0, 1, 2].map((rank) => `mpich ${rank} 3 3 3`));
});

test("three ranks with Slurm's variables meet", async () => {
  const port = await freePort();
  const program = programOf(PROGRAM);
  const lines = [0, 1, 2].map((rank) =>
    output(process.execPath, [...FLAGS, program], {
      SLURM_PROCID: String(rank),
      SLURM_NTASKS: '3',
      SLURM_LOCALID: String(rank),
      SLURM_NODEID: '0',
      SLURM_STEP_NODELIST: 'localhost',
      SLURM_STEP_TASKS_PER_NODE: '3',
      SLURM_JOB_ID: '17',
      MASTER_PORT: String(port),
    }),
  );
  expect((await Promise.all(lines)).flat()).toEqual([0, 1, 2].map((rank) => `slurm ${rank} 3 3 3`));
});
