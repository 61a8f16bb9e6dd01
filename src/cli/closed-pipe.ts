import type { Writable } from 'node:stream';

/** `rawkernel info | head` reads no further than it wants to: that is no failure. */
export function ignoreClosedPipe(stream: Writable): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}
