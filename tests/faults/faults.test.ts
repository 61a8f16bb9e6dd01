import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Ended } from '../helpers/child.ts';
import { some } from '../helpers/full.ts';
import { needs } from '../helpers/require.ts';
import { root } from '../helpers/root.ts';
import { until } from '../helpers/until.ts';
import { targets } from './programs.ts';

// What happens to a process from outside: the program goes on or ends, as it must; nothing hangs, crashes or is spoiled.
const TIMEOUT = 120_000;
const POSIX = needs.file('/bin/sh');
const built = needs.build();
const { describe } = built.missing === undefined ? POSIX : built;

let cache = '';
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), 'rawkernel-faults-'));
});
afterEach(() => {
  rmSync(cache, { recursive: true, force: true });
});

interface Settings {
  readonly env?: Readonly<Record<string, string>>;
  /** What a shell does before it becomes the program. */
  readonly shell?: string;
  /** Is given the process when it has printed something. */
  readonly onText?: (kill: (signal: NodeJS.Signals) => void) => void;
}

function run(text: string, { env = {}, shell = ':', onText }: Settings = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const args = ['-c', `${shell}; exec "$0" "$@"`, process.execPath, '--input-type=module', '--eval', text];
    const all = { ...process.env, RAWKERNEL_CACHE_DIR: join(cache, 'kernels'), ...env };
    const child = spawn('sh', args, { cwd: root, env: all, stdio: ['ignore', 'pipe', 'pipe'] });
    const written = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      written.stdout += chunk;
      onText?.((signal) => child.kill(signal));
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (written.stderr += chunk));
    child.on('error', reject).on('close', (code, signal) => {
      resolve({ code, signal, ...written });
    });
  });
}

/** The processes that compile for one that was killed, by what their environment says of the cache. */
function compilersOf(folder: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(folder);
    } catch {
      return false;
    }
  });
}

describe.each(some(targets, targets.length).map((target) => [target.name, target] as const))('%s', (_, target) => {
  const { env, setUp, compile, compute, spin, shortSpin } = target;
  const program = `${setUp}\nconst module = await ${compile};\n${compute}`;

  /** A program in the same folder afterwards sees nothing of it. */
  async function goesOn(): Promise<void> {
    const { code, signal, stdout } = await run(program, { env });
    expect({ code, signal, stdout }).toEqual({ code: 0, signal: null, stdout: '6\n' });
  }

  test(
    'kill -9 while it compiles leaves no process and no half of an entry',
    async () => {
      const text = `${setUp}
        const compiling = ${compile};
        console.log('compiling');
        await compiling;`;
      const { code, signal } = await run(text, {
        env,
        onText: (kill) => {
          kill('SIGKILL');
        },
      });
      expect(signal ?? code).toBe('SIGKILL');
      if (existsSync('/proc/self/environ')) {
        await until('its compiler has ended', () => compilersOf(cache).length === 0);
      }
      await goesOn();
    },
    TIMEOUT,
  );

  needs.full().test(
    'SIGINT ends it in a kernel, and a worker that waits does not hold it up',
    async () => {
      const text = `${setUp}
        const module = await ${compile};
        const report = (text) => console.log(text);
        ${spin}`;
      const { signal, stdout } = await run(text, {
        env,
        onText: (kill) => {
          kill('SIGINT');
        },
      });
      expect({ signal, stdout }).toEqual({ signal: 'SIGINT', stdout: 'started\n' });
      await goesOn();
    },
    TIMEOUT,
  );

  test(
    'files may not grow and folders not be made: it computes, and says once that nothing is kept',
    async () => {
      const small = await run(program, { env, shell: target.needsNoFiles ? 'ulimit -f 1' : ':' });
      expect({ code: small.code, signal: small.signal, stdout: small.stdout }).toEqual({
        code: 0,
        signal: null,
        stdout: '6\n',
      });
      writeFileSync(join(cache, 'file'), '');
      const nowhere = { ...env, RAWKERNEL_CACHE_DIR: join(cache, 'file', 'kernels') };
      const { code, stdout, stderr } = await run(program, { env: nowhere });
      expect({ code, stdout }).toEqual({ code: 0, stdout: '6\n' });
      expect(stderr.match(/\[RAWKERNEL_CACHE\]/g)).toHaveLength(1);
      await goesOn();
    },
    TIMEOUT,
  );

  test(
    'little address space ends in an error, not in a crash',
    async () => {
      // Node.js itself takes a few of these.
      const { code, signal, stdout, stderr } = await run(program, { env, shell: 'ulimit -v 6000000' });
      expect({ signal, isEnd: code === 0 ? stdout === '6\n' : /Error/.test(stderr) }).toEqual({
        signal: null,
        isEnd: true,
      });
    },
    TIMEOUT,
  );

  needs.full().test(
    'threads of the program that end in the midst of a launch leave the others unharmed',
    async () => {
      const worker = `import { parentPort } from 'node:worker_threads';
        ${setUp}
        const module = await ${compile};
        const report = (text) => parentPort.postMessage(text);
        ${shortSpin}`;
      const text = `${program}
        const { Worker } = await import('node:worker_threads');
        const { once } = await import('node:events');
        for (let i = 0; i < 2; i++) {
          const worker = new Worker(new URL('data:text/javascript,' + encodeURIComponent(${JSON.stringify(worker)}
            .replace(/'(rawkernel\\/\\w+)'/g, (_, name) => JSON.stringify(import.meta.resolve(name))))));
          await once(worker, 'message');
          await worker.terminate();
        }
        {${compute}}`;
      const { code, signal, stdout, stderr } = await run(text, { env });
      expect({ code, signal, stdout, stderr: code === 0 ? '' : stderr }).toEqual({
        code: 0,
        signal: null,
        stdout: '6\n6\n',
        stderr: '',
      });
    },
    TIMEOUT,
  );
});
