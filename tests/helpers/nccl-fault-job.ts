import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { isBuilt } from './child.ts';
import { isAlive } from './launched.ts';
import { isListening } from './listening.ts';
import type { RankProgram } from './rank-program.ts';
import { root } from './root.ts';
import { until } from './until.ts';

/** What a job with a fault has left behind. */
export interface FaultEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** How much later than asked timers came on this machine meanwhile, in milliseconds. */
  readonly lagMs: number;
  /** Processes, ports and files that should have gone. */
  readonly left: readonly string[];
  /** How long processes went on after the launcher, or the last rank without one, in milliseconds. */
  readonly overMs: number;
}

/** How a job is started. */
interface FaultStart {
  readonly program: RankProgram;
  readonly ranks: number;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Without a launcher, with the variables that Slurm sets; 0 where there is one. */
  readonly slurmPort: number;
}

const MARK = 'RAWKERNEL_TEST_FAULT_JOB';
const LAG_STEP_MS = 20;
let jobs = 0;

/** Processes with a mark in their environment, whatever their parents. */
function marked(mark: string): number[] {
  if (!existsSync('/proc/self/environ')) return [];
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const isMarked = readFileSync(`/proc/${name}/environ`, 'latin1').includes(`${MARK}=${mark}\0`);
      return isMarked ? [Number(name)] : [];
    } catch {
      // It has ended, or is not ours.
      return [];
    }
  });
}

/** Run a job with a fault, and look for what it leaves. */
export async function runFault(start: FaultStart): Promise<FaultEnd> {
  const mark = `${process.pid}.${jobs++}`;
  const folder = mkdtempSync(join(tmpdir(), 'rawkernel-fault-'));
  const env = { ...process.env, ...start.env, [MARK]: mark, TMPDIR: folder };
  const children = start.slurmPort > 0 ? slurmRanks(start, env) : [launcher(start, env)];
  const lag = watchLag();
  try {
    const ended = await endOf(children, start.slurmPort > 0);
    const over = performance.now();
    const pids = numbersOf(ended.stdout, 'process');
    const running = (): number[] => [...new Set([...marked(mark), ...pids.filter(isAlive)])];
    const left: string[] = [];
    await until('its processes have ended', () => running().length === 0).catch(() => {
      left.push(...running().map((pid) => `process ${pid}`));
      for (const pid of running()) process.kill(pid, 'SIGKILL');
    });
    const overMs = performance.now() - over;
    const listeners = ended.stdout.matchAll(/^\[\d+\] listener (\d+) (\d*)$/gm);
    for (const [, port = '', inode = ''] of listeners) {
      if (await isListening({ port: Number(port), inode: inode || undefined })) left.push(`port ${port}`);
    }
    left.push(
      ...readdirSync(folder)
        .filter((name) => !name.startsWith('tsx-'))
        .map((name) => `file ${name}`),
    );
    return { ...ended, lagMs: lag(), left, overMs };
  } finally {
    lag();
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Numbers behind a word at the beginning of lines. */
function numbersOf(text: string, word: string): number[] {
  return [...text.matchAll(new RegExp(`^\\[\\d+\\] ${word} (\\d+)$`, 'gm'))].map(([, digits]) => Number(digits));
}

function launcher({ program, ranks, args }: FaultStart, env: NodeJS.ProcessEnv): ChildProcess {
  const main = isBuilt() ? [join(root, 'dist/cli/main.js')] : ['--import', 'tsx', join(root, 'src/cli/main.ts')];
  return node([...main, 'launch', '-n', String(ranks), program.file, ...args], env);
}

function slurmRanks({ program, ranks, args, slurmPort }: FaultStart, env: NodeJS.ProcessEnv): ChildProcess[] {
  return Array.from({ length: ranks }, (_, rank) =>
    node([...program.flags, program.file, ...args], {
      ...env,
      SLURM_PROCID: String(rank),
      SLURM_NTASKS: String(ranks),
      SLURM_LOCALID: String(rank),
      SLURM_NODEID: '0',
      SLURM_STEP_NODELIST: 'localhost',
      SLURM_STEP_TASKS_PER_NODE: String(ranks),
      SLURM_JOB_ID: '17',
      MASTER_PORT: String(slurmPort),
    }),
  );
}

function node(argv: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, argv, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** @param isBare - each process is a rank, whose lines get the number that a launcher would give them */
async function endOf(
  children: readonly ChildProcess[],
  isBare: boolean,
): Promise<Pick<FaultEnd, 'code' | 'stdout' | 'stderr'>> {
  const ended = await Promise.all(
    children.map((child, rank) => {
      const lines = async (stream: Readable | null): Promise<string> => {
        const all = stream === null ? '' : await text(stream);
        return isBare ? all.replaceAll(/^(?=.)/gm, `[${rank}] `) : all;
      };
      return Promise.all([lines(child.stdout), lines(child.stderr), once(child, 'close')] as const);
    }),
  );
  return {
    code: children[0]?.exitCode ?? null,
    stdout: ended.map(([stdout]) => stdout).join(''),
    stderr: ended.map(([, stderr]) => stderr).join(''),
  };
}

function watchLag(): () => number {
  let [sum, last] = [0, performance.now()];
  const timer = setInterval(() => {
    const now = performance.now();
    sum += Math.max(0, now - last - LAG_STEP_MS);
    last = now;
  }, LAG_STEP_MS);
  return () => {
    clearInterval(timer);
    return sum;
  };
}
