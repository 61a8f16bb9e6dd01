import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach } from '@jest/globals';
import { moduleFile } from './build-record.js';
import { isBuilt } from './child.ts';
import { root } from './root.ts';
import { until } from './until.ts';

const folder = mkdtempSync(join(tmpdir(), 'rawkernel-launch-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const running = new Set<Launched>();
afterEach(async () => {
  for (const each of running) each.child.kill('SIGKILL');
  await Promise.all([...running].map(({ ended }) => ended));
});

let programs = 0;

/** Write a program. `@job/meet` in its imports is src/job/meet.ts, or its build, `@src/nccl/index` src/nccl/index.ts. */
export function programOf(text: string, suffix = '.mjs'): string {
  const file = join(folder, `program${programs++}${suffix}`);
  const moduleOf = (name: string): string => (isBuilt() ? moduleFile(name) : `src/${name}.ts`);
  writeFileSync(
    file,
    text
      .replaceAll('@job/', '@src/job/')
      .replaceAll(/@src\/([\w/-]+)/g, (_, name: string) => pathToFileURL(join(root, moduleOf(name))).href),
  );
  return file;
}

/** A launcher that runs. */
export class Launched {
  readonly child: ChildProcess;
  readonly ended: Promise<number>;
  stdout = '';
  stderr = '';

  constructor(argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const main = isBuilt() ? [join(root, 'dist/cli/main.js')] : ['--import', 'tsx', join(root, 'src/cli/main.ts')];
    this.child = spawn(process.execPath, [...main, 'launch', ...argv], {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    running.add(this);
    this.ended = new Promise((resolve) => {
      this.child.on('close', (code) => {
        running.delete(this);
        resolve(code ?? -1);
      });
    });
  }

  /** Wait for so many lines with a text on stdout. */
  async said(text: string, times = 1): Promise<void> {
    await until(`${times} times '${text}'; there is\n${this.stdout}${this.stderr}`, () => {
      return this.stdout.split(text).length > times;
    });
  }

  /** Numbers behind a word on stdout. */
  numbers(word: string): number[] {
    return [...this.stdout.matchAll(new RegExp(`${word} (\\d+)`, 'g'))].map(([, digits]) => Number(digits));
  }

  /** The lines of one rank on stdout, without its prefix. */
  linesOf(rank: number): string[] {
    const prefix = `[${rank}] `;
    return this.stdout.split('\n').flatMap((line) => (line.startsWith(prefix) ? [line.slice(prefix.length)] : []));
  }
}

/** Launch, and wait for the end. */
export async function launched(
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Launched & { readonly code: number }> {
  const launch = new Launched(argv, env);
  const code = await launch.ended;
  return Object.assign(launch, { code });
}

/** Whether a process runs; one that has ended and was not waited for does not. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
