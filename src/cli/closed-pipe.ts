import type { Writable } from 'node:stream';

/** `rawkernel info | head` reads no further than it wants to, and a terminal may be closed: that is no failure. */
export function ignoreClosedPipe(stream: Writable): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
    process.exit();
  });
}
