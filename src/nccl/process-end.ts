const ends = new Set<() => void>();
let isWatching = false;

/**
 * Have a function called when the process ends by itself or by `process.exit(0)`, before the job's store says goodbye.
 *
 * @returns takes it back
 */
export function atProcessEnd(end: () => void): () => void {
  ends.add(end);
  if (!isWatching) {
    isWatching = true;
    process.prependListener('beforeExit', endAll);
    process.prependListener('exit', (code) => {
      if (code === 0) endAll();
    });
  }
  return () => void ends.delete(end);
}

function endAll(): void {
  for (const end of [...ends]) end();
  ends.clear();
}
