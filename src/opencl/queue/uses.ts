import { listOf, type Event } from './event.ts';
import { waitIgnoringFailure } from './hold-for-event.ts';
import type { EventList } from './event-list.ts';

const SWEEP_AT = 32;

/** The commands that may still use a piece of memory. */
export class Uses {
  /** Of which context they are. */
  readonly context: bigint;
  #events: Event[] = [];
  #limit = SWEEP_AT;
  #earlier: Event[] = [];

  constructor(context: bigint) {
    this.context = context;
  }

  add(event: Event): void {
    const list = listOf(event);
    // On an in-order queue the last command ends last.
    const at = list?.inOrder === true ? this.#events.findIndex((other) => listOf(other) === list) : -1;
    if (at >= 0) this.#events[at] = event;
    else if (this.#events.push(event) >= this.#limit) this.#limit = Math.max(SWEEP_AT, 2 * this.events.length);
  }

  /** Whether a command that was given the memory has not ended. */
  get pending(): boolean {
    return this.events.length > 0 || this.earlier.length > 0;
  }

  /** What is still to be waited for. */
  get events(): readonly Event[] {
    return (this.#events = unfinished(this.#events));
  }

  /** The same of those who had the memory before: commands of who has it now come after. */
  get earlier(): readonly Event[] {
    if (this.#earlier.length > 0) this.#earlier = unfinished(this.#earlier);
    return this.#earlier;
  }

  /** The memory changes hands. */
  handOver(): void {
    this.#earlier = [...this.earlier, ...this.events];
    this.#events = [];
  }

  /** Whether one of the commands waits for a user event, and nobody knows for how long. */
  get blocked(): boolean {
    return [...this.earlier, ...this.events].some(({ blockers = [] }) => blockers.length > 0);
  }

  /** Wait for those that end by themselves. */
  waitIgnoringFailure(): void {
    for (const event of [...this.earlier, ...this.events]) {
      if ((event.blockers ?? []).length === 0) waitIgnoringFailure(event);
    }
  }
}

function unfinished(events: readonly Event[]): Event[] {
  return events.filter((event) => !event.settle());
}

/** What the next command uses, as far as others had it before. */
const noted = new Set<Uses>();

/** Note that the command that is being put together uses the memory. */
export function noteUse(uses: Uses): void {
  noted.add(uses);
}

/** What was noted for a command that is recorded. */
export function takeUses(): readonly Uses[] {
  const taken = [...noted];
  noted.clear();
  return taken;
}

/** Forget what was noted for a command that came to nothing. */
export function forgetUses(): void {
  if (noted.size > 0) noted.clear();
}

/** What the command has to come after, and would not by itself. */
export function earlierUses(context: bigint, queue: EventList): readonly Event[] {
  if (noted.size === 0) return [];
  return [...noted].flatMap((uses) =>
    uses.context === context ? uses.earlier.filter((event) => listOf(event) !== queue || !queue.inOrder) : [],
  );
}

/** Give the command's event to what it uses. */
export function addUse(context: bigint, event: Event): void {
  if (noted.size === 0) return;
  for (const uses of noted) if (uses.context === context) uses.add(event);
  noted.clear();
}
