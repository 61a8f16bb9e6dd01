import { isFullRun, leaveOut } from './left-out.ts';

/** Whether all is run, also what takes long: `npm run test:full`. */
export const isFull: boolean = isFullRun;
if (!isFull) leaveOut();

/** The gate's turn: a commit does a part of what takes longest, another commit another part. Undefined: all is done. */
const turn = process.env['RAWKERNEL_TEST_TURN'];
/** Whether this run does such a part. */
export const isGate: boolean = isFull && turn !== undefined;

/**
 * Of cases that take long together: all in a full run, else the first and every so-manyth after it.
 *
 * @param parts - of which the gate runs one
 */
export function some<T>(cases: readonly T[], step: number, parts = 1): readonly T[] {
  return isFull ? share(cases, parts) : cases.filter((_, i) => i % step === 0);
}

/** Of cases that take very long together, the gate's part in the gate: one case at least. */
export function share<T>(cases: readonly T[], parts: number): readonly T[] {
  if (!isGate) return cases;
  const first = Number(turn) % Math.min(parts, Math.max(cases.length, 1));
  return cases.filter((_, i) => i % parts === first);
}

/** Of cases that take long together: all in a full run, else the first of each kind. */
export function firstOfEach<T>(cases: readonly T[], kindOf: (one: T) => unknown): readonly T[] {
  const known = new Set();
  const isFirst = (kind: unknown): boolean => !known.has(kind) && known.add(kind) === known;
  return isFull ? cases : cases.filter((one) => isFirst(kindOf(one)));
}
