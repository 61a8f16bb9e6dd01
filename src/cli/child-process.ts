import type { Readable } from 'node:stream';
import { start } from './surroundings.ts';
import { SIGNALS } from './watch.ts';

/**
 * Run a command in another process, whose stdout is this one's stderr: a driver prints there what kernels print, and
 * nothing in JavaScript can keep it from doing so.
 */
export function runInChild(argv: readonly string[]): Promise<number> {
  const child = start('child-main.js', argv, ['inherit', process.stderr, 'inherit', 'pipe']);
  const forward = (signal: NodeJS.Signals): void => void child.kill(signal);
  for (const signal of SIGNALS) process.on(signal, forward);
  const document = child.stdio[3] as Readable;
  document.pipe(process.stdout, { end: false });
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (code, signal) => {
      for (const each of SIGNALS) process.off(each, forward);
      // Ended as it would have been without the other process.
      if (signal) process.kill(process.pid, signal);
      resolve(code ?? 1);
    });
  });
}
