interface Flight {
  readonly landed: () => boolean;
  readonly land: () => void;
}

const SWEEP_MS = 50;

const flights = new Set<Flight>();
let timer: NodeJS.Timeout | undefined;

/**
 * Hold what a device still reads or writes until it has finished. `landed` asks the driver; `land` runs once after it,
 * and whatever it closes over (host arrays, temporary allocations) stays referenced until then. Does not keep the
 * process alive.
 */
export function holdUntil(landed: () => boolean, land: () => void): void {
  flights.add({ landed, land });
  timer ??= setInterval(sweepFlights, SWEEP_MS).unref();
}

/** Let go of everything that has finished. Allocation calls it too, so a busy loop does not pile up. */
export function sweepFlights(): void {
  for (const flight of flights) {
    if (!flight.landed()) continue;
    flights.delete(flight);
    flight.land();
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
