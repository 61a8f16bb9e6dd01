import { writeSync } from 'node:fs';
import { isatty } from 'node:tty';

/** A terminal, or what may be one. */
export interface Terminal {
  readonly isTerminal: () => boolean;
  readonly write: (text: string) => void;
}

const DELAY_MS = 2000;
const STEP_MS = 1000;
const MAX_NAME = 40;
const STDERR = 2;

/** `process.stderr` of a thread goes through the main thread, which waits for the compiler. */
const stderr: Terminal = {
  isTerminal: () => isatty(STDERR) && process.env['TERM'] !== 'dumb',
  write: (text) => {
    try {
      writeSync(STDERR, text);
    } catch {
      // A terminal that takes nothing now, or is gone.
    }
  },
};

/**
 * Say on a terminal that a source is being compiled, once that takes long: one line on stderr.
 *
 * @returns ends it: the line is erased
 */
export function sayCompiling(file: string, { isTerminal, write }: Terminal = stderr): () => void {
  if (!isTerminal()) return () => undefined;
  const begin = performance.now();
  let shown = false;
  const show = (): void => {
    const seconds = Math.round((performance.now() - begin) / 1000);
    write(`\r\x1b[2Krawkernel: compiling ${nameIn(file)} ... ${seconds} s (RAWKERNEL_CPU_PROGRESS=0: no line)`);
    shown = true;
  };
  let ticks: NodeJS.Timeout | undefined;
  const start = setTimeout(() => {
    show();
    ticks = setInterval(show, STEP_MS);
  }, DELAY_MS);
  return () => {
    clearTimeout(start);
    clearInterval(ticks);
    if (shown) write('\r\x1b[2K');
  };
}

/** The end of a path, short enough for a line that is not to wrap. */
function nameIn(file: string): string {
  const name = (file.split(/[\\/]/).at(-1) ?? '').replace(/\p{Cc}/gu, '');
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME - 1)}…` : name;
}
