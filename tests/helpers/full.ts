/** Whether all is run, also what takes long: `npm run test:full`. */
export const isFull: boolean = process.env['RAWKERNEL_TEST_FULL'] === '1';

/** Of cases that take long together: all in a full run, else the first and every so-manyth after it. */
export function some<T>(cases: readonly T[], step: number): readonly T[] {
  return isFull ? cases : cases.filter((_, i) => i % step === 0);
}
