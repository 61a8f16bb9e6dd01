import type { Watcher } from './output.ts';

/** What ends a process, unless it listens. */
export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const ESCAPE = '\x1b';
const QUIT = ['q', 'Q', '\x03', '\x04'];

/** Hear of this process's signals, its keyboard and its terminal's size, until the function that comes back is called. */
export function watchProcess(watcher: Watcher): () => void {
  const { stdin, stdout } = process;
  const { stop, resized } = watcher;
  for (const signal of SIGNALS) process.on(signal, stop);
  const undo = [(): void => SIGNALS.forEach((signal) => process.off(signal, stop))];
  if (resized !== undefined) {
    stdout.on('resize', resized);
    undo.push(() => stdout.off('resize', resized));
    if (stdin.isTTY) undo.push(listen(stdin, stop));
  }
  return () => {
    for (const step of undo) step();
  };
}

/** Keys as they are pressed, not lines; Ctrl-C is one of them then. */
function listen(keyboard: NodeJS.ReadStream, stop: () => void): () => void {
  const heard = (keys: string): void => {
    // What begins with ESC and goes on is an arrow or its like.
    const quits = keys.startsWith(ESCAPE) ? keys === ESCAPE : QUIT.some((key) => keys.includes(key));
    if (quits) stop();
  };
  const release = (): void => void keyboard.setRawMode(false);
  keyboard.setRawMode(true).setEncoding('utf8').on('data', heard).on('end', stop).on('error', stop).resume();
  process.once('exit', release);
  return () => {
    process.off('exit', release);
    keyboard.off('data', heard).off('end', stop).off('error', stop).pause();
    release();
  };
}
