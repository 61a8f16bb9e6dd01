/** Nanoseconds of a clock that all threads of the process share and that never goes back. */
export function nanoseconds(): bigint {
  return process.hrtime.bigint();
}

/** The same clock in milliseconds. */
export function milliseconds(): number {
  const [seconds, rest] = process.hrtime();
  return seconds * 1e3 + rest / 1e6;
}
