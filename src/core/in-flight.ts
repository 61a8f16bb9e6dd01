import { warn } from './errors.ts';

interface Flight {
  readonly isComplete: () => boolean;
  readonly land: () => void;
}

const SWEEP_MS = 50;
/** How many may be held before what has finished is looked for: asking costs a call each. */
const SWEEP_AT = 16;

const flights = new Set<Flight>();
/** Of which the driver could not be asked: kept, and not asked for again. */
const stranded = new Set<Flight>();
let timer: NodeJS.Timeout | undefined;
let limit = SWEEP_AT;

/**
 * Hold what a device still reads or writes until it has finished. `isComplete` asks the driver; `land` runs once after it,
 * and everything that it closes over (host arrays, temporary allocations) stays referenced until then. Does not keep the
 * process alive.
 */
export function holdUntil(isComplete: () => boolean, land: () => void): void {
  flights.add({ isComplete, land });
  timer ??= setInterval(sweepFlights, SWEEP_MS).unref();
  if (flights.size <= limit) return;
  // No timer runs inside a loop that never yields. A release may hold memory in turn, which must not start a second sweep.
  limit = Infinity;
  try {
    sweepFlights();
  } finally {
    limit = Math.max(SWEEP_AT, 2 * flights.size);
  }
}

/** Release everything that has finished. An allocation that fails calls it too. */
export function sweepFlights(): void {
  for (const flight of flights) {
    try {
      if (!flight.isComplete()) continue;
      flights.delete(flight);
      flight.land();
    } catch (error) {
      // The others are released anyway. Where the device's progress is unknown, its memory stays.
      if (flights.delete(flight)) stranded.add(flight);
      warn(`Memory of a command could not be released: ${String(error)}`, 'RAWKERNEL_CLEANUP');
    }
  }
  if (flights.size === 0 && timer) {
    clearInterval(timer);
    timer = undefined;
  }
}

/** How many transfers are held. */
export function flightCount(): number {
  return flights.size;
}
