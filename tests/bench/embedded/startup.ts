import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spreadOf, type Spread } from '../statistics.ts';

/** Milliseconds from the start of a process to its end, and megabytes. */
export interface Startup {
  /** Node alone. */
  readonly bare: Spread;
  /** The first launch and its result, where nothing was compiled before. */
  readonly cold: Spread;
  /** The same where the program is in the cache. */
  readonly warm: Spread;
  /** Resident memory of the process when the first kernel has run, of the compiler beside it, and once that has ended. */
  readonly memory: {
    readonly compiled: number;
    readonly compiler: number;
    readonly later: number;
    readonly warm: number;
  };
}

const PROGRAM = join(import.meta.dirname, '..', 'first-launch.mjs');

function run(args: readonly string[], cache: string): { readonly ms: number; readonly out: string } {
  const start = performance.now();
  const env = { ...process.env, RAWKERNEL_DEVICE: 'cpu', RAWKERNEL_CACHE_DIR: cache, NODE_OPTIONS: '' };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return { ms: performance.now() - start, out: stdout };
}

/** Start processes, in turn, from the built package. */
export function measureStartup(rounds: number): Startup {
  const caches: string[] = [];
  const fresh = (): string => {
    const folder = mkdtempSync(join(tmpdir(), 'rawkernel-bench-'));
    caches.push(folder);
    return folder;
  };
  try {
    const warmed = fresh();
    run([PROGRAM], warmed);
    const times = { bare: [] as number[], cold: [] as number[], warm: [] as number[] };
    for (let i = 0; i < rounds; i++) {
      times.bare.push(run(['--eval', '0'], warmed).ms);
      times.warm.push(run([PROGRAM], warmed).ms);
      times.cold.push(run([PROGRAM], fresh()).ms);
    }
    const memory = JSON.parse(run([PROGRAM, 'memory'], fresh()).out) as Omit<Startup['memory'], 'warm'>;
    const { compiled } = JSON.parse(run([PROGRAM, 'memory'], warmed).out) as { readonly compiled: number };
    return {
      bare: spreadOf(times.bare),
      cold: spreadOf(times.cold),
      warm: spreadOf(times.warm),
      memory: { ...memory, warm: compiled },
    };
  } finally {
    for (const folder of caches) rmSync(folder, { recursive: true, force: true });
  }
}
