import { holdUntil } from '../../core/in-flight.ts';
import type { HostMemory } from '../../core/host-memory.ts';
import { pin } from '../../core/pin.ts';
import { waitForEvent } from '../call.ts';
import type { Event } from './event.ts';

/** Keep the host array of a command referenced until the command has ended, even if its event is closed earlier. */
export function holdForEvent(event: Event, memory: HostMemory): void {
  const held = [memory];
  const release = pin(memory, 'command');
  holdUntil(
    () => event.settle(),
    () => {
      held.length = 0;
      release();
    },
  );
}

/** Wait for a command, successful or not. */
export function waitIgnoringFailure(event: Event): void {
  try {
    const raw = event.unfinished;
    // A failure is reported to the code that waits for the result.
    if (raw !== undefined) waitForEvent(raw);
  } catch {
    // The driver cannot be asked.
  }
}
