import { availableParallelism } from 'node:os';
import { readFileSync } from 'node:fs';
import { afterAll, expect, test as always } from '@jest/globals';
import { isEmbedded } from '../../../src/cuda/selection.ts';
import { freePort } from '../../helpers/free-port.ts';
import { runFault, type FaultEnd } from '../../helpers/nccl-fault-job.ts';
import { faults } from '../../helpers/nccl-faults.ts';
import { rankProgram } from '../../helpers/rank-program.ts';
import { needs } from '../../helpers/require.ts';

// Ranks 0, 1 and 2; the last one is wrong unless something else is said.
const RANKS = 3;
const LIMIT_MS = 3000;
/** A limit that is not reached: the fault is noticed before. */
const FAR_MS = 40_000;
/** What is promised: each rank has ended so long after its limit. */
const PROMISED_MS = 2000;
/** After the end of a rank, calls may still finish for so long. */
const GRACE_MS = 1000;
/** For the machine, which has other work; what is seen of that comes on top. */
const MACHINE_MS = 1000;
const TEST_MS = 170_000;

interface Row {
  /** What the error of each rank that survives says. */
  readonly says: readonly RegExp[];
  /** The ranks that survive; all by default. */
  readonly survivors?: readonly number[];
  /** The limit; `FAR_MS`: the ranks end soon after the wrong one went wrong. */
  readonly limitMs?: number;
  readonly code?: number | null;
  /** What is otherwise on GPUs; the code is one of several there. */
  readonly gpu?: Partial<Pick<Row, 'says' | 'survivors'>> & { readonly codes?: readonly number[] };
  readonly env?: Readonly<Record<string, string>>;
  readonly isSlurm?: boolean;
}

const OTHERS = [0, 1];
const at = (call: string): RegExp => new RegExp(`^ranks? [0-9, ]+ (?:is|are) at ${call} \\(\\S+:\\d+\\)`, 'm');
const both = (wrong: string, right: string): RegExp =>
  new RegExp(`^rank 2 is at ${wrong} \\(\\S+:\\d+\\); ranks 0, 1 are at ${right} \\(\\S+:\\d+\\)$`, 'm');

const SUM = 'allReduce #2 f32 x 16 sum';
const before = (how: string): readonly RegExp[] => [
  new RegExp(`^rank 2 ${how} before allReduce #2 was finished$`, 'm'),
  at(SUM),
];
/** A killed process with a GPU ends so slowly that the end of its connection may be noticed first. */
const GONE = '(?:exited with signal SIGKILL|was killed, or has lost its connection,)';
const KILLED: Row = {
  says: before('exited with signal SIGKILL'),
  survivors: OTHERS,
  limitMs: FAR_MS,
  code: 137,
  gpu: { says: before(GONE), codes: [137, 1] },
};
const WAITED = [/^rank 2 ended with exit code 0 while allReduce #2 waited for it$/m, at(SUM)];
const only = (line: RegExp): readonly RegExp[] => [line, /init (?:did not finish within 3 s|cannot finish)$/m];

const MIXED_UP: Row = { says: [both('broadcast #2 f32 x 16 from rank 0', SUM), /^The operation differs/m] };

const rows: Readonly<Record<string, Row>> = {
  operation: MIXED_UP,
  count: { says: [both('allReduce #2 f32 x 8 sum', SUM), /^The count differs/m] },
  dtype: { says: [both('allReduce #2 i32 x 16 sum', SUM), /^The dtype differs/m] },
  root: {
    says: [both('reduce #2 f32 x 16 sum to rank 1', 'reduce #2 f32 x 16 sum to rank 0'), /^The root differs/m],
  },
  reduction: { says: [both('allReduce #2 f32 x 16 max', SUM), /^The reduction differs/m] },
  order: { says: [both('broadcast #2 f32 x 16 from rank 0', SUM), /^The order of the calls differs/m] },
  'missed call': { says: [both('broadcast #2 f32 x 16 from rank 0', SUM), /^The operation differs/m] },
  'no more calls': {
    says: [at(SUM), /^rank 2 has not called #2: its last call, allReduce #1 f32 x 16 sum \(\S+:\d+\), is finished$/m],
  },
  'early return': { says: WAITED, survivors: OTHERS, limitMs: FAR_MS },
  'killed before a call': KILLED,
  'killed in a call': {
    says: [/^rank 2 exited with signal SIGKILL in allReduce #2$/m, at(SUM), /^rank 0 has not called #2/m],
    survivors: OTHERS,
    limitMs: 4000,
    code: 137,
    gpu: {
      says: [new RegExp(`^rank 2 ${GONE} in allReduce #2$`, 'm'), at(SUM), /^rank 0 has not called #2/m],
      codes: [137, 1],
    },
  },
  exception: { says: before('exited with code 1'), survivors: OTHERS, limitMs: FAR_MS },
  'blocked event loop': {
    says: [/^rank 2 does not answer; .*: its event loop is blocked, or its process is stopped$/m, at(SUM)],
    survivors: OTHERS,
  },
  'blocked launches': MIXED_UP,
  'blocked fills': MIXED_UP,
  'blocked copies': MIXED_UP,
  'blocked frees': MIXED_UP,
  'blocked host of the store': { ...MIXED_UP, isSlurm: true },
  'blocked beside a killed rank': KILLED,
  stopped: {
    says: [/^rank 2 does not answer; .*: its event loop is blocked, or its process is stopped$/m, at(SUM)],
    survivors: OTHERS,
  },
  'never at init': { says: only(/^rank 2 has not come to init within 3 s$/m), survivors: OTHERS },
  'first rank never at init': { says: only(/^rank 0 has not come to init within 3 s$/m), survivors: [1, 2] },
  'another size': {
    says: [/^The number of ranks differs: rank 2 counts 4 ranks; ranks 0, 1 count 3 ranks$/m],
    survivors: OTHERS,
    limitMs: FAR_MS,
  },
  'a rank twice': { says: only(/^rank 0 has come twice: /m), limitMs: FAR_MS },
  'send without recv': { says: [at('send #1 f32 x 16 to rank 2'), /^rank 2 has not called recv #1 from rank 0: /m] },
  'recv of fewer': {
    says: [
      /^rank 0 is at send #1 f32 x 16 to rank 2 \(\S+:\d+\); rank 2 is at recv #1 f32 x 8 from rank 0 \(\S+:\d+\)$/m,
      /^The count differs: a recv must have the count and dtype of its send$/m,
    ],
    // NCCL notices it, and lets the send pass: the rank with the recv says so, and ends the job.
    gpu: { says: [], survivors: [] },
  },
  'endless kernel': {
    says: [
      at(SUM),
      /^Kernels launched last: rank 2: spin grid \[1, 1, 1\] block \[1, 1, 1\]; ranks 0, 1: none$/m,
      /^All ranks have made the same calls: look at the GPUs, at work that is before it/m,
    ],
  },
  'kernel fault': {
    says: before('exited with code 1'),
    survivors: OTHERS,
    limitMs: FAR_MS,
    env: { RAWKERNEL_CPU_CHECK: '1' },
  },
  'kernel fault that is caught': {
    says: [/^rank 2 makes no more calls: .*out-of-bounds write of data\[1000000\]/m, at(SUM)],
    env: { RAWKERNEL_CPU_CHECK: '1' },
  },
  abort: { says: [/^rank 2 has aborted the communicator in allReduce #2$/m], survivors: OTHERS, limitMs: FAR_MS },
  'closed early': {
    says: [/^rank 2 has closed the communicator before allReduce #2$/m, at(SUM)],
    survivors: OTHERS,
    limitMs: FAR_MS,
  },
  group: {
    says: [both('broadcast #3 f32 x 4 from rank 0', 'broadcast #3 f32 x 16 from rank 0'), /^The count differs/m],
  },
  split: {
    says: [
      /^ranks 0, 1 wait in split \(\S+:\d+\)$/m,
      /^rank 2 has not called split: its last call, allReduce #1 f32 x 16 sum \(\S+:\d+\), is finished$/m,
    ],
  },
  'host of the store': {
    says: [/^rank 0 was killed, or has lost its connection, before allReduce #2 was finished$/m, at(SUM)],
    survivors: [1, 2],
    limitMs: FAR_MS,
    code: null,
    isSlurm: true,
  },
  launcher: { says: [], survivors: [], limitMs: FAR_MS, code: null },
};

/** Jobs mostly wait: more of them run than there are cores. A GPU is shared by the ranks of each. */
const AT_ONCE = isEmbedded() ? availableParallelism() + 1 : 2;
/** NCCL's own service listens at one port for all jobs of a machine. */
const NO_SERVICE = { NCCL_RAS_ENABLE: '0' };
const runs = new Map<string, Promise<FaultEnd>>();
const told: string[] = [];

/** Start the jobs of all rows, a few at a time, in their order. */
function startAll(): void {
  const program = rankProgram('nccl-fault-rank.ts');
  const free: (() => void)[] = [];
  let running = 0;
  const turn = async (): Promise<void> => {
    if (running >= AT_ONCE) await new Promise<void>((resolve) => free.push(resolve));
    running++;
  };
  for (const [name, { limitMs = LIMIT_MS, env = {}, isSlurm = false }] of Object.entries(rows)) {
    const run = async (): Promise<FaultEnd> => {
      await turn();
      try {
        const devices = { RAWKERNEL_CPU_DEVICES: String(RANKS) };
        const args = [name, String(limitMs)];
        const slurmPort = isSlurm ? await freePort() : 0;
        return await runFault({ program, ranks: RANKS, args, env: { ...devices, ...NO_SERVICE, ...env }, slurmPort });
      } finally {
        running--;
        free.shift()?.();
      }
    };
    const started = run();
    started.catch(() => undefined);
    runs.set(name, started);
  }
}

/** What one rank has written on a stream, without the launcher's number. */
function of(rank: number, text: string): string {
  const prefix = `[${rank}] `;
  return text
    .split('\n')
    .flatMap((line) => (line.startsWith(prefix) ? [line.slice(prefix.length)] : []))
    .join('\n');
}

function times(text: string, word: string): number[] {
  return [...text.matchAll(new RegExp(`^${word} (\\d+)$`, 'gm'))].map(([, digits]) => Number(digits));
}

/** When the ranks must notice at the latest. */
function dueOf({ stdout }: FaultEnd, limitMs: number): number {
  const goes = times(stdout.replaceAll(/^\[\d\] /gm, ''), 'goes');
  if (goes.length > 0 && limitMs !== LIMIT_MS) return Math.max(...goes) + GRACE_MS;
  const calls = Array.from({ length: RANKS }, (_, rank) => times(of(rank, stdout), 'waits').at(-1) ?? Infinity);
  return Math.min(...calls) + (limitMs === FAR_MS ? GRACE_MS : limitMs);
}

function rowOf(name: string): Row & { readonly codes?: readonly number[] } {
  const row = rows[name] as Row;
  return isEmbedded() ? row : { ...row, ...row.gpu };
}

/** Check that the lines of the program that an error names make the calls that it names. */
function checkPlaces(text: string): void {
  const places = [...text.matchAll(/(\w+) #\d+ [^:;()]*\((\S+nccl-fault\S+):(\d+)\)/g)];
  for (const [, call = '', file = '', line] of places) {
    expect(readFileSync(file, 'utf8').split('\n')[Number(line) - 1]).toContain(`.${call}(`);
  }
}

// Ranks share GPUs where there are few.
const { describe } = needs.nccl();

describe('a fault on one rank: the others say what it is, in time, and nothing is left', () => {
  afterAll(async () => {
    await Promise.allSettled(runs.values());
    if (told.length > 0) process.stderr.write(`${told.length} faults; ended after they were due: ${told.join(', ')}\n`);
  });

  always('each fault is expected', () => {
    expect(Object.keys(rows).sort()).toEqual(Object.keys(faults).sort());
    expect(Object.keys(rows).length).toBeGreaterThanOrEqual(20);
  });

  const names = Object.keys(rows).filter((name) => isEmbedded() || rows[name]?.env === undefined);
  always.each(names)(
    '%s',
    async (name) => {
      if (runs.size === 0) startAll();
      const end = (await runs.get(name)) as FaultEnd;
      const { says, survivors = [0, 1, 2], limitMs = LIMIT_MS, code = 1, codes = [code] } = rowOf(name);
      expect({ left: end.left, code: end.code }).toEqual({
        left: [],
        code: codes.find((one) => one === end.code) ?? code,
      });
      const due = dueOf(end, limitMs);
      const slack = PROMISED_MS + MACHINE_MS + 2 * end.lagMs;
      for (const rank of survivors) {
        const text = of(rank, end.stderr);
        for (const line of [/NcclTimeoutError: /, ...says]) expect(text).toMatch(line);
        expect(text).not.toMatch(new RegExp(`rank ${rank} (?:does not answer|exited)`));
        checkPlaces(text);
        const [ended = Infinity] = times(of(rank, end.stdout), 'ended');
        expect(ended - due).toBeLessThan(slack);
        if (rank === survivors.at(-1)) told.push(`${name} ${((ended - due) / 1000).toFixed(1)} s`);
      }
      if (survivors.length === 0) expect(end.overMs).toBeLessThan(slack);
    },
    TEST_MS,
  );
});
