import { describe, expect, test } from '@jest/globals';
import { findLauncher, readLauncher } from '../../../src/job/environment.ts';
import { LauncherError } from '../../../src/job/errors.ts';
import { expandNodeList } from '../../../src/job/node-list.ts';

type Variables = Readonly<Record<string, string>>;

const torchrun = { RANK: '3', WORLD_SIZE: '4', LOCAL_RANK: '1', MASTER_ADDR: 'node1', MASTER_PORT: '29500' };
const slurm = {
  SLURM_PROCID: '5',
  SLURM_NTASKS: '6',
  SLURM_LOCALID: '1',
  SLURM_STEP_NODELIST: 'gpu[007-009,12],login1',
  SLURM_JOB_ID: '4100',
};
const openmpi = { OMPI_COMM_WORLD_RANK: '2', OMPI_COMM_WORLD_SIZE: '4', OMPI_COMM_WORLD_LOCAL_RANK: '0' };
const mpich = { PMI_RANK: '1', PMI_SIZE: '2', MPI_LOCALRANKID: '0', MASTER_ADDR: 'host', MASTER_PORT: '4000' };

const none = { localSize: undefined, hosted: false, restart: 0 };

test.each<[string, Variables, object]>([
  [
    'torchrun',
    { ...torchrun, LOCAL_WORLD_SIZE: '2', TORCHELASTIC_RESTART_COUNT: '1' },
    { launcher: 'torchrun', rank: 3, size: 4, localRank: 1, localSize: 2, address: 'node1', port: 29500, restart: 1 },
  ],
  ['torchrun without the local size', torchrun, { ...none, launcher: 'torchrun', localRank: 1, port: 29500 }],
  [
    'torchrun whose agent has a store of its own at the port',
    { ...torchrun, TORCHELASTIC_USE_AGENT_STORE: 'True' },
    { port: 29501, hosted: false },
  ],
  [
    'rawkernel launch',
    { ...torchrun, RAWKERNEL_JOB_STORE: 'launcher', RAWKERNEL_RESTART: '2', TORCHELASTIC_RESTART_COUNT: '9' },
    { port: 29500, hosted: true, restart: 2 },
  ],
  ['Slurm', slurm, { ...none, launcher: 'slurm', rank: 5, size: 6, localRank: 1, address: 'gpu007', port: 61440 + 4 }],
  [
    "Slurm's step within a larger job",
    {
      ...slurm,
      SLURM_NTASKS: '99',
      SLURM_STEP_NUM_TASKS: '6',
      SLURM_STEP_TASKS_PER_NODE: '1(x2),4',
      SLURM_NODEID: '2',
    },
    { size: 6, localSize: 4 },
  ],
  [
    'Slurm with an address and a port of the user',
    { ...slurm, MASTER_ADDR: '10.0.0.1', MASTER_PORT: '1234', SLURM_RESTART_COUNT: '3' },
    { address: '10.0.0.1', port: 1234, restart: 3 },
  ],
  [
    'Open MPI 4',
    {
      ...openmpi,
      OMPI_COMM_WORLD_LOCAL_SIZE: '2',
      OMPI_MCA_orte_hnp_uri: '1531576320.0;tcp://10.96.0.1,10.148.0.1:34911',
    },
    { launcher: 'openmpi', rank: 2, size: 4, localSize: 2, address: '10.96.0.1', port: 61440 + (1531576320 % 4096) },
  ],
  [
    'Open MPI 4 over IPv6',
    { ...openmpi, OMPI_MCA_orte_hnp_uri: '7.0;tcp6://[fe80::1,fe80::2]:34911' },
    { address: 'fe80::1', port: 61447 },
  ],
  [
    'Open MPI 5 on one machine',
    { ...openmpi, OMPI_COMM_WORLD_LOCAL_SIZE: '4', PMIX_NAMESPACE: 'prterun-host-1@1' },
    { address: '127.0.0.1', localSize: 4, port: expect.any(Number) },
  ],
  ['Open MPI 5 with an address', { ...openmpi, MASTER_ADDR: 'head', MASTER_PORT: '5' }, { address: 'head', port: 5 }],
  ['MPICH', mpich, { ...none, launcher: 'mpich', rank: 1, size: 2, localRank: 0, address: 'host', port: 4000 }],
  [
    'Intel MPI on one machine',
    { PMI_RANK: '1', PMI_SIZE: '2', MPI_LOCALRANKID: '1', MPI_LOCALNRANKS: '2' },
    { address: '127.0.0.1', localSize: 2, port: 29500 },
  ],
  [
    "Cray's PALS",
    { PALS_RANKID: '3', PMI_SIZE: '4', PALS_LOCAL_RANKID: '1', MASTER_ADDR: 'nid1', PMI_LOCAL_SIZE: '2' },
    { launcher: 'mpich', rank: 3, localRank: 1, localSize: 2 },
  ],
  ['the first complete one: torchrun before the others', { ...mpich, ...openmpi, ...slurm, ...torchrun }, { rank: 3 }],
  [
    "mpirun within Slurm: the step is that of mpirun's daemons",
    { ...slurm, ...openmpi, MASTER_ADDR: 'n' },
    { rank: 2 },
  ],
  ['mpiexec within Slurm', { ...slurm, ...mpich }, { launcher: 'mpich', rank: 1, size: 2 }],
  ['srun with PMI2', { ...slurm, PMI_RANK: '5', PMI_SIZE: '6' }, { launcher: 'slurm' }],
  ['a complete one before one that is not', { ...slurm, RANK: '0' }, { launcher: 'slurm' }],
  ['a variable of chance with a text', { ...slurm, RANK: 'general' }, { launcher: 'slurm' }],
  ['an empty variable is not set', { ...slurm, RANK: '', WORLD_SIZE: '' }, { launcher: 'slurm' }],
])('%s', (_, env, expected) => {
  expect(readLauncher(env)).toMatchObject(expected);
});

test.each<[string, Variables, string, RegExp]>([
  ['WORLD_SIZE is missing', { RANK: '0' }, 'WORLD_SIZE', /must be set for a job of torchrun.*launch or torchrun/],
  ['MASTER_ADDR is missing', { ...torchrun, MASTER_ADDR: '' }, 'MASTER_ADDR', /must be set/],
  [
    'a rank that is not below the size',
    { ...torchrun, RANK: '4' },
    'RANK',
    /less than WORLD_SIZE, which is 4, got '4'/,
  ],
  [
    'a local rank beyond the machine',
    { ...torchrun, LOCAL_WORLD_SIZE: '1' },
    'LOCAL_RANK',
    /less than LOCAL_WORLD_SIZE/,
  ],
  ['more local ranks than ranks', { ...torchrun, LOCAL_WORLD_SIZE: '5' }, 'LOCAL_WORLD_SIZE', /at most .* which is 4/],
  ['a rank with a fraction', { ...torchrun, RANK: '1.5' }, 'RANK', /integer from 0 to \d+, got '1\.5'/],
  ['a negative rank', { ...torchrun, RANK: '-1' }, 'RANK', /got '-1'/],
  ['a size of 0', { ...torchrun, RANK: '0', WORLD_SIZE: '0' }, 'WORLD_SIZE', /integer from 1/],
  ['a size in hexadecimal', { ...torchrun, WORLD_SIZE: '0x10' }, 'WORLD_SIZE', /got '0x10'/],
  ['a port that does not exist', { ...torchrun, MASTER_PORT: '65536' }, 'MASTER_PORT', /from 1 to 65535, got '65536'/],
  [
    'a batch script without srun',
    { SLURM_PROCID: '0', SLURM_NTASKS: '4', SLURM_LOCALID: '0' },
    'SLURM_STEP_NODELIST',
    /srun/,
  ],
  [
    'nodes that are not a list',
    { ...slurm, SLURM_STEP_NODELIST: 'n[1-' },
    'SLURM_STEP_NODELIST',
    /node\[001-004\],login1, got/,
  ],
  [
    'tasks that are not a list',
    { ...slurm, SLURM_TASKS_PER_NODE: 'x', SLURM_NODEID: '0' },
    'SLURM_TASKS_PER_NODE',
    /2\(x3\),1/,
  ],
  [
    'a node beyond the tasks',
    { ...slurm, SLURM_TASKS_PER_NODE: '3', SLURM_NODEID: '1' },
    'SLURM_NODEID',
    /which is 1, got '1'/,
  ],
  ['a job that is not a number', { ...slurm, SLURM_JOB_ID: 'x' }, 'SLURM_JOB_ID', /must be an integer/],
  [
    'Open MPI 5 on several machines',
    { ...openmpi, OMPI_COMM_WORLD_LOCAL_SIZE: '2' },
    'MASTER_ADDR',
    /mpirun -x MASTER_ADDR/,
  ],
  ['Open MPI without a size', { OMPI_COMM_WORLD_RANK: '0' }, 'OMPI_COMM_WORLD_SIZE', /mpirun/],
  [
    'MPICH without an address',
    { PMI_RANK: '0', PMI_SIZE: '2', MPI_LOCALRANKID: '0' },
    'MASTER_ADDR',
    /-genv MASTER_ADDR/,
  ],
  ['MPICH without a local rank', { PMI_RANK: '0', PMI_SIZE: '2' }, 'MPI_LOCALRANKID', /mpiexec/],
  ['a long value is cut', { ...torchrun, RANK: '9'.repeat(500) }, 'RANK', /got '9{60}…'/],
])('%s: an error names the variable', (_, env, variable, message) => {
  const error = errorOf(() => readLauncher(env));
  expect(error).toBeInstanceOf(LauncherError);
  expect(error).toMatchObject({ variable, code: 'ERR_RAWKERNEL_LAUNCHER' });
  expect(error.message).toMatch(message);
  expect(error.message).toContain(variable);
});

test('without a launcher the error says how to start a job', () => {
  expect(errorOf(() => readLauncher({}))).toMatchObject({
    variable: undefined,
    message: expect.stringMatching(/npx rawkernel launch -n 4 program\.ts, torchrun, srun or mpirun/) as unknown,
  });
});

test('findLauncher() finds nothing without a launcher, and no way around wrong variables', () => {
  expect(findLauncher({})).toBeUndefined();
  expect(findLauncher(torchrun)).toMatchObject({ rank: 3 });
  expect(() => findLauncher({ RANK: '3' })).toThrow(LauncherError);
});

function errorOf(act: () => unknown): LauncherError {
  try {
    act();
  } catch (error) {
    return error as LauncherError;
  }
  throw new Error('Nothing was thrown');
}

describe("Slurm's lists of nodes", () => {
  test.each([
    ['n1', ['n1']],
    ['n1,n2', ['n1', 'n2']],
    ['n[1-3]', ['n1', 'n2', 'n3']],
    ['n[001-003,7],x', ['n001', 'n002', 'n003', 'n7', 'x']],
    ['n[09-11]', ['n09', 'n10', 'n11']],
    ['a[1-2]b[01,3]-ib', ['a1b01-ib', 'a1b3-ib', 'a2b01-ib', 'a2b3-ib']],
    ['a-b.c[5]', ['a-b.c5']],
    ['n[1-2],m[3,5-6],k', ['n1', 'n2', 'm3', 'm5', 'm6', 'k']],
  ])('%s', (text, names) => {
    expect(expandNodeList(text)).toEqual(names);
  });

  test.each([
    '',
    'n[',
    'n]',
    'n[1-',
    'n[]',
    'n[2-1]',
    'n[a]',
    'n[1--2]',
    ',n',
    'n,',
    'n m',
    'n[1-999999999]',
    'n[1-999]x[1-999]',
  ])('%j is not a list', (text) => {
    expect(expandNodeList(text)).toBeUndefined();
  });
});
