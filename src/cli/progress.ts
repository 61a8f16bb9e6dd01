import type { IO } from './output.ts';

const DELAY_MS = 300;
const STEP_MS = 1000;

/**
 * Say on a terminal what is being waited for: one line on stderr, which is erased at the end. What takes no time says
 * nothing.
 */
export async function progress<T>({ stderr }: IO, what: string, work: Promise<T>): Promise<T> {
  if (stderr.isTTY !== true) return work;
  const begin = performance.now();
  const state = { shown: false };
  const show = (): void => {
    const seconds = Math.floor((performance.now() - begin) / 1000);
    stderr.write(`\r\x1b[2K${what} ...${seconds > 0 ? ` ${seconds} s` : ''}`);
    state.shown = true;
  };
  let ticks: NodeJS.Timeout | undefined;
  const start = setTimeout(() => {
    show();
    ticks = setInterval(show, STEP_MS);
  }, DELAY_MS);
  try {
    return await work;
  } finally {
    clearTimeout(start);
    clearInterval(ticks);
    if (state.shown) stderr.write('\r\x1b[2K');
  }
}

/** {@link progress} for work that blocks: the line is there from its beginning. */
export function blocking<T>({ stderr }: IO, what: string, work: () => T): T {
  if (stderr.isTTY !== true) return work();
  stderr.write(`\r\x1b[2K${what} ...`);
  try {
    return work();
  } finally {
    stderr.write('\r\x1b[2K');
  }
}
