import type { Writable } from 'node:stream';
import { fileProblem } from './file-problem.ts';

/**
 * `rawkernel info | head` reads no further than it wants to, and a terminal may be closed: that is not a failure. What
 * cannot be written for another reason is one.
 *
 * @param name - for the message: `'stdout'`
 */
export function watchOutput(stream: Writable, name: string): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || error.code === 'EIO') process.exit();
    if (name !== 'stderr') process.stderr.write(`error: ${name}: ${fileProblem(error)}\n`);
    process.exit(1);
  });
}
