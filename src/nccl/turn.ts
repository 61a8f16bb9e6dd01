/** How long calls may keep the event loop from its next turn, in milliseconds. */
const LONGEST_MS = 3;

/** Of this turn, or since a call was to let the event loop turn. */
let spentMs = 0;

function hasTurned(): void {
  spentMs = 0;
}

/** A call has kept the event loop since then. */
export function spendOfTurn(sinceMs: number): void {
  if (spentMs === 0) setImmediate(hasTurned);
  spentMs += performance.now() - sinceMs;
}

/**
 * Whether a call is to let the event loop turn: a program that awaits calls does not, as long as their promises are settled. Of a
 * program that awaits none it is one call of many.
 */
export function isTurnDue(): boolean {
  if (spentMs < LONGEST_MS) return false;
  spentMs = 0;
  return true;
}
