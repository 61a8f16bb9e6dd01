import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test as always } from '@jest/globals';
import { Device } from '../../../src/cuda/index.ts';
import { isEmbedded } from '../../../src/cuda/selection.ts';
import { StoreServer } from '../../../src/job/store-server.ts';
import { launched } from '../../helpers/launched.ts';
import type { MatrixReport } from '../../helpers/nccl-matrix-rank.ts';
import { openMpi, OPEN_MPI_FLAGS } from '../../helpers/open-mpi.ts';
import { rankProgram } from '../../helpers/rank-program.ts';
import { needs } from '../../helpers/require.ts';

// Twelve dtypes with six reductions and two complex ones with three, each in place and not, make 156; fourteen dtypes in two
// places 28. One rank has no products of the two dtypes of 8-bit floats.
const casesOf = (size: number): Readonly<Record<string, number>> => {
  const reductions = size === 1 ? 152 : 156;
  return {
    allReduce: reductions,
    reduce: reductions,
    reduceScatter: reductions,
    broadcast: 28,
    allGather: 28,
    gather: 28,
    scatter: 28,
    allToAll: 14,
    sendRecv: 14,
  };
};
const totalOf = (size: number): number => (size === 1 ? 596 : 608);
const MOST = 5;
const LIMIT_MS = 170_000;

const { describe, missing } = needs.nccl();
// Ranks share a single GPU; of several, each has its own.
const gpus = missing !== undefined ? 1 : isEmbedded() || Device.count() === 1 ? MOST : Device.count();
const most = Math.min(gpus, MOST);
/** On the embedded device each process has a device for each rank of its machine. */
const DEVICES = { RAWKERNEL_CPU_DEVICES: String(MOST) };

/** All reports on a job's output, which each rank writes in lines of its own. */
function reportsIn(output: string): MatrixReport[] {
  const lines = [...output.matchAll(/matrix (\{.*\})/g)];
  return lines.map(([, json = '']) => JSON.parse(json) as MatrixReport);
}

/** Check that each rank of each size has run all cases, and tell how many there were. */
function checkReports(reports: readonly MatrixReport[], launcher: string, sizes: readonly number[]): void {
  expect(reports.flatMap(({ mismatches }) => mismatches)).toEqual([]);
  const ran = reports.map((report) => [report.launcher, report.size, report.rank, report.cases, report.total]);
  const all = sizes.flatMap((size) =>
    Array.from({ length: size }, (_, rank) => [launcher, size, rank, casesOf(size), totalOf(size)] as const),
  );
  const order = (one: readonly unknown[], other: readonly unknown[]): number =>
    Number(one[1]) - Number(other[1]) || Number(one[2]) - Number(other[2]);
  expect(ran.sort(order)).toEqual(all);
  const checked = reports.reduce((sum, { total }) => sum + total, 0);
  process.stderr.write(
    `${launcher}: ${sizes.reduce((sum, size) => sum + totalOf(size), 0)} cases on ${sizes.join(', ')} ranks, ${checked} results compared, 0 wrong\n`,
  );
}

function upTo(size: number): number[] {
  return Array.from({ length: size }, (_, i) => i + 1);
}

async function output(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  expect({ code: child.exitCode, stderr: child.exitCode === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

describe('all operations with all dtypes, reductions and places', () => {
  const program = (): ReturnType<typeof rankProgram> => rankProgram('nccl-matrix-rank.ts');

  always.each(upTo(most))(
    'ranks of rawkernel launch: %i',
    async (size) => {
      const { code, stdout, stderr } = await launched(['-n', String(size), program().file], DEVICES);
      expect([code, stderr]).toEqual([0, '']);
      checkReports(reportsIn(stdout), 'torchrun', [size]);
    },
    LIMIT_MS,
  );

  needs.command(openMpi).test(
    "ranks of Open MPI's mpirun, and parts of them",
    async () => {
      const { flags, file } = program();
      const args = [...OPEN_MPI_FLAGS, '-n', String(most), process.execPath, ...flags, file, 'parts'];
      checkReports(reportsIn(await output(openMpi, args, DEVICES)), 'openmpi', upTo(most));
    },
    LIMIT_MS,
  );

  always(
    "ranks with Slurm's variables, and parts of them",
    async () => {
      const { flags, file } = program();
      await using probe = await StoreServer.listen();
      const { port } = probe;
      await probe.close();
      const ranks = upTo(most).map((count) =>
        output(process.execPath, [...flags, file, 'parts'], {
          ...DEVICES,
          SLURM_PROCID: String(count - 1),
          SLURM_NTASKS: String(most),
          SLURM_LOCALID: String(count - 1),
          SLURM_NODEID: '0',
          SLURM_STEP_NODELIST: 'localhost',
          SLURM_STEP_TASKS_PER_NODE: String(most),
          SLURM_JOB_ID: '17',
          MASTER_PORT: String(port),
        }),
      );
      checkReports(reportsIn((await Promise.all(ranks)).join('\n')), 'slurm', upTo(most));
    },
    LIMIT_MS,
  );

  always(
    'one number that is another on one rank is found by all',
    async () => {
      const size = Math.min(most, 2);
      const { stdout } = await launched(['-n', String(size), program().file, 'spoil'], DEVICES);
      const reports = reportsIn(stdout);
      expect(reports).toHaveLength(size);
      for (const { mismatches } of reports) {
        expect(mismatches).toEqual([expect.stringMatching(/^allReduce i8 x \d+ sum, root \d: number 0 is -?\d+/)]);
      }
    },
    LIMIT_MS,
  );
});
