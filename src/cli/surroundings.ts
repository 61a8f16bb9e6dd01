import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { join } from 'node:path';
import type { IO, Output } from './output.ts';
import { watchProcess } from './watch.ts';

/** What surrounds a command in a process of its own. */
export function surroundings(stdout: Output): IO {
  return { stdout, stderr: process.stderr, env: process.env, watch: watchProcess, again };
}

/** Run one of this folder's programs. */
export function start(
  program: string,
  argv: readonly string[],
  stdio: StdioOptions,
  env: Readonly<Record<string, string>> = {},
): ChildProcess {
  const script = join(import.meta.dirname, program);
  return spawn(process.execPath, [...process.execArgv, script, ...argv], { env: { ...process.env, ...env }, stdio });
}

function again(argv: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = start('main.js', argv, ['ignore', 'pipe', 'pipe'], env);
    const heard = { stdout: '', stderr: '' };
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (heard.stdout += chunk));
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (heard.stderr += chunk));
    child.on('error', reject).on('close', (code, signal) => {
      if (heard.stdout !== '') resolve(heard.stdout);
      else reject(new Error(heard.stderr.trim() || `It ended with ${signal ?? `exit code ${code ?? ''}`}`));
    });
  });
}
