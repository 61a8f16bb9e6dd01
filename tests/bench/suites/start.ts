import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as cuda from 'rawkernel/cuda';
import 'rawkernel/cuda/autoinit';
import { msOf, type Case, type Side } from '../harness.ts';

const FIRST_LAUNCH = join(import.meta.dirname, '..', 'first-launch.mjs');
const ROUNDS = 11;

/** From the start of a process, and from a source to a kernel. */
export function* startSuite(): Generator<Case> {
  const warm = mkdtempSync(join(tmpdir(), 'rawkernel-bench-'));
  try {
    run([FIRST_LAUNCH], warm);
    yield {
      name: 'a process that imports it, from start to end',
      unit: 'ms',
      rounds: ROUNDS,
      sides: [
        processSide('Node alone', ['--eval', '0'], warm),
        processSide("import 'rawkernel/cuda'", importing('rawkernel/cuda'), warm),
        processSide("import 'rawkernel/opencl'", importing('rawkernel/opencl'), warm),
        processSide("import 'rawkernel'", importing('rawkernel'), warm),
      ],
    };
    yield {
      name: 'a process with its first launch, from start to end',
      unit: 'ms',
      rounds: ROUNDS,
      sides: [
        processSide('Node alone', ['--eval', '0'], warm),
        processSide('the kernel is in the compile cache', [FIRST_LAUNCH], warm),
        {
          name: 'nothing is in the cache',
          round: () => {
            const empty = mkdtempSync(join(tmpdir(), 'rawkernel-bench-'));
            try {
              return msOf(() => {
                run([FIRST_LAUNCH], empty);
              });
            } finally {
              rmSync(empty, { recursive: true, force: true });
            }
          },
        },
      ],
    };
    yield compileCase();
  } finally {
    rmSync(warm, { recursive: true, force: true });
  }
}

function importing(name: string): readonly string[] {
  return ['--input-type=module', '--eval', `import '${name}';`];
}

function processSide(name: string, args: readonly string[], cache: string): Side {
  return {
    name,
    round: () =>
      msOf(() => {
        run(args, cache);
      }),
  };
}

function run(args: readonly string[], cache: string): void {
  const env = { ...process.env, RAWKERNEL_CACHE_DIR: cache, NODE_OPTIONS: '' };
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

/** A source of some length; a number in it makes it another one. */
function sourceOf(seed: number): string {
  const bodies = Array.from({ length: 10 }, (_, i) => `a[i] = fmaf(a[i], ${seed + i}.0f, sinf(a[i]));`);
  return `extern "C" __global__ void work(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  ${bodies.join('\n  ')}
}`;
}

function compileCase(): Case {
  let seed = process.pid * 1000;
  const build = (source: string): number =>
    msOf(() => {
      new cuda.SourceModule(source).close();
    });
  const known = sourceOf(seed);
  return {
    name: 'SourceModule, from source to module',
    unit: 'ms',
    rounds: ROUNDS,
    sides: [
      { name: 'compiled', round: () => build(sourceOf(++seed)) },
      { name: 'from the cache', round: () => build(known) },
    ],
  };
}
