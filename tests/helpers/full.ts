/** Whether all is run, also what takes long: `npm run test:full`. */
export const isFull: boolean = process.env['RAWKERNEL_TEST_FULL'] === '1';

/** Of cases that take long together: all in a full run, else the first and every so-manyth after it. */
export function some<T>(cases: readonly T[], step: number): readonly T[] {
  return isFull ? cases : cases.filter((_, i) => i % step === 0);
}

/** Of cases that take long together: all in a full run, else the first of each kind. */
export function firstOfEach<T>(cases: readonly T[], kindOf: (one: T) => unknown): readonly T[] {
  const known = new Set();
  const isFirst = (kind: unknown): boolean => !known.has(kind) && known.add(kind) === known;
  return isFull ? cases : cases.filter((one) => isFirst(kindOf(one)));
}
